"""Updates that wait until somebody looks.

What an element-wise update without a mask leaves is a formula over stored vectors. The output's
store keeps the formula, and a further such update takes it in: a chain of statements becomes one
kernel when something else looks at the store (its bitmap or its values), and none if nobody ever
does. A reduction folds the formula, and the vector is not written at all.

A store that a formula reads is never written again: who would write to it writes to a copy. What
may fail for want of sense, types or C++, fails when the statement is made; for want of memory a
look may fail, and then the formula still waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.checks import number
from lagraph_gpu.expr import Apply, Ewise, Expression, Fill, computed
from lagraph_gpu.gpu import forms
from lagraph_gpu.gpu.storage import WORD, DeviceVector, words
from lagraph_gpu.update import Update
from semirings.algebra import UnaryOp

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

KINDS = {Apply, Ewise, Fill}
MOST_OPERATIONS, MOST_OPERANDS = 8, 6
"""An operand with so many operations, or with so many vectors and numbers, is not taken in but
computed first. So a loop's formula does not grow without end."""


class Formula:
    """A form, the vectors it reads, the numbers in it, and how many entries there are, if known."""

    __slots__ = ("count", "form", "leaves", "looked", "numbers")

    def __init__(
        self, form: forms.Form, leaves: tuple[DeviceVector, ...], numbers: tuple[Any, ...],
        count: int | None,
    ) -> None:  # fmt: skip
        self.form, self.leaves, self.numbers, self.count = form, leaves, numbers, count
        self.looked = False

    def given(self) -> tuple[Any, ...]:
        """As kernels take it."""
        arrays = [part for leaf in self.leaves for part in (leaf.present, leaf.values)]
        return (*arrays, *self.numbers)


class Waiting:
    """Makes formulas of updates, and vectors of formulas."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend = backend

    # --- before ------------------------------------------------------------------------------
    def put(self, update: Update, made: DeviceVector | None = None) -> bool:
        """Let out accum= its expression, or what was made of it, wait; False where it cannot."""
        out, accum = update.out, update.accum
        if update.mask is not None or update.region is not None:
            return False
        if made is None and type(update.expression) not in KINDS:
            return False
        store: DeviceVector = out._store
        n = store.size
        if n == 0 or store.shared:
            return False
        found = self._formula(update.expression, n) if made is None else self._of(made)
        if accum is not None:
            old = self._of(store)
            form = forms.accumulated(accum, old.form, found.form)
            found = self._joined(form, old, found, n if n in (old.count, found.count) else None)
        elif found.form.dtype != out.dtype:
            form = forms.cast(found.form, out.dtype)
            found = Formula(form, found.leaves, found.numbers, found.count)
        _ = found.form.text  # what has no C++ is refused now
        waiting = DeviceVector(n, out.dtype, count=found.count)
        waiting.formula, waiting.owner = found, self
        waiting.multiplied_by = store.multiplied_by  # as if it had been written in place
        if not store.captured and store.dtype == out.dtype:
            waiting.room = store.room if store.formula is not None else store.memory
        out._store = waiting
        return True

    def _formula(self, node: Expression, n: int) -> Formula:
        """An element-wise expression over n positions."""
        if isinstance(node, Ewise):
            left, right = self._operand(node.left), self._operand(node.right)
            form = forms.joined(node.how, node.op, left.form, right.form)
            numbers: tuple[Any, ...] = ()
            if node.how == "union":
                meet = node.op.meet(left.form.dtype, right.form.dtype)
                given = node.left_default, node.right_default
                numbers = tuple(number(x, meet) for x in given)
            known = left.count, right.count
            full = known == (n, n) if node.how == "mult" else n in known
            return self._joined(form, left, right, n if full else None, numbers)
        if isinstance(node, Apply):
            operand, numbers = self._operand(node.operand), ()
            scalar = None if isinstance(node.op, UnaryOp) else node.bound_type
            if scalar is not None:
                numbers = (number(node.bound, scalar),)
            form = forms.applied(node.op, operand.form, node.input, node.bound_left, scalar)
            numbers = operand.numbers + numbers
            return Formula(form, operand.leaves, numbers, operand.count)
        assert isinstance(node, Fill)
        value = np.asarray(node.value).astype(node.dtype)[()]
        return Formula(forms.filled(node.dtype), (), (value,), n)

    def _joined(
        self, form: forms.Form, left: Formula, right: Formula, count: int | None,
        numbers: tuple[Any, ...] = (),
    ) -> Formula:  # fmt: skip
        numbers = left.numbers + right.numbers + numbers
        return Formula(form, left.leaves + right.leaves, numbers, count)

    def _operand(self, operand: Any) -> Formula:
        return self._of(computed(operand)._store)

    def _of(self, store: DeviceVector) -> Formula:
        """What a store is: the formula that waits, if it is short, or the store itself."""
        waits = store.formula
        if waits is not None:
            operands = len(waits.leaves) + len(waits.numbers)
            if waits.form.size < MOST_OPERATIONS and operands < MOST_OPERANDS:
                return waits
            self.settle(store)
        store.captured = True
        return Formula(forms.vector(store.dtype), (store,), (), store.count)

    # --- when somebody looks -----------------------------------------------------------------
    def settle(self, vector: DeviceVector) -> None:
        """Compute what waits."""
        formula, device, n = vector.formula, self.backend.device, vector.size
        assert formula is not None
        struct, kinds = formula.form.text
        given = formula.given()
        bits, values = vector.room or (device.empty(words(n), WORD), device.empty(n, vector.dtype))
        self.backend.launch("formula.cuh", struct, f"settle<Formula{kinds}>", n, np.int32(n), bits,
                            values, *given)  # fmt: skip
        vector.bits, vector.values = bits, values
        vector.formula = vector.room = None

    def source(self, vector: DeviceVector) -> tuple[str, str, tuple[Any, ...]] | None:
        """What waits, as the kernels of reduce.cuh take it: a struct, a name, and what it is given.
        None if nothing waits, or somebody has asked before: then it is better stored."""
        formula = vector.formula
        if formula is None or formula.looked:
            return None
        formula.looked = True
        struct, kinds = formula.form.text
        return struct, f"Formula{kinds}", formula.given()
