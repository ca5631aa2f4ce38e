"""Checks of arguments that many operations share, with one wording for the errors."""

from __future__ import annotations

import functools
import math
import operator
import os
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.convert.arguments import expect_flag as expect_flag
from lagraph_gpu.convert.arguments import is_integer as is_integer
from lagraph_gpu.convert.arguments import is_real
from lagraph_gpu.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    UnknownKeyword,
    WrongDimension,
    WrongType,
    brief,
)
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise DimensionMismatch(message)


def expect_filled(x: Any, fill_value: Any) -> None:
    """Raise WrongType if a position of a container has no entry, and there is no value for it.

    Whether there is one is found out before the entries are read. Where they are distributed every
    process asks, so that an error of one is found while the others still wait for it.
    """
    if fill_value is not None and x.backend.storage != "distributed":
        return
    missing = math.prod(x.shape) - x.nvals
    if missing and fill_value is None:
        raise WrongType(f"expected fill_value for the {missing} positions without an entry")


HINTS = frozenset(
    ("nthreads", "chunk", "sort", "axb_method", "secure_import", "compression", "copy")
)
"""The names of hints to SuiteSparse, which python-graphblas takes beside the settings."""


def expect_hints(given: dict[str, Any]) -> None:
    """Accept hints such as `nthreads=4`. They have no effect; other names are refused."""
    if unknown := given.keys() - HINTS:
        raise UnknownKeyword(
            f"expected hints among {', '.join(sorted(HINTS))}, got {', '.join(sorted(unknown))}"
        )


def mismatch(left: Any, right: Any) -> type[DimensionMismatch]:
    """The class of error for two shapes: another one if they differ in the number of axes."""
    return DimensionMismatch if len(left) == len(right) else WrongDimension


def expect_axes(operand: Any, count: int) -> None:
    """Check that an operand of a product is a vector, or a matrix: it has one axis, or two."""
    shape = getattr(operand, "shape", (0,) * count)
    if not isinstance(shape, tuple) or len(shape) != count:
        what = ("a vector", "a matrix")[count - 1]
        raise WrongDimension(f"expected {what} as the other operand, got shape {shape}")


def expect_convertible(dtype: np.dtype, to: np.dtype) -> None:
    """Refuse to convert records, or arrays, to another type, or numbers to them."""
    if dtype != to and types.is_record(dtype) | types.is_record(to):
        raise DomainMismatch(
            f"expected entries of type {to}, got {dtype}: records are not converted; read a field "
            "by an operator such as \"x['field']\""
        )


def expect_kind(thing: Any, kind: Any, what: str) -> None:
    if not isinstance(thing, kind):
        raise WrongType(f"expected {what}, got {brief(thing)}")


def value_type(value: Any, beside: np.dtype, *, compared: bool = False) -> np.dtype:
    """The type of a bound number beside an operand of type `beside`, before the two are unified.

    A NumPy number has its own type. Of Python numbers, a truth value has the type of the operand,
    and so has a fraction beside fractions, and an integer beside fractions or beside integers of 64
    bits. Otherwise, or if that type cannot hold it, an integer is INT64, UINT64 or FP64, the first
    that can hold it, a fraction FP64, and a complex number FC64.

    Where the two are only compared (`compared`) the answer does not depend on the type, and an
    integer has that of narrow integers, too, if it fits.

    >>> [types.name(value_type(n, types.INT8)) for n in (100, 300, 2**63, 2**64, 0.5, 1j)]
    ['INT64', 'INT64', 'UINT64', 'FP64', 'FP64', 'FC64']
    >>> value_type(100, types.INT8, compared=True), value_type(300, types.INT8, compared=True)
    (INT8, INT64)
    """
    if type(value) is float and beside is types.FP64:
        return beside
    whole, kind = type(value) is int, beside.kind
    if not whole and type(value) is not float:
        expect_number(value)
        if isinstance(value, (np.generic, np.ndarray)):
            return types.lookup(value.dtype)
        if isinstance(value, bool):
            return beside
        if isinstance(value, complex):
            return beside if types.is_complex(beside) else types.FC64
        whole = isinstance(value, int)
    narrow = kind in "iu" and beside.itemsize < 8 and not compared  # its results may wrap
    if kind in ("iufc" if whole else "fc") and not narrow and holds(beside, value):
        return beside
    for wider in (types.INT64, types.UINT64) if whole else ():
        if holds(wider, value):
            return wider
    if not holds(types.FP64, value):
        raise InvalidValue(f"expected a number that fits FP64, got {brief(value)}")
    return types.FP64


def holds(dtype: np.dtype, value: float) -> bool:
    """True if a type can hold an integer of Python, or a fraction, which may be inf or NaN."""
    lowest, highest = _range(dtype)
    return lowest <= value <= highest or value - value != 0


def drawn_seed() -> int:
    """A seed of 64 bits that nobody can foresee."""
    return int.from_bytes(os.urandom(8), "little")


SEED_SOURCES: list[Callable[[], int]] = [drawn_seed]
"""Where a seed comes from if none is given: the last of these functions. Processes that run one
program together (`lagraph_gpu.cluster`) append one that is the same on all of them."""


def _generators() -> tuple[type, ...]:
    """The classes of NumPy that are seeds. NumPy imports them when they are first asked for."""
    kinds = np.random
    return kinds.SeedSequence, kinds.BitGenerator, kinds.Generator, kinds.RandomState


