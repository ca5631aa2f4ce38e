"""Random walks on the CPU: many steps of all walkers in one call (``native/random_walks.cpp``)."""

from __future__ import annotations

from typing import NamedTuple

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms.traversal.neighbor_sampling import weighted_rows
from lagraph_gpu.algorithms.traversal.random_walks import expect_walks_fit
from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.objects import of_all_values
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from semirings.types import FP64, INT32, INT64

walk = Loop("walk")

STEPS = 1 << 20
"""The number of steps of all walkers in one call, at most: some ten milliseconds, for which
Ctrl-C waits."""

EVERY_EDGE_COUNTS_ONE = np.empty(0, FP64)


class Part(NamedTuple):
    """Some steps of the walkers that have not come to an end before."""

    walker: np.ndarray
    path: np.ndarray
    """A row for each walker, of which the first entries are used."""
    taken: np.ndarray
    """How many."""


def walks(
    G: Graph, start: np.ndarray, steps: int, rng: np.random.Generator, weighted: bool
) -> Matrix | None:
    """Lowers ``walks``. None for walks whose steps have no number of 32 bits."""
    if steps >= np.iinfo(INT32).max:
        return None
    if weighted:
        begins, columns, sums = G.kept(weighted_rows)
        rows = CompressedRows(begins, columns)
    else:
        rows, sums = pattern(G.A._store), EVERY_EDGE_COUNTS_ONE
    endless = bool(lengths_of_rows(rows.begins).all())
    expect_walks_fit(G, start.size, steps + 1 if endless else 1)
    walker, at, done, parts = np.arange(start.size), start, 0, list[Part]()
    while done < steps and walker.size:
        count = min(steps - done, max(1, STEPS // start.size), steps if endless else done + 1)
        if not endless:
            expect_walks_fit(G, walker.size, 1 + done + count)
        before = rng.bit_generator.state
        path, taken = np.empty((walker.size, count), INT64), np.empty(walker.size, INT64)
        drawn = count, start.size
        walk(rows, start.size, sums, rng.random(drawn), walker, at, path, taken)
        if (longest := taken.max()) < count:  # the statements draw no more numbers than they need
            rng.bit_generator.state = before
            rng.random((longest, start.size))
        parts.append(Part(walker, path, taken))
        on = taken == count
        walker, at, done = walker[on], path[on, -1], done + count
    return as_matrix(G, CpuMatrix(together(start, steps + 1, parts)))


def together(start: np.ndarray, ncols: int, parts: list[Part]) -> gb.Matrix | HostRows:
    """The walks as a matrix."""
    paths = [start[:, np.newaxis], *(part.path for part in parts)]
    if start.size and all((part.taken == part.path.shape[1]).all() for part in parts):
        found = np.concatenate(paths, axis=1)
        if found.shape[1] == ncols:
            return of_all_values(found, ncols)
    length = np.ones(start.size, INT64)
    for part in parts:
        length[part.walker] += part.taken
    begins = np.concatenate([[0], np.cumsum(length)]).astype(INT64)
    vertex, column = np.empty(begins[-1], INT64), np.zeros(begins[-1], INT32)
    vertex[begins[:-1]] = start
    done = 0
    for walker, path, taken in parts:
        step = done + 1 + np.arange(path.shape[1])
        used = step <= done + taken[:, np.newaxis]
        place = (begins[walker, np.newaxis] + step)[used]
        vertex[place] = path[used]
        column[place] = np.broadcast_to(step.astype(INT32), used.shape)[used]
        done += step.size
    return HostRows(begins, column, vertex, ncols)
