"""The class `Vector`: n positions, some of which hold an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.convert.ids import MAX_SIZE, check_size
from lagraph_gpu.errors import DomainMismatch, WrongKind, brief
from lagraph_gpu.notation.checks import expect_axes, expect_kind, is_integer
from lagraph_gpu.notation.expressions import Expression, Kronecker, OfVector, Product, binary_of
from lagraph_gpu.notation.indexed import Part
from lagraph_gpu.notation.indexing import axes_of
from lagraph_gpu.notation.placed import kronecker
from lagraph_gpu.notation.scalar import Scalar
from lagraph_gpu.notation.selector import Selector
from lagraph_gpu.notation.suitesparse import VectorEntries
from lagraph_gpu.notation.vector_data import VectorData
from semirings import BinaryOp, Monoid, Semiring, types
from semirings.names import lookup

if TYPE_CHECKING:
    from lagraph_gpu.notation.matrix import Matrix
    from lagraph_gpu.notation.scalar import Scalar


@checked_methods
class Vector(VectorData):
    """A sparse vector in the notation of python-graphblas.

    Parameters
    ----------
    dtype : type or str, optional
        The type of the values: a NumPy dtype or a name such as "FP32".
    size : int, optional
        The number of positions.
    backend : str or Backend, optional
        Where the entries are stored. By default the backend in force.
    name : str, optional
        A name, which is shown where it is printed.

    Raises
    ------
    DimensionMismatch
        The size is negative or not an integer.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([1, 3], [0.5, 2.0], size=5)
    >>> v.nvals, v[3].get(), v[0].get("nothing")
    (2, 2.0, 'nothing')
    >>> v
    Vector: 5 positions, FP64, 2 entries, cpu
    index  value
        1    0.5
        3    2.0
    """

    def __init__(
        self,
        dtype: Any = types.FP64,
        size: int = 0,
        *,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> None:
        held, shape, where = types.lookup(dtype), (check_size(size),), resolve(backend)
        store = where.empty(shape, held)
        vars(self).update(dtype=held, shape=shape, backend=where, _store=store, name=name)

    @property
    def ss(self) -> VectorEntries:
        """What python-graphblas' programs ask of SuiteSparse: entries in turn, arrays, choices."""
        return VectorEntries(self)

    def resize(self, size: int) -> None:
        """Change the size in place. Entries beyond the new size are removed.

        Parameters
        ----------
        size : int
            The new number of positions.
        """
        self._expect_free()
        twin = Vector(self.dtype, size, backend=self.backend)
        if twin.size < self.size:
            twin << self[: twin.size]
        else:
            twin[: self.size] << self
        self._hold(twin.shape, twin._store)

    # --- elements ----------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Part:
        return Part(self, index)

    def __contains__(self, index: Any) -> bool:
        """True if there is an entry at this index. The call waits for the device."""
        index = index.value if isinstance(index, Scalar) else index
        expect_kind(index, (int, np.integer), "one integer index to look for")
        return self.get(index) is not None

    def get(self, index: int, default: Any = None) -> Any:
        """The value at an index.

        Parameters
        ----------
        index : int
            The position. A negative index counts from the end.
        default : object, optional
            What to return where there is no entry.

        Returns
        -------
        number or object
            The value as a NumPy or Python number, or `default`.

        Raises
        ------
        IndexOutOfBound
            The index is outside the vector.

        Notes
        -----
        The call waits for the device.
        """
        (position,) = axes_of(index, self.shape)
        if not isinstance(position, int):
            raise WrongKind(f"expected one integer index to read a value, got {brief(position)}")
        if (arrays := self._unstored()) is not None:
            found = arrays.get(position)
        else:
            found = self.backend.vector_get(self._store, position)
        return default if found is None else found

    # --- operations as values ----------------------------------------------------------------
    def vxm(self, other: Any, op: Semiring | str = "plus_times") -> Product[Vector]:
        """The product u ⊕.⊗ A of this row vector and a matrix.

        Parameters
        ----------
        other : Matrix
            A matrix with as many rows as this vector has positions.
        op : Semiring or str, optional
            The semiring, by default plus and times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The sizes do not fit.
        """
        expect_axes(other, 2)
        return Product(self, other, lookup("semiring", op))

    def inner(self, other: Any, op: Semiring | str = "plus_times") -> Expression[Scalar]:
        """The inner product: ⊕ over all u(k) ⊗ v(k).

        Parameters
        ----------
        other : Vector
            A vector of the same size.
        op : Semiring or str, optional
            The semiring, by default plus and times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The vectors have different sizes.
        """
        semiring = lookup("semiring", op)
        expect_kind(semiring, Semiring, "a semiring, such as plus_times")
        return semiring(self @ other)

    def outer(self, other: Any, op: BinaryOp | Monoid | str = "times") -> Kronecker:
        """The outer product: the matrix with op(u(i), v(j)) at (i, j).

        Parameters
        ----------
        other : Vector
            The vector v, whose indices are the columns.
        op : BinaryOp, Monoid or str, optional
            The operator, by default times. One that reads a position, such as firsti, gives that of
            the entry of u (as a column) or v (as a row).

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return kronecker(OfVector(self, "column"), OfVector(other, "row"), binary_of(op))

    def reposition(self, offset: int, *, size: int | None = None) -> Expression:
        """Move every entry from i to i + offset. Entries that would fall outside are removed.

        Parameters
        ----------
        offset : int
            How far each entry moves. It may be negative.
        size : int, optional
            The size of the result. By default the size of this vector.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2], [5, 6], size=3, backend="cpu")
        >>> v.reposition(1).new().to_dict(), v.reposition(1, size=4).new().to_dict()
        ({1: 5}, {1: 5, 3: 6})
        """
        from lagraph_gpu.notation.composites import Moved

        return Moved(self, (offset,), (check_size(self.size if size is None else size),))

    def diag(self, k: int = 0, *, name: str | None = None) -> Matrix:
        """The square matrix with this vector on a diagonal.

        Parameters
        ----------
        k : int, optional
            The number of the diagonal. 0 is the main diagonal, 1 the one to its right.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            With k = 0 it is a factor that scales the rows or columns of another matrix.
        """
        return OfVector(self, "diagonal", check_offset(k)).new(name=name)

    def selector(self, ncols: int | None = None) -> Matrix:
        """The selector matrix: a true entry at (i, v(i)) for each entry of this vector.

        Products with it move entries to places that are known only as values: `any_second(S @ x)`
        reads x(v(i)), and `min_first(y @ S)` folds y(i) into position v(i).

        Parameters
        ----------
        ncols : int, optional
            The number of columns. By default the size of this vector.

        Returns
        -------
        Matrix of BOOL
            The selector matrix.

        Raises
        ------
        IndexOutOfBound
            A value is not from 0 to ncols - 1.
        DomainMismatch
            The values are not integers.

        Notes
        -----
        The call waits for the device, which checks the values.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> from semirings import any_second, min_first
        >>> with lg.backend("cpu"):
        ...     v, x = lg.Vector.from_dense([1, 1, 0]), lg.Vector.from_dense([5, 6, 7])
        >>> any_second(v.selector() @ x).new().to_dense().tolist()
        [6, 6, 5]
        >>> min_first(x @ v.selector()).new().to_dict()
        {0: 7, 1: 5}
        """
        if self.dtype.kind not in "iu":
            raise DomainMismatch(
                f"expected integers to select columns by, got {types.name(self.dtype)}"
            )
        return Selector(self, check_size(self.size if ncols is None else ncols)).new()


def check_offset(k: Any) -> int:
    """Check the number of a diagonal."""
    k = getattr(k, "value", k)
    if not is_integer(k) or abs(int(k)) > MAX_SIZE:
        raise WrongKind(f"expected the number of a diagonal as an integer, got {brief(k)}")
    return int(k)
