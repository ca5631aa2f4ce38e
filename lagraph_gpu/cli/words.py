"""What a misspelt word of a command line may have meant."""

from __future__ import annotations

from collections.abc import Iterable

import click

from lagraph_gpu import errors


class WordChoice(click.Choice[str]):
    """A choice, which suggests the one that a misspelt word may have meant."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = [str(choice) for choice in self.choices]
        if value not in known:
            near = did_you_mean(value, known)
            name = param.opts[0] if param is not None else "a choice"
            raise click.UsageError(
                f"expected {name} as one of {', '.join(known)}, got {value!r}{near}", ctx
            )
        return value


def did_you_mean(word: str, known: Iterable[str], before: str = "") -> str:
    """The end of a message: the known words that are spelt nearly so, or nothing. What comes
    `before` a word on a command line is said with it.

    >>> did_you_mean("pagernak", ["bfs", "pagerank"])
    '; did you mean pagerank?'
    >>> did_you_mean("pagernak", ["bfs", "pagerank"], "run ")
    '; did you mean run pagerank?'
    >>> did_you_mean("roads.gr", ["bfs", "pagerank"])
    ''
    """
    return errors.did_you_mean(word, known, lambda name: before + name)
