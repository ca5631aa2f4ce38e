"""Edge lists whose vertices are named: `lg.read(path, labels=True)`.

::

    # a comment (also %)
    source,target,weight        a heading, if it has one of these names: see HEADINGS
    Ann,Bob,2.5
    "Smith, Dan",Ann,1

`.csv` separates by commas, and quotes what holds one; `.tsv` by tabs; other edge lists by spaces.
The text is UTF-8. Names that are all whole numbers, as a program would write them, are integers,
so that ids may be of any size; otherwise all are strings.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import numpy as np

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.io.edge_lines import OURS
from lagraph_gpu.io.stream import Block, Source, shown
from lagraph_gpu.io.tokens import wrong_number
from lagraph_gpu.names.labels import INT64, numbered

SEPARATORS = {"csv": ",", "tsv": "\t", "edgelist": None}
"""What separates columns in each format whose vertices may be named; None for blanks."""

HEADINGS = {("source", "target"), ("src", "dst"), ("from", "to")}
"""The first two words of a first line that is a heading, in lower or upper case."""

WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def read(source: Source, separator: str | None) -> EdgeList:
    """The graph of an edge list with names. Its `ids` are the names.

    Raises FormatError, with the line, for a change in the number of columns, a missing name, and a
    weight that is not a finite number. The names are held as text while the file is read.
    """
    directed, width = True, 0
    columns: tuple[list[str], ...] = [], [], []
    lines: list[int] = []
    for number, words in _rows(source, separator):
        if isinstance(words, bytes):
            directed = directed and not _undirected(words)
            continue
        if not width:
            width = len(words)
            if width not in (2, 3):
                raise source.error(
                    number,
                    f"expected 'SOURCE TARGET' or 'SOURCE TARGET WEIGHT', came {width} columns; "
                    "look whether the format has another separator (csv, tsv, edgelist)",
                )
            if tuple(word.lower() for word in words[:2]) in HEADINGS:
                continue
        if len(words) != width or not all(words):
            raise source.error(number, f"expected {width} columns with something in each, came "
                               f"{shown(' '.join(words).encode())}")  # fmt: skip
        lines.append(number)
        for column, word in zip(columns, words):
            column.append(word)
    if not lines:
        raise source.error(None, "there is no edge in the file; expected lines 'SOURCE TARGET'")
    weight = _weights(source, columns[2], lines) if width == 3 else None
    whole = all(WHOLE.fullmatch(name) for ends in columns[:2] for name in ends)
    heads, tails = ([int(name) if whole else name for name in end] for end in columns[:2])
    labels, src, dst = numbered(heads, tails, True)
    n = labels.n
    return EdgeList(src, dst, weight, n, n, directed, str(source.path), ids=labels.array)


def _rows(source: Source, separator: str | None) -> Iterator[tuple[int, list[str] | bytes]]:
    """Each line that is not blank, with its number: its words, or the bytes of a comment."""
    for block in source.blocks():
        text = _decoded(source, block).split("\n")
        comment = [line.lstrip().startswith(("#", "%")) for line in text]
        plain = ("" if is_one else line for line, is_one in zip(text, comment))
        for at, is_one in enumerate(comment):
            if is_one:
                yield block.first_line + at, text[at].strip().encode()
        if separator is None:
            found = ((at, line.split()) for at, line in enumerate(plain))
        else:
            quote = '"' if separator == "," else None
            reader = csv.reader(
                plain, delimiter=separator, quotechar=quote, strict=True,
                quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
            )  # fmt: skip
            found = ((reader.line_num - 1, [word.strip() for word in row]) for row in reader)
        try:
            for at, words in found:
                if any(words):
                    yield block.first_line + at, words
        except csv.Error as problem:
            line = block.first_line + reader.line_num - 1
            raise source.error(line, f"cannot be split at the commas: {problem}") from None


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
                "is a heading, it has to start with #",
            )  # fmt: skip
    return np.array(words, np.float64)
