// Common neighbours of pairs of vertices.
//
// Pairs are sorted by their first vertex. Its row is marked once for all its pairs, and the entries of
// the other rows are looked up in the marks: O(sum of the degrees of second vertices + sum of the degrees
// of different first vertices). For a vertex of one pair nothing is marked, so that a single pair needs
// no memory for all vertices: the entries of one row are found in the other by bisection.
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

namespace {

/// How many entries of the row of `v` are in the row of `u`.
int64_t found_by_bisection(const Rows &rows, int32_t u, int32_t v) {
  const int32_t *place = rows.columns + rows.begins[u];
  const int32_t *const end = rows.columns + rows.begins[u + 1];
  int64_t count = 0;
  for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
    place = std::lower_bound(place, end, rows.columns[e]);
    if (place == end) break;
    count += *place == rows.columns[e];
  }
  return count;
}

}  // namespace

// Writes for each pair how many entries its rows have in common.
int64_t common_entries(const CompressedRows *compressed, const PairsOfRows *pairs, int64_t *common,
                       int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    const int64_t count = pairs->first_size;
    std::vector<uint8_t> mark;
    for (int64_t i = 0, end; i < count && !Watch(watch).stopped(); i = end) {
      const int32_t u = pairs->first[i];
      for (end = i + 1; end < count && pairs->first[end] == u; ++end) {}
      if (end == i + 1) {
        common[i] = found_by_bisection(rows, u, pairs->second[i]);
        continue;
      }
      mark.resize(rows.n);
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) mark[rows.columns[e]] = 1;
      for (int64_t k = i; k < end; ++k) {
        const int32_t v = pairs->second[k];
        common[k] = 0;
        for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
          common[k] += mark[rows.columns[e]];
      }
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) mark[rows.columns[e]] = 0;
    }
    return 0;
  });
}
