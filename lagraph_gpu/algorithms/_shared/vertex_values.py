"""Arithmetic with values at vertices, which several measures end with."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY
from semirings.types import FP64

times, truediv = BINARY["times"], BINARY["truediv"]


@operation
def scaled_sums(total: Vector, scale: float, sources: np.ndarray, of_sources: float) -> Vector:
    """A full vector of FP64 times a number, and at the sources times another."""
    factor = Vector.from_scalar(scale, total.size, FP64, backend=total.backend)
    if sources.size:
        factor[sources] = of_sources
    return times(total & factor).new()


@operation
def ratio(part: Vector, whole: Vector) -> Vector:
    """The quotients (FP64) of two vectors of numbers, where both have an entry."""
    return truediv(part & whole).new()


@operation
def divided(values: Vector, number: float) -> Vector:
    """The values, divided by a number (FP64)."""
    return values.apply("truediv", right=float(number)).new()


@operation
def inverses(values: Vector, number: float, kind: np.dtype) -> Vector:
    """The number, divided by each of the values (FP64, none of them 0), in this type."""
    return values.apply("truediv", left=float(number)).new(kind)


@operation
def at_least(values: Vector, number: int) -> Vector:
    """The values (INT64) that are at least a number."""
    return values.select(">=", number).new()


@operation
def sum_of_squares(x: Vector) -> float:
    """The sum of the squares of all entries (waits). A lowering agrees up to rounding."""
    return float(times(x & x).new().reduce("plus").new().get(0))
