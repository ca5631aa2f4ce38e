"""Closures under ``any`` over rows of several processes, in compiled loops
(``native/distributed_levels.cpp``).

The rounds are those of the loop in ``lagraph_gpu.closure``. In each the processes exchange two
counts, and then bitmaps (a pull) or lists (a push).
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import NO_ROWS, OwnRows, Queue
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport

push_to_owners, take_found, pull_from_all = map(
    Loop, ("push_to_owners", "take_found", "pull_from_all")
)


class LevelSearch:
    """One call. ``level`` is -1 where nothing has been reached."""

    at_rest: bool | None
    """Whether the last round changed nothing; None if the report has ended the search."""

    def __init__(
        self, processes: HostProcesses, start: Any, size: int, outgoing: CpuMatrix | None,
        incoming: CpuMatrix | None,
    ) -> None:  # fmt: skip
        self.processes, self.size, own = processes, size, int(start.size)
        sources, self.start_values = start.to_coo()
        self.sources = sources.astype(INT32)
        self.out = None if outgoing is None else pattern(outgoing)
        self.back = None if incoming is None else pattern(incoming)
        self.begins = (self.out or self.back or NO_ROWS).begins
        self.own = OwnRows(processes.size, processes.rank)
        self.level = np.full(own, -1, INT32)
        self.before, self.seen = np.empty(own, INT32), np.zeros(size, np.uint8)
        self.level[self.sources] = 0
        self.frontier, self.spare = self.sources, [np.empty(own, INT32) for _ in range(2)]
        begins = self.begins
        self.edges = np.array([(begins[self.sources + 1] - begins[self.sources]).sum()], INT64)

    def run(self, threshold: int, max_rounds: int, report: LevelReport) -> None:
        """All rounds, with exchanges between them."""
        rounds, pulls = 0, False
        while True:
            own_frontier = np.array([self.frontier.size, self.edges[0]])
            frontiers = self.processes.values(own_frontier).reshape(-1, 2)
            if report(rounds, frontiers[:, 0], pulls, 0.0):
                self.at_rest = None
                return
            vertices, edges = frontiers.sum(0).tolist()
            if not vertices or rounds >= max_rounds:
                self.at_rest = not vertices
                return
            rounds += 1
            pulls = self.out is None or (self.back is not None and edges > threshold)
            self.edges[:] = 0
            found = self._pull(rounds) if pulls else self._push(rounds)
            self.spare.reverse()
            self.frontier = self.spare[1][:found]

    def _pull(self, rounds: int) -> int:
        """A round in which each vertex looks for an edge from the frontier; what it finds is in the
        first of the spare arrays."""
        assert self.back is not None
        in_frontier = np.zeros(-(-self.size // self.processes.size), np.bool_)
        in_frontier[self.frontier] = True
        own_bitmap = np.packbits(in_frontier, bitorder="little")
        bitmaps = np.concatenate(self.processes.all_gather(own_bitmap))
        return pull_from_all(
            self.back, self.own, rounds, bitmaps, self.begins, self.seen, self.level, self.before,
            self.spare[0], self.edges,
        )  # fmt: skip

    def _push(self, rounds: int) -> int:
        """A round along the edges that leave the frontier. What they reach goes to its owners, who
        put it in the first of the spare arrays."""
        assert self.out is not None
        begins = self.begins
        most = min(int((begins[self.frontier + 1] - begins[self.frontier]).sum()), self.size)
        targets_and_tails = np.empty((2, most), INT32)
        of_owners = np.zeros(self.own.parts, INT64)
        push_to_owners(self.out, self.own, self.frontier, self.seen, *targets_and_tails, of_owners)
        ends = pairwise(accumulate(of_owners.tolist(), initial=0))
        sent = [targets_and_tails[:, begin:end].ravel().view(np.uint8) for begin, end in ends]
        found = 0
        for received in self.processes.all_to_all(sent):
            places, tails = np.ascontiguousarray(received).view(INT32).reshape(2, -1)
            found = take_found(
                Queue(self.spare[0], found), rounds, places, tails, begins, self.level,
                self.before, self.edges,
            )  # fmt: skip
        return found
