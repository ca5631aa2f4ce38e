"""Operators by name, with the spelling of python-graphblas.

`lookup("binary", "plus")` returns an operator. A spelling may be a sign ("+", "min.+", "<="), have
a type ("plus[int]") or a prefix ("ss.secondi"), or be no string: an operator is returned as it is,
abs, min and max of Python are the operators of that name, and a Python function of one expression
becomes an operator (`semirings.custom` says which functions can). Names that `register` was given
are found too.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace as _replace
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from . import custom, numpy_names, types
from .algebra import BinaryOp, IndexUnaryOp, Monoid, SelectOp, Semiring, UnaryOp
from .catalogue import SEMIRINGS
from .errors import AlreadyDefined, InvalidValue, WrongKind, WrongType, brief
from .expression import ExpressionError, parse
from .monoids import MONOIDS
from .operators import BINARY, EXTRA, INDEXUNARY, SELECT, UNARY
from .parameterized import Parameterized

TABLES: dict[str, Mapping[str, Any]] = {
    "unary": {**UNARY, **numpy_names.UNARY},
    "binary": {**BINARY, **EXTRA, **numpy_names.BINARY},
    "monoid": {**MONOIDS, **numpy_names.MONOIDS},
    "semiring": SEMIRINGS,
    "indexunary": INDEXUNARY,
    "select": SELECT,
}

REGISTERED: dict[str, dict[str, Any]] = {kind: {} for kind in TABLES}
"""The operators to which users gave a name, by kind."""

MADE_OF: WeakKeyDictionary[BinaryOp, Monoid] = WeakKeyDictionary()
"""The monoid that a user made of a binary operator."""

DEFINED_BY: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""The Python function by which an operator was defined."""

_COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_PLACED = {f"{kind}{sign}": f"{kind}{name}" for kind in ("row", "col", "index")
           for sign, name in (("<=", "le"), (">", "gt"))}  # fmt: skip

SIGNS: dict[str, dict[str, str]] = {
    "unary": {"-": "ainv", "~": "lnot"},
    "binary": {
        "+": "plus", "-": "minus", "*": "times", "/": "truediv", "//": "floordiv", "**": "pow",
        "%": "numpy.mod", "&": "land", "|": "lor", "^": "lxor", **_COMPARED,
    },
    "monoid": {"+": "plus", "*": "times", "&": "land", "|": "lor", "^": "lxor", "==": "eq"},
    "semiring": {},
    "indexunary": {sign: f"value{name}" for sign, name in _COMPARED.items()} | _PLACED,
    "select": {sign: f"value{name}" for sign, name in _COMPARED.items()} | _PLACED,
}  # fmt: skip

FUNCTIONS = {
    builtins.abs: UNARY["abs"],
    builtins.max: BINARY["max"],
    builtins.min: BINARY["min"],
}

ARTICLES = {
    "unary": "a unary operator", "binary": "a binary operator", "monoid": "a monoid",
    "semiring": "a semiring", "indexunary": "an index-unary operator",
    "select": "a select operator or a comparison",
}  # fmt: skip

FORMULAS = {
    "unary": ("unary", ("x",)), "binary": ("binary", ("x", "y")),
    "indexunary": ("indexunary", ("x", "i", "j", "y")),
    "select": ("indexunary", ("x", "i", "j", "y")),
}  # fmt: skip
"""For each kind, the function that makes an operator of a formula, and the names in the formula."""


def names(kind: str) -> list[str]:
    """All names of a kind, including the registered ones."""
    return sorted({*TABLES[kind], *REGISTERED[kind]})


def lookup(kind: str, spelling: Any) -> Any:
    """The operator of a kind that a spelling means.

    >>> lookup("semiring", "min.+"), lookup("binary", "plus[FP32]")
    (Semiring('min_plus'), BinaryOp('plus[FP32]', 'x + y'))
    >>> lookup("unary", "sqr")
    Traceback (most recent call last):
    semirings.errors.InvalidValue: expected the name of a unary operator, such as sqrt; got 'sqr'
    """
    if isinstance(spelling, str):
        if (found := named(kind, spelling)) is not None:
            return found
        if kind == "monoid" and is_name("binary", spelling):
            raise WrongKind(f"expected a monoid, or an operator that has one, got {spelling!r}")
        raise InvalidValue(missing(kind, spelling, names(kind)) + _as_expression(kind, spelling))
    if isinstance(spelling, FunctionType) and kind in ("unary", "binary", "indexunary", "select"):
        return own(kind, spelling)
    if isinstance(spelling, Parameterized):
        return lookup(kind, spelling())
    known: dict[Any, Any] = FUNCTIONS
    return known.get(spelling, spelling) if isinstance(spelling, BuiltinFunctionType) else spelling


