"""The CPU backend: python-graphblas and SuiteSparse:GraphBLAS; nothing else imports them."""

import os

# SuiteSparse divides each operation among OpenMP threads. By default those spin while they wait for
# each other, which on a busy machine costs far more than it saves (0007 in docs/decisions/cpu.md).
# This has an effect only if SuiteSparse has not been loaded yet. A value that a user has set stays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
