"""A position and what is done in it as a scenario: written, tried, added to the game's file."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core import scenario
from ..core.codes import DOTTED, code
from ..core.errors import BattleboxError, in_a_sentence
from ..core.game import Ruleset
from ..core.match import Match
from ..core.places import Place, places_of
from ..core.random import Recorder, Script
from ..core.state import Form, StateRecord
from ..testing.rulebook import SCENARIOS, ids_in
from .faults import fault_of
from .lines import Lines
from .messages import Draft, DraftRequest, Saved, SaveRequest

READ_ONLY = (
    "Scenarios are saved for games that were opened by their folder, as in battlebox dev "
    "./my_game. Copy the text instead."
)


#: of a match: the generator's word, or the outcomes
Outcomes = int | Sequence[int | list[int]]
MOST_TRIED = 6  # first outcomes that may matter, where the rest does not
MORE_CARDS = 4  # that a deck may need to hold besides those that are drawn, less one
SAID = ("to_act", "winner")  # before all others


class NoScenario(BattleboxError):
    """A position that cannot be written as a scenario, or one that cannot be saved."""


@dataclass(frozen=True)
class _Played:
    """What came of a position and what was done in it."""

    position: str
    m: Match  # at the end
    begun_by: int | None  # who decides first
    legal: tuple[list[str], list[str]]  # at first and at the end
    before: Mapping[str, str]  # facts
    facts: Mapping[str, str]
    told: Mapping[int | None, list[str]]  # of the last action
    rules: list[str]  # of the moves
    outcomes: Sequence[int | list[int]]

    @classmethod
    def of(
        cls,
        rules: Ruleset,
        position: str,
        done: Sequence[tuple[int | None, str]],
        outcomes: Outcomes,
    ) -> _Played:
        """Plays it. Errors: those of the rules and of positions."""
        chance = Recorder(outcomes) if isinstance(outcomes, int) else Script(*outcomes)
        m = Match(rules, 0, position=position, chance=chance)
        begun_by, legal, before = m.to_act, m.legal_words(), m.facts()
        viewers, named = (None, *range(rules.players)), dict[str, None]()
        heard = dict.fromkeys(viewers, 0)
        for seat, word in done:
            named |= dict.fromkeys(_rules_of(m, seat, word))
            heard = {p: len(m.events(p)) for p in viewers}
            m.repeat(seat, word)
        told = {p: [scenario.event_text(rules, x) for x in m.events(p, heard[p])] for p in viewers}
        return cls(
            position,
            m,
            begun_by,
            (legal, m.legal_words()),
            before,
            m.facts(),
            told,
            [*named],
            chance.outcomes[: chance.count],
        )

    def is_like(self, other: _Played, *, but_for: Sequence[str]) -> bool:
        """Whether the same came of it, but for these facts."""

        def seen(x: _Played) -> Any:
            facts = {k: text for k, text in x.facts.items() if k not in but_for}
            return x.begun_by, x.legal, x.m.to_act, x.m.phase, facts, x.told

        return bool(seen(self) == seen(other))


def _shortened(
    whole: _Played, position: str, done: Sequence[tuple[int | None, str]], outcomes: Outcomes
) -> _Played:
    """The same from a position whose decks hold no more cards than matter."""
    rules = whole.m.rules
    record, lists = rules.game.rules.State, getattr(rules.game.notation, "lists", DOTTED)
    for place in places_of(record):
        if not _is_deck(record, place):
            continue
        key = rf"(?:(?<=\s)|^){re.escape(place.name)}=(\S+)"
        found = re.search(key, whole.position)
        if not found:
            continue
        cards = [*lists.items(found[1])]
        sizes = [x.get(place.size, "") for x in (whole.before, whole.facts)]
        taken = int(sizes[0]) - int(sizes[1]) if all(x.isdecimal() for x in sizes) else 0
        for keep in sorted({0, *(max(taken, 0) + k for k in range(MORE_CARDS))}):
            if keep >= len(cards):
                break
            kept = f"{place.name}={lists.joint.join(cards[-keep:])}" if keep else ""
            text = whole.position[: found.start()] + kept + whole.position[found.end() :]
            try:
                short = _Played.of(rules, re.sub(" +", " ", text), done, outcomes)
            except Exception:  # the rules cannot do without
                continue
            if short.is_like(whole, but_for=(place.name, place.size)):
                whole = short
                break
    return whole


def _is_deck(record: type[StateRecord], place: Place) -> bool:
    """Whether a place is a pile that nobody sees."""
    own_pile = place.holds.form is Form.PILE and not place.holds.each
    return own_pile and record.visibility[place.name] == "secret"


def _scores(rules: Ruleset) -> Iterator[str]:
    """The public fields of a number for each seat that the returns depend on, such as points."""
    record = rules.game.rules.State
    try:
        text = inspect.getsource(rules.game.rules.returns)
    except (AttributeError, OSError, TypeError):  # it is written elsewhere
        return
    for name, visibility in record.visibility.items():
        by_seat = record.layout[name].shape == (rules.game.most_players,)
        if visibility == "public" and by_seat and re.search(rf"\w\.{name}\b", text):
            yield name


def _short(heard: Sequence[str], everybody: Sequence[str]) -> str:
    """What a seat was told, without what everybody was."""
    whole = ";".join(heard) or "none"
    if len(heard) != len(everybody):
        return whole
    parts = list[str]()
    for mine, theirs in zip(heard, everybody, strict=True):
        part = mine if mine != theirs else "..."
        if part != "..." or parts[-1:] != ["..."]:
            parts.append(part)
    return min(whole, ";".join(parts), key=len)


def _rules_of(m: Match, seat: int | None, word: str) -> Iterator[str]:
    """The ids of the rules behind an action: those that its choice names, and its move."""
    if seat is None:
        return
    yield from next((x.rules for x in m.scene(seat).choices if x.word == word), ())
    number = m.rules.game.notation.action(m.rules, m.state, word)
    move = m.rules.plain().build.move_of(number, int(m.state.phase))
    yield from sorted(ids_in(move.doc, m.rules.game))


def _one_of(text: str) -> scenario.Block:
    """Reads a text as one scenario. Errors: NoScenario, ScenarioError."""
    found = scenario.parse(text)
    if len(found) != 1:
        raise NoScenario(f"the text has {len(found)} scenarios; save one after the other")
    return found[0]


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
            scenario.run(self.lines.game, _one_of(text))
        except (BattleboxError, scenario.Failed) as e:
            raise NoScenario(f"it does not hold when it is read back: {e}") from None
        return Draft(text=text, why_not="" if self.saves else READ_ONLY)

    def save(self, asked: SaveRequest) -> Saved:
        """Adds it to the game's file. One that does not hold is added only if it is asked for
        `anyway`. Errors: NoScenario, and nothing is written.
        """
        if not self.saves:
            raise NoScenario(READ_ONLY)
        found, fails = _one_of(asked.text), ""
        if found.id in self._ids():
            raise NoScenario(f"there is a scenario {found.id} already; call it {self._next_id()}")
        if unknown := [id for id in found.rules if id not in self.lines.game.rulebook]:
            raise NoScenario(f"there is no rule {unknown[0]} in README.md")
        try:
            scenario.run(self.lines.game, found)
        except (scenario.Failed, BattleboxError) as e:
            fails = str(e)
        except Exception as e:  # of the rules
            fault = fault_of(e, self.lines.folder)
            fails = f"{fault.what} ({fault.where})" if fault.where else fault.what
        if fails and not asked.anyway:
            return Saved(fails=fails)
        known = self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        gap = "" if not known else "\n" if known.endswith("\n") else "\n\n"
        first = len(f"{known}{gap}".splitlines())
        text = asked.text.strip("\n")
        written = f"{known}{gap}{text}\n"
        scenario.parse(written)
        self.path.write_text(written, encoding="utf-8")
        return Saved(where=f"{SCENARIOS}:{first + found.line}", fails=fails)

    # ---- its parts ----
    def _text(
        self, asked: DraftRequest, first: Match, last: Match, done: Sequence[tuple[int | None, str]]
    ) -> str:
        rules, position = first.rules, first.write_position()
        outcomes: Outcomes = int(first.truth["rng"][0])
        if isinstance(last.chance, Script) and isinstance(first.chance, Script):
            outcomes = last.chance.outcomes[first.chance.count : last.chance.count]
        played = _Played.of(rules, position, done, outcomes)
        if played.legal[0] != first.legal_words() or played.begun_by != first.to_act:
            raise NoScenario("a position text does not say all that matters here")
        if played.m.write_position() != last.write_position():
            raise NoScenario(
                "from its position text the match goes on otherwise: the notation does not say all "
                "of the state"
            )
        played = _shortened(played, position, done, outcomes)
        title = " ".join(asked.title.replace("[", "(").replace("]", ")").split())
        ids = f"  [{' '.join(played.rules)}]" if played.rules else ""
        out = [f"scenario {self._next_id()} {title or self._title(done)}{ids}"]
        if options := rules.options_text.partition(" ")[2]:
            out.append(f"options {options}")
        out += [f"position {x}" for x in played.position.splitlines()]
        rest = [f"agree {word}" if seat is None else f"do {seat} {word}" for seat, word in done]
        rest += [f"expect {x}" for x in self._expected(played, bool(done))]
        return self._with_chance(rules, out, played.outcomes, rest)

    def _with_chance(
        self, rules: Ruleset, out: list[str], outcomes: Sequence[int | list[int]], rest: list[str]
    ) -> str:
        """The whole text. Random outcomes on which nothing depends are `any`."""
        if not outcomes:
            return "\n".join([*out, *rest]) + "\n"
        for k in range(min(len(outcomes), MOST_TRIED)):
            try:
                words = [self._outcome(rules, x) for x in outcomes[:k]]
            except NoScenario:
                break
            text = "\n".join([*out, f"chance {' '.join([*words, scenario.ANY])}", *rest]) + "\n"
            if self._holds_by_any_lot(text):
                return text
        words = [self._outcome(rules, x) for x in outcomes]
        return "\n".join([*out, f"chance {' '.join(words)}", *rest]) + "\n"

    def _holds_by_any_lot(self, text: str) -> bool:
        """Whether it holds, also with other lots than its own."""
        sc = _one_of(text)
        try:
            for id in (sc.id, f"{sc.id}-2", f"{sc.id}-3"):
                scenario.run(self.lines.game, replace(sc, id=id))
        except (scenario.Failed, BattleboxError):
            return False
        return True

    @staticmethod
    def _title(done: Sequence[tuple[int | None, str]]) -> str:
        return f"after {done[-1][1]}" if done else "what may be done"

    def _expected(self, played: _Played, acted: bool) -> Iterator[str]:
        """What holds at the end: whose turn it is, what has changed, what was told."""
        m, before, facts = played.m, played.before, played.facts
        common = scenario.common_facts(m)
        said = [f"to_act={common['to_act']}"]
        if m.over:
            said.append(f"winner={facts.get('winner', common['winner'])}")
        elif not acted:
            said.append(f"legal={','.join(m.legal_words())}")
        record = m.rules.game.rules.State
        changed = {k for k, x in facts.items() if x != before.get(k)}
        # what each seat has of a place says no more than the place
        stems = {_stem(k) for k in changed} & changed
        changed -= {k for k in changed if k[-1].isdigit() and _stem(k) in stems}
        for place in places_of(record):  # how many there are says no more than which they are
            if _is_deck(record, place) and place.size in facts:
                changed -= {place.name}
            elif place.name in changed:
                changed -= {place.size}
        always = {*_scores(m.rules)} if acted else set[str]()
        said += [f"{k}={facts[k]}" for k in facts if k in changed | always and k not in SAID]
        yield " ".join(said)
        if not acted:
            return
        everybody = played.told[None]
        words = [f"told={';'.join(everybody) or 'none'}"]
        words += [
            f"told{p}={_short(heard, everybody)}"
            for p, heard in played.told.items()
            if p is not None and heard != everybody
        ]
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
