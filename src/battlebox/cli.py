"""The command line: parses and delegates."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from . import games as list_games
from .core import scenario as scenarios
from .core.errors import BattleboxError, RecordError, RulesetError
from .core.fair import Fair
from .core.fair import commitment as commitment_to
from .core.game import Game, Ruleset, parse_options
from .core.match import Match
from .core.table import read_text
from .games import find
from .version import __version__

if TYPE_CHECKING:
    from .arena import Progress

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)

FIRST = list_games()[0]
# the levels once more, as importing them takes a second; a test compares
BOTS = "random, easy, medium, hard, expert, champion, search:N, FILE.py"
GameName = Annotated[str, typer.Argument(help=f"One of: {', '.join(list_games())}.")]
Options = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME=VALUE]...",
        help="Options of the game, such as players=3; `battlebox games GAME` lists them.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Play this deal; the same seed deals the same.")]
FirstSeed = Annotated[int, typer.Option(help="Of the first deal; each has the next one.")]
Think = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="How long a bot from a file may take for a decision; who takes longer forfeits the "
        "match. By the clock, so a busy machine counts. Usually no limit.",
    ),
]
Workers = Annotated[int, typer.Option(min=0, help="Processes; 0: one for each core.")]


def ruleset(name: str, words: Sequence[str] | None, *, human: bool = False) -> Ruleset:
    """The game with these NAME=VALUE options; for people with the options they start from.

    A name that is an option leaves the first game: `battlebox play players=4`.
    """
    if "=" in name:
        name, words = FIRST, [name, *(words or ())]
    game = find(name)
    start = {k: str(v) for k, v in game.human_defaults.items()} if human else {}
    return game.ruleset({**start, **parse_options(game, words or ())}, strings=True)


def _maker(think: float | None) -> Callable[[str, Ruleset, int], Any]:
    """What makes a bot by its word, the ruleset and its seed, with such a time limit."""

    def make(word: str, rules: Ruleset, seed: int) -> Any:
        from .bots import bot

        return bot(word, rules, seed=seed, think=think)

    return make


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"battlebox {__version__}")
        raise typer.Exit


@app.callback()
def serve(
    context: typer.Context,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Let others in your network play; shows the address and its QR code."
        ),
    ] = False,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; usually 8765, or the next that is free."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the matches; usually your data folder.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page.")] = True,
    public_url: Annotated[
        str,
        typer.Option(help="The address by which others reach it: https://example.org/games/."),
    ] = "",
    trusted_proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS[,NETWORK...]",
            help="Proxies that are believed when they say who asks, as in 127.0.0.1,10.0.0.0/8.",
        ),
    ] = "",
    workers: Annotated[
        int, typer.Option(help="Processes that share the matches, for many players at once.")
    ] = 1,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            help="Delete matches in which nothing has happened for so many days; usually none is.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say the version and stop."
        ),
    ] = False,
) -> None:
    """Five battle games of the tabletop in one box.

    Without a command: serves the games to your browser, for you, bots and friends.

    [bold]battlebox --lan[/bold]     lets friends in your network play, too
    [bold]battlebox play[/bold]      plays at this terminal instead
    """
    if context.invoked_subcommand is not None:
        given = [
            p
            for p in context.params
            if getattr(context.get_parameter_source(p), "name", "") == "COMMANDLINE"
        ]
        if given:
            option = "--" + given[0].replace("_", "-")
            raise BattleboxError(
                f"{option} is for `battlebox` without {context.invoked_subcommand}"
            )
        return
    from .server.serve import serve as serve_matches

    with suppress(KeyboardInterrupt):  # before it was ready
        serve_matches(
            host=host,
            port=port,
            lan=lan,
            data=data,
            browser=browser,
            public_url=public_url,
            trusted_proxy=trusted_proxy,
            workers=workers,
            keep_days=keep,
        )
    sys.stdout.flush()
    os._exit(0)  # all is on disk; a thread that still compiles would keep us waiting


@app.command()
def play(
    game: GameName = FIRST,
    options: Options = None,
    seats: Annotated[
        str | None,
        typer.Option(help="Who sits where, human or a bot, as in human,easy,my_bot.py."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(help=f"What all bots are: {BOTS}; usually medium."),
    ] = None,
    people: Annotated[
        int | None, typer.Option(min=0, help="How many people play at this terminal; usually 1.")
    ] = None,
    seed: Seed = None,
    think: Think = None,
    save: Annotated[Path | None, typer.Option(help="The match's file.")] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on with the match of this file, or with the last one: last; others "
            "can take the seats."
        ),
    ] = None,
) -> None:
    """Play a match: you against bots, or several people at one terminal.

    [bold]battlebox play war_zone players=4 --bots easy[/bold]    you and three easy bots
    [bold]battlebox play war_zone players=3 --people 2[/bold]     two people, one bot
    [bold]battlebox play medieval --bots my_bot.py[/bold]         a bot of your own
    """
    from .terminal import play as play_match
    from .terminal import resume as go_on

    who = [x.strip() for x in seats.split(",")] if seats else None
    if resume is not None:
        other = any(x is not None for x in (bots, people, seed, save))
        if options or other or game != FIRST:
            raise RulesetError("--resume goes on with a match as it is: give only --seats")
        go_on(resume, who, bots=_maker(think))
        return
    if seats is not None and (bots is not None or people is not None):
        raise RulesetError("--seats names every seat: leave out --bots and --people")
    people, bots = 1 if people is None else people, bots or "medium"
    rules = ruleset(game, options, human=True)
    if people > rules.players:
        raise RulesetError(f"--people {people}: there are {rules.players} seats; say players=N")
    usual = ["human"] * people + [bots] * (rules.players - people)
    play_match(rules, who or usual, seed, save_path=save, bots=_maker(think))


@app.command()
def watch(
    game: GameName = FIRST,
    options: Options = None,
    seats: Annotated[str, typer.Option(help="The bots by seat, as in hard,easy.")] = "",
    bots: Annotated[str, typer.Option(help=f"What all bots are: {BOTS}.")] = "medium",
    seed: Seed = None,
    think: Think = None,
    pace: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds a move; 0 shows it all at once.")
    ] = 1.0,
) -> None:
    """Watch bots play each other.

    [bold]battlebox watch war_zone players=4 --bots hard[/bold]   four hard bots
    [bold]battlebox watch --seats hard,easy --pace 0[/bold]       the whole match at once
    """
    from .terminal import watch as watch_match

    rules = ruleset(game, options, human=True)
    who = [x.strip() for x in seats.split(",")] if seats else [bots] * rules.players
    watch_match(rules, who, seed, pace=pace, bots=_maker(think))


@app.command()
def join(
    link: Annotated[str, typer.Argument(help="The link of a match, as you were sent it.")],
    name: Annotated[
        str | None, typer.Option(help="Your name at the table; you are asked if it is left out.")
    ] = None,
) -> None:
    """Join a match on a server by its link: play it at this terminal, or watch it.

    [bold]battlebox join http://192.168.0.7:8765/match/k3v9#TOKEN[/bold]   plays a seat
    [bold]battlebox join http://192.168.0.7:8765/match/k3v9[/bold]         watches

    You type what you type in `battlebox play`, and among people:
    u asks to take back what you did last, draw offers a draw, resign
    gives up, y and n answer what others ask. A connection that breaks
    is opened again by itself. After q or Ctrl-C the same command brings
    you back to your seat.
    """
    from .terminal.join import join as join_match

    join_match(link, name)


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="A saved match, or last, the one played last.")],
    seat: Annotated[
        int | None, typer.Option(min=0, help="Show it as this seat saw it; else as a spectator.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print every move at once.")] = False,
) -> None:
    """Step through a saved match: forward, back, to any move.

    [bold]battlebox replay last[/bold]            the match played last
    [bold]battlebox replay last --seat 1[/bold]   as seat 1 saw it
    """
    from .terminal import read_match
    from .terminal import replay as show

    _, match, who = read_match(file)
    if seat is not None and seat >= match.rules.players:
        raise BattleboxError(f"--seat {seat}: the seats are 0 .. {match.rules.players - 1}")
    show(match, seat, all=all, who=who)


@app.command()
def review(
    file: Annotated[str, typer.Argument(help="A saved match, or last, the one played last.")],
    seat: Annotated[
        int | None, typer.Option(min=0, help="Only this seat; else all, and you in detail.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the searches.")] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="Every decision, not only those that cost most.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs, with every move.")] = False,
) -> None:
    """Luck and skill of a match: what moved the chances, and what champion would have played.

    [bold]battlebox review last[/bold]                  how your last match went
    [bold]battlebox review last --seat 1 --all[/bold]   every decision of seat 1

    Before each decision a search says what a seat could expect, and what
    the decision gave away, by nothing but what whoever decided knew then.
    The rest is luck: dice, cards, what came to light. So the parts add up,
    and whoever plays as champion would has given away nothing, however it
    ended. Differences that may be chance of the search count as none; the
    same seed finds the same. It takes seconds, or with many players a
    minute or two; Ctrl-C stops it.

    Chances are those of winning the match; of games in rounds, of winning
    the round, and in the last one the match. Whoever reads it learns what
    was hidden, of a match that is not over, too.
    """
    from .terminal import read_match
    from .terminal import review as show

    _, match, who = read_match(file)
    show(match, seat, who=who, seed=seed, every=every, as_json=as_json)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="A saved match, or last, the one played last.")],
    commitment: Annotated[
        str, typer.Option(help="The commitment you were shown when the match began.")
    ] = "",
) -> None:
    """Prove a match file: every die and shuffle, every move, the result.

    A server deals a match from a secret. It commits to the secret before the first card, by its
    SHA-256, and shows it after the end. If an outcome was changed afterwards, the first one that is
    false is named. Exit status 2 if anything is.
    """
    from .terminal import read_match

    path, match, _ = read_match(file)
    try:
        typer.echo(proof(match, commitment.strip().lower()))
    except RecordError as e:
        raise RecordError(f"{path}: {e}") from None


def proof(match: Match, commitment: str) -> str:
    """What a record that was read proves. Errors: RecordError, if the commitment was another."""
    moves = f"{len(match.history)} moves, each legal; it ends as the file says."
    if not isinstance(match.chance, Fair):
        if commitment:
            raise RecordError("this match was dealt from a seed: there is no commitment")
        return f"True, from seed {match.seed} (which was chosen, not committed to). {moves}"
    made = commitment_to(match.chance.secret)
    if commitment and commitment != made:
        raise RecordError(f"the secret is that of the commitment {made}, not of {commitment}")
    kept = "It fits the commitment you were shown." if commitment else f"The commitment was {made}."
    drawn = f"all {match.chance.count} dice and shuffles derive from the secret"
    return f"True: {drawn}. {kept} {moves}"


@app.command()
def scenario(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(help="Scenario files (*.scn).")],
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Only failures and the last line.")
    ] = False,
) -> None:
    """Run rules tests written as scenarios; exit status 1 if one fails.

    The format is explained in CONTRIBUTING.md, and by the scenarios.scn of each game.
    """
    chosen = find(game)
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


@app.command()
def games(
    game: Annotated[str, typer.Argument(help="Only this game, with all its options.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the games, or one game with its options."""
    chosen = [find(name) for name in ([game] if game else list_games())]
    if as_json:
        typer.echo(json.dumps([as_dict(g) for g in chosen], indent=2))
        return
    console = Console()
    for g in chosen:
        console.print(f"[bold]{g.name}[/bold]  {g.title}. {g.about}")
        if game:
            console.print(options_table(g))


