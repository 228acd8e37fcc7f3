"""Events of Battle in words: sets of cards, sides, who does what.

What only one player learns (`own` and `alone` in rules.py) is told to nobody else.
"""

from __future__ import annotations

from ...core.saying import Saying, cards, plural
from .state import RANKS, Side

SIDES = {Side.SUPERHERO: "superhero", Side.VILLAIN: "villain"}
PLURALS = {Side.SUPERHERO: "superheroes", Side.VILLAIN: "villains"}
COUNTED = ("", "a single", "a pair of", "three", "four", "five", "six", "seven", "eight")


def a_set(rank: int, number: int) -> str:
    """Fight cards of one rank in words: "a single 7", "a pair of 7s", "three 7s"."""
    head = COUNTED[number] if number < len(COUNTED) else str(number)
    return f"{head} {rank + 1}{'' if number == 1 else 's'}"


def a_card(rank: int) -> str:
    """One fight card: "a 7", "an 8"."""
    return f"{'an' if rank + 1 in (8, 11, 18) else 'a'} {rank + 1}"


def the_side(side: int) -> str:
    """All of a side: "the superheroes"."""
    return f"the {PLURALS[Side(side)]}"


class Says(Saying):
    """An event of Battle in words."""

    def card(self) -> str:
        card = self.x["card"]
        return self.name(card) if card is None or card >= RANKS else a_card(card)

    def target(self) -> str:
        return self.seat(self.x["target"])

    def the_set(self) -> str:
        return a_set(self.x["rank"], self.x["number"])

    def round(self) -> str:
        return f"Round {self.x['number']}."

    def dealt(self) -> str:
        return f"{self.does('deal')} {cards(self.x['cards'])} to everybody."

    def identity(self) -> str:  # told to its owner alone
        return f"You are a {SIDES[Side(self.x['side'])]}."

    def flipped(self) -> str:
        return f"The first card is {self.card()}."

    def drew(self) -> str:
        return f"{self.does('draw')} {self.card()}."

    def took(self) -> str:
        return f"{self.does('take')} {self.card()} from the discard pile."

    def discarded(self) -> str:
        return f"{self.does('discard')} {self.card()}."

    def kept(self) -> str:
        return f"{self.does('keep')} all cards."

    def battle(self) -> str:
        return f"{self.does('draw')} Battle: the battle begins."

    def led(self) -> str:
        return f"{self.does('lead')} {self.the_set()}."

    def played(self) -> str:
        return f"{self.does('play')} {self.the_set()}."

    def passed(self) -> str:
        return f"{self.does('pass', 'passes')}."

    def reset(self) -> str:
        who = "you lead" if self.p == self.viewer else f"{self.names[self.p]} leads"
        return f"Nobody beat it: {who}."

    def threw(self) -> str:
        return f"{self.does('throw')} {self.card()} away."

    def skip(self) -> str:
        return f"{self.does('play')} Skip: the next player loses a turn."

    def skipped(self) -> str:
        return f"{self.does('are', 'is')} skipped."

    def reversed(self) -> str:
        way = "clockwise" if self.x["left"] else "anticlockwise"
        return f"{self.does('play')} Reverse: play goes {way}."

    def new_battle(self) -> str:
        return f"{self.does('play')} New Battle."

    def exposed(self) -> str:
        target, side = self.x["target"], SIDES[Side(self.x["side"])]
        whom = "yourself" if target == self.p == self.viewer else self.target()
        if target == self.p and self.p != self.viewer:
            whom = "their own identity"
        return f"{self.does('expose')} {whom}: a {side}."

    def exposed_nobody(self) -> str:
        return f"{self.does('play')} Expose, without effect."

    def aimed(self) -> str:
        return f"{self.does('play')} Eliminate on {self.target()}."

    def declined(self) -> str:  # told to the holder of the SAVE alone
        whom = "yourself" if self.x["target"] == self.p else self.target()
        return f"You do not save {whom}."

    def saved(self) -> str:
        target = self.x["target"]
        if target != self.p:
            return f"{self.does('save')} {self.target()}."
        mine = self.p == self.viewer
        return "You save yourself." if mine else f"{self.does('play')} Save and stays in the round."

    def out(self) -> str:
        return f"{self.does('are', 'is')} out of this round."

    window = Saying.unsaid  # the question says it

    def waited(self) -> str:  # told to the one who was asked alone
        return "You play nothing."

    def showed(self) -> str:
        side = the_side(self.x["side"])
        return f"{self.does('play')} {self.own} identity: {side} win the round."

    def left_alone(self) -> str:
        return f"Only {PLURALS[Side(self.x['side'])]} are left: they win the round."

    def round_void(self) -> str:
        return f"Round {self.x['number']} has gone on for too long: nobody wins it."

    def unmasked(self) -> str:
        return f"{self.does('were', 'was')} a {SIDES[Side(self.x['side'])]}."

    def scored(self) -> str:
        return f"{self.does('have', 'has')} {plural(self.x['points'], 'point')}."

    def lot(self) -> str:
        and_stays = "and stay" if self.p == self.viewer else "and stays"
        which = f"Save {and_stays} in" if self.x["safe"] else "Eliminate"
        return f"Tie-break: {self.seat(self.p)} draw{'' if self.p == self.viewer else 's'} {which}."

    def won(self) -> str:
        return f"{self.does('win')} with {plural(self.x['points'], 'point')}."

    def drawn(self) -> str:
        return f"All have {plural(self.x['points'], 'point')}: a draw."
