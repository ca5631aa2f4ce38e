"""Facts: properties of a graph that are computed once and kept with it, and what several of them
read of its matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.convert.serialize import digest_of_entries, digest_of_rows
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.operation import operation

if TYPE_CHECKING:
    from lagraph_gpu.graph.graph import Graph

FACTS: dict[str, Callable[[Graph], Any]] = {}
"""By the name of each fact, the function under which a graph keeps it."""

FACT_OBSERVERS: list[Callable[[Any, Callable[[], Any]], Any]] = []
"""What is told of each fact that a graph keeps: the backend, and a function that forgets it."""

UNKNOWN = object()
"""In place of a fact that has not been computed."""

if TYPE_CHECKING:
    fact = property
else:

    def fact(compute: Callable[[Graph], Any]) -> property:
        """A read-only property of a graph, kept until the adjacency matrix changes."""

        def found(G: Graph) -> Any:
            made = compute(G)
            if isinstance(made, Handle):
                made._kept_as = f"G.{compute.__name__}"
            return made

        def read(G: Graph) -> Any:
            held = G._current_facts().get(found, UNKNOWN)
            return G.kept(found) if held is UNKNOWN else held

        FACTS[compute.__name__] = found
        return property(read, doc=compute.__doc__)


def keep(G: Graph, facts: dict[Any, Any], compute: Callable[[Graph], Any]) -> Any:
    """The result of a function of a graph, which is kept among its facts."""
    made = facts[compute] = compute(G)
    for note in FACT_OBSERVERS:
        note(G.A.backend, lambda: facts.pop(compute, None))
    return made


def rows_are_listed(G: Graph) -> bool:
    """Whether the backend lists the rows of G that have entries, instead of offsets of all."""
    return G.A.backend.large_graphs and lists_rows(G.n, lambda: G.A.nvals)


def digest_of(G: Graph) -> str:
    """The fingerprint of a graph."""
    if rows_are_listed(G):
        return digest_of_entries(G.n, *G.A.to_coo())
    indptr, *entries = G.A.to_csr()
    return digest_of_rows(G.n, [indptr], *entries)


@operation
def row_lengths(A: Matrix) -> Vector:
    """The number of entries of each row (INT64); no entry where there are none."""
    return A.apply("one").new("INT64").reduce_rowwise("plus").new()


@operation
def diagonal_entries(A: Matrix) -> int:
    """The number of entries on the diagonal."""
    return A.select("diag").new().nvals


@operation
def is_symmetric(A: Matrix) -> bool:
    """Whether a square matrix is its own transpose."""
    return A.isequal(A.T.new())


@operation
def pattern_without_loops(A: Matrix) -> Matrix:
    """True (BOOL) at the entries of A that are not on its diagonal."""
    return A.apply("one").new("BOOL").select("offdiag").new()  # type: ignore[no-any-return]
