// All that changed goes on at once: the state of a closure by rounds, and how it moves on.
//
// The frontier is kept as a bitmap, which a pull asks, and as a queue of items (see lists.cuh), which
// a push walks, each a piece of at most `piece` out-edges. A pull leaves only the bitmap; the queue is
// made of it if a push follows.
//
// ⊕ must be idempotent: an offer may be folded in more than once.
#pragma once
#include "lists.cuh"
#include "search.cuh"
#include "walk.cuh"

constexpr int CLOSURE_WARPS = 14;  // of a block, at most

// One generation of the frontier.
struct Level {
    long long* queue;
    Word* bits;
    Count* counts;  // items, vertices, the edges that leave them

    __device__ Count read(int which) const { return read_count(counts + which); }
};

template <class S> struct Closure {
    using Z = typename S::Z;
    using Offset = typename S::Offset;

    Index n;
    Offset piece;
    const Offset* indptr;  // A by rows: the out-edges
    const Index* indices;
    const typename S::A* values;
    int stride;
    Gather<S> gather;  // Aᵀ by rows: the in-edges that come from the frontier
    const Index* heads;  // of the rows of Aᵀ, if they are known
    Index hubs;        // rows of Aᵀ too long for a warp
    const Index* hub;
    Word* bits;        // x: which positions hold an entry, and the entries
    Z* x;
    Z* front;          // the frontier's values as this round began; with `any` x itself
    Index* rounds;     // in which each entry took its value
    Appends* mine;
    Offers<Z>* offers;
    GivenUp<CLOSURE_WARPS>* rest;
    Level next;
    Index round;
    Count vertices, edges;  // that this thread has found changed, and their out-edges
    Offset from, to;        // the last one's: added later, so that nothing waits for them

    // Vertex j, which is in the next bitmap, changed; this comes once a round.
    __device__ void note(Index j) {
        rounds[j] = round;
        ++vertices;
        edges += to - from;
        from = indptr[j];
        to = indptr[j + 1];
    }

    // Notes the vertices of the lanes that have one, and queues them; for the whole warp.
    __device__ void queue(bool changed, Index j) {
        if (changed) note(j);
        mine->add(changed, j, changed ? to - from : Offset(0), piece, next.queue, next.counts);
    }

    // What the block has found goes to the next level. All of its threads must call this, and a
    // barrier must follow.
    __device__ void append() {
        mine->flush(next.queue, next.counts);
        edges += to - from;
        from = to;
        for (int distance = 16; distance > 0; distance >>= 1) {
            vertices += __shfl_xor_sync(ALL_LANES, vertices, distance);
            edges += __shfl_xor_sync(ALL_LANES, edges, distance);
        }
        if (lane_id() == 0 && vertices > 0) {
            atomicAdd(next.counts + 1, vertices);
            atomicAdd(next.counts + 2, edges);
        }
        vertices = edges = 0;
    }

    // The entries of x₀ are the first frontier; an absent position holds what a fold starts from.
    __device__ void begin(const Word* start_bits, const Z* start) {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            const bool has = j < n && present(start_bits, j);
            const Word entries = __ballot_sync(ALL_LANES, has);
            if (lane_id() == 0) bits[word] = next.bits[word] = entries;
            if (has) x[j] = start[j];
            else if (!S::any && j < n) x[j] = S::start();
            queue(has, j);
        }
    }

    // Makes the queue that a pull has left out.
    __device__ void list(const Level& now) {
        for (Index base = warp_id() << 5; base < words_of(n); base += warp_count() << 5) {
            const Index word = base + lane_id();
            Word left = word < words_of(n) ? now.bits[word] : 0;
            while (__any_sync(ALL_LANES, left != 0)) {
                const bool has = left != 0;
                const Index j = has ? (word << 5) + __ffs(left) - 1 : 0;
                const Offset degree = has ? indptr[j + 1] - indptr[j] : 0;
                mine->add(has, j, degree, piece, now.queue, now.counts);
                left &= left - 1;
            }
        }
        mine->flush(now.queue, now.counts);
    }

    __device__ void set_aside(const Level& now) {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index k = (word << 5) + lane_id();
            if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];
        }
    }

    __device__ void set_aside(const Level& now, Count items) {
        const Threads thread;
        for (Count at = thread.first; at < items; at += thread.all) {
            const Index k = vertex_of(now.queue[at]);
            front[k] = x[k];
        }
    }

    __device__ bool holds(Index j) const { return peek(bits + (j >> 5)) >> (j & 31) & 1u; }

    __device__ bool admits(typename S::U, Z) const { return true; }

    // Can an offer to position j, which others may be changing too, be of use?
    __device__ bool helps(Index j, Z z) const {
        const bool held = holds(j);
        if (S::any || !held) return !held;
        const Z seen = *static_cast<volatile Z*>(x + j);
        return !(S::add(seen, z) == seen);
    }

    __device__ void offer(bool live, Index j, Z z) {
        bool changed = false;
        if constexpr (S::any) {
            changed = live && claim(bits, j);
            if (changed) {
                x[j] = z;
                mark(next.bits, j);
            }
        } else if (live) {
            const Z old = fold_into<S>(x + j, z);
            const bool fresh = claim(bits, j);
            changed = (fresh || !(S::add(old, z) == old)) && claim(next.bits, j);
        }
        queue(changed, j);
    }

    // What row j gathered: does it change the entry, which nobody else changes in this round?
    __device__ bool takes(Index j, bool had, Z z) {
        if (had && S::any) return false;
        const Z old = x[j], now = had ? S::add(old, z) : z;
        if (had && now == old) return false;
        x[j] = now;
        return true;
    }

    // Each warp takes up to 32 items at a time, and no two that stand side by side: these may be pieces
    // of one hub.
    __device__ void push(const Level& now, Count items) {
        const Count warps = warp_count();
        for (Count base = spread_warp_id(); base < items; base += 32 * warps) {
            const Count at = base + lane_id() * warps;
            const long long item = at < items ? now.queue[at] : 0;
            const Index k = vertex_of(item);
            const Offset first = indptr[k] + static_cast<Offset>(piece_of(item)) * piece;
            const Offset rest = indptr[k + 1] - first;
            typename S::U z{};
            if (S::reads_vector && at < items) z = front[k];
            const int degree = at < items ? static_cast<int>(rest < piece ? rest : piece) : 0;
            walk<S>(*this, offers[threadIdx.x >> 5], k, z, first, degree, true);
        }
    }

    // A warp owns 32 rows but for the hubs among them, each of which a block owns, or a warp at first.
    template <class Rows> __device__ void pull() {
        const auto wanted = [&](Index word) { return S::any ? ~peek(bits + word) : ALL_LANES; };
        const auto settle = [&](Index word, Word had, Partial<S> found) {
            const Index j = (word << 5) + lane_id();
            const bool changes = found.has && takes(j, had >> lane_id() & 1u, found.value);
            const Word entries = __ballot_sync(ALL_LANES, found.has);
            const Word changed = __ballot_sync(ALL_LANES, changes);
            if (lane_id() == 0 && (entries & ~had)) atomicOr(bits + word, entries);
            if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);
            if (changes) note(j);
        };
        const auto hit = [&](Index word, Word asked, Partial<S> found) { settle(word, ~asked, found); };
        if constexpr (S::any && Rows::alone) {
            if (!S::reads_matrix && heads != nullptr) search_heads(gather, heads, n, wanted, hit);
            else search_rows(gather, n, wanted, hit);
        } else {
            for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
                const Word had = peek(bits + word), asked = (S::any ? ~had : ALL_LANES) & inside(word, n);
                settle(word, had, Rows::fold(gather, word << 5, asked));
            }
        }
        const auto settle_hub = [&](Index j, bool had, Partial<S> found) {
            if (!found.has || !takes(j, had, found.value)) return;
            mark(bits, j);
            mark(next.bits, j);
            note(j);
        };
        if constexpr (S::any) {
            search_long(gather, hub, hubs, *rest, [&](Index j) { return !holds(j); },
                        [&](Index j, Partial<S> found) { settle_hub(j, false, found); });
        } else {
            for (Index h = blockIdx.x; h < hubs; h += gridDim.x) {
                const bool had = holds(hub[h]);
                const Partial<S> found = fold_row(gather, hub[h]);
                if (threadIdx.x == 0) settle_hub(hub[h], had, found);
            }
        }
    }

    // Makes room: a generation that nobody reads any more is emptied.
    __device__ void clear(const Level& old, Count items) {
        const Threads thread;
        if (thread.first < 3) old.counts[thread.first] = 0;
        if (items < Count(words_of(n)))
            for (Count at = thread.first; at < items; at += thread.all)
                old.bits[vertex_of(old.queue[at]) >> 5] = 0;
        else
            for (Count word = thread.first; word < Count(words_of(n)); word += thread.all)
                old.bits[word] = 0;
    }
};
