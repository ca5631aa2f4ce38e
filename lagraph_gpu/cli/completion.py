"""`lagraph-gpu completion SHELL`: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from lagraph_gpu.cli.exits import FINE

EPILOG = """\
For bash, this line in ~/.bashrc (zsh: ~/.zshrc) has it in every shell:

\b
  eval "$(lagraph-gpu completion bash)"
"""


@click.command(
    "completion", epilog=EPILOG, short_help="Print a script that completes words in a shell."
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def main(shell: str) -> int:
    """Print the script that makes a shell complete commands, options and algorithms."""
    from lagraph_gpu.cli.command import COMPLETE, commands

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(commands, {}, "lagraph-gpu", COMPLETE).source())
    return FINE
