// Closures under min.+ over rows that are distributed over the processes of one host, in one array of
// values that all see: an edge lowers the value at its end by compare-and-swap, and marks that end
// for its owner. Vertices below a common bound come first; the others wait until there is none below
// it, and then all move the bound (Meyer and Sanders: Delta-stepping: a parallelizable shortest path
// algorithm, Journal of Algorithms 49, 2003). A sum is rounded edge by edge, as in the rounds that
// define the closure, and no length is negative, so neither the order nor the bound changes the
// result.
//
// Shortest paths from one vertex are one call, in which each process also finds the parents of its
// vertices: the first edge that explains the distance, of a vertex that is nearer.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "barrier.hpp"
#include "common.hpp"

namespace lagraph {
namespace {

// The width doubles if fewer than one in so many of all edges were below the bound.
constexpr double SHARE = 64;

/// What a process tells before a round.
struct Told {
  int64_t frontier, edges;
  double least;
};

template <class T>
T read(const T *at) {
  T value;
  __atomic_load(at, &value, __ATOMIC_RELAXED);
  return value;
}

/// What stays between two calls.
struct State {
  double bound, width, walked, least;
};

/// The own vertices that have changed: a list of those that are next, and marks of others.
struct Changed {
  int32_t *frontier;
  int64_t count;
  uint8_t *waits;
};

template <class T>
struct Lengths {
  const Rows rows;
  const Values<T> length;
  const int64_t n, parts, rank, patience, edges_of_all;
  uint8_t *const memory;
  uint8_t *const waits;
  int32_t *const frontier;
  State &state;
  const Watch watch;
  Barrier barrier;
  int64_t count, meetings = 0, waited = 0, bytes = 0, met = 0;

  Lengths(const CompressedRows &rows, Values<T> length, const Meeting &meeting,
          int64_t edges_of_all, const Changed &changed, State &state, Watch watch)
      : rows(rows), length(length), n(meeting.n), parts(meeting.parts), rank(meeting.rank),
        patience(patience_of(meeting)), edges_of_all(edges_of_all), memory(meeting.memory),
        waits(changed.waits), frontier(changed.frontier), state(state), watch(watch),
        barrier(meeting), count(changed.count) {}

  int64_t each() const { return (n + parts - 1) / parts; }
  Told &told(int64_t r) const {
    return *reinterpret_cast<Told *>(memory + BARRIER_BYTES + ((meetings & 1) * parts + r) * LINE);
  }
  T *values() const { return reinterpret_cast<T *>(memory + BARRIER_BYTES + 2 * parts * LINE); }
  uint8_t *marks(int64_t r) const {
    return memory + BARRIER_BYTES + 2 * parts * LINE + lines(8 * n) + r * lines(each());
  }
  T &value(int64_t place) const { return values()[place * parts + rank]; }

  bool meet() { return barrier.all_come(barrier.arrive(), patience, watch, met, waited); }

  /// A vertex that has changed is in the frontier, or waits.
  void place(int64_t at) {
    const double x = value(at);
    if (x < state.bound) {
      frontier[count++] = static_cast<int32_t>(at);
    } else {
      waits[at] = 1;
      state.least = std::min(state.least, x);
    }
  }

  void push() {
    T *const all = values();
    const auto apart = static_cast<uint32_t>(parts);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t k = frontier[i];
      const T x = read(&value(k));
      for (int64_t e = rows.begins[k]; e < rows.begins[k + 1]; ++e) {
        const auto v = static_cast<uint32_t>(rows.columns[e]);
        const T sum = x + length[e];
        T now = read(all + v);
        bool less = false;
        while (sum < now && !less) {
          T made = sum;
          less = __atomic_compare_exchange(all + v, &now, &made, true, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED);
        }
        if (!less) continue;
        const uint32_t owner = v % apart;
        __atomic_store_n(marks(owner) + v / apart, uint8_t{1}, __ATOMIC_RELAXED);
        if (owner != rank) bytes += sizeof(T) + 1;
      }
    }
  }

