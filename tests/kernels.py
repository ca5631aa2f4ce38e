"""The kernels of the project, as the NVRTC gate compiles them.

``everywhere()``: each kernel with each way of walking, for a handful of algebras that differ in
what kernels branch on (width and kind of the type, native atomics or not, `any`, a terminal, 64-bit
offsets).

``every_algebra()``: each semiring of the catalogue for each type of its domain, in the kernel that
holds all of its functions, and each other operator in its own.

To compile all that takes many minutes, so tests compile what covers it: ``spread`` takes each
kernel to every architecture, each time in another of its variants, and
``every_algebra(whole=False)`` has each monoid and each ⊗ of a semiring with types of each kind, and
each operator with two of them. ``python -m tests.nvrtc_gate`` compiles everything.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby, islice, product
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure.binned_push import APPLY_BINS, BIN_EDGES, Sizes
from lagraph_gpu.gpu.closure.ordered import ONE_MORE
from lagraph_gpu.gpu.closure.padded_rows import SLOTS
from lagraph_gpu.gpu.closure.parents import WAYS as WAYS_BACK
from lagraph_gpu.gpu.device import lower, module
from lagraph_gpu.gpu.device.filling import FILLS
from lagraph_gpu.gpu.fused.brandes import WIDTHS
from lagraph_gpu.gpu.fused.coarse_levels import OF_ROWS, OF_VALUES, merging
from lagraph_gpu.gpu.fused.coarse_levels import TYPES as COARSE_TYPES
from lagraph_gpu.gpu.fused.greedy import WORDS
from lagraph_gpu.gpu.fused.label_argmax import counting_kernels, narrowing, next_turn
from lagraph_gpu.gpu.fused.label_argmax import kernels as of_choices
from lagraph_gpu.gpu.fused.label_argmax import sweep as of_sweeps
from lagraph_gpu.gpu.fused.short_row_triangles import (
    FINGERPRINT_TRIANGLES,
    MARKED_ROWS,
    ROW_FINGERPRINTS,
    SAMPLED_ENTRIES,
    SHORT_ROW_TRIANGLES,
    SIDE,
)
from lagraph_gpu.gpu.fused.short_row_triangles import WORDS as FILTER_WORDS
from lagraph_gpu.gpu.generate import end_buckets, row_buckets
from lagraph_gpu.gpu.matrix.ewise_matrix import STEPS
from lagraph_gpu.gpu.matrix.segmented_sort import kernels as of_row_order
from lagraph_gpu.gpu.multi_source.contraction_sweeps import LANE_BYTES
from lagraph_gpu.gpu.multi_source.source_sums import SUMMED
from lagraph_gpu.gpu.multi_source.tables import SHAPES
from lagraph_gpu.gpu.spgemm.masked_products import Tables
from lagraph_gpu.gpu.spgemm.matrix_products import (
    RANKED_BYTES,
    RANKED_WORDS,
    STAGED,
    WAYS,
    WINDOW_LANES,
    Slots,
)
from lagraph_gpu.gpu.spmv.column_blocked import PAIRS_AHEAD
from lagraph_gpu.gpu.spmv.segmented_spmv import summing
from lagraph_gpu.gpu.storage.layouts import TAILS
from lagraph_gpu.gpu.storage.prefix_sum import STEPS as STEPS_OF_SUMS
from lagraph_gpu.gpu.vector import fused_codegen
from lagraph_gpu.planning.many_sources import BLOCK_SLOTS
from semirings import BINARY, INDEXUNARY, MONOIDS, SEMIRINGS, UNARY, types
from semirings.algebra import Semiring
from semirings.types import BOOL, FC64, FP32, FP64, INT8, INT16, INT32, INT64, UINT8, UINT32, UINT64

PULL_CUH = "spmv/pull.cuh"
PUSH_CUH = "spmv/push.cuh"
SEGMENTED_SPMV = "spmv/segmented_spmv.cuh"
COLUMN_BLOCKED = "spmv/column_blocked.cuh"
COLUMN_RANK = "spmv/column_rank.cuh"
CLOSURE = "closure/level_synchronous/closure.cuh"
FEW_LEVELS = "closure/level_synchronous/few_levels.cuh"
PREFIX_SUM = "core/prefix_sum.cuh"
RELABEL = "matrix/relabel.cuh"
DISTRIBUTED = "vector/distributed.cuh"
DISTRIBUTED_ROWS = "matrix/distributed_rows.cuh"
FOLD_CHANGED = "vector/fold_changed.cuh"
DISTRIBUTED_LEVEL = "closure/level_synchronous/distributed_level.cuh"
DISTRIBUTED_LEVELS = (
    *(
        f"pull_level<Semiring, {rows}>"
        for rows in ("ThreadPerRow", "WarpPerRow", "LikelyParentFirst")
    ),
    "push_level<Semiring, int>",
    "push_level<Semiring, long long>",
)
RESIDENT_LEVELS = "closure/level_synchronous/resident_levels.cuh"
RESIDENT_ORDER = "closure/ordered/resident_order.cuh"
PEER_STORES = "vector/peer_stores.cuh"
DISTRIBUTED_COMPONENTS = "fused/distributed_components.cuh"
DISTRIBUTED_TIGHT = "closure/ordered/distributed_tight.cuh"
PREDECESSOR_OUTPUT = "closure/ordered/predecessor_output.cuh"
SEGMENTED_SORT = "matrix/segmented_sort.cuh"
GUSTAVSON = "spgemm/gustavson.cuh"
LONG_ROWS = "spgemm/long_rows.cuh"
ROW_BY_ROW = "spgemm/row_by_row.cuh"
SHORT_ROWS = "spgemm/short_rows.cuh"
SORTED_ROWS = "spgemm/sorted_rows.cuh"
WINDOWED_ROWS = "spgemm/windowed_rows.cuh"
RANKED_ROWS = "spgemm/ranked_rows.cuh"
SORTED_KEYS = "unsigned int", "unsigned long long"
MASKED_DOT = "spgemm/masked_dot.cuh"
PRODUCT_TILES = "spgemm/product_tiles.cuh"
ENTRIES = "matrix/entries.cuh"
COMPACTION = "vector/compaction.cuh"
ROW_PIECES = "matrix/row_pieces.cuh"
SCATTER = "vector/scatter.cuh"
LIKELY_PARENT = "spmv/likely_parent.cuh"
EDGE_ORDERS = "matrix/edge_orders.cuh"
ROW_STARTS = "matrix/row_starts.cuh"
PARTITION = "spmv/partition.cuh"
SLICED_ELL = "spmv/sliced_ell.cuh"
MIN_EDGE = "matrix/min_edge.cuh"
INDEXED = "matrix/indexed.cuh"
EWISE_MATRIX = "matrix/ewise_matrix.cuh"
EXCHANGE = "matrix/exchange.cuh"
EDGES_TO_ROWS = "generate/edges_to_rows.cuh"
COORDINATES = "matrix/coordinates.cuh"
IDS = "matrix/ids.cuh"
MERGE_PATH = "matrix/merge_path.cuh"
PEEL = "fused/peel.cuh"
LONGEST_PATHS = "fused/longest_paths.cuh"
TRUSS = "fused/truss.cuh"
GREEDY_MIS = "fused/greedy_mis.cuh"
SCC_COLORING = "fused/scc_coloring.cuh"
FORTH, BACK = "fused/brandes_forth.cuh", "fused/brandes_back.cuh"
COMPONENT_LABELS = "fused/component_labels.cuh"
BORUVKA = "fused/boruvka.cuh"
GREEDY_COLORING = "fused/greedy_coloring.cuh"
KRONECKER_EDGES = "generate/kronecker_edges.cuh"
MODULARITY_GAIN = "fused/modularity_gain.cuh"
FORMULA = "vector/formula.cuh"
ELEMENTWISE = "vector/elementwise.cuh"
WEIGHT_ORDER = "matrix/weight_order.cuh"
REDUCE = "vector/reduce.cuh"
DELTA_STEPPING = "closure/ordered/delta_stepping.cuh"
BLOCK_ASYNC = "closure/block_queues/block_async.cuh"
PADDED_ROWS = "matrix/padded_rows.cuh"
HUB_FIRST = "closure/hub_first/hub_first.cuh"
BOTTOM_UP_ROUND = "closure/hub_first/bottom_up_round.cuh"
TIGHT_EDGES = "closure/ordered/tight_edges.cuh"
BLOCK_SSSP = "multi_source/block_sssp.cuh"
WARP_DIJKSTRA = "multi_source/warp_dijkstra.cuh"
BIT_SLICED_LEVELS = "multi_source/bit_sliced_levels.cuh"
COPY_ROWS = "closure/block_queues/copy_rows.cuh"
DISTANCE_OUTPUT = "multi_source/distance_output.cuh"
CONTRACTION_SWEEPS = "multi_source/contraction_sweeps.cuh"
MS_BFS = "multi_source/ms_bfs.cuh"
ROW_BINS = "matrix/row_bins.cuh"
LABEL_ARGMAX = "fused/label_argmax.cuh"
QUOTIENT = "fused/quotient.cuh"
COARSE_ROWS = "fused/coarse_rows.cuh"
WHOLE_SWEEP = "fused/whole_sweep.cuh"
COUNTED_ROWS = "fused/counted_rows.cuh"
PAGERANK_ROUND = "fused/pagerank_round.cuh"
PAGERANK_ROUNDS = "fused/pagerank_rounds.cuh"
POWER_ROUNDS = "fused/power_rounds.cuh"
FLAGS = "false", "true"
MASKED_GUSTAVSON = "spgemm/masked_gustavson.cuh"
CLOSED_WEDGES = "spgemm/closed_wedges.cuh"
PACK_ROWS = "matrix/pack_rows.cuh"
CHECK_PACKED, MIRROR_SUMS = "matrix/check_packed.cuh", "matrix/mirror_sums.cuh"
PACKED_COMPONENTS = "fused/packed_components.cuh"
PACKED_DELTA = "closure/ordered/packed_delta.cuh"
PACKED_LIGHT = "closure/ordered/packed_light.cuh"
PROBE_UNSETTLED = "closure/hub_first/probe_unsettled.cuh"
PULL_UNSETTLED = "closure/hub_first/pull_unsettled.cuh"
PACKED_PULL = "spmv/packed_pull.cuh"
PACKED_SEARCH = "closure/level_synchronous/packed_search.cuh"
EDGE_RANGES = "generate/edge_ranges.cuh"
EDGE_WEIGHTS = "generate/edge_weights.cuh"
PACKED_ACCOUNT = "generate/packed_account.cuh"


class Kernel(NamedTuple):
    """The header in which it stands, its algebra's structs, its C++ name expression, and what to
    call the algebra."""

    header: str
    algebra: str
    name: str
    label: str = ""

    @property
    def form(self) -> str:
        """What it is called without the types that tell its variants apart."""
        return untyped(self.name) if self.algebra else self.name.partition("<")[0]


def of_headers() -> set[str]:
    """The names of all kernels that the headers define."""
    bounds = r"(?:__launch_bounds__\((?:[^()]|\([^()]*\))*\)\s*)?"
    defined = re.compile(rf"__global__\s+void\s+{bounds}(\w+)\s*\(")
    texts = (path.read_text(encoding="utf-8") for path in module.CUDA.rglob("*.cuh"))
    return {name for text in texts for name in defined.findall(text)}


def unlisted(names: Iterable[str]) -> set[str]:
    """Those kernels of which ``everywhere()`` has none with the same form; or, for kernels of a
    semiring, with the same types, too. Numbers and formulas do not count."""

    def alike(name: str) -> str:
        typed = "Semiring" in name and not name.startswith("rank_products")
        return re.sub(r"\b\d+\b", "#", name if typed else untyped(name))

    listed = {alike(kernel.name) for kernel in everywhere()}
    return {name for name in names if "Formula" not in name and alike(name) not in listed}


def untyped(name: str) -> str:
    """
    >>> untyped("merge_tiles<MergeAdd<Op, long long, int>, 15>")
    'merge_tiles<MergeAdd<Op, _, _>, 15>'
    """
    return TYPES.sub("_", name)


Unit = tuple[str, tuple[str, ...]]
"""A translation unit, and its kernels' names."""

