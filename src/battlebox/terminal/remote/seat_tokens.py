"""The links of the seats that were taken at this machine, by the invitations that led to them.

An invitation works once. Somebody who comes back with theirs finds their seat all the same.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from platformdirs import user_data_path

from ...client import link
from ...client.link import Link
from ...core.errors import BattleboxError
from .. import files

MOST = 200  # the latest


def path() -> Path:
    """The file they are kept in; nobody else may read it."""
    return user_data_path("battlebox") / "seats.json"


def own(invitation: Link) -> Link:
    """The link of the seat that was taken by this invitation; else the same link."""
    found = _all().get(str(invitation))
    with contextlib.suppress(BattleboxError):
        return link.read(found) if found else invitation
    return invitation


def remember(invitation: Link, seat: Link) -> None:
    """Keeps the link of a seat. Where that fails, the person still sees it when they leave."""
    kept = [*_all().items(), (str(invitation), str(seat))][-MOST:]
    with contextlib.suppress(OSError):
        files.write(path(), json.dumps(dict(kept)))


def _all() -> dict[str, str]:
    try:
        found = json.loads(path().read_text(encoding="utf-8"))
        return {str(k): str(v) for k, v in found.items()}
    except (OSError, ValueError, AttributeError):  # none yet, or none that can be read
        return {}
