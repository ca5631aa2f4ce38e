"""Heads: what each process sends to each other before the bytes of an exchange."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.backend_distributed import HEAD_BYTES

FAILED, ENDED = -1, -2
"""In place of a number of bytes: this process has failed, or its program has ended."""

BYTES_IN_HEAD = HEAD_BYTES - 24
"""So many bytes fit into a head."""

HEADS = np.dtype(
    [
        ("size", np.int64),
        ("most", np.int32),
        ("statement", np.uint32),
        ("note", np.int64),
        ("few", np.uint8, BYTES_IN_HEAD),
    ]
)
"""A head: how many bytes come, the most that its process sends to anyone (no more than
`BYTES_IN_HEAD + 1`), in which statement it is, a number beside that, and the bytes themselves if no
process sends more than `BYTES_IN_HEAD` to anyone."""


def bytes_of_heads(heads: np.ndarray) -> np.ndarray:
    """Heads as the transport takes them, a row for each."""
    return heads.view(np.uint8).reshape(heads.size, HEAD_BYTES)


def sizes_of(heads: np.ndarray) -> np.ndarray:
    """How many bytes come from each process."""
    return np.ascontiguousarray(heads["size"])


def few_of(heads: np.ndarray) -> list[np.ndarray] | None:
    """The bytes that came in the heads, or None if they come after them."""
    if heads["most"].max() > BYTES_IN_HEAD:
        return None
    return [few[:size] for few, size in zip(heads["few"], heads["size"])]
