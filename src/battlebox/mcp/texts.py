"""What a tool answers: as data, and the same as text."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, Field

from ..client import room_text
from ..client.state import RemoteState
from ..core.scene import Choice, Scene
from ..protocol.messages import RoomMessage
from ..text.choosing import menu, said, typed
from ..text.reading import drawn, rules_of

MOST = 2  # reasons that are told of what was no choice


class ChoiceInfo(BaseModel):
    """One choice. Its key, its word and its label are all understood by `choose`."""

    key: str
    word: str
    label: str
    rules: list[str] = Field(description="ids for read_rules")


class Look(BaseModel):
    """The match as this seat sees it."""

    status: Literal["your_turn", "proposal", "waiting", "over"] = Field(
        description="proposal: it is not your turn, but somebody waits for your answer"
    )
    playing: str = Field(description="the game, its options, your seat; empty without the table")
    question: str = Field(description="pass it to choose: a choice for another question is refused")
    seconds_left: int | None = Field(description="to answer; then you decline. null: no hurry")
    waiting_for: str = Field(description="in words; empty if it is your turn, or over")
    news: list[str] = Field(description="what happened since you last looked")
    table: str = Field(description="what this seat sees; empty if it was left out")
    asked: str = Field(description="what you are asked to decide")
    choices: list[ChoiceInfo]
    refused: list[str] = Field(description="what you cannot do now, and why, if you asked for it")
    proposal: str = Field(description="what somebody proposes to you; answer_proposal answers it")
    may_propose: list[str] = Field(description="what you can propose to the others, by `propose`")
    result: str


def as_text(seen: Look, scene: Scene) -> str:
    """All of it, to be read; scene: where its choices are from."""
    parts = [seen.playing] if seen.playing else []
    parts += [f"Since you last looked:\n{_listed(seen.news)}"] if seen.news else []
    parts += [seen.table] if seen.table else []
    parts += [f"{seen.proposal}. Call answer_proposal."] if seen.proposal else []
    if seen.status == "over":
        parts.append(f"The match is over. {seen.result}")
    elif seen.status == "waiting":
        parts.append(f"{seen.waiting_for} Call wait.")
    elif seen.status == "your_turn":
        parts.append(f"{seen.asked}\nYour choices:\n{menu(scene)}")
        parts += [f"You cannot:\n{_listed(seen.refused)}"] if seen.refused else []
        parts.append(f"Call choose with one of them; the question is {seen.question}.")
        if seen.seconds_left is not None:
            parts.append(f"Answer within {seen.seconds_left} s: who does not has declined.")
    parts += [f"You can propose: {', '.join(seen.may_propose)}."] if seen.may_propose else []
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts))


def look(state: RemoteState, *, table: bool = True, why_not: bool = False) -> Look:
    """What is to be seen. table: with what lies there, which is the longest part. why_not: with
    what cannot be done now.
    """
    scene, room = state.scene, state.room
    asked = bool(scene.choices)
    over = room.end is not None
    who = room_text.seat_notes(room)
    proposed = room.proposal if state.is_asked else None
    waits = not (over or asked or proposed)
    return Look(
        status="over" if over else "your_turn" if asked else "proposal" if proposed else "waiting",
        playing=playing(room) if table else "",
        question=state.picture.question if asked else "",
        seconds_left=_seconds_left(state) if asked else None,
        waiting_for=f"{state.waiting()}." if waits else "",
        news=state.news(),
        table=drawn(replace(scene, choices=(), prompt=""), who=who) if table else "",
        asked=scene.prompt,
        choices=[
            ChoiceInfo(key=key, word=c.word, label=said(c), rules=list(c.rules))
            for key, c in typed(scene).items()
        ],
        refused=_reasons(scene) if why_not else [],
        proposal=room_text.proposed(proposed, state.names) if proposed else "",
        may_propose=state.may_propose,
        result=_result(state) if over else "",
    )


def playing(room: RoomMessage) -> str:
    """What is played, and as whom."""
    mode = f", {room.mode}" if room.mode else ""
    you = "" if room.you is None else f" You are {room.seats[room.you].name}, seat {room.you}."
    return f"{room.title} ({room.game}{mode}): {room.options}.{you}"


def _seconds_left(state: RemoteState) -> int | None:
    """Until a response window passes; None: none is open."""
    until = state.picture.until
    return None if until is None else max(0, math.floor(until - time.monotonic()))


def _reasons(scene: Scene, named: Container[str] | None = None) -> list[str]:
    """What cannot be done now, each reason once, with the rules behind it. named: only of these
    pieces and places, by their ids.
    """
    found = (x for x in scene.refusals if named is None or x.id in named)
    return list(dict.fromkeys(x.why + f" ({', '.join(x.rules)})" * bool(x.rules) for x in found))


def _is_in(name: str, line: str) -> bool:
    """Whether a line has a name, not only within a word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) is not None


def no_choice(said: str, scene: Scene) -> str:
    """Why that cannot be done which somebody has said, by the pieces and places that they name."""
    line = said.casefold()
    here = [(z.id, z.label) for z in scene.zones]
    here += [(p.id, p.name) for z in scene.zones for p in z.pieces]
    named = {id for id, name in here if name and _is_in(name.casefold(), line)}
    told = _reasons(scene, named)[:MOST]
    return " ".join(told) or "look with why_not says what you cannot do now, and by which rules."


def _result(state: RemoteState) -> str:
    end = state.room.end
    assert end is not None, "the match is over"
    outcomes = [f"{name}: {_outcome(x)}" for name, x in zip(state.names, end.returns, strict=True)]
    return f"{end.text} {', '.join(outcomes)}."


def _outcome(returned: float | None) -> str:
    if returned is None:
        return "not played out"
    return "won" if returned > 0 else "lost" if returned < 0 else "shared the result"


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {x}" for x in texts)


def explained(choice: Choice, rulebook: Mapping[str, str]) -> str:
    """A choice with the rules behind it."""
    return f"{said(choice)}\n{rules_of([choice], rulebook)}"


def family(x: Mapping[str, Any]) -> str:
    """Pieces that are alike, and how many there are of each, of what the server says of them."""
    pieces = [f"- {p['label']} ({p['count']})" for p in x["pieces"]]
    return "\n".join([f"# {x['name']}", x["text"], *pieces])


def game_line(x: Mapping[str, Any]) -> str:
    """A game in two lines, of what the server says of it."""
    fewest, most = x["players"]
    players = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    modes = "; ".join(f"{m['name']} ({m['about']})" for m in x["modes"])
    return f"{x['name']}: {x['title']}, {players} players. {x['about']}\n  Modes: {modes}"
