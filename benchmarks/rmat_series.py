"""Shortest paths on growing graphs: ``python -m benchmarks.rmat_series``.

The series of the SSSP article (one GTX Titan): RMAT graphs of 2^14 to 2^24 vertices and average
degree 32, real weights, 32 sources; minimum, mean and maximum of the time, and how many times as
long a Dijkstra on one core takes, SciPy's here, as far as there is time for it. Every result of
ours is judged by Graph500's five rules, and SciPy's distances are compared with ours.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.graph500 import in_order, sampled_roots
from benchmarks.harness import exit_code
from benchmarks.peers import dense
from benchmarks.story import common, taken
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import cpu_name
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.verify import Rules

GROWTH = 2.5
"""A graph twice as large takes SciPy at most so many times as long."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and record; 0, 1 if an answer was wrong, 2 for bad input."""
    options = parse(arguments)

    def answer() -> None:
        found = series(resolve(options.backend), options)
        for row in found["series"]:
            print(line(row), flush=True)
        print(record.write(found, options.out), flush=True)

    return exit_code(answer)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of("rmat_series")
    parser.add_argument("--scales", type=int, nargs=2, default=(14, 24), metavar="S",
        help="first and last")  # fmt: skip
    given.roots(parser, 32)
    given.budget(parser, 6, "for ours, and for SciPy, at each scale: no source is begun after it")
    parser.add_argument("--longest", type=float, default=30, metavar="SECONDS",
        help="that a source may be expected to take SciPy, or the scale is left out")  # fmt: skip
    given.place(parser)
    return parser.parse_args(arguments)


def series(backend: Backend, options: argparse.Namespace) -> record.Record:
    """The record. Raises VerificationError if any result is wrong."""
    first, last = options.scales
    rows: list[record.Record] = []
    expected = 0.0  # of SciPy at this scale, in seconds
    for scale in range(first, last + 1):
        with progress(f"scale {scale}"):
            G = lg.kronecker(scale, weights="uniform", backend=backend)
            roots = sampled_roots(G, options.roots, options.seed)
            ours = taken(partial(lg.sssp, G), Rules(G).sssp, G, roots, options.budget)
            peer: record.Record = {"absent": f"more than {options.longest:g} s a source expected"}
            if expected <= options.longest:
                peer = dijkstra(G, ours["roots"], options.budget)
                expected = GROWTH * statistics.median(peer["samples_ms"]) / 1e3
        rows.append({"scale": scale, "n": G.n, "nedges": G.nedges, **ours, **spread(ours),
                     "scipy": peer})  # fmt: skip
    return in_order(common("sssp-series", "rmat", G, options) | ours | {"series": rows})


def spread(samples: record.Record) -> record.Record:
    """Minimum, mean and maximum."""
    times = samples["samples_ms"]
    low, mean, high = min(times), statistics.fmean(times), max(times)
    return {"min_ms": low, "mean_ms": round(mean, 5), "max_ms": high}


def dijkstra(G: lg.Graph, roots: Sequence[int], budget: float) -> record.Record:
    """SciPy's, on one core, from as many of the roots as there is time for."""
    from scipy.sparse import csgraph, csr_array

    solve: Any = csgraph.dijkstra
    indptr, column, weight = G.A.to_csr()
    A = csr_array((weight.astype(np.float64), column, indptr), shape=(G.n, G.n))
    times: list[float] = []
    begin = time.perf_counter()
    for root in roots:
        if times and time.perf_counter() - begin > budget:
            break
        start = time.perf_counter()
        distance = solve(A, indices=root, return_predecessors=True)[0]
        times.append((time.perf_counter() - start) * 1e3)
        if not np.allclose(dense(lg.sssp(G, root)[0]), distance, rtol=1e-4, atol=0):
            raise VerificationError(f"rmat{G.n}: other distances from {root} than SciPy's")
    fields: dict[str, Any] = {"roots": list(roots[: len(times)]), "samples_ms": times}
    return fields | spread(fields) | {"device": cpu_name(), "verified": True}


def line(row: record.Record) -> str:
    """One scale, for a person who waits."""
    text = f"2^{row['scale']}: {row['min_ms']:.3f}, {row['mean_ms']:.3f}, {row['max_ms']:.3f} ms"
    if "absent" in row["scipy"]:
        return f"{text}; SciPy: {row['scipy']['absent']}"
    return f"{text}; SciPy {row['scipy']['mean_ms']:.1f} ms, {ratio(row):.0f} times"


def ratio(row: record.Record) -> float:
    """How many times as long SciPy takes, in the mean, from the sources that both searched."""
    mine = dict(zip(row["roots"], row["samples_ms"]))
    return float(row["scipy"]["mean_ms"] / statistics.fmean(mine[r] for r in row["scipy"]["roots"]))


if __name__ == "__main__":
    sys.exit(main())
