// A greedy pass over vertices in a given order: independent sets and first-fit colourings, O(n + m);
// and over edges in a random order: matchings, expected O(n + m).
#include <algorithm>
#include <bit>
#include <utility>

#include "common.hpp"

namespace lagraph {
namespace {

/// What a vertex knows in a matching: the number of the edge to its suitor, or 0, the rank of the
/// vertex, and the suitor, or -1.
struct Suitor {
  uint64_t edge = 0;
  int32_t rank = 0, suitor = -1;
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Writes to `chosen`, which holds no vertex, those that no earlier neighbour in the set rules out.
int64_t greedy_set(const CompressedRows *compressed, const int64_t *order, int64_t order_size,
                   bool *chosen, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<uint8_t> excluded(rows.n);
    for (int64_t i = 0; i < order_size && !Watch(watch).stopped(); ++i) {
      Watch(watch).done(i);
      const int64_t v = order[i];
      if (excluded[v]) continue;
      chosen[v] = true;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) excluded[rows.columns[e]] = true;
    }
    return 0;
  });
}

// Writes to `color`, which holds -1, the smallest colour that no earlier neighbour has.
//
// The first 64 colours are the bits of a word. Only where all are taken are the others looked at:
// `taken` holds the last vertex that has met a colour.
int64_t first_fit(const CompressedRows *compressed, const int64_t *order, int64_t order_size,
                  int64_t *color, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int64_t> taken;
    for (int64_t i = 0; i < order_size && !Watch(watch).stopped(); ++i) {
      Watch(watch).done(i);
      const int64_t v = order[i];
      uint64_t low = 0;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
        const int64_t c = color[rows.columns[e]];
        if (c >= 0 && c < BITS) low |= uint64_t{1} << c;
      }
      int64_t free = std::countr_one(low);
      if (free == BITS) {
        for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
          if (const int64_t c = color[rows.columns[e]]; c >= BITS) taken[c - BITS] = v;
        while (free - BITS < std::ssize(taken) && taken[free - BITS] == v) ++free;
        if (free - BITS == std::ssize(taken)) taken.push_back(-1);
      }
      color[v] = free;
    }
    return 0;
  });
}

// Writes the partner of each vertex to `mate`, which holds -1.
//
// Each vertex in turn becomes the suitor of a neighbour: of those without a suitor by an edge of a
// larger number, the one to which its own edge has the largest. The suitor that was there before
// looks for another neighbour at once. In the end suitors are mutual, and the edges are those of a pass
// by falling number (Manne and Halappanavar: New effective multithreaded matching algorithms, IPDPS
// 2014).
int64_t suitor_matching(const CompressedRows *compressed, const int64_t *rank, int64_t,
                        uint64_t factor, int64_t *mate, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<Suitor> of(rows.n);
    for (int64_t v = 0; v < rows.n; ++v) of[v].rank = static_cast<int32_t>(rank[v]);
    for (int64_t first = 0; first < rows.n && !Watch(watch).stopped(); ++first) {
      Watch(watch).done(first);
      for (int64_t u = first; u >= 0 && !Watch(watch).stopped();) {
        const uint64_t own = of[u].rank;
        int64_t best = -1;
        uint64_t most = 0;
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = rows.columns[e];
          const Suitor there = of[v];
          const uint64_t low = std::min<uint64_t>(own, there.rank), both = own + there.rank;
          const uint64_t number = ((low << 31) + (both - low)) * factor;  // not max, for a branch
          const bool better = number > std::max(most, there.edge);
          most = better ? number : most;
          best = better ? v : best;
        }
        if (best < 0) break;
        of[best].edge = most;
        u = std::exchange(of[best].suitor, u);
      }
    }
    for (int64_t v = 0; v < rows.n; ++v) mate[v] = of[v].suitor;
    return 0;
  });
}
