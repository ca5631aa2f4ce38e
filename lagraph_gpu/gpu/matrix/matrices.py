"""Operations that yield a matrix: apply, select, scaling by a diagonal, transpose.

One thread processes each stored entry. If all entries are kept, the result shares the structure of
its operand, because stored matrices are never changed. A mask with exactly the same entries is
applied without a search. Operations on two matrices, which are element-wise operations and the
write-back through a mask, are in ``ewise_matrix``; products are in ``gpu/spgemm``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.gpu.device import DeviceArray, lower
from lagraph_gpu.gpu.matrix.ewise_matrix import EwiseMatrix
from lagraph_gpu.gpu.matrix.indexed import MatrixParts
from lagraph_gpu.gpu.spgemm.matrix_products import MatrixProducts
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.matrix_storage import Kept, Pattern
from lagraph_gpu.notation import Matrix, Vector, expressions
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.selector import Selector
from lagraph_gpu.notation.update import Update
from semirings import INDEXUNARY, BinaryOp, IndexUnaryOp, Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

INDEXED = "matrix/indexed.cuh"
ENTRIES = "matrix/entries.cuh"


UNREAD = np.bool_(False)
"""The argument in place of a number that an Entry does not read."""


GATHER = 2
"""If there are more entries in a row on average, the rows selected by a vector are gathered
first."""


class MatrixOperations:
    """Computes matrix expressions into new stores. The field ``gather`` is for tests."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.merges, self.parts = EwiseMatrix(backend), MatrixParts(backend)
        self.products, self.gather = MatrixProducts(backend), GATHER

    def updated(self, update: Update) -> DeviceMatrix:
        """The contents of out after out⟨mask, replace⟩ accum= expression."""
        node, out = update.expression, update.out
        mask, onto = update.mask, update.accum is not None or update.region is not None
        alone = mask is None and not onto
        dtype, inside = out.dtype if alone else node.dtype, False
        if isinstance(node, expressions.Fill):
            T = self.parts.filled(update, dtype)
        elif isinstance(node, expressions.Product) and mask is not None and update.region is None:
            T, inside = self._product(node, mask)
        else:
            T = self.compute(node, dtype)
            if update.region is not None:
                T = self.parts.spread(T, update.region, out.shape)
        if mask is not None and not onto and (update.replace or out._store.nnz == 0):
            alike = T.entries_of(mask.handle._store) and not (mask.structure and mask.complement)
            if alike and not inside:
                T, inside = T if mask.structure else self._within(T, mask), True
            if inside:
                return T if T.dtype == out.dtype else self.cast(T, out.dtype)
        return T if alone else self.merges.write_back(update, T)

    def operand(self, operand: Any) -> tuple[DeviceMatrix, bool]:
        """A matrix operand's store, and True if it is to be read transposed."""
        match operand:
            case expressions.Transposed():
                return operand.matrix._store, True
            case expressions.Expression():
                return operand.new()._store, False
        return operand._store, False

    def plain(self, operand: Any) -> DeviceMatrix:
        A, transposed = self.operand(operand)
        return self.transpose(A) if transposed else A

    def compute(self, node: expressions.Expression, dtype: np.dtype) -> DeviceMatrix:
        match node:
            case expressions.Product():
                made, _ = self._product(node)
            case expressions.Ewise():
                left, right = self.plain(node.left), self.plain(node.right)
                return self.merges.ewise(node, left, right, dtype)
            case expressions.Apply():
                return self._applied(node, self.plain(node.operand), dtype)
            case expressions.Select():
                A = self.plain(node.operand)
                kept = self._selected(A, node.op, node.thunk_type, node.thunk)
                made = A if kept.total == A.nnz else self.moved(A, kept)
            case expressions.Extract():
                made = self.parts.extract(node)
            case expressions.OfVector():
                made = self.parts.of_vector(node)
            case Selector():
                made = self.parts.selector(node)
            case expressions.Kronecker():
                made = self.parts.kronecker(node)
            case _:
                raise UnsupportedOperation(
                    f"the GPU backend has no {type(node).__name__} into a matrix; "
                    "move the operands with .to('cpu') to use it there"
                )
        return made if dtype == made.dtype else self.cast(made, dtype)

    def _product(
        self, node: expressions.Product, mask: Mask | None = None
    ) -> tuple[DeviceMatrix, bool]:
        """A ⊕.⊗ B, and whether it has entries only where the mask is true.

        A product with a diagonal matrix scales rows or columns, and does not use the mask.
        """
        left, (right, flipped) = self.plain(node.left), self.operand(node.right)
        if left.diagonal is not None:
            B = self.transpose(right) if flipped else right
            return self._scaled(node, B, left.diagonal, True), mask is None
        if right.diagonal is not None:
            return self._scaled(node, left, right.diagonal, False), mask is None
        if mask is not None and not mask.complement:
            return self.products.within.compute(node, left, right, flipped, mask), True
        return self.products.compute(node, left, right, flipped, mask), True

    def _applied(self, node: expressions.Apply, A: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        if node.op is lower.IDENTITY and node.input == A.dtype == dtype:
            return A
        scalar, bound_left = node.bound_type, node.bound_left
        algebra = lower.entry_apply_struct(
            node.op, A.dtype, node.input, scalar, bound_left, dtype, A.offset
        )
        free = (node.op.elementwise if isinstance(node.op, BinaryOp) else node.op).parsed.free
        alike = A.iso or ("y" if bound_left else "x") not in free
        iso = alike and free.isdisjoint({"i", "j"})
        return self._mapped(A, algebra, dtype, None, number(node.bound, scalar), iso)

    def cast(self, A: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        return self._mapped(A, _moving(A, dtype), dtype, None, A.dtype.type(0), A.iso)

    def _mapped(
        self, A: DeviceMatrix, algebra: str, dtype: np.dtype, d: DeviceVector | None, thunk: Any,
        iso: bool = False,
    ) -> DeviceMatrix:  # fmt: skip
        """A matrix with the same structure and the values of the generated Entry (see entries.cuh);
        if ``iso``, with the first of these values for all entries."""
        if iso and A.stays_packed:
            packing = self.backend.packing
            one = self._mapped(packing.one_entry(A), algebra, dtype, d, thunk, True)
            return packing.with_value(A, one.values)
        count = min(1, A.nnz) if iso else A.nnz
        fresh = self.device.empty if count else self.device.zeros  # as DeviceMatrix.allocated
        values = fresh(max(1, count), dtype)
        self._launch("map_entries", A, count, algebra, d, thunk, values)
        return A.with_values(values, iso)

    def _scaled(
        self, node: expressions.Product, A: DeviceMatrix, d: DeviceVector, diagonal_left: bool
    ) -> DeviceMatrix:
        algebra = lower.scaling_struct(node.semiring, A.dtype, d.dtype, A.offset, diagonal_left)
        if d.full or A.nnz == 0:
            return self._mapped(A, algebra, node.dtype, d, UNREAD)
        if diagonal_left and self._gathers(A):
            return self._rows_taken(A, algebra, node.dtype, d)
        if (kept := self._marked(A, algebra, d, UNREAD)).total == A.nnz:
            return self._mapped(A, algebra, node.dtype, d, UNREAD)
        return self._moved(A, kept, algebra, node.dtype, d, UNREAD)

    def _gathers(self, A: DeviceMatrix) -> bool:
        """True if rows are so long on average that reading all row lengths costs less than reading
        the entries of rows that are not selected."""
        return A.nnz > self.gather * A.shape[0]

    def _rows_taken(
        self, A: DeviceMatrix, algebra: str, dtype: np.dtype, d: DeviceVector
    ) -> DeviceMatrix:
        """The rows of A at which d has an entry, with the values of the generated Entry. If they
        are few, hardly more than the row lengths is read. Waits."""
        device, n, offset = self.device, A.shape[0], A.offset
        lengths = device.empty(n, offset)
        self.backend.launch(INDEXED, "", f"lengths_of_rows<{types.c_name(offset)}>", n,
                            np.int32(n), d.bits, A.indptr, lengths)  # fmt: skip
        indptr = self.backend.prefix_sums.begins(lengths, offset)
        total = int(device.download(indptr[n:])[0])  # synchronize!
        if total == A.nnz:
            return self._mapped(A, algebra, dtype, d, UNREAD)
        result = DeviceMatrix.allocated(device, A.shape, dtype, total, offset)
        result.indptr, result.pattern.max_degree = indptr, A.pattern.max_degree
        self.backend.launch(
            INDEXED, algebra, "take_rows<Entry>", total, offset.type(total), np.int32(n),
            indptr, A.arrays(), d.bits, d.values, UNREAD, result.indices, result.values,
        )  # fmt: skip
        return result

    def edges_by_label(self, label: Vector, A: Matrix, compare: Semiring | None = None) -> Matrix:
        """Lowers ``edges_by_label``, and without ``compare`` ``edges_among``. Waits once, or twice
        if rows are gathered first."""
        return self.backend.as_matrix(self._edges_that(label._store, A._store, compare))

    def _edges_that(
        self, label: DeviceVector, A: DeviceMatrix, compare: Semiring | None
    ) -> DeviceMatrix:
        algebra = lower.ends_struct(compare, A.dtype, label.dtype, A.offset)
        if not label.full and self._gathers(A):
            A = self._rows_taken(A, algebra, A.dtype, label)
        kept = self._marked(A, algebra, label, UNREAD)
        return A if kept.total == A.nnz else self._moved(A, kept, algebra, A.dtype, label, UNREAD)

    def _selected(self, A: DeviceMatrix, op: IndexUnaryOp, kind: np.dtype, thunk: Any) -> Kept:
        """The entries for which op is true. Waits."""
        algebra = lower.entry_select_struct(op, A.dtype, kind, A.offset)
        return self._marked(A, algebra, None, kind.type(thunk))

    def _within(self, T: DeviceMatrix, mask: Mask) -> DeviceMatrix:
        """The entries of a matrix for which a mask by value, with the same structure, is true.
        Waits."""
        op = INDEXUNARY["valueeq" if mask.complement else "valuene"]
        M = mask.handle._store
        return self.moved(T, self._selected(M, op, M.dtype, 0))

    def _marked(self, A: DeviceMatrix, algebra: str, d: DeviceVector | None, thunk: Any) -> Kept:
        """The entries that the generated Entry keeps. Waits."""
        count = words(A.nnz)
        bits, counts = self.device.empty(count, WORD), self.device.zeros(count, A.offset)
        self._launch("mark_entries", A, A.nnz, algebra, d, thunk, bits, counts)
        return Kept(bits, *self.backend.prefix_sums.total(counts, A.offset))  # synchronize!

    def moved(self, A: DeviceMatrix, kept: Kept) -> DeviceMatrix:
        """A matrix of the kept entries, unchanged."""
        return self._moved(A, kept, _moving(A, A.dtype), A.dtype, None, A.dtype.type(0))

    def moved_at_most(
        self, A: DeviceMatrix, bits: DeviceArray, ends: DeviceArray, most: int
    ) -> DeviceMatrix:
        """The same, where at most so many entries are kept. Waits for their number when all work is
        under way; the arrays may have room for some more."""
        made = self.moved(A, Kept(bits, ends, most))
        total = int(self.device.download(ends[ends.size - 1 :])[0])  # synchronize!
        if 2 * total <= most:
            return self.moved(A, Kept(bits, ends, total))
        result = DeviceMatrix(
            A.shape, A.dtype, total, made.indptr, made.indices[:total], made.values[:total]
        )
        result.pattern.max_degree = A.pattern.max_degree
        return result

    def _moved(
        self, A: DeviceMatrix, kept: Kept, algebra: str, dtype: np.dtype, d: DeviceVector | None,
        thunk: Any,
    ) -> DeviceMatrix:  # fmt: skip
        """A matrix of the kept entries, with the values of the generated Entry."""
        result = DeviceMatrix.allocated(self.device, A.shape, dtype, kept.total, A.offset)
        result.pattern.max_degree = A.pattern.max_degree
        self._launch("move_entries", A, A.nnz, algebra, d, thunk, kept.bits, kept.ends,
                     result.indptr, result.indices, result.values)  # fmt: skip
        return result

    def _launch(
        self, kernel: str, A: DeviceMatrix, count: int, algebra: str, d: DeviceVector | None,
        thunk: Any, *out: DeviceArray,
    ) -> None:  # fmt: skip
        """Launch a kernel on the first ``count`` entries."""
        vector = (None, None) if d is None else (d.present, d.values)
        self.backend.launch(
            ENTRIES, algebra, f"{kernel}<Entry>", max(count, A.shape[0] + 1),
            A.offset.type(count), np.int32(A.shape[0]), A.arrays(), *vector, thunk, *out,
        )  # fmt: skip

    def transpose(self, A: DeviceMatrix) -> DeviceMatrix:
        """Aᵀ by rows, by a stable sort of the entries by column. It is kept with A."""
        if A.transposed is not None:
            return A.transposed
        device, offset = self.device, A.offset
        nrows, ncols = A.shape
        result = DeviceMatrix(
            (ncols, nrows),
            A.dtype,
            A.nnz,
            device.zeros(ncols + 1, offset),
            device.empty(max(1, A.nnz), INDEX),
            A.values if A.iso else device.empty(max(1, A.nnz), A.dtype),
            A.iso,
            pattern=Pattern(n_connected=A.pattern.n_connected),
        )
        if A.nnz > 0:
            self._fill_transposed(A, result)
        A.transposed, result.transposed = result, A  # last: a failure above leaves A as it was
        return result

    def _fill_transposed(self, A: DeviceMatrix, made: DeviceMatrix) -> None:
        device, offset = self.device, A.offset
        name = types.c_name(offset)
        made.indptr = self.column_begins(A, offset)
        order = device.argsort(A.indices[: A.nnz])
        values = (None, None) if A.iso else (A.values, made.values)
        self.backend.launch(
            ENTRIES, "", f"move_transposed<{name}, {types.c_name(A.dtype)}>", A.nnz,
            offset.type(A.nnz), self.rows_of_entries(A), values[0], order, made.indices, values[1],
        )  # fmt: skip

    def column_begins(self, A: DeviceMatrix, offset: np.dtype) -> DeviceArray:
        """The row offsets of Aᵀ, which need not be computed for that."""
        if A.transposed is not None:
            return self.merges.widened(A.transposed, offset)
        ncols, device = A.shape[1], self.device
        counts = device.zeros(ncols, offset)
        self.backend.launch(ENTRIES, "", f"count_columns<{types.c_name(offset)}>", A.nnz,
                            offset.type(A.nnz), A.indices, counts)  # fmt: skip
        return self.backend.prefix_sums.begins(counts, offset)

    def rows_of_entries(self, A: DeviceMatrix) -> DeviceArray:
        rows, name = self.device.empty(max(1, A.nnz), INDEX), types.c_name(A.offset)
        self.backend.launch(ENTRIES, "", f"rows_of_entries<{name}>", A.nnz,
                            A.offset.type(A.nnz), np.int32(A.shape[0]), A.indptr, rows)  # fmt: skip
        return rows


def _moving(A: DeviceMatrix, dtype: np.dtype) -> str:
    """The Entry whose values are those of A in this type."""
    return lower.entry_apply_struct(
        lower.IDENTITY, A.dtype, A.dtype, A.dtype, False, dtype, A.offset
    )
