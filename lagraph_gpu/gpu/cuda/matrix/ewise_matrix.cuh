// Two matrices of one shape, entry by entry: union, intersection, and the write-back
// C⟨mask, replace⟩ accum= T.
//
// The rows of both are one sequence of items, which is cut into tiles (see merge_path.cuh). Blocks take
// tiles in order, and each thread merges its share of a tile's items one after the other. A block
// learns from the blocks of the tiles before it where its entries begin in the result (see
// look_back.cuh). So one kernel reads each operand once and writes the result once, although it does
// not know beforehand how many entries the result has. O(rows + entries) in all, and a logarithm for
// each share. A mask is looked up by binary search.
//
// A Merge gives: L, R, Z, Scalar, Offset, keep_left(twin, writes, stays), keep_right(writes),
// left(x, i, j, s), right(y, i, j, s), both(x, y, i, j, writes), where s are the two defaults of a
// missing operand, `writes` says whether T may reach the position, and `stays` whether C's entry
// remains if T does not; reads_row: whether left, right or both read i; everywhere: whether it has
// neither mask nor region. Where two entries meet, the left one represents both. Offset must hold the
// items of both matrices, and a tile's more.
// See docs/decisions/storage.md.
#pragma once
#include "matrix/merge_path.cuh"
#include "core/look_back.cuh"

template <class S> struct Defaults {
    S first, second;
};

// --- kinds of merges --------------------------------------------------------------------

// op where both have an entry; a single entry is converted.
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
    static __device__ Z left(L x, Index, Index, Defaults<Scalar>) {
        return arithmetic::cast<Z>(arithmetic::cast<T>(x));
    }
    static __device__ Z right(R y, Index, Index, Defaults<Scalar>) {
        return arithmetic::cast<Z>(arithmetic::cast<T>(y));
    }
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

// --- the kernel -----------------------------------------------------------------------------

// The results of a thread's items; `kept` and `heads` have a bit for each item.
template <int STEPS> struct MergeShare {
    Word kept, heads;
    int head;               // the first of the tile's heads that is its own
    unsigned found[STEPS];  // the code of an entry, or of two that meet: see below
};

// A code holds the numbers of left and of right entries of the tile before it, and its kind.
constexpr unsigned PLACE_BITS = 12, PLACE = (1u << PLACE_BITS) - 1;
constexpr unsigned LEFT = 1u << 2 * PLACE_BITS, RIGHT = 2 * LEFT, WRITES = 4 * LEFT;

template <class M>
constexpr int merge_loads = sizeof(typename M::Z) + sizeof(typename M::Offset) > 8 ? LOADS / 2 : LOADS;

