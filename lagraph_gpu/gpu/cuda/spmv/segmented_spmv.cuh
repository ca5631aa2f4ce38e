// Pull by entries: w⟨mask⟩ = Aᵀ ⊕.⊗ u, with equal shares of the entries for all warps, whatever the
// lengths of the rows.
//
// Each warp has a share of consecutive entries and processes 128 of them at a time, four for each
// lane, so that indices and values are read from adjacent addresses and many reads of u are issued
// at once. One bit for each entry says whether a row begins there (see row_starts.cuh); a segmented
// scan over the lanes folds each row. A row that began in an earlier share is not finished there:
// the share's part of it is a carry, and add_carries folds the carries of a row in the order of the
// shares. So no result depends on timing: sums of floats are the same whenever the same number of
// warps divides the entries. Reads nnz / 8 bytes of marks and 4 bytes for each row besides the
// matrix (Blelloch, Heroux and Zagha 1993: segmented operations for sparse matrices; cf. Merrill
// and Garland, Merge-based SpMV, SC 2016).
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "spmv/segmented_operands.cuh"
#include "matrix/row_starts.cuh"

// first ⊕ second, either of which may be missing.
template <class S> __device__ inline Partial<S> joined(Partial<S> first, Partial<S> second) {
    if (!second.has) return first;
    if (first.has) second.value = S::add(first.value, second.value);
    return second;
}

template <class S, template <class> class Vector, class Written> struct EntryShare {
    using Z = typename S::Z;
    static constexpr bool all = Vector<S>::all;

    const Index* rows;
    Word* out_bits;
    Z* out;
    Index before;  // the row that began in an earlier share
    Index number;  // of this share
    int* carried;
    Z* carries;
    Written written;

    // Row number `row`, which began in this share, ends in it.
    __device__ void write(Index row, Partial<S> found) const {
        if (!found.has) return;
        const Index j = rows[row];
        out[j] = found.value;
        written(found.value);
        if (!all) atomicOr(out_bits + (j >> 5), 1u << (j & 31));
    }

    // Writes this share's part of a row.
    __device__ void finish(Index row, Partial<S> found) const {
        if (row != before) return write(row, found);
        carried[number] = found.has;
        carries[number] = found.value;
    }

    // Folds a round of products into rows. `carry` is the value so far of the row that is not
    // finished, and `last` the last lane with an entry; if all entries count, all lanes up to it
    // have a value.
    __device__ void fold(const Place& place, const Partial<S>* found, int last,
                         Partial<S>& carry) const {
        const int lane = lane_id();
        Index row = place.open;
        Partial<S> mine = nothing<S>(), lead = mine;  // lead: before the first row that begins in this lane
#pragma unroll
        for (int i = 0; i < QUAD; ++i) {
            if (place.begins >> i & 1) {
                if (place.begins & ((1 << i) - 1)) write(row, mine);
                else lead = mine;
                ++row;
                mine = nothing<S>();
            }
            mine = joined(mine, found[i]);
            if (all) mine.has = true;
        }
        const Word upto = __ballot_sync(ALL_LANES, place.begins != 0) & ((2u << lane) - 1);
        const int reach = upto != 0 ? lane + __clz(upto) - 31 : lane;  // lanes back to the one in which the row began
        if (lane == 0 && place.begins == 0) mine = joined(carry, mine);
#pragma unroll
        for (int distance = 1; distance < 32; distance <<= 1) {
            Partial<S> sum{from_lanes_below<Z>(mine.value, distance), true};
            if (!all) sum.has = __shfl_up_sync(ALL_LANES, int(mine.has), distance);
            sum = joined(sum, mine);
            mine.value = distance <= reach ? sum.value : mine.value;
            mine.has = distance <= reach ? sum.has : mine.has;
        }
        Partial<S> prior{from_lanes_below<Z>(mine.value, 1), true};
        if (!all) prior.has = __shfl_up_sync(ALL_LANES, int(mine.has), 1);
        if (lane == 0) prior = carry;
        if (place.begins != 0) finish(place.open, joined(prior, lead));
        carry.value = from_lane<Z>(mine.value, last);
        carry.has = all || __shfl_sync(ALL_LANES, int(mine.has), last);
    }
};

// The number of rows that begin before entry `at`, a multiple of ROUND.
template <class Offset>
__device__ inline Index begun(const Word* begins, const Index* ranks, Offset at) {
    const Offset span = at / SPAN;
    Index count = 0;
    if (lane_id() < static_cast<int>(at % SPAN) / 32) count = __popc(begins[(at - at % SPAN) / 32 + lane_id()]);
    return ranks[span] + warp_reduce<Sum>(count);
}

// The entries of a matrix, row after row. A bit of `begins` for each says whether a row begins with it,
// `rows` are the non-empty rows in order, and ranks counts how many begin before each SPAN of entries.
template <class Offset, class A> struct MarkedEntries {
    Offset nnz;
    const Word* begins;
    const Index* ranks;
    const Index* rows;
    const Index* indices;
    const A* values;
    int stride;
};

// What each share adds to the row that began before it: the row, whether there is something, and it.
template <class Z> struct Carries {
    Index* rows;
    int* carried;
    Z* values;
};

