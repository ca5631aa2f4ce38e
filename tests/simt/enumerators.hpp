// What a kernel tells the emulator when it calls it: how it accesses memory, and what it asks of the
// other threads of its warp or of its block. The kernel's side is dialect.hpp, the other runtime.cpp.
#pragma once
namespace simt {
using u64 = unsigned long long;
enum Access : unsigned { READ = 0, WRITE = 1, RELAXED = 2, ATOMIC = 4, CONSTANT = 8 };
enum Collective : int {
  SYNCWARP,
  BALLOT,
  ANY,
  ALL,
  SHUFFLE,
  MATCH_ANY,
  MATCH_ALL,
  ADD,
  MIN,
  MAX,
  MIN_SIGNED,
  MAX_SIGNED,
  AND,
  OR,
  XOR
};
enum Barrier : int { PLAIN, COUNT, BARRIER_AND, BARRIER_OR };
constexpr unsigned OWN_VALUE = 32;  // the source lane of a shuffle that gives back one's own value
}  // namespace simt
