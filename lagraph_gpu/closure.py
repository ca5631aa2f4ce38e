"""One primitive for every traversal: the least fixpoint of x = x₀ ⊕ (x ⊕.⊗ A).

This is the vector form of Kleene's star, the algebraic path problem: entry j of the closure is the
⊕ over all paths that end in j of (x₀ at the start) ⊗ (the edges along the path). Breadth-first
search, shortest paths, components, reachability and widest paths differ only in the semiring.

Each round multiplies the frontier, the entries that changed in the last round, and keeps what
improves. With ``any`` for ⊕ what is present stays, so the product is masked by what is missing;
otherwise ⊕ decides, and it must be idempotent so that an offer may be folded in twice.

The loop below is the definition. It runs on every backend, and what a backend fuses must agree
with it; the GPU's does all rounds in one kernel, or goes in order of value. At most n - 1 rounds
improve anything if no cycle improves on itself; one more proves that some cycle does. Where ⊗ does
not read x, only the last edge of a path counts: n - 1 edges lead to it, and n rounds do for all.
O(rounds × (n + edges of the frontiers)).

Lehmann: Algebraic structures for transitive closure, Theoretical Computer Science 4 (1977).
Kepner, Gilbert (eds.): Graph Algorithms in the Language of Linear Algebra, SIAM 2011.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np

from lagraph_gpu.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    MissingLaw,
    NoFixpoint,
    WrongType,
)
from lagraph_gpu.notation.checks import expect_kind, is_integer
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.typing_rules import same_backend
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.planning.trace import explaining, laws_of, tell
from lagraph_gpu.schedule import Schedule
from semirings import unary
from semirings.algebra import Semiring
from semirings.expression import parse
from semirings.operators import BINARY
from semirings.types import BOOL, INT32

eq, second = BINARY["eq"], BINARY["second"]
EXTREMA = BINARY["min"].parsed, BINARY["max"].parsed
Start = TypeVar("Start", Vector, Matrix)

LOOP = "by rounds, a statement at a time"
IN_STEP = "the rows of a matrix go on in step, and no schedule changes that"


def closure(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring,
    max_steps: int | None = None,
    schedule: Schedule | None = None,
) -> Start:
    """The least fixpoint of x = x₀ ⊕ (x ⊕.⊗ A), for a vector x₀ of n entries and A of n × n.

    A matrix x₀ of n columns stands for many vectors, its rows, each with a closure of its own: they
    go on in step, by rounds of statements, and a schedule, which is for vectors, changes nothing.
    (The CPU has a search for each where the first comer counts, and for shortest paths.)
    ``max_steps`` bounds the rounds: paths of at most so many edges count. ``schedule`` may fix the
    direction or the order. Raises MissingLaw if ⊕ is not idempotent, or if the order asked for
    needs a law that does not hold, InvalidValue for an order by heap, NoFixpoint if round n, or
    where ⊗ reads A alone round n + 1, still improves: then a cycle improves on itself, for ever as
    a rule. If your own ⊗ comes to rest later, bound the rounds. Integers wrap around as ⊗ does in
    x₀'s type (``lg.sssp`` refuses distances that would): give x₀ a type that holds all products.
    O(n m) at worst, and as a rule m for each round.

    >>> import lagraph_gpu as lg
    >>> from semirings import max_min
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 0, 1], [1, 2, 2], [3.0, 1.0, 2.0], nrows=3, ncols=3)
    ...     x0 = lg.Vector.from_coo([0], [float("inf")], size=3)
    >>> lg.closure(x0, A, max_min).to_dense().tolist()     # the widest path to each vertex
    [inf, 3.0, 2.0]
    """
    return _closure(x0, A, semiring, max_steps, schedule).x


def closure_with_steps(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring,
    max_steps: int | None = None,
    schedule: Schedule | None = None,
) -> tuple[Start, Start]:
    """The closure, and for each entry the round (INT32, from 0) in which it took its value."""
    found = _closure(x0, A, semiring, max_steps, schedule, with_levels=True)
    return found.x, found.levels


def closure_up_to(
    limit: Any, x0: Start, A: Matrix | Any, semiring: Semiring, schedule: Schedule | None = None,
    with_parents: bool = False,
) -> Start:  # fmt: skip
    """The closure, where ⊗ never improves; of the entries beyond ``limit`` some may be missing, for
    a backend need not search there. Pass ``with_parents=True`` if the parents of all vertices will
    be needed."""
    found = _closure(x0, A, semiring, None, schedule, limit=limit, with_parents=with_parents)
    return found.x


class Fixpoint(NamedTuple):
    """What ``fixpoint`` finds, all containers of the shape of its start."""

    x: Any
    levels: Any
    """The round in which each entry took its value (INT32); a lowering may leave it None unless it
    is asked for."""
    at_rest: bool
    """Would another round change nothing?"""


@operation
def fixpoint(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring,
    max_steps: int,
    schedule: Schedule | None = None,
    *,
    with_levels: bool = False,
    limit: Any = None,
    with_parents: bool = False,
) -> Fixpoint:
    """At most so many rounds of x = x ⊕ (x ⊕.⊗ A), from x₀, whose type is the product's.

    A lowering may leave out entries beyond ``limit``, and note on the way, for
    ``algorithms.paths.sssp.tight_forest``, where values came from (``with_parents``).
    """
    first_wins = semiring.monoid.is_any
    if schedule is not None and schedule.order == "delta" and not first_wins:
        require_weights(A, semiring)  # by rounds here, but what is refused depends on no backend
    if explaining() and isinstance(x0, Matrix):
        tell(f"closure {semiring.name}", LOOP, IN_STEP, laws=laws_of(semiring, x0.dtype))
    x = x0.dup()
    frontier, (offer, same, levels) = x.dup(), (_empty(x, t) for t in (x.dtype, BOOL, INT32))
    levels(frontier.S) << 0
    rounds, small = 0, schedule is not None and schedule.small and len(x0.shape) == 1
    while frontier.nvals and rounds < max_steps:
        if small and (done := small_rounds(x, frontier, levels, A, semiring, rounds, max_steps)):
            rounds += done
            continue
        rounds += 1
        if first_wins:  # what is present stays
            frontier(~x.S, replace=True, schedule=schedule) << semiring(frontier @ A)
        else:
            offer(schedule=schedule) << semiring(frontier @ A)
            offer(second) << semiring.monoid(x & offer)  # x ⊕ offer, where there is an offer
            same << eq(x & offer)
            frontier(~same.V, replace=True) << offer  # what the offer changed
        x(frontier.S) << frontier
        levels(frontier.S) << np.int32(rounds)
    return Fixpoint(x, levels, not frontier.nvals)


@operation
def small_rounds(
    x: Any, frontier: Any, levels: Any, A: Any, semiring: Semiring, rounds: int,
    max_steps: int,
) -> int:  # fmt: skip
    """Goes on with the loop of ``fixpoint``, in place, after so many rounds, as long as the
    frontier is small, up to ``max_steps`` in all. Returns how many rounds were done: by statements
    none, for the loop itself does them."""
    return 0


def _closure(
    x0: Start, A: Matrix | Any, semiring: Semiring, max_steps: int | None,
    schedule: Schedule | None, *, with_levels: bool = False, **asked: Any,
) -> Fixpoint:  # fmt: skip
    """The fixpoint, once the operands are checked."""
    expect_kind(x0, Vector | Matrix, "a Vector or a Matrix as x0, what is known at first")
    if not (hasattr(A, "shape") and hasattr(A, "backend")):
        raise WrongType(f"expected a Matrix as A, of a graph its G.A, got {A!r}")
    n, max_steps = x0.shape[-1], steps_bound(max_steps)
    if not isinstance(semiring, Semiring):
        raise DomainMismatch(f"expected a semiring such as semirings.min_plus, got {semiring!r}")
    expect_kind(schedule, Schedule | None, "a Schedule or None as schedule")
    if A.shape != (n, n):
        raise DimensionMismatch(f"expected a matrix of shape {(n, n)} beside x0, got {A.shape}")
    same_backend(x0, A)
    require_law(semiring, "idempotent")
    if schedule is not None and schedule.order == "heap":
        raise InvalidValue(
            "expected order='rounds' or 'delta', got order='heap', which is for tables from many "
            "sources: lg.distance_matrix(G, sources, schedule=…), or lg.iter_distances"
        )
    if schedule is not None and schedule.order == "delta":
        require_order(semiring, with_levels, max_steps)

    dtype = semiring.output(x0.dtype, A.dtype)
    if not keeps_type(semiring, dtype, A.dtype):
        A = A.dup(dtype) if isinstance(A, Matrix) else A.new(dtype)
    bound = enough_rounds(n, semiring) if max_steps is None else max_steps
    start = x0 if x0.dtype == dtype else x0.dup(dtype)
    found = fixpoint(start, A, semiring, bound, schedule, with_levels=with_levels, **asked)
    if max_steps is None and not found.at_rest:
        raise no_fixpoint(bound, semiring)
    return found


def keeps_type(semiring: Semiring, dtype: np.dtype, of_matrix: np.dtype) -> bool:
    """Is x, once it has this type, of the same type a round later? ``bor`` makes UINT64 of INT32,
    and no type of integers holds operands of these two."""
    try:
        return semiring.output(dtype, of_matrix) == dtype
    except DomainMismatch:
        return False


def enough_rounds(n: int, semiring: Semiring) -> int:
    """After so many a closure is at rest, the last of which proves it, unless a cycle improves on
    itself: no path has n edges, but one whose last edge alone counts may have another before it."""
    return n if semiring.reads_left or semiring.monoid.is_any else n + 1


def no_fixpoint(bound: int, semiring: Semiring) -> NoFixpoint:
    return NoFixpoint(
        f"expected the closure to come to rest before round {bound}, which no path without a cycle "
        f"needs, but that round still improves entries: a cycle of {semiring.name} "
        "improves on itself; bound the length of paths with max_steps, or remove the cycle"
    )


def _empty(x: Start, dtype: Any) -> Start:
    """A container of x's shape without entries."""
    return type(x)(dtype, *x.shape, backend=x.backend)


