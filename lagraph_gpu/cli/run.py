"""`lagraph-gpu run ALGORITHM GRAPH`: runs one algorithm on a file, and prints its largest
values.
"""

from __future__ import annotations

import ast
import csv
import inspect
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from types import SimpleNamespace
from typing import Any

import click

import lagraph_gpu
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import (
    as_json,
    expect_files,
    force,
    graph_options,
    load_graph,
    vertex_in,
)
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.ranks import is_first, only_the_first_speaks, start
from lagraph_gpu.cli.results import RESULTS, Results, Table, plain, save_table, tables_of
from lagraph_gpu.cli.tables import expect_table, out_option
from lagraph_gpu.cli.timing import timed, with_unit_weights
from lagraph_gpu.cli.words import did_you_mean
from lagraph_gpu.display import table
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.planning.explain import explain

LONG_RUN_MS = 10e3
"""An algorithm that takes longer than this (in milliseconds) is not run a second time."""

EPILOG = f"""\
An algorithm's own arguments follow by name, as in

\b
  lagraph-gpu run sssp roads.gr --source 1 --cutoff 100
  lagraph-gpu run sssp --list
  lagraph-gpu run --list

with Python's numbers, true, false, none, lists or dicts, as in --personalization '{{1: 2.0}}';
several vertices also as 1,2,3, and pairs of vertices as '1,2;3,4'. Vertices are
what GRAPH calls them: numbers from 1 in .gr, .col, .mtx and .graph files, ids in Graphalytics
graphs, names with --labels; in other files, and with --no-labels, they are counted from 0. What
takes less than {LONG_RUN_MS / 1e3:.0f} seconds is run twice, and the second time is printed: the
first loads and compiles.

--top orders the vertices by the first result, as by the distance of sssp: the farthest come first.
--out writes the rows of all vertices, with a heading.

exit status: 0, or 2 for bad input
"""

ARRAYS = "distance_matrix", "iter_distances", "paired_distances", "contract", "write"
"""Functions that return bare arrays or write a file, or that only programs use."""

WORDS = {"true": True, "false": False, "none": None, "inf": math.inf}

FOR_PROGRAMS = "labels", "lower_bound", "progress", "schedule"
"""Arguments that cannot be given on a command line: objects, and a value for each vertex."""

VERTEX_ARGUMENTS = "source", "target", "u", "v"
"""Arguments that are one vertex, or some of them a list."""

ALSO_CALLED = {"damping": "alpha", "damping_factor": "alpha", "root": "source", "start": "source"}
"""Other names of arguments, as other libraries and papers have them."""

VERTEX_LISTS = "sources", "nbunch"
"""Arguments that are several vertices."""

PAIRS, PAIRS_FORM = "pairs", "U,V;U,V"
"""The argument that is several pairs of vertices, and how they are written."""


# --- which algorithm, and its arguments ----------------------------------------------------------


OF_TABLES = ("distance_matrix", "iter_distances", "paired_distances")
"""Functions of the package for which there is the command ``distances``."""


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
    return parameter.name in FOR_PROGRAMS


def algorithm(name: str) -> Callable[..., Any]:
    known = algorithms()
    if name in OF_TABLES:
        raise InvalidValue(
            f"expected an algorithm, got {name!r}, which makes a table; say lagraph-gpu distances"
        )
    if name in lagraph_gpu.__all__ and name not in known:
        raise InvalidValue(
            f"expected an algorithm that is a command, got {name!r}, which takes objects of "
            "Python; call it from a program"
        )
    if name not in known:
        near = did_you_mean(name, known) or "; lagraph-gpu run --list names them"
        raise InvalidValue(f"expected an algorithm, got {name!r}{near}")
    return known[name]


