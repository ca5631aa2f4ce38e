// A barrier for processes of one host, in memory that all of them see.
//
// It is one word: an epoch, the number of the meeting, how many have arrived at it, and whether it is
// broken. So each meeting is either held, for all, or broken, for all, and then no later one of its
// epoch is held. The processes begin a new epoch without each other's help, once all of them have
// left the one before.
//
// Others may need the processor of one that waits. So it yields a few times, and then sleeps until
// the last one wakes it (Linux: futex; elsewhere it sleeps a while and looks again). Where each of
// the processes has a processor of its own it yields longer, because one that sleeps is woken late.
#pragma once

#include <sched.h>
#include <time.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "common.hpp"

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lagraph {

/// For a search that is never taken for a deep one.
constexpr Depth NEVER_DEEP{.rounds = -1, .entries = 0};

/// The nanoseconds that a process waits for the others.
inline int64_t patience_of(const Meeting &meeting) { return meeting.patience * 1'000'000; }

/// The bytes between what different processes write.
constexpr int64_t LINE = LINE_BYTES;

/// So many bytes, or more, up to the end of a line.
inline int64_t lines(int64_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

/// What became of a wait for the others: all came, it took too long, or the meeting is broken.
enum class Met { ALL, LATE, BROKEN };

class Barrier {
  // How often a process yields before it sleeps, where there are fewer processors than processes; and
  // where each has a processor of its own. With 30, a breadth-first search of kron15 by four processes
  // on two processors took 0.95 ms, with 4 1.7 and with 100 3.8 (records 0179 and 0185).
  static constexpr int64_t YIELDS = 30, YIELDS_ALONE = 1000;
  static constexpr int64_t SLEEP_NS = 20'000'000;  // nanoseconds, at most
  static constexpr uint64_t ARRIVED = (1u << 12) - 1, ONE_MORE = 1u << 12;
  static constexpr uint64_t NUMBER = ((1u << 31) - 1) & ~ARRIVED, BROKEN_BIT = 1u << 31;
  static_assert(BARRIER_BYTES == 2 * LINE, "the word and the number asleep have a line each");
  static_assert(ARRIVED + 1 == MOST_PROCESSES, "the last process to arrive is not counted");

  std::atomic<uint64_t> &word;
  std::atomic<uint32_t> &asleep;
  const uint64_t parts, epoch;

  /// The processors that this process may use.
  static uint64_t processors() {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return 1;
  }

  /// The word, or the one with which this epoch begins.
  uint64_t seen() const {
    const uint64_t now = word.load(std::memory_order_acquire);
    return now >> 32 == epoch ? now : epoch << 32;
  }

  void wake() {
#ifdef __linux__
    if (asleep.load() != 0) syscall(SYS_futex, low(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
#endif
  }

  /// The half of the word that changes within an epoch.
  uint32_t *low() { return reinterpret_cast<uint32_t *>(&word); }

  void sleep(uint64_t while_it_is, int64_t at_most) {
    const timespec time{0, at_most < SLEEP_NS ? at_most : SLEEP_NS};
#ifdef __linux__
    asleep.fetch_add(1);
    syscall(SYS_futex, low(), FUTEX_WAIT, static_cast<uint32_t>(while_it_is), &time, nullptr, 0);
    asleep.fetch_sub(1);
#else
    const timespec while_elsewhere{0, 50'000};
    nanosleep(&while_elsewhere, nullptr);
#endif
  }

 public:
  /// The memory is `BARRIER_BYTES`, which hold 0 at first.
  Barrier(uint8_t *memory, int64_t parts, int64_t epoch)
      : word(*reinterpret_cast<std::atomic<uint64_t> *>(memory)),
        asleep(*reinterpret_cast<std::atomic<uint32_t> *>(memory + LINE)),
        parts(parts),
        epoch(static_cast<uint32_t>(epoch)) {}
  explicit Barrier(const MeetingPoint &at) : Barrier(at.memory, at.parts, at.epoch) {}
  explicit Barrier(const Meeting &meeting)
      : Barrier(meeting.memory, meeting.parts, meeting.epoch) {}

  static int64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  }

  /// Say that this process has come. The result is for `wait`.
  uint64_t arrive() {
    for (;;) {
      uint64_t old = word.load(std::memory_order_acquire);
      const uint64_t begun = old >> 32 == epoch ? old : epoch << 32;
      if (begun & BROKEN_BIT) return begun;
      const bool last = (begun & ARRIVED) + 1 == parts;
      const uint64_t number = begun & NUMBER;
      const uint64_t next =
          last ? epoch << 32 | ((number + ONE_MORE) & NUMBER) : begun + 1;
      if (!word.compare_exchange_weak(old, next)) continue;
      if (last) wake();
      return number;
    }
  }

  /// Wait until all have come to where this process has arrived, but not for more nanoseconds, nor
  /// once `stopped()`.
  template <class Stopped>
  Met wait(uint64_t arrived, int64_t patience, Stopped stopped) {
    static const uint64_t available = processors();
    const int64_t most = parts <= available ? YIELDS_ALONE : YIELDS;
    int64_t until = 0;
    for (int64_t looks = 0;; ++looks) {
      const uint64_t held = seen();
      if ((held & NUMBER) != (arrived & NUMBER)) return Met::ALL;
      if (held & BROKEN_BIT) return Met::BROKEN;
      if (looks < most) {
        sched_yield();
        continue;
      }
      const int64_t time = now();
      if (until == 0) until = time + patience;
      if (time >= until || stopped()) return Met::LATE;
      sleep(held, until - time);
    }
  }

  /// Let nobody pass the meeting that all wait for; false if all have come to it meanwhile.
  bool give_up(uint64_t arrived) {
    for (;;) {
      uint64_t old = word.load(std::memory_order_acquire);
      const uint64_t begun = old >> 32 == epoch ? old : epoch << 32;
      if ((begun & NUMBER) != (arrived & NUMBER)) return false;
      if (begun & BROKEN_BIT) return true;
      if (!word.compare_exchange_weak(old, begun | BROKEN_BIT)) continue;
      wake();
      return true;
    }
  }

  /// Break whichever meeting is next.
  void give_up() {
    while (!give_up(seen())) {
    }
  }

  /// Wait for all; false if someone gives up, as this process does without patience.
  template <class Stopped>
  bool meet(int64_t patience, Stopped stopped) {
    return all_come(arrive(), patience, stopped);
  }
  template <class Stopped>
  bool all_come(uint64_t arrived, int64_t patience, Stopped stopped) {
    const Met met = wait(arrived, patience, stopped);
    return met == Met::ALL || (met == Met::LATE && !give_up(arrived));
  }

  /// Wait until all have come to where this process has arrived, or until the watch stops it; false
  /// if someone gives up. Counts the meeting, and the nanoseconds that it has taken.
  bool all_come(uint64_t arrived, int64_t patience, const Watch &watch, int64_t &met,
                int64_t &waited) {
    const int64_t began = now();
    const bool all = all_come(arrived, patience, [&] { return watch.stopped(); });
    waited += now() - began;
    ++met;
    return all;
  }
};

}  // namespace lagraph
