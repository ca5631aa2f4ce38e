"""Aggregators: the namespace `agg` of python-graphblas, as compositions of our own expressions.

An aggregator folds a vector, each row or column of a matrix, or a whole matrix to one value. It is
a formula over folds (the mean is the sum over the count), so it needs no kernel and runs on every
backend. Where there are no entries there is no value.

Results differ from those of python-graphblas in two cases. Means add the entries in INT64, UINT64
or FP64; python-graphblas adds them in the type of the entries, where INT8 wraps around before the
division. Variances, geometric means and sums of powers are computed in FP64, in forms that do not
overflow: from the mean, from logarithms, and from the largest entry. Norms of complex numbers are
those of their absolute values, and FP64.

>>> import lagraph_gpu as lg
>>> A = lg.Matrix.from_coo([0, 0, 2], [0, 2, 1], [3, 1, 7], nrows=3, ncols=3, backend="cpu")
>>> A.reduce_rowwise(lg.agg.mean).new().to_coo()
(array([0, 2]), array([2., 7.]))
>>> A.reduce_columnwise(lg.agg.count).new().to_coo()[1], lg.agg.max(A).new().value
(array([1, 1, 1]), 7)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from lagraph_gpu.errors import InvalidValue, WrongKind, WrongType, brief
from lagraph_gpu.notation.checks import expect_flag, expect_kind
from lagraph_gpu.notation.composites import Held, OrIdentity, Through
from lagraph_gpu.notation.expressions import Composite, Expression, Product, Reduce, Select
from lagraph_gpu.notation.infix import Operations
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.scalar import Scalar
from semirings import INDEXUNARY, MONOIDS, SELECT, SEMIRINGS, UNARY, types
from semirings.calls import admits, bracket
from semirings.errors import DomainError
from semirings.names import lookup, missing
from semirings.types import ALL, COMPLEX, EVERY, FC64, FP64, INT64, NUMBERS, UINT64, Rule

ENDS = "first", "last", "first_index", "last_index"
"""The aggregators that take records, whose values they do not read."""
MAX = float(np.finfo(np.float64).max)
WIDEST = {"f": FP64, "i": INT64, "u": UINT64, "b": INT64, "c": FC64}
"""The type in which entries are summed, by the kind of their type."""


@dataclass(frozen=True)
class Folds:
    """An operand, the direction in which it is folded, and the folds that formulas use."""

    operand: Any
    rowwise: bool

    def fold(self, entries: Any, monoid: str) -> Reduce:
        return Reduce(entries, MONOIDS[monoid], self.rowwise)

    @property
    def wide(self) -> Any:
        """The entries in the widest type of their kind. Sums of integers wrap around at 64 bits."""
        wide = WIDEST[self.operand.dtype.kind]
        return self.operand.apply(UNARY["identity"][wide])

    @property
    def real(self) -> Any:
        """The entries in FP64."""
        own = self.operand.dtype == FP64
        return self.operand if own else self.operand.apply(UNARY["identity"][FP64])

    def beyond(self, shift: Any) -> Any:
        """The entries in FP64, minus the number of their row (or the one number for a vector)."""
        if self.rowwise:
            return Product(shift.diag(), self.real, SEMIRINGS["any_rminus"])
        return self.real.apply("minus", right=shift)

    @property
    def count(self) -> Reduce:
        return self.fold(self.operand.apply("pair", 1), "plus")

    @property
    def sum(self) -> Reduce:
        wide = self.operand.dtype == WIDEST[self.operand.dtype.kind]
        return self.fold(self.operand if wide else self.wide, "plus")

    @property
    def squares(self) -> Reduce:
        if types.is_complex(self.operand.dtype):  # exact, unlike a power of a complex number
            return self.fold(self.wide.new().apply("square"), "plus")
        return self.fold(self.operand.apply("pow", np.int64(2)), "plus")

    @property
    def inverses(self) -> Reduce:
        if types.is_complex(self.operand.dtype):
            return self.fold(self.wide.apply("minv"), "plus")
        return self.fold(self.operand.apply("pow", np.float64(-1)), "plus")

    @property
    def norm(self) -> Any:
        """The square root of the sum of the squares of absolute values."""
        real = types.is_complex(self.operand.dtype)
        squares = replace(self, operand=abs(self.wide)).squares if real else self.squares
        return squares.new().apply("sqrt")

    def compared(self, how: str) -> Reduce:
        """How many entries are 0 (`iseq`), or are not (`isne`)."""
        found = self.operand.apply(how, self.zero)
        exact = types.is_complex(self.operand.dtype)
        return self.fold(found.apply(UNARY["identity"][INT64]) if exact else found, "plus")

    @property
    def zero(self) -> Any:
        return self.operand.dtype.type(0)

    def indices(self, entries: Any) -> Any:
        """For each entry of a matrix its column, for each entry of a vector its index."""
        return positions(entries, "colindex" if len(self.operand.shape) == 2 else "rowindex")


def positions(entries: Any, name: str) -> Any:
    """The rows (rowindex) or the columns (colindex) of entries. Those of INT32 entries have 32
    bits, where these are enough."""
    op = INDEXUNARY[name]
    return op[INT64](entries) if beyond_32_bits(entries) else op(entries)


def beyond_32_bits(entries: Any) -> bool:
    """Whether the type INT32 is too narrow for the positions of entries."""
    return max(entries.shape) > 1 << 31


Formula = Callable[[Folds], Any]


def composed(parts: Sequence[Any], finalize: Callable[..., Any] | None) -> Formula:
    """The formula of an aggregator that consists of others, as python-graphblas defines them."""

    def formula(folds: Folds) -> Any:
        found = [part.of(folds.operand, folds.rowwise).new() for part in parts]
        return found[0] if finalize is None else finalize(*found, {})

    return formula


class Defined(type):
    """The metaclass of Aggregator, which takes the keywords of python-graphblas as well."""

    @property
    def __signature__(cls) -> inspect.Signature:
        own = list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]
        theirs = ("composite", "finalize", "types")
        more = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in theirs]
        return inspect.Signature([*own, *more])

    def __call__(
        cls, name: str, *fields: Any, composite: Sequence[Any] | None = None,
        finalize: Callable[..., Any] | None = None, types: Sequence[Any] | None = None,
        **facts: Any,
    ) -> Any:  # fmt: skip
        if composite is not None:
            first = (types or composite)[0]
            own = {"formula": composed(composite, finalize), "domain": first.domain}
            result = "same" if first.monoid is not None else first.result
            facts = own | {"result": result} | facts
        elif finalize is not None or types is not None:
            raise WrongType(
                "expected composite= beside finalize= and types=; give one formula of folds as "
                "formula= instead"
            )
        return super().__call__(name, *fields, **facts)


@dataclass(frozen=True, repr=False)
class Aggregator(metaclass=Defined):
    """A way to fold many values to one: `v.reduce(agg.mean)`, or `agg.mean(v)`.

    Parameters
    ----------
    name : str
        The name.
    formula : function, optional
        Makes an expression of the folds. Without it the aggregator is the monoid alone.
    result : type or str, optional
        The type of the result, as a rule of `semirings.types`.
    domain : tuple of types, optional
        The types of entries that it accepts.
    monoid : str, optional
        The name of the monoid.
    lines : bool, optional
        True if the result is a position in a row, which a whole matrix does not have.
    typed : type, optional
        The type to which entries are converted first, as in `agg.sum["FP64"]`.
    composite : list of Aggregator, optional
        In place of a formula, as in python-graphblas: the aggregators of which it consists.
    finalize : function, optional
        Joins their results, `finalize(x, y, options)`, to the result.
    types : list of Aggregator, optional
        The first of them has the types that this one has. By default that of `composite`.
    """

    name: str
    formula: Formula | None = None
    result: Rule = "same"
    domain: tuple[np.dtype, ...] = NUMBERS
    monoid: str | None = None
    lines: bool = False
    typed: np.dtype | None = None

    def __repr__(self) -> str:
        return f"agg.{self.name}{bracket(self)}"

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle by name if the aggregator has one here, because a formula cannot be pickled."""
        if AGGREGATORS.get(self.name) != replace(self, typed=None):
            return super().__reduce_ex__(protocol)
        return _again, (self.name, None if self.typed is None else types.name(self.typed))

    def operand(self, dtype: Any) -> np.dtype:
        """The type to which entries are converted first.

        Parameters
        ----------
        dtype : type or str
            The type of the entries.

        Returns
        -------
        type
            A NumPy dtype.

        Raises
        ------
        DomainMismatch
            The aggregator is not defined for this type.
        """
        dtype = types.lookup(dtype) if self.typed is None else self.typed
        unread = self.monoid == "any" or self.result == "number" or self.name in ENDS
        if types.is_record(dtype) and unread:
            return dtype
        if dtype not in self.domain:
            raise DomainError(
                f"agg.{self.name} is not defined for {types.name(dtype)}, only for "
                f"{', '.join(map(types.name, self.domain))}; give it a type, as in "
                f"agg.{self.name}['FP64']"
            )
        return dtype

    def output(self, dtype: Any) -> np.dtype:
        """The type of the result.

        Parameters
        ----------
        dtype : type or str
            The type of the entries.

        Returns
        -------
        type
            A NumPy dtype.
        """
        dtype = self.operand(dtype)
        if self.monoid is not None:
            return MONOIDS[self.monoid].output(dtype)
        if self.result == "number" and self.typed is not None:
            return INT64 if dtype == types.BOOL and self.name == "count" else dtype
        if self.result == "number":
            return INT64
        if self.result == "squares":
            return types.unify(dtype, INT64)
        return types.apply_rule(self.result, dtype)

    opclass = "Aggregator"

    @property
    def type(self) -> np.dtype | None:
        """The type to which entries are converted first, or None."""
        return self.typed

    @property
    def types(self) -> dict[np.dtype, np.dtype]:
        """The type of the result for each type of entries."""
        return {dtype: self.output(dtype) for dtype in self.domain}

    @property
    def return_type(self) -> np.dtype | None:
        """The type of the result of an aggregator with a type, or None."""
        return None if self.typed is None else self.output(self.typed)

    def __getitem__(self, dtype: Any) -> Self:
        return _typed(self, self.operand(dtype))

    def __contains__(self, dtype: Any) -> bool:
        return admits(self, dtype)

    def __call__(self, val: Any, *, rowwise: bool = False, columnwise: bool = False) -> Expression:
        """The expression that reduces a vector or a matrix to a scalar, or a matrix by rows or by
        columns."""
        if not isinstance(val, Operations) or not val.shape:
            raise WrongType(f"expected a vector or a matrix for {self!r}, got {brief(val)}")
        rowwise, columnwise = expect_flag(rowwise, "rowwise"), expect_flag(columnwise, "columnwise")
        if (rowwise and columnwise) or (len(val.shape) == 1 and (rowwise or columnwise)):
            raise WrongKind("expected one of rowwise= and columnwise=, and those for a matrix only")
        return self.of(val.T if columnwise else val, rowwise or columnwise)  # type: ignore

    def of(self, operand: Any, rowwise: bool, allow_empty: bool = True) -> Expression:
        """The expression for an operand: a Reduce where the aggregator is a monoid.

        Parameters
        ----------
        operand : Vector, Matrix or Expression
            What is folded.
        rowwise : bool
            Whether each row is folded for itself.
        allow_empty : bool, optional
            What the result of no entries is: no value, or with False the identity of the monoid.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        InvalidValue
            `allow_empty` is False and the aggregator is not a monoid.
        """
        if self.monoid is None:
            if not allow_empty:
                raise InvalidValue(f"expected a monoid with allow_empty=False, got {self!r}")
            return Aggregate(operand, self, rowwise)
        self.operand(operand.dtype)
        monoid = MONOIDS[self.monoid]
        reduced = Reduce(operand, monoid if self.typed is None else monoid[self.typed], rowwise)
        return reduced if allow_empty else OrIdentity(reduced)


