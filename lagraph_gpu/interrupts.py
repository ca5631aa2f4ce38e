"""How Ctrl-C ends a command, at once or within a second, and what it must not end in the middle.

Python turns Ctrl-C into KeyboardInterrupt, in the main thread, at its next step. That is right for
a program that goes on afterwards, but not enough for a command. While it imports its modules the
error shows a traceback of other people's code, and it is lost where it falls into a destructor. And
a single long call of a library has no next step for as long as it takes.

So while the package is imported for the command line (`until_the_command`) Ctrl-C ends the process
as it ends any program. While the command runs (`within_a_second`) it is KeyboardInterrupt, by which
half-written files are removed; and a thread, which the system wakes through a pipe, ends the
process if that has not happened after `CLEANUP_SECONDS`.

In other programs KeyboardInterrupt must not end an import of an engine in the middle: many packages
cannot be imported a second time then. `held_back` lets the import end first.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CLEANUP_SECONDS = 0.8
"""Seconds that a command has to clean up."""

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended."""


def is_command() -> bool:
    """Whether this process is `lagraph-gpu` or `python -m lagraph_gpu`."""
    if sys.argv[:1] == ["-m"]:  # as long as Python looks for the module
        return sys.orig_argv[1:][sys.orig_argv[1:].index("-m") + 1 :][:1] == ["lagraph_gpu"]
    return bool(sys.argv) and os.path.basename(sys.argv[0]) == "lagraph-gpu"


def until_the_command() -> None:
    """Let Ctrl-C end the process at once, if this is a command and nothing else was chosen."""
    if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def within_a_second(end: Callable[[int], object] = os._exit) -> Iterator[None]:
    """While the block runs Ctrl-C is KeyboardInterrupt, and calls `end` if the block goes on.

    Where Ctrl-C is ignored, as in a job in the background, nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    if before not in (signal.SIG_DFL, signal.default_int_handler):
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    heard, told = os.pipe()
    os.set_blocking(told, False)
    over = threading.Event()

    def listen() -> None:
        while signals := os.read(heard, 64):
            if signal.SIGINT in signals and not over.wait(CLEANUP_SECONDS):
                end(INTERRUPTED)
        os.close(heard)

    threading.Thread(target=listen, name="Ctrl-C", daemon=True).start()
    others = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(others)
        os.close(told)


@contextmanager
def held_back() -> Iterator[None]:
    """While the block runs Ctrl-C waits for its end. Who presses it twice does not want to wait."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came: list[Any] = []

    def wait(*signal_and_frame: Any) -> None:
        came.append(signal_and_frame)
        if len(came) > 1:
            before(*signal_and_frame)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if len(came) == 1:
            before(*came[0])
