"""What is asked of calls that no other record is about? ``python -m benchmarks.marks --graph NY``.

A mark is a case on a graph: how long it took when it was set, and how long it may take, in
milliseconds or as a multiple of another case of the same run. The record has a row for each case
of ours, and for each peer from PyPI that has the function; the report puts all marks beside them.
On a GPU a call is timed by the clock on the wall, until its results are there. On a CPU seconds of
the processor count, of all threads, and the least of several rounds in turn with the peers'.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from benchmarks import options as given
from benchmarks import record
from benchmarks.clock import Clock, Sample
from benchmarks.harness import exit_code
from benchmarks.marks_cases import LARGE
from benchmarks.operations import OURS, compose, measurement_options, race, table
from benchmarks.peers import imported
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.gpu.device import prebuilt
from lagraph_gpu.gpu.device.port import give_back

PEERS = "the best peer"
FROM_UNIFORM = "20,300, from a uniform start"
"""How long GAP takes for PageRank, and what its rounds start from: ours start from what is known of
vertices without edges (decision 0425)."""


class Mark(NamedTuple):
    """How long a case may take."""

    on: str
    """The backend it is about."""
    graph: str
    case: str
    before: float | None
    """Milliseconds when the mark was set; None where only a ratio was told."""
    wanted: float | None
    """Milliseconds, or so many times as long as ``of``."""
    of: str | None = None
    """A case of the same record, or PEERS."""
    peer: str = ""
    """Another library's figure, measured elsewhere on the same kind of machine."""


def gpu(graph: str, *rows: tuple[Any, ...]) -> tuple[Mark, ...]:
    return tuple(Mark("gpu", graph, *row) for row in rows)


def cpu(graph: str, *rows: tuple[Any, ...]) -> tuple[Mark, ...]:
    return tuple(Mark("cpu", graph, *row) for row in rows)


