"""Are similarities right? Common neighbours counted anew, pair by pair, by SciPy.

The rows of two vertices are multiplied entry by entry, and what is left is counted. O(d(u) + d(v))
for a pair, after one look at the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.convert.build import pairs_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.verify.host import Complaint, dense, has_type, joined, sample, sized
from semirings import types

ROUNDED = 1e-12
"""A quotient is rounded once."""

Formula = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""From the numbers of common neighbours, and of each vertex' own."""


def verify_common_neighbor_counts(
    G: Graph, C: Matrix, pairs: Any = None, samples: int = 1000, seed: Any = 0
) -> None:
    """Raise VerificationError unless C is what ``common_neighbor_counts`` promises for ``pairs``.

    Checked: integers, an entry for each pair (None: for each edge) and no other; at ``samples``
    pairs (all of them if there are no more) the neighbours in common.
    """
    say = Complaint("common neighbour counts")
    _are(say, G, C, types.INT64, pairs, samples, seed, lambda common, u, v: common)


def verify_common_neighbors(G: Graph, u: int, v: int, found: Vector) -> None:
    """Raise VerificationError unless ``found`` is what ``common_neighbors`` promises: True at each
    vertex that is a neighbour of both, and no other entry. O(n + m)."""
    say, N = Complaint(f"common neighbours of {u} and {v}"), joined(G)
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
    G: Graph, J: Matrix, pairs: Any = None, samples: int = 1000, seed: Any = 0
) -> None:
    """Raise VerificationError unless J is what ``jaccard_coefficient`` promises for ``pairs``.

    Checked: FP64, an entry for each pair (None: for each edge) and no other; at ``samples`` pairs
    (all of them if there are no more) common over all neighbours, within 10⁻¹².
    """
    _are(Complaint("jaccard"), G, J, types.FP64, pairs, samples, seed,
         lambda common, u, v: common / np.maximum(u + v - common, 1))  # fmt: skip


def verify_overlap(
    G: Graph, overlap: Matrix, pairs: Any = None, samples: int = 1000, seed: Any = 0
) -> None:
    """Raise VerificationError unless this is what ``overlap_coefficient`` promises for
    ``pairs``.

    As ``verify_jaccard``; common over the fewer neighbours.

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_overlap
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> found = lg.overlap_coefficient(G, [(0, 1)])
    >>> verify_overlap(G, found, [(0, 1)])
    >>> found[0, 1] = 1
    >>> verify_overlap(G, found, [(0, 1)])
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: overlap, value: expected 0.5 for the pair (0, 1), got 1.0
    """
    _are(Complaint("overlap"), G, overlap, types.FP64, pairs, samples, seed,
         lambda common, u, v: common / np.maximum(np.minimum(u, v), 1))  # fmt: skip


def _are(
    say: Complaint, G: Graph, M: Matrix, kind: np.dtype, pairs: Any, samples: int, seed: Any,
    formula: Formula,
) -> None:  # fmt: skip
    """Does M hold what the formula says of the pairs?"""
    if M.shape != (G.n, G.n):
        raise say.error("size", f"expected a matrix of {(G.n, G.n)}, got {M.shape}")
    has_type(say, M.dtype, kind)
    N = joined(G)
    rows, columns, value = M.to_coo()
    key, wanted = rows * np.int64(G.n) + columns, _keys(G, N, pairs)
    missing, extra = wanted[~np.isin(wanted, key)], key[~np.isin(key, wanted)]
    say.at("missing", missing, lambda e: f"expected an entry at {divmod(e, G.n)}, got none")
    say.at("extra", extra, lambda e: f"expected no entry at {divmod(e, G.n)}, got one")
    some = sample(key.size, samples, seed)
    u, v, found, degree = rows[some], columns[some], value[some], np.diff(N.indptr)
    right = formula(np.asarray(N[u].multiply(N[v]).sum(axis=1)).ravel(), degree[u], degree[v])
    say.unless(
        "value", ~(np.abs(right - found) <= ROUNDED),
        lambda e: f"expected {right[e]} for the pair ({u[e]}, {v[e]}), got {found[e]}",
    )  # fmt: skip


def _keys(G: Graph, N: Any, pairs: Any) -> np.ndarray:
    """The pairs as u n + v."""
    if pairs is None:
        u, v = N.nonzero()
    elif isinstance(pairs, Matrix):
        u, v, _ = pairs.to_coo()
    else:
        u, v = (vertex_ids(G, side, "pairs") for side in pairs_of(pairs, 2, "pairs of vertices"))
    return distinct(u * np.int64(G.n) + v)
