// Meetings of processes of one host, for exchanges that Python goes about.
#include "barrier.hpp"
#include "common.hpp"

using namespace lagraph;

extern "C" {

int64_t arrive(uint8_t *memory, int64_t, int64_t parts, int64_t epoch) {
  return static_cast<int64_t>(Barrier(memory, parts, epoch).arrive());
}

int64_t wait_for_all(uint8_t *memory, int64_t, int64_t parts, int64_t epoch, int64_t arrived,
                     int64_t microseconds) {
  Barrier barrier(memory, parts, epoch);
  const auto never = [] { return false; };
  const Met met = barrier.wait(static_cast<uint64_t>(arrived), microseconds * 1000, never);
  return met == Met::BROKEN ? int64_t{BROKEN} : met == Met::ALL;
}

int64_t give_up_meeting(uint8_t *memory, int64_t, int64_t parts, int64_t epoch) {
  Barrier(memory, parts, epoch).give_up();
  return 0;
}

}  // extern "C"
