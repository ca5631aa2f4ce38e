// Levels of a breadth-first search over rows that are distributed over the processes of one host, in
// one call of each: of so many parts, number r has the rows r, r + parts, r + 2 · parts, …; row i is
// at place i div parts.
//
// A search from one vertex is one call with all that it needs; other closures have a log of their
// rounds and end after some, so that they can go elsewhere.
//
// Each process has a window of the memory that all of them see. It writes there, and the others read
// it after the next meeting (barrier.hpp). Before a level all meet and read how many vertices each
// has in the frontier, and how many edges leave these. From that all decide alike. In a pull each
// vertex then looks for a neighbour in the bitmaps of the frontier, which are there already. In a
// push each process writes what it finds into a list for each owner; then all meet once more. Between
// its arrival there and the meeting it takes what it has found for itself.
#include <algorithm>
#include <cstring>

#include "barrier.hpp"
#include "common.hpp"
#include "owners.hpp"

namespace lagraph {
namespace {

/// Bits of positions that one process writes while others read them.
struct Bits {
  uint64_t *words;

  bool operator[](uint32_t i) const {
    return __atomic_load_n(words + (i >> 6), __ATOMIC_RELAXED) >> (i & 63) & 1;
  }
  void set(uint32_t i) const {
    uint64_t *const word = words + (i >> 6);
    __atomic_store_n(word, *word | uint64_t{1} << (i & 63), __ATOMIC_RELAXED);
  }
};

/// Where everything lies in the window of a process.
struct Layout {
  int64_t each, words, counts, found, reached, fronts, places, tails, size;

  Layout(int64_t n, int64_t parts)
      : each((n + parts - 1) / parts),
        words((each + 63) / 64),
        counts(BARRIER_BYTES),
        found(counts + 2 * LINE),
        reached(found + lines(8 * parts)),
        fronts(reached + lines(8 * words)),
        places(fronts + 2 * lines(8 * words)),
        tails(places + lines(4 * each * parts)),
        size(tails + lines(4 * each * parts)) {}
};

struct Window {
  const Layout &at;
  uint8_t *const memory;

  /// How many vertices of the frontier the process has, and edges that leave them.
  int64_t *counts(int64_t meeting) const {
    return reinterpret_cast<int64_t *>(memory + at.counts + (meeting & 1) * LINE);
  }
  int64_t *found() const { return reinterpret_cast<int64_t *>(memory + at.found); }
  Bits reached() const { return {reinterpret_cast<uint64_t *>(memory + at.reached)}; }
  Bits front(int64_t meeting) const {
    const int64_t skipped = (meeting & 1) * lines(8 * at.words);
    return {reinterpret_cast<uint64_t *>(memory + at.fronts + skipped)};
  }
  int32_t *places(int64_t owner) const {
    return reinterpret_cast<int32_t *>(memory + at.places) + owner * at.each;
  }
  int32_t *tails(int64_t owner) const {
    return reinterpret_cast<int32_t *>(memory + at.tails) + owner * at.each;
  }
};

/// What one process writes in one call, of `own` vertices. The frontier is a list of own places; a
/// search begins with what is in `next`.
struct Arrays {
  int32_t *level, *before, *frontier, *next;
  uint64_t *sent;  // what this process has found for each owner
  int64_t own;
};

/// One process in one call.
struct Levels {
  const Layout at;
  const Owners owners;
  const int64_t parts, rank, patience;
  const int64_t *begins, *back, *degrees;
  const int32_t *columns, *across;
  const Watch watch;
  int32_t *level, *before, *frontier, *next;
  uint64_t *const sent;
  const int64_t own;
  Barrier barrier;
  std::vector<Window> windows;
  int64_t count = 0, edges = 0, meetings = 0;
  int64_t taken = 0, taken_edges = 0;
  int64_t waited = 0, bytes = 0, met = 0;  // for the log, or in all

