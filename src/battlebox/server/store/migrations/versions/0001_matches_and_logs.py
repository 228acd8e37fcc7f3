"""The first tables: matches and their logs. They are made as a whole (`schema.py`)."""

from __future__ import annotations

revision, down_revision, branch_labels, depends_on = "0001", None, None, None
