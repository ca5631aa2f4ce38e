"""Arrays that grow at their end without a copy."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np


class GrowingArray:
    """An array whose length is not known beforehand, or only as a bound.

    It lies in pages of its own, which Linux moves to where there are more of them (`mremap`): at no
    time do the old and the new array exist together. `numpy.ndarray.resize` did the same up to
    NumPy 2.4, and copies from 2.5 on.

    >>> some = GrowingArray(np.int64)
    >>> for part in ([1, 2], [], [3]):
    ...     some.append(np.array(part, np.int64))
    >>> some.array().tolist()
    [1, 2, 3]
    >>> some.shrink(2)
    >>> some.array().tolist()
    [1, 2]
    """

    def __init__(self, dtype: Any, size: int = 0) -> None:
        """So many zeros, which take no memory before something else is written there."""
        self.dtype, self.size = np.dtype(dtype), 0
        self._pages: mmap.mmap | None = None
        self._grow(size)

    @property
    def nbytes(self) -> int:
        """The bytes of the entries."""
        return self.size * self.dtype.itemsize

    def append(self, part: np.ndarray) -> None:
        """Entries after those that are there. Raises MemoryError if there is no room for them."""
        if part.size:
            begin = self.size
            self._grow(part.size)
            self.array()[begin:] = part

    def shrink(self, size: int) -> None:
        """Keep so many of the entries, and give the memory of others back. Nobody may hold an array
        of them."""
        if size < self.size and self._pages is not None:
            self.size = size
            if size:
                self._pages.resize(self.nbytes)
            else:
                self._pages.close()
                self._pages = None

    def _grow(self, more: int) -> None:
        if more == 0:
            return
        begin, self.size = self.size, self.size + more
        try:
            if self._pages is None:
                private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
                self._pages = mmap.mmap(-1, self.nbytes, flags=private)
            else:
                self._pages.resize(self.nbytes)
        except OSError as problem:
            self.size = begin
            raise MemoryError(f"an array of {self.nbytes:,} bytes cannot grow") from problem

    def array(self) -> np.ndarray:
        """The entries. While somebody holds the array, no more can be appended."""
        if self._pages is None:
            return np.empty(0, self.dtype)
        return np.frombuffer(self._pages, self.dtype, self.size)
