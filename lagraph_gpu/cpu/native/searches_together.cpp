// Breadth-first searches from many sources that go in step, and sums of their distances.
//
// Each search is a bit (a lane) of the words of a vertex, so one look at an edge serves all searches
// whose frontiers hold its tail (Then et al.: The more the merrier, VLDB 2014). A round pushes from
// the vertices of the frontier, or each vertex that some search has not reached looks along its
// in-edges until there is no such search.
//
// Where searches are far from each other, they hardly share a look, and go one after another.
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <type_traits>
#include <utility>

#include "breadth_first.hpp"
#include "common.hpp"

using namespace lagraph;

namespace {

constexpr int64_t PULL_SHARE = 4;  // a round pulls if more than one entry in so many leaves the frontier

template <int W>
struct Lanes {
  std::array<uint64_t, W> word{};

  bool any() const {
    uint64_t all = 0;
    for (const uint64_t w : word) all |= w;
    return all != 0;
  }
  bool has(int64_t lane) const { return word[lane / BITS] >> lane % BITS & 1; }
  void set(int64_t lane) { word[lane / BITS] |= uint64_t{1} << lane % BITS; }
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

/// What the loops are given: the rows, those of the transpose (none if it is not there), and the
/// searches.
struct Given {
  const CompressedRows &out, &in;
  Rows rows, transpose;
  SearchesInStep searches;
  Watch watch;

  Given(const CompressedRows *rows, const CompressedRows *back, const SearchesInStep *searches,
        int64_t *watch)
      : out(*rows), in(*back), rows(out), transpose(in), searches(*searches), watch(watch) {}
};

/// The searches of one batch at a time. `tally.found(v, lanes, level)` gets each vertex with the
/// searches that reach it in a round, `tally.round_ends(level)` follows the last one.
template <int W>
class Together {
  const Given given;
  Lanes<W> *const seen, *front, *next;
  std::vector<int32_t> frontier, touched, reached;

  void push() {
    const Rows &rows = given.rows;
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
  }

  void pull(const Lanes<W> &all) {
    const Rows &rows = given.transpose;
    for (int32_t u = 0; u < rows.n; ++u) {
      const Lanes<W> missing = all.without(seen[u]);
      if (!missing.any()) continue;
      Lanes<W> arrived;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        arrived |= front[rows.columns[e]];
        if (!missing.without(arrived).any()) break;
      }
      next[u] = arrived.without(seen[u]);
      if (next[u].any()) touched.push_back(u);
    }
  }

 public:
  explicit Together(const Given &given)
      : given(given), seen(reinterpret_cast<Lanes<W> *>(given.searches.room)), front(seen + given.rows.n),
        next(front + given.rows.n) {}

  template <class Tally>
  void run(const int64_t *sources, int64_t count, Tally &tally) {
    const Rows &rows = given.rows;
    Lanes<W> all;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t v = sources[i];
      if (!seen[v].any()) {
        frontier.push_back(v);
        reached.push_back(v);
      }
      for (auto *const lanes : {&all, &front[v], &seen[v]}) lanes->set(i);
    }
    for (int64_t level = 1; !frontier.empty() && !given.watch.stopped(); ++level) {
      int64_t edges = 0;
      for (const int32_t v : frontier) edges += rows.degree(v);
      if (given.transpose.n == rows.n && edges * PULL_SHARE > given.out.columns_size)
        pull(all);
      else
        push();
      for (const int32_t u : touched) {
        if (!seen[u].any()) reached.push_back(u);
        seen[u] |= next[u];
        tally.found(u, next[u], level);
      }
      tally.round_ends(level);
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
};

/// One search after another. `tally.found(v, i, level)` gets each vertex that search i of a batch
/// reaches, in the order of the levels.
class OneByOne {
  const Given given;
  std::vector<int32_t> level, queue;

 public:
  explicit OneByOne(const Given &given)
      : given(given), level(given.rows.n, -1), queue(given.rows.n) {}

  template <class Tally>
  void run(const int64_t *sources, int64_t count, Tally &tally) {
    const Traversal how{.alpha = given.searches.alpha, .max_level = given.rows.n};
    const Graph graph{.rows = given.out, .back = given.in, .how = how};
    const Reached<void> reached{level.data()};
    for (int64_t i = 0; i < count; ++i) {
      const std::span source(sources + i, 1);
      const int64_t end = search(graph, source, reached, queue.data(), given.watch).count;
      if (given.watch.stopped()) return;
      for (int64_t k = 1; k < end; ++k) tally.found(queue[k], i, level[queue[k]]);
      for (int64_t k = 0; k < end; ++k) level[queue[k]] = -1;
    }
  }
};

/// For each vertex sums over the sources that reach it, without itself.
template <int W>
struct VertexSums {
  int64_t *others, *farness;
  double *nearness;

  void batch_begins(int64_t, int64_t) {}
  void found(int32_t v, const Lanes<W> &lanes, int64_t level) {
    const int64_t count = lanes.count();
    others[v] += count;
    farness[v] += level * count;
    nearness[v] += static_cast<double>(count) / level;
  }
  void found(int32_t v, int64_t, int64_t level) {
    ++others[v];
    farness[v] += level;
    nearness[v] += 1.0 / level;
  }
  void round_ends(int64_t) {}
  bool goes_on() const { return true; }
  int64_t result() const { return 0; }
};

/// For each source sums over the vertices that it reaches, without itself.
///
/// The vertices of a round are counted by digits: `digit[k]` has the k-th binary digit of each lane's
/// count, and another vertex is added with carries, two of them in the mean.
template <int W>
struct SourceTotals {
  int64_t *others, *farness;
  int64_t first = 0, count = 0;
  std::vector<Lanes<W>> digit{};

