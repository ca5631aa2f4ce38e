"""Matrices on their way between the device of the root and those of all processes.

The root orders the rows of a matrix by the processes that own them, and the rows of all that have
come as those of the whole (`matrix/distributed_rows.cuh`). What moves is how many entries each row
has, their columns, and their values or the one that all have. So the root needs the entries twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.device.peers import cut, from_root, layout, sizes, to_root
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import SIZE, offset_for
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

ROWS = "matrix/distributed_rows.cuh"

UNKNOWN = -1
"""In place of a bound on the length of a row."""


class DealtMatrix(NamedTuple):
    """A matrix of the root in the parts of all processes, one after another."""

    counts: list[int]
    """How many entries each process gets."""
    lengths: DeviceArray
    columns: DeviceArray
    values: DeviceArray
    iso: bool
    longest: int

    @property
    def notes(self) -> list[list[int]]:
        """What each process has to know before its part comes."""
        most = max(self.counts)
        return [[count, most, int(self.iso), self.longest] for count in self.counts]


class MatricesOfRoot(BackendPart):
    """The matrices of a ``lagraph_gpu.backend_distributed.RootExchange``."""

    def __init__(self, backend: GpuBackend, peers: Peers) -> None:
        super().__init__(backend)
        self.peers = peers

    def dealt(self, whole: DeviceMatrix) -> DealtMatrix:
        """The parts of a matrix of the root. Waits."""
        n, parts, sums = whole.shape[0], self.peers.size, self.backend.prefix_sums
        lengths = self._lengths(whole, parts)
        begins = sums.begins(lengths, whole.offset)
        columns = self._room(whole.nnz, INDEX)
        values = whole.values[:1] if whole.iso else self._room(whole.nnz, whole.dtype)
        self._move(whole, begins, columns, None if whole.iso else values, deals=True)
        first = self.device.empty(parts + 1, SIZE)
        self.backend.launch(
            ROWS, "", f"first_entries<{types.c_name(whole.offset)}>", parts + 1, layout(n, parts),
            begins, first,
        )  # fmt: skip
        counts = np.diff(self.device.download(first)).tolist()  # synchronize!
        _, iso, longest = facts_of(whole)
        return DealtMatrix(counts, lengths, columns, values, iso, longest)

    def scattered(
        self, shape: tuple[int, int], dtype: np.dtype, note: Sequence[int], root: int,
        dealt: DealtMatrix | None,
    ) -> Iterator[DeviceMatrix]:  # fmt: skip
        """Yields a matrix of this process, for which there is memory, and then the same one, with
        its part of what the root has dealt."""
        nnz, most, iso, longest = note
        rows = sizes(shape[0], self.peers.size)
        own, single = rows[self.peers.rank], self.device.empty(1, dtype) if iso else None
        part = DeviceMatrix.allocated(
            self.device, (own, shape[1]), dtype, nnz, offset_for(nnz), single
        )
        part.iso, part.pattern.max_degree = bool(iso), None if longest == UNKNOWN else longest
        lengths = self._room(own, INDEX)
        yield part
        given: list[list[DeviceArray] | None] = [None, None, None]
        if dealt is not None:
            everyone = [dealt.values] * self.peers.size
            values = everyone if iso else cut(dealt.values, dealt.counts)
            given = [cut(dealt.lengths, rows), cut(dealt.columns, dealt.counts), values]
        come = lengths, part.indices[:nnz], part.values[: 1 if iso else nnz]
        for parts, to, many in zip(given, come, (rows[0], most, 1 if iso else most), strict=True):
            from_root(self.peers, root, parts, to, many)
        self.backend.prefix_sums.begins(lengths, part.offset, part.indptr)
        yield part

    def gathered(
        self, part: DeviceMatrix, shape: tuple[int, int], root: int,
        tell: Callable[[Sequence[int]], np.ndarray], agree: Callable[[], None],
    ) -> DeviceMatrix | None:  # fmt: skip
        """The whole matrix on the root; None on others. Waits for the one value of a part that has
        one."""
        here, (n, _) = self.peers.rank == root, shape
        told = tell([*facts_of(part), *self._value(part)])
        counts, rows = told[:, 0].tolist(), sizes(n, self.peers.size)
        total, single = sum(counts), value_of_all(told, part.dtype)
        moves = [(self._lengths(part, 1), rows), (part.indices[: part.nnz], counts)]
        if single is None:
            moves.append((self._values(part), counts))
        came = [self._room(sum(many) * here, one.dtype) for one, many in moves]
        if here:
            whole = DeviceMatrix.allocated(
                self.device, shape, part.dtype, total, offset_for(total),
                None if single is None else self.device.upload(single),
            )  # fmt: skip
            dealt, joined = self.device.empty(n + 1, whole.offset), self._room(n, INDEX)
        agree()
        for (one, many), to in zip(moves, came, strict=True):
            to_root(self.peers, root, one, many, to)
        if not here:
            return None
        lengths, columns, *rest = came
        whole.iso, longest = single is not None, told[:, 2]
        whole.pattern.max_degree = None if longest.min() == UNKNOWN else int(longest.max())
        self.backend.launch(
            ROWS, "", "join_lengths", n, np.int32(n), layout(n, self.peers.size), lengths, joined
        )
        self.backend.prefix_sums.begins(joined, whole.offset, whole.indptr)
        self.backend.prefix_sums.begins(lengths, whole.offset, dealt)
        self._move(whole, dealt, columns, rest[0] if rest else None, deals=False)
        return whole

    def _value(self, part: DeviceMatrix) -> np.ndarray:
        """The one value of a part that has one, in the bits of two numbers. Waits for it."""
        held = np.zeros(2, SIZE)
        if part.iso and part.nnz:
            value = self.device.download(part.values[:1])  # synchronize!
            held.view(np.uint8)[: value.nbytes] = value.view(np.uint8)
        return held

    def _values(self, part: DeviceMatrix) -> DeviceArray:
        """A value for each entry."""
        if part.iso and part.nnz:
            return self.backend.exchange.converted(part.values[:1], part.dtype, part.nnz)
        return part.values[: part.nnz]

    def _room(self, size: int, dtype: np.dtype) -> DeviceArray:
        return self.device.empty(max(1, size), dtype)[:size]

    def _lengths(self, matrix: DeviceMatrix, parts: int) -> DeviceArray:
        """How many entries each row has, in the order of so many parts."""
        n = matrix.shape[0]
        lengths = self._room(n, INDEX)
        self.backend.launch(
            ROWS, "", f"deal_lengths<{types.c_name(matrix.offset)}>", n, np.int32(n),
            layout(n, parts), matrix.indptr, lengths,
        )  # fmt: skip
        return lengths

    def _move(
        self, whole: DeviceMatrix, begins: DeviceArray, columns: DeviceArray,
        values: DeviceArray | None, deals: bool,
    ) -> None:  # fmt: skip
        """The entries of the whole to those of the parts, whose rows begin there; or from them."""
        if not whole.nnz:
            return
        ends = (whole.indices, None if whole.iso else whole.values), (columns, values)
        (from_columns, from_values), (to_columns, to_values) = ends if deals else ends[::-1]
        n, offset = whole.shape[0], whole.offset
        name = f"move_rows<{types.c_name(offset)}, {types.c_name(whole.dtype)}, "
        self.backend.launch(
            ROWS, "", name + ("true>" if deals else "false>"), whole.nnz, offset.type(whole.nnz),
            np.int32(n), layout(n, self.peers.size), whole.indptr, begins, from_columns,
            from_values, to_columns, to_values,
        )  # fmt: skip


def facts_of(matrix: DeviceMatrix) -> tuple[int, bool, int]:
    """How many entries it has, whether one value is for all, and a bound on the length of a row."""
    longest = matrix.pattern.max_degree
    return matrix.nnz, matrix.iso, UNKNOWN if longest is None else longest


def value_of_all(told: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """The one value of parts of which these facts and values are told, a row for each; None if
    there is no entry, or if the entries have more than one value."""
    some = told[told[:, 0] > 0]
    if not some.size or not some[:, 1].all() or (some[:, 3:] != some[0, 3:]).any():
        return None
    return some[0, 3:].copy().view(np.uint8)[: dtype.itemsize].view(dtype)  # type: ignore[no-any-return]
