"""A whole scene as plain text, for programs that read, such as language models.

Nothing is left out for want of room, and nothing is said by how it looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.scene import Choice, Scene
from .draw import Pen, draw

WIDTH = 100


def drawn(scene: Scene, who: Sequence[str] = ()) -> str:
    """The table as the terminal draws it, with the choices in it.

    who: what sits on each seat, by seat number.
    """
    pen = Pen(WIDTH, full=True, plain=True, who=who)
    return "\n".join(line.plain.rstrip() for line in draw(scene, pen)).strip("\n")


def rules_of(choices: Sequence[Choice], rulebook: Mapping[str, str]) -> str:
    """The rules behind some choices, each once, with its id."""
    ids = dict.fromkeys(id for c in choices for id in c.rules)
    return "\n".join(f"{id}  {rulebook.get(id, '(no text)')}" for id in ids)