def own_arguments(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The arguments of an algorithm besides the graph.

    If an algorithm accepts one source or several, the command line takes one.
    """
    given = list(inspect.signature(function).parameters.items())[1:]
    parameters = {name: p for name, p in given if not for_programs(p)}
    if "source" in parameters and parameters.pop("sources", None) is not None:
        parameters["source"] = parameters["source"].replace(default=inspect.Parameter.empty)
    return parameters


def arguments_of(function: Callable[..., Any], named: dict[str, str]) -> dict[str, Any]:
    """The arguments of a function, from the options by name."""
    parameters = own_arguments(function)
    name = function.__name__
    for key in named:
        if key not in parameters:
            known = ", ".join(f"--{p}" for p in parameters) or "none"
            raise InvalidValue(f"expected an argument of {name} ({known}), got '--{key}'")
    needed = [key for key, p in parameters.items() if p.default is p.empty and key not in named]
    if needed:
        said = " ".join(f"--{key} {'V' if key in VERTEX_ARGUMENTS else '…'}" for key in needed)
        raise InvalidValue(f"{name} needs {said}; lagraph-gpu run {name} --list says what it takes")
    return {key: number_or_word(value) for key, value in named.items()}


def expect_order(function: Callable[..., Any]) -> None:
    """Raises InvalidValue for --top where no value is the largest."""
    name = function.__name__
    what = None
    if RESULTS[name][0].vertices:
        what = "vertices, none of which is the largest"
    elif str(inspect.signature(function).return_annotation) in ("int", "float", "bool"):
        what = "one value"
    if what is not None:
        raise InvalidValue(f"expected no --top for {name}: its result is {what}; leave it out")


def complete(incomplete: str) -> list[str]:
    """The algorithms that begin so, for a shell."""
    return [name for name in algorithms() if name.startswith(incomplete)]


def algorithm_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of all algorithms as options, which --list shows."""
    for name in ARGUMENTS:
        spelled = dict.fromkeys((f"--{name}", f"--{name.replace('_', '-')}"))
        command = click.option(*spelled, name, hidden=True, multiple=True, callback=once)(command)
    return command


def once(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The value of an argument. Raises InvalidValue where it is given twice."""
    if len(given) > 1:
        name = str(option.name)
        advice = "say one of them"
        if name in VERTEX_LISTS:
            advice = f"several are --{name} {','.join(given)}"
        elif name == "source":
            advice += ", or lagraph-gpu distances for searches from several vertices"
        raise InvalidValue(f"expected --{name} once, got {' and '.join(given)}; {advice}")
    return given[0] if given else None


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


def list_algorithms(json: bool, only: str | None = None) -> int:
    rows = []
    for name, function in (algorithms() if only is None else {only: algorithm(only)}).items():
        spelled = [f"--{p.name}" if p.default is p.empty
                   else f"[--{p.name} {PAIRS_FORM if p.name == PAIRS else p.default}]"
                   for p in own_arguments(function).values()]  # fmt: skip
        what = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
        rows.append({"algorithm": name, "arguments": spelled, "what": what})
    if json:
        print_json(rows)
        return FINE
    for row in rows:
        print(row["algorithm"], *row["arguments"])
        print(f"    {row['what']}")
    return FINE


ARGUMENTS = sorted({key for function in algorithms().values() for key in own_arguments(function)})
"""The names of the arguments of all algorithms."""


# --- running and telling -------------------------------------------------------------------------


class Run(click.Command):
    """The command, which suggests only options that its algorithm has."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = [
            f"--{name}"
            for word in algorithms().keys() & {*args}
            for name in own_arguments(algorithm(word))
        ]
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            known = [word for p in self.params if not getattr(p, "hidden", True) for word in p.opts]
            known += ctx.help_option_names
            other = get_close_matches(problem.option_name.lstrip("-"), ALSO_CALLED, 1)
            meant = [f"--{ALSO_CALLED[name]}" for name in other]
            near = did_you_mean(problem.option_name, [*own, *known])
            if {*meant} & {*own}:
                near = f"; did you mean {meant[0]}?"
            has = f"; its own are {', '.join(own)}" if own and not near else ""
            raise click.UsageError(
                f"expected an option, got {problem.option_name!r}{near or has}", ctx
            ) from None
        if rest and not ctx.resilient_parsing:
            says = f"; arguments go by name, as in {own[0]} {rest[0]}" if own else ""
            raise click.UsageError(
                f"expected an ALGORITHM, a GRAPH and options, got also {rest[0]!r}{says}", ctx
            )
        return rest


@click.command("run", cls=Run, epilog=EPILOG, context_settings={"allow_extra_args": True})
@click.argument(
    "algorithm", required=False, shell_complete=lambda context, given, begun: complete(begun)
)
@click.argument("graph", required=False)
@click.option(
    "--list", is_flag=True, help="List the algorithms and their arguments; or only ALGORITHM."
)
@click.option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    help="Print the N largest values (default: 10; 0 for none).",
)
@out_option
@force
@click.option("--explain", is_flag=True, help="Show what was chosen, and what each step cost.")
@as_json
@click.option(
    "--ranks",
    type=click.IntRange(1),
    metavar="N",
    help="Share the graph and the work among N processes (MPI), each with this --backend.",
)
@graph_options("cluster")
@algorithm_options
@click.pass_obj
def main(words: tuple[str, ...], **given: Any) -> int:
    """Run one algorithm on a graph file."""
    options = SimpleNamespace(**given)
    if options.list:
        return list_algorithms(options.json, options.algorithm)
    if options.ranks is not None:
        local = None if options.backend == "cluster" else options.backend
        return start(options.ranks, [*without_ranks(words), "--backend", "cluster"], local)
    if options.backend == "cluster":
        only_the_first_speaks()
    if options.graph is None:
        raise click.UsageError("expected an ALGORITHM and a GRAPH; --list names the algorithms")
    if options.algorithm not in algorithms() and options.graph in algorithms():
        first = f"{options.graph} {options.algorithm}"
        raise click.UsageError(f"expected the ALGORITHM before the GRAPH; say run {first}")
    function = algorithm(options.algorithm)
    expect_files(options.graph)
    named = {name: given[name] for name in ARGUMENTS if given[name] is not None}
    chosen = arguments_of(function, named)
    if options.top:
        expect_order(function)
    expect_table(options.out, options.force, options.graph)
    backend = resolve(options.backend)
    G = load_graph(options, backend)
    for key in {*VERTEX_ARGUMENTS, *VERTEX_LISTS} & chosen.keys():
        chosen[key] = vertices_given(G, chosen[key], named[key], key in VERTEX_LISTS)
    if PAIRS in chosen:
        chosen[PAIRS] = pairs_given(G, chosen[PAIRS], named[PAIRS])
    H = with_unit_weights(G)
    for again in ("", " again"):
        explained = explain() if options.explain else nullcontext()
        with progress(f"running {options.algorithm}{again}"), explained as explanation:
            result, ms = timed(H, lambda: parts_of(function(H, **chosen)))
        if ms > LONG_RUN_MS:
            break
    found = tables_of(G, RESULTS[options.algorithm], result)
    if options.out is not None and is_first():
        save_table(options.out, found)
    report(options, G, chosen, found, ms)
    if explanation is not None:
        print(f"\n{explanation}", file=sys.stderr if options.json else sys.stdout)
    return FINE


