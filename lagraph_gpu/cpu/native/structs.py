"""The structs of ``loops.h`` as tuples; ``loops.h`` says what the fields mean.

Their fields have the names and the order of those in C, which ``lagraph_gpu.cpu.native`` compares.
In C a size follows each array; here it is no field.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NO_VALUES = np.empty(0)
"""An array of FP64 that a loop shall not read."""


class RowArrays(NamedTuple):
    """The arrays of `CompressedRows`."""

    begins: np.ndarray
    columns: np.ndarray


class CompressedRows(RowArrays):
    """The pattern of rows. Nearly every loop takes one, often the same as the loop before."""

    in_c: Any = None
    """Its struct in C, from the first loop that takes it on, and the pointers in it."""


NO_ROWS = CompressedRows(np.empty(0, np.int64), np.empty(0, np.int32))
"""Rows that are not known."""


class Range(NamedTuple):
    """Those from ``first`` to before ``end``."""

    first: int
    end: int


class OwnRows(NamedTuple):
    """Which rows a process has."""

    parts: int
    rank: int


class RowBitmaps(NamedTuple):
    """Bitmaps of some rows."""

    rank: np.ndarray
    place: np.ndarray
    words: np.ndarray


class Endpoints(NamedTuple):
    """The ends of a path."""

    source: int
    target: int


class EdgeLimits(NamedTuple):
    """The largest number of edges on a path, and of those that are read for it."""

    on_path: int
    read: int = 2**63 - 1


class TableSweep(NamedTuple):
    """Searches that sweep together."""

    lanes: int
    never: int
    max_distance: int


class StopRule(NamedTuple):
    """When rounds end."""

    bound: float
    rounds: int


class Partition(NamedTuple):
    """A graph of several processes."""

    n: int
    parts: int


class Meeting(NamedTuple):
    """Where the processes of one host meet in a loop."""

    memory: np.ndarray
    n: int
    parts: int
    rank: int
    epoch: int
    patience: int


class MeetingPoint(NamedTuple):
    """A barrier."""

    memory: np.ndarray
    parts: int
    epoch: int


class LevelRounds(NamedTuple):
    """Rounds of a search by several processes."""

    before: int
    most: int
    threshold: int


class LabelRounds(NamedTuple):
    """How many rounds of label propagation there are at most."""

    rounds: int
    first_mark: int


class Depth(NamedTuple):
    """When a search is deep."""

    rounds: int
    entries: int


class Frontier(NamedTuple):
    """What decides between push and pull."""

    edges: int
    edges_left: int
    vertices: int
    n: int
    alpha: int


class Traversal(NamedTuple):
    """How a breadth-first search goes."""

    alpha: int
    max_level: int


class SearchTree(NamedTuple):
    """What a breadth-first search writes."""

    level: np.ndarray
    before: np.ndarray
    queue: np.ndarray


class SourceRows(NamedTuple):
    """The sources of several searches."""

    begins: np.ndarray
    sources: np.ndarray


class PairsOfRows(NamedTuple):
    """Pairs of rows, sorted by the first of each."""

    first: np.ndarray
    second: np.ndarray


class SearchesInStep(NamedTuple):
    """Searches from many sources."""

    sources: np.ndarray
    room: np.ndarray
    words: int
    alpha: int


class ReachedRows(NamedTuple):
    """What several searches reach, a row for each."""

    ends: np.ndarray
    vertex: np.ndarray
    level: np.ndarray
    before: np.ndarray


class Discoveries(NamedTuple):
    """The vertices that a queue takes after a level, and the vertex that found each."""

    vertex: np.ndarray
    found_by: np.ndarray


class Queue(NamedTuple):
    """A list of vertices with room for all."""

    vertices: np.ndarray
    length: int


class Rounds(NamedTuple):
    """The first round that a loop does, and the last."""

    first: int
    last: int


class Turns(NamedTuple):
    """In which turn the vertices move."""

    turn: np.ndarray
    turns: int


class ScoreArrays(NamedTuple):
    """The fields of `Scores`."""

    scale: np.ndarray
    k: np.ndarray
    gamma: float
    min_gain: float
    share: np.ndarray = NO_VALUES
    d: np.ndarray = NO_VALUES


class Scores(ScoreArrays):
    """The terms of the score by which a vertex chooses its community. The sweeps of a phase all
    take the same."""

    in_c: Any = None
    """As in `CompressedRows`."""


class CommunityArrays(NamedTuple):
    """The fields of `Communities`."""

    label: np.ndarray
    margin: np.ndarray
    k_sums: np.ndarray
    d_sums: np.ndarray = NO_VALUES


class Communities(CommunityArrays):
    """The state that a sweep of moves changes. The sweeps of a phase all change the same."""

    in_c: Any = None
    """As in `CompressedRows`."""


class Members(NamedTuple):
    """What is known of the vertices that are merged."""

    number: np.ndarray
    k: np.ndarray
    rank: np.ndarray


class MergedRows(NamedTuple):
    """The graph of the communities."""

    begins: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    within: np.ndarray
    k: np.ndarray
    rank: np.ndarray


STRUCTS: dict[str, Any] = {
    one.__name__: one
    for one in (
        CompressedRows, Range, OwnRows, RowBitmaps, Endpoints, EdgeLimits, TableSweep, StopRule,
        Partition, Meeting, MeetingPoint, LevelRounds, LabelRounds, Depth, Frontier, Traversal,
        SearchTree, SourceRows, PairsOfRows, SearchesInStep, ReachedRows, Discoveries, Queue,
        Rounds, Turns, Scores, Communities, Members, MergedRows,
    )
}  # fmt: skip
"""The structs by their names."""
