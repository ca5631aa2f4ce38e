"""What the verifiers share: how they say no, what results must look like, the graph on the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.errors import VerificationError
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector
from semirings import types

EXACT = 1e-9
"""Relative error that rounding explains."""

CHUNK = 1 << 22
"""Numbers at a time."""


class Complaint:
    """Says no: names the search, the property and the first place that violates it."""

    def __init__(self, search: str) -> None:
        self.search = search

    def error(self, name: str, message: str) -> VerificationError:
        return VerificationError(f"{self.search}, {name}: {message}")

    def at(self, name: str, places: np.ndarray, message: Callable[[Any], str]) -> None:
        """Raise if there are any places, with the message for the first."""
        if places.size:
            more = f" ({places.size - 1} more like it)" if places.size > 1 else ""
            raise self.error(name, message(int(places[0])) + more)

    def unless(self, name: str, bad: np.ndarray, message: Callable[[Any], str]) -> None:
        self.at(name, np.flatnonzero(bad), message)


# --- what results must look like ----------------------------------------------------------------


def dense(vector: Vector) -> tuple[np.ndarray, np.ndarray]:
    """Where the entries are, and their values (0 elsewhere)."""
    index, value = vector.to_coo()
    here, full = np.zeros(vector.size, bool), np.zeros(vector.size, value.dtype)
    here[index], full[index] = True, value
    return here, full


def sized(say: Complaint, n: int, vector: Vector, what: str) -> Vector:
    if vector.size != n:
        raise say.error("size", f"expected {n} positions, got {vector.size} ({what})")
    return vector


def complete(say: Complaint, n: int, vector: Vector, what: str = "value") -> np.ndarray:
    """The values of a vector that has one at each of n positions."""
    there, value = dense(sized(say, n, vector, what))
    say.unless("entries", ~there, lambda v: f"expected a {what} at position {v}, got no entry")
    return value


def has_type(say: Complaint, found: np.dtype, kind: np.dtype) -> None:
    if found != kind:
        raise say.error("type", f"expected the type {types.name(kind)}, got {found}")


def numbers(say: Complaint, G: Graph, vector: Vector, what: str, top: int) -> np.ndarray:
    """A vector as an array of integers from 0 to ``top`` - 1, one at each position."""
    value = complete(say, G.n, vector, what)
    inside(say, value, top, what)
    return value.astype(np.int64)


def representatives(say: Complaint, G: Graph, label: Vector) -> np.ndarray:
    """Labels, each the smallest vertex that has it."""
    of = numbers(say, G, label, "label", G.n)
    say.unless(
        "smallest", (of[of] != of) | (of > np.arange(G.n)),
        lambda v: f"expected the label of vertex {v} to be the smallest vertex that has it, got "
        f"{of[v]}, whose own is {of[of[v]]}",
    )  # fmt: skip
    return of


def integral(say: Complaint, value: np.ndarray, what: str) -> None:
    if value.dtype.kind not in "iu":
        raise say.error("type", f"expected each {what} as an integer, got the type {value.dtype}")


def inside(say: Complaint, value: np.ndarray, top: int, what: str) -> None:
    """Integers from 0 to ``top`` - 1."""
    integral(say, value, what)
    say.unless(
        "range", (value < 0) | (value >= max(top, 1)),
        lambda v: f"expected a {what} from 0 to {top - 1} at position {v}, got {value[v]}",
    )  # fmt: skip


def sample(count: int, samples: int, seed: Any) -> np.ndarray:
    """So many of ``count`` places, or all if there are no more."""
    if count <= samples:
        return np.arange(count)
    return np.random.default_rng(seed).choice(count, samples, replace=False)


# --- the graph on the host ----------------------------------------------------------------------


def edges(G: Graph, loops: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the edges; an undirected one once."""
    u, v, _ = G.A.to_coo()
    kept = np.ones(u.size, bool) if loops else u != v
    if not G.directed:
        kept &= u <= v
    return u[kept], v[kept]


def pattern(G: Graph) -> Any:
    """1 for each entry of G.A, without loops."""
    u, v, _ = G.A.to_coo()
    off = u != v
    ones = np.ones(int(off.sum()), np.int64)
    return sp.coo_array((ones, (u[off], v[off])), shape=(G.n, G.n)).tocsr()


def joined(G: Graph) -> Any:
    """1 where an edge in either direction joins two vertices."""
    A = pattern(G)
    return A.maximum(A.T).tocsr()


def components(A: Any, connection: Any) -> int:
    return csgraph.connected_components(A, connection=connection)[0] if A.shape[0] else 0


def smallest(G: Graph) -> np.ndarray:
    """The smallest vertex of each component."""
    if not G.n:
        return np.zeros(0, np.int64)
    _, component = csgraph.connected_components(pattern(G), directed=False)
    return np.unique(component, return_index=True)[1]


def levels(G: Graph) -> np.ndarray:
    """How many edges each vertex is away from the smallest of its component."""
    if not G.n:
        return np.zeros(0)
    given: dict[str, Any] = {"indices": smallest(G), "unweighted": True, "min_only": True}
    level: np.ndarray = csgraph.dijkstra(joined(G), **given)
    return level


def has_edge(G: Graph, u: np.ndarray, v: np.ndarray, directed: bool = False) -> np.ndarray:
    """Is there an edge from u to v, or, unless ``directed``, from v to u?"""
    a, b, _ = G.A.to_coo()
    there = np.isin(u * G.n + v, a * G.n + b)
    return there if directed else there | np.isin(v * G.n + u, a * G.n + b)


def adjacency(G: Graph, weight: str | None) -> Any:
    """SciPy's matrix of G in FP64; without weights every edge counts 1."""
    indptr, indices, values = G.A.to_csr()
    data = values.astype(np.float64) if weight else np.ones(indices.size)
    return sp.csr_array((data, indices, indptr), shape=(G.n, G.n))


def hops(A: Any, sources: np.ndarray, weighted: bool = False) -> np.ndarray:
    """Distances from some vertices, a row each; infinite where there is no path."""
    far: np.ndarray = csgraph.shortest_path(A, "D", unweighted=not weighted, indices=sources)
    return far


def blocks(count: int, width: int) -> Iterator[np.ndarray]:
    """So many rows, in blocks whose rows of ``width`` numbers fit a chunk."""
    rows = max(1, CHUNK // max(1, width))
    for first in range(0, count, rows):
        yield np.arange(first, min(count, first + rows))


def exact(far: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances and weights in a type in which their sums are what the property means.

    Floating-point sums round once, in the distances' own type. Integers are added in INT64, or as
    Python's integers (slow) where a sum might not fit it.
    """
    if "f" in (far.dtype.kind, weight.dtype.kind):
        return far, weight
    largest = sum(max(abs(int(a.max())), abs(int(a.min()))) for a in (far, weight) if a.size)
    if largest > np.iinfo(np.int64).max:
        return far.astype(object), weight.astype(object)
    return far.astype(np.int64), weight.astype(np.int64, copy=False)
