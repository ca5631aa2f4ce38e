// Tables of distances over a contraction: two sweeps over triangular factors, in one launch.
//
// The distances of a vertex from all sources are adjacent, 32 · V in a chunk and V for each lane,
// so an arc is one coalesced read for all of them. A warp processes a chunk of a vertex; in levels
// of few vertices, whose rows are the longest, a block does. There is a barrier of the whole grid
// after each level. In the upward sweep a vertex pulls from earlier vertices if some source of the
// chunk has reached them; most have not been reached. The product with the core is one more level.
// In the downward sweep every wanted vertex pulls over all of its arcs.
//
// Lengths are integers, and their type holds twice `never`, the length of no path, so overflow is
// not tested. A minimum may include an arc twice: the arcs that a lane reads at once are padded
// with the last arc.
// See docs/decisions/contraction.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid.cuh"
#include "core/grid_stride.cuh"

constexpr int SWEEP_WARPS = SWEEP_BLOCK / 32;

template <class T, int V> struct __align__(sizeof(T) * V) Lanes {
    T value[V];

    // The better of this and a path over an arc from there.
    __device__ void fold(const Lanes& there, T length) {
#pragma unroll
        for (int i = 0; i < V; ++i) {
            const T sum = there.value[i] + length;
            value[i] = sum < value[i] ? sum : value[i];
        }
    }
};

// Rows of arcs: those of row i are first[i] … first[i + 1] - 1.
template <class Offset, class T> struct Arcs {
    const Offset* first;
    const Index* end;
    const T* length;
};

// The number of this warp among those that process a chunk of a vertex, and how many these are.
struct RowPart {
    int which, of;
};

template <class T, int V> struct ContractionSweep {
    using Row = Lanes<T, V>;
    static constexpr int ROWS_PER_LANE = V == 1 ? 8 : 4;  // rows that a lane loads before it uses the first

    Index chunks;  // of a vertex
    T never;
    Row* x;
    Word* reached;  // a bit for each chunk of each vertex
    Row* room;      // in shared memory, 32 for each warp of the block

    __device__ Row* row(Index v, Index chunk) const {
        return x + (static_cast<long long>(v) * chunks + chunk) * 32 + lane_id();
    }
    __device__ Row nothing() const {
        Row none;
        for (int i = 0; i < V; ++i) none.value[i] = never;
        return none;
    }

    // Writes the best of all parts to v, once before a barrier. True for the one warp that has
    // written it.
    __device__ bool put(Row best, Index v, Index chunk, RowPart part) const {
        if (part.of > 1) {
            room[part.which * 32 + lane_id()] = best;
            __syncthreads();
            if (part.which != 0) return false;
            for (int other = 1; other < part.of; ++other) best.fold(room[other * 32 + lane_id()], 0);
        }
        *row(v, chunk) = best;
        return true;
    }

    // The part of one vertex that `count` vertices give it over their arcs, for those that the
    // chunk has reached; `arc(i, u, length)` returns the i-th arc. All lanes must call it.
    template <class Arc>
    __device__ bool pull_reached(Row& best, Index chunk, Index count, RowPart part, Arc arc) const {
        Word any = 0;
        for (Index base = part.which * 32; base < count; base += part.of * 32) {
            const Index i = base + lane_id();
            Index u = 0;
            T length = 0;
            if (i < count) arc(i, u, length);
            Word open = __ballot_sync(ALL_LANES, i < count && (reached[u] >> chunk & 1u));
            any |= open;
            int lane = 0;
            while (open != 0) {
                Row there[ROWS_PER_LANE];
                T over[ROWS_PER_LANE];
#pragma unroll
                for (int r = 0; r < ROWS_PER_LANE; ++r) {
                    if (open != 0) lane = __ffs(static_cast<int>(open)) - 1;
                    open &= open - 1;
                    there[r] = *row(__shfl_sync(ALL_LANES, u, lane), chunk);
                    over[r] = __shfl_sync(ALL_LANES, length, lane);
                }
#pragma unroll
                for (int r = 0; r < ROWS_PER_LANE; ++r) best.fold(there[r], over[r]);
            }
        }
        return any != 0;
    }

    // A source of the chunk is at v. If several are, all of them write the same.
    __device__ void begin(Index v, Index chunk) const {
        if (lane_id() == 0) atomicOr(reached + v, 1u << chunk);
        *row(v, chunk) = nothing();
    }

    template <class Offset>
    __device__ void rise(Index v, Index chunk, const Arcs<Offset, T>& in, RowPart part) const {
        const bool begun = peek(reached + v) >> chunk & 1u;
        Row best = begun ? *row(v, chunk) : nothing();
        const Offset first = in.first[v];
        const Index count = static_cast<Index>(in.first[v + 1] - first);
        bool any = pull_reached(best, chunk, count, part, [&](Index i, Index& u, T& length) {
            u = in.end[first + i];
            length = in.length[first + i];
        });
        if (part.of > 1) any = __syncthreads_or(any);
        if (any && put(best, v, chunk, part) && lane_id() == 0 && !begun) atomicOr(reached + v, 1u << chunk);
    }

    // The vertices of the core are `core` … n - 1, and their distances are written from place n on.
    // `lengths` has a row for each of them, with the lengths of the paths to it.
    __device__ void cross(Index j, Index chunk, Index core, Index n, const T* lengths, RowPart part) const {
        Row best = nothing();
        const T* const row = lengths + static_cast<long long>(j) * (n - core);
        pull_reached(best, chunk, n - core, part, [&](Index i, Index& u, T& length) {
            u = core + i;
            length = row[i];
        });
        put(best, n + j, chunk, part);
    }

    template <class Offset>
    __device__ void fall(Index v, Index chunk, const Arcs<Offset, T>& out, RowPart part) const {
        Row best = reached[v] >> chunk & 1u ? *row(v, chunk) : nothing();
        const Offset last = out.first[v + 1];
        for (Offset e = out.first[v] + part.which * ROWS_PER_LANE; e < last; e += part.of * ROWS_PER_LANE) {
            Row there[ROWS_PER_LANE];
            T over[ROWS_PER_LANE];
#pragma unroll
            for (int r = 0; r < ROWS_PER_LANE; ++r) {
                const Offset arc = e + r < last ? e + r : last - 1;
                there[r] = *row(out.end[arc], chunk);
                over[r] = out.length[arc];
            }
#pragma unroll
            for (int r = 0; r < ROWS_PER_LANE; ++r) best.fold(there[r], over[r]);
        }
        put(best, v, chunk, part);
    }
};

