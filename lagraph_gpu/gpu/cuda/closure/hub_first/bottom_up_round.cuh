// One round of pulls, of so many, each a kernel by itself: it needs no barrier, and fills the
// device with more threads than a resident kernel could have. What it takes is as in hub_first.cuh;
// of `left` each warp has a part, in which it lists who pulls again, and in `kept` how many: all
// rounds have as many warps.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/bottom_up.cuh"

// What core_first.py takes for granted.
static_assert(STRANGE == 18 && FOUND == 22 && ARRIVALS == 23 && 8 * (LEAST + 1) == 88, "its STRANGE to BESTS");

// Blocks of a multiprocessor, as registers allow: the more, the more loads are under way.
template <class S, class Edges>
constexpr int PULLING = !is_large<S> && ARCHITECTURE == 900                    ? 4
                        : is_large<S> && ARCHITECTURE > 900 && !Edges::sorted ? 2
                                                                              : 3;

template <class S, class Edges, bool traced, bool at_first>
__global__ void __launch_bounds__(256, PULLING<S, Edges>)
    pull_rest(int round, int pulls, Index n, Index used, int leaf, const Lightest<typename S::A>* lightest,
              const Lightest<typename S::A>* in_lightest, const typename S::Offset* in_indptr,
              const typename Edges::Column* in_columns, const typename S::A* in_values, int in_stride, Index longest,
              Index pieces, const Index* long_rows, const typename S::Offset* firsts, Left<S>* left,
              Index* kept, Word* x_bits, typename S::Z* x, Origin* origins, long long* items, Count room, Word* bits,
              typename S::Z* bests, Count* counts, Index logged, Count* log) {
    using Z = typename S::Z;
    static_assert(sizeof(Left<S>) == (sizeof(Z) + sizeof(typename S::A) > 8 ? 24 : 16), "its LEFT");
    __shared__ Board<Z> board;
    __shared__ Pool<Z> pool;
    const Best<Z> before = change_of(bests, counts, round - 1);
    const Count rest = read_count(counts + REST), step = rest + round - 1;
    if (rest == 0 || (!at_first && !before.any())) return;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    Count* const line = log == nullptr || step >= Count(logged) ? nullptr : log + 4 * (step + 1);
    const Index words = words_of(n);
    if (leads) {
        board.clear(S::start());
        board.into = Legacy<Z>{items, room, bits, words, counts, bests}.queue(unsigned(step) + 1);
    }
    if (leads_all) {
        counts[PULLS] = round;
        change_of(bests, counts, round + 1).clear(S::start());
        if (line != nullptr) {
            line[0] = 1;
            line[3] = now();
        }
    }
    __syncthreads();
    const Z least = at_first ? Compare<S>::peek_value(word_of(bests, LEAST)) : before.read();
    const Z bound = at_first ? Compare<S>::peek_value(word_of(bests, BOUND)) : least;
    using Pull = Remainder<S, Edges, traced>;
    const long long part = (words_of(used) + warp_count() - 1) / warp_count();  // words of a warp, at most
    Pull pull{{{{{}, counts + STRANGE}, x, x_bits}, {{in_columns, in_values, in_stride}}, &board, &pool,
               bound, least, {origins}},
              used, longest, in_indptr, in_lightest, pieces, long_rows, firsts, {lightest, leaf, &board},
              left + part * (warp_id() << 5), round == pulls, line != nullptr};
    if constexpr (at_first) pull.template pull<typename Pull::First>(warp_id(), words_of(used), warp_count());
    else pull.template pull<Left<S>>(0, kept[warp_id()], 32);
    __syncthreads();
    if (lane_id() == 0) kept[warp_id()] = board.kept[threadIdx.x >> 5];
    board.queued.flush(board.into.items, board.into.count);
    if (!leads) return;
    Values<S>::tell(board.changed, change_of(bests, counts, round));
    board.count_into(counts, line);
}
