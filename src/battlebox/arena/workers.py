"""Who plays the matches of a plan: this process, all cores of this machine, or a Ray cluster.

Each is a context that gives a function: matches in, what came of them out, as it comes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from ..core.errors import BattleboxError
from ..core.processes import end_with_parent
from .plan import Plan, Result, play_elsewhere

M = TypeVar("M")  # what says a match
R = TypeVar("R")  # what comes of it
Play = Callable[[Iterable[int]], Iterator[Result]]
AHEAD = 2  # matches that are given out for each worker, so that none waits for the next


def _given_out(
    submit: Callable[[M], Any],
    wait: Callable[[list[Any]], tuple[Iterable[Any], Iterable[Any]]],
    value: Callable[[Any], R],
    workers: int,
    patient: bool,
    matches: Iterable[M],
) -> Iterator[R]:
    """What comes of matches that others play, so many at a time. `wait` gives the tasks that are
    done, at least one, and those that are not. When one has failed no more are given out; patient:
    those under way are waited for, as they may have cost something.
    """
    todo, waiting, wrong = iter(matches), list[Any](), list[BattleboxError]()
    while True:
        while not wrong and len(waiting) < (1 if patient else AHEAD) * workers:
            if (match := next(todo, None)) is None:
                break
            waiting.append(submit(match))
        if wrong and not (patient and waiting):
            raise wrong[0]
        if not waiting:
            return
        done, left = wait(waiting)
        waiting = list(left)
        for task in done:
            try:
                found = value(task)
            except BattleboxError as e:
                wrong.append(e)
            else:
                yield found


# ---- this machine --------------------------------------------------------------------------------
@contextmanager
def processes(
    play: Callable[[M], R], workers: int, *, patient: bool = False
) -> Iterator[Callable[[Iterable[M]], Iterator[R]]]:
    """So many processes that play; one: this one. patient: when a match fails, those under way are
    finished. Errors: BattleboxError if one is killed.
    """
    if workers == 1:
        yield partial(map, play)
        return
    before = set(multiprocessing.active_children())
    resource_tracker.ensure_running()  # to begin it later would lift the ban of `_deaf`
    spawn = multiprocessing.get_context("spawn")
    with futures.ProcessPoolExecutor(workers, spawn, _begin, (play,)) as pool:

        def submit(match: M) -> Any:
            with _deaf():  # this begins processes
                return pool.submit(_play_mine, match)

        wait = partial(futures.wait, return_when=futures.FIRST_COMPLETED)
        try:
            yield partial(_given_out, submit, wait, _from_process, workers, patient)
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()  # nobody waits for what they play
            raise


_play: Callable[[Any], Any]  # what this worker does


def _begin(play: Callable[[Any], Any]) -> None:
    global _play  # noqa: PLW0603 - a process of a pool has nowhere else to keep it
    end_with_parent()  # a pool of which the parent was killed would wait for work forever
    _play = play


def _play_mine(match: Any) -> Any:
    return _play(match)


def _from_process(done: futures.Future[R]) -> R:
    try:
        return done.result()
    except BrokenProcessPool:
        raise BattleboxError(
            "a worker was killed, perhaps for want of memory; --workers N takes fewer"
        ) from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes begun in here do not hear Ctrl-C: it is for the one who asked for them, who hears
    it afterwards.
    """
    if sys.platform == "win32":  # which has no masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- many machines -------------------------------------------------------------------------------
@contextmanager
def cluster(plan: Plan, address: str, workers: int | None = None) -> Iterator[Play]:
    """A Ray cluster, all of it. `address` "local": one begun here for the occasion, with so many
    workers (default: all cores). Errors: BattleboxError if there is no Ray, it does not answer, or
    a machine of it has other rules.
    """
    ray = _ray()
    here = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level="error", **here)
    except (OSError, ValueError, RuntimeError) as e:
        why = str(e).partition("\n")[0]
        raise BattleboxError(f"no Ray cluster answers at {address!r}: {why}") from None
    try:
        task, kept, header = ray.remote(play_elsewhere), ray.put(plan), plan.header
        submit = partial(task.remote, kept, header)
        processors = int(ray.cluster_resources().get("CPU", 1))
        value, patient = partial(_from_cluster, ray), bool(plan.readers)
        yield partial(_given_out, submit, ray.wait, value, processors, patient)
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Ray itself would wait for minutes for an answer. Errors: OSError, if nobody listens there."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report home
    try:
        import ray
    except ImportError:
        raise BattleboxError("--ray needs Ray: pip install 'battlebox[cluster]'") from None
    return ray


def _from_cluster(ray: Any, done: Any) -> Result:
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
