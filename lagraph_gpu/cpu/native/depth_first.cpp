// Depth-first search that takes neighbours in the order of the rows.
//
// Whether a vertex is discovered is a byte, so that a look at a neighbour mostly stays in the caches. The
// vertex where the search is has its row in registers; of those on the path to it only the vertex is
// kept, and how many entries of its row have been looked at. A vertex from which no other is discovered
// never comes on the path.
#include <algorithm>

#include "common.hpp"

namespace lagraph {
namespace {

/// A vertex on the path, and how many entries of its row have been looked at.
struct Step {
  int32_t vertex, looked;
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// From one source, or with -1 from each vertex that is not discovered yet, in turn.
int64_t depth_first(const CompressedRows *compressed, int64_t source, int64_t *discovery, int64_t,
                    int64_t *parent, int64_t, int64_t *finish, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<uint8_t> discovered(rows.n);
    std::vector<Step> path;
    int64_t met = 0, left = 0;
    const auto discover = [&](int64_t v, int64_t from) {
      discovered[v] = true;
      parent[v] = from;
      discovery[v] = met++;
    };
    const auto leave = [&](int64_t v) {
      finish[v] = left++;
      Watch(watch).done(left);
    };
    const auto next_of = [&](int64_t e, int64_t end) {  // the next entry that is not discovered
      while (e < end && discovered[rows.columns[e]]) ++e;
      return e;
    };
    const int64_t last = source < 0 ? rows.n : source + 1;
    for (int64_t root = std::max<int64_t>(source, 0); root < last; ++root) {
      if (Watch(watch).stopped()) break;
      if (discovered[root]) continue;
      discover(root, root);
      int64_t u = root, begin = rows.begins[u], end = rows.begins[u + 1], e = next_of(begin, end);
      while (!Watch(watch).stopped()) {
        if (met == rows.n) {  // there is nothing to look for on the way back
          leave(u);
          for (; !path.empty(); path.pop_back()) leave(path.back().vertex);
          break;
        }
        if (e < end) {
          const int64_t v = rows.columns[e++];
          if (e < end) __builtin_prefetch(rows.begins + rows.columns[e]);
          discover(v, u);
          const int64_t first = rows.begins[v], after = rows.begins[v + 1];
          const int64_t onward = next_of(first, after);
          if (onward == after) {
            leave(v);
            e = next_of(e, end);
          } else {
            path.push_back({static_cast<int32_t>(u), static_cast<int32_t>(e - begin)});
            u = v, begin = first, end = after, e = onward;
          }
        } else {
          leave(u);
          if (path.empty()) break;
          const Step back = path.back();
          path.pop_back();
          u = back.vertex;
          begin = rows.begins[u];
          end = rows.begins[u + 1];
          e = next_of(begin + back.looked, end);
        }
      }
    }
    for (int64_t v = 0; v < rows.n && met < rows.n; ++v)
      if (!discovered[v]) discovery[v] = parent[v] = finish[v] = -1;
    return met;
  });
}
