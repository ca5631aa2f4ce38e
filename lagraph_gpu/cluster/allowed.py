"""Where the mask of a statement lets results be written, for those who send results to the owners.

Each process knows the mask at its own positions alone. What it has found for the positions of
others goes to these, who drop what the mask rules out. Where much would be dropped, the mask goes
to all before: as a list of places, as one of the missing places or as a bitmap, whichever is
shortest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend_distributed import HEAD_BYTES
from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.packing import NO_VALUE, bytes_of_places, of_vector, vector_of
from lagraph_gpu.notation.expressions import Apply
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update, run
from semirings import UNARY

MORE_EXCHANGES = 2
"""One that gathers the mask, and one that sends what it leaves."""


class Allowed:
    """The positions where a mask is true, of which each process has its own.

    All processes call each function together but `gain`.
    """

    def __init__(self, distribution: Distribution, mask: Mask, size: int) -> None:
        self.distribution, self.size, self.complement = distribution, size, mask.complement
        self.named = mask.handle if mask.structure else Mask(mask.handle, False).new()

    def gain(self, sent: int) -> int:
        """How many bytes less this process is likely to send with the mask, if it would send so
        many without: if positions of others are ruled out as often as its own."""
        own, named = self.named.shape[0], self.named.nvals
        ruled_out = named if self.complement else own - named
        others = self.distribution.size - 1
        mask = others * (bytes_of_places(named, own) + MORE_EXCHANGES * HEAD_BYTES)
        return sent * ruled_out // max(own, 1) - mask

    def at(self, position: np.ndarray) -> np.ndarray:
        """Whether the mask is true at each of these positions."""
        places = self.distribution.listed(self.named)[0]
        packed = of_vector(places, np.empty(places.size, NO_VALUE), *self.named.shape)
        true = np.full(self.size, self.complement)
        for rank, received in enumerate(self.distribution.comm.all_gather(packed)):
            part = true[rank :: self.distribution.size]
            part[vector_of(received, part.size, NO_VALUE)[0]] = not self.complement
        return true[position]

    def of(self, found: Any) -> Any:
        """What of this lies where the mask is true, without the host."""
        whole = self.distribution.whole_vector(Distributed(self.named, (self.size,)), reads=False)
        kept = self.distribution.empty(found.shape, found.dtype)
        run(Update(kept, Apply(found, UNARY["identity"]), Mask(whole, True, self.complement)))
        return kept


def allowed_by(distribution: Distribution, mask: Mask | None, size: int) -> Allowed | None:
    """The positions that the mask of a statement names in a vector of this size, if it has one."""
    return None if mask is None else Allowed(distribution, mask, size)
