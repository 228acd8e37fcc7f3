"""A position and what is done in it as a scenario: written, tried, added to the game's file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..core import scenario
from ..core.codes import DOTTED, code
from ..core.errors import BattleboxError, in_a_sentence
from ..core.game import Ruleset
from ..core.match import Match
from ..core.random import Recorder
from ..testing.rulebook import SCENARIOS
from .lines import Lines
from .messages import Draft, DraftRequest, Saved

READ_ONLY = (
    "Scenarios are saved for games that were opened by their folder, as in battlebox dev "
    "./my_game. Copy the text instead."
)


class NoScenario(BattleboxError):
    """A position that cannot be written as a scenario, or one that cannot be saved."""


class Scenarios:
    """Writes and saves scenarios of a game. saves: they may be saved."""

    def __init__(self, lines: Lines, *, saves: bool) -> None:
        self.lines, self.saves = lines, saves
        self.path = lines.game.folder / SCENARIOS

    def draft(self, asked: DraftRequest) -> Draft:
        """A scenario that holds. Errors: NoScenario says why there is none."""
        whole, _ = self.lines.play(asked.line)
        steps = len(whole.history)
        if not 0 <= asked.begin <= asked.end <= steps:
            raise NoScenario(f"a scenario is about actions of 0 .. {steps}")
        first, last = (next(whole.look_back([k])) for k in (asked.begin, asked.end))
        done = whole.history[asked.begin : asked.end]
        text = self._text(asked, first, last, done)
        try:
            self._run(text)
        except (BattleboxError, scenario.Failed) as e:
            raise NoScenario(f"it does not hold when it is read back: {e}") from None
        return Draft(text=text, why_not="" if self.saves else READ_ONLY)

    def save(self, text: str) -> Saved:
        """Adds it to the game's file. Errors: NoScenario, and nothing is written."""
        if not self.saves:
            raise NoScenario(READ_ONLY)
        try:
            found = self._run(text)
        except scenario.Failed as e:
            raise NoScenario(f"it does not hold: {e}") from None
        known = self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        if found.id in self._ids():
            raise NoScenario(f"there is a scenario {found.id} already; call it {self._next_id()}")
        if unknown := [id for id in found.rules if id not in self.lines.game.rulebook]:
            raise NoScenario(f"there is no rule {unknown[0]} in README.md")
        gap = "" if not known else "\n" if known.endswith("\n") else "\n\n"
        written = f"{known}{gap}{text.strip()}\n"
        scenario.parse(written)
        self.path.write_text(written, encoding="utf-8")
        lines = written.splitlines()
        at = max(k for k, line in enumerate(lines, 1) if line.startswith("scenario "))
        return Saved(where=f"{SCENARIOS}:{at}")

    def _run(self, text: str) -> scenario.Scenario:
        """Reads a text as one scenario and runs it. Errors: NoScenario, ScenarioError, Failed."""
        found = scenario.parse(text)
        if len(found) != 1:
            raise NoScenario(f"the text has {len(found)} scenarios; save one after the other")
        scenario.run(self.lines.game, found[0])
        return found[0]

    # ---- its parts ----
    def _text(
        self, asked: DraftRequest, first: Match, last: Match, done: list[tuple[int | None, str]]
    ) -> str:
        rules, position = first.rules, first.write_position()
        chance = Recorder(int(first.truth["rng"][0]))
        m = Match(rules, 0, position=position, chance=chance)
        if m.legal_words() != first.legal_words() or m.to_act != first.to_act:
            raise NoScenario("a position text does not say all that matters here")
        before, named, heard = m.facts(), dict[str, None](), {}
        for seat, word in done:
            named |= dict.fromkeys(self._rules_of(m, seat, word))
            heard = {p: len(m.events(p)) for p in (None, *range(rules.players))}
            m.repeat(seat, word)
        if m.write_position() != last.write_position():
            raise NoScenario(
                "from its position text the match goes on otherwise: the notation does not say all "
                "of the state"
            )
        title = " ".join(asked.title.replace("[", "(").replace("]", ")").split())
        ids = f"  [{' '.join(named)}]" if named else ""
        out = [f"scenario {self._next_id()} {title or self._title(done)}{ids}"]
        if options := rules.options_text.partition(" ")[2]:
            out.append(f"options {options}")
        out += [f"position {x}" for x in position.splitlines()]
        if chance.outcomes:
            out.append("chance " + " ".join(self._outcome(rules, x) for x in chance.outcomes))
        out += [f"agree {word}" if seat is None else f"do {seat} {word}" for seat, word in done]
        out += [f"expect {x}" for x in self._expected(m, before, heard, bool(done))]
        return "\n".join(out) + "\n"

    @staticmethod
    def _rules_of(m: Match, seat: int | None, word: str) -> tuple[str, ...]:
        """The ids of the rules behind an action."""
        if seat is None:
            return ()
        return next((x.rules for x in m.scene(seat).choices if x.word == word), ())

    @staticmethod
    def _title(done: list[tuple[int | None, str]]) -> str:
        return f"after {done[-1][1]}" if done else "what may be done"

    def _expected(
        self, m: Match, before: dict[str, str], heard: dict[int | None, int], acted: bool
    ) -> Iterator[str]:
        """What holds at the end: whose turn it is, what has changed, what was told."""
        common = scenario.common_facts(m)
        said = [f"to_act={common['to_act']}"]
        if m.over:
            said.append(f"winner={m.facts().get('winner', common['winner'])}")
        elif not acted:
            said.append(f"legal={','.join(m.legal_words())}")
        facts = m.facts()
        changed = [k for k, x in facts.items() if x != before.get(k)]
        # what each seat has of a place says no more than the place
        stems = {k.rstrip("0123456789") for k in changed}
        changed = [k for k in changed if not (k[-1].isdigit() and _stem(k) in stems & {*changed})]
        said += [f"{k}={facts[k]}" for k in changed if k not in ("to_act", "winner")]
        yield " ".join(said)
        if not acted:
            return
        told = {
            p: ";".join(scenario.event_text(m.rules, x) for x in m.events(p, n)) or "none"
            for p, n in heard.items()
        }
        words = [f"told={told[None]}"]
        words += [f"told{p}={x}" for p, x in told.items() if p is not None and x != told[None]]
        yield " ".join(words)

    def _outcome(self, rules: Ruleset, x: int | list[int]) -> str:
        """A random outcome in the game's words. Errors: NoScenario if it has none."""
        notation: Any = rules.game.notation
        for word in self._words(rules, x):
            try:
                if notation.outcome(rules, word) == x:
                    return word
            except (BattleboxError, ValueError, LookupError):
                continue
        raise NoScenario(f"the notation has no word for the random outcome {x}")

    @staticmethod
    def _words(rules: Ruleset, x: int | list[int]) -> Iterator[str]:
        """What a random outcome may be called."""
        notation: Any = rules.game.notation
        domains = getattr(notation, "domains", ())
        lists, letters = getattr(notation, "lists", DOTTED), getattr(notation, "letters", "")
        if isinstance(x, int):
            yield str(x)
        for domain in domains:
            try:
                codes = [code(rules, domain, k) for k in ([x] if isinstance(x, int) else x)]
            except (ValueError, IndexError):
                continue
            if isinstance(x, int):
                yield codes[0]
            else:
                for whose in [f"{a}:" for a in letters] or [""]:
                    yield f"shuffle({whose}{lists.joint.join(codes)})"
        if isinstance(x, list):
            yield f"shuffle({'.'.join(map(str, x))})"

    # ---- what it is called ----
    def _ids(self) -> list[str]:
        if not self.path.is_file():
            return []
        try:
            return [x.id for x in scenario.parse(self.path.read_text(encoding="utf-8"))]
        except BattleboxError as e:
            if "no scenario in the file" in str(e):
                return []
            raise NoScenario(f"{SCENARIOS}: {in_a_sentence(e)} Mend it first.") from None

    def _next_id(self) -> str:
        """An id after those there are: HC-S6."""
        numbered = [x for id in self._ids() if (x := re.fullmatch(r"(.*?)(\d+)", id))]
        if numbered:
            stem = numbered[-1][1]
            return f"{stem}{1 + max(int(x[2]) for x in numbered if x[1] == stem)}"
        rule = next(iter(self.lines.game.rulebook), "")
        return f"{rule.rstrip('0123456789').rstrip('-') or self.lines.game.name}-S1"


def _stem(key: str) -> str:
    return key.rstrip("0123456789")
