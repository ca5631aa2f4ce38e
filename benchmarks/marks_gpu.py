"""The cases of ``benchmarks.marks`` on a GPU: how each is called, and judged."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks import marks_gap
from benchmarks.algorithms import Once
from benchmarks.marks_cases import (
    LARGE,
    Cases,
    Made,
    Searched,
    bare,
    busy,
    expect,
    fresh_process,
    made,
    passing,
)
from benchmarks.operations import OURS
from benchmarks.peers import imported
from benchmarks.problem import as_matrix
from lagraph_gpu import verify
from lagraph_gpu.backend import Backend
from semirings import BINARY, SEMIRINGS

SIXTEEN, SEARCHES, DIAGONALS = 16, 20, 17
GOOD = 0.08
"""Louvain's modularity on kron22."""
plus, times, plus_pair, plus_times = (
    BINARY["plus"], BINARY["times"], SEMIRINGS["plus_pair"], SEMIRINGS["plus_times"]
)  # fmt: skip


def ways(graph: str, backend: Backend) -> Made:
    """The vertices, the edges, and the ways of one graph's cases."""
    cases = Cases(backend)
    if graph == "first calls":
        first_calls(cases)
        return 0, 0, cases.found
    if graph.startswith("rows of ") or graph == f"{DIAGONALS} diagonals":
        A = uniform_rows(graph)
        products(cases, A)
        return A.shape[0], A.nnz, cases.found
    if graph.startswith(LARGE):
        G = marks_gap.made(graph, backend)
        marks_gap.large(cases, G, graph)
    else:
        G = made(graph, backend)
        CASES[graph](cases, G)
    return G.n, G.nedges, cases.found


def roads(cases: Cases, G: lg.Graph) -> None:
    """The road network of New York."""
    root, n = busy(G), G.n
    many_sources(cases, G)
    one_closeness(cases, G, root)
    sources, near = sources_of(G)[:4], np.zeros(n)
    for source in sources:
        level = lg.bfs(G, source)[0].to_dense(fill_value=0, dtype="FP64")
        near += np.divide(1, level, out=np.zeros(n), where=level > 0)
    cases("harmonic from 4", "harmonic_centrality(G, sources=…)",
          lambda: lg.harmonic_centrality(G, sources=sources),
          lambda value: expect(np.allclose(value.to_dense(fill_value=0), near),
                               "the sums of 1 / distance"))  # fmt: skip
    leaves = np.arange(n + 1, n + 101)
    centre = np.full(100, n)
    i, j, w = G.A.to_coo()
    upper = i < j
    beside = lg.Graph.from_edges(
        np.r_[i[upper], centre], np.r_[j[upper], leaves], np.r_[w[upper], np.ones(100, w.dtype)],
        n + 101, False, "min", backend=G.backend,
    )  # fmt: skip
    depth = int(lg.bfs(G, root)[0].reduce("max").new().get(0))
    for case, graph in (("", G), (" beside a star", beside)):
        cases(f"bfs{case}", f"bfs(G, {root}), {depth} levels", partial(lg.bfs, graph, root),
              Searched(partial(verify.verify_bfs, graph, root)))  # fmt: skip
        cases(f"sssp{case}", f"sssp(G, {root})", partial(lg.sssp, graph, root),
              Searched(partial(verify.verify_sssp, graph, root)))  # fmt: skip
    cases("spanning forest", "minimum_spanning_tree(G)",
          lambda: lg.minimum_spanning_tree(G),
          Once(partial(verify.verify_spanning_tree, G)))  # fmt: skip
    weight = float(lg.minimum_spanning_tree(G).A.reduce("plus").new("FP64").get(0)) / 2
    cases("spanning edges", "minimum_spanning_edges(G)",
          lambda: lg.minimum_spanning_edges(G),
          lambda tree: expect(float(tree[2].reduce("plus").new("FP64").get(0)) == weight,
                              f"edges of weight {weight}"))  # fmt: skip
    colouring(cases, G)
    ranks(cases, G)
    cases("components", "connected_components(G)", lambda: lg.connected_components(G),
          Once(partial(verify.verify_components, G)))  # fmt: skip
    cases("independent set", "maximal_independent_set(G)",
          lambda: lg.maximal_independent_set(G, seed=1),
          Once(partial(verify.verify_independent_set, G)))  # fmt: skip


