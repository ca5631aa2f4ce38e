"""The error for a graph that a file format cannot hold."""

from __future__ import annotations

from lagraph_gpu.errors import UnsupportedOperation


class CannotHold(UnsupportedOperation):
    """A format cannot hold a graph, which others can: `formats`."""

    def __init__(self, why: str, *formats: str) -> None:
        super().__init__(why, *formats)
        self.why, self.formats = why, formats

    def advice(self, option: str) -> str:
        """The message, with an option as it is written where the user has called from."""
        return f"{self.why}; write {' or '.join(map(option.format, self.formats))}"

    def __str__(self) -> str:
        return self.advice("format='{}'") if self.formats else self.why
