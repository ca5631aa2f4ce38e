"""Closures of the rows of a matrix, each with a search of its own.

On a deep graph a search does not fill the device. There all rows are searched in one launch, each
in a copy of the graph that has the rows in common with the others (graph_copies.cuh). On other
graphs one row is searched after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import Fixpoint
from lagraph_gpu.gpu.closure.copy_rows import CopyRows, Searched
from lagraph_gpu.gpu.closure.ordered import BLOCK_QUEUES, ONE_MORE, Scratch
from lagraph_gpu.gpu.closure.persistent import Result, result_bytes
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.device.port import workspace_bytes
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import POSITIONS
from lagraph_gpu.notation import Matrix
from lagraph_gpu.planning import many_sources
from lagraph_gpu.planning.trace import unrecorded
from lagraph_gpu.schedule import Schedule
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

ROWS_REASON = "{rows} rows, each with a search of its own, are faster than all in step"
COPIES_REASON = (
    "{rows} rows, {per_launch} in a launch, because a search alone does not fill the device"
)

MOST_POSITIONS = 1 << 27
"""All copies of a graph that are searched in one launch have at most so many positions."""

Start = tuple[np.ndarray, np.ndarray]
"""The positions and the values of a row."""


class Copies(NamedTuple):
    """Copies of a graph, side by side."""

    n: int
    size: int
    """The positions of a copy: a power of two, and whole words of a bitmap."""
    per_launch: int
    """The largest number of copies in a launch."""

    def batch(self, number: int) -> int:
        """How many of so many copies go in a launch, if all launches have about as many."""
        launches = max(1, -(-number // self.per_launch))
        return -(-number // launches)

    def positions(self, at: Sequence[np.ndarray]) -> np.ndarray:
        """These positions of vertices, one array for each copy, as positions in all copies."""
        return np.concatenate([number * self.size + each for number, each in enumerate(at)])

    def part(self, x: DeviceVector, number: int) -> DeviceVector:
        """The part of a copy, in the memory of the whole."""
        first = number * self.size
        bits = x.bits[first // 32 : first // 32 + words(self.n)]
        return DeviceVector(self.n, x.dtype, bits, x.values[first : first + self.n])


class RowClosures(BackendPart):
    """Computes closures of rows. The field is for tests."""

    most_positions = MOST_POSITIONS

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.results = CopyRows(backend)

    def closures(
        self, x0: Matrix, A: Any, semiring: Semiring, max_rounds: int, schedule: Schedule,
        with_rounds: bool,
    ) -> Fixpoint | None:  # fmt: skip
        """The closures of all rows of x0; None if searches of their own are not faster, if a row
        cannot be searched from in one kernel, or if the results of all rows may not fit into a
        quarter of the free memory."""
        starts, (k, n) = x0._store, x0.shape
        store, transposed = self.backend.matrices.operand(A)

        deep = store.pattern.depth.deep

        def apart() -> bool:
            return many_sources.rows_apart(k, n, store.nnz, deep.answer is True)

        if k == 0 or starts.nnz > k or not (deep.answer is None or apart()):
            return None
        parts = (x0.dtype, INDEX) if with_rounds else (x0.dtype,)
        if k * sum(result_bytes(n, dtype) for dtype in parts) > workspace_bytes(self.device):
            return None
        begins, indices, values = self.backend.matrix_entries(starts)  # synchronize!
        rows = [(indices[i:j], values[i:j]) for i, j in pairwise(begins.tolist())]
        first = self.backend.build_vector(n, *rows[0])
        problem = Problem(
            first, store, transposed, semiring, max_rounds, schedule, with_rounds
        )  # fmt: skip
        width = self._width(problem) if k > 1 else None
        if not apart():
            return None
        if width is not None:
            made = self._in_copies(rows, problem, width)
            if made is not None:
                return made
        return self._row_by_row(rows, problem)

    def _width(self, problem: Problem) -> float | None:
        """The width of a step if each block has a queue of its own, because the graph is deep, as a
        search from the first row may show; else None."""
        schedule, store, dtype = problem.schedule, problem.store, problem.x0.dtype
        if schedule.loop is not None or schedule.single:
            return None
        if problem.semiring.output(dtype, store.dtype) != dtype:
            return None
        closures = self.backend.closures
        if store.stays_packed and not closures.leaves_packed_rows(problem):
            return None
        with unrecorded():  # the choice for the rows comes first
            by_value = closures.by_value(problem)
            if (by_value is None or not by_value.asynchronous) and closures.finds_depth(problem):
                by_value = closures.by_value(problem)
        return by_value.width if by_value is not None and by_value.asynchronous else None

    def _row_by_row(self, rows: list[Start], problem: Problem) -> Fixpoint | None:
        """The closures of rows, one after another; None if one of them cannot be computed."""
        made: list[Result] = []
        n, dtype = problem.x0.size, problem.x0.dtype
        problem.record("row by row", ROWS_REASON, rows=len(rows))
        for row in rows:
            start = self.backend.build_vector(n, *row)
            found = self.backend.closures.closure(problem._replace(x0=start))
            if found is None:
                return None
            made.append(found)
        x, rounds = [row.x for row in made], [row.rounds for row in made if row.rounds is not None]
        stack, as_matrix = self.backend.matrices.parts.stacked, self.backend.as_matrix
        return Fixpoint(
            as_matrix(stack(x, n, dtype)),
            as_matrix(stack(rounds, n, INDEX)) if problem.with_rounds else None,
            all(row.at_rest for row in made),
        )

    def _in_copies(self, rows: list[Start], problem: Problem, width: float) -> Fixpoint | None:
        """The closures of rows in copies of a deep graph, in steps of this width. None if there is
        no memory for two copies, if there is no order, or if no kernel can be resident. Waits for
        the number of entries."""
        semiring, store, dtype = problem.semiring, problem.store, problem.x0.dtype
        by_depth, found = semiring.monoid.is_any, []
        order, kind = (ONE_MORE, INDEX) if by_depth else (semiring, dtype)
        copies = self.copies(store.shape[0], kind)
        if copies is None:
            return None
        most = copies.batch(len(rows))
        problem.record("in copies of the graph", COPIES_REASON, rows=len(rows), per_launch=most)
        outgoing = self.backend.matrices.transpose(store) if problem.transposed else store
        for first in range(0, len(rows), most):
            at, given = zip(*rows[first : first + most])
            values = tuple(np.zeros(x.size) for x in at) if by_depth else given
            x = self.search(copies, at, values, outgoing, order, kind, width)
            if x is None:
                return None
            found.append(Searched(x, copies.positions(at), np.concatenate(given)))
        shape, as_matrix = (copies.size, copies.n), self.backend.as_matrix
        made, ends = self.results.matrix(found, *shape)  # synchronize!
        if not by_depth:
            return Fixpoint(as_matrix(made), None, True)
        x_rows = self.results.along_depths(
            found, copies.size, made, ends, store, problem.transposed, semiring, dtype
        )
        return Fixpoint(as_matrix(x_rows), as_matrix(made), True)

    def copies(self, n: int, dtype: np.dtype) -> Copies | None:
        """The copies of a graph of n vertices for searches with values of this type; None if there
        is no memory for two."""
        size = max(32, 1 << (n - 1).bit_length())
        each = Scratch.bytes(size, size) + result_bytes(size, dtype) + dtype.itemsize * size
        most = min(self.most_positions, POSITIONS - 1) // size
        per_launch = min(most, workspace_bytes(self.device) // each)
        return Copies(n, size, per_launch) if per_launch > 1 else None

    def search(
        self, copies: Copies, at: Sequence[np.ndarray], values: Sequence[np.ndarray],
        outgoing: DeviceMatrix, order: Semiring, dtype: np.dtype, width: float,
    ) -> DeviceVector | None:  # fmt: skip
        """The closures from these entries, a copy for each pair of positions and values, side by
        side. None if there is no order, or if no kernel can be resident."""
        given = np.concatenate(values).astype(dtype)
        start = self.backend.build_vector(
            len(at) * copies.size, copies.positions(at), given, by_rank=True
        )
        found = self.backend.closures.by_order.ordered.closure(
            start, outgoing, order, width, BLOCK_QUEUES._replace(copy_size=copies.size)
        )
        if found is None or (found.orderly is not None and not found.orderly()):
            return None
        return found.x
