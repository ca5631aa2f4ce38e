"""Memory that all processes of one host see. It has no name in the file system, so nothing of it is
left when they end."""

from __future__ import annotations

import mmap
import os
import secrets

import numpy as np

from lagraph_gpu.cluster.transport import Transport
from lagraph_gpu.memory import LIMITS

TOKEN = 16
"""By so many random bytes a process knows that it has opened what process 0 has made: another host
may have a process with the same number."""


def opened(transport: Transport, size: int) -> np.ndarray | None:
    """So many bytes for each process, zeros at first, as rows of an array that all share. None if
    not all of them can open it; they call this together."""
    whole, fd = transport.size * size, -1
    named = np.zeros(2 + TOKEN // 8, np.int64)
    if transport.rank == 0:
        try:
            fd, token = os.memfd_create("lagraph-gpu"), secrets.token_bytes(TOKEN)
            os.truncate(fd, whole + TOKEN)
            os.pwrite(fd, token, whole)
            named[:2], named[2:] = (os.getpid(), fd), np.frombuffer(token, np.int64)
        except (AttributeError, OSError):  # not on Linux, or too many files are open
            pass
    first = gathered(transport, named)[0]
    memory = mapped(int(first[0]), int(first[1]), whole, first[2:].tobytes()) if first[0] else None
    all_have = all(one[0] for one in gathered(transport, np.array([memory is not None])))
    if fd >= 0:
        os.close(fd)
    if memory is None or not all_have:
        return None
    LIMITS.sharers = transport.size
    return np.frombuffer(memory, np.uint8, whole).reshape(transport.size, size)


def mapped(process: int, fd: int, size: int, token: bytes) -> mmap.mmap | None:
    """The memory of this file of a process, if it ends with this token."""
    try:
        with open(f"/proc/{process}/fd/{fd}", "r+b") as file:
            memory = mmap.mmap(file.fileno(), size + TOKEN)
    except (OSError, ValueError):
        return None
    return memory if memory[size:] == token else None


def gathered(transport: Transport, mine: np.ndarray) -> list[np.ndarray]:
    """As many numbers of each process."""
    sizes = np.full(transport.size, mine.nbytes)
    return [one.view(mine.dtype) for one in transport.all_gather(mine.view(np.uint8), sizes)]
