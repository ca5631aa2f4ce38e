"""What a table of distances is made of: what is asked for, and the rows of some of its sources."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Targets, answer_shape, keep
from lagraph_gpu.batches import batches, ids, points
from lagraph_gpu.closure import closure
from lagraph_gpu.generators import Progress
from lagraph_gpu.graph import Graph
from lagraph_gpu.iteration import along_edges, refuse_negative
from lagraph_gpu.lengths import check_cutoff, path_type, table_type, within
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.schedule import Schedule
from semirings import min_plus, plus_first

BYTES = 64
"""What a row of a closure takes for each vertex: distances, frontiers, results of products."""


class Block(NamedTuple):
    """The distances from some of the sources, a row each."""

    sources: np.ndarray
    distances: Any


class Table:
    """What is asked for, seen to and typed."""

    def __init__(
        self, G: Graph, sources: Any, targets: Any, cutoff: Any, weight: str | None,
        schedule: Schedule | None,
    ) -> None:  # fmt: skip
        refuse_negative(G, weight, "distances")
        check_cutoff(cutoff)
        self.G, self.cutoff = G, None if cutoff == math.inf else cutoff
        self.schedule = schedule
        self.hops = along_edges(G, weight)[1] is plus_first
        self.sources = ids(G, sources, "sources")
        self.targets = None if targets is None else ids(G, targets, "targets")
        self.columns = G.n if self.targets is None else self.targets.size
        self.dtype = table_type(G, self.hops, weight is not None)
        self.row_bytes = max(1, self.columns * self.dtype.itemsize)
        self.search_bytes = 8 * G.n

    def blocks(self, count: int) -> Iterator[Block]:
        for first in range(0, self.sources.size, count):
            some = self.sources[first : first + count]
            yield Block(some, self.rows(some))

    def rows(self, sources: np.ndarray, progress: Progress | None = None) -> Any:
        return self.found(self.G.A, sources, self.targets, progress)

    def found(
        self, A: Matrix, sources: np.ndarray, targets: Targets, progress: Progress | None
    ) -> Any:
        """Rows of the table of A, or what pairs ask of them."""
        G, cutoff = self.G, self.cutoff
        made = G.backend.lengths(
            A, sources, targets, cutoff, self.hops, self.dtype, self.schedule, progress
        )
        if made is not None:
            return made
        made = np.empty(answer_shape(sources.size, G.n, targets), self.dtype)
        done = 0
        for some in batches(G, sources, None, BYTES):
            D = within(closure(points(G, some, 0, path_type(G)), A, min_plus), cutoff)
            keep(D.to_dense(np.inf, self.dtype), done, targets, made)
            done += some.size
            if progress is not None:
                progress(done, sources.size)
        return made
