"""Sums along paths in compiled loops: where their types add up as the type of a closure does."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings import BINARY, Semiring, min_plus, types
from semirings.types import FP32, FP64, INT64, UINT64

MIN, PLUS = BINARY["min"].parsed, BINARY["plus"].parsed

EXACT = 2**53
"""Up to this number FP64 adds whole numbers without rounding."""


def is_min_plus(semiring: Semiring) -> bool:
    """True for min.+ of any type."""
    return (semiring.monoid.op.parsed, semiring.multiply.parsed) == (MIN, PLUS)


def holds(semiring: Semiring, dtype: np.dtype, given: np.dtype) -> bool:
    """True if the sum of a length of type ``dtype`` and a weight of type ``given`` has type
    ``dtype``, and the semiring has no type of its own."""
    if semiring.typed is not None:
        return False
    return given == dtype or (dtype in (INT64, FP64) and semiring.meet(dtype, given) == dtype)


def sums_of(dtype: np.dtype) -> np.dtype:
    """The type in which loops add up lengths of type ``dtype``."""
    return FP32 if dtype == FP32 else FP64


def highest(dtype: np.dtype) -> float:
    """The bound below which sums are the same in ``sums_of(dtype)`` as in ``dtype``, and do not
    leave it."""
    if dtype.kind == "f":
        return float(np.finfo(dtype).max)
    return min(EXACT, types.highest(dtype))


def sums_fit(
    dtype: np.dtype, least: Any, largest: Any, n: int, rounds: int = 0, start: float = 0.0
) -> bool:
    """True if all sums along paths are below ``highest(dtype)``.

    Weights are between ``least`` and ``largest``, there are n vertices, and no path begins with
    more than ``start``. The shortest walks have fewer than n edges; but with a weight below 0 there
    may be a cycle along which values fall in each of ``rounds`` rounds. Sums may be rounded up, so
    n counts twice. False if a weight is a NaN.
    """
    edges = 2 * n if least >= 0 else max(2 * n, rounds)
    heaviest = float(np.maximum(abs(float(least)), abs(float(largest))))
    return heaviest * edges + start < highest(dtype)


def as_sums(x: Any, A: CpuMatrix) -> tuple[np.ndarray, np.ndarray] | None:
    """Distances as numbers to which entries of a matrix are added, and where there are any. None
    for UINT64."""
    common = min_plus.meet(x.dtype.np_type, A.given.dtype.np_type)
    if common == UINT64:
        return None
    index, values = x.to_coo()
    value = np.zeros(x.size, common if common.kind == "f" else INT64)
    known = np.zeros(x.size, bool)
    value[index], known[index] = values, True
    return value, known
