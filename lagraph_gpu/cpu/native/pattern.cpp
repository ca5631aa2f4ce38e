// The pattern of a matrix, and principal submatrices.
#include <cstring>
#include <type_traits>

#include "common.hpp"

namespace lagraph {
namespace {

/// Where a submatrix is written to, which has room for all entries of the rows that it keeps.
struct Submatrix {
  int64_t *offsets;
  int32_t *columns;
  uint8_t *values;
};

/// Every entry of a row that is kept is written, and overwritten where its column is not kept, so that no
/// branch depends on columns. `item` is the bytes of a value, or a constant of that many.
template <class Bytes>
int64_t write_submatrix(const Rows &rows, const uint8_t *values, const int32_t *number, Bytes item,
                        Submatrix to) {
  int64_t count = 0;
  *to.offsets++ = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    if (number[v] < 0) continue;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t column = number[rows.columns[e]];
      to.columns[count] = column;
      std::memcpy(to.values + count * item, values + e * item, item);
      count += column >= 0;
    }
    *to.offsets++ = count;
  }
  return count;
}

template <int64_t item>
using Constant = std::integral_constant<int64_t, item>;

}  // namespace
}  // namespace lagraph

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

int64_t principal_submatrix(const CompressedRows *compressed, int64_t item, const uint8_t *values,
                            int64_t, const int32_t *number, int64_t, int64_t *offsets, int64_t,
                            int32_t *kept, int64_t, uint8_t *held, int64_t) {
  const Rows rows(*compressed);
  const Submatrix to{offsets, kept, held};
  switch (item) {
    case 0: return write_submatrix(rows, values, number, Constant<0>(), to);
    case 4: return write_submatrix(rows, values, number, Constant<4>(), to);
    case 8: return write_submatrix(rows, values, number, Constant<8>(), to);
    default: return write_submatrix(rows, values, number, item, to);
  }
}
