// The pattern of a matrix.
#include "common.hpp"

using namespace lagraph;

// Each row is bisected: steps of one row are the same for all rows of a length, and have no branches that
// depend on columns.
int64_t diagonal_entries(const CompressedRows *compressed) {
  const Rows rows(*compressed);
  int64_t count = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    int64_t at = rows.begins[v], length = rows.degree(v);
    if (length == 0) continue;
    while (length > 1) {
      const int64_t half = length / 2;
      at += rows.columns[at + half] <= v ? half : 0;
      length -= half;
    }
    count += rows.columns[at] == v;
  }
  return count;
}
