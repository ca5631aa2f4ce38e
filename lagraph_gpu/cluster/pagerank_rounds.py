"""The lowering of `pagerank_rounds`, which each process computes for its own vertices.
Without loops of the local backend, statements do it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds as by_statements
from lagraph_gpu.cluster.distribution import Distribution, vector_of_part
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from semirings.types import FP64

FEW_ROUNDS = 8
"""With fewer rounds a transpose does not pay."""


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector:
    """Implements `lagraph_gpu.algorithms.centrality.pagerank.pagerank_rounds`."""
    distribution: Distribution = start.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement():
        found = rounds_of(distribution, start, google, max_rounds)
        if found is None:
            return by_statements.statements(start, google, bound, max_rounds)
        part, changes = found
        rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
        for done in range(1, max_rounds + 1):
            rounds.change = next(changes)
            if bound is not None and not math.isfinite(rounds.change):
                raise rounds.failure(done)
            if bound is not None and rounds.change <= bound:
                break
        if bound is not None and not rounds.change <= bound:
            raise rounds.failure(max_rounds)
        return vector_of_part(distribution.handle(part(), start._store.part.shape, FP64), start)


def rounds_of(
    distribution: Distribution, start: Vector, google: GoogleMatrix, max_rounds: int
) -> tuple[Callable[[], Any], Iterator[float]] | None:
    """What gives the part of this process once the rounds are done, and the rounds. None without
    loops, if each round is asked for, or if a transpose would be made for a few."""
    on_devices = distribution.on_devices
    store, transposed = matrix_of(google.A)
    known = transposed or store.symmetric or store.transpose is not None
    few = not known and max_rounds < FEW_ROUNDS
    if on_devices is None or few or not start.size or trace.asks_for_rounds():
        return None
    into = (store if transposed else distribution.transpose(store)).part
    own = [
        None if v is None else v._store.part._store
        for v in (start, google.rate, google.sink, google.teleport)
    ]
    weighted = google.along.reads_right
    return on_devices.pagerank_rounds(into._store, start.size, weighted, own, google.whole)
