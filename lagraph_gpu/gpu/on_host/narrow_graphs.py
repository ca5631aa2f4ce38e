"""Searches of narrow graphs by the compiled loops of the host.

A graph is narrow if a search has many levels of few vertices each, such as a path or a long strip.
However few they are, a level costs a device about a microsecond, in which the loops of the host
meet hundreds of vertices and entries. Whether a graph is narrow shows a search: some of its levels
are tried on the device, and where the later ones of these have had few vertices all of them on the
host. Some levels may be wide, as where a path leads to a star or a clique. How many levels there
are is kept, and for each operation they say whether the host takes less time
(``planning/host_or_device.py``; decisions 0269, 0289 and 0312).

Three kinds of graphs are asked: large ones with few edges for each vertex; smaller ones of these
where several searches, a table, or cores are wanted, which take longer than the question; and any
graph of which a search on the device has shown that it is deep. Of a small graph with few edges for
each vertex the levels of a search on the device answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.paths.path_lengths import Targets, path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import Found, shortest_path
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, sides
from lagraph_gpu.algorithms.structure.components import breadth_first_trees
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.scc import strong_component_labels
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import Fixpoint, fixpoint
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.on_host.host_loops import ON_HOST, by_loop, moved
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.planning.closure_order import DEEP_MAX, fans_out
from lagraph_gpu.planning.direction import FREE
from lagraph_gpu.planning.host_or_device import (
    COMPONENTS,
    CORES,
    DEPENDENCIES,
    LENGTHS,
    LONGEST_PATHS,
    PEELING,
    ROWS,
    ROWS_OF_LENGTHS,
    SEARCH,
    HostDeviceCost,
)
from lagraph_gpu.planning.trace import asks_for_rounds, explaining, record_choice
from lagraph_gpu.reporting import StepCallback
from lagraph_gpu.schedule import Schedule
from semirings import Semiring, any_pair, min_plus

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend


class Least(NamedTuple):
    """The number of vertices from which it pays to ask."""

    search: int
    """Before one search."""
    table: int
    """Before several searches, or one for a table, before cores, and before any search of a graph
    that is deep as its searches have shown."""


LEAST = Least(1 << 17, 1 << 13)
"""A level of each vertex takes a device some 100 ms, and 8 ms."""

LEAST_LEVELS = 1024
"""A narrow graph has so many levels at least, which take a device a millisecond."""

TRIED_LEVELS, WIDTH, WIDTH_OF_LONG_ROWS = 256, 32, 1024
"""So many levels are tried, and a graph may be narrow if the second half of them have had fewer
vertices than the second number on average, and is narrow if all levels have. It is the third number
where half of the entries are in long rows, for which a block takes longer."""

HOST_BYTES = 24
"""The bytes of the host for each vertex and search, with the results."""

MANY_STEPS = "a device takes so many steps that the loops of the host find them sooner"
ON_DEVICE = "level by level, on the device"
ASKED = "each level is asked for; otherwise the loops of the host search it"


OnDevice = tuple[Vector, DeviceArray]
"""A result of a device, and what is left to do, as a number on the device."""


class NarrowGraphs(BackendPart):
    """Lowers operations by the backend of the host if a graph is narrow. The fields are for
    tests."""

    least, least_levels, tried_levels = LEAST, LEAST_LEVELS, TRIED_LEVELS
    width, width_of_long_rows = WIDTH, WIDTH_OF_LONG_ROWS

    # --- operations that differ in nothing but what they take -----------------------------------
    def strong_component_labels(self, G: Graph) -> Vector | None:
        """Lowers ``strong_component_labels``."""
        H = self.host_graph(G, COMPONENTS, tables=True)
        return None if H is None else moved(strong_component_labels(H), self.backend)

    def of_sources(
        self, operation: Operation[Any, Any], device: Callable[..., Any] | None = None
    ) -> Callable[..., Any]:
        """The lowering of an operation of a matrix, whose values do not count, and sources of
        searches. A graph that is not narrow has that of the device, if there is one."""

        def lowered(of: Any, sources: np.ndarray) -> Any:
            H = self.host_graph_for(of, SEARCH, sources)
            if H is not None:
                return moved(operation(H.A, sources), self.backend)
            return None if device is None else device(of, sources)

        return lowered

    # --- searches --------------------------------------------------------------------------------
    def levels_and_parents(
        self, G: Graph, source: Any, bound: int | None, schedule: Schedule | None = None
    ) -> tuple[Any, Any] | None:
        """Lowers ``levels_and_parents`` of all levels. A search of a small graph is the device's,
        which waits for the number of levels as long as they may show that the graph is narrow."""
        if bound is not None or schedule is not None:
            return None
        if isinstance(source, Matrix):
            H = self.host_graph(G, ROWS, searches=source.nrows, tables=True)
            if H is None:
                return None
            return moved(levels_and_parents(H, source.to(H.backend), None), self.backend)
        if (H := self.host_graph(G, SEARCH, source)) is not None:
            return moved(levels_and_parents(H, source, None), self.backend)
        small = self.least.table <= G.n < self.least.search
        return self._told(G, source) if small else None

    def lengths_and_parents(
        self, G: Graph, source: Any, cutoff: Any, schedule: Schedule | None = None
    ) -> tuple[Any, Any] | None:
        """Lowers ``lengths_and_parents`` of all lengths."""
        if cutoff is not None or schedule is not None:
            return None
        many = isinstance(source, Matrix)
        cost, searches = (ROWS_OF_LENGTHS, source.nrows) if many else (LENGTHS, 1)
        at = None if many else source
        H = self.host_graph(G, cost, at, searches, tables=many, weights=True)
        if H is None:
            return None
        start = source.to(H.backend) if many else source
        return by_loop(self.backend, lengths_and_parents, H, start, None)  # type: ignore[no-any-return]

    def shortest_path(
        self, G: Graph, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
    ) -> Found | None:
        """Lowers ``shortest_path`` without rounds."""
        H = self.host_graph(G, LENGTHS, source, weights=True) if step is None else None
        if H is None:
            return None
        bounds = None if h is None else h.to(H.backend)
        return by_loop(self.backend, shortest_path, H, source, target, bounds, cutoff, None)

    def path_lengths(
        self, A: Matrix, sources: np.ndarray, targets: Targets, cutoff: float | None,
        sums: np.dtype | None, dtype: np.dtype, schedule: Schedule | None = None,
        progress: StepCallback | None = None,
    ) -> Any:  # fmt: skip
        """Lowers ``path_lengths`` of all lengths, and leaves others to ``SourceTables``."""
        H, weights = None, sums is not None
        if cutoff is None and schedule is None:
            H = self.host_graph_for(A, LENGTHS if weights else SEARCH, sources, weights=weights)
        if H is not None:
            asked = H.A, sources, targets, None, sums, dtype, None, progress
            if (found := by_loop(self.backend, path_lengths, *asked)) is not None:
                return self.device.export(self.device.upload(found.ravel())).reshape(found.shape)
        return self.backend.tables.path_lengths(
            A, sources, targets, cutoff, sums, dtype, schedule, progress
        )

    def dependencies(
        self, G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray
    ) -> Vector | None:
        """Lowers ``dependencies`` of a few sources, and leaves others to ``Brandes``."""
        if sources.size:
            first = int(sources[0])
            H = self.host_graph(G, DEPENDENCIES, first, sources.size, tables=True)
            if H is not None:
                return moved(dependencies(H, sources, endpoints, counts), self.backend)
        return self.backend.brandes.dependencies(G, sources, endpoints, counts)

    def fixpoint_of_rows(
        self, x0: Matrix, A: Any, semiring: Semiring, max_rounds: int, schedule: Schedule,
        with_rounds: bool, limit: Any,
    ) -> Fixpoint | None:  # fmt: skip
        """Lowers ``fixpoint`` of a matrix if it is all hops or all lengths."""
        weights = semiring == min_plus
        if (
            not (weights or semiring == any_pair)
            or schedule != FREE or max_rounds < x0.ncols or limit is not None
        ):  # fmt: skip
            return None
        cost = ROWS_OF_LENGTHS if weights else ROWS
        H = self.host_graph_of(A, cost, searches=x0.nrows, tables=True, weights=weights)
        if H is None:
            return None
        asked = x0.to(H.backend), H.A, semiring, max_rounds
        return by_loop(self.backend, fixpoint, *asked, with_rounds=with_rounds)  # type: ignore[no-any-return]

    def breadth_first_trees(self, roots: Vector, A: Matrix) -> Vector | None:
        """Lowers ``breadth_first_trees``."""
        if (H := self.host_graph_of(A, SEARCH)) is None:
            return None
        return moved(breadth_first_trees(roots.to(H.backend), H.A), self.backend)  # type: ignore[no-any-return]

    def sides(self, G: Graph) -> tuple[Vector, Vector] | None:
        """Lowers ``sides``."""
        H = self.host_graph(both_ways(G), SEARCH)
        return None if H is None else moved(sides(H), self.backend)

    def has_two_sides(self, G: Graph) -> bool | None:
        """Lowers ``has_two_sides``."""
        H = None if G.nloops else self.host_graph(both_ways(G), SEARCH)
        return None if H is None else has_two_sides(H)

    def core_levels(self, G: Graph) -> Vector | None:
        """Lowers ``core_levels``. On the device vertices are removed for as many steps as in a
        graph that does not peel from its ends."""
        H = self.host_graph(G, CORES, tables=True)
        if H is not None:
            return moved(core_levels(H), self.backend)  # type: ignore[no-any-return]

        def on_device(most: int | None) -> OnDevice | None:
            B = multiplicity(G)
            degree = B.reduce_rowwise("plus").new()
            found = self.backend.peeling.peel_within(degree, B, most)
            if found is None:
                return None
            level, counts = found
            return zero_filled(level, "INT64"), counts[constants.PEEL_LEFT :]

        def on_host() -> Vector | None:
            H = self.backend.host_loops.graph(G)
            return None if H is None else by_loop(self.backend, core_levels, H)

        return self._first_on_device(G, PEELING, "core numbers", on_device, on_host)

    def longest_lengths(self, G: Graph, hops: bool, dtype: np.dtype) -> Vector | None:
        """Lowers ``longest_lengths``. On the device paths are followed as far as they may lead in a
        graph that is not narrow."""

        def on_device(most: int | None) -> OnDevice | None:
            return self.backend.longest_paths.longest_lengths(G, hops, dtype, most)

        def on_host() -> Vector | None:
            loops = self.backend.host_loops
            H = loops.graph(G) if hops else loops.weighted_graph(G)
            return None if H is None else by_loop(self.backend, longest_lengths, H, hops, dtype)

        return self._first_on_device(G, LONGEST_PATHS, "longest paths", on_device, on_host)

    def _first_on_device(
        self, G: Graph, cost: HostDeviceCost, what: str,
        on_device: Callable[[int | None], OnDevice | None],
        on_host: Callable[[], Vector | None],
    ) -> Vector | None:  # fmt: skip
        """The result of the device, or that of the host, if a first call on the device does not end
        in half the time that the host takes. Waits until that is known."""
        store, known = G.A._store, None
        if G.n >= self.least_levels and isinstance(store, DeviceMatrix):
            known = store.pattern.depth.sooner_on_host
        if known is not None and cost not in known:
            most = int(cost.on_host(G.n, store.nnz) / (2 * cost.level))
            if (found := on_device(max(most, self.least_levels))) is None:
                return None
            known[cost] = bool(self.device.download(found[1])[0])  # synchronize!
            if not known[cost]:
                return found[0]
        if known is not None and known[cost] and (made := on_host()) is not None:
            record_choice(what, ON_HOST, MANY_STEPS)
            return made
        return None if (found := on_device(None)) is None else found[0]

    # --- which graphs ------------------------------------------------------------------------
    def host_graph(
        self, G: Graph, cost: HostDeviceCost, source: int | None = None, searches: int = 1, *,
        tables: bool = False, weights: bool = False,
    ) -> Graph | None:  # fmt: skip
        """The graph on the host, with its weights if they count, if it is narrow, as far as a
        search from this vertex shows, or from one in the middle, and if an operation of this cost
        takes less time there; else None, and so where somebody asks for each round, and where the
        host has no room."""
        store = G.A._store
        if G.n < self.least.table or not self.may_be_narrow(store, tables):
            return None
        depth, loops = store.pattern.depth, self.backend.host_loops
        if asks_for_rounds():
            if depth.narrow.answer and explaining():
                record_choice("search of a narrow graph", ON_DEVICE, ASKED)
            return None
        if depth.narrow.answer is None:
            depth.narrow.answer = self._is_narrow(G, G.n // 2 if source is None else source)
        if not depth.narrow.answer:
            return None
        if not cost.is_less_on_host(G.n, store.nnz, depth.levels, searches):
            return None
        try:
            expect_room(HOST_BYTES * G.n * searches, "searches of a narrow graph")
        except TooLarge:
            return None
        return loops.weighted_graph(G) if weights else loops.graph(G)

    def host_graph_of(
        self, A: Any, cost: HostDeviceCost, source: int | None = None, searches: int = 1, *,
        tables: bool = False, weights: bool = False,
    ) -> Graph | None:  # fmt: skip
        """As ``host_graph``, of a matrix, which becomes a graph only if that may be narrow."""
        matrices = self.backend.matrices
        store, transposed = matrices.operand(A)
        if not self.may_be_narrow(store, tables):
            return None
        G = graph_of(matrices.transpose(store) if transposed else store, self.backend)
        return self.host_graph(G, cost, source, searches, tables=tables, weights=weights)

    def host_graph_for(
        self, A: Any, cost: HostDeviceCost, sources: np.ndarray, weights: bool = False
    ) -> Graph | None:
        """As ``host_graph_of``, for searches from each of these vertices."""
        if not sources.size:
            return None
        at, k = int(sources[0]), sources.size
        return self.host_graph_of(A, cost, at, k, tables=True, weights=weights)

    def may_be_narrow(self, store: Any, tables: bool) -> bool:
        """Whether a graph is narrow, or may be and is worth the question, before a search or, with
        `tables`, before several."""
        if not isinstance(store, DeviceMatrix):
            return False
        depth, n = store.pattern.depth, store.shape[0]
        if depth.narrow.answer is not None:
            return depth.narrow.answer
        if n < (self.least.table if tables else self.least.search) or fans_out(n, store.nnz):
            return depth.shown and n >= self.least.table
        return True

    def _is_narrow(self, G: Graph, source: int) -> bool | None:
        """Whether the graph is narrow, by a search that goes on on the host if its first levels
        have few vertices. None if it ends before, as few of them may."""
        store: DeviceMatrix = G.A._store
        depth, half = store.pattern.depth, self.tried_levels // 2
        level = levels_and_parents.statements(G, source, self.tried_levels)[0]
        width, late = self.width, level.select(">=", half).new().nvals  # synchronize!
        if late >= width * half:
            if late >= self.width_of_long_rows * half or not self._has_long_rows(store):
                return False
            width = self.width_of_long_rows
        if int(level.reduce("max").new().value) < self.tried_levels:  # synchronize!
            if not G.directed and level.nvals >= self.width * self.tried_levels:
                return False  # and no search among these vertices takes twice as many levels
            depth.narrow.note_early_end()
            return depth.narrow.answer
        if (H := self.backend.host_loops.graph(G)) is None:
            return False
        level = levels_and_parents(H, source, None)[0]
        depth.levels = int(level.reduce("max").new().value)
        return depth.levels >= self.least_levels and level.nvals < width * depth.levels

    def _has_long_rows(self, A: DeviceMatrix) -> bool:
        """Whether about half of the entries are in long rows. Waits once a matrix."""
        pieces, *_ = self.backend.products.pieces(A, DEEP_MAX)  # synchronize!
        return 2 * DEEP_MAX * pieces >= A.nnz

    def _told(self, G: Graph, source: int) -> tuple[Vector, Vector] | None:
        """The levels and parents of a search of a small graph on the device, after which its number
        of levels is known. None if that would tell nothing."""
        store = G.A._store
        if (
            not isinstance(store, DeviceMatrix)
            or store.pattern.depth.narrow.answer is not None
            or fans_out(G.n, store.nnz)
            or asks_for_rounds()
        ):
            return None
        depth = store.pattern.depth
        level, parent = levels_and_parents.statements(G, source, None)
        levels = int(level.reduce("max").new().value)  # synchronize!
        if levels < self.least_levels:
            depth.narrow.note_early_end()
        else:
            depth.levels = levels
            depth.narrow.answer = level.nvals < self.width * levels
        return level, parent


def graph_of(A: DeviceMatrix, backend: GpuBackend) -> Graph:
    """The graph of a matrix, undirected if that is known to be symmetric."""
    return Graph._checked(backend.as_matrix(A), directed=A.transposed is not A)


def both_ways(G: Graph) -> Graph:
    """The graph whose edges lead both ways."""
    return Graph._checked(G.neighbours, directed=False) if G.directed else G
