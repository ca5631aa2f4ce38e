"""Common neighbours on the CPU (``native/similarity.cpp``), and values at both ends of pairs."""

from __future__ import annotations

from itertools import pairwise

import graphblas as gb
import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import ENTRIES_PER_THREAD, shared_out
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import PairsOfRows
from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.products import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.threads import threads_for
from semirings import Semiring, any_min, any_plus
from semirings.types import INT32, INT64

common_entries = Loop("common_entries")

COMBINED = {any_plus: np.add, any_min: np.minimum}


def numbers_in_common(G: Graph, pairs: Matrix) -> Matrix:
    """Lowers ``numbers_in_common``, by threads that count for ranges of pairs. Two pairs of the
    same vertices are counted once."""
    rows = pattern(G.neighbours._store)
    u, v = ends_of(pairs)
    degree_u, degree_v = (rows.begins[1:][w] - rows.begins[w] for w in (u, v))
    u_first = (degree_u > degree_v) | ((degree_u == degree_v) & (u > v))
    key = np.where(u_first, u, v) * INT64.type(G.n) + np.where(u_first, v, u)
    distinct, place = np.unique(key, return_inverse=True)
    longer, shorter = np.divmod(distinct, max(1, G.n))
    looks = np.cumsum(rows.begins[1:][shorter] - rows.begins[shorter])
    longer, shorter = longer.astype(INT32), shorter.astype(INT32)
    common = np.empty(distinct.size, INT64)

    def count(cut: tuple[int, int], watch: np.ndarray) -> None:
        part = slice(*cut)
        common_entries(rows, PairsOfRows(longer[part], shorter[part]), common[part], watch)

    size = int(looks[-1]) if looks.size else 0
    threads = threads_for(1 + size // ENTRIES_PER_THREAD)
    cuts = np.searchsorted(looks, np.linspace(0, size, threads + 1)[1:-1]).tolist()
    for _ in shared_out(count, pairwise([0, *cuts, distinct.size]), threads, size):
        pass
    return with_values(pairs, common[place])


def at_both_ends(x: Vector, of: Matrix, combine: Semiring) -> Matrix | None:
    """Lowers ``at_both_ends``, for a vector of INT64 without gaps."""
    if combine not in COMBINED or x.dtype != INT64 or x._store.nvals < x.size:
        return None
    left, right = (x._store[at].new().to_dense() for at in ends_of(of))
    return with_values(of, COMBINED[combine](left, right))


def ends_of(pairs: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns of the entries (INT64), by rows. Where few rows have entries, no
    others are looked at.

    They are indices of arrays: NumPy converts others by itself, and ends the process where there is
    no memory for it.
    """
    held = pairs._store.given
    if isinstance(held, HostRows):
        row = np.repeat(np.arange(held.nrows), np.diff(held.begins))
        return row, held.columns.astype(INT64)
    row, column, _ = held.to_coo(values=False)
    return row.astype(INT64, copy=False), column.astype(INT64, copy=False)


def with_values(pairs: Matrix, values: np.ndarray) -> Matrix:
    """A matrix with the same entries and these values, one for each in the order of `ends_of`."""
    held = pairs._store.given
    if isinstance(held, HostRows):
        return as_matrix(pairs, CpuMatrix(held._replace(values=values)))
    row, column, _ = held.to_coo(values=False)
    shape = {"nrows": held.nrows, "ncols": held.ncols}
    return as_matrix(pairs, CpuMatrix(gb.Matrix.from_coo(row, column, values, **shape)))
