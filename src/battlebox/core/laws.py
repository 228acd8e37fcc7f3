"""What every game must obey, checked on random play: `audit` in bulk, `check` in depth.

    laws.audit(rules, matches=100_000)   # compiled: conservation, legality, hiding, the end
    laws.check(rules, matches=5)         # plain: also words, records, undo, events, both builds

Both raise LawBroken, which says what broke, and where to find it again.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import audited
from .audited import AuditArrays
from .checked import Picture, checked
from .errors import BattleboxError, IllegalAction, InvalidWord
from .event_log import EventView
from .game import Ruleset
from .match import Match
from .replay import read
from .scenario import event_text
from .scene import Scene, Zone
from .so_far import Leak, SoFar
from .zones import fault_of

KINDS = 256  # room to count pieces by kind
NONE = -1  # no action
LAWS = {
    1: "there are legal actions exactly until the match is over",
    2: "the legal actions are different action numbers",
    3: "no card or piece is made or lost",
    4: "observe(determinize(o)) == o",
    5: "a determinization has all cards and pieces",
    6: "the seat to act knows its legal actions",
    7: "the match ends within its greatest length",
    8: "returns are -1 .. 1",
    9: "what a search is told is -1 .. 1, or some of the legal actions, or what a choice led to by "
    "then, and changes nothing",
}


#: what each of them means, and what to do
CURES = {
    1: "A phase without a legal action never ends: let a move be legal there, or run on to the "
    "next phase in the move before. Nothing is legal once s.phase is OVER.",
    2: "An action was offered twice: look for offer(can, ...) in a loop.",
    3: "`census` counts the same after every action: look for a card or piece that leaves one "
    "place and comes to no other, or to two, or to one that `census` forgets.",
    4: "What a seat sees stays as it is when `determinize` fills in the rest: look for a public or "
    "own field that it changes, or for something hidden on which `reveal` depends and which it "
    "fills so that `reveal` shows another thing.",
    5: "`determinize` deals just what is not seen: all cards and pieces, less those in public and "
    "own fields and those that `reveal` shows.",
    6: "A condition (@allow) reads what is hidden from the seat that decides: make that "
    "public(...) or own(...), or let `reveal` open it to this seat.",
    7: "`max_length` says how many decisions a match may take: raise it, or let the match end.",
    8: "`returns` writes -1 .. 1 for each seat, which is 1 for a win and -1 for a loss.",
    9: "`candidates` puts some of the legal actions first and returns how many, `evaluate` writes "
    "-1 .. 1, `consequences` says True where `evaluate` or `ends_search` does; they write to "
    "scratch fields only.",
}
SHOWS = (
    "A scene is drawn from an observation alone; here it is another one once the blanks of the "
    "observation are filled with something. Draw what is public or the viewer's own, and look at "
    "o.viewer before you read a field that is blank for others."
)
TELLS = (
    "An event may say how something came about, and of what is hidden no more than is seen while "
    "it is told or after. Declare the argument own=(...) or the event alone=True; or, if they may "
    "know it, show it: in a public or own field, which may be cleared again, or with `reveal`."
)


class LawBroken(AssertionError):
    """A game broke a law."""


# ---- where something went wrong -----------------------------------------------------------------
@contextlib.contextmanager
def in_match(m: Match) -> Iterator[list[tuple[int | None, str]]]:
    """What goes wrong within it went wrong in this match; in the action that the list holds, if it
    holds one.
    """
    doing: list[tuple[int | None, str]] = []
    try:
        yield doing
    except Exception as e:
        here = SoFar(m.rules, m.seed, (*m.history, *doing), leak=e.__dict__.get("leak"))
        e.__dict__.setdefault("so_far", here)
        raise


def _played_again(rules: Ruleset, seed: int, actions: Iterable[int]) -> SoFar:
    """The same from action numbers, of which the last one may be impossible."""
    m, history = rules.match(seed), list[tuple[int | None, str]]()
    with contextlib.suppress(Exception):
        for action in actions:
            history.append((m.to_act, m.word(action)))
            m.submit(m.to_act, action)
    return SoFar(rules, seed, tuple(history))


# ---- in bulk, on either build -------------------------------------------------------------------
def audit(
    rules: Ruleset,
    matches: int,
    seed: int = 0,
    *,
    decisions: int | None = None,
    compiled: bool = True,
) -> int:
    """Random matches under the laws above; returns how many decisions they took together.

    decisions: no match is played longer.

    Errors: LawBroken names the law, the match's seed and the decision.
    """
    engine = rules.compiled() if compiled else rules.plain()
    build = engine.build
    audit_match = engine.bind(audited).audit_match
    worlds, where = build.states(3), np.zeros(1, np.int64)
    most = rules.plain().build.hooks.max_length(rules.plain().tt[0], rules.players)
    taken = np.zeros(most + 1, np.int16)
    arrays = (
        build.states(),
        build.states(),
        build.states(),
        worlds,
        worlds.view(np.uint8).reshape(3, -1),
        build.action_buffer(),
        build.action_buffer(),
        np.zeros(build.num_actions, np.int8),
        np.zeros(KINDS, np.int32),
        np.zeros(KINDS, np.int32),
        np.zeros(rules.players),
        np.zeros(len(told.each) if (told := rules.game.consequences) else 0),
        where,
        taken,
        np.zeros(1, build.features.layout),
        np.zeros(1, build.candidate_features.layout),
    )
    work = AuditArrays(*(build.access(a) for a in arrays))
    total, cut = 0, -1 if decisions is None else decisions
    for k in range(matches):
        taken[:] = NONE
        try:
            if broken := audit_match(engine.tt, work, rules.players, seed + k, build.over, cut):
                at = f"seed {seed + k}, decision {where[0]}"
                raise LawBroken(f"{rules}: {LAWS[broken]}: {at}. {CURES[broken]}")
        except Exception as e:  # also one of the rules
            e.__dict__["so_far"] = _played_again(rules, seed + k, taken[taken != NONE].tolist())
            raise
        total += int(where[0])
    return total


def expected(m: Match) -> list[float] | None:
    """What a search is told to expect for each seat, -1 .. 1; None: nothing is said here."""
    insight, engine = m.rules.game.insight, m.rules.plain()
    state = checked(m._array.copy())[0]
    out = np.zeros(m.rules.players)
    said = insight and insight.evaluate(engine.tt[0], state, engine.build.access(out))
    return out.tolist() if said else None


def led_to(m: Match, seat: int) -> list[float] | None:
    """What the last choice of a seat has led to, in the order of the game's CONSEQUENCES; None: it
    cannot be told yet.
    """
    told, engine = m.rules.game.consequences, m.rules.plain()
    out = np.zeros(len(told.each) if told else 0)
    state = checked(m._array.copy())[0]
    known = engine.build.hooks.consequences(engine.tt[0], state, seat, engine.build.access(out))
    return out.tolist() if known else None


# ---- in depth, on the plain build ---------------------------------------------------------------
def check(
    rules: Ruleset,
    matches: int,
    seed: int = 0,
    *,
    decisions: int | None = None,
    compiled: bool = True,
) -> int:
    """Random matches, looked at from every side; returns how many decisions they took together.

    decisions: no match is played longer. compiled False: without the compiled build.

    Errors: LawBroken.
    """
    total = 0
    for k in range(matches):
        dice = random.Random(seed + k)
        m, again = rules.match(seed + k), rules.match(seed + k)
        with in_match(m) as doing:
            actions = check_match(m, again, dice, doing, decisions)
            if rules.game.response_windows:
                check_response_windows(rules, seed + k, decisions, dice)
            if compiled:
                check_builds(rules, m.seed, actions)
        total += len(actions)
    return total


def check_match(
    m: Match,
    again: Match,
    dice: random.Random,
    doing: list[tuple[int | None, str]],
    decisions: int | None,
) -> list[int]:
    """Plays a match (and `again`, the same) at random, looking at it; gives its actions. doing: is
    told the action that is taken.
    """
    rules, actions = m.rules, list[int]()
    while m.to_act is not None and len(actions) != decisions:
        where = f"{rules}: seed {m.seed}, decision {len(actions)} ({m.phase})"
        _require(m.legal_actions, f"{LAWS[1]}. {CURES[1]}", where)
        if dice.random() < 0.2:
            check_refusals(m, where)
            check_position(m, where)
            check_events(m, where, dice)
        for seat in (None, *range(rules.players)):
            check_secrecy(m, seat, check_scene(m, seat, where), where, dice)
        # an action may have many: from one seat, drawn by lot for each decision
        viewer = dice.randrange(-1, rules.players)
        check_intermediate_views(m, None if viewer < 0 else viewer, where, dice)
        check_agreements(m, where)
        check_laying(m, where, dice)
        by: int | None = m.to_act
        word: str | int = (action := dice.choice(m.legal_actions))
        if m.agreements and dice.random() < 0.05:
            word = dice.choice([*m.agreements])
            by, action = None, m.agreements[word]
        doing[:] = [(by, m.word(action) if isinstance(word, int) else word)]
        if dice.random() < 0.2:
            check_undo(m, again, by, word, where, dice)
        else:
            again.repeat(by, word)
        m.repeat(by, word)
        doing.clear()
        actions.append(action)
    check_words(m)
    check_record(m)
    return actions


def _require(ok: Any, law: str, where: str) -> None:
    if not ok:
        raise LawBroken(f"{where}: {law}")


def _differ(found: Sequence[Any]) -> bool:
    return len(set(found)) == len(found)


def _doubled(found: Sequence[str]) -> str:
    """What is there more than once."""
    return ", ".join(repr(x) for x, n in Counter(found).items() if n > 1)


def check_refusals(m: Match, where: str) -> None:
    """The accepted actions are the listed ones; a refusal changes nothing; words round-trip."""
    before, seat = m.digest(), m.to_act
    assert seat is not None
    for action, word in zip(m.legal_actions, m.legal_words(), strict=True):
        found = m.rules.game.notation.action(m.rules, m.state, word)
        _require(found == action, f"the word {word!r} of action {action} is read as {found}", where)
    for action in range(m.rules.plain().num_actions):
        for p in range(m.rules.players):
            if p != seat or action not in m.legal_actions:
                try:
                    m.submit(p, action)
                except (IllegalAction, InvalidWord):
                    continue
                _require(False, f"seat {p} may take action {action}, which is not listed", where)
    _require(m.digest() == before, "a refused action changed the state", where)


def check_agreements(m: Match, where: str) -> None:
    """What may be agreed on is known to all, and to none but them; the rest is refused."""
    build, t = m.rules.plain().build, m.rules.plain().tt[0]
    if not build.agreements:
        return
    found = dict(m.agreements)
    for seat in (None, *range(m.rules.players)):
        seen = checked(m.observation(seat).reshape(1))[0]
        _require(build.agreeable(t, seen) == found, f"seat {seat} knows of other agreements", where)
    _require(build.agreeable(t, m.state) == found, f"{found} may not be agreed on in truth", where)
    before = m.digest()
    for x in build.agreements:
        if x.words not in found:
            try:
                m.agree(x.words)
            except IllegalAction:
                continue
            _require(False, f"{x.words!r} may be agreed on, which is not listed", where)
    _require(m.digest() == before, "a refused agreement changed the state", where)


def check_position(m: Match, where: str) -> None:
    """A position round-trips: the same text, the same legal words."""
    text = m.write_position()
    again = m.rules.match(0, position=text)
    _require(again.write_position() == text, f"position {text!r} reads as another", where)
    _require(
        again.legal_words() == m.legal_words(), f"position {text!r} has other legal actions", where
    )


def check_scene(m: Match, seat: int | None, where: str) -> Scene:
    """Each legal action is one choice, unlike the others, of the seat to act; no other has any.
    Gives the scene.
    """
    scene = m.scene(seat)
    wanted = list(zip(m.legal_actions, m.legal_words(), strict=True)) if seat == m.to_act else []
    found = [(c.action, c.word) for c in scene.choices]
    _require(found == wanted, f"seat {seat} is offered {found}, legal are {wanted}", where)
    told = scene.title and scene.prompt.endswith((".", "?"))
    _require(told, f"seat {seat} is not told where we are: {scene.prompt!r}", where)
    ids = ids_of(scene)
    _require(_differ(ids), twice_there(scene, seat), where)
    for zone in scene.zones:
        fault = fault_of(zone)
        _require(not fault, fault, where)
    for c in scene.choices:
        unknown = [id for id in c.path if id not in ids]
        _require(not unknown, f"choice {c.word}: nothing has the id {unknown}", where)
        _require(c.rules or not m.rules.game.rulebook, f"choice {c.word} names no rule", where)
        unknown = [id for id in c.rules if id not in m.rules.game.rulebook]
        _require(not unknown, f"choice {c.word}: there is no rule {unknown}", where)
    labels = [c.label for c in scene.choices]
    alike = f"two choices of seat {seat} are called alike: {_doubled(labels)}"
    _require(all(labels) and _differ(labels), alike, where)
    paths = [c.path for c in scene.choices if c.path and not c.any_order]
    _require(_differ(paths), f"the same taps make two choices of seat {seat}", where)
    check_placements(scene, where)
    return scene


def check_placements(scene: Scene, where: str) -> None:
    """What may be laid in any order is pairs of a piece and its place: a zone, or what may be laid
    at besides. No two choices lie alike, where nothing else tells them apart.
    """
    labels = {p.id: p.label for z in scene.zones for p in z.pieces}
    zones, laid = {z.id for z in scene.zones}, []
    free = {piece: x.places for x in scene.placements for piece in x.pieces}
    spots = {id for places in free.values() for id in places}
    _require({*free, *spots} <= {*labels}, "what may be laid is not in the scene", where)
    for c in (c for c in scene.choices if c.any_order):
        pieces, places = c.path[::2], c.path[1::2]
        whole = pieces and len(pieces) == len(places) and _differ(pieces)
        fits = all(x in labels for x in pieces) and all(x in zones | spots for x in places)
        _require(whole and fits, f"choice {c.word}: {c.path} is not pairs of piece and zone", where)
        laid.append(sorted((labels[x], y) for x, y in zip(pieces, places, strict=True)))
    _require(
        free or _differ([*map(str, laid)]),
        "two choices lay the same pieces in the same places",
        where,
    )


def check_laying(m: Match, where: str, dice: random.Random) -> None:
    """What a scene says may be laid, in whatever order, is a choice when it is asked for."""
    assert m.to_act is not None
    seat, scene, copy = m.to_act, m.scene(m.to_act), None
    laid = laid_at_random(scene, dice)
    for _ in laid:
        copy = copy or another_truth(m, seat, dice)
        found = [
            c.action
            for c in (copy.scene(seat).choices if copy.to_act == seat else ())
            if len(c.path) == 2 and laid.get(c.path[0]) == c.path[1]
        ]
        _require(len(found) == 1, f"seat {seat} may lay {laid}, but not choose it", where)
        copy.submit(seat, found[0])


def laid_at_random(scene: Scene, dice: random.Random) -> dict[str, str]:
    """Each piece that may be laid, and where; nothing if one has no place left."""
    pieces = [(piece, x.places) for x in scene.placements for piece in x.pieces]
    dice.shuffle(pieces)
    laid, taken = dict[str, str](), set[str]()
    for piece, places in pieces:
        free = [id for id, spots in places.items() if not taken & {*spots}]
        if not free:
            return {}
        laid[piece] = dice.choice(free)
        taken |= {*places[laid[piece]]}
    return laid


def ids_of(scene: Scene) -> list[str]:
    """What taps may be on: pieces and zones."""
    return [id for z in scene.zones for id in _ids_in(z)] + [z.id for z in scene.zones]


def _ids_in(zone: Zone) -> list[str]:
    return [p.id for p in zone.pieces]


def twice_there(scene: Scene, seat: int | None) -> str:
    """Which ids of a scene are there twice, and in which zones."""
    doubled = _doubled(ids_of(scene))
    zones = [z.id for z in scene.zones if any(repr(x) in doubled for x in (z.id, *_ids_in(z)))]
    return f"two things have one id in the scene of seat {seat}: {doubled}; in {', '.join(zones)}"


def check_secrecy(
    m: Match, seat: int | None, scene: Scene, where: str, dice: random.Random
) -> None:
    """The scene of a seat reads nothing that is hidden from it, not even as a blank."""
    actions = m.legal_actions if seat is not None and seat == m.to_act else ()
    same = scene_of_a_determinization(m, m.observation(seat), actions, dice)
    _require(scene == same, f"the scene of seat {seat} reads what is hidden. {SHOWS}", where)


def scene_of_a_determinization(
    m: Match, o: Any, actions: Sequence[int], dice: random.Random
) -> Scene:
    """The scene of an observation, with every blank filled with something."""
    determinized = o.copy()  # still the seat's view
    v = checked(determinized)
    v.rng = dice.getrandbits(62)
    m.rules.plain().build.hooks.determinize(m.rules.plain().tt[0], v)
    return m.rules.game.scenes.scene(m.rules, Picture(determinized), actions, m.names)


def check_intermediate_views(m: Match, seat: int | None, where: str, dice: random.Random) -> None:
    """In the midst of an action nobody is asked anything, and nothing is shown that is hidden."""
    before, where = 0, f"{where}, in the midst of the action before"
    for told, o, scene in m.intermediate_views(seat):
        _require(not _asks(scene), f"seat {seat} is asked something", where)
        _require(scene.title and scene.prompt.endswith("."), f"{scene.prompt!r} is said", where)
        _require(before < told <= len(m.events(seat)), f"after {before} events, {told}", where)
        _require(_differ(ids_of(scene)), twice_there(scene, seat), where)
        same = scene_of_a_determinization(m, o, (), dice)
        _require(scene == same, f"the scene of seat {seat} reads what is hidden. {SHOWS}", where)
        before = told


def check_response_windows(
    rules: Ruleset, seed: int, decisions: int | None, dice: random.Random
) -> None:
    """A match in whose response windows no seat notices what does not concern it."""
    for kind in rules.game.response_windows:
        everybody = not (kind.telling.alone or kind.telling.own)
        _require(everybody, f"{kind.name} is not told to everybody", f"{rules}")
    m, open_match = rules.match(seed), rules.match(seed)
    m.open_response_windows()
    with in_match(m):
        _check_windows_of(m, open_match, decisions, dice)


def _check_windows_of(
    m: Match, open_match: Match, decisions: int | None, dice: random.Random
) -> None:
    """Plays a match with response windows. open_match: the same without."""
    rules, seed = m.rules, m.seed
    # one window may take several decisions, and would leap over the last one
    while (m.response_window or not m.over) and (decisions is None or len(m.history) < decisions):
        where = f"{rules}: seed {seed}, decision {len(m.history)}"
        asked = m.deciding
        if m.response_window:
            check_response_window(m, open_match, f"{where}, in a response window", dice)
            m.close_response_window()
        else:
            m.submit(asked[0], dice.choice(m.choices(asked[0])))
        check_answers(m, open_match, asked, where)
    check_record(m)


def check_response_window(m: Match, open_match: Match, where: str, dice: random.Random) -> None:
    """Only the seat asked sees that it is, until it has answered; the others see what they would
    see if the rules asked somebody else. open_match: the same match without windows.
    """
    asked = m.deciding
    shown = {p: what_is_shown(m, p) for p in (None, *range(m.rules.players))}
    for p, (_, scene, events) in shown.items():
        same = scene_of_a_determinization(m, m.observation(p), m.choices(p), dice)
        _require(scene == same, f"the scene of seat {p} reads what is hidden. {SHOWS}", where)
        _require(_asks(scene) == (p in asked), f"seat {p} is asked, or is not", where)
        if asked and p not in asked:
            _require(open_match.known(p) == m.known(p), f"seat {p} sees who is asked", where)
            _require(open_match.events(p) == events, f"seat {p} hears who is asked", where)
    for p in asked:
        if dice.random() < 0.7:
            m.submit(p, dice.choice(m.choices(p)))
            del shown[p]
            _require(not _asks(m.scene(p)), f"seat {p} is asked again", where)
            alike = all(what_is_shown(m, q) == x for q, x in shown.items())
            _require(alike, f"the answer of seat {p} is noticed", where)


def check_answers(m: Match, open_match: Match, asked: Sequence[int], where: str) -> None:
    """Who declines, one after the other, is noticed by nobody else. open_match: catches up."""
    others = [p for p in (None, *range(m.rules.players)) if p not in asked]
    for by, word in m.history[len(open_match.history) :]:
        shown, phase = [what_is_shown(open_match, p) for p in others], open_match.phase
        declines = len(asked) > 1 and word == open_match.legal_words()[0]
        open_match.repeat(by, word)
        if declines and open_match.phase == phase:
            same = shown == [what_is_shown(open_match, p) for p in others]
            _require(same, f"it is noticed that seat {by} declines", where)


def what_is_shown(m: Match, seat: int | None) -> tuple[bytes, Scene, list[EventView]]:
    """All that a seat has of a match."""
    return m.known(seat), m.scene(seat), m.events(seat)[:]


def _asks(scene: Scene) -> bool:
    """Whether it asks anything of anybody, or says that there is nothing more to ask."""
    return bool(scene.choices or scene.refusals or scene.to_act is not None or scene.over)


def check_words(m: Match) -> None:
    """All that has happened is said to everybody in sentences, or not at all; nobody who only
    watches is called "you".
    """
    for seat in (None, *range(m.rules.players)):
        for told in m.events(seat):
            said = m.say(told, seat)
            ok = not said or (said[0] == said[0].upper() and said.endswith((".", "!")))
            ok = ok and "None" not in said
            ok = ok and not (seat is None and re.search(r"\byou\b", said, re.IGNORECASE))
            _require(ok, f"{told} is said to seat {seat} as {said!r}", f"{m.rules}: seed {m.seed}")


class Outcome(NamedTuple):
    """What came of an action, among others that look the same to a seat."""

    way: tuple[int, int]  # the action, and chance
    told: tuple[str, ...]  # the events, in any order
    said: str  # the same for people
    left: str  # the truth afterwards, but for chance to come


def check_events(m: Match, where: str, dice: random.Random) -> None:
    """Events tell a seat nothing of the hidden truth but what it sees while they are told or after.
    How it came about, by choice or chance, they may tell; who acts knows what it did.

    The same actions with the same chance are taken from truths that look the same to the seat.
    """
    mover, copy = m.to_act, m.rules.match(0)
    for seat in (None, *range(m.rules.players)):
        worlds = [some_truth(m, seat, dice) for _ in range(3)]
        legal = [actions_in(copy, world, mover) for world in worlds]
        actions = sorted({a for here in legal for a in here})
        actions = dice.sample(actions, min(len(actions), 4))
        ways = [*itertools.product(actions, [dice.getrandbits(62) for _ in range(2)])]
        alike: dict[tuple[tuple[bytes, ...], int | None], list[Outcome]] = {}
        for (world, here), (action, rng) in itertools.product(
            zip(worlds, legal, strict=True), ways
        ):
            if action in here:
                checked(world)[0].rng = rng
                copy.put(world)
                key = (what_is_seen(copy, action, seat), action if seat == mover else None)
                told = tuple(sorted(map(repr, copy.events(seat))))
                said = ";".join(event_text(m.rules, x) for x in copy.events(seat)) or "nothing"
                outcome = Outcome((action, rng), told, said, truth_left(copy))
                alike.setdefault(key, []).append(outcome)
        who = "spectators are" if seat is None else f"seat {seat} is"
        for outcomes in alike.values():
            if one_told := tells_apart(outcomes):
                one, two = one_told
                what = f"{who} told {one.said}, or {two.said}, of what looks the same"
                broken = LawBroken(f"{where}: {what}. {TELLS}")
                broken.__dict__["leak"] = _leak_of(seat, one, two)
                raise broken


def _leak_of(seat: int | None, one: Outcome, two: Outcome) -> Leak:
    """In which events two outcomes differ."""
    each = [Counter(x.said.split(";")) for x in (one, two)]
    differ = [x.partition("(")[0] for x in (each[0] - each[1]) + (each[1] - each[0])]
    return Leak(seat, tuple(dict.fromkeys(differ)), (one.way[0], two.way[0]))


def actions_in(m: Match, world: Any, mover: int | None) -> tuple[int, ...]:
    """The legal actions of this seat in another truth."""
    m.put(world)
    return m.legal_actions if m.to_act == mover else ()


def tells_apart(outcomes: Sequence[Outcome]) -> tuple[Outcome, Outcome] | None:
    """Two of these outcomes, which look the same, that were told differently and may not be, since
    something follows for what is hidden. See docs/decisions/0044.
    """
    found = {(x.told, x.left) for x in outcomes}
    for one, two in itertools.combinations(outcomes, 2):
        if one.told != two.told:
            if one.way == two.way:  # only what was hidden before makes the difference
                return one, two
            if one.left != two.left and not found & {(one.told, two.left), (two.told, one.left)}:
                return one, two
    return None


def truth_left(m: Match) -> str:
    """The whole truth of a match, without the generator's word and what lies between the fields."""
    return repr([m._array[n].tolist() for n in m._array.dtype.names or () if n != "rng"])


