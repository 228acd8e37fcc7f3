"""The page: one document for all addresses, and the files it is made of."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from ...games import NAMES, SHELF

WEB = Path(__file__).parent.parent.parent / "web"


def page_in(folder: str) -> str:
    """The page of a server that lies in a folder of a proxy's: its modules find out by theirs."""
    text = (WEB / "index.html").read_text(encoding="utf-8")
    return text.replace('"/web/', f'"{folder}/web/')


def add_pages(app: FastAPI, page: str) -> None:
    """Serves the page at each of its addresses, and its files."""

    async def shown() -> Response:
        return HTMLResponse(page)

    for path in ("/", "/match/{id}", "/replay/{id}", "/rules/{name}"):
        app.add_api_route(path, shown, include_in_schema=False)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Asked for where a page names none of its own."""
        return Response(status_code=204)

    themes = StaticFiles(directory=WEB / "theme")
    themes.all_directories += [x for x in themes_of_others() if x.is_dir()]
    app.mount("/web/theme", themes, name="themes")
    app.mount("/web", StaticFiles(directory=WEB), name="web")


def themes_of_others() -> list[Path]:
    """Where the looks of games are that are not our own: NAME.js and what it loads, by its side."""
    return [SHELF.find(name).folder / "theme" for name in SHELF.names if name not in NAMES]
