// Steps of random walks: O(1) each, or the logarithm of the degree where weights count.
#include <algorithm>

#include "common.hpp"

using namespace lagraph;

namespace {

/// So many walkers take a step in turn, so that one waits for the memory while others do.
constexpr int64_t TOGETHER = 64;

}  // namespace

// Writes the next vertices of each walker to its row of `path`, which has room for the same number of
// steps for each, and to `taken` how many it has made: fewer where it comes to a vertex without
// edges. `sums` holds the prefix sums of the weights of each row, or nothing if each edge counts 1.
// `draws` has numbers from [0, 1): for each step a row of so many `drawn`, in which `walker` is the
// place of each walker.
int64_t walk(const CompressedRows *compressed, int64_t drawn, const double *sums,
             int64_t sums_size, const double *draws, int64_t, const int64_t *walker,
             int64_t walkers, const int64_t *start, int64_t, int64_t *path, int64_t path_size,
             int64_t *taken, int64_t) {
  const Rows rows(*compressed);
  const int64_t steps = walkers ? path_size / walkers : 0;
  for (int64_t first = 0; first < walkers; first += TOGETHER) {
    const int64_t last = std::min(walkers, first + TOGETHER);
    int64_t at[TOGETHER];
    std::copy(start + first, start + last, at);
    std::fill(taken + first, taken + last, 0);
    for (int64_t k = 0; k < steps; ++k)
      for (int64_t i = first; i < last; ++i) {
        int64_t &v = at[i - first];
        int64_t low = rows.begins[v], high = rows.begins[v + 1] - 1;
        if (low > high) continue;  // for ever: it stays there
        const double draw = draws[k * drawn + walker[i]];
        if (sums_size) {
          const double wanted = draw * sums[high];
          while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (sums[middle] > wanted) high = middle;
            else low = middle + 1;
          }
        } else {
          low += static_cast<int64_t>(draw * static_cast<double>(high + 1 - low));
        }
        v = rows.columns[low];
        path[i * steps + k] = v;
        ++taken[i];
      }
  }
  return 0;
}
