"""Selectors: a vector of positions as a matrix, so that products with it move entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lagraph_gpu.errors import IndexOutOfBound
from lagraph_gpu.notation.expressions import Expression
from semirings import types


@dataclass(frozen=True, eq=False, repr=False)
class Selector(Expression):
    """The matrix with `ncols` columns and a true entry at (i, v(i)) for each entry of v."""

    vector: Any
    ncols: int

    def __post_init__(self) -> None:
        u = self.vector
        facts = {"shape": (*u.shape, self.ncols), "dtype": types.BOOL, "backend": u.backend}
        for name, value in facts.items():
            object.__setattr__(self, name, value)


def expect_columns(outside: bool, ncols: int) -> None:
    """Raise IndexOutOfBound if a selector names a column outside its matrix."""
    if outside:
        raise IndexOutOfBound(
            f"expected values from 0 to {ncols - 1} to select columns by, got some outside; "
            "pass ncols, or keep those inside with .select"
        )
