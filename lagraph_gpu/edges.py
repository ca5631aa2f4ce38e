"""Edges as arrays, on their way to compressed rows: duplicates, directions, order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from lagraph_gpu.backend import Rows
from lagraph_gpu.build import fold_duplicates
from lagraph_gpu.errors import DuplicateEdges, InvalidValue
from semirings import types
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.io import EdgeList

DUPLICATES = ("error", "min", "sum", "first")
"""What an edge that is given twice may mean."""


def merge(
    key: np.ndarray, value: np.ndarray, dup: str, n: int, iso: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Edges sorted by key = u·n + v, those given twice merged as ``dup`` says."""
    if dup not in DUPLICATES:
        raise InvalidValue(f"expected dup to be one of {', '.join(DUPLICATES)}, got {dup!r}")
    if iso and dup != "sum":
        unique = np.sort(key)
        again = np.flatnonzero(unique[1:] == unique[:-1])
        if again.size and dup == "error":
            raise twice(int(unique[again[0]]), n)
        return (np.delete(unique, again) if again.size else unique), value
    value = np.broadcast_to(value, key.shape)
    try:
        op = None if dup == "error" else BINARY[{"sum": "plus"}.get(dup, dup)]
        unique, folded = fold_duplicates(key, value, op)
        if dup == "sum" and unique.size < key.size:
            refuse_overflow(folded, key, value)
        return unique, folded
    except DuplicateEdges:
        unique, count = np.unique(key, return_counts=True)
        raise twice(int(unique[count > 1][0]), n) from None


def refuse_overflow(total: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    """Refuse sums that their type cannot hold: floats became infinite, and integers that wrapped
    around are off by at least the width of their type."""
    if total.dtype.kind == "b":
        return
    true = fold_duplicates(key, value.astype(np.float64), BINARY["plus"])[1]
    if total.dtype.kind == "f":
        wrong = ~np.isfinite(total)
    else:
        wrong = np.abs(total - true) > 2.0 ** (8 * total.dtype.itemsize - 1)
    if wrong.any():
        raise InvalidValue(
            f"expected the sums of edges given twice to fit {types.name(total.dtype)}, got "
            f"about {true[wrong][0]:g}; give weights of a wider type, or in a larger unit"
        )


def twice(key: int, n: int) -> DuplicateEdges:
    return DuplicateEdges(
        f"expected each edge once, got the edge {key // n} → {key % n} more than once; "
        "say what that means with dup='min', 'sum' or 'first'"
    )


def both_directions(
    source: np.ndarray, target: np.ndarray, value: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each edge and its reverse, a loop once."""
    proper = source != target
    back, forth = target[proper], source[proper]
    if value.size != 1 or source.size == 1:
        value = np.concatenate((value, value[proper]))
    return np.concatenate((source, back)), np.concatenate((target, forth)), value


def sorted_rows(source: np.ndarray, target: np.ndarray, value: np.ndarray, n: int) -> Rows:
    """Distinct edges as compressed rows with increasing column ids (SciPy's counting sort)."""
    held = value if value.size == source.size else np.ones(source.size, np.int8)
    csr = sp.coo_array((held, (source, target)), shape=(n, n)).tocsr()
    csr.sort_indices()
    indptr, indices = csr.indptr.astype(np.int64), csr.indices.astype(np.int64)
    return indptr, indices, csr.data if held is value else value


def both_ways(edges: EdgeList) -> bool:
    """Does a directed list hold each edge in both directions with one weight?"""
    n = max(edges.nrows, 1)
    there, back = edges.src * n + edges.dst, edges.dst * n + edges.src
    one, two = np.argsort(there, kind="stable"), np.argsort(back, kind="stable")
    if not np.array_equal(there[one], back[two]):
        return False
    return edges.weight is None or np.array_equal(edges.weight[one], edges.weight[two])
