"""The closure: the least fixpoint of x = x₀ ⊕ (x ⊕.⊗ A), which every traversal is written with.

This is the vector form of Kleene's star, the algebraic path problem: entry j of the closure is the
⊕ over all paths that end in j of (x₀ at the start) ⊗ (the edges along the path). Breadth-first
search, shortest paths, components, reachability and widest paths differ only in the semiring.

Each round multiplies the frontier by A. The frontier is the set of entries that changed in the last
round. If ⊕ is `any`, an entry that is present stays, so the product is masked to missing entries.
Otherwise ⊕ combines the old and the new value; it must be idempotent, because a value may be folded
in twice.

The loop in this module is the definition and runs on every backend. A backend may carry it out in
another way, with the same result: the GPU does all rounds in one kernel, or goes in order of value.

If no cycle improves on itself, at most n - 1 rounds change anything; a change in a later round
proves that some cycle does improve. Where ⊗ does not read x, only the last edge of a path counts:
n - 1 edges lead to it, so n rounds may change something. O(rounds × (n + edges of the frontiers)).

Lehmann: Algebraic structures for transitive closure, Theoretical Computer Science 4 (1977).
Kepner, Gilbert (eds.): Graph Algorithms in the Language of Linear Algebra, SIAM 2011.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, TypeVar

import numpy as np

from lagraph_gpu.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    MissingLaw,
    NoFixpoint,
    WrongType,
    brief,
)
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.aggregators import AGGREGATORS
from lagraph_gpu.notation.checks import expect_kind, is_integer
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.typing_rules import same_backend
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, Semiring, unary
from semirings.expression import parse
from semirings.names import lookup
from semirings.types import BOOL, INT32

eq, second = BINARY["eq"], BINARY["second"]
EXTREMA = BINARY["min"].parsed, BINARY["max"].parsed
Start = TypeVar("Start", Vector, Matrix)

LOOP = "by rounds, a statement at a time"
IN_STEP = "the rows of a matrix go on in step, and no schedule changes that"

MOST_NUMBERED = np.iinfo(np.int32).max
"""For a closure of more vertices no lowering is asked."""


def closure(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring | str,
    max_rounds: int | None = None,
    schedule: Schedule | None = None,
    *,
    max_steps: int | None = None,
) -> Start:
    """The least fixpoint of x = x₀ ⊕ (x ⊕.⊗ A).

    Parameters
    ----------
    x0 : Vector or Matrix
        What is known at first: a vector of size n. A matrix of n columns stands for many vectors,
        its rows, each with a closure of its own.
    A : Matrix
        The matrix of the edges, of n × n.
    semiring : Semiring or str
        The operations ⊕ and ⊗. The operation ⊕ must be idempotent.
    max_rounds : int, optional
        The largest number of rounds: only paths of at most so many edges count. By default there is
        no bound.
    schedule : Schedule, optional
        How to carry it out. It can change the time, never the answer. If x0 is a matrix whose rows
        advance together, by rounds, it has no effect.
    max_steps : int, optional
        The former name of `max_rounds`.

    Returns
    -------
    Vector or Matrix
        The closure, of the shape of x0. Positions that no path reaches have no entry.

    Raises
    ------
    MissingLaw
        The operation ⊕ is not idempotent, or the order that was asked for needs a law that does not
        hold.
    InvalidValue
        Both max_rounds and max_steps are given, or the schedule asks for the order "heap", which is
        for tables of distances.
    DimensionMismatch
        A is not square, or its size is not that of x0.
    NoFixpoint
        Round n still improves an entry, or round n + 1 where ⊗ reads A alone. Then a cycle improves
        on itself, as a rule for ever. If your own ⊗ needs more rounds than that, set `max_rounds`.

    Notes
    -----
    O(n m) in the worst case, and as a rule O(m) for each round. On the CPU, matrices x0 have a
    search for each row where ⊕ is `any`, and for shortest paths.

    Integers wrap around as ⊗ does in the type of x0 (`lg.sssp` refuses distances that would). Give
    x0 a type that can hold all products: a product that wraps may be found by rounds and not in
    order of value, which does not compute what a better value of an entry makes needless.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from semirings import max_min
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 0, 1], [1, 2, 2], [3.0, 1.0, 2.0], nrows=3, ncols=3)
    ...     x0 = lg.Vector.from_coo([0], [float("inf")], size=3)
    >>> lg.closure(x0, A, max_min).to_dense().tolist()     # the widest path to each vertex
    [inf, 3.0, 2.0]
    """
    if max_rounds is None:
        max_rounds = max_steps
    elif max_steps is not None:
        raise InvalidValue(
            "expected max_rounds alone, for max_steps is its former name, "
            f"got max_rounds={max_rounds} and max_steps={max_steps}"
        )
    return _closure(x0, A, semiring, max_rounds, schedule).x


def closure_with_rounds(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring | str,
    max_rounds: int | None = None,
    schedule: Schedule | None = None,
) -> tuple[Start, Start]:
    """The closure, and the round in which each entry took its value.

    Parameters
    ----------
    x0 : Vector or Matrix
        What is known at first.
    A : Matrix
        The matrix of the edges, of n × n.
    semiring : Semiring or str
        The operations ⊕ and ⊗.
    max_rounds : int, optional
        The largest number of rounds: only paths of at most so many edges count. By default there is
        no bound.
    schedule : Schedule, optional
        How to carry it out. It can change the time, never the answer. If x0 is a matrix whose rows
        advance together, by rounds, it has no effect.

    Returns
    -------
    x : Vector or Matrix
        The closure.
    rounds : Vector or Matrix of INT32
        For each entry the round in which it took its value. Entries of x0 that did not change have
        0.

    Notes
    -----
    Raises the same errors as `closure`.
    """
    found = _closure(x0, A, semiring, max_rounds, schedule, with_rounds=True)
    return found.x, found.rounds


def closure_with_steps(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring | str,
    max_steps: int | None = None,
    schedule: Schedule | None = None,
) -> tuple[Start, Start]:
    """The former name of `closure_with_rounds`."""
    return closure_with_rounds(x0, A, semiring, max_steps, schedule)


def closure_up_to(
    limit: Any, x0: Start, A: Matrix | Any, semiring: Semiring, schedule: Schedule | None = None,
    with_parents: bool = False,
) -> Start:  # fmt: skip
    """The closure for a ⊗ that never improves on its left operand, up to a limit.

    Entries beyond `limit` may be missing, because a backend need not search there. Pass
    `with_parents=True` if the parents of all vertices will be needed.
    """
    found = _closure(x0, A, semiring, None, schedule, limit=limit, with_parents=with_parents)
    return found.x


class Fixpoint(NamedTuple):
    """The result of `fixpoint`. All containers have the shape of its start."""

    x: Any
    rounds: Any
    """The round in which each entry took its value (INT32); a lowering may leave it None unless it
    is asked for."""
    at_rest: bool
    """Would another round change nothing?"""


@operation
def fixpoint(
    x0: Start,
    A: Matrix | Any,
    semiring: Semiring,
    max_rounds: int,
    schedule: Schedule | None = None,
    *,
    with_rounds: bool = False,
    limit: Any = None,
    with_parents: bool = False,
) -> Fixpoint:
    """At most `max_rounds` rounds of x = x ⊕ (x ⊕.⊗ A), from x₀, whose type is that of the product.

    A lowering may leave out entries beyond `limit`. With `with_parents` it may note where the
    values came from, for `algorithms.paths.sssp.tight_forest`.
    """
    first_wins = semiring.monoid.is_any
    if schedule is not None and schedule.order == "delta" and not first_wins:
        require_weights(A, semiring)  # by rounds here, but what is refused depends on no backend
    if explaining() and isinstance(x0, Matrix):
        record_choice(f"closure {semiring.name}", LOOP, IN_STEP, laws=laws_of(semiring, x0.dtype))
    x = x0.dup()
    frontier, (candidate, same, when) = x.dup(), (_empty(x, t) for t in (x.dtype, BOOL, INT32))
    when(frontier.S) << 0
    rounds, small = 0, schedule is not None and schedule.small and len(x0.shape) == 1
    while frontier.nvals and rounds < max_rounds:
        if small and (done := small_rounds(x, frontier, when, A, semiring, rounds, max_rounds)):
            rounds += done
            continue
        rounds += 1
        if first_wins:  # what is present stays
            frontier(~x.S, replace=True, schedule=schedule) << semiring(frontier @ A)
        else:
            candidate(schedule=schedule) << semiring(frontier @ A)
            candidate(second) << semiring.monoid(x & candidate)  # x ⊕ candidate, at its entries
            same << eq(x & candidate)
            frontier(~same.V, replace=True) << candidate  # the entries that have changed
        x(frontier.S) << frontier
        when(frontier.S) << np.int32(rounds)
    return Fixpoint(x, when, not frontier.nvals)


@operation
def small_rounds(
    x: Any, frontier: Any, when: Any, A: Any, semiring: Semiring, rounds: int,
    max_rounds: int,
) -> int:  # fmt: skip
    """Continue the loop of `fixpoint` in place, as long as the frontier is small.

    `when` has the round of each entry of x. `rounds` have been done before, and the loop ends after
    `max_rounds` rounds in all. The result is the number of rounds that were done here. The
    statements do none, because the loop itself does them.
    """
    return 0


def _closure(
    x0: Start, A: Matrix | Any, semiring: Semiring | str, max_rounds: int | None,
    schedule: Schedule | None, *, with_rounds: bool = False, **options: Any,
) -> Fixpoint:  # fmt: skip
    """The fixpoint, after a check of the operands."""
    if not isinstance(x0, (Vector, Matrix)):
        expect_kind(x0, Vector | Matrix, "a Vector or a Matrix as x0, what is known at first")
    if not (hasattr(A, "shape") and hasattr(A, "backend")):
        raise WrongType(f"expected a Matrix as A, of a graph its G.A, got {brief(A)}")
    n = x0.shape[-1]
    if max_rounds is not None:
        max_rounds = rounds_bound(max_rounds)
    if not isinstance(semiring, Semiring):
        semiring = lookup("semiring", semiring)
        if not isinstance(semiring, Semiring):
            raise DomainMismatch(
                f"expected a semiring such as semirings.min_plus, got {brief(semiring)}"
            )
    if A.shape != (n, n):
        raise DimensionMismatch(f"expected a matrix of shape {(n, n)} beside x0, got {A.shape}")
    if x0.backend is not A.backend:
        same_backend(x0, A)
    if not semiring.idempotent:
        raise not_idempotent(semiring)
    if schedule is not None:
        expect_schedule(schedule, semiring, with_rounds, max_rounds)

    dtype = semiring.output(x0.dtype, A.dtype)
    if not keeps_type(semiring, dtype, A.dtype):
        A = A.dup(dtype) if isinstance(A, Matrix) else A.new(dtype)
    if max_rounds is None:
        long = n > MOST_NUMBERED  # then statements do the rounds, and n of them take years
        bound = enough_rounds(min(n, A.nvals + 1) if long else n, semiring)
    else:
        bound = max_rounds
    start = x0 if x0.dtype == dtype else x0.dup(dtype)
    found = fixpoint(start, A, semiring, bound, schedule, with_rounds=with_rounds, **options)
    if max_rounds is None and not found.at_rest:
        raise no_fixpoint(bound, semiring, found.x)
    return found


def expect_schedule(
    schedule: Any, semiring: Semiring, with_rounds: bool, max_rounds: int | None
) -> None:
    """Check a schedule and that the algebra allows the order that it asks for."""
    expect_kind(schedule, Schedule, "a Schedule or None as schedule")
    if schedule.order == "heap":
        raise InvalidValue(
            "expected order='rounds' or 'delta', got order='heap', which is for tables from many "
            "sources: lg.distance_matrix(G, sources, schedule=…), or lg.iter_distances"
        )
    if schedule.order == "delta":
        require_order(semiring, with_rounds, max_rounds)


@functools.cache
def keeps_type(semiring: Semiring, dtype: np.dtype, of_matrix: np.dtype) -> bool:
    """True if the closure keeps this type from one round to the next.

    The operator `bor`, for example, makes UINT64 of INT32, and no integer type holds both.
    """
    try:
        return semiring.output(dtype, of_matrix) == dtype
    except DomainMismatch:
        return False


def enough_rounds(n: int, semiring: Semiring) -> int:
    """The number of rounds after which a closure is at rest, unless a cycle improves on itself,
    where no path passes more than n vertices.

    The last round proves it. No path without a cycle has n edges; but where only the last edge of a
    path counts, one more edge may stand before it.
    """
    return n if semiring.reads_left or semiring.monoid.is_any else n + 1


def no_fixpoint(bound: int, semiring: Semiring, x: Start) -> NoFixpoint:
    """The error for values that go on changing."""
    if x.dtype.kind == "f" and AGGREGATORS["any"](x.apply("isnan").new()).new().value:
        return NoFixpoint(
            "expected the closure to come to rest, but it has a NaN, which differs from itself in "
            "every round; leave such entries out of x0 and A, or bound the length of paths with "
            "max_rounds"
        )
    return NoFixpoint(
        f"expected the closure to come to rest before round {bound}, which no path without a cycle "
        f"needs, but that round still improves entries: a cycle of {semiring.name} "
        "improves on itself; bound the length of paths with max_rounds, or remove the cycle"
    )


def _empty(x: Start, dtype: Any) -> Start:
    """A container of the shape of x without entries."""
    return type(x)(dtype, *x.shape, backend=x.backend)


def rounds_bound(value: Any, name: str = "max_rounds") -> int | None:
    """Check a bound on the number of rounds: None, or an integer of at least 0."""
    if value is None:
        return None
    if not is_integer(value) or value < 0:
        raise InvalidValue(
            f"expected {name} as an integer of at least 0 or None, got {brief(value)}"
        )
    return int(value)


def not_idempotent(semiring: Semiring) -> MissingLaw:
    """The error that says how a monoid of one's own is said to be idempotent."""
    return MissingLaw(
        f"expected a semiring whose ⊕ is idempotent, got {semiring.name}; a closure folds a value "
        "in more than once. If the law holds for your own monoid, claim it where you define it, as "
        "monoid.register_new does with is_idempotent=True"
    )


