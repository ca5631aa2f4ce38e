// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, in one launch (delta-stepping: Meyer, Sanders
// 2003; near and far: Davidson, Baxter, Garland, Owens 2014).
//
// ⊕ must be the minimum or the maximum, and ⊗ must never improve on its left operand. An entry that
// changed is near if it is as good as a bound, else far. The near ones are pushed until none is left;
// then the bound moves `width` beyond the best of the far ones. Whatever changes is pushed again, so
// any order leads to the same fixpoint: the bound only decides how often that happens.
//
// An epoch lies between two barriers of the grid. In each, the near list is walked, or the far list
// where nothing is near. Where the list is short, each block follows what it improves in a queue of
// its own, through many steps and without waiting for the others, since on a road every step is
// short and there are thousands; else what improves goes to the next near list, which all blocks
// share out anew.
#pragma once
#include "balance.cuh"
#include "fold.cuh"
#include "grid.cuh"
#include "lists.cuh"

constexpr unsigned OWN = 1024;  // items of a block's own queue

// What a block keeps to itself, in shared memory.
template <class Z> struct Desk {
    Appends nearby, farther;
    Pile from, near, far;  // of this epoch: read, and appended to
    bool is_far;           // is it the far list that is read?
    Z bound;
    __align__(8) Z best[8 / sizeof(Z)];  // of what the block found far; a word of its own
    Count* walked;                       // counts edges, if anybody listens
    long long queues[2][OWN];
    unsigned counts[3];    // of the own queues: read, written and cleared in turns
    long long* own;        // where the own next step goes; null if there is none
    unsigned* own_count;
};

template <class S> struct Ordered {
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
    Z* pushed;  // what the vertex was when its edges were last walked
    Count* strange;  // set if a NaN is met, which has no place in an order
    Desk<Z>* desk;

    static __device__ Z peek_value(const Z* at) { return *static_cast<const volatile Z*>(at); }
    static __device__ bool nan(Z z) { return !(z == z); }
    static __device__ bool is_start(Z z) { return nan(z) || z == S::start(); }
    __device__ bool is_near(Z z) const { return S::add(z, desk->bound) == z; }

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
            if (has) put_far(j, start[j]);
            if (lane_id() == 0) bits[word] = entries;
        }
    }

    __device__ void put_far(Index j, Z z) {
        const Z best = peek_value(desk->best);
        if (!(S::add(best, z) == best)) fold_into<S>(desk->best, z);
        if (claim(desk->far.bits, j)) desk->farther.add(j, desk->far.items, desk->far.count);
    }

    // Entry j has become z: it will be pushed.
    __device__ void put(Index j, Z z, Offset degree) {
        if (degree <= leaf) return;
        if (!is_near(z)) return put_far(j, z);
        if (desk->own != nullptr && degree <= piece) {
            const unsigned at = atomicAdd(desk->own_count, 1u);
            if (at < OWN) {
                desk->own[at] = j;
                return;
            }
        }
        if (!claim(desk->near.bits, j)) return;
        for (Offset first = 0; first == 0 || first < degree; first += piece)
            desk->nearby.add(item_of(j, first / piece), desk->near.items, desk->near.count);
    }

    // Is an offer to position j of use, by what it held when last seen? It may be the first, and just
    // what a fold starts from.
    static __device__ bool helps(Z seen, Z z) { return !(S::add(seen, z) == seen) || is_start(z); }

    // An offer to position j, which others may be changing too.
    __device__ void offer(Index j, Z z) {
        if (nan(z)) {
            *static_cast<volatile Count*>(strange) = 1;
            return;
        }
        const Offset degree = indptr[j + 1] - indptr[j];  // asked for beside the fold, not after it
        const Z old = fold_into<S>(x + j, z);
        bool better = !(S::add(old, z) == old);
        if (is_start(z)) better = claim(bits, j);
        else if (is_start(old)) atomicOr(bits + (j >> 5), 1u << (j & 31));
        if (better) put(j, z, degree);
    }

    // The edges of up to 32 vertices, one for each lane, shared out evenly over the warp.
    __device__ void walk(Index k, Z z, Offset first, int degree) {
        if (desk->walked != nullptr && degree > 0) atomicAdd(desk->walked, Count(degree));
        share_in_warp(degree, [&](int whose, int at, bool mine) {
            const Index tail = __shfl_sync(ALL_LANES, k, whose);
            const Z value = static_cast<Z>(__shfl_sync(ALL_LANES, z, whose));
            const Offset e = __shfl_sync(ALL_LANES, first, whose) + at;
            if (!mine) return;
            const Index j = indices[e];
            const Z offered = S::step(value, tail, values, e * stride, j);
            if (desk->own != nullptr || helps(peek_value(x + j), offered)) offer(j, offered);
        });
    }

    // Takes an item of `from`, or of the block's own queue, and walks its edges; a lane without one
    // takes part with `live` false.
    __device__ void take(bool live, long long item, bool first_hand) {
        const Index k = vertex_of(item);
        Z z = S::start();
        Offset first = 0;
        int degree = 0;
        if (live) {
            if (first_hand) *static_cast<volatile Word*>(desk->from.bits + (k >> 5)) = 0;  // read for good
            z = peek_value(x + k);
            first = indptr[k];
            const Offset all = indptr[k + 1] - first;
            if (nan(z)) {
                *static_cast<volatile Count*>(strange) = 1;
            } else if (first_hand && desk->is_far && !is_near(z)) {
                put_far(k, z);
            } else if (all > piece) {
                if (first_hand && desk->is_far) {
                    put(k, z, all);  // in pieces, for all blocks
                } else {
                    first += static_cast<Offset>(piece_of(item)) * piece;
                    const Offset rest = indptr[k + 1] - first;
                    degree = static_cast<int>(rest < piece ? rest : piece);
                }
            } else if (is_start(z) || !(peek_value(pushed + k) == z)) {
                *static_cast<volatile Z*>(pushed + k) = z;
                degree = static_cast<int>(all);
            }
        }
        walk(k, z, first, degree);
    }

    // Each warp takes up to 32 items at a time, and no two that stand side by side: these may be pieces
    // of one hub.
    __device__ void share_out(const long long* items, unsigned count, bool alone, bool first_hand) {
        const unsigned warps = alone ? blockDim.x >> 5 : warp_count();
        for (unsigned base = alone ? threadIdx.x >> 5 : warp_id(); base < count; base += 32 * warps) {
            const unsigned at = base + lane_id() * warps;
            const bool live = at < count;
            take(live, live ? items[at] : 0, first_hand);
        }
    }

    // The list, shared out over the grid; or the block's share of it and what comes of that, through at
    // most `steps` steps.
    __device__ void work(unsigned items, int steps) {
        const bool alone = steps > 0;
        const long long* list = desk->from.items;
        unsigned count = items;
        if (alone) {
            const unsigned low = Count(items) * blockIdx.x / gridDim.x;
            count = static_cast<unsigned>(Count(items) * (blockIdx.x + 1) / gridDim.x) - low;
            list += low;
        }
        for (int step = 0; step <= steps; ++step) {
            if (step > 0) {
                count = desk->counts[step % 3] < OWN ? desk->counts[step % 3] : OWN;
                list = desk->queues[step & 1];
                if (count == 0) break;
            }
            if (threadIdx.x == 0) {
                desk->counts[(step + 2) % 3] = 0;
                desk->own = step < steps ? desk->queues[(step + 1) & 1] : nullptr;
                desk->own_count = desk->counts + (step + 1) % 3;
            }
            __syncthreads();
            share_out(list, count, alone, step == 0);
            __syncthreads();
        }
    }

    // What the block has gathered goes to the lists. A barrier of the grid must follow.
    __device__ void append(Z* far_best) {
        desk->nearby.flush(desk->near.items, desk->near.count);
        desk->farther.flush(desk->far.items, desk->far.count);
        if (threadIdx.x > 0) return;
        if (!is_start(desk->best[0])) fold_into<S>(far_best, desk->best[0]);
        desk->best[0] = S::start();
    }
};

