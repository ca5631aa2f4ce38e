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
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_eq, any_first, any_ne, any_second
from semirings.algebra import Semiring

plus, bxor = BINARY["plus"], BINARY["bxor"]
RANKS = 2**31
"""No graph has as many vertices: random ranks lie below."""

SHIFTS = 16, 15, 16
"""By how many bits a number is shifted in each step of a shuffle."""


def identity(G: Graph | Matrix) -> Vector:
    """Each vertex, of a graph or of the rows of a matrix, with its own id (INT64)."""
    n = G.n if isinstance(G, Graph) else G.nrows
    return Vector.from_scalar(0, n, "INT64", backend=G.backend).apply("index").new()


def masked(of: Vector, wanted: Vector) -> Vector:
    """The entries of ``of`` where ``wanted`` holds a value that is not zero."""
    kept = Vector(of.dtype, of.size, backend=of.backend)
    kept(wanted.V) << of
    return kept


def excluding(of: Vector, gone: Vector) -> Vector:
    """The entries of ``of`` where ``gone`` has none."""
    kept = Vector(of.dtype, of.size, backend=of.backend)
    kept(~gone.S) << of
    return kept


def zero_filled(entries: Expression | Vector) -> Vector:
    """The entries (FP64), and 0 where there is none."""
    made = Vector.from_scalar(0.0, entries.shape[0], "FP64", backend=entries.backend)
    made(plus) << entries
    return made


@operation
def edges_by_label(label: Vector, A: Matrix, compare: Semiring) -> Matrix:
    """The edges of A whose ends have labels that compare, with A's values.

    Edges from or to a vertex without a label are left out.
    """
    start = any_first(label.diag() @ A).new()
    kept = compare(start @ label.diag()).new()
    edges = Matrix(A.dtype, *A.shape, backend=A.backend)
    edges(kept.V) << A
    return edges


@operation
def edges_among(vertices: Vector, A: Matrix) -> Matrix:
    """The edges between vertices that have an entry."""
    leaving = any_second(vertices.diag() @ A).new()
    return any_first(leaving @ vertices.diag()).new(A.dtype)


def edges_within(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of one label."""
    return edges_by_label(label, A, any_eq)


def edges_between(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices of different labels."""
    return edges_by_label(label, A, any_ne)


def random_ranks(G: Graph, seed: int | np.random.Generator | None) -> Vector:
    """Each vertex with a random number (INT64) of its own below 2³¹, the same on any backend.

    ``seed`` chooses where the numbers begin and each factor of ``permuted_ids``. O(n).
    """
    begin, *factors = seeded(seed, 1 + len(SHIFTS))
    odd = [a % (RANKS // 2) | 1 for a in factors]
    return permuted_ids(G, begin % RANKS, tuple(zip(odd, SHIFTS, strict=True)))


@operation
def permuted_ids(G: Graph, begin: int, steps: tuple[tuple[int, int], ...]) -> Vector:
    """Each vertex v with ``begin`` + v, and then for each (a, k) of three ``steps`` with
    x ← a x mod 2³¹ and x ← x xor ⌊x / 2ᵏ⌋, which take different numbers to different ones."""
    x = identity(G).apply("plus", begin).new()
    for factor, shift in steps:
        x << x.apply("times", factor)
        x << x.apply("band", RANKS - 1)
        x(bxor) << x.apply("bshift", -shift)
    return x


def expect_directed(G: Graph, wanted: bool, what: str) -> None:
    """Refuse a graph of the other kind."""
    if G.directed != wanted:
        kinds = ("an undirected graph", "a directed graph")
        raise InvalidValue(f"expected {kinds[wanted]} for {what}, got {kinds[not wanted]}")


def tree_roots(parent: Vector) -> Vector:
    """The root of each vertex in a forest of parents, by pointer jumping: O(log height) rounds.

    Of two roots that are each other's parent it is one."""
    up = any_second(parent.selector() @ parent).new()
    while not up.isequal(parent):
        parent = up
        up = any_second(parent.selector() @ parent).new()
    return up


def gather(v: Vector, ids: Vector) -> Vector:
    """v(ids(i)) at each i where that is an entry."""
    return any_second(ids.selector(v.size) @ v).new()


def scatter(v: Vector, ids: Vector) -> Vector:
    """v(i) at ids(i)."""
    return any_first(v @ ids.selector(v.size)).new()


@operation
def argsort(keys: Vector) -> Vector:
    """The positions (INT64) of the values of a full vector in increasing order; equal ones keep
    their order. Sorting is the host's: no statement orders values. O(n log n)."""
    order = np.argsort(keys.to_dense(), kind="stable").astype(np.int64)
    return Vector.from_dense(order, backend=keys.backend)
