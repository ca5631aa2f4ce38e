// Connected components and spanning forests by union-find.
//
// A component is a tree of parents whose root is its smallest vertex, and an edge joins two trees at
// their roots. After two edges of each vertex most vertices are in one tree, and the other edges of
// its vertices need not be read, because the edges of the other trees' vertices lead there as well
// (Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling,
// IPDPS 2018).
//
// A spanning forest is computed by Boruvka's algorithm: each tree takes the best edge that leaves it
// (of equal ones the first), until there is none. Edges within a tree are dropped on the way.
#include <algorithm>
#include <numeric>

#include "common.hpp"

namespace lagraph {
namespace {

// The number of edges of each vertex that join trees first.
constexpr int64_t NEIGHBOR_ROUNDS = 2;

// The number of vertices in the sample that finds the largest tree.
constexpr int64_t SAMPLE = 1024;

struct Forest {
  int64_t *parent;

  /// The root of a vertex. The path to it is halved on the way.
  int64_t find(int64_t v) const {
    while (parent[v] != parent[parent[v]]) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return parent[v];
  }

  /// Joins two trees under the smaller root. Returns true if they were different.
  bool unite(int64_t u, int64_t v) const {
    const int64_t a = find(u), b = find(v);
    parent[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

  /// The root of the tree that holds most of a sample; 0 if there are no vertices.
  int64_t largest(int64_t n) const {
    std::vector<int32_t> held(n);
    int64_t best = 0;
    for (int64_t v = 0; v < n; v += std::max<int64_t>(1, n / SAMPLE)) {
      const int64_t root = find(v);
      if (++held[root] > held[best]) best = root;
    }
    return best;
  }
};

/// Marks the entry e of an edge from u, and the one that leads back, which bisection finds.
void mark(Rows rows, int64_t u, int64_t e, bool *chosen) {
  const int64_t v = rows.columns[e];
  const int32_t *const first = rows.columns + rows.begins[v];
  const int32_t *const last = rows.columns + rows.begins[v + 1];
  chosen[e] = true;
  chosen[std::lower_bound(first, last, u) - rows.columns] = true;
}

/// An edge between two trees, which have numbers of their own in each round.
template <class T>
struct Edge {
  int64_t place;
  T weight;
  int32_t one, other, source;
};

template <class T>
void minimum_forest(Rows rows, Values<T> weights, int64_t edges_at_most, bool heaviest,
                    bool *chosen, Watch watch) {
  std::vector<Edge<T>> edges;
  edges.reserve(edges_at_most);
  for (int64_t u = 0; u < rows.n; ++u)
    for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e)
      if (rows.columns[e] > u)
        edges.push_back({e, weights[e], static_cast<int32_t>(u), rows.columns[e],
                         static_cast<int32_t>(u)});
  int64_t trees = rows.n;
  std::vector<int64_t> best, parent;
  std::vector<T> least;
  while (!edges.empty() && !watch.stopped()) {
    watch.done(rows.n - trees);
    best.assign(trees, -1);
    parent.resize(trees);
    std::iota(parent.begin(), parent.end(), 0);
    least.resize(trees);
    for (int64_t i = 0; i < static_cast<int64_t>(edges.size()) && !watch.stopped(); ++i) {
      const T w = edges[i].weight;
      for (const int32_t c : {edges[i].one, edges[i].other}) {
        if (best[c] < 0 || (heaviest ? w > least[c] : w < least[c])) {
          best[c] = i;
          least[c] = w;
        }
      }
    }
    const Forest forest{parent.data()};
    for (int64_t c = 0; c < trees; ++c) {
      if (best[c] < 0) continue;
      const Edge<T> &edge = edges[best[c]];
      if (forest.unite(edge.one, edge.other)) mark(rows, edge.source, edge.place, chosen);
    }
    int64_t used = 0;
    for (int64_t c = 0; c < trees; ++c) {  // a root comes before the others of its tree
      const int64_t root = forest.find(c);
      best[c] = root == c ? used++ : best[root];
    }
    const auto within = [&](Edge<T> &edge) {
      edge.one = best[edge.one];
      edge.other = best[edge.other];
      return edge.one == edge.other;
    };
    edges.erase(std::remove_if(edges.begin(), edges.end(), within), edges.end());
    trees = used;
  }
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Writes the smallest vertex in the component of each vertex to `parent`, where each is its own. The
// matrix must be symmetric.
int64_t connected_components(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                             int64_t, int64_t *parent, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    const Forest forest{parent};
    for (int64_t v = 0; v < rows.n; ++v) {
      if (Watch(watch).stopped()) return 0;
      const int64_t last = std::min(rows.begins[v] + NEIGHBOR_ROUNDS, rows.begins[v + 1]);
      for (int64_t e = rows.begins[v]; e < last; ++e) forest.unite(v, columns[e]);
    }
    const int64_t giant = forest.largest(rows.n);
    for (int64_t v = 0; v < rows.n; ++v) {
      if (Watch(watch).stopped()) return 0;
      if (forest.find(v) == forest.find(giant)) continue;
      for (int64_t e = rows.begins[v] + NEIGHBOR_ROUNDS; e < rows.begins[v + 1]; ++e)
        forest.unite(v, columns[e]);
    }
    for (int64_t v = 0; v < rows.n; ++v) parent[v] = forest.find(v);
    return 0;
  });
}

// Joins the trees in `label`, where each vertex is its own or one of a smaller number in its tree,
// along the edges from `first` to before `last` of each row, and writes the root of each vertex.
// Row i is that of vertex i · parts + rank. Rows in the tree of `skipped` are skipped, unless that
// is negative.
int64_t join_own_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                      int64_t parts, int64_t rank, int64_t first, int64_t last, int64_t skipped,
                      int64_t *label, int64_t label_size) {
  const Rows rows(begins, begins_size, columns);
  const Forest forest{label};
  for (int64_t row = 0; row < rows.n; ++row) {
    const int64_t v = row * parts + rank;
    if (skipped >= 0 && forest.find(v) == forest.find(skipped)) continue;
    const int64_t end = std::min(last, rows.degree(row));
    for (int64_t at = first; at < end; ++at) forest.unite(v, columns[rows.begins[row] + at]);
  }
  for (int64_t v = 0; v < label_size; ++v) label[v] = forest.find(v);
  return 0;
}

// The same along pairs of vertices.
int64_t join_pairs(const int32_t *one, int64_t count, const int32_t *other, int64_t,
                   int64_t *label, int64_t label_size) {
  const Forest forest{label};
  for (int64_t i = 0; i < count; ++i) forest.unite(one[i], other[i]);
  for (int64_t v = 0; v < label_size; ++v) label[v] = forest.find(v);
  return 0;
}

// Marks a spanning forest of equal weights: each edge, from both ends, that joins two trees.
int64_t spanning_forest(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                        int64_t, bool *chosen, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    std::vector<int64_t> parent(rows.n);
    std::iota(parent.begin(), parent.end(), 0);
    const Forest forest{parent.data()};
    for (int64_t u = 0; u < rows.n && !Watch(watch).stopped(); ++u) {
      Watch(watch).done(u);
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e)
        if (columns[e] > u && forest.unite(u, columns[e])) mark(rows, u, e, chosen);
    }
    return 0;
  });
}

// Marks the edges, from both ends, of a minimum (or if `heaviest` maximum) spanning forest. The
// trees of a round are numbered anew, and the edges between them hold these numbers and their
// weights side by side, so that a round reads them in order.
int64_t boruvka(int type, const int64_t *begins, int64_t begins_size, const int32_t *columns,
                int64_t columns_size, const void *weights, int64_t weights_size, int64_t heaviest,
                bool *chosen, int64_t, int64_t *watch, int64_t) {
  return with_type(type, [&](auto type_of_weights) {
    using T = typename decltype(type_of_weights)::type;
    return guarded([&]() -> int64_t {
      minimum_forest<T>(Rows(begins, begins_size, columns), Values<T>(weights, weights_size),
                        columns_size / 2, heaviest, chosen, Watch(watch));
      return 0;
    });
  });
}

// Writes the row offsets and the columns of the entries that are marked.
int64_t marked_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                    const bool *chosen, int64_t, int64_t *offsets, int64_t, int32_t *kept,
                    int64_t) {
  const Rows rows(begins, begins_size, columns);
  int64_t count = 0;
  offsets[0] = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
      if (chosen[e]) kept[count++] = columns[e];
    offsets[v + 1] = count;
  }
  return count;
}
