"""Distances from many sources, and their sums for each vertex or for each source, from which
closeness is computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared import source_batches
from lagraph_gpu.algorithms._shared.distance_types import finite
from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.power_iteration import along_edges, refuse_negative
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_first
from semirings.types import FP64

minus, plus = BINARY["minus"], BINARY["plus"]

IN_STEP = 100
"""So many searches of `distance_sums` take at most the time of one whose distances are a row."""


class Sums(NamedTuple):
    """For each vertex sums over the sources that reach it, without itself (FP64)."""

    others: Vector
    """The number of these sources."""
    farness: Vector
    """The sum of their distances."""
    nearness: Vector
    """The sum of the reciprocals of their distances."""


class Totals(NamedTuple):
    """For each source sums over the vertices that it reaches, without itself (FP64)."""

    others: Vector
    """The number of these vertices."""
    farness: Vector
    """The sum of their distances."""


def distances(
    G: Graph, A: Any, sources: np.ndarray, weight: str | None, batch: int | None
) -> Iterator[tuple[np.ndarray, Matrix]]:
    """Batches of sources, each with the matrix of the distances from them along A (FP64, a row for
    each source).
    """
    refuse_negative(G, weight, "distances")
    hops = along_edges(G, weight)[1] is plus_first
    for block, D in source_batches.distances(A, sources, None if hops else FP64, batch_size=batch):
        yield block, D.dup(FP64) if hops else finite(D, G)


def sums(G: Graph, sources: np.ndarray, weight: str | None, batch: int | None) -> Sums:
    """The sums over these sources. `batch` sources are searched from together, by default as many
    as fit.
    """
    if batch is None and along_edges(G, weight)[1] is plus_first:
        leave = source_batches.degrees_of(G, sources) > 0  # the others reach no vertex
        return distance_sums(G.A, distinct(sources[leave]))
    if batch is None:
        refuse_negative(G, weight, "distances")
        return sums_of_lengths(G, sources)
    return added_up(G.n, G.backend, distances(G, G.A, sources, weight, batch))


@operation
def distance_sums(A: Matrix, sources: np.ndarray) -> Sums:
    """The sums over these sources, with distances in edges along the matrix A."""
    blocks = source_batches.distances(A, sources, None)
    return added_up(A.nrows, A.backend, ((block, D.dup(FP64)) for block, D in blocks))


@operation
def sums_of_lengths(G: Graph, sources: np.ndarray) -> Sums:
    """The sums over these sources, with the lengths of paths along the edges. A lowering agrees up
    to rounding."""
    blocks = source_batches.distances(G.A, sources, FP64)
    return added_up(G.n, G.backend, ((block, finite(D, G)) for block, D in blocks))


def added_up(n: int, backend: Any, blocks: Iterable[tuple[np.ndarray, Matrix]]) -> Sums:
    """The sums over the rows of batches of distances."""
    totals = Sums(*(Vector.from_scalar(0.0, n, FP64, backend=backend) for _ in range(3)))
    for block, D in blocks:
        totals.others(plus) << D.apply("one").new().reduce_columnwise("plus")
        totals.others(minus)[block] << 1.0  # each source reaches itself
        totals.farness(plus) << D.reduce_columnwise("plus")
        reciprocals = D.select(">", 0.0).new().apply("minv").new()
        totals.nearness(plus) << reciprocals.reduce_columnwise("plus")
    return totals


def totals(
    G: Graph, A: Any, sources: np.ndarray, weight: str | None, batch: int | None
) -> Iterator[tuple[np.ndarray, Totals]]:
    """Batches of different sources, each with the sums over the vertices that they reach along A.
    `batch` sources are searched from together, by default as many as fit.
    """
    sources = distinct(sources)
    if batch is None and along_edges(G, weight)[1] is plus_first:
        yield sources, source_totals(A, sources)
        return
    for block, D in distances(G, A, sources, weight, batch):
        yield block, of_rows(D)


@operation
def source_totals(A: Matrix | Any, sources: np.ndarray) -> Totals:
    """The sums for each of these sources, with distances in edges along the matrix A."""
    found = Totals(*(Vector(FP64, sources.size, backend=A.backend) for _ in Totals._fields))
    first = 0
    for block, D in source_batches.distances(A, sources, None):
        place = slice(first, first + block.size)
        for whole, part in zip(found, of_rows(D.dup(FP64)), strict=True):
            whole[place] << part
        first += block.size
    return found


def nearness_of(
    G: Graph, chosen: np.ndarray, sources: np.ndarray, weight: str | None, batch: int | None
) -> Vector | None:
    """For the chosen vertices the sum of the reciprocals of the distances from the sources to them,
    by searches from the chosen vertices against the edges. None if searches from the sources may
    take less time.
    """
    together = IN_STEP if batch is None and along_edges(G, weight)[1] is plus_first else 1
    if chosen.size * together >= sources.size:
        return None
    found = Vector(FP64, G.n, backend=G.backend)
    counted = Vector.from_coo(sources, True, size=G.n, backend=G.backend)
    for block, D in distances(G, G.A.T if G.directed else G.A, chosen, weight, batch):
        reciprocals = D.select(">", 0.0).new().apply("minv").new()
        found[block] << zero_filled(plus_first(reciprocals @ counted).new())
    return found


def of_rows(D: Matrix) -> Totals:
    """The sums over the rows of a batch of distances, each of which has an entry for its source."""
    others = D.apply("one").new().reduce_rowwise("plus").new().apply("minus", right=1.0).new()
    return Totals(others, D.reduce_rowwise("plus").new())
