# ruff: noqa: E501  (mutants of one line)
"""Folds of complex numbers into memory, over a warp and over a grid, broken in the lines that
matter."""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from semirings import monoid, plus_first, semiring, times_times
from tests.simt.exercises import emulated
from tests.simt.mutants import Mutant, suite

SEEDS = range(3)
PUSH = lg.Schedule(direction="push")
N = 70


def pushed(dtype: str, semiring: Any, values: np.ndarray, seed: int) -> complex:
    """⊕ over all values, which many threads push at once to each of two positions."""
    backend = emulated(seed)
    with lg.backend(backend):
        u = lg.Vector.from_dense(values.astype(dtype))
        A = lg.Matrix.from_dense(np.ones((values.size, 2), dtype))
        w = lg.Vector(dtype, 2)
        w(schedule=PUSH) << semiring(u @ A)
        assert np.array_equal(*w.to_dense()[:, None], equal_nan=True)
        return complex(w[0].value)


def units(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([1, 1j, -1, -1j, 2 + 1j], N)


def sums() -> None:
    """By an atomic addition of each part."""
    for seed in SEEDS:
        for dtype in ("complex64", "complex128"):
            assert pushed(dtype, plus_first, units(seed), seed) == units(seed).sum()


def locked() -> None:
    """Products of 16 bytes, for which there is no atomic operation."""
    for seed in SEEDS:
        held = np.where(units(seed) == 2 + 1j, -1j, units(seed))
        assert pushed("complex128", times_times, held, seed) == np.prod(held)


def marked() -> None:
    """Numbers that hold the mark of the lock in their real part leave nobody waiting, also where ⊕
    copies them."""
    furthest = monoid("x if abs(x) > abs(y) else y", 0, domain=["FC64"])
    held = np.ones(40, complex)
    held.view(np.uint64)[::2] = 0xFFF0F01D1F01D1F0
    assert np.isnan(pushed("complex128", semiring(furthest, "x"), held, 0))


def folds() -> None:
    """To one number: over the lanes of a warp, the warps of a block and the blocks of the grid."""
    for seed in SEEDS:
        values = np.random.default_rng(seed).integers(-4, 5, 2 * 700).astype(float).view(complex)
        with lg.backend(emulated(seed)):
            assert lg.Vector.from_dense(values).reduce("plus").new().value == values.sum()


EXERCISES = [sums, locked, marked, folds]

MUTANTS = [
    Mutant("core/fold.cuh", "Z(atomicAdd(&at->re, z.re), atomicAdd(&at->im, z.im))", "Z(atomicAdd(&at->re, z.re), atomicAdd(&at->im, z.re))", sums),
    Mutant("core/fold.cuh", "Z(atomicAdd(&at->re, z.re), atomicAdd(&at->im, z.im))", "Z(atomicAdd(&at->re, z.re), z.im)", sums),
    Mutant("core/fold.cuh", "if (old.words[0] == FOLDING) continue;", "", locked),
    Mutant("core/fold.cuh", "        atomicExch(words + 1, next.words[1]);\n", "", locked),
    Mutant("core/fold.cuh", "atomicExch(words, next.words[0]);", "atomicExch(words, old.words[0]);", locked),
    Mutant("core/fold.cuh", "if (next.words[0] == FOLDING)", "if (false)", marked),
    Mutant("core/complex.cuh", "x.re * y.im + x.im * y.re", "x.re * y.im - x.im * y.re", locked),
    Mutant("core/shuffle.cuh", "T(f(x.re), f(x.im))", "T(f(x.re), x.im)", folds),
    Mutant("core/shuffle.cuh", "as_written(&at->im))", "as_written(&at->re))", folds),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