TOGETHER = 60
TYPES = re.compile(r"\b(unsigned |signed )?(bool|char|short|int|long long|float|double)\b")
STRUCTS = re.compile(r"\b(Semiring|Monoid|Op|Accum|Entry|Formula)\b")

WALKS = ("ThreadPerVertex", "WarpPerVertex", "SearchEdges", "BucketsByDegree")
PUSH = [f"push<Semiring, {rows}>" for rows in WALKS]
PUSH += ["push_marked<Semiring>", "push_singles<Semiring>", "relax<Semiring>"]
PULL = [f"pull<Semiring, {rows}>" for rows in ("ThreadPerRow", "WarpPerRow", "InterleavedRows")]
SOURCES = ("EwiseAdd", "EwiseMult", "EwiseUnion", "Apply", "Fill", "Pick")
MERGES = ("MergeAdd", "MergeMult", "MergeUnion")

ALGEBRAS = [
    ("any_secondi", INT64, INT8, INT32),
    ("any_pair", BOOL, BOOL, INT64),
    ("min_plus", FP32, FP32, INT32),
    ("min_plus", INT64, INT32, INT64),
    ("max_min", FP64, FP64, INT32),
    ("plus_times", FP32, FP32, INT32),
    ("plus_times", INT16, INT16, INT32),
    ("times_times", INT8, INT8, INT32),
    ("times_plus", FP64, FP64, INT32),
    ("lor_land", BOOL, BOOL, INT32),
    ("bxor_band", UINT64, UINT64, INT32),
    ("times_plus", FC64, FC64, INT32),
]

ORDERED = [
    ("min_plus", FP32, FP32, INT32),
    ("min_plus", FP64, FP64, INT64),
    ("min_plus", INT8, INT8, INT32),
    ("min_plus", INT64, INT32, INT64),
    ("max_min", FP64, FP64, INT32),
    ("max_min", UINT64, UINT64, INT64),
    ("min_max", UINT8, UINT8, INT32),
    ("max_plus", INT16, INT16, INT32),
    ("min_first", INT64, BOOL, INT32),
]
"""Algebras of a minimum or maximum whose ⊗ never improves."""

SETTLED = (("min_plus", FP32), ("min_plus", FP64), ("min_plus", INT64), ("max_min", UINT64))
"""Those for which the kernel that settles the core first is compiled: it takes ten times as long as
others, and is alike for the rest."""

ALIKE = (("any_pair", BOOL), ("min_plus", FP32), ("times_times", INT8), ("bxor_band", UINT64))
"""Algebras that the products of two matrices are not compiled for: they are like others."""

KINDS = (BOOL, INT8, INT64, UINT64, FP32, FP64)
"""Types that differ in what an operator becomes: a narrow one is computed as wide as a register."""

OFFSETS = (INT32, INT64)
"""The types of row offsets."""

VALUES = (BOOL, INT8, INT64, FP32, FP64)
"""Types of values that kernels which only move them are compiled for."""

STORED_RANKS = "StoredValues, const Word*, const long long*, int"

DOT = [f"masked_dot<Semiring, {group}>" for group in ("Thread", "Warp", "Block")]


def header(kernel: str) -> str:
    """Where a kernel for products of vectors stands."""
    return PULL_CUH if kernel.startswith("pull") else PUSH_CUH


def everywhere() -> Iterator[Kernel]:
    """Every kernel, for each of its algebras and types that make another one of it."""
    for name, u, a, offset in ALGEBRAS:
        yield from _vector_products(name, u, a, offset)
        if SEMIRINGS[name].idempotent:
            yield from _closures(name, u, a, offset)
        if (name, u) not in ALIKE:
            yield from _matrix_products(name, u, a, offset)
    yield from _matrix_products("plus_pair", BOOL, BOOL, INT32)
    parts = (
        _ordered, _many, _communities, _packed, _vectors, _distributed, _cut_rows, _sorted_rows,
        _counted_products, _entries, _merged_entries, _indexed, _coordinates, _ids, _exchange,
        _generate,
        _greedy, _components, _subgraphs, _ranks,
    )  # fmt: skip
    for part in parts:
        yield from part()


