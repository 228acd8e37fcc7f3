"""What is typed for a choice, and what is meant by what was typed.

Whatever is printed of a choice is understood: its number, its word, its label.
"""

from __future__ import annotations

import re

from ..core.errors import IllegalAction
from ..core.scene import Choice, Scene

MANY = 4  # choices of places on a board that are listed one by one
NAMED = 4  # choices that an error names


def numbered(scene: Scene) -> dict[int, Choice]:
    """The choices by the number a person types, in the order they are drawn.

    Those of the cards come in the order of the cards; a single quiet one without a card is 0.
    Many squares of a board have none: they are typed by their names.
    """
    order = [p.id for z in scene.zones if z.kind == "fan" for p in z.pieces]
    ranks = {id: k for k, id in enumerate(order)}
    squares = {c.action for c in on_board(scene)}
    ordered = sorted(
        (c for c in scene.choices if c.action not in squares),
        key=lambda c: ranks.get(c.path[0] if c.path else "", len(order)),
    )
    quiet = [c for c in ordered if c.tone == "quiet" and not c.path]
    if len(quiet) == 1:
        ordered.remove(quiet[0])
        return dict(enumerate(ordered, 1)) | {0: quiet[0]}
    return dict(enumerate(ordered, 1))


def on_board(scene: Scene) -> list[Choice]:
    """The choices of a square that the board shows anyway, if they are many."""
    cells = {p.id for z in scene.zones if z.kind == "grid" for p in z.pieces if p.kind == "cell"}
    found = [c for c in scene.choices if not c.any_order and any(x in cells for x in c.path)]
    return found if len(found) > MANY else []


def tag(typed: int | str) -> str:
    """What is typed for a choice, as it is drawn."""
    return f"[{typed}]"


def said(choice: Choice) -> str:
    """A choice with its result."""
    return f"{choice.label}: {choice.sub}" if choice.sub else choice.label


def matching(line: str, scene: Scene) -> list[Choice]:
    """The choices a line may mean: by number, by its whole word, by words of its label.

    Two letters at least, so that a slip of the finger plays nothing.
    """
    bare = line.strip("[]").strip()
    if bare.isdecimal():
        choices = numbered(scene)
        return [choices[int(bare)]] if int(bare) in choices else []
    low, found = bare.casefold(), scene.choices
    if hits := [c for c in found if low in (c.word.casefold(), c.label.casefold())]:
        return hits
    begins = re.compile(rf"\b{re.escape(low)}")
    return [c for c in found if len(low) > 1 and begins.search(c.label.casefold())]


def chosen(line: str, scene: Scene) -> Choice:
    """The one choice that a line means.

    Errors: IllegalAction says what is wrong with it, and what could be typed.
    """
    line = line.strip()
    words = {c.word: c for c in scene.choices}
    if line in words:
        return words[line]
    found = matching(line, scene) if line else []
    if len(found) == 1:
        return found[0]
    if found:
        named = "; ".join(c.label for c in found[:NAMED])
        raise IllegalAction(f"{line!r} could be: {named}. Type more of it.")
    raise IllegalAction(
        f"{line!r} is not one of your choices. Type a number, a word such as "
        f"{scene.choices[-1].word}, or at least two letters of a choice."
    )
