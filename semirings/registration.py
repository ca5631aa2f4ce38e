"""How users make operators, monoids and semirings and give them names.

The namespaces of lagraph_gpu (`unary.register_new`) and the classes of records
(`UnaryOp.register_new`) share these functions.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

from . import custom, names
from .algebra import Monoid
from .errors import InvalidValue, WrongType, brief
from .operator_records import BinaryOp
from .parameterized import Parameterized, joined

FACTS = {"is_udt", "lazy", "parameterized"}


def operator(kind: str, definition: Any, name: str | None = None, **facts: Any) -> Any:
    """The operator of a definition, or with `parameterized=True` an operator with parameters."""
    if unknown := facts.keys() - FACTS:
        raise InvalidValue(
            f"expected the options {', '.join(sorted(FACTS))}, got {', '.join(sorted(unknown))}"
        )
    for fact, value in facts.items():
        names.expect_flag(value, fact)
    name = "" if name is None else name
    names.expect_name(name)
    if not facts.get("parameterized"):
        return names.own(kind, definition, name)
    if not inspect.isfunction(definition):
        raise WrongType(f"expected a function of the parameters, got {brief(definition)}")
    return Parameterized(kind, definition, name)


def new_operator(kind: str, name: str, definition: Any, **facts: Any) -> Any:
    """Register the operator of a definition, and return it. An operator to select by is registered
    as one to apply as well.

    None with `lazy=True`, as in python-graphblas, which then compiles it at its first use.
    """
    names.expect_new(kind, name)
    made = names.register(kind, name, operator(kind, definition, name, **facts))
    if kind in ("indexunary", "select"):
        other = "select" if kind == "indexunary" else "indexunary"
        found = None
        if isinstance(made, Parameterized):
            found = Parameterized(other, definition, name)
        elif kind == "select" or all(made.output(d) == names.types.BOOL for d in made.domain):
            found = names.own(other, definition, name)
        if found is not None:
            names.note(other, name, found)
    return None if facts.get("lazy") else made


def new_monoid(
    name: str, op: Any, identity: Any, *, is_idempotent: bool = False, lazy: bool = False
) -> Any:
    """A monoid, registered; None with `lazy=True`."""
    names.expect_flag(lazy, "lazy")
    names.expect_new("monoid", name)
    made = monoid(op, identity, name, is_idempotent=is_idempotent)
    names.register("monoid", name, made)
    return None if lazy else made


def new_semiring(name: str, add: Any, multiply: Any, *, lazy: bool = False) -> Any:
    """A semiring, registered; None with `lazy=True`."""
    names.expect_flag(lazy, "lazy")
    names.expect_new("semiring", name)
    made = names.register("semiring", name, semiring(add, multiply, name))
    return None if lazy else made


def monoid(op: Any, identity: Any, name: str | None = None, *, is_idempotent: bool = False) -> Any:
    """The monoid of an operator and its identity. Either may have parameters."""
    names.expect_flag(is_idempotent, "is_idempotent")
    name = "" if name is None else name
    names.expect_name(name)
    named = isinstance(op, str) and names.is_name("binary", op)
    if (callable(op) or named) and not isinstance(op, Parameterized):
        op = names.lookup("binary", op)
    if isinstance(op, Monoid) or (isinstance(op, Parameterized) and op.kind != "binary"):
        raise WrongType(f"expected a binary operator for a monoid, got {brief(op)}")
    build = partial(_monoid_of, name, is_idempotent)
    if not isinstance(op, Parameterized):
        made = build(op, identity)
        if isinstance(op, BinaryOp):
            names.MADE_OF.setdefault(op, made)
        return made
    made = joined("monoid", build, [op, identity], name or op.name, is_idempotent=is_idempotent)
    op.monoid = made
    return made


def _monoid_of(name: str, is_idempotent: bool, op: Any, identity: Any) -> Monoid:
    return custom.monoid(
        op, identity, idempotent=is_idempotent or None, name=name or getattr(op, "name", "")
    )


def semiring(add: Any, multiply: Any, name: str | None = None) -> Any:
    """The semiring of a monoid and an operator. Either may have parameters."""
    label = "" if name is None else name
    build = partial(_semiring_of, label)
    given = [add, multiply]
    if not any(isinstance(part, Parameterized) for part in given):
        return build(add, multiply)
    default = f"{getattr(add, 'name', add)}_{getattr(multiply, 'name', multiply)}"
    return joined("semiring", build, given, label or default)


def _semiring_of(name: str, add: Any, multiply: Any) -> Any:
    return names.semiring_of(add, multiply, name)
