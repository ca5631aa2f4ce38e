"""The same calls over rows with offsets of 32 bits and of 64, as of matrices of 2^31 entries.

The exercises in tests/simt run most kernels in both forms, and hold each against a known answer.
These calls are for the kernels that they run in one form only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_edges import Drawn
from semirings import BINARY, plus_times
from tests.harness import GPU, kernels_launched
from tests.operations.test_matrix_products import ways
from tests.simt.exercises import offsets_of_64_bits

DEVICE: Any = GPU.device
pytestmark = pytest.mark.skipif(not hasattr(DEVICE, "schedule"), reason="names of the emulator")

N = 24


def matrix(seed: int, dtype: str = "INT64") -> lg.Matrix:
    rng = np.random.default_rng(seed)
    i, j = np.divmod(rng.choice(N * N, 120, replace=False), N)
    return lg.Matrix.from_coo(i, j, rng.integers(1, 9, 120), dtype, nrows=N, ncols=N, backend=GPU)


def graph() -> lg.Graph:
    return lg.random_graph(60, 500, seed=2, directed=False, weights="integer", backend=GPU)


def kroneckers() -> list[Any]:
    made = []
    for weights, layout in (
        (None, None),
        ("integer", "degree"),
        ("uniform", "degree"),
        ("integer", "packed"),
    ):
        G = lg.kronecker(7, 32, weights=weights, layout=layout, backend=GPU)
        made += [*G.edges(), lg.bfs(G, 3)[0].to_dense(-1)]
    edges = Drawn(Draw(6), GPU)
    G = edges.graph("integer")
    assert edges.differences(G) == 0
    return [*made, *G.edges()]


def parts() -> list[Any]:
    A, B = matrix(1), matrix(2)
    some = A[:5, :5].new()
    return [*A.kronecker(some, BINARY["times"]).new().to_coo(), A.get(3, 4, -1), B.get(5, 6, -1)]


def rows_one_by_one() -> list[Any]:
    A, B, mask = matrix(1), matrix(2), matrix(3)
    made = []
    for few in ({"many": 10}, {"longest": (0, 0), "few": 0}):
        with ways(**few):
            made += plus_times(A @ B).new(mask=~mask.S).to_coo()
            made += plus_times(A @ B.T).new().to_coo()
    return made


def searches() -> list[Any]:
    G, L = graph(), lg.grid(12, 70, backend=GPU)
    segmented = lg.Schedule("edge", layout="segmented")
    aligned = lg.Schedule("pull", layout="aligned")
    levels = [
        lg.bfs(G, 3, schedule=segmented)[0],
        lg.bfs(G, 3, schedule=aligned)[0],
    ]
    return [*(v.to_dense(-1) for v in levels), *lg.bfs(L, sources=[0, 5, 700])[0].to_coo()]


CALLS: dict[str, tuple[Callable[[], list[Any]], set[str]]] = {
    "Kronecker graphs": (
        kroneckers,
        {"account", "first_columns", "place_columns", "place_weights", "weigh_packed"},
    ),
    "parts": (parts, {"kronecker", "find_entry"}),
    "products of matrices": (rows_one_by_one, {"row_columns", "flip_excluded"}),
    "searches": (searches, {"groups_of_edges", "interleave", "row_offsets", "slice_sizes"}),
}


@contextmanager
def launched() -> Iterator[list[str]]:
    """The names of the kernels that are launched in the block."""
    with pytest.MonkeyPatch.context() as patch:
        yield kernels_launched(patch)


def base(name: str) -> str:
    return name.partition("<")[0]


@pytest.mark.parametrize("name", CALLS)
def test_offsets_of_both_forms(name: str) -> None:
    call, meant = CALLS[name]
    with launched() as narrow:
        wanted = call()
    with offsets_of_64_bits(), launched() as wide:
        found = call()
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    of_64_bits = {base(one) for one in set(wide) - set(narrow) if re.search(r"\blong long\b", one)}
    assert meant <= of_64_bits, meant - of_64_bits
