"""The errors of the algebra, and the root of every error of this project.

`lagraph_gpu.errors` exports these classes too, so catching its `LagraphError` also catches the
errors of operators and semirings.
"""

from __future__ import annotations


class LagraphError(Exception):
    """The root of every error that this library raises on purpose."""


class WrongType(LagraphError, TypeError):
    """An argument has a type that the operation does not accept."""


class InvalidValue(LagraphError, ValueError):
    """An argument has a value that the operation cannot accept, such as a NaN weight."""


class DomainError(LagraphError, TypeError):
    """An operator is not defined for the types of its operands."""
