// Strongly connected components by one depth-first search, O(n + m); of a dense graph that is one
// component, O(n) if it is random.
//
// A vertex is *open* from its first visit until its component is known. An edge to an open vertex
// gives the time of that vertex's first visit, and the least such time is passed back along the
// search. A vertex with no time before its own is the first of its component; the others are those
// that were left open after it.
//
// Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
// Pearce: A space-efficient algorithm for finding strongly connected components, Information
// Processing Letters 116 (2016).
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

// Where a vertex has at least so many edges on average, some of them may tell that all vertices are
// one component: at most one in SHARE, and MOST.
constexpr int64_t DENSE = 32, SHARE = 8, MOST = 1 << 24;

// True if the first vertex reaches all others and they reach it. False also if those few edges do
// not tell.
static bool surely_one(const Rows &rows) {
  const int64_t edges = rows.begins[rows.n];
  if (rows.n == 0 || edges < DENSE * rows.n) return false;
  int64_t looks = std::min(edges / SHARE, MOST);
  std::vector<uint8_t> known(rows.n);
  std::vector<int32_t> reached{0};
  known[0] = 1;
  for (size_t at = 0; at < reached.size() && (int64_t)reached.size() < rows.n; ++at) {
    const int32_t u = reached[at];
    if ((looks -= rows.begins[u + 1] - rows.begins[u]) < 0) return false;
    for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
      const int32_t v = rows.columns[e];
      if (!known[v]) reached.push_back(v);
      known[v] = 1;
    }
  }
  int64_t left = rows.n - 1;
  if ((int64_t)reached.size() <= left) return false;
  std::fill(known.begin() + 1, known.end(), 0);  // and now those that are known to reach it
  for (int pass = 0; pass < 2 && left > 0; ++pass)
    for (const int32_t u : reached)
      for (int64_t e = rows.begins[u]; !known[u] && e < rows.begins[u + 1]; ++e) {
        if (--looks < 0) return false;
        known[u] = known[rows.columns[e]];
        left -= known[u];
      }
  return left == 0;
}

// Writes to `label` for each vertex the smallest vertex of its component.
//
// `low` is 0 before the first visit, then the least time that is known to be met, and -1 once the
// component is known. `path` is the way from the start, and `open` holds the vertices that were left
// open.
int64_t strong_components(const CompressedRows *compressed, int64_t *label, int64_t, int64_t *watch,
                          int64_t) {
  struct Step {
    int64_t edge;  // the next one
    int32_t vertex, time;
  };
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    if (surely_one(rows)) {
      std::fill_n(label, rows.n, 0);
      return 0;
    }
    std::vector<int32_t> low(rows.n), open;
    std::vector<Step> path;
    open.reserve(rows.n);
    int32_t visits = 0;
    for (int32_t start = 0; start < rows.n; ++start) {
      if (low[start] != 0) continue;
      int32_t next = start;
      do {
        if (next >= 0) {
          low[next] = ++visits;
          Watch(watch).done(visits);
          path.push_back({rows.begins[next], next, visits});
          next = -1;
        }
        Step &step = path.back();
        const int32_t u = step.vertex;
        int32_t least = low[u];
        while (step.edge < rows.begins[u + 1] && next < 0) {
          const int32_t v = rows.columns[step.edge++];
          if (low[v] == 0)
            next = v;
          else if (low[v] > 0)
            least = std::min(least, low[v]);
        }
        low[u] = least;
        if (next >= 0) continue;
        if (least < step.time) {
          open.push_back(u);
        } else {
          auto first = open.end();
          int32_t smallest = u;
          while (first != open.begin() && low[*(first - 1)] >= least)
            smallest = std::min(smallest, *--first);
          for (auto v = first; v != open.end(); ++v) {
            label[*v] = smallest;
            low[*v] = -1;
          }
          open.erase(first, open.end());
          label[u] = smallest;
          low[u] = -1;
        }
        path.pop_back();
        if (!path.empty() && low[u] > 0) {
          int32_t &before = low[path.back().vertex];
          before = std::min(before, low[u]);
        }
      } while (!path.empty() && !Watch(watch).stopped());
      if (Watch(watch).stopped()) break;
    }
    return 0;
  });
}
