// The rows of two matrices merged into one sequence of items, and the sequence cut into even parts
// (merge path: Odeh, Green, Mwassi, Shmueli, Birk 2012).
//
// For each row the sequence has its head, then its entries in both matrices by column, the left's
// before the right's where they meet; one head more ends it. Heads are items, so that a thread's
// share is even however many rows are empty or how long one is. Two entries that meet are never
// divided: a cut that would do so stands one item later. O(log rows + log entries) for a cut.
//
// A Rows gives: At, heads, lefts and rights (how many there are), left_start(k), right_start(k):
// the entries before head k, and left(x), right(y): the columns of entries.
#pragma once
#include "groups.cuh"

// So many of each kind of item lie before it.
template <class At> struct Cut {
    At heads, left, right;
};

template <class Rows> __device__ inline typename Rows::At left_end(const Rows& rows, typename Rows::At k) {
    return k < rows.heads ? rows.left_start(k) : rows.lefts;
}

template <class Rows> __device__ inline typename Rows::At right_end(const Rows& rows, typename Rows::At k) {
    return k < rows.heads ? rows.right_start(k) : rows.rights;
}

// Before item number `item`. (If there are not so many, it names as many items all the same.)
template <class Rows>
__device__ inline Cut<typename Rows::At> cut_before(const Rows& rows, typename Rows::At item) {
    using At = typename Rows::At;
    At low = 0, high = rows.heads;  // the first head that is not before it
    while (low < high) {
        const At middle = low + (high - low) / 2;
        if (middle + rows.left_start(middle) + rows.right_start(middle) < item) low = middle + 1;
        else high = middle;
    }
    const At k = low;
    const At x = k == 0 ? 0 : rows.left_start(k - 1), y = k == 0 ? 0 : rows.right_start(k - 1);
    const At lefts = left_end(rows, k) - x, rights = right_end(rows, k) - y;
    const At rest = item - k - x - y;  // of the row's entries
    low = rest > rights ? rest - rights : 0;
    high = rest < lefts ? rest : lefts;
    while (low < high) {
        const At middle = low + (high - low) / 2;
        if (rows.left(x + middle) <= rows.right(y + (rest - 1 - middle))) low = middle + 1;
        else high = middle;
    }
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

// cuts: three numbers for each of the bounds of so many tiles, of `size` items each.
template <class Offset>
__global__ void cut_tiles(Offset tiles, Offset size, Index nrows, Offset left_nnz,
                          const Offset* left_indptr, const Index* left_indices, Offset right_nnz,
                          const Offset* right_indptr, const Index* right_indices, Offset* cuts) {
    const MatrixRows<Offset> rows{{left_indptr, left_indices}, {right_indptr, right_indices},
                                  static_cast<Offset>(nrows) + 1, left_nnz, right_nnz};
    const Offset items = rows.heads + left_nnz + right_nnz;
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    Offset t = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; t <= tiles; t += threads) {
        const Cut<Offset> cut = cut_before(rows, t < tiles ? t * size : items);
        cuts[3 * t] = cut.heads;
        cuts[3 * t + 1] = cut.left;
        cuts[3 * t + 2] = cut.right;
    }
}

// --- of a tile in shared memory -------------------------------------------------------------

// A tile has STEPS items for each thread of the block, and may have one more.
template <int STEPS> struct TileMemory {
    static constexpr int ITEMS = MAX_THREADS * STEPS + 1;
    unsigned starts[ITEMS];  // of heads: left entries before it, and right ones in the upper half
    Index columns[ITEMS];    // the left's, then the right's
};

struct TileRows {
    using At = int;
    const unsigned* starts;
    const Index* columns;
    int heads, lefts, rights;

    __device__ int left_start(int k) const { return starts[k] & 0xffffu; }
    __device__ int right_start(int k) const { return starts[k] >> 16; }
    __device__ Index left(int x) const { return columns[x]; }
    __device__ Index right(int y) const { return columns[lefts + y]; }
};

// Where the block's tile lies.
template <class Offset> struct Tile {
    Cut<Offset> from, upto;
    Index row;  // the one before its first head
};

// The block's own of the tiles that cut_tiles has cut.
template <class Offset> __device__ inline Tile<Offset> tile_of_block(const Offset* cuts) {
    cuts += 3 * static_cast<Offset>(blockIdx.x);
    const Cut<Offset> from{cuts[0], cuts[1], cuts[2]}, upto{cuts[3], cuts[4], cuts[5]};
    return {from, upto, static_cast<Index>(from.heads - 1)};
}

// Reads it. All of the block's threads must call this.
template <int STEPS, class Offset>
__device__ inline TileRows read_tile(const MatrixRows<Offset>& rows, const Tile<Offset>& at,
                                     TileMemory<STEPS>& memory) {
    const Cut<Offset>&from = at.from, &upto = at.upto;
    const TileRows tile{memory.starts, memory.columns, static_cast<int>(upto.heads - from.heads),
                        static_cast<int>(upto.left - from.left),
                        static_cast<int>(upto.right - from.right)};
    Index columns[STEPS + 1];  // all are asked for before the first is waited for
#pragma unroll
    for (int s = 0; s <= STEPS; ++s) {
        const int t = s * blockDim.x + threadIdx.x;
        if (t < tile.lefts) columns[s] = rows.left(from.left + t);
        else if (t < tile.lefts + tile.rights) columns[s] = rows.right(from.right + (t - tile.lefts));
    }
    for (int k = threadIdx.x; k < tile.heads; k += blockDim.x) {
        const unsigned left = static_cast<unsigned>(rows.left_start(from.heads + k) - from.left);
        const unsigned right = static_cast<unsigned>(rows.right_start(from.heads + k) - from.right);
        memory.starts[k] = left | right << 16;
    }
#pragma unroll
    for (int s = 0; s <= STEPS; ++s) {
        const int t = s * blockDim.x + threadIdx.x;
        if (t < tile.lefts + tile.rights) memory.columns[t] = columns[s];
    }
    __syncthreads();
    return tile;
}
