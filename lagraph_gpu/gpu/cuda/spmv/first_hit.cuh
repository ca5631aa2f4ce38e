// Pulls that end at the first neighbour in the frontier: for rows whose likeliest parents are
// known, and for long rows. See docs/decisions/bfs.md.
#pragma once
#include "spmv/pull.cuh"
#include "spmv/warp_expand.cuh"

constexpr int WORDS_PER_WARP = 8;  // whose heads are loaded together, as many as registers allow

// Rows of a warp that wait for a search: fewer than 32, and then those of all these words.
constexpr int MOST_ROWS = 32 + 32 * WORDS_PER_WARP;

// The part of shared memory that a warp uses: rows of a pull that wait, or candidates of a push.
template <class S> union LaterRows {
    Index rows[MOST_ROWS];
    Candidates<typename S::Z> candidates;
};

// A head is k; or ~k if no lane has to search the row after k, because it has no other entry or too
// many. That of row j without entries is ~j, which is not in the frontier of a pull that asks for j.
__device__ inline Index tail_of(Index head) { return head < 0 ? ~head : head; }

// Each warp handles words of the n positions. The positions that wanted(word) names take the value
// that comes over an in-edge that counts, if there is one. Its tail must be in the frontier.
//
// For each row the head is known: the in-neighbour with the most out-edges, which is likely to be
// in the frontier of a pull. Most rows are settled by looking at the head alone, which reads four
// bytes for each row from adjacent addresses and a few words of the bitmap. take(j, head, true) is
// called for them. After several words from `base` on, found(base, those, fresh) is called with
// this lane's positions as bits, and in lane i with those of word base + i. Rows that are not
// settled wait in `later`, which is shared memory for MOST_ROWS rows of each warp, until there is
// one for each lane; then alone(j, hit) is called for them, and mark(word, those) once for those of a word for
// which it is true. The search of a row skips its first `behind` entries.
//
// A head that is not in the frontier is likely to be in the next one. So if a pull `guesses`, it
// calls take(j, head, false) where a head is not, before the search of a row. If the guess was right, the
// next pull, which is `guessed`, calls nothing for it: whole sectors are written in half the time, and only
// once. It guesses for the rows that a lane searches or, if `behind` is 0, for all rows that are asked: what
// it writes for one without entries means nothing.
template <int behind, class S, class Wanted, class Take, class Found, class Alone, class Mark>
__device__ inline void search_likely_parents(const Gather<S>& gather, const Index* likely_parent, Index n, Index* later,
                                    bool guesses, bool guessed, Wanted wanted, Take take, Found found,
                                    Alone alone, Mark mark) {
    using Offset = typename S::Offset;
    constexpr int many = WORDS_PER_WARP;
    const Index words = words_of(n);
    int pending = 0;
    for (Index base = warp_id() * many;; base += warp_count() * many) {
        const bool over = base >= words;
        const Index own = base + lane_id();
        const Word mine = lane_id() < many && own < words ? wanted(own) & inside(own, n) : 0;
        if (__any_sync(ALL_LANES, mine != 0)) {
            const Index* const heads = one_address(likely_parent + (base << 5) + lane_id());
            Index head[many], tail[many];
            Word word[many], asks = 0, hits = 0, fresh = 0;
#pragma unroll
            for (int i = 0; i < many; ++i) {
                const Word asked = __shfl_sync(ALL_LANES, mine, i) >> lane_id() & 1u;
                asks |= asked << i;
            }
#pragma unroll
            for (int i = 0; i < many; ++i)
                head[i] = asks >> i & 1u ? read_once<Offset>(heads + (i << 5)) : 0;
#pragma unroll
            for (int i = 0; i < many; ++i) tail[i] = tail_of(head[i]);
            const Word* const bits = one_address(gather.u_bits + zero_after(tail));
#pragma unroll
            for (int i = 0; i < many; ++i) word[i] = bitmap_word(bits, tail[i]);
            if (union_of(word) != 0) {
#pragma unroll
                for (int i = 0; i < many; ++i) hits |= Word(present(word[i], tail[i])) << i;
            }
            hits &= asks;
#pragma unroll
            for (int i = 0; i < many; ++i) {
                const Index j = ((base + i) << 5) + lane_id();
                const bool hit = hits >> i & 1u, goes_on = head[i] >= 0, missed = (asks & ~hits) >> i & 1u;
                const bool of_guess = behind == 0 || goes_on;
                if (hit ? !(guessed && of_guess) : guesses && missed && of_guess) take(j, tail[i], hit);
                const Word some = __ballot_sync(ALL_LANES, hit);
                if (lane_id() == i) fresh = some;
                const bool searched = missed && goes_on;
                const int at = append_own(searched, pending);
                if (searched) later[at] = j;
            }
            found(base, hits, fresh);
            __syncwarp();
        }
        while (pending >= 32 || (over && pending > 0)) {
            const int count = pending < 32 ? pending : 32;
            pending -= count;
            const bool mine = lane_id() < count;
            const Index j = mine ? later[pending + lane_id()] : -1;
            Partial<S> hit = nothing<S>();
            if (mine) {
                Offset ends[] = {read_once<Offset>(gather.indptr + j), read_once<Offset>(gather.indptr + j + 1)};
                loaded(ends);
                gather.search(hit, j, ends[0] + behind, ends[1]);
            }
            const Word settled = joined_bits(j >> 5, alone(j, hit) ? 1u << (j & 31) : 0);
            if (settled != 0) mark(j >> 5, settled);
            __syncwarp();
        }
        if (over) break;
    }
}

constexpr int WARP_TRIES = 32;  // of a warp in a long row, before its block continues

// The rows that the warps of a block could not settle, in shared memory.
template <int warps> struct UnsettledRows {
    Index rows[32 * warps];
    unsigned count;
};

// Searches the long rows that wants(j) names; one thread calls found(j, hit) for each. A hit is
// likely to come soon, so a warp tries first. All threads of the grid must call this.
template <class S, int max_warps, class Wants, class Found>
__device__ inline void search_long(const Gather<S>& gather, const Index* rows, Index count,
                                   UnsettledRows<max_warps>& rest, Wants wants, Found found) {
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
            for (int t = 0; t < WARP_TRIES && e < end && !__any_sync(ALL_LANES, hit.has); ++t, e += 32)
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