  void take_marked() {
    uint8_t *const marked = marks(rank);
    count = 0;
    for (int64_t first = 0; first < rows.n; first += 8) {  // there is room for whole words
      uint64_t word;
      std::memcpy(&word, marked + first, 8);
      if (word == 0) continue;
      std::memset(marked + first, 0, 8);
      for (; word != 0; word &= word - 1) place(first + __builtin_ctzll(word) / 8);
    }
  }

  void move_bound(double least) {
    state.width *= state.walked * SHARE < static_cast<double>(edges_of_all) ? 2 : 1;
    state.walked = 0;
    const double before = state.bound;
    const T next = std::nextafter(static_cast<T>(least), std::numeric_limits<T>::infinity());
    state.bound = std::max(least + state.width, static_cast<double>(next));
    state.least = std::numeric_limits<double>::infinity();
    count = 0;
    for (int64_t at = 0; at < rows.n; ++at) {
      if (!waits[at]) continue;
      waits[at] = 0;
      if (value(at) >= before) place(at);
    }
  }
};

/// The rounds that were done; a line of the log for each, and the start, as in shared_levels.cpp.
template <class T>
int64_t rounds(Lengths<T> &of, const T *start, bool first, int64_t most, int64_t *log,
               int64_t *at_rest, const Depth &deep = NEVER_DEEP) {
  if (!of.meet()) return BROKEN;  // nobody reads what an earlier call has left
  if (first) {
    std::memset(of.marks(of.rank), 0, lines(of.each()));
    for (int64_t at = 0; at < of.rows.n; ++at) of.value(at) = start[at];
  }
  int64_t entries = 0;
  for (int64_t done = 0;;) {
    ++of.meetings;
    Told &mine = of.told(of.rank);
    mine = {of.count, 0, of.state.least};
    for (int64_t i = 0; i < of.count; ++i) mine.edges += of.rows.degree(of.frontier[i]);
    of.bytes += sizeof(Told) * (of.parts - 1);
    if (of.watch.stopped()) of.barrier.give_up();
    if (!of.meet()) return BROKEN;
    int64_t vertices = 0, edges = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int64_t r = 0; r < of.parts; ++r) {
      const Told &theirs = of.told(r);
      vertices += theirs.frontier;
      edges += theirs.edges;
      least = std::min(least, theirs.least);
      if (log != nullptr) log[4 + r] = theirs.frontier;
    }
    if (vertices == 0 && least < std::numeric_limits<double>::infinity()) {
      of.move_bound(least);
      continue;
    }
    if (log != nullptr) {
      log[0] = 0;
      log[1] = of.bytes;
      log[2] = of.met;
      log[3] = of.waited;
      of.bytes = of.met = of.waited = 0;
      log += 4 + of.parts;
    }
    if (vertices == 0 || done == most) {
      *at_rest = vertices == 0;
      return done;
    }
    entries += vertices;
    if (done == deep.rounds && entries < deep.entries) return DEEP;
    ++done;
    of.state.walked += static_cast<double>(edges);
    of.push();
    if (!of.meet()) return BROKEN;
    of.take_marked();
  }
}

