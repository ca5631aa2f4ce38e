"""The one place where a direction is chosen.

Pure functions from plain facts: nothing here touches data, so that a table can test every choice.

A push reads the edges that leave the frontier. A pull reads, for each row that the mask wants, its
in-edges, and stops at the first that settles the row if the monoid allows (Beamer, Asanović,
Patterson: Direction-optimizing breadth-first search, SC 2012). So a pull costs at most all edges;
with early exit it costs far fewer, once most neighbours are in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.schedule import Schedule

ALPHA_EXIT = 14
"""With early exit: pull once the frontier's edges exceed 1/14 of all (Beamer's α)."""

ALPHA_FULL = 2
"""Without early exit: a pull reads everything, but without atomics and in order."""

SHORT_ROW = 32
"""No row longer than this: a thread each, for there is nothing to balance."""

FEW_EDGES = 8192
"""So few edges are done before a running sum of degrees would be."""

WIDE_ROW = 8
"""Mean degree from which a warp for each row keeps its lanes busy."""


@dataclass(frozen=True)
class Facts:
    """What a plan depends on: the frontier's entries and out-edges, the matrix, the algebra."""

    frontier: int
    frontier_edges: int
    nrows: int
    nedges: int
    early_exit: bool
    max_degree: int | None = None
    """The frontier's longest row at most; None where nobody has counted."""


@dataclass(frozen=True)
class Plan:
    """One product: the direction, and who walks a row."""

    direction: str
    balance: str


def choose(facts: Facts, schedule: Schedule | None = None) -> Plan:
    """The plan for one product; what ``schedule`` fixes is kept."""
    schedule = schedule or Schedule()
    fixed = schedule.direction in ("push", "pull")
    direction = schedule.direction if fixed else _direction(facts)
    assert direction is not None
    return Plan(direction, schedule.balance or _balance(facts, direction))


def _direction(facts: Facts) -> str:
    alpha = ALPHA_EXIT if facts.early_exit else ALPHA_FULL
    return "pull" if facts.frontier_edges * alpha > facts.nedges else "push"


def _balance(facts: Facts, direction: str) -> str:
    if direction == "push":
        if facts.max_degree is not None and facts.max_degree <= SHORT_ROW:
            return "thread"
        return "warp" if facts.frontier_edges <= FEW_EDGES else "search"
    wide = facts.nedges >= WIDE_ROW * facts.nrows
    return "warp" if wide and not facts.early_exit else "thread"
