"""Loops in Python's notation, compiled by numba when they are first called and kept in its cache,
on the disk. They hold no lock, so threads may share work out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled at its first call, and kept on the disk if there is a place for it.

    What is kept stands until the function's own file changes, so it may read no constant and call
    no function of another."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return numba.njit(nogil=True)(function)


def threads_for(jobs: int) -> int:
    """How many threads there are for so many jobs: of the processors this process may run on."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux
    return max(1, min(len(allowed(0)) if allowed else os.cpu_count() or 1, jobs))


def shared_out(work: Callable[[Any], Any], jobs: Iterable[Any], threads: int) -> Iterator[Any]:
    """What ``work`` makes of each job, in their order, by so many threads."""
    if threads == 1:
        yield from map(work, jobs)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, jobs)
