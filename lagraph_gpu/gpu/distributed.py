"""Operations over rows that are distributed over processes, each with a device: the port, whose
functions are in other modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
from lagraph_gpu.gpu.closure.distributed_parents import DistributedParents
from lagraph_gpu.gpu.fused.distributed_components import DistributedComponents
from lagraph_gpu.gpu.storage import DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.vector_storage import expect_numbered

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, SharedMemoryLoops
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers
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
