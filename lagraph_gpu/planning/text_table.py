"""Tables in plain text, with numbers on the right and words on the left of a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], indent: str = "  ") -> str:
    """Rows of cells below a header. Integers have separators, and None is shown as "-".

    >>> print(table(["root", "how"], [[1234, "push"], [5, None]], indent=""))
     root  how
    1,234  push
        5  -
    """
    cells = [list(header), *([text(cell) for cell in row] for row in rows)]
    width = [max(len(line[i]) for line in cells) for i in range(len(header))]
    right = [any(isinstance(row[i], (int, float)) for row in rows) for i in range(len(header))]
    lines = (
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, width, right)
        ).rstrip()
        for line in cells
    )
    return "\n".join(indent + line for line in lines)


def text(cell: Any) -> str:
    """One cell: integers with separators, other numbers with three significant digits."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


Rows = Sequence[Any]


def shortened(rows: Rows, head: int, tail: int) -> tuple[Rows, int, Rows]:
    """The first rows, the number of rows that are left out, and the last rows.

    >>> shortened(range(10), 2, 1)
    (range(0, 2), 7, range(9, 10))
    >>> shortened(range(4), 2, 1)
    (range(0, 4), 0, range(4, 4))
    """
    if len(rows) <= head + tail + 1:
        return rows, 0, rows[len(rows) :]
    return rows[:head], len(rows) - head - tail, rows[len(rows) - tail :]
