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
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import SIZE
from semirings import types

LONG_ROWS = "spgemm/long_rows.cuh"

FREE_BYTES_DIVISOR = 4
"""The bitmaps of long rows take at most one in so many free bytes. Not yet measured."""

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
    """Row offsets, all of one type, and columns of A, B and a complemented mask, with the truth of
    the mask's entries. None if there is no mask."""

    a_begins: DeviceArray
    a_indices: DeviceArray
    b_begins: DeviceArray
    b_indices: DeviceArray
    m_begins: DeviceArray | None
    m_indices: DeviceArray | None
    truth: DeviceArray | None

    @property
    def mask(self) -> tuple[DeviceArray | None, ...]:
        return self.m_begins, self.m_indices, self.truth


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
        room = max(1, self.device.free_bytes // FREE_BYTES_DIVISOR // each)
        for first in range(0, count, room):
            yield first, min(first + room, count)

    def _numbered(self, listed: Listed, S: Structure, ncols: int) -> Numbered:
        row_ends = self._ends(listed, S.a_begins)
        counts = self.device.empty(listed.entries, INDEX)
        self._launch(f"entry_products<{types.c_name(S.a_begins.dtype)}>", listed.entries,
                     listed.many, listed.rows, row_ends, S.a_begins, S.a_indices, S.b_begins,
                     counts)  # fmt: skip
        product_ends = self.backend.prefix_sums.ends(counts, SIZE)
        m_ends = None if S.m_begins is None else self._ends(listed, S.m_begins)
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
        groups, offset = (last - first) * of.groups, types.c_name(S.a_begins.dtype)
        batch = np.int32(first), np.int32(last)
        bits = device.zeros(GROUP * groups, WORD)

        def flip() -> None:
            if of.m_ends is not None:
                self._launch(f"flip_excluded<{offset}>", 0, of.many, of.rows, of.m_ends, *batch,
                             *S.mask, of.words, bits, blocks=blocks)  # fmt: skip

        flip()
        self._launch(f"mark_products<{offset}>", 0, *of.products, *batch, *S[:4], of.words, bits,
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
        self._launch(f"place_bits<{types.c_name(S.a_begins.dtype)}>", bits.size, *batch, of.rows,
                     np.int32(of.groups), ends, bits, ranks, taken, made.indptr,
                     made.indices)  # fmt: skip
        self.backend.launch(
            LONG_ROWS, algebra, "fold_products<Semiring>", 0, *of.products, *batch,
            *S[:2], *values[:2], *S[2:4], *values[2:], of.words, bits, ranks, taken, made.indptr,
            made.values, blocks=device.max_blocks,
        )  # fmt: skip

    def _launch(self, name: str, work: int, *args: Any, blocks: int | None = None) -> None:
        self.backend.launch(LONG_ROWS, "", name, work, *args, blocks=blocks)


def _groups(ncols: int) -> int:
    """The number of groups of words for so many columns."""
    return -(-ncols // (32 * GROUP))
