"""Searches on the CPU: breadth-first, and in order of length.

A breadth-first search pushes along the edges that leave the frontier. Once many vertices are
reached it pulls instead: each vertex that is not reached looks for a neighbour in the frontier and
stops at the first (Beamer, Asanović, Patterson: Direction-optimizing breadth-first search, SC
2012).

The search in order of length is Dijkstra's algorithm with a 4-ary heap. Sums are rounded edge by
edge from the source on, as in the rounds that define a closure under min.+, and the order does not
change the result: for w ≥ 0 the rounded sum of x and w is monotone in x and never less than x. So
the closure is the least of these sums over all paths, and a vertex that leaves the heap has its
final value (Knuth: A generalization of Dijkstra's algorithm, Information Processing Letters 6
(1977)).

Compressed rows are three arrays: the row offsets, the columns, and the values, or one value for
all. The loops that most time goes into index by unsigned numbers, since numba asks of a signed one
whether it counts from the end (a breadth-first search of New York's roads: 12 ms with, 9 without).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled

NOBODY, NOTHING = -1, np.empty(0)
"""No target, and no lower bounds for A*."""

BETA = 24
"""A pull reads all vertices, so it does not pay if the frontier has fewer than one vertex in so
many (Beamer's β)."""

BAND = 2.0**512
"""One band of numbers of paths above another, as a factor."""

DENSE = 8
"""If more than one vertex in so many is reached, all vertices are scanned; otherwise the reached
ones are sorted."""


@compiled
def pulls(edges: int, left: int, frontier: int, n: int, alpha: int) -> bool:
    """True if this frontier should be pulled.

    It is the rule of ``planning.direction.pull_threshold`` with two changes: each edge is visited
    once, so the frontier is compared with the edges that are left; and a small frontier is never
    pulled (BETA).
    """
    return edges * alpha > left and frontier * BETA > n


@compiled
def by_level(
    begins: Any, columns: Any, back: Any, across: Any, alpha: int, sources: Any, max_level: int,
    level: Any, before: Any, watch: Any,
) -> tuple[Any, bool]:  # fmt: skip
    """Breadth-first search: write the level of each vertex, up to ``max_level``, and its
    predecessor to ``level`` and ``before``, which hold -1. Returns the vertices in the order in
    which they are reached, and whether the frontier became empty within ``max_level`` rounds.

    ``back`` and ``across`` are the row offsets and columns of the transpose, or empty. A pull pays
    from one in ``alpha`` of the edges that are left.
    """
    n = level.size
    queue = np.empty(n, np.int32)
    tail, left, rounds = 0, columns.size, 0
    for s in sources:
        before[s], queue[tail] = s, s
        tail += 1
    first, head = 0, tail
    if back.size == 0:
        for s in sources:
            level[s] = 0
        while first < tail and watch[0] == 0:
            at = np.uint32(queue[first])
            rounds = level[at] + 1
            if rounds > max_level:
                break
            first += 1
            watch[1] = first
            for e in range(np.uint64(begins[at]), np.uint64(begins[at + 1])):
                to = np.uint32(columns[e])
                if level[to] < 0:
                    level[to], before[to], queue[tail] = rounds, at, to
                    tail += 1
        return queue[:tail], first == tail
    while first < head and watch[0] == 0:
        watch[1] = head
        edges = 0
        for i in range(first, head):
            u = queue[i]
            level[u] = rounds
            edges += begins[u + 1] - begins[u]
        if rounds == max_level:
            break
        if pulls(edges, left, head - first, n, alpha):
            for v in range(n):
                if before[v] < 0:
                    for e in range(back[v], back[v + 1]):
                        if level[across[e]] == rounds:
                            before[v], queue[tail] = across[e], v
                            tail += 1
                            break
        else:
            for i in range(first, head):
                u = queue[i]
                if watch[0] != 0:
                    break
                for e in range(begins[u], begins[u + 1]):
                    v = columns[e]
                    if before[v] < 0:
                        before[v], queue[tail] = u, v
                        tail += 1
        left -= edges
        rounds += 1
        first, head = head, tail
    return queue[:tail], first == head


@compiled
def each_by_level(
    begins: Any, columns: Any, back: Any, across: Any, alpha: int, starts: Any, sources: Any,
    max_level: int, origins: bool, watch: Any,
) -> tuple[Any, Any, Any, Any, bool]:  # fmt: skip
    """A breadth-first search for each row, from the sources between its offsets in ``starts``.

    Returns the row offsets of the result, the vertices reached, their levels, their predecessors
    (or with ``origins`` the places of the sources they come from), and whether all frontiers became
    empty within ``max_level`` rounds. A search that reaches little costs little: only the entries
    of reached vertices are cleared.
    """
    n, rows, rests = begins.size - 1, starts.size - 1, True
    level, before = np.full(n, np.int32(-1)), np.full(n, np.int32(-1))
    ends, room = np.zeros(rows + 1, np.int64), 2 * n
    made = np.empty((3, room), np.int32)
    for i in range(rows):
        mine = sources[starts[i] : starts[i + 1]]
        reached, all_ = by_level(
            begins, columns, back, across, alpha, mine, max_level, level, before, watch
        )
        rests = rests and all_
        if watch[0] != 0:
            break
        if origins:
            for k in range(mine.size):
                before[mine[k]] = starts[i] + k
            for v in reached[mine.size :]:
                before[v] = before[before[v]]
        dense = reached.size * DENSE > n
        at = np.flatnonzero(level >= 0).astype(np.int32) if dense else np.sort(reached)
        end = ends[i]
        ends[i + 1] = end + at.size
        if ends[i + 1] > room:
            room = 2 * ends[i + 1]
            more = np.empty((3, room), np.int32)
            more[:, :end] = made[:, :end]
            made = more
        for v in at:
            made[0, end], made[1, end], made[2, end] = v, level[v], before[v]
            level[v] = before[v] = -1
            end += 1
    count = ends[rows]
    return ends, made[0, :count], made[1, :count], made[2, :count], rests


@compiled
def passed(
    begins: Any, columns: Any, sources: Any, endpoints: bool, passing: Any, watch: Any
) -> None:
    """Add to ``passing`` of each vertex its share of the shortest paths from each source, by the
    formulas of ``algorithms.betweenness``: σ on the way out, and g = 1/σ + t on the way back, both
    in bands once a σ has left the first."""
    n, nothing, top = begins.size - 1, np.empty(0, np.int32), 0
    level, before = np.full(n, np.int32(-1)), np.full(n, np.int32(-1))
    sigma, g, band = np.zeros(n), np.zeros(n), np.zeros(n, np.int32)
    for i in range(sources.size):
        mine = sources[i : i + 1]
        reached, _ = by_level(
            begins, columns, begins[:0], nothing, 1, mine, n, level, before, watch
        )
        if watch[0] != 0:
            break
        sigma[mine[0]] = 1
        for u in reached:
            if sigma[u] >= BAND:
                sigma[u] /= BAND
                band[u] += 1
                top = max(top, band[u])
            if top > 0:
                to_next_bands(begins, columns, u, level, sigma, band)
                continue
            for e in range(begins[u], begins[u + 1]):
                if level[columns[e]] == level[u] + 1:
                    sigma[columns[e]] += sigma[u]
        for k in range(reached.size - 1, 0, -1):
            v, t = reached[k], 0.0
            for e in range(begins[v], begins[v + 1]):
                if level[columns[e]] == level[v] + 1:
                    t += (
                        g[columns[e]]
                        if top == 0
                        else lowered(g[columns[e]], band[columns[e]] - band[v])
                    )
            g[v] = 1 / sigma[v] + t
            if t > 0:
                passing[v] += sigma[v] * t
        if endpoints:
            passing[mine[0]] += reached.size - 1
            passing[reached[1:]] += 1
        for v in reached:
            level[v] = before[v] = -1
            sigma[v] = 0
        if top > 0:
            band[reached] = 0


@compiled
def to_next_bands(begins: Any, columns: Any, u: int, level: Any, sigma: Any, band: Any) -> None:
    """Add the paths to a vertex to those of the next level, each in its band."""
    for e in range(begins[u], begins[u + 1]):
        v = columns[e]
        if level[v] == level[u] + 1:
            if band[u] > band[v]:
                sigma[v] = lowered(sigma[v], band[u] - band[v])
                band[v] = band[u]
            sigma[v] += lowered(sigma[u], band[v] - band[u])


@compiled
def lowered(x: float, steps: int) -> float:
    """What a number of one band is ``steps`` bands above it."""
    return x if steps == 0 else x * BAND**-steps


@compiled
def next_in_queue(begins: Any, columns: Any, places: Any, level: Any, seen: Any) -> tuple[Any, Any]:
    """The vertices that a queue takes after this level, if it takes the edges of a vertex in the
    order of ``places``, and the vertex that found each. They are marked in ``seen``."""
    edges, count = 0, 0
    for u in level:
        edges += begins[u + 1] - begins[u]
    capacity = min(edges, seen.size)
    found, found_by = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    order = np.empty(capacity, places.dtype)
    each = 1 if places.size > 1 else 0
    for u in level:
        first, rises = count, True
        for e in range(begins[u], begins[u + 1]):
            v = columns[e]
            if not seen[v]:
                seen[v] = True
                found[count], found_by[count], order[count] = v, u, places[e * each]
                rises = rises and (count == first or order[count - 1] < order[count])
                count += 1
        if not rises:
            found[first:count] = found[first:count][np.argsort(order[first:count])]
    return found[:count], found_by[:count]


@compiled
def led_on(queue: Any, before: Any, held: Any) -> None:
    """Give each vertex of the queue the value of its predecessor, in the order of the queue."""
    for v in queue:
        held[v] = held[before[v]]


@compiled
def rise(keys: Any, heap: Any, place: Any, at: int, key: Any, item: int) -> None:
    """Put the item at this place of the heap, or above it while its key is smaller than the
    parent's."""
    while at > 0 and keys[(at - 1) >> 2] > key:
        above = (at - 1) >> 2
        keys[at], heap[at] = keys[above], heap[above]
        place[heap[at]] = at
        at = above
    keys[at], heap[at], place[item] = key, item, at


@compiled
def drop(keys: Any, heap: Any, place: Any, size: int) -> None:
    """Remove the top of the heap. ``size`` items are left, and the last one moves down from the
    top."""
    key, item, at = keys[size], heap[size], 0
    while 4 * at + 1 < size:
        below = 4 * at + 1
        least, other = below, keys[below]
        for way in range(below + 1, min(below + 4, size)):
            if keys[way] < other:
                least, other = way, keys[way]
        if other >= key:
            break
        keys[at], heap[at] = other, heap[least]
        place[heap[at]] = at
        at = least
    keys[at], heap[at], place[item] = key, item, at


@compiled
def by_length(
    begins: Any, columns: Any, lengths: Any, sources: Any, limit: Any, distance: Any,
    target: int, ahead: Any, reach: float, watch: Any,
) -> None:  # fmt: skip
    """Dijkstra's algorithm: write to ``distance``, which holds infinity, the distance from the
    nearest source if it is at most ``limit``. Sums are in the type of ``distance`` and ``lengths``.

    With a ``target`` (else -1) only its distance is final; other vertices may have the length of
    some path. ``ahead`` (FP64, or empty) has lower bounds on the distance to the target: the heap
    is ordered by length plus bound, as in A*, and the search ends when that exceeds the target's
    length times ``reach``. A vertex that improves after it left the heap is inserted again.
    """
    T, n = distance.dtype.type, distance.size
    each, far = 1 if lengths.size > 1 else 0, ahead.size > 0
    keys, heap = np.empty(n, np.float64), np.empty(n, np.int32)
    place, size = np.full(n, -1, np.int32), 0
    for s in sources:
        if place[s] < 0:
            distance[s] = 0
            rise(keys, heap, place, size, ahead[s] if far else 0.0, s)
            size += 1
    while size > 0 and watch[0] == 0:
        watch[1] += 1
        best, u = keys[0], heap[0]
        if (target >= 0 and best >= distance[target] * reach) or best > limit * reach:
            break
        size -= 1
        drop(keys, heap, place, size)
        place[u] = -1
        for e in range(begins[u], begins[u + 1]):
            v, candidate = columns[e], T(distance[u] + lengths[e * each])
            if candidate < distance[v] and candidate <= limit:
                distance[v] = candidate
                at = place[v]
                if at < 0:
                    at = size
                    size += 1
                rise(keys, heap, place, at, candidate + ahead[v] if far else candidate, v)


@compiled
def by_length_with_parents(
    begins: Any, columns: Any, lengths: Any, source: int, limit: Any, distance: Any, parent: Any,
    watch: Any,
) -> int:  # fmt: skip
    """The same from one source to all vertices within ``limit``, with the vertex before each on a
    shortest path: of several the nearest, and of equally near ones the first. ``distance`` holds
    infinity, and ``parent`` -1. Returns how many vertices were reached.

    A parent leaves the heap before its child, and a vertex that has left it keeps its parent. So
    the parents form a tree, also along edges of length 0.
    """
    T, n = distance.dtype.type, distance.size
    each = np.uint64(1 if lengths.size > 1 else 0)
    keys, heap = np.empty(n, np.float64), np.empty(n, np.int32)
    place, size, reached = np.full(n, -1, np.int32), 1, 0
    distance[source], parent[source] = 0, source
    rise(keys, heap, place, 0, 0.0, source)
    while size > 0 and watch[0] == 0:
        u = np.uint32(heap[0])
        size -= 1
        reached += 1
        watch[1] = reached
        drop(keys, heap, place, size)
        place[u], nearest = -1, distance[u]
        for e in range(np.uint64(begins[u]), np.uint64(begins[u + 1])):
            v, candidate = np.uint32(columns[e]), T(nearest + lengths[e * each])
            if candidate < distance[v]:
                if candidate <= limit:
                    distance[v], parent[v] = candidate, u
                    at = place[v]
                    if at < 0:
                        at = size
                        size += 1
                    rise(keys, heap, place, at, candidate, v)
            elif candidate == distance[v] and place[v] >= 0:
                p = np.uint32(parent[v])
                if u < p and nearest == distance[p]:
                    parent[v] = u
    return reached


@compiled
def by_sums(
    begins: Any, columns: Any, lengths: Any, distance: Any, frontier: Any, first: int, last: int,
    came: Any, watch: Any,
) -> Any:  # fmt: skip
    """Rounds ``first`` to ``last`` of the closure under min.+, with lengths of either sign. A round
    uses the values that the frontier had before it. ``came`` gets the round in which a vertex last
    changed. Returns the frontier after the last round."""
    T, each = distance.dtype.type, 1 if lengths.size > 1 else 0
    queue, after = np.empty(distance.size, np.int32), np.empty(distance.size, np.int32)
    held, count = np.empty_like(distance), frontier.size
    queue[:count] = frontier
    for r in range(first, last + 1):
        for i in range(count):
            held[i] = distance[queue[i]]
        found = 0
        for i in range(count):
            u = queue[i]
            for e in range(begins[u], begins[u + 1]):
                v, candidate = columns[e], T(held[i] + lengths[e * each])
                if candidate < distance[v]:
                    distance[v] = candidate
                    if came[v] != r:
                        came[v], after[found] = r, v
                        found += 1
        queue, after, count = after, queue, found
        if count == 0 or watch[0] != 0:
            break
    return queue[:count].copy()


@compiled
def nearer(
    begins: Any, columns: Any, lengths: Any, value: Any, known: Any, parent: Any, watch: Any
) -> None:
    """Write to ``parent``, which holds -1, for each ``known`` vertex the in-neighbour that is
    nearer and whose edge gives exactly this vertex's value; of several the nearest, and of equally
    near ones the first."""
    T = value.dtype.type
    each = 1 if lengths.size > 1 else 0
    for u in range(value.size):
        if watch[0] != 0:
            break
        if known[u]:
            for e in range(begins[u], begins[u + 1]):
                v = columns[e]
                tight = T(value[u] + lengths[e * each]) == value[v] and value[u] < value[v]
                if tight and known[v] and (parent[v] < 0 or value[u] < value[parent[v]]):
                    parent[v] = u
