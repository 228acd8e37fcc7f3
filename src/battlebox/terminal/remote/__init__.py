"""A match on a server, from its link to its end.

link.py         the link, and what HTTP is asked       invitations.py  links for friends
connection.py   the socket, kept open                  seat_tokens.py  the seats taken here
state.py        what is known of the match             room_text.py    the room in sentences
client.py       commands on their way, and answers     arrival.py      the first look, a seat
match.py        what is shown, and what is typed       commands.py     commands for the server
end.py          the end, and what follows
"""
