// The two sides of a bipartite graph, by a breadth-first search in each component, and the pairs of
// a matching that follow from vertices with a single neighbour. Both O(n + m).
#include "common.hpp"

using namespace lagraph;

// Writes the side of each vertex, 0 or 1, to `side`; the smallest vertex of a component is on side 0. The
// rows must be symmetric. Returns 0 as soon as an edge joins two vertices of one side, and else 1.
int64_t two_sides(const CompressedRows *compressed, int64_t *side, int64_t, int64_t *watch,
                  int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int8_t> of(rows.n, -1);
    std::vector<int32_t> queue(rows.n);
    for (int64_t root = 0, head = 0, tail = 0; root < rows.n; ++root) {
      if (of[root] >= 0) continue;
      of[root] = 0;
      queue[tail++] = root;
      for (; head < tail; ++head) {
        if (Watch(watch).stopped()) return 0;
        Watch(watch).done(head);
        const int32_t v = queue[head];
        const int8_t other = of[v] ^ 1;
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
    return 1;
  });
}

// Matches vertices that have a single neighbour among those not yet matched, with that neighbour, as
// long as there are any; some largest matching has all these pairs (Karp, Sipser: Maximum matchings
// in sparse random graphs, 1981). `mate` holds -1 at first. Returns the number of pairs.
int64_t single_neighbours(const CompressedRows *compressed, int64_t *mate, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int64_t> degree(rows.n);
    std::vector<int32_t> queue;
    int64_t pairs = 0;
    for (int32_t v = 0; v < rows.n; ++v) {
      degree[v] = rows.degree(v);
      if (degree[v] == 1) queue.push_back(v);
    }
    for (size_t head = 0; head < queue.size(); ++head) {
      const int32_t u = queue[head];
      if (mate[u] >= 0) continue;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        if (mate[v] >= 0 || v == u) continue;
        mate[u] = v;
        mate[v] = u;
        ++pairs;
        for (int64_t f = rows.begins[v]; f < rows.begins[v + 1]; ++f)
          if (--degree[rows.columns[f]] == 1) queue.push_back(rows.columns[f]);
        break;
      }
    }
    return pairs;
  });
}
