"""Edge lists whose vertices or columns are named: `lg.read(path, labels=True, weight="km")`.

::

    # a comment (also %), in csv and tsv only before the first row
    source,target,weight        a heading, if it has names of `frames.ENDS`, or columns are chosen
    Ann,Bob,2.5
    "Smith, Dan",Ann,1

Without a choice of columns and with two or three of them, the third is the weight, whatever its
name. If columns are chosen, or there are more of them, the heading says which are read; the others
may be empty. If it names both ends and other columns, but no weight, it is refused, unless both
ends are chosen: one of the others may be the weight. A first line of two other words that looks
like a heading and not like an edge is refused (`_perhaps_heading`).

`.csv` separates by commas, and quotes what holds one or a line break; `.tsv` by tabs; other edge
lists by spaces. The text is UTF-8. Names that are all whole numbers, as a program would write them,
are integers, so that ids may be of any size; otherwise all are strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import NamedTuple

import numpy as np

from lagraph_gpu.convert.edge_list import LARGEST_N, EdgeList
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.io.edge_lines import OURS
from lagraph_gpu.io.stream import Block, Source, shown
from lagraph_gpu.io.tokens import wrong_number
from lagraph_gpu.names.frames import EdgeColumns, ends_among
from lagraph_gpu.names.labels import INT64, numbered

SEPARATORS = {"csv": ",", "tsv": "\t", "edgelist": None}
"""What separates columns in each format whose vertices may be named; None for blanks."""

WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def read(
    source: Source,
    separator: str | None,
    chosen: EdgeColumns | None = None,
    labels: bool = True,
) -> EdgeList:
    """The graph of an edge list with names. Its `ids` are the names, or the names are ids from 0
    if `labels` is False.

    Raises FormatError, with the line, for a change in the number of columns, a missing name, a
    weight that is not a finite number, and a first line that may be a heading. The names are held
    as text while the file is read.
    """
    columns, lines, directed, is_heading = _columns(source, separator, chosen)
    weight = _weights(source, columns[2], lines) if columns[2] else None
    path = str(source.path)
    if not labels:
        src, dst = (_ids(source, end, lines) for end in columns[:2])
        n = max(src.max(), dst.max()) + 1
        return EdgeList(src, dst, weight, n, n, directed, path)
    whole = all(WHOLE.fullmatch(name) for ends in columns[:2] for name in ends)
    heads, tails = ([int(name) if whole else name for name in end] for end in columns[:2])
    found, src, dst = numbered(heads, tails, True)
    if not is_heading and weight is None and _perhaps_heading(columns, src, dst):
        first, second = columns[0][0], columns[1][0]
        raise source.error(
            lines[0],
            f"{first!r} and {second!r} are in no other line, so this may be a heading; if it is, "
            f"say which columns to read: source={first!r}, target={second!r} (--columns "
            f"{first},{second}); if it is an edge, put the heading "
            f"'source{separator or ' '}target' above it",
        )
    return EdgeList(src, dst, weight, found.n, found.n, directed, path, ids=found.array)


def read_pairs(source: Source, separator: str | None) -> tuple[list[str], list[str], list[int]]:
    """The first and the second vertex of each line, as it calls them, and the lines' numbers.

    Further columns say nothing. Raises FormatError as `read` does.
    """
    columns, lines, _, _ = _columns(source, separator, None, pairs=True)
    return columns[0], columns[1], lines


class Held(NamedTuple):
    """What the rows hold, as text."""

    columns: tuple[list[str], ...]
    """Both ends, and the weights: an empty list if there are none."""
    lines: list[int]
    directed: bool
    is_heading: bool
    """Whether a heading names the ends."""


def _columns(
    source: Source, separator: str | None, chosen: EdgeColumns | None, pairs: bool = False
) -> Held:
    """The columns of both ends and, unless only `pairs` are read, of the weights."""
    directed, width, is_heading = True, 0, False
    places: tuple[int, ...] = ()
    columns: tuple[list[str], ...] = [], [], []
    lines: list[int] = []
    comment = b""
    for number, words in _rows(source, separator):
        if isinstance(words, bytes):
            directed = directed and not _undirected(words)
            comment = words
            continue
        if not width:
            width = len(words)
            above = _heading_in(comment, separator, chosen, width) if chosen else None
            places, is_heading = _places(source, number, above or words, chosen, pairs)
            if is_heading and not above:
                continue
        if len(words) != width or not all(words[at] for at in places):
            said = shown(" ".join(words).encode())
            if separator and words[0].startswith(("#", "%")):
                said += "; a comment may stand only before the first row"
            raise source.error(number, f"expected {width} columns with something in each, came "
                               f"{said}")  # fmt: skip
        lines.append(number)
        for column, at in zip(columns, places):
            column.append(words[at])
    if not lines:
        what = "pair" if pairs else "edge"
        raise source.error(None, f"there is no {what} in the file; expected lines 'SOURCE TARGET'")
    return Held(columns, lines, directed, is_heading)


def _places(
    source: Source, line: int, words: list[str], chosen: EdgeColumns | None, pairs: bool
) -> tuple[tuple[int, ...], bool]:
    """The places of the ends and of the weight in each line, and whether this line is a heading."""
    usual = ends_among(words)
    if chosen is None and len(words) in (2, 3) and usual in (None, tuple(words[:2])):
        return tuple(range(2 if pairs else len(words))), usual is not None
    if chosen is None and usual is None:
        advice = "say with source=, target= and weight= (--columns) which of the heading to read"
        if len(words) == 1:
            advice = "look whether the format has another separator (csv, tsv, edgelist)"
        raise source.error(
            line,
            f"expected 'SOURCE TARGET' or 'SOURCE TARGET WEIGHT', came {len(words)} "
            f"column{'s'[: len(words) > 1]}; {advice}",
        )
    chosen = chosen or EdgeColumns()
    try:
        wanted = [*chosen.ends(words), None if pairs else chosen.weights(words)]
    except InvalidValue as problem:
        raise source.error(line, f"{problem}") from None
    if twice := next((word for word in wanted if words.count(word) > 1), None):
        raise source.error(line, f"two columns are named {twice!r}; give each a name of its own")
    return tuple(words.index(word) for word in wanted if word is not None), True


def _perhaps_heading(columns: tuple[list[str], ...], src: np.ndarray, dst: np.ndarray) -> bool:
    """Whether the first line looks like a heading, although its words are unusual ones.

    Its words are no numbers and in no other line, and it is the only line whose words are in no
    other, or the rest of one of its columns are whole numbers.
    """
    if src.size < 2 or any(WHOLE.fullmatch(end[0]) for end in columns[:2]):
        return False
    often = np.bincount(np.concatenate([src, dst]))
    alone = (often[src] == 1) & (often[dst] == 1)
    numbers = any(all(map(WHOLE.fullmatch, end[1:])) for end in columns[:2])
    return bool(alone[0] and (numbers or not alone[1:].any()))


def _heading_in(
    comment: bytes, separator: str | None, chosen: EdgeColumns, width: int
) -> list[str] | None:
    """The names of the columns in the comment before the first edge; None if it is no heading."""
    names = [word.strip() for word in comment.decode().lstrip("#% ").split(separator)]
    fits = len(names) == width and all(name in names for name in chosen if name is not None)
    return names if fits else None


def _ids(source: Source, words: list[str], lines: list[int]) -> np.ndarray:
    """Ids that count from 0."""
    for word, line in zip(words, lines):
        if not WHOLE.fullmatch(word) or not 0 <= int(word) < LARGEST_N:
            raise source.error(
                line, f"expected a vertex id from 0 to {LARGEST_N - 1}, came "
                f"{shown(word.encode())}; labels=True (--labels) reads names",
            )  # fmt: skip
    return np.array([*map(int, words)], np.int64)


def _rows(source: Source, separator: str | None) -> Iterator[tuple[int, list[str] | bytes]]:
    """Each row that is not blank, with the number of its first line: its words, or the bytes of a
    comment. After the first row of a file with separators there are no comments, so that names may
    begin with # or %."""
    lines = _lines(source)
    for number, line in enumerate(lines, source.line + 1):
        if line.lstrip().startswith(("#", "%")):
            yield number, line.strip().encode()
        elif separator and line.strip():
            yield from _separated(source, chain([line], lines), number, separator)
        elif words := line.split():
            yield number, words


