"""What every public function does first and last: its argument is checked to be a graph, where it
takes one, an error for want of memory becomes one of ours, and a cluster knows in which call the
program is. A function of a graph also takes `progress=`, which says for this call what
`lg.progress` says for all.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from types import FunctionType, GeneratorType
from typing import Any, TypeVar

from lagraph_gpu import memory, reporting
from lagraph_gpu.calls.memory_needs import expect_least, expect_values_of_call, needs_of_call
from lagraph_gpu.calls.out_of_memory_fallback import fall_back, has_fallback
from lagraph_gpu.convert.arguments import checked_arguments
from lagraph_gpu.errors import ON_ERROR, TooLarge, WrongType, expect_spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import rows_are_listed

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


def guarded(public: dict[str, Any], module: str) -> dict[str, Any]:
    """The public functions of a module, each as it is to be called: see `of_a_graph`,
    `checked_arguments` and `memory.guarded`.
    """
    functions = {name: thing for name, thing in public.items() if isinstance(thing, FunctionType)}
    return {
        name: found_in(module, of_a_graph(thing) if takes_a_graph(thing) else of_others(thing))
        for name, thing in functions.items()
    }


def of_others(function: FunctionType) -> Callable[..., Any]:
    """Wrap a function that takes no graph."""
    return memory.guarded(announced(checked_arguments(function)))


def takes_a_graph(function: FunctionType) -> bool:
    """True for a function whose first parameter is annotated ``G: Graph``."""
    return next(iter(function.__annotations__.items()), None) == ("G", "Graph")


def found_in(module: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function the module where pickle finds it, and return the function."""
    function.__module__ = module
    return function


@functools.cache
def of_a_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of a graph so that it raises WrongType if its first argument is not a graph,
    with a message that says how to make one, and TooLarge if memory is too short.
    """

    plain = checked_arguments(function)
    within_a_call = announced(plain)
    name, takes_progress = function.__name__, "progress" in function.__annotations__

    def run(G: Graph, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        inner = within_a_call if CALL_DESCRIBERS else plain
        storage = G.A.backend.storage
        if storage == "host":
            expect_least(function, G, arguments, named)
        elif storage == "distributed":
            if rows_are_listed(G):
                expect_values_of_call(name, G)
            memory.CALLS.append(functools.partial(needs_of_call, function, G, arguments, named))
            try:
                return inner(G, *arguments, **named)
            finally:
                memory.CALLS.pop()
        try:
            return inner(G, *arguments, **named)
        except TooLarge as problem:
            if not has_fallback(G, problem):
                raise
            why = problem
        try:
            return fall_back(inner, name, G, arguments, named, why)
        finally:
            del why  # it holds this frame, and the frame the graph

    @functools.wraps(function)
    def checked(G: Any, *arguments: Any, progress: Any = None, **named: Any) -> Any:
        if not isinstance(G, Graph):
            from lagraph_gpu.graph.made_of import remedy, shown

            raise WrongType(f"expected a lagraph_gpu.Graph, got {shown(G)}; {remedy(G)}")
        try:
            try:
                G.expect_sound()
                if progress is None and reporting.SHOWN.by is None:
                    made = run(G, arguments, named)
                elif takes_progress and progress is not None:  # it counts its steps itself
                    made = run(G, arguments, {"progress": progress, **named})
                else:
                    with reporting.call(name, progress):
                        made = run(G, arguments, named)
            except TypeError:
                expect_spelt(checked, named)
                raise
            except memory.possibly_short() as problem:
                memory.raise_ours(name, problem)
        except Exception as problem:
            for respond in ON_ERROR:
                respond(problem, [G.A.backend])
            raise
        return memory.guarded_steps(made) if isinstance(made, GeneratorType) else made

    if not takes_progress:
        described(checked, function)
    return checked


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


def described(checked: Any, function: Callable[..., Any]) -> None:
    """Add `progress` to what Python says of a function: its signature, and the end of the section
    Parameters in its docstring."""
    own = inspect.signature(function)
    kind = "bool | Callable[[int, Any], Any] | None"
    more = inspect.Parameter(
        "progress", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind
    )
    checked.__signature__ = own.replace(parameters=[*own.parameters.values(), more])
    if checked.__doc__ is not None:  # as with python -OO
        checked.__doc__ = AFTER_PARAMETERS.sub(PROGRESS, checked.__doc__, count=1)


AFTER_PARAMETERS = re.compile(r"(?=\n\n    (?:Returns|Raises|Notes|Examples)\n    -)")
PROGRESS = """
    progress : bool or function, optional
        Whether to show the progress of this call, or a function that is called with (done, total).
        By default as `lg.progress` says for all calls."""
