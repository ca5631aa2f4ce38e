"""Searches from many sources in batches, and the size of a batch.

A batch of k searches is one matrix of k rows. More rows mean fewer and larger steps; memory limits
their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lagraph_gpu import reporting
from lagraph_gpu.algorithms._shared.distance_types import within
from lagraph_gpu.algorithms._shared.memory_check import fitting_rows
from lagraph_gpu.closure import closure, closure_with_rounds
from lagraph_gpu.convert.arguments import is_list
from lagraph_gpu.convert.ids import all_below
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.convert.values import of_integers
from lagraph_gpu.errors import InvalidValue, WrongType, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.reporting import StepCallback
from semirings import any_pair, min_plus

MAX_ROWS = 256
"""Sources in a batch at most. More rows are not faster."""

BATCH_SHARE = 2
"""A batch takes at most 1 / BATCH_SHARE of the free memory."""


BYTES_PER_VERTEX = 288
"""Bytes that a row of a batch takes for each vertex: results, frontiers and the results of
products. (Measured on the CPU: 270 for closeness, counting edges, in 256 rows.)
"""


def batches(
    A: Matrix | Any, sources: Sequence[int] | np.ndarray, batch_size: Any = None
) -> Iterator[np.ndarray]:
    """The sources of searches along A in batches of `batch_size`, which is an integer of at least
    1.

    By default a batch is as large as half of the free memory allows, and at most 256.
    """
    rows = batch_rows(A, batch_size)
    sources = np.asarray(sources, np.int64)
    for first in range(0, sources.size, rows):
        reporting.step(first, sources.size)
        yield sources[first : first + rows]


def batch_rows(A: Matrix | Any, batch_size: Any = None) -> int:
    """The number of sources in a batch."""
    if batch_size is None:
        return fitting_rows(A, BYTES_PER_VERTEX * A.shape[0], BATCH_SHARE, MAX_ROWS)
    if not is_integer(batch_size) or batch_size < 1:
        raise InvalidValue(
            f"expected batch_size as an integer of at least 1, got {brief(batch_size)}"
        )
    return int(batch_size)


def offset_progress(progress: StepCallback | None, done: int, total: int) -> StepCallback | None:
    """A progress function for a part of the work, of which `done` of `total` items were
    done before.
    """
    return None if progress is None else lambda some, _: progress(done + some, total)


def is_vertex(G: Graph, chosen: Any) -> bool:
    """Whether this is one vertex and not a list of them: a number, a text, or a label of G."""
    if is_integer(chosen) or isinstance(chosen, (str, bytes)):
        return True
    return G._labels is not None and chosen in G._labels


def ordered_vertices(G: Graph, chosen: Any, what: str) -> np.ndarray:
    """The same as `vertex_ids`, where the order of an answer follows that of the vertices: a set,
    which has none, is refused, too."""
    if isinstance(chosen, (set, frozenset)):
        raise WrongType(
            f"expected {what} as a list of vertices, since rows of the answer are in its order, "
            f"got a {type(chosen).__name__}; pass sorted({what}), or list({what})"
        )
    return vertex_ids(G, chosen, what)


def vertex_ids(G: Graph, chosen: Any, what: str) -> np.ndarray:
    """The positions of the chosen vertices (INT64), in the given order and with repetitions; None
    means all vertices. Where the graph has labels, they are chosen by label.

    Raises WrongType for anything but a list of integers (or labels), and IndexOutOfBound for what
    is not a vertex.
    """
    if chosen is None:
        return np.arange(G.n)
    if not isinstance(chosen, np.ndarray):
        if not is_list(chosen):
            raise WrongType(f"expected {what} as a list of vertices, got {brief(chosen)}")
        chosen = chosen.to_pylist() if hasattr(chosen, "to_pylist") else list(chosen)  # of PyArrow
    if G._labels is not None:
        return G._labels.positions(chosen, what)
    wanted = as_numpy(chosen)
    if of_integers(wanted):
        wanted = as_numpy(wanted.tolist())
    if wanted.size == 0 and wanted.ndim == 1:
        return np.zeros(0, np.int64)
    if wanted.ndim != 1 or wanted.dtype.kind not in "iu":
        got = f"an array of {wanted.dtype}, shape {wanted.shape}"
        raise WrongType(f"expected {what} as a list of integers, the vertices' ids, got {got}")
    if not all_below(wanted, G.n) and (wanted.min() < 0 or wanted.max() >= G.n):
        outside = wanted[(wanted < 0) | (wanted >= G.n)]
        G.vertex(int(outside[0]), f"vertex in {what}")
    return wanted.astype(np.int64)


@operation
def degrees_of(G: Graph, vertices: np.ndarray) -> np.ndarray:
    """The number of edges that leave each of these vertices (INT64). The numbers of all others stay
    where the graph is."""
    return G.out_degree[vertices].new().to_dense(fill_value=0)


@operation
def start_matrix(A: Matrix | Any, sources: np.ndarray, value: Any, dtype: Any) -> Matrix:
    """The matrix that searches along A start from: row i has one entry, at source i."""
    row = np.arange(sources.size)
    shape: dict[str, Any] = {"nrows": sources.size, "ncols": A.shape[0]}
    return Matrix.from_coo(row, sources, value, dtype, **shape, backend=A.backend)


def distances(
    A: Matrix | Any, sources: Any, dtype: Any, cutoff: Any = None, batch_size: Any = None
) -> Iterator[tuple[np.ndarray, Matrix]]:
    """Batches of sources, each with a matrix of the distances from them along A, one row for each
    source.

    With a `dtype` distances are sums of weights in that type; with None they are numbers of edges
    (INT32). Distances beyond `cutoff` have no entry.
    """
    for block in batches(A, sources, batch_size):
        if dtype is None:
            steps = None if cutoff is None or cutoff == math.inf else math.floor(cutoff)
            start = start_matrix(A, block, True, "BOOL")
            yield block, closure_with_rounds(start, A, any_pair, steps)[1]
        else:
            yield block, within(closure(start_matrix(A, block, 0, dtype), A, min_plus), cutoff)
