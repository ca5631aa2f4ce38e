"""The CPU backend in a process that ``fork`` made, as ``multiprocessing`` does on Linux.

Of all threads only the one that forked goes on in such a child. OpenMP does not know that: the
first operation that SuiteSparse shares out would wait for ever for threads that are not there. A
lock that another thread held would stay locked for ever too. Loops of our own start their threads
anew at each call, so they need nothing.
"""

from __future__ import annotations

import functools
import os

import graphblas as gb
from numba.core.compiler_lock import global_compiler_lock


@functools.cache
def survive_forks() -> None:
    """From here on, SuiteSparse has one thread in every child that is forked, and no fork comes
    while a thread compiles a loop: it waits until that is done."""
    if hasattr(os, "register_at_fork"):  # Windows has no fork
        os.register_at_fork(
            before=global_compiler_lock.acquire,
            after_in_parent=global_compiler_lock.release,
            after_in_child=_in_child,
        )


def _in_child() -> None:
    global_compiler_lock.release()
    gb.ss.config["nthreads"] = 1
