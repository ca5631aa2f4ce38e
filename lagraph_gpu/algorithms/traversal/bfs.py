"""Breadth-first search: the closure of one source under "the first who comes is the parent".

The semiring is ``any_secondi``: ⊗ yields the id of the vertex an edge leaves, ⊕ keeps any one of
several. The round in which a vertex is reached is its level. A push looks at each edge once, O(m)
in all; a pull may stop at the first hit. Each round also passes over the vectors, n / 32 words.

On the GPU a wide graph, such as a Kronecker graph, goes round by round
(``cuda/closure/level_synchronous/closure.cuh``). A deep one, such as a lattice or a road network,
would wait for the whole GPU after each of many small rounds. There each block follows a queue of
its own (``cuda/closure/block_queues/block_async.cuh``), and the levels are the same.

Moore: The shortest path through a maze (1959). Beamer, Asanović, Patterson: Direction-optimizing
breadth-first search, SC 2012.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.source_batches import Vertices
from lagraph_gpu.algorithms.traversal.starts import from_sources, starts
from lagraph_gpu.closure import closure_with_steps, steps_bound
from lagraph_gpu.graph import Graph
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi


@from_sources
def bfs(
    G: Graph,
    source: int | None = None,
    max_level: int | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
) -> tuple[Any, Any]:
    """Levels (INT32) and parents (INT64) of a breadth-first search from ``source``, or of one from
    each of ``sources``: then they are matrices with a row for each.

    The level of a vertex is the least number of edges from the source, along the direction of the
    edges if the graph has one; its parent is a neighbour one level nearer, and the source is its
    own. A vertex that is not reached, or lies beyond ``max_level``, has no entry. Among several
    possible parents any may come. Raises IndexOutOfBound for a source outside the graph, TooLarge
    where a search needs, or those of many would find, more than fits the free memory. A table of
    levels alone, from many sources, is ``lg.distance_matrix(G, sources, weight=None)``.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> level, parent = lg.bfs(G, 0)
    >>> level.to_dense(fill_value=-1).tolist()
    [0, 1, 1, 2, -1]
    >>> parent[3].get()
    1
    """
    bound = steps_bound(max_level, "max_level")
    start = starts(G, source, sources)
    parent, level = closure_with_steps(start, G.A, any_secondi, bound, schedule)
    return level, parent