@dataclass(frozen=True, eq=False, repr=False)
class Aggregate(Composite):
    """The expression of an aggregator over all entries, or over each row."""

    operand: Any
    aggregator: Aggregator
    rowwise: bool

    def __post_init__(self) -> None:
        operand, aggregator = self.operand, self.aggregator
        if aggregator.lines and not self.rowwise and len(operand.shape) == 2:
            raise InvalidValue(
                f"expected rows or columns for {aggregator!r}, which answers with a position in a "
                "line; use reduce_rowwise or reduce_columnwise"
            )
        shape = operand.shape[:1] if self.rowwise else ()
        dtype = aggregator.output(operand.dtype)
        if aggregator.result == "index" and aggregator.typed is None and beyond_32_bits(operand):
            dtype = INT64
        self.__dict__.update(shape=shape, dtype=dtype, backend=operand.backend)

    def computed(self) -> Any:
        aggregator, operand = self.aggregator, self.operand
        assert aggregator.formula is not None
        if types.is_record(operand.dtype) and self.dtype != operand.dtype:  # no value is read
            operand = operand.apply("positioni")
        if aggregator.typed is not None:
            operand = operand.apply(UNARY["identity"][aggregator.typed])
        made = aggregator.formula(Folds(operand, self.rowwise))
        return made if made.shape and made.dtype == self.dtype else made.new(self.dtype)


