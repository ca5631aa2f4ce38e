"""Closures by the root alone.

A closure under a semiring for which the local backend has no loop or kernel for distributed rows is
like any other operation without one: the root carries it out, if it has room.

A search of a lattice or a road network takes thousands of levels of few vertices, and each level
costs two exchanges, whatever is in it. One process does such a level in less time than that. So a
closure that has proved deep goes to the root, too, which does the whole of it by the lowering of
its local backend. The matrix stays there for later closures, and a later search from one vertex is
there from the first: nobody makes a vector of the source, and both results come in one exchange.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.closure import Fixpoint
from lagraph_gpu.closure import fixpoint as of_one
from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.distributed_store import Distributed, vector_of_part
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.gathered import gathered_on
from lagraph_gpu.cluster.root import OF_CLOSURES, ON_ROOT, asked, whole_of
from lagraph_gpu.cluster.root_results import scattered
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import closure_order
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from semirings import Semiring
from semirings.types import INT64

DEEP_LEVELS, DEEP_ENTRIES = closure_order.DEEP_LEVELS, closure_order.DEEP_ENTRIES
"""After how many levels a closure is looked at; it is deep if they have had fewer entries than
`DEEP_ENTRIES` on average."""

WHY_DEEP = (
    "levels of few entries, each of which would cost two exchanges; process 0 has the whole matrix"
)

WHY = "this semiring has no loop or kernel for distributed rows, and process 0 has room"


def is_deep(distribution: Distribution, store: Distributed, rounds: int, entries: int) -> bool:
    """Whether the closure is to go on on the root, after so many levels with so many entries."""
    if rounds != DEEP_LEVELS or entries >= DEEP_ENTRIES * DEEP_LEVELS:
        return False
    store.deep = asked(distribution, [store], OF_CLOSURES).fits
    return store.deep


def closure_by_root(
    distribution: Distribution, x0: Vector, store: Distributed, transposed: bool,
    semiring: Semiring, max_rounds: int, options: dict[str, Any],
) -> Fixpoint:  # fmt: skip
    """The closure, by the local backend of the root, and distributed."""
    A = whole_of(store)
    made = gathered_on(distribution, x0._store, ROOT, distribution.local)
    if made is not None:
        begun = distribution.handle(made, x0.shape, x0.dtype)
        found = of_one(begun, A.T if transposed else A, semiring, max_rounds, **options)
    else:
        found = Fixpoint(distribution.empty(x0.shape, x0.dtype), None, True)
    has_levels, at_rest = distribution.totals(
        found.rounds is not None, distribution.is_root and found.at_rest
    )
    levels = found.rounds
    if has_levels and levels is None:
        levels = distribution.empty(x0.shape, np.dtype(np.int32))
    if explaining():
        why, laws = WHY_DEEP if store.deep else WHY, laws_of(semiring, x0.dtype)
        record_choice(f"closure {semiring.name}", ON_ROOT, why, laws=laws)

    wholes = [found.x] if levels is None else [found.x, levels]
    x, *when = (vector_of_part(part, x0) for part in scattered(distribution, *wholes))
    return Fixpoint(x, when[0] if has_levels else None, bool(at_rest))


def pair_of_root(
    distribution: Distribution, n: int, found: tuple[Vector, Vector] | None, dtype: np.dtype
) -> list[Any]:
    """The stores of the parts of what the root has found: a vector of this type, and one of
    parents. Others have None."""
    pair = found or tuple(distribution.empty((n,), kind) for kind in (dtype, INT64))
    return [part._store for part in scattered(distribution, *pair)]
