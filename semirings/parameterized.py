"""Operators with parameters: a function that returns the function of an operator.

`plus_x(x=0)` returns a function of one value for each x. `Parameterized("unary", plus_x)` is called
with the parameters and gives an operator. It stands for the operator of its defaults wherever an
operator is expected, as in python-graphblas.

>>> def plus_x(x=0):
...     return lambda value: value + x
>>> op = Parameterized("unary", plus_x)
>>> op(10).expression, op().expression, op(10) is op(x=10)
('x + 10', 'x + 0', True)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import InvalidValue, WrongType, brief


class Parameterized:
    """An operator, a monoid or a semiring that has parameters.

    Parameters
    ----------
    kind : str
        "unary", "binary", "indexunary", "select", "monoid" or "semiring".
    maker : function
        The function of the parameters. It returns what makes an operator of this kind: a function,
        or for "monoid" and "semiring" the operator itself.
    name : str, optional
        The name. By default that of the function.
    signature : function, optional
        The function that says which parameters there are. By default `maker`.
    is_idempotent : bool, optional
        Whether a monoid is idempotent.
    """

    is_positional = False

    def __init__(
        self, kind: str, maker: Callable[..., Any], name: str = "",
        signature: Callable[..., Any] | None = None, *, is_idempotent: bool = False,
    ) -> None:  # fmt: skip
        if not callable(maker):
            raise WrongType(f"expected a function of the parameters, got {brief(maker)}")
        self.kind, self.maker = kind, maker
        self.name = name or getattr(maker, "__name__", kind)
        self.__signature__ = inspect.signature(signature or maker)
        self.is_idempotent = is_idempotent
        self.monoid: Parameterized | None = None
        """The monoid that was made of this binary operator, or None."""

    def __repr__(self) -> str:
        return f"Parameterized({self.kind!r}, '{self.name}{self.__signature__}')"

    def __call__(self, *parameters: Any, **named: Any) -> Any:
        """The operator for these parameters.

        Parameters
        ----------
        *parameters, **named : object
            The parameters.

        Returns
        -------
        UnaryOp, BinaryOp, IndexUnaryOp, Monoid or Semiring
            The operator.
        """
        from .names import pair

        op, given = self._made(*parameters, **named)
        if self.kind == "binary" and self.monoid is not None:
            pair(op, self.monoid, given)
        return op

    def _made(self, *parameters: Any, **named: Any) -> tuple[Any, inspect.BoundArguments]:
        """The operator, which has not been told of its monoid, and the parameters."""
        from .names import own

        try:
            given = self.__signature__.bind(*parameters, **named)
        except TypeError as problem:
            raise WrongType(
                f"expected the parameters {self.__signature__} of {self.name}, got others: "
                f"{problem}"
            ) from None
        made = self.maker(*given.args, **given.kwargs)
        complete = self.kind in ("monoid", "semiring")
        return (made if complete else own(self.kind, made, self.name)), given

    def __getitem__(self, dtype: Any) -> Any:
        """The operator of the defaults, on operands that are converted to `dtype` first."""
        return self()[dtype]

    @property
    def types(self) -> dict[Any, Any]:
        """The type of the result for each type of operands, for the defaults."""
        return self().types  # type: ignore[no-any-return]


def parameters(function: Any) -> inspect.Signature:
    """The signature without annotations."""
    given = inspect.signature(function)
    bare = [p.replace(annotation=p.empty) for p in given.parameters.values()]
    return given.replace(parameters=bare, return_annotation=given.empty)


def joined(kind: str, build: Callable[..., Any], parts: list[Any], name: str, **facts: Any) -> Any:
    """What `build` makes of parts: at once, or with parameters if a part has some.

    A plain function among the parts, the identity of a monoid, is one of the parameters too. All
    parts that have parameters must have the same.
    """

    varying = [part for part in parts if _varies(part)]
    if not varying:
        return build(*parts)
    first, *others = map(parameters, varying)
    for other in others:
        if other != first:
            raise InvalidValue(
                f"expected both parts with the same parameters, got {first}, {other}"
            )

    return Parameterized(kind, _Maker(build, parts), name, varying[0], **facts)


def _varies(part: Any) -> bool:
    return isinstance(part, Parameterized) or inspect.isfunction(part)


@dataclass(eq=False)
class _Maker:
    """The function of the parameters of something made of parts. It can be pickled."""

    build: Callable[..., Any]
    parts: list[Any]

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.build(*(self._of(part, given, named) for part in self.parts))

    def _of(self, part: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if isinstance(part, Parameterized):  # of an operator, the monoid that is made here
            return part._made(*given, **named)[0]
        return part(*given, **named) if _varies(part) else part
