"""How every public function is called. An argument is checked to be a graph, where it takes one,
and an error for want of memory becomes one of ours; a function of a graph also takes `progress=`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any

from lagraph_gpu import memory, reporting
from lagraph_gpu.calls.current_call import CALL_DESCRIBERS, announced
from lagraph_gpu.calls.memory_needs import expect_least, expect_values_of_call, needs_of_call
from lagraph_gpu.calls.out_of_memory_fallback import fall_back, has_fallback
from lagraph_gpu.convert.arguments import checked_arguments
from lagraph_gpu.errors import ON_ERROR, TooLarge, WrongType, expect_spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import rows_are_listed


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
        reporting.add_progress(checked, function)
    return checked
