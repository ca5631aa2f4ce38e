"""How fast are tables of distances? ``python -m benchmarks.many --graph grid512``.

The time of ``lg.distance_matrix`` from 1, 2, 4, … random sources with edges to all vertices, by
weights and counted in edges, with the bytes of the table, those announced for table and search (as
``lg.iter_distances`` counts them), and those that were taken; and SciPy's Dijkstra from a few of
the sources. SciPy also judges: every batch is checked at so many of its rows. Named graphs get
integer weights from 1 to 255, held as float32. Beside the planner's choice each ``--order`` is
measured, such as a heap for each source; ``--by edges`` asks for one kind of lengths only.

CUPQ's question, in one go: ``python -m benchmarks.many --contract NY.gr --graph grid512 --graph
grid1024 --unit BAY.gr``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, dijkstra

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.graph500 import memory_pool
from benchmarks.graphs import label, named
from benchmarks.harness import exit_code
from benchmarks.operations import cpu_name, measurement_options
from lagraph_gpu.algorithms.paths.distance_rows import Table
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import device_name
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.schedule import ORDERS


class Problem(NamedTuple):
    """A graph by its name; with its own weights, or all of them 1; also over a contraction."""

    name: str
    unit: bool = False
    contract: bool = False

    @property
    def label(self) -> str:
        return label(self.name) + "-unit" * self.unit


JUDGED = 2
"""Rows of each batch that SciPy checks."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)

    def answer() -> None:
        backend = resolve(options.backend)
        for problem in options.graph or [Problem("grid512")]:
            found = measure(problem, backend, options)
            path = record.write(found, options.out)
            print(summary(found), f"  {path}", sep="\n", flush=True)

    return exit_code(answer)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of("many")
    add = parser.add_argument
    for option, kind, what in (
        ("--graph", Problem, "kronS, gridN, randomS or a file; may be repeated (default: grid512)"),
        ("--unit", partial(Problem, unit=True), "the same, with every weight 1"),
        (
            "--contract",
            partial(Problem, contract=True),
            "the same, also over a contraction",
        ),
    ):
        add(option, action="append", dest="graph", metavar="NAME", type=kind, help=what)
    add("--most", type=int, default=4096, metavar="N", help="sources of the largest batch")
    add("--seed", type=int, default=1, help="of the sources")
    add("--by", choices=("weight", "edges"), help="lengths of this kind only")
    add("--order", action="append", default=[], choices=ORDERS,
        help="beside what the planner chooses; may be repeated")  # fmt: skip
    measurement_options(parser, 60)
    return parser.parse_args(arguments)


def measure(problem: Problem, backend: Backend, options: argparse.Namespace) -> record.Record:
    """One graph's record. Raises VerificationError if a row is wrong."""
    name = problem.label
    with progress(f"{name}: matrix"):
        edges = named(problem.name, "integer")
        if problem.unit and edges.weight is not None:
            edges = replace(edges, weight=np.ones_like(edges.weight))
        begin = time.perf_counter()
        G = lg.Graph.from_edgelist(edges, "min", backend=backend)
        backend.synchronize(G.A._store)
        prepare_ms = (time.perf_counter() - begin) * 1e3
        graph = G.A.to_scipy_sparse().astype(np.float64)
    rng = np.random.default_rng(options.seed)
    sources = rng.permutation(np.flatnonzero(np.diff(graph.indptr)))[: options.most]
    P, contracted = contraction(name, G) if problem.contract else (None, {})
    rows: list[record.Record] = []
    begin = time.perf_counter()
    ways = [(kind, None) for kind in ("weight", "edges") if options.by in (None, kind)]
    judge = Judge(graph)
    for by, way in ways if P is None else [("weight", P), *ways]:
        count = sources.size
        while count:
            for order in (None, *options.order) if way is None else (None,):
                if time.perf_counter() - begin < options.budget or not rows:
                    some = sources[:count]
                    with progress(f"{name}: {count} sources"):
                        rows.append(batch(G, judge, some, by, order, way, options.samples))
            count //= 2
    if options.peers:
        rows.append(by_scipy(graph, sources[:JUDGED]))
    head = rows[0]
    return {
        "benchmark": "many", "graph": name, "n": G.n, "nedges": G.nedges,
        "backend": backend.name, "device": device_name(backend),
        **record.made_now(options.commit), **record.NOT_OF_OPERATIONS,
        **{k: head[k] for k in ("case", "samples_ms", "median_ms", "checked", "verified")},
        "prepare_ms": round(prepare_ms, 3), **contracted, "peers": {}, "measurements": rows,
    }  # fmt: skip


def contraction(name: str, G: lg.Graph) -> tuple[lg.Contraction, record.Record]:
    """The graph contracted, twice, for the first compiles; and what to record of the second."""
    with progress(f"{name}: contraction") as update:
        lg.contract(G)
        P, ms = timed(lambda: lg.contract(G, progress=update), G.backend)
    figures = {f: getattr(P, f) for f in ("levels", "arcs", "core", "nbytes")}
    return P, {"contract_ms": round(ms, 3), "contraction": figures}


