"""Operators, monoids and semirings of one's own.

    from semirings import binary, monoid, semiring, check_laws

    longest = monoid("max(x, y)", 0)
    reliable = semiring(longest, "x * y", distributive=True, ordered="y <= 1", carrier="x >= 0")

An operator is given as an expression (`semirings.expression` is its language) or as a plain Python
function of `if` and `return`, whose source is read, never run. Its domain is every type the
expression admits and its result type is the expression's own, unless stated.

The facts beside a definition are claims on which schedules rely: a false one gives false answers.
`check_laws` looks for counterexamples. What is not claimed is taken from the catalogue, if that has
the same formulas under names of its own and asks no carrier of them: a maximum is idempotent, and a
minimum distributes over it, whoever writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from . import types
from .algebra import VALUES, BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from .catalogue import SEMIRINGS
from .errors import DomainError, InvalidValue, WrongType
from .expression import ExpressionError, parse
from .monoids import MONOIDS
from .operator_records import _Operator
from .source import formula
from .types import Rule

Definition = str | Callable[..., Any]
Domain = Iterable[Any] | None
Kind = TypeVar("Kind", bound=_Operator)


def unary(
    definition: Definition, *, name: str = "", domain: Domain = None, result: Any = "inferred"
) -> UnaryOp:
    """The operator z = f(x): `unary("sqrt(abs(x))")`."""
    return _operator(UnaryOp, definition, ("x",), name, domain, result)


def binary(
    definition: Definition,
    *,
    name: str = "",
    domain: Domain = None,
    result: Any = "inferred",
    commutative: bool = False,
    associative: bool = False,
) -> BinaryOp:
    """The operator z = f(x, y): an expression, or a function of two arguments.

    domain  the types of operands; by default all that the expression admits
    result  the type of the answer: a type, or a rule of `types.RULES` such as "same"

    Raises ExpressionError, which says what an expression may contain.

    >>> binary("x + 2 * y").evaluate(np.int32(1), np.int32(5))
    np.int32(11)
    >>> binary("x + 2 * y").output("FP32")
    dtype('float32')
    """
    facts = {"commutative": commutative, "associative": associative}
    return _operator(BinaryOp, definition, ("x", "y"), name, domain, result, **facts)


def indexunary(
    definition: Definition,
    *,
    name: str = "",
    domain: Domain = None,
    result: Any = "inferred",
    thunk: Any = types.INT64,
) -> IndexUnaryOp:
    """The operator z = f(x, i, j, y) of an entry, its position and a thunk."""
    thunk = None if thunk is None else types.lookup(thunk)
    order = ("x", "i", "j", "y")
    return _operator(IndexUnaryOp, definition, order, name, domain, result, thunk=thunk)


def monoid(
    op: Definition | BinaryOp,
    identity: Any,
    *,
    terminal: Any = None,
    idempotent: bool | None = None,
    selective: bool | None = None,
    commutative: bool = True,
    name: str = "",
    domain: Domain = None,
) -> Monoid:
    """A monoid from an associative operator and its identity.

    identity, terminal  numbers, or "highest", "lowest", "ones", "zero" of each type
    domain              by default the types in which the operator answers in its operands' type
                        and that can represent the identity
    idempotent, selective
                by default what the catalogue knows of the same formula, else False

    >>> monoid("max(x, y)", "lowest", terminal="highest").identity("INT8")
    np.int8(-128)
    """
    op = op if isinstance(op, BinaryOp) else binary(op, commutative=commutative, associative=True)
    if not (isinstance(identity, int | float | np.generic) or identity in list(VALUES)):
        raise InvalidValue(
            f"expected a number or one of {list(VALUES)} as identity, got {identity!r}"
        )

    def admits(dtype: Any) -> bool:
        if op.operand(dtype) != dtype or op.output(dtype) != dtype:
            return False
        return all(isinstance(v, str) or _represents(dtype, v) for v in (identity, terminal))

    types_ = _domain(domain, filter(admits, op.domain))
    if not types_:
        raise InvalidValue(
            f"{op!r} with identity {identity!r} is a monoid over no type: it must answer in its "
            "operands' type, and that type must hold the identity and the terminal"
        )
    known = next((m for m in MONOIDS.values() if m.op.parsed == op.parsed), None)
    facts: dict[str, Any] = {
        "idempotent": _stated(idempotent, known, "idempotent"),
        "selective": _stated(selective, known, "selective"),
        "commutative": commutative,
    }
    return Monoid(name or op.name, op, identity, terminal, types_, **facts)


def semiring(
    monoid: Monoid,
    multiply: Definition | BinaryOp,
    *,
    name: str = "",
    domain: Domain = None,
    distributive: bool | None = None,
    ordered: str | None = None,
    carrier: str | None = None,
) -> Semiring:
    """A semiring from a monoid and an operator that multiplies.

    ordered  a condition on y under which x ⊗ y is never better than x ("y >= 0", "always")
    carrier  a condition on x: the values the semiring is about
    distributive, ordered
             by default what the catalogue knows of the same two formulas, else False and None

    >>> widest = semiring(monoid("max(x, y)", 0), "min(x, y)")
    >>> widest.distributive, widest.ordered
    (True, 'always')
    """
    if not isinstance(monoid, Monoid):
        raise WrongType(
            "expected a Monoid, such as MONOIDS['min'] or monoid('min(x, y)', 'highest'), got "
            f"{monoid!r}"
        )
    multiply = multiply if isinstance(multiply, BinaryOp) else binary(multiply)
    if ordered not in (None, "always"):
        parse(str(ordered), ("y",))
    if carrier is not None:
        parse(carrier, ("x",))
    admitted = (
        d
        for d in multiply.domain
        if multiply.output(d) in monoid.domain and monoid.output(multiply.output(d))
    )
    types_ = _domain(domain, admitted)
    if not types_:
        raise InvalidValue(
            f"{multiply!r} and {monoid!r} meet in no type: the operator answers in "
            f"{sorted({types.name(multiply.output(d)) for d in multiply.domain})}, and the monoid "
            f"is defined for {[types.name(d) for d in monoid.domain]}"
        )
    known = _KNOWN.get((monoid.op.parsed, multiply.parsed))
    facts: dict[str, Any] = {
        "distributive": _stated(distributive, known, "distributive"),
        "ordered": ordered or (known and known.ordered),
        "carrier": carrier,
    }
    return Semiring(monoid, multiply, types_, **facts, own_name=name or None)


_KNOWN = {
    (s.monoid.op.parsed, s.multiply.parsed): s
    for s in SEMIRINGS.values()
    if s.carrier is None and not s.monoid.is_any and not s.multiply.positional
}


def _stated(claim: bool | None, known: Any, fact: str) -> bool:
    """The claim, or if there is none what is known."""
    return bool(getattr(known, fact, False) if claim is None else claim)


def _represents(dtype: np.dtype[Any], value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, int) and dtype.kind in "iu":
        return bool(types.lowest(dtype) <= value <= types.highest(dtype))
    return bool(np.isnan(value) or types.cast(value, dtype) == value)


def _domain(stated: Domain, admitted: Iterable[np.dtype[Any]]) -> tuple[np.dtype[Any], ...]:
    possible = tuple(admitted)
    if stated is None:
        return possible
    asked = tuple(types.lookup(d) for d in stated)
    if missing := [types.name(d) for d in asked if d not in possible]:
        raise DomainError(
            f"not defined for {', '.join(missing)}, only for {[types.name(d) for d in possible]}"
        )
    return asked


def _operator(
    kind: type[Kind],
    definition: Definition,
    order: tuple[str, ...],
    name: str,
    domain: Domain,
    result: Any,
    **facts: Any,
) -> Kind:
    positions = () if kind is UnaryOp else ("i", "k", "j")
    if isinstance(definition, str):
        text = parse(definition, tuple(dict.fromkeys((*order, *positions)))).text
    else:
        name = name or getattr(definition, "__name__", "").replace("<lambda>", "")
        text = formula(definition, order)
    named = isinstance(result, str) and result in ("inferred", *types.RULES)
    rule: Rule = result if named else types.lookup(result)
    op = kind(name or text, text, None, types.ALL, rule, **facts)
    failures: dict[str, str] = {}

    def admits(dtype: np.dtype[Any]) -> bool:
        try:
            op.parsed.dtype(op._types(dtype))
        except ExpressionError as error:
            failures[types.name(dtype)] = str(error)
        return types.name(dtype) not in failures

    types_ = _domain(domain, filter(admits, types.ALL))
    if not types_:
        raise ExpressionError(next(iter(failures.values())))
    return kind(op.name, text, None, types_, rule, **facts)
