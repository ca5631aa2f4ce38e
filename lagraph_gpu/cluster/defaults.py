"""Vectors with a default: most positions have the same value, and nobody makes an array of all.

A graph of very many vertices that has few edges has the same rank at all vertices without edges,
and each of these is a component of its own. A process then has the positions with values of their
own, the *exceptions*, and one value for all others. A statement that works element by element is
carried out on the exceptions of all its operands and one position more, which stands for all
others, by the local backend. Such a statement has no exchange, so each process decides by itself
whether a vector of its own positions is kept so. Who needs the values at all positions gets them
(`part`), if there is room.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.backend import named
from lagraph_gpu.cluster.distribution import Arrays, Distributed, Distribution
from lagraph_gpu.cluster.owners import Rows, owned
from lagraph_gpu.convert.edge_list import are_few, lists_rows
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import (
    Apply,
    Ewise,
    Expression,
    Fill,
    Reduce,
    Select,
    computed,
)
from lagraph_gpu.notation.indexing import Progression, Region, distinct
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update, run
from semirings import UNARY, types
from semirings.algebra import Monoid
from semirings.types import INT64


class WithDefault(Distributed):
    """A store of a vector in which all positions but the exceptions have one value, or each has its
    own number in the whole vector (`own_ids`)."""

    def __init__(
        self, distribution: Distribution, size: int, places: np.ndarray, few: Vector,
        own_ids: bool = False,
    ) -> None:  # fmt: skip
        Distributed.__init__(self, None, (size,))
        del self.part
        self.distribution, self.own_ids = distribution, own_ids
        self.places = places
        """The exceptions among the positions of this process, increasing."""
        self.few = few
        """What is there, if anything, and at the end the default. With `own_ids` that stands for
        any number."""

    def __getattr__(self, name: str) -> Any:
        if name != "part":
            raise AttributeError(name)
        self.part = self._all_values()
        return self.part

    def __reduce__(self) -> tuple[Any, ...]:
        processes = self.distribution.size
        return restored, (processes, self.size, self.places, self.few, self.own_ids)

    @property
    def dtype(self) -> np.dtype:
        return self.few.dtype

    @property
    def own(self) -> int:
        """The number of positions of this process."""
        return self.distribution.part_shape(self.shape)[0]

    @property
    def nvals(self) -> int:
        return self.few.nvals - 1 + self.own - self.places.size

    @property
    def default(self) -> Any:
        """The value at all positions but the exceptions."""
        return self.few.get(self.places.size)

    def copy(self) -> WithDefault:
        """A store of its own: nobody writes into what the two share."""
        return WithDefault(self.distribution, self.size, self.places, self.few, self.own_ids)

    @property
    def held(self) -> Vector:
        return self.few

    def get(self, place: int) -> Any:
        _, values = self.at(np.array([place]))
        return values[0] if values.size else None

    def at(self, places: np.ndarray | Progression) -> Arrays:
        if isinstance(places, Progression):
            return super().at(places)
        last, local = self.places.size, self.distribution.local
        there = np.searchsorted(self.places, places)
        found = contained(places, self.places)
        there[~found] = last
        index, values = local.vector_entries(self.few._store)
        present, dense = np.zeros(last + 1, bool), np.zeros(last + 1, values.dtype)
        present[index], dense[index] = True, values
        made = dense[there]
        if self.own_ids:
            made[~found] = places[~found] * self.distribution.size + self.distribution.rank
        kept = np.flatnonzero(present[there])
        return [kept, made[kept]]

    def ends(self, first: int, last: int) -> Arrays:
        """The places and the values of the first and the last entries of this process, or of
        all."""
        without = self.places.size + 1 - self.few.nvals
        begin = np.arange(min(self.own, first + without))
        end = np.arange(max(begin.size, self.own - last - without), self.own)
        places = np.append(begin, end)
        index, values = self.at(places)
        return [places[index], values]

    def _all_values(self) -> Vector:
        """The part of this process with a value at all its positions."""
        distribution, own, local = self.distribution, self.own, self.distribution.local
        if not (self.places.size or self.own_ids):  # which SuiteSparse keeps as one value
            return Vector.from_scalar(self.default, own, self.dtype, backend=local)
        each = self.dtype.itemsize * (3 if self.own_ids else 2)
        expect_room(
            each * own, f"the values at {own:,} positions of each process",
            "read some of them, by get, a mask or select, or take more hosts",
            each * own * distribution.comm.transport.local_size,
        )  # fmt: skip
        if self.own_ids:
            ids = np.arange(distribution.rank, self.size, distribution.size)
            made = Vector.from_dense(ids, dtype=self.dtype, backend=local)
        else:
            made = Vector.from_scalar(self.default, own, self.dtype, backend=local)
        if self.places.size:
            made[self.places] = self.few[: self.places.size]
        return made


def restored(
    processes: int, size: int, places: np.ndarray, few: Vector, own_ids: bool
) -> WithDefault:
    """The store that a pickle holds, which is the part of one of so many processes."""
    distribution = getattr(named("cluster"), "distribution", None)
    if distribution is None or distribution.size != processes:
        raise InvalidValue(
            f"expected the {processes} processes that wrote this pickle, each of which has a part "
            f"of the vector, got {1 if distribution is None else distribution.size}"
        )
    return WithDefault(distribution, size, places, few, own_ids)


def own_ids_but(
    distribution: Distribution, size: int, places: np.ndarray, values: np.ndarray
) -> WithDefault:
    """The store of a vector in which all positions have their own number, but for these places of
    this process."""
    made = default_but(distribution, size, places, values, np.zeros(1, values.dtype))
    return WithDefault(distribution, size, places, made.few, own_ids=True)


def default_but(
    distribution: Distribution, size: int, places: np.ndarray, values: np.ndarray,
    default: np.ndarray,
) -> WithDefault:  # fmt: skip
    """The store of a vector in which all positions have this value, but for these places of this
    process."""
    index = np.arange(places.size + 1)
    few = Vector._built(index.size, index, np.append(values, default), distribution.local)
    return WithDefault(distribution, size, places, few)


COMPARISONS = tuple(f"binary.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge"))
"""What is the same of each number and itself."""

EQUAL = "select.valueeq"

POSITIONS = "indexunary.index", "indexunary.rowindex"

EXTREMES = "binary.min", "binary.max"
"""What folds the numbers of positions without looking at all of them."""


def can_be_reduced(store: Distributed, monoid: Monoid) -> bool:
    """Whether the entries of a vector with a default can be folded without the values at all
    positions."""
    if not isinstance(store, WithDefault):
        return False
    return not store.own_ids or (monoid.typed is None and monoid.binary.graphblas in EXTREMES)


def reduced(distribution: Distribution, store: WithDefault, monoid: Monoid, dtype: np.dtype) -> Any:
    """⊕ over all entries of this process, in the type of the result, or None if there are none. Of
    own ids the extremes are among the exceptions and as many positions, and one more, at both
    ends."""
    last = store.places.size
    if store.own_ids:
        begin = np.arange(min(store.own, last + 1))
        end = np.arange(max(0, store.own - last - 1), store.own)
        values, count = store.at(np.concatenate([store.places, begin, end]))[1], 0
    else:
        values, count = distribution.listed(store.few)[1][:-1], store.own - last
    some = distribution.built((values.size,), [np.arange(values.size), values])
    found = Reduce(some, monoid).new()._store
    of_default = folded(monoid, types.cast(store.default, dtype), count)
    both = [one for one in (found, of_default) if one is not None]
    return monoid.fold(np.array(both, dtype)) if both else None


def folded(monoid: Monoid, value: Any, count: int) -> Any:
    """⊕ over a value so many times, by doubling; None if there is none."""
    if not count or monoid.idempotent:
        return value if count else None
    if monoid.binary.graphblas == "binary.plus" and value.dtype.kind == "f":
        return value * value.dtype.type(count)
    powers = [value]
    for _ in range(count.bit_length() - 1):
        powers.append(monoid.fold(np.array(powers[-1:] * 2, value.dtype)))
    used = [power for bit, power in enumerate(powers) if count >> bit & 1]
    return monoid.fold(np.array(used, value.dtype))


def may_have_default(distribution: Distribution, size: int) -> bool:
    """Whether vectors of so many positions are kept by their exceptions, if these are few."""
    return distribution.large_graphs and lists_rows(size, lambda: 0)


# --- statements -------------------------------------------------------------------------------
class Exceptions:
    """The exceptions of all vectors of a statement among the positions of this process, and one
    position more for all others."""

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
            del operand[self.places.size]  # the one position with the number is an exception
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


def by_exceptions(distribution: Distribution, update: Update) -> Distributed | None:
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
    found = exceptions_of(distribution, out.size, read, places)
    if found is None:
        return None
    return written(found, update, found.expression(node, operands), operands)


def arrived_by_exceptions(
    distribution: Distribution, update: Update, node: Any, rows: Rows | None
) -> Distributed | None:
    """The same of another statement, whose expression has been brought to the rows of this process,
    or to those of them that are assigned to."""
    out, read = update.out, read_by(update, [])
    if types.is_record(out.dtype) or not has_default(*read):
        return None
    operands = [] if rows is not None else [Distributed(computed(node), out.shape)]
    found = exceptions_of(distribution, out.size, [*read, *operands], rows)
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
    found: Exceptions, update: Update, node: Any, operands: list[Distributed],
    region: Region | None = None,
) -> Distributed | None:  # fmt: skip
    """The store of the output of a statement, with its expression among the exceptions; None if
    those need values at all positions after all."""
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


def has_own_ids(*stores: Distributed) -> bool:
    """Whether the numbers of the positions are the default of one of these vectors."""
    return any(isinstance(store, WithDefault) and store.own_ids for store in stores)


def has_default(*stores: Distributed) -> bool:
    """Whether one of these vectors has a default."""
    return any(isinstance(store, WithDefault) for store in stores)


def exceptions_of(
    distribution: Distribution, size: int, stores: list[Distributed], rows: Rows | None
) -> Exceptions | None:  # fmt: skip
    """The exceptions of some vectors of this size, with all places of some rows; None if they are
    too many, or the rows a long slice."""
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
    return Exceptions(distribution, places) if are_few(places.size, most, size) else None


def joined(lists: list[np.ndarray]) -> np.ndarray:
    """The places of some lists, each of which is increasing: the longest list itself if it has
    all."""
    longest = max(lists, key=lambda one: one.size, default=np.empty(0, np.int64))
    others = {id(one): one for one in lists if one is not longest}.values()
    more = [one[~contained(one, longest)] for one in others]
    if not any(one.size for one in more):
        return longest
    return distinct(np.concatenate([longest, *more]))


def contained(some: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Which of some places are in an increasing list of them."""
    return np.append(among, -1)[np.searchsorted(among, some)] == some  # type: ignore[no-any-return]
