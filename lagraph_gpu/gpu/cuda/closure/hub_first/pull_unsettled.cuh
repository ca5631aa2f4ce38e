// The second half of pulls over packed rows (unsettled.cuh). The lightest edge of a row does not always settle
// its vertex. Such rows are decoded here, and every product that may improve the value is folded in. From the
// second round on, this kernel also tries the lightest edge.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/hub_first/unsettled.cuh"

template <class S, class Offset, class W> struct UnsettledPull : UnsettledValues<S> {
    using Z = typename S::Z;
    using A = typename S::A;

    PackedRows rows;
    PackedWeights<typename S::A, Offset, W> edges;
    Index own;       // the lane's row
    BestProduct<S> mine;   // what it has found, with the value that it had

    // The value that lane `owner` has for its row.
    __device__ Partial<S> held_by(int owner) const {
        return {from_lane<Z>(mine.best.value, owner), __shfl_sync(ALL_LANES, int(mine.best.has), owner) != 0};
    }
    __device__ void join(const BestProduct<S>& found) {
        if (found.tail >= 0 && this->improves(found.best.value, mine.best)) mine = found;
    }

    // Takes the products of a lane's columns, with their weights, for a row that holds `held`.
    __device__ void look(BestProduct<S>& found, const Partial<S>& held, const A (&weight)[OF_LANE],
                         const Index (&columns)[OF_LANE], int count) const {
        Z z[OF_LANE];
        bool asks[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            asks[i] = i < count && this->helps(weight[i], held);
            if (asks[i]) z[i] = this->x[columns[i]];
        }
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (asks[i]) this->take(found, columns[i], weight[i], z[i]);
    }
    __device__ void weigh(A (&weight)[OF_LANE], Offset first, int count) const {
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) weight[i] = static_cast<A>(edges.weights[first + static_cast<Offset>(i)]);
    }

    // Tries the lightest edge of the lane's row, which pulls again if its tail is not final. True if others may
    // help.
    __device__ bool probe(const Lightest<W>& edge, Word* open) {
        if ((mine.best.has && this->as_good(mine.best.value, this->bound)) || !this->helps(edge.weight, mine.best))
            return false;
        const A weight = arithmetic::cast<A>(edge.weight);
        if (!this->take(mine, edge.column(), weight, this->x[edge.column()]) &&
            this->improves(this->by(this->bound, weight), mine.best))
            mark(open, own);
        return edge.more() && this->helps(edge.next, mine.best);
    }

    // The rows of the lanes in `those`. All lanes must call it.
    __device__ void pull(Word those) {
        const Word far = __ballot_sync(ALL_LANES, own < rows.n_long) & those;
        pull_short(those & ~far);
        for (Word some = far; some != 0; some &= some - 1) pull_long(__ffs(static_cast<int>(some)) - 1);
    }

    // Short rows, FEW_ROWS at a time, each by FEW_LANES lanes, so that they wait for memory together.
    __device__ void pull_short(Word those) {
        while (those != 0) {
            const auto [owner, live] = FewTurn(those);
            const BestProduct<S> found = fold_row(__shfl_sync(ALL_LANES, own, owner), held_by(owner), live);
#pragma unroll
            for (int group = 0; group < FEW_ROWS; ++group) {
                const int from = group * FEW_LANES;
                const BestProduct<S> other{{from_lane<Z>(found.best.value, from), true},
                                     __shfl_sync(ALL_LANES, found.tail, from)};
                if (__shfl_sync(ALL_LANES, owner, from) == lane_id()) join(other);
            }
        }
    }
    // What short row j finds, which FEW_LANES lanes have together; nothing if it is not `live`.
    __device__ BestProduct<S> fold_row(Index j, const Partial<S>& held, bool live) const {
        const FewLanes lanes;
        const Tail tail = lanes.tail_of(rows, j);
        const Offset begin = edges.begins[j];
        Index last = first_column(rows.first[j]);
        BestProduct<S> found = UnsettledValues<S>::none();
        A weight[OF_LANE];
        const int gaps = live ? tail.gaps : 0, one = live && lanes.at == 0;
        weigh(weight, begin, one);
        look(found, held, weight, {last, 0, 0, 0}, one);
        for (int quarter = 0; __any_sync(ALL_LANES, quarter < gaps); quarter += QUARTER) {
            const int left = gaps - quarter - lanes.at, count = left < 0 ? 0 : left < OF_LANE ? left : OF_LANE;
            weigh(weight, begin + static_cast<Offset>(1 + quarter + lanes.at), count);
            Index columns[OF_LANE];
            lanes.columns(tail, quarter, count, last, columns);
            look(found, held, weight, columns, count);
        }
#pragma unroll
        for (int distance = 1; distance < FEW_LANES; distance *= 2) {
            const Z value = from_lane_xor<Z>(found.best.value, distance);
            const Index from = __shfl_xor_sync(ALL_LANES, found.tail, distance);
            if (from >= 0 && this->improves(value, found.best)) found = {{value, true}, from};
        }
        return found;
    }

    // The long row of lane `owner`, by the whole warp.
    __device__ void pull_long(int owner) {
        const Index j = __shfl_sync(ALL_LANES, own, owner);
        Offset begin = edges.begins[j];
        for (Index s = rows.segments[j]; s < rows.segments[j + 1]; ++s, begin += SEGMENT_ENTRIES)
            each_four(Segment(rows, s), [&](Index at, const Index (&columns)[OF_LANE], int count) {
                BestProduct<S> found = UnsettledValues<S>::none();
                A weight[OF_LANE];
                weigh(weight, begin + static_cast<Offset>(at), count);
                look(found, held_by(owner), weight, columns, count);
                if (!__any_sync(ALL_LANES, found.tail >= 0)) return false;
                const Partial<S> best = fold_warp(found.best);
                const Word whose = __ballot_sync(ALL_LANES, found.tail >= 0 && found.best.value == best.value);
                const int lane = whose == 0 ? 0 : __ffs(static_cast<int>(whose)) - 1;
                const Index tail = __shfl_sync(ALL_LANES, found.tail, lane);
                if (lane_id() == owner) join({best, tail});
                return false;
            });
    }
};

