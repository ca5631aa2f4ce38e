"""Updates of vectors by element-wise expressions: one kernel for any mask, region and
accumulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import EVERYWHERE, WORD, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import at_least_one, indices_of
from lagraph_gpu.gpu.vector.write_rules import IGNORED, before, count_after
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.expressions import Apply, Ewise, Expression, Extract, Fill, Select
from lagraph_gpu.notation.update import Update
from semirings import types

ELEMENTWISE = "vector/elementwise.cuh"

HERE = "move the operands with .to('cpu') to use it there"


class VectorUpdates(BackendPart):
    """Carries out updates of vectors whose expression is neither a product nor a reduction."""

    def put_store(self, update: Update, made: DeviceVector) -> None:
        """out⟨mask, replace⟩(region) accum= a computed vector."""
        algebra = lower.copy_struct(made.dtype)
        if update.region is None:
            self._elementwise(update, "Apply", algebra, made.dtype, made.dtype, left=made)
        else:
            index = self.backend.inverse(update.region[0], update.out.size)
            self._elementwise(update, "Pick", algebra, made.dtype, made.dtype, left=made,
                              index=index)  # fmt: skip

    def picked(self, u: DeviceVector, index: DeviceArray, size: int) -> DeviceVector:
        """The vector of ``size`` positions whose entry i is u's at index[i]; there is none if that
        is negative."""
        out = DeviceVector.allocated(self.device, size, u.dtype)
        algebra, none = lower.copy_struct(u.dtype), number(None, u.dtype)
        accum = lower.accum_struct(None, u.dtype, u.dtype)
        self.backend.launch(
            ELEMENTWISE, lower.together(algebra, accum), "elementwise<Pick<Op>, Op, Accum>", size,
            np.int32(size), out.bits, out.values, IGNORED, *EVERYWHERE, None, u.present, u.values,
            None, None, index, none, none,
        )  # fmt: skip
        return out

    def put(self, update: Update, node: Expression) -> None:
        """out⟨mask, replace⟩(region) accum= an element-wise expression."""
        if update.region is not None and not isinstance(node, Fill):
            self.put_store(update, self.backend.vector(node))
            return
        match node:
            case Fill() if _is_single(update):
                self._assign_one(update, node)
            case Fill():
                algebra = lower.copy_struct(node.dtype)
                self._elementwise(update, "Fill", algebra, node.dtype, node.dtype, first=node.known)
            case Ewise():
                left, right = self.backend.vector(node.left), self.backend.vector(node.right)
                algebra = lower.ewise_struct(node.op, left.dtype, right.dtype)
                source = {"add": "EwiseAdd", "mult": "EwiseMult", "union": "EwiseUnion"}[node.how]
                scalar = node.op.meet(left.dtype, right.dtype)
                self._elementwise(update, source, algebra, node.dtype, scalar, left=left,
                                  right=right, first=node.left_default,
                                  second=node.right_default)  # fmt: skip
            case Apply():
                left = self.backend.vector(node.operand)
                scalar = node.bound_type
                algebra = lower.apply_struct(
                    node.op, left.dtype, node.input, node.bound_left, scalar
                )
                self._elementwise(update, "Apply", algebra, node.dtype, scalar, left=left,
                                  first=node.bound)  # fmt: skip
            case Select():
                left = self.backend.vector(node.operand)
                thunk = node.thunk_type
                algebra = lower.select_struct(node.op, left.dtype, thunk)
                self._elementwise(update, "Select", algebra, left.dtype, thunk, left=left,
                                  first=node.thunk)  # fmt: skip
            case Extract():
                left = self.backend.vector(node.operand)
                if left is update.out._store:
                    left = self.backend.copy(left)
                algebra = lower.copy_struct(left.dtype)
                index = self.device.upload(at_least_one(indices_of(node.axes[0], left.size)))
                self._elementwise(update, "Pick", algebra, left.dtype, left.dtype, left=left,
                                  index=index)  # fmt: skip
            case _:
                raise UnsupportedOperation(
                    f"the GPU backend has no {type(node).__name__} into a vector; {HERE}"
                )

    def _assign_one(self, update: Update, node: Fill) -> None:
        """v[i] = x, by one thread."""
        if update.out._store.captured:
            update.out._store = self.backend.copy(update.out._store)
        out: DeviceVector = update.out._store
        assert update.region is not None
        (at,) = np.asarray(update.region[0])
        bits = out.bits
        self.backend.place(np.int32(at), types.cast(node.known, out.dtype), bits, out.values)
        out.changed(out.size if out.full else None)

    def _elementwise(
        self,
        update: Update,
        source: str,
        algebra: str,
        result: np.dtype,
        scalar: np.dtype,
        *,
        left: DeviceVector | None = None,
        right: DeviceVector | None = None,
        index: DeviceArray | None = None,
        first: Any = None,
        second: Any = None,
    ) -> None:
        out, region = update.out._store, update.region
        if out.captured:
            out = update.out._store = self.backend.copy(out)
        accum = lower.accum_struct(update.accum, out.dtype, result)
        operands = (
            *self.backend.mask(update.mask),
            None if region is None else self.backend.marked(region[0], out.size),
            *((None, None) if left is None else (left.present, left.values)),
            *((None, None) if right is None else (right.present, right.values)),
            index,
            number(first, scalar),
            number(second, scalar),
        )
        old = before(update)
        if out.unwritten and out.size:
            out.bits = self.device.empty(words(out.size), WORD)
        self.backend.launch(ELEMENTWISE, lower.together(algebra, accum),
                    f"elementwise<{source}<Op>, Op, Accum>", out.size, np.int32(out.size),
                    out.bits, out.values, old, *operands)  # fmt: skip
        out.changed(count_after(update, source, left, right))


def _is_single(update: Update) -> bool:
    """True if one value, of the output's type, is assigned to one position."""
    region, alike = update.region, update.expression.dtype == update.out.dtype
    single = region is not None and region[0] is not None and region[0].size == 1
    return single and alike and update.mask is None and update.accum is None
