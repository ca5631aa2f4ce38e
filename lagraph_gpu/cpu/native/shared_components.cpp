// Components of a graph whose rows are distributed over the processes of one host, by union-find on
// one array of parents that all see (union_find.cpp has the method; the hooks are those of Rem's
// algorithm without locks: Jayanti and Tarjan, A randomized concurrent algorithm for disjoint set
// union, PODC 2016). The parent of a root is replaced only if it still is one, and by a smaller
// vertex, so the root of a component is its smallest vertex, whoever comes first. Each vertex begins
// below its first neighbour, if that is smaller, which takes no look at others. The parents of the
// vertices of a process lie side by side: processes go over their rows at the same pace, and would
// otherwise write to the same cache lines at the same time.
#include <algorithm>

#include "barrier.hpp"
#include "common.hpp"
#include "owners.hpp"

namespace lagraph {
namespace {

// As in union_find.cpp: edges of each vertex that join trees first, and vertices of the sample that
// finds the largest tree.
constexpr int64_t FIRST = 2, SAMPLE = 1024;

struct SharedForest {
  int32_t *const parents;
  const Owners owners;
  const int64_t each;
  int64_t hooked = 0;

  int32_t *at(int32_t v) const {
    const auto u = static_cast<uint32_t>(v);
    const uint32_t place = owners.place(u);
    return parents + owners.owner(u, place) * each + place;
  }
  int32_t of(int32_t v) const { return __atomic_load_n(at(v), __ATOMIC_RELAXED); }

  /// The root of a vertex. The path to it is halved: a vertex that is no root never becomes one, and
  /// whatever is written there is above it.
  int32_t find(int32_t v) const {
    for (int32_t p = of(v); p != v;) {
      const int32_t above = of(p);
      if (above == p) return p;
      __atomic_store_n(at(v), above, __ATOMIC_RELAXED);
      v = above;
      p = of(v);
    }
    return v;
  }

  void unite(int32_t u, int32_t v) {
    for (;;) {
      const int32_t a = find(u), b = find(v);
      if (a == b) return;
      int32_t high = std::max(a, b);
      if (__atomic_compare_exchange_n(at(high), &high, std::min(a, b), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        ++hooked;
        return;
      }
    }
  }

  /// The root of the tree that holds most of a sample; 0 if there are no vertices.
  int32_t largest(int64_t n) const {
    std::vector<int32_t> roots;
    roots.reserve(2 * SAMPLE);
    for (int64_t v = 0; v < n; v += std::max<int64_t>(1, n / SAMPLE))
      roots.push_back(find(static_cast<int32_t>(v)));
    std::sort(roots.begin(), roots.end());
    int32_t best = 0;
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

int64_t shared_components(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                          int64_t, uint8_t *memory, int64_t, int64_t n, int64_t parts,
                          int64_t rank, int64_t epoch, int64_t patience, int64_t unread,
                          int64_t *label, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    Barrier barrier(memory, parts, epoch);
    int32_t *const giant = reinterpret_cast<int32_t *>(memory + 2 * LINE);
    SharedForest forest{reinterpret_cast<int32_t *>(memory + 3 * LINE), Owners(parts),
                        lines(4 * ((n + parts - 1) / parts)) / 4};
    const auto meet = [&] {
      return barrier.meet(patience * 1'000'000, [&] { return Watch(watch).stopped(); });
    };
    const auto vertex = [&](int64_t row) { return static_cast<int32_t>(row * parts + rank); };
    if (!unread && !meet()) return BROKEN;  // nobody reads what an earlier call has left
    const auto first = [&](int64_t row) {
      return rows.degree(row) > 0 ? std::min(columns[begins[row]], vertex(row)) : vertex(row);
    };
    for (int64_t row = 0; row < rows.n; ++row) *forest.at(vertex(row)) = first(row);
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) {
      const bool joined = first(row) != vertex(row);
      forest.hooked += joined;
      for (int64_t at = joined; at < std::min(FIRST, rows.degree(row)); ++at)
        forest.unite(vertex(row), columns[begins[row] + at]);
    }
    if (rank == 0) *giant = forest.largest(n);  // others may still join trees to it
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) {
      if (rows.degree(row) <= FIRST) continue;
      if (forest.find(vertex(row)) == forest.find(*giant)) continue;
      for (int64_t e = begins[row] + FIRST; e < begins[row + 1]; ++e)
        forest.unite(vertex(row), columns[e]);
    }
    if (Watch(watch).stopped()) barrier.give_up();
    if (!meet()) return BROKEN;
    for (int64_t row = 0; row < rows.n; ++row) label[row] = forest.find(vertex(row));
    return forest.hooked;
  });
}

}  // extern "C"
