"""Graph500's five rules accept what is right, on both backends, and refuse what breaks one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.verify import Rules, verify_bfs, verify_sssp
from tests.harness import BOTH, GPU

Entries = dict[int, Any]

# 0 - 1 - 2 - 3 with a long way round 0 - 4 - 3, a loop at 0, and 5 - 6 apart
EDGES = [0, 1, 2, 0, 4, 0, 5], [1, 2, 3, 4, 3, 0, 6], [1.0, 1.0, 1.0, 2.0, 2.0, 0.5, 1.0]
LEVEL = {0: 0, 1: 1, 2: 2, 3: 2, 4: 1}
PARENT = {0: 0, 1: 0, 2: 1, 3: 4, 4: 0}
DISTANCE = {0: 0.0, 1: 1.0, 2: 2.0, 3: 3.0, 4: 2.0}
NEAREST = {0: 0, 1: 0, 2: 1, 3: 2, 4: 0}


def graph(backend: Any) -> lg.Graph:
    src, dst, weight = EDGES
    return lg.Graph.from_edges(
        src, dst, np.float32(weight), n=7, directed=False, backend=backend
    )  # fmt: skip


def vector(entries: Entries, dtype: str, backend: Any) -> lg.Vector:
    at, held = list(entries), list(entries.values())
    order = np.argsort(at)
    return lg.Vector.from_coo(
        np.array(at)[order], np.array(held)[order], dtype, size=7, backend=backend
    )


def without(entries: Entries, *gone: int) -> Entries:
    return {v: x for v, x in entries.items() if v not in gone}


def test_right_results_pass(backend: Any) -> None:
    check = Rules(graph(backend))
    check.bfs(0, vector(LEVEL, "INT32", backend), vector(PARENT, "INT64", backend))
    check.sssp(0, vector(DISTANCE, "FP32", backend), vector(NEAREST, "INT64", backend))


@pytest.mark.parametrize(
    ("rule", "level", "parent"),
    [
        (0, LEVEL | {0: 1}, PARENT),
        (0, LEVEL, PARENT | {0: 1}),
        (0, without(LEVEL, 0), without(PARENT, 0)),
        (1, without(LEVEL, 2), PARENT),
        (1, LEVEL, without(PARENT, 2)),
        (1, without(LEVEL, 2), without(PARENT, 3)),
        (1, LEVEL, PARENT | {2: 7}),
        (1, LEVEL, PARENT | {2: -1}),
        (1, LEVEL, PARENT | {2: 5}),  # not reached
        (1, LEVEL | {5: 1}, PARENT | {5: 5}),  # hangs on itself
        (1, LEVEL | {5: 1, 6: 2}, PARENT | {5: 6, 6: 5}),  # on each other
        (1, LEVEL, PARENT | {2: 3, 3: 2}),
        (2, LEVEL, PARENT | {2: 0}),  # an ancestor two levels up
        (2, LEVEL, PARENT | {2: 3}),  # on the same level
        (2, LEVEL | {4: 0}, PARENT),
        (2, LEVEL | {2: 2**31 - 1}, PARENT),
        (3, LEVEL | {3: 3}, PARENT | {3: 2}),  # deeper than the edge 4 - 3 allows
        (4, without(LEVEL, 3), without(PARENT, 3)),  # a neighbour left out
        (4, {0: 0}, {0: 0}),
        (5, LEVEL, PARENT | {2: 4}),  # right depth, no such edge
        (5, LEVEL | {5: 1, 6: 2}, PARENT | {5: 0, 6: 5}),  # another component
    ],
)
def test_a_mangled_search_breaks_one_rule(
    rule: int, level: Entries, parent: Entries, backend: Any
) -> None:
    with pytest.raises(VerificationError, match=rf"bfs from 0, rule {rule} \("):
        Rules(graph(backend)).bfs(
            0, vector(level, "INT32", backend), vector(parent, "INT64", backend)
        )


@pytest.mark.parametrize(
    ("rule", "distance", "parent"),
    [
        (0, DISTANCE | {0: 1}, NEAREST),
        (0, DISTANCE, NEAREST | {0: 4}),
        (1, without(DISTANCE, 2), NEAREST),
        (1, DISTANCE, NEAREST | {2: 3, 3: 2}),
        (1, DISTANCE, NEAREST | {2: 9}),
        (2, DISTANCE, NEAREST | {3: 4}),  # an edge, but 2 + 2 is not 3
        (2, DISTANCE | {4: 1}, NEAREST),  # too short
        (2, DISTANCE | {3: np.nan}, NEAREST),
        (2, DISTANCE | {3: np.nextafter(np.float32(3), np.float32(4))}, NEAREST),
        (3, DISTANCE | {3: 4}, NEAREST | {3: 4}),  # the long way round
        (4, without(DISTANCE, 3), without(NEAREST, 3)),
        (5, DISTANCE, NEAREST | {3: 1}),  # no such edge
        (5, DISTANCE | {6: 3}, NEAREST | {6: 3}),  # out of reach
    ],
)
def test_mangled_paths_break_one_rule(
    rule: int, distance: Entries, parent: Entries, backend: Any
) -> None:
    with pytest.raises(VerificationError, match=rf"sssp from 0, rule {rule} \("):
        Rules(graph(backend)).sssp(
            0, vector(distance, "FP32", backend), vector(parent, "INT64", backend)
        )


def test_a_cycle_at_one_distance_is_no_tree(backend: Any) -> None:
    """Weights of 0 make 1 and 2 each other's parents at the right distance."""
    G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 5, 0], directed=False, backend=backend)
    distance = lg.Vector.from_dense([0, 5, 5], backend=backend)
    Rules(G).sssp(0, distance, lg.Vector.from_dense([0, 0, 1], backend=backend))
    with pytest.raises(VerificationError, match="rule 1"):
        Rules(G).sssp(0, distance, lg.Vector.from_dense([0, 2, 1], backend=backend))


