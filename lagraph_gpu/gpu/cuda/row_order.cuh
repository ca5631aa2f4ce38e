// The entries of each row in the order of 32-bit keys, from some arrays into others; where keys are equal
// they stay as they were.
//
// Of up to 32 entries each lane of a warp counts those that come before its own. More are sorted in shared
// memory, of a warp or a block, digit by digit from the lowest in which keys differ (Knuth, TAOCP 3, 5.2.5):
// places move, keys stay. Rows that have no room there are cut in tiles (see row_tiles.cuh).
// O(entries · digits).
#pragma once
#include "groups.cuh"
#include "row_keys.cuh"

constexpr int SHORT_ROW = 32, WARP_ROOM = 512, BLOCK_ROOM = 4096;  // entries of a row
constexpr int NARROW = 8;    // rows of so many entries or less share a warp
constexpr int AT_ONCE = 4;   // rows of a lane, or entries, that are on their way together
constexpr int KINDS = 2;     // rows for a warp, for a block

// Lists the rows that are not short, by kind: list k begins at rows[k n], and counts[k], 0 at first, is its
// length. Longer ones are listed by tiles: which row each belongs to, and which is the row's first;
// counts[KINDS] is how many there are.
template <class Offset>
__global__ void list_long_rows(Index n, const Offset* begins, Index* rows, Index* tile_rows,
                               Index* tile_firsts, unsigned* counts) {
    for (Index base = warp_id() << 5; base < n; base += warp_count() << 5) {
        const Index row = base + lane_id();
        const Offset degree = row < n ? begins[row + 1] - begins[row] : 0;
        const int kind = degree <= SHORT_ROW ? -1 : degree <= WARP_ROOM ? 0 : degree <= BLOCK_ROOM ? 1 : KINDS;
        for (int k = 0; k < KINDS; ++k) {
            const Word some = __ballot_sync(ALL_LANES, kind == k);
            if (some == 0) continue;
            unsigned at = 0;
            if (lane_id() == 0) at = atomicAdd(counts + k, unsigned(__popc(some)));
            at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());
            if (kind == k) rows[static_cast<long long>(k) * n + at] = row;
        }
        if (kind != KINDS) continue;
        const unsigned tiles = static_cast<unsigned>((degree + BLOCK_ROOM - 1) / BLOCK_ROOM);
        const unsigned at = atomicAdd(counts + KINDS, tiles);
        for (unsigned t = at; t < at + tiles; ++t) {
            tile_rows[t] = row;
            tile_firsts[t] = static_cast<Index>(at);
        }
    }
}

// Rows of up to `width` entries, as many at a time as the warp has room for, TOGETHER times.
template <int TOGETHER, class Order>
__device__ inline void order_in_lanes(const Order& order, int width, typename Order::Offset first,
                                      typename Order::Offset begin, int degree) {
    using Offset = typename Order::Offset;
    using Entry = Moved<typename Order::T>;
    const int mine = lane_id() & (width - 1), group = lane_id() - mine, rows = 32 / width;
    for (int base = 0; base < 32; base += TOGETHER * rows) {
        Offset from[TOGETHER], to[TOGETHER];
        int count[TOGETHER];
        unsigned key[TOGETHER];
        Entry moved[TOGETHER];
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int whose = base + r * rows + group / width;
            from[r] = __shfl_sync(ALL_LANES, first, whose) + mine;
            to[r] = __shfl_sync(ALL_LANES, begin, whose);
            count[r] = __shfl_sync(ALL_LANES, degree, whose);
            key[r] = mine < count[r] ? order.key(from[r]) : 0;
        }
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r)
            if (mine < count[r]) moved[r] = order.entry(from[r], key[r]);
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int others = width < 32 ? width : count[r];
            for (int i = 0; i < others; ++i) {
                const unsigned other = __shfl_sync(ALL_LANES, key[r], group + i);
                to[r] += i < count[r] && (other < key[r] || (other == key[r] && i < mine));
            }
            if (mine < count[r]) order.put(to[r], moved[r]);
        }
    }
}

