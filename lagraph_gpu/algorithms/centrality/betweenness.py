"""Betweenness centrality: the share of the shortest paths that pass through a vertex.

Brandes' algorithm for a batch of sources at once, each of which is a row of a matrix. Forward, σ_d
holds for each vertex at depth d the number of shortest paths to it; it is the frontier of a
breadth-first search with the semiring plus_first. Backward, g(v) = Σ 1/σ(t) × (the number of
shortest paths from v to t), over v itself and all t below it, satisfies

    g_d = 1/σ_d + t_d        t_d = g_{d+1} ⊕.⊗ Aᵀ, where σ_d has entries

and the share of the shortest paths of the source that pass through v is σ(v) t(v). O(m) for each
source.

A lattice of 520 × 520 has more shortest paths than FP64 can count. So σ is held in bands: an entry
x of band b stands for x 2^(512 b), with 1 ≤ x < 2^512, and an entry y of g in that band for
y 2^(-512 b). σ never falls on the way out, so bands only rise, and what passes from one band to
another is multiplied by at most 1.

Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical Sociology 25 (2001).
Buluç, Gilbert: The Combinatorial BLAS, IJHPCA 25 (2011), section 4.4. Brandes, Pich: Centrality
estimation in large networks (2007), for sampled sources.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import along_edges, full, plus, second, times
from lagraph_gpu.algorithms._shared.source_batches import (
    MAX_ROWS,
    batch_rows,
    batches,
    start_matrix,
)
from lagraph_gpu.algorithms._shared.vertex_values import scaled_sums
from lagraph_gpu.algorithms.centrality.needed_searches import needed_searches
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag, is_integer, random
from lagraph_gpu.notation.operation import operation
from semirings import plus_first, plus_times
from semirings.types import FP64

BAND = 2.0**512
"""One band above another, as a factor."""


def betweenness_centrality(
    G: Graph,
    k: int | None = None,
    normalized: bool = True,
    weight: Weight | None = None,
    endpoints: bool = False,
    seed: Any = None,
    *,
    batch_size: int | None = None,
) -> Vector:
    """The betweenness centrality of each vertex: the share of the shortest paths on which it lies.

    Parameters
    ----------
    G : Graph
        The graph. Edges count 1 and are followed in their direction. Loops lie on no shortest path.
    k : int, optional
        The number of sources, drawn at random without repetition, from 1 to n, for an estimate that
        is scaled as in NetworkX. By default all vertices are sources, and the result is exact.
    normalized : bool, optional
        If True, the default, the values are divided by the number of pairs. Otherwise each pair of
        an undirected graph counts once.
    weight : None
        Weights are not supported. Pass None for a graph with weights.
    endpoints : bool, optional
        If True, a path counts for its two ends too.
    seed : int or numpy.random.Generator, optional
        The seed that draws the sources. They are not the sources that NetworkX draws.
    batch_size : int, optional
        How many searches run together at most. By default as many as fit into the free memory, at
        most 256. It changes the answer only by rounding.

    Returns
    -------
    Vector of FP64
        For each vertex the sum, over pairs s ≠ t, of the share of the shortest paths from s to t on
        which it lies. With k = 1 the value at the source itself is NaN.

    Raises
    ------
    UnsupportedOperation
        `weight` is "weight" and the graph has weights.
    InvalidValue
        k is not an integer from 1 to n.

    Notes
    -----
    O(k (n + m)), and n × 64 bytes for each source of a batch. Sources without edges need no search;
    in an undirected graph those of degree 1 share the search of their neighbour. The semiring is
    plus_first. Brandes 2001; Buluç and Gilbert 2011; Baglioni and others 2012.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend="cpu")
    >>> lg.betweenness_centrality(G, normalized=False).to_dense().tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    if along_edges(G, weight)[1] is not plus_first:
        wanted = "expected weight=None for betweenness, which counts edges here; got weights"
        raise UnsupportedOperation(f"{wanted}. NetworkX' betweenness_centrality takes them")
    flags = expect_flag(normalized, "normalized"), expect_flag(endpoints, "endpoints")
    return betweenness_from(G, sampled_sources(G, k, seed), k is None, *flags, batch_size)


