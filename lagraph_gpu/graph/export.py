"""What a graph gives to other libraries: pictures, sparse matrices, tables, graphs and tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from lagraph_gpu.convert.interchange import pandas
from lagraph_gpu.convert.options import SparseFormat
from lagraph_gpu.errors import InvalidValue, brief, required
from lagraph_gpu.graph.queries import GraphQueries, entries
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names.attributes import records_of
from lagraph_gpu.notation.checks import expect_flag, expect_kind

if TYPE_CHECKING:
    import igraph
    import networkx
    from matplotlib.axes import Axes
    from pandas import DataFrame
    from scipy.sparse import csr_array

    from lagraph_gpu.graph import Graph


@guard_methods
class GraphExport(GraphQueries):
    """The methods that give a graph to other libraries."""

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
