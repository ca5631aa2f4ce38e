"""Searches in part: distances without a tree, levels or parents alone; and who judges them.

A part is judged by Graph500's five rules together with the other half of a search, which the same
library finds in a call of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.verify import Rules
from semirings import any_pair, any_secondi, min_plus


class Found(NamedTuple):
    root: int
    result: lg.Vector


def distances(G: lg.Graph, root: int, schedule: lg.Schedule | None = None) -> lg.Vector:
    return lg.closure(G.point(root, 0, path_type(G)), G.A, min_plus, schedule=schedule)


def judge_distances(rules: Rules, found: Found) -> None:
    distance, parent = lg.sssp(rules.G, found.root)
    rules.sssp(found.root, distance, parent)
    if not found.result.isequal(distance):
        raise VerificationError(f"other distances from {found.root} than those of a tree")


def levels(G: lg.Graph, root: int, schedule: lg.Schedule | None = None) -> lg.Vector:
    return closure_with_rounds(G.point(root, True, "BOOL"), G.A, any_pair, None, schedule)[1]


def judge_levels(rules: Rules, found: Found) -> None:
    rules.bfs(found.root, found.result, lg.bfs(rules.G, found.root)[1])


def parents(G: lg.Graph, root: int, schedule: lg.Schedule | None = None) -> lg.Vector:
    return lg.closure(G.point(root, root), G.A, any_secondi, schedule=schedule)


def judge_parents(rules: Rules, found: Found) -> None:
    rules.bfs(found.root, lg.bfs(rules.G, found.root)[0], found.result)
