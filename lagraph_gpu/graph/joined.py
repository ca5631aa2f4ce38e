"""The edges of two graphs in one matrix, and what becomes of an edge that both have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.convert.edges import FOLDS
from lagraph_gpu.errors import DuplicateEdges, InvalidValue, brief
from lagraph_gpu.notation import Matrix
from semirings import BINARY, types

EXACT = 2**53
"""FP64 holds every integer up to this."""


def grown(A: Matrix, n: int) -> Matrix:
    """A square matrix with empty rows and columns added to it, up to n."""
    if A.nrows == n:
        return A
    larger = A.dup()
    larger.resize(n, n)
    return larger


def joined(A: Matrix, B: Matrix, dup: str, label: Callable[[int], Any]) -> Matrix:
    """The entries of either matrix; where both have one, `dup` says what becomes of them.

    The result is a new matrix in the common type of the two. `label` names a vertex in the error.
    """
    dtype = types.unify(A.dtype, B.dtype)
    A, B = whole(A, dtype), whole(B, dtype)
    if dup == "error":
        differ = A.ewise_mult(B, "ne").new("BOOL").select("==", True).new()
        if differ.nvals:
            u, v = (int(ends[0]) for ends in differ.to_coo()[:2])
            raise DuplicateEdges(
                f"expected one weight for each edge, got {A.get(u, v)} and {B.get(u, v)} for the "
                f"edge {brief(label(u))} → {brief(label(v))}; say what that means with dup='min', "
                "'sum', 'first' or 'last'"
            )
    either = A.dup()
    either(BINARY[FOLDS.get(dup, "first")]) << B
    if dup == "sum":
        refuse_wrapped(A, B, either)
    return either


def whole(A: Matrix, dtype: np.dtype) -> Matrix:
    """The matrix in a wider type, which must hold its values."""
    if A.dtype == dtype:
        return A
    if A.dtype.kind in "iu" and A.dtype.itemsize == 8 and dtype.kind == "f" and A.nvals:
        largest = max(abs(int(A.reduce(which).new().value)) for which in ("min", "max"))
        if largest > EXACT:
            raise InvalidValue(
                f"expected weights that fit {types.name(dtype)}, the common type of "
                f"{types.name(A.dtype)} and the other weights, got up to {largest}; "
                "give all weights in one type"
            )
    return A.dup(dtype)


def refuse_wrapped(A: Matrix, B: Matrix, total: Matrix) -> None:
    """Raises InvalidValue if a sum of two entries does not fit its type.

    Such a sum of floats is infinite. A sum of integers that wrapped around is wrong by the range of
    its type, while that of FP64 is right to a rounding.
    """
    if total.dtype.kind == "b":
        return
    right = A.dup("FP64").ewise_mult(B.dup("FP64"), "plus").new()
    sums = Matrix(total.dtype, *total.shape, backend=total.backend)
    sums(right.S) << total
    if total.dtype.kind in "iu":
        off = sums.dup("FP64").ewise_mult(right, "minus").new().apply("abs").new()
        wrong = (off.reduce("max").new().value or 0) > 2.0 ** (8 * total.dtype.itemsize - 1)
    else:
        ends = (sums.reduce(which).new().value for which in ("min", "max"))
        wrong = any(end is not None and not np.isfinite(end) for end in ends)
    if wrong:
        raise InvalidValue(
            f"expected the sums of edges given twice to fit {types.name(total.dtype)}, got one "
            "that does not; give weights of a wider type, or in a larger unit"
        )
