"""Packed rows beside plain ones: the same calls over the same graph in one process.

``python -m benchmarks.packed --scale 24 26`` makes each Kronecker graph by falling degree twice,
compares the answers, and times each call (the best of five, wall clock, warm, until its result is
there). With ``--folders`` it also saves both graphs and opens them again, with and without
``verify``. The record goes into ``benchmarks/kernels/``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.record import write_rows
from lagraph_gpu.backend import BackendName, named
from lagraph_gpu.cli.timing import device_name

KERNELS = Path(__file__).parent / "kernels"
REPEATS = 5


def best(call: Callable[[], lg.Vector]) -> tuple[float, lg.Vector]:
    """The least time in ms of a few calls after one, and the result."""
    result, times = call(), []
    result.backend.synchronize(result._store)
    for _ in range(REPEATS):
        begin = time.perf_counter()
        result = call()
        result.backend.synchronize(result._store)
        times.append(time.perf_counter() - begin)
    return round(1000 * min(times), 4), result


def calls(G: lg.Graph) -> dict[str, Callable[[], lg.Vector]]:
    hub = int(G.out_degree.to_dense(fill_value=0).argmax())
    ones = lg.Vector.from_dense(np.ones(G.n), backend=G.backend)
    return {
        "components": lambda: lg.connected_components(G),
        "plus_first": lambda: lg.semiring.plus_first(G.A @ ones).new(),
        "pagerank, 10 iterations": lambda: lg.pagerank(G, iterations=10),
        "bfs": lambda: lg.bfs(G, hub)[0],
    }


def folders(G: lg.Graph, backend: BackendName) -> dict[str, float]:
    """Seconds to save a graph and to open it, and the bytes of the folder."""
    with tempfile.TemporaryDirectory() as place:
        path, found = Path(place, "graph"), {}
        begin = time.perf_counter()
        G.save(path)
        found["save"] = time.perf_counter() - begin
        found["bytes"] = sum(file.stat().st_size for file in path.iterdir())
        for name, verify in (("open", False), ("open, verified", True)):
            begin = time.perf_counter()
            H = lg.open(path, verify=verify, backend=backend)
            H.backend.synchronize(H.A._store)
            found[name] = time.perf_counter() - begin
            assert H.A.nvals == G.A.nvals
            del H
    return found


def rows_of(scale: int, backend: BackendName, saved: bool) -> list[dict[str, Any]]:
    """A row for each call. Answers that differ are an error."""
    degree = lg.kronecker(scale, layout="degree", backend=backend)
    graphs = degree, lg.kronecker(scale, layout="packed", backend=backend)

    def row(what: str, plain: float, packed: float) -> dict[str, Any]:
        return {"scale": scale, "what": what, "degree": plain, "packed": packed}

    rows = [row("bytes", *(G.nbytes for G in graphs))]
    for what in calls(degree):
        plain, packed = (best(calls(G)[what]) for G in graphs)
        mine, theirs = (found.to_dense(fill_value=-1) for _, found in (plain, packed))
        assert np.allclose(mine, theirs, rtol=1e-9), f"{what} differs at scale {scale}"
        rows.append(row(f"{what}, ms", plain[0], packed[0]))
    if saved:
        first, second = (folders(G, backend) for G in graphs)
        rows += [row(f"folder: {what}", first[what], second[what]) for what in first]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packed", description=__doc__)
    parser.add_argument("--scale", type=int, nargs="+", default=[20, 24])
    parser.add_argument("--backend", default="gpu")
    parser.add_argument("--folders", action="store_true")
    parser.add_argument("--out", type=Path, default=KERNELS)
    options = parser.parse_args()
    rows = []
    for scale in options.scale:
        for row in rows_of(scale, options.backend, options.folders):
            print(*row.values(), flush=True)
            rows.append(row)
    device = device_name(named(options.backend))
    write_rows("packed", "packed-and-plain", device, rows, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
