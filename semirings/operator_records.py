"""Operators as frozen records: one expression, the types for which it is defined, and what follows.

The three kinds are those of GraphBLAS: unary, binary and index-unary. `select` accepts index-unary
operators that return BOOL. `semirings.algebra` says what operators have in common with monoids and
semirings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Self

import numpy as np

from . import c_names, promotion, types
from .calls import Record, admits, bracket, expect_typed, of_one, of_two, typed
from .errors import DomainError, InvalidValue
from .expression import POSITIONS, Expression, ExpressionError, parse
from .functions import FUNCTIONS
from .types import ALL, INT64, Rule

DType = np.dtype[Any]


class Registered:
    """The class methods by which operators are made and given names."""

    @classmethod
    def register_anonymous(cls, func: Any, name: str = "", **facts: bool) -> Any:
        """Make an operator, as `register_anonymous` of the namespace does.

        Parameters
        ----------
        func : function or str
            The Python function, or an expression.
        name : str, optional
            The name of the operator.
        **facts : bool
            `parameterized`: whether the function takes parameters and returns the function of the
            operator. `is_udt` concerns Numba and has no effect, and so does `lazy`, but that
            `register_new` then returns None.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp, SelectOp or Parameterized
            The operator.
        """
        from .registration import operator

        return operator(_KINDS[cls.__name__], func, name, **facts)

    @classmethod
    def register_new(cls, name: str, func: Any, **facts: bool) -> Any:
        """Make an operator and register it, as `register_new` of the namespace does.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        func : function or str
            The Python function, or an expression.
        **facts : bool
            `parameterized`: whether the function takes parameters and returns the function of the
            operator. `is_udt` concerns Numba and has no effect. With `lazy` None is returned; the
            namespace has the operator nevertheless.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp, SelectOp, Parameterized or None
            The operator; None with `lazy=True`.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        from .registration import new_operator

        return new_operator(_KINDS[cls.__name__], name, func, **facts)


