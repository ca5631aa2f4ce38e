"""The six kernels of the GAP benchmark, and closeness of many sources on graphs of Friendster's
size, as cases of ``benchmarks.marks``.

``python -m benchmarks.marks --graph "GAP kron27"`` and ``"GAP urand27"``, or another scale. GAP
(Beamer, Asanović and Patterson 2015) takes Graph500's Kronecker graph and one whose edges' ends are
uniform, both of average degree 32, undirected, with whole weights from 1 to 255; searches begin at
random vertices that have an edge, another one each time. Every answer is verified by statements on
the backend, because the graphs are too large for a second look on the host.

In the uniform graph each neighbour is a random read. Beside each kernel the record has its floor
there: a kernel that does nothing but the random reads that it cannot do without, as many and of
elements as large (`benchmarks.random_reads`).

"Friendster kron26" and "Friendster uniform26" have 67 million vertices and about as many edges as
the social network Friendster, 1.8 billion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.marks_cases import PASSED, Cases, bare, expect, passing
from benchmarks.random_reads import reader
from lagraph_gpu.backend import Backend
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_draw import GRAPH500, UNIFORM
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.verify import Rules
from semirings import SEMIRINGS

ROOTS, SAMPLE, SOURCES = 16, 256, 512
ALPHA, CHANGE = 0.85, 1e-4
"""GAP's rounds of PageRank end when the sum of the changes is below this. They start from a uniform
distribution; on a large undirected graph ours start nearer to the end (decision 0425)."""

TOLERANCE = CHANGE * ALPHA / (1 - ALPHA)
"""The bound of the error that these changes prove, by which ours end."""

min_first, plus_first, plus_pair = (
    SEMIRINGS["min_first"], SEMIRINGS["plus_first"], SEMIRINGS["plus_pair"]
)  # fmt: skip


def made(graph: str, backend: Backend) -> lg.Graph:
    """The graph of this name: "GAP kronS", "GAP urandS", "Friendster kronS" or
    "Friendster uniformS"."""
    of, kind = graph[:-2].split()
    percent = GRAPH500 if kind == "kron" else UNIFORM
    draw = Draw(int(graph[-2:]), 16 if of == "GAP" else 27, percent=percent)
    return Drawn(draw, backend).graph("integer" if of == "GAP" else None)


def large(cases: Cases, G: lg.Graph, graph: str) -> None:
    """The cases of a graph by its name."""
    if graph.startswith("GAP kron"):
        prepared = G.prepared()
        ranked(cases, prepared, "GAP pagerank, prepared")
        roots = drawn_roots(G.out_degree.to_dense(fill_value=0))
        Rooted(lg.bfs, Rules(G).bfs, prepared, roots).into(cases, "GAP bfs, prepared")
        del prepared  # its memory is needed
    (gap if graph.startswith("GAP ") else closeness)(cases, G)
    if graph.startswith("GAP urand"):
        floors(cases, G)


def closeness(cases: Cases, G: lg.Graph) -> None:
    """Of many vertices; that of a few follows from searches of their own."""
    degree = G.out_degree.to_dense(fill_value=0)
    chosen = np.random.default_rng(1).choice(np.flatnonzero(degree), SOURCES, replace=False)
    near = {}
    for u in map(int, chosen[:4]):
        level = lg.bfs(G, u)[0]
        others, far = level.nvals - 1, int(level.reduce("plus").new("INT64").get(0))
        near[u] = others / far * others / (G.n - 1)

    def judge(found: lg.Vector) -> None:
        same = all(np.isclose(found.get(u), value) for u, value in near.items())
        expect(same and found.nvals == SOURCES, "the closeness that single searches give")

    cases("closeness of 512", f"closeness_centrality(G, u) of {SOURCES} vertices",
          lambda: lg.closeness_centrality(G, chosen), judge)  # fmt: skip


def gap(cases: Cases, G: lg.Graph) -> None:
    degree = G.out_degree.to_dense(fill_value=0)
    some = drawn_roots(degree)
    cases("GAP triangles", "triangle_count(G)", lambda: lg.triangle_count(bare(G)),
          Counted(G, degree))  # fmt: skip
    rules = Rules(G)
    for name, search, judge in (("bfs", lg.bfs, rules.bfs), ("sssp", lg.sssp, rules.sssp)):
        Rooted(search, judge, G, some).into(cases, f"GAP {name}")
    ranked(cases, G, "GAP pagerank")
    cases("GAP components", "connected_components(G)", lambda: lg.connected_components(G),
          partial(expect_components, G))  # fmt: skip
    passing(cases, G, "GAP betweenness", degree)


def ranked(cases: Cases, G: lg.Graph, case: str) -> None:
    """PageRank in both types. FP32 comes last: where memory is short, its panels would be in the
    way of those of FP64."""
    work = partial(lg.pagerank, G, ALPHA, tol=TOLERANCE, weight=None)
    of = "G.prepared()" if case.endswith("prepared") else "G"
    cases(case, f"pagerank({of}, tol={TOLERANCE:.3g})", work, partial(expect_ranks, G))
    cases(f"{case}, FP32", f'pagerank({of}, tol={TOLERANCE:.3g}, dtype="FP32")',
          partial(work, dtype="FP32"), partial(expect_ranks, G))  # fmt: skip


def drawn_roots(degree: np.ndarray) -> np.ndarray:
    """The roots of the searches, vertices that have an edge."""
    having = np.flatnonzero(degree)
    return np.random.default_rng(1).choice(having, min(ROOTS, having.size), replace=False)


def floors(cases: Cases, G: lg.Graph) -> None:
    """What the random reads alone take. Only a device has them: elsewhere a case does nothing."""
    device = hasattr(cases.backend, "device")
    for name, (count, bits, what) in least_reads(G).items():
        read = reader(cases.backend, G.n, bits) if device else lambda _: None
        text = f"{count:,} reads of {what}, {bits} bits each, at random"
        cases(f"floor of GAP {name}", text, partial(read, count), lambda _: None)


def least_reads(G: lg.Graph) -> dict[str, tuple[int, int, str]]:
    """How many random reads each kernel needs, of elements of so many bits, one for each vertex."""
    nnz = G.A.nvals
    with lg.trace() as told:
        lg.pagerank(G, ALPHA, tol=TOLERANCE, weight=None)
    rounds = max(1, len(told))  # a small graph has all of them in one kernel
    of_rounds = f"a rank, one for each entry in {rounds} rounds"
    return {
        "bfs": (searched(G), 1, "the frontier"),
        "sssp": (nnz, 32, "a distance, one for each entry"),
        "pagerank": (rounds * nnz, 64, of_rounds),
        "pagerank, FP32": (rounds * nnz, 32, of_rounds),
        "components": (3 * G.n, 32, "a label: of two neighbours, and of the label"),
        "betweenness": (2 * nnz, 32 * PASSED, "levels, for each entry forth and back"),
        "triangles": (nnz, 256, "two parts of a row, for each edge"),
    }


def searched(G: lg.Graph) -> int:
    """The reads of a breadth-first search that in each level goes the cheaper way: it pushes along
    all edges of the frontier, or each vertex not yet seen asks its neighbours in turn, of which
    such a share is in the frontier as of all vertices, until one is. The mean over the roots."""
    degree, reads = G.A.nvals / G.n, 0.0
    roots = drawn_roots(G.out_degree.to_dense(fill_value=0))
    for root in map(int, roots):
        unseen = G.n
        for size in np.bincount(lg.bfs(G, root)[0].to_coo()[1]).tolist():
            unseen -= size
            share = size / G.n
            asked = (1 - (1 - share) ** degree) / share if size else 0.0
            reads += min(size * degree, unseen * asked)
    return int(reads / roots.size)


class Rooted:
    """Searches from one root after another; each result is verified."""

    def __init__(
        self, search: Callable[..., Any], judge: Callable[..., None], G: lg.Graph, roots: Any
    ) -> None:
        self.search, self.judge, self.G = search, judge, G
        self.roots = cycle(int(root) for root in roots)
        self.root = -1

    def into(self, cases: Cases, case: str) -> None:
        text = f"{self.search.__name__}(G, root), {ROOTS} roots in turn"
        cases(case, text, self.next, lambda found: self.judge(self.root, *found))

    def next(self) -> Any:
        self.root = next(self.roots)
        return self.search(self.G, self.root)


def expect_ranks(G: lg.Graph, rank: lg.Vector) -> None:
    """One round more changes the ranks by as little as GAP asks for, and they sum to 1."""
    r = rank.to_dense().astype(np.float64)
    degree = G.out_degree.to_dense(fill_value=0)
    shares = lg.Vector.from_dense(r / np.maximum(degree, 1), backend=G.backend)
    into = plus_first(shares @ G.A).new("FP64").to_dense(fill_value=0.0)
    into *= ALPHA
    into += (1 - ALPHA + ALPHA * r[degree == 0].sum()) / G.n
    expect(abs(float(r.sum()) - 1) < 1e-6, f"ranks whose sum is 1, got {r.sum()}")
    change = float(np.abs(into - r).sum())
    expect(change < CHANGE, f"a change below {CHANGE} by one more round, got {change}")


def expect_components(G: lg.Graph, label: lg.Vector) -> None:
    """A vertex has the smallest representative that reaches it as its label: if each representative
    starts with its own number, and numbers spread along the edges, the labels are what results."""
    labels = label.to_dense()
    own = np.flatnonzero(labels == np.arange(G.n))
    start = lg.Vector.from_coo(own, labels[own], size=G.n, backend=G.backend)
    expect(lg.closure(start, G.A, min_first).isequal(label), "labels that spread along the edges")


class Counted:
    """Judges a number of triangles: a third of the sum over all vertices; those of some vertices
    are counted as common neighbours of a vertex and its neighbours. Once, for it takes memory."""

    def __init__(self, G: lg.Graph, degree: np.ndarray) -> None:
        self.G, self.degree, self.right = G, degree, -1

    def __call__(self, count: int) -> None:
        if self.right < 0:
            self.right = self.number()
        expect(count == self.right, f"{self.right} triangles, got {count}")

    def number(self) -> int:
        each = lg.triangles(bare(self.G))
        has_few = np.flatnonzero((self.degree > 1) & (self.degree <= 64))
        some = np.random.default_rng(2).choice(has_few, min(SAMPLE, has_few.size), replace=False)
        rows = np.sort(some)
        part = self.G.A[rows, :].new()
        common = plus_pair(part @ self.G.A).new("INT64", mask=part.S)
        twice = common.reduce_rowwise("plus").new().to_dense(fill_value=0)
        same = np.array_equal(twice, each[rows].new().to_dense() * 2)
        expect(same, "as many triangles at some vertices")
        return int(each.reduce("plus").new("INT64").get(0)) // 3
