// Pull: w⟨mask⟩ = Aᵀ ⊕.⊗ u. Each wanted position gathers over its in-edges.
//
// A warp handles 32 positions, which are one word of the output's bitmap, so nothing is atomic. A
// row ends as soon as nothing can change its result: at the first hit for `any`, else at the
// terminal value. Rows of more than `longest` entries are left to pull_long, a block for each, so
// that no warp handles a hub alone. See docs/decisions/planning.md.
#pragma once
#include "core/fold.cuh"
#include "core/operands.cuh"
#include "core/vector_load.cuh"
#include "core/grid_stride.cuh"

// Reads what a pull reads once. In a graph with offsets of 64 bits that is so much that the frontier would
// not stay in the second-level cache.
template <class Offset, class T> __device__ inline T read_once(const T* at) {
    if constexpr (sizeof(Offset) > 4) return __ldcs(at);
    return *at;
}

template <class S> struct Gather : CsrOf<S> {
    using CsrOf<S>::indptr, CsrOf<S>::indices, CsrOf<S>::values, CsrOf<S>::stride;
    const Word* u_bits;
    const typename S::U* u;
    Index longest;
    const typename S::Offset* slices = nullptr;  // of interleaved rows: the beginning of each word's slice

    // The in-edges of position j, none if there are too many for a warp.
    __device__ typename S::Offset begin(Index j) const {
        const typename S::Offset first = indptr[j], last = indptr[j + 1];
        return last - first > longest ? last : first;
    }
    __device__ typename S::Offset end(Index j) const { return indptr[j + 1]; }

    // Folds in-edge e of position j, if its tail has an entry and the edge counts.
    __device__ void edge(Partial<S>& mine, Index j, typename S::Offset e) const {
        const Index k = indices[e];
        if (present(u_bits, k)) take(mine, j, e, k);
    }
    __device__ void take(Partial<S>& mine, Index j, typename S::Offset e, Index k) const {
        if (S::joins(u, k, values, e * stride, j)) mine.fold(S::product(u, k, values, e * stride, j));
    }

    // Folds the first of so many in-edges from e on that counts. All are loaded and looked up together, because a
    // search that waits for each one is slow.
    __device__ void look(Partial<S>& mine, Index j, typename S::Offset e, typename S::Offset end) const {
        const int count = end - e < LOADS ? int(end - e) : LOADS;
        const Index* const from = one_address(indices + e);
        Index tails[LOADS], first = -1;
        Word words[LOADS];
        typename S::Offset at = e;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) tails[i] = i < count ? read_once<typename S::Offset>(from + i) : 0;
        const Word* const bits = one_address(u_bits + zero_after(tails));
#pragma unroll
        for (int i = 0; i < LOADS; ++i) words[i] = i < count ? bits[tails[i] >> 5] : 0;
        if (union_of(words) == 0) return;
#pragma unroll
        for (int i = LOADS - 1; i >= 0; --i)
            if (present(words[i], tails[i]) && S::joins(u, tails[i], values, (e + i) * stride, j)) {
                first = tails[i];
                at = e + i;
            }
        if (first >= 0) mine.fold(S::product(u, first, values, at * stride, j));
    }

    // Folds the first in-edge of position j that counts, from e on.
    __device__ void search(Partial<S>& mine, Index j, typename S::Offset e, typename S::Offset end) const {
        if (u_bits == nullptr) {  // then a tail is read only where its number or its value is asked for
            for (; e < end && !mine.has; ++e) take(mine, j, e, indices[e]);
            return;
        }
        for (; e < end && !mine.has; e += LOADS) look(mine, j, e, end);
    }
};

// A thread for each row: the best choice if rows are short, or end early.
struct ThreadPerRow {
    static constexpr bool alone = true;
    static constexpr int behind = 0;  // entries after the head that a search of the row can skip

    template <class S>
    static __device__ Partial<S> fold(const Gather<S>& gather, Index first, Word wanted) {
        constexpr int ahead = LOADS_OF<typename S::Z>;
        Partial<S> mine = nothing<S>();
        if (wanted >> lane_id() & 1u) {
            const Index j = first + lane_id();
            const typename S::Offset end = gather.end(j);
            if constexpr (S::any) {
                gather.search(mine, j, gather.begin(j), end);
            } else {
#pragma unroll(ahead)
                for (typename S::Offset e = gather.begin(j); e < end && !mine.settled(); ++e)
                    gather.edge(mine, j, e);
            }
        }
        return mine;
    }
};

