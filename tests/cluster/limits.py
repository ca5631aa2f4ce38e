"""Limits that tests lower, of vertices and of memory; and how much memory something took."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.convert import edge_list
from lagraph_gpu.cpu.statements import in_place


@contextmanager
def most_vertices(limit: int) -> Iterator[None]:
    """A block in which graphs with more vertices than these are large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "MAX_VERTICES", limit)
        yield


@contextmanager
def every_graph_is_sparse(positions_per_explicit_entry: int = 0) -> Iterator[None]:
    """A block in which all graphs list the rows that have edges, though none is large, and what has
    one value at most vertices is a default: at all but one of so many, or however many others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "MANY_VERTICES", 0)
        patch.setattr(edge_list, "ROWS_PER_LISTED_ROW", 0)
        patch.setattr(
            edge_list, "POSITIONS_PER_EXPLICIT_ENTRY", 2 * (positions_per_explicit_entry,)
        )
        yield


@contextmanager
def at_most(limit: str) -> Iterator[None]:
    """A block in which a process may have so much memory."""
    lg.set_memory_limit(limit)
    try:
        yield
    finally:
        lg.set_memory_limit(None)


def peak_of(work: Callable[[], Any]) -> int:
    """The most bytes that Python and NumPy hold during some work, which is done once before, so
    that all is imported. What a statement in place asks the system for is none of them: nobody
    writes to it."""
    work()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_place, "expect_bytes", lambda count: None)
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
