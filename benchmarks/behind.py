"""Searches of a graph that does not fit on the device: its rows in the host's memory, read there.

``python -m benchmarks.behind --scale 24 26`` makes each Kronecker graph in packed rows, limits the
device to a quarter of what its plain rows would take (``lg.set_memory_limit``), and times searches
from the same roots: packed rows on the device; behind it, with one half of the free memory for the
first words of the stream, for the last ones, for both, and with a tenth for the first; with nothing
of the stream on the device; plain rows behind the device; and plain and packed rows in CUDA's
managed memory, while so much of the device is taken that a quarter is free. Levels are compared
with those of the graph on the device, and a tree is judged. Times are wall clock, warm, the median
of three searches from each root.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.record import write_rows
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.timing import device_name
from lagraph_gpu.verify import Rules

KERNELS = Path(__file__).parent / "kernels"
ROOTS, REPEATS = 8, 3
COMPARED = 2
"""From so many roots all levels are compared; from the others their number and their sum."""
SHARES = {
    "first and last words": 0.1, "half and half": 0.5, "first words": 1.0, "last words": 0.0,
}  # fmt: skip


def searched(G: lg.Graph, roots: np.ndarray, wanted: list[Any]) -> dict[str, Any]:
    """The times of searches, whose levels must be the wanted ones; these are filled in if there are
    none yet."""
    times, keep = [], not wanted
    for at, root in enumerate(map(int, roots)):
        found = []
        for _ in range(1 + REPEATS):
            begin = time.perf_counter()
            level, parent = lg.bfs(G, root)
            G.backend.synchronize(level._store, parent._store)
            found.append(1000 * (time.perf_counter() - begin))
        times.append(statistics.median(found[1:]))
        assert level.backend is G.backend, "it ran on the CPU"
        answer: list[Any] = [level.nvals, int(level.reduce("plus").new().get())]
        answer += [level.to_dense(-1)] if at < COMPARED else []
        if keep:
            wanted.append(answer)
        same = all(map(np.array_equal, answer, wanted[at]))
        assert same, f"other levels from {root}"
    median = statistics.median(times)
    return {"ms": [round(t, 3) for t in times], "median_ms": round(median, 3),
            "gteps": round(G.A.nvals / 2 / median / 1e6, 2)}  # fmt: skip


def bare(G: lg.Graph) -> lg.Graph:
    """The graph without earlier ids, and without facts that take memory."""
    return lg.Graph._checked(G.A, G.directed)


@contextmanager
def limited(most: int) -> Iterator[None]:
    lg.set_memory_limit(None, gpu=most)
    try:
        yield
    finally:
        lg.set_memory_limit(None)


@contextmanager
def managed(free: int) -> Iterator[Callable[[Any], Any]]:
    """A function that copies an array into managed memory, while so much of the device is free."""
    import cupy

    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    taken = cupy.cuda.Memory(max(0, cupy.cuda.runtime.memGetInfo()[0] - free))

    def moved(array: Any) -> Any:
        memory = cupy.cuda.malloc_managed(array.nbytes)
        made = cupy.ndarray((array.size,), array.dtype, memory)
        made.data.copy_from_host(array.ctypes.data, array.nbytes)
        return made

    yield moved
    del taken


def rows_of(scale: int, backend: Any, uses_managed: bool) -> Iterator[dict[str, Any]]:
    """A row for each way, as it is measured."""
    G = bare(lg.kronecker(scale, layout="packed", backend=backend))
    packing, device = G.backend.packing, G.backend.device  # type: ignore[attr-defined]
    rows, nnz = G.A._store.packed, G.A.nvals
    wanted: list[Any] = []
    degree = G.out_degree.to_dense(fill_value=0)
    roots = np.random.default_rng(1).choice(np.flatnonzero(degree), ROOTS)
    plain = 4 * nnz + (8 if nnz >= 2**31 else 4) * (G.n + 1)
    quarter = plain // 4
    about = {"scale": scale, "plain_bytes": plain, "packed_bytes": rows.nbytes, "limit": quarter}

    def row(what: str, G: lg.Graph, **more: Any) -> dict[str, Any]:
        return {**about, "what": what, **searched(G, roots, wanted), **more}

    yield row("packed, on the device", G)
    level, parent = lg.bfs(G, int(roots[0]))
    Rules(G).bfs(int(roots[0]), level, parent)
    begin = time.perf_counter()
    hosted = packing.on_host(rows)
    device.synchronize()
    pinned = round(time.perf_counter() - begin, 2)
    wide = device.empty(hosted.stream.size, hosted.stream.dtype)
    clock = device.stopwatch()
    device.overwrite(wide, hosted.stream)
    copied = clock()
    rate = None if copied is None else round(wide.nbytes / copied / 1000, 1)
    yield {**about, "what": "host to device, GB/s", "gb_per_s": rate, "pinned_s": pinned}
    del wide

    def over(packed: Any) -> lg.Graph:
        A = G.backend.as_matrix(packing.matrix(packed, G.n, nnz))  # type: ignore[attr-defined]
        return lg.Graph._checked(A, False)

    stream, rows = device.download(rows.stream), None
    G.A._store.packed = hosted
    G = bare(G)  # without what is known of it
    G.A._store.closures.give_back()
    del level, parent
    for what, share in SHARES.items():
        with limited(quarter):
            packing.head_share = share
            H = over(packing.placed(hosted))
            mine, kept = H.A._store.packed, device.free_bytes
            yield row(f"packed, behind: {what}", H, device_bytes=mine.nbytes,
                      host_bytes=mine.window.nbytes, kept=kept)  # fmt: skip
            del H, mine
    del packing.head_share
    H = over(packing.divided(hosted, 0, 0))
    yield row("packed, behind: nothing kept", H, device_bytes=H.A._store.packed.nbytes)
    del H
    if uses_managed:
        with managed(quarter) as moved:
            H = over(hosted._replace(stream=moved(stream)))
            yield row("packed, managed memory", H)
            del H
    K = bare(lg.kronecker(scale, layout="degree", backend=backend))
    yield row("plain, on the device", K)
    indices = device.download(K.A._store.indices)
    G.backend.spill.spilled_to_host(K.A)  # type: ignore[attr-defined]
    yield row("plain, behind", K)
    if uses_managed:
        with managed(quarter) as moved:
            K.A._store.indices = moved(indices)
            yield row("plain, managed memory", K)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.behind", description=__doc__)
    parser.add_argument("--scale", type=int, nargs="+", default=[20, 24])
    parser.add_argument("--backend", default="gpu")
    parser.add_argument("--no-managed", action="store_true", help="without CUDA's managed memory")
    parser.add_argument("--out", type=Path, default=KERNELS)
    options = parser.parse_args()
    rows = []
    for scale in options.scale:
        for row in rows_of(scale, options.backend, not options.no_managed):
            print(row["scale"], row["what"], row.get("median_ms", row.get("gb_per_s")),
                  row.get("gteps", ""), row.get("device_bytes", ""), flush=True)  # fmt: skip
            rows.append(row)
    device = device_name(resolve(options.backend))
    write_rows("behind", "behind-the-device", device, rows, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
