# ruff: noqa: E501  (mutants of one line)
"""Packed rows and what runs over them, and rows of Kronecker graphs made range by range, broken in
the lines that matter."""

from __future__ import annotations

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.convert.packed_arrays import PackedArrays
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.generate.generators import Draw
from lagraph_gpu.generate.kronecker_rows import DrawnRows, PartOfRows, drawn_rows
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.closure.packed_search import PackedSearches
from lagraph_gpu.gpu.generate import kronecker_rows
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.gpu.storage.packed_rows import Packer
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules
from semirings import SEMIRINGS, any_pair, any_secondi, min_first
from tests.harness import CPU
from tests.simt.exercises import SEEDS, emulated, gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite

N, LAST = 1290, 1260
"""Vertices, and those that may have edges."""
ROWS = [1180, *[131] * 31, 129, 128, 66, 65, 64, 34, 33, 32, 31, 20, 10, 9, 8]
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
    """With few warps; or, in pushes, with so many that a segment is shared by some of them."""
    backend = emulated(1, blocks=8 if direction == "push" else 3, blocking=True)
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
                x, when = closure_with_steps(start, K.A, ring, most, schedule)
                other, wanted = closure_with_steps(start, H.A, ring, most)
                assert when.isequal(wanted) and x.nvals == other.nvals
                if ring is not any_secondi:
                    assert x.isequal(other)
        assert K.A._store.stays_packed


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
        assert lg.connected_components(K).isequal(lg.connected_components(H))
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


def longest_part(arrays: PackedArrays) -> int:
    """The words of the longest segment or group of short rows."""
    starts = np.r_[arrays.segment & np.uint64((1 << 48) - 1), arrays.groups.astype(np.uint64)]
    return int(np.diff(np.r_[starts, arrays.stream.size - 2].astype(np.int64)).max())


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
    host = device.behind(arrays.stream.size, np.uint32)
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
    """Rows made range by range are those that are joined on the host; a missing edge is found."""
    with pytest.MonkeyPatch.context() as patch:
        for seed, each in ((0, None), (1, 900)):
            patch.setattr(kronecker_rows.DeviceRows, "range_entries", each)
            for draw in DRAWS:
                wanted = DrawnRows(draw, CPU)
                # Offsets of 64 bits while duplicates are counted, and of 32 without them.
                few = wanted.graph.A.nvals + 1
                patch.setattr(
                    vector_storage, "FEW_ENTRIES", few if each else vector_storage.POSITIONS
                )
                for packed in (False, True):
                    made = DrawnRows(draw, gpu(seed), packed)
                    assert made.graph.A._store.offset == np.int32
                    assert made.differences(draw.count) == 0
                    np.testing.assert_array_equal(made.ends.to_dense(), wanted.ends.to_dense())
                    ids = made.graph.ids, wanted.graph.ids
                    np.testing.assert_array_equal(*(v.to_dense() for v in ids))
                    same(made.graph.A, wanted.graph.A)