template <class Order, int TOGETHER>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    order_short_rows(Index n, const Index* old, const Index* to, const typename Order::Offset* indptr,
                     const Index* indices, const typename Order::T* values, unsigned flip,
                     const typename Order::Offset* begins, Index* out_indices,
                     typename Order::T* out_values) {
    using Offset = typename Order::Offset;
    const Order order{{old, to, indptr, indices, values, flip, begins, out_indices, out_values}};
    for (Index base = warp_id() << 5; base < n; base += warp_count() << 5) {
        const Index row = base + lane_id();
        const Offset length = row < n ? order.degree(row) : 0;
        const int degree = length <= SHORT_ROW ? static_cast<int>(length) : 0;
        if (!__any_sync(ALL_LANES, degree > 0)) continue;
        const Offset first = degree > 0 ? order.first(row) : 0, begin = degree > 0 ? begins[row] : 0;
        if (__any_sync(ALL_LANES, degree > NARROW)) order_in_lanes<TOGETHER>(order, 32, first, begin, degree);
        else order_in_lanes<TOGETHER>(order, NARROW, first, begin, degree);
    }
}

// The lanes that have the same digit; those without one, -1, have each other.
template <int BITS, bool BALLOTS> __device__ inline Word lanes_alike(int digit) {
    if constexpr (!BALLOTS) return __match_any_sync(ALL_LANES, digit);
    Word alike = __ballot_sync(ALL_LANES, digit >= 0);
    if (digit < 0) alike = ~alike;
#pragma unroll
    for (int bit = 0; bit < BITS; ++bit) {
        const bool set = digit >> bit & 1;
        const Word those = __ballot_sync(ALL_LANES, set);
        alike &= set ? those : ~those;
    }
    return alike;
}

// What a group sorts with: the key of each entry, their places before and after a pass, and a count for each
// digit and warp.
template <class Group, int ROOM, int BITS, bool BALLOTS> struct Desk {
    static constexpr int WARPS = Group::one_warp ? 1 : MAX_THREADS / 32, RADIX = 1 << BITS;
    unsigned keys[ROOM];
    unsigned short places[2][ROOM];
    unsigned counts[WARPS][RADIX + RADIX / 32], sums[WARPS], differ;

    // Takes the keys of `count` entries, key(i), when all threads of the group have come; yields the bits in
    // which some differ.
    template <class Key> __device__ unsigned fill(int count, Key key) {
        const unsigned one = key(0);
        unsigned own = 0;
        if (Group::rank() == 0) differ = 0;
        Group::sync();
        for (int base = Group::rank(); base < count; base += AT_ONCE * Group::size()) {
            unsigned mine[AT_ONCE];
#pragma unroll
            for (int r = 0; r < AT_ONCE; ++r) {
                const int i = base + r * Group::size();
                mine[r] = i < count ? key(i) : one;
            }
#pragma unroll
            for (int r = 0; r < AT_ONCE; ++r) {
                const int i = base + r * Group::size();
                own |= mine[r] ^ one;
                if (i >= count) continue;
                keys[i] = mine[r];
                places[0][i] = static_cast<unsigned short>(i);
            }
        }
        for (int distance = 16; distance > 0; distance >>= 1)
            own |= __shfl_xor_sync(ALL_LANES, own, distance);
        if (lane_id() == 0) atomicOr(&differ, own);
        Group::sync();
        return differ;
    }

    __device__ static int digit(unsigned key, int shift) { return static_cast<int>(key >> shift & (RADIX - 1)); }
    // Counts are apart so that the lanes' digits, one after another or `each` apart, meet in no bank.
    __device__ unsigned& count_of(int warp, int digit) { return counts[warp][digit + digit / 32]; }

    // Counts become how many places come before those of each digit and warp.
    __device__ void add_up() {
        const int warps = Group::size() / 32, each = RADIX / Group::size();
        unsigned own = 0, total;
        for (int d = Group::rank() * each; d < (Group::rank() + 1) * each; ++d)
            for (int w = 0; w < warps; ++w) own += count_of(w, d);
        unsigned before = Group::running(own, total, sums) - own;
        for (int d = Group::rank() * each; d < (Group::rank() + 1) * each; ++d) {
            for (int w = 0; w < warps; ++w) {
                const unsigned here = count_of(w, d);
                count_of(w, d) = before;
                before += here;
            }
        }
        Group::sync();
    }

    // One pass of a stable sort, by the digit at `shift`. Each warp has a stretch of places of its own.
    // Afterwards counts are where each digit of each warp ends.
    __device__ void pass(int side, int count, int shift) {
        const int warps = Group::size() / 32, warp = Group::rank() / 32;
        const int share = (count + Group::size() - 1) / Group::size() * 32;
        const int first = warp * share, last = first + share < count ? first + share : count;
        for (int d = Group::rank(); d < RADIX; d += Group::size())
            for (int w = 0; w < warps; ++w) count_of(w, d) = 0;
        Group::sync();
        for (int i = first + lane_id(); i < last; i += 32)
            atomicAdd(&count_of(warp, digit(keys[places[side][i]], shift)), 1u);
        Group::sync();
        add_up();
        for (int base = first + lane_id(); base - lane_id() < last; base += 32 * AT_ONCE) {
            unsigned short place[AT_ONCE];
            int own[AT_ONCE];
            Word peers[AT_ONCE];
#pragma unroll
            for (int r = 0; r < AT_ONCE; ++r) {
                const bool has = base + 32 * r < last;
                place[r] = has ? places[side][base + 32 * r] : 0;
                own[r] = has ? digit(keys[place[r]], shift) : -1;
                peers[r] = lanes_alike<BITS, BALLOTS>(own[r]);
            }
#pragma unroll
            for (int r = 0; r < AT_ONCE; ++r) {
                const Word below = peers[r] & lanes_below();
                const unsigned to = own[r] < 0 ? 0 : count_of(warp, own[r]) + __popc(below);
                __syncwarp();
                if (own[r] >= 0) places[1 - side][to] = place[r];
                if (own[r] >= 0 && below == 0) count_of(warp, own[r]) += __popc(peers[r]);
                __syncwarp();
            }
        }
        Group::sync();
    }

    // Where the places of a digit begin, after a pass.
    __device__ unsigned begin_of(int digit) {
        return digit == 0 ? 0 : count_of(Group::size() / 32 - 1, digit - 1);
    }
};

