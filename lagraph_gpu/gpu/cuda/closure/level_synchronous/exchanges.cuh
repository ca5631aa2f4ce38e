// The exchanges of a kernel that runs on each of several devices of a host, which store into each
// other's memory: counts, by which all decide the same, and lists for the owners of positions.
// See docs/decisions/cluster.md.
#pragma once
#include "core/grid.cuh"
#include "core/peers.cuh"

// Lists of up to `room` places and values in the memory of each owner, for this process.
template <class T> struct PeerLists {
    using Value = T;

    const OfPeers<Index>& places;
    const OfPeers<T>& values;
    Count* counts;

    __device__ Index* places_of(Index r) const { return places[r]; }
    __device__ T* values_of(Index r) const { return values[r]; }
};

// Counters of three generations, of which each has four and one for each process; then the barrier's.
struct OwnCounts {
    Count* words;
    Index parts;

    __device__ Count* of(Index round) const { return words + (round % 3) * (4 + parts); }
    __device__ unsigned* arrivals() const { return reinterpret_cast<unsigned*>(words + 3 * (4 + parts)); }
};

// Two counts of each process, in shared memory.
struct AllCounts {
    Count of[MOST_PEERS][2];

    __device__ Count total(Index parts, int which) const {
        Count sum = 0;
        for (Index r = 0; r < parts; ++r) sum += of[r][which];
        return sum;
    }
    __device__ Count most(Index parts, int which) const {
        Count most = 0;
        for (Index r = 0; r < parts; ++r) most = of[r][which] > most ? of[r][which] : most;
        return most;
    }
};

// The exchanges of one process. `counts` of peer r is where it takes the counts of this one, four of
// them: two, and two for the exchange after that.
struct Exchanges {
    Grid grid;
    Index parts;
    const OfPeers<Count>& flags;
    const Count* own_flags;
    const OfPeers<Count>& counts;
    const Count* came;
    AllCounts& all;
    Count number;
    Count waited;  // cycles of the first thread

    // Tells all, when all blocks have stored; waits for all.
    __device__ void meet() {
        ++number;
        if (blockIdx.x == 0) tell(parts, flags, number);
        const long long before = clock64();
        wait_for_all(parts, own_flags, number);
        waited += static_cast<Count>(clock64() - before);
    }
    // Sends two counts to each process, and takes those of each into `all`. A barrier of the grid has
    // come before. The slots in the memory of the others alternate.
    template <class Mine> __device__ void send(Mine mine) {
        const Index slot = 2 * static_cast<Index>((number + 1) & 1), r = static_cast<Index>(threadIdx.x);
        if (blockIdx.x == 0 && r < parts) {
            volatile Count* to = counts[r] + slot;
            to[0] = mine(r, 0);
            to[1] = mine(r, 1);
        }
        meet();
        if (r < parts)
            for (int which = 0; which < 2; ++which) all.of[r][which] = read_count(came + 4 * r + slot + which);
        __syncthreads();
    }
};
