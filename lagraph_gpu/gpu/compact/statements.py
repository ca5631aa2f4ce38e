"""Statements over containers with more positions than kernels number.

Which rows and columns are in use is known before a statement runs. It becomes a statement over
small containers by rank, for which all kernels, plans and lowerings of the backend serve, and the
result gets the ids back. Ids are compared on the host, in time O(k log k) for k of them.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.compact.operands import listed, view
from lagraph_gpu.gpu.compact.port import Port
from lagraph_gpu.gpu.compact.stores import (
    NO_IDS,
    Compact,
    Ids,
    View,
    as_node,
    assigned,
    remapped,
    union,
)
from lagraph_gpu.notation.expressions import Expression, Fill, Reduce, Transposed
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.indexing import Progression, distinct
from lagraph_gpu.notation.update import Update


class CompactStatements(Port):
    """Implements ``Backend.run`` where a store is compact."""

    def concerns(self, update: Update) -> bool:
        """True if a container that the update reads or writes is compact, or would be."""
        if self._read(update.out):
            return True
        mask = update.mask
        return (mask is not None and isinstance(mask.handle._store, Compact)) or any(
            self._read(operand) for operand in vars(update.expression).values()
        )

    def _read(self, operand: Any) -> bool:
        """True if an operand is compact, or would be once it is computed."""
        if isinstance(operand, Transposed):
            operand = operand.matrix
        if isinstance(operand, Expression):
            long = any(map(self.is_long, operand.shape))
            return long or any(self._read(inner) for inner in vars(operand).values())
        return isinstance(operand, Handle) and isinstance(operand._store, Compact)

    def run(self, update: Update) -> None:
        node, out = update.expression, update.out
        if isinstance(node, Reduce) and not node.rowwise:
            inner, _ = self.by_rank.made(node)
            self.backend.run(replace(update, expression=inner))
            return
        region = update.region
        if isinstance(node, Fill):
            made, ids, region = self._filled(update, node)
        else:
            made, ids = self.by_rank.made(node)
        if region is None and update.mask is None and update.accum is None:
            inner = assigned(self.backend, made, out.dtype, schedule=update.schedule)
            out._store = self.store(inner, ids, out.shape)
            return
        own = view(out)
        if region is None:
            wanted = tuple(map(union, out.shape, own.ids, ids))
            made, places = self._at(made, ids, wanted, out.shape), None
        else:
            made, wanted, places = self._in_region(made, ids, region, own)
        held = remapped(own, wanted)
        held = held.dup() if held is own.inner else held
        mask = update.mask
        if mask is not None:
            mask = replace(mask, handle=remapped(view(mask.handle), wanted))
        settings = mask, update.accum, update.replace, places, update.schedule
        self.backend.run(Update(held, as_node(made), *settings))
        out._store = self.store(held, wanted, out.shape)

    def _at(self, made: Any, ids: tuple[Ids, ...], wanted: tuple[Ids, ...], shape: Any) -> Any:
        """The result at the wanted ids; the expression itself if it has just these."""
        if all(
            have is want or (have is not None and want is not None and np.array_equal(have, want))
            for have, want in zip(ids, wanted)
        ):
            return made
        held = made if hasattr(made, "_store") else assigned(self.backend, made)
        return remapped(View(held, ids, shape), wanted)

    # --- one value at many positions ---------------------------------------------------------
    def _filled(self, update: Update, node: Fill) -> tuple[Any, tuple[Ids, ...], Any]:
        """The Fill by rank, its ids, and the region. It reaches the positions of a mask, unless
        that is complemented, and those that a list names."""
        out, mask = update.out, update.mask
        marked: tuple[Ids, ...] | None = None
        if mask is not None and not mask.complement:
            marked = view(mask.handle).ids
        region: tuple[Any, ...] = update.region or (None,) * len(out.shape)
        ids: list[Ids] = []
        axes: list[Any] = []
        for number, (axis, size) in enumerate(zip(region, out.shape)):
            if isinstance(axis, np.ndarray):
                ids.append(None)
                axes.append(axis)
            elif marked is not None and (held := marked[number]) is not None:
                inside = axis.numbers(held)[0] if isinstance(axis, Progression) else slice(None)
                axes.append(None if axis is None else held[inside])
                ids.append(held if axis is None else None)
            elif self.is_long(size if axis is None else axis.size):
                raise TooLarge(
                    f"expected a mask, or a list of positions, beside one value for "
                    f"{prod(node.shape):,} positions on a GPU; give a mask, w(v.S) << 1, so that "
                    "only its positions are written"
                )
            else:
                ids.append(None)
                axes.append(None if axis is None else np.asarray(axis))
        shape = tuple(
            size if listed is None else listed.size
            for listed, size in zip((a if h is None else h for a, h in zip(axes, ids)), out.shape)
        )
        whole = all(axis is None for axis in axes)
        return replace(node, shape=shape), tuple(ids), None if whole else tuple(axes)

    # --- a region ----------------------------------------------------------------------------
    def _in_region(
        self, made: Any, ids: tuple[Ids, ...], region: tuple[Any, ...], own: View
    ) -> tuple[Any, tuple[Ids, ...], tuple[Any, ...]]:
        """The result, the ids of the output, and the region by rank."""
        fill = isinstance(made, Fill)
        sizes = tuple(size if axis is None else axis.size for axis, size in zip(region, own.shape))
        if fill:
            part = View(made, ids, sizes)
        else:
            held = made if hasattr(made, "_store") else assigned(self.backend, made)
            part = View(held, ids, sizes)
        targets: list[Ids] = []
        wanted: list[Ids] = []
        places: list[Any] = []
        for number, (axis, size) in enumerate(zip(region, own.shape)):
            have = own.ids[number]
            if axis is None:
                every = union(size, have, part.ids[number])
                targets.append(every)
                wanted.append(every)
                places.append(None)
                continue
            if isinstance(axis, Progression) and have is not None:
                part = listed(part, number)
                axis, numbers = self._used(axis, have, part.ids[number])
                targets.append(numbers)
            else:
                axis = np.asarray(axis)
                targets.append(None)
            every = None if have is None else union(size, have, distinct(axis))
            wanted.append(every)
            places.append(axis if every is None else np.searchsorted(every, axis))
        if fill:
            shape = tuple(
                (width if every is None else every.size) if place is None else place.size
                for width, every, place in zip(own.shape, wanted, places)
            )
            return replace(made, shape=shape), tuple(wanted), tuple(places)
        return remapped(part, tuple(targets)), tuple(wanted), tuple(places)

    def _used(
        self, axis: Progression, have: np.ndarray, given: Ids
    ) -> tuple[np.ndarray, np.ndarray]:
        """The positions of a slice at which there is an entry before or after, and their numbers
        within the slice."""
        _, before = axis.numbers(have)
        numbers = distinct(np.concatenate((before, NO_IDS if given is None else given)))
        return axis.begin + axis.step * numbers, numbers
