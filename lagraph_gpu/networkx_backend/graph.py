"""A NetworkX graph in the form of this package: numbered nodes, arrays of edges, and matrices on
demand.

Nodes keep the order of NetworkX, and edges that of `G.edges`, so results that follow an order
follow that of NetworkX. A matrix is made when it is first needed, and kept, one for each backend
and weight. A conversion that NetworkX caches thus serves every later call.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, NoReturn

import networkx as nx
import numpy as np

from lagraph_gpu.backend import resolve
from lagraph_gpu.convert.networkx_edges import networkx_edges
from lagraph_gpu.graph import Graph

NAME = "lagraph"
EXACT = 2**53
"""Integers up to this are exact as floating-point numbers."""


PLACES = "places"
"""The key of the graph whose weights are the numbers of its edges."""


class LagraphGraph:
    """The graph that NetworkX passes to this backend in place of a `Graph` or `DiGraph`.

    `nodes` are the nodes in order; `source` and `target` their numbers for each edge (an undirected
    edge occurs once). `pattern` is the graph without weights, and `weighted(attribute)` the graph
    with weights.
    """

    __networkx_backend__ = NAME

    def __init__(
        self,
        nodes: list[Hashable],
        source: np.ndarray,
        target: np.ndarray,
        directed: bool,
        columns: dict[tuple[str, Any], list[Any]] | None = None,
        edge_data: list[dict[str, Any]] | None = None,
        node_data: list[dict[str, Any]] | None = None,
        graph_data: dict[str, Any] | None = None,
        kind: type | None = None,
    ) -> None:
        self.nodes, self.source, self.target, self.directed = nodes, source, target, directed
        self.columns, self.edge_data, self.node_data = columns or {}, edge_data, node_data
        self.graph = graph_data or {}
        self.kind = kind or (nx.DiGraph if directed else nx.Graph)
        self._reversed: LagraphGraph | None = None
        self._made: dict[Any, Graph] = {}

    def __getstate__(self) -> dict[str, Any]:
        """The state for copies and pickles. Matrices are left out, because no GPU data can be part
        of it.
        """
        return {**vars(self), "_reversed": None, "_made": {}}

    # --- what NetworkX' own checks ask ------------------------------------------------------
    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return False

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:  # an unhashable object cannot be a node
            return False

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def number_of_edges(self) -> int:
        return int(self.source.size)

    def __str__(self) -> str:
        kind, n, m = self.kind.__name__, len(self), self.number_of_edges()
        return f"{kind} with {n} nodes and {m} edges"

    def __repr__(self) -> str:
        n, m = len(self), self.number_of_edges()
        return f"LagraphGraph(nodes={n}, edges={m}, directed={self.directed})"

    @property
    def adj(self) -> NoReturn:
        """The attribute that `nx.Graph(G)` looks for. Without it, NetworkX would take
        nodes for edges.
        """
        raise nx.NetworkXError(
            "expected a graph of NetworkX to copy, got one that was converted for lagraph; "
            "G.to_networkx() brings it back"
        )

    # --- nodes and their numbers ------------------------------------------------------------
    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The number of each node."""
        return {node: i for i, node in enumerate(self.nodes)}

    def bunch(self, nodes: Any) -> list[int]:
        """The number of a node, or the numbers of the nodes in an iterable that are in the graph,
        each once.
        """
        if nodes is None:
            return list(range(len(self)))
        if nodes in self:
            return [self.index[nodes]]
        if not isinstance(nodes, Iterable):
            raise nx.NetworkXError(f"Node {nodes} is not in the graph.")
        return list(dict.fromkeys(self.index[v] for v in nodes if v in self))

    def named(self, numbers: Iterable[int]) -> list[Hashable]:
        return [self.nodes[i] for i in numbers]

    # --- matrices ---------------------------------------------------------------------------
    @property
    def pattern(self) -> Graph:
        """The graph without weights, on the backend in force."""
        return self._graph(None)

    def weighted(self, attribute: str | None, default: Any = 1) -> Graph:
        """The graph with the numbers of an edge attribute as weights. None gives `pattern`.

        Raises NotImplementedError if a value is not a number. NetworkX then does the work itself.
        """
        return self._graph(None if attribute is None else (attribute, default))

    @property
    def places(self) -> Graph:
        """The graph in which the weight of each edge is its number, the order in which a vertex
        takes its edges.
        """
        return self._graph(PLACES)

    def _graph(self, key: tuple[str, Any] | str | None) -> Graph:
        backend = resolve(None)
        if (backend, key) not in self._made:
            if key is PLACES:
                values: Any = np.arange(self.source.size)
            else:
                values = None if key is None else self.numbers(*key)
            self._made[backend, key] = Graph.from_edges(
                self.source, self.target, values, len(self), self.directed, backend=backend
            )
        return self._made[backend, key]

    def numbers(self, attribute: str, default: Any = 1) -> np.ndarray:
        """An edge attribute as INT64 or FP64, in the order of the edges."""
        if self.edge_data is not None:
            raw = [data.get(attribute, default) for data in self.edge_data]
        elif (attribute, default) in self.columns:
            raw = self.columns[attribute, default]
        else:
            raise NotImplementedError(f"the edge attribute {attribute!r} was not converted")
        try:
            values = np.asarray(raw) if raw else np.zeros(0, np.int64)
        except ValueError:  # lists of different lengths
            values = np.asarray(raw, object)
        if values.ndim != 1 or values.dtype.kind not in "biuf" or values.dtype.itemsize > 8:
            raise NotImplementedError(f"expected numbers as {attribute!r} of edges")
        if values.dtype.kind != "f":
            if values.dtype.kind == "u" and values.max(initial=0) > np.iinfo(np.int64).max:
                raise NotImplementedError(f"{attribute!r} does not fit 64-bit integers")
            return values.astype(np.int64)
        if not np.isfinite(values).all():
            raise NotImplementedError(f"expected finite {attribute!r} of edges")
        if any(isinstance(x, (int, np.integer)) and abs(int(x)) > EXACT for x in raw):
            raise NotImplementedError(f"{attribute!r} mixes fractions and integers above 2**53")
        return values.astype(np.float64)

    def against(self) -> LagraphGraph:
        """The graph with all edges reversed."""
        if not self.directed:
            return self
        if self._reversed is None:
            self._reversed = LagraphGraph(
                self.nodes, self.target, self.source, True, self.columns, self.edge_data
            )
            self._reversed.index = self.index
        return self._reversed

    # --- back -------------------------------------------------------------------------------
    def to_networkx(self) -> Any:
        """A NetworkX graph with the attributes that were kept."""
        result = self.kind()
        result.graph.update(self.graph)
        data = self.node_data or [{} for _ in self.nodes]
        result.add_nodes_from(zip(self.nodes, data))
        result.add_edges_from(self.edges_with_data(range(self.number_of_edges())))
        return result

    def edges_with_data(self, numbers: Iterable[int]) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """The edges (u, v, attributes) with these numbers."""
        for e in numbers:
            if self.edge_data is not None:
                data = self.edge_data[e]
            else:
                data = {name: column[e] for (name, _), column in self.columns.items()}
            yield self.nodes[self.source[e]], self.nodes[self.target[e]], data


