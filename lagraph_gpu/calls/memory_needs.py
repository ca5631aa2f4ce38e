"""How many bytes each public algorithm needs, from n, the number of entries and its arguments.

The figures for each vertex and for each entry are in `memory_figures.py`, and what an algorithm
takes beside them in `memory_formulas.py`; here they become an estimate for a call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lagraph_gpu import memory
from lagraph_gpu.algorithms._shared.memory_check import expect_values_fit, free_bytes
from lagraph_gpu.calls.memory_figures import (
    FIGURES,
    STATEMENTS_OF_LEVELS,
    STATEMENTS_OF_REFINEMENTS,
)
from lagraph_gpu.calls.memory_formulas import (
    MORE,
    Given,
    from_sources,
    ids_in_use,
    levels,
    listed,
    of_statements,
    ranks,
    refinements,
    row_of,
    table,
    takes_ids_in_use,
    votes,
    walks,
)
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.errors import InvalidValue, LagraphError, WrongType, brief, expect_spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import rows_are_listed
from lagraph_gpu.memory import expect_fits, free_for
from lagraph_gpu.notation.host_memory import spilled_bytes

if TYPE_CHECKING:
    from lagraph_gpu.backend import DistributedBackend


class MemoryNeeded(NamedTuple):
    """The bytes that a call takes, as `lg.memory_needed` returns them.

    Parameters
    ----------
    graph : int
        The bytes that the adjacency matrix takes already, with the arrays that the graph keeps.
    workspace : int
        The bytes that the call adds at its peak, without the result.
    result : int
        The bytes of the result.
    free : int or None
        The bytes that all limits leave for workspace and result; None if that is not known.
    spilled : int
        How many of the graph's bytes lie in the host's memory, because a GPU has no room for them.
    way : str or None
        On a cluster who carries the call out: "process 0" alone, "all processes" in loops or
        kernels of their own, or "statements" of all processes, which may take many times as long as
        one process. None elsewhere.
    """

    graph: int
    workspace: int
    result: int
    free: int | None
    spilled: int = 0
    way: str | None = None

    @property
    def behind(self) -> int:
        """The former name of `spilled`."""
        return self.spilled


FACTOR = 8
"""Peaks are at least 1 / FACTOR of the estimate."""

LARGE = 1 << 20
"""Calls for graphs of so many vertices and entries together are checked before they begin. Other
limits are not yet measured."""

LEAST_CHECKED_BYTES = 1 << 26
"""Calls that take no more than this in any case are not checked: to ask what is free takes a tenth
of a millisecond, as long as two searches that reach little (record 0344)."""

DIRECTED = {"leiden": STATEMENTS_OF_REFINEMENTS, "louvain": STATEMENTS_OF_LEVELS}
"""What these algorithms take beside their row on a cluster, in directed graphs."""

CHECKED = frozenset(
    name
    for name in FIGURES
    if MORE.get(name, from_sources) in (from_sources, levels, refinements, votes, ranks)
) - {
    "density",
    "katz_centrality",
}
"""Algorithms whose peaks are known well enough to refuse a call by them. Others take what is free
into account by themselves, or consist of statements alone, part of whose memory the measurement
does not see; and a density takes nothing unless loops have to be counted."""


FROM_ONE = frozenset({"bellman_ford", "bfs", "sssp"})
"""Searches from one vertex, unless they are given several."""

TOGETHER = FROM_ONE | {
    "connected_components", "contract", "degree_centrality", "density", "floyd_warshall",
    "in_degree_centrality", "is_connected", "number_connected_components",
    "out_degree_centrality", "pagerank",
}  # fmt: skip
"""What all processes of a cluster carry out together, by lowerings for distributed rows or by
statements about vectors alone."""


COMPONENTS = frozenset({
    "connected_components", "is_connected", "largest_component", "number_connected_components",
    "spanning_forest", "strongly_connected_components", "weakly_connected_components",
})  # fmt: skip
"""Components, and what begins with them."""

UNDER_RANKS = FROM_ONE | COMPONENTS | {"pagerank"}
"""What process 0 finds under the ranks of the ids in use, where few have edges."""

OTHERS = "sources", "personalization", "dangling", "nstart"
"""Arguments with which it does not."""


def memory_needed(
    algorithm: Callable[..., Any], G: Graph, /, *args: Any, **kwargs: Any
) -> MemoryNeeded:
    """How many bytes a call of an algorithm takes, without calling it.

    Parameters
    ----------
    algorithm : function
        A public algorithm, such as `lg.bfs`.
    G : Graph
        The graph.
    *args : object
        The further arguments of the call.
    **kwargs : object
        The keyword arguments of the call.

    Returns
    -------
    MemoryNeeded
        The bytes of the graph, the workspace and the result, and the bytes that are free. Workspace
        and result are those at the peak.

    Raises
    ------
    InvalidValue
        This is no public algorithm of graphs.
    WrongType
        The algorithm does not take these arguments.

    Notes
    -----
    O(1). An estimate, from figures measured with weights of 8 bytes: the peaks of graphs without
    structure lie between an eighth of workspace and result together and the whole. Algorithms that
    search from many sources take as many at a time as fit into the memory, and the estimate is for
    these. For a GPU the figures are those of an emulated device. The entries that a contraction
    adds are not known beforehand.

    On a cluster the figures are for the way that a call will go. If that is by process 0, they are
    those of process 0, with the matrix if it has to get it, and the free ones with what it keeps of
    other matrices and can give back. Otherwise they are those of all processes, with the memory
    that those of one host open to each other (8 bytes for each vertex and process), and the free
    ones those of the process that has least.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.grid(100, 100, backend="cpu")
    >>> needed = lg.memory_needed(lg.bfs, G, 0)
    >>> needed.result, needed.workspace < 10_000_000
    (120000, True)
    """
    name = getattr(algorithm, "__name__", None)
    if not isinstance(name, str) or name not in FIGURES or not callable(algorithm):
        raise InvalidValue(f"expected a public algorithm, such as lg.bfs, got {brief(algorithm)}")
    if not isinstance(G, Graph):
        raise WrongType(f"expected a lagraph_gpu.Graph, got {brief(G)}")
    return needed(algorithm, G, args, kwargs)


def expect_least(function: Callable[..., Any], G: Graph, args: Any, kwargs: Given) -> None:
    """Raises TooLarge for a call on the host that takes more than is free in any case, before it
    begins: a process that exceeds the limit of its container is killed. Graphs of less than
    `LARGE` vertices and entries are not looked at, nor calls that take no more than
    `LEAST_CHECKED_BYTES`, because the system is slow to say what is free; nor are algorithms that
    take what is free into account themselves.
    """
    name = function.__name__
    n = G.n
    if name not in CHECKED or n + n * n < LARGE or n + G.A.nvals < LARGE:
        return
    try:
        estimate, _ = taken(function, G, args, kwargs)
    except LagraphError:
        return  # the call itself says what is wrong
    least = (estimate.workspace + estimate.result) // FACTOR
    if least <= LEAST_CHECKED_BYTES:
        return
    advice = (
        f"lg.memory_needed(lg.{name}, …) says how much it may take; raise the limit, or "
        "give back what is not needed"
    )
    free = free_for(least, partial(free_bytes, G))
    expect_fits(free, least, f"a call of {name} to fit into", "it takes at least", advice)


def expect_values_of_call(name: str, G: Graph) -> None:
    """Raises TooLarge for a call that has values at all vertices, of which few have edges, if some
    process has not the memory for those of its own."""
    if name not in FIGURES:
        return
    if name in COMPONENTS and not needs_64_bits(2 * G.A.nvals + 1):
        return  # process 0 is asked whether it has room, and says so if it has not
    each, n = of_statements(name, G)
    vertex = FIGURES[name].on_cpu.vertex
    each = vertex if FIGURES[name].by_statements is None else each
    if each:
        by_default = n < G.n or needs_64_bits(n)
        each = each if by_default else min(each, vertex)
        expect_values_fit(G.backend, n, name, each)


def needed(function: Callable[..., Any], G: Graph, args: Any, kwargs: Given) -> MemoryNeeded:
    """What a call of a function of `FIGURES` takes, and what is free."""
    whole, given = taken(function, G, args, kwargs)
    if G.backend.storage != "distributed":
        return whole._replace(free=free_bytes(G))
    return on_cluster(function.__name__, G, given, whole, rows_are_listed(G))


def taken(
    function: Callable[..., Any], G: Graph, args: Any, kwargs: Given
) -> tuple[MemoryNeeded, Given]:
    """What a call takes in one process, without what is free, and its arguments by name."""
    try:
        bound = signature_of(function).bind(G, *args, **kwargs)
    except TypeError as problem:
        expect_spelt(function, kwargs)
        raise WrongType(f"expected arguments of {function.__name__}: {problem}") from problem
    bound.apply_defaults()
    name, given = function.__name__, bound.arguments
    try:
        result, workspace = MORE.get(name, listed)(G, given)
    except (TypeError, ValueError, OverflowError) as problem:
        raise WrongType(f"expected arguments of {name}: {problem}") from problem
    linear, by_statements = row_of(name, G), FIGURES[name].by_statements
    n, vertex, few = G.n, linear.vertex, rows_are_listed(G)
    if few and by_statements == 0:
        n = min(n, G.A.nvals + 1)  # at most one more vertex is reached than there are entries
    elif few and name in COMPONENTS:
        n = ids_in_use(G)
    elif takes_ids_in_use(name, G):
        vertex, n = of_statements(name, G)
    elif needs_64_bits(n):
        vertex = vertex if by_statements is None else by_statements
    result += linear.result * n
    workspace += max(0, vertex - linear.result) * n + linear.entry * G.A.nvals
    return MemoryNeeded(G.nbytes, workspace, result, None, spilled_bytes(G.A)), given


def on_cluster(name: str, G: Graph, given: Given, whole: MemoryNeeded, few: bool) -> MemoryNeeded:
    """What a call takes on a cluster, by the way that it will go. `whole` says what it takes in one
    process; of a graph with `few` edges for its vertices the rows are listed."""
    backend = cast("DistributedBackend", G.backend)
    together = name in TOGETHER and given.get("sources") is None
    ranked = few and name in UNDER_RANKS and all(given.get(other) is None for other in OTHERS)
    if ranked or not (together or needs_64_bits(G.n)):
        fits, wanted, free = backend.plan_of_root(G.A._store, needs_of(name, G, given), ranked)
        if fits:
            workspace = max(0, wanted - whole.result)
            return whole._replace(workspace=workspace, free=free, way="process 0")
    if together and not few:  # in memory that they share
        shared = backend.shared_bytes(G.n)
        workspace, way = whole.workspace + shared, "all processes"
    else:
        each, n = of_statements(name, G)
        least = each * n + FIGURES[name].on_cpu.entry * G.A.nvals
        workspace, way = max(0, least - whole.result), "statements"
    return whole._replace(workspace=workspace, free=free_bytes(G), way=way)


def needs_of(name: str, G: Graph, given: Given) -> memory.Needs:
    """What a call of a function of `FIGURES` takes, for the processes of a cluster. Of those that
    search from many sources most take as many at a time as there is room for."""
    row, more = FIGURES[name].on_cpu, MORE.get(name)
    both_ways = DIRECTED.get(name) if G.directed else None

    def beside(entries: int) -> int:
        if both_ways is not None:
            return both_ways.vertex * G.n + both_ways.entry * entries
        return sum(more(G, given)) if more in (from_sources, table, walks) else 0

    return memory.Needs(row.vertex, row.entry, *of_statements(name, G), beside)


def needs_of_call(
    function: Callable[..., Any], G: Graph, args: Any, kwargs: Given
) -> memory.Needs | None:
    """What a call takes, for the processes of a cluster; None if it is not known."""
    name = function.__name__
    if name not in FIGURES:
        return None
    return needs_of(name, G, dict(zip(parameters_of(function), (G, *args)), **kwargs))


@cache
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a function."""
    return inspect.signature(function)


@cache
def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the parameters of a function."""
    return tuple(signature_of(function).parameters)