  Levels(const CompressedRows &rows, const CompressedRows &into, const Meeting &meeting,
         const Arrays &arrays, Watch watch)
      : at(meeting.n, meeting.parts), owners(meeting.parts), parts(meeting.parts),
        rank(meeting.rank), patience(patience_of(meeting)),
        begins(rows.begins_size > 0 ? rows.begins : nullptr),
        back(into.begins_size > 0 ? into.begins : nullptr),
        degrees(begins != nullptr ? begins : back), columns(rows.columns), across(into.columns),
        watch(watch), level(arrays.level), before(arrays.before), frontier(arrays.frontier),
        next(arrays.next), sent(arrays.sent), own(arrays.own), barrier(meeting) {
    const int64_t window = meeting.memory_size / parts;
    for (int64_t r = 0; r < parts; ++r) windows.push_back({at, meeting.memory + r * window});
  }
  Levels(const Levels &) = delete;  // windows refer to `at`

  bool wait(uint64_t arrived) { return barrier.all_come(arrived, patience, watch, met, waited); }
  bool meet() { return wait(barrier.arrive()); }

  void take(int64_t place, int32_t tail, int32_t round) {
    level[place] = round;
    before[place] = tail;
    next[taken++] = static_cast<int32_t>(place);
    taken_edges += degrees[place + 1] - degrees[place];
  }
  void take_from(int64_t sender, int32_t round) {
    const int32_t *const places = windows[sender].places(rank);
    const int32_t *const tails = windows[sender].tails(rank);
    const Bits reached = windows[rank].reached();
    for (int64_t i = 0; i < windows[sender].found()[rank]; ++i) {
      if (level[places[i]] >= 0) continue;
      reached.set(static_cast<uint32_t>(places[i]));
      take(places[i], tails[i], round);
    }
  }

  bool push(int32_t round) {
    std::vector<int64_t> found(parts, 0);
    std::vector<Bits> reached;
    for (const Window &window : windows) reached.push_back(window.reached());
    for (int64_t i = 0; i < count; ++i) {
      const int64_t k = frontier[i];
      for (int64_t e = begins[k]; e < begins[k + 1]; ++e) {
        const auto v = static_cast<uint32_t>(columns[e]);
        const uint32_t place = owners.place(v), owner = owners.owner(v, place);
        const Bits known{sent + owner * at.words};
        if (reached[owner][place] || known[place]) continue;
        known.set(place);
        const int64_t to = found[owner]++;
        windows[rank].places(owner)[to] = static_cast<int32_t>(place);
        windows[rank].tails(owner)[to] = static_cast<int32_t>(k * parts + rank);
      }
    }
    for (int64_t r = 0; r < parts; ++r) {
      windows[rank].found()[r] = found[r];
      if (r != rank) bytes += found[r] * 8;
    }
    const uint64_t arrived = barrier.arrive();
    take_from(rank, round);
    if (!wait(arrived)) return false;
    for (int64_t r = 0; r < parts; ++r)
      if (r != rank) take_from(r, round);
    return true;
  }

  void pull(int32_t round) {
    std::vector<Bits> front;
    for (const Window &window : windows) front.push_back(window.front(meetings));
    const Bits reached = windows[rank].reached();
    for (int64_t first = 0; first < own; first += 64) {
      uint64_t open = ~reached.words[first >> 6];
      if (own - first < 64) open &= (uint64_t{1} << (own - first)) - 1;
      for (; open != 0; open &= open - 1) {
        const int64_t place = first + __builtin_ctzll(open);
        for (int64_t e = back[place]; e < back[place + 1]; ++e) {
          const auto u = static_cast<uint32_t>(across[e]);
          const uint32_t at_owner = owners.place(u);
          if (!front[owners.owner(u, at_owner)][at_owner]) continue;
          take(place, across[e], round);
          break;
        }
      }
    }
    for (int64_t i = 0; i < taken; ++i) reached.set(static_cast<uint32_t>(next[i]));
    bytes += (at.each + 7) / 8 * (parts - 1);
  }

  /// What has been found becomes the frontier, which the others read after the next meeting.
  void publish() {
    ++meetings;
    std::swap(frontier, next);
    count = taken;
    edges = taken_edges;
    taken = taken_edges = 0;
    int64_t *const counts = windows[rank].counts(meetings);
    counts[0] = count;
    counts[1] = edges;
    bytes += 16 * (parts - 1);
    if (back == nullptr) return;
    const Bits front = windows[rank].front(meetings);
    std::memset(front.words, 0, 8 * at.words);
    for (int64_t i = 0; i < count; ++i) front.set(static_cast<uint32_t>(frontier[i]));
  }

