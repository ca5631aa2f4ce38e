// Divides the products of A ⊕.⊗ B within a mask among the threads. An entry (i, k) of A has as many
// products as row k of B has entries, or none if row i of the mask M is empty. Products are
// numbered in the order of A's entries; `ends` is the running sum of masked_products' counts.
//
// A warp handles a row of few products. Blocks handle the others in tiles of equal size, and the
// warps of a block divide a tile, so that neither a long row of A nor one of B delays the rest. See
// docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"
#include "spgemm/masked_dot.cuh"
#include "core/hash_table.cuh"

template <class Offset> __device__ inline long long products_before(const long long* ends, Offset e) {
    return e == 0 ? 0 : ends[e - 1];
}

template <class Offset>
__device__ inline long long products_of(const long long* ends, const Offset* a_indptr, Index i) {
    return products_before(ends, a_indptr[i + 1]) - products_before(ends, a_indptr[i]);
}

// True if a warp handles such a row: it has few products, and at most so many columns in the mask.
template <class Offset>
__device__ inline bool is_small(Offset wanted, Index columns, long long products, Index few) {
    return wanted <= columns && products <= few;
}

// counts[i]: the number of tiles of row i, each of `tile` products; 0 if a warp handles the row.
template <class Offset>
__global__ void masked_tiles(Index nrows, const Offset* m_indptr, const Offset* a_indptr,
                             const long long* ends, Index columns, Index few, Index tile,
                             Index* counts) {
    for (unsigned i : grid_stride<unsigned>(nrows)) {
        const long long products = products_of(ends, a_indptr, i);
        const bool small = is_small(length(m_indptr, i), columns, products, few);
        counts[i] = small ? 0 : static_cast<Index>((products + tile - 1) / tile);
    }
}

// The first of sums[low … high], which increase, that is greater than `at`; the last one is. All lanes of a warp
// look for it together.
template <class Sum, class At>
__device__ inline At warp_first_beyond(const Sum* sums, At low, At high, Sum at) {
    return warp_partition_point(low, high, [&](At i) { return sums[i] <= at; });
}

// Calls body(i, begin, end, whole) for every row i that has products: the group handles the
// products [begin, end), and `whole` says that these are all. Warp: the small rows. Block: the
// others, by tiles; `tiles` is the running sum of their counts.
template <class Group, class Offset, class Body>
__device__ inline void each_tile(Index nrows, const Offset* m_indptr, const Offset* a_indptr,
                                 const long long* ends, Index columns, Index few, Index tile,
                                 const long long* tiles, Body body) {
    if constexpr (Group::one_warp) {
        const Index share = (nrows + 31) >> 5;  // neighbouring rows are often alike
        for (Index own : warp_stride<Index>(share)) {
            const Index mine = own + lane_id() * share;
            long long begin = 0, end = 0;
            if (mine < nrows) {
                begin = products_before(ends, a_indptr[mine]);
                end = products_before(ends, a_indptr[mine + 1]);
            }
            const bool has_some =
                end > begin && is_small(length(m_indptr, mine), columns, end - begin, few);
            for (Word left = __ballot_sync(ALL_LANES, has_some); left != 0; left &= left - 1) {
                const int lane = __ffs(left) - 1;
                body(own + lane * share, __shfl_sync(ALL_LANES, begin, lane),
                     __shfl_sync(ALL_LANES, end, lane), true);
            }
        }
    } else {
        const long long total = tiles[nrows - 1];
        for (long long t : block_stride<long long>(total)) {
            const Index i = warp_first_beyond(tiles, 0, nrows - 1, t);
            const long long first = products_before(ends, a_indptr[i]);
            const long long last = products_before(ends, a_indptr[i + 1]);
            const long long begin = first + (t - products_before(tiles, i)) * tile;
            const long long end = least(begin + tile, last);
            body(i, begin, end, begin == first && end == last);
        }
    }
}

// The part of a group's products [begin, end) that one warp handles. each() calls row(e, first,
// count) for the entries e of A's row i that have products in it, with `count` entries of B from
// `first` on.
template <class Group, class Offset> struct ProductShare {
    long long low, high;

    __device__ ProductShare(long long begin, long long end) {
        const int warps = Group::size() / 32, warp = Group::rank() / 32;
        const long long each = (end - begin + warps - 1) / warps;
        low = least(begin + warp * each, end);
        high = least(low + each, end);
    }

    template <class Row>
    __device__ void each(const Structure<Offset>& A, Index i, const Offset* b_indptr, const long long* ends,
                         Row row) const {
        const Offset last = A.indptr[i + 1];
        long long at = low;
        for (Offset base = warp_first_beyond(ends, A.indptr[i], last - 1, low); at < high; base += 32) {
            const Offset e = base + lane_id();
            long long end = high;
            Offset first = 0;
            int count = 0;
            if (e < last) {
                const long long begin = products_before(ends, e), from = begin < at ? at : begin;
                end = least(ends[e], high);
                if (end > from) {
                    count = static_cast<int>(end - from);
                    first = b_indptr[A.indices[e]] + static_cast<Offset>(from - begin);
                }
            }
            for (Word left = __ballot_sync(ALL_LANES, count > 0); left != 0; left &= left - 1) {
                const int lane = __ffs(left) - 1;
                row(base + lane, __shfl_sync(ALL_LANES, first, lane), __shfl_sync(ALL_LANES, count, lane));
            }
            at = __shfl_sync(ALL_LANES, end, 31);
        }
    }
};

constexpr int AHEAD = 2;  // columns that a lane loads before it searches for the first

// Calls body(e, j, place) for those of `count` entries e from `first` on whose column j is found,
// which means find(j) >= 0. Columns increase, and none beyond `most` is found. For a warp.
template <class Offset, class Find, class Body>
__device__ inline void look_through(const Index* indices, Offset first, int count, Index last_column, Find find,
                                    Body body) {
    for (int base = lane_id(); base - lane_id() < count; base += 32 * AHEAD) {
        const Offset e = first + base;
        Index j[AHEAD];
        Offset place[AHEAD];
#pragma unroll
        for (int x = 0; x < AHEAD; ++x) j[x] = base + 32 * x < count ? indices[e + 32 * x] : EMPTY<Index>;
#pragma unroll
        for (int x = 0; x < AHEAD; ++x) place[x] = j[x] <= last_column ? find(j[x]) : -1;
#pragma unroll
        for (int x = 0; x < AHEAD; ++x)
            if (place[x] >= 0) body(e + 32 * x, j[x], place[x]);
        if (__any_sync(ALL_LANES, j[AHEAD - 1] > last_column)) break;
    }
}