def ranges_of_parts() -> None:
    """So are the rows of a part, from each of three processes; they are all of the edges that it
    counts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kronecker_rows.DeviceRows, "range_entries", 900)
        draw = DRAWS[0]
        wanted = DrawnRows(draw, CPU)
        row, column, _ = wanted.graph.A.to_coo()
        ids, ends = wanted.graph.ids.to_dense(), wanted.ends.to_dense()
        for rank in range(3):
            backend = gpu(rank)
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


EXERCISES = (
    packs,
    grows,
    searches,
    pushes,
    pulls,
    rings,
    products,
    components,
    checks,
    behind,
    judges,
    ranges,
    ranges_of_parts,
    accounts,
)

MUTANTS = [
    Mutant("core/packed_rows.cuh", "widths >> 8 * quarter & 255u);", "widths >> 8 * quarter & 7u);", packs),
    Mutant("core/packed_rows.cuh", "0x0101010100ull", "0x0101010000ull", packs),
    Mutant("core/packed_rows.cuh", "(rest * width_of(widths, full) + 31) / 32", "rest * width_of(widths, full) / 32", packs),
    Mutant("core/packed_rows.cuh", "steps[i] = t < gaps ? gap_at(block, widths, gaps, t) + 1 : 0;", "steps[i] = t < gaps ? gap_at(block, widths, gaps, t) : 0;", packs),
    Mutant("core/packed_rows.cuh", "columns[i] += last + static_cast<Index>(end - sum);", "columns[i] += last + static_cast<Index>(end);", packs),
    Mutant("core/packed_rows.cuh", "last += static_cast<Index>(__shfl_sync(ALL_LANES, end, 31));", "", packs),
    Mutant("core/packed_rows.cuh", "if (gaps > QUARTER) widths = *block++;", "if (gaps > QUARTER) widths = *block;", packs),
    Mutant("core/packed_rows.cuh", "before = running_sum(own) - own;", "before = running_sum(own);", packs),
    Mutant("core/packed_rows.cuh", "block += words_before(widths, 4);", "block += words_before(widths, 3);", packs),
    Mutant("core/packed_rows.cuh", "b + 2 <= blocks ? b + 2 : 0", "b + 1", packs),
    Mutant("core/packed_rows.cuh", "length += Segment(rows, end - 1).entries - SEGMENT_ENTRIES;", "length += Segment(rows, begin).entries - SEGMENT_ENTRIES;", packs),
    Mutant("core/packed_rows.cuh", "hits[i] = t + i < limit && test(columns[i]);", "hits[i] = t + i + 1 < limit && test(columns[i]);", judges),
    Mutant("core/packed_rows.cuh", "if (static_cast<Column>(last) == column) return true;", "", ranges),
    Mutant("core/packed_rows.cuh", "if (at < from) return stream + at;", "if (at + 64 < from) return stream + at;", behind),
    Mutant("core/packed_rows.cuh", "at < to ? behind + at", "at <= to ? behind + at", behind),
    Mutant("core/packed_rows.cuh", "at < to ? behind + at", "at < to - 200 ? behind + at", behind),
    Mutant("core/packed_rows.cuh", "stream + (at - apart)", "stream + (at - apart - 1)", behind),
    Mutant("matrix/pack_rows.cuh", "columns[t] - (t > 0 ? columns[t - 1] : last) - 1", "columns[t] - (t > 0 ? columns[t - 1] : last)", packs),
    Mutant("matrix/pack_rows.cuh", "32 - __clz(static_cast<int>(most))", "31 - __clz(static_cast<int>(most))", packs),
    Mutant("matrix/pack_rows.cuh", "if (bits >> 32 != 0) atomicOr(low + 1, static_cast<Word>(bits >> 32));", "", packs),
    Mutant("matrix/pack_rows.cuh", "for (int i = lane_id(); i < words; i += 32) room[i] = 0;", "", packs),
    Mutant("matrix/pack_rows.cuh", "first[i] = length > 1 ? column : ~column;", "first[i] = length > 2 ? column : ~column;", searches),
    Mutant("matrix/pack_rows.cuh", "groups[group] = before + begins[group];", "groups[group] = begins[group];", packs),
    Mutant("matrix/pack_rows.cuh", "from > 0 ? columns[-1] : Index(-1)", "Index(-1)", judges),
    Mutant("matrix/pack_rows.cuh", "static_cast<Z>(from[i]) + more;", "static_cast<Z>(from[i]);", grows),
    Mutant("matrix/pack_rows.cuh", "indptr[i + 1] - indptr[i] > least;", "indptr[i + 1] - indptr[i] >= least;", packs),
    Mutant("closure/level_synchronous/packed_state.cuh", "fresh[i] = i < count && !held(j[i]);", "fresh[i] = !held(j[i]);", pushes),
    Mutant("core/packed_front.cuh", "rule.first(own, first, has);", "", pushes),
    Mutant("core/packed_front.cuh", "if (t < share.total) listed[at + t] = item_of(whose, from + t);", "if (t < share.total) listed[at + t] = item_of(whose, from);", pushes),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "const bool hit = hits >> i & 1u, missed = (asks & ~hits) >> i & 1u && first[i] >= 0;", "const bool hit = hits >> i & 1u, missed = false;", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "(base + i) << 5 < c.rows.n_long ? 0 : ShortRows(c.rows, base + i).before", "0", pulls),
    Mutant("closure/level_synchronous/packed_bottom_up.cuh", "atomicOr(c.next.bits + base + lane_id(), fresh);", "", pulls),
    Mutant("closure/level_synchronous/packed_state.cuh", "put(j, k);\n        if (rounds != nullptr) rounds[j] = round;", "put(j, k);\n        if (rounds != nullptr) rounds[j] = round + 1;", pulls),
    Mutant("closure/level_synchronous/packed_state.cuh", "u = static_cast<typename S::U>(x[k]);", "u = static_cast<typename S::U>(k);", rings),
    Mutant("closure/level_synchronous/packed_search.cuh", " || edges / SEGMENT_ENTRIES + vertices > room;", ";", rings),
    Mutant("closure/level_synchronous/packed_state.cuh", "if (own < words_of(rows.n)) next.bits[own] = fresh;", "", pushes),
    Mutant("closure/level_synchronous/packed_state.cuh", "next.bits[word] = peek(bits + word);", "next.bits[word] = 0;", pushes),
    Mutant("closure/level_synchronous/packed_search.cuh", "search.next.bits[word] = entries & inside(word, rows.n);", "search.next.bits[word] = 0;", searches),
    Mutant("closure/level_synchronous/packed_search.cuh", "if (rounds != nullptr) rounds[j] = 0;", "", searches),
    Mutant("closure/level_synchronous/packed_search.cuh", "else if (begin.bits != nullptr) entries = begin.bits[word];", "", rings),
    Mutant("core/packed_front.cuh", "turn = turn == 0 ? shares - 1 : turn - 1;", "turn = 1;", pushes),
    Mutant("closure/level_synchronous/packed_search.cuh", "search.push_words();\n            grid.wait();", "search.push_words();", pushes),
    Mutant("spmv/packed_pull.cuh", "if (asked) gather.column(mine, j, first);", "", products),
    Mutant("spmv/packed_pull.cuh", "if (asked && gaps <= FEW_GAPS) {", "if (asked && gaps < FEW_GAPS) {", products),
    Mutant("spmv/packed_pull.cuh", "if (lane_id() == lane && part.has) mine.fold(part.value);", "if (lane_id() == lane && part.has) mine = part;", products),
    Mutant("spmv/packed_pull.cuh", "s = rows.segments[j] + warp; s < last", "s = rows.segments[j] + 2 * warp; s < last", products),
    Mutant("spmv/packed_pull.cuh", "mine += has && !found;", "mine += has && !found && is_long;", judges),
    Mutant("spmv/packed_pull.cuh", "if (lane_id() == lane) found = there;", "if (lane_id() == lane) found = true;", judges),
    Mutant("core/packed_scan.cuh", "j < rows.n && wants(j))", "j < rows.n && wants(j) && lane_id() != 5)", packs),
    Mutant("core/packed_front.cuh", "Index(1 + OF_LANE * lane_id())", "Index(OF_LANE * lane_id())", packs),
    Mutant("core/packed_scan.cuh", "            at += PACKED_GAPS;", "", packs),
    Mutant("core/packed_scan.cuh", "(s - rows.segments[j]) * SEGMENT_ENTRIES + ", "", packs),
    Mutant("core/packed_scan.cuh", "if (!wants(j)) continue;", "if (wants(j)) continue;", packs),
    Mutant("matrix/pack_rows.cuh", "mine += column < 0 || column >= n;", "", checks),
    Mutant("matrix/pack_rows.cuh", "found[i] < 0 || found[i] >= n", "found[i] < 0", checks),
    Mutant("fused/packed_components.cuh", "i < count && parent[found[i]] != parent[j]", "i < count && parent[found[i]] == parent[j]", components),
    Mutant("fused/packed_components.cuh", "parent[v] != *largest && rows.first[v] >= 0", "parent[v] == *largest && rows.first[v] >= 0", components),
    Mutant("fused/packed_components.cuh", "parent[v] != *largest && rows.first[v] >= 0", "parent[v] != *largest && rows.first[v] < 0", components),
    Mutant("fused/packed_components.cuh", "bits[word] = inside(word, n);", "", components),
    Mutant("generate/edge_ranges.cuh", "atomicAdd(loops + u, 1u);", "", ranges),
    Mutant("generate/edge_ranges.cuh", "~degrees[u]", "degrees[u]", ranges),
    Mutant("generate/edge_ranges.cuh", "degrees[u] + 2 * loops[u]", "degrees[u] + loops[u]", ranges),
    Mutant("generate/edge_ranges.cuh", "pair_of(own.at(v) - begin, u)", "pair_of(own.at(v), u)", ranges),
    Mutant("generate/edge_ranges.cuh", "return own.has(i) && static_cast", "return static_cast", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "if (i % size != rank) continue;\n        ids[i / size] = name;", "if (i % size != rank) continue;\n        ids[i / size] = i;", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "if (at % size == rank) ends[at / size]", "if (at % size == rank) ends[at / size / 2]", ranges_of_parts),
    Mutant("generate/packed_account.cuh", "if (row % size != rank) return false;", "if (row % size != rank) return true;", ranges_of_parts),
    Mutant("generate/edge_ranges.cuh", "if (u != v) mine += int(inside(u)) + int(inside(v));", "if (u != v) mine += int(inside(u));", ranges),
    Mutant("generate/edge_ranges.cuh", "number < count ? drawing.edge(number) : 0", "drawing.edge(number)", ranges),
    Mutant("generate/packed_account.cuh", "int(!holds(rows, u, v)) + int(!holds(rows, v, u))", "0", accounts),
    Mutant("generate/packed_account.cuh", "return at == end || indices[at] != j;", "return false;", accounts),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
