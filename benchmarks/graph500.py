"""Graph500: ``python -m benchmarks.graph500 --scale 26``.

The benchmark of https://graph500.org/?page_id=12 (specification 2.0, output of the reference code
3.0): edges are drawn; kernel 1 joins them to a graph; from 64 random vertices with an edge kernel 2
searches breadth first and kernel 3 finds shortest paths, each in a loop of its own; every tree is
checked by the five rules. All of it happens on the backend, the GPU where one works.

Timed are, as the specification has it, kernel 1 from the list of edges to the matrix, and each
search as a user calls it, until levels or distances and parents lie on the device. The rate of a
search counts the input edges of its component, loops and duplicates included ("the number of input
edge tuples within the component traversed by the search, counting any multiple edges and
self-loops"). That is half of the ends of edges at the vertices that were reached, for a component
holds both ends of an edge or none.

Weights are made of an edge's ends, so that duplicates agree: uniform in (0, 1], never 0, or with
``--weights integer`` 1 … 255. Where the list of edges does not fit on a GPU, the rows are made
range by range instead, and packed; weights are computed beside them (see `graph500_memory`).

Searches are made ahead of the timed ones, as in the reference code:
they compile the kernels, fill the memory pool, and the graph keeps what it learns of itself then
(its extreme weights, which rows are long). Sixteen follow each other before they are checked. Where
64 do not fit the budget of ten minutes, it ends after fewer, and says so.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks import graph500_output as output
from benchmarks import options as given
from benchmarks import parts, record
from benchmarks.graph500_memory import PACKED, chosen
from benchmarks.harness import (
    TOGETHER,
    LaidOut,
    Searched,
    anatomy,
    exit_code,
    laid_out,
    places,
    rows_stay,
    searched,
)
from benchmarks.instrument import joules
from lagraph_gpu.algorithms._shared.tree_edges import tree_edge_values
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import device_name, timed
from lagraph_gpu.errors import InvalidValue, VerificationError
from lagraph_gpu.generate import WeightKind, counters
from lagraph_gpu.generate.edge_weights import edge_weights
from lagraph_gpu.generate.kronecker_edges import Draw, Drawn
from lagraph_gpu.generate.kronecker_rows import DrawnRows
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules
from semirings import any_pair

KERNELS: dict[str, Callable[..., Any]] = {"bfs": lg.bfs, "sssp": lg.sssp}
PARTS: dict[str, dict[str, tuple[Callable[..., Any], Callable[..., None]]]] = {
    "bfs": {
        "parents": (parts.parents, parts.judge_parents),
        "levels": (parts.levels, parts.judge_levels),
    },
    "sssp": {"distances": (parts.distances, parts.judge_distances)},
}
"""What a search can find alone, and who judges it."""
SPECIFIED = 64
"""Searches of each kind that the specification asks for."""
RANGES = "ranges"
"""What records call compressed rows that are made so."""
DISSECTED = 16
"""Searches of each kind that are looked into, after they were timed."""
RESULT_BYTES = 13
"""The bytes of a search's results for each vertex."""
SAMPLED = 1 << 22
"""Drawn edges that are looked for in rows made range by range."""
WEIGHED = 1 << 16
"""Edges of rows made range by range whose weights are computed again."""
BUDGET = 600.0
"""Seconds of each loop of searches and checks."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print; 0, 1 if an answer was wrong, 2 for bad input."""
    options = parse(arguments)

    def answer() -> None:
        run = Run(options, resolve(options.backend))
        records = run.records()
        print(output.lines(run.numbers), *run.phases, *run.fewer, sep="\n", flush=True)
        for found in records:
            print(record.write(found, options.out), flush=True)

    return exit_code(answer)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of("graph500")
    add = parser.add_argument
    add("--scale", type=int, default=16, help="log2 of the number of vertices (default: 16)")
    add("--edgefactor", type=int, default=16, help="edges drawn for each vertex (default: 16)")
    add("--weights", choices=("uniform", "integer"),
        help="in (0, 1], or 1 … 255, as float32 (default: uniform if they fit)")  # fmt: skip
    add("--only", choices=tuple(KERNELS), help="one kernel; bfs alone needs no weights")
    given.roots(parser, SPECIFIED, seeded="of the edges and of the roots")
    given.schedule(parser, (*given.LAYOUTS, PACKED))
    parser.set_defaults(layout=None)
    given.budget(parser, BUDGET, "for each loop of searches and checks")
    add(
        "--by-ranges",
        action="store_true",
        help="kernel 1 draws the edges again for each range of rows, by degree, and holds no list",
    )
    add("--no-parts", dest="parts", action="store_false",
        help="whole searches only, not what they find alone")  # fmt: skip
    given.place(parser)
    return parser.parse_args(arguments)


