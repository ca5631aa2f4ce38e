"""A ⊕.⊗ B where A has few rows and many products: each row as a product of a vector.

So the entries of each row are pushed, or if that is less work the wanted columns pull, whatever the
mask is; the planner chooses for each row. Beside the result there are, for one row at a time, the
vectors of A, the mask and C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device.port import DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import WORD, DeviceVector, offset_for, words
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.planning.trace import explaining, laws_of, tell
from semirings import types
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

INDEXED = "matrix/indexed.cuh"
ROW_BY_ROW = "spgemm/row_by_row.cuh"

FEW_ROWS = 256
"""More rows are done at once."""

MANY_PRODUCTS = 1 << 21
"""A row of its own, with a dozen kernels, is worth as many products on average."""

LAW = "{products} products in {rows} rows, on average {many} or more in each"


@dataclass(frozen=True)
class RowProduct:
    """A row of a product, as products of vectors know one."""

    semiring: Semiring
    dtype: np.dtype
    shape: tuple[int]
    early_exit: bool
    kind = "vxm"


@dataclass(frozen=True)
class Where:
    """A mask of matrices: its entries, which of them are true if that counts, and what to xor with
    for a complemented one."""

    mask: DeviceMatrix
    truth: DeviceArray | None
    flip: np.uint32


class RowByRow:
    """Computes products of a matrix of few rows."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.many_products = MANY_PRODUCTS

    def may_pay(self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool) -> bool:
        """Are there few rows, and possibly enough products? A row's number must not count."""
        if A.shape[0] > FEW_ROWS or "i" in node.semiring.multiply.parsed.free:
            return False
        B = X.transposed if flipped else X
        longest = None if B is None else B.pattern.max_degree
        max_entries = A.nnz * (min(X.nnz, node.shape[1]) if longest is None else longest)
        return max_entries >= self.many_products * A.shape[0]

    def compute(
        self, node: Product, A: DeviceMatrix, B: DeviceMatrix, products: DeviceArray,
        mask: Mask | None,
    ) -> DeviceMatrix | None:  # fmt: skip
        """A ⊕.⊗ B where the mask is true, given the products of each row; None if they are too few,
        or if there is no memory for as many entries as there may be. Two waits, or one for None."""
        device, (nrows, ncols), semiring = self.device, node.shape, node.semiring
        counts = device.download(products)  # synchronize!
        total = int(counts.sum())
        if total < self.many_products * nrows:
            return None
        max_entries, where = int(np.minimum(counts, ncols).sum()), self._where(mask)
        if where is not None and not where.flip:
            max_entries = min(max_entries, where.mask.nnz)
        try:
            made = DeviceMatrix.allocated(
                device, (nrows, ncols), node.dtype, max_entries, offset_for(max_entries)
            )
        except TooLarge:
            return None  # whoever counts first may find that there are fewer
        made.indptr = device.zeros(nrows + 1, made.offset)
        if explaining():
            tell(f"matrix product {semiring.name}", "row by row", LAW, None, laws_of(semiring,
                 node.dtype), products=total, rows=nrows, many=self.many_products)  # fmt: skip
        row = RowProduct(semiring, node.dtype, (ncols,), node.early_exit)
        for i, count in enumerate(counts.tolist()):
            found = None
            if count:
                u = self._row(A, i)
                u.meets(B)
                u.edges = count
                found = self.backend.products.multiply(row, u, B, self._bits(where, i))
            self._append(i, found, made)
        return made.shortened(device, int(device.download(made.indptr)[nrows]))  # synchronize!

    def _row(self, A: DeviceMatrix, i: int) -> DeviceVector:
        """Row i of a matrix."""
        result = DeviceVector.empty(self.device, A.shape[1], A.dtype)
        name = f"row_to_vector<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"
        self.backend.launch(INDEXED, "", name, A.nnz, np.int32(i), A.arrays(), result.bits,
                            result.values)  # fmt: skip
        return result

    def _where(self, mask: Mask | None) -> Where | None:
        if mask is None:
            return None
        M: DeviceMatrix = mask.handle._store
        truth = None if mask.structure else self.backend.matrices.merges.truth(M)
        return Where(M, truth, np.uint32(0xFFFFFFFF if mask.complement else 0))

    def _bits(self, where: Where | None, i: int) -> Bits:
        """Row i of a mask, as kernels take that of a vector."""
        if where is None:
            return None, np.uint32(0)
        M, bits = where.mask, self.device.zeros(words(where.mask.shape[1]), WORD)
        self.backend.launch(ROW_BY_ROW, "", f"row_columns<{types.c_name(M.offset)}>", M.nnz,
                            np.int32(i), M.indptr, M.indices, where.truth, bits)  # fmt: skip
        return bits, where.flip

    def _append(self, i: int, found: DeviceVector | None, made: DeviceMatrix) -> None:
        """What was found, if anything, becomes row i, behind the rows before it."""
        n = made.shape[1]
        name = f"append_row<{types.c_name(made.offset)}, {types.c_name(made.dtype)}>"
        entries: tuple[DeviceArray | None, ...] = None, None, None
        if found is not None:
            entries = found.bits, found.values, self.backend.matrices.parts.ends(found)
        self.backend.launch(ROW_BY_ROW, "", name, n if found is not None else 1, np.int32(i),
                            np.int32(n), *entries, made.indptr, made.indices,
                            made.values)  # fmt: skip
