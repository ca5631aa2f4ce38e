"""Parts of matrices, and matrices made of parts: extraction, placing of an assignment, tiles,
vectors as matrices and the reverse, Kronecker products (see indexed.cuh).

Moving whole rows is one gather by an index. Columns are moved as rows of the transpose.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.matrix_storage import Pattern
from lagraph_gpu.gpu.storage.vector_storage import (
    SIZE,
    at_least_one,
    indices_of,
    offset_for,
    widest,
)
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Diagonal, Extract, Fill, Kronecker, OfVector, Shape
from lagraph_gpu.notation.indexing import Region
from lagraph_gpu.notation.selector import Selector, expect_columns
from lagraph_gpu.notation.update import Update
from semirings import types

COORDINATES = "matrix/coordinates.cuh"
INDEXED = "matrix/indexed.cuh"
ROW_BY_ROW = "spgemm/row_by_row.cuh"

STEPS = {"row": (0, 1), "column": (1, 0), "diagonal": (1, 1)}
"""The distance in rows and in columns between the entries of two neighbouring positions of a
vector."""


class MatrixParts(BackendPart):
    """Computes parts of stored matrices, and matrices of parts, into new stores."""

    @cached_property
    def _true(self) -> DeviceArray:
        return self.device.upload(np.ones(1, types.BOOL))

    def of_few(
        self, shape: Shape, row: np.ndarray, column: np.ndarray, values: np.ndarray, iso: bool
    ) -> DeviceMatrix:
        """The matrix of these entries, which are sorted, and are few for its rows."""
        upload, offset = self.device.upload, offset_for(row.size)
        begins = np.flatnonzero(np.diff(row, prepend=-1, append=-1))
        indptr = self.device.empty(shape[0] + 1, offset)
        self.backend.launch(
            COORDINATES, "", f"begin_few_rows<{types.c_name(offset)}>", shape[0] + 1,
            np.int32(shape[0]), np.int64(row.size), upload(at_least_one(row.astype(INDEX))), indptr,
        )  # fmt: skip
        return DeviceMatrix(
            (shape[0], shape[1]), values.dtype, row.size, indptr,
            upload(at_least_one(column.astype(INDEX))),
            upload(at_least_one(values[:1] if iso else values)), iso,
            Pattern(int(np.diff(begins).max(initial=0))),
        )  # fmt: skip

    # --- rows and columns by an index --------------------------------------------------------
    def extract(self, node: Extract) -> DeviceMatrix:
        """A(I, J). Either list may name a position twice."""
        A = self.backend.matrices.plain(node.operand)
        for number, (axis, size) in enumerate(zip(node.axes, A.shape)):
            if axis is None or _is_whole(index := indices_of(axis, size), size):
                continue
            A = self.gathered(A, number, self.device.upload(at_least_one(index)), index.size)
        return A

    def gathered(self, A: DeviceMatrix, axis: int, index: DeviceArray, count: int) -> DeviceMatrix:
        """A matrix whose row r (column r, on axis 1) is A's index[r], or empty if that is negative.
        Waits."""
        return (self._columns if axis else self._gathered)(A, index, count)

    def spread(self, T: DeviceMatrix, region: Region, shape: Shape) -> DeviceMatrix:
        """T as a matrix of ``shape``, with its rows and columns at the positions of the region."""
        rows, columns = (
            self.backend.inverse(axis, size) for axis, size in zip(region, shape, strict=True)
        )
        if columns is not None:
            T = self._columns(T, columns, shape[1])
        return T if rows is None else self._gathered(T, rows, shape[0])

    def _columns(self, A: DeviceMatrix, index: DeviceArray, count: int) -> DeviceMatrix:
        transpose = self.backend.matrices.transpose
        return transpose(self._gathered(transpose(A), index, count))

    def _gathered(self, A: DeviceMatrix, index: DeviceArray, count: int) -> DeviceMatrix:
        """A matrix whose row r is A's row index[r], or empty if that is negative. Waits."""
        degrees = self.device.zeros(max(1, count), SIZE)
        offset, rows = types.c_name(A.offset), np.int32(count)
        self.backend.launch(INDEXED, "", f"gather_degrees<{offset}>", count, rows, index,
                            A.indptr, degrees)  # fmt: skip
        result = self._sized((count, A.shape[1]), A.dtype, degrees, iso=A.iso)
        if A.iso:
            result.values = A.values
        if result.nnz:
            values = (None, None) if A.iso else (A.values, result.values)
            out = types.c_name(result.offset)
            self.backend.launch(
                INDEXED, "", f"gather_rows<{out}, {offset}, {types.c_name(A.dtype)}>",
                result.nnz, result.offset.type(result.nnz), rows, index, result.indptr, A.indptr,
                A.indices, values[0], result.indices, values[1],
            )  # fmt: skip
        return result

    def _sized(
        self, shape: Shape, dtype: np.dtype, degrees: DeviceArray, iso: bool = False
    ) -> DeviceMatrix:
        """An uninitialized matrix with rows of these lengths, and their offsets. Waits."""
        nrows = shape[0]
        _, total = self.backend.prefix_sums.total(degrees, SIZE)  # synchronize!
        offset = offset_for(total)
        indptr = self.backend.prefix_sums.begins(degrees[:nrows], offset)
        room = max(1, total)
        values = self.device.empty(1 if iso else room, dtype)
        indices = self.device.empty(room, INDEX)
        return DeviceMatrix((nrows, shape[1]), dtype, total, indptr, indices, values, iso)

    # --- tiles -------------------------------------------------------------------------------
    def concat(self, tiles: list[list[DeviceMatrix]], shape: Shape, dtype: np.dtype) -> Any:
        """A matrix of tiles: side by side in a band, and one band below another. O(entries log
        rows)."""
        room = self.device.zeros(max(1, shape[0]), SIZE)
        placed, row = [], 0
        for band in tiles:
            column = 0
            for tile in band:
                placed.append((tile, np.int32(row), np.int32(column)))
                column += tile.shape[1]
            row += band[0].shape[0]
        for tile, row_, _ in placed:
            self._add_degrees(tile, row_, room)
        result = self._sized(shape, dtype, room)
        next_free = self.backend.prefix_sums.begins(room, SIZE)
        for tile, row_, column_ in placed:
            names = map(types.c_name, (tile.offset, tile.dtype, dtype))
            self.backend.launch(
                INDEXED, "", f"place_tile<{', '.join(names)}>", tile.nnz,
                tile.offset.type(tile.nnz), np.int32(tile.shape[0]), row_, column_, tile.arrays(),
                next_free, result.indices, result.values,
            )  # fmt: skip
            self._add_degrees(tile, row_, next_free)
        return result

    def _add_degrees(self, tile: DeviceMatrix, row: np.int32, room: DeviceArray) -> None:
        name = f"add_degrees<{types.c_name(tile.offset)}>"
        self.backend.launch(INDEXED, "", name, tile.shape[0], np.int32(tile.shape[0]), row,
                            tile.indptr, room)  # fmt: skip

    # --- vectors and matrices ----------------------------------------------------------------
    def of_vector(self, node: OfVector) -> DeviceMatrix:
        u, shape = self.backend.vector(node.vector), (node.shape[0], node.shape[1])
        if node.form != "diagonal" or node.k != 0:
            return self._laid_out(u, shape, node.form, node.k)
        if u.shared:
            u = self.backend.copy(u)
        u.captured = True
        result = DeviceMatrix.later(shape, u.dtype, lambda: self._laid_out(u, shape, "diagonal", 0),
                                  pattern=Pattern(max_degree=1), diagonal=u)  # fmt: skip
        result.transposed = result
        return result

    def _laid_out(self, u: DeviceVector, shape: tuple[int, int], form: str, k: int) -> DeviceMatrix:
        ends, total = self.backend.prefix_sums.total(self._counted(u), SIZE)  # synchronize!
        result = DeviceMatrix.allocated(self.device, shape, u.dtype, total, offset_for(total))
        row_step, column_step = STEPS[form]
        name = f"lay_out<{types.c_name(result.offset)}, {types.c_name(u.dtype)}>"
        self.backend.launch(
            INDEXED, "", name, max(u.size, shape[0] + 1), np.int32(u.size), np.int32(shape[0]),
            np.int32(row_step), np.int32(max(0, -k)), np.int32(column_step),
            np.int32(max(0, k)), u.bits, u.values, ends, result.indptr, result.indices,
            result.values,
        )  # fmt: skip
        return result

    def stacked(self, rows: list[DeviceVector], ncols: int, dtype: np.dtype) -> DeviceMatrix:
        """The matrix with these rows. The number of entries of each is read, if it is unknown."""
        total = sum(map(self.backend.products.count, rows))  # synchronize!
        shape, offset = (len(rows), ncols), offset_for(total)
        made = DeviceMatrix.allocated(self.device, shape, dtype, total, offset)
        made.indptr = self.device.zeros(len(rows) + 1, offset)
        name = f"append_row<{types.c_name(offset)}, {types.c_name(dtype)}>"
        for i, row in enumerate(rows):
            self.backend.launch(
                ROW_BY_ROW, "", name, ncols, np.int32(i), np.int32(ncols), row.bits, row.values,
                self.ends(row), made.indptr, made.indices, made.values,
            )  # fmt: skip
        return made

    def ends(self, u: DeviceVector) -> DeviceArray:
        """The number of a vector's entries up to the end of each word of its bitmap."""
        return self.backend.prefix_sums.ends(self._counted(u), SIZE)

    def _counted(self, u: DeviceVector) -> DeviceArray:
        """The number of entries in each word of a vector's bitmap."""
        counts = self.device.zeros(words(u.size), SIZE)
        self.backend.launch(INDEXED, "", "count_bits", counts.size, np.int32(u.size), u.bits,
                            counts)  # fmt: skip
        return counts

    def numbered(self, used: Vector) -> Vector:
        """Lowers ``entry_numbers``."""
        u: DeviceVector = used._store
        bits = self.device.copy(u.bits)
        made = DeviceVector(u.size, types.INT64, bits, device=self.device, count=u.count)
        self.backend.launch(INDEXED, "", "number_entries", u.size, np.int32(u.size), bits,
                            self.ends(u), made.values)  # fmt: skip
        return self.backend.as_vector(made)

    def selector(self, node: Selector) -> DeviceMatrix:
        u, ncols = self.backend.vector(node.vector), node.ncols
        ends = None if u.full else self.ends(u)
        totals = self.device.zeros(2, np.uint64)
        indptr = self.device.empty(u.size + 1, INDEX)
        indices = self.device.empty(max(1, u.size), INDEX)
        self.backend.launch(
            INDEXED, "", f"choose<{types.c_name(u.dtype)}>", u.size + 1, np.int32(u.size),
            np.int32(ncols), u.present, u.values, ends, indptr, indices, totals,
        )  # fmt: skip
        total = u.size
        if not u.full or u.below is None or u.below > ncols:
            total, outside = self.device.download(totals).tolist()  # synchronize!
            expect_columns(outside > 0, ncols)
        result = DeviceMatrix(
            (u.size, ncols), types.BOOL, total, indptr, indices, self._true, True,
            Pattern(max_degree=1, long_rows=(0, indices)),
        )  # fmt: skip
        return result

    def line(self, node: Extract) -> DeviceVector:
        """A whole row or a whole column as a vector."""
        A, transposed = self.backend.matrices.operand(node.operand)
        row, column = node.axes[::-1] if transposed else node.axes
        if isinstance(column, int):
            return self._line(A, node.shape[0], 0, 0, column)
        assert isinstance(row, int)
        result = DeviceVector.empty(self.device, node.shape[0], A.dtype)
        name = f"row_to_vector<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"
        most = A.pattern.max_degree or A.shape[1]
        self.backend.launch(INDEXED, "", name, most, np.int32(row), A.arrays(), result.bits,
                            result.values)  # fmt: skip
        return result

    def diagonal(self, node: Diagonal) -> DeviceVector:
        A, transposed = self.backend.matrices.operand(node.operand)
        k = -node.k if transposed else node.k
        return self._line(A, node.shape[0], max(0, -k), 1, max(0, k))

    def _line(self, A: DeviceMatrix, n: int, row: int, step: int, column: int) -> DeviceVector:
        result = DeviceVector.empty(self.device, n, A.dtype)
        name = f"line_to_vector<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"
        self.backend.launch(INDEXED, "", name, n, np.int32(n), np.int32(row), np.int32(step),
                            np.int32(column), A.arrays(), result.bits, result.values)  # fmt: skip
        return result

    def row_lengths(self, A: Matrix) -> Vector | None:
        """Lowers ``row_lengths``. None for packed rows, for hypersparse containers, and without
        entries."""
        store = A._store
        if not isinstance(store, DeviceMatrix) or store.stays_packed or store.nnz == 0:
            return None
        n, lengths = A.nrows, DeviceVector.allocated(self.device, A.nrows, types.INT64)
        self.backend.launch(INDEXED, "", f"vector_of_lengths<{types.c_name(store.offset)}>", n,
                            np.int32(n), store.indptr, lengths.bits, lengths.values)  # fmt: skip
        return self.backend.as_vector(lengths)

    # --- blocks ------------------------------------------------------------------------------
    def filled(self, update: Update, dtype: np.dtype) -> DeviceMatrix:
        """A matrix with one value: at the entries of the mask, or over the whole region if the mask
        is complemented or missing.

        The structure of the mask is shared, not copied.
        """
        node: Fill = update.expression
        mask, shape = update.mask, update.out.shape
        value = self.device.upload(np.array([types.cast(node.value, dtype)], dtype))
        if mask is not None and not mask.complement:
            shared: DeviceMatrix = mask.handle._store
            return shared.with_values(value, iso=True)
        rows, columns = (
            None if axis is None else np.asarray(axis) for axis in update.region or (None, None)
        )
        width = shape[1] if columns is None else columns.size
        degrees = np.full(shape[0], width) if rows is None else np.zeros(shape[0], SIZE)
        if rows is not None:
            degrees[rows] = width
        indptr = np.concatenate([[0], np.cumsum(degrees)])
        nnz = int(indptr[-1])
        offset = offset_for(nnz)
        indices = self.device.empty(max(1, nnz), INDEX)
        if nnz:
            chosen = None if columns is None else self.device.upload(np.sort(columns).astype(INDEX))
            self.backend.launch(INDEXED, "", f"repeat_columns<{types.c_name(offset)}>", nnz,
                                offset.type(nnz), np.int32(width), chosen, indices)  # fmt: skip
        held = self.device.upload(indptr.astype(offset))
        return DeviceMatrix(shape, dtype, nnz, held, indices, value, iso=True)

    def kronecker(self, node: Kronecker) -> DeviceMatrix:
        plain = self.backend.matrices.plain
        A, B = plain(node.left), plain(node.right)
        A, B = self.backend.matrices.merges.same_offsets(A, B)
        nnz = A.nnz * B.nnz
        offset = widest(offset_for(nnz), A.offset)
        shape = node.shape[0], node.shape[1]
        result = DeviceMatrix.allocated(self.device, shape, node.dtype, nnz, offset)
        names = f"kronecker<Op, {types.c_name(A.offset)}, {types.c_name(offset)}>"
        sides = np.int32(B.shape[0]), np.int32(B.shape[1]), A.offset.type(B.nnz)
        self.backend.launch(
            INDEXED, lower.ewise_struct(node.op, A.dtype, B.dtype), names,
            max(nnz, shape[0] + 1), offset.type(nnz), np.int32(A.shape[0]), A.arrays(), *sides,
            B.arrays(), result.indptr, result.indices, result.values,
        )  # fmt: skip
        return result


def _is_whole(index: np.ndarray, size: int) -> bool:
    """True if the index names every position, in order."""
    return index.size == size and bool((index == np.arange(size)).all())
