// Weights of a Kronecker graph whose rows were made without the list of its edges: each is the hash of
// its edge's ends, by the numbers `ids` that vertices have without a layout.
// See docs/decisions/layouts.md.
#pragma once
#include "core/fold.cuh"
#include "core/packed_scan.cuh"
#include "core/warp_reduce.cuh"
#include "generate/kronecker_edges.cuh"

template <class Weight, class T> struct DrawnWeight {
    const long long* ids;
    Bits n, key;

    __device__ T of(Index i, Index j) const {
        const Bits u = static_cast<Bits>(ids[i]), v = static_cast<Bits>(ids[j]);
        return static_cast<T>(Weight::of(random_bits(key, (u < v ? u : v) * n + (u < v ? v : u))));
    }
};

// Of packed rows, in order, where those of row i begin with number begins[i]. The least and the largest
// are folded into `extremes`.
template <class Weight, class Offset, class T>
__global__ void __launch_bounds__(MAX_THREADS, 1024 / MAX_THREADS)
    weigh_packed(PackedRows rows, const Offset* begins, const long long* ids, Bits n, Bits key, T* weights,
                 float* extremes) {
    const DrawnWeight<Weight, T> drawn{ids, n, key};
    float least = 1e9f, most = 0;
    const auto put = [&](Offset at, Index i, Index j) {
        const T weight = drawn.of(i, j);
        weights[at] = weight;
        least = static_cast<float>(weight) < least ? static_cast<float>(weight) : least;
        most = static_cast<float>(weight) > most ? static_cast<float>(weight) : most;
    };
    scan_packed(
        rows, [](Index) { return true; }, [&](Index i, Index j) { put(begins[i], i, j); },
        [&](Index i, Index at, const Index (&columns)[OF_LANE], int count) {
#pragma unroll
            for (int c = 0; c < OF_LANE; ++c)
                if (c < count) put(begins[i] + static_cast<Offset>(at + c), i, columns[c]);
        });
    least = warp_reduce<Minimum>(least);
    most = warp_reduce<Maximum>(most);
    if (lane_id() > 0 || most == 0) return;
    native_extremum(extremes, least, true);
    native_extremum(extremes + 1, most, false);
}

// Of compressed rows. A warp takes a row.
template <class Weight, class Offset>
__global__ void weigh_rows(Index count, const Offset* indptr, const Index* indices, const long long* ids, Bits n,
                           Bits key, float* weights) {
    const DrawnWeight<Weight, float> drawn{ids, n, key};
    for (Index i : warp_stride<Index>(count))
        for (Offset e = indptr[i] + lane_id(); e < indptr[i + 1]; e += 32) weights[e] = drawn.of(i, indices[e]);
}
