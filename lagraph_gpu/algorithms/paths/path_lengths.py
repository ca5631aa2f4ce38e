"""Lengths of shortest paths from many sources as a dense array: the operations behind the
tables.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.source_batches import distances
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.reporting import StepCallback
from lagraph_gpu.schedule import Schedule

SWEEPS = "by two sweeps over a contraction, all sources of a batch together"
GIVEN = "one was given: {arcs} arcs in {levels} levels, and a core of {core} vertices"


class Pairs(NamedTuple):
    """Entries of a table, by increasing row: the row, the column (a vertex), and the position in
    the answer.

    They are three INT64 arrays of one length; `place` is a permutation.
    """

    row: np.ndarray
    column: np.ndarray
    place: np.ndarray

    def between(self, first: int, end: int) -> slice:
        """The entries in the rows from `first` to before `end`, as a slice."""
        return slice(*np.searchsorted(self.row, (first, end)).tolist())


Targets = np.ndarray | Pairs | None
"""The columns of the table (None for all), or single entries."""


def answer_shape(sources: int, n: int, targets: Targets) -> tuple[int, ...]:
    """The shape of the array that `path_lengths` returns."""
    if isinstance(targets, Pairs):
        return (targets.place.size,)
    return sources, n if targets is None else targets.size


def columns_of(targets: Targets, row: int) -> np.ndarray | None:
    """The columns of the table that are wanted of this row; None for all."""
    if isinstance(targets, Pairs):
        return targets.column[targets.between(row, row + 1)]
    return targets


def keep(rows: np.ndarray, first: int, targets: Targets, answer: np.ndarray) -> None:
    """Copy from these full rows, the first of which is row `first`, what `targets` selects to its
    position in the answer.
    """
    if isinstance(targets, Pairs):
        chosen = targets.between(first, first + len(rows))
        answer[targets.place[chosen]] = rows[targets.row[chosen] - first, targets.column[chosen]]
    else:
        answer[first : first + len(rows)] = rows if targets is None else rows[:, targets]


@operation
def path_lengths(
    A: Matrix, sources: np.ndarray, targets: Targets, cutoff: float | None,
    sums: np.dtype | None, dtype: np.dtype, schedule: Schedule | None = None,
    progress: StepCallback | None = None,
) -> Any:  # fmt: skip
    """Lengths of shortest paths along A from each source (a row) to each target (a column; None
    means all).

    The entries of A are at least 0, and are added up in the type `sums`; if that is None, lengths
    count edges. The result is a dense array of the library of the backend, of the floating-point
    type `dtype`; it is infinite where there is no path, or none of at most `cutoff`, which is
    finite. For `Pairs` it has one dimension, and the sources must increase. `progress` is called
    with the number of sources that are done.
    """
    answer = np.empty(answer_shape(sources.size, A.nrows, targets), dtype)
    done = 0
    for batch, D in distances(A, sources, sums, cutoff):
        keep(D.to_dense(np.inf, dtype), done, targets, answer)
        done += batch.size
        if progress is not None:
            progress(done, sources.size)
    return answer


@operation
def contracted_lengths(
    A: Matrix | Transposed, P: Contraction, sources: np.ndarray, targets: Targets, limit: int |
    None, sums: np.dtype | None, dtype: np.dtype, progress: StepCallback | None = None,
) -> Any:  # fmt: skip
    """The lengths of shortest paths from the sources in the graph of A, which has the contraction
    P. They are infinite beyond `limit`.

    The statements need not read P, because it has the distances of the graph. Lowerings pass twice
    over its levels.
    """
    A = A if isinstance(A, Matrix) else A.new()
    return path_lengths(A, sources, targets, limit, sums, dtype, progress=progress)


def record_sweeps(P: Contraction, sources: int) -> None:
    """Tells ``lg.explain`` that a lowering has swept over a contraction from so many sources."""
    if explaining():
        record_choice(f"table of {sources} sources", SWEEPS, GIVEN, levels=P.levels, arcs=P.arcs,
                      core=P.core)  # fmt: skip
