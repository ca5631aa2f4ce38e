"""Storage of vectors on the GPU, and the types of indices.

A vector is a bitmap of its entries and a dense array of values, so that any position is read and
written in one step and a word of the mask covers 32 positions. The list of its entries (the
frontier as a queue) is made from the bitmap when a push needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import Device, DeviceArray, constants
from lagraph_gpu.notation.indexing import Axis

if TYPE_CHECKING:
    from lagraph_gpu.gpu.storage.layouts import Layout
    from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
    from lagraph_gpu.gpu.vector.lazy import Formula
    from semirings.algebra import Semiring

INT32_OFFSETS_BELOW = POSITIONS = 2**31 - 2**24
"""With fewer entries than this, row offsets have 32 bits, and no vector has as many positions: the
index of a loop may exceed the last position by the number of threads of a grid."""

WORD = np.dtype(np.uint32)
INDEX = np.dtype(np.int32)
SIZE = np.dtype(np.int64)
"""The type of counts and row offsets that may exceed 2³¹."""

EVERYWHERE = None, np.uint32(0)
"""The mask of all positions as kernels take it: a bitmap (None), and the word to xor it with."""

NOWHERE = np.int32(-1)
"""The position of a start vector that is not a ``Point``."""

SPAN = constants.SPAN
"""The number of entries between two positions at which the row number is stored."""


def words(n: int) -> int:
    """The number of words of a bitmap over n positions, at least 1, so that no array is empty."""
    return max(1, -(-n // 32))


def every_bit(n: int) -> np.ndarray:
    """The bitmap of all of n positions, on the host."""
    bits = np.full(words(n), -1, np.int32).view(WORD)
    bits[-1] >>= -n % 32
    return bits


def offset_for(entries: int) -> np.dtype:
    """The type of the row offsets of a matrix with so many entries."""
    return np.dtype(np.int32 if entries < INT32_OFFSETS_BELOW else np.int64)


def expect_numbered(size: int, what: str = "positions") -> None:
    """Raise TooLarge if loops over so many positions (or others) cannot count with 32 bits."""
    if size >= POSITIONS:
        raise TooLarge(
            f"expected fewer than {POSITIONS:,} {what} on a GPU, got {size:,}; "
            "use lg.set_backend('cpu')"
        )


def widest(*offsets: np.dtype) -> np.dtype:
    """The widest of these types of row offsets."""
    return max(offsets, key=lambda offset: offset.itemsize)


class Point(NamedTuple):
    """A vector's only entry, before it is written to memory. A search often starts from one, and
    its kernel takes it as an argument."""

    at: np.int32
    value: np.generic
    write: Callable[..., None]
    """Writes the entry to the arrays of a vector."""


class Predecessors(NamedTuple):
    """The predecessors that a closure found: the matrix and whether it was transposed, the
    semiring, the only position with a value at the start, and for each entry the tail of an
    edge."""

    matrix: DeviceMatrix
    transposed: bool
    semiring: Semiring
    root: np.int32
    tails: DeviceVector


class DeviceVector:
    """A vector of ``size`` positions: bit i of ``bits`` says whether ``values[i]`` is an entry.

    Memory is allocated when it is first used, so that an output without entries costs none until it
    is written. ``count`` is the number of entries if it is known: then nothing waits for it, and
    the bitmap of a full vector is not read.
    """

    multiplied_by: DeviceMatrix | None = None
    """The matrix by which this vector was last multiplied: counting its entries also sums their
    degrees in it."""
    edges: int | None = None
    """The sum of these degrees, if it has been counted."""
    listing: DeviceArray | None = None
    """A list of the entries in any order, in an array that may be longer, if a schedule has asked
    for it."""
    queued: DeviceArray | None = None
    """The length of that list on the device, if the host does not know it."""
    formula: Formula | None = None
    """The deferred formula for the contents, if there is one (see lazy.py)."""
    owner: Any = None
    """The object that computes the formula."""
    room: tuple[DeviceArray, DeviceArray] | None = None
    """The arrays that the formula is computed into: those of the previous contents, if there are
    any."""
    below: int | None = None
    """All values are known to be at least 0 and below this one, if it is given."""
    used: tuple[DeviceArray, Callable[[], np.ndarray]] | None = None
    """For labels: how many are in use up to each, and what waits for the last of these numbers."""
    captured = False
    """True if a deferred formula may read this vector, so that it must not be overwritten."""
    shared = False
    """True if another library uses its memory, so that no update of it is deferred."""
    reserved: tuple[Any, ...] | None = None
    """Memory that a kernel has written and that has no array objects yet; None in place of values
    that are all the same (``every``)."""
    renumbered: tuple[Layout, DeviceVector] | None = None
    """A layout and this vector in its numbers, if it was computed in these."""
    predecessors: Predecessors | None = None
    """The predecessors of its values, if they were stored during the search."""
    every: np.generic | None = None
    """The value of all entries, if it is known to be one and the array of values has not been
    made."""
    point: Point | None = None
    """The only entry, as long as it has not been written to arrays."""

    def __init__(
        self, size: int, dtype: np.dtype, bits: DeviceArray | None = None,
        values: DeviceArray | None = None, *, full: bool = False, count: int | None = None,
        device: Device | None = None,
    ) -> None:  # fmt: skip
        """A vector over these arrays. Arrays that are not given come from ``device`` when they are
        needed."""
        if size >= POSITIONS:
            expect_numbered(size)
        self.size, self.dtype, self.count = size, dtype, size if full else count
        self._device: Any = device
        if bits is not None:
            self.bits = bits
        if values is not None:
            self.values = values

    @cached_property
    def bits(self) -> DeviceArray:
        if self.formula is not None:
            self.owner.settle(self)
            return self.__dict__["bits"]
        if self.reserved is not None:
            return self._described("bits")
        self.__dict__["bits"] = self._device.zeros(words(self.size), WORD)
        return self._placed("bits")

    @cached_property
    def values(self) -> DeviceArray:
        if self.formula is not None:
            self.owner.settle(self)
            return self.__dict__["values"]
        if self.reserved is not None:
            return self._described("values")
        self.__dict__["values"] = self._device.empty(max(1, self.size), self.dtype)
        return self._placed("values")

    def _placed(self, name: str) -> DeviceArray:
        """The array of this name, after the only entry has been written if there is a ``Point``."""
        point, self.point = self.point, None
        if point is not None:
            point.write(point.at, point.value, self.bits, self.values)
        return self.__dict__[name]

    def _described(self, name: str) -> DeviceArray:
        """The array of this name, after array objects have been made for the reserved memory."""
        assert self.reserved is not None
        bits, values = self.reserved
        self.__dict__.setdefault("bits", self._device.described(bits))
        held = (
            self._device.full(self.size, self.every, self.dtype)
            if values is None
            else self._device.described(values)
        )
        self.__dict__.setdefault("values", held)
        self.reserved = self.every = None  # values may change from here on
        return self.__dict__[name]

    @property
    def parts(self) -> tuple[Any, ...]:
        """Bitmap and values as kernels take them."""
        return self.reserved or (self.bits, self.values)

    def begins(self, dtype: np.dtype, to: Any) -> tuple[Any, ...]:
        """The start of a search as kernels take it: for a ``Point`` its position, its value, and
        the array ``to`` that translates the position; for other vectors the bitmap and the
        values."""
        if self.point is None:
            return NOWHERE, dtype.type(0), None, self.present, self.values
        return self.point.at, dtype.type(self.point.value), to, None, None

    @property
    def unwritten(self) -> bool:
        """True if the vector has neither a bitmap nor an entry."""
        waits = self.formula is not None or self.point is not None or self.reserved is not None
        return "bits" not in self.__dict__ and not waits

    @property
    def memory(self) -> tuple[DeviceArray, DeviceArray] | None:
        """Its arrays, or None if it does not have both."""
        return (self.bits, self.values) if {"bits", "values"} <= self.__dict__.keys() else None

    @property
    def full(self) -> bool:
        """True if every position is known to hold an entry."""
        return self.count == self.size

    @full.setter
    def full(self, full: bool) -> None:
        self.changed(self.size if full else None)

    @property
    def present(self) -> DeviceArray | None:
        """The bitmap as kernels read it; None for a full vector."""
        return None if self.full else self.bits

    @classmethod
    def empty(cls, device: Device, size: int, dtype: np.dtype) -> Self:
        """A vector without entries, for a kernel to add some."""
        return cls(size, dtype, device=device)

    @classmethod
    def allocated(cls, device: Device, size: int, dtype: np.dtype) -> Self:
        """A vector for a kernel that writes every word of the bitmap."""
        result = cls(size, dtype, device=device)
        if size:
            result.bits = device.empty(words(size), WORD)
        return result

    @classmethod
    def to_fill(
        cls, device: Device, size: int, dtype: np.dtype, every: np.generic | None = None
    ) -> Self:
        """A vector for a kernel that takes ``parts`` and writes every word of the bitmap. There is
        no array of values if all entries have the value ``every``."""
        result = cls(size, dtype, device=device)
        if size and every is not None:
            result.every, result.reserved = every, (*device.reserve((words(size), WORD)), None)
        elif size:
            result.reserved = device.reserve((words(size), WORD), (size, dtype))
        return result

    def set_matrix(self, matrix: DeviceMatrix | None) -> None:
        """Set the matrix whose rows are the edges of the entries, before a multiplication."""
        if matrix is not self.multiplied_by:
            self.multiplied_by, self.edges = matrix, None

    def changed(self, count: int | None) -> None:
        """Forget what was known about the entries, after they have changed; ``count`` is their
        number, or None if it is not known."""
        self.count, self.edges, self.listing, self.queued = count, None, None, None
        self.renumbered = self.predecessors = self.below = self.used = None


def at_least_one(array: np.ndarray) -> np.ndarray:
    return array if array.size else np.zeros(1, array.dtype)


def indices_of(axis: Axis, size: int) -> np.ndarray:
    """The positions that an axis of an index selects."""
    return np.arange(size, dtype=INDEX) if axis is None else np.atleast_1d(axis).astype(INDEX)
