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

}  // namespace
}  // namespace lagraph

using namespace lagraph;

extern "C" {

int64_t push_to_owners(const int32_t *frontier, int64_t frontier_size, const int64_t *begins,
                       int64_t, const int32_t *columns, int64_t, int64_t parts, int64_t rank,
                       uint8_t *seen, int64_t, int32_t *places, int64_t, int32_t *tails, int64_t,
                       int64_t *counts, int64_t) {
  return guarded([&]() -> int64_t {
    const auto apart = static_cast<uint32_t>(parts);
    std::vector<uint32_t> found;
    std::vector<int32_t> from;
    for (int64_t i = 0; i < frontier_size; ++i) {
      const int64_t k = frontier[i];
      for (int64_t e = begins[k]; e < begins[k + 1]; ++e) {
        const auto v = static_cast<uint32_t>(columns[e]);
        if (seen[v]) continue;
        seen[v] = 1;
        found.push_back(v);
        from.push_back(static_cast<int32_t>(k * parts + rank));
        ++counts[v % apart];
      }
    }
    std::vector<int64_t> at(parts, 0);
    for (int64_t r = 1; r < parts; ++r) at[r] = at[r - 1] + counts[r - 1];
    for (std::size_t i = 0; i < found.size(); ++i) {
      const int64_t to = at[found[i] % apart]++;
      places[to] = static_cast<int32_t>(found[i] / apart);
      tails[to] = from[i];
    }
    return static_cast<int64_t>(found.size());
  });
}

int64_t take_found(const int32_t *places, int64_t places_size, const int32_t *tails, int64_t,
                   int64_t round, const int64_t *begins, int64_t, int32_t *level, int64_t,
                   int32_t *before, int64_t, int32_t *next, int64_t, int64_t count,
                   int64_t *edges, int64_t) {
  Reached reached{level, before, next, static_cast<int32_t>(round), begins, count, *edges};
  for (int64_t i = 0; i < places_size; ++i)
    if (level[places[i]] < 0) reached.take(places[i], tails[i]);
  *edges = reached.edges;
  return reached.count;
}

int64_t pull_from_all(const int64_t *back, int64_t back_size, const int32_t *across, int64_t,
                      const uint8_t *gathered, int64_t gathered_size, int64_t parts, int64_t round,
                      const int64_t *begins, int64_t, uint8_t *seen, int64_t seen_size,
                      int32_t *level, int64_t, int32_t *before, int64_t, int32_t *next, int64_t,
                      int64_t *edges, int64_t) {
  return guarded([&]() -> int64_t {
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
    for (int64_t place = 0; place + 1 < back_size; ++place) {
      if (level[place] >= 0) continue;
      for (int64_t e = back[place]; e < back[place + 1]; ++e) {
        const int32_t u = across[e];
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

}  // extern "C"
