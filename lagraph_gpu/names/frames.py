"""Columns of data frames, by what frames of all libraries have in common; none is imported."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.convert.arguments import is_integer
from lagraph_gpu.errors import InvalidValue, WrongType, brief, did_you_mean
from lagraph_gpu.names.labels import plain_list
from lagraph_gpu.notation.checks import is_real
from semirings.types import OF_DTYPE

ENDS = ("source", "target"), ("src", "dst"), ("from", "to")
"""The names of the columns with both ends of each edge, where nobody says other ones. They may be
in upper case."""

UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
"""What pandas calls an index without a name in tables of Arrow, and so in Parquet files."""

SHOWN = 20
"""So many columns at most are listed in a message."""


class EdgeColumns(NamedTuple):
    """Which columns of a table hold the edges. What is None is looked for in the heading."""

    source: Any = None
    target: Any = None
    weight: Any = None

    @property
    def option(self) -> bool:
        """Whether errors name the option of the command line, which frames do not have."""
        return True

    @property
    def given(self) -> bool:
        """Whether any column is named."""
        return any(name is not None for name in self)

    def ends(self, known: Sequence[Any]) -> tuple[Any, Any]:
        """The columns with both ends. Raises InvalidValue where a table does not have them."""
        usual = ends_among(known) or (None, None)
        source = usual[0] if self.source is None else self.source
        target = usual[1] if self.target is None else self.target
        if source is None or target is None:
            pairs = ", or ".join(f"{u} and {v}" for u, v in ENDS)
            option = " (--columns)" if self.option else ""
            raise InvalidValue(
                f"expected columns named {pairs}, got {listed_names(known)}; say with source= and "
                f"target={option} which hold the ends of the edges{_perhaps(known)}"
            )
        expect_column(source, known)
        expect_column(target, known)
        return source, target

    def weights(self, known: Sequence[Any]) -> Any:
        """The column with the weights, or None without any.

        By default it is one of that name, or the third of three. Other columns beside the ends are
        refused with InvalidValue, since one may hold the weights, unless both ends are named. The
        index that pandas wrote is left out.
        """
        if self.weight is not None:
            expect_column(self.weight, known)
            return self.weight
        named = next((name for name in known if str(name).lower() == "weight"), None)
        if named is not None or None not in (self.source, self.target):
            return named
        ends = self.ends(known)
        others = [n for at, n in enumerate(known) if n not in ends and not _is_index(at, n)]
        if others and len(known) == 3 and ends == tuple(known[:2]):
            return others[0]
        if others:
            raise InvalidValue(
                f"no column is named weight, and beside the ends there are {listed_names(others)}; "
                f"if one holds the weights, say so: weight={others[0]!r}"
                f"{self._columns(*ends, others[0])}; if there are none, name the ends only: "
                f"{self.without_weights(known)}"
            )
        return None

    def _columns(self, *names: Any) -> str:
        return f" {command_line(*names)}" if self.option else ""

    def without_weights(self, known: Sequence[Any]) -> str:
        """What to say for edges without weights, for a message."""
        source, target = self.ends(known)
        return f"source={source!r}, target={target!r}{self._columns(source, target)}"


class FrameColumns(EdgeColumns):
    """Which columns of a data frame hold the edges. Messages about it name no options of a
    command."""

    @property
    def option(self) -> bool:
        return False


USUAL = EdgeColumns()
"""No column is named."""


def command_line(*names: Any) -> str:
    """The option of the command line that names columns, as a shell takes it, for a message.

    >>> command_line("Source node", "Target node")
    "(--columns 'Source node,Target node')"
    """
    return f"(--columns {shlex.quote(','.join(map(_quoted, names)))})"


def _quoted(name: Any) -> str:
    """The name of a column as a field of CSV."""
    word = str(name)
    return '"' + word.replace('"', '""') + '"' if re.search('[",]', word) else word


def ends_among(known: Sequence[Any]) -> tuple[Any, Any] | None:
    """The columns that have one of the usual pairs of names, or None."""
    lower = {name.lower(): name for name in reversed(known) if isinstance(name, str)}
    return next(((lower[u], lower[v]) for u, v in ENDS if u in lower and v in lower), None)


def _is_index(at: int, name: Any) -> bool:
    """Whether a column is an index without a name, as pandas writes it into CSV and Parquet."""
    return (at == 0 and name == "") or UNNAMED_INDEX.fullmatch(str(name)) is not None


def _perhaps(known: Sequence[Any]) -> str:
    """The columns whose names are nearly source and target, for the end of a message."""
    from difflib import get_close_matches

    words = [name for name in known if isinstance(name, str)]
    near = [next(iter(get_close_matches(end, words, n=1)), None) for end in ENDS[0]]
    return f", perhaps {near[0]!r} and {near[1]!r}" if None not in near else ""


def expect_column(name: Any, known: Sequence[Any]) -> None:
    """Raise InvalidValue for a column that a table does not have. The message lists those it has,
    and says which one may have been meant."""
    if not (isinstance(name, (str, tuple)) or is_integer(name)) or name not in known:
        meant = did_you_mean(name, known) if isinstance(name, str) else ""
        raise InvalidValue(
            f"expected one of the columns {listed_names(known)}, got {brief(name)}{meant}"
        )


def listed_names(known: Sequence[Any]) -> str:
    """The names of columns for a message."""
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return ", ".join(map(brief, known[:SHOWN])) + more or "none"


def column_of(frame: Any, name: Any) -> Any:
    """A column of a frame of pandas or Polars, of a table of PyArrow, or of a dict.

    It is a NumPy array, or what the dict holds.
    """
    expect_column(name, columns_of(frame))
    if isinstance(frame, Mapping):
        return frame[name]
    column = frame[name]
    if not hasattr(column, "to_numpy") or getattr(column, "ndim", 1) != 1:
        raise WrongType(
            f"expected one column {name!r} that has to_numpy(), got {type(frame).__name__}; "
            "give each column a name of its own"
        )
    arrow = hasattr(column, "is_valid")  # whose record batches have no copies by default
    try:
        values = column.to_numpy(zero_copy_only=False) if arrow else column.to_numpy()
    except MemoryError:
        raise
    except Exception as refused:  # of a library's own class
        raise WrongType(
            f"expected the column {name!r} of a type that NumPy has, got "
            f"{getattr(column, 'dtype', 'another one')}; cast it ({refused})"
        ) from refused
    kind = column.type if arrow else getattr(column, "dtype", None)
    return of_a_zone(values, kind, f"the column {name!r}")


def of_a_zone(values: Any, kind: Any, what: str) -> Any:
    """The values of a column, as times of UTC if it holds times of a zone: NumPy, which has no
    zones, gets them from PyArrow and Polars as times of UTC without saying so."""
    if values.dtype.kind != "M" or not (getattr(kind, "tz", 0) or getattr(kind, "time_zone", 0)):
        return values
    times = plain_list(values, what)
    return np.array([time and time.replace(tzinfo=UTC) for time in times], object)


def numbers_of(frame: Any, name: Any) -> Any:
    """A column of numbers. The error for anything else names the row."""
    column = column_of(frame, name)
    dtype = np.asarray(column).dtype
    if dtype.kind == "f" and dtype not in OF_DTYPE:
        raise InvalidValue(
            f"expected FP32 or FP64 in the column {name!r}, got {dtype}; convert the column"
        )
    if dtype.kind not in "OSTU":
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
