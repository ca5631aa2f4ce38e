"""The edges of a NetworkX graph as arrays, in the order of its `edges`.

They are read from its dictionaries of neighbours without a tuple for each edge: millions of new
tuples set Python's garbage collector looking through all of them again and again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, compress
from operator import itemgetter, methodcaller
from typing import Any, NamedTuple

import numpy as np

SPREAD = 16
"""The largest integer may be so many times the number of nodes."""


class NetworkxEdges(NamedTuple):
    """The numbers of the two ends of each edge, and where the attributes are."""

    source: np.ndarray
    target: np.ndarray
    rows: list[dict[Hashable, Any]]
    """For each node its neighbours, and what belongs to the edge to each."""
    taken: list[Any] | None
    """Of the neighbours those whose edge this is: an undirected edge stands in two rows."""
    parallel: bool
    plain: bool
    """True if the attributes of an edge are a `dict`, which asking does not change."""

    def attributes(self) -> Iterator[dict[str, Any]]:
        """The attributes of each edge."""
        found = chain.from_iterable(map(methodcaller("values"), self.rows))
        kept = found if self.taken is None else compress(found, self.taken)
        return chain.from_iterable(map(methodcaller("values"), kept)) if self.parallel else kept

    def values(self, attribute: Any, default: Any) -> list[Any]:
        """An attribute of each edge, with a default for those that do not have it."""
        if self.plain:
            with suppress(KeyError):  # one lacks it
                return list(map(itemgetter(attribute), self.attributes()))
        return [data.get(attribute, default) for data in self.attributes()]


def networkx_edges(g: Any, number: Mapping[Hashable, int]) -> NetworkxEdges:
    """The edges of a graph whose nodes have these numbers, in the order of the graph."""
    rows = [row if isinstance(row, dict) else dict(row) for _, row in g.adjacency()]
    degree = np.fromiter(map(len, rows), np.int64, len(rows))
    source = np.repeat(np.arange(degree.size), degree)
    target = numbers_of(chain.from_iterable(rows), source.size, number)
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
    plain = getattr(g, "edge_attr_dict_factory", None) is dict
    return NetworkxEdges(source, target, rows, taken, parallel, plain)


def numbers_of(nodes: Iterable[Hashable], count: int, number: Mapping[Hashable, int]) -> np.ndarray:
    """The numbers of these nodes. Where nodes are small integers, they are looked up in an array:
    the entries of a large dict lie all over the memory."""
    if {*map(type, number)} == {int}:
        known: list[Any] = list(number)
        if min(known) >= 0 and max(known) < SPREAD * len(known):
            table = np.empty(max(known) + 1, np.int64)
            table[known] = list(number.values())
            return table[np.fromiter(nodes, np.int64, count)]
    return np.fromiter(map(number.__getitem__, nodes), np.int64, count)
