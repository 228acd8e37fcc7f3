"""Lesson files (`lessons.scn`): scenarios in which a newcomer decides, and a coach speaks.

    help ATTACK: Attack somebody, or hold fire.  # of a first match: when this phase first comes
    help MULL = pass: You keep your hand.        # and what is chosen then for a newcomer
    chapter Standard                      # what follows teaches this way to play
    lesson WZ-L1 Attack somebody          [WZ-19 WZ-26]
    seat 0                                # whose decisions are the learner's; 0 if it is not said
    position ...                          # as in a scenario: options, position, chance, do, expect
    say You hold three cards. Each says how much damage it does.
    point hand                            # what is meant: a zone, a piece, a choice by its word
    next                                  # the learner reads, and goes on
    say Attack your opponent with Infantry Fire.
    point IF IF>1
    try IF>1                              # the learner's decision: any of these words
    wrong pass: You would give your turn away.
    wrong RE>1 SS>1: Those cards do less. Look at the numbers.
    else Not that one.                    # what is said of anything else
    do 1 pass                             # the answers of the others
    expect health=20.15
    say 5 damage. Well done.              # the end, if nothing follows

What the coach says and points at belongs to the next line that waits for the learner: `next`,
`try`, or the end. In `try` words may have a `*` for anything, and `any` is every legal action. A
`goal` of facts, written after `try` as in `expect`, leaves only those after which the facts hold
when the match next waits for the learner. A wrong word changes nothing: the coach says why, and the
learner tries again.

A lesson is a function of what the learner has chosen: it has no chance that is not written down,
and can be played again up to any of its decisions. `check` finds what no longer fits the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import NamedTuple

from .errors import BattleboxError, IllegalAction, ScenarioError
from .game import Game, Ruleset
from .match import Match
from .scenario import VERBS, Block, Failed, Line, Runner, blocks
from .scene import Scene
from .table import nearest

LESSONS = "lessons.scn"  # in the folder of a game
OWN = ("seat", "say", "point", "next", "try", "goal", "wrong", "else")
AFTER_TRY = ("goal", "wrong", "else")
ELSE = "That can be done, but it is not what this is about. Try something else."
NEXT = ""  # what the learner chooses where there is nothing to decide
LEARNER = "Guest"
OTHERS = ("Anna", "Ben", "Carla", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jan")
LONGEST = 90.0  # seconds that a lesson may take
SOON = 15.0  # seconds until the first decision
EARLY = 200  # decisions within which what is chosen for a newcomer comes up
READING, DECIDING, GOING_ON = 3.5, 5.0, 1.0  # words a second; seconds for a decision, for `next`


@dataclass(frozen=True)
class Lesson:
    """One lesson. seat: the learner's."""

    block: Block
    chapter: str
    seat: int

    @property
    def id(self) -> str:
        return self.block.id

    @property
    def title(self) -> str:
        return self.block.title

    @property
    def seconds(self) -> tuple[float, float]:
        """How long it takes: until the first decision, and in all."""
        first, now = 0.0, 0.0
        for line in self.block.lines:
            if line.verb == "say":
                now += len(line.rest.split()) / READING
            elif line.verb == "next":
                now += GOING_ON
            elif line.verb == "try":
                first = first or now
                now += DECIDING
        return first or now, now


@dataclass(frozen=True)
class Wanted:
    """What is right where the learner decides, and what is said of the rest."""

    line: Line
    words: tuple[str, ...]  # patterns
    goal: tuple[str, ...] = ()  # facts
    wrong: tuple[tuple[str, str], ...] = ()  # a pattern, and what is said of it
    otherwise: str = ELSE


@dataclass(frozen=True)
class Stop:
    """Where the coach waits. wanted: None where there is nothing to decide."""

    says: tuple[str, ...]
    points: tuple[str, ...]
    wanted: Wanted | None = None
    is_end: bool = False


class Help(NamedTuple):
    """What is said in a first match when a phase first asks one to decide. choice: the word of what
    is chosen for a newcomer, who cannot judge it yet; "": nothing is.
    """

    said: str
    choice: str = ""


@dataclass(frozen=True)
class Taught:
    """What a file teaches. help: by the name of the phase."""

    lessons: tuple[Lesson, ...] = ()
    help: Mapping[str, Help] = field(default_factory=dict)