def test_integers_do_not_wrap(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], np.int8([100, 27]), directed=False, backend=backend)
    Rules(G).sssp(0, *lg.sssp(G, 0))


def test_sizes_and_types(backend: Any) -> None:
    check = Rules(graph(backend))
    level, parent = (
        vector(LEVEL, "INT32", backend),
        vector(PARENT, "INT64", backend),
    )
    with pytest.raises(VerificationError, match="expected 7 positions, got 8"):
        check.bfs(0, lg.Vector("INT32", 8, backend=backend), parent)
    with pytest.raises(VerificationError, match="parents as integers"):
        check.bfs(0, level, parent.dup("FP64"))


@given(st.data(), st.integers(2, 9), st.booleans())
def test_they_agree_with_the_verifier(data: st.DataObject, n: int, directed: bool) -> None:
    """Change one value of a right answer anyhow: both judges say the same of it."""
    m = data.draw(st.integers(1, 2 * n))
    ids = st.lists(st.integers(0, n - 1), min_size=m, max_size=m)
    src, dst = data.draw(ids), data.draw(ids)
    weight = data.draw(st.lists(st.integers(0, 3), min_size=m, max_size=m))
    search = data.draw(st.sampled_from(["bfs", "sssp"]))
    where, what = data.draw(st.integers(0, n - 1)), data.draw(st.integers(-1, n))
    change = data.draw(st.sampled_from(["value", "parent", "nothing", "both"]))
    for backend in BOTH:
        G = lg.Graph.from_edges(
            src, dst, np.float32(weight), n=n, directed=directed, dup="min", backend=backend
        )
        far, parent = getattr(lg, search)(G, src[0])
        if change in ("value", "both"):
            far[where] = what
        if change in ("parent", "both"):
            parent[where] = what
        host = said(verify_bfs if search == "bfs" else verify_sssp, G, src[0], far, parent)
        ours = said(getattr(Rules(G), search), src[0], far, parent)
        assert host == ours, (search, far.to_dict(), parent.to_dict())


def said(judge: Any, *arguments: Any) -> bool:
    try:
        judge(*arguments)
    except VerificationError:
        return False
    return True


def test_only_counts_come_to_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.kronecker(6, weights="uniform", backend=GPU)
    searches = lg.bfs(G, 1), lg.sssp(G, 1)
    moved: list[int] = []
    download = GPU.device.download
    monkeypatch.setattr(GPU.device, "download", lambda a: moved.append(a.nbytes) or download(a))
    Rules(G).bfs(1, *searches[0])
    Rules(G).sssp(1, *searches[1])
    assert len(moved) > 10 and max(moved) <= 16
