"""Matrices put together from tiles, and cut into tiles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np

from lagraph_gpu.convert.arguments import is_list
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, WrongType, brief
from lagraph_gpu.notation.checks import expect, expect_convertible, expect_kind, is_integer
from lagraph_gpu.notation.expressions import OfVector, same_backend
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector, check_size
from semirings import types


@overload
def concat(tiles: Sequence[Vector], dtype: Any = None) -> Vector: ...
@overload
def concat(tiles: Sequence[Sequence[Any]], dtype: Any = None) -> Matrix: ...
def concat(tiles: Sequence[Any], dtype: Any = None) -> Any:
    """Put tiles together.

    Parameters
    ----------
    tiles : list of Vector, or list of lists of Matrix
        Vectors to put one after another, or the rows of tiles of a matrix. The tiles in one row
        have equal numbers of rows, and all rows of tiles have equal numbers of columns in total. A
        vector among matrices is a column.
    dtype : type or str, optional
        The type of the result. By default the common type of all tiles.

    Returns
    -------
    Vector or Matrix
        The container that consists of the tiles.

    Raises
    ------
    DimensionMismatch
        The tiles do not fit together.
    InvalidValue
        A list of tiles is empty.

    Notes
    -----
    O(entries).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0], [1], [7], nrows=1, ncols=2)
    >>> lg.concat([[A, A], [A, A]]).to_coo()[1].tolist()
    [1, 3, 1, 3]
    """
    expect_kind(tiles, (list, tuple), "a list of vectors, or a list of rows of matrices")
    if not tiles or any(isinstance(row, (list, tuple)) and not row for row in tiles):
        raise InvalidValue("expected at least one tile in each row, got an empty list")
    if all(isinstance(tile, Vector) for tile in tiles):
        return _joined(tiles, dtype)
    rows = []
    for row in tiles:
        expect_kind(row, (list, tuple), "a list of matrices for each row of tiles")
        rows.append([_matrix(tile) for tile in row])
    for r, row in enumerate(rows):
        heights, width = {tile.nrows for tile in row}, sum(tile.ncols for tile in row)
        expect(len(heights) == 1, f"expected tiles of one height in row {r}, got {sorted(heights)}")
        first = sum(tile.ncols for tile in rows[0])
        expect(width == first, f"expected {first} columns in row {r} of tiles, got {width}")
    shape = (
        check_size(sum(row[0].nrows for row in rows)),
        check_size(sum(tile.ncols for tile in rows[0])),
    )
    every = [tile for row in rows for tile in row]
    to = _common(every, dtype)
    made = Matrix(to, *shape, backend=same_backend(*every))
    made._store = made.backend.concat([[t._store for t in row] for row in rows], shape, to)
    return made


def _matrix(tile: Any) -> Matrix:
    expect_kind(tile, (Matrix, Vector), "a matrix or a vector as a tile")
    return OfVector(tile, "column").new() if isinstance(tile, Vector) else tile


def _common(tiles: Sequence[Any], dtype: Any) -> np.dtype:
    common = tiles[0].dtype
    for tile in tiles[1:]:
        common = types.unify(common, tile.dtype)
    to = common if dtype is None else types.lookup(dtype)
    expect_convertible(common, to)
    return to


def _joined(vectors: Sequence[Vector], dtype: Any) -> Vector:
    size = check_size(sum(v.size for v in vectors))
    made = Vector(_common(vectors, dtype), size, backend=same_backend(*vectors))
    begin = 0
    for v in vectors:
        made[begin : begin + v.size] << v
        begin += v.size
    return made


@overload
def split(whole: Vector, chunks: Any) -> list[Vector]: ...
@overload
def split(whole: Matrix, chunks: Any) -> list[list[Matrix]]: ...
def split(whole: Any, chunks: Any) -> list[Any]:
    """Cut a vector or a matrix into tiles.

    Parameters
    ----------
    whole : Vector or Matrix
        The container to cut. It does not change.
    chunks : int, list of int, or None
        The size of every tile (the last one may be smaller), or a list of sizes. None keeps an axis
        in one piece. For a matrix a pair of these, for rows and columns, or one for both.

    Returns
    -------
    list of Vector, or list of lists of Matrix
        The tiles of a vector, or the rows of tiles of a matrix.

    Raises
    ------
    DimensionMismatch
        The sizes do not add up to the size of the axis.

    Notes
    -----
    O(entries × log entries) for all tiles together.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([0, 3], [5, 6], size=5)
    >>> [part.size for part in lg.split(v, 2)]
    [2, 2, 1]
    """
    expect_kind(whole, (Vector, Matrix), "a vector or a matrix to split")
    if isinstance(whole, Vector):
        return [whole[piece].new() for piece in _pieces(chunks, whole.size)]
    pair = chunks if isinstance(chunks, (list, tuple)) else (chunks, chunks)
    if len(pair) != 2:
        raise WrongType(f"expected chunks for rows and for columns, got {brief(chunks)}")
    rows, columns = (_pieces(c, n) for c, n in zip(pair, whole.shape, strict=True))
    return [[whole[r, c].new() for c in columns] for r in rows]


def _pieces(chunks: Any, size: int) -> list[slice]:
    """The consecutive slices of an axis that have the given sizes."""
    if chunks is None:
        sizes = [size]
    elif is_integer(chunks):
        if chunks <= 0:
            raise InvalidValue(f"expected chunks of at least 1, got {chunks}")
        sizes = [min(int(chunks), size - at) for at in range(0, size, int(chunks))] or [0]
    elif not is_list(chunks):
        raise WrongType(f"expected chunks as an integer or a list of sizes, got {brief(chunks)}")
    else:
        sizes = [check_size(one) for one in chunks]
        if sum(sizes) != size:
            raise DimensionMismatch(f"expected chunks that sum up to {size}, got {sizes}")
    ends = np.cumsum([0, *sizes]).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]
