"""The L1 distance of two vectors, with one call of SuiteSparse for each step."""

from __future__ import annotations

from graphblas.core import lib

from lagraph_gpu.cpu.statements import calls
from lagraph_gpu.cpu.statements.calls import AS_IS
from lagraph_gpu.notation import Scalar, Vector
from semirings import BINARY, MONOIDS, UNARY
from semirings.types import FP64

MINUS, ABS, PLUS = (
    calls.c_operator(op, FP64) for op in (BINARY["minus"], UNARY["abs"], MONOIDS["plus"])
)


def l1_distance(x: Vector, y: Vector) -> Scalar:
    """Lowers ``l1_distance``. It overwrites y and takes no memory for other vectors."""
    of, into = x._store, y._store
    calls.make(into, (lib.GrB_Vector_eWiseMult_BinaryOp, (MINUS, of, into), AS_IS))
    calls.make(into, (lib.GrB_Vector_apply, (ABS, into), AS_IS))
    total = Scalar(FP64, backend=x.backend)
    total.put(float(calls.fold(into, 1, PLUS, FP64)))
    return total
