"""The lowering of `fixpoint`: a closure level by level, with two exchanges for each level.

The loop is that of `lagraph_gpu.closure.fixpoint`, on the part of each process. One exchange counts
the frontier of all, from which push or pull follows; the other one moves the frontier or what it
has found. In a push a process sends to each target at most one value for a level, and none that
adds nothing to what it has sent before: ⊕ is idempotent, so the owner has folded that in already.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.closure import Fixpoint
from lagraph_gpu.closure import fixpoint as of_one
from lagraph_gpu.cluster.distributed_store import Distributed, vector_of_part
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.products import (
    as_expression,
    both_ways,
    matrix_of,
    partial_product,
    pulled,
)
from lagraph_gpu.cluster.root import OF_CLOSURES, by_root
from lagraph_gpu.cluster.root_closures import closure_by_root, is_deep
from lagraph_gpu.cluster.root_operations import of_root
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Product, computed
from lagraph_gpu.planning.direction import pull_threshold
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, Monoid, Semiring
from semirings.types import INT32, INT64

IN_ALL = "{frontier} entries in all, and {imbalance} times the mean on the process with most; "
DETAILS = (
    f"{IN_ALL}this process sent {{bytes}} bytes to others in {{messages}} messages "
    "({exchanges} exchanges) and waited {waited} µs"
)

OF_DEVICES = (
    f"{IN_ALL}this process sent {{bytes}} bytes to others, between devices, and waited "
    "{waited} µs"
)


of_each_row = of_root(of_one)
"""The closures of the rows of a matrix."""


def fixpoint(
    x0: Any, A: Any, semiring: Semiring, max_rounds: int, schedule: Schedule | None = None,
    **options: Any,
) -> Fixpoint | None:  # fmt: skip
    """Implements `lagraph_gpu.closure.fixpoint`, for a vector without a schedule."""
    if not isinstance(x0, Vector):
        return of_each_row(x0, A, semiring, max_rounds, schedule, **options)  # type: ignore[no-any-return]
    if schedule is not None:
        return None
    distribution: Distribution = x0.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("fixpoint"):
        store, transposed = matrix_of(A)
        if distribution.lists_rows(store):
            return None  # loops, and `by_levels`, have arrays over all rows
        with_rounds = bool(options.get("with_rounds"))
        alone = partial(
            closure_by_root, distribution, x0, store, transposed, semiring, max_rounds, options
        )
        found = by_root(distribution, [store], OF_CLOSURES, alone) if store.deep else None
        if found is None:
            found = by_device_levels(
                distribution, x0, (store, transposed), semiring, max_rounds, with_rounds
            )
        if found is None:
            what = f"closure {semiring.name}"
            found = by_root(distribution, [store], OF_CLOSURES, alone, what)
        return found or by_levels(distribution, Product(x0, A, semiring), max_rounds)


def by_device_levels(
    distribution: Distribution, x0: Vector, matrix: tuple[Distributed, bool], semiring: Semiring,
    max_rounds: int, with_rounds: bool,
) -> Fixpoint | None:  # fmt: skip
    """The closure by kernels or loops of the local backend, where it has them: no value of a vector
    moves. None if it has none for this semiring, or if the closure proves deep.
    """
    local_operations, (store, transposed) = distribution.local_operations, matrix
    if local_operations is None:
        return None
    other = distribution.transpose(store).part._store if both_ways(store) else None
    outgoing, incoming = (store.part._store, other)[:: -1 if transposed else 1]
    between_devices, traffic = distribution.vector_exchange is not None, distribution.comm.traffic
    most = pull_threshold(distribution.entries_of(store), True, distributed=between_devices)
    entries, frontier, explained = 0, np.zeros(1), explaining()
    sent, before = distribution.devices.sent, replace(traffic) if explained else traffic

    def report(rounds: int, found: np.ndarray, pulled: bool, waited: float) -> bool:
        nonlocal entries, frontier, sent, before
        vertices = int(found.sum())
        if explained:
            now = distribution.devices.sent
            if rounds:
                moved = (
                    {"bytes": now - sent, "waited": waited * 1e6} if between_devices
                    else traffic.since(before)
                )  # fmt: skip
                record_choice(
                    f"closure {semiring.name}, level {rounds}", "pull" if pulled else "push",
                    OF_DEVICES if between_devices else DETAILS, laws=laws_of(semiring, x0.dtype),
                    frontier=int(frontier.sum()), imbalance=imbalance(frontier), **moved,
                )  # fmt: skip
            sent, before, frontier = now, replace(traffic), found
        entries += vertices
        return vertices > 0 and is_deep(distribution, store, rounds, entries)

    with distribution.devices.on_all():
        made = local_operations.closure(
            x0._store.part._store, x0.size, outgoing, incoming, most, semiring, max_rounds,
            distribution.comm.agree, report, with_rounds,
        )  # fmt: skip
    if made is None:
        return None
    x, levels, at_rest = made
    shape = x0._store.part.shape
    found = vector_of_part(distribution.handle(x, shape, x0.dtype), x0)
    if levels is None:
        return Fixpoint(found, None, at_rest)
    when = vector_of_part(distribution.handle(levels, shape, INT32), x0)
    return Fixpoint(found, when, at_rest)


def by_levels(distribution: Distribution, node: Product, max_rounds: int) -> Fixpoint:
    """The closure of `node.left`, which is a product with its frontier again and again."""
    x0, semiring = node.left, node.semiring
    store, transposed = matrix_of(node.right)
    x, frontier = x0._store.part.dup(), x0._store.part
    levels = distribution.empty(x.shape, INT32)
    levels(frontier.S) << 0
    known = distribution.empty(x0.shape, x0.dtype)  # the fold of all that this process has sent
    mask = ~known.S if semiring.monoid.is_any else None
    chooses = both_ways(store)
    nedges = distribution.entries_of(store) if chooses else 0
    most = pull_threshold(nedges, semiring.monoid.ends_early(x0.dtype))
    rounds, traffic = 0, distribution.comm.traffic

    outgoing = (distribution.transpose(store) if transposed else store) if chooses else None

    def measured() -> tuple[int, int]:
        """The entries of the frontier of this process, and the edges that leave them, if push or
        pull depends on that.
        """
        if outgoing is None:
            return frontier.nvals, 0
        return distribution.measured(frontier, outgoing.part, lambda: degrees_of(outgoing))

    before = replace(traffic)
    while (count := int((found := distribution.counts(*measured()))[:, 0].sum())) and (
        rounds < max_rounds
    ):
        edges = int(found[:, 1].sum())
        rounds += 1
        vector = Distributed(frontier, x0.shape)
        push = edges <= most if chooses else not transposed
        if push:
            wide = partial_product(distribution, node, vector, store, transposed, mask)
            candidate = distribution.reduce_scatter(
                changed_entries(distribution, wide, known, semiring.monoid), semiring.monoid
            )
        else:
            u = distribution.whole_vector(vector, semiring.reads_left)
            candidate = pulled(distribution, node, u, store, transposed)
        frontier = changed_entries(
            distribution, candidate, x, semiring.monoid, levels, rounds, outgoing
        )
        if explaining():
            record_choice(
                f"closure {semiring.name}, level {rounds}",
                "push" if push else "pull",
                DETAILS,
                laws=laws_of(semiring, node.dtype),
                frontier=count,
                imbalance=imbalance(found[:, 0]),
                **traffic.since(before),
            )
        before = replace(traffic)
    return Fixpoint(vector_of_part(x, x0), vector_of_part(levels, x0), not count)


def imbalance(counts: np.ndarray) -> float:
    """How many times the mean of all processes the largest number is.

    >>> imbalance(np.array([2, 4, 3])), imbalance(np.array([0, 0]))
    (1.33, 1.0)
    """
    return round(float(counts.max() / mean), 2) if (mean := counts.mean()) else 1.0


def degrees_of(rows: Distributed) -> np.ndarray:
    """The number of entries of each row of this process. It is counted once."""
    if rows.degrees is None:
        count = rows.part.apply("one").new(INT64).reduce_rowwise("plus").new()
        rows.degrees = count.to_dense(0)
    return rows.degrees


def changed_entries(
    distribution: Distribution, candidate: Any, known: Any, monoid: Monoid, levels: Any = None,
    rounds: int = 0, rows: Distributed | None = None,
) -> Any:  # fmt: skip
    """The entries of known ⊕ candidate that differ from `known`, which takes them over, with their
    level. They are multiplied by these rows next.
    """
    masked = ~known.S if monoid.is_any else None
    if distribution.vector_exchange is not None:
        made = as_expression(candidate).new(mask=masked) if monoid.is_any else computed(candidate)
        store = distribution.vector_exchange.fold_changed(
            made._store, known._store, None if levels is None else levels._store, rounds, monoid,
            None if rows is None else rows.part._store,
        )  # fmt: skip
        return distribution.handle(store, known.shape, known.dtype)
    if monoid.is_any:
        fresh = as_expression(candidate).new(mask=masked)
    else:
        fresh = computed(candidate).dup()
        fresh(BINARY["second"]) << monoid(known & fresh)
        same = BINARY["eq"](known & fresh).new()
        fresh(~same.V, replace=True) << fresh.dup()
    known(fresh.S) << fresh
    if levels is not None:
        levels(fresh.S) << rounds
    return fresh
