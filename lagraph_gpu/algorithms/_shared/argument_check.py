"""What every public function of a graph asks first: that it was given one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import scipy.sparse as sp

from lagraph_gpu.errors import WrongType
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import EdgeList
from lagraph_gpu.notation.matrix import Matrix


def guarded(public: dict[str, Any]) -> dict[str, Any]:
    """Those of the public things that take a graph, each behind `of_a_graph`."""
    return {name: of_a_graph(thing) for name, thing in public.items() if takes_a_graph(thing)}


def takes_a_graph(thing: Any) -> bool:
    """Is it a function whose first parameter says ``G: Graph``?"""
    if not isinstance(thing, FunctionType):
        return False
    return next(iter(thing.__annotations__.items()), None) == ("G", "Graph")


@functools.cache
def of_a_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function; WrongType, and how to come by a graph, where it is given none."""

    @functools.wraps(function)
    def checked(G: Any, *arguments: Any, **named: Any) -> Any:
        if not isinstance(G, Graph):
            raise WrongType(f"expected a lagraph_gpu.Graph, got {shown(G)}; {remedy(G)}")
        return function(G, *arguments, **named)

    checked.__module__ = "lagraph_gpu"  # that is where pickle finds this one
    return checked


def shown(thing: Any) -> str:
    kind = type(thing)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def remedy(thing: Any) -> str:
    """What makes a graph of something."""
    if hasattr(thing, "is_multigraph"):
        return "make one with lg.Graph.from_networkx(G)"
    if isinstance(thing, Matrix):
        return "make one with lg.Graph(A)"
    if isinstance(thing, EdgeList):
        return "make one with lg.Graph.from_edgelist(edges)"
    if sp.issparse(thing):
        return "make one with lg.Graph.from_scipy(A)"
    if isinstance(thing, str) or hasattr(thing, "__fspath__"):
        return "read one with lg.read(path)"
    return "make one with lg.Graph.from_edges(src, dst)"