@lru_cache(maxsize=1024)
def named(kind: str, spelling: str) -> Any:
    """The operator of a kind that this text means; None if there is none of that name."""
    match = re.fullmatch(r"\s*([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?\s*", spelling)
    if match is None:
        raise InvalidValue(
            f"expected a name with one type in brackets, as plus[int]: {brief(spelling)}"
        )
    base, dtype = match[1].lower(), match[2]
    name = SIGNS[kind].get(base, base.removeprefix("ss."))
    for table in (REGISTERED[kind], TABLES[kind]):
        for key in (match[1], name, f"numpy.{name}"):
            if key in table:
                return table[key] if dtype is None else table[key][dtype]
    if (found := numpy_names.find(kind, base.removeprefix("numpy."))) is not None:
        return found if dtype is None else found[dtype]
    if kind == "semiring" and base.count(".") == 1:
        add, multiply = base.split(".")
        found = semiring_of(lookup("monoid", add), lookup("binary", multiply))
        return found if dtype is None else found[dtype]
    return None


def by_name(kind: str, name: str) -> Any:
    """The operator of a kind that has exactly this name, or None."""
    registered = REGISTERED[kind].get(name)
    return TABLES[kind].get(name) if registered is None else registered


def is_name(kind: str, spelling: str) -> bool:
    """True if it is the name of an operator of this kind, and no formula."""
    return by_name(kind, spelling) is not None


def missing(kind: str, name: str, known: list[str]) -> str:
    """The message for a name that is in no table."""
    near = _near(name, tuple(known)) or known
    what = ARTICLES.get(kind, kind)
    return f"expected the name of {what}, such as {', '.join(near)}; got {brief(name)}"


def _as_expression(kind: str, spelling: str) -> str:
    """Advice for a string that is not a name but the formula of an operator."""
    if kind not in FORMULAS:
        return ""
    maker, variables = FORMULAS[kind]
    try:
        parse(spelling, variables)
    except ExpressionError:
        return ""
    return f"; of an expression make an operator first: semirings.{maker}({brief(spelling)})"


@lru_cache
def _near(name: str, known: tuple[str, ...]) -> list[str]:
    """The names with a similar spelling.

    Results are cached, because a name may be looked up often.
    """
    from difflib import get_close_matches

    return get_close_matches(name, known, n=5, cutoff=0.5)


def operator_to_apply(op: Any, bound: bool) -> Any:
    """The unary, binary or index-unary operator to apply.

    If a number is bound to one side, a name means a binary operator first.
    """
    if isinstance(op, (UnaryOp, BinaryOp, IndexUnaryOp)):
        return op
    kinds = ("binary", "indexunary", "unary") if bound else ("unary", "indexunary", "binary")
    if isinstance(op, str):
        for kind in kinds:
            if (found := named(kind, op)) is not None:
                return found
        return lookup(kinds[0], op)  # raises
    if isinstance(op, FunctionType):
        try:
            return lookup(kinds[0], op)
        except InvalidValue:
            for kind in kinds[1:]:
                with suppress(InvalidValue):
                    return lookup(kind, op)
            raise
    found = lookup("unary", op)
    found = found.binary if isinstance(found, Monoid) else found
    if not isinstance(found, (UnaryOp, BinaryOp, IndexUnaryOp)):
        raise WrongType(f"expected an operator to apply, got {brief(found)}")
    return found


def monoid_of(op: Any) -> Any:
    """The monoid of a binary operator that has one, by its name. A monoid is returned as it is."""
    if not isinstance(op, BinaryOp):
        return op
    if (made := MADE_OF.get(op if op.typed is None else _replace(op, typed=None))) is not None:
        return made if op.typed is None else made[op.typed]
    plain = op if op.typed is None else _replace(op, typed=None)
    found = REGISTERED["monoid"].get(op.name) or TABLES["monoid"].get(op.name)
    # A user may call an operator of his own "plus"; a monoid of the tables is not about that one.
    if isinstance(found, Monoid) and (op.graphblas is not None or found.op is plain):
        if op.typed is None:
            return found
        if op.typed in found.domain:
            return found[op.typed]
    raise WrongKind(
        f"expected a monoid or an operator that has one, got {brief(op)}; "
        "make one with monoid(op, identity)"
    )


def pair(op: BinaryOp, monoid: Parameterized, given: Any) -> None:
    """Remember the monoid of an operator, both with the same parameters."""
    if op not in MADE_OF:
        with suppress(Exception):  # the identity is a function of the user's
            MADE_OF[op] = monoid(*given.args, **given.kwargs)


