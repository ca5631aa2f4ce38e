"""`lagraph-gpu warm`: compiles what the algorithms need, so that a first call does not wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

import click
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import as_json, backend_option
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.run import algorithms, own_arguments
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.graph import Graph

EPILOG = """\
Each algorithm of lagraph-gpu run --list runs on small graphs: directed and undirected, without
weights, with whole and with real ones. On a GPU they run with weights of 32 and 64 bits, and the
usual ones also on large graphs, for which there are other kernels; without a wheel that holds
kernels this takes minutes. What is compiled is kept on the disk, for this user.

exit status: 0, or 2 for bad input
"""

ARGUMENTS = {"source": 0, "target": 5, "u": 0, "v": 5, "sources": [0, 1], "k": 3, "length": 2}
"""A value for each argument that an algorithm needs."""


SMALL_SIDE, LARGE_SCALE, LARGE_SIDE = 4, 16, 256
"""The side of the small lattices; of the large graphs, the scale of the Kronecker graph and the
side of the lattice."""

WEIGHTS = ("INT32", "INT64", "FP32", "FP64")
"""The types of weights that a GPU is made ready for."""

LEAVES = 1 << 15
"""The vertices of a star, whose row has a block, or several, for itself."""

Call = Callable[[Graph], Any]

LARGE: dict[str, Call] = {
    "a series of searches": lambda G: [lg.bfs(G, v) for v in range(12)],
    "searches in step": lambda G: lg.bfs(G, sources=[0, 1, 2, 3]),
    "a series of shortest paths": lambda G: [lg.sssp(G, v) for v in range(12)],
    "shortest paths in step": lambda G: lg.sssp(G, sources=[0, 1, 2, 3]),
    "a table": lambda G: lg.distance_matrix(G, list(range(16))),
    "a table of steps": lambda G: lg.distance_matrix(G, list(range(16)), weight=None),
    "betweenness of some": lambda G: lg.betweenness_centrality(G, k=4, seed=1),
    "closeness of one": lambda G: lg.closeness_centrality(G, 0),
    "renumbered": lambda G: G.relabel("degree"),
    "prepared": lambda G: [lg.bfs(G.prepared(), 0), lg.sssp(G.prepared(), 0)],
    "4-truss": lambda G: lg.k_truss(G, 4),
    "random walks": lambda G: lg.random_walks(G, [0, 1], 4, seed=1),
    "neighbours of some": lambda G: G.A[[0, 5, 7], :].new(),
}
"""Calls on large graphs."""

ON_LARGE = (
    "triangle_count", "triangles", "clustering", "transitivity", "louvain", "label_propagation",
    "pagerank", "hits", "eigenvector_centrality", "katz_centrality", "connected_components",
    "strongly_connected_components", "minimum_spanning_tree", "minimum_spanning_edges",
    "spanning_forest", "core_number", "greedy_color", "maximal_independent_set",
    "maximal_matching", "is_bipartite", "degree_centrality", "largest_component",
)  # fmt: skip
"""And algorithms that run on them."""


@click.command("warm", epilog=EPILOG, short_help="Compile ahead what the algorithms need.")
@backend_option()
@as_json
def main(backend: str | None, json: bool) -> int:
    """Compile what the algorithms need, so that a first call does not wait."""
    where = resolve(backend)
    begun = time.perf_counter()
    ready(where, ("FP64",) if where.storage == "host" else WEIGHTS)
    seconds, known = time.perf_counter() - begun, algorithms()
    if json:
        print_json({"backend": where.name, "algorithms": len(known), "seconds": round(seconds, 3)})
    else:
        print(f"{len(known)} algorithms are ready on the {where.name.upper()}: {seconds:.1f} s")
    return FINE


def ready(
    backend: Backend, weights: Sequence[str], scale: int = LARGE_SCALE, side: int = LARGE_SIDE
) -> None:
    """Run all algorithms. A call that does not apply raises an error of ours, and is passed
    over."""
    calls = list(calls_on(backend, weights, scale, side))
    with progress("compiling") as update:
        for done, call in enumerate(calls):
            update(done, len(calls))
            with suppress(LagraphError):  # as of an algorithm for undirected graphs alone
                call()


def calls_on(
    backend: Backend, weights: Sequence[str], scale: int, side: int
) -> Iterator[Callable[[], Any]]:
    """All algorithms on small graphs, and on a GPU the usual ones on large graphs."""
    known = algorithms()
    for G in small_graphs(backend, weights):
        for function in known.values():
            yield partial(function, G, **arguments_for(function))
    if backend.storage != "host":
        usual = [*LARGE.values(), *(known[name] for name in ON_LARGE if name in known)]
        for G in large_graphs(backend, weights, scale, side):
            yield from (partial(call, G) for call in usual)


def arguments_for(function: Callable[..., Any]) -> dict[str, Any]:
    """A value for each argument that this algorithm needs."""
    own = own_arguments(function).items()
    return {key: ARGUMENTS[key] for key, p in own if p.default is p.empty}


def small_graphs(backend: Backend, types: Sequence[str]) -> Iterator[Graph]:
    """Lattices and, where weights have several types, Kronecker graphs; with both directions of
    each edge and with one, which leaves no cycle."""
    made = [(weights, lg.grid(SMALL_SIDE, SMALL_SIDE, weights=weights, backend=backend))
            for weights in (None, "integer", "uniform")]  # fmt: skip
    yield from chain.from_iterable(both(G.A) for _, G in made)
    for dtype in types if len(types) > 1 else ():
        for G in (made[1][1], lg.kronecker(SMALL_SIDE, weights="integer", seed=1, backend=backend)):
            yield from both(G.A.dup(dtype))


def both(A: Any) -> tuple[Graph, Graph]:
    """The undirected graph of a symmetric matrix, and the directed one of its upper triangle."""
    return Graph(A, directed=False), Graph(A.select("triu").new())


def large_graphs(backend: Backend, types: Sequence[str], scale: int, side: int) -> Iterator[Graph]:
    """A Kronecker graph, a lattice with gaps, and a star, whose rows are the longest."""
    lattice = lg.grid(side, side, weights="integer", removed=0.1, seed=1, backend=backend)
    skewed = lg.kronecker(scale, weights="integer", seed=1, backend=backend)
    leaves = np.arange(1, LEAVES)
    star = Graph.from_edges(leaves * 0, leaves, leaves % 7 + 1, directed=False, backend=backend)
    for dtype in types:
        for G in (skewed, lattice, star):
            yield Graph(G.A.dup(dtype), directed=False)
