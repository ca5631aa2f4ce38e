// A level of a breadth-first search over rows that are distributed over processes: of so many parts,
// number r has the rows r, r + parts, r + 2 · parts, …; row i is at place i div parts. Between these
// loops the processes exchange bitmaps and lists.
#include "common.hpp"

namespace lagraph {
namespace {

/// What one process knows of its own vertices, and where those go that it finds.
struct Reached {
  int32_t *level, *before, *next;
  int32_t round;
  const int64_t *begins;
  int64_t count = 0, edges = 0;

  void take(int64_t place, int32_t tail) {
    level[place] = round;
    before[place] = tail;
    next[count++] = static_cast<int32_t>(place);
    edges += begins[place + 1] - begins[place];
  }
};

/// Entries as lists, one for each process: of entry i the place of `found(i)` with that process, and
/// `value(i)`. `counts` says how many are in each.
template <class Found, class Value, class T>
void deal(int64_t count, int64_t parts, const int64_t *counts, Found found, Value value,
          int32_t *places, T *values) {
  const auto apart = static_cast<uint32_t>(parts);
  std::vector<int64_t> at(parts, 0);
  for (int64_t r = 1; r < parts; ++r) at[r] = at[r - 1] + counts[r - 1];
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t v = found(i);
    const int64_t to = at[v % apart]++;
    places[to] = static_cast<int32_t>(v / apart);
    values[to] = value(i);
  }
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

extern "C" {

int64_t push_to_owners(const CompressedRows *compressed, const OwnRows *own,
                       const int32_t *frontier, int64_t frontier_size, uint8_t *seen, int64_t,
                       int32_t *places, int64_t, int32_t *tails, int64_t, int64_t *counts,
                       int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    const auto [parts, rank] = *own;
    const auto apart = static_cast<uint32_t>(parts);
    std::vector<uint32_t> found;
    std::vector<int32_t> from;
    for (int64_t i = 0; i < frontier_size; ++i) {
      const int64_t k = frontier[i];
      for (int64_t e = rows.begins[k]; e < rows.begins[k + 1]; ++e) {
        const auto v = static_cast<uint32_t>(rows.columns[e]);
        if (seen[v]) continue;
        seen[v] = 1;
        found.push_back(v);
        from.push_back(static_cast<int32_t>(k * parts + rank));
        ++counts[v % apart];
      }
    }
    const auto count = static_cast<int64_t>(found.size());
    deal(count, parts, counts, [&](int64_t i) { return found[i]; },
         [&](int64_t i) { return from[i]; }, places, tails);
    return count;
  });
}

int64_t take_found(const Queue *next, int64_t round, const int32_t *places, int64_t places_size,
                   const int32_t *tails, int64_t, const int64_t *begins, int64_t, int32_t *level,
                   int64_t, int32_t *before, int64_t, int64_t *edges, int64_t) {
  Reached reached{level, before, next->vertices, static_cast<int32_t>(round), begins,
                  next->length, *edges};
  for (int64_t i = 0; i < places_size; ++i)
    if (level[places[i]] < 0) reached.take(places[i], tails[i]);
  *edges = reached.edges;
  return reached.count;
}

int64_t pull_from_all(const CompressedRows *back, const OwnRows *own, int64_t round,
                      const uint8_t *gathered, int64_t gathered_size, const int64_t *begins,
                      int64_t, uint8_t *seen, int64_t seen_size, int32_t *level, int64_t,
                      int32_t *before, int64_t, int32_t *next, int64_t, int64_t *edges, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*back);
    const int64_t parts = own->parts;
    std::vector<uint8_t> front(seen_size / 8 + 1, 0);
    const int64_t each = gathered_size / parts;
    for (int64_t at = 0; at < gathered_size; ++at) {
      const int64_t first = (at % each) * 8;
      for (unsigned left = gathered[at]; left != 0; left &= left - 1) {
        const int64_t u = (first + __builtin_ctz(left)) * parts + at / each;
        front[u >> 3] |= static_cast<uint8_t>(1u << (u & 7));
        seen[u] = 1;
      }
    }
    Reached reached{level, before, next, static_cast<int32_t>(round), begins, 0, 0};
    for (int64_t place = 0; place < rows.n; ++place) {
      if (level[place] >= 0) continue;
      for (int64_t e = rows.begins[place]; e < rows.begins[place + 1]; ++e) {
        const int32_t u = rows.columns[e];
        if (front[u >> 3] >> (u & 7) & 1) {
          reached.take(place, u);
          break;
        }
      }
    }
    *edges = reached.edges;
    return reached.count;
  });
}

