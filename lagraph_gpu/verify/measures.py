"""Verifiers of what is measured of a whole graph: density, connection, eccentricities, diameter."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph

from lagraph_gpu.algorithms._shared.source_batches import is_vertex, vertex_ids
from lagraph_gpu.convert.options import Vertices
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.verify import host


def verify_density(G: Graph, value: float) -> None:
    """Verify a result of `density`.

    Parameters
    ----------
    G : Graph
        The graph.
    value : float
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message says what was expected.

    Notes
    -----
    Checked: the edges, counted on the host, divided by the pairs of vertices. O(n + m).
    """
    pairs = G.n * (G.n - 1) / (1 if G.directed else 2)
    right = host.edges(G, loops=True)[0].size / pairs if pairs else 0.0
    if not abs(value - right) <= host.EXACT * right:
        raise host.Complaint("density").error("value", f"expected {right}, got {value}")


def verify_is_connected(G: Graph, value: Any) -> None:
    """Verify a result of `is_connected`.

    Parameters
    ----------
    G : Graph
        The graph.
    value : bool
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message says what was expected.

    Notes
    -----
    Checked: whether there is one component, counted by SciPy. O(n + m).
    """
    right = host.components(host.pattern(G), "weak") == 1
    if value is not right:
        raise host.Complaint("is_connected").error("value", f"expected {right}, got {value!r}")


def verify_largest_component(G: Graph, part: Graph) -> None:
    """Verify a result of `largest_component`.

    Parameters
    ----------
    G : Graph
        The graph, which was not relabelled.
    part : Graph
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold.

    Notes
    -----
    Checked: `part.ids` holds the vertices of the first of SciPy's largest components in increasing
    order, and the entries are those of the adjacency matrix between them. O(n + m).
    """
    say = host.Complaint("largest_component")
    label = (
        csgraph.connected_components(host.pattern(G), directed=False)[1]
        if G.n
        else np.zeros(0, int)
    )
    right = np.flatnonzero(label == np.bincount(label).argmax()) if G.n else label
    found = np.zeros(0, np.int64) if part.ids is None else part.ids.to_dense()
    if not np.array_equal(found, right):
        raise say.error("vertices", f"expected {right.size} vertices, {right}, got {found}")
    mine, theirs = part.A.to_scipy_sparse(), G.A.to_scipy_sparse()[right][:, right]
    if part.directed != G.directed or mine.dtype != theirs.dtype:
        raise say.error("kind", "expected edges and weights of the kind of the graph")
    theirs.sort_indices()
    for one, other in ((mine.indptr, theirs.indptr), (mine.indices, theirs.indices),
                       (mine.data, theirs.data)):  # fmt: skip
        if not np.array_equal(one, other):
            raise say.error("edges", "expected the edges between its vertices, with their weights")


def verify_eccentricity(
    G: Graph,
    value: Any,
    v: int | Vertices | None = None,
    weight: str | None = None,
    diameter: Any = None,
) -> None:
    """Verify results of `eccentricity` and `diameter`.

    Parameters
    ----------
    G : Graph
        The graph.
    value : number or Vector
        The result of `eccentricity`.
    v : int, or list or array of integers, optional
        The vertices, as the result was computed.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.
    diameter : number, optional
        The result of `diameter`, if all vertices were asked for.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: an entry at each of the vertices and nowhere else, which is the largest of SciPy's
    distances from it, exactly for counts of edges and to a relative 10⁻⁹ (10⁻⁵ for FP32) for sums
    of weights; and the largest of them is the diameter. O(n + m log n) for each vertex.
    """
    say = host.Complaint("eccentricity")
    single = is_vertex(G, v)
    chosen = np.array([G.vertex(v)]) if single else distinct(vertex_ids(G, v, "v"))
    if single:
        found, exact = np.array([value]), host.EXACT
    else:
        there, values = host.dense(host.sized(say, G.n, value, "eccentricity"))
        wrong = there != np.isin(np.arange(G.n), chosen)
        say.unless(
            "entries", wrong, lambda u: f"expected an entry at the chosen vertices alone, see {u}"
        )
        found, exact = values[chosen], 1e-5 if values.dtype == np.float32 else host.EXACT
    A, far = host.adjacency(G, weight), np.zeros(chosen.size)
    for rows in host.blocks(chosen.size, G.n):
        far[rows] = host.hops(A, chosen[rows], weight is not None).max(axis=1)
    say.unless(
        "distance", ~(np.abs(found - far) <= (exact * far if weight else 0)),
        lambda i: f"expected {far[i]} at vertex {chosen[i]}, got {found[i]}",
    )  # fmt: skip
    if diameter is not None and diameter != found.max():
        raise say.error("diameter", f"expected {found.max()}, got {diameter}")
