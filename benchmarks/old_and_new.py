"""Two versions of this library beside each other: is any call slower in the new one?

``python -m benchmarks.old_and_new OLD NEW`` takes two checkouts. Processes of the two take turns on
one machine, so that both meet the same clocks and the same noise; each makes the same graphs, calls
everything once to compile, and prints the median time of each call until its result is there. The
ratio of the smallest medians says what changed. Within one version it strays by about 10% above
1 ms, and by more below. The record goes into ``benchmarks/kernels/``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.record import slug, text

KERNELS = Path(__file__).parent / "kernels"


def calls(scale: int, side: int) -> dict[str, Callable[[], Any]]:
    """What is timed: a name and a function without arguments for each call.

    Only names that both versions have are used here; a call that a version does not have is left
    out of the comparison.
    """
    import lagraph_gpu as lg
    from semirings import min_plus, plus_times

    kron = lg.kronecker(scale, weights="integer", seed=1)
    grid = lg.grid(side, side, removed=0.1, weights="integer", seed=1)
    uniform = lg.random_graph(1 << scale, 8 << scale, seed=1, directed=True)
    found: dict[str, Callable[[], Any]] = {}
    for name, G in (("kron", kron), ("grid", grid)):
        hub = int(G.out_degree.to_dense(fill_value=0).argmax())
        x0 = lg.Vector.from_coo([hub], [0], size=G.n, backend=G.backend)

        def add(
            what: str, call: Callable[..., Any], *operands: Any, name: str = name, **options: Any
        ) -> None:
            found[f"{what} {name}"] = lambda: call(*operands, **options)

        add("bfs", lg.bfs, G, hub)
        add("bfs push", lg.bfs, G, hub, schedule=lg.Schedule(direction="push"))
        add("bfs pull", lg.bfs, G, hub, schedule=lg.Schedule(direction="pull"))
        add("sssp", lg.sssp, G, hub)
        add("sssp delta", lg.sssp, G, hub, schedule=lg.Schedule(order="delta"))
        add("closure by rounds", lg.closure, x0, G.A, min_plus)
        add("pagerank", lg.pagerank, G)
        add("components", lg.connected_components, G)
        add("spanning tree", lg.minimum_spanning_tree, G)
        add("independent set", lg.maximal_independent_set, G, seed=1)
        add("coloring", lg.greedy_color, G, seed=1)
        add("cores", lg.core_number, G)
        add("label propagation", lg.label_propagation, G)
        add("louvain", lg.louvain, G, seed=1)
        add("betweenness of 32", lg.betweenness_centrality, G, k=min(32, G.n), seed=1)
        add("hops from 128", lg.distance_matrix, G, list(range(min(128, G.n))), weight=None)
        add("closeness of 128", lg.closeness_centrality, G, list(range(min(128, G.n))))
        add("truss", lg.k_truss, G, 4)
        add("relabel", G.relabel, "degree")
    ones = lg.Vector.from_dense([1.0] * uniform.n, backend=uniform.backend)
    A = uniform.A
    found["triangles kron"] = lambda: lg.triangle_count(kron)
    found["strong components uniform"] = lambda: lg.strongly_connected_components(uniform)
    found["mxv uniform"] = lambda: A.mxv(ones, plus_times).new()
    found["vxm uniform"] = lambda: ones.vxm(A, plus_times).new()
    found["mxm uniform"] = lambda: A.mxm(A, plus_times).new()
    found["masked mxm uniform"] = lambda: A.mxm(A, plus_times).new(mask=A.S)
    found["ewise_add uniform"] = lambda: A.ewise_add(A, "plus").new()
    return found


def timed(backend: Any, scale: int, side: int, seconds: float) -> dict[str, float | str]:
    """The median milliseconds of each call in this process, or why there is none.

    Each call is repeated for so many seconds, and at least five times.
    """
    import lagraph_gpu as lg

    lg.set_backend(backend)
    wait: Callable[[], Any] = int  # the CPU's calls wait by themselves
    if backend == "gpu":
        import cupy

        wait = cupy.cuda.Device().synchronize
    found: dict[str, float | str] = {}
    for name, call in calls(scale, side).items():
        try:
            for _ in range(2):
                call()
                wait()
            times: list[float] = []
            end = time.perf_counter() + seconds
            while len(times) < 5 or time.perf_counter() < end:
                start = time.perf_counter()
                call()
                wait()  # synchronize!
                times.append(1e3 * (time.perf_counter() - start))
            found[name] = statistics.median(times)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"[:200]
    return found


def process(
    checkout: Path, backend: str, scale: int, side: int, seconds: float
) -> dict[str, float | str]:
    """What `timed` finds in a process of its own, with the library of a checkout.

    This module is run from its own file, so that both versions are asked the same.
    """
    command = [sys.executable, __file__, "--here", backend, str(scale), str(side)]
    command.append(str(seconds))
    environment = os.environ | {"PYTHONPATH": _path(checkout)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=checkout)
    if done.returncode:
        raise SystemExit(f"the process of {checkout} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def _path(checkout: Path) -> str:
    """PYTHONPATH with a checkout before what it holds already."""
    return os.pathsep.join(filter(None, (str(checkout), os.environ.get("PYTHONPATH"))))


def compared(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each call: the medians of all processes, and the ratio of the smallest.

    >>> compared([{"bfs": 2.0}, {"bfs": 3.0}], [{"bfs": 2.5}, {"bfs": 2.2}])
    [{'call': 'bfs', 'old_ms': [2.0, 3.0], 'new_ms': [2.5, 2.2], 'ratio_of_minima': 1.1}]
    >>> compared([{"bfs": 2.0}], [{"bfs": "AttributeError: no bfs"}])
    [{'call': 'bfs', 'old_ms': [2.0], 'new_ms': [], 'absent': 'AttributeError: no bfs'}]
    """
    rows: list[dict[str, Any]] = []
    for call in new[0]:
        row: dict[str, Any] = {"call": call}
        for side, processes in (("old_ms", old), ("new_ms", new)):
            found = [p.get(call, "the call is not there") for p in processes]
            row[side] = [round(t, 4) for t in found if not isinstance(t, str)]
            if absent := [t for t in found if isinstance(t, str)]:
                row["absent"] = absent[0]
        if row["old_ms"] and row["new_ms"]:
            row["ratio_of_minima"] = round(min(row["new_ms"]) / min(row["old_ms"]), 3)
        rows.append(row)
    return rows


