"""Compiled loops that run long: in threads, and so that the caller can end them.

A loop that may take long has a last argument `watch`: two numbers. It stops soon after the first is
no longer 0, and its result is then worth nothing; it writes to the second how many of its steps are
done. `watched` and `shared_out` run such loops in threads, while the caller's thread waits for them
and notices an interrupt from the keyboard.
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.stores import lengths_of_rows
from lagraph_gpu.planning.threads import threads_for
from lagraph_gpu.reporting import SECONDS_BETWEEN_STEPS, step

LONG_LOOP_ITEMS = 1 << 22
"""The number of entries and vertices to read from which a loop runs in another thread: some ten
milliseconds, beside which the start of a thread does not count."""

ENTRIES_PER_THREAD, COMPARED_PER_ENTRY = 1 << 17, 16
"""The number of entries of rows, each of which is compared with so many others, that is worth
another thread: one or two milliseconds, beside 0.2 for its start (record 0254)."""

SHORT_SECONDS = 2e-3
"""Less is not worth a thread, whose start takes 0.1 to 0.3 ms of a processor."""

STOP_TIMEOUT_SECONDS = 0.5
"""Seconds that an interrupted caller waits for its loops to end. Loops look at their watch far more
often; after that time they end by themselves, while the caller goes on."""


def unwatched() -> np.ndarray:
    """A `watch` for a loop that nobody waits for in another thread."""
    return np.zeros(2, np.int64)


def watched(loop: Any, *arguments: Any, work: int, total: int | None = None) -> Any:
    """The result of ``loop(*arguments, watch)``, which an interrupt from the keyboard ends.

    ``work`` is the number of entries and vertices that the loop reads. If it is small, the loop
    runs in this thread. ``total`` is the number of its steps, to show its progress.
    """
    watch = unwatched()
    if work < LONG_LOOP_ITEMS or threading.current_thread() is not threading.main_thread():
        return loop(*arguments, watch)
    return next(_in_threads(lambda _, watch: loop(*arguments, watch), [None], 1, watch, total))


def shared_out(
    work: Callable[[Any, np.ndarray], Any],
    jobs: Iterable[Any],
    threads: int,
    size: int = LONG_LOOP_ITEMS,
) -> Iterator[Any]:
    """Yield ``work(job, watch)`` for each job, in order, computed by so many threads.

    At most two results for each thread wait to be taken. ``size`` is the number of entries that all
    jobs may read: if it is small and one thread does the work, it is this thread. So it is if the
    first job shows that the others take little.
    """
    watch = unwatched()
    if size < LONG_LOOP_ITEMS:
        waiting = deque(jobs)
        if threads > 1 and len(waiting) > 2:
            began = perf_counter()
            made = work(waiting.popleft(), watch)
            threads = 1 if (perf_counter() - began) * len(waiting) < SHORT_SECONDS else threads
            yield made
        if threads == 1:
            yield from (work(job, watch) for job in waiting)
            return
        jobs = waiting
    yield from _in_threads(work, jobs, threads, watch, None)


def shared_by_rows(
    work: Callable[[tuple[int, int], np.ndarray], Any], rows: CompressedRows, looks: int
) -> Iterator[Any]:
    """Yield ``work((first, end), watch)`` for ranges of rows, one for each thread, in order, where
    each row is compared with those of the vertices in it.

    The squares of the lengths of rows have about equal sums. An entry is looked at about ``looks``
    times.
    """
    begins, columns = rows
    lengths, count = lengths_of_rows(begins), int(begins[-1])
    squares = np.square(lengths, dtype=np.float64)
    compared = int(squares.sum())
    if compared // COMPARED_PER_ENTRY > ENTRIES_PER_THREAD:  # less where the other rows are short
        compared = min(compared, 2 * int(lengths.take(columns[:count]).sum()))
    threads = threads_for(1 + max(count, compared // COMPARED_PER_ENTRY) // ENTRIES_PER_THREAD)
    cuts = [0, *equal_parts(squares, threads), squares.size]
    return shared_out(work, pairwise(cuts), threads, looks * count)


def equal_parts(amounts: np.ndarray, count: int) -> list[int]:
    """Where a list of amounts is cut into so many parts of about equal sums."""
    if count == 1:
        return []
    sums = np.cumsum(amounts)
    cuts: list[int] = np.searchsorted(sums, np.linspace(0, sums[-1], count + 1)[1:-1]).tolist()
    return cuts


def _do(done: Future[Any], work: Callable[[], Any]) -> None:
    """Do some work, unless it has been cancelled."""
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(work())
    except BaseException as problem:
        done.set_exception(problem)
        del done  # or the problem, its traceback and what it has would refer to each other


def _in_threads(
    work: Callable[[Any, np.ndarray], Any], jobs: Iterable[Any], threads: int, watch: np.ndarray,
    total: int | None,
) -> Iterator[Any]:  # fmt: skip
    begun: deque[Future[Any]] = deque()

    def first() -> Any:
        """The result of the first job. Meanwhile it is told how far its loop is."""
        while not wait([begun[0]], SECONDS_BETWEEN_STEPS).done:
            if total is not None:
                step(int(watch[1]), total)
        return begun.popleft().result()

    pool, started = ThreadPoolExecutor(threads), False
    try:
        for job in jobs:
            begun.append(Future())
            try:
                pool.submit(_do, begun[-1], functools.partial(work, job, watch))
                started = True
            except RuntimeError as problem:
                if "start new thread" not in str(problem):  # there is no room for its stack
                    raise
                if not started:  # otherwise the job waits for the threads that there are
                    pool = ThreadPoolExecutor(threads)
                    _do(begun[-1], functools.partial(work, job, watch))
            if len(begun) > 2 * threads:
                yield first()
        while begun:
            yield first()
    finally:
        watch[0] = len(begun)  # stops the loops that run on, after an error or an interrupt
        for waiting in begun:
            waiting.cancel()
        pool.shutdown(wait=not wait(begun, STOP_TIMEOUT_SECONDS).not_done)
