"""When a matrix is cut into panels of columns, and which panel gets runs.

A product reads the vector at the columns of a matrix. A panel has so many columns that the part of
the vector that belongs to them fits into shared memory.
"""

from __future__ import annotations

PRODUCTS_BEFORE_PANELS = 15
"""The number of the product before which a matrix is cut into panels. On kron22 this many products
gain the time that the cut takes."""

FEWEST_LEADING = 1024
"""With fewer columns, a table in shared memory does not pay."""

LEADING_SHARE = 8
"""One in this many entries should be in the first panel."""

FEWEST_ENTRIES = 3 << 22
"""With fewer entries the launches that panels add take longer than what they gain (decision
0486)."""

RUN = 2
"""The mean number of entries of a row in a panel from which a run pays."""


def leads(nedges: int, width: int, longest: int | None, fewest: int = FEWEST_LEADING) -> bool:
    """Whether a panel of the longest columns can hold enough entries.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.
    width : int
        The number of columns in the panel.
    longest : int or None
        The length of the longest column, if it is known.
    fewest : int, optional
        The smallest number of columns with which a panel pays.

    Returns
    -------
    bool
        True if it can.

    Examples
    --------
    >>> leads(2**27, 29000, 2**18), leads(2**27, 29000, 80)
    (True, False)
    """
    enough = longest is None or longest * width * LEADING_SHARE >= nedges
    return width >= fewest and enough


def runs_pay(nedges: int, runs: int) -> bool:
    """Whether it pays to sum up runs first.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.
    runs : int
        The number of runs: entries of one row in one panel.

    Returns
    -------
    bool
        True if it pays.
    """
    return runs * RUN <= nedges and runs < 2**31
