// The triangles of a large graph whose rows are short, with one random read of 64 bytes for each edge.
//
// As in short_row_triangles.cuh a triangle u > v > w is found at its edge (u, v). Where rows lie is not looked up: an
// edge reads the fingerprints of v (row_fingerprints.cuh). A warp marks those of some rows u in a filter; a
// fingerprint of v that the filter holds is doubtful, and so is what follows the 32nd. Only there the rows
// themselves are read.
//
// Where most edges lead to vertices of about the same number, the caches hold what is read, and these kernels leave
// the graph to the other one before they have read it (sampled_entries.cuh).
//
// O(m d) for m edges and rows of at most d columns. See docs/decisions/spgemm.md.
#pragma once
#include "fused/found_triangles.cuh"
#include "fused/row_fingerprints.cuh"

constexpr int ROWS_AHEAD = 2;  // rows that a warp marks together

// An edge (u, v), where u is this row of the warp.
struct RowEdge {
    Index v, row;
};

// An edge (u, v) whose column in this slot of v may be one of u, too.
struct DoubtfulEdge {
    Index u, v, slot;
};

template <class Offset, int ROWS> struct FingerprintedRows {
    static constexpr int TOGETHER = 32 / READERS;  // edges that are read at once
    static constexpr int WAITING = 32 * (ROWS_AHEAD + 1), DOUBTS = 64;

    Structure<Offset> rows;
    const Fingerprint* prints;
    FingerprintFilter<ROWS> filter;
    RowEdge* waiting;
    DoubtfulEdge* doubtful;
    FoundTriangles found;
    Index first_row = 0;
    int waits = 0, doubts = 0;

    template <class Edge> __device__ static void list(Edge* edges, int& count, bool has, Edge edge) {
        const Word those = __ballot_sync(ALL_LANES, has);
        if (has) edges[count + __popc(those & lanes_below())] = edge;
        count += __popc(those);
    }

    // Counts the triangles at the edges of `some` rows, but for those that are doubtful.
    __device__ void count_rows(Index some) {
        const NeighbouringRows<Offset> those(rows, first_row, some);
        Index columns[ROWS_AHEAD], row = 0;
        Offset past = 0;
        those.read(row, past, columns);
        while (row < some || waits > 0) {
            if (waits >= 32 || row >= some) {
                look();
                continue;
            }
            bool further = false;
#pragma unroll
            for (int i = 0; i < ROWS_AHEAD; ++i) {
                const Index v = columns[i];
                const bool below = v < first_row + row + i;
                if (below) filter.add(row + i, fingerprint(v));
                list(waiting, waits, below && (past > 0 || lane_id() > 0), RowEdge{v, row + i});
                further |= below;
            }
            further = __shfl_sync(ALL_LANES, further, 31);
            past = further ? past + 32 : 0;
            row += further ? 0 : ROWS_AHEAD;
            those.read(row, past, columns);
        }
    }

    // Asks the filter for the fingerprints of 32 of the edges that wait, or of all.
    __device__ void look() {
        __syncwarp();  // what waits and what is marked was written by others
        const int some = waits < 32 ? waits : 32, place = lane_id() % READERS, mine = lane_id() / READERS;
        waits -= some;
        unsigned slots[READERS][OF_READER / 2];
#pragma unroll
        for (int turn = 0; turn < READERS; ++turn) {
            const int k = turn * TOGETHER + mine;
            uint4 read{0, 0, 0, 0};
            if (k < some) read = slots_of(waiting[waits + k].v)[place];
            slots[turn][0] = read.x, slots[turn][1] = read.y, slots[turn][2] = read.z, slots[turn][3] = read.w;
        }
#pragma unroll
        for (int turn = 0; turn < READERS; ++turn) loaded(slots[turn]);
        // Bits are moved by sums and shifts: of conditions, NVRTC 13.0 and 13.5 packed some of others for sm_90.
        unsigned passed = 0, full = 0;  // 8 bits for the slots of each turn; a bit if the last slot is not empty
#pragma unroll
        for (int turn = 0; turn < READERS; ++turn) {
            const int k = turn * TOGETHER + mine;
            passed |= filter.may_hold(k < some ? waiting[waits + k].row : 0, slots[turn]) << OF_READER * turn;
            full |= ((slots[turn][OF_READER / 2 - 1] >> 16) + 0xffffu & 0x10000u) >> (16 - turn);
        }
        if (place != READERS - 1) full = 0;
        while (__any_sync(ALL_LANES, (passed | full) != 0)) {
            const bool has = (passed | full) != 0, of_slot = passed != 0;
            const int bit = __ffs(static_cast<int>(of_slot ? passed : full)) - 1;
            const int turn = of_slot ? bit / OF_READER : bit;
            RowEdge edge{0, 0};
            if (has) edge = waiting[waits + turn * TOGETHER + mine];
            const Index slot = of_slot ? OF_READER * place + bit % OF_READER : PRINTS;
            list(doubtful, doubts, has, DoubtfulEdge{first_row + edge.row, edge.v, slot});
            if (of_slot) passed &= passed - 1;
            else full &= full - 1;
            if (doubts >= 32) resolve();
        }
        __syncwarp();  // before others wait in these places
    }
    __device__ const uint4* slots_of(Index v) const {
        return reinterpret_cast<const uint4*>(prints + static_cast<long long>(v) * PRINTS);
    }

    // Reads the column of the slot of 32 doubtful edges, or of all; and all that follow, if they have no slot.
    __device__ void resolve() {
        __syncwarp();
        const int some = doubts < 32 ? doubts : 32;
        doubts -= some;
        if (lane_id() < some) {
            const DoubtfulEdge edge = doubtful[doubts + lane_id()];
            const Offset at = rows.indptr[edge.v] + edge.slot;
            const Offset end = edge.slot < PRINTS ? at + 1 : rows.indptr[edge.v + 1];
            for (Offset e = at; e < end; ++e) {
                const Index w = rows.indices[e];
                if (w >= edge.v) break;
                if (rows.has(edge.u, w)) found.add(edge.u, edge.v, w);
            }
        }
        __syncwarp();  // before others are listed in these places
    }
};

// Adds the number of triangles to `total`, or that at each vertex to `of_vertex`, which are 0 at first; the other is
// null. A warp takes ROWS rows at a time.
template <class Offset, int ROWS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    fingerprint_triangles(Index n, const Offset* indptr, const Index* indices, SampledEntries sampled,
                          const Fingerprint* prints, unsigned long long* total, long long* of_vertex) {
    if (sampled.near()) return;
    using Rows = FingerprintedRows<Offset, ROWS>;
    constexpr int WARPS = MAX_THREADS / 32, WORDS = FingerprintFilter<ROWS>::WORDS;
    __shared__ Word filters[WARPS][WORDS];
    __shared__ RowEdge waiting[WARPS][Rows::WAITING];
    __shared__ DoubtfulEdge doubtful[WARPS][Rows::DOUBTS];
    Word* const filter = filters[Warp::number()];
    Rows warp{{indptr, indices}, prints, {filter}, waiting[Warp::number()], doubtful[Warp::number()], {of_vertex}};
    for (unsigned first : common_stride<unsigned>(n, ROWS)) {
        for (int w = lane_id(); w < WORDS; w += 32) filter[w] = 0;
        __syncwarp();
        warp.first_row = static_cast<Index>(first);
        warp.count_rows(n - warp.first_row < ROWS ? n - warp.first_row : ROWS);
        __syncwarp();  // before the filter is cleared
    }
    while (warp.doubts > 0) warp.resolve();
    warp.found.add_to(total);
}
