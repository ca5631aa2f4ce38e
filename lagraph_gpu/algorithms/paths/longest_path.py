"""Longest paths in directed graphs without cycles.

They are the closure of 0 everywhere under max-plus. Generation by generation it takes each edge
once, O(n + m), for when a vertex' turn comes its distance is final; a backend may take one vertex
after another. The path is read off the tight edges, those (u, v) of weight w with distance(u) + w =
distance(v).

Sedgewick, Wayne: Algorithms, 4th edition (2011), section 4.4.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.distance_types import finite, narrowed, path_type
from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.traversal.topological import longest
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_eq, any_plus, min_secondi

second = BINARY["second"]


def dag_longest_distance(G: Graph) -> Vector:
    """For each vertex the largest length of a path that ends there, of the weights' type.

    A path may begin anywhere, and may have no edge, so no length is below 0; weights may be. Raises
    HasCycle and InvalidValue as ``topological_generations``, DistanceOverflow where the weights'
    type cannot hold a length, or n times the heaviest weight is beyond 64-bit integers.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_distance(G).to_dense().tolist()
    [0.0, 2.0, 6.0]
    """
    return narrowed(finite(_longest(G), G), G.A.dtype)


def dag_longest_path_length(G: Graph) -> Any:
    """The length of a longest path (0 without edges); raises as ``dag_longest_distance``. O(n + m).

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_path_length(G)
    6.0
    """
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
    parent(second) << min_secondi(distance @ tight)
    farthest = distance.select("==", distance.reduce("max").new().get(0)).new()
    return path_to(parent, next(iter(farthest))) or [] if G.n else []


def _longest(G: Graph) -> Vector:
    return longest(G, False, path_type(G))
