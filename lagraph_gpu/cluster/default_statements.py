"""Element-wise statements about vectors with a default, of which the explicit entries of all and
one position more for all others are computed (`defaults.py`).

Such a statement has no exchange, so each process decides by itself whether a vector of its own
positions is kept so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.cluster.defaults import WithDefault, contained, has_default, has_own_ids
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.owners import Rows, owned
from lagraph_gpu.convert.edge_list import are_few
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Apply, Ewise, Expression, Fill, Select, computed
from lagraph_gpu.notation.indexing import Progression, Region, distinct
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update, run
from semirings import UNARY, types
from semirings.types import INT64

COMPARISONS = tuple(f"binary.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge"))
"""What is the same of each number and itself."""

EQUAL = "select.valueeq"

POSITIONS = "indexunary.index", "indexunary.rowindex"


class ExplicitEntries:
    """The explicit entries of all vectors of a statement among the positions of this process, and
    one position more for all others."""

    def __init__(self, distribution: Distribution, places: np.ndarray) -> None:
        self.distribution, self.places = distribution, places

    @property
    def size(self) -> int:
        return self.places.size + 1

    def empty(self, dtype: np.dtype) -> Vector:
        return Vector(dtype, self.size, backend=self.distribution.local)

    def of(self, store: Distributed) -> Vector:
        """What a vector has there, as a vector of the local backend."""
        distribution, last = self.distribution, self.places.size
        if not isinstance(store, WithDefault):
            places, values = distribution.listed(store.part)
            index = np.searchsorted(self.places, places)
        elif store.places is self.places:
            return store.few
        else:
            index, values = store.at(self.places)
            index = np.append(index, last)
            values = np.append(values, distribution.listed(store.few)[1][-1:])
        return Vector._built(self.size, index, values, distribution.local)

    def expression(self, node: Any, operands: list[Distributed]) -> Any:
        """An element-wise expression there, with these operands."""
        if isinstance(node, Ewise):
            left, right = map(self.of, operands)
            return replace(node, left=left, right=right)
        if isinstance(node, Fill):
            return Fill(node.known, (self.size,), node.dtype, self.distribution.local)
        operand = self.of(*operands)
        if isinstance(node, Select) and has_own_ids(*operands):
            operand = operand.dup()
            del operand[self.places.size]  # the one position with the number is an explicit entry
        return replace(node, operand=operand)

    def stored(self, size: int, few: Vector) -> Distributed:
        """The store of a vector of this size that has these values there."""
        distribution, (own,) = self.distribution, self.distribution.part_shape((size,))
        index, values = distribution.listed(few)
        if index.size and index[-1] == self.places.size:
            return WithDefault(distribution, size, self.places, few)
        part = distribution.local.build_vector(own, self.places[index], values)
        return Distributed(distribution.handle(part, (own,), few.dtype), (size,))


def is_elementwise(node: Any) -> bool:
    """Whether an expression has at a position what its operands have there, wherever that is."""
    if isinstance(node, Ewise):
        return not reads_rows(node.op.elementwise)
    return isinstance(node, Fill) or (isinstance(node, (Apply, Select)) and not reads_rows(node.op))


def reads_rows(op: Any) -> bool:
    """True if an operator reads the row of an entry, which is another one in the part."""
    return "i" in op.parsed.free


def operands_of(node: Any) -> list[Any]:
    """The operands of an expression that is element-wise but for the rows that it may read."""
    if isinstance(node, Ewise):
        return [node.left, node.right]
    return [node.operand] if isinstance(node, (Apply, Select)) else []


def with_containers(node: Any) -> Any:
    """Such an expression with operands that have been computed; any other as it is."""
    if not any(isinstance(one, Expression) for one in operands_of(node)):
        return node
    if isinstance(node, Ewise):
        return replace(node, left=computed(node.left), right=computed(node.right))
    return replace(node, operand=computed(node.operand))


def leaves_some(update: Update) -> bool:
    """Whether a statement about a vector leaves, or reads, some of what its output has."""
    whole = update.region is None or update.region[0] is None
    return update.mask is not None or update.accum is not None or not whole


def by_explicit_entries(distribution: Distribution, update: Update) -> Distributed | None:
    """The store of the output of an element-wise statement about vectors, of which one has a
    default or gets one; None if none does, or where values at all positions are needed. Its
    operands are containers."""
    node, out, mask = update.expression, update.out, update.mask
    operands = [one._store for one in operands_of(node)]
    read = read_by(update, operands)
    fills = isinstance(node, Fill) and (mask is None or mask.complement)
    if types.is_record(out.dtype) or not (fills or has_default(*read)):
        return None
    places = None
    if isinstance(node, Select) and has_own_ids(*operands):
        if node.op.graphblas != EQUAL or node.thunk_type != INT64:
            return None
        wanted = np.array([node.thunk] if 0 <= node.thunk < out.size else [], np.int64)
        places, _ = owned(distribution.rank, distribution.size, wanted)
    found = explicit_entries_of(distribution, out.size, read, places)
    if found is None:
        return None
    return written(found, update, found.expression(node, operands), operands)


def arrived_by_explicit_entries(
    distribution: Distribution, update: Update, node: Any, rows: Rows | None
) -> Distributed | None:
    """The same of another statement, whose expression has been brought to the rows of this process,
    or to those of them that are assigned to."""
    out, read = update.out, read_by(update, [])
    if types.is_record(out.dtype) or not has_default(*read):
        return None
    operands = [] if rows is not None else [Distributed(computed(node), out.shape)]
    found = explicit_entries_of(distribution, out.size, [*read, *operands], rows)
    if found is None:
        return None
    if rows is not None:
        return written(found, update, node, operands, (np.searchsorted(found.places, rows),))
    node = Apply(operands[0].part, UNARY["identity"])
    return written(found, update, found.expression(node, operands), operands)


def read_by(update: Update, operands: list[Distributed]) -> list[Distributed]:
    """The stores of the vectors that a statement with these operands reads."""
    read = [update.out._store, *operands] if leaves_some(update) else list(operands)
    return read if update.mask is None else [*read, update.mask.handle._store]


def written(
    found: ExplicitEntries, update: Update, node: Any, operands: list[Distributed],
    region: Region | None = None,
) -> Distributed | None:  # fmt: skip
    """The store of the output of a statement, with its expression among the explicit entries; None
    if those need values at all positions after all."""
    out, mask, accum = update.out, update.mask, update.accum
    few, elsewhere = found.empty(out.dtype), region is None
    if mask is not None:
        if has_own_ids(mask.handle._store) and not mask.structure:
            return None
        mask = replace(mask, handle=found.of(mask.handle._store))
        elsewhere &= is_true_at(mask, found.places.size)
    if leaves_some(update):
        few = found.of(out._store).dup()
    run(Update(few, node, mask, accum, update.replace, region))
    store = found.stored(out.size, few)
    if not isinstance(store, WithDefault):
        return store
    if not elsewhere:  # the default is what it was
        store.own_ids = has_own_ids(out._store)
        return store
    if accum is not None and has_default(out._store):
        return None if has_own_ids(out._store, *operands) else store
    if not has_own_ids(*operands):
        return store
    if isinstance(node, Ewise) and all(map(has_own_ids, operands)):
        return store if node.op.graphblas in COMPARISONS else None
    same = isinstance(node, Apply) and node.op is UNARY["identity"] and few.dtype == INT64
    store.own_ids = same
    return store if same else None


def is_true_at(mask: Mask, index: int) -> bool:
    """Whether a mask is true at a position."""
    value: Any = mask.handle.get(index)  # type: ignore[call-arg]
    return mask.complement != (value is not None and (mask.structure or bool(value)))


def numbered(distribution: Distribution, update: Update) -> WithDefault | None:
    """The store of the numbers of all positions at which a vector with a default has an entry; None
    for all other statements."""
    node, out = update.expression, update.out
    if not isinstance(node, Apply) or node.op.graphblas not in POSITIONS or node.bound:
        return None
    store = node.operand._store
    if leaves_some(update) or not node.dtype == out.dtype == INT64 or not has_default(store):
        return None
    index = distribution.listed(store.few)[0]
    ids = np.append(store.places * distribution.size + distribution.rank, 0)
    few = Vector._built(ids.size, index, ids[index], distribution.local)
    return WithDefault(distribution, out.size, store.places, few, own_ids=True)


def explicit_entries_of(
    distribution: Distribution, size: int, stores: list[Distributed], rows: Rows | None
) -> ExplicitEntries | None:  # fmt: skip
    """The explicit entries of some vectors of this size, with all places of some rows; None if they
    are too many, or the rows a long slice."""
    if isinstance(rows, Progression):
        return None
    lists = [] if rows is None else [distinct(rows)]
    (most,) = distribution.part_shape((size,))
    for store in stores:
        if isinstance(store, WithDefault):
            lists.append(store.places)
        elif not are_few(store.part.nvals, most, size):
            return None
        else:
            lists.append(distribution.listed(store.part)[0])
    places = joined(lists)
    return ExplicitEntries(distribution, places) if are_few(places.size, most, size) else None


def joined(lists: list[np.ndarray]) -> np.ndarray:
    """The places of some lists, each of which is increasing: the longest list itself if it has
    all."""
    longest = max(lists, key=lambda one: one.size, default=np.empty(0, np.int64))
    others = {id(one): one for one in lists if one is not longest}.values()
    more = [one[~contained(one, longest)] for one in others]
    if not any(one.size for one in more):
        return longest
    return distinct(np.concatenate([longest, *more]))
