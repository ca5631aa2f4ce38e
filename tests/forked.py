"""A graph that has been used is used again in other processes: the program of ``test_forks``.

``python -m tests.forked processes pool`` prints what became of each attempt in these of ``SCENES``.
Exit status 1 if one went wrong or did not end in time; no child outlives it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.notation.arrays import Arrays, Built

CHILD_SECONDS = 150
"""Seconds within which all children of a scene have to answer."""
OTHER_WAYS = "spawn", "forkserver"
N, EDGES = 3000, 40_000


class Used(NamedTuple):
    """An undirected graph, and the matrix of a directed one."""

    G: lg.Graph
    A: lg.Matrix


TASKS: dict[str, Callable[[Used], Any]] = {
    "core_number": lambda used: lg.core_number(used.G).to_dense().tolist(),
    "ewise_add": lambda used: used.A.ewise_add(used.A).new().to_coo()[2].tolist(),
    "transpose": lambda used: used.A.T.new().to_coo()[0].tolist(),
    "triangle_count": lambda used: int(lg.triangle_count(used.G)),
    "reduce_rowwise": lambda used: used.A.reduce_rowwise().new().to_dense(0).tolist(),
}


def two_threads() -> None:
    """SuiteSparse shares out whatever has more than a few entries, on a machine of one core too."""
    import graphblas as gb

    gb.ss.config["nthreads"], gb.ss.config["chunk"] = 2, 64


def made() -> Used:
    rng = np.random.default_rng(3)
    ends = rng.integers(0, N, (2, EDGES))
    weight = rng.integers(1, 9, EDGES).astype(float)
    G, D = (
        lg.Graph.from_edges(*ends, weight, n=N, directed=directed, dup="min", backend="cpu")
        for directed in (False, True)
    )
    return Used(G, D.A)


def answers(used: Used) -> dict[str, Any]:
    return {name: task(used) for name, task in TASKS.items()}


def answer(connection: Connection, used: Used, names: Iterable[str]) -> None:
    """What a child does."""
    connection.send([TASKS[name](used) for name in names])


def in_child(method: str, target: Callable[..., None], *args: Any) -> Callable[[float], Any]:
    """Starts a process. The call says what it sent, or "hangs" if it did not by this time."""
    context: Any = multiprocessing.get_context(method)
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=target, args=(sender, *args), daemon=True)
    child.start()
    sender.close()

    def outcome(deadline: float) -> Any:
        try:
            in_time = receiver.poll(max(0, deadline - time.monotonic()))
            return receiver.recv() if in_time else "hangs"
        except EOFError:
            return "died"
        finally:
            child.kill()

    return outcome


def by_processes() -> dict[str, bool]:
    """Children that are forked, one for each task, and one for all tasks by each other way, for
    such a child takes a while to start. The graph goes along. Then the parent again."""
    two_threads()
    right = answers(made())
    used = made()  # nothing that children could find done
    starts = [("fork", [name]) for name in TASKS] + [(way, list(TASKS)) for way in OTHER_WAYS]
    begun = [in_child(way, answer, used, names) for way, names in starts]
    deadline = time.monotonic() + CHILD_SECONDS
    outcomes = [outcome(deadline) for outcome in begun]
    told = {
        f"{way}, {' '.join(names)}": found == [right[name] for name in names]
        for (way, names), found in zip(starts, outcomes, strict=True)
    }
    return told | {"the parent": answers(used) == right}


_shared: list[Used] = []


def of_shared(name: str) -> Any:
    return TASKS[name](_shared[0])


def by_pool() -> dict[str, bool]:
    """Workers of a pool, forked, have the graph that the parent has used."""
    two_threads()
    right = answers(made())
    _shared.append(made())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        begun = {name: pool.apply_async(of_shared, (name,)) for name in TASKS}
        deadline = time.monotonic() + CHILD_SECONDS
        for job in begun.values():
            job.wait(max(0, deadline - time.monotonic()))
        return {name: job.ready() and job.get() == right[name] for name, job in begun.items()}


def compile_one(connection: Connection) -> None:
    import numba

    connection.send(numba.njit(lambda x: x + 1)(1))


def while_compiling() -> dict[str, bool]:
    """A child that is forked while another thread compiles a loop can compile one, too."""
    from numba.core.compiler_lock import global_compiler_lock

    made()  # the CPU backend is there
    locked = threading.Event()

    def compiling() -> None:
        with global_compiler_lock:
            locked.set()
            time.sleep(1)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(compiling)
        assert locked.wait(CHILD_SECONDS), "no lock was taken"
        outcome = in_child("fork", compile_one)
    return {"a loop compiled": outcome(time.monotonic() + CHILD_SECONDS) == 2}


def store_one(connection: Connection) -> None:
    v = lg.Vector.from_dense(np.arange(3), backend="cpu")
    connection.send((v + v).new().to_dense().tolist())


def while_storing() -> dict[str, bool]:
    """A child that is forked while another thread makes the store of a vector can make one, too."""
    begun = threading.Event()

    def slowly(values: np.ndarray, known: np.ndarray | None) -> Any:
        begun.set()
        time.sleep(1)
        return Built(v.backend)(values, known)

    v = lg.Vector.from_dense(np.arange(3), backend="cpu")
    slow = lg.Vector._of_arrays(Arrays(np.arange(3), None, slowly), v.backend)
    with ThreadPoolExecutor(1) as thread:
        sums = thread.submit(lambda: (slow + slow).new().to_dense().tolist())  # needs the store
        assert begun.wait(CHILD_SECONDS), "no store was made"
        outcome = in_child("fork", store_one)
        found = outcome(time.monotonic() + CHILD_SECONDS)
    right = [0, 2, 4]
    return {"a sum in the child": found == right, "one in the parent": sums.result() == right}


def refusals(connection: Connection, G: lg.Graph, level: lg.Vector) -> None:
    """What the child says of each use of what lived on the GPU of its parent."""
    uses: dict[str, Callable[[], Any]] = {
        "a vector read": level.to_coo,
        "a matrix read": G.A.to_coo,
        "one entry": lambda: level[0].get(),
        "a statement": lambda: level << level + level,
        "a new object beside": level.dup,
        "moved": lambda: G.to("cpu"),
        "pickled": lambda: pickle.dumps(level),
        "backend pickled": lambda: pickle.dumps(G.backend),
        "chosen by name": lambda: lg.set_backend("gpu"),
        "chosen for a block": lambda: lg.backend("gpu").__enter__(),
        "given": lambda: lg.set_backend(G.backend),
        "the default": lambda: lg.Graph.from_edges([0, 1], [1, 2]),
    }
    told = {}
    for use, call in uses.items():
        try:
            told[use] = f"no error: {call()!r}"
        except lg.errors.BackendUnavailable as error:
            told[use] = str(error)
        except Exception as error:
            told[use] = repr(error)
    lg.set_backend("cpu")  # and that is the way out
    told["printed"] = f"{level!r} {G!r} {level._repr_html_()}"
    told["the name of the backend"] = G.backend.name
    told["the CPU"] = str(lg.bfs(lg.grid(2, 2), 0)[0].to_dense().tolist())
    connection.send(told)


def on_gpu() -> dict[str, bool]:
    """Objects of the GPU backend, here over the emulator, in a forked child and in its parent."""
    from lagraph_gpu.gpu.device import cupy_device
    from tests.simt.device import EmulatedDevice

    cupy_device.CupyDevice = lambda ordinal: EmulatedDevice()  # type: ignore[assignment,misc]
    G = lg.Graph.from_edges([0, 1], [1, 2], n=3)
    level = lg.Vector.from_dense(np.array([1, 2, 3]))
    assert G.backend.name == level.backend.name == "gpu"
    told = in_child("fork", refusals, G, level)(time.monotonic() + CHILD_SECONDS)
    if not isinstance(told, dict):
        return {f"the child {told}": False}
    fine = {"the name of the backend": "gpu", "the CPU": "[0, 1, 1, 2]"}
    print(*(f"{use}: {text}" for use, text in told.items()), sep="\n")
    return {
        **{use: told[use] == expected for use, expected in fine.items()},
        **{use: "those of its parent" in told[use] and "spawn" in told[use]
           for use in told if use not in fine},
        "the parent": level.to_coo()[1].tolist() == [1, 2, 3],
    }  # fmt: skip


SCENES: dict[str, Callable[[], dict[str, bool]]] = {
    "processes": by_processes,
    "pool": by_pool,
    "compiling": while_compiling,
    "storing": while_storing,
    "gpu": on_gpu,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.forked", description=__doc__)
    parser.add_argument("scenes", nargs="+", choices=SCENES, metavar="SCENE")
    scenes = parser.parse_args().scenes
    outcomes = {(s, what): right for s in scenes for what, right in SCENES[s]().items()}
    for (scene, what), right in outcomes.items():
        print(f"{scene}: {what}: {'right' if right else 'WRONG'}")
    return 0 if all(outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
