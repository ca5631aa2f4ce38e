// The triangles of a graph whose rows are short, counted over its rows as they are.
//
// A triangle u > v > w is found at its edge (u, v): both rows have w. Columns increase, so the columns w below v
// are the first of row v, and neither a half of the matrix nor a numbering by degree is made.
//
// A warp takes some rows u at a time. It marks their columns below u, each together with its row, in a filter in
// shared memory (Bloom 1970, with one hash function). The edges (u, v) wait until there are 32; then eight lanes
// read eight columns of a row v, which are 32 bytes, and the loads of all 32 edges are under way at once. A column
// that the filter holds is looked for in row u. An edge of which more columns may be below v waits again.
//
// O(m d) for m edges and rows of at most d columns, of which at least one random read for each edge.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/hash_table.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"

constexpr int SIDE_BY_SIDE = 8;           // columns of a row that are read together, a lane each
constexpr int LISTS = 32 / SIDE_BY_SIDE;  // rows that a warp reads at once
constexpr int WAITING = 2 * 32;           // more edges than ever wait
// Blocks that a multiprocessor holds at least: as many as fit without a spill.
constexpr int SHORT_ROW_BLOCKS = ARCHITECTURE == 900 ? 6 : 4;

// An edge (u, v) of which columns of row v are still to be read.
struct WaitingEdge {
    Index v;
    unsigned row_and_read;  // which of the warp's rows u is, and how often columns of row v have been read

    __device__ Index row() const { return row_and_read & 31; }
    __device__ Index read() const { return (row_and_read >> 5) * SIDE_BY_SIDE; }
    __device__ WaitingEdge further() const { return {v, row_and_read + 32}; }
};

// What a warp does with the rows from `first_row` on.
template <class Offset> struct RowsOfWarp {
    Structure<Offset> rows;
    Word* filter;  // of so many bits, all 0 at first
    Index bits;
    WaitingEdge* waiting;
    Index first_row;
    int count = 0;  // of edges that wait
    unsigned long long found = 0;

    __device__ static int list() { return lane_id() / SIDE_BY_SIDE; }
    __device__ static int place_in_list() { return lane_id() % SIDE_BY_SIDE; }

    // The bit of column w of a row. The same column has another one in each row.
    __device__ Index bit(Index row, Index w) const {
        return share(hashed(static_cast<Index>(w + (static_cast<unsigned>(row) << 27))), bits);
    }

    __device__ void wait(bool has, WaitingEdge edge) {
        const Word those = __ballot_sync(ALL_LANES, has);
        if (has) waiting[count + __popc(those & lanes_below())] = edge;
        count += __popc(those);
        __syncwarp();
    }

    // Marks the columns below u of `some` rows u, and counts the triangles at their edges. The first column below
    // u has none before it.
    __device__ void count_rows(Index some) {
        Offset begin = 0, end = 0;
        if (lane_id() < some) {
            begin = rows.indptr[first_row + lane_id()];
            end = rows.indptr[first_row + lane_id() + 1];
        }
        Index row = list();
        Offset first = __shfl_sync(ALL_LANES, begin, row), e = first + place_in_list();
        for (Index base = 0; base < some || count > 0;) {
            if (base >= some || count >= 32) {
                look();
                continue;
            }
            const Index u = first_row + row;
            const Index v = e < __shfl_sync(ALL_LANES, end, row) ? rows.indices[e] : u;
            const bool below = v < u;
            if (below) mark(filter, bit(row, v));
            wait(below && e > first, {v, static_cast<unsigned>(row)});
            e += SIDE_BY_SIDE;
            if (__any_sync(ALL_LANES, below)) continue;
            base += LISTS;
            row = base + list();
            first = __shfl_sync(ALL_LANES, begin, row);
            e = first + place_in_list();
        }
    }

    // Reads the next columns of row v for 32 of the edges that wait, or for all of them.
    __device__ void look() {
        const int some = count < 32 ? count : 32;
        count -= some;
        WaitingEdge mine{0, 0};
        Offset at = 0, end = 0;
        if (lane_id() < some) {
            mine = waiting[count + lane_id()];
            at = rows.indptr[mine.v] + mine.read();
            end = rows.indptr[mine.v + 1];
        }
        __syncwarp();  // before others wait in these places
        Index columns[SIDE_BY_SIDE];
#pragma unroll
        for (int turn = 0; turn < SIDE_BY_SIDE; ++turn) {
            const int lane = turn * LISTS + list();
            const Offset e = __shfl_sync(ALL_LANES, at, lane) + place_in_list();
            const Offset last = __shfl_sync(ALL_LANES, end, lane);
            columns[turn] = e < last ? rows.indices[e] : EMPTY<Index>;
        }
        bool more = false;
#pragma unroll
        for (int turn = 0; turn < SIDE_BY_SIDE; ++turn) {
            const int lane = turn * LISTS + list();
            const Index v = __shfl_sync(ALL_LANES, mine.v, lane), w = columns[turn];
            const Index row = __shfl_sync(ALL_LANES, mine.row(), lane);
            const bool below = w < v;
            if (below && present(filter, bit(row, w)) && rows.has(first_row + row, w)) ++found;
            const Word those = __ballot_sync(ALL_LANES, below);
            const int last_of_own = lane_id() % LISTS * SIDE_BY_SIDE + SIDE_BY_SIDE - 1;
            if (lane_id() / LISTS == turn) more = those >> last_of_own & 1u;
        }
        wait(more, mine.further());
    }
};

// Adds the number of triangles to `total`, which is 0 at first. A warp takes `each` rows at a time, at most 32. WORDS
// are those of a block's filters.
template <class Offset, int WORDS>
__global__ void __launch_bounds__(MAX_THREADS, SHORT_ROW_BLOCKS)
    short_row_triangles(Index n, Index each, const Offset* indptr, const Index* indices, unsigned long long* total) {
    __shared__ Word filters[WORDS];
    __shared__ WaitingEdge waiting[MAX_THREADS / 32][WAITING];
    const int words = WORDS / Warp::per_block();
    Word* const filter = filters + Warp::number() * words;
    RowsOfWarp<Offset> warp{{indptr, indices}, filter, 32 * words, waiting[Warp::number()], 0};
    for (unsigned first : common_stride<unsigned>(n, each)) {
        for (int w = lane_id(); w < words; w += 32) filter[w] = 0;
        __syncwarp();
        warp.first_row = static_cast<Index>(first);
        warp.count_rows(n - warp.first_row < each ? n - warp.first_row : each);
    }
    const unsigned long long found = warp_reduce<Sum>(warp.found);
    if (lane_id() == 0 && found > 0) atomicAdd(total, found);
}
