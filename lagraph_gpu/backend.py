"""The port that every backend implements, and the choice of one.

A backend keeps vectors and matrices in *stores* of its own kind; nothing outside it looks into one.
A new backend has to bring:

- stores: to make, copy and read them, the methods of ``Backend`` in this order;
- ``run``, which carries out an update: one expression into one output;
- ``exchange``, for arrays of other libraries in the memory where its stores lie;
- ``lowerings``, which may be empty: whole operations that it can do in one go (see
  ``lagraph_gpu.notation.operation``). Without them every algorithm runs by its statements.

``import lagraph_gpu`` loads neither CuPy nor python-graphblas: a backend is made when it is first
needed, once for each process. ``NAMED`` says where it is.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lagraph_gpu.errors import BackendUnavailable

if TYPE_CHECKING:
    from lagraph_gpu.notation.expressions import Shape
    from lagraph_gpu.notation.operation import Operation
    from lagraph_gpu.notation.update import Update

Entries = tuple[np.ndarray, np.ndarray]
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


class Exchange(Protocol):
    """Arrays of other libraries in the memory of a backend: on the CPU NumPy's, on a GPU CuPy's."""

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> Any:
        """A store over a dense array; its memory is shared unless ``copy``."""

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> Any:
        """A store over compressed rows, which are checked; their memory is shared unless ``copy``.

        Stores that are adopted have ``shape`` or ``size``, and ``dtype``.
        """

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> Any:
        """A matrix store of a dense array of two dimensions; waits."""

    def vector_entries(self, store: Any) -> tuple[Any, Any]:
        """(indices, values) of a vector in fresh arrays; waits."""

    def vector_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        """A vector as a fresh dense array, ``fill`` where there is no entry."""

    def vector_values(self, store: Any) -> Any:
        """The values of a full vector, shared, as an array that speaks DLPack."""

    def matrix_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        """(indptr, indices, values) of a matrix, shared where possible; with ``one_type`` ids and
        offsets have the same type."""

    def matrix_sparse(self, store: Any) -> Any:
        """A sparse matrix of the library (cupyx on a GPU) in the memory of this one."""

    def dlpack_device(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack counts."""

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        """A store that is a python-graphblas object itself, its shape and its type."""

    def unwrap(self, store: Any) -> Any:
        """The python-graphblas object that a store is."""


class Backend(Protocol):
    """Where data lives and work is done."""

    name: str

    @property
    def lowerings(self) -> Mapping[Operation[Any, Any], Callable[..., Any]]:
        """The operations that this backend can do in one go: of the operands of each, what its
        statements would leave, or None where there is nothing for such operands."""

    @property
    def exchange(self) -> Exchange: ...

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

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        """A matrix store of the rows of tiles, side by side and one row below another."""

    def declare_symmetric(self, store: Any) -> Any:
        """The matrix store with the promise that it is its own transpose."""

    def declare_transposes(self, A: Any, B: Any) -> None:
        """Two matrix stores with the promise that each is the other's transpose."""

    def copy(self, store: Any) -> Any:
        """A store of its own with the same entries."""

    def recast(self, store: Any, dtype: Any) -> Any | None:
        """The same with entries of another type, where nothing in memory need be looked at; else
        None."""

    def nvals(self, store: Any) -> int:
        """The number of entries; waits for the device."""

    def vector_entries(self, store: Any) -> Entries:
        """(indices, values) on the host, by increasing index; waits."""

    def vector_get(self, store: Any, index: int) -> Any:
        """The value at one index, or None where there is no entry; waits."""

    def matrix_entries(self, store: Any) -> Rows:
        """(indptr, indices, values) on the host; waits."""

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        """The value at one position, or None where there is no entry; waits."""

    def matrix_bytes(self, store: Any) -> int:
        """The bytes that a matrix store holds, with the copies that are made of it for closures."""

    def free_bytes(self) -> int | None:
        """Memory that can still be had, or None where nobody says."""

    def stopwatch(self) -> Callable[[], float | None]:
        """Starts a clock; the call stops it: the microseconds of all work between, if there is a
        clock. The call waits."""

    def synchronize(self, *stores: Any) -> None:
        """Wait until all work so far is done and these stores are complete; for timing."""

    def run(self, update: Update) -> None:
        """The one verb: compute an expression and put it into its output."""


NAMED = {
    "cpu": "lagraph_gpu.cpu.backend",
    "gpu": "lagraph_gpu.gpu.backend",
}
"""The module of each backend; its function ``make`` makes it."""


@functools.cache
def named(name: str) -> Backend:
    """The backend called "cpu" or "gpu", made on first use.

    Raises BackendUnavailable with what is missing and how to get it.
    """
    if name not in NAMED:
        raise BackendUnavailable(f"expected the backend 'cpu' or 'gpu', got {name!r}")
    return importlib.import_module(NAMED[name]).make()  # type: ignore[no-any-return]


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
