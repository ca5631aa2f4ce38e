"""Random graphs of a given number of edges."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.convert.edge_list import MAX_VERTICES, EdgeList
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.errors import InvalidValue, brief, grouped
from lagraph_gpu.generate.counters import directed_pair, permuted, permuted_pairs, undirected_pair
from lagraph_gpu.generate.edge_weights import WeightKind
from lagraph_gpu.generate.sizes import chunks, count_of, expect_room_for_edges, numbers_of_part
from lagraph_gpu.generate.sorted_edges import from_keys, from_pairs
from lagraph_gpu.notation.checks import expect_flag


def random_graph(
    n: int, nedges: int, seed: int = 1, directed: bool = False, weights: WeightKind = None,
    *, part: tuple[int, int] = (0, 1),
) -> EdgeList:  # fmt: skip
    """A random graph of a given number of edges, all sets of edges being equally likely; no loops.

    Parameters
    ----------
    n : int
        The number of vertices.
    nedges : int
        The number of edges, all different.
    seed : int, optional
        A seed gives the same graph everywhere.
    directed : bool, optional
        Whether the edges have a direction.
    weights : {"integer", "uniform"}, optional
        The weights, as for `kronecker`.
    part : tuple of two ints, optional
        A number and of how many: only this part of the edges is made. All parts together are the
        graph.

    Returns
    -------
    EdgeList
        The graph, sorted.

    Raises
    ------
    InvalidValue
        There are not that many different edges among n vertices.
    TooLarge
        The graph has more than 2^60 vertices, or does not fit into memory.

    Notes
    -----
    Edge number k is the k-th value of a random permutation of all possible edges (a Feistel network
    with cycle walking). So no edge occurs twice, and every density costs the same.

    O(nedges log nedges), for the sort.

    Examples
    --------
    >>> edges = random_graph(4, 6)
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    n, nedges, seed = (
        check_size(count_of(n, "n")),
        count_of(nedges, "nedges"),
        count_of(seed, "seed"),
    )
    directed = expect_flag(directed, "directed")
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    if nedges > possible:
        kind = "directed" if directed else "undirected"
        raise InvalidValue(
            f"expected at most {possible:,} {kind} edges between {n:,} vertices, got nedges = "
            f"{grouped(nedges)}"
        )
    numbers = numbers_of_part(nedges, part)
    expect_room_for_edges(len(numbers), "a random graph")
    pair_of = directed_pair if directed else undirected_pair
    name = f"random-{n}-{nedges}-{brief(seed)}"
    if n > MAX_VERTICES:
        src, dst = np.empty(len(numbers), np.int64), np.empty(len(numbers), np.int64)
        for there in chunks(src.size):
            chunk = numbers[there]
            pair = pair_of(np.arange(chunk.start, chunk.stop), n)
            src[there], dst[there] = permuted_pairs(*pair, n, directed, seed)
        return from_pairs(src, dst, n, directed, weights, seed, name)
    keys = np.empty(len(numbers), np.uint64)
    for there in chunks(keys.size):
        chunk = numbers[there]
        counter = np.arange(chunk.start, chunk.stop, dtype=np.uint64)
        u, v = pair_of(permuted(counter, possible, seed).view(np.int64), n)
        keys[there] = (u * n + v).view(np.uint64)
    keys.sort()
    return from_keys(keys, n, directed, weights, seed, name)