def _vector_products(name: str, u: Any, a: Any, offset: Any) -> Iterator[Kernel]:
    """Products of a matrix and a vector: pushes, pulls, and those in even shares."""
    ring = SEMIRINGS[name]
    pushed = lower.semiring_struct(ring, u, a, offset, True)
    for kernel in PUSH:
        yield Kernel(header(kernel), pushed, kernel)
    columns = Semiring(ring.monoid, BINARY["second"])
    entries = lower.semiring_struct(columns, a, a, offset, True)
    yield Kernel(PUSH_CUH, entries, "push_entries<Semiring>")
    algebra = lower.semiring_struct(ring, u, a, offset, False)
    for kernel in (*PULL, "pull_long<Semiring>"):
        yield Kernel(header(kernel), algebra, kernel)
    sizes = (u, a, ring.output(u, a))
    wide = max(dtype.itemsize for dtype in sizes) > 4
    rounds = 1 if wide and ring.multiply.reads_x else 2
    # of values of 16 bytes it keeps one or two in memory: a block has 1024 threads
    forms = f"FullOperand, {rounds}", "SparseOperand, 1"
    for form in forms if max(d.itemsize for d in sizes) <= 8 else ():
        yield Kernel(SEGMENTED_SPMV, algebra, f"segmented_spmv<Semiring, {form}>")
    ahead = PAIRS_AHEAD // (4 if a.itemsize > 4 else 2)
    yield Kernel(COLUMN_BLOCKED, algebra, f"column_blocked_spmv<Semiring, {ahead}>")
    summed = summing(ring.monoid, ring.output(u, a))
    yield Kernel(COLUMN_BLOCKED, summed, f"column_blocked_spmv<Semiring, {PAIRS_AHEAD}>")
    source = f"StoredValues, const Word*, const {types.c_name(u)}*, int"
    yield Kernel(COLUMN_RANK, algebra, f"rank_products<Semiring, {source}>")
    yield Kernel(SEGMENTED_SPMV, algebra, "add_carries<Semiring>")


def _closures(name: str, u: Any, a: Any, offset: Any) -> Iterator[Kernel]:
    """Closures by rounds, on one device and on several."""
    ring = SEMIRINGS[name]
    z = ring.output(u, a)
    algebra = lower.semiring_struct(ring, z, a, offset, True)
    for rows in ("ThreadPerRow", "WarpPerRow"):
        yield Kernel(CLOSURE, algebra, f"closure<Semiring, {rows}>")
    yield Kernel(FEW_LEVELS, algebra, "few_levels<Semiring>")
    if ring.monoid.is_any:
        for kernel in DISTRIBUTED_LEVELS:
            yield Kernel(DISTRIBUTED_LEVEL, algebra, kernel)
        for rows in ("ThreadPerRow", "WarpPerRow", "LikelyParentFirst"):
            for sent in (INT64, INT32) if z == INT64 else (z,):
                name_of = f"resident_levels<Semiring, {rows}, {types.c_name(sent)}>"
                yield Kernel(RESIDENT_LEVELS, algebra, name_of)
    else:
        yield Kernel(FEW_LEVELS, algebra, "make_foldable<Semiring>")
    if z == INT64 and not ring.reads_right:
        yield Kernel(CLOSURE, algebra, "closure<Semiring, LikelyParentFirst>")
        tails = lower.semiring_struct(TAILS, INT32, a, offset, True)
        yield Kernel(CLOSURE, tails, "closure<Semiring, LikelyParentFirst>")
        for of in (algebra, tails) if ring.monoid.is_any and not ring.reads_left else ():
            for rows in ("ThreadPerRow", "LikelyParentFirst"):
                yield Kernel(CLOSURE, of, f"closure<Semiring, {rows}, Pause>")
            yield Kernel(BIN_EDGES, of, Sizes().binning)
            yield Kernel(APPLY_BINS, of, Sizes().applying)


def _vectors() -> Iterator[Kernel]:
    """Statements into vectors, formulas, reductions and prefix sums."""
    for counts, ends in product(("int", "long long"), repeat=2):
        yield Kernel(PREFIX_SUM, "", f"prefix_sum<{counts}, {ends}, {STEPS_OF_SUMS}>")
    yield Kernel(PREFIX_SUM, "", f"prefix_sum<unsigned, long long, {STEPS_OF_SUMS}>")
    for offset in OFFSETS:
        c = types.c_name(offset)
        yield Kernel(COMPACTION, "", f"compact<{c}>")
        yield Kernel(ROW_PIECES, "", f"find_pieces<{c}>")
        for kernel in ("length_keys", "lower_halves"):
            yield Kernel(LIKELY_PARENT, "", f"{kernel}<{c}>")
    shuffled, numbers = fused_codegen.shuffle().text
    yield Kernel(FORMULA, shuffled, f"settle<Formula{numbers}>")
    yield from (Kernel(p.header, p.algebra, p.name) for p in FILLS.values())
    for dtype in VALUES:
        c = types.c_name(dtype)
        yield Kernel(ELEMENTWISE, "", f"truth<{c}>")
        for kernel in ("scatter", "overlay", "place"):
            yield Kernel(SCATTER, "", f"{kernel}<{c}>")
        yield Kernel(PUSH_CUH, "", f"prepare<{c}>")
        least = lower.monoid_struct(MONOIDS["min"], dtype)
        for offset in OFFSETS:
            yield Kernel(FOLD_CHANGED, least, f"fold_changed<Monoid, {types.c_name(offset)}>")
        yield Kernel(REDUCE, least, reduce_stored(dtype))
        struct, given = formula(dtype).text
        yield Kernel(FORMULA, struct, f"settle<Formula{given}>")
        yield Kernel(FORMULA, struct + least, f"reduce<Monoid, Formula{given}>")
        op = lower.ewise_struct(BINARY["max"], dtype, dtype)
        select = lower.select_struct(INDEXUNARY["valuegt"], dtype, dtype)
        for accum in (None, BINARY["plus"]):
            accumulated = lower.accum_struct(accum, dtype, dtype)
            for source in SOURCES:
                name = f"elementwise<{source}<Op>, Op, Accum>"
                yield Kernel(ELEMENTWISE, op + accumulated, name)
            name = "elementwise<Select<Op>, Op, Accum>"
            yield Kernel(ELEMENTWISE, select + accumulated, name)


def _distributed() -> Iterator[Kernel]:
    """Vectors, levels and components in parts on several devices."""
    yield Kernel(DISTRIBUTED, "", "count_of_parts")
    for dtype in VALUES:
        for kernel in ("join_parts", "deal_parts", "list_of_parts", "scatter_parts"):
            yield Kernel(DISTRIBUTED, "", f"{kernel}<{types.c_name(dtype)}>")
    yield Kernel(DISTRIBUTED_ROWS, "", "join_lengths")
    for offset in map(types.c_name, OFFSETS):
        for kernel in ("deal_lengths", "first_entries"):
            yield Kernel(DISTRIBUTED_ROWS, "", f"{kernel}<{offset}>")
        for dtype, deals in product(map(types.c_name, VALUES), ("true", "false")):
            yield Kernel(DISTRIBUTED_ROWS, "", f"move_rows<{offset}, {dtype}, {deals}>")
    yield Kernel(DISTRIBUTED_LEVEL, "", "join_bits")
    for dtype, offset in product((BOOL, INT32, INT64), OFFSETS):
        z, c = types.c_name(dtype), types.c_name(offset)
        yield Kernel(DISTRIBUTED_LEVEL, "", f"begin_levels<{z}, {c}>")
        yield Kernel(DISTRIBUTED_LEVEL, "", f"fill_heads<{z}>")
        for name in ("take_found", "take_lists"):
            yield Kernel(DISTRIBUTED_LEVEL, "", f"{name}<{z}, int, {c}>")
    for u, a, offset in ((FP32, FP32, INT32), (FP64, FP64, INT64), (INT64, INT32, INT32)):
        order, carried = SEMIRINGS["min_plus"], SEMIRINGS["any_secondi"]
        algebra = lower.tight_struct(order, u, carried, INT64, a, offset)
        for kind in (f"Apart<{types.c_name(a)}, false>", f"Pairs<{types.c_name(a)}>"):
            yield Kernel(DISTRIBUTED_TIGHT, algebra, f"first_tight<Semiring, {kind}>")
    for kernel in ("start_trees", "join_labels", "flatten_trees", "copy_trees", "sample_trees",
                   "list_joined", "join_pairs", "own_trees"):  # fmt: skip
        yield Kernel(DISTRIBUTED_COMPONENTS, "", kernel)
    for offset in OFFSETS:
        for kernel in ("join_first", "join_rest"):
            yield Kernel(DISTRIBUTED_COMPONENTS, "", f"{kernel}<{types.c_name(offset)}>")
    yield Kernel(PEER_STORES, "", "tell_all")
    for dtype in (UINT8, INT32, UINT64):
        for name in ("store_to_all", "take_from_all"):
            yield Kernel(PEER_STORES, "", f"{name}<{types.c_name(dtype)}>")


