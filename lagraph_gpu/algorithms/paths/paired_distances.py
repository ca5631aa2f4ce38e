"""Distances of pairs of vertices: chosen entries of the table of distances.

With D the table of all distances and M the pattern of the pairs, the result is D⟨M⟩, D under the
mask M. The rows of D are computed once for each vertex from which a pair starts, as many at a time
as the memory allows, and only the entries of M are kept. The columns of D are rows of the table of
the reversed graph. So as many searches suffice as the pairs have different sources, or different
targets if these are fewer. O(k (m + n log n)) for k searches by Dijkstra's method, and a sort of
the pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distance_rows import Table
from lagraph_gpu.algorithms.paths.path_lengths import Pairs
from lagraph_gpu.convert.options import Vertices, Weight
from lagraph_gpu.errors import DimensionMismatch
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.reporting import StepCallback, steps_of
from lagraph_gpu.schedule import Schedule


def paired_distances(
    G: Graph,
    sources: Vertices,
    targets: Vertices,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Any:
    """The distance of each pair, from `sources[k]` to `targets[k]`.

    Parameters
    ----------
    G : Graph
        The graph. The weights are the lengths of the edges, at least 0. Edges are followed in their
        direction.
    sources : list or array of integers
        The first vertex of each pair.
    targets : list or array of integers
        The second vertex of each pair. Pairs may be repeated.
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
    array of one dimension
        The distance of each pair, infinite if there is no path, or none of at most `cutoff`. The
        library and the type of the array, and the numbers in it, are those of `distance_matrix`.

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
    DimensionMismatch
        `sources` and `targets` have different lengths.
    TooLarge
        The rows of a batch do not fit into the free memory.

    Notes
    -----
    O(k (m + n log n)) for k different sources, or targets if these are fewer; the semiring is
    min_plus. No row of the table is kept. Floating-point weights are always added up from the
    source, because the order of the sum shows in the last digit. Over a contraction, the way down
    leads only to the targets of a batch.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1, 5, 2], n=4, backend="cpu")
    >>> lg.paired_distances(G, [0, 1, 0, 2], [2, 2, 0, 0]).tolist()
    [3.0, 2.0, 0.0, inf]
    """
    table = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    start, end = table.sources, table.targets
    if end is None or start.size != end.size:
        said = "all vertices" if end is None else str(end.size)
        raise DimensionMismatch(f"expected as many sources as targets, got {start.size} and {said}")
    exact = table.hops or G.A.dtype.kind != "f" or contraction is not None
    turned = exact and distinct(end).size < distinct(start).size
    if turned:
        start, end = end, start
    searched, row = np.unique(start, return_inverse=True)
    place = np.argsort(row, kind="stable")
    callback = steps_of("paired_distances", progress)
    return table.rows(searched, callback, Pairs(row[place], end[place], place), turned)
