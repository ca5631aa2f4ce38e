"""What containers, scalars, expressions and graphs show of themselves on a screen.

Nothing is computed for it that is not shown, and of a container only the entries that are shown are
read: a handful, whatever its size. A picture of a large matrix is made of a sample of its entries.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.display import (
    LINE,
    SAMPLE,
    View,
    amount,
    one_line,
    picture,
    scale_of,
    table,
    value,
)
from lagraph_gpu.errors import WrongType
from semirings import types

FIRST_SHOWN, LAST_SHOWN = 5, 4
"""The entries that are shown at the beginning and at the end where there are many."""

GRID = 10
"""A matrix of at most so many rows and columns is shown as a grid."""

MISSING, GAP = "·", "…"

WORD = 40
"""The characters of a label that are shown, at most."""


def of_container(x: Any, read: bool, drawn: bool) -> View:
    """The view of a vector or a matrix: its size, type, entries and backend, and some entries.

    It reads the entries if `read` is True, and draws where those of a matrix are if `drawn` is.
    """
    view = View(titled(x), [extent(x.shape), types.name(x.dtype), x.backend.name])

    def entries() -> None:
        count = x.nvals
        view.facts.insert(2, amount(count, "entry", "entries"))
        if len(x.shape) == 2 and max(x.shape) <= GRID:
            view.header, view.rows = grid(x)
        if count and not view.rows:
            axes = ("index",) if len(x.shape) == 1 else ("row", "column")
            view.header, view.rows = (*axes, "value"), listed(x, count)
            view.picture = spy(x, count) if drawn and len(x.shape) == 2 else ""

    return view.fill(entries) if read else view


def titled(x: Any) -> str:
    """The class of an object, and its name if it has one."""
    name = vars(x).get("name")
    return type(x).__name__ + ("" if name is None else f" {name!r}")


def extent(shape: tuple[int, ...]) -> str:
    if not shape:
        return "one value"
    if len(shape) == 1:
        return f"{shape[0]:,} position{'' if shape[0] == 1 else 's'}"
    return " × ".join(f"{n:,}" for n in shape)


def listed(x: Any, count: int) -> list[tuple[str, ...]]:
    """A row for each entry, or for the first and the last ones with a gap between them."""
    whole = count <= FIRST_SHOWN + LAST_SHOWN + 1
    read = x.backend.vector_ends if len(x.shape) == 1 else x.backend.matrix_ends
    *places, values = read(x._store, *((count, 0) if whole else (FIRST_SHOWN, LAST_SHOWN)))
    rows = [
        (*map(str, place), value(held))
        for *place, held in zip(*(axis.tolist() for axis in places), values)
    ]
    return rows if whole else [*rows[:FIRST_SHOWN], (GAP,) * len(rows[0]), *rows[FIRST_SHOWN:]]


def grid(A: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A small matrix as a grid; no rows if a line would be too long, or without an entry."""
    held = {(i, j): value(x) for i, j, x in zip(*A.to_coo())}
    header, columns = ("", *map(str, range(A.ncols))), range(A.ncols)
    rows = [(str(i), *(held.get((i, j), MISSING) for j in columns)) for i in range(A.nrows)]
    lines = table(header, rows, "", right=True).splitlines()
    return header, rows if held and max(map(len, lines)) <= LINE else []


def spy(A: Any, count: int) -> str:
    """Where the entries of a matrix are, as a picture; of many entries a sample."""
    cells = A.backend.matrix_cells(A._store, scale_of(A.shape), SAMPLE)
    what = amount(count, "entry", "entries")
    return picture(A.shape, cells, what + (f", {SAMPLE:,} of them drawn" if count > SAMPLE else ""))


# --- what has no entries of its own --------------------------------------------------------------
def of_scalar(s: Any, read: bool) -> View:
    """The view of a scalar: its value, which is waited for, its type and its backend."""
    view = View(titled(s), [types.name(s.dtype), s.backend.name])

    def held() -> None:
        view.facts.insert(0, "no value" if s.is_empty else value(s.value))

    return view.fill(held) if read else view


OPERATORS = "semiring", "op", "monoid", "aggregator"
"""The fields of expressions that hold an operator."""


def of_expression(x: Any) -> View:
    """The view of an expression, of which nothing is computed: what it is, and its size and type.

    An operation whose operator is missing, such as `u | v`, has no type.
    """
    parts = vars(x)
    operator = next((parts[part].name for part in OPERATORS if part in parts), "")
    facts = [extent(x.shape)]
    with suppress(WrongType):
        facts.append(types.name(x.dtype))
    facts.append(f"{x.backend.name}; .new() computes it")
    return View(f"{type(x).__name__} {operator}".rstrip(), facts)


