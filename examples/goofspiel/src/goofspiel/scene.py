"""Goofspiel as a person sees it: the prize, who has bid, the hand; events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from battlebox.core.saying import Saying, listed, opening, plural
from battlebox.core.scene import Choice, Piece, Scene, Zone
from battlebox.core.zones import LineFacts, PileFacts, PlaqueFacts

from .rules import CARDS, Order, Phase, count_winners, most_points


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation (a view); `actions`: what its viewer may do now."""
    me = o.viewer - 1 if o.viewer > 0 else None
    over = o.phase == Phase.OVER
    round = r.numbers.cards - o.deck_size
    return Scene(
        viewer=me,
        to_act=None if over else int(o.to_act),
        phase=Phase(o.phase).name,
        title="The end" if over else f"Round {round} of {r.numbers.cards}",
        prompt=_prompt(o, me, names),
        zones=tuple(_zones(r, o, me, names)),
        choices=tuple(_choice(a) for a in actions),
        over=bool(over),
    )


# ---- zones ---------------------------------------------------------------------------------------
def _zones(r: Any, o: Any, me: int | None, names: Sequence[str]) -> Iterator[Zone]:
    for p in range(o.seats):
        yield _plaque(r, o, me, p, names)
    yield _prizes_to_come(r, o)
    yield _stake(o)
    if me is not None:
        hand = [card for card in _hand(o, me) if o.bids[me] != 1 + card]
        pieces = tuple(_piece(f"hand:{1 + card}", card) for card in hand)
        yield Zone("hand", "fan", "Your hand", me, pieces, role="hand")


def _plaque(r: Any, o: Any, me: int | None, p: int, names: Sequence[str]) -> Zone:
    """A seat with its points, and the card that it has bid: in this round or the one before."""
    over, bids = o.phase == Phase.OVER, o.phase == Phase.BID and o.to_act > 0
    winner = over and o.points[p] == most_points(o)
    chips = ["winner"] if winner else ["has bid"] if bids and p < o.to_act else []
    pieces: tuple[Piece, ...] = ()
    if bids and p < o.to_act:
        hidden = Piece(f"bid:{p}", f"{names[p]}'s bid, face down", "back")
        pieces = (_piece(f"bid:{p}", o.bids[p] - 1, "peek") if p == me else hidden,)
    elif o.shown[p] and not bids:
        pieces = (_piece(f"bid:{p}", o.shown[p] - 1),)
    left = listed([str(1 + card) for card in _hand(o, p)]) or "none"
    facts: PlaqueFacts = {
        "you": p == me,
        "acting": not over and o.to_act == p,
        "out": False,
        "points": o.points[p],
        "points_name": "points",
        "hand": len(_hand(o, p)) - (1 if bids and p < o.to_act else 0),
        "chips": chips,
        "notes": [f"Not shown yet: {left}"],
    }
    label = f"{names[p]} (you)" if p == me else names[p]
    return Zone(f"seat:{p}", "plaque", label, p, pieces, facts)


def _prizes_to_come(r: Any, o: Any) -> Zone:
    order = {Order.DESCENDING: "the highest first", Order.ASCENDING: "the lowest first"}
    facts: PileFacts = {
        "count": o.deck_size,
        "face": "down",
        "contents": {f"Prize {1 + k}": 1 for k in range(r.numbers.cards) if not o.seen[k]},
        "notes": [order.get(Order(r.numbers.order), "in random order")],
    }
    return Zone("prizes", "pile", "Prizes to come", facts=facts)


def _stake(o: Any) -> Zone:
    """What the highest bid takes."""
    if o.phase == Phase.OVER:
        return Zone("stake", "line", "At stake", facts={"text": "All prizes are gone."})
    more = o.stake - (1 + o.prize)
    text = f"{plural(o.stake, 'point')} at stake" + (
        f", {more} of them after a tie" if more else ""
    )
    facts: LineFacts = {"text": f"{text}."}
    prize = _piece(f"prize:{1 + o.prize}", o.prize, tone="prize")
    return Zone("stake", "line", "At stake", pieces=(prize,), facts=facts)


def _hand(o: Any, p: int) -> list[int]:
    """The cards of a seat that nobody has seen it bid."""
    return [card for card in range(CARDS) if o.hands[p, card]]


def _piece(id: str, card: int, kind: str = "card", tone: str = "bid") -> Piece:
    """A card or a prize."""
    value = str(1 + card)
    name = "Prize" if tone == "prize" else "Bid"
    label = f"{name} {value}" + (", face down" if kind == "peek" else "")
    return Piece(id, label, kind, code=value, name=name, value=value, tone=tone)


def _choice(action: int) -> Choice:
    """A card to bid: tapped in the hand."""
    value = str(1 + action)
    return Choice(action, value, f"Bid {value}", "", (f"hand:{value}",), "main", ("GO-5",))


# ---- the question --------------------------------------------------------------------------------
def _prompt(o: Any, me: int | None, names: Sequence[str]) -> str:
    if o.phase == Phase.OVER:
        return _result(o, me, names)
    if o.phase != Phase.BID:
        return "The next prize is turned up."
    if o.to_act == me:
        return f"Bid a card for {plural(o.stake, 'point')}. All bids are shown together."
    return f"{opening(names[o.to_act])} chooses a bid."


def _result(o: Any, me: int | None, names: Sequence[str]) -> str:
    """Who has won."""
    best = [p for p in range(o.seats) if o.points[p] == most_points(o)]
    points = plural(most_points(o), "point")
    if count_winners(o) > 1:
        who = listed([opening("you") if p == me else names[p] for p in best])
        return f"A draw: {who} have {points} each."
    return f"{'You win' if best[0] == me else f'{names[best[0]]} wins'} with {points}."


# ---- events --------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return _Saying(r, told, viewer, names).text()


class _Saying(Saying):
    """An event of Goofspiel in words."""

    def turned(self) -> str:
        stake, prize = self.x["stake"], 1 + self.x["prize"]
        more = f", with what was tied for {stake} points" if stake > prize else ""
        return f"Prize {prize} is turned up{more}."

    def bid(self) -> str:
        card = self.x["card"]
        return f"{self.does('bid')} a card." if card is None else f"{self.does('bid')} {1 + card}."

    def shown(self) -> str:
        return f"{self.does('show')} {1 + self.x['card']}."

    def took(self) -> str:
        total = (
            "" if self.x["stake"] == self.x["points"] else f" and {self.has()} {self.x['points']}"
        )
        return f"{self.does('take')} {plural(self.x['stake'], 'point')}{total}."

    def has(self) -> str:
        return "have" if self.p == self.viewer else "has"

    def lost(self) -> str:
        return f"The highest bids are equal: nobody gets the {self.points()}."

    def carried(self) -> str:
        return f"The highest bids are equal: the next prize adds to the {self.points()}."

    def points(self) -> str:
        return plural(self.x["stake"], "point")

    def won(self) -> str:
        return f"{self.does('win')} with {plural(self.x['points'], 'point')}."

    def drawn(self) -> str:
        return f"{self.does('share')} the most points, {self.x['points']}."