def steps_bound(value: Any, name: str = "max_steps") -> int | None:
    """A bound on the number of rounds: None, or an integer of at least 0."""
    if value is None:
        return None
    if not is_integer(value) or value < 0:
        raise InvalidValue(f"expected {name} as an integer of at least 0 or None, got {value!r}")
    return int(value)


def require_law(semiring: Semiring, law: str) -> None:
    if not getattr(semiring, law):
        raise MissingLaw(
            f"expected a semiring whose ⊕ is {law}, got {semiring.name}; a closure folds an offer "
            "in more than once. If the law holds for your own monoid, claim it where you define it"
        )


def totally_ordered(semiring: Semiring) -> bool:
    """Is ⊕ the minimum or the maximum, and does ⊗ never improve on its left operand?

    Whatever values it meets; where ``ordered`` is a condition, if the weights meet that.
    """
    extremum = semiring.monoid.op.parsed in EXTREMA
    return extremum and semiring.ordered is not None and semiring.carrier is None


def monotone(semiring: Semiring) -> bool:
    """Is ⊗ monotone in both operands, in the order of ⊕, which is total?

    Where ⊗ distributes over a minimum or maximum, it is: if y ⊕ z = y, then
    x ⊗ y = (x ⊗ y) ⊕ (x ⊗ z).
    """
    operands = semiring.reads_left and semiring.reads_right and not semiring.positional
    return totally_ordered(semiring) and bool(semiring.distributive) and operands


