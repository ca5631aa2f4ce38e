"""Edges as arrays, before they become compressed rows: duplicates, directions and order; and what
becomes of several values of one position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.errors import DuplicateEdges, InvalidValue, WrongType, brief
from semirings import BINARY, BinaryOp, Monoid, types
from semirings.names import lookup

FOLDS = {"min": "min", "sum": "plus", "first": "first", "last": "second"}
"""The operators that make one weight of several of the same edge."""

SORTED_EDGES = 1 << 12
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
    one_value = iso and dup != "sum"
    if one_value:
        key = np.sort(key)
    else:
        order = np.argsort(key, kind="stable")
        key, value = key[order], np.broadcast_to(value, key.shape)[order]
    runs = runs_of(key)
    if not runs.again.size:
        return key, value
    if dup == "error":
        raise twice(*ends_of(int(key[runs.again[0]]), n, names))
    return key[runs.first], value if one_value else merged_values(value, runs, dup)


class Runs(NamedTuple):
    """The places of sorted entries, by the runs of those that have one position."""

    first: np.ndarray
    """The first of each run; or none, if each run is a single entry."""
    again: np.ndarray
    """The others."""


def runs_of(keys: np.ndarray) -> Runs:
    """The runs of equal keys."""
    return split_by(np.flatnonzero(keys[1:] == keys[:-1]) + 1, keys.size)


def runs_in_rows(begins: np.ndarray, columns: np.ndarray) -> Runs:
    """The runs of entries in one row that have the same column."""
    again = np.flatnonzero(columns[1:] == columns[:-1]) + 1
    return split_by(again[begins[np.searchsorted(begins, again)] != again], columns.size)


def split_by(again: np.ndarray, count: int) -> Runs:
    """The runs of so many entries, of which those `again` have the position of the entry before."""
    return Runs(np.delete(np.arange(count), again) if again.size else again, again)


def merged_values(value: np.ndarray, runs: Runs, dup: str) -> np.ndarray:
    """The values of sorted edges, with those of each run made one as `dup` says."""
    total = fold_repeated(value, runs, BINARY[FOLDS[dup]])
    if dup == "sum":
        refuse_overflow(total, value, runs)
    return total


def refuse_overflow(total: np.ndarray, value: np.ndarray, runs: Runs) -> None:
    """Raise InvalidValue for sums that their type cannot hold.

    Such a sum of floats is infinite. A sum of integers that wrapped around is wrong by at least the
    width of its type.
    """
    dtype = total.dtype
    if dtype.kind == "b" or (dtype.kind == "f" and np.isfinite(total).all()):
        return
    if dtype.kind in "iu":
        most = max(int(value.max()), -int(value.min()))
        if most * (1 + runs.again.size) <= types.highest(dtype):
            return
    true = fold_repeated(value.astype(np.float64), runs, BINARY["plus"])
    if dtype.kind == "f":
        wrong = ~np.isfinite(total)
    else:
        wrong = np.abs(total - true) > 2.0 ** (8 * dtype.itemsize - 1)
    if wrong.any():
        raise InvalidValue(
            f"expected the sums of edges given twice to fit {types.name(dtype)}, got "
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


def both_directions(row: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, ...]:
    """The rows and columns of each entry and of its reverse behind it, those on the diagonal once,
    and their places in the list."""
    places = np.repeat(np.arange(row.size), 1 + (row != column))
    back = np.zeros(places.size, bool)
    back[1:] = places[1:] == places[:-1]
    one, other = row[places], column[places]
    return np.where(back, other, one), np.where(back, one, other), places


def sorted_places(
    row: np.ndarray, column: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The row offsets of entries, and their columns and places in the list in the order of rows and
    columns. Entries of one position keep their order.

    Many entries are counted into columns and from there into rows, by SciPy and in O(m + n), which
    sorts both; a few are sorted, because they would not be worth the calls.
    """
    if row.size <= SORTED_EDGES:
        order = np.argsort(row * shape[1] + column, kind="stable")
        return compress(row[order], shape[0]), column[order], order
    import scipy.sparse

    columns = scipy.sparse.coo_array((np.arange(row.size), (column, row)), shape=shape[::-1])
    columns.has_canonical_format = True  # else SciPy would sort the entries, and add some up
    rows = columns.tocsr().tocsc()
    return rows.indptr.astype(np.int64), rows.indices, rows.data


OPPOSITES = " (with directed=False an edge and its opposite are one)"
"""The end of a message about edges that occur twice, where directed ones lost their direction."""


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


# --- values of one position ----------------------------------------------------------------------

IN_ORDER: dict[str, np.ufunc] = {
    "plus": np.add, "times": np.multiply, "min": np.fmin, "max": np.fmax, "land": np.logical_and,
    "lor": np.logical_or, "band": np.bitwise_and, "bor": np.bitwise_or, "bxor": np.bitwise_xor,
}  # fmt: skip
"""Operators that NumPy itself can fold. `ufunc.at` takes the values one after the other, as the
fold does; `ufunc.reduceat` would add floats in pairs and round differently."""


def fold_duplicates(
    keys: np.ndarray, values: np.ndarray, dup_op: BinaryOp | Monoid | str | None,
    place: Callable[[int], Any] = str,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Sort by key and combine the values of equal keys, in the order in which they came.

    `place` says for messages which position a key stands for. O(m log m).
    """
    op = folding(dup_op)
    if (keys[1:] > keys[:-1]).all():
        return keys, values.copy()
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    runs = runs_of(keys)
    if runs.again.size == 0:
        return keys, values
    if op is None:
        raise twice_at(place(int(keys[runs.again[0]])))
    return keys[runs.first], fold_repeated(values, runs, op)


def folding(dup_op: BinaryOp | Monoid | str | None) -> BinaryOp | None:
    """The operator that combines values of one position; None refuses them."""
    op = lookup("binary", dup_op)
    op = op.binary if isinstance(op, Monoid) else op
    if not (op is None or isinstance(op, BinaryOp)):
        raise WrongType(f"expected dup_op as an operator such as BINARY['plus'], got {brief(op)}")
    return op


def twice_at(place: Any) -> DuplicateEdges:
    """The error for a position that is given twice without an operator."""
    return DuplicateEdges(
        f"expected each position once, got position {place} more than once; "
        "pass dup_op= (an operator such as plus or min) to combine the values"
    )


def fold_repeated(values: np.ndarray, runs: Runs, op: BinaryOp) -> np.ndarray:
    """The operator over each run of values."""
    op.operand(values.dtype)  # refuses a type outside its domain
    known = BINARY.get(op.name) == op
    if known and op.name in ("first", "any"):
        return values[runs.first]
    if known and op.name == "second":
        return values[np.append(runs.first[1:], values.size) - 1]
    first, again = runs
    folded, later = values[first], values[again]
    group = again - np.arange(1, again.size + 1)
    if known and op.name in IN_ORDER:
        with np.errstate(all="ignore"):
            IN_ORDER[op.name].at(folded, group, later)
        return folded
    rank = np.arange(again.size) - np.searchsorted(group, group)
    by_rank = np.argsort(rank, kind="stable")
    for at in np.split(by_rank, np.cumsum(np.bincount(rank))[:-1]):  # one round for each rank
        into = group[at]
        folded[into] = types.cast(op.evaluate(folded[into], later[at]), values.dtype)
    return folded
