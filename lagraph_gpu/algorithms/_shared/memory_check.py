"""Does it fit the memory? The one place where algorithms ask, before they begin."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.errors import TooLarge

RESULT_BYTES = 32
"""Bytes that a search leaves for each vertex it reaches: two results, each a value and a column."""


def free_bytes(of: Any) -> int | None:
    """The memory that is free where a graph or a matrix lies; None where nobody says."""
    return of.backend.free_bytes()  # type: ignore[no-any-return]


def expect_fits(of: Any, wanted: int, what: str, needs: str, advice: str) -> None:
    """Raises TooLarge if so many bytes are not free where ``of`` lies.

    The message reads: expected {what} that fit the free memory, but {needs} … bytes; {advice}.
    """
    free = free_bytes(of)
    if free is not None and wanted > free:
        raise TooLarge(
            f"expected {what} the free memory, but {needs} {wanted:,} bytes and {free:,} are free; "
            f"{advice}"
        )


def fitting_rows(of: Any, row_bytes: int, share: int, max_rows: int) -> int:
    """How many rows fit one in so many of the free bytes: at least 1 and at most ``most``."""
    free = free_bytes(of)
    fits = max_rows if free is None else free // (share * max(1, row_bytes))
    return min(max_rows, max(1, fits))
