"""Where the rounds of PageRank start: from a uniform distribution, or, on an undirected graph, from
what components have in the end.

No walk leaves a component but by a restart, so the ranks of a component sum to what restarts there,
divided by 1 − α; a vertex without edges has the latter alone. From a uniform start, what vertices
without edges have too much shrinks in a round by the factor α times their share of all.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import FP64

MANY_ENTRIES = 1 << 25
"""With fewer entries a round takes less time than the statements of another start."""

CHANGES = 1e-6, 1e-2
"""The bounds of the change of the last round between which another start than the uniform one saves
rounds. With a smaller one, small components of two sides, such as stars, need the more rounds the
more they have at the start; with a larger one the ranks still depend on the start.
"""


def first_ranks(
    G: Graph, alpha: float, bound: float | None, rate: Vector, given: tuple[Any, Any, Any]
) -> Vector:
    """The start of rounds that end with a change of at most `bound`: a vector that they may
    overwrite. `rate` is 0 where no walk goes on; `given` are the distributions of a caller, of
    which the last one is the start.
    """
    if bound is not None and CHANGES[0] <= bound <= CHANGES[1]:
        usual = all(one is None for one in given) and not G.directed and alpha < 1
        others = int(rate.select("==", 0).new().nvals) if usual and G.A.nvals >= MANY_ENTRIES else 0
        if others:
            alone = (1 - alpha) / (G.n - alpha * others)
            start = Vector.from_scalar(alone, G.n, FP64, backend=G.backend)
            start(rate.V) << alone / (1 - alpha)
            return start
    return power_iteration.start_of_rounds(G, given[-1])
