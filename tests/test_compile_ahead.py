"""Kernels that are needed one after another are compiled side by side, on a fresh device."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.triangles import total_triangles
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import plus_pair
from tests.simt.device import EmulatedDevice

Program = tuple[str, str]


class Recording(EmulatedDevice):
    """Notes what is begun ahead of need, and what is compiled."""

    def __init__(self) -> None:
        super().__init__("check", block_size=64, max_blocks=4)
        self.begun: list[Program] = []
        self.compiled: list[Program] = []

    def compile_ahead(self, programs: Iterable[Program]) -> bool:
        self.begun += programs
        return True

    def compile(self, source: str, name: str) -> Any:
        self.compiled.append((source, name))
        return super().compile(source, name)


def squared_within(G: lg.Graph) -> lg.Matrix:
    """The number of wedges that each edge closes."""
    wedges = lg.Matrix(np.int64, *G.A.shape, backend=G.backend)
    wedges(mask=G.A.S) << plus_pair(G.A @ G.A)
    return wedges


CALLS: dict[str, tuple[Callable[[lg.Graph], Any], int]] = {
    "truss": (lambda G: lg.k_truss(G, 4), 5),
    "triangles by statements": (total_triangles.statements, 2),
    "a product within a mask": (squared_within, 3),
    "relabel": (lambda G: G.relabel("degree"), 5),
    "louvain": (lambda G: lg.louvain(G, seed=1), 8),
}
"""For each call so many of its kernels at least."""


@pytest.mark.parametrize("call", CALLS)
def test_what_a_first_call_needs_is_begun_together(call: str) -> None:
    work, least = CALLS[call]
    device = Recording()
    backend = GpuBackend(device)
    backend.small_graphs.most_for_louvain = 0  # or the host's loops do it
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, 90, (2, 500))
    edges = np.unique(np.sort(np.stack([u, v])[:, u != v], axis=0), axis=1)
    G = lg.Graph.from_edges(*edges, n=90, directed=False, backend=backend)
    work(G)
    begun, compiled = set(device.begun), set(device.compiled)
    assert len(begun & compiled) >= least
    device.begun.clear()
    work(G)
    assert device.begun == []  # nothing is begun again
