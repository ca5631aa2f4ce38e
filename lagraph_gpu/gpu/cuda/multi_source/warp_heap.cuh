// A priority queue for one warp: a heap in which a node has 32 children, and is a sorted run of 32
// items.
//
// The best child of a node is found by one read of the warp, one lane for each child, so that a
// heap of a million items is three levels deep; and a node is read, merged and written by all
// lanes at once. The root is in shared memory, and holds up to 64 items; all other nodes are full.
// The best item of a node is no worse than those of its children, so the best of the root is the
// best of all, and the next ones are probably close to it. Merges on the way down improve the
// order further.
//
// No item in the heap is ever changed: an item whose vertex has a better value by now is stale,
// and is dropped when it is taken. When there is no space, all stale items are removed. A vertex
// is inserted only when it improves, so that at most one item holds its present value: of n
// vertices, at most n items remain. (One warp, one heap: Crosetto, CUPQ, 2019, where one item is
// taken at a time.)
// See docs/decisions/many-sources.md.
#pragma once
#include "multi_source/warp_sorted_run.cuh"

// What a heap keeps in shared memory.
template <class Z> struct Root {
    Z first[96];  // the keys of up to 64 items in order, and room for another run
    Index of[96];
    Z* keys;  // of the other nodes, 32 for each; after them the best key of each node
    Index* vertices;
    unsigned room;  // the number of nodes that there is room for, without the root
};

template <class S> struct Heap {
    using Z = typename S::Z;
    using Some = Run<S>;
    using Node = unsigned;  // from 1 on; 0 is the root

    Root<Z>* root;
    Node count;  // the number of nodes, without the root

    static __device__ bool ahead(Z a, Z b) { return Some::ahead(a, b); }
    static __device__ long long place(Node node) { return 32ll * (node - 1) + lane_id(); }
    __device__ Z* top(Node node) const { return root->keys + (32ll * root->room + node - 1); }

    __device__ Some load(Node node) const {
        return {root->keys[place(node)], root->vertices[place(node)]};
    }

    __device__ void store(Node node, const Some& some) const {
        root->keys[place(node)] = some.key;
        root->vertices[place(node)] = some.vertex;
        __syncwarp();  // other lanes have looked at the top
        if (lane_id() == 0) *top(node) = some.key;
        __syncwarp();  // and will again
    }

    // The items of the root from `at` on.
    __device__ Some held(int at) const { return {root->first[at + lane_id()], root->of[at + lane_id()]}; }

    __device__ void hold(int at, const Some& some) const {
        root->first[at + lane_id()] = some.key;
        root->of[at + lane_id()] = some.vertex;
    }

    // The best key among the children of a node, and in *child which child has it, if there are
    // any.
    __device__ Z best_child(Node node, Node* child) const {
        const Node mine = 32 * node + 1 + lane_id();
        const Z own = mine <= count ? *top(mine) : S::start();
        Z best = own;
        // Not warp_reduce, which is unrolled: a thread then needs 64 registers for FP64, not 56 (sm_90).
#pragma unroll 1
        for (int distance = 16; distance > 0; distance >>= 1)
            best = S::add(best, static_cast<Z>(__shfl_xor_sync(ALL_LANES, best, distance)));
        *child = 32 * node + __ffs(__ballot_sync(ALL_LANES, own == best));
        return best;
    }

    // Adds a full run as the last node. The nodes on the way to it keep the best items.
    __device__ void append(Some some) {
        const Node last = ++count;
        for (Node at = 0;;) {
            Node next = last;
            while ((next - 1) >> 5 != at) next = (next - 1) >> 5;
            if (next == last) break;
            Some there = load(next);
            if (there.merge(some)) store(next, there);
            at = next;
        }
        store(last, some);
    }

    // Writes a full run into this node, or parts of it into nodes below.
    __device__ void sink(Node node, Some some) const {
        Node child;
        while (ahead(best_child(node, &child), some.worst())) {
            Some there = load(child);
            some.merge(there);
            store(node, some);
            some = there;
            node = child;
        }
        store(node, some);
    }

    // Inserts a run. If the root cannot hold all items, the rest becomes a node together with the
    // last items of the root.
    __device__ void add(Some some) {
#pragma unroll 1
        for (int at = 0; at < 64; at += 32) {
            Some there = held(at);
            if (there.merge(some)) hold(at, there);
        }
        const int over = some.size();
        if (over == 0) return;
        hold(64, some);
        __syncwarp();
        some = held(32 + over);
        __syncwarp();
        if (lane_id() >= over) hold(32, Some::empty());
        hold(64, Some::empty());
        append(some);
    }

    // --- for callers ---------------------------------------------------------------------

    // Makes this run the only content of the heap.
    __device__ void begin(const Some& some) {
        hold(0, some);
        hold(32, Some::empty());
        hold(64, Some::empty());
        count = 0;
    }

    // Inserts items in any order; x has the present values. If there is no room for another node,
    // all stale items are removed first: all nodes are read again, each before it is written to.
    __device__ void put(const Some& some, const Z* x) {
        const Node all = count < root->room ? 0 : count;
        if (all > 0) count = 0;
        for (Node node = 1;; ++node) {
            const bool again = node <= all;
            Some now = again ? load(node) : some;
            if (again && !(now.key == static_cast<const volatile Z*>(x)[now.vertex])) now = Some::empty();
            now.sort();
            add(now);
            if (!again) break;
        }
    }

    // The first items of the root. They include the best item of all, and others that are good.
    __device__ Some refill() {
        Some front = held(0);
        Node child;
        if (!ahead(best_child(0, &child), front.worst())) return front;
        Some some = load(child);
        front.merge(some);
        hold(0, front);
        const bool hole = Some::none(some.worst());  // the root held less than a run, so it has room for all
        if (hole) {
            hold(32, some);
            some = load(count);
        }
        if (!hole || child != count--) sink(child, some);
        return front;
    }

    // Removes the first items.
    __device__ void drop(int some) {
        __syncwarp();
        const Some front = held(some), rest = held(32 + some);
        __syncwarp();
        hold(0, front);
        hold(32, rest);
    }
};
