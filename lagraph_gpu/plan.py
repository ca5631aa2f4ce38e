"""The one place where a direction is chosen.

Pure functions from plain facts: nothing here touches data, so that a table can test every choice.

A push reads the edges that leave the frontier. A pull reads, for each row that the mask wants, its
in-edges, and stops at the first that settles the row if the monoid allows (Beamer, Asanović,
Patterson: Direction-optimizing breadth-first search, SC 2012). So a pull costs at most all edges;
with early exit it costs far fewer, once most neighbours are in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
"""Mean degree from which a thread for each row reads its entries too far from its neighbours'."""

SKEWED_ROW = 256
"""A longer row holds up the 31 rows beside it, where each has a thread."""


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
    longest: int | None = None
    """The longest row that a pull may read; None where nobody has counted."""


@dataclass(frozen=True)
class Plan:
    """One product: the direction, and who walks a row."""

    direction: str
    balance: str
    law: str = field(default="", compare=False, repr=False)
    """What chose the direction, with names of facts in braces, and of ``alpha``."""


ASKED = "the schedule asks for it"
FEW = "at most {frontier_edges} of {nedges} edges leave the frontier, no more than 1 in {alpha}"
MANY = "up to {frontier_edges} of {nedges} edges leave the frontier, more than 1 in {alpha}"


def choose(facts: Facts, schedule: Schedule | None = None) -> Plan:
    """The plan for one product; what ``schedule`` fixes is kept."""
    schedule = schedule or Schedule()
    fixed = schedule.direction in ("push", "pull")
    direction = schedule.direction if fixed else _direction(facts)
    assert direction is not None
    law = ASKED if fixed else FEW if direction == "push" else MANY
    return Plan(direction, schedule.balance or _balance(facts, direction), law)


def alpha(early_exit: bool) -> int:
    """Pull once the frontier's edges exceed one part in so many of all edges."""
    return ALPHA_EXIT if early_exit else ALPHA_FULL


def pull_balance(nedges: int, nrows: int, early_exit: bool, longest: int | None = None) -> str:
    """Who walks the rows of a pull: a thread each where they are short, or likely left early; else
    all threads share the entries evenly."""
    uneven = nedges >= WIDE_ROW * nrows or (longest is not None and longest > SKEWED_ROW)
    return "search" if uneven and not early_exit else "thread"


def _direction(facts: Facts) -> str:
    many = facts.frontier_edges * alpha(facts.early_exit) > facts.nedges
    return "pull" if many else "push"


def _balance(facts: Facts, direction: str) -> str:
    if direction == "push":
        if facts.max_degree is not None and facts.max_degree <= SHORT_ROW:
            return "thread"
        return "warp" if facts.frontier_edges <= FEW_EDGES else "search"
    return pull_balance(facts.nedges, facts.nrows, facts.early_exit, facts.longest)


# --- the order of a closure -------------------------------------------------------------------

DEEP_DEGREE, DEEP_MAX = 8, 64
"""Up to this mean degree, and this greatest one, a graph is taken for a deep one, as a road is."""

DEEP_WIDTH, WIDTH = 64, 1
"""The width of a step by delta, in units of mean weight over mean degree: for deep graphs, where an
epoch costs more than its edges, and for others, where an edge walked twice does. On an H200, on
grid2048: 1.24, 1.0 and 1.07 of the time with 32, 64 and 96 units; on kron22 1.0, 1.25 and 1.44 with
1, 2 and 4."""

BOUNDED, COUNTED = "the rounds are bounded", "the rounds are asked for"
NOT_DEEP = "mean degree {mean_degree}, longest row {max_degree}: not deep"
DEEP = "mean degree {mean_degree}, no row longer than {max_degree}: deep"


@dataclass(frozen=True)
class OrderFacts:
    """What the order of a closure depends on: the algebra, what is asked for, the matrix."""

    ordered: bool
    """⊕ is a minimum or maximum and ⊗ never improves; with ``any``: ⊗ does not read the vector."""
    first_wins: bool
    reads_weights: bool
    counted: bool
    """Are the rounds themselves asked for, or for ``any`` a trace of them?"""
    bounded: bool
    nrows: int
    nedges: int
    max_degree: int | None
    """No row is longer than this; None where nobody has counted."""

    @property
    def mean_degree(self) -> float:
        return self.nedges / max(1, self.nrows)


