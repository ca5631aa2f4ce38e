"""Statements about vectors and edges by label, which the structural algorithms share.

A label is a value at each vertex, such as the number of its component. Multiplying the adjacency
matrix from the left and from the right by the labels as a diagonal matrix gives each edge (u, v)
the labels of both ends.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.memory_check import expect_values_fit
from lagraph_gpu.convert.edge_list import RENUMBER
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import seeded
from lagraph_gpu.notation.expressions import Expression
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, Semiring, any_eq, any_first, any_ne, any_second

plus, bxor = BINARY["plus"], BINARY["bxor"]
RANKS = 2**31
"""Random ranks lie below this number."""

SHIFTS = 16, 15, 16
"""The number of bits by which a rank is shifted in each step of `permuted_ids`."""


def identity(G: Graph | Matrix) -> Vector:
    """A full vector in which each vertex (of a graph, or each row of a matrix) has its own
    id (INT64).
    """
    n = G.n if isinstance(G, Graph) else G.nrows
    expect_values_fit(G.backend, n, "the ids")
    return Vector.from_scalar(0, n, "INT64", backend=G.backend).apply("index").new()


def zero_filled(entries: Expression | Vector, dtype: str = "FP64") -> Vector:
    """A full vector of the entries, with 0 where there is no entry."""
    full = Vector.from_scalar(0, entries.shape[0], dtype, backend=entries.backend)
    full(plus) << entries
    return full


@operation
def edges_by_label(label: Vector, A: Matrix, compare: Semiring) -> Matrix:
    """The edges of A with labels of their ends that satisfy `compare`, with A's values.

    Edges from or to a vertex without a label are left out.
    """
    start = any_first(label.diag() @ A).new()
    kept = compare(start @ label.diag()).new()
    return A.dup(mask=kept.V)


@operation
def edges_among(vertices: Vector, A: Matrix) -> Matrix:
    """The subgraph induced by the vertices that have an entry: the edges of A between them."""
    ends = vertices.diag().dup(A.dtype)  # the common type of INT64 and UINT64, FP64, would round
    leaving = any_second(ends @ A).new()
    return any_first(leaving @ ends).new()


def edges_within(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices with equal labels."""
    return edges_by_label(label, A, any_eq)


def edges_between(label: Vector, A: Matrix) -> Matrix:
    """The edges between vertices with different labels."""
    return edges_by_label(label, A, any_ne)


def random_ranks(G: Graph, seed: int | np.random.Generator | None) -> Vector:
    """A random permutation of ranks: for each vertex a different number (INT64) below 2³¹, the same
    on every backend.

    The seed chooses where the numbers begin and the factors of `permuted_ids`. Raises TooLarge if
    there are not so many numbers. O(n).
    """
    expect_ranks(G.n)
    begin, *factors = seeded(seed, 1 + len(SHIFTS))
    odd = [a % (RANKS // 2) | 1 for a in factors]
    return permuted_ids(G, begin % RANKS, tuple(zip(odd, SHIFTS, strict=True)))


def expect_ranks(n: int) -> None:
    """Raises TooLarge if 31 bits do not number so many vertices: two numbers share 64 bits."""
    if n > RANKS:
        raise TooLarge(
            f"expected a graph of at most 2**31 = {RANKS} vertices, because this algorithm orders "
            f"them by numbers of 31 bits, got {n}; {RENUMBER}"
        )


@operation
def permuted_ids(G: Graph, begin: int, steps: tuple[tuple[int, int], ...]) -> Vector:
    """A pseudorandom permutation of the ids: for each vertex v the number `begin` + v after all
    steps.

    A step (a, k) does x ← a x mod 2³¹ and then x ← x xor ⌊x / 2ᵏ⌋. For odd a both are bijections,
    so different vertices have different numbers.
    """
    x = identity(G).apply("plus", begin).new()
    for factor, shift in steps:
        x << x.apply("times", factor)
        x << x.apply("band", RANKS - 1)
        x(bxor) << x.apply("bshift", -shift)
    return x


def expect_directed(G: Graph, wanted: bool, what: str) -> None:
    """Raises InvalidValue if the graph is directed and should not be, or the reverse."""
    if G.directed != wanted:
        kinds = ("an undirected graph", "a directed graph")
        ways = ("take G.to_undirected() (--undirected)", "make it with directed=True")
        raise InvalidValue(
            f"expected {kinds[wanted]} for {what}, got {kinds[not wanted]}; {ways[wanted]}"
        )


def tree_roots(parent: Vector) -> Vector:
    """The root of each vertex in a forest of parents, by pointer jumping in O(log height) rounds.

    Of two roots that are each other's parent, one is taken.
    """
    grandparent = any_second(parent.selector() @ parent).new()
    while not grandparent.isequal(parent):
        parent = grandparent
        grandparent = any_second(parent.selector() @ parent).new()
    return grandparent


def gather(v: Vector, ids: Vector) -> Vector:
    """v(ids(i)) at each i, where v has that entry."""
    return any_second(ids.selector(v.size) @ v).new()


def scatter(v: Vector, ids: Vector, size: int | None = None) -> Vector:
    """A vector with v(i) at position ids(i), of the size of v if no other is given."""
    return any_first(v @ ids.selector(v.size if size is None else size)).new()


@operation
def argsort(keys: Vector) -> Vector:
    """The positions (INT64) of the values of a full vector in increasing order. Equal values keep
    their order.

    The host sorts, because no statement orders values. O(n log n).
    """
    order = np.argsort(keys.to_dense(), kind="stable").astype(np.int64)
    return Vector.from_dense(order, backend=keys.backend)


@operation
def entry_numbers(used: Vector) -> Vector:
    """For each entry the number (INT64) of entries before it. O(n log n) by the statements."""
    last = Vector.from_scalar(1, used.size, "INT8", backend=used.backend)
    last(used.S) << 0
    order = argsort(last)
    return scatter(order.apply("index").new(), order).dup(mask=used.S)