// A thread for each row if the rows of a warp are interleaved (SELL: Monakov, Lokhmotov, Avetisyan
// 2010): the first entries of all 32 rows are adjacent, then the second ones, so they are read
// together. A slice has room for 32 rows of the length of its longest.
struct InterleavedRows {
    static constexpr bool alone = true;

    template <class S>
    static __device__ Partial<S> fold(const Gather<S>& gather, Index first, Word wanted) {
        Partial<S> mine = nothing<S>();
        if (wanted >> lane_id() & 1u) {
            const Index j = first + lane_id();
            const typename S::Offset length = gather.end(j) - gather.begin(j);
            typename S::Offset e = gather.slices[first >> 5] + lane_id();
            for (typename S::Offset t = 0; t < length && !mine.settled(); ++t, e += 32)
                gather.edge(mine, j, e);
        }
        return mine;
    }
};

// A thread for each row, where each row begins with its head (see first_hit.cuh).
struct LikelyParentFirst : ThreadPerRow {
    static constexpr int behind = 1;
};

// A warp for each row, its 32 rows one after another: the entries of a row are read together.
struct WarpPerRow {
    static constexpr bool alone = false;

    template <class S>
    static __device__ Partial<S> fold(const Gather<S>& gather, Index first, Word wanted) {
        Partial<S> kept = nothing<S>();
        for (; wanted != 0; wanted &= wanted - 1) {
            const int row = __ffs(wanted) - 1;
            const Index j = first + row;
            const typename S::Offset end = gather.end(j);
            Partial<S> mine = nothing<S>();
            for (typename S::Offset e = gather.begin(j); e < end; e += 32) {
                if (e + lane_id() < end) gather.edge(mine, j, e + lane_id());
                if ((S::any || S::has_terminal) && __any_sync(ALL_LANES, mine.settled())) break;
            }
            const Partial<S> whole = fold_warp(mine);
            if (lane_id() == row) kept = whole;
        }
        return kept;
    }
};

template <class S, class Rows>
__global__ void pull(Index n, CsrOf<S> A, SparseVector<typename S::U> u, Mask mask,
                     SparseOutput<typename S::Z> out, Index longest, const typename S::Offset* slices) {
    const Gather<S> gather{A, u.bits, u.values, longest, slices};
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Word wanted = mask.word(word) & inside(word, n);
        const Partial<S> found = Rows::fold(gather, word << 5, wanted);
        const Word has = __ballot_sync(ALL_LANES, found.has);
        if (found.has) out.values[(word << 5) + lane_id()] = found.value;
        if (lane_id() == 0) out.bits[word] = has;
    }
}

// ⊕ over the in-edges of position j by all threads of the block. The first thread gets the result.
template <class S> __device__ inline Partial<S> fold_row(const Gather<S>& gather, Index j) {
    const typename S::Offset end = gather.end(j);
    Partial<S> mine = nothing<S>();
    for (typename S::Offset e = gather.indptr[j]; e < end; e += blockDim.x) {
        if (e + threadIdx.x < end) gather.edge(mine, j, e + threadIdx.x);
        if ((S::any || S::has_terminal) && __syncthreads_or(mine.settled())) break;
    }
    return fold_block(mine);
}

// The rows that `pull` leaves out, after it: a block for each row.
template <class S>
__global__ void pull_long(Index count, const Index* rows, CsrOf<S> A, SparseVector<typename S::U> u,
                          Mask mask, SparseOutput<typename S::Z> out) {
    const Gather<S> gather{A, u.bits, u.values, 0};
    for (Index r : block_stride<Index>(count)) {
        const Index j = rows[r];
        if (!mask.wants(j)) continue;
        const Partial<S> found = fold_row(gather, j);
        if (threadIdx.x == 0 && found.has) {
            out.values[j] = found.value;
            claim(out.bits, j);
        }
    }
}
