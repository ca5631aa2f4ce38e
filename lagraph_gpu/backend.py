"""The port every backend implements, and the choice of one.

A backend stores vectors and matrices in its own way and carries out updates; nothing outside it
looks into a store. ``import lagraph_gpu`` loads neither CuPy nor python-graphblas: a backend is
made when it is first needed, once for each process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from lagraph_gpu.errors import BackendUnavailable

if TYPE_CHECKING:
    from lagraph_gpu.contraction import Contraction
    from lagraph_gpu.expr import Shape
    from lagraph_gpu.generators import Draw, Progress
    from lagraph_gpu.schedule import Schedule
    from lagraph_gpu.update import Update
    from semirings.algebra import Semiring

Entries = tuple[np.ndarray, np.ndarray]
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


class Pairs(NamedTuple):
    """Entries of a table, by increasing row: row, column (a vertex), and the place in the answer.

    Three INT64 arrays of one length; ``place`` is a permutation.
    """

    row: np.ndarray
    column: np.ndarray
    place: np.ndarray

    def between(self, first: int, end: int) -> slice:
        """Which of them lie in the rows from ``first`` to before ``end``."""
        return slice(*np.searchsorted(self.row, (first, end)).tolist())


Targets = np.ndarray | Pairs | None
"""The columns that are asked for, None for all; or single entries."""

Steps = tuple[tuple[int, int], ...]
"""A factor and a shift each."""


def answer_shape(sources: int, n: int, targets: Targets) -> tuple[int, ...]:
    """Of what ``Backend.lengths`` returns."""
    if isinstance(targets, Pairs):
        return (targets.place.size,)
    return sources, n if targets is None else targets.size


def keep(rows: np.ndarray, first: int, targets: Targets, answer: np.ndarray) -> None:
    """Put what is asked of these full rows, the first being row ``first``, where it belongs."""
    if isinstance(targets, Pairs):
        some = targets.between(first, first + len(rows))
        answer[targets.place[some]] = rows[targets.row[some] - first, targets.column[some]]
    else:
        answer[first : first + len(rows)] = rows if targets is None else rows[:, targets]


class Layouts(Protocol):
    """Matrices of a backend under other numbers. A numbering is a full vector store, INT64: the old
    number of each new one."""

    gains: bool
    """Do closures gain by a copy of their matrix under other numbers?"""

    def by_degree(self, A: Any) -> Any:
        """The numbering of a square matrix store's vertices by falling number of entries in row and
        column, ties by number."""

    def argsort(self, keys: Any) -> Any:
        """The numbering that sorts the values of a full vector store, which is stable."""

    def renumbered(self, A: Any, ids: Any) -> Any:
        """The square matrix store whose row and column i are those of ``ids[i]``."""

    def laid_out(self, A: Any, ids: Any) -> Any:
        """The same matrix store; closures go over a copy that is renumbered so, if that gains."""

    def held(self, made: Any) -> int:
        """Bytes of the copy that such a matrix store is, or holds, for ``lg.explain()``."""

    def stopwatch(self) -> Callable[[], float | None]:
        """Starts, and stops when it is called: the microseconds of all work between, if there is a
        clock. The call waits."""


class Backend(Protocol):
    """Where data lives and work is done."""

    name: str

    @property
    def layouts(self) -> Layouts: ...

    def empty(self, shape: Shape, dtype: np.dtype) -> Any:
        """A store of this shape (one or two numbers) without entries."""

    def build_vector(self, size: int, indices: np.ndarray, values: np.ndarray) -> Any:
        """A store of the given entries: increasing indices, as many values."""

    def build_matrix(
        self, shape: Shape, rows: Rows, symmetric: bool = False, iso: bool = False
    ) -> Any:
        """A store from (indptr, indices, values), indices increasing in each row.

        With ``iso`` there is one value for all entries; ``symmetric`` promises A = Aᵀ.
        """

    def copy(self, store: Any) -> Any:
        """A store of its own with the same entries."""

    def recast(self, store: Any, dtype: Any) -> Any | None:
        """The same with entries of another type, where nothing in memory need be looked at; else
        None."""

    def free_bytes(self) -> int | None:
        """Memory that can still be had, or None where nobody says."""

    def nvals(self, store: Any) -> int:
        """The number of entries; waits for the device."""

    def vector_entries(self, store: Any) -> Entries:
        """(indices, values) on the host, by increasing index; waits."""

    def vector_get(self, store: Any, index: int) -> Any:
        """The value at one index, or None where there is no entry; waits."""

    def matrix_entries(self, store: Any) -> Rows:
        """(indptr, indices, values) on the host; waits."""

    def declare_symmetric(self, store: Any) -> Any:
        """The matrix store with the promise that it is its own transpose."""

    def declare_transposes(self, A: Any, B: Any) -> None:
        """Two matrix stores with the promise that each is the other's transpose."""

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        """A matrix store of the rows of tiles, side by side and one row below another."""

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        """The value at one position, or None where there is no entry; waits."""

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> Any:
        """A store over a dense array on the device; shared, unless ``copy``."""

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> Any:
        """A store over compressed rows on the device, which are checked; shared, unless ``copy``.

        Stores that are adopted have ``shape`` or ``size``, and ``dtype``.
        """

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> Any:
        """A matrix store of a dense array of two dimensions on the device; waits."""

    def device_entries(self, store: Any) -> tuple[Any, Any]:
        """(indices, values) of a vector in fresh arrays of the device; waits."""

    def device_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        """A vector as a fresh dense array of the device, ``fill`` where there is no entry."""

    def device_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        """(indptr, indices, values) of a matrix on the device, shared where possible; with
        ``one_type`` ids and offsets have the same type."""

    def shared_values(self, store: Any) -> Any:
        """The values of a full vector as an array that speaks DLPack."""

    def dlpack_device(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack counts."""

    def sparse(self, store: Any) -> Any:
        """A matrix of cupyx in the memory of this one."""

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        """A store that is a python-graphblas object itself, its shape and type."""

    def unwrap(self, store: Any) -> Any:
        """The python-graphblas object that a store is."""

    def synchronize(self, *stores: Any) -> None:
        """Wait until all work so far is done and these stores are complete; for timing."""

    def closure(
        self, x0: Any, A: Any, semiring: Semiring, most: int, schedule: Schedule | None,
        counted: bool, limit: Any = None, traced: bool = False,
    ) -> tuple[Any, Any, bool] | None:  # fmt: skip
        """The closure of the store x0, of a vector or of a matrix of many, over the matrix A in at
        most ``most`` rounds. Entries beyond ``limit`` may be missing. Where it is ``traced``,
        ``parents`` will be asked for what the closure may note.

        Returns its store, a store of the round in which each entry took its value (None is allowed
        unless ``counted``), and whether it came to rest; None where the loop of statements has to
        do it.
        """

    def few_rounds(
        self, x: Any, frontier: Any, step: Any, A: Any, semiring: Semiring, rounds: int, most: int
    ) -> int:
        """Go on with the loop of a closure, in place, after so many rounds, as long as the frontier
        is small and at most up to ``most`` rounds. Returns the rounds done by then: ``rounds`` if
        the loop has to do the next one itself.
        """

    def parents(self, x: Any, roots: Any, A: Any, semiring: Semiring) -> Any | None:
        """For each entry of the closure store x the id of a better entry from which an edge leads
        to just this value, INT64; for each of ``roots``, a store of that type, what it holds. None
        if an entry of x has neither, or where statements have to do it.
        """

    def components(self, A: Any) -> Any | None:
        """The store of the smallest vertex (INT64) that each vertex is joined with along the matrix
        A, which is symmetric. None where statements have to do it.
        """

    def forest(self, A: Any, heaviest: bool) -> Any | None:
        """The store of the entries of the symmetric matrix A that the spanning forest of least (or
        greatest) weight consists of, both of each edge; of equal weights that with the smaller
        ends comes first. Loops do not count. None where statements have to do it.
        """

    def peel(self, count: Any, A: Any) -> Any | None:
        """The store of the level at which each entry of the vector store ``count`` goes, if the
        matrix A says what it takes from others. None where the loop of statements has to do it.
        """

    def longest(self, A: Any, hops: bool, dtype: np.dtype) -> Any | None:
        """The store of a vector of this type: for each vertex the greatest length of a path along
        the matrix A that ends there, at least 0, added up from its beginning on, or counted in
        edges (``hops``). No entry on a cycle and behind one. None where statements have to do it.
        """

    def queue(self, places: Any, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]] | None:
        """The levels that ``algorithms.queue`` yields, along the matrix ``places``. None where
        statements have to do it.
        """

    def first_come(self, rank: Any, A: Any) -> Any | None:
        """The store of the entries (BOOL, True) that a pass over those of the vector store ``rank``
        by falling rank would choose, where the matrix A, symmetric and without loops, says who may
        not be beside whom. Ranks are INT64, all different, from 0 to below 2³¹.
        None where statements have to do it.
        """

    def first_fit(self, rank: Any, A: Any) -> Any | None:
        """The store of the colours (INT64, from 0) that such a pass would take."""

    def distance(self, x: Any, y: Any) -> float | None:
        """The sum of |x − y| of full vector stores in FP64, of which y may be overwritten. None
        where statements have to do it."""

    def shuffled(self, n: int, begin: int, steps: Steps) -> Any | None:
        """The store of a vector (INT64): ``begin`` + i at i < n, and for each (factor, shift) of
        three ``steps`` first times the factor, modulo 2³¹, and then xor itself / 2^shift. None
        where statements have to do it.
        """

    def edges_that(self, compare: Semiring | None, label: Any, A: Any) -> Any | None:
        """The store of the entries of the matrix A, square, both ends of which have an entry in the
        vector store ``label``, such that ⊗ of ``compare`` is true of the two if it is given. None
        where statements have to do it.
        """

    def passing(self, A: Any, sources: np.ndarray, endpoints: bool) -> Any | None:
        """The store of a full vector (FP64): for each vertex the sum, over the sources and all
        vertices t, of the share of the shortest paths from the one to the other, in edges of the
        matrix A, on which it lies as an inner vertex; with ``endpoints`` as the first or the last
        one too. None where statements have to do it.
        """

    def strong(self, rank: Any, A: Any) -> Any | None:
        """The store of a vector (INT64) that tells the strong components of the graph of those
        edges of the matrix A that join entries of the vector store ``rank``: the same value at all
        vertices of one, which is the rank, modulo 2³¹, of a vertex of it. Those that have no edge
        may be missing. Ranks are INT64, all different, and at least 0. None where statements have
        to do it.
        """

    def lengths(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None, hops: bool,
        dtype: np.dtype, schedule: Schedule | None = None, progress: Progress | None = None,
    ) -> Any | None:  # fmt: skip
        """Lengths of shortest paths from each source, a row, to each target, a column (None: all),
        along the matrix A with entries of at least 0, or counted in edges (``hops``): a dense array
        of this backend's library, of the floating-point type ``dtype``, infinite where there is no
        path or none of at most ``cutoff``. Of ``Pairs`` only what they ask for is kept, in one
        dimension; then the sources must increase. ``progress`` is told of the sources that are
        done. None where closures have to do it.
        """

    def swept(
        self, P: Contraction, sources: np.ndarray, targets: Targets, limit: int | None,
        dtype: np.dtype, progress: Progress | None = None,
    ) -> Any | None:  # fmt: skip
        """The same over a contraction of the graph, by two sweeps over its levels; infinite beyond
        ``limit``. None where this backend has no way to do it.
        """

    def towards(
        self, A: Any, source: int, target: int, ahead: Any | None, reach: float,
        cutoff: float | None, dtype: np.dtype,
    ) -> Any | None:  # fmt: skip
        """The store of a vector of this type: of some vertices the length of a path from the source
        along the matrix A, with entries of at least 0; of the target that of a shortest one, if
        there is one of at most ``cutoff``. The store ``ahead`` holds what at least lies between
        each vertex and the target, up to rounding: whoever is expected beyond ``reach`` times the
        length found may be left out. None where statements have to do it.
        """

    def matching(self, A: Any, left: Any) -> Any | None:
        """The store of the mates (INT64) in a largest matching along the symmetric matrix A, every
        entry of which joins an entry of the vector store ``left`` with a vertex that has none.
        None where statements have to do it.
        """

    def nearness(self, A: Any, sources: np.ndarray) -> tuple[Any, Any, Any] | None:
        """Stores of full vectors: for each vertex how many of the sources reach it along the matrix
        A from elsewhere (INT32), the sum of their distances in edges (UINT64), and that of the
        reciprocals (FP64). None where closures have to do it.
        """

    def choice(self, B: Any, P: Any) -> tuple[Any, Any] | None:
        """What ``algorithms.choice`` finds in the matrix stores B and P: stores of the best sums
        and of their labels (INT64). None where statements have to do it."""

    def sweep(
        self, B: Any, state: tuple[Any, ...], turns: Any, count: int, unit: float,
        terms: tuple[Any | None, ...],
    ) -> tuple[tuple[Any, ...], Any] | None:  # fmt: skip
        """What ``algorithms.sweep`` makes of stores: the state after ``count`` turns, all of it
        full, labels (INT64), the votes that choices stand, S and D (FP64); and what those that
        moved gain (FP64). ``turns`` (UINT8) and the terms are full, the last two of them and D may
        be missing. None where statements have to do it.
        """

    def quotient(self, A: Any, P: Any) -> Any | None:
        """What ``algorithms.quotient`` makes of the matrix stores A and P; None where products have
        to do it."""

    def draw(self, draw: Draw) -> Any:
        """The edges of a Kronecker graph, drawn in this backend's memory, with ``ends()``,
        ``matrix(weights)`` and ``differences(store, weights)`` as ``lagraph_gpu.drawn`` has them;
        None where NumPy has to draw them."""

    def run(self, update: Update) -> None:
        """The one verb: compute an expression and put it into its output."""


@functools.cache
def named(name: str) -> Backend:
    """The backend called "cpu" or "gpu", made on first use.

    Raises BackendUnavailable with what is missing and how to get it.
    """
    if name == "cpu":
        from lagraph_gpu.cpu.backend import CpuBackend

        return CpuBackend()
    if name == "gpu":
        from lagraph_gpu.gpu.backend import GpuBackend
        from lagraph_gpu.gpu.cupy_device import CupyDevice

        return GpuBackend(CupyDevice())
    raise BackendUnavailable(f"expected the backend 'cpu' or 'gpu', got {name!r}")


@functools.cache
def default() -> Backend:
    """The GPU where one works, else the CPU."""
    try:
        return named("gpu")
    except BackendUnavailable:
        return named("cpu")


_everywhere: list[Backend | None] = [None]  # what set_backend chose, for all threads
_within: ContextVar[Backend | None] = ContextVar("lagraph_gpu_backend", default=None)


def resolve(which: str | Backend | None = None) -> Backend:
    """A backend from its name, itself, or the one in force."""
    if which is None:
        return _within.get() or _everywhere[0] or default()
    if isinstance(which, str):
        which = named(which)
    if not hasattr(which, "run"):  # or it says that it is unusable here: see gpu/forks
        raise BackendUnavailable(f"expected the backend 'cpu' or 'gpu', got {which!r}")
    return which


def set_backend(which: str | Backend | None) -> None:
    """Make ``which`` ("cpu", "gpu", or None for the automatic choice) the backend of new objects,
    in all threads of this process.

    >>> import lagraph_gpu as lg
    >>> lg.set_backend("cpu")
    >>> lg.Vector("INT32", 3).backend.name
    'cpu'
    >>> lg.set_backend(None)
    """
    _everywhere[0] = None if which is None else resolve(which)


@contextmanager
def backend(which: str | Backend) -> Iterator[Backend]:
    """Within the block, new objects live on ``which``.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector("FP64", 4)
    >>> v.backend.name
    'cpu'
    """
    token = _within.set(resolve(which))
    try:
        yield resolve()
    finally:
        _within.reset(token)
