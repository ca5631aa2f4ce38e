// The state of block_async.cuh's closure: near vertices go first, and each block has a queue of
// its own.
//
// A block takes its share of a list into a queue in shared memory, relaxes the edges of these
// vertices, and queues the vertices that improved and are near, round after round, without waiting
// for any other block. Vertices that are far, or for which the queue has no space, go to lists
// that are divided among all blocks in the next epoch.
//
// A round costs one wait for memory and one barrier of the block. For each queued vertex as many
// threads as its row has slots relax an edge each. The row of the target (see padded_rows.cuh),
// the fold into its value, and the test whether the tail's value is still current are requested at
// once. What follows the target is needed in the next round, and is prefetched into the L2 cache
// meanwhile. With so few threads at work a round is bound by instructions as much as by memory, so
// a round has a single append.
// See docs/decisions/deep-graphs.md.
#pragma once
#include "closure/block_queues/block_queue.cuh"
#include "closure/block_queues/graph_copies.cuh"
#include "closure/ordered/value_order.cuh"
#include "core/grid_stride.cuh"
#include "core/vector_load.cuh"

template <class S, class Row, bool many> struct BlockAsync : Order<S>, CsrOf<S> {
    using Z = typename S::Z;
    using U = typename S::U;
    using A = typename S::A;
    using Base = BlockQueue<Z, Row>;
    using Order<S>::nan;
    using Order<S>::is_start;
    using Order<S>::as_good;
    using Order<S>::better;
    using Order<S>::report_unordered;
    using CsrOf<S>::indices, CsrOf<S>::values, CsrOf<S>::stride;
    static constexpr unsigned SLOTS = Row::slots, QUEUE = Base::QUEUE, FARTHER = Base::FARTHER;

    Index n;  // of all copies
    GraphCopies<many> copies;
    const Row* rows;
    Word* bits;  // of x; until the end only the entries that equal what a fold starts from
    Z* x;
    Base* block_queue;
    Z bound, nearest;     // the best of what this thread found far
    unsigned tail, room;  // of the queue: where this round appends, and how many items at most
    unsigned* queued;     // the number of items in the queue

    // Reads past the first-level cache; the value may still be old.
    static __device__ Z look(const Z* at) { return __ldcg(at); }

    // The entries of x₀ are far; an absent position holds what a fold starts from.
    __device__ void begin(const Start<Z>& start) {
        for (Index word : warp_stride<Index>(words_of(n))) {
            const Index j = (word << 5) + lane_id();
            const bool has = j < n && start.has(j);
            const Z z = has ? start.at(j) : S::start();
            if (j < n) x[j] = foldable<S>(z);
            if (has && nan(z)) report_unordered();
            const Word plain = __ballot_sync(ALL_LANES, has && z == S::start());
            if (lane_id() == 0) bits[word] = plain;
            if (has && !nan(z)) {
                fold_best(z);
                list(false, j);
            }
        }
    }

    // Each value that differs from what a fold starts from is an entry, too.
    __device__ void end() const {
        for (Index word : warp_stride<Index>(words_of(n))) {
            const Index j = (word << 5) + lane_id();
            const Word entries = __ballot_sync(ALL_LANES, j < n && !is_start(peek(x + j)));
            if (lane_id() == 0) bits[word] = peek(bits + word) | entries;
        }
    }

    // --- lists of vertices ---------------------------------------------------------------------

    // A vertex is in the near list once. In the far list it may be twice, with what a fold starts from
    // and with a better value.
    __device__ void list(bool close, Index j) {
        if (!close) block_queue->farther.add(j, entries_of(block_queue->far), block_queue->far.count);
        else if (claim_unset(block_queue->near.bits, j))
            block_queue->nearby.add(j, entries_of(block_queue->near), block_queue->near.count);
    }

    // A value that is far.
    __device__ void fold_best(Z z) { nearest = better(z, nearest) ? z : nearest; }

    // A near vertex waits with its row, and a far one to be listed, while there is room. A long row
    // waits in pieces, so that many threads relax its edges.
    __device__ void append(bool close, Index j, Z z, const Row& row) {
        const unsigned pieces = close ? pieces_of(row, Base::PIECES) : 1;
        const unsigned at = atomicAdd(close ? queued : &block_queue->farther.count, pieces);
        if (at >= (close ? room : FARTHER)) return list(close, j);
        if (!close) {
            block_queue->farther.items[at] = j;
        } else if (is_long(row)) {
            block_queue->put_pieces(tail + at, min(pieces, room - at), j, z, row, indices);
        } else {
            block_queue->put(tail + at, j, z) = row;
            fetch_behind(j, row);
        }
    }

    // The rows of its targets, and their values.
    __device__ void fetch_behind(Index k, const Row& row) const {
#pragma unroll
        for (unsigned slot = 0; slot < SLOTS; ++slot) {
            const Index j = row.to[slot];
            prefetch(rows + j, j != NOWHERE);
            prefetch(x + copies.beside(k, j), j != NOWHERE);
        }
    }

    // --- a round, for single threads ------------------------------------------------------------

    // An item of the list that is read. One of the far list that is as good as the bound was when
    // it was last read has become so since, and was near then.
    __device__ void take(Index k, bool skips, Z last_bound) {
        const Row row = rows[copies.vertex(k)];
        const Z z = look(x + k);
        if (skips && as_good(z, last_bound)) return;
        const bool close = as_good(z, bound);
        if (!close) fold_best(z);
        append(close, k, z, row);
    }

    // An edge from vertex k to j, which is counted within the graph.
    __device__ void relax(Index k, Z z, Index j, const A* value) {
        const Index tail = copies.vertex(k), head = copies.beside(k, j);
        const Z candidate = S::step(static_cast<U>(z), tail, value, 0, j);
        if (!this->admits(z, candidate)) return;
        const Row row = rows[j];
        Z seen = z;
        if (S::reads_matrix) seen = look(x + k);
        const Z old = fold_into<S>(x + head, candidate);
        bool improves = better(candidate, old);
        if (candidate == S::start()) improves = claim(bits, head);
        // The thread that has improved the tail since then will relax its edges again.
        const bool stale =
            S::reads_matrix && better(S::step(static_cast<U>(seen), tail, value, 0, j), candidate);
        const bool close = as_good(candidate, bound);
        if (improves && !close) fold_best(candidate);
        // What was far before is in the list.
        if (improves && (close ? !stale : is_start(old))) append(close, head, candidate, row);
    }

    // The edges of one slot of a vertex that waits; how many there were.
    __device__ unsigned follow(unsigned place, unsigned slot) {
        const Row& row = block_queue->rows[place];
        const Index k = block_queue->vertices[place];
        const Z z = block_queue->values[place];
        const unsigned length = is_long(row) ? length_of(row) : 0;  // if it is read elsewhere
        Index to = NOWHERE;
        A value{};
        if (!is_long(row)) {
            to = row.to[slot];
            if (S::reads_matrix) value = *row.value(slot, values);
        }
        unsigned walked = 0;
#pragma unroll 1
        do {
            if (slot < length) {
                const long long e = begin_of(row) + slot;
                to = indices[e];
                if (S::reads_matrix) value = values[e * stride];
            }
            if (to != NOWHERE) {
                relax(k, z, to, &value);
                ++walked;
            }
            slot += SLOTS;
        } while (slot < length);
        return walked;
    }

    // --- for whole blocks ------------------------------------------------------------------------

    // The block's share of the list and the vertices that it leads to, for `steps` rounds after the
    // whole share has been taken.
    __device__ void work(const DedupQueue& from, Count items, int steps, bool is_far, bool skips, Z last_bound,
                         bool has_log) {
        const unsigned all = static_cast<unsigned>(items), share = (all - 1) / gridDim.x + 1;
        const Count begin = Count(share) * blockIdx.x;
        unsigned at = begin < all ? static_cast<unsigned>(begin) : all, head = 0, pending = 0, walked = 0;
        const unsigned end = all - at < share ? all : at + share;
        for (unsigned round = 0; at < end || pending > 0; ++round) {
            const bool goes_on = at < end || steps-- > 0;
            tail = head + pending;
            room = QUEUE - pending;
            queued = block_queue->queued + (round + 1) % 3;
            if (threadIdx.x == 0) block_queue->queued[(round + 2) % 3] = 0;
            if (at < end && pending <= QUEUE / 2) {
                const unsigned mine = at + threadIdx.x;
                if (mine < end) {
                    const Index k = entries_of(from)[mine];
                    if (!is_far) *static_cast<volatile Word*>(from.bits + (k >> 5)) = 0;  // read for good
                    take(k, skips, last_bound);
                }
                at += blockDim.x;
            }
            if (goes_on) {
                for (unsigned i = threadIdx.x; i < pending * SLOTS; i += blockDim.x)
                    walked += follow((head + i / SLOTS) % QUEUE, i % SLOTS);
            } else {  // what is left goes back
                for (unsigned i = threadIdx.x; i < pending; i += blockDim.x)
                    list(true, block_queue->vertices[(head + i) % QUEUE]);
            }
            __syncthreads();
            head = tail;
            pending = *queued;
            if (pending > room) {  // there is enough for all, but what has just been taken is followed
                pending = room;
                steps = min(steps, 1);
            }
        }
        if (has_log && walked > 0) atomicAdd(&block_queue->walked, Count(walked));
    }

    // Writes the vertices that the block has set aside to the lists, and the best of the far values. A
    // barrier of the grid must follow.
    __device__ void gather(Z* far_best, Count* edges) {
        const Partial<S> best = fold_warp<S>({nearest, !is_start(nearest)});
        if (lane_id() == 0 && best.has) fold_into<S>(block_queue->best, best.value);
        nearest = S::start();
        __syncthreads();
        const unsigned close = block_queue->nearby.kept(), distant = block_queue->farther.kept();
        if (threadIdx.x == 0) {
            block_queue->nearby.begin = block_queue->nearby.begin_in(block_queue->near.count);
            block_queue->farther.begin = block_queue->farther.begin_in(block_queue->far.count);
            if (!is_start(block_queue->best[0])) fold_into<S>(far_best, block_queue->best[0]);
            block_queue->best[0] = S::start();
            if (edges != nullptr && block_queue->walked > 0) atomicAdd(edges, block_queue->walked);
            block_queue->walked = 0;
        }
        __syncthreads();
        block_queue->nearby.write(entries_of(block_queue->near), close);
        block_queue->farther.write(entries_of(block_queue->far), distant);
    }
};
