"""Arrays as bytes to send, and the entries of a vector in the fewest bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

NO_VALUE = np.dtype("V0")
"""The type of values that nobody reads."""

LIST, BITMAP, FULL = range(3)
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
    """The entries of a vector: its values, after a list of places or a bitmap, whichever is
    shorter, or neither if it is full. Values of the type `NO_VALUE` take no bytes.

    >>> [of_vector(np.arange(n), np.zeros(n, np.int8), 64).size for n in (1, 2, 3, 63, 64)]
    [6, 11, 12, 72, 65]
    """
    list_of_places = places.astype(place_type(size))
    if places.size == size:
        return joined([np.array([FULL], np.uint8), values])
    if 8 * list_of_places.nbytes <= size:
        return joined([np.array([LIST], np.uint8), list_of_places, values])
    held = np.zeros(size, bool)
    held[places] = True
    return joined([np.array([BITMAP], np.uint8), np.packbits(held), values])


def vector_of(data: np.ndarray, size: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """The places and the values of a vector from the bytes of `of_vector`."""
    form, rest = data[0], data[1:]
    if form == LIST:
        places, values = divided(rest, [place_type(size), dtype])
        return places.astype(np.int64), values
    bits = 0 if form == FULL else -(-size // 8)
    held = np.ones(size, bool) if form == FULL else np.unpackbits(rest[:bits], count=size)
    places = np.flatnonzero(held)
    values = rest[bits:].copy().view(dtype) if dtype.itemsize else np.empty(places.size, dtype)
    return places, values


def place_type(size: int) -> np.dtype:
    """The type of a place in a vector of this size."""
    return np.dtype(np.int32 if size < 2**31 else np.int64)
