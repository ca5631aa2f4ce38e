"""Copies of matrices with renumbered vertices, and closures that run over such a copy.

Searches are faster on a copy in which vertices are numbered by falling degree: hubs share cache
lines, the first entry of a row is its likeliest parent, and vertices without edges come last and
are skipped. A matrix with a ``Layout`` keeps its numbers; only its closures run over the copy. The
start is translated to the new numbers, and the result is translated back in one pass over the
vertices, which reads a number and, if there is an entry, its value, and writes the result.

If ⊗ yields the tail of an edge, as in a search for parents, the values are translated back too.
Other ⊗ that read positions run over the matrix itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import Closures, DeviceMatrix, Pattern
from lagraph_gpu.gpu.storage.vector_storage import INDEX, NOWHERE, WORD, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from semirings import SEMIRINGS, Semiring, any_secondi, types

RELABEL = "matrix/relabel.cuh"

KEY = np.dtype(np.int64)
TAIL = any_secondi.multiply.parsed
"""The ⊗ that yields the vertex which an edge leaves (its tail)."""
TAILS = any_secondi[types.INT32]
STAMPED = 31
"""The bits of a word that holds a vertex and a level."""


class Layout(NamedTuple):
    """A copy of a square matrix with renumbered vertices."""

    matrix: DeviceMatrix
    old: DeviceArray
    """For each vertex of the copy its number in the matrix."""
    to: DeviceArray
    """For each vertex of the matrix its number in the copy."""


class Layouts(BackendPart):
    """Renumbers matrices, and translates vectors to the new numbers and back."""

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(RELABEL, "", name, work, *args)

    # --- orders ------------------------------------------------------------------------------
    def degree_order(self, of: Matrix) -> Vector:
        """Lowers ``algorithms.structure.relabel.degree_order``."""
        A: DeviceMatrix = of._store
        n = A.shape[0]
        keys = self.device.empty(max(1, n), KEY)
        if n:
            incoming = self.backend.matrices.transpose(A)
            name = f"degree_keys<{types.c_name(A.offset)}>"
            if (RELABEL, "", name) not in self.backend.kernels:
                self._compile_ahead(A, name, "keep_lower")
            self._launch(name, n, np.int32(n), A.indptr, incoming.indptr, keys)
            self.device.sort(keys)
            self._launch("keep_lower", n, np.int32(n), keys)
        return self._full(keys[:n])

    def _compile_ahead(self, A: DeviceMatrix, *names: str) -> None:
        """Begin to compile these kernels, and those of `layout`."""
        names = *names, "renumber", f"row_lengths<{types.c_name(A.offset)}>"
        sorting = self.backend.row_order.kernels_by_column(A) if A.nnz else []
        relabel = [(RELABEL, name) for name in names]
        self.backend.compile_ahead((header, "", name) for header, name in (*relabel, *sorting))

    def argsort(self, keys: Vector) -> Vector:
        """Lowers ``algorithms._shared.labels.argsort``."""
        return self._full(self.device.argsort(keys._store.values[: keys.size]))

    def _full(self, values: DeviceArray) -> Vector:
        export, adopt = self.device.export, self.backend.exchange.adopt_vector
        return self.backend.as_vector(adopt(export(values), None, types.INT64, copy=False))

    # --- matrices ----------------------------------------------------------------------------
    def layout(self, A: DeviceMatrix, ids: DeviceVector) -> Layout:
        """A copy of A in which vertex i is ids[i] of A. Each row is sorted once. Waits twice.

        Besides the copy it takes at most 32 bytes a row while it runs, and 16 bytes for each entry
        of a row that does not fit in shared memory.
        """
        n, nnz, device, offset = A.shape[0], A.nnz, self.device, types.c_name(A.offset)
        old, to = device.empty(max(1, n), INDEX), device.empty(max(1, n), INDEX)
        place = self.backend.spill.room_for
        made = DeviceMatrix(
            A.shape, A.dtype, nnz, A.indptr,
            place(max(1, nnz), INDEX),
            A.values if A.iso or nnz == 0 else place(nnz, A.dtype),
            A.iso, Pattern(A.pattern.max_degree),
        )  # fmt: skip
        made.closures = Closures(A.closures.weights)
        if A.transposed is A:
            made.transposed = made
        if n == 0:
            return Layout(made, old, to)
        if (RELABEL, "", "renumber") not in self.backend.kernels:
            self._compile_ahead(A)
        self._launch("renumber", n, np.int32(n), ids.values, old, to)
        lengths, facts = device.empty(n, A.offset), device.zeros(2, WORD)
        incoming = self.backend.matrices.transpose(A)
        self._launch(f"row_lengths<{offset}>", n, np.int32(n), A.indptr, incoming.indptr, old,
                     lengths, facts)  # fmt: skip
        made.indptr = self.backend.prefix_sums.begins(lengths, A.offset)
        n_connected, rises = device.download(facts).tolist()  # synchronize!
        made.pattern.n_connected = None if rises else n_connected
        if nnz:
            self.backend.row_order.by_column(A, made, old, to)
        return Layout(made, old, to)

    def permuted(self, A: Matrix, ids: Vector) -> Matrix:
        """Lowers ``algorithms.structure.relabel.permuted``."""
        return self.backend.as_matrix(self.layout(A._store, ids._store).matrix)

    def laid_out(self, A: Matrix, ids: Vector, packed: bool = False) -> Matrix:
        """Lowers ``algorithms.structure.relabel.laid_out``: the same matrix, whose closures run
        over a renumbered copy. In packed rows it holds no weights, and closures that read them run
        over the matrix."""
        layout = self.layout(A._store, ids._store)
        if packed:
            layout = layout._replace(matrix=self._packed(layout.matrix))
        made = replace(A._store, layout=layout)
        made.closures = Closures(A._store.closures.weights)
        if A._store.transposed is A._store:
            made.transposed = made
        return self.backend.as_matrix(made)

    def packed(self, A: Matrix) -> Matrix:
        """Lowers ``algorithms._shared.packed_layout.packed``."""
        store: DeviceMatrix = A._store
        if store.iso or store.nnz == 0:
            return self.backend.as_matrix(self._packed(store))
        packing, closures = self.backend.packing, self.backend.closures
        rows, weights = packing.packed(store), packing.weights_of(A)
        one = self.device.zeros(1, store.dtype)
        rows = rows._replace(value=one, weights=weights)
        made = packing.matrix(rows, store.shape[0], store.nnz, False, store.dtype)
        if store.dtype.kind != "b":
            # while the rows are plain
            closures.weights.facts(store, SEMIRINGS["min_plus"], store.dtype)
        made.closures.weights.update(store.closures.weights)
        return self.backend.as_matrix(made)

    def _packed(self, A: DeviceMatrix) -> DeviceMatrix:
        packing = self.backend.packing
        return packing.matrix(packing.packed(A), A.shape[0], A.nnz, A.iso)

    def held(self, made: DeviceMatrix) -> int:
        """The bytes of a matrix or of its layout. A single value for all entries is shared and not
        counted."""
        layout = made.layout
        copy, maps = (made, ()) if layout is None else (layout.matrix, (layout.old, layout.to))
        if copy.packed is not None:
            arrays = () if copy.stays_packed else (copy.indptr, copy.indices)
            packed = copy.packed
            host = 0 if packed.window.host is None else packed.window.host.nbytes
            return packed.nbytes + host + sum(array.nbytes for array in (*arrays, *maps))
        values = () if copy.iso else (copy.values,)
        return sum(array.nbytes for array in (copy.indptr, copy.indices, *values, *maps))

    def likely_parent(self, A: DeviceMatrix) -> DeviceArray:
        """The first column of each row, which first_hit.cuh reads first."""
        n = A.shape[0]
        likely_parent = self.device.empty(max(1, n), INDEX)
        self._launch(f"first_columns<{types.c_name(A.offset)}>", n, np.int32(n), A.indptr,
                     A.indices, np.int32(self.backend.products.long_row),
                     likely_parent)  # fmt: skip
        return likely_parent

    # --- closures ----------------------------------------------------------------------------
    @staticmethod
    def inner(semiring: Semiring, x0: DeviceVector) -> Semiring | None:
        """The semiring of a closure over a copy; None if the closure must run over the matrix
        itself."""
        if not semiring.positional:
            return semiring
        tails = (
            semiring.monoid.is_any and semiring.multiply.parsed == TAIL and x0.dtype == types.INT64
        )
        return TAILS if tails else None

    @staticmethod
    def dtype(semiring: Semiring, x: DeviceVector) -> np.dtype:
        """The type of x in a closure under ``inner``."""
        return types.INT32 if semiring is TAILS else x.dtype

    @staticmethod
    def level_bits(layout: Layout, semiring: Semiring) -> int:
        """The number of bits of a vertex, if a closure under ``inner`` finds vertices and their
        words have room for a level above them; otherwise 0 (see packed_level.cuh)."""
        n_connected = layout.matrix.pattern.n_connected or layout.matrix.shape[0]
        bits = max(1, (n_connected - 1).bit_length())
        return bits if semiring is TAILS and bits < STAMPED else 0

    def entered(self, x: DeviceVector, layout: Layout, semiring: Semiring) -> DeviceVector:
        """A vector in the new numbers, for a closure under ``inner``."""
        dtype = self.dtype(semiring, x)
        result = DeviceVector.empty(self.device, x.size, dtype)
        if x.size:
            values = None if semiring is TAILS else x.values
            self._launch(f"enter<{types.c_name(dtype)}>", x.size, np.int32(x.size), layout.to,
                         x.present, values, result.bits, result.values)  # fmt: skip
        result.count = x.count
        return result

    def restored(
        self, x: DeviceVector, rounds: DeviceVector | None, layout: Layout, semiring: Semiring,
        start: DeviceVector | None, level_bits: int = 0,
    ) -> tuple[DeviceVector, DeviceVector | None]:  # fmt: skip
        """The result of a closure under ``inner``, and its rounds, in the numbers of ``start``.
        With ``level_bits``, the levels in the words say which entries are present and in which
        round they came."""
        n, ids = x.size, semiring is TAILS
        dtype = types.INT64 if ids else x.dtype
        n_connected = n if x.full else layout.matrix.pattern.n_connected
        made = DeviceVector.to_fill(self.device, n, dtype, x.every)
        made.count = x.count
        when = None if rounds is None else DeviceVector.to_fill(self.device, n, INDEX)
        bits, values = x.parts
        if n:
            name = f"restore<{types.c_name(x.dtype)}, {types.c_name(dtype)}>"
            point = None if start is None else start.point
            given: tuple[Any, ...]
            if point is not None:
                given = point.at, dtype.type(point.value), None, None
            elif start is not None:
                given = NOWHERE, dtype.type(0), start.present, start.values
            else:
                given = NOWHERE, dtype.type(0), None, None
            self._launch(
                name, n, np.int32(n), np.int32(n if n_connected is None else n_connected),
                layout.to, layout.old, bits, np.int32(level_bits), values,
                None if rounds is None else rounds.parts[1],
                *given, *made.parts, *((None, None) if when is None else when.parts),
            )  # fmt: skip
        return made, when
