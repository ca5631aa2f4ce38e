# ruff: noqa: E501  (mutants of one line)
"""Packed rows and what runs over them, and rows of Kronecker graphs made range by range, broken in
the lines that matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.tree_edges import tree_edge_values
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.convert.mirrored import mirrored
from lagraph_gpu.convert.packed_arrays import (
    QUARTER,
    SEGMENT_ENTRIES,
    SLACK,
    UNIT,
    PackedArrays,
    check_packed,
    rows_of_packed,
    segment_blocks,
    short_blocks,
)
from lagraph_gpu.errors import InvalidValue, TooLarge, VerificationError
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_draw import UNIFORM
from lagraph_gpu.generate.kronecker_rows import DrawnRows, PartOfRows, drawn_rows
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.closure import packed_search
from lagraph_gpu.gpu.closure.packed_search import PackedSearches
from lagraph_gpu.gpu.device.module import unit
from lagraph_gpu.gpu.generate import end_buckets, kronecker_rows
from lagraph_gpu.gpu.generate.end_buckets import EndBuckets, Tile
from lagraph_gpu.gpu.generate.kronecker_edges import DeviceDrawing
from lagraph_gpu.gpu.generate.row_buckets import RowBuckets, Way
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.gpu.storage.packed_rows import NOTHING_SPILLED, PACK_ROWS, PackedRows, Packer
from lagraph_gpu.notation.mirror_sums import mirror_sums
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules
from semirings import SEMIRINGS, any_pair, any_secondi, min_first
from tests.harness import CPU
from tests.simt.exercises import SEEDS, emulated, gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite

N, LAST = 2330, 2300
"""Vertices, and those that may have edges."""
ROWS = [2200, *[131] * 31, 129, 128, 66, 65, 64, 34, 33, 32, 31, 20, 10, 9, 8]
"""Edges of the first vertices: a hub of two segments, 31 rows that are just long, and short rows
around every bound."""


def edges(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    i, own = np.repeat(np.arange(len(ROWS)), ROWS), np.arange(len(ROWS), LAST)
    j = np.concatenate([rng.choice(own, d, replace=False) for d in ROWS])
    near = rng.integers(len(ROWS), LAST, (2, 100))
    alone = np.array([LAST - 2, LAST - 1])  # a component of two, if the hub misses both
    u, v = np.r_[i, near[0], alone[:1]], np.r_[j, near[1], alone[1:]]
    return u[u != v], v[u != v]


def graph(seed: int, backend: GpuBackend) -> lg.Graph:
    return lg.Graph.from_edges(*edges(seed), n=N, directed=False, dup="first", backend=backend)


def same(A: lg.Matrix, B: lg.Matrix) -> None:
    for mine, theirs in zip(A.to_csr(), B.to_csr(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def packs() -> None:
    """Rows there and back, with offsets of both widths."""
    for seed in SEEDS[:2]:
        with offsets_of_64_bits(seed == 0):
            G = graph(seed, gpu(seed))
            K = G.relabel("degree", layout="packed")
            rows, H = K.A._store.packed, G.relabel("degree")
            assert (
                K.A._store.stays_packed
                and rows.n_long == 32
                and rows.n_segments == 33
                and rows.n <= LAST
            )
            same(K.A, H.A)
            assert not K.A._store.stays_packed


def grows() -> None:
    """Rows packed range by range, into memory that is too short for them."""
    backend = gpu(0)
    A = graph(1, backend).relabel("degree").A._store
    whole = backend.packing.packed(A)
    packer = Packer(backend, kronecker_rows.Lengths.of(whole.n, whole.n_long, 3))
    indptr = backend.device.download(A.indptr)
    for begin, end in ((0, 7), (7, 32), (32, 64), (64, 640), (640, whole.n)):
        first = int(indptr[begin])
        packer.append(begin, end, A.indptr[begin:], first, A.indices[first:])
    rows = packer.finished(A.values)
    assert rows.words == whole.words and rows.n_segments == whole.n_segments
    for mine, theirs in zip(rows.given[2:8], whole.given[2:8], strict=True):
        mine, theirs = (
            backend.device.download(x[: min(mine.size, theirs.size)]) for x in (mine, theirs)
        )
        np.testing.assert_array_equal(mine, theirs)


def searches(direction: str | None = None) -> None:
    """With few warps, in pulls with so few that each takes several turns; or, in pushes, with so many that
    a segment is shared by some of them."""
    backend = emulated(1, blocks={"push": 8, "pull": 1}.get(direction or "", 3), blocking=True)
    G = graph(1, backend)
    H, P = G.relabel("degree"), G.prepared(layout="packed")
    K = G.relabel("degree", layout="packed")
    schedule = Schedule(direction) if direction else None
    for source in (0, 500, LAST - 2, N - 1):
        level, parent = lg.bfs(K, source, schedule=schedule)
        assert level.isequal(lg.bfs(H, source)[0])
        Rules(H).bfs(source, level, parent)
    level, parent = lg.bfs(P, 9, schedule=schedule)
    Rules(G).bfs(9, level, parent)
    assert level.isequal(lg.bfs(G, 9)[0]) and K.A._store.stays_packed


def pushes() -> None:
    searches("push")


def pulls() -> None:
    searches("pull")


def sharing() -> None:
    """Pulls in which warps look at one word each, at a part of one, or at two or three."""
    for blocks, n in ((8, 70), (8, 200), (4, 33), (2, 33), (1, 220)):
        backend, rng = emulated(blocks, blocks=blocks, blocking=True), np.random.default_rng(n)
        i, j = rng.integers(0, n, (2, 4 * n))
        K = lg.Graph.from_edges(i, j, n=n, directed=False, dup="first", backend=backend)
        P = K.relabel("degree", layout="packed")
        level, parent = lg.bfs(P, 3, schedule=Schedule("pull"))
        assert level.isequal(lg.bfs(K.relabel("degree"), 3)[0])
        Rules(P).bfs(3, level, parent)


def first_vertices() -> None:
    """A first pull that looks for the first 64 vertices alone: what only others reach, short rows and long
    ones, comes by a push after it; and a long row goes on beyond its first quarter, and ends where no other
    column is looked for. Then pulls find what comes later."""
    with pytest.MonkeyPatch.context() as patch:
        for few, seed in ((1, 0), (1, 4), (1 << 20, 1)):
            patch.setattr(PackedSearches, "pulled_share", 35)
            patch.setattr(PackedSearches, "pushed_share", few)
            backend, rng = emulated(seed, blocks=2, blocking=True), np.random.default_rng(seed)
            hubs, leaves, source, near = 96, np.arange(96, 2300), 2300, np.arange(2301, 2317)
            far = near + near.size  # beside one of these each, and a hub that comes later
            reached, lengths = np.r_[0:8:2, 50, 70, 71], 330 - 2 * np.arange(hubs)
            before = np.setdiff1d(
                np.arange(50), reached
            )  # with 50, the first columns of the last hub
            i = np.r_[np.repeat(np.arange(hubs), lengths), np.full(before.size + 1, hubs - 1)]
            j = np.concatenate(
                [*(rng.choice(leaves, d, replace=False) for d in lengths), before, [50]]
            )
            i = np.r_[i, np.full(reached.size + near.size, source), near, np.ones_like(near)]
            j = np.r_[j, reached, near, far, far]
            G = lg.Graph.from_edges(i, j, directed=False, dup="first", backend=backend)
            H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
            start = int(np.flatnonzero(K.ids.to_dense() == source)[0])
            level, parent = lg.bfs(K, start)
            assert level.isequal(lg.bfs(H, start)[0]) and K.A._store.stays_packed
            Rules(H).bfs(start, level, parent)


def counted_once() -> None:
    """After a mixed round, whose push has counted the edges of what it found, all edges are counted, and are
    few enough for a push. Its short rows, which go first, are the parents of what a long one reaches, too,
    which a pull would find first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackedSearches, "pulled_share", 60)
        patch.setattr(PackedSearches, "pushed_share", 1)
        patch.setattr(packed_search, "pull_threshold", lambda *_: 700)  # about 520, twice
        backend, rng = gpu(0), np.random.default_rng(0)
        source, long, other = range(
            3
        )  # the other is the long row's first column, which no pull looks for
        clique, shorts, leaves, far, hubs = np.split(
            np.arange(3, 4280), np.cumsum([60, 4, 150, 4000])
        )
        u, v = clique[np.array(np.triu_indices(60, 1))]
        pairs = [(u, v), (source, clique), (long, leaves), (long, other), (long, clique[5])]
        pairs += [(shorts, clique[6]), (shorts, leaves[:4]), (other, far[:80])]
        pairs += [(hub, rng.choice(far, 200, replace=False)) for hub in hubs]
        pairs = [np.broadcast_arrays(*np.atleast_1d(*pair)) for pair in pairs]
        i, j = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
        G = lg.Graph.from_edges(i, j, directed=False, backend=backend)
        H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
        there = np.argsort(K.ids.to_dense())  # where each vertex stands
        assert K.A._store.packed.n_long == there[long] + 1 == 64 == there[other]
        level, parent = lg.bfs(K, there[source])
        assert level.isequal(lg.bfs(H, there[source])[0])
        np.testing.assert_array_equal(parent.to_dense(-1)[there[leaves[:4]]], there[shorts])


WALK = unit(
    "core/packed_front.cuh",
    """
extern "C" __global__ void k(const Word* bits, int words, Word* found) {
    each_word_of<true>(bits, words, [&](Index word, Word those) {
        if (lane_id() == 0) atomicAdd(found + word, those);
    });
}
""",
)


def walks() -> None:
    """Each word of a bitmap is visited once, by sectors or not, and words without bits are not."""
    device, rng = emulated(0).device, np.random.default_rng(0)
    kernel = device.compile(WALK, "k")
    for words in (1, 40, 127, 128, 129, 700, 1301):
        bits = rng.integers(0, 2**31, words, np.uint32) * (rng.random(words) < 0.7)
        given = device.upload(bits.astype(np.uint32))
        for warps in (1, 2):
            found = device.zeros(words, np.uint32)
            kernel(1, 32 * warps, (given, np.int32(words), found))
            np.testing.assert_array_equal(device.download(found), bits)


