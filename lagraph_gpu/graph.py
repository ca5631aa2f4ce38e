"""Graphs: an adjacency matrix, and what follows from it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.convert.build import coordinates, typed_values
from lagraph_gpu.convert.edges import (
    both_directions,
    merge,
    once,
    refuse_asymmetric,
    refuse_nonfinite,
    refuse_overflow,
    sorted_rows,
)
from lagraph_gpu.convert.sparse_input import canonical, checked_sparse
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    TooLarge,
)
from lagraph_gpu.notation.checks import expect_flag, expect_kind, is_integer
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.matrix import Matrix, symmetric
from lagraph_gpu.notation.vector import Vector, check_size
from semirings import types
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.io import EdgeList


def fact(compute: Callable[[Graph], Any]) -> property:
    """A property computed from the adjacency matrix, kept until that changes, and read only."""

    def found(G: Graph) -> Any:
        made = compute(G)
        if isinstance(made, Handle):
            made._kept_as = f"G.{compute.__name__}"
        return made

    return property(lambda G: G.kept(found), doc=compute.__doc__)


class Graph:
    """A graph on ``n`` vertices 0 … n−1 with at most one edge from one vertex to another.

    ``A[u, v]`` is the weight of the edge from u to v; a graph without weights has the weight 1 on
    every edge, stored once. An undirected graph keeps each edge in both directions, a loop once.

    ``G.n`` vertices; ``G.nedges`` edges (each undirected edge counted once); ``G.directed``;
    ``G.A`` the adjacency matrix; ``G.backend`` where it lives; ``G.ids`` for each vertex of a
    graph that was relabelled the id it had before (INT64), else None.

    ``A`` may be written to, and what was known of the graph is found anew. But that weights are
    finite, and the same in both directions of an undirected edge, is seen to when a graph is made
    and not again: write to both, or make ``lg.Graph(A, directed=False)`` anew, which looks.
    ``ids``, degrees and neighbours are the graph's own and refuse to be written to: ``.dup()``.
    """

    def __init__(self, A: Matrix, directed: bool = True) -> None:
        """From a square matrix without NaN or infinite weights; for ``directed=False`` it must be
        symmetric, which is checked on the host in O(m)."""
        if not isinstance(A, Matrix):
            raise InvalidValue(f"expected a Matrix, got {type(A).__name__}; see Graph.from_edges")
        if A.nrows != A.ncols:
            raise DimensionMismatch(f"expected a square adjacency matrix, got shape {A.shape}")
        directed = expect_flag(directed, "directed")
        indptr, indices, values = A.to_csr()
        refuse_nonfinite(values)
        if not directed:
            refuse_asymmetric(sp.csr_array((values, indices, indptr), shape=(A.nrows, A.ncols)))
            symmetric(A)
        self._keep(A, directed)

    def _keep(self, A: Matrix, directed: bool, ids: Vector | None = None) -> None:
        self.A, self.directed, self.ids = A, directed, ids
        if ids is not None:
            ids._kept_as = "G.ids"
        self._facts: dict[Callable[[Graph], Any], Any] = {}
        self._facts_of: Any = None

    def __getstate__(self) -> tuple[Matrix, bool, Vector | None]:
        return self.A, self.directed, self.ids  # facts are computed again

    def __setstate__(self, state: tuple[Matrix, bool, Vector | None]) -> None:
        self._keep(*state)

    @classmethod
    def _checked(cls, A: Matrix, directed: bool, ids: Vector | None = None) -> Graph:
        """A graph from a matrix that a constructor has seen to."""
        graph = object.__new__(cls)
        graph._keep(A, directed, ids)
        return graph

    # --- constructors ------------------------------------------------------------------------
    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        weight: Any = None,
        n: int | None = None,
        directed: bool = True,
        dup: str = "error",
        *,
        backend: str | Backend | None = None,
    ) -> Graph:
        """From arrays of sources and targets (0-based ids) and, if there are any, weights.

        ``n`` defaults to the largest id plus one. For an undirected graph give each edge once, in
        either direction (or both: then once more under ``dup``). ``dup`` says what an edge given
        twice means: "error", "min" or "sum" of the weights, or the "first" one. Weights must not
        be NaN. O(m log m) for m edges.

        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2.5, 0.5], backend="cpu")
        >>> G
        Graph(n=3, nedges=3, directed=True, weights=FP64, backend='cpu')
        """
        directed = expect_flag(directed, "directed")
        n = None if n is None else check_size(n)
        source, target = coordinates(src, n, "source"), coordinates(dst, n, "target")
        if source.size != target.size:
            raise DimensionMismatch(
                f"expected as many sources as targets, got {source.size} and {target.size}"
            )
        top = max(int(source.max(initial=-1)), int(target.max(initial=-1)))
        n = check_size(top + 1) if n is None else n
        refuse_too_large(n, source.size)
        value = typed_values(np.int32(1) if weight is None else weight, source.size, None)
        refuse_nonfinite(value)
        iso = weight is None or np.ndim(weight) == 0
        if not directed:
            swap = source > target  # each edge once, small id first, so that duplicates show
            source, target = np.where(swap, target, source), np.where(swap, source, target)
        key, value = merge(source * max(n, 1) + target, value, dup, n, iso)
        source, target = np.divmod(key, max(n, 1))
        if not directed:
            source, target, value = both_directions(source, target, value)
        iso = iso and value.size == 1
        A = Matrix._built(
            (n, n),
            sorted_rows(source, target, value, n),
            resolve(backend),
            symmetric=not directed,
            iso=iso,
        )
        return cls._checked(A, directed)

    @classmethod
    def from_edgelist(
        cls, edges: EdgeList, dup: str = "error", *, directed: bool | None = None,
        backend: str | Backend | None = None,
    ) -> Graph:  # fmt: skip
        """From what a reader or a generator returns; ``directed`` overrules what it says.

        An undirected list seen as directed has each edge in both directions. A directed one seen
        as undirected may hold each edge in both, with one weight, and then the two are one edge;
        else ``dup`` must say what two directions mean. O(m log m) for m edges.
        """
        if edges.nrows != edges.ncols:
            raise DimensionMismatch(
                f"expected a square matrix as a graph, got {edges.nrows} × {edges.ncols} from "
                f"{edges.path}; read it as a matrix with lg.io.read_edges"
            )
        directed = expect_flag(edges.directed if directed is None else directed, "directed")
        src, dst, weight = edges.arcs() if directed else (edges.src, edges.dst, edges.weight)
        if edges.directed and not directed:
            keep, lonely = once(src, dst, weight)
            if lonely is None:
                src, dst, weight = src[keep], dst[keep], None if weight is None else weight[keep]
        try:
            return cls.from_edges(src, dst, weight, edges.nrows, directed, dup, backend=backend)
        except DuplicateEdges as twice:
            where = f"{edges.path}, ids counted from 0: " if edges.path else ""
            raise DuplicateEdges(f"{where}{twice}") from None

    @classmethod
    def from_scipy(
        cls, A: Any, directed: bool = True, *, backend: str | Backend | None = None
    ) -> Graph:
        """From a square SciPy sparse array; every stored entry is an edge, zeros included.

        Duplicates are summed, as SciPy defines them, and refused where the type cannot hold the
        sum. With ``directed=False`` the matrix must be symmetric.

        >>> import scipy.sparse as sp, lagraph_gpu as lg
        >>> A = sp.csr_array([[0, 2], [2, 0]])
        >>> lg.Graph.from_scipy(A, directed=False, backend="cpu").nedges
        1
        """
        sparse: bool = sp.issparse(A)
        if not sparse or A.ndim != 2:
            raise InvalidValue(
                f"expected a two-dimensional SciPy sparse array, got {type(A).__name__}; "
                "wrap a dense one in scipy.sparse.csr_array"
            )
        directed = expect_flag(directed, "directed")
        csr = canonical(checked_sparse(A))
        if csr.shape[0] != csr.shape[1]:
            raise DimensionMismatch(f"expected a square adjacency matrix, got shape {csr.shape}")
        values = typed_values(csr.data, csr.nnz, None)
        if csr.nnz < A.nnz:
            listed = A.tocoo()
            refuse_overflow(values, listed.row * np.int64(csr.shape[1]) + listed.col, listed.data)
        refuse_nonfinite(values)
        if not directed:
            refuse_asymmetric(csr)
        rows = csr.indptr.astype(np.int64), csr.indices.astype(np.int64), values
        n = check_size(csr.shape[0])
        matrix = Matrix._built((n, n), rows, resolve(backend), symmetric=not directed)
        return cls._checked(matrix, directed)

    @classmethod
    def from_networkx(
        cls, g: Any, weight: str | None = "weight", *, backend: str | Backend | None = None
    ) -> Graph:
        """From a NetworkX graph; vertex i is the i-th of ``list(g)``.

        ``weight`` names the edge attribute (missing: 1); None, or a graph in which no edge has it,
        gives a graph without weights. Multigraphs are refused.

        >>> import networkx as nx, lagraph_gpu as lg
        >>> lg.Graph.from_networkx(nx.path_graph(4), backend="cpu")
        Graph(n=4, nedges=3, directed=False, weights=none, backend='cpu')
        """
        if not hasattr(g, "is_multigraph"):
            raise InvalidValue(f"expected a NetworkX graph, got {type(g).__name__}")
        if g.is_multigraph():
            raise InvalidValue("expected a graph without parallel edges; merge them: nx.Graph(g)")
        expect_kind(
            weight, str | None,
            "the name of an edge attribute as weight, or None; keep what a function makes of edges "
            "as an attribute, with nx.set_edge_attributes",
        )  # fmt: skip
        number = {v: i for i, v in enumerate(g)}
        source = np.fromiter((number[u] for u, _ in g.edges()), np.int64, g.number_of_edges())
        target = np.fromiter((number[v] for _, v in g.edges()), np.int64, g.number_of_edges())
        values = None
        if weight is not None and any(weight in d for _, _, d in g.edges(data=True)):
            values = [d.get(weight, 1) for _, _, d in g.edges(data=True)]
        return cls.from_edges(source, target, values, len(number), g.is_directed(), backend=backend)

    # --- facts -------------------------------------------------------------------------------
    def kept(self, compute: Callable[[Graph], Any]) -> Any:
        """What a function makes of this graph, kept until the adjacency matrix changes."""
        if self._facts_of is not self.A._store:
            self._facts, self._facts_of = {}, self.A._store
        if compute not in self._facts:
            self._facts[compute] = compute(self)
        return self._facts[compute]

    @property
    def n(self) -> int:
        return self.A.nrows

    @property
    def backend(self) -> Backend:
        return self.A.backend

    @fact
    def nedges(self) -> int:
        """Edges; an undirected edge counts once."""
        return self.A.nvals if self.directed else (self.A.nvals + self.nloops) // 2

    @fact
    def nloops(self) -> int:
        """Edges from a vertex to itself."""
        return self.A.select("diag").new().nvals

    @fact
    def weighted(self) -> bool:
        """False if every edge has the weight 1."""
        return not (self.lightest is None or self.lightest == self.heaviest == 1)

    @fact
    def lightest(self) -> Any:
        """The smallest weight, or None without edges."""
        return self.A.reduce("min").new().value

    @fact
    def heaviest(self) -> Any:
        """The largest weight, or None without edges."""
        return self.A.reduce("max").new().value

    @fact
    def out_degree(self) -> Vector:
        """Edges that leave each vertex (INT64; no entry where there are none)."""
        return self.A.apply("one").new("INT64").reduce_rowwise("plus").new()

    @fact
    def in_degree(self) -> Vector:
        """Edges that enter each vertex (INT64; no entry where there are none)."""
        return self.A.T.apply("one").new("INT64").reduce_rowwise("plus").new()

    @fact
    def digest(self) -> str:
        """What tells this graph from any other: 32 digits from n, the edges and the weights in
        their type, the same on every backend and machine (waits; O(m))."""
        indptr, indices, values = self.A.to_csr()
        digest = hashlib.blake2b(f"{self.n} {values.dtype.name}".encode(), digest_size=16)
        for array in (indptr.astype("<i8"), indices.astype("<i4"), values):
            little = array.astype(array.dtype.newbyteorder("<"), copy=False)
            digest.update(np.ascontiguousarray(little).data)
        return digest.hexdigest()

    @fact
    def neighbours(self) -> Matrix:
        """Who is joined with whom, in either direction: BOOL, symmetric, without loops."""
        pattern = self.A.apply("one").new("BOOL").select("offdiag").new()
        if self.directed:
            pattern = pattern.ewise_add(pattern.T, BINARY["pair"]).new("BOOL")
        return symmetric(pattern)

    def vertex(self, v: Any, what: str = "vertex") -> int:
        """``v`` as an id of this graph; raises IndexOutOfBound otherwise."""
        if not is_integer(v):
            raise IndexOutOfBound(f"expected the {what} as an integer, got {v!r}")
        if not 0 <= v < self.n:
            held = f"0 to {self.n - 1}" if self.n else "none, for the graph is empty"
            raise IndexOutOfBound(
                f"expected a {what} of this graph ({held}; n = {self.n}), got {v}"
            )
        return int(v)

    def point(self, vertex: Any, value: Any, dtype: Any = None) -> Vector:
        """A vector over the vertices with one entry, on this graph's backend.

        Raises IndexOutOfBound for a source outside the graph.
        """
        index = np.array([self.vertex(vertex, "source")], np.int64)
        held = np.asarray([value], None if dtype is None else types.lookup(dtype))
        return Vector._built(self.n, index, held, self.backend)

    def to(self, which: str | Backend) -> Graph:
        """This graph on another backend (itself if it is there already)."""
        target = resolve(which)
        if target is self.backend:
            return self
        indptr, indices, values = self.A.to_csr()
        iso = values.size > 0 and self.lightest == self.heaviest
        rows = indptr, indices, values[:1] if iso else values
        A = Matrix._built(self.A.shape, rows, target, symmetric=not self.directed, iso=iso)
        return Graph._checked(A, self.directed, None if self.ids is None else self.ids.to(target))

    # --- layouts -----------------------------------------------------------------------------
    def relabel(self, order: Any = "degree") -> Graph:
        """The same graph under new ids, whose old ones are its ``ids``.

        ``order`` is "degree" (by falling number of edges, in and out, ties by id, so that vertices
        without edges come last), "bfs" (breadth-first from a vertex of least degree in each
        component, for meshes and roads) or a permutation: the old id of each new one, as integers.
        Algorithms on the result answer in its ids; ``to_original`` and ``from_original`` lead back
        to those before and forth, also after several relabellings. Raises InvalidValue for an
        unknown order or what is no permutation. O(m log m), on the GPU a sort of each row.

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

        return relabelled(self, order)

    def prepared(self, order: Any = "degree") -> Graph:
        """The same graph in the same ids, made ready for many searches.

        On the GPU it holds a copy of its matrix under other ids, in an ``order`` as for
        ``relabel``. Searches and whatever else is a closure of ``A`` go over that copy, and what
        they find is brought back to the ids of this graph, values that are vertices included.
        All else goes over ``A``, as before. The copy takes as much memory as ``A`` and 8 bytes a
        vertex; while it is made at most 40 bytes a vertex more, and 16 for each entry of rows that
        shared memory cannot hold, of more than 16,384 on an H200. Beside it the first of
        the searches that settle a core first keeps, as it would beside ``A``, pairs of column and
        weight, 8 bytes an entry (16 where weights have 8), and the lightest edge of each row, 16
        bytes (24). ``relabel`` and ``to`` drop the copy. On the CPU nothing would be gained: there
        the graph itself is returned. Raises as ``relabel`` does. O(m log m).

        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
        >>> lg.bfs(G.prepared(), 0)[0].to_dense().tolist()
        [0, 1, 2]
        """
        from lagraph_gpu.algorithms.structure.relabel import prepared

        return prepared(self, order)

    def to_original(self, v: Vector, ids: bool = False) -> Vector:
        """A vector over the vertices, in the ids that this graph had before it was relabelled.

        Entry i moves to ``self.ids[i]``. With ``ids`` the values are vertices, such as parents, and
        are translated, too. The vector itself if the graph never was relabelled. O(n).
        """
        from lagraph_gpu.algorithms._shared.labels import fetched, placed
        from lagraph_gpu.algorithms.structure.relabel import expect_over_vertices

        expect_over_vertices(self, v)
        if self.ids is None:
            return v
        return placed(fetched(self.ids, v) if ids else v, self.ids)

    def from_original(self, v: Vector) -> Vector:
        """A vector in the ids that this graph had before it was relabelled, in those it has now:
        entry i is ``v[self.ids[i]]``. The reverse of ``to_original``. O(n)."""
        from lagraph_gpu.algorithms._shared.labels import fetched
        from lagraph_gpu.algorithms.structure.relabel import expect_over_vertices

        expect_over_vertices(self, v)
        return v if self.ids is None else fetched(v, self.ids)

    def __repr__(self) -> str:
        weights = types.name(self.A.dtype) if self.weighted else "none"
        return (
            f"Graph(n={self.n}, nedges={self.nedges}, directed={self.directed}, "
            f"weights={weights}, backend={self.backend.name!r})"
        )


def available_bytes() -> int | None:
    """Memory the host can still give, or None where it does not say (outside Linux)."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(row.split()[1]) * 1024 for row in lines if row.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None


def refuse_too_large(n: int, nedges: int) -> None:
    """Refuse what the host's memory cannot hold, before anything is allocated."""
    wanted, free = 16 * (n + 1) + 48 * nedges, available_bytes()
    if free is not None and wanted > free:
        raise TooLarge(
            f"expected a graph that fits the memory: {n:,} vertices and {nedges:,} edges need "
            f"about {wanted:,} bytes, {free:,} are free; if few ids are used, renumber them "
            "from 0, for example with numpy.unique(ids, return_inverse=True)"
        )
