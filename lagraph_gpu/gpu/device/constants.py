"""Numbers that the host and the kernels both know. They are stated here, and nowhere else.

Every translation unit begins with ``DEFINITIONS``, which defines each of them under the same name
for the compiler, so a header uses it as if it had been declared above. Blocks are numbers of
threads: a kernel is compiled for that many at most, and the host launches no more.
"""

from __future__ import annotations

CLOSURE_BLOCK, CLOSURE_WIDE_BLOCK = 448, 384
"""Of ``closure``; the second where offsets or folds have 64 bits."""
CLOSURE_SLOT, CLOSURE_DONE = 16, 12
"""Words that a call counts in; from the second on the rounds done and the vertices they left."""
LEVEL_ROOM = 2048
"""Vertices of a frontier that one block works off by itself, at most (``few_levels``)."""
DELTA_BLOCK, ASYNC_BLOCK = 288, 256
"""Of delta stepping (``delta_stepping``) and of the asynchronous block queues (``block_async``)."""
ORDER_COUNTS, ORDER_STRANGE = 32, 6
"""Words that either counts in; the second is set if there is no order, and the next is the number
of epochs."""
HUB_FIRST_BLOCK, HUB_FIRST_WIDE_BLOCK = 256, 192
"""Of ``hub_first``; the second for values or offsets of 64 bits."""

SEARCH_BLOCK = 256
"""Of ``ms_bfs``."""
SWEEP_BLOCK = 256
"""Of the sweeps over a contraction."""
DIJKSTRA_WARPS = 2
"""Warps of a block that each search with a heap, at most."""

HASH_LOAD = 3
"""Of a hash table at least one slot is empty for so many keys."""

UNION_FIND_BLOCK = 256
"""Of ``component_labels`` and ``boruvka``."""
BRANDES_BLOCK = 256
PEEL_BLOCK = 384
SCC_BLOCK = 448
MIS_BLOCK = 256
"""Of ``greedy_mis``."""
FIT_BLOCK = 384
"""Of ``greedy_coloring``."""
CLASSES = 3
"""Of vertices to colour, by their degree: for a block, a warp or a lane. Each needs a block."""
FEW_LABELS, WARP_LABELS, ROW_KINDS = 8, 32, 6
"""Entries of a row whose labels so many lanes compare without a table; and the kinds of rows by
their length: the last four are for a warp, a block, a large block, or several of these."""
LISTED = 4
"""Rows that a thread sorts into lists by their length at a time."""

ROUND = 128
"""Entries that a warp takes at a time in ``segmented_spmv``."""
CUT = 64
"""Entries of a run of a sliced matrix, at most."""
SPAN = 1024
"""Entries from one known row number to the next."""
BITMAP_GROUP = 128
"""Words of a bitmap that are counted together."""
SHORT_ROW, WARP_ROOM, SORT_TILE = 32, 512, 4096
"""Entries of a row that the registers of a warp sort, of a longer one for each warp that sorts it,
and of a tile of the longest."""
RADIX_BITS = 8
"""Bits of a digit of the radix sort."""

BEGINS_ELSEWHERE, ENDS_ELSEWHERE, FALLS, OUTSIDE, UNSORTED = 1, 2, 4, 8, 16
"""Bits for what can be wrong with compressed rows."""

DEFINITIONS = "".join(
    f"[[maybe_unused]] constexpr int {name} = {value};\n"
    for name, value in list(globals().items())
    if name.isupper()
)
