"""Tables of distances over a contraction, on the device (contraction_sweeps.cuh).

The factors of a contraction are uploaded when a table first needs them, and kept as long as the
contraction exists. Up to 1,024 sources are processed at a time, fewer if memory is short or if
there are so many vertices that 32 bits cannot number their chunks of sources.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from lagraph_gpu.algorithms.paths.contraction import Contraction, Factor
from lagraph_gpu.algorithms.paths.path_lengths import Pairs, Targets, answer_shape, record_sweeps
from lagraph_gpu.gpu.device import DeviceArray, constants
from lagraph_gpu.gpu.multi_source.answers import Answer, into, listener
from lagraph_gpu.gpu.storage import INDEX, WORD, vector_storage
from lagraph_gpu.gpu.storage.vector_storage import at_least_one, expect_numbered, offset_for
from lagraph_gpu.reporting import StepCallback
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

CONTRACTION_SWEEPS = "multi_source/contraction_sweeps.cuh"

SWEEP_BLOCK = constants.SWEEP_BLOCK
"""The largest number of threads in a block."""

MAX_SOURCES = 1024
"""The largest number of sources at a time: a word has a bit for each 32."""

LANE_BYTES = 16
"""The bytes that a lane reads at once, if there are more sources than FEW_SOURCES."""

FEW_SOURCES = 64


class Held(NamedTuple):
    """A contraction on the device, as the kernel takes it."""

    begins: DeviceArray
    offset: np.dtype
    """The type of the position of an arc."""
    into: tuple[DeviceArray, ...]
    core: DeviceArray
    out: tuple[DeviceArray, ...]
    place: np.ndarray
    """The position of each vertex in a dense block of distances. Those of the core come last."""


class Way(NamedTuple):
    """The eliminated vertices that the downward sweep visits, and the position at which each
    level's begin."""

    wanted: DeviceArray
    turns: DeviceArray


class ContractionSweeps:
    """Computes tables of distances over a contraction."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device, self.max_sources = backend, backend.device, MAX_SOURCES
        self._held: WeakKeyDictionary[Contraction, Held] = WeakKeyDictionary()

    def contracted_lengths(
        self, A: Any, P: Contraction, sources: np.ndarray, targets: Targets, limit: int | None,
        sums: np.dtype | None, dtype: np.dtype, progress: StepCallback | None = None,
    ) -> Any | None:  # fmt: skip
        """Lowers ``contracted_lengths``; None if no kernel can be resident."""
        expect_numbered(sources.size, "sources")
        device, held = self.device, self.held(P)
        shape = answer_shape(sources.size, P.n, targets)
        out = device.empty(math.prod(shape), dtype)
        if out.size:
            report = listener(device, progress, sources.size)
            answer = Answer(P.n + P.core, into(device, targets, shape, held.place), out)
            order, way = np.arange(sources.size), None
            if not isinstance(targets, Pairs):
                order = np.argsort(sources, kind="stable")  # neighbours often have similar ids
                way = self._way(P, targets)
            each = answer.n * P.dtype.itemsize
            most = min(sources.size, self.max_sources, 32 * (vector_storage.POSITIONS // answer.n))
            some = self.backend.tables.batch_size(most, each)
            for first in range(0, sources.size, some):
                rows = order[first : first + some]
                if isinstance(targets, Pairs):
                    mine = targets.between(first, first + rows.size)
                    way = self._way(P, targets.column[mine])
                assert way is not None
                if not self._some(P, held, P.place[sources], rows, way, limit, answer):
                    return None
                report(first + rows.size)
        record_sweeps(P, sources.size)
        return device.export(out).reshape(shape)

    def _way(self, P: Contraction, targets: np.ndarray | None) -> Way:
        """The vertices of the downward sweep to these targets; None is all vertices."""
        wanted = np.arange(P.n - P.core) if targets is None else ancestors(P, P.place[targets])
        turns = np.searchsorted(wanted, P.begins).astype(INDEX)
        upload = self.device.upload
        return Way(upload(at_least_one(wanted.astype(INDEX))), upload(turns))

    def _some(
        self, P: Contraction, held: Held, starts: np.ndarray, rows: np.ndarray,
        way: Way, limit: int | None, answer: Answer,
    ) -> bool:  # fmt: skip
        """Compute the answers for these rows. Returns False if no kernel can be resident."""
        device, dtype = self.device, P.dtype
        across = LANE_BYTES // dtype.itemsize if rows.size > FEW_SOURCES else 1
        chunks = -(-rows.size // (32 * across))
        width, never = 32 * across * chunks, types.cast(P.never, dtype)
        x, reached = device.empty(answer.n * width, dtype), device.zeros(P.n + 1, WORD)
        ran = self.backend.launch_resident(
            CONTRACTION_SWEEPS, "",
            f"contraction_sweep<{types.c_name(held.offset)}, {types.c_name(dtype)}, {across}>",
            SWEEP_BLOCK,
            np.int32(P.n), np.int32(chunks), np.int32(rows.size), device.upload(starts[rows]),
            never, np.int32(P.levels), held.begins, *held.into, held.core, way.turns, way.wanted,
            *held.out, x, reached, reached[P.n :],
        )  # fmt: skip
        if ran:
            max_distance = None if limit is None else min(limit, P.never - 1)
            self.backend.tables.write(answer, rows, width, never, x, max_distance)
        return ran

    def held(self, P: Contraction) -> Held:
        """The contraction in this device's memory."""
        if P not in self._held:
            expect_numbered(P.n + P.core, "vertices of a contraction and its core")
            offset = offset_for(max(P.up.ends.size, P.down.ends.size))
            upload = self.device.upload
            first = P.n - P.core
            shift = np.where(np.arange(P.n) < first, 0, P.core).astype(INDEX)
            import scipy.sparse as sp

            rows: Any = sp.csr_array(P.up[::-1], shape=(first, P.n))
            into = rows.tocsc()
            falls = P.down._replace(ends=P.down.ends + shift[P.down.ends])
            self._held[P] = Held(
                upload(np.append(P.begins, P.n).astype(INDEX)),
                offset,
                self._uploaded(Factor(into.indptr, into.indices, into.data), offset),
                upload(at_least_one(np.ascontiguousarray(P.core_lengths.T).reshape(-1))),
                self._uploaded(falls, offset),
                P.place + shift[P.place],
            )
        return self._held[P]

    def _uploaded(self, factor: Factor, offset: np.dtype) -> tuple[DeviceArray, ...]:
        indptr, ends, lengths = factor
        arrays = indptr.astype(offset), ends.astype(INDEX), lengths
        return tuple(self.device.upload(at_least_one(array)) for array in arrays)


def ancestors(P: Contraction, at: np.ndarray) -> np.ndarray:
    """The eliminated vertices, in order, that a downward sweep to these places visits."""
    needed = np.zeros(P.n, bool)
    needed[at] = True
    for begin, end in zip(P.begins[:-1], P.begins[1:]):
        of_level = np.repeat(needed[begin:end], np.diff(P.down.indptr[begin : end + 1]))
        first, last = P.down.indptr[begin], P.down.indptr[end]
        needed[P.down.ends[first:last][of_level]] = True
    return np.flatnonzero(needed[: P.n - P.core])
