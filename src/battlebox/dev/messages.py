"""What the page of `battlebox dev` and its server say to each other."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


# ---- what is wrong -------------------------------------------------------------------------------
class SourceLine(BaseModel):
    """A line of a file of the game."""

    number: int
    text: str
    meant: bool = False  # the one that is spoken of


class Fault(BaseModel):
    """What is wrong with a game, for its author."""

    what: str
    where: str = ""  # file and line, as in rules.py:33; or the file alone
    hint: str = ""  # what to do about it
    lines: list[SourceLine] = []  # those around it


# ---- a line of play ------------------------------------------------------------------------------
class Act(BaseModel):
    """One action of a line."""

    seat: int | None  # None: all, who agree on it
    word: str


class Line(BaseModel):
    """A match as a text: what it starts from, and what is done. The same line is played again by
    each version of the rules.
    """

    options: str = ""  # NAME=VALUE, as on the command line
    seed: int = Field(0, ge=0, lt=2**62)
    position: str = ""  # from here in place of the beginning
    chance: list[int | list[int]] | None = None  # outcomes, in place of those of the seed
    acts: list[Act] = []


class Cut(BaseModel):
    """Where a line could not go on, and why."""

    at: int  # so many actions were played
    act: Act | None  # None: no action is possible
    fault: Fault
    refused: bool = False  # by rules that are all right; else something is wrong with them


# ---- one position --------------------------------------------------------------------------------
class Item(BaseModel):
    """Some cells of a field that read the same."""

    text: str
    times: int = 1
    hidden: bool = False  # from the seat of this column; the text says what it sees instead
    changed: bool = False  # by the last action, or since the event before


class Part(BaseModel):
    """What a field says of one seat, or its only part."""

    label: str = ""  # A, B ...
    items: list[Item]


class FieldRow(BaseModel):
    """A field of the state. cells: the truth, then what each seat sees, then spectators."""

    name: str
    visibility: str  # public, own, secret
    about: str  # what it is
    changed: bool
    cells: list[list[Part]]


class Hearers(BaseModel):
    """What some viewers were told of an event. None among them: spectators."""

    viewers: list[int | None]
    event: str  # as scenarios have it: DREW(0,?); empty: nothing
    said: str = ""  # the sentence they read, if there is one


class EventRow(BaseModel):
    """Something that happened in the last action."""

    event: str  # the whole truth
    told: list[Hearers]


class ChoiceRow(BaseModel):
    """Something that may be done now."""

    seat: int | None
    word: str
    label: str
    sub: str = ""
    rules: list[str] = []


class RefusalRow(BaseModel):
    """Something on the table that cannot be chosen now."""

    what: str
    why: str
    rules: list[str] = []


class View(BaseModel):
    """The table as a seat (None: a spectator) sees it."""

    viewer: int | None
    scene: dict[str, Any] | None  # as docs/protocol.md has it
    fault: Fault | None = None  # of the game's scene


class Position(BaseModel):
    """A line at one of its positions."""

    version: int = 0
    line: Line  # as far as it could be played
    cut: Cut | None = None
    stuck: Fault | None = None  # nothing may be done here, and the match is not over
    at: int  # so many actions were taken
    by: Act | None  # the last one of them
    event: int | None  # right after this event of it, the first is 1; None: after all of it
    events: list[EventRow]
    names: list[str]
    phase: str
    to_act: int | None
    over: bool
    returns: list[float]
    position: str  # the truth in the game's notation; empty in the midst of an action
    fields: list[FieldRow]
    views: list[View]
    choices: list[ChoiceRow]
    refusals: list[RefusalRow]
    rulebook: dict[str, str]  # the rules named here


class Look(BaseModel):
    """Asks for a position. at None: the last one. event: in the midst of the action before it."""

    line: Line
    at: int | None = None
    event: int | None = None


# ---- going on ------------------------------------------------------------------------------------
class Bots(BaseModel):
    """Asks bots to go on with a line, after `at` of its actions.

    seats: whom they play; None: everybody. At random they play on until somebody else is asked;
    else they make one decision.
    """

    line: Line
    at: int
    level: str = "random"
    seats: list[int] | None = None


class Went(BaseModel):
    """How far bots have gone. more: they are still to act."""

    line: Line
    more: bool
    cut: Cut | None = None


# ---- scenarios -----------------------------------------------------------------------------------
class DraftRequest(BaseModel):
    """Asks for a scenario: the position after `begin` actions, what was done until `end`."""

    line: Line
    begin: int
    end: int
    title: str = ""


class Draft(BaseModel):
    """A scenario as a text, which holds."""

    text: str
    why_not: str = ""  # it cannot be saved here


class SaveRequest(BaseModel):
    """Asks for a scenario to be added to scenarios.scn. anyway: also if it does not hold."""

    text: str
    anyway: bool = False


class Saved(BaseModel):
    """Where it is now, file and line; empty: it does not hold, and nothing was written."""

    where: str = ""
    fails: str = ""  # why it does not hold


# ---- the versions --------------------------------------------------------------------------------
class OptionInfo(BaseModel):
    """An option of the game."""

    name: str
    title: str
    about: str
    default: str


class GameInfo(BaseModel):
    """The game as its present version has it."""

    name: str
    title: str
    folder: str
    options: list[OptionInfo]
    usual: str  # options that people start from
    levels: list[str]  # of bots, the weakest first
    simulations: list[int]  # that they make for a decision here; 0: none
    saves: bool  # scenarios can be saved


class CheckFailure(BaseModel):
    """A check that failed. line: the match that shows it, up to its last position.

    marked: events there, by their names, of which a viewer is told what it may not know.
    """

    group: str
    fault: Fault
    line: Line | None = None
    marked: list[str] = []


class Checks(BaseModel):
    """How far the checks have come."""

    state: Literal["none", "running", "done", "stopped"] = "none"
    version: int = 0  # that is checked
    done: int = 0
    of: int = 0
    now: str = ""  # what is checked
    passed: list[str] = []  # the groups of checks that have, with what was counted
    failures: list[CheckFailure] = []


class Status(BaseModel):
    """What the page is told whenever something changes."""

    version: int = 0  # counts the versions of the game's files
    state: Literal["loading", "ready", "broken"] = "loading"
    fault: Fault | None = None  # while it is broken
    game: GameInfo | None = None
    looks: int = 0  # counts the versions of its theme
    checks: Checks = Checks()
