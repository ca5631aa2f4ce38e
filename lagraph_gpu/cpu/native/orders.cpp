// Positions in the order of their keys, by counting how often each key occurs: O(n), and no comparison.
// Keys are degrees, generations and labels, which are seldom further apart than there are positions.
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

int64_t counting_sort(const int64_t *keys, int64_t n, int64_t *order, int64_t) {
  return guarded([&]() -> int64_t {
    const auto [least, largest] = std::minmax_element(keys, keys + n);
    if (n == 0) return true;
    const uint64_t spread = static_cast<uint64_t>(*largest) - static_cast<uint64_t>(*least);
    if (spread >= static_cast<uint64_t>(n)) return false;
    const int64_t first = *least;
    std::vector<int64_t> place(spread + 2);  // of the next position with each key
    for (int64_t i = 0; i < n; ++i) ++place[keys[i] - first + 1];
    for (uint64_t key = 1; key <= spread; ++key) place[key] += place[key - 1];
    for (int64_t i = 0; i < n; ++i) order[place[keys[i] - first]++] = i;
    return true;
  });
}
