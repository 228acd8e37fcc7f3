"""What is typed for a choice, and what is meant by what was typed.

Whatever is printed of a choice is understood: its number, its word, its label, its whole line.
"""

from __future__ import annotations

import re
from itertools import count

from ..core.errors import IllegalAction
from ..core.scene import Choice, Scene

MANY = 4  # choices of places on a board that are listed one by one
NAMED = 4  # choices that an error names
SHORT = re.compile(r"0|[1-9][0-9]?")  # words that are typed as numbers are


class NoChoice(IllegalAction):
    """A line that is nothing that is printed of a choice."""


def numbered(scene: Scene) -> dict[int, Choice]:
    """The choices by the number a person types, in the order they are drawn.

    Those of the cards come in the order of the cards; a single quiet one without a card is 0. One
    whose word is a number, such as a card 3, has that number, and no other choice has it.
    Many squares of a board have none: they are typed by their names.
    """
    order = [p.id for z in scene.zones if z.kind == "fan" for p in z.pieces]
    ranks = {id: k for k, id in enumerate(order)}
    squares = {c.action for c in on_board(scene)}
    ordered = sorted(
        (c for c in scene.choices if c.action not in squares),
        key=lambda c: ranks.get(c.path[0] if c.path else "", len(order)),
    )
    words = {c.word for c in scene.choices}
    quiet = [c for c in ordered if c.tone == "quiet" and not c.path]
    found, number = dict[int, Choice](), 0
    for c in ordered:
        if SHORT.fullmatch(c.word):
            found[number := int(c.word)] = c
        elif c in quiet and len(quiet) == 1 and "0" not in words:
            continue
        else:
            number = next(n for n in count(number + 1) if str(n) not in words and n not in found)
            found[number] = c
    return found if len(found) == len(ordered) else found | {0: quiet[0]}


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


def typed(scene: Scene) -> dict[str, Choice]:
    """The choices by what is typed for them: a number, or the word of a square of a board."""
    found = {str(n): c for n, c in numbered(scene).items()}
    return found | {c.word: c for c in on_board(scene)}


def line_of(choice: Choice) -> str:
    """A choice in a list, behind its tag: its word in the game's notation, its label, its result.

    The word is left out where it is the tag: see `menu`.
    """
    return f"{choice.word}  {said(choice)}"


def matching(line: str, scene: Scene) -> list[Choice]:
    """The choices a line may mean: by anything that is printed of them, or by the beginning of a
    word of their labels.

    Two letters at least, so that a slip of the finger plays nothing.
    """
    line = " ".join(line.split())
    if exact := [c for c in scene.choices if c.word == line]:
        return exact
    if tagged := _tagged(line, scene):
        choice, rest = tagged
        return [choice] if _fits(rest, choice, scene) else []
    low, bare = line.casefold(), line.strip("[]").strip()
    if bare.isdecimal():
        choice_of = numbered(scene)
        return [choice_of[int(bare)]] if int(bare) in choice_of else []
    if hits := [c for c in scene.choices if low in _printed(c)]:
        return hits
    begins = re.compile(rf"\b{re.escape(low)}")
    return [c for c in scene.choices if len(low) > 1 and begins.search(c.label.casefold())]


def _tagged(line: str, scene: Scene) -> tuple[Choice, str] | None:
    """The choice whose tag a line begins with, and what stands behind it."""
    if not (found := re.fullmatch(r"\[([^\]]+)\] ?(.*)", line)):
        return None
    choice = typed(scene).get(found[1].strip())
    return (choice, found[2]) if choice else None


def _printed(choice: Choice) -> set[str]:
    """All that is printed of a choice but its number, in small letters."""
    whole, bare = line_of(choice), f"{choice.word} {choice.label}"
    every = (choice.word, choice.label, said(choice), whole, bare)
    return {" ".join(x.casefold().split()) for x in every}


def _fits(rest: str, choice: Choice, scene: Scene) -> bool:
    """Whether what stands behind a tag is said of that choice: all of its words are.

    Where it is drawn beside a card, what the card is used on is named as the table names it.
    """
    named = [z.label for z in scene.zones if z.id in choice.path]
    named += [p.name for z in scene.zones for p in z.pieces if p.id in choice.path]
    every = re.findall(r"\w+", " ".join([line_of(choice), *named]).casefold())
    return {*re.findall(r"\w+", rest.casefold())} <= {*every}


def chosen(line: str, scene: Scene) -> Choice:
    """The one choice that a line means.

    Errors: IllegalAction says what is wrong with it, and what could be typed: NoChoice if it means
    nothing.
    """
    line = line.strip()
    found = matching(line, scene) if line else []
    if len(found) == 1:
        return found[0]
    keys = {c.action: tag(key) for key, c in typed(scene).items()}
    if found:
        named = "; ".join(f"{keys[c.action]} {c.label}" for c in found[:NAMED])
        more = f"; {len(found) - NAMED} more" if len(found) > NAMED else ""
        raise IllegalAction(f"{line!r} could be: {named}{more}. Type what stands in the brackets.")
    if line and (tagged := _tagged(" ".join(line.split()), scene)):
        choice, rest = tagged
        raise IllegalAction(
            f"{keys[choice.action]} is {said(choice)!r}, but {rest!r} says something else. Type "
            f"only what stands in the brackets."
        )
    raise NoChoice(
        f"{line!r} is not one of your choices. Type a number, a word such as "
        f"{scene.choices[-1].word}, or at least two letters of a choice."
    )


def menu(scene: Scene) -> str:
    """Each choice on a line: what is typed for it, its word in the game's notation, its label.

    `[1] a:PUNCH>b  PUNCH at Bob: 3 damage`
    """
    return "\n".join(
        f"{tag(key)} {said(c) if key == c.word else line_of(c)}" for key, c in typed(scene).items()
    )
