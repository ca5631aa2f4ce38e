// The rows of two matrices merged into one sequence of items, and the sequence cut into even parts
// (merge path: Odeh, Green, Mwassi, Shmueli, Birk 2012).
//
// For each row the sequence has its head, then its entries in both matrices by column, the left's
// before the right's where they meet; one head more ends it. Heads are items, so that a thread's
// share is even, however many rows are empty or how long a row is. Two entries that meet are never
// divided: a cut between them is moved by one item. O(log rows + log entries) for a cut.
//
// A Rows gives: At, heads, lefts and rights (how many there are), left_start(k), right_start(k):
// the entries before head k, and left(x), right(y): the columns of entries.
// See docs/decisions/storage.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "core/partition_point.cuh"
#include "core/vector_load.cuh"
#include "matrix/entries.cuh"

// A cut: the number of items of each kind before it.
template <class At> struct Cut {
    At heads, left, right;
};

template <class Rows> __device__ inline typename Rows::At left_end(const Rows& rows, typename Rows::At k) {
    return k < rows.heads ? rows.left_start(k) : rows.lefts;
}

template <class Rows> __device__ inline typename Rows::At right_end(const Rows& rows, typename Rows::At k) {
    return k < rows.heads ? rows.right_start(k) : rows.rights;
}

// The cut before item number `item`. (If there are fewer items, the numbers still add up to `item`.)
template <int probes, class Rows>
__device__ inline Cut<typename Rows::At> cut_before(const Rows& rows, typename Rows::At item) {
    using At = typename Rows::At;
    const At k = partition_point<probes>(At(0), rows.heads, [&](At k) {
        return k + rows.left_start(k) + rows.right_start(k) < item;
    });
    const At x = k == 0 ? 0 : rows.left_start(k - 1), y = k == 0 ? 0 : rows.right_start(k - 1);
    const At lefts = left_end(rows, k) - x, rights = right_end(rows, k) - y;
    const At rest = item - k - x - y;  // of the row's entries
    const At low = partition_point<probes>(
        rest > rights ? rest - rights : At(0), rest < lefts ? rest : lefts,
        [&](At at) { return rows.left(x + at) <= rows.right(y + (rest - 1 - at)); });
    const At after = rest - low;
    const bool meet = low > 0 && after < rights && rows.left(x + (low - 1)) == rows.right(y + after);
    return {k, x + low, y + after + meet};
}

// --- of whole matrices ----------------------------------------------------------------------

template <class Offset> struct MatrixRows {
    using At = Offset;
    Structure<Offset> one, other;
    Offset heads, lefts, rights;

    __device__ Offset left_start(Offset k) const { return one.indptr[k]; }
    __device__ Offset right_start(Offset k) const { return other.indptr[k]; }
    __device__ Index left(Offset x) const { return one.indices[x]; }
    __device__ Index right(Offset y) const { return other.indices[y]; }
};

constexpr int LOOKS_AHEAD = 3;

// Writes three numbers to `cuts` for each bound of the tiles, which have `size` items each. Clears
// the words of the tiles' tickets.
template <class Offset>
__global__ void cut_tiles(Index tiles, Index size, Index nrows, Offset left_nnz,
                          const Offset* left_indptr, const Index* left_indices, Offset right_nnz,
                          const Offset* right_indptr, const Index* right_indices, Offset* cuts,
                          unsigned long long* words) {
    const MatrixRows<Offset> rows{{left_indptr, left_indices}, {right_indptr, right_indices},
                                  static_cast<Offset>(nrows) + 1, left_nnz, right_nnz};
    const Offset items = rows.heads + left_nnz + right_nnz;
    for (Index t : grid_stride<Index>(tiles + 1)) {
        const Offset item = t < tiles ? static_cast<Offset>(t) * size : items;
        const Cut<Offset> cut = cut_before<LOOKS_AHEAD>(rows, item);
        words[t] = 0;
        Offset* const three = cuts + 3 * static_cast<Offset>(t);
        three[0] = cut.heads;
        three[1] = cut.left;
        three[2] = cut.right;
    }
}

// --- of a tile in shared memory -------------------------------------------------------------

