# ruff: noqa: E501  (mutants of one line)
"""The kernels that join coordinates, broken in the lines that matter.

The exercises hold them against the host's statements, with entries given several times, loops,
rows without entries and counts that end within a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.notation.coordinates import joined_edges, joined_entries
from tests.harness import CPU, lowered
from tests.simt.exercises import backends_of_both_offsets
from tests.simt.mutants import Mutant, suite


def same(found: Any, backend: lg.Backend, wanted: Any) -> None:
    """A lowering's result holds what the CPU's holds."""
    A = lg.Matrix._stored(*found, backend)
    assert (A.dtype, A.shape) == (wanted.dtype, wanted.shape)
    for mine, theirs in zip(A.to_csr(), wanted.to_csr(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def entries() -> None:
    for seed, backend in backends_of_both_offsets():
        backend.coordinates.least = 0
        rng = np.random.default_rng(seed)
        for count in (1, 33, 64, 400):
            i, j = rng.integers(0, 7, count).astype(np.int8), rng.integers(0, 90, count)
            i[200:], j[200:] = 0, 0
            x = rng.random(count).astype(np.float32)
            for op in ("plus", "first", "second", "minus"):
                for sizes in ((None, None), (9, 90)):
                    made = lowered(joined_entries, backend, i, j, x, None, sizes, op)
                    shape = {"nrows": sizes[0], "ncols": sizes[1]}
                    same(
                        made, backend, lg.Matrix.from_coo(i, j, x, dup_op=op, **shape, backend=CPU)
                    )


def graphs() -> None:
    for seed, backend in backends_of_both_offsets():
        backend.coordinates.least = 0
        rng = np.random.default_rng(seed)
        for count in (2, 32, 150):
            i, j = rng.integers(0, 40, count), rng.integers(0, 30, count).astype(np.uint32)
            for weight in (None, rng.integers(1, 9, count)):
                for dup in ("sum", "min"):
                    for directed in (True, False):
                        made = lowered(joined_edges, backend, i, j, weight, None, directed, dup)
                        G = lg.Graph.from_edges(
                            i, j, weight, directed=directed, dup=dup, backend=CPU
                        )
                        same(made, backend, G.A)


def few() -> None:
    """Sorted entries that are few for their rows."""
    for seed, backend in backends_of_both_offsets():
        rng = np.random.default_rng(seed)
        for count in (0, 1, 33):
            i, j = np.divmod(np.sort(rng.choice(3000, count, replace=False)), 3)
            size = {"nrows": 1000, "ncols": 3}
            made, wanted = (
                lg.Matrix.from_coo(i, j, i + 1.0, **size, backend=where) for where in (backend, CPU)
            )
            same((made._store, made.shape, made.dtype), backend, wanted)


def refusals() -> None:
    """What is wrong is found, and what is just right is not taken for wrong."""
    for _, backend in backends_of_both_offsets():
        backend.coordinates.least, backend.coordinates.longest = 0, 4
        far, many = np.arange(40), np.zeros(40, int)

        def made(
            i: Any, j: Any, w: Any = None, n: Any = None, dup: str = "sum", backend: Any = backend
        ) -> bool:
            try:
                return lowered(joined_edges, backend, i, j, w, n, True, dup) is not None
            except LagraphError:
                return False

        assert made(far, far, n=40) and not made(far, far, n=39)
        assert not made(-far, far, n=40) and not made(far, -far, n=40)
        assert not made(far, far + 2**40) and not made(far + 2**40, far)
        assert made(many[:5], many[:5], np.ones(5, np.int8)) and not made(
            many[:6], many[:6], np.ones(6)
        )
        for bad in (np.nan, np.inf):
            for at in (0, 1, 39):
                w = np.ones(40)
                w[at] = bad
                assert not made(far, far, w) and not made(far // 2, far // 2, w, dup="min")
        two = np.zeros(2, int)
        assert made(two, two, np.int8([100, 27])) and not made(two, two, np.int8([100, 28]))
        assert made(two, two, np.uint8([200, 55])) and not made(two, two, np.uint8([200, 56]))
        assert made(many[:3], many[:3], np.int8([100, 100, 100]), dup="min")
        assert not made(two, two, np.float32([3e38, 3e38]))
        backend.coordinates.longest = 200
        assert made(np.zeros(200, int), np.zeros(200, int), np.ones(200, bool))


EXERCISES = (entries, graphs, few, refusals)
MUTANTS = [
    Mutant("matrix/coordinates.cuh", "outside |= i >= nrows || j >= ncols;", "outside |= i > nrows || j > ncols;", refusals),
    Mutant("matrix/coordinates.cuh", "outside |= i >= nrows || j >= ncols;", "outside |= j >= ncols;", refusals),
    Mutant("matrix/coordinates.cuh", "outside |= i >= nrows || j >= ncols;", "outside |= i >= nrows;", refusals),
    Mutant("matrix/coordinates.cuh", "last_row = i > last_row ? i : last_row;", "last_row = i;", entries),
    Mutant("matrix/coordinates.cuh", "last_column = j > last_column ? j : last_column;", "last_column = j;", entries),
    Mutant("matrix/coordinates.cuh", "upper && v < u ?", "false ?", graphs),
    Mutant("matrix/coordinates.cuh", "last_row = warp_reduce<Maximum>(last_row);", "", entries),
    Mutant("matrix/coordinates.cuh", "last_column = warp_reduce<Maximum>(last_column);", "", entries),
    Mutant("matrix/coordinates.cuh", "atomicMax(found + 1, last_row)", "found[1] = last_row", entries),
    Mutant("matrix/coordinates.cuh", "i : grid_stride<long long>(nrows + 1ll)) {", "i : grid_stride<long long>(nrows)) {", entries),
    Mutant("matrix/coordinates.cuh", "rows[e] < i;", "rows[e] <= i;", few),
    Mutant("matrix/coordinates.cuh", "grid_stride<long long>(nrows + 1ll))\n", "grid_stride<long long>(nrows))\n", few),
    Mutant("matrix/coordinates.cuh", "pairs[e] < bound", "pairs[e] <= bound", entries),
    Mutant("matrix/coordinates.cuh", "if (!(kept[e >> 5] >> (e & 31) & 1u)) continue;", "", entries),
    Mutant("matrix/coordinates.cuh", "W total = values[order == nullptr ? 0 : order[e]];", "W total = values[order == nullptr ? 0 : e];", entries),
    Mutant("matrix/coordinates.cuh", "W total = values[order == nullptr ? 0 : order[e]];", "W total = values[order[e]];", graphs),
    Mutant("matrix/coordinates.cuh", "long long f = e + 1; f < count && ", "long long f = e + 1; ", entries),
    Mutant("matrix/coordinates.cuh", "pairs[f] == pairs[e]; ++f", "pairs[f] == pairs[e] && f == e + 1; ++f", entries),
    Mutant("matrix/coordinates.cuh", "f - e > folding.longest", "f - e >= folding.longest", refusals),
    Mutant("matrix/coordinates.cuh", "f - e > folding.longest", "f - e > folding.longest + 1", refusals),
    Mutant("matrix/coordinates.cuh", "is_wrong |= folding.finite && total - total != W(0);", "", refusals),
    Mutant("matrix/coordinates.cuh", "is_wrong |= folding.finite && value - value != W(0);", "", refusals),
    Mutant("matrix/coordinates.cuh", "if (Accum::given) total = Accum::join(total, value);", "if (Accum::given) total = Accum::join(value, total);", entries),
    Mutant("matrix/coordinates.cuh", "if (folding.sums && is_float) is_wrong |= total - total != W(0);", "", refusals),
    Mutant("matrix/coordinates.cuh", "8 * sizeof(W) - 1", "8 * sizeof(W)", refusals),
    Mutant("matrix/coordinates.cuh", "if (folding.sums && !is_float && !is_bool)", "if (!is_float && !is_bool)", refusals),
    Mutant("matrix/coordinates.cuh", "folding.sums && !is_float && !is_bool", "folding.sums && !is_float", refusals),
    Mutant("matrix/coordinates.cuh", "folded[at] = total;", "folded[at] = values[0];", entries),
    Mutant("matrix/coordinates.cuh", "if (is_wrong) atomicOr(wrong, 1u);", "", refusals),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
