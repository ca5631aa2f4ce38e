"""Lines of a fixed number of columns: ids, then perhaps a weight. Most graph files are that.

Good blocks are parsed whole by `tokens`; a block that fails is read again line by line, and the
first line that is wrong gets the error. O(bytes) time, one block of text and the edges of memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io import tokens
from lagraph_gpu.io.stream import Block, Source, shown

Number = Literal["integer", "real", "number"]

ADVICE = {
    "integer": "correct it, or say 'real' in the header",
    "real": "correct it, or leave the edge out (no edge is as good as an infinite one)",
    "number": "correct it, or leave the edge out (no edge is as good as an infinite one)",
}


@dataclass(frozen=True)
class Columns:
    """What a line looks like: an optional `tag`, one id for each of `limits`, perhaps a weight.

    Ids lie in ``base .. base + limit - 1``. `values` weights of kind `weight` follow: "integer",
    "real", or "number" for whichever the block holds. `example` is the line in words, for messages.
    """

    example: str
    limits: tuple[int, ...]
    weight: Number | None = None
    values: int = 1
    base: int = 1
    tag: bytes = b""
    comment: bytes = b""
    commas: bool = False
    too_large: str = "correct the id, or the header's number of vertices"

    @property
    def width(self) -> int:
        return bool(self.tag) + len(self.limits) + (self.values if self.weight else 0)


Rows = tuple[NDArray[np.int64], NDArray[Any] | None]
"""Ids of shape (rows, len(limits)), still with their base; weights of shape (rows, values)."""


def _cleaned(text: bytes, columns: Columns) -> bytes:
    """The text without comments, columns parted by white space only, lines where they were."""
    text = without_comments(text, columns.comment)
    if columns.commas and b"," in text:
        text = re.sub(rb"(?m)^[ \t]*,|,(?=[ \t]*(?:,|\r?$))", b" missing ", text)
        text = text.replace(b",", b" ")
    return text


def without_comments(text: bytes, marks: bytes, keep_lines: bool = True) -> bytes:
    """The text with its comment lines made blank, or taken out altogether."""
    if not any(bytes([mark]) in text for mark in marks):
        return text
    end = rb"" if keep_lines else rb"\n"
    return re.sub(rb"(?m)^[ \t]*[" + re.escape(marks) + rb"][^\n]*" + end, b"", text)


def read_rows(source: Source, columns: Columns, expected: int | None, noun: str = "edges") -> Rows:
    """All rows in the rest of the file, ids 0-based; `expected` is how many the header promises."""
    all_ids: list[NDArray[np.int64]] = []
    all_weights: list[NDArray[Any]] = []
    total = 0
    for block in source.blocks():
        rows = _parse_block(block.text, columns)
        if rows is None:
            raise _first_error(source, block, columns)
        ids, weights = rows
        if expected is not None and total + len(ids) > expected:
            line = _line_of_row(block, columns, expected - total)
            raise source.error(
                line,
                f"the header promises {expected:,} {noun}, here comes one more; correct the header",
            )
        total += len(ids)
        all_ids.append(ids)
        if weights is not None:
            all_weights.append(weights)
    if expected is not None and total < expected:
        raise source.error(
            source.line,
            f"the header promises {expected:,} {noun}, the file ends after {total:,}; "
            "it was cut short, or its header is wrong",
        )
    ids = np.concatenate(all_ids) if all_ids else np.empty((0, len(columns.limits)), np.int64)
    return ids - columns.base, join_weights(all_weights, columns)


def join_weights(parts: list[NDArray[Any]], columns: Columns) -> NDArray[Any] | None:
    """One array of all blocks' weights: int64 if every block has whole numbers, else float64."""
    if columns.weight is None:
        return None
    if not parts:
        return np.empty((0, columns.values), np.float64 if columns.weight == "real" else np.int64)
    return np.concatenate(parts)


