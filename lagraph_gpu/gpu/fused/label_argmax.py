"""The label with the most votes in each row, by kernels that add votes in hash tables
(label_argmax.cuh), or, for moves, in a place for each label where few are in use
(counted_rows.cuh).

Rows are listed by length on the device, so nothing waits. The lists take 24 bytes a row, and each
part of a row that several blocks share takes 32 bytes. The hash tables are in shared memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms.community.label_argmax import BestLabels
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.notation import Matrix, Vector
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

MODULARITY_GAIN = "fused/modularity_gain.cuh"
LABEL_ARGMAX = "fused/label_argmax.cuh"
COUNTED_ROWS = "fused/counted_rows.cuh"
COARSE_ROWS = "fused/coarse_rows.cuh"
WHOLE_SWEEP = "fused/whole_sweep.cuh"
ROW_BINS = "matrix/row_bins.cuh"

SHORT = constants.FEW_LABELS, constants.WARP_LABELS
"""Rows with at most so many entries need no table."""

SLOTS_WARPS, SLOTS_BLOCK = 2048, 1920
"""The slots of a block's tables in shared memory, for its warps or for itself: at most 24 KiB, so
that eight blocks fit on a multiprocessor."""

LONG_BLOCK, LONG_EACH = 4, 2
"""The blocks for the longest rows have so many times the threads of others, and so many of them
share a multiprocessor and its shared memory."""

SPARED = 2048
"""The bytes of shared memory of a block for the longest rows that are not for its table."""

COUNTED_BYTES = 36 << 10
"""The bytes of shared memory that a block may take for a place for each label, for its warps or for
itself. Blocks for the longest rows may take as much as their tables do."""

COUNTED_BLOCK, COUNTED_SPLIT = 2, 2
"""Where labels have places, blocks for the longest rows have so many times the threads of others,
and those for the rows of a block one in so many: a row waits for one access after the other."""

MANY_ENTRIES = 1 << 20
"""With so many entries in a turn the kernels run beside each other. With so many in all it is worth
a look whether all votes are whole numbers."""

LISTED, ROW_KINDS = constants.LISTED, constants.ROW_KINDS
"""The number of rows that a thread lists at a time, and the number of kinds of rows by length."""


NARROW = "narrow_labels"
NUMBERING = "number_labels<double>", "name_labels<double>"

SUMMED, ALIKE, WHOLE = constants.VOTES_SUMMED, constants.VOTES_ALIKE, constants.VOTES_WHOLE
MOST_VOTES = 2**32
"""Sums of whole numbers below this one are counted in 32 bits."""


class Launch(NamedTuple):
    """A kernel for one kind of rows."""

    header: str
    name: str
    blocks: int
    threads: int
    shared_bytes: int = 0
    in_turn: bool = False
    """True if each block takes the next row when it is free."""
    given: tuple[Any, ...] = ()
    """What it needs beside the rows: for the longest rows the slots of each block, the largest
    number of parts of a row (as a power of two), the results of the parts, and the number of parts
    that are done; where labels have places, the number of these."""


class RowDivision(NamedTuple):
    """How the rows of a matrix are divided among kernels."""

    most: tuple[int, ...]
    """The largest number of entries of a row for a warp, for a block, and for a large block."""
    launches: list[Launch]
    """The kernels, those for longer rows later."""
    beside: bool
    """True if the kernels are launched beside each other."""
    whole_sweep: str | None
    """The kernel for all turns of a sweep, if it can have all of these rows."""
    arrays: tuple[Any, ...]
    """The rows, as kernels take them."""

    @property
    def in_places(self) -> bool:
        """Do labels have places, for rows of some kind?"""
        return any(each.header == COUNTED_ROWS for each in self.launches)


class LabelArgmax:
    """Lowers `label_argmax`, and chooses for moves. Tests set the fields, for small tables."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.slots, self.many = (SLOTS_WARPS, SLOTS_BLOCK), MANY_ENTRIES
        self.long_bytes = backend.device.largest_shared // LONG_EACH - SPARED
        self.counted_bytes = COUNTED_BYTES, self.long_bytes

    def label_argmax(self, votes: Matrix, label: Vector) -> BestLabels | None:
        """None unless each vertex has a label and votes are INT64 or FP64."""
        B, held = votes._store, self.backend.vector(label)
        n, dtype, device = B.shape[0], B.dtype, self.device
        kinds = (types.INT64, types.FP64)
        if dtype not in kinds or held.dtype != types.INT64 or not B.nnz or not held.full:
            return None
        has, winner = device.empty(words(n), WORD), device.empty(n, types.INT64)
        top, labels = device.empty(n, dtype), device.empty(n, INDEX)
        self.backend.launch(MODULARITY_GAIN, "", NARROW, n, np.int32(n), held.values, labels)
        moves = None, dtype.type(0), *[None] * 7, dtype.type(0)  # no row moves
        rest = labels, top, winner, moves
        lists = device.empty(ROW_KINDS * n, INDEX), device.zeros(ROW_KINDS + 1, WORD)
        plan = self.plan(votes, False, False)
        name = f"list_rows<{types.c_name(B.offset)}>"
        self.backend.launch(ROW_BINS, "", name, -(-n // LISTED), B.indptr, has,
                            self.lists(B, plan.most, lists))  # fmt: skip
        self.choose(B, plan, lists, rest)
        return BestLabels(
            self.backend.as_vector(DeviceVector(n, dtype, has, top)),
            self.backend.as_vector(DeviceVector(n, types.INT64, device.copy(has), winner)),
        )

    def plan(
        self, votes: Matrix, moves: bool, beside: bool, used: int | None = None
    ) -> RowDivision:
        """The plan for the rows of votes, with the memory that it needs. `used` is the number of
        labels in use, if they may have places."""
        B: DeviceMatrix = votes._store
        n, device = B.shape[0], self.device
        longest = self.backend.products.bound_rows(B, SHORT[-1])
        block = device.block_size
        kind = self.kind_of_votes(votes, moves)
        vote = B.dtype if kind == SUMMED else WORD
        slots = self.long_bytes // (INDEX.itemsize + vote.itemsize)
        most = *SHORT, *self._bounds(vote)
        c, z = types.c_name(B.offset), types.c_name(types.FP64 if kind == WHOLE else B.dtype)
        short, *names, last = kernels(c, z, moves, kind, *self.slots)
        *counting, counting_long = counting_kernels(c, z, kind)
        places = math.inf if used is None else used * vote.itemsize

        def blocks_for(least: int, threads: int, size: int = block) -> int:
            """Blocks of a size, for so many threads for each row with more entries than that."""
            work = min(n, B.nnz // (least + 1)) * threads
            return min(max(1, -(-work // size)), device.max_blocks * block // size)

        blocks = max(blocks_for(0, SHORT[0]), blocks_for(*SHORT))
        launches = [Launch(LABEL_ARGMAX, short, blocks, block)]
        least = SHORT[-1]
        for k, (name, threads) in enumerate(zip(names, (32, block), strict=True)):
            if longest > least:
                room = places * (block // threads)
                if room <= self.counted_bytes[0]:
                    size = block // COUNTED_SPLIT if threads == block else block
                    blocks = blocks_for(least, min(threads, size), size)
                    given = (np.int32(used or 0),)
                    made = Launch(COUNTED_ROWS, counting[k], blocks, size, int(room), given=given)
                else:
                    made = Launch(LABEL_ARGMAX, name, blocks_for(least, threads), block)
                launches.append(made)
            least = most[len(SHORT) + k]
        if longest > least and places <= self.counted_bytes[1]:
            blocks = min(B.nnz // (least + 1), device.max_blocks)
            threads, room = COUNTED_BLOCK * block, int(places)
            given = (np.int32(used or 0),)
            launches.append(Launch(COUNTED_ROWS, counting_long, blocks, threads, room, True, given))
        elif longest > least:
            launches.append(self._longest(B, last, longest, least, slots))
        whole = None
        if moves and not beside and longest <= least:
            whole = sweep(c, z, kind, *self.slots)
        self._begin(B, moves, whole, launches)
        values = B.votes if kind == WHOLE and B.votes is not None else B.values
        arrays = B.indptr, B.indices, values, B.stride
        return RowDivision(most[2:], launches, beside, whole, arrays)

    def _begin(self, B: DeviceMatrix, moves: bool, whole: str | None, rows: list[Launch]) -> None:
        """Begin to compile the kernels for a whole sweep, or those for rows."""
        needed = [(WHOLE_SWEEP, whole)] if whole else [(each.header, each.name) for each in rows]
        if not needed or all((header, "", name) in self.backend.kernels for header, name in needed):
            return
        offset = types.c_name(B.offset)
        if not whole:
            all_rows = ROW_BINS, f"list_rows<{offset}>"
            needed.append((MODULARITY_GAIN, next_turn(offset)) if moves else all_rows)
        if any(header == COUNTED_ROWS for header, _ in needed):
            needed += [(COUNTED_ROWS, name) for name in NUMBERING]
        else:
            needed.append((MODULARITY_GAIN, NARROW))
        self.backend.compile_ahead((header, "", name) for header, name in needed)

    def kind_of_votes(self, votes: Matrix, moves: bool) -> int:
        """How votes are added up. Waits for a matrix at most twice."""
        B: DeviceMatrix = votes._store
        if B.iso or not moves:
            return ALIKE if B.iso else SUMMED
        if B.dtype == WORD:
            return WHOLE
        if B.dtype != types.FP64 or B.nnz < self.many:
            return SUMMED
        if B.whole_votes is None:
            B.votes, largest = self.narrow(B)
            most = largest() * self.backend.products.bound_rows(B, SHORT[-1])  # synchronize!
            if MOST_VOTES <= most < math.inf:
                most = votes.reduce_rowwise("plus").new().reduce("max").new().get(0)  # synchronize!
            B.whole_votes = most < MOST_VOTES
            B.votes = B.votes if B.whole_votes else None
        return WHOLE if B.whole_votes else SUMMED

    def narrow(self, B: DeviceMatrix, factor: float = 1.0) -> tuple[Any, Callable[[], float]]:
        """The values times a factor, in 32 bits, and what waits for the largest of them: infinity
        if some are no whole numbers of 32 bits."""
        device = self.device
        made, found = device.empty(B.nnz, WORD), device.zeros(1, types.UINT64)
        self.backend.launch(
            MODULARITY_GAIN, "", narrowing(types.c_name(B.offset), types.c_name(B.dtype)), B.nnz,
            B.offset.type(B.nnz), B.values, np.float64(factor), made, found,
        )  # fmt: skip
        fetched = device.fetch(found)
        return made, lambda: float(fetched().view(types.FP64)[0])  # synchronize!

    def _longest(self, B: DeviceMatrix, name: str, longest: int, least: int, slots: int) -> Launch:
        """The launch for rows with more than ``least`` entries, whose labels are added up in
        tables; the longest row has ``longest``."""
        device, bits = self.device, 0
        while slots_for(longest) >> bits > slots:
            bits += 1
        parts = B.nnz // (min(fits(slots), longest) + 1) << bits if bits else 0
        blocks = min((B.nnz // (least + 1)) << bits, LONG_EACH * device.multiprocessors)
        found = device.empty(parts * constants.BEST_LABEL_BYTES, types.UINT8)
        done = device.zeros(parts >> bits, WORD)
        given = np.int32(slots), np.int32(bits), found, done
        threads = LONG_BLOCK * device.block_size
        return Launch(LABEL_ARGMAX, name, blocks, threads, self.long_bytes, True, given)

    def lists(
        self, B: DeviceMatrix, most: tuple[int, ...], lists: tuple[Any, Any]
    ) -> tuple[Any, ...]:
        """The lists of rows by length, as kernels take them."""
        return np.int32(B.shape[0]), *map(np.int32, most), *lists

    def bounds(self, votes: Matrix) -> tuple[int, ...]:
        """The largest number of entries of a row that moves: for a warp, a block, a large block."""
        summed = self.kind_of_votes(votes, True) == SUMMED
        return self._bounds(votes.dtype if summed else WORD)

    def _bounds(self, vote: np.dtype) -> tuple[int, ...]:
        slots = self.long_bytes // (INDEX.itemsize + vote.itemsize)
        warps = self.device.block_size // 32
        return tuple(map(fits, (self.slots[0] // warps, self.slots[1], slots)))

    def choose(
        self, B: DeviceMatrix, plan: RowDivision, lists: tuple[Any, Any], rest: tuple[Any, ...]
    ) -> None:
        """Choose a label for each listed row, or move it at once. The longest rows come first: few
        of them take as long as all others."""
        head = np.int32(B.shape[0]), *lists, B.indptr, B.ends, *plan.arrays[1:3], *rest

        def rows(launch: Launch) -> None:
            header, name, blocks, threads, shared_bytes, in_turn, given = launch
            next_row = (lists[1][ROW_KINDS:],) if in_turn else ()
            self.backend.launch(header, "", name, 0, *head, *next_row, *given, blocks=blocks,
                                threads=threads, shared_bytes=shared_bytes)  # fmt: skip

        parts = [partial(rows, each) for each in reversed(plan.launches)]
        if plan.beside and len(parts) > 1:
            self.device.beside(*parts)
        else:
            for part in parts:
                part()


def narrowing(offset: str, z: str) -> str:
    """The kernel that narrows values of a type."""
    return f"narrow_votes<{offset}, {z}>"


def next_turn(offset: str) -> str:
    """The kernel between two turns."""
    return f"next_turn<{offset}, double>"


def sweep(
    offset: str, z: str, votes: int, of_warps: int = SLOTS_WARPS, of_block: int = SLOTS_BLOCK
) -> str:
    """The kernel for a whole sweep."""
    return f"sweep_turns<{offset}, {z}, {votes}, {of_warps}, {of_block}>"


def kernels(
    offset: str, z: str, moves: bool, votes: int,
    of_warps: int = SLOTS_WARPS, of_block: int = SLOTS_BLOCK,
) -> list[str]:  # fmt: skip
    """The kernel for each kind of rows, for votes that are added up as a constant says."""
    groups = ("Warp", of_warps), ("Block", of_block)
    kind = f"{offset}, {z}, {str(moves).lower()}, {votes}"
    return [
        f"choose_short<{kind}>",
        *(f"choose_row<{kind}, {group}, {slots}>" for group, slots in groups),
        f"choose_long_row<{kind}>",
    ]


def counting_kernels(offset: str, z: str, votes: int) -> list[str]:
    """The kernels for rows of a warp, of a block, and longer ones, where labels have places."""
    kind = f"{offset}, {z}, {votes}"
    return [
        *(f"count_row<{kind}, {group}>" for group in ("Warp", "Block")),
        f"count_long_row<{kind}>",
    ]


def slots_for(labels: int) -> int:
    """The number of slots for so many labels."""
    return labels + labels // constants.HASH_LOAD + 1


def fits(slots: int) -> int:
    """The largest number of labels that a table can hold (see slots_for)."""
    return (slots - 1) * constants.HASH_LOAD // (constants.HASH_LOAD + 1)
