"""Topological orders of directed graphs without cycles.

Kahn's algorithm in rounds: the vertices that no edge enters are the first generation; without them
and their edges, those that no edge enters now are the next. A vertex' generation is the number of
edges on the longest path that ends there. What is never free of incoming edges lies on a cycle or
behind one. Each edge is looked at once, O(n + m), in as many rounds as there are generations; a
backend may take one vertex after another instead, as Kahn does.

Kahn: Topological sorting of large networks, CACM 5 (1962).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagraph_gpu.algorithms._shared.labels import but, expect_directed, identity
from lagraph_gpu.errors import HasCycle
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_second, min_secondi, plus_pair
from semirings.types import INT64

first, minus, plus = BINARY["first"], BINARY["minus"], BINARY["plus"]


def topological_generations(G: Graph) -> Vector:
    """The generation of each vertex (INT64), from 0: every edge leads to a later one.

    Raises HasCycle, which names a vertex on a cycle, and InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], n=5, backend="cpu")
    >>> lg.topological_generations(G).to_dense().tolist()
    [0, 2, 1, 3, 0]
    """
    generation = longest(G, True, INT64)
    if generation is None:
        generation = Vector("INT64", G.n, backend=G.backend)
        for number, ready in enumerate(generations(G)):
            generation(ready.S) << number
    return generation


def topological_sort(G: Graph) -> Vector:
    """The vertices (INT64) in an order in which every edge leads onwards.

    By generation, and by id within one. Sorting is the host's: no statement orders values.
    Raises HasCycle and InvalidValue as ``topological_generations``.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([2, 2, 0], [0, 1, 1], backend="cpu")
    >>> lg.topological_sort(G).to_dense().tolist()
    [2, 0, 1]
    """
    order = np.argsort(topological_generations(G).to_dense(), kind="stable")
    return Vector.from_dense(order.astype(np.int64), backend=G.backend)


def longest(G: Graph, hops: bool, dtype: np.dtype) -> Vector | None:
    """For each vertex the greatest length of a path that ends there, in edges (``hops``) or of
    weights in this type; None where it has to be found by generations. Raises as they do."""
    expect_directed(G, True, "a topological order")
    made = G.backend.longest(G.A, hops, dtype)
    if made is None:
        return None
    distance = Vector._stored(made, G.n, dtype, G.backend)
    expect_all(G, distance)
    return distance


def generations(G: Graph) -> Iterator[Vector]:
    """The vertices of one generation after another; raises HasCycle if some are never ready."""
    entering = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    entering(plus) << G.in_degree
    ready = entering.select("==", 0).new()
    done = Vector("BOOL", G.n, backend=G.backend)
    while ready.nvals:
        yield ready
        done(ready.S) << True
        fewer = plus_pair(ready @ G.A).new("INT64")
        entering(minus) << fewer
        ready = first(entering & fewer).new().select("==", 0).new()
    expect_all(G, done)


def expect_all(G: Graph, ready: Vector) -> None:
    """HasCycle if some vertex was never ready."""
    if ready.nvals < G.n:
        vertex = _on_a_cycle(G, but(identity(G), ready))
        raise HasCycle(f"expected a graph without cycles, got one through vertex {vertex}")


def _on_a_cycle(G: Graph, left: Vector) -> int:
    """Every vertex left has a predecessor that is left: n steps back end on a cycle."""
    back = Vector("INT64", G.n, backend=G.backend)
    back(left.S) << min_secondi(left @ G.A)
    for _ in range(G.n.bit_length()):
        back << any_second(back.selector() @ back)
    return int(back.reduce("min").new().get())
