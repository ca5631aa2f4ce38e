"""What the exercises of kernels share: a backend on the emulator, small examples in NumPy, matrices
and vectors that hold them, and answers by other methods.

An exercise makes its backend itself, by :func:`gpu`, each time it runs: kernels compiled before a
mutant's edit would not have it. ``tests.on_gpu`` replaces the emulator before this module is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.schedule import Schedule
from semirings import types
from tests.graphs import HUB, N, WeightedEdges, both_ways
from tests.simt.device import EmulatedDevice

SEEDS = range(3)
INF = float("inf")


# --- backends ----------------------------------------------------------------------------------


def emulated(seed: int, blocks: int = 3, blocking: bool = False) -> GpuBackend:
    """A backend on an emulated device of its own that checks every access, with blocks of two
    warps and few of them, so that loops over a grid take several turns."""
    device = EmulatedDevice("check", seed, block_size=64, max_blocks=blocks)
    return GpuBackend(device, blocking=blocking)


def gpu(seed: int) -> GpuBackend:
    """A backend that runs each operation at once (what waits has mutants of its own), for which the
    hub's row is a long one."""
    backend = emulated(seed, blocking=True)
    backend.products.long_row = 20
    backend.products.piece = 7
    return backend


@contextmanager
def offsets_of_64_bits(wanted: bool = True) -> Iterator[None]:
    """Matrices that are made here have row offsets of 64 bits, if that is ``wanted``, though they
    have few entries."""
    with pytest.MonkeyPatch.context() as patch:
        if wanted:
            patch.setattr(vector_storage, "INT32_OFFSETS_BELOW", 0)
        yield


def backends_of_both_offsets() -> Iterator[tuple[int, GpuBackend]]:
    """A seed and a backend, three times; the first one's matrices have offsets of 64 bits."""
    for seed in range(3):
        with offsets_of_64_bits(seed == 0):
            yield seed, gpu(seed)


# --- examples, and what holds them -------------------------------------------------------------


def sparse(dtype: type, seed: int, density: float = 0.3) -> np.ndarray:
    """Values of a vector with an entry at the hub; 0 where there is no entry."""
    rng = np.random.default_rng(100 + seed)
    u = np.where(rng.random(N) < density, rng.integers(1, 9, N), 0)
    u[HUB] = 3
    return u.astype(dtype)


def matrix(A: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    """The matrix that has the entries of ``A`` that are not 0."""
    i, j = np.nonzero(A)
    shape = {"nrows": A.shape[0], "ncols": A.shape[1]}
    return lg.Matrix.from_coo(i, j, A[i, j], **shape, backend=backend)


def iso(A: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    """The same with one value for all entries, the largest of ``A``."""
    i, j = np.nonzero(A)
    shape = {"nrows": A.shape[0], "ncols": A.shape[1]}
    return lg.Matrix.from_coo(i, j, A.max(), A.dtype, **shape, backend=backend)


def vector(dense: np.ndarray, backend: GpuBackend) -> lg.Vector:
    """The vector that has the entries of ``dense`` that are not 0."""
    return lg.Vector.from_dense(dense, missing_value=0, backend=backend)


def found(M: lg.Matrix) -> np.ndarray:
    """A matrix as a dense array; that rows are sorted and nothing is there twice is checked."""
    i, j, x = M.to_coo()
    assert (np.diff(i * M.ncols + j) > 0).all()
    dense = np.zeros(M.shape, x.dtype)
    dense[i, j] = x
    return dense


# --- answers by other methods ------------------------------------------------------------------

FOLDS: dict[str, Callable] = {
    "plus_times": lambda u, A: (u[:, None] * A).sum(0, dtype=u.dtype),
    "min_plus": lambda u, A: np.where((u[:, None] > 0) & (A > 0), u[:, None] + A, 10**6).min(0),
    "max_plus": lambda u, A: np.where((u[:, None] > 0) & (A > 0), u[:, None] + A, -(10**6)).max(0),
    "bxor_band": lambda u, A: np.bitwise_xor.reduce(u[:, None] & A, 0),
}
"""u ⊕.⊗ A over dense arrays, in which 0 is no entry."""

FORMULAS: dict[str, tuple[Any, Any]] = {
    "min_plus": (np.minimum, np.add),
    "max_plus": (np.maximum, np.add),
    "max_min": (np.maximum, np.minimum),
    "min_max": (np.minimum, np.maximum),
}
"""The semirings of closures by order: what folds offers, and what makes one."""


def fixpoint(
    n: int, edges: WeightedEdges, x0: dict[int, float], name: str
) -> tuple[np.ndarray, np.ndarray]:
    """All edges are relaxed until nothing changes; which entries there are, and their values."""
    add, times = FORMULAS[name]
    i, j, w = edges
    x, has = np.full(n, INF if add is np.minimum else -INF), np.zeros(n, bool)
    for v, start in x0.items():
        x[v], has[v] = start, True
    while True:
        y, more = x.copy(), has.copy()
        from_here = has[i]
        add.at(y, j[from_here], times(x[i], w)[from_here])
        more[j[from_here]] = True
        if (y == x).all() and (more == has).all():
            return has, x
        x, has = y, more


def closure_holds(
    backend: GpuBackend, n: int, edges: WeightedEdges, x0: dict[int, float], ring: Any, dtype: str,
    width: float | None = None, directed: bool = True,
) -> None:  # fmt: skip
    """The closure by order of value is the fixpoint of all edges."""
    if not directed:
        edges = both_ways(edges)
    (i, j, w), kind = edges, getattr(types, dtype)
    A = lg.Matrix.from_coo(i, j, w.astype(kind), dtype, nrows=n, ncols=n, backend=backend)
    if not directed:
        A._store.transposed = A._store
    held = np.array(list(x0.values())).astype(kind)
    start = lg.Vector.from_coo(list(x0), held, dtype, size=n, backend=backend)
    x = lg.closure(start, A, ring, schedule=Schedule(order="delta", width=width))
    has, right = fixpoint(n, edges, x0, ring.name)
    index, values = x.to_coo()
    np.testing.assert_array_equal(index, np.flatnonzero(has))
    np.testing.assert_array_equal(values.astype(float), right[has])
    assert start.nvals == len(x0)


def all_pairs(n: int, edges: WeightedEdges) -> np.ndarray:
    """Distances between all pairs, by Floyd's and Warshall's method."""
    i, j, w = edges
    D = np.full((n, n), INF)
    np.minimum.at(D, (i, j), w)
    D[np.arange(n), np.arange(n)] = 0
    for k in range(n):
        D = np.minimum(D, D[:, k : k + 1] + D[k])
    return D
