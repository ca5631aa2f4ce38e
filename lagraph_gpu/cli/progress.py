"""Signs of life on stderr, for what takes longer than one likes to wait in silence."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds before anything is said."""

BEAT = 0.5
"""Seconds between two signs."""

Update = Callable[[int, int], None]


@contextmanager
def progress(what: str) -> Iterator[Update]:
    """While the block runs longer than PATIENCE, say so on stderr.

    A terminal shows one line with the seconds and, once the block has called ``update(done,
    total)``, the percentage; it is wiped at the end. Elsewhere (a log) one line is all.
    """
    terminal = sys.stderr.isatty()
    begun, over = time.monotonic(), threading.Event()
    share = ""

    def update(done: int, total: int) -> None:
        nonlocal share
        share = f", {min(100, 100 * done // max(total, 1))}%"

    def watch() -> None:
        if over.wait(PATIENCE):
            return
        if not terminal:
            print(f"{what} …", file=sys.stderr, flush=True)
            return
        line = ""
        while not over.wait(BEAT):
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