def vertices_given(G: Graph, value: Any, word: str, several: bool) -> Any:
    """A vertex as the graph calls it, or several of them: a list of Python, or words with commas
    between them.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend="cpu")
    >>> vertices_given(G, "Ann,Cid", "Ann,Cid", True), vertices_given(G, "Ann", "Ann", False)
    (['Ann', 'Cid'], 'Ann')
    """
    if isinstance(value, (list, tuple)) or (several and value is None):
        return value
    if not several:
        return vertex_in(G, word)
    return [vertex_in(G, one) for one in next(csv.reader([word]))]


def pairs_given(G: Graph, value: Any, word: str) -> Any:
    """Pairs of vertices: a list of Python, or words with a comma within a pair and semicolons
    between pairs.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend="cpu")
    >>> pairs_given(G, "Ann,Cid;Bob,Ann", "Ann,Cid;Bob,Ann"), pairs_given(G, [[0, 1]], "[[0, 1]]")
    ([('Ann', 'Cid'), ('Bob', 'Ann')], [[0, 1]])
    """
    if value is None or (
        isinstance(value, (list, tuple)) and all(isinstance(pair, (list, tuple)) for pair in value)
    ):
        return value
    pairs = [next(csv.reader([pair]), []) for pair in word.rstrip("; ").split(";")]
    if any(len(pair) != 2 for pair in pairs) or isinstance(value, list):
        raise InvalidValue(
            f"expected --pairs as {PAIRS_FORM}, such as --pairs '1,2;3,4', got {brief(word)}"
        )
    return [(vertex_in(G, u.strip()), vertex_in(G, v.strip())) for u, v in pairs]


def without_ranks(arguments: Sequence[str]) -> list[str]:
    """
    >>> without_ranks(["bfs", "--ranks", "4", "a.mtx", "--top", "1", "--ranks=2"])
    ['bfs', 'a.mtx', '--top', '1']
    """
    pairs = zip(["", *arguments], arguments)
    return [word for before, word in pairs
            if before != "--ranks" and word.partition("=")[0] != "--ranks"]  # fmt: skip


def parts_of(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def report(
    options: SimpleNamespace, G: Graph, chosen: dict[str, Any], found: Results, ms: float
) -> None:
    count = 10 if options.top is None else options.top
    if options.json:
        about = {"vertices": G.n, "edges": G.nedges, "directed": G.directed}
        print_json({
            "algorithm": options.algorithm, "arguments": chosen, "graph": options.graph, **about,
            "backend": G.backend.name, "ms": round(ms, 3),
            "results": [plain(one, count) for one in found],
        })  # fmt: skip
        return
    print(f"{options.algorithm} on {options.graph}: {ms:,.1f} ms on the {G.backend.name.upper()}")
    for one in found:
        if not isinstance(one, Table):
            print(f"\n{one[0]}: {'none' if one[1] is None else one[1]}")
            continue
        columns, entries = plain(one, 0)["columns"], one.entries
        typed = ", ".join(f"{name} {columns[name]}" for name in one.values) or "edges"
        which = f"largest by {next(iter(one.values))}" if one.ordered else "first"
        many = "" if count == 1 else f"{count} "
        shown = f"; the {many}{which}" if 0 < count < entries else ""
        print(f"\n{typed}: {entries:,} of {one.size:,}{shown}")
        rows = one.top(count)
        if entries and count:
            print(table(tuple(rows), list(zip(*rows.values()))))
