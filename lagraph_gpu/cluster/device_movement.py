"""Vectors and matrices that move between the devices of processes, and the bytes that they send."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.notation.expressions import Shape

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import Dealt, RootExchange, VectorExchange
    from lagraph_gpu.cluster.distribution import Distribution


class DeviceMovement:
    """What the local backend moves between devices, if it has any: `vector_exchange` and
    `root_exchange`."""

    def __init__(self, distribution: Distribution) -> None:
        self.distribution, self.comm = distribution, distribution.comm
        self.vector_exchange: VectorExchange | None = distribution.vector_exchange
        has = getattr(distribution.local, "root_exchange", None)
        self.root_exchange: RootExchange | None = None if has is None else has(self.vector_exchange)

    def moves(self, shape: Shape) -> bool:
        """Whether containers of this shape move between devices from the root and to it."""
        return self.root_exchange is not None and self.root_exchange.moves(shape)

    def dealt(self, whole: Any) -> Dealt:
        """A vector or matrix on the device of the root, in the parts of all processes."""
        assert self.root_exchange is not None
        return self.root_exchange.dealt(whole._store)

    def scattered(
        self, told: Sequence[tuple[Shape, np.dtype, Sequence[int]]], dealt: Sequence[Dealt]
    ) -> list[Any]:
        """The parts of this process of what the root has dealt (see `RootExchange.scatter`)."""
        if not told:
            return []
        assert self.root_exchange is not None
        with self.exchanging(1):
            stores = self.root_exchange.scatter(told, dealt, ROOT, self.comm.agree)
        return [
            self.distribution.handle(store, self.distribution.part_shape(shape), dtype)
            for store, (shape, dtype, _) in zip(stores, told, strict=True)
        ]

    def gathered(self, store: Distributed, root: int) -> Any | None:
        """A store of the whole on the device of process `root`; None on others."""
        assert self.root_exchange is not None
        with self.exchanging(2):
            whole = self.root_exchange.gather(
                store.part._store, store.shape, root, lambda mine: self.distribution.counts(*mine),
                self.comm.agree,
            )  # fmt: skip
        if whole is None or not store.symmetric:
            return whole
        return self.distribution.local.declare_symmetric(whole)

    @contextmanager
    def exchanging(self, agreements: int) -> Iterator[None]:
        """A block in which vectors are exchanged. Their bytes are counted.

        It makes room first. Bytes move after this number of agreements of all processes. An error
        after that cannot be reported to the others, which wait for the bytes: it ends all
        processes.
        """
        last, before = self.comm.agreements + agreements, self.sent
        try:
            yield
        except Exception:
            if self.comm.agreements >= last:
                self.comm.transport.end()
            raise
        self.comm.traffic.bytes += self.sent - before

    @property
    def sent(self) -> int:
        """The bytes that this process has sent to others between devices."""
        return 0 if self.vector_exchange is None else self.vector_exchange.sent

    @contextmanager
    def on_all(self) -> Iterator[None]:
        """A block with a call of the operations of the local backend, which know when others wait
        for bytes. Its bytes are counted."""
        before, operations = self.sent, self.distribution.local_operations
        try:
            yield
        except Exception:
            if operations is not None and operations.exposed:
                self.comm.transport.end()
            raise
        self.comm.traffic.bytes += self.sent - before
