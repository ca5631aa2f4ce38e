"""The label with the most votes in each row, and moves to it, by kernels that add votes in hash
tables (label_argmax.cuh), or in a place for each label where few are in use (counted_rows.cuh).

Rows are listed by length on the device, so nothing waits. The lists take 24 bytes a row, and each
part of a row that several blocks share takes 32 bytes. The hash tables are in shared memory.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.label_argmax import BestLabels
from lagraph_gpu.algorithms.community.local_moving import (
    MIN_GAIN,
    MovingState,
    ScoreTerms,
)
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.notation import Matrix, Vector
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

MODULARITY_GAIN = "fused/modularity_gain.cuh"
LABEL_ARGMAX = "fused/label_argmax.cuh"
COUNTED_ROWS = "fused/counted_rows.cuh"
MERGED_ROWS = "fused/merged_rows.cuh"
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

BLOCKS_A_SWEEP = 4
"""The blocks on a multiprocessor for a kernel that does a whole sweep: more wait longer for each
other."""

LISTED, ROWS_ASKED, ROW_KINDS = constants.LISTED, constants.ROWS_ASKED, constants.ROW_KINDS
"""The number of rows that a thread lists at a time, or looks at whether it is their turn, and the
number of kinds of rows by length."""


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


class Used(NamedTuple):
    """The labels in use."""

    ends: Any
    """For each label how many are in use up to it."""
    size: int


class Numbered(NamedTuple):
    """The labels in use, numbered in their order."""

    ends: Any
    names: Any
    """The label of each number."""
    sums: tuple[Any, Any]
    """S and D by number."""


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

    @property
    def in_places(self) -> bool:
        """Do labels have places, for rows of some kind?"""
        return any(each.header == COUNTED_ROWS for each in self.launches)


class LabelArgmax:
    """Lowers `label_argmax` and `local_moving`. Tests set the fields, for small tables."""

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
        plan = self._plan(votes, False, False)
        name = f"list_rows<{types.c_name(B.offset)}>"
        self.backend.launch(ROW_BINS, "", name, -(-n // LISTED), B.indptr, has,
                            self._lists(B, plan, lists))  # fmt: skip
        self._choose(B, plan, lists, rest)
        return BestLabels(
            self.backend.as_vector(DeviceVector(n, dtype, has, top)),
            self.backend.as_vector(DeviceVector(n, types.INT64, device.copy(has), winner)),
        )

    def turns_of_ranks(self, ranks: Vector, factor: int, count: int) -> Vector | None:
        """None if there is no vertex."""
        rank: DeviceVector = ranks._store
        n = rank.size
        if rank.dtype != types.INT64 or n == 0:
            return None
        made = DeviceVector.to_fill(self.device, n, types.UINT8)
        self.backend.launch(MODULARITY_GAIN, "", "turns_of_ranks", n, np.int32(n), rank.present,
                            rank.values, np.int64(factor), np.int64(RANKS // count),
                            *made.parts)  # fmt: skip
        made.full = rank.full
        return self.backend.as_vector(made)

    def local_moving(
        self, votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
    ) -> Vector | None:
        """None if there are no votes. S and D are the sums of `state`."""
        B: DeviceMatrix = votes._store
        n, device, launch = B.shape[0], self.device, self.backend.launch
        if not B.nnz:
            return None
        prices = terms.scale, terms.k, terms.share, terms.d
        scale, k, share, d = (None if v is None else v._store.values for v in prices)
        stores = tuple(None if v is None else v._store for v in vars(state).values())
        winner, margin, S, D = (None if x is None else device.copy(x.values) for x in stores)
        labels, gains = device.empty(n, INDEX), device.empty(n, types.FP64)
        movers = device.zeros(words(n), WORD)
        room = device.empty(min(count, 2) * ROW_KINDS * n, INDEX)
        counts, turn_of = device.zeros(count * (ROW_KINDS + 1), WORD), turns._store.values
        beside, used = B.nnz // count >= self.many, None
        few = n * WORD.itemsize <= max(self.counted_bytes) or not state.singles(terms)
        if beside and few and self._votes(votes, True) != SUMMED:
            used = self._used(winner, scale)
        plan = self._plan(votes, True, beside, None if used is None else used.size)
        numbered = None
        if used is not None and plan.in_places:
            numbered = self._numbered(used, winner, scale, S, D, labels)
            by_label, (S, D) = (S, D), numbered.sums
        else:
            launch(MODULARITY_GAIN, "", NARROW, n, np.int32(n), winner, labels)
        moves = (scale, np.float64(terms.gamma), S, k, share, D, d, movers, margin,
                 np.float64(MIN_GAIN))  # fmt: skip
        given = labels, gains, winner, moves
        if not self._swept(B, plan, (np.int32(count), turn_of), (room, counts), (*given, S, D)):
            settled = movers, winner, labels, k, S, d, D
            self._turn_by_turn(B, plan, count, (turn_of, margin), (room, counts), given, settled)
        if numbered is not None:
            launch(COUNTED_ROWS, "", NUMBERING[1], n, np.int32(n), labels, scale, numbered.ends,
                   numbered.names, S, D, winner, *by_label)  # fmt: skip
            S, D = by_label
        after = winner, margin, S, D
        for name, old, values in zip(vars(state), stores, after, strict=True):
            if old is not None:
                store = DeviceVector(n, old.dtype, device.copy(old.bits), values, full=True)
                setattr(state, name, self.backend.as_vector(store))
        return self.backend.as_vector(DeviceVector(n, types.FP64, movers, gains))

    def _used(self, winner: Any, scale: Any) -> Used:
        """The labels in use by vertices with edges, whose scale is above 0."""
        n = winner.size
        marks = self.device.zeros(n + 1, WORD)
        self.backend.launch(MERGED_ROWS, "", "mark_labels", n, np.int32(n), winner, scale, marks)
        return Used(*self.backend.prefix_sums.total(marks, INDEX))  # synchronize!

    def _numbered(
        self, used: Used, winner: Any, scale: Any, S: Any, D: Any, labels: Any
    ) -> Numbered:
        """Numbers the labels in use, and writes the number of each vertex's label to `labels`."""
        n, device = labels.size, self.device
        names, made = device.empty(used.size, INDEX), device.empty(used.size, types.FP64)
        other = None if D is None else device.empty(used.size, types.FP64)
        self.backend.launch(COUNTED_ROWS, "", NUMBERING[0], n, np.int32(n), winner, scale,
                            used.ends, S, D, labels, names, made, other)  # fmt: skip
        return Numbered(used.ends, names, (made, other))

    def _swept(
        self, B: DeviceMatrix, plan: RowDivision, turns: Any, lists: Any, given: Any
    ) -> bool:
        """A whole sweep in one kernel. False if none can have all rows, or be resident."""
        if plan.whole_sweep is None:
            return False
        return self.backend.launch_resident(
            WHOLE_SWEEP, "", plan.whole_sweep, self.device.block_size, np.int32(B.shape[0]), *turns,
            *map(np.int32, plan.most[:2]), *lists, B.arrays(), *given, self.device.zeros(1, WORD),
            each=BLOCKS_A_SWEEP,
        )  # fmt: skip

    def _turn_by_turn(
        self, B: DeviceMatrix, plan: RowDivision, count: int, wanted: tuple[Any, Any],
        memory: tuple[Any, Any], given: tuple[Any, ...], settled: tuple[Any, ...],
    ) -> None:  # fmt: skip
        """A whole sweep in a few kernels for each turn: they list the rows whose turn it is and
        whose margin is used up, choose a label for each, and move. One kernel lets the rows of a
        turn move and lists those of the next one, in the other half of the memory."""
        n, (room, counts), (turn_of, margin) = B.shape[0], memory, wanted
        each, block, most = ROW_KINDS + 1, self.device.block_size, self.device.max_blocks
        listing = min(-(-n // (ROWS_ASKED * block)), most)
        settling = min(-(-n // (count * block)), most)
        lists = [
            (room[t % 2 * ROW_KINDS * n :], counts[t * each : t * each + each])
            for t in range(count)
        ]
        for t in range(count + 1):
            first, last = t == 0, t == count
            if not first:
                self._choose(B, plan, lists[t - 1], given)
            begun, done = lists[0 if last else t], lists[0 if first else t - 1]
            self.backend.launch(
                MODULARITY_GAIN, "", next_turn(types.c_name(B.offset)), 0,
                WORD.type(0 if last else listing), B.indptr, turn_of, np.int32(t), margin,
                self._lists(B, plan, begun), *done, *settled,
                blocks=(0 if last else listing) + (0 if first else settling),
            )  # fmt: skip

    def _plan(
        self, votes: Matrix, moves: bool, beside: bool, used: int | None = None
    ) -> RowDivision:
        """The plan for the rows of votes, with the memory that it needs. `used` is the number of
        labels in use, if they may have places."""
        B: DeviceMatrix = votes._store
        n, device = B.shape[0], self.device
        longest = self.backend.products.bound_rows(B, SHORT[-1])
        warps, block = device.block_size // 32, device.block_size
        kind = self._votes(votes, moves)
        vote = B.dtype if kind == SUMMED else WORD
        slots = self.long_bytes // (INDEX.itemsize + vote.itemsize)
        most = *SHORT, *map(fits, (self.slots[0] // warps, self.slots[1], slots))
        c, z = types.c_name(B.offset), types.c_name(B.dtype)
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
        return RowDivision(most[2:], launches, beside, whole)

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

    def _votes(self, votes: Matrix, moves: bool) -> int:
        """How votes are added up. Waits for a matrix at most twice."""
        B: DeviceMatrix = votes._store
        if B.iso or not moves or B.dtype != types.FP64 or B.nnz < self.many:
            return ALIKE if B.iso else SUMMED
        if B.whole_votes is None:
            found = self.device.zeros(1, types.UINT64)
            self.backend.launch(
                MODULARITY_GAIN, "", f"largest_whole<{types.c_name(B.offset)}>", B.nnz,
                B.offset.type(B.nnz), B.values, found,
            )  # fmt: skip
            largest = float(self.device.download(found).view(types.FP64)[0])  # synchronize!
            most = largest * self.backend.products.bound_rows(B, SHORT[-1])
            if MOST_VOTES <= most < math.inf:
                most = votes.reduce_rowwise("plus").new().reduce("max").new().get(0)  # synchronize!
            B.whole_votes = most < MOST_VOTES
        return WHOLE if B.whole_votes else SUMMED

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

    def _lists(self, B: DeviceMatrix, plan: RowDivision, lists: tuple[Any, Any]) -> tuple[Any, ...]:
        """The lists of rows by length, as kernels take them."""
        return np.int32(B.shape[0]), *map(np.int32, plan.most), *lists

    def _choose(
        self, B: DeviceMatrix, plan: RowDivision, lists: tuple[Any, Any], rest: tuple[Any, ...]
    ) -> None:
        """Choose a label for each listed row, or move it at once. The longest rows come first: few
        of them take as long as all others."""
        head = np.int32(B.shape[0]), *lists, *B.arrays()[:3], *rest

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
