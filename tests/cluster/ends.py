"""How programs of several processes end: what `mpiexec` starts for test_mpi.py by
`python -m tests.cluster.ends NAME`. It imports little, so that it is there soon.

All processes run it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import lagraph_gpu as lg
from lagraph_gpu.cluster import components, pagerank_rounds, single_source
from lagraph_gpu.cluster.root import is_small
from lagraph_gpu.cpu.loops import (
    distributed_components,
    distributed_pagerank,
    on_root,
    shared_lengths,
    shared_levels,
)
from lagraph_gpu.cpu.loops import watched as watched_loops

RANK = 0
"""Which process this is, once MPI has been started."""

AT_ONCE: dict[str, Any] = {
    "levels": (shared_levels, lambda G: lg.bfs(G, 5)[0].to_dict()),
    "lengths": (shared_levels, lambda G: lg.sssp(G, 5)[0].to_dict()),
    "components": (
        distributed_components, lambda G: lg.connected_components(G).to_dict()
    ),
    "ranks": (
        distributed_pagerank,
        lambda G: {v: round(rank, 8) for v, rank in lg.pagerank(G).to_dict().items()},
    ),
}  # fmt: skip
"""What is found through shared memory: the module that calls the loop, and what it finds."""


def uncaught() -> None:
    """One process fails outside of any statement, while the others wait for it in one."""
    if RANK == 1:
        raise RuntimeError("this process alone has failed")
    lg.Vector.from_coo([0], [1]).sum()


def wrong_argument() -> None:
    """One process gives a wrong argument, while the others are in another statement."""
    v = lg.Vector.from_coo([0], [1])
    v[99] if RANK == 1 else v.sum()


def ended() -> None:
    """The program of one process ends early, while the others wait for it in a statement."""
    if RANK == 1:
        sys.exit(3)
    lg.Vector.from_coo([0], [1]).sum()


def killed() -> None:
    """One process is killed."""
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    lg.Vector.from_coo([0], [1]).sum()


def killed_in_a_search() -> None:
    """One process is killed while the others wait for it in a loop of a search."""
    G = lg.kronecker(7)
    if RANK == 1:
        shared_levels.watched = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
    lg.bfs(G, 5)


def killed_while_others_wait() -> None:
    """Process 0 is killed while the others wait for what it finds alone."""
    single_source.is_small = is_small
    G = lg.kronecker(7)
    lg.bfs(G, 5)
    if RANK == 0:
        on_root.write_levels = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    lg.bfs(G, 5)


def interrupted() -> None:
    """Ctrl-C comes to one process in each kind of search, while it is in a loop with the others: in
    a loop that runs in another thread. Process 1 says when it is there."""
    G = lg.kronecker(7, weights="integer")
    watched_loops.LONG_LOOP_ITEMS = 0
    name = os.environ["INTERRUPTED"]
    find = AT_ONCE[name][1]
    module, loop = {
        "levels": (shared_levels, "shared_search"), "lengths": (shared_lengths, "shared_paths"),
        "components": (distributed_components, "shared_components"),
    }[name]  # fmt: skip
    launched = getattr(module, loop)

    def meanwhile(*given: Any) -> Any:
        if RANK != 1:
            return launched(*given)
        print("is interrupted", flush=True)
        os.kill(os.getpid(), signal.SIGINT)
        while not given[-1][0]:  # the main thread has noticed it
            time.sleep(0.01)
        return launched(*given)

    setattr(module, loop, meanwhile)
    find(G)


def ran_by_all(
    jobs: Iterable[Callable[[], None]], names: Iterable[str], rank: int, size: int
) -> None:
    """Run the jobs of these names on the cluster backend, and say so at the end."""
    lg.set_backend("cluster")
    single_source.is_small = lambda *_: False  # so that all search
    components.by_root = pagerank_rounds.by_root = lambda *_: None  # and so on
    named = {f.__name__: f for f in jobs}
    for name in names:
        named[name]()
    print(f"process {rank} of {size} is done")


JOBS = (
    uncaught, wrong_argument, ended, killed, killed_in_a_search, killed_while_others_wait,
    interrupted,
)  # fmt: skip

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.ends", description=__doc__)
    parser.add_argument("name")
    NAME = parser.parse_args().name
    from mpi4py import MPI

    RANK = MPI.COMM_WORLD.rank
    ran_by_all(JOBS, [NAME], RANK, MPI.COMM_WORLD.size)
