"""The page: one document for all addresses, and the files it is made of."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from ...games import NAMES, find, names

WEB = Path(__file__).parent.parent.parent / "web"
#: a file of a game's looks, beside each other in one folder: theme/NAME.js, theme/NAME-card.svg
LOOKS = re.compile(r"theme[/\\](([a-z][a-z0-9_]*)[.-][\w.-]*?(js|css|svg|png|jpg|webp|woff2))")


class PageFiles(StaticFiles):
    """The files of the page. The looks of a game of somebody else lie in the game's own folder."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file, and whether it is there."""
        found = super().lookup_path(path)
        if found[1] is not None or not (looks := LOOKS.fullmatch(path)):
            return found
        file, name, _ = looks.groups()
        if (home := self.folder_of(name)) is None:
            return found
        folder = home / "theme"
        own = StaticFiles(directory=folder, check_dir=False).lookup_path(file)
        if own[1] is None and file == f"{name}.js":
            return super().lookup_path("no_theme.js")  # it has none, which is no error
        return own

    def folder_of(self, name: str) -> Path | None:
        """The folder of a game of somebody else; None: there is no such game."""
        return None if name in NAMES or name not in names() else find(name).folder


def page_in(folder: str) -> str:
    """The page of a server that lies in a folder of a proxy's: its modules find out by theirs."""
    text = (WEB / "index.html").read_text(encoding="utf-8")
    return text.replace('"/web/', f'"{folder}/web/')


def add_pages(app: FastAPI, page: str) -> None:
    """Serves the page at each of its addresses, and its files."""

    async def shown() -> Response:
        return HTMLResponse(page)

    learn = ("/learn/{name}", "/learn/{name}/{lesson}")
    for path in ("/", "/match/{id}", "/replay/{id}", "/rules/{name}", *learn):
        app.add_api_route(path, shown, include_in_schema=False)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Asked for where a page names none of its own."""
        return Response(status_code=204)

    app.mount("/web", PageFiles(directory=WEB), name="web")
