"""What the server and its clients say to each other; docs/protocol.md explains it.

The server, the terminal and the page's types are made from these models.

    commands.py    what one may want of a match     messages.py    the messages of a socket
    http.py        bodies of HTTP                   deltas.py      scenes as what has changed
    schema.py      all of it as JSON Schema
"""

#: clients say which protocol they speak; a server speaks one
PROTOCOL = 4