def as_dict(game: Game) -> dict[str, Any]:
    """What programs are told of a game: its options as a JSON schema."""
    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "version": game.version,
        "human_defaults": dict(game.human_defaults),
        "options": game.options.model_json_schema(),
    }


def options_table(game: Game) -> Table:
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
        shown = default.lower() if about["type"] == "boolean" else default
        if name in game.human_defaults:
            shown += f" (play, watch: {game.human_defaults[name]})"
        says = f"[bold]{about['title']}[/bold]: {about.get('description', '')}"
        table.add_row(name, shown, values_of(about), says)
    return table


def values_of(about: dict[str, Any]) -> str:
    """What an option may be, in words, from its JSON schema."""
    if about["type"] == "boolean":
        return "true, false"
    names = {k: f"{k} ({v})" for k, v in about.get("names", {}).items()}
    single = about.get("enum") or about.get("examples")
    if single:
        return ", ".join(names.get(str(x), str(x)) for x in single)
    bounds = [f"{about['minimum']} .. {about['maximum']}"] if "maximum" in about else []
    return "; ".join([*bounds, *names.values()])


@app.command()
def deck(
    what: Annotated[
        str, typer.Argument(metavar="GAME | check", help="A game, to print a deck of it; or check.")
    ] = "",
    which: Annotated[
        str,
        typer.Argument(
            metavar="NAME | FILE",
            help="Of a game: which of its decks, usually the default one. Of check: your file.",
        ),
    ] = "",
    game: Annotated[str, typer.Option(help="Of check: the game it is for; usually it shows.")] = "",
) -> None:
    """Decks of your own: print one to start from, check the one you made.

    [bold]battlebox deck war_zone > my.toml[/bold]        a deck, each key explained
    [bold]battlebox deck check my.toml[/bold]             all that is wrong with it, with lines
    [bold]battlebox play war_zone deck=my.toml[/bold]     plays it

    A deck is a text file that you change with any editor. In Battleball
    it is a team: the names of the pieces, their dice, stored lineups.
    Without arguments: lists the decks that come with the games.
    """
    from . import decks

    if what == "check":
        if not which:
            raise BattleboxError("deck check: which file? As in battlebox deck check my.toml")
        typer.echo(decks.check(Path(which), find(game) if game else None))
        return
    if game:
        raise BattleboxError("--game goes with deck check; write battlebox deck GAME [NAME]")
    if what:
        typer.echo(decks.template(find(what), which), nl=False)
        return
    for name, there in decks.listed().items():
        typer.echo(f"{name}: {', '.join(there)}")


