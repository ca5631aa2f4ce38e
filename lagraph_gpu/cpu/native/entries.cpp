// Entries in any order become the rows of a matrix: they are counted and moved into their rows, each of
// which is sorted, by a network, by rank or by the digits of the columns. A row lies in the cache
// meanwhile, where sorting all entries by column first would write all over memory twice. Rows lie a few
// places later while they are not sorted: a sorted one may then be written with what follows it in the
// network, over which the next row goes, and no row is read where the one before has just been written.
// O(m + n).
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

#include "common.hpp"

namespace lagraph {
namespace {

constexpr int64_t NETWORK = 8;    // entries of a row that are sorted by a network (record 0459)
constexpr int64_t SHORT = 24;     // entries of a row that are sorted by rank (record 0318)
static_assert(SPARE_COLUMNS == 2 * NETWORK);  // from the first key to behind the last network
constexpr int64_t ROWS = 256;      // rows that are looked at together
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

/// Writes the lesser of two to where the first stands, without a branch.
template <class Key>
void exchange(Key &x, Key &y) {
  const Key a = x, b = y;
  const bool less = a < b;
  x = less ? a : b;
  y = less ? b : a;
}

/// The lower half has no bits, and keys with those of the upper half are the largest.
template <class Key>
constexpr std::array<Key, 2 * NETWORK> ABSENT = [] {
  std::array<Key, 2 * NETWORK> made{};
  std::fill(made.begin() + NETWORK, made.end(), std::numeric_limits<Key>::max());
  return made;
}();

/// The next two sort at most 4 or 8 entries by a network, the same steps for any number: the processor
/// need not guess how many there are. Largest keys follow up to the end of the network.
template <class Key>
void by_network_of_4(const Key *row, int64_t size, Key *to) {
  const Key *const absent = ABSENT<Key>.data() + NETWORK - size;
  Key a = row[0] | absent[0], b = row[1] | absent[1], c = row[2] | absent[2], d = row[3] | absent[3];
  exchange(a, b), exchange(c, d);
  exchange(a, c), exchange(b, d);
  exchange(b, c);
  to[0] = a, to[1] = b, to[2] = c, to[3] = d;
}
template <class Key>
void by_network_of_8(const Key *row, int64_t size, Key *to) {
  const Key *const absent = ABSENT<Key>.data() + NETWORK - size;
  Key a = row[0] | absent[0], b = row[1] | absent[1], c = row[2] | absent[2], d = row[3] | absent[3];
  Key e = row[4] | absent[4], f = row[5] | absent[5], g = row[6] | absent[6], h = row[7] | absent[7];
  exchange(a, c), exchange(b, d), exchange(e, g), exchange(f, h);
  exchange(a, e), exchange(b, f), exchange(c, g), exchange(d, h);
  exchange(a, b), exchange(c, d), exchange(e, f), exchange(g, h);
  exchange(c, e), exchange(d, f);
  exchange(b, e), exchange(d, g);
  exchange(b, c), exchange(d, e), exchange(f, g);
  to[0] = a, to[1] = b, to[2] = c, to[3] = d, to[4] = e, to[5] = f, to[6] = g, to[7] = h;
}

/// Sorts by the digits of columns, from the lowest, which keeps the order of equal ones.
template <class Key>
void by_digits(Key *row, Key *spare, int64_t size, int64_t largest, Key *sorted) {
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
  std::copy(from, from + size, sorted);
}

/// Each entry of a short row goes behind those that are less, which are counted without branches.
template <class Key>
void by_rank(const Key *row, int64_t size, Key *to) {
  Key sorted[SHORT];
  for (int64_t k = 0; k < size; ++k) {
    int64_t rank = 0;
    for (int64_t j = 0; j < k; ++j) rank += row[j] <= row[k];
    for (int64_t j = k + 1; j < size; ++j) rank += row[j] < row[k];
    sorted[rank] = row[k];
  }
  std::copy(sorted, sorted + size, to);
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

/// Whether keys are in order in each row. Those less than the key before are counted, some rows at a time,
/// and where a row begins not.
template <class Key>
bool in_order(const int64_t *begins, int64_t n, const Key *keys) {
  for (int64_t first = 0; first < n; first += ROWS) {
    const int64_t last = std::min(first + ROWS, n), end = begins[last];
    int64_t less = 0;
    for (int64_t e = begins[first] + 1; e < end; ++e) less += keys[e] < keys[e - 1];
    for (int64_t i = first + 1; i < last; ++i) {
      const int64_t e = begins[i];
      less -= (e > begins[i - 1]) & (e < end) & (keys[e] < keys[std::max<int64_t>(e, 1) - 1]);
    }
    if (less != 0) return false;
  }
  return true;
}

/// Writes the row offsets and the entries by rows. False if the caller has ended the loop. Entries that
/// come by column, as those of a transpose, are in order in their rows at once. There are SPARE_COLUMNS
/// more keys than entries.
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
  int64_t sum = 0, longest = 0, longer = 0;  // rows of several entries
  for (int64_t i = 0; i < n; ++i) {  // begins[i + 1] is where row i begins, and then where it ends
    const int64_t size = begins[i + 1];
    begins[i + 1] = sum;
    sum += size;
    longest = std::max(longest, size);
    longer += size > 1;
  }
  Key *const unsorted = by_column ? keys : keys + NETWORK;
  const auto put = [&](int64_t i, int64_t j, int64_t k) {
    unsorted[begins[i + 1]++] = key_of<Key>(j, k);
  };
  if (!list.each(watch, put)) return false;
  if (by_column) return true;
  std::fill_n(unsorted + begins[n], NETWORK, 0);  // which a network reads
  if (in_order(begins, n, unsorted)) {  // as those of a list in which each end rises
    std::copy(unsorted, unsorted + begins[n], keys);
    return true;
  }
  const bool seldom_longer = longer < n / 8;
  const std::unique_ptr<Key[]> spare(longest <= SHORT ? nullptr : new Key[longest]);
  for (int64_t i = 0; i < n; ++i) {
    if (i % BLOCK == 0 && watch.stopped()) return false;
    const int64_t size = begins[i + 1] - begins[i];
    Key *const row = unsorted + begins[i], *const to = keys + begins[i];
    if (seldom_longer && size < 2) to[0] = row[0];
    else if (size <= 4) by_network_of_4(row, size, to);
    else if (size <= NETWORK) by_network_of_8(row, size, to);
    else if (size <= SHORT) by_rank(row, size, to);
    else if (std::is_sorted(row, row + size)) std::copy(row, row + size, to);
    else by_digits(row, spare.get(), size, largest, to);
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
  if (count == 0) return 0;
  const int64_t *row = rows.begins, *last = rows.begins + rows.n;
  while (row[1] == 0) ++row;  // empty rows before the first entry, and behind the last
  while (last[-1] == size) --last;
  while (++row < last)  // without those at the beginning of a row
    count -= (row[0] > row[-1]) & (rows.columns[row[0]] == rows.columns[row[0] - 1]);
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
