"""The class `Matrix`: nrows × ncols positions, stored by rows, some of which hold an entry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.convert.ids import MAX_SIZE, check_size
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, WrongKind, WrongType, brief
from lagraph_gpu.notation import expressions, placed
from lagraph_gpu.notation.checks import expect, is_integer
from lagraph_gpu.notation.computed import compute_when_read
from lagraph_gpu.notation.indexed import Part
from lagraph_gpu.notation.indexing import axes_of
from lagraph_gpu.notation.infix import MatrixProducts, Operations
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.matrix_hypersparse import HypersparseData
from lagraph_gpu.notation.scalar import Scalar
from lagraph_gpu.notation.suitesparse import MatrixEntries
from lagraph_gpu.notation.vector import Vector, check_offset
from semirings import MONOIDS, BinaryOp, Monoid, Semiring, types
from semirings.names import lookup


def _size(n: Any) -> int:
    """A number of rows or columns, checked."""
    return n if type(n) is int and 0 <= n <= MAX_SIZE else check_size(n)


@checked_methods
class Matrix(HypersparseData, MatrixProducts):
    """A sparse matrix in the notation of python-graphblas.

    Parameters
    ----------
    dtype : type or str, optional
        The type of the values: a NumPy dtype or a name such as "FP32".
    nrows, ncols : int, optional
        The shape.
    backend : str or Backend, optional
        Where the entries are stored. By default the backend in force.
    name : str, optional
        A name, which is shown where it is printed.

    Raises
    ------
    DimensionMismatch
        A size is negative or not an integer.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 0, 2], [1, 2, 0], [5, 6, 7], nrows=3, ncols=3)
    >>> A.shape, A.nvals, A[0, 2].get(), A[1, 1].get("nothing")
    ((3, 3), 3, 6, 'nothing')
    >>> A
    Matrix: 3 × 3, INT64, 3 entries, cpu
       0  1  2
    0  ·  5  6
    1  ·  ·  ·
    2  7  ·  ·
    """

    def __init__(
        self,
        dtype: Any = types.FP64,
        nrows: int = 0,
        ncols: int = 0,
        *,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> None:
        held = dtype if type(dtype) is types.DataType else types.lookup(dtype)
        shape, where = (_size(nrows), _size(ncols)), resolve(backend)
        store = where.empty(shape, held)
        vars(self).update(dtype=held, shape=shape, backend=where, _store=store, name=name)

    @property
    def T(self) -> expressions.Transposed:
        """The transpose: a view on this matrix. No entry is moved."""
        return expressions.Transposed(self)

    @property
    def ss(self) -> MatrixEntries:
        """What python-graphblas' programs ask of SuiteSparse: entries in turn, arrays, choices."""
        return MatrixEntries(self)

    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape in place. Entries outside the new shape are removed.

        Parameters
        ----------
        nrows, ncols : int
            The new shape.
        """
        self._expect_free()
        shape, kept = (check_size(nrows), check_size(ncols)), self
        within = shape[0] >= self.nrows and shape[1] >= self.ncols
        store = self.backend.resized(self._store, shape, within)
        if store is None:
            if shape[0] < self.nrows:
                kept = kept.select("rowle", shape[0] - 1).new()
            if shape[1] < self.ncols:
                kept = kept.select("colle", shape[1] - 1).new()
            store = self.backend.resized(kept._store, shape, True)
        self._store, self.shape = store, shape

    # --- elements ----------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Part:
        return Part(self, index)

    def __contains__(self, index: Any) -> bool:
        """True if there is an entry at this (row, column). The call waits for the device."""
        if not isinstance(index, tuple) or len(index) != 2:
            raise WrongType(f"expected a (row, column) to look for, got {brief(index)}")
        return self.get(*index) is not None

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """The value at a position.

        Parameters
        ----------
        row, col : int
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
            The position is outside the matrix.

        Notes
        -----
        The call waits for the device.
        """
        i, j = axes_of((row, col), self.shape)
        for axis in (i, j):
            if not isinstance(axis, int):
                raise WrongKind(
                    f"expected a row and a column as integers to read a value, got {brief(axis)}"
                )
        found = self.backend.matrix_get(self._store, i, j)  # type: ignore[arg-type]
        return default if found is None else found

    # --- operations as values ----------------------------------------------------------------
    def kronecker(self, other: Any, op: BinaryOp | Monoid | str = "times") -> expressions.Kronecker:
        """The Kronecker product: a block op(A(i, j), B) for each entry A(i, j).

        Parameters
        ----------
        other : Matrix
            The matrix B.
        op : BinaryOp, Monoid or str, optional
            The operator, by default times. One that reads a position, such as firsti, gives that of
            the entry of A or B.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return placed.kronecker(self, other, expressions.binary_of(op))

    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Vector:
        """A diagonal as a vector.

        Parameters
        ----------
        k : int, optional
            The number of the diagonal. 0 is the main diagonal, 1 the one to its right.
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The entries of the diagonal, as long as the diagonal.
        """
        return expressions.Diagonal(self, check_offset(k)).new(dtype, name=name)

    def setdiag(self, values: Any, k: int = 0, *, mask: Any = None, accum: Any = None) -> None:
        """Put values on a diagonal.

        A position of the diagonal for which there is no value loses its entry, unless the mask
        protects it or `accum` combines old and new values.

        Parameters
        ----------
        values : number, Vector or list
            One value for the whole diagonal, or a vector or list of its length.
        k : int, optional
            The number of the diagonal. 0 is the main diagonal, 1 the one to its right.
        mask : Mask, optional
            A mask as long as the diagonal, or of the shape of the matrix. By default all positions
            may be written.
        accum : BinaryOp, Monoid or str, optional
            How to combine the old and the new value. By default the new value replaces the old one.

        Raises
        ------
        IndexOutOfBound
            The matrix has no such diagonal.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"):
        ...     A = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6])
        >>> A.setdiag([1, 2])
        >>> A.to_dense(0).tolist()
        [[1, 5], [6, 2]]
        """
        k = check_offset(k)
        if not -self.nrows < k < self.ncols and k:
            raise IndexOutOfBound(
                f"expected a diagonal from {1 - self.nrows} to {self.ncols - 1}, got {k}"
            )
        if isinstance(mask, Mask) and mask.handle.ndim == 2:
            mask = replace(mask, handle=mask.handle.diag(k))
        diagonal = self.diag(k)
        diagonal(mask=mask, accum=accum)[:] << values
        on_it = diagonal.diag(k)
        if on_it.shape != self.shape:
            on_it.resize(*self.shape)
        if mask is None and not isinstance(values, Operations):
            self << self.ewise_add(on_it, "second")  # each position of the diagonal has a value
        else:
            self << self.select("offdiag", k).ewise_add(on_it, "any")

    def power(self, n: int, op: Semiring | str = "plus_times") -> Power:
        """The power A ⊕.⊗ A ⊕.⊗ … of n factors.

        Parameters
        ----------
        n : int
            The number of factors, from 0 to 2⁶³ - 1. The power of 0 factors holds the identity of ⊗
            on the diagonal.
        op : Semiring or str, optional
            The semiring, by default plus and times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        InvalidValue
            `n` is negative or too large, or 0 for a ⊗ without an identity.
        DimensionMismatch
            The matrix is not square.

        Notes
        -----
        O(log n) products, by repeated squaring.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"):
        ...     A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [2, 3, 5])
        >>> A.power(3).new().to_coo()[2].tolist()
        [30, 30, 30]
        """
        return Power(self, n, lookup("semiring", op))