def choose_order(facts: OrderFacts, schedule: Schedule | None = None) -> str:
    """By "rounds" or by "delta"; what ``schedule`` fixes is kept."""
    return order_by_law(facts, schedule)[0]


def order_by_law(facts: OrderFacts, schedule: Schedule | None = None) -> tuple[str, str]:
    """The order, and what chose it, with names of facts in braces, and of ``mean_degree``."""
    schedule = schedule or Schedule()
    if schedule.order is not None:
        return schedule.order, ASKED
    if schedule.direction is not None or schedule.balance is not None:
        return "rounds", "the schedule fixes the direction or who walks a row"
    if not facts.ordered:
        return "rounds", "⊗ reads the vector" if facts.first_wins else "not ordered"
    if facts.bounded or facts.counted:
        return "rounds", BOUNDED if facts.bounded else COUNTED
    if facts.first_wins:
        return ("delta", DEEP) if deep(facts) else ("rounds", NOT_DEEP)
    if facts.reads_weights:
        return "delta", "ordered, and ⊗ reads the matrix"
    return "rounds", "⊗ does not read the matrix, so each edge is as long as any other"


def deep(facts: OrderFacts) -> bool:
    """Is a search in this graph likely to take very many short steps?"""
    longest = facts.max_degree
    return longest is not None and longest <= DEEP_MAX and facts.nedges <= DEEP_DEGREE * facts.nrows


def hangs_on_degrees(facts: OrderFacts, schedule: Schedule | None = None) -> bool:
    """Would it be by delta if only the rows were known to be short, which nobody has counted?"""
    if facts.max_degree is not None or choose_order(facts, schedule) == "delta":
        return False
    return choose_order(replace(facts, max_degree=0), schedule) == "delta"


def follows(nrows: int, nedges: int) -> bool:
    """Is a block to follow what it improves on its own? Where a step is short, not where it fans
    out."""
    return nedges <= DEEP_DEGREE * nrows


def delta_width(mean_weight: float, nrows: int, nedges: int) -> float:
    """How far beyond the best an entry may lie to be near; infinite where that is unknown."""
    units = DEEP_WIDTH if follows(nrows, nedges) else WIDTH
    width = units * mean_weight * max(1, nrows) / max(1, nedges)
    return width if 0 < width < float("inf") else float("inf")


# --- the product of two matrices within a mask ---------------------------------------------------

EXIT = 4
"""A dot that may stop early is reckoned to walk a quarter of its entries. Not measured yet."""

SORT = 8
"""An entry of a matrix that has to be transposed first costs as much as so many products. Not
measured yet."""


@dataclass(frozen=True)
class MaskedFacts:
    """What a product within a mask depends on: the exact work of either form, and its operands."""

    products: int
    """Entries of A and B that meet in a row that the mask has: what saxpy does."""
    walked: int
    """For each entry of the mask the shorter of its row in A and its column in B: what dot does."""
    wanted: int
    """Entries of the mask."""
    nedges: int
    """Entries of B, one of whose two orientations may have to be made."""
    has_rows: bool = True
    has_columns: bool = True
    early_exit: bool = False

    @property
    def saxpy(self) -> int:
        """What saxpy costs, in products."""
        return self.products + (0 if self.has_rows else SORT * self.nedges)

    @property
    def dot(self) -> int:
        """What dot costs, in products."""
        walked = self.walked // (EXIT if self.early_exit else 1)
        return walked + (0 if self.has_columns else SORT * self.nedges)


@dataclass(frozen=True)
class MaskedPlan:
    """The form, dot or saxpy; and who does an entry of the mask in dot."""

    form: str
    balance: str
    law: str = field(default="", compare=False, repr=False)
    """What chose the form, with names of facts in braces, and of ``dot`` and ``saxpy``, costs."""


MASKED = "dot costs {dot}, for {wanted} of the mask to walk {walked} entries; saxpy {saxpy}"


def choose_masked(facts: MaskedFacts, form: str | None = None) -> MaskedPlan:
    """The plan for one product within a mask; ``form`` fixes it."""
    wide = facts.walked >= WIDE_ROW * facts.wanted
    cheaper = "dot" if facts.dot <= facts.saxpy else "saxpy"
    return MaskedPlan(form or cheaper, "warp" if wide else "thread", ASKED if form else MASKED)
