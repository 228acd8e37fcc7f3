"""`battlebox dev`: a game in a browser while it is written, the truth beside what each seat sees.

    worker.py       runs one version of a game      versions.py   a process each; the files watched
    lines.py        seed and actions, played again  positions.py  a position, for the page
    fields.py       the state, what is hidden       scenarios.py  a position as a scenario
    faults.py       what is wrong, and where        messages.py   what page and server say
    soundness.py    what cannot be in a state       app.py        the app
    serve.py        a port, a browser, Ctrl-C

It shows what no player may see, and runs what lies in a folder: it listens on this machine only,
and no other server knows of it. The page is web/dev.
"""
