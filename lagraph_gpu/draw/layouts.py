"""Positions in the plane for the vertices of a graph.

The spectral layout takes two eigenvectors of the normalized Laplacian I - D^-1/2 A D^-1/2, those of
the smallest eigenvalues after the first: of all unit vectors at a right angle to the first they
change least along edges (Hall: An r-dimensional quadratic placement algorithm, Management Science
17 (1970)). SciPy's LOBPCG asks for products with the matrix, which are statements here
(Knyazev: Toward the optimal preconditioned eigensolver, SIAM Journal on Scientific Computing 23
(2001)).

In the spring layout an edge pulls its ends together by their distance, and all pairs of vertices
push each other apart by the inverse of theirs (Fruchterman, Reingold: Graph drawing by
force-directed placement, Software: Practice and Experience 21 (1991), with the linear attraction of
Jacomy et al.: ForceAtlas2, PLoS ONE 9 (2014)). The pulls of a round are two products with the
adjacency matrix; in a large graph each vertex is pushed by a sample of the others.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer
from lagraph_gpu.draw.given import checked
from lagraph_gpu.errors import InvalidValue, brief, spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_count, expect_kind
from semirings import plus_second

PAIRS = 1 << 20
"""The number of pairs of vertices that push each other apart in a round."""

SPARSE_FROM_VERTICES = 32
"""Graphs of fewer vertices have their eigenvectors from a dense matrix."""


@spelt
def spectral_layout(G: Graph) -> np.ndarray:
    """Positions from two eigenvectors of the Laplacian: smooth along edges.

    It suits meshes, roads and other graphs that lie in a plane. Where the graph has several
    components they are drawn apart, one within the other only by chance.

    Parameters
    ----------
    G : Graph
        The graph. Directions, weights and loops do not count.

    Returns
    -------
    array of shape (n, 2)
        The position of each vertex, within [-1, 1].

    Raises
    ------
    WrongType
        `G` is not a graph.

    Notes
    -----
    O(n + m) for each step of the iteration, which ends after 300 steps at most: for graphs that are
    long and thin the positions are then rough. Hall 1970.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> xy = lg.draw.spectral_layout(lg.grid(1, 5, backend="cpu"))
    >>> (xy[:, 0] * xy[0, 0]).round(3).tolist()  # from one end of the path to the other
    [1.0, 0.707, 0.0, -0.707, -1.0]
    """
    expect_kind(G, Graph, "a Graph")
    if G.n < 3:
        return _within(np.array([[-1.0, 0.0], [1.0, 0.0]])[: G.n])
    near = G.neighbours
    degree = near.apply("one").new("FP64").reduce_rowwise("plus").new().to_dense(fill_value=0.0)
    scale = 1 / np.sqrt(np.maximum(degree, 1))

    def towards_neighbours(x: np.ndarray) -> np.ndarray:
        """(I + D^-1/2 A D^-1/2) x / 2, whose eigenvalues lie in [0, 1], the wanted ones last."""
        flat = x.reshape(x.shape[0], -1)
        along = [scale * _product(near, scale * column) for column in flat.T]
        return (flat + np.stack(along, axis=1)).reshape(x.shape) / 2

    value, vector = _last_eigenvectors(towards_neighbours, 1 / scale)
    order = np.argsort(-value)[1:3]
    found = vector[:, order] * scale[:, np.newaxis]
    largest = np.abs(found).argmax(axis=0)  # a sign that does not depend on the machine
    return _within(found * np.sign(found[largest, [0, 1]]))


@spelt
def spring_layout(
    G: Graph, positions: Any = None, *, iterations: int = 100, seed: int = 0
) -> np.ndarray:
    """Positions at which edges, which pull, and vertices, which push, are near balance.

    It suits graphs of some hundred to some thousand vertices, such as social networks.

    Parameters
    ----------
    G : Graph
        The graph. Directions, weights and loops do not count.
    positions : array of shape (n, 2), optional
        Where the vertices are at first. By default the spectral layout, a little shaken.
    iterations : int, optional
        The number of rounds. The steps of a vertex become shorter from round to round.
    seed : int, optional
        Draws how positions are shaken, and which vertices push in a graph of more than 1,024.

    Returns
    -------
    array of shape (n, 2)
        The position of each vertex, within [-1, 1].

    Raises
    ------
    WrongType
        `G` is not a graph.
    InvalidValue
        `positions` has another shape or is not finite, or `iterations` or `seed` is negative.

    Notes
    -----
    O(m + 2²⁰) for each round: the number of pairs that push each other is bounded. Fruchterman and
    Reingold 1991; Jacomy et al. 2014.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.draw.spring_layout(lg.grid(3, 3, backend="cpu"), seed=1).shape
    (9, 2)
    """
    expect_kind(G, Graph, "a Graph")
    rounds = expect_count(iterations, "iterations")
    if not is_integer(seed) or seed < 0:
        raise InvalidValue(f"expected seed as an integer of at least 0, got {brief(seed)}")
    rng, n = np.random.default_rng(int(seed)), G.n
    if positions is None:
        xy = spectral_layout(G) + rng.normal(0, 0.1, (n, 2))
    else:
        xy = checked(positions, G.label(np.arange(n))).copy()
    if n < 2:
        return _within(xy)
    near, apart = G.neighbours, 1 / np.sqrt(n)
    degree = near.apply("one").new("FP64").reduce_rowwise("plus").new().to_dense(fill_value=0.0)
    pushing = max(1, min(n, PAIRS // n))
    for k in range(rounds):
        pull = np.stack([_product(near, column) for column in xy.T], axis=1)
        pull -= degree[:, np.newaxis] * xy
        some = np.arange(n) if pushing == n else rng.choice(n, pushing, replace=False)
        push = _away(xy, xy[some]) * (n / pushing)
        # The neighbours of a hub would pull it too far, so at most the mean number of them counts.
        slow = np.maximum(1, degree / max(degree.mean(), 1))[:, np.newaxis]
        force = pull / slow / apart + apart**2 * push - 0.7 * xy  # and towards the middle
        length = np.linalg.norm(force, axis=1, keepdims=True)
        step = 0.2 * (1 - k / rounds) * np.minimum(1, length / np.maximum(length, 1e-12))
        xy += force / np.maximum(length, 1e-12) * np.minimum(length, step)
    return _within(xy)


def _product(A: Matrix, x: np.ndarray) -> np.ndarray:
    """The sum of x over the neighbours of each vertex."""
    entries = Vector.from_dense(x, backend=A.backend)
    return plus_second(A @ entries).new().to_dense(fill_value=0.0)


def _away(xy: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The sum of (p - q) / |p - q|² over all q among the others, for each p."""
    square = (xy**2).sum(axis=1)[:, np.newaxis] + (others**2).sum(axis=1) - 2 * xy @ others.T
    share = 1 / np.maximum(square, 1e-9)
    return xy * share.sum(axis=1, keepdims=True) - share @ others


def _last_eigenvectors(multiply: Any, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest eigenvalues of a symmetric matrix, three at least, with their vectors, of which
    one is known. LOBPCG goes on with a block of vectors, so it finds eigenvalues that are equal."""
    n = first.size
    if n < SPARSE_FROM_VERTICES:
        return np.linalg.eigh(multiply(np.eye(n)))
    linalg = importlib.import_module("scipy.sparse.linalg")
    operator = linalg.LinearOperator((n, n), matvec=multiply, matmat=multiply, dtype=np.float64)
    block = np.random.default_rng(0).normal(size=(n, 4))
    block[:, 0] = first
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what has not converged is near enough for a drawing
        return linalg.lobpcg(operator, block, tol=1e-4, maxiter=300)


def _within(xy: np.ndarray) -> np.ndarray:
    """Positions moved and scaled, by the same factor on both axes, into [-1, 1]."""
    if not len(xy):
        return np.zeros((0, 2))
    low, high = xy.min(axis=0), xy.max(axis=0)
    return (xy - (low + high) / 2) / max(float((high - low).max()) / 2, 1e-12)
