"""Edge values of every type, in pairs, and how closely two evaluations must agree on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from semirings import BINARY, INDEXUNARY, UNARY, laws, types

Array = Any

# Functions whose last bits no standard fixes: how many units of the last place two libraries may
# differ by. Everything else must agree exactly: NaN with NaN, and the zeros' signs too, except in
# LOOSE_ZERO.
ULPS = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh"), 4),
    **dict.fromkeys(("exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh"), 4),
    **dict.fromkeys(("tan", "tanh", "erf", "erfc", "hypot", "atan2", "pow", "rpow"), 4),
    # a logarithm of a sum, whose parts are rounded too
    **dict.fromkeys(("numpy.logaddexp", "numpy.logaddexp2", "numpy.float_power"), 16),
    # the C library's gamma functions are themselves off by about ten
    **dict.fromkeys(("lgamma", "tgamma"), 16),
}
# Functions of complex numbers that round somewhere: in how many eps of the answer libraries may
# differ. The others, such as plus and conj, must agree exactly.
COMPLEX_EPS = {
    **dict.fromkeys(("cdiv", "rdiv", "truediv", "rtruediv", "minv", "signum", "times", "carg"), 4),
    **dict.fromkeys(("abs", "absfirst", "abssecond", "sqrt"), 4),
    **dict.fromkeys(("exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "pow", "rpow"), 64),
    **dict.fromkeys(("cos", "cosh", "sin", "sinh", "tan", "tanh"), 16),
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh"), 32),
}
# C lets fmin and fmax return either zero.
LOOSE_ZERO = ("min", "max")


def pairs(dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """All pairs of edge values, shift distances and bit numbers included."""
    values = laws.edges(dtype)
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        more = (6, bits - 1, bits, bits + 1, 127, 128, 200)
        fitting = [v for v in more if v <= types.highest(dtype)]
        values = np.union1d(values, np.array(fitting, dtype))
    x, y = np.meshgrid(values, values)
    return x.ravel(), y.ravel()


def positions(size: int) -> dict[str, Array]:
    """Positions i, k, j in INT64, large ones among them."""
    base = np.array([0, 1, 2, 5, 2**20, 2**31 - 2, 2**33], np.int64)
    return {name: np.roll(np.resize(base, size), n) for n, name in enumerate("ikj")}


def operators() -> Iterator[tuple[str, Any, np.dtype[Any]]]:
    """Every operator of the tables with every type of its domain."""
    for table in (UNARY, BINARY, INDEXUNARY):
        for name, op in table.items():
            for dtype in op.domain:
                yield name, op, dtype


def precision_of_complex(name: str) -> float:
    """In how many eps two answers of complex operands may differ; formulas of users may round."""
    own = name not in {*UNARY, *BINARY, *INDEXUNARY, "cast"}
    return COMPLEX_EPS.get(name, 64 if own else 0)


def differences(name: str, ours: Array, theirs: Array, of_complex: bool = False) -> Array:
    """Where two answers differ by more than the operator's tolerance allows.

    `of_complex` says that the operands are complex, though the answers may not be.
    """
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.dtype == theirs.dtype, (ours.dtype, theirs.dtype)
    equal = laws.same(ours, theirs)
    if of_complex or ours.dtype.kind == "c":
        if ours.dtype.kind in "fc" and (allowed := precision_of_complex(name)):
            near = allowed * float(np.finfo(ours.dtype).eps)
            equal |= laws.same(ours, theirs, tolerance=near)
            with np.errstate(all="ignore"):  # a division by zero is not finite in one way
                equal |= ~np.isfinite(ours) & ~np.isfinite(theirs)
        return ~equal
    if ours.dtype.kind == "f":
        if not name.startswith(LOOSE_ZERO):
            equal &= (ours != 0) | (np.signbit(ours) == np.signbit(theirs))
        if name in ULPS:
            with np.errstate(all="ignore"):
                near = np.abs(ours - theirs) <= ULPS[name] * np.spacing(np.abs(theirs))
            equal |= near
    elif name in ("pow",):  # through FP64, rounded there
        equal |= np.abs(ours.astype("f8") - theirs.astype("f8")) <= 4e-16 * np.abs(
            theirs.astype("f8")
        )
    return ~equal


def report(bad: Array, *columns: Array, limit: int = 6) -> str:
    """The first offending rows, for an assertion's message."""
    rows = np.flatnonzero(bad)[:limit]
    return "; ".join(str(tuple(np.asarray(c)[row] for c in columns)) for row in rows)


def each(check: Callable[[str, Any, np.dtype[Any]], str]) -> list[str]:
    """Run a check over all operators; the complaints."""
    return [
        f"{name} {types.name(dtype)}: {complaint}"
        for name, op, dtype in operators()
        if (complaint := check(name, op, dtype))
    ]
