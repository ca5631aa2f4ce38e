"""Hub-first closures: closures by order of value on graphs in which few vertices have most of the
edges.

A persistent kernel (hub_first.cuh) settles the hubs by pushing values within a slowly growing
bound, until the vertices reached have a share of all edges. The rest then pulls
(bottom_up_round.cuh), and the first kernel pushes what still changes. All kernels are launched
together, those with nothing left to do end at once, and the host waits for the last. Both
directions compare an edge by its weight first, so most columns are never read. If rows are sorted
by weight (see weight_order.py), most weights are not read either: a copy made for many searches is
sorted by the first search, and other matrices by the eighth.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import EXTREMA
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import KernelLog
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    BestPool,
    CounterPool,
    Ordered,
    acquire,
    result_bytes,
    traffic_of,
)
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, expect_room, lower
from lagraph_gpu.gpu.matrix.weight_order import (
    as_stored,
    direction_of,
    kernels_that_sort,
    lightest,
    lightest_first,
    pair_of,
    pairs_kind,
    sorted_if_room,
)
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.planning.closure_order import DEEP_DEGREE
from lagraph_gpu.planning.direction import HUB_FIRST_REACHED, HUB_FIRST_WITHIN
from lagraph_gpu.planning.trace import add_reason
from semirings.algebra import Semiring

HUB_FIRST = "closure/hub_first/hub_first.cuh"
BOTTOM_UP_ROUND = "closure/hub_first/bottom_up_round.cuh"

BLOCK, WIDE_BLOCK = constants.HUB_FIRST_BLOCK, constants.HUB_FIRST_WIDE_BLOCK
"""The largest number of threads in a block; fewer for values or offsets of 64 bits."""

PIECE, HUB, LONG = 128, 1024, 1024
"""The number of edges that a warp pushes at a time; the degree from which a vertex is a hub; longer
rows than the last number are pulled in pieces."""

SORTED_PIECE = 32
"""The largest number of edges that a warp pushes at a time if rows are sorted, so that most of them
are useful."""

WIDE_DEGREE = DEEP_DEGREE
"""Up to this mean degree a closure does not go hub-first."""

PULLS = 3
"""The number of rounds in which the rest pulls, before what still changes is pushed."""


SEARCHES = 8
"""The number of the search, among those with the same order of weights, that sorts the rows of a
matrix if weights differ. On an H200 kron24 is then searched in 1.20 ms for 3.21, and in 1.98 for
8.95 with uniform weights. Sorting takes 12.7 and 20: about as much as has been lost by then, or
less."""

SORTED = "rows are sorted by weight, because they have been searched often"
UNSORTED = "there was no memory to sort all rows by weight"

ORIGIN = np.dtype(np.int64)

LEFT = {4: constants.HUB_FIRST_LEFT, 8: constants.HUB_FIRST_WIDE_LEFT}
"""The number of items for each vertex that pulls again, by the larger size of values and weights in
bytes."""


def left_of(dtype: np.dtype, A: DeviceMatrix) -> int:
    """The number of items for each vertex that pulls again, for values of this type."""
    return LEFT[max(4, dtype.itemsize, A.dtype.itemsize)]


class Ready(NamedTuple):
    """What calls under one algebra share: the kernels, and most of their arguments."""

    algebra: str
    resident: str
    pulls: tuple[str, str]
    """The kernels of the first pull, and of later ones."""
    block: int
    out: tuple[Any, ...]
    into: tuple[Any, ...]


class Scratch:
    """The memory of one call besides its result, for any algebra. Queues are empty after each
    call."""

    @staticmethod
    def bytes(n: int, room: int, left: int) -> int:
        """About how many bytes are needed."""
        lists = (left * ITEM.itemsize + INDEX.itemsize) * n + 2 * ITEM.itemsize * room
        return lists + 2 * WORD.itemsize * words(n)

    def __init__(self, device: Device, n: int, room: int, left: int) -> None:
        warps = device.max_blocks * device.block_size // 32
        self.room = room
        self.cursors, self.kept = device.empty(max(1, n), INDEX), device.empty(warps, INDEX)
        self.reached = device.empty(max(n, left * 32 * (words(n) + warps)), ITEM)
        self.queue = device.empty(2 * room, ITEM), np.uint64(room)
        self.bits = device.zeros(2 * words(n), WORD)
        count = constants.HUB_FIRST_COUNTS
        self.counts = CounterPool(count, lambda size: device.zeros(size, COUNT))
        self.bests = BestPool(device, constants.HUB_FIRST_BESTS)


class HubFirst(BackendPart):
    """Computes hub-first closures. The fields are for tests and measurements."""

    piece, sorted_piece, hub, long = PIECE, SORTED_PIECE, HUB, LONG
    wide: float = WIDE_DEGREE
    share, within, pulls = HUB_FIRST_REACHED, HUB_FIRST_WITHIN, PULLS
    searches: float = SEARCHES
    stays = EXTREMA  # ⊗ under which ``within`` counts

    def closure(
        self, x0: DeviceVector, outgoing: DeviceMatrix, incoming: DeviceMatrix, semiring: Semiring,
        width: float, heaviest: Any, to: DeviceArray | None = None, with_parents: bool = False,
        shares: tuple[float, float | None] | None = None,
    ) -> Ordered | None:  # fmt: skip
        """The closure, from the out-edges and the in-edges by rows; None if no kernel can be
        resident.

        ``heaviest`` is the worst of the weights, in their type. If x0 is a point, ``to`` may
        translate its number to the matrix' own. ``with_parents`` needs a minimum of values of 4
        bytes; then there are words with predecessors, as in predecessor.cuh. ``shares`` may take
        the place of ``share`` and ``within``; then the width does not grow.
        """
        device, n, dtype = self.device, x0.size, x0.dtype
        falling, left = lower.falls(semiring.monoid), left_of(dtype, outgoing)
        many = x0.point is None
        kernels = functools.partial(self._kernels, semiring, dtype, outgoing, with_parents, many)
        sorted_rows = self._sort_if_worth(outgoing, incoming, falling, left, kernels)
        piece, room = self._pieces(outgoing, sorted_rows)
        kept = outgoing.closures.scratch.setdefault(("hub_first", device.stream, left), [])
        scratch = acquire(
            device, kept, room,
            lambda: Scratch.bytes(n, room, left)
            + result_bytes(n, dtype) + with_parents * n * ORIGIN.itemsize,
            lambda: Scratch(device, n, room, left),
        )  # fmt: skip
        key = (
            "hub_first",
            semiring,
            dtype,
            piece,
            self.hub,
            self.long,
            sorted_rows,
            with_parents,
            many,
        )
        ready = outgoing.closures.ready.get(key)
        if ready is None:
            ready = self._ready(n, outgoing, incoming, falling, piece, kernels, dtype)
            outgoing.closures.ready[key] = ready
        x, counts = DeviceVector.to_fill(device, n, dtype), scratch.counts.take()
        log = KernelLog(device, 4)
        (origins,) = device.reserve((n, ORIGIN)) if with_parents else (None,)
        bests = scratch.bests.take(semiring.monoid, dtype)
        queues = *scratch.queue, scratch.bits, np.int32(words(n)), counts, bests
        bounds = (
            np.float64(-width if falling else width),
            *self._edges_before_pulls(semiring, outgoing.nnz, shares),
            np.bool_(shares is None), heaviest,
        )  # fmt: skip
        results = x.parts, origins
        if not self._launch(ready, n, scratch, x0.begins(dtype, to), results, queues, bounds, log):
            return None
        kept.append(scratch)
        log.launched()
        counted = device.fetch(
            counts[constants.HUB_FIRST_UNORDERED : constants.HUB_FIRST_FOUND + 1]
        )

        def orderly() -> bool:
            unordered, steps, _, _, found = counted().tolist()  # synchronize!
            x.count = found
            if not unordered:
                log.record_rounds(
                    steps, kernel_log.by_hub_first, lambda: traffic_of(semiring, dtype, outgoing)
                )
            return not unordered

        return Ordered(x, None, orderly, origins)

    def _edges_before_pulls(
        self, semiring: Semiring, nedges: int, shares: tuple[float, float | None] | None
    ) -> tuple[np.uint64, np.uint64]:
        """How many edges leave the vertices reached, and those within the bound, when the rest
        begins to pull. The second number is not below the first: pushing ends after a step of the
        bound, or else within one."""
        stays = semiring.multiply.parsed in self.stays
        share, within = shares or (self.share, self.within if stays else None)
        bounded = constants.NEVER_PULLS if within is None else max(within, share) * nedges
        return np.uint64(share * nedges), np.uint64(bounded)

    def _launch(
        self, ready: Ready, n: int, scratch: Scratch, start: Any, results: tuple[Any, Any],
        queues: tuple[Any, ...], bounds: tuple[Any, ...], log: KernelLog,
    ) -> bool:  # fmt: skip
        """Launch all kernels: hubs, pulls, and what still changes. False if none can be
        resident."""
        push = (
            *ready.out, start, *results, scratch.reached, scratch.cursors, queues, *bounds,
            log.given,
        )  # fmt: skip
        resident = functools.partial(
            self.backend.launch_resident, HUB_FIRST, ready.algebra, ready.resident, ready.block
        )
        if not resident(np.bool_(False), *push):
            return False
        pulling = self.backend.kernel(BOTTOM_UP_ROUND, ready.algebra, ready.pulls[0])
        most = self.backend.resident_blocks(pulling, self.device.block_size)
        grid = max(1, min(-(-n // self.device.block_size), most))
        for pull in range(self.pulls):
            self.backend.launch(
                BOTTOM_UP_ROUND, ready.algebra, ready.pulls[min(pull, 1)], n, np.int32(pull + 1),
                np.int32(self.pulls), *ready.into, scratch.reached, scratch.kept, *results, queues,
                log.given, blocks=grid,
            )  # fmt: skip
        resident(np.bool_(True), *push)
        return True

    def _pieces(self, A: DeviceMatrix, sorted_rows: bool) -> tuple[int, int]:
        """The length of pieces, and the largest number of items in a queue."""
        piece = min(self.piece, self.sorted_piece) if sorted_rows else self.piece
        return piece, A.shape[0] + 2 * (A.nnz // piece) + 1

    def _kernels(
        self, semiring: Semiring, dtype: np.dtype, A: DeviceMatrix, with_parents: bool, many: bool,
        kind: str,
    ) -> list[tuple[str, str, str]]:  # fmt: skip
        """The kernels of a closure over entries that are stored like this, each after its header
        and its algebra: the resident one, the first pull and later pulls. ``many`` says that the
        search begins with a vector."""
        kinds = f"Semiring, {kind}, {str(with_parents).lower()}"
        algebra = lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True)
        pulls = [f"bottom_up_round<{kinds}, {first}>" for first in ("true", "false")]
        resident = f"hub_first<{kinds}{', true' if many else ''}>"
        return [(HUB_FIRST, algebra, resident),
                *((BOTTOM_UP_ROUND, algebra, pull) for pull in pulls)]  # fmt: skip

    def _sort_if_worth(
        self, outgoing: DeviceMatrix, incoming: DeviceMatrix, falling: bool, left: int,
        kernels: Callable[[str], list[tuple[str, str, str]]],
    ) -> bool:  # fmt: skip
        """True if the rows are sorted by weight. They are sorted now if it is time for that, and if
        what that takes has been compiled: until then searches go on with the rows as they are."""
        ways, way, kept = (outgoing, incoming), direction_of(falling), outgoing.closures
        kept.searches[way] = kept.searches.get(way, 0) + 1
        copy = outgoing.pattern.n_connected is not None  # made for many searches
        often = kept.searches[way] >= self.searches and not outgoing.iso
        if often and not copy and way not in kept.sorted_entries:
            sorting = kernels_that_sort(self.backend, outgoing)
            if not self.backend.compile_ahead([*kernels(pairs_kind(outgoing)), *sorting]):
                return False
            pairs = outgoing.nnz * pair_of(outgoing.dtype).itemsize
            pairs *= 1 if incoming is outgoing else 2
            room = self._pieces(outgoing, True)[1]
            try:
                expect_room(self.device, pairs + Scratch.bytes(outgoing.shape[0], room, left))
            except TooLarge:
                kept.sorted_entries[way] = as_stored(outgoing)
            for each in ways:
                each.closures.ready.clear()  # it holds lightest edges, which are computed again
        if copy or often:
            if not all(sorted_if_room(self.backend, each, falling) for each in ways):
                add_reason(UNSORTED)
        done = all(lightest_first(each, falling).is_sorted for each in ways)
        if done and not copy:
            add_reason(SORTED)
        return done

    def _ready(
        self, n: int, outgoing: DeviceMatrix, incoming: DeviceMatrix, falling: bool, piece: int,
        kernels: Callable[[str], list[tuple[str, str, str]]], dtype: np.dtype,
    ) -> Ready:  # fmt: skip
        backend = self.backend
        symmetric = outgoing.transposed
        pieces, rows, firsts = backend.products.pieces(incoming, self.long)
        leaf_degree = np.int32(symmetric is outgoing)
        ways = lightest_first(outgoing, falling), lightest_first(incoming, falling)
        if not all(way.is_sorted for way in ways):
            ways = as_stored(outgoing), as_stored(incoming)
        out_lightest = lightest(backend, outgoing, falling, ways[0])
        in_lightest = out_lightest if leaf_degree else lightest(backend, incoming, falling, ways[1])
        programs = kernels(ways[0].kind)
        backend.compile_ahead(programs)
        (_, algebra, resident), *pulls = programs
        n_connected = n if incoming.pattern.n_connected is None else incoming.pattern.n_connected
        return Ready(
            algebra, resident, (pulls[0][2], pulls[1][2]),
            WIDE_BLOCK if dtype.itemsize + outgoing.offset.itemsize > 8 else BLOCK,
            (np.int32(n), np.int32(n_connected), np.int32(piece), leaf_degree, np.int32(self.hub),
             out_lightest, (outgoing.indptr, *ways[0].arrays)),
            (np.int32(n_connected), leaf_degree, out_lightest, in_lightest,
             (incoming.indptr, *ways[1].arrays), np.int32(self.long), np.int32(pieces), rows,
             firsts),
        )  # fmt: skip
