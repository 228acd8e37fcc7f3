"""Commands about what is on disk: match files, a server's matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import RecordError
from ..core.fair import Fair
from ..core.fair import commitment as commitment_to
from ..core.match import Match
from .arguments import MatchFile, progress_bar


def verify(
    file: MatchFile,
    commitment: Annotated[
        str, typer.Option(help="The commitment you were shown when the match began.")
    ] = "",
) -> None:
    """Verify a match file: every move, every roll and shuffle, the result.

    A server deals each match from a secret. Before the first card it shows you the SHA-256 hash of
    the secret, the commitment; after the end it shows you the secret itself. If an outcome was
    changed afterwards, this command names the first one that is wrong. Exit status 2 if anything
    is wrong.
    """
    from ..terminal import read_match

    path, match, _ = read_match(file)
    try:
        typer.echo(_proof(match, commitment.strip().lower()))
    except RecordError as e:
        raise RecordError(f"{path}: {e}") from None


def _proof(match: Match, commitment: str) -> str:
    """What a record that was read proves. Errors: RecordError, if the commitment was another."""
    moves = f"All {len(match.history)} moves are legal, and the match stands as the file says."
    if not isinstance(match.chance, Fair):
        if commitment:
            raise RecordError("this match was dealt from a seed: there is no commitment")
        return f"Verified. Dealt from seed {match.seed}, which was chosen: no commitment. {moves}"
    made = commitment_to(match.chance.secret)
    if commitment and commitment != made:
        raise RecordError(f"the secret belongs to the commitment {made}, not to {commitment}")
    kept = "It fits the commitment you were shown." if commitment else f"Its commitment is {made}."
    drawn = f"all {match.chance.count} dice and shuffles derive from the secret"
    return f"Verified: {drawn}. {kept} {moves}"


def backup(
    file: Annotated[
        Path, typer.Argument(help="The file to write; an existing file is not overwritten.")
    ],
    data: Annotated[
        Path | None, typer.Option(help="The folder of the matches. Default: your data folder.")
    ] = None,
) -> None:
    """Save all matches of a server to one file, even while it runs.

    [bold]battlebox backup matches-monday.sqlite[/bold]

    The file holds all matches as they were at one moment, and is read back to make sure. It also
    holds the secrets of all seats: keep it private. To restore it, stop the server, replace
    matches.sqlite with it, and remove matches.sqlite-wal and matches.sqlite-shm.
    """
    from ..server.serve import folder
    from ..server.upkeep import backup as back_up

    with progress_bar("Backup") as progress:
        warning = back_up(data or folder(), file, progress)
    if warning:
        typer.echo(f"Warning: {warning}", err=True)
    typer.echo(f"{file}: {file.stat().st_size:,} bytes.")


def check(
    path: Annotated[
        Path | None,
        typer.Argument(
            help="The folder of a server's matches, or a backup. Default: your data folder."
        ),
    ] = None,
) -> None:
    """Check a server's matches, or a backup: is the file intact, can every match be replayed?

    [bold]battlebox check[/bold]                         the matches of your own server
    [bold]battlebox check matches-monday.sqlite[/bold]   a backup

    It changes nothing, so the server may be running. It names each damaged match and what is wrong.
    Exit status 0: everything is fine; 1: something is damaged; 2: there is nothing to check.
    """
    from ..server.serve import folder
    from ..server.upkeep import check as check_matches

    with progress_bar("Check") as progress:
        found = check_matches(path or folder(), progress)
    for line in found.damage:
        typer.echo(line)
    typer.echo(str(found))
    raise typer.Exit(1 if found.damage else 0)
