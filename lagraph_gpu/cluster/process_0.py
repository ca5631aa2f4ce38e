"""What process 0 does alone: when it does, and the whole matrices that it keeps for it.

An operation without a lowering for distributed rows is a program of statements, each of which costs
some exchanges, moves entries and works row by row on every process, while the local backend of one
process may do all of it in one loop or kernel. So process 0 carries such an operation out wherever
it has room for the matrices and for the work; the measurements are in record 0264. Only where it
has not, the processes run the statements together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakSet

from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.one_process import on_one_process
from lagraph_gpu.cluster.packing import place_type
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import CAN_BE_GIVEN_BACK, available_bytes
from semirings.types import INT64


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
"""While a matrix moves to process 0, that has the entries twice, and others of its host have copies
of theirs."""

FEW_ENTRIES = 1 << 21
"""What process 0 keeps of matrices of so many entries, and no more rows and columns, is not given
back, so nobody need ask."""


class Whole:
    """A whole matrix and the graphs of it, on process 0; on others nothing."""

    def __init__(self, A: Any, few: bool) -> None:
        self.A, self.few, self.graphs = A, few, dict[bool, Graph]()
        if A is not None and not few:
            KEPT.add(self)

    def holding(self, A: Any) -> Whole:
        """Another matrix with the same entries, on process 0."""
        return Whole(A, self.few)

    def give_back(self) -> None:
        self.A = None
        self.graphs.clear()


KEPT: WeakSet[Whole] = WeakSet()
"""What process 0 can give back, because it can be moved there again."""

SPARED: list[Sequence[Distributed]] = []
"""The matrices of operations that are under way, which process 0 does not give back."""


@contextmanager
def spared(stores: Sequence[Distributed]) -> Iterator[None]:
    """A block in which what this process keeps of these matrices is not given back."""
    SPARED.append(stores)
    try:
        yield
    finally:
        SPARED.remove(stores)


def give_back_kept() -> bool:
    """Give back the matrices of all processes that this one keeps, but those that are `SPARED`.
    True if there were any."""
    under_way = [store.whole for stores in SPARED for store in stores]
    given = [whole for whole in KEPT if whole not in under_way]
    for whole in given:
        whole.give_back()
        KEPT.discard(whole)
    return bool(given)


CAN_BE_GIVEN_BACK.append(give_back_kept)


def process_0_takes(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace
) -> bool:
    """Whether process 0 has these matrices, or gets them now, and has room to work on them. All
    learn it in one exchange; without one if they are of few entries and are there."""
    if all(store.whole is not None and is_few(distribution, store) for store in stores):
        return True
    missing = missing_if_room(distribution, stores, workspace)
    with spared(stores):
        for number, store in enumerate(stores):
            if missing >= 0 and missing >> number & 1:
                store.whole = None
                moved = moved_whole(distribution, store)
                distribution.comm.agree()  # nobody assumes that it is there if that has failed
                store.whole = moved
    return missing >= 0


def is_few(distribution: Distribution, store: Distributed) -> bool:
    """Whether the whole matrix, and the work on it, take so little that nobody need ask."""
    return max(distribution.entries_of(store), *store.shape) <= FEW_ENTRIES


def missing_if_room(
    distribution: Distribution, stores: Sequence[Distributed], workspace: Workspace
) -> int:
    """The matrices that process 0 has not, as the bits of a number; -1 if it has no room for what
    is to be done. It gives back what it keeps of others before it says so."""
    missing, sizes = 0, [distribution.entries_of(store) for store in stores]
    if distribution.rank == 0:
        absent = [not (store.whole and store.whole.A is not None) for store in stores]
        missing = sum(1 << number for number, one in enumerate(absent) if one)
        held = [whole_bytes(*both) for both in zip(stores, sizes)]
        moved = sum(size for size, one in zip(held, absent) if one)
        work = sum(
            workspace.row * max(s.shape) + workspace.entry * m for s, m in zip(stores, sizes)
        )
        needed = moved + work, FREE_PER_MATRIX * moved
        with spared(stores):
            if not has_room(distribution, *needed) and not (
                give_back_kept() and has_room(distribution, *needed)
            ):
                missing = -1
    return int(distribution.counts(missing)[0, 0])


def whole_bytes(store: Distributed, entries: int) -> int:
    """The bytes of the whole matrix on one process."""
    each = place_type(store.shape[1]).itemsize + store.part.dtype.itemsize
    return each * entries + INT64.itemsize * store.shape[0]


def has_room(distribution: Distribution, work: int, move: int) -> bool:
    """Whether so many bytes are free for the work where this process stores matrices, and for the
    move on its host."""
    free, of_host = distribution.local.free_bytes(), available_bytes()
    return (free is None or work <= free) and (of_host is None or move <= of_host)


def moved_whole(distribution: Distribution, store: Distributed) -> Whole:
    """The whole matrix, which is moved to process 0 now."""
    made = on_one_process(distribution, store, 0, distribution.local)
    A = None if made is None else distribution.handle(made, store.shape, store.part.dtype)
    return Whole(A, is_few(distribution, store))


def whole_of(store: Distributed) -> Any:
    """The whole matrix as a container of the local backend of process 0, which has said that it
    takes it; None on others."""
    assert store.whole is not None
    return store.whole.A


def whole_graph(G: Graph) -> Graph | None:
    """The whole graph on process 0, and None on others."""
    A = whole_of(G.A._store)
    if A is None:
        return None
    graphs = G.A._store.whole.graphs
    return graphs.setdefault(G.directed, Graph._checked(A, G.directed))
