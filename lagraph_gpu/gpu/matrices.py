"""Operations that yield a matrix: apply, select, scaling by a diagonal, transpose.

One thread for each stored entry. What looks at two matrices at once, as element-wise operations and
the write-back through a mask do, is in ``merges``; general products are in ``matrix_products``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.checks import number
from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.expr import (
    Apply,
    Ewise,
    Expression,
    Extract,
    Fill,
    Kronecker,
    OfVector,
    Product,
    Select,
    Transposed,
)
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.matrix_products import MatrixProducts
from lagraph_gpu.gpu.merges import MatrixMerges
from lagraph_gpu.gpu.parts import MatrixParts
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, running_sum, words
from lagraph_gpu.mask import Mask
from lagraph_gpu.selector import Selector
from lagraph_gpu.update import Update
from semirings import types
from semirings.algebra import BinaryOp

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend


class MatrixOperations:
    """Computes matrix expressions into fresh stores."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.merges, self.parts = MatrixMerges(backend), MatrixParts(backend)
        self.products = MatrixProducts(backend)

    def updated(self, update: Update) -> DeviceMatrix:
        """What out holds after out⟨mask, replace⟩ accum= expression."""
        node, out = update.expression, update.out
        alone = update.mask is None and update.accum is None and update.region is None
        dtype = out.dtype if alone else node.dtype
        if isinstance(node, Fill):
            T = self.parts.filled(update, dtype)
        elif isinstance(node, Product) and update.mask is not None and update.region is None:
            T, inside = self._product(node, update.mask)
            if inside and update.accum is None and (update.replace or out._store.nnz == 0):
                return T if T.dtype == out.dtype else self.cast(T, out.dtype)
        else:
            T = self.compute(node, dtype)
            if update.region is not None:
                T = self.parts.spread(T, update.region, out.shape)
        return T if alone else self.merges.write_back(update, T)

    def operand(self, operand: Any) -> tuple[DeviceMatrix, bool]:
        """A matrix operand's store, and whether it is to be read transposed."""
        match operand:
            case Transposed():
                return operand.matrix._store, True
            case Expression():
                return operand.new()._store, False
        return operand._store, False

    def plain(self, operand: Any) -> DeviceMatrix:
        A, transposed = self.operand(operand)
        return self.transpose(A) if transposed else A

    def compute(self, node: Expression, dtype: np.dtype) -> DeviceMatrix:
        match node:
            case Product():
                made, _ = self._product(node)
            case Ewise():
                left, right = self.plain(node.left), self.plain(node.right)
                return self.merges.ewise(node, left, right, dtype)
            case Apply():
                return self._applied(node, self.plain(node.operand), dtype)
            case Select():
                A = self.plain(node.operand)
                thunk = node.thunk_type
                algebra = lower.entry_select_struct(node.op, A.dtype, thunk, A.offset)
                made = self._kept(A, algebra, A.dtype, None, thunk.type(node.thunk))
            case Extract():
                made = self.parts.extract(node)
            case OfVector():
                made = self.parts.of_vector(node)
            case Selector():
                made = self.parts.selector(node)
            case Kronecker():
                made = self.parts.kronecker(node)
            case _:
                raise UnsupportedOperation(
                    f"the GPU backend has no {type(node).__name__} into a matrix; "
                    "move the operands with .to('cpu') to use it there"
                )
        return made if dtype == made.dtype else self.cast(made, dtype)

    def _product(self, node: Product, mask: Mask | None = None) -> tuple[DeviceMatrix, bool]:
        """A ⊕.⊗ B, and whether it has entries only where the mask is true.

        One with a diagonal matrix scales rows or columns, wherever they are.
        """
        left, (right, flipped) = self.plain(node.left), self.operand(node.right)
        if left.diagonal is not None:
            B = self.transpose(right) if flipped else right
            return self._scaled(node, B, left.diagonal, True), mask is None
        if right.diagonal is not None:
            return self._scaled(node, left, right.diagonal, False), mask is None
        return self.products.compute(node, left, right, flipped, mask), True

    def cast(self, A: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        return self._mapped(A, lower.IDENTITY, A.dtype, A.dtype, False, None, dtype)

    def _applied(self, node: Apply, A: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        scalar = node.bound_type
        return self._mapped(A, node.op, node.input, scalar, node.bound_left, node.bound, dtype)

    def _mapped(
        self, A: DeviceMatrix, op: Any, operand: np.dtype, scalar: np.dtype, bound_left: bool,
        bound: Any, dtype: np.dtype,
    ) -> DeviceMatrix:  # fmt: skip
        """The same structure with new values; one for all, if all are alike."""
        free = (op.elementwise if isinstance(op, BinaryOp) else op).parsed.free
        iso = not free & {"i", "j"} and (A.iso or ("y" if bound_left else "x") not in free)
        count = min(A.nnz, 1) if iso else A.nnz
        algebra = lower.entry_apply_struct(
            op, A.dtype, operand, scalar, bound_left, dtype, A.offset
        )
        values = self.device.empty(max(1, count), dtype)
        self.backend.launch(
            "entries.cuh", algebra, "map_entries<Entry>", count, A.offset.type(count),
            np.int32(A.shape[0]), *A.arrays(), number(bound, scalar), values,
        )  # fmt: skip
        return A.with_values(values, iso)

    def _scaled(
        self, node: Product, A: DeviceMatrix, d: DeviceVector, diagonal_left: bool
    ) -> DeviceMatrix:
        algebra = lower.scaling_struct(node.semiring, A.dtype, d.dtype, A.offset, diagonal_left)
        return self._kept(A, algebra, node.dtype, d, np.bool_(False))

    def _kept(
        self, A: DeviceMatrix, algebra: str, dtype: np.dtype, d: DeviceVector | None, thunk: Any
    ) -> DeviceMatrix:
        """The entries that the generated Entry keeps, with its values (see entries.cuh)."""
        device, offset = self.device, A.offset
        count = words(A.nnz)
        kept, counts = device.zeros(count, WORD), device.zeros(count, offset)
        vector = (None, None) if d is None else (d.bits, d.values)
        head = offset.type(A.nnz), np.int32(A.shape[0]), *A.arrays(), *vector, thunk
        self.backend.launch(
            "entries.cuh", algebra, "mark_entries<Entry>", A.nnz, *head, kept, counts
        )
        ends, total = running_sum(device, counts, offset)  # synchronize!
        made = DeviceMatrix.allocated(device, A.shape, dtype, total, offset)
        made.max_degree = A.max_degree
        work = max(A.nnz, A.shape[0] + 1)
        self.backend.launch("entries.cuh", algebra, "move_entries<Entry>", work, *head, kept, ends,
                            made.indptr, made.indices, made.values)  # fmt: skip
        return made

    def transpose(self, A: DeviceMatrix) -> DeviceMatrix:
        """Aᵀ by rows: a stable sort of the entries by column, kept for the next time."""
        if A.transposed is not None:
            return A.transposed
        device, offset = self.device, A.offset
        nrows, ncols = A.shape
        made = DeviceMatrix(
            (ncols, nrows),
            A.dtype,
            A.nnz,
            device.zeros(ncols + 1, offset),
            device.empty(max(1, A.nnz), INDEX),
            A.values if A.iso else device.empty(max(1, A.nnz), A.dtype),
            A.iso,
            used=A.used,
        )
        if A.nnz > 0:
            self._fill_transposed(A, made)
        made.transposed, A.transposed = A, made  # last: a failure above leaves A as it was
        return made

    def _fill_transposed(self, A: DeviceMatrix, made: DeviceMatrix) -> None:
        device, offset = self.device, A.offset
        nrows, ncols = A.shape
        name = types.c_name(offset)
        counts = device.zeros(ncols, offset)
        self.backend.launch("entries.cuh", "", f"count_columns<{name}>", A.nnz, offset.type(A.nnz),
                            A.indices, counts)  # fmt: skip
        device.cumsum(counts, made.indptr[1 : ncols + 1])
        order = device.argsort(A.indices[: A.nnz])
        values = (None, None) if A.iso else (A.values, made.values)
        self.backend.launch(
            "entries.cuh", "", f"move_transposed<{name}, {types.c_name(A.dtype)}>", A.nnz,
            offset.type(A.nnz), np.int32(nrows), A.indptr, values[0], order, made.indices,
            values[1],
        )  # fmt: skip
