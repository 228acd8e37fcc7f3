"""Processes of ours that end when the process that started them does."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """From now on this process ends when its parent does, even if the parent was killed.

    A thread waits for the parent, so it works on every system and while other threads compute.
    Without a parent that multiprocessing knows of, nothing happens.
    """
    if (parent := multiprocessing.parent_process()) is not None:

        def watch() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=watch, name="end with parent", daemon=True).start()
