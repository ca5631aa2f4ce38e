"""Exchange of data with other libraries on the CPU: NumPy arrays, and objects of python-graphblas.

The stores are such objects, so these are taken as they are, except those whose values are arrays.
"""

from __future__ import annotations

from typing import Any, NoReturn

import graphblas as gb
import numpy as np

from lagraph_gpu.cpu.entries import by_rows, entries_of, rows_of
from lagraph_gpu.cpu.statements.objects import with_cycle
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.errors import BackendMismatch, UnsupportedOperation, WrongType
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.vector_data import with_gaps_filled
from semirings import types

ON_THE_HOST = (
    "expected arrays on the host for the CPU backend, got one on a GPU; pass backend='gpu', or "
    "copy it with .get() (CuPy) or .cpu() (PyTorch)"
)


@guard_methods
class HostExchange:
    """Implements ``lagraph_gpu.backend.Exchange`` with NumPy arrays."""

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def vector_entries(self, store: Any) -> tuple[Any, Any]:
        return entries_of(store)

    def vector_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        return with_gaps_filled(*entries_of(store), store.size, fill, dtype)

    def matrix_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        return rows_of(store)

    def vector_values(self, store: Any) -> Any:
        return entries_of(store)[1]

    def dlpack_device(self) -> tuple[int, int]:
        return 1, 0

    def matrix_sparse(self, store: Any) -> NoReturn:
        raise UnsupportedOperation(
            "expected a matrix on the GPU for cupyx; move it with .to('gpu'), or take "
            ".to_scipy_sparse()"
        )

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        if not isinstance(thing, (gb.Vector, gb.Matrix)):
            raise WrongType(
                f"expected a Vector or a Matrix of python-graphblas, got {type(thing).__name__}; "
                "make one of an expression with .new()"
            )
        dtype = types.lookup(thing.dtype)
        if dtype.subdtype is not None:
            thing = _converted(thing, dtype.dtype)
        matrix = isinstance(thing, gb.Matrix)
        store = CpuMatrix(by_rows(thing), shared=True) if matrix else thing
        return store, tuple(map(int, thing.shape)), dtype

    def unwrap(self, store: Any) -> Any:
        thing = store.A if isinstance(store, CpuMatrix) else store
        dtype = types.lookup(thing.dtype)
        return with_cycle(thing if dtype.subdtype is None else _converted(thing, dtype.np_type))


def _converted(thing: Any, to: np.dtype) -> Any:
    """A container of arrays whose type is that of python-graphblas, or that of our stores."""
    *places, values = thing.to_coo()
    arrays = types.shown(values)
    if to.subdtype is None:
        arrays = np.empty(len(values), to)
        arrays[types.IN_ARRAY] = values
    sizes = zip(("size",) if thing.ndim == 1 else ("nrows", "ncols"), thing.shape)
    return type(thing).from_coo(*places, arrays, gb.dtypes.lookup_dtype(to), **dict(sizes))
