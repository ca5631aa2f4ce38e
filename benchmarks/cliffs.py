"""Where do milliseconds become seconds? ``python -m benchmarks.cliffs --edges 22``.

Each public algorithm on graphs that no record is about: a path, stars, a clique, a tree, and so
on, of about 2^22 edges, or as many as asked for. Its yardstick is the same algorithm on a Kronecker
graph and on a lattice of as many edges: whichever takes longer. A pair whose time is more than ten
times that of its yardstick is a cliff, if it is one when it is measured once more, and is printed;
the record holds all pairs. On a CPU it is processor time that is judged, which other programs
lengthen little. Answers are not judged here: the tests do that on graphs of the same kinds.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import time
from collections.abc import Callable, Sequence
from math import isqrt
from types import SimpleNamespace
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks import record
from benchmarks.harness import exit_code
from benchmarks.operations import OURS, compose
from benchmarks.options import budget, parser_of, place
from lagraph_gpu import generate
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import timed
from lagraph_gpu.errors import InvalidValue, LagraphError

Ends = tuple[np.ndarray, np.ndarray, int]
"""The smaller and the larger end of each edge, and the number of vertices."""

CLIFF = 10
"""So many times its yardstick is what a pair may take."""
SOURCES = [0, 1, 2, 3]


def path(m: int) -> Ends:
    return np.arange(m), np.arange(1, m + 1), m + 1


def star(m: int) -> Ends:
    return np.zeros(m, np.int64), np.arange(1, m + 1), m + 1


def lattice(m: int) -> Ends:
    side = max(2, isqrt(m // 2))
    edges = generate.grid(side, side)
    return edges.src, edges.dst, edges.nrows


def star_beside_roads(m: int) -> Ends:
    i, j, n = lattice(m - m // 64)
    centre, leaf, more = star(m // 64)
    return np.r_[i, centre + n], np.r_[j, leaf + n], n + more


def comb(m: int) -> Ends:
    """A path of √m vertices, at each of which another of √m hangs."""
    at = np.arange(isqrt(m) ** 2).reshape(isqrt(m), -1)
    i, j = np.r_[at[:-1, 0], at[:, :-1].ravel()], np.r_[at[1:, 0], at[:, 1:].ravel()]
    return i, j, at.size


def clique(m: int) -> Ends:
    n = isqrt(2 * m)
    return *np.triu_indices(n, 1), n


def binary_tree(m: int) -> Ends:
    return np.arange(m) // 2, np.arange(1, m + 1), m + 1


def bipartite_block(m: int) -> Ends:
    """Every vertex of one half with every one of the other."""
    half = isqrt(m)
    i, j = np.divmod(np.arange(half * half), half)
    return i, j + half, 2 * half


def lattice_with_hub(m: int) -> Ends:
    """The first vertex is joined with all others."""
    i, j, n = lattice(2 * m // 3)
    hub, leaf, _ = star(n)
    return np.r_[hub, i + 1], np.r_[leaf, j + 1], n + 1


def uniform(m: int) -> Ends:
    edges = generate.random_graph(m // 4, m)
    return np.minimum(edges.src, edges.dst), np.maximum(edges.src, edges.dst), edges.nrows


def chain_of_cliques(m: int) -> Ends:
    """Cliques of 32 vertices, of which each but the last is joined with the next."""
    i, j, size = clique(32 * 31 // 2)
    first = size * np.arange(max(1, m // (i.size + 1)))
    begins, ends = (np.add.outer(first, each).ravel() for each in (i, j))
    return np.r_[begins, first[1:] - 1], np.r_[ends, first[1:]], size * first.size


def band(m: int) -> Ends:
    """Each vertex with the next eight."""
    n = m // 8
    i = np.repeat(np.arange(n), 8)
    j = i + np.tile(np.arange(1, 9), n)
    return i[j < n], j[j < n], n


def small_world(m: int) -> Ends:
    """Each vertex of a ring with the next four; one edge in twenty leads elsewhere."""
    n, rng = max(8, m // 4), np.random.default_rng(3)
    i = np.repeat(np.arange(n), 4)
    near = (i + np.tile(np.arange(1, 5), n)) % n
    j = np.where(rng.random(i.size) < 0.05, rng.integers(0, n, i.size), near)
    return np.minimum(i, j), np.maximum(i, j), n


def ring(m: int) -> Ends:
    i, j = np.arange(m), np.roll(np.arange(m), -1)
    return np.minimum(i, j), np.maximum(i, j), m


def wheel(m: int) -> Ends:
    """The hub of a ring."""
    i, j, n = ring(m // 2)
    return np.r_[np.zeros(n, np.int64), i + 1], np.r_[np.arange(1, n + 1), j + 1], n + 1


def lollipop(m: int) -> Ends:
    """A clique, from which a path leads away."""
    i, j, n = clique(m - m // 16)
    k = np.arange(n - 1, n + m // 16 - 1)
    return np.r_[i, k], np.r_[j, k + 1], n + m // 16


def caterpillar(m: int) -> Ends:
    """A path of √m / 4 vertices, and as many leaves at each as there are edges left."""
    n = isqrt(m) // 4
    path = np.arange(n - 1)
    leaf = np.arange(n, m + 1)
    return np.r_[path, leaf % n], np.r_[path + 1, leaf], m + 1


def hypercube(m: int) -> Ends:
    """Vertices whose numbers differ in one bit; as many bits as m edges allow."""
    bits = max(k for k in range(1, 32) if k << k <= 2 * m or k == 1)
    i, bit = np.divmod(np.arange(bits << bits), bits)
    j = i ^ (1 << bit)
    return i[i < j], j[i < j], 1 << bits


def layers(m: int) -> Ends:
    """Layers of m^(1/3) vertices, of which each is joined with two of the next."""
    width = max(2, round(m ** (1 / 3)))
    i = np.arange(m // 2)
    begin, at = (i // width + 1) * width, np.random.default_rng(5).integers(0, width, i.size)
    j = np.r_[begin + at, begin + (at + 1) % width]
    return np.r_[i, i], j, int(j.max()) + 1


def empty(m: int) -> Ends:
    return np.zeros(0, np.int64), np.zeros(0, np.int64), m


def kronecker(m: int) -> Ends:
    edges = generate.kronecker(max(1, (m // 16).bit_length() - 1))
    return np.minimum(edges.src, edges.dst), np.maximum(edges.src, edges.dst), edges.nrows


YARDSTICKS: dict[str, Callable[[int], Ends]] = {"kronecker": kronecker, "lattice": lattice}
SHAPES: dict[str, Callable[[int], Ends]] = {
    "path": path,
    "star": star,
    "star beside roads": star_beside_roads,
    "comb": comb,
    "clique": clique,
    "binary tree": binary_tree,
    "bipartite block": bipartite_block,
    "lattice with hub": lattice_with_hub,
    "uniform": uniform,
    "chain of cliques": chain_of_cliques,
    "band": band,
    "small world": small_world,
    "ring": ring,
    "wheel": wheel,
    "lollipop": lollipop,
    "caterpillar": caterpillar,
    "hypercube": hypercube,
    "layers": layers,
    "empty": empty,
}


class Shape:
    """A graph of this shape with weights from 1 to 255. A call gets one that has kept nothing of an
    earlier call."""

    def __init__(self, ends: Ends, backend: Backend) -> None:
        i, j, n = ends
        weight = np.random.default_rng(1).integers(1, 256, i.size).astype(np.float32)
        self.undirected = lg.Graph.from_edges(i, j, weight, n, False, "min", backend=backend)
        self.upward = lg.Graph.from_edges(i, j, weight, n, True, "min", backend=backend)
        self.nedges = self.undirected.nedges

    @property
    def G(self) -> lg.Graph:
        return lg.Graph._checked(self.undirected.A, directed=False)

    @property
    def D(self) -> lg.Graph:
        """Each edge leads from the smaller id to the larger: there are no cycles but loops."""
        return lg.Graph._checked(self.upward.A, directed=True)

    @property
    def last(self) -> int:
        return self.upward.n - 1


Call = Callable[[Shape], Any]

ASKED: dict[str, Call] = {
    "bellman_ford": lambda s: lg.bellman_ford(s.G, 0),
    "betweenness_centrality": lambda s: lg.betweenness_centrality(s.G, k=4, seed=1),
    "bfs": lambda s: lg.bfs(s.G, 0),
    "bfs of four": lambda s: lg.bfs(s.G, sources=SOURCES),
    "closeness_centrality": lambda s: lg.closeness_centrality(s.G, SOURCES),
    "common_neighbors": lambda s: lg.common_neighbors(s.G, 0, s.last),
    "common_neighbor_counts": lambda s: lg.common_neighbor_counts(s.G, s.undirected.A),
    "dag_longest_distance": lambda s: lg.dag_longest_distance(s.D),
    "dag_longest_path": lambda s: lg.dag_longest_path(s.D),
    "dag_longest_path_length": lambda s: lg.dag_longest_path_length(s.D),
    "dfs": lambda s: lg.dfs(s.G, 0),
    "distance_matrix": lambda s: lg.distance_matrix(s.G, SOURCES),
    "eccentricity": lambda s: lg.eccentricity(s.G, 0),
    "eigenvector_centrality": lambda s: lg.eigenvector_centrality(s.G, tol=1e-2),
    "harmonic_centrality": lambda s: lg.harmonic_centrality(s.G, sources=SOURCES),
    "hits": lambda s: lg.hits(s.G, tol=1e-2),
    "iter_distances": lambda s: list(lg.iter_distances(s.G, SOURCES)),
    "jaccard_coefficient": lambda s: lg.jaccard_coefficient(s.G, s.undirected.A),
    "k_truss": lambda s: lg.k_truss(s.G, 4),
    "katz_centrality": lambda s: lg.katz_centrality(s.G, alpha=1e-7),
    "modularity": lambda s: lg.modularity(s.G, lg.connected_components(s.G)),
    "overlap_coefficient": lambda s: lg.overlap_coefficient(s.G, s.undirected.A),
    "pagerank": lambda s: lg.pagerank(s.D, iterations=10),
    "paired_distances": lambda s: lg.paired_distances(s.G, SOURCES, [s.last] * 4),
    "path_to": lambda s: lg.path_to(lg.bfs(s.G, 0)[1], s.last),
    "random_walks": lambda s: lg.random_walks(s.G, SOURCES, 100, seed=1),
    "shortest_path_between": lambda s: lg.shortest_path_between(s.G, 0, s.last),
    "sssp": lambda s: lg.sssp(s.G, 0),
    "sssp of four": lambda s: lg.sssp(s.G, sources=SOURCES),
    **{name: lambda s, name=name: getattr(lg, name)(s.D) for name in (  # type: ignore[misc]
        "in_degree_centrality", "out_degree_centrality", "strongly_connected_components",
        "topological_generations", "topological_sort", "weakly_connected_components")},
}  # fmt: skip
"""Algorithms that need more than an undirected graph."""

OUTSIDE = {
    "contract": "it is made for roads, and says so where a graph has no levels",
    "diameter": "it searches from every vertex; eccentricity is one of these searches",
    "floyd_warshall": "it fills a table of n × n whatever the shape",
}
"""Public algorithms that are not asked, and why."""


def algorithms() -> dict[str, Any]:
    """The public functions of ``lagraph_gpu/algorithms``."""
    public = {name: inspect.unwrap(getattr(lg, name)) for name in lg.__all__}
    return {
        name: one
        for name, one in public.items()
        if inspect.isfunction(one) and one.__module__.startswith("lagraph_gpu.algorithms.")
    }


def cases() -> dict[str, Call]:
    """All calls; an algorithm not named above takes an undirected graph."""
    rest = algorithms().keys() - ASKED.keys() - OUTSIDE.keys()
    return ASKED | {name: lambda s, name=name: getattr(lg, name)(s.G) for name in sorted(rest)}  # type: ignore[misc]


def absent(case: str, shape: str, why: str) -> record.Record:
    return {"case": case, "by": OURS, "operation": shape, "absent": why}


def row(case: str, shape: str, graph: Shape, call: Call, samples: int) -> record.Record:
    """The least of some times, after a first call; an algorithm may refuse a shape."""
    found: record.Record = {"case": case, "by": OURS, "operation": shape, "nedges": graph.nedges}
    of_processor = graph.undirected.backend.name == "cpu"

    def sample() -> tuple[float, float]:
        """What is judged, and the wall clock's time."""
        begin = time.process_time()
        wall = timed(graph.G, lambda: parts(call(graph)))[1]
        return (time.process_time() - begin) * 1e3 if of_processor else wall, wall

    try:
        sample()
        pairs = [sample() for _ in range(samples)]
    except LagraphError as why:
        return found | {"absent": f"{type(why).__name__}: {str(why).splitlines()[0]}"}
    times, walls = ([round(t, 5) for t in some] for some in zip(*pairs))
    return found | {
        "samples_ms": times, "median_ms": min(times), "wall_ms": min(walls), "checked": 0,
        "verified": None, "bytes": None, "gb_per_s": None, "of_copy": None,
    }  # fmt: skip


