"""Timing of one search: from the call until its results are complete on the device."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.graph import Graph
from semirings.operators import BINARY

Results = tuple[Any, ...]


def timed(G: Graph, search: Callable[[], Results]) -> tuple[Results, float]:
    """The results of `search`, and its time in milliseconds.

    The device is idle at the start and has finished at the end. Nothing is copied to the host.

    >>> import lagraph_gpu as lg
    >>> G = lg.grid(3, 3, backend="cpu")
    >>> (level, parent), ms = timed(G, lambda: lg.bfs(G, 0))
    >>> level.nvals, ms > 0
    (9, True)
    """
    G.backend.synchronize()
    start = time.perf_counter()
    results = search()
    G.backend.synchronize(*(part._store for part in results if hasattr(part, "_store")))
    return results, (time.perf_counter() - start) * 1e3


def with_unit_weights(G: Graph) -> Graph:
    """The graph itself, or for a graph without weights one with weights 1 in a type that holds the
    longest path.

    >>> import lagraph_gpu as lg
    >>> with_unit_weights(lg.grid(2, 2, backend="cpu")).A.dtype.name
    'INT32'
    """
    if G.weighted or G.A.nvals == 0:
        return G
    A = G.A.apply(BINARY["pair"], right=np.int32(1)).new("INT32")
    return Graph._checked(A, G.directed, weighted=True)._like(G)


def random_roots(degree: np.ndarray, count: int, seed: int) -> list[int]:
    """Different random vertices that have edges; all of them if there are fewer than `count`.

    >>> import numpy as np
    >>> sorted(random_roots(np.array([0, 2, 1, 0, 3]), 9, seed=1))
    [1, 2, 4]
    """
    candidates = np.flatnonzero(degree)
    rng = np.random.default_rng(seed)
    chosen = rng.choice(candidates, min(count, candidates.size), replace=False)
    return [int(v) for v in chosen]


def harmonic_mean(rates: Sequence[float]) -> float | None:
    """The harmonic mean, which is the right mean for rates over equal work. None for an empty
    sequence.

    >>> harmonic_mean([1.0, 3.0])
    1.5
    """
    if not rates or min(rates) <= 0:
        return None
    return len(rates) / sum(1 / rate for rate in rates)


def device_name(backend: Backend) -> str:
    """The name of the GPU or the processor that a backend computes on.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu") as cpu:
    ...     device_name(cpu) != ""
    True
    """
    device = getattr(backend, "device", None)
    return device.name if device is not None else cpu_name()


def cpu_name() -> str:
    """The name of the processor, as far as the operating system knows it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "unknown"
