"""The protocol that every backend implements, and the choice of a backend.

A backend stores vectors and matrices in *stores* of its own; no code outside it reads their
contents. A new backend has to provide, in the order of the class `Backend`:

- its `name`, `storage`, `stores_pickle` and `large_graphs`;
- stores: functions that make, copy and read them;
- `run`, which carries out an update: it computes one expression into one output;
- `exchange`, for arrays of other libraries in the memory where its stores are;
- measurements of memory and time;
- `lowerings`, which may be empty: whole operations that it carries out in its own way.

`lagraph_gpu.notation.operation` says more about operations. Without lowerings every algorithm runs
by its statements. What a local backend may bring for the cluster is in
`lagraph_gpu.backend_distributed`.

`import lagraph_gpu` loads neither CuPy nor python-graphblas. A backend is made when it is first
needed, once in each process. `NAMED` says which module makes it.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from lagraph_gpu.errors import BackendUnavailable, brief
from lagraph_gpu.interrupts import held_back

if TYPE_CHECKING:
    from lagraph_gpu.memory import Needs
    from lagraph_gpu.notation.expressions import Shape
    from lagraph_gpu.notation.operation import Operation
    from lagraph_gpu.notation.update import Update

BackendName = Literal["cpu", "gpu", "cluster"]
"""The names in `NAMED`, for completion and type checkers."""

Storage = Literal["host", "device", "distributed"]
"""Where the stores of a backend are: in the memory of this process, in that of a device, or parts
of them in several processes."""

Entries = tuple[np.ndarray, np.ndarray]
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


class Exchange(Protocol):
    """Arrays of other libraries in the memory of a backend: of NumPy on the CPU, of CuPy
    on a GPU.
    """

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> Any:
        """A store over a dense array. It shares the memory unless `copy` is True."""

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> Any:
        """A store over compressed rows, after a check. It shares their memory unless `copy` is
        True.

        Such stores have the attribute `shape` or `size`, and `dtype`.
        """

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> Any:
        """A matrix store from a dense array of two dimensions (waits)."""

    def vector_entries(self, store: Any) -> tuple[Any, Any]:
        """The indices and the values of a vector, in new arrays (waits)."""

    def vector_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        """A vector as a new dense array, with `fill` where there is no entry."""

    def vector_values(self, store: Any) -> Any:
        """The values of a full vector, in shared memory, as an array that supports DLPack."""

    def matrix_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        """The arrays (indptr, indices, values) of a matrix, in shared memory where possible.

        With `one_type` indices and offsets have the same type.
        """

    def matrix_sparse(self, store: Any) -> Any:
        """A sparse matrix of the library (cupyx on a GPU) in the memory of the store."""

    def dlpack_device(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack numbers them."""

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        """A store that is a python-graphblas object itself, with its shape and its type."""

    def unwrap(self, store: Any) -> Any:
        """The python-graphblas object of a store."""