def _cut_rows() -> Iterator[Kernel]:
    """Panels, slices and ranks of columns for products in even shares; orders of edges."""
    for c in map(types.c_name, OFFSETS):
        for kernel in ("groups_of_edges", "slice_sizes"):
            yield Kernel(EDGE_ORDERS, "", f"{kernel}<{c}>")
        for dtype in (BOOL, FP32, FP64):
            yield Kernel(EDGE_ORDERS, "", f"interleave<{c}, {types.c_name(dtype)}>")
        for kernel in ("mark_rows", "mark_begins", "column_keys"):
            yield Kernel(ROW_STARTS, "", f"{kernel}<{c}>")
        for kernel in ("count_panels", "split_entries", "list_items"):
            yield Kernel(PARTITION, "", f"{kernel}<{c}>")
        for dtype in (INT8, INT16, FP32, FP64):
            yield Kernel(PARTITION, "", f"split_values<{c}, {types.c_name(dtype)}>")
            yield Kernel(SLICED_ELL, "", f"fill_slices<{c}, {types.c_name(dtype)}>")
        yield Kernel(SLICED_ELL, "", f"number_runs<{c}>")
        yield Kernel(SLICED_ELL, "", f"fill_slices<{c}, unsigned short>")
    yield Kernel(ROW_STARTS, "", "rank_columns")
    for kernel in ("count_lengths", "begin_slices"):
        yield Kernel(SLICED_ELL, "", kernel)


def _sorted_rows() -> Iterator[Kernel]:
    """Rows in other orders, renumbered vertices, and results in the numbers from before."""
    for kernel in ("keep_lower", "renumber", "restore<int, long long>"):
        yield Kernel(RELABEL, "", kernel)
    yield Kernel(PREDECESSOR_OUTPUT, "", "unpack_predecessors")
    for dtype in (INT32, UINT32, FP32):
        yield Kernel(
            PREDECESSOR_OUTPUT, "", f"restore_with_predecessors<{types.c_name(dtype)}, {WAYS_BACK}>"
        )
    for c in map(types.c_name, OFFSETS):
        for kernel in ("degree_keys", "row_lengths", "first_columns"):
            yield Kernel(RELABEL, "", f"{kernel}<{c}>")
        yield Kernel(SEGMENTED_SORT, "", f"list_long_rows<{c}>")
        for order in row_orders(c):
            yield from (Kernel(header, "", name) for header, name in of_row_order(order))
    for c in map(types.c_name, VALUES):
        yield Kernel(RELABEL, "", f"enter<{c}>")
        yield Kernel(RELABEL, "", f"restore<{c}, {c}>")
        yield Kernel(WEIGHT_ORDER, "", f"sample_values<{c}>")


def _counted_products() -> Iterator[Kernel]:
    """What products of matrices do without their algebra: count, list and place."""
    for c in map(types.c_name, OFFSETS):
        for group, slots in (("Warp", Slots.count_warp), ("Block", Slots.count_block)):
            yield Kernel(GUSTAVSON, "", f"count_row<{c}, {group}, {slots}>")
        yield Kernel(GUSTAVSON, "", f"row_products<{c}>")
        yield Kernel(GUSTAVSON, "", f"short_products<{c}>")
        for kernel in ("listed_lengths", "entry_products", "flip_excluded", "mark_products",
                       "place_bits"):  # fmt: skip
            yield Kernel(LONG_ROWS, "", f"{kernel}<{c}>")
        yield Kernel(ROW_BY_ROW, "", f"row_columns<{c}>")
        for dtype in (BOOL, FP32, FP64):
            yield Kernel(ROW_BY_ROW, "", f"append_row<{c}, {types.c_name(dtype)}>")
        yield Kernel(SHORT_ROWS, "", f"count_short_row<{c}, {WAYS}>")
        yield Kernel(RANKED_ROWS, "", f"count_ranked_row<{c}, {RANKED_WORDS}>")
        for lanes in WINDOW_LANES:
            yield Kernel(WINDOWED_ROWS, "", f"count_windowed_row<{c}, {lanes}>")
        for key in SORTED_KEYS:
            yield Kernel(SORTED_ROWS, "", f"count_sorted_row<{c}, {key}>")
        for kernel in ("masked_products", "masked_walks"):
            yield Kernel(MASKED_DOT, "", f"{kernel}<{c}>")
        yield Kernel(PRODUCT_TILES, "", f"masked_tiles<{c}>")
    for kernel in ("count_groups", "count_columns_of"):
        yield Kernel(LONG_ROWS, "", kernel)
    for sizes, offset in product((INT32, UINT64), OFFSETS):
        name = f"classify<{types.c_name(sizes)}, {types.c_name(offset)}>"
        yield Kernel(GUSTAVSON, "", name)


def _entries() -> Iterator[Kernel]:
    """Entries that are marked, moved, mapped and transposed, and the rows that are taken."""
    for offset in OFFSETS:
        c = types.c_name(offset)
        for kernel in ("count_marked", "rows_of_entries", "count_columns"):
            yield Kernel(ENTRIES, "", f"{kernel}<{c}>")
        for dtype in (BOOL, INT16, FP32, FP64):
            yield Kernel(ENTRIES, "", f"move_transposed<{c}, {types.c_name(dtype)}>")
        for left in (True, False):
            algebra = lower.scaling_struct(SEMIRINGS["min_plus"], FP32, FP32, offset, left)
            for kernel in ("mark_entries", "move_entries", "map_entries"):
                yield Kernel(ENTRIES, algebra, f"{kernel}<Entry>")
        yield Kernel(INDEXED, algebra, "take_rows<Entry>")
        for compare in (None, SEMIRINGS["any_eq"]):
            algebra = lower.ends_struct(compare, FP32, INT64, offset)
            for kernel in ("mark_entries", "move_entries"):
                yield Kernel(ENTRIES, algebra, f"{kernel}<Entry>")
            yield Kernel(INDEXED, algebra, "take_rows<Entry>")


def _merged_entries() -> Iterator[Kernel]:
    """Element-wise operations of matrices, along merge paths."""
    yield Kernel(EWISE_MATRIX, "", "widen")
    for c in map(types.c_name, OFFSETS):
        yield Kernel(MERGE_PATH, "", f"cut_tiles<{c}>")
        for dtype in (BOOL, FP64):
            yield Kernel(EWISE_MATRIX, "", f"entry_truth<{c}, {types.c_name(dtype)}>")
        for dtype in (BOOL, INT64, FP32):
            z = types.c_name(dtype)
            algebra = lower.ewise_struct(BINARY["max"], dtype, dtype)
            algebra += lower.accum_struct(BINARY["plus"], dtype, dtype)
            merges = *(f"{kind}<Op, {z}, {c}>" for kind in MERGES), f"WriteBack<Accum, {z}, {c}>"
            for merge in merges:
                yield Kernel(EWISE_MATRIX, algebra, f"merge_tiles<{merge}, {STEPS}>")
                yield Kernel(EWISE_MATRIX, algebra, f"meet_entries<{merge}>")