def convert_from_nx(
    graph: Any,
    edge_attrs: dict[str, Any] | None = None,
    node_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> LagraphGraph:
    """Converts a graph of NetworkX, with the named attributes. NetworkX calls this function."""
    if graph.is_multigraph():
        raise NotImplementedError("lagraph has no multigraphs; merge parallel edges: nx.Graph(G)")
    if hasattr(graph, "_graph"):  # a view does not see when the graph that it shows is changed
        graph.__networkx_cache__ = None
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    edges = networkx_edges(graph, number)
    columns = {
        (attribute, default): edges.values(attribute, default)
        for attribute, default in (edge_attrs or {}).items()
    }
    converted = LagraphGraph(
        nodes,
        edges.source,
        edges.target,
        graph.is_directed(),
        columns,
        list(edges.attributes()) if preserve_edge_attrs else None,
        [graph.nodes[v] for v in nodes] if preserve_node_attrs else None,
        dict(graph.graph) if preserve_graph_attrs else None,
        type(graph),
    )
    converted.index = number
    return converted


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Converts a graph to a NetworkX graph. Anything else is returned as it is."""
    return result.to_networkx() if isinstance(result, LagraphGraph) else result


def from_graph(graph: Graph, nodes: Iterable[Hashable] | None = None) -> LagraphGraph:
    """A `lagraph_gpu.Graph` as a graph for the functions of NetworkX, with its weights as the
    attribute "weight".

    `nodes` are the names of the vertices, in order. By default the vertices keep their labels, or
    their numbers.
    """
    row, column, value = graph.A.to_coo()
    once = np.ones(row.size, bool) if graph.directed else row <= column
    row, column, value = row[once], column[once], value[once]
    names: list[Hashable] = list(graph.label(np.arange(graph.n)) if nodes is None else nodes)
    if len(set(names)) != graph.n or len(names) != graph.n:
        raise nx.NetworkXError(f"expected {graph.n} different nodes, got {len(names)}")
    columns = {("weight", 1): value.tolist()} if graph.weighted else {}
    made = LagraphGraph(names, row, column, graph.directed, columns)
    if not graph.weighted:
        made.columns["weight", 1] = [1] * row.size
    return made
