"""How many sources to search from at once.

A block of k searches is one matrix of k rows. More rows mean fewer and larger steps; what bounds
them is memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix

MOST = 256
"""Rows beyond which nothing is gained."""

SHARE = 4
"""A block takes at most one in so many bytes that are free."""


def batches(
    G: Graph, sources: Sequence[int] | np.ndarray, asked: Any, bytes_an_entry: int
) -> Iterator[np.ndarray]:
    """The sources in blocks of ``asked`` (an integer of at least 1), or of as many as fit a quarter
    of the free memory if each row has n entries of so many bytes; at most 256."""
    if asked is None:
        free = G.backend.free_bytes()
        fits = MOST if free is None else free // (SHARE * bytes_an_entry * max(1, G.n))
        asked = min(MOST, max(1, fits))
    elif isinstance(asked, bool) or not isinstance(asked, (int, np.integer)) or asked < 1:
        raise InvalidValue(f"expected batch_size as an integer of at least 1, got {asked!r}")
    sources = np.asarray(sources, np.int64)
    for first in range(0, sources.size, int(asked)):
        yield sources[first : first + int(asked)]


def points(G: Graph, sources: np.ndarray, value: Any, dtype: Any) -> Matrix:
    """The matrix with one entry a row, at the row's source."""
    row = np.arange(sources.size)
    shape = {"nrows": sources.size, "ncols": G.n}
    return Matrix.from_coo(row, sources, value, dtype, **shape, backend=G.backend)
