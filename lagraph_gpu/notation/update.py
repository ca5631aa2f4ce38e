"""The update: an expression, where it goes and how, carried out by the backend's one verb."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lagraph_gpu.errors import DimensionMismatch, DomainMismatch
from lagraph_gpu.notation.expressions import Apply, Composite, Expression
from lagraph_gpu.notation.indexing import Region, extent
from lagraph_gpu.notation.mask import Mask, mask_of
from lagraph_gpu.notation.typing_rules import same_backend
from lagraph_gpu.schedule import Schedule
from semirings.algebra import BinaryOp
from semirings.operators import UNARY


@dataclass(eq=False)
class Update:
    """out⟨mask, replace⟩(region) accum= expression: what ``run`` carries out.

    ``region`` holds, for each axis, the positions assigned to (None: all of them). What lies
    outside it keeps its entry, unless ``replace`` deletes it where the mask is false.
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
        expected = out.shape if self.region is None else extent(self.region, out.shape)
        if node.shape != expected:
            raise DimensionMismatch(f"expected an expression of shape {expected}, got {node.shape}")
        if self.mask is None:
            same_backend(out, node)
        else:
            mask = self.mask = mask_of(self.mask)
            if mask.handle.shape != out.shape:
                raise DimensionMismatch(
                    f"expected a mask of the output's shape {out.shape}, got {mask.handle.shape}"
                )
            same_backend(out, node, mask.handle)
        if self.accum is not None:
            accumulates(self.accum, out.dtype)


@functools.cache
def accumulates(op: BinaryOp, dtype: np.dtype) -> None:
    """An accumulator works on values, in the output's type."""
    if op.positional:
        raise DomainMismatch(f"expected an accumulator that works on values, got {op}")
    op.operand(dtype)


def run(update: Update) -> None:
    """Carry an update out on the backend its output lives on."""
    node, out = update.expression, update.out
    if isinstance(node, Composite):
        made = node.computed()
        if not node.shape:
            out.put(made.held, update.accum)
            return
        made = made if isinstance(made, Expression) else Apply(made, UNARY["identity"])
        run(replace(update, expression=made))
    else:
        out.backend.run(update)
