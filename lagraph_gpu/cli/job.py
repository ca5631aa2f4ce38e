"""The main job: get a graph, search it from a few roots, verify, and report."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from lagraph_gpu import generators, io
from lagraph_gpu.algorithms.bfs import bfs
from lagraph_gpu.algorithms.sssp import bellman_ford, sssp
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.options import parse
from lagraph_gpu.cli.picture import draw_profile
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.table import shortened, table, text
from lagraph_gpu.errors import InvalidValue, LagraphError, VerificationError
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import EdgeList
from lagraph_gpu.measure import Results, device_name, random_roots, timed, with_unit_weights
from lagraph_gpu.trace import Step, trace
from lagraph_gpu.verify import Verifier
from semirings import types

FINE, WRONG, BAD_INPUT, INTERRUPTED, PIPE = 0, 1, 2, 130, 141
SCALE = {"cpu": 16, "gpu": 20}
HEADER = ("root", "algorithm", "reached", "edges", "levels", "ms", "M edges/s", "verified")

LEGEND = """\
  edges: of the part that was reached, an undirected one counted once. levels: products of a
  frontier and the matrix; in sssp first for the distances, then for the tree."""


@dataclass(frozen=True)
class Search:
    """One timed search: what it found, and whether that is right ("yes", or what is wrong)."""

    algorithm: str
    root: int
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job; the exit status."""
    options = parse(arguments)
    try:
        return run(options)
    except BrokenPipeError:  # as with "| head": nobody listens any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE
    except (LagraphError, OSError, MemoryError) as problem:
        said = " ".join(str(problem).split()) or "out of memory"
        print(f"error: {said}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def run(options: argparse.Namespace) -> int:
    if options.picture and options.out.exists() and not options.out.is_dir():
        raise InvalidValue(f"expected a folder for --out, but {options.out} is a file")
    backend = resolve(options.backend)
    G = get_graph(options, backend)
    print(describe(G, backend))
    with progress("copying the graph for the verifier"):
        check = Verifier(G)
    roots = choose_roots(G, check, options)
    searches = [*search(G, check, roots)]
    print(table(HEADER, [s.row for s in searches]))
    print(LEGEND)
    for s in searches:
        if s.verdict != "yes":
            print(f"WRONG: {s.verdict}", file=sys.stderr)
    profiles = [s for s in searches if s.root == roots[0]]
    for s in profiles:
        print(f"\n{title(s)}, level by level:")
        print(levels(s.steps))
    if options.picture:
        picture(options, profiles)
    return FINE if all(s.verdict == "yes" for s in searches) else WRONG


def get_graph(options: argparse.Namespace, backend: Backend) -> Graph:
    """The graph that was asked for, on the backend."""
    edges: EdgeList
    if options.graph is None:
        scale = SCALE[backend.name] if options.scale is None else options.scale
        print(f"Kronecker graph of scale {scale}, seed {options.seed}")
        with progress("making the graph") as update:
            edges = generators.kronecker(
                scale, seed=options.seed, weights="integer", progress=update
            )
    else:
        print(f"reading {options.graph}")
        with progress(f"reading {options.graph}"):
            edges = io.read_edges(options.graph)
    with progress("building the matrix"):
        directed = False if options.undirected else None
        return Graph.from_edgelist(edges, options.dup, directed=directed, backend=backend)


def describe(G: Graph, backend: Backend) -> str:
    kind = "directed" if G.directed else "undirected"
    weights = "without weights (sssp takes 1 for each edge)"
    if G.weighted:
        low, high = text(G.lightest), text(G.heaviest)
        weights = f"weights {low} to {high} ({types.name(G.A.dtype)})"
    where = f"on the {backend.name.upper()} ({device_name(backend)})"
    return f"{G.n:,} vertices, {G.nedges:,} edges, {kind}, {weights}\n{where}\n"


def choose_roots(G: Graph, check: Verifier, options: argparse.Namespace) -> list[int]:
    if G.n == 0:
        raise InvalidValue("expected a graph with at least one vertex to search from, got none")
    if options.source:
        return [G.vertex(v, "source") for v in options.source]
    roots = random_roots(check.degree, options.roots, options.seed)
    if not roots:
        print("there are no edges, so a search finds nothing but its root: taking vertex 0\n")
    return roots or [0]


def search(G: Graph, check: Verifier, roots: Sequence[int]) -> list[Search]:
    """Every algorithm from every root, timed after one run to warm up, and verified."""
    H = with_unit_weights(G)
    paths = bellman_ford if G.lightest is not None and G.lightest < 0 else sssp
    name = paths.__name__
    if paths is bellman_ford:
        print("some weights are negative: bellman_ford takes the place of sssp\n")
    kinds: dict[str, tuple[Callable[[int], Results], Callable[..., None]]] = {
        "bfs": (lambda root: bfs(G, root), check.bfs),
        name: (lambda root: paths(H, root), check.sssp),
    }
    found = []
    for algorithm, (run_it, verify) in kinds.items():
        with progress(f"warming up {algorithm}"):
            timed(G, partial(run_it, roots[0]))
        for root in roots:
            with progress(f"{algorithm} from {root:,}"), trace() as steps:
                results, ms = timed(G, partial(run_it, root))
            with progress(f"verifying {algorithm} from {root:,}"):
                verdict = judge(verify, root, results)
                edges = check.component_edges(results[0])
            found.append(
                Search(algorithm, root, results[0].nvals, edges, ms, tuple(steps), verdict)
            )
    return found


def judge(verify: Callable[..., None], root: int, results: Results) -> str:
    try:
        verify(root, *results)
    except VerificationError as wrong:
        return str(wrong)
    return "yes"


def title(s: Search) -> str:
    return f"{s.algorithm} from vertex {s.root:,}"


def levels(steps: Sequence[Step]) -> str:
    """The table of the levels; the middle of a long one is left out."""
    rows = [(i, s.frontier, s.edges, s.direction) for i, s in enumerate(steps)]
    head, hidden, tail = shortened(rows, 16, 8)
    gap = [("…", f"{hidden:,} levels more", "", "")] if hidden else []
    return table(("level", "frontier", "edges", "direction"), [*head, *gap, *tail])


def picture(options: argparse.Namespace, profiles: Sequence[Search]) -> None:
    path = options.out / "profile.png"
    try:
        with progress("drawing"):
            draw_profile(path, [(title(s), s.steps) for s in profiles])
    except ImportError:
        print("\nno picture: matplotlib is missing (pip install 'lagraph-gpu[plot]')")
        return
    print(f"\npicture: {path}")
