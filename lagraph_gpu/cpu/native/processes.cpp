// Meetings of processes of one host, for exchanges that Python goes about.
#include "barrier.hpp"
#include "common.hpp"

using namespace lagraph;

extern "C" {

int64_t arrive(const MeetingPoint *at) {
  return static_cast<int64_t>(Barrier(*at).arrive());
}

int64_t wait_for_all(int64_t microseconds, const MeetingPoint *at, int64_t arrived) {
  Barrier barrier(*at);
  const auto never = [] { return false; };
  const Met met = barrier.wait(static_cast<uint64_t>(arrived), microseconds * 1000, never);
  return met == Met::BROKEN ? int64_t{BROKEN} : met == Met::ALL;
}

int64_t give_up_meeting(const MeetingPoint *at) {
  Barrier(*at).give_up();
  return 0;
}

}  // extern "C"
