"""The protocols between the cluster backend and the local backend of each of its processes.

A local backend need have none of this: vectors then move through the hosts, and operations run by
their statements. `lagraph_gpu.backend` is the port that every backend implements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend, Rows
    from lagraph_gpu.graph import Graph
    from lagraph_gpu.notation import Matrix, Vector
    from lagraph_gpu.notation.expressions import Shape
    from semirings import Monoid, Semiring


HEAD_BYTES = 64
"""The bytes of a head: what a process tells each other one before it sends more. Where processes
share memory, heads of two processes lie in different lines of the cache."""


TRANSPORTS = "nccl", "stores", "ipc", "host"
"""The ways between devices that LAGRAPH_CLUSTER_TRANSPORT may name."""


class VectorExchange(Protocol):
    """Exchanges the entries of distributed vectors between processes, in the memory of devices.

    A backend that can do so has a method `vector_exchange(host)`, which makes one of a transport
    for bytes on hosts (`lagraph_gpu.cluster.transport`). All processes call every function
    together.

    Memory is allocated before the processes agree, and bytes move after it.
    """

    @property
    def sent(self) -> int:
        """The bytes that this process has sent to others."""

    def all_gather(
        self, part: Any, size: int, reads: bool, agree: Callable[[int], Sequence[int] | None]
    ) -> Any | None:
        """A store of the whole vector, of which each process has a part. `agree` takes the number
        of entries of the part and returns those of all, or None if it is not to be moved. Unless
        somebody `reads` the values they are not sent, and are nothing in particular.
        """

    def placed(self, part: Any, size: int) -> Any:
        """The part of this process as a vector of the size of the whole."""

    def reduce_scatter(
        self, found: Any, monoid: Monoid, agree_on: Callable[[Sequence[int]], Sequence[int]],
        agree: Callable[[], None],
    ) -> Any:  # fmt: skip
        """The fold by ⊕ of what `all_to_all` gives."""

    def all_to_all(
        self, found: Any, agree_on: Callable[[Sequence[int]], Sequence[int]],
        agree: Callable[[], None],
    ) -> list[Any]:  # fmt: skip
        """What each process has found for the positions of this one, as a store of its part.
        `found` is a store of the size of the whole. `agree_on` takes how many entries are for each
        process, and returns how many come from each.
        """

    def fold_changed(
        self, candidate: Any, known: Any, levels: Any | None, rounds: int, monoid: Monoid,
        rows: Any | None,
    ) -> Any:  # fmt: skip
        """Write known ⊕ candidate into `known`, a store that nobody else has, and `rounds` into
        `levels` at the entries that change. The result holds these entries until the next call,
        with their number, and the number of entries in these rows of a matrix.
        """

    def frontier_counts(self, part: Any, rows: Any) -> tuple[int, int]:
        """The number of entries of a vector, and of those in the rows of a matrix at these
        positions.
        """


class Dealt(Protocol):
    """A vector or a matrix of the root, cut into the parts of all processes."""

    @property
    def notes(self) -> list[list[int]]:
        """The few numbers that each process has to know before its part comes."""


class RootExchange(Protocol):
    """Moves vectors and matrices between the device of one process, the root, which has the whole,
    and those of all, which have their parts.

    A backend that can do so has a method `root_exchange(exchange)`, which makes one of its
    `vector_exchange`. All processes call `scatter` and `gather` together.

    Memory is allocated before the processes agree, and bytes move after it.
    """

    def moves(self, shape: Shape) -> bool:
        """Whether it moves vectors and matrices of this shape."""

    def dealt(self, whole: Any) -> Dealt:
        """A store of the root in the parts of all processes."""

    def scatter(
        self, told: Sequence[tuple[Shape, np.dtype, Sequence[int]]], dealt: Sequence[Dealt],
        root: int, agree: Callable[[], None],
    ) -> list[Any]:  # fmt: skip
        """The stores of this process' parts of what the root has `dealt`, of which others have
        nothing. Of each are told the shape of the whole, the type, and the notes for this process.
        """

    def gather(
        self, part: Any, shape: Shape, root: int, tell: Callable[[Sequence[int]], np.ndarray],
        agree: Callable[[], None],
    ) -> Any | None:  # fmt: skip
        """A store of the whole vector or matrix of this shape, of which each process has a part, on
        the root; None on others. `tell` takes numbers, and returns those of all, a row for each
        process."""


LevelReport = Callable[[int, np.ndarray, bool, float], bool]
"""Takes the number of rounds done, the entries of the frontier that they left on each process,
whether the last one was a pull, and the seconds that the host has waited in it; returns whether the
closure is to end without a result. Unless someone asks for an explanation, it may be called once
for several rounds, with the entries of all of them, and not at all for the last ones."""


class LocalBackend(Protocol):
    """What the cluster asks of a local backend beside the port. It needs `renamed` where one
    process runs alone; each of the others may be missing."""

    def renamed(self, name: str) -> Backend:
        """Another backend of this kind, under another name."""

    def transport_on_host(self, between: Any) -> Any:
        """A nearer way between processes of one host than this transport, or the transport."""

    def vector_exchange(self, host: Any) -> VectorExchange:
        """Exchanges of vectors in the memory of devices, beside this transport between hosts."""

    def root_exchange(self, exchange: VectorExchange) -> RootExchange:
        """Exchanges of what process 0 has alone."""

    def distributed_operations(
        self, exchange: VectorExchange | None, processes: HostProcesses
    ) -> DistributedOperations:
        """Operations over the rows of all processes."""


class ListsRows(Protocol):
    """A local backend that has large graphs: rows without entries take no memory there."""

    def build_listed(self, shape: Shape, places: np.ndarray, rows: Rows, iso: bool) -> Any:
        """A matrix store of which only these rows have entries: their places, increasing, and
        (indptr, indices, values), with increasing indices in each. With `iso` there is one value
        for all entries."""


class HostProcesses(Protocol):
    """All processes, for bytes between their hosts. An error of one is raised in all of them by the
    next exchange.
    """

    rank: int
    size: int
    met: bool
    """Whether a kernel in which the devices of all have met was the last thing that all have done
    together; who launches it says so."""

    settled: bool
    """Whether all have met behind what a statement does, so that its end needs no meeting. Who lets
    them meet says so."""

    epoch: int
    """How many exchanges have begun, which all have begun together."""

    def shared(self, size: int) -> np.ndarray | None:
        """So many bytes for each process, zeros at first, as rows of an array that all processes
        share. None if they are not all on one host."""

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        """What `work` returns, in which the processes wait for each other in shared memory."""

    def count(self, sent: int, meetings: int, waited: float) -> None:
        """Note what this process has sent to others in shared memory, in so many meetings, and the
        microseconds that it has waited in them."""

    def begin(self) -> None:
        """Tell the others that this process has come here."""

    def finish(self) -> None:
        """Go on when all processes have come to where they `begin`."""

    def values(self, mine: np.ndarray) -> np.ndarray:
        """The few values of each process, one after another."""

    def all_gather(self, part: np.ndarray) -> list[np.ndarray]:
        """Send the same bytes to all processes; the result is what each has sent."""

    def all_to_all(self, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Send bytes to each process; the result is what each has sent to this one."""