/// Whether each own vertex but the source has a parent, or is not reached, and no distance of own
/// vertices is above `highest`.
template <class T>
bool parents_found(const Lengths<T> &of, const Rows &into, const Values<T> &along, int64_t source,
                   double highest, T *distance, int64_t *parent, bool *known) {
  const T *const all = of.values();
  bool found = true;
  for (int64_t at = 0; at < into.n; ++at) {
    const int64_t v = at * of.parts + of.rank;
    const T mine = all[v];
    known[at] = mine < std::numeric_limits<T>::infinity();
    distance[at] = known[at] ? mine : T{0};
    parent[at] = v == source ? source : -1;
    if (!known[at] || v == source) continue;
    for (int64_t e = into.begins[at]; e < into.begins[at + 1] && parent[at] < 0; ++e) {
      const T theirs = all[into.columns[e]];
      if (theirs < mine && theirs + along[e] == mine) parent[at] = into.columns[e];
    }
    found &= parent[at] >= 0 && mine <= highest;
  }
  return found;
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

extern "C" {

int64_t window_of_lengths(const Partition *graph) {
  const auto [n, parts] = *graph;
  const int64_t each = (n + parts - 1) / parts;
  return (BARRIER_BYTES + 2 * parts * LINE + lines(8 * n) + parts * lines(each)) / parts + LINE;
}

int64_t shared_lengths(int type, const CompressedRows *rows, const void *lengths,
                       int64_t lengths_size, const Meeting *meeting, int64_t edges_of_all,
                       bool first, int64_t most, void *values, int64_t own, int32_t *frontier,
                       int64_t, int64_t *count, int64_t, uint8_t *waits, int64_t, double *state,
                       int64_t, int64_t *log, int64_t, int64_t *at_rest, int64_t, int64_t *watch,
                       int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    State kept{.bound = state[0], .width = state[1], .walked = state[2], .least = state[3]};
    const Changed changed{.frontier = frontier, .count = *count, .waits = waits};
    Lengths<T> of(*rows, Values<T>(lengths, lengths_size), *meeting, edges_of_all, changed, kept,
                  Watch(watch));
    T *const mine = static_cast<T *>(values);
    const int64_t done = rounds<T>(of, mine, first, most, log, at_rest);
    if (done == BROKEN) return done;
    for (int64_t at = 0; at < own; ++at) mine[at] = of.value(at);
    *count = of.count;
    state[0] = kept.bound;
    state[1] = kept.width;
    state[2] = kept.walked;
    state[3] = kept.least;
    return done;
  };
  return with_float(type, run);
}

int64_t shared_paths(int type, const CompressedRows *rows, const void *lengths,
                     int64_t lengths_size, const CompressedRows *back, const void *along,
                     int64_t along_size, const Meeting *meeting, int64_t edges_of_all, double width,
                     double highest, const Depth *deep, int64_t source, void *distance, int64_t own,
                     int64_t *parent, int64_t, bool *known, int64_t, int64_t *traffic, int64_t,
                     int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const int64_t parts = meeting->parts, rank = meeting->rank;
    std::vector<int32_t> frontier(own);
    std::vector<uint8_t> waits(own);
    std::vector<T> start(own, std::numeric_limits<T>::infinity());
    int64_t count = 0, at_rest = 0;
    if (source % parts == rank) {
      start[source / parts] = 0;
      frontier[count++] = static_cast<int32_t>(source / parts);
    }
    State state{.bound = width, .width = width, .walked = 0,
                .least = std::numeric_limits<double>::infinity()};
    const Changed changed{.frontier = frontier.data(), .count = count, .waits = waits.data()};
    Lengths<T> of(*rows, Values<T>(lengths, lengths_size), *meeting, edges_of_all, changed, state,
                  Watch(watch));
    const int64_t done = rounds<T>(of, start.data(), true, std::numeric_limits<int64_t>::max(),
                                   nullptr, &at_rest, *deep);
    if (done < 0) return done;
    const bool mine = parents_found<T>(of, Rows(*back), Values<T>(along, along_size), source,
                                       highest, static_cast<T *>(distance), parent, known);
    ++of.meetings;
    of.told(rank) = {!mine, 0, 0.0};
    if (!of.meet()) return BROKEN;
    bool all = true;
    for (int64_t r = 0; r < parts; ++r) all &= of.told(r).frontier == 0;
    if (!all) return NO_FOREST;
    traffic[0] = of.bytes;
    traffic[1] = of.met;
    traffic[2] = of.waited;
    return std::count(known, known + own, true);
  };
  return guarded([&] { return with_float(type, run); });
}

}  // extern "C"
