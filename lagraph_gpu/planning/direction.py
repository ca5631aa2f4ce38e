"""The planner: the one place where a direction is chosen, and who reads the rows of a product.

It consists of pure functions of plain facts. They do not touch data, so a table of facts can test
every choice. The modules beside it are of the same kind: `closure_order` has the order of a closure
and the width of its steps, `many_sources` the searches from many sources, `panels` the columns of a
matrix that are multiplied together, and `masked_product` the product of two matrices within a mask.

A push reads the edges that leave the frontier. A pull reads, for each row that the mask wants, the
edges that enter it, and stops at the first that settles the row if the monoid allows it (Beamer,
Asanović, Patterson: Direction-optimizing breadth-first search, SC 2012). So a pull reads at most
all edges; if it may stop early, it reads far fewer once most neighbours are in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lagraph_gpu.schedule import Schedule

ROUNDS_FOR_TRANSPOSE = 8
"""With fewer rounds it does not pay to make a transpose for them."""

ALPHA_EXIT, ALPHA_RESIDENT = 14, 24
"""A pull that may stop early pays once the edges of the frontier exceed 1/14 of all edges (Beamer's
α); 1/24 if one kernel does all rounds, because its pulls look at the likeliest edge of a row
first."""

ALPHA_DISTRIBUTED = 64
"""Where devices have parts of the rows, a pull pays once the edges of the frontier exceed 1/64 of
all edges: a push also sends what it finds, and its owner takes it in no order, while a pull sends a
bit for each vertex."""

ALPHA_FULL = 2
"""A pull that may not stop early reads everything, but without atomics and in order."""

STAY, PACKED_STAY = 24, 256
"""After a pull, a search in one kernel pulls until fewer than one vertex in so many changes: a pull
leaves only a bitmap, and a push would have to make lists of it first. The second is for packed
rows, which a pull reads faster."""

BINNED_VERTICES, BINNED_DEGREE = 1 << 23, 24
"""From so many vertices on, and from this mean degree on, a search of a graph without hubs pushes
in bins. On an H200, with a mean degree of 32, 2^23 vertices gain 19% and 2^22 lose 4%."""

BINNED_SHARE, BINNED_PART, BINNED_MOST = 1 / 8, 1.5, 2.5
"""Edges for each vertex of the graph: a push goes in bins if more than the first leave its
frontier. If these are more than the last, about as many as the second are pushed, and a pull does
the rest: edges to random vertices, 1.5 for each, leave 22% of the rows."""

FIRST_PULL, LATER_PULLS = 16, 64
"""Where devices go by order of value, a round pulls if more than one in so many of all edges leave
the near entries: the first time, and after another pull. A pull passes over all rows, and a push
over so many edges takes as long."""

HUB_FIRST_REACHED, HUB_FIRST_WITHIN = 0.3, 0.5
"""In a hub-first closure the rest pulls after the step of the bound in which the vertices reached
get the first share of all edges, or half of it if no hub is among them. It pulls within a step once
they have the second, if ⊗ yields one of its operands: then a path grows and its value stays the
same. On an H200 max-min takes 0.77 and 1.7 ms on kron22 and kron24; with 0.3 0.89 and 2.6, without
1.8 and 8.5. Min-plus, whose steps are small, takes 1.8 and 5.7 with, and 1.5 and 3.9 without."""

LIGHT_REACHED, LIGHT_WITHIN = 0.3, None
"""For packed rows, the shares of the light edges that the vertices reached must have for a pull
after a step and within a step; None for never."""

SHORT_ROW = 32
"""If no row is longer than this, a thread reads each row: there is nothing to balance."""

WARP_EDGES = 8192
"""Warps walk up to this many edges faster than a running sum of degrees would be computed."""

WIDE_ROW = 8
"""From this mean degree on, the threads of neighbouring rows read entries too far from each
other."""

SKEWED_ROW = 256
"""A row longer than this delays the 31 rows beside it, if each row has a thread."""

GATHER_SHARE = 16
"""On a cluster a vector is gathered if more than one in this many of its positions has an entry."""

FREE = Schedule()
"""A schedule that fixes nothing."""


@dataclass(frozen=True)
class Facts:
    """What a plan depends on: the frontier and its edges, the matrix, and the algebra.

    Parameters
    ----------
    frontier : int
        The number of entries of the frontier.
    frontier_edges : int
        The number of edges that leave the frontier.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    early_exit : bool
        Whether a row may end before its last entry.
    max_degree : int, optional
        An upper bound on the longest row of the frontier; None if it has not been counted.
    longest : int, optional
        The longest row that a pull may read; None if it has not been counted.
    """

    frontier: int
    frontier_edges: int
    nrows: int
    nedges: int
    early_exit: bool
    max_degree: int | None = None
    longest: int | None = None


@dataclass(frozen=True)
class Plan:
    """The plan of one product: the direction, and who reads a row.

    Parameters
    ----------
    direction : {"push", "pull", "edge"}
        The direction.
    balance : str
        Who reads a row, as in `Schedule`.
    reason : str, optional
        The reason for the direction, with names of facts, and of `alpha`, in braces.
    """

    direction: str
    balance: str
    reason: str = field(default="", compare=False, repr=False)


ASKED = "the schedule asks for it"
SINGLES = "no row has more than {max_degree} entry: a transpose would cost more than the product"
FEW_EDGES_LEAVE = (
    "at most {frontier_edges} of {nedges} edges leave the frontier, no more than 1 in {alpha}"
)
MANY_EDGES_LEAVE = (
    "up to {frontier_edges} of {nedges} edges leave the frontier, more than 1 in {alpha}"
)


def choose(
    facts: Facts, schedule: Schedule | None = None, ways: tuple[str, ...] = ("push", "pull")
) -> Plan:
    """The plan for one product.

    Parameters
    ----------
    facts : Facts
        What the plan depends on.
    schedule : Schedule, optional
        What it fixes is kept, if the backend can do it.
    ways : tuple of str, optional
        The directions that the backend has.

    Returns
    -------
    Plan
        The direction and the balance.
    """
    schedule = schedule or FREE
    fixed = schedule.direction in ways
    direction = schedule.direction if fixed else _direction(facts)
    assert direction is not None
    few = SINGLES if facts.max_degree == 1 else FEW_EDGES_LEAVE
    reason = ASKED if fixed else few if direction == "push" else MANY_EDGES_LEAVE
    return Plan(
        direction, _fixed_balance(schedule, direction) or _balance(facts, direction), reason
    )


def _fixed_balance(schedule: Schedule, direction: str) -> str | None:
    """Who reads a row according to the schedule, if it says so for this direction."""
    if direction == "pull" and (schedule.frontier == "none" or schedule.layout == "aligned"):
        return "thread"
    of_a_push = schedule.balance == "bucket"
    return None if of_a_push and direction == "pull" else schedule.balance


def alpha(early_exit: bool, resident: bool = False, distributed: bool = False) -> int:
    """The fraction of the edges from which a pull pays.

    Parameters
    ----------
    early_exit : bool
        Whether a row may end before its last entry.
    resident : bool, optional
        Whether one kernel does all rounds.
    distributed : bool, optional
        Whether kernels of several devices do them, each for its rows.

    Returns
    -------
    int
        A pull pays once the edges of the frontier exceed one in this many of all edges.
    """
    if not early_exit:
        return ALPHA_FULL
    return ALPHA_DISTRIBUTED if distributed else ALPHA_RESIDENT if resident else ALPHA_EXIT


def pull_balance(nedges: int, nrows: int, early_exit: bool, longest: int | None = None) -> str:
    """Who reads the rows of a pull.

    Parameters
    ----------
    nedges, nrows : int
        The number of entries and of rows of the matrix.
    early_exit : bool
        Whether a row may end before its last entry.
    longest : int, optional
        The longest row, if it is known.

    Returns
    -------
    {"thread", "search"}
        A thread for each row if rows are short or probably left early. Otherwise all threads share
        the entries evenly.
    """
    uneven = nedges >= WIDE_ROW * nrows or (longest is not None and longest > SKEWED_ROW)
    return "search" if uneven and not early_exit else "thread"


def pull_threshold(
    nedges: int, early_exit: bool, resident: bool = False, direction: str | None = None,
    distributed: bool = False,
) -> int:  # fmt: skip
    """The number of edges out of a frontier beyond which the frontier is pulled.

    Push or pull is decided by this number. Products ask it for each frontier. A resident kernel,
    and the closure of a cluster, get the number and compare each round's edges with it. These are
    the exceptions; their shares are in this module:

    - after a pull, kernels pull until few vertices change (`stays`): lists would have to be made;
    - packed rows are also pulled if a push might list more segments than there is room for;
    - devices in order of value compare with shares of their own (`ordered_pull_thresholds`), as a
      pull begins with the lightest edge of each row;
    - a hub-first closure pulls once, when hubs are settled (`HUB_FIRST_REACHED`): it counts edges
      out of all vertices reached, and not of a frontier;
    - the CPU's compiled searches (`pulls` in `cpu/loops/searches.py`) know which edges are left;
    - a single product on a cluster counts what it sends (`gather_threshold`);
    - betweenness goes back along the edges of the level that has fewer: it knows both numbers;
    - a process that has rows of one direction alone can only use these.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.
    early_exit : bool
        Whether a row may end before its last entry.
    resident : bool, optional
        Whether one kernel does all rounds.
    direction : {"push", "pull"}, optional
        What a schedule fixes.
    distributed : bool, optional
        Whether kernels of several devices do all rounds, each for its rows.

    Returns
    -------
    int
        With more edges than this, a round pulls.

    Examples
    --------
    >>> [pull_threshold(2400, early_exit) for early_exit in (True, False)]
    [171, 1200]
    >>> [pull_threshold(2400, True, direction=fixed) for fixed in ("push", "pull")]
    [2400, 0]
    """
    if direction in ("push", "pull"):
        return nedges if direction == "push" else 0
    return nedges // alpha(early_exit, resident, distributed)


class BinnedPushes(NamedTuple):
    """Which pushes of a search in one kernel go in bins of their targets.

    Parameters
    ----------
    least : int
        A push does so if more edges than this leave its frontier.
    part, most : int
        If more edges than `most` leave it, about as many as `part` are pushed, and a pull does the
        rest.
    """

    least: int
    part: int
    most: int


def binned_pushes(vertices: int, nedges: int, hubs: int) -> BinnedPushes | None:
    """Which pushes of a search in one kernel go in bins of their targets.

    Only where the targets of a frontier's edges are spread do bins get about as many edges each,
    and do edges find new vertices. Where there are hubs most rows of a pull end at one of them, so
    there pulls are faster. During a search a frontier goes in bins only if it has more than a
    vertex for every two edges that have found it, and before the first pull.

    Parameters
    ----------
    vertices, nedges : int
        The numbers of vertices and of entries of the matrix.
    hubs : int
        The number of rows that are too long for a warp.

    Returns
    -------
    BinnedPushes, optional
        The bounds; None if no push goes in bins.

    Examples
    --------
    >>> binned_pushes(1 << 27, 32 << 27, hubs=0)
    BinnedPushes(least=16777216, part=201326592, most=335544320)
    >>> binned_pushes(1 << 20, 32 << 20, hubs=0), binned_pushes(1 << 27, 32 << 27, hubs=1)
    (None, None)
    """
    if hubs or vertices < BINNED_VERTICES or nedges < BINNED_DEGREE * vertices:
        return None
    each = BINNED_SHARE, BINNED_PART, BINNED_MOST
    return BinnedPushes(*(int(of * vertices) for of in each))


def stays(vertices: int, connected: int) -> bool:
    """Whether a search goes on pulling after a pull.

    Parameters
    ----------
    vertices : int
        The number of vertices that the pull has changed.
    connected : int
        The number of vertices with edges.

    Returns
    -------
    bool
        True if it does, however few edges leave those vertices.

    Examples
    --------
    >>> stays(10, 240), stays(11, 240)
    (False, True)
    """
    return vertices > connected // STAY


def ordered_pull_thresholds(nedges: int) -> tuple[int, int]:
    """The numbers of edges beyond which devices pull in a closure by order of value.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.

    Returns
    -------
    first, later : int
        With more edges than this, a round pulls: the first time, and after another pull.

    Examples
    --------
    >>> ordered_pull_thresholds(6400)
    (400, 100)
    """
    return nedges // FIRST_PULL, nedges // LATER_PULLS


def gather_threshold(size: int) -> int:
    """The number of entries beyond which a product on a cluster gathers its vector: it then pulls.

    It differs from `pull_threshold` because the time goes into what is sent, not into the edges
    that are read. A pull sends each entry to all processes, a push only what it finds.

    Parameters
    ----------
    size : int
        The size of the vector.

    Returns
    -------
    int
        With more entries than this, the vector is gathered.

    Examples
    --------
    >>> gather_threshold(1000)
    62
    """
    return size // GATHER_SHARE


def _direction(facts: Facts) -> str:
    many = facts.frontier_edges > pull_threshold(facts.nedges, facts.early_exit)
    return "pull" if many and facts.max_degree != 1 else "push"


def _balance(facts: Facts, direction: str) -> str:
    if direction == "edge":
        return "edge"
    if direction == "push":
        if facts.max_degree is not None and facts.max_degree <= SHORT_ROW:
            return "thread"
        return "warp" if facts.frontier_edges <= WARP_EDGES else "search"
    return pull_balance(facts.nedges, facts.nrows, facts.early_exit, facts.longest)
