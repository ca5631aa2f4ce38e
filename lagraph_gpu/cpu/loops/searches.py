"""Searches on the CPU: breadth-first, and in order of length (``native/breadth_first.cpp``,
``native/shortest_paths.cpp``, ``native/brandes.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import (
    CompressedRows,
    Discoveries,
    Queue,
    ReachedRows,
    Rounds,
    SearchTree,
    SourceRows,
    Traversal,
)

pulls, levels_from, level_table = Loop("pulls"), Loop("levels_from"), Loop("level_table")
brandes, dijkstra, dijkstra_tree = Loop("brandes"), Loop("dijkstra"), Loop("dijkstra_tree")
length_table, tight_parents = Loop("length_table"), Loop("tight_parents")
_bfs, _bfs_rows, _fifo_level = Loop("bfs"), Loop("bfs_rows"), Loop("fifo_level")
_bellman_ford, _inherit = Loop("bellman_ford"), Loop("inherit")


def bfs(
    rows: CompressedRows, back: CompressedRows, how: Traversal, sources: np.ndarray,
    level: np.ndarray, before: np.ndarray, watch: np.ndarray,
) -> tuple[np.ndarray, bool]:  # fmt: skip
    """Breadth-first search: write the level of each vertex and its predecessor to ``level`` and
    ``before``, which hold -1. Returns the vertices in the order in which they are reached, and
    whether the frontier became empty.

    ``back`` has the rows of the transpose, or none.
    """
    queue, at_rest = np.empty(level.size, np.int32), np.empty(1, np.bool_)
    count = _bfs(rows, back, how, sources, SearchTree(level, before, queue), at_rest, watch)
    return queue[:count], bool(at_rest[0])


def bfs_rows(
    rows: CompressedRows, back: CompressedRows, how: Traversal, sources: SourceRows, origins: bool,
    watch: np.ndarray, room: tuple[np.ndarray, ...] = (),
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:  # fmt: skip
    """A breadth-first search for each row of sources.

    Returns the row offsets of the result, the vertices reached, their levels, their predecessors
    (or with ``origins`` the places of the sources they come from), and whether all frontiers became
    empty. ``room`` is for the second to the fourth of these; by default more of it is made whenever
    it is needed.
    """
    n, searches = rows.begins.size - 1, sources.begins.size - 1
    ends, at_rest = np.zeros(searches + 1, np.int64), np.ones(1, np.bool_)
    made = ReachedRows(ends, *(room or room_of_rows(2 * n)))
    row = 0
    while (
        row := _bfs_rows(rows, back, how, sources, origins, row, made, at_rest, watch)
    ) < searches:
        held = ends[row]
        more = ReachedRows(ends, *room_of_rows(2 * (held + n)))
        for part, before in zip(more[1:], made[1:]):
            part[:held] = before[:held]
        made = more
    vertex, level, parent = (part[: ends[searches]] for part in made[1:])
    return ends, vertex, level, parent, bool(at_rest[0])


def room_of_rows(size: int) -> tuple[np.ndarray, ...]:
    """Room for so many vertices that the searches of ``bfs_rows`` reach, with their levels and
    predecessors."""
    return tuple(np.empty(size, kind) for kind in (np.int32, np.int32, np.int64))


def fifo_level(
    rows: CompressedRows, places: np.ndarray, level: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The vertices that a queue takes after this level, if it takes the edges of a vertex in the
    order of ``places``, and the vertex that found each. They are marked in ``seen``."""
    most = min(int((rows.begins[level + 1] - rows.begins[level]).sum()), seen.size)
    found = Discoveries(np.empty(most, np.int64), np.empty(most, np.int64))
    count = _fifo_level(rows, places, seen, level, found)
    return found.vertex[:count], found.found_by[:count]


def bellman_ford(
    rows: CompressedRows, lengths: np.ndarray, rounds: Rounds, distance: np.ndarray,
    frontier: np.ndarray, changed: np.ndarray, watch: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Rounds of the closure under min.+, with lengths of either sign. A round uses the values that
    the frontier had before it. ``changed`` gets the round in which a vertex last changed. Returns
    the frontier after the last round."""
    queue = Queue(np.empty(distance.size, np.int32), frontier.size)
    queue.vertices[: frontier.size] = frontier
    count = _bellman_ford(rows, lengths, rounds, distance, queue, changed, watch)
    return queue.vertices[:count].copy()


def inherit_values(queue: np.ndarray, before: np.ndarray, held: np.ndarray) -> None:
    """Give each vertex of the queue the value of its predecessor, in the order of the queue."""
    _inherit(queue, held.view(np.uint8), before)
