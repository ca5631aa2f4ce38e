// The first kernel of the pulls over packed rows (unsettled.cuh): rows try their lightest edge and the lightest
// heavy one besides it.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/hub_first/unsettled.cuh"

constexpr int PROBED = 2;  // words of a warp whose rows are under way

// The values and their tails before the search over light edges, where `bits` says which of them it began
// with. Those that it has not improved count now.
template <class Z> struct Begun {
    const Word* bits;
    const Z* values;
    const Origin* origins;
};

// A lane's row.
template <class S, class W> struct ProbedRow {
    Lightest<W> edge, other;  // other: of the heavy edges
    BestProduct<S> found;
    bool asks, again, more;   // does it try an edge; does it pull again; is it to be decoded?
    typename S::Z z;          // of the tail of the edge that it tries
};

template <class S, class W, bool with_parents>
__global__ void __launch_bounds__(MAX_THREADS, sizeof(typename S::Z) > 4 ? 2 : 4)
    probe_unsettled(int rounds, Index n, const Lightest<W>* lightest, const Lightest<W>* heavy,
                    typename S::A most, SparseOutput<typename S::Z> x, Origin* origins,
                    Begun<typename S::Z> begun, Unsettled rows, Epochs<typename S::Z> epochs) {
    using Z = typename S::Z;
    using A = typename S::A;
    const UnsettledRound<S> turn{epochs, 0, rounds};
    if (turn.over()) return;
    const UnsettledValues<S> values = turn.values(x, most);
    const Origins<S, with_parents> tails{origins};
    const auto weight = [](W w) { return arithmetic::cast<A>(w); };
    Count improved = 0;
    Partial<S> best = nothing<S>();
    const Index words = words_of(n), apart = warp_count();
    for (Index base : Stride<Index>{warp_id(), PROBED * apart, words}) {
        Word entries[PROBED];
        ProbedRow<S, W> row[PROBED];
#pragma unroll
        for (int i = 0; i < PROBED; ++i) {
            const Index word = base + i * apart, j = (word << 5) + lane_id();
            ProbedRow<S, W>& mine = row[i];
            const Lightest<W> none{Lightest<W>::NONE, W(), W()};
            mine = {none, none, values.none(), false, false, false, Z()};
            entries[i] = word < words ? peek(x.bits + word) : 0;
            if (word >= words || j >= n) continue;
            mine.edge = lightest[j];
            mine.other = heavy[j];
            mine.found.best = {x.values[j], (entries[i] >> lane_id() & 1u) != 0};
            const Partial<S>& known = mine.found.best;
            mine.asks = mine.edge.any() && !(known.has && values.as_good(known.value, values.bound));
            const Z before = begun.values[j];
            if (!values.is_start(before) && values.improves(before, mine.found.best))
                mine.found = {{before, true}, with_parents ? tail_of(begun.origins[j]) : j};
            else if (with_parents && present(begun.bits, j) && tail_of(origins[j]) == j) origins[j] = begun.origins[j];
        }
#pragma unroll
        for (int i = 0; i < PROBED; ++i) {
            row[i].asks = row[i].asks && values.helps(row[i].edge.weight, row[i].found.best);
            if (row[i].asks) row[i].z = x.values[row[i].edge.column()];
        }
#pragma unroll
        for (int i = 0; i < PROBED; ++i) {
            ProbedRow<S, W>& mine = row[i];
            if (mine.asks)
                mine.again = !values.take(mine.found, mine.edge.column(), weight(mine.edge.weight), mine.z);
            mine.asks = mine.asks && mine.other.any() && values.helps(mine.other.weight, mine.found.best);
            if (mine.asks) mine.z = x.values[mine.other.column()];
        }
#pragma unroll
        for (int i = 0; i < PROBED; ++i) {
            const Index word = base + i * apart, j = (word << 5) + lane_id();
            ProbedRow<S, W>& mine = row[i];
            if (mine.asks) {
                values.take(mine.found, mine.other.column(), weight(mine.other.weight), mine.z);
                mine.more = mine.other.more() && values.helps(mine.other.next, mine.found.best);
            }
            const bool changes = mine.found.tail >= 0;
            if (changes) {
                *static_cast<volatile Z*>(x.values + j) = mine.found.best.value;
                tails.put(j, mine.found.best.value, mine.found.tail);
                best.fold(mine.found.best.value);
                ++improved;
            }
            const Z product = values.by(values.bound, weight(mine.edge.weight));
            mine.again = mine.again && values.improves(product, mine.found.best);
            const Word which = __ballot_sync(ALL_LANES, changes), open = __ballot_sync(ALL_LANES, mine.again);
            const Word decoded = __ballot_sync(ALL_LANES, mine.more);
            __syncwarp();  // all lanes have read what they pull
            if (lane_id() > 0 || word >= words) continue;
            if (which != 0) *static_cast<volatile Word*>(x.bits + word) = entries[i] | which;
            turn.changed()[word] = which;
            rows.open[word] = open;
            rows.decoded[word] = decoded;
        }
    }
    turn.note(improved, best);
}