class Backend(Protocol):
    """A place where data is stored and operations are carried out."""

    name: str
    storage: Storage
    stores_pickle: bool
    """Whether `pickle` can write a store, and a process without this backend's libraries need not
    read it. Otherwise a container is pickled by its entries, as those of a GPU are.
    """
    large_graphs: bool
    """Whether a graph may have 2³¹ vertices or more. No lowering is asked for those, unless it is
    of `any_size`; and the rows that have edges are listed, also of smaller graphs that have few."""

    def empty(self, shape: Shape, dtype: np.dtype) -> Any:
        """A store of this shape (one or two numbers) without entries."""

    def build_vector(self, size: int, indices: np.ndarray, values: np.ndarray) -> Any:
        """A store with the given entries: increasing indices, and a value for each."""

    def build_matrix(
        self,
        shape: Shape,
        rows: Rows,
        symmetric: bool = False,
        iso: bool = False,
        adopt: bool = False,
    ) -> Any:
        """A store from (indptr, indices, values), with increasing indices in each row.

        With `iso` there is one value for all entries. With `symmetric` the caller guarantees A =
        Aᵀ. With `adopt` nobody writes to the arrays any more, so a backend on the host may keep
        them as they are.
        """

    def build_coordinates(
        self,
        shape: Shape,
        row: np.ndarray,
        column: np.ndarray,
        values: np.ndarray,
        iso: bool = False,
    ) -> Any:
        """A store from positions, sorted by row and column, and the value at each.

        With `iso` there is one value for all entries.
        """

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        """A matrix store of tiles: each inner list is placed side by side, one list below
        another.
        """

    def resized(self, store: Any, shape: Shape, within: bool) -> Any | None:
        """A matrix store of another shape with the entries that lie within it. Without ``within``,
        by which the caller says that all do, it is None if others cannot be removed at once.
        """

    def declare_symmetric(self, store: Any) -> Any:
        """The matrix store, for which the caller guarantees that it is its own transpose."""

    def declare_transposes(self, A: Any, B: Any) -> None:
        """The caller guarantees that each of the two matrix stores is the transpose of the
        other.
        """

    def copy(self, store: Any) -> Any:
        """A new store with the same entries."""

    def recast(self, store: Any, dtype: Any) -> Any | None:
        """A store with entries of another type, if that needs no look at the data;
        otherwise None.
        """

    def nvals(self, store: Any) -> int:
        """The number of entries (waits)."""

    def holds_one_value(self, store: Any) -> bool | None:
        """Whether all entries, of which there are some, have one value, if that needs no look at
        all of them; otherwise None (waits).
        """

    def vector_entries(self, store: Any) -> Entries:
        """The indices, increasing, and the values, on the host (waits)."""

    def vector_get(self, store: Any, index: int) -> Any:
        """The value at one index, or None if there is no entry (waits)."""

    def matrix_entries(self, store: Any) -> Rows:
        """The arrays (indptr, indices, values) on the host (waits)."""

    def matrix_coordinates(self, store: Any) -> Rows:
        """The arrays (row, column, value) on the host, sorted by row and column (waits)."""

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        """The value at one position, or None if there is no entry (waits)."""

    def vector_ends(self, store: Any, first: int, last: int) -> Entries:
        """The first and the last entries, as `vector_entries` gives all (waits).

        There are at least `first + last` entries. It takes little time and memory, however many
        there are, and so do the next two.
        """

    def matrix_ends(self, store: Any, first: int, last: int) -> Rows:
        """The rows, columns and values of the first and the last entries (waits)."""

    def matrix_cells(self, store: Any, scale: int, most: int) -> np.ndarray:
        """Pairs (row // scale, column // scale) for all entries, or for `most` of them which are
        spread evenly (waits).
        """

    def run(self, update: Update) -> None:
        """Computes an expression into its output."""

    @property
    def exchange(self) -> Exchange:
        """The functions for arrays of other libraries in the memory of this backend."""

    def matrix_bytes(self, store: Any) -> int:
        """The size of a matrix store in bytes, including the copies of it that closures use."""

    def free_bytes(self) -> int | None:
        """The free memory in bytes, or None if it is not known."""

    def stopwatch(self) -> Callable[[], float | None]:
        """Starts a clock. Calling the result waits, and returns the microseconds of all work since
        then; None if there is no clock.
        """

    def synchronize(self, *stores: Any) -> None:
        """Waits until all work so far is done and these stores are complete. For timing."""

    @property
    def lowerings(self) -> Mapping[Operation[Any, Any], Callable[..., Any]]:
        """The operations that this backend carries out in its own way, each with its function.

        The function takes the operands of the operation, and returns what the statements would
        compute, or None if it does not support these operands.
        """


class DistributedBackend(Backend, Protocol):
    """What a backend has beside whose `storage` is "distributed": what calls ask before they begin,
    and a way to one process."""

    def gathered_on(self, root: int, store: Any, target: Backend) -> Any | None:
        """The whole vector or matrix as a store of another backend, on process `root` alone; None
        on all others."""

    def plan_of_root(self, store: Any, needs: Needs, ranked: bool) -> tuple[bool, int, int | None]:
        """Whether one process alone would carry out operations of a call on a matrix, under the
        ranks of the ids in use or not; how many bytes it takes for that, and how many are free."""

    def shared_bytes(self, n: int) -> int:
        """How many bytes more the processes of one host would open to each other for a search of a
        graph with n vertices."""

    def expect_values_fit(self, n: int, each: int, what: str) -> None:
        """Raises TooLarge if a process has not so many bytes for each of its vertices, of n in all.
        Asked where there are `large_graphs`."""


