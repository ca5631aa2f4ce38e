// Which vertices a search reaches, if these are few.
#include <algorithm>

#include "common.hpp"
#include "numbers.hpp"

using namespace lagraph;

// So many entries for each vertex that would be few are read at most: with hubs a search of all is fast.
constexpr int64_t LOOKS_PER_VERTEX = 8;

int64_t reached_if_few(const CompressedRows *of, int64_t source, int32_t *vertices, int64_t most) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    Numbers numbers(rows.n);
    numbers.add(static_cast<int32_t>(source));
    int64_t looks = LOOKS_PER_VERTEX * most;
    for (int64_t k = 0; k < std::ssize(numbers.vertices); ++k) {
      const int32_t u = numbers.vertices[k];
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        numbers.add(rows.columns[e]);
        if (std::ssize(numbers.vertices) > most || --looks < 0) return most + 1;
      }
    }
    std::sort(numbers.vertices.begin(), numbers.vertices.end());
    std::copy(numbers.vertices.begin(), numbers.vertices.end(), vertices);
    return std::ssize(numbers.vertices);
  });
}
