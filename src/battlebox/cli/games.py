"""Commands about the games: their options, their decks, scenarios of their rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from .. import games as list_games
from ..core import lesson as lessons
from ..core import scenario as scenarios
from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.table import nearest, read_text
from ..games import faults, open_game
from .arguments import FIRST, GameName


def games(
    game: Annotated[
        str, typer.Argument(help="Show only this game (its name or folder), with all its options.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """List the games, or one game with its options.

    [bold]battlebox games war_zone[/bold]                a game, with all its options
    [bold]battlebox games ./my_game[/bold]               the same of a game in a folder
    [bold]battlebox --games ~/my_games games[/bold]      also all games in that folder

    Games of others are those that are installed and those of --games. What is wrong with one that
    cannot be played stands below the list.
    """
    chosen = [open_game(name) for name in ([game] if game else list_games())]
    if as_json:
        typer.echo(json.dumps([_as_dict(g) for g in chosen], indent=2))
        return
    console = Console()
    for g in chosen:
        console.print(f"[bold]{g.name}[/bold]  {g.title}. {g.about}")
        if game:
            console.print(_options_table(g))
    for fault in () if game else faults():
        typer.echo(f"Left out: {fault}", err=True)


def _as_dict(game: Game) -> dict[str, Any]:
    """What programs are told of a game: its options as a JSON schema."""
    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "version": game.version,
        "human_defaults": dict(game.human_defaults),
        "options": game.options.model_json_schema(),
    }


def _options_table(game: Game) -> Table:
    """A game's options for people."""
    table = Table(box=None, pad_edge=False)
    table.add_column("option", no_wrap=True, min_width=max(map(len, game.options.model_fields)))
    for head in ("default", "values", "what it is"):
        table.add_column(head, overflow="fold")
    schema, group = game.options.model_json_schema()["properties"], ""
    for name, about in schema.items():
        if about.get("group", "") != group:
            group = about["group"]
            table.add_row(f"[bold]{group}[/bold]")
        default = str(about["default"])
        shown = default.lower() if about.get("type") == "boolean" else default
        if name in game.human_defaults:
            shown += f" (play, watch: {game.human_defaults[name]})"
        says = f"[bold]{about['title']}[/bold]: {about.get('description', '')}"
        table.add_row(name, shown, _values(about), says)
    return table


def _values(about: dict[str, Any]) -> str:
    """What an option may be, in words, from its JSON schema."""
    if about.get("type") == "boolean":
        return "true, false"
    names = {k: f"{k} ({v})" for k, v in about.get("names", {}).items()}
    single = about.get("enum") or about.get("examples")
    if single:
        return ", ".join(names.get(str(x), str(x)) for x in single)
    bounds = [f"{about['minimum']} .. {about['maximum']}"] if "maximum" in about else []
    return "; ".join([*bounds, *names.values()])


def deck(
    what: Annotated[
        str,
        typer.Argument(metavar="GAME | check", help="A game, to print one of its decks; or check."),
    ] = "",
    which: Annotated[
        str,
        typer.Argument(
            metavar="NAME | FILE",
            help="After a game: the name of a deck; default: the usual one. After check: your "
            "deck file.",
        ),
    ] = "",
    game: Annotated[
        str, typer.Option(help="With check: the game of the deck, if the file does not show it.")
    ] = "",
) -> None:
    """Make decks of your own: print one to start from, check the one you made.

    [bold]battlebox deck war_zone > my.toml[/bold]        a deck, each key explained
    [bold]battlebox deck check my.toml[/bold]             every mistake in it, with its line
    [bold]battlebox play war_zone deck=my.toml[/bold]     plays it

    A deck is a text file that you can change with any editor. In
    Battleball it is a team: the names of the pieces, their dice, stored
    lineups. Without arguments: lists the decks that come with the games.
    """
    from .. import decks

    if what == "check":
        if not which:
            raise BattleboxError("name the file to check, as in battlebox deck check my.toml")
        typer.echo(decks.check(Path(which), open_game(game) if game else None))
        return
    if game:
        raise BattleboxError("--game goes with deck check; write battlebox deck GAME [NAME]")
    if what:
        typer.echo(decks.template(open_game(what), which), nl=False)
        return
    for name, there in decks.listed().items():
        typer.echo(f"{name}: {', '.join(there)}")


def scenario(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(help="Scenario files (*.scn).")],
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print only failures and the last line.")
    ] = False,
) -> None:
    """Run rules tests written as scenarios; exit status 1 if one fails.

    CONTRIBUTING.md explains the format; scenarios.scn of each game shows it.
    """
    chosen = open_game(game)
    passed = failed = 0
    for path in files:
        text = read_text(path)
        try:
            found = scenarios.parse(text)
        except BattleboxError as e:
            raise BattleboxError(f"{path}: {e}") from None
        for sc in found:
            try:
                scenarios.run(chosen, sc)
            except scenarios.Failed as e:
                failed += 1
                typer.echo(f"FAILED {sc.id} {sc.title}\n  {path}: {e}")
            else:
                passed += 1
                if not quiet:
                    typer.echo(f"passed {sc.id} {sc.title}")
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)


def learn(
    game: GameName = FIRST,
    lesson: Annotated[
        str, typer.Argument(help="Begin with this lesson, such as WZ-L3. Default: the first.")
    ] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the lessons, and end.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Take every lesson along every branch, and end.")
    ] = False,
) -> None:
    """Learn a game by playing: short lessons with a coach, no rules to read before.

    [bold]battlebox learn war_zone[/bold]            from the first lesson on
    [bold]battlebox learn war_zone WZ-L3[/bold]      from this one on
    [bold]battlebox learn war_zone --list[/bold]     what there is to learn

    `--check` is for who writes lessons: it takes each along every branch by the rules as they are,
    and ends with status 1 if one no longer fits them.
    """
    chosen = open_game(game)
    found = lessons.taught(chosen).lessons
    if not found:
        raise BattleboxError(
            f"{chosen.title} has no lessons yet; battlebox play {game} shows its rules with r"
        )
    if check:
        _check_lessons(chosen, found)
    if listed:
        for x in found:
            typer.echo(f"{x.id:<8} {x.title}" + (f"  ({x.chapter})" if x.chapter else ""))
        return
    ids = [x.id for x in found]
    if lesson and lesson.upper() not in ids:
        raise BattleboxError(
            f"{chosen.title} has no lesson {lesson!r}{nearest(lesson.upper(), ids)}; "
            f"battlebox learn {game} --list names them all"
        )
    from ..terminal import learn as take

    take(chosen, found[ids.index(lesson.upper()) if lesson else 0 :])


def _check_lessons(game: Game, found: Sequence[lessons.Lesson]) -> None:
    """Says of each whether it fits the rules, and ends the command."""
    passed = failed = 0
    for x in found:
        try:
            lessons.check(game, x)
        except (scenarios.Failed, BattleboxError) as e:
            failed += 1
            typer.echo(f"FAILED {x.id} {x.title}\n  {game.folder / lessons.LESSONS}: {e}")
        else:
            passed += 1
            typer.echo(f"passed {x.id} {x.title}")
    try:
        lessons.check_help(game, lessons.taught(game).help)
    except scenarios.Failed as e:
        failed += 1
        typer.echo(f"FAILED help\n  {game.folder / lessons.LESSONS}: {e}")
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)
