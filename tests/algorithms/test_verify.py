"""The verifiers accept what is right and refuse every result that violates one property."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import IndexOutOfBound, VerificationError
from lagraph_gpu.verify import Verifier, verify_bfs, verify_sssp
from lagraph_gpu.verify import traversal as verify

Entries = dict[int, Any]


def vector(entries: Entries, n: int, dtype: str = "INT64") -> lg.Vector:
    return lg.Vector.from_coo(
        list(entries), list(entries.values()), dtype, size=n, backend="cpu"
    )  # fmt: skip


def entries(v: lg.Vector) -> Entries:
    index, value = v.to_coo()
    return dict(zip(index.tolist(), value.tolist()))


# 0 → 1 → 2 → 3 with a long way round 0 → 4 → 3, a loop at 2, an edge back 3 → 1, and 5 → 6 apart
DIAMOND = lg.Graph.from_edges(
    [0, 1, 2, 0, 4, 2, 3, 5], [1, 2, 3, 4, 3, 2, 1, 6], [1, 1, 1, 2, 2, 0, 0, 1], backend="cpu"
)
LEVEL = {0: 0, 1: 1, 2: 2, 3: 2, 4: 1}
PARENT = {0: 0, 1: 0, 2: 1, 3: 4, 4: 0}
DISTANCE = {0: 0, 1: 1, 2: 2, 3: 3, 4: 2}
NEAREST = {0: 0, 1: 0, 2: 1, 3: 2, 4: 0}


def without(entries: Entries, *gone: int) -> Entries:
    return {v: x for v, x in entries.items() if v not in gone}


def test_right_results_pass() -> None:
    verify_bfs(DIAMOND, 0, vector(LEVEL, 7, "INT32"), vector(PARENT, 7))
    verify_sssp(DIAMOND, 0, vector(DISTANCE, 7), vector(NEAREST, 7))


@pytest.mark.parametrize(
    ("name", "level", "parent"),
    [
        ("source", LEVEL | {0: 1}, PARENT),
        ("source", LEVEL, PARENT | {0: 1}),
        ("source", without(LEVEL, 0), without(PARENT, 0)),
        ("entries", without(LEVEL, 2), PARENT),
        ("entries", LEVEL, without(PARENT, 2)),
        ("parent", LEVEL, PARENT | {2: 7}),
        ("parent", LEVEL, PARENT | {2: -1}),
        ("range", LEVEL | {2: -1}, PARENT),
        ("range", LEVEL | {2: 7}, PARENT),
        ("depth", LEVEL, PARENT | {2: 0}),  # an ancestor two levels up
        ("depth", LEVEL, PARENT | {2: 3}),  # on the same level
        ("depth", LEVEL, PARENT | {2: 5}),  # a vertex not reached
        ("depth", LEVEL | {4: 0}, PARENT),  # a second source
        ("depth", LEVEL | {5: 1}, PARENT | {5: 5}),  # hangs on itself
        ("tree edge", LEVEL, PARENT | {2: 4}),  # right depth, no such edge
        ("tree edge", LEVEL | {6: 1}, PARENT | {6: 0}),  # out of reach
        ("span", LEVEL | {3: 3}, PARENT | {3: 2}),  # deeper than the edge 4 → 3 allows
        ("span", without(LEVEL, 3), without(PARENT, 3)),  # an out-neighbour left out
    ],
)
def test_a_mangled_search_is_refused(name: str, level: Entries, parent: Entries) -> None:
    with pytest.raises(VerificationError, match=f"bfs from 0, {name}: expected"):
        verify_bfs(DIAMOND, 0, vector(level, 7, "INT32"), vector(parent, 7))


@pytest.mark.parametrize(
    ("name", "distance", "parent"),
    [
        ("source", DISTANCE | {0: 1}, NEAREST),
        ("source", DISTANCE, NEAREST | {0: 3}),
        ("source", without(DISTANCE, 0), without(NEAREST, 0)),
        ("entries", without(DISTANCE, 2), NEAREST),
        ("entries", DISTANCE, without(NEAREST, 2)),
        ("parent", DISTANCE, NEAREST | {2: 7}),
        ("parent", DISTANCE, NEAREST | {2: 6}),  # not reached itself
        ("chain", DISTANCE, NEAREST | {2: 2}),  # the loop of weight 0 is tight, and a cycle
        ("chain", {**DISTANCE, 1: 3, 2: 3}, NEAREST | {1: 3, 2: 2, 3: 1}),
        ("tight", DISTANCE, NEAREST | {3: 4}),  # an edge, but 2 + 2 is not 3
        ("tight", DISTANCE | {4: 1}, NEAREST),  # too short
        ("tree edge", DISTANCE, NEAREST | {3: 1}),  # no such edge
        ("tree edge", DISTANCE | {6: 3}, NEAREST | {6: 3}),  # out of reach
        ("improvement", DISTANCE | {3: 4}, NEAREST | {3: 4}),  # the long way round
        ("improvement", without(DISTANCE, 3), without(NEAREST, 3)),  # left out
    ],
)
def test_mangled_paths_are_refused(name: str, distance: Entries, parent: Entries) -> None:
    with pytest.raises(VerificationError, match=f"sssp from 0, {name}: expected"):
        verify_sssp(DIAMOND, 0, vector(distance, 7), vector(parent, 7))


def test_the_message_names_the_place_and_the_values() -> None:
    wrong = vector(DISTANCE | {3: 4}, 7), vector(NEAREST | {3: 4}, 7)
    message = r"2 → 3 of weight 1 offers 2 \+ 1 = 3; got distance 4"
    with pytest.raises(VerificationError, match=message):
        verify_sssp(DIAMOND, 0, *wrong)


def test_sizes_types_and_sources() -> None:
    with pytest.raises(VerificationError, match="size: expected 7 positions, got 8"):
        verify_bfs(DIAMOND, 0, vector(LEVEL, 8), vector(PARENT, 7))
    with pytest.raises(VerificationError, match="parents as integers"):
        verify_bfs(DIAMOND, 0, vector(LEVEL, 7), vector(PARENT, 7, "FP64"))
    with pytest.raises(IndexOutOfBound, match="n = 7"):
        verify_bfs(DIAMOND, 7, vector(LEVEL, 7), vector(PARENT, 7))


def test_max_level() -> None:
    level, parent = lg.bfs(DIAMOND, 0, max_level=1)
    verify_bfs(DIAMOND, 0, level, parent, max_level=1)
    with pytest.raises(VerificationError, match=r"span: .* not reached"):
        verify_bfs(DIAMOND, 0, level, parent)
    with pytest.raises(VerificationError, match=r"range: .* from 0 to 1, got 2"):
        verify_bfs(DIAMOND, 0, *lg.bfs(DIAMOND, 0), max_level=1)
    with pytest.raises(VerificationError, match="span"):
        verify_bfs(
            DIAMOND, 0, vector(without(LEVEL, 2, 3, 4), 7), vector(without(PARENT, 2, 3, 4), 7), 1
        )


def test_cutoff() -> None:
    near = lg.sssp(DIAMOND, 0, cutoff=2)
    verify_sssp(DIAMOND, 0, *near, cutoff=2)
    with pytest.raises(VerificationError, match=r"improvement: .* 3 not reached"):
        verify_sssp(DIAMOND, 0, *near)
    with pytest.raises(VerificationError, match=r"cutoff: .* vertex 3 within 2, got 3"):
        verify_sssp(DIAMOND, 0, *lg.sssp(DIAMOND, 0), cutoff=2)
    with pytest.raises(VerificationError, match=r"improvement: .* 2 not reached"):
        short = without(DISTANCE, 2, 3), without(NEAREST, 2, 3)
        verify_sssp(DIAMOND, 0, vector(short[0], 7), vector(short[1], 7), cutoff=2)


def test_nan_is_no_distance() -> None:
    distance = {v: float(x) for v, x in DISTANCE.items()}
    with pytest.raises(VerificationError, match=r"number: .* vertex 3"):
        verify_sssp(DIAMOND, 0, vector(distance | {3: np.nan}, 7, "FP64"), vector(NEAREST, 7))


def test_floating_sums_are_rounded_once() -> None:
    """0.1 + 0.2 in float32 is what counts, not the nearest float32 to 0.3 of the reals."""
    for dtype in (np.float32, np.float64):
        G = lg.Graph.from_edges([0, 1], [1, 2], np.array([0.1, 0.2], dtype), backend="cpu")
        distance, parent = lg.sssp(G, 0)
        verify_sssp(G, 0, distance, parent)
        far = entries(distance)
        far[2] = float(np.nextafter(dtype(far[2]), dtype(1)))
        with pytest.raises(VerificationError, match=r"improvement|tight"):
            verify_sssp(G, 0, vector(far, 3, lg.Vector.from_dense([dtype(0)]).dtype), parent)


def test_integers_near_their_limit_are_added_exactly() -> None:
    top = 2**63 - 1
    G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [top - 1, 1, top], backend="cpu")
    verify_sssp(G, 0, vector({0: 0, 1: top - 1, 2: top}, 3), vector({0: 0, 1: 0, 2: 1}, 3))
    G = lg.Graph.from_edges([0, 1], [1, 0], [top, top], backend="cpu")
    verify_sssp(G, 0, vector({0: 0, 1: top}, 2), vector({0: 0, 1: 0}, 2))
    with pytest.raises(VerificationError, match="tight"):
        verify_sssp(G, 0, vector({0: 0, 1: top - 1}, 2), vector({0: 0, 1: 0}, 2))


def test_negative_weights() -> None:
    G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, -5], backend="cpu")
    verify_sssp(G, 0, *lg.bellman_ford(G, 0))


@st.composite
def graphs(draw: Callable[..., Any]) -> lg.Graph:
    n = draw(st.integers(1, 12))
    directed = draw(st.booleans())
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=30, unique=True))
    dtype = draw(st.sampled_from(["INT8", "UINT8", "INT64", "UINT64", "FP32", "FP64", "BOOL"]))
    weight = draw(st.lists(st.integers(0, 9), min_size=len(edges), max_size=len(edges)))
    src, dst = np.array(edges, np.int64).reshape(-1, 2).T
    values = lg.Vector.from_dense(weight or [0], dtype=dtype, backend="cpu").to_coo()[1]
    if dtype.startswith("FP"):
        values = values / values.dtype.type(7)
    return lg.Graph.from_edges(src, dst, values[: src.size], n, directed, "min", backend="cpu")


@given(G=graphs(), pick=st.integers(0, 10**6), bound=st.none() | st.integers(0, 4))
def test_what_the_algorithms_find_passes(G: lg.Graph, pick: int, bound: int | None) -> None:
    source, check = pick % G.n, Verifier(G)
    check.bfs(source, *lg.bfs(G, source, bound), bound)
    check.sssp(source, *lg.sssp(G, source, bound), bound)


@given(G=graphs(), pick=st.integers(0, 10**6), data=st.data())
def test_no_other_levels_or_distances_pass(G: lg.Graph, pick: int, data: st.DataObject) -> None:
    """Change a level or a distance in any way at all: with the old tree or without, it is wrong."""
    source, check = pick % G.n, Verifier(G)
    for name, verify_it, result in (
        ("INT32", check.bfs, lg.bfs(G, source)),
        (lg.sssp(G, source)[0].dtype, check.sssp, lg.sssp(G, source)),
    ):
        right, parent = entries(result[0]), entries(result[1])
        vertex = data.draw(st.integers(0, G.n - 1))
        value = data.draw(st.none() | st.integers(0, 20))
        if value is None or right.get(vertex) == value:
            wrong, above = without(right, vertex), without(parent, vertex)
        else:
            hangs = data.draw(st.integers(0, G.n - 1))
            wrong, above = right | {vertex: value}, parent | {vertex: hangs}
        if wrong != right:
            with pytest.raises(VerificationError):
                verify_it(source, vector(wrong, G.n, name), vector(above, G.n))


def test_many_chunks_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    src, dst = rng.integers(0, 300, (2, 2000))
    weight = rng.integers(1, 50, 2000)
    for chunk in (1, 7, 100, 10**6):
        monkeypatch.setattr(verify, "CHUNK", chunk)
        for directed in (True, False):
            G = lg.Graph.from_edges(src, dst, weight, 300, directed, "min", backend="cpu")
            check = Verifier(G)
            for source in (0, 17):
                level, parent = lg.bfs(G, source)
                check.bfs(source, level, parent)
                check.sssp(source, *lg.sssp(G, source))
                level[299] = 1 if level[299].get() != 1 else 2
                with pytest.raises(VerificationError):
                    check.bfs(source, level, parent)


def test_edges_of_a_component() -> None:
    edges = [0, 1, 1, 3], [1, 2, 1, 4]  # a path with a loop in its middle, and an edge apart
    G = lg.Graph.from_edges(*edges, n=6, directed=False, backend="cpu")
    check = Verifier(G)
    assert [check.component_edges(lg.bfs(G, v)[0]) for v in (0, 3, 5)] == [3, 1, 0]
    check = Verifier(lg.Graph.from_edges(*edges, n=6, backend="cpu"))
    assert check.component_edges(lg.bfs(lg.Graph.from_edges(*edges, n=6, backend="cpu"), 1)[0]) == 2
