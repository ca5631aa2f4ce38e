"""Graphs of 2³¹ vertices and more, and others that have as few edges for their vertices, on several
processes with CPUs.

No lowering numbers so many vertices, so every algorithm runs by its statements. The limit is a
number, which most tests lower: then each small graph is large. Others have 2³³ vertices of which a
few have edges, and no array of NumPy may grow with the vertices.
"""

from __future__ import annotations

import heapq
import json
import tracemalloc
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify as checks
from lagraph_gpu.calls.memory_figures import FIGURES
from lagraph_gpu.calls.memory_needs import COMPONENTS
from lagraph_gpu.cluster import own_rows, single_source
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.convert import batches, serialize
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    FormatError,
    InvalidValue,
    LagraphError,
    NegativeCycle,
    NoFixpoint,
    TooLarge,
)
from lagraph_gpu.io import saved_folder
from lagraph_gpu.io.stream import MANIFEST
from tests import test_edge_batches, test_without_lowerings
from tests.cluster import test_making
from tests.cluster.limits import at_most, every_graph_is_sparse, most_vertices, peak_of
from tests.cluster.test_making import seen
from tests.cluster.turns import on_ranks
from tests.harness import CPU, GPU
from tests.strategies import any_graph, examples
from tests.test_edge_batches import outcome
from tests.test_without_lowerings import (
    ACYCLIC,
    DIRECTED,
    USUAL,
    Find,
    answer,
)

FAR = 2**33 + 5
"""The vertices of graphs that are large without another limit."""

NEAR = 2**31 - 5
"""The vertices of graphs that are not large, but as sparse."""

far = pytest.mark.parametrize("n", [FAR, NEAR], ids=["far", "near"])

WAYS = {**DIRECTED, **ACYCLIC}
"""Algorithms that are asked about a directed graph."""


