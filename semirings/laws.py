"""The laws that algebraic facts claim, and a checker that looks for counterexamples.

Each law is an equation of two sides over x, y, z. `check_laws` evaluates it on every triple of edge
values of a type (extremes, -1, 0, 1, powers of two, infinities, NaN, denormals) and on random
triples. It can refute a fact, never prove it.

A law that holds for numbers but not for their machine representation is tried on small integers,
which neither wrap around nor round: associativity of an operator that rounds over floats;
distributivity and order where ⊗ computes and ⊕ selects (min-plus: x + y must not wrap). These
comparisons allow a few units in the last place. Complex numbers take part if they are finite. NaN
takes part in the laws of a monoid, except that the declared identity of min and max loses to it
(see `Monoid.start`), and in none of a semiring.

Cost: O(n³) evaluations at the speed of NumPy, for n of about 25 values a type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import types
from .algebra import BinaryOp, Monoid, Semiring
from .errors import LagraphError
from .expression import parse

Array = Any
DType = np.dtype[Any]
Algebra = BinaryOp | Monoid | Semiring


class LawError(LagraphError, ValueError):
    """A fact does not hold.

    Parameters
    ----------
    message : str
        What was claimed, where it fails and what to do.
    law : str, optional
        The name of the law that the fact states.
    dtype : type, optional
        The type in which it computes.
    counterexample : tuple, optional
        The values x, y and z for which it fails.
    """

    def __init__(
        self, message: str, law: str = "", dtype: DType | None = None, counterexample: Any = ()
    ) -> None:
        self.message, self.law, self.dtype = message, law, dtype
        self.counterexample = counterexample
        super().__init__(message, law, dtype, counterexample)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Law:
    """An equation.

    `claimed` says whether a record states it. `numbers` says whether it is a law of numbers only,
    and `nan` whether it holds for NaN.
    """

    name: str
    formula: str
    of: type
    claimed: Callable[[Any], bool]
    sides: Callable[..., tuple[Array, Array]]
    numbers: bool = False
    nan: bool = True


def _op(thing: Algebra) -> BinaryOp:
    return thing if isinstance(thing, BinaryOp) else _monoid(thing).op


def _monoid(thing: Any) -> Monoid:
    return thing.monoid if isinstance(thing, Semiring) else thing


def _plus(thing: Algebra, dtype: DType) -> Callable[[Array, Array], Array]:
    return lambda x, y: _op(thing).evaluate(x, y, dtype=dtype)


def _times(s: Semiring, dtype: DType) -> Callable[[Array, Array], Array]:
    return lambda x, y: types.cast(s.multiply.evaluate(x, y, dtype=dtype), s.product_type(dtype))


def _associative(t: Algebra, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    plus = _plus(t, d)
    return plus(plus(x, y), z), plus(x, plus(y, z))


def _commutative(t: Algebra, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    plus = _plus(t, d)
    return plus(x, y), plus(y, x)


def _identity(m: Monoid, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """Both sides of both equations e ⊕ x = x and x ⊕ e = x, as one pair.

    Where the first equation fails its left side is returned, otherwise that of the second.
    """
    plus, e = _plus(m, d), m.identity_of(d)
    left = plus(e, x)
    return np.where(same(left, x), plus(x, e), left), x


def _start(m: Monoid, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    return _plus(m, d)(m.start(d), x), x


def _terminal(m: Monoid, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    plus, t = _plus(m, d), m.terminal(d)
    if t is None:  # times over floats has none
        return x, x
    left = plus(t, x)
    return np.where(same(left, t), plus(x, t), left), np.broadcast_to(t, np.shape(x))


def _idempotent(m: Monoid, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    return _plus(m, d)(x, x), x


def _selective(m: Monoid, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    answer = _plus(m, d)(x, y)
    return answer, np.where(same(answer, x), x, y)


def _distributive(s: Semiring, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    plus, times = _plus(s, d), _times(s, d)
    left, expanded = times(x, plus(y, z)), plus(times(x, y), times(x, z))
    good = same(left, expanded, rounding(s, d))
    right, expanded_right = times(plus(y, z), x), plus(times(y, x), times(z, x))
    return np.where(good, right, left), np.where(good, expanded_right, expanded)


def _ordered(s: Semiring, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    answer = _plus(s, d)(x, _times(s, d)(x, y))
    if s.ordered != "always":
        answer = np.where(parse(str(s.ordered)).evaluate({"y": y}, "BOOL"), answer, x)
    return answer, x


def _closed(s: Semiring, d: DType, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    inside = parse(str(s.carrier))
    ok = [inside.evaluate({"x": f(s, d)(x, y)}, "BOOL") for f in (_plus, _times)]
    return ok[0] & ok[1], np.full(np.shape(ok[0]), True)


_ANY = "any"  # either operand is a valid answer, so only the operator's own laws apply to it


def _strict(m: Any) -> bool:
    return not _monoid(m).is_any


LAWS = (
    Law("associative", "(x ⊕ y) ⊕ z = x ⊕ (y ⊕ z)", BinaryOp,
        lambda op: op.associative, _associative, numbers=True),
    Law("commutative", "x ⊕ y = y ⊕ x", BinaryOp,
        lambda op: op.commutative and op.name != _ANY, _commutative),
    Law("associative", "(x ⊕ y) ⊕ z = x ⊕ (y ⊕ z)", Monoid, lambda m: True, _associative,
        numbers=True),
    Law("commutative", "x ⊕ y = y ⊕ x", Monoid,
        lambda m: m.commutative and _strict(m), _commutative),
    Law("an identity", "e ⊕ x = x = x ⊕ e", Monoid, _strict, _identity, nan=False),
    Law("a start", "start ⊕ x = x", Monoid, _strict, _start),
    Law("terminal", "t ⊕ x = t = x ⊕ t", Monoid, lambda m: m.terminal_rule is not None, _terminal),
    Law("idempotent", "x ⊕ x = x", Monoid, lambda m: m.idempotent, _idempotent),
    Law("selective", "x ⊕ y is x or y", Monoid, lambda m: m.selective, _selective),
    Law("distributive",
        "x ⊗ (y ⊕ z) = (x ⊗ y) ⊕ (x ⊗ z), (y ⊕ z) ⊗ x = (y ⊗ x) ⊕ (z ⊗ x)", Semiring,
        lambda s: bool(s.distributive), _distributive, numbers=True, nan=False),
    Law("ordered", "x ⊕ (x ⊗ y) = x", Semiring,
        lambda s: s.ordered is not None, _ordered, numbers=True, nan=False),
    Law("closed", "x ⊕ y and x ⊗ y are in the carrier", Semiring,
        lambda s: s.carrier is not None, _closed, numbers=True, nan=False),
)  # fmt: skip


def _isnan(x: Array) -> Array:
    return np.isnan(x) if types.rounds(np.asarray(x).dtype) else np.zeros(np.shape(x), bool)


def same(a: Array, b: Array, tolerance: float = 0.0) -> Array:
    """True where a equals b. NaN equals NaN, and -0.0 equals 0.0. The tolerance is relative."""
    a, b = np.asarray(a), np.asarray(b)
    equal = (a == b) | (_isnan(a) & _isnan(b))
    if tolerance and types.rounds(a.dtype):
        with np.errstate(all="ignore"):
            equal |= np.abs(a - b) <= tolerance * np.maximum(np.abs(a), np.abs(b))
    return equal


def _exact(thing: Algebra, dtype: DType) -> bool:
    ops = [_op(thing), *([thing.multiply] if isinstance(thing, Semiring) else [])]
    return all(op.parsed.exact({"x": op.operand(dtype), "y": op.operand(dtype)}) for op in ops)


def rounding(thing: Algebra, dtype: DType) -> float:
    """How far apart two sides may be: 0, or 64 units in the last place if an operator rounds."""
    if not types.rounds(dtype) or _exact(thing, dtype):
        return 0.0
    return 64 * float(np.finfo(dtype).eps)


def edges(dtype: DType) -> Array:
    """The edge values of a type."""
    if dtype == types.BOOL:
        return np.array([False, True])
    if types.is_complex(dtype):
        parts = [0, 1, -0.5, -3, 7.25]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        numbers = [0.0, -0.0, 1, -1, 0.5, 2, -3, 7.25, 2.0**20, np.inf, -np.inf, np.nan, info.max]
        numbers += [info.min, info.tiny, info.smallest_subnormal, -info.smallest_subnormal]
        return np.array(numbers, dtype)
    low, high = types.lowest(dtype), types.highest(dtype)
    powers = [2**n for n in (1, 2, 3, 5, 8 * dtype.itemsize - 2)]
    whole = {0, 1, 3, 7, 10, 100, low, low + 1, high, high - 1, *powers, *(-p for p in powers), -1}
    return np.array(sorted(v for v in whole if low <= v <= high), dtype)


def small(dtype: DType) -> Array:
    """Integers so small that a few sums and products of them neither wrap around nor round."""
    if dtype == types.BOOL:
        return edges(dtype)
    if types.is_complex(dtype):
        return np.array([complex(a, b) for a in (-2, 0, 1, 3) for b in (-1, 0, 2)], dtype)
    return np.arange(0 if dtype.kind == "u" else -3, 4).astype(dtype)


@dataclass(frozen=True)
class Claim:
    """A law that a record states, for the type in which it computes.

    `carrier` is a condition on x: the only values that the claim is about.
    """

    thing: Algebra
    law: Law
    dtype: DType
    carrier: str | None = None

    @property
    def bounded(self) -> bool:
        """True if the law is to be tried on small integers only."""
        if not self.law.numbers or _exact(self.thing, self.dtype):
            return False
        selects = isinstance(self.thing, Semiring) and self.thing.selective
        return types.rounds(self.dtype) or selects

    @property
    def grid(self) -> Array:
        """The values to try."""
        return small(self.dtype) if self.bounded else edges(self.dtype)

    def violations(self, x: Array, y: Array, z: Array) -> Array:
        """True where the law fails, for arrays x, y and z of the type of the claim."""
        counts = np.ones(np.shape(x), bool)
        if types.is_complex(self.dtype):  # 1 · (inf + i) is inf + NaN i
            counts &= np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
        if not self.law.nan:
            counts &= ~(_isnan(x) | _isnan(y) | _isnan(z))
        if self.carrier is not None:
            inside = parse(self.carrier)
            for values in (x, y, z):
                counts &= inside.evaluate({"x": values}, "BOOL")
        left, right = self.law.sides(self.thing, self.dtype, x, y, z)
        return counts & ~same(left, right, rounding(self.thing, self.dtype))

    def refuted(self, xyz: tuple[Any, ...]) -> LawError:
        """The error for values for which the law fails."""
        law, dtype = self.law, self.dtype
        left, right = law.sides(self.thing, dtype, *(np.asarray(v) for v in xyz))
        return LawError(
            f"{self.thing!r} is not {law.name} over {types.name(dtype)}: {law.formula} fails for "
            f"x={xyz[0]!s}, y={xyz[1]!s}, z={xyz[2]!s}, where the sides are {left!s} and "
            f"{right!s}; withdraw the claim, name the types (domain=) or, for a semiring, the "
            "values (carrier=) for which it holds, or correct the formula",
            law.name, dtype, xyz,
        )  # fmt: skip


def claims(thing: Algebra, dtype: Any, carrier: str | None = None) -> list[Claim]:
    """What a record claims for inputs of a type, including the claims of the monoid of a semiring.

    The laws of a semiring combine products with operands, so they apply only to types of operands
    whose products have the same type: lor_eq over FP32 has none.
    """
    made = []
    operand = thing.operand(dtype)
    if isinstance(thing, Semiring):
        carrier, product = thing.carrier, thing.product_type(dtype)
        made = claims(thing.monoid, product, carrier)
        if operand != product:
            return made
    stated = [law for law in LAWS if isinstance(thing, law.of) and law.claimed(thing)]
    return made + [Claim(thing, law, operand, carrier) for law in stated]


def check_laws(
    thing: Algebra, dtypes: Iterable[Any] | None = None, seed: int = 0, draws: int = 8
) -> None:
    """Look for a counterexample to each fact that a record claims.

    Parameters
    ----------
    thing : BinaryOp, Monoid or Semiring
        The record.
    dtypes : sequence of types, optional
        The types of inputs to try. By default the whole domain.
    seed : int, optional
        The seed of the random values.
    draws : int, optional
        The number of random values of each type, beside its edge values.

    Raises
    ------
    LawError
        A fact does not hold. The error holds the law, the type and the counterexample.

    Examples
    --------
    >>> from semirings import binary, monoid
    >>> check_laws(monoid(binary("max(x, y)"), "lowest", idempotent=True), ["INT32"])
    >>> try:
    ...     check_laws(monoid(binary("x + y"), 0, idempotent=True, domain=["INT32"]))
    ... except LawError as error:
    ...     print(error.law)
    idempotent
    """
    random = np.random.default_rng(seed)
    for dtype in thing.domain if dtypes is None else map(types.lookup, dtypes):
        for claim in claims(thing, dtype):
            values = claim.grid
            if not claim.bounded:
                bits = random.integers(0, 256, draws * claim.dtype.itemsize, np.uint8)
                drawn = bits % 2 == 1 if claim.dtype == types.BOOL else bits.view(claim.dtype)
                values = np.concatenate([values, drawn])
            x, y, z = (grid.ravel() for grid in np.meshgrid(values, values, values))
            bad = np.flatnonzero(claim.violations(x, y, z))
            if bad.size:
                at = bad[0]
                raise claim.refuted((x[at], y[at], z[at]))
