"""Commands about what is on disk: match files, a server's matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import BattleboxError, RecordError
from ..core.fair import Fair
from ..core.fair import commitment as commitment_to
from ..core.match import Match
from .arguments import progress_bar

SQLITE = b"SQLite format 3\0"  # how databases begin


def verify(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[FILE | FOLDER | BACKUP]",
            help="A match file, `last` (the match you played last), the folder of a server's "
            "matches, or a backup of them. Default: the matches of your own server.",
        ),
    ] = "",
    commitment: Annotated[
        str,
        typer.Option(help="Of a match file: the commitment you were shown when the match began."),
    ] = "",
) -> None:
    """Verify a match, or all matches of a server: every move, every roll, the result.

    [bold]battlebox verify duel.match[/bold]              a match file
    [bold]battlebox verify last[/bold]                    the match you played last
    [bold]battlebox verify[/bold]                         all matches of your own server
    [bold]battlebox verify matches-monday.sqlite[/bold]   all matches of a backup

    A server deals each match from a secret. Before the first card it shows
    you the SHA-256 hash of the secret, the commitment; after the end it
    shows you the secret itself. If an outcome of a match file was changed
    afterwards, this command names the first one that is wrong.

    Of a server or a backup it reads the whole database and plays every
    match again. It changes nothing, so the server may be running, and it
    names each damaged match. A file is a backup if it is a database.

    Exit status 0: all is well; 1: something is wrong or damaged; 2: there
    is nothing to verify.
    """
    if _is_database(what):
        if commitment:
            raise BattleboxError("--commitment goes with a match file: name one")
        _verify_matches(Path(what) if what else None)
    else:
        _verify_match(what, commitment.strip().lower())


def _is_database(what: str) -> bool:
    """It is a server's folder, or a backup, whatever it is called, unless it is a match file."""
    if not what:
        return True
    path = Path(what).expanduser()
    if not path.is_file():
        return path.is_dir()
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE or path.suffix == ".sqlite"


def _verify_match(word: str, commitment: str) -> None:
    """Says what a match file proves. Exit status 1 if it does not."""
    from ..terminal import find_match, read_match

    find_match(word)  # if there is none, nothing is wrong with it
    try:
        path, match, _ = read_match(word)
        try:
            said = _proof(match, commitment)
        except RecordError as e:
            raise RecordError(f"{path}: {e}") from None
    except RecordError as e:
        typer.echo(f"battlebox: {e}", err=True)
        raise typer.Exit(1) from None
    typer.echo(said)


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


def migrate(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A folder, or the URL of a database.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The same: one that is empty, or not there yet.")
    ],
) -> None:
    """Move all matches of a server to PostgreSQL, or back to a folder.

    [bold]battlebox migrate /var/lib/battlebox postgresql://me@db.example.org/battlebox[/bold]
    [bold]battlebox migrate postgresql://me@db.example.org/battlebox /var/lib/new-folder[/bold]

    Stop all servers of both places first; one that is in use is refused.
    The database must exist; tables and folders are made. All links that
    players have go on to work at the new place.

    Nothing is removed from the old place, and in the end everything is
    read back and compared. If it is interrupted, run the same command
    again: it goes on. Other matches are never overwritten or mixed with
    these: a place that has any is refused.

    A password in a URL can be seen by other users of the machine while the
    command runs: put it into PGPASSWORD or ~/.pgpass instead.

    Exit status 0: all is there; 2: it is not, and a line says why.
    """
    from ..server.transfer import transfer

    try:
        with progress_bar("Migrate") as progress:
            moved = transfer(source, target, progress)
    except KeyboardInterrupt:
        typer.echo("Stopped: run the same command to go on.", err=True)
        raise
    typer.echo(str(moved))


def _verify_matches(path: Path | None) -> None:
    """Says whether all matches of a server or a backup are intact. Exit status 1 if not."""
    from ..server.serve import folder
    from ..server.upkeep import check

    with progress_bar("Verify") as progress:
        found = check(path or folder(), progress)
    for line in found.damage:
        typer.echo(line)
    typer.echo(str(found))
    raise typer.Exit(1 if found.damage else 0)
