"""The `battlebox` command: its commands together, and its errors."""

from __future__ import annotations

import sys

import typer

from ..core.errors import BattleboxError
from . import authoring, games, measuring, playing, records, serving, training

PANELS = {
    "Play": (
        playing.play,
        games.learn,
        playing.join,
        playing.watch,
        playing.replay,
        playing.review,
    ),
    "Games and decks": (games.games, games.deck, games.scenario),
    "Your own game": (authoring.new_game, authoring.dev, authoring.check),
    "Measure": (
        measuring.arena,
        measuring.balance,
        measuring.tune,
        measuring.exploit,
        measuring.bench,
    ),
    "Learners and language models": (training.train, serving.mcp),
    "Verify and keep": (records.verify, records.backup, records.migrate),
}

app = typer.Typer(
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.callback()(serving.serve)
for panel, commands in PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)


def main() -> None:
    """The `battlebox` command. Errors of users are one line on stderr and exit status 2."""
    try:
        app(prog_name="battlebox")  # however it was begun
    except BattleboxError as e:
        typer.echo(f"battlebox: {e}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
