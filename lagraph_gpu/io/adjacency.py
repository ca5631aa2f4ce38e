"""Lines that list the neighbours of one vertex, as METIS files and Graphalytics examples have them.

The fast path keeps counts only: how many words each line has, and where the weights of vertices and
edges are among them. O(bytes).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.io import tokens


def read_lines(
    text: bytes, lead: int, weighted: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None] | None:
    """`(words per line, lead numbers, neighbours, edge weights)` of the lines; None if malformed.

    Each line starts with `lead` integers. The rest are ids, each followed by a weight if
    `weighted`. A blank line counts as a line without words.
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
        weight = tokens.numbers(weight_text, nweights)
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
