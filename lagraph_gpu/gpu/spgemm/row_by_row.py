"""A ⊕.⊗ B if A has few rows and there are many products: each row is a product of a vector and B.

So the entries of each row are pushed, or the wanted columns are pulled if that is less work, for
any mask; the planner chooses for each row. Besides the result there are the vectors of A, the mask
and C for one row at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import offset_for
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits

INDEXED = "matrix/indexed.cuh"
ROW_BY_ROW = "spgemm/row_by_row.cuh"

FEW_ROWS = 256
"""A product with more rows is not computed row by row."""

MANY_PRODUCTS = 1 << 21
"""The mean number of products of a row from which this pays, because each row takes a dozen
kernels."""

REASON = "{products} products in {rows} rows, on average {many} or more in each"


@dataclass(frozen=True)
class RowProduct:
    """A row of a product, with the fields that products of vectors read of an expression."""

    semiring: Semiring
    dtype: np.dtype
    shape: tuple[int]
    early_exit: bool
    kind = "vxm"


@dataclass(frozen=True)
class Where:
    """A mask of matrices: its entries, their truth if their values count, and the word to xor with
    if it is complemented."""

    mask: DeviceMatrix
    truth: DeviceArray | None
    flip: np.uint32


class RowByRow(BackendPart):
    """Computes products of a matrix with few rows."""

    many_products = MANY_PRODUCTS

    def may_pay(self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool) -> bool:
        """True if there are few rows and possibly enough products. ⊗ may not read the row's
        number."""
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
        """A ⊕.⊗ B where the mask is true. ``products`` is the number of products of each row. None
        if they are too few, or if there is no memory for the largest number of entries there may
        be. Waits twice, or once for None."""
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
            return None  # two passes, which count first, may need less memory
        made.indptr = device.zeros(nrows + 1, made.offset)
        if explaining():
            record_choice(
                f"matrix product {semiring.name}",
                "row by row",
                REASON,
                None,
                laws_of(semiring, node.dtype),
                products=total,
                rows=nrows,
                many=self.many_products,
            )
        row = RowProduct(semiring, node.dtype, (ncols,), node.early_exit)
        for i, count in enumerate(counts.tolist()):
            found = None
            if count:
                u = self._row(A, i)
                u.set_matrix(B)
                u.edges = count
                found = self.backend.products.multiply(row, u, B, self._bits(where, i))
            self._append(i, found, made)
        return made.shortened(device, int(device.download(made.indptr)[nrows]))  # synchronize!

    def _row(self, A: DeviceMatrix, i: int) -> DeviceVector:
        """Row i of a matrix as a vector."""
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
        """Row i of a mask, as kernels take the mask of a vector."""
        if where is None:
            return None, np.uint32(0)
        M, bits = where.mask, self.device.zeros(words(where.mask.shape[1]), WORD)
        self.backend.launch(ROW_BY_ROW, "", f"row_columns<{types.c_name(M.offset)}>", M.nnz,
                            np.int32(i), M.indptr, M.indices, where.truth, bits)  # fmt: skip
        return bits, where.flip

    def _append(self, i: int, found: DeviceVector | None, made: DeviceMatrix) -> None:
        """Append the entries found, if there are any, as row i."""
        n = made.shape[1]
        name = f"append_row<{types.c_name(made.offset)}, {types.c_name(made.dtype)}>"
        entries: tuple[DeviceArray | None, ...] = None, None, None
        if found is not None:
            entries = found.bits, found.values, self.backend.matrices.parts.ends(found)
        self.backend.launch(ROW_BY_ROW, "", name, n if found is not None else 1, np.int32(i),
                            np.int32(n), *entries, made.indptr, made.indices,
                            made.values)  # fmt: skip
