"""What can go wrong in the algebra, and the root of every error of this project.

`lagraph_gpu.errors` gives these names too: whoever catches its `LagraphError` catches what an
operator or a semiring refuses as well.
"""

from __future__ import annotations


class LagraphError(Exception):
    """The root of every error this library raises on purpose."""


class WrongType(LagraphError, TypeError):
    """An argument of a kind that the operation does not take."""


class InvalidValue(LagraphError, ValueError):
    """A value that the operation cannot accept (NaN weight, negative id, bad option)."""


class DomainError(LagraphError, TypeError):
    """An operator that is not defined on the types it was given."""
