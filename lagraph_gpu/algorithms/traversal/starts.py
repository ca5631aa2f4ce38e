"""The start of a search from one source or from many, and the checks before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, overload

import numpy as np

from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits, surely_fits
from lagraph_gpu.algorithms._shared.source_batches import ordered_vertices, start_matrix
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.convert.options import Vertex
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector


def starts(
    G: Graph,
    source: Any,
    sources: Any,
    value: Any = None,
    dtype: Callable[[Graph], np.dtype] | None = None,
) -> int | Matrix:
    """The start of a search as the user gave it: the position of `source`, or a matrix with one
    entry in each row, at one of `sources`.

    The value of an entry is `value`, of the type that `dtype` says for the graph; by default the
    position of its source (INT64). Raises IndexOutOfBound and WrongType if a source is not a
    vertex, and TooLarge if the results of many searches cannot fit into the free memory. (The
    closure itself refuses a single search that does not fit.)
    """
    if source is not None and sources is not None:
        raise InvalidValue("expected one source, or sources=[…] for several, and not both")
    if source is None and sources is None:
        raise IndexOutOfBound(
            "expected the source as an integer, or sources=[…] for several, got neither"
        )
    if sources is None:
        return G.vertex(source, "source")
    many_ids = ordered_vertices(G, sources, "sources")
    expect_answers_fit(G, many_ids)
    kind = None if dtype is None else dtype(G)
    return start_matrix(G.A, many_ids, many_ids if value is None else value, kind)


def expect_answers_fit(G: Graph, sources: np.ndarray) -> None:
    """Raises TooLarge if the results of searches from these sources cannot fit into the free
    memory.

    A search finds at most the vertices of the component of its source, and one more than there are
    entries. O(1), or O(m) if the sizes of the components decide.
    """
    each = RESULT_BYTES * sources.size
    if surely_fits(G, each * G.n) or surely_fits(G, each * (G.A.nvals + 1)):
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
    """The type of a search that returns vectors for one source, and for many sources matrices with
    one row each.
    """

    __name__: str

    @overload
    def __call__(
        self, G: Graph, source: Vertex, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Vector, Vector]: ...
    @overload
    def __call__(
        self, G: Graph, source: None = None, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Matrix, Matrix]: ...


def from_sources(search: Callable[Concatenate[Graph, Vertex | None, P], Any]) -> FromSources[P]:
    """Return a search typed as `FromSources`, which tells results for one source and for many
    apart."""
    return search  # type: ignore[return-value]
