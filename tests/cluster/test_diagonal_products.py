"""Products with diagonal matrices, for which a process needs values of a vector and no rows of
others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from semirings import min_plus, min_secondi, plus_first, plus_second, plus_times
from tests.cluster.turns import on_ranks
from tests.harness import BOTH, CPU

N = 13
SIDES = {"left": lambda D, A: (D, A), "right": lambda D, A: (A, D), "both": lambda D, A: (D, D)}


def operands(backend: Any) -> tuple[lg.Vector, lg.Matrix]:
    """A vector that lacks some entries, and a matrix."""
    drawn = np.random.default_rng(3)
    at = np.flatnonzero(drawn.random(N) < 0.7)
    row, column = np.nonzero(drawn.random((N, N)) < 0.3)
    v = lg.Vector.from_coo(at, at + 2, size=N, backend=backend)
    values = drawn.integers(1, 9, row.size)
    return v, lg.Matrix.from_coo(row, column, values, nrows=N, ncols=N, backend=backend)


def entries(A: lg.Matrix) -> list[list[Any]]:
    return [one.tolist() for one in A.to_coo()]


def found(backend: Any, ring: Any, side: str) -> list[Any]:
    """Products as a new matrix, of transposes, under a mask, and into another one."""
    v, A = operands(backend)
    D = v.diag()
    left, right = SIDES[side](D, A)
    out = A.dup()
    out(A.T.new().S, accum="plus") << ring(left @ right)
    made = [ring(left @ right).new(), ring(left.T @ right.T).new(), out]
    v << v.apply("times", 2)  # D keeps what it has
    made.append(ring(left @ right).new())
    D[1, 2] << 7
    made += [ring(left @ right).new(), ring(v.diag(1) @ v.diag(1)).new()]
    return [entries(one) for one in made]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "ring", [plus_times, min_plus, plus_first, plus_second, min_secondi], ids=lambda ring: ring.name
)
def test_products(ring: Any, side: str) -> None:
    right = found(CPU, ring, side)
    for local in BOTH if ring is plus_times else [CPU]:
        for size in (2, 3):
            everywhere = on_ranks(size, lambda backend: found(backend, ring, side), local)
            assert everywhere == [right] * size


@pytest.mark.parametrize("side", ["left", "right"])
def test_few_exchanges(side: str) -> None:
    """Other products take more for each process."""

    def work(backend: Any) -> tuple[int, int]:
        v, A = operands(backend)
        spent = []
        for D in (v.diag(), v.diag().dup()):
            before = backend.distribution.comm.traffic.exchanges
            left, right = SIDES[side](D, A)
            plus_times(left @ right).new()
            spent.append(backend.distribution.comm.traffic.exchanges - before)
        return spent[0], spent[1]

    known, unknown = on_ranks(3, work)[0]
    assert known <= (2 if side == "left" else 4) < unknown, (known, unknown)
