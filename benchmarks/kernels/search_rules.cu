// Graph500's rules for a breadth-first search, for the rows of one process: a warp for each row.
// Row w is vertex w · size + rank. `bits` and `level` are of all vertices, `parent` of own rows.
//
// wrong[0]: tree edges that are not in the graph, or not from the level before; wrong[1]: edges over
// more than one level; wrong[2]: edges between vertices that were reached and others.
extern "C" __global__ void search_rules(long long own, long long rank, long long size, const OFFSET* indptr,
                                        const int* indices, const unsigned* bits, const int* level,
                                        const unsigned* own_bits, const long long* parent, long long root,
                                        unsigned long long* wrong) {
    const int lane = threadIdx.x & 31;
    const long long warps = (long long)gridDim.x * blockDim.x >> 5;
    unsigned long long far = 0, outside = 0, bad = 0;
    for (long long w = ((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5; w < own; w += warps) {
        const long long v = w * size + rank;
        const bool here = bits[v >> 5] >> (v & 31) & 1u;
        const int mine = here ? level[v] : -1;
        const bool has = own_bits[w >> 5] >> (w & 31) & 1u;
        const long long p = has ? parent[w] : -1;
        bool found = false;
        for (long long e = indptr[w] + lane; e < indptr[w + 1]; e += 32) {
            const int u = indices[e];
            const bool there = bits[u >> 5] >> (u & 31) & 1u;
            outside += there != here;
            if (there && here) {
                const int other = level[u];
                far += other > mine + 1 || other < mine - 1;
            }
            found |= u == p;
        }
        found = __any_sync(0xffffffffu, found);
        if (lane > 0) continue;
        if (has != here) ++bad;
        else if (here && v == root) bad += mine != 0 || p != root;
        else if (here) bad += !found || mine < 1 || level[p] != mine - 1;
    }
    if (bad) atomicAdd(wrong, bad);
    if (far) atomicAdd(wrong + 1, far);
    if (outside) atomicAdd(wrong + 2, outside);
}
