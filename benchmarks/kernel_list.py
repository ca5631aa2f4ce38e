"""Which kernels do the algorithms launch? ``python -m benchmarks.kernel_list --out kernels.json``.

The list is for `lagraph_gpu.gpu.device.prebuilt_build`, which compiles the kernels for a wheel. It
is written on a machine with a GPU, before a release, and is not kept: kernels change with the
sources. Every algorithm of ``lagraph-gpu run --list`` runs on small graphs, and those in ``LARGE``
on a Kronecker graph and a lattice that are large enough for the kernels of large graphs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import lagraph_gpu as lg
from benchmarks import options as given
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.run import algorithms
from lagraph_gpu.cli.warm import arguments_for
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.gpu.device.prebuilt_build import to_list

WEIGHTS = ("INT32", "INT64", "FP32", "FP64")
SCALE, SIDE, SMALL = 16, 256, 6
"""Of the large Kronecker graph and the large lattice, and of a small Kronecker graph."""

Call = Callable[[lg.Graph], Any]

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
    **{name: algorithms()[name] for name in (
        "triangle_count", "triangles", "clustering", "transitivity", "louvain", "label_propagation",
        "pagerank", "hits", "eigenvector_centrality", "katz_centrality", "connected_components",
        "strongly_connected_components", "minimum_spanning_tree", "minimum_spanning_edges",
        "spanning_forest", "core_number", "greedy_color", "maximal_independent_set",
        "maximal_matching", "is_bipartite", "degree_centrality", "largest_component",
    )},
}  # fmt: skip
"""Calls on large graphs."""


def small(weights: str, backend: Backend) -> Iterator[lg.Graph]:
    """Small graphs, undirected ones and those of one triangle, with weights of a type."""
    for G in (lg.grid(SMALL, SMALL, weights="integer", backend=backend),
              lg.kronecker(SMALL, weights="integer", seed=1, backend=backend)):  # fmt: skip
        A = G.A.dup(weights)
        yield lg.Graph(A, directed=False)
        yield lg.Graph(A.select("triu").new())


def large(weights: str, backend: Backend) -> Iterator[lg.Graph]:
    """Large graphs of both kinds."""
    lattice = lg.grid(SIDE, SIDE, weights="integer", removed=0.1, seed=1, backend=backend)
    for G in (lg.kronecker(SCALE, weights="integer", seed=1, backend=backend), lattice):
        yield lg.Graph(G.A.dup(weights), directed=False)


def run(weights: str, backend: Backend) -> None:
    """All calls on graphs with weights of a type. A call that does not apply raises an error of
    ours, and is passed over."""
    calls: list[tuple[Callable[..., Any], lg.Graph, dict[str, Any]]] = [
        (function, G, arguments_for(function))
        for G in small(weights, backend) for function in algorithms().values()
    ]  # fmt: skip
    calls += [(call, G, {}) for G in large(weights, backend) for call in LARGE.values()]
    with progress(weights) as update:
        for done, (call, G, arguments) in enumerate(calls):
            update(done, len(calls))
            try:
                call(G, **arguments)
            except LagraphError:
                continue


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the list."""
    parser = given.parser_of("kernel_list")
    parser.add_argument("--weights", action="append", choices=WEIGHTS, help="one type (all)")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(arguments)
    backend = resolve("gpu")
    for weights in options.weights or WEIGHTS:
        run(weights, backend)
    kernels: Any = backend.kernels  # type: ignore[attr-defined]
    options.out.write_text(to_list(kernels), encoding="utf-8")
    print(f"{len(kernels)} kernels in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
