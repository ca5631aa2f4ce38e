"""Progress messages on stderr for long steps."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS_BEFORE_FIRST = 2.0
"""Seconds before the first message."""

SECONDS_BETWEEN = 0.5
"""Seconds between two messages."""

Update = Callable[[int, int], None]


@contextmanager
def progress(what: str) -> Iterator[Update]:
    """While the block runs longer than SECONDS_BEFORE_FIRST, report it on stderr.

    A terminal shows one line with the seconds and, if the block has called `update(done, total)`,
    the percentage. The line is erased at the end. Elsewhere (in a log) one line is printed.
    """
    terminal = sys.stderr.isatty()
    begun, over = time.monotonic(), threading.Event()
    share = ""

    def update(done: int, total: int) -> None:
        nonlocal share
        share = f", {min(100, 100 * done // max(total, 1))}%"

    def watch() -> None:
        if over.wait(SECONDS_BEFORE_FIRST):
            return
        if not terminal:
            print(f"{what} …", file=sys.stderr, flush=True)
            return
        line = ""
        while not over.wait(SECONDS_BETWEEN):
            line = f"{what} … {time.monotonic() - begun:.0f} s{share}"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
        print("\r" + " " * len(line) + "\r", end="", file=sys.stderr, flush=True)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield update
    finally:
        over.set()
        watcher.join()
