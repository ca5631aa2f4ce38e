"""What a misspelt word may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message: the known words that are spelt nearly so, or nothing.

    >>> did_you_mean("pagernak", ["bfs", "pagerank"])
    '; did you mean pagerank?'
    >>> did_you_mean("roads.gr", ["bfs", "pagerank"])
    ''
    """
    near = get_close_matches(word, list(known), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""