@dataclasses.dataclass(frozen=True)
class Phase:
    """What a part of the run took. On a GPU ``peak_bytes`` is what the memory pool had to get from
    the device for it, everything kept from before included; elsewhere the process's peak so far."""

    name: str
    seconds: float
    peak_bytes: int

    def __str__(self) -> str:
        return f"{self.name + ':':<32}{self.seconds:.4f} s, {self.peak_bytes / 2**30:.2f} GiB"


class Run:
    """One run on a backend: ``records`` does it, ``numbers`` and ``phases`` tell of it."""

    def __init__(self, options: argparse.Namespace, backend: Backend) -> None:
        if options.roots < 1:
            raise InvalidValue(f"expected at least one root, got {options.roots}")
        self.options, self.backend = options, backend
        self.draw = Draw(options.scale, options.edgefactor, options.seed)
        if options.by_ranges and options.layout not in (None, PACKED, "degree"):
            raise InvalidValue(
                "expected --layout degree or packed with rows made by ranges, which are numbered "
                f"by degree, got {options.layout}"
            )
        self.way = chosen(options, self.draw, backend)
        self.layout, self.weights = self.way.layout, self.way.weights
        self.phases: list[Phase] = []
        self.fewer: list[str] = []
        """Loops that ended with their budget, and after how many roots."""
        self.numbers: dict[str, Any] = {}
        fixed = options.direction, options.balance, options.loop
        self.schedule = Schedule(*fixed) if any(fixed) else None

    @contextmanager
    def phase(self, name: str, fresh: bool = True) -> Iterator[None]:
        """Time the block and its memory, from an idle device to an idle one; ``fresh`` gives the
        pool's free memory back first."""
        pool = memory_pool(self.backend)
        if pool is not None and fresh:
            pool.free_all_blocks()
        with progress(f"scale {self.draw.scale}: {name}"):
            self.backend.synchronize()
            start = time.perf_counter()
            yield
            self.backend.synchronize()
            seconds = time.perf_counter() - start
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        peak = own if pool is None else pool.total_bytes()
        self.phases.append(Phase(name, round(seconds, 6), peak))

    def records(self) -> list[record.Record]:
        """Raises VerificationError if the graph or any tree is wrong."""
        if self.way.by_ranges:
            return self.records_by_ranges()
        draw, weights = self.draw, self.weights
        Drawn(Draw(4), self.backend).graph(weights)  # compiles
        with self.phase("generation"):
            edges = Drawn(draw, self.backend)
        with self.phase("counting"):
            ends = edges.ends
        with self.phase("construction"):
            G = rows_stay(edges.graph(weights))
            self.backend.synchronize(G.A._store)
        with self.phase("construction check"):
            wrong = edges.differences(G)
        if wrong:
            raise VerificationError(f"graph500, construction: {wrong} entries of the matrix differ")
        del edges
        roots, construction = self.begun(G)
        natural = self.layout == "natural"
        with nullcontext() if natural else self.phase("layout, made twice"):
            made = laid_out(G, self.layout)
        G = made.graph
        ends, roots = G.from_original(ends), places(roots, G)
        searched = [self.searches(name, G, ends, roots) for name in self.way.kernels]
        common = self.common(made, construction)
        return [in_order({**common, **found}) for found in searched]

    def begun(self, G: lg.Graph) -> tuple[list[int], float]:
        """The roots of a graph that has been made, and the seconds that took."""
        draw = self.draw
        roots = sampled_roots(G, self.options.roots, draw.seed)
        if not roots:
            raise InvalidValue("expected a graph with edges, got none; raise --scale")
        seconds = {phase.name: phase.seconds for phase in self.phases}
        construction = seconds["construction"]
        self.numbers = {
            "SCALE": draw.scale, "edgefactor": draw.edgefactor, "NBFS": len(roots),
            "graph_generation": seconds.get("generation", 0.0), "num_mpi_processes": 1,
            "construction_time": construction,
        }  # fmt: skip
        return roots, construction

    def records_by_ranges(self) -> list[record.Record]:
        """The same where kernel 1 begins without a list of edges: its time includes drawing them,
        once and again for each range."""
        draw, packed, weights = self.draw, self.layout == PACKED, self.weights
        DrawnRows(Draw(4), self.backend, packed, weights)  # compiles
        with self.phase("construction"):
            made = DrawnRows(draw, self.backend, packed, weights)
            self.backend.synchronize(made.ends._store, made.graph.A._store)
        with self.phase("construction check", fresh=False):
            wrong = made.differences(SAMPLED)
        if wrong:
            raise VerificationError(f"graph500, construction: {wrong} drawn edges are missing")
        G, ends = made.graph, made.ends
        del made
        roots, construction = self.begun(G)
        if weights is not None and (wrong := wrong_weights(G, draw, weights, roots[0])):
            raise VerificationError(f"graph500, construction: {wrong} edges have other weights")
        found = [self.searches(name, G, ends, roots) for name in self.way.kernels]
        common = self.common(LaidOut(G, 0.0, 0.0), construction)
        bits = round(8 * G.nbytes / G.A.nvals, 3)
        layout = PACKED if packed else RANGES
        more = {
            "layout": layout,
            "made": "by ranges of rows",
            "bytes": G.nbytes,
            "bits_per_entry": bits,
        }
        return [in_order({**common, **more, **each}) for each in found]

    def searches(
        self, name: str, G: lg.Graph, ends: lg.Vector, roots: Sequence[int]
    ) -> record.Record:
        """Kernel 2 or 3 from every root, each checked."""
        judge = getattr(Rules(G), name)

        def search(root: int) -> Any:
            return KERNELS[name](G, root, schedule=self.schedule)

        times, edges, validate = [], [], []
        with self.phase(f"{name}, the first search"):
            timed(G, partial(search, roots[0]))
        with self.phase(f"{name}, searches and checks", fresh=False):
            for root, results, ms in self.within_budget(name, G, search, roots):
                start = time.perf_counter()
                judge(root, *results)
                validate.append(time.perf_counter() - start)
                edges.append(input_edges(ends, results[0]))
                times.append(ms)
        roots = roots[: len(times)]
        again = cycle(roots)
        energy = joules(self.backend, lambda: search(next(again)))
        seconds = [ms / 1e3 for ms in times]
        gteps_per_watt = energy and sum(edges) / len(edges) / energy / 1e9
        official = {
            **output.described(seconds, "time"),
            **output.rates(seconds, edges),
            **output.described(validate, "validate"),
            "energy_J": energy,
            "GTEPS_per_watt": gteps_per_watt,
        }
        self.numbers |= {"NBFS": len(roots), **output.described(edges, "nedge")}
        self.numbers |= {f"{name:<5}{key}": value for key, value in official.items()}
        return {
            "benchmark": f"graph500-{name}",
            **record.samples(roots, times, edges),
            "component_edges": edges,
            "checked_roots": list(roots),
            "energy_j": energy,
            "gteps_per_watt": gteps_per_watt,
            "parts": {
                part: self.alone(part, *how, G, roots, edges)
                for part, how in PARTS[name].items()
                if self.options.parts
            },
            "anatomy": anatomy(G, search, roots[:DISSECTED], times[:DISSECTED]),
            "graph500": {key: value and float(f"{value:.6g}") for key, value in official.items()},
        }

    def within_budget(
        self, name: str, G: lg.Graph, search: Callable[[int], Any], roots: Sequence[int]
    ) -> Iterator[Searched]:
        """What each root gives, as `searched` has it, until the budget is used up."""
        start, done = time.perf_counter(), 0
        for found in searched(G, search, roots, together(G)):
            yield found
            done += 1
            if time.perf_counter() - start > self.options.budget:
                break
        if done < len(roots):
            told = f"{done} of {len(roots)} roots, in {self.options.budget:g} s"
            self.fewer.append(f"{name + ':':<32}{told}")

    def alone(
        self, part: str, find: Callable[..., lg.Vector], judge: Callable[..., None], G: lg.Graph,
        roots: Sequence[int], edges: Sequence[int],
    ) -> record.Record:  # fmt: skip
        """A part of what the searches find, alone and in a loop of its own, checked likewise."""
        rules, times = Rules(G), []

        def search(root: int) -> tuple[lg.Vector]:
            return (find(G, root, self.schedule),)

        for root, results, ms in self.within_budget(part, G, search, roots):
            judge(rules, parts.Found(root, *results))
            times.append(ms)
        found = record.samples(roots[: len(times)], times, edges[: len(times)])
        return {key: found[key] for key in ("samples_ms", "median_ms", "gteps_harmonic_mean")}

    def common(self, made: LaidOut, construction: float) -> record.Record:
        """What the records of both kernels share."""
        G, draw, options = made.graph, self.draw, self.options
        usual = (draw.edgefactor, draw.seed) == (16, 1)
        return {
            "graph": f"kron{draw.scale}" + ("" if usual else f"-{draw.edgefactor}-{draw.seed}"),
            "n": G.n,
            "nedges": G.A.nvals // 2,
            "drawn_edges": draw.count,
            "weights": self.weights,
            "backend": self.backend.name,
            "device": device_name(self.backend),
            **record.made_now(options.commit),
            "schedule": self.schedule and dataclasses.asdict(self.schedule),
            "layout": None if self.layout == "natural" else self.layout,
            "prepare_ms": round(construction * 1e3 + made.again_ms, 3),
            "layout_first_ms": round(made.first_ms, 3),
            "layout_ms": round(made.again_ms, 3),
            "verified": True,  # anything wrong raised
            "peers": {},
            "phases": [dataclasses.asdict(phase) for phase in self.phases],
        }