FOUR = unit(
    "core/packed_lookup.cuh",
    """
extern "C" __global__ void k(const Word* block, int from, Word widths, int gaps, Word* found) {
    GapsInTurn in_turn(block, from, widths, gaps);
    for (int t = 0; t < gaps; t += OF_LANE) {
        Word four[OF_LANE], same[OF_LANE], eight[2 * OF_LANE];
        in_turn.four(t, gaps - t, four);
        const LanePlace place(t), at_eight(t / (2 * OF_LANE) * (2 * OF_LANE));
        sums_from(block, LanePart(widths, from, low_bits(widths, gaps), place), place, true, gaps - t, same);
        const int begin = t / (2 * OF_LANE) * (2 * OF_LANE);
        const LanePart later(widths, 32 + from, low_bits(widths, gaps), at_eight);
        sums_from(block - 1, later, at_eight, true, gaps - begin, eight);
        Word sum = 0, skipped = t > begin ? eight[OF_LANE - 1] : 0;
        for (int i = 0; i < OF_LANE && t + i < gaps; ++i) {
            sum += four[i] + 1;
            found[t + i] = sum == same[i] && skipped + sum == eight[t + i - begin] ? four[i] : ~0u;
        }
    }
}
""",
)


def block_of(gaps: np.ndarray, widths: np.ndarray) -> tuple[int, str]:
    """The word of widths and the bits of a block of these gaps, less 1, each quarter with so many low
    bits."""
    low = quotients = ""
    head = 0
    for q, width in enumerate(widths.tolist()):
        here = gaps[32 * q : 32 * (q + 1)].tolist()
        low += "".join(f"{gap % 2**width:0{width}b}" for gap in here if width)
        unary = "".join("0" * (gap >> width) + "1" for gap in here)
        unary += "0" * (-len(unary) % 8)
        quotients += unary
        head |= (width | len(unary) // 8 - -(-len(here) // 8) << 5) << 8 * q
    return head, low + quotients


def words_of(bits: str) -> np.ndarray:
    """Words of these bits, the last one filled up."""
    whole = bits.ljust(-(-len(bits) // 32) * 32, "0")
    return np.array([int(whole[i : i + 32], 2) for i in range(0, len(whole), 32)], np.uint32)


def four_at_once() -> None:
    """Gaps of all widths, in quarters that are full and that are not, by one thread and by lanes: with
    blocks and quotients that begin and end anywhere in their words, and as large as four may be."""
    device, rng = emulated(0).device, np.random.default_rng(0)
    kernel = device.compile(FOUR, "k")
    for width in range(32):
        for count in (1, 3, 4, 5, 31, 32, 45, 128):
            widths = (width + 5 * np.arange(-(-count // 32))) % 32
            quotient = np.zeros(count, np.int64)
            for begin in range(0, count, 32):  # up to 56 in a quarter, and 28 in four
                here = min(32, count - begin)
                for _ in range(rng.integers(0, 57)):
                    at = begin + rng.integers(0, here)
                    four = quotient[at // 4 * 4 : at // 4 * 4 + 4]
                    quotient[at] += four.sum() < 28
            each = np.repeat(widths, 32)[:count]
            quotient[quotient >= 2 ** (31 - each)] = 0
            wanted = quotient << each | rng.integers(0, 2**each)
            begin = int(rng.integers(0, 32))
            head, bits = block_of(wanted, widths)
            words = words_of("1" * begin + bits)
            found = device.empty(count, np.uint32)
            given = device.upload(np.r_[~np.uint32(0), words, np.zeros(SLACK, np.uint32)])
            given = given[1:], np.int32(begin), np.uint32(head), np.int32(count), found
            kernel(1, 1, given)
            np.testing.assert_array_equal(device.download(found), wanted)


def least_bits(gaps: np.ndarray) -> int:
    """The bits of a short row's gaps, less 1: up to 32 of one width, or each quarter with the width that
    takes the fewest bits of those that may be, behind a word of widths."""
    if gaps.size <= 32:
        return -(-gaps.size * int(gaps.max(initial=0)).bit_length() // UNIT) * UNIT
    bits = 0
    for begin in range(0, gaps.size, 32):
        here, found = gaps[begin : begin + 32], []
        for width in range(32):
            quotients = here >> width
            unary = here.size + int(quotients.sum())
            most = np.add.reduceat(quotients, np.arange(0, here.size, 4)).max()
            if most <= 28 and -(-unary // 8) - -(-here.size // 8) <= 7:
                found.append(here.size * width + 8 * -(-unary // 8))
        bits += min(found)
    return 32 + -(-bits // 32) * 32


def codes() -> None:
    """Rows with gaps of every size, and rows in which few gaps are much larger than the others or all
    lanes have one that is, in any order: they are decoded, and take the fewest bits."""
    rng, backend = np.random.default_rng(0), gpu(0)
    tails = [np.where(np.arange(128) % 32 == 5, 200, 0), np.where(np.arange(128) % 4 == 1, 8, 0)]
    for count in (128, 127, 100, 70, 33, 32, 31, 20, 9, 4, 3, 2, 1, 1):
        for mean in (0.5, 3, 40, 5000):
            some = rng.geometric(1 / (mean + 1), count) - 1
            tails.append(some if count > 1 else some * 1000)
        tails.append(2 ** rng.integers(0, 14, count) - 1)
        tails.append(rng.integers(2**21, 2**22, min(count, 4)))
    tails = [tails[at] for at in rng.permutation(len(tails))]
    rows = [np.cumsum(np.r_[3, tail + 1]) for tail in tails]
    indptr = np.cumsum([0, *map(len, rows)])
    up, nnz = backend.device.upload, int(indptr[-1])
    begins = up(indptr.astype(np.int32))
    columns = np.concatenate(rows).astype(np.int32)
    packer = Packer(backend, kronecker_rows.Lengths.of(len(rows), 0, 0))
    packer.append(0, len(rows), begins, 0, up(columns))
    packed = packer.finished(up(np.ones(1)))
    groups = [tails[begin : begin + 32] for begin in range(0, len(tails), 32)]
    assert packed.words == sum(-(-sum(map(least_bits, group)) // 32) for group in groups)
    n = int(columns.max()) + 1
    arrays = backend.packed_exchange.downloaded(backend.packing.matrix(packed, n, nnz))
    np.testing.assert_array_equal(rows_of_packed(arrays, n, nnz)[1], columns)
    found = backend.device.empty(nnz, np.int32)
    backend.launch(PACK_ROWS, "", "unpack<int>", len(rows), packed.given, begins, found)
    np.testing.assert_array_equal(backend.device.download(found), columns)


def rings() -> None:
    """Closures from several starts, under semirings that read the vector, positions or nothing,
    with a bound on the rounds and with little room for segments."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackedSearches, "listed", 3)
        backend = gpu(2)
        G = graph(2, backend)
        H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
        x0 = lg.Vector.from_coo([40, 700], [7, 7], "INT64", size=N, backend=backend)
        for ring in (SEMIRINGS["any_first"], any_secondi, any_pair):
            for most, schedule in ((None, None), (1, None), (None, Schedule("push"))):
                start = x0 if ring is not any_pair else x0.apply("one").new("BOOL")
                x, when = closure_with_rounds(start, K.A, ring, most, schedule)
                other, wanted = closure_with_rounds(start, H.A, ring, most)
                assert when.isequal(wanted) and x.nvals == other.nvals
                if ring is not any_secondi:
                    assert x.isequal(other)
        assert K.A._store.stays_packed


def guesses() -> None:
    """A pull that finds one vertex, a push from it, and a pull again: what the first one took for the
    round after it came in the third. No row is long, whose edges would be rounded up."""
    backend, leaves = gpu(1), 127
    i = np.repeat([0, 1], leaves + 1)
    j = np.r_[2 : leaves + 2, 2 * leaves + 2, leaves + 2 : 2 * leaves + 3]
    G = lg.Graph.from_edges(i, j, directed=False, backend=backend)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    there = np.argsort(K.ids.to_dense())[np.r_[0, 2 : leaves + 2]]
    start = lg.Vector.from_coo(there, there, "INT64", size=G.n, backend=backend)
    x, when = closure_with_rounds(start, K.A, any_secondi)
    other, wanted = closure_with_rounds(start, H.A, any_secondi)
    assert when.isequal(wanted) and x.isequal(other)
    assert when.reduce("max").new().get() == 3


def products() -> None:
    backend = gpu(0)
    backend.packing.hubs = 1
    G = graph(0, backend)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    rng = np.random.default_rng(0)
    dense = np.where(rng.random(N) < 0.7, rng.integers(1, 9, N), 0)
    mask = lg.Vector.from_dense(rng.integers(0, 2, N), missing_value=0, backend=backend)
    for values in (dense, dense + 1):
        u = lg.Vector.from_dense(values, missing_value=0, backend=backend)
        for ring in (SEMIRINGS["plus_first"], min_first, any_pair, SEMIRINGS["plus_secondi"]):
            assert ring(u @ K.A).new().isequal(ring(u @ H.A).new())
            assert ring(K.A @ u).new(mask=~mask.V).isequal(ring(H.A @ u).new(mask=~mask.V))
    assert K.out_degree.isequal(H.out_degree)
    ranks, wanted = lg.pagerank(K, iterations=2), lg.pagerank(H, iterations=2)
    np.testing.assert_allclose(ranks.to_dense(), wanted.to_dense(), rtol=1e-12)
    assert K.A._store.stays_packed


def weighted_graphs(backend: GpuBackend) -> Iterator[tuple[lg.Graph, lg.Graph]]:
    """One graph in compressed and in packed rows, with weights of 8 bits and with those of 32."""
    u, v = edges(0)
    for whole in (True, False):
        with offsets_of_64_bits(whole):
            weight = np.random.default_rng(0).integers(1, 256, u.size) + (0 if whole else 0.25)
            weights = weight.astype(np.float32)
            G = lg.Graph.from_edges(u, v, weights, N, False, dup="first", backend=backend)
            yield G.relabel("degree"), G.relabel("degree", layout="packed")


def weighted_products() -> None:
    """Products read the weight of each entry, in rows of every kind."""
    backend = gpu(0)
    backend.packing.hubs = 1
    rng = np.random.default_rng(0)
    dense = np.where(rng.random(N) < 0.7, rng.integers(1, 9, N), 0).astype(np.float32)
    for H, K in weighted_graphs(backend):
        for values in (dense, dense + 1):
            u = lg.Vector.from_dense(values, missing_value=0, backend=backend)
            for ring in (SEMIRINGS["min_plus"], SEMIRINGS["max_times"], SEMIRINGS["plus_second"]):
                assert ring(u @ K.A).new().isequal(ring(u @ H.A).new())
                assert ring(K.A @ u).new().isequal(ring(H.A @ u).new())
        assert K.A.reduce_rowwise("max").new().isequal(H.A.reduce_rowwise("max").new())
        assert K.A._store.stays_packed


def weighted_judges() -> None:
    """The rules hold for a tree of shortest paths over packed rows, and each wrong parent or distance is
    found, also where only the weight of an edge tells."""
    backend = gpu(0)
    for H, K in weighted_graphs(backend):
        distance, parent = lg.sssp(K, 40)
        check = Rules(K)
        check.sssp(40, distance, parent)
        indptr, columns, _ = H.A.to_csr()
        v = np.flatnonzero(np.diff(indptr))
        last = lg.Vector.from_coo(v, columns[indptr[v + 1] - 1], size=N, backend=backend)
        for children in (parent, last):
            weight = tree_edge_values(children, K.A)
            assert weight.isequal(tree_edge_values(children, H.A))
        for v in (0, 2, 33, 900):
            for far in (distance[v].new().value + 1, distance[v].new().value - 1):
                wrong = distance.dup()
                wrong[v] = far
                with pytest.raises(VerificationError, match=r"rule [023]"):
                    check.sssp(40, wrong, parent)
        for v in (0, 2, 33, 900):
            wrong = parent.dup()
            wrong[v] = 40 if v not in (40, parent[40].new().value) else 41
            with pytest.raises(VerificationError, match=r"rule [125]"):
                check.sssp(40, distance, wrong)
        assert K.A._store.stays_packed


def components() -> None:
    """A giant component with a chain of vertices outside it, whose first columns miss each other;
    loops; rows of every kind that are decoded, where no tree is the largest."""
    for seed in SEEDS[:3]:
        backend = gpu(seed)
        rng = np.random.default_rng(seed)
        u, v = edges(seed)
        far = np.arange(LAST, N - 2)  # joined by pairs that are not the smallest neighbours
        if seed:  # two halves, with rows of all kinds on each side
            side = u % 2 == v % 2
            u, v = u[side], v[side]
            near = rng.permutation(LAST)[: 2 * 40].reshape(2, 40)
            near = near[:, near[0] % 2 == near[1] % 2]
            u, v = np.r_[u, near[0]], np.r_[v, near[1]]
        chain = rng.permutation(far)
        u, v = np.r_[u, chain[:-1], far[:3]], np.r_[v, chain[1:], far[:3]]
        G = lg.Graph.from_edges(u, v, n=N, directed=False, dup="first", backend=backend)
        H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
        label = lg.connected_components(K)
        assert label.isequal(lg.connected_components(H))
        bits = backend.device.download(label._store.bits).view(np.uint8)
        assert np.unpackbits(bits, bitorder="little").sum() == N  # a bit for each vertex
        assert K.A._store.stays_packed


def checks() -> None:
    """Columns outside the vertices, or that do not rise, are counted in rows of every kind."""
    backend = gpu(0)
    rows = graph(0, backend).relabel("degree", layout="packed").A._store.packed
    assert backend.packing.wrong(rows, N) == 0
    first = backend.device.download(rows.first)
    assert backend.packing.wrong(rows, 900) > np.count_nonzero(np.abs(first) >= 900)
    lonely = np.flatnonzero(first < 0)[-1]
    for at, column in ((lonely, ~np.int32(N)), (700, np.int32(N))):
        changed = first.copy()
        changed[at] = column
        other = rows._replace(first=backend.device.upload(changed))
        assert backend.packing.wrong(other, N) >= 1
    stream = backend.device.download(rows.stream)
    start = int(backend.device.download(rows.segment)[0]) & ((1 << 48) - 1)
    stream[start] = -2000 & 0xFFFFFFFF
    assert backend.packing.wrong(rows._replace(stream=backend.device.upload(stream)), N) >= 1
    second = int(backend.device.download(rows.segment)[1]) & ((1 << 48) - 1)
    stream[start], stream[second] = 0xFFFFFFFF, stream[second] - 1  # a hub's column twice
    assert backend.packing.wrong(rows._replace(stream=backend.device.upload(stream)), N) == 1
    changed = first.copy()
    changed[0] += 1  # what is stored first is not what comes first
    other = rows._replace(first=backend.device.upload(changed))
    assert backend.packing.wrong(other, N) == 1


def parts() -> None:
    """The kernel and the host find the same faults in where parts begin and how long they are, in
    rows of every kind, and in the first part and the last one."""
    backend = gpu(0)
    K = graph(0, backend).relabel("degree", layout="packed")
    rows, right, device = K.A._store.packed, backend.packed_exchange.arrays(K.A), backend.device
    assert backend.packing.wrong_parts(rows, N) == (0, K.A.nvals)
    gaps, short = right.tails & 255, right.tails.size
    wide, slim = (int(np.flatnonzero(test)[-1]) for test in (gaps > 32, (gaps > 0) & (gaps <= 32)))
    bare = int(np.flatnonzero(gaps == 0)[-1])
    start = int(right.segment[0]) & ((1 << 48) - 1)
    at_wide = int(right.groups[wide // 32]) + sum(bits_of_tails(right, wide // 32 * 32, wide)) // 32
    count = np.uint64(1 << 48)
    rows_before = right.n_long
    ends = [int(blocks.begin[at] + blocks.bits[at] - 1) // 32 for blocks, at in (
        (segment_blocks(right, 0, 1)[0], 0), (short_blocks(right, 0, short)[0], wide))]  # fmt: skip
    faults: list[tuple[str, int, object]] = [
        ("groups", 0, right.groups[0] + 1), ("groups", -1, right.groups[-1] - 1),
        ("groups", 1, -5), ("groups", 1, right.stream.size),
        *(("groups", at, 2**63 - 1) for at in (0, 1, wide // 32, -1)),
        ("segment", 0, right.segment[0] + np.uint64(1)), ("segment", 1, right.segment[1] + count),
        ("segment", 0, right.segment[0] - count), ("segment", 2, count + np.uint64(1 << 40)),
        ("segment", 3, right.segment[3] % count),
        ("segment", 4, right.segment[4] + np.uint64(SEGMENT_ENTRIES) * count),
        ("segments", 5, right.segments[5] + 40), ("segments", 1, 1), ("segments", 2, -3),
        ("stream", start + 1, 32), ("stream", start + 2, right.stream[start + 2] + 1),
        ("stream", at_wide, right.stream[at_wide] | 32 << 24), ("stream", at_wide, right.stream[at_wide] + 1),
        ("tails", wide, 129 | 3 << 8), ("tails", wide, 40), ("tails", slim, gaps[slim] | 32 << 8),
        ("tails", slim, right.tails[slim] + 256), ("tails", slim, 0), ("tails", bare, 1),
        *(("stream", end, 0) for end in ends),
        ("tails", short - 1, right.tails[-1] + 256 * 9),
        ("first", 3, ~right.first[3]), ("first", 3, np.int32(N)), ("first", 3, ~np.int32(N)), ("first", -1, N), ("first", rows_before, ~right.first[rows_before]),
    ]  # fmt: skip
    for name, at, to in faults:
        array = getattr(right, name).copy()
        array[at] = to
        wrong, _ = backend.packing.wrong_parts(rows._replace(**{name: device.upload(array)}), N)
        try:
            check_packed(right._replace(**{name: array}), N)
        except InvalidValue:
            assert wrong > 0, (name, at)
        else:
            assert wrong == 0, (name, at)


def far_codes() -> list[int]:
    """A block of 64 gaps without low bits whose quarters begin with a quotient of 56: each has as
    many ones as gaps, but four codes have more than 32 bits."""
    bits = 2 * ("0" * 56 + "1" * QUARTER)
    return [7 << 5 | 7 << 13, *(int(bits[i : i + 32].ljust(32, "0"), 2) for i in range(0, 176, 32))]


def lone_parts() -> None:
    """Rows of one part, in which the ends of parts do not show what is wrong."""
    backend = gpu(0)
    none, before = np.zeros(0, np.int32), 0xFFFFFFFF
    tails, groups, segments = (
        none.astype(np.uint16),
        none.astype(np.int64),
        np.array([0, 1], np.int32),
    )

    def judged(arrays: PackedArrays, rows: PackedRows) -> tuple[int, int]:
        """The parts that the device finds wrong, and the entries; the host says the same."""
        wrong, count = backend.packing.wrong_parts(rows, N)
        try:
            assert check_packed(arrays, N) == count
        except InvalidValue:
            assert wrong > 0
        else:
            assert wrong == 0
        return wrong, count

    def stream(words: tuple[int, ...]) -> np.ndarray:
        return np.array([*words, *[0] * SLACK], np.uint32)

    def alone(
        entries: int, begin: int, *words: int, first: int = 0
    ) -> tuple[PackedArrays, PackedRows]:
        segment = np.array([entries << 48 | begin], np.uint64)
        arrays = PackedArrays(np.array([first], np.int32), tails, groups, segments, segment, stream(words),
                              np.ones(1))  # fmt: skip
        up = [backend.device.upload(x if x.size else np.zeros(1, x.dtype)) for x in arrays[:7]]
        return arrays, PackedRows(1, 1, *up[:6], NOTHING_SPILLED, 0, 1, len(words), up[6])

    def found(entries: int, begin: int, *words: int) -> int:
        return judged(*alone(entries, begin, *words))[0]

    wide = alone(1, 0, before, 31, 5 << 1 | 1, 0, first=~5)  # a gap of 31 bits ends the stream
    assert judged(*wide) == (0, 1) and backend.packing.wrong(wide[1], N) == 0
    for entries in (1, 2):  # does a column follow the first?
        word = (1 << 32) - (1 << 32 - entries)
        for first in (0, ~0):
            wrong = judged(*alone(entries, 0, before, 0, word, first=first))[0]
            assert wrong == ((entries == 1) != (first < 0))
    for begins in (
        [0, 0, 1],
        [0, 7, 9, 1],
    ):  # a long row without a segment, and one beyond the last
        n, (arrays, rows) = len(begins) - 1, alone(1, 0, before, 0, 1 << 31, first=~0)
        more = {"first": np.full(n, ~0, np.int32), "segments": np.array(begins, np.int32)}
        up = {name: backend.device.upload(array) for name, array in more.items()}
        assert judged(arrays._replace(**more), rows._replace(n=n, n_long=n, **up))[0] > 0
    ones = 0xF8000000
    assert found(5, 0, before, 0, ones) == 0
    assert found(0, 0, before)
    blocks = SEGMENT_ENTRIES // 128
    assert found(
        SEGMENT_ENTRIES + 1, 0, before, *[0] * (blocks + 1), *[0xFFFFFFFF] * (4 * blocks), 1 << 31
    )
    assert found(5, 1, 0, before, 0, ones) and found(5, 0, before, 31, ones)
    for wrong in (0xF0000000, 0xFC000000, 0xF0800000):
        assert found(5, 0, before, 0, wrong)

    def short(tails: int | list[int], begin: int, *words: int) -> tuple[int, int]:
        own = np.atleast_1d(tails).astype(np.uint16)
        arrays = PackedArrays(
            np.zeros(own.size, np.int32), own, np.array([begin]), np.zeros(1, np.int32),
            none.astype(np.uint64), stream(words), np.zeros(1),
        )  # fmt: skip
        up = [backend.device.upload(x if x.size else np.zeros(1, x.dtype)) for x in arrays[:6]]
        values = backend.device.zeros(1, np.int64)
        n = own.size
        return judged(arrays, PackedRows(n, 0, *up, NOTHING_SPILLED, 0, 0, len(words), values))

    assert short(1 | 1 << 8, 0, 0) == (0, 2) and short(1 | 1 << 8, 1, 0, 0) == (1, 2)
    assert short(1 | 32 << 8, 0, 0) == (1, 2)  # a width that no gap has
    block = 0, 0xFFFFFFFF, 1 << 31  # of 33 gaps without low bits
    assert short(33 | 3 << 8, 0, *block) == (0, 34) and short(33 | 4 << 8, 0, *block, 0) == (1, 34)
    assert short(64 | 7 << 8, 0, *far_codes()) == (1, 65)
    apart = short(
        [1 | 1 << 8, 33 | 3 << 8], 0, 0, 0x0FFFFFFF, 0xF8000000, 0
    )  # and 4 bits before them
    assert apart == (0, 36)


def falls() -> None:
    """A gap of 32 bits leads back to a smaller column: in each lane and turn of long rows and short ones, and
    in the first gap of each."""
    backend = gpu(0)

    def block(gaps: np.ndarray) -> tuple[int, str]:
        return block_of(gaps, np.full(-(-gaps.size // QUARTER), 31))

    def wrong(first: list[int], tails: list[int], segments: list[int], stream: list[int]) -> int:
        n, n_long = len(first), len(first) - len(tails)
        arrays = PackedArrays(
            np.array(first, np.int32), np.array(tails, np.uint16), np.zeros(-(-len(tails) // 32), np.int64),
            np.array([0, len(segments)] if n_long else [0], np.int32), np.array(segments, np.uint64),
            np.array([*stream, *[0] * SLACK], np.uint32), np.ones(1),
        )  # fmt: skip
        check_packed(arrays, N)
        up = [backend.device.upload(x if x.size else np.zeros(1, x.dtype)) for x in arrays[:7]]
        rows = PackedRows(n, n_long, *up[:6], NOTHING_SPILLED, 0, len(segments), len(stream), up[6])
        assert backend.packing.wrong_parts(rows, N)[0] == 0
        return backend.packing.wrong(rows, N)

    many = SEGMENT_ENTRIES + 6
    later = (300, 256), (many, 512), (many, SEGMENT_ENTRIES)  # a turn, two, and a segment
    for count, at in (*((20, at) for at in (0, 3, 4, 8, 12, 16)), *later):
        gaps = np.zeros(count, np.int64)
        gaps[0] = 100
        if at:
            gaps[at] = 2**32 - 60
        columns = np.cumsum(gaps + 1) - 1 & 2**32 - 1
        segments, stream = [], []
        for begin in range(0, count, SEGMENT_ENTRIES):
            here = gaps[begin : begin + SEGMENT_ENTRIES]
            segments.append(here.size << 48 | len(stream))
            heads, bits = zip(
                *(block(here[b : b + 128]) for b in range(0, here.size, 128)), strict=True
            )
            before = int(columns[begin - 1]) if begin else 2**32 - 1
            stream += [before, *heads, *words_of("".join(bits))]
        assert wrong([100], [], segments, stream) == (at > 0)

    for row, at in ((0, None), (0, 0), (0, 32), (1, 0), (1, 3), (1, 64), (1, 68), (1, 72)):
        rows = [np.zeros(count, np.int64) for count in (60, 128)]  # lane 17 begins the second row
        if at is not None:
            rows[row][at] = 2**32 - 60
        tails, stream = [], []
        for gaps in rows:
            head, bits = block(gaps)
            words = words_of(bits)
            tails.append(gaps.size | 1 + len(words) << 8)
            stream += [head, *words]
        assert wrong([100, 200], tails, [], stream) == (at is not None)


def bits_of_tails(arrays: PackedArrays, begin: int, end: int) -> list[int]:
    """The bits of short rows."""
    return short_blocks(arrays, begin, end)[1].tolist() if end > begin else []


def mirrors() -> None:
    """The sums above and below the diagonal are the host's, over rows of both kinds, with values of
    several types, one for all or each its own, and with offsets of both widths."""
    keys = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93],
                    np.uint64)  # fmt: skip
    for seed in SEEDS[:2]:
        with offsets_of_64_bits(seed == 0):
            backend = gpu(seed)
            u, v = edges(seed)
            u, v = np.r_[u, 0, 40, 700], np.r_[v, 0, 40, 700]  # and some loops
            far = np.random.default_rng(seed).integers(1, 9, u.size)
            for weights in (None, far, far - 4.5):
                G = lg.Graph.from_edges(u, v, weights, N, False, dup="first", backend=backend)
                H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
                L = H.A.select("tril").new()
                for A in (H.A, L, K.A):
                    indptr, column, value = (L if A is L else H.A).to_csr()
                    packed = A._store.packed
                    if packed is not None and packed.weights is not None:
                        value = value.astype(packed.weights.values.dtype)
                    row = np.repeat(np.arange(N), np.diff(indptr))
                    found = mirror_sums(A, [], keys)
                    np.testing.assert_array_equal(found, mirrored([(row, column, value)], keys))
                    assert (found[0] == found[1]) == (A is not L) and found[2] >= 3
                assert K.A._store.stays_packed
        zero = lg.Matrix.from_coo([0, 1], [1, 0], [0.0, -0.0], backend=backend)
        above, below, _ = mirror_sums(zero, [], keys)
        assert above == below


def longest_part(arrays: PackedArrays) -> int:
    """The words of the longest segment or group of short rows."""
    starts = np.r_[arrays.segment & np.uint64((1 << 48) - 1), arrays.groups.astype(np.uint64)]
    return int(np.diff(np.r_[starts, arrays.stream.size - SLACK].astype(np.int64)).max())


def behind() -> None:
    """A part of the stream is read from the host's memory, where the words before and after it are
    spoilt; and of parts that begin before it the device has all words."""
    backend = gpu(1)
    device, packing = backend.device, backend.packing
    G = graph(1, backend)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    store, rows = K.A._store, K.A._store.packed
    arrays = backend.packed_exchange.arrays(K.A)
    packing.part_words, words = longest_part(arrays), rows.words
    host = device.pinned(arrays.stream.size, np.uint32)
    x = lg.Vector.from_dense(np.arange(1, N + 1), backend=backend)
    level, folded = lg.bfs(H, 9)[0], min_first(H.A @ x).new()
    label = lg.connected_components(H)
    for head, tail in ((0, 0), (words // 4, words // 4), (words // 3, 0), (0, words // 3)):
        device.write(host, arrays.stream)
        store.packed = part = packing.divided(rows._replace(stream=host), head, tail)
        window = part.window
        assert window.nbytes == 4 * (words - head - tail) and part.nbytes < rows.nbytes
        for mine, theirs in zip(backend.packed_exchange.arrays(K.A), arrays, strict=True):
            np.testing.assert_array_equal(mine, theirs)
        spoilt, end = ~arrays.stream, window.end + packing.part_words
        spoilt[window.begin : end] = arrays.stream[window.begin : end]
        device.write(host, spoilt)
        for schedule in (None, Schedule("push"), Schedule("pull")):
            assert lg.bfs(K, 9, schedule=schedule)[0].isequal(level)
        assert min_first(K.A @ x).new().isequal(folded)
        assert lg.connected_components(K).isequal(label)
    same(K.A, H.A)
    device.write(host, arrays.stream)
    assert packing.divided(rows._replace(stream=host), words, words).nbytes == rows.nbytes


def judges() -> None:
    """A parent that is no neighbour is found in rows of every kind."""
    backend = gpu(0)
    K = graph(0, backend).relabel("degree", layout="packed")
    level, parent = lg.bfs(K, 40)
    check = Rules(K)
    check.bfs(40, level, parent)
    H = graph(0, backend).relabel("degree")
    A, far = H.A.to_csr(), level.to_dense(-1)
    for v in (0, 2, 33, 900):
        columns = A[1][A[0][v] : A[0][v + 1]]
        others = np.setdiff1d(np.flatnonzero(far == far[v] - 1), columns)
        if others.size:
            wrong = parent.dup()
            wrong[v] = int(others[-1])
            with pytest.raises(VerificationError, match="rule 5"):
                check.bfs(40, level, wrong)
    assert K.A._store.stays_packed


DRAWS = (Draw(8, 10, 3), Draw(4, 1, 2), Draw(3, 0))


def ranges() -> None:
    """Rows made range by range, of edges that are all kept or drawn again for each group of rows, are those
    that are joined on the host; a missing edge is found."""
    with pytest.MonkeyPatch.context() as patch:
        for seed, each in ((0, None), (1, 900)):
            patch.setattr(kronecker_rows.DeviceRows, "range_entries", each)
            patch.setattr(kronecker_rows.DeviceRows, "group_entries", each and 2 * each)
            for draw in DRAWS:
                wanted = DrawnRows(draw, CPU)
                # Offsets of 64 bits while duplicates are counted, and of 32 without them.
                few = wanted.graph.A.nvals + 1
                patch.setattr(
                    vector_storage, "INT32_OFFSETS_BELOW", few if each else vector_storage.POSITIONS
                )
                for packed in (False, True):
                    patch.setattr(kronecker_rows.DeviceRows, "keeps_edges", packed)
                    made = DrawnRows(draw, gpu(seed), packed)
                    assert made.graph.A._store.offset == np.int32
                    assert made.differences(draw.count) == 0
                    np.testing.assert_array_equal(made.ends.to_dense(), wanted.ends.to_dense())
                    ids = made.graph.ids, wanted.graph.ids
                    np.testing.assert_array_equal(*(v.to_dense() for v in ids))
                    same(made.graph.A, wanted.graph.A)


def ranges_in_buckets() -> None:
    """Rows sorted in small buckets are the same: with some rows that no block sorts, and with entries that wait at
    the end of the stream."""
    ways = Way(1024, 0, 4, 8), Way(256, 0, 2, 4), Way(12, 116, 1, 4), Way(6, 24, 1, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RowBuckets, "takes", ((2, 4),))
        patch.setattr(RowBuckets, "splits", ((2, 6),))
        patch.setattr(RowBuckets, "sections", 40)
        for seed, each, bits, without in ((0, None, 9, 1), (1, 1500, 66, 0), (2, 600, 9, 3)):
            patch.setattr(RowBuckets, "ways", ways[without:])
            patch.setattr(kronecker_rows.DeviceRows, "range_entries", each and each // 3)
            patch.setattr(kronecker_rows.DeviceRows, "group_entries", each)
            patch.setattr(kronecker_rows, "stream_bits", lambda scale, bits=bits: bits)
            for draw in DRAWS:
                wanted = DrawnRows(draw, CPU)
                for packed in (False, True):
                    patch.setattr(kronecker_rows.DeviceRows, "keeps_edges", packed == (seed == 2))
                    same(DrawnRows(draw, gpu(seed), packed).graph.A, wanted.graph.A)


def names_alike() -> None:
    """Vertices have the same names where a few bits of their random numbers sort them first."""
    draw = DRAWS[0]
    wanted = DrawnRows(draw, CPU).graph.ids.to_dense()
    with pytest.MonkeyPatch.context() as patch:
        for seed, bits in ((0, 57), (1, 62)):
            patch.setattr(DeviceDrawing, "least_bits", bits)
            ids = DrawnRows(draw, gpu(seed)).graph.ids
            np.testing.assert_array_equal(ids.to_dense(), wanted)


def lone_loops() -> None:
    """Vertices of which loops are all that was drawn stand behind those with edges, in the order of names."""
    draw = Draw(6, 1, 0, (45, 5, 5))
    wanted = DrawnRows(draw, CPU)
    ends, degrees = wanted.ends.to_dense(), np.diff(wanted.graph.A.to_csr()[0])
    assert np.count_nonzero((ends > 0) & (degrees == 0)) > 2
    for seed in SEEDS[:2]:
        made = DrawnRows(draw, gpu(seed))
        np.testing.assert_array_equal(made.ends.to_dense(), ends)
        np.testing.assert_array_equal(made.graph.ids.to_dense(), wanted.graph.ids.to_dense())
        assert made.differences(draw.count) == 0


def ends_in_buckets() -> None:
    """Degrees are the same that are counted in small buckets, by rounds and by parts: of buckets that are too small,
    that have no room, and of vertices that a block counts by spans."""
    draw = DRAWS[0]
    wanted = DrawnRows(draw, CPU)
    with pytest.MonkeyPatch.context() as patch:
        for seed, tile, counters, buckets, part, least, spare, ends in (
            (0, Tile(2, 4, 1), 8, 16, 7, 1.0, 0, 4),
            (1, Tile(2, 8, 1), 16, 64, 50, 0.2, 8, 16),
            (2, Tile(1, 8, 1), 256, 16, 1 << 19, 0.0, 2, 64),
        ):
            for name, value in (
                ("tiles", (tile,)), ("counters", counters), ("buckets", buckets), ("part", part), ("least", least),
                ("spare", spare), ("each", ends), ("fewest", 0),
            ):  # fmt: skip
                patch.setattr(EndBuckets, name, value)
            patch.setattr(kronecker_rows.DeviceRows, "keeps_edges", seed == 1)
            made = DrawnRows(draw, gpu(seed))
            np.testing.assert_array_equal(made.ends.to_dense(), wanted.ends.to_dense())
            same(made.graph.A, wanted.graph.A)


def full_counters() -> None:
    """Vertices of more ends than a counter of half a word holds, which stand side by side."""
    draw = Draw(1, 80000, 3, UNIFORM)
    wanted = DrawnRows(draw, CPU).ends.to_dense()
    assert wanted.min() > 2 << 16  # half of the edges are loops, of which each has two ends
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(end_buckets, "LEAST_PART", end_buckets.MOST_PART)
        np.testing.assert_array_equal(DrawnRows(draw, gpu(0)).ends.to_dense(), wanted)


def slots() -> None:
    """Sections of more rows than there are slots."""
    draw = Draw(13, 1)
    same(DrawnRows(draw, gpu(0), True).graph.A, DrawnRows(draw, CPU).graph.A)


def ranges_of_parts() -> None:
    """So are the rows of a part, from each of three processes; they are all of the edges that it
    counts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kronecker_rows.DeviceRows, "range_entries", 900)
        patch.setattr(kronecker_rows.DeviceRows, "group_entries", 1000)
        patch.setattr(RowBuckets, "ways", (Way(100, 27, 1, 4),))
        draw = DRAWS[0]
        wanted = DrawnRows(draw, CPU)
        row, column, _ = wanted.graph.A.to_coo()
        ids, ends = wanted.graph.ids.to_dense(), wanted.ends.to_dense()
        for rank in range(3):
            backend = gpu(rank)
            patch.setattr(kronecker_rows.DeviceRows, "keeps_edges", rank == 1)
            made = drawn_rows(backend, draw, True, PartOfRows(rank, 3))
            mine = row % 3 == rank
            got = backend.matrix_coordinates(made.store)
            np.testing.assert_array_equal(got[0], row[mine] // 3)
            np.testing.assert_array_equal(got[1], column[mine])
            np.testing.assert_array_equal(backend.vector_entries(made.ids)[1], ids[rank::3])
            np.testing.assert_array_equal(backend.vector_entries(made.ends)[1], ends[rank::3])
            assert made.differences(draw.count) == 0
            assert made.store.pattern.leading_rows == np.unique(row[mine]).size


def accounts() -> None:
    """Edges of another seed are not all there."""
    for packed in (False, True):
        backend = gpu(0)
        mine, other = (DrawnRows(Draw(8, 10, seed), backend, packed).made for seed in (3, 4))
        u, v = mine.to, other.to
        missing = mine.differences(2000)
        assert missing == 0
        mine.store = other.store
        assert mine.differences(2000) > 1000 and u.size == v.size


def test_memory_that_lies_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The edges of fewer rows are kept at a time where there is no memory for so many in one piece."""
    monkeypatch.setattr(kronecker_rows.DeviceRows, "range_entries", 300)
    monkeypatch.setattr(kronecker_rows.DeviceRows, "keeps_edges", False)
    backend, refused = gpu(0), []
    empty = type(backend.device).empty

    def limited(device: object, size: int, dtype: np.dtype) -> object:
        if dtype == np.uint64 and size > 1000:
            refused.append(size)
            raise TooLarge(f"{size} words lie apart")
        return empty(device, size, dtype)

    draw = Draw(8, 5, 3, (30, 25, 25))
    wanted = DrawnRows(draw, CPU)
    monkeypatch.setattr(type(backend.device), "empty", limited)
    made = DrawnRows(draw, backend)
    assert len(refused) > 1
    same(made.graph.A, wanted.graph.A)


EXERCISES = (
    packs,
    walks,
    four_at_once,
    codes,
    grows,
    searches,
    pushes,
    pulls,
    sharing,
    rings,
    guesses,
    first_vertices,
    counted_once,
    products,
    components,
    checks,
    parts,
    lone_parts,
    falls,
    mirrors,
    behind,
    judges,
    weighted_products,
    weighted_judges,
    ranges,
    ranges_in_buckets,
    names_alike,
    lone_loops,
    ends_in_buckets,
    full_counters,
    slots,
    ranges_of_parts,
    accounts,
)

MUTANTS = [
    Mutant("core/packed_blocks.cuh", "widths >> 8 * quarter & 31u);", "widths >> 8 * quarter & 7u);", four_at_once),
    Mutant("core/packed_blocks.cuh", "widths >> (8 * quarter + 5) & 7u);", "widths >> (8 * quarter + 5) & 1u);", codes),
    Mutant("core/packed_blocks.cuh", "widths & 0x1f1f1f1fu, quarters", "widths & 0x0f1f1f1fu, quarters", four_at_once),
    Mutant("core/packed_blocks.cuh", "widths >> 5 & 0x07070707u, quarters", "widths >> 5 & 0x07070703u, quarters", four_at_once),
    Mutant("core/packed_blocks.cuh", "each * 0x01010100u >> 8 * which", "each * 0x01010000u >> 8 * which", packs),
    Mutant("core/packed_blocks.cuh", "each * 0x01010101u >> 24", "each * 0x01010100u >> 24", packs),
    Mutant("core/packed_blocks.cuh", "(rest > 0 ? rest * width_of(widths, full) : 0)", "0", packs),
    Mutant("core/packed_blocks.cuh", "(rest + 7) / 8 + more_of(widths, full)", "(rest + 7) / 8", packs),
    Mutant("core/packed_blocks.cuh", "low_bits(widths, gaps) + 8 * bytes;", "low_bits(widths, gaps) + 7 * bytes;", packs),
    Mutant("core/packed_blocks.cuh", "codes = __funnelshift_lc(0, codes, code);", "codes = __funnelshift_lc(0, codes, code - 1);", packs),
    Mutant("core/packed_blocks.cuh", "const Word here = last ? third : later ? second : first", "const Word here = later ? second : first", four_at_once),
    Mutant("core/packed_front.cuh", "(number & ((1 << few) - 1))", "(number & few)", walks),
    Mutant("core/packed_front.cuh", "IN_FLIGHT / (1 << few) * apart", "IN_FLIGHT * apart", walks),
    Mutant("core/packed_front.cuh", "(words - 1 >> few) + 1", "words >> few", walks),
    Mutant("core/packed_blocks.cuh", "words[0] = __funnelshift_lc(words[1], words[0], bits);", "words[0] = __funnelshift_lc(0, words[0], bits);", four_at_once),
    Mutant("core/packed_blocks.cuh", "next = later ? third : second;", "next = second;", four_at_once),
    Mutant("core/packed_blocks.cuh", "left -= last ? in_both : later ? in_first : 0;", "left -= later ? in_first : 0;", four_at_once),
    Mutant("core/packed_blocks.cuh", "for (int step = 16; step > 0; step >>= 1)", "for (int step = 16; step > 1; step >>= 1)", four_at_once),
    Mutant("core/packed_blocks.cuh", "32 - rest + (left > 0);", "32 - rest + 1;", four_at_once),
    Mutant("core/packed_rows.cuh", "columns[i] = first + static_cast<Index>(before + sums[i]);", "columns[i] = static_cast<Index>(before + sums[i]);", products),
    Mutant("core/packed_rows.cuh", "before = running_word_sum(sums[OF_LANE - 1]) - sums[OF_LANE - 1];", "before = running_word_sum(sums[OF_LANE - 1]);", products),
    Mutant("core/packed_rows.cuh", "last += __shfl_sync(ALL_LANES, end, 31);", "", products),
    Mutant("core/packed_rows.cuh", "widths = bits_from(words++, from);", "widths = bits_from(words, from);", products),
    Mutant("core/packed_rows.cuh", "from(before % UNITS * PACKED_UNIT)", "from(0)", products),
    Mutant("core/packed_rows.cuh", "before = running_sum(own) - own;", "before = running_sum(own);", packs),
    Mutant("core/packed_rows.cuh", "begins = (running_sum(bits) - bits) << LOW_BITS", "begins = running_sum(bits) << LOW_BITS", products),
    Mutant("core/packed_rows.cuh", "before + sums[OF_LANE + i]", "before + sums[i]", products),
    Mutant("core/packed_blocks.cuh", "if (i > 0 && at[i] > end) at[i] = end;", "", four_at_once),
    Mutant("core/packed_blocks.cuh", "passed += code;", "passed += code - 1;", four_at_once),
    Mutant("core/packed_blocks.cuh", "at[i] = begin + static_cast<Word>(2 * i * part.width);", "at[i] = begin + static_cast<Word>(i * part.width);", four_at_once),
    Mutant("core/packed_blocks.cuh", "const Word begin = here > 0 ? part.low : 0", "const Word begin = part.low + 64 * (here <= 0)", lone_parts),
    Mutant("core/packed_blocks.cuh", "missing = QUARTER - 1 - (gaps - 1) % QUARTER;", "missing = 0;", packs),
    Mutant("core/packed_blocks.cuh", "byte_of(sums.more - sums.bytes, quarter)", "byte_of(sums.more, quarter)", packs),
    Mutant("core/packed_blocks.cuh", "if (!quotients) ahead.words[0] = ~0u;", "", packs),
    Mutant("core/packed_blocks.cuh", "flip(~(blockDim.x >> 31))", "flip(blockDim.x)", packs),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "later && columns[OF_LANE - 1] >= limit", "columns[OF_LANE - 1] >= limit", first_vertices),
    Mutant("core/packed_rows.cuh", ": 32 * (1 + blocks);", ": 32 * blocks;", products),
    Mutant("core/packed_rows.cuh", "__shfl_sync(ALL_LANES, own, 1 + b)", "__shfl_sync(ALL_LANES, own, b)", products),
    Mutant("core/packed_rows.cuh", "exact ? Segment(rows, end - 1).entries", "exact ? Segment(rows, begin).entries", packs),
    Mutant("core/packed_lookup.cuh", "if (t + i < limit) last +=", "last +=", judges),
    Mutant("core/packed_lookup.cuh", "if (static_cast<Column>(first) == column) return 0;", "", ranges),
    Mutant("core/packed_rows.cuh", "if (at < from) return stream + at;", "if (at + 64 < from) return stream + at;", behind),
    Mutant("core/packed_rows.cuh", "at < to ? host + at", "at < to - 200 ? host + at", behind),
    Mutant("core/packed_rows.cuh", "stream + (at - apart)", "stream + (at - apart - 1)", behind),
    Mutant("matrix/pack_block.cuh", "static_cast<Word>(here[i] - before - 1) : 0;", "static_cast<Word>(here[i] - before) : 0;", packs),
    Mutant("matrix/pack_block.cuh", "bytes - least <= MOST_BYTES", "true", codes),
    Mutant("matrix/pack_block.cuh", "!too_many && ", "", codes),
    Mutant("matrix/pack_block.cuh", "bits < best", "bits > best + 1", codes),
    Mutant("matrix/pack_block.cuh", "mean > 1 ? mean - 1 : 0", "mean + 1", codes),
    Mutant("matrix/pack_block.cuh", "end += running_sum<QUARTER / OF_LANE>(ends);", "", packs),
    Mutant("matrix/pack_block.cuh", "            ++ends;\n", "", packs),
    Mutant("matrix/pack_block.cuh", "if (const Word second = apart ? three[1] : low; second != 0) atomicOr(to + 1, second);", "", packs),
    Mutant("matrix/pack_block.cuh", "if (apart && three[2] != 0) atomicOr(to + 2, three[2]);", "", codes),
    Mutant("matrix/pack_block.cuh", "lanes * quarter;", "0;", codes),
    Mutant("matrix/pack_block.cuh", "sums[w / 2] >> 16 * (w % 2)", "sums[w / 2] >> 0", codes),
    Mutant("matrix/pack_block.cuh", "for (int i = 1 + lane_id(); i < here; i += 32) room[i] = 0;", "", packs),
    Mutant("matrix/pack_block.cuh", "room[0] = end % 32 > 0 ? room[here - 1] : 0;", "room[0] = 0;", packs),
    Mutant("matrix/pack_block.cuh", "room[0] = begin > 0 ? widths << (32 - begin) : 0;", "room[0] = 0;", codes),
    Mutant("matrix/pack_rows.cuh", "first[i] = length > 1 ? column : ~column;", "first[i] = length > 2 ? column : ~column;", searches),
    Mutant("matrix/pack_rows.cuh", "const long long place = before + begins[number];", "const long long place = begins[number];", packs),
    Mutant("matrix/plain_rows.cuh", "before &= next == 31 ? 0 : ALL_LANES << (next + 1);", "", packs),
    Mutant("matrix/plain_rows.cuh", "before & ((1u << next) - 1);", "before;", packs),
    Mutant("matrix/pack_rows.cuh", "if (from + here == all) end", "if (false) end", codes),
    Mutant("matrix/pack_rows.cuh", "writer.low_bits_of(gaps, here, width, room + first - at);", "writer.low_bits_of(gaps, here, width, room);", packs),
    Mutant("matrix/pack_rows.cuh", "if (group.gaps > QUARTER) widths[i] = wide;", "widths[i] = 31;", packs),
    Mutant("matrix/plain_rows.cuh", "share.total - base < 32 ? share.total - base - 1 : 31", "31", packs),
    Mutant("matrix/pack_rows.cuh", "SEGMENT_SHARES * static_cast<long long>(s) + b / PACKED_GAPS", "SEGMENT_SHARES * static_cast<long long>(s)", packs),
    Mutant("matrix/pack_rows.cuh", "from > 0 ? columns[-1] : Index(-1)", "Index(-1)", judges),
    Mutant("matrix/pack_rows.cuh", "static_cast<Z>(from[i]) + more;", "static_cast<Z>(from[i]);", grows),
    Mutant("matrix/pack_rows.cuh", "indptr[i + 1] - indptr[i] > least;", "indptr[i + 1] - indptr[i] >= least;", packs),
    Mutant("closure/level_synchronous/packed_state.cuh", "here[i] = i < count ? peek", "here[i] = true ? peek", pushes),
    Mutant("closure/level_synchronous/packed_state.cuh", "vertices += fresh[i];", "", pushes),
    Mutant("core/packed_front.cuh", "    rule.first(own, first, has);\n", "", pushes),
    Mutant("core/packed_front.cuh", "begin < base ? static_cast<Word>(last) : row", "row", packs),
    Mutant("core/packed_front.cuh", "(begin > base ? in_front : 0)", "0", packs),
    Mutant("core/packed_front.cuh", "gap = OF_LANE * (item - begin), all", "gap = OF_LANE * (lane_id() - begin), all", packs),
    Mutant("core/packed_front.cuh", "(begins + (codes ? 32 : 0)) << LOW_BITS", "begins << LOW_BITS", packs),
    Mutant("core/packed_front.cuh", "t >= share.total ? 0 : left", "left", packs),
    Mutant("core/packed_front.cuh", "if (t < share.total) listed[at + t] = item_of(whose, from + t);", "if (t < share.total) listed[at + t] = item_of(whose, from);", pushes),
    Mutant("core/packed_lookup.cuh", "int bit = from + t % QUARTER * width;", "int bit = t % QUARTER * width;", four_at_once),
    Mutant("core/packed_lookup.cuh", "low(begin + low_bits(widths_of, gaps))", "low(low_bits(widths_of, gaps))", four_at_once),
    Mutant("core/packed_lookup.cuh", "at = low + 8 * bytes_before(widths, quarter);", "at = low;", four_at_once),
    Mutant("core/packed_lookup.cuh", "at += quotient + 1;", "at += quotient;", four_at_once),
    Mutant("core/packed_lookup.cuh", "                bit -= 32;\n", "", four_at_once),
    Mutant("core/packed_lookup.cuh", "for (int i = 0; i <= OF_LANE; ++i) next[i]", "for (int i = 0; i < OF_LANE; ++i) next[i]", four_at_once),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", " << warp % sharing * (32 / sharing);", ";", sharing),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "apart = warps / sharing * words;", "apart = 2 * warps / sharing * words;", sharing),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "first = warp / sharing * words;", "first = warp * words;", sharing),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "append_own_lanes(missed, pending)", "append_own_lanes(missed & 0x55555555u, pending)", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "hits &= asks;", "", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "before = running_sum(units) - units;", "before = 0;", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "tail[i + 1], before >> 16", "tail[i + 1], before", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "units_of_tail(tail[i + 1]) << 16", "units_of_tail(tail[i]) << 16", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "held_here = held_next;", "held_here = ALL_LANES;", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "atomicOr(c.next.bits + base + lane_id(), fresh);", "", pulls),
    Mutant("closure/level_synchronous/packed_state.cuh", "rounds[j] = round + !now;", "rounds[j] = round + now;", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "guesses ? asks : guessed ? 0 : hits", "guessed ? 0 : hits", pulls),
    Mutant("closure/level_synchronous/packed_search.cuh", "        guessed = guesses;\n", "        guessed = guessed || guesses;\n", guesses),
    Mutant("closure/level_synchronous/packed_search.cuh", "if (mixed || !pulls) {", "if (!pulls) {", first_vertices),
    Mutant("closure/level_synchronous/packed_search.cuh", "mixed ? pulled_below : rows.n", "pulled_below", first_vertices),
    Mutant("closure/level_synchronous/packed_search.cuh", "if (mixed) grid.wait();", "", first_vertices),
    Mutant("closure/level_synchronous/packed_search.cuh", "edges : pushed_edges) = read(3);", "edges : pushed_edges) = read(3) + (uncounted ? read(1) : 0);", counted_once),
    Mutant("closure/level_synchronous/packed_state.cuh", "body(from + word, those);", "body(word, those);", first_vertices),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "static_cast<Word>(first[i]) < ", "static_cast<Word>(first[i]) + 25 < ", first_vertices),
    Mutant("core/packed_lookup.cuh", "t < limit && last < end;", "t < limit && last + 20 < end;", first_vertices),
    Mutant("closure/level_synchronous/packed_search.cuh", "pulls && !S::reads_vector && !guessed;", "pulls && !guessed;", rings),
    Mutant("closure/level_synchronous/packed_state.cuh", "u = static_cast<typename S::U>(x[k]);", "u = static_cast<typename S::U>(k);", rings),
    Mutant("closure/level_synchronous/packed_search.cuh", " || edges / SEGMENT_ENTRIES + vertices > room;", ";", rings),
    Mutant("closure/level_synchronous/packed_state.cuh", "if (own < words_of(rows.n)) next.bits[own] = fresh;", "", pushes),
    Mutant("closure/level_synchronous/packed_state.cuh", "next.bits[word] = peek(bits + word);", "next.bits[word] = 0;", pushes),
    Mutant("closure/level_synchronous/packed_search.cuh", "search.next.bits[word] = entries & inside(word, rows.n);", "search.next.bits[word] = 0;", searches),
    Mutant("closure/level_synchronous/packed_search.cuh", "if (rounds != nullptr) rounds[j] = 0;", "", searches),
    Mutant("closure/level_synchronous/packed_search.cuh", "else if (begin.bits != nullptr) entries = begin.bits[word];", "", rings),
    Mutant("core/packed_front.cuh", "turn = turn == 0 ? shares - 1 : turn - 1;", "turn = 1;", pushes),
    Mutant("closure/level_synchronous/packed_search.cuh", "mixed ? pulled_below >> 5 : 0);\n            grid.wait();", "mixed ? pulled_below >> 5 : 0);", pushes),
    Mutant("spmv/packed_pull.cuh", "if (asked) gather.column(mine, j, 0, first);", "", products),
    Mutant("spmv/packed_pull.cuh", "if (asked && gaps <= FEW_GAPS) {", "if (asked && gaps < FEW_GAPS) {", products),
    Mutant("spmv/packed_pull.cuh", "if (lane_id() == lane && part.has) mine.fold(part.value);", "if (lane_id() == lane && part.has) mine = part;", products),
    Mutant("spmv/packed_pull.cuh", "s = start + warp; s < last", "s = start + 2 * warp; s < last", products),
    Mutant("spmv/packed_pull.cuh", "mine += has && at < 0;", "mine += has && at < 0 && lane_id() == 1;", judges),
    Mutant("spmv/packed_pull.cuh", "if (lane_id() == lane) at = there;", "if (lane_id() == lane) at = 0;", judges),
    Mutant("spmv/packed_pull.cuh", "gather.columns(mine, j, 1 + t, columns", "gather.columns(mine, j, t, columns", weighted_products),
    Mutant("spmv/packed_pull.cuh", "1 + OF_LANE * lane_id(), columns", "OF_LANE * lane_id(), columns", weighted_products),
    Mutant("spmv/packed_pull.cuh", "(s - start) * SEGMENT_ENTRIES + at, columns", "at, columns", weighted_products),
    Mutant("spmv/packed_pull.cuh", "values.of(j, at + i)", "values.of(j, at)", weighted_products),
    Mutant("spmv/packed_pull.cuh", "1 + lanes.at, columns, count", "lanes.at, columns, count", weighted_products),
    Mutant("core/packed_front.cuh", "i <= lane_id() / FEW_LANES", "i < lane_id() / FEW_LANES", weighted_products),
    Mutant("core/fold.cuh", "distance = WIDTH / 2", "distance = 16", weighted_products),
    Mutant("spmv/packed_pull.cuh", "i < count ? ALL_LANES : 0", "ALL_LANES", weighted_products),
    Mutant("spmv/packed_pull.cuh", "? at + 1 : -1;", "? at : -1;", weighted_judges),
    Mutant("spmv/packed_pull.cuh", "if (at >= 0) out.values[j]", "out.values[j]", weighted_judges),
    Mutant("core/packed_lookup.cuh", "mine = at + c;", "mine = at;", weighted_judges),
    Mutant("core/packed_lookup.cuh", "(s - begin) * SEGMENT_ENTRIES + found", "found", weighted_judges),
    Mutant("core/packed_weights.cuh", "weights[begins[j] + static_cast<Offset>(at)]", "weights[begins[j]]", weighted_products),
    Mutant("core/packed_scan.cuh", "j < rows.n && wants(j))", "j < rows.n && wants(j) && lane_id() != 5)", packs),
    Mutant("core/packed_front.cuh", "Index(1 + gap)", "Index(gap)", packs),
    Mutant("core/packed_rows.cuh", "PACKED_GAPS * (b + which) + t + part", "PACKED_GAPS * (b + which) + t", weighted_products),
    Mutant("core/packed_scan.cuh", "next_at = __shfl_sync(ALL_LANES, of_row, lane);", "next_at = 0;", packs),
    Mutant("core/packed_scan.cuh", "upper && (asking & 1u) ? later : waiting;", "later;", packs),
    Mutant("core/packed_scan.cuh", "waiting = asking == ALL_LANES ? later & (later - 1) : later;", "waiting = later;", mirrors),
    Mutant("core/packed_scan.cuh", "from += here.bits();", "", packs),
    Mutant("core/packed_scan.cuh", "if (!full) low = ", "if (false) low = ", packs),
    Mutant("core/packed_scan.cuh", "lane_id() | (SCAN_LANES - 1));", "31);", packs),
    Mutant("core/packed_scan.cuh", "left + t > PACKED_GAPS ? *head : 0;", "*head;", falls),
    Mutant("core/packed_scan.cuh", "last = words[0], widths = words[1];", "last = 0, widths = words[1];", packs),
    Mutant("core/packed_scan.cuh", "left -= PACKED_GAPS, at += PACKED_GAPS;", "left -= PACKED_GAPS;", packs),
    Mutant("core/packed_scan.cuh", "own < segments && wants(row)", "own < segments && !wants(row)", packs),
    Mutant("matrix/check_packed.cuh", "[&](Index, Index column) { mine += column < 0 || column >= n; }", "[&](Index, Index) {}", checks),
    Mutant("matrix/check_packed.cuh", "found[i] < 0 || found[i] >= n", "found[i] < 0", checks),
    Mutant("matrix/check_packed.cuh", "eight >= 0 && eight <= left", "false", falls),
    Mutant("matrix/check_packed.cuh", "later ? four :", "later ? -1 :", falls),
    Mutant("matrix/check_packed.cuh", ": place > 0 ? left : turn;", ": place > 0 ? left : -1;", falls),
    Mutant("matrix/check_packed.cuh", "at == 0 ? -1 : Segment(rows, rows.segments[j] + at / SEGMENT_ENTRIES).before();", "-1;", falls),
    Mutant("matrix/check_packed.cuh", "last = first_column(rows.first[j]);", "last = -1;", falls),
    Mutant("matrix/check_packed.cuh", "if (place > 0) last = -1;", "if (false) last = -1;", falls),
    Mutant("matrix/check_packed.cuh", "if (at == 0) mine += found[0] != first_column(rows.first[j]);", "", checks),
    Mutant("matrix/check_packed.cuh", "mine += Segment(rows, next).before() != found[OF_LANE - 1];", ";", checks),
    Mutant("matrix/check_packed.cuh", "if (ahead == 0) return false;", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "if (at > end) return false;", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "if (bits_from(block, at) >> 31 != 0) return false;", ";", lone_parts),
    Mutant("matrix/check_packed.cuh", "!bounds.holds(at, (end + 31) / 32) || ", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "entries < 1 || ", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "entries > SEGMENT_ENTRIES || ", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "!bounds.holds(at, 1 + blocks) || ", "", parts),
    Mutant("matrix/check_packed.cuh", "at <= words - count;", "at + count <= words;", parts),
    Mutant("matrix/check_packed.cuh", "bounds.holds(begin, all) && ", "", parts),
    Mutant("matrix/check_packed.cuh", " || (s == 0 && at != 0)", "", lone_parts),
    Mutant("matrix/check_packed.cuh", " || !right_quotients(words, bits, words[1 + b], gaps)", "", parts),
    Mutant("matrix/check_packed.cuh", "(last || entries == SEGMENT_ENTRIES)", "true", parts),
    Mutant("matrix/check_packed.cuh", "mine += column < 0 || column >= bounds.n;", "", parts),
    Mutant("matrix/check_packed.cuh", "begin >= end || ", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "begin < 0 || ", "", parts),
    Mutant("matrix/check_packed.cuh", " || begin >= bounds.segments", "", lone_parts),
    Mutant("matrix/check_packed.cuh", "return (rows.first[i] < 0) == (rows.segment[begin] >> FROM_COUNT == 1);", "return true;", parts),
    Mutant("matrix/check_packed.cuh", "mine += !right_segment(rows, bounds, s);", "", parts),
    Mutant("matrix/check_packed.cuh", "found += static_cast<long long>(rows.segment[s] >> FROM_COUNT);", "", parts),
    Mutant("matrix/check_packed.cuh", "bool right = gaps <= PACKED_GAPS;", "bool right = true;", parts),
    Mutant("matrix/check_packed.cuh", "right_quotients(block.words, static_cast<int>(block.from), block.widths, gaps);", "true;", parts),
    Mutant("matrix/check_packed.cuh", "(g > 0 || bounds.segments > 0 || begin == 0)", "true", lone_parts),
    Mutant("matrix/check_packed.cuh", "own == UNITS * (1 + (bits_of_block(block.widths, gaps) + 31) / 32)", "true", lone_parts),
    Mutant("matrix/check_packed.cuh", "right &= rest <= PACKED_WIDEST;", ";", lone_parts),
    Mutant("matrix/check_packed.cuh", "right &= (rows.first[rows.n_long + i] < 0) == (gaps == 0);", ";", parts),
    Mutant("matrix/check_packed.cuh", "begin + all == bounds.group(rows, g + 1)", "true", parts),
    Mutant("matrix/check_packed.cuh", "found += has ? gaps + 1 : 0;", "found += gaps + 1;", parts),
    Mutant("matrix/mirror_sums.cuh", "word ^= word >> 32;", "", mirrors),
    Mutant("matrix/mirror_sums.cuh", "static_cast<T>(value + T(0))", "value", mirrors),
    Mutant("matrix/mirror_sums.cuh", "below += keys.number(j, i, value);", "below += keys.number(i, j, value);", mirrors),
    Mutant("matrix/mirror_sums.cuh", "else ++loops;", "", mirrors),
    Mutant("matrix/mirror_sums.cuh", "stride == 0 ? Offset(0) : e", "Offset(0)", mirrors),
    Mutant("matrix/mirror_sums.cuh", "begins == nullptr ? Offset(0) : begins[i] + static_cast<Offset>(at)", "begins == nullptr ? Offset(0) : begins[i]", mirrors),
    Mutant("matrix/mirror_sums.cuh", "mine.add(i, j, value(i, 0));", "", mirrors),
    Mutant("matrix/mirror_sums.cuh", "if (c < count) mine.add(i, columns[c], value(i, at + c));", "mine.add(i, columns[c], value(i, at + c));", mirrors),
    Mutant("fused/packed_components.cuh", "i < count && parent[found[i]] != parent[j]", "i < count && parent[found[i]] == parent[j]", components),
    Mutant("fused/packed_components.cuh", "parent[v] != *largest && rows.first[v] >= 0", "parent[v] == *largest && rows.first[v] >= 0", components),
    Mutant("fused/packed_components.cuh", "parent[v] != *largest && rows.first[v] >= 0", "parent[v] != *largest && rows.first[v] < 0", components),
    Mutant("generate/end_buckets.cuh", "atomicAdd(loops + u, 1u);", "", ranges),
    Mutant("generate/edge_ranges.cuh", "~degrees[u]", "degrees[u]", ranges),
    Mutant("generate/end_buckets.cuh", "if (kept != nullptr) kept[number] = edge;", "", ranges),
    Mutant("generate/kronecker_edges.cuh", "at -= before(j - 1) > before(i);", "at -= 0;", names_alike),
    Mutant("generate/kronecker_edges.cuh", "at += before(j) < before(i);", "at += 0;", names_alike),
    Mutant("generate/end_buckets.cuh", "else atomicAdd(degrees + one, 1u);", "", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "if ((old >> half & 0xffff) != TOP - 1) continue;", "continue;", full_counters),
    Mutant("generate/end_buckets.cuh", "0u - (TOP << half)", "0u - TOP", full_counters),
    Mutant("generate/end_buckets.cuh", "atomicAdd(degrees + (lowest + end[i]), TOP);", "", full_counters),
    Mutant("generate/end_buckets.cuh", "old + here <= room_here", "old <= room_here", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "else if (old < room_here) lost[b] = room_here - old;", "", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "- begin - lost[bucket];", "- begin;", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "taken[bucket] < room ? taken[bucket] : room", "taken[bucket]", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "+ (blockIdx.x % spans << bits)", "", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "if (end[i] >> bits != 0) continue;", "if (end[i] == NO_END) continue;", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "held - first < each ? held : first + each", "held", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "begin + old + TILE - counts[b]", "begin + TILE - counts[b]", ends_in_buckets),
    Mutant("generate/end_buckets.cuh", "if (threadIdx.x == 0) counts[buckets] = total;", "", ends_in_buckets),
    Mutant("generate/edge_ranges.cuh", "to[second_end(kept[e])]);", "second_end(kept[e]));", ranges),
    Mutant("generate/edge_ranges.cuh", "atomicMin(least(v), first_end(of_u));", "atomicMin(least(v), first_end(of_u) + 1);", ranges),
    Mutant("generate/edge_ranges.cuh", "if (first && first_end(of_v) < second_end(of_u)) atomicMin(least(u), first_end(of_v));", "", ranges),
    Mutant("generate/edge_ranges.cuh", "(!first && !second)", "!first || !second", ranges),
    Mutant("generate/edge_ranges.cuh", "second = shorter >> drawing.ones(v) & 1u;", "second = first;", ranges),
    Mutant("generate/edge_ranges.cuh", "pair_of(first_end(keys[i]), least[i])", "pair_of(first_end(keys[i]), 0)", ranges),
    Mutant("generate/edge_ranges.cuh", "begin + order[i - begin]]", "order[i - begin]]", ranges),
    Mutant("generate/edge_ranges.cuh", "+= 2 * looped;", "+= looped;", ranges),
    Mutant("generate/row_range.cuh", "if (!own.has(i)) return false;", "", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "if (i % size != rank) continue;\n        ids[i / size] = name;", "if (i % size != rank) continue;\n        ids[i / size] = i;", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "at % size == rank) ends[at / size]", "at % size == rank) ends[at / size / 2]", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "looped > 0 && at % size == rank", "looped > 0", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "partition_point(connected, at,", "partition_point(Index(0), at,", lone_loops),
    Mutant("generate/edge_ranges.cuh", "if (i < connected) place[name] = static_cast<Index>(i);", "place[name] = 0;", ranges),
    Mutant("generate/packed_account.cuh", "if (row % size != rank) return false;", "if (row % size != rank) return true;", ranges_of_parts),
    Mutant("generate/row_range.cuh", "at >= begin && at < end;", "at >= begin && at <= end;", ranges),
    Mutant("matrix/coordinates.cuh", "first + static_cast<Index>(i))", "static_cast<Index>(i))", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "begins[i] - begins[begin] < b * apart", "begins[i] < b * apart", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "apart == 0 ? begin + b", "apart == 0 ? begin", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "before[bucket] - all", "before[bucket]", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "OCTAVE_SLOTS * octave) << octave;", "OCTAVE_SLOTS * octave) << (octave + 1);", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "(row - first) >> shift", "row >> shift", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "slots[slot], slots[slot + 1], row", "slots[slot], slots[slot], row", slots),
    Mutant("generate/row_buckets.cuh", "bounds[bucket] <= row", "bounds[bucket] < row", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "counts[bucket] + (places[i] & 0xffff)", "counts[bucket]", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "static_cast<Count>(here)) - before;", "static_cast<Count>(here));", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "number(i) < count ? drawing.drawn(number(i)) : 0", "drawing.drawn(number(i))", ranges),
    Mutant("generate/row_buckets.cuh", "number(i) < count ? drawing.kept[number(i)] : 0", "drawing.kept[number(i)]", ranges_in_buckets),
    Mutant("generate/kronecker_edges.cuh", "1u << ones(u[i]) | ", "", ranges_in_buckets),

    Mutant("generate/edge_ranges.cuh", "if (value > peek(high + of))", "if (value < peek(high + of))", ranges_in_buckets),
    Mutant("generate/edge_ranges.cuh", "atomicMin(least + threadIdx.x, low[threadIdx.x]);", "least[threadIdx.x] = low[threadIdx.x];", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "row(i) != column(i) && rows.has(row(i))", "rows.has(row(i))", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "pairs + (at - spare)", "pairs + at", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "at < spare ? in_spare", "at <= spare ? in_spare", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "__syncthreads();\n        const unsigned total = reserve(count, ends);", "const unsigned total = reserve(count, ends);", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "    __syncthreads();\n    sort.add_up(count);", "    sort.add_up(count);", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "turn % tiles * TILE;", "turn % tiles;", ranges_in_buckets),
    Mutant("generate/row_buckets.cuh", "buckets - first < each ? buckets - first : each", "each", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "slot[i] = bin << 16 | sort.add(bin);", "slot[i] = bin << 16, sort.add(bin);", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "|| (sort.columns[other] == column[i] && other < at)", "", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "is_first || columns[at] != columns[at - 1]", "columns[at] != columns[at - 1]", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "is_first || columns[at] != columns[at - 1]", "true", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "(end - sum + low) << 16", "(end - sum) << 16", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "before[word] = upto - own;", "before[word] = upto;", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "columns[base + sort.rank_of(at)]", "columns[base + at]", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "bucket == buckets.pieces - 1", "false", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "indptr += first - first_rows[0];", "", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "begins += first - first_rows[0];", "", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "__umulhi(share_before(sort.shares, column[i]), end - begin)", "(end - begin)", ranges_in_buckets),
    Mutant("generate/bucket_sort.cuh", "shares[knot + 1] - low, high << 4", "~low, high << 4", ranges_in_buckets),
    Mutant("generate/packed_account.cuh", "int(position_of(rows, u, v) < 0) + int(position_of(rows, v, u) < 0)", "0", accounts),
    Mutant("generate/packed_account.cuh", "return at == end || indices[at] != j;", "return false;", accounts),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
