"""What several commands take and show: a game with its options, a seed, a bar of progress."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..core.game import Ruleset, parse_options
from ..games import NAMES, open_game

if TYPE_CHECKING:
    from ..arena import Progress

FIRST = NAMES[0]
# the levels once more, as importing them takes a second; a test compares
BOTS = (
    "random, easy, medium, hard, quick, expert, champion, so-ismcts:N, policy:FILE, policy+N:FILE, "
    "FILE.py, llm:COMMAND, URL#MODEL"
)
GameName = Annotated[
    str,
    typer.Argument(
        help=f"One of: {', '.join(NAMES)}; another that `battlebox games` lists; or the folder of "
        "a game, such as ./my_game."
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME=VALUE]...",
        help="Options of the game, such as players=3; `battlebox games GAME` lists them.",
    ),
]
Seed = Annotated[
    int | None, typer.Option(help="Play this deal: the same seed deals the same cards and dice.")
]
FirstSeed = Annotated[
    int, typer.Option(help="Seed of the first deal; each following deal takes the next number.")
]
Think = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="Time limit for each decision of a bot of yours (a file, a program, a model); a bot "
        "that takes longer forfeits the match. It is real time, so a busy machine counts. Default: "
        "no limit.",
    ),
]
Workers = Annotated[int, typer.Option(min=0, help="Number of processes; 0: one for each core.")]
MatchFile = Annotated[str, typer.Argument(help="A saved match; `last` is the one you played last.")]


def ruleset(
    name: str, words: Sequence[str] | None, *, human: bool = False, toy: bool = False
) -> Ruleset:
    """The game with these NAME=VALUE options; for people with the options they start from, or with
    those of the toy ruleset.

    A name that is an option leaves the first game: `battlebox play players=4`.
    """
    if re.match(r"\w+=", name):
        name, words = FIRST, [name, *(words or ())]
    game = open_game(name)
    usual = game.human_defaults if human else game.toy_options() if toy else {}
    start = {k: str(v) for k, v in usual.items()}
    return game.ruleset({**start, **parse_options(game, words or ())}, strings=True)


def is_option(word: str) -> bool:
    """Whether a word among those of bots is an option of the game, NAME=VALUE."""
    return re.match(r"[\w.]+=", word) is not None


def bot_maker(think: float | None) -> Callable[[str, Ruleset, int], Any]:
    """What makes a bot by its word, the ruleset and its seed, with such a time limit."""

    def make(word: str, rules: Ruleset, seed: int) -> Any:
        from ..bots import bot

        return bot(word, rules, seed=seed, think=think)

    return make


# ---- progress ------------------------------------------------------------------------------------
_LOST = "nothing that was played is saved; --out FILE saves it"


@contextmanager
def saved_progress(title: str, out: Path | None) -> Iterator[Progress]:
    """A bar for matches that are kept in a file. Ctrl-C leaves a line that says so."""
    try:
        with progress_bar(title) as show:
            yield show
    except KeyboardInterrupt:
        kept = f"{out} keeps what was played; run the same command to go on" if out else _LOST
        typer.echo(f"Stopped: {kept}.", err=True)
        raise


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A bar on stderr, as a function to report to."""
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), speed_estimate_period=600)
    task = bar.add_task(title, total=None)
    with ExitStack() as shown:

        def report(count: int, expected: int | None) -> None:
            if not bar.live.is_started:  # not before: what is wrong is refused without a bar
                shown.enter_context(bar)
            bar.update(task, completed=count, total=expected)

        yield report
