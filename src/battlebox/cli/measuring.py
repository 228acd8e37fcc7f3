"""Commands to measure bots, games and this machine."""

from __future__ import annotations

import os
import shlex
import sys
from itertools import product
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ..core.errors import RulesetError
from .arguments import (
    BOTS,
    FIRST,
    FirstSeed,
    GameName,
    Options,
    Think,
    Workers,
    is_option,
    progress_bar,
    ruleset,
    saved_progress,
)


def arena(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT [BOT]... [NAME=VALUE]...",
            help=f"{BOTS}: levels, the weakest first; a search with N simulations per "
            "decision; a policy that `battlebox train` made, alone or looking ahead; FILE.py or "
            "FILE.py:NAME, a bot of yours; a program or a language model. Then options of the "
            "game.",
        ),
    ],
    matches: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="How many matches at most, in whole deals. Default: 400; with --until no limit.",
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.499,
            help="Stop when the result of each pair is known this exactly: 0.02 is ± 2 %.",
        ),
    ] = None,
    seed: FirstSeed = 0,
    think: Think = None,
    workers: Workers = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Save the results to this file as they come; the same command continues it."
        ),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the matches to this file as CSV.")] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="The same as Parquet; needs battlebox\\[parquet].")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report to this file, as HTML.")
    ] = None,
    ray: Annotated[
        bool,
        typer.Option(
            "--ray", help="Play on a Ray cluster, or start one here; needs battlebox\\[cluster]."
        ),
    ] = False,
    ray_address: Annotated[
        str | None,
        typer.Option(help="The cluster's address, such as HOST:6379. Default: RAY_ADDRESS."),
    ] = None,
) -> None:
    """Measure bots against each other: series and tournaments.

    [bold]battlebox arena war_zone medium easy[/bold]                   takes seconds; hard, minutes
    [bold]battlebox arena medieval easy medium so-ismcts:400[/bold]     ratings, who beats whom
    [bold]battlebox arena war_zone hard medium --until 0.02 --out a.jsonl[/bold]
    [bold]battlebox arena war_zone hard my_bot.py[/bold]                a bot of your own
    [bold]battlebox arena war_zone random easy 'llm:python3 my_player.py'[/bold]
    [bold]battlebox arena war_zone random easy http://localhost:11434/v1#qwen3[/bold]

    Each deal is played as many times as there are bots: each time, every
    bot moves on by one seat. Ratings are Elo points; random has 0, or else the
    first bot. Intervals are 95 % intervals; with --until they stay valid
    however often you look, at the price of nearly three times as many
    matches. If a run with --out was stopped or killed, the same command
    continues it, also with more --matches. The seed alone decides what is
    played: any number of workers and machines gives the same results.

    A FILE.py has a class that is made with (rules, seed); its
    choose(observation) returns the number of a legal action. The text of
    the file goes to all workers, so it can import only what is installed
    there. If your bot may hang, add --think: a bot that takes too long is
    stopped and loses the match, and the next match begins.

    llm:COMMAND starts a program that reads the table as text, a line of
    JSON for each question. URL#MODEL is a language model whose server
    understands OpenAI's chat completions; a key is taken from the variable
    BATTLEBOX_API_KEY. Behind llm or http you can add what the player reads
    (+menu, +word or +drawn), how many attempts it has (+3), and +forfeit: it
    loses the match after the last illegal answer, instead of a random move.
    llm+word+5:COMMAND is an example. The report says how often answers were
    illegal, how long they took, and what they cost. With random and easy at
    the same table, ratings of different runs can be compared. Answers do not
    follow from the seed; --out keeps every action. --workers says how many
    matches are played at once.
    """
    from ..arena import (
        Plan,
        check_files,
        pyarrow,
        standings,
        tournament,
        write_csv,
        write_page,
        write_parquet,
    )

    options = [w for w in words if is_option(w)]
    plan = Plan(ruleset(game, options), tuple(w for w in words if w not in options), seed, think)
    check_files(out, csv, parquet, report)
    if parquet:
        pyarrow()
    with saved_progress(", ".join(plan.names), out) as progress:
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