def _separated(
    source: Source, lines: Iterator[str], first: int, separator: str
) -> Iterator[tuple[int, list[str]]]:
    """The rows of lines of which the first has this number. A quoted name may have several."""
    import csv

    quote = '"' if separator == "," else None
    reader = csv.reader(
        lines, delimiter=separator, quotechar=quote, strict=True,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )  # fmt: skip
    number = first
    try:
        for row in reader:
            words = [word.strip() for word in row]
            if any(words):
                yield number, words
            number = first + reader.line_num
    except csv.Error as problem:
        raise source.error(number, f"cannot be split at the commas: {problem}") from None


def _lines(source: Source) -> Iterator[str]:
    """The lines with their ends."""
    for block in source.blocks():
        yield from StringIO(_decoded(source, block), newline="\n")


def _decoded(source: Source, block: Block) -> str:
    text = block.text.removeprefix(b"\xef\xbb\xbf") if block.first_line == 1 else block.text
    try:
        return text.decode()
    except UnicodeDecodeError as problem:
        line = block.first_line + text[: problem.start].count(b"\n")
        raise source.error(line, "the names are not UTF-8; convert the file, for example with "
                           "iconv -f latin1 -t utf8") from None  # fmt: skip


def _undirected(comment: bytes) -> bool:
    ours = OURS.fullmatch(comment)
    if ours:
        return ours.group(3) == b"false"
    return re.match(rb"[#%]+\s*undirected graph", comment, re.IGNORECASE) is not None


def _weights(source: Source, words: list[str], lines: list[int]) -> np.ndarray:
    """The weights as int64 if all are whole numbers, else as float64."""
    if all(WHOLE.fullmatch(word) for word in words):
        whole = [int(word) for word in words]
        if INT64.min <= min(whole) and max(whole) <= INT64.max:
            return np.array(whole, np.int64)
    for word, line in zip(words, lines):
        if reason := wrong_number(word.encode()):
            raise source.error(
                line, f"the weight {shown(word.encode())} {reason}; correct it, and if the line "
                "is a heading, say which columns to read: source=, target=, weight= (--columns); "
                "without weight= the edges have none",
            )  # fmt: skip
    return np.array(words, np.float64)
