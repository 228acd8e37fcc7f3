"""Commands for who writes a game: one to start from, and whether it is right."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ..core.errors import BattleboxError
from .arguments import GameName, Options

if TYPE_CHECKING:
    from ..testing import Failure


def new_game(
    name: Annotated[
        str,
        typer.Argument(help="What the folder is called, and the game in commands, such as duel."),
    ],
    title: Annotated[
        str, typer.Option(help="What people call the game. Default: made from the name.")
    ] = "",
    into: Annotated[Path, typer.Option(metavar="DIR", help="Where the folder is made.")] = Path(),
    package: Annotated[
        bool,
        typer.Option("--package", help="Make a package to install and give to others, with tests."),
    ] = False,
) -> None:
    """Make a game of your own: a folder with a small complete game to change.

    [bold]battlebox new-game duel[/bold]                        the folder duel
    [bold]battlebox new-game duel --title "Duel at Dawn"[/bold]
    [bold]battlebox play ./duel[/bold]                          plays it
    [bold]battlebox check ./duel[/bold]                         is everything right?

    It is a card game of a minute, High card, under your name. Change
    rules.py and README.md as you like, play, check, and go on.
    """
    from ..new_game import new_game as write

    typer.echo(write(name, title, into, package=package))


def dev(
    game: GameName,
    options: Options = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The match that is shown first. Default: 1.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="The port to listen on. Default: 8785, or the next free one."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in your browser.")] = True,
) -> None:
    """Write a game with a browser beside your editor: each save is on the page at once.

    [bold]battlebox dev ./my_game[/bold]                     opens the page
    [bold]battlebox dev ./my_game players=3 --seed 7[/bold]  this match of three

    The page shows one match, step by step: the table as every seat sees
    it, the whole state beside what each seat knows, what is hidden from
    whom, who was told what. Choose actions yourself, or let bots play.
    Save a file, and the same match is played by the new rules: as far as
    they allow it, or with the error in its place.

    From any position you can save a scenario. The checks of `battlebox
    check` run in the background, and again after each save once you have
    run them; one that fails opens at its decision.

    Everything runs on the plain build, so nothing is compiled. Bots think
    less than elsewhere: that build is slow. The page shows what no player
    may see, so only this machine can open it.
    """
    from ..dev.serve import serve

    with suppress(KeyboardInterrupt):
        serve(game, options or (), seed=seed, port=port, browser=browser, say=typer.echo)


def check(
    game: GameName,
    options: Options = None,
    matches: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Random matches of each kind. Default: some hundred decisions in each of 16 ways "
            "to play.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first random match.")] = 0,
    compiled: Annotated[
        bool,
        typer.Option(
            "--compiled",
            help="Check the compiled build, too, on which bots play: many more matches, in every "
            "way to play. Compiling takes a minute or two.",
        ),
    ] = False,
    page: Annotated[
        bool | None,
        typer.Option(
            "--page/--no-page",
            help="Look at the page in a browser: half a minute for each way to play. Default: if "
            "there is a browser that can be used.",
        ),
    ] = None,
) -> None:
    """Check a game: its rules, scenarios and README, and the laws that every game obeys.

    [bold]battlebox check ./my_game[/bold]                            all of it
    [bold]battlebox check ./my_game --no-page[/bold]                  seconds
    [bold]battlebox check ./my_game --compiled[/bold]                 also as bots play it
    [bold]battlebox check ./my_game players=3 --matches 1000[/bold]   with these options

    Do all options load? Does every scenario hold, and is every rule of
    README.md shown by one? Then random matches: does each of them end,
    is no card lost, does nobody learn what is hidden from them, does
    every word and position read as it was written, is everything said in
    sentences? And the page, on phones and large screens: is nothing
    covered, cut or out of view?

    What is wrong is shown with its place, and with what to do about it.
    Exit status 0: all is well; 1: something is wrong; 2: there is no such
    game.
    """
    from ..testing import Effort, Failure, checks_of
    from ..testing.layout import missing

    install = "" if page is False else missing()
    if page and install:
        raise BattleboxError(f"--page: there is no browser that can be used; first {install}")
    looks = page is not False and not install
    checks = checks_of(game, Effort(matches, seed, compiled, tuple(options or ()), looks))
    results = list[bool]()
    with Console(stderr=True).status("") as status:
        for group, members in groupby(checks, lambda x: x.group):
            failures, count, mine = list[Failure](), 0, list(members)
            for k, one in enumerate(mine):
                status.update(f"{group.title}: {k + 1} of {len(mine)}")
                try:
                    count += one()
                except Failure as e:
                    failures.append(e)
                    if group.is_played:
                        break
            results.append(not failures)
            typer.echo(_shown(group.title, group.counted(count), failures))
    typer.echo(_verdict(results, compiled, install))
    raise typer.Exit(0 if all(results) else 1)


MOST = 5  # failures of a group that are shown


def _shown(title: str, counted: str, failures: Sequence[Failure]) -> str:
    """A group of checks, as a line, and what failed in it."""
    if not failures:
        return f"passed  {title}{counted}"
    lines = [f"FAILED  {title}"]
    for failure in failures[:MOST]:
        said = f"{failure.where}: {failure.what}" if failure.where else failure.what
        lines.append(textwrap.indent(said, " " * 8))
        lines.append(textwrap.indent(failure.hint, " " * 10))
    if len(failures) > MOST:
        lines.append(f"        and {len(failures) - MOST} more")
    return "\n".join(filter(None, lines)).replace(f"{Path.cwd()}{os.sep}", "")


def _verdict(results: Sequence[bool], compiled: bool, install: str) -> str:
    """The last line. install: what is missing to look at the page."""
    if not all(results):
        return f"failed: {results.count(False)} of {len(results)}"
    more = [] if compiled else ["Bots play on the compiled build: --compiled checks that, too."]
    more += [f"The page was not looked at: {install}"] if install else []
    return " ".join(["passed." if more else "passed", *more])