# --- formulas ------------------------------------------------------------------------------------


def _variance(f: Folds, sample: bool) -> Any:
    """Σ(x - mean)² / n, or / (n - 1) for a sample."""
    count = f.count.new()
    mean = (f.fold(f.real, "plus").new() / count).new()
    if not f.rowwise and not mean.nvals:
        return Held(mean)
    squares = f.fold(f.beyond(mean).new().apply("pow", np.int64(2)), "plus").new()
    return squares / (count - 1 if sample else count)


def _log_sum(f: Folds, exp: str, log: str) -> Any:
    """log Σ exp(x), computed from the largest x.

    The largest x is kept finite, so that ∞ - ∞ does not occur.
    """
    largest = f.fold(f.real, "max").new().apply("min", right=MAX).new()
    if not f.rowwise and not largest.nvals:
        return Held(largest)
    shift = largest.apply("max", right=-MAX).new()
    return f.fold(f.beyond(shift).new().apply(exp), "plus").new().apply(log).new() + shift


def _geometric_mean(f: Folds) -> Any:
    """exp(Σ log(x) / n). The result is NaN if a number is negative."""
    return (f.fold(f.real.apply("log"), "plus").new() / f.count.new()).new().apply("exp")


def _extreme_index(f: Folds, monoid: str) -> Any:
    """The smallest index at which the extreme value occurs; no value if all values are NaN."""
    if not f.rowwise:
        return Held(index_of_extreme(f.operand, monoid))
    extreme = f.fold(f.operand, monoid).new()
    # the entries that equal the extreme of their row
    equal: Product[Any] = Product(extreme.diag(), f.operand, SEMIRINGS["any_eq"])
    return f.fold(f.indices(Select(equal, SELECT["valueeq"], True)), "min")


