"""Operations over rows that are distributed over processes, each with a device: the port, whose
functions are in other modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
from lagraph_gpu.gpu.closure.distributed_parents import DistributedParents
from lagraph_gpu.gpu.fused.distributed_components import DistributedComponents
from lagraph_gpu.gpu.matrix.of_root import DealtMatrix, MatricesOfRoot
from lagraph_gpu.gpu.storage import DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.vector_storage import expect_numbered
from lagraph_gpu.gpu.vector.of_root import DealtVector, VectorsOfRoot

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, SharedMemoryLoops
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers
    from lagraph_gpu.gpu.vector.distributed import VectorExchange
    from lagraph_gpu.notation.expressions import Shape
    from semirings import Semiring


class DistributedOperations:
    """Implements ``lagraph_gpu.backend_distributed.DistributedOperations``."""

    in_shared_memory: SharedMemoryLoops | None = None

    def __init__(self, backend: GpuBackend, peers: Peers, processes: HostProcesses) -> None:
        self.levels = DistributedLevels(backend, peers, processes)
        self.components = DistributedComponents(backend, peers)
        self.parents = DistributedParents(backend)
        self.closure, self.part = self.levels.closure, (peers.rank, peers.size)

    @property
    def exposed(self) -> bool:
        return self.levels.exposed or self.components.exposed

    def component_labels(
        self, rows: DeviceMatrix, own: int, size: int, agree: Callable[[], None]
    ) -> DeviceVector | None:
        if rows.stays_packed or not size:
            return None
        expect_numbered(size)
        return self.components.labels(rows, own, size, agree)

    def pagerank_rounds(self, *operands: Any) -> None:
        """Statements are used: a product gathers its vector between devices."""

    def tight_tails(
        self, into: DeviceMatrix, x: DeviceVector, order: Semiring
    ) -> DeviceVector | None:
        return self.parents.tails(into, x, order, self.part)


class RootExchange:
    """Implements ``lagraph_gpu.backend_distributed.RootExchange``."""

    def __init__(self, backend: GpuBackend, exchange: VectorExchange) -> None:
        self.backend = backend
        self.vectors = VectorsOfRoot(backend, exchange)
        self.matrices = MatricesOfRoot(backend, exchange.peers)

    def moves(self, shape: Shape) -> bool:
        return max(shape) < self.backend.hypersparse.limit

    def dealt(self, whole: DeviceVector | DeviceMatrix) -> DealtVector | DealtMatrix:
        if isinstance(whole, DeviceVector):
            return self.vectors.dealt(whole)
        return self.matrices.dealt(whole)

    def scatter(
        self, told: Sequence[tuple[Shape, np.dtype, Sequence[int]]], dealt: Sequence[Any],
        root: int, agree: Callable[[], None],
    ) -> list[DeviceVector | DeviceMatrix]:  # fmt: skip
        given = dealt or [None] * len(told)
        coming: list[Any] = []
        for (shape, dtype, note), one in zip(told, given, strict=True):
            if len(shape) == 1:
                coming.append(self.vectors.scattered(shape[0], dtype, note, root, one))
            else:
                of_shape = shape[0], shape[1]
                coming.append(self.matrices.scattered(of_shape, dtype, note, root, one))
        for part in coming:
            next(part)
        agree()
        return [next(part) for part in coming]

    def gather(
        self, part: DeviceVector | DeviceMatrix, shape: Shape, root: int,
        tell: Callable[[Sequence[int]], np.ndarray], agree: Callable[[], None],
    ) -> DeviceVector | DeviceMatrix | None:  # fmt: skip
        if isinstance(part, DeviceVector):
            return self.vectors.gathered(part, shape[0], root, tell, agree)
        return self.matrices.gathered(part, (shape[0], shape[1]), root, tell, agree)
