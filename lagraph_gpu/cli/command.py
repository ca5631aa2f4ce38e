"""``lagraph-gpu COMMAND``; what is no command is for the main job."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from lagraph_gpu.cli.exits import TERMINATED, guarded

COMMANDS = ("info", "doctor", "convert", "run", "distances")
"""Each a module here, with ``main``; a graph file of such a name is given as ``./info``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, or the main job; the exit status."""
    if arguments is None:  # a process; one that is told to end takes back what is half written
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words.pop(0) if words and words[0] in COMMANDS else "job"
    return guarded(lambda: import_module(f"lagraph_gpu.cli.{name}").main(words))
