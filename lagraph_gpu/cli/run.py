"""`lagraph-gpu run ALGORITHM GRAPH`: runs one algorithm on a file, and prints its largest
values.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from typing import Any

import numpy as np

import lagraph_gpu
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import add_graph_options, load_graph, parser_of, vertex_in
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.options import at_least
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.ranks import only_the_first_speaks, start
from lagraph_gpu.cli.timing import timed, with_unit_weights
from lagraph_gpu.display import table
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.explain import explain
from semirings import types

LONG = 10e3
"""An algorithm that takes longer than this (in milliseconds) is not run a second time."""

EPILOG = f"""\
An algorithm's own arguments follow by name, as in

  lagraph-gpu run sssp roads.gr --source 0 --cutoff 100
  lagraph-gpu run --list

with Python's numbers, true, false, none or lists. Vertices are counted from 0, or have the names
that the file gives them: in Graphalytics graphs, and in others with --labels. What takes less than
{LONG / 1e3:.0f} seconds is run twice, and the second time is printed: the first loads and compiles.

exit status: 0, or 2 for bad input
"""

RESULTS = {
    "bellman_ford": ("distance", "parent"),
    "bfs": ("level", "parent"),
    "dfs": ("discovery", "parent", "finish"),
    "hits": ("hub", "authority"),
    "minimum_spanning_edges": ("source", "target", "weight"),
    "shortest_path_between": ("length", "path"),
    "sssp": ("distance", "parent"),
}
"""The names of the results, where the name of the algorithm does not say them."""

ARRAYS = "distance_matrix", "iter_distances", "paired_distances", "contract", "write"
"""Functions that return bare arrays or write a file, or that only programs use."""

WORDS = {"true": True, "false": False, "none": None, "inf": math.inf}

FOR_PROGRAMS = ("Schedule", "Vector")
"""Types of arguments that cannot be given on a command line."""

VERTEX_ARGUMENTS = "source", "target", "u", "v"
"""Arguments that are one vertex."""

VERTEX_VALUES = (
    "parent", "path", "source", "target", "connected_components", "weakly_connected_components",
    "strongly_connected_components", "spanning_forest", "maximal_matching", "label_propagation",
    "maximum_bipartite_matching", "dag_longest_path", "topological_sort",
)  # fmt: skip
"""Results whose values are vertices."""

OVER_OTHERS = "source", "target", "weight", "topological_sort"
"""Vectors over edges or ranks; the positions of all other results are vertices."""


def main(arguments: Sequence[str]) -> int:
    parser = parser_of("run", "Run one algorithm on a graph file.", EPILOG, allow_abbrev=False)
    parser.usage = "%(prog)s ALGORITHM GRAPH [options] [--ARGUMENT VALUE ...]"
    add = parser.add_argument
    add("--list", action="store_true", help="list the algorithms and their arguments")
    add("--top", type=at_least(0), default=10, metavar="N",
        help="print the N largest values (default: 10; 0 for none)")  # fmt: skip
    add("--explain", action="store_true", help="tell what was chosen, and what each step cost")
    add("--json", action="store_true", help="print JSON")
    add("--ranks", type=at_least(1), metavar="N",
        help="share the graph and the work among N processes (MPI): --backend cluster")  # fmt: skip
    add_graph_options(parser, "cluster")
    options, rest = parser.parse_known_args(arguments)
    if options.list:
        return list_algorithms(options.json)
    if options.ranks is not None:
        return start(options.ranks, ["run", *without_ranks(arguments), "--backend", "cluster"])
    if options.backend == "cluster":
        only_the_first_speaks()
    alone, named = parted(rest)
    if len(alone) < 2:
        parser.error("expected an ALGORITHM and a GRAPH; --list names the algorithms")
    options.algorithm, options.graph, *more = alone
    function = algorithm(options.algorithm)
    chosen = arguments_of(function, named | dict.fromkeys(more))
    backend = resolve(options.backend)
    G = load_graph(options, backend)
    for key in set(VERTEX_ARGUMENTS) & chosen.keys():
        chosen[key] = vertex_in(G, named.get(f"--{key}") or "")
    H = with_unit_weights(G)
    for again in ("", " again"):
        listens = explain() if options.explain else nullcontext()
        with progress(f"running {options.algorithm}{again}"), listens as told:
            result, ms = timed(H, lambda: parts_of(function(H, **chosen)))
        if ms > LONG:
            break
    report(options, G, chosen, result, ms)
    if told is not None:
        print(f"\n{told}", file=sys.stderr if options.json else sys.stdout)
    return FINE


def without_ranks(arguments: Sequence[str]) -> list[str]:
    """
    >>> without_ranks(["bfs", "--ranks", "4", "a.mtx", "--top", "1", "--ranks=2"])
    ['bfs', 'a.mtx', '--top', '1']
    """
    pairs = zip(["", *arguments], arguments)
    return [word for before, word in pairs
            if before != "--ranks" and word.partition("=")[0] != "--ranks"]  # fmt: skip


# --- which algorithm, and its arguments ----------------------------------------------------------


def algorithms() -> dict[str, Callable[..., Any]]:
    """The public functions of a graph that the command line offers.

    Functions that return tables, or that need a vector, are for programs. Pairs have a command of
    their own.
    """
    public = {name: getattr(lagraph_gpu, name) for name in sorted(lagraph_gpu.__all__)}
    return {name: f for name, f in public.items() if inspect.isfunction(f) and for_people(f)}


def for_people(function: Callable[..., Any]) -> bool:
    parameters = list(inspect.signature(function).parameters.values())
    of_a_graph = bool(parameters) and parameters[0].annotation in ("Graph", Graph)
    needs_more = any(for_programs(p) and p.default is p.empty for p in parameters)
    return of_a_graph and not needs_more and function.__name__ not in ARRAYS


def for_programs(parameter: inspect.Parameter) -> bool:
    return str(parameter.annotation).startswith(FOR_PROGRAMS)


def algorithm(name: str) -> Callable[..., Any]:
    known = algorithms()
    if name not in known:
        near = get_close_matches(name, known, n=3) or list(known)
        raise InvalidValue(f"expected an algorithm such as {', '.join(near)}, got {name!r}")
    return known[name]


def own_arguments(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The arguments of an algorithm besides the graph.

    Schedules and vectors cannot be given on the command line. If an algorithm accepts one source or
    several, the command line takes one.
    """
    given = list(inspect.signature(function).parameters.items())[1:]
    parameters = {name: p for name, p in given if not for_programs(p)}
    if "source" in parameters and parameters.pop("sources", None) is not None:
        parameters["source"] = parameters["source"].replace(default=inspect.Parameter.empty)
    return parameters


