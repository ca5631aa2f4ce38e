"""Vectors that are arrays of the host until a statement reads or writes them.

Most results of compiled loops are only read, and to hand over an array to a library that runs
statements takes as long as a search in a small graph.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Backend

MOST_ALIKE = 1 << 16
"""The largest size of a vector with one value for all positions that is an array of so many values:
a store may hold the value once."""

HANDING_OVER = threading.RLock()
"""Held while arrays become a store, so that two threads do not hand over the same ones. What runs
in the middle of that in the same thread, such as a handler of a signal, may read other vectors."""

if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(
        before=HANDING_OVER.acquire,
        after_in_parent=HANDING_OVER.release,
        after_in_child=HANDING_OVER.release,
    )


class Arrays(NamedTuple):
    """The values of a vector, which nobody else holds."""

    values: np.ndarray
    known: np.ndarray | None
    """Where there is an entry; None if there is one at each position. Several vectors may have the
    same, and nobody writes to it."""
    store: Callable[[np.ndarray, np.ndarray | None], Any]
    """Makes the store of a backend, which may take over the values."""

    def copy(self) -> Arrays:
        """The same in new arrays."""
        known = None if self.known is None else self.known.copy()
        return Arrays(self.values.copy(), known, self.store)

    @property
    def nvals(self) -> int:
        """The number of entries."""
        return self.values.size if self.known is None else int(np.count_nonzero(self.known))

    def entries(self) -> tuple[np.ndarray, np.ndarray]:
        """The positions and the values of the entries, in new arrays."""
        if self.known is None:
            return np.arange(self.values.size), self.values.copy()
        places = np.flatnonzero(self.known)
        return places, self.values.take(places)

    def get(self, position: int) -> Any:
        """The value at a position, or None."""
        there = self.known is None or self.known[position]
        return self.values[position].item() if there else None


@dataclass(frozen=True)
class Built:
    """Makes stores of a backend from arrays, by copies of the entries."""

    backend: Backend

    def __call__(self, values: np.ndarray, known: np.ndarray | None) -> Any:
        places = np.arange(values.size) if known is None else np.flatnonzero(known)
        held = values if known is None else values[places]
        return self.backend.build_vector(values.size, places, held)


class StoreOfArrays:
    """The attribute `_store` of a vector, which is made of `_arrays` when it is first asked for. A
    vector that has a store has it in its `__dict__`, which comes before this."""

    def __get__(self, vector: Any, owner: Any = None) -> Any:
        if vector is None:
            return self
        held = vector.__dict__
        with HANDING_OVER:
            if "_store" not in held:
                values, known, store = held["_arrays"]
                held["_store"] = store(values, known)
                held["_arrays"] = None
            return held["_store"]
