"""Long slices of vectors with a default (`defaults.py`), which keep it: no process makes the values
at all positions, and only explicit entries move.

What is in a slice goes to other owners, so all processes have to keep the vector so, with the same
default. They learn it in one exchange.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.cluster.defaults import WithDefault, may_have_default
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.owners import Rows, owned
from lagraph_gpu.cluster.packing import as_bytes, merged
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Apply, Extract, computed
from lagraph_gpu.notation.indexing import Progression
from semirings import UNARY, types


def with_sliced(distribution: Distribution, node: Any) -> Any:
    """An expression with the vector that it names, if that is a long slice of one with a default;
    any other as it is, with an operand that has been computed if it is a long slice. The numbers of
    positions are a default of the first positions alone."""
    if not isinstance(node, Extract) or len(node.operand.shape) != 1:
        return node
    (rows,) = node.axes
    if rows is None:
        return Apply(node.operand, UNARY["identity"])
    if not isinstance(rows, Progression) or not may_have_default(distribution, rows.size):
        return node
    operand = computed(node.operand)
    store, from_first = operand._store, (rows.begin, rows.step) == (0, 1)
    mine = np.empty(0, np.uint8)
    if isinstance(store, WithDefault) and not types.is_record(store.dtype):
        if from_first or not store.own_ids:
            mine = np.append(as_bytes(np.array([store.default])), np.uint8(store.own_ids))
    all_of = distribution.comm.all_gather(mine)
    if not mine.size or any(one.tobytes() != mine.tobytes() for one in all_of):
        return replace(node, operand=operand)
    made = sliced(distribution, store, rows)
    named = Vector._stored(made, rows.size, store.dtype, operand.backend)
    return Apply(named, UNARY["identity"])


def sliced(distribution: Distribution, store: WithDefault, rows: Progression) -> WithDefault:
    """The store of a slice: the explicit entries in it go to their owners."""
    size = distribution.size
    here, number = numbers_of(*owned(distribution.rank, size, rows), store.places)
    present, dense = store.explicit_entries()
    sent = [number // size, present[:-1][here], dense[:-1][here]]
    place, there, value = merged(distribution.sent(number % size, sent))
    order = np.argsort(place)
    place, there, value = place[order], there[order], value[order]
    kept = np.append(np.flatnonzero(there), place.size)
    few = Vector._built(
        place.size + 1, kept, np.append(value[there], dense[-1:]), distribution.local
    )
    return WithDefault(distribution, rows.size, place, few, store.own_ids)


def numbers_of(mine: Rows, numbers: Rows, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of these places of a process are among those of a slice that it owns, and the number of
    each in the slice."""
    if not isinstance(mine, Progression):
        mine = Progression(*progression_of(mine))
    here, of_mine = mine.numbers(places)
    return here, numbers[of_mine]


def progression_of(positions: np.ndarray) -> tuple[int, int, int]:
    """The first of some positions in even steps, the step, and how many they are."""
    begin, *others = positions[:2].tolist() or [0]
    return begin, others[0] - begin if others else 1, positions.size
