"""How fast are closures by themselves? ``python -m benchmarks.closures --graph kron22``.

What ``benchmarks.bfs`` and ``benchmarks.sssp`` do in one call, in parts: levels or parents alone,
and distances without a tree, in each layout, and once more where eight searches have been before;
distances under weights of other kinds; and a semiring of a user's own, two expressions and an
identity, beside the catalogue's. Else rows in natural ids stay as they are. A call is a search from
the next of 16 roots. Distances, levels and parents are judged by Graph500's five rules, together
with the other half of a search; the user's closure equals that of the plain loop.

Weights, as float32: whole numbers 1 … 255; u uniform in (0, 1]; 1 / u, of heavy tail; all 1.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache, partial
from itertools import cycle
from typing import Any

import lagraph_gpu as lg
from benchmarks.graph500 import sampled_roots
from benchmarks.graphs import graph, label
from benchmarks.harness import laid_out, places, rows_stay
from benchmarks.operations import OURS, Entry, Question, Ways, main
from benchmarks.options import LAYOUTS
from benchmarks.parts import (
    Found,
    distances,
    judge_distances,
    judge_levels,
    judge_parents,
    levels,
    parents,
)
from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.gpu.closure.hub_first import SEARCHES
from lagraph_gpu.verify import Rules
from semirings import monoid, semiring

ROOTS = 16
SORTED = "natural, sorted by the eighth search"
LOOP = lg.Schedule("push", loop="host", order="rounds")
widest = semiring(monoid("max(x, y)", 0), "min(x, y)", name="widest")
"""The widest path: what a user writes in two expressions and an identity."""
WEIGHTS: dict[str, str | None] = {"uniform": None, "heavy": "minv", "equal": "one"}
"""Kinds of weights, and what makes them of uniform ones."""


class ClosureProblem:
    """A named graph, undirected, with weights of each kind and in each layout."""

    note: str | None = None

    def __init__(self, name: str, backend: Backend) -> None:
        self.name, self.label, self.backend = name, label(name), backend
        begin = time.perf_counter()
        G = self.graph("integer", "natural")
        backend.synchronize(G.A._store)
        self.prepare_ms = (time.perf_counter() - begin) * 1e3
        self.n, self.nedges = G.n, G.nedges
        self.roots = sampled_roots(G, ROOTS, seed=1)

    @cache  # noqa: B019  (as long as the problem)
    def graph(self, weights: Any, layout: str) -> lg.Graph:
        if layout == SORTED:
            G = graph(self.name, weights, self.backend, directed=False)
            for _ in range(SEARCHES):
                distances(G, self.roots[0])
            return G
        if layout != "natural":
            return laid_out(self.graph(weights, "natural"), layout).graph
        if WEIGHTS.get(weights):
            A = self.graph("uniform", "natural").A.apply(WEIGHTS[weights]).new("FP32")
            return rows_stay(lg.Graph(A, directed=False))
        return rows_stay(graph(self.name, weights, self.backend, directed=False))


def search(problem: ClosureProblem, of: Callable[[lg.Graph, int], lg.Vector], weights: str,
           layout: str) -> dict[str, Any]:  # fmt: skip
    """How a way works, gets its next root, and waits."""
    G = problem.graph(weights, layout)
    roots = cycle(places(problem.roots, G))
    return {
        "work": lambda root: Found(root, of(G, root)),
        "fresh": lambda: next(roots),
        "wait": lambda found: G.backend.synchronize(*([] if found is None else [found[1]._store])),
        "on_device": True,
    }


def widths(G: lg.Graph, root: int, schedule: lg.Schedule | None = None) -> lg.Vector:
    return lg.closure(G.point(root, 255, "FP32"), G.A, widest, schedule=schedule)


def judge_widths(rules: Rules, found: Found) -> None:
    if not found.result.isequal(widths(rules.G, found.root, LOOP)):
        raise VerificationError(f"other widths from {found.root} than the plain loop's")


def ways(problem: ClosureProblem) -> list[Entry]:
    found = Ways()

    def ours(case: str, of: Any, judge: Any, weights: str = "integer", layout: str = "natural",
             operation: str = "closure(s, A, min_plus)") -> None:  # fmt: skip
        with found.peer(case, OURS) as add:
            rules = Rules(problem.graph(weights, layout))
            add(operation, check=partial(judge, rules),
                **search(problem, of, weights, layout))  # fmt: skip

    for layout in (*LAYOUTS, SORTED):
        ours(f"distances, {layout}", distances, judge_distances, layout=layout)
    for weights in WEIGHTS:
        for layout in ("natural", "degree"):
            ours(f"distances, {weights}, {layout}", distances, judge_distances, weights, layout)
    for layout in LAYOUTS:
        ours(f"levels, {layout}", levels, judge_levels, "integer", layout,
             "closure(s, A, any_pair), its rounds")  # fmt: skip
        ours(f"parents, {layout}", parents, judge_parents, "integer", layout,
             "closure(s, A, any_secondi)")  # fmt: skip
    ours("widest, a user's own", widths, judge_widths, operation="closure(s, A, widest)")
    return found.entries


QUESTION = Question("closures", ways, problem=ClosureProblem)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
