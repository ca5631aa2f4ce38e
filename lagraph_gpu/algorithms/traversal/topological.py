"""Topological orders of directed acyclic graphs.

Kahn's algorithm in rounds: the first generation are the vertices of in-degree 0; removing them and
their edges gives the next generation, and so on. The generation of a vertex is the number of edges
on the longest path that ends there. A vertex that is never removed lies on a cycle, or is reached
from one. Each edge is looked at once, O(n + m), in as many rounds as there are generations. A
lowering may remove one vertex at a time, as Kahn does.

Kahn: Topological sorting of large networks, CACM 5 (1962).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import argsort, expect_directed, identity, zero_filled
from lagraph_gpu.errors import HasCycle, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_second, max_plus, min_secondi, plus_pair
from semirings.types import INT64

first, larger, minus = (BINARY[name] for name in ("first", "max", "minus"))


def topological_generations(G: Graph) -> Vector:
    """The generation of each vertex: every edge leads to a later generation.

    Parameters
    ----------
    G : Graph
        A directed graph without cycles.

    Returns
    -------
    Vector of INT64
        The generation of each vertex, from 0: the number of edges on the longest path that ends
        there.

    Raises
    ------
    HasCycle
        The graph has a cycle. The message names a vertex on it.
    InvalidValue
        The graph is undirected.

    Notes
    -----
    O(n + m), in one round for each generation. Kahn 1962.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], n=5, backend="cpu")
    >>> lg.topological_generations(G).to_dense().tolist()
    [0, 2, 1, 3, 0]
    """
    return longest(G, True, INT64)


def topological_sort(G: Graph) -> Vector:
    """The vertices in an order in which every edge leads forward.

    Parameters
    ----------
    G : Graph
        A directed graph without cycles.

    Returns
    -------
    Vector of INT64
        All vertices, ordered by generation, and within a generation by id: entry 0 is the first
        vertex, and not a value of vertex 0. `G.label(order)` names them.

    Raises
    ------
    HasCycle
        The graph has a cycle. The message names a vertex on it.
    InvalidValue
        The graph is undirected.

    Notes
    -----
    O(n + m) on a CPU, which counts the generations, and else O(m + n log n).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([2, 2, 0], [0, 1, 1], backend="cpu")
    >>> lg.topological_sort(G).to_dense().tolist()
    [2, 0, 1]
    """
    return argsort(topological_generations(G))


def longest(G: Graph, hops: bool, dtype: np.dtype) -> Vector:
    """For each vertex the largest length of a path that ends there, in edges (`hops`) or in weights
    of this type.

    Raises HasCycle and InvalidValue as `topological_generations` does.
    """
    expect_directed(G, True, "a topological order")
    length = longest_lengths(G, hops, dtype)
    if length.nvals < G.n:
        vertex = brief(G.label(_on_a_cycle(G, identity(G).dup(mask=~length.S))))
        raise HasCycle(f"expected a graph without cycles, got one through vertex {vertex}")
    return length


@operation
def longest_lengths(G: Graph, hops: bool, dtype: np.dtype) -> Vector:
    """For each vertex the largest length of a path that ends there: in edges (`hops`), or the sum
    of the weights from the first edge on.

    Lengths are at least 0. A vertex on a cycle, or reached from one, has no entry.
    """
    entering = zero_filled(G.in_degree, "INT64")
    ready, number = entering.select("==", 0).new(), 0
    done = Vector("BOOL", G.n, backend=G.backend)
    length = Vector.from_scalar(0, G.n, dtype, backend=G.backend)
    while ready.nvals:  # one generation after another
        if hops:
            length(ready.S) << number
        else:
            length(larger) << max_plus(length.dup(mask=ready.S) @ G.A)
        done(ready.S) << True
        fewer = plus_pair(ready @ G.A).new("INT64")
        entering(minus) << fewer
        ready, number = first(entering & fewer).new().select("==", 0).new(), number + 1
    return length.dup(mask=done.S)


def _on_a_cycle(G: Graph, remaining: Vector) -> int:
    """A vertex on a cycle, if every entry of `remaining` has a predecessor with an entry: n steps
    back end on a cycle.
    """
    back = min_secondi(remaining @ G.A).new(mask=remaining.S)
    for _ in range(G.n.bit_length()):
        back << any_second(back.selector() @ back)
    return int(back.reduce("min").new().get())
