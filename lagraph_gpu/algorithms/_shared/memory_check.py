"""Checks that a result fits into the free memory, before an algorithm begins."""

from __future__ import annotations

from typing import Any

from lagraph_gpu import memory

RESULT_BYTES = 32
"""Bytes that the results of a search take for each vertex reached: two results, each with a value
and a column.
"""


def free_bytes(of: Any) -> int | None:
    """The free bytes where a graph or a matrix lies. None if the backend does not know."""
    return of.backend.free_bytes()  # type: ignore[no-any-return]


def expect_fits(of: Any, wanted: int, what: str, needs: str, advice: str) -> None:
    """Raises TooLarge if fewer than `wanted` bytes are free on the backend of `of`.

    The message reads: expected {what} the free memory, but {needs} … bytes; {advice}.
    """
    memory.expect_fits(free_bytes(of), wanted, what, needs, advice)


def fitting_rows(of: Any, row_bytes: int, share: int, max_rows: int) -> int:
    """The number of rows that fit into 1 / `share` of the free memory: at least 1, at most
    `max_rows`.
    """
    free = free_bytes(of)
    fits = max_rows if free is None else free // (share * max(1, row_bytes))
    return min(max_rows, max(1, fits))