_KINDS = {
    "UnaryOp": "unary", "BinaryOp": "binary", "IndexUnaryOp": "indexunary", "SelectOp": "select",
}  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class _Operator(Registered, Record):
    """What the three kinds of operators share.

    `expression` is the formula, in the language of `semirings.expression`. `graphblas` is the path
    in python-graphblas, such as "binary.plus", or None for an operator that a user defines.
    `domain` holds the types of the inputs. `operand_rule` is the rule for the type in which it
    computes (see `types.RULES`), and `result` the rule for the type of the result, applied to that
    type; "inferred" is the type of the expression. `typed` is the type to which operands are
    converted first, as in plus["FP32"]; None if they are unified. `wide` is true for a formula of a
    user's own, which computes in the types of Python (see `semirings.promotion`).
    """

    name: str
    expression: str
    graphblas: str | None = None
    domain: tuple[DType, ...] = ALL
    result: Rule = "same"
    operand_rule: Rule = "same"
    typed: DType | None = None
    wide: bool = False

    def __post_init__(self) -> None:
        names = ("x", "i", "j") if isinstance(self, UnaryOp) else ("x", "y", *POSITIONS)
        parse(self.expression, names)

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self.name}{bracket(self)}', {self.expression!r})"

    def __getitem__(self, dtype: Any) -> Self:
        """The operator on operands that are converted to `dtype` first.

        >>> plus = BinaryOp("plus", "x + y")
        >>> plus["INT8"].evaluate(2.75, 3.5), plus.evaluate(2.75, 3.5)
        (np.int8(5), np.float64(6.25))
        """
        return typed(self, dtype)  # type: ignore[no-any-return]

    def __contains__(self, dtype: Any) -> bool:
        """True if the operator is defined for this type."""
        return admits(self, dtype)

    @cached_property
    def parsed(self) -> Expression:
        return parse(self.expression, wide=self.wide)

    @cached_property
    def reads_x(self) -> bool:
        return "x" in self.parsed.free

    @cached_property
    def reads_y(self) -> bool:
        return "y" in self.parsed.free

    @property
    def types(self) -> dict[DType, DType]:
        """The type of the result for each type of operands."""
        return {dtype: self.output(dtype) for dtype in self.domain}

    @property
    def type(self) -> DType | None:
        """The type to which operands are converted first, or None."""
        return self.typed

    @property
    def return_type(self) -> DType | None:
        """The type of the result of an operator with a type, or None."""
        return None if self.typed is None else self.output(self.typed)

    @property
    def gb_name(self) -> str:
        """The name in the C API of GraphBLAS, of an operator with a type."""
        return c_names.of_operator(expect_typed(self, "gb_name"))

    @property
    def parent(self) -> Self | None:
        """The operator without a type, of an operator with one; else None."""
        return None if self.typed is None else replace(self, typed=None)

    @property
    def orig_func(self) -> Any:
        """The Python function by which a user defined the operator, or None."""
        from .names import DEFINED_BY

        return DEFINED_BY.get(self if self.typed is None else self.parent)

    @property
    def is_positional(self) -> bool:
        """True if the operator is a function of positions."""
        return self.positional

    @property
    def opclass(self) -> str:
        """The kind of the operator, as python-graphblas names it."""
        return type(self).__name__

    @cached_property
    def positional(self) -> bool:
        return not self.parsed.free.isdisjoint(POSITIONS)

    def operand(self, dtype: Any) -> DType:
        """The type in which the operator computes.

        Parameters
        ----------
        dtype : type or str
            The type of the inputs.

        Returns
        -------
        type
            A NumPy dtype.

        Raises
        ------
        DomainError
            The operator is not defined for this type.
        """
        dtype = types.lookup(dtype)
        if self.typed is not None:
            return types.apply_rule(self.operand_rule, self.typed)
        if types.is_record(dtype) and self._takes(dtype):
            return dtype
        if dtype not in self.domain:
            allowed = ", ".join(map(types.name, self.domain)) or "records that have its fields"
            raise DomainError(
                f"{self.name} is not defined for {types.name(dtype)}, only for {allowed}; "
                "convert the operands first, for example with .dup(dtype=...)"
            )
        return types.apply_rule(self.operand_rule, dtype)

    def _takes(self, record: DType) -> bool:
        """Whether the operator is defined for a record (see `semirings.records`)."""
        if self.operand_rule != "same":
            return False
        if not self.parsed.free:  # one and pair, which read nothing
            return True
        of_result = record if self.result == "same" else None
        thunk = getattr(self, "thunk", None)
        env = {"x": record, "y": record if thunk is None else thunk}
        return self.parsed.admits(env, of_result)

    def meet(self, left: Any, right: Any) -> DType:
        """The type to which operands of two types are converted: their common type, or `typed`.

        Parameters
        ----------
        left, right : type or str
            The types of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return types.unify(left, right) if self.typed is None else self.typed

    def output(self, dtype: Any) -> DType:
        """The type of the result.

        Parameters
        ----------
        dtype : type or str
            The type of the inputs. If they have two types, unify these with `meet` first.

        Returns
        -------
        type
            A NumPy dtype.
        """
        operand = self.operand(dtype)
        if types.is_record(operand) and not self.parsed.free:
            return INT64
        if self.result == "inferred":
            made = self.parsed.dtype(self._types(dtype))
            if not self.wide or (self.positional and operand == types.BOOL):
                return made
            return promotion.narrowed(made, operand, self.output)
        return types.apply_rule(self.result, operand)

    def _types(self, dtype: Any) -> dict[str, DType]:
        """The types of x and y in the expression."""
        operand = self.operand(dtype)
        thunk = getattr(self, "thunk", None)
        return {"x": operand, "y": operand if thunk is None else thunk}

    def _conversions(self, dtype: Any) -> list[DType]:
        """The types through which an input is converted to the type of the computation."""
        path: list[DType] = []
        now: DType = types.lookup(dtype)
        for to in (self.typed, self.operand(dtype)):
            if to is not None and to != now:
                path.append(to)
                now = to
        return path

    def evaluate(
        self, x: Any = 0, y: Any = 0, i: Any = 0, k: Any = 0, j: Any = 0, dtype: Any = None
    ) -> Any:
        """The result for NumPy scalars or arrays, exactly as in GraphBLAS.

        Parameters
        ----------
        x, y : number or array, optional
            The operands; y is the thunk of an index-unary operator.
        i, k, j : int or array, optional
            The positions.
        dtype : type or str, optional
            The type of the inputs. By default the common type of x and y.

        Returns
        -------
        number or array
            The result, of the type `output(dtype)`.
        """
        thunk = getattr(self, "thunk", None)
        if dtype is None:
            given = np.asarray(x).dtype
            alone = (
                thunk is not None
                or isinstance(self, UnaryOp)
                or (types.is_record(given) and not self.reads_y)
            )
            dtype = given if alone else types.unify(given, np.asarray(y).dtype)
        dtype = dtype if self.typed is None else self.typed
        if isinstance(self, BinaryOp) and (direct := one_function(self, dtype)) is not None:
            x, y = types.cast(x, dtype), types.cast(y, dtype)
            if isinstance(x, np.generic) and isinstance(y, np.generic):
                with np.errstate(all="ignore"):
                    function, result = direct
                    return np.asarray(function(np.asarray(x), np.asarray(y))).astype(result)[()]
        operand = self.operand(dtype)
        env = {"i": i, "k": k, "j": j, "x": types.cast(types.cast(x, dtype), operand)}
        env["y"] = (
            types.cast(y, thunk) if thunk is not None else types.cast(types.cast(y, dtype), operand)
        )
        return self.parsed.evaluate(env, self.output(dtype))

    def cuda(self, dtype: Any, names: Mapping[str, str] | None = None, result: Any = None) -> str:
        """The operator as C++ source.

        Parameters
        ----------
        dtype : type or str
            The type of the inputs.
        names : dict, optional
            How each of x, y, i, k and j is spelled in the source. By default by its own name.
        result : type or str, optional
            The type of the value. By default `output(dtype)`.

        Returns
        -------
        str
            A C++ expression.

        Examples
        --------
        >>> BinaryOp("truediv", "x / y", operand_rule="double").cuda("INT8", {"x": "a", "y": "b"})
        '(arithmetic::cast<double>(a) / arithmetic::cast<double>(b))'
        """
        spelled = {n: n for n in self.parsed.free} | dict(names or {})
        for to in self._conversions(dtype):
            for n in ("x", "y") if getattr(self, "thunk", None) is None else ("x",):
                if n in spelled:
                    spelled[n] = f"arithmetic::cast<{types.c_name(to)}>({spelled[n]})"
        answer = self.output(dtype)
        text = self.parsed.cuda(self._types(dtype), spelled, answer)
        if result is not None and types.lookup(result) != answer:
            text = f"arithmetic::cast<{types.c_name(result)}>({text})"
        return text

    def python(self, dtype: Any) -> str:
        """The operator as source of a Python function `operator` that Numba compiles for one type.

        The arguments of the function are x and y, or x for a unary operator. Its globals must hold
        `np` and `math`. Positional operators are refused, because a Numba function gets no
        positions.

        Parameters
        ----------
        dtype : type or str
            The type of the inputs.

        Returns
        -------
        str
            The source.
        """
        if self.positional:
            raise ExpressionError(f"{self.name} reads positions, which a Python operator cannot")
        dtype = types.lookup(dtype)
        arguments = ["x"] if isinstance(self, UnaryOp) else ["x", "y"]
        expression = self.parsed
        for to in reversed(self._conversions(dtype)):
            names = {n: f"{types.name(to)}({n})" for n in arguments}
            expression = expression.substituted(names)
        env = {"x": dtype, "y": dtype}
        return expression.python(env, self.output(dtype), arguments=arguments)


@dataclass(frozen=True, repr=False, eq=False)
class UnaryOp(_Operator):
    """A unary operator z = f(x), or a function of the position (i, j).

    Parameters
    ----------
    name : str
        The name.
    expression : str
        The formula, in the language of `semirings.expression`.
    graphblas : str, optional
        The path in python-graphblas. None for an operator that a user defines.
    domain : tuple of types, optional
        The types of the inputs.
    result : str or type, optional
        The rule for the type of the result, applied to the type in which it computes (see
        `types.RULES`). "inferred" is the type of the expression.
    operand_rule : str or type, optional
        The rule for the type in which it computes.
    typed : type, optional
        The type to which inputs are converted first, as in `sqrt["FP32"]`.
    wide : bool, optional
        Whether it computes in the types of Python, as a formula of a user's own does.
    """

    def __call__(self, val: Any) -> Any:
        """The operator on every entry: `sqrt(v)`."""
        return of_one(self, val, "apply")


SWAPPED = {
    "lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "islt": "isgt", "isgt": "islt",
    "isle": "isge", "isge": "isle", "pow": "rpow", "rpow": "pow",
}  # fmt: skip
"""Operators with their operands swapped, where the two formulas do not show it."""


@dataclass(frozen=True, repr=False, eq=False)
class BinaryOp(_Operator):
    """A binary operator z = f(x, y), or a function of the positions i, k, j of a product.

    Parameters
    ----------
    name : str
        The name.
    expression : str
        The formula, in the language of `semirings.expression`.
    graphblas : str, optional
        The path in python-graphblas. None for an operator that a user defines.
    domain : tuple of types, optional
        The types of the operands.
    result : str or type, optional
        The rule for the type of the result, applied to the type in which it computes (see
        `types.RULES`). "inferred" is the type of the expression.
    operand_rule : str or type, optional
        The rule for the type in which it computes.
    typed : type, optional
        The type to which operands are converted first, as in `plus["FP32"]`.
    wide : bool, optional
        Whether it computes in the types of Python, as a formula of a user's own does.
    commutative : bool, optional
        Whether f(x, y) = f(y, x).
    associative : bool, optional
        Whether f(f(x, y), z) = f(x, f(y, z)).
    mixed : type, optional
        The type of the result whenever two types of operands are unified, if it is not the `output`
        of the common type: python-graphblas gives INT64 for pair.
    aligned : str, optional
        The formula for operands at one position (i, j), if it is another: the k of firstj, a column
        of x in a product, is then j, and the k of secondi is i.
    """

    commutative: bool = False
    associative: bool = False
    mixed: DType | None = None
    aligned: str | None = None

    @property
    def type2(self) -> DType:
        """The type of the second operand, of an operator with a type."""
        return expect_typed(self, "type2").typed

    @property
    def is_commutative(self) -> bool:
        """True if f(x, y) = f(y, x)."""
        return self.commutative

    @property
    def commutes_to(self) -> BinaryOp | None:
        """The operator of the catalogue with x and y swapped, or None if it has none."""
        from .operators import BINARY

        if self.commutative:
            return self
        plain = self if self.typed is None else replace(self, typed=None)
        if plain.name in SWAPPED and BINARY.get(plain.name) is plain:
            found: BinaryOp | None = BINARY[SWAPPED[plain.name]]
        else:
            swapped = self.parsed.substituted({"x": "y", "y": "x"})
            found = next((op for op in BINARY.values() if op.parsed == swapped), None)
        return found if found is None or self.typed is None else found[self.typed]

    @property
    def monoid(self) -> Any:
        """The monoid of this operator, or None if it has none."""
        from .names import monoid_of

        try:
            return monoid_of(self)
        except (InvalidValue, DomainError):
            return None

    @cached_property
    def elementwise(self) -> BinaryOp:
        """The operator for operands at one position; raises DomainError if that has no meaning."""
        if self.aligned is not None:
            return replace(self, expression=self.aligned, aligned=None)
        if "k" in self.parsed.free:
            raise DomainError(
                f"expected an operator of i and j element by element, but {self.name} reads k, the "
                "inner index of a product; write i (the row) or j (the column) in its place"
            )
        return self

    def __call__(
        self, left: Any, right: Any = None, *, left_default: Any = None, right_default: Any = None
    ) -> Any:
        """The operation `plus(u | v)` or `plus(u & v)`; with a number, `plus(v, 1)`."""
        return of_two(self, left, right, left_default, right_default)

    @cached_property
    def flipped(self) -> BinaryOp:
        """The operator with x and y swapped: f(y, x). Positions keep their meaning."""
        if self.commutative or not (self.reads_x or self.reads_y):
            return self
        swapped = self.parsed.substituted({"x": "y", "y": "x"})
        name = self.name.removeprefix("flip_")
        name = name if name != self.name else f"flip_{name}"
        return replace(self, name=name, expression=swapped.text, graphblas=None)

    def unified(self, left: Any, right: Any) -> DType:
        """The type of the result for operands of two types.

        Parameters
        ----------
        left, right : type or str
            The types of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        answer = self.output(self.meet(left, right))
        return answer if self.mixed is None or self.typed is not None else self.mixed


