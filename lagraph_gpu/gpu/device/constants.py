"""Numbers that the host and the kernels share. Each is stated once: here, or in the module that it
is taken from.

Every translation unit begins with ``DEFINITIONS``, which defines each number under the same name
for the compiler, so a header uses it as if it had been declared above. A block is given by its
number of threads: a kernel is compiled for at most that many, and the host launches no more.
"""

from __future__ import annotations

from lagraph_gpu.convert import packed_arrays
from lagraph_gpu.planning import direction

STAY, PACKED_STAY = direction.STAY, direction.PACKED_STAY
"""Until when rounds pull after a pull."""

MAX_THREADS = 256
"""The block of a kernel that states no other."""
CLOSURE_BLOCK, CLOSURE_WIDE_BLOCK = 448, 384
"""The block of ``closure``; the second is used if offsets or folded values have 64 bits."""
LEVELS_BLOCK = CLOSURE_WIDE_BLOCK
"""The block of ``resident_levels``. With more threads some architectures spill."""
MORE_THREADS, MORE_THREADS_ON = 64, 90
"""So many threads more has a block of ``closure``, and of ``packed_search`` where values have at
most 4 bytes, on this architecture and on no other: there the registers suffice for all variants."""
CLOSURE_SLOT, CLOSURE_DONE = 16, 12
"""The number of words for the counters of a call. The second is the index of the number of rounds,
which is followed by the number of vertices left in the frontier."""
LEVEL_ROOM = 2048
"""The largest number of vertices of a frontier that a single block processes (``few_levels``)."""
DELTA_BLOCK, ASYNC_BLOCK = 288, 256
"""The blocks of delta-stepping (``delta_stepping``) and of the asynchronous block queues
(``block_async``)."""
ORDER_COUNTS, ORDER_UNORDERED = 32, 6
"""The number of words for the counters of either kernel. The second is the index of a flag that is
set if there is no order; the next word is the number of epochs."""
HUB_FIRST_BLOCK, HUB_FIRST_WIDE_BLOCK = 256, 192
"""The block of ``hub_first``; the second is used for values or offsets of 64 bits."""
ORDER_BLOCK, ORDER_PULL_BLOCK = DELTA_BLOCK, HUB_FIRST_BLOCK
"""The block of ``resident_order``; the second is used for sorted rows, by which it also pulls."""
HUB_FIRST_COUNTS, HUB_FIRST_UNORDERED, HUB_FIRST_FOUND = 24, 18, 22
"""The number of its counters, and the indices of the first and the last one of the whole call."""
HUB_FIRST_BESTS, PACKED_ORDER_BESTS = 88, 96
"""The bytes of the best values that a call keeps; the second for packed rows."""
HUB_FIRST_LEFT, HUB_FIRST_WIDE_LEFT = 2, 3
"""The words of 8 bytes for a vertex that pulls again; the second if its value or its weight has 64
bits."""
LIGHTEST_BYTES, LIGHTEST_BYTES_32, LIGHTEST_BYTES_64 = 8, 16, 24
"""The bytes of the lightest edge of a row, for weights of at most 16, of 32 and of 64 bits."""

MOST_PEERS = 8
"""The largest number of processes into whose memory a kernel can store."""
REPORT_HEAD, ORDER_HEAD = 7, 9
"""The words of a report before the lines of its rounds, of ``resident_levels`` and of
``resident_order``."""
ROUND_LINE, OWN_COUNTS = 4, 4
"""The words of such a line before the entries found by each process, and the counters of a process
in a round before those of what it has for each."""
ORDER_ENTRIES = 5
"""The words for the far entries of a process."""
NEVER_PULLS = 2**64 - 1
"""A number of edges that no graph has."""

SEARCH_BLOCK = 256
"""The block of ``ms_bfs``."""
SEARCHES_DONE, SEARCHES_WRAPPED, SEARCHES_UNFINISHED = 0, 1, 2
"""How the searches of ``block_sssp`` and of ``warp_dijkstra`` end. The last two are bits: a sum has
wrapped, and a search was given up."""
SWEEP_BLOCK = 256
"""The block of the sweeps over a contraction."""
DIJKSTRA_WARPS = 2
"""The largest number of warps of a block that each do a search with a heap."""

HASH_LOAD = 3
"""Of a hash table at least one slot is empty for so many keys."""

