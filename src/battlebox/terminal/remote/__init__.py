"""A match on a server, at the terminal: from its link to its end (`client` has what is no screen).

match.py         what is shown, and what is typed    commands.py     commands for the server
arrival.py       a seat for those who are invited    invitations.py  links for friends
seat_tokens.py   the seats taken here                end.py          the end, and what follows
"""
