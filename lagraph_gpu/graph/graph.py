"""The class `Graph`: an adjacency matrix, and the facts that follow from it.

Its other methods are in modules of their own: graphs of edges in `construct.py`, and of what other
libraries hold in `imports.py`; what is read of a graph in `queries.py`, and what other libraries
get of it in `export.py`; the graphs that follow from it in `derived.py`, those with other edges in
`change.py`, and those in another order in `layout.py`. Labels and data are in `names/named.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, overload

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.convert.edge_list import check_vertices
from lagraph_gpu.convert.edges import expect_real
from lagraph_gpu.convert.values import one_value, typed_values
from lagraph_gpu.display import Shown, View
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    brief,
)
from lagraph_gpu.graph.change import GraphChange
from lagraph_gpu.graph.construct import expect_symmetric
from lagraph_gpu.graph.facts import (
    FACTS,
    UNKNOWN,
    diagonal_entries,
    digest_of,
    fact,
    is_symmetric,
    keep,
    pattern_without_loops,
    row_lengths,
)
from lagraph_gpu.graph.imports import GraphImport
from lagraph_gpu.graph.layout import GraphLayout
from lagraph_gpu.memory import guard_methods, is_heavy, light
from lagraph_gpu.notation import Matrix, Vector, views
from lagraph_gpu.notation.checks import expect_flag, is_integer, process_alone
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.reporting import LOG
from semirings import BINARY, types


@partial(
    guard_methods,
    chosen=lambda name, member: name == "__init__" or is_heavy(name, member),
    named={"__init__": "a graph", "kept": "what is kept with a graph"},
)
@checked_methods
class Graph(GraphImport, GraphChange, GraphLayout, Shown):
    """A graph of n vertices, 0 to n - 1, with at most one edge from one vertex to another.

    The graph is its adjacency matrix `A`: `A[u, v]` is the weight of the edge from u to v. A graph
    without weights has the weight 1 on every edge, stored once. A graph that was made with weights
    has them also where all are 1, and so have the graphs that are made of it: see `weighted`. An
    undirected graph stores each edge in both directions, and a loop once.

    Parameters
    ----------
    A : Matrix
        The adjacency matrix: square, without NaN or infinite weights.
    directed : bool, optional
        Whether the edges have a direction. With False the matrix must be symmetric.

    Raises
    ------
    InvalidValue
        `A` is not a matrix, a weight is not finite, or the matrix of an undirected graph is not
        symmetric.
    DimensionMismatch
        `A` is not square.

    Notes
    -----
    The constructor checks the weights on the host, in O(m).

    `G.A` is the adjacency matrix and `G.directed` says whether edges have a direction. `G.ids` is
    None, or, in a graph that was relabelled or is a part of another, a vector (INT64) with the
    earlier id of each vertex; these ids are below `G.original_n`.

    Vertices may have labels, such as names: see `labels`. Then a vertex that is given to a method
    or an algorithm is a label; results are by position all the same, and `named` reads them.

    You may write to `A`; facts about the graph are then computed again, and the next algorithm
    checks first that all weights are still finite and that the matrix of an undirected graph is
    still symmetric (`InvalidValue`). The vectors
    and matrices that the graph computes (ids, degrees, neighbours) belong to it and cannot be
    written to: copy them with `.dup()`.
    """

    def __init__(self, A: Matrix, directed: bool = True) -> None:
        if not isinstance(A, Matrix):
            from lagraph_gpu.graph.made_of import remedy, shown

            raise InvalidValue(f"expected a Matrix, got {shown(A)}; {remedy(A)}")
        if A.nrows != A.ncols:
            raise DimensionMismatch(f"expected a square adjacency matrix, got shape {A.shape}")
        directed = expect_flag(directed, "directed")
        if (bad := nonfinite(A)) is not None:
            row, column, weight = bad
            raise InvalidValue(
                f"expected finite weights, got {weight} from {row} to {column}; remove the edge"
            )
        self._keep(A if directed else expect_symmetric(A), directed)

    def _keep(
        self, A: Matrix, directed: bool, ids: Vector | None = None, original_n: int | None = None,
        weighted: bool | None = None,
    ) -> None:  # fmt: skip
        expect_real(A.dtype)
        check_vertices(A.nrows, A.backend.large_graphs)
        self.A, self.directed, self.ids = A, directed, ids
        self.original_n = A.nrows if original_n is None else original_n
        if ids is not None:
            ids._kept_as = "G.ids"
        self._given_weights, self._given_store = weighted, A._store
        self._facts: dict[Callable[[Graph], Any], Any] = {}
        self._facts_of: Any = None
        self._checked_store = A._store

    def __dir__(self) -> list[str]:
        """The names for completion, without those that only algorithms use."""
        return [name for name in super().__dir__() if name not in ("expect_sound", "kept")]

    def __getstate__(self) -> tuple[Any, ...]:
        weighted = self._given_weights or (False if self._knows_no_weights() else None)
        kept = self.A, self.directed, self.ids, self.original_n, weighted
        return kept, self._known()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        kept, known = state
        self._keep(*kept)
        self._know(*known)
        if not self.directed:
            symmetric(self.A)
        self._checked_store = None

    @classmethod
    def _checked(
        cls, A: Matrix, directed: bool, ids: Vector | None = None, original_n: int | None = None,
        weighted: bool | None = None,
    ) -> Graph:  # fmt: skip
        """A graph from a matrix that a constructor has checked already.

        `weighted` says whether it was made with weights; with None its weights say so.
        """
        graph = object.__new__(cls)
        graph._keep(A, directed, ids, original_n, weighted)
        return graph

    @light
    def expect_sound(self) -> None:
        """Check what has been written to the adjacency matrix since the last check.

        Raises
        ------
        InvalidValue
            A weight is not finite, or the matrix of an undirected graph is no longer symmetric.
        DimensionMismatch
            The matrix is no longer square, or no longer has a row for each label, each of the `ids`
            and each value of `vertex_data`.

        Notes
        -----
        Every algorithm does this first. It takes O(m) after a write, and nothing otherwise.
        """
        A = self.A
        if A._store is self._checked_store:
            return
        if A.nrows != A.ncols:
            raise DimensionMismatch(
                f"expected G.A to be square, got shape {A.shape}; resize a copy, G.A.dup()"
            )
        sizes = {
            "labels": None if self._labels is None else self._labels.n,
            "ids": None if self.ids is None else self.ids.size,
            "vertex_data": self._vertex_data.size if self._vertex_data else None,
        }
        for name, size in sizes.items():
            if size not in (None, A.nrows):
                raise DimensionMismatch(
                    f"expected G.A to have {size} rows, as G.{name} has vertices, got {A.nrows}; "
                    "resize a copy, G.A.dup(), and make a graph of it, lg.Graph(…)"
                )
        if (bad := nonfinite(A)) is not None:
            row, column, weight = bad
            raise InvalidValue(
                f"expected finite weights in G.A, got {weight} from {brief(self.label(row))} to "
                f"{brief(self.label(column))}; write a number there, or remove the edge: "
                f"del G.A[{row}, {column}]"
            )
        if not self.directed:
            if not is_symmetric(A):
                raise InvalidValue(
                    "expected G.A to be symmetric, because the graph is undirected, but it is "
                    "written to in one direction; write the same weight from v to u as from u to v"
                )
            symmetric(A)
        self._checked_store = A._store

    # --- facts -------------------------------------------------------------------------------
    def kept(self, compute: Callable[[Graph], Any]) -> Any:
        """The result of a function of this graph, kept until the adjacency matrix changes.

        Parameters
        ----------
        compute : function
            A function of the graph. It is called once while the adjacency matrix stays the same;
            threads that ask at the same time may each call it.

        Returns
        -------
        object
            What the function returned.
        """
        facts = self._current_facts()
        if (found := facts.get(compute, UNKNOWN)) is UNKNOWN:
            found = keep(self, facts, compute)
        return found

    def _current_facts(self) -> dict[Any, Any]:
        """What is kept of the adjacency matrix as it is now. Another thread may begin anew."""
        if self._facts_of is not self.A._store:
            self._facts, self._facts_of = {}, self.A._store
        return self._facts

    def _forgets_copies(self) -> bool:
        """Forget facts that are other matrices or graphs on this backend, which can be computed
        again. True if there were any."""
        copies = [compute for compute, fact in self._facts.items() if self._is_copy(fact)]
        for compute in copies:
            self._facts.pop(compute, None)
        return bool(copies)

    def _is_copy(self, fact: Any) -> bool:
        """Whether a fact has a matrix on this backend that is not the adjacency matrix."""
        if isinstance(fact, tuple):
            return any(map(self._is_copy, fact))
        A = fact.A if isinstance(fact, Graph) else fact
        return isinstance(A, Matrix) and A.backend is self.backend and A._store is not self.A._store

    def _knowing(self, **known: Any) -> Graph:
        """This new graph, which keeps these facts."""
        self._facts, self._facts_of = {FACTS[name]: known[name] for name in known}, self.A._store
        return self

    @property
    def n(self) -> int:
        return self.A.shape[0]

    @property
    def backend(self) -> Backend:
        return self.A.backend

    @property
    def nbytes(self) -> int:
        """The bytes that the adjacency matrix takes where it is stored, with what is kept of it."""
        return self.backend.matrix_bytes(self.A._store)

    @fact
    def nedges(self) -> int:
        """The number of edges. An undirected edge counts once."""
        return self.A.nvals if self.directed else (self.A.nvals + self.nloops) // 2

    @fact
    def nloops(self) -> int:
        """The number of edges from a vertex to itself."""
        return diagonal_entries(self.A)

    @property
    def weighted(self) -> bool:
        """Whether the graph has weights: it was made with some, or of a graph that has some.

        A graph of a matrix alone (`Graph(A)`, `Graph.from_scipy`) has weights if not all are 1, and
        so has a graph without weights after others were written to `A`. Files and tables that a
        graph is written to have a column of weights if it has weights.
        """
        return self._given_weights or not (self._knows_no_weights() or self.kept(all_ones))

    def _knows_no_weights(self) -> bool:
        """Whether the graph was made without weights, and nothing was written to `A` since."""
        return self._given_weights is False and self._given_store is self.A._store

    @fact
    def lightest(self) -> Any:
        """The smallest weight, or None if there are no edges."""
        return self.A.reduce("min").new().value

    @fact
    def heaviest(self) -> Any:
        """The largest weight, or None if there are no edges."""
        return self.A.reduce("max").new().value

    @fact
    def out_degree(self) -> Vector:
        """The number of edges that leave each vertex (INT64); no entry where there are none."""
        return row_lengths(self.A)

    @fact
    def in_degree(self) -> Vector:
        """The number of edges that enter each vertex (INT64); no entry where there are none."""
        return self.A.T.apply("one").new("INT64").reduce_rowwise("plus").new()

    @fact
    def digest(self) -> str:
        """A fingerprint of the graph: 32 hexadecimal digits.

        It depends on n, the edges, the weights and the type of the weights. Every backend and every
        machine gives the same digits. The call waits for the device, and takes O(m).
        """
        return digest_of(self)

    @fact
    def neighbours(self) -> Matrix:
        """The matrix of neighbours in either direction: BOOL, symmetric, without loops."""
        if not self.directed:
            return symmetric(pattern_without_loops(self.A))
        pattern = pattern_without_loops.statements(self.A)
        return symmetric(pattern.ewise_add(pattern.T, BINARY["pair"]).new("BOOL"))

    @light
    def vertex(self, v: Any, what: str = "vertex") -> int:
        """Check that a value is a vertex of this graph.

        Parameters
        ----------
        v : int or label
            The value to check: the label of a vertex if the graph has labels, else its id.
        what : str, optional
            What the error message calls the value.

        Returns
        -------
        int
            The position of the vertex as a Python integer.

        Raises
        ------
        IndexOutOfBound
            The value is not an integer from 0 to n - 1, or not a label of the graph.
        """
        if self._labels is not None:
            return self._labels.position(v, what)
        if (type(v) is int or is_integer(v)) and 0 <= v < self.A.shape[0]:
            return int(v)
        what = what if isinstance(what, str) else brief(what)
        if not is_integer(v):
            named = "; the vertices have no labels, see G.labels" if isinstance(v, str) else ""
            raise IndexOutOfBound(f"expected the {what} as an integer, got {brief(v)}{named}")
        held = f"0 to {self.n - 1}" if self.n else "none, for the graph is empty"
        raise IndexOutOfBound(
            f"expected a {what} of this graph ({held}; n = {self.n}), got {brief(int(v))}"
        )

    @light
    def point(self, position: int, value: Any, dtype: Any = None) -> Vector:
        """A vector over the vertices with one entry, on the backend of this graph.

        Parameters
        ----------
        position : int
            The position of the entry, as `vertex` returns it.
        value : number
            The value of the entry.
        dtype : type, optional
            The type of the vector. By default the type of the value.

        Returns
        -------
        Vector
            A vector of size n.

        Raises
        ------
        IndexOutOfBound
            The position is not below n.
        """
        whole = type(position) is int or is_integer(position)
        if not whole or not 0 <= position < self.A.shape[0]:
            raise IndexOutOfBound(
                f"expected a position below n = {self.n} as an integer, got {brief(position)}"
            )
        index = np.array([position], np.int64)
        if isinstance(value, (int, float, np.generic)):
            held = np.asarray([value], None if dtype is None else types.lookup(dtype))
        else:
            held = typed_values(number(value), 1, dtype)
        return Vector._built(self.A.shape[0], index, held, self.A.backend)

    @overload
    def to(self, which: BackendName | Backend, *, root: None = None) -> Graph: ...
    @overload
    def to(self, which: BackendName | Backend, *, root: int) -> Graph | None: ...
    def to(self, which: BackendName | Backend, *, root: int | None = None) -> Graph | None:
        """This graph on another backend.

        Parameters
        ----------
        which : str or Backend
            The backend, such as "cpu" or "gpu".
        root : int, optional
            On a cluster, the number of the process that alone gets the copy. The other processes
            send it what they have, and get None. By default every process gets a copy.

        Returns
        -------
        Graph
            A copy, or the graph itself if it is on that backend already. With `root` None on all
            other processes.

        Raises
        ------
        InvalidValue
            There is no process of the number `root`, or the processes name different ones. Without
            a cluster there is one process, of number 0.
        TooLarge
            The process has too little memory for the whole graph.
        """
        target = resolve(which)
        if target is not self.backend:
            check_vertices(self.n, target.large_graphs)
        if (alone := process_alone(self.backend, target, root)) is not None:
            return self._gathered_on(alone, target)
        if target is self.backend:
            return self
        self.expect_sound()
        LOG.info("copying %s to %s", self._in_one_line(), target.name)
        indptr, indices, values = self.A.to_csr()
        iso = one_value(values)  # on the host: a device may be full
        rows = indptr, indices, values[:1] if iso else values
        A = Matrix._built(self.A.shape, rows, target, symmetric=not self.directed, iso=iso)
        ids = None if self.ids is None else self.ids.to(target)
        return Graph._checked(A, self.directed, ids, self.original_n)._like(self)

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write this graph to a folder as it is in memory, for `lg.open`.

        Parameters
        ----------
        folder : str or path
            The folder. It appears whole or not at all.
        overwrite : bool, optional
            Whether to replace a graph that was saved there before. Who has it open keeps it.

        Raises
        ------
        FormatError
            Something is there already, and `overwrite` is False or it is no saved graph; or the
            system does not allow the folder.

        Notes
        -----
        The folder holds arrays of NumPy, with the ids in 32 bits and equal weights once, and a
        manifest with their digests: 4 bytes an entry, the weights, and 8 bytes a vertex. Packed
        rows are written as they are. Only its owner can write to it. A relabelled graph keeps its
        earlier ids; what `Graph.prepared` adds is not written. Labels, columns of data and
        `graph_data` are kept if they are numbers, strings, dates, None, or tuples, lists or dicts
        of these; a warning names others. For other programs take `lg.write`.

        O(n + m), on the host.

        Examples
        --------
        >>> import pathlib, tempfile, lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], n=4, backend="cpu")
        >>> with tempfile.TemporaryDirectory() as place:
        ...     G.save(pathlib.Path(place, "path"))
        ...     sorted(file.name[:7] for file in pathlib.Path(place, "path").iterdir())
        ['graph.j', 'indices', 'indptr-', 'values-']
        """
        from lagraph_gpu.io.saved import save

        save(self, folder, expect_flag(overwrite, "overwrite"))

    def info(self) -> str:
        """What is known of the graph in a few lines of text.

        Returns
        -------
        str
            Vertices, edges, whether they are directed, the type and the range of the weights,
            self-loops, degrees (for a directed graph out and in), isolated vertices, which have no
            edge at all, the backend, and the bytes that the adjacency matrix takes. A console shows
            the text as it is.

        Notes
        -----
        O(m) on the first call; the graph keeps what was found. A self-loop counts once in a degree.
        The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1.5, 2.5, 0.5], n=4, backend="cpu")
        >>> G.info()
        vertices    4
        edges       3
        directed    yes
        weights     FP64, 0.5 to 2.5
        self-loops  0
        out-degree  0 to 2, mean 0.75
        in-degree   0 to 2, mean 0.75
        isolated    1
        backend     cpu
        bytes       ...
        """
        return views.graph_info(self)

    def _view(self, read: bool = True, picture: bool = False) -> View:
        return views.of_graph(self, read, picture)


def all_ones(G: Graph) -> bool:
    """Whether every edge has the weight 1. O(m); `Graph.kept` keeps it."""
    return G.lightest is None or bool(G.lightest == G.heaviest == 1)


def nonfinite(A: Matrix) -> tuple[int, int, Any] | None:
    """Where a matrix has a value that is NaN or infinite, and the value; None if nowhere."""
    if A.dtype.kind != "f" or A.apply("isfinite").new().reduce("land").new().get(True):
        return None
    row, column, weight = A.to_coo()
    at = int(np.flatnonzero(~np.isfinite(weight))[0])
    return int(row[at]), int(column[at]), weight[at]