def parse(text: str) -> Taught:
    """What a file teaches. Errors: ScenarioError names the line that is not well formed."""
    chapters, help = list[tuple[int, str]](), dict[str, Help]()
    lines = text.splitlines()
    for n, raw in enumerate(lines, 1):
        verb, _, rest = raw.partition(" ")
        if verb == "chapter":
            chapters.append((n, rest.strip()))
        elif verb == "help":
            when, _, said = rest.partition(": ")
            phase, equals, word = (x.strip() for x in when.partition("="))
            if not said.strip() or not phase.isidentifier() or (equals and not word):
                raise ScenarioError(
                    f"line {n}: write `help PHASE: what is said`, or `help PHASE = WORD: ...`"
                )
            if phase in help:
                raise ScenarioError(f"line {n}: a second help for {phase}")
            help[phase] = Help(said.strip(), word)
        else:
            continue
        lines[n - 1] = ""
    found = list[Lesson]()
    for block in blocks("\n".join(lines), "lesson", (*OWN, *VERBS)):
        chapter = next((x for n, x in reversed(chapters) if n < block.line), "")
        seat = 0
        for before, line in zip((None, *block.lines), block.lines, strict=False):
            _check(line, before.verb if before else "")
            seat = int(line.rest) if line.verb == "seat" else seat
        found.append(Lesson(block, chapter, seat))
    return Taught(tuple(found), help)


def _check(line: Line, before: str) -> None:
    """Errors: ScenarioError, if a line of a lesson is not well formed, or not where it belongs."""
    wrong = ""
    if line.verb in AFTER_TRY and before not in ("try", *AFTER_TRY):
        wrong = f"`{line.verb}` stands after `try`"
    elif line.verb == "wrong" and ": " not in line.rest:
        wrong = "write `wrong WORD: what the coach says`"
    elif line.verb == "seat" and not line.rest.isdecimal():
        wrong = "write `seat 0`"
    elif line.verb in ("say", "point", "try", "goal", "else") and not line.rest:
        wrong = f"`{line.verb}` says nothing"
    if wrong:
        raise ScenarioError(f"line {line.n}: {wrong}")


def taught(game: Game) -> Taught:
    """What a game's own file teaches; nothing if it has none. Errors: ScenarioError."""
    path = game.folder / LESSONS
    found = parse(path.read_text(encoding="utf-8")) if path.is_file() else Taught()
    phases = game.rules.Phase.__members__
    for name in found.help:
        if name not in phases:
            raise ScenarioError(f"help {name}: there is no such phase{nearest(name, phases)}")
    return found