def _untyped(op: BinaryOp) -> Any:
    return TABLES["binary"].get(op.name, REGISTERED["binary"].get(op.name))


def semiring_of(add: Any, multiply: Any, name: str = "") -> Semiring:
    """The semiring of a monoid and an operator.

    An operator that has a monoid may stand for it, and a monoid for its operator. The result is the
    semiring of the catalogue if that has it. A type in brackets on either of the two becomes the
    type of the semiring.
    """
    add, multiply = lookup("monoid", add), lookup("binary", multiply)
    add = monoid_of(add)
    multiply = multiply.binary if isinstance(multiply, Monoid) else multiply
    if not isinstance(add, Monoid) or not isinstance(multiply, BinaryOp):
        got = f"{brief(add)} and {brief(multiply)}"
        raise WrongType(f"expected a monoid and a binary operator for a semiring, got {got}")
    expect_name(name)
    dtype = multiply.typed if multiply.typed is not None else add.typed
    if add.typed is not None:
        add = MONOIDS.get(add.name, REGISTERED["monoid"].get(add.name, add))
    if multiply.typed is not None:
        multiply = _untyped(multiply) or multiply
    found = SEMIRINGS.get(f"{add.name}_{multiply.name}")
    if found is None or (found.monoid, found.multiply) != (add, multiply) or name:
        found = custom.semiring(add, multiply, name=name)
    return found if dtype is None else found[dtype]


def expect_name(name: Any) -> None:
    if not isinstance(name, str):
        raise WrongType(f"expected the name as text, got {brief(name)}")


def own(kind: str, definition: Any, name: str = "") -> Any:
    """An operator that a user defines by an expression or a function of one expression."""
    expect_name(name)
    op = _own(kind, definition, name)
    if isinstance(definition, FunctionType):
        DEFINED_BY[op] = definition
    return op


def _own(kind: str, definition: Any, name: str) -> Any:
    if kind == "unary":
        return custom.unary(definition, name=name)
    if kind == "binary":
        return custom.binary(definition, name=name)
    op = custom.indexunary(definition, name=name, thunk=None)
    if op.parsed.reads_fields:  # a thunk is a number, not a record
        op = custom.indexunary(definition, name=name)
    if kind == "indexunary":
        return op
    facts = {f: getattr(op, f) for f in ("name", "expression", "domain", "result", "thunk", "wide")}
    if any(op.output(d) != types.BOOL for d in op.domain):
        raise InvalidValue(
            f"expected a condition, which answers BOOL, to select by; got {brief(op)}"
        )
    return SelectOp(**facts)


TAKEN = {"from_string", "get_semiring", "numpy", "register_anonymous", "register_new", "ss"}
"""Names of a namespace that are no operators."""


def expect_flag(value: Any, name: str) -> bool:
    """Check for True or False, of Python or NumPy. Other values are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidValue(f"expected {name} as True or False, got {brief(value)}")
    return bool(value)


def expect_new(kind: str, name: Any) -> None:
    """Refuse a name that is taken, by an operator or a path to operators, or that cannot be one.

    Index-unary and select operators share their names.
    """
    expect_name(name)
    if not all(part.isidentifier() for part in name.split(".")):
        raise AlreadyDefined(
            f"expected a new name for {ARTICLES[kind]}, of letters, digits and underscores, got "
            f"{brief(name)}"
        )
    kinds = ("indexunary", "select") if kind in ("indexunary", "select") else (kind,)
    taken = {*TAKEN, *(n for one in kinds for n in names(one))}
    taken |= {f"numpy.{n}" for n in numpy_names.OURS.get(kind, ())}
    paths = {n[:at] for n in taken for at in range(len(n)) if n[at] == "."}
    above = {name[:at] for at in range(len(name)) if name[at] == "."} - {"numpy", "ss"}
    for found in sorted(above & taken) + [name] * (name in taken | paths):
        own = found in REGISTERED[kind]
        advice = f"; `del {kind}.{found}` takes it away" if own else ""
        raise AlreadyDefined(
            f"expected a new name for {ARTICLES[kind]}, but {kind}.{found} is already defined"
            + advice
        )


def register(kind: str, name: str, op: Any) -> Any:
    """Give an operator a name under which it is found from now on in this process."""
    expect_new(kind, name)
    note(kind, name, op)
    return op


def note(kind: str, name: str, op: Any) -> None:
    """Give an operator a name without looking whether it is new: of two kinds that share their
    names, `register` has looked for one."""
    REGISTERED[kind][name] = op
    named.cache_clear()


def forget(kind: str, name: str) -> bool:
    """Take away a name that was registered; False if there is none."""
    found = REGISTERED.get(kind, {}).pop(name, None) is not None
    named.cache_clear()
    return found
