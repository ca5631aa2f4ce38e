"""An operation that says whether a matrix is its own transpose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.convert.mirrored import drawn_keys, expect_mirrored, mirrored
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation


@operation
def mirror_sums(A: Matrix, entries: Iterable[Rows], keys: np.ndarray) -> np.ndarray:
    """The sums of the entries above and below the diagonal, and the number of those on it (UINT64),
    by a random function (see `convert.mirrored`). `entries` are those of A on the host, in blocks,
    which a lowering may leave unread."""
    return mirrored(entries, keys)


def loops_of(A: Matrix, entries: Iterable[Rows]) -> int:
    """The number of entries on the diagonal of a matrix that is its own transpose. Raises
    InvalidValue if it is not."""
    above, below, loops = mirror_sums(A, entries, drawn_keys())
    expect_mirrored(above, below)
    return int(loops)
