"""What goes on around a match, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..protocol.messages import ProposalInfo, RoomMessage

UNDO, DRAW = "undo", "draw"
PROPOSED = {UNDO: "asks to undo the last decision", DRAW: "offers a draw"}
YOURS = {UNDO: "You asked to undo the last decision.", DRAW: "You offered a draw."}
DECLINED = {UNDO: "The undo was declined.", DRAW: "The draw was declined: the match goes on."}
TAKEN_BACK = "The last decision was taken back."
RESPONSES = "Waiting for responses"


def changes(old: RoomMessage, new: RoomMessage, names: Sequence[str]) -> Iterator[str]:
    """What has changed, as far as a viewer wants to be told of it. names: of the seats, now."""
    for a, b in zip(old.seats, new.seats, strict=False):
        if b.seat != new.you and b.name != a.name and b.kind != "bot":
            yield f"{b.name} joined." if a.kind == "open" else f"{a.name} is now called {b.name}."
        elif b.kind != a.kind and b.kind == "bot":
            yield f"{b.name}, a bot ({b.level}), joined."
        if b.resigned and not a.resigned and not new.end:
            yield f"{'You' if b.seat == new.you else b.name} gave up: a bot plays on."
        if b.replaced and not a.replaced:
            yield f"{b.name} is away: a bot plays meanwhile."
        elif a.replaced and b.here:
            yield f"{b.name} is back."
    if new.notice and new.notice != old.notice:
        yield new.notice
    proposal = new.proposal if old.proposal is None else None
    if proposal and new.you not in (proposal.by, *proposal.waiting):
        yield f"{proposed(proposal, names)}."
    if is_decided(old, new) and new.outcome and not new.outcome.accepted:
        yield declined(new.outcome.what)


def is_decided(old: RoomMessage, new: RoomMessage) -> bool:
    """Whether a proposal has just been accepted or declined."""
    return new.outcome is not None and (old.proposal is not None or new.outcome != old.outcome)


def proposed(proposal: ProposalInfo, names: Sequence[str]) -> str:
    """Who proposes what."""
    return f"{names[proposal.by]} {PROPOSED.get(proposal.what, f'offers to {proposal.what}')}"


def yours(what: str) -> str:
    """What this viewer proposes."""
    return YOURS.get(what, f"You offered to {what}.")


def declined(what: str) -> str:
    """That there is no agreement."""
    return DECLINED.get(what, f"The offer to {what} was declined: the match goes on.")


def waiting(room: RoomMessage, to_act: int | None, names: Sequence[str], counting: bool) -> str:
    """What everybody waits for. counting: for a response window to pass."""
    if room.proposal:
        return f"Waiting for {' and '.join(names[p] for p in room.proposal.waiting)} to answer"
    if room.preparing:
        return "Preparing the bots, which takes a while the first time"
    if counting:
        return RESPONSES
    if to_act is None or to_act >= len(room.seats):
        return "Waiting"
    seat, name = room.seats[to_act], names[to_act]
    if seat.kind == "open":
        return f"Waiting for somebody to take {name}"
    if seat.replaced:
        return f"Waiting for the bot that plays for {name}"
    away = seat.kind == "person" and not (seat.here or seat.resigned)
    return f"Waiting for {name}{', who is away' if away else ''}"


def seat_notes(room: RoomMessage) -> list[str]:
    """By seat: the level of a bot; of a person what others should know."""
    return [
        (x.level if x.kind == "bot" else "free" if x.kind == "open" else "")
        or ("gave up" if x.resigned else "" if x.here or room.end else "away")
        for x in room.seats
    ]


def options(room: RoomMessage, commitment: str) -> str:
    """The options of the match, and the commitment to its chance."""
    mode = f" ({room.mode})" if room.mode else ""
    fair = f" Commitment to fair chance: {commitment}" if commitment else ""
    return f"{room.title}{mode}. Options: {room.options}.{fair}"
