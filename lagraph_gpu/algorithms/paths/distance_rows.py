"""A request for a table of distances, and the rows of the table for some of its sources."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import check_cutoff, path_type, table_type
from lagraph_gpu.algorithms._shared.memory_check import MIN_SEARCHES, SEARCH_BYTES
from lagraph_gpu.algorithms._shared.power_iteration import counts_edges, refuse_negative
from lagraph_gpu.algorithms._shared.source_batches import offset_progress, ordered_vertices
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.path_lengths import (
    Pairs,
    contracted_lengths,
    path_lengths,
)
from lagraph_gpu.calls.out_of_memory_fallback import fall_back
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.reporting import StepCallback, reports
from lagraph_gpu.schedule import Schedule
from semirings import types

SWEEP_BYTES, SWEEP_SOURCES = 8, 128
"""The bytes for each vertex and source that passes over a contraction take, and the number of
sources that they store side by side. With fewer sources they take as much memory as with so many.
"""


class Block(NamedTuple):
    """Distances from some of the sources.

    Parameters
    ----------
    sources : array of INT64
        The sources of the rows.
    distances : array
        A row of distances for each source.
    """

    sources: np.ndarray
    distances: Any


class Table:
    """A request for a table of distances, checked, with the type of its entries."""

    def __init__(
        self, G: Graph, sources: Any, targets: Any, cutoff: Any, weight: str | None,
        schedule: Schedule | None = None, contraction: Contraction | None = None,
    ) -> None:  # fmt: skip
        expect_kind(schedule, Schedule | None, "a Schedule or None as schedule")
        refuse_negative(G, weight, "distances")
        self.G, self.cutoff = G, check_cutoff(cutoff)
        self.schedule = schedule
        self.hops = counts_edges(G, weight)
        self.sources = ordered_vertices(G, sources, "sources")
        self.targets = None if targets is None else ordered_vertices(G, targets, "targets")
        self.columns = G.n if self.targets is None else self.targets.size
        self.dtype = table_type(G, self.hops, weight is not None)
        self.row_bytes = max(1, self.columns * self.dtype.itemsize)
        self.contraction = contraction
        if contraction is not None:
            expect_kind(contraction, Contraction, "what lg.contract(G) makes")
            if schedule is not None:
                raise InvalidValue(
                    f"expected no schedule beside a contraction, which has but one, got {schedule}"
                )
            contraction.expect(G, self.hops)

    def bytes(self, count: int) -> int:
        """The largest number of bytes for the rows of `count` sources and the searches for them.
        What the graph keeps for later calls is not counted.
        """
        rows, P = self.row_bytes * count, self.contraction
        if P is None:
            return rows + SEARCH_BYTES * self.G.n * max(count, MIN_SEARCHES)
        return rows + SWEEP_BYTES * (P.n + P.core) * SWEEP_SOURCES * -(-count // SWEEP_SOURCES)

    @property
    def least_bytes(self) -> int:
        """The bytes of the whole table and of the searches for one of its rows: more of them run
        together only where there is room.
        """
        more = max(0, self.sources.size - 1) * self.row_bytes
        return self.bytes(1) + more if self.sources.size else 0

    def blocks(self, count: int, progress: StepCallback | None = None) -> Iterator[Block]:
        """The table in blocks of `count` sources, and of fewer from where less memory is free than
        at first: blocks that are kept take it, or other processes.
        """
        first = 0
        while first < self.sources.size:
            batch = self.sources[first : first + count]
            report = offset_progress(progress, first, self.sources.size)
            why: TooLarge | None = None
            try:
                rows = self.rows(batch, report)
            except TooLarge as problem:
                if not problem.of_memory or (batch.size == 1 and self.contraction is not None):
                    raise
                why = problem
            if why is not None and batch.size > 1:
                count = (batch.size + 1) // 2
                continue
            if why is not None:
                rows = fall_back(self.same, "iter_distances", self.G, (batch,), {}, why)
            first += batch.size
            yield Block(batch, rows)
            del rows, why  # or they would be held beside the next block

    def same(self, G: Graph, sources: np.ndarray) -> Any:
        """Rows of the same table, of the graph on another backend."""
        table = copy.copy(self)
        table.G = G
        return table.rows(sources)

    @property
    def limit(self) -> int | None:
        """The largest distance that counts, if distances are whole numbers. None if all distances
        count.
        """
        if self.cutoff is None:
            return None
        floating = self.G.A.dtype.kind == "f" and not self.hops
        limit = types.cast(self.cutoff, self.dtype) if floating else self.cutoff
        return None if math.isinf(limit) else math.floor(limit)

    def rows(
        self, sources: np.ndarray, progress: StepCallback | None = None, pairs: Pairs | None = None,
        turned: bool = False,
    ) -> Any:  # fmt: skip
        """Rows of the table, or the entries of `pairs`. With `turned` they are those of the
        reversed graph.
        """
        targets, P = pairs or self.targets, self.contraction
        progress = reports() if progress is None else progress
        A = self.G.A.T if turned and self.G.directed else self.G.A
        kinds = None if self.hops else path_type(self.G), self.dtype
        if P is None:
            A = A if isinstance(A, Matrix) else A.new()
            return path_lengths(A, sources, targets, self.cutoff, *kinds, self.schedule, progress)
        P = P.turned if turned else P
        return contracted_lengths(A, P, sources, targets, self.limit, *kinds, progress)
