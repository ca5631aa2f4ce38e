"""Columns of data about edges or vertices, folded where several of them are merged into one.

The one edge has the data of the edge whose weight it has: with "min" of the lightest, with "last"
of the last, otherwise of the first. Where that edge has no column of a name, or None in it, the
value comes from the next of these edges that has one; it is None if there is none. Columns `count`
of edges that hold integers, which say how often an edge was given, are added up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

COUNT = "count"


class Edges(NamedTuple):
    """Edges with a number for each, equal for those that become one; their weights; their data."""

    keys: np.ndarray
    weights: np.ndarray
    columns: Mapping[str, np.ndarray]


def chosen(keys: np.ndarray, weights: np.ndarray | None, dup: str) -> np.ndarray:
    """The positions of the edges whose weights and data stay, by increasing key.

    >>> chosen(np.array([5, 3, 5]), np.array([2, 9, 1]), "min").tolist()
    [1, 2]
    """
    if dup == "last":
        return keys.size - 1 - np.unique(keys[::-1], return_index=True)[1]
    if dup == "min" and weights is not None:
        order = np.lexsort((weights, keys))
        return order[np.unique(keys[order], return_index=True)[1]]
    return np.unique(keys, return_index=True)[1]


def folded(
    given: Sequence[Edges], dup: str, keys: np.ndarray, counts: bool = True
) -> dict[str, np.ndarray]:
    """The columns for the edges with these keys, which increase. `counts` are added up."""
    names = [*dict.fromkeys(name for edges in given for name in edges.columns)]
    counts = counts and COUNT in names and all(map(counting, given))
    made = {name: _column(given, name, dup, keys) for name in names if not counts or name != COUNT}
    if counts:
        made[COUNT] = _counted(given, keys)
    return made


def counting(edges: Edges) -> bool:
    """Whether the column `count` of edges, if there is one, says how often each was given.

    It does if it holds integers.
    """
    return COUNT not in edges.columns or edges.columns[COUNT].dtype.kind in "iu"


def _column(given: Sequence[Edges], name: str, dup: str, keys: np.ndarray) -> np.ndarray:
    having = [edges for edges in given if name in edges.columns]
    key = np.concatenate([edges.keys for edges in having])
    values = _joined([edges.columns[name] for edges in having])
    weights = np.concatenate([edges.weights for edges in having])
    if values.dtype == object:
        held = np.fromiter((x is not None for x in values), bool, values.size)
        key, values, weights = key[held], values[held], weights[held]
    at = chosen(key, weights, dup)
    place = np.searchsorted(keys, key[at])
    there = place < keys.size
    there[there] = keys[place[there]] == key[at][there]
    if np.count_nonzero(there) < keys.size:
        values = values.astype(object)  # for None
    made = np.full(keys.size, None, object) if values.dtype == object else np.empty_like(
        values, shape=keys.size
    )  # fmt: skip
    made[place[there]] = values[at[there]]
    return made


def _joined(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Columns one after another; numbers and others together are objects."""
    kinds = {"number" if column.dtype.kind in "biuf" else column.dtype.kind for column in columns}
    return np.concatenate([c.astype(object) for c in columns] if len(kinds) > 1 else columns)


def _counted(given: Sequence[Edges], keys: np.ndarray) -> np.ndarray:
    """How often each edge was given. Edges without a count were given once."""
    total = np.zeros(keys.size, np.int64)
    for edges in given:
        place = np.searchsorted(keys, edges.keys)
        there = place < keys.size
        there[there] = keys[place[there]] == edges.keys[there]
        once = np.ones(edges.keys.size, np.int64)
        np.add.at(total, place[there], np.asarray(edges.columns.get(COUNT, once))[there])
    return total
