"""The lowerings of PageRank. Of a small graph the root does all rounds alone, where all processes
are on one host: it writes the ranks where the others read them (`ranks`). Otherwise each process
computes those of its own vertices (`pagerank_rounds`): by one call of a loop on one host, else with
exchanges in each round. Without loops of the local backend, statements do it.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import Distributions, GoogleMatrix, Walk
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds as by_statements
from lagraph_gpu.algorithms.centrality.pagerank import ranks as of_walk
from lagraph_gpu.cluster.components import ALONE
from lagraph_gpu.cluster.distributed_store import Distributed, vector_of_part
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.ids_in_use import ranks_in_use
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.cluster.root import OF_CLOSURES, ON_ROOT, by_root, whole_graph
from lagraph_gpu.cluster.root_operations import on_root
from lagraph_gpu.convert.arguments import by_label
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import values_by_position
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import any_size
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ROUNDS_FOR_TRANSPOSE

FEW_ITEMS = 1 << 19
"""So many entries and vertices are a small graph. One process takes one thread for half of it."""


@any_size
def ranks(G: Graph, walk: Walk, given: Distributions) -> Vector | None:
    """Implements `lagraph_gpu.algorithms.centrality.pagerank.ranks` for a small graph, and one of
    which few ids have edges."""
    distribution: Distribution = G.A.backend.distribution  # type: ignore[attr-defined]
    store, n, loops = G.A._store, G.n, distribution.shared_memory_loops
    of_others = any(isinstance(one, Vector) and one.backend is not G.backend for one in given)
    if not n or of_others:
        return None
    if distribution.lists_rows(store):
        if any(one is not None for one in given):
            return None
        with distribution.comm.statement(of_walk.__name__):  # type: ignore[attr-defined]
            found = ranks_in_use(distribution, G, walk)
        return None if found is None else Vector._stored(found, n, walk.dtype.dtype, G.A.backend)
    if loops is None or n > FEW_ITEMS:
        return None
    with distribution.comm.statement(of_walk.__name__):  # type: ignore[attr-defined]
        if n + distribution.entries_of(store) > FEW_ITEMS:
            return None

        some = zip(given, given._fields, strict=True)
        by_position = [
            values_by_position(G, one, name) if by_label(one) else one for one, name in some
        ]

        def work() -> Distributed | None:
            whole, here = whole_graph(G), (on_root(distribution, one) for one in by_position)
            walked = Distributions(*here)
            find = None if whole is None else partial(of_walk, whole, walk, walked)
            make = loops.ranks_of_root(find, n, walk.dtype.dtype)
            return None if make is None else distribution.deferred(make, n, walk.dtype.dtype)

        found = by_root(distribution, [store], OF_CLOSURES, work)
        if found is None:
            return None
        if trace.explaining():
            trace.record_choice("pagerank", ON_ROOT, ALONE)
        return Vector._stored(found, n, walk.dtype.dtype, G.A.backend)


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector:
    """Implements `lagraph_gpu.algorithms.centrality.pagerank.pagerank_rounds`."""
    distribution: Distribution = start.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("pagerank_rounds"):
        sparse = distribution.lists_rows(matrix_of(google.A)[0])
        operands = None if sparse else operands_of(distribution, start, google, max_rounds)
        rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
        part, done = None, 0
        if operands is not None:
            found = in_shared_memory(distribution, operands, bound, max_rounds)
            if found is None:
                found = by_rounds(distribution, operands, bound, max_rounds)
            if found is not None:
                part, done, rounds.change = found
        if part is None:
            return by_statements.statements(start, google, bound, max_rounds)
        if bound is not None and not rounds.change <= bound:
            raise rounds.failure(done)
        return vector_of_part(
            distribution.handle(part, start._store.part.shape, start.dtype), start
        )


class Operands(NamedTuple):
    """What loops take, as `DistributedOperations.pagerank_rounds` says."""

    into: Any
    size: int
    weighted: bool
    vectors: list[Any]
    whole: float


Ranks = tuple[Any, int, float]
"""The part of this process, how many rounds there were, and the change of the last."""


def operands_of(
    distribution: Distribution, start: Vector, google: GoogleMatrix, max_rounds: int
) -> Operands | None:
    """The operands of loops; None without loops, or if a transpose would be made for a few
    rounds."""
    store, transposed = matrix_of(google.A)
    known = transposed or store.symmetric or store.transpose is not None
    few = max_rounds == 0 or (not known and max_rounds < ROUNDS_FOR_TRANSPOSE)
    if distribution.local_operations is None or few or not start.size:
        return None
    into = (store if transposed else distribution.transpose(store)).part
    own = [
        None if v is None else v._store.part._store
        for v in (start, google.rate, google.sink, google.teleport)
    ]
    return Operands(into._store, start.size, google.along.reads_right, own, google.whole)


def in_shared_memory(
    distribution: Distribution, operands: Operands, bound: float | None, max_rounds: int
) -> Ranks | None:
    """All rounds in one call of a loop, if there is one, and no process is asked for each round."""
    loops = distribution.shared_memory_loops
    if loops is None:
        return None
    return loops.ranks_at_once(
        *operands, -1.0 if bound is None else bound, max_rounds, trace.asks_for_rounds()
    )


def by_rounds(
    distribution: Distribution, operands: Operands, bound: float | None, max_rounds: int
) -> Ranks | None:
    """Round after round, with exchanges between them. None without loops, or if one of the
    processes is asked for each round: its statements tell of them."""
    assert distribution.local_operations is not None
    if distribution.totals(int(trace.asks_for_rounds()))[0]:
        return None
    found = distribution.local_operations.pagerank_rounds(*operands)
    if found is None:
        return None
    part, changes = found
    done, change = 0, math.inf
    while done < max_rounds:
        done, change = done + 1, next(changes)
        if bound is not None and (change <= bound or not math.isfinite(change)):
            break
    return part(), done, change
