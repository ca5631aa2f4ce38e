"""Graphs of what other libraries hold: sparse matrices, data frames and graphs of NetworkX."""

from __future__ import annotations

from itertools import chain
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods, is_list
from lagraph_gpu.convert.edge_list import check_vertices, lists_rows
from lagraph_gpu.convert.edges import merge, refuse_nonfinite
from lagraph_gpu.convert.networkx_edges import networkx_edges
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.convert.sparse_input import canonical, checked_sparse, of_scipy
from lagraph_gpu.convert.values import typed_values
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    WrongType,
    brief,
    did_you_mean,
)
from lagraph_gpu.graph.construct import GraphConstructors, expect_symmetric
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names import frames
from lagraph_gpu.names.attributes import columns_of
from lagraph_gpu.names.frames import FrameColumns, column_of, listed_names, numbers_of
from lagraph_gpu.names.labels import Labels
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_flag, expect_kind


@guard_methods
@checked_methods
class GraphImport(GraphConstructors):
    """The methods that make a graph of what another library holds."""

    @classmethod
    def from_scipy(
        cls, A: Any, directed: bool = True, *, backend: BackendName | Backend | None = None
    ) -> Self:
        """Make a graph from a square SciPy sparse array.

        Parameters
        ----------
        A : SciPy sparse array
            Every stored entry is an edge, zeros included. Duplicate entries are summed, as SciPy
            defines.
        directed : bool, optional
            Whether the edges have a direction. With False the array must be symmetric.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph with these edges.

        Raises
        ------
        InvalidValue
            `A` is not a two-dimensional sparse array, a weight is not finite, the type cannot hold
            the sum of duplicate entries, or the array of an undirected graph is not symmetric.
        DimensionMismatch
            `A` is not square.

        Examples
        --------
        >>> import scipy.sparse as sp, lagraph_gpu as lg
        >>> A = sp.csr_array([[0, 2], [2, 0]])
        >>> lg.Graph.from_scipy(A, directed=False, backend="cpu").nedges
        1
        """
        if not of_scipy(A) or A.ndim != 2:
            raise InvalidValue(
                f"expected a two-dimensional SciPy sparse array, got {type(A).__name__}; "
                "wrap a dense one in scipy.sparse.csr_array"
            )
        directed, to = expect_flag(directed, "directed"), resolve(backend)
        A, n = checked_sparse(A), A.shape[0]
        if A.shape != (n, n):
            raise DimensionMismatch(f"expected a square adjacency matrix, got shape {A.shape}")
        if A.format == "coo" and to.large_graphs and lists_rows(n, lambda: A.nnz):
            made = cls.from_edges(A.row, A.col, A.data, n, dup="sum", backend=to)
            return made if directed else cls._checked(expect_symmetric(made.A), directed=False)
        csr = canonical(A)
        values = typed_values(csr.data, csr.nnz, None)
        if csr.nnz < A.nnz:
            listed = A.tocoo()
            merge(listed.row * np.int64(n) + listed.col, listed.data, "sum", n, iso=False)
        refuse_nonfinite(values)
        A = Matrix._built((check_vertices(n), n), (csr.indptr, csr.indices, values), to)
        return cls._checked(A if directed else expect_symmetric(A), directed)

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        labels: Any = True,
        directed: bool = True,
        dup: Dup = "error",
        edge_data: Any = (),
        backend: BackendName | Backend | None = None,
    ) -> Self:
        """Make a graph from a data frame with a row for each edge.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict
            The edges. Any frame will do that has `columns` or `column_names`, and whose columns
            have `to_numpy()`, and a dict of lists or arrays.
        source, target : str, optional
            The columns with the labels of both ends. By default those named source and target, or
            src and dst, or from and to.
        weight : str, optional
            The column with the weights. By default one named weight, or the third of three columns,
            as for `lg.read`. A frame with other columns beside the ends is refused, unless `source`
            and `target` are both named: then the graph has no weights. Columns of `edge_data` do
            not count.
        labels : True or list, optional
            A list gives the labels of all vertices in order, those without edges too. By default
            the vertices are those of the edges, as for `Graph.from_edges`.
        directed : bool, optional
            Whether the edges have a direction.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What to do if an edge is given twice, as for `Graph.from_edges`. With all but "error",
            `edge_data["count"]` says how many rows became an edge.
        edge_data : list of str, optional
            Columns to keep in `edge_data`. Of rows that became one edge that one counts whose
            weight the edge has, or with a sum the first.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph with these edges and labels.

        Raises
        ------
        InvalidValue
            The frame has no such column, or columns that may hold weights, a label is missing,
            labels are of different types, or a weight is not finite.
        IndexOutOfBound
            An edge names a vertex that a list of labels does not.
        DuplicateEdges
            An edge is given twice, and `dup` is "error".
        WrongType
            `frame` is not a data frame.

        Notes
        -----
        O(m log m) for m rows, on the host.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> calls = {"who": ["Ann", "Bob", "Ann"], "whom": ["Bob", "Cid", "Bob"]}
        >>> G = lg.Graph.from_pandas(calls, "who", "whom", dup="first", backend="cpu")
        >>> G.labels, G.edge_data["count"]
        (array(['Ann', 'Bob', 'Cid'], dtype=object), array([2, 1]))
        """
        if not is_list(edge_data):
            raise WrongType(f"expected edge_data as a list of columns, got {brief(edge_data)}")
        chosen, known = FrameColumns(source, target, weight), frames.columns_of(frame)
        edge_data = [*edge_data]
        source, target = chosen.ends(known)
        by_default = weight is None
        asked = source, target, weight
        weight = chosen.weights([name for name in known if name in asked or name not in edge_data])
        src, dst = column_of(frame, source), column_of(frame, target)
        try:
            held = None if weight is None else numbers_of(frame, weight)
        except InvalidValue as problem:
            hint = f"; or name the ends only: {chosen.without_weights(known)}"
            raise InvalidValue(f"{problem}{hint if by_default else ''}") from None
        data = {name: column_of(frame, name) for name in edge_data}
        what = f"the column {brief(source)}", f"the column {brief(target)}"
        made, ends = cls._from_names(src, dst, held, labels, directed, dup, backend, what)
        made._describe(ends, data, dup, held)
        return made

    @classmethod
    def from_networkx(
        cls, g: Any, weight: str | None = "weight", dup: Dup = "error", *,
        backend: BackendName | Backend | None = None,
    ) -> Self:  # fmt: skip
        """Make a graph from a NetworkX graph; vertex i is the i-th of `list(g)`.

        Parameters
        ----------
        g : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
            The graph. Its nodes are the labels of the vertices, unless they are 0, 1, 2 and so on.
        weight : str, optional
            The edge attribute that holds the weight; an edge without it has the weight 1. With
            None, or if no edge has an attribute "weight" and no other is named, the graph has no
            weights.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What parallel edges of a multigraph mean, as for `Graph.from_edges`. With all but
            "error", `edge_data["count"]` says how many became one edge.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph with these edges, directed if `g` is. Attributes of nodes become columns of
            `vertex_data`, and those of edges but the weight columns of `edge_data`, if their names
            are strings. Where a node or an edge lacks one the value is None. Of parallel edges
            that one counts whose weight the edge has, or with a sum the first. Attributes of the
            graph itself are kept in `graph_data`.

        Raises
        ------
        InvalidValue
            `g` is not a NetworkX graph, it is a multigraph and `dup` is "error", or no edge has the
            attribute that is named.

        Examples
        --------
        >>> import networkx as nx, lagraph_gpu as lg
        >>> lg.Graph.from_networkx(nx.path_graph(4), backend="cpu")
        Graph: 4 vertices, 3 edges, undirected, no weights, cpu
        vertex  neighbor
             0         1
             1         2
             2         3
        >>> roads = nx.MultiGraph([("Bonn", "Köln"), ("Bonn", "Köln"), ("Bonn", "Trier")])
        >>> G = lg.Graph.from_networkx(roads, dup="first", backend="cpu")
        >>> G.labels.tolist(), G.edge_data["count"].tolist()
        (['Bonn', 'Köln', 'Trier'], [2, 1])
        >>> club = lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")
        >>> club.vertex_data["club"][[0, 33]].tolist()
        ['Mr. Hi', 'Officer']
        """
        if not hasattr(g, "is_multigraph"):
            raise InvalidValue(f"expected a NetworkX graph, got {type(g).__name__}")
        if g.is_multigraph() and dup == "error":
            raise InvalidValue(
                "expected a graph without parallel edges; say what they mean with dup='min', "
                "'sum', 'first' or 'last', or merge them: nx.Graph(g)"
            )
        expect_kind(
            weight, str | None,
            "the name of an edge attribute as weight, or None; keep what a function makes of edges "
            "as an attribute, with nx.set_edge_attributes",
        )  # fmt: skip
        number = {v: i for i, v in enumerate(g)}
        edges, values = networkx_edges(g, number), None
        if weight is not None and any(weight in data for data in edges.attributes()):
            values = edges.values(weight, 1)
        elif weight not in (None, "weight") and edges.source.size:
            known = [*dict.fromkeys(chain.from_iterable(edges.attributes()))]
            raise InvalidValue(
                f"expected the edge attribute {weight!r} as weight, but no edge has it; attributes "
                f"are {listed_names(known)}{did_you_mean(weight, known)}"
            )
        made = cls.from_edges(
            edges.source, edges.target, values, len(number), g.is_directed(), dup, backend=backend
        )
        if any(type(v) is not int or v != i for v, i in number.items()):
            made._labels = Labels.of(list(number), "nodes", mixed=True)
        data = columns_of(edges.attributes, weight)
        made._describe((edges.source, edges.target), data, dup, values)
        made.vertex_data.update(columns_of(g.nodes.values))
        made.graph_data.update(g.graph)
        return made
