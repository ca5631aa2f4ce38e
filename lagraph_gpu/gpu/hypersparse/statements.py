"""Statements over containers with more positions than kernels number.

Which rows and columns are in use is known before a statement runs. It becomes a statement over
small containers by rank, for which all kernels, plans and lowerings of the backend serve, and the
result gets the ids back. Lists of ids are joined on the device, and operands come under the joined
lists in time O(m log k) for m entries and k ids; a step, and a product within its mask too, is
then the one statement that it would be for a smaller matrix.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.hypersparse.ids import IdList, Ids, no_ids
from lagraph_gpu.gpu.hypersparse.operands import Made, view
from lagraph_gpu.gpu.hypersparse.port import Port
from lagraph_gpu.gpu.hypersparse.stores import Hypersparse, View, as_node, assigned, remapped
from lagraph_gpu.notation.expressions import Expression, Fill, Reduce, Transposed
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.indexing import Progression, distinct
from lagraph_gpu.notation.update import Update


class HypersparseStatements(Port):
    """Implements ``Backend.run`` where a store is hypersparse."""

    def concerns(self, update: Update) -> bool:
        """True if a container that the update reads or writes is hypersparse, or would be. An
        output without entries that is alone in that, and will be as its operands are, is so from
        here on."""
        mask, out = update.mask, update.out
        if (mask is not None and isinstance(mask.handle._store, Hypersparse)) or any(
            self._read(operand) for operand in vars(update.expression).values()
        ):
            return True
        if not isinstance(out._store, Hypersparse):
            return False
        placed = update.region is not None or (isinstance(update.expression, Fill) and mask is None)
        if placed or any(map(self.is_long, out.shape)) or out._store.nnz > 0:
            return True
        out._store = self.backend.empty(out.shape, out.dtype, by_rank=True)
        return False

    def _read(self, operand: Any) -> bool:
        """True if an operand is hypersparse, or would be once it is computed."""
        if isinstance(operand, Transposed):
            operand = operand.matrix
        if isinstance(operand, Expression):
            long = any(map(self.is_long, operand.shape))
            return long or any(self._read(inner) for inner in vars(operand).values())
        return isinstance(operand, Handle) and isinstance(operand._store, Hypersparse)

    def run(self, update: Update) -> None:
        node, out = update.expression, update.out
        if isinstance(node, Reduce) and not node.rowwise:
            inner = self.by_rank.made(node).at(())
            self.backend.run(replace(update, expression=inner))
            return
        region, mask = update.region, update.mask
        if isinstance(node, Fill):
            made, region = self._filled(update, node)
        else:
            made = self.by_rank.made(node)
        if region is None and mask is None and update.accum is None:
            inner = assigned(self.backend, made.at(made.ids), out.dtype, schedule=update.schedule)
            out._store = self.store(inner, made.ids, out.shape)
            return
        own, marked = view(out), None if mask is None else view(mask.handle)
        ids: list[tuple[Ids, ...]] = [own.ids]
        if marked is not None:  # ids of no list alone do not stand against lists
            ids.append(tuple(no_ids() if held is None else held for held in marked.ids))
        if region is None:
            ids.append(made.ids)
            wanted = tuple(map(self.ids.union, *ids))
            result, places = made.at(wanted), None
        else:
            result, wanted, places = self._in_region(made, region, own, ids)
        held = remapped(own, wanted, True)
        held = held.dup() if held is own.inner else held
        if mask is not None and marked is not None:
            mask = replace(mask, handle=remapped(marked, wanted, True))
        settings = mask, update.accum, update.replace, places, update.schedule
        self.backend.run(Update(held, as_node(result), *settings))
        out._store = self.store(held, wanted, out.shape)

    # --- one value at many positions ---------------------------------------------------------
    def _filled(self, update: Update, node: Fill) -> tuple[Made, Any]:
        """The Fill by rank, and the region. It reaches the positions of a mask, unless that is
        complemented, and those that a list names."""
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
                ids.append(held if axis is None else None)
                if isinstance(axis, Progression):
                    axes.append(held.host[axis.numbers(held.host)[0]])
                else:
                    axes.append(None)
            elif self.is_long(size if axis is None else axis.size):
                raise TooLarge(
                    f"expected a mask, or a list of positions, beside one value for "
                    f"{prod(node.shape):,} positions on a GPU; give a mask, w(v.S) << 1, so that "
                    "only its positions are written"
                )
            else:
                ids.append(None)
                axes.append(None if axis is None else np.asarray(axis))

        def at(wanted: tuple[Ids, ...]) -> Fill:
            shape = tuple(
                axis.size if axis is not None else size if have is None else have.size
                for axis, have, size in zip(axes, wanted, out.shape)
            )
            return replace(node, shape=shape)

        whole = all(axis is None for axis in axes)
        return Made(tuple(ids), at), None if whole else tuple(axes)

    # --- a region ----------------------------------------------------------------------------
    def _in_region(
        self, made: Made, region: tuple[Any, ...], own: View, ids: list[tuple[Ids, ...]]
    ) -> tuple[Any, tuple[Ids, ...], tuple[Any, ...]]:
        """The result, the ids of the output, and the region by rank. ``ids``: those of the output
        and of the mask."""
        result = made.at(made.ids)
        fill = isinstance(result, Fill)
        sizes = tuple(size if axis is None else axis.size for axis, size in zip(region, own.shape))
        if not (fill or hasattr(result, "_store")):
            result = assigned(self.backend, result)
        part = View(result, made.ids, sizes)
        targets: list[Ids] = []
        wanted: list[Ids] = []
        places: list[Any] = []
        for number, axis in enumerate(region):
            have, *others = (held[number] for held in ids)
            if axis is None:
                every = self.ids.union(have, *others, part.ids[number])
                targets.append(every)
                wanted.append(every)
                places.append(None)
                continue
            if isinstance(axis, Progression) and have is not None:
                part = self.by_rank.listed(part, number)
                axis, numbers = self._used(axis, have, part.ids[number])
                targets.append(numbers)
            else:
                axis = np.asarray(axis)
                targets.append(None)
            every = self.ids.union(have, *others, IdList(distinct(axis)))
            wanted.append(every)
            places.append(axis if every is None else np.searchsorted(every.host, axis))
        if fill:
            shape = tuple(
                (size if every is None else every.size) if place is None else place.size
                for size, every, place in zip(own.shape, wanted, places)
            )
            return replace(result, shape=shape), tuple(wanted), tuple(places)
        return remapped(part, tuple(targets), True), tuple(wanted), tuple(places)

    def _used(self, axis: Progression, have: IdList, given: Ids) -> tuple[np.ndarray, IdList]:
        """The positions of a slice at which there is an entry before or after, and their numbers
        within the slice."""
        _, before = axis.numbers(have.host)
        after = [] if given is None else [given.host]
        numbers = distinct(np.concatenate([before, *after]))
        return axis.begin + axis.step * numbers, IdList(numbers)
