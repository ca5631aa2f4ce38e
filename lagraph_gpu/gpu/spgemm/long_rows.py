"""Rows of a matrix product that are too long for one block or warp: all threads of the device share
them.

See long_rows.cuh for the algorithm. It takes 12 bytes for each entry of A in such rows, and bitmaps
for as many rows at a time as fit in a part of the free memory, at least one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.device.port import workspace_bytes
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import SIZE
from semirings import types

LONG_ROWS = "spgemm/long_rows.cuh"

GROUP = constants.BITMAP_GROUP
"""The number of words of a bitmap that are counted together. A row's bitmap consists of whole
groups."""


class Listed(NamedTuple):
    """A list of rows of A ⊕.⊗ B."""

    many: np.int32
    rows: DeviceArray
    entries: int
    """The number of entries of A in all of them."""


class Structure(NamedTuple):
    """Where A, B and a complemented mask have entries: row offsets, all of one type, and
    columns."""

    A: tuple[DeviceArray, DeviceArray]
    B: tuple[DeviceArray, DeviceArray]
    outside: tuple[DeviceArray | None, DeviceArray | None, DeviceArray | None]
    """Of the mask, with the truth of its entries; None if there is no mask."""

    @property
    def offset(self) -> np.dtype:
        return self.A[0].dtype


class Numbered(NamedTuple):
    """Listed rows, and the prefix sums of their lengths, of the products of their entries, and of
    the lengths of the mask's rows."""

    many: np.int32
    rows: DeviceArray
    S: Structure
    row_ends: DeviceArray
    product_ends: DeviceArray
    m_ends: DeviceArray | None
    groups: int
    """The number of groups of words in a row's bitmap."""

    @property
    def products(self) -> tuple[Any, ...]:
        return self.many, self.rows, self.row_ends, self.product_ends

    @property
    def words(self) -> np.int32:
        return np.int32(GROUP * self.groups)


class LongRows(BackendPart):
    """Counts and computes listed rows of A ⊕.⊗ B outside a mask."""

    def count(self, listed: Listed, S: Structure, ncols: int, counts: DeviceArray) -> None:
        """Write to counts[i] the number of entries of row i of C, for the listed rows."""
        numbered = self._numbered(listed, S, ncols)
        for first, last in self.batches(int(listed.many), ncols, 1):
            ends = self._marked(numbered, first, last)[1]
            self._launch("count_columns_of", last - first, np.int32(first), np.int32(last),
                         listed.rows, np.int32(numbered.groups), ends, counts)  # fmt: skip

    def multiply(
        self, listed: Listed, S: Structure, algebra: str, is_any: bool, values: tuple[Any, ...],
        made: DeviceMatrix,
    ) -> None:  # fmt: skip
        """Write the listed rows of C. ``values`` are those of A with their stride, and of B. The
        values of C must hold the start value of ⊕, unless ⊕ is any."""
        ncols = made.shape[1]
        numbered = self._numbered(listed, S, ncols)
        for first, last in self.batches(int(listed.many), ncols, 3 if is_any else 2):
            self._multiply(numbered, first, last, algebra, is_any, values, made)

    def batches(self, count: int, ncols: int, bitmaps: int) -> Iterator[tuple[int, int]]:
        """Ranges of rows for which there is memory at the same time: ``bitmaps`` bitmaps for each
        row, and their counts."""
        each = _groups(ncols) * (bitmaps * GROUP * WORD.itemsize + INDEX.itemsize + SIZE.itemsize)
        room = max(1, workspace_bytes(self.device) // each)
        for first in range(0, count, room):
            yield first, min(first + room, count)

    def _numbered(self, listed: Listed, S: Structure, ncols: int) -> Numbered:
        row_ends = self._ends(listed, S.A[0])
        counts = self.device.empty(listed.entries, INDEX)
        self._launch(f"entry_products<{types.c_name(S.offset)}>", listed.entries,
                     listed.many, listed.rows, row_ends, *S.A, S.B[0], counts)  # fmt: skip
        product_ends = self.backend.prefix_sums.ends(counts, SIZE)
        excluded = S.outside[0]
        m_ends = None if excluded is None else self._ends(listed, excluded)
        return Numbered(listed.many, listed.rows, S, row_ends, product_ends, m_ends, _groups(ncols))

    def _ends(self, listed: Listed, begins: DeviceArray) -> DeviceArray:
        """The prefix sum of the lengths of the listed rows of a matrix."""
        count = int(listed.many)
        lengths = self.device.empty(count, SIZE)
        name = f"listed_lengths<{types.c_name(begins.dtype)}>"
        self._launch(name, count, listed.many, listed.rows, begins, lengths)
        return self.backend.prefix_sums.ends(lengths, SIZE)

    def _marked(self, of: Numbered, first: int, last: int) -> tuple[DeviceArray, DeviceArray]:
        """The bitmaps of a range of rows, and the prefix sum of the numbers of bits in their
        groups."""
        device, S, blocks = self.device, of.S, self.device.max_blocks
        groups, offset = (last - first) * of.groups, types.c_name(S.offset)
        batch = np.int32(first), np.int32(last)
        bits = device.zeros(GROUP * groups, WORD)

        def flip() -> None:
            if of.m_ends is not None:
                self._launch(f"flip_excluded<{offset}>", 0, of.many, of.rows, of.m_ends, *batch,
                             S.outside, of.words, bits, blocks=blocks)  # fmt: skip

        flip()
        self._launch(f"mark_products<{offset}>", 0, *of.products, *batch, S.A, S.B, of.words, bits,
                     blocks=blocks)  # fmt: skip
        flip()
        counts = device.empty(groups, INDEX)
        self._launch("count_groups", bits.size, np.int64(groups), bits, counts)
        return bits, self.backend.prefix_sums.ends(counts, SIZE)

    def _multiply(
        self, of: Numbered, first: int, last: int, algebra: str, is_any: bool,
        values: tuple[Any, ...], made: DeviceMatrix,
    ) -> None:  # fmt: skip
        """A range of the rows of C."""
        device, S, batch = self.device, of.S, (np.int32(first), np.int32(last))
        bits, ends = self._marked(of, first, last)
        ranks = device.empty(bits.size, INDEX)
        taken = device.empty(bits.size, WORD) if is_any else None
        self._launch(f"place_bits<{types.c_name(S.offset)}>", bits.size, *batch, of.rows,
                     np.int32(of.groups), ends, bits, ranks, taken, made.indptr,
                     made.indices)  # fmt: skip
        self.backend.launch(
            LONG_ROWS, algebra, "fold_products<Semiring>", 0, *of.products, *batch,
            factors(S, values), of.words, bits, ranks, taken, rows_of(made),
            blocks=device.max_blocks,
        )  # fmt: skip

    def _launch(self, name: str, work: int, *args: Any, blocks: int | None = None) -> None:
        self.backend.launch(LONG_ROWS, "", name, work, *args, blocks=blocks)


def factors(S: Structure, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A and B with their values and strides, as kernels take both (see factors.cuh)."""
    return *S.A, *values[:2], *S.B, *values[2:]


def rows_of(made: DeviceMatrix) -> tuple[Any, ...]:
    """The rows of a product to fill, as kernels take them (see factors.cuh)."""
    return made.indptr, made.indices, made.values


def _groups(ncols: int) -> int:
    """The number of groups of words for so many columns."""
    return -(-ncols // (32 * GROUP))