def _parse_block(text: bytes, columns: Columns) -> Rows | None:
    text = _cleaned(text, columns)
    words = tokens.tokenise(text)
    width, count = columns.width, words.start.size
    if not ((words.per_line == width) | (words.per_line == 0)).all():
        return None
    if columns.tag:
        at = words.start[::width]
        if not ((words.chars[at] == columns.tag[0]) & (words.chars[at + 1] <= 32)).all():
            return None
        chars = words.chars.copy()
        chars[at] = 32
        tagged = np.zeros(count, bool)
        tagged[::width] = True
        words = tokens.Tokens(chars, words.start[~tagged], words.per_line)
        text, count, width = chars.tobytes(), words.start.size, width - 1
    return _numbers(text, words, count, width, columns)


def _numbers(
    text: bytes, words: tokens.Tokens, count: int, width: int, columns: Columns
) -> Rows | None:
    nids = len(columns.limits)
    weights: NDArray[Any] | None = None
    if _is_real(text, columns):
        chosen = np.arange(count) % width >= nids
        id_text, weight_text = words.split(chosen) if nids else (b"", text)
        found = tokens.integers(id_text, count // width * nids)
        weights = tokens.reals(weight_text, count // width * columns.values)
        if found is None or weights is None:
            return None
        ids = found.reshape(-1, nids) if nids else np.empty((count // width, 0), np.int64)
        weights = weights.reshape(-1, columns.values)
    else:
        found = tokens.integers(text, count)
        if found is None:
            return None
        table = found.reshape(-1, width)
        ids = table[:, :nids]
        if columns.weight:
            weights = np.ascontiguousarray(table[:, nids:])
    for column, limit in zip(ids.T, columns.limits, strict=True):
        if column.size and (column.min() < columns.base or column.max() >= columns.base + limit):
            return None
    return ids, weights


def _is_real(text: bytes, columns: Columns) -> bool:
    return columns.weight == "real" or (columns.weight == "number" and tokens.looks_real(text))


def _line_of_row(block: Block, columns: Columns, row: int) -> int:
    per_line = tokens.tokenise(_cleaned(block.text, columns)).per_line
    return block.first_line + int(np.flatnonzero(per_line)[row])


def _first_error(source: Source, block: Block, columns: Columns) -> FormatError:
    text = _cleaned(block.text, columns)
    wrong_weight = tokens.wrong_real if _is_real(text, columns) else tokens.wrong_integer
    for number, line in enumerate(text.split(b"\n"), block.first_line):
        if line.strip() and (message := _wrong(line, columns, wrong_weight)):
            return source.error(number, message)
    return source.error(block.first_line, "the lines from here on cannot be read")


def _wrong(
    line: bytes, columns: Columns, wrong_weight: Callable[[bytes], str | None]
) -> str | None:
    """What is wrong with a line, or None."""
    words = line.split()
    if columns.tag and words[0] != columns.tag:
        return f"expected {columns.example}, came {shown(line)}"
    if len(words) != columns.width:
        return f"expected {columns.example}, came {len(words)} columns: {shown(line)}"
    words = words[1:] if columns.tag else words
    for word, limit in zip(words, columns.limits, strict=False):
        if reason := wrong_id(word, columns.base, limit, columns.too_large):
            return reason
    for word in words[len(columns.limits) :]:
        if reason := wrong_weight(word):
            if reason == "is not a whole number" and columns.weight == "number":
                reason = tokens.wrong_real(word) or reason
            return f"the weight {shown(word)} {reason}; {ADVICE[columns.weight or 'number']}"
    return None


def wrong_id(word: bytes, base: int, limit: int, too_large: str) -> str | None:
    """Why a word is not a vertex id in ``base .. base + limit - 1``; None if it is one."""
    if reason := tokens.wrong_integer(word):
        return f"the vertex id {shown(word)} {reason}; expected one of {base}..{base + limit - 1}"
    value = int(word)
    if value < base:
        what = "is negative" if value < 0 else f"is too small: ids start at {base} in this format"
        return f"the vertex id {value} {what}; expected one of {base}..{base + limit - 1}"
    if value >= base + limit:
        allowed = f"one of {base}..{base + limit - 1}" if limit else "no edge at all, as n = 0"
        return f"the vertex id {value} is out of range, expected {allowed}; {too_large}"
    return None
