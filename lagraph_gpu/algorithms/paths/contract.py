"""Contraction: preparing a graph for searches from many sources, by vertex elimination.

This is Kleene's elimination, the block LU factorisation over the closed semiring min_plus. Let I be
a set of vertices no two of which are neighbours, and R the other vertices. Then the distances among
R are those of the smaller graph

    A' = A[R, R] min (A[R, I] min.+ A[I, R]),

because a path between two vertices of R meets I in single vertices only. Weights are at least 0, so
no loop shortens a path. Rounds eliminate one such set after another. Each set is chosen by Luby's
method among the vertices of low degree, which add few shortcuts: a parallel minimum degree order.
A[I, R] and A[R, I] are kept, as rows of U and columns of L, and at the end the star of the
remaining graph, a small dense core.

On graphs with small separators, such as road networks, U and L stay about as sparse as the graph.
New York: 264,346 vertices, 730,100 arcs, and 1.2 million arcs in each of U and L after 126 rounds.

>>> import lagraph_gpu as lg
>>> from semirings import min_plus
>>> G = lg.Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 1], [5, 5, 2, 2], backend="cpu")
>>> I, R = [1], [0, 2]
>>> min_plus(G.A[R, I].new() @ G.A[I, R].new()).new().to_dense().tolist()   # ways through vertex 1
[[10, 7], [7, 4]]

Kleene: Representation of events in nerve nets and finite automata (1956). Rose, Tarjan: Algorithmic
aspects of vertex elimination on directed graphs, SIAM J. Appl. Math. 34 (1978). Luby: A simple
parallel algorithm for the maximal independent set problem (1986). Dibbelt, Strasser, Wagner:
Customizable contraction hierarchies, ACM Journal of Experimental Algorithmics 21 (2016).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import EXACT, table_type, whole_lengths
from lagraph_gpu.algorithms._shared.power_iteration import counts_edges, refuse_negative
from lagraph_gpu.algorithms.paths.contraction import NEVER, Contraction
from lagraph_gpu.algorithms.paths.floyd_warshall import floyd_warshall
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_count
from lagraph_gpu.reporting import StepCallback, steps_of
from semirings import MONOIDS, min_plus, min_second, types

minimum = MONOIDS["min"]

CORE, LARGEST_CORE = 1024, 2048
"""The number of vertices at which elimination stops, and the largest number at which it may stop if
a round eliminates too few vertices.
"""

ROUND_SHARE, FILL, SPARE_ARCS, HASH_FACTOR = 1024, 4, 2**20, 2654435761
"""The last round is the one that eliminates fewer than 1 / ROUND_SHARE of the vertices. The
remaining graph may have FILL times the arcs of the graph, and SPARE_ARCS more. Ids times
HASH_FACTOR, in 32 bits, are in a random order.
"""


def contract(
    G: Graph,
    weight: Weight | None = "weight",
    *,
    core: int = CORE,
    progress: bool | StepCallback | None = None,
) -> Contraction:
    """Prepare a graph for `lg.distance_matrix` from many sources, by contraction.

    Parameters
    ----------
    G : Graph
        The graph. Weights must be at least 0, and whole numbers, in integers or in floats that hold
        each sum exactly.
    weight : {"weight"} or None, optional
        With "weight", the default, the contraction is for distances in weights. With None it is for
        distances in edges.
    core : int, optional
        About how many vertices remain for a dense matrix at the end.
    progress : bool or function, optional
        True shows how far the call is. A function of (done, n) is called after each round with the
        number of eliminated vertices.

    Returns
    -------
    Contraction
        The prepared graph, for `lg.distance_matrix(G, …, contraction=)`. It can be saved.

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    InvalidValue
        A weight is not a whole number, or the type of the weights does not hold each sum exactly.
    DistanceOverflow
        Two paths of n edges of the heaviest weight might not fit 64-bit integers.
    TooLarge
        The graph does not stay sparse. Road networks do, social networks do not.

    Notes
    -----
    Each round is a few products over the remaining graph, and eliminates a fixed share of its
    vertices: O(log n) rounds while the graph stays sparse, and then more rounds over fewer
    vertices. A round waits a few dozen times. Memory: O(arcs of the factors + core²). The semiring
    is min_plus.

    Weights must be whole numbers because sums are associated in another order than in a search, and
    floating-point sums would be rounded differently. Rose and Tarjan 1978; Dibbelt, Strasser and
    Wagner 2016.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.grid(20, 20, weights="integer", backend="cpu")
    >>> P = lg.contract(G, core=40)
    >>> (lg.distance_matrix(G, [7, 250], contraction=P) == lg.distance_matrix(G, [7, 250])).all()
    np.True_
    """
    refuse_negative(G, weight, "a contraction")
    core = expect_count(core, "core")
    hops = counts_edges(G, weight)
    kind = table_type(G, hops, weight is not None)
    A = whole_lengths(G, hops).select("offdiag").new()
    callback = steps_of("contract", progress)
    left, max_arcs = np.arange(G.n), FILL * A.nvals + SPARE_ARCS
    sets, above, below = [left[:0]], [], []
    while A.nrows > core:
        first, rest = next_round(A, left)
        stuck = first.size * ROUND_SHARE < A.nrows and A.nrows > CORE
        if stuck and A.nrows <= LARGEST_CORE:
            break
        if stuck or A.nvals > max_arcs:
            raise TooLarge(
                f"expected a graph that stays sparse, as roads do, but when {G.n - A.nrows:,} of "
                f"{G.n:,} vertices were eliminated, the other {A.nrows:,} had {A.nvals:,} arcs; "
                "search it without a contraction"
            )
        up, down = A[first, rest].new(), A[rest, first].new()
        A = A[rest, rest].new()
        A(accum=minimum) << min_plus(down @ up)
        A = A.select("offdiag").new()
        sets.append(left[first])
        left = left[rest]
        above.append((left, *up.to_csr()))
        below.append((left, *down.to_csc()))
        if callback is not None:
            callback(G.n - left.size, G.n)
    star = floyd_warshall(Graph(A)).to_dense(NEVER[types.INT64])
    P = Contraction.of_rounds(G.digest, hops, [*sets, left], above, below, star)
    if P.farthest > EXACT[kind]:
        raise InvalidValue(
            f"expected distances that {types.name(kind)} holds exactly, up to {EXACT[kind]:,}, but "
            f"some may be as long as {P.farthest:,}; store the weights in a wider type"
        )
    return P


def next_round(A: Matrix, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vertices that are eliminated next, and the other vertices.

    A vertex of low degree is chosen if it comes before its neighbours, by degree and then in a
    random order of their ids `left`.
    """
    pattern = A.apply("one").new(types.INT64)
    joined = pattern.ewise_add(pattern.T, minimum).new()
    degree = joined.reduce_rowwise("plus").new().to_dense(0)
    key = degree << 32 | left * HASH_FACTOR % 2**32
    least = min_second(joined @ Vector.from_dense(key, backend=A.backend)).new()
    low = np.partition(degree, degree.size // 2)[degree.size // 2]
    chosen = (key < least.to_dense(2**62)) & (degree <= low)
    return np.flatnonzero(chosen), np.flatnonzero(~chosen)