NAMED = {
    "cpu": "lagraph_gpu.cpu.backend",
    "gpu": "lagraph_gpu.gpu.backend",
    "cluster": "lagraph_gpu.cluster.backend",
}
"""The module of each backend. Its function `make` makes the backend."""

CPU_INSTALLS = sys.version_info < (3, 14)
"""Whether what the CPU backend needs has wheels for this Python."""

ENGINE = (
    "pip install 'python-graphblas>=2025.2' 'suitesparse-graphblas>=9.4,<10' 'cffi>=1.17' "
    "'numba>=0.64'"
    if CPU_INSTALLS
    else "take Python 3.11 to 3.13, as python-graphblas does not install on 3.14 yet, or use a GPU"
)
"""How to get what the CPU backend needs."""

NEEDS = {"cpu": ("python-graphblas and numba", ENGINE)}
"""What a backend imports, and how to get it, where its module does not say so by itself."""


@functools.cache
def named(name: str) -> Backend:
    """The backend of a name in `NAMED`, which is made on first use.

    Raises BackendUnavailable with what is missing and how to install it.
    """
    if name not in NAMED:
        raise unknown(name)
    try:
        with held_back():  # half imported, an engine cannot be imported again
            module = importlib.import_module(NAMED[name])
    except ImportError as missing:
        what, remedy = NEEDS.get(name, (f"what {NAMED[name]} imports", "install what is missing"))
        raise BackendUnavailable(
            f"expected {what} for the {name.upper()} backend, but the import failed "
            f"({missing}); {remedy}"
        ) from missing
    with held_back():
        return module.make()  # type: ignore[no-any-return]


def unknown(which: object) -> BackendUnavailable:
    """The error for what is no backend and no name of one."""
    *most, last = map(repr, NAMED)
    return BackendUnavailable(
        f"expected the backend {', '.join(most)} or {last}, got {brief(which)}"
    )


@functools.cache
def default() -> Backend:
    """The GPU if one works, otherwise the CPU."""
    try:
        return named("gpu")
    except BackendUnavailable:
        return named("cpu")


_everywhere: list[Backend | None] = [None]  # what set_backend chose, for all threads
_within: ContextVar[Backend | None] = ContextVar("lagraph_gpu_backend", default=None)


def resolve(which: str | Backend | None = None) -> Backend:
    """A backend from its name or from itself; None gives the backend in force."""
    if which is None:
        return _within.get() or _everywhere[0] or default()
    if isinstance(which, str):
        which = named(which)
    if not hasattr(which, "run"):  # or it says that it is unusable here: see gpu/forks
        raise unknown(which)
    return which


def unpickled(name: str) -> Backend:
    """The backend of a name that a pickle holds: the one in force if it has that name. Where there
    is none of that name it is the one in force as well, so that what was made on a GPU is read
    without one.
    """
    here = _within.get() or _everywhere[0]
    if here is not None and here.name == name:
        return here
    try:
        return named(name)
    except BackendUnavailable:
        return resolve()


def set_backend(which: BackendName | Backend | None) -> None:
    """Choose the backend of new objects, in all threads of this process.

    Parameters
    ----------
    which : str, Backend or None
        "cpu", "gpu", "cluster" (all processes that `mpiexec` has started), or None for the
        automatic choice: the GPU if one works, otherwise the CPU.

    Raises
    ------
    BackendUnavailable
        There is no such backend, or it does not work on this machine. The message says what to
        install.

    Notes
    -----
    Existing objects stay where they are. Within a block of `lg.backend` the backend of the block is
    in force.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.set_backend("cpu")
    >>> lg.Vector("INT32", 3).backend.name
    'cpu'
    >>> lg.set_backend(None)
    """
    _everywhere[0] = None if which is None else resolve(which)


@contextmanager
def backend(which: BackendName | Backend) -> Iterator[Backend]:
    """Choose the backend of new objects within a block.

    Parameters
    ----------
    which : str or Backend
        "cpu", "gpu", "cluster", or a backend.

    Yields
    ------
    Backend
        The backend in force within the block.

    Raises
    ------
    BackendUnavailable
        There is no such backend, or it does not work on this machine. The message says what to
        install.

    Notes
    -----
    The choice holds for the thread or the asynchronous task that runs the block. Blocks may be
    nested.

    Examples
    --------
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
