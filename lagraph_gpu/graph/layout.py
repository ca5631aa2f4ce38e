"""The order in which the vertices of a graph are stored, and translations between their ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.graph.queries import GraphQueries
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.notation import Vector

if TYPE_CHECKING:
    from lagraph_gpu.graph import Graph

VertexOrder = Literal["degree", "bfs"] | Sequence[int] | np.ndarray | Vector
"""An order of the vertices, or a permutation."""


@guard_methods
@checked_methods
class GraphLayout(GraphQueries):
    """The methods that number the vertices of a graph anew."""

    def relabel(
        self, order: VertexOrder = "degree", *, layout: Literal["packed"] | None = None
    ) -> Graph:
        """The same graph with new vertex ids; `ids` of the result holds the old ones.

        Parameters
        ----------
        order : {"degree", "bfs"} or array of integers, optional
            "degree" sorts the vertices by falling number of edges, in and out; vertices of equal
            degree keep their order, so vertices without edges come last. "bfs" numbers each
            component in breadth-first order from a vertex of least degree, which suits meshes and
            roads. An array is a permutation: the old id of each new vertex.
        layout : {"packed"}, optional
            "packed" stores the neighbours on a GPU in about half of the memory, as gaps of few
            bits: of an undirected graph in the order "degree". Weights are stored beside them, in
            8, 16 or 32 bits if these hold all of them exactly. Searches, shortest paths, connected
            components, PageRank and products with vectors read them so. What has no kernel for
            packed rows makes compressed rows first, and keeps them. On other backends it changes
            nothing.

        Returns
        -------
        Graph
            The graph in the new ids. Algorithms on it answer in the new ids; `to_original` and
            `from_original` translate between these and the ids before, also after several
            relabellings.

        Raises
        ------
        InvalidValue
            The order is unknown, or the array is not a permutation of the vertices.
        DimensionMismatch
            The array does not hold n integers.

        Notes
        -----
        O(m log m). On the GPU this is a sort of each row. Packed rows are made of the sorted ones,
        which are freed then; `lg.kronecker(scale, layout="packed")` makes them without.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([1, 3, 3], [3, 2, 4], n=5, directed=False, backend="cpu")
        >>> H = G.relabel("degree")
        >>> H.ids.to_dense().tolist(), H.out_degree.to_dense(fill_value=0).tolist()
        ([3, 1, 2, 4, 0], [3, 1, 1, 1, 0])
        >>> level, parent = lg.bfs(H, 0)
        >>> H.to_original(level).to_dict(), H.to_original(parent, ids=True).to_dict()
        ({1: 1, 2: 1, 3: 0, 4: 1}, {1: 3, 2: 3, 3: 3, 4: 3})
        """
        from lagraph_gpu.algorithms.structure.relabel import relabelled
        from lagraph_gpu.planning.relabelling import recorded

        return recorded(cast("Graph", self), order, "another graph", relabelled, layout)

    def prepared(
        self, order: VertexOrder = "degree", *, layout: Literal["packed"] | None = None
    ) -> Graph:
        """The same graph in the same ids, made ready for many searches and for PageRank.

        On the GPU the result holds a copy of the adjacency matrix in which the vertices have other
        ids. Searches, and every other closure of `A`, use the copy and translate what they find to
        the ids of this graph, including values that are vertices. So does PageRank, if the copy is
        not packed and its transpose is there, as in undirected graphs. All other operations use
        `A`. On the CPU a copy would bring no gain, so the graph itself is returned.

        Parameters
        ----------
        order : {"degree", "bfs"} or array of integers, optional
            The order of the vertices in the copy, as for `Graph.relabel`.
        layout : {"packed"}, optional
            "packed" stores the copy in packed rows, as for `Graph.relabel`. It has no weights:
            closures that read them use `A`.

        Returns
        -------
        Graph
            The prepared graph. `relabel` and `to` drop the copy.

        Raises
        ------
        InvalidValue
            The order is unknown, or the array is not a permutation of the vertices.
        DimensionMismatch
            The array does not hold n integers.

        Notes
        -----
        O(m log m). The copy takes as much memory as `A`, and 8 bytes a vertex. Making it takes at
        most 40 bytes a vertex more, and 16 bytes for each entry of a row that does not fit into
        shared memory (on an H200, a row of more than 16,384 entries).

        The first search that settles a core first stores two more things, as it would for `A`:
        pairs of column and weight, 8 bytes an entry (16 where weights have 8 bytes), and the
        lightest edge of each row, 16 bytes a row (24).

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
        >>> lg.bfs(G.prepared(), 0)[0].to_dense().tolist()
        [0, 1, 2]
        """
        from lagraph_gpu.algorithms.structure.relabel import prepared
        from lagraph_gpu.planning.relabelling import recorded

        return recorded(cast("Graph", self), order, "a copy inside", prepared, layout)

    def to_original(self, v: Vector, ids: bool = False) -> Vector:
        """Translate a vector into the ids before the graph was relabelled or taken as a part.

        Parameters
        ----------
        v : Vector
            A vector over the vertices, of size n. Entry i moves to position `self.ids[i]`.
        ids : bool, optional
            Whether the values are vertices too, such as parents, and must be translated as well.

        Returns
        -------
        Vector
            The translated vector, of size `original_n`, or `v` itself if the graph has no `ids`.

        Raises
        ------
        DimensionMismatch
            The vector does not have size n.

        Notes
        -----
        O(n).
        """
        from lagraph_gpu.algorithms._shared.labels import gather, scatter
        from lagraph_gpu.algorithms.structure.relabel import expect_over_vertices

        expect_over_vertices(v, self.n)
        if self.ids is None:
            return v
        return scatter(gather(self.ids, v) if ids else v, self.ids, self.original_n)

    def from_original(self, v: Vector) -> Vector:
        """Translate a vector from the ids before, as of `ids`, into the ids of this graph.

        This is the reverse of `to_original`.

        Parameters
        ----------
        v : Vector
            A vector of size `original_n` in the ids before the graph was relabelled or taken as a
            part.

        Returns
        -------
        Vector
            Entry i is `v[self.ids[i]]`. If the graph has no `ids`, `v` itself.

        Raises
        ------
        DimensionMismatch
            The vector does not have size `original_n`.

        Notes
        -----
        O(n).
        """
        from lagraph_gpu.algorithms._shared.labels import gather
        from lagraph_gpu.algorithms.structure.relabel import expect_over_vertices

        expect_over_vertices(v, self.n if self.ids is None else self.original_n)
        return v if self.ids is None else gather(v, self.ids)
