// Peeling: vertices are removed when their counter has fallen far enough, for k-cores and
// topological orders.
//
// A stack or a queue holds the vertices to remove, and each is subtracted from its neighbours'
// counters once. For cores, each level begins by finding the least counter of the vertices that are
// left; a vertex is left for no more levels than its own, so the time is O(n + m + sum of levels).
// In a topological order the counter is the number of in-edges that are left, and the longest path
// to a vertex is known when it is 0, O(n + m).
#include <algorithm>
#include <memory>

#include "common.hpp"

namespace lagraph {
namespace {

/// Replaces the counters `left` of the vertices in `stays` by their levels. For each neighbour v of a
/// vertex u, `each_neighbor(u, subtract)` calls `subtract(v, amount)`.
template <class EachNeighbor>
void peel_by(int64_t n, bool *stays, int64_t *left, Watch watch, EachNeighbor each_neighbor) {
  std::vector<int32_t> rest, stack;
  for (int64_t v = 0; v < n; ++v)
    if (stays[v]) rest.push_back(v);
  stack.reserve(rest.size());
  int64_t level = 0, removed = 0;
  while (!rest.empty() && !watch.stopped()) {
    int64_t least = left[rest[0]];
    for (const int32_t v : rest) least = std::min(least, left[v]);
    level = std::max(level, least);
    const auto falls = [&](int64_t v) {
      if (left[v] > level) return;
      stays[v] = false;
      stack.push_back(v);
    };
    for (const int32_t v : rest) falls(v);
    while (!stack.empty() && !watch.stopped()) {
      watch.done(++removed);
      const int64_t u = stack.back();
      stack.pop_back();
      left[u] = level;
      each_neighbor(u, [&](int64_t v, int64_t amount) {
        if (!stays[v]) return;
        left[v] -= amount;
        falls(v);
      });
    }
    rest.erase(std::remove_if(rest.begin(), rest.end(), [&](int32_t v) { return !stays[v]; }),
               rest.end());
  }
}

/// How many edges a vertex has in these rows, without a loop.
int64_t neighbors(Rows rows, int64_t v) {
  const int32_t *const first = rows.columns + rows.begins[v];
  const int32_t *const last = rows.columns + rows.begins[v + 1];
  return last - first - std::binary_search(first, last, v);
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

int64_t peel(const CompressedRows *compressed, const int64_t *amounts, int64_t amounts_size,
             bool *stays, int64_t, int64_t *left, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    const Values<int64_t> amount(amounts, amounts_size);
    peel_by(rows.n, stays, left, Watch(watch), [&](int64_t u, auto subtract) {
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) subtract(rows.columns[e], amount[e]);
    });
    return 0;
  });
}

int64_t core_levels(const CompressedRows *out, const CompressedRows *in, int64_t *level, int64_t n,
                    int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*out), back(*in);
    const bool directed = in->begins_size > 0;
    for (int64_t v = 0; v < n; ++v)
      level[v] = neighbors(rows, v) + (directed ? neighbors(back, v) : 0);
    const std::unique_ptr<bool[]> stays(new bool[n]);
    std::fill_n(stays.get(), n, true);
    peel_by(n, stays.get(), level, Watch(watch), [&](int64_t u, auto subtract) {
      const auto along = [&](Rows some) {
        for (int64_t e = some.begins[u]; e < some.begins[u + 1]; ++e) subtract(some.columns[e], 1);
      };
      along(rows);
      if (directed) along(back);
    });
    return 0;
  });
}

// Writes to `longest`, which holds zeros, the greatest length of a path to each vertex, and to
// `queue` the vertices in topological order, without those on cycles or behind them.
int64_t longest_paths(int type, const CompressedRows *compressed, const void *lengths,
                      int64_t lengths_size, void *longest, int64_t, int32_t *queue, int64_t,
                      int64_t *watch, int64_t) {
  return with_type(type, [&](auto type_of_lengths) {
    using T = typename decltype(type_of_lengths)::type;
    return guarded([&]() -> int64_t {
      const Rows rows(*compressed);
      const Values<T> length(lengths, lengths_size);
      T *const found = static_cast<T *>(longest);
      std::vector<int32_t> entering(rows.n);
      for (int64_t e = 0; e < compressed->columns_size; ++e) ++entering[rows.columns[e]];
      int64_t head = 0, tail = 0;
      for (int64_t v = 0; v < rows.n; ++v)
        if (entering[v] == 0) queue[tail++] = v;
      while (head < tail && !Watch(watch).stopped()) {
        Watch(watch).done(head);
        const int32_t u = queue[head++];
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = rows.columns[e];
          const T candidate = found[u] + length[e];
          if (candidate > found[v]) found[v] = candidate;
          if (--entering[v] == 0) queue[tail++] = v;
        }
      }
      return tail;
    });
  });
}

int64_t longest_path_parents(int type, const CompressedRows *compressed, const void *lengths,
                             int64_t lengths_size, const void *longest, int64_t, int64_t *parent,
                             int64_t, int64_t *watch, int64_t) {
  return with_type(type, [&](auto type_of_lengths) -> int64_t {
    using T = typename decltype(type_of_lengths)::type;
    const Rows rows(*compressed);
    const Values<T> length(lengths, lengths_size);
    const T *const found = static_cast<const T *>(longest);
    for (int64_t u = rows.n - 1; u >= 0 && !Watch(watch).stopped(); --u)
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const T reached = found[u] + length[e];  // rounded to the type
        parent[v] = reached == found[v] ? u : parent[v];
      }
    return 0;
  });
}
