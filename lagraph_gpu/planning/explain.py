"""What the planner chose, for which reason and by which figures, and the cost of each step.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], n=4, backend="cpu")
>>> with lg.explain() as report:
...     level, parent = lg.bfs(G, 0)
>>> print(report)
closure any_secondi (idempotent, selective, any ends early, does not read the matrix): ...
product any_secondi (...): pull; up to 2 of 4 edges leave the frontier, more than 1 in 14
...
step  direction  frontier  edges  looked at  bytes  µs
   0  pull              1      2          2     40  ...
...

Recorded are the choices for a closure, for a product of a vector outside of a closure, for a
product of matrices within a mask, and for layouts. A step is a product of a vector and a matrix.

Outside the block nothing of this is computed. Within the block the steps are waited for and
counted, so a call takes longer than the sum of its steps. The answers are the same, and so are the
choices, with one exception: on the CPU a closure by rounds runs one statement at a time instead of
in one loop.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lagraph_gpu.display import escape, html_table, pyplot, shortened, table
from lagraph_gpu.errors import InvalidValue, spelt
from lagraph_gpu.planning.trace import Choice, Listener, Step, listening

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST_LINES, LAST_LINES = 16, 8
"""The number of lines that are printed at the beginning and at the end of a long list."""


@dataclass(eq=False, repr=False)
class Explanation:
    """What was recorded within a block. It is complete when the block ends, also by an exception.

    `str` gives a table: a line for each choice (what it is for, the laws of the semiring, what was
    chosen, and why), then a line for each step. If there are many lines, the middle is left out.
    """

    _listener: Listener

    @property
    def choices(self) -> list[Choice]:
        """The choices in the order in which they were made.

        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"), lg.explain() as report:
        ...     level, _ = lg.bfs(lg.grid(2, 2), 0, schedule=lg.Schedule("push"))
        >>> [(c.chosen, c.because) for c in report.choices][1]
        ('push', 'the schedule asks for it')
        """
        return self._listener.choices

    @property
    def steps(self) -> list[Step]:
        """The steps of all choices in order, with counts, bytes and microseconds."""
        return [step for choice in self.choices for step in choice.steps]

    def record(self) -> dict[str, Any]:
        """Everything as lists, dicts, strings and finite numbers, ready for `json.dumps`.

        Returns
        -------
        dict
            "choices" holds the fields of every `Choice`, with those of every `Step`. An infinite
            number, such as a width without bound, is None.

        Examples
        --------
        >>> import json, lagraph_gpu as lg
        >>> with lg.backend("cpu"), lg.explain() as report:
        ...     level, _ = lg.bfs(lg.grid(2, 2), 0)
        >>> record = json.loads(json.dumps(report.record()))
        >>> record["choices"][1]["steps"][0]["frontier"]
        1
        """
        return {"choices": [_plain(asdict(choice)) for choice in self.choices]}

    def __str__(self) -> str:
        lines = self._lines()
        steps = ["", table(*self._rows(), indent="")] if self.steps else []
        return "\n".join([*lines, *steps])

    def _lines(self) -> list[str]:
        """A line for each choice, without the middle of a long list."""
        if not self.choices:
            return ["nothing was chosen"]
        firsts = {choice.what: i for i, choice in reversed([*enumerate(self.choices)])}
        lines = [_line(choice, firsts[choice.what] == i) for i, choice in enumerate(self.choices)]
        head, hidden, tail = shortened(lines, FIRST_LINES, LAST_LINES)
        return [*head, *([f"… {hidden:,} choices more"] if hidden else []), *tail]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "<br/>".join(map(escape, self._lines()))
        return f"<div><p>{lines}</p>{html_table(*self._rows()) if self.steps else ''}</div>"

    def _rows(self) -> tuple[Sequence[str], list[Any]]:
        """The header and the rows of the table of steps."""
        unit = "µs" if any(s.microseconds is not None for s in self.steps) else "cycles"
        rows = [
            (i, s.direction, s.frontier, s.edges, s.looked, s.bytes,
             s.cycles if unit == "cycles" else s.microseconds)
            for i, s in enumerate(self.steps)
        ]  # fmt: skip
        head, hidden, tail = shortened(rows, FIRST_LINES, LAST_LINES)
        gap = [("…", f"{hidden:,} steps more", *[""] * 5)] if hidden else []
        header = ("step", "direction", "frontier", "edges", "looked at", "bytes", unit)
        return header, [*head, *gap, *tail]

    @spelt
    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draw the steps.

        The picture has a panel for each closure, or for a run of products with the same semiring.
        Bars show the frontier, coloured by direction; lines show edges and microseconds.

        Parameters
        ----------
        path : str or path, optional
            A file to write the picture to. Its extension is the format (.svg, .png, .pdf).

        Returns
        -------
        matplotlib.figure.Figure
            The picture.

        Raises
        ------
        MissingPackage
            Matplotlib is not installed.
        InvalidValue
            There was no step, or Matplotlib does not have this format.
        FormatError
            The folder does not exist.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> with lg.explain() as report:
        ...     pass
        >>> report.plot("nothing.svg")
        Traceback (most recent call last):
        semirings.errors.InvalidValue: expected a block with a product of a vector and a matrix ...
        """
        from lagraph_gpu.planning.frontier_plot import profile, save

        pyplot()  # else an error says what to install
        stepped = [choice for choice in self.choices if choice.steps]
        profiles = [
            (what, [step for choice in choices for step in choice.steps])
            for what, choices in groupby(stepped, key=lambda choice: choice.what)
        ]
        if not profiles:
            raise InvalidValue(
                "expected a block with a product of a vector and a matrix to draw, got none"
            )
        figure = profile(profiles)
        if path is not None:
            save(figure, Path(path))
        return figure


