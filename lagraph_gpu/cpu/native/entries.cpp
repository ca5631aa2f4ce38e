// Entries in any order become the rows of a matrix: they are counted and moved into their rows, each of
// which is sorted, by rank or by the digits of the columns. A row lies in the cache meanwhile, where
// sorting all entries by column first would write all over memory twice. O(m + n).
#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "common.hpp"

namespace lagraph {
namespace {

constexpr int64_t SHORT = 24;     // entries of a row that are sorted by rank (record 0318)
constexpr int DIGIT = 8;          // bits
constexpr int64_t BLOCK = 65536;  // entries or rows between two looks at the watch

/// What is sorted: a column, and below it the place of the entry in the list, so that entries of one
/// position keep their order; or a column alone.
template <class Key>
Key key_of(int64_t column, int64_t place) {
  if constexpr (sizeof(Key) == sizeof(int64_t)) return column << 32 | place;
  else return static_cast<Key>(column);
}
uint32_t column_of(int64_t key) { return static_cast<uint64_t>(key) >> 32; }
uint32_t column_of(int32_t key) { return key; }

/// Sorts by the digits of columns, from the lowest, which keeps the order of equal ones.
template <class Key>
void by_digits(Key *row, Key *spare, int64_t size, int64_t largest) {
  Key *from = row, *to = spare;
  for (int shift = 0; shift < 32 && largest >> shift > 0; shift += DIGIT) {
    int64_t begin[1 << DIGIT] = {};
    const auto digit = [&](Key x) { return column_of(x) >> shift & ((1 << DIGIT) - 1); };
    for (int64_t k = 0; k < size; ++k) ++begin[digit(from[k])];
    int64_t sum = 0;
    for (int64_t &place : begin) {
      const int64_t count = place;
      place = sum;
      sum += count;
    }
    for (int64_t k = 0; k < size; ++k) to[begin[digit(from[k])]++] = from[k];
    std::swap(from, to);
  }
  if (from != row) std::copy(from, from + size, row);
}

/// Each entry of a short row goes behind those that are less, which are counted without branches.
template <class Key>
void by_rank(Key *row, int64_t size) {
  Key sorted[SHORT];
  for (int64_t k = 0; k < size; ++k) {
    int64_t rank = 0;
    for (int64_t j = 0; j < k; ++j) rank += row[j] <= row[k];
    for (int64_t j = k + 1; j < size; ++j) rank += row[j] < row[k];
    sorted[rank] = row[k];
  }
  std::copy(sorted, sorted + size, row);
}

/// The entries of a list, each also with its ends exchanged if they stand for `both` directions.
struct List {
  const int64_t *row, *column;
  int64_t size;
  bool both;

