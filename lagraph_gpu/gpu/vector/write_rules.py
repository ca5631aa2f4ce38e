"""What an update does to the vector it goes into, as far as the host can say without asking."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.storage.vector_storage import DeviceVector
from lagraph_gpu.notation.expressions import Product, Reduce
from lagraph_gpu.notation.update import Update

KEPT, REPLACED, NOTHING = np.int32(0), np.int32(1), np.int32(2)
"""What becomes of the entries an output has: they stay, they stay within the mask, or none count
(see elementwise.cuh)."""


def becomes(update: Update) -> bool:
    """Does the output hold just what was computed, which for a product is under its mask?"""
    alone = update.accum is None and update.region is None
    masked = isinstance(update.expression, (Product, Reduce))
    return alone and (update.mask is None or (masked and update.replace))


def before(update: Update) -> np.int32:
    """What elementwise.cuh has to know of the entries that the output had."""
    masked, store = update.mask is not None, update.out._store
    kept = update.accum is not None or update.region is not None
    if store.unwritten or not (kept or (masked and not update.replace)):
        return NOTHING
    return REPLACED if masked and update.replace else KEPT


def count_after(
    update: Update, source: str, left: DeviceVector | None, right: DeviceVector | None
) -> int | None:
    """How many entries an element-wise update from this source leaves, where that is certain."""
    out, count = update.out._store, None
    if source == "Fill":
        count = out.size
    elif source == "Apply" and left is not None:
        count = left.count
    elif left is not None and right is not None:
        full = (left.full and right.full) if source == "EwiseMult" else left.full or right.full
        count = out.size if full else None
    whole = count == out.size
    if update.mask is None and update.region is None:
        if update.accum is None:
            return count
        return out.size if whole or out.full else None
    kept = out.full and not update.replace and (whole or update.accum is not None)
    return out.size if kept else None
