"""What process 0, the root, does alone: when it does, and what it keeps for it.

An operation without a lowering for distributed rows is a program of statements, each of which costs
some exchanges, moves entries and works row by row on every process, while the local backend of one
process may do all of it in one loop or kernel. So the root carries such an operation out wherever
it has room for the matrices and for the work; the measurements are in record 0264. Only where it
has not, the processes run the statements together.

What the root keeps of matrices is given back when memory is short, and moved there again when it is
needed. Of small ones all assume that the root has them, and room for the work, if it had them
before, so that a call has one exchange less. If that is wrong, the first exchange of the work tells
all of them, and they begin again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar
from weakref import WeakSet

import numpy as np

from lagraph_gpu import memory
from lagraph_gpu.cluster.common_errors import NotThere
from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.gathered import gathered_on
from lagraph_gpu.cluster.packing import place_type
from lagraph_gpu.errors import grouped
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import (
    CHECKED_BYTES,
    HOST_RECLAIMERS,
    NO_LIMIT,
    Needs,
    available_bytes,
    free_for,
    short_of,
    source_of_limit,
)
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.reporting import LOG
from semirings.types import INT64

Result = TypeVar("Result")

ON_ROOT = "on process 0"
"""What the user is told of what the root does alone."""


class Workspace(NamedTuple):
    """The bytes that an operation takes beside its matrices, at most: for each row, and for each
    entry of them."""

    row: int
    entry: int


OF_OPERATIONS = Workspace(600, 200)
"""What the lowerings of one process take, with what they find and its copies: the largest figures
of `calls/memory_figures.py` beside those of contractions, tables and neighbours in common, rounded
up."""

OF_CLOSURES = Workspace(200, 40)
"""What a closure takes, by the same figures."""

DEALT = Workspace(64, 40)
"""What it takes to deal out vectors or a matrix that the root has found."""

FREE_PER_MATRIX = 4
"""While a matrix moves to the root, that has the entries twice, and others of its host have copies
of theirs."""

SMALL_MATRIX_ENTRIES = 1 << 21
"""A matrix is small that has so many entries, and no more rows and columns."""

ASSUMED_BYTES = 1 << 28
"""The root does not ask what is free for so many bytes of work on small matrices, unless there is a
limit: to ask takes a tenth of a millisecond."""


class Whole:
    """A whole matrix of the local backend of the root, and the graphs of it; on others nothing."""

    def __init__(self, A: Any) -> None:
        self.A, self.graphs = A, dict[bool, Graph]()
        if A is not None:
            RECLAIMABLE.add(self)

    @staticmethod
    def rows(store: Distributed, entries: int) -> int:
        """How many rows or columns it has of a matrix with so many entries."""
        return max(store.shape)

    @classmethod
    def bytes(cls, store: Distributed, entries: int) -> int:
        """The bytes that it takes of a matrix with so many entries."""
        each = place_type(store.shape[1]).itemsize + store.part.dtype.itemsize
        return each * entries + INT64.itemsize * store.shape[0]

    @classmethod
    def moved(cls, distribution: Distribution, store: Distributed) -> Whole:
        """What the root has once all processes have sent it their parts."""
        made = gathered_on(distribution, store, ROOT, distribution.local)
        return cls(
            None if made is None else distribution.handle(made, store.shape, store.part.dtype)
        )

    @property
    def nbytes(self) -> int:
        return 0 if self.A is None else self.A.backend.matrix_bytes(self.A._store)

    def graph(self, directed: bool) -> Graph | None:
        """The graph of the matrix on the root, and None on others."""
        if self.A is None:
            return None
        return self.graphs.setdefault(directed, Graph._checked(self.A, directed))

    def give_back(self) -> None:
        self.A = None
        self.graphs.clear()


RECLAIMABLE: WeakSet[Whole] = WeakSet()
"""All that the root can give back."""

SPARED: list[list[Whole]] = []
"""What operations need that are under way: the root does not give it back."""


@contextmanager
def spared(kept: list[Whole]) -> Iterator[None]:
    """A block in which this process does not give these back."""
    SPARED.append(kept)
    try:
        yield
    finally:
        SPARED.remove(kept)


def give_back_kept() -> bool:
    """Give back what this process keeps, unless it is `SPARED`. True if there was any."""
    needed = [one for kept in SPARED for one in kept]
    given = [one for one in RECLAIMABLE if one not in needed]
    for one in given:
        one.give_back()
        RECLAIMABLE.discard(one)
    return bool(given)


HOST_RECLAIMERS.append(give_back_kept)


class Answer(NamedTuple):
    """What the root says when it is asked whether it carries something out."""

    missing: int
    """The matrices that it has not, as the bits of a number; -1 if it has no room."""
    needed: int
    free: int | None
    """The bytes that it needs and has for the work, or for the matrices while they move if it has
    not enough of those."""

    @property
    def fits(self) -> bool:
        return self.missing >= 0


def by_root(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    work: Callable[[], Result], what: str = "", form: type[Whole] = Whole,
) -> Result | None:  # fmt: skip
    """What `work` returns, which all processes do together while the root has these matrices in
    this form; None if it has no room for them or for the work, of which the user is told if it is
    said `what` is done. What `work` returns is told by the root, or None on all."""
    comm = distribution.comm
    if all(form in store.kept and is_small(distribution, store, form) for store in stores):
        with comm.until(NotThere), spared(kept_of(stores, form)):
            if distribution.is_root:
                expect_there(distribution, stores, workspace, form)
            result = work()
            if result is None:
                comm.agree()
            return result
        for store in stores:
            del store.kept[form]
    if not root_takes(distribution, stores, workspace, what, form):
        return None
    with spared(kept_of(stores, form)):
        return work()


def kept_of(stores: Sequence[Distributed], form: type[Whole]) -> list[Whole]:
    """What the root has of matrices, as far as it has been moved there."""
    return [store.kept[form] for store in stores if form in store.kept]


def is_small(distribution: Distribution, store: Distributed, form: type[Whole] = Whole) -> bool:
    """Whether a matrix is so small that all assume that the root has it."""
    entries = distribution.entries_of(store)
    return max(entries, form.rows(store, entries)) <= SMALL_MATRIX_ENTRIES


def expect_there(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole],
) -> None:  # fmt: skip
    """Raises NotThere, on the root, if it has not all of these small matrices, or no room for the
    work. It gives back what it keeps of others before."""
    if any(store.kept[form].A is None for store in stores):
        raise NotThere
    limited = memory.LIMITS.host is not None or memory.LIMITS.gpu is not None
    if not limited and needed_bytes(distribution, stores, workspace, form, None)[0] < ASSUMED_BYTES:
        return
    work, _ = needed_bytes(distribution, stores, workspace, form, current_needs())
    if work > CHECKED_BYTES and not makes_room(distribution, work, 0):
        raise NotThere


def root_takes(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace, what: str,
    form: type[Whole] = Whole,
) -> bool:  # fmt: skip
    """Whether the root has these matrices, or gets them now, and has room to work on them. All
    learn it in one exchange."""
    answer = asked(distribution, stores, workspace, form)
    if not answer.fits:
        if what:
            tell_of_statements(distribution, stores, what, answer)
        return False
    for number, store in enumerate(stores):
        if answer.missing >> number & 1:
            store.kept.pop(form, None)
            with spared(kept_of(stores, form)):
                moved = form.moved(distribution, store)
                distribution.comm.agree()  # nobody assumes that it is there if that has failed
            store.kept[form] = moved
    return True


def asked(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole] = Whole,
) -> Answer:  # fmt: skip
    """What the root answers. It gives back what it keeps of others before it says that it has no
    room."""
    needed = needed_bytes(distribution, stores, workspace, form, current_needs())
    if distribution.is_root:
        with spared(kept_of(stores, form)):
            makes_room(distribution, *needed)
    return answered(distribution, stores, needed, form)


def plan(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole], needs: Needs,
) -> Answer:  # fmt: skip
    """What the root would answer in a call that needs so much. It gives nothing back for it."""
    needed = needed_bytes(distribution, stores, workspace, form, needs)
    keeps = kept_of(stores, form)
    spare = sum(one.nbytes for one in RECLAIMABLE if one not in keeps)
    return answered(distribution, stores, needed, form, spare)


def answered(
    distribution: Distribution, stores: Sequence[Distributed], needed: tuple[int, int],
    form: type[Whole], spare: int = 0,
) -> Answer:  # fmt: skip
    """The answer of the root, which needs so many bytes for the work and while matrices move, and
    has so many to spare beside those that are free."""
    mine = np.zeros(3, np.int64)
    if distribution.is_root:
        (work, move), (free, of_host) = needed, room(distribution)
        missing = sum(1 << k for k, store in enumerate(stores) if not there(store, form))
        short_of_work = free is not None and work > free + spare
        short_of_move = of_host is not None and move > of_host + spare
        wanted, least = (work, free) if short_of_work or not short_of_move else (move, of_host)
        mine[:] = (
            -1 if short_of_work or short_of_move else missing, min(wanted, NO_LIMIT),
            -1 if least is None else least + spare,
        )  # fmt: skip
    missing, wanted, known = distribution.counts(*mine.tolist())[0].tolist()
    return Answer(missing, wanted, None if known < 0 else known)


def there(store: Distributed, form: type[Whole]) -> bool:
    """Whether this process, the root, has a matrix in this form."""
    return form in store.kept and store.kept[form].A is not None


def current_needs() -> Needs | None:
    """What the public call under way takes, if it is known."""
    return memory.CALLS[-1]() if memory.CALLS else None


def needed_bytes(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole], needs: Needs | None,
) -> tuple[int, int]:  # fmt: skip
    """The bytes that the root takes for the matrices that it has not yet and for the work, and
    those that its host needs while they move. The work takes no more than the public call needs of
    which it is a part, with what is dealt out."""
    row, entry = workspace
    if needs is not None:
        row, entry = min(row, needs.row + DEALT.row), min(entry, needs.entry + DEALT.entry)
    work = moved = 0
    for store in stores:
        entries = distribution.entries_of(store)
        work += row * form.rows(store, entries) + entry * entries
        moved += 0 if there(store, form) else form.bytes(store, entries)
    if needs is not None:
        work += needs.beside(distribution.entries_of(stores[0]))
    return moved + work, FREE_PER_MATRIX * moved


def makes_room(distribution: Distribution, work: int, move: int) -> bool:
    """Whether so many bytes are free for the work where the root stores matrices, and for the move
    on its host. It gives back what it keeps of others if that may help."""
    fits = has_room(distribution, work, move)
    return fits or (give_back_kept() and has_room(distribution, work, move))


def has_room(distribution: Distribution, work: int, move: int) -> bool:
    """Whether so many bytes are free now."""
    free, of_host = room(distribution)
    return (free is None or work <= free) and (of_host is None or move <= of_host)


def room(distribution: Distribution) -> tuple[int | None, int | None]:
    """The bytes that are free where this process stores matrices, and on its host."""
    return distribution.local.free_bytes(), available_bytes()


def tell_of_statements(
    distribution: Distribution, stores: Sequence[Distributed], what: str, answer: Answer
) -> None:
    """Tell the user that all processes run statements because the root has no room, once for each
    operation on a matrix. Raises TooLarge if a process has no room for them either."""
    said = (
        f"process 0 would take {grouped(answer.needed)} bytes, of which {answer.free:,} are free"
        f"{source_of_limit()}"
    )
    needs = current_needs()
    if needs is not None:
        wanted = needs.by_statements * distribution.part_shape((needs.vertices,))[0]
        free = free_for(wanted, available_bytes) if wanted > CHECKED_BYTES else None
        if free is not None and wanted > free:
            raise short_of(
                f"expected {what} to fit into the free memory, but {said}, and statements of all "
                f"processes take at least {grouped(wanted)} in each, of which {free:,} are free in "
                f"process {distribution.rank}; take more processes or hosts, or raise the limit"
            )
        distribution.comm.agree()  # or some would keep facts of a graph that others refuse to find
    if explaining():
        record_choice(what, "statements", f"{said}, so all processes run its statements")
    if distribution.is_root and what not in stores[0].told:
        LOG.warning("%s: all processes run its statements, which may take long: %s", what, said)
    stores[0].told.add(what)


def whole_of(store: Distributed) -> Any:
    """The whole matrix as a container of the local backend of the root, which has said that it
    takes it; None on others."""
    return store.kept[Whole].A


def whole_graph(G: Graph) -> Graph | None:
    """The whole graph on the root, and None on others."""
    return G.A._store.kept[Whole].graph(G.directed)  # type: ignore[no-any-return]