// A tile has STEPS items for each thread of the block, and may have one more. The columns come first,
// those of the left and then those of the right, aligned to quads as in memory. The starts of rows
// are stored from the end backwards: the left entries of the tile before the head, and in the upper
// half the right entries.
template <int STEPS> struct TileMemory {
    static constexpr int ROOM = MAX_THREADS * STEPS + 1 + 4 * (QUAD - 1);
    __align__(16) unsigned words[ROOM];
};

struct TileRows {
    using At = int;
    unsigned* starts;  // the start of the first head; the next head's lies before it
    const unsigned *left_columns, *right_columns;
    int heads, lefts, rights;

    __device__ int left_start(int k) const { return starts[-k] & 0xffffu; }
    __device__ int right_start(int k) const { return starts[-k] >> 16; }
    __device__ Index left(int x) const { return static_cast<Index>(left_columns[x]); }
    __device__ Index right(int y) const { return static_cast<Index>(right_columns[y]); }

    // After the last use of the starts: the number of entries of the result before head k,
    __device__ void put(int k, int place) const { starts[-k] = place; }
    __device__ int put_at(int k) const { return static_cast<int>(starts[-k]); }
    // and the number of heads before entry `place` of the result.
    __device__ int heads_before(int place) const {
        return partition_point<1>(0, heads, [&](int k) { return put_at(k) <= place; });
    }
};

// Where a tile lies.
template <class Offset> struct MergeTile {
    Cut<Offset> from, upto;

    // The row before its first head.
    __device__ Index row() const { return static_cast<Index>(from.heads - 1); }

    // Reads a tile's bounds, as cut_tiles has written them. All of the block's threads must call
    // this.
    __device__ void read(const Offset* cuts, Index number) {
        cuts += 3 * static_cast<Offset>(number);
        Offset* const bounds = reinterpret_cast<Offset*>(this);
        if (threadIdx.x < 6) bounds[threadIdx.x] = cuts[threadIdx.x];
        __syncthreads();
    }
};

// Reads it. All of the block's threads must call this.
template <int STEPS, class Offset>
__device__ inline TileRows read_tile(const MatrixRows<Offset>& rows, const MergeTile<Offset>& at,
                                     TileMemory<STEPS>& memory) {
    constexpr int QUADS = STEPS / QUAD + 1;  // of a thread
    const Cut<Offset>&from = at.from, &upto = at.upto;
    const Offset left_base = from.left / QUAD * QUAD, right_base = from.right / QUAD * QUAD;
    const int left_quads = static_cast<int>((upto.left - left_base + QUAD - 1) / QUAD);
    const int quads = left_quads + static_cast<int>((upto.right - right_base + QUAD - 1) / QUAD);
    const TileRows tile{memory.words + TileMemory<STEPS>::ROOM - 1,
                        memory.words + (from.left - left_base),
                        memory.words + left_quads * QUAD + (from.right - right_base),
                        static_cast<int>(upto.heads - from.heads),
                        static_cast<int>(upto.left - from.left),
                        static_cast<int>(upto.right - from.right)};
    const bool left_whole = aligned(rows.one.indices), right_whole = aligned(rows.other.indices);
    Quad<Index> read[QUADS];  // all are asked for before the first is waited for
#pragma unroll
    for (int s = 0; s < QUADS; ++s) {
        const int t = s * blockDim.x + threadIdx.x;
        if (t >= quads) continue;
        const bool left = t < left_quads;
        const Offset e = left ? left_base + t * QUAD : right_base + (t - left_quads) * QUAD;
        const Offset rest = (left ? rows.lefts : rows.rights) - e;
        read[s] = read_quad((left ? rows.one.indices : rows.other.indices) + e,
                            rest < QUAD ? static_cast<int>(rest) : QUAD, left ? left_whole : right_whole);
    }
    const int starts = tile.lefts + tile.rights > 0 ? tile.heads : 0;  // otherwise they are not used
    for (int k = threadIdx.x; k < starts; k += blockDim.x) {
        const unsigned left = static_cast<unsigned>(rows.left_start(from.heads + k) - from.left);
        const unsigned right = static_cast<unsigned>(rows.right_start(from.heads + k) - from.right);
        tile.starts[-k] = left | right << 16;
    }
#pragma unroll
    for (int s = 0; s < QUADS; ++s) {
        const int t = s * blockDim.x + threadIdx.x;
        if (t < quads) write_quad(reinterpret_cast<Index*>(memory.words) + t * QUAD, read[s]);
    }
    __syncthreads();
    return tile;
}
