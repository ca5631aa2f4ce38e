// Bounds of eccentricities by searches that are chosen one after another.
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "breadth_first.hpp"
#include "common.hpp"

namespace lagraph {
namespace {

/// The next vertices to search from, of which the last is the first: in the middle of a shortest path
/// between two vertices, from whose levels they follow, or on each side of it.
std::vector<int64_t> middles(const std::vector<int32_t> &one, const std::vector<int32_t> &other) {
  const int64_t n = one.size();
  int32_t length = std::numeric_limits<int32_t>::max();
  for (int64_t v = 0; v < n; ++v) length = std::min(length, one[v] + other[v]);
  std::vector<int64_t> found;
  for (int32_t half = length / 2; half <= length - length / 2; ++half) {
    int64_t v = 0;
    while (v < n && (one[v] != half || one[v] + other[v] != length)) ++v;
    if (v < n) found.push_back(v);
  }
  return found;
}

/// The neighbour of most edges whose eccentricity is between different bounds; if there is none, the
/// vertex itself.
int64_t busiest_neighbour(const Rows &edges, int64_t v, const std::vector<int32_t> &lower,
                          const int32_t *upper) {
  int64_t most = -1, busiest = v;
  for (int64_t e = edges.begins[v]; e < edges.begins[v + 1]; ++e) {
    const int64_t u = edges.columns[e], degree = edges.degree(u);
    if (lower[u] < upper[u] && degree > most) {
      most = degree;
      busiest = u;
    }
  }
  return busiest;
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// The searches of `bounded` in `algorithms.paths.eccentricity`, which says why they come in this order.
int64_t bound_eccentricities(const CompressedRows *rows, const Traversal *how, int64_t searches,
                             int32_t *upper, int64_t n, bool *left, int64_t, int64_t *longest,
                             int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Graph graph{.rows = *rows, .back = *rows, .how = *how};
    const Rows edges(*rows);
    std::vector<int32_t> level(n), queue(n), lower(n), central, end;
    std::vector<int64_t> planned;
    std::fill_n(upper, n, n);
    int64_t start = 0, radius = n;
    for (int64_t v = 1; v < n; ++v)
      if (edges.degree(v) > edges.degree(start)) start = v;
    for (int64_t turn = 0; turn < searches; ++turn) {
      std::fill(level.begin(), level.end(), -1);
      const Reached<void> reached{level.data()};
      const Found found = search(graph, std::span(&start, 1), reached, queue.data(), Watch(watch));
      if (found.count < n || Watch(watch).stopped()) return found.count;
      const int32_t own = level[queue[n - 1]];
      *longest = std::max<int64_t>(*longest, own);
      if (own < radius) {
        radius = own;
        central = level;
      }
      const int32_t most = *longest;
      int64_t count = 0;
      for (int64_t v = 0; v < n; ++v) {
        upper[v] = std::min(upper[v], level[v] + own);
        lower[v] = std::max({lower[v], level[v], own - level[v]});
        left[v] = (upper[v] > most) & (central[v] > most / 2);
        count += left[v];
      }
      if (count == 0) break;
      if (turn < 2) {
        planned = {std::max_element(level.begin(), level.end()) - level.begin()};
        end = level;
      } else if (turn == 2) {
        planned = middles(end, level);
      }
      if (!planned.empty()) {
        start = planned.back();
        planned.pop_back();
        continue;
      }
      start = std::find(left, left + n, true) - left;
      for (int64_t v = start + 1; v < n; ++v)
        if (left[v] && (turn % 2 ? lower[v] < lower[start] : upper[v] > upper[start])) start = v;
      if (turn % 4 == 2) start = busiest_neighbour(edges, start, lower, upper);
    }
    return n;
  });
}
