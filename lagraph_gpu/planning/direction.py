"""The planner: the one place where a direction is chosen.

It consists of pure functions of plain facts. They do not touch data, so a table of facts can test
every choice.

A push reads the edges that leave the frontier. A pull reads, for each row that the mask wants, the
edges that enter it, and stops at the first that settles the row if the monoid allows it (Beamer,
Asanović, Patterson: Direction-optimizing breadth-first search, SC 2012). So a pull reads at most
all edges; if it may stop early, it reads far fewer once most neighbours are in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lagraph_gpu.schedule import Schedule

ALPHA_EXIT, ALPHA_RESIDENT = 14, 24
"""A pull that may stop early pays once the edges of the frontier exceed 1/14 of all edges (Beamer's
α); 1/24 if one kernel does all rounds, because its pulls look at the likeliest edge of a row
first."""

ALPHA_DISTRIBUTED = 64
"""The same where devices have parts of the rows: a push also sends what it finds, and its owner
takes it in no order, while a pull sends a bit for each vertex."""

ALPHA_FULL = 2
"""A pull that may not stop early reads everything, but without atomics and in order."""

STAY, PACKED_STAY = 24, 256
"""After a pull, a search in one kernel pulls until fewer than one vertex in so many changes: a pull
leaves only a bitmap, and a push would have to make lists of it first. The second is for packed
rows, which a pull reads faster."""

FIRST_PULL, LATER_PULLS = 16, 64
"""Where devices go by order of value, a round pulls if more than one in so many of all edges leave
the near entries: the first time, and after another pull. A pull passes over all rows, and a push
over so many edges takes as long."""

HUB_FIRST_REACHED, HUB_FIRST_WITHIN = 0.3, 0.5
"""In a hub-first closure the rest pulls after the step of the bound in which the vertices reached
get the first share of all edges. It pulls within a step once they have the second, if ⊗ yields one
of its operands: then a path grows and its value stays the same. On an H200 max-min takes 0.77 and
1.7 ms on kron22 and kron24; with 0.3 0.89 and 2.6, without 1.8 and 8.5. Min-plus, whose steps are
small, takes 1.8 and 5.7 with, and 1.5 and 3.9 without."""

LIGHT_REACHED, LIGHT_WITHIN = 0.3, None
"""The same shares of the light edges, for packed rows; None for never."""

SHORT_ROW = 32
"""If no row is longer than this, a thread reads each row: there is nothing to balance."""

FEW_EDGES = 8192
"""Up to this many edges are processed faster than a running sum of degrees would be computed."""

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


PATIENCE = 15
"""The number of the product before which a matrix is cut into panels. On kron22 this many products
gain the time that the cut takes."""

FEWEST_LEADING = 1024
"""With fewer columns, a table in shared memory does not pay."""

LEADING_SHARE = 8
"""One in this many entries should be in the first panel."""

RUN = 2
"""The mean number of entries of a row in a panel from which a run pays."""


def leads(nedges: int, width: int, longest: int | None, fewest: int = FEWEST_LEADING) -> bool:
    """Whether a panel of the longest columns can hold enough entries.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.
    width : int
        The number of columns in the panel.
    longest : int or None
        The length of the longest column, if it is known.
    fewest : int, optional
        The smallest number of columns with which a panel pays.

    Returns
    -------
    bool
        True if it can.

    Examples
    --------
    >>> leads(2**27, 29000, 2**18), leads(2**27, 29000, 80)
    (True, False)
    """
    enough = longest is None or longest * width * LEADING_SHARE >= nedges
    return width >= fewest and enough


def runs_pay(nedges: int, runs: int) -> bool:
    """Whether it pays to sum up runs first.

    Parameters
    ----------
    nedges : int
        The number of entries of the matrix.
    runs : int
        The number of runs: entries of one row in one panel.

    Returns
    -------
    bool
        True if it pays.
    """
    return runs * RUN <= nedges and runs < 2**31


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
        return "warp" if facts.frontier_edges <= FEW_EDGES else "search"
    return pull_balance(facts.nedges, facts.nrows, facts.early_exit, facts.longest)


# --- the order of a closure -------------------------------------------------------------------

LONGEST_HUB, HUB_SHARE = 1 << 14, 10
"""A deep graph may have longer rows than `DEEP_MAX`, up to this length and this part of its edges
(one in …). A search with a queue for each block takes 0.15 µs for an edge of such a row, if it
meets one. On an H200, a lattice of 600 × 600 beside a star of 100 to 60,000 leaves took 10.2 ms by
rounds and 1.2 so (1.06 without the star); a path of 2¹⁶ vertices that ends in a star of 10,000, 436
and 55.9; kron18 with one edge a vertex, a third of whose edges are in long rows, 0.16 and 0.87; a
star of 100,000 alone, 0.07 and 15.
"""

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

EVEN_LEAST, EVEN_SHARE = 40, 32
"""The width of a step in edges where each block has a queue of its own and all edges are equally
long: at least the first number, else √n over the second (decision 0042,
docs/decisions/deep-graphs.md)."""

PLATEAUS = 16
"""The width is the mean weight over this number if each block has a queue of its own and ⊗ returns
one of its operands, as in max_min: values do not add up along a path, and large regions share one.
"""

BOUNDED, COUNTED = "the rounds are bounded", "the rounds are asked for"
NOT_DEEP = "mean degree {mean_degree}, longest row {max_degree}: not deep"
DEEP = "mean degree {mean_degree}, no row longer than {max_degree}, few edges in long ones: deep"


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

    @property
    def mean_degree(self) -> float:
        return self.nedges / max(1, self.nrows)

    @property
    def may_have_hubs(self) -> bool:
        """True if it depends on the number of edges in long rows whether the graph is deep."""
        longest, short = self.max_degree, self.nedges <= DEEP_DEGREE * self.nrows
        return longest is not None and DEEP_MAX < longest <= LONGEST_HUB and short


def choose_order(facts: OrderFacts, schedule: Schedule | None = None) -> str:
    """The order of a closure.

    Parameters
    ----------
    facts : OrderFacts
        What the order depends on.
    schedule : Schedule, optional
        An order that it fixes is kept.

    Returns
    -------
    {"rounds", "delta"}
        The order.
    """
    return order_with_reason(facts, schedule)[0]


def order_with_reason(facts: OrderFacts, schedule: Schedule | None = None) -> tuple[str, str]:
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
    return ("delta", DEEP) if is_deep(facts) else ("rounds", NOT_DEEP)


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
    longest = facts.max_degree
    if longest is None or facts.nedges > DEEP_DEGREE * facts.nrows:
        return False
    hubs = facts.may_have_hubs and facts.long_edges is not None
    return longest <= most or (hubs and HUB_SHARE * (facts.long_edges or 0) <= facts.nedges)


def depends_on_degrees(facts: OrderFacts, schedule: Schedule | None = None) -> bool:
    """Whether the order would be "delta" if it were known that no row is long.

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
    if facts.max_degree is not None:
        return False
    short = replace(facts, max_degree=0)
    return is_deep(short) and choose_order(short, schedule) == "delta"


