"""How the GPU keeps vectors, and of what types.

A vector is a bitmap of its entries and a dense array of values, so that any position is read and
written in one step and a mask is a word of 32. The list of its entries, the frontier as a queue, is
made from the bitmap when a push needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.gpu.device.port import Device, DeviceArray
from lagraph_gpu.notation.indexing import Axis

if TYPE_CHECKING:
    from lagraph_gpu.gpu.storage.layouts import Layout
    from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
    from lagraph_gpu.gpu.vector.lazy import Formula
    from semirings.algebra import Semiring

FEW_ENTRIES = POSITIONS = 2**31 - 2**24
"""Below this, offsets have 32 bits, and more positions has no vector: a loop may step past the end
by the threads of a grid."""

WORD = np.dtype(np.uint32)
INDEX = np.dtype(np.int32)
SIZE = np.dtype(np.int64)
"""Of counts and row offsets that may pass 2³¹."""

EVERYWHERE = None, np.uint32(0)
"""A mask as kernels take it, a bitmap and what to xor it with, that wants all positions."""

NOWHERE = np.int32(-1)
"""The position of a start that is no ``Point``."""

SPAN = constants.SPAN
"""Entries from one known row number to the next."""


def words(n: int) -> int:
    """Words of a bitmap over n positions; at least one, so that no array is empty."""
    return max(1, -(-n // 32))


def offset_for(entries: int) -> np.dtype:
    """The type of the row offsets of a matrix with so many entries."""
    return np.dtype(np.int32 if entries < FEW_ENTRIES else np.int64)


def expect_numbered(size: int) -> None:
    """Loops over so many positions count with 32 bits (TooLarge)."""
    if size >= POSITIONS:
        raise TooLarge(
            f"expected fewer than {POSITIONS:,} positions on a GPU, got {size:,}; "
            "use lg.set_backend('cpu')"
        )


def widest(*offsets: np.dtype) -> np.dtype:
    """The type of row offsets that holds those of all these types."""
    return max(offsets, key=lambda offset: offset.itemsize)


class Point(NamedTuple):
    """An entry that is not in memory yet: a search begins with one, and its kernel takes it as an
    argument."""

    at: np.int32
    value: np.generic
    write: Callable[..., None]
    """Puts the entry into the arrays of a vector."""


class Predecessors(NamedTuple):
    """Where the values of a closure came from: the matrix, whether its transpose was meant, ⊕ and
    ⊗, the only position that had a value at first, and for each entry the tail of an edge."""

    matrix: DeviceMatrix
    transposed: bool
    semiring: Semiring
    root: np.int32
    tails: DeviceVector


class DeviceVector:
    """``size`` positions: bit i of ``bits`` tells whether ``values[i]`` is an entry.

    Memory is taken when it is first asked for, so that an output without entries costs none until
    it is written. ``count`` is the number of entries where that is certain: then nobody waits for
    it, and of a full vector nobody reads the bitmap.
    """

    multiplied_by: DeviceMatrix | None = None
    """The matrix this vector last met: counting its entries also sums their degrees there."""
    edges: int | None = None
    """The sum of these degrees, where they have been counted."""
    listing: DeviceArray | None = None
    """The entries as a list, in any order, in room for more, where a schedule has asked for it."""
    queued: DeviceArray | None = None
    """How long that list is, where nobody has counted but the push that wrote it."""
    formula: Formula | None = None
    """What it will hold when somebody looks, if it waits (see lazy.py)."""
    owner: Any = None
    """Who computes that."""
    room: tuple[DeviceArray, DeviceArray] | None = None
    """Where to: the memory of what the output held before, if that has any."""
    captured = False
    """May a formula that waits read it? Then nobody writes to it."""
    shared = False
    """Is its memory another library's, too? Then nothing of it waits."""
    reserved: tuple[Any, ...] | None = None
    """Memory for the arrays that a kernel has written, as long as nobody has asked for them; none
    for values that are all the same (``every``)."""
    renumbered: tuple[Layout, DeviceVector] | None = None
    """The same under the numbers of a layout, where it was found under these."""
    predecessors: Predecessors | None = None
    """Where its values came from, if that was noted when they were found."""
    every: np.generic | None = None
    """What each entry holds, where that is one number and nobody has asked for the values."""
    point: Point | None = None
    """The only entry, as long as nobody has asked for the arrays that hold it."""

    def __init__(
        self, size: int, dtype: np.dtype, bits: DeviceArray | None = None,
        values: DeviceArray | None = None, *, full: bool = False, count: int | None = None,
        device: Device | None = None,
    ) -> None:  # fmt: skip
        """Over these arrays; ``device`` is where those that are not given come from."""
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
        """The array of that name, when the only entry has been written, if there is one."""
        point, self.point = self.point, None
        if point is not None:
            point.write(point.at, point.value, self.bits, self.values)
        return self.__dict__[name]

    def _described(self, name: str) -> DeviceArray:
        """The array of that name, when reserved memory has become both."""
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
        """What a search from here begins with, as kernels take it: the place and value of the only
        entry, and what leads from that place to the one meant; or bitmap and values."""
        if self.point is None:
            return NOWHERE, dtype.type(0), None, self.present, self.values
        return self.point.at, dtype.type(self.point.value), to, None, None

    @property
    def unwritten(self) -> bool:
        """Has it no bitmap yet, and no entries?"""
        waits = self.formula is not None or self.point is not None or self.reserved is not None
        return "bits" not in self.__dict__ and not waits

    @property
    def memory(self) -> tuple[DeviceArray, DeviceArray] | None:
        """Its arrays, if it has them."""
        return (self.bits, self.values) if {"bits", "values"} <= self.__dict__.keys() else None

    @property
    def full(self) -> bool:
        """Is every position known to hold an entry?"""
        return self.count == self.size

    @full.setter
    def full(self, full: bool) -> None:
        self.changed(self.size if full else None)

    @property
    def present(self) -> DeviceArray | None:
        """The bitmap as kernels read it: none for a full vector."""
        return None if self.full else self.bits

    @classmethod
    def empty(cls, device: Device, size: int, dtype: np.dtype) -> Self:
        """A vector without entries, for a kernel to add some."""
        return cls(size, dtype, device=device)

    @classmethod
    def allocated(cls, device: Device, size: int, dtype: np.dtype) -> Self:
        """Room for a kernel that writes every word of the bitmap."""
        result = cls(size, dtype, device=device)
        if size:
            result.bits = device.empty(words(size), WORD)
        return result

    @classmethod
    def to_fill(
        cls, device: Device, size: int, dtype: np.dtype, every: np.generic | None = None
    ) -> Self:
        """Room for a kernel that writes every word of the bitmap, and takes ``parts``: of those no
        values if each entry holds the same."""
        result = cls(size, dtype, device=device)
        if size and every is not None:
            result.every, result.reserved = every, (*device.reserve((words(size), WORD)), None)
        elif size:
            result.reserved = device.reserve((words(size), WORD), (size, dtype))
        return result

    def meets(self, matrix: DeviceMatrix | None) -> None:
        """It is about to be multiplied, and its entries' edges are rows of this matrix."""
        if matrix is not self.multiplied_by:
            self.multiplied_by, self.edges = matrix, None

    def changed(self, count: int | None) -> None:
        """It holds other entries than before: so many, or nobody knows how many."""
        self.count, self.edges, self.listing, self.queued = count, None, None, None
        self.renumbered = self.predecessors = None


def at_least_one(array: np.ndarray) -> np.ndarray:
    return array if array.size else np.zeros(1, array.dtype)


def indices_of(axis: Axis, size: int) -> np.ndarray:
    """The positions that an axis of an index names."""
    return np.arange(size, dtype=INDEX) if axis is None else np.atleast_1d(axis).astype(INDEX)
