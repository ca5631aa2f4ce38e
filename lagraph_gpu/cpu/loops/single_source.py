"""Searches from one source on the CPU, from the arrays of a matrix to two vectors, and shortest
paths from one source after another.

In a small graph the time of a call is that of its statements, so there are none here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import length_type, path_type
from lagraph_gpu.cpu.loops.closures import by_one_thread
from lagraph_gpu.cpu.loops.distances import (
    COST_PER_EDGE_HEAP,
    UNSEEN,
    by_level_of_rows,
    size_of,
    threads_of,
)
from lagraph_gpu.cpu.loops.rows import pattern, rows_for_pulls, rows_with_values
from lagraph_gpu.cpu.loops.searches import dijkstra_tree, levels_from
from lagraph_gpu.cpu.loops.small_reach import Part, small_part, small_parts
from lagraph_gpu.cpu.loops.sums import highest, holds, sums_fit, sums_of
from lagraph_gpu.cpu.loops.watched import shared_out, watched
from lagraph_gpu.cpu.native.structs import NO_ROWS, CompressedRows, Traversal
from lagraph_gpu.cpu.statements.containers import as_matrix, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ALPHA_EXIT
from lagraph_gpu.schedule import Schedule
from semirings import min_plus, types
from semirings.types import INT32, INT64

Found = tuple[Vector, Vector]
Trees = tuple[Matrix, Matrix]


def levels_and_parents(
    G: Graph, source: int | Matrix, bound: int | None, schedule: Schedule | None = None
) -> Found | Trees | None:
    """Lowers ``levels_and_parents``. None if a schedule is given, or each round is asked for, and
    for no sources."""
    if wants_rounds(schedule):
        return None
    if isinstance(source, Matrix):
        if source.nrows == 0:
            return None
        return trees_by_levels(G, source, bound)
    part, n = small_part(G.A._store, source), G.n
    n = n if part is None else part.vertices.size
    level, parent = np.empty(n, INT32), np.empty(n, INT64)
    if part is not None:
        start = np.array((part.number(source),))
        write_levels_of(part.rows, NO_ROWS, start, bound, level, parent)
        return pair_of_part(G, part, level, parent)
    reached = write_levels(G.A._store, source, bound, level, parent)
    return pair(G, level, parent, reached, INT32)


def trees_by_levels(G: Graph, start: Matrix, bound: int | None) -> Trees:
    """The levels and the parents of a search from the sources in each row, as two matrices."""
    begins, sources, _ = start._store.arrays()
    limit = G.n if bound is None else bound
    given = G.A._store, False, begins, sources.astype(INT64), limit, False
    ends, at, level, before, _ = by_level_of_rows(*given)
    stores = (CpuMatrix(HostRows(ends, at, values, G.n)) for values in (level, before))
    levels, parents = (as_matrix(G, store) for store in stores)
    return levels, parents


def write_levels(
    store: CpuMatrix, source: int, bound: int | None, level: np.ndarray, parent: np.ndarray
) -> int:
    """Write the levels of a search to the vertices that it reaches, and the parents to all: UNSEEN
    to others. Returns how many it reaches."""
    places = pattern(store), rows_for_pulls(store, False)
    return write_levels_of(*places, np.array((source,)), bound, level, parent)


def write_levels_of(
    rows: CompressedRows, back: CompressedRows, sources: np.ndarray, bound: int | None,
    level: np.ndarray, parent: np.ndarray,
) -> int:  # fmt: skip
    """The same by the rows, and those for pulls, from one source or several."""
    n = parent.size
    parent.fill(UNSEEN)
    how = Traversal(alpha=ALPHA_EXIT, max_level=n if bound is None else min(bound, n))
    search = rows, back, how, sources, level, parent
    return int(watched(levels_from, *search, work=n + rows.columns.size, total=n))


def breadth_first_trees(roots: Vector, A: Matrix) -> Vector | None:
    """Lowers ``breadth_first_trees``. None if each round is asked for."""
    if trace.asks_for_rounds():
        return None
    store, sources = A._store, roots.to_coo()[0]
    places = pattern(store), rows_for_pulls(store, False)
    level, parent = np.empty(roots.size, INT32), np.empty(roots.size, INT64)
    reached = write_levels_of(*places, sources, None, level, parent)
    return vector_of(roots, parent, None if reached == roots.size else parent >= 0)


def lengths_and_parents(
    G: Graph, source: int | Matrix, cutoff: Any, schedule: Schedule | None = None
) -> Found | Trees | None:
    """Lowers ``lengths_and_parents`` by Dijkstra's algorithm.

    None if a schedule is given or each round is asked for, if a length is negative, if a sum could
    leave its type or FP64 would round integers, or if rounds in several threads are faster.
    """
    if wants_rounds(schedule) or not adds_up(G, source):
        return None
    if isinstance(source, Matrix):
        return trees(G, source, cutoff)
    store, sums = G.A._store, sums_of(path_type(G))
    part, n = small_part(store, source), G.n
    n = n if part is None else part.vertices.size
    distance, parent = np.empty(n, sums), np.empty(n, INT64)
    if part is not None:
        lengths = part.rows, part.values(rows_with_values(store, False, sums)[1])
        reached = write_lengths_of(*lengths, part.number(source), cutoff, distance, parent)
    else:
        reached = write_lengths(store, source, cutoff, distance, parent)
    if (narrow := narrowed(G, distance[parent >= 0])) is None:
        return None
    if narrow != sums and reached < n:
        distance[parent < 0] = 0  # infinity is no integer
    if part is not None:
        return pair_of_part(G, part, distance.astype(narrow, copy=False), parent)
    return pair(G, distance, parent, reached, narrow)


def adds_up(G: Graph, source: int | Matrix) -> bool:
    """Whether Dijkstra's algorithm finds the shortest paths of G from a source or several: no
    length is negative, no sum leaves its type or is rounded, and rounds in several threads are not
    faster for a single source."""
    store, dtype = G.A._store, path_type(G)
    n = store.nrows
    if not holds(min_plus, dtype, G.A.dtype):
        return False
    if not isinstance(source, Matrix) and not by_one_thread(store, False, np.array((source,))):
        return False
    least, largest = store.extremes
    return bool(least >= 0 and sums_fit(dtype, least, largest, n))


def write_lengths(
    store: CpuMatrix, source: int, cutoff: Any, distance: np.ndarray, parent: np.ndarray
) -> int:
    """Write the distance of each vertex from a source, added up in the type of the array, and its
    parent: infinity and UNSEEN where it is not reached. Returns how many it reaches."""
    lengths = rows_with_values(store, False, distance.dtype)
    return write_lengths_of(*lengths, source, cutoff, distance, parent)


def write_lengths_of(
    rows: CompressedRows, lengths: np.ndarray, source: int, cutoff: Any, distance: np.ndarray,
    parent: np.ndarray, watch: np.ndarray | None = None,
) -> int:  # fmt: skip
    """The same by the rows and the lengths of their edges."""
    sums = distance.dtype
    distance.fill(np.inf)
    parent.fill(UNSEEN)
    limit = sums.type(np.inf) if cutoff is None else types.cast(cutoff, sums)
    search = rows, lengths, limit, source, distance, parent
    if watch is not None:
        return int(dijkstra_tree(*search, watch))
    work = COST_PER_EDGE_HEAP * (parent.size + rows.columns.size)
    return int(watched(dijkstra_tree, *search, work=work, total=parent.size))


def trees(G: Graph, start: Matrix, cutoff: Any) -> Trees | None:
    """The distances and the parents of a search from the vertex in each row, as two matrices. None
    if a row has none."""
    store, (row, sources, _) = G.A._store, start.to_coo()
    n, sums = store.nrows, sums_of(path_type(G))
    if not 0 < row.size == start.nrows:
        return None

    rows, lengths = rows_with_values(store, False, sums)  # made once, before the threads start
    parts = small_parts(store, sources)

    def one(job: tuple[int, Part | None], watch: np.ndarray) -> tuple[np.ndarray, ...]:
        source, part = job
        size = n if part is None else part.vertices.size
        distance, parent = np.empty(size, sums), np.empty(size, INT64)
        if part is None:
            write_lengths_of(rows, lengths, source, cutoff, distance, parent, watch)
        else:
            among = part.rows, part.values(lengths), part.number(source)
            write_lengths_of(*among, cutoff, distance, parent, watch)
        at = (parent >= 0).nonzero()[0]
        before, distance = parent[at], distance[at]
        if part is not None:
            at, before = part.vertices[at], part.vertices[before]
        return at.astype(INT32), distance, before

    wide = parts.count(None)
    size = wide * COST_PER_EDGE_HEAP * size_of(store)
    jobs = zip(sources.tolist(), parts, strict=True)
    found = shared_out(one, jobs, threads_of(store, wide), size)
    at, distance, parent = zip(*found)
    begins = np.concatenate([[0], np.cumsum([part.size for part in at])]).astype(INT64)
    columns, lengths, parents = map(np.concatenate, (at, distance, parent))
    narrow = narrowed(G, lengths)
    if narrow is None:
        return None
    length, before = (
        as_matrix(G, CpuMatrix(HostRows(begins, columns, values, start.ncols)))
        for values in (lengths.astype(narrow, copy=False), parents)
    )
    return length, before


def narrowed(G: Graph, lengths: np.ndarray) -> np.dtype | None:
    """The type of the results. None if a length does not fit it; the statements say which."""
    dtype = length_type(G.A.dtype)
    fits = dtype == path_type(G) or lengths.max(initial=0) <= highest(dtype)
    return dtype if fits else None


def wants_rounds(schedule: Schedule | None) -> bool:
    """Whether statements are asked for: a schedule is given, or somebody wants to know of each
    round."""
    return schedule is not None or trace.asks_for_rounds()


def pair(G: Graph, numbers: np.ndarray, parent: np.ndarray, reached: int, dtype: Any) -> Found:
    """The two results of a search, with entries where there is a parent."""
    numbers = numbers.astype(dtype, copy=False)
    known = None if reached == parent.size else parent >= 0
    return vector_of(G, numbers, known), vector_of(G, parent, known)


def pair_of_part(G: Graph, part: Part, numbers: np.ndarray, parent: np.ndarray) -> Found:
    """The two results of a search that stays in a part, from the numbers and the parents in it."""
    known = parent >= 0
    return part.vector(G, numbers, known), part.vector(G, part.vertices[parent], known)
