"""The list of all checks of a game, for the command `check` and for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from ..core.errors import GameError
from ..core.game import Game, parse_options
from ..games import open_game
from . import choices, matches, rulebook
from .failure import Failure, in_words
from .matches import PARTS, Effort


class Group(Enum):
    """What checks are about, and what each of them counts: a line of `battlebox check` each."""

    RULES = "The rules build", ""
    OPTIONS = "Options, modes and numbers of players", "way to play|ways to play"
    DECKS = "Decks", "deck|decks"
    SCENARIOS = "Scenarios", "scenario|scenarios"
    LESSONS = "Lessons, along every branch", "decision|decisions"
    README = "README.md: every rule is shown, every id known, every option listed", "rule|rules"
    ENDS = "Every match ends", "match|matches"
    LAWS = "Nothing is lost, and nobody learns what is hidden", "decision|decisions"
    LOOKS = "Words, positions, scenes, sentences, undo, records", "decision|decisions"
    PAGE = "The page: nothing is covered, cut or out of view", "view|views"

    @property
    def title(self) -> str:
        """What it is called."""
        return self.value[0]

    @property
    def is_played(self) -> bool:
        """Its checks play matches: where one fails, others fail for the same reason."""
        return self in (Group.ENDS, Group.LAWS, Group.LOOKS)

    def counted(self, n: int) -> str:
        """So many of what it counts: "(1,204 decisions)"."""
        one, _, many = self.value[1].partition("|")
        return f" ({n:,} {one if n == 1 else many})" if n and one else ""


@dataclass(frozen=True)
class Check:
    """One thing that every game must keep. Call it: it gives how many it looked at.

    str: its name, as tests show it. compiled: it compiles the game. slow: it takes a while.
    Errors of the call: Failure.
    """

    group: Group
    name: str
    game: Game | None  # None: it could not be loaded
    run: Callable[[], int]
    compiled: bool = False
    slow: bool = False

    def __call__(self) -> int:
        try:
            return self.run()
        except Failure:
            raise
        except Exception as e:
            if self.game is None:
                raise Failure(str(e)) from e
            raise in_words(e, self.game.folder) from e

    def __str__(self) -> str:
        return self.name


def checks_of(game: str | Game, effort: Effort = Effort()) -> list[Check]:  # noqa: B008
    """All checks of a game: in tests/test_game.py,

        @pytest.mark.parametrize("check", checks_of("./src/my_game"), ids=str)
        def test_game(check: Check) -> None:
            check()

    game: a name, the path of a folder, or a `GAME`. A game that cannot be loaded is one check,
    which fails.

    Errors: RulesetError if there is no such game, or option.
    """
    try:
        found = open_game(game) if isinstance(game, str) else game
        found.ruleset(parse_options(found, effort.options), strings=True)
        return list(_checks(found, effort))
    except GameError as e:
        return [Check(Group.RULES, "the rules build", None, partial(_fail, e))]


def _fail(error: Exception) -> int:
    raise error


def _checks(game: Game, effort: Effort) -> Iterator[Check]:
    def check(group: Group, name: str, run: Callable[..., int], *args: Any, **more: bool) -> Check:
        return Check(group, name, game, partial(run, game, *args), **more)

    yield check(Group.RULES, "the rules build", _builds)
    yield check(Group.OPTIONS, "every way to play loads", choices.every_way_to_play_loads)
    yield check(Group.OPTIONS, "options are explained", choices.every_option_is_explained)
    yield check(Group.OPTIONS, "cards and pieces are shown", choices.what_is_played_with_is_shown)
    for path in game.decks.values():
        yield check(Group.DECKS, f"the deck {path.stem} is right", choices.deck_is_right, path)
    found = None
    try:
        found = rulebook.scenarios(game)
    except Failure as e:
        yield Check(Group.SCENARIOS, "scenarios are well formed", game, partial(_fail, e))
    else:
        for sc in found:
            yield check(Group.SCENARIOS, f"scenario {sc.id}", rulebook.run_scenario, sc)
    try:
        taught = rulebook.lessons(game)
    except Failure as e:
        yield Check(Group.LESSONS, "lessons are well formed", game, partial(_fail, e))
    else:
        for lesson in taught:
            yield check(Group.LESSONS, f"lesson {lesson.id}", rulebook.take_lesson, lesson)
    if found is not None:
        about = "scenarios name known rules"
        yield check(Group.README, about, rulebook.scenarios_name_known_rules)
        yield check(Group.README, "every rule is shown", rulebook.every_rule_is_shown)
    for file in rulebook.texts(game):
        about = f"{file.name} names known rules"
        yield check(Group.README, about, rulebook.every_id_is_known, file)
    yield check(Group.README, "every option is listed", rulebook.every_option_is_listed)
    how = {"compiled": effort.compiled, "slow": effort.compiled}
    for group, name, run in (
        (Group.ENDS, "matches end", matches.ended),
        (Group.LAWS, "the laws hold in bulk", matches.audited),
        (Group.LOOKS, "the laws hold in depth", matches.looked_at),
    ):
        if not (effort.compiled and group is Group.ENDS):  # whole matches are played in bulk
            for part in range(PARTS):
                about = f"{name}, part {part + 1} of {PARTS}"
                yield check(group, about, run, effort, part, **how)
    if effort.compiled:
        name = "the laws hold at other sizes"
        yield check(Group.LAWS, name, matches.audited_at_other_sizes, slow=True)
    if effort.page:
        from . import layout

        for course in layout.courses_of(game, effort.seed + 1, given=effort.options):
            about = f"everything lies right, {course}"
            yield check(Group.PAGE, about, layout.everything_lies_right, course, slow=True)


def _builds(game: Game) -> int:
    game.build(compiled=False)
    return 1
