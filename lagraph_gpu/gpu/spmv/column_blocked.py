"""The pull by column panels, for skewed matrices that are multiplied often (see
column_blocked.cuh).

Panels are kept with the matrix. They take 2 bytes for each entry that is not alone in its row and
panel, and 4 for each run, of which kron22 has one for eight entries; if the matrix' values are
read, also a copy of these in the order of the panels. A panel has twice as many columns for values
of 4 bytes as for values of 8, so there are panels for each of these.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.matrix_storage import KEEPERS, Marks
from lagraph_gpu.gpu.storage.vector_storage import SPAN, expect_numbered
from lagraph_gpu.planning.panels import (
    FEWEST_ENTRIES,
    FEWEST_LEADING,
    LEADING_SHARE,
    PRODUCTS_BEFORE_PANELS,
    leads,
    runs_pay,
)
from semirings import SEMIRINGS, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

COLUMN_RANK = "spmv/column_rank.cuh"
COLUMN_BLOCKED = "spmv/column_blocked.cuh"
PARTITION = "spmv/partition.cuh"
SLICED_ELL = "spmv/sliced_ell.cuh"
ROW_STARTS = "matrix/row_starts.cuh"

CUT = constants.CUT
"""The largest number of entries of a run."""

OF_LENGTH = (np.arange(CUT, 0, -1) + 1) // 2
"""The number of pairs of entries in a run, by its length from the longest."""

TASK = 256
"""The number of cells, of CUT places each, that a warp counts."""

WIDEST = 1 << 16
"""The largest width of a panel: a column in it has 16 bits."""

NARROWEST = 4
"""Panels of values of fewer bytes would hardly be wider: a column has 16 bits."""

THREADS = 1024
"""The threads of a block. A multiprocessor has one block, which takes all of its shared memory."""

PAIRS_AHEAD = 8
"""The number of pairs of entries that a lane loads at once; half as many if it also reads values,
and a quarter if these are wide."""

PANEL_ENTRY_BYTES = 6
"""About how many bytes an entry takes while panels are made, besides its place and its value: 2 for
its column, and 16 for each run, of which kron22 has one for eight entries. There may be more; then
the panels are given up where memory ends."""

READ_FROM_VECTOR = 4
"""The fold reads single entries of one in so many columns from the vector itself, of those with
most entries. A cache does not hold the values of the others, which are met too seldom."""

TABLE, SLICE = 1500, 1
"""The cost of loading a panel's values into shared memory, and the cost of a slice, in pairs of
entries for each lane."""


@functools.cache
def ordering(dtype: np.dtype) -> str:
    """The algebra that yields the vector's value itself."""
    return lower.semiring_struct(SEMIRINGS["any_second"], dtype, dtype, INDEX, False)


class Panels(NamedTuple):
    """The entries of a matrix, panel by panel."""

    to: DeviceArray | None
    """For each column its rank by falling number of entries; None if it is the column itself."""
    width: int
    """The number of columns of a panel."""
    used: int
    """The number of columns with entries."""
    columns: DeviceArray
    """The columns of the entries in each slice, in pairs."""
    begins: DeviceArray
    """The positions at which slices begin."""
    copied: DeviceArray | None
    """The first slice of single entries in each panel; None if values are read."""
    values: DeviceArray | None
    """The values in the order of the columns, if they are read."""
    jobs: tuple[DeviceArray, DeviceArray, DeviceArray]
    """The work of each block and warp (see ``shared_out``)."""
    items: DeviceArray
    """For each row, row by row, the positions of the values or sums that it adds."""
    marks: Marks
    """The positions at which the rows of ``items`` begin."""
    size: int
    """The length of the vector of these values and sums."""


class Places(NamedTuple):
    """The destinations of entries: the arguments of the kernels of partition.cuh that visit all
    entries, and their shared memory."""

    ranked: DeviceArray
    given: tuple[Any, ...]
    shared: int


class Slices(NamedTuple):
    """Runs in slices: the number of slices for each panel and length, the position of each, and the
    original positions of the runs in its lanes."""

    counts: np.ndarray
    begins: DeviceArray
    sources: DeviceArray
    pairs: int
    """The number of pairs of entries of a lane, in all slices together."""
    copied: DeviceArray | None
    """The first slice of single entries in each panel; None if these are runs like others."""


