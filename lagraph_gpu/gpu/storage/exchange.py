"""Exchange of data with other libraries on the device, without the host.

Arrays are adopted if their type and layout are those of this library (INT32 ids, INT32 or INT64
offsets, one of the value types, contiguous); otherwise a kernel converts them. Input that
may be wrong is checked by a kernel, which costs one wait. Output is a device array of CuPy.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from lagraph_gpu.backend import Entries
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.convert.values import typed_values
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    TooLarge,
    UnsortedRows,
    UnsupportedOperation,
    WrongType,
)
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.gpu.storage.ends import Ends
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import (
    INDEX,
    WORD,
    DeviceVector,
    expect_numbered,
    offset_for,
    words,
)
from lagraph_gpu.notation import Vector
from semirings import types

EXCHANGE = "matrix/exchange.cuh"

LEAST_FOLLOWED, FOLLOWED_DIVISOR = 256, 512
"""Of n parents a kernel follows at most LEAST_FOLLOWED + n / FOLLOWED_DIVISOR: a step waits for
memory, and takes about as long as copying 512 parents to the host."""


OFFSETS = (types.INT32, types.INT64)

CUDA_DEVICE = 2
"""DLPack's number for an NVIDIA GPU."""


def positions(bits: np.ndarray, size: int) -> np.ndarray:
    """The positions that are set in a bitmap on the host."""
    flags = np.unpackbits(bits.astype("<u4").view(np.uint8), bitorder="little")[:size]
    return np.flatnonzero(flags)


WRONG: dict[int, tuple[type[Exception], str]] = {
    constants.BEGINS_ELSEWHERE: (InvalidValue, "indptr to begin with 0"),
    constants.ENDS_ELSEWHERE: (
        InvalidValue, "indptr to end with {nnz}, the number of column ids"),
    constants.FALLS: (InvalidValue, "indptr to be non-decreasing"),
    constants.OUTSIDE: (
        IndexOutOfBound, "column ids from 0 to {last}; raise ncols if larger ones are meant"),
    constants.UNSORTED: (
        UnsortedRows, "increasing column ids in each row; sort them, for example with "
        "sum_duplicates() of the sparse matrix they come from"),
}  # fmt: skip
"""The errors that check_rows finds, by their bits. The first one that is set is reported."""


