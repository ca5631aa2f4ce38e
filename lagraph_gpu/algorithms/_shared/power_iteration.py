"""Fixed-point iterations: numbers for the vertices, products along the edges, and when to stop.

The numbers that a user gives become full vectors, of FP64 unless a caller narrows them. A product
with a full vector needs no list of its entries, and so does not wait for the device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.vertex_values import sum_of_squares
from lagraph_gpu.convert.arguments import by_label, dimensions, is_one_of
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, NegativeWeight, NotConverged, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import values_by_position
from lagraph_gpu.graph.graph import all_ones
from lagraph_gpu.notation import Matrix, Scalar, Vector
from lagraph_gpu.notation.checks import as_float, expect_count
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, Semiring, plus_first, plus_times
from semirings.types import FP32, FP64

MODERATE: dict[np.dtype, tuple[float, float]] = {FP32: (1e-14, 1e14), FP64: (1e-100, 1e100)}
"""For each type, numbers between these bounds can be squared, and as many of them summed up as fit
into a memory, without leaving the type.
"""

ROUNDING = 2.0**-24
"""How much one rounding of all numbers of a distribution to FP32 changes them, at most, in sum."""

LEAST_POSITIVE = float(np.nextafter(0.0, 1.0))
"""The smallest positive number of FP64."""

LATE = 1 << 25
"""The number of entries from which the change of a round is read one round later. From this size
on, a round takes longer on the device than on its host. Measured on an H200 with PageRank on
grid2048 (2²⁴ entries): 0.14 ms on the device; on the host 0.24 ms with late reads and 0.21 ms
without.
"""

LONG_ROUNDS = 1 << 29
"""The number of entries from which it is read at once again: a round in vain then takes the device
longer than all waits. On an H200 PageRank of kron23 and kron24 (2²⁹ entries less those that were
drawn twice) took as long either way, of kron25 6% less at once.
"""

FEW_ROUNDS = 16
"""So many rounds come before `FixedPoint.nearer`, and between its calls."""

largest, minus, plus, second, times = (
    BINARY[name] for name in ("max", "minus", "plus", "second", "times")
)


def full(G: Graph, value: float = 0.0) -> Vector:
    """A full vector with the same number at every vertex."""
    return Vector.from_scalar(value, G.n, FP64, backend=G.backend)


def numbers(G: Graph, given: Any, name: str) -> Vector:
    """A finite number for each vertex, from one number for all, or from a dict, a Series of pandas
    or a Vector (0 where it has no entry).
    """
    if isinstance(given, Real) and not isinstance(given, bool):
        number = as_float(given)
        _expect_finite(number * G.n, name)
        return full(G, number)
    if by_label(given):
        named = {v: _number(x, name) for v, x in values_by_position(G, given, name).items()}
        given = Vector.from_dict(named, FP64, size=G.n, backend=G.backend)
    if not isinstance(given, Vector):
        in_order = isinstance(given, (list, tuple)) or dimensions(given) == 1
        hint = "; take lg.Vector.from_dense(values, backend=G.backend)" if in_order else ""
        raise InvalidValue(
            f"expected {name} as a dict, a Series or a Vector, got {brief(given)}{hint}"
        )
    if given.size != G.n:
        raise DimensionMismatch(f"expected {name} of size n = {G.n}, got size {given.size}")
    values = full(G)
    values(plus) << given
    _expect_finite(total(values.apply("abs").new()), name)
    return values


def _expect_finite(sum_of_sizes: float, name: str) -> None:
    if not math.isfinite(sum_of_sizes):
        raise InvalidValue(f"expected finite numbers in {name}, got infinite ones or NaN")


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InvalidValue(f"expected finite numbers in {name}, got {brief(value)}") from problem


def uniform(G: Graph) -> Vector:
    """The uniform distribution over the vertices."""
    return full(G, 1 / max(1, G.n))


def distribution(G: Graph, given: Any, name: str) -> Vector:
    """Numbers of at least 0, not all 0, scaled to the sum 1. None gives the uniform
    distribution.
    """
    if given is None or G.n == 0:
        return uniform(G)
    share = numbers(G, given, name)
    least, mass = share.reduce("min").new().value, total(share)
    if least < 0 or mass == 0:
        raise InvalidValue(
            f"expected numbers of at least 0 in {name}, and not all 0; "
            + (f"got {least}" if least < 0 else "got a sum of 0")
        )
    return share.apply("truediv", right=mass).new()


def start_of_rounds(G: Graph, nstart: Any) -> Vector:
    """Where the rounds start: a vector that they may overwrite."""
    return G.kept(uniform).dup() if nstart is None else distribution(G, nstart, "nstart")


def narrowed(v: Vector, dtype: np.dtype) -> Vector:
    """v itself if it is of this type, otherwise a copy that is."""
    return v if v.dtype == dtype else v.dup(dtype)


def divisor(v: Vector) -> Vector:
    """v in FP64, and infinity where v has no entry, so that a quotient by it is 0 there."""
    values = Vector.from_scalar(math.inf, v.size, FP64, backend=v.backend)
    values(second) << v
    return values


def along_edges(G: Graph, weight: str | None) -> tuple[Matrix, Semiring]:
    """The matrix and the semiring that carry a value along each edge, times the weight if weights
    count.

    With weights the semiring is plus_times. Otherwise it is plus_first, which reads no weights.
    """
    return G.A, plus_first if counts_edges(G, weight) else plus_times


def moderate(G: Graph, weight: str | None, dtype: np.dtype = FP64) -> bool:
    """True if the weights, their squares and their reciprocals can be summed without leaving the
    type.
    """
    lowest, highest = MODERATE[dtype]
    if counts_edges(G, weight) or G.A.dtype.kind != "f" or not G.heaviest:
        return True
    least = G.lightest or G.A.select(">", 0).new().reduce("min").new().get(1.0)
    return bool(lowest <= least and G.heaviest <= highest)


def scaled_by_heaviest(G: Graph) -> Matrix:
    """The weights divided by the heaviest (FP64), for iterations in which a common factor does not
    matter.
    """
    A = G.A.dup(FP64)
    if G.heaviest:
        A = A.apply("truediv", right=float(G.heaviest)).new()
    return A if G.directed else symmetric(A)


def counts_edges(G: Graph, weight: str | None) -> bool:
    """True if every edge counts 1: `weight` is None, or the graph has no weights."""
    if weight is not None and not is_one_of(weight, ("weight",)):
        raise InvalidValue(
            "expected weights by 'weight' (the graph's own) or None (1 an edge), "
            f"got {brief(weight)}"
        )
    return weight is None or not G.weighted or G.kept(all_ones)


def refuse_negative(G: Graph, weight: str | None, what: str) -> None:
    """Raises NegativeWeight if weights below 0 count."""
    if weight is not None:
        expect_no_negative(G, f" for {what}", "; weight=None counts every edge as 1")


def expect_no_negative(G: Graph, purpose: str = "", advice: str = "") -> None:
    """Raises NegativeWeight if a weight is below 0."""
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0{purpose}, got {G.lightest}{advice}")


def total(x: Vector | Matrix) -> float:
    """The sum of all entries (waits)."""
    return float(x.reduce("plus").new().get(0))


def norm(x: Vector) -> float:
    """The Euclidean norm (waits), computed without overflow of the squares."""
    square = sum_of_squares(x)
    if MODERATE[FP64][0] <= square <= MODERATE[FP64][1]:
        return math.sqrt(square)
    unit = float(x.apply("abs").new().reduce("max").new().get(0.0))
    if not 0 < unit < math.inf:
        return unit
    part = x.apply("truediv", right=unit).new()
    return unit * math.sqrt(total(times(part & part).new()))


def remainder(whole: float, x: Vector, late: bool) -> Any:
    """`whole` minus the sum of x (FP64), at least 0: a number, or with `late` a scalar that is
    still awaited.
    """
    mass = x.reduce(plus["FP64"]).new()
    if mass.awaited is None or not late:
        return max(0.0, whole - mass.get(0.0))
    return (whole - mass).apply(largest, right=0.0)


def length(x: Vector, late: bool) -> Any:
    """The Euclidean norm as a divisor, at least LEAST_POSITIVE: a number, or with `late` a scalar
    that is still awaited.
    """
    if not late:
        return max(LEAST_POSITIVE, norm(x))
    square = times(x & x).new().reduce("plus").new()
    return square.apply("sqrt").apply(largest, right=LEAST_POSITIVE)


@operation
def l1_distance(x: Vector, y: Vector) -> Scalar:
    """The sum of |x − y| over full vectors (FP64), as a scalar that need not be awaited.

    A lowering agrees up to rounding. One whose sum is known when it returns may overwrite y.
    """
    return minus(x & y).new().apply("abs").new().reduce(plus["FP64"]).new()  # type: ignore[no-any-return]


class FixedPoint:
    """An iteration that computes x from the previous x, until the sum of all changes is at most
    `bound`.

    A round writes all entries of x:

        rounds = FixedPoint("what", start, A, bound, max_rounds)
        for x, old in rounds:
            x << …
        rounds.x

    A round that has summed up the changes itself leaves the sum in `rounds.summed`. Where rounds
    shrink the changes slowly, `nearer` may come between them: it takes x and a number of rounds,
    and returns a vector that is nearer to the limit, and how many rounds that was worth, of no
    more. What ends the rounds is always a round.

    Reading the change from a device waits for the end of the round, and the device has no work
    meanwhile. With a large matrix the iteration therefore reads the change of a round late, after
    it has launched the next round: the device always has work, and computes one round in vain at
    the end. With a very large one that round would take longer than the waits do. If `bound` is
    None there are exactly `max_rounds` rounds. Raises NotConverged at the end, or if the change is
    not a finite number.
    """

    def __init__(
        self, what: str, start: Vector, A: Matrix, bound: float | None, max_rounds: int,
        nearer: Callable[[Vector, int], tuple[Vector, int]] | None = None,
    ) -> None:  # fmt: skip
        """Starts from `start`; A is the matrix that a round multiplies by. An empty vector takes no
        round.
        """
        self.what, self.x = what, start
        self.bound, self.max_rounds = (bound, max_rounds) if start.size else (None, 0)
        self.late = LATE <= A.nvals < LONG_ROUNDS
        self.change = self.change_before = math.inf
        self.summed: Scalar | None = None
        self.nearer, self.nearer_from = nearer, FEW_ROUNDS

    def __iter__(self) -> Iterator[tuple[Vector, Vector]]:
        x, old = self.x, Vector(self.x.dtype, self.x.size, backend=self.x.backend)
        before: Scalar | None = None  # the change of the previous round, if it was not read yet
        done = 0
        while done < self.max_rounds:
            x, old = old, x
            yield x, old
            done += 1
            if self.bound is None:
                continue
            change = l1_distance(x, old) if self.summed is None else self.summed
            if self.late:
                change.send()
            if before is not None and self._ends(before, old, done - 1):
                return
            before = change if self.late and change.awaited else None
            if before is None and self._ends(change, x, done):
                return
            if self.nearer is not None and self._slow(done):
                if before is not None and self._ends(before, x, done):
                    return
                x, rounds = self.nearer(x, self.max_rounds - done - 1)
                before, done = None, done + rounds
                self.nearer_from = done + FEW_ROUNDS
        self.x = x
        late = before is not None and self._ends(before, x, self.max_rounds)
        if self.bound is not None and not late:
            raise self.failure(self.max_rounds)

    def _ends(self, change: Scalar, x: Vector, rounds: int) -> bool:
        """True if the change in the last of `rounds` rounds is small enough to stop (waits)."""
        self.change_before, self.change = self.change, float(change.get(0.0))
        if not math.isfinite(self.change):
            raise self.failure(rounds)
        ends = self.bound is not None and self.change <= self.bound
        self.x = x if ends else self.x
        return ends

    def _slow(self, done: int) -> bool:
        """Whether more than a few rounds are left at the pace of the last ones."""
        if done < self.nearer_from or self.max_rounds - done <= FEW_ROUNDS:
            return False
        if not self.bound or self.change >= self.change_before:
            return True
        left = math.log(self.change / self.bound) / math.log(self.change_before / self.change)
        return left >= FEW_ROUNDS

    def failure(self, rounds: int) -> NotConverged:
        """The error for a change that is too large, or not finite, after so many rounds."""
        advice = "allow more rounds with max_iter, or a larger tol"
        if self.x.dtype == FP32:
            advice += "; if rounding keeps it there, FP64"
        if rounds and not math.isfinite(self.change):
            factors = "scale weights, or factors such as alpha, down"
            advice = f"its numbers outgrow {self.x.dtype}: {factors}"
        outcome = f"a change of {self.change:.3g} after {rounds}" if rounds else "no round at all"
        wanted = f"expected {self.what} to change by at most {self.bound:.3g} in one round"
        return NotConverged(f"{wanted}, got {outcome}; {advice}", self.change, rounds)


def contraction_bound(tol: float, alpha: float) -> float:
    """The largest change of a round that proves an error of at most `tol`, if a round contracts
    differences by α. (Where it does not, for α of 0 or 1, `tol` itself.)
    """
    return tol * (1 - alpha) / alpha if 0 < alpha < 1 else tol


def usual_tol(dtype: np.dtype, alpha: float) -> float:
    """The usual bound of the error of a distribution, in sum, if a round contracts differences by
    α: 1e-6, and 1e-5 with FP32. Where many ranks are equal, as in a star, they are rounded alike,
    and the roundings of all rounds add up to a change of up to 3 · 2⁻²⁴ / (1 − α) in each: for an α
    above 0.87 rounds in FP32 would not end by the change that proves 1e-5.
    """
    if dtype != FP32:
        return 1e-6
    return max(1e-5, 3 * ROUNDING * alpha / (1 - alpha) ** 2) if alpha < 1 else 1e-5


def expect_within(dtype: np.dtype, bound: float, tol: float, alpha: float) -> None:
    """Raises InvalidValue if rounding to this type may change a distribution by more in a round
    than the bound of its changes: what is smaller says nothing of the error. FP64 has no such
    limit, because its rounding is far below what is asked for.
    """
    if dtype == FP32 and bound < ROUNDING:
        least = ROUNDING * (alpha / (1 - alpha) if 0 < alpha < 1 else 1.0)
        raise InvalidValue(
            f"expected tol of at least {least:.2g} for ranks of FP32 and alpha={alpha}, because "
            f"rounding alone moves them so far, got {brief(tol)}; FP64 has room for it"
        )


def check_bounds(max_iter: Any, tol: Any, name: str = "max_iter") -> None:
    """Checks that the number of rounds is a whole number and the tolerance at least 0."""
    expect_count(max_iter, name)
    if not as_float(tol) >= 0:
        raise InvalidValue(f"expected tol as a number of at least 0, got {brief(tol)}")
