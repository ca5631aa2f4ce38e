"""The graphs of the tests: factories of edges, by the names of the field, and a battery of nasty
graphs, each of which has a name and says which bug it hunts.

A factory gives the ends of its edges in two arrays, or three with the weights, as
``lg.Graph.from_edges(*edges, n=n)`` and ``lg.Matrix.from_coo`` take them. Seeds are NumPy's. What a
factory draws for a seed stays as it is, since numbers in tests depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

import lagraph_gpu as lg
from semirings import types
from tests.spec import Sparse

Edge = tuple[int, int, Any]


@dataclass(frozen=True)
class Example:
    """A graph given by its edges; an undirected one has each edge once."""

    name: str
    hunts: str
    n: int
    edges: tuple[Edge, ...]
    directed: bool = True
    dtype: str = "INT64"
    weighted: bool = True

    @cached_property
    def adjacency(self) -> Sparse:
        """What ``G.A`` should hold."""
        kind = types.lookup(self.dtype)
        one = kind.type(1)
        entries = {(u, v): kind.type(w) if self.weighted else one for u, v, w in self.edges}
        if not self.directed:
            entries |= {(v, u): w for (u, v), w in entries.items()}
        return Sparse(kind, (self.n, self.n), entries)

    def graph(self, backend: Any) -> lg.Graph:
        source, target, weight = zip(*self.edges) if self.edges else ((), (), ())
        values = np.array(weight, self.adjacency.dtype) if self.weighted else None
        return lg.Graph.from_edges(
            source, target, values, self.n, directed=self.directed, backend=backend
        )

    @property
    def smallest(self) -> Any:
        return min((w for _, _, w in self.edges), default=0)

    def of(self, dtype: str) -> Example:
        return replace(self, dtype=dtype) if self.weighted else self

    def __str__(self) -> str:
        return self.name


# --- ends of edges -----------------------------------------------------------------------------

Ends = tuple[np.ndarray, np.ndarray]
WeightedEdges = tuple[np.ndarray, np.ndarray, np.ndarray]


def path(n: int) -> Ends:
    """0 → 1 → … → n − 1."""
    at = np.arange(n)
    return at[:-1], at[1:]


def cycle(n: int) -> Ends:
    """A path, and an edge from its end to its begin."""
    at = np.arange(n)
    return at, np.roll(at, -1)


def star(n: int, inward: bool = False) -> Ends:
    """From vertex 0 to each of the others, or from these to it."""
    leaves = np.arange(1, n)
    return (leaves, 0 * leaves) if inward else (0 * leaves, leaves)


def clique(n: int, first: int = 0) -> Ends:
    """Each pair of the ``n`` vertices from ``first`` on, from the smaller id to the larger."""
    i, j = np.triu_indices(n, 1)
    return i + first, j + first


def grid(rows: int, columns: int) -> Ends:
    """Each crossing's edge to the right and then each one's down; ids go along the rows."""
    at = np.arange(rows * columns).reshape(rows, columns)
    right, down = (at[:, :-1], at[:, 1:]), (at[:-1], at[1:])
    return np.r_[right[0].ravel(), down[0].ravel()], np.r_[right[1].ravel(), down[1].ravel()]


def both_ways(edges: Any) -> Any:
    """The edges, with their weights if they have some, and the same turned round."""
    i, j, *weights = edges
    return (np.r_[i, j], np.r_[j, i], *(np.r_[w, w] for w in weights))


def random_pairs(n: int, m: int, rng: np.random.Generator) -> Ends:
    """At most ``m`` different ordered pairs in increasing order, loops among them."""
    i, j = np.divmod(np.unique(rng.integers(0, n * n, m)), n)
    return i, j


def random_weighted(
    n: int, seed: int, degree: int = 3, low: int = 0, high: int = 9, hub: int | None = None
) -> WeightedEdges:
    """At most ``degree * n`` random edges with whole weights from ``low`` to below ``high``. A
    ``hub`` has an edge from each vertex and one to each."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, n * n, degree * n)
    if hub is not None:
        drawn = np.r_[drawn, np.arange(n) * n + hub, hub * n + np.arange(n)]
    i, j = np.divmod(np.unique(drawn), n)
    return i, j, rng.integers(low, high, i.size).astype(float)