class LessonRun(Runner):
    """A lesson that somebody takes: it waits at a stop. hear: is given the match at its beginning,
    after each position and after each decision.

    Errors: Failed and ScenarioError, if the lesson does not fit the rules.
    """

    def __init__(
        self,
        game: Game,
        lesson: Lesson,
        hear: Callable[[Match], None] = lambda _: None,
        rules: Ruleset | None = None,
    ) -> None:
        super().__init__(game, lesson.block)
        self.rules = rules
        self.lesson, self.seat, self.hear = lesson, lesson.seat, hear
        self.choices = list[str]()
        self.at = 0  # of the lines
        self.stop = self._go_on()

    @property
    def table(self) -> Match:
        """The match as it stands."""
        assert self.match is not None, "a lesson that waits has begun"
        return self.match

    def start(self) -> None:
        """As of scenarios; the seats have names, and what stands there now is heard of."""
        is_new = self.match is None or bool(self.position)
        super().start()
        if is_new:
            names = [*OTHERS[: self.table.rules.players - 1]]
            names.insert(self.seat, LEARNER)
            self.table.names = tuple(names)
            self.hear(self.table)

    def do(self, words: Sequence[str]) -> None:
        """A decision."""
        super().do(words)
        self.hear(self.table)

    def agree(self, words: Sequence[str]) -> None:
        """What all agree on."""
        super().agree(words)
        self.hear(self.table)

    # ---- what the learner does ----
    def choose(self, word: str) -> str:
        """The learner's decision, or NEXT where there is nothing to decide. Empty: it was right,
        and the lesson waits at the next stop; else what the coach says, and nothing has changed.

        Errors: IllegalAction, InvalidWord: it is not legal; Failed.
        """
        if self.stop.is_end:
            raise IllegalAction("the lesson is over")
        if (wanted := self.stop.wanted) is None:
            if word != NEXT:
                raise IllegalAction("there is nothing to decide: go on")
        else:
            if word not in self.words:
                self.table.check(self.seat, word)  # says why
                raise IllegalAction(f"write {word!r} as one of {', '.join(self.words)}")
            if not self.is_right(word):
                said = (text for pattern, text in wanted.wrong if fnmatchcase(word, pattern))
                return next(said, wanted.otherwise)
        self._take(word)
        return ""

    def _take(self, word: str) -> None:
        """What is right, up to the next stop."""
        if wanted := self.stop.wanted:
            self.step(Line(wanted.line.n, "do", f'{self.seat} "{word}"'))
        self.choices.append(word)
        self.stop = self._go_on()

    def _again(self) -> LessonRun:
        """The lesson as it stands, apart from this one: what happens to it there is a trial."""
        run = LessonRun(self.game, self.lesson, rules=self.rules)
        for word in self.choices:
            run._take(word)
        return run

    @property
    def words(self) -> list[str]:
        """What the learner may do now, by the rules."""
        return [self.table.word(a) for a in self.table.choices(self.seat)]

    def is_right(self, word: str) -> bool:
        """Whether this legal word is what the lesson wants."""
        return not self.why_wrong(word)

    def why_wrong(self, word: str) -> str:
        """Why this legal word is not what the lesson wants; empty: it is."""
        wanted = self.stop.wanted
        assert wanted is not None, "there is nothing to decide"
        if not any(_matches(word, x) for x in wanted.words):
            return f"{word} is not named"
        if not wanted.goal:
            return ""
        try:
            trial = self._again()
            trial._take(word)
            trial.expect(wanted.goal)
        except (Failed, BattleboxError) as e:
            return f"{word}: {e}"
        return ""

    def right_words(self) -> list[str]:
        """All that the lesson wants now."""
        return [x for x in self.words if self.is_right(x)]

    # ---- its lines ----
    def _go_on(self) -> Stop:
        """Does the lines up to the next stop."""
        says, points = list[str](), list[str]()
        lines = self.block.lines
        while self.at < len(lines):
            line = lines[self.at]
            self.at += 1
            if line.verb == "say":
                says.append(line.rest)
            elif line.verb == "point":
                points += line.words
            elif line.verb in ("next", "try"):
                self.start()
                wanted = self._wanted(line) if line.verb == "try" else None
                return Stop(tuple(says), tuple(points), wanted)
            elif line.verb != "seat":
                self.step(line)
        self.start()
        return Stop(tuple(says), tuple(points), is_end=True)

    def _wanted(self, line: Line) -> Wanted:
        goal, wrong, otherwise = list[str](), list[tuple[str, str]](), ELSE
        while self.at < len(self.block.lines):
            after = self.block.lines[self.at]
            if after.verb == "goal":
                goal += after.words
            elif after.verb == "wrong":
                which, _, text = after.rest.partition(": ")
                patterns = Line(after.n, "", which).words
                wrong += [(x, text.strip()) for x in patterns]
            elif after.verb == "else":
                otherwise = after.rest
            else:
                break
            self.at += 1
        return Wanted(line, line.words, tuple(goal), tuple(wrong), otherwise)


def _matches(word: str, pattern: str) -> bool:
    return pattern == "any" or fnmatchcase(word, pattern)


def replay(
    game: Game,
    lesson: Lesson,
    choices: Sequence[str],
    hear: Callable[[Match], None] = lambda _: None,
) -> LessonRun:
    """The lesson after these choices, all of them right.

    Errors: as of `choose`; IllegalAction, if one of them is not right.
    """
    run = LessonRun(game, lesson, hear)
    for word in choices:
        if said := run.choose(word):
            raise IllegalAction(said)
    return run


# ---- what is pointed at --------------------------------------------------------------------------
@dataclass(frozen=True)
class Pointed:
    """What the coach points at, by ids of the scene and numbers of actions."""

    zones: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    actions: tuple[int, ...] = ()


def pointed(scene: Scene, points: Sequence[str]) -> Pointed:
    """What is meant in this scene: a zone or a piece by its id, a piece by its code, a choice by
    its word. Errors: Failed names what is not there.
    """
    zones = {z.id for z in scene.zones}
    ids = {p.id for z in scene.zones for p in z.pieces}
    choices = {c.word: c.action for c in scene.choices}
    codes = {p.code for z in scene.zones for p in z.pieces if p.code}
    found: tuple[list[str], list[str], list[int]] = ([], [], [])
    for x in points:
        if x in choices:
            found[2].append(choices[x])
        elif x in zones:
            found[0].append(x)
        elif x in ids:
            found[1].append(x)
        elif x in codes:
            found[1].extend(p.id for z in scene.zones for p in z.pieces if p.code == x)
        else:
            all_ = [*zones, *ids, *choices, *codes]
            raise Failed(f"`point {x}`: there is no such zone, piece or choice{nearest(x, all_)}")
    return Pointed(tuple(found[0]), tuple(found[1]), tuple(found[2]))


