"""The class `Update`: an expression, the output, and how to write it. `run` carries it out."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lagraph_gpu import memory, reporting
from lagraph_gpu.errors import DomainMismatch, TooLarge
from lagraph_gpu.notation.checks import expect_convertible, mismatch
from lagraph_gpu.notation.expressions import Apply, Bare, Composite, Expression
from lagraph_gpu.notation.indexing import Region, extent
from lagraph_gpu.notation.mask import Mask, mask_of
from lagraph_gpu.notation.recorder import CURRENT, record
from lagraph_gpu.notation.typing_rules import same_backend
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, UNARY, BinaryOp


def accumulator(op: BinaryOp) -> BinaryOp:
    """The operator that accumulates: `any`, of which either operand is a right answer, takes the
    new value, as SuiteSparse does."""
    if op.graphblas != "binary.any":
        return op
    return BINARY["second"] if op.typed is None else BINARY["second"][op.typed]


@dataclass(eq=False)
class Update:
    """The statement out⟨mask, replace⟩(region) accum= expression, which `run` carries out.

    `region` holds the positions on each axis that are assigned to; None means all positions.
    Entries outside the region stay, unless `replace` removes them where the mask is false.
    """

    out: Any
    expression: Any
    mask: Mask | None = None
    accum: BinaryOp | None = None
    replace: bool = False
    region: Region | None = None
    schedule: Schedule | None = None

    def __post_init__(self) -> None:
        out, node = self.out, self.expression
        if isinstance(node, Bare):
            node = self.expression = node._with_op()
        expected = out.shape if self.region is None else extent(self.region, out.shape)
        if node.shape != expected:
            raise mismatch(expected, node.shape)(
                f"expected an expression of shape {expected}, got {node.shape}"
            )
        if out.backend is not node.backend:
            same_backend(out, node)
        if node.dtype != out.dtype:
            expect_convertible(node.dtype, out.dtype)
        if self.mask is not None:
            mask = self.mask if isinstance(self.mask, Mask) else mask_of(self.mask)
            self.mask = mask
            if mask.handle.shape != out.shape:
                raise mismatch(mask.handle.shape, out.shape)(
                    f"expected a mask of the output's shape {out.shape}, got {mask.handle.shape}"
                )
            if mask.handle.backend is not out.backend:
                same_backend(out, mask.handle)
        if self.accum is not None:
            self.accum = accumulator(self.accum)
            accumulates(self.accum, out.dtype)


@functools.cache
def accumulates(op: BinaryOp, dtype: np.dtype) -> None:
    """Check that an accumulator works on values of the type of the output."""
    if op.positional:
        raise DomainMismatch(f"expected an accumulator that works on values, got {op}")
    op.operand(dtype)


def run(update: Update) -> None:
    """Carry out an update on the backend of its output. Raises TooLarge if memory is too short."""
    node, out = update.expression, update.out
    try:
        if isinstance(node, Composite):
            made = node.computed()
            if not node.shape:
                out.put(made.held, update.accum)
                return
            made = made if isinstance(made, Expression) else Apply(made, UNARY["identity"])
            run(replace(update, expression=made))
        elif update.region is not None and 0 in node.shape:  # no position is assigned to
            if update.replace:
                kept = Apply(out, UNARY["identity"])
                run(replace(update, expression=kept, accum=None, region=None))
        else:
            if (recorder := CURRENT.get()) is not None:
                record(recorder, update)
            out.backend.run(update)
            if reporting.SHOWN.calls:
                reporting.step()
    except RecursionError:
        raise TooLarge(
            "expected an expression whose operations lie less deep within each other, got one "
            "beyond Python's recursion limit; store parts of it on the way, with .new() or <<"
        ) from None
    except memory.possibly_short() as problem:
        memory.raise_ours("a statement", problem)