def _indexed() -> Iterator[Kernel]:
    """Parts of matrices, tiles, and Kronecker products."""
    for kernel in ("count_bits", "locate", "number_entries"):
        yield Kernel(INDEXED, "", kernel)
    for c in map(types.c_name, OFFSETS):
        for kernel in ("lengths_of_rows", "vector_of_lengths"):
            yield Kernel(INDEXED, "", f"{kernel}<{c}>")
    for offset, out in ((INT32, INT32), (INT32, INT64), (INT64, INT64)):
        from_, to = types.c_name(offset), types.c_name(out)
        for dtype in (BOOL, FP32, FP64):
            z = types.c_name(dtype)
            op = lower.ewise_struct(BINARY["times"], dtype, dtype)
            yield Kernel(INDEXED, op, f"kronecker<Op, {from_}, {to}>")
            yield Kernel(INDEXED, "", f"gather_rows<{to}, {from_}, {z}>")
            yield Kernel(INDEXED, "", f"place_tile<{from_}, {z}, double>")
            for kernel in ("lay_out", "row_to_vector", "line_to_vector"):
                yield Kernel(INDEXED, "", f"{kernel}<{from_}, {z}>")
        for kernel in ("gather_degrees", "add_degrees", "repeat_columns"):
            yield Kernel(INDEXED, "", f"{kernel}<{from_}>")
    for dtype in (INT8, INT64, UINT64):
        yield Kernel(INDEXED, "", f"choose<{types.c_name(dtype)}>")


def _coordinates() -> Iterator[Kernel]:
    """Matrices made of coordinates."""
    for kernel in ("mark_new", "pack_pairs<long long, int>", "pack_pairs<unsigned, unsigned char>"):
        yield Kernel(COORDINATES, "", kernel)
    for op, dtype in ((None, INT32), (BINARY["plus"], FP32), (BINARY["min"], INT8)):
        yield Kernel(COORDINATES, lower.accum_struct(op, dtype, dtype), "fold_pairs<Accum>")
    for c in map(types.c_name, OFFSETS):
        for kernel in (f"begin_kept_rows<{c}>", f"begin_few_rows<{c}>"):
            yield Kernel(COORDINATES, "", kernel)


def _ids() -> Iterator[Kernel]:
    """Lists of the rows and columns in use."""
    for kernel in ("merge_ids", "rank_ids", "mark_columns", "split_pairs"):
        yield Kernel(IDS, "", kernel)
    for c in map(types.c_name, OFFSETS):
        for kernel in (f"keep_ids<{c}>", f"rename<{c}>", f"mark_rows<{c}>"):
            yield Kernel(IDS, "", kernel)
    for t in map(types.c_name, VALUES):
        yield Kernel(IDS, "", f"spread<{t}>")
    for t in map(types.c_name, (INT32, INT64)):
        yield Kernel(IDS, "", f"ids_of_entries<{t}>")


def _exchange() -> Iterator[Kernel]:
    """What comes from other libraries and goes to them."""
    for c in map(types.c_name, OFFSETS):
        for index in (INT32, INT64, UINT32, UINT64):
            yield Kernel(EXCHANGE, "", f"check_rows<{c}, {types.c_name(index)}>")
        yield Kernel(EXCHANGE, "", f"find_entry<{c}>")
    for t in map(types.c_name, VALUES):
        for kernel in (f"convert<{t}, int>", f"convert<int, {t}>", f"find_present<{t}>",
                       f"fill_gaps<{t}, double>", f"pick<{t}, int>",
                       f"pick<{t}, long long>"):  # fmt: skip
            yield Kernel(EXCHANGE, "", kernel)
    for kernel in ("pick<int, long long>", "split_rows", "list_ancestors"):
        yield Kernel(EXCHANGE, "", kernel)


def _generate() -> Iterator[Kernel]:
    """Edges of Kronecker graphs, and the rows made of them."""
    for kernel in ("random_numbers", "name_vertices", "draw_edges", "count_ends"):
        yield Kernel(KRONECKER_EDGES, "", kernel)
    for kernel in ("order_ends", "keep_new"):
        yield Kernel(EDGES_TO_ROWS, "", kernel)
    for c in map(types.c_name, OFFSETS):
        for kernel in (f"begin_rows<{c}>", f"place_columns<{c}>"):
            yield Kernel(EDGES_TO_ROWS, "", kernel)
        for weights in ("Ones", "Uniform", "Integer"):
            yield Kernel(EDGES_TO_ROWS, "", f"account<{weights}, {c}>")
            if weights != "Ones":
                yield Kernel(EDGES_TO_ROWS, "", f"place_weights<{weights}, {c}>")


def _greedy() -> Iterator[Kernel]:
    """Independent sets and colourings in the order of ranks, stored or drawn."""
    shuffled, numbers = fused_codegen.shuffle().text
    for c in map(types.c_name, OFFSETS):
        yield Kernel(GREEDY_MIS, "", f"greedy_mis<{c}, {STORED_RANKS}>")
        yield Kernel(GREEDY_MIS, shuffled, f"greedy_mis<{c}, Formula{numbers}>")
        yield Kernel(GREEDY_COLORING, "", f"line_up<{c}, {STORED_RANKS}>")
        yield Kernel(GREEDY_COLORING, shuffled, f"line_up<{c}, Formula{numbers}>")
        yield Kernel(GREEDY_COLORING, "", f"color_in_order<{c}, {WORDS}>")
        yield Kernel(GREEDY_COLORING, "", f"color_short_rows<{c}>")
    yield Kernel(GREEDY_COLORING, "", "list_in_order")


def _components() -> Iterator[Kernel]:
    """Components and spanning trees."""
    for c in map(types.c_name, OFFSETS):
        yield Kernel(SCC_COLORING, "", f"scc_coloring<{c}>")
        yield Kernel(COMPONENT_LABELS, "", f"component_labels<{c}>")
        for dtype in (BOOL, UINT8, INT16, UINT32, INT64, UINT64, FP32, FP64):
            for kernel in ("boruvka", "list_edges"):
                yield Kernel(BORUVKA, "", f"{kernel}<{c}, {types.c_name(dtype)}>")
        for dtype in (UINT8, INT32, UINT32, FP32, FP64, INT64, UINT64):
            a = types.c_name(dtype)
            yield Kernel(MIN_EDGE, "", f"find_min_edges<{c}, {a}>")
            for stored in (f"Pairs<{a}>", f"Apart<{a}, true>"):
                yield Kernel(MIN_EDGE, "", f"first_min_edges<{c}, {a}, {stored}>")


def _subgraphs() -> Iterator[Kernel]:
    """Cores, trusses, triangles and longest paths."""
    for c in map(types.c_name, OFFSETS):
        yield Kernel(PEEL, "", f"peel<{c}>")
        for kinds in ("int, int", "signed char, long long", "float, float", "double, double"):
            yield Kernel(LONGEST_PATHS, "", f"longest_paths<{c}, {kinds}>")
        for kernel in (
            "mark_leading", "edge_supports", "queue_weak", "mark_gone", "remove_edges",
            "small_truss_rounds", "mark_strong",
        ):  # fmt: skip
            yield Kernel(TRUSS, "", f"{kernel}<{c}>")
        for group in ("Block", "Warp"):
            yield Kernel(CLOSED_WEDGES, "", f"closed_wedges<{c}, {group}, {Tables.words}>")
        yield Kernel(SHORT_ROW_TRIANGLES, "", f"short_row_triangles<{c}, {SIDE}, {FILTER_WORDS}>")
        yield Kernel(SAMPLED_ENTRIES, "", f"sample_entries<{c}>")
        yield Kernel(ROW_FINGERPRINTS, "", f"row_fingerprints<{c}>")
        name = f"fingerprint_triangles<{c}, {MARKED_ROWS}>"
        yield Kernel(FINGERPRINT_TRIANGLES, "", name)


