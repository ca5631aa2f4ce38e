// Breadth-first searches from many sources that go in step, and sums of their distances.
//
// Each search is a bit (a lane) of the words of a vertex, so one look at an edge serves all searches
// whose frontiers hold its tail (Then et al.: The more the merrier, VLDB 2014). A round pushes from
// the vertices of the frontier, or each vertex that some search has not reached looks along its
// in-edges until there is no such search.
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "common.hpp"

using namespace lagraph;

namespace {

constexpr int64_t BITS = 64;

template <int W>
struct Lanes {
  std::array<uint64_t, W> word{};

  bool any() const {
    uint64_t all = 0;
    for (const uint64_t w : word) all |= w;
    return all != 0;
  }
  int64_t count() const {
    int64_t bits = 0;
    for (const uint64_t w : word) bits += std::popcount(w);
    return bits;
  }
  Lanes &operator|=(const Lanes &other) {
    for (int i = 0; i < W; ++i) word[i] |= other.word[i];
    return *this;
  }
  Lanes without(const Lanes &other) const {
    Lanes rest;
    for (int i = 0; i < W; ++i) rest.word[i] = word[i] & ~other.word[i];
    return rest;
  }
};

/// Searches of one batch. `found(v, lanes, level)` gets each vertex with the searches that reach it
/// in a round; `round_ends(level)` follows the last one.
template <int W>
class Together {
  const Rows rows, transpose;
  const int64_t entries;
  const Watch watch;
  Lanes<W> *const seen, *front, *next;
  std::vector<int32_t> frontier, touched, reached;

  template <class Found>
  void push(const Found &found) {
    for (const int32_t v : frontier) {
      const Lanes<W> here = front[v];
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
        const int32_t u = rows.columns[e];
        const Lanes<W> fresh = here.without(seen[u]);
        if (!fresh.any()) continue;
        if (!next[u].any()) touched.push_back(u);
        next[u] |= fresh;
      }
    }
    for (const int32_t u : touched) take(u, found);
  }

  template <class Found>
  void pull(const Lanes<W> &all, const Found &found) {
    for (int32_t u = 0; u < rows.n; ++u) {
      const Lanes<W> missing = all.without(seen[u]);
      if (!missing.any()) continue;
      Lanes<W> arrived;
      for (int64_t e = transpose.begins[u]; e < transpose.begins[u + 1]; ++e) {
        arrived |= front[transpose.columns[e]];
        if (!missing.without(arrived).any()) break;
      }
      next[u] = arrived.without(seen[u]);
      if (!next[u].any()) continue;
      touched.push_back(u);
      take(u, found);
    }
  }

  template <class Found>
  void take(int32_t u, const Found &found) {
    if (!seen[u].any()) reached.push_back(u);
    seen[u] |= next[u];
    found(u, next[u]);
  }

 public:
  /// `room` holds zeros, W words for each vertex three times.
  Together(const Rows &rows, int64_t entries, const Rows &transpose, uint64_t *room, Watch watch)
      : rows(rows), transpose(transpose), entries(entries), watch(watch),
        seen(reinterpret_cast<Lanes<W> *>(room)), front(seen + rows.n), next(front + rows.n) {}

  template <class Found, class RoundEnds>
  void run(const int64_t *sources, int64_t count, const Found &found, const RoundEnds &ends) {
    Lanes<W> all;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t v = sources[i];
      if (!seen[v].any()) {
        frontier.push_back(v);
        reached.push_back(v);
      }
      for (auto *const lanes : {&all, &front[v], &seen[v]})
        lanes->word[i / BITS] |= uint64_t{1} << i % BITS;
    }
    for (int64_t level = 1; !frontier.empty() && !watch.stopped(); ++level) {
      int64_t edges = 0;
      for (const int32_t v : frontier) edges += rows.degree(v);
      const auto at_level = [&](int32_t u, const Lanes<W> &lanes) { found(u, lanes, level); };
      if (transpose.n == rows.n && edges * PULL_SHARE > entries)
        pull(all, at_level);
      else
        push(at_level);
      ends(level);
      for (const int32_t v : frontier) front[v] = {};
      std::swap(front, next);
      std::swap(frontier, touched);
      touched.clear();
    }
    for (const int32_t v : frontier) front[v] = {};
    for (const int32_t v : reached) seen[v] = {};
    frontier.clear();
    reached.clear();
  }

  static constexpr int64_t PULL_SHARE = 4;
};

/// Calls `loop` with the number of words of a vertex, for which there is room three times.
template <class Loop>
int64_t with_words(int64_t room_size, int64_t n, Loop loop) {
  const auto run = [&](auto width) {
    return guarded([&]() -> int64_t { return loop(width, BITS * decltype(width)::value); });
  };
  switch (n ? room_size / (3 * n) : 1) {
    case 8: return run(std::integral_constant<int, 8>());
    case 4: return run(std::integral_constant<int, 4>());
    default: return run(std::integral_constant<int, 1>());
  }
}

}  // namespace

