"""What a closure by order of value needs to know of a matrix' weights, kept with the matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import holds_for_all, monotone
from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.matrix.weight_order import sampled, small_weight
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.planning import closure_order
from semirings import MONOIDS, Semiring, types


class WeightFacts(NamedTuple):
    """What a closure by order of value needs to know of a matrix' weights."""

    lawful: bool
    """Whether all weights meet the condition of the semiring."""
    mean: float
    small: float
    """A magnitude that only a small share of the weights do not exceed (see ``small_share``)."""
    heaviest: Any
    """The worst weight for ⊕, in the weights' type; 0 if sums cannot wrap."""


class ClosureWeights(BackendPart):
    """Computes the facts about weights once for a matrix."""

    def facts(self, A: DeviceMatrix, semiring: Semiring, dtype: np.dtype) -> WeightFacts:
        """The facts about the entries of A, for a semiring that has a condition and whose vectors
        have this type. Waits the first time."""
        key, falling, whole = _key(semiring, dtype), lower.falls(semiring.monoid), dtype.kind != "f"
        kept = A.closures.weights
        if key not in kept:
            assert semiring.ordered is not None
            handle = self.backend.as_matrix(A)
            total = handle.reduce(MONOIDS["plus"][types.FP64]).new().get(0.0)  # synchronize!
            lawful = holds_for_all(handle, semiring.ordered)  # synchronize!
            share = closure_order.small_share(A.shape[0], A.nnz)
            small = small_weight(self.backend, A, share)  # synchronize!
            worst = A.dtype.type(not falling)
            if whole and A.dtype.kind != "b":
                worst = handle.reduce("min" if falling else "max").new().get(worst)  # synchronize!
            mean, least = abs(total) / max(1, A.nnz), A.dtype.type(worst)
            kept[key] = WeightFacts(lawful, mean, small, least)
        result: WeightFacts = kept[key]
        return result

    def known(self, A: DeviceMatrix, semiring: Semiring, dtype: np.dtype) -> WeightFacts | None:
        """The facts of A's weights that `note` or a computation has kept, or None."""
        result: WeightFacts | None = A.closures.weights.get(_key(semiring, dtype))
        return result

    def note(self, A: DeviceMatrix, semiring: Semiring, least: Any, most: Any, mean: float) -> None:
        """Keep the facts of weights beside packed rows, of which the least, the largest and
        the mean are known. ⊕ is a minimum, and weights from 0 on meet the semiring's condition.
        Waits."""
        assert A.packed is not None and A.packed.weights is not None
        share = closure_order.small_share(A.shape[0], A.nnz)
        small = float(sampled(self.backend, A.packed.weights.values, A.nnz, share))  # synchronize!
        heaviest = A.dtype.type(most if A.dtype.kind in "iu" else 1)
        facts = WeightFacts(bool(least >= 0), mean, small, heaviest)
        A.closures.weights[_key(semiring, A.dtype)] = facts

    def hub_first(
        self, A: DeviceMatrix, semiring: Semiring, dtype: np.dtype, wide: float
    ) -> WeightFacts | None:
        """The facts, if hubs are to be settled first and the rest is to pull; otherwise None."""
        if not monotone(semiring) or not closure_order.fans_out(A.shape[0], A.nnz, wide):
            return None
        if not np.can_cast(A.dtype, semiring.operand(semiring.meet(dtype, A.dtype)), "safe"):
            return None  # converted weights may be in another order than the weights
        weights = self.known(A, semiring, dtype)
        return weights if weights is not None and np.isfinite(weights.mean) else None


def _key(semiring: Semiring, dtype: np.dtype) -> str:
    """The facts about weights are kept under this key, for a semiring whose vectors have this
    type."""
    sums = "exact" if dtype.kind != "f" else "rounded"
    return f"{semiring.ordered}, {semiring.monoid.name}, {sums}"
