"""Columns of data frames, by what frames of all libraries have in common; none is imported."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer
from lagraph_gpu.errors import InvalidValue, WrongType, brief
from lagraph_gpu.notation.checks import is_real


def column_of(frame: Any, name: Any) -> Any:
    """A column of a frame of pandas or Polars, of a table of PyArrow, or of a dict.

    It is a NumPy array, or what the dict holds.
    """
    known = columns_of(frame)
    if not (isinstance(name, str) or is_integer(name)) or name not in known:
        have = ", ".join(map(brief, known)) or "none"
        near = get_close_matches(str(name), list(map(str, known)), n=2)
        meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise InvalidValue(f"expected a column {brief(name)} in the frame, which has {have}{meant}")
    if isinstance(frame, Mapping):
        return frame[name]
    column = frame[name]
    if not hasattr(column, "to_numpy") or getattr(column, "ndim", 1) != 1:
        raise WrongType(
            f"expected one column {name!r} that has to_numpy(), got {type(frame).__name__}; "
            "give each column a name of its own"
        )
    if hasattr(column, "is_valid"):  # of PyArrow, whose record batches have no copies by default
        return column.to_numpy(zero_copy_only=False)
    return column.to_numpy()


def numbers_of(frame: Any, name: Any) -> Any:
    """A column of numbers. The error for anything else names the row."""
    column = column_of(frame, name)
    if np.asarray(column).dtype.kind not in "OSTU":
        return column
    for row, value in enumerate(column):
        if not is_real(value):
            raise InvalidValue(
                f"expected numbers in the column {name!r}, got {brief(value)} in row {row}; "
                "leave the row out, or make it a number"
            )
    return np.array([*column])


def columns_of(frame: Any) -> list[Any]:
    """The names of the columns."""
    if isinstance(frame, Mapping):
        return list(frame)
    if hasattr(frame, "collect"):
        raise WrongType(
            f"expected a data frame, got {type(frame).__name__}; collect the lazy frame first"
        )
    known = getattr(frame, "column_names", None)  # of PyArrow, whose `columns` are the arrays
    known = getattr(frame, "columns", None) if known is None else known
    if known is None or callable(known) or not hasattr(frame, "__getitem__"):
        raise WrongType(
            "expected a data frame (pandas, Polars, a table of PyArrow or a dict), got "
            f"{type(frame).__name__}; Graph.from_edges takes lists and arrays"
        )
    return list(known)
