// Runs the loops that have threads of their own, for ThreadSanitizer: on a random graph of several parts
// of a sum, by 1 to 7 threads. Ends with an error if two numbers of threads give different bits.
#include <cstdio>
#include <random>
#include <vector>

extern "C" {
#define _Bool bool
#include "loops.h"
#undef _Bool
}

struct Made {
  std::vector<int64_t> begins{0};
  std::vector<int32_t> columns;

  explicit Made(const std::vector<std::vector<int32_t>> &rows) {
    for (const auto &row : rows) {
      columns.insert(columns.end(), row.begin(), row.end());
      begins.push_back(static_cast<int64_t>(columns.size()));
    }
  }
  CompressedRows rows() {
    return {begins.data(), static_cast<int64_t>(begins.size()), columns.data(),
            static_cast<int64_t>(columns.size())};
  }
};

int main() {
  constexpr int64_t n = 9000;
  std::mt19937 draw(1);
  std::vector<std::vector<int32_t>> leaving(n), entering(n);
  for (int64_t e = 0; e < 5 * n; ++e) {
    const int32_t u = draw() % n, v = (draw() % n) * (draw() % n) / n;
    leaving[u].push_back(v);
    entering[v].push_back(u);
  }
  std::vector<std::vector<int32_t>> onward(n), back(n);  // a path, of which two singular values are close
  for (int32_t v = 1; v < n; ++v) {
    const int32_t u = draw() % 2 ? v - 1 : v, w = 2 * v - 1 - u;
    onward[u].push_back(w);
    back[w].push_back(u);
  }
  std::vector<std::vector<int32_t>> beside(n);  // and of which two eigenvalues are
  for (int32_t v = 0; v + 1 < n; ++v) {
    beside[v].push_back(v + 1);
    beside[v + 1].push_back(v);
  }
  Made made(leaving), turned(entering), path(onward), turned_path(back), both(beside);
  const CompressedRows out = made.rows(), in = turned.rows();
  const CompressedRows along = path.rows(), against = turned_path.rows(), neighbours = both.rows();
  const double one = 1, nothing = 0;
  const StopRule rule{-1.0, 10}, small{1e-12, 60};
  std::vector<std::vector<double>> first;
  for (const int64_t threads : {1, 2, 4, 7}) {
    std::vector<double> hub(n, 1.0 / n), authority(n), x(n, 1.0 / n), rank(n, 1.0 / n), katz(n);
    const std::vector<double> rate(n, 0.1), sink(n, 1.0 / n);
    double change = 0;
    int64_t watch[2] = {};
    iterate_hits(&out, &one, 1, &in, &one, 1, hub.data(), n, authority.data(), n, &rule, threads,
                 &change, 1, watch, 2);
    std::vector<double> slow(n, 1.0 / n), of_slow(n);
    iterate_hits(&along, &one, 1, &against, &one, 1, slow.data(), n, of_slow.data(), n, &small, threads,
                 &change, 1, watch, 2);
    iterate_eigenvector(&in, &one, 1, x.data(), n, 1e-100, 1e100, false, &rule, threads, &change, 1,
                        watch, 2);
    std::vector<double> slow_x(n, 1.0 / n);
    iterate_eigenvector(&neighbours, &one, 1, slow_x.data(), n, 1e-100, 1e100, true, &small, threads, &change,
                        1, watch, 2);
    iterate_katz(&in, &one, 1, 0.1, rate.data(), n, katz.data(), n, &rule, threads, &change, 1, watch, 2);
    iterate_ranks(FP64, &in, &one, 1, sink.data(), n, &nothing, 1, rate.data(), n, rank.data(), n, 1.0,
                  &rule, threads, &change, 1, watch, 2);
    const std::vector<std::vector<double>> found{hub, authority, slow, of_slow, x, slow_x, rank, katz};
    if (first.empty()) first = found;
    if (found != first) {
      std::printf("%d threads find other numbers\n", static_cast<int>(threads));
      return 1;
    }
  }
}