  /// The rounds that were done, BROKEN, or DEEP after as many rounds with few entries. A line of the
  /// log, if there is one, has the entries of the frontier on each process, and of the round before
  /// it: whether it was a pull, what was sent, the meetings, and the nanoseconds that this process
  /// has waited.
  int64_t run(const LevelRounds &rounds, int64_t *log, int64_t *at_rest,
              const Depth &deep = NEVER_DEEP) {
    const auto [before_them, most, threshold] = rounds;
    const Bits reached = windows[rank].reached();
    if (!meet()) return BROKEN;  // nobody reads what an earlier call has left
    std::memset(reached.words, 0, 8 * at.words);
    for (int64_t place = 0; place < own; ++place)
      if (level[place] >= 0) reached.set(static_cast<uint32_t>(place));
    bool pulled = false;
    int64_t entries = 0;
    for (int64_t done = 0;; ++done) {
      publish();
      if (!meet()) return BROKEN;
      int64_t vertices = 0, leaving = 0;
      for (int64_t r = 0; r < parts; ++r) {
        const int64_t *const counts = windows[r].counts(meetings);
        vertices += counts[0];
        leaving += counts[1];
        if (log != nullptr) log[4 + r] = counts[0];
      }
      if (log != nullptr) {
        log[0] = pulled;
        log[1] = bytes;
        log[2] = met;
        log[3] = waited;
        bytes = met = waited = 0;
        log += 4 + parts;
      }
      if (watch.stopped()) barrier.give_up();
      if (vertices == 0 || done == most) {
        *at_rest = vertices == 0;
        return done;
      }
      entries += vertices;
      if (done == deep.rounds && entries < deep.entries) return DEEP;
      pulled = begins == nullptr || (back != nullptr && leaving > threshold);
      const auto next_round = static_cast<int32_t>(before_them + done + 1);
      if (pulled) pull(next_round);
      else if (!push(next_round)) return BROKEN;
    }
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

extern "C" {

int64_t shared_search(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, const LevelRounds *rounds, const Depth *deep,
                      int64_t source, int32_t *level, int64_t own, int64_t *parent, int64_t,
                      bool *known, int64_t, int64_t *traffic, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const int64_t parts = meeting->parts;
    std::vector<int32_t> before(own), frontier(own), next(own);
    std::vector<uint64_t> sent(parts * Layout(meeting->n, parts).words);
    const Arrays arrays{.level = level, .before = before.data(), .frontier = frontier.data(),
                        .next = next.data(), .sent = sent.data(), .own = own};
    Levels levels(*rows, *back, *meeting, arrays, Watch(watch));
    std::fill_n(level, own, -1);
    if (source % parts == meeting->rank)
      levels.take(source / parts, static_cast<int32_t>(source), 0);
    int64_t at_rest = 0;
    const int64_t done = levels.run(*rounds, nullptr, &at_rest, *deep);
    if (done < 0) return done;
    int64_t reached = 0;
    for (int64_t place = 0; place < own; ++place) {
      known[place] = level[place] >= 0;
      reached += known[place];
      parent[place] = known[place] ? before[place] : 0;
    }
    traffic[0] = levels.bytes;
    traffic[1] = levels.met;
    traffic[2] = levels.waited;
    return reached;
  });
}

int64_t window_of_levels(const Partition *graph) {
  return Layout(graph->n, graph->parts).size;
}

int64_t shared_levels(const CompressedRows *rows, const CompressedRows *back,
                      const Meeting *meeting, const LevelRounds *rounds, int32_t *level,
                      int64_t own, int32_t *before, int64_t, int32_t *frontier, int64_t count,
                      int32_t *next, int64_t, uint64_t *sent, int64_t, int64_t *log, int64_t,
                      int64_t *at_rest, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Arrays arrays{.level = level, .before = before, .frontier = next, .next = frontier,
                        .sent = sent, .own = own};
    Levels levels(*rows, *back, *meeting, arrays, Watch(watch));
    for (int64_t i = 0; i < count; ++i)
      levels.taken_edges += levels.degrees[frontier[i] + 1] - levels.degrees[frontier[i]];
    levels.taken = count;
    return levels.run(*rounds, log, at_rest);
  });
}

}  // extern "C"
