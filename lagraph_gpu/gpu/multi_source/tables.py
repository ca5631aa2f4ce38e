"""Tables of distances from many sources at once, on the device.

Hops are counted by a multi-source breadth-first search with a bit for each source, all searches in
step (ms_bfs.cuh). The binary digits of the rounds are stored in planes of such bits, which
bit_sliced_levels.cuh reads. Lengths, and hops on deep graphs, are computed in order of value, with
a block for each source (block_sssp.cuh), or, if a schedule asks for it, with a warp and a heap for
each (warp_dijkstra.cuh). These leave a dense block of distances, which distance_output.cuh reads.
The result is rows of the table or chosen pairs. If memory is short, a part of the sources is
processed at a time.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms.paths.path_lengths import Pairs, Targets, answer_shape
from lagraph_gpu.closure import closure
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants, lower
from lagraph_gpu.gpu.device.port import workspace_bytes
from lagraph_gpu.gpu.multi_source.answers import (
    Answer,
    Table,
    WholeRows,
    into,
    limit_of,
    listener,
)
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import expect_numbered
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.planning.closure_order import step_width
from lagraph_gpu.planning.many_sources import (
    BLOCK_SLOTS,
    BLOCK_WIDTH,
    BY_COPIES,
    TRIED_SHARE,
    block_threads,
    choose_table,
)
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.reporting import StepCallback
from lagraph_gpu.schedule import Schedule
from semirings import SEMIRINGS, Semiring, types

MS_BFS = "multi_source/ms_bfs.cuh"
BLOCK_SSSP = "multi_source/block_sssp.cuh"
DONE, WRAPPED = constants.SEARCHES_DONE, constants.SEARCHES_WRAPPED
UNFINISHED = constants.SEARCHES_UNFINISHED
"""How searches by value end."""
NEVER_ENDS = 2**64 - 1
WARP_DIJKSTRA = "multi_source/warp_dijkstra.cuh"
BIT_SLICED_LEVELS = "multi_source/bit_sliced_levels.cuh"
DISTANCE_OUTPUT = "multi_source/distance_output.cuh"

SEARCH_BLOCK = constants.SEARCH_BLOCK
"""The largest number of threads in a block."""

MANY_ROUNDS, FEW_ROUNDS = 255, 32
"""The number of rounds for whose digits there is memory at first; and the number of rounds after
which a graph of short rows counts as deep."""

Arguments = tuple[Any, ...]

DIJKSTRA_WARPS = constants.DIJKSTRA_WARPS
"""The number of warps in a block."""


class Shape(NamedTuple):
    """How the bits of a vertex are divided: words for each thread, and threads."""

    words: int
    threads: int

    @property
    def row(self) -> int:
        """The number of words of a vertex."""
        return self.words * self.threads

    @property
    def sources(self) -> int:
        return 32 * self.row


SHAPES = tuple(Shape(*pair) for pair in ((1, 1), (2, 1), (4, 1), (4, 2), (4, 4), (4, 8)))


class SourceTables(BackendPart):
    """Computes tables of distances. The fields are for tests and measurements."""

    rounds = MANY_ROUNDS, FEW_ROUNDS
    in_step = False
    """True if distances are summed up in step on deep graphs too."""
    threads: int | None = None
    room: int | None = None
    tried: float = TRIED_SHARE

    def path_lengths(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None,
        sums: np.dtype | None, dtype: np.dtype, schedule: Schedule | None = None,
        progress: StepCallback | None = None,
    ) -> Any:  # fmt: skip
        """Lowers ``path_lengths``."""
        expect_numbered(sources.size, "sources")
        report = listener(self.device, progress, sources.size)
        shape = answer_shape(sources.size, A.nrows, targets)
        out = self.block(A, sources, targets, cutoff, sums is None, dtype, schedule, report)
        return self.device.export(out).reshape(shape)

    def block(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None, hops: bool,
        dtype: np.dtype, schedule: Schedule | None, report: Callable[[int], None],
    ) -> DeviceArray:  # fmt: skip
        """The table, row after row; infinite where there is no path."""
        n, device = A.nrows, self.device
        shape = answer_shape(sources.size, n, targets)
        out = device.empty(math.prod(shape), dtype)
        if out.size:
            ends = targets.column if isinstance(targets, Pairs) else targets
            store = A._store
            facts, deep = (sources.size, n, store.nnz, hops), store.pattern.depth.shown
            until = "cutoff" if cutoff is not None else "all" if ends is None else "targets"
            way, reason = choose_table(*facts, schedule, deep, until)
            by_rounds = schedule is not None and schedule.order is not None
            answer = Answer(n, into(device, targets, shape), out)
            table = Table(sources, ends, cutoff, reason, answer, report)
            if way == "bits" and self._hops(store, table, by_rounds):
                return out
            if way == "bits":
                way, reason = choose_table(*facts, None, True, until)
            table = table._replace(reason=reason)
            if way == "trial":
                if self._lengths(A, hops, way, schedule, table, int(n * self.tried) + 1):
                    return out
                way, table = "copies", table._replace(reason=BY_COPIES)
            if way != "copies" or not self.backend.copied_searches.lengths(A, hops, table):
                self._lengths(A, hops, way, schedule, table)
        return out

    # --- hops --------------------------------------------------------------------------------
    def _hops(self, A: DeviceMatrix, table: Table, by_rounds: bool) -> bool:
        """Compute hops by rounds. Returns False if no kernel can be resident, or if few edges leave
        a vertex and there are many rounds, unless rounds are asked for."""
        n, sources = table.answer.n, table.sources
        max_rounds = n if table.cutoff is None else min(n, math.floor(table.cutoff))
        widest = SHAPES[-1].sources
        self.record_choice(
            table, "in step, a bit for each source", words=words(min(sources.size, widest))
        )

        def use(first: int, count: int, *found: Any) -> None:
            self._write_digits(table.answer, first, count, *found)
            table.report(first + count)

        return self.batches_in_step(A, sources, max_rounds, by_rounds, use)

    def batches_in_step(
        self, A: DeviceMatrix, sources: np.ndarray, max_rounds: int, by_rounds: bool,
        use: Callable[..., None],
    ) -> bool:  # fmt: skip
        """Searches from as many sources at a time as there is memory for, and for each part of them
        ``use(first, count, words of a row, rounds, seen, planes)``. Returns False as ``_hops``
        does."""
        n, device, depth = A.shape[0], self.device, A.pattern.depth
        trial = not by_rounds and A.seems_deep
        first = 0
        while first < sources.size:
            last = max_rounds if depth.many_rounds else min(max_rounds, self.rounds[trial])
            digits = max(1, last.bit_length())
            rest = sources.size - first
            some = min(SHAPES[-1].sources, self.batch_size(rest, -(-n * digits // 8)))
            part = sources[first : first + some]
            shape = fitting(part.size)
            planes = device.empty(max(1, digits * n * shape.row), WORD)
            found = self.search(A, part, shape, last, "BitSlicedLevels", planes, None, None)
            if found is None:
                return False
            seen, endless, rounds = found
            if last < max_rounds and device.download(endless).any():  # synchronize!
                depth.many_rounds = True
                if trial:
                    return False
                continue  # once more
            use(first, part.size, shape.row, rounds, seen, planes)
            first += part.size
        return True

    def search(
        self, A: DeviceMatrix, sources: np.ndarray, shape: Shape, max_rounds: int, sink: str,
        *into: Any
    ) -> tuple[DeviceArray, DeviceArray, DeviceArray] | None:  # fmt: skip
        """One breadth-first search from as many sources as ``shape`` has bits for: the bits of
        visited vertices, a word that is set if the search did not end in ``max_rounds`` rounds, and
        a word with the number of rounds. None if no kernel can be resident."""
        n, device, products = A.shape[0], self.device, self.backend.products
        incoming = self.backend.matrices.transpose(A)
        hubs, hub = products.long_rows(incoming)
        row = shape.row
        bits, alive = device.zeros(max(1, 3 * n * row), WORD), device.zeros(3 * row + 3, WORD)
        name = f"ms_bfs<{types.c_name(A.offset)}, {shape.words}, {shape.threads}, {sink}>"
        ran = self.backend.launch_resident(
            MS_BFS, "", name, SEARCH_BLOCK, np.int32(n), np.int32(sources.size),
            device.upload(sources.astype(INDEX)), np.int32(max_rounds),
            A.indptr, A.indices, incoming.indptr, incoming.indices,
            incoming.offset.type(products.long_row), np.int32(hubs), hub,
            bits, alive, alive[3 * row :], *into,
        )  # fmt: skip
        return (bits, alive[3 * row + 1 : 3 * row + 2], alive[3 * row + 2 :]) if ran else None

    def _write_digits(
        self, answer: Answer, first: int, count: int, row: int, *found: DeviceArray
    ) -> None:
        """Write the answer from the rounds of a search from ``count`` sources, the first of which
        is row ``first`` of the table. ``found`` are the number of rounds, the bits of visited
        vertices, and the planes of digits."""
        into, out = answer.into, answer.out
        rounds, *rows = found
        head = np.int32(answer.n), np.int32(row), rounds, np.int32(first)
        launch = functools.partial(self.backend.launch, BIT_SLICED_LEVELS, "")
        kind = f"<{types.c_name(out.dtype)}>"
        if isinstance(into, WholeRows):
            launch("bit_sliced_rows" + kind, into.columns * words(count) // 4, *head,
                   np.int32(count), np.int64(into.columns), into.targets, *rows, out)  # fmt: skip
            return
        some = into.pairs.between(first, first + count)
        pairs = some.stop - some.start
        launch("bit_sliced_pairs" + kind, pairs, *head, np.int64(pairs),
               into.row[some], into.column[some], into.place[some], *rows, out)  # fmt: skip

    # --- lengths -----------------------------------------------------------------------------
    def _lengths(
        self, A: Any, hops: bool, way: str, schedule: Schedule | None, table: Table,
        most: int | None = None,
    ) -> bool:  # fmt: skip
        """Compute sums of weights, or of ones. Integers have 32 bits, unless a sum wraps there.
        Returns False if a search of a block has not ended after it has pushed ``most`` vertices."""
        floating = A.dtype.kind == "f"
        W = A.apply("one").new("INT32") if hops else A if floating else narrow(A)
        semiring, weights = SEMIRINGS["min_plus"], self.backend.closures.weights.facts
        if way == "singles":
            self._singles(W, semiring, schedule, table)
            return True
        width = schedule and schedule.width
        if not width:
            width = np.inf  # then each round is one of edges, and targets end no search
            if most is not None or not hops:
                mean = 1 if hops else weights(W._store, semiring, W.dtype).mean
                width = step_width(BLOCK_WIDTH, mean, A.nrows, W._store.nnz)
        by_blocks = functools.partial(self._block_sssp, most)
        by_value = self._warp_dijkstra if way == "warps" else by_blocks
        ended = by_value(W, semiring, width, table)
        if ended == WRAPPED:
            ended = by_value(W.dup("INT64"), semiring, width, table)
        return ended == DONE

    def _singles(self, A: Any, semiring: Semiring, schedule: Schedule | None, table: Table) -> None:
        """One search of the whole device after another."""
        self.record_choice(table, "one search after another")
        wide = np.dtype(np.int64) if A.dtype.kind == "i" else A.dtype
        A = A if A.dtype == wide else A.dup(wide)
        for i, source in enumerate(table.sources):
            start = Vector.from_coo([source], 0, wide, size=A.nrows, backend=self.backend)
            lengths = self.dense(closure(start, A, semiring, schedule=schedule)._store)
            self.write(table.answer, np.array([i]), 1, np.inf, lengths, table.cutoff)
            table.report(i + 1)

    def _block_sssp(
        self, most: int | None, A: Any, semiring: Semiring, width: float, table: Table
    ) -> int:
        """A block for each source. Returns how it ended, as `_by_value` does."""
        store, dtype, n, device = A._store, A.dtype, A.nrows, self.device
        self.record_choice(table, "by value, each source by a block", width=width)
        padded = self.backend.closures.by_order.ordered.padding.padded(store, semiring, BLOCK_SLOTS)
        key = _key(BLOCK_SSSP, f"block_sssp<Semiring, {padded.row}>", semiring, store)
        threads = self.threads or block_threads(
            table.sources.size, n, device.multiprocessors, device.block_size
        )
        room = self.room or near_room(n)
        each = 4 * room * dtype.itemsize + 2 * n * INDEX.itemsize + n // 8 + 4
        blocks = self._blocks(key, threads, each)

        def run(count: int, given: Arguments, flags: Arguments) -> None:
            grid = min(count, blocks)
            lists = (
                device.empty(4 * grid * room, dtype),
                device.empty(2 * grid * n, INDEX), device.zeros(grid * words(n), WORD),
            )  # fmt: skip
            self.backend.launch(*key, 0, *given, padded.rows, np.uint32(room), *lists, *flags,
                                np.uint64(most or NEVER_ENDS), blocks=grid,
                                threads=threads)  # fmt: skip

        return self._by_value(A, semiring, width, table, run, most is not None)

    def _warp_dijkstra(self, A: Any, semiring: Semiring, width: float, table: Table) -> int:
        """A warp for each source. Returns how it ended, as `_by_value` does."""
        dtype, device = A.dtype, self.device
        self.record_choice(table, "by value, each source by a warp with a heap", width=width)
        key = _key(WARP_DIJKSTRA, "warp_dijkstra<Semiring>", semiring, A._store)
        threads = 32 * DIJKSTRA_WARPS
        room = self.room or heap_room(A.nrows)
        keys, items = DIJKSTRA_WARPS * room * 33, DIJKSTRA_WARPS * room * 32  # of a block
        blocks = self._blocks(key, threads, keys * dtype.itemsize + items * INDEX.itemsize)

        def run(count: int, given: Arguments, flags: Arguments) -> None:
            grid = min(-(-count // DIJKSTRA_WARPS), blocks)
            nodes = device.empty(grid * keys, dtype), device.empty(grid * items, INDEX)
            self.backend.launch(*key, 0, *given, np.uint32(room), *nodes, *flags, blocks=grid,
                                threads=threads)  # fmt: skip

        return self._by_value(A, semiring, width, table, run)

    def _by_value(
        self, A: Any, semiring: Semiring, width: float, table: Table,
        run: Callable[[int, Arguments, Arguments], None], tried: bool = False,
    ) -> int:  # fmt: skip
        """Let ``run`` launch a kernel for as many sources at a time as there is memory for, with
        the arguments that all kernels by value take first and last. Returns DONE, WRAPPED if a sum
        wraps, or, where searches are ``tried``, UNFINISHED if one was given up. Sources are sorted
        by id, because neighbours often have similar ids."""
        n, sources, dtype, device = A.nrows, table.sources, A.dtype, self.device
        start, limit = semiring.monoid.start(dtype), limit_of(table.cutoff, dtype)
        ends = None  # each target once: a search is over when they are settled
        if table.targets is not None:
            ends = device.upload(distinct(table.targets).astype(INDEX))
        order = np.argsort(sources, kind="stable")
        some = self.batch_size(sources.size, n * dtype.itemsize)
        for first in range(0, sources.size, some):
            place = order[first : first + some]
            count = place.size
            x, flags = device.full(count * n, start, dtype), device.zeros(2, WORD)
            given = (
                np.int32(n), np.int32(count), A._store.arrays(),
                device.upload(sources[place].astype(INDEX)),
                types.cast(0, dtype), limit, np.float64(width), x,
                np.uint32(0 if ends is None else ends.size), ends,
            )  # fmt: skip
            run(count, given, (flags, flags[1:]))
            if tried or dtype.kind != "f":
                ended = int(device.download(flags)[1])  # synchronize!
                if ended != DONE:
                    return UNFINISHED if ended & UNFINISHED else WRAPPED
            self.write(table.answer, place, 1, start, x)
            table.report(first + place.size)
        return DONE

    def _blocks(self, key: tuple[str, str, str], threads: int, bytes_each: int) -> int:
        """The number of blocks for which there is memory."""
        fit = workspace_bytes(self.device) // bytes_each
        resident = self.backend.resident_blocks(self.backend.kernel(*key), threads)
        return max(1, min(resident, fit))

    def dense(self, found: DeviceVector) -> DeviceArray:
        """All positions of a vector, infinite where there is no entry."""
        dtype = found.dtype if found.dtype.kind == "f" else types.FP64
        return self.device.adopt(self.backend.exchange.vector_dense(found, np.inf, dtype))

    # --- both --------------------------------------------------------------------------------
    def record_choice(self, table: Table, chosen: str, **more: Any) -> None:
        if explaining():
            record_choice(f"table of {table.sources.size} sources", chosen, table.reason, **more)

    def batch_size(self, sources: int, bytes_each: int) -> int:
        """The number of sources that are processed at a time."""
        return max(1, min(sources, workspace_bytes(self.device) // bytes_each))

    def write(
        self, answer: Answer, place: np.ndarray, width: int, start: Any, x: DeviceArray,
        cutoff: float | None = None,
    ) -> None:  # fmt: skip
        """Write the answer from the dense block x, in which ``width`` values of a vertex are
        adjacent and whose rows are those in ``place`` (consecutive ones for Picks)."""
        n, into, out = np.int32(answer.n), answer.into, answer.out
        block = types.cast(start, x.dtype), limit_of(cutoff, x.dtype), x, out
        kinds = f"<{types.c_name(x.dtype)}, {types.c_name(out.dtype)}>"
        launch = functools.partial(self.backend.launch, DISTANCE_OUTPUT, "")
        if isinstance(into, WholeRows):
            rows = np.int32(place.size), self.device.upload(place.astype(INDEX))
            columns = np.int64(into.columns), into.targets
            if width == 1:
                launch("copy_rows" + kinds, place.size * into.columns, n, *rows, *columns, *block)
            else:
                launch("lay_out_rows" + kinds, place.size * into.columns // 4, n, np.int32(width),
                       *rows, *columns, *block)  # fmt: skip
            return
        some = into.pairs.between(place[0], place[-1] + 1)
        count = some.stop - some.start
        launch("pick_pairs" + kinds, count, n, np.int32(width), np.int32(place[0]),
               np.int64(count), into.row[some], into.column[some], into.place[some],
               *block)  # fmt: skip


def _key(header: str, name: str, semiring: Semiring, A: DeviceMatrix) -> tuple[str, str, str]:
    """The header, the algebra and the name of a kernel for sums of the type of the weights."""
    return header, lower.semiring_struct(semiring, A.dtype, A.dtype, A.offset, True), name


def fitting(sources: int) -> Shape:
    """The narrowest shape with enough bits for so many sources."""
    return next(shape for shape in SHAPES if shape.sources >= sources)


def narrow(A: Any) -> Any:
    """Integer weights in 32 bits, if they fit. Waits."""
    heaviest = A.reduce("max").new().get(0)  # synchronize!
    fitting = types.INT32 if heaviest <= types.highest(types.INT32) else types.INT64
    return A if A.dtype == fitting else A.dup(fitting)


def heap_room(n: int) -> int:
    """The number of nodes of a heap on n vertices. At most n of its items are not stale, and these
    take n // 32 + 1 nodes after stale ones are removed. They are removed when there is no memory
    for another node, so half as many nodes more make that rare."""
    return n // 32 + n // 64 + 2


def near_room(n: int) -> int:
    """The number of items of a near list on n vertices. Items that do not fit wait in the far
    list. Other sizes are not yet measured."""
    return n // 4 + 256