def _ranks() -> Iterator[Kernel]:
    """Betweenness, PageRank, and what Louvain's method does without votes."""
    for c, width in product(map(types.c_name, OFFSETS), (WIDTHS[0], WIDTHS[-1])):
        for level in ("unsigned char", "int"):
            yield Kernel(FORTH, "", f"brandes_forth<{c}, {width}, {level}>")
            yield Kernel(BACK, "", f"brandes_back<{c}, {width}, {level}>")
    plus = lower.monoid_struct(MONOIDS["plus"], FP64)
    for rank in ("float", "double"):
        yield Kernel(PAGERANK_ROUND, plus, f"share_remainder<Monoid, {rank}>")
        for kind, even in product(("bool, false", "float, true", "double, true"), FLAGS):
            yield Kernel(PAGERANK_ROUNDS, "", f"pagerank_rounds<{kind}, {rank}, {even}>")
    for kind, even in product(("bool, false", "int, true", "double, true"), FLAGS):
        for kernel in ("katz", "hits"):
            yield Kernel(POWER_ROUNDS, "", f"{kernel}_rounds<{kind}, {even}>")
        for steps in FLAGS:
            yield Kernel(POWER_ROUNDS, "", f"eigenvector_rounds<{kind}, {steps}, {even}>")
    for kernel in ("narrow_labels", "turns_of_ranks"):
        yield Kernel(MODULARITY_GAIN, "", kernel)
    for c in map(types.c_name, OFFSETS):
        for z in ("double", "float", "long long"):
            yield Kernel(MODULARITY_GAIN, "", narrowing(c, z))


def _packed() -> Iterator[Kernel]:
    """Packed rows, and the rows of Kronecker graphs that are made range by range."""
    yield Kernel("matrix/check_packed.cuh", "", "check_parts")
    for offset, dtype in product((INT32, INT64), (BOOL, INT32, FP64)):
        kinds = f"{types.c_name(offset)}, {types.c_name(dtype)}"
        for kernel in ("mirror_packed", "mirror_rows"):
            yield Kernel("matrix/mirror_sums.cuh", "", f"{kernel}<{kinds}>")
    for name, u, a in (
        ("any_secondi", INT32, INT32), ("any_secondi", INT64, INT32), ("any_pair", BOOL, INT32),
        ("any_first", INT64, BOOL), ("any_second", FP64, FP64),
    ):  # fmt: skip
        algebra = lower.semiring_struct(SEMIRINGS[name], u, a, INT64, True)
        yield Kernel(PACKED_SEARCH, algebra, "packed_search<Semiring>")
    for name, u, a in (
        ("plus_first", FP64, INT32), ("min_first", INT32, INT32), ("any_pair", BOOL, INT32),
        ("plus_times", FP32, FP32), ("max_second", UINT8, INT8),
    ):  # fmt: skip
        for left in (True, False):
            algebra = lower.semiring_struct(SEMIRINGS[name], u, a, INT64, left)
            for values in (
                "OneForAll<Semiring::A>", "PackedWeights<Semiring::A, long long, unsigned char>",
                "PackedWeights<Semiring::A, int, Semiring::A>",
            ):  # fmt: skip
                yield Kernel(PACKED_PULL, algebra, f"packed_pull<Semiring, {values}>")
                for group in ("Warp", "Block"):
                    long_rows = f"packed_pull_long<Semiring, {values}, {group}>"
                    yield Kernel(PACKED_PULL, algebra, long_rows)
    for u, a, stored, offset in (
        (INT64, INT64, UINT8, INT64), (FP32, FP32, FP32, INT32), (FP64, FP64, types.UINT16, INT64),
        (INT32, INT32, INT32, INT32),
    ):  # fmt: skip
        c = f"{types.c_name(offset)}, {types.c_name(stored)}"
        algebra = lower.semiring_struct(SEMIRINGS["min_plus"], u, a, offset, True)
        yield Kernel(PACKED_DELTA, algebra, f"packed_delta<Semiring, {c}, false, Part::all>")
        values = f"{types.c_name(offset)}, {types.c_name(a)}"
        for light in ("count_light", "packed_lightest"):
            yield Kernel(PACKED_LIGHT, "", f"{light}<{c}>")
        yield Kernel(PACKED_LIGHT, "", f"take_light<{c}, {values}>")
        kinds = f"{c}, {'true' if u.itemsize == 4 else 'false'}"
        yield Kernel(PULL_UNSETTLED, algebra, f"pull_unsettled<Semiring, {kinds}>")
        probed = f"{types.c_name(stored)}, {'true' if u.itemsize == 4 else 'false'}"
        yield Kernel(PROBE_UNSETTLED, algebra, f"probe_unsettled<Semiring, {probed}>")
        for part in ("begin", "finish"):
            yield Kernel(PACKED_DELTA, algebra, f"packed_delta<Semiring, {kinds}, Part::{part}>")
        order, tails = SEMIRINGS["min_plus"], SEMIRINGS["any_secondi"]
        tight = lower.tight_struct(order, u, tails, INT64, a, offset)
        yield Kernel(PACKED_DELTA, tight, f"packed_tight<Semiring, {c}>")
    for offset in (INT32, INT64):
        for kind in ("Integer, {}, unsigned char", "Uniform, {}, float"):
            drawn = kind.format(types.c_name(offset))
            yield Kernel(EDGE_WEIGHTS, "", f"weigh_packed<{drawn}>")
        yield Kernel(EDGE_WEIGHTS, "", f"weigh_rows<Integer, {types.c_name(offset)}>")
    for dtype in (INT32, INT64, UINT32):
        c = types.c_name(dtype)
        yield Kernel(PACKED_PULL, "", f"count_missing<{c}>")
        for values in ("OneForAll<float>", "PackedWeights<float, long long, unsigned char>"):
            yield Kernel(PACKED_PULL, "", f"tree_edge_values<{c}, {values}, float>")
    for offset in (INT32, INT64):
        c = types.c_name(offset)
        for kernel in ("take_first", "measure_short", "pack_short", "count_segments",
                       "measure_segments", "pack_segments", "count_long", "packed_lengths",
                       "unpack"):  # fmt: skip
            yield Kernel(PACK_ROWS, "", f"{kernel}<{c}>")
        yield Kernel(PACKED_ACCOUNT, "", f"missing_plain<{c}>")
    for number in ("int", "long long", "unsigned", "unsigned long long"):
        yield Kernel(PACK_ROWS, "", f"copy_raised<{number}, {number}>")
    for numbers in ("long long, int", "double, unsigned short", "unsigned char, long long"):
        yield Kernel(PACK_ROWS, "", f"copy_raised<{numbers}>")
    for kernel in ("check_parts", "count_wrong"):
        yield Kernel(CHECK_PACKED, "", kernel)
    for kinds in ("int, unsigned char", "long long, double", "int, bool", "long long, short"):
        for kernel in ("mirror_rows", "mirror_packed"):
            yield Kernel(MIRROR_SUMS, "", f"{kernel}<{kinds}>")
    for kernel in ("start_packed", "flatten_packed", "largest_tree", "mark_outside",
                   "join_outside", "label_trees"):  # fmt: skip
        yield Kernel(PACKED_COMPONENTS, "", kernel)
    for kernel in ("drawn_keys", "count_above", "take_order", "take_places",
                   "begin_least", "least_neighbours", "take_least", "tie_keys", "take_ties",
                   "place_kept", "cut_rows",
                   "pick_begins", "class_bounds", "keep_columns"):  # fmt: skip
        yield Kernel(EDGE_RANGES, "", kernel)
    for tile in end_buckets.TILES:
        yield Kernel(end_buckets.END_BUCKETS, "", f"bucket_ends<{', '.join(map(str, tile))}>")
    yield Kernel(end_buckets.END_BUCKETS, "", "count_bucket")
    for kernel in ("bucket_rows", "begin_parts"):
        yield Kernel(row_buckets.ROW_BUCKETS, "", kernel)
    for partition in row_buckets.TAKES:
        shape = ", ".join(map(str, partition))
        for kind in ("AllRows", "PartOfRows"):
            yield Kernel(row_buckets.ROW_BUCKETS, "", f"take_sections<{kind}, {shape}>")
    for partition in row_buckets.SPLITS:
        shape = ", ".join(map(str, partition))
        yield Kernel(row_buckets.ROW_BUCKETS, "", f"split_sections<{shape}>")
    yield Kernel(row_buckets.BUCKET_SORT, "", "column_knots")
    for way in {way[2:] for way in row_buckets.WAYS}:
        for c in ("int", "long long"):
            name = f"sort_buckets<{c}, {', '.join(map(str, way))}>"
            yield Kernel(row_buckets.BUCKET_SORT, "", name)
    yield Kernel(PACKED_ACCOUNT, "", "missing_edges")