MARKS: tuple[Mark, ...] = (
    *gpu("NY",
         ("bfs from 16", 531, 1.0, "16 searches"),
         ("closeness of one", 1846, 3),
         ("harmonic from 4", None, 3, "closeness of one"),
         ("bfs beside a star", 4.5, 1.2, "bfs"),
         ("sssp beside a star", 5.9, 1.2, "sssp"),
         ("spanning edges", 389, 1.2, "spanning forest"),
         ("colouring", 0.52, 0.08, None, "ECL 0.03 (kernels)"),
         ("pagerank", 15.4, 5.8, None, "cuGraph 5.8 (FP32)"),
         ("pagerank, FP32", None, 5.8, None, "cuGraph 5.8"),
         ("components", 0.15, 0.138, None, "0.058 (kernels)"),
         ("spanning forest", 0.62, 0.51, None, "0.43 (kernels)"),
         ("independent set", 0.09, 0.107, None, "0.027 (kernels)")),
    *gpu("NE",
         ("bfs from 16", 3273, 1.0, "16 searches"),
         ("closeness of one", 3105, 3),
         ("pagerank", 16.2, 7.4, None, "cuGraph 7.4 (FP32)"),
         ("pagerank, FP32", None, 7.4, None, "cuGraph 7.4")),
    *gpu("grid2048",
         ("bfs from 16", 10286, 15),
         ("betweenness from 4", None, None)),
    *gpu("grid3000",
         ("sssp, floats", 13.4, 1.3, "sssp, integers"),
         ("sssp, lognormal", 20.3, 1.3, "sssp, integers"),
         ("sssp, FP64", None, 1.3, "sssp, integers"),
         ("sssp, INT64", None, 1.3, "sssp, integers"),
         ("colouring", 4.4, 0.78, None, "ECL 0.78 (kernels)")),
    *gpu("uniform22",
         ("triangles", 5.7, 3.6, None, "TRUST 3.6 (kernels)"),
         ("colouring", 3.15, 2.3, None, "ECL 2.3 (kernels)"),
         ("sssp, integers", 3.06, 1.2),
         ("matrix times vector", 0.52, 0.42)),
    *gpu("kron22",
         ("4-truss", 5130, 800, None, "cuGraph 4,080"),
         ("louvain", 107, 40, None, "cuGraph 2,535, modularity 0.074"),
         ("from_edges, CuPy", 8400, 30, None, "cuGraph 21"),
         ("from_edges, NumPy", None, 500)),
    *gpu("path20",
         ("core numbers", 2200, 90),
         ("betweenness from 4", 10900, None)),
    *gpu("rows of 8", ("A A", 8.3, 1.0, PEERS)),
    *gpu("rows of 4", ("A A", None, 1.0, PEERS)),
    *gpu("rows of 64", ("A A", None, 1.0, PEERS)),
    *gpu("17 diagonals", ("A A", 12.3, 1.0, PEERS)),
    *gpu("kron20",
         ("rows by NumPy ids", 7.2, 0.6),
         ("two threads", 39, 1.0, "one after the other")),
    *gpu("GAP kron27", *((f"GAP {case}", None, wanted, None, f"GAP's CPU {theirs}")
                         for case, wanted, theirs in (
        ("bfs", 3.09, "309"), ("sssp", 49.8, "4,980"), ("pagerank", 203, FROM_UNIFORM),
        ("bfs, prepared", 3.09, "309"),
        ("pagerank, FP32", 203, FROM_UNIFORM), ("pagerank, prepared", 203, FROM_UNIFORM),
        ("pagerank, prepared, FP32", 203, FROM_UNIFORM), ("components", 5.31, "531"),
        ("betweenness", 622, "31,100"), ("triangles", 5000, "361,000")))),
    *gpu("GAP urand27", *((f"GAP {case}", None, 1.7, f"floor of GAP {case}", f"GAP's CPU {theirs}")
                          for case, theirs in (
        ("bfs", "542"), ("sssp", "7,280"), ("pagerank", "25,400"), ("pagerank, FP32", "25,400"),
        ("components", "1,650"), ("betweenness", "46,500"), ("triangles", "21,800")))),
    *(mark for kind in ("kron", "uniform") for mark in gpu(f"Friendster {kind}26",
         ("closeness of 512", None, 1280, None, "182 sources a second and GPU"))),
    *gpu("first calls", *((case, before, 500) for case, before in (
        ("bfs", 1200), ("triangles", 2700), ("sssp, INT32", 9000), ("sssp, INT64", 9000),
        ("sssp, FP32", 4300), ("sssp, FP64", 9000), ("pagerank", None), ("louvain", None)))),
    *(mark for graph in ("NY", "grid1024", "enron", "kron14") for mark in cpu(graph,
         *((case, None, 1.0, PEERS) for case in (
             "bfs", "sssp", "components", "strong components", "pagerank", "spanning tree",
             "louvain", "triangles")))),
    *cpu("ten vertices",
         ("making it", 0.514, 0.06), ("bfs", 0.262, 0.025), ("sssp", 0.482, 0.04),
         ("pagerank", 5.521, 0.2), ("strong components", 4.4, 1.0, PEERS)),
    *cpu("NetworkX", ("a million edges converted", 12000, 2500)),
    *cpu("first calls",
         ("bfs", 1000, 300), ("sssp", 2500, 300), ("betweenness", 4300, 300),
         ("bfs_edges of NetworkX", 7600, 300)),
)  # fmt: skip


class ProcessorClock:
    """Times calls by the seconds of the processor that they take, in all threads. A short call is
    repeated within a sample, and the clock's steps do not count."""

    by, cuda, copy_bytes = "seconds of the processor, the least", False, 0
    least_ms = 20.0

    def copy(self, _: Any = None) -> None:
        """Nothing: no bytes are counted here."""

    def sample(self, work: Any, fresh: Any, wait: Any, on_device: bool) -> Sample:
        times = 1
        while True:
            begin, clock = time.process_time(), time.perf_counter()
            for _ in range(times):
                result = work(None)
            took, wall = time.process_time() - begin, time.perf_counter() - clock
            if took * 1e3 >= self.least_ms:
                return Sample(result, took * 1e3 / times, wall * 1e3 / times)
            times *= 4