# --- every graph is large ------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["connected_components", "pagerank"])
def test_no_process_has_the_values_of_all(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more vertices than edges: a product asks for those at its own columns."""
    n, most, done = 5000, [0], set()
    gathered, arrived = Distribution.gathered_vector, Distribution.sent

    def noted(self: Distribution, *given: Any, **named: Any) -> Any:
        found = gathered(self, *given, **named)
        if found is not None and self.rank not in done:
            most.append(found[0].size)
        return found

    def noted_too(self: Distribution, *given: Any) -> Any:
        found = arrived(self, *given)
        if self.rank not in done:
            most.append(sum(part[0].size for part in found))
        return found

    def work(backend: Any) -> Any:
        G = lg.Graph.from_edges([0, 5, 7], [5, n - 1, 8], n=n, directed=False, backend=backend)
        found = getattr(lg, name)(G)
        done.add(getattr(backend, "distribution", None) and backend.distribution.rank)
        return found.to_dense()

    right = work(CPU)
    monkeypatch.setattr(Distribution, "gathered_vector", noted)
    monkeypatch.setattr(Distribution, "sent", noted_too)
    with most_vertices(0):
        for found in on_ranks(4, work):
            assert np.allclose(found, right)
    assert 0 < max(most) <= n // 4


def test_no_lowering_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the cluster, nor of its local backends."""
    asked: list[str] = []

    def work(backend: Any) -> None:
        G = lg.Graph.from_edges([0, 1], [1, 2], n=5, backend=backend)
        for of in (backend, backend.local):
            table = {key: lambda *a, name=key, **k: asked.append(str(name)) for key in of.lowerings}
            monkeypatch.setattr(of, "lowerings", table)
        assert lg.bfs(G, 0)[0].to_dict() == {0: 0, 1: 1, 2: 2}
        assert lg.connected_components(G).to_dense().tolist() == [0, 0, 0, 3, 4]

    with most_vertices(4):
        on_ranks(2, work)
    assert asked == []
    with most_vertices(5):
        on_ranks(2, work)
    assert asked


# --- on both sides of the limit ------------------------------------------------------------------
@examples(40)
@given(example=any_graph(), data=st.data(), size=st.sampled_from([2, 3, 4]), large=st.booleans())
def test_searches_by_the_ids_in_use(example: Any, data: Any, size: int, large: bool) -> None:
    """Process 0 has the loops for a graph of which few ids have edges."""
    small = example.graph(CPU)
    n, (row, column, values) = 7 * small.n + 10, small.A.to_coo()
    ends = [data.draw(st.integers(0, n - 1)), 7 * data.draw(st.integers(0, small.n)) + 3]
    source, cutoff = data.draw(st.sampled_from(ends)), data.draw(st.sampled_from([None, 1, 4]))

    def searches(backend: Any) -> list[Any]:
        A = lg.Matrix.from_coo(
            7 * row + 3, 7 * column + 3, values, values.dtype, nrows=n, ncols=n, backend=backend
        )
        G = lg.Graph(A, small.directed)
        found = [
            answer(find, G)
            for find in (
                lambda G: lg.bfs(G, source, max_level=cutoff),
                lambda G: lg.sssp(G, source, cutoff=cutoff),
                lambda G: lg.bellman_ford(G, source),
            )
        ]
        return [one if isinstance(one, str) else [x.to(CPU) for x in one] for one in found]

    right = searches(CPU)
    G = lg.Graph(
        lg.Matrix.from_coo(7 * row + 3, 7 * column + 3, values, nrows=n, ncols=n, backend=CPU),
        small.directed,
    )
    noted = Noted(single_source.found_parts)
    most = 2 * values.size + 1
    kind = most_vertices(most) if large and most < n else every_graph_is_sparse()
    with pytest.MonkeyPatch.context() as patch, kind:
        patch.setattr(single_source, "found_parts", noted)
        told = on_ranks(size, searches)
    assert noted.made and all(parts is not None for parts in noted.made)
    for found in told:
        for name, one, wanted in zip(("bfs", "sssp", "sssp"), found, right, strict=True):
            if isinstance(wanted, str):
                assert one == wanted
                continue
            value, parent = one
            assert value.isequal(wanted[0], check_dtype=True)
            assert (parent.dtype, parent.to_coo()[0].tolist()) == (
                wanted[1].dtype, wanted[1].to_coo()[0].tolist(),
            )  # fmt: skip
            if cutoff is None:
                getattr(checks, f"verify_{name}")(G, source, value, parent)


class Noted:
    """A function that notes what it returns."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.made = function, list[Any]()

    def __call__(self, *given: Any) -> Any:
        self.made.append(made := self.function(*given))
        return made


DUPS = "error", "min", "sum", "first", "last"


@examples(60)
@given(data=st.data(), size=st.sampled_from([2, 3, 4]), dup=st.sampled_from(DUPS))
def test_from_edges(data: Any, size: int, dup: str) -> None:
    """As of a graph that is not large: edges, what is given twice, and errors."""
    n = data.draw(st.integers(1, 9))
    ids = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(ids, ids, st.integers(1, 5)), max_size=20))
    source, target, weight = (np.array(c, np.int64) for c in zip(*edges, strict=True)) if edges \
        else (np.empty(0, np.int64),) * 3  # fmt: skip
    held = data.draw(st.sampled_from([None, 3, weight]))
    given_n = data.draw(st.sampled_from([n, None])) if edges else n
    directed = data.draw(st.booleans())

    def made(backend: Any) -> Any:
        try:
            G = lg.Graph.from_edges(source, target, held, given_n, directed, dup, backend=backend)
        except LagraphError as error:
            return str(error)
        A = G.A
        return [G.n, G.nedges, G.weighted, A.dtype, A.to_dicts(), A.isequal(A.T.new()), repr(G)]

    limit = data.draw(st.integers(0, n))
    right = made(CPU)
    with most_vertices(limit):
        for found in on_ranks(size, made):
            if isinstance(right, str):
                assert found == right
            else:
                assert found[:5] == right[:5]
                assert found[5] == right[5] or not directed
                assert found[6] == right[6].replace(", cpu", ", cluster")


@examples(60)
@given(
    parts=test_edge_batches.drawn_batches(), n=st.sampled_from([None, 10, 12]),
    directed=st.booleans(), dup=st.sampled_from(DUPS), size=st.sampled_from([2, 3, 4]),
    how=st.sampled_from(["list", "function", "generator"]), piece=st.sampled_from([1, 2, 1 << 16]),
    limit=st.sampled_from([0, 4, 99]),
)  # fmt: skip
def test_from_edge_batches(
    parts: Any, n: Any, directed: bool, dup: str, size: int, how: str, piece: int, limit: int
) -> None:
    """As from all edges on one process, whether the graph is large or not."""

    def made(backend: Any) -> Any:
        given = {"list": parts, "function": lambda: iter(parts), "generator": iter(parts)}[how]
        return outcome(lambda: lg.Graph.from_edge_batches(given, n, directed, dup, backend=backend))

    right = made(CPU)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "EDGES_TOGETHER", piece)
        with most_vertices(limit):
            assert on_ranks(size, made) == [right] * size


@pytest.mark.parametrize("edges", [[1, 9], [4, 5], [0, 1]])
def test_each_process_gives_all_batches(edges: list[int]) -> None:
    """And not its share of them, which would end in a quarrel about bytes."""
    each = np.arange(3), np.arange(3)

    def work(backend: Any) -> lg.Graph:
        count = edges[backend.distribution.rank]
        return lg.Graph.from_edge_batches([each] * count, 5, dup="first", backend=backend)

    said = f"the same batches in all processes, got {3 * edges[0]}, {3 * edges[1]} edges"
    with pytest.raises(InvalidValue, match=said):
        on_ranks(2, work)


@pytest.mark.parametrize("name", test_edge_batches.BAD)
def test_bad_batches(name: str) -> None:
    given, error, message = test_edge_batches.BAD[name]
    for limit in (3, 9):
        with most_vertices(limit), pytest.raises(error, match=message):
            on_ranks(2, lambda backend: lg.Graph.from_edge_batches(given, 5, backend=backend))


@pytest.mark.parametrize("later", [[([0], [1], [1.0])], [], [([0, 0, 0], [1, 2, 3])], [([0], [1])]])
def test_batches_that_change(later: list[Any]) -> None:
    def work(backend: Any) -> None:
        several = iter([[([0, 0], [1, 2])], later, later])
        lg.Graph.from_edge_batches(lambda: next(several), 5, backend=backend)

    for limit in (3, 9):
        with most_vertices(limit), pytest.raises(InvalidValue, match="the same edges each time"):
            on_ranks(2, work)


MAKING = {
    name: getattr(test_making, name)
    for name in (
        "test_an_edge_list_is_read_in_parts", "test_a_file_with_a_count_is_read_in_parts",
    )
}  # fmt: skip


@pytest.mark.parametrize("limit", [0, 3, 20])
@pytest.mark.parametrize("name", MAKING)
def test_files_are_read_in_parts(name: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The drawn files of `test_making`, with graphs of up to 41 vertices."""

    def on_large_ones(*given: Any, **named: Any) -> Any:
        with most_vertices(limit):
            return on_ranks(*given, **named)

    monkeypatch.setattr(own_rows, "PIECE", 7)
    monkeypatch.setattr(test_making, "on_ranks", on_large_ones)
    MAKING[name]()


@examples(40)
@given(example=any_graph(), size=st.sampled_from([2, 3]), block=st.sampled_from([1, 3, 1 << 20]))
def test_a_digest_is_the_same_of_listed_rows(example: Any, size: int, block: int) -> None:
    """As of one process, though nobody has the offsets."""
    right = example.graph(CPU).digest
    with pytest.MonkeyPatch.context() as patch, every_graph_is_sparse():
        patch.setattr(serialize, "ROWS_AT_ONCE", block)
        patch.setattr(lg.Matrix, "to_csr", None)
        assert on_ranks(size, lambda backend: example.graph(backend).digest) == [right] * size


def test_making_takes_little_more_than_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes hold twice the entries for a moment, and beside them a few pieces."""
    monkeypatch.setattr(own_rows, "PIECE", 1 << 9)
    for n in (9, 20_000):
        edges = np.random.default_rng(n).integers(0, n, (3 * n, 2)).tolist()
        (tmp_path / f"{n}.el").write_text("".join(f"{u} {v} {u % 7}\n" for u, v in edges))

    def made(n: int) -> list[int]:
        def graph(backend: Any) -> int:
            G = lg.read(tmp_path / f"{n}.el", False, "first", backend=backend)
            return int(G.A.nvals)

        return on_ranks(2, graph)

    with most_vertices(0):
        made(9)  # which imports
        tracemalloc.start()
        try:
            entries = made(20_000)[0]
            beside = tracemalloc.get_traced_memory()[1]  # what is sorted lies in pages of its own
        finally:
            tracemalloc.stop()
    finished = 16 * (entries + 20_000)
    assert entries > 80_000
    assert beside < 1.5 * finished


def test_the_limit() -> None:
    """A cluster takes more, and one process says so."""

    def work(backend: Any, n: int) -> tuple[int, ...]:
        made = (
            lg.Graph.from_edges([0, n - 2], [n - 1, 0], backend=backend),
            lg.Graph.from_edges([0], [1], n=n, backend=backend),
            lg.Graph(lg.Matrix.from_coo([0], [1], 1, nrows=n, ncols=n, backend=backend)),
        )
        return tuple(G.n for G in made)

    with most_vertices(1000):
        for local in (CPU, GPU):
            for size in (1, 2, 3):
                assert on_ranks(size, lambda backend: work(backend, 1000), local)[0] == (1000,) * 3
        for size in (2, 3, 4):
            assert on_ranks(size, lambda backend: work(backend, 1001))[0] == (1001,) * 3
        for size, local in ((1, CPU), (1, GPU), (2, GPU)):
            for make in (
                lambda backend: lg.Graph.from_edges([0], [1000], backend=backend),
                lambda backend: lg.Graph.from_edges([0], [1], n=1001, backend=backend),
            ):
                with pytest.raises(LagraphError, match=r"1000|1001"):
                    on_ranks(size, make, local)
    with pytest.raises(TooLarge, match=r"2\*\*31.*labels=True.*cluster of two or more processes"):
        lg.Graph.from_edges([0], [1], n=2**31, backend=CPU)


@pytest.mark.parametrize("name", test_making.GRAPHS)
def test_a_graph_is_saved_in_parts(name: str, tmp_path: Path) -> None:
    """And opened by any number of processes, as it was or in rows that are not listed."""
    G = test_making.GRAPHS[name]()

    def known(H: lg.Graph) -> Any:
        ids = None if H.ids is None else H.ids.to_dense().tolist()
        return seen(H), ids, H.original_n

    right = known(G)
    for parts in (2, 3, 4):
        folder = tmp_path / str(parts)
        on_ranks(parts, lambda backend, f=folder: G.to(backend).save(f))
        with most_vertices(0):
            on_ranks(
                parts, lambda backend, f=folder: lg.open(f, backend=backend).save(f"{f} listed")
            )
            for size in (2, 3):
                for path in (folder, f"{folder} listed"):
                    assert (
                        on_ranks(size, lambda backend, f=path: known(lg.open(f, backend=backend)))
                        == [right] * size
                    )
            with pytest.raises(TooLarge, match="cluster of two or more"):
                lg.open(f"{folder} listed", backend=CPU)
            assert [*Path(f"{folder} listed").glob("rows-*.npy")]


# --- a few of 2³³ vertices have edges ------------------------------------------------------------
Edges = dict[tuple[int, int], int]


def drawn(n: int, count: int, seed: int) -> Edges:
    """So many edges among 400 ids, or fewer, without loops, each in one direction."""
    rng = np.random.default_rng(seed)
    ids = np.unique(np.append(rng.integers(0, n, 399), n - 1))
    source, target = rng.choice(ids, (2, count)).tolist()
    made = {(min(e), max(e)): i % 9 + 1 for i, e in enumerate(zip(source, target)) if e[0] != e[1]}
    return made


def entries(A: Any) -> Edges:
    row, column, values = (array.tolist() for array in A.to_coo())
    return dict(zip(zip(row, column), values, strict=True))


def lengths(edges: Edges, source: int, directed: bool, weighted: bool) -> dict[int, int]:
    """The shortest paths, by Dijkstra's algorithm."""
    near: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (u, v), w in edges.items():
        near[u].append((v, w if weighted else 1))
        if not directed:
            near[v].append((u, w if weighted else 1))
    found: dict[int, int] = {}
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if u not in found:
            found[u] = d
            for v, w in near[u]:
                heapq.heappush(heap, (d + w, v))
    return found


def check_graph(n: int, directed: bool, backend: Any) -> None:
    edges = drawn(n, 900, int(directed))
    both = edges if directed else edges | {(v, u): w for (u, v), w in edges.items()}
    source, target = (list(ends) for ends in zip(*edges))
    G = lg.Graph.from_edges(source, target, [*edges.values()], n, directed, backend=backend)
    assert (G.n, G.nedges, G.nloops) == (n, len(edges), 0)
    assert (G.lightest, G.heaviest) == (1, 9)
    assert entries(G.A) == both
    degrees = defaultdict(int)
    for u, _ in both:
        degrees[u] += 1
    assert G.out_degree.to_dict() == degrees
    begin = source[0]
    level, parent = lg.bfs(G, begin)
    right = lengths(edges, begin, directed, weighted=False)
    assert level.to_dict() == right
    for v, u in parent.to_dict().items():
        assert u == v == begin or ((u, v) in both and right[u] + 1 == right[v])
    distance, parent = lg.sssp(G, begin)
    right = lengths(edges, begin, directed, weighted=True)
    assert distance.to_dict() == right and parent.nvals == len(right)
    for v, u in parent.to_dict().items():
        assert u == v == begin or right[u] + both[u, v] == right[v]
    sources = [begin, source[7]]
    for search, weighted in ((lg.bfs, False), (lg.sssp, True)):
        found, parents = search(G, sources=sources)
        for i, s in enumerate(sources):
            assert found[i, :].new().to_dict() == lengths(edges, s, directed, weighted)
        assert parents.nvals == found.nvals


@far
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("size, by_root", [(2, False), (2, True), (3, False)])
def test_memory_follows_the_edges(
    n: int, size: int, by_root: bool, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the statements of all processes, and by loops of process 0 over the ids in use."""
    if not by_root:
        monkeypatch.setattr(single_source, "found_parts", lambda *_: None)
    most = peak_of(lambda: on_ranks(size, lambda backend: check_graph(n, directed, backend)))
    assert most < 1 << 26


@far
def test_what_the_root_keeps_for_searches_counts(n: int) -> None:
    def work(backend: Any) -> list[int]:
        G = lg.Graph.from_edges([0, 7], [7, n - 1], n=n, backend=backend)
        sizes = [G.nbytes]
        for _ in range(2):
            lg.bfs(G, 0)
            sizes.append(G.nbytes)
        return sizes

    before, after, again = on_ranks(2, work)[0]
    assert before + 3 * 8 < after == again


TEXTS: dict[str, Callable[[Edges, int], str]] = {
    "some.el": lambda edges, n: "".join(f"{u} {v} {w}\n" for (u, v), w in sorted(edges.items())),
    "some.gr": lambda edges, n: f"p sp {n} {len(edges)}\n" + "".join(
        f"a {u + 1} {v + 1} {w}\n" for (u, v), w in edges.items()
    ),
    "some.mtx": lambda edges, n: (
        f"%%MatrixMarket matrix coordinate integer general\n{n} {n} {len(edges)}\n"
    ) + "".join(f"{u + 1} {v + 1} {w}\n" for (u, v), w in edges.items()),
}  # fmt: skip


@far
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", TEXTS)
def test_a_file_of_a_few_far_ids(
    n: int, name: str, size: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the first ids do not show that the graph is large."""
    monkeypatch.setattr(own_rows, "PIECE", 50)
    edges = {(0, 1): 3, (1, 7): 2, (9, 5): 8} | drawn(n, 900, 3)
    path = tmp_path / name
    path.write_text(TEXTS[name](edges, n))

    def work(backend: Any) -> None:
        G = lg.read(path, backend=backend)
        assert (G.n, G.directed, G.nedges) == (n, True, len(edges))
        assert entries(G.A) == edges
        H = lg.read(path, directed=False, backend=backend)
        assert entries(H.A) == edges | {(v, u): w for (u, v), w in edges.items()}
        assert lg.bfs(H, 0)[0].to_dict() == lengths(edges, 0, directed=False, weighted=False)
        assert lg.bfs(G, 0)[0].to_dict() == lengths(edges, 0, directed=True, weighted=False)

    on_ranks(size, work)


@far
@pytest.mark.parametrize("directed", [True, False])
def test_a_folder_of_far_ids(n: int, directed: bool, tmp_path: Path) -> None:
    edges = drawn(n, 900, 4)
    source, target = (list(ends) for ends in zip(*edges))
    folder, other = tmp_path / "graph", tmp_path / "other"

    def saved(backend: Any) -> None:
        weight = [*edges.values()]
        for path in (folder, other):
            lg.Graph.from_edges(
                source, target, weight, n, directed, backend=backend
            ).save(path)  # fmt: skip
            weight[5] += 1

    def opened(backend: Any, verify: bool) -> None:
        G = lg.open(folder, verify=verify, backend=backend)
        assert (G.n, G.directed, G.weighted, G.nedges) == (n, directed, True, len(edges))
        assert entries(G.A) == edges | {(v, u): w for (u, v), w in edges.items() if not directed}

    on_ranks(2, saved)
    for size in (2, 3):
        for verify in (True, False):
            on_ranks(size, lambda backend, v=verify: opened(backend, v))
    with pytest.raises(TooLarge, match="cluster of two or more"), at_most("2 GiB"):
        lg.open(folder, backend=CPU)
    said = json.loads((folder / MANIFEST).read_text())
    wrong = json.loads((other / MANIFEST).read_text())
    kept = [dict(part) for part in said["parts"]]
    for name, message in (("rows", "increasing|expected"), ("values", "symmetric")):
        said["parts"] = [kept[0] | {name: wrong["parts"][0][name]}, kept[1]]
        if name == "rows":
            array = np.load(next(folder.glob(f"rows-{kept[0][name]['sha256'][:16]}.npy")))
            array[3] = array[2]
            said["parts"][0][name] = saved_folder.write_array(folder, name, array)
        else:
            for file in other.glob("values-*"):
                (folder / file.name).write_bytes(file.read_bytes())
        (folder / MANIFEST).write_text(json.dumps(said))
        for size in (2, 3) if name == "rows" or not directed else ():
            with pytest.raises(FormatError, match=message):
                on_ranks(size, lambda backend: lg.open(folder, backend=backend))


@far
@pytest.mark.parametrize("name, find, judge, shape", USUAL, ids=[c[0] for c in USUAL])
def test_what_has_a_value_at_each_vertex_says_so(
    n: int, name: str, find: Find, judge: Any, shape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If that does not fit: on all processes, before it begins. What follows the edges does not."""

    def work(backend: Any) -> None:
        with lg.backend(backend):
            G = lg.Graph.from_edges([0, 5, n // 2], [5, n - 1, 7], [3, 1, 4], n, name in WAYS)
            row = FIGURES.get(name)
            of_edges = row and (row.by_statements == 0 or row.of_ids_in_use is not None)
            if of_edges or name in {"path_to", *COMPONENTS}:
                find(G)
            else:
                with pytest.raises(TooLarge, match=asked):
                    find(G)

    monkeypatch.setattr(test_without_lowerings, "ends", lambda G: ([0, 5], [7, 5]))
    asked = rf"takes [\d,]{{11,}} bytes|expected a table|{n}"
    with at_most("2 GiB"):
        on_ranks(2, work)


@far
def test_what_is_asked_of_a_graph(n: int) -> None:
    """Facts, degrees, neighbours and changes, and other forms: none takes memory for all ids."""
    last = n - 1

    def work(backend: Any) -> None:
        G, H = (
            lg.Graph.from_edges(
                [0, 5, n // 2, 7], [5, last, 7, 7], [3, 1, 4, 2], n, directed, backend=backend
            )
            for directed in (True, False)
        )
        assert [H.degree(v) for v in (5, 7, last, 9)] == [2, 3, 1, 0]
        assert [G.degree(v) for v in (5, 7, last, 9)] == [2, 3, 1, 0]
        assert H.neighbors(5).to_dict() == {0: 3, last: 1} and G.has_edge(5, last)
        assert G.in_degree.to_dict() == {5: 1, 7: 2, last: 1}
        assert entries(G.reverse().A) == {(v, u): w for (u, v), w in entries(G.A).items()}
        if n == FAR:  # of fewer it is one of n offsets, which takes half a minute
            assert G.to_undirected().digest == H.digest != G.digest
        assert entries(G.add_edges([last], [0], [9]).A) == entries(G.A) | {(last, 0): 9}
        assert H.remove_edges([5], [last]).nedges == 3
        assert entries(H.union(H).A) == entries(H.A)
        assert G.add_edges([0], [n + 8], [1], n=n + 9).n == n + 9
        assert lg.Graph.from_edgelist(lg.io.EdgeList([0], [last], None, n, n)).n == n
        sparse = scipy.sparse.coo_array(([2, 3, 4], ([0, last, last], [last, 0, 0])), (n, n))
        assert entries(lg.Graph.from_scipy(sparse).A) == {(0, last): 2, (last, 0): 7}
        with pytest.raises(InvalidValue, match="symmetric"):
            lg.Graph.from_scipy(sparse, directed=False)
        part = H.subgraph([last, 5, 7])
        assert (part.n, part.ids.to_dense().tolist()) == (3, [last, 5, 7])
        assert entries(part.A) == {(0, 1): 1, (1, 0): 1, (2, 2): 2}
        assert G.to_pandas().target.tolist() == [5, last, 7, 7]
        needed = lg.memory_needed(lg.bfs, G, 0)
        assert needed.workspace + needed.result < 10_000 and needed.way == "process 0"
        for algorithm in (lg.pagerank, lg.connected_components, lg.spanning_forest):
            needed = lg.memory_needed(algorithm, G)
            assert needed.workspace + needed.result < 10_000 and needed.way == "process 0"
        assert lg.memory_needed(lg.katz_centrality, G).workspace < 10_000
        assert lg.memory_needed(lg.label_propagation, G).workspace > 40 * n
        assert f"{n:,} vertices" in repr(G) and "isolated" in G.info()
        assert lg.path_to(lg.bfs(H, 0)[1], last) == [0, 5, last]
        assert lg.path_to(lg.bfs(H, 0)[1], 7) is None
        assert lg.shortest_path_between(H, 0, last) == (4, [0, 5, last])
        said = "cluster of two or more|to_coo and to_dcsr"
        for other in ("cpu", CPU):
            with pytest.raises(TooLarge, match=said):
                G.to(other)
            if n == FAR:
                with pytest.raises(TooLarge, match=said):
                    G.to(other, root=1)
        degree = G.degree()
        assert [degree.get(v) for v in (5, 7, last, 9)] == [2, 3, 1, 0] and degree.nvals == n
        with pytest.raises(TooLarge, match="values at"):
            degree.to_coo()

    def within(backend: Any) -> None:
        with lg.backend(backend):
            work(backend)

    with at_most("2 GiB"):
        on_ranks(2, within)


@far
def test_an_edge_that_is_given_twice_is_named(n: int) -> None:
    def work(backend: Any) -> None:
        with pytest.raises(DuplicateEdges, match=f"5 → {n - 1} more"):
            lg.Graph.from_edges([5, 0, 5], [n - 1, 5, n - 1], n=n, backend=backend)

    on_ranks(2, work)


def test_paths_have_no_more_edges_than_there_are() -> None:
    """So rounds and sums of weights are bounded by entries, not by vertices."""

    def check(backend: Any) -> None:
        G = lg.Graph.from_edges([0, 5], [5, 2**60 - 1], [10, 9], backend=backend)
        for search in (lg.sssp, lg.bellman_ford):
            assert search(G, 0)[0].to_dict() == {0: 0, 5: 10, 2**60 - 1: 19}
        G = lg.Graph.from_edges([0, 5], [5, 0], [-2, 1], FAR, backend=backend)
        with pytest.raises(NegativeCycle):
            lg.bellman_ford(G, 0)
        start = lg.Vector.from_coo([0], [0], size=FAR, backend=backend)
        with pytest.raises(NoFixpoint, match="before round 3"):
            lg.closure(start, G.A, "min_plus")

    on_ranks(2, check)


@far
@pytest.mark.parametrize("kind", [np.int8, np.int64])
def test_sums_of_scipys_coordinates_are_refused(n: int, kind: type) -> None:
    """Where they do not fit, and shapes that are not square; else they are summed."""
    weight = np.full(2, np.iinfo(kind).max // 2 + 1, kind)

    def check(backend: Any) -> None:
        def made(values: np.ndarray, columns: int = n) -> lg.Graph:
            A = scipy.sparse.coo_array((values, ([0, 0], [n - 2] * 2)), (n, columns))
            return lg.Graph.from_scipy(A, backend=backend)

        with pytest.raises(InvalidValue, match="sums of edges given twice to fit"):
            made(weight)
        with pytest.raises(DimensionMismatch, match="square"):
            made(weight, n + 1)
        assert [part.tolist() for part in made(weight // 2).A.to_coo()] == [
            [0], [n - 2], [2 * (weight[0] // 2)]
        ]  # fmt: skip

    on_ranks(2, check)


@far
@pytest.mark.parametrize("form", ["npz", "parquet", "csv"])
def test_a_file_that_is_not_read_in_parts_has_far_ids(n: int, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"far.{form}"
    if form == "npz":
        scipy.sparse.save_npz(path, scipy.sparse.coo_array(([3, 7], ([0, 5], [n - 1, 6])), (n, n)))
    elif form == "parquet":
        pytest.importorskip("pyarrow")
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame({"source": [0, 5], "target": [n - 1, 6], "weight": [3, 7]}).to_parquet(
            path
        )
    else:
        path.write_text(f"from,to,cost\n0,{n - 1},3\n5,6,7\n")
    names = {"source": "from", "target": "to", "weight": "cost"} if form == "csv" else {}

    def check(backend: Any) -> None:
        rows, columns, values = lg.read(path, **names, backend=backend).A.to_coo()
        assert (rows.tolist(), columns.tolist()) == ([0, 5], [n - 1, 6])
        assert values.tolist() == [3, 7]

    on_ranks(2, check)
    with pytest.raises(LagraphError, match=r"2,?147,?483,?64[367]"), at_most("2 GiB"):
        lg.read(path, **names, backend=CPU)
