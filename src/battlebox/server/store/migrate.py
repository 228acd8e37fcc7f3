"""The tables of a store as this battlebox wants them, whatever they were before.

A new store gets them at once. An older one goes step by step (`migrations/versions`, Alembic's), in
one transaction; nodes that start together do it one after the other.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import sqlalchemy as sa

from .base import StoreError
from .schema import tables, together

FIRST, NEWEST = "0001", "0001"  # of migrations/versions; what was made before there were any: FIRST
LOCK = int.from_bytes(hashlib.blake2b(b"battlebox tables", digest_size=8).digest(), signed=True)
FOLDER = Path(__file__).parent / "migrations"
version = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)


def migrate(engine: sa.Engine) -> None:
    """Errors: StoreError, if the tables are those of a newer battlebox."""
    shared = engine.dialect.name == "postgresql"
    how = {"isolation_level": "READ COMMITTED"} if shared else {}
    with engine.connect().execution_options(**how) as c, c.begin():
        if shared:
            c.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        there = sa.inspect(c).get_table_names()
        if "matches" not in there:
            tables.create_all(c)
            if shared:
                together.create_all(c)
            _note(c, NEWEST)
            return
        if version.name not in there:
            _note(c, FIRST)
        found = c.scalar(sa.select(version.c.version_num))
        if found != NEWEST:
            _upgrade(c, str(found))


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
            f"{c.engine.url.render_as_string(hide_password=True)}: its tables are those of a newer "
            f"battlebox ({found}); this one knows them up to {NEWEST}"
        ) from None
    command.upgrade(config, "head")
