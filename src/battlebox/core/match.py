"""One match, the only way in: refuses what is illegal, keeps the log, shows seats their share."""

from __future__ import annotations

import hashlib
import secrets
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from . import record
from .checked import Array, Picture, checked
from .errors import IllegalAction, InvalidWord, PositionError, UndoRefused
from .event_log import EventLog, EventView, LoggedEvent
from .fair import Fair
from .information import NOTHING, Recollection
from .random import ChanceSource, Script, checked_seed
from .response_window import PastWindow, Question, ResponseWindow, ResponseWindows, questions
from .rules import Events
from .scene import Scene

if TYPE_CHECKING:
    from .engine import Engine
    from .game import Ruleset


class IntermediateView(NamedTuple):
    """The table in the midst of an action, for one viewer: see `Game.intermediate_views`."""

    told: int  # how many events they had been told by then
    observation: Array
    scene: Scene


class CheckedAction(NamedTuple):
    """An action that `Match.check` has found to be legal, for `Match.take`."""

    seat: int
    number: int
    word: str
    version: int  # of the match: it is legal as long as nothing else happens


class _Taken(NamedTuple):
    """One action, and all that is needed to take it back."""

    seat: int | None  # None: all, who agreed on it
    number: int
    word: str
    before: bytes
    rng: int  # the state of the generator in it
    events: int  # how many there were before it
    outcomes_before: int  # how many outcomes its `ChanceSource` had given before it
    hidden: bool  # an answer to a question that nobody else may notice
    in_window: bool  # and nobody did, as a response window was open
    free: bool  # something else could have been done


