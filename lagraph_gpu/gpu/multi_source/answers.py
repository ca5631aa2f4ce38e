"""Answers to requests for distances from many sources: where they go, and who hears of it.

An answer is whole rows of a table, or chosen pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms.paths.path_lengths import Pairs, Targets
from lagraph_gpu.gpu.device import Device, DeviceArray
from lagraph_gpu.gpu.storage import INDEX
from lagraph_gpu.reporting import StepCallback
from semirings import types


class WholeRows(NamedTuple):
    """An answer with a row for each source, in order, and a column for each target."""

    targets: DeviceArray | None
    columns: int


class Picks(NamedTuple):
    """An answer with chosen pairs, given on the host and on the device."""

    pairs: Pairs
    row: DeviceArray
    column: DeviceArray
    place: DeviceArray


class Answer(NamedTuple):
    """Where the distances of n vertices are written."""

    n: int
    into: WholeRows | Picks
    out: DeviceArray


class Table(NamedTuple):
    """The request for a table, and where its answer is written."""

    sources: np.ndarray
    targets: np.ndarray | None
    """The targets, which may repeat; None is all vertices."""
    cutoff: float | None
    reason: str
    """The reason for the way that was chosen."""
    answer: Answer
    report: Callable[[int], None]
    """Called with the number of rows that are done."""


def listener(device: Device, progress: StepCallback | None, total: int) -> Callable[[int], None]:
    """A function that reports how many of ``total`` rows are done, where more are than before: some
    are done twice. It waits if there is a progress function."""
    before = 0

    def report(done: int) -> None:
        nonlocal before
        if progress is not None and done > before:
            before = done
            device.synchronize()  # synchronize! what is under way is not done
            progress(done, total)

    return report


def into(
    device: Device, targets: Targets, shape: tuple[int, ...], at: np.ndarray | None = None
) -> WholeRows | Picks:
    """Where an answer of this shape is written. ``at`` is the position of each vertex in a dense
    block."""
    upload = device.upload
    if isinstance(targets, Pairs):
        column = targets.column if at is None else at[targets.column]
        row, column = (upload(x.astype(INDEX)) for x in (targets.row, column))
        return Picks(targets, row, column, upload(targets.place))
    if at is not None:
        targets = at if targets is None else at[targets]
    return WholeRows(None if targets is None else upload(targets.astype(INDEX)), shape[1])


def limit_of(cutoff: float | None, dtype: np.dtype) -> Any:
    """The largest distance that counts, in this type."""
    highest = np.inf if dtype.kind == "f" else types.highest(dtype)
    if cutoff is None or cutoff >= highest:
        return types.cast(highest, dtype)
    return types.cast(cutoff if dtype.kind == "f" else math.floor(cutoff), dtype)
