"""⊕ over all entries of a vector or a matrix, to one number: one kernel, and one wait when the
number is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.notation.expressions import Apply, Reduce, Transposed, computed
from lagraph_gpu.notation.scalar import Awaited
from semirings import Monoid, types

FORMULA = "vector/formula.cuh"

ENTRIES_PER_THREAD = 8
"""The number of entries for each thread; more if there would be too many blocks."""


class Reductions(BackendPart):
    """Carries out reductions. Their blocks combine results in memory that is allocated once."""

    def scalar(self, node: Reduce) -> Awaited:
        """⊕ over all entries, or None if there are none, as a number that is downloaded when it is
        read."""
        operand = node.operand.matrix if isinstance(node.operand, Transposed) else node.operand
        operand = computed(operand)
        store = operand._store
        if store.dtype != node.dtype:
            store = Apply(operand, lower.IDENTITY).new(node.dtype)._store
        answer = self.folded(store, node.monoid)
        known = store.nnz if isinstance(store, DeviceMatrix) else store.count
        return self.awaited(answer, bool(known))

    def folded(self, store: DeviceVector | DeviceMatrix, monoid: Monoid) -> DeviceArray:
        """⊕ over the entries of a store, and whether there are any, in a device array of two
        numbers of the store's type."""
        struct, source, given = self.source(store)
        count = store.nnz if isinstance(store, DeviceMatrix) else store.size
        answer = self.device.empty(2, store.dtype)
        algebra = lower.together(struct, lower.monoid_struct(monoid, store.dtype))
        self.backend.launch(FORMULA, algebra, f"reduce<Monoid, {source}>", count,
                            np.int64(count), *self.scratch(store.dtype), answer, *given,
                            blocks=self.blocks(count))  # fmt: skip
        return answer

    def blocks(self, count: int) -> int:
        """The number of blocks for so many entries."""
        device = self.device
        return min(max(1, -(-count // (ENTRIES_PER_THREAD * device.block_size))), device.max_blocks)

    def awaited(self, answer: DeviceArray, certain: bool) -> Awaited:
        """The first number of a device array of two, or None if the second is 0. Waits when it is
        read."""
        device = self.device

        def found(get: Callable[[], np.ndarray]) -> Any:
            value, has = get()  # synchronize!
            return value if has else None

        def sent() -> Callable[[], Any]:
            return partial(found, device.fetch(answer))

        look = partial(found, partial(device.download, answer))
        return Awaited(look, answer.dtype, certain, answer, sent)

    def scratch(self, dtype: np.dtype) -> tuple[Any, ...]:
        """Memory in which the blocks leave their results for the last of them."""
        kept = self._own.on[self.device.stream]
        if dtype not in kept:
            device = self.device
            capacity, empty = device.max_blocks, device.empty
            kept[dtype] = (empty(capacity, dtype), empty(capacity, np.uint8), device.zeros(1, WORD))
        return kept[dtype]  # type: ignore[no-any-return]

    def source(self, store: Any) -> tuple[str, str, tuple[Any, ...]]:
        """A store as reduce.cuh takes it: a struct, the name of the Source, and its arguments."""
        if isinstance(store, DeviceVector):
            if (waits := self.backend.lazy.source(store)) is not None:
                return waits
            bits, stride = store.present, np.int32(1)
        else:
            bits, stride = None, store.stride
        name = f"StoredValues, const Word*, const {types.c_name(store.dtype)}*, int"
        return "", name, (bits, store.values, stride)