def delta_width(
    mean_weight: float, nrows: int, nedges: int, asynchronous: bool = False, even: bool = False,
    selects: bool = False, stays: bool = False,
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

    Returns
    -------
    float
        The width in the unit of the weights; infinite if none is known.
    """
    if stays:
        return float("inf")
    width = (ASYNC_WIDTH if asynchronous else WIDTH) * mean_weight * max(1, nrows) / max(1, nedges)
    if asynchronous and even:
        width = max(EVEN_LEAST, nrows**0.5 / EVEN_SHARE) * mean_weight
    if asynchronous and selects:
        width = mean_weight / PLATEAUS
    return width if 0 < width < float("inf") else float("inf")


IN_STEP = "rounds, for edges are counted: {words} words a vertex at most"
BY_COPIES = "few searches, none of which fills the device by itself"
BY_BLOCKS = (
    "short rows, or many sources for the edges: a block for each, and steps of width {width}"
)
NOT_IN_STEP = "searches take many rounds, or none can be done in step: a block for each source"
ONE_BY_ONE = "few sources for so many edges"

FEW_SINGLES = 2
"""Up to this many searches are done one by one. On an H200, 64 searches of grid512 at once take as
long as 3 single ones."""

FEW_COPIES = {True: 40, False: 56}
"""Up to this many searches of a deep graph go together, each in a copy of the graph, rather than
each in a block: where edges are counted, and where weights are added up. With copies the time grows
with their number; with blocks it is that of one search until there are more blocks than
multiprocessors. On an H200, copies took 0.16 to 1.01 of the time of blocks for up to 40 searches
that count edges on grid128 to grid2048 and New York, and 0.84 to 1.48 for 64; with weights 0.24 to
0.94 for up to 56, and 0.61 to 1.12 for 64."""

EDGES_PER_SOURCE, FEWEST_SOURCES, MOST_EDGES = 2**15, 16, 2**22
"""On graphs that fan out, a block for each source is faster than all blocks for one source after
another if there is a source for this many edges, and at least so many sources; and never above the
last number of edges. On an H200, kron14: 4.9 and 18 ms for 64 and 1,024 sources with a block each,
38 ms for 64 one by one, by rounds. kron18: 40 ms for 16 and 105 to 119 ms for 256 sources with a
block each, 22 ms for 16 one by one."""


def fans_out(nrows: int, nedges: int) -> bool:
    """Whether a search probably takes few rounds.

    Parameters
    ----------
    nrows, nedges : int
        The number of rows and of entries of the matrix.

    Returns
    -------
    bool
        True if it probably does.
    """
    return nedges > DEEP_DEGREE * nrows


FEW_ROWS, MANY_EDGES = 16, 2**22
"""So many searches, and those of a graph with so many edges, are faster one after another than in
step. On an H200, 16 and 64 searches took 2.7 and 8.9 ms one after another, and 2.7 and 2.7 in step,
on kron6; 3.2, 11.4 and 5.9, 7.7 on kron14; 3.5, 12.8 and 10.8, 27.2 on kron18 (7.6 million
entries); 5.6, 21.0 and 16.2, 52.8 on kron21. Four took 3.8 and 584 on grid512, 10.5 and 4,124 on
grid2048.
"""


def rows_apart(rows: int, nrows: int, nedges: int) -> bool:
    """Whether closures of the rows of a matrix are faster one after another than in step.

    They are on deep graphs, where a step of all rows costs as much as many steps of one kernel, on
    large graphs, and if there are few.

    Parameters
    ----------
    rows : int
        The number of rows.
    nrows, nedges : int
        The number of rows and of entries of the matrix of the edges.

    Returns
    -------
    bool
        True if they are.
    """
    return rows <= FEW_ROWS or nedges >= MANY_EDGES or not fans_out(nrows, nedges)


def by_blocks(sources: int, nrows: int, nedges: int) -> bool:
    """Whether searches by value are faster with a block for each source.

    They are on deep graphs, whose frontiers do not fill a device, and if there are many sources for
    the number of edges.

    Parameters
    ----------
    sources : int
        The number of sources.
    nrows, nedges : int
        The number of rows and of entries of the matrix.

    Returns
    -------
    bool
        True if they are.
    """
    if not fans_out(nrows, nedges):
        return sources > FEW_SINGLES
    return nedges <= MOST_EDGES and sources >= max(FEWEST_SOURCES, nedges // EDGES_PER_SOURCE)


def choose_table(
    sources: int, nrows: int, nedges: int, hops: bool, schedule: Schedule | None = None,
    deep: bool = False, whole: bool = False,
) -> tuple[str, str]:  # fmt: skip
    """How a table of distances is computed, and why.

    Parameters
    ----------
    sources : int
        The number of sources.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    hops : bool
        Whether edges are counted, so that weights do not matter.
    schedule : Schedule, optional
        What it fixes is kept.
    deep : bool, optional
        Whether a search is known to take many rounds.
    whole : bool, optional
        Whether each search goes on to its end, for all vertices are asked for.

    Returns
    -------
    way : {"bits", "copies", "blocks", "warps", "singles"}
        "bits": all searches advance together. "copies": all in one launch, each in a copy of the
        graph. By value: "blocks", a block for each source, or "warps", a warp with a heap for each.
        "singles": one search after another.
    reason : str
        The reason.

    Notes
    -----
    On an H200, "blocks" took 0.17 to 0.39 of the time of "bits" where edges are counted on deep
    graphs (New York, grids; 64 to 2,048 sources). "warps" took 1.3 to 10 times the time of "blocks"
    on each of eight graphs, with 16 to 4,096 sources, so the planner never chooses it. "copies"
    took 0.35 and 0.42 of the time of "blocks" for 16 sources of grid2048, by weights and where
    edges are counted, 0.40 and 0.8 on New York; for 64 sources there 0.8 and 1.1.

    Examples
    --------
    >>> from lagraph_gpu.schedule import Schedule
    >>> [choose_table(9, 100, edges, hops)[0] for edges in (400, 2**25) for hops in (True, False)]
    ['bits', 'blocks', 'bits', 'singles']
    >>> [choose_table(9, 100, 400, True, deep=True, whole=whole)[0] for whole in (False, True)]
    ['blocks', 'copies']
    >>> choose_table(9, 100, 4000, False, Schedule(order="heap"))
    ('warps', 'the schedule asks for it')
    """
    if schedule is None:
        if hops and not deep:
            return "bits", IN_STEP
        if whole and 2 - hops <= sources <= FEW_COPIES[hops] and not fans_out(nrows, nedges):
            return "copies", BY_COPIES
        if hops:
            return "blocks", NOT_IN_STEP
        blocks = by_blocks(sources, nrows, nedges)
        return ("blocks", BY_BLOCKS) if blocks else ("singles", ONE_BY_ONE)
    if schedule.one_search:
        return "singles", ASKED
    orders = {"rounds": "bits" if hops else "singles", "delta": "blocks", "heap": "warps"}
    if schedule.order is None:
        return choose_table(sources, nrows, nedges, hops, None, deep, whole)
    return orders[schedule.order], ASKED


def block_threads(blocks: int, nrows: int, multiprocessors: int, usual: int) -> int:
    """The number of threads in a block that does a search of its own.

    Parameters
    ----------
    blocks : int
        The number of blocks at a time.
    nrows : int
        The number of vertices.
    multiprocessors : int
        The number of multiprocessors of the device.
    usual : int
        The usual number of threads in a block.

    Returns
    -------
    int
        Four times the usual number if there is one block for each multiprocessor. With more blocks
        it is smaller, because blocks of few threads wait less. It is at least one thread for 2,048
        vertices, because the frontiers of a larger graph are larger.

    Notes
    -----
    Relative time on an H200: grid512 1.0, 1.11, 1.65 and 1.64 with 256, 512, 768 and 1,024 threads;
    grid1024 1.07, 1.0, 1.17 and 1.11 with the same; New York 1.0 and 1.10 with 256 and 512; grid64
    1.0, 1.57 and 1.19 with 128, 256 and 64.

    Examples
    --------
    >>> [block_threads(k, 2**18, 132, 256) for k in (1, 132, 133, 264, 265, 5000)]
    [1024, 1024, 512, 512, 256, 256]
    >>> [block_threads(5000, n, 132, 256) for n in (2**12, 2**13, 2**19, 2**20, 2**24)]
    [128, 256, 256, 512, 1024]
    """
    share = -(-blocks // multiprocessors)
    by_size = 1 << max(0, (nrows >> 11).bit_length() - 1)
    fewest = usual if nrows >= SMALL_GRAPH else usual // 2
    return min(4 * usual, max(fewest, 4 * usual >> (share - 1).bit_length(), by_size))


SMALL_GRAPH = 2**13
"""From this number of vertices on, a block has at least the usual number of threads, however many
blocks there are."""

BLOCK_SLOTS = 4
"""The number of edges in a packed row for such a block. On an H200, 8 took 1.0 to 1.2 of the time
of 4 on roads, grids, a random graph with 8 edges a vertex and kron14, and 0.95 on kron18."""

BLOCK_WIDTH = 24
"""The same as WIDTH, for a block that does a search of its own. Relative time on an H200 with 12,
16, 24 and 32 units: 1.08, 1.03, 1.0 and 1.01 on grid512; 1.10, 1.04, 1.0 and 1.0 on grid1024."""


def block_width(mean_weight: float, nrows: int, nedges: int) -> float:
    """The same as `delta_width` for a search that has a block to itself.

    Parameters
    ----------
    mean_weight : float
        The mean weight.
    nrows, nedges : int
        The number of rows and of entries of the matrix.

    Returns
    -------
    float
        The width in the unit of the weights; infinite if none is known.
    """
    width = BLOCK_WIDTH * mean_weight * max(1, nrows) / max(1, nedges)
    return width if 0 < width < float("inf") else float("inf")


def searches_hub_first(nrows: int, nedges: int, wide: float = DEEP_DEGREE) -> bool:
    """Whether a closure by value should go hub-first: settle the vertices of high degree first.

    The other vertices are then pulled.

    Parameters
    ----------
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    wide : float, optional
        The mean degree above which this pays, because a step fans out.

    Returns
    -------
    bool
        True if it should.
    """
    return nedges > wide * nrows


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
    width = HUB_FIRST_WIDTH * mean_weight * max(1, nrows) / max(1, nedges)
    width = min(width, small) if small > 0 else width
    return width if 0 < width < float("inf") else float("inf")
