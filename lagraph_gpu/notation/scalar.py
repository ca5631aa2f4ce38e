"""The class `Scalar`: a number that may be absent, such as the result of a reduction."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Number
from types import NoneType
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import checked_methods, is_one_of
from lagraph_gpu.convert.options import Wait
from lagraph_gpu.convert.values import typed_values
from lagraph_gpu.display import View
from lagraph_gpu.errors import EmptyObject, InvalidValue, WrongType, brief
from lagraph_gpu.notation import views
from lagraph_gpu.notation.attributes import Closed
from lagraph_gpu.notation.checks import expect_fit, expect_flag, expect_hints, expect_number
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.expressions import Expression, binary_of
from lagraph_gpu.notation.infix import Operations, number
from lagraph_gpu.notation.update import Update, accumulator, run
from semirings import BinaryOp, types
from semirings.calls import SCALARS
from semirings.records import Fields


class NoIndex(WrongType, AttributeError):
    """A scalar that is no integer has no `__index__`: hence an AttributeError, which Python expects
    there."""


def expect_how(how: Any) -> None:
    """Check the word that says how to wait."""
    if not is_one_of(how, ("materialize", "complete")):
        raise InvalidValue(f"expected how as materialize or complete, got {brief(how)}")


class Awaited:
    """A number that is still being computed. The first `look` waits; None means no number.

    A backend may use it as an operand before it is known, by its `source`: a backend's own object,
    or an operation on other scalars (`composites.OfScalars`).
    """

    def __init__(
        self, find: Callable[[], Any], dtype: np.dtype, certain: bool, source: Any,
        send: Callable[[], Callable[[], Any]] | None = None,
    ) -> None:  # fmt: skip
        """`find` waits for the number. `certain` says that there will be one.

        `send` starts the copy to the host and returns another `find`.
        """
        self._find: Callable[[], Any] | None = find
        self._send = send
        self._found: Any = None
        self.dtype, self.certain, self.source = dtype, certain, source

    def send(self) -> None:
        if self._find is not None and self._send is not None:
            self._find, self._send = self._send(), None

    def look(self) -> Any:
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found


@functools.cache
def worked_in(accum: BinaryOp, dtype: np.dtype) -> BinaryOp:
    """The accumulator with the type in which it works on values of this type, if it has none."""
    if accum.typed is not None:
        return accum
    worked = accum.operand(dtype)  # truediv of integers works in FP64
    return accum if types.is_record(worked) else replace(accum, typed=worked)


@checked_methods
class Scalar(Closed, Operations):
    """One value of a type, or none. It is copied from the device to the host when it is first read.

    Parameters
    ----------
    dtype : type or str
        The type of the value: a NumPy dtype or a name such as "FP32".
    is_cscalar : bool, optional
        Kept for python-graphblas, which has two kinds of scalars. It changes nothing here.
    backend : str or Backend, optional
        The backend that computes with it. By default the backend in force.
    name : str, optional
        A name, which is shown where it is printed.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([0, 2], [5, 6])
    >>> v.reduce("plus").new().value
    11
    """

    shape: tuple[int, ...] = ()
    name: str | None = None
    """A name that is shown where the scalar is printed. It may be set at any time."""

    is_cscalar: bool = False
    """What python-graphblas was told of the scalar by `is_cscalar=`. It changes nothing here."""

    _held: Any

    def __init__(
        self, dtype: Any = types.FP64, *, is_cscalar: bool = False,
        backend: BackendName | Backend | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if is_cscalar is not False and expect_flag(is_cscalar, "is_cscalar"):
            self.is_cscalar = True
        vars(self).update(
            dtype=types.lookup(dtype), backend=resolve(backend), _held=None, name=name
        )

    @property
    def _store(self) -> np.generic | None:
        """The value, or None if there is none. Reading it waits for the device."""
        if isinstance(self._held, Awaited):
            found = self._held.look()
            self._held = None if found is None else types.cast(found, self.dtype)
        return self._held

    def __getstate__(self) -> dict[str, Any]:
        """The state to copy or pickle, with the value, for which it waits."""
        return {**vars(self), "_held": self._store}

    @property
    def held(self) -> Any:
        """The value, None, or an Awaited that will give the value."""
        return self._held

    @property
    def awaited(self) -> Awaited | None:
        """The Awaited that will give the value, or None if the value has been read already."""
        return self._held if isinstance(self._held, Awaited) else None

    @property
    def certain(self) -> bool:
        """True if it is known, without waiting, that there is a value."""
        return self._held.certain if isinstance(self._held, Awaited) else self._held is not None

    @property
    def value(self) -> Any:
        """The value as a Python number, or None if there is none."""
        held = self._store
        if held is None:
            return None
        if isinstance(held, np.void):  # a record, or an array type
            held = types.shown(held)
            return held.copy() if isinstance(held, np.ndarray) else Fields(held)
        return held.item()

    @value.setter
    def value(self, value: Any) -> None:
        self._put(value, None)

    @property
    def is_grbscalar(self) -> bool:
        """The opposite of `is_cscalar`."""
        return not self.is_cscalar

    @property
    def nvals(self) -> int:
        return 0 if self._store is None else 1

    @property
    def is_empty(self) -> bool:
        return self._store is None

    def get(self, default: Any = None) -> Any:
        """The value as a Python number.

        Parameters
        ----------
        default : object, optional
            What to return if there is no value.

        Returns
        -------
        number or object
            The value, or `default`.

        Notes
        -----
        The call waits for the device.
        """
        return default if self._store is None else self.value

    @classmethod
    def from_value(
        cls,
        value: Any,
        dtype: Any = None,
        *,
        is_cscalar: bool = False,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a scalar that holds a value.

        Parameters
        ----------
        value : number, Scalar or None
            The value. None, or a Scalar that holds none, makes a scalar without one.
        dtype : type or str, optional
            The type of the scalar. By default the type of the value.
        is_cscalar : bool, optional
            Kept for python-graphblas. It changes nothing here.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Scalar
            The scalar.
        """
        if isinstance(value, Scalar) and value.is_empty:
            value, dtype = None, value.dtype if dtype is None else dtype
        if value is None:
            dtype = types.FP64 if dtype is None else dtype
            return cls(dtype, is_cscalar=is_cscalar, backend=backend, name=name)
        if dtype is not None and types.is_record(types.lookup(dtype)):
            value = typed_values(value, 1, dtype)[0]
        value = number(value)
        expect_number(value)
        dtype = np.asarray(value).dtype if dtype is None else dtype
        made = cls(dtype, is_cscalar=is_cscalar, backend=backend, name=name)
        made.value = value
        return made

    def __lshift__(self, value: Any) -> None:
        self._put(value, None)

    def update(self, expr: Any, **hints: Any) -> None:
        """The method for `self << expr`.

        Parameters
        ----------
        expr : number, Scalar or Expression
            The new value. None removes the value.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.
        """
        expect_hints(hints)
        self << expr

    def send(self) -> Self:
        """Start the copy of the value to the host.

        A later read then waits for this value, but not for work that the device is given in the
        meantime.

        Returns
        -------
        Scalar
            This scalar.
        """
        if self.awaited is not None:
            self.awaited.send()
        return self

    def wait(self, how: Wait = "materialize") -> Self:
        """Wait until the value is on the host.

        Parameters
        ----------
        how : str, optional
            "materialize" or "complete", as in python-graphblas. Both do the same here.

        Returns
        -------
        Scalar
            This scalar.
        """
        expect_how(how)
        _ = self._store
        return self

    def __call__(self, accum: Any = None, **hints: Any) -> ScalarUpdater:
        """The object that takes an accumulator, for `s(accum) << expression`."""
        expect_hints(hints)
        return ScalarUpdater(self, None if accum is None else accumulator(binary_of(accum)))

    def _put(self, value: Any, accum: BinaryOp | None) -> None:
        if isinstance(value, Expression):
            if accum is not None and hasattr(value, "resolved_indexes"):  # one element, v[1]
                expect_computing()
            run(Update(self, value, accum=accum))
            return
        value = value._store if isinstance(value, Scalar) else value
        if value is not None and types.is_record(self.dtype):
            value = typed_values(value, 1, self.dtype)[0]
        elif value is not None:
            expect_fit(value, self.dtype)
        self.put(value, accum)

    def put(self, found: Any, accum: BinaryOp | None = None) -> None:
        """Set the value that a backend has computed, or combine it with the old value.

        Parameters
        ----------
        found : number, Awaited or None
            The new value; None means that there is no value. An Awaited is read when the scalar is
            first read.
        accum : BinaryOp, optional
            How to combine the old and the new value. By default the new value replaces the old one.
        """
        if accum is None and isinstance(found, Awaited):
            self._held = found
            return
        found = found.look() if isinstance(found, Awaited) else found
        if accum is not None and (found is None or self._store is None):
            found = self._store if found is None else found
        elif accum is not None:
            found = worked_in(accum, self.dtype).evaluate(self._store, found)
        self._held = None if found is None else types.cast(found, self.dtype)

    def dup(
        self, dtype: Any = None, *, clear: bool = False, is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:  # fmt: skip
        """A copy of this scalar.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the copy. By default the type of this scalar.
        clear : bool, optional
            Whether the copy has no value.
        is_cscalar : bool, optional
            Kept for python-graphblas. By default that of this scalar.
        name : str, optional
            A name for the copy, which is shown where it is printed.

        Returns
        -------
        Scalar
            The copy.
        """
        twin = object.__new__(Scalar)
        same = dtype is None
        vars(twin).update(
            dtype=self.dtype if same else types.lookup(dtype),
            backend=self.backend,
            _held=self._held if same and not clear else None,
            name=name,
        )
        if self.is_cscalar if is_cscalar is None else is_cscalar:
            twin.is_cscalar = True
        if not (same or clear):
            twin.put(self._held)
        return twin

    new = dup

    def _in_place(self, other: Any, name: str) -> Any:
        """`s += 1` and its kin: the result is stored in this scalar, in its own type."""
        found = getattr(self, f"__{name}__")(other)
        if found is NotImplemented:
            return found
        found = found.new() if isinstance(found, Expression) else found
        self.put(found._store if isinstance(found, Scalar) else found)
        return self

    def clear(self) -> None:
        """Remove the value."""
        self._held = None

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        other = other.value if isinstance(other, Scalar) else other
        if isinstance(self.value, np.ndarray) or isinstance(other, np.ndarray):
            try:
                return bool(np.all(self.value == other))
            except (TypeError, ValueError):  # numbers beside records, or arrays within arrays
                return False
        if getattr(other, "shape", ()) != ():
            raise WrongType(f"expected a number to compare with a Scalar, got {brief(other)}")
        if types.is_record(self.dtype) and isinstance(other, (tuple, np.void)):
            return bool(self.value == (other if isinstance(other, tuple) else other.item()))
        if not isinstance(other, (Number, np.ndarray, NoneType)):
            return NotImplemented
        return bool(self.value == other)

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    @property
    def __index__(self) -> Callable[[], int]:
        """Python asks for it where an integer must stand. Other types than integers have none."""
        if self.dtype.kind not in "iu":
            raise NoIndex(f"expected a scalar of integers as an index, got {brief(self)}")
        return self.__int__

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._expect_number("for NumPy")
        held = types.shown(self._store)
        return np.array(held, held.dtype if dtype is None else dtype)

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __round__(self, digits: int | None = None) -> Any:
        self._expect_number("to round")
        return round(self.value, digits)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        self._expect_number("to format")
        return format(self.value, spec)

    def _expect_number(self, what: str) -> None:
        if self._store is None:
            raise EmptyObject(f"expected a number {what}, got {brief(self)}, which holds none")

    def _view(self, read: bool = True, picture: bool = False) -> View:
        return views.of_scalar(self, read)


SCALARS.append(Scalar.from_value)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Scalar, f"__i{_name}__", functools.partialmethod(Scalar._in_place, name=_name))


@dataclass(frozen=True)
class ScalarUpdater:
    """The object `s(accum)`, which `<<` completes."""

    out: Scalar
    accum: BinaryOp | None

    def __lshift__(self, value: Any) -> None:
        self.out._put(value, self.accum)

    def update(self, expr: Any, **hints: Any) -> None:
        """The method for `self << expr`."""
        expect_hints(hints)
        self << expr
