"""The server: matches in a browser, with bots and friends.

    app.py      the routes            live.py     the socket of one viewer
    wire.py     messages, checked     tables.py   live matches, who looks at them, bots
    store.py    the log on disk       meeting.py  what the log decides: match, seats, offers, end
    viewers.py  what each is shown    doors.py    connections, bounded
    guard.py    who may ask           limits.py   how much
    serve.py    a port, a browser, Ctrl-C
    shares.py   which process plays which matches     workers.py  processes, kept alive

docs/protocol.md is the text to write a client from.
"""
