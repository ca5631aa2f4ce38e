"""The pull by panels: for skewed matrices that are multiplied often (see panels.cuh).

What is kept with a matrix: 2 bytes for each entry, an eighth for the marks, and 4 for each run, of
which kron22 has one for eight entries; and if values of entries are read, these once more, in the
order of the panels.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import DeviceArray
from lagraph_gpu.gpu.storage import INDEX, SPAN, WORD, DeviceMatrix, DeviceVector, Marks
from lagraph_gpu.plan import FEWEST_LEADING, LEADING_SHARE, PATIENCE, leads, runs_pay
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

ROUND = 256
"""Entries that a warp takes at a time, as in panels.cuh."""

WIDEST = 1 << 16
"""A column of a panel has 16 bits."""

VALUE = 8
"""Bytes of the widest value of a vector: panels are cut for these."""

THREADS = 1024
"""Threads of a block: one for a multiprocessor, whose shared memory it takes, for a panel and the
sums of a round of each warp."""

TABLE, RUNS = 300, 300
"""To read a panel's values costs a block as much as so many rounds, and a round as so many runs."""


class Panels(NamedTuple):
    """The entries of a matrix panel by panel."""

    old: DeviceArray
    """The columns by falling entries."""
    to: DeviceArray
    """Of each column its place among them."""
    used: int
    """How many of them have entries."""
    firsts: np.ndarray
    """The first round of each panel, and the end."""
    columns: DeviceArray
    begins: DeviceArray
    """One bit for each entry: does a run begin with it?"""
    before: DeviceArray
    """Runs before each round."""
    jobs_of: DeviceArray
    jobs: DeviceArray
    """What each block does (see ``shared_out``)."""
    total: int
    """Runs, and the fillings of panels, which are numbered among them."""
    runs: DeviceArray
    """The runs of each row, row by row."""
    marks: Marks
    """Where these begin."""


class Places(NamedTuple):
    """Where entries come to lie: what a walk of split.cuh is given, and its shared memory."""

    given: tuple[Any, ...]
    shared: int


