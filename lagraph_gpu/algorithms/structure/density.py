"""Density: how many of the edges that a graph could have are there.

It is m / (n (n − 1)) for m directed edges, and twice that for undirected ones.
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph


def density(G: Graph) -> float:
    """The number of edges divided by the number of pairs of vertices.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph the pairs are ordered. Weights do not count. Loops count as
        edges, as in NetworkX, so the value can be larger than 1.

    Returns
    -------
    float
        The density; 0 for a graph without edges or of fewer than two vertices.

    Notes
    -----
    O(1); for an undirected graph that does not know how many edges it was made of O(n + m) once, to
    count its loops, where it is stored.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.density(lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu"))
    0.6666666666666666
    """
    if G.n < 2:
        return 0.0
    return float((1 if G.directed else 2) * G.nedges / (G.n * (G.n - 1)))
