"""Nodes count together what one address does."""

from __future__ import annotations

from alembic import op

revision, down_revision, branch_labels, depends_on = "0003", "0002", None, None
TABLES = (
    "CREATE UNLOGGED TABLE IF NOT EXISTS makers"
    " (maker bytea PRIMARY KEY, allowed float8 NOT NULL, at float8 NOT NULL)",
    "CREATE UNLOGGED TABLE IF NOT EXISTS under_way"
    " (maker bytea, node text, matches int NOT NULL, PRIMARY KEY (maker, node))",
)


def upgrade() -> None:
    """A folder has no nodes."""
    if op.get_bind().dialect.name == "postgresql":
        for text in TABLES:
            op.execute(text)
