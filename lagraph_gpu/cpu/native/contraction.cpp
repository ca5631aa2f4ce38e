// Tables of distances over a contraction: an upward and a downward sweep.
//
// Some searches run together in lanes, and the distances of a vertex from their sources lie side by
// side in `x`, so that an arc is read once for all of them. On the way up a vertex pushes along its
// arcs if one of the searches has reached it. The way down is a pull, only for those vertices that
// the targets need.
#include <algorithm>
#include <limits>

#include "common.hpp"

namespace lagraph {
namespace {

/// The usual number of lanes, for which the compiler unrolls the loop over them.
constexpr int64_t LANES = 16;

/// to = min(to, from + length), lane by lane.
template <class T>
inline void relax(T *__restrict to, const T *__restrict from, T length, int64_t lanes) {
  const auto lane_by_lane = [&](int64_t count) {
    for (int64_t lane = 0; lane < count; ++lane) {
      const T candidate = from[lane] + length;
      to[lane] = candidate < to[lane] ? candidate : to[lane];
    }
  };
  if (lanes == LANES)
    lane_by_lane(LANES);
  else
    lane_by_lane(lanes);
}

template <class T, class To>
To entry(T distance, int64_t max_distance) {
  return distance <= max_distance ? static_cast<To>(distance) : std::numeric_limits<To>::infinity();
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// The eliminated vertices, in order, from which downward arcs lead to one of these places.
int64_t ancestors(const CompressedRows *arcs, const int32_t *at, int64_t at_size, int32_t *found,
                  int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*arcs);
    std::vector<bool> needed(rows.n);
    for (int64_t i = 0; i < at_size; ++i)
      if (at[i] < rows.n) needed[at[i]] = true;
    int64_t count = 0;
    for (int64_t v = 0; v < rows.n; ++v) {
      if (!needed[v]) continue;
      found[count++] = v;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
        if (rows.columns[e] < rows.n) needed[rows.columns[e]] = true;
    }
    return count;
  });
}

// Writes to x the lengths of the shortest upward paths from one start in each lane. `reached` marks
// the vertices with such a path in any lane.
int64_t upward_sweep(int type, const CompressedRows *arcs, const void *lengths,
                     int64_t lengths_size, const int32_t *starts, int64_t starts_size,
                     const TableSweep *sweep, void *x, int64_t, bool *reached,
                     int64_t reached_size) {
  return with_signed(type, [&](auto type_of_lengths) -> int64_t {
    using T = typename decltype(type_of_lengths)::type;
    const Rows rows(*arcs);
    const int64_t lanes = sweep->lanes;
    const T never = static_cast<T>(sweep->never);
    const Values<T> length(lengths, lengths_size);
    const auto row = [&](int64_t v) { return static_cast<T *>(x) + v * lanes; };
    const auto reach = [&](int64_t v) {
      if (reached[v]) return;
      reached[v] = true;
      std::fill_n(row(v), lanes, never);
    };
    std::fill_n(reached, reached_size, false);
    for (int64_t lane = 0; lane < starts_size; ++lane) {
      reach(starts[lane]);
      row(starts[lane])[lane] = 0;
    }
    for (int64_t v = 0; v < rows.n; ++v) {
      if (!reached[v]) continue;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
        reach(rows.columns[e]);
        relax(row(rows.columns[e]), row(v), length[e], lanes);
      }
    }
    return 0;
  });
}

// Multiplies the part of x that belongs to the core by the core's table of distances, under min.+.
int64_t core_product(int type, const void *core, int64_t core_size, const TableSweep *sweep,
                     void *x, int64_t x_size, const bool *reached, int64_t) {
  return with_signed(type, [&](auto type_of_lengths) {
    using T = typename decltype(type_of_lengths)::type;
    return guarded([&]() -> int64_t {
      const int64_t lanes = sweep->lanes;
      int64_t count = 0;
      while (count * count < core_size) ++count;
      const int64_t first = x_size / lanes - count;
      T *const part = static_cast<T *>(x) + first * lanes;
      std::vector<T> made(count * lanes, sweep->never);
      for (int64_t i = 0; i < count; ++i) {
        if (!reached[first + i]) continue;
        for (int64_t j = 0; j < count; ++j)
          relax(made.data() + j * lanes, part + i * lanes,
                static_cast<const T *>(core)[i * count + j], lanes);
      }
      std::copy(made.begin(), made.end(), part);
      return 0;
    });
  });
}

// Writes to x the distances of the wanted vertices, from those of the vertices above them.
int64_t downward_sweep(int type, const CompressedRows *arcs, const void *lengths,
                       int64_t lengths_size, const int32_t *wanted, int64_t wanted_size,
                       const TableSweep *sweep, void *x, int64_t, const bool *reached, int64_t) {
  return with_signed(type, [&](auto type_of_lengths) -> int64_t {
    using T = typename decltype(type_of_lengths)::type;
    const Rows rows(*arcs);
    const int64_t lanes = sweep->lanes;
    const Values<T> length(lengths, lengths_size);
    const auto row = [&](int64_t v) { return static_cast<T *>(x) + v * lanes; };
    for (int64_t i = wanted_size - 1; i >= 0; --i) {
      const int64_t v = wanted[i];
      if (!reached[v]) std::fill_n(row(v), lanes, static_cast<T>(sweep->never));
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
        relax(row(v), row(rows.columns[e]), length[e], lanes);
    }
    return 0;
  });
}

// Writes the first lanes of x as rows of the table, as many as it has, in the order of `at`, in
// tiles of 64 columns.
int64_t table_rows(const TableSweep *sweep, int type, const void *x, int64_t, const int32_t *at,
                   int64_t at_size, int type_of_rows, void *rows, int64_t rows_size) {
  constexpr int64_t TILE = 64;
  const int64_t lanes = sweep->lanes, max_distance = sweep->max_distance;
  return with_signed(type, [&](auto type_of_lengths) {
    using T = typename decltype(type_of_lengths)::type;
    return with_float(type_of_rows, [&](auto type_of_entries) -> int64_t {
      using To = typename decltype(type_of_entries)::type;
      To *const to = static_cast<To *>(rows);
      const int64_t count = at_size == 0 ? 0 : rows_size / at_size;
      for (int64_t first = 0; first < at_size; first += TILE)
        for (int64_t lane = 0; lane < count; ++lane)
          for (int64_t t = first; t < std::min(first + TILE, at_size); ++t)
            to[lane * at_size + t] =
                entry<T, To>(static_cast<const T *>(x)[at[t] * lanes + lane], max_distance);
      return 0;
    });
  });
}

// Writes single entries of x to their places in the answer.
int64_t table_pairs(const TableSweep *sweep, int type, const void *x, int64_t, const int32_t *at,
                    int64_t at_size, const int64_t *lane, int64_t, const int64_t *place, int64_t,
                    int type_of_out, void *out, int64_t) {
  const int64_t lanes = sweep->lanes, max_distance = sweep->max_distance;
  return with_signed(type, [&](auto type_of_lengths) {
    using T = typename decltype(type_of_lengths)::type;
    return with_float(type_of_out, [&](auto type_of_entries) -> int64_t {
      using To = typename decltype(type_of_entries)::type;
      for (int64_t k = 0; k < at_size; ++k)
        static_cast<To *>(out)[place[k]] =
            entry<T, To>(static_cast<const T *>(x)[at[k] * lanes + lane[k]], max_distance);
      return 0;
    });
  });
}
