"""Graphs from edges: arrays, batches that come one after another, pairs and edge lists of files.

Each checks what is given, and leaves it to the backend to sort and join the edges where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.convert.edge_list import EdgeList, check_vertices, listed
from lagraph_gpu.convert.edges import OPPOSITES, once
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.errors import DimensionMismatch, DuplicateEdges, InvalidValue
from lagraph_gpu.graph.facts import is_symmetric
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.names.attributes import as_column
from lagraph_gpu.names.folding import COUNT, chosen
from lagraph_gpu.names.labels import Labels, numbered, plain_ids
from lagraph_gpu.names.named import Ends, Named, given_twice, keys_of
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_count, expect_flag
from lagraph_gpu.notation.coordinates import joined_batches, joined_edges
from lagraph_gpu.notation.matrix import symmetric


@guard_methods
@checked_methods
class GraphConstructors(Named):
    """The methods that make a graph of edges."""

    if TYPE_CHECKING:

        @classmethod
        def _checked(
            cls, A: Matrix, directed: bool, ids: Vector | None = None,
            original_n: int | None = None, weighted: bool | None = None,
        ) -> Self: ...  # fmt: skip
        def _knowing(self, **known: Any) -> Self: ...

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
    ) -> Self:
        """Make a graph from arrays of sources and targets.

        Parameters
        ----------
        src, dst : array of integers, or list or array of labels
            The two ends of each edge: ids that count from 0, or labels. For an undirected graph
            give each edge once, in either direction. An edge given in both directions is an edge
            given twice: see `dup`. Arrays on the GPU (from CuPy, PyTorch, …) make a graph of the
            GPU backend there.
        weight : array or number, optional
            The weight of each edge, or one weight for all edges. By default the graph has no
            weights.
        n : int, optional
            The number of vertices. By default the largest id plus one.
        directed : bool, optional
            Whether the edges have a direction.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What to do if an edge is given twice: raise an error, or take the smallest weight, the
            sum of the weights, or the first or last weight. With the weight 1 the sum is how often
            an edge is given.
        labels : bool or list, optional
            True takes integers as labels, so that they may be of any size, and the vertices are
            those that occur. A list gives the labels of all vertices in order, also of those
            without edges. Ends that are strings or tuples are always labels.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph with these edges. Vertices with labels are numbered by label, if labels are
            strings or numbers, and else as they first occur.

        Raises
        ------
        IndexOutOfBound
            An id is negative, or not below `n`, or a label is not in the list `labels`.
        DimensionMismatch
            The arrays have different lengths.
        DuplicateEdges
            An edge is given twice, and `dup` is "error".
        InvalidValue
            A weight is NaN or infinite, a label is None or NaN or given twice, labels are of
            different types, or `n` is given beside labels.
        TooLarge
            The graph does not fit into the memory of the host.

        Notes
        -----
        O(m log m) for m edges.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2.5, 0.5], backend="cpu")
        >>> G
        Graph: 3 vertices, 3 edges, directed, weights FP64, cpu
        source  target  weight
             0       1     1.5
             1       2     2.5
             2       0     0.5
        >>> H = lg.Graph.from_edges(["Bob", "Ann"], ["Cid", "Bob"], [2, 5], backend="cpu")
        >>> distance, parent = lg.sssp(H, "Ann")
        >>> dict(H.named(distance).items())
        {'Ann': 0, 'Bob': 5, 'Cid': 7}
        """
        directed, to = expect_flag(directed, "directed"), resolve(backend)
        n = None if n is None else check_vertices(n, to.large_graphs)
        named = not isinstance(labels, (bool, np.bool_)) or bool(labels)
        ends = None if named else plain_ids(src, dst)
        if ends is None:
            if n is not None:
                raise InvalidValue(
                    f"expected no n beside labels, got {n}; labels=[…] lists all vertices"
                )
            given = labels if named else True
            return cls._from_names(src, dst, weight, given, directed, dup, to)[0]
        source, target = ends
        store, shape, dtype = joined_edges(to, source, target, weight, n, directed, dup)
        A = Matrix._stored(store, shape, dtype, to)
        made = cls._checked(A, directed, weighted=made_with(weight is not None, dup))
        if dup == "error" and isinstance(source, np.ndarray):  # no edge is there twice
            return made._knowing(nedges=source.size)
        return made

    @classmethod
    def from_edge_batches(
        cls,
        batches: Any,
        n: int | None = None,
        directed: bool = True,
        dup: Dup = "error",
        *,
        buffer_bytes: int = 1 << 26,
        backend: BackendName | Backend | None = None,
    ) -> Self:
        """Make a graph from edges that come in batches, without a second copy of it in memory.

        Parameters
        ----------
        batches : list or function
            Batches (sources, targets) or (sources, targets, weights) of arrays, as for
            `Graph.from_edges`, as anything that can be gone over again and again: a list, an object
            with an `__iter__` of its own, or a function without arguments that returns an iterator.
            What can be gone over only once, as a generator, is copied to a temporary file first, in
            the folder that TMPDIR names.
        n : int, optional
            The number of vertices. By default the largest id plus one.
        directed : bool, optional
            Whether the edges have a direction.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What to do if an edge is given twice, as for `Graph.from_edges`.
        buffer_bytes : int, optional
            How much memory the sorting may take at least. Less means going over the batches more
            often. By default 64 MiB.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph that `Graph.from_edges` makes of all batches, one after another.

        Raises
        ------
        IndexOutOfBound
            An id is negative, or not below `n`.
        DimensionMismatch
            The arrays of a batch have different lengths.
        DuplicateEdges
            An edge is given twice, and `dup` is "error".
        InvalidValue
            A weight is NaN or infinite, only some batches have weights, or there are more or fewer
            edges when the batches are gone over again.
        TooLarge
            The graph does not fit into the memory of the host.

        Notes
        -----
        Each time over the batches takes the edges of a range of rows: O(log(bytes of the graph /
        `buffer_bytes`)) times. The host holds at most 1.25 times the finished graph, the buffer, a
        batch, and 96 bytes for each edge that is given of one vertex. On the CPU backend the graph
        takes 8 bytes a vertex, and 4 bytes and the weight for each entry, until a statement of
        SuiteSparse:GraphBLAS needs a copy of its own.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> batches = [([0, 1], [1, 2]), ([2, 0], [0, 1])]
        >>> lg.Graph.from_edge_batches(batches, dup="first", backend="cpu")
        Graph: 3 vertices, 3 edges, directed, no weights, cpu
        source  target
             0       1
             1       2
             2       0
        """
        directed, to = expect_flag(directed, "directed"), resolve(backend)
        n = None if n is None else check_vertices(n, to.large_graphs)
        room = expect_count(buffer_bytes, "buffer_bytes")
        store, n, dtype, weighted = joined_batches(to, batches, n, directed, dup, room)
        A = Matrix._stored(store, (n, n), dtype, to)
        return cls._checked(A, directed, weighted=made_with(weighted, dup))

    @classmethod
    def from_edgelist(
        cls, edges: EdgeList | Iterable[Any], dup: Dup = "error", *, directed: bool | None = None,
        labels: Any = False, backend: BackendName | Backend | None = None,
    ) -> Self:  # fmt: skip
        """Make a graph from pairs, or from what a reader or a generator returns.

        Parameters
        ----------
        edges : iterable of pairs or triples, or EdgeList
            Pairs (source, target), or triples (source, target, weight), of ids or labels as for
            `from_edges`, also as an array of two or three columns; or a square edge list, such as
            `lg.io.read_edges` returns. Pairs of ids give a graph of as many vertices as the largest
            id plus one; `Graph.from_edges` takes `n`.
        dup : {"error", "min", "sum", "first", "last"}, optional
            What to do if an edge is given twice, as for `Graph.from_edges`.
        directed : bool, optional
            Whether the edges have a direction. By default an edge list says so, and pairs do.
        labels : bool or list, optional
            For pairs, as for `Graph.from_edges`: True takes integers as labels, and a list gives
            the labels of all vertices. An edge list brings its own.
        backend : str or Backend, optional
            Where the graph is stored. By default the backend in force.

        Returns
        -------
        Graph
            The graph with these edges. `ids` of the edge list are the labels of the graph, its
            `coordinates` the columns "x" and "y" of `vertex_data`, and its columns of data those of
            the graph. Of edges that became one that one counts whose weight was kept.

        Raises
        ------
        DimensionMismatch
            The edge list has different numbers of rows and columns.
        DuplicateEdges
            An edge is given twice, and `dup` is "error".
        InvalidValue
            The edges are neither pairs nor triples, or `labels` stands beside an edge list.

        Notes
        -----
        An undirected list that is read as directed gives each edge in both directions. A directed
        list that is read as undirected may hold both directions of each edge with equal weights:
        then the two directions are one edge. Otherwise `dup` says what the two directions mean.

        O(m log m) for m edges.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> lg.Graph.from_edgelist([(0, 1, 2.5), (1, 2, 4.0)], directed=False, backend="cpu")
        Graph: 3 vertices, 2 edges, undirected, weights FP64, cpu
        vertex  neighbor  weight
             0         1     2.5
             1         2     4.0
        """
        if not isinstance(edges, EdgeList):
            src, dst, weight = listed(edges)
            given = True if directed is None else directed
            return cls.from_edges(
                src, dst, weight, None, given, dup, labels=labels, backend=backend
            )
        if not isinstance(labels, (bool, np.bool_)) or labels:
            raise InvalidValue("expected no labels beside an edge list, whose `ids` are the labels")
        if edges.nrows != edges.ncols:
            raise DimensionMismatch(
                f"expected a square matrix as a graph, got {edges.nrows} × {edges.ncols} from "
                f"{edges.path}; lg.io.read_edges reads the edges alone"
            )
        directed = expect_flag(edges.directed if directed is None else directed, "directed")
        src, dst, weight = edges.arcs() if directed else (edges.src, edges.dst, edges.weight)
        place: Any = slice(None)  # of each edge in the list
        if edges.edge_data and directed:
            place = replace(edges, weight=np.arange(edges.nedges)).arcs()[2]
        if edges.directed and not directed:
            keep, lonely = once(src, dst, weight)
            if lonely is None:
                place = keep
                src, dst, weight = src[keep], dst[keep], None if weight is None else weight[keep]
        try:
            if edges.ids is not None:
                labels = Labels.of(edges.ids)
                made = cls._from_names(src, dst, weight, labels, directed, dup, backend)[0]
            else:
                made = cls.from_edges(src, dst, weight, edges.nrows, directed, dup, backend=backend)
        except DuplicateEdges as twice:
            counted = "" if edges.ids is not None else ", ids counted from 0"
            where = f"{edges.path}{counted}: " if edges.path else ""
            note = OPPOSITES if edges.directed and not directed else ""
            raise DuplicateEdges(f"{where}{twice}{note}") from None
        if edges.coordinates is not None:
            made.vertex_data["x"], made.vertex_data["y"] = edges.coordinates.T
        made.vertex_data.update({name: x.copy() for name, x in edges.vertex_data.items()})
        if edges.edge_data:
            columns = {name: x[place] for name, x in edges.edge_data.items()}
            made._describe((src, dst), columns, dup, weight)
        return made

    def _describe(self, ends: Ends, data: dict[str, Any], dup: str, weights: Any = None) -> None:
        """Keep data of the edges from which this graph was made, and how many became each."""
        if data or dup != "error":
            key = keys_of(*ends, self.n, self.directed)
            at = chosen(key, None if weights is None else np.asarray(weights), dup)
            self.edge_data.update({name: as_column(x)[at] for name, x in data.items()})
            if dup != "error":
                self.edge_data[COUNT] = np.unique(key, return_counts=True)[1]

    @classmethod
    def _from_names(
        cls, src: Any, dst: Any, weight: Any, labels: Any, directed: bool, dup: Dup,
        backend: BackendName | Backend | None, what: tuple[str, str] = ("src", "dst"),
    ) -> tuple[Self, Ends]:  # fmt: skip
        """The graph of edges between labels, and the positions of their ends."""
        if isinstance(labels, Labels):
            found, ends = labels, (src, dst)
        else:
            found, *both = numbered(src, dst, labels, what)
            ends = both[0], both[1]
        try:
            made = cls.from_edges(*ends, weight, found.n, directed, dup, backend=backend)
        except DuplicateEdges:
            raise given_twice(found, *ends, directed) from None
        made._labels = found
        return made, ends


def made_with(weights: bool, dup: str) -> bool | None:
    """Whether a graph of edges, with weights or without, has weights.

    Without weights a sum counts how often an edge is given, so the values say whether it has some.
    """
    return True if weights else None if dup == "sum" else False


def expect_symmetric(A: Matrix) -> Matrix:
    """The matrix, which is its own transpose from now on; raises InvalidValue if it is not."""
    if not is_symmetric(A):
        raise InvalidValue(
            "expected a symmetric matrix for directed=False; pass directed=True, or "
            "binary.max(A | A.T) (SciPy: A.maximum(A.T))"
        )
    return symmetric(A)
