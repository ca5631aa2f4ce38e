"""Lines that list the neighbours of one vertex: what METIS files and Graphalytics' examples share.

The fast path keeps only counts: how many words each line has, and where the vertex and edge
weights sit among them. O(bytes).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.io import tokens


def read_lines(
    text: bytes, lead: int, weighted: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None] | None:
    """``(words per line, lead numbers, neighbours, edge weights)`` of lines, or None if malformed.

    Each line starts with `lead` whole numbers; the rest are ids, each with a weight if `weighted`.
    Blank lines are lines: they count, with no words.
    """
    words = tokens.tokenise(text)
    per_line = words.per_line
    count = words.start.size
    rest = per_line - lead
    if ((rest < 0) & (per_line > 0)).any() or (weighted and (rest[per_line > 0] % 2).any()):
        return None
    first = np.cumsum(per_line) - per_line
    place = np.arange(count) - np.repeat(first, per_line)
    is_weight = weighted & (place >= lead) & ((place - lead) % 2 == 1)
    weight: NDArray[Any] | None = None
    if weighted and tokens.looks_real(text):
        id_text, weight_text = words.split(is_weight)
        nweights = int(is_weight.sum())
        numbers = tokens.integers(id_text, count - nweights)
        weight = tokens.reals(weight_text, nweights)
        if numbers is None or weight is None:
            return None
        place = place[~is_weight]
    else:
        numbers = tokens.integers(text, count)
        if numbers is None:
            return None
        if weighted:
            weight = numbers[is_weight]
            numbers, place = numbers[~is_weight], place[~is_weight]
    return per_line, numbers[place < lead], numbers[place >= lead], weight


def once(
    src: NDArray[np.int64], dst: NDArray[np.int64], weight: NDArray[Any] | None
) -> tuple[NDArray[np.bool_], int | None]:
    """Of arcs that should come in both directions, which to keep as edges: those with src <= dst.

    The second value is an arc whose opposite (of the same weight) is missing, or None. O(m log m).
    """
    keep = src <= dst
    up, down = np.flatnonzero(src < dst), np.flatnonzero(src > dst)
    weight = np.zeros(src.size) if weight is None else weight
    up = up[np.lexsort((weight[up], dst[up], src[up]))]
    down = down[np.lexsort((weight[down], src[down], dst[down]))]
    size = min(up.size, down.size)
    a, b = up[:size], down[:size]
    differ = (src[a] != dst[b]) | (dst[a] != src[b]) | (weight[a] != weight[b])
    if not differ.any():
        longer = up if up.size > size else down
        return keep, int(longer[size]) if longer.size > size else None
    k = int(np.argmax(differ))
    first, second = (src[a[k]], dst[a[k]]), (dst[b[k]], src[b[k]])
    return keep, int(a[k] if first <= second else b[k])
