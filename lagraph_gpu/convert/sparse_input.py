"""Sparse arrays of SciPy, cupyx and PyTorch, looked at before anybody trusts what they say of
themselves.

SciPy's conversions, sums of duplicates and transposes are C++ that takes offsets and ids as they
are, and its own ``check_format(full_check=True)`` looks at nothing where the last offset is not
above 0. So whatever comes from outside goes through ``checked_sparse`` before a method of it is
called, and a tensor of PyTorch through ``torch_rows``. Ids of a row may be in any order and come
twice: what that means is for others to say.

Arrays are asked through operators and methods that NumPy and CuPy share, so that those on a GPU
stay there. O(m), with one pass over the offsets and one over the ids.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np

from lagraph_gpu.convert.compressed_rows import expect_inside, expect_offsets
from lagraph_gpu.convert.ids import coordinates
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.errors import DimensionMismatch, IndexOutOfBound, InvalidValue, WrongType
from semirings.errors import LagraphError

INDEX_TYPES = ("int32", "int64")
"""What SciPy and cupyx keep ids and offsets in; their C++ knows no other."""


def of_scipy(A: Any) -> bool:
    """Whether this is a sparse array of SciPy, which is imported only when somebody asks."""
    from scipy.sparse import issparse

    return bool(issparse(A))


def checked_sparse(A: Any) -> Any:
    """Check that the arrays of a sparse array describe a matrix.

    An array that is not of SciPy or cupyx is returned as SciPy's, if it can convert itself. Raises
    WrongType for anything that is not sparse, and InvalidValue for offsets that do not run from 0
    to the number of entries, ids outside the shape, and arrays whose lengths or types do not fit.
    """
    if not hasattr(A, "tocsr"):
        raise WrongType(
            f"expected a sparse array of SciPy or cupyx, got {type(A).__name__}; "
            "for an array of numbers take Matrix.from_dense"
        )
    if not of_scipy(A) and not on_device(getattr(A, "data", None)):
        A = A.tocsr()
        if not of_scipy(A):
            raise WrongType(f"expected tocsr() to make SciPy's array, got {type(A).__name__}")
    _check(A.format, A)
    return A


def torch_rows(tensor: Any) -> tuple[Any, Any, Any, int]:
    """(indptr, indices, values, ncols) of a PyTorch tensor; they share its memory if it is CSR.

    What these hold is not checked. Ids and offsets of COO and CSC are, on the host, before
    PyTorch's C++ follows them.
    """
    if not hasattr(tensor, "to_sparse_csr"):
        raise WrongType(f"expected a tensor of PyTorch, got {type(tensor).__name__}")
    if len(tensor.shape) != 2:
        raise DimensionMismatch(
            f"expected a tensor of two dimensions, got shape {tuple(tensor.shape)}"
        )
    csr = tensor = tensor.detach()
    layout = str(tensor.layout).removeprefix("torch.").removeprefix("sparse_")
    if layout in ("bsr", "bsc"):
        raise WrongType(
            f"expected a dense tensor, or a sparse one as CSR, CSC or COO, got {tensor.layout}, "
            "which PyTorch itself does not convert; take .to_dense()"
        )
    if layout != "csr":
        if layout in ("coo", "csc"):
            _check(layout, _of_tensor(tensor, layout))
        csr = tensor.to_sparse_csr()
    parts = csr.crow_indices(), csr.col_indices(), csr.values()
    return *(part if on_device(part) else part.numpy() for part in parts), csr.shape[1]  # type: ignore[return-value]


def _check(form: str, A: Any) -> None:
    try:
        CHECKS[form](A)
    except LagraphError as problem:
        raise InvalidValue(
            f"expected a {form} array that describes a matrix, got one of shape {tuple(A.shape)} "
            f"that is damaged: {problem}"
        ) from problem


def checked_or_adopted(A: Any) -> Any:
    """A sparse array of two dimensions whose arrays are checked. Compressed rows on a GPU are left
    as they are, because ``Matrix.from_csr`` checks them there."""
    adopted = not of_scipy(A) and on_device(getattr(A, "indptr", None)) and A.format == "csr"
    A = A if adopted else checked_sparse(A)
    if len(A.shape) != 2:
        raise DimensionMismatch(f"expected a sparse array of two dimensions, got shape {A.shape}")
    return A


def canonical(A: Any) -> Any:
    """A copy in the CSR format with sorted rows, in which entries given twice are summed; of an
    array that has been checked."""
    csr = A.tocsr(copy=True)
    csr.sum_duplicates()
    return csr


# --- each format ---------------------------------------------------------------------------------


def _csr(A: Any) -> None:
    nrows, ncols = (1, *A.shape)[-2:]
    _compressed(A, nrows, ncols, ("row", "column"))


def _csc(A: Any) -> None:
    nrows, ncols = A.shape
    _compressed(A, ncols, nrows, ("column", "row"))


def _bsr(A: Any) -> None:
    (nrows, ncols), block = A.shape, np.shape(A.data)[1:]
    if len(block) != 2 or 0 in block or nrows % block[0] or ncols % block[1]:
        raise DimensionMismatch(f"expected blocks that fill the shape, got blocks of shape {block}")
    _compressed(A, nrows // block[0], ncols // block[1], ("row", "column"), dimensions=3)


def _compressed(
    A: Any, lines: int, width: int, names: tuple[str, str], dimensions: int = 1
) -> None:
    """Room behind the last entry is allowed: SciPy leaves some, and reads no farther."""
    begins, ids = _ids(A.indptr, "indptr"), _ids(A.indices, "indices")
    _expect_values(A.data, dimensions, ids.size)
    if begins.size != lines + 1:
        raise DimensionMismatch(f"expected {lines + 1} offsets, got {begins.size}")
    end = int(begins[-1])
    entries = end if 0 <= end <= ids.size else ids.size
    expect_offsets(begins, entries, names)
    expect_inside(ids[:entries], width, names[1])


def _coo(A: Any) -> None:
    coords = A.coords if hasattr(A, "coords") else (A.row, A.col)
    if len(coords) != len(A.shape):
        raise DimensionMismatch(f"expected {len(A.shape)} arrays of ids, got {len(coords)}")
    for axis, (given, width) in enumerate(zip(coords, A.shape, strict=True)):
        ids = _ids(given, f"coords[{axis}]")
        _expect_values(A.data, 1, ids.size)
        expect_inside(ids, width, "row" if axis == 0 else "column")


def _dia(A: Any) -> None:
    offsets = _ids(A.offsets, "offsets")
    _expect_values(A.data, 2, offsets.size)
    expect_diagonals(offsets, A.shape)


def expect_diagonals(offsets: Any, shape: tuple[int, ...]) -> None:
    """Offsets of diagonals: each once, and such that SciPy's sums of them and of ids do not wrap
    around. One outside the shape is an empty diagonal."""
    most = 2**31 - 1 - max(shape)
    held = np.sort(offsets.get() if on_device(offsets) else offsets)
    if held.size and not -most <= int(held[0]) <= int(held[-1]) <= most:
        bad = int(held[0]) if int(held[0]) < -most else int(held[-1])
        raise IndexOutOfBound(f"expected offsets from {-most} to {most}, got {bad}")
    if (held[1:] == held[:-1]).any():
        raise InvalidValue(f"expected each diagonal once, got the offsets {held.tolist()}")


def _lil(A: Any) -> None:
    rows, values, nrows = A.rows, A.data, A.shape[0]
    for name, lists in (("rows", rows), ("data", values)):
        if np.shape(lists) != (nrows,) or any(type(line) is not list for line in lists):
            raise InvalidValue(f"expected {name} as an array of {nrows} lists")
    for i, (ids, held) in enumerate(zip(rows, values, strict=True)):
        if len(ids) != len(held):
            raise DimensionMismatch(
                f"expected as many values as ids in row {i}, got {len(held)} and {len(ids)}"
            )
    coordinates(list(chain.from_iterable(rows)), A.shape[1], "column")


def _dok(A: Any) -> None:
    try:
        coo = A.tocoo()  # of Python's integers, by NumPy, with a look at each
    except (ValueError, TypeError, IndexError, OverflowError) as problem:
        raise InvalidValue(f"expected keys inside the shape ({problem})") from problem
    _coo(coo)


CHECKS: dict[str, Callable[[Any], None]] = {
    "bsr": _bsr, "coo": _coo, "csc": _csc, "csr": _csr, "dia": _dia, "dok": _dok, "lil": _lil,
}  # fmt: skip


# --- tensors of PyTorch --------------------------------------------------------------------------


def _of_tensor(tensor: Any, layout: str) -> SimpleNamespace:
    """Ids and offsets on the host. Of the values only the shape is asked, so they stay."""
    if layout == "coo":
        parts, values = {"coords": tensor._indices().cpu().numpy()}, tensor._values()
    else:
        offsets, ids = (
            part.cpu().numpy() for part in (tensor.ccol_indices(), tensor.row_indices())
        )
        parts, values = {"indptr": offsets, "indices": ids}, tensor.values()
    data = np.broadcast_to(np.int8(0), tuple(values.shape))
    return SimpleNamespace(**parts, data=data, shape=tuple(tensor.shape))


# --- what they share -----------------------------------------------------------------------------


def _ids(array: Any, name: str) -> Any:
    """Ids or offsets as a plain array: nothing masked, which a maximum would pass over."""
    array = array if on_device(array) else np.asarray(array)
    if array.dtype not in INDEX_TYPES or len(array.shape) != 1:
        raise InvalidValue(
            f"expected {name} as a 1-D array of int32 or int64, got shape {tuple(array.shape)} of "
            f"{array.dtype}"
        )
    return array


def _expect_values(data: Any, dimensions: int, count: int) -> None:
    shape = tuple(np.shape(data)) if not on_device(data) else tuple(data.shape)
    if len(shape) != dimensions or shape[0] != count:
        raise DimensionMismatch(
            f"expected as many values as ids, {count}, in {dimensions} dimensions, got shape "
            f"{shape}"
        )
