"""The port through which processes exchange bytes.

Every function is called by all processes together. `communicator.Communicator` is the only caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np


class Transport(Protocol):
    """A way for bytes between processes, which are numbered from 0 to `size` - 1."""

    rank: int
    """The number of this process."""
    size: int
    """The number of processes."""
    local_size: int
    """The number of processes on this host."""
    host: int
    """The number of the first process on this host."""

    def swap(self, heads: np.ndarray) -> Callable[[], np.ndarray]:
        """Begin to send a head to each process: a row of `HEAD_BYTES` (of `backend_distributed`).
        The function that is returned is called before the next exchange. It waits, and row r of its
        result is the one that process r has sent to this one.
        """

    def all_to_all(self, parts: Sequence[np.ndarray], sizes: np.ndarray) -> list[np.ndarray]:
        """Send bytes to each process. The result has as many from each as `sizes` says."""

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        """Send the same bytes to all processes. The result has as many from each as `sizes`
        says.
        """

    def shared(self, size: int) -> np.ndarray | None:
        """So many bytes for each process, zeros at first, as rows of an array that all processes
        share. None if they are not all on one host.
        """

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        """What `work` returns, in which the processes wait for each other in shared memory."""

    def end(self) -> None:
        """End all processes, after an error that they cannot be told of."""
