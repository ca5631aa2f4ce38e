"""Deferred updates: they are computed when their result is read.

An element-wise update without a mask becomes a formula over stored vectors. The output's store
keeps the formula, and a further such update includes it: a chain of statements becomes one kernel
when the store's bitmap or values are read, and none if they never are. A reduction folds the
formula directly, and the vector is not written at all.

A store that a formula reads is never overwritten: a later update writes to a copy. Errors of types,
of C++ or of missing meaning are raised when the statement is made. Only a lack of memory is found
when the result is read, and then the formula stays deferred.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import WORD, DeviceVector, words
from lagraph_gpu.gpu.vector import fused_codegen
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Scalar, Vector
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.composites import OfScalars
from lagraph_gpu.notation.expressions import Apply, Ewise, Expression, Fill, computed
from lagraph_gpu.notation.update import Update
from semirings.algebra import BinaryOp, UnaryOp
from semirings.types import INT64

FORMULA = "vector/formula.cuh"

KINDS = {Apply, Ewise, Fill}
MOST_OPERATIONS, MOST_VECTORS = 12, 6
"""An operand with so many operations, or with so many vectors, is computed first instead of being
included. So the formula of a loop does not grow without end."""


class Formula:
    """A form with what it reads (vectors, results of reductions, numbers) and the number of
    entries, if it is known."""

    __slots__ = ("answers", "count", "form", "leaves", "looked", "numbers")

    def __init__(
        self, form: fused_codegen.Form, leaves: tuple[DeviceVector, ...], numbers: tuple[Any, ...],
        count: int | None, answers: tuple[DeviceArray, ...] = (),
    ) -> None:  # fmt: skip
        self.form, self.leaves, self.numbers, self.count = form, leaves, numbers, count
        self.answers, self.looked = answers, False

    def within(self, form: fused_codegen.Form) -> Formula:
        """Another form over the same operands."""
        return Formula(form, self.leaves, self.numbers, self.count, self.answers)

    def given(self) -> tuple[Any, ...]:
        """The arguments as kernels take them."""
        arrays = [part for leaf in self.leaves for part in (leaf.present, leaf.values)]
        return (*arrays, *self.answers, *self.numbers)


class Lazy(BackendPart):
    """Makes formulas of updates, and vectors of formulas."""

    # --- before ------------------------------------------------------------------------------
    def put(self, update: Update, made: DeviceVector | None = None) -> bool:
        """Defer out accum= its expression, or ``made`` if that has been computed. Returns False if
        the update cannot be deferred."""
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
            form = fused_codegen.accumulated(accum, old.form, found.form)
            found = self._joined(form, old, found, n if n in (old.count, found.count) else None)
        elif found.form.dtype != out.dtype:
            found = found.within(fused_codegen.cast(found.form, out.dtype))
        _ = found.form.text  # an operator without C++ is refused now
        waiting = DeviceVector(n, out.dtype, count=found.count)
        waiting.formula, waiting.owner = found, self
        waiting.multiplied_by = store.multiplied_by  # as if it had been written in place
        if not store.captured and store.dtype == out.dtype:
            waiting.room = store.room if store.formula is not None else store.memory
        vars(out)["_store"] = waiting  # no call of __setattr__
        return True

    def permuted_ids(self, G: Graph, begin: int, steps: tuple[tuple[int, int], ...]) -> Vector:
        """Lowers ``algorithms._shared.labels.permuted_ids``."""
        n = G.n
        made = DeviceVector(n, INT64, count=n, device=self.device)
        if n > 0:
            numbers = tuple(map(np.uint32, (begin, *chain.from_iterable(steps))))
            made.formula, made.owner = Formula(fused_codegen.shuffle(), (), numbers, n), self
        if self.backend.blocking and n > 0:
            self.settle(made)
        return self.backend.as_vector(made)

    def _formula(self, node: Expression, n: int) -> Formula:
        """The formula of an element-wise expression over n positions."""
        if isinstance(node, Ewise):
            # both are computed first: what a product on one side reads is stored for the other, too
            left, right = map(self._of, [computed(x)._store for x in (node.left, node.right)])
            defaults = node.left_default, node.right_default
            return self._ewise(node.how, node.op, left, right, defaults, n)
        if isinstance(node, Apply):
            operand = self._operand(node.operand)
            scalar = None if isinstance(node.op, UnaryOp) else node.bound_type
            numbers = operand.numbers
            if scalar is not None:
                numbers = (*numbers, number(node.bound, scalar))
            form = fused_codegen.applied(node.op, operand.form, node.input, node.bound_left, scalar)
            return Formula(form, operand.leaves, numbers, operand.count, operand.answers)
        assert isinstance(node, Fill)
        if isinstance(node.value, Scalar):
            return self._everywhere(node.value, n)
        return Formula(fused_codegen.filled(node.dtype), (), (node.known,), n)

    def _everywhere(self, scalar: Scalar, n: int) -> Formula:
        """A scalar at each of n positions. Its value may not be known to the host yet."""
        found = self._scalar(scalar, n)
        return found.within(fused_codegen.once(fused_codegen.cast(found.form, scalar.dtype)))

    def _scalar(self, scalar: Scalar, n: int) -> Formula:
        if scalar.awaited is None:
            return Formula(fused_codegen.filled(scalar.dtype), (), (scalar._store,), n)
        source = scalar.awaited.source
        if not isinstance(source, OfScalars):
            count = n if scalar.certain else None
            return Formula(fused_codegen.answer(scalar.awaited.dtype), (), (), count, (source,))
        op, (left, *others) = source.op, [self._everywhere(x, n) for x in source.operands]
        if not others:
            return left.within(fused_codegen.applied(op, left.form, left.form.dtype, False, None))
        return self._ewise(source.how, op, left, others[0], source.defaults, n)

    def _ewise(
        self, how: str, op: BinaryOp, left: Formula, right: Formula, defaults: tuple[Any, ...],
        n: int,
    ) -> Formula:  # fmt: skip
        numbers: tuple[Any, ...] = ()
        if how == "union":
            meet = op.meet(left.form.dtype, right.form.dtype)
            numbers = tuple(number(x, meet) for x in defaults)
        known = left.count, right.count
        full = known == (n, n) if how == "mult" else n in known
        form = fused_codegen.joined(how, op, left.form, right.form)
        return self._joined(form, left, right, n if full else None, numbers)

    def _joined(
        self, form: fused_codegen.Form, left: Formula, right: Formula, count: int | None,
        numbers: tuple[Any, ...] = (),
    ) -> Formula:  # fmt: skip
        numbers, answers = left.numbers + right.numbers + numbers, left.answers + right.answers
        return Formula(form, left.leaves + right.leaves, numbers, count, answers)

    def _operand(self, operand: Any) -> Formula:
        return self._of(computed(operand)._store)

    def _of(self, store: DeviceVector) -> Formula:
        """The formula of a store: its deferred formula, if that is short, or the stored vector,
        which is computed first if necessary."""
        waits = store.formula
        if waits is not None:
            if waits.form.size < MOST_OPERATIONS and len(waits.leaves) < MOST_VECTORS:
                return waits
            self.settle(store)
        store.captured = True
        return Formula(fused_codegen.vector(store.dtype), (store,), (), store.count)

    # --- when the result is read --------------------------------------------------------------
    def settle(self, vector: DeviceVector) -> None:
        """Compute the deferred formula of a vector."""
        formula, device, n = vector.formula, self.device, vector.size
        assert formula is not None
        struct, kinds = formula.form.text
        given = formula.given()
        bits, values = vector.room or (device.empty(words(n), WORD), device.empty(n, vector.dtype))
        self.backend.launch(FORMULA, struct, f"settle<Formula{kinds}>", n, np.int32(n), bits,
                            values, *given)  # fmt: skip
        vector.bits, vector.values = bits, values
        vector.formula = vector.room = None

    def source(self, vector: DeviceVector) -> tuple[str, str, tuple[Any, ...]] | None:
        """A deferred formula as the kernels of reduce.cuh take it: a struct, a name, and arguments.
        None if nothing is deferred, or if this formula has been folded before: then the vector is
        better stored."""
        formula = vector.formula
        if formula is None or formula.looked:
            return None
        formula.looked = True
        struct, kinds = formula.form.text
        return struct, f"Formula{kinds}", formula.given()
