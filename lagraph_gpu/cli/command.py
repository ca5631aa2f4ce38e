"""`lagraph-gpu COMMAND`. Without a command the main job runs."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from lagraph_gpu.cli.exits import TERMINATED, guarded

COMMANDS = ("info", "doctor", "convert", "run", "distances")
"""Each command is a module of this package with a function `main`. A graph file with such a name is
given as `./info`.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, or the main job, and returns the exit status."""
    if arguments is None:  # in a process of its own: on SIGTERM half-written files are removed
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words.pop(0) if words and words[0] in COMMANDS else "job"
    return guarded(lambda: import_module(f"lagraph_gpu.cli.{name}").main(words))
