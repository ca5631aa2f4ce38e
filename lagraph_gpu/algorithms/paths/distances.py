"""Tables of distances, from many sources to all vertices or to chosen ones, as dense arrays.

The table is the closure of the matrix of the sources under min_plus; a row is what `sssp` computes
from one source. Searches from many sources at once share the reading of the graph. O(k (m + n log
n)) for k sources by Dijkstra's method. For distances in edges O(m) in each round that reaches a new
vertex, for as many sources as a row has bits.

Dijkstra: A note on two problems in connexion with graphs (1959). Then et al.: The more the merrier:
efficient multi-source graph traversal, PVLDB 8 (2014).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from lagraph_gpu.algorithms._shared.memory_check import (
    block_bytes,
    expect_fits,
    fits_elsewhere,
    free_bytes,
)
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distance_rows import Block, Table
from lagraph_gpu.convert.options import Vertices, Weight
from lagraph_gpu.errors import InvalidValue, TooLarge, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.reporting import StepCallback, steps_of
from lagraph_gpu.schedule import Schedule


def distance_matrix(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Any:
    """The table of the distances from each source to each target.

    Parameters
    ----------
    G : Graph
        The graph. The weights are the lengths of the edges, at least 0. Edges are followed in their
        direction.
    sources : list or array of integers, optional
        The vertices where the searches start, in any order and with repetitions. By default all
        vertices.
    targets : list or array of integers, optional
        The vertices where paths end, in any order and with repetitions. By default all vertices.
    cutoff : float, optional
        Longer paths do not count. By default there is no bound.
    weight : {"weight"} or None, optional
        With "weight", the default, distances are sums of weights. With None they count edges.
    schedule : Schedule, optional
        How to carry it out, for example in the order "rounds", "delta" or "heap". It can change the
        time, never the answer.
    contraction : Contraction, optional
        What `lg.contract` returned for this graph and this `weight`. It makes many searches faster.
    progress : bool or function, optional
        True shows how far the call is. A function of (done, total) is called from time to time with
        the number of searches that are done and the number of all.

    Returns
    -------
    array of shape (sources, targets)
        The distance from each source (a row) to each target (a column), infinite if there is no
        path, or none of at most `cutoff`. It is an array of the library of the backend: NumPy, or
        CuPy unless only the host has room for the call. Its type is that of the weights if that is
        floating-point, FP64 for integer weights, and FP32 for counts of edges (FP64 beyond 2²⁴
        vertices).

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    DistanceOverflow
        The longest conceivable path, n - 1 edges of the heaviest weight, does not fit the type of
        the table (whole numbers exactly, up to 2⁵³).
    IndexOutOfBound
        An id is not a vertex of G.
    WrongType
        Ids are not integers.
    InvalidValue
        The contraction was made for another graph or another `weight`, or is given with a schedule.
    TooLarge
        The table does not fit into the free memory. The message gives the bytes; `iter_distances`
        returns the table in blocks.

    Notes
    -----
    O(k (m + n log n)) for k sources, by Dijkstra's method; the semiring is min_plus. With a
    contraction, two passes over its arcs for each batch of sources: O(arcs + core²) for each
    source. Dijkstra 1959; Then et al. 2014.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], n=4, backend="cpu")
    >>> lg.distance_matrix(G, [1, 0], [2, 0, 3]).tolist()
    [[2.0, inf, inf], [3.0, 0.0, inf]]
    """
    table = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    expect_fits(
        G, table.least_bytes, "a table that fits",
        f"{table.sources.size:,} rows of {table.columns:,} distances need, a search at a time,",
        "name fewer targets, or take it in blocks: for block in lg.iter_distances(...)",
    )  # fmt: skip
    return table.rows(table.sources, steps_of("distance_matrix", progress))


def iter_distances(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    memory: int | None = None,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Iterator[Block]:
    """The table of `distance_matrix`, in blocks of rows.

    Parameters
    ----------
    G : Graph
        The graph. The weights are the lengths of the edges, at least 0. Edges are followed in their
        direction.
    sources : list or array of integers, optional
        The vertices where the searches start, in any order and with repetitions. By default all
        vertices.
    targets : list or array of integers, optional
        The vertices where paths end, in any order and with repetitions. By default all vertices.
    cutoff : float, optional
        Longer paths do not count. By default there is no bound.
    weight : {"weight"} or None, optional
        With "weight", the default, distances are sums of weights. With None they count edges.
    memory : int, optional
        The bytes that a block may take, including those of its searches. By default a quarter of
        the free memory, or what one row needs if that is more and fits.
    schedule : Schedule, optional
        How to carry it out, for example in the order "rounds", "delta" or "heap". It can change the
        time, never the answer.
    contraction : Contraction, optional
        What `lg.contract` returned for this graph and this `weight`. It makes many searches faster.
    progress : bool or function, optional
        True shows how far the call is. A function of (done, total) is called from time to time with
        the number of searches that are done and the number of all.

    Returns
    -------
    iterator of Block
        Blocks with `sources`, the sources of the rows in the given order, and `distances`, the
        rows. Each block is an array of its own.

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    DistanceOverflow
        The longest conceivable path, n - 1 edges of the heaviest weight, does not fit the type of
        the table (whole numbers exactly, up to 2⁵³).
    IndexOutOfBound
        An id is not a vertex of G.
    WrongType
        Ids are not integers.
    InvalidValue
        The contraction was made for another graph or another `weight`, or is given with a schedule.
    TooLarge
        Not even one row fits into `memory`.

    Notes
    -----
    Errors are raised by the call, not by the first block. A block has as many rows as fit into
    `memory`, and later ones fewer if by then less is free. Where a GPU has no room for one row any
    more, rows come from the CPU, one at a time. Without that way the block raises TooLarge; those
    before it are right.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
    >>> for block in lg.iter_distances(G, [2, 0, 1], [0], memory=512):
    ...     print(block.sources.tolist(), block.distances.tolist())
    [2, 0] [[2.0], [0.0]]
    [1] [[1.0]]
    """
    table = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    by_default = memory is None
    if by_default:
        memory = block_bytes(free_bytes(G), table.bytes(1))
    elif not is_integer(memory):
        raise InvalidValue(f"expected memory in bytes as an integer, got {brief(memory)}")
    counts = range(1, max(1, table.sources.size) + 1)
    fitting = len(counts) if memory is None else bisect_right(counts, memory, key=table.bytes)
    if fitting == 0 and not (by_default and fits_elsewhere(G, table.bytes(1))):
        raise TooLarge(
            f"expected memory for one row at least, {table.bytes(1):,} bytes, got {memory:,}; give "
            "more by memory=, name fewer targets, or raise the limit"
        )
    return table.blocks(max(1, fitting), steps_of("iter_distances", progress))
