"""A match on a server, for programs: the terminal's `join`, the MCP server.

link.py         the link, and what HTTP is asked    connection.py   the socket, kept open
client.py       commands on their way, and answers  state.py        what is known of the match
room_text.py    the room in sentences
"""
