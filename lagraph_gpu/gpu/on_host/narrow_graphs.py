"""Searches of narrow graphs by the compiled loops of the host.

A graph is narrow if a search has many levels of few vertices each, such as a path or a long strip.
However few they are, a level costs a device about a microsecond, in which the loops of the host
meet hundreds of vertices and entries. Whether a graph of few edges is narrow shows the first
search: some of its levels are tried on the device, and where the later ones of these have had few
vertices all of them on the host. Some levels may be wide, as where a path leads to a star
(decisions 0269 and 0289).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, sides
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.scc import strong_component_labels
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.on_host.host_loops import ON_HOST
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.closure_order import fans_out
from lagraph_gpu.planning.trace import asks_for_rounds, explaining, record_choice
from lagraph_gpu.schedule import Schedule

LEAST = 1 << 17
"""The number of vertices from which it pays to ask: a level of each takes a device some 100 ms."""

TRIED_LEVELS, WIDTH = 256, 32
"""So many levels are tried, and a graph may be narrow if the second half of them have had fewer
vertices than the second number on average."""

ITEMS_PER_LEVEL = 128
"""A graph is narrow if it has at most so many vertices and entries for each level. On an H200 a
level of a caterpillar took 1.8 µs; the loops of the host met 1,600 vertices and entries in that
time where they search and 130 where they find shortest paths."""

LONG_PATHS = "they are so long that the loops of the host find them sooner"
ON_DEVICE = "level by level, on the device"
ASKED = "each level is asked for; otherwise the loops of the host search it"

MOST_SOURCES = 16
"""More searches at once share the levels on a device."""


class NarrowGraphs(BackendPart):
    """Lowers operations by the backend of the host if a graph is narrow. The fields are for
    tests."""

    least, tried_levels, width = LEAST, TRIED_LEVELS, WIDTH
    items_per_level: float = ITEMS_PER_LEVEL

    def levels_and_parents(
        self, G: Graph, source: Any, bound: int | None, schedule: Schedule | None = None
    ) -> tuple[Vector, Vector] | None:
        """Lowers ``levels_and_parents`` of all levels from one vertex."""
        if isinstance(source, Matrix) or bound is not None or schedule is not None:
            return None
        H = self.host_graph(G, source)
        return None if H is None else self._moved(levels_and_parents(H, source, None))

    def lengths_and_parents(
        self, G: Graph, source: Any, cutoff: Any, schedule: Schedule | None = None
    ) -> tuple[Vector, Vector] | None:
        """Lowers ``lengths_and_parents`` of all lengths from one vertex."""
        if isinstance(source, Matrix) or cutoff is not None or schedule is not None:
            return None
        if self.host_graph(G, source) is None:
            return None
        H = self.backend.host_loops.weighted_graph(G)
        return None if H is None else self._moved(lengths_and_parents(H, source, None))

    def strong_component_labels(self, G: Graph) -> Vector | None:
        """Lowers ``strong_component_labels``."""
        H = self.host_graph(G, G.n // 2)
        return None if H is None else self._moved(strong_component_labels(H))

    def core_levels(self, G: Graph) -> Vector | None:
        """Lowers ``core_levels``."""
        H = self.host_graph(G, G.n // 2)
        return None if H is None else self._moved(core_levels(H))

    def sides(self, G: Graph) -> tuple[Vector, Vector] | None:
        """Lowers ``sides``."""
        H = self.host_graph(both_ways(G), G.n // 2)
        return None if H is None else self._moved(sides(H))

    def has_two_sides(self, G: Graph) -> bool | None:
        """Lowers ``has_two_sides``."""
        H = None if G.nloops else self.host_graph(both_ways(G), G.n // 2)
        return None if H is None else has_two_sides(H)

    def longest_lengths(self, G: Graph, hops: bool, dtype: np.dtype) -> Vector | None:
        """Lowers ``longest_lengths``. On the device paths are followed as far as they may lead in a
        graph that is not narrow. Waits for a large graph until it is known whether it is."""
        store, on_device = G.A._store, self.backend.longest_paths.longest_lengths
        large = G.n >= self.least and isinstance(store, DeviceMatrix)
        known = store.pattern.depth if large else None
        if known is not None and known.long_paths is None:
            most = int((G.n + store.nnz) / self.items_per_level)
            if (found := on_device(G, hops, dtype, most)) is None:
                return None
            known.long_paths = bool(self.device.download(found[1])[0])  # synchronize!
            if not known.long_paths:
                return found[0]
        if known is not None and known.long_paths:
            loops = self.backend.host_loops
            if (H := loops.graph(G) if hops else loops.weighted_graph(G)) is not None:
                record_choice("longest paths", ON_HOST, LONG_PATHS)
                return self._moved(longest_lengths(H, hops, dtype))
        found = on_device(G, hops, dtype)
        return None if found is None else found[0]

    def dependencies(
        self, G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray
    ) -> Vector | None:
        """Lowers ``dependencies`` of a few sources, and leaves others to ``Brandes``."""
        few = 0 < sources.size <= MOST_SOURCES
        if few and (H := self.host_graph(G, int(sources[0]))) is not None:
            return self._moved(dependencies(H, sources, endpoints, counts))
        return self.backend.brandes.dependencies(G, sources, endpoints, counts)

    # --- which graphs ------------------------------------------------------------------------
    def host_graph(self, G: Graph, source: int) -> Graph | None:
        """The graph without weights on the host if it is narrow, as far as a search from this
        vertex shows; else None, and so where somebody asks for each round."""
        store = G.A._store
        if G.n < self.least or not isinstance(store, DeviceMatrix):
            return None
        narrow = store.pattern.depth.narrow
        if narrow.answer is False:
            return None
        if asks_for_rounds():
            if narrow.answer and explaining():
                record_choice("search of a narrow graph", ON_DEVICE, ASKED)
            return None
        if narrow.answer is None:
            narrow.answer = self._is_narrow(G, source)
        return self.backend.host_loops.graph(G) if narrow.answer else None

    def _is_narrow(self, G: Graph, source: int) -> bool | None:
        """Whether the graph is narrow, by a search that goes on on the host if its first levels
        have few vertices. None if it ends before, as few of them may."""
        store: DeviceMatrix = G.A._store
        narrow, half = store.pattern.depth.narrow, self.tried_levels // 2
        if fans_out(G.n, store.nnz):
            return False
        level = levels_and_parents.statements(G, source, self.tried_levels)[0]
        if level.select(">=", half).new().nvals >= self.width * half:
            return False
        if int(level.reduce("max").new().value) < self.tried_levels:
            if not G.directed and level.nvals >= self.width * self.tried_levels:
                return False  # and no search among these vertices takes twice as many levels
            narrow.note_early_end()
            return narrow.answer
        if (H := self.backend.host_loops.graph(G)) is None:
            return False
        levels = int(levels_and_parents(H, source, None)[0].reduce("max").new().value)
        return self.items_per_level * levels >= G.n + store.nnz

    def _moved(self, found: Any) -> Any:
        """Vectors of the host on the device."""
        if isinstance(found, tuple):
            return tuple(part.to(self.backend) for part in found)
        return found.to(self.backend)


def both_ways(G: Graph) -> Graph:
    """The graph whose edges lead both ways."""
    return Graph._checked(G.neighbours, directed=False) if G.directed else G
