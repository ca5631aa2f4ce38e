"""Verifiers of lengths: certificates where they exist, and SciPy's distances elsewhere.

Lengths d(v) from one source are correct if and only if two conditions hold. No edge improves a
length, d(v) ≤ d(u) + w(u, v), so no length is too long. And a chain of *tight* edges, those with
d(v) = d(u) + w(u, v), leads from the source to each vertex, so no length is too short. One tight
edge into each vertex is not enough, because the vertices of a cycle of length 0 could support each
other.

A table with some columns only has no such certificate. It is compared with the result of SciPy's
Dijkstra, in FP64.

Ford: Network flow theory (1956). Ahuja, Magnanti, Orlin: Network flows (1993), section 5.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.convert.options import Vertices
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.verify import host
from semirings import types

WHOLE = 2**53
"""Integers up to this are exact in FP64."""


def verify_distance_matrix(
    G: Graph,
    table: Any,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: str | None = "weight",
) -> None:
    """Verify a result of `distance_matrix`, or a block of `iter_distances`.

    Parameters
    ----------
    G : Graph
        The graph.
    table : array of NumPy or CuPy
        The result, computed with any schedule, or with a contraction (`contract`).
    sources : list or array of integers, optional
        The sources of the rows. By default all vertices.
    targets : list or array of integers, optional
        The targets of the columns. By default all vertices.
    cutoff : float, optional
        The largest distance, as the result was computed.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: a row for each source and a column for each target, of a floating-point type. Each
    number is SciPy's distance: exactly for integers and counts of edges, within the rounding of n
    sums for floats. It is infinite where there is no path, or none within `cutoff`. O(n + m log n)
    for each source.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_distance_matrix
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1, 5, 2], backend="cpu")
    >>> table = lg.distance_matrix(G, [0, 1], [2])
    >>> verify_distance_matrix(G, table, [0, 1], [2])
    >>> table[0, 0] = 5
    >>> verify_distance_matrix(G, table, [0, 1], [2])
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: distance matrix, distance: expected 3.0 from 0 to 2, got
    5.0
    """
    say = host.Complaint("distance matrix")
    start, end = vertex_ids(G, sources, "sources"), vertex_ids(G, targets, "targets")
    found = _floats(say, table, (start.size, end.size))
    A = host.adjacency(G, weight)
    for rows in host.blocks(start.size, max(end.size, G.n)):
        pairs = np.repeat(start[rows], end.size), np.tile(end, rows.size)
        _are_distances(say, A, *pairs, found[rows].ravel(), cutoff, weight, rounding(G, weight))


def verify_paired_distances(
    G: Graph,
    sources: Vertices,
    targets: Vertices,
    distances: Any,
    cutoff: float | None = None,
    weight: str | None = "weight",
) -> None:
    """Verify a result of `paired_distances`.

    Parameters
    ----------
    G : Graph
        The graph.
    sources : list or array of integers
        The first vertex of each pair.
    targets : list or array of integers
        The second vertex of each pair.
    distances : array of NumPy or CuPy
        The result.
    cutoff : float, optional
        The largest distance, as the result was computed.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked as by `verify_distance_matrix`. O(n + m log n) for each different source.
    """
    say = host.Complaint("paired distances")
    start, end = vertex_ids(G, sources, "sources"), vertex_ids(G, targets, "targets")
    if start.size != end.size:
        raise say.error("size", f"expected pairs, got {start.size} sources, {end.size} targets")
    found, A = _floats(say, distances, (start.size,)), host.adjacency(G, weight)
    _are_distances(say, A, start, end, found, cutoff, weight, rounding(G, weight))


def verify_floyd_warshall(
    G: Graph, D: Matrix, samples: int | None = None, seed: int | None = None
) -> host.Sample:
    """Verify a result of `floyd_warshall`.

    Parameters
    ----------
    G : Graph
        The graph.
    D : Matrix
        The result.
    samples : int, optional
        The number of rows to look at. By default 1,000, or all if there are no more.
    seed : int, optional
        The seed that draws the same places again. By default a new one is drawn each time.

    Returns
    -------
    Sample
        Which places were looked at, of how many, and the seed that draws them again.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: an n × n matrix of the type of the weights, of finite numbers, with 0 on the diagonal.
    In the sampled rows no edge improves a distance, or leads from a reached vertex to one that is
    not reached; and chains of tight edges lead from the vertex of the row to all reached vertices.
    Exact for integers; sums of floats may differ by the rounding of n terms. Weights may be
    negative; with a negative cycle no D is correct. O(n + m) for each row.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_floyd_warshall
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -5], backend="cpu")
    >>> print(verify_floyd_warshall(G, lg.floyd_warshall(G)))
    all 3 places
    """
    say, n, kind = host.Complaint("floyd_warshall"), G.n, type_of_lengths(G)
    say.expect(D.shape == (n, n), "size", f"expected a matrix of {(n, n)}, got {D.shape}")
    host.has_type(say, D.dtype, kind)
    indptr, column, value = D.to_csr()
    row = np.repeat(np.arange(n), np.diff(indptr))
    say.unless(
        "number", ~np.isfinite(value),
        lambda e: f"expected a finite number from {row[e]} to {column[e]}, got {value[e]}",
    )  # fmt: skip
    own = np.ones(n, bool)
    own[row[(row == column) & (value == 0)]] = False
    say.unless(
        "diagonal", own, lambda v: f"expected 0 from vertex {v} to itself, got {D.get(v, v)}"
    )
    u, v, w = G.A.to_coo()
    value, w = host.exact(value, w)
    largest = max((float(np.abs(x).max(initial=0)) for x in (value, w)), default=0.0)
    one = (n + 1) * np.finfo(kind).eps if kind.kind == "f" else 0
    seen = say.sample(n, samples, seed)
    for s in seen.places:
        at = slice(indptr[s], indptr[s + 1])
        there, far = np.zeros(n, bool), np.zeros(n, value.dtype)
        there[column[at]], far[column[at]] = True, value[at]
        offer = far[u] + w
        slack = one * (largest if w.size and w.min() < 0 else offer) if one else 0
        _row(say, int(s), there, far, (u, v, w), offer, slack)
    return seen


def verify_negative_cycle(G: Graph, source: int | None = None) -> None:
    """Verify that a graph has a cycle of negative length, as the error NegativeCycle says.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int, optional
        The cycle must be reachable from this vertex. By default any cycle will do.

    Raises
    ------
    VerificationError
        There is no such cycle.

    Notes
    -----
    Lengths are improved along all edges at once. If an edge still improves a length after n rounds,
    then a path of more than n edges is shorter than all others, and contains a negative cycle.
    Lengths that no edge improves prove that there is none. O(n m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_negative_cycle
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -8], backend="cpu")
    >>> verify_negative_cycle(G)
    """
    u, v, w = G.A.to_coo()
    if source is not None:
        order = csgraph.breadth_first_order(host.pattern(G), G.vertex(source, "source"))[0]
        led = np.isin(u, order)
        u, v, w = u[led], v[led], w[led]
    far, w = host.exact(np.zeros(G.n, type_of_lengths(G)), w)
    for _ in range(G.n + 1):
        before, far = far, far.copy()
        np.minimum.at(far, v, before[u] + w)
        if (far == before).all():
            raise host.Complaint("negative cycle").error(
                "cycle", "expected a cycle of negative length, got lengths that no edge improves"
            )


def verify_min_plus(
    A: Matrix, B: Matrix, C: Matrix, samples: int | None = None, seed: int | None = None
) -> host.Sample:
    """Verify a min-plus product of two matrices, dense or sparse.

    Parameters
    ----------
    A, B : Matrix
        The operands.
    C : Matrix
        The product of A and B.
    samples : int, optional
        The number of rows to look at. By default 64, or all of at most 256 rows.
    seed : int, optional
        The seed that draws the same places again. By default a new one is drawn each time.

    Returns
    -------
    Sample
        Which places were looked at, of how many, and the seed that draws them again.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked in the sampled rows: C has an entry exactly where a sum A(i, k) + B(k, j) exists, and it
    is the smallest of these sums, added in the common type of A and B. O(entries of A and C + the
    sums of the rows), and n² for a row of dense matrices.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_min_plus
    >>> from semirings import min_plus
    >>> with lg.backend("cpu"):
    ...     D = lg.Matrix.from_dense([[0, 2, 9], [2, 0, 3], [9, 3, 0]])
    >>> print(verify_min_plus(D, D, min_plus(D @ D).new()))
    all 3 places
    """
    say, shape = host.Complaint("min-plus product"), (A.nrows, B.ncols)
    say.expect(C.shape == shape, "size", f"expected a matrix of {shape}, got {C.shape}")
    kind = types.unify(A.dtype, B.dtype)
    host.has_type(say, C.dtype, kind)
    rows = [
        sp.csr_array(M.to_csr()[::-1], shape=(M.nrows, M.ncols))
        for M in (A.dup(kind), B.dup(kind), C)
    ]
    seen = say.sample(A.nrows, samples, seed, usual=64)
    for i in seen.places:
        _product_row(say, int(i), *rows)
    return seen


# --- what the properties are made of -----------------------------------------------------------


def _row(
    say: host.Complaint, s: int, there: np.ndarray, far: np.ndarray,
    edges: tuple[np.ndarray, np.ndarray, np.ndarray], offer: np.ndarray, slack: Any,
) -> None:  # fmt: skip
    """Checks that these are the distances from s, up to `slack`."""
    u, v, w = edges
    worse = ~there[v] | (far[v] > offer + slack)
    say.at(
        "improvement", np.flatnonzero(there[u] & worse),
        lambda e: f"expected no edge to improve a distance from {s}, but {u[e]} → {v[e]} of weight "
        f"{w[e]} offers {offer[e]}; got {far[v[e]] if there[v[e]] else 'no entry'}",
    )  # fmt: skip
    tight = np.flatnonzero(there[u] & there[v] & (offer <= far[v] + slack))
    ways = sp.csr_array((np.ones(tight.size), (u[tight], v[tight])), shape=(far.size, far.size))
    held = there.copy()
    held[csgraph.breadth_first_order(ways, s, return_predecessors=False)] = False
    say.unless(
        "tight", held,
        lambda v: f"expected a chain of tight edges from {s} to {v}, got none for the distance "
        f"{far[v]}",
    )  # fmt: skip


def _product_row(say: host.Complaint, i: int, A: Any, B: Any, C: Any) -> None:
    """Checks that row i of C holds the smallest sums."""
    mine, through = slice(*A.indptr[i : i + 2]), slice(*C.indptr[i : i + 2])
    wanted, there = np.zeros(B.shape[1], bool), np.zeros(B.shape[1], bool)
    right, found = np.zeros(B.shape[1], C.dtype), np.zeros(B.shape[1], C.dtype)
    ways = B[A.indices[mine]]
    total = np.repeat(A.data[mine], np.diff(ways.indptr)) + ways.data
    order = np.argsort(total)[::-1]  # NaN first; the last written wins
    wanted[ways.indices], right[ways.indices[order]] = True, total[order]
    there[C.indices[through]], found[C.indices[through]] = True, C.data[through]
    say.unless(
        "entries", wanted != there,
        lambda j: f"expected {'an' if wanted[j] else 'no'} entry at ({i}, {j}), got "
        f"{found[j] if there[j] else 'none'}",
    )  # fmt: skip
    say.unless(
        "value", (right != found) & ~(np.isnan(right) & np.isnan(found)),
        lambda j: f"expected {right[j]} at ({i}, {j}), got {found[j]}",
    )  # fmt: skip


def _are_distances(
    say: host.Complaint, A: Any, start: np.ndarray, end: np.ndarray, found: np.ndarray,
    cutoff: float | None, weight: str | None, share: float,
) -> None:  # fmt: skip
    """Compares the distance of each pair with SciPy's, up to the relative error `share`."""
    searched, row = np.unique(start, return_inverse=True)
    right = np.empty(start.size)
    for block in host.blocks(searched.size, A.shape[0]):
        some = (row >= block[0]) & (row <= block[-1])
        far = host.hops(A, searched[block], weighted=weight is not None)
        right[some] = far[row[some] - block[0], end[some]]
    limit = math.inf if cutoff is None else cutoff
    spare = np.where(np.isfinite(right), right, 0) * share
    near = np.isfinite(right) & (found <= limit)
    near[near] = np.abs(found[near] - right[near]) <= spare[near]
    none = (found == np.inf) & (~np.isfinite(right) | (right + spare > limit))
    say.unless(
        "distance", ~(near | none),
        lambda k: f"expected {right[k] if right[k] <= limit else math.inf} from {start[k]} to "
        f"{end[k]}, got {found[k]}",
    )  # fmt: skip


def _floats(say: host.Complaint, table: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An array of NumPy or CuPy as a NumPy array."""
    found: np.ndarray = table.get() if hasattr(table, "get") else np.asarray(table)
    say.expect(found.shape == shape, "size", f"expected an array of {shape}, got {found.shape}")
    if found.dtype.kind != "f":
        raise say.error("type", f"expected floating-point numbers, got the type {found.dtype}")
    return found


def type_of_lengths(G: Graph) -> np.dtype:
    """The type of the lengths of a graph: that of the weights, and INT64 for BOOL."""
    return types.INT64 if G.A.dtype.kind == "b" else G.A.dtype


def rounding(G: Graph, weight: str | None) -> float:
    """The relative error by which sums in another order, or in FP64, may differ from a distance."""
    kind, heaviest = G.A.dtype, G.heaviest
    if weight is None or heaviest is None:
        return 0.0
    if kind.kind != "f" and int(heaviest) * G.n <= WHOLE:
        return 0.0
    return float(G.n * np.finfo(kind if kind.kind == "f" else types.FP64).eps)