  void batch_begins(int64_t from, int64_t size) {
    first = from;
    count = size;
  }
  void found(int32_t, const Lanes<W> &lanes, int64_t) {
    for (int w = 0; w < W; ++w) {
      uint64_t carry = lanes.word[w];
      for (size_t k = 0; carry != 0; ++k) {
        if (k == digit.size()) digit.emplace_back();
        carry &= std::exchange(digit[k].word[w], digit[k].word[w] ^ carry);
      }
    }
  }
  void found(int32_t, int64_t i, int64_t level) {
    ++others[first + i];
    farness[first + i] += level;
  }
  void round_ends(int64_t level) {
    for (int64_t lane = 0; lane < count; ++lane) {
      int64_t reached = 0;
      for (size_t k = 0; k < digit.size(); ++k)
        reached |= static_cast<int64_t>(digit[k].has(lane)) << k;
      others[first + lane] += reached;
      farness[first + lane] += level * reached;
    }
    digit.clear();
  }
  bool goes_on() const { return true; }
  int64_t result() const { return 0; }
};

/// The largest distance from each source, as long as all of them reach every vertex.
template <int W>
struct SourceDepths {
  int32_t *farthest;
  int64_t n;
  int64_t first = 0, count = 0, pairs = 0;
  Lanes<W> active{};

  void batch_begins(int64_t from, int64_t size) {
    first = from;
    count = size;
    pairs += size;
  }
  void found(int32_t, const Lanes<W> &lanes, int64_t) {
    active |= lanes;
    pairs += lanes.count();
  }
  void found(int32_t, int64_t i, int64_t level) {
    farthest[first + i] = static_cast<int32_t>(level);
    ++pairs;
  }
  void round_ends(int64_t level) {
    for (int64_t lane = 0; lane < count; ++lane)
      if (active.has(lane)) farthest[first + lane] = level;
    active = {};
  }
  bool goes_on() const { return pairs == (first + count) * n; }
  int64_t result() const { return pairs; }
};

/// Searches from all sources, as many at a time as the words of a vertex have bits, or one after another
/// without words.
template <template <int> class Tally, class... Results>
int64_t in_batches(const Given &given, Results... results) {
  const auto run = [&](auto width) {
    return guarded([&]() -> int64_t {
      constexpr int W = decltype(width)::value;
      std::conditional_t<W == 0, OneByOne, Together<W>> searches(given);
      Tally<W> tally{results...};
      constexpr int64_t BATCH = BITS * std::max(W, 1);
      for (int64_t i = 0; i < given.searches.sources_size && !given.watch.stopped(); i += BATCH) {
        const int64_t size = std::min(BATCH, given.searches.sources_size - i);
        tally.batch_begins(i, size);
        searches.run(given.searches.sources + i, size, tally);
        if (!tally.goes_on()) break;
      }
      return tally.result();
    });
  };
  switch (given.searches.words) {
    case 8: return run(std::integral_constant<int, 8>());
    case 4: return run(std::integral_constant<int, 4>());
    case 1: return run(std::integral_constant<int, 1>());
    default: return run(std::integral_constant<int, 0>());
  }
}

}  // namespace

// Writes the places of the sources in an order in which those of a batch lie near each other: each
// batch is what a search over vertices without a batch meets first, from one beside an earlier batch.
// A source that comes again is among the last.
int64_t nearby_order(const CompressedRows *compressed, int64_t batch, const int64_t *sources,
                     int64_t sources_size, int64_t *order, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int32_t> place(rows.n, -1), met(rows.n, -1), queue, beside;
    std::vector<bool> passed(rows.n);
    int64_t different = sources_size;
    for (int64_t i = 0; i < sources_size; ++i) {
      int32_t &at = place[sources[i]];
      if (at < 0) at = i;
      else order[--different] = i;
    }
    size_t head = 0, next_beside = 0;
    int64_t count = 0, next_source = 0;
    int32_t number = 0;
    const auto meet = [&](int32_t v) {
      if (passed[v] || met[v] == number) return;
      met[v] = number;
      queue.push_back(v);
    };
    while (count < different && !Watch(watch).stopped()) {
      while (head == queue.size())
        meet(next_beside < beside.size() ? beside[next_beside++] : sources[next_source++]);
      const int32_t v = queue[head++];
      passed[v] = true;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) meet(rows.columns[e]);
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
int64_t sums_of_searches(const CompressedRows *rows, const CompressedRows *back,
                         const SearchesInStep *searches, int64_t *others, int64_t,
                         int64_t *farness, int64_t, double *nearness, int64_t, int64_t *watch,
                         int64_t) {
  return in_batches<VertexSums>({rows, back, searches, watch}, others, farness, nearness);
}

// Adds to each source the number of vertices that it reaches, without itself, and the sum of their
// distances.
int64_t totals_of_searches(const CompressedRows *rows, const CompressedRows *back,
                           const SearchesInStep *searches, int64_t *others, int64_t,
                           int64_t *farness, int64_t, int64_t *watch, int64_t) {
  return in_batches<SourceTotals>({rows, back, searches, watch}, others, farness);
}

// Writes the largest distance from each source. After a batch in which some source does not reach
// every vertex it stops. The number of pairs of a source and a vertex that it reaches, itself included.
int64_t depths_of_searches(const CompressedRows *rows, const CompressedRows *back,
                           const SearchesInStep *searches, int32_t *farthest, int64_t,
                           int64_t *watch, int64_t) {
  return in_batches<SourceDepths>({rows, back, searches, watch}, farthest, Rows(*rows).n);
}