class Judge:
    """SciPy's distances in one graph, each row found once."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.weight = cache(lambda source: dijkstra(graph, indices=source))
        self.edges = cache(self.levels)

    def levels(self, source: int) -> np.ndarray:
        """How many edges away each vertex is; inf where none leads there. A search's order has its
        levels one after another, and each vertex's predecessor in the level before it."""
        order, before = breadth_first_order(self.graph, source)
        place = np.empty(self.graph.shape[0], np.int64)
        place[order] = np.arange(order.size)
        earlier = place[before[order[1:]]]  # ascends
        found = np.full(place.size, np.inf)
        begin, end, level = 0, 1, 0
        while begin < end:
            found[order[begin:end]] = level
            begin, end, level = end, 1 + int(np.searchsorted(earlier, end)), level + 1
        return found


def batch(
    G: lg.Graph, judge: Judge, sources: np.ndarray, by: str,
    order: Literal["rounds", "delta", "heap"] | None, P: lg.Contraction | None, samples: int,
) -> record.Record:  # fmt: skip
    """The row of one batch, its lengths ``by`` "weight" or "edges"."""
    schedule = None if order is None else lg.Schedule(order=order)
    weight: Literal["weight"] | None = "weight" if by == "weight" else None
    case = f"{sources.size} by {by}"
    case += f", {order}" if order else "" if P is None else ", contracted"

    def table_of_all() -> Any:
        return lg.distance_matrix(G, sources, weight=weight, schedule=schedule, contraction=P)

    picked = np.unique(np.linspace(0, sources.size - 1, JUDGED).astype(int))
    right = [getattr(judge, by)(source) for source in sources[picked].tolist()]
    times: list[float] = []
    table_of_all()  # the first compiles
    peak = taken_by(table_of_all, G.backend)
    for _ in range(samples):
        table, ms = timed(table_of_all, G.backend)
        times.append(ms)
        found = [np.asarray(r if isinstance(r, np.ndarray) else r.get()) for r in table[picked]]
        size = table.nbytes
        del table
        if not np.array_equal(found, right):
            raise VerificationError(f"expected SciPy's distances from {sources[picked]}")
    announced = Table(G, sources, None, None, weight, schedule, P).bytes(sources.size)
    return row(case, "lagraph-gpu", sources.size, times, size, announced, peak)


def by_scipy(graph: Any, sources: np.ndarray) -> record.Record:
    """SciPy's Dijkstra, in FP64."""
    table, ms = timed(lambda: dijkstra(graph, indices=sources), None)
    made = row(f"{sources.size} by weight", "scipy", sources.size, [ms], table.nbytes)
    return {**made, "device": cpu_name()}


def timed(call: Callable[[], Any], backend: Backend | None) -> tuple[Any, float]:
    begin = time.perf_counter()
    found = call()
    if backend is not None:
        backend.synchronize()
    return found, (time.perf_counter() - begin) * 1e3


def taken_by(call: Callable[[], Any], backend: Backend) -> int:
    """The most bytes that a call holds at once beyond what was held before: of the device's pool,
    or else of what Python and NumPy ask for."""
    pool = memory_pool(backend)
    if pool is None:
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak
    pool.free_all_blocks()
    before = pool.total_bytes()
    call()
    backend.synchronize()
    return int(pool.total_bytes() - before)


def row(
    case: str, by: str, sources: int, times: list[float], size: int, announced: int | None = None,
    peak: int | None = None,
) -> record.Record:  # fmt: skip
    median = statistics.median(times)
    return {
        "case": case, "by": by, "operation": "distance_matrix", "sources": sources,
        "samples_ms": [round(t, 4) for t in times], "median_ms": round(median, 4),
        "wall_ms": round(median, 4), "ms_a_source": round(median / sources, 5),
        "sources_per_s": round(1e3 * sources / median, 2), "bytes": size,
        "announced_bytes": announced, "peak_bytes": peak, "gb_per_s": None,
        "of_copy": None, "checked": len(times), "verified": True,
    }  # fmt: skip


def summary(found: record.Record) -> str:
    """A few lines for a person who waits."""
    lines = [f"many {found['graph']} on {found['device']}: tables, verified at {JUDGED} rows each"]
    for r in found["measurements"]:
        lines.append(
            f"  {r['case']:>28} {r['by']:<12} {r['median_ms']:>12,.3f} ms, {r['ms_a_source']:.4f} "
            f"a source, {r['sources_per_s']:,.0f} sources/s, table {r['bytes'] / 2**20:,.0f} MiB"
        )
        if r["peak_bytes"] is not None:
            held = (f"{r[which] / 2**20:,.0f}" for which in ("announced_bytes", "peak_bytes"))
            lines[-1] += ", {} announced, {} at most".format(*held)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
