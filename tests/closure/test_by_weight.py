"""Rows sorted by weight: the same entries, by rising or falling value, ties as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.gpu.by_weight import lightest_first, pair_of, small_weight, sort_rows
from tests.harness import DEVICE, GPU

POOLS: list[tuple[str, list[Any]]] = [
    ("BOOL", [False, True]),
    ("UINT8", [0, 3, 255]),
    ("INT8", [-128, 0, 127]),
    ("INT32", [-(2**31), -1, 0, 2**31 - 1]),
    ("UINT32", [0, 1, 2**31, 2**32 - 1]),
    ("INT64", [-(2**63), -1, 0, 2**63 - 1]),
    ("UINT64", [0, 1, 2**63, 2**64 - 1]),
    ("FP32", [-np.inf, -1.5, -1e-45, 0.0, 1e-45, 2.0, np.inf]),
    ("FP64", [-np.inf, -1.5, -5e-324, 0.0, 5e-324, 2.0, np.inf]),
]


@pytest.mark.parametrize("falling", [False, True])
@pytest.mark.parametrize(("dtype", "pool"), POOLS, ids=lambda v: v if isinstance(v, str) else "")
def test_rows_are_sorted(dtype: str, pool: list[Any], falling: bool) -> None:
    n, rng = 40, np.random.default_rng(1)
    i, j = np.divmod(np.unique(rng.integers(0, n * n - n, 300)), n)  # the last row is empty
    held = np.array(pool, lg.Vector(dtype, 1, backend=GPU).dtype.type)[
        rng.integers(0, len(pool), i.size)
    ]
    A = lg.Matrix.from_coo(i, j, held, dtype, nrows=n, ncols=n, backend=GPU)._store
    made = sort_rows(GPU, A, falling)
    assert made is sort_rows(GPU, A, falling) is lightest_first(A, falling) and made.in_order
    assert not lightest_first(A, not falling).in_order
    pairs = DEVICE.download(made.columns).view(pair_of(A.dtype))
    indptr, columns, values = (DEVICE.download(a) for a in (A.indptr, A.indices, A.values))
    for row in range(n):
        part = slice(indptr[row], indptr[row + 1])
        key = [values[part].tolist().index(v) for v in values[part].tolist()]
        ranks = np.unique(values[part], return_inverse=True)[1]
        order = np.argsort(-ranks if falling else ranks, kind="stable")
        assert len(key) == order.size
        assert pairs["to"][part].tolist() == columns[part][order].tolist()
        assert pairs["weight"][part].tolist() == values[part][order].tolist()


def test_one_value_needs_no_sort() -> None:
    A = lg.Matrix.from_coo([0, 0, 1], [1, 2, 0], 5, nrows=3, ncols=3, backend=GPU)._store
    made = sort_rows(GPU, A)
    assert made.columns is A.indices and made.values is A.values and made.in_order
    assert small_weight(GPU, A, 0.1) == np.inf
    empty = lg.Matrix("FP32", 3, 3, backend=GPU)._store
    assert sort_rows(GPU, empty).in_order and small_weight(GPU, empty, 0.1) == np.inf


def test_a_small_weight() -> None:
    """Of 0 … 9999 in disorder, about one in ten is at most 1000 in magnitude."""
    rng = np.random.default_rng(2)
    i, j = np.divmod(np.arange(10000), 100)
    A = lg.Matrix.from_coo(
        i, j, -rng.permutation(10000), "INT32", nrows=100, ncols=100, backend=GPU
    )
    assert 900 < small_weight(GPU, A._store, 0.1) < 1100
    assert small_weight(GPU, A._store, 0) < 50
