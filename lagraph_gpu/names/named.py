"""The methods of `Graph` that name vertices, and that keep data about vertices and edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    brief,
)
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names.attributes import Attributes
from lagraph_gpu.names.folding import Edges, folded
from lagraph_gpu.names.labels import Labels
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag, expect_kind, is_integer

if TYPE_CHECKING:
    from pandas import Series  # where pandas is not installed, checkers take it for Any

Ends = tuple[np.ndarray, np.ndarray]


@guard_methods
class Named:
    """What a graph knows beside its matrix: labels of vertices, and columns of data."""

    A: Matrix
    directed: bool
    _labels: Labels | None = None
    _vertex_data: Attributes | None = None
    _edge_data: tuple[Attributes, Any, np.ndarray] | None = None
    _graph_data: dict[Any, Any] | None = None
    _given_weights: bool | None
    """Whether the graph was made with weights, or None where its values are to say so."""

    if TYPE_CHECKING:

        @property
        def n(self) -> int: ...
        @property
        def weighted(self) -> bool: ...
        def vertex(self, v: Any, what: str = "vertex") -> int: ...

    # --- labels ------------------------------------------------------------------------------
    @property
    def labels(self) -> np.ndarray | None:
        """The label of each vertex, by position; None if vertices are only counted.

        The array holds integers (INT64) or objects, and cannot be written to. Assign a list or an
        array of n different labels of one type to name the vertices, or None to take the labels
        away. Where a graph has labels, a vertex that is given to a method or an algorithm is always
        a label, and `position` and `label` translate. Results are by position; `named` reads them.
        """
        return None if self._labels is None else self._labels.array

    @labels.setter
    def labels(self, given: Any) -> None:
        labels = None if given is None else Labels.of(given)
        if labels is not None and labels.n != self.n:
            raise DimensionMismatch(f"expected {self.n} labels, one a vertex, got {labels.n}")
        self._labels = labels

    @overload
    def position(self, label: list[Any] | np.ndarray) -> np.ndarray: ...
    @overload
    def position(self, label: Any) -> int: ...
    def position(self, label: Any) -> Any:
        """The position of a vertex, from 0 to n - 1, by its label.

        Parameters
        ----------
        label : label, or list, array or column of labels
            The label of a vertex, or several. A graph without labels takes positions.

        Returns
        -------
        int or array of INT64
            The position; for a list or an array an array of positions.

        Raises
        ------
        IndexOutOfBound
            No vertex has the label.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend="cpu")
        >>> G.position("Bob"), G.position(["Cid", "Ann"]).tolist()
        (1, [2, 0])
        """
        if not several(label):
            return self.vertex(label)
        if self._labels is not None:
            return self._labels.positions(label, "labels")
        return np.array([self.vertex(v) for v in label], np.int64)

    @overload
    def label(self, position: list[Any] | np.ndarray | Vector) -> list[Any]: ...
    @overload
    def label(self, position: Any) -> Any: ...
    def label(self, position: Any) -> Any:
        """The label of a vertex by its position, from 0 to n - 1.

        Parameters
        ----------
        position : int, or list, array, column or Vector of integers
            The position of a vertex, or several: a path, or the order of a topological sort. A
            vector is read in the order of its indices.

        Returns
        -------
        label or list of labels
            The label; for several positions a list of labels. The labels of a graph without labels
            are the positions.

        Raises
        ------
        IndexOutOfBound
            A position is not an integer from 0 to n - 1.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend="cpu")
        >>> length, path = lg.shortest_path_between(G, "Ann", "Cid")
        >>> path, G.label(path), G.label(2)
        ([0, 1, 2], ['Ann', 'Bob', 'Cid'], 'Cid')
        >>> G.label(lg.topological_sort(G))
        ['Ann', 'Bob', 'Cid']
        """
        if isinstance(position, Vector):
            whole = position.to_coo()[1]
            if whole.dtype.kind not in "iu":
                raise IndexOutOfBound(
                    f"expected a Vector of positions, which are integers, got {position.dtype}; "
                    "G.named(v) names the entries of a vector over the vertices"
                )
            position = whole
        if not several(position):
            return self.label([position])[0]
        for at in position if isinstance(position, list) else as_numpy(position).tolist():
            if not is_integer(at) or not 0 <= at < self.n:
                raise IndexOutOfBound(
                    f"expected a position below n = {self.n} as an integer, got {brief(at)}"
                )
        places = as_numpy(position).astype(np.int64)
        return (places if self._labels is None else self._labels.array[places]).tolist()

    @overload
    def named(self, result: Vector, values: bool = ...) -> Series: ...
    @overload
    def named(
        self, result: tuple[Vector, Vector], values: bool | tuple[bool, bool] = ...
    ) -> tuple[Series, Series]: ...
    @overload
    def named(
        self, result: tuple[Vector, ...], values: bool | tuple[bool, ...] = ...
    ) -> tuple[Series, ...]: ...
    def named(self, result: Any, values: Any = False) -> Any:
        """A result by label: a pandas Series if pandas is installed, else a dict.

        Parameters
        ----------
        result : Vector or tuple of Vectors
            Vectors over the vertices, with a value for each, such as algorithms return. A list of
            vertices in some order, as `topological_sort` gives it, is for `label`.
        values : bool or tuple of bools, optional
            Whether the values are vertices too, such as parents or components, and are to be named
            as well. A tuple says it for each vector of a tuple.

        Returns
        -------
        Series or dict
            The value at each label, for the vertices that have an entry; of a tuple a tuple. A
            graph without labels is read by position.

        Raises
        ------
        WrongType
            The result is not a vector or a tuple of vectors.
        DimensionMismatch
            A vector does not have size n.
        IndexOutOfBound
            Values are to be named, and one of them is not a vertex.

        Notes
        -----
        O(n), on the host.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], [5, 2], backend="cpu")
        >>> distance, parent = G.named(lg.sssp(G, "Ann"), values=(False, True))
        >>> dict(distance.items()), dict(parent.items())
        ({'Ann': 0, 'Bob': 5, 'Cid': 7}, {'Ann': 'Ann', 'Bob': 'Ann', 'Cid': 'Bob'})
        """
        if isinstance(result, tuple):
            which = values if isinstance(values, tuple) else (values,) * len(result)
            if len(which) != len(result):
                raise DimensionMismatch(
                    f"expected values= for each of {len(result)} vectors, got {len(which)}"
                )
            return tuple(self.named(*pair) for pair in zip(result, which, strict=True))
        expect_kind(result, Vector, "a Vector over the vertices, or a tuple of them (G.label names "
                    "vertices in a list, G.named(M[0, :].new()) a row of a matrix)")  # fmt: skip
        if result.size != self.n:
            raise DimensionMismatch(f"expected a vector over {self.n} vertices, got {result.size}")
        index, found = result.to_coo()
        names = index if self._labels is None else self._labels.array[index]
        if expect_flag(values, "values"):
            whole = found.dtype.kind in "iu"
            if not whole or found.min(initial=0) < 0 or found.max(initial=-1) >= self.n:
                raise IndexOutOfBound(
                    f"expected values that are vertices, 0 to {self.n - 1}, got "
                    f"{found.dtype} values {found[:3].tolist()}; leave values= out, or say "
                    "of each of several vectors whether it holds vertices, values=(False, True)"
                )
            found = found if self._labels is None else self._labels.array[found]
        try:
            import pandas as pd
        except ImportError:
            return dict(zip(names.tolist(), found.tolist(), strict=True))
        return pd.Series(found, index=pd.Index(names, tupleize_cols=False))

    # --- data --------------------------------------------------------------------------------
    @property
    def vertex_data(self) -> Attributes:
        """Columns of data about the vertices: a dict of NumPy arrays.

        `G.vertex_data["age"] = ages` takes n values by position, such as a vector of results, or by
        label where the graph has labels and `ages` is a dict or a Series of pandas. Graphs that are
        made of this one have the columns of their vertices. Vertices that come to it, and positions
        of a vector without an entry, have None.
        """
        if self._vertex_data is None:
            self._vertex_data = Attributes(self.n, "vertices")
        self._vertex_data.labels = self._labels
        return self._vertex_data

    @property
    def edge_data(self) -> Attributes:
        """Columns of data about the edges: a dict of NumPy arrays.

        A column has one value for each edge, in the order of the rows of `A` and of the columns in
        a row, which is that of `edges()`; an undirected edge counts once. After edges of `A` were
        added or removed the columns fit no longer, and `InvalidValue` is raised.

        Graphs that are made of this one have the columns of their edges. Where edges become one,
        with `dup=` or in `union`, `add_edges` and `to_undirected`, the one has the data of the edge
        whose weight it has: with "min" of the lightest, with "last" of the last, otherwise of the
        first; and what that has no value for, of the other. Columns `count` that hold integers are
        added up. Edges without a value have None.
        """
        store = self.A._store
        if self._edge_data is None or self._edge_data[1] is not store:
            keys, held = edge_keys(self), self._edge_data
            same = held is not None and np.array_equal(held[2], keys)
            if held is not None and held[0] and not same:
                raise InvalidValue(
                    "expected the edges to be those that G.edge_data was filled for, got others, "
                    "because G.A was written to; make a graph of it, lg.Graph(G.A), and give it "
                    "the columns again"
                )
            kept = held[0] if held is not None and same else Attributes(keys.size, "edges")
            self._edge_data = kept, store, keys
        return self._edge_data[0]

    @property
    def graph_data(self) -> dict[Any, Any]:
        """Data about the graph as a whole: a dict, which is `g.graph` of a graph of NetworkX.

        Graphs that are made of this one have a copy of it. In `union` this graph's data come first,
        or with `dup="last"` the other one's. `G.save` keeps what is named by strings and holds
        numbers, strings, dates, None, or tuples, lists or dicts of these, and warns of the rest. No
        other format of files keeps it.
        """
        if self._graph_data is None:
            self._graph_data = {}
        return self._graph_data

    # --- derived graphs and pickles ----------------------------------------------------------
    def _like(
        self, G: Named, order: Vector | np.ndarray | None = None, edges: bool = True,
        turned: bool = False,
    ) -> Self:  # fmt: skip
        """This graph with what G knows of its vertices, and of its edges if they are edges of G.

        Vertex i is vertex `order[i]` of G, or vertex i. With `turned` G has the edges the other way
        round. It has weights if G has some, unless it was said already whether it has.
        """
        if self._given_weights is None:  # other edges may have come together, and their weights too
            self._given_weights = G.weighted or (False if edges else None)
        if G._graph_data:
            self._graph_data = {**G._graph_data}
        if not (G._labels or G._vertex_data or G._edge_data):
            return self
        order = order.to_dense() if isinstance(order, Vector) else order
        if G._labels is not None:
            self._labels = G._labels if order is None else G._labels.take(order)
        if G._vertex_data and self.n <= G.n:
            self._vertex_data = G._vertex_data.take(np.arange(self.n) if order is None else order)
        if edges and G._edge_data and G.edge_data:
            if G.directed is not self.directed:
                return self._fold(G._both_ways(), "first")
            u, v = ends_of(self)
            u, v = (u, v) if order is None else (order[u], order[v])
            key = keys_of(v, u, G.n, G.directed) if turned else keys_of(u, v, G.n, G.directed)
            place = np.searchsorted(edge_keys(G), key)
            self._edge_data = G.edge_data.take(place), self.A._store, edge_keys(self)
        return self

    def _fold(self, given: Sequence[Edges], dup: str) -> Self:
        """This graph with the data of the edges that became its edges."""
        if any(edges.columns for edges in given):
            self.edge_data.update(folded(given, dup, edge_keys(self)))
        return self

    def _as_edges(self, n: int, directed: bool, place: np.ndarray | None = None) -> Edges:
        """The edges and their data, with keys for a graph of n vertices.

        Vertex i of this graph is vertex `place[i]` of that one, or vertex i.
        """
        data = self.edge_data if self._edge_data else {}
        u, v = ends_of(self)
        u, v = (u, v) if place is None else (place[u], place[v])
        return Edges(keys_of(u, v, n, directed), weights_of(self), data)

    def _as_vertices(self, place: np.ndarray | None = None) -> Edges:
        """The vertices and their data, to be folded as edges are: their positions are the keys."""
        position = np.arange(self.n) if place is None else place
        return Edges(position, np.zeros(self.n), self._vertex_data or {})

    def _both_ways(self) -> list[Edges]:
        """The edges to a larger id, and those to a smaller one, as undirected edges."""
        keys, weights, data = self._as_edges(self.n, False)
        u, v = ends_of(self)
        return [
            Edges(keys[way], weights[way], {name: column[way] for name, column in data.items()})
            for way in (u <= v, u > v)
        ]

    def _known(self) -> tuple[Any, ...]:
        """Labels and data for a pickle."""
        data = self.edge_data if self._edge_data else None
        return self._labels, self._vertex_data, data, self._graph_data

    def _know(
        self, labels: Any = None, vertex_data: Any = None, edge_data: Any = None,
        graph_data: Any = None,
    ) -> None:  # fmt: skip
        self._labels, self._vertex_data, self._graph_data = labels, vertex_data, graph_data
        held = edge_data or None  # columns that were looked at, and are none
        self._edge_data = held and (held, self.A._store, edge_keys(self))


def several(given: Any) -> bool:
    """Whether these are several labels or positions: a list, an array that has an axis, or a
    column of a data frame."""
    if isinstance(given, np.ndarray):
        return given.ndim > 0
    return isinstance(given, list) or (hasattr(given, "to_numpy") and hasattr(given, "__len__"))


def ends_of(G: Named) -> Ends:
    """The ends of the edges in the order of `edge_data`."""
    source, target, _ = G.A.to_coo()
    if not G.directed:
        once = source <= target
        source, target = source[once], target[once]
    return source, target


def weights_of(G: Named) -> np.ndarray:
    """The weights of the edges in the order of `edge_data`."""
    source, target, weight = G.A.to_coo()
    return weight if G.directed else weight[source <= target]


def keys_of(source: np.ndarray, target: np.ndarray, n: int, directed: bool) -> np.ndarray:
    """A number for each edge, u·n + v; for an undirected edge that of u ≤ v."""
    if not directed:
        source, target = np.minimum(source, target), np.maximum(source, target)
    return source.astype(np.int64) * max(n, 1) + target


def edge_keys(G: Named) -> np.ndarray:
    return keys_of(*ends_of(G), G.n, G.directed)


def given_twice(
    labels: Labels, source: np.ndarray, target: np.ndarray, directed: bool
) -> DuplicateEdges:
    """The error for an edge that is given more than once."""
    u, v = labels.array[list(again(source, target, directed))].tolist()
    return DuplicateEdges(
        f"expected each edge once, got the edge {u!r} → {v!r} more than once; "
        "say what that means with dup='min', 'sum', 'first' or 'last'"
    )


def again(source: np.ndarray, target: np.ndarray, directed: bool) -> tuple[int, int]:
    """The ends of an edge that is given more than once."""
    n = int(max(source.max(initial=0), target.max(initial=0))) + 1
    _, first, count = np.unique(
        keys_of(source, target, n, directed), return_index=True, return_counts=True
    )
    row = first[np.argmax(count > 1)]
    return int(source[row]), int(target[row])
