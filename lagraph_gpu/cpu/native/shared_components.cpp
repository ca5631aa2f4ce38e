// Components of a graph whose rows are distributed over the processes of one host, by union-find on
// one array of parents that all see (union_find.cpp has the method; the hooks are those of Rem's
// algorithm without locks: Jayanti and Tarjan, A randomized concurrent algorithm for disjoint set
// union, PODC 2016). The parent of a root is replaced only if it still is one, and by a smaller
// vertex, so the root of a component is its smallest vertex, whoever comes first. Each vertex begins
// below its first neighbour, if that is smaller, which takes no look at others.
//
// The parents of the vertices of a process lie side by side: processes go over their rows at the same
// pace, and would otherwise write to the same cache lines at the same time. Trees consist of places
// in that array, so that who follows a path computes nothing; vertices are compared where two trees
// are joined.
#include <algorithm>

#include "barrier.hpp"
#include "common.hpp"
#include "owners.hpp"

namespace lagraph {
namespace {

// The number of edges of each vertex that join trees first, and of vertices in the sample that finds
// the largest tree.
constexpr int64_t FIRST = 2, SAMPLE = 1024;

/// Where the number of the largest tree lies in shared memory, and the parents after it.
constexpr int64_t GIANT = BARRIER_BYTES, PARENTS = GIANT + LINE;

/// The bytes of the parents of each process: up to the end of a line, and at least one line.
int64_t bytes_of_parents(int64_t n, int64_t parts) { return lines(4 * ((n + parts) / parts)); }

struct SharedForest {
  uint32_t *const parents;
  const Owners owners, ranges;
  int64_t hooked = 0;

  SharedForest(uint8_t *memory, int64_t parts, int64_t each)
      : parents(reinterpret_cast<uint32_t *>(memory)), owners(parts), ranges(each) {}

  /// Where the parent of a vertex lies. Each process has a range of the array.
  uint32_t place(int32_t v) const {
    const auto u = static_cast<uint32_t>(v);
    const uint32_t row = owners.place(u);
    return owners.owner(u, row) * ranges.parts + row;
  }
  int32_t vertex(uint32_t place) const {
    const uint32_t rank = ranges.place(place), row = ranges.owner(place, rank);
    return static_cast<int32_t>(row * owners.parts + rank);
  }
  uint32_t of(uint32_t place) const { return __atomic_load_n(parents + place, __ATOMIC_RELAXED); }

  /// The root of a tree, from one of its places. The path to it is halved: what is no root never
  /// becomes one, and whatever is written there is above it.
  uint32_t find(uint32_t at) const {
    for (uint32_t p = of(at); p != at;) {
      const uint32_t above = of(p);
      if (above == p) return p;
      __atomic_store_n(parents + at, above, __ATOMIC_RELAXED);
      at = above;
      p = of(at);
    }
    return at;
  }

  void unite(uint32_t one, uint32_t other) {
    for (;;) {
      uint32_t low = find(one), high = find(other);
      if (low == high) return;
      if (vertex(low) > vertex(high)) std::swap(low, high);
      if (__atomic_compare_exchange_n(parents + high, &high, low, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        ++hooked;
        return;
      }
    }
  }

  /// The root of the tree that holds most of a sample; that of vertex 0 if there are no others.
  uint32_t largest(int64_t n) const {
    std::vector<uint32_t> roots;
    roots.reserve(2 * SAMPLE);
    for (int64_t v = 0; v < n; v += std::max<int64_t>(1, n / SAMPLE))
      roots.push_back(find(place(static_cast<int32_t>(v))));
    std::sort(roots.begin(), roots.end());
    uint32_t best = 0;
    int64_t most = 0, held = 0;
    for (size_t i = 0; i < roots.size(); ++i) {
      held = i > 0 && roots[i] == roots[i - 1] ? held + 1 : 1;
      if (held > most) {
        most = held;
        best = roots[i];
      }
    }
    return best;
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

extern "C" {

int64_t window_of_components(const Partition *graph) {
  return PARENTS + bytes_of_parents(graph->n, graph->parts);
}

int64_t shared_components(const CompressedRows *of, const Meeting *meeting, bool unread,
                          int64_t *label, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    const int64_t *const begins = rows.begins;
    const int32_t *const columns = rows.columns;
    const int64_t n = meeting->n, parts = meeting->parts, rank = meeting->rank;
    uint8_t *const memory = meeting->memory;
    Barrier barrier(*meeting);
    uint32_t *const giant = reinterpret_cast<uint32_t *>(memory + GIANT);
    const int64_t each = bytes_of_parents(n, parts) / 4;
    SharedForest forest(memory + PARENTS, parts, each);
    const auto meet = [&] {
      return barrier.meet(patience_of(*meeting), [&] { return Watch(watch).stopped(); });
    };
    const auto own = [&](int64_t row) { return static_cast<uint32_t>(rank * each + row); };
    if (!unread && !meet()) return BROKEN;  // nobody reads what an earlier call has left
    const auto begins_below = [&](int64_t row) {
      return rows.degree(row) > 0 && columns[begins[row]] < row * parts + rank;
    };
    for (int64_t row = 0; row < rows.n; ++row) {
      const bool below = begins_below(row);
      forest.parents[own(row)] = below ? forest.place(columns[begins[row]]) : own(row);
      forest.hooked += below;
    }
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) {
      for (int64_t at = begins_below(row); at < std::min(FIRST, rows.degree(row)); ++at)
        forest.unite(own(row), forest.place(columns[begins[row] + at]));
    }
    if (rank == 0) *giant = forest.largest(n);  // others may still join trees to it
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) {
      if (rows.degree(row) <= FIRST) continue;
      if (forest.find(own(row)) == forest.find(*giant)) continue;
      for (int64_t e = begins[row] + FIRST; e < begins[row + 1]; ++e)
        forest.unite(own(row), forest.place(columns[e]));
    }
    if (Watch(watch).stopped()) barrier.give_up();
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) label[row] = forest.vertex(forest.find(own(row)));
    return forest.hooked;
  });
}

}  // extern "C"