def what_is_seen(m: Match, action: int, seat: int | None) -> tuple[bytes, ...]:
    """Does an action: all that a seat sees of it, at each event and after, but for what repeats.

    What a card does can be seen, and be gone before the next decision: a field is cleared, cards
    are dealt anew.
    """
    seen, hear = [m.known(seat)], m.state._listener

    def look(*event: int) -> None:
        hear(*event)
        seen.append(m.known(seat))

    m.state._listener = look
    m.submit(m.to_act, action)
    m.state._listener = hear
    return tuple(x for x, _ in itertools.groupby([*seen, m.known(seat)]))


def another_truth(
    m: Match, seat: int | None, dice: random.Random, copy: Match | None = None
) -> Match:
    """A match (`copy`, if given) whose truth looks to this seat as m's does; its log is empty."""
    copy = copy or m.rules.match(0)
    copy.put(some_truth(m, seat, dice))
    return copy


def some_truth(m: Match, seat: int | None, dice: random.Random) -> Any:
    """An array of one state that looks to this seat as m's does."""
    world, o = m.rules.plain().build.states(), m.observation(seat)
    for name in m.rules.game.rules.State.layout.names:
        world[name] = o[name]  # a copy of the whole would take along what lies between the fields
    w = checked(world)[0]
    w.rng = dice.getrandbits(62)
    m.rules.plain().build.hooks.determinize(m.rules.plain().tt[0], w)
    w.viewer, w.rng = 0, dice.getrandbits(62)
    return world