def balance(
    game: GameName = FIRST,
    options: Options = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PATH=V1,V2",
            help="Compare these values of an option, or of a number of the deck, such as "
            "deck.artillery.damage=5,6. Several --set: every combination.",
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Who plays: a level, or so-ismcts:N. Default: quick, or expert where a game "
            "has no quick; with --set medium."
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            help="Matches of the main series, the others in proportion; with --set at most."
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.499,
            help="With --set: stop when each difference is known this exactly. Default: 0.05.",
        ),
    ] = None,
    seed: FirstSeed = 0,
    workers: Workers = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write the page to this file. Default: balance-GAME.html.")
    ] = None,
) -> None:
    """Measure how balanced a game is, and write the findings as a page. Takes minutes.

    [bold]battlebox balance war_zone players=4[/bold]                    everything
    [bold]battlebox balance war_zone --matches 100[/bold]                faster, less certain
    [bold]battlebox balance war_zone --set deck.artillery.damage=4,6[/bold]   side by side

    The page shows who wins, by seat; how long matches take; draws,
    changes of the lead, comebacks; what more thinking wins and what luck
    decides; how often each move, card, event and rule is used; what each
    card is worth; what each option does. Findings that stand out come
    first. With --set, variants are played on the same deals until it is
    certain whether the first seat wins more often; for a card whose number
    differs, the page shows how its use, its wins and its worth change. If
    a run was stopped or killed, the same command continues it: until the
    page is written, a file beside it keeps what was played. The seed
    decides what is played: the same command gives the same results on any
    machine.
    Needs matplotlib: install battlebox\\[balance].
    """
    from ..arena import balance as study_of
    from ..arena import check_files

    rules = ruleset(game, options)
    wanted = [study_of.read_setting(word) for word in settings or ()]
    if until is not None and not wanted:
        raise RulesetError("--until says when a comparison stops: use it with --set")
    study = study_of.Study(
        rules, bots or ("medium" if wanted else study_of.usual_bots(rules)), seed, matches
    )
    variants = study_of.variants(rules, wanted)
    path = out or Path(f"balance-{rules.name}.html")
    kept = path.with_suffix(".jsonl")  # while it is not finished
    check_files(path, kept)
    study_of.matplotlib()
    command, n = shlex.join(["battlebox", *sys.argv[1:]]), workers or None
    with saved_progress(rules.game.title, kept) as progress:
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
    typer.echo(f"The full report is in {path}.")


def tune(
    game: GameName,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH=LOW..HIGH [PATH=LOW..HIGH]... [NAME=VALUE]...",
            help="What to tune: options, or numbers of the deck such as "
            "deck.artillery.damage=1..10. Then options of the game.",
        ),
    ],
    target: Annotated[
        list[str],
        typer.Option(
            metavar="MEASURE=VALUE",
            help="What to aim for: seat (share of wins of the seat that goes first; 0.5 is "
            "fair), draws (0 to 1), turns or decisions (median). Several: all at once.",
        ),
    ],
    trials: Annotated[int, typer.Option(min=1, help="How many variants to try in total.")] = 50,
    matches: Annotated[
        int | None, typer.Option(help="Matches of each trial. Default: 200.")
    ] = None,
    bots: Annotated[str, typer.Option(help="Who plays: a level, or so-ismcts:N.")] = "medium",
    seed: Annotated[int, typer.Option(help="Seed of the first deal, and of what is tried.")] = 0,
    workers: Workers = 0,
    out: Annotated[
        Path | None, typer.Option(help="Save the trials to this file; the same command continues.")
    ] = None,
) -> None:
    """Tune numbers of a game towards targets.

    [bold]battlebox tune war_zone deck.artillery.damage=1..10 --target seat=0.5[/bold]
    [bold]battlebox tune war_zone start_health=5..30 --target turns=12[/bold]
    [bold]battlebox tune war_zone deck.trench.count=1..9 --target turns=12 > my.toml[/bold]

    Each trial plays the same deals with other numbers, proposed by Optuna;
    the first trial leaves them as they are. The loss of a trial is a sum of
    squares, one for each target: a difference of 1 is 5 percentage points
    of seat and draws, or a tenth of turns and decisions. The best numbers
    are then played on fresh deals, since the best of many trials was also
    lucky. The result is printed as comments, followed by the deck if it
    was changed: a file that deck=FILE takes. With --out, trials are saved,
    and more --trials continue them.
    Needs Optuna: install battlebox\\[balance].
    """
    from ..arena import balance as study_of
    from ..arena import check_files

    # a deck may lie in ../a.toml
    searched = [w for w in words if ".." in w.partition("=")[2] and not w.startswith("deck=")]
    ranges = tuple(map(study_of.read_range, searched))
    rules = ruleset(game, [w for w in words if w not in searched])
    targets = tuple(study_of.read_target(word) for word in target)
    search = study_of.Search(study_of.Study(rules, bots, seed, matches), ranges, targets)
    check_files(out)
    with progress_bar(rules.game.title) as progress:
        found = study_of.tune(search, trials, out=out, workers=workers or None, progress=progress)
    typer.echo(study_of.report(found), nl=False)