@app.command()
def arena(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT [BOT]... [NAME=VALUE]...",
            help=f"{BOTS}: levels, the weakest first, a search with N simulations a "
            "decision, or FILE.py, FILE.py:NAME, a bot of yours; then options of the game.",
        ),
    ],
    matches: Annotated[
        int | None,
        typer.Option(
            min=2, help="How many matches at most, in whole deals; usually 400, or no bound."
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.499,
            help="Stop when the share of each pair is known within this: 0.02 is ± 2 %.",
        ),
    ] = None,
    seed: FirstSeed = 0,
    think: Think = None,
    workers: Workers = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep the results here as they come; the same command goes on."),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the matches as CSV.")] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="The same as Parquet; needs battlebox\\[parquet].")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page, HTML.")] = None,
    ray: Annotated[
        bool,
        typer.Option(
            "--ray", help="Play on a Ray cluster, or on one begun here; needs battlebox\\[cluster]."
        ),
    ] = False,
    ray_address: Annotated[
        str | None,
        typer.Option(help="The cluster's address, as in HOST:6379; usually RAY_ADDRESS."),
    ] = None,
) -> None:
    """Measure bots against each other: series and tournaments.

    [bold]battlebox arena war_zone medium easy[/bold]                   seconds; hard takes minutes
    [bold]battlebox arena medieval easy search:100 search:400[/bold]    ratings, who beats whom
    [bold]battlebox arena war_zone hard medium --until 0.02 --out a.jsonl[/bold]
    [bold]battlebox arena war_zone hard my_bot.py[/bold]                yours

    Each deal is played once for each bot at the table, who move on by a
    seat in between. Ratings are Elo points; random, or else the first bot,
    has 0. Intervals are of 95 %; with --until they stay true however often
    you look, for nearly three times as many matches. A run with --out that
    was stopped, or killed, is gone on with by the same command, also with
    more --matches. The seed alone decides what is played, not who plays it:
    any number of workers and machines gives the same results.

    A FILE.py has a class that is made with (rules, seed); its
    choose(observation) gives the number of a legal action. The file's
    text goes to all workers, so it may import only what is installed.
    One that may never return needs --think: it is then ended, has lost
    the match, and the next one goes on.
    """
    from .arena import (
        Plan,
        check_files,
        pyarrow,
        standings,
        tournament,
        write_csv,
        write_page,
        write_parquet,
    )

    options = [w for w in words if "=" in w]
    plan = Plan(ruleset(game, options), tuple(w for w in words if "=" not in w), seed, think)
    check_files(out, csv, parquet, report)
    if parquet:
        pyarrow()
    with _kept_bar(", ".join(plan.names), out) as progress:
        results = tournament(
            plan,
            matches,
            until=until,
            workers=workers or None,
            ray=ray_address or (os.environ.get("RAY_ADDRESS") or "local" if ray else None),
            out=out,
            progress=progress,
        )
    typer.echo(standings(results))
    if csv:
        write_csv(results, csv)
    if parquet:
        write_parquet(results, parquet)
    if report:
        write_page(results, report, shlex.join(["battlebox", *sys.argv[1:]]))


