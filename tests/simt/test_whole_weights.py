"""Louvain's first level where weights are whole numbers, and labels that need no check."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms.community.louvain import total_weight
from lagraph_gpu.algorithms.community.modularity import scaled
from lagraph_gpu.errors import IndexOutOfBound
from semirings import any_second
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


def test_values_of_a_vector_of_small_labels_are_small() -> None:
    """A product with a selector gives values of the vector; that with its edges does not."""
    backend = gpu(0)
    labels = backend.full_vector(backend.device.upload(np.array([2, 0, 1, 2])), below=3)
    P = labels.selector(4)
    made, other = any_second(P @ labels).new(), any_second(labels @ P).new()
    before = backend.device.waits
    made.selector(3)
    assert backend.device.waits == before
    assert made.to_dense().tolist() == [1, 2, 0, 1]
    with pytest.raises(IndexOutOfBound):
        made.selector(2)
    assert other._store.below is None


@pytest.mark.parametrize("many", [1, 10**9])
def test_sweeps_that_have_been_listed_for_fewer_turns(many: int) -> None:
    """In a bipartite graph with random weights moves undo each other, so that later sweeps have
    more turns than those that the device has begun with; at the end the draws go on as on a CPU."""
    i, j = np.divmod(np.arange(400), 20)
    weight = np.random.default_rng(1).integers(1, 256, i.size).astype(np.float32)
    backend, found = gpu(0), []
    backend.label_argmax.many = many
    backend.small_graphs.most_for_louvain = backend.small_graphs.most_for_leiden = 0
    for each in (CPU, backend):
        G = lg.Graph.from_edges(i, j + 20, weight, directed=False, backend=each)
        rng = np.random.default_rng(1)
        labels = [method(G, seed=rng).to_dense().tolist() for method in (lg.louvain, lg.leiden)]
        found.append([*labels, rng.integers(2**31)])
    assert found[0] == found[1]
