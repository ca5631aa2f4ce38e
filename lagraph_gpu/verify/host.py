"""What the verifiers share: errors, checks of the form of results, and the graph on the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.errors import VerificationError
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import random
from semirings import types

EXACT = 1e-9
"""The relative error that rounding explains."""

CHUNK = 1 << 22
"""The number of values that are processed at a time."""


USUAL = 1000
"""The number of places that a verifier looks at, unless each of them takes long."""

ALL_PLACES_BELOW = 256
"""All of so many places are looked at in any case."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The places that a verifier has looked at.

    Parameters
    ----------
    places : array
        The places, such as vertices.
    total : int
        The number of all places.
    seed : int or None
        The seed that draws the same places again; None if all were looked at.

    Examples
    --------
    >>> print(Sample(np.array([2, 5]), 9, 7), "|", Sample(np.arange(3), 3, None))
    2 of 9 places, seed=7 | all 3 places
    """

    places: np.ndarray
    total: int
    seed: int | None

    def __str__(self) -> str:
        if self.seed is None:
            return f"all {self.total:,} places"
        return f"{self.places.size:,} of {self.total:,} places, seed={self.seed}"


class Complaint:
    """Makes the errors of a verifier, which name the search, the property and the first place where
    it does not hold.
    """

    def __init__(self, search: str) -> None:
        self.search, self.drawn = search, ""

    def sample(
        self, count: int, samples: int | None, seed: int | None, usual: int = USUAL
    ) -> Sample:
        """The places to look at, which errors name from here on."""
        sample = drawn(count, samples, seed, usual)
        self.drawn = f" (looking at {sample})" if sample.seed is not None else ""
        return sample

    def error(self, name: str, message: str) -> VerificationError:
        """The error for a property."""
        return VerificationError(f"{self.search}, {name}: {message}{self.drawn}")

    def expect(self, holds: bool, name: str, message: str) -> None:
        """Raises VerificationError with this message unless a property holds."""
        if not holds:
            raise self.error(name, message)

    def at(self, name: str, places: np.ndarray, message: Callable[[Any], str]) -> None:
        """Raises VerificationError if `places` is not empty, with the message for the
        first place.
        """
        if places.size:
            more = f" ({places.size - 1} more like it)" if places.size > 1 else ""
            raise self.error(name, message(int(places[0])) + more)

    def unless(self, name: str, bad: np.ndarray, message: Callable[[Any], str]) -> None:
        """Raises VerificationError if `bad` is true anywhere, with the message for the
        first place.
        """
        self.at(name, np.flatnonzero(bad), message)


# --- what results must look like ----------------------------------------------------------------


def dense(vector: Vector) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the entries (bool), and the values as a dense array (0 elsewhere)."""
    index, value = vector.to_coo()
    here, full = np.zeros(vector.size, bool), np.zeros(vector.size, value.dtype)
    here[index], full[index] = True, value
    return here, full


def sized(say: Complaint, n: int, vector: Vector, what: str) -> Vector:
    """Return the vector, and raise VerificationError unless it has n positions."""
    say.expect(vector.size == n, "size", f"expected {n} positions, got {vector.size} ({what})")
    return vector


def complete(say: Complaint, n: int, vector: Vector, what: str = "value") -> np.ndarray:
    """The values of a vector with an entry at each of its n positions."""
    there, value = dense(sized(say, n, vector, what))
    say.unless("entries", ~there, lambda v: f"expected a {what} at position {v}, got no entry")
    return value


def has_type(say: Complaint, found: np.dtype, kind: np.dtype) -> None:
    """Raises VerificationError unless the type is as expected."""
    say.expect(
        found == kind,
        "type",
        f"expected the type {types.name(kind)}, got {types.name(found)}",
    )


def numbers(say: Complaint, G: Graph, vector: Vector, what: str, top: int) -> np.ndarray:
    """A full vector as an array of integers from 0 to `top` - 1."""
    value = complete(say, G.n, vector, what)
    inside(say, value, top, what)
    return value.astype(np.int64)


def representatives(say: Complaint, G: Graph, label: Vector) -> np.ndarray:
    """The labels, after a check that each is the smallest vertex with that label."""
    of = numbers(say, G, label, "label", G.n)
    say.unless(
        "smallest", (of[of] != of) | (of > np.arange(G.n)),
        lambda v: f"expected the label of vertex {v} to be the smallest vertex that has it, got "
        f"{of[v]}, whose own is {of[of[v]]}",
    )  # fmt: skip
    return of


def integral(say: Complaint, value: np.ndarray, what: str) -> None:
    """Raises VerificationError unless the values are integers."""
    if value.dtype.kind not in "iu":
        raise say.error("type", f"expected each {what} as an integer, got the type {value.dtype}")


