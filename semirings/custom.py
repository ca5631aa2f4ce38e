"""Operators, monoids and semirings that users define.

    from semirings import binary, monoid, semiring, check_laws

    longest = monoid("max(x, y)", 0)
    reliable = semiring(longest, "x * y", distributive=True, ordered="y <= 1", carrier="x >= 0")

An operator is given as an expression (`semirings.expression` describes the language), or as a plain
Python function of `if` and `return`, whose source is read but never run. By default its domain is
every type that the expression admits, and its result type is that of the expression.

The facts beside a definition are claims on which schedules rely: a wrong claim gives wrong answers.
`check_laws` looks for counterexamples. A fact that is not claimed is taken from the catalogue, if a
semiring there has the same formulas and no carrier: a maximum is idempotent, and a minimum
distributes over it, also in a definition of your own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from . import types
from .algebra import VALUES, BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from .catalogue import SEMIRINGS
from .errors import DomainError, InvalidValue, WrongType, brief
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
    """Define a unary operator z = f(x), such as `unary("sqrt(abs(x))")`.

    Parameters
    ----------
    definition : str or function
        An expression of x, or a Python function of one argument.
    name : str, optional
        The name. By default that of the function, or the expression.
    domain : sequence of types, optional
        The types of operands. By default all that the expression admits.
    result : type or str, optional
        The type of the result: a type, or a rule of `types.RULES` such as "same". By default the
        type of the expression.

    Returns
    -------
    UnaryOp
        The operator.

    Raises
    ------
    ExpressionError
        The definition is not an expression of the language.
    DomainError
        The expression does not admit a type of the domain.
    """
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
    """Define a binary operator z = f(x, y).

    Parameters
    ----------
    definition : str or function
        An expression of x and y, or a Python function of two arguments.
    name : str, optional
        The name. By default that of the function, or the expression.
    domain : sequence of types, optional
        The types of operands. By default all that the expression admits.
    result : type or str, optional
        The type of the result: a type, or a rule of `types.RULES` such as "same". By default the
        type of the expression.
    commutative : bool, optional
        Whether f(x, y) = f(y, x).
    associative : bool, optional
        Whether f(f(x, y), z) = f(x, f(y, z)).

    Returns
    -------
    BinaryOp
        The operator.

    Raises
    ------
    ExpressionError
        The definition is not an expression of the language. The message says what an expression may
        contain.
    DomainError
        The expression does not admit a type of the domain.

    Examples
    --------
    >>> binary("x + 2 * y").evaluate(np.int32(1), np.int32(5))
    np.int32(11)
    >>> binary("x + 2 * y").output("FP32")
    FP32
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
    """Define an operator z = f(x, i, j, y) of an entry, its position and a thunk.

    Parameters
    ----------
    definition : str or function
        An expression of x, i, j and y, or a Python function of four arguments.
    name : str, optional
        The name. By default that of the function, or the expression.
    domain : sequence of types, optional
        The types of entries. By default all that the expression admits.
    result : type or str, optional
        The type of the result: a type, or a rule of `types.RULES` such as "same". By default the
        type of the expression.
    thunk : type or str, optional
        The type of the thunk y. With None it is the type of the entries.

    Returns
    -------
    IndexUnaryOp
        The operator.

    Raises
    ------
    ExpressionError
        The definition is not an expression of the language.
    DomainError
        The expression does not admit a type of the domain.
    """
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
    """Define a monoid by an associative operator and its identity.

    Parameters
    ----------
    op : BinaryOp, str or function
        The operator, or its definition.
    identity : number, dict or {"highest", "lowest", "ones", "zero"}
        The identity: a number, or a value of each type, by its name here or in a dict by types.
    terminal : number or {"highest", "lowest", "ones", "zero"}, optional
        The terminal. By default there is none.
    idempotent, selective : bool, optional
        Whether x ⊕ x = x, and whether x ⊕ y is x or y. By default what the catalogue says of the
        same formula, otherwise False.
    commutative : bool, optional
        Whether x ⊕ y = y ⊕ x.
    name : str, optional
        The name. By default that of the operator.
    domain : sequence of types, optional
        The types of values. By default the types for which the operator returns the type of its
        operands, and that can hold the identity and the terminal.

    Returns
    -------
    Monoid
        The monoid.

    Raises
    ------
    InvalidValue
        The identity is not a number or one of the names, or the domain is empty.
    DomainError
        The operator is not defined for a type of the domain.

    Examples
    --------
    >>> monoid("max(x, y)", "lowest", terminal="highest").identity_of("INT8")
    np.int8(-128)
    """
    op = op if isinstance(op, BinaryOp) else binary(op, commutative=commutative, associative=True)
    if isinstance(identity, Mapping):
        by_type = {types.lookup(d): value for d, value in identity.items()}
        domain = tuple(by_type) if domain is None else domain
        identity = tuple(by_type.items())
        if not by_type or not all(map(_is_number, by_type.values())):
            raise InvalidValue(f"expected a number as the identity of each type, got {by_type}")
    elif not (_is_number(identity) or (isinstance(identity, str) and identity in VALUES)):
        raise InvalidValue(
            f"expected a number or one of {list(VALUES)} as identity, got {brief(identity)}"
        )

    def admits(dtype: Any) -> bool:
        if op.operand(dtype) != dtype or op.output(dtype) != dtype:
            return False
        if not all(_represents(dtype, v) for v in (identity, terminal)):
            return terminal is None and _wraps_to_an_identity(op, identity, dtype)
        return True

    types_ = _domain(domain, filter(admits, op.domain))
    if not types_:
        raise InvalidValue(
            f"{op!r} with identity {brief(identity)} is a monoid over no type: it must answer in "
            "its operands' type, and that type must hold the identity and the terminal"
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
    """Define a semiring by a monoid and an operator that multiplies.

    Parameters
    ----------
    monoid : Monoid
        The operation ⊕.
    multiply : BinaryOp, str or function
        The operation ⊗, or its definition.
    name : str, optional
        The name. By default the names of ⊕ and ⊗.
    domain : sequence of types, optional
        The types of operands. By default all for which both operations are defined.
    distributive : bool, optional
        Whether ⊗ distributes over ⊕. By default what the catalogue says of the same two formulas,
        otherwise False.
    ordered : str, optional
        A condition on y under which x ⊗ y is never better than x, such as "y >= 0", or "always". By
        default what the catalogue says of the same two formulas.
    carrier : str, optional
        A condition on x: the values that the semiring is about.

    Returns
    -------
    Semiring
        The semiring.

    Raises
    ------
    WrongType
        `monoid` is not a monoid.
    InvalidValue
        The two operations have no type in common.

    Examples
    --------
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
    """The claim, or what is known if there is no claim."""
    return bool(getattr(known, fact, False) if claim is None else claim)


def _is_number(value: Any) -> bool:
    """True for a number that one of the types holds."""
    if isinstance(value, np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, (float, complex)) or (
        isinstance(value, int) and -(2**63) <= value < 2**64
    )


def _represents(dtype: np.dtype[Any], value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, tuple):  # one for each type
        return any(d == dtype and _represents(d, one) for d, one in value)
    if isinstance(value, str):  # a complex type has no largest number and no bits
        return not types.is_complex(dtype) or value == "zero"
    if isinstance(value, int) and dtype.kind in "iu":
        return bool(types.lowest(dtype) <= value <= types.highest(dtype))
    return value != value or bool(
        types.cast(value, dtype).item() == value
    )  # NaN, or the same number


def _wraps_to_an_identity(op: BinaryOp, identity: Any, dtype: np.dtype[Any]) -> bool:
    """True if an integer that a type does not hold is the identity when it has wrapped around, as
    -1 is 255 in UINT8 and then the identity of x + y + 1."""
    if not isinstance(identity, int) or dtype.kind not in "iu":
        return False
    values = np.array([0, 1, 2, 3, types.lowest(dtype), types.highest(dtype)], dtype)
    e = np.full_like(values, types.cast(identity, dtype))
    return bool(
        (op.evaluate(values, e) == values).all() and (op.evaluate(e, values) == values).all()
    )


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
    facts["wide"] = True
    op = kind(name or text, text, None, types.EVERY, rule, **facts)
    failures: dict[str, str] = {}

    def admits(dtype: np.dtype[Any]) -> bool:
        try:
            op.parsed.dtype(op._types(dtype))
        except ExpressionError as error:
            failures[types.name(dtype)] = str(error)
        return types.name(dtype) not in failures

    if op.parsed.reads_fields and domain is None:
        return kind(op.name, text, None, (), rule, **facts)  # for records that have them
    types_ = _domain(domain, filter(admits, types.EVERY))
    if not types_:
        raise ExpressionError(next(iter(failures.values())))
    return kind(op.name, text, None, types_, rule, **facts)
