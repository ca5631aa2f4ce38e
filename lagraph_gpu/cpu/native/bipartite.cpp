// The two sides of a bipartite graph, by a breadth-first search in each component, the pairs of a
// matching that begin at vertices with few neighbours, both O(n + m), and largest matchings.
#include "common.hpp"

using namespace lagraph;

// Writes the side of each vertex, 0 or 1, to `side`; the smallest vertex of a component is on side 0. The
// rows must be symmetric. Returns 0 if an edge joins two vertices of one side, and else 1.
//
// Once all vertices have a side, the rows of side 1 are not looked at: if they have as many edges as those
// of side 0, which all lead to side 1, none of them is between two vertices of side 1.
int64_t two_sides(const CompressedRows *compressed, int64_t *side, int64_t, int64_t *watch,
                  int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int8_t> of(rows.n, -1);
    std::vector<int32_t> queue(rows.n);
    int64_t more = 0;  // edges of side 0 than of side 1
    for (int64_t root = 0, head = 0, tail = 0; root < rows.n; ++root) {
      if (of[root] >= 0) continue;
      of[root] = 0;
      queue[tail++] = root;
      for (; head < tail; ++head) {
        if (Watch(watch).stopped()) return 0;
        Watch(watch).done(head);
        const int32_t v = queue[head];
        const int8_t other = of[v] ^ 1;
        more += other ? rows.degree(v) : -rows.degree(v);
        if (tail == rows.n && !other) continue;
        for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
          const int32_t u = rows.columns[e];
          if (of[u] == of[v]) return 0;
          if (of[u] >= 0) continue;
          of[u] = other;
          queue[tail++] = u;
        }
      }
    }
    for (int64_t v = 0; v < rows.n; ++v) side[v] = of[v];
    return more == 0;
  });
}

// So many neighbours are few: a vertex with more finds a partner in a phase below.
constexpr uint32_t FEW = 16;

// What stands for the neighbours of a matched vertex that are not matched. It falls like their number.
constexpr uint32_t MATCHED = ~uint32_t{0};

// Matches vertices that have a single neighbour among those not yet matched, with that neighbour, as
// long as there are any; some largest matching has all these pairs. Where there are none, the next vertex
// with few neighbours is matched with the one that has fewest itself (Karp, Sipser: Maximum matchings in
// sparse random graphs, 1981). `mate` holds -1 at first. Returns the number of pairs.
int64_t greedy_pairs(const CompressedRows *compressed, int64_t *mate, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<uint32_t> left(rows.n);  // neighbours that are not matched; of a matched vertex more than n
    std::vector<int32_t> single;
    int64_t pairs = 0;
    for (int32_t v = 0; v < rows.n; ++v) {
      left[v] = rows.degree(v);
      if (left[v] == 1) single.push_back(v);
    }
    const auto one_less = [&](int32_t v) {
      const uint32_t now = --left[v];
      if (now == 1) single.push_back(v);
      return now;
    };
    const auto match = [&](int32_t u, int32_t v) {
      mate[u] = v;
      mate[v] = u;
      ++pairs;
      left[u] = left[v] = MATCHED;
      for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) one_less(rows.columns[e]);
    };
    const auto match_single = [&](int32_t u) {
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        if (left[v] < rows.n && v != u) return match(u, v);
      }
    };
    const auto match_one_of_few = [&](int32_t u) {
      int32_t best = -1;
      uint32_t fewest = rows.n;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const uint32_t now = one_less(v);
        if (now >= fewest || v == u) continue;
        best = v;
        fewest = now;
      }
      if (best >= 0) match(u, best);
    };
    size_t head = 0;
    for (int32_t next = 0; next < rows.n; ++next) {
      for (; head < single.size(); ++head)
        if (left[single[head]] == 1) match_single(single[head]);
      if (left[next] > 0 && left[next] <= FEW) match_one_of_few(next);
    }
    return pairs;
  });
}

namespace {

/// Augmenting paths from one side in phases (Hopcroft, Karp).
struct Augmentation {
  const Rows rows;
  const bool *left;
  const bool from;  // whether they begin on the left side
  int64_t *mate;
  /// For each vertex of the side the level in the search of a phase, or -1; and the next entry.
  std::vector<int32_t> level, queue, path;
  std::vector<int64_t> next;

  Augmentation(Rows rows, const bool *left, bool from, int64_t *mate)
      : rows(rows), left(left), from(from), mate(mate), level(rows.n), next(rows.n) {}

  /// Whether paths may begin at a vertex.
  bool begins_at(int64_t u) const { return left[u] == from && mate[u] < 0; }

  /// Finds the levels of the side from its vertices without a mate, up to the first level that has a
  /// neighbour without one. Returns whether there is such a level.
  bool search() {
    queue.clear();
    for (int64_t u = 0; u < rows.n; ++u) {
      const bool free = begins_at(u);
      level[u] = free ? 0 : -1;
      next[u] = rows.begins[u];
      if (free) queue.push_back(u);
    }
    int32_t last = -1;
    for (size_t head = 0; head < queue.size(); ++head) {
      const int32_t u = queue[head];
      if (last >= 0 && level[u] > last) break;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int64_t other = mate[rows.columns[e]];
        if (other < 0) {
          last = level[u];
          break;
        } else if (level[other] < 0) {
          level[other] = level[u] + 1;
          queue.push_back(other);
        }
      }
    }
    return last >= 0;
  }

  /// Looks for a path from a vertex, one level further with each step, and exchanges the edges along it.
  bool augmented(int32_t root) {
    path.assign(1, root);
    while (!path.empty()) {
      const int32_t u = path.back();
      if (next[u] == rows.begins[u + 1]) {
        path.pop_back();
        continue;
      }
      const int64_t other = mate[rows.columns[next[u]++]];
      if (other >= 0) {
        if (level[other] == level[u] + 1) path.push_back(other);
        continue;
      }
      for (const int32_t w : path) {
        const int32_t v = rows.columns[next[w] - 1];
        mate[w] = v;
        mate[v] = w;
      }
      return true;
    }
    return false;
  }
};

}  // namespace

// Makes a matching as large as possible in so many phases. Paths begin on the side where fewer vertices
// have no mate; if all there have one, there is no larger matching. Returns 1 if it is, and else 0. O(m) a phase,
// of which sqrt(n) suffice. Hopcroft, Karp: An n^5/2 algorithm for maximum matchings in bipartite graphs,
// SIAM Journal on Computing 2 (1973).
int64_t largest_matching(const CompressedRows *compressed, int64_t phases, const bool *left, int64_t,
                         int64_t *mate, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    int64_t without_mate[2] = {};  // of those with neighbours on the right side, and on the left
    for (int64_t u = 0; u < rows.n; ++u) without_mate[left[u]] += mate[u] < 0 && rows.degree(u) > 0;
    const bool from = without_mate[1] <= without_mate[0];
    if (without_mate[from] == 0) return 1;
    Augmentation paths(rows, left, from, mate);
    for (; !Watch(watch).stopped() && paths.search(); --phases) {
      if (phases == 0) return 0;
      int64_t found = 0;
      for (int64_t u = 0; u < rows.n && !Watch(watch).stopped(); ++u)
        if (paths.begins_at(u)) found += paths.augmented(u);
      if (found == 0) return 1;
    }
    return 1;
  });
}
