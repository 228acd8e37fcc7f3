"""The tables of a store as this battlebox wants them, whatever they were before.

A new store gets them at once. An older one goes step by step (`migrations/versions`, Alembic's), in
one transaction; nodes that start together do it one after the other.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from .base import InUse, StoreError, shown
from .schema import tables, together

FIRST, NEWEST = "0001", "0003"  # of migrations/versions; what was made before there were any: FIRST
LOCK = int.from_bytes(hashlib.blake2b(b"battlebox tables", digest_size=8).digest(), signed=True)
CANCELLED = "57014"  # PostgreSQL's word for a statement that took too long
FOLDER = Path(__file__).parent / "migrations"
version = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def migrate(engine: sa.Engine) -> None:
    """Errors: StoreError, if the tables are those of a newer battlebox; InUse."""
    shared = engine.dialect.name == "postgresql"
    how = {"isolation_level": "READ COMMITTED"} if shared else {}
    with engine.connect().execution_options(**how) as c, c.begin():
        if shared:
            _wait_for_others(c)
        found = version_of(c)
        if found is None:
            tables.create_all(c)
            if shared:
                together.create_all(c)
            _note(c, NEWEST)
            return
        if not sa.inspect(c).has_table(version.name):
            _note(c, FIRST)
        if found != NEWEST:
            _upgrade(c, found)


def version_of(c: sa.Connection) -> str | None:
    """Of which version the tables are; None: there are none."""
    there = sa.inspect(c).get_table_names()
    if "matches" not in there:
        return None
    if version.name not in there:
        return FIRST
    return str(c.scalar(sa.select(version.c.version_num)))


def _wait_for_others(c: sa.Connection) -> None:
    """Errors: InUse, if it takes longer than a statement may."""
    try:
        c.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    except OperationalError as e:
        if getattr(e.orig, "sqlstate", "") != CANCELLED:
            raise
        raise InUse(
            f"{shown(c.engine.url)} is in use by `battlebox migrate`, or its tables are being "
            "changed: wait for that to end"
        ) from None


def _note(c: sa.Connection, number: str) -> None:
    version.create(c)
    c.execute(version.insert().values(version_num=number))


def _upgrade(c: sa.Connection, found: str) -> None:
    from alembic import command  # only here: it takes longer to load than all else
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = c
    try:
        ScriptDirectory.from_config(config).get_revision(found)
    except CommandError:
        raise StoreError(
            f"{shown(c.engine.url)}: its tables are those of a newer "
            f"battlebox ({found}); this one knows them up to {NEWEST}"
        ) from None
    command.upgrade(config, "head")
