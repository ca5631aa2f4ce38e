// The rows that are packed: those of a range, and the short ones of them 32 at a time.
// See docs/decisions/layouts.md.
#pragma once
#include "core/load_balance.cuh"
#include "matrix/pack_block.cuh"

// The rows of a range: those from indptr[i] - origin on.
template <class Offset> struct PlainRows {
    const Offset* indptr;
    Offset origin;
    const Index* columns;

    __device__ Offset length(long long i) const { return indptr[i + 1] - indptr[i]; }
    __device__ const Index* row(long long i) const { return columns + (indptr[i] - origin); }
};

// The short rows of a group of 32: this lane's has `gaps` after its first column, which is columns[0]. The whole warp
// takes one row of more than QUARTER gaps at a time. The gaps of others that stand together are shared out: a lane
// takes four.
template <class Offset> struct ShortGroup {
    const Index* columns;
    int gaps;

    __device__ ShortGroup(const PlainRows<Offset>& rows, Index count, Index number) : columns(rows.columns), gaps(0) {
        const Index i = (number << 5) + lane_id();
        if (i >= count) return;
        columns = rows.row(i);
        const Offset length = rows.length(i);
        gaps = length > 0 ? static_cast<int>(length) - 1 : 0;
    }
    // All rows, in order. Calls wide(lane, gaps, count) for each of more than QUARTER gaps, and for the gaps of others
    // narrow(lane, gaps, from, count, last): `count` of this lane's four are those of the row of `lane` from number
    // `from` on, and `last` is the last lane of the warp that has any.
    template <class Wide, class Narrow> __device__ void each(Wide wide, Narrow narrow) const {
        Word before = ALL_LANES;  // the rows that are left
        for (Word some = __ballot_sync(ALL_LANES, gaps > QUARTER);; some &= some - 1) {
            const int next = some == 0 ? 32 : __ffs(static_cast<int>(some)) - 1;
            const Word run = next == 32 ? before : before & ((1u << next) - 1);
            if ((__ballot_sync(ALL_LANES, gaps > 0) & run) != 0) each_narrow(run, narrow);
            if (next == 32) return;
            before &= next == 31 ? 0 : ALL_LANES << (next + 1);
            const int count = __shfl_sync(ALL_LANES, gaps, next);
            const Index* const row = from_lane(next);
            Word found[OF_LANE];
            gaps_between(row + 1, row[0], count, found);
            wide(next, found, count);
        }
    }
    template <class Narrow> __device__ void each_narrow(Word those, Narrow narrow) const {
        const int own = those >> lane_id() & 1u ? gaps : 0;
        const WarpShare share((own + OF_LANE - 1) / OF_LANE);
        for (int base = 0; base < share.total; base += 32) {
            const int t = base + lane_id(), item = t < share.total ? t : share.total - 1, lane = share.owner(item);
            const int from = OF_LANE * (item - __shfl_sync(ALL_LANES, share.begin, lane));
            const int left = __shfl_sync(ALL_LANES, own, lane) - from;
            const int count = t >= share.total ? 0 : left < OF_LANE ? left : OF_LANE;
            const Index* const row = from_lane(lane) + from;
            Index here[OF_LANE + 1];
#pragma unroll
            for (int i = 0; i <= OF_LANE; ++i) here[i] = count > 0 && i <= count ? row[i] : 0;
            Word found[OF_LANE];
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) found[i] = i < count ? static_cast<Word>(here[i + 1] - here[i] - 1) : 0;
            narrow(lane, found, from, count, share.total - base < 32 ? share.total - base - 1 : 31);
        }
    }
    __device__ const Index* from_lane(int lane) const {
        const auto own = reinterpret_cast<unsigned long long>(columns);
        return reinterpret_cast<const Index*>(__shfl_sync(ALL_LANES, own, lane));
    }
};
