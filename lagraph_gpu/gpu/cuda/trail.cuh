// What is near goes first, and each warp follows its own trail: the state of deep.cuh's closure.
//
// A warp takes its share of a list into a queue in shared memory, relaxes what it finds there, and
// queues what got better and is near, for many steps, without waiting for any other warp. What is
// far, or finds no room, is set aside for lists that all share out anew in the next epoch.
//
// A step is one wait for memory: the row of a target (see packed.cuh), the fold into its value, and a
// look whether the tail's value is still fresh are asked for at once. Waiting for memory is less than
// half of it, so that what is rare stands aside and what is common is straight.
#pragma once
#include "camp.cuh"
#include "order.cuh"

template <class S, class Row, unsigned QUEUE> struct Trail : Order<S> {
    using Z = typename S::Z;
    using U = typename S::U;
    using Order<S>::nan;
    using Order<S>::is_start;
    using Order<S>::as_good;
    using Order<S>::better;
    using Order<S>::peek_value;
    using Order<S>::complain;
    static constexpr int SLOTS = Row::slots;
    static constexpr unsigned ABREAST = 32 / SLOTS;  // vertices whose slots are one warp's lanes
    static_assert(QUEUE >= 32, "so many are taken in at once");

    Index n;
    const Index* indices;
    const typename S::A* values;
    int stride;
    const Row* rows;
    Word* bits;  // of x: until the end, only entries that equal what a fold starts from
    Z* x;
    Camp<Z, Row, QUEUE>* camp;
    Queue<Z, Row, QUEUE>* queue;
    Z bound;
    unsigned head, tail;  // of the queue: how many were taken out of it and put into it
    bool longer;          // may there be longer rows in it?

    // Past the first-level cache; what it sees may be old all the same.
    static __device__ Z look(const Z* at) { return __ldcg(at); }

    // The entries of x₀ are far; an absent position holds what a fold starts from.
    __device__ void begin(const Start<Z>& start) {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            const bool has = j < n && start.has(j);
            const Z z = has ? start.at(j) : S::start();
            if (j < n) x[j] = foldable<S>(z);
            if (has && nan(z)) complain();
            const Word plain = __ballot_sync(ALL_LANES, has && z == S::start());
            if (lane_id() == 0) bits[word] = plain;
            if (__any_sync(ALL_LANES, has)) set_aside(has && !nan(z), true, j, z);
        }
    }

    // What differs from what a fold starts from is an entry, too.
    __device__ void end() const {
        for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
            const Index j = (word << 5) + lane_id();
            const Word entries = __ballot_sync(ALL_LANES, j < n && !is_start(peek_value(x + j)));
            if (lane_id() == 0) bits[word] = peek(bits + word) | entries;
        }
    }

    // The lanes' vertices go to a list.
    __device__ void set_aside(bool mine, bool distant, Index j, Z z) {
        if (mine && distant && better(z, peek_value(camp->best))) fold_into<S>(camp->best, z);
        camp->aside.add(mine, distant, j, camp->lists);
    }

    __device__ void enqueue(unsigned at, Index j, Z z, const Row& row) {
        queue->rows[at % QUEUE] = row;
        queue->values[at % QUEUE] = z;
        queue->vertices[at % QUEUE] = j;
    }

    // The lanes' vertices have become better: near ones are queued with their rows while there is
    // room. For the whole warp.
    __device__ void put(bool mine, Index j, Z z, const Row& row) {
        const bool close = mine && as_good(z, bound);
        const Word some = __ballot_sync(ALL_LANES, close);
        const unsigned at = tail + __popc(some & lanes_below());
        const bool fits = close && at - head < QUEUE;
        if (fits) enqueue(at, j, z, row);
        longer = longer || __any_sync(ALL_LANES, close && is_long(row));
        tail += __popc(some);
        if (tail - head > QUEUE) tail = head + QUEUE;
        if (__any_sync(ALL_LANES, mine && !fits)) set_aside(mine && !fits, !close, j, z);
    }

    // Up to 32 items of the list that is read. One of the far list that is as good as the bound was
    // when it was last read has become so since, and was near then.
    __device__ void take(const Pile& from, bool live, unsigned at, bool skips, Z last_bound) {
        const Index k = live ? static_cast<Index>(from.items[at]) : 0;
        Z z = S::start();
        Row row{};
        if (live) {
            row = rows[k];
            z = look(x + k);
            *static_cast<volatile Word*>(from.bits + (k >> 5)) = 0;  // read for good
            live = !(skips && as_good(z, last_bound));
        }
        put(live, k, z, row);
        __syncwarp();
    }

    // Relaxes an edge of each live lane, from vertex k to `to`, and goes on from there if that is for
    // the better. Whoever takes its share of the queue has done so.
    __device__ void relax(bool live, Index k, Z z, Index to, const typename S::A* value) {
        const Index j = live ? to : k;
        const Z offered = S::step(static_cast<U>(z), k, value, 0, j);
        live = live && this->admits(z, offered);
        const Row row = rows[j];
        Z seen = z, old = z;
        if (S::reads_matrix) seen = look(x + k);
        if (live) old = fold_into<S>(x + j, offered);
        bool improves = live && better(offered, old);
        // Whoever made the tail better since will make a better offer, and go on from there.
        if (S::reads_matrix)
            improves = improves && (seen == z ||
                                    !better(S::step(static_cast<U>(seen), k, value, 0, j), offered));
        const bool plain = live && offered == S::start();
        const bool close = improves && as_good(offered, bound);
        const Word some = __ballot_sync(ALL_LANES, close);
        const Word odd = __ballot_sync(ALL_LANES, plain || (improves && (!close || is_long(row))));
        const unsigned after = tail + __popc(some);
        if (odd == 0 && after - head <= QUEUE) {
            if (close) enqueue(tail + __popc(some & lanes_below()), j, offered, row);
            tail = after;
        } else {
            if (plain) improves = claim(bits, j);
            put(improves, j, offered, row);
        }
        __syncwarp();
    }

    // Relaxes the out-edges of the next vertices of the queue. How many this lane had.
    __device__ unsigned step() {
        const unsigned waiting = tail - head, mine = lane_id() / SLOTS;
        const bool has = mine < waiting;
        const unsigned at = (head + (has ? mine : 0)) % QUEUE;
        const Index to = queue->rows[at].to[lane_id() % SLOTS];
        const Index k = queue->vertices[at];
        const Z z = queue->values[at];
        typename S::A value{};
        if (S::reads_matrix) value = *queue->rows[at].value(lane_id() % SLOTS, values);
        if (longer) return step_aside();
        __syncwarp();
        head += waiting < ABREAST ? waiting : ABREAST;
        relax(has && to != NOWHERE, k, z, to, &value);
        return has && to != NOWHERE;
    }

    // The same where there may be longer rows: one vertex, all of whose edges the lanes share out.
    __device__ unsigned step_aside() {
        const unsigned at = head % QUEUE;
        const Row row = queue->rows[at];
        const Index k = queue->vertices[at];
        const Z z = queue->values[at];
        __syncwarp();
        ++head;
        if (head == tail) longer = false;
        unsigned walked = 0;
        const Index length = is_long(row) ? length_of(row) : SLOTS;
        for (Index base = 0; base < length; base += 32) {
            const Index place = base + lane_id();
            bool live = place < length;
            Index to = NOWHERE;
            typename S::A value{};
            if (is_long(row)) {
                const long long e = begin_of(row) + (live ? place : 0);
                to = indices[e];
                if (S::reads_matrix) value = values[e * stride];
            } else if (live) {
                to = queue->rows[at].to[place];
                if (S::reads_matrix) value = *queue->rows[at].value(place, values);
                live = to != NOWHERE;
            }
            __syncwarp();
            walked += live;
            relax(live, k, z, to, &value);
        }
        return walked;
    }

    // The warp's share of the list and what comes of it, for at most `steps` steps.
    __device__ void work(const Pile& from, Count items, int steps, bool skips, Z last_bound) {
        unsigned at = static_cast<unsigned>(items * warp_id() / warp_count());
        const unsigned end = static_cast<unsigned>(items * (warp_id() + 1) / warp_count());
        unsigned walked = 0;
        head = tail = 0;
        longer = false;
        while (at < end || head != tail) {
            if (at < end && tail - head <= QUEUE - 32) {
                take(from, at + lane_id() < end, at + lane_id(), skips, last_bound);
                at += 32;
            } else if (steps > 0) {
                walked += step();
                --steps;
            } else {  // what is left goes back
                const bool left = lane_id() < tail - head;
                set_aside(left, false, left ? queue->vertices[(head + lane_id()) % QUEUE] : 0, S::start());
                head += tail - head < 32 ? tail - head : 32;
                __syncwarp();
            }
        }
        if (walked > 0) atomicAdd(&camp->walked, Count(walked));
    }
};