def exploit(
    game: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOT]... [NAME=VALUE]...",
            help=f"{BOTS}: whose policies are looked at; random, if none is named. Then options "
            "of the game.",
        ),
    ] = None,
    toy: Annotated[
        bool,
        typer.Option("--toy", help="Of one of the five games: the options that make it so small."),
    ] = False,
    iterations: Annotated[
        int, typer.Option(min=0, help="Iterations of CFR+, whose policy is shown beside them.")
    ] = 100,
    choices: Annotated[
        int,
        typer.Option(min=1, help="How often a bot is asked in each information set."),
    ] = 20,
    most: Annotated[
        int, typer.Option(min=1, help="Give up where the game has more histories than that.")
    ] = 200_000,
    challenger: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Play matches instead: measure how much this bot wins on one seat against the "
            "policy on all others. Works in a game of any size; may be given several times.",
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option(min=2, help="With --challenger: how many for each, in whole deals.")
    ] = 400,
    workers: Workers = 0,
    seed: Annotated[int, typer.Option(help="Seed of the bots.")] = 0,
) -> None:
    """Find out how far a policy can be exploited: exactly, in a game small enough to be searched.

    [bold]battlebox exploit ./kuhn_poker[/bold]                  random play, and CFR+ beside it
    [bold]battlebox exploit ./goofspiel easy hard cards=3[/bold]
    [bold]battlebox exploit war_zone easy hard --toy[/bold]      as small as War Zone can be
    [bold]battlebox exploit war_zone easy --challenger hard[/bold]   at least so much, by matches

    The whole tree of the game is searched: everything that players and
    chance may do. A best response knows the policy and answers it as well
    as anybody can who sees no more than that seat. Exploitability is what a
    seat could gain by it, on average; of an equilibrium it is 0. Values are
    returns: 1 is a win, -1 a loss. The policy of a bot that does not tell it
    is how often it chose what, in so many --choices; few of them make it
    look easier to exploit than it is. With more than two players CFR+ promises
    nothing. Options make games smaller: fewer cards, rounds or turns.

    In larger games, --challenger plays matches: the bot takes each seat in
    turn, and the policy all others. What it gains is a lower bound: a best
    response, which knows the policy, gains at least as much. The interval
    is of the deals; of several challengers, do not take the best row alone.
    --iterations, --choices and --most belong to the exact way.
    """
    from ..arena import challenges, exact, solve
    from ..bots import parse_bot

    named = [w for w in words or () if not is_option(w)] or ["random"]
    rules = ruleset(game, [w for w in words or () if is_option(w)], toy=toy)
    if challenger:
        found = list[challenges.Challenge]()
        for word, other in product(named, challenger):
            with progress_bar(f"{other} against {word}") as progress:
                found.append(
                    challenges.challenge(
                        *(rules, word, other, matches),
                        seed=seed,
                        workers=workers or None,
                        progress=progress,
                    )
                )
        typer.echo(challenges.report(rules, found))
        return
    bots = [(word, parse_bot(word).make(rules, seed)) for word in named]
    with progress_bar(f"{rules.game.title}: histories") as progress:
        root = exact.tree(rules, most, progress)
    rows = list[tuple[str, solve.Exploited]]()
    for word, bot in bots:
        policy = exact.uniform if word == "random" else solve.policy_of(bot, rules, choices)
        rows.append((word, solve.exploited(root, policy)))
    if iterations:
        with progress_bar("CFR+") as progress:
            solved = solve.cfr_plus(root, iterations, progress)
        rows.append((f"CFR+, {iterations:,} iterations", solve.exploited(root, solved)))
    typer.echo(solve.report(rules, root, rows))


def bench(
    game: GameName = FIRST,
    options: Options = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Take only a few seconds; less exact.")
    ] = False,
) -> None:
    """Measure how fast a game runs on this machine."""
    from ..speed import measure, report

    console = Console(stderr=True)
    with console.status("measuring") as status:
        speeds = measure(
            ruleset(game, options),
            quick=quick,
            say=lambda what: status.update(f"measuring: {what}"),
        )
    report(speeds)
