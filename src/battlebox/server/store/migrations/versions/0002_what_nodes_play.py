"""Nodes say which versions of which games they play."""

from __future__ import annotations

from alembic import op

revision, down_revision, branch_labels, depends_on = "0002", "0001", None, None
PLAYS = "ALTER TABLE nodes ADD COLUMN IF NOT EXISTS plays text[] NOT NULL DEFAULT '{}'"


def upgrade() -> None:
    """A folder has no nodes."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(PLAYS)