def totally_ordered(semiring: Semiring) -> bool:
    """True if ⊕ is the minimum or the maximum and ⊗ never improves on its left operand.

    This holds whatever the values of the vector are. Where `ordered` is a condition on the weights,
    it holds for weights that meet the condition.
    """
    extremum = semiring.monoid.op.parsed in EXTREMA
    return extremum and semiring.ordered is not None and semiring.carrier is None


def monotone(semiring: Semiring) -> bool:
    """True if ⊗ is monotone in both operands, in the order of ⊕, which is total.

    A ⊗ that distributes over a minimum or maximum is monotone: if y ⊕ z = y, then
    x ⊗ y = (x ⊗ y) ⊕ (x ⊗ z).
    """
    operands = semiring.reads_left and semiring.reads_right and not semiring.positional
    return totally_ordered(semiring) and bool(semiring.distributive) and operands


def require_order(semiring: Semiring, with_rounds: bool, max_rounds: int | None) -> None:
    """Check that the algebra and the arguments allow a closure by order of value."""
    first_wins = semiring.monoid.is_any
    if first_wins and semiring.reads_left:
        raise MissingLaw(
            f"expected a ⊗ that does not read the vector for 'any' by order='delta', got "
            f"{semiring.name}; use order='rounds'"
        )
    if not first_wins and not totally_ordered(semiring):
        raise unordered(semiring)
    if max_rounds is not None or (with_rounds and not first_wins):
        raise InvalidValue(
            "expected order='rounds' where rounds are bounded or asked for, got order='delta'"
        )


def unordered(semiring: Semiring) -> MissingLaw:
    """The error that says which law is missing for a closure by order of value."""
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
        f"{wanted} whatever values the vector holds, got {semiring.name}, which is ordered "
        f"for its carrier alone, {semiring.carrier}: ⊗ may improve on a value of x0 outside of it, "
        "and x0 is not searched for such values; use order='rounds'"
    )


def holds_for_all(A: Matrix, condition: str) -> bool:
    """True if all entries y of A meet a condition such as "y >= 0"."""
    if condition == "always":
        return True
    of_entry = parse(condition).substituted({"y": "x"}).text
    return bool(A.apply(unary(of_entry)).reduce("land").new().get(True))


def require_weights(A: Matrix | Any, semiring: Semiring) -> None:
    """Check that all weights allow a closure by order of value."""
    assert semiring.ordered is not None
    if not holds_for_all(A, semiring.ordered):
        raise unlawful_weights(semiring)


def unlawful_weights(semiring: Semiring) -> MissingLaw:
    return MissingLaw(
        f"expected weights y with {semiring.ordered} for {semiring.name} by order='delta', which "
        "needs a ⊗ that never improves on its left operand, but some entry violates it; use "
        "order='rounds'"
    )
