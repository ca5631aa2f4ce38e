"""Components, reachability, and directed acyclic graphs of NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from lagraph_gpu.errors import HasCycle
from lagraph_gpu.networkx_backend import dispatch
from lagraph_gpu.networkx_backend.dispatch import implements
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from lagraph_gpu.networkx_backend.paths import steps
from lagraph_gpu.notation.indexing import distinct

LABELS: dict[str, Any] = {
    "": lg.connected_components,
    "weakly_": lg.connected_components,
    "strongly_": lg.strongly_connected_components,
}


def count(labels: Any) -> int:
    return int(distinct(dispatch.dense(labels)).size)


def in_order_of_search(G: LagraphGraph, labels: Any) -> Any:
    """Strong components, numbered in the order in which NetworkX' depth-first search leaves them.

    The search starts at one more node, before all others. It leaves a component with the node that
    it found first, which is the last of them in the order in which it leaves nodes. That order is
    the reverse of the order in which nodes are found in the tree of the search with the children of
    each node turned round.
    """
    n, part = len(G), np.unique(dispatch.dense(labels), return_inverse=True)[1]
    everywhere = rows(np.append(np.full(n, n), G.source), np.append(np.arange(n), G.target), n + 1)
    found, parent = csgraph.depth_first_order(everywhere, n)
    child = found[:0:-1]
    turned, _ = csgraph.depth_first_order(rows(parent[child], child, n + 1), n)
    number = np.empty(n, np.int64)
    number[part[turned[:0:-1]]] = np.arange(n)  # the last of a component counts
    return lg.Vector.from_dense(number[part], backend=G.pattern.backend)


def rows(source: np.ndarray, target: np.ndarray, n: int) -> sp.csr_array:
    """SciPy's rows of a graph, in each the targets in the order in which they are given."""
    order, begins = np.argsort(source, kind="stable"), np.bincount(source, minlength=n).cumsum()
    return sp.csr_array((np.ones(source.size), target[order], np.append(0, begins)), shape=(n, n))


def implement_components(prefix: str, label: Any, directed: bool) -> None:
    """Offers three functions of NetworkX that depend on the same components."""

    @implements(dispatch.sets, name=f"{prefix}connected_components", directed=directed)
    def components(G: LagraphGraph) -> Any:
        """As ``networkx.connected_components``, or of weak or strong components."""
        found = label(G.pattern)
        return in_order_of_search(G, found) if prefix == "strongly_" else found

    @implements(name=f"number_{prefix}connected_components", directed=directed)
    def number(G: LagraphGraph) -> int:
        """As ``networkx.number_connected_components``, or of weak or strong components."""
        return count(label(G.pattern))

    @implements(name=f"is_{prefix}connected", directed=directed)
    def connected(G: LagraphGraph) -> bool:
        """As ``networkx.is_connected``, or of weak or strong components."""
        if not len(G):
            raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
        if prefix == "weakly_":
            return count(label(G.pattern)) == 1
        ways = (G, G.against()) if directed else (G,)
        return all(steps(H.pattern, [0]).nvals == len(G) for H in ways)


for prefix, label in LABELS.items():
    implement_components(prefix, label, bool(prefix))


@implements(dispatch.as_set, directed=False)
def node_connected_component(G: LagraphGraph, n: Any) -> Any:
    """As ``networkx.node_connected_component``."""
    return steps(G.pattern, [dispatch.expect_node(G, n, KeyError, n)])


def reached(G: LagraphGraph, source: Any) -> set[Any]:
    message = f"The node {source} is not in the {'digraph' if G.directed else 'graph'}."
    at = dispatch.expect_node(G, source, nx.NetworkXError, message)
    return dispatch.as_set(G, steps(G.pattern, [at])) - {source}


@implements()
def descendants(G: LagraphGraph, source: Any) -> set[Any]:
    """As ``networkx.descendants``."""
    return reached(G, source)


@implements()
def ancestors(G: LagraphGraph, source: Any) -> set[Any]:
    """As ``networkx.ancestors``."""
    return reached(G.against(), source)


def acyclic(G: LagraphGraph) -> bool:
    try:
        lg.topological_generations(G.pattern)
    except HasCycle:
        return False
    return True


@implements()
def is_directed_acyclic_graph(G: LagraphGraph) -> bool:
    """As ``networkx.is_directed_acyclic_graph``."""
    return G.directed and acyclic(G)


@implements(directed=True)
def has_cycle(G: LagraphGraph) -> bool:
    """As ``networkx.algorithms.dag.has_cycle``."""
    return not acyclic(G)


def converted(given: dict[str, Any]) -> str | None:
    """Refuses a graph of NetworkX, which may be changed between two generations; NetworkX then
    raises an error.
    """
    if isinstance(given["G"], LagraphGraph):
        return None
    return "the graph could be changed while it is read; convert it first: lagraph's cannot"


@implements(dispatch.lists, directed=True, check=converted)
def topological_generations(G: LagraphGraph) -> Any:
    """As ``networkx.topological_generations``."""
    return lg.topological_generations(G.pattern)


@implements(directed=True, check=converted)
def topological_sort(G: LagraphGraph) -> Iterator[Any]:
    """As ``networkx.topological_sort``."""
    return iter(G.named(lg.topological_sort(G.pattern).to_dense().tolist()))


def edges_as_one(given: dict[str, Any]) -> str | None:
    """Refuses a default weight other than 1 for edges without the attribute."""
    if given["weight"] is None and given["default_weight"] != 1:
        return "with weight = None lagraph supports default_weight = 1 only"
    return None


@implements(directed=True, only={"topo_order": None}, check=edges_as_one)
def dag_longest_path(
    G: LagraphGraph,
    weight: str | None = "weight",
    default_weight: Any = 1,
    topo_order: Any = None,
) -> list[Any]:
    """As ``networkx.dag_longest_path``."""
    return G.named(lg.dag_longest_path(G.weighted(weight, default_weight)))


@implements(directed=True, check=edges_as_one)
def dag_longest_path_length(
    G: LagraphGraph, weight: str | None = "weight", default_weight: Any = 1
) -> Any:
    """As ``networkx.dag_longest_path_length``."""
    if not len(G):
        return 0
    return np.asarray(lg.dag_longest_path_length(G.weighted(weight, default_weight))).item()


# --- trees: connected, and one edge fewer than nodes --------------------------------------------


def pieces(G: LagraphGraph) -> int:
    if not len(G):
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return count(lg.connected_components(G.pattern))


def forest(G: LagraphGraph) -> bool:
    return len(G) - pieces(G) == G.number_of_edges()


def tree(G: LagraphGraph) -> bool:
    return forest(G) and pieces(G) == 1


def one_parent(G: LagraphGraph) -> bool:
    return int(dispatch.dense(G.pattern.in_degree).max(initial=0)) <= 1


@implements()
def is_forest(G: LagraphGraph) -> bool:
    """As ``networkx.is_forest``."""
    return forest(G)


@implements()
def is_tree(G: LagraphGraph) -> bool:
    """As ``networkx.is_tree``."""
    return tree(G)


@implements(directed=True)
def is_arborescence(G: LagraphGraph) -> bool:
    """As ``networkx.is_arborescence``."""
    return tree(G) and one_parent(G)


@implements(directed=True)
def is_branching(G: LagraphGraph) -> bool:
    """As ``networkx.is_branching``."""
    return forest(G) and one_parent(G)