def sources_of(G: lg.Graph) -> list[int]:
    degree = G.out_degree.to_dense(fill_value=0)
    some = np.random.default_rng(1).choice(np.flatnonzero(degree), SIXTEEN, replace=False)
    return [int(v) for v in some]


def many_sources(cases: Cases, G: lg.Graph) -> None:
    sources = sources_of(G)
    levels = [lg.bfs(G, s)[0] for s in sources]

    def judge(found: Any) -> None:
        for row, level in enumerate(levels):
            expect(found[0][row, :].new().isequal(level), f"the levels from {sources[row]}")

    cases("bfs from 16", "bfs(G, sources=…)", lambda: lg.bfs(G, sources=sources), judge)
    each = partial(map, lg.Vector.isequal, levels)
    cases("16 searches", "bfs(G, …) of each", lambda: [lg.bfs(G, s)[0] for s in sources],
          lambda found: expect(all(each(found)), "these levels"))  # fmt: skip


def one_closeness(cases: Cases, G: lg.Graph, u: int) -> None:
    level = lg.bfs(G, u)[0]
    reached, total = level.nvals - 1, int(level.dup("INT64").reduce("plus").new().get(0))
    right = reached / total * reached / (G.n - 1)
    cases("closeness of one", f"closeness_centrality(G, {u})",
          lambda: lg.closeness_centrality(G, u),
          lambda got: expect(np.isclose(one_number(got, u), right), f"{right}"))  # fmt: skip


def one_number(got: Any, u: int) -> float:
    return float(got.get(u) if isinstance(got, lg.Vector) else got)


def colouring(cases: Cases, G: lg.Graph) -> None:
    cases("colouring", "greedy_color(G)", lambda: lg.greedy_color(G, seed=1),
          Once(partial(verify.verify_coloring, G)))  # fmt: skip


def ranks(cases: Cases, G: lg.Graph) -> None:
    cases("pagerank", "pagerank(G)", partial(lg.pagerank, G, weight=None),
          lambda rank: verify.verify_pagerank(G, rank, weight=None))  # fmt: skip
    cases("pagerank, FP32", 'pagerank(G, dtype="FP32")',
          partial(lg.pagerank, G, weight=None, dtype="FP32"),
          lambda rank: verify.verify_pagerank(G, rank, weight=None))  # fmt: skip


def far_roads(cases: Cases, G: lg.Graph) -> None:
    """The road network of the north-east."""
    many_sources(cases, G)
    one_closeness(cases, G, busy(G))
    ranks(cases, G)


def lattice(cases: Cases, G: lg.Graph) -> None:
    many_sources(cases, G)
    passing(cases, G)


def weighted_lattice(cases: Cases, G: lg.Graph) -> None:
    i, j, w = G.A.to_coo()
    upper = i < j
    i, j, w = i[upper], j[upper], w[upper]
    rng, root = np.random.default_rng(1), busy(G)
    weights = {
        "integers": w, "floats": rng.random(w.size, np.float32) + np.float32(2**-20),
        "lognormal": rng.lognormal(size=w.size).astype(np.float32),
        "FP64": w.astype(np.float64), "INT64": w.astype(np.int64),
    }  # fmt: skip
    for name, weight in weights.items():
        H = lg.Graph.from_edges(i, j, weight, G.n, False, backend=G.backend)
        cases(f"sssp, {name}", f"sssp(G, {root}), {name}", partial(lg.sssp, H, root),
              Searched(partial(verify.verify_sssp, H, root)))  # fmt: skip
    colouring(cases, G)


