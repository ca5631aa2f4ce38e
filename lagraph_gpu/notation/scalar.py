"""A number that may be absent: the result of a reduction or of reading one entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.notation.checks import expect_fit, expect_number
from lagraph_gpu.notation.expressions import Expression, binary_of
from lagraph_gpu.notation.infix import Operations, number
from lagraph_gpu.notation.update import Update, run
from semirings import types
from semirings.algebra import BinaryOp


class Awaited:
    """A number that is still being found, or that there is none. The first look waits.

    Meanwhile a backend may take it for an operand: by its ``source``, which is a backend's own or
    an operation on other scalars (``composites.OfScalars``).
    """

    def __init__(
        self, find: Callable[[], Any], dtype: np.dtype, certain: bool, source: Any,
        send: Callable[[], Callable[[], Any]] | None = None,
    ) -> None:  # fmt: skip
        """``find`` waits for it; ``certain``: there will be one; ``send`` lets it set out for the
        host, and returns another ``find``."""
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


class Scalar(Operations):
    """One value of a type, or none. It lives on the host, and comes from the device when somebody
    first looks.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([0, 2], [5, 6])
    >>> v.reduce("plus").new().value
    11
    """

    shape: tuple[int, ...] = ()

    def __init__(self, dtype: Any, *, backend: str | Backend | None = None) -> None:
        self.dtype = types.lookup(dtype)
        self.backend = resolve(backend)
        self._held: Any = None

    @property
    def _store(self) -> np.generic | None:
        """The value, if there is one; waits for the device that finds it."""
        if isinstance(self._held, Awaited):
            found = self._held.look()
            self._held = None if found is None else types.cast(found, self.dtype)
        return self._held

    @property
    def held(self) -> Any:
        """The value, or None, or what is awaited."""
        return self._held

    @property
    def awaited(self) -> Awaited | None:
        """What the value will come from, as long as nobody has looked."""
        return self._held if isinstance(self._held, Awaited) else None

    @property
    def certain(self) -> bool:
        """Is it known, without a wait, that there is a value?"""
        return self._held.certain if isinstance(self._held, Awaited) else self._held is not None

    @property
    def value(self) -> Any:
        """The number as a Python object, or None if there is none."""
        return None if self._store is None else self._store.item()

    @value.setter
    def value(self, value: Any) -> None:
        self._put(value, None)

    @property
    def nvals(self) -> int:
        return 0 if self._store is None else 1

    @property
    def is_empty(self) -> bool:
        return self._store is None

    def get(self, default: Any = None) -> Any:
        """The number, or ``default`` if there is none."""
        return default if self._store is None else self.value

    @classmethod
    def from_value(
        cls, value: Any, dtype: Any = None, *, backend: str | Backend | None = None
    ) -> Self:
        """A scalar that holds ``value``, in its own type unless ``dtype`` says another."""
        value = number(value)
        expect_number(value)
        made = cls(np.asarray(value).dtype if dtype is None else dtype, backend=backend)
        made.value = value
        return made

    def __lshift__(self, value: Any) -> None:
        self._put(value, None)

    def update(self, value: Any) -> None:
        """``self << value``."""
        self << value

    def send(self) -> Self:
        """Let the value set out for the host: then a look waits for it, but not for what a device
        is given to do meanwhile."""
        if self.awaited is not None:
            self.awaited.send()
        return self

    def wait(self, how: str = "materialize") -> Self:
        """Have the value on the host."""
        _ = self._store
        return self

    def __call__(self, accum: Any = None) -> ScalarUpdater:
        """``s(accum) << expression``."""
        return ScalarUpdater(self, None if accum is None else binary_of(accum))

    def _put(self, value: Any, accum: BinaryOp | None) -> None:
        if isinstance(value, Expression):
            run(Update(self, value, accum=accum))
            return
        value = value._store if isinstance(value, Scalar) else value
        if value is not None:
            expect_fit(value, self.dtype)
        self.put(value, accum)

    def put(self, found: Any, accum: BinaryOp | None = None) -> None:
        """What a backend found becomes this scalar's value, or joins it; None is no value. What is
        Awaited is looked at when somebody looks."""
        if accum is None and isinstance(found, Awaited):
            self._held = found
            return
        found = found.look() if isinstance(found, Awaited) else found
        if accum is not None and (found is None or self._store is None):
            found = self._store if found is None else found
        elif accum is not None:
            found = found if accum.typed is not None else types.cast(found, self.dtype)
            found = accum.evaluate(self._store, found)
        self._held = None if found is None else types.cast(found, self.dtype)

    def dup(self, dtype: Any = None, *, clear: bool = False, name: str | None = None) -> Scalar:
        """A copy, cast to ``dtype`` if one is given; with ``clear`` it has no value."""
        twin = object.__new__(Scalar)
        twin.dtype = self.dtype if dtype is None else types.lookup(dtype)
        twin.backend, twin._held = self.backend, None
        if not clear:
            twin.put(self._held)
        return twin

    new = dup

    def clear(self) -> None:
        """Remove the value."""
        self._held = None

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Scalar) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"Scalar({self.value}, {types.name(self.dtype)})"


@dataclass(frozen=True)
class ScalarUpdater:
    """``s(accum)``: waits for ``<<``."""

    out: Scalar
    accum: BinaryOp | None

    def __lshift__(self, value: Any) -> None:
        self.out._put(value, self.accum)

    def update(self, value: Any) -> None:
        """``self << value``."""
        self << value
