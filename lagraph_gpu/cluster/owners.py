"""Which rows a process owns, of those that the index of a statement names.

Of P processes, number r owns the rows r, r + P, r + 2P, …. The rows are a list or a long slice,
which is no array (`Progression`): of a slice with step s, every P / gcd(s, P)-th row has the same
owner, and they lie in its part with step s / gcd(s, P).
"""

from __future__ import annotations

from math import gcd

import numpy as np

from lagraph_gpu.notation.indexing import Progression, stepped

Rows = np.ndarray | Progression


def owned(rank: int, size: int, rows: Rows) -> tuple[Rows, Rows]:
    """Those of some rows that a process owns: their places in its part, and their numbers among the
    rows.

    >>> owned(1, 3, np.array([4, 5, 7]))
    (array([1, 2]), array([0, 2]))
    """
    if not isinstance(rows, Progression):
        numbers = np.flatnonzero(rows % size == rank)
        return rows[numbers] // size, numbers
    common = gcd(rows.step, size)
    steps, rest = divmod(rank - rows.begin, common)
    if rest:
        return stepped(0, 1, 0), stepped(0, 1, 0)
    period = size // common
    first = steps * pow(rows.step // common, -1, period) % period
    count = len(range(first, rows.size, period))
    place = (rows.begin + rows.step * first) // size
    return stepped(place, rows.step // common, count), stepped(first, period, count)


def dealt(size: int, rows: Rows, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The owner of each of the rows with these numbers, and which of the owner's rows it is.

    >>> dealt(3, np.array([4, 5, 7]), np.array([2, 1]))
    (array([1, 2]), array([1, 0]))
    """
    if isinstance(rows, Progression):
        return rows[numbers] % size, numbers // (size // gcd(rows.step, size))
    to = rows % size
    order = np.argsort(to, kind="stable")
    begins = np.searchsorted(to[order], np.arange(size))
    place = np.empty_like(order)
    place[order] = np.arange(order.size) - begins[to[order]]
    return to[numbers], place[numbers]