class _Observer:
    """Observes states and lists actions of a match, with the engine of either build: both give the
    same bytes.
    """

    def __init__(self, engine: Engine, states: Array) -> None:
        self.engine, self._f, self._tt = engine, engine.f, engine.tt
        self.array, self._states = states, engine.build.access(states)
        self._seen = engine.build.states()
        self._acts = engine.build.action_buffer()
        self._seen_access = engine.build.access(self._seen)
        self._acts_access = engine.build.access(self._acts)

    def observe(self, seat: int | None) -> Array:
        """The observation, an array of one record; until the next one."""
        viewer = -1 if seat is None else seat
        self._f.observe(self._tt, self._states, 0, self._seen_access, 0, viewer)
        return self._seen

    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions, ascending."""
        n = self._f.list_actions(self._tt, self._states, 0, self._acts_access)
        self._f.clear_scratch_at(self._states, 0)
        return tuple(sorted(self._acts[:n].tolist()))


def _listener_of(match: Match) -> Callable[..., None]:
    """Tells a match what its rules report, without keeping it: its state keeps the listener, and a
    circle would stay in memory until the collector comes, which is seldom at a server.
    """
    of = weakref.ref(match)

    def hear(event: int, *args: int) -> None:
        here = of()
        assert here is not None, "only a match moves its state"
        here._hear(event, *args)

    return hear


class Match:
    """A match on the plain build, from a seed and the actions submitted to it.

    The same ruleset, seed and actions give the same bytes, always and everywhere. `chance` says the
    random outcomes in place of the seed's generator: `Fair(secret)` where players meet. `traced`:
    it keeps what `trace` tells.
    """

    def __init__(
        self,
        rules: Ruleset,
        seed: int | None = None,
        *,
        position: str | None = None,
        chance: ChanceSource | None = None,
        traced: bool = False,
    ) -> None:
        self.rules, self.traced = rules, traced
        if seed is None:
            seed = secrets.randbits(48) if chance is None else 0
        self.seed = checked_seed(seed)
        self.position = position
        self.chance = chance
        #: what the seats are called in scenes and sentences
        self.names: tuple[str, ...] = tuple(f"Seat {p}" for p in range(rules.players))
        self._engine = engine = rules.plain()
        self._words = dict[int, str]()  # of actions, in this state
        self._array = engine.build.states()
        self._states = engine.build.access(self._array)
        #: the whole truth, as the rules see it: for the house, never for a player
        self.state: Any = self._states[0]
        self.over = False
        #: the seat that decides; None when the match is over; in a response window see
        #: `deciding`
        self.to_act: int | None = None
        self._present_observer = _Observer(rules.observing_engine, self._array)
        self._other_observer: _Observer | None = None  # of other states than the present one
        self._events = EventLog(tuple(rules.game.rules.Event))
        self._windows = ResponseWindows()
        self._version = 0  # see `CheckedAction`
        self._passed: dict[int, bytes] = {}  # the state at each event of the last action
        self._taken: list[_Taken] = []
        self._past_windows: list[PastWindow] = []
        self._recalled = dict[int | None, list[Recollection]]()  # see `information_state`
        self.state._chance, self.state._listener = chance, _listener_of(self)
        if position is None:
            engine.begin(self._states, 0, self.seed)
            self._settle()
        else:
            self.load(position)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a match is neither copied nor pickled: keep match.record(), of which battlebox.replay "
            "makes the same match again; fresh_copy() is at its beginning"
        )

    def fresh_copy(self) -> Match:
        """The same match before its first action."""
        chance = self.chance.fresh_copy() if self.chance else None
        again = Match(
            self.rules, self.seed, position=self.position, chance=chance, traced=self.traced
        )
        again.names = self.names
        return again

    def look_back(self, steps: Iterable[int]) -> Iterator[Match]:
        """The match as it was after so many actions, for each of `steps`, in ascending order; to
        be looked at until the next one. Nothing is played again.
        """
        then = self.fresh_copy()
        for k in steps:
            later = self._taken[k:]
            state, events = self._array, len(self._events)
            if later:
                state, events = np.frombuffer(later[0].before, state.dtype), later[0].events
            then._array[0] = state[0]
            then._taken, then._events.told = self._taken[:k], self._events.told[:events]
            then._past_windows = [x for x in self._past_windows if x.taken <= k]
            then._events.forget_views()
            if isinstance(then.chance, Script):  # others cannot give again what is to come
                then.chance.rewind(later[0].outcomes_before if later else self._drawn)
            if k:  # what was to be seen in the course of the set-up
                then._passed.clear()
            then._settle()
            yield then

    # ---- the truth ----
    def load(self, position: str) -> None:
        """Puts a position in place of the state and runs on to a decision. Forgets the log."""
        blank = self._engine.build.states()
        s = checked(blank)[0]
        s.rng, s.seats = self.seed, self.rules.players
        try:
            self.rules.game.notation.read(self.rules, s, position)
        except (IndexError, OverflowError, ValueError) as e:
            if isinstance(e, PositionError):
                raise
            raise PositionError(f"position: {e}") from None
        self.put(blank)
        self.position = position
        self._engine.f.resume(self._engine.tt, self._states, 0)
        self._settle()

    def put(self, states: Array) -> None:
        """Puts the first of these states in place of the present one. Forgets the log."""
        self._array[0] = states[0]
        for kept in (self._taken, self._past_windows, self._recalled):
            kept.clear()
        self._events.turn = -1
        self._forget(0)
        self._settle()

    def _settle(self) -> None:
        self._version += 1
        self._engine.f.clear_scratch_at(self._states, 0)
        for kept in ("_legal", "_questions", "agreements"):
            self.__dict__.pop(kept, None)
        self._words.clear()
        self.over = bool(self.state.phase == self._engine.build.over)
        self.to_act = None if self.over else int(self.state.to_act)

    def _hear(self, event: int, *args: int) -> None:
        kind = self._events.add(event, args)
        game = self.rules.game
        phase = game.response_windows.get(kind)
        if self.traced or game.intermediate_views or phase is not None:
            self._passed[len(self._events) - 1] = self._array.tobytes()
        if phase is not None:
            self._events.turn += 1
            self._windows.add(ResponseWindow(len(self._events), phase))

    def _forget(self, events: int) -> None:
        """All events but the first so many."""
        self._events.cut(events)
        self._windows.forget(events)
        self._passed.clear()

    @property
    def trace(self) -> list[tuple[LoggedEvent, Array]]:
        """What the last action (or the set-up) told, and the truth at each event, an array of one
        record. Of a match that is `traced`; in no response window.
        """
        first, told = self._taken[-1].events if self._taken else 0, self._events.told
        dtype = self._array.dtype
        return [
            (told[i], np.frombuffer(self._passed[i], dtype))
            for i in range(first, len(told))
            if i in self._passed
        ]

    @property
    def truth(self) -> Array:
        """A copy of the state, an array of one record: for the house, never for a player."""
        return self._kept(self._array).reshape(1)

    # ---- where the match stands ----
    @property
    def phase(self) -> str:
        """The name of the phase, such as "ATTACK"; "OVER" at the end."""
        return str(self.rules.game.rules.Phase(self.state.phase).name)

    @property
    def returns(self) -> tuple[float, ...]:
        """Each seat's return, -1 .. 1; zeros until the match is over."""
        out = np.zeros(self.rules.players)
        if self.over:
            self._engine.f.results(self._engine.tt, self._states, 0, checked(out))
        return tuple(float(x) for x in out)

    @cached_property
    def _legal(self) -> tuple[int, ...]:
        return self._observer.legal_actions()

    def warm_observer(self, engine: Engine) -> None:
        """Observes once with this engine, which compiles what is not compiled yet."""
        observer = _Observer(engine, self._array)
        observer.observe(None)
        observer.legal_actions()

    @property
    def _observer(self) -> _Observer:
        """That of the present state, with the quickest engine there is by now."""
        if self._present_observer.engine is not self.rules.observing_engine:
            self._present_observer = _Observer(self.rules.observing_engine, self._array)
        return self._present_observer

    def _observer_of(self, state: bytes) -> _Observer:
        """An observer of another state than the present one."""
        observer = self._other_observer
        if observer is None or observer.engine is not self.rules.observing_engine:
            observer = self._other_observer = _Observer(
                self.rules.observing_engine, self._engine.build.states()
            )
        observer.array[0] = np.frombuffer(state, observer.array.dtype)[0]
        return observer

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The numbers of the legal actions, ascending."""
        return self._legal

    @cached_property
    def agreements(self) -> Mapping[str, int]:
        """What all seats may agree on now: the words, and the numbers, which no action has.

        Found in what a spectator sees, so that it tells nobody anything.
        """
        build = self._engine.build
        if self.over or self.response_window or not build.agreements:
            return {}
        return build.agreeable(self._engine.tt[0], checked(self._look(None))[0])

    def word(self, action: int, seat: int | None = None) -> str:
        """The word of an action of the seat to act; in a response window, of this seat.

        Errors: InvalidWord for no action's number.
        """
        asked = self._questions.get(seat) if self.response_window else None
        if asked is None and (found := self._words.get(action)) is not None:
            return found
        if not 0 <= action < self._engine.num_actions:
            raise InvalidWord(f"action {action}: numbers are 0 .. {self._engine.num_actions - 1}")
        s = asked.state if asked else self.state
        word = self.rules.game.notation.word(self.rules, s, action)
        if asked is None:
            self._words[action] = word
        return word

    def legal_words(self) -> list[str]:
        """The words of the legal actions, in the order of their numbers."""
        return [self.word(a) for a in self._legal]

    @property
    def history(self) -> list[tuple[int | None, str]]:
        """All actions so far: (seat, word). The whole truth, as the record holds it.

        Seat None: all, who agreed on it.
        """
        return [(x.seat, x.word) for x in self._taken]

    @property
    def outcomes(self) -> list[list[str]]:
        """The fair outcomes of the set-up and of each action, as a record has them."""
        if not isinstance(self.chance, Fair):
            return [[] for _ in range(1 + len(self._taken))]
        all_of_them = self.chance.outcomes
        cuts = [0, *(x.outcomes_before for x in self._taken), len(all_of_them)]
        return [all_of_them[a:b] for a, b in pairwise(cuts)]

    def _check_seat(self, seat: int | None) -> None:
        if seat is None or (type(seat) is int and 0 <= seat < self.rules.players):
            return
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not (whole and 0 <= seat < self.rules.players):
            raise IllegalAction(
                f"there is no seat {seat!r}; seats are 0 .. {self.rules.players - 1}"
            )

    # ---- playing ----
    def check(self, seat: int | None, action: str | int) -> CheckedAction:
        """An action that this seat may do now, for `take`.

        Errors: InvalidWord if it is not an action of the game, IllegalAction if this seat may not
        do it now.
        """
        if seat is None:
            raise IllegalAction("a spectator does not act")
        self._check_seat(seat)
        if self.over and not self.response_window:
            raise IllegalAction(f"{action!r}: the match is over")
        if seat not in self.deciding:
            raise IllegalAction(f"{action!r}: seat {seat} is not to act now")
        state = self._questions[seat].state if self.response_window else self.state
        if isinstance(action, str):
            number = self.rules.game.notation.action(self.rules, state, action)
        elif isinstance(action, int | np.integer) and not isinstance(action, bool):
            number = int(action)
            if not 0 <= number < self._engine.num_actions:
                self.word(number)  # says what numbers there are
        else:
            raise InvalidWord(f"{action!r} is neither a word nor a number")
        if number not in (legal := self.choices(seat)):
            phase = self.rules.game.rules.Phase(state.phase).name
            listed = ", ".join(self.word(x, seat) for x in legal)
            raise IllegalAction(
                f"{action!r} is not legal now ({phase}); legal: {listed or 'nothing'}"
            )
        return CheckedAction(int(seat), number, self.word(number, seat), self._version)

    def take(self, action: CheckedAction) -> None:
        """Takes an action that `check` has found to be legal. In a `response_window` it is an
        answer, which is kept.

        Errors: IllegalAction, if something has happened since it was checked.
        """
        if action.version != self._version:
            raise IllegalAction(f"{action.word!r}: the match has moved on since this was checked")
        if self.response_window:
            self._windows.answers[action.seat] = action.number
            self._version += 1
        else:
            self._take(action.seat, action.number, action.word)

    def submit(self, seat: int | None, action: str | int) -> None:
        """Takes an action, a word or a number, for a seat; `m.to_act` is one that may act. In a
        `response_window` it is an answer, which is kept.

        Errors: as of `check`; the match is untouched.
        """
        self.take(self.check(seat, action))

    def agree(self, words: str) -> None:
        """Does what all seats have agreed on, one of `agreements`; the caller has asked them.

        Errors: IllegalAction; the match is untouched.
        """
        if words not in self.agreements:
            what = ", ".join(self.agreements) or "nothing"
            raise IllegalAction(
                f"{words!r} cannot be agreed on now ({self.phase}); what can: {what}"
            )
        self._take(None, self.agreements[words], words)

    def repeat(self, seat: int | None, word: str | int) -> None:
        """Does one of the `history` of such a match. Errors: as of `submit`, `agree`."""
        if seat is None:
            self.agree(str(word))
        else:
            self.submit(seat, word)

    def _take(self, seat: int | None, number: int, word: str) -> None:
        """Takes what was found to be possible; an error leaves the match untouched."""
        before, rng = self._array.tobytes(), self.state.rng
        events, drawn, hidden = len(self._events), self._drawn, self._hidden
        free = seat is None or len(self._legal) > 1
        in_window = hidden and self._windows.are_open
        self._taken.append(
            _Taken(seat, number, word, before, rng, events, drawn, hidden, in_window, free)
        )
        if not hidden:
            self._events.turn += 1
            self._passed.clear()
        try:
            self._engine.f.take(self._engine.tt, self._states, 0, number)
        except BaseException:  # a scripted outcome that does not fit, an interrupt
            self._take_back()
            raise
        self._settle()

    @property
    def _drawn(self) -> int:
        """How many outcomes came from outside the record."""
        return self.chance.count if self.chance else 0

    def _take_back(self) -> _Taken:
        last = self._taken.pop()
        for chain in self._recalled.values():
            del chain[len(self._taken) :]
        while self._past_windows and self._past_windows[-1].taken > len(self._taken):
            self._past_windows.pop()
        if self.chance:
            self.chance.rewind(last.outcomes_before)
        self._array[0] = np.frombuffer(last.before, self._array.dtype)[0]
        self._forget(last.events)
        self._settle()
        return last

    def why_no_undo(self, seat: int | None = None, *, alone: bool = False) -> str:
        """Why `undo` is not possible; empty if it is."""
        self._check_seat(seat)
        if not self._taken:
            return "nothing has been done yet"
        at = self._undone(seat, alone)
        if self._all_were_asked(at):
            return "everybody has been asked to respond to it"  # also if nobody was, or none did
        if at is None:
            return "you have not decided anything yet"
        first = self._taken[at]
        if None not in (seat, first.seat) and seat != first.seat:
            return "the last action was not yours"  # whose it was may be hidden
        since = " since your last decision" if alone else ""
        if self.state.rng != first.rng or self._drawn != first.outcomes_before:
            return f"dice have been rolled or cards shuffled{since}"
        if any(self._shows(x, seat, alone) for x in self._events.told[first.events :]):
            return f"something hidden has been revealed{since}"
        return ""

    def undo(self, seat: int | None = None, *, alone: bool = False) -> str:
        """Takes back the last action, if it was this seat's, and returns its word.

        alone: bots have all other seats. Then all is taken back that was done since this seat could
        last choose, and its choice; what was forced is none. See docs/decisions/0005, 0026.
        Errors: UndoRefused if there is none, it was not this seat's, or if chance or a reveal came
        of it: nobody can be made to forget.
        """
        if why := self.why_no_undo(seat, alone=alone):
            raise UndoRefused(f"cannot undo: {why}")
        at = self._undone(seat, alone)
        assert at is not None, "there is one"
        while len(self._taken) > at + 1:
            self._take_back()
        return self._take_back().word

    def _undone(self, seat: int | None, alone: bool) -> int | None:
        """The first of the actions that an undo takes back; None: there is none."""
        last = len(self._taken) - 1
        if not alone:
            return last
        return next(
            (i for i in range(last, -1, -1) if self._taken[i].seat == seat and self._taken[i].free),
            None,
        )

    def _shows(self, x: LoggedEvent, seat: int | None, alone: bool) -> bool:
        """Whether an event showed what nobody can be made to forget. Bots can be made to forget,
        and what one of them chose to show is taken back with its choice.
        """
        telling = x.event.telling
        if not alone:
            return telling.reveals
        learnt = x.seat == seat or not (telling.alone or telling.own)
        return telling.reveals and not telling.chosen and learnt

    def _all_were_asked(self, at: int | None) -> bool:
        """A response window opened since this action, or before the next one that all know of."""
        if not (windows := self.rules.game.response_windows):
            return False
        before = self._taken[: len(self._taken) if at is None else at + 1]
        known = next((x.events for x in reversed(before) if not x.hidden), 0)
        return any(x.event in windows for x in self._events.told[known:])

    # ---- questions that nobody else may notice ----
    def open_response_windows(self) -> None:
        """Response windows open from now on, wherever the game has one; now, if a seat is asked."""
        game_windows = self.rules.game.response_windows
        at = (i for i in self._passed if self._events.told[i].event in game_windows)
        last = max(at, default=-1)
        asked = [ResponseWindow(last + 1, int(self.state.phase))] if self._hidden else []
        self._windows.open(asked if last >= 0 else [])
        self._events.forget_views()

    @property
    def response_window(self) -> ResponseWindow | None:
        """What all wait for, after `open_response_windows`: until `close_response_window` all
        are shown the table as it was at an event, and may have been asked something. None: nothing.

        Whether anybody was asked, who has answered, and all that has come of it since are hidden.
        """
        return self._windows.present

    @property
    def _hidden(self) -> bool:
        """Only the seat to act may notice that it is asked something now."""
        return self.state.phase in self.rules.game.response_windows.values()

    @cached_property
    def _questions(self) -> Mapping[int | None, Question]:
        """What is asked in the present response window. The rules wait for its answers only if no
        other one has followed already.
        """
        window = self._windows.only
        if window is None or self.state.phase != window.phase:
            return {}
        return questions(self._engine, self._array, self.rules.game.response_windows)

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that may act now: one; in a response window, those that are asked and have not
        answered.

        For the house: each of them may know it of itself.
        """
        if self.response_window:
            return tuple(
                p for p in self._questions if p is not None and p not in self._windows.answers
            )
        return () if self.to_act is None else (self.to_act,)

    def choices(self, seat: int | None) -> tuple[int, ...]:
        """The numbers of what this seat may do now, ascending."""
        if seat not in self.deciding:
            return ()
        return self._questions[seat].actions if self.response_window else self._legal

    def close_response_window(self) -> None:
        """The rules get the answers in their own order; a seat that gave none declines.

        Where another response window has opened meanwhile, it is next; the answers are forgotten.
        """
        asked = self._questions
        window, answers = self._windows.close()
        shown = self._passed[window.events - 1]
        past = PastWindow(len(self._taken), shown, window.phase, asked, {**answers})
        self._past_windows.append(past)
        self._passed = {i: x for i, x in self._passed.items() if i >= window.events}
        self._settle()
        while self._hidden and not self.response_window:
            assert self.to_act is not None
            number = answers.pop(self.to_act, self._legal[0])
            self._take(self.to_act, number, self.word(number))

    # ---- what a seat may know ----
    def observation(self, seat: int | None) -> Array:
        """The state as this seat may know it (None: a spectator), a record of shape ()."""
        self._check_seat(seat)
        return self._kept(self._look(seat))

    def _kept(self, seen: Array) -> Array:
        """A record of its own of what was seen."""
        out = self._engine.build.states()  # whose padding is blank, as a copy's need not be
        out[:] = seen
        return out.reshape(())

    def _look(self, seat: int | None) -> Array:
        """The observation as an array of one record, until the next one."""
        self._check_seat(seat)
        if self.response_window is None:
            return self._observer.observe(seat)
        if seat in self.deciding:
            return self._observer_of(self._questions[seat].record).observe(seat)
        shown = self._passed[self.response_window.events - 1]
        return self._masked(shown, self.response_window.phase, seat)

    def _masked(self, shown: bytes, phase: int, seat: int | None) -> Array:
        """What a seat that is not asked sees in a response window, until the next observation."""
        observer = self._observer_of(shown)
        # somebody else is asked, as far as this seat can know: game and determinizations hide it
        observer.array["phase"] = phase
        observer.array["to_act"] = 0 if seat else self.rules.players - 1
        return observer.observe(seat)

    def known(self, seat: int | None) -> bytes:
        """The observation as its bytes."""
        return self._look(seat).tobytes()

    def information_state(self, seat: int | None) -> bytes:
        """A digest of all that this seat has seen and done so far (perfect recall), 16 bytes.

        Matches have the same one where the seat could not tell them apart at any decision, by its
        observations and its own actions. So where response windows are open, whether another was
        asked is no part of it.
        """
        self._check_seat(seat)
        chain = self._recalled.setdefault(seat, [])  # a link for each action
        for k in range(len(chain), len(self._taken)):
            taken, last = self._taken[k], self._recollection(seat, k)
            if not taken.in_window:
                own = taken.number if seat is not None and taken.seat == seat else None
                last = last.then(self._observer_of(taken.before).observe(seat).tobytes(), own)
            chain.append(last)
        last = self._recollection(seat, len(self._taken))
        if seat in self._windows.answers:
            last = self._with_answer(last, seat, self._questions, self._windows.answers)
        return last.then(self.known(seat)).known

    def _recollection(self, seat: int | None, k: int) -> Recollection:
        """What a seat recalls after k actions, and the response windows since the last of them."""
        last = self._recalled[seat][k - 1] if k else NOTHING
        for window in self._past_windows:
            if window.taken == k:
                last = self._with_answer(last, seat, window.questions, window.answers)
                if seat not in window.questions or seat in window.answers:
                    shown = self._masked(window.shown, window.phase, seat)
                    last = last.then(shown.tobytes())
        return last

    def _with_answer(
        self,
        last: Recollection,
        seat: int | None,
        asked: Mapping[int | None, Question],
        answers: Mapping[int, int],
    ) -> Recollection:
        """With what it was asked in a response window, if it was, and what it answered."""
        if seat is None or seat not in asked:
            return last
        seen = self._observer_of(asked[seat].record).observe(seat)
        return last.then(seen.tobytes(), answers.get(seat))

    def scene(self, seat: int | None) -> Scene:
        """What a front end draws for this seat (None: a spectator)."""
        o = Picture(self._look(seat)[0])
        return self.rules.game.scenes.scene(self.rules, o, self.choices(seat), self.names)

    def intermediate_views(self, seat: int | None) -> list[IntermediateView]:
        """What there was to see in the course of the last action, before what `scene` shows now."""
        if not (find := self.rules.game.intermediate_views):
            return []
        known, told_of = self._known, self._events.told
        here = [i for i in self._passed if i < known and told_of[i].args(seat)]
        if not here:
            return []
        told = self.events(seat)
        before, out = len(told) - len(here), []
        for k in find([x.event for x in told[before:]]):
            seen = self._kept(self._observer_of(self._passed[here[k]]).observe(seat))
            scene = self.rules.game.scenes.scene(self.rules, Picture(seen), (), self.names)
            out.append(IntermediateView(before + k + 1, seen, scene))
        return out

    @property
    def _known(self) -> int:
        """How many events may be told by now."""
        return self.response_window.events if self.response_window else len(self._events)

    def events(self, seat: int | None, since: int = 0) -> list[EventView]:
        """What a seat (None: a spectator) was told, after the first `since` events."""
        self._check_seat(seat)
        return self._events.views(seat, self._known)[since:]

    @property
    def happened(self) -> list[tuple[Events, int]]:
        """Every event so far and the seat it is of, no matter who was told: for the server."""
        return [(x.event, x.seat) for x in self._events.told]

    def log(self, seat: int | None, since: int = 0) -> list[str]:
        """`events` as sentences, without those that need no words."""
        sentences = (self.say(told, seat) for told in self.events(seat, since))
        return [x for x in sentences if x]

    def say(self, told: EventView, viewer: int | None) -> str:
        """An event as a sentence for a viewer; empty if it goes without saying."""
        return self.rules.game.scenes.say(self.rules, told, viewer, self.names)

    # ---- to and from a file ----
    def record(self) -> str:
        """The match as a text that `battlebox.replay` reads and plays again."""
        return record.write(self)

    def write_position(self) -> str:
        """The state as a position text: the whole truth."""
        return self.rules.game.notation.write(self.rules, self.state)

    def facts(self) -> dict[str, str]:
        """What scenarios may expect of the state, by key: the whole truth."""
        copy = self._engine.build.access(self._array.copy())  # in whose scratch one may work
        return self.rules.game.notation.facts(self.rules, copy[0])

    def digest(self) -> str:
        """A short name of the state's bytes."""
        return hashlib.sha256(self._array.tobytes()).hexdigest()[:16]

    def __repr__(self) -> str:
        where = "over" if self.over else f"{self.to_act}:{self.phase}"
        return f"<Match {self.rules.name} seed={self.seed} {len(self._taken)} actions, {where}>"