def check_undo(
    m: Match, again: Match, by: int | None, action: str | int, where: str, dice: random.Random
) -> None:
    """What can be undone leaves no trace, and had taught nobody anything; or among bots, not one.

    again: the same match once more; the action is taken there. by: its seat; None: it is agreed on.
    """
    before, log = m.digest(), m.events(None)
    known = {seat: m.observation(seat).tobytes() for seat in (None, *range(m.rules.players))}
    _require(again.digest() == before, "the same seed and actions give another state", where)
    again.repeat(by, action)
    alone = bool(again.why_no_undo())
    if alone and (by is None or again.why_no_undo(by, alone=True)):
        return
    free = len(m.legal_actions) > 1
    again.undo(by, alone=alone)
    if alone and not free:  # more than this action is taken back
        return
    _require(again.digest() == before and again.events(None) == log, "undo left a trace", where)
    again.repeat(by, action)
    copy = m.rules.match(0)
    for seat, o in known.items() if not alone else [(by, known[by])]:
        _require(m.observation(seat).tobytes() == o, "observing changed the state", where)
        another_truth(m, seat, dice, copy)
        if action not in (*copy.legal_actions, *copy.agreements) or copy.to_act != m.to_act:
            continue
        copy.repeat(by, action)
        same_sight = copy.observation(seat).tobytes() == again.observation(seat).tobytes()
        _require(
            same_sight,
            f"action {action} can be undone, but seat {seat} learnt from it. Declare the event "
            "of it with reveals=True",
            where,
        )


