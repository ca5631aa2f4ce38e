"""The verifier of random walks: each step follows an edge."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.verify import host


def verify_random_walks(
    G: Graph, sources: Any, length: int, walks: Matrix, weighted: bool = False
) -> None:
    """Verify a result of `random_walks`.

    Parameters
    ----------
    G : Graph
        The graph.
    sources : list or array of integers
        The first vertex of each walk.
    length : int
        The number of steps, as the result was computed.
    walks : Matrix
        The result.
    weighted : bool, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: row w begins with source w; every step is an edge; a row ends early only at a vertex
    without outgoing edges (if `weighted`: without outgoing edges of weight above 0). Whether edges
    are chosen with the right probabilities cannot be seen from one result.
    """
    say = host.Complaint("random walks")
    start = vertex_ids(G, sources, "sources")
    if walks.shape != (start.size, length + 1):
        wanted = start.size, length + 1
        raise say.error("shape", f"expected a matrix of {wanted}, got {walks.shape}")
    at = walks.to_dense(fill_value=-1).astype(np.int64)
    say.unless(
        "source", at[:, 0] != start,
        lambda w: f"expected walk {w} to begin at vertex {start[w]}, got {at[w, 0]}",
    )  # fmt: skip
    A = G.A.to_scipy_sparse().tocoo()
    taken = A.data > 0 if weighted else np.ones(A.nnz, bool)
    A = sp.coo_array((A.data[taken], (A.row[taken], A.col[taken])), shape=A.shape)
    edges = np.sort(A.row * np.int64(G.n) + A.col)
    degree = np.bincount(A.row, minlength=G.n)
    here, there = at[:, :-1], at[:, 1:]
    continues = there >= 0
    say.unless(
        "edge", (continues & ((here < 0) | ~np.isin(here * G.n + there, edges))).ravel(),
        lambda p: f"expected step {p % length} of walk {p // length} to be an edge, got "
        f"{here.flat[p]} → {there.flat[p]}",
    )  # fmt: skip
    say.unless(
        "end", (~continues & (here >= 0) & (degree[here] > 0)).ravel(),
        lambda p: f"expected walk {p // length} to go on from vertex {here.flat[p]}, which edges "
        "leave, got no step",
    )  # fmt: skip
