"""Edges as arrays, before they become compressed rows: duplicates, directions and order."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.convert.build import compress, fold_duplicates
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.errors import DuplicateEdges, InvalidValue, brief
from semirings import BINARY, types

FOLDS = {"min": "min", "sum": "plus", "first": "first", "last": "second"}
"""The operators that make one weight of several of the same edge."""

FEW_EDGES = 1 << 12
"""So many edges at most are sorted by their keys."""

DUPLICATES = ("error", *FOLDS)
"""The possible meanings of an edge that is given twice."""


def expect_known(dup: Any) -> None:
    """Raise InvalidValue for an unknown meaning of edges that are given twice."""
    if not is_one_of(dup, DUPLICATES):
        raise InvalidValue(f"expected dup to be one of {', '.join(DUPLICATES)}, got {brief(dup)}")


def merge(
    key: np.ndarray, value: np.ndarray, dup: str, n: int, iso: bool,
    names: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Sort edges by key = u·n + v, and merge edges that are given twice as `dup` says. In messages
    the ids have these `names`."""
    expect_known(dup)
    if iso and dup != "sum":
        unique = np.sort(key)
        again = np.flatnonzero(unique[1:] == unique[:-1])
        if again.size and dup == "error":
            raise twice(*ends_of(first_again(key), n, names))
        return (np.delete(unique, again) if again.size else unique), value
    value = np.broadcast_to(value, key.shape)
    try:
        op = None if dup == "error" else BINARY[FOLDS[dup]]
        unique, folded = fold_duplicates(key, value, op)
        if dup == "sum" and unique.size < key.size:
            refuse_overflow(folded, key, value)
        return unique, folded
    except DuplicateEdges:
        raise twice(*ends_of(first_again(key), n, names)) from None


def refuse_overflow(total: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    """Raise InvalidValue for sums that their type cannot hold.

    Such a sum of floats is infinite. A sum of integers that wrapped around is wrong by at least the
    width of its type.
    """
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


def first_again(key: np.ndarray) -> int:
    """The least key that occurs more than once."""
    unique, count = np.unique(key, return_counts=True)
    return int(unique[count > 1][0])


def ends_of(key: int, n: int, names: np.ndarray | None) -> tuple[int, int]:
    """The ends u and v of an edge with key = u·n + v, by these `names`."""
    source, target = divmod(key, n)
    return (source, target) if names is None else (int(names[source]), int(names[target]))


def twice(source: int, target: int) -> DuplicateEdges:
    return DuplicateEdges(
        f"expected each edge once, got the edge {source} → {target} more than once; "
        "say what that means with dup='min', 'sum', 'first' or 'last'"
    )


def both_directions(
    source: np.ndarray, target: np.ndarray, value: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each edge and its reverse; a loop once."""
    proper: Any = source != target
    if proper.all():
        proper = slice(None)  # which copies nothing
    back, forth = target[proper], source[proper]
    if value.size != 1 or source.size == 1:
        value = np.concatenate((value, value[proper]))
    return np.concatenate((source, back)), np.concatenate((target, forth)), value


def sorted_rows(source: np.ndarray, target: np.ndarray, value: np.ndarray, n: int) -> Rows:
    """Edges as compressed rows with increasing column ids. An edge that is given twice stands there
    twice, in the order of the list.

    Many edges are counted into columns and from there into rows, by SciPy and in O(m + n), which
    sorts both; a few are sorted, because they would not be worth the calls.
    """
    if source.size <= FEW_EDGES:
        order = np.argsort(source * n + target, kind="stable")
        value = value[order] if value.size == source.size else value
        return compress(source[order], n), target[order], value
    import scipy.sparse

    held = value if value.size == source.size else np.ones(source.size, np.int8)
    columns = scipy.sparse.coo_array((held, (target, source)), shape=(n, n))
    columns.has_canonical_format = True  # else SciPy would sort the edges, and add some up
    rows = columns.tocsr().tocsc()
    return rows.indptr.astype(np.int64), rows.indices, rows.data if held is value else value


def some_twice(rows: Rows) -> bool:
    """Whether a row holds an id more than once, in O(m + n)."""
    indptr, indices, _ = rows
    before = np.flatnonzero(indices[1:] == indices[:-1])
    begins = indptr[np.searchsorted(indptr, before + 1)]
    return not bool((begins == before + 1).all())


def once(
    source: np.ndarray, target: np.ndarray, value: np.ndarray | None
) -> tuple[np.ndarray, int | None]:
    """For edges listed in both directions: which to keep as undirected edges. O(m log m).

    Kept are the edges from a lower to a higher id, and loops. The second result is an edge whose
    opposite with the same value is missing, or None.
    """
    if needs_64_bits(1 + max(int(ids.max(initial=-1)) for ids in (source, target))):
        ranks = np.unique(np.concatenate((source, target)), return_inverse=True)[1]
        source, target = ranks[: source.size], ranks[source.size :]
    low, high = np.minimum(source, target), np.maximum(source, target)
    edge = low << 31 | high
    up, down = (_sorted(at, edge, value) for at in (source < target, source > target))
    size = min(up.size, down.size)
    one, other = up[:size], down[:size]
    differ = edge[one] != edge[other]
    if value is not None:
        differ |= value[one] != value[other]
    if not differ.any():
        longer = up if up.size > size else down
        return source <= target, int(longer[size]) if longer.size > size else None
    k = int(np.argmax(differ))
    return source <= target, int(one[k] if edge[one[k]] <= edge[other[k]] else other[k])


def _sorted(which: np.ndarray, key: np.ndarray, value: np.ndarray | None) -> np.ndarray:
    """The positions where `which` is true, sorted by key and then by value."""
    at = np.flatnonzero(which)
    keys = key[at]
    return at[np.argsort(keys, kind="stable") if value is None else np.lexsort((value[at], keys))]


def expect_real(dtype: np.dtype) -> None:
    """Check the type of a graph's weights: paths, flows and ranks compare them."""
    if types.is_complex(dtype) or types.is_record(dtype):
        raise InvalidValue(
            f"expected real numbers as the weights of a graph, got {types.name(dtype)}, which has "
            "no order; keep them in a Matrix, and make the graph of A.apply('abs'), or of a field"
        )


def refuse_nonfinite(value: np.ndarray) -> None:
    """Raise InvalidValue for weights that are NaN, infinite or complex."""
    expect_real(value.dtype)
    ends = value.min(initial=0), value.max(initial=0)
    if value.dtype.kind == "f" and not np.isfinite(ends).all():
        at = int(np.flatnonzero(~np.isfinite(value))[0])
        raise InvalidValue(
            f"expected finite weights, got {value[at]} at position {at}; remove the edge"
        )
