// What loops share that do rounds over all vertices, each of which gathers along its edges: sums in
// parts, rows by their lengths, and threads that have ranges of vertices and meet.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <numeric>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "common.hpp"

namespace lagraph {

/// So many numbers are a part of a sum.
constexpr int64_t PART = 1024;

/// One number for all entries, or for all vertices.
struct Common {
  const double value;

  double operator[](int64_t) const { return value; }
};

/// What arrives along the entries from e to before `last`. Two sums, because each addition waits for
/// the one before it. It is inline so that a length that is a constant needs no loop.
template <class Factors, class T>
[[gnu::always_inline]] inline double arriving(Rows rows, Factors factor, const T *share, int64_t e,
                                              int64_t last) {
  const auto term = [&](int64_t e) -> double {
    return static_cast<double>(share[rows.columns[e]]) * factor[e];
  };
  double sum = 0, other = 0;
  for (; e + 2 <= last; e += 2) {
    sum += term(e);
    other += term(e + 1);
  }
  return (e < last ? sum + term(e) : sum) + other;
}

template <class Factors, class T>
double arriving(Rows rows, Factors factor, const T *share, int64_t v) {
  return arriving(rows, factor, share, rows.begins[v], rows.begins[v + 1]);
}

/// Calls `one(first, end)` for each part of the vertices from `first`, where a part begins, to `last`.
template <class One>
void for_parts(int64_t first, int64_t last, One one) {
  for (; first < last; first += PART) one(first, std::min(first + PART, last));
}

/// A sum over all vertices that threads share. There is a number for each part, and these are added up
/// in their order, so the sum is the same for every number of threads.
class PartSums {
 public:
  explicit PartSums(int64_t n) : parts((n + PART - 1) / PART) {}

  /// The number for the part that begins with this vertex.
  double &from(int64_t first) { return parts[first / PART]; }
  double total() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }

 private:
  std::vector<double> parts;
};

/// Vertices in parts, and in each part by the lengths of their rows. Short rows of one length follow one
/// another, and need no loops whose ends the processor would have to guess. Where nearly all rows have
/// one length, it guesses right, and the vertices keep their order.
class ByLength {
 public:
  explicit ByLength(Rows rows)
      : rows(rows), place(rows.n), ends((rows.n + PART - 1) / PART * SHORT) {}

  /// Sorts the parts of the vertices from `first`, where a part begins, to `last`.
  void sort(int64_t first, int64_t last) {
    const auto length = [&](int64_t v) { return std::min(rows.degree(v), SHORT); };
    for (; first < last; first += PART) {
      const int64_t end = std::min(first + PART, last);
      int64_t next[SHORT + 2] = {};
      for (int64_t v = first; v < end; ++v) ++next[length(v) + 1];
      if (*std::max_element(next, next + SHORT + 2) > (end - first) / 16 * 15) continue;
      for (int64_t k = 1; k <= SHORT; ++k) {
        next[k] += next[k - 1];
        ends[first / PART * SHORT + k - 1] = static_cast<uint16_t>(next[k]);
      }
      for (int64_t v = first; v < end; ++v)
        place[first + next[length(v)]++] = static_cast<uint16_t>(v - first);
    }
  }

  /// Calls `one(v, length)` for each vertex of a part. Short lengths are constants.
  template <class One>
  void each(int64_t first, int64_t end, One one) const {
    const uint16_t *const at = place.data() + first, *const until = ends.data() + first / PART * SHORT;
    if (until[SHORT - 1] == 0) {  // nearly all rows have one length
      for (int64_t v = first; v < end; ++v) one(v, rows.degree(v));
      return;
    }
    int64_t i = 0;
    const auto of_length = [&](auto length) {
      for (; i < until[length]; ++i) one(first + at[i], length);
    };
    [&]<int64_t... k>(std::integer_sequence<int64_t, k...>) {
      (of_length(std::integral_constant<int64_t, k>()), ...);
    }(std::make_integer_sequence<int64_t, SHORT>());
    for (; first + i < end; ++i) one(first + at[i], rows.degree(first + at[i]));
  }

  /// Calls `one(v, length)` as `each` does. Short lengths are constants there, too, where nearly all rows
  /// have one length.
  template <class One>
  void each_constant(int64_t first, int64_t end, One one) const {
    each(first, end, [&](int64_t v, auto length) {
      if constexpr (std::is_same_v<decltype(length), int64_t>) {
        const bool short_row = [&]<int64_t... k>(std::integer_sequence<int64_t, k...>) {
          return ((length == k && (one(v, std::integral_constant<int64_t, k>()), true)) || ...);
        }(std::make_integer_sequence<int64_t, SHORT>());
        if (short_row) return;
      }
      one(v, length);
    });
  }

  /// Calls `one(v, x)` for each vertex of a part with what arrives at it.
  template <class Factors, class T, class One>
  void each_sum(Factors factor, const T *from, int64_t first, int64_t end, One one) const {
    each(first, end, [&](int64_t v, auto length) {
      const int64_t e = rows.begins[v];
      one(v, arriving(rows, factor, from, e, e + length));
    });
  }

 private:
  static constexpr int64_t SHORT = 8;

  const Rows rows;
  std::vector<uint16_t> place, ends;
};

/// Calls `loop` with the factors of the entries: one for each, or one for all.
template <class T, class Loop>
auto with_factors(const T *factors, int64_t size, Loop loop) {
  return size == 1 ? loop(Common{*factors}) : loop(factors);
}

/// The first vertex of a range: so many parts of `parts` of all vertices and edges come before it.
inline int64_t cut(Rows rows, int64_t part, int64_t parts) {
  const int64_t work = (rows.begins[rows.n] + rows.n) / parts * part;
  int64_t low = 0, high = rows.n;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (rows.begins[middle] + middle < work) low = middle + 1;
    else high = middle;
  }
  return part == parts ? rows.n : low / PART * PART;
}

/// Calls `work` in so many threads with the number of the thread, the number of all, and how they
/// meet. Where no more can be started, those that there are do all.
template <class Work>
void in_threads(int64_t threads, Work work) {
  std::barrier<> meeting(threads);
  const auto meet = [&] { meeting.arrive_and_wait(); };
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  int64_t begun = 1;
  for (; begun < threads; ++begun) {
    try {
      others.emplace_back([&, begun] {
        meet();  // until it is known how many there are
        work(begun, static_cast<int64_t>(others.size()) + 1, meet);
      });
    } catch (...) {  // there is no room for its stack
      break;
    }
  }
  for (int64_t i = begun; i < threads; ++i) meeting.arrive_and_drop();
  meet();
  work(0, begun, meet);
}

}  // namespace lagraph
