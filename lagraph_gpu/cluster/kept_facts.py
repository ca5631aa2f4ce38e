"""What a statement has kept for later ones, and what forgets it if the statement fails.

All processes compute a fact together, such as the transpose of a matrix, and each keeps its part.
If one fails before it has its part and others have theirs, it alone would compute the fact the next
time, and the processes would be in different statements for good. So what was kept counts only when
all have agreed that none has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class KeptFacts:
    """What this process has kept since all agreed."""

    def __init__(self) -> None:
        self._forget: list[Callable[[], Any]] = []

    def note(self, forget: Callable[[], Any]) -> None:
        """Note that something is kept, and what forgets it."""
        self._forget.append(forget)

    def confirm(self) -> None:
        """All have agreed: it stays."""
        self._forget.clear()

    def forget(self) -> None:
        """The statement has failed: nothing of it stays."""
        for forget in self._forget:
            forget()
        self._forget.clear()
