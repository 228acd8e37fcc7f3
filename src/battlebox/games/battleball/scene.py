"""Battleball as a person sees it: field and pieces in zones, the question in words, sentences.

A plain first drawing: every cell is a piece of the zone "field", every player piece one of its
team's zone. All of it comes from an observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.scene import Choice, Piece, Scene, Zone
from . import notation
from .board import CODES, ROLES, code
from .field import slot_of, team_of
from .notation import BOARD, HALVES, SIDES
from .state import AFTER_CELLS, CARNAGE, CELLS, NOWHERE, TEAM, Phase, Status, TeamRule, Why

TEAMS = ("Iron Wolves", "Black Harts")
RULES = {
    TeamRule.NONE: "no team rule",
    TeamRule.SURE_HANDS: "Sure Hands",
    TeamRule.FIELD_MEDICS: "Field Medics",
    TeamRule.SECOND_WIND: "Second Wind",
    TeamRule.RUNNING_START: "Running Start",
    TeamRule.GHOST_STEP: "Ghost Step",
    TeamRule.LAST_STAND: "Last Stand",
}
WHERE = {
    Status.READY: "waits to be lined up",
    Status.LOCKER: "in the Locker Room",
    Status.BOX: "in the box",
}
WHYS = {
    Why.CLOSED: "nobody can get to an end zone with the ball any more",
    Why.NO_SPOT: "there is no place for the fumbled ball",
    Why.OUT_OF_PLAY: "the pass is out of play",
    Why.STUCK: "neither team can move",
    Why.NO_PROGRESS: "nothing has happened for too long",
}


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation; `actions`: what its viewer may do now."""
    over = o.phase == Phase.OVER
    me = o.viewer - 1 if o.viewer > 0 else None
    return Scene(
        viewer=me,
        to_act=None if over else int(o.to_act),
        phase=Phase(o.phase).name,
        title="The end" if over else _title(o),
        prompt=_prompt(o, me, names),
        zones=(_field(o), *(_team(o, p, names) for p in range(2))),
        choices=tuple(_choice(r, o, a) for a in actions),
        over=bool(over),
    )


def _title(o: Any) -> str:
    half = {1: "First half", 2: "Second half", 3: "Overtime"}[o.half]
    return f"{half}, {o.score[0]} : {o.score[1]}"


# ---- zones --------------------------------------------------------------------------------------
def name(team: int, slot: int) -> str:
    """A piece in words: "Running Back R1"."""
    return f"{ROLES[CODES[slot][0]]} {code(team, slot)}"


def _field(o: Any) -> Zone:
    cells = tuple(_cell(o, c) for c in range(CELLS))
    facts = {"rows": BOARD.rows, "cols": BOARD.cols, "ball": _ball(o)}
    return Zone("field", "bricks", "Field", pieces=cells, facts=facts)


def _ball(o: Any) -> str:
    """Where the ball is: a cell, a piece, or nowhere while it is being placed."""
    if o.holder > 0:
        return code(team_of(o.holder), slot_of(o.holder))
    return BOARD.names[o.ball] if o.ball != NOWHERE else ""


def _cell(o: Any, c: int) -> Piece:
    here, where = o.square[c], BOARD.names[c]
    if here == CARNAGE:
        return Piece(f"cell:{where}", f"{where}: carnage", "token", where, tone="carnage")
    what = "empty"
    if 0 < here <= 2 * TEAM:
        what = name(team_of(here), slot_of(here))
    elif o.ball == c:
        what = "the ball"
    return Piece(f"cell:{where}", f"{where}: {what}", "token", where)


def _team(o: Any, team: int, names: Sequence[str]) -> Zone:
    pieces = tuple(_piece(o, team, slot) for slot in range(TEAM))
    facts = {
        "score": int(o.score[team]),
        "turn": bool(o.turn == team),
        "rule": RULES[TeamRule(o.team_rule[team])],
        "left": int(o.left[team]),
        "dice": [int(o.dice[i, k]) for i in range(2) for k in range(2)],
    }
    return Zone(f"team:{team}", "team", f"{names[team]}: {TEAMS[team]}", team, pieces, facts)


def _piece(o: Any, team: int, slot: int) -> Piece:
    status = Status(o.status[team, slot])
    place = o.plan[team, slot] - 1 if o.plan[team, slot] > 0 else o.at[team, slot]
    where = f"on {BOARD.names[place]}" if place != NOWHERE else WHERE.get(status, "")
    ball = ", with the ball" if o.holder == 1 + TEAM * team + slot else ""
    own = code(team, slot)
    return Piece(f"piece:{own}", f"{name(team, slot)} {where}{ball}", "pawn", own, text=where)


# ---- the question -------------------------------------------------------------------------------
QUESTIONS = {
    Phase.TEAMRULE: "choose a team rule for this half.",
    Phase.LINEUP: "line up.",
    Phase.SELECT: "choose a piece to move.",
    Phase.POWER: "roll again (Second Wind)?",
    Phase.DEST: "choose where it goes.",
    Phase.TACKLE: "choose a tackle.",
    Phase.DIE: "choose the die that counts.",
    Phase.OPTION: "hand off, pass, or keep the ball.",
    Phase.PLACE: "place the fumbled ball.",
    Phase.GIVE: "give the ball to a piece.",
    Phase.INCOMPLETE: "say where the incomplete pass comes down.",
}


