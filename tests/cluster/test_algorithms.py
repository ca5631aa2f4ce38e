"""Every algorithm on 2 to 4 processes: its statements, unchanged, and the same answer on each."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.strategies import any_graph, examples
from tests.test_without_lowerings import CASES, Find, Judge, answer, exactly, plain

SLOW = {"louvain", "hits", "eigenvector_centrality"}
"""Hundreds of statements or more until they converge: on graphs of few vertices."""
few = any_graph().filter(lambda example: example.n <= 6)


@pytest.mark.parametrize("name, find, judge, shape", CASES, ids=[name for name, *_ in CASES])
@examples(3)
@given(data=st.data(), size=st.sampled_from([2, 3, 4]))
def test_every_algorithm(
    name: str, find: Find, judge: Judge | None, shape: Any, data: Any, size: int
) -> None:
    example = shape(data.draw(few if name in SLOW else any_graph()))
    if example.n == 0:
        return
    right = answer(find, example.graph(CPU))
    on_ranks(size, lambda backend: same(find, judge, example, right, backend))


def same(find: Find, judge: Judge | None, example: Any, right: Any, backend: Any) -> None:
    """Find what the CPU backend found, or what the judge accepts."""
    with lg.backend(backend):
        G = example.graph(backend)
        found = answer(find, G)
        if judge is None or isinstance(right, str) or isinstance(found, str):
            assert exactly(found) == plain(right)
        else:
            judge(G, found)