// Writes the places of the sources in an order in which those of a batch lie near each other: each
// batch is what a search over vertices without a batch meets first, from one beside an earlier batch.
int64_t nearby_order(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                     const int64_t *sources, int64_t sources_size, int64_t batch, int64_t *order,
                     int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    std::vector<int32_t> place(rows.n, -1), met(rows.n, -1), queue, beside;
    std::vector<bool> passed(rows.n);
    for (int64_t i = 0; i < sources_size; ++i) place[sources[i]] = i;
    size_t head = 0, next_beside = 0;
    int64_t count = 0, next_source = 0;
    int32_t number = 0;
    const auto meet = [&](int32_t v) {
      if (passed[v] || met[v] == number) return;
      met[v] = number;
      queue.push_back(v);
    };
    while (count < sources_size && !Watch(watch).stopped()) {
      while (head == queue.size())
        meet(next_beside < beside.size() ? beside[next_beside++] : sources[next_source++]);
      const int32_t v = queue[head++];
      passed[v] = true;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) meet(columns[e]);
      if (place[v] < 0) continue;
      order[count++] = place[v];
      if (count % batch != 0) continue;
      beside.insert(beside.end(), queue.begin() + head, queue.end());
      queue.clear();
      head = 0;
      ++number;
    }
    return 0;
  });
}

// Adds to each vertex the number of sources that reach it, the sum of their distances and the sum of
// the reciprocals, without itself.
int64_t sums_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                         int64_t columns_size, const int64_t *back, int64_t back_size,
                         const int32_t *across, int64_t, const int64_t *sources,
                         int64_t sources_size, int64_t *others, int64_t, int64_t *farness, int64_t,
                         double *nearness, int64_t, uint64_t *room, int64_t room_size, int64_t *watch, int64_t) {
  return with_words(room_size, begins_size - 1, [&](auto width, int64_t lanes) -> int64_t {
    constexpr int W = decltype(width)::value;
    const Rows rows(begins, begins_size, columns), transpose(back, back_size, across);
    Together<W> searches(rows, columns_size, transpose, room, Watch(watch));
    const auto found = [&](int32_t v, const Lanes<W> &reached, int64_t level) {
      const int64_t count = reached.count();
      others[v] += count;
      farness[v] += level * count;
      nearness[v] += static_cast<double>(count) / level;
    };
    for (int64_t i = 0; i < sources_size && !Watch(watch).stopped(); i += lanes)
      searches.run(sources + i, std::min(lanes, sources_size - i), found, [](int64_t) {});
    return 0;
  });
}

// The number of vertices that each source reaches, without itself, and the sum of their distances.
//
// The vertices of a round are counted by digits: `digit[k]` has the k-th binary digit of each lane's
// count, and another vertex is added with carries, two of them in the mean.
int64_t totals_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                           int64_t columns_size, const int64_t *back, int64_t back_size,
                           const int32_t *across, int64_t, const int64_t *sources,
                           int64_t sources_size, int64_t *others, int64_t, int64_t *farness,
                           int64_t, uint64_t *room, int64_t room_size, int64_t *watch, int64_t) {
  return with_words(room_size, begins_size - 1, [&](auto width, int64_t lanes) -> int64_t {
    constexpr int W = decltype(width)::value;
    const Rows rows(begins, begins_size, columns), transpose(back, back_size, across);
    Together<W> searches(rows, columns_size, transpose, room, Watch(watch));
    std::vector<Lanes<W>> digit;
    for (int64_t i = 0; i < sources_size && !Watch(watch).stopped(); i += lanes) {
      const int64_t count = std::min(lanes, sources_size - i);
      const auto found = [&](int32_t, const Lanes<W> &reached, int64_t) {
        for (int w = 0; w < W; ++w) {
          uint64_t carry = reached.word[w];
          for (size_t k = 0; carry != 0; ++k) {
            if (k == digit.size()) digit.emplace_back();
            uint64_t &held = digit[k].word[w];
            const uint64_t both = held & carry;
            held ^= carry;
            carry = both;
          }
        }
      };
      const auto round_ends = [&](int64_t level) {
        for (int64_t lane = 0; lane < count; ++lane) {
          int64_t reached = 0;
          for (size_t k = 0; k < digit.size(); ++k)
            reached |= static_cast<int64_t>(digit[k].word[lane / BITS] >> lane % BITS & 1) << k;
          others[i + lane] += reached;
          farness[i + lane] += level * reached;
        }
        digit.clear();
      };
      searches.run(sources + i, count, found, round_ends);
    }
    return 0;
  });
}

// The largest distance from each source, and the number of pairs of a source and a vertex that it
// reaches, itself included.
int64_t depths_of_searches(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                           int64_t columns_size, const int64_t *back, int64_t back_size,
                           const int32_t *across, int64_t, const int64_t *sources,
                           int64_t sources_size, int32_t *farthest, int64_t, uint64_t *room, int64_t room_size, int64_t *watch,
                           int64_t) {
  return with_words(room_size, begins_size - 1, [&](auto width, int64_t lanes) -> int64_t {
    constexpr int W = decltype(width)::value;
    const Rows rows(begins, begins_size, columns), transpose(back, back_size, across);
    Together<W> searches(rows, columns_size, transpose, room, Watch(watch));
    Lanes<W> active;
    int64_t pairs = sources_size;
    for (int64_t i = 0; i < sources_size && !Watch(watch).stopped(); i += lanes) {
      const int64_t count = std::min(lanes, sources_size - i);
      const auto found = [&](int32_t, const Lanes<W> &reached, int64_t) {
        active |= reached;
        pairs += reached.count();
      };
      const auto round_ends = [&](int64_t level) {
        for (int64_t lane = 0; lane < count; ++lane)
          if (active.word[lane / BITS] >> lane % BITS & 1) farthest[i + lane] = level;
        active = {};
      };
      searches.run(sources + i, count, found, round_ends);
    }
    return pairs;
  });
}
