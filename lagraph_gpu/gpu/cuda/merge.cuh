// Two matrices of one shape, entry by entry: union, intersection, and the write-back
// C⟨mask, replace⟩ accum= T.
//
// The rows of both are one sequence of items, cut into a tile for each block and a share of it for
// each thread (see cut.cuh), which merges its items one after the other. One pass counts what stays
// of each tile; the other does it again and writes. Each reads both operands once:
// O(rows + entries) in all, and a logarithm for each share. A mask is looked up by binary search.
//
// A Merge gives: L, R, Z, Scalar, Offset, keep_left(twin, writes, stays), keep_right(writes),
// left(x, i, j, s), right(y, i, j, s), both(x, y, i, j, writes), where s are the two numbers that may
// stand for a missing operand, `writes` tells whether T may reach the position, and `stays` whether
// C's entry remains if T does not; reads_row: whether left, right or both read i; everywhere: whether
// it has neither mask nor region. Where two entries meet the left's stands for both. Offset must
// hold the items of both matrices, and a tile's more.
#pragma once
#include "cut.cuh"

template <class S> struct Defaults {
    S first, second;
};

// --- what a merge may be --------------------------------------------------------------------

// op where both have an entry; one that stands alone is converted.
template <class Op, class Out, class O> struct MergeAdd {
    using L = typename Op::Left;
    using R = typename Op::Right;
    using Z = Out;
    using Scalar = typename Op::Scalar;
    using Offset = O;
    using T = typename Op::Z;
    static constexpr bool reads_row = Op::reads_row, everywhere = true;
    static __device__ bool keep_left(bool, bool, bool) { return true; }
    static __device__ bool keep_right(bool) { return true; }
    static __device__ Z left(L x, Index, Index, Defaults<Scalar>) { return arithmetic::cast<Z>(arithmetic::cast<T>(x)); }
    static __device__ Z right(R y, Index, Index, Defaults<Scalar>) { return arithmetic::cast<Z>(arithmetic::cast<T>(y)); }
    static __device__ Z both(L x, R y, Index i, Index j, bool) { return arithmetic::cast<Z>(Op::apply(x, y, i, j)); }
};

// op where both have an entry.
template <class Op, class Out, class O> struct MergeMult : MergeAdd<Op, Out, O> {
    static __device__ bool keep_left(bool twin, bool, bool) { return twin; }
    static __device__ bool keep_right(bool) { return false; }
};

// op on the union; a missing operand counts as its default.
template <class Op, class Out, class O> struct MergeUnion : MergeAdd<Op, Out, O> {
    using S = Defaults<typename Op::Scalar>;
    static __device__ Out left(typename Op::Left x, Index i, Index j, S s) {
        return arithmetic::cast<Out>(Op::apply(x, s.second, i, j));
    }
    static __device__ Out right(typename Op::Right y, Index i, Index j, S s) {
        return arithmetic::cast<Out>(Op::apply(s.first, y, i, j));
    }
};

// C⟨mask, replace⟩ accum= T, with C on the left and T on the right.
template <class Accum, class T, class O> struct WriteBack {
    using L = typename Accum::W;
    using R = T;
    using Z = L;
    using Scalar = bool;
    using Offset = O;
    static constexpr bool reads_row = false, everywhere = false;
    static __device__ bool keep_left(bool twin, bool writes, bool stays) {
        return writes ? Accum::given || twin : stays;
    }
    static __device__ bool keep_right(bool writes) { return writes; }
    static __device__ Z left(L c, Index, Index, Defaults<bool>) { return c; }
    static __device__ Z right(R t, Index, Index, Defaults<bool>) { return arithmetic::cast<Z>(t); }
    static __device__ Z both(L c, R t, Index, Index, bool writes) {
        if (!writes) return c;
        return Accum::given ? Accum::join(c, t) : arithmetic::cast<Z>(t);
    }
};

// --- the kernels ----------------------------------------------------------------------------

// What a thread found in its items: in `kept` and `heads`, a bit for each.
template <int STEPS> struct Share {
    Word kept, heads;
    Index row;              // the one before the first head
    unsigned found[STEPS];  // of an entry, or two that meet: see below
};

// How many left entries of the tile lie before it, how many right ones, and what it is.
constexpr unsigned PLACE_BITS = 12, PLACE = (1u << PLACE_BITS) - 1;
constexpr unsigned LEFT = 1u << 2 * PLACE_BITS, RIGHT = 2 * LEFT, WRITES = 4 * LEFT;