def in_order(found: record.Record) -> record.Record:
    """What every record has comes first."""
    return {key: found[key] for key in record.FIELDS} | found


def memory_pool(backend: Backend) -> Any:
    """CuPy's pool, or None where memory does not come from it."""
    if type(getattr(backend, "device", None)).__name__ != "CupyDevice":
        return None
    import cupy

    return cupy.get_default_memory_pool()


def sampled_roots(G: lg.Graph, count: int, seed: int) -> list[int]:
    """Different random vertices with an edge; all of them if there are fewer. G has no loops.

    The same on every backend: the first of a random permutation.

    >>> G = lg.Graph.from_edges([3, 3], [4, 5], n=8, directed=False, backend="cpu")
    >>> sampled_roots(G, 2, seed=1), sorted(sampled_roots(G, 9, seed=1))
    ([5, 3], [3, 4, 5])
    """
    everyone = lg.Vector.from_scalar(True, G.n, "BOOL", backend=G.backend)
    connected = any_pair(G.A @ everyone).new()
    roots: list[int] = []
    for begin in range(0, G.n, 1024):
        candidates = counters.permutation(G.n, begin, begin + 1024, seed)
        there = connected[candidates].new().to_coo()[0]
        roots += candidates[there].tolist()
        if len(roots) >= count:
            break
    return roots[:count]