class ColumnBlockedSpmv:
    """Computes the sums of runs. The fields are for tests."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.patience, self.threads = PRODUCTS_BEFORE_PANELS, THREADS
        self.fewest, self.fewest_entries = FEWEST_LEADING, FEWEST_ENTRIES
        self.task, self.room = TASK, backend.device.largest_shared
        self.from_vector = READ_FROM_VECTOR

    def panels(
        self, A: DeviceMatrix, marks: Marks, weighted: bool, dtype: np.dtype
    ) -> Panels | None:
        """The widest panels of A that have room for values of this type, if there are any or this
        product is the one that makes them; otherwise None. Each call counts as a product. Products
        that read A's values have panels of their own."""
        if A.nnz < self.fewest_entries:
            return None
        known, width = A.pulls if weighted else A.pattern.pulls, self.width(dtype)
        known.counts[width] += 1
        if known.counts[width] == self.patience:
            made = self._tried(A, marks, weighted, width)  # synchronize!
            if made is not None:
                known.panels[width] = made
                KEEPERS.add(known)
        fitting = [w for w in known.panels if w <= width]
        return known.panels[max(fitting)] if fitting else None

    def width(self, dtype: np.dtype) -> int:
        """The number of columns of a panel, whose values of this type fit into shared memory."""
        return min(WIDEST, max(32, self.room // max(NARROWEST, dtype.itemsize) // 32 * 32))

    def sums(
        self, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, panels: Panels, algebra: str,
        summing: str,
    ) -> DeviceVector:  # fmt: skip
        """The values that ``items`` refers to: products of single entries if A's values are not
        read, followed by the sum of each run. ``summing`` is the algebra that folds products with
        ⊕."""
        result = DeviceVector(panels.size, dtype, full=True, device=self.device)
        ahead = PAIRS_AHEAD
        if panels.values is not None:
            before, after, values = ordering(u.dtype), algebra, None
            held, sums = self.device.empty(panels.used, u.dtype), result.values
            ahead //= 4 if A.dtype.itemsize > 4 else 2
        else:
            before, after, values = algebra, summing, A.values
            held, sums = result.values, result.values[panels.used :]
        struct, source, given = self.backend.reductions.source(u)
        size = panels.used if panels.to is None else u.size
        self.backend.launch(
            COLUMN_RANK, lower.together(before, struct), f"rank_products<Semiring, {source}>",
            size, np.int32(size), np.int32(panels.used), panels.to, values, held, *given,
        )  # fmt: skip
        self.backend.launch(
            COLUMN_BLOCKED, after, f"column_blocked_spmv<Semiring, {ahead}>", 0, *panels.jobs,
            np.int32(panels.used), np.int32(panels.width), panels.columns, panels.begins,
            panels.copied, panels.values, held, sums, blocks=panels.jobs[0].size - 1,
            threads=self.threads, shared_bytes=held.dtype.itemsize * panels.width,
        )  # fmt: skip
        return result

    # --- what is made beforehand ---------------------------------------------------------------
    def _tried(self, A: DeviceMatrix, marks: Marks, weighted: bool, width: int) -> Panels | None:
        """The panels; None if there is not enough memory. What others keep stays."""
        each = A.offset.itemsize + PANEL_ENTRY_BYTES + (3 * A.dtype.itemsize if weighted else 0)
        if each * A.nnz > self.device.free_bytes:
            return None
        try:
            return self._split(A, marks, weighted, width)
        except TooLarge:
            return None

    def _split(self, A: DeviceMatrix, marks: Marks, weighted: bool, width: int) -> Panels | None:
        """The panels, if the columns are so skewed that there are few runs; otherwise None."""
        device = self.device
        longest = None if A.transposed is None else A.transposed.pattern.max_degree
        if not leads(A.nnz, min(width, A.shape[1]), longest, self.fewest):
            return None
        to, totals = self._ranked(A, width)  # synchronize!
        used, moved, entries = int(totals[0]), int(totals[1]), totals[2:][totals[2:] > 0]
        if entries[0] * LEADING_SHARE < A.nnz:
            return None
        firsts = np.concatenate(([0], (-(-entries // CUT)).cumsum())).astype(INDEX)
        places = self._places(A, marks, to, firsts, width)
        if places is None:
            return None
        cells, values = int(firsts[-1]), None
        if weighted:  # while the places of entries are still known
            values = device.zeros(cells * CUT, A.dtype)
            self._walk("split_values", A, places, A.values, values)
        columns, begins = device.zeros(cells * CUT, np.uint16), device.zeros(cells * 2, WORD)
        began = device.empty(device.max_blocks * device.block_size // 32, INDEX)
        self._walk("split_entries", A, places, columns, begins, began)
        ends, number = self.backend.prefix_sums.total(began, np.dtype(np.int64))  # synchronize!
        if not runs_pay(A.nnz, number):
            return None
        expect_numbered(number, "runs")
        skipped = 0 if weighted else used  # values before the sums
        slices, before, named = self._sliced(
            A, firsts, begins, columns, number, skipped, width
        )  # synchronize!
        spans = number // SPAN + 1
        items, ranks = device.empty(number, INDEX), device.empty(spans, INDEX)
        item_begins = device.zeros(spans * SPAN // 32, WORD)
        self.backend.launch(
            PARTITION, "", f"list_items<{types.c_name(A.offset)}>", 0, A.offset.type(A.nnz),
            marks.ranks, places.ranked, begins, before, named, ends, items, item_begins, ranks,
            blocks=device.max_blocks,
        )  # fmt: skip
        del places  # it has the place of each entry
        columns = self._filled(A, slices, columns)
        values = None if values is None else self._filled(A, slices, values)
        shares = shared_out(slices.counts, device.multiprocessors, self.threads // 32, not weighted)
        jobs = device.upload(shares[0]), device.upload(shares[1]), device.upload(shares[2])
        of_rows = Marks(item_begins, ranks, marks.rows, marks.bits)
        size = skipped + slices.sources.size
        return Panels(
            to if moved else None, width, used, columns, slices.begins, slices.copied, values, jobs,
            items, of_rows, size,
        )  # fmt: skip

    def _sliced(
        self, A: DeviceMatrix, firsts: np.ndarray, begins: DeviceArray, columns: DeviceArray,
        number: int, skipped: int, width: int,
    ) -> tuple[Slices, DeviceArray, DeviceArray]:  # fmt: skip
        """The slices of the panels whose first cells are ``firsts``, the number of runs before each
        cell, and the item of each run. If values are ``skipped``, single entries of columns with
        many entries have no run: their products are in that first part of the vector."""
        device, launch, sums = self.device, self.backend.launch, self.backend.prefix_sums
        panels, cells, upload = firsts.size - 1, int(firsts[-1]), device.upload
        tasks = np.append(0, (-(-np.diff(firsts) // self.task)).cumsum()).astype(INDEX)
        many = int(tasks[-1])
        in_cell, counts = device.empty(cells, INDEX), device.empty(many * CUT, INDEX)
        totals = device.zeros(panels * CUT, INDEX)
        given = (np.int32(many), np.int32(self.task), np.int32(panels), upload(firsts),
                 upload(tasks), begins)  # fmt: skip
        launch(SLICED_ELL, "", "count_lengths", 32 * many, *given, in_cell, counts, totals)
        before, starts = sums.begins(in_cell, INDEX), sums.begins(counts, INDEX)
        slices = -(-device.download(totals).reshape(panels, CUT) // 32)  # synchronize!
        pairs_of, alone = slices * OF_LENGTH, -(-skipped // (width * self.from_vector))
        if skipped:  # the fold reads those of the first panels from the vector
            slices[:alone, -1] = 0
            slices[alone:, -1] += slices[alone:, -1] % 2
            pairs_of[:, -1] = slices[:, -1] // 2
        until = slices.cumsum()
        ends, pairs = upload(until.astype(INDEX)), upload(pairs_of.cumsum().astype(INDEX))
        copied = upload(until[CUT - 2 :: CUT].astype(INDEX)) if skipped else None
        total = int(until[-1])
        expect_numbered(skipped + 32 * total, "sums of runs")
        made = Slices(
            slices, device.empty(total + 1, INDEX), device.full(32 * total, -1, A.offset),
            int(pairs_of.sum()), copied,
        )  # fmt: skip
        items = device.empty(number + panels, INDEX)  # each panel may be padded by one run
        launch(SLICED_ELL, "", "begin_slices", total + 1, np.int32(total), np.int32(slices.size),
               np.int32(skipped > 0), ends, pairs, made.begins)  # fmt: skip
        launch(
            SLICED_ELL, "", f"number_runs<{types.c_name(A.offset)}>", 32 * many, *given, before,
            starts, ends, np.int32(skipped), np.int32(alone), np.int32(width), columns,
            made.sources, items,
        )  # fmt: skip
        return made, before, items

    def _filled(self, A: DeviceMatrix, slices: Slices, of_places: DeviceArray) -> DeviceArray:
        """The columns or values of the entries, in the order of slices."""
        many = slices.begins.size - 1
        result = self.device.empty(64 * slices.pairs, of_places.dtype)
        kinds = f"{types.c_name(A.offset)}, {types.c_name(of_places.dtype)}"
        self.backend.launch(SLICED_ELL, "", f"fill_slices<{kinds}>", 32 * many, np.int32(many),
                            np.int32(slices.copied is not None), slices.begins, slices.sources,
                            of_places, result)  # fmt: skip
        return result

    def _ranked(self, A: DeviceMatrix, width: int) -> tuple[DeviceArray, np.ndarray]:
        """The rank of each column by falling number of entries; the number of columns with entries,
        the number whose rank is another, and the number of entries in each panel. Waits."""
        device, launch, ncols = self.device, self.backend.launch, A.shape[1]
        begins = self.backend.matrices.column_begins(A, A.offset)
        keys = device.empty(ncols, np.int64)
        launch(ROW_STARTS, "", f"column_keys<{types.c_name(begins.dtype)}>", ncols,
               np.int32(ncols), begins, keys)  # fmt: skip
        device.sort(keys)
        to = device.empty(ncols, INDEX)
        totals = device.zeros(3 + (ncols - 1) // width, np.uint64)
        launch(ROW_STARTS, "", "rank_columns", ncols, np.int32(ncols), np.int32(width), keys,
               to, totals)  # fmt: skip
        return to, device.download(totals).astype(np.int64)  # synchronize!

    def _places(
        self, A: DeviceMatrix, marks: Marks, to: DeviceArray, firsts: np.ndarray, width: int
    ) -> Places | None:
        """The arguments of the kernels that visit all entries; None if there are too many panels
        for their shared memory."""
        device, panels = self.device, firsts.size - 1
        warps, words = device.max_blocks * device.block_size // 32, device.block_size // 32 * panels
        shared = words * (A.offset.itemsize + INDEX.itemsize)
        if shared > device.largest_shared:
            return None
        ranked, counts = device.empty(A.nnz, A.offset), device.empty(panels * warps, INDEX)
        cut = np.int32(width), np.int32(panels)
        self.backend.launch(
            PARTITION, "", f"count_panels<{types.c_name(A.offset)}>", 0, A.offset.type(A.nnz),
            A.indices, to, *cut, ranked, counts, blocks=device.max_blocks,
            shared_bytes=words * INDEX.itemsize,
        )  # fmt: skip
        ends = self.backend.prefix_sums.ends(counts, A.offset)
        first = A.offset.type(A.nnz), marks.begins, ranked
        return Places(ranked, (*first, *cut, counts, ends, device.upload(firsts)), shared)

    def _walk(self, name: str, A: DeviceMatrix, places: Places, *args: Any) -> None:
        offset = types.c_name(A.offset)
        kinds = f"{offset}, {types.c_name(A.dtype)}" if name == "split_values" else offset
        self.backend.launch(PARTITION, "", f"{name}<{kinds}>", 0, *places.given, *args,
                            blocks=self.device.max_blocks,
                            shared_bytes=places.shared)  # fmt: skip


def shared_out(
    slices: np.ndarray, blocks: int, warps: int, copied: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Divide the slices into jobs, each some slices of one panel, so that blocks have equal work,
    and so have the warps of a job. ``slices`` is the number of slices for each panel and length.
    Single entries that are ``copied`` cost little.

    Returns the first job of each block, the panel of each job, and the slice at which the share of
    each warp of a job begins, with the end of all.

    >>> slices = np.zeros((2, CUT), int)
    >>> slices[0, 0], slices[1, 32] = 600, 600
    >>> [part.tolist() for part in shared_out(slices, 2, 2)]
    [[0, 1, 3], [0, 0, 1], [0, 227, 454, 527, 600, 900, 1200]]
    """
    of_slice = OF_LENGTH + SLICE
    of_slice[-1] = 1 if copied else of_slice[-1]
    each = np.tile(of_slice, len(slices))
    kinds = slices.ravel()
    firsts, costs = np.append(0, kinds.cumsum()), np.append(0, (kinds * each).cumsum())

    def cut(goals: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """The slices before which so much is to do."""
        at = np.searchsorted(costs[1:], goals).clip(0, kinds.size - 1)
        into = (goals - costs[1:][at] + (kinds * each)[at]).clip(0) // each[at]
        return firsts[at] + np.minimum(into.astype(int), kinds[at])

    read = np.zeros(slices.shape, int)
    read[:, 0] = TABLE * slices.any(1)
    whole = costs + np.append(0, read.ravel().cumsum())
    of_blocks = np.append(
        np.append(0, cut(whole[-1] * np.arange(1, blocks) / blocks, whole)), firsts[-1]
    )
    edges = np.union1d(of_blocks, firsts[::CUT])
    panels = np.searchsorted(firsts[::CUT], edges[:-1], "right") - 1
    kind = np.searchsorted(firsts, edges, "right") - 1
    done = costs[kind] + (edges - firsts[kind]) * np.append(each, 0)[kind]
    goals = done[:-1, None] + np.diff(done)[:, None] * np.arange(warps) / warps
    cuts = np.maximum(edges[:-1, None], np.minimum(cut(goals, costs), edges[1:, None]))
    cuts[:, 0] = edges[:-1]
    jobs_of = np.searchsorted(edges, of_blocks)
    return jobs_of.astype(INDEX), panels.astype(INDEX), np.append(cuts, firsts[-1]).astype(INDEX)
