"""Strongly connected components on the CPU by one depth-first search, O(n + m)
(``native/strong_components.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT64

strong_components = Loop("strong_components")


def strong_component_labels(G: Graph) -> Vector:
    """Lowers ``strong_component_labels`` by one depth-first search, O(n + m)."""
    label = np.empty(G.A.nrows, INT64)
    rows = pattern(G.A._store)
    work = rows.begins.size + rows.columns.size
    watched(strong_components, rows, label, work=work, total=label.size)
    return vector_of(G, label)
