"""What a misspelt word of a command line may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from lagraph_gpu import errors


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
