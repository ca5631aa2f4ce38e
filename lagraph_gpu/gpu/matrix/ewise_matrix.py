"""Two matrices entry by entry: element-wise operations, and the write-back through a mask.

C⟨mask, replace⟩ accum= T is a merge of C and T, as A ⊕ B is one of A and B. The Merge says which
entries are kept and what two entries at one position become (see ewise_matrix.cuh). Each merge
waits once for the number of entries. One kernel finds and writes them into memory for as many as
there may be; if there is not that much memory, the kernel runs once before, to count them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, words
from lagraph_gpu.gpu.storage.vector_storage import offset_for, widest
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.expressions import Ewise
from lagraph_gpu.notation.indexing import Region
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import types

MERGE_PATH = "matrix/merge_path.cuh"
EWISE_MATRIX = "matrix/ewise_matrix.cuh"
ENTRIES = "matrix/entries.cuh"

STEPS = 15
"""The number of items of the merged rows for each thread. It is odd, so that the threads of a warp,
whose shares are that far apart, read from all banks of shared memory."""

KINDS = {"add": "MergeAdd", "mult": "MergeMult", "union": "MergeUnion"}


class EwiseMatrix(BackendPart):
    """Merges two stored matrices of one shape into a new one."""

    def ewise(
        self, node: Ewise, left: DeviceMatrix, right: DeviceMatrix, dtype: np.dtype
    ) -> DeviceMatrix:
        """op on the union or the intersection, with entries of type ``dtype``."""
        algebra = lower.ewise_struct(node.op, left.dtype, right.dtype)
        scalar = node.op.meet(left.dtype, right.dtype)
        defaults = [number(d, scalar) for d in (node.left_default, node.right_default)]
        kind = f"{KINDS[node.how]}<Op, {types.c_name(dtype)}, {{}}>"
        max_entries = min(left.nnz, right.nnz) if node.how == "mult" else left.nnz + right.nnz
        return self._merged(kind, algebra, left, right, dtype, max_entries, None, False, defaults)

    def write_back(self, update: Update, T: DeviceMatrix) -> DeviceMatrix:
        """The contents of out after out⟨mask, replace⟩ accum= T."""
        C: DeviceMatrix = update.out._store
        mask, accum = update.mask, update.accum
        if mask is not None and accum is None and update.replace and update.region is None:
            C = self.backend.empty(
                C.shape, C.dtype, by_rank=True
            )  # none of its entries would be kept
        algebra = lower.accum_struct(accum, C.dtype, T.dtype)
        kind = f"WriteBack<Accum, {types.c_name(T.dtype)}, {{}}>"
        none = [np.bool_(False)] * 2
        region = update.region or (None, None)
        max_entries, replace = C.nnz + T.nnz, update.replace
        return self._merged(kind, algebra, C, T, C.dtype, max_entries, mask, replace, none, region)

    def _merged(
        self, kind: str, algebra: str, left: DeviceMatrix, right: DeviceMatrix, dtype: np.dtype,
        max_entries: int, mask: Mask | None, replace: bool, defaults: list[Any],
        region: Region = (None, None),
    ) -> DeviceMatrix:  # fmt: skip
        """A merge with at most ``max_entries`` entries. Waits."""
        everywhere = mask is None and all(axis is None for axis in region)
        if everywhere and left.entries_of(right):
            return self._met(kind, algebra, left, right, dtype)
        device, launch, nrows = self.device, self.backend.launch, left.shape[0]
        wanted: DeviceMatrix | None = None if mask is None else mask.handle._store
        stores = [s for s in (left, right, wanted) if s is not None]
        items, tile = left.nnz + right.nnz + nrows + 1, device.block_size * STEPS
        offset = widest(offset_for(items), *(s.offset for s in stores))
        merge = f"merge_tiles<{kind.format(types.c_name(offset))}, {STEPS}>"

        begins = {id(s): self.widened(s, offset) for s in stores}
        a, b = ((offset.type(s.nnz), begins[id(s)], s.indices) for s in (left, right))
        both = a[0], (*a[1:], left.values, left.stride), b[0], (*b[1:], right.values, right.stride)
        through: tuple[Any, ...] = (None, None, None, np.int32(0))
        if mask is not None and wanted is not None:
            truth = None if mask.structure else self.truth(wanted)
            through = begins[id(wanted)], wanted.indices, truth, np.int32(mask.complement)
        through += tuple(
            self.backend.marked(axis, size) for axis, size in zip(region, left.shape, strict=True)
        )
        through += np.int32(replace), *defaults

        tiles = -(-items // tile)
        cuts, words = device.empty(3 * (tiles + 1), offset), device.empty(tiles + 1, np.uint64)
        head = np.int32(tiles), np.int32(nrows)

        def run(*out: DeviceArray | None) -> int:
            launch(MERGE_PATH, "", f"cut_tiles<{types.c_name(offset)}>", tiles + 1, head[0],
                   np.int32(tile), head[1], *a, *b, cuts, words)  # fmt: skip
            launch(EWISE_MATRIX, algebra, merge, 0, *head, *both, *through, cuts, words, *out,
                   blocks=tiles)  # fmt: skip
            return int(device.download(words[tiles - 1 : tiles])[0]) >> 2  # synchronize!

        def room(entries: int) -> DeviceMatrix:
            return DeviceMatrix.allocated(device, left.shape, dtype, entries, offset)

        try:
            made = room(max_entries)
        except TooLarge:
            made = room(run(None, None, None))  # counted first
        return made.shortened(device, run(made.indptr, made.indices, made.values))

    def _met(
        self, kind: str, algebra: str, left: DeviceMatrix, right: DeviceMatrix, dtype: np.dtype
    ) -> DeviceMatrix:
        """A merge of two matrices that share their structure. The result shares it too; nothing
        waits."""
        offset, values = left.offset, self.device.empty(max(1, left.nnz), dtype)
        self.backend.launch(
            EWISE_MATRIX, algebra, f"meet_entries<{kind.format(types.c_name(offset))}>", left.nnz,
            offset.type(left.nnz), np.int32(left.shape[0]), left.arrays(), right.values,
            right.stride, values,
        )  # fmt: skip
        return left.with_values(values)

    def same_offsets(self, *stores: DeviceMatrix) -> list[DeviceMatrix]:
        """The matrices, all with row offsets of the widest type among them."""
        offset = widest(*(s.offset for s in stores))
        return [s.with_begins(self.widened(s, offset)) for s in stores]

    def widened(self, A: DeviceMatrix, offset: np.dtype) -> DeviceArray:
        """A's row offsets in a type that is at least as wide."""
        if A.offset == offset:
            return A.indptr
        wide = self.device.empty(A.shape[0] + 1, offset)
        n = np.int32(A.shape[0] + 1)
        self.backend.launch(ENTRIES, "", "widen", int(n), n, A.indptr, wide)
        return wide

    def truth(self, A: DeviceMatrix) -> DeviceArray:
        """A bitmap of A's entries that are not zero."""
        bits = self.device.empty(words(A.nnz), WORD)
        name = f"entry_truth<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"
        self.backend.launch(ENTRIES, "", name, A.nnz, A.offset.type(A.nnz), A.values,
                            A.stride, bits)  # fmt: skip
        return bits
