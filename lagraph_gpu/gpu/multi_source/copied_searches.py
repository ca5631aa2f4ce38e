"""Tables of distances from few sources of a deep graph.

All searches go in one launch, each in a copy of the graph (see ``gpu/closure/rows.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.ordered import ONE_MORE
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.multi_source.answers import Table
from lagraph_gpu.gpu.multi_source.tables import narrow
from lagraph_gpu.gpu.storage import INDEX
from lagraph_gpu.planning.trace import unrecorded
from semirings import SEMIRINGS, types


class CopiedSearches(BackendPart):
    """Computes tables of whole searches."""

    def lengths(self, A: Any, hops: bool, table: Table) -> bool:
        """Write the lengths from all sources. Returns False if the graph is not deep, if memory for
        two copies is missing, if a sum wraps, or if no kernel can be resident."""
        if not hops and A.dtype.kind in "iu" and A.dtype.itemsize < types.INT32.itemsize:
            A = narrow(A)  # sums of a few such weights would wrap
        store, closures, tables = A._store, self.backend.closures, self.backend.tables
        semiring = SEMIRINGS["any_pair" if hops else "min_plus"]
        order, dtype = (ONE_MORE, INDEX) if hops else (semiring, A.dtype)
        start = self.backend.empty((A.nrows,), types.BOOL if hops else dtype)
        with unrecorded():
            by_value = closures.by_value(Problem(start, store, False, semiring, A.nrows))
        copies = closures.rows.copies(A.nrows, dtype)
        if by_value is None or not by_value.asynchronous or copies is None:
            return False
        tables.record_choice(table, "in copies of the graph", width=by_value.width)
        zero, worst = np.zeros(1, dtype), order.monoid.start(dtype)
        together = hops or dtype.kind == "f"  # an integer may mean "no path" and be a sum
        most = copies.batch(table.sources.size)
        for first in range(0, table.sources.size, most):
            some = table.sources[first : first + most]
            at = np.split(some, some.size)
            x = closures.rows.search(copies, at, [zero] * some.size, store, order, dtype,
                                     by_value.width)  # fmt: skip
            if x is None:
                return False
            place = np.arange(first, first + some.size)
            if together:
                tables.write(table.answer._replace(n=copies.size), place, 1, worst, x.values)
            for row in range(0 if together else some.size):
                found = tables.dense(copies.part(x, row))
                tables.write(table.answer, place[row : row + 1], 1, np.inf, found)
            table.report(first + some.size)
        return True
