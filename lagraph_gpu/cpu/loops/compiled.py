"""Loops in Python's notation, compiled by numba when they are first called and kept on the disk.
They hold no lock, so threads may share work out.

Numba's own cache is not used: its files are pickles in folders that others may be able to write
to, and one byte of damage to them is an error in every process, or code that runs amiss. Ours is
``lagraph_gpu.files.cache``, and of numba's we take what becomes of a compiled function in it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from lagraph_gpu.files.cache import keep, kept, tell_unusable


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled at its first call, and kept on the disk if there is a place for it.

    What is kept stands until the function's own file changes, so it may read no constant and call
    no function of another."""
    result = numba.njit(nogil=True)(function)
    try:
        source = digest_of(Path(function.__code__.co_filename))
    except OSError:  # out of an archive
        return result
    result._cache = OnDisk(function, source)
    return result


@functools.cache
def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


class OnDisk(NullCache):  # type: ignore[misc]  # numba has no types
    """What numba asks before it compiles a function for some types of arguments, and afterwards."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        place = function.__module__, function.__qualname__, function.__code__.co_firstlineno
        python = sys.implementation.cache_tag, getattr(sys, "abiflags", "")
        self._key = ("numba", numba.__version__, *python, source, *place)

    def key(self, types: Any, codegen: Any) -> tuple[object, ...]:
        """By the types of arguments, and by the processor that the code is for."""
        return (*self._key, str(types), *codegen.magic_tuple())

    def load_overload(self, types: Any, target: Any) -> Any:
        """The compiled function, or None."""
        target.refresh()
        content = kept(self.key(types, target.codegen()))
        if content is None:
            return None
        try:
            return CompileResult._rebuild(target, *pickle.loads(content))
        except Exception as problem:
            tell_unusable(f"numba cannot load it ({type(problem).__name__}: {problem})")
            return None

    def save_overload(self, types: Any, result: Any) -> None:
        if not result.library.has_dynamic_globals:  # addresses, which are of this process
            keep(self.key(types, result.codegen), dumps(result._reduce()))


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
