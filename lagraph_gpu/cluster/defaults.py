"""Vectors with a default: most positions have the same value, and nobody makes an array of all.

A graph of very many vertices that has few edges has the same rank at all vertices without edges,
and each of these is a component of its own. A process then has the positions with values of their
own, the *explicit entries*, and one value for all others. A statement that works element by element
is carried out on the explicit entries of all its operands and one position more, which stands for
all others, by the local backend (`default_statements.py`). Who needs the values at all positions
gets them (`part`), if there is room.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import named
from lagraph_gpu.cluster.distributed_store import Arrays, Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Reduce
from lagraph_gpu.notation.indexing import Progression
from semirings import types
from semirings.algebra import Monoid


class WithDefault(Distributed):
    """A store of a vector in which all positions but those of the explicit entries have one value,
    or each has its own number in the whole vector (`own_ids`)."""

    def __init__(
        self, distribution: Distribution, size: int, places: np.ndarray, few: Vector,
        own_ids: bool = False,
    ) -> None:  # fmt: skip
        Distributed.__init__(self, None, (size,))
        del self.part
        self.distribution, self.own_ids = distribution, own_ids
        self.places = places
        """The positions of the explicit entries of this process, increasing."""
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
        """The value at all positions but those of the explicit entries."""
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
        there = np.searchsorted(self.places, places)
        found = contained(places, self.places)
        there[~found] = self.places.size
        present, dense = self.explicit_entries()
        made = dense[there]
        if self.own_ids:
            made[~found] = places[~found] * self.distribution.size + self.distribution.rank
        kept = np.flatnonzero(present[there])
        return [kept, made[kept]]

    def explicit_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each explicit position, and last of the other positions, whether there is an entry,
        and its value."""
        index, values = self.distribution.local.vector_entries(self.few._store)
        present, dense = np.zeros(self.few.size, bool), np.zeros(self.few.size, values.dtype)
        present[index], dense[index] = True, values
        return present, dense

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
    own ids the extremes are among the explicit entries and as many positions, and one more, at both
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
    """Whether vectors of so many positions are kept by their explicit entries, if these are few."""
    return distribution.large_graphs and lists_rows(size, lambda: 0)


def has_own_ids(*stores: Distributed) -> bool:
    """Whether the numbers of the positions are the default of one of these vectors."""
    return any(isinstance(store, WithDefault) and store.own_ids for store in stores)


def has_default(*stores: Distributed) -> bool:
    """Whether one of these vectors has a default."""
    return any(isinstance(store, WithDefault) for store in stores)


def contained(some: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Which of some places are in an increasing list of them."""
    return np.append(among, -1)[np.searchsorted(among, some)] == some  # type: ignore[no-any-return]
