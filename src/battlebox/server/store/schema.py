"""What is kept: two tables and their guards. UNIQUE(match, seq) lets one entry be the next,
UNIQUE(match, action) lets a command be done once, even if others write at the same time.
"""

from __future__ import annotations

import sqlalchemy as sa

FORMAT = "1"

tables = sa.MetaData()
about = sa.Table(
    "about",
    tables,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)
matches = sa.Table(
    "matches",
    tables,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("made", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("setup", sa.String, nullable=False),  # JSON: game, options, seats ...
    sa.Column("secret", sa.LargeBinary, nullable=False),  # of the chance
    sa.Column("after", sa.String, unique=True),  # the match that this one is the rematch of
)
log = sa.Table(
    "log",
    tables,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),  # 0, 1, ... within the match
    sa.Column("action", sa.String),  # "SEAT:ID" of the command; NULL: a bot's
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.String, nullable=False),  # JSON
    sa.UniqueConstraint("match", "action"),
)

# what the nodes of a database tell each other: it need not be kept
together = sa.MetaData()
nodes = sa.Table(
    "nodes",
    together,
    sa.Column("node", sa.String, primary_key=True),
    sa.Column("seen", sa.DateTime(timezone=True), nullable=False),  # by the database's clock
    sa.Column("plays", sa.ARRAY(sa.String), nullable=False, server_default="{}"),  # GAME:VERSION
    prefixes=["UNLOGGED"],
)
looking = sa.Table(
    "looking",
    together,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("node", sa.String, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # -1: spectators
    sa.Column("windows", sa.Integer, nullable=False),
    prefixes=["UNLOGGED"],
)
# how much is made by whom (the hash of an address that only the nodes can make)
makers = sa.Table(
    "makers",
    together,
    sa.Column("maker", sa.LargeBinary, primary_key=True),
    sa.Column("allowed", sa.Float, nullable=False),  # matches that they may still make
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970; then: more since
    prefixes=["UNLOGGED"],
)
under_way = sa.Table(
    "under_way",
    together,
    sa.Column("maker", sa.LargeBinary, primary_key=True),
    sa.Column("node", sa.String, primary_key=True),
    sa.Column("matches", sa.Integer, nullable=False),  # in its memory, not over
    prefixes=["UNLOGGED"],
)
