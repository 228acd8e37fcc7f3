"""Commands to play at this terminal, to watch and to look back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import BattleboxError, RulesetError
from .arguments import BOTS, FIRST, GameName, MatchFile, Options, Seed, Think, bot_maker, ruleset


def play(
    game: GameName = FIRST,
    options: Options = None,
    seats: Annotated[
        str | None,
        typer.Option(help="Who plays each seat: human or a bot, as in human,easy,my_bot.py."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(help=f"The level of all bots: {BOTS}. Default: medium."),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(min=0, help="How many people play at this terminal. Default: 1."),
    ] = None,
    seed: Seed = None,
    think: Think = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Save the match to this file. Default: a new file in your data folder."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Resume the match of this file; `last` is the one you played last. --seats "
            "changes who plays."
        ),
    ] = None,
) -> None:
    """Play a match: you against bots, or several people at one terminal.

    [bold]battlebox play war_zone players=4 --bots easy[/bold]    you and three easy bots
    [bold]battlebox play war_zone players=3 --people 2[/bold]     two people, one bot
    [bold]battlebox play medieval --bots my_bot.py[/bold]         a bot of your own
    [bold]battlebox play --resume last[/bold]                     go on where you left

    Every move is saved. Type ? during a match to see what you can type.
    """
    from ..terminal import play as play_match
    from ..terminal import resume as resume_match

    who = [x.strip() for x in seats.split(",")] if seats else None
    if resume is not None:
        other = any(x is not None for x in (bots, people, seed, save))
        if options or other or game != FIRST:
            raise RulesetError("--resume continues a match as it is: you can add only --seats")
        resume_match(resume, who, bots=bot_maker(think))
        return
    if seats is not None and (bots is not None or people is not None):
        raise RulesetError("--seats names every seat: leave out --bots and --people")
    people, bots = 1 if people is None else people, bots or "medium"
    rules = ruleset(game, options, human=True)
    if people > rules.players:
        raise RulesetError(
            f"--people {people}: there are only {rules.players} seats; add players={people}"
        )
    usual = ["human"] * people + [bots] * (rules.players - people)
    play_match(rules, who or usual, seed, save_path=save, bots=bot_maker(think))


def watch(
    game: GameName = FIRST,
    options: Options = None,
    seats: Annotated[str, typer.Option(help="The bot of each seat, as in hard,easy.")] = "",
    bots: Annotated[str, typer.Option(help=f"The level of all bots: {BOTS}.")] = "medium",
    seed: Seed = None,
    think: Think = None,
    pace: Annotated[
        float,
        typer.Option(min=0, max=60, help="Seconds between moves; 0 shows the whole match at once."),
    ] = 1.0,
) -> None:
    """Watch bots play each other.

    [bold]battlebox watch war_zone players=4 --bots hard[/bold]   four hard bots
    [bold]battlebox watch --seats hard,easy --pace 0[/bold]       the whole match at once
    """
    from ..terminal import watch as watch_match

    rules = ruleset(game, options, human=True)
    who = [x.strip() for x in seats.split(",")] if seats else [bots] * rules.players
    watch_match(rules, who, seed, pace=pace, bots=bot_maker(think))


def join(
    link: Annotated[str, typer.Argument(help="The link of a match, as it was sent to you.")],
    name: Annotated[
        str | None, typer.Option(help="Your name in the match. Default: you are asked for it.")
    ] = None,
) -> None:
    """Join a match on a server by its link, to play or to watch.

    [bold]battlebox join http://192.168.0.7:8765/match/k3v9#TOKEN[/bold]   plays a seat
    [bold]battlebox join http://192.168.0.7:8765/match/k3v9[/bold]         watches

    You type what you type in `battlebox play`, and with other people:
    u asks to undo your last decision, draw offers a draw, resign gives
    up, y and n answer what others ask. If the connection is lost, it is
    restored automatically. If you leave with q or Ctrl-C, the same
    command brings you back to your seat.
    """
    from ..terminal.join import join as join_match

    join_match(link, name)


def replay(
    file: MatchFile,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, help="Show the match as this seat saw it. Default: as spectators saw it."
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print every move at once.")] = False,
) -> None:
    """Step through a saved match: forward, back, or to any move.

    [bold]battlebox replay last[/bold]            the match you played last
    [bold]battlebox replay last --seat 1[/bold]   as seat 1 saw it
    """
    from ..terminal import read_match
    from ..terminal import replay as show

    _, match, who = read_match(file)
    if seat is not None and seat >= match.rules.players:
        raise BattleboxError(
            f"--seat {seat}: there is no such seat; the seats are 0 to {match.rules.players - 1}"
        )
    show(match, seat, all=all, who=who)


def review(
    file: MatchFile,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, help="Only this seat. Default: totals for all seats, and details for yours."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the searches.")] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="Show every decision, not only the costliest.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every decision as JSON, for programs.")
    ] = False,
) -> None:
    """See how a match went: luck, skill, and what the strongest bot would have played.

    [bold]battlebox review last[/bold]                  how your last match went
    [bold]battlebox review last --seat 1 --all[/bold]   every decision of seat 1

    Before each decision, a search estimates what the seat could expect,
    and what its choice gave away, from nothing but what that player knew
    at the time. Everything else is luck: dice, cards, what came to light.
    So the parts add up: if you play as the champion bot would, you have
    given away nothing, however the match ended. Differences that may be
    noise of the search count as zero; the same seed gives the same
    result. A review takes seconds, or a minute or two with many players;
    Ctrl-C stops it.

    Chances are those of winning the match; in games of rounds, of winning
    the round, and in the last round the match. A review reveals hidden
    cards, even of a match that is not over.
    """
    from ..terminal import read_match
    from ..terminal import review as show

    _, match, who = read_match(file)
    show(match, seat, who=who, seed=seed, every=every, as_json=as_json)
