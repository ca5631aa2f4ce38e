// What is near goes first: the state of a closure by order of value, and how it moves on.
//
// ⊕ must be the minimum or the maximum, and ⊗ must never improve on its left operand. An entry that
// changed is near if it is as good as a bound, else far. The near ones are pushed until none is left;
// then the bound moves a width beyond the best of the far ones. Whatever changes is pushed again, so
// any order leads to the same fixpoint: the bound only decides how often that happens.
#pragma once
#include "fold.cuh"
#include "lists.cuh"
#include "walk.cuh"

constexpr unsigned OWN = 512;   // items of a block's own queue
constexpr int DESK_WARPS = 9;  // of a block, at most

// A vertex that improved, with all that it takes to push it.
template <class Z, class Offset> struct Task {
    Offset first;
    Z z;
    Index vertex;
    int degree;
};

// What a block keeps to itself, in shared memory.
template <class Z, class Offset> struct Desk {
    Appends nearby, farther;
    Offers<Z> offers[DESK_WARPS];
    Pile from, near, far;  // of this epoch: read, and appended to
    bool is_far;           // is it the far list that is read?
    Z bound;
    __align__(8) Z best[8 / sizeof(Z)];  // of what the block found far; a word of its own
    Count walked;                        // edges, if anybody listens
    bool heard;
    Task<Z, Offset> queues[2][OWN];
    unsigned counts[3];  // of the queues: read, written and cleared in turns
    int into;            // which queue takes what is near; -1 for none
    unsigned* own_count;
};