class DeviceExchange(BackendPart):
    """Implements ``lagraph_gpu.backend.Exchange`` on a Device."""

    read_whole = 1 << 14
    """Vectors of at most so many positions are downloaded whole, however few entries they have."""

    @cached_property
    def ends(self) -> Ends:
        return Ends(self.backend)

    def launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(EXCHANGE, "", name, work, *args)

    # --- in ----------------------------------------------------------------------------------
    def adopted(self, array: Any, what: str) -> DeviceArray:
        """Another library's array, sharing its memory if it is on the device. One on the host is
        uploaded."""
        if not on_device(array):
            array = np.asarray(array)
            if array.ndim != 1:
                raise DimensionMismatch(f"expected the {what} as a 1-D array, got {array.shape}")
            types.lookup(array.dtype)
            return self.device.upload(array)
        result = self.device.adopt(array)
        types.lookup(result.dtype)
        return result

    def converted(self, array: DeviceArray, dtype: Any, count: int = -1) -> DeviceArray:
        """The array in another type (the same array if it has that type); with ``count``, so many
        copies of its one value."""
        to, n = np.dtype(dtype), array.size if count < 0 else count
        if array.dtype == to and count < 0:
            return array
        made = self.device.empty(max(1, n), to)
        name = f"convert<{types.c_name(array.dtype)}, {types.c_name(to)}>"
        self.launch(name, n, np.int64(n), array, np.int32(count < 0), made)
        return made[:n]

    def values(self, values: Any, count: int, dtype: Any) -> tuple[DeviceArray, bool]:
        """Values of one of our types, and True if one value is for all entries."""
        if not on_device(values) and np.ndim(values) == 0:
            return self.device.upload(typed_values(values, 1, dtype)), True
        given = self.adopted(values, "values")
        if given.size != count:
            raise DimensionMismatch(
                f"expected {count} values or a single one, got an array of {given.size}"
            )
        return self.cast(given, dtype), False

    def cast(self, given: DeviceArray, dtype: Any) -> DeviceArray:
        """The array in a type that can hold every value. On the device it is not checked whether
        the values would fit a narrower type."""
        to = given.dtype if dtype is None else types.lookup(dtype)
        if not np.can_cast(given.dtype, to, "safe"):
            raise WrongType(
                f"expected {types.name(to)} or a type that it can hold, got an array of "
                f"{types.name(given.dtype)} on the device; convert it first, or cast the result "
                "with .dup(dtype), which wraps and saturates as GraphBLAS does"
            )
        return self.converted(given, to)

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> DeviceMatrix:
        """A matrix over compressed rows on the device. Waits once, for the check of the rows."""
        begins, ids = self.adopted(indptr, "indptr"), self.adopted(indices, "column ids")
        for array, what in ((begins, "indptr"), (ids, "column ids")):
            if array.dtype.kind not in "iu":
                raise InvalidValue(f"expected {what} as integers, got {types.name(array.dtype)}")
        if begins.size < 1:
            raise InvalidValue(f"expected indptr to run from 0 to {ids.size}, got no offset")
        fits = begins.dtype in OFFSETS and begins.dtype.itemsize >= offset_for(ids.size).itemsize
        begins = begins if fits else self.converted(begins, np.int64)
        ids = ids if ids.dtype.itemsize >= 4 else self.converted(ids, INDEX)
        shape, nnz = (check_size(begins.size - 1), check_size(ncols)), ids.size
        held, iso = self.values(values, nnz, dtype)
        self.check(shape, begins, ids)
        if nnz == 0:
            return self.backend.empty(shape, held.dtype)
        ids = self.converted(ids, INDEX)
        arrays = (begins, ids, held[:1] if iso else held)
        begins, ids, held = map(self.device.copy, arrays) if copy else arrays
        return DeviceMatrix(shape, held.dtype, nnz, begins, ids, held, iso)

    def check(self, shape: tuple[int, int], indptr: DeviceArray, indices: DeviceArray) -> None:
        wrong = self.device.zeros(1, np.uint32)
        nrows, ncols = shape
        name = f"check_rows<{types.c_name(indptr.dtype)}, {types.c_name(indices.dtype)}>"
        self.launch(name, max(nrows, indices.size), np.int32(nrows), np.int32(ncols),
                    np.int64(indices.size), indptr, indices, wrong)  # fmt: skip
        found = int(self.device.download(wrong)[0])  # synchronize!
        for bit, (kind, words_) in WRONG.items():
            if found & bit:
                raise kind(f"expected {words_.format(nnz=indices.size, last=ncols - 1)}")

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> DeviceVector:
        """A vector over a dense array on the device. Positions equal to ``missing`` have no
        entry."""
        given = self.adopted(values, "values")
        held = self.cast(given, dtype)
        result = self._present(held, missing)
        if held is given and copy:
            result.values = self.device.copy(held)
        result.shared = held is given and not copy
        return result

    def _present(self, held: DeviceArray, missing: Any) -> DeviceVector:
        """A vector over these values, which it shares."""
        size = check_size(held.size)
        expect_numbered(size)
        if size == 0:
            return DeviceVector.empty(self.device, 0, held.dtype)
        nothing = held.dtype.type(0) if missing is None else types.cast(missing, held.dtype)
        nan = missing != missing and nothing != nothing
        everywhere = missing is None or not (nan or bool(nothing == missing))  # none is equal to it
        bits = self.device.empty(words(size), WORD)
        self.launch(f"find_present<{types.c_name(held.dtype)}>", size, np.int32(size), held,
                    np.bool_(everywhere), nothing, bits)  # fmt: skip
        return DeviceVector(size, held.dtype, bits, held, full=everywhere)

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> DeviceMatrix:
        """A matrix from a dense array on the device. Positions equal to ``missing`` have no entry.
        Bands of so many rows that their positions have 32 bits are made one by one. Waits for the
        number of entries of each."""
        if len(values.shape) != 2:
            got = tuple(values.shape)
            raise DimensionMismatch(f"expected a two-dimensional array, got shape {got}")
        nrows, ncols = map(check_size, values.shape)
        held = self.cast(self.adopted(values.reshape((nrows * ncols,)), "values"), dtype)
        if held.size < vector_storage.POSITIONS:
            return self._from_dense(held, missing, nrows, ncols)
        each, bands = max(1, (vector_storage.POSITIONS - 1) // ncols), []
        for first in range(0, nrows, each):
            count = min(each, nrows - first)
            part = held[first * ncols : (first + count) * ncols]
            bands.append([self._from_dense(part, missing, count, ncols)])
        return self.backend.concat(bands, (nrows, ncols), held.dtype)

    def _from_dense(self, dense: DeviceArray, missing: Any, nrows: int, ncols: int) -> DeviceMatrix:
        where, held = self.entries(self._present(dense, missing))
        if where.size == 0:
            return self.backend.empty((nrows, ncols), dense.dtype)
        indices, indptr = (self.device.empty(k, INDEX) for k in (where.size, nrows + 1))
        self.launch("split_rows", where.size, np.int32(nrows), np.int32(ncols),
                    np.int32(where.size), where, indices, indptr)  # fmt: skip
        return DeviceMatrix((nrows, ncols), dense.dtype, where.size, indptr, indices, held)

    # --- out ---------------------------------------------------------------------------------
    def matrix_rows(self, A: DeviceMatrix, one_type: bool = False) -> tuple[Any, Any, Any]:
        """(indptr, indices, values) for other libraries, sharing the memory; a single value for all
        entries is repeated."""
        values = self.converted(A.values[:1], A.dtype, A.nnz) if A.iso else A.values[: A.nnz]
        indices = A.indices[: A.nnz]
        indices = self.converted(indices, A.offset) if one_type else indices
        export = self.device.export
        return export(A.indptr), export(indices), export(values)

    def matrix_sparse(self, A: DeviceMatrix) -> Any:
        return self.device.sparse(A.shape, *self.matrix_rows(A, one_type=True))

    def vector_values(self, v: DeviceVector) -> Any:
        return self.device.export(v.values[: v.size])

    def vector_entries(self, v: DeviceVector) -> tuple[Any, Any]:
        index, values = self.entries(v)
        return self.device.export(index), self.device.export(values)

    def dlpack_device(self) -> tuple[int, int]:
        return CUDA_DEVICE, self.device.ordinal

    def wrap(self, thing: Any) -> NoReturn:
        raise UnsupportedOperation("python-graphblas objects live on the CPU backend only")

    unwrap = wrap

    def entries(self, v: DeviceVector) -> tuple[DeviceArray, DeviceArray]:
        """(indices, values) in increasing order of index, gathered on the device. Waits for the
        number of entries."""
        count = self.backend.products.count(v)
        if count == 0:
            return self.device.zeros(0, INDEX), self.device.zeros(0, v.dtype)
        listed = self.backend.products.listing(v)[:count]
        index, values = self.device.empty(count, INDEX), self.device.empty(count, v.dtype)
        n = np.int64(count)
        self.launch("pick<int, long long>", count, n, self.device.argsort(listed), listed, index)
        self.launch(f"pick<{types.c_name(v.dtype)}, int>", count, n, index, v.values, values)
        return index, values

    def host_entries(self, v: DeviceVector) -> Entries:
        """(indices, values) on the host. They are gathered on the device if it has room, unless the
        vector is small."""
        download = self.device.download
        if v.full:
            return np.arange(v.size), download(v.values[: v.size])  # synchronize!
        if v.size > self.read_whole:
            with suppress(TooLarge):
                index, values = self.entries(v)
                return download(index).astype(np.int64), download(values)  # synchronize!
        at = positions(download(v.bits), v.size)  # synchronize!
        return at, download(v.values)[at]  # synchronize!

    def vector_dense(self, v: DeviceVector, fill: Any, dtype: np.dtype) -> Any:
        """All positions as a new device array of type ``dtype``, with ``fill`` where there is no
        entry."""
        return self.device.export(self._filled(v, fill, dtype))

    def _filled(self, v: DeviceVector, fill: Any, dtype: np.dtype) -> DeviceArray:
        made = self.device.empty(max(1, v.size), dtype)
        name = f"fill_gaps<{types.c_name(v.dtype)}, {types.c_name(dtype)}>"
        self.launch(name, v.size, np.int32(v.size), v.bits, v.values, types.cast(fill, dtype), made)
        return made[: v.size]

    def dense_array(self, v: Vector, fill: Any, dtype: np.dtype) -> np.ndarray | None:
        """Lowers ``dense_array``: gaps are filled before the values are copied to the host. None if
        values change their type, or none is missing, of a small vector, and without room."""
        store: DeviceVector = v._store
        small = store.size <= self.read_whole
        if small or store.full or dtype != store.dtype or types.is_record(dtype):
            return None
        with suppress(TooLarge):
            return self.device.download(self._filled(store, fill, dtype))  # synchronize!
        return None

    def few_ancestors(self, parent: Vector, vertex: int) -> list[int] | None:
        """A vertex and its ancestors up to a root; None if there are too many, if the chain is
        broken, or if there is no room for it. Waits."""
        v: DeviceVector = parent._store
        if v.dtype != types.INT64:
            return None
        room = min(v.size, LEAST_FOLLOWED + v.size // FOLLOWED_DIVISOR)
        try:
            found = self.device.empty(1 + room, INDEX)
        except TooLarge:
            return None
        self.launch("list_ancestors", 1, np.int32(v.size), v.bits, v.values, np.int32(vertex),
                    np.int32(room), found)  # fmt: skip
        count, *chain = self.device.download(found).tolist()  # synchronize!
        return None if count < 0 else chain[:count]

    # --- one entry ---------------------------------------------------------------------------
    def element(self, A: DeviceMatrix, row: int, column: int) -> Any:
        """The value at one position, or None, by a binary search on the device. Waits."""
        if A.nnz == 0:
            return None
        at = self.device.empty(1, np.int64)
        name = f"find_entry<{types.c_name(A.offset)}>"
        self.launch(name, 1, np.int32(row), np.int32(column), A.indptr, A.indices, at)
        found = int(self.device.download(at)[0])  # synchronize!
        if found < 0:
            return None
        found = 0 if A.iso else found
        return self.device.download(A.values[found : found + 1])[0].item()  # synchronize!