def _prompt(o: Any, me: int | None, names: Sequence[str]) -> str:
    if o.phase == Phase.OVER:
        w, h = o.score[0], o.score[1]
        if w == h:
            return f"A tie, {w} : {h}."
        winner = 0 if w > h else 1
        who = "You win" if me == winner else f"{names[winner]} wins"
        return f"{who}, {max(w, h)} : {min(w, h)}."
    who = "You" if me == o.to_act else names[o.to_act]
    return f"{who}: {QUESTIONS[Phase(o.phase)]}"


def _choice(r: Any, o: Any, action: int) -> Choice:
    word = notation.word(r, o, action)
    return Choice(action, word, _label(o, action, word), path=_path(action, word))


def _path(action: int, word: str) -> tuple[str, ...]:
    """What to tap: cells and pieces; to have the ball as well, the zone `field` first."""
    if action < CELLS:
        return (f"cell:{BOARD.names[action]}",)
    if action < AFTER_CELLS:
        return ("field", f"cell:{BOARD.names[action - CELLS]}")
    bare = word.removeprefix("give:").lstrip(">^")
    found = bare.split("x")
    if all(p.upper() in CODES for p in found):
        lead = ("field",) if word[0] == "^" else ()
        return (*lead, *(f"piece:{p}" for p in found))
    return ()


def _label(o: Any, action: int, word: str) -> str:
    if action < CELLS:
        return f"The ball on {word[1:]}" if word[0] == "@" else f"To {word}"
    if action < AFTER_CELLS:
        return f"Pick up the ball, then to {word[:-1]}"
    known = {
        "TD": "Into the end zone",
        "skip": "Nobody can move",
        "low": "The lower die",
        "high": "The higher die",
        "=": "Keep the ball",
        "use": "Roll again",
        "decline": "Keep this roll",
        "random": "Random lineup",
        "none": "No team rule",
    }
    if word in known:
        return known[word]
    if word.startswith("preset:"):
        return f"Lineup {word[7:]}"
    if word.startswith("TR"):
        return RULES[TeamRule(int(word[2:]))]
    verb = {">": "Hand off to ", "^": "Pass to ", "g": "Give it to "}.get(word[0], "")
    if "x" in word:
        return "Tackle: {} against {}".format(*word.split("x"))
    return verb + word.removeprefix("give:").lstrip(">^")


# ---- events -------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence."""
    seat, slot = told.args["seat"], told.args.get("slot")
    who = names[seat]
    piece = name(seat, slot) if slot is not None else ""
    text = SENTENCES[told.event.name]
    args = {k: "?" if v is None else v for k, v in told.args.items()}
    cell = told.args.get("cell")
    args |= {"who": who, "piece": piece, "team": TEAMS[seat], "side": SIDES[seat]}
    if cell is not None:
        args["where"] = BOARD.names[cell]
    if told.event.name in ("RULE_CHOSEN", "RULE_SHOWN"):
        rule = told.args["rule"]
        args["rule"] = "a team rule in secret" if rule is None else RULES[TeamRule(rule)]
    if told.event.name == "TACKLED":
        args["other"] = name(1 - seat, told.args["target"])
    if told.event.name in ("HANDED_OFF", "PASSED"):
        args["other"] = name(seat, told.args["to"])
    if told.event.name == "HALTED":
        args["why"] = WHYS[Why(told.args["why"])]
    if told.event.name == "HALF":
        args["half"] = {"1": "First half", "2": "Second half", "OT": "Overtime"}[
            HALVES[told.args["half"] - 1]
        ]
    if told.event.name == "ROLLED" and told.args["die2"]:
        text = "{piece} rolls {die} and {die2}."
    return text.format(**args)


SENTENCES = {
    "RULE_CHOSEN": "{who} chooses {rule}.",
    "RULE_SHOWN": "{team} play with {rule} in this half.",
    "PLACED": "{piece} lines up on {where}.",
    "LINED_UP": "{team} have lined up.",
    "TOSSED": "The toss: {white} for the Wolves, {black} for the Harts; {team} go first.",
    "TURN": "",
    "SKIPPED": "{who} cannot move.",
    "ROLLED": "{piece} rolls {die}.",
    "SECOND_WIND": "{who} uses Second Wind; {left} left.",
    "MOVED": "{piece} moves to {where}.",
    "GHOST_STEP": "{piece} slips past an opponent (Ghost Step).",
    "PICKED_UP": "{piece} picks up the ball on {where}.",
    "MALFUNCTIONED": "{piece} malfunctions and cannot move.",
    "TACKLED": "{piece} tackles {other}.",
    "DIE_CHOSEN": "{who} lets the {die} count.",
    "LAST_STAND": "{piece} makes a Last Stand: a tie.",
    "INJURED": "{piece} is injured; carnage on {where}.",
    "SERIOUSLY_INJURED": "{piece} is seriously injured and out of the game; carnage on {where}.",
    "TREATED": "Field Medics save {piece} from the box.",
    "GOT_BALL": "{piece} has the ball.",
    "HANDED_OFF": "{piece} hands off to {other}.",
    "PASSED": "{piece} passes to {other}, {distance} away.",
    "FOOTBALL_DIE": "The football die shows {die}.",
    "SURE_HANDS": "Sure Hands: {who} rolls again.",
    "INCOMPLETE": "Incomplete: the ball comes down {distance} from {piece}.",
    "FUMBLED": "{piece} fumbles the ball.",
    "BALL_PLACED": "{who} puts the ball on {where}.",
    "HALTED": "Play is halted: {why}. {team} go first.",
    "RESTARTED": "Nobody is left on the field: the half begins again.",
    "TOUCHDOWN": "Touchdown for {team}!",
    "HALF": "{half}.",
    "ENDED": "The game is over, {white} : {black}.",
}
