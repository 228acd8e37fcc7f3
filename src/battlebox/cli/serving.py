"""`battlebox` without a command: serves the games to browsers."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import BattleboxError
from ..games import bring
from ..version import __version__


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"battlebox {__version__}")
        raise typer.Exit


def serve(
    context: typer.Context,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Let others in your network play; shows the address and its QR code."
        ),
    ] = False,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="The port to listen on. Default: 8765, or the next free one."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="The folder for the matches. Default: your user data folder."),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="BATTLEBOX_DATABASE",
            show_envvar=False,
            help="Keep the matches in PostgreSQL, for any number of servers at once: "
            "postgresql://USER:PASSWORD@HOST:PORT/NAME. Better in BATTLEBOX_DATABASE, which other "
            "users of the machine do not see.",
        ),
    ] = "",
    browser: Annotated[bool, typer.Option(help="Open the page in your browser.")] = True,
    public_url: Annotated[
        str,
        typer.Option(help="The address under which others reach it: https://example.org/games/."),
    ] = "",
    trusted_proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS[,NETWORK...]",
            help="Proxies whose word on client addresses is trusted: 127.0.0.1,10.0.0.0/8.",
        ),
    ] = "",
    workers: Annotated[
        int, typer.Option(help="With --database: so many processes at once, behind one port.")
    ] = 1,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            help="Delete matches in which nothing has happened for this many days. Default: never.",
        ),
    ] = None,
    log_format: Annotated[
        str,
        typer.Option(
            metavar="text|json", help="The lines of the log on stderr: for people, or for programs."
        ),
    ] = "text",
    games: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Add the game in this folder, or all games in it, to any command; before the "
            "command. Several --games: several folders; so does BATTLEBOX_GAMES. A game is code "
            "that runs with your rights: add only games you trust.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Five tabletop battle games in one box.

    Without a command it serves the games to your browser: play with bots and friends.

    [bold]battlebox --lan[/bold]     lets friends in your network join
    [bold]battlebox play[/bold]      plays at this terminal instead
    """
    for folder in games or ():
        bring(folder)
    if context.invoked_subcommand is not None:
        given = [
            p
            for p in context.params
            if p != "games"
            and getattr(context.get_parameter_source(p), "name", "") == "COMMANDLINE"
        ]
        if given:
            option = "--" + given[0].replace("_", "-")
            raise BattleboxError(
                f"{option} belongs to `battlebox` itself, not to "
                f"`battlebox {context.invoked_subcommand}`: leave it out"
            )
        return
    from ..server.serve import serve as serve_matches

    with suppress(KeyboardInterrupt):  # before it was ready
        serve_matches(
            host=host,
            port=port,
            lan=lan,
            data=data,
            database=database,
            browser=browser,
            public_url=public_url,
            trusted_proxy=trusted_proxy,
            workers=workers,
            keep_days=keep,
            log_format=log_format,
        )
    sys.stdout.flush()
    os._exit(0)  # all is on disk; a thread that still compiles would keep us waiting


def mcp(
    server: Annotated[
        str,
        typer.Option(
            metavar="URL", help="A battlebox server to play at. Default: one of its own, inside."
        ),
    ] = "",
    http: Annotated[
        bool, typer.Option("--http", help="Speak streamable HTTP at /mcp instead of stdio.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="With --http: the port to listen on.")
    ] = 8766,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder for the matches of its own server. Default: none is kept.",
        ),
    ] = None,
) -> None:
    """Let a language model play: an MCP server.

    [bold]battlebox mcp[/bold]                                    over stdio, with a server inside
    [bold]battlebox mcp --server http://192.168.0.7:8765[/bold]   at a server that is running

    Add it to a client as a command; docs/language-models.md shows how. It
    needs the extra: pip install 'battlebox\\[mcp]'.
    """
    from contextlib import nullcontext

    from ..client.link import Site

    try:
        from ..mcp import inside
        from ..mcp.server import serve as tools
    except ModuleNotFoundError as e:
        raise BattleboxError(f"{e.name} is not installed: pip install 'battlebox[mcp]'") from None
    if server and data:
        raise BattleboxError("--data is for a server of its own: leave it out with --server")
    with nullcontext(Site(server.rstrip("/"))) if server else inside.server(data) as site:
        site.games()  # an address that is none is said at once
        if http:
            tools(site).run("streamable-http", host=host, port=port, stateless_http=True)
        else:
            tools(site).run("stdio")
