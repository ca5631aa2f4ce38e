// How entries come to lie panel by panel (see panels.cuh): a stable split, in three walks over them.
//
// Each warp has a share of consecutive spans of entries and walks it a lane an entry. The first walk
// counts its entries in each panel; from running sums of these each warp knows where its own begin.
// The second puts them there and marks where runs begin: with a row, a share and a round. The third
// lists the runs of each row. A warp keeps its place in each panel, and the row that it met there
// last, in shared memory.
#pragma once
#include "marks.cuh"
#include "panels.cuh"

// What a walk needs: the matrix, its marks, and the numbers of its columns.
template <class Offset> struct Spans {
    Offset nnz;
    const Word* begins;
    const Index* ranks;

    // visit(e, row, starts) for each entry of the warp's share, in order: e < nnz is false for lanes
    // beyond the last; row is the number of the row; starts: does the row begin here?
    template <class Visit> __device__ void each(Visit visit) const {
        const long long spans = nnz / SPAN + (nnz % SPAN != 0);
        const Offset first = static_cast<Offset>(spans * warp_id() / warp_count()) * SPAN;
        const Offset end = static_cast<Offset>(spans * (warp_id() + 1) / warp_count()) * SPAN;
        if (first >= end) return;
        Index open = ranks[first / SPAN] - 1;
        for (Offset base = first; base < end && base < nnz; base += 32) {
            const Word starts = begins[base >> 5];
            const bool own = starts >> lane_id() & 1u;
            visit(base + lane_id(), open + __popc(starts & lanes_below()) + own, own);
            open += __popc(starts);
        }
    }
};

// Where a warp is in each panel.
template <class Offset> struct Cursors {
    Offset* at;
    Index* row;  // met last
    Index panels;

    // `ends`: running sums of the counts, by panel and then by warp; `firsts`: the panels' first rounds.
    __device__ Cursors(Index panels, const Index* counts, const Offset* ends, const Index* firsts)
        : panels(panels) {
        extern __shared__ unsigned long long table[];
        at = reinterpret_cast<Offset*>(table) + (threadIdx.x >> 5) * panels;
        row = reinterpret_cast<Index*>(reinterpret_cast<Offset*>(table) + (blockDim.x >> 5) * panels);
        row += (threadIdx.x >> 5) * panels;
        const long long warps = warp_count();
        for (Index p = lane_id(); p < panels; p += 32) {
            const Offset before = p > 0 ? ends[p * warps - 1] : 0;
            const long long mine = p * warps + warp_id();
            at[p] = static_cast<Offset>(firsts[p]) * PANEL_ROUND + ends[mine] - counts[mine] - before;
            row[p] = -1;
        }
        __syncwarp();
    }

    // The place of an entry in a panel (negative: none), and whether a run begins with it. All lanes
    // must call it.
    __device__ Offset next(Index panel, Index mine, bool& begins) const {
        const Word peers = __match_any_sync(ALL_LANES, panel);
        const Word below = peers & lanes_below();
        const bool last = (peers >> lane_id()) == 1u;
        const Index neighbour = __shfl_sync(ALL_LANES, mine, below != 0 ? 31 - __clz(below) : 0);
        Offset place = 0;
        Index met = -1;
        if (panel >= 0) {
            place = at[panel] + __popc(below);
            met = below != 0 ? neighbour : row[panel];
        }
        begins = panel >= 0 && (met != mine || place % PANEL_ROUND == 0);
        __syncwarp();
        if (panel >= 0 && last) {
            at[panel] = place + 1;
            row[panel] = mine;
        }
        __syncwarp();
        return place;
    }
};

// ranked: of each entry the column's number by falling entries; counts: of each panel and warp the
// entries. Needs `panels` words of dynamic shared memory for each warp.
template <class Offset>
__global__ void count_panels(Offset nnz, const Index* indices, const Index* to, Index width,
                             Index panels, Index* ranked, Index* counts) {
    extern __shared__ unsigned long long table[];
    Index* const mine = reinterpret_cast<Index*>(table) + (threadIdx.x >> 5) * panels;
    for (Index p = lane_id(); p < panels; p += 32) mine[p] = 0;
    __syncwarp();
    const long long spans = nnz / SPAN + (nnz % SPAN != 0);
    const Offset first = static_cast<Offset>(spans * warp_id() / warp_count()) * SPAN;
    const Offset end = static_cast<Offset>(spans * (warp_id() + 1) / warp_count()) * SPAN;
#pragma unroll 4
    for (Offset e = first + lane_id(); e < end; e += 32) {
        if (e >= nnz) break;
        const Index k = to[indices[e]];
        ranked[e] = k;
        atomicAdd(mine + k / width, 1);
    }
    __syncwarp();
    for (Index p = lane_id(); p < panels; p += 32)
        counts[static_cast<long long>(p) * warp_count() + warp_id()] = mine[p];
}