# ---- whether a lesson fits the rules -------------------------------------------------------------
def check(game: Game, lesson: Lesson) -> int:
    """Plays a lesson along every branch. Gives how many decisions it took.

    Errors: Failed says what no longer fits, and in which line.
    """
    first, whole = lesson.seconds
    if first > SOON or whole > LONGEST:
        raise Failed(
            f"line {lesson.block.line}: it takes about {whole:.0f} seconds, {first:.0f} until the "
            f"first decision; {LONGEST:.0f} and {SOON:.0f} are enough: say less, or make two of it"
        )
    run, decisions, n = LessonRun(game, lesson), 0, lesson.block.line
    while not run.stop.is_end:
        _check_stop(run, n)
        word = NEXT
        if wanted := run.stop.wanted:
            n = wanted.line.n
            word, *others = _right(run)
            for other in others:
                branch = run._again()
                branch._take(other)
                decisions += _to_the_end(branch)
        run._take(word)
        decisions += 1
    _check_stop(run, n)
    run.end()
    if all(x.verb != "try" for x in lesson.block.lines):
        raise Failed(f"line {lesson.block.line}: the learner decides nothing: there is no `try`")
    return decisions


def check_help(game: Game, help: Mapping[str, Help]) -> None:
    """What is chosen for a newcomer can be chosen when that phase first comes, in some way to play.

    Errors: Failed.
    """
    for phase, (_, word) in help.items():
        asked = _first_asked(game, phase) if word else []
        if word and not asked:
            raise Failed(f"help {phase} = {word}: nobody is asked that in a match")
        for words in asked:
            if word not in words:
                raise Failed(f"help {phase} = {word}: that is none of {', '.join(words)}")


def _first_asked(game: Game, phase: str) -> list[list[str]]:
    """The legal words when a phase first comes, in each way to play in which it does."""
    found = list[list[str]]()
    for mode in game.modes or (None,):
        m = game.ruleset(mode.options if mode else {}).match(0)
        while m.to_act is not None and m.phase != phase and len(m.history) < EARLY:
            m.submit(m.to_act, m.legal_actions[0])
        if m.to_act is not None and m.phase == phase:
            found.append([m.word(a) for a in m.legal_actions])
    return found


def _to_the_end(run: LessonRun) -> int:
    """Takes the first right word everywhere. Gives the number of decisions."""
    n = 1
    while not run.stop.is_end:
        run._take(NEXT if run.stop.wanted is None else _right(run)[0])
        n += 1
    run.end()
    return n


def _right(run: LessonRun) -> list[str]:
    """What is right at this stop. Errors: Failed, if nothing is, or a word that is named is not
    legal.
    """
    wanted, words = run.stop.wanted, run.words
    assert wanted is not None, "there is nothing to decide"
    n = wanted.line.n
    if not words:
        raise Failed(f"line {n}: try: seat {run.seat} has nothing to decide here")
    for pattern in (*wanted.words, *(x for x, _ in wanted.wrong)):
        if not any(_matches(x, pattern) for x in words):
            raise Failed(f"line {n}: {pattern} is not legal here: {', '.join(words)}")
    right = run.right_words()
    if not right:
        named = next(x for x in words if any(_matches(x, y) for y in wanted.words))
        raise Failed(f"line {n}: try: nothing reaches the goal. {run.why_wrong(named)}")
    for pattern, _ in wanted.wrong:
        if all(x in right for x in words if _matches(x, pattern)):
            raise Failed(f"line {n}: wrong {pattern}: it is right")
    return right


def _check_stop(run: LessonRun, n: int) -> None:
    """What is said and pointed at fits. Errors: Failed."""
    try:
        pointed(run.table.scene(run.seat), run.stop.points)
    except Failed as e:
        raise Failed(f"line {n}: {e}") from None
    if not run.stop.says:
        raise Failed(f"line {n}: the coach says nothing at the next stop: `say` something")