def require_order(semiring: Semiring, with_levels: bool, max_steps: int | None) -> None:
    """What the algebra must grant, and what may be asked, for a closure by order of value."""
    first_wins = semiring.monoid.is_any
    if first_wins and semiring.reads_left:
        raise MissingLaw(
            f"expected a ⊗ that does not read the vector for 'any' by order='delta', got "
            f"{semiring.name}; use order='rounds'"
        )
    if not first_wins and not totally_ordered(semiring):
        raise unordered(semiring)
    if max_steps is not None or (with_levels and not first_wins):
        raise InvalidValue(
            "expected order='rounds' where rounds are bounded or asked for, got order='delta'"
        )


def unordered(semiring: Semiring) -> MissingLaw:
    """Which of the facts is missing that a closure by order of value rests on."""
    wanted = "expected a semiring whose ⊕ is min or max and that is ordered, by order='delta'"
    if semiring.monoid.op.parsed not in EXTREMA:
        return MissingLaw(
            f"{wanted}, got {semiring.name}, whose ⊕ is {semiring.monoid.name}; use order='rounds'"
        )
    if semiring.ordered is None:
        return MissingLaw(
            f"{wanted}, got {semiring.name}; use order='rounds', or if your own ⊗ never improves "
            'on its left operand, claim that where you define it: ordered="y >= 0", or "always"'
        )
    return MissingLaw(
        f"{wanted} whatever values the vector holds, got {semiring.name}, of which that is stated "
        f"for its carrier alone, {semiring.carrier}: ⊗ may improve on a value of x0 outside of it, "
        "and nobody looks for such; use order='rounds'"
    )


def holds_for_all(A: Matrix, condition: str) -> bool:
    """Do all entries y of A meet the condition, such as y >= 0?"""
    if condition == "always":
        return True
    of_entry = parse(condition).substituted({"y": "x"}).text
    return bool(A.apply(unary(of_entry)).reduce("land").new().get(True))


def require_weights(A: Matrix | Any, semiring: Semiring) -> None:
    """What the entries must grant for a closure by order of value."""
    assert semiring.ordered is not None
    if not holds_for_all(A, semiring.ordered):
        raise unlawful_weights(semiring)


def unlawful_weights(semiring: Semiring) -> MissingLaw:
    return MissingLaw(
        f"expected weights y with {semiring.ordered} for {semiring.name} by order='delta', which "
        "needs a ⊗ that never improves on its left operand, but some entry violates it; use "
        "order='rounds'"
    )
