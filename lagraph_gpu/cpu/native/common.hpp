// What every file of the compiled loops uses: views of arrays, the choice of a type, and the end of
// a loop without memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

extern "C" {
#define _Bool bool
#include "loops.h"
#undef _Bool
}

namespace lagraph {

/// The bits of a word.
constexpr int64_t BITS = 64;

/// The sparsity pattern of compressed rows.
struct Rows {
  const int64_t *begins;
  const int32_t *columns;
  int64_t n;

  Rows(const int64_t *begins, int64_t begins_size, const int32_t *columns)
      : begins(begins), columns(columns), n(begins_size - 1) {}
  explicit Rows(const CompressedRows &rows) : Rows(rows.begins, rows.begins_size, rows.columns) {}
  int64_t degree(int64_t v) const { return begins[v + 1] - begins[v]; }

  /// True if v, reached from u, leads nowhere else: it has no edge, or one, back to u. On no shortest path
  /// it is between two others.
  bool dead_end(int64_t v, int32_t u) const {
    const int64_t first = begins[v], size = begins[v + 1] - first;
    return size == 0 || (size == 1 && columns[first] == u);
  }
};

/// The values of entries: one for each, or one for all.
template <class T>
struct Values {
  const T *data;
  int64_t each;

  Values(const void *data, int64_t size) : data(static_cast<const T *>(data)), each(size > 1) {}
  T operator[](int64_t e) const { return data[e * each]; }
};

/// By which the caller ends a loop and learns how far it is.
struct Watch {
  volatile int64_t *at;

  explicit Watch(int64_t *at) : at(at) {}
  bool stopped() const { return at[0] != 0; }
  void done(int64_t steps) const { at[1] = steps; }
};

/// Vertices of a queue are asked for their columns so many places ahead, and for their offsets twice
/// as many (record 0175, where other distances were not measured).
constexpr int64_t ROWS_AHEAD = 8;

/// Calls `visit(u, v)` for each edge from u to v, for the vertices u between two places of a queue.
template <class Visit>
void for_edges_from(const Rows &rows, const int32_t *queue, int64_t first, int64_t end,
                    Watch watch, Visit visit) {
  for (int64_t i = first; i < end && !watch.stopped(); ++i) {
    const int64_t next = i + ROWS_AHEAD, later = next + ROWS_AHEAD;
    if (later < end) __builtin_prefetch(rows.begins + queue[later]);
    if (next < end) __builtin_prefetch(rows.columns + rows.begins[queue[next]]);
    const int32_t u = queue[i];
    const int64_t stop = rows.begins[u + 1];
    for (int64_t e = rows.begins[u]; e < stop; ++e) visit(u, rows.columns[e]);
  }
}

template <class T>
struct Type {
  using type = T;
};

/// Calls `loop` with the type that an `Element` stands for.
template <class Loop>
int64_t with_type(int type, Loop loop) {
  switch (type) {
    case FP32: return loop(Type<float>());
    case FP64: return loop(Type<double>());
    case INT32: return loop(Type<int32_t>());
    case INT64: return loop(Type<int64_t>());
    case UINT64: return loop(Type<uint64_t>());
    default: return WRONG_TYPE;
  }
}

/// Calls `loop` with the type of floating-point numbers that an `Element` stands for.
template <class Loop>
int64_t with_float(int type, Loop loop) {
  switch (type) {
    case FP32: return loop(Type<float>());
    case FP64: return loop(Type<double>());
    default: return WRONG_TYPE;
  }
}

/// Calls `loop` with the type of signed integers that an `Element` stands for.
template <class Loop>
int64_t with_signed(int type, Loop loop) {
  switch (type) {
    case INT32: return loop(Type<int32_t>());
    case INT64: return loop(Type<int64_t>());
    default: return WRONG_TYPE;
  }
}

/// The result of a loop, or NO_MEMORY.
template <class Loop>
int64_t guarded(Loop loop) {
  try {
    return loop();
  } catch (const std::bad_alloc &) {
    return NO_MEMORY;
  }
}

}  // namespace lagraph