N, HUB = 77, 5
"""The vertices of a graph of the next two functions, not a multiple of 32, and its hub."""


def dense_with_hub(dtype: type, seed: int) -> np.ndarray:
    """Weights of a random graph with a hub; 0 where there is no edge."""
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((N, N)) < 0.06, rng.integers(1, 9, (N, N)), 0)
    A[HUB, :] = rng.integers(1, 9, N)
    A[:, HUB] = rng.integers(1, 9, N)
    A[9, :] = 0
    return A.astype(dtype)


def edges_with_hub(seed: int) -> WeightedEdges:
    """The edges of :func:`dense_with_hub` but for those of the first vertices to the hub."""
    A = dense_with_hub(np.int64, seed)
    A[:40, HUB] = 0
    i, j = np.nonzero(A)
    return i, j, A[i, j].astype(float)


def dense_rows_of_all_lengths(dtype: type, nrows: int, ncols: int, seed: int) -> np.ndarray:
    """The values of a matrix with at least 111 rows: full and short ones, many without entries one
    after another, and four columns that most rows have."""
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((nrows, ncols)) < 0.15, rng.integers(1, 9, (nrows, ncols)), 0)
    A[20:26] = rng.integers(1, 9, (6, ncols))
    A[60:110] = 0
    A[70, 3] = 5
    A[:, :4] = rng.integers(0, 9, (nrows, 4))
    A[0] = A[-1] = 0
    return A.astype(dtype)


def star_and_back(rays: int, seed: int) -> WeightedEdges:
    """The last vertex has ``rays`` out-edges, which meet again in vertex 0, and come back."""
    tips, hub, rng = np.arange(1, rays + 1), rays + 1, np.random.default_rng(seed)
    i = np.concatenate([np.full(rays, hub), tips, [0]])
    j = np.concatenate([tips, np.zeros(rays, int), [hub]])
    return i, j, rng.integers(1, 9, i.size).astype(float)


def two_hubs(n: int, seed: int) -> WeightedEdges:
    """Vertex 3 reaches all, 200 vertices reach vertex 9, and there are random edges. An edge may be
    there several times."""
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, n, (2, 3 * n))
    source[:n], target[:n] = 3, np.arange(n)
    target[n : n + 200] = 9
    return source, target, rng.integers(1, 50, source.size).astype(np.float32)


def skewed_pairs(n: int, m: int, rng: np.random.Generator) -> Ends:
    """``m`` random edges, loops among them, of which vertices with small ids have most."""
    i, j = rng.integers(0, n, (2, m)) ** 2 // n
    return i, j


def random_grid(side: int, seed: int) -> WeightedEdges:
    """A grid with weights from 1 to 19: few ways fan out, and there are many steps."""
    i, j = grid(side, side)
    return i, j, np.random.default_rng(seed).integers(1, 20, i.size).astype(float)


