"""Arrays as bytes to send, and the entries of a vector in the fewest bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

NO_VALUE = np.dtype("V0")
"""The type of values that nobody reads."""

LIST, BITMAP, FULL, MISSING = range(4)
"""How the positions of a vector are encoded; the first byte says it."""


def as_bytes(array: np.ndarray) -> np.ndarray:
    """The bytes of an array of one dimension."""
    if not array.dtype.itemsize:
        return np.empty(0, np.uint8)
    return np.ascontiguousarray(array).view(np.uint8)


def joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Arrays of one length as bytes, one array after another."""
    return np.concatenate([as_bytes(array) for array in arrays])


def divided(data: np.ndarray, dtypes: Sequence[np.dtype]) -> list[np.ndarray]:
    """The arrays of these types that were joined to these bytes."""
    count = data.size // sum(dtype.itemsize for dtype in dtypes)
    ends = np.cumsum([0, *(count * dtype.itemsize for dtype in dtypes)]).tolist()
    parts = [data[a:b].copy() for a, b in pairwise(ends)]
    return [
        part.view(dtype) if dtype.itemsize else np.empty(count, dtype)
        for part, dtype in zip(parts, dtypes, strict=True)
    ]


def bundle(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Several arrays of bytes as one, which begins with their sizes."""
    sizes = np.array([part.size for part in parts], np.int64)
    return np.concatenate([as_bytes(sizes), *parts])


def unbundled(data: np.ndarray, count: int) -> list[np.ndarray]:
    """The arrays that were bundled.

    >>> unbundled(bundle([np.arange(n, dtype=np.uint8) for n in (1, 0, 2)]), 3)[2].tolist()
    [0, 1]
    """
    sizes = data[: 8 * count].copy().view(np.int64)
    ends = (8 * count + np.cumsum([0, *sizes])).tolist()
    return [data[begin:end] for begin, end in pairwise(ends)]


def merged(lists: Sequence[list[np.ndarray]]) -> list[np.ndarray]:
    """The entries of several lists, one after another."""
    return [np.concatenate(arrays) for arrays in zip(*lists, strict=True)]


def of_vector(places: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """The entries of a vector: its values, after a list of places, a bitmap or a list of the places
    without an entry, whichever is shortest, or nothing if it is full. Values of the type `NO_VALUE`
    take no bytes.

    >>> [of_vector(np.arange(n), np.zeros(n, np.int8), 64).size for n in (1, 2, 3, 63, 64)]
    [6, 11, 12, 72, 65]
    >>> [of_vector(np.arange(n), np.zeros(n, NO_VALUE), 640).size for n in (9, 99, 639, 640)]
    [37, 81, 9, 1]
    """
    form, held = form_of(places.size, size), []
    if form == LIST:
        held = [places.astype(place_type(size))]
    elif form != FULL:
        present = np.zeros(size, bool)
        present[places] = True
        held = [np.packbits(present)]
        if form == MISSING:
            missing = np.flatnonzero(~present).astype(place_type(size))
            held = [np.array([missing.size], missing.dtype), missing]
    return joined([np.array([form], np.uint8), *held, values])


def form_of(count: int, size: int) -> int:
    """How so many places of a vector of this size take the fewest bytes."""
    return int(np.argmin(bytes_of_forms(count, size)))


def bytes_of_places(count: int, size: int) -> int:
    """How many bytes `of_vector` has without values."""
    return 1 + min(bytes_of_forms(count, size))


def bytes_of_forms(count: int, size: int) -> list[int]:
    """How many bytes so many places of a vector of this size take in each form."""
    each, full = place_type(size).itemsize, 0 if count == size else size + 1
    return [each * count, -(-size // 8), full, each * (1 + size - count)]


def vector_of(data: np.ndarray, size: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """The places and the values of a vector from the bytes of `of_vector`."""
    if data[0] == LIST:
        places, values = divided(data[1:], [place_type(size), dtype])
        return places.astype(np.int64), values
    present, rest = present_of(data, size)
    places = np.flatnonzero(present)
    values = rest.copy().view(dtype) if dtype.itemsize else np.empty(places.size, dtype)
    return places, values


def present_of(data: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether each place of a vector has an entry, from the bytes of `of_vector`, and the bytes of
    its values; a list of places has to be without."""
    form, rest, each = data[0], data[1:], place_type(size)
    if form == BITMAP:
        used = -(-size // 8)
        return np.unpackbits(rest[:used], count=size).view(bool), rest[used:]
    present, used = np.full(size, form != LIST), 0
    if form == LIST:
        present[divided(rest, [each])[0]] = True
        used = rest.size
    elif form == MISSING:
        used = each.itemsize * (1 + int(rest[: each.itemsize].copy().view(each)[0]))
        present[rest[each.itemsize : used].copy().view(each)] = False
    return present, rest[used:]


def place_type(size: int) -> np.dtype:
    """The type of a place in a vector of this size."""
    return np.dtype(np.int32 if size < 2**31 else np.int64)