constexpr int AT_ONCE = 4;  // values that a thread waits for together

// What the thread has to say of its STEPS items of the block's tile; `row` is the one before the
// tile's first head. An item too many in the tile meets the last of the last thread's.
template <class M, int STEPS>
__device__ inline Share<STEPS> merge_share(const TileRows& tile, Index row,
                                           const MatrixMask<typename M::Offset>& mask, bool replace) {
    constexpr Index NONE = 0x7fffffff;  // no column, and behind all of them
    static_assert(MAX_THREADS * STEPS < PLACE, "a place in a tile has few bits");
    const int all = tile.heads + tile.lefts + tile.rights;
    const int begin = threadIdx.x * STEPS, end = begin + STEPS < all ? begin + STEPS : all;
    const Cut<int> cut = cut_before(tile, begin);
    int k = cut.heads, x = cut.left, y = cut.right;
    int x_end = left_end(tile, k), y_end = right_end(tile, k);
    Share<STEPS> share{0, 0, row + k, {}};
#pragma unroll
    for (int s = 0; s < STEPS; ++s) {
        if (k + x + y >= end) continue;
        const Index left = x < x_end ? tile.left(x) : NONE, right = y < y_end ? tile.right(y) : NONE;
        const Index j = left < right ? left : right;
        if (j == NONE) {
            share.heads |= 1u << s;
            ++k;
            x_end = left_end(tile, k);
            y_end = right_end(tile, k);
            continue;
        }
        const Index i = row + k;
        const bool wanted = M::everywhere || mask.wants(i, j);
        const bool writes = M::everywhere || (wanted && mask.reaches(i, j));
        const bool mine = left == j, yours = right == j;
        const bool keep = mine ? M::keep_left(yours, writes, wanted || !replace) : M::keep_right(writes);
        share.kept |= Word(keep) << s;
        share.found[s] = x | y << PLACE_BITS | (mine ? LEFT : 0u) | (yours ? RIGHT : 0u) |
                         (writes ? WRITES : 0u);
        x += mine;
        y += yours;
    }
    return share;
}

// The row of what was found: of the one before the tile's first head, or some rows on.
__device__ inline Index row_of_found(const TileRows& tile, Index row, unsigned found) {
    const bool mine = found & LEFT;
    const int place = mine ? found & PLACE : found >> PLACE_BITS & PLACE;
    int low = 0, high = tile.heads;
    while (low < high) {
        const int middle = (low + high) / 2;
        if ((mine ? tile.left_start(middle) : tile.right_start(middle)) <= place) low = middle + 1;
        else high = middle;
    }
    return row + low;
}

// A block for each tile. Of `cuts` see cut_tiles; its tiles have blockDim.x * STEPS items.
template <class M, int STEPS>
__global__ void count_merged(Index nrows, typename M::Offset left_nnz,
                             const typename M::Offset* left_indptr, const Index* left_indices,
                             typename M::Offset right_nnz, const typename M::Offset* right_indptr,
                             const Index* right_indices, const typename M::Offset* mask_indptr,
                             const Index* mask_indices, const Word* truth, int complement,
                             const Word* rows, const Word* columns, int replace,
                             const typename M::Offset* cuts, typename M::Offset* counts) {
    using Offset = typename M::Offset;
    __shared__ TileMemory<STEPS> memory;
    __shared__ long long sums[MAX_THREADS / 32];
    const MatrixRows<Offset> both{{left_indptr, left_indices}, {right_indptr, right_indices},
                                  static_cast<Offset>(nrows) + 1, left_nnz, right_nnz};
    const MatrixMask<Offset> mask{{mask_indptr, mask_indices}, truth, complement != 0, rows, columns};
    const Tile<Offset> at = tile_of_block(cuts);
    const TileRows tile = read_tile<STEPS>(both, at, memory);
    const Share<STEPS> share = merge_share<M, STEPS>(tile, at.row, mask, replace != 0);
    long long total;
    Block::running(__popc(share.kept), total, sums);
    if (threadIdx.x == 0) counts[blockIdx.x] = static_cast<Offset>(total);
}