def uniform(cases: Cases, G: lg.Graph) -> None:
    root = busy(G)
    total = int(lg.triangles(G).reduce("plus").new("INT64").get(0)) // 3
    cases("triangles", "triangle_count(G)", lambda: lg.triangle_count(bare(G)),
          lambda got: expect(got == total, f"{total} triangles, got {got}"))  # fmt: skip
    colouring(cases, G)
    distance = lg.sssp(G, root)
    verify.verify_sssp(G, root, *distance)
    cases("sssp, integers", f"sssp(G, {root})", partial(lg.sssp, G, root),
          lambda found: expect(found[0].isequal(distance[0]), "the same distances"))  # fmt: skip
    x = lg.Vector.from_scalar(1.0, G.n, "FP32", backend=G.backend)
    sums = G.A.reduce_rowwise("plus").new("FP32")
    cases("matrix times vector", "plus_times(A @ x)", lambda: settled(plus_times(G.A @ x).new()),
          lambda y: expect(y.isequal(sums), "the sums of the rows"))  # fmt: skip


def settled(result: Any) -> Any:
    """The result, which is not put off."""
    if getattr(result._store, "formula", None) is not None:
        result.backend.lazy.settle(result._store)
    return result


def skewed(cases: Cases, G: lg.Graph) -> None:
    def supported(truss: lg.Graph) -> None:
        A = truss.A
        support = plus_pair(A @ A).new(mask=A.S) if A.nvals else A
        expect(support.nvals == A.nvals and int(support.reduce("min").new().get(2)) >= 2,
               "two triangles at each edge of a 4-truss")  # fmt: skip

    cases("4-truss", "k_truss(G, 4)", lambda: lg.k_truss(bare(G), 4), Once(supported))

    def good(labels: lg.Vector) -> None:
        expect(lg.modularity(G, labels) >= GOOD, f"a modularity of {GOOD}")

    cases("louvain", "louvain(G)", partial(lg.louvain, G, seed=1), good)
    cupy = imported("cupy")
    i, j, w = G.A.to_coo()
    upper = i < j
    ends = i[upper], j[upper], w[upper]
    there = tuple(map(cupy.asarray, ends))
    for name, (src, dst, weight) in {"NumPy": ends, "CuPy": there}.items():
        cases(f"from_edges, {name}", f"Graph.from_edges of {src.size:,} edges",
              partial(lg.Graph.from_edges, src, dst, weight, G.n, False, backend=G.backend),
              lambda H: expect(H.A.isequal(G.A), "the same graph"))  # fmt: skip


def path(cases: Cases, G: lg.Graph) -> None:
    ones = lg.Vector.from_scalar(1, G.n, backend=G.backend)
    cases("core numbers", "core_number(G)", lambda: lg.core_number(bare(G)),
          lambda core: expect(core.isequal(ones), "1 everywhere"))  # fmt: skip
    passing(cases, G)