def symmetric(A: Matrix) -> Matrix:
    """Record that a matrix is its own transpose, so that no transpose is computed later."""
    A._store = A.backend.declare_symmetric(A._store)
    return A


def stored_values(A: Matrix) -> Vector:
    """The values of A, row by row, as a vector without gaps. It is made where A is stored."""
    return Vector.from_dense(A.to_csr(device=True)[2], backend=A.backend)


def transposes(A: Matrix, B: Matrix) -> tuple[Matrix, Matrix]:
    """Record that two matrices are transposes of each other."""
    A.backend.declare_transposes(A._store, B._store)
    return A, B


MAX_POWER = 2**63 - 1
"""A larger power would take more products than anyone waits for."""


class Power(expressions.Composite):
    """A ⊕.⊗ A ⊕.⊗ … ⊕.⊗ A by repeated squaring. The 0th power holds the identity of ⊗."""

    def __init__(self, A: Any, n: int, semiring: Semiring) -> None:
        expect(A.shape[0] == A.shape[1], f"expected a square matrix, got shape {A.shape}")
        if not is_integer(n) or not 0 <= n <= MAX_POWER:
            raise (InvalidValue if is_integer(n) else WrongKind)(
                f"expected a power from 0 to 2^63 - 1, got {brief(n)}"
            )
        expressions.Product(A, A, semiring)  # refuses what cannot be multiplied
        self._A, self._n, self._semiring = A, int(n), semiring
        self.shape, self.dtype, self.backend = A.shape, A.dtype, A.backend
        self._unit = self._identity() if n == 0 else None

    def _identity(self) -> Any:
        multiply = self._semiring.multiply
        for monoid in MONOIDS.values():
            if monoid.is_any:
                continue
            if monoid.op.parsed == multiply.parsed and self.dtype in monoid.domain:
                return monoid.identity_of(self.dtype)
        raise InvalidValue(
            f"expected a semiring whose ⊗ has an identity for the 0th power, got {self._semiring}"
        )

    def computed(self) -> Any:
        if self._unit is not None:
            ones = Vector.from_scalar(self._unit, self.shape[0], self.dtype, backend=self.backend)
            return ones.diag()
        answer, square, left = None, self._A, self._n
        while True:
            if left & 1:
                answer = square if answer is None else self._semiring(answer @ square).new()
            left >>= 1
            if not left:
                return answer
            square = self._semiring(square @ square).new()


compute_when_read((Scalar, Vector, Matrix))
