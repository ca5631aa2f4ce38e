"""The index between the brackets of `v[I]` and `A[I, J]`.

An index is read into one entry for each axis: a position, an array of positions, or None for the
whole axis. As in Python, a negative position counts from the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lagraph_gpu.convert.interchange import as_numpy, on_device
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, WrongKind, WrongType, brief
from lagraph_gpu.memory import expect_room, guarded
from semirings import types

LONGEST_LISTED_SLICE = 1 << 16
"""A slice of at most so many positions is an array of them."""

FEW_POSITIONS = 16


@dataclass(frozen=True)
class Progression:
    """The positions of a long slice: every `step`-th one from `begin` on, `size` of them.

    NumPy takes it for an array. A backend that reads it as numbers needs no memory for it.
    """

    begin: int
    step: int
    size: int

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """All positions, if there is room for them."""
        expect_room(16 * self.size, f"a slice of {self.size:,} positions", "take a shorter one")
        end = self.begin + self.step * self.size
        return np.arange(self.begin, end, self.step, dtype=np.dtype(dtype or np.int64))

    def __getitem__(self, numbers: np.ndarray) -> np.ndarray:
        """The positions with these numbers in the slice."""
        return self.begin + self.step * numbers

    @property
    def slice(self) -> slice:
        """The positions as a slice of Python."""
        end = self.begin + self.step * self.size
        return slice(self.begin, end if end >= 0 else None, self.step)

    def numbers(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of these positions belong to the slice, and the number of each that does."""
        number, rest = np.divmod(positions - self.begin, self.step)
        inside = (rest == 0) & (number >= 0) & (number < self.size)
        return inside, number[inside]


Axis = int | np.ndarray | Progression | None
Axes = tuple[Axis, ...]
Region = tuple[np.ndarray | Progression | None, ...]


def axes_of(index: Any, shape: tuple[int, ...]) -> Axes:
    """The entries, axis by axis, of an index of a container of this shape.

    >>> axes_of((-1, slice(2)), (4, 9))
    (3, array([0, 1]))
    """
    if index is Ellipsis:
        return (None,) * len(shape)
    given = index if isinstance(index, tuple) else (index,)
    if len(given) != len(shape):
        form = "v[i]" if len(shape) == 1 else "A[i, j]"
        raise WrongType(f"expected {len(shape)} indices, as in {form}, got [{brief(index)}]")
    return tuple([axis_of(one, size) for one, size in zip(given, shape, strict=True)])


def axis_of(index: Any, size: int) -> Axis:
    """The entry for one axis, from an integer, a Scalar, a slice or a list of integers."""
    if type(index) is int and -size <= index < size:
        return index if index >= 0 else index + size
    scalar = hasattr(index, "is_cscalar")  # a mask has a value, too
    return positions_of(index.value if scalar else index, size)


@guarded
def positions_of(index: Any, size: int) -> Axis:
    """The entry for one axis, from anything else than an integer that is a position as it is."""
    if isinstance(index, slice):
        if index == slice(None):
            return None
        try:
            chosen = range(*index.indices(size))
            if chosen == range(size):
                return None
            return stepped(chosen.start, chosen.step, length(chosen))
        except (TypeError, ValueError) as error:
            raise InvalidValue(
                f"expected a slice of integers, got {brief(index)}: {error}"
            ) from None
    if hasattr(index, "backend"):  # a vector, a matrix or an expression
        raise no_index(index)
    if on_device(index):
        raise WrongType(
            f"expected indices on the host, got {type(index).__name__} on a GPU; copy them with "
            ".get() (CuPy) or .cpu() (PyTorch)"
        )
    if isinstance(index, (list, tuple)):
        index = [getattr(one, "value", one) for one in index]
    try:
        array = as_numpy(index) if hasattr(index, "to_numpy") else np.asarray(index)
    except ValueError:  # lists of different lengths
        array = np.empty((), object)
    if isinstance(index, np.ma.MaskedArray) and np.ma.is_masked(index):
        raise InvalidValue(f"expected indices of which none is masked, got {brief(index)}")
    if array.ndim == 1 and array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise no_index(index, array.dtype.kind)
    low, high = int(array.min()), int(array.max())
    if low < -size or high >= size:
        raise IndexOutOfBound(
            f"expected indices from {-size} to {size - 1}, got {low if low < -size else high}"
        )
    wrapped = array.astype(np.int64)
    if low < 0:
        wrapped[wrapped < 0] += size
    return int(wrapped) if array.ndim == 0 else wrapped


def stepped(begin: int, step: int, size: int) -> np.ndarray | Progression:
    """Every `step`-th position from `begin` on, `size` of them.

    >>> stepped(7, -3, 2)
    array([7, 4])
    """
    if size > LONGEST_LISTED_SLICE:
        return Progression(begin, step, size)
    return np.arange(begin, begin + step * size, step, dtype=np.int64)


def no_index(index: Any, kind: str = "") -> WrongKind:
    """The error for what is no index; NumPy reads it as an array of this kind."""
    hint = ""
    if kind in ("U", "S"):
        hint = "; G.position(label) leads from a label to an index, and G.named(v) reads by label"
    elif getattr(index, "dtype", None) == types.BOOL:
        hint = "; v.select('>', 1) has the entries of which a condition holds"
    return WrongKind(
        f"expected an integer, a slice or a list of integers as index, got {brief(index)}{hint}"
    )


def length(chosen: range) -> int:
    """The number of elements of a range, which may be more than `len` can tell."""
    return max(0, -((chosen.start - chosen.stop) // chosen.step))


def extent(axes: Axes, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the part that `axes` names. An integer removes its axis."""
    sizes = [
        size if axis is None else axis.size
        for axis, size in zip(axes, shape)
        if not isinstance(axis, int)
    ]
    return tuple(sizes)


def each_once(axes: Axes) -> Axes:
    """The positions of each axis without repetitions, for one value that all of them are given."""
    return tuple(
        distinct(axis) if isinstance(axis, np.ndarray) and repeats(axis) else axis for axis in axes
    )


def region_of(axes: Axes) -> Region:
    """The region of these positions, with all axes kept; an index that names a position twice is
    refused."""
    for axis in axes:
        if isinstance(axis, np.ndarray) and repeats(axis):
            raise InvalidValue(
                "expected each index once to assign to, got some of them twice; remove duplicates"
            )
    return tuple(np.array([axis]) if isinstance(axis, int) else axis for axis in axes)


def repeats(positions: np.ndarray) -> bool:
    """True if some position occurs twice. O(n) for increasing or decreasing positions."""
    if positions.size <= FEW_POSITIONS:  # NumPy takes longer for these
        return len(set(positions.tolist())) < positions.size
    one, next_one = positions[:-1], positions[1:]
    if np.logical_and.reduce(next_one > one) or np.logical_and.reduce(next_one < one):
        return False
    return distinct(positions).size < positions.size


def distinct(values: np.ndarray) -> np.ndarray:
    """The different values in increasing order, found by sorting.

    Since NumPy 2.3 `np.unique` uses a hash table, which takes seconds for a million integers.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(ordered.size, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
