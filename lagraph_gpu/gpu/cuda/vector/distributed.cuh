// Vectors that are distributed over processes (see parts.cuh).
//
// A warp owns a word of the whole vector, so that its bitmap is written without atomics.
// See docs/decisions/cluster.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/parts.cuh"

// The whole vector from its parts: their bitmaps (null if every part is full) and their values (null if
// nobody reads them). If `only` is not negative, that part alone is there, and other positions have no
// entry; the parts are then of no places.
template <class T>
__global__ void join_parts(Index n, Parts parts, Index only, const Word* part_bits, const T* part_values,
                           Word* bits, T* values) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const Index part = parts.part_of(i), place = parts.place_of(i);
        bool here = i < n && (only < 0 || part == only);
        if (here && part_bits != nullptr) here = present(part_bits + parts.first_word(part), place);
        if (here && values != nullptr) values[i] = part_values[parts.begin(part) + place];
        const Word entries = __ballot_sync(ALL_LANES, here);
        if (lane_id() == 0) bits[word] = entries;
    }
}

// The reverse: the parts of a whole vector. Bitmaps are null if it is full.
template <class T>
__global__ void deal_parts(Parts parts, const Word* bits, const T* values, Word* part_bits, T* part_values) {
    for (long long word : warp_stride<long long>(parts.first_word(parts.count))) {
        const Index part = parts.part_of_word(word);
        const Index place = static_cast<Index>((word - parts.first_word(part)) << 5) + lane_id();
        const Index i = place < parts.size(part) ? place * parts.count + part : -1;
        const bool here = i >= 0 && present(bits, i);
        if (here) part_values[parts.begin(part) + place] = values[i];
        const Word entries = __ballot_sync(ALL_LANES, here);
        if (lane_id() == 0 && part_bits != nullptr) part_bits[word] = entries;
    }
}

// The lanes of a warp whose position has an entry and is of part r.
__device__ inline Word lanes_of_part(Word entries, unsigned part, unsigned r) {
    return __ballot_sync(ALL_LANES, (entries >> lane_id() & 1u) && part == r);
}

// counts[r], 0 at first: the number of entries of part r. Lane r counts those of parts r, r + 32, ….
__global__ void count_of_parts(Index n, Index parts, const Word* bits, Count* counts) {
    for (unsigned first = 0; first < unsigned(parts); first += 32) {
        Count mine = 0;
        for (Index word : warp_stride<Index>(words_of(n))) {
            const Word entries = bits == nullptr ? inside(word, n) : bits[word];
            if (entries == 0) continue;
            const unsigned part = unsigned((word << 5) + lane_id()) % unsigned(parts);
            for (unsigned r = first; r < unsigned(parts) && r < first + 32; ++r) {
                const Word some = lanes_of_part(entries, part, r);
                if (unsigned(lane_id()) == r - first) mine += __popc(some);
            }
        }
        if (mine > 0) atomicAdd(counts + first + lane_id(), mine);
    }
}

// The entries of each part as a list, in no particular order: places within the part, and values. The
// list of part r begins at ends[r], which is moved to its end.
template <class T>
__global__ void list_of_parts(Index n, Index parts, const Word* bits, const T* values, Count* ends,
                              Index* places, T* listed) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Word entries = bits == nullptr ? inside(word, n) : bits[word];
        if (entries == 0) continue;
        const Index i = (word << 5) + lane_id();
        const unsigned part = unsigned(i) % unsigned(parts);
        for (unsigned r = 0; r < unsigned(parts); ++r) {
            const Word some = lanes_of_part(entries, part, r);
            if (some == 0) continue;
            const Count to = append_lanes(some, ends + r);
            if (!(some >> lane_id() & 1u)) continue;
            places[to] = Index(unsigned(i) / unsigned(parts));
            listed[to] = values[i];
        }
    }
}

// Lists of the entries of each part, as list_of_parts() makes them with one part, in `room` places
// each, into a whole vector without entries. Part r has counts[r] entries.
template <class T>
__global__ void scatter_parts(Index parts, Index room, const Index* counts, const Index* places,
                              const T* listed, Word* bits, T* values) {
    for (unsigned t : grid_stride<unsigned>(unsigned(parts) * unsigned(room))) {
        const unsigned part = t / unsigned(room);
        if (t - part * unsigned(room) >= unsigned(counts[part])) continue;
        const Index i = Index(unsigned(places[t]) * unsigned(parts) + part);
        values[i] = listed[t];
        mark(bits, i);
    }
}