class OnceClock(ProcessorClock):
    """The same, without repetitions: for answers rather than times."""

    least_ms = 0.0


class FirstCalls:
    """For programs that tell their time themselves."""

    by, cuda, copy_bytes = "the program itself, with an empty cache", False, 0

    def copy(self, _: Any = None) -> None:
        """Nothing: no bytes are counted here."""

    def sample(self, work: Any, fresh: Any, wait: Any, on_device: bool) -> Sample:
        answer, ms = work(None) or (1.0, 1.0)
        return Sample((answer, ms), ms, ms)


class Told(NamedTuple):
    """What a record says of the graph."""

    label: str
    backend: Backend
    n: int
    nedges: int
    prepare_ms: float
    note: str | None = None


def measure(graph: str, backend: Backend, options: Any) -> record.Record:
    """The record of one graph's marks."""
    from benchmarks import marks_cpu, marks_gpu

    clock: Any = ProcessorClock() if backend.name == "cpu" else Clock(backend, 1 << 20)
    if graph == "first calls":
        clock = FirstCalls()
    begin = time.perf_counter()
    module = marks_cpu if backend.name == "cpu" else marks_gpu
    with progress(f"{graph}: made"):
        n, nedges, ways = module.ways(graph, backend)
    wheel = graph == "first calls" and backend.name == "gpu" and prebuilt.FOLDER.exists()
    told = Told(graph.replace(" ", "-"), backend, n, nedges, (time.perf_counter() - begin) * 1e3,
                "with the kernels of a wheel" if wheel else None)  # fmt: skip
    entries = [entry for entry in ways.entries if options.peers or entry.by == OURS]
    if options.case is not None:
        if unknown := set(options.case) - (held := {entry.case for entry in entries}):
            raise InvalidValue(f"expected cases of {sorted(held)}, got {sorted(unknown)}")
        entries = [entry for entry in entries if entry.case in options.case]
    rows, large = [], graph.startswith(LARGE)
    parts = [[entry] for entry in entries] if large else [entries]
    for some in parts:
        rows += race(some, clock, backend, options.samples, options.budget / len(parts))[0]
        if large and backend.name == "gpu":
            give_all_back()
    for row in rows:
        if "absent" not in row and backend.name == "cpu":
            row["median_ms"] = min(row["samples_ms"])
    return compose("marks", told, rows, [], options, clock)


def give_all_back() -> None:
    """Free what the graph keeps for later calls, and all unused memory of the pool: a case that
    follows finds the memory in one piece."""
    give_back()
    imported("cupy").get_default_memory_pool().free_all_blocks()


def graphs_of(on: str) -> list[str]:
    """The graphs that have marks, without those that need a very large device."""
    found = dict.fromkeys(mark.graph for mark in MARKS if mark.on == on)
    return [graph for graph in found if not graph.startswith(LARGE)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and record the marks of some graphs; 0, 1 if an answer was wrong, 2 for bad input."""
    parser = given.parser_of("marks")
    given.graphs(parser, "all that have marks on the backend, but for very large ones")
    measurement_options(parser, 20)
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    backend = resolve(options.backend)
    on = "cpu" if backend.name == "cpu" else "gpu"
    failed = 0

    def answer(graph: str) -> Callable[[], None]:
        def one() -> None:
            found = measure(graph, backend, options)
            path = record.write(found, options.out)
            print(table(found), f"  {path}", sep="\n", flush=True)

        return one

    for graph in options.graph or graphs_of(on):
        failed = max(failed, exit_code(answer(graph)))
    return failed


if __name__ == "__main__":
    sys.exit(main())
