// The arrangement of runs in slices (see column_blocked.cuh): a counting sort by length within
// each panel.
//
// A partition (see partition.cuh) has written entries panel by panel, in cells of CUT places, and
// marked where runs begin; no run goes beyond its cell. A warp has a task of consecutive cells of
// one panel. The first pass counts its runs of each length; from the prefix sums of these each
// task knows where its own are, and the second pass numbers them.
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "core/partition_point.cuh"
#include "spmv/column_blocked.cuh"

__device__ inline unsigned long long cell_of(const Word* begins, Index cell) {
    return begins[2 * static_cast<long long>(cell)] |
           static_cast<unsigned long long>(begins[2 * static_cast<long long>(cell) + 1]) << 32;
}

// The cells of one panel.
struct Task {
    Index panel, first, end;
    Index counter, tasks;  // of counters: the one of the longest runs, and the distance to the next one

    // firsts, first_tasks: for each panel; a task has at most `most` cells.
    __device__ Task(Index number, Index task_size, Index panels, const Index* firsts, const Index* first_tasks) {
        // the last panel whose first task is no later
        const Index low = last_holding(0, panels - 1, [&](Index k) { return first_tasks[k] <= number; });
        panel = low;
        tasks = first_tasks[low + 1] - first_tasks[low];
        counter = first_tasks[low] * CUT + number - first_tasks[low];
        first = firsts[low] + (number - first_tasks[low]) * task_size;
        end = first + task_size < firsts[low + 1] ? first + task_size : firsts[low + 1];
    }

    // Calls visit(cell, bits, at, length) for each run: at is where it begins in its cell, and the
    // bits are all beginnings of runs in this cell. The lanes handle a cell one after another, so
    // runs come nearly in the order of rows.
    template <class Visit> __device__ void each(const Word* begins, Visit visit) const {
        for (Index base = first; base < end; base += 32) {
            const unsigned long long own = base + lane_id() < end ? cell_of(begins, base + lane_id()) : 0;
            for (Index cell = base; cell < base + 32 && cell < end; ++cell) {
                const unsigned long long bits = __shfl_sync(ALL_LANES, own, cell - base);
                for (int at = lane_id(); at < CUT; at += 32) {
                    if (!(bits >> at & 1)) continue;
                    const unsigned long long after = bits >> at >> 1;
                    visit(cell, bits, at, after != 0 ? __ffsll(static_cast<long long>(after)) : CUT - at);
                }
            }
        }
    }
};

// in_cell: the runs of each cell. counts: the runs of each panel, length from CUT down to 1, and
// task. totals: the runs of each panel and length (cleared before).
__global__ void count_lengths(Index all, Index task_size, Index panels, const Index* firsts, const Index* first_tasks,
                              const Word* begins, Index* in_cell, Index* counts, Index* totals) {
    __shared__ Index lengths[MAX_THREADS / 32][CUT];
    Index* const mine = lengths[threadIdx.x >> 5];
    for (Index number : warp_stride<Index>(all)) {
        const Task task(number, task_size, panels, firsts, first_tasks);
        for (int c = lane_id(); c < CUT; c += 32) mine[c] = 0;
        __syncwarp();
        task.each(begins, [&](Index, unsigned long long, int, int length) { atomicAdd(mine + CUT - length, 1); });
        for (Index cell = task.first + lane_id(); cell < task.end; cell += 32)
            in_cell[cell] = __popcll(cell_of(begins, cell));
        __syncwarp();
        for (int c = lane_id(); c < CUT; c += 32) {
            counts[task.counter + c * task.tasks] = mine[c];
            atomicAdd(totals + task.panel * CUT + c, mine[c]);
        }
        __syncwarp();
    }
}

// begins: the beginnings of the slices as in column_blocked.cuh, and the end of the last one. ends,
// pairs: the numbers of slices, and of pairs of a lane, up to each panel and length. Single entries that
// are `copied` have a pair for two slices.
__global__ void begin_slices(Index slices, Index kinds, int copied, const Index* ends, const Index* pairs,
                             Index* begins) {
    for (Index s : grid_stride<Index>(slices + 1)) {
        // the first whose end is greater
        const Index low = partition_point(0, kinds, [&](Index kind) { return ends[kind] <= s; });
        const Index length = CUT - low % CUT;
        const Index first = low > 0 ? ends[low - 1] : 0, before = low > 0 ? pairs[low - 1] : 0;
        const Index own = copied && length == 1 ? (s - first) / 2 : (s - first) * ((length + 1) / 2);
        begins[s] = 2 * (before + own) + length % 2;
    }
}

// sources: for each lane of each slice the place where its run begins (-1 before: it has none).
// items: for each run the position of its sum, which comes after `used` values of u; for a single
// entry of the panels before `alone` the position of its value among these. before: the runs before each cell.
// starts: the counts before each counter. ends: the slices up to each panel and length.
template <class Offset>
__global__ void number_runs(Index all, Index task_size, Index panels, const Index* firsts, const Index* first_tasks,
                            const Word* begins, const Index* before, const Index* starts, const Index* ends,
                            Index used, Index alone, Index width, const unsigned short* columns,
                            Offset* sources, Index* items) {
    __shared__ Index next[MAX_THREADS / 32][CUT];
    Index* const mine = next[threadIdx.x >> 5];
    for (Index number : warp_stride<Index>(all)) {
        const Task task(number, task_size, panels, firsts, first_tasks);
        const Index begin = task.counter - (number - first_tasks[task.panel]);
        for (int c = lane_id(); c < CUT; c += 32) {
            const Index kind = task.panel * CUT + c, slices = kind > 0 ? ends[kind - 1] : 0;
            mine[c] = 32 * slices + starts[task.counter + c * task.tasks] - starts[begin + c * task.tasks];
        }
        __syncwarp();
        task.each(begins, [&](Index cell, unsigned long long bits, int at, int length) {
            const Offset place = static_cast<Offset>(cell) * CUT + at;
            Index item = task.panel * width;
            if (length == 1 && task.panel < alone) {
                item += columns[place];
            } else {
                const Index lane = atomicAdd(mine + CUT - length, 1);
                sources[lane] = place;
                item = used + lane;
            }
            items[before[cell] + __popcll(bits & ((1ull << at) - 1))] = item;
        });
        __syncwarp();
    }
}

// Copies columns or values of entries from their places into slices; 0 where there is no entry. The slices of
// single entries that are `copied` come in twos, of which the second has the pair.
template <class Offset, class T>
__global__ void fill_slices(Index slices, int copied, const Index* begins, const Offset* sources, const T* from,
                            T* to) {
    for (Index s : warp_stride<Index>(slices)) {
        const Index first = begins[s] >> 1, pairs = (begins[s + 1] >> 1) - first;
        const Index length = 2 * pairs - (begins[s] & 1);
        const Offset place = sources[static_cast<long long>(s) * 32 + lane_id()];
        if (copied && length < 2) {
            to[64 * static_cast<long long>(first) + 32 * pairs + lane_id()] = place >= 0 ? from[place] : T(0);
            continue;
        }
        for (Index i = 0; i < 2 * pairs; ++i)
            to[2 * (static_cast<long long>(first + (i >> 1)) * 32 + lane_id()) + (i & 1)] =
                place >= 0 && i < length ? from[place + i] : T(0);
    }
}
