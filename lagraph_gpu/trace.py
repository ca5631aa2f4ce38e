"""A record of what a traversal did, for those who ask.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1], [1, 2], n=3, backend="cpu")
>>> with lg.trace() as steps:
...     level, parent = lg.bfs(G, 0)
>>> [(s.frontier, s.edges) for s in steps]
[(1, 1), (1, 1), (1, 0)]

Outside such a block nothing is recorded and nothing is spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One product: the direction, the frontier's entries, the edges that leave it."""

    direction: str
    frontier: int
    edges: int
    clock: int = 0
    """Cycles of the device when it began, where a single kernel did several."""


_steps: ContextVar[list[Step] | None] = ContextVar("lagraph_gpu_trace", default=None)


@contextmanager
def trace() -> Iterator[list[Step]]:
    """Collect one Step for each product of a vector and a matrix within the block."""
    steps: list[Step] = []
    token = _steps.set(steps)
    try:
        yield steps
    finally:
        _steps.reset(token)


def recording() -> bool:
    """Does anybody listen?"""
    return _steps.get() is not None


def record(direction: str, frontier: int, edges: int, clock: int = 0) -> None:
    """Called by a backend once for each product."""
    steps = _steps.get()
    if steps is not None:
        steps.append(Step(direction, frontier, edges, clock))
