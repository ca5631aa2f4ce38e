"""The namespaces of python-graphblas: `binary.plus`, `semiring.min_plus`, `agg.mean`.

Each namespace is a module too, so `from lagraph_gpu.semiring import min_plus` works as it does in
python-graphblas. An operator is called with an operation (`plus(u | v)`), or with operands
(`plus(v, 1)`), or it is given a type in brackets (`plus["FP32"]`).

>>> from lagraph_gpu import binary, op, semiring
>>> binary.plus, semiring.min_plus["FP32"], semiring.ss.min_secondi
(BinaryOp('plus', 'x + y'), Semiring('min_plus[FP32]'), Semiring('min_secondi'))
>>> "plus" in binary, op.sqrt, op.min_plus
(True, UnaryOp('sqrt', 'sqrt(x)'), Semiring('min_plus'))
>>> binary.hypott
Traceback (most recent call last):
AttributeError: expected the name of a binary operator, such as hypot; got 'hypott'
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Generic, TypeVar

import numpy as np

from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.notation import aggregators, composites
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.notation.handle import replace
from semirings import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    Semiring,
    UnaryOp,
    names,
    numpy_names,
    records,
    registration,
    types,
)
from semirings.operators import _SUITESPARSE

Op = TypeVar("Op")


class Namespace(ModuleType, Generic[Op]):
    """Operators as attributes. An unknown name raises an error that suggests similar names."""

    ss: NamedOperators
    numpy: OfNumPy

    def __init__(self, name: str, kind: str, doc: str = "") -> None:
        super().__init__(f"lagraph_gpu.{name}", doc or f"{name}: {kind}s by name.")
        self._kind = kind
        sys.modules[self.__name__] = self

    def _names(self) -> list[str]:
        return names.names(self._kind)

    def _find(self, name: str) -> Any:
        return names.by_name(self._kind, name)

    def _path(self, prefix: str) -> NamedOperators | None:
        """The part of the namespace whose names begin with a prefix, such as `binary.numpy`."""
        return (
            NamedOperators(self, prefix, prefix + ".")
            if any(n.startswith(prefix + ".") for n in self._names())
            else None
        )

    def __getattr__(self, name: str) -> Op:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._find(name)
        found = self._path(name) if found is None else found
        if found is None:
            raise AttributeError(names.missing(self._kind, name, self._names()))
        if found is names.TABLES.get(self._kind, {}).get(name):
            vars(self)[name] = found  # for ever: nobody can take this name, or take it away
        return found  # type: ignore[return-value]

    def __delattr__(self, name: str) -> None:
        """Take away the name of an operator that was registered."""
        if not names.forget(self._kind, name):
            vars(self).pop(name, None)  # it comes back, and is found, when it is asked for
            super().__delattr__(name)

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def __dir__(self) -> list[str]:
        classes = [c for c in type(self).__mro__ if issubclass(c, Namespace)]
        own = [n for part in (self, *classes) for n in vars(part) if not n.startswith("_")]
        return sorted({*(n.partition(".")[0] for n in self._names()), *own})

    def __repr__(self) -> str:
        return f"<{self.__name__}: {len(self._names())} names>"

    def from_string(self, string: str) -> Any:
        """The operator that a spelling such as "+[int]" means.

        Parameters
        ----------
        string : str
            A name or a sign, and a type in brackets if one is wanted.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp, Monoid, Semiring or Aggregator
            The operator.
        """
        expect_kind(string, str, "a spelling such as '+' or 'min[int]'")
        return names.lookup(self._kind, string)


class NamedOperators(ModuleType):
    """A part of a namespace: `semiring.ss`, `binary.numpy`, or a path that a user registered."""

    def __init__(
        self, whole: Namespace[Any], name: str, prefix: str, listed: frozenset[str] | None = None
    ) -> None:
        super().__init__(f"{whole.__name__}.{name}", f"{name}: a part of {whole.__name__}.")
        self._whole, self._prefix, self._listed = whole, prefix, listed
        sys.modules[self.__name__] = self

    def __dir__(self) -> list[str]:
        found = [n for n in self._whole._names() if n.startswith(self._prefix)]
        if self._listed is not None:
            found = [n for n in found if n in self._listed]
        return [n.removeprefix(self._prefix) for n in found]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or (self._listed is not None and name not in self._listed):
            raise AttributeError(names.missing(self._whole._kind, name, dir(self)))
        return getattr(self._whole, self._prefix + name)

    def __contains__(self, name: str) -> bool:
        return name in dir(self)


class OfNumPy(NamedOperators):
    """A part `numpy`: the operators of a namespace under the names of NumPy's functions."""

    def __init__(self, whole: Namespace[Any]) -> None:
        super().__init__(whole, "numpy", "numpy.")
        self._kind = whole.__name__.partition(".")[2]

    def __dir__(self) -> list[str]:
        own = {n for n in super().__dir__() if "." not in n}
        return sorted({*numpy_names.listed(self._kind), *own})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = numpy_names.find(self._kind, name)
        found = self._whole._find(f"numpy.{name}") if found is None else found
        if found is None:
            raise AttributeError(names.missing(self._whole._kind, name, dir(self)))
        return found