_LOST = "nothing that was played is kept; --out FILE keeps it"


@contextmanager
def _kept_bar(title: str, out: Path | None) -> Iterator[Progress]:
    """A bar whose matches are kept in a file. Ctrl-C leaves a line that says so."""
    try:
        with _bar(title) as show:
            yield show
    except KeyboardInterrupt:
        kept = f"{out} keeps what was played, and the same command goes on" if out else _LOST
        typer.echo(f"Stopped: {kept}.", err=True)
        raise


@contextmanager
def _bar(title: str) -> Iterator[Progress]:
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


DATA = "The folder of the matches; usually your data folder."


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The new file; nothing is overwritten.")],
    data: Annotated[Path | None, typer.Option(help=DATA)] = None,
) -> None:
    """Save all matches of a server to one file, also while it runs.

    [bold]battlebox backup matches-monday.sqlite[/bold]

    The file holds the matches as they were at one moment, and was read once more to be sure. It
    holds the secrets of all seats, too: keep it to yourself. To go back to it, stop the server, put
    it in the place of matches.sqlite, and remove matches.sqlite-wal and matches.sqlite-shm.
    """
    from .server.serve import folder
    from .server.upkeep import backup as back_up

    with _bar("Backup") as progress:
        warning = back_up(data or folder(), file, progress)
    if warning:
        typer.echo(f"Warning: {warning}", err=True)
    typer.echo(f"{file}: {file.stat().st_size:,} bytes.")