def parts(result: Any) -> tuple[Any, ...]:
    """What has to be waited for in a result."""
    return result if isinstance(result, tuple) else (getattr(result, "A", result),)


def measure(backend: Backend, options: argparse.Namespace) -> record.Record:
    """The record of all pairs."""
    calls = cases()
    if options.case is not None:
        if unknown := set(options.case) - calls.keys():
            raise InvalidValue(f"expected cases of {sorted(calls)}, got {sorted(unknown)}")
        calls = {case: calls[case] for case in options.case}
    rows: list[record.Record] = []
    yardstick: dict[str, float] = {}
    begin = time.perf_counter()
    for shape, make in (YARDSTICKS | SHAPES).items():
        if time.perf_counter() - begin > options.budget:
            rows += [absent(case, shape, "no time left") for case in calls]
            continue
        graph = Shape(make(1 << options.edges), backend)
        for case, call in calls.items():
            if time.perf_counter() - begin > options.budget:
                rows.append(absent(case, shape, "no time left"))
                continue
            with progress(f"{shape}: {case}"):
                found = row(case, shape, graph, call, options.samples)
                if found.get("median_ms", 0) > CLIFF * yardstick.get(case, float("inf")):
                    again = row(case, shape, graph, call, options.samples)
                    found = min(found, again, key=lambda one: one.get("median_ms", float("inf")))
                rows.append(found)
            if "absent" in found:
                continue
            if shape in YARDSTICKS:
                yardstick[case] = max(yardstick.get(case, 0), found["median_ms"])
            found["of_yardstick"] = float(f"{found['median_ms'] / yardstick[case]:.4g}")
    told = SimpleNamespace(backend=backend, label=f"shapes{options.edges}", n=0, note=None,
                           nedges=1 << options.edges, prepare_ms=0.0)  # fmt: skip
    by = "processor time" if backend.name == "cpu" else "wall clock"
    clock: Any = SimpleNamespace(by=by, copy_bytes=0)
    return compose("cliffs", told, rows, [], options, clock) | {
        "seconds": round(time.perf_counter() - begin, 1)
    }