// columns, begins: the entries in their new places (both clear before); began: runs of each warp.
// Needs `panels` Offsets and words of dynamic shared memory for each warp.
template <class Offset>
__global__ void split_entries(Offset nnz, const Word* row_begins, const Index* row_ranks,
                              const Index* ranked, Index width, Index panels, const Index* counts,
                              const Offset* ends, const Index* firsts, unsigned short* columns,
                              Word* begins, Index* began) {
    const Cursors<Offset> cursors(panels, counts, ends, firsts);
    const long long warps = warp_count();
    if (warp_id() == 0) {  // what fills up a panel's last round is no part of a run
        for (Index p = lane_id(); p < panels; p += 32) {
            const Offset filled = ends[(p + 1) * warps - 1] - (p > 0 ? ends[p * warps - 1] : 0);
            const Offset end = static_cast<Offset>(firsts[p]) * PANEL_ROUND + filled;
            if (end % PANEL_ROUND != 0) mark(begins, end);
        }
    }
    Index runs = 0;
    Spans<Offset>{nnz, row_begins, row_ranks}.each([&](Offset e, Index row, bool) {
        const Index k = e < nnz ? ranked[e] : 0, panel = e < nnz ? k / width : -1;
        bool starts;
        const Offset place = cursors.next(panel, row, starts);
        if (panel >= 0) columns[place] = static_cast<unsigned short>(k - panel * width);
        if (starts) mark(begins, place);
        runs += __popc(__ballot_sync(ALL_LANES, starts));
    });
    if (lane_id() == 0) began[warp_id()] = runs;
}

// counts[round]: the runs that begin in it.
__global__ void count_runs(Index rounds, const Word* begins, Index* counts) {
    const Index threads = gridDim.x * blockDim.x;
    for (long long round = blockIdx.x * blockDim.x + threadIdx.x; round < rounds; round += threads) {
        Index runs = 0;
        for (int i = 0; i < PANEL_ROUND / 32; ++i) runs += __popc(begins[round * (PANEL_ROUND / 32) + i]);
        counts[round] = runs;
    }
}

// The runs of each row: their numbers, in the order of the entries that they begin with, and marks
// as marks.cuh has them (run_begins clear before). ends_of_runs: running sum of split_entries' began.
template <class Offset>
__global__ void list_runs(Offset nnz, const Word* row_begins, const Index* row_ranks,
                          const Index* ranked, Index width, Index panels, const Index* counts,
                          const Offset* ends, const Index* firsts, const Word* begins,
                          const Index* before, const long long* ends_of_runs, Index* runs,
                          Word* run_begins, Index* run_ranks) {
    const Cursors<Offset> cursors(panels, counts, ends, firsts);
    Index count = warp_id() > 0 ? static_cast<Index>(ends_of_runs[warp_id() - 1]) : 0;
    if (warp_id() == 0 && lane_id() == 0) run_ranks[0] = 0;
    Spans<Offset>{nnz, row_begins, row_ranks}.each([&](Offset e, Index row, bool first) {
        const Index panel = e < nnz ? ranked[e] / width : -1;
        bool starts;
        const Offset place = cursors.next(panel, row, starts);
        const Word all = __ballot_sync(ALL_LANES, starts);
        if (starts) {
            const Index at = count + __popc(all & lanes_below()), round = place / PANEL_ROUND;
            const Word* word = begins + static_cast<long long>(round) * (PANEL_ROUND / 32);
            Index number = before[round];
            for (; word < begins + (place >> 5); ++word) number += __popc(*word);
            runs[at] = number + __popc(*word & ((1u << (place & 31)) - 1));
            if (first) mark(run_begins, at);
            if ((at + 1) % SPAN == 0) run_ranks[(at + 1) / SPAN] = row + 1;
        }
        count += __popc(all);
    });
}

// The values of entries in their new places (clear before).
template <class Offset, class T>
__global__ void split_values(Offset nnz, const Word* row_begins, const Index* row_ranks,
                             const Index* ranked, Index width, Index panels, const Index* counts,
                             const Offset* ends, const Index* firsts, const T* values, T* out) {
    const Cursors<Offset> cursors(panels, counts, ends, firsts);
    Spans<Offset>{nnz, row_begins, row_ranks}.each([&](Offset e, Index row, bool) {
        const Index panel = e < nnz ? ranked[e] / width : -1;
        bool starts;
        const Offset place = cursors.next(panel, row, starts);
        if (panel >= 0) out[place] = values[e];
    });
}