@app.command()
def check(
    path: Annotated[
        Path | None,
        typer.Argument(help="The folder of a server's matches, or a backup; usually your data."),
    ] = None,
) -> None:
    """Check the matches of a server, or a backup: is the file whole, does every match replay?

    [bold]battlebox check[/bold]                         your own server's matches
    [bold]battlebox check matches-monday.sqlite[/bold]   a backup

    It changes nothing, and a server may be running. It names each damaged match and what is wrong.
    Exit status 0: all is well; 1: something is damaged; 2: there is nothing to check.
    """
    from .server.serve import folder
    from .server.upkeep import check as check_matches

    with _bar("Check") as progress:
        found = check_matches(path or folder(), progress)
    for line in found.damage:
        typer.echo(line)
    typer.echo(str(found))
    raise typer.Exit(1 if found.damage else 0)


@app.command()
def balance(
    game: GameName = FIRST,
    options: Options = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PATH=V1,V2",
            help="Compare these values instead: of an option, or of a number of the deck, as in "
            "deck.artillery.damage=5,6. Given again: every combination.",
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(help="Who plays: a level, or search:N; usually expert, with --set medium."),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(help="Of the main series, the others in proportion; with --set at most."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.499,
            help="With --set: stop when each difference is known within this; usually 0.05.",
        ),
    ] = None,
    seed: FirstSeed = 0,
    workers: Workers = 0,
    out: Annotated[
        Path | None, typer.Option(help="The page; usually balance-GAME.html, here.")
    ] = None,
) -> None:
    """Measure a game, and write what was found as a page: minutes.

    [bold]battlebox balance war_zone players=4[/bold]                    all there is to know
    [bold]battlebox balance war_zone --matches 100[/bold]                sooner, less certain
    [bold]battlebox balance war_zone --set deck.artillery.damage=4,6[/bold]   side by side

    Who wins, by seat; how long it takes; draws, changes of the lead,
    comebacks; what more thought wins, and what luck decides; how often
    each move, card, event and rule is used; what each card is worth; what
    each option does. What stands out is said first. With --set, variants
    are played on the same deals until it is certain whether the first seat
    wins more often; of a card whose number differs it is said how its use,
    its wins and its worth change. A run that was stopped, or killed, is
    gone on with by the same command: until the page is written, a file
    beside it keeps what was played. The seed decides what is played: the
    same command finds the same on any machine.
    Needs matplotlib, of battlebox\\[balance].
    """
    from .arena import balance as study_of
    from .arena import check_files

    rules = ruleset(game, options)
    wanted = [study_of.read_setting(word) for word in settings or ()]
    if until is not None and not wanted:
        raise RulesetError("--until says when a comparison stops: it goes with --set")
    study = study_of.Study(rules, bots or ("medium" if wanted else "expert"), seed, matches)
    variants = study_of.variants(rules, wanted)
    path = out or Path(f"balance-{rules.name}.html")
    kept = path.with_suffix(".jsonl")  # while it is not finished
    check_files(path, kept)
    study_of.matplotlib()
    command, n = shlex.join(["battlebox", *sys.argv[1:]]), workers or None
    with _kept_bar(rules.game.title, kept) as progress:
        if wanted:
            found = study_of.compare(
                study,
                variants,
                until=until or 0.05,
                paths=[s.path for s in wanted],
                workers=n,
                out=kept,
                progress=progress,
            )
            text, lines = study_of.page_of_variants(found, command), [*study_of.verdicts(found)]
        else:
            findings = study_of.Findings(
                study, study_of.measure(study, workers=n, out=kept, progress=progress)
            )
            text, lines = study_of.page(findings, command), study_of.verdict(findings)
        study_of.write(text, path)
    kept.unlink()
    for line in lines:
        typer.echo(line)
    typer.echo(f"{path} has all of it.")


