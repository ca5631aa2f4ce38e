"""How a command ends: its exit status, and one line on stderr for an error."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable

import click

from lagraph_gpu.errors import LagraphError
from lagraph_gpu.interrupts import INTERRUPTED

FINE, WRONG, BAD_INPUT, PIPE, TERMINATED = 0, 1, 2, 141, 143

OPTIONS = {
    "lg.set_backend('cpu')": "--backend cpu",
    "see G.labels": "see --labels",
    "take G.to_undirected(), or the subgraph of one of lg.strongly_connected_components(G)":
        "say --undirected, or take a part: `run strongly_connected_components` finds them",
    "take a component, such as lg.largest_component(G)":
        "take a component: `run connected_components` finds them",
}  # fmt: skip
"""What messages advise in Python, and how to say it on the command line."""

UNWRITTEN = errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EBADF
"""The errors of a write. Those to files of the commands have their names in the message."""


def escape_what_stdout_lacks() -> None:
    """Have characters that the encoding of stdout lacks written as on stderr, such as `\\xf6`, and
    not end the command: names, and the … of tables and of --help."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def guarded(command: Callable[[], int]) -> int:
    """Runs a command and returns the exit status."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the caller, as with ">&-"
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: SIM115 (until the process ends)
    try:
        status = command()
        sys.stdout.flush()
        return status
    except click.exceptions.Exit as end:  # of --help and --version
        return end.exit_code
    except BrokenPipeError:  # as with "| head": the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE
    except click.UsageError as problem:
        where = f" ({problem.ctx.command_path} --help)" if problem.ctx else ""
        message = " ".join(problem.format_message().split())  # click lists choices line by line
        print(f"error: {message}{where}", file=sys.stderr)
        return BAD_INPUT
    except (LagraphError, OSError, MemoryError) as problem:
        if isinstance(problem.__cause__, BrokenPipeError):  # of a file that was /dev/stdout
            return PIPE
        said = str(problem)
        if isinstance(problem, OSError) and problem.errno in UNWRITTEN and not problem.filename:
            said = f"standard output cannot be written: {problem.strerror}"
        message = " ".join(map(str.strip, said.splitlines())) or "out of memory"
        for call, option in OPTIONS.items():
            message = message.replace(call, option)
        print(f"error: {message}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