def row_orders(offset: str) -> Iterator[str]:
    """What rows are put in order by, with values of each size."""
    for dtype in (BOOL, INT16, FP32, FP64):
        yield f"ByColumn<{offset}, {types.c_name(dtype)}>"
    for dtype in (UINT8, FP32, FP64, UINT64):
        for last in ("false", "true") if dtype.itemsize > 4 else ("true",):
            yield f"ByWeight<{offset}, {types.c_name(dtype)}, {last}>"


def reduce_stored(dtype: np.dtype) -> str:
    return f"reduce<Monoid, StoredValues, const Word*, const {types.c_name(dtype)}*, int>"


def formula(dtype: np.dtype) -> fused_codegen.Form:
    """About the longest there is, of a kind: |accumulated ∪ what a reduction found| over products
    of vectors."""
    x, one = fused_codegen.vector(dtype), BINARY["first"]
    for how in ("mult", "add", "union", "mult", "add"):
        x = fused_codegen.joined(how, BINARY["max"], x, fused_codegen.vector(dtype))
        x = fused_codegen.applied(one, x, dtype, False, dtype)
    return fused_codegen.cast(
        fused_codegen.accumulated(BINARY["min"], fused_codegen.answer(FP64), x), dtype
    )


def _ordered() -> Iterator[Kernel]:
    """Closures by order of value, and what is carried along their tight edges."""
    rings = [(SEMIRINGS[name], u, a, offset) for name, u, a, offset in ORDERED]
    for ring, u, a, offset in [*rings, (ONE_MORE, INT32, FP64, INT32)]:
        algebra = lower.semiring_struct(ring, u, a, offset, True)
        yield Kernel(DELTA_STEPPING, algebra, "delta_stepping<Semiring>")
        kinds = ["Bare<{}>", *([f"Valued<{{}}, {types.c_name(a)}>"] if ring.reads_right else [])]
        for slots, kind in product(SLOTS, kinds):
            row = kind.format(slots)
            for each in (f"Short<{row}>", row):
                in_copies = ring is ONE_MORE or (ring.name, u) == ("min_plus", FP64)
                for many in ("", ", true")[: 1 + in_copies]:
                    yield Kernel(BLOCK_ASYNC, algebra, f"block_async<Semiring, {each}{many}>")
            name = f"pad_rows<{row}, {types.c_name(offset)}, {types.c_name(a)}>"
            yield Kernel(PADDED_ROWS, "", name)
        storages = (f"Pairs<{types.c_name(a)}>", f"Apart<{types.c_name(a)}, false>",
                    f"Apart<{types.c_name(a)}, true>")  # fmt: skip
        for stored in storages if ring.reads_right else storages[1:2]:
            yield Kernel(RESIDENT_ORDER, algebra, f"resident_order<Semiring, {stored}>")
        if (ring.name, u) in SETTLED:
            for stored in storages:
                for traced in ("false", "true")[
                    : 1 + (ring.name == "min_plus" and u.itemsize == 4)
                ]:
                    kinds = f"Semiring, {stored}, {traced}"
                    yield Kernel(HUB_FIRST, algebra, f"hub_first<{kinds}>")
                    if stored is storages[0]:
                        yield Kernel(HUB_FIRST, algebra, f"hub_first<{kinds}, true>")
                    for first in ("true", "false"):
                        name = f"bottom_up_round<{kinds}, {first}>"
                        yield Kernel(BOTTOM_UP_ROUND, algebra, name)
        carried = SEMIRINGS["any_secondi"]
        algebra = lower.tight_struct(ring, u, carried, INT64, a, offset)
        for kernel in (*PULL, "pull_long<Semiring>"):
            yield Kernel(PULL_CUH, algebra, kernel)
        if ring is ONE_MORE:
            yield Kernel(COPY_ROWS, algebra, "follow_tight<Semiring>")
        for rows in ("ThreadPerRow", "WarpPerRow"):
            yield Kernel(TIGHT_EDGES, algebra, f"pull_tight<Semiring, {rows}>")
        for stored in (storages[0], storages[2]):
            yield Kernel(TIGHT_EDGES, algebra, f"seek_tight<Semiring, {stored}>")

    for dtype in (BOOL, INT32, INT64, FP64):
        for kernel in ("lay_out_copies", "set_starts"):
            yield Kernel(COPY_ROWS, "", f"{kernel}<{types.c_name(dtype)}>")
    for offset in (INT32, INT64):
        yield Kernel(COPY_ROWS, "", f"row_offsets<{types.c_name(offset)}>")


