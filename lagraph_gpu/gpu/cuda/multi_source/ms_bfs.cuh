// Breadth-first search from many sources at once, a bit for each, in one launch (MS-BFS: Then et
// al., The more the merrier, PVLDB 8, 2014).
//
// Each vertex has a row of bits for the sources that have reached it, and one for those that
// reached it in the last round. A round is a pull: each vertex reads the rows of its in-neighbours
// until no source is missing, so one read of an edge serves all sources. Only the first round is a
// push, because only the edges of the sources matter then. A source whose search has ended counts
// no longer as missing.
//
// Q consecutive words of a row belong to a thread, and G threads to a row, which has 32 · Q · G
// sources. A Sink processes the new bits.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/grid.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "multi_source/source_bits.cuh"

constexpr int PULL_SUBWARP = 4;  // the least number of threads for a vertex in a pull
constexpr int SUBWARP_STEPS = 4;      // the greatest number of steps that they take for a row

template <class Offset, int Q, int G, class Sink> struct MsBfs {
    static constexpr int SUBWARP = G > PULL_SUBWARP ? G : PULL_SUBWARP;  // threads for a vertex
    static constexpr int SHORT = SUBWARP_STEPS * LOADS * SUBWARP / G;      // a longer row is read by a whole warp
    using Row = Bits<Q>;

    Index n;
    const Offset* indptr;  // in-edges
    const Index* indices;
    Row *seen, *front, *next;  // G rows for each vertex
    const Word* alive;         // a bit for each search that has not ended
    Word* found;               // a bit for each search that has found something in this round, in shared memory
    Sink sink;
    Index round;

    // The part of the row that this thread has, and which of the T / G edges that are read together.
    static __device__ int part() { return lane_id() % G; }
    template <int T> static __device__ int slot() { return lane_id() % T / G; }
    static __device__ long long at(Index v) { return static_cast<long long>(v) * G + part(); }

    // Of the searches that have not reached v, those that have reached one of its in-neighbours, by
    // subwarps of T threads. All lanes of the warp must call it; a lane without a row passes
    // `first` beyond `last`.
    template <int T> __device__ Row seek(const Row& missing, Offset first, Offset last) const {
        constexpr int SIDE = T / G;  // edges that the subwarp reads together
        Row got{};
        bool wanting = first < last && !missing.none();
        Offset e = first + slot<T>();
        while (true) {
            Word open = 0;
            for (int q = 0; q < Q; ++q) open |= missing.w[q] & ~got.w[q];
            // A subwarp continues while a source of the row is missing and there are edges.
            const Word votes = __ballot_sync(ALL_LANES, wanting && open != 0);
            if (votes == 0) break;
            const Word mine = T == 32 ? votes : votes >> (lane_id() / T * T) & ((1u << T % 32) - 1);
            wanting = wanting && mine != 0;
            if (wanting) {
#pragma unroll
                for (int i = 0; i < LOADS; ++i) {
                    if (e < last) {
                        const Row there = front[at(indices[e])];
                        for (int q = 0; q < Q; ++q) got.w[q] |= there.w[q];
                    }
                    e += SIDE;
                }
            }
            wanting = wanting && e - slot<T>() < last;
            // Each thread gets what the others found.
            for (int q = 0; q < Q; ++q) got.w[q] = warp_reduce<BitOr, T, G>(got.w[q]);
        }
        for (int q = 0; q < Q; ++q) got.w[q] &= missing.w[q];
        return got;
    }

    // Writes the new bits of v, in all lanes of its subwarp. All lanes of the warp must call it.
    template <int T> __device__ void commit(bool live, Index v, const Row& got) const {
        __syncwarp();  // all have read what is written now
        if (live && slot<T>() == 0) {
            if (!got.none()) {
                next[at(v)] = got;  // else the row holds an older generation, which all neighbours have pulled
                seen[at(v)] = got.with(seen[at(v)]);
            }
            sink.put(got, at(v), static_cast<long long>(n) * G, round);
        }
        int count = 0;
#pragma unroll
        for (int q = 0; q < Q; ++q) {
            const int word = part() * Q + q;
            const Word mine = live && q % (T / G) == slot<T>() ? got.w[q] : 0;
            if (mine & ~peek(found + word)) atomicOr(found + word, mine);
            count += __popc(mine);
        }
        if constexpr (Sink::sums) {
            count = warp_reduce<Sum, T>(count);
            if (count > 0 && lane_id() % T == 0) sink.sum(v, count, round);
        }
    }

    __device__ Row missing_of(Index v, bool live) const {
        Row missing{};
        if (!live) return missing;
        const Row now = seen[at(v)];
        for (int q = 0; q < Q; ++q) missing.w[q] = ~now.w[q] & alive[part() * Q + q];
        return missing;
    }

    // Makes v the start of source s.
    __device__ void begin(Index v, Index s) const {
        atomicOr(reinterpret_cast<Word*>(seen + static_cast<long long>(v) * G) + (s >> 5), 1u << (s & 31));
    }

    // Takes over what the sources have pushed into `next`, except bits that were seen before.
    __device__ void take() const {
        constexpr int per_warp = 32 / SUBWARP;
        for (Index base : warp_stride<Index>(n, per_warp)) {
            const Index v = base + lane_id() / SUBWARP;
            Row got{};
            if (v < n) {
                got = next[at(v)];
                const Row now = seen[at(v)];
                for (int q = 0; q < Q; ++q) got.w[q] &= ~now.w[q];
            }
            commit<SUBWARP>(v < n, v, got);
        }
    }

    // Rows of at most `longest` in-edges: each short row by a subwarp, and the others by the warp.
    __device__ void pull(Offset longest) const {
        constexpr int per_warp = 32 / SUBWARP;
        const Offset brief = longest < SHORT ? longest : Offset(SHORT);
        for (Index base : warp_stride<Index>(n, per_warp)) {
            const Index v = base + lane_id() / SUBWARP;
            Offset first = 0, last = 0;
            if (v < n) {
                first = indptr[v];
                last = indptr[v + 1];
            }
            const bool live = v < n && last - first <= brief;
            const Row missing = missing_of(v, live);
            const Row got = seek<SUBWARP>(missing, first, live ? last : first);
            commit<SUBWARP>(live, v, got);
            const bool wide = last - first > brief && last - first <= longest;
            for (Word left = __ballot_sync(ALL_LANES, wide && lane_id() % SUBWARP == 0); left != 0; left &= left - 1) {
                const Index u = base + (__ffs(static_cast<int>(left)) - 1) / SUBWARP;
                const Row all = seek<32>(missing_of(u, true), indptr[u], indptr[u + 1]);
                commit<32>(true, u, all);
            }
        }
    }

    // Longer rows, a block for each; `shared` has room for G rows.
    __device__ void pull_long(Index hubs, const Index* hub, Word* shared) const {
        const int subwarps = blockDim.x / SUBWARP, subwarp = threadIdx.x / SUBWARP;
        constexpr int per_subwarp = 8 * LOADS * SUBWARP / G;
        for (Index h : block_stride<Index>(hubs)) {
            const Index v = hub[h];
            const Offset last = indptr[v + 1];
            Row missing = missing_of(v, true), got{};
            __syncthreads();
            for (int word = threadIdx.x; word < G * Q; word += blockDim.x) shared[word] = 0;
            __syncthreads();
            for (Offset base = indptr[v]; base < last; base += subwarps * per_subwarp) {
                const Offset begin = base + subwarp * per_subwarp, rest = last - begin;
                const Row some = seek<SUBWARP>(missing, begin, rest < per_subwarp ? last : begin + per_subwarp);
                if (slot<SUBWARP>() == 0)
                    for (int q = 0; q < Q; ++q)
                        if (some.w[q] != 0) atomicOr(shared + part() * Q + q, some.w[q]);
                __syncthreads();
                Word open = 0;
                for (int q = 0; q < Q; ++q) {
                    got.w[q] = peek(shared + part() * Q + q);
                    missing.w[q] &= ~got.w[q];
                    open |= missing.w[q];
                }
                if (!__syncthreads_or(open != 0)) break;
            }
            if (threadIdx.x < 32) commit<SUBWARP>(threadIdx.x < SUBWARP, v, got);
        }
    }
};

