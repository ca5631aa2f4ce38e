"""The results of an algorithm as tables, in which vertices have the names of the graph's file.

`RESULTS` says of every algorithm that the command line offers what it returns: the names of its
parts, what their positions are, and whether their values are vertices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.cli.tables import save
from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings import types


@dataclass(frozen=True)
class ResultPart:
    """One of the results of an algorithm: a vector, a matrix, a graph, a list or a value."""

    name: str
    vertices: bool = False
    """Whether the values are vertices."""
    axes: tuple[str, ...] | None = None
    """What the positions are, if they are not vertices."""


def numbers(*names: str) -> tuple[ResultPart, ...]:
    """Results whose values are no vertices."""
    return tuple(ResultPart(name) for name in names)


def vertices(*names: str) -> tuple[ResultPart, ...]:
    """Results whose values are vertices, one at each of some vertices."""
    return tuple(ResultPart(name, vertices=True) for name in names)


NUMBERS = (
    "average_clustering", "betweenness_centrality", "bipartite_color", "closeness_centrality",
    "clustering", "common_neighbor_counts", "common_neighbors", "core_number",
    "dag_longest_distance", "dag_longest_path_length", "degree_centrality", "density", "diameter",
    "eccentricity", "eigenvector_centrality", "floyd_warshall", "greedy_color",
    "harmonic_centrality", "in_degree_centrality", "is_bipartite", "is_connected",
    "jaccard_coefficient", "k_core", "k_truss", "katz_centrality", "largest_component",
    "local_clustering_coefficient", "maximal_independent_set", "maximum_spanning_tree",
    "minimum_spanning_tree", "number_connected_components", "out_degree_centrality",
    "overlap_coefficient", "pagerank", "topological_generations", "transitivity",
    "triangle_count", "triangles",
)  # fmt: skip
"""Algorithms with one result, which has the name of the algorithm, and whose values are numbers."""

VERTICES = (
    "connected_components", "dag_longest_path", "label_propagation", "leiden", "louvain",
    "maximal_matching", "maximum_bipartite_matching", "spanning_forest",
    "strongly_connected_components", "weakly_connected_components",
)  # fmt: skip
"""Algorithms with one result, which has the name of the algorithm, and whose values are vertices:
a parent, a partner, or one vertex that stands for a set of them."""

EDGE = ("edge",)

RESULTS: dict[str, tuple[ResultPart, ...]] = {
    **{name: numbers(name) for name in NUMBERS},
    **{name: vertices(name) for name in VERTICES},
    "bellman_ford": numbers("distance") + vertices("parent"),
    "bfs": numbers("level") + vertices("parent"),
    "dfs": numbers("discovery") + vertices("parent") + numbers("finish"),
    "hits": numbers("hub", "authority"),
    "minimum_spanning_edges": (
        ResultPart("source", True, EDGE), ResultPart("target", True, EDGE),
        ResultPart("weight", axes=EDGE),
    ),
    "random_walks": (ResultPart("vertex", True, ("walk", "step")),),
    "shortest_path_between": numbers("length") + vertices("path"),
    "sssp": numbers("distance") + vertices("parent"),
    "topological_sort": (ResultPart("topological_sort", True, ("rank",)),),
}  # fmt: skip
"""The results of each algorithm. One that is missing here is no command: a test compares both."""


@dataclass(frozen=True)
class Table:
    """Results over the same places, which the first `where` columns name."""

    columns: dict[str, np.ndarray]
    where: int
    size: int
    ordered: bool = True
    """Whether one of the first column of values is the largest: not so of vertices."""

    @property
    def values(self) -> dict[str, np.ndarray]:
        return dict(list(self.columns.items())[self.where :])

    @property
    def entries(self) -> int:
        return next(iter(self.columns.values())).size

    def top(self, count: int) -> dict[str, list[Any]]:
        """The rows with the largest values in the first column of values, or the first rows."""
        best = np.arange(self.entries)
        if self.ordered:  # of equal values the first comes first
            value = next(iter(self.values.values()))
            best = value.size - 1 - np.argsort(value[::-1], kind="stable")[::-1]
        return {name: column[best[:count]].tolist() for name, column in self.columns.items()}


Results = list[Table | tuple[str, Any]]
"""Tables, and single values with their names."""


def tables_of(G: Graph, parts: Sequence[ResultPart], results: Sequence[Any]) -> Results:
    """The results of an algorithm. Vectors that have entries at the same places are one table.

    Vertices have their labels, where the graph has labels.
    """
    found: Results = []
    for part, result in zip(parts, results):
        table = table_of(G, part, result)
        last = found[-1] if found else None
        if table is None:
            value = getattr(result, "value", result)
            listed = part.vertices and isinstance(value, list)
            found.append((part.name, G.label(value) if listed else value))
        elif isinstance(last, Table) and same(last, table):
            found[-1] = Table(last.columns | table.values, last.where, last.size, last.ordered)
        else:
            found.append(table)
    return found


def table_of(G: Graph, part: ResultPart, result: Any) -> Table | None:
    """A vector, a matrix or a graph as a table; None for a single value or a list."""
    if isinstance(result, Graph):
        return edges_of(G, result)
    axes: tuple[str, ...]
    if isinstance(result, Vector):
        *places, value = result.to_coo()
        axes, size = ("vertex",), result.size
    elif isinstance(result, Matrix):
        *places, value = result.to_coo()
        axes, size = ("row", "column"), result.nrows * result.ncols
    else:
        return None
    if part.axes is None:
        places = [called(G, ids) for ids in places]
    where = dict(zip(part.axes or axes, places))
    values = called(G, value) if part.vertices else value
    return Table(where | {part.name: values}, len(where), size, not part.vertices)


def edges_of(G: Graph, part: Graph) -> Table:
    """The edges of a graph that an algorithm made of G, an undirected one once."""
    source, target, weight = part.A.to_coo()
    if not part.directed:
        once = source <= target
        source, target, weight = source[once], target[once], weight[once]
    if part.ids is not None and part.labels is None:  # it has some of the vertices of G
        original = part.ids.to_dense()
        source, target = original[source], original[target]
    weights = {"weight": weight} if G.weighted else {}
    ends = {"source": called(part, source), "target": called(part, target)}
    return Table(ends | weights, 2, source.size, G.weighted)


def called(G: Graph, ids: np.ndarray) -> np.ndarray:
    """The labels of vertices, where the graph has labels."""
    return ids if G.labels is None else np.array(G.label(ids.tolist()))


def same(one: Table, other: Table) -> bool:
    """Whether two tables are over the same places."""
    first, second = (dict(list(t.columns.items())[: t.where]) for t in (one, other))
    return first.keys() == second.keys() and all(
        np.array_equal(first[axis], ids) for axis, ids in second.items()
    )


def save_table(path: Path, found: Results) -> None:
    """Writes the result as a table; values without a table are columns of one."""
    tables = [one for one in found if isinstance(one, Table)]
    if len(tables) > 1:
        raise UnsupportedOperation(
            "expected results at the same vertices for one table, got "
            f"{' and '.join(', '.join(t.values) for t in tables)} at different ones; say --json"
        )
    single = {one[0]: np.atleast_1d(one[1]) for one in found if not isinstance(one, Table)}
    alone = dict(zip(single, np.broadcast_arrays(*single.values())))
    save(path, tables[0].columns if tables else alone)


def plain(one: Table | tuple[str, Any], count: int) -> dict[str, Any]:
    """A result for JSON."""
    if not isinstance(one, Table):
        return {"name": one[0], "value": one[1]}
    rows = one.top(count)
    return {
        "columns": {name: types.name(v.dtype) if v.dtype.kind in "biuf" else "text"
                    for name, v in one.columns.items()},
        "size": one.size,
        "entries": one.entries,
        "top": [dict(zip(rows, row)) for row in zip(*rows.values())],
    }  # fmt: skip
