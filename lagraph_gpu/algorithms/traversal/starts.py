"""Where searches start, and what is checked before they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, overload

import numpy as np

from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits, free_bytes
from lagraph_gpu.algorithms._shared.source_batches import start_matrix, vertex_ids
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector


def starts(G: Graph, source: Any, sources: Any, value: Any = None, dtype: Any = None) -> Any:
    """What a closure starts from: a vector with one entry at ``source``, or a matrix with one in
    each row, at its source. The entry is the source's own id unless there is a ``value``.

    This is where searches are checked: IndexOutOfBound and WrongType for what is no vertex,
    TooLarge where the answers of many searches cannot fit the free memory. (A single search is
    refused by the closure, which knows what it needs.)
    """
    if source is not None and sources is not None:
        raise InvalidValue("expected one source, or sources=[…] for several, and not both")
    if source is None and sources is None:
        raise IndexOutOfBound(
            "expected the source as an integer, or sources=[…] for several, got neither"
        )
    if sources is None:
        return G.point(source, source if value is None else value, dtype)
    many = vertex_ids(G, sources, "sources")
    expect_answers_fit(G, many)
    return start_matrix(G.A, many, many if value is None else value, dtype)


def expect_answers_fit(G: Graph, sources: np.ndarray) -> None:
    """Raises TooLarge if what searches from these sources find cannot fit: from each at most the
    vertices of its component. O(1), or O(m) where it is close."""
    free = free_bytes(G)
    if free is None or RESULT_BYTES * sources.size * G.n <= free:
        return
    part = connected_components(G).to_dense()
    wanted = RESULT_BYTES * int(np.bincount(part)[part[sources]].sum())
    expect_fits(
        G, wanted, "searches whose answers fit",
        f"those from {sources.size:,} sources may find",
        "search from fewer at a time, or take distances in blocks: "
        "for block in lg.iter_distances(...)",
    )  # fmt: skip


P = ParamSpec("P")


class FromSources(Protocol[P]):
    """A search: from one source it makes vectors, from many matrices with a row for each."""

    __name__: str

    @overload
    def __call__(
        self, G: Graph, source: int, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Vector, Vector]: ...
    @overload
    def __call__(
        self, G: Graph, source: None = None, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Matrix, Matrix]: ...


def from_sources(search: Callable[Concatenate[Graph, int | None, P], Any]) -> FromSources[P]:
    """The same function, with a type that says what one source and what many yield."""
    return search  # type: ignore[return-value]