  /// Calls `visit(row, column, place)` for each; false if the caller has ended the loop.
  template <class Visit>
  bool each(Watch watch, Visit visit) const {
    for (int64_t first = 0; first < size; first += BLOCK) {
      if (watch.stopped()) return false;
      for (int64_t k = first; k < std::min(first + BLOCK, size); ++k) {
        visit(row[k], column[k], k);
        if (both && row[k] != column[k]) visit(column[k], row[k], k);
      }
    }
    return true;
  }
};

/// Writes the row offsets and the entries by rows. False if the caller has ended the loop. Entries that
/// come by column, as those of a transpose, are in order in their rows at once.
template <class Key>
bool sort_entries(const List &list, int64_t *begins, int64_t n, Key *keys, Watch watch) {
  std::fill(begins, begins + n + 1, 0);
  int64_t largest = 0, before = 0;
  bool by_column = true;
  const auto count = [&](int64_t i, int64_t j, int64_t) {
    ++begins[i + 1];
    largest = std::max(largest, j);
    by_column &= j >= before;
    before = j;
  };
  if (!list.each(watch, count)) return false;
  int64_t sum = 0, longest = 0;
  for (int64_t i = 0; i < n; ++i) {  // begins[i + 1] is where row i begins, and then where it ends
    const int64_t size = begins[i + 1];
    begins[i + 1] = sum;
    sum += size;
    longest = std::max(longest, size);
  }
  const auto put = [&](int64_t i, int64_t j, int64_t k) { keys[begins[i + 1]++] = key_of<Key>(j, k); };
  if (!list.each(watch, put)) return false;
  if (by_column) return true;
  const std::unique_ptr<Key[]> spare(longest <= SHORT ? nullptr : new Key[longest]);
  for (int64_t i = 0; i < n; ++i) {
    if (i % BLOCK == 0 && watch.stopped()) return false;
    const int64_t size = begins[i + 1] - begins[i];
    if (size < 2) continue;
    Key *const row = keys + begins[i];
    if (size == 2) {
      const auto [less, more] = std::minmax({row[0], row[1]});
      row[0] = less;
      row[1] = more;
    } else if (size <= SHORT) by_rank(row, size);
    else if (!std::is_sorted(row, row + size)) by_digits(row, spare.get(), size, largest);
  }
  return true;
}

/// The columns of sorted keys, and the values at their places. `item` is the bytes of a value, or a
/// constant of that many.
template <class Bytes>
void take(const int64_t *keys, int64_t count, const uint8_t *values, Bytes item, int32_t *columns,
          uint8_t *held) {
  for (int64_t e = 0; e < count; ++e) {
    columns[e] = static_cast<int32_t>(column_of(keys[e]));
    std::memcpy(held + e * item, values + static_cast<uint32_t>(keys[e]) * item, item);
  }
}

template <int64_t item>
using Constant = std::integral_constant<int64_t, item>;

}  // namespace
}  // namespace lagraph

using namespace lagraph;

int64_t entries_by_row(const int64_t *row, int64_t size, const int64_t *column, int64_t,
                       bool both, int64_t item, const uint8_t *values, int64_t, int64_t *begins,
                       int64_t begins_size, int32_t *columns, int64_t columns_size, uint8_t *held,
                       int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const List list{row, column, size, both};
    const int64_t n = begins_size - 1;
    if (item == 0) {
      sort_entries(list, begins, n, columns, Watch(watch));
      return begins[n];
    }
    const std::unique_ptr<int64_t[]> keys(new int64_t[columns_size]);
    if (!sort_entries(list, begins, n, keys.get(), Watch(watch))) return 0;
    switch (item) {
      case 4: take(keys.get(), begins[n], values, Constant<4>(), columns, held); break;
      case 8: take(keys.get(), begins[n], values, Constant<8>(), columns, held); break;
      default: take(keys.get(), begins[n], values, item, columns, held);
    }
    return begins[n];
  });
}

int64_t repeated_entries(const CompressedRows *of) {
  const Rows rows(*of);
  const int64_t size = of->columns_size;
  int64_t count = 0;
  for (int64_t e = 1; e < size; ++e) count += rows.columns[e] == rows.columns[e - 1];
  for (int64_t i = 1; i < rows.n && count > 0; ++i) {  // without those at the beginning of a row
    const int64_t e = rows.begins[i], at = std::clamp<int64_t>(e, 1, size - 1);
    count -= (e > rows.begins[i - 1]) & (e < size) & (rows.columns[at] == rows.columns[at - 1]);
  }
  return count;
}

int64_t split_repeated(const CompressedRows *of, int64_t *begins, int64_t, int32_t *columns, int64_t,
                       int64_t *first, int64_t, int64_t *again, int64_t) {
  const Rows rows(*of);
  int64_t met = 0, others = 0;
  for (int64_t i = 0; i < rows.n; ++i) {
    begins[i] = met;
    for (int64_t e = rows.begins[i]; e < rows.begins[i + 1]; ++e) {
      if (e > rows.begins[i] && rows.columns[e] == rows.columns[e - 1]) {
        again[others++] = e;
      } else {
        columns[met] = rows.columns[e];
        first[met++] = e;
      }
    }
  }
  begins[rows.n] = met;
  return met;
}
