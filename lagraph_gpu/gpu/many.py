"""Tables of distances from many sources at once, on the device.

Hops: a bit for each source, all searches in step (many.cuh). Lengths: slices of a few sources, in
order of value, each slice the affair of one block (slices.cuh); or, where a schedule asks for it,
each source the affair of one warp with a heap (heaps.cuh). All leave a dense block with the sources
of a vertex side by side, of which block.cuh makes rows of the table, or picks the pairs that are
asked for; a part of the sources at a time if memory is short.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Pairs, Targets, answer_shape
from lagraph_gpu.closure import closure
from lagraph_gpu.generators import Progress
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.device import DeviceArray, Kernel
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.indexing import distinct
from lagraph_gpu.plan import choose_table, slice_threads, slice_width
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import explaining, tell
from lagraph_gpu.vector import Vector
from semirings import SEMIRINGS, types
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SEARCH_BLOCK = 256
"""Threads of a block at most, as in many.cuh."""

TEAMS = 1, 2, 4, 8, 16
"""Sources of a slice, at choice."""

TEAM = 1
"""Sources of a slice."""

LISTED = 20
"""Bytes that a block of slices.cuh takes for each vertex: four lists and a word of state."""

SHARE = 4
"""The dense block and those lists, or the heaps, take one in so many bytes that are free, each."""

Arguments = tuple[Any, ...]

HEAPS = 2
"""Warps of a block, as in heaps.cuh."""


class Shape(NamedTuple):
    """How the bits of a vertex are shared out: words of a thread, and threads."""

    words: int
    threads: int

    @property
    def sources(self) -> int:
        return 32 * self.words * self.threads


SHAPES = tuple(Shape(*pair) for pair in ((1, 1), (2, 1), (4, 1), (4, 2), (4, 4), (4, 8)))


class Rows(NamedTuple):
    """A row for each source, in order, and a column for each target."""

    targets: DeviceArray | None
    columns: int


class Picks(NamedTuple):
    """Some entries: the pairs on the host, and on the device."""

    pairs: Pairs
    row: DeviceArray
    column: DeviceArray
    place: DeviceArray


class Answer(NamedTuple):
    """Where what is found about n vertices goes."""

    n: int
    into: Rows | Picks
    out: DeviceArray


class Table(NamedTuple):
    """What is asked for, and where it goes."""

    sources: np.ndarray
    targets: np.ndarray | None
    """The targets, each perhaps many times; None is all vertices."""
    cutoff: float | None
    law: str
    """Why the way to it has been chosen."""
    answer: Answer
    told: Callable[[int], None]
    """Hears of how many rows are done."""


def silent(done: int) -> None:
    """Nobody listens."""


class ManySearches:
    """The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.team = TEAM
        self.threads: int | None = None
        self.room: int | None = None

    def lengths(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None, hops: bool,
        dtype: np.dtype, schedule: Schedule | None = None, progress: Progress | None = None,
    ) -> Any:  # fmt: skip
        """As ``Backend.lengths`` says."""
        n, device = A.nrows, self.device

        def tell_listener(done: int) -> None:
            assert progress is not None
            device.synchronize()  # synchronize! what is under way is not done
            progress(done, sources.size)

        told = silent if progress is None else tell_listener
        shape = answer_shape(sources.size, n, targets)
        out = device.empty(math.prod(shape), dtype)
        if out.size:
            ends = targets.column if isinstance(targets, Pairs) else targets
            way, law = choose_table(sources.size, n, A._store.nnz, hops, schedule)
            answer = Answer(n, self._into(targets, shape), out)
            table = Table(sources, ends, cutoff, law, answer, told)
            if way != "bits" or not self._hops(A._store, table):
                self._lengths(A, hops, way, schedule, table)
        return device.export(out).reshape(shape)

    def _into(self, targets: Targets, shape: tuple[int, ...]) -> Rows | Picks:
        upload = self.device.upload
        if isinstance(targets, Pairs):
            row, column = (upload(x.astype(INDEX)) for x in (targets.row, targets.column))
            return Picks(targets, row, column, upload(targets.place))
        return Rows(None if targets is None else upload(targets.astype(INDEX)), shape[1])

    # --- hops --------------------------------------------------------------------------------
    def _hops(self, A: DeviceMatrix, table: Table) -> bool:
        """Rounds; False if no kernel can be resident."""
        n, sources, dtype = table.answer.n, table.sources, table.answer.out.dtype
        most = n if table.cutoff is None else min(n, math.floor(table.cutoff))
        some = min(self.at_once(sources.size, n * dtype.itemsize), SHAPES[-1].sources)
        self._tell(table, "in step, a bit for each source", words=-(-some // 32))
        for first in range(0, sources.size, some):
            part = sources[first : first + some]
            shape = fitting(part.size)
            level = self.device.full(n * shape.sources, np.inf, dtype)
            sink = f"Levels<{types.c_name(dtype)}, {shape.sources}>"
            if not self._search(A, part, shape, most, sink, level, None, None):
                return False
            place = np.arange(first, first + part.size)
            self.write(table.answer, place, shape.sources, np.inf, level)
            table.told(first + part.size)
        return True

    def nearness(self, A: DeviceMatrix, sources: np.ndarray) -> tuple[DeviceVector, ...] | None:
        """As ``Backend.nearness`` says; None if no kernel can be resident."""
        n, zeros, most = A.shape[0], self.device.zeros, SHAPES[-1].sources
        made = tuple(zeros(max(1, n), dtype) for dtype in (types.INT32, types.UINT64, types.FP64))
        for first in range(0, sources.size, most):
            part = sources[first : first + most]
            if not self._search(A, part, fitting(part.size), n, "Sums", *made):
                return None
        adopt, export = self.backend.adopt_vector, self.device.export
        return tuple(adopt(export(sums[:n]), None, None, copy=False) for sums in made)

    def _search(
        self, A: DeviceMatrix, sources: np.ndarray, shape: Shape, most: int, sink: str, *into: Any
    ) -> bool:  # fmt: skip
        """One breadth-first search from so many sources as ``shape`` has bits for."""
        n, device, products = A.shape[0], self.device, self.backend.products
        incoming = self.backend.matrices.transpose(A)
        hubs, hub = products.long_rows(incoming)
        row = shape.words * shape.threads
        bits, alive = device.zeros(max(1, 3 * n * row), WORD), device.zeros(3 * row + 1, WORD)
        name = f"search_many<{types.c_name(A.offset)}, {shape.words}, {shape.threads}, {sink}>"
        return self.backend.launch_resident(
            "many.cuh", "", name, SEARCH_BLOCK, np.int32(n), np.int32(sources.size),
            device.upload(sources.astype(INDEX)), np.int32(min(most, 2**31 - 2)),
            A.indptr, A.indices, incoming.indptr, incoming.indices,
            incoming.offset.type(products.long_row), np.int32(hubs), hub,
            bits, alive, alive[3 * row :], *into,
        )  # fmt: skip

    # --- lengths -----------------------------------------------------------------------------
    def _lengths(
        self, A: Any, hops: bool, way: str, schedule: Schedule | None, table: Table
    ) -> None:
        """Sums of weights, or of ones; integers in 32 bits, unless some sum wraps there."""
        floating = A.dtype.kind == "f"
        W = A.apply("one").new("INT32") if hops else A if floating else narrow(A)
        ring, weights = SEMIRINGS["min_plus"], self.backend.traversals.weights
        if way == "singles":
            self._singles(W, ring, schedule, table)
            return
        width = schedule and schedule.width
        if not width:
            mean = 1.0 if hops else weights(W, ring, W.dtype).mean
            width = slice_width(mean, A.nrows, W._store.nnz)
        by_value = self._heaps if way == "heaps" else self._slices
        if not by_value(W, ring, width, table):
            by_value(W.dup("INT64"), ring, width, table)

    def _singles(self, A: Any, ring: Semiring, schedule: Schedule | None, table: Table) -> None:
        """One search of the whole device after another."""
        self._tell(table, "one search after another")
        wide = np.dtype(np.int64) if A.dtype.kind == "i" else A.dtype
        A = A if A.dtype == wide else A.dup(wide)
        for i, source in enumerate(table.sources):
            start = Vector.from_coo([source], 0, wide, size=A.nrows, backend=self.backend)
            lengths = self._dense(closure(start, A, ring, schedule=schedule)._store)
            self.write(table.answer, np.array([i]), 1, np.inf, lengths, table.cutoff)
            table.told(i + 1)

    def _slices(self, A: Any, ring: Semiring, width: float, table: Table) -> bool:
        """A block for each slice; False where a sum wraps. The waves of sources that are
        neighbours share a slice's work."""
        n, device, team = A.nrows, self.device, self.team
        self._tell(table, "by value, each slice by a block", team=team, width=width)
        kernel = self._kernel("slices", f", {team}", ring, A)
        threads = self.threads or slice_threads(
            -(-table.sources.size // team), n, device.multiprocessors, device.block_size
        )
        blocks = self._blocks(kernel, threads, LISTED * n)

        def run(count: int, given: Arguments, flags: Arguments) -> None:
            grid = min(count, blocks)
            lists = device.zeros(grid * n, WORD), device.empty(4 * grid * n, INDEX)
            kernel(grid, threads, (*given, *lists, *flags))

        return self._by_value(A, ring, width, table, team, run)

    def _heaps(self, A: Any, ring: Semiring, width: float, table: Table) -> bool:
        """A warp for each source; False where a sum wraps."""
        dtype, device = A.dtype, self.device
        self._tell(table, "by value, each source by a warp with a heap", width=width)
        kernel, threads = self._kernel("heaps", "", ring, A), 32 * HEAPS
        room = self.room or heap_room(A.nrows)
        keys, items = HEAPS * room * 33, HEAPS * room * 32  # of a block
        blocks = self._blocks(kernel, threads, keys * dtype.itemsize + items * INDEX.itemsize)

        def run(count: int, given: Arguments, flags: Arguments) -> None:
            grid = min(-(-count // HEAPS), blocks)
            nodes = device.empty(grid * keys, dtype), device.empty(grid * items, INDEX)
            kernel(grid, threads, (*given, np.uint32(room), *nodes, *flags))

        return self._by_value(A, ring, width, table, 1, run)

    def _by_value(
        self, A: Any, ring: Semiring, width: float, table: Table, team: int,
        run: Callable[[int, Arguments, Arguments], None],
    ) -> bool:  # fmt: skip
        """Has ``run`` launch a kernel for as many sources at a time as there is memory for, with
        the arguments that all kernels by value take first and last; False where a sum wraps.
        Sources go by id, for neighbours often have ids that are close."""
        n, sources, dtype, device = A.nrows, table.sources, A.dtype, self.device
        start, limit = ring.monoid.start(dtype), limit_of(table.cutoff, dtype)
        ends = None  # each target once: a search is over when they are settled
        if table.targets is not None:
            ends = device.upload(distinct(table.targets).astype(INDEX))
        order = np.argsort(sources, kind="stable")
        some = self.at_once(sources.size, n * dtype.itemsize)
        for first in range(0, sources.size, some):
            place = order[first : first + some]
            count = -(-place.size // team)
            lanes = np.full(count * team, -1, INDEX)
            lanes[: place.size] = sources[place]
            x, flags = device.full(count * team * n, start, dtype), device.zeros(2, WORD)
            given = (
                np.int32(n), np.int32(count), *A._store.arrays(), device.upload(lanes),
                types.cast(0, dtype), limit, np.float64(width), x,
                np.uint32(0 if ends is None else ends.size), ends,
            )  # fmt: skip
            run(count, given, (flags, flags[1:]))
            if dtype.kind != "f" and device.download(flags)[1]:  # synchronize!
                return False
            self.write(table.answer, place, team, start, x)
            table.told(first + place.size)
        return True

    def _kernel(self, name: str, more: str, ring: Semiring, A: Any) -> Kernel:
        algebra = lower.semiring_struct(ring, A.dtype, A.dtype, A._store.offset, True)
        return self.backend.kernel(f"{name}.cuh", algebra, f"{name}<Semiring{more}>")

    def _blocks(self, kernel: Kernel, threads: int, bytes_each: int) -> int:
        """How many blocks there is room for."""
        fit = self.device.free_bytes // (SHARE * bytes_each)
        return max(1, min(self.backend.resident_blocks(kernel, threads), fit))

    def _dense(self, found: DeviceVector) -> DeviceArray:
        """All positions, infinite where there is no entry."""
        dtype = found.dtype if found.dtype.kind == "f" else types.FP64
        return self.device.adopt(self.backend.device_dense(found, np.inf, dtype))

    # --- both --------------------------------------------------------------------------------
    def _tell(self, table: Table, chosen: str, **more: Any) -> None:
        if explaining():
            tell(f"table of {table.sources.size} sources", chosen, table.law, **more)

    def at_once(self, sources: int, bytes_each: int) -> int:
        """How many sources go at a time."""
        return max(1, min(sources, self.device.free_bytes // (SHARE * bytes_each)))

    def write(
        self, answer: Answer, place: np.ndarray, width: int, start: Any, x: DeviceArray,
        cutoff: float | None = None,
    ) -> None:  # fmt: skip
        """What is asked of the dense block x, ``width`` values of a vertex side by side, whose rows
        are those of ``place`` (for picks, neighbours)."""
        n, into, out = np.int32(answer.n), answer.into, answer.out
        block = types.cast(start, x.dtype), limit_of(cutoff, x.dtype), x, out
        kinds = f"<{types.c_name(x.dtype)}, {types.c_name(out.dtype)}>"
        launch = functools.partial(self.backend.launch, "block.cuh", "")
        if isinstance(into, Rows):
            launch("lay_out_rows" + kinds, place.size * into.columns // 4, n, np.int32(width),
                   np.int32(place.size), self.device.upload(place.astype(INDEX)),
                   np.int64(into.columns), into.targets, *block)  # fmt: skip
            return
        some = into.pairs.between(place[0], place[-1] + 1)
        count = some.stop - some.start
        launch("pick_pairs" + kinds, count, n, np.int32(width), np.int32(place[0]),
               np.int64(count), into.row[some], into.column[some], into.place[some],
               *block)  # fmt: skip


def fitting(sources: int) -> Shape:
    """The narrowest rows of bits for so many sources."""
    return next(shape for shape in SHAPES if shape.sources >= sources)


def narrow(A: Any) -> Any:
    """Integer weights in 32 bits, where they fit."""
    heaviest = A.reduce("max").new().get(0)  # synchronize!
    fitting = types.INT32 if heaviest <= types.highest(types.INT32) else types.INT64
    return A if A.dtype == fitting else A.dup(fitting)


def heap_room(n: int) -> int:
    """Nodes of a heap on n vertices. Of its items n are not stale at most, which are n // 32 + 1
    nodes when the others have been thrown away. That happens when there is no room for another
    node, so half as many more see to it that it happens seldom."""
    return n // 32 + n // 64 + 2


def limit_of(cutoff: float | None, dtype: np.dtype) -> Any:
    """The farthest distance that counts."""
    highest = np.inf if dtype.kind == "f" else types.highest(dtype)
    if cutoff is None or cutoff >= highest:
        return types.cast(highest, dtype)
    return types.cast(cutoff if dtype.kind == "f" else math.floor(cutoff), dtype)
