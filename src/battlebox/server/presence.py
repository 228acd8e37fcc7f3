"""Who looks at a match, and for which absent players a bot plays meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .clock import Alarm, Clock
from .limits import Limits
from .session import Session
from .threads import Rank
from .views import View, ViewKey


class Presence:
    """That of one match. changed: called when somebody is replaced, or is back."""

    def __init__(
        self,
        session: Session,
        views: Mapping[ViewKey, View],
        limits: Limits,
        clock: Clock,
        changed: Callable[[], None],
    ) -> None:
        self.session, self.views, self.limits, self.clock = session, views, limits, clock
        self.changed = changed
        self.others: Mapping[int, int] = {}  # windows at other nodes, by seat (-1: spectators)
        self.replaced = frozenset[int]()  # the seats of people who are away, and played for
        self._away: dict[int, float] = {}  # since when they are
        self._seen = clock.now()  # when somebody looked last
        self._alarm: Alarm | None = None

    def looking(self, seat: int | None) -> int:
        """How many look on from this seat (None: as spectators)."""
        here = sum(len(v.connections) for v in self.views.values() if v.seat == seat)
        return here + self.others.get(-1 if seat is None else seat, 0)

    def here(self) -> dict[int, int]:
        """How many windows of this node show the match, by seat (-1: spectators)."""
        found = dict[int, int]()
        for view in self.views.values():
            if view.connections:
                seat = -1 if view.seat is None else view.seat
                found[seat] = found.get(seat, 0) + len(view.connections)
        return found

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks on here."""
        return any(v.connections for v in self.views.values())

    def glance(self) -> None:
        """Somebody looks, or has just looked, and may come again."""
        self._seen = self.clock.now()

    @property
    def wants_bots(self) -> bool:
        """Whether bots think here: somebody looks on, or has a moment ago."""
        left = self.rank() is Rank.LEFT
        return not left or self.clock.now() - self._seen < self.limits.linger

    def rank(self) -> Rank:
        """Who waits for the bots of this match."""
        if any(map(self.looking, self.session.people())):
            return Rank.PLAYED
        return Rank.WATCHED if self.is_watched else Rank.LEFT

    def update(self) -> None:
        """Finds out for whom a bot plays: who is away too long from a game that does not wait.

        Only while one of the people is here; else there is nobody to wait for them.
        """
        now, before = self.clock.now(), self.replaced
        self._away = {p: self._away.get(p, now) for p in self._absent()}
        left = {p: since + self.limits.away - now for p, since in self._away.items()}
        alone = len(left) == len(self.session.people())
        self.replaced = frozenset(p for p in left if left[p] <= 0 and not alone)
        self.close()
        later = [x for x in left.values() if x > 0]
        if later and not alone:
            self._alarm = self.clock.call_later(min(later), self.update)
        if self.replaced != before:
            self.changed()

    def _absent(self) -> Iterator[int]:
        """The seats of people who look on in no window, in a game that does not wait for them."""
        session = self.session
        if session.match.rules.game.realtime and not session.end:
            yield from (p for p in session.people() if not self.looking(p))

    def close(self) -> None:
        """Nothing rings any more."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
