"""How vectors are made from, and read as, arrays, dicts, bytes and objects of other libraries.

On the GPU backend, an array that is on the device already (from CuPy, PyTorch, or any library with
DLPack or `__cuda_array_interface__`) is used there, without a copy through the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, Entries, named, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.convert.edges import fold_duplicates
from lagraph_gpu.convert.ids import check_size, coordinates, pairs_of
from lagraph_gpu.convert.interchange import (
    on_device,
    pandas,
    present,
    scipy_array,
    scipy_format,
    unrounded,
    with_gaps,
)
from lagraph_gpu.convert.options import SparseFormat
from lagraph_gpu.convert.values import array_type, dense_values, filling, typed_values
from lagraph_gpu.errors import OutputNotEmpty, WrongType
from lagraph_gpu.memory import expect_room, guard_methods
from lagraph_gpu.notation.arrays import MOST_ALIKE, Arrays, Built, StoreOfArrays
from lagraph_gpu.notation.checks import expect_filled, expect_kind, process_alone
from lagraph_gpu.notation.coordinates import expect_sizes, of_one_value
from lagraph_gpu.notation.expressions import Fill
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.update import Update, run
from semirings import types

if TYPE_CHECKING:
    from pandas import Series
    from scipy.sparse import csr_array


@operation
def dense_array(v: VectorData, fill: Any, dtype: np.dtype) -> np.ndarray:
    """All positions of a vector as an array of the host, with `fill` where there is no entry."""
    arrays = v._unstored()
    if arrays is not None and arrays.known is None and arrays.values.dtype == dtype:
        return arrays.values.copy()
    return with_gaps_filled(*v._entries(), v.size, fill, dtype)


def with_gaps_filled(
    index: np.ndarray, value: np.ndarray, size: int, fill: Any, dtype: np.dtype
) -> np.ndarray:
    """All positions of a vector with these entries, with `fill` where there is none. The values
    themselves if there are all, in this type."""
    full = index.size == size and not types.is_record(dtype)  # and in order
    if not (full and value.dtype == dtype):
        expect_room(size * dtype.itemsize, f"an array of {size:,} values")
    if full:
        return types.cast(value, dtype)  # type: ignore[no-any-return]
    dense = np.full(size, fill, dtype)
    dense[index] = types.cast(value, dtype)
    return dense


@guard_methods
@checked_methods
class VectorData(Handle):
    """The methods that make and read a vector."""

    _store: Any = StoreOfArrays()

    @property
    def ndim(self) -> Literal[1]:
        """The number of axes."""
        return 1

    @property
    def size(self) -> int:
        """The number of positions."""
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
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector from indices and values.

        Parameters
        ----------
        indices : array of integers
            The positions of the entries, counted from 0.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        size : int, optional
            The number of positions. By default the largest index plus one.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error, or one value for all entries stays as it is.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The vector with these entries.

        Raises
        ------
        InvalidValue
            There are no positions and no size.
        IndexOutOfBound
            An index is negative, or not below `size`.
        DuplicateEdges
            A position is given twice and there is no `dup_op`.

        Notes
        -----
        O(m log m) for m entries.
        """
        expect_sizes(indices, (size,), "size=")
        dup_op = of_one_value(values, dup_op)
        index = coordinates(indices, size, "index")
        size = check_size(int(index.max(initial=-1)) + 1 if size is None else size)
        value = typed_values(values, index.size, array_type(values, 1, dtype))
        value = value if value.size == index.size else np.broadcast_to(value, index.shape)
        index, value = fold_duplicates(index, value, dup_op)
        return cls._built(size, index, value, resolve(backend), name)

    @classmethod
    def _built(
        cls,
        size: int,
        index: np.ndarray,
        value: np.ndarray,
        backend: Backend,
        name: str | None = None,
    ) -> Self:
        store = backend.build_vector(size, index, value)
        return cls._stored(store, size, value.dtype, backend, name)

    @classmethod
    def _stored(
        cls, store: Any, size: int, dtype: np.dtype, backend: Backend, name: str | None = None
    ) -> Self:
        twin = object.__new__(cls)
        found = types.OF_DTYPE[dtype]
        vars(twin).update(shape=(size,), dtype=found, backend=backend, name=name, _store=store)
        return twin

    @classmethod
    def _of_arrays(cls, arrays: Arrays, backend: Backend, name: str | None = None) -> Self:
        twin, values = object.__new__(cls), arrays.values
        held = twin.__dict__  # `update` would first make another dict
        held["shape"], held["dtype"] = values.shape, types.OF_DTYPE[values.dtype]
        held["backend"], held["name"], held["_arrays"] = backend, name, arrays
        return twin

    def _unstored(self) -> Arrays | None:
        """The arrays that this vector is, while it has no store."""
        held = self.__dict__
        return None if "_store" in held else held["_arrays"]  # type: ignore[no-any-return]

    def _copied(self, name: str | None) -> Self:
        arrays = self._unstored()
        if arrays is None:
            return super()._copied(name)
        return self._of_arrays(arrays.copy(), self.backend, name)

    def _entries(self) -> Entries:
        """The positions and the values of the entries, in new arrays of the host."""
        arrays = self._unstored()
        return self.backend.vector_entries(self._store) if arrays is None else arrays.entries()

    @property
    def nvals(self) -> int:
        """The number of entries. Reading it waits for the device."""
        arrays = self._unstored()
        return self.backend.nvals(self._store) if arrays is None else arrays.nvals

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[Any],
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector from (index, value) pairs.

        Parameters
        ----------
        pairs : iterable of pairs
            The index and the value of each entry.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        size : int, optional
            The number of positions. By default the largest index plus one.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The vector with these entries.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> lg.Vector.from_pairs([(0, 5), (3, 7)], backend="cpu").to_dict()
        {0: 5, 3: 7}
        """
        indices, values = pairs_of(pairs, 2, "(index, value) pairs")
        where: dict[str, Any] = {"backend": backend, "name": name}
        return cls.from_coo(indices, values, dtype, size=size, dup_op=dup_op, **where)

    @classmethod
    def from_dict(
        cls,
        d: Mapping[int, Any],
        dtype: Any = None,
        *,
        size: int | None = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector from a dict `{index: value}`.

        Parameters
        ----------
        d : dict
            The value at each index.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        size : int, optional
            The number of positions. By default the largest index plus one.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The vector with these entries.
        """
        expect_kind(d, Mapping, "a dict {index: value}")
        values = list(d.values())
        size = 0 if size is None and not d else size
        return cls.from_coo(list(d), values, dtype, size=size, backend=backend, name=name)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        copy: bool = True,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector from a one-dimensional array.

        Parameters
        ----------
        values : array
            The values. Positions that are masked in a NumPy masked array get no entry.
        missing_value : number, optional
            Positions with this value get no entry; with `nan` those that are NaN.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        copy : bool, optional
            Whether an array on the GPU is copied on the device. With False the vector shares its
            memory, if the type fits: then a write to one is seen by the other. Arrays on the host
            are always copied.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            A vector as long as the array.

        Raises
        ------
        DimensionMismatch
            The array is not one-dimensional. With more axes it is one of values of an array type,
            such as "INT64[2]", which the CPU backend has.
        """
        to = resolve(backend)
        if on_device(values):
            store = to.exchange.adopt_vector(values, missing_value, dtype, copy)
            return cls._stored(store, store.size, store.dtype, to, name)
        dense, unmasked = with_gaps(values, missing_value)
        dense = unrounded(values, dense, dtype)
        dense = dense_values(dense, 1, dtype)
        there = present(dense, missing_value, unmasked)
        size, every = check_size(dense.size), there is None or bool(there.all())
        if to.storage == "host" and dense.dtype.kind in "biufc" and every:
            return cls._of_arrays(Arrays(np.array(dense), None, Built(to)), to, name)
        index = np.arange(size) if there is None else np.flatnonzero(there)
        return cls._built(size, index, dense[index], to, name)

    @classmethod
    def from_scalar(
        cls,
        value: Any,
        size: int,
        dtype: Any = None,
        *,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector with the same value at every position.

        Parameters
        ----------
        value : number or Scalar
            The value.
        size : int
            The number of positions.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            A vector with an entry at every position.
        """
        held = typed_values(number(value), 1, dtype)
        to, shape = resolve(backend), (check_size(size),)
        if to.storage == "host" and size <= MOST_ALIKE and held.dtype.kind in "biufc":
            return cls._of_arrays(Arrays(np.full(size, held[0]), None, Built(to)), to, name)
        twin = cls._stored(to.empty(shape, held.dtype), size, held.dtype, to, name)
        run(Update(twin, Fill(held[0], shape, held.dtype, to)))
        return twin

    @classmethod
    def from_graphblas(
        cls,
        vector: Any,
        *,
        copy: bool = True,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a vector from a Vector of python-graphblas.

        Parameters
        ----------
        vector : graphblas.Vector
            The vector of python-graphblas.
        copy : bool, optional
            Whether to copy it. With False, on the CPU backend, this very object becomes the store
            of the new vector: a write to one is seen by the other.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The vector with these entries.
        """
        cpu = named("cpu")
        store, shape, dtype = cpu.exchange.wrap(vector)
        if len(shape) != 1:
            raise WrongType("expected a Vector of python-graphblas, got a Matrix")
        store = cpu.copy(store) if copy else store
        return cls._stored(store, shape[0], dtype, cpu, name).to(resolve(backend))

    @classmethod
    def deserialize(
        cls, data: Any, *, backend: BackendName | Backend | None = None, name: str | None = None
    ) -> Self:
        """Make a vector from the bytes that `serialize` returned.

        Parameters
        ----------
        data : bytes
            The bytes. Anything else is refused.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The vector.

        Raises
        ------
        InvalidValue
            These are not the bytes of a vector.
        """
        (size,), index, value = serialize.vector(data)
        return cls._built(check_size(size), index, value, resolve(backend), name)

    def build(
        self,
        indices: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        size: int | None = None,
    ) -> None:
        """Put entries into this vector, which must be empty.

        Parameters
        ----------
        indices : array of integers
            The positions of the entries, counted from 0.
        values : array or number
            As many values, or one value for all entries. They are cast to the type of this vector.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error.
        clear : bool, optional
            Whether to remove the entries that this vector holds first.
        size : int, optional
            The new size. By default the size stays.

        Raises
        ------
        OutputNotEmpty
            The vector holds entries, and `clear` is False.
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
        self._hold(made.shape, made._store)

    # --- reading it --------------------------------------------------------------------------
    @overload
    def to_coo(
        self, dtype: Any = None, *, sort: bool = True, device: Literal[False] = False
    ) -> tuple[np.ndarray, np.ndarray]: ...
    @overload
    def to_coo(
        self,
        dtype: Any = None,
        *,
        indices: bool | None = True,
        values: bool | None = True,
        sort: bool = True,
        device: bool = False,
    ) -> tuple[Any, Any]: ...
    def to_coo(
        self,
        dtype: Any = None,
        *,
        indices: bool | None = True,
        values: bool | None = True,
        sort: bool = True,
        device: bool = False,
    ) -> tuple[Any, Any]:
        """The indices and values of the entries, by increasing index.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        indices, values : bool, optional
            Whether the caller needs them. What is not needed is returned as None.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.
        device : bool, optional
            Whether to return new arrays on the device of the vector: CuPy arrays on the GPU, where
            the indices are INT32. By default NumPy arrays.

        Returns
        -------
        indices : array
            The positions of the entries.
        values : array
            Their values.

        Notes
        -----
        The call waits for the device.
        """
        if device:
            index, value = self.backend.exchange.vector_entries(self._store)
        else:
            index, value = self._entries()
        if dtype is not None and types.lookup(dtype) != self.dtype:
            return self.dup(dtype).to_coo(indices=indices, values=values, device=device)
        return index if indices else None, types.shown(value) if values else None

    def to_dense(
        self, fill_value: Any = None, dtype: Any = None, *, device: bool = False
    ) -> np.ndarray:
        """All positions as one array.

        Parameters
        ----------
        fill_value : number, optional
            The value where there is no entry.
        dtype : type or str, optional
            The type of the array. By default the type of the vector, or a wider one if
            `fill_value` is of a wider kind (a number beside BOOL, a float beside integers) or does
            not fit.
        device : bool, optional
            Whether to return a new array on the device of the vector: a CuPy array on the GPU. By
            default a NumPy array. To share memory instead, see `__dlpack__`.

        Returns
        -------
        array
            An array as long as the vector.

        Raises
        ------
        WrongType
            Some position has no entry, and there is no `fill_value`.

        Notes
        -----
        The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1], [5], size=3, backend="cpu")
        >>> v.to_dense(fill_value=-1).tolist(), v.to_dense(fill_value=0.5).tolist()
        ([-1, 5, -1], [0.5, 5.0, 0.5])
        """
        fill, to = filling(self.dtype, number(fill_value), dtype)
        expect_filled(self, fill_value)
        if device:
            return self.backend.exchange.vector_dense(self._store, fill, to)
        return types.shown(dense_array(self, fill, to))  # type: ignore[no-any-return]

    def to_dict(self) -> dict[int, Any]:
        """The entries as a dict `{index: value}` of Python numbers.

        Returns
        -------
        dict
            The value at each index that holds an entry.

        Notes
        -----
        The call waits for the device.
        """
        index, value = self.to_coo()
        return dict(zip(index.tolist(), value.tolist(), strict=True))

    def to_pandas(self) -> Series:
        """The entries as a Series of pandas.

        Returns
        -------
        pandas.Series
            The values, with the indices as index, and the name of this vector.

        Raises
        ------
        MissingPackage
            pandas is not installed.

        Notes
        -----
        The call waits for the device.
        """
        pd, (index, value) = pandas(), self.to_coo()
        held: Any = value if value.ndim == 1 else list(value)  # arrays of an array type
        return pd.Series(held, index=pd.Index(index, name="index"), name=self.name)

    def to_graphblas(self, *, copy: bool = True) -> Any:
        """This vector as a Vector of python-graphblas.

        Parameters
        ----------
        copy : bool, optional
            Whether to copy the entries. With False, on the CPU backend, the result is the store of
            this vector: a write to one is seen by the other, until a statement gives this vector a
            new store.

        Returns
        -------
        graphblas.Vector
            The vector of python-graphblas.
        """
        here = self.to("cpu")
        own = here is self and copy
        return here.backend.exchange.unwrap(here.backend.copy(here._store) if own else here._store)

    @overload
    def to_scipy_sparse(self, format: Literal["csr"] = "csr") -> csr_array: ...
    @overload
    def to_scipy_sparse(self, format: SparseFormat) -> Any: ...
    def to_scipy_sparse(self, format: SparseFormat = "csr") -> Any:
        """This vector as a SciPy sparse array of one row.

        Parameters
        ----------
        format : str, optional
            The format of SciPy. With "csc" the array has one column instead.

        Returns
        -------
        SciPy sparse array
            An array of shape (1, size), or (size, 1) for "csc".

        Notes
        -----
        The call waits for the device.
        """
        if types.is_record(self.dtype):
            raise WrongType(f"expected numbers for SciPy, got {self.dtype}; take a field")
        form = scipy_format(format)
        index, value = self.to_coo()
        rows = np.array([0, index.size]), index, value
        if form == "csc":
            return scipy_array(rows, (1, self.size), "csr").T
        return scipy_array(rows, (1, self.size), form)

    def serialize(self) -> bytes:
        """This vector as bytes, which `Vector.deserialize` reads on any machine.

        Returns
        -------
        bytes
            The shape, the type and the entries.

        Notes
        -----
        The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [0.5, 2.0], size=5, backend="cpu")
        >>> lg.Vector.deserialize(v.serialize(), backend="cpu").isequal(v)
        True
        """
        return serialize.of_vector(self.shape, *self.backend.vector_entries(self._store))

    @overload
    def to(self, which: BackendName | Backend, *, root: None = None) -> Self: ...
    @overload
    def to(self, which: BackendName | Backend, *, root: int) -> Self | None: ...
    def to(self, which: BackendName | Backend, *, root: int | None = None) -> Self | None:
        """This vector on another backend.

        Parameters
        ----------
        which : str or Backend
            The backend, such as "cpu" or "gpu".
        root : int, optional
            On a cluster, the number of the process that alone gets the copy. The other processes
            send it what they have, and get None. By default every process gets a copy.

        Returns
        -------
        Vector
            A copy, or the vector itself if it is on that backend already. With `root` None on all
            other processes.

        Raises
        ------
        InvalidValue
            There is no process of the number `root`, or the processes name different ones. Without
            a cluster there is one process, of number 0.
        TooLarge
            The process has too little memory for the whole vector.
        """
        target = resolve(which)
        if (alone := process_alone(self.backend, target, root)) is not None:
            return self._gathered_on(alone, target)
        if target is self.backend:
            return self
        entries = self._entries()
        return self._built(self.size, *entries, target, self.name)

    # --- as an array of a GPU's or the host's ------------------------------------------------
    def _shared(self) -> Any:
        """The values as an array of another library that shares our memory.

        Raises WrongType if the vector has a position without an entry.
        """
        if self.nvals < self.size:
            raise WrongType(
                f"expected a vector with an entry everywhere to share its memory, got {self.nvals} "
                f"entries in {self.size} positions; take .to_dense(fill_value, device=True)"
            )
        return self.backend.exchange.vector_values(self._store)

    def __dlpack__(self, **options: Any) -> Any:
        """The values of a full vector by DLPack.

        `cupy.from_dlpack(v)` and `torch.from_dlpack(v)` share the memory of the GPU; the values of
        a vector on the CPU are copied. The memory belongs to the vector: do not write to it. A
        later statement may give the vector other memory, so the shared array need not follow.
        Raises WrongType if the vector has a position without an entry.
        """
        return self._shared().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.backend.exchange.dlpack_device()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The values of a full vector on the GPU, under the same conditions as `__dlpack__`."""
        if self.backend.exchange.dlpack_device()[0] == 1:
            raise AttributeError("a vector of the CPU backend has no __cuda_array_interface__")
        return self._shared().__cuda_array_interface__

    # --- as a collection of indices ----------------------------------------------------------
    def __iter__(self) -> Iterator[int]:
        """The indices that hold an entry, as in python-graphblas. The call waits for the device."""
        return iter(self.to_coo(values=False)[0].tolist())