// `sent` has the least sum that this process has found for each vertex so far, and `round_of` the
// round of it.
int64_t sums_to_owners(int type, const CompressedRows *compressed, const void *lengths,
                       int64_t lengths_size, const OwnRows *own, int64_t round,
                       const int32_t *frontier, int64_t frontier_size, const void *values, int64_t,
                       void *sent, int64_t, int32_t *round_of, int64_t, int32_t *places, int64_t,
                       void *sums, int64_t, int64_t *counts, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*compressed);
    const int64_t parts = own->parts;
    const Values<T> length(lengths, lengths_size);
    const T *const value = static_cast<const T *>(values);
    T *const least = static_cast<T *>(sent);
    const auto apart = static_cast<uint32_t>(parts);
    std::vector<uint32_t> found;
    for (int64_t i = 0; i < frontier_size; ++i) {
      const int64_t k = frontier[i];
      for (int64_t e = rows.begins[k]; e < rows.begins[k + 1]; ++e) {
        const auto v = static_cast<uint32_t>(rows.columns[e]);
        const T sum = value[k] + length[e];
        if (!(sum < least[v])) continue;
        least[v] = sum;
        if (round_of[v] == round) continue;
        round_of[v] = static_cast<int32_t>(round);
        found.push_back(v);
        ++counts[v % apart];
      }
    }
    const auto count = static_cast<int64_t>(found.size());
    deal(count, parts, counts, [&](int64_t i) { return found[i]; },
         [&](int64_t i) { return least[found[i]]; }, places, static_cast<T *>(sums));
    return count;
  };
  return guarded([&] { return with_float(type, run); });
}

int64_t take_less(int type, const Queue *next, int64_t round, const int32_t *places,
                  int64_t places_size, const void *sums, int64_t, void *values, int64_t,
                  int32_t *level, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    int64_t count = next->length;
    const T *const sum = static_cast<const T *>(sums);
    T *const value = static_cast<T *>(values);
    for (int64_t i = 0; i < places_size; ++i) {
      const int32_t place = places[i];
      if (!(sum[i] < value[place])) continue;
      value[place] = sum[i];
      if (level[place] == round) continue;
      level[place] = static_cast<int32_t>(round);
      next->vertices[count++] = place;
    }
    return count;
  };
  return with_float(type, run);
}

int64_t tight_tails(int type, const CompressedRows *back, const void *lengths, int64_t lengths_size,
                    const OwnRows *own, const void *distance, int64_t, const bool *known, int64_t,
                    int64_t *tail, int64_t) {
  return with_type(type, [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*back);
    const auto [parts, rank] = *own;
    const Values<T> length(lengths, lengths_size);
    const T *const value = static_cast<const T *>(distance);
    for (int64_t place = 0; place < rows.n; ++place) {
      const int64_t v = place * parts + rank;
      if (!known[v]) continue;
      for (int64_t e = rows.begins[place]; e < rows.begins[place + 1]; ++e) {
        const int32_t u = rows.columns[e];
        const T sum = value[u] + length[e];
        if (known[u] && sum == value[v] && value[u] < value[v]) {
          tail[place] = u;
          break;
        }
      }
    }
    return 0;
  });
}

}  // extern "C"
