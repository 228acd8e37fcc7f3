"""What a player that reads is told, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.errors import IllegalAction
from ...core.game import Ruleset
from ...core.scene import Choice, Scene
from ...text.choosing import NoChoice, chosen, menu, said, typed
from ...text.pieces import played_with
from .messages import Format, Listed, Question, Refused

LONGEST = 200  # letters of a choice
SHOWN = 2  # words of choices, where a game does not explain how its moves are written

HOW = {
    Format.MENU: "The choices are listed with a number in brackets. Answer with the number.",
    Format.DRAWN: "What you can choose has a number in brackets, or is a square that is marked. "
    "Answer with the number, or with the name of the square.",
    Format.WORD: "The choices are not listed. Answer with a move as it is written in this game.",
}
LAST = "You can think first, but the last line of your answer must be your choice alone."


@dataclass(frozen=True)
class Position:
    """What the player is to decide on: all that its seat sees, and what it was told."""

    rules: Ruleset
    observation: Any
    scene: Scene
    seat: int
    happened: tuple[str, ...]


def question(
    at: Position,
    match: str,
    format: Format,
    attempt: int,
    attempts: int,
    refused: Sequence[Refused],
) -> Question:
    """What is asked: the decision, and what was wrong with the answers so far."""
    from ...text.reading import drawn  # it brings rich, which `import battlebox` does without

    scene = at.scene
    table = drawn(scene if format is Format.DRAWN else replace(scene, choices=()))
    listed = None
    if format is Format.MENU:
        listed = [Listed(key=key, word=c.word, text=said(c)) for key, c in typed(scene).items()]
    return Question(
        match=match,
        game=at.rules.name,
        options=at.rules.options_in_words,
        seat=at.seat,
        format=format,
        attempt=attempt,
        attempts=attempts,
        refused=list(refused),
        happened=list(at.happened),
        table=table,
        choices=listed,
        instructions=_instructions(at, format),
        prompt=_prompt(at, format, table, attempts - attempt + 1, refused),
    )


def _instructions(at: Position, format: Format) -> str:
    """The same in the whole match: the game in short, how moves are written, how to answer."""
    game = at.rules.game
    parts = [
        f"You play {game.title}: {at.rules.options_in_words}. You are Seat {at.seat}.",
        game.readme_parts[0].strip(),
        *played_with(at.rules),
        f"# How to answer\n\n{HOW[format]} {LAST}",
    ]
    if format is Format.WORD and game.words_explained:
        parts.append(f"# How moves are written\n\n{game.words_explained}")
        codes = [f"{p.code} {p.name}" for x in at.rules.components for p in x.pieces if p.code]
        parts += [f"Codes: {', '.join(codes)}."] if codes else []
    return "\n\n".join(parts)


def _prompt(at: Position, format: Format, table: str, left: int, refused: Sequence[Refused]) -> str:
    parts = []
    if at.happened:
        parts.append("Since your last decision:\n" + "\n".join(f"- {x}" for x in at.happened))
    parts.append(table)
    if format is Format.MENU:
        parts.append("Your choices:\n" + menu(at.scene))
    if format is Format.WORD and not at.rules.game.words_explained:
        words = [c.word for c in at.scene.choices]
        parts.append(
            f"Moves are written like these: {', '.join(dict.fromkeys([words[0], words[-1]]))}"
        )
    parts += [f"You answered {x.answer!r}. {x.why}" for x in refused]
    if refused:
        parts.append(
            "This is your last attempt." if left == 1 else f"You have {left} attempts left."
        )
    parts.append(f"{HOW[format]} {LAST}")
    return "\n\n".join(parts)


def meant(answer: str, scene: Scene, format: Format) -> Choice:
    """The choice that an answer means: its last line does.

    Errors: IllegalAction says why it means none; NoChoice where nothing of it is printed.
    """
    lines = [x for x in map(str.strip, answer.splitlines()) if x]
    if not lines:
        raise IllegalAction("Your answer is empty.")
    if len(line := lines[-1]) > LONGEST:
        raise IllegalAction("The last line of your answer is too long to be a choice.")
    words = {c.word for c in scene.choices}
    for text in dict.fromkeys((line, bare(line))):
        if format is Format.WORD and re.fullmatch(r"\[?\d+\]?", text) and text not in words:
            continue  # numbers of choices are not shown
        try:
            return chosen(text, scene)
        except NoChoice:
            pass
    raise NoChoice(bare(line))


def bare(line: str) -> str:
    """A line without what models put around an answer: "**Answer: `pass`**." is "pass"."""
    marks = "*_`'\" "
    line = line.strip(marks).removesuffix(".").strip(marks)
    return re.sub(r"(?i)^(my |final )?(answer|choice)( is)?\s*:\s*", "", line).strip(marks)
