"""The graphs of ``benchmarks.cells``, as ours and as SciPy, igraph, NetworKit and rustworkx have
them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks import cliffs
from benchmarks.cliffs import Ends
from benchmarks.peers import imported

OURS = "lagraph"
Asked = dict[str, Callable[[], Any]]
"""Who is asked, and the call."""


def kronecker(m: int) -> Ends:
    """Half of the edges that are drawn are there already."""
    return cliffs.kronecker(2 * m)


def roads(m: int) -> Ends:
    """A lattice of which a quarter of the edges is missing, with vertices in the middle of some."""
    i, j, n = cliffs.lattice(m)
    draw = np.random.default_rng(2).random(i.size)
    i, j, split = i[draw < 0.75], j[draw < 0.75], draw[draw < 0.75] < 0.25
    middle = n + np.arange(int(split.sum()))
    ends = np.r_[i[~split], i[split], j[split]], np.r_[j[~split], middle, middle]
    return *ends, n + middle.size


def bipartite(m: int) -> Ends:
    rng, half = np.random.default_rng(4), m // 8
    return rng.integers(0, half, m), rng.integers(half, 2 * half, m), 2 * half


def caterpillar(m: int) -> Ends:
    """A path with a leaf at each vertex."""
    half = m // 2
    at = np.arange(half)
    return np.r_[at[:-1], at], np.r_[at[1:], at + half], 2 * half


def tree(m: int) -> Ends:
    """Each vertex with one of those before it."""
    at = np.arange(1, m + 1)
    return (np.random.default_rng(6).random(m) * at).astype(np.int64), at, m + 1


FAMILIES: dict[str, Callable[[int], Ends]] = {
    "kronecker": kronecker,
    "uniform": cliffs.uniform,
    "lattice": cliffs.lattice,
    "roads": roads,
    "caterpillar": caterpillar,
    "bipartite": bipartite,
    "tree": tree,
    "star": cliffs.star,
    "cliques": cliffs.chain_of_cliques,
}


class Graphs:
    """One graph as all have it: undirected, directed at random, and directed to the larger id."""

    def __init__(self, ends: Ends) -> None:
        i, j, self.n = ends
        keys = np.unique(np.minimum(i, j)[i != j] * self.n + np.maximum(i, j)[i != j])
        self.i, self.j = np.divmod(keys, self.n)
        self.m = keys.size
        rng = np.random.default_rng(5)
        self.weight = rng.integers(1, 100, self.m).astype(np.float64)
        flipped = rng.random(self.m) < 0.5
        self.src, self.dst = np.where(flipped, (self.j, self.i), (self.i, self.j))
        degree = np.bincount(np.r_[self.i, self.j], minlength=self.n)
        self.degree = degree
        self.source, self.last = int(degree.argmax()), int(np.flatnonzero(degree)[-1])
        self.sources = np.argsort(-degree, kind="stable")[:16].tolist()
        self.pairs = rng.integers(0, self.n, (64, 2))
        make = lg.Graph.from_edges
        self.G = make(self.i, self.j, n=self.n, directed=False)
        self.W = make(self.i, self.j, self.weight, n=self.n, directed=False)
        self.D = make(self.src, self.dst, n=self.n, directed=True)
        self.DW = make(self.src, self.dst, self.weight, n=self.n, directed=True)
        self.DAG = make(self.i, self.j, n=self.n, directed=True)

    def array(self, *, directed: bool, weighted: bool) -> Any:
        i, j = (self.src, self.dst) if directed else (np.r_[self.i, self.j], np.r_[self.j, self.i])
        weight = self.weight if directed else np.r_[self.weight, self.weight]
        made = sp.csr_array((weight if weighted else np.ones(i.size), (i, j)), (self.n, self.n))
        made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
        made.sort_indices()
        return made

    @cached_property
    def igraph(self) -> tuple[Any, Any, Any]:
        """Undirected with weights, directed with weights, and acyclic."""
        ig, made = imported("igraph"), []
        for i, j, directed in (
            (self.i, self.j, False),
            (self.src, self.dst, True),
            (self.i, self.j, True),
        ):
            one = ig.Graph(self.n, np.stack([i, j], axis=1), directed=directed)
            one.es["w"] = self.weight.tolist()
            made.append(one)
        return tuple(made)

    @cached_property
    def networkit(self) -> tuple[Any, Any, Any]:
        """The module; undirected, and directed."""
        kit = imported("networkit")
        kit.setNumberOfThreads(1)
        ones = np.ones(self.m)
        make = lambda i, j, directed: kit.GraphFromCoo(  # noqa: E731
            (ones, (i.astype(np.uint64), j.astype(np.uint64))), n=self.n, directed=directed
        )
        return kit, make(self.i, self.j, False), make(self.src, self.dst, True)

    @cached_property
    def rustworkx(self) -> tuple[Any, Any, Any]:
        """The module; undirected with weights, and acyclic. Without parallel edges, each
        edge of a star would be looked for among all others."""
        rx = imported("rustworkx")
        weight, made = self.weight.tolist(), []
        for one in rx.PyGraph(), rx.PyDiGraph():
            one.add_nodes_from(range(self.n))
            one.add_edges_from(list(zip(self.i.tolist(), self.j.tolist(), weight)))
            made.append(one)
        return rx, *made
