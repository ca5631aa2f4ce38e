"""Arithmetic with values at vertices on the CPU: an operation of NumPy in place of a statement,
which takes as long as ten thousand values."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.statements.containers import real, vector_of
from lagraph_gpu.notation import Scalar, Vector
from semirings.types import FP64, INT64


def scaled_sums(total: Vector, scale: float, sources: np.ndarray, of_sources: float) -> Vector:
    """Lowers ``scaled_sums``."""
    values = real(total)
    own = values[sources] * of_sources
    values *= scale
    values[sources] = own
    return vector_of(total, values)


def ratio(part: Vector, whole: Vector) -> Vector | None:
    """Lowers ``ratio`` for full vectors of real numbers."""
    numbers = part.dtype.kind in "iuf" and whole.dtype.kind in "iuf"
    if not numbers or not part.size == part.nvals == whole.nvals:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        return vector_of(part, real(part) / real(whole))


def divided(values: Vector, number: float) -> Vector | None:
    """Lowers ``divided`` for full vectors of real numbers."""
    if values.dtype.kind not in "iuf" or values.nvals < values.size:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        return vector_of(values, real(values) / float(number))


def inverses(values: Vector, number: float, kind: np.dtype) -> Vector | None:
    """Lowers ``inverses`` for full vectors."""
    if values.dtype != FP64 or values.nvals < values.size:
        return None
    with np.errstate(over="ignore", under="ignore"):
        return vector_of(values, (number / real(values)).astype(kind, copy=False))


def at_least(values: Vector, number: int) -> Vector | None:
    """Lowers ``at_least`` for full vectors and numbers of INT64."""
    if values.nvals < values.size or not -(2**63) <= number < 2**63:
        return None
    held = real(values, INT64)
    return vector_of(values, held, held >= number)


def sum_of_squares(x: Vector) -> float | None:
    """Lowers ``sum_of_squares`` for FP64."""
    if x.dtype != FP64:
        return None
    values = real(x)
    with np.errstate(over="ignore", invalid="ignore"):
        values *= values
        return float(values.sum())


def index_of_extreme(x: Any, monoid: str) -> Scalar | None:
    """Lowers ``index_of_extreme`` for vectors of real numbers. None if it meets a NaN."""
    if not isinstance(x, Vector) or x.dtype.kind not in "biuf" or x.nvals == 0:
        return None
    places, values = (None, real(x, x.dtype)) if x.nvals == x.size else x.to_coo()
    at = values.argmax() if monoid == "max" else values.argmin()
    if values[at] != values[at]:
        return None
    index = at if places is None else places[at]
    return Scalar.from_value(int(index), INT64, backend=x.backend)
