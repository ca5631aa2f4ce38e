// The state of a level-synchronous closure, and its steps: all vertices that changed are processed
// at once.
//
// The frontier is kept as a bitmap, which a pull reads, and as lists, which a push reads (see
// frontier.cuh). A pull leaves only the bitmap, and so does a push of many edges under `any` (see
// push_benign_race.cuh). The lists are made from the bitmap if a push follows. The kernel has much
// code, and its size affects the speed, so long functions are inlined only once.
//
// ⊕ must be idempotent: a value may be folded in more than once.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/push_benign_race.cuh"
#include "closure/level_synchronous/frontier.cuh"
#include "core/grid_stride.cuh"
#include "spmv/first_hit.cuh"
#include "core/packed_level.cuh"
#include "closure/level_synchronous/frontier_counts.cuh"
#include "spmv/warp_expand.cuh"

// Of a block of so many warps at most.
template <class S, int max_warps> struct Closure {
    using Z = typename S::Z;
    using Offset = typename S::Offset;

    Index n;           // vertices that may have an edge
    Offset piece;
    const Offset* indptr;  // A by rows: the out-edges
    const Index* indices;
    const typename S::A* values;
    int stride;
    Gather<S> gather;  // Aᵀ by rows: the in-edges that come from the frontier
    const Index* likely_parent;  // of the rows of Aᵀ, if they are known
    const Word* nonempty;        // which rows have entries; null if these come first or no likely parent is known
    Index hubs;        // rows of Aᵀ too long for a warp
    const Index* hub;
    Word* bits;        // x: which positions hold an entry, and the entries
    Z* x;
    Z* front;          // the frontier's values as this round began; with `any` x itself
    BlockAppend<Index, SET_ASIDE>* mine;
    LaterRows<S>* pending;  // of each warp
    UnsettledRows<max_warps>* rest;
    Level next;
    FrontierCounts<Offset> frontier_counts;
    Index packed_level = 0;  // of this round
    bool guessed = false;    // has the pull before this one left guesses? See first_hit.cuh.
    bool by_hubs = false;    // do far more edges leave a vertex of this frontier than others?
    bool races = false;      // is this push of many edges?
    BenignRacePush<S> race_push = {};

    // Writes z to position j. If all products are the same, x may be null and nothing is written.
    __device__ void put(Index j, Z z) const {
        if (!S::same || x != nullptr) x[j] = pack_level<S>(z, packed_level);
    }

    // Notes the vertices of the lanes that have one, and queues them; for the whole warp.
    __device__ void queue(bool changed, Index j) {
        if (changed) frontier_counts.note(j);
        list(changed, j, frontier_counts.to - frontier_counts.from, next);
    }
    __device__ void list(bool has, Index j, Offset degree, const Level& level) {
        mine->add_each(has && degree <= piece, j, level.short_queue, level.counts);
        append_long(has && degree > piece, j, degree, piece, level);
    }

    // Writes what the block has found to the next level. All of its threads must call this, and a
    // barrier must follow.
    __device__ void append() {
        mine->flush(next.short_queue, next.counts);
        frontier_counts.add_to(next);
    }

    // Makes the lists that a pull has left out, and counts the edges that it has not.
    __device__ void make_lists(const Level& now, bool counted) {
        for (Index base : warp_stride<Index>(words_of(n), 32)) {
            const Index word = base + lane_id();
            Word left = word < words_of(n) ? now.bits[word] : 0;
            while (__any_sync(ALL_LANES, left != 0)) {
                const bool has = left != 0;
                const Index j = has ? (word << 5) + __ffs(left) - 1 : 0;
                const Offset degree = has ? indptr[j + 1] - indptr[j] : 0;
                list(has, j, degree, now);
                if (!counted) frontier_counts.edges += degree;
                left &= left - 1;
            }
        }
        frontier_counts.add_to(now);
        mine->flush(now.short_queue, now.counts);
    }

    __device__ void set_aside(const Level& now) {
        for (Index word : warp_stride<Index>(words_of(n))) {
            const Index k = (word << 5) + lane_id();
            if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];
        }
    }

    __device__ void set_aside(const Level& now, const Items& items) {
        for (Count at : grid_stride<Count>(items.n_short + items.n_long)) {
            const Index k = at < items.n_short ? now.short_queue[at] : vertex_of(now.long_queue[at - items.n_short]);
            front[k] = x[k];
        }
    }

    __device__ bool holds(Index j) const { return peek(bits + (j >> 5)) >> (j & 31) & 1u; }

    __device__ bool admits(typename S::U, Z) const { return true; }

    // Can the value z improve position j, which other threads may be changing too?
    __device__ bool helps(Index j, Z z) const {
        const bool held = holds(j);
        if (S::any || !held) return !held;
        const Z seen = *static_cast<volatile Z*>(x + j);
        return !(S::add(seen, z) == seen);
    }

    __device__ void relax(bool live, Index j, Z z) {
        bool changed = false;
        if (S::any && races) {
            if (live) race_push.relax(j, z);
            return;
        }
        if constexpr (S::any) {
            changed = live && !(atomicOr(bits + (j >> 5), 1u << (j & 31)) >> (j & 31) & 1u);
            if (changed) {
                put(j, z);
                mark(next.bits, j);
            }
        } else if (live) {
            const Z old = fold_into<S>(x + j, z);
            const bool fresh = claim(bits, j);
            changed = (fresh || !(S::add(old, z) == old)) && claim(next.bits, j);
        }
        queue(changed, j);
    }

    // Folds what row j gathered into its entry, which only this thread changes in this round. True if
    // the entry changes.
    __device__ bool takes(Index j, bool had, Z z) {
        if (had && S::any) return false;
        const Z old = had ? x[j] : z, now = had ? S::add(old, z) : z;
        if (had && now == old) return false;
        put(j, foldable<S>(now));
        return true;
    }

    // Each warp takes up to 32 items at a time, and no two neighbours, which may be pieces of one hub.
    __device__ void push(const Level& now, const Items& items) {
        for (const auto numbers : lanes_apart<Count>(items.all())) {
            const Count at = numbers.own();
            Index k = 0;
            Offset first = 0;
            int degree = 0;
            typename S::U z{};
            if (at < items.all()) {
                degree = items.edges(now, at, indptr, piece, k, first);
                if (S::reads_vector) z = front[k];
            }
            walk<S>(*this, pending[threadIdx.x >> 5].candidates, k, z, first, degree);
        }
    }

    // A warp owns 32 rows but for the hubs among them, each of which a block owns, or a warp at
    // first. meet() is a barrier of the grid, which only a pull `by_hubs` calls.
    template <class Rows, class Meet> __device__ void pull(Meet meet) {
        const auto settle = [&](Index word, Word had, Partial<S> found) {
            const Index j = (word << 5) + lane_id();
            const bool changes = found.has && takes(j, had >> lane_id() & 1u, found.value);
            const Word changed = __ballot_sync(ALL_LANES, changes);
            const Word fresh = S::any ? changed : __ballot_sync(ALL_LANES, found.has) & ~had;
            if (lane_id() == 0 && fresh) atomicOr(bits + word, fresh);
            if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);
            return changes;
        };
        const auto take = [&](Index j, Index tail, bool now) {
            Partial<S> found = nothing<S>();
            gather.take(found, j, 0, tail);
            put(j, foldable<S>(found.value));
            frontier_counts.date(j, frontier_counts.round + !now);
        };
        const auto mark_found = [&](Index word, Word those) {
            atomicOr(bits + word, those);
            atomicOr(next.bits + word, those);
        };
        const auto note_found = [&](Index base, Word those, Word fresh) {
            if (fresh != 0) mark_found(base + lane_id(), fresh);
            frontier_counts.template count_words<WORDS_PER_WARP>(base, those);
        };
        const auto take_alone = [&](Index j, bool had, Partial<S> found) {
            if (!found.has || !takes(j, had, found.value)) return false;
            frontier_counts.note(j);
            return true;
        };
        const auto settle_alone = [&](Index j, bool had, Partial<S> found) {
            if (take_alone(j, had, found)) mark_found(j >> 5, 1u << (j & 31));
        };
        const auto fold_rows = [&] {
            for (Index word : warp_stride<Index>(words_of(n))) {
                const Word had = __shfl_sync(ALL_LANES, peek(bits + word), 0);  // others mark hubs
                const Word asked = (S::any ? ~had : ALL_LANES) & inside(word, n);
                if (settle(word, had, Rows::fold(gather, word << 5, asked)))
                    frontier_counts.note((word << 5) + lane_id());
            }
        };
        constexpr bool may_know = S::any && Rows::alone && !S::reads_matrix;
        if constexpr (may_know) {
            if (likely_parent == nullptr) {
                fold_rows();
            } else {
                // A guess saves time only where x and the rounds are stored apart, and cannot be made
                // where the tail's value is read.
                constexpr bool may_guess = !has_room<S> && !S::reads_vector;
                const bool guesses = may_guess && !guessed && (Rows::behind > 0 || by_hubs);
                const auto wanted = [&](Index word) {
                    const Word left = ~peek(bits + word), some = Rows::behind > 0 ? ALL_LANES : nonempty[word];
                    return (left & some) != 0 ? left : 0;
                };
                search_likely_parents<Rows::behind>(
                    gather, likely_parent, n, pending[threadIdx.x >> 5].rows, guesses, may_guess && guessed,
                    wanted, take, note_found,
                    [&](Index j, Partial<S> found) { return take_alone(j, false, found); }, mark_found);
                guessed = guesses;
                if (Rows::behind == 0 && guesses && hubs > 0) meet();  // a hub's guess comes before what it finds
            }
        } else {
            fold_rows();
        }
        if constexpr (S::any) {
            // The likely parent may be settled in this round by another warp, before or after this.
            const bool known = may_know && likely_parent != nullptr;
            const auto open = [&](Index j) {
                return !holds(j) && !(known && present(gather.u_bits, tail_of(likely_parent[j])));
            };
            search_long(gather, hub, hubs, *rest, open,
                        [&](Index j, Partial<S> found) { settle_alone(j, false, found); });
        } else {
            for (Index h : block_stride<Index>(hubs)) {
                const bool had = holds(hub[h]);
                const Partial<S> found = fold_row(gather, hub[h]);
                if (threadIdx.x == 0) settle_alone(hub[h], had, found);
            }
        }
    }
};
