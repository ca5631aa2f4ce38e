"""How vectors are made and read: arrays, dicts, bytes and other libraries' objects.

On the GPU backend an array that is on the device already (CuPy's, PyTorch's, anything that speaks
DLPack or ``__cuda_array_interface__``) is taken without a way over the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, named, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.build import (
    check_size,
    coordinates,
    filling,
    fold_duplicates,
    pairs_of,
    typed_values,
)
from lagraph_gpu.convert.interchange import on_device, present, scipy_array, with_gaps
from lagraph_gpu.errors import DimensionMismatch, OutputNotEmpty, WrongType
from lagraph_gpu.notation.expressions import Fill
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.update import Update, run
from semirings import types


class VectorData(Handle):
    """In and out of a vector."""

    @property
    def size(self) -> int:
        return self.shape[0]

    # --- making one --------------------------------------------------------------------------
    @classmethod
    def from_coo(
        cls,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from indices and as many values (or one value for all).

        ``size`` defaults to the largest index plus one. An index given twice is an error unless
        ``dup_op`` (a binary operator or a monoid) says how to combine. O(m log m).
        """
        index = coordinates(indices, size, "index")
        size = check_size(int(index.max(initial=-1)) + 1 if size is None else size)
        value = typed_values(values, index.size, dtype)
        index, value = fold_duplicates(index, np.broadcast_to(value, index.shape), dup_op)
        return cls._built(size, index, value, resolve(backend))

    @classmethod
    def _built(cls, size: int, index: np.ndarray, value: np.ndarray, backend: Backend) -> Self:
        return cls._stored(backend.build_vector(size, index, value), size, value.dtype, backend)

    @classmethod
    def _stored(cls, store: Any, size: int, dtype: np.dtype, backend: Backend) -> Self:
        twin = object.__new__(cls)
        twin.shape, twin.dtype, twin.backend, twin._store = (size,), dtype, backend, store
        return twin

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[Any],
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from (index, value) pairs, otherwise as ``from_coo``.

        >>> import lagraph_gpu as lg
        >>> lg.Vector.from_pairs([(0, 5), (3, 7)], backend="cpu").to_dict()
        {0: 5, 3: 7}
        """
        indices, values = pairs_of(pairs, 2, "(index, value) pairs")
        return cls.from_coo(indices, values, dtype, size=size, dup_op=dup_op, backend=backend)

    @classmethod
    def from_dict(
        cls,
        d: Mapping[int, Any],
        dtype: Any = None,
        *,
        size: int | None = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from ``{index: value}``; ``size`` defaults to the largest index plus one."""
        return cls.from_coo(list(d), list(d.values()), dtype, size=size, backend=backend)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        copy: bool = True,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from a one-dimensional array; positions equal to ``missing_value``, and those
        masked in a masked array, stay empty.

        An array on the GPU (of CuPy, PyTorch, …) stays there. Vectors are written in place, so it
        is copied on the device; ``copy=False`` shares its memory where the type fits, and then what
        either side writes the other sees. Arrays on the host are always copied.
        """
        to = resolve(backend)
        if on_device(values):
            store = to.exchange.adopt_vector(values, missing_value, dtype, copy)
            return cls._stored(store, store.size, store.dtype, to)
        dense, unmasked = with_gaps(values)
        if dense.ndim != 1:
            raise DimensionMismatch(f"expected a one-dimensional array, got shape {dense.shape}")
        dense = typed_values(dense, dense.size, dtype)
        index = np.flatnonzero(present(dense, missing_value, unmasked))
        return cls._built(check_size(dense.size), index, dense[index], to)

    @classmethod
    def from_scalar(
        cls, value: Any, size: int, dtype: Any = None, *, backend: str | Backend | None = None
    ) -> Self:
        """A full vector of one value."""
        held = typed_values(number(value), 1, dtype)
        to, shape = resolve(backend), (check_size(size),)
        twin = cls._stored(to.empty(shape, held.dtype), size, held.dtype, to)
        run(Update(twin, Fill(held[0], shape, held.dtype, to)))
        return twin

    @classmethod
    def from_graphblas(
        cls, vector: Any, *, copy: bool = True, backend: str | Backend | None = None
    ) -> Self:
        """Take a python-graphblas Vector.

        On the CPU backend ``copy=False`` makes that very object this vector's store: what either
        side writes the other sees.
        """
        cpu = named("cpu")
        store, shape, dtype = cpu.exchange.wrap(vector)
        if len(shape) != 1:
            raise WrongType("expected a Vector of python-graphblas, got a Matrix")
        store = cpu.copy(store) if copy else store
        return cls._stored(store, shape[0], dtype, cpu).to(resolve(backend))

    @classmethod
    def deserialize(cls, data: Any, *, backend: str | Backend | None = None) -> Self:
        """The vector that ``serialize`` made these bytes of; other bytes are refused."""
        (size,), index, value = serialize.vector(data)
        return cls._built(check_size(size), index, value, resolve(backend))

    def build(
        self,
        indices: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        size: int | None = None,
    ) -> None:
        """Put entries into this vector, which must be empty unless ``clear`` empties it first.

        The values take this vector's type; ``size`` changes its size.
        """
        self._expect_free()
        if not clear and self.nvals:
            raise OutputNotEmpty(
                f"expected a vector without entries to build, got {self.nvals}; pass clear=True"
            )
        size = self.size if size is None else size
        made = self.from_coo(
            indices, values, self.dtype, size=size, dup_op=dup_op, backend=self.backend
        )
        self.shape, self._store = made.shape, made._store

    # --- reading it --------------------------------------------------------------------------
    def to_coo(
        self,
        dtype: Any = None,
        *,
        indices: bool = True,
        values: bool = True,
        sort: bool = True,
        device: bool = False,
    ) -> tuple[Any, Any]:
        """(indices, values) by increasing index, as NumPy arrays (waits).

        What is not asked for (``indices=False``, ``values=False``) is None. ``sort`` is there for
        python-graphblas' sake: the indices are always sorted. With ``device=True`` the arrays are
        fresh ones on the vector's device: CuPy's on the GPU, where the indices are INT32.
        """
        if device:
            index, value = self.backend.exchange.vector_entries(self._store)
        else:
            index, value = self.backend.vector_entries(self._store)
        if dtype is not None and types.lookup(dtype) != self.dtype:
            return self.dup(dtype).to_coo(indices=indices, values=values, device=device)
        return index if indices else None, value if values else None

    def to_dense(
        self, fill_value: Any = None, dtype: Any = None, *, device: bool = False
    ) -> np.ndarray:
        """All positions as one NumPy array; where there is no entry, ``fill_value`` (waits).

        The type is the vector's, or a wider one where it cannot hold ``fill_value``. With
        ``device=True`` the array is a fresh one on the vector's device (CuPy's on the GPU, NumPy's
        on the CPU). To share memory instead, see ``__dlpack__``.

        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1], [5], size=3, backend="cpu")
        >>> v.to_dense(fill_value=-1).tolist(), v.to_dense(fill_value=0.5).tolist()
        ([-1, 5, -1], [0.5, 5.0, 0.5])
        """
        if device:
            count = self.size if fill_value is not None else self.nvals
        else:
            index, value = self.backend.vector_entries(self._store)
            count = self.size if fill_value is not None else index.size
        if count < self.size:
            raise WrongType(
                f"expected fill_value for the {self.size - count} positions without an entry"
            )
        fill, to = filling(self.dtype, fill_value, dtype)
        if device:
            return self.backend.exchange.vector_dense(self._store, fill, to)
        dense = np.full(self.size, fill, to)
        dense[index] = types.cast(value, to)
        return dense

    def to_dict(self) -> dict[int, Any]:
        """``{index: value}`` in Python's numbers (waits)."""
        index, value = self.to_coo()
        return dict(zip(index.tolist(), value.tolist(), strict=True))

    def to_graphblas(self, *, copy: bool = True) -> Any:
        """This vector as python-graphblas has it.

        On the CPU backend ``copy=False`` gives this vector's own store: what either side writes the
        other sees, until a statement here puts a new store in its place.
        """
        here = self.to("cpu")
        own = here is self and copy
        return here.backend.exchange.unwrap(here.backend.copy(here._store) if own else here._store)

    def to_scipy_sparse(self, format: str = "csr") -> Any:
        """A SciPy sparse array of one row (of one column in the format "csc")."""
        index, value = self.to_coo()
        rows = np.array([0, index.size]), index, value
        if isinstance(format, str) and format.lower() == "csc":
            return scipy_array(rows, (1, self.size), "csr").T
        return scipy_array(rows, (1, self.size), format)

    def serialize(self) -> bytes:
        """This vector as bytes, for ``Vector.deserialize`` on any machine (waits).

        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [0.5, 2.0], size=5, backend="cpu")
        >>> lg.Vector.deserialize(v.serialize(), backend="cpu").isequal(v)
        True
        """
        return serialize.of_vector(self.shape, *self.to_coo())

    def to(self, which: str | Backend) -> Self:
        """This vector on another backend (itself if it is there already)."""
        target = resolve(which)
        if target is self.backend:
            return self
        return self._built(self.size, *self.to_coo(), target)

    # --- as an array of a GPU's or the host's ------------------------------------------------
    def _shared(self) -> Any:
        """The values as a foreign array in our memory; for full vectors only."""
        if self.nvals < self.size:
            raise WrongType(
                f"expected a vector with an entry everywhere to share its memory, got {self.nvals} "
                f"entries in {self.size} positions; take .to_dense(fill_value, device=True)"
            )
        return self.backend.exchange.vector_values(self._store)

    def __dlpack__(self, **options: Any) -> Any:
        """The values of a full vector by DLPack, so that ``cupy.from_dlpack(v)`` and
        ``torch.from_dlpack(v)`` share a GPU's memory (a CPU's values are copied).

        The memory is the vector's own: do not write to it, and do not count on it to follow later
        statements, which may put other memory in its place. Raises WrongType for a vector that is
        not full.
        """
        return self._shared().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.backend.exchange.dlpack_device()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The values of a full vector on the GPU, under the conditions of ``__dlpack__``."""
        if self.backend.exchange.dlpack_device()[0] == 1:
            raise AttributeError("a vector of the CPU backend has no __cuda_array_interface__")
        return self._shared().__cuda_array_interface__

    # --- as a collection of indices ----------------------------------------------------------
    def __iter__(self) -> Iterator[int]:
        """The indices that hold an entry, as python-graphblas has it (waits)."""
        return iter(self.to_coo(values=False)[0].tolist())
