"""For operators: health, readiness, metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import prometheus_client
from fastapi import APIRouter, FastAPI, Response

from ...protocol.http import Health, Ready
from ...version import __version__
from ..metrics import Metrics
from ..rooms import Rooms
from ..sockets import Sockets
from .problems import TEXT, UNAVAILABLE, RequestProblem

FRESH = 1.0  # seconds for which it is not tried again whether matches can be saved


def router(
    app: FastAPI, rooms: Rooms, sockets: Sockets, metrics: Metrics, tell: Callable[[], None]
) -> APIRouter:
    """The routes. tell: brings the metrics of this process up to date."""
    routes = APIRouter()
    lock, well_at = asyncio.Lock(), float("-inf")

    async def trouble() -> str:
        """Why matches cannot be saved; what was found to be well is not tried again at once."""
        nonlocal well_at
        async with lock:
            now = time.monotonic()
            if rooms.store.trouble or now - well_at >= FRESH:
                if wrong := await rooms.store.probe():
                    return wrong
                well_at = now
            return ""

    @routes.get("/health", responses=UNAVAILABLE)
    async def health() -> Health:
        """Whether the server is well: whether what is played can be saved, which is tried."""
        if wrong := await trouble():
            raise RequestProblem(503, "not_saved", f"Matches cannot be saved now: {wrong}.")
        return Health(
            status="ok",
            version=__version__,
            node=rooms.store.node,
            matches=rooms.live,
            sockets=sockets.open,
        )

    @routes.get("/ready", responses=UNAVAILABLE)
    async def ready() -> Ready:
        """Whether requests may be sent here: it has started, and is not about to stop."""
        if app.state.status != "ready":
            raise RequestProblem(503, app.state.status, f"The server is {app.state.status}.")
        return Ready(status="ready", compiled=app.state.compiled)

    registry = prometheus_client.CollectorRegistry()
    registry.register(metrics)

    @routes.get("/metrics", response_class=Response, responses=TEXT)
    async def show_metrics() -> Response:
        """Metrics for Prometheus: of all processes, whichever answers."""
        tell()
        return Response(
            prometheus_client.generate_latest(registry),
            media_type=prometheus_client.CONTENT_TYPE_LATEST,
        )

    return routes
