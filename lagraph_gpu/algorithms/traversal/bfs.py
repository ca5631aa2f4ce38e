"""Breadth-first search: the closure of one source under the semiring `any_secondi`.

The operation ⊗ yields the id of the vertex that an edge leaves, and ⊕ keeps any one of several. The
entry of a vertex is therefore its parent, and the round in which it is reached is its level. A push
step looks at each edge once, O(m) in all; a pull step stops at the first edge from the frontier.
Each round also passes over the bits of the vectors, n / 32 words.

On the GPU a wide graph, such as a Kronecker graph, goes round by round
(``cuda/closure/level_synchronous/closure.cuh``). A deep one, such as a lattice or a road network,
would wait for the whole GPU after each of many small rounds. There each block follows a queue of
its own (``cuda/closure/block_queues/block_async.cuh``), and the levels are the same. A graph of
very many levels of few vertices, such as a long path, is searched by the host once that is known.

Moore: The shortest path through a maze (1959). Beamer, Asanović, Patterson: Direction-optimizing
breadth-first search, SC 2012.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms.traversal.starts import from_sources, starts
from lagraph_gpu.closure import closure_with_rounds, rounds_bound
from lagraph_gpu.convert.options import Vertex, Vertices
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi


@from_sources
def bfs(
    G: Graph,
    source: Vertex | None = None,
    max_level: int | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
) -> tuple[Any, Any]:
    """Breadth-first search: the levels and the parents of the vertices that a source reaches.

    Parameters
    ----------
    G : Graph
        The graph. Edges are followed in their direction; an undirected graph has both.
    source : int, optional
        The vertex where the search starts.
    max_level : int, optional
        Stop after this many levels. By default the search goes on until it finds no new vertex.
    schedule : Schedule, optional
        How to carry it out. It can change the time, never the answer.
    sources : list or array of integers, optional
        Several sources instead of one. The results then are matrices with one row for each source.

    Returns
    -------
    level : Vector or Matrix of INT32
        The smallest number of edges from the source. A vertex that is not reached has no entry.
    parent : Vector or Matrix of INT64
        A neighbour one level closer to the source; the source is its own parent. Where several
        neighbours qualify, any of them may be returned.

    Raises
    ------
    IndexOutOfBound
        A source is not a vertex of G.
    InvalidValue
        Both `source` and `sources` are given.
    TooLarge
        The search, or the results of the searches from many sources, need more memory than is free.

    Notes
    -----
    O(n + m) for each source. The semiring is any_secondi. For a table of levels alone, from many
    sources, `lg.distance_matrix(G, sources, weight=None)` is faster.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> level, parent = lg.bfs(G, 0)
    >>> level.to_dense(fill_value=-1).tolist()
    [0, 1, 1, 2, -1]
    >>> parent[3].get()
    1
    """
    bound = rounds_bound(max_level, "max_level")
    return levels_and_parents(G, starts(G, source, sources), bound, schedule)


@operation
def levels_and_parents(
    G: Graph, source: int | Matrix, bound: int | None, schedule: Schedule | None = None
) -> tuple[Any, Any]:
    """The levels (INT32) and the parents (INT64) of what `source` reaches in `bound` rounds: a
    vertex, or the start of a search in each row of a matrix."""
    start: Any = source if isinstance(source, Matrix) else G.point(source, source)
    parent, level = closure_with_rounds(start, G.A, any_secondi, bound, schedule)
    return level, parent
