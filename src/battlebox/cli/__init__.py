"""The command line: parses and delegates.

    app.py       puts the commands together     arguments.py  what several commands take and show
    serving.py   battlebox without a command    playing.py    play, watch, join, replay, review
    games.py     games, deck, scenario          measuring.py  arena, balance, tune, bench
    records.py   verify, backup                 authoring.py  new-game, dev, check
    training.py  train

What a command needs is imported when it runs: `battlebox --help` is to be quick.
"""

from .app import app, main

__all__ = ["app", "main"]
