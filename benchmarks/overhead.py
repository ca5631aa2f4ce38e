"""What does a small operation cost the host? ``python -m benchmarks.overhead``.

Operands have 8 entries, so there is next to nothing to compute. A sample is the median over CALLS
calls of the time from the call until it returns; it contains a wait for the device only where the
operation waits itself. ``host_us`` splits it: the statement (expressions made and checked), plan
and source, kernel lookup, kernel launch, memory, uploads, waits. ``--backend null`` has a device
that does nothing, for machines without a GPU; its results mean nothing, so it leaves no record.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks import record
from benchmarks.clock import Sample
from benchmarks.expected import ExpectedVector
from benchmarks.harness import exit_code
from benchmarks.hosttime import NullDevice, by_part, watched
from benchmarks.operations import (
    OURS,
    Entry,
    Place,
    Ways,
    compose,
    measurement_options,
    race,
    table,
)
from benchmarks.options import parser_of
from benchmarks.peers import imported
from benchmarks.problem import as_matrix
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import BINARY, SEMIRINGS

N, CALLS = 8, 50
u0 = np.arange(1, N + 1, dtype=np.float32)
A0 = sp.csr_array(np.roll(np.diag(u0), 1, axis=1))  # a ring, 0 -> 1 with weight 1, …
plus, plus_times, min_plus = BINARY["plus"], SEMIRINGS["plus_times"], SEMIRINGS["min_plus"]

Statements = dict[str, tuple[Callable[[], lg.Vector], ExpectedVector]]


class HostClock:
    """Times calls until they return."""

    by, cuda, copy_bytes = f"host clock, median of {CALLS} calls a sample", False, 0

    def copy(self, _: Any = None) -> None:
        """Nothing: no bytes are counted here."""

    def sample(self, work: Any, fresh: Any, wait: Any, on_device: bool) -> Sample:
        returned, ready = [], []
        for _ in range(CALLS):
            wait(None)
            begin = time.perf_counter()
            result = work(None)
            middle = time.perf_counter()
            wait(result)
            ready.append((time.perf_counter() - begin) * 1e3)
            returned.append((middle - begin) * 1e3)
        return Sample(result, statistics.median(returned), statistics.median(ready))


def statements(backend: Backend) -> Statements:
    """The operations, and what they should leave."""
    every = np.arange(N)
    u = lg.Vector.from_dense(u0, backend=backend)
    v, w = u.dup(), u.dup()
    A = as_matrix(A0, backend)
    G = lg.Graph(A, directed=True)
    start = lg.Vector.from_coo([0], np.float32(0), size=N, backend=backend)
    some = lg.Vector.from_coo(every[::2], u0[::2], size=N, backend=backend)

    def add() -> lg.Vector:
        w << plus(u | v)
        return w

    def product() -> lg.Vector:
        w << plus_times(A @ u)
        return w

    def assign() -> lg.Vector:
        v(some.S) << 9
        v(~some.S) << 9
        return v

    return {
        "w << plus(u | v)": (add, ExpectedVector(every, 2 * u0)),
        "v.apply(ainv).new()": (lambda: u.apply("ainv").new(), ExpectedVector(every, -u0)),
        "w << plus_times(A @ u)": (product, ExpectedVector(every, A0 @ u0)),
        "closure, one step": (
            lambda: lg.closure(start, A, min_plus, max_rounds=1),
            ExpectedVector(every[:2], np.array([0.0, 1.0])),
        ),
        "lg.bfs(G, 0)[0]": (
            lambda: lg.bfs(G, 0)[0],
            ExpectedVector(every, np.arange(N, dtype=np.int32)),
        ),
        "two masked assigns": (assign, ExpectedVector(every, np.full(N, 9.0))),
    }


def ways(backend: Backend) -> list[Entry]:
    """Ours, python-graphblas through our CPU backend, and CuPy where it has the operation."""
    found, problem = Ways(), SimpleNamespace(ours=Place(OURS, backend, None))  # type: ignore[arg-type]
    if backend.name != "cpu":
        problem.graphblas = Place("python-graphblas", resolve("cpu"), None, False)  # type: ignore[arg-type]
    for case, (_, expected) in statements(backend).items():

        def make(place: Place, case: str = case, right: ExpectedVector = expected) -> Any:
            statement = statements(place.backend)[case][0]
            return lambda: None, lambda _: statement(), lambda w: right.check(*w.to_coo())

        only = (OURS,) if backend.name == "cpu" else (OURS, "python-graphblas")
        found.notation(problem, case, case, make, None, only)  # type: ignore[arg-type]
    if type(getattr(backend, "device", None)).__name__ == "CupyDevice":
        by_cupyx(found, backend)
    return found.entries


def by_cupyx(found: Ways, backend: Backend) -> None:
    cupy, sparse = imported("cupy"), imported("cupyx.scipy.sparse")
    u, A = cupy.asarray(u0), sparse.csr_matrix(sp.csr_matrix(A0))
    same: dict[str, Callable[[Any], Any]] = {
        "w << plus(u | v)": lambda _: u + u,
        "v.apply(ainv).new()": lambda _: -u,
        "w << plus_times(A @ u)": lambda _: A @ u,
    }
    rights = {case: right for case, (_, right) in statements(backend).items()}
    for case, work in same.items():
        with found.peer(case, "cupyx") as add:
            add(case, work, lambda y, right=rights[case]: right.check_dense(y.get()),
                on_device=True, wait=lambda _: backend.synchronize())  # fmt: skip


def breakdown(backend: Backend) -> dict[str, dict[str, float]]:
    """For each operation the median microseconds of the host by part."""
    twin, watch = watched(backend)
    found = {}
    for case, (statement, _) in statements(twin).items():
        statement()
        found[case] = by_part(watch, statement, 4 * CALLS)
        twin.synchronize()
    return found


def measure(backend: Backend, options: argparse.Namespace) -> record.Record:
    """The record. Raises VerificationError if a result of ours is wrong."""
    clock: Any = HostClock()
    entries = [e for e in ways(backend) if options.peers or e.by == OURS]
    rows, copies = race(entries, clock, backend, options.samples, options.budget)
    parts = {} if backend.name == "cpu" else breakdown(backend)
    for row in rows:
        if row["by"] == OURS:
            row["host_us"] = parts.get(row["case"])
    problem = SimpleNamespace(backend=backend, label="ring8", n=N, nedges=N, note=None,
                              prepare_ms=0.0)  # fmt: skip
    return compose("overhead", problem, rows, copies, options, clock)


def shares(parts: dict[str, dict[str, float]]) -> str:
    """Lines for a person: where the host's time goes."""
    lines = ["host microseconds, by part:"]
    for case, spent in parts.items():
        split = ", ".join(f"{name} {us:.1f}" for name, us in spent.items())
        lines.append(f"  {case:<24} {sum(spent.values()):7.1f} = {split}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and record; 0, 1 if an answer was wrong, 2 for bad input."""
    parser = parser_of("overhead")
    measurement_options(parser, 30, backends=("cpu", "gpu", "null"))
    options = parser.parse_args(arguments)
    if options.backend == "null":
        print(shares(breakdown(GpuBackend(NullDevice()))))  # type: ignore[arg-type]
        return 0

    def answer() -> None:
        found = measure(resolve(options.backend), options)
        path = record.write(found, options.out)
        print(table(found))
        parts = {r["case"]: r["host_us"] for r in found["measurements"] if r.get("host_us")}
        print(shares(parts) if parts else "", f"  {path}", sep="\n")

    return exit_code(answer)


if __name__ == "__main__":
    sys.exit(main())
