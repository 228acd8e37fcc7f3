"""Which survivors are no gap: mutants that change nothing anybody could notice, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "judged"


class BadJudgement(Exception):
    """A file of judgements that cannot be read so; says where."""


def read(file: Path) -> dict[str, str]:
    """The reason of each mutant that is judged equivalent, by its name. Errors: BadJudgement."""
    if not file.exists():
        return {}
    try:
        found: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as e:
        raise BadJudgement(f"{file}: {e}") from None
    if unknown := [k for k in found if k != "equivalent"]:
        raise BadJudgement(f"{file}: {unknown[0]!r} is not known; write [[equivalent]]")
    entries = found.get("equivalent", [])
    if not isinstance(entries, list):
        raise BadJudgement(f"{file}: write [[equivalent]], then `mutant` and `because`")
    out: dict[str, str] = {}
    for k, entry in enumerate(entries, 1):
        where = f"{file}, entry {k}"
        if not isinstance(entry, dict) or {*entry} != {"mutant", "because"}:
            raise BadJudgement(f"{where}: write `mutant` and `because`, nothing else")
        name, because = entry["mutant"], entry["because"]
        if not (isinstance(name, str) and isinstance(because, str)):
            raise BadJudgement(f"{where}: `mutant` and `because` are texts")
        if not because.strip().endswith("."):
            raise BadJudgement(f"{where}: `because` says why in a sentence")
        if name in out:
            raise BadJudgement(f"{where}: {name!r} is judged twice")
        out[name] = because
    return out


def stale(judged: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """The judged ones that are no mutants of the game (any more)."""
    known = {*names}
    return [name for name in judged if name not in known]
