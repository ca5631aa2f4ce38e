"""Lists of edges that are sorted and have each edge once, from edges in any order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.generate.counters import I64, U64
from lagraph_gpu.generate.edge_weights import WeightKind, edge_weights, weight_keys
from lagraph_gpu.generate.sizes import chunks


def distinct(keys: U64) -> U64:
    """The sorted keys, each once. It sorts in place."""
    keys.sort()
    if keys.size == 0:
        return keys
    first = np.empty(keys.size, bool)
    first[0] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def from_pairs(
    u: I64, v: I64, n: int, directed: bool, weights: WeightKind, seed: int, path: str
) -> EdgeList:
    """The graph with these edges, sorted and each once."""
    order = np.lexsort((v, u))
    u, v = u[order], v[order]
    first = np.ones(u.size, bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    u, v = u[first], v[first]
    weight = edge_weights(weights, seed, weight_keys(u, v, n))
    return edge_list(u, v, weight, n, directed, path)


def from_keys(
    keys: U64, n: int, directed: bool, weights: WeightKind, seed: int, path: str
) -> EdgeList:
    """The graph with the edges u * n + v of the sorted keys."""
    weight = edge_weights(weights, seed, keys)
    width = np.uint64(max(n, 1))
    src = np.empty(keys.size, np.int64)
    dst = np.empty(keys.size, np.int64)
    for part in chunks(keys.size):
        src[part] = keys[part] // width
        dst[part] = keys[part] - src[part].view(np.uint64) * width
    return edge_list(src, dst, weight, n, directed, path)


def edge_list(
    src: I64, dst: I64, weight: NDArray[np.float32] | None, n: int, directed: bool, path: str
) -> EdgeList:
    return EdgeList(src, dst, weight, n, n, directed, path)
