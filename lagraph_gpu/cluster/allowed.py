"""Where the mask of a statement lets results be written, for those who send results to the owners.

Each process knows the mask at its own positions alone. What it has found for the positions of
others goes to these, who drop what the mask rules out. Where much would be dropped, the mask goes
to all before: as a list of places, as one of the missing places or as a bitmap, whichever is
shortest.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cluster.distribution import SORTED_BELOW, Distribution
from lagraph_gpu.cluster.packing import NO_VALUE, bytes_of_places, of_vector, present_of, vector_of
from lagraph_gpu.notation.mask import Mask

COST = 2 << 12
"""Two exchanges more take a process as long as so many bytes over a network of 1 Gb/s: one gathers
the mask, and one sends what it leaves."""


class Allowed:
    """The positions where a mask is true, of which each process has its own."""

    def __init__(self, distribution: Distribution, mask: Mask, size: int) -> None:
        self.distribution, self.size, self.complement = distribution, size, mask.complement
        self.named = mask.handle if mask.structure else Mask(mask.handle, False).new()

    def gain(self, sent: int) -> int:
        """How many bytes less this process is likely to send with the mask, if it would send so
        many without: if positions of others are ruled out as often as its own."""
        own, named = self.named.shape[0], self.named.nvals
        ruled_out = named if self.complement else own - named
        mask = (self.distribution.size - 1) * bytes_of_places(named, own)
        return sent * ruled_out // max(own, 1) - mask - COST

    def at(self, position: np.ndarray) -> np.ndarray:
        """Whether the mask is true at each of these positions."""
        places, size = self.distribution.listed(self.named)[0], self.distribution.size
        packed = of_vector(places, np.empty(places.size, NO_VALUE), *self.named.shape)
        gathered = enumerate(self.distribution.comm.all_gather(packed))
        own = [len(range(rank, self.size, size)) for rank in range(size)]
        if SORTED_BELOW * max(size * places.size, position.size) < self.size:
            lists = [size * vector_of(one, own[rank], NO_VALUE)[0] + rank for rank, one in gathered]
            return np.isin(position, np.concatenate(lists)) != self.complement
        named = np.empty(self.size, bool)
        for rank, one in gathered:
            named[rank::size] = present_of(one, own[rank])[0]
        return named[position] != self.complement


def allowed_by(distribution: Distribution, mask: Mask | None, size: int) -> Allowed | None:
    """The positions that the mask of a statement names in a vector of this size. None without a
    mask, and where nothing is sent over a network or all of it by devices."""
    transport = distribution.comm.transport
    on_one_host = transport.local_size == transport.size
    if mask is None or on_one_host or distribution.vector_exchange is not None:
        return None
    return Allowed(distribution, mask, size)
