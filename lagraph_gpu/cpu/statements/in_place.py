"""Whether an update may write to the matrix that it changes, to a copy, or to a new one."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from graphblas.core import ffi, lib

from lagraph_gpu.cpu.statements import calls, lower, objects
from lagraph_gpu.cpu.statements.stores import HELD_ONCE, references
from lagraph_gpu.notation.expressions import Apply, Expression, OfVector, Transposed
from lagraph_gpu.notation.update import Update

COPIES, WORKSPACE, TUPLE = 2, 1 << 20, 3 * objects.WORD
"""For an update in place there has to be room for so many copies of its operands and so many bytes
beside; an entry that is not in a row yet takes so many."""


def unwritten(out: Any) -> Any:
    """A matrix without entries for an output: its own, if it was made for this statement."""
    if out._store.fresh and held_alone(out):
        return out._store.A
    return objects.empty_matrix(out.shape, out.dtype)


def held_alone(out: Any) -> bool:
    """True if nobody but this container holds its matrix."""
    return references(vars(out), "_store") == HELD_ONCE and out._store.alone()


def may_change(update: Update) -> bool:
    """True if a part of a matrix is assigned to that nobody else reads: then no copy is made, which
    would take longer than to write a few entries, and SuiteSparse may defer the work.

    A statement that fails leaves the matrix as it was. SuiteSparse refuses operands before it
    writes, but where memory runs out in between the matrix is lost, so there has to be enough; and
    what takes several calls, after each of which Ctrl-C may come, goes into a copy.
    """
    out, mask = update.out, update.mask
    if update.region is None or (mask is not None and (mask.handle is out or update.accum)):
        return False
    return held_alone(out) and has_room(update)


def has_room(update: Update) -> bool:
    """True if the system would give as many bytes now as SuiteSparse may take for an update in
    place: some copies of all that it reads and writes."""
    node, mask = update.expression, update.mask
    given = copied_from(node)
    size = TUPLE * math.prod(node.shape) if isinstance(given, Expression) else bytes_held(given)
    held = bytes_held(update.out) + size + (0 if mask is None else bytes_held(mask.handle))
    try:
        expect_bytes(COPIES * held + WORKSPACE)
    except MemoryError:
        return False
    return True


def copied_output(out: Any) -> Any:
    """A copy of the matrix of an output, or that of a new one. SuiteSparse first does the work that
    it has deferred, and the matrix is lost if it has no memory for that."""
    if out._store.fresh:
        return unwritten(out)
    expect_bytes(2 * bytes_held(out))
    return objects.copied(out._store.A)


def expect_bytes(count: int) -> None:
    """Raise MemoryError if the system would not give so many bytes now. None is written to."""
    np.empty(min(count, sys.maxsize), np.uint8)


def copied_from(node: Expression) -> Any:
    """The container that is copied into a part; another expression is returned as it is."""
    if isinstance(node, OfVector):
        return node.vector
    whole = isinstance(node, Apply) and node.op == calls.IDENTITY
    operand = node.operand if whole else node
    return operand.matrix if isinstance(operand, Transposed) else operand


def bytes_held(container: Any) -> int:
    """The bytes of a vector or a matrix of SuiteSparse, with the work that it has deferred."""
    answer, operand = ffi.new("size_t*"), lower.value(container)
    (lib.GxB_Vector_memoryUsage if operand.ndim == 1 else lib.GxB_Matrix_memoryUsage)(
        answer, operand.gb_obj[0]
    )
    return int(answer[0])
