"""Closures that start from NaN, which loses to every number, whatever its bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import NoFixpoint
from semirings import max_min, max_plus, max_times, min_first, min_max, min_plus, types
from semirings.types import FP32, FP64
from tests.harness import CPU, GPU, complaint, put, reseed, take
from tests.spec import Sparse
from tests.strategies import examples, random_graphs, schedules, seeds

RINGS = [max_min, max_times, max_plus, min_plus, min_max, min_first]
NANS = [np.float64("nan"), -np.float64("nan")]
SCHEDULES = [
    None, lg.Schedule(order="delta"), lg.Schedule("push", small="block"), lg.Schedule("edge"),
    *(lg.Schedule(way, loop="device", order="rounds") for way in ("push", "pull", None)),
]  # fmt: skip


def outcome(x0: Sparse, A: Sparse, ring: Any, schedule: Any, backend: Any) -> Sparse | str:
    try:
        return take(lg.closure(put(x0, backend), put(A, backend), ring, None, schedule))
    except NoFixpoint as error:
        return str(error)


@pytest.mark.parametrize("dtype", [FP32, FP64], ids=types.name)
@pytest.mark.parametrize("ring", RINGS, ids=lambda r: r.name)
def test_a_number_takes_the_place_of_any_nan(ring: Any, dtype: Any) -> None:
    """An edge leads from 2 to a NaN, and one from a NaN to where nothing else arrives."""
    weight = dtype.type(-1 if ring is max_plus else 1)
    A = Sparse(dtype, (4, 4), {(1, 0): weight, (2, 3): weight})
    for nan in NANS:
        x0 = Sparse(dtype, (4,), {0: dtype.type(nan), 1: dtype.type(2), 2: dtype.type(nan)})
        right = outcome(x0, A, ring, None, CPU)
        for schedule in SCHEDULES:
            if ring is max_times and schedule == lg.Schedule(order="delta"):
                continue  # it has no such order
            found = outcome(x0, A, ring, schedule, GPU)
            assert not complaint(found, [right]), schedule
            assert not np.isnan(found.entries[0]) and np.isnan(found.entries[2]), schedule


@pytest.mark.parametrize("ring", RINGS, ids=lambda r: r.name)
@examples(10)
@given(
    data=st.data(), dtype=st.sampled_from([FP32, FP64]), schedule=schedules, seed=seeds,
    pool=st.sampled_from([[0.0, 1.0, 2.0], [1.0, np.inf], [0.0, np.nan]]),
    longest=st.sampled_from([-1, 64]), wide=st.sampled_from([-1, 8]),
)  # fmt: skip
def test_starts_and_weights_that_are_no_numbers(
    ring: Any, data: Any, dtype: Any, schedule: Any, seed: int, pool: Any, longest: int, wide: int
) -> None:
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from(pool))).adjacency.cast(dtype)
    value = st.sampled_from([dtype.type(v) for v in (*NANS, 0, 1, 2, np.inf, -np.inf)])
    places = st.integers(0, A.shape[0] - 1)
    x0 = Sparse(dtype, A.shape[:1], data.draw(st.dictionaries(places, value, max_size=6)))
    reseed(seed)
    right = outcome(x0, A, ring, None, CPU)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.closures.order_choice, "longest", longest)  # is a graph deep?
        patch.setattr(GPU.hub_first, "wide", wide)  # has it a core?
        for asked in (schedule, None):
            found = outcome(x0, A, ring, asked, GPU)
            assert found == right if isinstance(right, str) else not complaint(found, [right])
