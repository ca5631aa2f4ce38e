"""What is read of a graph: its edges, neighbours and degrees, and graphs of other libraries.

Arrays on the device are made there by statements: the source of each edge is the matrix of row
numbers on the pattern of A.
"""

from __future__ import annotations

import sys
from inspect import isfunction, signature
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from lagraph_gpu.convert.interchange import pandas
from lagraph_gpu.convert.options import SparseFormat, Vertex
from lagraph_gpu.errors import InvalidValue, brief, did_you_mean, required
from lagraph_gpu.graph.facts import rows_are_listed
from lagraph_gpu.memory import guard_methods, light
from lagraph_gpu.names.attributes import records_of
from lagraph_gpu.names.named import Named
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag, expect_kind
from lagraph_gpu.notation.operation import operation
from semirings.operators import BINARY

if TYPE_CHECKING:
    import igraph
    import networkx
    from matplotlib.axes import Axes
    from pandas import DataFrame
    from scipy.sparse import csr_array

    from lagraph_gpu.graph import Graph


@guard_methods
class GraphOut(Named):
    """The methods that read a graph."""

    ids: Vector | None
    original_n: int

    if TYPE_CHECKING:  # the facts that a graph keeps

        @property
        def n(self) -> int: ...
        @property
        def weighted(self) -> bool: ...
        def vertex(self, v: Any, what: str = "vertex") -> int: ...
        def kept(self, compute: Any) -> Any: ...
        def expect_sound(self) -> None: ...

    if not TYPE_CHECKING:  # which knows all attributes there are

        def __getattr__(self, name: str) -> Any:
            """For names that graphs do not have: an algorithm is a function, not a method."""
            made = getattr(sys.modules["lagraph_gpu"], name, None)
            takes = [*signature(made).parameters] if isfunction(made) else []
            hint = f"; it is a function: lg.{name}(G)" if takes[:1] == ["G"] else ""
            hint = hint or did_you_mean(name, (n for n in dir(type(self)) if n[0] != "_"), str)
            raise AttributeError(f"'Graph' object has no attribute {name!r}{hint}")

    # --- edges, neighbours, degrees ----------------------------------------------------------
    @overload
    def edges(
        self, *, device: Literal[False] = False
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    @overload
    def edges(self, *, device: bool) -> tuple[Any, Any, Any]: ...
    def edges(self, *, device: bool = False) -> tuple[Any, Any, Any]:
        """The edges as three arrays: the source, the target and the weight of each.

        Parameters
        ----------
        device : bool, optional
            Whether to return arrays on the device of the graph: CuPy arrays on the GPU. Do not
            write to them. By default NumPy arrays.

        Returns
        -------
        source, target : array of INT64
            The ends of each edge, by increasing source and then target. An undirected edge is
            listed once, with the smaller end as its source; a loop is listed once.
        weight : array
            The weight of each edge, which is 1 in a graph without weights.

        Notes
        -----
        O(m). The call waits for the device. With `device=True` nothing is copied to the host.

        `Graph.from_edges` makes the same graph of them, if it is told `n` and `directed`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([1, 2], [0, 2], [5, 7], directed=False, backend="cpu")
        >>> [array.tolist() for array in G.edges()]
        [[0, 2], [1, 2], [5, 7]]
        """
        self.expect_sound()
        once = self.A if self.directed else self.A.select("triu").new()
        return entries(once, expect_flag(device, "device"))

    @light
    def neighbors(self, v: Vertex) -> Vector:
        """The vertices to which an edge leads from a vertex, with the weights of these edges.

        Parameters
        ----------
        v : int
            The vertex.

        Returns
        -------
        Vector
            The row of the adjacency matrix: at each neighbour the weight of the edge to it. A loop
            over it gives the neighbours by increasing id, and `len(list(...))` or `.nvals` their
            number.

        Raises
        ------
        IndexOutOfBound
            `v` is not a vertex of the graph.

        Notes
        -----
        O(n). It stays on the device of the graph. Those from whom an edge leads to v are
        `G.reverse().neighbors(v)`; `G.neighbours` is the matrix of all neighbours.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 0, 1], [2, 1, 2], [5, 6, 7], backend="cpu")
        >>> list(G.neighbors(0)), G.neighbors(0).to_dict()
        ([1, 2], {1: 6, 2: 5})
        """
        return self.A[self.vertex(v), :].new()

    @overload
    def degree(self, v: None = None) -> Vector: ...
    @overload
    def degree(self, v: Vertex) -> int: ...
    def degree(self, v: Vertex | None = None) -> Vector | int:
        """The number of ends of edges at a vertex, or at each.

        Parameters
        ----------
        v : int, optional
            The vertex. By default all.

        Returns
        -------
        int or Vector of INT64
            The degree of the vertex, or of each. In a directed graph edges in and out both count. A
            loop counts twice, as in NetworkX. Weights do not count.

        Raises
        ------
        IndexOutOfBound
            `v` is not a vertex of the graph.

        Notes
        -----
        O(n + m), once for each graph, which keeps the vector: nobody may write to it. The vector
        stays on the device; the degree of one vertex waits for it.

        `G.out_degree` and `G.in_degree` count one direction, and a loop once.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 1], [1, 1, 2], n=4, directed=False, backend="cpu")
        >>> G.degree(1), G.degree().to_dense().tolist()
        (4, [1, 4, 1, 0])
        """
        if v is not None and rows_are_listed(self):  # type: ignore[arg-type]
            return ends_at(self, self.vertex(v))  # type: ignore[arg-type]
        whole: Vector = self.kept(degrees)
        return whole if v is None else int(whole[self.vertex(v)].get())

    @light
    def has_edge(self, u: Vertex, v: Vertex) -> bool:
        """Whether an edge leads from one vertex to another.

        Parameters
        ----------
        u, v : int
            The two vertices.

        Returns
        -------
        bool
            True if the edge is there.

        Raises
        ------
        IndexOutOfBound
            `u` or `v` is not a vertex of the graph.

        Notes
        -----
        A binary search in row u, where the graph is stored, and one wait. For many edges read
        `G.edges()`, or mask `G.A`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0], [1], n=3, backend="cpu")
        >>> G.has_edge(0, 1), G.has_edge(1, 0)
        (True, False)
        """
        return self.A.get(self.vertex(u), self.vertex(v)) is not None

    # --- pictures ----------------------------------------------------------------------------
    def plot(
        self,
        positions: Any = None,
        *,
        layout: Literal["spring", "spectral"] | None = None,
        values: Any = None,
        groups: Any = None,
        path: Any = None,
        labels: Any = None,
        sizes: Any = None,
        arrows: bool | None = None,
        title: str | None = None,
        ax: Any = None,
    ) -> Axes:
        """Draw the graph by Matplotlib, as `lagraph_gpu.draw.graph` does.

        Parameters
        ----------
        positions : array of shape (n, 2) or dict, optional
            Where each vertex is. By default the columns "x" and "y" of `vertex_data`, where there
            are such, and else the layout says.
        layout : {"spring", "spectral"}, optional
            How positions are found where none are given. By default "spring".
        values : Vector or array, optional
            A number for each vertex, shown as a colour.
        groups : Vector, list, array, dict or Series, optional
            The group of each vertex, as a number or a name; each of the largest has a colour.
        path : list, optional
            The vertices of a path, as `lg.path_to` returns them, or several such lists.
        labels : bool or list, optional
            Whether to write what vertices are called, or at which.
        sizes : number, Vector or array, optional
            The areas of the vertices in points², or one for all.
        arrows : bool, optional
            Whether the edges of a directed graph have heads. By default up to 200 edges have.
        title : str, optional
            What stands above.
        ax : matplotlib.axes.Axes, optional
            Where to draw. By default a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The picture. `ax.figure.savefig("graph.png")` writes it.

        Raises
        ------
        MissingPackage
            Matplotlib is not installed.
        InvalidValue
            Positions are not finite or do not have two columns, the graph is too large for a layout
            that nobody asked for, both values and groups are given, or no edge joins a vertex of a
            path to the next.
        DimensionMismatch
            Values, groups or sizes are not about n vertices.
        IndexOutOfBound
            A path or a label names what is not a vertex.

        Notes
        -----
        O(n + m) on the host, and what the layout takes.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> ax = lg.grid(3, 3, backend="cpu").plot(title="A lattice")
        >>> ax.get_title(loc="left")
        'A lattice'
        """
        from lagraph_gpu.draw import graph

        options: dict[str, Any] = {"layout": layout, "values": values, "groups": groups}
        options |= {"path": path, "labels": labels, "sizes": sizes, "arrows": arrows}
        options |= {"title": title, "ax": ax}
        return graph(cast("Graph", self), positions, **options)

    # --- other libraries ---------------------------------------------------------------------
    @overload
    def to_scipy(self, format: Literal["csr"] = "csr") -> csr_array: ...
    @overload
    def to_scipy(self, format: SparseFormat) -> Any: ...
    def to_scipy(self, format: SparseFormat = "csr") -> Any:
        """The adjacency matrix as a SciPy sparse array.

        Parameters
        ----------
        format : str, optional
            The format of SciPy.

        Returns
        -------
        SciPy sparse array
            An n × n array. An undirected edge has both its entries; `Graph.from_scipy` reads it.

        Raises
        ------
        InvalidValue
            SciPy has no such format.

        Notes
        -----
        O(n + m), in the memory of the host. The call waits for the device. On a GPU,
        `G.A.to_cupyx()` stays there.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0], [1], [5], directed=False, backend="cpu")
        >>> G.to_scipy().toarray().tolist()
        [[0, 5], [5, 0]]
        """
        return self.A.to_scipy_sparse(format)

    def to_pandas(
        self, source: str = "source", target: str = "target", weight: str = "weight"
    ) -> DataFrame:
        """The edges as a data frame of pandas, with a row for each.

        Parameters
        ----------
        source, target : str, optional
            The names of the columns with the ends: labels, or 0 to n - 1.
        weight : str, optional
            The name of the column with the weights. A graph without weights has no such column.

        Returns
        -------
        pandas.DataFrame
            The edges in the order of `edges`, an undirected edge once, with the columns of
            `edge_data`. `Graph.from_pandas` makes the same edges of it, if it is told which columns
            are `edge_data`.

        Raises
        ------
        MissingPackage
            Pandas is not installed.
        WrongType
            A name is not a string.
        InvalidValue
            Two columns would have the same name.

        Notes
        -----
        O(m), on the host. The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], [5, 7], backend="cpu")
        >>> print(G.to_pandas().to_string(index=False))
        source target  weight
           Ann    Bob       5
           Bob    Cid       7
        """
        frames = pandas()
        wanted = [source, target, *([weight] if self.weighted else []), *self.edge_data]
        for name in wanted:
            expect_kind(name, str, "the names of columns as strings")
        for name in wanted:
            if not name.isascii() and any("\ud800" <= letter <= "\udfff" for letter in name):
                raise InvalidValue(
                    f"expected the names of columns as text that UTF-8 can say, got {brief(name)}"
                )
            if wanted.count(name) > 1:
                raise InvalidValue(
                    f"expected columns with different names, got {name!r} more than once; say "
                    "source=, target= and weight= which names they are to have"
                )
        u, v, weights = self.edges()
        if self.labels is not None:
            u, v = self.labels[u], self.labels[v]
        columns = [u, v, *([weights] if self.weighted else [])]
        return frames.DataFrame(dict(zip(wanted, [*columns, *self.edge_data.values()])))

    def to_networkx(self, weight: str | None = "weight") -> networkx.Graph:
        """This graph as a graph of NetworkX.

        Parameters
        ----------
        weight : str, optional
            The edge attribute for the weights. With None, or if the graph has no weights, edges
            have no attribute.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            The nodes are the labels, or 0 to n - 1, in this order; weights are Python's numbers.
            Columns of `vertex_data` and `edge_data` become attributes, except where a value is
            None, and `graph_data` becomes its attribute `graph`.

        Raises
        ------
        MissingPackage
            NetworkX cannot be imported.
        WrongType
            `weight` is not a name.

        Notes
        -----
        O(n + m), in objects of Python on the host. The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], n=4, backend="cpu")
        >>> g = G.to_networkx()
        >>> list(g), list(g.edges(data=True))
        ([0, 1, 2, 3], [(0, 1, {'weight': 5}), (1, 2, {'weight': 7})])
        """
        library = required("networkx", "a graph of NetworkX", "networkx", "take .edges()")
        pairs, weights = self._listed(weight)
        g = library.DiGraph() if self.directed else library.Graph()
        g.graph.update(self.graph_data)
        names = self.label(np.arange(self.n))
        g.add_nodes_from(zip(names, records_of(self.vertex_data, self.n)))
        data = records_of(self.edge_data, len(pairs))
        for record, value in zip(data, weights or ()):
            record[weight] = value  # type: ignore[index]
        g.add_edges_from((names[u], names[v], held) for (u, v), held in zip(pairs, data))
        return g

    def to_igraph(self, weight: str | None = "weight") -> igraph.Graph:
        """This graph as a graph of python-igraph.

        Parameters
        ----------
        weight : str, optional
            The edge attribute for the weights. With None, or if the graph has no weights, edges
            have no attribute.

        Returns
        -------
        igraph.Graph
            The vertices are 0 to n - 1, and weights are Python's numbers: truth values are 0 and 1,
            because igraph takes no others as weights. Labels become the vertex attribute "name", by
            which igraph finds vertices if they are strings. Columns of `vertex_data` and
            `edge_data` become attributes, and so do those of `graph_data` whose names are strings.

        Raises
        ------
        MissingPackage
            python-igraph cannot be imported.
        WrongType
            `weight` is not a name.

        Notes
        -----
        O(n + m), in objects of Python on the host. The call waits for the device.
        """
        library = required("igraph", "a graph of igraph", "igraph", "take .edges()")
        pairs, weights = self._listed(weight)
        held = {name: column.tolist() for name, column in self.edge_data.items()}
        names = {name: column.tolist() for name, column in self.vertex_data.items()}
        if weights is not None:
            held[str(weight)] = [*map(int, weights)] if self.A.dtype.kind == "b" else weights
        if self.labels is not None:
            names["name"] = self.labels.tolist()
        whole = {name: value for name, value in self.graph_data.items() if isinstance(name, str)}
        return library.Graph(
            n=self.n, edges=pairs, directed=self.directed, edge_attrs=held, vertex_attrs=names,
            graph_attrs=whole,
        )  # fmt: skip

    def _listed(self, weight: str | None) -> tuple[list[tuple[int, int]], list[Any] | None]:
        """The edges as pairs, and their weights where there are some."""
        expect_kind(weight, str | None, "the name of an edge attribute as weight, or None")
        source, target, value = (part.tolist() for part in self.edges())
        return list(zip(source, target)), value if weight is not None and self.weighted else None

    @overload
    def to_edge_index(
        self, *, weight: Literal[False] = False, torch: Literal[False] = False
    ) -> np.ndarray: ...
    @overload
    def to_edge_index(
        self, *, weight: Literal[True], torch: Literal[False] = False
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def to_edge_index(self, *, weight: bool = False, torch: bool = False) -> Any: ...
    def to_edge_index(self, *, weight: bool = False, torch: bool = False) -> Any:
        """The ends of the edges in two rows, as PyTorch Geometric and DGL take them.

        Parameters
        ----------
        weight : bool, optional
            Whether to return the weights as well.
        torch : bool, optional
            Whether to return tensors of PyTorch, on the device of the graph. By default NumPy
            arrays.

        Returns
        -------
        edge_index : array or tensor of shape (2, edges)
            The sources and the targets (INT64), by increasing source and then target. An undirected
            edge is listed in both directions, as these libraries expect, and a loop once.
        edge_weight : array or tensor
            With `weight=True`: the weights in the same order. A tensor may share the memory of the
            graph, so do not write to it.

        Raises
        ------
        MissingPackage
            PyTorch is asked for and cannot be imported.

        Notes
        -----
        O(m). The call waits for the device. Tensors of a graph on a GPU are made there, through
        DLPack.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 2], [1, 2], [5, 7], directed=False, backend="cpu")
        >>> G.to_edge_index().tolist()
        [[0, 1, 2], [1, 0, 2]]
        >>> G.to_edge_index(weight=True)[1].tolist()
        [5, 5, 7]
        """
        weight = expect_flag(weight, "weight")
        library: Any = np
        if expect_flag(torch, "torch"):
            library = required("torch", "tensors of PyTorch", "torch", "leave out torch=True")
        self.expect_sound()
        parts = entries(self.A, device=library is not np)
        if library is not np:
            parts = tuple(library.from_dlpack(part) for part in parts)  # type: ignore[assignment]
        index = library.stack(parts[:2])
        return (index, parts[2]) if weight else index


def entries(A: Matrix, device: bool) -> tuple[Any, Any, Any]:
    """The row (INT64), the column (INT64) and the value of each entry, by row and column."""
    if not device:
        return A.to_coo()
    row, column = (A.apply(name).new("INT64") for name in ("rowindex", "colindex"))
    return tuple(part.to_csr(device=True)[2] for part in (row, column, A))  # type: ignore[return-value]


def degrees(G: Graph) -> Vector:
    """The number of ends of edges at each vertex, for a graph to keep."""
    whole = edge_ends(G)
    whole._kept_as = "G.degree()"
    return whole


def ends_at(G: Graph, v: int) -> int:
    """The number of ends of edges at a vertex, without a vector that has an entry everywhere."""
    loops = 0 if G.A.get(v, v) is None else 1
    return int(G.out_degree.get(v, 0) + (G.in_degree.get(v, 0) if G.directed else loops))


@operation
def edge_ends(G: Graph) -> Vector:
    """The number of ends of edges at each vertex (INT64), with an entry everywhere."""
    loops = G.A.select("diag").new().apply("one").new("INT64").diag()
    whole = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    for ends in (G.out_degree, G.in_degree if G.directed else loops):
        whole(BINARY["plus"]) << ends
    return whole
