"""Types of a user's own: records, whose fields are numbers.

A record type is a `DataType` like another, but no operator of the tables has it in its domain:
operators take it where their expression admits it. `x` alone does, and `x == y`, and an expression
of fields such as `x['mass'] * y['charge']`. They have no order and no arithmetic.

Types are registered for the process: two records with equal fields are one type, which has the name
that it was given first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import types
from .errors import InvalidValue, WrongKind, WrongType, brief

DType = np.dtype[Any]


def described(dtype: Any) -> DType:
    """The NumPy dtype of a record: of a dtype, of what NumPy makes one of, or of a mapping from
    names of fields to types."""
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
    try:
        made = np.dtype(getattr(dtype, "np_type", dtype))
    except (TypeError, ValueError) as problem:
        raise WrongType(f"expected the dtype of a record, got {brief(dtype)}: {problem}") from None
    if made.fields is None or made.hasobject:
        raise WrongKind(
            f"expected a record, such as np.dtype([('x', float), ('y', int)]), got {brief(dtype)}; "
            f"the other types are {', '.join(types.BY_NAME)}"
        )
    for name, (of_field, *_) in made.fields.items():
        if of_field.fields is not None:
            _described(of_field)
        elif of_field not in types.OF_DTYPE:
            raise WrongType(
                f"expected numbers in the fields of a record, got {of_field} in {brief(name)}"
            )
    return made


def default_name(dtype: DType) -> str:
    """The name of a record without one: "{'x': INT64, 'y': FP64}", as in python-graphblas."""
    if dtype.fields is None:
        return types.lookup(dtype).name
    fields = ", ".join(f"{n!r}: {default_name(f[0])}" for n, f in dtype.fields.items())
    return f"{{{fields}}}"


def register_anonymous(dtype: Any, name: str | None = None) -> types.DataType:
    """The type of a record.

    Parameters
    ----------
    dtype : type or dict
        The NumPy dtype of the record, or the types of its fields by their names.
    name : str, optional
        A name. By default that of the dtype.

    Returns
    -------
    DataType
        The type. If the record is known it is the one that is known.

    Raises
    ------
    WrongType
        The dtype is not a record, or its fields are not numbers.
    InvalidValue
        Another type has the name.
    """
    made = described(dtype)
    if made in types.OF_DTYPE:
        return types.OF_DTYPE[made]
    if name is not None and not isinstance(name, str):
        raise WrongType(f"expected the name as text, got {brief(name)}")
    if name is None:
        short, long = default_name(made), str(made)  # records that differ in alignment alone
        name = long if short in types.RECORDS else short
    if name.upper() in types.BY_NAME or name in types.RECORDS:
        raise InvalidValue(f"expected a new name for a type, got {brief(name)}")
    found = types.OF_DTYPE[made] = types.RECORDS[name] = types.DataType(name, made)
    return found


def register_new(name: str, dtype: Any) -> types.DataType:
    """Register a record under a name by which `lookup` finds it.

    Parameters
    ----------
    name : str
        The name.
    dtype : type or dict
        As for `register_anonymous`.

    Returns
    -------
    DataType
        The type.
    """
    taken = ("register_new", "register_anonymous", "lookup_dtype", "unify", "DataType")
    known = isinstance(name, str) and (name in types.RECORDS or name in taken)
    if not isinstance(name, str) or not name.isidentifier() or known:
        raise InvalidValue(f"expected a new name for a type, got {brief(name)}")
    made = described(dtype)
    if made in types.OF_DTYPE:
        raise InvalidValue(
            f"expected a record that is not registered yet, got that of {types.OF_DTYPE[made]}"
        )
    return register_anonymous(made, name)


def again(dtype: DType, name: str) -> types.DataType:
    """The type that a pickle holds."""
    return register_anonymous(dtype, name if name not in types.RECORDS else None)


types.MAKE_RECORD.append(register_anonymous)
