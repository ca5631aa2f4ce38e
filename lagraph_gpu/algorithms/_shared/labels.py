"""Vectors and edges by label: the few statements that the structural algorithms share.

A label is a value at each vertex, such as the component it is in. An edge (u, v) holds both ends'
labels if the adjacency is multiplied by the labels as a diagonal, from the left and the right.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import seeded
from lagraph_gpu.notation.expressions import Expression
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_eq, any_first, any_ne, any_second
from semirings.algebra import Semiring
from semirings.types import INT64

plus, bxor = BINARY["plus"], BINARY["bxor"]
RANKS = 2**31
"""No graph has as many vertices: random ranks lie below."""

SHIFTS = 16, 15, 16
"""By how many bits a number is shifted in each step of a shuffle."""


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


def filled(entries: Expression | Vector) -> Vector:
    """The entries (FP64), and 0 where there is none."""
    made = Vector.from_scalar(0.0, entries.shape[0], "FP64", backend=entries.backend)
    made(plus) << entries
    return made


def edges_that(compare: Semiring, label: Vector, A: Matrix) -> Matrix:
    """The edges of A whose ends have labels that compare, with A's values.

    Edges from or to a vertex without a label are left out. The statements below are the definition;
    a backend that looks at both ends at once must agree with them.
    """
    made = A.backend.edges_that(compare, label._store, A._store)
    if made is not None:
        return Matrix._stored(made, A.shape, A.dtype, A.backend)
    start = any_first(label.diag() @ A).new()
    kept = compare(start @ label.diag()).new()
    edges = Matrix(A.dtype, *A.shape, backend=A.backend)
    edges(kept.V) << A
    return edges


def edges_among(vertices: Vector, A: Matrix) -> Matrix:
    """The edges between vertices that have an entry."""
    made = A.backend.edges_that(None, vertices._store, A._store)
    if made is not None:
        return Matrix._stored(made, A.shape, A.dtype, A.backend)
    leaving = any_second(vertices.diag() @ A).new()
    return any_first(leaving @ vertices.diag()).new(A.dtype)


def edges_within(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of one label."""
    return edges_that(any_eq, label, A)


def edges_between(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of different labels."""
    return edges_that(any_ne, label, A)


def shuffled(G: Graph, seed: int | np.random.Generator | None) -> Vector:
    """Each vertex with a random number (INT64) of its own below 2³¹, the same on any backend.

    x ← a x mod 2³¹ with an odd a, and x ← x xor ⌊x / 2ᵏ⌋, take different numbers to different ones;
    ``seed`` chooses where they begin and each a. The statements below are the definition; a backend
    that carries out all of them at once must agree with them. O(n) on the backend.
    """
    begin, *factors = seeded(seed, 1 + len(SHIFTS))
    begin, factors = begin % RANKS, [a % (RANKS // 2) | 1 for a in factors]
    made = G.backend.shuffled(G.n, begin, tuple(zip(factors, SHIFTS, strict=True)))
    if made is not None:
        return Vector._stored(made, G.n, INT64, G.backend)
    x = identity(G).apply("plus", begin).new()
    for factor, shift in zip(factors, SHIFTS, strict=True):
        x << x.apply("times", factor)
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