def beyond(found: record.Record) -> list[dict[str, Any]]:
    """The rows of a record that are cliffs, the highest first."""
    cliffs = [row for row in asked(found) if row["of_yardstick"] > CLIFF]
    return sorted(cliffs, key=lambda row: -row["of_yardstick"])


def asked(found: record.Record) -> list[dict[str, Any]]:
    """The rows of a record that were measured."""
    return [row for row in found["measurements"] if "absent" not in row]


def table(found: record.Record) -> str:
    """The cliffs, the highest first."""
    cliffs, pairs = beyond(found), len(asked(found))
    return "\n".join([
        f"{found['graph']} on {found['device']}: {len(cliffs)} cliffs among {pairs} pairs",
        *(f"  {row['operation']:<18} {row['case']:<32} {row['median_ms']:>12,.3f} ms "
          f"{row['of_yardstick']:>8,.1f} times its yardstick" for row in cliffs),
    ])  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and record; 0, or 2 for bad input."""
    parser = parser_of("cliffs")
    parser.add_argument("--edges", type=int, default=22, metavar="E", help="2^E (default: 22)")
    parser.add_argument("--samples", type=int, default=3, metavar="N", help="(default: 3)")
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    budget(parser, float("inf"), "for all pairs")
    place(parser)
    options = parser.parse_args(arguments)

    def answer() -> None:
        found = measure(resolve(options.backend), options)
        print(table(found), f"  {record.write(found, options.out)}", sep="\n", flush=True)

    return exit_code(answer)


if __name__ == "__main__":
    sys.exit(main())
