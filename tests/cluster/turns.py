"""Several processes inside one, as threads that take turns: one runs until it exchanges bytes, then
the next. So a run is the same each time, and a local backend needs no locks.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.cluster.backend import ClusterBackend
from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.notation.checks import SEED_SOURCES
from tests.harness import CPU


class Turns:
    """Who may run, and what each has given in each exchange."""

    def __init__(self, size: int) -> None:
        self.turn = [threading.Semaphore(0) for _ in range(size)]
        self.given: dict[int, dict[int, Any]] = defaultdict(dict)
        self.running = list(range(size))

    def pass_on(self, rank: int) -> None:
        """Let the next one run that has not ended."""
        after = [other for other in self.running if other > rank] or self.running
        if after:
            self.turn[after[0]].release()


class TurnTransport:
    """Implements `lagraph_gpu.cluster.transport.Transport` for one of the threads."""

    def __init__(
        self, turns: Turns, rank: int, shares: bool = True
    ) -> None:  # fmt: skip
        self.shares = shares
        self.turns, self.rank, self.size = turns, rank, len(turns.turn)
        self.local_size, self.host = self.size, 0
        self.rounds = 0

    def met(self, what: str, given: Any) -> list[Any]:
        """What each process has passed in this round, in the order of processes."""
        assert self.rank in self.turns.running, "who shows what is left of a process asks nobody"
        table, self.rounds = self.turns.given[self.rounds], self.rounds + 1
        table[self.rank] = what, given
        self.turns.given.pop(self.rounds - 3, None)  # which all have read
        self.turns.pass_on(self.rank)
        self.turns.turn[self.rank].acquire()
        kinds = [table[rank][0] if rank in table else "the end" for rank in range(self.size)]
        assert len(set(kinds)) == 1, f"the programs of the processes differ: {kinds}"
        return [table[rank][1] for rank in range(self.size)]

    def swap(self, heads: np.ndarray) -> Callable[[], np.ndarray]:
        sent = heads.copy()
        return lambda: np.stack([one[self.rank] for one in self.met("swap", sent)])

    def all_to_all(self, parts: Sequence[np.ndarray], sizes: np.ndarray) -> list[np.ndarray]:
        met = [parts[self.rank] for parts in self.met("all to all", parts)]
        assert [part.size for part in met] == sizes.tolist()
        return met

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        met = self.met("all gather", part)
        assert [part.size for part in met] == sizes.tolist()
        return met

    def shared(self, size: int) -> np.ndarray | None:
        if not self.shares:
            return None
        memory = np.zeros((self.size, size), np.uint8) if self.rank == 0 else None
        return self.met("shared", memory)[0]  # type: ignore[no-any-return]

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        met = self.met("at once", (work, returned := []))
        if self.rank == 0:  # who is the first to go on

            def one(work: Callable[[], Any], returned: list[Any]) -> None:
                try:
                    returned.append((work(), None))
                except BaseException as error:
                    returned.append((None, error))

            threads = [threading.Thread(target=one, args=both) for both in met]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        made, error = returned[0]
        if error is not None:
            raise error
        return made

    def end(self) -> None:
        """The error itself ends the test."""


def on_ranks(
    size: int, work: Callable[[Any], Any], local: Any = CPU, checks: bool = False,
    transport: str = "host", shares: bool = True,
) -> list[Any]:  # fmt: skip
    """What `work` returns on each of so many processes, or an error that one of them raises.

    With the transport "peer_windows" devices open their memory to each other. All `shares` memory
    unless it is said.
    """
    if size == 1:
        return [work(local.renamed("cluster"))]

    def process(turns: Turns, rank: int) -> Any:
        transport = TurnTransport(turns, rank, shares)
        return work(ClusterBackend(Communicator(transport, checks), local))

    return in_turns(size, process, transport)


def in_turns(size: int, process: Callable[[Turns, int], Any], transport: str = "host") -> list[Any]:
    """What `process` returns for each number of so many, or an error that one raises."""
    turns = Turns(size)
    returned: list[Any] = [None] * size
    raised: list[BaseException] = []

    def one(rank: int) -> None:
        turns.turn[rank].acquire()
        try:
            returned[rank] = process(turns, rank)
        except BaseException as error:
            raised.append(error)
        turns.running.remove(rank)
        turns.pass_on(rank)

    threads = [threading.Thread(target=one, args=(rank,)) for rank in range(size)]
    os.environ["LAGRAPH_CLUSTER_TRANSPORT"] = transport
    SEED_SOURCES.append(lambda: 7)  # what nobody seeds must be the same on all
    for thread in threads:
        thread.start()
    turns.turn[0].release()
    for thread in threads:
        thread.join()
    SEED_SOURCES.pop()
    del os.environ["LAGRAPH_CLUSTER_TRANSPORT"]
    if raised:
        raise raised[0]
    return returned
