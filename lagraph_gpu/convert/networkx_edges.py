"""The edges of a NetworkX graph as arrays, in the order of its `edges`.

They are read from its dictionaries of neighbours without a tuple for each edge: millions of new
tuples set Python's garbage collector looking through all of them again and again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain, compress
from operator import methodcaller
from typing import Any, NamedTuple

import numpy as np


class NetworkxEdges(NamedTuple):
    """The numbers of the two ends of each edge, and where the attributes are."""

    source: np.ndarray
    target: np.ndarray
    rows: list[dict[Hashable, Any]]
    """For each node its neighbours, and what belongs to the edge to each."""
    taken: list[Any] | None
    """Of the neighbours those whose edge this is: an undirected edge stands in two rows."""
    parallel: bool

    def attributes(self) -> Iterator[dict[str, Any]]:
        """The attributes of each edge."""
        found = chain.from_iterable(map(methodcaller("values"), self.rows))
        kept = found if self.taken is None else compress(found, self.taken)
        return chain.from_iterable(map(methodcaller("values"), kept)) if self.parallel else kept


def networkx_edges(g: Any, number: Mapping[Hashable, int]) -> NetworkxEdges:
    """The edges of a graph whose nodes have these numbers, in the order of the graph."""
    rows = [row if isinstance(row, dict) else dict(row) for _, row in g.adjacency()]
    degree = np.fromiter(map(len, rows), np.int64, len(rows))
    source = np.repeat(np.arange(degree.size), degree)
    ends = map(number.__getitem__, chain.from_iterable(rows))
    target = np.fromiter(ends, np.int64, source.size)
    taken = None
    if not g.is_directed():
        once = source <= target
        source, target, taken = source[once], target[once], once.tolist()
    parallel = g.is_multigraph()
    if parallel:
        held = chain.from_iterable(map(methodcaller("values"), rows))
        kept = held if taken is None else compress(held, taken)
        count = np.fromiter(map(len, kept), np.int64, source.size)
        source, target = np.repeat(source, count), np.repeat(target, count)
    return NetworkxEdges(source, target, rows, taken, parallel)
