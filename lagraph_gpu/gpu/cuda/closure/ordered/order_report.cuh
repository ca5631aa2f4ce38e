// What a launch of resident_order.cuh is given about its rounds, and what it reports of them.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/exchanges.cuh"

// Words of a report: of the end, bytes sent to others, near entries of all, rounds that pulled, and then
// lines of rounds.
constexpr Index ORDER_SENT = 6, ORDER_PUSHED = 7, ORDER_PULLS = 8;
static_assert(ORDER_PULLS + 1 == ORDER_HEAD, "lines follow");

struct OrderRounds {
    Count* report;   // ORDER_HEAD words about the end, and a line for each of the first `logged` rounds
    Index logged;
    Index limit;     // no more rounds than that, by rounds
    Index look;      // after so many rounds the launch ends if they had fewer entries than `few`
    Count few;
    bool by_rounds;  // whatever has changed is pushed in the next round
    double width;    // by which the bound moves; negative for a maximum
    Count first_pull, later_pulls;  // a round pulls if more edges than that leave near entries: the first
                                    // time, and after another pull
    double share;    // it doubles if fewer edges than this were below the bound, and once more were
};

// What the first thread writes into the report.
struct OrderLog {
    const OrderRounds& rounds;
    Index parts;
    bool first;

    __device__ RoundLines lines() const { return {rounds.report + ORDER_HEAD, parts}; }
    // The near entries of each process, from the second of its counts.
    __device__ void near(Index round, const AllCounts& all, int shift) const {
        if (!first) return;
        for (Index r = 0; r < parts; ++r) {
            rounds.report[ORDER_PUSHED] += all.of[r][1] >> shift;
            if (round <= rounds.logged) lines().found(round - 1)[r] = all.of[r][1] >> shift;
        }
    }
    // Of a round, in which so many bytes of values have been sent.
    __device__ void end(Index round, Exchanges& exchanges, Count sent, bool pulled, long long begun) const {
        if (first) {
            rounds.report[ORDER_SENT] += sent;
            rounds.report[ORDER_PULLS] += Count(pulled);
            if (round <= rounds.logged) lines().write(round - 1, sent, exchanges, pulled, begun);
        }
        exchanges.waited = 0;
    }
};
