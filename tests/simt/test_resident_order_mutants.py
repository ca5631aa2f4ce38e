# ruff: noqa: E501  (mutants of one line)
"""Closures by order of value over distributed rows in one launch, in which the devices of processes
that take turns run together, and the kernel broken in the lines that matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
from lagraph_gpu.gpu.closure.resident_order import Facts, ResidentOrder, facts_of
from lagraph_gpu.gpu.closure import resident_order
from semirings import max_min, max_plus, min_max, min_plus
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.simt.exercises import gpu
from tests.simt.mutants import Mutant, suite


def weighted(seed: int, kind: str, directed: bool, n: int = 120, least: int = 1) -> lg.Graph:
    """With a hub, a path, vertices without an edge, and ids that end within a word."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(10, n - 20, (2, 2 * n))
    path = np.arange(n - 20, n - 3)
    src = np.concatenate([src, np.full(60, 40), path, [45]])
    dst = np.concatenate([dst, rng.integers(10, n - 20, 60), path + 1, [n - 20]])
    w = rng.integers(least, 30, src.size).astype(kind)
    return lg.Graph.from_edges(src, dst, w, n=n, directed=directed, dup="first", backend=CPU)


def held(
    G: lg.Graph, starts: dict[int, float], ring: Any, size: int, seed: int, steps: int | None = None,
    factor: float = 1.0,
) -> list[Any]:  # fmt: skip
    """The closure is that of the CPU, by rounds if they are bounded. What is told of the launches
    is returned."""
    x0 = lg.Vector.from_coo(list(starts), list(starts.values()), size=G.n, dtype=G.A.dtype, backend=CPU)
    right = closure_with_steps(x0, G.A, ring, steps) if steps else (lg.closure(x0, G.A, ring),)
    ends: list[Any] = []
    noted = ResidentOrder._noted

    def work(backend: Any) -> Any:
        begun = lg.Vector.from_coo(
            list(starts), list(starts.values()), size=G.n, dtype=G.A.dtype, backend=backend
        )
        A = G.to(backend).A
        if steps:
            return [one.to_dicts() if False else one.to_dict() for one in closure_with_steps(begun, A, ring, steps)]
        return [lg.closure(begun, A, ring).to_dict()]

    def facts(*given: Any) -> Facts:
        known = facts_of(*given)
        return known._replace(width=known.width * factor)

    def note(self: Any, end: Any) -> bool:
        ends.append(end)
        return noted(self, end)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DistributedLevels, "piece", 7)
        patch.setattr(resident_order, "facts_of", facts)
        patch.setattr(ResidentOrder, "_noted", note)
        for told in on_ranks(size, work, gpu(seed), transport="neighbours"):
            assert told == [one.to_dict() for one in right]
    assert len(ends) == size and len({(end.rounds, end.pushed) for end in ends}) == 1
    return ends


def lengths() -> None:
    """Shortest paths of integers and floats, from several vertices, one of which has no edge."""
    for seed, size, kind, directed in ((0, 2, "int64", False), (1, 3, "float64", False), (2, 2, "int32", True)):
        held(weighted(seed, kind, directed), {11: 3, 40: 0, 2: 5}, min_plus, size, seed)


def extremes() -> None:
    """Other orders: the largest first, and plateaus; and values at which a fold begins."""
    held(weighted(0, "float32", False), {11: 100}, max_min, 2, 0)
    held(weighted(1, "int32", False), {11: 0}, min_max, 3, 1)
    top = np.iinfo(np.int64).max
    held(weighted(2, "int64", False), {11: top, 40: top}, min_max, 2, 2)
    lose = weighted(0, "int64", True)
    lose = lg.Graph(lose.A.apply("ainv").new(), directed=True)
    held(lose, {11: 50, 40: 60}, max_plus, 2, 1)


def bounds() -> None:
    """Narrow steps move the bound often, wide ones never; both end with the same distances. Steps
    that cover few edges become wider."""
    G = weighted(3, "int64", False)
    narrow, wide = (held(G, {11: 0}, min_plus, 2, 0, factor=factor)[0] for factor in (0.2, 1e9))
    assert narrow.rounds > wide.rounds and narrow.pushed <= wide.pushed
    assert narrow.exchanges > narrow.rounds + 3 and wide.exchanges <= wide.rounds + 3
    tiny = held(G, {11: 0}, min_plus, 2, 0, factor=1e-3)[0]
    assert tiny.exchanges < 2 * 120  # not one for each distance


def rounds() -> None:
    """The rounds of the loop, where they are bounded, and whether another one would change more."""
    for seed, steps in ((0, 1), (1, 3), (2, 200)):
        ends = held(weighted(seed, "int64", False), {11: 0, 45: 2}, min_plus, 2, seed, steps)
        assert ends[0].rounds <= steps and ends[0].at_rest == (steps == 200)


def deep() -> None:
    """A launch that looks deep ends, and begins again if the closure cannot go elsewhere."""
    n = 90
    path = np.arange(n - 1)
    G = lg.Graph.from_edges(path, path + 1, path % 5 + 1, n=n, directed=False, backend=CPU)
    right = lg.sssp(G, 0)[0].to_dense(-1)

    def work(backend: Any) -> Any:
        launched = backend.local.device.launches
        x = lg.closure(G.to(backend).point(0, 0, "INT64"), G.to(backend).A, min_plus)
        return x.to_dense(-1), backend.distribution.on_devices.levels.exposed, launched

    for found, exposed, _ in on_ranks(2, work, gpu(0), transport="neighbours"):
        np.testing.assert_array_equal(found, right)
        assert not exposed


def no_order() -> None:
    """Not a number, and sums that wrap: the rounds of the loop find the same as on the CPU."""
    G = weighted(1, "float64", False)
    x0 = {11: 0.0, 40: float("nan")}
    held_none(G, x0)
    A = lg.Matrix.from_coo([0, 1], [1, 2], [-3, 4], nrows=70, ncols=70, backend=CPU)
    held_none(lg.Graph(A, directed=True), {0: 0})


def held_none(G: lg.Graph, starts: dict[int, float]) -> None:
    x0 = lg.Vector.from_coo(list(starts), list(starts.values()), size=G.n, dtype=G.A.dtype, backend=CPU)
    right = lg.closure(x0, G.A, min_plus, 9).to_dense(-1)

    def work(backend: Any) -> Any:
        begun = lg.Vector.from_coo(list(starts), list(starts.values()), size=G.n, dtype=G.A.dtype, backend=backend)
        return lg.closure(begun, G.to(backend).A, min_plus, 9).to_dense(-1)

    for found in on_ranks(2, work, gpu(0), transport="neighbours"):
        np.testing.assert_array_equal(found, right)


EXERCISES = (lengths, extremes, bounds, rounds, deep, no_order)
test_exercise, test_mutant_is_killed = suite(EXERCISES, [])
