"""How fast are searches of a Kronecker graph whose rows are made and kept in parts?

    mpiexec -n 4 python -m benchmarks.cluster_rows 30

Every process draws all edges and keeps the rows that it owns, so nothing is sent to make the graph,
and none has more than its part. Searches start from random vertices, and a sample is the time of
the slowest process from a barrier to the result on the device, when all roots have been searched
before. Each search is checked by Graph500's rules, which a kernel of this benchmark looks up for
each edge (`search_rules.cu`); a sample of the drawn edges is looked for in the rows. Without
`mpiexec` there is one process.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks import record
from benchmarks.cluster import devices, participants, timed
from benchmarks.graph500 import input_edges, sampled_roots
from lagraph_gpu import verify
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_rows import DrawnRows

ROOTS, SAMPLED = 8, 1 << 20
RULES = Path(__file__).parent / "kernels" / "search_rules.cu"
BLOCKS, THREADS = 4096, 256


def check(G: lg.Graph, root: int, level: lg.Vector, parent: lg.Vector) -> None:
    """Raise VerificationError if a search breaks a rule."""
    backend: Any = G.backend
    distribution = getattr(backend, "distribution", None)
    local = backend if distribution is None else distribution.local
    if type(getattr(local, "device", None)).__name__ != "CupyDevice":
        verify.verify_bfs(G, root, level, parent)
        return
    if distribution is None:
        rank, size, A, own, whole = 0, 1, G.A._store, parent._store, level._store
    else:
        rank, size = distribution.rank, distribution.size
        A, own = G.A._store.part._store, parent._store.part._store
        whole = distribution.whole_vector(level._store)._store
    wrong = broken(local, (rank, size), A, whole, own, root)
    if distribution is not None:
        wrong = np.array(distribution.totals(*wrong.tolist()))
    if wrong.any():
        raise VerificationError(f"bfs from {root}: {wrong.tolist()} breaches of search_rules.cu")


def broken(
    local: Any, part: tuple[int, int], A: Any, level: Any, parent: Any, root: int
) -> np.ndarray:
    """How often each rule is broken in the rows of this process."""
    import cupy

    offset = "int" if A.offset.itemsize == 4 else "long long"
    text = RULES.read_text().replace("OFFSET", offset)
    kernel = cupy.RawKernel(text, "search_rules")
    wrong = cupy.zeros(3, np.uint64)
    given = [np.int64(A.shape[0]), np.int64(part[0]), np.int64(part[1]), A.indptr, A.indices]
    given += [level.bits, level.values, parent.bits, parent.values, np.int64(root), wrong]
    kernel((BLOCKS,), (THREADS,), tuple(given))
    return wrong.get().astype(np.int64)  # type: ignore[no-any-return]


def measured(G: lg.Graph, ends: lg.Vector, roots: Sequence[int]) -> dict[str, Any]:
    """The fields of a record that come from the searches, each of which is checked.

    All roots are searched twice, and the results of all are kept until the end, so that the second
    time nothing is compiled, allocated from the driver or opened to others. `first_ms` has the
    times of the first time.
    """
    backend: Any = G.backend
    distribution = getattr(backend, "distribution", None)
    comm = None if distribution is None else distribution.comm
    first = searched(G, roots)[0]
    times, found = searched(G, roots)
    before = 0 if comm is None else comm.traffic.bytes
    with lg.explain() as report:
        lg.bfs(G, roots[0])
    steps = [(one.what[-8:], one.chosen, one.facts) for one in report.choices]
    sent = 0 if comm is None else comm.traffic.bytes - before
    edges = []
    for root, (level, parent) in zip(roots, found, strict=True):
        check(G, root, level, parent)
        edges.append(input_edges(ends, level))
    every = sent if comm is None else int(comm.values(np.array([sent])).sum())
    return {
        **record.samples(roots, times, edges), "first_ms": [round(ms, 5) for ms in first],
        "component_edges": edges,
        "bytes_sent": every, "checked_roots": list(roots), "verified": True,
        "levels": [" ".join(map(str, (what.strip(), chosen, facts.get("frontier"),
                                      facts.get("bytes"), round(facts.get("waited", 0)))))
                   for what, chosen, facts in steps],
    }  # fmt: skip


def searched(G: lg.Graph, roots: Sequence[int]) -> tuple[list[float], list[Any]]:
    """The milliseconds of a search from each root, and all results."""
    backend: Any = G.backend
    comm = getattr(getattr(backend, "distribution", None), "comm", None)
    times, results = [], []
    for root in roots:
        found: list[Any] = []

        def search(root: int = root, found: list[Any] = found) -> lg.Vector:
            found[:] = lg.bfs(G, root)
            return found[0]  # type: ignore[no-any-return]

        times.append(timed(backend, comm, search)[1])
        results.append(found)
    return times, results


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("scale", type=int)
    parser.add_argument("--roots", type=int, default=ROOTS)
    parser.add_argument("--out", default=str(record.RESULTS))
    parser.add_argument("--commit", help="of the code, where git is not there to say")
    options = parser.parse_args(arguments)
    backend, distribution, local, size, first = participants()
    draw = Draw(options.scale)
    DrawnRows(Draw(4), backend)  # compiles
    backend.synchronize()
    begin = time.perf_counter()
    made = DrawnRows(draw, backend)
    backend.synchronize(made.ends._store)
    construction = (time.perf_counter() - begin) * 1e3
    if distribution is not None:
        construction = float(distribution.comm.values(np.array([construction])).max())
    if first:
        print(f"kron{draw.scale} on {size}: made in {construction:.0f} ms", flush=True)
    if wrong := made.differences(SAMPLED):
        raise VerificationError(f"kron{draw.scale}: {wrong} drawn edges are missing")
    G, ends = made.graph, made.ends
    del made
    roots = sampled_roots(G, options.roots, draw.seed)
    found = measured(G, ends, roots)
    nedges, on = G.A.nvals // 2, devices(distribution, local)
    if not first:
        return 0
    peers = getattr(getattr(distribution, "vector_exchange", None), "peers", None)
    transport = getattr(peers, "name", "none" if size == 1 else "mpi")
    layout = "ranges-stores" if transport == "stores" else "ranges"
    made_record: record.Record = {
        "benchmark": "cluster-rows", "graph": f"kron{draw.scale}", "n": draw.n, "nedges": nedges,
        "backend": "cluster", "device": on, "schedule": None,
        **record.made_now(options.commit),
        "layout": layout, "prepare_ms": round(construction, 3), "energy_j": None, "peers": {},
        "processes": size, "transport": transport, **found,
    }  # fmt: skip
    for line in found["levels"]:
        print("  ", line)
    print(f"kron{draw.scale} on {size}: bfs {found['median_ms']:.3f} ms, "
          f"{found['gteps_harmonic_mean']:.0f} GTEPS, all checked, {found['bytes_sent']:,} bytes "
          "sent", flush=True)  # fmt: skip
    print(record.write(made_record, Path(options.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
