"""The errors of the algebra, and the root of every error of this project.

`lagraph_gpu.errors` exports these classes too, so catching its `LagraphError` also catches the
errors of operators and semirings.
"""

from __future__ import annotations

import reprlib
from typing import Any


class LagraphError(Exception):
    """The root of every error that this library raises on purpose."""


class WrongType(LagraphError, TypeError):
    """An argument has a type that the operation does not accept."""


class InvalidValue(LagraphError, ValueError):
    """An argument has a value that the operation cannot accept, such as a NaN weight."""


class WrongKind(InvalidValue, WrongType):
    """An argument is of a kind of which no value would be right. It is both a `ValueError` and a
    `TypeError`: python-graphblas raises the latter."""


class AlreadyDefined(InvalidValue, AttributeError):
    """A name that is to be given to an operator has one already, or cannot be one."""


class DomainError(LagraphError, TypeError, KeyError):
    """An operator is not defined for the types of its operands. python-graphblas: `KeyError`."""

    __str__ = Exception.__str__  # that of KeyError puts quotation marks around the message


class ExpressionError(LagraphError, ValueError):
    """An expression is outside the language, or does not admit the types of its operands."""


class _Brief(reprlib.Repr):
    """The form of a value in a message: some 200 characters at most, whatever the value is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 12
        self.maxstring = self.maxother = 200

    def repr_instance(self, x: Any, level: int) -> str:
        in_one_line = getattr(type(x), "_in_one_line", None)
        return super().repr_instance(x, level) if in_one_line is None else in_one_line(x)

    def repr_int(self, x: int, level: int) -> str:
        if abs(x).bit_length() > 512:
            return f"an integer of {x.bit_length()} bits"
        return super().repr_int(x, level)


_brief = _Brief()


def brief(value: Any) -> str:
    """What an error message says about a value that came: its `repr`, shortened, on one line.

    A value without one, because it raises or goes on for ever, is named by its type.

    >>> brief("a" * 10**6)[:3], brief(10**5000), brief([0, [1]])
    ("'aa", 'an integer of 16610 bits', '[0, [1]]')
    """
    try:
        shown = _brief.repr(value)
        return " ".join(shown.split()) if "\n" in shown else shown
    except Exception:  # a value's own repr may raise anything
        return f"a {type(value).__name__}"


def grouped(count: int) -> str:
    """An integer with its digits in groups of three, or its length if it is very long.

    >>> grouped(2**31), grouped(10**5000)
    ('2,147,483,648', 'an integer of 16610 bits')
    """
    return f"{count:,}" if abs(count) < 10**30 else brief(int(count))
