"""How do several processes, each with a GPU or a part of one, compare with one?

    mpiexec -n 2 python -m benchmarks.cluster kron24 grid4096

Every process makes the graph by its local backend, times the searches there alone, all at the same
time, and keeps its rows of it; then all do the same together. A sample is the time of the slowest
process from a barrier to the result on the device. What is found must be what the local backend
finds: levels, distances and labels exactly, ranks to 1e-9 of the largest.
`exchanges` counts calls of the transport, `bytes_sent` what all processes send.

Processes with CPUs that share processors are beside one process that has all of them, which is a
record of its own:

    OMP_NUM_THREADS=2 mpiexec -n 1 python -m benchmarks.cluster kron18 grid1024
    OMP_NUM_THREADS=1 mpiexec -n 4 python -m benchmarks.cluster kron18 grid1024

`--collectives` times the ways between the processes instead: an agreement by MPI, and arrays that
are gathered by each transport that works here.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks import record
from benchmarks.graphs import graph, label
from lagraph_gpu.backend import Backend
from lagraph_gpu.cli.timing import device_name, random_roots
from lagraph_gpu.planning.threads import processors
from semirings import BINARY

SAID = {None: "", True: "right", False: "WRONG"}
ROOTS, ROUNDS, SIZES = 4, 10, (8, 1 << 16, 1 << 23)

Search = Callable[[lg.Graph, int], lg.Vector]
SEARCHES: dict[str, Search] = {
    "bfs": lambda G, root: lg.bfs(G, root)[0],
    "sssp": lambda G, root: lg.sssp(G, root)[0],
    "pagerank": lambda G, _: lg.pagerank(G, iterations=ROUNDS),
    "components": lambda G, _: lg.connected_components(G),
}


def timed(backend: Backend, comm: Any, search: Callable[[], lg.Vector]) -> tuple[lg.Vector, float]:
    """The result, and the milliseconds of the slowest process of all (of this one if None)."""
    backend.synchronize()
    if comm is not None:
        comm.agree()
    begin = time.perf_counter()
    found = search()
    backend.synchronize(found._store)
    ms = (time.perf_counter() - begin) * 1e3
    return found, ms if comm is None else float(comm.values(np.array([ms])).max())


def alike(name: str, found: lg.Vector, right: lg.Vector) -> bool:
    """Whether two parts of results are the same."""
    if name != "pagerank":
        return bool(found.isequal(right))
    far = BINARY["minus"](found & right).new().apply("abs").new().reduce("max").new().get(0)
    return bool(found.nvals == right.nvals and far <= 1e-9 * right.reduce("max").new().get(0))


def row(name: str, by: str, ms: list[float], checked: int, **more: Any) -> dict[str, Any]:
    """A measurement, as `benchmarks.record` wants it."""
    median = round(statistics.median(ms), 4)
    return {
        "case": name, "by": by, "operation": name, "samples_ms": [round(t, 4) for t in ms],
        "median_ms": median, "wall_ms": median, "bytes": None, "gb_per_s": None, "of_copy": None,
        "checked": checked, "verified": checked == len(ms), **more,
    }  # fmt: skip


def dealt(whole: lg.Graph, backend: Any) -> lg.Graph:
    """The graph of which each process keeps its rows of one that all have."""
    if backend.name != "cluster" or not hasattr(backend, "distribution"):
        return whole
    A = backend.exchange._local_rows(whole.A._store, whole.A.shape, whole.A.dtype)
    A.symmetric = True
    return lg.Graph._checked(lg.Matrix._stored(A, whole.A.shape, whole.A.dtype, backend), False)


def measure(
    name: str, algorithms: Sequence[str], backend: Any, count: int = ROOTS
) -> list[dict[str, Any]]:
    """The rows of a graph's record; all processes call it."""
    distribution = getattr(backend, "distribution", None)
    local = backend if distribution is None else distribution.local
    whole = graph(name, "integer", local, directed=False)
    sizes = {"vertices": whole.n, "edges": whole.A.nvals // 2}
    roots = random_roots(whole.out_degree.to_dense(0), count, seed=1)
    roots.insert(0, roots[0])  # once more, for what is compiled and made once
    rows, right = [], {}
    for algorithm in algorithms:
        found, ms = alone(whole, algorithm, roots)
        rows.append(row(algorithm, f"one {local.name}", ms[1:], 0) | {"verified": None} | sizes)
        if distribution is not None:
            right[algorithm] = [distribution.in_local_shape(one) for one in found]
    if distribution is None:
        return rows
    G = dealt(whole, backend)
    del whole
    return rows + [together(G, algorithm, roots, right.pop(algorithm)) for algorithm in algorithms]


def alone(G: lg.Graph, algorithm: str, roots: Sequence[int]) -> tuple[list[lg.Vector], list[float]]:
    """What the local backend of this process finds, and the milliseconds of each search."""
    done = [timed(G.backend, None, partial(SEARCHES[algorithm], G, root)) for root in roots]
    return [found for found, _ in done], [ms for _, ms in done]


def together(
    G: lg.Graph, algorithm: str, roots: Sequence[int], right: Sequence[lg.Vector]
) -> dict[str, Any]:
    """The row of the processes together."""
    backend: Any = G.backend
    comm, ms, good, sent, exchanges = backend.distribution.comm, [], 0, 0, 0
    for number, root in enumerate(roots):
        before = vars(comm.traffic).copy()
        found, one = timed(backend, comm, partial(SEARCHES[algorithm], G, root))
        sent = comm.traffic.bytes - before["bytes"]
        exchanges = comm.traffic.exchanges - before["exchanges"]
        same = alike(algorithm, found._store.part, right[number])
        if number:
            ms.append(one)
            good += int(comm.values(np.array([same])).min())
    every = int(comm.values(np.array([sent])).sum())
    return row(
        algorithm, f"cluster of {comm.size}", ms, good, bytes_sent=every, exchanges=exchanges
    )


def collectives(backend: Any) -> list[dict[str, Any]]:
    """Microseconds of an agreement, and of gathering arrays on devices, for each transport."""
    distribution = backend.distribution
    comm, rows = distribution.comm, []

    def microseconds(work: Callable[[], None], times: int = 50) -> float:
        for _ in range(5):
            work()
        backend.synchronize()
        comm.agree()
        begin = time.perf_counter()
        for _ in range(times):
            work()
        backend.synchronize()
        each = np.array([(time.perf_counter() - begin) / times])
        return round(float(comm.values(each).max()) * 1e6, 2)

    agreed = microseconds(comm.agree)
    rows.append({"transport": "mpi", "what": "agreement", "bytes": 0, "us": agreed})
    if distribution.vector_exchange is None:
        return rows
    from lagraph_gpu.gpu.device.cupy_peers import WAYS

    device = distribution.local.device
    for name, make in WAYS.items():
        try:
            peers: Any = make(device, comm.transport)
        except Exception as problem:  # NCCL refuses two processes on one GPU
            rows.append({"transport": name, "absent": str(problem)[:200]})
            continue
        for size in SIZES:
            part, to = device.zeros(size, np.uint8), device.zeros(size * comm.size, np.uint8)
            device.write(part, np.full(size, comm.rank + 1, np.uint8))
            us = microseconds(lambda: peers.all_gather(part, [size] * comm.size, to))  # noqa: B023
            right = np.repeat(np.arange(1, comm.size + 1, dtype=np.uint8), size)
            same = bool((device.download(to) == right).all())
            rows.append(
                {"transport": name, "what": "gather", "bytes": size, "us": us, "verified": same}
            )
    return rows


def participants() -> tuple[Any, Any, Any, int, bool]:
    """The cluster's backend, its distribution (None of one process), the local backend, the number
    of processes, and whether this is the first."""
    lg.set_backend("cluster")
    backend: Any = lg.Vector("BOOL", 1).backend
    distribution = getattr(backend, "distribution", None)
    if distribution is None:
        return backend, None, backend, 1, True
    return backend, distribution, distribution.local, distribution.size, distribution.rank == 0


def devices(distribution: Any, local: Any) -> str:
    """What the processes compute with; all of them call it."""
    name = device_name(local)
    if distribution is None:
        return f"1 x {name}"
    number = getattr(getattr(local, "device", None), "ordinal", distribution.rank)
    found = len(set(distribution.comm.texts(f"{platform.node()} {number}")))
    if found == distribution.size:
        return f"{found} x {name}"
    return f"{distribution.size} on {found} x {name}"


def threads(local: Any) -> int | None:
    """How many threads of the CPU each process computes with; None on a GPU."""
    if getattr(local, "device", None) is not None:
        return None
    return int(os.environ.get("OMP_NUM_THREADS") or processors())


def of_graph(name: str, rows: list[dict[str, Any]], between: list[dict[str, Any]]) -> record.Record:
    """The fields of a record that depend on the graph."""
    known = re.fullmatch(r"(kron|grid)(\d+)", name)
    n, nedges = rows[0]["vertices"], rows[0]["edges"]
    if known is not None:
        size = int(known[2])
        n, nedges = (1 << size, 16 << size) if known[1] == "kron" else (size**2, 2 * size**2)
    last, said = rows[-1], [one["verified"] for one in rows if one["verified"] is not None]
    return {
        "graph": label(name), "n": n, "nedges": nedges, "measurements": rows,
        "collectives": between, "samples_ms": last["samples_ms"], "median_ms": last["median_ms"],
        "checked": last["checked"], "verified": None if not said else all(said),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("graphs", nargs="*", help="kronS, gridN or a file")
    parser.add_argument("--algorithms", default=",".join(SEARCHES))
    parser.add_argument("--roots", type=int, default=ROOTS)
    parser.add_argument("--collectives", action="store_true")
    parser.add_argument("--out", default=str(record.RESULTS))
    parser.add_argument("--commit", help="of the code, where git is not there to say")
    options = parser.parse_args(arguments)
    backend, distribution, local, size, first = participants()
    device = devices(distribution, local)
    transport = getattr(getattr(distribution, "vector_exchange", None), "peers", None)
    common: record.Record = {
        "benchmark": "cluster", "backend": "cluster", "device": device, "prepare_ms": None,
        **record.made_now(options.commit), "peers": {},
        "processes": size, "threads": threads(local),
        "transport": getattr(transport, "name", "mpi"), "timed_by": "host clock",
        **record.NOT_OF_OPERATIONS,
    }  # fmt: skip
    if common["transport"] == "stores":
        common["layout"] = "stores"
    between = collectives(backend) if options.collectives and distribution is not None else []
    if first and between:
        for one in between:
            print(one)
    for name in options.graphs:
        rows = measure(name, options.algorithms.split(","), backend, options.roots)
        if not first:
            continue
        for one in rows:
            print(f"{name} {one['case']:11} {one['by']:14} {one['median_ms']:10.3f} ms "
                  f"{SAID[one['verified']]:5} {one.get('bytes_sent', '')} "
                  f"{one.get('exchanges', '')}", flush=True)  # fmt: skip
        print(record.write({**common, **of_graph(name, rows, between)}, Path(options.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
