"""Louvain's first level where weights are whole numbers, and labels that need no check."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms.community.louvain import total_weight
from lagraph_gpu.algorithms.community.modularity import scaled
from lagraph_gpu.errors import IndexOutOfBound
from tests.harness import CPU
from tests.simt.exercises import gpu

N = 120


def weighted(dtype: type, half: float, largest: int, backend: Any) -> lg.Graph:
    rng = np.random.default_rng(3)
    pairs = np.unique(np.sort(rng.integers(0, N, (900, 2))), axis=0)
    i, j = pairs[pairs[:, 0] != pairs[:, 1]].T
    x = (rng.integers(1, largest, i.size) + half).astype(dtype)
    return lg.Graph.from_edges(i, j, x, directed=False, n=N, backend=backend)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32])
@pytest.mark.parametrize("half,largest", [(0.0, 256), (0.25, 256), (0.0, 2**28)])
def test_communities_are_those_of_the_cpu(dtype: type, half: float, largest: int) -> None:
    backend = gpu(0)
    backend.label_argmax.many = backend.small_graphs.most_for_louvain = 0
    G = weighted(dtype, half, largest, backend)
    A = scaled(G)
    assert total_weight(A) == G.A.dup("FP64").reduce("plus").new().get(0)
    whole = largest == 256 and (half == 0 or np.dtype(dtype).kind == "i") and dtype != np.int32
    assert (A._store.weights is not None) == whole
    theirs = weighted(dtype, half, largest, CPU)
    for seed in range(2):
        found = lg.louvain(G, seed=seed).to_dense()
        np.testing.assert_array_equal(found, lg.louvain(theirs, seed=seed).to_dense())


def test_labels_that_are_known_to_be_small_are_not_checked() -> None:
    backend = gpu(0)
    labels = backend.full_vector(backend.device.upload(np.array([2, 0, 1, 2])), below=3)
    before = backend.device.waits
    made = labels.selector(3)
    assert backend.device.waits == before
    assert made.to_coo()[1].tolist() == [2, 0, 1, 2]
    with pytest.raises(IndexOutOfBound):
        labels.selector(2)
    labels[1] = 7
    with pytest.raises(IndexOutOfBound):
        labels.selector(3)