# --- graphs --------------------------------------------------------------------------------------
def of_graph(G: Any, read: bool, drawn: bool) -> View:
    """The view of a graph: its vertices, edges, weights and backend, whether vertices have labels,
    and the first and the last edges. Where it is drawn, also a picture of its matrix.

    The first view counts loops and looks through the weights, unless that is known already.
    """
    n = f"{G.n:,} {'vertex' if G.n == 1 else 'vertices'}"
    view = View("Graph", [n, "directed" if G.directed else "undirected", G.backend.name])

    def facts() -> None:
        weights = f"weights {types.name(G.A.dtype)}" if G.weighted else "no weights"
        view.facts.insert(1, amount(G.nedges, "edge", "edges"))
        view.facts.insert(3, weights)
        if G.labels is not None:
            view.facts.insert(4, "labels")
        if G.nedges:
            ends = ("source", "target") if G.directed else ("vertex", "neighbor")
            view.header = (*ends, "weight") if G.weighted else ends
            view.rows = [row[: len(view.header)] for row in edges_of(G, G.A.nvals)]
            view.picture = spy(G.A, G.A.nvals) if drawn else ""

    return view.fill(facts) if read else view


def edges_of(G: Any, count: int) -> list[tuple[str, ...]]:
    """A row for each edge, or for the first and the last ones with a gap between them.

    Few undirected edges are shown from their smaller end alone. Of many, the first ones are, and
    the last ones are those of the last vertices. Each has two entries in the matrix, of which half
    of the first ones, at least, lead to a larger end, and half of the last ones to a smaller one.
    """
    twice = 1 if G.directed else 2
    whole = G.nedges <= FIRST_SHOWN + LAST_SHOWN + 1
    wanted = twice * FIRST_SHOWN, twice * LAST_SHOWN
    wanted = (count, 0) if whole or count < sum(wanted) else wanted
    source, target, weight = G.backend.matrix_ends(G.A._store, *wanted)
    first = np.arange(source.size) < wanted[0]
    kept = np.flatnonzero(G.directed | np.where(first, source <= target, source >= target))
    if not whole:
        kept = np.append(kept[:FIRST_SHOWN], kept[-LAST_SHOWN:])
    ends = [named(G, side[kept]) for side in (source, target)]
    rows = [(*row, value(w)) for *row, w in zip(*ends, weight[kept], strict=True)]
    return rows if whole else [*rows[:FIRST_SHOWN], (GAP,) * len(rows[0]), *rows[FIRST_SHOWN:]]


def named(G: Any, vertices: np.ndarray) -> list[str]:
    """What vertices are called, in one line each."""
    return [*map(str, vertices.tolist())] if G.labels is None else [*map(word, G.label(vertices))]


def word(label: Any) -> str:
    """A label in a cell: one line of at most 40 characters.

    >>> word("Ann"), word("x" * 99)
    ('Ann', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…')
    """
    shown = one_line(str(label))
    return shown if len(shown) <= WORD else shown[: WORD - 1] + GAP


class Text(str):
    """Text that a console and a notebook show as it is, without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def graph_info(G: Any) -> Text:
    """The facts of a graph, a line for each. See `Graph.info`."""
    facts = [("vertices", f"{G.n:,}"), ("edges", f"{G.nedges:,}")]
    facts.append(("directed", "yes" if G.directed else "no"))
    weights = "none"
    if G.weighted:
        weights = types.name(G.A.dtype)
        if G.nedges:
            weights += f", {value(G.lightest)} to {value(G.heaviest)}"
    facts += [("weights", weights), ("self-loops", f"{G.nloops:,}")]
    if G.directed:
        facts += [("out-degree", degrees(G.out_degree)), ("in-degree", degrees(G.in_degree))]
        isolated = G.n - G.out_degree.ewise_add(G.in_degree).new().nvals
    else:
        facts.append(("degree", degrees(G.out_degree)))
        isolated = G.n - G.out_degree.nvals
    facts += [("isolated", f"{isolated:,}"), ("backend", G.backend.name)]
    facts.append(("bytes", f"{G.nbytes:,}"))
    width = max(len(name) for name, _ in facts)
    return Text("\n".join(f"{name:<{width}}  {fact}" for name, fact in facts))


def degrees(degree: Any) -> str:
    """The smallest, the mean and the largest degree; a vertex without an entry has degree 0."""
    n, count = degree.size, degree.nvals
    if not n:
        return "none"
    least = degree.min() if count == n else 0
    return f"{least:,} to {degree.max() or 0:,}, mean {value(degree.sum() / n)}"