def inside(say: Complaint, value: np.ndarray, top: int, what: str) -> None:
    """Raises VerificationError unless the values are integers from 0 to `top` - 1."""
    integral(say, value, what)
    say.unless(
        "range", (value < 0) | (value >= max(top, 1)),
        lambda v: f"expected a {what} from 0 to {top - 1} at position {v}, got {value[v]}",
    )  # fmt: skip


def drawn(count: int, samples: int | None, seed: int | None, usual: int) -> Sample:
    """`samples` different places below `count`, or all of them if there are no more. Without
    `samples` these are `usual` ones, or all of a few. Without a seed a new one is drawn.
    """
    if samples is None:
        samples = max(usual, count if count <= ALL_PLACES_BELOW else 0)
    if count <= samples:
        return Sample(np.arange(count), count, None)
    seed = int(random(None).integers(2**32)) if seed is None else seed
    places = np.random.default_rng(seed).choice(count, samples, replace=False)
    return Sample(places, count, seed)


# --- the graph on the host ----------------------------------------------------------------------


def edges(G: Graph, loops: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the edges; an undirected edge once."""
    u, v, _ = G.A.to_coo()
    kept = np.ones(u.size, bool) if loops else u != v
    if not G.directed:
        kept &= u <= v
    return u[kept], v[kept]


def pattern(G: Graph) -> Any:
    """SciPy's matrix with 1 for each entry of G.A, without loops."""
    u, v, _ = G.A.to_coo()
    off = u != v
    ones = np.ones(int(off.sum()), np.int64)
    return sp.coo_array((ones, (u[off], v[off])), shape=(G.n, G.n)).tocsr()


def joined(G: Graph) -> Any:
    """SciPy's matrix with 1 where an edge in either direction joins two vertices."""
    A = pattern(G)
    return A.maximum(A.T).tocsr()


def components(A: Any, connection: Any) -> int:
    """The number of components, counted by SciPy."""
    return csgraph.connected_components(A, connection=connection)[0] if A.shape[0] else 0


def smallest(G: Graph) -> np.ndarray:
    """The smallest vertex of each component."""
    if not G.n:
        return np.zeros(0, np.int64)
    _, component = csgraph.connected_components(pattern(G), directed=False)
    return np.unique(component, return_index=True)[1]


def levels(G: Graph) -> np.ndarray:
    """The number of edges from each vertex to the smallest vertex of its component."""
    if not G.n:
        return np.zeros(0)
    given: dict[str, Any] = {"indices": smallest(G), "unweighted": True, "min_only": True}
    level: np.ndarray = csgraph.dijkstra(joined(G), **given)
    return level


def has_edge(G: Graph, u: np.ndarray, v: np.ndarray, directed: bool = False) -> np.ndarray:
    """True where an edge leads from u to v, or, unless `directed`, from v to u."""
    a, b, _ = G.A.to_coo()
    there = np.isin(u * G.n + v, a * G.n + b)
    return there if directed else there | np.isin(v * G.n + u, a * G.n + b)


def adjacency(G: Graph, weight: str | None) -> Any:
    """SciPy's matrix of G in FP64; without weights every edge counts 1."""
    indptr, indices, values = G.A.to_csr()
    data = values.astype(np.float64) if weight else np.ones(indices.size)
    return sp.csr_array((data, indices, indptr), shape=(G.n, G.n))


def hops(A: Any, sources: np.ndarray, weighted: bool = False) -> np.ndarray:
    """The distances from some vertices, a row for each; infinite where there is no path."""
    far: np.ndarray = csgraph.shortest_path(A, "D", unweighted=not weighted, indices=sources)
    return far


def blocks(count: int, width: int) -> Iterator[np.ndarray]:
    """Row numbers below `count`, in blocks whose rows of `width` numbers fit into a chunk."""
    rows = max(1, CHUNK // max(1, width))
    for first in range(0, count, rows):
        yield np.arange(first, min(count, first + rows))


def exact(far: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances and weights in a type in which sums of them are exact.

    Floating-point sums are rounded once, in the type of the distances. Integers are added in INT64,
    or as Python integers (slow) if a sum might not fit.
    """
    if "f" in (far.dtype.kind, weight.dtype.kind):
        return far, weight
    largest = sum(max(abs(int(a.max())), abs(int(a.min()))) for a in (far, weight) if a.size)
    if largest > np.iinfo(np.int64).max:
        return far.astype(object), weight.astype(object)
    return far.astype(np.int64), weight.astype(np.int64, copy=False)
