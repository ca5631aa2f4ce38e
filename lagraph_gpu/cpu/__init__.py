"""The CPU backend: python-graphblas and SuiteSparse:GraphBLAS; nothing else imports them."""

import os

# SuiteSparse shares each operation out over OpenMP threads. By default those spin while they wait
# for each other, which on a machine that does something else as well costs far more than it saves
# (0007 in docs/decisions/cpu.md). It counts only if SuiteSparse has not been loaded yet; a choice
# of the user's own stays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
