"""What users give for the vertices of a graph: values by label, and groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set, ValuesView
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.convert.arguments import by_label, is_list
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, WrongType, brief
from lagraph_gpu.names.labels import MISSING
from lagraph_gpu.notation import Vector

if TYPE_CHECKING:
    from lagraph_gpu.graph.graph import Graph


def values_by_position(G: Graph, given: Any, name: str) -> dict[int, Any]:
    """The values that a dict or a Series of pandas has by label, by position."""
    found = {G.vertex(v, f"vertex in {name}"): value for v, value in given.items()}
    if len(found) < len(given):
        raise InvalidValue(f"expected each vertex once in {name}, got one again")
    return found


def numbered(groups: Iterable[Any], name: str) -> np.ndarray:
    """The number (FP64) of each group, in the order in which they first occur; NaN where there is
    none.

    >>> numbered(["north", 7, None, "north"], "groups")
    array([ 0.,  1., nan,  0.])
    """
    number: dict[Any, int] = {}
    try:
        found = [
            np.nan if type(x).__name__ in MISSING or x != x else number.setdefault(x, len(number))
            for x in groups
        ]
    except (TypeError, ValueError):  # a list, an array
        raise WrongType(
            f"expected {name} as numbers, strings or other hashable values, got {brief(groups)}"
        ) from None
    return np.array(found, np.float64)


GROUP = Set, list
"""The vertices of one community. A list is no label, because it has no hash."""


def of_communities(communities: Sequence[Collection[Any]]) -> dict[Any, int]:
    """The number of its community for each vertex.

    >>> of_communities([{"a"}, {"c", "b"}]) == {"a": 0, "b": 1, "c": 1}
    True
    """
    try:
        number = {v: k for k, members in enumerate(communities) for v in members}
    except TypeError:  # a list in a community has no hash
        raise WrongType(
            f"expected communities as sets or lists of vertices, got {brief(communities)}"
        ) from None
    if len(number) < sum(map(len, communities)):
        raise InvalidValue("expected each vertex in one community, got one in several")
    return number


def partition(G: Graph, labels: Any) -> np.ndarray:
    """The label of each vertex by position, or a number in its place where labels are no numbers.
    They are a Vector, a dict or a Series by label, a list of sets or lists of vertices, or a list
    or an array by position.
    """
    if isinstance(labels, (Iterator, ValuesView)):
        labels = [*labels]  # as some functions of NetworkX return communities
    if isinstance(labels, (list, tuple)):
        kinds = set(map(type, labels))
        groups = [issubclass(kind, GROUP) for kind in kinds]
        if any(groups) and not all(groups):
            raise WrongType(
                f"expected labels as sets or lists of vertices alone, got {brief(labels)}"
            )
        if any(groups):
            labels = of_communities(labels)
        elif kinds == {int} and (ids := np.asarray(labels)).dtype.kind == "i":
            labels = ids
    positions: Any = slice(None)
    if isinstance(labels, Vector):
        if labels.nvals == labels.size == G.n and labels.dtype.kind != "f":
            return labels.to_dense()
        size, (positions, found) = labels.size, labels.to_coo()
    elif by_label(labels):
        held = values_by_position(G, labels, "labels")
        size, positions, found = G.n, [*held], numbered(held.values(), "labels")
    elif is_list(labels) and not isinstance(labels, Set):
        plain = isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "iuf"
        found = labels if plain else numbered(labels, "labels")
        size = found.size
    else:
        raise WrongType(
            "expected labels as a Vector, as a dict or a Series by label, as a list of sets or "
            f"lists of vertices, or as a list or an array by position, got {brief(labels)}"
        )
    if size != G.n:
        raise DimensionMismatch(f"expected {G.n} labels, one a vertex, got {size}")
    known = np.zeros(G.n, bool)
    known[positions] = found == found
    if not known.all():
        missing = brief(G.label(int(known.argmin())))
        raise InvalidValue(f"expected a label for every vertex, got none for vertex {missing}")
    placed = np.empty(G.n, found.dtype)
    placed[positions] = found
    return placed
