"""Directed graphs without cycles: topological orders and longest paths.

Kahn's algorithm in rounds: the vertices that no edge enters are the first generation; without them
and their edges, those that no edge enters now are the next. A vertex' generation is the number of
edges on the longest path that ends there. What is never free of incoming edges lies on a cycle or
behind one. Each edge is looked at once, O(n + m), in as many rounds as there are generations.

Longest paths are the closure under max-plus, and generation by generation it too takes each edge
once, for when a vertex' turn comes its distance is final.

Kahn: Topological sorting of large networks, CACM 5 (1962).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lagraph_gpu.algorithms.labels import but, expect_directed, identity
from lagraph_gpu.algorithms.path import path_to
from lagraph_gpu.errors import HasCycle
from lagraph_gpu.graph import Graph
from lagraph_gpu.lengths import narrowed, path_type
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_eq, any_plus, any_second, max_plus, min_secondi, plus_pair

first, larger, minus, plus = (BINARY[name] for name in ("first", "max", "minus", "plus"))


def topological_generations(G: Graph) -> Vector:
    """The generation of each vertex (INT64), from 0: every edge leads to a later one.

    Raises HasCycle, which names a vertex on a cycle, and InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], n=5, backend="cpu")
    >>> lg.topological_generations(G).to_dense().tolist()
    [0, 2, 1, 3, 0]
    """
    generation = Vector("INT64", G.n, backend=G.backend)
    for number, ready in enumerate(_generations(G)):
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


def dag_longest_distance(G: Graph) -> Vector:
    """For each vertex the largest length of a path that ends there, of the weights' type.

    A path may begin anywhere, and may have no edge, so no length is below 0; weights may be. Raises
    HasCycle and InvalidValue as ``topological_generations``, DistanceOverflow where an integer type
    cannot hold a length.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_distance(G).to_dense().tolist()
    [0.0, 2.0, 6.0]
    """
    return narrowed(_longest(G), G.A.dtype)


def dag_longest_path_length(G: Graph) -> Any:
    """The length of a longest path (0 without edges); raises as ``dag_longest_distance``."""
    return dag_longest_distance(G).reduce("max").new().get(0)


def dag_longest_path(G: Graph) -> list[int]:
    """The vertices of a longest path; of several, one that ends in the smallest vertex.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_path(G)
    [0, 1, 2]
    """
    distance = _longest(G)
    offer = any_plus(distance.diag() @ G.A).new()
    tight = any_eq(offer @ distance.diag()).new().select("==", True).new()
    parent = identity(G)
    parent(BINARY["second"]) << min_secondi(distance @ tight)
    longest = distance.select("==", distance.reduce("max").new().get(0)).new()
    return path_to(parent, next(iter(longest))) or [] if G.n else []


def _longest(G: Graph) -> Vector:
    distance = Vector.from_scalar(0, G.n, path_type(G), backend=G.backend)
    for ready in _generations(G):
        distance(larger) << max_plus(first(distance & ready).new() @ G.A)
    return distance


def _generations(G: Graph) -> Iterator[Vector]:
    """The vertices of one generation after another; raises HasCycle if some are never ready."""
    expect_directed(G, True, "a topological order")
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
    if done.nvals < G.n:
        vertex = _on_a_cycle(G, but(entering, done))
        raise HasCycle(f"expected a graph without cycles, got one through vertex {vertex}")


def _on_a_cycle(G: Graph, left: Vector) -> int:
    """Every vertex left has a predecessor that is left: n steps back end on a cycle."""
    back = Vector("INT64", G.n, backend=G.backend)
    back(left.S) << min_secondi(left @ G.A)
    for _ in range(G.n.bit_length()):
        back << any_second(back.selector() @ back)
    return int(back.reduce("min").new().get())