def _many() -> Iterator[Kernel]:
    """Searches from many sources at once."""
    for dtype, offset in ((FP32, INT32), (INT32, INT32), (FP64, INT64), (INT64, INT32)):
        algebra = lower.semiring_struct(SEMIRINGS["min_plus"], dtype, dtype, offset, True)
        for row in (f"Bare<{BLOCK_SLOTS}>", f"Valued<{BLOCK_SLOTS}, {types.c_name(dtype)}>"):
            yield Kernel(BLOCK_SSSP, algebra, f"block_sssp<Semiring, {row}>")
        yield Kernel(WARP_DIJKSTRA, algebra, "warp_dijkstra<Semiring>")
    for out in ("float", "double"):
        for kernel in ("bit_sliced_rows", "bit_sliced_pairs"):
            yield Kernel(BIT_SLICED_LEVELS, "", f"{kernel}<{out}>")
    yield Kernel(BIT_SLICED_LEVELS, "", "count_sources")
    for dtype, out in product((FP32, INT32, FP64, INT64), (FP32, FP64)):
        for kernel in ("lay_out_rows", "copy_rows", "pick_pairs"):
            name = f"{kernel}<{types.c_name(dtype)}, {types.c_name(out)}>"
            yield Kernel(DISTANCE_OUTPUT, "", name)
    yield Kernel(DISTANCE_OUTPUT, "", f"sum_rows<{SUMMED}>")
    for offset, dtype in product((INT32, INT64), repeat=2):
        for across in (1, LANE_BYTES // dtype.itemsize):
            kind = f"{types.c_name(offset)}, {types.c_name(dtype)}, {across}"
            yield Kernel(CONTRACTION_SWEEPS, "", f"contraction_sweep<{kind}>")
    for shape, offset in product(SHAPES, (INT32, INT64)):
        room = f"{types.c_name(offset)}, {shape.words}, {shape.threads}"
        for sink in ("BitSlicedLevels", "DistanceSums"):
            yield Kernel(MS_BFS, "", f"ms_bfs<{room}, {sink}>")


def _communities() -> Iterator[Kernel]:
    """Choices of labels, quotients, and the rows of Louvain's levels."""
    for name in ("mark_labels", "mark_dense"):
        yield Kernel(COARSE_ROWS, "", name)
    for c in map(types.c_name, (INT32, INT64)):
        yield Kernel(MODULARITY_GAIN, "", next_turn(c))
        for name in OF_ROWS:
            yield Kernel(COARSE_ROWS, "", f"{name}<{c}>")
        for name, z in product(OF_VALUES, ("double", "unsigned int")):
            yield Kernel(COARSE_ROWS, "", f"{name}<{c}, {z}>")
        for pair in COARSE_TYPES:
            yield Kernel(COARSE_ROWS, "", merging(c, *pair))
    for c, votes in product(map(types.c_name, (INT32, INT64)), range(3)):
        yield Kernel(WHOLE_SWEEP, "", of_sweeps(c, "double", votes))
        if votes:
            for name in counting_kernels(c, "double", votes):
                yield Kernel(COUNTED_ROWS, "", name)
    for name in ("number_labels", "name_labels"):
        yield Kernel(COUNTED_ROWS, "", f"{name}<double>")
    for offset, dtype in product((INT32, INT64), (INT64, FP64)):
        c, z = types.c_name(offset), types.c_name(dtype)
        yield Kernel(ROW_BINS, "", f"list_rows<{c}>")
        kinds = [(False, 0), (False, 1)] + [(True, votes) for votes in range(3) if dtype == FP64]
        for moves, votes in kinds:
            for name in of_choices(c, z, moves, votes):
                yield Kernel(LABEL_ARGMAX, "", name)
        yield Kernel(QUOTIENT, "", f"clear_pairs<{z}>")
        for half in ("true", "false"):
            for name in (
                f"add_pairs<{c}, {z}, {half}>", f"list_pairs<{z}, {half}>",
                f"lay_out_pairs<{c}, {z}, {half}>",
            ):  # fmt: skip
                yield Kernel(QUOTIENT, "", name)


def _matrix_products(name: str, a: Any, b: Any, offset: Any) -> Iterator[Kernel]:
    semiring = SEMIRINGS[name]
    algebra = lower.product_struct(semiring, a, b, offset)
    for kernel in DOT:
        yield Kernel(MASKED_DOT, algebra, kernel)
    for group in ("Warp", "Block"):
        yield Kernel(
            MASKED_GUSTAVSON, algebra, f"masked_gustavson<Semiring, {group}, {Tables.slots}>"
        )
    block = Slots.block if semiring.output(a, b).itemsize <= 4 else Slots.block_wide
    for group, slots in (("Warp", Slots.warp), ("Block", block)):
        yield Kernel(GUSTAVSON, algebra, f"multiply_row<Semiring, {group}, {slots}>")
    yield Kernel(LONG_ROWS, algebra, "fold_products<Semiring>")
    size = semiring.output(a, b).itemsize
    yield Kernel(
        SHORT_ROWS, algebra, f"multiply_short_row<Semiring, {WAYS}, {STAGED[max(4, size)]}>"
    )
    for lanes in WINDOW_LANES:
        yield Kernel(WINDOWED_ROWS, algebra, f"multiply_windowed_row<Semiring, {lanes}>")
    if not semiring.monoid.is_any:
        ranked = f"multiply_ranked_row<Semiring, {RANKED_WORDS}, {RANKED_BYTES // size}>"
        yield Kernel(RANKED_ROWS, algebra, ranked)
    for key in SORTED_KEYS:
        yield Kernel(SORTED_ROWS, algebra, f"multiply_sorted_row<Semiring, {key}>")


def units(kernels: Iterable[Kernel]) -> Iterator[Unit]:
    """Translation units of many kernels each, which compile up to three times as fast as single
    ones. The structs of each algebra are in a namespace, called after its label or a digest."""
    rows = sorted(set(kernels))
    for header, alike in groupby(rows, lambda kernel: kernel.header):
        while part := tuple(islice(alike, TOGETHER)):
            text, names = {"": module.unit(header, "")}, []
            for _, algebra, name, label in part:
                if algebra:
                    space = label or f"a{hashlib.sha256(algebra.encode()).hexdigest()[:8]}"
                    text[space] = f"namespace {space} {{\n{algebra}}}\n"
                    name = STRUCTS.sub(rf"{space}::\1", name)
                names.append(name)
            yield "".join(text.values()), tuple(names)


def spread(
    kernels: Iterable[Kernel], over: Sequence[int], always: int | None = None
) -> dict[tuple[int, ...], list[Kernel]]:
    """Which kernels to compile for which architectures: each form for all of them, its variants in
    turns; of more variants than architectures as many, evenly spread. With an architecture that is
    ``always`` meant, the forms of one kernel share out the other ones, unless they are fewer.

    >>> some = [Kernel("a.cuh", "", f"k<{t}>") for t in ("char", "float", "int")]
    >>> for architectures, part in spread(some, (75, 80, 90, 120)).items():
    ...     print(architectures, [kernel.name for kernel in part])
    (75, 120) ['k<char>']
    (80,) ['k<float>']
    (90,) ['k<int>']
    >>> some = [Kernel("a.cuh", "//", f"k<Semiring, {n}>") for n in (1, 2, 3)]
    >>> for architectures, part in spread(some, (75, 90, 120), always=90).items():
    ...     print(architectures, [kernel.name for kernel in part])
    (90, 75) ['k<Semiring, 1>', 'k<Semiring, 3>']
    (90, 120) ['k<Semiring, 2>']
    """
    found: dict[tuple[int, ...], list[Kernel]] = {}
    rows = sorted(set(kernels), key=lambda kernel: (kernel.form, kernel))
    forms = [list(alike) for _, alike in groupby(rows, lambda kernel: kernel.form)]
    others = [architecture for architecture in over if architecture != always]
    for _, of_one in groupby(forms, lambda variants: variants[0].form.partition("<")[0]):
        some = list(of_one)
        for k, variants in enumerate(some):
            wanted = tuple(over)
            if always is not None and len(some) >= len(others):
                wanted = always, others[k % len(others)]
            turns = min(len(variants), len(wanted))
            for turn in range(turns):
                kernel = variants[turn * len(variants) // turns]
                found.setdefault(wanted[turn::turns], []).append(kernel)
    return found


def every_algebra(whole: bool = True) -> Iterator[Kernel]:
    """Each operator and semiring for each type it takes. If not the ``whole``, then only for types
    in ``KINDS``: operators for two of them in turn, and semirings for all, but only those with a
    monoid or a ⊗ that none before had with that type."""
    turn = count()

    def some(domain: Iterable[np.dtype]) -> list[np.dtype]:
        return [dtype for dtype in domain if whole or dtype in KINDS]

    def two(domain: Iterable[np.dtype]) -> list[np.dtype]:
        of_kinds, k = some(domain) or list(domain)[:2], next(turn)  # none: complex numbers alone
        if whole or len(of_kinds) < 3:
            return of_kinds
        return [of_kinds[(k + half) % len(of_kinds)] for half in (0, len(of_kinds) // 2)]

    seen: set[tuple[object, np.dtype]] = set()
    for name, semiring in SEMIRINGS.items():
        kernel = PUSH[0] if name.startswith("any_") else PULL[0]
        for dtype in some(semiring.domain):
            has = {(semiring.monoid, dtype), (semiring.multiply, dtype)}
            if whole or not has <= seen:
                algebra = lower.semiring_struct(semiring, dtype, dtype, INT32, True)
                yield Kernel(header(kernel), algebra, kernel, label(semiring, dtype))
            seen |= has
    for monoid in MONOIDS.values():
        for dtype in some(monoid.domain):
            if monoid.output(dtype) == dtype:
                algebra = lower.monoid_struct(monoid, dtype)
                yield Kernel(REDUCE, algebra, reduce_stored(dtype), label(monoid, dtype))
    for unary in UNARY.values():
        for dtype in two(unary.domain):
            algebra = lower.apply_struct(unary, dtype, dtype, False)
            yield _elementwise("Apply", algebra, unary.output(dtype), label(unary, dtype))
    for binary in BINARY.values():
        for dtype in two(binary.domain):
            algebra = lower.ewise_struct(binary, dtype, dtype)
            result = binary.unified(dtype, dtype)
            yield _elementwise("EwiseMult", algebra, result, label(binary, dtype))
    for select in INDEXUNARY.values():
        if select.result == "bool":
            for dtype in two(select.domain):
                algebra = lower.select_struct(select, dtype, select.thunk or dtype)
                yield _elementwise("Select", algebra, dtype, label(select, dtype))


def label(op: Any, dtype: np.dtype) -> str:
    return f"{op.name}_{types.name(dtype)}"


def _elementwise(source: str, algebra: str, result: np.dtype, label: str) -> Kernel:
    accum = lower.accum_struct(None, result, result)
    return Kernel(ELEMENTWISE, algebra + accum, f"elementwise<{source}<Op>, Op, Accum>", label)
