// The pattern of a matrix, and principal submatrices.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "common.hpp"

namespace lagraph {
namespace {

constexpr int64_t ROWS_BETWEEN_LOOKS = 4096;

/// Where a submatrix is written to, which has room for all entries of the rows that it keeps.
struct Submatrix {
  int64_t *offsets;
  int32_t *columns;
  uint8_t *values;
};

/// Sorts the entries of a row that begins at `first` by column.
void sort_row(const Submatrix &to, int64_t first, int64_t size, int64_t item) {
  std::vector<std::pair<int32_t, int64_t>> order(size);
  for (int64_t k = 0; k < size; ++k) order[k] = {to.columns[first + k], k};
  std::sort(order.begin(), order.end());
  uint8_t *const row = to.values + first * item;
  const std::vector<uint8_t> before(row, row + size * item);
  for (int64_t k = 0; k < size; ++k) {
    to.columns[first + k] = order[k].first;
    std::copy_n(before.data() + order[k].second * item, item, row + k * item);
  }
}

/// Every entry of a chosen row is written, and overwritten where its column is not chosen, so that no
/// branch depends on columns. `item` is the bytes of a value, or a constant of that many.
template <class Bytes>
int64_t write_submatrix(const Rows &rows, const uint8_t *values, const int64_t *chosen, int64_t size,
                        Bytes item, Submatrix to) {
  std::vector<int32_t> number(rows.n, -1);
  for (int64_t i = 0; i < size; ++i) number[chosen[i]] = static_cast<int32_t>(i);
  const bool rising = std::is_sorted(chosen, chosen + size);
  int64_t count = 0;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t v = chosen[i], first = count;
    to.offsets[i] = count;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t column = number[rows.columns[e]];
      to.columns[count] = column;
      std::memcpy(to.values + count * item, values + e * item, item);
      count += column >= 0;
    }
    if (!rising && !std::is_sorted(to.columns + first, to.columns + count))
      sort_row(to, first, count - first, item);
  }
  to.offsets[size] = count;
  return count;
}

/// Whether each entry has the value of the one that mirrors it. Rows come in order, so that of an entry
/// above the diagonal is the first in its row that has not been met.
template <class Bytes>
bool mirrored(const Rows &rows, const uint8_t *values, Bytes item, Watch watch) {
  std::vector<int64_t> next(rows.begins, rows.begins + rows.n);
  for (int64_t u = 0; u < rows.n; ++u) {
    if (u % ROWS_BETWEEN_LOOKS == 0 && watch.stopped()) return false;
    const int64_t end = rows.begins[u + 1];
    int64_t e = next[u];
    if (e < end && rows.columns[e] < u) return false;
    if (e < end && rows.columns[e] == u) ++e;
    for (; e < end; ++e) {
      const int32_t v = rows.columns[e];
      const int64_t mirror = next[v]++;
      if (mirror == rows.begins[v + 1] || rows.columns[mirror] != u) return false;
      if (std::memcmp(values + e * item, values + mirror * item, item) != 0) return false;
    }
  }
  return true;
}

template <int64_t item>
using Constant = std::integral_constant<int64_t, item>;

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Rows are sorted, so both of a vertex are merged.
int64_t joined_rows(const CompressedRows *out, const CompressedRows *back, int64_t *begins, int64_t,
                    int32_t *columns, int64_t columns_size, int64_t *edges, int64_t) {
  const Rows one(*out), other(*back);
  int64_t count = 0;
  begins[0] = 0;
  for (int64_t v = 0; v < one.n; ++v) {
    int64_t e = one.begins[v], f = other.begins[v];
    const int64_t last = one.begins[v + 1], end = other.begins[v + 1];
    if (count + last - e + end - f > columns_size) return ASYMMETRIC;
    while (e < last || f < end) {
      const int32_t u = e < last ? one.columns[e] : other.columns[f];
      const int32_t w = f < end ? other.columns[f] : u;
      const int32_t next = std::min(u, w);
      const bool leaves = e < last && u == next, comes = f < end && w == next;
      columns[count] = next;
      edges[count] = leaves + comes;
      count += next != v;
      e += leaves;
      f += comes;
    }
    begins[v + 1] = count;
  }
  return count;
}

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

int64_t is_symmetric(const CompressedRows *compressed, int64_t item, const uint8_t *values, int64_t,
                     int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    switch (item) {
      case 0: return mirrored(rows, values, Constant<0>(), Watch(watch));
      case 4: return mirrored(rows, values, Constant<4>(), Watch(watch));
      case 8: return mirrored(rows, values, Constant<8>(), Watch(watch));
      default: return mirrored(rows, values, item, Watch(watch));
    }
  });
}

int64_t principal_submatrix(const CompressedRows *compressed, int64_t item, const uint8_t *values,
                            int64_t, const int64_t *chosen, int64_t size, int64_t *offsets, int64_t,
                            int32_t *kept, int64_t, uint8_t *held, int64_t) {
  const Rows rows(*compressed);
  const Submatrix to{offsets, kept, held};
  const auto write = [&](auto bytes) { return write_submatrix(rows, values, chosen, size, bytes, to); };
  return guarded([&]() -> int64_t {
    switch (item) {
      case 0: return write(Constant<0>());
      case 4: return write(Constant<4>());
      case 8: return write(Constant<8>());
      default: return write(item);
    }
  });
}