// The results of the thread's STEPS items of the block's tile; `row` is the row before the tile's
// first head. If the tile has an item more, it meets the last item of the last thread.
template <class M, int STEPS>
__device__ inline MergeShare<STEPS> merge_share(const TileRows& tile, Index row,
                                           const MatrixMask<typename M::Offset>& mask, bool replace) {
    constexpr Index NONE = 0x7fffffff;  // no column, and behind all of them
    static_assert(MAX_THREADS * STEPS < PLACE, "a place in a tile has few bits");
    const int all = tile.heads + tile.lefts + tile.rights;
    const int begin = threadIdx.x * STEPS, end = begin + STEPS < all ? begin + STEPS : all;
    const Cut<int> cut = cut_before<1>(tile, begin);
    int k = cut.heads, x = cut.left, y = cut.right, rest = end - (k + x + y);
    int x_end = left_end(tile, k), y_end = right_end(tile, k);
    MergeShare<STEPS> share{0, 0, k, {}};
#pragma unroll
    for (int s = 0; s < STEPS; ++s) {
        if (rest <= 0) continue;
        const Index left = x < x_end ? tile.left(x) : NONE, right = y < y_end ? tile.right(y) : NONE;
        const Index j = left < right ? left : right;
        if (j == NONE) {
            share.heads |= 1u << s;
            ++k;
            --rest;
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
        share.found[s] = (x | y << PLACE_BITS) + ((mine ? LEFT : 0u) | (yours ? RIGHT : 0u) |
                                                 (writes ? WRITES : 0u));
        x += mine;
        y += yours;
        rest -= mine + yours;
    }
    return share;
}

// Each block merges a tile of blockDim.x * STEPS items; see cut_tiles for `cuts` and the tickets. A
// tile's entries are written as soon as the number of entries of the tiles before it is known.
// Without a result the entries are only counted. The last ticket holds their number.
template <class M, int STEPS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
merge_tiles(Index tiles, Index nrows, typename M::Offset left_nnz,
            Csr<typename M::Offset, typename M::L> left, typename M::Offset right_nnz,
            Csr<typename M::Offset, typename M::R> right, const typename M::Offset* mask_indptr,
            const Index* mask_indices, const Word* truth, int complement, const Word* rows,
            const Word* columns, int replace, typename M::Scalar first_default,
            typename M::Scalar second_default, const typename M::Offset* cuts, unsigned long long* words,
            typename M::Offset* out_indptr, Index* out_indices, typename M::Z* out_values) {
    using Offset = typename M::Offset;
    constexpr int MERGE_LOADS = merge_loads<M>;
    __shared__ TileMemory<STEPS> memory;
    __shared__ unsigned kept[MAX_THREADS * STEPS + 1];
    __shared__ int sums[MAX_THREADS / 32];
    __shared__ MergeTile<Offset> at;
    __shared__ long long before;
    __shared__ Index taken;
    const MatrixRows<Offset> both{{left.indptr, left.indices}, {right.indptr, right.indices},
                                  static_cast<Offset>(nrows) + 1, left_nnz, right_nnz};
    const MatrixMask<Offset> mask{{mask_indptr, mask_indices}, truth, complement != 0, rows, columns};
    const Defaults<typename M::Scalar> defaults{first_default, second_default};
    const LookBack tickets{words, tiles};
    if (threadIdx.x == 0) taken = tickets.take();
    __syncthreads();
    const Index number = taken;
    at.read(cuts, number);
    const TileRows tile = read_tile<STEPS>(both, at, memory);
    const bool some = tile.lefts + tile.rights > 0;
    int total = 0;
    if (some) {
        const MergeShare<STEPS> share = merge_share<M, STEPS>(tile, at.row(), mask, replace != 0);
        const int own = __popc(share.kept);
        int place = Block::running(own, total, sums) - own, head = share.head;
        if (threadIdx.x == 0) tickets.publish_count(number, total);
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            if (share.kept >> s & 1u) kept[place++] = share.found[s];
            else if (share.heads >> s & 1u) tile.put(head++, place);
        }
        __syncthreads();
    } else if (threadIdx.x == 0) {
        tickets.publish_count(number, 0);
    }

    const typename M::L* const lefts = left.values + static_cast<long long>(at.from.left) * left.stride;
    const typename M::R* const rights = right.values + static_cast<long long>(at.from.right) * right.stride;
    typename M::L x[MERGE_LOADS];  // on their way while the sum of the tiles before is found
    typename M::R y[MERGE_LOADS];
    const auto ask = [&](int t) {
#pragma unroll
        for (int s = 0; s < MERGE_LOADS; ++s) {
            const int u = t + s * blockDim.x;
            const unsigned found = u < total ? kept[u] : 0;
            if (found & LEFT) x[s] = lefts[static_cast<int>(found & PLACE) * left.stride];
            if (found & RIGHT) y[s] = rights[static_cast<int>(found >> PLACE_BITS & PLACE) * right.stride];
        }
    };
    if (out_indptr != nullptr) ask(threadIdx.x);
    if (threadIdx.x < 32) {
        const long long sum = tickets.before(number, total);
        if (threadIdx.x == 0) before = sum;
    }
    __syncthreads();
    const Offset base = static_cast<Offset>(before);
    for (int k = threadIdx.x; out_indptr != nullptr && k < tile.heads; k += blockDim.x)
        out_indptr[at.from.heads + k] = base + (some ? tile.put_at(k) : 0);
    for (int t = threadIdx.x; out_indptr != nullptr && t < total; t += MERGE_LOADS * blockDim.x) {
#pragma unroll
        for (int s = 0; s < MERGE_LOADS; ++s) {
            const int u = t + s * blockDim.x;
            if (u >= total) continue;
            const unsigned found = kept[u];
            const bool mine = found & LEFT, yours = found & RIGHT;
            const Index i = M::reads_row ? at.row() + tile.heads_before(u) : 0;
            const Index j = mine ? tile.left(found & PLACE) : tile.right(found >> PLACE_BITS & PLACE);
            out_indices[base + u] = j;
            out_values[base + u] = !mine ? M::right(y[s], i, j, defaults)
                : yours ? M::both(x[s], y[s], i, j, found & WRITES)
                : M::left(x[s], i, j, defaults);
        }
        ask(t + MERGE_LOADS * blockDim.x);
    }
}

// Combines two matrices whose entries have the same positions. A thread for each entry.
template <class M>
__global__ void meet_entries(typename M::Offset nnz, Index nrows, Csr<typename M::Offset, typename M::L> A,
                             const typename M::R* right_values, int right_stride, typename M::Z* out_values) {
    using Offset = typename M::Offset;
    RowsOfWords<Offset> rows{A.indptr, nrows};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = M::reads_row ? rows(word) : 0;
        const Offset e = (word << 5) + lane_id();
        if (e >= nnz) return;
        out_values[e] = M::both(A.values[e * A.stride], right_values[e * right_stride], i, A.indices[e], true);
    });
}