// ends: the running sum of the counts.
template <class M, int STEPS>
__global__ void move_merged(Index nrows, typename M::Offset left_nnz,
                            const typename M::Offset* left_indptr, const Index* left_indices,
                            const typename M::L* left_values, int left_stride,
                            typename M::Offset right_nnz, const typename M::Offset* right_indptr,
                            const Index* right_indices, const typename M::R* right_values,
                            int right_stride, const typename M::Offset* mask_indptr,
                            const Index* mask_indices, const Word* truth, int complement,
                            const Word* rows, const Word* columns, int replace,
                            typename M::Scalar first_default, typename M::Scalar second_default,
                            const typename M::Offset* cuts, const typename M::Offset* ends,
                            typename M::Offset* out_indptr, Index* out_indices,
                            typename M::Z* out_values) {
    using Offset = typename M::Offset;
    __shared__ TileMemory<STEPS> memory;
    __shared__ unsigned kept[TileMemory<STEPS>::ITEMS];
    __shared__ long long sums[MAX_THREADS / 32];
    const MatrixRows<Offset> both{{left_indptr, left_indices}, {right_indptr, right_indices},
                                  static_cast<Offset>(nrows) + 1, left_nnz, right_nnz};
    const MatrixMask<Offset> mask{{mask_indptr, mask_indices}, truth, complement != 0, rows, columns};
    const Defaults<typename M::Scalar> defaults{first_default, second_default};
    const Tile<Offset> at = tile_of_block(cuts);
    const TileRows tile = read_tile<STEPS>(both, at, memory);
    const Share<STEPS> share = merge_share<M, STEPS>(tile, at.row, mask, replace != 0);
    long long total;
    const long long upto = Block::running(__popc(share.kept), total, sums);
    const Offset base = blockIdx.x == 0 ? 0 : ends[blockIdx.x - 1];
    int place = static_cast<int>(upto) - __popc(share.kept);
    Index row = share.row;
#pragma unroll
    for (int s = 0; s < STEPS; ++s) {
        if (share.kept >> s & 1u) kept[place++] = share.found[s];
        else if (share.heads >> s & 1u) out_indptr[++row] = base + place;
    }
    __syncthreads();
    left_values += static_cast<long long>(at.from.left) * left_stride;
    right_values += static_cast<long long>(at.from.right) * right_stride;
    for (int t = threadIdx.x; t < total; t += AT_ONCE * blockDim.x) {
        typename M::L x[AT_ONCE];  // all are asked for before the first is waited for
        typename M::R y[AT_ONCE];
#pragma unroll
        for (int s = 0; s < AT_ONCE; ++s) {
            const int u = t + s * blockDim.x;
            const unsigned found = u < total ? kept[u] : 0;
            if (found & LEFT) x[s] = left_values[static_cast<int>(found & PLACE) * left_stride];
            if (found & RIGHT) y[s] = right_values[static_cast<int>(found >> PLACE_BITS & PLACE) * right_stride];
        }
#pragma unroll
        for (int s = 0; s < AT_ONCE; ++s) {
            const int u = t + s * blockDim.x;
            if (u >= total) continue;
            const unsigned found = kept[u];
            const bool mine = found & LEFT, yours = found & RIGHT;
            const Index i = M::reads_row ? row_of_found(tile, at.row, found) : 0;
            const Index j = mine ? tile.left(found & PLACE) : tile.right(found >> PLACE_BITS & PLACE);
            out_indices[base + u] = j;
            out_values[base + u] = !mine ? M::right(y[s], i, j, defaults)
                : yours ? M::both(x[s], y[s], i, j, found & WRITES)
                : M::left(x[s], i, j, defaults);
        }
    }
}

// --- what they need -------------------------------------------------------------------------

// The bitmap of a valued mask over its entries: not zero.
template <class Offset, class A>
__global__ void entry_truth(Offset nnz, const A* values, int stride, Word* out) {
    const Offset words = (nnz + 31) >> 5;
    for (Offset word = warp_id(); word < words; word += warp_count()) {
        const Offset e = (word << 5) + lane_id();
        const Word now = __ballot_sync(ALL_LANES, e < nnz && values[e * stride] != A(0));
        if (lane_id() == 0) out[word] = now;
    }
}

// Row offsets of 32 bits as such of 64.
__global__ void widen(Index n, const int* narrow, long long* wide) {
    const Index threads = gridDim.x * blockDim.x;
    for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) wide[i] = narrow[i];
}