@operation
def index_of_extreme(x: Any, monoid: str) -> Scalar:
    """The smallest index (INT64) at which the extreme value of a vector occurs, by min or max. No
    value if all values are NaN."""
    f = Folds(x, rowwise=False)
    extreme = f.fold(x, monoid).new()
    if not extreme.nvals:
        return Scalar(INT64, backend=extreme.backend)
    return f.fold(f.indices(Select(x, SELECT["valueeq"], extreme._store)), "min").new()


def _end_index(f: Folds, last: bool) -> Reduce:
    return f.fold(f.indices(f.operand), "max" if last else "min")


def _end(f: Folds, last: bool) -> Any:
    """The value of the first or last entry; of a whole matrix, in the order of rows."""
    if f.rowwise:
        index, places = _end_index(f, last).new(), f.indices(f.operand).new()
        there: Any = Product(index.diag(), places, SEMIRINGS["any_eq"]).new()
        return f.fold(Through(f.operand, there.V), "any")
    kept, names = f.operand, ("row", "col") if len(f.operand.shape) == 2 else ("row",)
    for name in names:
        at = f.fold(positions(kept, f"{name}index"), "max" if last else "min").new()
        if at.nvals == 0:
            return Held(Scalar(f.operand.dtype, backend=at.backend))
        place = SELECT[f"{name}gt"] if last else SELECT[f"{name}le"]
        kept = Select(kept, place, at.value - last)
    return f.fold(kept, "any")


AGGREGATORS: dict[str, Aggregator] = {}

FIELD = (*NUMBERS, *COMPLEX)
"""The types that can be added and divided. Variances and roots of complex numbers are left out."""


def _monoid(name: str, monoid: str) -> None:
    AGGREGATORS[name] = Aggregator(name, monoid=monoid, domain=MONOIDS[monoid].domain)


def _formula(name: str, formula: Formula, result: Rule = "same", **facts: Any) -> None:
    AGGREGATORS[name] = Aggregator(name, formula, result, **facts)


