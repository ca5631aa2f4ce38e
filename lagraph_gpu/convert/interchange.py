"""Objects of other libraries, recognised by their protocols, without an import of those libraries.

SciPy is a dependency. PyTorch is imported only if a tensor is asked for, and CuPy only by the GPU
backend. An array on a GPU is recognised by the protocols that it supports.
"""

from __future__ import annotations

import reprlib
from numbers import Number
from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.errors import InvalidValue, WrongType, brief, required
from semirings import types

CUDA, CUDA_MANAGED = 2, 13
"""What ``__dlpack_device__`` calls memory on an NVIDIA GPU."""

FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def on_device(thing: Any) -> bool:
    """True for an array on an NVIDIA GPU, by DLPack or `__cuda_array_interface__`."""
    if type(thing) is np.ndarray:
        return False
    if hasattr(type(thing), "__dlpack_device__"):
        return thing.__dlpack_device__()[0] in (CUDA, CUDA_MANAGED)
    return hasattr(thing, "__cuda_array_interface__")


def as_numpy(values: Any) -> np.ndarray:
    """Values on the host as a NumPy array. An object that supports DLPack only shares its memory.

    Masked values and lists of different lengths are refused.
    """
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        at = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
        raise InvalidValue(
            f"expected an array without masked values, got one at position {at}; take those that "
            "are not, with values[~mask], or give all positions to from_dense"
        )
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    try:
        return np.asarray(values)
    except ValueError as problem:
        raise InvalidValue(
            "expected a number, or numbers in lists of one length, got "
            f"{reprlib.repr(values)}; make all lists equally long"
        ) from problem
    except Exception as problem:  # of a library that has types which NumPy lacks
        if not type(problem).__module__.startswith(("polars", "pyarrow")):
            raise
        raise WrongType(
            f"expected values of a type that NumPy has, got {brief(values)}; cast them ({problem})"
        ) from problem


def unrounded(values: Any, array: np.ndarray, dtype: Any) -> np.ndarray:
    """The array that NumPy has made of a list; of integers that it has rounded to floats, because
    some fit INT64 and others only UINT64, one of UINT64. Without a type, such integers beside
    negative ones are refused."""
    if not isinstance(values, (list, tuple)) or array.dtype != types.FP64 or not array.size:
        return array
    if array.max() < 2**63:
        return array
    exact = np.asarray(values, object)
    if not all(isinstance(x, (int, np.integer)) for x in exact.flat):
        return array
    if array.min() >= 0:
        return exact.astype(types.UINT64)
    if dtype is None:
        at = int(array.argmax())
        raise InvalidValue(
            f"expected integers that all fit INT64, or all UINT64, got {brief(exact.flat[at])} at "
            f"position {at} beside negative ones; give floats, or change the values"
        )
    return array


def with_gaps(values: Any, missing: Any = None) -> tuple[np.ndarray, np.ndarray | None]:
    """Values on the host with 0 where they are masked, and where they are not masked.

    The second result is None if no value is masked. If NaN is what is `missing`, NaN counts as
    masked: integers, which have none, may be wanted.
    """
    masked = np.ma.is_masked(values)
    held = values.filled(0) if masked else as_numpy(values)
    unmasked = ~np.ma.getmaskarray(values) if masked else None
    if held.dtype.kind in "fc" and isinstance(missing, Number) and missing != missing:
        numbers = held == held
        if not numbers.all():
            held = np.where(numbers, held, held.dtype.type(0))
            unmasked = numbers if unmasked is None else unmasked & numbers
    return held, unmasked


def present(flat: np.ndarray, missing: Any, unmasked: np.ndarray | None) -> np.ndarray | None:
    """True where an array has an entry: where it is neither `missing` nor masked. None if nothing
    can be missing. NaN, which is not equal to itself, is the same as a `missing` of NaN."""
    if missing is unmasked is None:
        return None
    there: Any = np.ones(flat.size, bool)
    if missing is not None:
        value = as_numpy(missing)
        if value.ndim != 0 or value.dtype.kind not in "biufc":
            raise WrongType(f"expected a number as missing_value, got {brief(missing)}")
        given, nothing = types.shown(flat), value.item()
        there = given != nothing if nothing == nothing else given == given
    if there.ndim > 1:  # of an array type
        there = there.reshape(flat.size, -1).any(axis=1)
    if unmasked is None:
        return there  # type: ignore[no-any-return]
    return there & unmasked.reshape(flat.size, -1).all(axis=1)  # type: ignore[no-any-return]


def torch_tensor(rows: tuple[Any, Any, Any], shape: tuple[int, int]) -> Any:
    """A sparse CSR tensor of PyTorch that shares the memory of compressed rows."""
    torch = required("torch", "a tensor of PyTorch", "torch", "take .to_csr()")
    parts = [torch.from_dlpack(part) for part in rows]
    return torch.sparse_csr_tensor(*parts, size=shape)


def pandas() -> Any:
    """The module pandas."""
    return required("pandas", "to_pandas()", "pandas")


def scipy_coordinates(entries: Rows, shape: tuple[int, int]) -> Any:
    """A SciPy sparse array in the COO format, made of rows, columns and values in order."""
    import scipy.sparse as sp

    row, column, values = entries
    coo: Any = sp.coo_array((values, (row, column)), shape=shape)
    coo.has_canonical_format = True
    return coo


def scipy_format(form: Any) -> str:
    """A format of SciPy's sparse arrays, by its name in small letters."""
    if not isinstance(form, str) or form.lower() not in FORMATS:
        raise InvalidValue(f"expected format to be one of {', '.join(FORMATS)}, got {brief(form)}")
    return form.lower()


def scipy_array(rows: Rows, shape: tuple[int, int], form: str) -> Any:
    """A SciPy sparse array of the given format, made of compressed rows."""
    import scipy.sparse as sp

    indptr, indices, values = rows
    csr: Any = sp.csr_array((values, indices, indptr), shape=shape)
    csr.has_canonical_format = True
    return csr.asformat(form)