class PanelPull:
    """Sums of runs. The fields are for tests."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.patience, self.fewest, self.threads = PATIENCE, FEWEST_LEADING, THREADS
        room = backend.device.largest_shared // VALUE - THREADS // 32 * ROUND
        self.width = min(WIDEST, max(32, room // 32 * 32))

    def panels(self, A: DeviceMatrix, marks: Marks, weighted: bool) -> Panels | None:
        """A's panels, if they are there or it is time for them; the product that asks counts.
        Values of A, if it reads them, have a patience of their own: matrices may share panels."""
        A.pulls += 1
        if A.pulls == self.patience:
            self._try(A, self._split, marks)  # synchronize!
        if A.panels is None or not weighted:
            return A.panels
        A.weighted_pulls += 1
        if A.in_panels is None and A.weighted_pulls >= self.patience:
            self._try(A, self._split_values, marks)
        return None if A.in_panels is None else A.panels

    def sums(
        self, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, panels: Panels, weighted: bool,
        algebra: str,
    ) -> DeviceVector:  # fmt: skip
        """The sum of each run."""
        device, launch, used = self.device, self.backend.launch, panels.used
        values = device.empty(used, u.dtype)
        launch("exchange.cuh", "", f"pick<{types.c_name(u.dtype)}, int>", used, np.int64(used),
               panels.old, u.values, values)  # fmt: skip
        made = DeviceVector(panels.total, dtype, full=True, device=device)
        kernel = self.backend.kernel("panels.cuh", algebra, "pull_panels<Semiring>")
        kernel(
            panels.jobs_of.size - 1, self.threads,
            (
                panels.jobs_of, panels.jobs, np.int32(used), np.int32(self.width), panels.columns,
                panels.begins, panels.before, A.in_panels if weighted else A.values,
                np.int32(weighted), values, made.values,
            ),
            shared_bytes=VALUE * self.width + dtype.itemsize * ROUND * self.threads // 32,
        )  # fmt: skip
        return made

    # --- what is made beforehand ---------------------------------------------------------------
    def _try(self, A: DeviceMatrix, make: Any, marks: Marks) -> None:
        """Nothing is made if there is no room for it."""
        with contextlib.suppress(TooLarge):
            make(A, marks)

    def _split(self, A: DeviceMatrix, marks: Marks) -> None:
        """Makes the panels, if columns are skewed enough that runs are few."""
        device, launch, width = self.device, self.backend.launch, self.width
        longest = None if A.transposed is None else A.transposed.max_degree
        if not leads(A.nnz, min(width, A.shape[1]), longest, self.fewest):
            return
        old, to, totals = self._ranked(A)  # synchronize!
        used, entries = totals[0], totals[1:][totals[1:] > 0]
        if entries[0] * LEADING_SHARE < A.nnz:
            return
        rounds = -(-entries // ROUND)
        firsts = np.concatenate(([0], rounds.cumsum())).astype(INDEX)
        places = self._places(A, marks, to, firsts)
        if places is None:
            return
        many, room = int(firsts[-1]), int(firsts[-1]) * ROUND
        columns, begins = device.zeros(room, np.uint16), device.zeros(room // 32, WORD)
        warps = device.max_blocks * device.block_size // 32
        began = device.empty(warps, INDEX)
        self._walk("split_entries", A, places, columns, begins, began)
        ends, number = self.backend.sums.total(began, np.dtype(np.int64))  # synchronize!
        if not runs_pay(A.nnz, number):
            return
        counts = device.empty(many, INDEX)
        launch("split.cuh", "", "count_runs", many, np.int32(many), begins, counts)
        before = self.backend.sums.begins(counts, INDEX)
        spans = number // SPAN + 1
        runs, ranks = device.empty(number, INDEX), device.empty(spans, INDEX)
        run_begins = device.zeros(spans * SPAN // 32, WORD)
        self._walk("list_runs", A, places, begins, before, ends, runs, run_begins, ranks)
        shares = shared_out(firsts, device.download(before), device.multiprocessors)  # synchronize!
        jobs_of, jobs = map(device.upload, shares)
        total = number + int(np.count_nonzero(entries % ROUND))
        A.panels = Panels(old, to, int(used), firsts, columns, begins, before, jobs_of, jobs, total,
                          runs, Marks(run_begins, ranks, marks.rows, marks.bits))  # fmt: skip

    def _split_values(self, A: DeviceMatrix, marks: Marks) -> None:
        """Puts the values of A where its entries are."""
        assert A.panels is not None
        places = self._places(A, marks, A.panels.to, A.panels.firsts)
        assert places is not None
        values = self.device.zeros(A.panels.columns.size, A.dtype)
        self._walk("split_values", A, places, A.values, values)
        A.in_panels = values

    def _ranked(self, A: DeviceMatrix) -> tuple[DeviceArray, DeviceArray, np.ndarray]:
        """The columns by falling entries, where each is among them, how many have any, and for each
        panel its entries (waits)."""
        device, launch, ncols = self.device, self.backend.launch, A.shape[1]
        begins = self.backend.matrices.column_begins(A, A.offset)
        keys = device.empty(ncols, np.int64)
        launch("marks.cuh", "", f"column_keys<{types.c_name(begins.dtype)}>", ncols,
               np.int32(ncols), begins, keys)  # fmt: skip
        device.sort(keys)
        old, to = device.empty(ncols, INDEX), device.empty(ncols, INDEX)
        totals = device.zeros(2 + (ncols - 1) // self.width, np.uint64)
        launch("marks.cuh", "", "rank_columns", ncols, np.int32(ncols), np.int32(self.width), keys,
               old, to, totals)  # fmt: skip
        return old, to, device.download(totals).astype(np.int64)  # synchronize!

    def _places(
        self, A: DeviceMatrix, marks: Marks, to: DeviceArray, firsts: np.ndarray
    ) -> Places | None:
        """What the walks that follow need; None if there are too many panels for them."""
        device, panels = self.device, firsts.size - 1
        warps, words = device.max_blocks * device.block_size // 32, device.block_size // 32 * panels
        shared = words * (A.offset.itemsize + INDEX.itemsize)
        if shared > device.largest_shared:
            return None
        ranked, counts = device.empty(A.nnz, INDEX), device.empty(panels * warps, INDEX)
        kernel = self.backend.kernel("split.cuh", "", f"count_panels<{types.c_name(A.offset)}>")
        cut = np.int32(self.width), np.int32(panels)
        kernel(device.max_blocks, device.block_size,
               (A.offset.type(A.nnz), A.indices, to, *cut, ranked, counts),
               shared_bytes=words * INDEX.itemsize)  # fmt: skip
        ends = self.backend.sums.ends(counts, A.offset)
        first = A.offset.type(A.nnz), marks.begins, marks.ranks, ranked
        return Places((*first, *cut, counts, ends, device.upload(firsts)), shared)

    def _walk(self, name: str, A: DeviceMatrix, places: Places, *args: Any) -> None:
        offset = types.c_name(A.offset)
        kinds = f"{offset}, {types.c_name(A.dtype)}" if name == "split_values" else offset
        kernel = self.backend.kernel("split.cuh", "", f"{name}<{kinds}>")
        kernel(self.device.max_blocks, self.device.block_size, (*places.given, *args),
               shared_bytes=places.shared)  # fmt: skip


def shared_out(
    firsts: np.ndarray, before: np.ndarray, blocks: int
) -> tuple[np.ndarray, np.ndarray]:
    """The rounds of each panel as jobs (panel, first round, end), and the first job of each block,
    so that blocks have as much to do as each other. ``before``: runs before each round, and all.

    >>> jobs_of, jobs = shared_out(np.array([0, 600, 700]), 64 * np.arange(701), 2)
    >>> jobs_of.tolist(), jobs.reshape(-1, 3).tolist()
    ([0, 1, 3], [[0, 0, 350], [0, 350, 600], [1, 600, 700]])
    """
    rounds = np.arange(firsts[-1] + 1)
    panels = np.searchsorted(firsts[1:-1], rounds, "right") + 1
    cost = rounds + before / RUNS + TABLE * panels
    cuts = np.searchsorted(cost, cost[-1] * np.arange(1, blocks) / blocks)
    cuts = np.concatenate(([0], cuts, firsts[-1:]))
    edges = np.union1d(cuts, firsts)
    of = np.searchsorted(firsts, edges[:-1], "right") - 1
    jobs = np.stack((of, edges[:-1], edges[1:]), 1)
    return np.searchsorted(edges, cuts).astype(INDEX), jobs.astype(INDEX).ravel()