class Operators(Namespace[Op]):
    """A namespace to which users add operators of their own."""

    def register_anonymous(self, func: Any, name: str | None = None, **facts: Any) -> Any:
        """Make an operator from a Python function of `if` and `return`, or from an expression.

        Parameters
        ----------
        func : function or str
            The Python function, or an expression such as "x + 2 * y".
        name : str, optional
            The name of the operator.
        **facts : bool
            `parameterized`: whether the function takes parameters and returns the function of the
            operator, which then is called with the parameters. `is_udt` concerns Numba and has no
            effect, and so does `lazy`, but that `register_new` then returns None.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp or Parameterized
            The operator.

        Examples
        --------
        >>> from lagraph_gpu import binary
        >>> binary.register_anonymous(lambda x, y: x + 2 * y)
        BinaryOp('x + 2 * y', 'x + 2 * y')
        """
        return registration.operator(self._kind, func, name, **facts)

    def register_new(self, name: str, func: Any, **facts: Any) -> Any:
        """Make an operator as `register_anonymous` does, and register it in this namespace.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        func : function or str
            The Python function, or an expression.
        **facts : bool
            `parameterized`: whether the function takes parameters and returns the function of the
            operator, which then is called with the parameters. `is_udt` concerns Numba and has no
            effect. With `lazy` None is returned; the namespace has the operator nevertheless.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp, Parameterized or None
            The operator; None with `lazy=True`.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        return registration.new_operator(self._kind, name, func, **facts)


@checked_methods
class Monoids(Namespace[Monoid]):
    """The namespace `monoid`."""

    def register_anonymous(
        self, binaryop: Any, identity: Any, name: str | None = None, *, is_idempotent: bool = False
    ) -> Any:
        """Make a monoid from a binary operator and its identity.

        Parameters
        ----------
        binaryop : BinaryOp, function or str
            The binary operator, or its formula.
        identity : number
            The identity of the operator.
        name : str, optional
            The name of the monoid.
        is_idempotent : bool, optional
            Whether op(x, x) = x for all x.

        Returns
        -------
        Monoid or Parameterized
            The monoid.
        """
        return registration.monoid(
            binaryop, identity, "" if name is None else name, is_idempotent=is_idempotent
        )

    def register_new(
        self, name: str, binaryop: Any, identity: Any, *, is_idempotent: bool = False,
        lazy: bool = False,
    ) -> Any:  # fmt: skip
        """Make a monoid as `register_anonymous` does, and register it in this namespace.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        binaryop : BinaryOp, Parameterized, function or str
            The binary operator, or its formula.
        identity : number or function
            The identity, or a function of the parameters of the operator that returns it.
        is_idempotent : bool, optional
            Whether op(x, x) = x for all x.
        lazy : bool, optional
            With True, None is returned; the namespace has the monoid nevertheless.

        Returns
        -------
        Monoid, Parameterized or None
            The monoid.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        return registration.new_monoid(
            name, binaryop, identity, is_idempotent=is_idempotent, lazy=lazy
        )


