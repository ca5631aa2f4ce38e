"""The effect of an update on the entries of its output, as far as the host knows it without
waiting."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.storage import DeviceVector
from lagraph_gpu.notation.expressions import Product, Reduce
from lagraph_gpu.notation.update import Update

KEPT, REPLACED, IGNORED = np.int32(0), np.int32(1), np.int32(2)
"""What elementwise.cuh does with the output's old entries: keep them, keep those within the mask,
or ignore them."""


def becomes(update: Update) -> bool:
    """True if the output becomes exactly the computed result (for a product, under its mask)."""
    alone = update.accum is None and update.region is None
    masked = isinstance(update.expression, (Product, Reduce))
    return alone and (update.mask is None or (masked and update.replace))


def before(update: Update) -> np.int32:
    """What elementwise.cuh does with the output's old entries."""
    masked, store = update.mask is not None, update.out._store
    kept = update.accum is not None or update.region is not None
    if store.unwritten or not (kept or (masked and not update.replace)):
        return IGNORED
    return REPLACED if masked and update.replace else KEPT


def count_after(
    update: Update, source: str, left: DeviceVector | None, right: DeviceVector | None
) -> int | None:
    """The number of entries after an element-wise update from this source; None if it is not
    certain."""
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