// Levels 0 … levels - 1 begin at the places begins[level], and the core at begins[levels];
// begins[levels + 1] is n. in: for each place the arcs from earlier places. core: see cross.
// wanted: the eliminated vertices whose distances are needed, those of a level from turns[level]
// on. out: for each eliminated place the arcs to it from later places, where the places of the core
// are counted from n. The k sources are places, too. x has room for n rows and one more for each
// vertex of the core. reached and arrivals are 0 at first.
template <class Offset, class T, int V>
__global__ void __launch_bounds__(32 * SWEEP_WARPS, 4)
    contraction_sweep(Index n, Index chunks, Index k, const Index* sources, T never, Index levels, const Index* begins,
          const Offset* in_first, const Index* in_end, const T* in_length, const T* core,
          const Index* turns, const Index* wanted, const Offset* out_first, const Index* out_end,
          const T* out_length, T* x, Word* reached, unsigned* arrivals) {
    __shared__ Lanes<T, V> room[SWEEP_WARPS * 32];
    const Grid grid{arrivals};
    const ContractionSweep<T, V> sweep{chunks, never, reinterpret_cast<Lanes<T, V>*>(x), reached, room};
    const Arcs<Offset, T> in{in_first, in_end, in_length}, out{out_first, out_end, out_length};
    // A block processes each chunk of the `count` vertices if there are enough blocks; otherwise
    // a warp does. x has 128 bytes for each chunk of each vertex, so memory keeps their number within
    // an Index.
    const auto share = [&](Index count, auto work) {
        const Index all = count * chunks;
        const bool few = all <= gridDim.x;
        const int warps = blockDim.x >> 5, warp = threadIdx.x >> 5;
        const RowPart part{few ? warp : 0, few ? warps : 1};
        const Index own = few ? Index(blockIdx.x) : warp_id(), apart = few ? Index(gridDim.x) : warp_count();
        for (Index item : Stride<Index>{own, apart, all})
            work(item / chunks, item % chunks, part);
    };
    for (Index s : warp_stride<Index>(k)) sweep.begin(sources[s], s / (32 * V));
    grid.wait();
    for (Index s : grid_stride<Index>(k))
        x[static_cast<long long>(sources[s]) * chunks * 32 * V + s] = 0;
    grid.wait();
    for (Index level = 1; level <= levels; ++level) {
        const Index first = begins[level];
        share(begins[level + 1] - first,
              [&](Index i, Index chunk, RowPart part) { sweep.rise(first + i, chunk, in, part); });
        grid.wait();
    }
    const Index from = begins[levels];
    share(n - from, [&](Index j, Index chunk, RowPart part) { sweep.cross(j, chunk, from, n, core, part); });
    for (Index level = levels - 1; level >= 0; --level) {
        grid.wait();
        const Index* const some = wanted + turns[level];
        share(turns[level + 1] - turns[level],
              [&](Index i, Index chunk, RowPart part) { sweep.fall(some[i], chunk, out, part); });
    }
}
