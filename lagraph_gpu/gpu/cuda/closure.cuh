// The closure x = x₀ ⊕ (x ⊕.⊗ A) in one launch: every round of the loop in lagraph_gpu/closure.py,
// with the same frontiers, values and rounds, between barriers of the whole grid.
//
// The frontier is kept both as a bitmap, which a pull asks, and as a queue of items (see lists.cuh),
// which a push walks, each a piece of at most `piece` out-edges. Each round reads one generation,
// writes the next and clears the one before: three of each, one barrier. A fold takes one more, because the
// values of the frontier are set aside first, so that no round sees what it changes itself; with
// `any` for ⊕ a value is written once and needs none.
//
// ⊕ must be idempotent.
#pragma once
#include "grid.cuh"
#include "lists.cuh"
#include "pull.cuh"

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
    Index hubs;        // rows of Aᵀ too long for a warp
    const Index* hub;
    Word* bits;        // x: which positions hold an entry, and the entries
    Z* x;
    Z* front;          // the frontier's values as this round began; with `any` x itself
    Index* rounds;     // in which each entry took its value
    Appends* mine;
    Level next;
    Index round;
    Count vertices, edges;  // appended by this thread

    // Vertex j, which changed, is queued. It must be in the next bitmap, and come once a round.
    __device__ void queue(Index j) {
        rounds[j] = round;
        const Offset degree = indptr[j + 1] - indptr[j];
        ++vertices;
        edges += degree;
        for (Offset first = 0; first == 0 || first < degree; first += piece)
            mine->add(item_of(j, first / piece), next.queue, next.counts);
    }

    // What the block has gathered goes to the queue. All of its threads must call this, and a barrier
    // must follow.
    __device__ void append() {
        mine->flush(next.queue, next.counts);
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
    __device__ void begin() {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            if (lane_id() == 0) next.bits[word] = bits[word];
            if (j < n && present(bits, j)) queue(j);
            else if (!S::any && j < n) x[j] = S::start();
        }
    }

    __device__ void set_aside(const Level& now, Count items) {
        const Threads thread;
        for (Count at = thread.first; at < items; at += thread.all) {
            const Index k = vertex_of(now.queue[at]);
            front[k] = x[k];
        }
    }

    // An offer to position j, which others may be changing too.
    __device__ void offer(Index j, Z z) {
        const bool had = peek(bits + (j >> 5)) >> (j & 31) & 1u;
        if constexpr (S::any) {
            if (had || !claim(bits, j)) return;
            x[j] = z;
            claim(next.bits, j);
            queue(j);
        } else {
            const Z seen = *static_cast<volatile Z*>(x + j);
            if (had && S::add(seen, z) == seen) return;
            const Z old = fold_into<S>(x + j, z);
            const bool fresh = claim(bits, j);
            if ((fresh || !(S::add(old, z) == old)) && claim(next.bits, j)) queue(j);
        }
    }

    // What row j gathered: does it change the entry, which nobody else changes in this round?
    __device__ bool takes(Index j, bool had, Z z) {
        if (had && S::any) return false;
        const Z old = x[j], now = had ? S::add(old, z) : z;
        if (had && now == old) return false;
        x[j] = now;
        return true;
    }

    template <int width> __device__ void push(const Level& now, Count items) {
        const Threads thread;
        for (Count at = thread.first / width; at < items; at += thread.all / width) {
            const long long item = now.queue[at];
            const Index k = vertex_of(item);
            const Offset first = indptr[k] + static_cast<Offset>(piece_of(item)) * piece;
            const Offset end = indptr[k + 1] - first > piece ? first + piece : indptr[k + 1];
            for (Offset e = first + static_cast<Offset>(thread.first % width); e < end; e += width)
                offer(indices[e], S::product(front, k, values, e * stride, indices[e]));
        }
    }

    // A warp owns 32 rows but for the hubs among them, each of which a block owns.
    template <class Rows> __device__ void pull() {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Word had = peek(bits + word), wanted = (S::any ? ~had : ALL_LANES) & inside(word, n);
            const Partial<S> found = Rows::fold(gather, word << 5, wanted);
            const Index j = (word << 5) + lane_id();
            const bool changes = found.has && takes(j, had >> lane_id() & 1u, found.value);
            const Word entries = __ballot_sync(ALL_LANES, found.has);
            const Word changed = __ballot_sync(ALL_LANES, changes);
            if (lane_id() == 0 && (entries & ~had)) atomicOr(bits + word, entries);
            if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);
            if (changes) queue(j);
        }
        for (Index h = blockIdx.x; h < hubs; h += gridDim.x) {
            const Index j = hub[h];
            const bool had = peek(bits + (j >> 5)) >> (j & 31) & 1u;
            if (had && S::any) continue;
            const Partial<S> found = fold_row(gather, j);
            if (threadIdx.x > 0 || !found.has || !takes(j, had, found.value)) continue;
            claim(bits, j);
            claim(next.bits, j);
            queue(j);
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

// At most `most` rounds. bits and queue: three generations of words_of(n) words and of `room` items;
// counts: three of three, then the rounds done and the items they left; bits, counts and arrivals are
// 0 at first. A round pulls if more than `threshold` edges leave its frontier. log, if it is not
// null, gets {pulled, vertices, edges} of each of the first `logged` rounds.
template <class S, class Rows, int width>
__global__ void __launch_bounds__(1024, 1)
    closure(Index n, typename S::Offset piece, Index most, Count threshold,
            const typename S::Offset* indptr, const Index* indices, const typename S::A* values,
            int stride, const typename S::Offset* in_indptr, const Index* in_indices,
            const typename S::A* in_values, int in_stride, Index longest, Index hubs,
            const Index* hub, Word* x_bits, typename S::Z* x, typename S::Z* front, Index* rounds,
            Word* bits, long long* queue, Count room, Count* counts, unsigned* arrivals,
            Index logged, Count* log) {
    __shared__ Appends appends;
    if (threadIdx.x == 0) appends.count = 0;
    __syncthreads();
    const Grid grid{arrivals};
    const auto level = [=](Index generation) {
        const Count g = generation % 3;
        return Level{queue + g * room, bits + g * words_of(n), counts + 3 * g};
    };
    Closure<S> closure{n, piece, indptr, indices, values, stride,
                       {in_indptr, in_indices, in_values, in_stride, nullptr, front, longest},
                       hubs, hub, x_bits, x, front, rounds, &appends, level(0), 0, 0, 0};
    closure.begin();
    closure.append();
    grid.wait();
    Count before = 0;  // items of the generation before
    Index round = 1;
    for (; round <= most; ++round) {
        const Level now = level(round - 1), old = level(round + 1);
        const Count items = now.read(0), edges = now.read(2);
        if (items == 0) break;
        const bool pulls = edges > threshold;
        if (log != nullptr && round <= logged && Threads().first == 0) {
            log[3 * (round - 1)] = pulls;
            log[3 * (round - 1) + 1] = now.read(1);
            log[3 * (round - 1) + 2] = edges;
        }
        if constexpr (!S::any) {
            closure.set_aside(now, items);
            grid.wait();
        }
        closure.clear(old, before);
        closure.next = level(round);
        closure.round = round;
        closure.gather.u_bits = now.bits;
        if (pulls) closure.template pull<Rows>();
        else closure.template push<width>(now, items);
        closure.append();
        grid.wait();
        before = items;
    }
    if (Threads().first == 0) {
        counts[9] = round - 1;
        counts[10] = level(round - 1).read(0);
    }
}