class DistributedOperations(Protocol):
    """Operations over rows that are distributed over processes, each with its local backend. A
    backend that has them makes them by `distributed_operations(exchange, processes)`, of its
    `vector_exchange` if it has one. All processes call each function together, and `agree` before
    anything moves between devices.
    """

    in_shared_memory: SharedMemoryLoops | None
    """Whole searches and walks of processes that share memory, if there are such loops."""

    exposed: bool
    """Whether an error now could not be told to the other processes, which wait for bytes. It stays
    so after such an error, for the caller to read."""

    def closure(
        self, start: Any, size: int, outgoing: Any | None, incoming: Any | None,
        threshold: int, semiring: Semiring, max_rounds: int, agree: Callable[[], None],
        report: LevelReport, with_rounds: bool,
    ) -> tuple[Any, Any, bool] | None:  # fmt: skip
        """The part of the closure of a vector of this size, the rounds of its entries, and whether
        it is at rest. The rounds may be None unless `with_rounds`. Each process has its
        part of the start, and the edges that leave or enter its own positions (or both) as stores
        of rows with whole columns. A round pulls if more than `threshold` edges leave the frontier.
        None if there is no such closure for these operands, or if `report` says so.
        """

    def component_labels(
        self, rows: Any, own: int, size: int, agree: Callable[[], None]
    ) -> Any | None:
        """For each of the `own` positions of this process, of `size` in all, the smallest position
        of its component. `rows` are its rows of a symmetric matrix. None for such rows as it does
        not support.
        """

    def pagerank_rounds(
        self, into: Any, size: int, weighted: bool, vectors: Sequence[Any], whole: float
    ) -> tuple[Callable[[], Any], Iterator[float]] | None:
        """Rounds of PageRank (`pagerank.pagerank_rounds`) over vectors of this size, as the sums of
        the changes of all, and a function that gives the part of this process after them. `into`
        has the edges that enter its positions; `vectors` are its parts of the start, the rate, the
        sink and the teleport (or None). None for such operands as it does not support.
        """

    def tight_tails(self, into: Any, x: Any, order: Semiring) -> Any | None:
        """For each position of this process, whose in-edges are the rows `into`, the tail of an
        edge that explains its value, x(tail) ⊗ edge = x(position), and that has a better one
        itself. Each process has the whole vector x. None for such operands as it does not support.
        """


