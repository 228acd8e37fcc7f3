"""The log: what is written here is said to have happened, and nothing else.

base.py      what every store does: one writer, many who wait    tables.py    what is kept
sqlite.py    in a folder, for one process    wal.py              whether its journal is whole
postgres.py  in a database, for any number of nodes
migrate.py   tables of before become those of now (migrations: the steps)
"""

from .base import Conflict, Entry, InUse, Setup, Store, StoreError, Unknown

__all__ = ["Conflict", "Entry", "InUse", "Setup", "Store", "StoreError", "Unknown"]
