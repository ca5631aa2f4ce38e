"""The lowerings of searches from one vertex: `levels_and_parents` and `lengths_and_parents`.

Where processes share memory, the root finds those of a small graph alone, and any process takes its
part of the results there. Of a larger graph all find levels or lengths, and the parents, in one
call of a loop of their local backend, which is all that they do together. Nobody makes a vector of
the source: in a small graph the time is that of what a process does besides, and all processes of a
host do it. Otherwise, or if someone on one of them wants to know of each level, it is a closure. A
search that has proved deep is the root's in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import length_type, path_type
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents as of_lengths
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents as of_levels
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.ids_in_use import found_parts
from lagraph_gpu.cluster.products import both_ways
from lagraph_gpu.cluster.root import OF_CLOSURES, ON_ROOT, by_root, is_small, whole_graph
from lagraph_gpu.cluster.root_closures import DEEP_ENTRIES, DEEP_LEVELS, WHY_DEEP, pair_of_root
from lagraph_gpu.cluster.root_operations import of_root
from lagraph_gpu.cluster.statement_text import statement_text
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import Operation, any_size
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import pull_threshold
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import SharedMemoryLoops

DEEP = DEEP_LEVELS, DEEP_ENTRIES * DEEP_LEVELS
"""A search with fewer entries in so many levels is deep."""

WHY_SMALL = "the graph is small: a loop of one process takes less time than the meetings of all"

WHY_IN_USE = "few of so many vertices have edges, and process 0 has these under their ranks"

Found = tuple[Vector, Vector]

levels_from_each, lengths_from_each = of_root(of_levels), of_root(of_lengths)
"""Searches from several sources, a row for each."""


@any_size
def levels_and_parents(
    G: Graph, source: int | Matrix, bound: int | None, schedule: Schedule | None = None
) -> Found | None:
    """Implements `lagraph_gpu.algorithms.traversal.bfs.levels_and_parents` from one vertex: its
    owner makes its part of the start, and nobody asks for more than that.
    """
    if G.A.backend.distribution.lists_rows(G.A._store):  # type: ignore[attr-defined]
        return by_ids_in_use(of_levels, G, source, bound, schedule, INT32)
    if isinstance(source, Matrix):
        return levels_from_each(G, source, bound, schedule)  # type: ignore[no-any-return]

    def by_sharing(loops: SharedMemoryLoops, whole: Graph | None) -> Any:
        return loops.levels_of_root(whole, G.n, source, bound)

    def together(distribution: Distribution, loops: SharedMemoryLoops | None) -> Found:
        store = G.A._store
        if loops is not None:
            other = distribution.transpose(store).part._store if both_ways(store) else None
            threshold = pull_threshold(distribution.entries_of(store), True)
            most = G.n if bound is None else min(bound, G.n)
            rows, asked = (store.part._store, other), trace.asks_for_rounds()
            made = loops.levels_and_parents(source, G.n, *rows, threshold, most, DEEP, asked)
            if made is not None:
                return vectors(distribution, G, made, INT32)
        start = distribution.point(G.n, source, np.array([source]))
        x0 = Vector._stored(start, G.n, INT64, G.A.backend)
        parent, level = closure_with_rounds(x0, G.A, any_secondi, bound, schedule)
        return level, parent

    return from_one(of_levels, G, source, bound, schedule, INT32, by_sharing, together)


@any_size
def lengths_and_parents(
    G: Graph, source: int | Matrix, cutoff: Any, schedule: Schedule | None = None
) -> Any:
    """Implements `lagraph_gpu.algorithms.paths.sssp.lengths_and_parents`: by its statements where
    there is no loop for it."""
    kind = length_type(G.A.dtype)
    if G.A.backend.distribution.lists_rows(G.A._store):  # type: ignore[attr-defined]
        return by_ids_in_use(of_lengths, G, source, cutoff, schedule, kind)
    if isinstance(source, Matrix):
        return lengths_from_each(G, source, cutoff, schedule)

    def by_sharing(loops: SharedMemoryLoops, whole: Graph | None) -> Any:
        return loops.lengths_of_root(whole, G.n, source, cutoff, kind)

    def together(distribution: Distribution, loops: SharedMemoryLoops | None) -> Found:
        store = G.A._store
        if loops is not None and cutoff is None and has_lengths(G):
            rows = store.part._store, distribution.transpose(store).part._store
            edges, dtype = distribution.entries_of(store), path_type(G)
            longest, asked = float(G.heaviest), trace.asks_for_rounds()  # type: ignore[arg-type]
            made = loops.lengths_and_parents(source, G.n, *rows, dtype, edges, longest, DEEP, asked)
            if made is not None:
                return vectors(distribution, G, made, kind)
        return of_lengths.statements(G, source, cutoff, schedule)

    return from_one(of_lengths, G, source, cutoff, schedule, kind, by_sharing, together)


def has_lengths(G: Graph) -> bool:
    """Whether G has edges, and none is of negative length."""
    return G.heaviest is not None and not G.lightest < 0  # type: ignore[operator]


def from_one(
    search: Operation[Any, Found], G: Graph, source: int, bound: Any,
    schedule: Schedule | None, dtype: np.dtype,
    by_sharing: Callable[[SharedMemoryLoops, Graph | None], Any],
    together: Callable[[Distribution, SharedMemoryLoops | None], Found],
) -> Found:  # fmt: skip
    """What a search finds, the first result in this type. If the root does such searches of G, it
    tells all of it ``by_sharing``, or if that has no result by exchanges. Otherwise all search
    ``together``, with the operations of the local backend if one may find all of it: they are None
    if there is none, or if there is a schedule."""
    distribution: Distribution = G.A.backend.distribution  # type: ignore[attr-defined]
    comm, store = distribution.comm, G.A._store
    with comm.statement(search.__name__):  # type: ignore[attr-defined]
        if comm.checks:
            comm.expect_same(statement_text(search.__name__, (G.A, source, bound), {}))  # type: ignore[attr-defined]
        loops = None if schedule is not None else distribution.shared_memory_loops
        small = loops is not None and is_small(distribution, store)
        if schedule is None and (small or store.deep):
            work = partial(of_root_alone, search, G, source, bound, dtype, loops, by_sharing)
            found = by_root(distribution, [store], OF_CLOSURES, work)
            if found is not None:
                if trace.explaining():
                    why = WHY_SMALL if small else WHY_DEEP
                    trace.record_choice(search.__name__, ON_ROOT, why)  # type: ignore[attr-defined]
                return found
        return together(distribution, loops)


def of_root_alone(
    search: Operation[Any, Found], G: Graph, source: int, bound: Any, dtype: np.dtype,
    loops: SharedMemoryLoops | None, by_sharing: Callable[[SharedMemoryLoops, Graph | None], Any],
) -> Found:  # fmt: skip
    """What the root finds, which has the whole graph."""
    distribution: Distribution = G.A.backend.distribution  # type: ignore[attr-defined]
    whole = whole_graph(G)
    makers = None if loops is None else by_sharing(loops, whole)
    if makers is not None:
        one, parent = makers
        n, deferred = G.n, distribution.deferred
        return found_in(G, deferred(one, n, dtype), deferred(parent, n, INT64), dtype)
    made = None if whole is None else search(whole, source, bound)
    return vectors(distribution, G, pair_of_root(distribution, G.n, made, dtype), dtype)


def by_ids_in_use(
    search: Operation[Any, Found], G: Graph, source: int | Matrix, bound: Any,
    schedule: Schedule | None, dtype: np.dtype,
) -> Found | None:  # fmt: skip
    """A search by the root under the ranks of the ids in use, if few of many have edges."""
    if isinstance(source, Matrix) or schedule is not None:
        return None
    distribution: Distribution = G.A.backend.distribution  # type: ignore[attr-defined]
    comm = distribution.comm
    with comm.statement(search.__name__):  # type: ignore[attr-defined]
        if comm.checks:
            comm.expect_same(statement_text(search.__name__, (G.A, source, bound), {}))  # type: ignore[attr-defined]
        parts = found_parts(distribution, G, search, source, bound, dtype)
        if parts is None:
            return None
        if trace.explaining():
            trace.record_choice(search.__name__, ON_ROOT, WHY_IN_USE)  # type: ignore[attr-defined]
        return vectors(distribution, G, parts, dtype)


def vectors(distribution: Distribution, G: Graph, parts: Any, dtype: np.dtype) -> Found:
    """The two results, of which this process has these parts."""
    own, shape = distribution.part_shape((G.n,)), (G.n,)
    one, parent = (
        Distributed(distribution.handle(part, own, kind), shape)
        for part, kind in zip(parts, (dtype, INT64))
    )
    return found_in(G, one, parent, dtype)


def found_in(G: Graph, one: Distributed, parent: Distributed, dtype: np.dtype) -> Found:
    """The two results with these stores."""
    n, backend = G.n, G.backend
    return Vector._stored(one, n, dtype, backend), Vector._stored(parent, n, INT64, backend)
