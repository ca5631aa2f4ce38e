// Peeling: vertices are removed when their counter has fallen far enough, for k-cores and
// topological orders.
//
// A stack or a queue holds the vertices to remove, and each is subtracted from its neighbours'
// counters once. For cores, each level begins by finding the least counter of the vertices that are
// left; a vertex is left for no more levels than its own, so the time is O(n + m + sum of levels).
// In a topological order the counter is the number of in-edges that are left, and the longest path
// to a vertex is known when it is 0, O(n + m).
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

// Replaces the counters `left` of the vertices in `stays` by their levels.
int64_t peel(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
             const int64_t *amounts, int64_t amounts_size, bool *stays, int64_t, int64_t *left,
             int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    const Values<int64_t> amount(amounts, amounts_size);
    std::vector<int64_t> rest, stack;
    for (int64_t v = 0; v < rows.n; ++v)
      if (stays[v]) rest.push_back(v);
    stack.reserve(rest.size());
    int64_t level = 0, removed = 0;
    while (!rest.empty() && !Watch(watch).stopped()) {
      int64_t least = left[rest[0]];
      for (const int64_t v : rest) least = std::min(least, left[v]);
      level = std::max(level, least);
      const auto falls = [&](int64_t v) {
        if (left[v] > level) return;
        stays[v] = false;
        stack.push_back(v);
      };
      for (const int64_t v : rest) falls(v);
      while (!stack.empty() && !Watch(watch).stopped()) {
        Watch(watch).done(++removed);
        const int64_t u = stack.back();
        stack.pop_back();
        left[u] = level;
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = columns[e];
          if (!stays[v]) continue;
          left[v] -= amount[e];
          falls(v);
        }
      }
      rest.erase(std::remove_if(rest.begin(), rest.end(), [&](int64_t v) { return !stays[v]; }),
                 rest.end());
    }
    return 0;
  });
}

// Writes how many edges each vertex has, without loops.
int64_t neighbor_counts(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t, int64_t *count, int64_t) {
  const Rows rows(begins, begins_size, columns);
  for (int64_t v = 0; v < rows.n; ++v) {
    const int32_t *const first = columns + begins[v], *const last = columns + begins[v + 1];
    count[v] = rows.degree(v) - std::binary_search(first, last, v);
  }
  return 0;
}

// Writes to `longest`, which holds zeros, the greatest length of a path to each vertex, and to
// `queue` the vertices in topological order, without those on cycles or behind them.
int64_t longest_paths(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t columns_size, const void *lengths, int64_t lengths_size,
                      void *longest, int64_t, int32_t *queue, int64_t, int64_t *watch, int64_t) {
  return with_type(type, [&](auto type_of_lengths) {
    using T = typename decltype(type_of_lengths)::type;
    return guarded([&]() -> int64_t {
      const Rows rows(begins, begins_size, columns);
      const Values<T> length(lengths, lengths_size);
      T *const found = static_cast<T *>(longest);
      std::vector<int32_t> entering(rows.n);
      for (int64_t e = 0; e < columns_size; ++e) ++entering[columns[e]];
      int64_t head = 0, tail = 0;
      for (int64_t v = 0; v < rows.n; ++v)
        if (entering[v] == 0) queue[tail++] = v;
      while (head < tail && !Watch(watch).stopped()) {
        Watch(watch).done(head);
        const int32_t u = queue[head++];
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = columns[e];
          const T candidate = found[u] + length[e];
          if (candidate > found[v]) found[v] = candidate;
          if (--entering[v] == 0) queue[tail++] = v;
        }
      }
      return tail;
    });
  });
}
