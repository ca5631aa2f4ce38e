"""Distances of pairs: the entries of the table of distances that somebody asks for.

With D the table of all distances and M the pattern of the pairs, D⟨M⟩. The rows of D are found once
for each vertex from which a pair starts, so many at a time as the memory takes, and only what M has
is kept. The columns of D are rows of the table of the graph turned round: as many searches as the
pairs have different sources, or different targets, will do, whichever are fewer. By Dijkstra's
method O(k (m + n log n)) for k of them, and a sort of the pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.source_batches import Vertices
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distance_rows import Table
from lagraph_gpu.algorithms.paths.path_lengths import Pairs
from lagraph_gpu.errors import DimensionMismatch
from lagraph_gpu.generate.generators import Progress
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.schedule import Schedule


def paired_distances(
    G: Graph,
    sources: Vertices,
    targets: Vertices,
    cutoff: float | None = None,
    weight: str | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: Progress | None = None,
) -> Any:
    """The distance of each pair, from ``sources[k]`` to ``targets[k]``, infinite where there is no
    path or none of at most ``cutoff``.

    ``sources`` and ``targets`` are ids in any order, as many of the one as of the other; pairs may
    be repeated. ``weight=None`` counts edges. A one-dimensional array of the library, and of the
    type, that ``distance_matrix`` gives, with the same numbers in it; but no row of that table is
    kept. A search serves all pairs that share a source or, if there are fewer of those, a target;
    floating-point weights are always added up from the source, since the order shows in the last
    digit. ``schedule`` and ``contraction`` are as there; over a contraction the way down leads only
    to the targets of a batch. ``progress(done, total)`` is called now and then with the searches
    that are done. Raises as ``distance_matrix``, and DimensionMismatch for lists of different
    lengths.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1, 5, 2], n=4, backend="cpu")
    >>> lg.paired_distances(G, [0, 1, 0, 2], [2, 2, 0, 0]).tolist()
    [3.0, 2.0, 0.0, inf]
    """
    asked = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    start, end = asked.sources, asked.targets
    if end is None or start.size != end.size:
        said = "all vertices" if end is None else str(end.size)
        raise DimensionMismatch(f"expected as many sources as targets, got {start.size} and {said}")
    exact = asked.hops or G.A.dtype.kind != "f" or contraction is not None
    turned = exact and distinct(end).size < distinct(start).size
    if turned:
        start, end = end, start
    searched, row = np.unique(start, return_inverse=True)
    place = np.argsort(row, kind="stable")
    return asked.rows(searched, progress, Pairs(row[place], end[place], place), turned)
