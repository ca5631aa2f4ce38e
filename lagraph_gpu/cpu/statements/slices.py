"""Long slices with a step, for which SuiteSparse 9.4 takes time in proportion to their length.

They are read and written by the entries instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.notation.expressions import Extract, Fill, computed
from lagraph_gpu.notation.indexing import Axis, Progression, distinct, extent
from lagraph_gpu.notation.update import Update


def strided(axis: Axis) -> bool:
    """True for a long slice of which not every position is taken, in increasing order."""
    return isinstance(axis, Progression) and axis.step != 1


def indices(axes: Any) -> Any:
    """What python-graphblas takes in brackets for these axes, none of which is strided."""
    index = tuple(
        slice(None) if axis is None else axis.slice if isinstance(axis, Progression) else axis
        for axis in axes
    )
    return index if len(index) > 1 else index[0]


def extracted(operand: Any, axes: Any) -> Any:
    """The part of an object of python-graphblas, as an expression."""
    if not any(map(strided, axes)):
        return operand[indices(axes)]
    others = tuple(None if strided(axis) else axis for axis in axes)
    part = operand[indices(others)].new()
    kept = [axis for axis in axes if not isinstance(axis, int)]
    *places, values = part.to_coo()
    shape = list(part.shape)
    for number, axis in enumerate(kept):
        if isinstance(axis, Progression) and axis.step != 1:
            inside, places[number] = axis.numbers(places[number].astype(np.int64))
            values, shape[number] = values[inside], axis.size
            places = [p if k == number else p[inside] for k, p in enumerate(places)]
    given = [place.astype(np.uint64) for place in places]
    sizes = dict(zip(("size",) if len(shape) == 1 else ("nrows", "ncols"), shape))
    kind = gb.Vector if len(shape) == 1 else gb.Matrix
    return kind.from_coo(*given, values, part.dtype, **sizes).apply(gb.unary.identity)


def narrowed(update: Update) -> Update:
    """The update with a list in place of each strided slice of its region: the positions of it at
    which there is an entry before or after, or those of the mask for one value."""
    region: list[Any] = list(update.region or ())
    mask, node = update.mask, update.expression
    if isinstance(node, Fill) and mask is not None and not mask.complement:
        *chosen, _ = mask.handle.to_coo(values=False)
        for number, axis in enumerate(region):
            if isinstance(axis, Progression) and axis.step != 1:
                region[number] = axis[distinct(axis.numbers(chosen[number])[1])]
        narrow = tuple(region)
        part = replace(node, shape=extent(narrow, update.out.shape))
        return replace(update, expression=part, region=narrow)
    if isinstance(node, Fill):  # a value at each position
        listed = (np.asarray(axis) if strided(axis) else axis for axis in region)
        return replace(update, region=tuple(listed))
    part = computed(node)
    part = part if hasattr(part, "_store") else part.new()
    *held, _ = update.out.to_coo(values=False)
    *given, _ = part.to_coo(values=False)
    taken: list[Any] = [None] * len(region)
    for number, axis in enumerate(region):
        if isinstance(axis, Progression) and axis.step != 1:
            _, before = axis.numbers(held[number])
            taken[number] = distinct(np.concatenate((before, given[number])))
            region[number] = axis.begin + axis.step * taken[number]
    return replace(update, expression=Extract(part, tuple(taken)), region=tuple(region))