def wrong_weights(G: lg.Graph, draw: Draw, kind: WeightKind, root: int) -> int:
    """How many of WEIGHED edges of a tree have another weight than the hash of their ends."""
    parent = lg.bfs(G, root)[1]
    del parent[root]
    asked = np.unique(np.random.default_rng(draw.seed).integers(0, G.n, WEIGHED))
    there, found = tree_edge_values(parent, G.A)[asked].new().to_coo()
    below, ids = asked[there], G.ids
    assert ids is not None
    above = parent[below].new().to_dense(0)
    u, v = (ids[end].new().to_dense(0).astype(np.uint64) for end in (above, below))
    wanted = edge_weights(kind, draw.seed, np.minimum(u, v) * np.uint64(draw.n) + np.maximum(u, v))
    return int((found != wanted).sum())


def input_edges(ends: lg.Vector, reached: lg.Vector) -> int:
    """The input edges, loops and duplicates included, among the vertices that were reached."""
    inside = lg.Vector("INT64", ends.size, backend=ends.backend)
    inside(reached.S) << ends
    return int(inside.reduce("plus").new().get(0)) // 2


def together(G: lg.Graph) -> int:
    """How many searches may be made before the first is checked: as always, but no more than half
    of the free memory holds."""
    free = G.backend.free_bytes()
    return TOGETHER if free is None else max(1, min(TOGETHER, free // (2 * RESULT_BYTES * G.n)))


if __name__ == "__main__":
    sys.exit(main())
