"""The planner of triangles on a GPU: whether they are counted over rows as they are.

Else vertices are numbered by degree and the product of two halves is computed within one of them,
which bounds the work by O(m^1.5) whatever the rows are.
"""

from __future__ import annotations

from typing import NamedTuple

SHORT_ROW = 64
"""Rows of at most so many entries are read as they are."""

EVEN = 4
"""So are longer ones if none has more than this many times the mean: a numbering by degree would
hardly shorten what is read."""

LONGEST = 256
"""But none longer than this. Not yet measured."""


class Fingerprints(NamedTuple):
    """The graphs whose rows have fingerprints: of so many vertices or more, and of so many entries
    a row on average."""

    vertices: int
    fewest: int
    most: int


FINGERPRINTS = Fingerprints(1 << 22, 16, 32)
"""Means below and above these were not measured (record 0409)."""


def short_rows(longest: int, nedges: int, n: int) -> bool:
    """Whether triangles are counted over rows as they are.

    Parameters
    ----------
    longest : int
        The number of entries of the longest row, or a bound on it.
    nedges : int
        The number of entries of the symmetric matrix.
    n : int
        The number of its rows.

    Returns
    -------
    bool
        True for rows as they are.
    """
    return longest <= max(SHORT_ROW, min(LONGEST, EVEN * nedges // max(1, n)))


def fingerprints_pay(nedges: int, n: int, of: Fingerprints = FINGERPRINTS) -> bool:
    """Whether an edge reads fingerprints of a row in place of the row.

    Parameters
    ----------
    nedges : int
        The number of entries of the symmetric matrix.
    n : int
        The number of its rows.
    of : Fingerprints, optional
        The graphs for which they are made.

    Returns
    -------
    bool
        True for fingerprints.
    """
    return n >= of.vertices and of.fewest * n <= nedges <= of.most * n
