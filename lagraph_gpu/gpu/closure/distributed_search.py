"""What a search over distributed rows needs, whoever moves its lists and bitmaps (see
distributed_levels.py and resident_levels.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import DeviceArray, lower
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.layouts import TAIL
from lagraph_gpu.planning.direction import pull_balance
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels

FITS = TAIL, lower.ONE
"""Products that hold the number of a vertex or 1, and so are sent in 32 bits."""


BEYOND = np.int32(2**31 - 1)
"""The position after the last that a vector can have."""


def begins(start: DeviceVector) -> tuple[Any, ...]:
    """A start as kernels take it. One without an entry has its only one beyond all."""
    if start.count == 0:
        return BEYOND, start.dtype.type(0), None, None, None
    return start.begins(start.dtype, None)


class DistributedRows(NamedTuple):
    """The edges of this process as rows, by their sources and by their targets; None where a
    matrix of that kind is not there. A round pulls if more than `threshold` edges leave the
    frontier."""

    outgoing: DeviceMatrix | None
    incoming: DeviceMatrix | None
    threshold: int

    @property
    def known(self) -> DeviceMatrix:
        """The rows of edges that leave a position, or else of those that enter it."""
        known = self.outgoing or self.incoming
        assert known is not None
        return known


class DistributedSearch:
    """The operands of a search but for its start, of which this process has ``own`` positions of
    this type, and what follows from them."""

    def __init__(
        self, of: DistributedLevels, own: int, dtype: np.dtype, size: int, rows: DistributedRows,
        semiring: Semiring,
    ) -> None:  # fmt: skip
        self.backend, self.device, self.peers = of.backend, of.device, of.peers
        self.own, self.rows, self.semiring, self.dtype = own, rows, semiring, dtype
        self.known = known = rows.known
        leading = known.pattern.leading_columns
        # the positions behind these have no edges, so bitmaps end before them
        self.connected = size if leading is None else leading
        self.each = words(-(-self.connected // of.peers.size))
        fits = semiring.multiply.parsed in FITS and dtype == types.INT64
        self.sent = INDEX if fits else dtype
        self.algebra = lower.semiring_struct(semiring, dtype, known.dtype, known.offset, True)

    def outputs(self) -> tuple[DeviceVector, DeviceVector]:
        """The result before the search begins: the vector, and the rounds of its entries."""
        fill, device = DeviceVector.to_fill, self.device
        return fill(device, self.own, self.dtype), fill(device, self.own, INDEX)

    @property
    def ends(self) -> DeviceArray:
        """Where the out-edges of each position of this process begin; or its in-edges, if only
        these are there. The choice of push or pull does not depend on their number then."""
        return self.known.indptr

    def pull_argument(self) -> tuple[str, tuple[Any, ...]]:
        """How a pull searches rows, and a kernel's argument for it (``DistributedPull``)."""
        A, products, own = self.rows.incoming, self.backend.products, self.own
        assert A is not None
        ordered = A.pattern.leading_rows
        rows = PULL[pull_balance(A.nnz, max(1, own), True)]
        likely_parent = None
        if ordered is not None and rows == PULL["thread"] and not self.semiring.reads_right:
            rows, likely_parent = "LikelyParentFirst", self._first_columns(A)
        hubs, hub = products.long_rows(A)
        connected = own if ordered is None else ordered
        return rows, (
            np.int32(connected), *A.arrays(), self.ends, np.int32(products.long_row), likely_parent,
            np.int32(hubs), hub,
        )  # fmt: skip

    def _first_columns(self, A: DeviceMatrix) -> DeviceArray:
        """The first column of each row, which has the most entries if rows are ordered so."""
        if A.pattern.likely_parent is None:
            A.pattern.likely_parent = self.backend.layouts.likely_parent(A)
        return A.pattern.likely_parent

    def pieces(self, A: DeviceMatrix, piece: int) -> tuple[Any, ...]:
        """The pieces of long rows, as a kernel takes them."""
        count, rows, firsts = self.backend.products.pieces(A, piece)
        return np.int32(piece), np.int32(count), rows, firsts
