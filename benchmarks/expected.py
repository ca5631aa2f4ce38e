"""Right answers by NumPy and SciPy on the host, and how far a float32 result may be from them.

A result of whole numbers whose terms sum to less than 2²⁴ must be exact. Else a sum of k terms of
one sign may be off by k · 2⁻²³ of itself, which holds for float32 added in any order.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from lagraph_gpu.errors import VerificationError

EXACT = 2.0**24
BLOCK_TERMS = 1 << 25


def slack(sums: np.ndarray, terms: np.ndarray) -> np.ndarray:
    """How far sums of so many terms of one sign may be off.

    >>> slack(np.array([5.0, 2.0**25]), np.array([3, 2])).tolist()
    [0.0, 8.0]
    """
    return np.where(sums < EXACT, 0.0, terms * 2.0**-23 * sums)


@dataclass(frozen=True)
class ExpectedVector:
    """The entries of a vector; of which values may be off by how much."""

    index: np.ndarray
    values: np.ndarray
    off: np.ndarray | float = 0.0

    def check(self, index: np.ndarray, values: np.ndarray) -> None:
        """Raises VerificationError with the first position that is wrong."""
        if not np.array_equal(index, self.index):
            raise VerificationError(
                f"expected {self.index.size:,} entries where they belong, got {index.size:,} or "
                "others"
            )
        wrong = ~(np.abs(values.astype(np.float64) - self.values) <= self.off)
        if wrong.any():
            at = int(np.argmax(wrong))
            raise VerificationError(
                f"expected {self.values[at]} at {self.index[at]}, got {values[at]}"
            )

    def check_dense(self, values: np.ndarray) -> None:
        """The same of an array that holds 0 where there is no entry."""
        if np.delete(values, self.index).any():
            raise VerificationError("expected 0 where there is no entry")
        self.check(self.index, values[self.index])


def rowwise(A: Any, products: np.ndarray, fold: np.ufunc) -> ExpectedVector:
    """Fold one product for each entry of A over the rows."""
    rows = np.flatnonzero(np.diff(A.indptr))
    values = fold.reduceat(products, A.indptr[rows]) if rows.size else products[:0]
    off = slack(values, np.diff(A.indptr)[rows]) if fold is np.add else 0.0
    return ExpectedVector(rows, values, off)


def frontier_product(A: Any, index: np.ndarray, values: np.ndarray) -> ExpectedVector:
    """u plus.times A for a sparse u."""
    rows = A[index]
    each = np.repeat(values.astype(np.float64), np.diff(rows.indptr)) * rows.data
    terms = np.bincount(rows.indices, minlength=A.shape[1])
    sums = np.bincount(rows.indices, each, minlength=A.shape[1])
    found = np.flatnonzero(terms)
    return ExpectedVector(found, sums[found], slack(sums[found], terms[found]))


@dataclass(frozen=True)
class ExpectedMatrix:
    """A matrix of whole numbers below 2²⁴, known entry by entry."""

    C: Any

    def check(self, got: Any) -> None:
        same = got.nnz == self.C.nnz and all(
            np.array_equal(getattr(got, part), getattr(self.C, part))
            for part in ("indptr", "indices", "data")
        )
        if not same:
            raise VerificationError(
                f"expected a matrix of {self.C.nnz:,} entries, got {got.nnz:,} or other ones"
            )


@dataclass(frozen=True)
class ExpectedProduct:
    """A plus.times B by its number of entries, its form, and its product with a random vector.

    The vector holds whole numbers below 2²⁰, so both sides are exact in float64.
    """

    A: Any
    B: Any
    nnz: int

    def check(self, got: Any) -> None:
        if got.nnz != self.nnz:
            raise VerificationError(f"expected {self.nnz:,} entries, got {got.nnz:,}")
        if not got.has_canonical_format:
            raise VerificationError("expected increasing columns in each row")
        x = np.random.default_rng().integers(1, 1 << 20, self.B.shape[1]).astype(np.float64)
        if not np.array_equal(got @ x, self.A @ (self.B @ x)):
            raise VerificationError("expected C x = A (B x) for a random x")


def products(A: Any, B: Any) -> int:
    """How many products A B takes."""
    return int(np.diff(B.indptr)[A.indices].sum(dtype=np.int64))


def estimated_nnz(A: Any, B: Any) -> int:
    """About how many entries A B has, from 1,024 random rows."""
    some = np.random.default_rng(1).permutation(A.shape[0])[:1024]
    return int((A[np.sort(some)] @ B).nnz * (A.shape[0] / max(1, some.size)))


def nnz_of_product(A: Any, B: Any) -> int:
    """How many entries A B has, exactly."""
    return sum(each_block(A, B, lambda block, rows: block.nnz))


def masked_product(A: Any, B: Any, mask: Any) -> ExpectedMatrix:
    """A plus.pair B where the mask has an entry."""

    def kept(block: Any, rows: slice) -> Any:
        return sp.csr_array(block.multiply(pattern(mask[rows])))

    C = sp.csr_array(sp.vstack(list(each_block(A, B, kept)), format="csr"))
    C.sort_indices()
    return ExpectedMatrix(C)


def pattern(A: Any) -> Any:
    """The same structure with 1 at every entry."""
    return sp.csr_array((np.ones_like(A.data), A.indices, A.indptr), shape=A.shape)


def each_block(A: Any, B: Any, use: Callable[[Any, slice], Any]) -> Iterator[Any]:
    """``use(block, rows)`` for blocks of rows of A B, of structures alone, on all processors."""
    A, B = pattern(A), pattern(B)
    before = np.concatenate(([0], np.cumsum(np.diff(B.indptr)[A.indices], dtype=np.int64)))
    ends = before[A.indptr]
    count = int(ends[-1] // BLOCK_TERMS) + 1
    cuts = np.unique(np.searchsorted(ends, np.linspace(0, ends[-1], count + 1)[1:-1]))
    cuts = np.unique(np.concatenate(([0], cuts, [A.shape[0]])))
    parts = [slice(int(a), int(b)) for a, b in itertools.pairwise(cuts)]
    workers = min(8, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda rows: use(A[rows] @ B, rows), parts)
