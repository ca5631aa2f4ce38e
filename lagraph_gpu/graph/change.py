"""The graphs that are made of a graph: parts of it, its reverse, unions, edges added and removed.

Each is a few statements over the adjacency matrix, where that is stored; the given graph stays as
it is. Edges are added by an accumulating assignment of the matrix of the new edges, and removed by
an assignment whose mask is the complement of their pattern. The host sees the new edges alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer, is_list
from lagraph_gpu.convert.build import on_host
from lagraph_gpu.convert.edge_list import check_vertices
from lagraph_gpu.convert.edges import FOLDS, expect_known
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    brief,
)
from lagraph_gpu.graph.export import GraphOut
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names.attributes import as_column
from lagraph_gpu.names.folding import COUNT, Edges, folded
from lagraph_gpu.names.labels import Labels, numbered, plain_ids
from lagraph_gpu.names.named import given_twice, keys_of
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_kind, value_type
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.matrix import symmetric, transposes
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, types
from semirings.types import BOOL

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend, BackendName
    from lagraph_gpu.graph import Graph

EXACT = 2**53
"""FP64 holds every integer up to this."""


@operation
def principal_submatrix(A: Matrix, chosen: np.ndarray) -> Matrix:
    """The rows and columns of a square matrix at these different ids (INT64), in their order."""
    return A[chosen, chosen].new()  # type: ignore[no-any-return]


@guard_methods
class GraphChange(GraphOut):
    """The methods that make another graph of a graph."""

    if TYPE_CHECKING:

        @classmethod
        def _checked(
            cls, A: Matrix, directed: bool, ids: Vector | None = None,
            original_n: int | None = None, weighted: bool | None = None,
        ) -> Graph: ...  # fmt: skip
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

    def _gathered_on(self, root: int, target: Backend) -> Graph | None:
        """This graph of the cluster on a backend of process `root`; None on others."""
        self.expect_sound()
        weighted, data = self.weighted, self.edge_data if self._edge_data else None  # all look
        A = self.A.to(target, root=root)
        ids = None if self.ids is None else self.ids.to(target, root=root)
        if A is None:
            return None
        made = self._checked(A, self.directed, ids, self.original_n, weighted)
        if data:
            made.edge_data.update(data)
        return made._like(self, edges=False)

    def subgraph(self, vertices: Iterable[int] | np.ndarray | Vector) -> Graph:
        """The subgraph of some vertices: all edges between two of them.

        Parameters
        ----------
        vertices : list, array or Vector
            Different vertices. Those of a vector are the positions of its entries. A vector of BOOL
            with a False is refused.

        Returns
        -------
        Graph
            Vertex i of it is the i-th of `vertices`. `ids` of the result holds them, so
            `H.to_original(v)` translates a vector over the subgraph into one over this graph, and
            `H.from_original(v)` the reverse. (Of a relabelled graph `ids` holds the ids before.)

        Raises
        ------
        IndexOutOfBound
            An id is not a vertex of the graph.
        InvalidValue
            A vertex is given twice, or an entry is False.
        WrongType
            The ids are not integers.

        Notes
        -----
        O(n) and the sum of the degrees of the vertices, O(k log k) for k of them on the host. The
        edges stay on the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 6, 7], backend="cpu")
        >>> H = G.subgraph([3, 1, 2])
        >>> [part.tolist() for part in H.edges()], H.ids.to_dense().tolist()
        ([[1, 2], [2, 0], [6, 7]], [3, 1, 2])
        >>> H.to_original(H.out_degree).to_dict()
        {1: 1, 2: 1}
        """
        from lagraph_gpu.algorithms._shared.labels import gather
        from lagraph_gpu.algorithms._shared.source_batches import vertex_ids

        self.expect_sound()
        expect_kind(vertices, Iterable, "the vertices of a subgraph as a list of ids")
        if isinstance(vertices, Vector):
            chosen, entry = vertices.to_coo()
            expect_positions(chosen, self.n)
            if vertices.dtype == BOOL and not entry.all():
                raise InvalidValue(
                    "expected a vector without False, for its entries are the vertices of the "
                    f"subgraph, got it at {brief(self.label(chosen[~entry])[0])}; take those that "
                    'are True: .select("valuene", False).new()'
                )
        else:
            chosen = vertex_ids(self, vertices, "vertices")  # type: ignore[arg-type]
            if distinct(chosen).size < chosen.size:
                again, count = np.unique(chosen, return_counts=True)
                raise InvalidValue(
                    f"expected different vertices, got {self.label(again[count > 1])[0]!r} more "
                    "than once; take numpy.unique of them"
                )
        A = principal_submatrix(self.A, chosen)
        ids = Vector.from_dense(chosen, backend=self.A.backend)
        ids = ids if self.ids is None else gather(self.ids, ids)
        return self._derived(A, self.directed, ids, self.original_n, order=chosen)

    def reverse(self) -> Graph:
        """The graph with each edge turned round.

        Returns
        -------
        Graph
            A directed graph on the same vertices. An undirected graph is its own reverse.

        Notes
        -----
        O(n + m), where the graph is stored. The two graphs know each other's matrix as their
        transpose, which no search computes again.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend="cpu")
        >>> [part.tolist() for part in G.reverse().edges()]
        [[1, 2], [0, 1], [5, 6]]
        """
        self.expect_sound()
        if not self.directed:
            return self  # type: ignore[return-value]
        _, A = transposes(self.A, self.A.T.new())
        return self._checked(A, True, self.ids, self.original_n)._like(self, turned=True)

    def to_undirected(self, dup: Dup = "error") -> Graph:
        """The undirected graph with the edges of this one.

        Parameters
        ----------
        dup : {"error", "min", "sum", "first", "last"}, optional
            What the weight is where there are edges in both directions: with "error" their weight,
            which must be the same; else the smaller one, the sum, or that of the edge from the
            smaller id to the larger ("first") or of the other one ("last").

        Returns
        -------
        Graph
            An undirected graph on the same vertices, with the data of the edges whose weights it
            has (see `edge_data`). An undirected graph is returned as it is.

        Raises
        ------
        DuplicateEdges
            Two opposite edges have different weights, and `dup` is "error".
        InvalidValue
            `dup` is unknown, or a sum does not fit the type of the weights.

        Notes
        -----
        O(n + m), where the graph is stored. A loop stays one edge, with its weight.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 0, 1], [5, 6, 7], backend="cpu")
        >>> [part.tolist() for part in G.to_undirected("sum").edges()]
        [[0, 1], [1, 2], [11, 7]]
        """
        expect_known(dup)
        self.expect_sound()
        if not self.directed:
            return self  # type: ignore[return-value]
        backward = self.A.select("tril", -1).new()
        half = joined(self.A.select("triu").new(), backward.T.new(), dup, self.label)
        A = half.ewise_add(half.T, "any").new(half.dtype)
        made = self._derived(A, False, self.ids, self.original_n, edges=False)
        if self._edge_data:
            made._fold(self._both_ways(), dup)
        return made

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
    def _derived(
        self, A: Matrix, directed: bool, ids: Vector | None, original_n: int,
        order: np.ndarray | None = None, edges: bool = True, weighted: bool | None = None,
    ) -> Graph:  # fmt: skip
        """A graph of a matrix, which is known to be symmetric if the graph is undirected.

        It keeps what is known of the vertices (vertex i was vertex `order[i]`), and of the edges if
        `edges` says that each is an edge of this graph. `weighted` says that it has weights in any
        case.
        """
        A = A if directed else symmetric(A)
        made = self._checked(A, directed, ids, original_n, weighted)
        return made._like(self, order, edges=edges)

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
        self, H: GraphOut, n: int, dup: Dup, weighted: bool | None,
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


def same_labels(G: GraphOut, H: GraphOut) -> bool:
    """Whether both graphs have no labels, or the same ones at the same positions."""
    if G.labels is None or H.labels is None:
        return G.labels is H.labels
    return np.array_equal(G.labels, H.labels)


def expect_positions(chosen: np.ndarray, n: int) -> None:
    """Raises IndexOutOfBound unless increasing positions are below n."""
    if chosen.size and chosen[-1] >= n:
        raise IndexOutOfBound(f"expected positions below n = {n} in a vector, got {chosen[-1]}")


def grown(A: Matrix, n: int) -> Matrix:
    """A square matrix with empty rows and columns added to it, up to n."""
    if A.nrows == n:
        return A
    larger = A.dup()
    larger.resize(n, n)
    return larger


def joined(A: Matrix, B: Matrix, dup: str, label: Callable[[int], Any]) -> Matrix:
    """The entries of either matrix; where both have one, `dup` says what becomes of them.

    The result is a new matrix in the common type of the two. `label` names a vertex in the error.
    """
    dtype = types.unify(A.dtype, B.dtype)
    A, B = whole(A, dtype), whole(B, dtype)
    if dup == "error":
        differ = A.ewise_mult(B, "ne").new("BOOL").select("==", True).new()
        if differ.nvals:
            u, v = (int(ends[0]) for ends in differ.to_coo()[:2])
            raise DuplicateEdges(
                f"expected one weight for each edge, got {A.get(u, v)} and {B.get(u, v)} for the "
                f"edge {brief(label(u))} → {brief(label(v))}; say what that means with dup='min', "
                "'sum', 'first' or 'last'"
            )
    either = A.dup()
    either(BINARY[FOLDS.get(dup, "first")]) << B
    if dup == "sum":
        refuse_wrapped(A, B, either)
    return either


def whole(A: Matrix, dtype: np.dtype) -> Matrix:
    """The matrix in a wider type, which must hold its values."""
    if A.dtype == dtype:
        return A
    if A.dtype.kind in "iu" and A.dtype.itemsize == 8 and dtype.kind == "f" and A.nvals:
        largest = max(abs(int(A.reduce(which).new().value)) for which in ("min", "max"))
        if largest > EXACT:
            raise InvalidValue(
                f"expected weights that fit {types.name(dtype)}, the common type of "
                f"{types.name(A.dtype)} and the other weights, got up to {largest}; "
                "give all weights in one type"
            )
    return A.dup(dtype)


def refuse_wrapped(A: Matrix, B: Matrix, total: Matrix) -> None:
    """Raises InvalidValue if a sum of two entries does not fit its type.

    Such a sum of floats is infinite. A sum of integers that wrapped around is wrong by the range of
    its type, while that of FP64 is right to a rounding.
    """
    if total.dtype.kind == "b":
        return
    right = A.dup("FP64").ewise_mult(B.dup("FP64"), "plus").new()
    sums = Matrix(total.dtype, *total.shape, backend=total.backend)
    sums(right.S) << total
    if total.dtype.kind in "iu":
        off = sums.dup("FP64").ewise_mult(right, "minus").new().apply("abs").new()
        wrong = (off.reduce("max").new().value or 0) > 2.0 ** (8 * total.dtype.itemsize - 1)
    else:
        ends = (sums.reduce(which).new().value for which in ("min", "max"))
        wrong = any(end is not None and not np.isfinite(end) for end in ends)
    if wrong:
        raise InvalidValue(
            f"expected the sums of edges given twice to fit {types.name(total.dtype)}, got one "
            "that does not; give weights of a wider type, or in a larger unit"
        )
