"""Are lengths right? Certificates where there are any, else SciPy's distances.

Lengths d(v) from one source are right if and only if no edge improves one, d(v) ≤ d(u) + w(u, v),
so that none is too long, and a chain of *tight* edges, those with d(v) = d(u) + w(u, v), leads from
the source to each, so that none is too short. One tight edge into each vertex is not enough: the
vertices of a cycle of length 0 could support each other.

A table of some columns holds no such proof. It is compared with what SciPy's Dijkstra finds, in
FP64.

Ford: Network flow theory (1956). Ahuja, Magnanti, Orlin: Network flows (1993), section 5.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.algorithms._shared.source_batches import Vertices, vertex_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.verify.host import (
    Complaint,
    adjacency,
    blocks,
    exact,
    has_type,
    hops,
    pattern,
    sample,
)
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
    """Raise VerificationError unless ``table`` is what ``distance_matrix`` promises for these
    arguments, with whatever schedule or contraction (``contract``): an array of NumPy or CuPy, or
    the distances of a block of ``iter_distances``, of its sources.

    Checked: a row for each source and a column for each target, floating-point; each number is
    SciPy's distance, exactly for integers and counts, within the rounding of n sums for floats; it
    is infinite where there is no path or none within ``cutoff``. O(n + m log n) a source.

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
    say = Complaint("distance matrix")
    start, end = vertex_ids(G, sources, "sources"), vertex_ids(G, targets, "targets")
    found = _floats(say, table, (start.size, end.size))
    A = adjacency(G, weight)
    for rows in blocks(start.size, max(end.size, G.n)):
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
    """Raise VerificationError unless ``distances`` holds what ``paired_distances`` promises, one
    for each pair; as ``verify_distance_matrix``, O(n + m log n) for each different source."""
    say = Complaint("paired distances")
    start, end = vertex_ids(G, sources, "sources"), vertex_ids(G, targets, "targets")
    if start.size != end.size:
        raise say.error("size", f"expected pairs, got {start.size} sources, {end.size} targets")
    found, A = _floats(say, distances, (start.size,)), adjacency(G, weight)
    _are_distances(say, A, start, end, found, cutoff, weight, rounding(G, weight))


def verify_floyd_warshall(G: Graph, D: Matrix, samples: int = 1000, seed: Any = 0) -> None:
    """Raise VerificationError unless D is what ``floyd_warshall`` promises.

    Checked: an n × n matrix of the weights' type; numbers, with 0 on the diagonal; and in
    ``samples`` rows (all of them if there are no more) that no edge improves a distance or leads
    from a reached vertex to one that is not, and that from the row's vertex chains of tight edges
    lead to all that are reached. Exact for integers; sums of floats may differ by the rounding of
    n of them. Weights may be negative: with a negative cycle no D is right. O(n + m) a row.

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_floyd_warshall
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -5], backend="cpu")
    >>> verify_floyd_warshall(G, lg.floyd_warshall(G))
    """
    say, n, kind = Complaint("floyd_warshall"), G.n, type_of_lengths(G)
    if D.shape != (n, n):
        raise say.error("size", f"expected a matrix of {(n, n)}, got {D.shape}")
    has_type(say, D.dtype, kind)
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
    value, w = exact(value, w)
    largest = max((float(np.abs(x).max(initial=0)) for x in (value, w)), default=0.0)
    one = (n + 1) * np.finfo(kind).eps if kind.kind == "f" else 0
    for s in sample(n, samples, seed):
        at = slice(indptr[s], indptr[s + 1])
        there, far = np.zeros(n, bool), np.zeros(n, value.dtype)
        there[column[at]], far[column[at]] = True, value[at]
        offer = far[u] + w
        slack = one * (largest if w.size and w.min() < 0 else offer) if one else 0
        _row(say, int(s), there, far, (u, v, w), offer, slack)


