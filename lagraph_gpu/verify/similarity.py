"""Verifiers of similarities: common neighbours are counted again, pair by pair, with SciPy.

The rows of two vertices are multiplied entry by entry, and the entries of the product are counted.
O(d(u) + d(v)) for a pair, after one pass over the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.convert.ids import pairs_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.verify.host import Complaint, Sample, dense, has_type, joined, sized
from semirings import types

ROUNDED = 1e-12
"""The error of a quotient, which is rounded once."""

Formula = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""A coefficient, as a function of the number of common neighbours and the degrees of both
vertices.
"""


def verify_common_neighbor_counts(
    G: Graph, C: Matrix, pairs: Any = None, samples: int | None = None, seed: int | None = None
) -> Sample:
    """Verify a result of `common_neighbor_counts`.

    Parameters
    ----------
    G : Graph
        The graph.
    C : Matrix
        The result.
    pairs : list of (u, v) or Matrix, optional
        The pairs that the result was computed for. By default the edges of the graph.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked: integers, with an entry for each pair and no other; and at sampled pairs the number of
    common neighbours.
    """
    say = Complaint("common neighbour counts")
    return _are(say, G, C, types.INT64, pairs, samples, seed, lambda common, u, v: common)


def verify_common_neighbors(G: Graph, u: int, v: int, found: Vector) -> None:
    """Verify a result of `common_neighbors`.

    Parameters
    ----------
    G : Graph
        The graph.
    u, v : int
        The two vertices.
    found : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: True at each vertex that is a neighbour of both, and no other entry. O(n + m).
    """
    say, N = Complaint(f"common neighbours of {u} and {v}"), joined(G)
    u, v = G.vertex(u), G.vertex(v)
    there, value = dense(sized(say, G.n, found, "vertex"))
    has_type(say, found.dtype, types.BOOL)
    both = np.zeros(G.n, bool)
    both[(N[[u]].multiply(N[[v]])).tocsr().indices] = True
    say.unless(
        "neighbours", (there != both) | (value != both),
        lambda w: f"expected {'True' if both[w] else 'no entry'} at vertex {w}, got "
        f"{value[w] if there[w] else 'none'}",
    )  # fmt: skip


def verify_jaccard(
    G: Graph, J: Matrix, pairs: Any = None, samples: int | None = None, seed: int | None = None
) -> Sample:
    """Verify a result of `jaccard_coefficient`.

    Parameters
    ----------
    G : Graph
        The graph.
    J : Matrix
        The result.
    pairs : list of (u, v) or Matrix, optional
        The pairs that the result was computed for. By default the edges of the graph.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked: FP64, with an entry for each pair and no other; and at sampled pairs the common
    neighbours divided by all neighbours, within 10⁻¹².
    """
    return _are(Complaint("jaccard"), G, J, types.FP64, pairs, samples, seed,
         lambda common, u, v: common / np.maximum(u + v - common, 1))  # fmt: skip


def verify_overlap(
    G: Graph,
    overlap: Matrix,
    pairs: Any = None,
    samples: int | None = None,
    seed: int | None = None,
) -> Sample:
    """Verify a result of `overlap_coefficient`.

    Parameters
    ----------
    G : Graph
        The graph.
    overlap : Matrix
        The result.
    pairs : list of (u, v) or Matrix, optional
        The pairs that the result was computed for. By default the edges of the graph.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked as by `verify_jaccard`; the divisor is the smaller number of neighbours.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_overlap
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> found = lg.overlap_coefficient(G, [(0, 1)])
    >>> print(verify_overlap(G, found, [(0, 1)]))
    all 1 places
    >>> found[0, 1] = 1
    >>> verify_overlap(G, found, [(0, 1)])
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: overlap, value: expected 0.5 for the pair (0, 1), got 1.0
    """
    return _are(Complaint("overlap"), G, overlap, types.FP64, pairs, samples, seed,
         lambda common, u, v: common / np.maximum(np.minimum(u, v), 1))  # fmt: skip


def _are(
    say: Complaint, G: Graph, M: Matrix, kind: np.dtype, pairs: Any, samples: int | None,
    seed: int | None, formula: Formula,
) -> Sample:  # fmt: skip
    """Checks that M holds the values of the formula for the pairs."""
    say.expect(M.shape == (G.n, G.n), "size", f"expected a matrix of {(G.n, G.n)}, got {M.shape}")
    has_type(say, M.dtype, kind)
    N = joined(G)
    rows, columns, value = M.to_coo()
    key, wanted = rows * np.int64(G.n) + columns, _keys(G, N, pairs)
    missing, extra = wanted[~np.isin(wanted, key)], key[~np.isin(key, wanted)]
    say.at("missing", missing, lambda e: f"expected an entry at {divmod(e, G.n)}, got none")
    say.at("extra", extra, lambda e: f"expected no entry at {divmod(e, G.n)}, got one")
    seen = say.sample(key.size, samples, seed)
    some = seen.places
    u, v, found, degree = rows[some], columns[some], value[some], np.diff(N.indptr)
    right = formula(np.asarray(N[u].multiply(N[v]).sum(axis=1)).ravel(), degree[u], degree[v])
    say.unless(
        "value", ~(np.abs(right - found) <= ROUNDED),
        lambda e: f"expected {right[e]} for the pair ({u[e]}, {v[e]}), got {found[e]}",
    )  # fmt: skip
    return seen


def _keys(G: Graph, N: Any, pairs: Any) -> np.ndarray:
    """The pairs (u, v) as numbers u n + v."""
    if pairs is None:
        u, v = N.nonzero()
    elif isinstance(pairs, Matrix):
        u, v, _ = pairs.to_coo()
    else:
        u, v = (vertex_ids(G, side, "pairs") for side in pairs_of(pairs, 2, "pairs of vertices"))
    return distinct(u * np.int64(G.n) + v)
