// The stable partition of entries into column panels (see column_blocked.cuh), in three passes
// over them.
//
// Each warp has a share of consecutive spans of entries, of which each lane reads one entry at a
// time. The first pass counts the warp's entries in each panel; from the prefix sums of these
// counts each warp knows where its entries begin. The second pass writes them there and marks where
// runs begin, which is where the row, the share or the cell changes. The third lists the runs in
// the order of rows. In shared memory a warp stores its position in each panel, and the last row
// that it met there.
// See docs/decisions/spmv.md.
#pragma once
#include "core/append.cuh"
#include "matrix/row_starts.cuh"
#include "spmv/sliced_ell.cuh"

// The input of a pass over the entries: the matrix, its marks, and the numbers of its columns.
template <class Offset> struct Spans {
    Offset nnz;
    const Word* begins;

    // The first entry of a warp's share.
    __device__ Offset share(Index warp) const {
        const long long spans = nnz / SPAN + (nnz % SPAN != 0);
        return static_cast<Offset>(spans * warp / warp_count()) * SPAN;
    }

    // Calls visit(e, row, starts) for each entry of the warp's share, in order. e < nnz is false
    // for lanes beyond the last entry. row distinguishes the rows of the share, and starts says
    // whether the row begins here.
    template <class Visit> __device__ void each(Visit visit) const {
        const Offset first = share(warp_id()), end = share(warp_id() + 1);
        if (first >= end) return;
        Index open = 0;
        for (Offset base = first; base < end && base < nnz; base += 32) {
            const Word starts = begins[base >> 5];
            const bool own = starts >> lane_id() & 1u;
            visit(base + lane_id(), open + __popc(starts & lanes_below()) + own, own);
            open += __popc(starts);
        }
    }
};

// The position of a warp in each panel.
template <class Offset> struct Cursors {
    Offset* at;
    Index* row;  // the last row that it met there
    Index panels;

    // `ends`: running sums of the counts, by panel and then by warp. `firsts`: the first rounds of
    // the panels.
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
            at[p] = static_cast<Offset>(firsts[p]) * CUT + ends[mine] - counts[mine] - before;
            row[p] = -1;
        }
        __syncwarp();
    }

    // The place of an entry in a panel (negative: none), and whether a run begins with it. All
    // lanes must call it.
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
        begins = panel >= 0 && (met != mine || place % CUT == 0);
        __syncwarp();
        if (panel >= 0 && last) {
            at[panel] = place + 1;
            row[panel] = mine;
        }
        __syncwarp();
        return place;
    }
};

// ranked: for each entry the number of its column in the order of falling entries. counts: the
// entries of each panel and warp. Needs `panels` words of dynamic shared memory for each warp.
template <class Offset>
__global__ void count_panels(Offset nnz, const Index* indices, const Index* to, Index width,
                             Index panels, Offset* ranked, Index* counts) {
    extern __shared__ unsigned long long table[];
    Index* const mine = reinterpret_cast<Index*>(table) + (threadIdx.x >> 5) * panels;
    for (Index p = lane_id(); p < panels; p += 32) mine[p] = 0;
    __syncwarp();
    const Spans<Offset> spans{nnz, nullptr};
    const Offset first = spans.share(warp_id()), end = spans.share(warp_id() + 1);
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

// columns, begins: the entries in their new places (both are cleared before). began: the runs of
// each warp. ranked: gets, from the beginning of each share on, the places where its runs begin, in
// the order of rows, with all bits inverted where a row begins, too. Needs `panels` Offsets and
// words of dynamic shared memory for each warp.
template <class Offset>
__global__ void split_entries(Offset nnz, const Word* row_begins, Offset* ranked, Index width, Index panels,
                              const Index* counts, const Offset* ends, const Index* firsts,
                              unsigned short* columns, Word* begins, Index* began) {
    const Cursors<Offset> cursors(panels, counts, ends, firsts);
    const long long warps = warp_count();
    if (warp_id() == 0) {  // what fills up the last cell of a panel belongs to no run
        for (Index p = lane_id(); p < panels; p += 32) {
            const Offset filled = ends[(p + 1) * warps - 1] - (p > 0 ? ends[p * warps - 1] : 0);
            const Offset end = static_cast<Offset>(firsts[p]) * CUT + filled;
            if (end % CUT != 0) mark(begins, end);
        }
    }
    const Spans<Offset> spans{nnz, row_begins};
    Offset* const listed = ranked + spans.share(warp_id());
    Index runs = 0;
    spans.each([&](Offset e, Index row, bool first) {
        const Index k = e < nnz ? static_cast<Index>(ranked[e]) : 0, panel = e < nnz ? k / width : -1;
        bool starts;
        const Offset place = cursors.next(panel, row, starts);
        if (panel >= 0) columns[place] = static_cast<unsigned short>(k - panel * width);
        const Index at = append_own(starts, runs);
        if (!starts) return;
        mark(begins, place);
        listed[at] = first ? ~place : place;
    });
    if (lane_id() == 0) began[warp_id()] = runs;
}

// The items of each row, in the order of the first entries of its runs, and marks as in
// row_starts.cuh (item_begins is cleared before). listed: the output `ranked` of split_entries.
// ends_of_runs: the running sum of its `began`. named: for each run its item, in the order of
// places. before: the runs before each cell.
template <class Offset>
__global__ void list_items(Offset nnz, const Index* row_ranks, const Offset* listed, const Word* begins,
                           const Index* before, const Index* named, const long long* ends_of_runs,
                           Index* items, Word* item_begins, Index* item_ranks) {
    if (warp_id() == 0 && lane_id() == 0) item_ranks[0] = 0;
    const long long count = warp_id() > 0 ? ends_of_runs[warp_id() - 1] : 0;
    const Offset first = Spans<Offset>{nnz, nullptr}.share(warp_id());
    const Index many = static_cast<Index>(ends_of_runs[warp_id()] - count);
    Index open = many > 0 ? row_ranks[first / SPAN] : 0;
    for (Index base = 0; base < many; base += 32) {
        const bool has = base + lane_id() < many;
        const Offset seen = has ? listed[first + base + lane_id()] : 0, place = seen < 0 ? ~seen : seen;
        const Word starts = __ballot_sync(ALL_LANES, seen < 0);
        if (has) {
            const Index at = static_cast<Index>(count) + base + lane_id(), cell = static_cast<Index>(place / CUT);
            items[at] = named[before[cell] + __popcll(cell_of(begins, cell) & ((1ull << place % CUT) - 1))];
            if (seen < 0) mark(item_begins, at);
            if ((at + 1) % SPAN == 0)
                item_ranks[(at + 1) / SPAN] = open + __popc(starts & lanes_below()) + (seen < 0);
        }
        open += __popc(starts);
    }
}

// The values of entries in their new places (cleared before).
template <class Offset, class T>
__global__ void split_values(Offset nnz, const Word* row_begins, const Offset* ranked, Index width,
                             Index panels, const Index* counts, const Offset* ends, const Index* firsts,
                             const T* values, T* out) {
    const Cursors<Offset> cursors(panels, counts, ends, firsts);
    Spans<Offset>{nnz, row_begins}.each([&](Offset e, Index row, bool) {
        const Index panel = e < nnz ? static_cast<Index>(ranked[e]) / width : -1;
        bool starts;
        const Offset place = cursors.next(panel, row, starts);
        if (panel >= 0) out[place] = values[e];
    });
}
