"""The weights of edges: an edge has the same weight in every graph."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.generate.counters import I64, U64, hashes, key_of, mix
from lagraph_gpu.generate.sizes import chunks

WeightKind = Literal["uniform", "integer"] | None


def check_weights(kind: str | None, *more: str) -> None:
    if kind is not None and not is_one_of(kind, kinds := ("uniform", "integer", *more)):
        known = " or ".join(map(repr, kinds))
        raise InvalidValue(f"expected weights as None, {known}, got {brief(kind)}")


def edge_weights(kind: WeightKind, seed: int, keys: U64) -> NDArray[np.float32] | None:
    """A weight for each edge, made of its key: an edge has the same weight in every graph."""
    check_weights(kind)
    if kind is None:
        return None
    weight = np.empty(keys.size, np.float32)
    key, one = key_of(seed, 2), np.uint64(1)
    for part in chunks(keys.size):
        bits = hashes(key, keys[part])
        if kind == "integer":
            weight[part] = ((bits >> np.uint64(32)) * np.uint64(255) >> np.uint64(32)) + one
        else:  # 24 bits: every value is exact in float32
            weight[part] = ((bits >> np.uint64(40)) + one).astype(np.float32)
            weight[part] *= np.float32(2.0**-24)
    return weight


def weight_keys(u: I64, v: I64, n: int) -> U64:
    """The keys of which the weights of the edges {u, v} with u < v are made: u * n + v where 64
    bits hold it, else v and the hash of u, added up."""
    if n > 1 << 32:
        return mix(u.astype(np.uint64)) + v.view(np.uint64)
    return u.view(np.uint64) * np.uint64(n) + v.view(np.uint64)
