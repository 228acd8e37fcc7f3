"""The command that learns."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..core.errors import BattleboxError, RulesetError
from ..core.game import Game, parse_options, parse_values
from ..core.table import checked
from ..games import open_game
from .arguments import FIRST, GameName, Options

if TYPE_CHECKING:
    from ..bots.policy import PolicyFile
    from ..training.progress import Note
    from ..training.run import Run

#: settings that are said in other ways
SAID = {"game": "players=2", "rulesets": "players=2", "begins_with": "--begin-with FILE"}
LIBRARIES = ("torch", "onnx", "matplotlib")


def train(
    game: GameName = FIRST,
    options: Options = None,
    decisions: Annotated[
        int, typer.Option(min=1, help="How many decisions to learn from.")
    ] = 60_000_000,
    out: Annotated[
        Path | None,
        typer.Option(help="The run's folder; the same command continues it. Default: GAME-policy."),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="Learn to beat this bot, which has all other seats. Default: play against itself.",
        ),
    ] = None,
    begin_with: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Begin with a policy that was learned before: its file, or quick, the one that "
            "comes with the game. Default: with nothing.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Rate it by matches against this bot; may be given several times. Default: "
            "medium and hard, or the opponents.",
        ),
    ] = None,
    rated: Annotated[
        int,
        typer.Option(min=2, help="Matches of a rating, at most: ratings take a sixth of the time."),
    ] = 200,
    ratings: Annotated[int, typer.Option(min=1, help="How often it is rated on the way.")] = 10,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another setting of learning, such as entropy_coef=0.05; settings.json in the "
            "folder lists all.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the run.")] = 1,
    device: Annotated[
        str, typer.Option(help="Where the networks are: cpu, or cuda for a GPU.")
    ] = "cpu",
    threads: Annotated[int, typer.Option(min=0, help="Number of cores; 0: all.")] = 0,
) -> None:
    """Learn to play a game by playing it against oneself. Takes hours.

    [bold]battlebox train war_zone[/bold]                    all modes, all numbers of players
    [bold]battlebox train war_zone players=2[/bold]          one ruleset: learns it sooner
    [bold]battlebox train ./my_game --decisions 2000000[/bold]
    [bold]battlebox train war_zone --opponents hard[/bold]      learns to beat that bot
    [bold]battlebox train war_zone --opponents expert --begin-with quick[/bold]
    [bold]battlebox arena war_zone hard policy:war_zone-policy/policy.npz[/bold]   afterwards

    A small network plays all seats and learns from how its matches end
    (PPO). At every moment the folder holds the policy so far: name it as a
    bot, policy:FILE, wherever a bot is named. It answers in less than a
    millisecond, without PyTorch. If a run was stopped or killed, the same
    command continues it, and comes to the same end. curves.html shows how
    it went, policy.onnx is the policy for other programs.
    Needs PyTorch: install battlebox\\[train].
    """
    for library in LIBRARIES:  # before hours of learning
        if find_spec(library) is None:
            raise BattleboxError(f"learning needs {library}: pip install 'battlebox[train]'")
    import torch

    from ..bots import parse_bot
    from ..training import Settings
    from ..training.run import Run

    chosen = open_game(game)
    torch.set_num_threads(threads or os.cpu_count() or 1)
    try:
        torch.zeros(1, device=device)
    except RuntimeError as e:
        raise RulesetError(f"--device {device}: {str(e).splitlines()[0]}") from None
    asked = parse_options(chosen, options or ())
    only = [chosen.ruleset(asked, strings=True).all_options] if asked else []
    given: dict[str, Any] = {"decisions": decisions, "seed": seed}
    given |= {"opponents": opponents}
    given |= parse_values(settings or (), "--set", "setting")
    for name, said in SAID.items():
        if name in given:
            raise RulesetError(f"--set {name}: say it as in: battlebox train {chosen.name} {said}")
    begin = _known(begin_with, chosen) if begin_with else None
    made = checked(
        lambda: Settings.of(chosen, only, begin, **given), sorted(Settings.model_fields), "--set"
    )
    words = against or ([made.opponents] if made.opponents else ["medium", "hard"])
    for word in words:
        parse_bot(word)
    if made.opponents:
        for each in made.rulesets:
            parse_bot(made.opponents).make(chosen.ruleset(each), 0)
    folder = out or Path(f"{chosen.name}-policy")
    how: dict[str, Any] = {"rated": rated, "ratings": ratings, "device": device, "begin": begin}
    _show(Run(chosen, made, folder, against=words, **how))


def _known(word: str, game: Game) -> PolicyFile:
    """The policy in a file, or the one that comes with the game.

    Errors: BotError, RulesetError, if there is none.
    """
    from ..bots.levels import QUICK, BotSpec
    from ..bots.policy import read_policy

    found = BotSpec(QUICK).policy(game) if word == QUICK else None
    return found or read_policy(word)


def _show(run: Run) -> None:
    """Runs it, with a bar; says what was made."""
    from rich.progress import Progress, TimeElapsedColumn, TimeRemainingColumn

    settings, console = run.settings, Console(stderr=True)
    columns = [*Progress.get_default_columns()[:-1], TimeElapsedColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=console, speed_estimate_period=600) as bar:
        task = bar.add_task(run.game.title, total=settings.updates, completed=run.update)

        def tell(note: Note) -> None:
            bar.update(task, completed=note.update)
            if note.ratings:
                said = ", ".join(map(str, note.ratings))
                console.print(f"{note.decisions:,} decisions: {said}")

        try:
            made = run.go(tell)
        except KeyboardInterrupt:
            typer.echo(
                f"Stopped: {run.folder} keeps what was learned; run the same command to go on.",
                err=True,
            )
            raise
    typer.echo(f"The policy is in {made.path}. Play against it: name it policy:{made.path}")