// The blocks of a multiprocessor for which registers are spared. Fewer, where they would be spilled.
template <class Z> constexpr int UNSETTLED_BLOCKS = sizeof(Z) > 4 ? 1 : ARCHITECTURE < 900 ? 2 : 3;

// A warp takes the rows of 32 words, wherever they are in these.
template <class S, class Offset, class W, bool with_parents>
__global__ void __launch_bounds__(MAX_THREADS, UNSETTLED_BLOCKS<typename S::Z>)
    pull_unsettled(int round, int rounds, PackedRows rows, PackedWeights<typename S::A, Offset, W> edges,
                   const Lightest<W>* lightest, typename S::A most, SparseOutput<typename S::Z> x, Origin* origins,
                   Unsettled which, Epochs<typename S::Z> epochs) {
    using Z = typename S::Z;
    const UnsettledRound<S> turn{epochs, round, rounds};
    if (turn.over()) return;
    const bool again = round > 0;
    UnsettledPull<S, Offset, W> pull{turn.values(x, most), rows, edges, 0, {}};
    const Origins<S, with_parents> tails{origins};
    Count improved = 0;
    Partial<S> best = nothing<S>();
    const Index words = words_of(rows.n);
    for (Index base : common_stride<Index>(words_of(words))) {
        const Index word = (base << 5) + lane_id();
        const Word asked = word >= words ? 0 : again ? which.open[word] : which.decoded[word];
        if (again && word < words) which.open[word] = turn.changed()[word] = 0;
        __syncwarp();  // others mark rows of this word
        const WarpShare share(__popc(asked));
        for (int done = 0; done < share.total; done += 32) {
            const int at = done + lane_id(), owner = share.owner(at);
            const bool live = at < share.total;
            Word bits = __shfl_sync(ALL_LANES, asked, owner);
            int before = at - __shfl_sync(ALL_LANES, share.begin, owner);
            for (; live && before > 0; --before) bits &= bits - 1;
            const Index j = live ? (((base << 5) + owner) << 5) + __ffs(static_cast<int>(bits)) - 1 : 0;
            pull.own = j;
            pull.mine = {{x.values[j], live && present(x.bits, j)}, -1};
            bool more = live;
            if (again) more = live && pull.probe(lightest[j], which.open);
            pull.pull(__ballot_sync(ALL_LANES, more));
            if (!live || pull.mine.tail < 0) continue;
            *static_cast<volatile Z*>(x.values + j) = pull.mine.best.value;
            tails.put(j, pull.mine.best.value, pull.mine.tail);
            mark(x.bits, j);
            best.fold(pull.mine.best.value);
            improved += claim(turn.changed(), j);
        }
    }
    turn.note(improved, best);
}
