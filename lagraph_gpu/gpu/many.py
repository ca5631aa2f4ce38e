"""Tables of distances from many sources at once, on the device.

Hops: a bit for each source, all searches in step (many.cuh). Lengths: slices of a few sources, in
order of value, each slice the affair of one block (slices.cuh). Either leaves a dense block with
the sources of a vertex side by side, of which block.cuh makes rows of the table, or picks the pairs
that are asked for; a part of the sources at a time if memory is short.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Pairs, Targets, answer_shape
from lagraph_gpu.generators import Progress
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.device import DeviceArray
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.plan import slice_threads, slice_width, sliced
from lagraph_gpu.trace import explaining, tell
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
"""The dense block and those lists take one in so many bytes that are free, each."""

BITS = "rounds, for edges are counted: {words} words a vertex at most"
SLICES = "up to 8 edges leave a vertex: slices of {team} and steps of width {width}"
SINGLES = "few sources, or many edges leave a vertex"


class Shape(NamedTuple):
    """How the bits of a vertex are shared out: words of a thread, and threads."""

    words: int
    threads: int

    @property
    def sources(self) -> int:
        return 32 * self.words * self.threads


SHAPES = tuple(Shape(*pair) for pair in ((1, 1), (2, 1), (4, 1), (4, 2), (4, 4), (4, 8)))


def silent(done: int) -> None:
    """Nobody listens."""


class Table(NamedTuple):
    """The rows to write, in order, one for each source."""

    n: int
    targets: DeviceArray | None
    columns: int
    out: DeviceArray
    told: Callable[[int], None] = silent


class Picks(NamedTuple):
    """The entries to write: the pairs on the host, and on the device."""

    n: int
    pairs: Pairs
    row: DeviceArray
    column: DeviceArray
    place: DeviceArray
    out: DeviceArray
    told: Callable[[int], None] = silent


Answer = Table | Picks


class ManySearches:
    """The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.team: int | None = None
        self.threads: int | None = None
        self.width: float | None = None

    def lengths(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None, hops: bool,
        dtype: np.dtype, progress: Progress | None = None,
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
        answer: Answer
        if isinstance(targets, Pairs):
            held = targets.row.astype(INDEX), targets.column.astype(INDEX), targets.place
            row, column, place = map(device.upload, held)
            answer = Picks(n, targets, row, column, place, out, told)
        else:
            wanted = None if targets is None else device.upload(targets.astype(INDEX))
            answer = Table(n, wanted, shape[1], out, told)
        if out.size and not (hops and self._hops(A._store, sources, cutoff, answer)):
            self._lengths(A, sources, cutoff, hops, answer)
        return device.export(out).reshape(shape)

    # --- hops --------------------------------------------------------------------------------
    def _hops(
        self, A: DeviceMatrix, sources: np.ndarray, cutoff: float | None, table: Answer
    ) -> bool:
        """Rounds; False if no kernel can be resident."""
        n, dtype = table.n, table.out.dtype
        most = n if cutoff is None else min(n, math.floor(cutoff))
        some = min(self._some(sources.size, n * dtype.itemsize), SHAPES[-1].sources)
        self._tell("in step, a bit for each source", BITS, sources, words=-(-some // 32))
        for first in range(0, sources.size, some):
            part = sources[first : first + some]
            shape = fitting(part.size)
            level = self.device.full(n * shape.sources, np.inf, dtype)
            sink = f"Levels<{types.c_name(dtype)}, {shape.sources}>"
            if not self._search(A, part, shape, most, sink, level, None, None):
                return False
            place = np.arange(first, first + part.size)
            self._write(table, place, shape.sources, np.inf, level)
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
        self, A: Any, sources: np.ndarray, cutoff: float | None, hops: bool, table: Answer
    ) -> None:
        """Sums of weights, or of ones; integers in 32 bits, unless some sum wraps there."""
        floating = A.dtype.kind == "f"
        W = A.apply("one").new("INT32") if hops else A if floating else narrow(A)
        ring, weights = SEMIRINGS["min_plus"], self.backend.traversals.weights
        mean = 1.0 if hops else weights(W, ring, W.dtype).mean
        width = self.width or slice_width(mean, A.nrows, W._store.nnz)
        if self.team is None and not sliced(sources.size, A.nrows, W._store.nnz):
            if self._singles(W, sources, cutoff, ring, table):
                return
        if not self._slices(W, sources, cutoff, width, ring, table):
            self._slices(W.dup("INT64"), sources, cutoff, width, ring, table)

    def _singles(
        self, A: Any, sources: np.ndarray, cutoff: float | None, ring: Semiring, table: Answer
    ) -> bool:
        """One search of the whole device after another; False if they are no single kernels."""
        self._tell("one search after another", SINGLES, sources)
        n, wide = table.n, np.dtype(np.int64) if A.dtype.kind == "i" else A.dtype
        A = A if A.dtype == wide else A.dup(wide)
        for i, source in enumerate(sources):
            start = self.backend.build_vector(n, np.array([source]), np.zeros(1, wide))
            found = self.backend.closure(start, A, ring, n, None, False)
            if found is None:
                return False
            lengths = self._dense(found[0])
            self._write(table, np.array([i]), 1, np.inf, lengths, cutoff)
            table.told(i + 1)
        return True

    def _slices(
        self, A: Any, sources: np.ndarray, cutoff: float | None, width: float, ring: Semiring,
        table: Answer,
    ) -> bool:  # fmt: skip
        """False where a sum wraps. Sources go by id, for neighbours often have ids that are close,
        and their waves share a slice's work."""
        n, dtype, device, backend, store = table.n, A.dtype, self.device, self.backend, A._store
        team = self.team or TEAM
        self._tell("by value, each slice by a block", SLICES, sources, team=team, width=width)
        start, limit = ring.monoid.start(dtype), limit_of(cutoff, dtype)
        algebra = lower.semiring_struct(ring, dtype, dtype, store.offset, True)
        kernel = backend.kernel("slices.cuh", algebra, f"slices<Semiring, {team}>")
        threads = self.threads or slice_threads(
            -(-sources.size // team), n, device.multiprocessors, device.block_size
        )
        blocks = backend.resident_blocks(kernel, threads)
        blocks = max(1, min(blocks, device.free_bytes // (SHARE * LISTED * n)))
        order = np.argsort(sources, kind="stable")
        some = self._some(sources.size, n * dtype.itemsize)
        for first in range(0, sources.size, some):
            place = order[first : first + some]
            count = -(-place.size // team)
            lanes = np.full(count * team, -1, INDEX)
            lanes[: place.size] = sources[place]
            x, grid = device.full(count * team * n, start, dtype), min(count, blocks)
            flags = device.zeros(2, WORD)
            kernel(
                grid, threads,
                (np.int32(n), np.int32(count), *store.arrays(), device.upload(lanes),
                 types.cast(0, dtype), limit, np.float64(width), x, device.zeros(grid * n, WORD),
                 device.empty(4 * grid * n, INDEX), flags, flags[1:]),
            )  # fmt: skip
            if dtype.kind != "f" and device.download(flags)[1]:  # synchronize!
                return False
            self._write(table, place, team, start, x)
            table.told(first + place.size)
        return True

    def _dense(self, found: DeviceVector) -> DeviceArray:
        """All positions, infinite where there is no entry."""
        dtype = found.dtype if found.dtype.kind == "f" else types.FP64
        return self.device.adopt(self.backend.device_dense(found, np.inf, dtype))

    # --- both --------------------------------------------------------------------------------
    def _tell(self, chosen: str, law: str, sources: np.ndarray, **more: Any) -> None:
        if explaining():
            tell(f"table of {sources.size} sources", chosen, law, **more)

    def _some(self, sources: int, bytes_each: int) -> int:
        """How many sources go at a time."""
        return max(1, min(sources, self.device.free_bytes // (SHARE * bytes_each)))

    def _write(
        self, table: Answer, place: np.ndarray, width: int, start: Any, x: DeviceArray,
        cutoff: float | None = None,
    ) -> None:  # fmt: skip
        """What is asked of the dense block x, ``width`` values of a vertex side by side, whose rows
        are those of ``place`` (for picks, neighbours)."""
        n, out = np.int32(table.n), table.out
        block = types.cast(start, x.dtype), limit_of(cutoff, x.dtype), x, out
        kinds = f"<{types.c_name(x.dtype)}, {types.c_name(out.dtype)}>"
        launch = functools.partial(self.backend.launch, "block.cuh", "")
        if isinstance(table, Table):
            launch("lay_out_rows" + kinds, place.size * table.columns // 4, n, np.int32(width),
                   np.int32(place.size), self.device.upload(place.astype(INDEX)),
                   np.int64(table.columns), table.targets, *block)  # fmt: skip
            return
        some = table.pairs.between(place[0], place[-1] + 1)
        count = some.stop - some.start
        launch("pick_pairs" + kinds, count, n, np.int32(width), np.int32(place[0]),
               np.int64(count), table.row[some], table.column[some], table.place[some],
               *block)  # fmt: skip


def fitting(sources: int) -> Shape:
    """The narrowest rows of bits for so many sources."""
    return next(shape for shape in SHAPES if shape.sources >= sources)


def narrow(A: Any) -> Any:
    """Integer weights in 32 bits, where they fit."""
    heaviest = A.reduce("max").new().get(0)  # synchronize!
    return A.dup("INT32" if heaviest <= types.highest(types.INT32) else "INT64")


def limit_of(cutoff: float | None, dtype: np.dtype) -> Any:
    """The farthest distance that counts."""
    highest = np.inf if dtype.kind == "f" else types.highest(dtype)
    if cutoff is None or cutoff >= highest:
        return types.cast(highest, dtype)
    return types.cast(cutoff if dtype.kind == "f" else math.floor(cutoff), dtype)
