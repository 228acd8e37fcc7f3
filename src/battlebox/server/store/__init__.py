"""The log: what is written here is said to have happened, and nothing else.

A server uses one of two:

    sqlite.py    in a folder, for one process       wal.py       whether its journal is whole
    postgres.py  in a database, for any number of nodes

What they have in common:

    base.py      one writer, many who wait          schema.py    what is kept
    migrate.py   older tables become those of now
"""

from .base import Conflict, Entry, InUse, OutcomeUnknown, Setup, Store, StoreError

__all__ = ["Conflict", "Entry", "InUse", "Setup", "Store", "StoreError", "OutcomeUnknown"]
