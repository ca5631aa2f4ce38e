// Depth-first search that takes neighbours in the order of the rows.
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

// From one source, or with -1 from each vertex that is not discovered yet, in turn. Writes to the
// arrays, which hold -1, the place of each vertex in the order of discovery, its parent, and its
// place in the order in which the search leaves them. The number of vertices discovered.
int64_t depth_first(const CompressedRows *compressed, int64_t source, int64_t *discovery, int64_t,
                    int64_t *parent, int64_t, int64_t *finish, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int64_t> next(rows.begins, rows.begins + rows.n);  // the first entry that is not looked at
    std::vector<int32_t> path;
    int64_t met = 0, left = 0;
    const auto discover = [&](int64_t v, int64_t from) {
      parent[v] = from;
      discovery[v] = met++;
      path.push_back(v);
      Watch(watch).done(met);
    };
    const int64_t last = source < 0 ? rows.n : source + 1;
    for (int64_t root = std::max<int64_t>(source, 0); root < last; ++root) {
      if (Watch(watch).stopped()) break;
      if (discovery[root] < 0) discover(root, root);
      while (!path.empty() && !Watch(watch).stopped()) {
        const int32_t u = path.back();
        while (next[u] < rows.begins[u + 1] && discovery[rows.columns[next[u]]] >= 0) ++next[u];
        if (next[u] < rows.begins[u + 1]) {
          discover(rows.columns[next[u]++], u);
        } else {
          finish[u] = left++;
          path.pop_back();
        }
      }
    }
    return met;
  });
}
