"""Loops in Python, compiled by numba when they are first called and stored in the cache on the
disk. They release the interpreter's lock, so threads can run them at the same time.

A loop that may take long has a last argument `watch`: two numbers. It stops soon after the first is
no longer 0, and its result is then worth nothing; it writes to the second how many of its steps are
done. `watched` and `shared_out` run such loops in threads, while the caller's thread waits for them
and notices an interrupt from the keyboard.

Numba's own cache is not used: its files are pickles in folders that other users may be able to
write to, and one damaged byte in them is an error in every process, or wrong code. This cache is
``lagraph_gpu.files.cache``; numba provides the serialized form of a compiled function.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from lagraph_gpu.files.cache import keep, kept, tell_unusable
from lagraph_gpu.memory import expect_room
from lagraph_gpu.reporting import BEAT, LOG, step

COMPILER_BYTES = 64 << 20
"""What LLVM may take for a loop. (Measured: 26 MiB of address space for the first, 12 for others.)
"""

LONG = 1 << 22
"""The number of entries and vertices to read from which a loop runs in another thread: some ten
milliseconds, beside which the start of a thread does not count."""

PATIENCE = 0.5
"""Seconds that an interrupted caller waits for its loops to end. One that is still being compiled
ends by itself afterwards."""


def compiled(function: Callable[..., Any]) -> Any:
    """The function, compiled at its first call and stored on the disk if there is a folder for it.

    The stored code is valid until the function's own file changes, so the function may not read a
    constant or call a function of another file.
    """
    result = numba.njit(nogil=True)(function)
    try:
        source = digest_of(Path(function.__code__.co_filename))
    except OSError:  # the file is in an archive
        return result
    result._cache = OnDisk(function, source)
    return result


@functools.cache
def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


class OnDisk(NullCache):  # type: ignore[misc]  # numba has no types
    """The cache that numba asks before it compiles a function for some types of arguments, and that
    it fills afterwards."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        place = function.__module__, function.__qualname__, function.__code__.co_firstlineno
        python = sys.implementation.cache_tag, getattr(sys, "abiflags", "")
        self._key = ("numba", numba.__version__, *python, source, *place)

    def key(self, types: Any, codegen: Any) -> tuple[object, ...]:
        """The key of an entry: the function, the types of its arguments, and the processor that the
        code is for."""
        return (*self._key, str(types), *codegen.magic_tuple())

    def load_overload(self, types: Any, target: Any) -> Any:
        """The compiled function, or None if it is not stored or cannot be loaded. Without room for
        either this raises TooLarge, because LLVM would end the process.
        """
        expect_room(COMPILER_BYTES, "a loop that is to be compiled", "raise the limit")
        target.refresh()
        content = kept(self.key(types, target.codegen()))
        if content is None:
            LOG.info("compiling the loop %s for the CPU", self._key[-2])
            return None
        try:
            return CompileResult._rebuild(target, *pickle.loads(content))
        except Exception as problem:
            tell_unusable(f"numba cannot load it ({type(problem).__name__}: {problem})")
            return None

    def save_overload(self, types: Any, result: Any) -> None:
        if not result.library.has_dynamic_globals:  # those are addresses in this process
            keep(self.key(types, result.codegen), dumps(result._reduce()))


def threads_for(jobs: int) -> int:
    """The number of threads for so many jobs, at most the number of processors that this process
    may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux
    return max(1, min(len(allowed(0)) if allowed else os.cpu_count() or 1, jobs))


def unwatched() -> np.ndarray:
    """A `watch` for a loop that nobody waits for in another thread."""
    return np.zeros(2, np.int64)


def watched(loop: Any, *arguments: Any, work: int, total: int | None = None) -> Any:
    """The result of ``loop(*arguments, watch)``, which an interrupt from the keyboard ends.

    ``work`` is the number of entries and vertices that the loop reads. If it is small, the loop
    runs in this thread. ``total`` is the number of its steps, to show its progress.
    """
    watch = unwatched()
    if work < LONG or threading.current_thread() is not threading.main_thread():
        return loop(*arguments, watch)
    try:
        return next(_in_threads(lambda _, watch: loop(*arguments, watch), [None], 1, watch, total))
    except RuntimeError as problem:
        if "start new thread" not in str(problem):  # there is no room for its stack
            raise
    return loop(*arguments, unwatched())


def shared_out(
    work: Callable[[Any, np.ndarray], Any], jobs: Iterable[Any], threads: int, size: int = LONG
) -> Iterator[Any]:
    """Yield ``work(job, watch)`` for each job, in order, computed by so many threads.

    At most two results for each thread wait to be taken. ``size`` is the number of entries that all
    jobs read: if it is small and one thread does the work, it is this thread.
    """
    watch = unwatched()
    if threads == 1 and size < LONG:
        yield from (work(job, watch) for job in jobs)
        return
    yield from _in_threads(work, jobs, threads, watch, None)


def _in_threads(
    work: Callable[[Any, np.ndarray], Any], jobs: Iterable[Any], threads: int, watch: np.ndarray,
    total: int | None,
) -> Iterator[Any]:  # fmt: skip
    begun: deque[Future[Any]] = deque()

    def first() -> Any:
        """The result of the first job. Meanwhile it is told how far its loop is."""
        while not wait([begun[0]], BEAT).done:
            if total is not None:
                step(int(watch[1]), total)
        return begun.popleft().result()

    pool = ThreadPoolExecutor(threads)
    try:
        for job in jobs:
            begun.append(pool.submit(work, job, watch))
            if len(begun) > 2 * threads:
                yield first()
        while begun:
            yield first()
    finally:
        watch[0] = len(begun)  # stops the loops that run on, after an error or an interrupt
        for waiting in begun:
            waiting.cancel()
        pool.shutdown(wait=not wait(begun, PATIENCE).not_done)