def parts(cases: Cases, G: lg.Graph) -> None:
    """Rows of a matrix, and two threads that search."""
    cupy, sparse = imported("cupy"), imported("cupyx.scipy.sparse")
    ids = np.sort(np.random.default_rng(1).choice(G.n, 1 << 14, replace=False))
    indptr, column, weight = G.A.to_csr()
    A = sp.csr_matrix((weight, column, indptr), shape=(G.n, G.n))
    want = as_matrix(A[ids], G.backend)
    cases("rows by NumPy ids", f"A[ids, :], {ids.size:,} ids", lambda: G.A[ids, :].new(),
          lambda got: expect(got.isequal(want), "these rows"))  # fmt: skip
    with cases.found.peer("rows by NumPy ids", "cupyx") as add:
        there = sparse.csr_matrix(A)
        add("A[ids]", lambda _: there[ids],
            lambda got: expect(got.nnz == want.nvals, "as many entries"),
            wait=lambda _: G.backend.synchronize())  # fmt: skip
    roots = sources_of(G)[:2]
    levels = [lg.bfs(G, root)[0] for root in roots]

    def search(root: int, out: list[Any]) -> None:
        with cupy.cuda.Stream(non_blocking=True):
            for _ in range(SEARCHES):
                level = lg.bfs(G, root)[0]
            out.append((root, level.to_dense(fill_value=-1)))

    def both() -> list[Any]:
        out: list[Any] = []
        threads = [threading.Thread(target=search, args=(root, out)) for root in roots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [found for _, found in sorted(out, key=lambda one: roots.index(one[0]))]

    def in_turn() -> list[Any]:
        out: list[Any] = []
        for root in roots:
            search(root, out)
        return [found for _, found in out]

    def judge(found: list[Any]) -> None:
        for mine, level in zip(found, levels, strict=True):
            expect(np.array_equal(mine, level.to_dense(fill_value=-1)), "the same levels")

    cases("two threads", f"{SEARCHES} searches each", both, judge)
    cases("one after the other", f"{SEARCHES} searches each", in_turn, judge)


def uniform_rows(graph: str) -> Any:
    """A square matrix with as many entries in each row (ones, FP32)."""
    rng = np.random.default_rng(1)
    if graph == f"{DIAGONALS} diagonals":
        n, half = 1 << 20, DIAGONALS // 2
        band: Any = np.ones((DIAGONALS, n), np.float32)
        return sp.csr_matrix(sp.diags_array(band, offsets=range(-half, half + 1), shape=(n, n)))
    width = int(graph.removeprefix("rows of "))
    n = 1 << (20 if width < 64 else 16)
    column = np.sort(rng.integers(0, n, (n, width)), axis=1).ravel().astype(np.int32)
    ones, begins = np.ones(n * width, np.float32), np.arange(n + 1, dtype=np.int32) * width
    A = sp.csr_matrix((ones, column, begins), shape=(n, n))
    A.sum_duplicates()
    return A


def products(cases: Cases, A: Any) -> None:
    """The square of a matrix, by us and by cuSPARSE."""
    sparse = imported("cupyx.scipy.sparse")
    M, x = as_matrix(A, cases.backend), np.ones(A.shape[0], np.float32)
    sums = A @ (A @ x)

    def judge(C: lg.Matrix) -> None:
        got = C.reduce_rowwise("plus").new("FP64").to_dense(fill_value=0)
        expect(np.array_equal(got, sums), "the sums of the square's rows")

    cases("A A", "plus_times(A @ A)", lambda: plus_times(M @ M).new(), judge)
    there = sparse.csr_matrix(A)
    with cases.found.peer("A A", "cupyx") as add:
        add("A @ A", lambda _: there @ there,
            lambda C: expect(np.array_equal(C.sum(axis=1).get().ravel(), sums), "the same sums"),
            wait=lambda _: cases.backend.synchronize())  # fmt: skip


FIRST = """
import time
import numpy as np
import lagraph_gpu as lg
lg.set_backend("gpu")
i, j = np.divmod(np.arange(1 << 14) * 7919 % (1 << 14), 128)
G = lg.Graph.from_edges(i, j, (i + j).astype(np.{dtype}) + 1, 128, False, "min")
G.backend.synchronize(G.A._store)
begin = time.perf_counter()
print({call})
print((time.perf_counter() - begin) * 1e3)
"""
"""A program on a machine where nothing was compiled; what it prints last are milliseconds."""


def first_calls(cases: Cases) -> None:
    calls = {"bfs": ("int32", "lg.bfs(G, 0)[0].nvals"),
             "triangles": ("int32", "lg.triangle_count(G)"),
             "pagerank": ("float32", "lg.pagerank(G).nvals"),
             "louvain": ("float64", "lg.louvain(G, seed=1).nvals")}  # fmt: skip
    for kind in ("int32", "int64", "float32", "float64"):
        name = kind.upper().replace("FLOAT", "FP")
        calls[f"sssp, {name}"] = kind, "lg.sssp(G, 0)[0].nvals"
    for case, (dtype, call) in calls.items():
        program = FIRST.format(dtype=dtype, call=call)
        with cases.found.peer(case, OURS) as add:
            add(call, lambda _, program=program: fresh_process(program),
                lambda told: expect(told[0] > 0, "an answer"))  # fmt: skip


CASES: dict[str, Callable[[Cases, lg.Graph], None]] = {
    "NY": roads, "NE": far_roads, "grid2048": lattice, "grid3000": weighted_lattice,
    "uniform22": uniform, "kron22": skewed, "path20": path, "kron20": parts,
}  # fmt: skip