@app.command()
def tune(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH=LOW..HIGH [PATH=LOW..HIGH]... [NAME=VALUE]...",
            help="What to search, options or numbers of the deck, as in "
            "deck.artillery.damage=1..10; then options of the game.",
        ),
    ],
    target: Annotated[
        list[str],
        typer.Option(
            metavar="MEASURE=VALUE",
            help="What it is to be like: seat (wins of who has the first turn, 0.5), draws (0 .. "
            "1), turns, decisions (in the median). Several: all of them.",
        ),
    ],
    trials: Annotated[int, typer.Option(min=1, help="How many decks to try, in all.")] = 50,
    matches: Annotated[int | None, typer.Option(help="Of each trial; usually 200.")] = None,
    bots: Annotated[str, typer.Option(help="Who plays: a level, or search:N.")] = "medium",
    seed: Annotated[int, typer.Option(help="Of the first deal, and of what is tried.")] = 0,
    workers: Workers = 0,
    out: Annotated[
        Path | None, typer.Option(help="Keep the trials here; the same command goes on.")
    ] = None,
) -> None:
    """Search the numbers of a game for what it is to be like.

    [bold]battlebox tune war_zone deck.artillery.damage=1..10 --target seat=0.5[/bold]
    [bold]battlebox tune war_zone start_health=5..30 --target turns=12[/bold]
    [bold]battlebox tune war_zone deck.trench.count=1..9 --target turns=12 > my.toml[/bold]

    Each trial plays the same deals with other numbers, proposed by Optuna;
    the first has them as they are. A trial's loss is the sum of the squares
    of what it is beside each target: one for 5 points of a hundred of seat
    and draws, for a tenth of turns and decisions. The best numbers are then
    played on fresh deals, for the best of many trials was lucky, too; what
    that gave is printed as comments above the deck, if it was changed: a
    file that deck=FILE takes. With --out trials are kept, and more --trials
    go on with them.
    Needs Optuna, of battlebox\\[balance].
    """
    from .arena import balance as study_of
    from .arena import check_files

    # a deck may lie in ../a.toml
    searched = [w for w in words if ".." in w.partition("=")[2] and not w.startswith("deck=")]
    ranges = tuple(map(study_of.read_range, searched))
    rules = ruleset(game, [w for w in words if w not in searched])
    targets = tuple(study_of.read_target(word) for word in target)
    search = study_of.Search(study_of.Study(rules, bots, seed, matches), ranges, targets)
    check_files(out)
    with _bar(rules.game.title) as progress:
        found = study_of.tune(search, trials, out=out, workers=workers or None, progress=progress)
    typer.echo(study_of.report(found), nl=False)


@app.command()
def bench(
    game: GameName = FIRST,
    options: Options = None,
    quick: Annotated[bool, typer.Option("--quick", help="Less exact, a few seconds.")] = False,
) -> None:
    """Measure how fast a game runs on this machine."""
    from .speed import measure, report

    console = Console(stderr=True)
    with console.status("measuring") as status:
        speeds = measure(
            ruleset(game, options),
            quick=quick,
            say=lambda what: status.update(f"measuring: {what}"),
        )
    report(speeds)


def main() -> None:
    """The `battlebox` command. Errors of users are one line on stderr and exit status 2."""
    try:
        app(prog_name="battlebox")  # however it was begun
    except BattleboxError as e:
        typer.echo(f"battlebox: {e}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
