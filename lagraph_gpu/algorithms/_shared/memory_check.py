"""Checks that a result fits into the free memory, before an algorithm begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lagraph_gpu import memory
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.host_memory import larger_backend

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend, DistributedBackend

RESULT_BYTES = 32
"""Bytes that the results of a search take for each vertex reached: two results, each with a value
and a column.
"""

SEARCH_BYTES, MIN_SEARCHES = 28, 6
"""The bytes of a search for each vertex at most, in addition to its row of a table. A single search
may take as much as MIN_SEARCHES searches.
"""

BLOCK_SHARE = 4
"""By default a block of a table takes at most 1 / BLOCK_SHARE of the free memory."""


def free_bytes(of: Any) -> int | None:
    """The free bytes where a graph or a matrix lies. None if the backend does not know."""
    return of.backend.free_bytes()  # type: ignore[no-any-return]


def surely_fits(of: Any, wanted: int) -> bool:
    """True if so many bytes are free on the backend of `of`, or if nobody asks for so few."""
    free = None if wanted <= memory.CHECKED_BYTES else free_bytes(of)
    return free is None or wanted <= free


def fits_elsewhere(of: Any, wanted: int) -> bool:
    """True if calls that do not fit where `of` lies run on a backend that has so many bytes."""
    other = larger_backend(of.backend)
    free = None if other is None else other.free_bytes()
    return other is not None and (free is None or wanted <= free)


def expect_fits(of: Any, wanted: int, what: str, needs: str, advice: str) -> None:
    """Raises TooLarge if fewer than `wanted` bytes are free on the backend of `of`.

    The message reads: expected {what} the free memory, but {needs} … bytes; {advice}.
    """
    if wanted > memory.CHECKED_BYTES:
        memory.expect_fits(free_bytes(of), wanted, what, needs, advice)


def expect_values_fit(backend: Backend, n: int, what: str, each: int = 8) -> None:
    """Raises TooLarge, of a backend that lists rows, if some process has not so many bytes for each
    vertex of its own, of n in all. With others there are no more vertices than offsets."""
    if backend.large_graphs:
        cast("DistributedBackend", backend).expect_values_fit(n, each, what)


def is_sparse(v: Vector) -> bool:
    """Whether v has so few entries for its positions that nobody makes an array of all of them,
    where a backend stores few of so many."""
    return v.backend.large_graphs and lists_rows(v.size, lambda: v.nvals)


def block_bytes(free: int | None, one: int) -> int | None:
    """The bytes that a block of a table may take: a share of what is free, or what one row needs if
    that is more and fits. None if the free memory is not known.
    """
    return None if free is None else max(free // BLOCK_SHARE, min(free, one))


def fitting_rows(of: Any, row_bytes: int, share: int, max_rows: int) -> int:
    """The number of rows that fit into 1 / `share` of the free memory: at least 1, at most
    `max_rows`.
    """
    free = None if share * row_bytes * max_rows <= memory.CHECKED_BYTES else free_bytes(of)
    fits = max_rows if free is None else free // (share * max(1, row_bytes))
    return min(max_rows, max(1, fits))
