"""Weights of 64 bits are kept to the last bit: the common type of UINT64 and INT64 is FP64, which
rounds from 2⁵³ on, so no algorithm may let weights meet ids, counts or labels in one operator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import lagraph_gpu as lg
from tests.harness import CPU, GPU, by_statements

ODD = 2**53 + 1
WEIGHTS = {
    "one weight": np.full(5, ODD, np.uint64),
    "above INT64": np.array([2**64 - 1, 2**63 + 1, ODD, ODD, 2**63 + 1], np.uint64),
}
PARTS: dict[str, Callable[[lg.Graph], lg.Graph]] = {
    "k_core": lambda G: lg.k_core(G, 1),
    "k_truss": lambda G: lg.k_truss(G, 3),
    "minimum spanning tree": lg.minimum_spanning_tree,
    "maximum spanning tree": lg.maximum_spanning_tree,
    "largest_component": lg.largest_component,
}


def graph(weights: np.ndarray, directed: bool, backend: object) -> lg.Graph:
    """A triangle 0, 1, 2 and a path 2, 3, 4; vertex 5 is isolated."""
    ends = [0, 1, 0, 2, 3], [1, 2, 2, 3, 4]
    return lg.Graph.from_edges(*ends, weights, n=6, directed=directed, backend=backend)


def same_weights(G: lg.Graph, part: lg.Graph) -> None:
    kept = dict(zip(zip(*(x.tolist() for x in G.edges()[:2])), G.edges()[2].tolist()))
    assert part.A.dtype == G.A.dtype and part.nedges
    for u, v, weight in zip(*(x.tolist() for x in part.edges())):
        assert weight == kept[u, v]


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=str)
@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_parts_keep_weights(part: Callable[[lg.Graph], lg.Graph], weights: np.ndarray) -> None:
    G = graph(weights, False, CPU)
    same_weights(G, part(G))
    with by_statements():
        same_weights(G, part(graph(weights, False, CPU)))


def test_parts_keep_weights_on_a_gpu() -> None:
    G = graph(WEIGHTS["one weight"], False, GPU)
    for name in ("k_core", "k_truss", "minimum spanning tree"):
        same_weights(G, PARTS[name](G))


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_longest_paths_are_exact(backend: object) -> None:
    G = graph(np.array([ODD, ODD, 5, 1, ODD], np.uint64), True, backend)
    longest = [0, ODD, 2 * ODD, 2 * ODD + 1, 3 * ODD + 1, 0]
    assert lg.dag_longest_distance(G).to_dense().tolist() == longest
    assert lg.dag_longest_path(G) == [0, 1, 2, 3, 4]
    assert lg.dag_longest_path_length(G) == 3 * ODD + 1
