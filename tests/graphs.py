"""A battery of nasty graphs. Each has a name, and says which bug it hunts."""

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


def _path(n: int, weight: Any = 1) -> tuple[Edge, ...]:
    return tuple((i, i + 1, weight) for i in range(n - 1))


def random_edges(n: int, m: int, seed: int, weights: Iterable[Any] = (1,)) -> tuple[Edge, ...]:
    rng = np.random.default_rng(seed)
    pairs = dict.fromkeys(map(tuple, rng.integers(0, n, (m, 2)).tolist()))
    values = rng.choice(np.asarray(list(weights)), len(pairs)).tolist()
    return tuple((u, v, w) for (u, v), w in zip(pairs, values, strict=True))


def _star(n: int, inward: bool = False) -> tuple[Edge, ...]:
    return tuple((v, 0, v) if inward else (0, v, v) for v in range(1, n))


def _grid(side: int) -> tuple[Edge, ...]:
    right = [(r * side + c, r * side + c + 1, 1 + (r * c) % 3)
             for r in range(side) for c in range(side - 1)]  # fmt: skip
    down = [(r * side + c, (r + 1) * side + c, 1 + (r + c) % 2)
            for r in range(side - 1) for c in range(side)]  # fmt: skip
    return tuple(right + down)


def _hub_and_far(degree: int) -> tuple[Edge, ...]:
    """Vertex 0 leads to all others, these to one far vertex that nothing else reaches."""
    out = tuple((0, v, 1 + v % 7) for v in range(1, degree + 1))
    return (*out, *((v, degree + 1, 3) for v in range(1, degree + 1)))


BATTERY: tuple[Example, ...] = (
    Example("one vertex", "arrays of size 0, a frontier without edges", 1, ()),
    Example("one loop", "a source that is offered itself", 1, ((0, 0, 5),)),
    Example("isolated vertices", "rows that are empty at both ends", 7, ((3, 4, 2),)),
    Example("no edges", "an adjacency without entries, of a size not a multiple of 32", 40, ()),
    Example("path of 100", "many rounds of frontiers of one; n rounds exactly", 100, _path(100)),
    Example("path backwards", "a source at the far end", 50,
            tuple((v, u, w) for u, v, w in _path(50))),
    *(
        Example(f"star out {n}", "a hub whose row crosses words of the bitmap", n, _star(n))
        for n in (33, 65, 97)
    ),
    *(
        Example(f"star in {n}", "all threads fold into one position", n, _star(n, inward=True))
        for n in (33, 65)
    ),
    Example("star both ways", "one round out, one back", 70, _star(70), directed=False),
    Example("complete", "every pair is an edge; one round", 20,
            tuple((u, v, (u * v) % 5 + 1) for u in range(20) for v in range(20) if u != v)),
    Example("two components", "vertices that must stay without entry", 12,
            ((0, 1, 1), (1, 2, 1), (6, 7, 1), (7, 8, 1)), directed=False),
    Example("cycle", "the source is reached again, at the length of the cycle", 33,
            (*_path(33), (32, 0, 1))),
    Example("loops everywhere", "an edge that never improves", 35,
            (*_path(35, 2), *((v, v, 0) for v in range(35)))),
    Example("zero weights", "an explicit zero is an edge", 10, _path(10, 0)),
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
            (*_path(30), *((0, v, 100 - v) for v in range(2, 30)))),
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