@operation
def dependencies(G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray) -> Vector:
    """For each vertex (FP64) the sum, over the sources and all vertices t, of the share of the
    shortest paths from the source to t on which it lies as an inner vertex. Each source counts as
    often as `counts` (FP64) says.

    With `endpoints` a vertex counts as the first or the last of a path too.
    """
    total, rows = full(G), batch_rows(G.A)
    for first in range(0, sources.size, rows):
        part = slice(first, first + rows)
        add_dependencies(total, G, sources[part], endpoints, counts[part])
    return total


def add_dependencies(
    total: Vector, G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray
) -> None:
    """Adds what `dependencies` is for these sources, which all searches of a step are from."""
    backwards, often = G.A.T, Vector.from_dense(counts, backend=G.backend)
    levels = path_counts(G, start_matrix(G.A, sources, 1.0, FP64))
    g = [sigma.apply("minv").new() for sigma in levels[-1]]
    for level in reversed(levels[1:-1]):
        for b, sigma in enumerate(level):
            t = plus_first(g[b] @ backwards).new(mask=sigma.S)
            for c in range(b + 1, len(g)):
                above = plus_first(g[c] @ backwards).new(mask=sigma.S)
                t(plus) << above.apply("times", right=BAND ** (b - c))
            total(plus) << plus_times(often @ times(t & sigma).new())
            g[b] = plus(t | sigma.apply("minv")).new()
        del g[len(level) :]
    if endpoints:
        for sigma in chain.from_iterable(levels[1:]):
            reached = sigma.apply("one").new()
            total(plus) << plus_times(often @ reached)
            ends = times(often & reached.reduce_rowwise("plus").new()).new()
            total(plus)[sources] << ends


def path_counts(G: Graph, start: Matrix) -> list[list[Matrix]]:
    """For each depth the number of shortest paths to the vertices at that depth, a row for each
    source, in bands.
    """
    levels, seen = [[start]], start.dup("BOOL")
    while any(sigma.nvals for sigma in levels[-1]):
        levels.append(in_bands([plus_first(x @ G.A).new(mask=~seen.S) for x in levels[-1]]))
        for sigma in levels[-1]:
            seen(sigma.S) << True
    return levels[:-1]


def in_bands(sums: list[Matrix]) -> list[Matrix]:
    """Numbers in bands, each moved to the one band in which it belongs."""
    for low, high in combinations(range(len(sums)), 2):
        both = second(sums[high] & sums[low]).new()
        sums[high](plus) << both.apply("times", right=BAND ** (low - high))
        sums[low] = sums[low].dup(mask=~sums[high].S)
    found = [x.select("<", BAND).new() for x in sums]
    risen = [x.select(">=", BAND).new().apply("times", right=1 / BAND).new() for x in sums]
    if risen[-1].nvals:
        found.append(Matrix(FP64, *risen[-1].shape, backend=risen[-1].backend))
    for x, more in zip(found[1:], risen, strict=False):
        x(plus) << more
    return found


def sampled_sources(G: Graph, k: int | None, seed: Any) -> np.ndarray:
    """All vertices, or k different random ones."""
    if k is None:
        return np.arange(G.n)
    if not is_integer(k) or not 1 <= k <= G.n:
        raise InvalidValue(
            f"expected k from 1 to n = {G.n} sampled sources or None, got {brief(k)}"
        )
    return random(seed).choice(G.n, int(k), replace=False)


def betweenness_from(
    G: Graph, sources: Any, exact: bool, normalized: bool, endpoints: bool, batch_size: Any = None
) -> Vector:
    """The betweenness from these sources, which are all vertices (`exact`) or a sample.

    Without `endpoints` a source has one source less than the other vertices, because it is not an
    inner vertex of its own paths.
    """
    needed = needed_searches(G, sources, endpoints)
    total = None if needed.beside is None else Vector.from_dense(needed.beside, backend=G.backend)
    every = np.arange(needed.sources.size)
    for part in batches(G.A, every, MAX_ROWS if batch_size is None else batch_size):
        found = dependencies(G, needed.sources[part], endpoints, needed.counts[part])
        total = found if total is None else plus(total & found).new()
    total = full(G) if total is None else total
    others = G.n if endpoints else G.n - 1
    if others < 2:
        return total
    pairs = others - 1 if normalized else (1 if G.directed else 2) / others
    count = others if exact else len(sources)
    own = np.array([] if exact or endpoints else sources, np.int64)
    of_sources = 1 / ((count - 1) * pairs) if count > 1 else float("nan")
    return scaled_sums(total, 1 / (count * pairs), own, of_sources)
