"""The update: an expression, where it goes and how, carried out by the backend's one verb."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lagraph_gpu.checks import expect, expect_kind
from lagraph_gpu.errors import DomainMismatch
from lagraph_gpu.expr import Apply, Composite, Expression, Mask, same_backend
from lagraph_gpu.indexing import Region, extent
from lagraph_gpu.schedule import Schedule
from semirings.algebra import BinaryOp
from semirings.operators import UNARY


@dataclass(frozen=True, eq=False)
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
        shape = self.out.shape
        expected = shape if self.region is None else extent(self.region, shape)
        expect(
            self.expression.shape == expected,
            f"expected an expression of shape {expected}, got {self.expression.shape}",
        )
        operands = [self.out, self.expression]
        if self.mask is not None:
            expect_kind(self.mask, Mask, "a mask: v.S (structure) or v.V (value)")
            expect(
                self.mask.handle.shape == self.out.shape,
                f"expected a mask of the output's shape {self.out.shape}, "
                f"got {self.mask.handle.shape}",
            )
            operands.append(self.mask.handle)
        if self.accum is not None and self.accum.positional:
            raise DomainMismatch(f"expected an accumulator that works on values, got {self.accum}")
        if self.accum is not None:
            self.accum.operand(self.out.dtype)  # it works in the output's type
        same_backend(*operands)


def run(update: Update) -> None:
    """Carry an update out on the backend its output lives on."""
    node, out = update.expression, update.out
    if isinstance(node, Composite):
        made = node.computed()
        if not node.shape:
            out.put(made._store, update.accum)
            return
        made = made if isinstance(made, Expression) else Apply(made, UNARY["identity"])
        run(replace(update, expression=made))
    else:
        out.backend.run(update)