_monoid("sum", "plus")
_monoid("prod", "times")
_monoid("all", "land")
_monoid("any", "lor")
_monoid("min", "min")
_monoid("max", "max")
_monoid("any_value", "any")
_monoid("bitwise_all", "band")
_monoid("bitwise_any", "bor")

_formula("count", lambda f: f.count, "number", domain=EVERY)
_formula("exists", lambda f: f.fold(f.operand.apply("pair", 1), "any"), "number", domain=EVERY)
_formula("count_nonzero", lambda f: f.compared("isne"), "counted", domain=FIELD)
_formula("count_zero", lambda f: f.compared("iseq"), "counted", domain=FIELD)
_formula("sum_of_squares", lambda f: f.squares, "squares", domain=FIELD)
_formula("sum_of_inverses", lambda f: f.inverses, "widest", domain=FIELD)
_formula("hypot", lambda f: f.norm, FP64, domain=FIELD)
_formula("logaddexp", lambda f: _log_sum(f, "exp", "log"), FP64)
_formula("logaddexp2", lambda f: _log_sum(f, "exp2", "log2"), FP64)
_formula("L1norm", lambda f: f.fold(abs(f.operand), "plus"), "real", domain=FIELD)
_formula("Linfnorm", lambda f: f.fold(abs(f.operand), "max"), "real", domain=EVERY)
AGGREGATORS["L0norm"] = AGGREGATORS["count_nonzero"]
AGGREGATORS["L2norm"] = AGGREGATORS["hypot"]

_formula("mean", lambda f: f.sum.new() / f.count.new(), "double", domain=FIELD)
_formula("varp", lambda f: _variance(f, False), "double")
_formula("vars", lambda f: _variance(f, True), "double")
_formula("stdp", lambda f: _variance(f, False).apply("sqrt"), "double")
_formula("stds", lambda f: _variance(f, True).apply("sqrt"), "double")
_formula("geometric_mean", _geometric_mean, "double", domain=ALL)
_formula("harmonic_mean", lambda f: f.count.new() / f.inverses.new(), "widest", domain=FIELD)
_formula(
    "root_mean_square", lambda f: (f.squares.new() / f.count.new()).new().apply("sqrt"), "double"
)
_formula(
    "peak_to_peak",
    lambda f: f.fold(f.operand, "max").new() - f.fold(f.operand, "min").new(),
    domain=ALL,
)

_formula("argmin", lambda f: _extreme_index(f, "min"), "index", domain=ALL, lines=True)
_formula("argmax", lambda f: _extreme_index(f, "max"), "index", domain=ALL, lines=True)
_formula("first", lambda f: _end(f, False), domain=EVERY)
_formula("last", lambda f: _end(f, True), domain=EVERY)
_formula("first_index", lambda f: _end_index(f, False), INT64, domain=EVERY, lines=True)
_formula("last_index", lambda f: _end_index(f, True), INT64, domain=EVERY, lines=True)


@functools.cache
def _typed(aggregator: Aggregator, dtype: np.dtype) -> Any:
    """The aggregator with a type: one object, as of operators."""
    return replace(aggregator, typed=dtype)


def _again(name: str, typed: str | None) -> Aggregator:
    """The aggregator that a pickle names."""
    return AGGREGATORS[name] if typed is None else AGGREGATORS[name][typed]


SIGNS = {"+": "sum", "*": "prod", "&": "all", "|": "any"}


def named(spelling: str) -> Aggregator:
    """The aggregator of a name, a sign, or a name with a type: "mean", "+", "sum[float]"."""
    expect_kind(spelling, str, "the name of an aggregator")
    base, _, dtype = spelling.strip().removesuffix("]").partition("[")
    name = SIGNS.get(base, base.removeprefix("ss."))
    if name not in AGGREGATORS:
        raise InvalidValue(missing("an aggregator", spelling, list(AGGREGATORS)))
    return AGGREGATORS[name][dtype] if dtype else AGGREGATORS[name]


def monoid_or_aggregator(spelling: str) -> Any:
    """The monoid of a name, or the aggregator if there is no such monoid."""
    try:
        return lookup("monoid", spelling)
    except InvalidValue as unknown:
        try:
            return named(spelling)
        except InvalidValue:
            raise unknown from None


__all__ = ["AGGREGATORS", "Aggregate", "Aggregator", "named"]