@contextmanager
def explain() -> Iterator[Explanation]:
    """Record what the planner chooses within the block, and the cost of each step.

    Use it around any call: `with lg.explain() as report: lg.sssp(G, 0)`, then `print(report)`,
    `report.record()` or `report.plot("profile.svg")`. Blocks may be nested; each records everything
    that happens in it. A thread that starts within the block is not recorded.

    Returns
    -------
    context manager that yields Explanation
        The record, complete when the block ends.

    Notes
    -----
    Counts are exact if the plan says what is looked at, otherwise they are lower bounds, and so are
    bytes (`lagraph_gpu.planning.trace.Traffic` has the formula). On a device, the microseconds of a
    step are the time between two CUDA events; the rounds of one kernel share that time by the
    cycles of the device. On the host they are wall-clock time. A device without events gives cycles
    only.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from semirings import any_secondi
    >>> with lg.backend("cpu"):
    ...     G = lg.grid(3, 3)
    ...     x0 = lg.Vector.from_coo([0], [0], size=9)
    >>> with lg.explain() as report:
    ...     x = lg.closure(x0, G.A, any_secondi)
    >>> report.choices[0].laws
    ('idempotent', 'selective', 'any ends early', 'does not read the matrix')
    >>> [(step.direction, step.frontier) for step in report.steps]
    [('pull', 1), ('pull', 2), ('pull', 3), ('pull', 2), ('pull', 1)]
    """
    with listening(explains=True) as listener:
        yield Explanation(listener)


def _line(choice: Choice, first: bool) -> str:
    """A choice as a line, with the laws if it is the first of its kind."""
    laws = f" ({', '.join(choice.laws)})" if choice.laws and first else ""
    return f"{choice.what}{laws}: {choice.chosen}; {choice.because}"


def _plain(thing: Any) -> Any:
    """An object converted to the types that JSON has."""
    if isinstance(thing, dict):
        return {key: _plain(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [_plain(value) for value in thing]
    thing = thing.item() if hasattr(thing, "item") else thing
    return None if isinstance(thing, float) and not math.isfinite(thing) else thing
