// The exchanges of a kernel that runs on each of several devices of a host, which store into each
// other's memory: counts, by which all decide the same, and lists for the owners of positions.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/distributed_steps.cuh"
#include "core/grid.cuh"
#include "core/peers.cuh"

// What the processes have opened to each other, and their last exchange so far. The lists of places and
// values that a process stores for an owner have up to `room` entries.
template <class T> struct PeerWindows {
    PeerWindow<Count> flags, counts;
    PeerWindow<Word> bits;  // null where no bitmaps are sent
    PeerWindow<Index> places;
    PeerWindow<T> values;
    Count room;
    Count exchange;
};

// How many positions there are: of this process, those of them that may have out-edges, and those of all
// processes that may have edges; how many words the bitmap of a process has; and which process this is.
struct Extent {
    Index size, n, connected, words;
    CyclicRows cyclic;
};

// The lists in the memory of the owners, for this process.
template <class T> struct PeerLists {
    using Value = T;

    const OfPeers<Index>& places;
    const OfPeers<T>& values;
    Count* counts;

    __device__ Index* places_of(Index r) const { return places[r]; }
    __device__ T* values_of(Index r) const { return values[r]; }
};

// Counters of three generations, of which each has OWN_COUNTS and one for each process; then the
// barrier's.
struct OwnCounts {
    Count* words;
    Index parts;

    __device__ Index each() const { return OWN_COUNTS + parts; }
    __device__ Count* of(Index round) const { return words + (round % 3) * each(); }
    __device__ unsigned* arrivals() const { return reinterpret_cast<unsigned*>(words + 3 * each()); }
    // All threads of the grid call both: of all generations, and of one.
    __device__ void clear() const {
        for (Index i : grid_stride<Index>(3 * each())) words[i] = 0;
    }
    __device__ void clear(Index round) const {
        if (thread_id<Index>() < each()) of(round)[thread_id<Index>()] = 0;
    }
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

// The exchanges of one process. A slot of `counts` has four: two, and two for the exchange after that.
struct Exchanges {
    Index parts;
    const PeerWindow<Count>& flags;
    const PeerWindow<Count>& counts;
    AllCounts& all;
    Count number;
    Count waited;  // cycles of the first thread

    // Tells all, when all blocks have stored; waits for all.
    __device__ void meet() {
        ++number;
        if (blockIdx.x == 0) tell(parts, flags.there, number);
        const long long before = clock64();
        wait_for_all(parts, flags.here, number);
        waited += static_cast<Count>(clock64() - before);
    }
    // Sends two counts to each process, and takes those of each into `all`. A barrier of the grid has
    // come before. The slots in the memory of the others alternate.
    template <class Mine> __device__ void send(Mine mine) {
        const Index slot = 2 * static_cast<Index>((number + 1) & 1), r = static_cast<Index>(threadIdx.x);
        if (blockIdx.x == 0 && r < parts) {
            volatile Count* to = counts.there[r] + slot;
            to[0] = mine(r, 0);
            to[1] = mine(r, 1);
        }
        meet();
        if (r < parts)
            for (int which = 0; which < 2; ++which) all.of[r][which] = read_count(counts.here + 4 * r + slot + which);
        __syncthreads();
    }
};

// A line of a report, of a round: bytes or entries sent to others, cycles waited, cycles until here, and
// whether it was a pull; then ROUND_LINE words later the entries found by each process. One thread writes.
struct RoundLines {
    Count* lines;
    Index parts;

    __device__ Count* at(Index number) const { return lines + static_cast<long long>(number) * (ROUND_LINE + parts); }
    __device__ Count* found(Index number) const { return at(number) + ROUND_LINE; }
    __device__ void write(Index number, Count sent, const Exchanges& exchanges, bool pulled, long long begun) const {
        Count* const line = at(number);
        line[0] = sent;
        line[1] = exchanges.waited;
        line[2] = static_cast<Count>(clock64() - begun);
        line[3] = pulled;
    }
};
