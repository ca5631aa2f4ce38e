"""The main job: read or make a graph, search it from a few roots, verify the results, and
report.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from lagraph_gpu import generate
from lagraph_gpu.algorithms.paths.sssp import bellman_ford, sssp
from lagraph_gpu.algorithms.traversal.bfs import bfs
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli import timing
from lagraph_gpu.cli.exits import FINE, WRONG
from lagraph_gpu.cli.loading import build_graph, graph_options, read_graph, vertex_in
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.display import shortened, table, text
from lagraph_gpu.errors import (
    InvalidValue,
    LagraphError,
    TooLarge,
    VerificationError,
)
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.sizes import check_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import EdgeList
from lagraph_gpu.planning.frontier_plot import profile, save
from lagraph_gpu.planning.trace import Step, trace
from lagraph_gpu.verify import Verifier
from semirings import types

SCALE = {"gpu": 20}
"""The scale of the Kronecker graph that is drawn on a backend where no graph is named."""
USUAL_SCALE = 16
"""The scale of the Kronecker graph on a backend that `SCALE` does not name."""
HEADER = ("root", "algorithm", "reached", "edges", "levels", "ms", "M edges/s", "verified")

LEGEND = """\
  edges: of the part that was reached, an undirected one counted once. levels: products of a
  frontier and the matrix; in sssp first for the distances, then for the tree."""


EPILOG = """\
exit status: 0 if every answer was verified, 1 if one was wrong, 2 for bad input
"""


@dataclass(frozen=True)
class TimedSearch:
    """One timed search with its results. The verdict is "yes" if they are correct, otherwise what
    is wrong.
    """

    algorithm: str
    root: Any
    reached: int
    edges: int
    ms: float
    steps: Sequence[Step]
    verdict: str

    @property
    def row(self) -> tuple[object, ...]:
        right = "yes" if self.verdict == "yes" else "NO"
        rate = self.edges / self.ms / 1e3
        return (self.root, self.algorithm, self.reached, self.edges, len(self.steps), self.ms, rate,
                right)  # fmt: skip


@click.command("job", epilog=EPILOG, short_help="Search a graph; verify and time the searches.")
@click.argument("graph", required=False)
@click.option(
    "--roots",
    type=click.IntRange(1),
    default=3,
    metavar="N",
    help="Search from N random vertices that have edges (default: 3).",
)
@click.option(
    "--source",
    multiple=True,
    metavar="V",
    help="Search from this vertex, as GRAPH calls it; may be given several times.",
)
@click.option(
    "--scale",
    type=click.IntRange(0),
    metavar="S",
    help="Make a graph of 2^S vertices (default: 20 on a GPU, otherwise 16).",
)
@graph_options()
@click.option(
    "--seed", type=click.IntRange(0), default=1, help="Of the graph and the roots (default: 1)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default="out",
    metavar="DIR",
    help="Where the picture goes (default: out).",
)
@click.option("--picture/--no-picture", default=True, help="Whether to draw the levels.")
def main(**given: Any) -> int:
    """Search a graph, breadth-first and for shortest paths, verified and timed.

    Without GRAPH a Kronecker graph (Graph500's) with weights 1 to 255 is made.
    """
    options = SimpleNamespace(**given)
    if options.graph is not None and options.scale is not None:
        raise click.UsageError("expected either a GRAPH file or --scale, got both")
    if options.graph is None and not all(word.isdigit() for word in options.source):
        raise click.UsageError(
            f"expected --source from 0 without a GRAPH, got {', '.join(options.source)}"
        )
    if options.picture:
        check_folder(options.out)
    backend = resolve(options.backend)
    edges = get_edges(options, backend)
    try:
        return search_all(options, edges, backend)
    except MemoryError as problem:
        if isinstance(problem, LagraphError):
            raise
        raise TooLarge(needed(edges)) from problem


def search_all(options: SimpleNamespace, edges: EdgeList, backend: Backend) -> int:
    G = build(options, edges, backend)
    print(describe(G, backend))
    with progress("copying the graph for the verifier"):
        check = Verifier(G)
    roots = choose_roots(G, check, options)
    searches: list[TimedSearch] = []
    try:
        for found in search(G, check, roots):
            searches.append(found)
    finally:  # report what was found before an error too, such as a negative cycle
        report(searches)
    profiles = [s for s in searches if s.root == roots[0]]
    for s in profiles:
        print(f"\n{title(s)}, level by level:")
        print(levels(s.steps))
    if options.picture:
        picture(options, profiles)
    return FINE if all(s.verdict == "yes" for s in searches) else WRONG


def check_folder(folder: Path) -> None:
    """Raises InvalidValue for a folder that cannot hold the picture, before hours of work. It
    leaves nothing in the folder.
    """
    made: list[Path] = []
    try:
        if folder.exists() and not folder.is_dir():
            raise InvalidValue(f"expected a folder for --out, but {folder} is a file")
        made = [p for p in (folder, *folder.parents) if not p.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise InvalidValue(
            f"expected a folder for --out that can be written, but {folder} cannot "
            f"({problem.strerror}); name another, or give --no-picture"
        ) from problem
    finally:
        for p in made:
            with suppress(OSError):
                p.rmdir()


def get_edges(options: SimpleNamespace, backend: Backend) -> EdgeList:
    """The edge list of the graph that the options name."""
    if options.graph is None:
        usual = SCALE.get(backend.name, USUAL_SCALE)
        scale = usual if options.scale is None else options.scale
        check_ids(Draw(scale).n, backend.large_graphs)
        print(f"Kronecker graph of scale {scale}, seed {options.seed}")
        with progress("making the graph") as update:
            return generate.kronecker(scale, 16, options.seed, "integer", update)
    print(f"reading {options.graph}")
    return read_graph(options)


def build(options: SimpleNamespace, edges: EdgeList, backend: Backend) -> Graph:
    """The graph on the backend. If edges were merged, a line says so."""
    with progress("building the matrix"):
        G, note = build_graph(edges, options.dup, options.undirected, backend)
    if note:
        print(note)
    return G


def needed(edges: EdgeList) -> str:
    """The message if memory is short."""
    arcs = edges.nedges * (1 if edges.directed else 2)
    item = 0 if edges.weight is None else edges.weight.dtype.itemsize
    least = 8 * (edges.nrows + 1) + (8 + item) * arcs
    hint = "take a smaller graph, or more memory"
    if edges.nrows > 2 * max(arcs, 1):
        hint = "most vertices have no edge: renumber those that have, from 0"
    return (
        f"out of memory: the matrix of {edges.nrows:,} vertices and {edges.nedges:,} edges alone "
        f"takes {least:,} bytes, a search several times that; {hint}"
    )


def describe(G: Graph, backend: Backend) -> str:
    kind = "directed" if G.directed else "undirected"
    weights = "without weights (sssp takes 1 for each edge)"
    if G.weighted and G.nedges:
        low, high = text(G.lightest), text(G.heaviest)
        weights = f"weights {low} to {high} ({types.name(G.A.dtype)})"
    where = f"on the {backend.name.upper()} ({timing.device_name(backend)})"
    return f"{G.n:,} vertices, {G.nedges:,} edges, {kind}, {weights}\n{where}\n"


def choose_roots(G: Graph, check: Verifier, options: SimpleNamespace) -> list[Any]:
    """The vertices to search from, by label where the graph has labels."""
    if G.n == 0:
        raise InvalidValue("expected a graph with at least one vertex to search from, got none")
    if options.source:
        sources = [vertex_in(G, word) for word in options.source]
        return G.label([G.vertex(v, "source") for v in sources])
    roots = timing.random_roots(check.degree, options.roots, options.seed)
    if not roots:
        print("there are no edges, so a search finds nothing but its root: taking vertex 0\n")
    return G.label(roots or [0])


def search(G: Graph, check: Verifier, roots: Sequence[Any]) -> Iterator[TimedSearch]:
    """Runs every algorithm from every root, timed after one run to warm up, and verifies
    the results. A second run records the steps, because a search that is recorded takes longer: on
    the CPU it runs by statements and not in a compiled loop.
    """
    H = timing.with_unit_weights(G)
    paths = bellman_ford if G.lightest is not None and G.lightest < 0 else sssp
    name = paths.__name__
    if paths is bellman_ford:
        print("some weights are negative: bellman_ford takes the place of sssp\n")
    kinds: dict[str, tuple[Callable[[Any], timing.Results], Callable[..., None]]] = {
        "bfs": (lambda root: bfs(G, root), check.bfs),
        name: (lambda root: paths(H, root), check.sssp),
    }
    for algorithm, (run_it, verify) in kinds.items():
        with progress(f"warming up {algorithm}"):
            timing.timed(G, partial(run_it, roots[0]))
        for root in roots:
            with progress(f"{algorithm} from {text(root)}"):
                results, ms = timing.timed(G, partial(run_it, root))
                with trace() as steps:
                    run_it(root)
            with progress(f"verifying {algorithm} from {text(root)}"):
                verdict = judge(verify, root, results)
                edges = check.component_edges(results[0])
            yield TimedSearch(algorithm, root, results[0].nvals, edges, ms, tuple(steps), verdict)


def report(searches: Sequence[TimedSearch]) -> None:
    """Prints the table, and on stderr which results are wrong."""
    if searches:
        print(table(HEADER, [s.row for s in searches]))
        print(LEGEND, flush=True)
    for s in searches:
        if s.verdict != "yes":
            print(f"WRONG: {s.verdict}", file=sys.stderr)


def judge(verify: Callable[..., None], root: Any, results: timing.Results) -> str:
    try:
        verify(root, *results)
    except VerificationError as wrong:
        return str(wrong)
    return "yes"


def title(s: TimedSearch) -> str:
    return f"{s.algorithm} from vertex {text(s.root)}"


def levels(steps: Sequence[Step]) -> str:
    """The table of the levels. The middle of a long table is left out."""
    rows = [(i, s.frontier, s.edges, s.direction) for i, s in enumerate(steps)]
    head, hidden, tail = shortened(rows, 16, 8)
    gap = [("…", f"{hidden:,} levels more", "", "")] if hidden else []
    return table(("level", "frontier", "edges", "direction"), [*head, *gap, *tail])


def picture(options: SimpleNamespace, profiles: Sequence[TimedSearch]) -> None:
    path = options.out / "profile.png"
    try:
        with progress("drawing"):
            figure = profile([(title(s), s.steps) for s in profiles])
    except ImportError:
        print("\nno picture: matplotlib is missing (pip install 'lagraph-gpu[plot]')")
        return
    options.out.mkdir(parents=True, exist_ok=True)
    save(figure, path)
    print(f"\npicture: {path}")
