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

from lagraph_gpu import memory
from lagraph_gpu.cluster.communicator import NotThere
from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.one_process import on_one_process
from lagraph_gpu.cluster.packing import place_type
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import CAN_BE_GIVEN_BACK, CHECKED_BYTES, available_bytes
from semirings.types import INT64

Result = TypeVar("Result")


class Workspace(NamedTuple):
    """The bytes that an operation takes beside its matrices, at most: for each row, and for each
    entry of them."""

    row: int
    entry: int


OF_OPERATIONS = Workspace(600, 200)
"""What the lowerings of one process take, with what they find and its copies: the largest figures
of `calls/memory_needs.py` beside those of contractions and tables, rounded up."""

OF_CLOSURES = Workspace(200, 40)
"""What a closure takes, by the same figures."""

FREE_PER_MATRIX = 4
"""While a matrix moves to the root, that has the entries twice, and others of its host have copies
of theirs."""

FEW_ENTRIES = 1 << 21
"""A matrix is small that has so many entries, and no more rows and columns."""

ASSUMED_BYTES = 1 << 28
"""The root does not ask what is free for so many bytes of work on small matrices, unless there is a
limit: to ask takes a tenth of a millisecond."""


class Whole:
    """A whole matrix of the local backend of the root, and the graphs of it; on others nothing."""

    def __init__(self, A: Any) -> None:
        self.A, self.graphs = A, dict[bool, Graph]()
        if A is not None:
            KEPT.add(self)

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
        made = on_one_process(distribution, store, 0, distribution.local)
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


KEPT: WeakSet[Whole] = WeakSet()
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
    given = [one for one in KEPT if one not in needed]
    for one in given:
        one.give_back()
        KEPT.discard(one)
    return bool(given)


CAN_BE_GIVEN_BACK.append(give_back_kept)


def by_root(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    work: Callable[[], Result], form: type[Whole] = Whole,
) -> Result | None:  # fmt: skip
    """What `work` returns, which all processes do together while the root has these matrices in
    this form; None if it has no room for them or for the work. What `work` returns is told by the
    root, or None on all."""
    comm = distribution.comm
    if all(form in store.kept and is_small(distribution, store, form) for store in stores):
        with comm.until(NotThere), spared(kept_of(stores, form)):
            if distribution.rank == 0:
                expect_there(distribution, stores, workspace, form)
            result = work()
            if result is None:
                comm.agree()
            return result
        for store in stores:
            del store.kept[form]
    if not root_takes(distribution, stores, workspace, form):
        return None
    with spared(kept_of(stores, form)):
        return work()


def kept_of(stores: Sequence[Distributed], form: type[Whole]) -> list[Whole]:
    """What the root has of matrices, as far as it has been moved there."""
    return [store.kept[form] for store in stores if form in store.kept]


def is_small(distribution: Distribution, store: Distributed, form: type[Whole] = Whole) -> bool:
    """Whether a matrix is so small that all assume that the root has it."""
    entries = distribution.entries_of(store)
    return max(entries, form.rows(store, entries)) <= FEW_ENTRIES


def expect_there(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole],
) -> None:  # fmt: skip
    """Raises NotThere, on the root, if it has not all of these small matrices, or no room for the
    work. It gives back what it keeps of others before."""
    work, _ = needed_bytes(distribution, stores, workspace, form)
    asks = memory.LIMIT[0] is not None or memory.GPU_LIMIT[0] is not None or work > ASSUMED_BYTES
    absent = any(store.kept[form].A is None for store in stores)
    if absent or (asks and work > CHECKED_BYTES and not makes_room(distribution, work, 0)):
        raise NotThere


def root_takes(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole] = Whole,
) -> bool:  # fmt: skip
    """Whether the root has these matrices, or gets them now, and has room to work on them. All
    learn it in one exchange."""
    missing = missing_if_room(distribution, stores, workspace, form)
    for number, store in enumerate(stores):
        if missing >= 0 and missing >> number & 1:
            store.kept.pop(form, None)
            with spared(kept_of(stores, form)):
                moved = form.moved(distribution, store)
                distribution.comm.agree()  # nobody assumes that it is there if that has failed
            store.kept[form] = moved
    return missing >= 0


def missing_if_room(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole] = Whole,
) -> int:  # fmt: skip
    """The matrices that the root has not, as the bits of a number; -1 if it has no room for what is
    to be done. It gives back what it keeps of others before it says so."""
    missing, needed = 0, needed_bytes(distribution, stores, workspace, form)
    if distribution.rank == 0:
        absent = [not there(store, form) for store in stores]
        missing = sum(1 << number for number, one in enumerate(absent) if one)
        with spared(kept_of(stores, form)):
            if not makes_room(distribution, *needed):
                missing = -1
    return int(distribution.counts(missing)[0, 0])


def there(store: Distributed, form: type[Whole]) -> bool:
    """Whether this process, the root, has a matrix in this form."""
    return form in store.kept and store.kept[form].A is not None


def needed_bytes(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace,
    form: type[Whole],
) -> tuple[int, int]:  # fmt: skip
    """The bytes that the root takes for the matrices that it has not yet and for the work, and
    those that its host needs while they move."""
    work = moved = 0
    for store in stores:
        entries = distribution.entries_of(store)
        work += workspace.row * form.rows(store, entries) + workspace.entry * entries
        moved += 0 if there(store, form) else form.bytes(store, entries)
    return moved + work, FREE_PER_MATRIX * moved


def makes_room(distribution: Distribution, work: int, move: int) -> bool:
    """Whether so many bytes are free for the work where the root stores matrices, and for the move
    on its host. It gives back what it keeps of others if that helps."""
    fits = has_room(distribution, work, move)
    return fits or (give_back_kept() and has_room(distribution, work, move))


def has_room(distribution: Distribution, work: int, move: int) -> bool:
    """Whether so many bytes are free now."""
    free, of_host = distribution.local.free_bytes(), available_bytes()
    return (free is None or work <= free) and (of_host is None or move <= of_host)


def whole_of(store: Distributed) -> Any:
    """The whole matrix as a container of the local backend of the root, which has said that it
    takes it; None on others."""
    return store.kept[Whole].A


def whole_graph(G: Graph) -> Graph | None:
    """The whole graph on the root, and None on others."""
    return G.A._store.kept[Whole].graph(G.directed)  # type: ignore[no-any-return]
