"""The predecessors of a closure's values: a parent for each entry.

A hub-first closure under a minimum stores them during the search, if it is asked to
(predecessor.cuh). For other closures they are found afterwards. An edge is tight if the product
with its tail's value is exactly its head's value; tight edges contain every possible parent, and
one pull takes one for each entry.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.matrix.weight_order import Stored, direction_of, lightest_first
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.layouts import TAILS, Layout
from lagraph_gpu.gpu.storage.vector_storage import Point
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.direction import pull_balance
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice, record_time
from lagraph_gpu.schedule import Schedule
from semirings import MONOIDS, SEMIRINGS, Semiring, any_secondi, types

PACKED_DELTA = "closure/ordered/packed_delta.cuh"
PREDECESSOR_OUTPUT = "closure/ordered/predecessor_output.cuh"
SCATTER = "vector/scatter.cuh"

WAYS = 2
"""The number of words of a bitmap that a warp has in flight while it translates the result."""

DURING_SEARCH = "values of 4 bytes from one start, at least 0: each shares a word with its parent"
TREE_REASON = "a parent is a neighbour from which an edge leads to just this value: {balance}"


def traceable(semiring: Semiring, x0: DeviceVector) -> bool:
    """True if a value and its predecessor fit in one word, as in predecessor.cuh: ⊕ is a minimum of
    values of 4 bytes, and x0 has one entry of at least 0. ⊗ must never improve."""
    least, point = semiring.monoid is MONOIDS["min"] and x0.dtype.itemsize == 4, x0.point
    return least and point is not None and bool(point.value.item() >= 0)


class Ready(NamedTuple):
    """What pulls along tight edges under one algebra share."""

    incoming: DeviceMatrix | None
    """The in-edges by rows; None for the matrix itself, which keeps this."""
    dtype: np.dtype
    algebra: str
    rows: str
    """How rows are read, as in ``products.PULL``."""
    first: tuple[DeviceArray, Stored] | None
    """The lightest entry of each row, if it is known, and the storage of the entries."""


class Parents(BackendPart):
    """Finds parents, or returns those that a search has stored."""

    def tight_forest(
        self, distance: Vector, roots: Vector, A: Any, schedule: Schedule | None = None, *,
        grown: Callable[..., Vector],
    ) -> Vector | None:  # fmt: skip
        """Lowers ``tight_forest``. The forest of the entries with a tight edge from a better one is
        ``grown`` by statements where there are others. Waits."""
        found = self.parents(distance._store, roots._store, A, SEMIRINGS["min_plus"])
        if found is None:
            return None
        made, whole = self.backend.as_vector(found[0]), found[1]
        return made if whole else grown(made, distance, A, schedule)

    def parents(
        self, x: DeviceVector, roots: DeviceVector, A: Any, order: Semiring
    ) -> tuple[DeviceVector, bool] | None:
        """For each entry of x the id of a better entry from which a tight edge leads to it, INT64;
        for each of ``roots`` the root's value. None if the types do not allow it. False if an entry
        has none."""
        store, transposed = self.backend.matrices.operand(A)
        noted, root = x.predecessors, roots.point
        if noted is not None and root is not None and root.at == root.value:
            if noted[:-1] == (store, transposed, order, root.at):
                x.predecessors = None  # the caller may change them
                if explaining():
                    laws = laws_of(order, x.dtype)
                    record_choice(
                        f"tree {order.name}", "found during the search", DURING_SEARCH, laws=laws
                    )
                return noted.tails, True
        if order.output(x.dtype, store.dtype) != x.dtype:
            return None
        made = self._by_tight_edges(x, store, transposed, order)
        missing = self.device.zeros(1, WORD)
        self.overlay(roots, made, x.bits, missing)
        return made, not self.device.download(missing)[0]  # synchronize!

    def unpacked(
        self, x: DeviceVector, origins: Any, layout: Layout | None, start: Point
    ) -> tuple[DeviceVector, DeviceVector]:
        """The closure, and the tails stored in ``origins`` (see predecessor.cuh), in the numbers of
        ``start``."""
        n, launch = x.size, functools.partial(self.backend.launch, PREDECESSOR_OUTPUT, "")
        if layout is None:
            tails = DeviceVector(n, types.INT64, device=self.device)
            tails.reserved = *self.device.reserve((words(n), WORD)), origins
            launch("unpack_predecessors", n, np.int32(n), x.parts[0], origins, tails.parts[0])
            return x, tails
        made = DeviceVector.to_fill(self.device, n, x.dtype)
        tails = DeviceVector.to_fill(self.device, n, types.INT64)
        n_connected = (
            n if layout.matrix.pattern.n_connected is None else layout.matrix.pattern.n_connected
        )
        launch(f"restore_with_predecessors<{types.c_name(x.dtype)}, {WAYS}>", n, np.int32(n),
               np.int32(n_connected),
               layout.to, layout.old, origins, start.at, *made.parts, *tails.parts)  # fmt: skip
        return made, tails

    def _by_tight_edges(
        self, x: DeviceVector, A: DeviceMatrix, transposed: bool, order: Semiring
    ) -> DeviceVector:
        """The parents without those of the roots. Entries without a tight edge have none."""
        layouts, layout = self.backend.layouts, A.layout
        if A.stays_packed and A.packed is not None and A.packed.weights is not None:
            return self._over_packed(x, A, order)
        if layout is None or layout.matrix.packed is not None or order.positional:
            return self.along_tight_edges(x, A, transposed, order, any_secondi, types.INT64)
        if x.renumbered is None or x.renumbered[0] is not layout:
            x.renumbered = layout, layouts.entered(x, layout, order)
        there, inner = x.renumbered[1], layout.matrix
        made = self.along_tight_edges(there, inner, transposed, order, TAILS, types.INT32)
        return layouts.restored(made, None, layout, TAILS, None)[0]

    def _over_packed(self, x: DeviceVector, A: DeviceMatrix, order: Semiring) -> DeviceVector:
        """The parents without those of the roots, by one pass over packed rows with weights."""
        rows, n, given = A.packed, x.size, types.INT64
        assert rows is not None and rows.weights is not None
        made = DeviceVector(n, given, self.device.zeros(words(n), WORD),
                            self.device.empty(max(1, n), given))  # fmt: skip
        algebra = lower.tight_struct(order, x.dtype, any_secondi, given, A.dtype, A.offset)
        self.backend.launch(
            PACKED_DELTA, algebra, f"packed_tight<Semiring, {rows.weights.types()}>",
            max(n, 32 * rows.n_segments), rows.given, tuple(rows.weights),
            (x.present, x.values), (made.bits, made.values),
        )  # fmt: skip
        if explaining():
            record_choice(f"tree {order.name}", "pull along tight edges", TREE_REASON,
                          balance="packed rows", laws=laws_of(order, x.dtype))  # fmt: skip
        return made

    def along_tight_edges(
        self, x: DeviceVector, A: DeviceMatrix, transposed: bool, order: Semiring,
        carried: Semiring, given: np.dtype,
    ) -> DeviceVector:  # fmt: skip
        """For each entry of a closure x under ``order``, a product of ``carried`` along a tight
        edge from a better entry; none if there is no such edge, as at the start. The product does
        not read x, which counts as a vector of type ``given``."""
        key = "tight", transposed, order, carried, x.dtype, given, self.backend.products.long_row
        ready = A.closures.ready.get(key)
        if ready is None:
            ready = self._ready(x.dtype, A, transposed, order, carried, given)
            A.closures.ready[key] = ready
        by_rows, dtype, algebra, rows, first = ready
        incoming = A if by_rows is None else by_rows
        stop = self.device.stopwatch() if explaining() else None
        if first is not None:
            result = self.backend.products.tight(dtype, x, incoming, algebra, rows, *first)
        else:
            result = self.backend.products.pulled(
                x.size, dtype, x, incoming, (x.present, np.uint32(0)), algebra, rows
            )
        if stop is not None:
            record_choice(f"tree {order.name}", "pull along tight edges", TREE_REASON, balance=rows,
                          carried=carried.name, laws=laws_of(order, x.dtype))  # fmt: skip
            record_time(stop())  # synchronize!
        return result

    def _ready(
        self, dtype: np.dtype, A: DeviceMatrix, transposed: bool, order: Semiring,
        carried: Semiring, given: np.dtype,
    ) -> Ready:  # fmt: skip
        incoming = A if transposed else self.backend.matrices.transpose(A)
        falling = lower.falls(order.monoid)
        stored = lightest_first(incoming, falling)
        lightest = incoming.closures.lightest.get((direction_of(falling), stored.is_sorted))
        return Ready(
            None if incoming is A else incoming,
            carried.output(given, incoming.dtype),
            lower.tight_struct(order, dtype, carried, given, incoming.dtype, incoming.offset),
            PULL[pull_balance(incoming.nnz, incoming.shape[0], False)],
            None if lightest is None else (lightest, stored),
        )

    def overlay(self, given: DeviceVector, x: DeviceVector, wanted: Any, missing: Any) -> None:
        """Write the given entries over those of x. Sets ``missing`` if x then lacks an entry that
        is wanted."""
        name = f"overlay<{types.c_name(x.dtype)}>"
        self.backend.launch(SCATTER, "", name, x.size, np.int32(x.size), given.present,
                            given.values, x.bits, x.values, wanted, missing)  # fmt: skip