template <class S> struct NearFar {
    using Z = typename S::Z;
    using Offset = typename S::Offset;

    Index n;
    Offset piece, leaf;    // a vertex of at most `leaf` out-edges improves nothing
    const Offset* indptr;  // A by rows: the out-edges
    const Index* indices;
    const typename S::A* values;
    int stride;
    Word* bits;  // x: which positions hold an entry, and the entries
    Z* x;
    Z* pushed;       // what the vertex was when its edges were last walked
    Count* strange;  // set if there is no order: a NaN was met, or a sum that wrapped
    Desk<Z, Offset>* desk;

    static __device__ Z peek_value(const Z* at) { return *static_cast<const volatile Z*>(at); }
    static __device__ bool nan(Z z) { return !(z == z); }
    static __device__ bool is_start(Z z) { return nan(z) || z == S::start(); }
    __device__ bool is_near(Z z) const { return S::add(z, desk->bound) == z; }
    __device__ void complain() const { *static_cast<volatile Count*>(strange) = 1; }

    // The bound a width beyond z, and never before it: a large integer has no exact double.
    static __device__ Z beyond(Z z, double width) {
        const Z moved = arithmetic::cast<Z>(arithmetic::cast<double>(z) + width);
        return S::add(z, moved) == z ? moved : z;
    }

    // The entries of x₀ are far; an absent position holds what a fold starts from.
    __device__ void begin(const Word* start_bits, const Z* start) {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            const bool has = j < n && present(start_bits, j);
            const Word entries = __ballot_sync(ALL_LANES, has);
            if (j < n) {
                x[j] = has ? start[j] : S::start();
                pushed[j] = S::start();
            }
            if (lane_id() == 0) bits[word] = entries;
            put_far(has, j, has ? start[j] : S::start());
        }
    }

    // --- for whole warps, each lane with an entry of its own or none -------------------------

    __device__ void put_far(bool mine, Index j, Z z) {
        if (mine) {
            const Z best = peek_value(desk->best);
            if (!(S::add(best, z) == best)) fold_into<S>(desk->best, z);
            mine = claim(desk->far.bits, j);
        }
        desk->farther.add(mine, j, 1, 1, desk->far.items, desk->far.count);
    }

    __device__ void put_near(bool mine, Index j, Offset degree) {
        mine = mine && claim(desk->near.bits, j);
        desk->nearby.add(mine, j, degree, piece, desk->near.items, desk->near.count);
    }

    // An integer may wrap, and be better than what it comes of. Then there is no order.
    __device__ bool admits(Z tail, Z z) const {
        if (is_floating<Z> || S::add(tail, z) == tail) return true;
        complain();
        return false;
    }

    // Is an offer to position j of use, by what can be seen? It may be the first, and just what a fold
    // starts from. A block on its own does not look: most are of use, and each look is a step longer.
    __device__ bool helps(Index j, Z z) const {
        if (desk->into >= 0 || is_start(z)) return true;
        const Z seen = peek_value(x + j);
        return !(S::add(seen, z) == seen);
    }

    // An offer to position j, which others may be changing too. What improves will be pushed.
    __device__ void offer(bool live, Index j, Z z) {
        bool better = false;
        Offset first = 0, degree = 0;
        if (live && nan(z)) complain();
        if (live && !nan(z)) {
            first = indptr[j];  // asked for beside the fold, not after it
            degree = indptr[j + 1] - first;
            const Z old = fold_into<S>(x + j, z);
            better = !(S::add(old, z) == old);
            if (is_start(z)) better = claim(bits, j);
            else if (is_start(old)) mark(bits, j);
        }
        better = better && degree > leaf;
        bool close = better && is_near(z);
        put_far(better && !close, j, z);
        if (close && desk->into >= 0 && degree <= piece) {
            const unsigned at = atomicAdd(desk->own_count, 1u);
            if (at < OWN) {
                desk->queues[desk->into][at] = {first, z, j, static_cast<int>(degree)};
                close = false;
            }
        }
        put_near(close, j, degree);
    }

    __device__ void push(Index k, Z z, Offset first, int degree, bool fresh) {
        if (desk->heard && degree > 0) atomicAdd(&desk->walked, Count(degree));
        walk<S>(*this, desk->offers[threadIdx.x >> 5], k, z, first, degree, fresh);
    }

    // An item of the list that is read.
    __device__ void take(bool live, long long item) {
        const Index k = vertex_of(item);
        const bool is_far = desk->is_far;
        bool keep = false, split = false;
        Z z = S::start();
        Offset first = 0, all = 0;
        int degree = 0;
        if (live) {
            *static_cast<volatile Word*>(desk->from.bits + (k >> 5)) = 0;  // read for good
            z = peek_value(x + k);
            first = indptr[k];
            all = indptr[k + 1] - first;
            keep = is_far && !nan(z) && !is_near(z);
            split = is_far && !nan(z) && !keep && all > piece;  // so that all blocks have part in it
            if (nan(z)) {
                complain();
            } else if (all > piece) {
                first += static_cast<Offset>(piece_of(item)) * piece;
                const Offset rest = indptr[k + 1] - first;
                degree = keep || split ? 0 : static_cast<int>(rest < piece ? rest : piece);
            } else if (!keep && (is_start(z) || !(peek_value(pushed + k) == z))) {
                *static_cast<volatile Z*>(pushed + k) = z;
                degree = static_cast<int>(all);
            }
        }
        if (is_far) {
            put_far(keep, k, z);
            put_near(split, k, all);
        }
        push(k, z, first, degree, true);
    }

    // A task of the block's own.
    __device__ void follow(const Task<Z, Offset>& task, bool live) {
        Index k = 0;
        Z z = S::start();
        Offset first = 0;
        int degree = 0;
        bool fresh = false;
        if (live) {
            k = task.vertex;
            z = task.z;
            first = task.first;
            degree = task.degree;
            fresh = peek_value(x + k) == z;
            *static_cast<volatile Z*>(pushed + k) = z;
        }
        push(k, z, first, degree, fresh);
    }

    // --- for whole blocks ------------------------------------------------------------------------

    // The list, shared out over the grid; or the block's share of it and what comes of that, through at
    // most `steps` steps. Warps take items that stand far apart: neighbours may be pieces of one hub.
    // A barrier of the block comes first, so that all see what stands on the desk.
    __device__ void work(unsigned items, int steps) {
        const bool alone = steps > 0;
        unsigned low = 0, count = items;
        if (alone) {
            low = Count(items) * blockIdx.x / gridDim.x;
            count = static_cast<unsigned>(Count(items) * (blockIdx.x + 1) / gridDim.x) - low;
        }
        if (threadIdx.x < 3) desk->counts[threadIdx.x] = 0;
        for (int step = 0; step <= steps; ++step) {
            if (step > 0) count = desk->counts[step % 3] < OWN ? desk->counts[step % 3] : OWN;
            if (step > 0 && count == 0) break;
            if (threadIdx.x == 0) {
                desk->counts[(step + 2) % 3] = 0;
                desk->into = step < steps ? (step + 1) & 1 : -1;
                desk->own_count = desk->counts + (step + 1) % 3;
            }
            __syncthreads();
            const unsigned warps = alone ? blockDim.x >> 5 : warp_count();
            const unsigned mine = alone ? threadIdx.x >> 5 : spread_warp_id();
            for (unsigned base = mine; base < count; base += 32 * warps) {
                const unsigned at = base + lane_id() * warps;
                if (step == 0) take(at < count, at < count ? desk->from.items[low + at] : 0);
                else follow(desk->queues[step & 1][at < count ? at : 0], at < count);
            }
            __syncthreads();
        }
    }

    // What the block has gathered goes to the lists. A barrier of the grid must follow.
    __device__ void append(Z* far_best, Count* walked) {
        desk->nearby.flush(desk->near.items, desk->near.count);
        desk->farther.flush(desk->far.items, desk->far.count);
        if (threadIdx.x > 0) return;
        if (walked != nullptr && desk->walked > 0) atomicAdd(walked, desk->walked);
        desk->walked = 0;
        if (!is_start(desk->best[0])) fold_into<S>(far_best, desk->best[0]);
        desk->best[0] = S::start();
    }
};
