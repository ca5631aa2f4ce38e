"""Which public call of the program runs: a cluster compares the calls of its processes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from types import GeneratorType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
Describe = Callable[[str, tuple[Any, ...], Mapping[str, Any]], str]

CALL_DESCRIBERS: list[Describe] = []
"""A function that describes a call by its name and what it is given, if somebody has to know in
which call the program is."""


class Call:
    """A public call of the program, which all processes of a cluster make alike."""

    __slots__ = "_given", "_text"

    def __init__(self, *given: Any) -> None:
        self._given, self._text = given, ""

    @property
    def text(self) -> str:
        """Its name and what it is given, as these are when it is first asked for."""
        if not self._text:
            self._text = CALL_DESCRIBERS[0](*self._given)
        return self._text


CURRENT: ContextVar[Call | None] = ContextVar("CURRENT", default=None)
"""The call that runs in this thread, if any does. It is that of the program, which may consist of
others."""


def announced(function: Function, known_as: str = "") -> Function:
    """Wrap a function so that its calls are `CURRENT` while they run, and so are the steps of an
    iterator that it returns. Programs know it by its own name, if by no other."""
    name = known_as or function.__qualname__

    @functools.wraps(function)
    def within(*given: Any, **named: Any) -> Any:
        if not CALL_DESCRIBERS or CURRENT.get() is not None:
            return function(*given, **named)
        call = Call(name, given, named)
        CURRENT.set(call)
        try:
            made = function(*given, **named)
        finally:
            CURRENT.set(None)
        return steps_of(call, made) if isinstance(made, GeneratorType) else made

    return within  # type: ignore[return-value]


def steps_of(call: Call, steps: Iterator[Any]) -> Iterator[Any]:
    """An iterator over the steps, each of which belongs to the call."""
    while True:
        outer = CURRENT.get()
        CURRENT.set(outer or call)
        try:
            step = next(steps)
        except StopIteration:
            return
        finally:
            CURRENT.set(outer)
        yield step
