"""The table of the functions that this backend implements, and the types of their results.

Each function of NetworkX is a few lines: the computation by this package, on a `LagraphGraph`, and
a decorator that names the type of the result and the arguments that are refused. A refusal is a
sentence; NetworkX logs it, and does the work itself if it may.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import networkx as nx
import numpy as np

from lagraph_gpu import errors
from lagraph_gpu.networkx_backend.graph import NAME, LagraphGraph

FEWEST_EDGES = 20_000
"""The number of edges below which NetworkX is usually faster than the conversion."""

Faster = Literal["always", "converted", "never"]
"""When this backend is faster than NetworkX. A conversion is a pass in Python, which takes longer
than one search. "always" is for functions that pass over the edges many times; "converted" for
other functions, which are faster only on a graph that is converted already. `pagerank` and `hits`
belong to these, because NetworkX leaves their rounds to SciPy, after a conversion of its own.
"never" is for walks by one thread, or to a single target.
"""


@dataclass(frozen=True)
class Implementation:
    """A function of NetworkX in this backend, and the check of its arguments."""

    run: Callable[..., Any]
    signature: inspect.Signature
    only: dict[str, tuple[Any, ...]]
    directed: bool | None
    check: Callable[[dict[str, Any]], str | None] | None
    faster: Faster


IMPLEMENTED: dict[str, Implementation] = {}

NETWORKX = tuple(int(part) for part in nx.__version__.split(".")[:2])
"""The version of NetworkX that is installed."""


def implements(
    shape: Callable[[LagraphGraph, Any], Any] | None = None,
    *,
    name: str | None = None,
    only: dict[str, Any] | None = None,
    directed: bool | None = None,
    check: Callable[[dict[str, Any]], str | None] | None = None,
    faster: Faster = "converted",
    before: tuple[int, int] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that adds a function to the table.

    `shape` converts the result to the type that NetworkX returns. `only` holds the value (or a
    tuple of values) that an argument may have; `directed` says which graphs are accepted; `check`
    returns what else is wrong with the arguments; `faster` says when the function is faster than
    that of NetworkX. From version `before` of NetworkX on the function is not offered.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(G: LagraphGraph, *args: Any, **kwargs: Any) -> Any:
            with translated():
                found = function(G, *args, **kwargs)
                return found if shape is None else shape(G, found)

        allowed = {k: v if isinstance(v, tuple) else (v,) for k, v in (only or {}).items()}
        signature = inspect.signature(function)
        made = Implementation(run, signature, allowed, directed, check, faster)
        if before is None or before > NETWORKX:
            IMPLEMENTED[name or function.__name__] = made
        return run

    return enter


@contextmanager
def translated() -> Iterator[None]:
    """Our errors as the errors of NetworkX. Where NetworkX has no such error, the call is left to
    NetworkX.
    """
    try:
        yield
    except errors.NotConverged as error:
        raise nx.PowerIterationFailedConvergence(error.iterations) from error
    except (errors.NegativeCycle, errors.NoFixpoint) as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    except errors.HasCycle as error:
        message = "Graph contains a cycle or graph changed during iteration"
        raise nx.NetworkXUnfeasible(message) from error
    except errors.NotBipartite as error:
        raise nx.NetworkXError("Graph is not bipartite.") from error
    except errors.LagraphError as error:
        raise NotImplementedError(str(error)) from error


def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """True, or the reason why this backend does not accept these arguments."""
    if name not in IMPLEMENTED:
        return f"lagraph does not have {name}"
    entry = IMPLEMENTED[name]
    try:
        bound = entry.signature.bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    bound.apply_defaults()
    given = bound.arguments
    graph = next(iter(given.values()))
    if not isinstance(graph, (nx.Graph, LagraphGraph)):
        return f"expected a graph of NetworkX, got {type(graph).__name__}"
    if graph.is_multigraph():
        return "lagraph has no multigraphs"
    if isinstance(graph, nx.Graph) and type(graph).__getitem__ is not nx.Graph.__getitem__:
        return "this class of graphs has neighbours that are no edges"
    if entry.directed is not None and entry.directed != graph.is_directed():
        return f"lagraph takes {'directed' if entry.directed else 'undirected'} graphs only"
    for attribute in ("weight", "distance"):
        named = entry.signature.parameters.get(attribute)
        if named is None or named.default is inspect.Parameter.empty:  # a number, not a name
            continue
        if not isinstance(given[attribute], (str, type(None))):
            return f"{attribute} must be the name of an edge attribute, not a function"
        if given[attribute] is not None and _drops_directions(graph):
            return (
                "an undirected view of a directed graph may have another weight in each direction; "
                "copy it: G.to_undirected()"
            )
    for argument, allowed in entry.only.items():
        value = given[argument]
        if not any(type(value) is type(one) and value == one for one in allowed):
            return f"lagraph supports {argument} = {' or '.join(map(repr, allowed))} only"
    reason = entry.check(given) if entry.check else None
    return reason or True


def _drops_directions(graph: Any) -> bool:
    """Whether a view shows the edges of a directed graph without their directions."""
    while (shown := getattr(graph, "_graph", None)) is not None:
        if shown.is_directed() and not graph.is_directed():
            return True
        graph = shown
    return False


def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """True, or the reason why the conversion would cost more than it saves."""
    entry = IMPLEMENTED[name]
    graph = next(iter(entry.signature.bind(*args, **kwargs).arguments.values()))
    if isinstance(graph, LagraphGraph):
        return True
    if entry.faster == "never":
        return "NetworkX is no slower where one step follows the other"
    if graph.number_of_edges() < FEWEST_EDGES:
        return f"fewer than {FEWEST_EDGES:,} edges: NetworkX is done before they are converted"
    kept = (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get(NAME)
    if entry.faster == "converted" and not kept:
        return "NetworkX is done before the edges are converted; it is slower on a converted graph"
    return True


# --- checks of arguments ------------------------------------------------------------------------


def whole_or_none(argument: str) -> Callable[[dict[str, Any]], str | None]:
    def check(given: dict[str, Any]) -> str | None:
        limit = given[argument]
        whole = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
        return None if limit is None or whole else f"{argument} must be an integer of at least 0"

    return check


cutoff_in_edges = whole_or_none("cutoff")


def distance_in_edges(given: dict[str, Any]) -> str | None:
    distance = given["distance"]
    whole = isinstance(distance, int) and not isinstance(distance, bool)
    return None if whole and 0 <= distance < 2**31 else "distance must be an integer of at least 0"


def cutoff_in_weight(given: dict[str, Any]) -> str | None:
    cutoff = given.get("cutoff")
    number = isinstance(cutoff, (int, float)) and not isinstance(cutoff, bool) and cutoff >= 0
    return None if cutoff is None or number else "cutoff must be a number of at least 0"


# --- shapes of results --------------------------------------------------------------------------


def by_node(G: LagraphGraph, vector: Any) -> dict[Any, Any]:
    """A dict with the entries of a vector, in the order of the nodes."""
    at, value = vector.to_coo()
    return dict(zip(G.named(at.tolist()), value.tolist()))


def by_value(G: LagraphGraph, vector: Any) -> dict[Any, Any]:
    """A dict with the entries of a vector, smallest value first: the order in which a search finds
    them.
    """
    at, value = vector.to_coo()
    order = np.argsort(value, kind="stable")
    return dict(zip(G.named(at[order].tolist()), value[order].tolist()))


def as_set(G: LagraphGraph, vector: Any) -> set[Any]:
    """The set of the nodes that have an entry."""
    return set(G.named(vector.to_coo()[0].tolist()))


def groups(G: LagraphGraph, labels: Any) -> list[list[Any]]:
    """The lists of nodes with equal labels, in increasing order of the labels."""
    at, value = labels.to_coo()
    order = np.argsort(value, kind="stable")
    cuts = np.flatnonzero(np.diff(value[order])) + 1
    return [G.named(part.tolist()) for part in np.split(at[order], cuts)] if at.size else []


def sets(G: LagraphGraph, labels: Any) -> Iterator[set[Any]]:
    """A generator of the sets of nodes with equal labels. If labels are smallest members, the sets
    are in the order of their first nodes.
    """
    return map(set, groups(G, labels))


def lists(G: LagraphGraph, labels: Any) -> Iterator[list[Any]]:
    return iter(groups(G, labels))


def of_nodes(G: LagraphGraph, nodes: Any, values: dict[Any, Any]) -> Any:
    """All values for None, one value for a node, a dict for several nodes, as for the argument
    `nodes=` of NetworkX.
    """
    if nodes is None:
        return values
    if nodes in G:
        return values[nodes]
    return {v: values[v] for v in G.named(G.bunch(nodes))}


# --- nodes --------------------------------------------------------------------------------------


def expect_node(G: LagraphGraph, node: Any, error: type[Exception], message: str) -> int:
    """The number of a node. Otherwise the error of NetworkX with its message."""
    if node not in G:
        raise error(message)
    return G.index[node]


def dense(vector: Any) -> np.ndarray:
    return np.asarray(vector.to_dense(fill_value=0))