def check_record(m: Match) -> None:
    """A match replays from its record to the same bytes."""

    where = f"{m.rules}: seed {m.seed}"
    try:
        again = read(m.record(), lambda name: m.rules.game)
    except BattleboxError as e:
        raise LawBroken(f"{where}: its record is refused: {e}") from None
    _require(again.digest() == m.digest() and again.record() == m.record(), "record", where)


def check_builds(rules: Ruleset, seed: int, actions: list[int]) -> None:
    """Plain and compiled give the same lists, observations and states, byte for byte."""
    one, two = (trace(rules, seed, actions, compiled=c) for c in (False, True))
    _require(one == two, "plain and compiled differ", f"{rules}: seed {seed}")


def trace(rules: Ruleset, seed: int, actions: list[int], *, compiled: bool) -> str:
    """SHA-256 over the list, every observation and the state at every decision of a match."""
    engine = rules.compiled() if compiled else rules.plain()
    build, f = engine.build, engine.f
    state, seen, acts = build.states(), build.states(), build.action_buffer()
    b, o, a = (build.access(x) for x in (state, seen, acts))
    h = hashlib.sha256()
    engine.begin(b, 0, seed)
    for action in [*actions, -1]:
        n = f.list_actions(engine.tt, b, 0, a)
        f.clear_scratch_at(b, 0)
        h.update(acts[:n].tobytes())
        h.update(state.tobytes())
        for seat in range(-1, engine.seats):
            f.observe(engine.tt, b, 0, o, 0, seat)
            h.update(seen.tobytes())
        if action >= 0:
            f.take(engine.tt, b, 0, action)
    return h.hexdigest()
