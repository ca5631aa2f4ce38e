"""Operations on small graphs by the loops of the host.

Where an operation takes hundreds of launches whatever the graph, these take longer than the
compiled loop of the host does for a graph of so many vertices and entries. Its rows are copied to
the host, where they stay for later calls (``host_loops.py``; decision 0325).
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms.community.leiden import leiden_communities
from lagraph_gpu.algorithms.community.louvain import louvain_communities
from lagraph_gpu.algorithms.community.louvain_level import Objective
from lagraph_gpu.algorithms.structure.matching import greedy_matching
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.on_host.host_loops import ON_HOST, by_loop
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.planning.trace import asks_for_rounds, record_choice

MOST_FOR_MATCHING, MOST_FOR_LEIDEN, MOST_FOR_LOUVAIN = 1 << 22, 1 << 19, 1 << 16
"""The largest numbers of vertices and entries. A matching takes the host up to 5 ns for each of
them, Leiden's method 250, and Louvain's 150. On an H200 a matching took at least 24 ms, Leiden's
method 75 to 220, and Louvain's 10 or more, whatever the graph."""

LAUNCHES = "the launches would take longer than the loop of the host"
ON_DEVICE = "on the device"
ASKED = "each round is asked for; otherwise the loop of the host does them"


class SmallGraphs(BackendPart):
    """Lowers operations by the backend of the host if a graph is small. The fields are for
    tests."""

    most_for_matching = MOST_FOR_MATCHING
    most_for_leiden, most_for_louvain = MOST_FOR_LEIDEN, MOST_FOR_LOUVAIN

    def greedy_matching(self, rank: Vector, A: Matrix, factor: int) -> Vector | None:
        """Lowers ``greedy_matching``. None for a large graph, and where the host has no loop."""
        if A.nrows + A.nvals > self.most_for_matching:
            return None
        B = self.backend.host_loops.pattern(A)
        if B is None:
            return None
        return self._by_loop("matching", greedy_matching, rank.to(B.backend), B, factor)

    def leiden_communities(self, A: Matrix, *given: Any) -> Vector | None:
        """Lowers ``leiden_communities``, of a large graph on the device."""
        found = self._communities(leiden_communities, self.most_for_leiden, A, *given)
        return self.backend.coarse_levels.leiden_communities(A, *given) if found is None else found

    def louvain_communities(self, A: Matrix, *given: Any) -> Vector | None:
        """Lowers ``louvain_communities``, of a large graph on the device."""
        found = self._communities(louvain_communities, self.most_for_louvain, A, *given)
        return self.backend.coarse_levels.louvain_communities(A, *given) if found is None else found

    def _communities(
        self, operation: Operation[Any, Vector], most: int, A: Matrix, objective: Objective,
        ranks: Vector, levels: int | None,
    ) -> Vector | None:  # fmt: skip
        """None also where somebody asks for each round."""
        if A.nrows + A.nvals > most:
            return None
        if asks_for_rounds():
            record_choice("communities", ON_DEVICE, ASKED)
            return None
        H = self.backend.host_loops.weighted_graph(Graph._checked(A, objective.directed))
        if H is None:
            return None
        return self._by_loop("communities", operation, H.A, objective, ranks.to(H.backend), levels)

    def _by_loop(
        self, what: str, operation: Operation[Any, Vector], *operands: Any
    ) -> Vector | None:
        found: Vector | None = by_loop(self.backend, operation, *operands)
        if found is not None:
            record_choice(what, ON_HOST, LAUNCHES)
        return found