def random(seed: Any) -> np.random.Generator:
    """The random generator of a seed."""
    try:
        several = isinstance(seed, (list, tuple)) and all(map(is_integer, seed))
        several = several or (type(seed) is np.ndarray and seed.ndim <= 1)
        several = several or seed is None or is_integer(seed)
        if not (several or isinstance(seed, _generators())):
            raise TypeError("integers and random generators are seeds")  # NumPy may crash
        return np.random.default_rng(SEED_SOURCES[-1]() if seed is None else seed)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InvalidValue(
            "expected a seed that numpy.random.default_rng takes, such as an integer of at least "
            f"0, got {brief(seed)} ({problem})"
        ) from None


def seeded(seed: Any, count: int) -> tuple[int, ...]:
    """Random numbers below 2⁶⁴, at most eight, made from a seed.

    The numbers of an integer seed are its digest, because making a NumPy generator takes 0.1 ms.

    >>> seeded(1, 4) == seeded(np.int32(1), 4) != seeded(2, 4)
    True
    """
    from hashlib import blake2b

    try:
        whole = SEED_SOURCES[-1]() if seed is None else operator.index(seed)
    except TypeError:
        return tuple(random(seed).bit_generator.random_raw(count).tolist())
    if whole < 0:
        random(seed)  # raises the error that says what is wrong
    digits = str(whole) if whole < 2**4096 else hex(whole)  # Python does not write longer ones
    digest = blake2b(digits.encode(), digest_size=8 * count).digest()
    return struct.unpack(f"<{count}Q", digest)


def number(value: Any, dtype: np.dtype) -> Any:
    """A number in the type in which an operation takes it; 0 if none was given."""
    zero = value is None or (type(value) is int and value == 0)
    return _zero(dtype) if zero else types.cast(value, dtype)


@functools.cache
def _zero(dtype: np.dtype) -> Any:
    return types.cast(0, dtype)


@functools.cache
def _range(dtype: np.dtype) -> tuple[float, float]:
    """The smallest and the largest number of a type. BOOL accepts any number."""
    if dtype.kind == "b":
        return -np.inf, np.inf
    if types.rounds(dtype):
        return -float(np.finfo(dtype).max), float(np.finfo(dtype).max)
    return types.lowest(dtype), types.highest(dtype)


def expect_integer(value: Any, what: str) -> None:
    if not is_integer(value):
        raise WrongType(f"expected {what} as an integer, got {brief(value)}")


def expect_count(value: Any, name: str) -> int:
    """Check for an integer of at least 0, such as a number of rounds."""
    if not is_integer(value) or value < 0:
        raise InvalidValue(f"expected {name} as an integer of at least 0, got {brief(value)}")
    return int(value)


def process_alone(home: Backend, target: Backend, root: Any) -> int | None:
    """The number of the process that alone gets a container of one backend on another one. None
    where no root is given, or where one process has all of it."""
    if root is None:
        return None
    root = expect_count(root, "root")
    if target.storage == "distributed":
        raise InvalidValue(
            "expected root= with the backend of one process, such as 'cpu', got 'cluster'"
        )
    if home.storage == "distributed":
        return root
    if root:
        raise InvalidValue(f"expected root below 1, the number of processes, got {brief(root)}")
    return None


def expect_number(value: Any) -> None:
    """Raise WrongType if the value is not a number. An array that holds one number is accepted."""
    if not (isinstance(value, np.ndarray) and value.ndim == 0):
        expect_kind(value, (int, float, complex, np.generic), "a number")
        if getattr(value, "dtype", types.FP64).kind not in "biufcV":
            raise WrongType(f"expected a number, got {brief(value)}")


def as_float(value: Any) -> float:
    """A real number as a float; NaN for other values and for integers too large for a float."""
    if not is_real(value):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def expect_at_least_0(value: Any, name: str) -> float:
    """Check for a finite number of at least 0, such as a tolerance."""
    number = as_float(value)
    if not 0 <= number < math.inf:
        raise InvalidValue(f"expected {name} as a finite number of at least 0, got {brief(value)}")
    return number


def expect_fit(value: Any, dtype: np.dtype) -> None:
    """Check that a value is a number and, if it is an integer, that `dtype` can hold it."""
    if isinstance(value, float):
        return
    if not isinstance(value, int):
        expect_number(value)
        expect_real(value, dtype)
        return
    if not holds(dtype, value):
        name = types.name(dtype)
        raise InvalidValue(
            f"expected a number that fits {name}, got {brief(value)}; use a wider type"
        )


def expect_real(value: Any, dtype: np.dtype) -> None:
    """Check that no complex number goes into a real type, which would lose its imaginary part."""
    if dtype.kind not in "cV" and np.iscomplexobj(value):
        raise WrongType(
            f"expected a real number for {types.name(dtype)}, got {np.asarray(value)[()]}; take "
            "its .real, or a container of type FC64"
        )


def logical(expression: Any, sign: str) -> Any:
    """Check that the operand of a sign for BOOL (`^`, `|=`, `&=`) is BOOL."""
    dtype = getattr(expression, "dtype", types.BOOL)
    if dtype != types.BOOL:
        raise WrongType(
            f"expected BOOL entries for the sign {sign}, got {types.name(dtype)}; name an operator"
        )
    return expression
