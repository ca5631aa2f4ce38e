"""What a picture is given: numbers, groups, paths and names of vertices, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import by_label, is_integer, is_list
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    WrongType,
    brief,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import numbered, values_by_position
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect_flag

NAMED = 40
"""Larger graphs are drawn without labels, unless these are asked for."""


def checked(positions: Any, names: Sequence[Any]) -> np.ndarray:
    """Positions of the vertices with these names as an array of FP64 of shape (n, 2). Raises
    InvalidValue if they are not."""
    n = len(names)
    try:
        xy = np.asarray(positions, np.float64)
    except (TypeError, ValueError):
        raise InvalidValue(
            f"expected positions as pairs of numbers, got {brief(positions)}"
        ) from None
    if xy.shape != (n, 2):
        raise InvalidValue(f"expected positions of shape ({n}, 2), got {xy.shape}")
    wrong = np.flatnonzero(~np.isfinite(xy).all(axis=1))
    if wrong.size:
        raise InvalidValue(
            f"expected finite positions, got {xy[wrong[0]].tolist()} of vertex "
            f"{brief(names[int(wrong[0])])}"
        )
    return xy


def column(G: Graph, given: Any, what: str) -> np.ndarray:
    """A number for each vertex (FP64); NaN where there is no entry.

    A dict and a Series of pandas name vertices, as `G.named` returns them, in any order.
    """
    n = G.n
    if isinstance(given, Vector):
        if given.size != n:
            raise DimensionMismatch(f"expected {what} over {n} vertices, got {given.size}")
        return placed(n, *given.to_coo())
    held = values_by_position(G, given, what) if by_label(given) else None
    values = given if held is None else [*held.values()]
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise WrongType(
            f"expected {what} as a Vector or an array of numbers, got {brief(given)}"
        ) from None
    if held is not None:
        if found.shape != (len(held),):
            raise WrongType(f"expected a number for each vertex as {what}, got {brief(given)}")
        return placed(n, held, found)
    if found.shape != (n,):
        raise DimensionMismatch(f"expected {what} of shape ({n},), got {found.shape}")
    return found


def placed(n: int, positions: Iterable[int], values: np.ndarray) -> np.ndarray:
    """Numbers at these of n positions, and NaN at the others."""
    found = np.full(n, np.nan)
    found[[*positions]] = values
    return found


def group_numbers(G: Graph, groups: Any) -> Any:
    """Groups as numbers. Those that have names are numbered as they first occur; None is no group.

    >>> G = Graph.from_edges(["a", "b"], ["b", "c"], backend="cpu")
    >>> group_numbers(G, ["north", "south", None]), group_numbers(G, [7, 7, 3])
    (array([ 0.,  1., nan]), [7, 7, 3])
    >>> group_numbers(G, {"c": "north", "a": "south"})
    array([ 1., nan,  0.])
    """
    held = values_by_position(G, groups, "groups") if by_label(groups) else None
    values = groups if held is None else [*held.values()]
    plain = isinstance(values, (Vector, np.ndarray)) and values.dtype.kind not in "OSU"
    if plain or not is_list(values) or all(isinstance(x, (Real, np.bool_)) for x in values):
        return groups
    found = numbered(values, "groups")
    return found if held is None else placed(G.n, held, found)


def ranked(group: np.ndarray, ranks: int) -> np.ndarray:
    """For each vertex the rank of its group by size; those from `ranks` on, and vertices without a
    group, have `ranks`.

    >>> ranked(np.array([7.0, 3, 3, np.nan]), 10).tolist()
    [1, 0, 0, 10]
    """
    found, place, count = np.unique(group, return_inverse=True, return_counts=True)
    rank = np.empty(found.size, np.int64)
    rank[np.argsort(-count, kind="stable")] = np.arange(found.size)
    rank[np.isnan(found)] = ranks
    return np.minimum(rank, ranks)[place]


def paths_of(G: Graph, path: Any) -> list[np.ndarray]:
    """The positions along each path."""
    if path is None:
        return []
    if not is_list(path):
        raise WrongType(f"expected path as a list of vertices, got {brief(path)}")
    many = [*path]
    if not many or not is_list(many[0]) or isinstance(many[0], tuple):
        many = [many]
    ways = [np.array([position(G, v) for v in way], np.int64) for way in many if len(way)]
    expect_edges(G, ways)
    return ways


def expect_edges(G: Graph, ways: Sequence[np.ndarray]) -> None:
    """Raise InvalidValue unless an edge leads from each vertex of a path to the next."""
    u = np.concatenate([way[:-1] for way in ways]) if ways else np.empty(0, np.int64)
    if not u.size:
        return
    v = np.concatenate([way[1:] for way in ways])
    source, target, _ = G.edges()
    held = source * G.n + target
    if not G.directed:
        held = np.append(held, target * G.n + source)
    missing = ~np.isin(u * G.n + v, held)
    if missing.any():
        at = int(np.argmax(missing))
        one, other = (brief(name) for name in G.label([int(u[at]), int(v[at])]))
        raise InvalidValue(
            f"expected an edge from each vertex of path to the next, but there is none from "
            f"{one} to {other}; lg.path_to and lg.shortest_path_between return paths"
        )


def position(G: Graph, v: Any) -> int:
    """The position of a vertex of a path: a number is a position, and all else a label."""
    if not is_integer(v):
        return G.vertex(v, "vertex in path")
    if not 0 <= v < G.n:
        raise IndexOutOfBound(
            f"expected positions below n = {G.n} in path, got {brief(v)}; lg.path_to returns them"
        )
    return int(v)


def named(G: Graph, labels: Any) -> tuple[list[int], list[Any]]:
    """The positions at which labels are written, and these."""
    if labels is None:
        labels = G.labels is not None and G.n <= NAMED
    if is_list(labels):
        at = [G.vertex(v, "vertex in labels") for v in labels]
    else:
        at = [*range(G.n)] if expect_flag(labels, "labels") else []
    return at, G.label(at) if at else []
