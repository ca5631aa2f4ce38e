"""The CPU backend in a process that ``fork`` made, as ``multiprocessing`` does on Linux.

In such a child only the thread that forked exists. OpenMP does not know that, so the first parallel
operation of SuiteSparse would wait for ever for the other threads. A lock that another thread held
would stay locked for ever too: numba has one, which compiles a user's own operators. The compiled
loops start their threads at each call, so they need nothing.
"""

from __future__ import annotations

import functools
import os
import threading

import graphblas as gb

try:
    from numba.core.compiler_lock import global_compiler_lock
except ImportError:  # then nothing is compiled
    global_compiler_lock = threading.RLock()


@functools.cache
def survive_forks() -> None:
    """Make forks safe: from now on SuiteSparse has one thread in every forked child, and a fork
    waits until no thread compiles an operator."""
    if hasattr(os, "register_at_fork"):  # Windows has no fork
        os.register_at_fork(
            before=global_compiler_lock.acquire,
            after_in_parent=global_compiler_lock.release,
            after_in_child=_in_child,
        )


def _in_child() -> None:
    global_compiler_lock.release()
    gb.ss.config["nthreads"] = 1
