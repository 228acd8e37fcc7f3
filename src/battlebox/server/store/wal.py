"""SQLite's journal (matches.sqlite-wal): whether all that was saved in it can still be read.

Where a frame of it is damaged, SQLite silently leaves out that one and all that follow, as it has
to do with what a power failure left half written. The difference is in what follows: nothing was
saved after the last transaction. The format: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

HEADER, FRAME = 32, 24  # bytes of the journal's head, of a frame's
MAGIC = 0x377F0682  # with the last bit set: checksums are of big-endian words
AT_ONCE = 4096  # frames
Words = npt.NDArray[np.uint32]


class Lost(NamedTuple):
    """Transactions that cannot be read. damaged: more than a power failure can explain."""

    transactions: int
    damaged: bool


class _Frames(NamedTuple):
    """Frames in a row: whose salt is that of the journal, which end a transaction, checksums."""

    current: npt.NDArray[np.bool_]
    commits: npt.NDArray[np.bool_]
    sums: Words  # (n, 2), as they are written
    parts: Words  # (n, 2), what each frame adds to the checksum of the one before


def lost(path: Path) -> Lost:
    """What of a journal SQLite would leave out. A journal that is not there has lost nothing.

    Errors: OSError. No server may be writing to it meanwhile.
    """
    try:
        with path.open("rb") as file:
            return _lost(file)
    except FileNotFoundError:
        return Lost(0, False)


def _lost(file: BinaryIO) -> Lost:
    head = file.read(HEADER)
    if len(head) < HEADER:
        return Lost(0, False)
    magic, _, page, _, _, _, *written = struct.unpack(">8I", head)
    order = ">" if magic & 1 else "<"
    start = _parts(np.frombuffer(head[: HEADER - 8], f"{order}u4")[None].astype(np.uint32))[0]
    if magic & ~1 != MAGIC or list(start) != written or page < 512:
        there = len(file.read(FRAME + 512)) == FRAME + 512
        return Lost(int(there), there)
    seen = start
    step = _power((8 + page) // 8)
    broken, commits, more = False, 0, False  # more: there are frames after the first lost commit
    for frames in _read(file, page, order, head[16:24]):
        for k in range(len(frames.current)):
            seen = step @ seen + frames.parts[k]
            broken = broken or not (frames.current[k] and (seen == frames.sums[k]).all())
            if broken and frames.current[k]:
                more = more or commits > 0
                commits += int(frames.commits[k])
    return Lost(commits, more)


def _read(file: BinaryIO, page: int, order: str, salt: bytes) -> Iterator[_Frames]:
    size = FRAME + page
    while data := file.read(AT_ONCE * size):
        n = len(data) // size
        frames = np.frombuffer(data[: n * size], np.uint8).reshape(n, size)
        numbers = frames[:, :FRAME].copy().view(">u4").astype(np.uint32)
        summed = np.concatenate([frames[:, :8], frames[:, FRAME:]], axis=1)
        yield _Frames(
            current=(frames[:, 8:16] == np.frombuffer(salt, np.uint8)).all(axis=1),
            commits=numbers[:, 1] != 0,
            sums=numbers[:, 4:],
            parts=_parts(summed.view(f"{order}u4").astype(np.uint32)),
        )


# The checksum of words a, b, a, b ...: s0 += a + s1, then s1 += b + s0, modulo 2**32. Each step is
# s = STEP s + INTO (a, b): so what rows of words add is one product of matrices.
STEP = np.array([[1, 1], [1, 2]], np.uint32)
INTO = np.array([[1, 0], [1, 1]], np.uint32)


def _parts(words: Words) -> Words:
    """The checksums of rows of words, each as if nothing came before it."""
    weights = [INTO]
    for _ in range(words.shape[1] // 2 - 1):
        weights.append(STEP @ weights[-1])
    added: Words = words @ np.concatenate([w.T for w in weights[::-1]])
    return added


def _power(n: int) -> Words:
    """STEP to the power of n."""
    out = np.eye(2, dtype=np.uint32)
    for _ in range(n):
        out = STEP @ out
    return out
