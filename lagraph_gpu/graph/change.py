"""The graphs with more edges than a graph, or fewer: unions, edges added and removed.

Edges are added by an accumulating assignment of the matrix of the new edges, and removed by an
assignment whose mask is the complement of their pattern, where the graph is stored. The host sees
the new edges alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer, is_list
from lagraph_gpu.convert.edge_list import check_vertices
from lagraph_gpu.convert.edges import expect_known
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.convert.values import on_host
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    brief,
)
from lagraph_gpu.graph.derived import GraphDerived
from lagraph_gpu.graph.joined import grown, joined
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names.attributes import as_column
from lagraph_gpu.names.folding import COUNT, Edges, folded
from lagraph_gpu.names.labels import Labels, numbered, plain_ids
from lagraph_gpu.names.named import given_twice, keys_of
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_kind, value_type

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend, BackendName
    from lagraph_gpu.graph import Graph


@guard_methods
class GraphChange(GraphDerived):
    """The methods that add edges to a graph, or remove some."""

    if TYPE_CHECKING:

        @classmethod
        def from_edges(
            cls,
            src: Any,
            dst: Any,
            weight: Any = None,
            n: int | None = None,
            directed: bool = True,
            dup: Dup = "error",
            *,
            labels: Any = False,
            backend: BackendName | Backend | None = None,
        ) -> Graph: ...

    def union(self, H: Graph, dup: Dup = "error") -> Graph:
        """The edges of this graph and of another one.

        Parameters
        ----------
        H : Graph
            A graph with the same kind of edges. If both graphs have labels, vertices with the same
            label are one. If neither has, vertex i of H is vertex i of this graph.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What the weight is of an edge that both graphs have: with "error" their weight, which
            must be the same; else the smaller one, the sum, that of this graph or that of H.

        Returns
        -------
        Graph
            The union: the vertices of this graph at their positions, and then those that H alone
            has, in the order of H. The weights have the common type of the two, as NumPy promotes
            types. Edges keep their data; an edge that both have has that of the one whose weight it
            has (see `edge_data`). A vertex that both have has the data of this graph, or with
            `dup="last"` that of H; where that is missing or None, the value of the other one; so
            have `graph_data`.

        Raises
        ------
        DuplicateEdges
            An edge has different weights, and `dup` is "error".
        InvalidValue
            One graph is directed and the other is not, one has labels and the other has none, their
            labels are of different types, `dup` is unknown, or a weight does not fit the common
            type.
        BackendMismatch
            The graphs are on different backends.
        WrongType
            H is not a graph.

        Notes
        -----
        O(n + m) for the edges of both, where the graphs are stored. Labels in another order add
        O(n) on the host, and a permutation of the matrix of H. NetworkX calls `compose(G, H)` what
        is `G.union(H, "last")` here.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0], [1], [5], backend="cpu")
        >>> H = lg.Graph.from_edges([0, 1], [1, 2], [3, 4], backend="cpu")
        >>> [part.tolist() for part in G.union(H, "min").edges()]
        [[0, 1], [1, 2], [3, 4]]
        >>> trains = lg.Graph.from_edges(["Bonn"], ["Köln"], [27], backend="cpu")
        >>> south = lg.Graph.from_edges(["Bonn"], ["Trier"], [140], backend="cpu")
        >>> trains.union(south)
        Graph: 3 vertices, 2 edges, directed, weights INT64, labels, cpu
        source  target  weight
          Bonn    Köln      27
          Bonn   Trier     140
        """
        expect_known(dup)
        expect_kind(H, GraphChange, "a lagraph_gpu.Graph to unite with")
        if H.directed != self.directed:
            raise InvalidValue(
                "expected two directed or two undirected graphs, got one of each; "
                "take to_undirected() of the directed one"
            )
        labels, place, others = self._labels, None, H._labels
        if (labels is None) is not (others is None):  # a graph without vertices may be either
            labels = Labels.of([]) if labels is None and not self.n else labels
            others = Labels.of([]) if others is None and not H.n else others
        if (labels is None) is not (others is None):
            raise InvalidValue(
                "expected two graphs with labels or two without, got one of each; assign labels "
                "to the other one, H.labels = […], or take them away, G.labels = None"
            )
        if labels is not None and others is not None and not same_labels(self, H):
            if (label := labels.stranger(others)) is not None:
                raise InvalidValue(
                    f"expected the labels of both graphs to be of one type, got {brief(label)} "
                    f"beside {labels.kinds[0].__name__}; make them so, for example with "
                    "H.labels = [str(label) for label in H.labels]"
                )
            labels, place = labels.extended(others)
        n = max(self.n, H.n) if labels is None else labels.n
        return self._joined(H, n, dup, H.weighted or None, labels, place)

    def add_edges(
        self,
        src: Any,
        dst: Any,
        weight: Any = None,
        n: int | None = None,
        dup: Dup = "error",
        *,
        edge_data: Mapping[str, Any] | None = None,
    ) -> Graph:
        """This graph with more edges, as a new graph.

        Parameters
        ----------
        src, dst : array of integers, or list or array of labels
            The two ends of each new edge, as for `Graph.from_edges`. Where the graph has labels,
            ends are labels, and a label that no vertex has adds a vertex.
        weight : array or number, optional
            The weight of each new edge, or one weight for all of them. By default 1.
        n : int, optional
            The number of vertices of the new graph. By default that of this graph. Where it has
            labels, the new labels say it.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What to do if an edge is there already: with "error" it must have the same weight; else
            it gets the smaller weight, the sum, keeps its weight ("first") or gets the new one
            ("last"). The same word says what to do if a new edge is given twice, which "error"
            refuses.
        edge_data : dict, optional
            Columns of data about the new edges by name: a value for each of them, or one value for
            all.

        Returns
        -------
        Graph
            The new graph. This graph is unchanged, and its vertices keep their positions; new ones
            come after them, in the order in which `Graph.from_edges` would number their labels. The
            weights have the common type of the old and the new ones, as NumPy promotes types; a
            number of Python takes the type of this graph if that can hold it. Vertices and edges
            keep their data. New ones have None in columns of `vertex_data` and `edge_data` that
            they bring no value for; an edge that was there has the data of the one whose weight it
            has.

        Raises
        ------
        IndexOutOfBound
            An id is negative, or not a vertex of the graph; `n` makes room for more. Or a label is
            of another type than those of the graph.
        DuplicateEdges
            An edge is given twice or has another weight already, and `dup` is "error".
        DimensionMismatch
            The arrays, or the columns of `edge_data`, have different lengths.
        WrongType
            `edge_data` is not a dict, or one of its names is not a string.
        InvalidValue
            A weight is not finite or does not fit the common type, `n` is smaller than the number
            of vertices or given beside labels, a label is None or NaN, or `dup` is unknown.

        Notes
        -----
        O(k log k) for k new edges on the host, and O(n + m) where the graph is stored: an
        accumulating assignment. New vertices of a graph that has `ids` get ids above all earlier
        ones.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend="cpu")
        >>> [part.tolist() for part in G.add_edges([0, 2], [1, 3], [1, 8], n=4, dup="sum").edges()]
        [[0, 1, 2], [1, 2, 3], [6, 6, 8]]
        >>> trains = lg.Graph.from_edges(["Bonn"], ["Köln"], [27], backend="cpu")
        >>> more = trains.add_edges(["Aachen"], ["Köln"], 70, edge_data={"line": "RE 1"})
        >>> more.labels.tolist(), more.edge_data["line"].tolist()
        (['Bonn', 'Köln', 'Aachen'], [None, 'RE 1'])
        """
        expect_known(dup)
        columns = {} if edge_data is None else edge_data
        expect_kind(columns, Mapping, "edge_data as a dict of columns by name")
        if n is not None and self._labels is not None:
            raise InvalidValue(
                f"expected no n beside labels, got {brief(n)}; new labels bring their vertices: "
                "leave n out, or take the labels away with G.labels = None"
            )
        labels = self._labels
        if labels is None and not self.n and n is None and plain_ids(src, dst) is None:
            labels = Labels.of([])  # the first names of a graph that has no vertices yet
        if labels is None:
            src, dst = expect_ids(src, dst)
        else:
            named, *ends = numbered(src, dst, True, mixed=len(labels.kinds) > 1)
            if (label := labels.stranger(named)) is not None:
                labels.position(label, "vertex in src and dst")
            labels, place = labels.extended(named)
            src, dst = (place[end] for end in ends)
        most = self.A.backend.large_graphs
        size = labels.n if labels is not None else self.n if n is None else check_vertices(n, most)
        weighted = True if weight is not None else None
        if weight is None:
            weight = self.A.dtype.type(1)
        elif isinstance(weight, (int, float)):
            weight = np.asarray(weight, value_type(weight, self.A.dtype, compared=True))
        try:
            new = self._batch(src, dst, weight, max(size, self.n), dup, labels)
            self._describe_new(new, src, dst, weight, columns, dup)
        except IndexOutOfBound as outside:
            more = f"the graph has {self.n} vertices, and n=… makes room for more"
            raise IndexOutOfBound(f"{outside}; {more}") from None
        return self._joined(new, size, dup, weighted, labels)

    def remove_edges(self, src: Any, dst: Any) -> Graph:
        """This graph without some edges, as a new graph.

        Parameters
        ----------
        src, dst : array of integers, or list or array of labels
            The two ends of each edge to remove, in either direction if the graph is undirected.
            Edges that are not there, and edges given twice, are no error.

        Returns
        -------
        Graph
            The new graph, on the same vertices. This graph is unchanged.

        Raises
        ------
        IndexOutOfBound
            An id is not a vertex of the graph.
        DimensionMismatch
            The arrays have different lengths.

        Notes
        -----
        O(k log k) for k edges on the host, and O(n + m) where the graph is stored: an assignment
        under a complemented mask.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
        >>> [part.tolist() for part in G.remove_edges([1], [0]).edges()]
        [[1], [2], [1]]
        """
        self.expect_sound()
        gone = self._batch(*self._ends(src, dst), None, self.n, "first").A
        left = Matrix(self.A.dtype, self.n, self.n, backend=self.A.backend)
        left(~gone.S) << self.A
        return self._derived(left, self.directed, self.ids, self.original_n)

    # --- what they share ---------------------------------------------------------------------
    def _batch(
        self, src: Any, dst: Any, weight: Any, n: int, dup: Dup, labels: Labels | None = None
    ) -> Graph:
        """Edges by position as a graph like this one. `labels` are those of its vertices."""
        try:
            return self.from_edges(src, dst, weight, n, self.directed, dup, backend=self.A.backend)
        except DuplicateEdges:
            if labels is None:
                raise
            raise given_twice(labels, src, dst, self.directed) from None

    def _describe_new(
        self, new: Graph, src: Any, dst: Any, weight: Any, given: Mapping[str, Any], dup: Dup
    ) -> None:
        """Give new edges, which are a graph, the columns that came with them, and a count if this
        graph counts its edges."""
        count = self.edge_data.get(COUNT) if self._edge_data else None
        counts = COUNT not in given and count is not None and count.dtype.kind in "iu"
        if not given and not counts:
            return  # and the edges may be on a device
        src, dst, weight = on_host(src), on_host(dst), on_host(weight)
        columns = {name: column_for(src.size, name, values) for name, values in given.items()}
        if counts:
            columns[COUNT] = np.ones(src.size, np.int64)
        keys = keys_of(src, dst, new.n, self.directed)
        new._fold([Edges(keys, np.broadcast_to(weight, src.shape), columns)], dup)

    def _ends(self, src: Any, dst: Any) -> tuple[Any, Any]:
        """The ends of edges that a user gives, by position."""
        if self._labels is None:
            return expect_ids(src, dst)
        return self._labels.positions(src, "src"), self._labels.positions(dst, "dst")

    def _joined(
        self, H: GraphDerived, n: int, dup: Dup, weighted: bool | None,
        labels: Labels | None = None, place: np.ndarray | None = None,
    ) -> Graph:  # fmt: skip
        """The edges of both on n vertices, which have these labels.

        `weighted` says that the edges of H have weights, and `place` at which positions its
        vertices are, if not at the same ones.
        """
        for G in (self, H):
            G.expect_sound()
        if n < self.n:
            raise InvalidValue(
                f"expected n of at least {self.n}, the number of vertices, got {n}; "
                "subgraph leaves vertices out"
            )
        B = grown(H.A, n)
        if place is not None:
            order = np.argsort(np.append(place, np.setdiff1d(np.arange(n), place)))
            B = B[order, order].new()
        A = joined(grown(self.A, n), B, dup, self.label)
        ids, added = self.ids, n - self.n
        if ids is not None and added:
            new = self.original_n + np.arange(added)
            ids = Vector.from_dense(np.r_[ids.to_dense(), new], backend=A.backend)
        made = self._derived(
            A, self.directed, ids, self.original_n + added, edges=False, weighted=weighted
        )
        made._labels = labels
        if H._graph_data:
            ours = made.graph_data
            made._graph_data = ours | H._graph_data if dup == "last" else H._graph_data | ours
        places: tuple[np.ndarray | None, ...] = None, place
        if self._edge_data or H._edge_data:
            made._fold([G._as_edges(n, self.directed, at) for G, at in zip((self, H), places)], dup)
        made._vertex_data = None
        if self._vertex_data or H._vertex_data:
            given = [G._as_vertices(at) for G, at in zip((self, H), places)]
            made.vertex_data.update(folded(given, dup, np.arange(n), counts=False))
        return made


def column_for(count: int, name: Any, values: Any) -> np.ndarray:
    """Values for so many edges as a column: as many as given, or one for all."""
    if isinstance(values, Vector) or is_list(values):
        column = as_column(values)
    else:
        column = as_column([values] * count)
    if column.shape != (count,):
        raise DimensionMismatch(
            f"expected {name!r} with one value for each of {count} new edges, got shape "
            f"{column.shape}"
        )
    return column


def expect_ids(src: Any, dst: Any) -> tuple[Any, Any]:
    """The ends of edges of a graph without labels. Raises InvalidValue if some are names."""
    ends = plain_ids(src, dst)
    if ends is None:
        some = next((x for x in [*src, *dst] if not is_integer(x)), src)
        raise InvalidValue(
            f"expected the ends as ids, because the graph has no labels, got {brief(some)}; "
            "G.labels = […] names its vertices"
        )
    return ends[0], ends[1]


def same_labels(G: GraphDerived, H: GraphDerived) -> bool:
    """Whether both graphs have no labels, or the same ones at the same positions."""
    if G.labels is None or H.labels is None:
        return G.labels is H.labels
    return np.array_equal(G.labels, H.labels)
