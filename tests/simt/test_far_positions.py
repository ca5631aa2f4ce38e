"""Kernels that walk rows, over rows that begin beyond 2³¹.

The offsets of these matrices have 64 bits and begin at FAR, and the pointers to their columns and
values lie FAR elements before the first one. So a kernel that loses the upper half of a position
reads outside of its arguments, which the emulator reports. (Loops over all entries begin with entry
0; test_narrowing.py is about them, too.)
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.structure.components import component_labels
from lagraph_gpu.algorithms.structure.independent_set import greedy_coloring, greedy_independent_set
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.gpu.storage.matrix_storage import Closures, Pattern
from semirings import types
from tests.graphs import N, edges_with_hub
from tests.harness import lowered
from tests.simt.emulator import EmulationError
from tests.simt.exercises import gpu, offsets_of_64_bits
from tests.simt.source import edited

FAR = (5 << 31) + 3072
"""Cut to 32 bits it is neither itself nor 0."""


def go_far(device: Any) -> None:
    """From here on the entries of all matrices of a device have the numbers from FAR on. What was
    computed from other numbers is forgotten, but for facts about the weights."""
    begins: dict[int, Any] = {}
    for A in gc.get_objects():
        if type(A) is not DeviceMatrix or A.rows is not None or A.indptr.device is not device:
            continue
        if id(A.indptr) not in begins:
            begins[id(A.indptr)] = device.upload(device.download(A.indptr).astype(np.int64) + FAR)
        A.indptr = begins[id(A.indptr)]
        A.indices.first, A.values.first = FAR, 0 if A.iso else FAR
        A.pattern, A.closures = Pattern(A.pattern.max_degree), Closures(A.closures.weights)


Call = Callable[[lg.Graph], Any]


def near_and_far(call: Call, directed: bool, dtype: str) -> tuple[list[Any], list[Any]]:
    """What a call finds where entries are near, and then where they are far, as arrays. What it
    keeps of all entries of the graph is found near."""
    (i, j, w), backend = edges_with_hub(1), gpu(1)
    backend.host_loops.most_walkers = 0  # a copy on the host has its entries from 0 on
    with offsets_of_64_bits():
        G = lg.Graph.from_edges(
            i, j, w.astype(types.lookup(dtype)), N, directed, "min", backend=backend
        )
    backend.matrices.transpose(G.A._store)
    near = parts(call(G))
    go_far(backend.device)
    return near, parts(call(G))


def parts(found: Any) -> list[np.ndarray]:
    """What a call found, as arrays."""
    if isinstance(found, tuple):
        return [part for each in found for part in parts(each)]
    return list(found.to_coo()) if hasattr(found, "to_coo") else [found.get()]


def ranks(G: lg.Graph) -> lg.Vector:
    shuffled = np.random.default_rng(3).permutation(G.n)
    return lg.Vector.from_dense(shuffled, dtype="INT64", backend=G.backend)


def colours(G: lg.Graph) -> Any:
    return lowered(greedy_coloring, ranks(G), G.A)


def independent_set(G: lg.Graph) -> Any:
    return lowered(greedy_independent_set, ranks(G), G.A)


def cores(G: lg.Graph) -> Any:
    counts = lg.Vector.from_dense(np.arange(G.n) % 7 + 1, dtype="INT64", backend=G.backend)
    return lowered(peel, counts, G.A)


def labels(G: lg.Graph) -> tuple[Any, Any]:
    label = lg.Vector.from_dense(np.arange(G.n) % 5, backend=G.backend)
    found = lowered(label_argmax, G.A, label)
    return found.label, found.top


def tree(G: lg.Graph) -> Any:
    """The distances, by way of the parents."""
    distance, parent = lg.sssp(G, 0)
    weight = np.zeros((N, N))
    i, j, w = edges_with_hub(1)
    weight[i, j] = w
    v, p = parent.to_coo()
    length = distance.to_dense(fill_value=0)[p] + np.where(v == p, 0, weight[p, v])
    return lg.Vector.from_coo(v, length, size=N, backend="cpu")


def level(*how: Any, **more: Any) -> Call:
    return lambda G: lg.bfs(G, 0, schedule=lg.Schedule(*how, **more))[0]


DIRECTED: dict[str, tuple[str, Call]] = {
    "pull by warps": ("FP32", level("pull", "warp")),
    "rounds": ("FP32", lambda G: lg.bfs(G, 0)[0]),
    "tight edges": ("INT64", tree),
    "buckets": ("FP64", lambda G: lg.sssp(G, 0, schedule=lg.Schedule(order="delta"))[0]),
    "relaxed": ("FP64", lambda G: lg.bellman_ford(G, 0)[0]),
    "strong components": ("FP32", lg.strongly_connected_components),
    "betweenness": ("FP32", lg.betweenness_centrality),
    "rank": ("FP32", lg.pagerank),
    "rows": ("FP64", lambda G: G.A[[3, 5, 3], :].new()),
    "row": ("FP64", lambda G: G.A[5, :].new()),
    "column": ("FP64", lambda G: G.A[:, 5].new()),
    "diagonal": ("FP64", lambda G: G.A.diag()),
}
UNDIRECTED: dict[str, tuple[str, Call]] = {
    "push by threads": ("FP32", level("push", "thread")),
    "push by warps": ("FP32", level("push", "warp")),
    "push by search": ("FP32", level("push", "search")),
    "push by buckets": ("FP32", level("push", "bucket")),
    "push from a bitmap": ("FP32", level("push", frontier="none")),
    "push by one block": ("FP32", level("push", small="block")),
    "pull": ("FP32", level("pull")),
    "push and pull": ("FP32", level("hybrid")),
    "hubs first": ("FP32", lambda G: lg.sssp(G, 0)[0]),
    "heaps": ("FP32", lambda G: lg.distance_matrix(G, [0, 3, 9])),
    "many searches": ("BOOL", lambda G: lg.distance_matrix(G, [0, 3, 9])),
    "sums of distances": ("BOOL", lg.closeness_centrality),
    "components": ("FP32", lambda G: lowered(component_labels, G.A)),
    "independent set": ("FP32", independent_set),
    "colours": ("FP32", colours),
    "cores": ("INT64", cores),
    "labels": ("FP64", labels),
    "walks": ("FP32", lambda G: lg.random_walks(G, [0, 1], length=4, seed=1)),
}


@pytest.mark.parametrize("name", [*DIRECTED, *UNDIRECTED])
def test_rows_that_begin_far_away(name: str) -> None:
    dtype, call = (DIRECTED | UNDIRECTED)[name]
    near, far = near_and_far(call, name in DIRECTED, dtype)
    for right, found in zip(near, far, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-9)


@pytest.mark.parametrize(
    ("header", "position", "cut", "name"),
    [
        ("spmv/pull.cuh", "for (typename S::Offset e = gather.begin(j); e < end; e += 32)",
         "for (int e = gather.begin(j); e < end; e += 32)", "pull by warps"),
        ("core/load_balance.cuh", "for (Offset e = frontier.indptr[k]; e < end; ++e)",
         "for (unsigned e = frontier.indptr[k]; e < end; ++e)", "push by threads"),
    ],
)  # fmt: skip
def test_a_position_that_is_cut_is_noticed(header: str, position: str, cut: str, name: str) -> None:
    dtype, call = (DIRECTED | UNDIRECTED)[name]
    with edited(header, position, cut), pytest.raises(EmulationError, match="out-of-bounds"):
        near_and_far(call, name in DIRECTED, dtype)
