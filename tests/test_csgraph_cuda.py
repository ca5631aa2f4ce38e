"""csgraph with matrices of cupyx and arrays of CuPy.

LAGRAPH_TEST_DEVICE=cuda python -m pytest -n0 tests/test_csgraph_cuda.py
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs

import lagraph_gpu as lg
import lagraph_gpu.csgraph as ours
from lagraph_gpu.csgraph import search

pytestmark = pytest.mark.skipif(
    os.environ.get("LAGRAPH_TEST_DEVICE") != "cuda",
    reason="it needs a GPU; set LAGRAPH_TEST_DEVICE=cuda where there is one",
)

HOST: Any = sp.random_array((500, 500), density=0.01, format="csr", rng=1)
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("dijkstra", (True, [0, 7])),
    ("dijkstra", (False, [[0, 7]], True)),
    ("dijkstra", (True, [0, 7], False, True, 3, True)),
    ("bellman_ford", (False, 3)),
    ("johnson", ()),
    ("floyd_warshall", ()),
    ("breadth_first_order", (4, False)),
    ("breadth_first_tree", (4,)),
    ("connected_components", ()),
    ("minimum_spanning_tree", ()),
    ("csgraph_to_dense", ()),
]


def fetched(answer: Any, cupy: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(fetched(part, cupy) for part in answer)
    if isinstance(answer, (int, np.integer)):
        return answer
    assert isinstance(answer, cupy.ndarray) or type(answer).__module__.startswith("cupyx")
    return answer.get()


@pytest.mark.parametrize(("name", "arguments"), CALLS)
@pytest.mark.parametrize("room", [2**22, 10_000])
@pytest.mark.parametrize("backend", ["gpu", "cpu"])
def test_cupyx(
    name: str, arguments: Any, room: int, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cupy, cupyx = pytest.importorskip("cupy"), pytest.importorskip("cupyx.scipy.sparse")
    monkeypatch.setattr(search, "MOST_ENTRIES", room)  # one block of sources, or several
    their = getattr(theirs, name)(sp.csr_matrix(HOST), *arguments)
    with lg.backend(backend):
        mine = fetched(getattr(ours, name)(cupyx.csr_matrix(HOST), *arguments), cupy)
        dense = fetched(ours.dijkstra(cupy.asarray(HOST.toarray()), indices=0), cupy)
    np.testing.assert_array_equal(dense, theirs.dijkstra(HOST, indices=0))
    for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (mine, their))):
        one, other = (x.toarray() if sp.issparse(x) else x for x in (one, other))
        if name == "dijkstra" and np.asarray(one).dtype == np.int32:
            assert one.shape == other.shape  # other predecessors may be right too
        else:  # Floyd and Warshall add the edges of a path in another order than a search does
            close = 1e-14 if name == "floyd_warshall" else 0
            np.testing.assert_allclose(one, other, rtol=close, atol=0)
