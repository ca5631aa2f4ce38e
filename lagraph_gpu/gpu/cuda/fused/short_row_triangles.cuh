// The triangles of a graph whose rows are short, counted over its rows as they are.
//
// A triangle u > v > w is found at its edge (u, v): both rows have w. Columns increase, so the columns w below v
// are the first of row v, and neither a half of the matrix nor a numbering by degree is made.
//
// A warp takes some rows u at a time. It marks their columns below u, each together with its row, in a filter in
// shared memory (Bloom 1970, with two hash functions). Their edges (u, v) wait until there are 32; then a few
// neighbouring lanes read as many neighbouring columns of a row v, and the loads for all 32 are under way at once.
// A column that the filter holds is looked for in row u. An edge of which more columns may be below v waits again.
//
// O(m d) for m edges and rows of at most d columns, of which at least one random read for each edge.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/hash_table.cuh"
#include "fused/found_triangles.cuh"
#include "fused/sampled_entries.cuh"
#include "matrix/entries.cuh"

// An edge (u, v) of which columns of row v are still to be read.
struct WaitingEdge {
    Index v;
    unsigned row_and_turns;  // which of the warp's rows u is, and how often columns of row v have been read

    __device__ Index row() const { return row_and_turns & 31; }
    __device__ Index turns() const { return row_and_turns >> 5; }
    __device__ WaitingEdge further() const { return {v, row_and_turns + 32}; }
};

// Columns of rows, each with its row's number in the warp. What was marked is held, and hardly anything else.
struct ColumnFilter {
    Word* words;  // 0 at first
    Index bits;

    static __device__ unsigned hash(Index row, Index w) {
        return hashed(static_cast<Index>(w + (static_cast<unsigned>(row) << 27)));
    }
    __device__ Index first(unsigned hash) const { return share(hash, bits); }
    __device__ Index second(unsigned hash) const { return share(hashed(static_cast<Index>(hash)), bits); }

    __device__ void add(Index row, Index w) const {
        const unsigned h = hash(row, w);
        mark(words, first(h));
        mark(words, second(h));
    }
    __device__ bool may_hold(Index row, Index w) const {
        const unsigned h = hash(row, w);
        return present(words, first(h)) && present(words, second(h));
    }
};

