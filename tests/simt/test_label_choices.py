"""Choices of labels on a GPU, beyond what their exercises say: answers do not depend on where votes
are added up, and nothing is compiled ahead that is not launched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks.instrument import OF_THE_DEVICE, Instrument
from lagraph_gpu.algorithms.community.local_moving import MovingState, ScoreTerms, local_moving
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.fused.label_argmax import COUNTED_ROWS
from lagraph_gpu.gpu.storage.vector_storage import every_bit
from tests.simt.exercises import gpu

N, TURNS, LABELS = 120, 3, 12


def choosing(labels_with_places: int) -> GpuBackend:
    """A backend that chooses as for large graphs, with so much room for places."""
    backend = gpu(1)
    backend.label_argmax.many = 0
    backend.label_argmax.slots, backend.label_argmax.long_bytes = (400, 128), 1740
    room = labels_with_places * 4
    backend.label_argmax.counted_bytes = 2 * room, room
    return backend


def swept(backend: GpuBackend, weight: float) -> tuple[list[np.ndarray], np.ndarray]:
    """What a sweep finds over edges of one weight: labels, margins and sums; and gains."""
    rng = np.random.default_rng(5)
    degrees = rng.choice([7, 20, 34, 60, 100], N)
    i = np.repeat(np.arange(N), degrees)
    j = np.concatenate([np.sort(rng.choice(N, degree, replace=False)) for degree in degrees])
    B = lg.Matrix.from_coo(i, j, weight, nrows=N, ncols=N, dtype=float, backend=backend)

    def vector(values: Any) -> lg.Vector:
        return lg.Vector.from_dense(values, backend=backend)

    terms = ScoreTerms(vector(np.ones(N)), vector(rng.integers(1, 4, N) / 2), None, None, 0.25)
    state = MovingState.of(vector(rng.integers(0, LABELS, N)), vector(np.full(N, -1.0)), terms)
    gains = local_moving(B, state, vector(rng.integers(0, TURNS, N).astype(np.uint8)), TURNS, terms)
    found = [state.label, state.margin, state.k_sums]
    return [each.to_dense() for each in found], gains.to_dense(fill_value=0)


def test_votes_of_an_inexact_value_are_worth_the_same_in_tables_and_in_places() -> None:
    """The parts of ten votes of 0.1 add up to other numbers than ten times 0.1."""
    in_tables, in_places = (swept(choosing(room), 0.1) for room in (0, LABELS))
    assert np.count_nonzero(in_tables[1]) > N / 2
    for ours, others in zip((*in_tables[0], in_tables[1]), (*in_places[0], in_places[1])):
        np.testing.assert_array_equal(ours, others)


@pytest.mark.parametrize("room", [LABELS, LABELS - 1])
def test_only_what_is_launched_is_compiled_ahead(room: int) -> None:
    backend, ahead, launched = choosing(room), set(), set()
    compile_ahead, launch = backend.compile_ahead, backend.launch

    def compiling(programs: Any) -> bool:
        programs = list(programs)
        ahead.update(programs)
        return compile_ahead(programs)

    def launching(*args: Any, **more: Any) -> None:
        launched.add(args[:3])
        launch(*args, **more)

    backend.compile_ahead, backend.launch = compiling, launching  # type: ignore[method-assign]
    swept(backend, 1.0)
    assert ahead and ahead <= launched
    assert any(header == COUNTED_ROWS for header, *_ in ahead) == (room == LABELS)


def test_the_instrument_counts_each_kernel() -> None:
    for room in (0, LABELS):
        backend = choosing(room)
        with Instrument(backend) as watch:
            before = backend.device.launches
            swept(backend, 1.0)
            launched = backend.device.launches - before
        assert launched == sum(n for name, n in watch.count.items() if name not in OF_THE_DEVICE)


@pytest.mark.parametrize("n", [1, 31, 32, 45, 64])
def test_a_full_vector_has_no_bits_beyond_its_end(n: int) -> None:
    """Where it is written to it is no longer known to be full, and its bitmap is read."""
    backend = gpu(1)
    v = backend.full_vector(backend.device.upload(np.arange(n)))
    bits = backend.device.download(v._store.bits)
    assert np.array_equal(bits, every_bit(n))
    v(mask=v.S) << v
    assert v.nvals == n
