"""Vectors and edges by label: the few statements that the structural algorithms share.

A label is a value at each vertex, such as the component it is in. An edge (u, v) holds both ends'
labels if the adjacency is multiplied by the labels as a diagonal, from the left and the right.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.checks import random
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_eq, any_first, any_ne, any_second
from semirings.algebra import Semiring

plus, bxor = BINARY["plus"], BINARY["bxor"]
RANKS = 2**32
"""More than there are vertices: random ranks lie below."""


def identity(G: Graph) -> Vector:
    """Each vertex with its own id (INT64)."""
    return Vector.from_scalar(0, G.n, "INT64", backend=G.backend).apply("index").new()


def where(of: Vector, wanted: Vector) -> Vector:
    """The entries of ``of`` where ``wanted`` holds a value that is not zero."""
    kept = Vector(of.dtype, of.size, backend=of.backend)
    kept(wanted.V) << of
    return kept


def but(of: Vector, gone: Vector) -> Vector:
    """The entries of ``of`` where ``gone`` has none."""
    kept = Vector(of.dtype, of.size, backend=of.backend)
    kept(~gone.S) << of
    return kept


def edges_that(compare: Semiring, label: Vector, A: Matrix) -> Matrix:
    """The edges of A whose ends have labels that compare, with A's values.

    Edges from or to a vertex without a label are left out.
    """
    start = any_first(label.diag() @ A).new()
    kept = compare(start @ label.diag()).new()
    edges = Matrix(A.dtype, *A.shape, backend=A.backend)
    edges(kept.V) << A
    return edges


def edges_among(vertices: Vector, A: Matrix) -> Matrix:
    """The edges between vertices that have an entry."""
    leaving = any_second(vertices.diag() @ A).new()
    return any_first(leaving @ vertices.diag()).new(A.dtype)


def edges_within(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of one label."""
    return edges_that(any_eq, label, A)


def edges_between(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of different labels."""
    return edges_that(any_ne, label, A)


def shuffled(G: Graph, seed: int | np.random.Generator | None) -> Vector:
    """Each vertex with a random number (INT64) of its own below 2³², the same on any backend.

    x ← a x mod 2³² with an odd a, and x ← x xor ⌊x / 2ᵏ⌋, take different numbers to different ones;
    ``seed`` chooses where they begin and each a. O(n) on the backend.
    """
    rng = random(seed)
    x = identity(G).apply("plus", int(rng.integers(RANKS // 2))).new()
    for shift in (16, 15, 16):
        x << x.apply("times", int(rng.integers(RANKS // 4)) * 2 + 1)
        x << x.apply("band", RANKS - 1)
        x(bxor) << x.apply("bshift", -shift)
    return x


def expect_directed(G: Graph, wanted: bool, what: str) -> None:
    """Refuse a graph of the other kind."""
    if G.directed != wanted:
        kinds = ("an undirected graph", "a directed graph")
        raise InvalidValue(f"expected {kinds[wanted]} for {what}, got {kinds[not wanted]}")


def flattened(parent: Vector) -> Vector:
    """The root of each vertex in a forest of parents, by pointer jumping: O(log height) rounds.

    Of two roots that are each other's parent it is one."""
    up = any_second(parent.selector() @ parent).new()
    while not up.isequal(parent):
        parent = up
        up = any_second(parent.selector() @ parent).new()
    return up
