"""What a screen shows: tables as text and as HTML, and pictures of where entries are.

A `View` is what an object shows of itself. An object that is `Shown` makes one in `_view`, and this
module makes its `repr` and the HTML for a notebook. Neither ever raises an error: a screen, a
debugger or a log asks for them at any time, also where a device cannot be read any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lagraph_gpu.errors import required
from semirings import types

LINE = 120
"""The characters of a line of text, at most. A wider grid becomes a list of entries."""

CELLS, SAMPLE = 40, 1024
"""The cells of a picture on its longer side, and the number of entries that it is made of."""

Rows = Sequence[Any]


# --- tables --------------------------------------------------------------------------------------
def table(
    header: Sequence[str], rows: Sequence[Sequence[Any]], indent: str = "  ", right: bool = False
) -> str:
    """Rows of cells below a header. Integers have separators, and None is shown as "-".

    Numbers are on the right of their column and words on the left; with `right` all is on the
    right.

    >>> print(table(["root", "how"], [[1234, "push"], [5, None]], indent=""))
     root  how
    1,234  push
        5  -
    """
    cells = [list(header), *([text(cell) for cell in row] for row in rows)]
    width = [max(len(line[i]) for line in cells) for i in range(len(header))]
    to_right = [
        right or any(isinstance(row[i], (int, float)) for row in rows) for i in range(len(header))
    ]
    lines = (
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, width, to_right)
        ).rstrip()
        for line in cells
    )
    return "\n".join(indent + line for line in lines)


def text(cell: Any) -> str:
    """One cell, in one line: integers with separators, other numbers with three digits."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else one_line(str(cell))


def one_line(words: str) -> str:
    """Text in one line, without signs that steer a screen.

    >>> one_line("Ann"), one_line("a\\nb")
    ('Ann', 'a\\\\nb')
    """
    return words if words.isprintable() else repr(words)[1:-1]


def escape(words: str) -> str:
    """Text as HTML."""
    import html

    return html.escape(words)


def html_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table of HTML with this header and these rows, with everything on the right.

    >>> html_table(["a"], [["<"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;</td></tr></tbody></table>'
    """

    def line(cells: Sequence[Any], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(text(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"


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


def amount(count: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> [amount(n, "entry", "entries") for n in (0, 1, 1200)]
    ['no entries', '1 entry', '1,200 entries']
    """
    return f"{count:,} {one if count == 1 else many}" if count else f"no {many}"


def value(x: Any) -> str:
    """A value of an entry: floats with six digits and always as a float.

    >>> [value(x) for x in (np.float32(2), 1 / 3, np.int8(-1), np.True_, float("nan"))]
    ['2.0', '0.333333', '-1', 'True', 'nan']
    """
    x = types.shown(x)
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, np.ndarray):  # of an array type
        return str(x.tolist())
    if not isinstance(x, float):
        return str(x)
    shown = f"{x:.6g}"
    return shown + ".0" if shown.lstrip("-").isdigit() else shown


# --- pictures ------------------------------------------------------------------------------------
def scale_of(shape: tuple[int, ...]) -> int:
    """How many rows, and how many columns, one cell of a picture stands for."""
    return max(1, -(-max(shape) // CELLS))


def picture(shape: tuple[int, ...], cells: np.ndarray, what: str) -> str:
    """A picture of a matrix in SVG: the darker a cell, the more of these (row, column) are in it.

    >>> print(picture((2, 2), np.array([[0, 1], [1, 1], [1, 1]]), "3 entries"))
    <svg ...><title>3 entries</title>...<path fill-opacity="0.6" d="M1 0h1v1h-1z"/>...</svg>
    """
    scale = scale_of(shape)
    height, width = (max(1, -(-n // scale)) for n in shape)
    side = max(2, 160 // max(height, width))
    filled, count = np.unique(cells, axis=0, return_counts=True)
    level = np.ceil(4 * count / count.max(initial=1)).astype(int)
    paths = []
    for darkness in range(1, 5):
        squares = "".join(f"M{j} {i}h1v1h-1z" for i, j in filled[level == darkness].tolist())
        if squares:
            paths.append(f'<path fill-opacity="{0.2 + 0.2 * darkness:.1f}" d="{squares}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * side + 2}" '
        f'height="{height * side + 2}" viewBox="-0.1 -0.1 {width + 0.2} {height + 0.2}" '
        f'fill="currentColor"><title>{escape(what)}</title>'
        f'<rect width="{width}" height="{height}" fill="none" stroke="currentColor" '
        f'stroke-width="0.1"/>{"".join(paths)}</svg>'
    )


def pyplot() -> Any:
    """Matplotlib's interface to figures, also where there is no screen."""
    plt = required("matplotlib.pyplot", "a picture", "plot")
    plt.get_backend()  # chooses one, without which a notebook shows no figures
    return plt


# --- views ---------------------------------------------------------------------------------------
@dataclass
class View:
    """What an object shows: a line, a table below it, and a picture where HTML is shown."""

    title: str
    facts: list[str]
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    note: str = ""
    """A line below: what cannot be read, or what to do."""
    picture: str = ""

    @property
    def line(self) -> str:
        return f"{self.title}: {', '.join(self.facts)}"

    def __str__(self) -> str:
        shown = table(self.header, self.rows, "", right=True) if self.rows else ""
        return "\n".join(part for part in (self.line, shown, self.note) if part)

    def html(self) -> str:
        rows = html_table(self.header, self.rows) if self.rows else ""
        parts = [part for part in (rows, self.picture) if part]
        beside = (
            f'<div style="display:flex;gap:2em;align-items:flex-start">{"".join(parts)}</div>'
            if parts
            else ""
        )
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        facts = escape(", ".join(self.facts))
        return f"<div><p><b>{escape(self.title)}</b>: {facts}</p>{beside}{note}</div>"

    def fill(self, read: Callable[[], None]) -> View:
        """Call what adds to this view. If it fails, a note says why."""
        try:
            read()
        except Exception as problem:
            self.header, self.rows, self.picture = (), (), ""
            self.note = f"cannot be read: {reason(problem)}"
        return self


def reason(problem: Exception) -> str:
    """What an error says, in one line."""
    return " ".join(str(problem).split()) or type(problem).__name__


class Shown:
    """An object that shows itself on a screen. No error leaves `repr`."""

    def _view(self, read: bool = True, picture: bool = False) -> View:
        """What is shown; with `read` the entries too, and with `picture` where they are."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(guarded(self))

    def _in_one_line(self) -> str:
        """What a message says of it (see `errors.brief`). No entry is read."""
        return guarded(self, read=False).line

    def _repr_html_(self) -> str:
        return guarded(self, picture=True).html()


def guarded(thing: Shown, **wanted: bool) -> View:
    """The view of an object, also of one that is only half made."""
    try:
        return thing._view(**wanted)
    except Exception as problem:
        return View(type(thing).__name__, [f"cannot be shown: {reason(problem)}"])