def hub_cliques_and_path(n: int, seed: int, directed: bool = True) -> Ends:
    """Sparse random edges, a hub, two cliques and a path, without loops; the last seven vertices
    have no edge. ``n`` is at least 88. Undirected edges lead from the smaller id to the larger."""
    rng = np.random.default_rng(seed)
    some = n - 7
    sparse = rng.integers(0, some, (2, 2 * n))
    hub = np.stack([np.full(some // 2, 3), rng.permutation(some)[: some // 2]])
    line = np.stack(path(some - 80)) + 80
    edges = np.concatenate([sparse, hub, clique(13, 10), clique(40, 30), line], axis=1)
    edges = edges[:, edges[0] != edges[1]]
    i, j = np.unique(edges if directed else np.sort(edges, axis=0), axis=1)
    return i, j


def layers_and_path(depth: int, width: int, seed: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Layers of vertices, joined at random to the next, and beside them a path from vertex 0 with
    edges to and from them here and there, so that numbers of paths of all sizes meet. The number of
    vertices, and edges."""
    rng = np.random.default_rng(seed)
    at = 1 + np.arange(depth * width).reshape(depth, width)
    beside = 1 + at.size + np.arange(depth)
    joined = rng.random((depth - 1, width, width)) < 0.7
    joined |= np.eye(width, dtype=bool)
    d, i, j = np.nonzero(joined)
    into, back = (rng.choice(depth - 1, depth // 20, replace=False) for _ in range(2))
    tails = (0 * at[0], [0], at[d, i], beside[:-1], beside[into], at[back, 0])
    heads = (at[0], beside[:1], at[d + 1, j], beside[1:], at[into + 1, 1], beside[back + 1])
    n = int(beside[-1]) + 1
    order = np.random.default_rng(seed).permutation(n)
    order[np.flatnonzero(order == 0)], order[0] = order[0], 0
    return n, order[np.concatenate(tails)], order[np.concatenate(heads)]


# --- graphs ------------------------------------------------------------------------------------


def random_directed(n: int, m: int, seed: int, backend: Any = "cpu") -> lg.Graph:
    """Of ``m`` random edges those that differ, without weights."""
    ends = np.random.default_rng(seed).integers(0, n, (2, m))
    return lg.Graph.from_edges(*ends, n=n, dup="first", backend=backend)


def random_undirected(
    n: int, m: int, seed: int, isolated: int = 0, backend: Any = "cpu"
) -> lg.Graph:
    """``m`` random edges between ``n`` vertices with weights from 1 to 8 (FP32), of which the
    lightest between any two stay; and so many isolated vertices more."""
    rng = np.random.default_rng(seed)
    ends, w = rng.integers(0, n, (2, m)), rng.integers(1, 9, m).astype(np.float32)
    return lg.Graph.from_edges(*ends, w, n=n + isolated, directed=False, dup="min", backend=backend)


# --- the battery -------------------------------------------------------------------------------


def listed(ends: Ends, weights: Any = 1) -> tuple[Edge, ...]:
    """An example's edges, with one weight for all or one for each."""
    i, j = ends
    return tuple(zip(i.tolist(), j.tolist(), np.broadcast_to(weights, i.shape).tolist()))


def random_edges(n: int, m: int, seed: int, weights: Iterable[Any] = (1,)) -> tuple[Edge, ...]:
    rng = np.random.default_rng(seed)
    pairs = dict.fromkeys(map(tuple, rng.integers(0, n, (m, 2)).tolist()))
    values = rng.choice(np.asarray(list(weights)), len(pairs)).tolist()
    return tuple((u, v, w) for (u, v), w in zip(pairs, values, strict=True))


def _grid(side: int) -> tuple[Edge, ...]:
    i, j = grid(side, side)
    row, column = np.divmod(i, side)
    return listed((i, j), np.where(j == i + 1, 1 + row * column % 3, 1 + (row + column) % 2))


def _hub_and_far(degree: int) -> tuple[Edge, ...]:
    """Vertex 0 leads to all others, these to one far vertex that nothing else reaches."""
    out = tuple((0, v, 1 + v % 7) for v in range(1, degree + 1))
    return (*out, *((v, degree + 1, 3) for v in range(1, degree + 1)))


BATTERY: tuple[Example, ...] = (
    Example("one vertex", "arrays of size 0, a frontier without edges", 1, ()),
    Example("one loop", "a source that is offered itself", 1, ((0, 0, 5),)),
    Example("isolated vertices", "rows that are empty at both ends", 7, ((3, 4, 2),)),
    Example("no edges", "an adjacency without entries, of a size not a multiple of 32", 40, ()),
    Example("path of 100", "many rounds of frontiers of one; n rounds exactly", 100,
            listed(path(100))),
    Example("path backwards", "a source at the far end", 50,
            tuple((v, u, w) for u, v, w in listed(path(50)))),
    *(
        Example(f"star out {n}", "a hub whose row crosses words of the bitmap", n,
                listed(star(n), range(1, n)))
        for n in (33, 65, 97)
    ),
    *(
        Example(f"star in {n}", "all threads fold into one position", n,
                listed(star(n, inward=True), range(1, n)))
        for n in (33, 65)
    ),
    Example("star both ways", "one round out, one back", 70,
            listed(star(70), range(1, 70)), directed=False),
    Example("complete", "every pair is an edge; one round", 20,
            tuple((u, v, (u * v) % 5 + 1) for u in range(20) for v in range(20) if u != v)),
    Example("two components", "vertices that must stay without entry", 12,
            ((0, 1, 1), (1, 2, 1), (6, 7, 1), (7, 8, 1)), directed=False),
    Example("cycle", "the source is reached again, at the length of the cycle", 33,
            listed(cycle(33))),
    Example("loops everywhere", "an edge that never improves", 35,
            (*listed(path(35), 2), *((v, v, 0) for v in range(35)))),
    Example("zero weights", "an explicit zero is an edge", 10, listed(path(10), 0)),
    Example("zero-weight cycle", "parents that run in a circle at one distance", 6,
            ((0, 1, 1), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 0), (4, 5, 2))),
    Example("equal weights", "many shortest paths; any parent on one is right", 9,
            tuple((u, v, 1) for u in range(3) for v in range(3, 6))
            + tuple((u, v, 1) for u in range(3, 6) for v in range(6, 9))),
    Example("bipartite", "frontiers that alternate between two sides", 40,
            tuple((u, v, 1 + (u + v) % 4) for u in range(20) for v in range(20, 40) if (u * v) % 3),
            directed=False),
    Example("one-way chain", "edges that lead away from an unreachable part", 8,
            ((4, 5, 1), (5, 6, 1), (6, 7, 1), (7, 0, 1), (0, 1, 1), (1, 2, 1))),
    *(
        Example(f"random {n}", "sizes around a warp and a word", n,
                random_edges(n, 3 * n, n, range(9)))
        for n in (31, 32, 33, 64)
    ),
    Example("random 1025", "more words than one pass of the warps takes", 1025,
            random_edges(1025, 4100, 7, range(20))),
    Example("hub of 5000", "edges enough for search, and one row that holds half of them", 5002,
            _hub_and_far(5000)),
    Example("grid", "long shortest paths that change many times", 144, _grid(12), directed=False),
    Example("detour", "the path of most edges is the shortest; entries improve late", 30,
            (*listed(path(30)), *((0, v, 100 - v) for v in range(2, 30)))),
    Example("unweighted", "one value serves all entries", 30, random_edges(30, 80, 3),
            weighted=False, dtype="INT32"),
    Example("INT8 that fits", "sums near the end of the type", 4,
            ((0, 1, 100), (1, 2, 27), (0, 3, 127)), dtype="INT8"),
    Example("INT8 by detour", "an overflow on a path that is not the shortest", 4,
            ((0, 1, 100), (1, 2, 100), (0, 2, 90), (2, 3, 30)), dtype="INT8"),
    Example("UINT64 large", "weights beyond INT64's lower half", 3,
            ((0, 1, 2**40), (1, 2, 2**41), (0, 2, 2**43)), dtype="UINT64"),
    Example("halves", "floats that add exactly", 20, random_edges(20, 70, 5, (0.5, 0.25, 1.5)),
            dtype="FP32"),
    Example("denormal weights", "a device that flushes denormals to zero", 4,
            ((0, 1, 5e-324), (1, 2, 5e-324), (0, 3, 1e-310)), dtype="FP64"),
)  # fmt: skip

EMPTY = Example("empty", "n = 0: nothing to ask, but nothing may fail", 0, ())
NAMED = {example.name: example for example in (EMPTY, *BATTERY)}
SMALL = tuple(example for example in BATTERY if example.n <= 100)
UP_TO_2000 = tuple(example for example in NAMED.values() if example.n <= 2000)


def named(*names: str) -> tuple[Example, ...]:
    """Some of the battery, for what is slow."""
    return tuple(NAMED[name] for name in names)


def undirected(example: Example) -> Example:
    """The same edges, each in both directions; of two opposite ones the last."""
    edges = {(min(u, v), max(u, v)): (u, v, w) for u, v, w in example.edges}
    return replace(example, edges=tuple(edges.values()), directed=False)


def acyclic(example: Example) -> Example:
    """The edges turned to lead to larger ids, without loops."""
    edges = {(min(u, v), max(u, v)): w for u, v, w in example.edges if u != v}
    kept = tuple((u, v, w) for (u, v), w in edges.items())
    return replace(example, edges=kept, directed=True)


def bipartite(example: Example) -> Example:
    """The edges between even and odd ids, in both directions."""
    kept = tuple(e for e in undirected(example).edges if (e[0] + e[1]) % 2)
    return replace(example, edges=kept, directed=False)
