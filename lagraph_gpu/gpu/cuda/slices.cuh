// Closures from many starts at once, in order of value, a slice of them for each block: see slice.cuh.
//
// Blocks take slices until none is left, and never wait for each other. In a round a block pushes what
// is near, or, where nothing is, moves the bound on and parts the far list. A slice is over when nothing
// is left, or when no target can improve any more.
#pragma once
#include "slice.cuh"

// `slices` closures of P starts each. sources: a vertex for each lane, -1 for none, and `value` stands
// there; x holds what a fold starts from. Each block has room for four lists of n vertices and n words
// of state, which are 0 at first and afterwards, as `taken` is at first. `wanted` targets; 0: all vertices
// are. `width` is negative for a maximum. *odd becomes 1 where a sum wraps, and the answer is of no use.
template <class S, int P>
__global__ void __launch_bounds__(1024, 1)
    slices(Index n, Index count, const typename S::Offset* indptr, const Index* indices,
           const typename S::A* values, int stride, const Index* sources, typename S::Z value,
           typename S::Z limit, double width, typename S::Z* x, unsigned wanted, const Index* target,
           Word* states, Index* lists, unsigned* taken, unsigned* odd) {
    using Z = typename S::Z;
    __shared__ Office<Z> office;
    const long long size = n;
    Index* const list = lists + 4 * size * blockIdx.x;
    const bool leads = threadIdx.x == 0;
    if (leads) office.strange = false;
    for (;;) {
        if (leads) {
            office.slice = static_cast<Index>(atomicAdd(taken, 1u));
            office.near[0] = office.near[1] = office.far[0] = office.far[1] = 0;
            office.best[0] = S::start();
        }
        __syncthreads();
        if (office.slice >= count) break;
        unsigned known = 0;
        int close = 0, distant = 0;  // which of the two near and of the two far lists is read
        Slice<S, P> slice{{}, indptr, indices, values, stride, limit, x + size * P * office.slice,
                          states + size * blockIdx.x, &office, nullptr, nullptr, nullptr, nullptr};
        const auto turn = [&]() {
            slice.near = list + size * (1 - close);
            slice.far = list + size * (3 - distant);
            slice.near_count = office.near + (1 - close);
            slice.far_count = office.far + (1 - distant);
        };
        turn();
        slice.begin(sources + static_cast<long long>(office.slice) * P, value);
        __syncthreads();
        distant = 1;
        for (;;) {
            const unsigned near = office.near[close], far = office.far[distant];
            if (near == 0 && far == 0) break;
            if (near == 0 && slice.over(wanted, target, &known)) {
                slice.forget(list + size * (2 + distant), far);
                break;
            }
            __syncthreads();
            turn();
            if (leads) {
                office.aside = 0;
                if (near == 0) {
                    office.bound = slice.beyond(office.best[0], width);
                    office.best[0] = S::start();
                }
            }
            __syncthreads();
            if (near == 0) {
                slice.part(list + size * (2 + distant), far);
            } else {
                slice.far = list + size * (2 + distant);
                slice.far_count = office.far + distant;
                slice.push(list + size * close, near);
            }
            __syncthreads();
            if (leads && near == 0) office.far[distant] = 0;
            if (leads && near != 0) office.near[close] = 0;
            if (near == 0) distant = 1 - distant;
            close = 1 - close;
            __syncthreads();
        }
        __syncthreads();
    }
    if (leads && office.strange) *static_cast<volatile unsigned*>(odd) = 1;
}
