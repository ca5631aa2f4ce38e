"""Graphs by name: kronS, gridN, randomS, or a file."""

from __future__ import annotations

import re
from pathlib import Path

import lagraph_gpu as lg
from lagraph_gpu import generate, io
from lagraph_gpu.backend import Backend
from lagraph_gpu.generate import WeightKind
from lagraph_gpu.io import EdgeList


def named(name: str, weights: WeightKind = None) -> EdgeList:
    """The edges of a named graph, the same on every machine.

    ``kron20``: Graph500's Kronecker graph of 2^20 vertices, edge factor 16. ``grid1024``: a lattice
    of 1024 × 1024 with 10% of its edges removed. ``random20``: 2^20 vertices, 2^24 edges. Their
    ``weights`` may be "integer": 1 … 255 as float32. Anything else is the path of a file.

    >>> named("kron4").nrows, named("grid3", "integer").weight.dtype
    (16, dtype('float32'))
    """
    match = re.fullmatch(r"(kron|grid|random)(\d+)", name)
    if match is None:
        return io.read_edges(name)
    kind, size = match[1], int(match[2])
    if kind == "kron":
        return generate.kronecker(size, weights=weights)
    if kind == "grid":
        return generate.grid(size, size, removed=0.1, weights=weights)
    return generate.random_graph(1 << size, 16 << size, weights=weights)


def graph(
    name: str, weights: WeightKind, backend: Backend, directed: bool | None = None
) -> lg.Graph:
    """A named graph on a backend; a Kronecker graph is drawn where it will be searched."""
    if kron := re.fullmatch(r"kron(\d+)", name):
        return lg.kronecker(int(kron[1]), weights=weights, backend=backend)
    return lg.Graph.from_edgelist(named(name, weights), "min", directed=directed, backend=backend)


def label(name: str) -> str:
    """The name a record gives a graph: for a file, its own name without endings.

    >>> label("kron20"), label("roads/USA-road-d.NY.gr.gz")
    ('kron20', 'USA-road-d.NY')
    """
    path = Path(name)
    if path.suffix in (".gz", ".xz"):
        path = path.with_suffix("")
    return path.stem if path.suffix else path.name
