// All shortest paths of a dense graph, by the method of Floyd and Warshall in blocks of vertices.
//
// The rows of a block first meet each other, and then each other row meets all rows of the block: the row
// stays in the nearest cache meanwhile and the block in the next one. O(n^3).
// Floyd: Algorithm 97, Communications of the ACM 5 (1962). Venkataraman, Sahni, Mukhopadhyaya: A blocked
// all-pairs shortest-paths algorithm, ACM Journal of Experimental Algorithmics 8 (2003).
#include <algorithm>
#include <limits>

#include "common.hpp"

using namespace lagraph;

namespace {

constexpr int64_t BLOCK = 64;

/// to = min(to, first + onward): paths that go on through one more vertex.
template <class T>
void relax(T *__restrict to, const T *__restrict onward, T first, int64_t n) {
  if (first == std::numeric_limits<T>::infinity()) return;
  for (int64_t j = 0; j < n; ++j) {
    const T through = first + onward[j];
    to[j] = through < to[j] ? through : to[j];
  }
}

}  // namespace

// The lengths of shortest paths in place of the lengths of edges: n rows of n, infinite where there is
// no edge, and at most 0 from a vertex to itself. Returns a vertex on a cycle of negative length, where the
// lengths are then worth nothing, or n if there is none.
int64_t all_lengths(int type, int64_t n, void *lengths, int64_t, int64_t *watch, int64_t) {
  return with_float(type, [&](auto kind) -> int64_t {
    using T = typename decltype(kind)::type;
    const auto row = [&](int64_t i) { return static_cast<T *>(lengths) + i * n; };
    for (int64_t begin = 0; begin < n && !Watch(watch).stopped(); begin += BLOCK) {
      const int64_t end = std::min(n, begin + BLOCK);
      for (int64_t k = begin; k < end; ++k)
        for (int64_t i = begin; i < end; ++i)
          if (i != k) relax(row(i), row(k), row(i)[k], n);
      for (int64_t k = begin; k < end; ++k)
        if (row(k)[k] < 0) return k;
      for (int64_t i = 0; i < n; ++i) {
        if (i == begin) i = end;
        if (i >= n || Watch(watch).stopped()) break;
        for (int64_t k = begin; k < end; ++k) relax(row(i), row(k), row(i)[k], n);
      }
      Watch(watch).done(end);
    }
    return n;
  });
}
