"""The principal eigenvector of a symmetric matrix B by locally optimal conjugate gradients.

Each step takes the best vector in the space of x, its residual, and the direction of the step
before. Where a power iteration shrinks the error by the ratio of the two largest eigenvalues, this
takes about the root of the number of its rounds. All vectors are polynomials in B times the start,
so where the largest eigenvalue is a multiple one, the limit is that of the power iteration.

Where x begins without negative numbers, so it ends: with the magnitudes, whose Rayleigh quotient is
no less, because B has no negative entries. Parts of a graph that hardly touch may have other signs,
and the one with the largest eigenvalue may be negative.

Knyazev: Toward the optimal preconditioned eigensolver, SIAM Journal on Scientific Computing 23
(2001).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import minus, plus, times, total
from lagraph_gpu.notation import Scalar, Vector

PATIENCE = 16
"""Steps without a smaller residual, where only rounding is left."""

LEAST_PIVOT = 1e-10
"""Vectors nearly depend on each other if a pivot of their products is smaller, of the length 1."""


def settled(
    x: Vector,
    multiply: Callable[[Vector], Vector],
    size: Callable[[Vector], float],
    bound: float,
    most: int,
) -> tuple[Vector, int]:
    """The vector (full, FP64, of the `size` 1) after steps that start from `x`, which they
    overwrite, and how many products with B they have taken, which `multiply` computes.

    The steps end where a round of the power iteration would change the vector by no more than half
    the bound, or after so many products. Each step waits for its vectors, which are read several
    times: updates that wait for each other would become other formulas in each step.
    """
    positive = x.reduce("min").new().get(0.0) >= 0
    bx, w, products, since_best, best = multiply(x), x.dup(), 1, 0, math.inf
    p = bp = None
    while True:
        eigenvalue, unit = product_of(x, bx) / product_of(x, x), size(x)
        w << bx.apply("truediv", right=eigenvalue)
        w << minus(w & x)
        w.wait()
        change = total(w.apply("abs").new()) / unit
        since_best = 0 if change < best else since_best + 1
        best = min(best, change)
        if not change > bound / 2 or products >= most or since_best >= PATIENCE:
            break
        bw, products = multiply(w), products + 1
        step = None
        if p is not None and bp is not None:
            step = largest_quotient((x, w, p), (bx, bw, bp))
        if step is None:
            p = bp = None
            step = largest_quotient((x, w), (bx, bw))
        if step is None:
            break
        a, *rest = step
        p, bp = along(rest, w, p), along(rest, bw, bp)
        for vector, direction in ((x, p), (bx, bp)):
            vector << plus(vector.apply("times", right=a) | direction)
            vector.wait()
    if positive:
        x << x.apply("abs")
    x << x.apply("truediv", right=size(x))
    return x, products


def along(factors: Sequence[float], w: Vector, p: Vector | None) -> Vector:
    """The new direction: the first factor times w, plus the second times the direction before."""
    scaled = w.apply("times", right=factors[0])
    if p is None:
        p = scaled.new()
    else:
        p << plus(scaled | p.apply("times", right=factors[1]))
    return p.wait()


def product_of(x: Vector, y: Vector) -> float:
    """The inner product (waits)."""
    return float(begun(x, y).get(0.0))


def begun(x: Vector, y: Vector) -> Scalar:
    """The inner product, which need not be awaited."""
    return times(x & y).new().reduce("plus").new()  # type: ignore[no-any-return]


def largest_quotient(of: Sequence[Vector], held: Sequence[Vector]) -> list[float] | None:
    """The coefficients of these vectors, whose products with B are `held`, for the one of length 1
    with the largest Rayleigh quotient; the first is not negative. None if the vectors nearly depend
    on each other."""
    k = len(of)
    scalars = [[[begun(x, y) for y in some[: i + 1]] for i, x in enumerate(of)]
               for some in (of, held)]  # fmt: skip
    gram, inner = np.zeros((2, k, k))
    for matrix, rows in zip((gram, inner), scalars, strict=True):
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                matrix[i, j] = matrix[j, i] = value.get(0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = 1 / np.sqrt(np.diag(gram))
    if not np.isfinite(unit).all():
        return None
    scale = np.outer(unit, unit)
    try:
        lower = np.linalg.cholesky(gram * scale)
    except np.linalg.LinAlgError:
        return None
    if not (np.diag(lower) ** 2 > LEAST_PIVOT).all():
        return None
    half = np.linalg.solve(lower, inner * scale)
    _, vectors = np.linalg.eigh(np.linalg.solve(lower, half.T))
    v = np.linalg.solve(lower.T, vectors[:, -1]) * unit
    return [float(one) for one in v * math.copysign(1.0, v[0])]
