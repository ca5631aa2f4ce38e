"""Common neighbours on the CPU (``native/similarity.cpp``), and shares of them."""

from __future__ import annotations

from itertools import pairwise

import graphblas as gb
import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import equal_parts, shared_out
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, PairsOfRows
from lagraph_gpu.cpu.statements.containers import as_matrix, as_vector, sparse
from lagraph_gpu.cpu.statements.objects import without_cycle
from lagraph_gpu.cpu.statements.stores import (
    CpuMatrix,
    HostArrays,
    HostEntries,
    HostRows,
    lengths_of_rows,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.threads import threads_for
from semirings import Semiring, any_min, any_plus
from semirings.types import INT32, INT64

common_entries = Loop("common_entries")

SHORT_ROW = 32
"""Where rows are longer in the mean, it is worth sorting the pairs: on a lattice of 700 × 700 it
takes 200 ms with it and 140 without, on kron15 110 and 210 (two cores, 2026-11-29)."""

FEW_LOOKS = 1 << 15
"""To sort pairs takes as long as to look up so many entries."""

LOOKS_PER_THREAD = 1 << 19
"""The number of entries to look up that is worth another thread, which takes as long to start as
a tenth of them."""

COMBINED = {any_plus: np.add, any_min: np.minimum}


Counted = tuple[CompressedRows, tuple[np.ndarray, np.ndarray], np.ndarray]
"""The rows of neighbours, the ends of pairs, and for each pair how many neighbours both have."""


def counted(G: Graph, pairs: Matrix) -> Counted:
    """Count common neighbours, by threads for ranges of pairs."""
    rows, ends = pattern(G.neighbours._store), ends_of(pairs)
    u, v = ends
    looks = lengths(rows, v)
    size = int(looks.sum())
    each: slice | np.ndarray = slice(None)
    if size > max(SHORT_ROW * v.size, FEW_LOOKS):
        u, v, each = longer_first(u, v, lengths(rows, u), looks, G.n)
        looks = lengths(rows, v)
        size = int(looks.sum())
    common = np.empty(u.size, INT64)

    def count(cut: tuple[int, int], watch: np.ndarray) -> None:
        part = slice(*cut)
        common_entries(rows, PairsOfRows(u[part], v[part]), common[part], watch)

    threads = threads_for(1 + size // LOOKS_PER_THREAD)
    cuts = [0, *equal_parts(looks, threads), u.size]
    for _ in shared_out(count, pairwise(cuts), threads, size):
        pass
    return rows, ends, common[each]


def numbers_in_common(G: Graph, pairs: Matrix) -> Matrix:
    """Lowers ``numbers_in_common``."""
    _, ends, common = counted(G, pairs)
    return with_values(pairs, ends, common)


def coefficients(G: Graph, pairs: Matrix, combine: Semiring) -> Matrix | None:
    """Lowers ``coefficients``."""
    if combine not in COMBINED:
        return None
    rows, ends, common = counted(G, pairs)
    whole = COMBINED[combine](*(lengths(rows, end) for end in ends))
    if combine is any_plus:
        whole -= common
    return with_values(pairs, ends, common / np.maximum(whole, 1))


def longer_first(
    u: np.ndarray, v: np.ndarray, degree_u: np.ndarray, degree_v: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs with the vertex of higher degree first, sorted by it, each once; and which of them
    each pair is. Vertices are below n."""
    u_first = (degree_u > degree_v) | ((degree_u == degree_v) & (u > v))
    key = np.where(u_first, u, v) * INT64.type(n) + np.where(u_first, v, u)
    distinct, each = np.unique(key, return_inverse=True)
    longer, shorter = (w.astype(INT32) for w in np.divmod(distinct, n))
    return longer, shorter, each


def columns_in_common(A: Matrix, u: int, v: int) -> Vector:
    """Lowers ``columns_in_common``."""
    rows = pattern(A._store)
    near_u, near_v = (rows.columns[rows.begins[w] : rows.begins[w + 1]] for w in (u, v))
    both = np.intersect1d(near_u, near_v, assume_unique=True)
    return as_vector(A, sparse(both, np.ones(both.size, np.bool_), A.ncols))


def lengths(rows: CompressedRows, of: np.ndarray) -> np.ndarray:
    """The lengths of some rows. `take` refuses where memory is too short to convert its indices;
    `begins[of]` would end the process (NumPy 2.4)."""
    return rows.begins.take(of + 1) - rows.begins.take(of)


def ends_of(pairs: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns of the entries (INT32), by rows. Where few rows have entries, no
    others are looked at."""
    held = pairs._store.given
    if isinstance(held, HostRows):
        return np.repeat(
            np.arange(held.nrows, dtype=INT32), lengths_of_rows(held.begins)
        ), held.columns
    if isinstance(held, HostEntries):
        return held.rows, held.columns
    row, column, _ = held.to_coo(values=False)
    return row.astype(INT32), column.astype(INT32)


def with_values(pairs: Matrix, ends: tuple[np.ndarray, np.ndarray], values: np.ndarray) -> Matrix:
    """A matrix with the same entries, which have these ends, and a value for each."""
    held = pairs._store.given
    if isinstance(held, HostArrays):
        return as_matrix(pairs, CpuMatrix(held._replace(values=values)))
    shape = {"nrows": pairs.nrows, "ncols": pairs.ncols}
    found = gb.Matrix.from_coo(*ends, values, **shape)
    return as_matrix(pairs, CpuMatrix(without_cycle(found)))