class SharedMemoryLoops(Protocol):
    """A whole search from one vertex, or all rounds of PageRank, in one call, in which processes
    meet in shared memory. All processes call each function together, and each gets the stores of
    its parts: levels or lengths, and parents. None on all if one of them is `asked` for each level
    or round, if there is no such loop for these operands, if a process has processors for more
    threads than the loop takes, or if the first levels have fewer entries than `deep` says.
    """

    def shared_bytes(self, size: int) -> int:
        """How many bytes more all processes would share for a search of so many vertices."""

    def ranks_at_once(
        self, into: Any, size: int, weighted: bool, vectors: Sequence[Any], whole: float,
        bound: float, most: int, asked: bool,
    ) -> tuple[Any, int, float] | None:  # fmt: skip
        """The ranks, how many rounds there were, and the change of the last one, which is the first
        of at most `bound`; at most so many. Operands are those of `pagerank_rounds`."""

    def levels_and_parents(
        self, source: int, size: int, outgoing: Any | None, incoming: Any | None, threshold: int,
        max_rounds: int, deep: tuple[int, int], asked: bool,
    ) -> tuple[Any, Any] | None:  # fmt: skip
        """The levels of a breadth-first search, of which each process has rows as for `closure`."""

    def lengths_and_parents(
        self, source: int, size: int, outgoing: Any, incoming: Any, dtype: np.dtype, edges: int,
        longest: float, deep: tuple[int, int], asked: bool,
    ) -> tuple[Any, Any] | None:  # fmt: skip
        """The lengths of shortest paths, in the type of the edges, for sums of another type; no
        edge is of negative length or longer than `longest`, and all processes have `edges`. None
        also if a vertex has no nearer one that explains its length."""

    def levels_of_root(
        self, whole: Graph | None, size: int, source: int, bound: int | None
    ) -> Sequence[Callable[[], Any]] | None:
        """The levels, up to a bound, that the root finds alone in the whole graph; others have
        None for it. None on all if the root has no loop for this graph, or is asked for rounds.

        What is found so each process takes when it is needed: the results are functions that make
        the stores of its parts, each of which is called once at most."""

    def labels_of_root(self, whole: Matrix | None, size: int) -> Callable[[], Any] | None:
        """The labels of components that the root finds alone in the whole symmetric matrix; others
        have None for it. None on all if the root has no loop for it."""

    def ranks_of_root(
        self, find: Callable[[], Vector] | None, size: int, dtype: np.dtype
    ) -> Callable[[], Any] | None:
        """The ranks of this type that the root finds alone; others have nothing to `find`. None on
        all if the root is asked for rounds."""

    def lengths_of_root(
        self, whole: Graph | None, size: int, source: int, cutoff: Any, dtype: np.dtype
    ) -> Sequence[Callable[[], Any]] | None:
        """Lengths of shortest paths, up to a cutoff and in this type, that the root finds alone
        in the whole graph; others have None for it. None on all if the root has no loop for this
        graph, or is asked for rounds."""
