"""The GPU backend: each update is a few kernels.

``run`` computes the expression of an update, either element by element within the writing kernel or
into fresh memory (a product). Then one element-wise kernel writes it to the output through mask,
accumulator and replace. A product that would only be copied becomes the output itself. Without a
mask, an element-wise update may be deferred until its result is read (see lazy.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows, Storage, unpickled
from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.errors import UnsupportedOperation, warn_caller
from lagraph_gpu.gpu.closure.binned_push import BinnedPush
from lagraph_gpu.gpu.closure.closures import ClosureLowering
from lagraph_gpu.gpu.closure.few_levels import FewLevels
from lagraph_gpu.gpu.closure.hub_first import HubFirst
from lagraph_gpu.gpu.closure.packed_search import PackedSearches
from lagraph_gpu.gpu.closure.parents import Parents
from lagraph_gpu.gpu.device import Device, DeviceArray
from lagraph_gpu.gpu.device.forks import refuse_after_fork
from lagraph_gpu.gpu.device.module import Program
from lagraph_gpu.gpu.device.port import Kernel
from lagraph_gpu.gpu.distributed import DistributedOperations, RootExchange
from lagraph_gpu.gpu.fused.brandes import Brandes
from lagraph_gpu.gpu.fused.coarse_levels import CoarseLevels
from lagraph_gpu.gpu.fused.greedy import Greedy
from lagraph_gpu.gpu.fused.label_argmax import LabelArgmax
from lagraph_gpu.gpu.fused.longest_paths import LongestPaths
from lagraph_gpu.gpu.fused.moving_phases import MovingPhases
from lagraph_gpu.gpu.fused.pagerank_rounds import PageRankRounds
from lagraph_gpu.gpu.fused.peeling import Peeling
from lagraph_gpu.gpu.fused.power_rounds import PowerRounds
from lagraph_gpu.gpu.fused.quotient import Quotients
from lagraph_gpu.gpu.fused.resident_rounds import ResidentRounds
from lagraph_gpu.gpu.fused.scc_coloring import SccColoring
from lagraph_gpu.gpu.fused.short_row_triangles import ShortRowTriangles
from lagraph_gpu.gpu.fused.truss import Trusses
from lagraph_gpu.gpu.fused.union_find import UnionFind
from lagraph_gpu.gpu.fused.whole_weights import WholeWeights
from lagraph_gpu.gpu.hypersparse.statements import HypersparseStatements
from lagraph_gpu.gpu.hypersparse.stores import MANY_ROWS, Hypersparse
from lagraph_gpu.gpu.lowerings import lowerings
from lagraph_gpu.gpu.matrix.assignments import Assignments
from lagraph_gpu.gpu.matrix.coordinates import Coordinates
from lagraph_gpu.gpu.matrix.host_rows import HostRows
from lagraph_gpu.gpu.matrix.matrices import MatrixOperations
from lagraph_gpu.gpu.matrix.segmented_sort import RowOrder
from lagraph_gpu.gpu.multi_source.contraction_sweeps import ContractionSweeps
from lagraph_gpu.gpu.multi_source.copied_searches import CopiedSearches
from lagraph_gpu.gpu.multi_source.source_sums import SourceSums
from lagraph_gpu.gpu.multi_source.tables import SourceTables
from lagraph_gpu.gpu.on_host.host_loops import HostLoops
from lagraph_gpu.gpu.on_host.narrow_graphs import NarrowGraphs
from lagraph_gpu.gpu.on_host.small_graphs import SmallGraphs
from lagraph_gpu.gpu.spmv.products import Products
from lagraph_gpu.gpu.storage import EVERYWHERE, INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.exchange import DeviceExchange
from lagraph_gpu.gpu.storage.host_spill import HostSpill
from lagraph_gpu.gpu.storage.layouts import Layouts
from lagraph_gpu.gpu.storage.matrix_storage import Pattern
from lagraph_gpu.gpu.storage.packed_exchange import PackedExchange
from lagraph_gpu.gpu.storage.packed_rows import Packing
from lagraph_gpu.gpu.storage.prefix_sum import PrefixSums
from lagraph_gpu.gpu.storage.vector_storage import Point, every_bit
from lagraph_gpu.gpu.vector.distributed import VectorExchange
from lagraph_gpu.gpu.vector.lazy import Lazy
from lagraph_gpu.gpu.vector.reductions import Reductions
from lagraph_gpu.gpu.vector.updates import VectorUpdates
from lagraph_gpu.gpu.vector.write_rules import becomes
from lagraph_gpu.notation import Matrix, Vector, expressions
from lagraph_gpu.notation.indexing import Progression
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import types

ELEMENTWISE = "vector/elementwise.cuh"
INDEXED = "matrix/indexed.cuh"
SCATTER = "vector/scatter.cuh"

FEW = 8
"""The offsets of a matrix with more than so many rows for each entry are found on the device."""

Bits = tuple[DeviceArray | None, np.uint32]


def expect_numbers(dtype: Any) -> None:
    """Refuse a record or an array type, for whose parts there are no kernels."""
    if dtype.kind == "V":
        found = types.lookup(dtype)
        what = f"a record with the fields {', '.join(dtype.names)}; keep each field in"
        if found.subdtype is not None:
            what = f"an array type of shape {found.shape}; keep each of its numbers in"
        raise UnsupportedOperation(
            f"expected numbers on a GPU, got {found.name}, {what} a container of its own, or the "
            "whole on the CPU: backend='cpu', .to('cpu')"
        )


def make() -> GpuBackend:
    """The backend on the current CUDA device; in one of several processes of a host, on the device
    of its number there (LAGRAPH_LOCAL_RANK).
    """
    from lagraph_gpu.gpu.device.cupy_device import CupyDevice

    rank = os.environ.get("LAGRAPH_LOCAL_RANK")
    return GpuBackend(CupyDevice(None if rank is None else int(rank)))


class GpuBackend:
    """Implements ``lagraph_gpu.backend.Backend`` on a Device."""

    name = "gpu"
    storage: Storage = "device"
    stores_pickle = False
    """A container is pickled by its entries."""
    large_graphs = False

    def __reduce__(self) -> tuple[Any, ...]:
        return unpickled, (self.name,)

    def __deepcopy__(self, memo: Any) -> GpuBackend:
        return self

    def __init__(self, device: Device, blocking: bool = False) -> None:
        """A backend on a device. If ``blocking``, each statement is carried out at once, and none
        is deferred."""
        self.device, self.blocking = device, blocking
        refuse_after_fork(self, device)
        self._warned = False
        self.kernels: dict[tuple[str, str, str], Kernel] = {}
        self._resident: dict[tuple[Kernel, int], int] = {}
        self.prefix_sums = PrefixSums(self)
        self.exchange, self.products = DeviceExchange(self), Products(self)
        self.matrices, self.row_order = MatrixOperations(self), RowOrder(self)
        self.layouts, self.packing, self.spill = Layouts(self), Packing(self), HostSpill(self)
        self.packed_exchange, self.hub_first = PackedExchange(self), HubFirst(self)
        self.closures, self.binned_push = ClosureLowering(self), BinnedPush(self)
        self.parents, self.packed_searches = Parents(self), PackedSearches(self)
        self.few_levels = FewLevels(self)
        self.lazy = Lazy(self)
        self.reductions = Reductions(self)
        self.updates = VectorUpdates(self)
        self.tables, self.contraction_sweeps = SourceTables(self), ContractionSweeps(self)
        self.copied_searches, self.source_sums = CopiedSearches(self), SourceSums(self)
        self.union_find, self.scc_coloring = UnionFind(self), SccColoring(self)
        self.brandes, self.greedy, self.peeling = Brandes(self), Greedy(self), Peeling(self)
        self.longest_paths, self.pagerank = LongestPaths(self), PageRankRounds(self)
        self.power, self.resident_rounds = PowerRounds(self), ResidentRounds(self)
        self.trusses, self.triangles = Trusses(self), ShortRowTriangles(self)
        self.label_argmax, self.quotients = LabelArgmax(self), Quotients(self)
        self.moving_phases, self.whole_weights = MovingPhases(self), WholeWeights(self)
        self.coarse_levels = CoarseLevels(self)
        self.host_loops, self.narrow_graphs = HostLoops(self), NarrowGraphs(self)
        self.small_graphs = SmallGraphs(self)
        self.coordinates, self.assignments = Coordinates(self), Assignments(self)
        self.hypersparse = HypersparseStatements(self)
        self.lowerings = lowerings(self)
        self.vector_entries, self.matrix_get = self.exchange.host_entries, self.assignments.element
        rows = HostRows(self)
        self.matrix_entries, self.matrix_coordinates = rows.entries, rows.coordinates
        self.concat, self.matrix_bytes = self.matrices.parts.concat, self.layouts.held
        ends = self.exchange.ends
        self.vector_ends, self.matrix_ends = ends.of_vector, ends.of_matrix
        self.matrix_cells = ends.cells

    def renamed(self, name: str) -> GpuBackend:
        """Another backend on the same device, under another name."""
        made = GpuBackend(self.device, self.blocking)
        made.name = name
        return made

    def vector_exchange(self, host: Any) -> VectorExchange:
        return VectorExchange(self, self.device.peers(host))

    def root_exchange(self, exchange: VectorExchange) -> RootExchange:
        return RootExchange(self, exchange)

    def distributed_operations(
        self, exchange: VectorExchange, processes: Any
    ) -> DistributedOperations:
        return DistributedOperations(self, exchange.peers, processes)

    def as_vector(self, store: DeviceVector) -> Vector:
        """The store as a Vector of this backend."""
        return Vector._stored(store, store.size, store.dtype, self)

    def as_matrix(self, store: DeviceMatrix) -> Matrix:
        """The store as a Matrix of this backend."""
        return Matrix._stored(store, store.shape, store.dtype, self)

    def full_vector(self, values: DeviceArray, below: int | None = None) -> Vector:
        """A full vector of these values, which are from 0 to ``below`` - 1 if that is given."""
        bits = self.device.full(words(values.size), 2**32 - 1, WORD)
        if values.size % 32:  # a bitmap has no bits beyond the end
            last = self.device.upload(every_bit(values.size)[-1:])
            self.device.overwrite(bits[-1:], last)
        store = DeviceVector(values.size, values.dtype, bits, values, full=True)
        store.below = below
        return self.as_vector(store)

    # --- in and out --------------------------------------------------------------------------
    def empty(self, shape: expressions.Shape, dtype: np.dtype, *, by_rank: bool = False) -> Any:
        """Implements ``Backend.empty``. ``by_rank``, here and below, says that the positions are
        ranks, so that the store is not hypersparse whatever its size."""
        expect_numbers(dtype)
        large = max(shape) >= self.hypersparse.limit or shape[0] >= MANY_ROWS
        if large and not by_rank and self.hypersparse.lists(shape, 0):
            return self.hypersparse.empty(shape, dtype)
        if len(shape) == 1:
            return DeviceVector(shape[0], dtype, count=0, device=self.device)
        nrows, ncols = shape

        def rows() -> DeviceMatrix:
            indptr = self.device.zeros(nrows + 1, INDEX)
            one = self.device.empty(1, INDEX), self.device.zeros(1, dtype)
            return DeviceMatrix((nrows, ncols), dtype, 0, indptr, *one)

        return DeviceMatrix.later((nrows, ncols), dtype, rows, nnz=0, pattern=Pattern(max_degree=0))

    def build_vector(
        self, size: int, indices: np.ndarray, values: np.ndarray, *, by_rank: bool = False
    ) -> Any:
        expect_numbers(values.dtype)
        if size >= self.hypersparse.limit and not by_rank:
            return self.hypersparse.entries_at((size,), (indices,), values, False)
        if 1 < indices.size == size:
            held = map(self.device.upload, (every_bit(size), values))
            return DeviceVector(size, values.dtype, *held, full=True)
        result = DeviceVector.empty(self.device, size, values.dtype)
        if indices.size == 1:
            result.point = Point(np.int32(indices[0]), values[0], self.place)
        elif indices.size:
            name = f"scatter<{types.c_name(values.dtype)}>"
            self.launch(SCATTER, "", name, indices.size, np.int32(indices.size),
                        self.device.upload(indices.astype(INDEX)), self.device.upload(values),
                        result.bits, result.values)  # fmt: skip
        result.count = indices.size
        return result

    def place(
        self, at: np.int32, value: np.generic, bits: DeviceArray, values: DeviceArray
    ) -> None:
        """Write one entry of a vector."""
        name = f"place<{types.c_name(value.dtype)}>"
        self.launch(SCATTER, "", name, 1, at, value, bits, values)

    def build_matrix(
        self,
        shape: expressions.Shape,
        rows: Rows,
        symmetric: bool = False,
        iso: bool = False,
        adopt: bool = False,
        *,
        by_rank: bool = False,
    ) -> Any:
        expect_numbers(rows[2].dtype)
        if max(shape) >= self.hypersparse.limit and not by_rank:
            row = np.repeat(np.arange(shape[0]), np.diff(rows[0]))
            return self.hypersparse.entries_at(shape, (row, rows[1]), rows[2], iso)
        nrows, ncols = shape
        upload = self.spill.uploaded
        return DeviceMatrix.from_rows(self.device, (nrows, ncols), rows, symmetric, iso, upload)

    def build_coordinates(
        self,
        shape: expressions.Shape,
        row: np.ndarray,
        column: np.ndarray,
        values: np.ndarray,
        iso: bool = False,
    ) -> Any:
        if self.hypersparse.lists(shape, row.size):
            expect_numbers(values.dtype)
            return self.hypersparse.entries_at(shape, (row, column), values, iso)
        if FEW * row.size < shape[0]:
            expect_numbers(values.dtype)
            return self.matrices.parts.of_few(shape, row, column, values, iso)
        return self.build_matrix(shape, (compress(row, shape[0]), column, values), iso=iso)

    def copy(self, store: Any) -> Any:
        if isinstance(store, DeviceMatrix):
            return store  # matrices are never changed in place
        result = DeviceVector(store.size, store.dtype, count=store.count, device=self.device)
        result.multiplied_by, result.edges = store.multiplied_by, store.edges
        if not store.unwritten:
            result.bits = self.device.copy(store.bits)
            result.values = self.device.copy(store.values)
        return result

    def recast(self, store: Any, dtype: np.dtype) -> DeviceVector | None:
        point = store.point if isinstance(store, DeviceVector) else None
        if point is None or not np.can_cast(store.dtype, dtype, "safe"):
            return None
        result = DeviceVector(store.size, dtype, count=1, device=self.device)
        result.point = point._replace(value=dtype.type(point.value))
        return result

    def holds_one_value(self, store: Any) -> None:
        return None

    def free_bytes(self) -> int | None:
        return self.device.free_bytes

    def nvals(self, store: Any) -> int:
        if isinstance(store, DeviceMatrix):
            return store.nnz
        return self.products.count(store)

    def vector_get(self, store: DeviceVector, index: int) -> Any:
        if store.count == 0:
            return None
        word = self.device.download(store.bits[index // 32 : index // 32 + 1])[0]  # synchronize!
        if not word >> (index % 32) & 1:
            return None
        return self.device.download(store.values[index : index + 1])[0].item()  # synchronize!

    def resized(self, store: DeviceMatrix, shape: expressions.Shape, within: bool) -> Any:
        if not within:
            return None
        if max(shape) >= self.hypersparse.limit:
            return self.build_coordinates(shape, *self.matrix_coordinates(store))
        (nrows, ncols), (held, _) = shape, store.shape
        if nrows > held:
            below = self.empty((nrows - held, ncols), store.dtype)
            return self.concat([[store.within((held, ncols))], [below]], shape, store.dtype)
        return store.within((nrows, ncols))

    def declare_symmetric(self, store: Any) -> Any:
        store.transposed = store
        return store

    def declare_transposes(self, A: Any, B: Any) -> None:
        if isinstance(A, DeviceMatrix) and isinstance(B, DeviceMatrix):
            A.transposed, B.transposed = B, A

    def stopwatch(self) -> Callable[[], float | None]:
        return self.device.stopwatch()

    def synchronize(self, *stores: Any) -> None:
        for store in stores:
            if isinstance(store, (Hypersparse, DeviceMatrix)):
                self.assignments.settle(store)
            store = store.inner._store if isinstance(store, Hypersparse) else store
            if isinstance(store, DeviceVector) and store.formula is not None:
                self.lazy.settle(store)
        self.device.synchronize()  # synchronize!

    # --- kernels -----------------------------------------------------------------------------
    def launch(
        self, header: str, algebra: str, name: str, work: int, *args: Any,
        blocks: int | None = None, threads: int | None = None, shared_bytes: int = 0,
        waves: int = 1,
    ) -> None:  # fmt: skip
        """Launch a kernel with enough blocks for ``work`` threads, at most ``waves`` times as many
        as fill the device; or with so many ``blocks``, of so many ``threads`` each, with so much
        dynamic shared memory."""
        block = threads or self.device.block_size
        grid = blocks or min(max(1, -(-work // block)), waves * self.device.max_blocks)
        self.kernel(header, algebra, name)(grid, block, args, shared_bytes=shared_bytes)

    def launch_resident(
        self, header: str, algebra: str, name: str, max_threads: int, *args: Any, each: int = 16,
        least: int = 1,
    ) -> bool:  # fmt: skip
        """Launch a cooperative (persistent) kernel with as many blocks of at most ``max_threads``
        threads as the device can hold at once, at most ``each`` for a multiprocessor. Returns
        False, after one warning, if that is fewer than ``least`` blocks."""
        kernel = self.kernel(header, algebra, name)
        block = min(self.device.cooperative_block, max_threads)
        grid = min(self.resident_blocks(kernel, block), each * self.device.multiprocessors)
        if grid >= least:
            kernel(grid, block, args, cooperative=True)
        elif not self._warned:
            self._warned = True
            why = f"{self.device.name} cannot hold a block of {block} threads of a resident kernel"
            warn_caller(f"{why}; what needs one runs as loops of kernels there", RuntimeWarning)
        return grid >= least

    def kernel(self, header: str, algebra: str, name: str) -> Kernel:
        """The compiled kernel of this name, from a cache."""
        key = header, algebra, name
        kernel = self.kernels.get(key)
        if kernel is None:
            kernel = self.device.compile(Program(*key).source, name)
            self.kernels[key] = kernel
        return kernel

    def compile_ahead(self, programs: Iterable[tuple[str, str, str]]) -> bool:
        """Begin to compile kernels, each a header, an algebra and a name, beside what the host
        does. True if none of them has to be waited for any more."""
        wanted = [key for key in programs if key not in self.kernels]
        return self.device.compile_ahead((Program(*key).source, key[2]) for key in wanted)

    def resident_blocks(self, kernel: Kernel, block: int) -> int:
        """The number of blocks of a kernel that the device holds at once, from a cache."""
        blocks = self._resident.get((kernel, block))
        if blocks is None:
            resident = kernel.resident_blocks(block)
            blocks = self._resident[kernel, block] = min(resident, self.device.max_blocks)
        return blocks

    def mask(self, mask: Mask | None) -> Bits:
        """A mask as kernels take it: a bitmap (None for all positions) and the word to xor it
        with."""
        if mask is None:
            return EVERYWHERE
        store = mask.handle._store
        flip = np.uint32(0xFFFFFFFF if mask.complement else 0)
        if mask.structure:
            return store.bits, flip
        bits = self.device.empty(words(store.size), WORD)
        name = f"truth<{types.c_name(store.dtype)}>"
        self.launch(ELEMENTWISE, "", name, store.size, np.int32(store.size), store.bits,
                    store.values, bits)  # fmt: skip
        return bits, flip

    def marked(self, positions: np.ndarray | Progression | None, size: int) -> DeviceArray | None:
        """The positions along an axis as a bitmap; None for all."""
        if positions is None:
            return None
        bits = self.device.zeros(words(size), WORD)
        self._locate(np.asarray(positions), None, bits)
        return bits

    def inverse(self, positions: np.ndarray | Progression | None, size: int) -> DeviceArray | None:
        """The rank of each position of an axis in a list of positions, -1 for others; None for
        all."""
        if positions is None:
            return None
        ranks = self.device.full(max(1, size), -1, INDEX)
        self._locate(np.asarray(positions), ranks, None)
        return ranks

    def _locate(
        self, positions: np.ndarray, inverse: DeviceArray | None, bits: DeviceArray | None
    ) -> None:
        if positions.size:
            self.launch(INDEXED, "", "locate", positions.size, np.int32(positions.size),
                        self.device.upload(positions.astype(INDEX)), inverse, bits)  # fmt: skip

    # --- statements --------------------------------------------------------------------------
    def run(self, update: Update) -> None:
        node, out = update.expression, update.out
        single = update.region is not None and len(out.shape) == 2 and not self.blocking
        if single and self.assignments.put(update):
            pass
        elif self.hypersparse.any and self.hypersparse.concerns(update):
            self.hypersparse.run(update)
        elif isinstance(node, expressions.Reduce) and not node.rowwise:
            out.put(self.reductions.scalar(node), update.accum)
        elif len(out.shape) == 2:
            vars(out)["_store"] = self.matrices.updated(update)  # no call of __setattr__
        elif not self.blocking and self.lazy.put(update):
            pass
        elif (made := self._made(node, update)) is None:
            self.updates.put(update, node)
        elif made.dtype == out.dtype and becomes(update):
            vars(out)["_store"] = made
        elif self.blocking or not self.lazy.put(update, made):
            self.updates.put_store(update, made)

    def _made(self, node: expressions.Expression, update: Update) -> DeviceVector | None:
        """The result of an expression that is computed into its own vector; None if it is
        element-wise."""
        match node:
            case expressions.Product() | expressions.Reduce():
                mask = self.mask(update.mask) if update.region is None else EVERYWHERE
                return self.products.compute(node, mask, update.schedule)
            case expressions.Diagonal():
                return self.matrices.parts.diagonal(node)
            case expressions.Extract() if len(node.operand.shape) == 2:
                return self.matrices.parts.line(node)
        return None

    def vector(self, operand: Any) -> DeviceVector:
        """The store of a vector operand. An expression is computed first, and so is a deferred
        formula."""
        store = expressions.computed(operand)._store
        if store.formula is not None:
            self.lazy.settle(store)
        return store
