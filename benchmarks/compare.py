"""How fast are other libraries for graphs on one core of a CPU? ``python -m benchmarks.compare``.

One case for each task that several of them have, on one graph with the same weights for all. The
libraries take turns, and what counts is the time of the processor, so that others on the machine
disturb little; the page shows the least of each. Everything is held to one core, since some
libraries have threads and others have none. Each sampled result is compared with what SciPy, or
NumPy, says.

The peers are not among the requirements: ``pip install igraph networkit rustworkx networkx``. Who
is not installed is absent from the record. `benchmarks.compare_page` makes the page.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import scipy

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.compare_functions import LIBRARIES, found
from benchmarks.compare_players import OURS, PLAYERS, SOURCES, Plays, Task
from benchmarks.harness import exit_code
from benchmarks.peers import Absent
from lagraph_gpu.cli.timing import cpu_name
from lagraph_gpu.errors import VerificationError

CASES = {
    "hops": "edges from one vertex to all",
    "distances": "weights from one vertex to all",
    "table": f"weights from {SOURCES} vertices to all",
    "components": "connected components",
    "tree": "weight of a minimum spanning tree",
    "pagerank": "PageRank, to a sum of errors of 1e-6",
    "cores": "core numbers",
    "transitivity": "closed among all pairs of neighbours",
}
"""The tasks, and what each result is."""


def measure(name: str, options: argparse.Namespace) -> record.Record:
    """One graph's record. Raises VerificationError if one of our results is wrong."""
    task = Task(name, options.seed)
    plays, absent, versions = {}, {}, {OURS: lg.__version__, "scipy": scipy.__version__}
    for by, player in PLAYERS.items():
        try:
            plays[by] = player(task)
            versions.setdefault(by, getattr(sys.modules.get(by), "__version__", ""))
        except Absent as why:
            absent[by] = str(why)
    rows = []
    for case in CASES:
        expected = task.expected(case)
        rows += race(case, {by: made[case] for by, made in plays.items() if case in made}, expected,
                     task, options)  # fmt: skip
        lacking = {by: "has no such function" for by, made in plays.items() if case not in made}
        rows += [
            {"case": case, "by": by, "absent": why} for by, why in {**lacking, **absent}.items()
        ]
        print(*(line(row) for row in rows if row["case"] == case), sep="\n", flush=True)
    head = rows[0]
    return {
        "benchmark": "compare",
        "graph": task.label,
        "n": task.n,
        "nedges": task.nedges,
        "backend": "cpu",
        "device": cpu_name(),
        **record.made_now(options.commit),
        "versions": versions,
        "functions": {library: found(library) for library in LIBRARIES},
        "timed_by": "time of the processor, one core",
        **record.NOT_OF_OPERATIONS,
        **{k: head[k] for k in ("samples_ms", "median_ms", "checked", "verified")},
        "prepare_ms": None,
        "peers": {},
        "measurements": rows,
    }


def race(
    case: str, plays: Plays, expected: Any, task: Task, options: argparse.Namespace
) -> list[record.Record]:
    """A row for each library. They take turns; who has used its seconds is not asked again."""
    rows: dict[str, record.Record] = {
        by: {"case": case, "by": by, "operation": play.operation, "samples_ms": [], "walls_ms": [],
             "bytes": None, "gb_per_s": None, "of_copy": None, "checked": 0, "verified": True}
        for by, play in plays.items()
    }  # fmt: skip
    for turn in range(options.samples + 1):  # the first is to warm up, where it is quick
        for by, play in plays.items():
            row = rows[by]
            if sum(row["walls_ms"]) > options.budget * 1e3:
                continue
            wall, begin = time.perf_counter(), time.process_time()
            result = play.work()
            took, wall = time.process_time() - begin, time.perf_counter() - wall
            if turn or wall > 1:
                row["samples_ms"].append(round(max(took, 1e-6) * 1e3, 5))
                row["walls_ms"].append(wall * 1e3)
                right = task.tolerated(case, play.dense(result), expected)
                row["checked"] += 1
                if not right and by == OURS:
                    raise VerificationError(f"{case} of {task.label}: another result than SciPy's")
                row["verified"] = row["verified"] and right
            del result  # nobody is timed while it is freed
    for row in rows.values():
        row["median_ms"] = round(statistics.median(row["samples_ms"]), 5)
        row["wall_ms"] = round(statistics.median(row.pop("walls_ms")), 5)
    return list(rows.values())


def line(row: record.Record) -> str:
    """A line for a person who waits."""
    who = f"{row['case']:<14}{row['by']:<14}"
    if "absent" in row:
        return f"{who} {row['absent']}"
    right = "" if row["verified"] else "  OTHER RESULT"
    return f"{who}{min(row['samples_ms']):>12.3f} ms of {len(row['samples_ms'])}{right}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = given.parser_of("compare")
    given.graphs(parser, "kron14")
    given.samples(parser)
    given.budget(parser, 10, "for each library and task")
    parser.add_argument("--seed", type=int, default=1, help="of the sources")
    parser.add_argument("--core", type=int, help="the core to stay on (default: any one)")
    given.place(parser, ("cpu",))
    options = parser.parse_args(arguments)
    core = min(os.sched_getaffinity(0)) if options.core is None else options.core
    os.sched_setaffinity(0, {core})  # before any library starts threads

    def answer() -> None:
        for name in options.graph or ["kron14"]:
            print(record.write(measure(name, options), options.out), flush=True)

    return exit_code(answer)


if __name__ == "__main__":
    sys.exit(main())