def commit_of(checkout: Path) -> str:
    """The commit of a checkout: by git, or from the file COMMIT where a copy has no history."""
    note = checkout / "COMMIT"
    if note.exists():
        return note.read_text().strip()
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def device_name(backend: str) -> str:
    """What the calls run on."""
    if backend != "gpu":
        return backend
    import cupy

    return str(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.old_and_new", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout of the old version")
    parser.add_argument("new", type=Path, help="a checkout of the new version")
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="gpu")
    parser.add_argument("--processes", type=int, default=3, help="of each version")
    parser.add_argument("--scale", type=int, default=20, help="of the Kronecker graph")
    parser.add_argument("--side", type=int, default=1500, help="of the lattice")
    parser.add_argument("--seconds", type=float, default=0.4, help="of repeating each call")
    parser.add_argument("--out", type=Path, default=KERNELS, help="the folder of the record")
    options = parser.parse_args()
    size = options.backend, options.scale, options.side, options.seconds
    checkouts = options.old.resolve(), options.new.resolve()
    found: tuple[list[Any], list[Any]] = ([], [])
    for _ in range(options.processes):
        for checkout, processes in zip(checkouts, found, strict=True):
            processes.append(process(checkout, *size))
    date = datetime.now(UTC).date().isoformat()
    device = device_name(options.backend)
    rows = compared(*found)
    record = {
        "benchmark": "old-and-new",
        "device": device,
        "date": date,
        "old": commit_of(checkouts[0]),
        "new": commit_of(checkouts[1]),
        "graphs": f"kronecker({options.scale}), grid({options.side}, {options.side}, 0.1), "
        f"random_graph(2^{options.scale}, 2^{options.scale + 3}, directed)",
        "rows": rows,
    }
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"old-and-new-{slug(device)}-{date}.json"
    path.write_text(text(record), encoding="utf-8")
    print(f"{'call':<32}{'old ms':>10}{'new ms':>10}{'ratio':>8}")
    for row in rows:
        if "ratio_of_minima" in row:
            least = min(row["old_ms"]), min(row["new_ms"])
            print(f"{row['call']:<32}{least[0]:>10.4f}{least[1]:>10.4f}{row['ratio_of_minima']:>8}")
        else:
            print(f"{row['call']:<32}{row.get('absent')}")
    print(path)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        print(
            json.dumps(timed(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])))
        )
        raise SystemExit(0)
    raise SystemExit(main())