// What a warp does with the rows from `first_row` on. SIDE neighbouring lanes read as many neighbouring columns.
template <class Offset, int SIDE> struct RowsOfWarp {
    static constexpr int LISTS = 32 / SIDE;  // rows that a warp reads at once, of 32 in SIDE turns
    static constexpr int WAITING = 32 * (SIDE + 1);

    Structure<Offset> rows;
    ColumnFilter filter;
    WaitingEdge* waiting;
    FoundTriangles found;
    Index first_row = 0;
    int count = 0;  // of edges that wait

    __device__ static int place() { return lane_id() % SIDE; }
    // The lane whose row this lane reads in a turn.
    __device__ static int owner(int turn) { return turn * LISTS + lane_id() / SIDE; }
    // In the turn of this lane's own row: what the last lane says that reads it. All lanes must call it.
    __device__ static bool last_of_own(int turn, bool says) {
        const Word those = __ballot_sync(ALL_LANES, says);
        return lane_id() / LISTS == turn && those >> (lane_id() % LISTS * SIDE + SIDE - 1) & 1u;
    }

    // Of the entries at, …, end - 1 that each lane names: the columns of the first SIDE, in as many turns.
    __device__ void read(Offset at, Offset end, Index (&columns)[SIDE]) const {
#pragma unroll
        for (int turn = 0; turn < SIDE; ++turn) {
            const Offset e = __shfl_sync(ALL_LANES, at, owner(turn)) + place();
            columns[turn] = e < __shfl_sync(ALL_LANES, end, owner(turn)) ? rows.indices[e] : EMPTY<Index>;
        }
    }

    __device__ void wait(bool has, WaitingEdge edge) {
        const Word those = __ballot_sync(ALL_LANES, has);
        if (has) waiting[count + __popc(those & lanes_below())] = edge;
        count += __popc(those);
    }

    // Counts the triangles at the edges of `some` rows.
    __device__ void count_rows(Index some) {
        Offset at = 0, end = 0;
        if (lane_id() < some) {
            at = rows.indptr[first_row + lane_id()];
            end = rows.indptr[first_row + lane_id() + 1];
        }
        bool left = at < end, first = true;
        while (count > 0 || __any_sync(ALL_LANES, left)) {
            if (count >= 32 || !__any_sync(ALL_LANES, left)) {
                look();
            } else {
                left = mark_columns(at, end, first);
                at = left ? at + SIDE : end;
                first = false;
            }
        }
    }

    // Marks the next columns below u of each row u, and lists their edges; but for the first column of a row, below
    // which there is none. True if there may be more columns of this lane's row.
    __device__ bool mark_columns(Offset at, Offset end, bool first) {
        Index columns[SIDE];
        read(at, end, columns);
        bool left = false;
#pragma unroll
        for (int turn = 0; turn < SIDE; ++turn) {
            const Index row = owner(turn), v = columns[turn];
            const bool below = v < first_row + row;
            if (below) filter.add(row, v);
            wait(below && (!first || place() > 0), {v, static_cast<unsigned>(row)});
            left |= last_of_own(turn, below);
        }
        return left;
    }

    // Reads the next columns of row v for 32 of the edges that wait, or for all of them.
    __device__ void look() {
        __syncwarp();  // what waits and what is marked was written by others
        const int some = count < 32 ? count : 32;
        count -= some;
        WaitingEdge mine{0, 0};
        Offset at = 0, end = 0;
        if (lane_id() < some) {
            mine = waiting[count + lane_id()];
            at = rows.indptr[mine.v] + SIDE * mine.turns();
            end = rows.indptr[mine.v + 1];
        }
        __syncwarp();  // before others wait in these places
        Index columns[SIDE];
        read(at, end, columns);
        bool left = false;
#pragma unroll
        for (int turn = 0; turn < SIDE; ++turn) {
            const Index v = __shfl_sync(ALL_LANES, mine.v, owner(turn)), w = columns[turn];
            const Index row = __shfl_sync(ALL_LANES, mine.row(), owner(turn));
            const bool below = w < v;
            if (below && filter.may_hold(row, w) && rows.has(first_row + row, w)) found.add(first_row + row, v, w);
            left |= last_of_own(turn, below);
        }
        wait(left, mine.further());
    }
};

// Adds the number of triangles to `total`, or that at each vertex to `of_vertex`, which are 0 at first; the other is
// null. A warp takes `each` rows at a time, at most 32. WORDS are those of a block's filters. If entries were sampled,
// it does so only if they are near the diagonal.
template <class Offset, int SIDE, int WORDS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    short_row_triangles(Index n, Index each, const Offset* indptr, const Index* indices, SampledEntries sampled,
                        unsigned long long* total, long long* of_vertex) {
    if (sampled.counts != nullptr && !sampled.near()) return;
    using Rows = RowsOfWarp<Offset, SIDE>;
    __shared__ Word filters[WORDS];
    __shared__ WaitingEdge waiting[MAX_THREADS / 32][Rows::WAITING];
    const int words = WORDS / Warp::per_block();
    Word* const filter = filters + Warp::number() * words;
    Rows warp{{indptr, indices}, {filter, 32 * words}, waiting[Warp::number()], {of_vertex}};
    for (unsigned first : common_stride<unsigned>(n, each)) {
        for (int w = lane_id(); w < words; w += 32) filter[w] = 0;
        __syncwarp();
        warp.first_row = static_cast<Index>(first);
        warp.count_rows(n - warp.first_row < each ? n - warp.first_row : each);
        __syncwarp();  // before the filter is cleared
    }
    warp.found.add_to(total);
}
