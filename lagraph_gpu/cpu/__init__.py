"""The CPU backend: python-graphblas and SuiteSparse:GraphBLAS; nothing else imports them."""

import contextlib
import os

import numpy as np

# SuiteSparse divides each operation among OpenMP threads. By default those spin while they wait for
# each other, which on a busy machine costs far more than it saves (0007 in docs/decisions/cpu.md).
# This has an effect only if SuiteSparse has not been loaded yet. A value that a user has set stays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# What is freed goes back to the system, which clears each page that the next call takes again. The
# C library of GNU keeps twice the largest block that it has seen freed, up to 64 MiB, unless a user
# has set how much (0267). So it sees one here, to which nobody writes.
with contextlib.suppress(MemoryError):
    np.empty((1 << 25) - (1 << 16), np.uint8)
