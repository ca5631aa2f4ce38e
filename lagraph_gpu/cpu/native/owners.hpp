// Where a row lies of a matrix that is distributed over processes: of so many parts, number r has the
// rows r, r + parts, r + 2 · parts, …; row i is at place i div parts.
#pragma once

#include <cstdint>

namespace lagraph {

/// Division of a number of 32 bits by the number of processes, at least 2 (Lemire, Kaser and Kurz:
/// Faster remainder by direct computation, Software: Practice and Experience 49, 2019).
struct Owners {
  const uint64_t inverse;
  const uint32_t parts;

  explicit Owners(int64_t parts)
      : inverse(~uint64_t{0} / static_cast<uint64_t>(parts) + 1),
        parts(static_cast<uint32_t>(parts)) {}
  uint32_t place(uint32_t v) const {
    return static_cast<uint32_t>(static_cast<unsigned __int128>(inverse) * v >> 64);
  }
  uint32_t owner(uint32_t v, uint32_t place) const { return v - place * parts; }
};

}  // namespace lagraph
