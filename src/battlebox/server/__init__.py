"""The server: matches in a browser or a terminal, with bots and friends.

A command comes in at a socket, is decided by the session, logged, and only then done and shown:

    sockets.py      the socket of one viewer        room.py          one match in memory
    session.py      a match as its log decides it   rooms.py         all: opened, made, let go
    log_events.py   what the log holds, typed       store            the log: a folder, a database
    views.py        what each viewer is shown       connections.py   what each socket is to be sent

Parts of a room, each with a narrow face:

    presence.py     who looks on, who is away       bot_players.py   its bots come to decisions
    response_windows.py  of a match                 countdown.py     how long all wait in one
    delayed.py      what late spectators see        hints.py         what a bot would do
    background.py   answers that take a while       tokens.py        who may sit where

What all rooms share:

    threads.py      in which bots think, in turn    compiling.py     the compiled build, made once
    reviews.py      how matches went                slices.py        long work in the loop
    limits.py       how much of everything          clock.py         what it waits by; tests move it

Around them:

    app.py          the app                         routes           HTTP, by what it is about
    protocols.py    uvicorn's protocols, bounded    security.py      host, origin, headers, size
    serve.py        a port, a browser, Ctrl-C       address.py       how others come to it
    supervise.py    processes, kept alive           metrics.py       of all processes
    rulebook.py     the rules, for the page         lessons.py       what learners see
    upkeep.py       backup, check                   transfer.py      to a database, or back
    versions.py     of the rules, at all nodes     logs.py          lines on stderr

docs/protocol.md is the text to write a client from.
"""
