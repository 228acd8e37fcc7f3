"""Battleball in sentences: what has happened, for each viewer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ...core.saying import Saying, opening, plural
from .positions import BOARD
from .state import HEAVY, Status, TeamRule, Why
from .team import CODES

TEAMS = ("Iron Wolves", "Black Harts")
SHORT = ("Wolves", "Harts")
TONES = ("wolf", "hart")
HALF = {1: "First half", 2: "Second half", 3: "Overtime"}
RULES = {
    TeamRule.NONE: "no team rule",
    TeamRule.SURE_HANDS: "Sure Hands",
    TeamRule.FIELD_MEDICS: "Field Medics",
    TeamRule.SECOND_WIND: "Second Wind",
    TeamRule.RUNNING_START: "Running Start",
    TeamRule.GHOST_STEP: "Ghost Step",
    TeamRule.LAST_STAND: "Last Stand",
}
DOES = {
    TeamRule.NONE: "nothing special in this half",
    TeamRule.SURE_HANDS: "fumbled hand-offs and passes are rolled again once; passes get +2",
    TeamRule.FIELD_MEDICS: "twice a half, a serious injury is only an injury",
    TeamRule.SECOND_WIND: "twice a half, you may roll again for a move",
    TeamRule.RUNNING_START: "after 3 or more steps, the piece that moved tackles with 1 less",
    TeamRule.GHOST_STEP: "once a half, a runner may slip past an opponent",
    TeamRule.LAST_STAND: "a tackle lost by just 1 is a tie",
}
WHYS = {
    Why.CLOSED: "nobody can get to an end zone with the ball any more",
    Why.NO_SPOT: "there is no place for the fumbled ball",
    Why.OUT_OF_PLAY: "the pass is out of play",
    Why.STUCK: "neither team can move",
    Why.NO_PROGRESS: "nothing has happened for too long",
    Why.AGREED: "both coaches agree to it",
}


def role(r: Any, slot: int) -> str:
    """A piece where it is clear whose it is: "Running Back R1"."""
    return f"{r.names.roles[slot].name} {CODES[slot]}"


def name(r: Any, team: int, slot: int) -> str:
    """A piece in words: "Harts' Running Back R1"."""
    return f"{SHORT[team]}' {role(r, slot)}"


def short(team: int, slot: int) -> str:
    """A piece in few words: "Harts' R1"."""
    return f"{SHORT[team]}' {CODES[slot]}"


def base(r: Any, slot: int) -> str:
    """The die of a piece: "d20"."""
    return f"d{r.names.roles[slot].sides}"


def die(r: Any, slot: int) -> str:
    """What a piece rolls: "a d20", "two d6"."""
    return f"two {base(r, slot)}" if slot == HEAVY else f"a {base(r, slot)}"


def rolls(r: Any, slot: int) -> str:
    """What a piece rolls, and for what."""
    return f"rolls {die(r, slot)} to move, and to tackle (the lower number wins)"


@lru_cache(256)
def words_of(r: Any, team: int, slot: int, mine: bool) -> tuple[str, str, str, str]:
    """Of a piece: its name, the same with its team, its die, what it rolls and for what."""
    own = role(r, slot)
    return own, own if mine else name(r, team, slot), base(r, slot), rolls(r, slot)


def result(o: Any, viewer: int | None, called: Sequence[str]) -> str:
    """How a match has ended, for a viewer. called: the names of both."""
    w, h = int(o.score[0]), int(o.score[1])
    if w == h:
        return f"A tie: {plural(w, 'touchdown')} each."
    winner, loser = (0, 1) if w > h else (1, 0)
    who = "You win" if viewer == winner else f"{opening(called[winner])} wins"
    text = f"{who} with the {TEAMS[winner]}: {plural(max(w, h), 'touchdown')} to {min(w, h)}."
    if not {Status.FIELD, Status.READY} & {*o.status[loser]}:  # it was conceded
        text += f" The {TEAMS[loser]} have nobody left to play."
    return text


def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return Sentences(r, told, viewer, names).text()


class Sentences(Saying):
    """An event of Battleball in words."""

    # ---- parts ----
    @property
    def piece(self) -> str:
        return name(self.r, self.p, self.x["slot"])

    @property
    def team(self) -> str:
        return f"the {TEAMS[self.p]}"

    @property
    def where(self) -> str:
        return str(BOARD.names[self.x["cell"]])

    # ---- before the play ----
    def rule_chosen(self) -> str:
        found = self.x["rule"]
        what = "a team rule in secret" if found is None else RULES[TeamRule(found)]
        return f"{self.does('choose')} {what}."

    def rule_shown(self) -> str:
        return f"{opening(self.team)} play with {RULES[TeamRule(self.x['rule'])]} in this half."

    def placed(self) -> str:
        if self.x["slot"] is None or self.x["cell"] is None:
            return ""  # another coach's plan is nobody's business
        return f"{self.piece} lines up on {self.where}."

    def lined_up(self) -> str:
        return f"{opening(self.team)} have lined up."

    def tossed(self) -> str:
        dice = f"{self.x['white']} for the Wolves, {self.x['black']} for the Harts"
        return f"The toss: {dice}; {self.team} go first."

    def half(self) -> str:
        return f"{HALF[self.x['half']]}."

    # ---- a turn ----
    def turn(self) -> str:
        return f"{opening(self.whose(self.p))} turn."

    def skipped(self) -> str:
        return f"{self.does('cannot', 'cannot')} move."

    def rolled(self) -> str:
        second = f" and {self.x['die2']}" if self.x["die2"] else ""
        return f"{self.piece} rolls {self.x['die']}{second} on {die(self.r, self.x['slot'])}."

    def second_wind(self) -> str:
        return f"{self.does('use')} Second Wind to roll again; {self.x['left']} left."

    def moved(self) -> str:
        return f"{self.piece} moves to {self.where}."

    def ghost_step(self) -> str:
        return f"{self.piece} slips past an opponent, the Ghost Step of this half."

    def picked_up(self) -> str:
        return f"{self.piece} picks up the ball on {self.where}."

    def malfunctioned(self) -> str:
        return f"{self.piece} rolls equal dice, a malfunction: it cannot move."

    # ---- tackles ----
    def tackled(self) -> str:
        return f"{self.piece} tackles {name(self.r, 1 - self.p, self.x['target'])}."

    def die_chosen(self) -> str:
        return f"{self.does('let')} the {self.x['die']} count."

    def last_stand(self) -> str:
        return f"{self.piece} makes a Last Stand: a tie."

    def injured(self) -> str:
        return f"{self.piece} is injured; carnage on {self.where}."

    def seriously_injured(self) -> str:
        return f"{self.piece} is seriously injured and out of the game; carnage on {self.where}."

    def treated(self) -> str:
        return f"Field Medics keep {self.piece} out of the Box."

    # ---- the ball ----
    def got_ball(self) -> str:
        return f"{self.piece} has the ball."

    def handed_off(self) -> str:
        return f"{self.piece} hands off to {name(self.r, self.p, self.x['to'])}."

    def passed(self) -> str:
        far = plural(self.x["distance"], "square")
        return f"{self.piece} passes to {name(self.r, self.p, self.x['to'])}, {far} away."

    def football_die(self) -> str:
        return f"The football die shows {self.x['die']}."

    def sure_hands(self) -> str:
        return f"Sure Hands: {self.team} roll again."

    def incomplete(self) -> str:
        far = plural(self.x["distance"], "square")
        return f"Incomplete: the ball comes down {far} from {self.piece}."

    def fumbled(self) -> str:
        return f"{self.piece} fumbles the ball."

    def ball_placed(self) -> str:
        return f"{self.does('put')} the ball on {self.where}."

    # ---- the course of the game ----
    def halted(self) -> str:
        return f"Play is halted: {WHYS[Why(self.x['why'])]}; {self.team} go first."

    def restarted(self) -> str:
        return "Nobody is left on the field: the half begins again."

    def touchdown(self) -> str:
        return f"Touchdown for {self.team}!"

    def ended(self) -> str:
        return f"The game is over, {self.x['white']} : {self.x['black']}."
