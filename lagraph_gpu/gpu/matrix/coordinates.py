"""Matrices from coordinates, sorted and joined on the device (see coordinates.cuh).

Memory for m entries: 8m bytes for the pairs and as many for the sort; where there are values, 16m
bytes for their order besides. An undirected graph is made of the part above its diagonal and of the
transpose of that part.

Errors, such as an id outside of its range, are found here and raised by the statements, which know
which entry is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.convert.edges import DUPLICATES, FOLDS
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.convert.values import typed_values
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, words
from lagraph_gpu.gpu.storage.matrix_storage import Kept
from lagraph_gpu.gpu.storage.vector_storage import POSITIONS, SIZE, offset_for
from lagraph_gpu.notation.coordinates import Made, Sizes, joined_edges, joined_entries
from lagraph_gpu.notation.operation import Operation
from semirings import BINARY, BinaryOp, Monoid, types
from semirings.names import lookup

COORDINATES = "matrix/coordinates.cuh"
EXCHANGE = "matrix/exchange.cuh"

PAIR = np.dtype(np.uint64)
LEAST_ON_DEVICE = 1 << 15
"""Fewer entries are sorted on the host, if they are there."""
LONGEST = 1 << 12
"""At most so many values of one entry are folded, by one thread."""
SELECTIVE = ("first", "second", "any", "min", "max")
"""Operators that make of equal values the same value again."""


class Joining(NamedTuple):
    """What is made of the entries."""

    op: BinaryOp | None
    """What folds the values of one entry; None if each is given once."""
    of_graph: bool = False
    """A square matrix of finite values."""
    upper: bool = False
    """The part of a symmetric matrix on and above its diagonal."""
    sums: bool = False
    """Sums that their type has to hold."""


class Coordinates(BackendPart):
    """Makes matrices of coordinates. The fields are for tests."""

    least, longest = LEAST_ON_DEVICE, LONGEST

    def joined_entries(
        self, backend: Backend, rows: Any, columns: Any, values: Any, dtype: Any, shape: Sizes,
        dup_op: Any,
    ) -> Made | None:  # fmt: skip
        """See ``joined_entries`` of notation/coordinates.py."""
        op = lookup("binary", dup_op)
        op = op.binary if isinstance(op, Monoid) else op
        if not (op is None or (isinstance(op, BinaryOp) and not op.is_positional)):
            return None

        def made() -> DeviceMatrix | None:
            held, iso = self._values(rows, values, dtype)
            known = op is None or held.dtype in op.domain
            return self._matrix(rows, columns, shape, held, iso, Joining(op)) if known else None

        return self._made(made, joined_entries, backend, (rows, columns, values), dtype, shape, op)

    def joined_edges(
        self, backend: Backend, src: Any, dst: Any, weight: Any, n: int | None, directed: bool,
        dup: str,
    ) -> Made | None:  # fmt: skip
        """See ``joined_edges`` of notation/coordinates.py."""

        def made() -> Any:
            if dup not in DUPLICATES:
                return None
            op = None if dup == "error" else BINARY[FOLDS[dup]]
            held, iso = self._values(src, np.int32(1) if weight is None else weight, None)
            joining = Joining(op, True, not directed, dup == "sum")
            found = self._matrix(src, dst, (n, n), held, iso, joining)
            return found if found is None or directed else self._both_directions(found)

        return self._made(made, joined_edges, backend, (src, dst, weight), n, directed, dup)

    def _made(
        self, make: Callable[[], Any], operation: Operation[Any, Made],
        backend: Backend, arrays: tuple[Any, ...], *rest: Any,
    ) -> Made | None:  # fmt: skip
        """What the device makes of arrays, if they are there or are many; None says that the
        statements do it. Arrays of the device are copied to the host for them."""
        foreign = any(map(on_device, arrays))
        if not foreign and np.size(arrays[0]) < self.least:
            return None
        try:
            found = make()
        except TooLarge:
            found = None
        if found is not None:
            return found, found.shape, found.dtype
        held = map(self._on_host, arrays)
        return operation.statements(backend, *held, *rest) if foreign else None

    def _on_host(self, array: Any) -> Any:
        if not on_device(array):
            return array
        return self.device.download(self.device.adopt(array))  # synchronize!

    def _values(self, ids: Any, values: Any, dtype: Any) -> tuple[DeviceArray, bool]:
        """Values on the device, as many as ids, or one for all of them; then True."""
        count = ids.shape[0] if on_device(ids) and ids.shape else np.size(ids)
        if on_device(values):
            return self.backend.exchange.values(values, count, dtype)
        held = typed_values(values, count, dtype)
        return self.device.upload(held), np.ndim(values) == 0

    def _matrix(
        self,
        rows: Any,
        columns: Any,
        sizes: Sizes,
        values: DeviceArray,
        iso: bool,
        joining: Joining,
    ) -> Any:
        """The matrix, or None if something is wrong. Waits three times, and twice more if the
        matrix is hypersparse."""
        adopted, device, op = self.backend.exchange.adopted, self.device, joining.op
        row, column = adopted(rows, "rows"), adopted(columns, "columns")
        count = row.size
        if count == 0 or column.size != count or {row.dtype.kind, column.dtype.kind} - {*"iu"}:
            return None
        if any(size is not None and size >= POSITIONS for size in sizes):
            return None  # which the statements list
        packed = self._packed(row, column, sizes, joining)
        if packed is None:
            return None
        shape, pairs, order = packed[0], packed[1], None
        if iso:
            device.sort(pairs)
        else:
            order, given = device.argsort(pairs), pairs
            pairs = device.empty(count, PAIR)
            self.backend.launch(EXCHANGE, "", "pick<unsigned long long, long long>", count,
                                np.int64(count), order, given, pairs)  # fmt: skip
            del given, packed  # frees memory
        kept, counts = device.zeros(words(count), WORD), device.zeros(words(count), SIZE)
        self._launch("", "mark_new", count, pairs, kept, counts)
        ends, different = self.backend.prefix_sums.total(counts, SIZE)  # synchronize!
        if different < count and op is None:
            return None
        single = iso and (different == count or (op is not None and op.name in SELECTIVE))
        listed = not joining.of_graph and self.backend.hypersparse.lists(shape, different)
        nrows = 0 if listed else shape[0]
        made = DeviceMatrix.allocated(
            device, (nrows, shape[1]), values.dtype, different, offset_for(different),
            values if single else None,
        )  # fmt: skip
        made.iso = single
        name = f"begin_kept_rows<{types.c_name(made.offset)}>"
        self.backend.launch(COORDINATES, "", name, nrows + 1, np.int32(nrows), np.int32(0),
                            np.int64(count), pairs, kept, ends, made.indptr)  # fmt: skip
        algebra, wrong = lower.accum_struct(op, values.dtype, values.dtype), device.zeros(1, WORD)
        folding = np.int64(self.longest), np.bool_(joining.of_graph), np.bool_(joining.sums)
        self._launch(algebra, "fold_pairs<Accum>", count, pairs, order, values, kept, ends, folding,
                     made.indices, None if single else made.values, wrong)  # fmt: skip
        if device.download(wrong)[0]:  # synchronize!
            return None
        if not listed:
            return made
        places = self.backend.hypersparse.ids.ends_of(pairs, count, Kept(kept, ends, different))
        return self.backend.hypersparse.listed(shape, *places, made.values, single)

    def _packed(
        self, row: DeviceArray, column: DeviceArray, sizes: Sizes, joining: Joining
    ) -> tuple[tuple[int, int], DeviceArray] | None:
        """The shape, and the entries as pairs; None if an id is outside of the shape. Waits."""
        pairs, found = self.device.empty(row.size, PAIR), self.device.zeros(3, PAIR)
        limits = (PAIR.type(2**31 - 1 if size is None else size) for size in sizes)
        name = f"pack_pairs<{types.c_name(row.dtype)}, {types.c_name(column.dtype)}>"
        self._launch("", name, row.size, row, column, *limits, np.bool_(joining.upper), pairs,
                     found)  # fmt: skip
        outside, *last = self.device.download(found).tolist()  # synchronize!
        if outside:
            return None
        last = [max(last)] * 2 if joining.of_graph else last
        nrows, ncols = (at + 1 if size is None else size for at, size in zip(last, sizes))
        return (nrows, ncols), pairs

    def _both_directions(self, upper: DeviceMatrix) -> DeviceMatrix:
        """The symmetric matrix of its part on and above the diagonal."""
        part = upper
        if upper.iso:  # values of a byte, until all is in place
            one = self.device.full(1, 1, np.dtype(np.bool_))
            rows = upper.indptr, upper.indices, one
            part = DeviceMatrix(upper.shape, one.dtype, upper.nnz, *rows, iso=True)
        U = self.backend.as_matrix(part)
        A: DeviceMatrix = BINARY["first"](U | U.T).new()._store
        part.transposed = None  # else the two would be freed by the next garbage collection only
        rows = A.indptr, A.indices, upper.values if upper.iso else A.values
        made = DeviceMatrix(A.shape, upper.dtype, A.nnz, *rows, iso=upper.iso)
        made.transposed = made
        return made

    def _launch(self, algebra: str, name: str, count: int, *args: Any) -> None:
        """Launch a kernel whose first argument is the number of entries."""
        self.backend.launch(COORDINATES, algebra, name, count, np.int64(count), *args)
