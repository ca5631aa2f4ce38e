// Every operation that looks at one position at a time: w⟨mask, replace⟩(region) accum= t, where
// a Source says what t holds at position i, and Accum how it joins what w holds.
//
// A warp owns IN_FLIGHT words of w, and reads all of them before it writes. In place is safe, also
// when w is an operand or the mask: a position is read before it is written, and by the same lane.
// See docs/decisions/lazy-statements.md.
#pragma once
#include "core/fold.cuh"
#include "core/grid_stride.cuh"

// The operands any source may read; what it does not read is null.
template <class Op> struct Operands {
    const Word* left_bits;
    const typename Op::Left* left;
    const Word* right_bits;
    const typename Op::Right* right;
    const Index* index;
    typename Op::Scalar first, second;
};

template <class Op> struct EwiseAdd {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        const bool l = present(o.left_bits, i), r = present(o.right_bits, i);
        if (l && r) z = Op::apply(o.left[i], o.right[i], i, 0);
        else if (l) z = arithmetic::cast<typename Op::Z>(o.left[i]);
        else if (r) z = arithmetic::cast<typename Op::Z>(o.right[i]);
        return l || r;
    }
};

template <class Op> struct EwiseMult {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        if (!present(o.left_bits, i) || !present(o.right_bits, i)) return false;
        z = Op::apply(o.left[i], o.right[i], i, 0);
        return true;
    }
};

template <class Op> struct EwiseUnion {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        const bool l = present(o.left_bits, i), r = present(o.right_bits, i);
        if (l && r) z = Op::apply(o.left[i], o.right[i], i, 0);
        else if (l) z = Op::apply(o.left[i], o.second, i, 0);
        else if (r) z = Op::apply(o.first, o.right[i], i, 0);
        return l || r;
    }
};

// op(x), op(x, bound) or op(bound, x): Op::apply knows which.
template <class Op> struct Apply {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        if (!present(o.left_bits, i)) return false;
        z = Op::apply(o.left[i], o.first, i, 0);
        return true;
    }
};

template <class Op> struct Select {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        if (!present(o.left_bits, i)) return false;
        z = o.left[i];
        return Op::apply(o.left[i], o.first, i, 0);
    }
};

template <class Op> struct Fill {
    static __device__ bool at(const Operands<Op>& o, Index, typename Op::Z& z) {
        z = o.first;
        return true;
    }
};

// t(i) = left(index[i]); a negative index is no entry.
template <class Op> struct Pick {
    static __device__ bool at(const Operands<Op>& o, Index i, typename Op::Z& z) {
        const Index from = o.index[i];
        if (from < 0 || !present(o.left_bits, from)) return false;
        z = o.left[from];
        return true;
    }
};

// What becomes of the entries that w had: they stay where the mask is false, or are removed there;
// or none of them counts, and w's bitmap need not have been written.
constexpr int KEPT = 0, IGNORED = 2;

template <class Source, class Op, class Accum>
__global__ void elementwise(Index n, Word* out_bits, typename Accum::W* out,
                            int before, const Word* mask_bits, Word mask_flip,
                            const Word* region, const Word* left_bits,
                            const typename Op::Left* left, const Word* right_bits,
                            const typename Op::Right* right, const Index* index,
                            typename Op::Scalar first, typename Op::Scalar second) {
    using W = typename Accum::W;
    const Operands<Op> operands{left_bits, left, right_bits, right, index, first, second};
    const Mask mask{mask_bits, mask_flip};
    const Index words = words_of(n);
    for (Index base : warp_stride<Index>(words, IN_FLIGHT)) {
        Word old[IN_FLIGHT], wanted[IN_FLIGHT], touched[IN_FLIGHT];
        bool finds[IN_FLIGHT];
        typename Op::Z t[IN_FLIGHT];
        W held[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index word = base + s;
            const bool here = word < words;
            old[s] = here && before != IGNORED ? out_bits[word] : 0;
            wanted[s] = here ? mask.word(word) : 0;
            touched[s] = here ? wanted[s] & (region == nullptr ? ALL_LANES : region[word]) & inside(word, n) : 0;
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index i = ((base + s) << 5) + lane_id();
            t[s] = {};
            finds[s] = (touched[s] >> lane_id() & 1u) && Source::at(operands, i, t[s]);
            if (Accum::given && finds[s] && (old[s] >> lane_id() & 1u)) held[s] = out[i];
        }
        __syncwarp();  // every lane has read the words, which may be an operand's too
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index word = base + s, i = (word << 5) + lane_id();
            const bool had = old[s] >> lane_id() & 1u;
            bool has = had && ((wanted[s] >> lane_id() & 1u) || before == KEPT);
            if (touched[s] >> lane_id() & 1u) {
                if (finds[s]) out[i] = Accum::given && had ? Accum::join(held[s], t[s]) : arithmetic::cast<W>(t[s]);
                has = finds[s] || (Accum::given && had);
            }
            const Word now = __ballot_sync(ALL_LANES, has);
            if (lane_id() == 0 && word < words && (now != old[s] || before == IGNORED)) out_bits[word] = now;
        }
    }
}

// The bitmap of a valued mask: present and not zero.
template <class T> __global__ void truth(Index n, const Word* bits, const T* values, Word* out) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const bool holds = present(bits, i) && values[i] != T(0);
        const Word now = __ballot_sync(ALL_LANES, holds);
        if (lane_id() == 0) out[word] = now;
    }
}
