"""Topological orders of directed graphs without cycles.

Kahn's algorithm in rounds: the vertices that no edge enters are the first generation; without them
and their edges, those that no edge enters now are the next. A vertex' generation is the number of
edges on the longest path that ends there. What is never free of incoming edges lies on a cycle or
behind one. Each edge is looked at once, O(n + m), in as many rounds as there are generations; a
backend may take one vertex after another instead, as Kahn does.

Kahn: Topological sorting of large networks, CACM 5 (1962).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import excluding, expect_directed, identity
from lagraph_gpu.errors import HasCycle
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_second, max_plus, min_secondi, plus_pair
from semirings.types import INT64

first, larger, minus, plus = (BINARY[name] for name in ("first", "max", "minus", "plus"))


def topological_generations(G: Graph) -> Vector:
    """The generation of each vertex (INT64), from 0: every edge leads to a later one.

    Raises HasCycle, which names a vertex on a cycle, and InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], n=5, backend="cpu")
    >>> lg.topological_generations(G).to_dense().tolist()
    [0, 2, 1, 3, 0]
    """
    return longest(G, True, INT64)


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


def longest(G: Graph, hops: bool, dtype: np.dtype) -> Vector:
    """For each vertex the greatest length of a path that ends there, in edges (``hops``) or of
    weights in this type. Raises HasCycle and InvalidValue as ``topological_generations``."""
    expect_directed(G, True, "a topological order")
    length = longest_lengths(G, hops, dtype)
    if length.nvals < G.n:
        vertex = _on_a_cycle(G, excluding(identity(G), length))
        raise HasCycle(f"expected a graph without cycles, got one through vertex {vertex}")
    return length


@operation
def longest_lengths(G: Graph, hops: bool, dtype: np.dtype) -> Vector:
    """For each vertex the greatest length of a path that ends there, at least 0, added up from its
    beginning on, or counted in edges (``hops``). No entry on a cycle and behind one."""
    entering = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    entering(plus) << G.in_degree
    ready, number = entering.select("==", 0).new(), 0
    done = Vector("BOOL", G.n, backend=G.backend)
    length = Vector.from_scalar(0, G.n, dtype, backend=G.backend)
    while ready.nvals:  # one generation after another
        if hops:
            length(ready.S) << number
        else:
            length(larger) << max_plus(first(length & ready).new() @ G.A)
        done(ready.S) << True
        fewer = plus_pair(ready @ G.A).new("INT64")
        entering(minus) << fewer
        ready, number = first(entering & fewer).new().select("==", 0).new(), number + 1
    return length.dup(mask=done.S)


def _on_a_cycle(G: Graph, left: Vector) -> int:
    """Every vertex left has a predecessor that is left: n steps back end on a cycle."""
    back = Vector("INT64", G.n, backend=G.backend)
    back(left.S) << min_secondi(left @ G.A)
    for _ in range(G.n.bit_length()):
        back << any_second(back.selector() @ back)
    return int(back.reduce("min").new().get())
