"""Checks of the arguments of public functions and of the methods of public classes.

A value is checked by its kind before it is used. `if copy:` would raise NumPy's error for an array,
and `order in ORDERS` Python's for a list. `checked_arguments` checks flags and functions by the
annotations of the parameters, so that no function has to. Only arguments that are passed are
checked.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sized
from numbers import Real
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from lagraph_gpu.errors import WrongType, brief
from semirings.names import expect_flag as expect_flag

Class = TypeVar("Class", bound=type)


def is_integer(value: Any) -> bool:
    """True for an integer of Python or NumPy. Truth values and durations are no integers here."""
    if type(value) is int:
        return True
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def is_real(value: Any) -> bool:
    """True for a real number of Python or NumPy, also for a fraction, but for no truth value."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.timedelta64))


def is_one_of(value: Any, choices: Collection[str]) -> bool:
    """True for one of these words. A value of any other kind is none of them."""
    return isinstance(value, str) and value in choices


def dimensions(value: Any) -> int:
    """The number of dimensions of an array; 0 for whatever is none, also if it says otherwise."""
    ndim = getattr(value, "ndim", 0)
    return ndim if isinstance(ndim, int) else 0


def is_list(values: Any) -> bool:
    """True for something to go over that has one axis, or a length if it has one; but not for
    text. A vector has an axis and no length: it is a list of its indices."""
    if type(values) in (list, tuple):
        return True
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        return False
    if isinstance(values, Sized) and dimensions(values) != 1:
        try:
            len(values)
        except (TypeError, ValueError, OverflowError):  # no axes, or a wrong __len__
            return False
    return True


def by_label(values: Any) -> bool:
    """Whether these are values by label: a dict, or a Series of pandas."""
    if isinstance(values, Mapping):
        return True
    series = hasattr(type(values), "reindex") and hasattr(type(values), "items")  # no Index
    return series and values.ndim == 1


def expect_flag_or_none(value: Any, name: str) -> None:
    if value is not None:
        expect_flag(value, name)


def expect_function(value: Any, name: str) -> None:
    if not callable(value):
        raise WrongType(f"expected {name} as a function, got {brief(value)}")


def expect_function_or_none(value: Any, name: str) -> None:
    if value is not None:
        expect_function(value, name)


def expect_path(value: Any, name: str) -> None:
    if not isinstance(value, (str, os.PathLike)):
        raise WrongType(f"expected {name} as a str or a pathlib.Path, got {brief(value)}")


CHECKS: dict[str, Callable[[Any, str], object]] = {
    "bool": expect_flag,
    "bool | None": expect_flag_or_none,
    "StepCallback | None": expect_function_or_none,
    "Callable[[Graph], Any]": expect_function,
    "str | os.PathLike[str]": expect_path,
}
"""What is checked of a parameter, by its annotation."""


def checked_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which first checks the arguments for parameters with such an annotation."""
    known = {n: CHECKS[kind] for n, kind in function.__annotations__.items() if kind in CHECKS}
    if not known:
        return function
    code = function.__code__
    places = [(at, n) for at, n in enumerate(code.co_varnames[: code.co_argcount]) if n in known]
    first = places[0][0] if places else code.co_argcount

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        for name, value in named.items():
            if name in known:
                known[name](value, name)
        if len(arguments) > first:
            for at, name in places:
                if at < len(arguments):
                    known[name](arguments[at], name)
        return function(*arguments, **named)

    return checked


def checked_methods(owner: Class) -> Class:
    """The class, whose public methods check their arguments."""
    for name, held in list(vars(owner).items()):
        if name.startswith("_"):
            continue
        if isinstance(held, FunctionType):
            setattr(owner, name, checked_arguments(held))
        elif isinstance(held, classmethod):
            setattr(owner, name, classmethod(checked_arguments(held.__func__)))
    return owner