// The share of a warp, of as many as the grid has warps. Rows without an entry in the result are not
// written. out_bits must be clear, or, if all entries count, hold the rows with entries. Calls
// written(z) for each z that becomes the value of a row.
template <class S, int rounds, template <class> class Vector, class Written>
__device__ inline void pull_share(const MarkedEntries<typename S::Offset, typename S::A>& matrix,
                                  const Vector<S>& vector, Word* out_bits, typename S::Z* out,
                                  const Carries<typename S::Z>& carries, Written written) {
    using Offset = typename S::Offset;
    using A = typename S::A;
    constexpr int UNIT = rounds * ROUND;
    const auto [nnz, begins, ranks, rows, indices, values, stride] = matrix;
    const long long units = nnz / UNIT + (nnz % UNIT != 0);
    const Index share = warp_id();
    const Offset first = static_cast<Offset>(units * share / warp_count());
    const Offset last = static_cast<Offset>(units * (share + 1) / warp_count());
    Index open = begun(begins, ranks, static_cast<Offset>(first * UNIT)) - 1;
    const EntryShare<S, Vector, Written> mine{rows, out_bits, out, open, share, carries.carried, carries.values,
                                              written};
    if (lane_id() == 0) carries.rows[share] = open < 0 ? -1 : rows[open];

    const bool whole_indices = aligned(indices), whole_values = aligned(values);
    Partial<S> carry = nothing<S>();
    for (Offset unit = first; unit < last; ++unit) {
        const Offset base = unit * UNIT + lane_id() * QUAD;
        uint4 marks[rounds];
        Quad<Index> k[rounds];
        Quad<A> a[rounds];
        Place place[rounds];
        int wanted[rounds];  // a bit for each of this lane's entries that counts
#pragma unroll
        for (int r = 0; r < rounds; ++r)
            marks[r] = *reinterpret_cast<const uint4*>(begins + (unit * UNIT + r * ROUND) / 32);
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const Offset e = base + r * ROUND;
            const Offset left = nnz - e;
            int count = left < QUAD ? static_cast<int>(left) : QUAD;
            wanted[r] = count < 0 ? 0 : (1 << count) - 1;
            if constexpr (!Vector<S>::all) {
                place[r] = place_of(marks[r], open);
                open += place[r].all;
                wanted[r] = vector.wanted(place[r], wanted[r]);
                if (wanted[r] == 0) count = 0;
            }
            k[r] = read_quad(indices + e, count, whole_indices);
            if (S::reads_matrix && stride != 0) a[r] = read_quad(values + e, count, whole_values);
        }
        Partial<S> found[rounds][QUAD];
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            if constexpr (Vector<S>::all) {
                place[r] = place_of(marks[r], open);
                open += place[r].all;
            }
            Index row = place[r].open;
#pragma unroll
            for (int i = 0; i < QUAD; ++i) {
                const Index at = k[r].at[i];
                row += place[r].begins >> i & 1;
                found[r][i] = {S::start(), bool(wanted[r] >> i & 1)};
                if constexpr (!Vector<S>::all) {
                    found[r][i].has = found[r][i].has && vector.has(at);
                    if (!found[r][i].has) continue;
                }
                Only<A> weight{};
                if (S::reads_matrix) weight.value = stride != 0 ? a[r].at[i] : *values;
                const Index j = S::reads_row ? rows[row] : 0;
                found[r][i].value = S::product(vector, at, weight, 0, j);
            }
        }
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const Offset left = nnz - (unit * UNIT + r * ROUND);
            const int end = left < ROUND ? static_cast<int>(left) : ROUND;
            if (end > 0) mine.fold(place[r], found[r], (end - 1) / QUAD, carry);
        }
    }
    if (lane_id() == 0) mine.finish(open, carry);
}

template <class S, template <class> class Vector, int rounds>
__global__ void __launch_bounds__(1024, 1)
    segmented_spmv(typename S::Offset nnz, const Word* begins, const Index* ranks, const Index* rows,
              const Index* indices, const typename S::A* values, int stride, const Word* u_bits,
              const typename S::U* u, const Word* mask_bits, Word mask_flip, Word* out_bits,
              typename S::Z* out, Index* carry_rows, int* carried, typename S::Z* carries) {
    const Vector<S> vector(Operand<S>{u, u_bits, {mask_bits, mask_flip}, rows});
    pull_share<S, rounds>({nnz, begins, ranks, rows, indices, values, stride}, vector, out_bits, out,
                          {carry_rows, carried, carries}, [](typename S::Z) {});
}

// Folds the carries of each row, in order, which `add` adds to the part from the share in which the row
// began. It runs when all shares are done. Most rows have one carry, which a lane adds; a warp folds
// several.
template <class S, class Add>
__device__ inline void fold_carries(Index shares, const Index* rows, const int* carried,
                                    const typename S::Z* carries, Add add) {
    for (Index base : warp_stride<Index>(shares, 32)) {
        const Index own = base + lane_id(), j = own < shares ? rows[own] : -1;
        const bool first = j >= 0 && (own == 0 || rows[own - 1] != j);
        const bool several = first && own + 1 < shares && rows[own + 1] == j;
        if (first && !several && carried[own]) add(j, carries[own]);
        for (Word left = __ballot_sync(ALL_LANES, several); left != 0; left &= left - 1) {
            const Index begin = base + __ffs(left) - 1, row = rows[begin];
            Partial<S> whole = nothing<S>();
            for (Index from = begin; from < shares && rows[from] == row; from += 32) {
                const Index share = from + lane_id();
                Partial<S> mine = nothing<S>();
                if (share < shares && rows[share] == row && carried[share]) mine.fold(carries[share]);
                whole = joined(whole, fold_warp(mine));
            }
            if (lane_id() == 0 && whole.has) add(row, whole.value);
        }
    }
}

template <class S>
__global__ void add_carries(Index shares, const Index* rows, const int* carried,
                            const typename S::Z* carries, Word* out_bits, typename S::Z* out) {
    fold_carries<S>(shares, rows, carried, carries, [=](Index j, typename S::Z value) {
        const bool had = peek(out_bits + (j >> 5)) >> (j & 31) & 1u;
        out[j] = had ? S::add(out[j], value) : value;
        if (!had) claim(out_bits, j);
    });
}