UNION_FIND_BLOCK = 256
"""The block of ``component_labels`` and ``boruvka``."""
FOREST_ROUNDS = 72
"""More than the rounds of ``boruvka``, of which each halves 2³¹ trees or fewer, twice."""
BRANDES_BLOCK = 256
POWER_BLOCK, GRID_SUMS = 256, 10
"""The block of kernels of all rounds of a power iteration, and the largest number of sums that they
take together."""
PEEL_BLOCK = 384
PEEL_COUNTS, PEEL_ROUNDS, PEEL_STEPS, PEEL_LEFT = 17, 9, 15, 16
"""The number of counters of ``peel``; the indices of the number of rounds, which is followed by the
number of passes, of the steps that one block has counted last, and of what was left."""
LONGEST_COUNTS, LONGEST_LEVELS, LONGEST_LEFT = 7, 4, 6
"""The number of counters of ``longest_paths``; the indices of the two numbers of levels,
and of what was left."""
TRUSS_BLOCK = 448
"""The block that goes through small rounds of a truss alone."""
SCC_BLOCK = 448
SCC_ROUNDS = 3
"""The index of the counter with the number of rounds, which is 0 if the kernel did not finish."""
MIS_BLOCK = 256
"""The block of ``greedy_mis``."""
COLORING_CLASSES = 3
"""The number of classes of vertices by degree that are coloured in order: for a block, a warp or a
lane. Each needs a block."""
FIT_BLOCK = 384
"""The block of ``color_in_order``."""
SHORT_BLOCK = 256
"""The block of ``color_short_rows``."""
LONG_DEGREE = 63
"""A vertex with at least so many neighbours has a long row for a colouring: the neighbours in
shorter ones are bits of a word."""
FEW_LABELS, WARP_LABELS, ROW_KINDS = 8, 32, 6
"""The entries of a row whose labels so many lanes compare without a table, and the number of kinds
of rows by length. The last four kinds are for a warp, a block, a large block, or several of
these."""
VOTES_SUMMED, VOTES_ALIKE, VOTES_WHOLE = 0, 1, 2
"""How the votes for a label are added up: as they are; as their number, where all have one value;
as whole numbers of 32 bits."""
LISTED, ROWS_ASKED = 4, 16
"""The number of rows that a thread sorts into lists by length at a time, and of those of which it
looks at a time whether it is their turn."""
BEST_LABEL_BYTES = 32
"""The bytes of the result for a part of a row."""
PRINTS = 32
"""The fingerprints of a row, of 16 bits each."""

SORTED_PRODUCTS = 256
"""The largest number of products of a row that a warp sorts in registers. A number of them has 8
bits."""
WINDOW_COLUMNS = 8
"""The number of columns of a dense accumulator for each lane that computes the row."""

ROUND = 128
"""The number of entries that a warp of ``segmented_spmv`` reads at a time."""
CUT = 64
"""The largest number of entries of a run in a sliced matrix."""
SPAN = 1024
"""The number of entries between two positions at which the row number is stored."""
BITMAP_GROUP = 128
"""The number of words of a bitmap that are counted together."""
SHORT_ROW, WARP_ROOM, SORT_TILE = 32, 512, 4096
"""The largest number of entries of a row that the registers of a warp sort, of one that each warp
sorts, and the number of entries in a tile of a longer row."""
RADIX_BITS = 8
"""The number of bits of a digit of the radix sort."""

GATHERED_BITS = 10
"""So many lower bits of a drawn vertex are replaced by a number under which those with as many ones
stand together."""
END_BUCKETS = 4096
"""The largest number of buckets into which ends of edges are put to be counted."""
ROW_BUCKETS, ROW_SLOTS, COLUMN_KNOTS = 2048, 1024, 233
"""The largest number of buckets to which entries go at a time, the number of rows for which their
bucket is known, and the number of columns for which it is known how many entries come before
them."""

PACKED_GAPS, SEGMENT_ENTRIES = packed_arrays.GAPS, packed_arrays.SEGMENT_ENTRIES
"""The gaps of a block of packed rows, and the entries of a segment of a long row."""
QUARTER, OF_LANE = packed_arrays.QUARTER, packed_arrays.OF_LANE
"""The gaps of a block that have one width, and those that a lane decodes."""
PACKED_UNIT, PACKED_WIDEST = packed_arrays.UNIT, packed_arrays.WIDEST
"""The bits that a row without quotients has a whole number of, and the largest width."""
FROM_COUNT, FROM_REST = packed_arrays.FROM_COUNT, packed_arrays.FROM_REST
"""The entries of a segment stand above the first bit, and where its words begin below; the gaps of
a short row stand below the second bit of its tail, and its width or words above."""
PACKED_BLOCK = 384
"""The block of ``packed_search``."""

BEGINS_ELSEWHERE, ENDS_ELSEWHERE, FALLS, OUTSIDE, UNSORTED = 1, 2, 4, 8, 16
"""The bits that report what is wrong with compressed rows."""


def more_threads(capability: str) -> int:
    """How many threads more a block has on a device of this compute capability."""
    return MORE_THREADS if capability == str(MORE_THREADS_ON) else 0


DEFINITIONS = "".join(
    f"[[maybe_unused]] constexpr {'int' if value < 2**31 else 'unsigned long long'} {name} = "
    f"{value}{'' if value < 2**31 else 'ull'};\n"
    for name, value in list(globals().items())
    if name.isupper()
)
