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
from lagraph_gpu import io
from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.generate import generators

DATA = Path(os.environ.get("LAGRAPH_DATA", "../shared/data"))
FILES = {
    "NY": "dimacs9/USA-road-d.NY.dedup.gr.gz",
    "NE": "dimacs9/NE.gr.xz",
    "enron": "snap/email-Enron.txt.gz",
    "facebook": "snap/facebook_combined.txt.gz",
}
"""Real graphs by name, in the folder that LAGRAPH_DATA names."""

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
        edges = generators.random_graph(n, 8 * n, weights="integer")
        return lg.Graph.from_edgelist(edges, "min", directed=False, backend=backend)
    return named_graph(graph, "integer", backend, directed=False)


def bare(G: lg.Graph) -> lg.Graph:
    """The graph, which has kept nothing of earlier calls."""
    return lg.Graph._checked(G.A, directed=False)


def busy(G: lg.Graph) -> int:
    """A vertex of the largest component: the one of most edges."""
    return int(np.argmax(G.out_degree.to_dense(fill_value=0)))


def expect(right: bool | np.bool, what: str) -> None:
    if not right:
        raise VerificationError(f"expected {what}")


def fresh_process(program: str) -> tuple[float, float]:
    """The answer and the milliseconds that a program tells, run with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env=os.environ | {"LAGRAPH_GPU_CACHE": folder},
        )  # fmt: skip
    answer, ms = found.stdout.split()[-2:]
    return float(answer), float(ms)
