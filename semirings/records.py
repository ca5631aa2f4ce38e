"""Types of a user's own: records, whose fields are numbers, and arrays of a fixed shape.

A record type is a `DataType` like another, but no operator of the tables has it in its domain:
operators take it where their expression admits it. `x` alone does, and `x == y`, and an expression
of fields such as `x['mass'] * y['charge']`. They have no order and no arithmetic.

The type of an array, such as "INT64[2]", is a record type of one field, the array (see
`types.held`).

Types are registered for the process: two records with equal fields are one type, which has the name
that it was given last, and is found by the earlier ones as well, as in python-graphblas.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import types
from .errors import InvalidValue, WrongKind, WrongType, brief

DType = np.dtype[Any]


def described(dtype: Any) -> DType:
    """The NumPy dtype of a record or of an array: of a dtype, of what NumPy makes one of, of a
    mapping from names of fields to types, or of a name such as "INT64[2]"."""
    try:
        return _described(dtype)
    except RecursionError:
        raise WrongType("expected a record, got one that is in itself") from None


def _described(dtype: Any) -> DType:
    if isinstance(dtype, Mapping):
        fields = [
            (str(n), _described(t) if isinstance(t, Mapping) else types.lookup(t).np_type)
            for n, t in dtype.items()
        ]
        dtype = np.dtype(fields, align=True)
    if isinstance(dtype, str) and types.of_users_own(dtype):
        dtype = _array(dtype)
    try:
        made = np.dtype(getattr(dtype, "np_type", dtype))
    except (TypeError, ValueError) as problem:
        raise WrongType(f"expected the dtype of a record, got {brief(dtype)}: {problem}") from None
    if made.names == (types.IN_ARRAY,):  # an array as it is held
        made = made[types.IN_ARRAY]
    if (not made.fields and made.subdtype is None) or made.hasobject:
        raise WrongKind(
            f"expected a record, such as np.dtype([('x', float), ('y', int)]), or an array, such "
            f"as 'INT64[2]', got {brief(dtype)}; the other types are {', '.join(types.BY_NAME)}"
        )
    if made.itemsize == 0:
        raise WrongType(f"expected records or arrays that hold a number, got {made}")
    parts = {n: f[0] for n, f in made.fields.items()} if made.fields else {"": made.base}
    for name, part in parts.items():
        if part.base.fields is not None:
            _described(part.base)
        elif part.base not in types.OF_DTYPE:
            where = f"the fields of a record, got {part} in {brief(name)}"
            raise WrongType(f"expected numbers in {where if name else f'an array, got {part}'}")
        if part.base == np.bool_ and (part.subdtype or made.subdtype):  # Numba has none
            raise WrongType(f"expected no array of BOOL, got {made}; take UINT8 for its values")
    return made


def _array(name: str) -> DType:
    """The dtype of an array from a name such as "INT64[3, 4]"."""
    base, shape = name.split("[", 1)
    try:
        sizes = literal_eval(f"[{shape}")
        if not sizes or not all(type(size) is int and size > 0 for size in sizes):
            raise ValueError("its sizes are positive integers")
        return np.dtype((types.lookup(base).np_type, tuple(sizes)))
    except (SyntaxError, ValueError, TypeError, MemoryError) as problem:
        raise WrongType(
            f"expected the name of an array such as 'INT64[2]' or 'FP64[3, 4]', got {brief(name)}: "
            f"{problem}"
        ) from None


def default_name(dtype: DType) -> str:
    """The name of a type without one, as in python-graphblas: "{'x': INT64, 'y': FP64}" of a
    record, "INT64[2]" of an array."""
    if dtype.subdtype is not None:
        return f"{default_name(dtype.base)}[{', '.join(map(str, dtype.shape))}]"
    if dtype.fields is None:
        return types.lookup(dtype).name
    fields = ", ".join(f"{n!r}: {default_name(f[0])}" for n, f in dtype.fields.items())
    return f"{{{fields}}}"


def register_anonymous(dtype: Any, name: str | None = None) -> types.DataType:
    """The type of a record or of an array.

    Parameters
    ----------
    dtype : type, dict or str
        The NumPy dtype of the record or of the array, the types of the fields by their names, or
        the name of an array type such as "INT64[2]".
    name : str, optional
        A name. By default that of the dtype.

    Returns
    -------
    DataType
        The type. If it is known it is the same object, which gets the name.

    Raises
    ------
    WrongType
        The dtype is neither a record nor an array, or it holds something else than numbers.
    InvalidValue
        Another type has the name.
    """
    made = described(dtype)
    known = types.OF_DTYPE.get(types.held(made))
    if known is not None and name is None:
        return known
    if name is not None and not isinstance(name, str):
        raise WrongType(f"expected the name as text, got {brief(name)}")
    if name is None:
        short, long = default_name(made), str(made)  # records that differ in alignment alone
        name = long if short in types.RECORDS else short
    if name.upper() in types.BY_NAME or types.RECORDS.get(name, known) is not known:
        raise InvalidValue(f"expected a new name for a type, got {brief(name)}")
    if known is not None:
        known.rename(name)
        return known
    found = types.DataType(name, made)
    types.OF_DTYPE[made] = types.OF_DTYPE[found.dtype] = types.RECORDS[name] = found
    return found


def register_new(name: str, dtype: Any) -> types.DataType:
    """Register a record or an array under a name by which `lookup` finds it.

    Parameters
    ----------
    name : str
        The name. A type that is known gets it as another name.
    dtype : type, dict or str
        The NumPy dtype of a record or of an array, the types of the fields of a record by their
        names, or the name of an array type such as "INT64[2]".

    Returns
    -------
    DataType
        The type.

    Raises
    ------
    InvalidValue
        The name is taken, or it is no name of Python's.
    """
    taken = ("register_new", "register_anonymous", "lookup_dtype", "unify", "DataType")
    known = isinstance(name, str) and (name in types.RECORDS or name in taken)
    if not isinstance(name, str) or not name.isidentifier() or known:
        raise InvalidValue(f"expected a new name for a type, got {brief(name)}")
    made = register_anonymous(dtype, name)
    types.NAMED.add(name)
    return made


def again(dtype: DType, name: str, is_named: bool = False) -> types.DataType:
    """The type that a pickle holds. A type that is known keeps its name."""
    known = types.OF_DTYPE.get(types.held(dtype))
    if known is not None:
        return known
    if name in types.RECORDS:
        return register_anonymous(dtype)
    return register_new(name, dtype) if is_named else register_anonymous(dtype, name)


types.MAKE_RECORD.append(register_anonymous)


class Fields(tuple):  # type: ignore[type-arg]
    """The value of a record: a tuple that is read by position and, as NumPy's, by field.

    >>> value = Fields(np.array([(1, 2.5)], [("mass", int), ("charge", float)])[0])
    >>> value == (1, 2.5), value["charge"], value.dtype.names
    (True, np.float64(2.5), ('mass', 'charge'))
    """

    def __new__(cls, held: Any) -> Fields:
        made = super().__new__(cls, held.item())
        made._held = held.copy()
        return made

    _held: Any

    @property
    def dtype(self) -> DType:
        """The type of the record."""
        return self._held.dtype  # type: ignore[no-any-return]

    def item(self) -> tuple[Any, ...]:
        """The values of the fields as a plain tuple."""
        return self._held.item()  # type: ignore[no-any-return]

    def __getitem__(self, key: Any) -> Any:
        return self._held[key] if isinstance(key, str | list) else super().__getitem__(key)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._held, self.dtype if dtype is None else dtype)

    def __reduce__(self) -> Any:
        return Fields, (self._held,)
