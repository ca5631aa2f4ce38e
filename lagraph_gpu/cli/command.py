"""`lagraph-gpu COMMAND`. A graph file in its place is for the main job, and nothing is for help."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import shell_complete

import lagraph_gpu
from lagraph_gpu.cli.exits import TERMINATED, escape_what_stdout_lacks, guarded
from lagraph_gpu.cli.words import did_you_mean
from lagraph_gpu.interrupts import INTERRUPTED, within_a_second
from lagraph_gpu.io.stream import meant as beside

COMMANDS = ("run", "distances", "info", "convert", "job", "doctor", "warm", "completion")
"""Each command is a module of this package with a command `main`. A graph file with such a name is
given as `./info`.
"""

COMPLETE = "_LAGRAPH_GPU_COMPLETE"
"""The variable in which a shell says what it wants to complete."""

EPILOG = """\
lagraph-gpu GRAPH is short for lagraph-gpu job GRAPH. Each command has a --help of its own; the
algorithms are listed by lagraph-gpu run --list.
"""


class Commands(click.Group):
    """The commands, each imported when it is used. What names none is for the main job."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"lagraph_gpu.cli.{cmd_name}").main
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        complete = not ctx.resilient_parsing  # and not where a shell asks for completions
        if complete and not args:
            args = ["--help"]
        first = args[0] if args else ""
        own = (*ctx.help_option_names, "--version")
        if complete and first not in (*COMMANDS, *own):
            if near := did_you_mean(first, own):  # and the main job has no such option
                raise click.UsageError(f"expected an option, got {first!r}{near}")
            if first[:1] != "-" and not os.path.exists(first):
                raise click.UsageError(
                    f"expected a command or a graph file, got {first!r}, which is neither"
                    f"{meant(first)}",
                    ctx,
                )
            args = ["job", *args]
        return super().parse_args(ctx, args)


def meant(word: str) -> str:
    """The end of a message: a command, an algorithm or a file that may have been meant."""
    if "." not in word and os.sep not in word:
        if near := did_you_mean(word, COMMANDS):
            return near
        from lagraph_gpu.cli.run import algorithms  # only for this message

        known = algorithms()
        if near := did_you_mean(word, [word] if word in known else known, "run "):
            return near
    return beside(Path(word))


@click.group("lagraph-gpu", cls=Commands, epilog=EPILOG, no_args_is_help=False)
@click.version_option(lagraph_gpu.__version__, message="lagraph-gpu %(version)s")
def commands() -> None:
    """Graph algorithms as linear algebra, on CPUs and NVIDIA GPUs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns the exit status."""
    if instruction := os.environ.get(COMPLETE):
        return shell_complete(commands, {}, "lagraph-gpu", COMPLETE, instruction)
    if arguments is not None:
        return guarded(lambda: run(list(arguments)))
    # in a process of its own: on SIGTERM half-written files are removed
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    escape_what_stdout_lacks()
    with within_a_second():
        status = guarded(lambda: run(sys.argv[1:]))
        if status == INTERRUPTED:  # all is cleaned up, and Python's own end takes its time
            os._exit(status)
    return status


def run(words: list[str]) -> int:
    with commands.make_context("lagraph-gpu", words, obj=tuple(words)) as context:
        status: int = commands.invoke(context)
    return status