def verify_negative_cycle(G: Graph, source: int | None = None) -> None:
    """Raise VerificationError unless G has a cycle of negative length, as NegativeCycle says; one
    that ``source`` leads to, where it is given.

    Lengths are improved along all edges at once. If after n rounds an edge still improves one, then
    a path of more than n edges is shorter than all others, and so has a negative cycle in it;
    lengths that no edge improves prove that there is none. O(n m).

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_negative_cycle
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -8], backend="cpu")
    >>> verify_negative_cycle(G)
    """
    u, v, w = G.A.to_coo()
    if source is not None:
        order = csgraph.breadth_first_order(pattern(G), G.vertex(source, "source"))[0]
        led = np.isin(u, order)
        u, v, w = u[led], v[led], w[led]
    far, w = exact(np.zeros(G.n, type_of_lengths(G)), w)
    for _ in range(G.n + 1):
        before, far = far, far.copy()
        np.minimum.at(far, v, before[u] + w)
        if (far == before).all():
            raise Complaint("negative cycle").error(
                "cycle", "expected a cycle of negative length, got lengths that no edge improves"
            )


def verify_min_plus(A: Matrix, B: Matrix, C: Matrix, samples: int = 64, seed: Any = 0) -> None:
    """Raise VerificationError unless C is the min-plus product of A and B, dense or sparse.

    Checked at ``samples`` rows (all if there are no more): C has an entry exactly where a sum
    A(i, k) + B(k, j) exists, and it is the smallest of them, added in the type that A's and B's
    have in common. O(entries of A and C + the sums of the rows), n² a row of dense matrices.

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_min_plus
    >>> from semirings import min_plus
    >>> with lg.backend("cpu"):
    ...     D = lg.Matrix.from_dense([[0, 2, 9], [2, 0, 3], [9, 3, 0]])
    >>> verify_min_plus(D, D, min_plus(D @ D).new())
    """
    say, shape = Complaint("min-plus product"), (A.nrows, B.ncols)
    if C.shape != shape:
        raise say.error("size", f"expected a matrix of {shape}, got {C.shape}")
    kind = types.unify(A.dtype, B.dtype)
    has_type(say, C.dtype, kind)
    rows = [
        sp.csr_array(M.to_csr()[::-1], shape=(M.nrows, M.ncols))
        for M in (A.dup(kind), B.dup(kind), C)
    ]
    for i in sample(A.nrows, samples, seed):
        _product_row(say, int(i), *rows)


# --- what the properties are made of -----------------------------------------------------------


def _row(
    say: Complaint, s: int, there: np.ndarray, far: np.ndarray,
    edges: tuple[np.ndarray, np.ndarray, np.ndarray], offer: np.ndarray, slack: Any,
) -> None:  # fmt: skip
    """Are these the distances from s? Those along edges may be off by the slack."""
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


def _product_row(say: Complaint, i: int, A: Any, B: Any, C: Any) -> None:
    """Is this row of C the smallest sums?"""
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
    say: Complaint, A: Any, start: np.ndarray, end: np.ndarray, found: np.ndarray,
    cutoff: float | None, weight: str | None, share: float,
) -> None:  # fmt: skip
    """Compare the distance of each pair with SciPy's, which may be off by so much of it."""
    searched, row = np.unique(start, return_inverse=True)
    right = np.empty(start.size)
    for block in blocks(searched.size, A.shape[0]):
        some = (row >= block[0]) & (row <= block[-1])
        far = hops(A, searched[block], weighted=weight is not None)
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


def _floats(say: Complaint, table: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An array of NumPy, or CuPy, as one of NumPy."""
    found: np.ndarray = table.get() if hasattr(table, "get") else np.asarray(table)
    if found.shape != shape:
        raise say.error("size", f"expected an array of {shape}, got {found.shape}")
    if found.dtype.kind != "f":
        raise say.error("type", f"expected floating-point numbers, got the type {found.dtype}")
    return found


def type_of_lengths(G: Graph) -> np.dtype:
    return types.INT64 if G.A.dtype.kind == "b" else G.A.dtype


def rounding(G: Graph, weight: str | None) -> float:
    """The part of a distance by which sums in other orders, or in FP64, may differ from it."""
    kind, heaviest = G.A.dtype, G.heaviest
    if weight is None or heaviest is None:
        return 0.0
    if kind.kind != "f" and int(heaviest) * G.n <= WHOLE:
        return 0.0
    return float(G.n * np.finfo(kind if kind.kind == "f" else types.FP64).eps)