// `width` is negative for a maximum. Of the near and of the far list there are two generations of
// `room` items, and of words_of(n) words in `bits`; of what is best among the far ones three, a word
// each, which hold what a fold starts from. counts: three for each list, then 1 if a NaN was met and
// the number of epochs. These, the bitmaps and arrivals are 0 at first. In an epoch of at most `few` items a block each
// follows up to `steps` steps of its own. log, if it is not null, gets {items, edges} of each
// of the first `logged` epochs.
template <class S>
__global__ void __launch_bounds__(512, 2)
    ordered(Index n, typename S::Offset piece, typename S::Offset leaf,
            const typename S::Offset* indptr, const Index* indices, const typename S::A* values,
            int stride, const Word* start_bits, const typename S::Z* start, Word* x_bits,
            typename S::Z* x, typename S::Z* pushed, long long* items, Count room, Word* bits,
            typename S::Z* bests, Count* counts, unsigned* arrivals, double width, unsigned few,
            int steps, Index logged, Count* log) {
    using Z = typename S::Z;
    __shared__ Desk<Z> desk;
    const Grid grid{arrivals};
    const Index words = words_of(n);
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    const auto near = [=](unsigned g) {
        return Pile{items + g % 2 * room, bits + (1 + g % 2) * words, counts + g % 3};
    };
    const auto far = [=](unsigned g) {
        return Pile{items + (2 + g % 2) * room, bits + 3 * (g % 2) * words, counts + 3 + g % 3};
    };
    const auto best = [=](unsigned g) { return bests + g % 3 * (8 / sizeof(Z)); };
    Ordered<S> closure{n, piece, leaf, indptr, indices, values, stride, x_bits, x, pushed,
                       counts + 6, &desk};
    if (leads) {
        desk.nearby.count = desk.farther.count = 0;
        desk.own = nullptr;
        for (Z& each : desk.best) each = S::start();
        desk.near = near(0);
        desk.far = far(0);
    }
    __syncthreads();
    closure.begin(start_bits, start);
    closure.append(best(0));
    grid.wait();
    unsigned epoch = 0, distance = 0;  // generations of the near and of the far list
    for (;; ++epoch) {
        const Count close = read_count(near(epoch).count);
        const bool is_far = close == 0;
        const Count all = is_far ? read_count(far(distance).count) : close;
        if (all == 0) break;
        Count* const line = log == nullptr || epoch >= unsigned(logged) ? nullptr : log + 2 * epoch;
        if (leads) {
            desk.is_far = is_far;
            if (is_far) desk.bound = Ordered<S>::beyond(Ordered<S>::peek_value(best(distance)), width);
            desk.walked = line == nullptr ? nullptr : line + 1;
            desk.from = is_far ? far(distance) : near(epoch);
            desk.near = near(epoch + 1);
            desk.far = far(distance + is_far);
        }
        if (leads_all) {
            if (line != nullptr) line[0] = all;
            *near(epoch + 2).count = 0;
            if (is_far) {
                *far(distance + 2).count = 0;
                *best(distance + 2) = S::start();
            }
        }
        distance += is_far;
        if (threadIdx.x < 3) desk.counts[threadIdx.x] = 0;
        __syncthreads();
        closure.work(all, all <= Count(few) * gridDim.x ? steps : 0);
        closure.append(best(distance));
        grid.wait();
    }
    if (leads_all) counts[7] = epoch;
}
