"""What it means to call an operator, a monoid or a semiring, and to give it a type in brackets.

Operators do not import vectors: they recognise an operation by its method `_with_op`, and a
container by its methods `apply` and `select`.
"""

from __future__ import annotations

import inspect
import threading
from dataclasses import fields, replace
from typing import Any, ClassVar, Protocol, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from . import types
from .errors import DomainError, WrongKind, WrongType, brief

DType = np.dtype[Any]
Result = TypeVar("Result", covariant=True)


class Interned(type):
    """The metaclass of the records: two records with equal fields are one object.

    Every statement looks up what follows from its operators. Their hash and their comparison are
    those of the object, which cost no call. A copy and an unpickled record are the object itself.
    """

    _records: ClassVar[WeakValueDictionary[Any, Any]] = WeakValueDictionary()
    _lock: ClassVar[threading.Lock] = threading.Lock()

    @property
    def __signature__(cls) -> inspect.Signature:
        of_self = inspect.signature(cls.__init__, eval_str=True)  # type: ignore[misc]
        return of_self.replace(parameters=list(of_self.parameters.values())[1:])

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        made = super().__call__(*args, **fields)
        key = cls, *map(distinct, made._fields())
        with Interned._lock:
            return Interned._records.setdefault(key, made)


def distinct(value: Any) -> Any:
    """A key for a field, which tells 0, 0.0, -0.0 and False apart."""
    return (type(value), repr(value)) if isinstance(value, (bool, float, np.generic)) else value


class Record(metaclass=Interned):
    """The base of the records, which are frozen data classes without a comparison of their own."""

    def _fields(self) -> tuple[Any, ...]:
        """The values of all fields, in the order in which the class takes them."""
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._fields()


SCALARS: list[Any] = []
"""The function of lagraph_gpu that makes a scalar of a number, for operators on numbers alone."""


def as_scalar(x: Any) -> Any:
    """A number as a scalar on which operators can be applied; anything else as it is."""
    return SCALARS[0](x) if SCALARS and isinstance(x, (int, float, complex, np.generic)) else x


class Operation(Protocol[Result]):
    """Two operands around a sign, such as `u @ A`, which wait for an operator."""

    def _with_op(self, op: Any) -> Result: ...


def around(op: Any, operation: Any, *defaults: Any) -> Any:
    """The meaning of `op(operation)`: the operation, carried out with this operator."""
    try:
        with_op = operation._with_op
    except AttributeError:
        raise WrongType(
            f"expected an operation for {op!r}, as in min_plus(u @ A) or plus(u | v), "
            f"got {brief(operation)}"
        ) from None
    return with_op(op, *defaults)


def of_two(op: Any, x: Any, y: Any, left_default: Any = None, right_default: Any = None) -> Any:
    """The meaning of `op(x, y)`, with a number bound to one side, or of `op(u | v)`.

    A union may have defaults. A container is recognised by its method `apply` and its backend.
    """
    if left_default is not None or right_default is not None:
        if y is not None or left_default is None or right_default is None:
            raise WrongType(
                "expected both defaults beside a union, as in "
                f"op(u | v, left_default=0, right_default=0) with {op!r}"
            )
        return around(op, x, left_default, right_default)
    if y is None:
        return around(op, x)
    if not takes(y, "apply"):
        x = as_scalar(x)
    if takes(x, "apply") and (bool(getattr(x, "shape", None)) or not takes(y, "apply")):
        return x.apply(op, right=y)
    if takes(y, "apply"):
        return y.apply(op, left=x)
    raise WrongType(
        f"expected a container beside a number for {op!r}, got {brief(x)} and {brief(y)}"
    )


def takes(x: Any, verb: str) -> bool:
    """Whether this is a container or an expression, which has such a method. A data frame has
    methods of these names, too, and no backend."""
    return hasattr(x, verb) and hasattr(x, "backend")


def of_one(op: Any, x: Any, verb: str, *thunk: Any) -> Any:
    """The meaning of `op(x)` for an operator of one operand: x.apply(op) or x.select(op)."""
    x = as_scalar(x)
    if not takes(x, verb):
        raise WrongType(f"expected a vector, a matrix or an expression for {op!r}, got {brief(x)}")
    return getattr(x, verb)(op, *thunk)


KEPT_BY_NUMBA = ("double", "number")
"""The operand rules for which `op[type]` keeps the type in brackets: INT8 numbers are divided as
FP64, but first they are INT8. With the other rules it is the type that GraphBLAS has."""


def given_type(op: Any, dtype: Any) -> DType:
    """The type to which `op[dtype]` converts its operands. A pair of types is unified."""
    if op.typed is not None:
        raise WrongType(f"expected an operator without a type, got {brief(op)}")
    pair = isinstance(dtype, tuple) and len(dtype) == 2
    dtype = op.meet(*map(types.lookup, dtype)) if pair else types.lookup(dtype)
    operand = op.operand(dtype)
    multiply = getattr(op, "multiply", op)
    return dtype if getattr(multiply, "operand_rule", "") in KEPT_BY_NUMBA else operand


def typed(op: Any, dtype: Any) -> Any:
    """The meaning of `op[dtype]`. It is made once for each type, and kept with the operator. A name
    may come to mean another type, so the type is looked up each time."""
    if isinstance(dtype, tuple):
        return replace(op, typed=given_type(op, dtype))
    dtype = types.lookup(dtype)
    made = vars(op).setdefault("_typed", {})
    if dtype not in made:
        made[dtype] = replace(op, typed=given_type(op, dtype))
    return made[dtype]


def admits(op: Any, dtype: Any) -> bool:
    """The meaning of `dtype in op`: True if the operator is defined for the type, or for a pair."""
    pair = isinstance(dtype, tuple) and len(dtype) == 2
    try:
        found = [types.lookup(d) for d in (dtype if pair else (dtype,))]
    except WrongType as problem:
        raise WrongKind(str(problem)) from None
    try:
        op.operand(op.meet(*found) if pair else found[0])
    except DomainError:
        return False
    return True


def expect_typed(op: Any, attribute: str) -> Any:
    """The operator, if it has a type; without one it has no such attribute."""
    if op.typed is None:
        raise AttributeError(
            f"expected an operator with a type for {attribute}, as {op.name}['INT64'], got {op!r}"
        )
    return op


def bracket(op: Any) -> str:
    """The type of a typed operator, as it is written after the name."""
    return "" if op.typed is None else f"[{types.name(op.typed)}]"