// sources: k vertices. Out-edges are for the first round; of the in-edges, `hubs` lists the rows of
// more than `longest`. bits: a row of 32 · Q · G bits for each vertex, three times: those that are
// seen, and two generations of new ones. alive: three generations of one such row. All are 0 at
// first, and so are the three words of arrivals. There are at most `max_rounds` rounds. The second
// word of arrivals becomes 1 if the last of them found something; the third becomes the number of
// the last round that did.
template <class Offset, int Q, int G, class Sink>
__global__ void __launch_bounds__(SEARCH_BLOCK, sizeof(Offset) > 4 ? 3 : 4)
    ms_bfs(Index n, Index k, const Index* sources, Index max_rounds, const Offset* out_indptr,
                const Index* out_indices, const Offset* indptr, const Index* indices, Offset longest,
                Index hubs, const Index* hub, Word* bits, Word* alive, unsigned* arrivals,
                typename Sink::First* into, Count* far, double* near) {
    using Search = MsBfs<Offset, Q, G, Sink>;
    using Row = Bits<Q>;
    constexpr int words = Q * G;
    __shared__ Word found[words], shared[words];
    const Grid grid{arrivals};
    const long long row = static_cast<long long>(n) * words;
    Search search{n, indptr, indices, reinterpret_cast<Row*>(bits), nullptr, nullptr,
                  nullptr, found, Sink{into, far, near}, 0};
    const auto fresh = [=](Index round) { return bits + row * (1 + round % 2); };
    const auto begin = [&](Index round) {
        for (int word = threadIdx.x; word < words; word += blockDim.x) {
            found[word] = 0;
            if (blockIdx.x == 0) alive[(round + 1) % 3 * words + word] = 0;
        }
        search.front = reinterpret_cast<Row*>(fresh(round - 1));
        search.next = reinterpret_cast<Row*>(fresh(round));
        search.alive = alive + (round + 2) % 3 * words;
        search.round = round;
        __syncthreads();
    };
    const auto end = [&](Index round) {
        __syncthreads();
        for (int word = threadIdx.x; word < words; word += blockDim.x)
            if (found[word] != 0) atomicOr(alive + round % 3 * words + word, found[word]);
        grid.wait();
    };
    for (Index s : grid_stride<Index>(k))
        search.begin(sources[s], s);
    for (Index s : block_stride<Index>(max_rounds > 0 ? k : 0)) {
        const Index u = sources[s];
        const Offset last = out_indptr[u + 1];
        for (Offset e = out_indptr[u] + threadIdx.x; e < last; e += blockDim.x)
            atomicOr(fresh(1) + static_cast<long long>(out_indices[e]) * words + (s >> 5), 1u << (s & 31));
    }
    grid.wait();
    begin(1);
    search.take();
    end(1);
    for (Index round = 2;; ++round) {
        Word any = 0;
        for (int word = threadIdx.x; word < words; word += blockDim.x)
            any |= peek(alive + (round - 1) % 3 * words + word);
        const bool over = !__syncthreads_or(any != 0);
        if (over || round > max_rounds) {
            if (blockIdx.x == 0 && threadIdx.x == 0) {
                arrivals[1] = !over;
                arrivals[2] = static_cast<unsigned>(over ? round - 2 : round - 1);
            }
            break;
        }
        begin(round);
        search.pull_long(hubs, hub, shared);
        search.pull(longest);
        end(round);
    }
}
