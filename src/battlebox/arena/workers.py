"""Who plays the matches of a plan: this process, all cores of this machine, or a Ray cluster.

Each is a context that gives a function: numbers of matches in, their results out, as they come.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ..core.errors import BattleboxError
from .plan import Plan, Result, play, play_elsewhere

Play = Callable[[Iterable[int]], Iterator[Result]]
LOOK = 5.0  # seconds after which we look whether the workers still live
AHEAD = 2  # tasks that a Ray cluster has for each of its processors


# ---- this machine --------------------------------------------------------------------------------
@contextmanager
def processes(plan: Plan, workers: int) -> Iterator[Play]:
    """So many processes; one: this one."""
    if workers == 1:
        yield partial(map, partial(play, plan))
        return
    before = set(multiprocessing.active_children())
    with _deaf():
        pool = multiprocessing.get_context("spawn").Pool(workers, _begin, (plan,))
    ours = set(multiprocessing.active_children()) - before
    with pool:  # at its end, however it comes, the workers are stopped
        yield partial(_from_pool, pool, ours)


_plan: Plan  # of this worker


def _begin(plan: Plan) -> None:
    global _plan  # noqa: PLW0603 - a process of a pool has nowhere else to keep it
    _plan = plan


def _play_mine(match: int) -> Result:
    return play(_plan, match)


def _from_pool(pool: Any, ours: set[Any], matches: Iterable[int]) -> Iterator[Result]:
    coming = pool.imap_unordered(_play_mine, matches)
    while True:
        try:
            yield coming.next(LOOK)
        except StopIteration:
            return
        except multiprocessing.TimeoutError:  # the pool would wait for ever for one that died
            if dead := [p for p in ours if not p.is_alive()]:
                raise BattleboxError(
                    f"a worker was killed (exit status {dead[0].exitcode}), perhaps for want of "
                    "memory; --workers N takes fewer"
                ) from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes begun in here do not hear Ctrl-C: it is for the one who asked for them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---- many machines -------------------------------------------------------------------------------
@contextmanager
def cluster(plan: Plan, address: str, workers: int | None = None) -> Iterator[Play]:
    """A Ray cluster, all of it. `address` "local": one begun here for the occasion, with so many
    workers (default: all cores). Errors: BattleboxError if there is no Ray, or it does not answer.
    """
    ray = _ray()
    here = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error", **here)
    except (ConnectionError, ValueError, RuntimeError) as e:
        why = str(e).partition("\n")[0]
        raise BattleboxError(f"no Ray cluster answers at {address!r}: {why}") from None
    try:
        yield partial(_from_cluster, ray, ray.remote(play_elsewhere), ray.put(plan), plan.head)
    finally:
        ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report home
    try:
        import ray
    except ImportError:
        raise BattleboxError("--ray needs Ray: pip install 'battlebox[cluster]'") from None
    return ray


def _from_cluster(
    ray: Any, task: Any, plan: Any, head: str, matches: Iterable[int]
) -> Iterator[Result]:
    room = AHEAD * int(ray.cluster_resources().get("CPU", 1))
    todo, waiting = iter(matches), list[Any]()
    while True:
        while len(waiting) < room and (match := next(todo, None)) is not None:
            waiting.append(task.remote(plan, head, match))
        if not waiting:
            return
        (done,), waiting = ray.wait(waiting, num_returns=1)
        yield _value(ray, done)


def _value(ray: Any, done: Any) -> Result:
    try:
        result: Result = ray.get(done)
    except ray.exceptions.RayTaskError as e:
        if isinstance(e.cause, BattleboxError):
            raise e.cause from None
        raise
    except ray.exceptions.RayError as e:
        why = str(e).partition("\n")[0]
        raise BattleboxError(f"the Ray cluster gave a match up: {why}") from None
    return result