@dataclass(frozen=True, repr=False, eq=False)
class IndexUnaryOp(_Operator):
    """An operator z = f(x, i, j, y) with a thunk y, for apply and, if it returns BOOL, for select.

    Parameters
    ----------
    name : str
        The name.
    expression : str
        The formula, in the language of `semirings.expression`.
    graphblas : str, optional
        The path in python-graphblas. None for an operator that a user defines.
    domain : tuple of types, optional
        The types of the entries.
    result : str or type, optional
        The rule for the type of the result, applied to the type in which it computes (see
        `types.RULES`). "inferred" is the type of the expression.
    operand_rule : str or type, optional
        The rule for the type in which it computes.
    typed : type, optional
        The type to which entries are converted first.
    wide : bool, optional
        Whether it computes in the types of Python, as a formula of a user's own does.
    thunk : type, optional
        The type of y. None if it is the type of x.
    """

    thunk: DType | None = INT64

    @property
    def thunk_type(self) -> DType:
        """The type of the thunk, of an operator with a type."""
        typed: DType = expect_typed(self, "thunk_type").typed
        return typed if self.thunk is None else self.thunk

    def __call__(self, val: Any, thunk: Any = False) -> Any:
        """The operator on every entry: `rowindex(A)`. False is a 0 of the narrowest type."""
        return of_one(self, val, "apply", thunk)


