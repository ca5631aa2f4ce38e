"""The lowering of `pagerank_rounds`, which each process computes for its own vertices: by one
call of a loop on one host, else with exchanges in each round. Without loops of the local backend,
statements do it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds as by_statements
from lagraph_gpu.cluster.distribution import Distribution, vector_of_part
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ROUNDS_FOR_TRANSPOSE


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector:
    """Implements `lagraph_gpu.algorithms.centrality.pagerank.pagerank_rounds`."""
    distribution: Distribution = start.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("pagerank_rounds"):
        operands = operands_of(distribution, start, google, max_rounds)
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
