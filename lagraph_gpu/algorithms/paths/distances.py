"""Tables of distances: from many sources to all vertices or to chosen ones, as dense arrays.

A row is what ``sssp`` finds from one source: the table is the closure of a matrix of points under
min-plus, a row a source. Searched together, the sources share each look at the graph. By Dijkstra's
method O(k (m + n log n)) for k sources; counted in edges O(m) for as many sources as a row of bits
has, in each round that finds anything.

Dijkstra: A note on two problems in connexion with graphs (1959). Then et al.: The more the merrier:
efficient multi-source graph traversal, PVLDB 8 (2014).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from lagraph_gpu.algorithms._shared.memory_check import expect_fits, free_bytes
from lagraph_gpu.algorithms._shared.source_batches import Vertices
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distance_rows import Block, Table
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.generate.generators import Progress
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.schedule import Schedule

SHARE = 4
"""A block takes one in so many bytes that are free, unless ``memory`` says otherwise."""


def distance_matrix(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: str | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: Progress | None = None,
) -> Any:
    """The distance from each source (a row) to each target (a column), infinite where there is no
    path or none of at most ``cutoff``.

    ``sources`` and ``targets`` are ids in any order, also repeated; None is every vertex.
    ``weight=None`` counts edges. A two-dimensional array of the library that the graph's backend
    works with, NumPy's or CuPy's: of the weights' type if that is floating-point, FP64 for integer
    weights, FP32 for counts (FP64 beyond 2²⁴ vertices). ``schedule`` may fix their order: "rounds",
    "delta" or "heap" (see ``lg.Schedule``). ``progress(done, total)`` is called now and then with
    the rows that are done. Weights must be at least 0 (else NegativeWeight); DistanceOverflow where
    the longest conceivable path, n - 1 edges of the heaviest weight, does not fit the table's type
    (whole numbers: exactly, up to 2⁵³); IndexOutOfBound and WrongType for ids that are none;
    TooLarge, with the bytes, where the table does not fit the free memory: ``iter_distances`` gives
    it in blocks.

    With a ``contraction``, which ``lg.contract(G)`` makes of a graph that stays, such as roads, the
    same table takes two sweeps over the contraction's arcs for each batch of sources, O(arcs +
    core²) a source; InvalidValue if it was made of another graph, or with another ``weight``.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], n=4, backend="cpu")
    >>> lg.distance_matrix(G, [1, 0], [2, 0, 3]).tolist()
    [[2.0, inf, inf], [3.0, 0.0, inf]]
    """
    table = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    expect_fits(
        G, table.row_bytes * table.sources.size, "a table that fits",
        f"{table.sources.size:,} rows of {table.columns:,} distances need",
        "name fewer targets, or take it in blocks: for block in lg.iter_distances(...)",
    )  # fmt: skip
    return table.rows(table.sources, progress)


def iter_distances(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: str | None = "weight",
    *,
    memory: int | None = None,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: Progress | None = None,
) -> Iterator[Block]:
    """The table of ``distance_matrix`` in blocks of as many sources as fit ``memory`` bytes, those
    of the search included; by default a quarter of what is free.

    A block has the ``sources`` of its rows and their ``distances``, in the order they were given;
    each is an array of its own. ``schedule`` and ``progress`` are as there. Raises as
    ``distance_matrix``, when it is called; TooLarge where not even one row fits.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
    >>> for block in lg.iter_distances(G, [2, 0, 1], [0], memory=512):
    ...     print(block.sources.tolist(), block.distances.tolist())
    [2, 0] [[2.0], [0.0]]
    [1] [[1.0]]
    """
    table = Table(G, sources, targets, cutoff, weight, schedule, contraction)
    if memory is None:
        free = free_bytes(G)
        memory = None if free is None else free // SHARE
    elif not is_integer(memory):
        raise InvalidValue(f"expected memory in bytes as an integer, got {memory!r}")
    counts = range(1, max(1, table.sources.size) + 1)
    fitting = len(counts) if memory is None else bisect_right(counts, memory, key=table.bytes)
    if fitting == 0:
        least = table.bytes(1)
        raise TooLarge(f"expected memory for one row at least, {least:,} bytes, got {memory:,}")
    return table.blocks(fitting, progress)
