"""A position as the page shows it: the table as each seat sees it, the state, what happened, and
what may be done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..core.checked import Array
from ..core.event_log import EventView, LoggedEvent
from ..core.match import Match
from ..core.scenario import event_text
from ..core.scene import Scene
from .faults import fault_of
from .fields import Fields, Observations
from .lines import Lines, stuck_at, with_acts
from .messages import (
    Act,
    ChoiceRow,
    Cut,
    EventRow,
    Hearers,
    Line,
    Look,
    Position,
    RefusalRow,
    View,
)
from .soundness import explained

Trace = Sequence[tuple[LoggedEvent, Array]]


class Positions:
    """Shows positions of the lines of a game."""

    def __init__(self, lines: Lines, folder: Path) -> None:
        self.lines, self.folder = lines, folder
        self._fields: dict[str, Fields] = {}

    def look(self, asked: Look) -> Position:
        """A position; if it cannot be read, the one before, at which the line is cut.

        Errors: RulesetError, PositionError; what the rules raise before the first decision.
        """
        whole, cut = self.lines.play(asked.line)
        steps = len(whole.history)
        at = steps if asked.at is None else min(max(asked.at, 0), steps)
        event = asked.event
        while True:
            try:
                return self._shown(asked.line, whole, cut, at, event)
            except Exception as e:
                if not at:
                    raise
                m = next(whole.look_back([at]))
                fault = explained(fault_of(e, self.folder), m, self.folder)
                seat, word = whole.history[at - 1]
                at, event = at - 1, None
                cut = Cut(at=at, act=Act(seat=seat, word=word), fault=fault)
                whole = next(whole.look_back([at]))

    def _shown(
        self, line: Line, whole: Match, cut: Cut | None, at: int, asked_event: int | None
    ) -> Position:
        m, before = next(whole.look_back([max(at - 1, 0)])), None
        if at:
            before = next(whole.look_back([at - 1]))
            m.repeat(*whole.history[at - 1])
        trace = m.trace
        event = asked_event if asked_event and asked_event <= len(trace) else None
        if line.options not in self._fields:
            self._fields[line.options] = Fields(m.rules)
        fields = self._fields[line.options]
        scenes = self._scenes(m, before, trace, event, fields.viewers)
        views = [self._view(m, v, scene) for v, scene in scenes]
        asked_scene = next((s for s in scenes if s[0] == m.to_act), None)
        choices = [] if event else self._choices(m, asked_scene and asked_scene[1])
        refusals = [] if event else self._refusals(asked_scene and asked_scene[1])
        named = [id for x in choices for id in x.rules] + [id for x in refusals for id in x.rules]
        now, was = self._moments(fields, m, before, trace, event)
        return Position(
            line=with_acts(line, whole),
            cut=cut,
            stuck=None if event else stuck_at(m),
            at=at,
            by=Act(seat=m.history[-1][0], word=m.history[-1][1]) if at else None,
            event=event,
            events=[self._event(m, x, fields.viewers) for x, _ in trace],
            names=[*m.names],
            phase=m.phase,
            to_act=m.to_act,
            over=m.over,
            returns=[*m.returns],
            position="" if event else m.write_position(),
            fields=fields.rows(now, was),
            views=views,
            choices=choices,
            refusals=refusals,
            rulebook={id: m.rules.game.rulebook.get(id, "") for id in dict.fromkeys(named)},
        )

    @staticmethod
    def _moments(
        fields: Fields, m: Match, before: Match | None, trace: Trace, event: int | None
    ) -> tuple[Observations, Observations | None]:
        """The truth now, and that with which it is compared."""
        was = fields.observations(before.truth) if before else None
        if event is None:
            return fields.observations(m.truth), was
        if event > 1:
            was = fields.observations(trace[event - 2][1])
        return fields.observations(trace[event - 1][1]), was

    # ---- what is seen ----
    @staticmethod
    def _scenes(
        m: Match,
        before: Match | None,
        trace: Trace,
        event: int | None,
        viewers: Sequence[int | None],
    ) -> list[tuple[int | None, Callable[[], Scene]]]:
        """What draws the scene of each viewer. In the midst of an action they see what the game
        shows on the way; until then, what was to be seen before.
        """

        def scene_of(viewer: int | None) -> Callable[[], Scene]:
            def draw() -> Scene:
                if event is None:
                    return m.scene(viewer)
                told = len(m.events(viewer)) - len(trace)
                told += sum(x.args(viewer) is None for x, _ in trace)  # which they did not hear
                heard = told + sum(x.args(viewer) is not None for x, _ in trace[:event])
                shown = [x.scene for x in m.intermediate_views(viewer) if x.told <= heard]
                return shown[-1] if shown else (before or m).scene(viewer)

            return draw

        return [(v, scene_of(v)) for v in viewers]

    def _view(self, m: Match, viewer: int | None, draw: Callable[[], Scene]) -> View:
        try:
            return View(viewer=viewer, scene=json.loads(draw().as_json))
        except Exception as e:  # of the game's scene.py
            fault = explained(fault_of(e, self.folder), m, self.folder)
            return View(viewer=viewer, scene=None, fault=fault)

    # ---- what happened ----
    @staticmethod
    def _event(m: Match, x: LoggedEvent, viewers: Iterable[int | None]) -> EventRow:
        """An event, and who was told what; those who were told the same stand together."""
        told = dict[tuple[str, str], list[int | None]]()
        for viewer in viewers:
            heard = ("", "")
            if (args := x.args(viewer)) is not None:
                view = EventView(x.turn, x.event, args)
                heard = event_text(m.rules, view), m.say(view, viewer)
            told.setdefault(heard, []).append(viewer)
        return EventRow(
            event=event_text(m.rules, EventView(x.turn, x.event, x.own)),
            told=[Hearers(viewers=v, event=event, said=said) for (event, said), v in told.items()],
        )

    # ---- what may be done ----
    @staticmethod
    def _choices(m: Match, draw: Callable[[], Scene] | None) -> list[ChoiceRow]:
        if m.over:
            return []
        try:
            found = [
                ChoiceRow(seat=m.to_act, word=x.word, label=x.label, sub=x.sub, rules=[*x.rules])
                for x in (draw().choices if draw else ())
            ]
        except Exception:  # which is said in place of the scene
            found = []
        if not found:
            found = [ChoiceRow(seat=m.to_act, word=x, label=x) for x in m.legal_words()]
        agreed = [ChoiceRow(seat=None, word=x, label=f"All agree: {x}") for x in m.agreements]
        return [*found, *agreed]

    @staticmethod
    def _refusals(draw: Callable[[], Scene] | None) -> list[RefusalRow]:
        try:
            scene = draw() if draw else None
        except Exception:
            return []
        if scene is None:
            return []
        labels = {z.id: z.label for z in scene.zones}
        labels |= {p.id: p.name or p.label for z in scene.zones for p in z.pieces}
        return [
            RefusalRow(what=labels.get(x.id, x.id), why=x.why, rules=[*x.rules])
            for x in scene.refusals
        ]
