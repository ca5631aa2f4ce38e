"""Searches on the CPU: breadth-first, and in order of length (``native/searches.cpp``).

Compressed rows are three arrays: the row offsets, the columns, and the values, or one value for
all.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.native import Loop

pulls, levels_from = Loop("pulls"), Loop("levels_from")
brandes, dijkstra, dijkstra_tree = Loop("brandes"), Loop("dijkstra"), Loop("dijkstra_tree")
tight_parents = Loop("tight_parents")
_bfs, _bfs_rows, _fifo_level = Loop("bfs"), Loop("bfs_rows"), Loop("fifo_level")
_bellman_ford, _inherit = Loop("bellman_ford"), Loop("inherit")


def bfs(
    begins: np.ndarray, columns: np.ndarray, back: np.ndarray, across: np.ndarray, alpha: int,
    sources: np.ndarray, max_level: int, level: np.ndarray, before: np.ndarray, watch: np.ndarray,
) -> tuple[np.ndarray, bool]:  # fmt: skip
    """Breadth-first search: write the level of each vertex, up to ``max_level``, and its
    predecessor to ``level`` and ``before``, which hold -1. Returns the vertices in the order in
    which they are reached, and whether the frontier became empty within ``max_level`` rounds.

    ``back`` and ``across`` are the row offsets and columns of the transpose, or empty. A pull pays
    from one in ``alpha`` of the edges that are left.
    """
    queue, at_rest = np.empty(level.size, np.int32), np.empty(1, np.bool_)
    search = begins, columns, back, across, alpha, sources, max_level, level, before
    count = _bfs(*search, queue, at_rest, watch)
    return queue[:count], bool(at_rest[0])


def bfs_rows(
    begins: np.ndarray, columns: np.ndarray, back: np.ndarray, across: np.ndarray, alpha: int,
    starts: np.ndarray, sources: np.ndarray, max_level: int, origins: bool, watch: np.ndarray,
    room: tuple[np.ndarray, ...] = (),
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:  # fmt: skip
    """A breadth-first search for each row, from the sources between its offsets in ``starts``.

    Returns the row offsets of the result, the vertices reached, their levels, their predecessors
    (or with ``origins`` the places of the sources they come from), and whether all frontiers became
    empty within ``max_level`` rounds. ``room`` is for the second to the fourth of these; by default
    more of it is made whenever it is needed.
    """
    n, rows = begins.size - 1, starts.size - 1
    ends, at_rest = np.zeros(rows + 1, np.int64), np.ones(1, np.bool_)
    made = room or room_of_rows(2 * n)
    search = begins, columns, back, across, alpha, starts, sources, max_level, origins
    row = 0
    while (row := _bfs_rows(*search, row, ends, *made, at_rest, watch)) < rows:
        held = ends[row]
        more = room_of_rows(2 * (held + n))
        for part, before in zip(more, made):
            part[:held] = before[:held]
        made = more
    vertex, level, parent = (part[: ends[rows]] for part in made)
    return ends, vertex, level, parent, bool(at_rest[0])


def room_of_rows(size: int) -> tuple[np.ndarray, ...]:
    """Room for so many vertices that the searches of ``bfs_rows`` reach, with their levels and
    predecessors."""
    return tuple(np.empty(size, kind) for kind in (np.int32, np.int32, np.int64))


def fifo_level(
    begins: np.ndarray, columns: np.ndarray, places: np.ndarray, level: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The vertices that a queue takes after this level, if it takes the edges of a vertex in the
    order of ``places``, and the vertex that found each. They are marked in ``seen``."""
    most = min(int((begins[level + 1] - begins[level]).sum()), seen.size)
    found, found_by = np.empty(most, np.int64), np.empty(most, np.int64)
    count = _fifo_level(begins, columns, places, level, seen, found, found_by)
    return found[:count], found_by[:count]


def bellman_ford(
    begins: np.ndarray, columns: np.ndarray, lengths: np.ndarray, distance: np.ndarray,
    frontier: np.ndarray, first: int, last: int, changed: np.ndarray, watch: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Rounds ``first`` to ``last`` of the closure under min.+, with lengths of either sign. A round
    uses the values that the frontier had before it. ``changed`` gets the round in which a vertex
    last changed. Returns the frontier after the last round."""
    queue, count = np.empty(distance.size, np.int32), frontier.size
    queue[:count] = frontier
    search = begins, columns, lengths, distance, queue, count, first, last, changed
    return queue[: _bellman_ford(*search, watch)].copy()


def inherit_values(queue: np.ndarray, before: np.ndarray, held: np.ndarray) -> None:
    """Give each vertex of the queue the value of its predecessor, in the order of the queue."""
    _inherit(queue, before, held.view(np.uint8), held.dtype.itemsize)
