"""How many threads of the CPU work at once."""

from __future__ import annotations

import os


def threads_for(jobs: int) -> int:
    """The number of threads for so many jobs, at most the number of processors that this process
    may use."""
    return 1 if jobs <= 1 else min(processors(), jobs)


def processors() -> int:
    """The number of processors that this process may use: its affinity, where the system has
    one."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux
    return len(allowed(0)) if allowed else os.cpu_count() or 1
