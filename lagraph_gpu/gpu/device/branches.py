"""Streams beside the current one, for kernels that need nothing of each other.

Events order them: a branch waits for what the stream has been given before, and the stream for what
its branches were given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Branches:
    """The branches of each stream, kept for later calls."""

    def __init__(self, cuda: Any) -> None:
        """``cuda`` is CuPy's module of this name."""
        self._cuda = cuda
        self._kept: dict[int, tuple[Any, list[tuple[Any, Any]]]] = {}

    def run(self, *parts: Callable[[], None]) -> None:
        """Call each function but the last in a branch of the current stream, one after the other,
        and the last one in the stream itself."""
        main = self._cuda.get_current_stream()
        begun, branches = self._kept.setdefault(main.ptr, (self._event(), []))
        others = parts[:-1]
        while len(branches) < len(others):
            branches.append((self._cuda.Stream(non_blocking=True), self._event()))
        begun.record(main)
        for part, (stream, done) in zip(others, branches):
            with stream:
                stream.wait_event(begun)
                part()
                done.record(stream)
        parts[-1]()
        for _, (_, done) in zip(others, branches):
            main.wait_event(done)

    def _event(self) -> Any:
        return self._cuda.Event(disable_timing=True)
