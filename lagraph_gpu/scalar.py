"""A number that may be absent: the result of a reduction or of reading one entry."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend, resolve
from semirings import types
from semirings.algebra import BinaryOp


class Scalar:
    """One value of a type, or none. It lives on the host.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([0, 2], [5, 6])
    >>> v.reduce("plus").new().value
    11
    """

    shape: tuple[int, ...] = ()

    def __init__(self, dtype: Any, *, backend: str | Backend | None = None) -> None:
        self.dtype = types.lookup(dtype)
        self.backend = resolve(backend)
        self._store: np.generic | None = None

    @property
    def value(self) -> Any:
        """The number as a Python object, or None if there is none."""
        return None if self._store is None else self._store.item()

    @property
    def nvals(self) -> int:
        return 0 if self._store is None else 1

    def get(self, default: Any = None) -> Any:
        """The number, or ``default`` if there is none."""
        return default if self._store is None else self.value

    def put(self, found: Any, accum: BinaryOp | None = None) -> None:
        """What a backend found becomes this scalar's value, or joins it; None is no value."""
        if accum is not None and (found is None or self._store is None):
            found = self._store if found is None else found
        elif accum is not None:
            found = accum.evaluate(self._store, types.cast(found, self.dtype))
        self._store = None if found is None else types.cast(found, self.dtype)

    def __repr__(self) -> str:
        return f"Scalar({self.value}, {types.name(self.dtype)})"
