"""What cases of ``benchmarks.marks`` share on all backends: graphs, judges, fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.graphs import graph as named_graph
from benchmarks.operations import OURS, Ways
from lagraph_gpu import generate, io
from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import VerificationError

DATA = Path(os.environ.get("LAGRAPH_DATA", "../shared/data"))
FILES = {
    "NY": "dimacs9/USA-road-d.NY.dedup.gr.gz",
    "NE": "dimacs9/NE.gr.xz",
    "enron": "snap/email-Enron.txt.gz",
    "facebook": "snap/facebook_combined.txt.gz",
}
"""Real graphs by name, in the folder that LAGRAPH_DATA names."""

LARGE = "GAP ", "Friendster "
"""How graphs are named that need a device of more than 80 GB."""

Made = tuple[int, int, Ways]
"""The vertices, the edges, and the ways of one graph's cases."""


class Cases:
    """The ways of one graph's cases by us, each judged once and compared afterwards."""

    def __init__(self, backend: Backend) -> None:
        self.backend, self.found = backend, Ways()

    def __call__(self, case: str, text: str, work: Callable[[], Any], check: Any) -> None:
        with self.found.peer(case, OURS) as add:
            add(text, lambda _: work(), check, wait=self.wait)

    def wait(self, result: Any) -> None:
        parts = result if isinstance(result, tuple | list) else (result,)
        held = [getattr(part, "A", part) for part in parts]
        self.backend.synchronize(
            *(p._store for p in held if p is not None and hasattr(p, "_store"))
        )


class Searched:
    """Judges a search: its tree, and afterwards whether the numbers are the same."""

    def __init__(self, full: Callable[..., None]) -> None:
        self.full = full
        self.numbers: lg.Vector | None = None

    def __call__(self, found: Any) -> None:
        if self.numbers is None:
            self.full(*found)
            self.numbers = found[0]
        expect(self.numbers.isequal(found[0]), "the same levels or distances")


def made(graph: str, backend: Backend) -> lg.Graph:
    """The undirected graph of this name, with integer weights (FP32)."""
    if graph in FILES:
        edges = io.read_edges(str(DATA / FILES[graph]))
        return lg.Graph.from_edgelist(edges, "min", directed=False, backend=backend)
    if graph.startswith("path"):
        n = 1 << int(graph.removeprefix("path"))
        ends = np.arange(n - 1), np.arange(1, n)
        return lg.Graph.from_edges(*ends, n=n, directed=False, backend=backend)
    if graph.startswith("uniform"):
        n = 1 << int(graph.removeprefix("uniform"))
        edges = generate.random_graph(n, 8 * n, weights="integer")
        return lg.Graph.from_edgelist(edges, "min", directed=False, backend=backend)
    return named_graph(graph, "integer", backend, directed=False)


PASSED = 4
"""So many sources for betweenness."""


def passing(
    cases: Cases, G: lg.Graph, case: str = "betweenness from 4", among: np.ndarray | None = None
) -> None:
    """Betweenness of a few sources, at each of which `among` is positive. A source adds to all
    vertices together the vertices of a shortest path to each other vertex."""
    seed, chosen = 1, drawn_sources(1, G.n)
    while among is not None and not among[chosen].all():
        seed += 1
        chosen = drawn_sources(seed, G.n)
    total = 0.0
    for source in chosen:
        level = lg.bfs(G, int(source))[0]
        total += int(level.dup("INT64").reduce("plus").new().get(0)) + level.nvals - 1
    total /= PASSED * (G.n - 1)

    def judge(value: lg.Vector) -> None:
        of_all = float(value.reduce("plus").new().get(0))
        expect(np.isclose(of_all, total, rtol=1e-6), f"a sum of {total}, got {of_all}")

    some: dict[str, Any] = {"k": PASSED, "seed": seed, "endpoints": True}
    cases(case, f"betweenness_centrality(G), {PASSED} sources",
          lambda: lg.betweenness_centrality(bare(G), **some), judge)  # fmt: skip


def drawn_sources(seed: int, n: int) -> np.ndarray:
    """Which sources betweenness takes by this seed."""
    return np.random.default_rng(seed).choice(n, PASSED, replace=False)


def bare(G: lg.Graph) -> lg.Graph:
    """The graph, which has kept nothing of earlier calls."""
    return lg.Graph._checked(G.A, directed=False)


def busy(G: lg.Graph) -> int:
    """A vertex of the largest component: the one of most edges."""
    return int(np.argmax(G.out_degree.to_dense(fill_value=0)))


def expect(right: bool | np.bool, what: str) -> None:
    if not right:
        raise VerificationError(f"expected {what}")


CACHES = "LAGRAPH_GPU_CACHE", "CUPY_CACHE_DIR"
"""The variables that name a folder of what was compiled."""


def fresh_process(program: str) -> tuple[float, float]:
    """The answer and the milliseconds that a program tells, run with empty caches."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env=os.environ | {name: f"{folder}/{name}" for name in CACHES},
        )  # fmt: skip
    answer, ms = found.stdout.split()[-2:]
    return float(answer), float(ms)