class Semirings(Namespace[Semiring]):
    """The namespace `semiring`."""

    def get_semiring(self, monoid: Any, binaryop: Any, name: str | None = None) -> Any:
        """The semiring of a monoid and a binary operator; the one of the catalogue if it is there.

        Parameters
        ----------
        monoid : Monoid or str
            The operation ⊕.
        binaryop : BinaryOp or str
            The operation ⊗.
        name : str, optional
            The name of a semiring that is not in the catalogue.

        Returns
        -------
        Semiring or Parameterized
            The semiring.
        """
        return registration.semiring(monoid, binaryop, name)

    register_anonymous = get_semiring
    """The name that python-graphblas has for it."""

    def register_new(self, name: str, monoid: Any, binaryop: Any, *, lazy: bool = False) -> Any:
        """Make a semiring as `get_semiring` does, and register it in this namespace.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        monoid : Monoid, Parameterized or str
            The operation ⊕.
        binaryop : BinaryOp, Parameterized or str
            The operation ⊗.
        lazy : bool, optional
            With True, None is returned; the namespace has the semiring nevertheless.

        Returns
        -------
        Semiring, Parameterized or None
            The semiring.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        return registration.new_semiring(name, monoid, binaryop, lazy=lazy)


class Selects(Operators[Any]):
    """The namespace `select`, whose operators choose entries."""

    def value(self, expr: Any) -> Any:
        """The entries whose value meets a comparison: `select.value(x > 3)`.

        Parameters
        ----------
        expr : Expression
            A comparison of a container with a number.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return composites.placed(expr, "value")

    def row(self, expr: Any) -> Any:
        """The entries whose row meets a comparison: `select.row(A <= 5)`.

        Parameters
        ----------
        expr : Expression
            A comparison of a container with a number.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return composites.placed(expr, "row")

    def column(self, expr: Any) -> Any:
        """The entries whose column meets a comparison: `select.column(A <= 5)`.

        Parameters
        ----------
        expr : Expression
            A comparison of a container with a number.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return composites.placed(expr, "column")

    def index(self, expr: Any) -> Any:
        """The entries of a vector whose index meets a comparison: `select.index(v <= 5)`.

        Parameters
        ----------
        expr : Expression
            A comparison of a container with a number.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return composites.placed(expr, "index")


class Aggregators(Namespace[Any]):
    """The namespace `agg`."""

    Aggregator = aggregators.Aggregator

    def _names(self) -> list[str]:
        return sorted(aggregators.AGGREGATORS)

    def _find(self, name: str) -> Any:
        return aggregators.AGGREGATORS.get(name)

    def from_string(self, string: str) -> Any:
        return aggregators.named(string)


class Everything(Namespace[Any]):
    """The namespace `op`: unary and binary operators, monoids and semirings in one."""

    KINDS = ("unary", "binary", "monoid", "semiring")

    def _names(self) -> list[str]:
        return sorted({n for kind in self.KINDS for n in names.names(kind)})

    def _find(self, name: str) -> Any:
        found = (names.by_name(kind, name) for kind in self.KINDS)
        return next((op for op in found if op is not None), None)

    def from_string(self, string: str) -> Any:
        expect_kind(string, str, "a spelling such as '+' or 'min[int]'")
        for kind in (*self.KINDS, "indexunary", "select"):
            try:
                return names.lookup(kind, string)
            except names.InvalidValue:
                pass
        return aggregators.named(string)


class Types(ModuleType):
    """The namespace `dtypes`: the types, which equal their names and their NumPy types."""

    def __init__(self) -> None:
        super().__init__("lagraph_gpu.dtypes", type(self).__doc__)
        sys.modules[self.__name__] = self
        vars(self).update(types.BY_NAME)
        self.DataType = types.DataType

    def lookup_dtype(self, key: Any, value: Any = None) -> types.DataType:
        """The type that a spelling names.

        Parameters
        ----------
        key : type or str
            A name, a type of Python or NumPy, or a record.
        value : object, optional
            Kept for python-graphblas. It has no effect.

        Returns
        -------
        DataType
            The type.
        """
        return types.lookup(key)

    def unify(
        self, type1: Any, type2: Any, *, is_left_scalar: bool = False, is_right_scalar: bool = False
    ) -> np.dtype[Any]:
        """The type in which operands of two types are computed.

        Parameters
        ----------
        type1, type2 : type or str
            The types.
        is_left_scalar, is_right_scalar : bool, optional
            Kept for python-graphblas, where they have no effect either.

        Returns
        -------
        type
            The common type.
        """
        return types.unify(types.lookup(type1), types.lookup(type2))

    def __dir__(self) -> list[str]:
        own = [name for name in vars(self) if not name.startswith("_")]
        methods = ("lookup_dtype", "register_anonymous", "register_new", "unify")
        return sorted({*own, *methods, *types.NAMED})

    def __getattr__(self, name: str) -> types.DataType:
        if name in types.NAMED:
            return types.RECORDS[name]
        raise AttributeError(names.missing("a type", name, [*types.BY_NAME, *types.NAMED]))

    def register_anonymous(self, dtype: Any, name: str | None = None) -> types.DataType:
        """Make a type of a record or of an array, whose containers live on the CPU backend.

        Parameters
        ----------
        dtype : type, dict or str
            The NumPy dtype of a record or of an array, the types of the fields of a record by their
            names, or the name of an array type such as "INT64[2]".
        name : str, optional
            A name. A type that is known gets it as its new name.

        Returns
        -------
        DataType
            The type.

        Raises
        ------
        WrongType
            The dtype is neither a record nor an array of numbers.
        """
        return records.register_anonymous(dtype, name)

    def register_new(self, name: str, dtype: Any) -> types.DataType:
        """Make a type as `register_anonymous` does, and register it under a name.

        Parameters
        ----------
        name : str
            The name, by which this namespace and `lookup_dtype` find it.
        dtype : type, dict or str
            The NumPy dtype of a record or of an array, the types of the fields of a record by their
            names, or the name of an array type such as "INT64[2]".

        Returns
        -------
        DataType
            The type.

        Examples
        --------
        >>> import numpy as np
        >>> import lagraph_gpu as lg
        >>> Point = lg.dtypes.register_new("ExamplePoint", [("lon", float), ("lat", float)])
        >>> v = lg.Vector.from_coo([0, 2], np.array([(3, 4), (6, 8)], Point), backend="cpu")
        >>> v.apply(lg.unary.register_anonymous("hypot(x['lon'], x['lat'])")).new().to_dict()
        {0: 5.0, 2: 10.0}
        """
        return records.register_new(name, dtype)


unary: Operators[UnaryOp] = Operators("unary", "unary")
binary: Operators[BinaryOp] = Operators("binary", "binary")
indexunary: Operators[IndexUnaryOp] = Operators("indexunary", "indexunary")
select = Selects("select", "select")
monoid = Monoids("monoid", "monoid")
semiring = Semirings("semiring", "semiring")
op = Everything("op", "an operator")
agg = Aggregators("agg", "an aggregator")
dtypes = Types()

_positional = {f"{m}_{o}" for m in names.TABLES["monoid"] for o in _SUITESPARSE}
_ss = frozenset(
    {*_SUITESPARSE, *_positional, "argmin", "argmax", "first", "last", "first_index", "last_index"}
)
for _space in (unary, binary, semiring, op, agg, monoid, indexunary, select):
    listed = _ss - {"first", "last"} if _space is op else _ss
    vars(_space)["ss"] = NamedOperators(_space, "ss", "", listed)
for _space in (unary, binary, semiring, op, monoid):
    vars(_space)["numpy"] = OfNumPy(_space)

__all__ = [
    "agg", "binary", "dtypes", "indexunary", "monoid", "op", "replace", "select", "semiring",
    "unary",
]  # fmt: skip
