// A pull that ends at the first hit, by one thread a row, and three rows of a thread under way.
//
// To find a row's place, its first columns, and whether they are in the frontier are three waits for
// memory, one after another; a search does little else. So while the columns of one word's rows are
// looked up, those of the next word are on their way, and the places of the one after.
#pragma once
#include "pull.cuh"

template <class Offset> struct Row {
    Word wanted;  // of the whole word
    Offset first, last;
};

// For each word of n positions by a warp: calls found(word, wanted, hit) with the positions that
// wanted(word) asks for, and for each lane a product over an in-edge of its position that counts.
template <class S, class Wanted, class Found>
__device__ inline void search_rows(const Gather<S>& gather, Index n, Wanted wanted, Found found) {
    using Offset = typename S::Offset;
    const Index words = words_of(n), step = warp_count();
    const auto place = [&](Index word) {
        Row<Offset> row{0, 0, 0};
        const Index j = (word << 5) + lane_id();
        if (word >= words) return row;
        row.wanted = wanted(word) & inside(word, n);
        if (j < n) {
            row.first = gather.indptr[j];
            row.last = gather.indptr[j + 1];
        }
        return row;
    };
    const auto narrow = [&](Row<Offset>& row) {  // to what this lane is to look at
        if (!(row.wanted >> lane_id() & 1u) || row.last - row.first > gather.longest) row.first = row.last;
    };
    Index word = warp_id();
    Row<Offset> now = place(word), soon = place(word + step);
    Index columns[LOOKS];
    narrow(now);
    gather.ask(columns, now.first, now.last);
    for (; word < words; word += step) {
        const Row<Offset> later = place(word + 2 * step);
        Index following[LOOKS];
        narrow(soon);
        gather.ask(following, soon.first, soon.last);
        Partial<S> hit = nothing<S>();
        const Index j = (word << 5) + lane_id();
        gather.choose(hit, columns, j, now.first, now.last);
        for (Offset e = now.first + LOOKS; e < now.last && !hit.has; e += LOOKS)
            gather.look(hit, j, e, now.last);
        found(word, now.wanted, hit);
        now = soon;
        soon = later;
#pragma unroll
        for (int i = 0; i < LOOKS; ++i) columns[i] = following[i];
    }
}

// The same where each row's head is known: the in-neighbour with the most out-edges, which is likely
// to be in the frontier of a pull. Most rows are settled by that one look, which reads four bytes a
// row side by side and a few words of the bitmap; -1 for a row that is not to be searched.
template <class S, class Wanted, class Found>
__device__ inline void search_heads(const Gather<S>& gather, const Index* heads, Index n, Wanted wanted,
                                    Found found) {
    using Offset = typename S::Offset;
    const Index words = words_of(n), step = warp_count();
    const auto ask = [&](Index word) {
        const Index j = (word << 5) + lane_id();
        return word < words && j < n ? heads[j] : -1;
    };
    const auto want = [&](Index word) { return word < words ? wanted(word) & inside(word, n) : 0u; };
    Index head = ask(warp_id());
    Word asked = want(warp_id());
    for (Index word = warp_id(); word < words; word += step) {
        const Index next = ask(word + step), j = (word << 5) + lane_id();
        const Word then = want(word + step);
        Partial<S> hit = nothing<S>();
        if ((asked >> lane_id() & 1u) && head >= 0) {
            if (present(gather.u_bits, head)) {
                gather.take(hit, j, 0, head);
            } else {
                const Offset end = gather.end(j);
                for (Offset e = gather.begin(j); e < end && !hit.has; e += LOOKS)
                    gather.look(hit, j, e, end);
            }
        }
        found(word, asked, hit);
        head = next;
        asked = then;
    }
}

constexpr int TRIES = 32;  // of a warp in a long row, before its block takes over

// The rows that the warps of a block gave up, in shared memory.
template <int warps> struct GivenUp {
    Index rows[32 * warps];
    unsigned count;
};

// Searches long rows: those that wants(j) asks for, found(j, hit) is called by one thread. A hit is
// likely to come soon, so a warp tries first; all threads of the grid must call this.
template <class S, int most, class Wants, class Found>
__device__ inline void search_long(const Gather<S>& gather, const Index* rows, Index count,
                                   GivenUp<most>& rest, Wants wants, Found found) {
    using Offset = typename S::Offset;
    const Index warps = warp_count(), even = (count + warps - 1) / warps, share = even < 32 ? even : 32;
    for (Index base = 0; base < count; base += warps * share) {
        if (threadIdx.x == 0) rest.count = 0;
        __syncthreads();
        const Index at = base + spread_warp_id() * share + lane_id();
        const bool mine = lane_id() < share && at < count;
        const Index row = mine ? rows[at] : 0;
        Word left = __ballot_sync(ALL_LANES, mine && wants(row));
        for (; left != 0; left &= left - 1) {
            const Index j = __shfl_sync(ALL_LANES, row, __ffs(left) - 1);
            const Offset end = gather.end(j);
            Offset e = gather.indptr[j];
            Partial<S> hit = nothing<S>();
            for (int t = 0; t < TRIES && e < end && !__any_sync(ALL_LANES, hit.has); ++t, e += 32)
                if (e + lane_id() < end) gather.edge(hit, j, e + lane_id());
            const Word hits = __ballot_sync(ALL_LANES, hit.has);
            if (hits != 0 && lane_id() == __ffs(hits) - 1) found(j, hit);
            if (hits == 0 && e < end && lane_id() == 0) rest.rows[atomicAdd(&rest.count, 1u)] = j;
        }
        __syncthreads();
        for (unsigned i = 0; i < rest.count; ++i) {
            const Partial<S> hit = fold_row(gather, rest.rows[i]);
            if (threadIdx.x == 0 && hit.has) found(rest.rows[i], hit);
        }
        __syncthreads();
    }
}
