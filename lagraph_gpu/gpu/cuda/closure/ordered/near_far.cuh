// The state of a near-far closure by order of value, and its steps: near vertices go first.
//
// ⊕ must be the minimum or the maximum, and ⊗ must never improve on its left operand. An entry
// that changed is near if it is as good as a bound, otherwise far. Near entries are pushed until there
// are none; then the bound moves a width beyond the best of the far entries. Every entry that changes
// is pushed again, so any order leads to the same fixpoint: the bound only affects how often that
// happens.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/ordered/value_order.cuh"
#include "core/grid_stride.cuh"
#include "spmv/warp_expand.cuh"

constexpr int NEAR_FAR_WARPS = DELTA_BLOCK / 32;

// A block's state, in shared memory.
template <class Z, class Offset> struct NearFarBlockState {
    BlockAppend<long long> nearby, farther;
    Candidates<Z> candidates[NEAR_FAR_WARPS];
    DedupQueue from, near, far;  // of this epoch: read, and appended to
    bool is_far;                 // is the far list read?
    Z bound;
    __align__(8) Z best[8 / sizeof(Z)];  // the best far value that the block found
    Count walked;                        // edges, if there is a log
    bool has_log;
};

template <class S> struct NearFar : Order<S>, CsrOf<S> {  // A by rows: the out-edges
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using Order<S>::nan;
    using Order<S>::is_start;
    using Order<S>::better;
    using Order<S>::report_unordered;
    using CsrOf<S>::indptr, CsrOf<S>::indices, CsrOf<S>::values, CsrOf<S>::stride;

    Index n;
    Offset piece, leaf_degree;  // a vertex with at most `leaf_degree` out-edges improves no other
    Word* bits;          // x: the positions with an entry, and the values
    Z* x;
    Z* pushed;  // the value of each vertex when its edges were last walked
    NearFarBlockState<Z, Offset>* block_state;

    __device__ bool is_near(Z z) const { return Order<S>::as_good(z, block_state->bound); }

    // The entries of x₀ are far; an absent position holds what a fold starts from.
    __device__ void begin(const Start<Z>& start) {
        for (Index word : warp_stride<Index>(words_of(n))) {
            const Index j = (word << 5) + lane_id();
            const bool has = j < n && start.has(j);
            const Word entries = __ballot_sync(ALL_LANES, has);
            if (j < n) {
                x[j] = has ? foldable<S>(start.at(j)) : S::start();
                pushed[j] = S::start();
            }
            if (lane_id() == 0) bits[word] = entries;
            put_far(has, j, has ? start.at(j) : S::start());
        }
    }

    // --- for whole warps, each lane with an entry of its own or none -------------------------

    __device__ void put_far(bool mine, Index j, Z z) {
        if (mine) {
            if (better(z, peek(block_state->best))) fold_into<S>(block_state->best, z);
            mine = claim(block_state->far.bits, j);
        }
        block_state->farther.add_pieces(mine, j, 1, 1, block_state->far.items, block_state->far.count);
    }

    __device__ void put_near(bool mine, Index j, Offset degree) {
        mine = mine && claim(block_state->near.bits, j);
        block_state->nearby.add_pieces(mine, j, degree, piece, block_state->near.items, block_state->near.count);
    }

    // Can z improve position j, as far as can be seen? z may be the first value there, and equal what
    // a fold starts from.
    __device__ bool helps(Index j, Z z) const {
        return is_start(z) || better(z, peek(x + j));
    }

    // Relaxes position j, which other threads may be changing too. What improves will be pushed.
    __device__ void relax(bool live, Index j, Z z) {
        bool improves = false;
        Offset degree = 0;
        if (live) {
            degree = indptr[j + 1] - indptr[j];  // loaded while the fold is under way
            const Z old = fold_into<S>(x + j, z);
            improves = better(z, old);
            if (is_start(z)) improves = claim(bits, j);
            else if (is_start(old)) mark(bits, j);
        }
        improves = improves && degree > leaf_degree;
        const bool close = improves && is_near(z);
        put_far(improves && !close, j, z);
        put_near(close, j, degree);
    }

    __device__ void push(Index k, Z z, Offset first, int degree) {
        if (block_state->has_log && degree > 0) atomicAdd(&block_state->walked, Count(degree));
        walk<S>(*this, block_state->candidates[threadIdx.x >> 5], k, z, first, degree);
    }

    // An item of the list that is read.
    __device__ void take(bool live, long long item) {
        const Index k = vertex_of(item);
        const bool is_far = block_state->is_far;
        bool keep = false, split = false;
        Z z = S::start();
        Offset first = 0, all = 0;
        int degree = 0;
        if (live) {
            *static_cast<volatile Word*>(block_state->from.bits + (k >> 5)) = 0;  // read for good
            z = peek(x + k);
            first = indptr[k];
            all = indptr[k + 1] - first;
            keep = is_far && !nan(z) && !is_near(z);
            split = is_far && !nan(z) && !keep && all > piece;  // so that all blocks have part in it
            if (nan(z)) {
                report_unordered();
            } else if (all > piece) {
                first += static_cast<Offset>(piece_of(item)) * piece;
                const Offset rest = indptr[k + 1] - first;
                degree = keep || split ? 0 : static_cast<int>(rest < piece ? rest : piece);
            } else if (!keep && (is_start(z) || !(peek(pushed + k) == z))) {
                *static_cast<volatile Z*>(pushed + k) = z;
                degree = static_cast<int>(all);
            }
        }
        if (is_far) {
            put_far(keep, k, z);
            put_near(split, k, all);
        }
        push(k, z, first, degree);
    }

    // --- for whole blocks ------------------------------------------------------------------------

    // The list, shared out over the grid. A warp takes items far apart, because neighbours may be
    // pieces of one hub. A barrier of the block comes first, so that all threads see its lists.
    __device__ void work(Count items) {
        __syncthreads();
        for (const auto numbers : lanes_apart<Count>(items)) {
            const Count at = numbers.own();
            take(at < items, at < items ? block_state->from.items[at] : 0);
        }
    }

    // Writes the vertices that the block has gathered to the lists. A barrier of the grid must follow.
    __device__ void append(Z* far_best, Count* walked) {
        block_state->nearby.flush(block_state->near.items, block_state->near.count);
        block_state->farther.flush(block_state->far.items, block_state->far.count);
        if (threadIdx.x > 0) return;
        if (walked != nullptr && block_state->walked > 0) atomicAdd(walked, block_state->walked);
        block_state->walked = 0;
        if (!is_start(block_state->best[0])) fold_into<S>(far_best, block_state->best[0]);
        block_state->best[0] = S::start();
    }
};
