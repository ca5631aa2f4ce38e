"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "generate.counters", "generate.grids", "generate.kronecker_draw", "generate.kronecker_graph",
    "generate.random_graphs", "convert.edge_list", "io.dimacs", "io.formats", "io.movingai",
)  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"lagraph_gpu.{name}"))
    assert result.attempted > 0 and result.failed == 0
