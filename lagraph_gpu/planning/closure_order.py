"""The order of a closure: by rounds, or by value in steps of a width.

A closure whose values only grow along a path can settle its vertices in the order of their values,
in steps (delta-stepping). On a deep graph, such as a road network, its steps are many and short,
and each block has a queue of its own. Where steps fan out, the vertices of high degree are settled
first. Records: docs/decisions/deep-graphs.md, docs/decisions/hub-first.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lagraph_gpu.planning.direction import ASKED, FREE
from lagraph_gpu.schedule import Schedule

LONGEST_HUB, HUB_SHARE = 1 << 17, 10
"""A deep graph may have longer rows than `DEEP_MAX`, up to this length and this part of its edges
(one in …): a search with a queue for each block takes `LONG_EDGE_US` for an edge of such a row, if
it meets one."""

TRIED_ROUNDS, EVEN_ROUNDS, ROUND_US = 64, 32, 6.7
"""The least number of rounds after which a search shows that a graph with long rows is deep; the
number where no row is long, so that pulls save little; and the microseconds of a round of a few
vertices."""

LONG_EDGE_US, DEEP_EDGE_US = 0.01, 0.00015
"""The microseconds that an edge of the longest row, and any edge, takes where each block has a
queue of its own (decision 0279, docs/decisions/deep-graphs.md)."""

DEEP_DEGREE, DEEP_MAX = 8, 64
"""The largest mean degree and the largest degree of a graph that counts as deep, such as a road
network."""

DEEP_LEVELS, DEEP_ENTRIES = 64, 1 << 15
"""After so many levels a closure over distributed rows is looked at: it is deep if they have had
fewer entries than the second number on average."""

WIDTH, ASYNC_WIDTH = 1, 48
"""The width of a step by delta, in units of mean weight over mean degree: the first where all
threads share each step, the second where each block has a queue of its own
(decision 0042, docs/decisions/deep-graphs.md). Relative time of kron22 with 1, 2 and 4: 1.0, 1.25
and 1.44."""

EVEN_LEAST, EVEN_SHARE, ROAD_WIDTH = 40, 32, 24
"""The width of a step in edges where each block has a queue of its own and all edges are equally
long: at least the first number, else √n over the second; on road networks the third (decisions
0042 and 0260, docs/decisions/deep-graphs.md)."""

PLATEAUS = 16
"""The width is the mean weight over this number if each block has a queue of its own and ⊗ returns
one of its operands, as in max_min: values do not add up along a path, and large regions share one.
"""

BOUNDED, COUNTED = "the rounds are bounded", "the rounds are asked for"
SHOWN_DEEP = "mean degree {mean_degree}, and a search took very many rounds: deep"
NOT_DEEP = "mean degree {mean_degree}, longest row {max_degree}: not deep"
DEEP = "mean degree {mean_degree}, no row longer than {max_degree}, few edges in long ones: deep"


def fans_out(nrows: int, nedges: int, wide: float = DEEP_DEGREE) -> bool:
    """Whether a search probably takes few rounds.

    A closure by value then goes hub-first, if weights allow it: it settles the vertices of high
    degree first, and the others are pulled.

    Parameters
    ----------
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    wide : float, optional
        The largest mean degree of a graph whose searches may take many rounds.

    Returns
    -------
    bool
        True if it probably does.
    """
    return nedges > wide * nrows


@dataclass(frozen=True)
class OrderFacts:
    """What the order of a closure depends on: the algebra, what is asked for, and the matrix.

    Parameters
    ----------
    ordered : bool
        True if ⊕ is a minimum or maximum and ⊗ never improves; for `any`, if ⊗ does not read the
        vector.
    first_wins : bool
        True if ⊕ is `any`.
    reads_weights : bool
        True if ⊗ reads the matrix.
    counted : bool
        True if the rounds themselves are asked for, or for `any` a trace of them.
    bounded : bool
        True if the number of rounds is bounded.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    max_degree : int or None
        An upper bound on the length of a row; None if it has not been counted.
    long_edges : int, optional
        An upper bound on the edges in rows longer than `DEEP_MAX`. None if it has not been counted.
    shown_deep : bool or None, optional
        What searches have shown (`Depth.deep`): True if one has taken more than `tried_rounds`,
        False if they do not; None if that is not known.
    """

    ordered: bool
    first_wins: bool
    reads_weights: bool
    counted: bool
    bounded: bool
    nrows: int
    nedges: int
    max_degree: int | None
    long_edges: int | None = None
    shown_deep: bool | None = None

    @property
    def mean_degree(self) -> float:
        return self.nedges / max(1, self.nrows)

    @property
    def may_have_hubs(self) -> bool:
        """True if it depends on the number of edges in long rows whether the graph is deep."""
        few = not fans_out(self.nrows, self.nedges)
        return few and self.max_degree is not None and DEEP_MAX < self.max_degree <= LONGEST_HUB

    @property
    def tried_rounds(self) -> int | None:
        """A search that needs more rounds shows that the graph is deep. Where some rows are long,
        so many rounds take as long as the whole search would take with a queue for each block. None
        if it is known whether the graph is deep."""
        longest = self.max_degree
        if longest is None or self.shown_deep is not None or is_deep(self):
            return None
        return EVEN_ROUNDS if longest <= DEEP_MAX else worth_rounds(longest, self.nedges)


def worth_rounds(longest: int, nedges: int) -> int:
    """How many rounds of a few vertices take as long as a whole search with a queue for each block.

    Parameters
    ----------
    longest, nedges : int
        The number of edges of the longest row and of the graph.

    Returns
    -------
    int
        The number of rounds, at least `TRIED_ROUNDS`.
    """
    in_queues = LONG_EDGE_US * longest + DEEP_EDGE_US * nedges
    return max(TRIED_ROUNDS, int(in_queues / ROUND_US))


def choose_order(facts: OrderFacts, schedule: Schedule | None = None) -> tuple[str, str]:
    """The order of a closure, and the reason.

    Parameters
    ----------
    facts : OrderFacts
        What the order depends on.
    schedule : Schedule, optional
        An order that it fixes is kept.

    Returns
    -------
    order : {"rounds", "delta"}
        The order.
    reason : str
        The reason, with names of facts, and of `mean_degree`, in braces.
    """
    schedule = schedule or FREE
    if schedule.order is not None:
        return schedule.order, ASKED
    if schedule.direction is not None or schedule.balance is not None:
        return "rounds", "the schedule fixes the direction or who walks a row"
    if not facts.ordered:
        return "rounds", "⊗ reads the vector" if facts.first_wins else "not ordered"
    if facts.bounded or facts.counted:
        return "rounds", BOUNDED if facts.bounded else COUNTED
    if facts.reads_weights and not facts.first_wins:
        return "delta", "ordered, and ⊗ reads the matrix"
    if not is_deep(facts):
        return "rounds", NOT_DEEP
    return "delta", SHOWN_DEEP if facts.shown_deep else DEEP


def is_deep(facts: OrderFacts, most: int = DEEP_MAX) -> bool:
    """Whether a search in this graph probably takes very many short steps.

    Parameters
    ----------
    facts : OrderFacts
        The facts about the matrix.
    most : int, optional
        The largest length of a row in a deep graph, if the edges in longer ones have not been
        counted.

    Returns
    -------
    bool
        True if it probably does.
    """
    if facts.shown_deep:
        return True
    longest = facts.max_degree
    if longest is None or fans_out(facts.nrows, facts.nedges):
        return False
    hubs = facts.may_have_hubs and facts.long_edges is not None
    return longest <= most or (hubs and HUB_SHARE * (facts.long_edges or 0) <= facts.nedges)


def depends_on_degrees(facts: OrderFacts, schedule: Schedule | None = None) -> bool:
    """Whether the length of the rows decides how the closure runs, or how long it is tried.

    Parameters
    ----------
    facts : OrderFacts
        What the order depends on.
    schedule : Schedule, optional
        What it fixes is kept.

    Returns
    -------
    bool
        False also if the length of the rows is known.
    """
    if facts.max_degree is not None or facts.shown_deep is not None:
        return False
    short = replace(facts, max_degree=0)
    order, reason = choose_order(short, schedule)
    if reason == NOT_DEEP:
        return facts.ordered
    return order == "delta" and (reason != ASKED or is_deep(short))


def delta_width(
    mean_weight: float, nrows: int, nedges: int, asynchronous: bool = False, even: bool = False,
    selects: bool = False, stays: bool = False, roads: bool = False,
) -> float:  # fmt: skip
    """How far from the best entry an entry may lie to count as near.

    Parameters
    ----------
    mean_weight : float
        The mean weight.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    asynchronous : bool, optional
        Whether each block has a queue of its own, as on deep graphs.
    even : bool, optional
        Whether all edges have the same length.
    selects : bool, optional
        Whether ⊗ returns one of its operands.
    stays : bool, optional
        Whether ⊗ returns the left operand, so that no edge has a length.
    roads : bool, optional
        Whether hardly any row has more than four edges, but some have, as on roads: some regions
        have many more vertices at one distance than others.

    Returns
    -------
    float
        The width in the unit of the weights; infinite if none is known.
    """
    if stays:
        return float("inf")
    if not asynchronous:
        return step_width(WIDTH, mean_weight, nrows, nedges)
    if selects:
        return _finite(mean_weight / PLATEAUS)
    if even and roads:
        return _finite(ROAD_WIDTH * mean_weight)
    if even:
        return _finite(max(EVEN_LEAST, nrows**0.5 / EVEN_SHARE) * mean_weight)
    return step_width(ASYNC_WIDTH, mean_weight, nrows, nedges)


def step_width(
    units: float, mean_weight: float, nrows: int, nedges: int, most: float = float("inf")
) -> float:
    """The width of a step in the unit of the weights.

    Parameters
    ----------
    units : float
        How wide it is in units of mean weight over mean degree.
    mean_weight : float
        The mean weight.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    most : float, optional
        The largest width.

    Returns
    -------
    float
        The width; infinite if none is known.
    """
    return _finite(min(units * mean_weight * max(1, nrows) / max(1, nedges), most))


def _finite(width: float) -> float:
    """A width, or infinity for one that is no positive number."""
    return width if 0 < width < float("inf") else float("inf")


HUB_FIRST_WIDTH = 0.25
"""The width of a step while the hubs are settled, in units of mean weight over mean degree.
Relative time on an H200, with rows sorted by weight and ids by degree: kron24 1.0 and 1.15 with
0.25 and 0.5; kron22 1.0, 1.02 and 1.03 with 0.25, 0.5 and 1."""


def small_share(nrows: int, nedges: int) -> float:
    """The largest share of the weights that the width of a step may cover.

    Parameters
    ----------
    nrows, nedges : int
        The number of rows and of entries of the matrix.

    Returns
    -------
    float
        A number between 0 and 1.
    """
    return HUB_FIRST_WIDTH * min(1.0, nrows / max(1, nedges))


def hub_first_width(mean_weight: float, small: float, nrows: int, nedges: int) -> float:
    """How far the bound moves beyond the best known product while the hubs are settled.

    Parameters
    ----------
    mean_weight : float
        The mean weight.
    small : float
        A small weight: where weights are skewed, the width is at most this. 0 if it is not known.
    nrows, nedges : int
        The number of rows and of entries of the matrix.

    Returns
    -------
    float
        The width in the unit of the weights; infinite if none is known.
    """
    most = small if small > 0 else float("inf")
    return step_width(HUB_FIRST_WIDTH, mean_weight, nrows, nedges, most)