// Sorts the rows of a list of which *count are there.
template <class Order, class Group, int ROOM, int BITS, bool BALLOTS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    order_listed_rows(const Index* rows, const unsigned* count, const Index* old, const Index* to,
                      const typename Order::Offset* indptr, const Index* indices,
                      const typename Order::T* values, unsigned flip,
                      const typename Order::Offset* begins, Index* out_indices,
                      typename Order::T* out_values) {
    using Offset = typename Order::Offset;
    using Sorter = Desk<Group, ROOM, BITS, BALLOTS>;
    __shared__ Sorter desks[Group::one_warp ? MAX_THREADS / 32 : 1];
    Sorter& desk = desks[Group::number()];
    const Order order{{old, to, indptr, indices, values, flip, begins, out_indices, out_values}};
    const unsigned groups = gridDim.x * Group::per_block(), all = *count;
    for (unsigned r = blockIdx.x * Group::per_block() + Group::number(); r < all; r += groups) {
        const Offset first = order.first(rows[r]), begin = begins[rows[r]];
        const int degree = static_cast<int>(order.degree(rows[r]));
        const unsigned differ = desk.fill(degree, [&](int i) { return order.key(first + i); });
        int side = 0;
        for (int shift = __ffs(static_cast<int>(differ)) - 1; shift >= 0 && shift < 32 && differ >> shift != 0;
             shift += BITS, side = 1 - side)
            desk.pass(side, degree, shift);
        for (int base = Group::rank(); base < degree; base += AT_ONCE * Group::size()) {
            Moved<typename Order::T> moved[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const int i = base + k * Group::size();
                if (i >= degree) continue;
                const unsigned short place = desk.places[side][i];
                moved[k] = order.entry(first + place, desk.keys[place]);
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const int i = base + k * Group::size();
                if (i < degree) order.put(begin + i, moved[k]);
            }
        }
        Group::sync();  // the next row may come
    }
}