@dataclass(frozen=True, repr=False, eq=False)
class SelectOp(IndexUnaryOp):
    """An index-unary operator that returns BOOL, to choose entries.

    Parameters
    ----------
    name : str
        The name.
    expression : str
        The formula, in the language of `semirings.expression`.
    graphblas : str, optional
        The path in python-graphblas. None for an operator that a user defines.
    domain : tuple of types, optional
        The types of the entries.
    result : str or type, optional
        The rule for the type of the result, which must give BOOL.
    operand_rule : str or type, optional
        The rule for the type in which it computes.
    typed : type, optional
        The type to which entries are converted first.
    wide : bool, optional
        Whether it computes in the types of Python, as a formula of a user's own does.
    thunk : type, optional
        The type of y. None if it is the type of x.
    """

    def __call__(self, val: Any, thunk: Any = 0) -> Any:
        """The entries for which the operator holds: `tril(A)`."""
        return of_one(self, val, "select", thunk)


@cache
def one_function(op: BinaryOp, dtype: Any) -> tuple[Any, DType] | None:
    """The function that is all of a formula of x and y, on numbers of the type in which it computes
    without a conversion, and the type of the result. None for other operators and types."""
    dtype = types.lookup(dtype)
    if op.positional or types.is_record(dtype) or op.operand(dtype) != dtype:
        return None
    node = op.parsed._node({"x": dtype, "y": dtype}, op.output(dtype))
    both = [(arg.kind, arg.value, arg.dtype) for arg in node.args]
    if both != [("name", "x", dtype), ("name", "y", dtype)] or node.kind not in FUNCTIONS:
        return None
    return FUNCTIONS[node.kind].numpy, op.output(dtype)