def parted(words: Sequence[str]) -> tuple[list[str], dict[str, str | None]]:
    """The positional words, and the options `--name value` or `--name=value` by name.

    >>> parted(["bfs", "--source", "-1", "roads.gr", "--cutoff=9", "--last"])
    (['bfs', 'roads.gr'], {'--source': '-1', '--cutoff': '9', '--last': None})
    """
    alone: list[str] = []
    named: dict[str, str | None] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if word.startswith("-"):
            named[name] = value if equals else next(left, None)
        else:
            alone.append(word)
    return alone, named


def arguments_of(function: Callable[..., Any], named: dict[str, str | None]) -> dict[str, Any]:
    """The arguments of a function, from the options by name."""
    parameters, given = own_arguments(function), {}
    name = function.__name__
    for word, value in named.items():
        key = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--") or key not in parameters:
            known = ", ".join(f"--{p}" for p in parameters) or "none"
            raise InvalidValue(f"expected an argument of {name} ({known}), got {word!r}")
        if value is None:
            raise InvalidValue(f"expected a value after {word}, got nothing")
        given[key] = number_or_word(value)
    needed = [p for p in parameters.values() if p.default is p.empty and p.name not in given]
    if needed:
        said = ", ".join(f"--{p.name}" for p in needed)
        raise InvalidValue(f"expected {said} for {name}, got no such argument")
    return given


def number_or_word(text: str) -> Any:
    """
    >>> [number_or_word(t) for t in ("3", "-0.5", "true", "[1, 2]", "weight")]
    [3, -0.5, True, [1, 2], 'weight']
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def list_algorithms(json: bool) -> int:
    rows = []
    for name, function in algorithms().items():
        spelled = [f"--{p.name}" if p.default is p.empty else f"[--{p.name} {p.default}]"
                   for p in own_arguments(function).values()]  # fmt: skip
        what = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
        rows.append({"algorithm": name, "arguments": spelled, "what": what})
    if json:
        print_json(rows)
        return FINE
    for row in rows:
        print(f"{row['algorithm']} {' '.join(row['arguments'])}\n    {row['what']}")
    return FINE


# --- running and telling -------------------------------------------------------------------------


def parts_of(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def report(
    options: argparse.Namespace, G: Graph, chosen: dict[str, Any], result: Any, ms: float
) -> None:
    parts = parts_of(result)
    plain_names = [options.algorithm] if len(parts) == 1 else [
        f"{options.algorithm} {i + 1}" for i in range(len(parts))]  # fmt: skip
    names = RESULTS.get(options.algorithm, plain_names)
    found = [described(G, name, part, options.top) for name, part in zip(names, parts)]
    if options.json:
        about = {"vertices": G.n, "edges": G.nedges, "directed": G.directed}
        print_json({
            "algorithm": options.algorithm, "arguments": chosen, "graph": options.graph, **about,
            "backend": G.backend.name, "ms": round(ms, 3), "results": found,
        })  # fmt: skip
        return
    print(f"{options.algorithm} on {options.graph}: {ms:,.1f} ms on the {G.backend.name.upper()}")
    for one in found:
        print(f"\n{one['name']}" + (f": {one['entries']:,} of {one['size']:,}, {one['type']}"
                                    if "entries" in one else f": {one.get('value')}"))  # fmt: skip
        if one.get("top"):
            header = tuple(one["top"][0])
            print(table(header, [tuple(row.values()) for row in one["top"]]))


def plain(value: Any) -> Any:
    return value


def described(G: Graph, name: str, part: Any, top: int) -> dict[str, Any]:
    """A result as a dict: its largest values, or the value itself."""
    if isinstance(part, Graph):
        part = part.A
    if isinstance(part, Vector):
        index, value = part.to_coo()
        where, size = {"vertex": index}, part.size
    elif isinstance(part, Matrix):
        row, column, value = part.to_coo()
        where, size = {"row": row, "column": column}, part.nrows * part.ncols
    else:
        value = getattr(part, "value", part)
        listed = name in VERTEX_VALUES and isinstance(value, list)
        return {"name": name, "value": G.label(value) if listed else value}
    place: Callable[[Any], Any] = plain if name in OVER_OTHERS else G.label
    content = G.label if name in VERTEX_VALUES else plain
    backwards = np.argsort(value[::-1], kind="stable")[
        ::-1
    ]  # of equal values the first comes first
    best = (value.size - 1 - backwards)[:top].tolist()
    return {
        "name": name,
        "type": types.name(part.dtype),
        "size": size,
        "entries": int(value.size),
        "top": [
            {axis: place(ids[i].item()) for axis, ids in where.items()}
            | {"value": content(value[i].item())}
            for i in best
        ],
    }
