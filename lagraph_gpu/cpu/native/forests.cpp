// Forests of parents, in which a root is its own parent.
#include "common.hpp"

using namespace lagraph;

int64_t chain_to_root(const int64_t *parent, int64_t n, int64_t *chain, int64_t) {
  for (int64_t vertex = chain[0], count = 0; count < n; vertex = parent[vertex]) {
    if (vertex < 0 || vertex >= n) break;
    chain[count++] = vertex;
    if (parent[vertex] == vertex) return count;
  }
  return 0;
}
