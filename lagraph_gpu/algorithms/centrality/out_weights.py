"""The weights of the edges that leave each vertex, which a random walk divides by."""

from __future__ import annotations

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings import BINARY, any_first, plus_times
from semirings.types import FP64

truediv = BINARY["truediv"]


def in_own_units(A: Matrix) -> Matrix:
    """Each row divided by its largest entry (FP64), so that no sum of a row overflows."""
    unit = A.reduce_rowwise("max").new(FP64).select(">", 0.0).new()
    return truediv(A.dup(FP64) & any_first(unit.diag() @ A).new()).new()  # type: ignore[no-any-return]


def weights_out(G: Graph) -> Vector:
    """The sum of the outgoing weights of each vertex, as a divisor."""
    return leaving(G.A)


def edges_out(G: Graph) -> Vector:
    """The number of outgoing edges of each vertex, as a divisor."""
    return power_iteration.divisor(G.out_degree)


def leaving(A: Matrix) -> Vector:
    """The sum of each row, as a divisor."""
    ones = Vector.from_scalar(1.0, A.nrows, backend=A.backend)
    return power_iteration.divisor(plus_times(ones @ A.T).new().select("!=", 0.0).new())
