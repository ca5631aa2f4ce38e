"""Lines of a fixed number of columns: ids, and a weight if there is one. Most graph files are that.

Correct blocks are parsed as a whole, by PyArrow where it is there, else by `tokens`. A block that
fails is read again line by line, and the first wrong line gets the error. O(bytes) time; the memory
is one block of text and the edges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io import arrow_columns, tokens
from lagraph_gpu.io.stream import Block, shown

Number = Literal["integer", "real", "number"]

ADVICE = {
    "integer": "correct it, or say 'real' in the header",
    "real": "correct it, or leave the edge out (no edge is as good as an infinite one)",
    "number": "correct it, or leave the edge out (no edge is as good as an infinite one)",
}


NAMES = "labels=True (--labels) reads names"

EMPTY_COLUMN = b"\0"
"""Replaces an empty column in a line with commas."""


@dataclass(frozen=True)
class Columns:
    """The form of a line: an optional `tag`, one id for each of `limits`, perhaps weights.

    Ids are in `base .. base + limit - 1`. They are followed by `values` weights of the kind
    `weight`: "integer", "real", or "number" for either. `example` is the line in words, for
    messages.
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


class Head(NamedTuple):
    """What the lines before the first row say of a file with an edge on each line."""

    columns: Columns
    shape: tuple[int, int] | None
    directed: bool
    first: int = 1
    """The number of the line with the first edge, or of one before it."""
    promised: int | None = None
    """How many edges the file should have."""


Parsed = tuple[NDArray[np.int64], NDArray[Any] | None]
"""Ids of shape (rows, len(limits)), not yet reduced by the base; weights of shape (rows,
values)."""


@dataclass(frozen=True)
class Lines:
    """The line numbers of the rows: `first` and the following ones, without those in `skipped`.

    The numbers in `skipped` count from `first` and increase; these lines are blank or comments.
    """

    first: int
    skipped: NDArray[np.int64]

    def of(self, row: Any) -> int:
        """The line number of a row."""
        rows_before = self.skipped - np.arange(self.skipped.size)
        return self.first + int(row) + int(np.searchsorted(rows_before, row, side="right"))


class Lined(Protocol):
    """Where lines come from: a file, or a part of one."""

    line: int
    """The number of the last line that was read."""

    def blocks(self) -> Iterator[Block]:
        """The lines after that one, in blocks."""

    def error(self, line: int | None, message: str) -> FormatError:
        """The exception to raise for what was found at a line."""


class NumberedRows(NamedTuple):
    """The result of `read_rows`.

    It holds the ids from 0, shape (rows, len(limits)), the weights, shape (rows, values), and the
    line numbers, for messages.
    """

    ids: NDArray[np.int64]
    weight: NDArray[Any] | None
    lines: Lines


def _cleaned(text: bytes, columns: Columns) -> bytes:
    """The text without comments and with columns separated by white space only. No line moves."""
    text = without_comments(text, columns.comment)
    if columns.commas and b"," in text:
        text = re.sub(rb"(?m)^[ \t]*,|,(?=[ \t]*(?:,|\r?$))", b" " + EMPTY_COLUMN + b" ", text)
        text = text.replace(b",", b" ")
    return text


def without_comments(text: bytes, marks: bytes, keep_lines: bool = True) -> bytes:
    """The text with its comment lines made blank, or removed."""
    if not any(bytes([mark]) in text for mark in marks):
        return text
    end = rb"" if keep_lines else rb"\n"
    return re.sub(rb"(?m)^[ \t]*[" + re.escape(marks) + rb"][^\n]*" + end, b"", text)


def read_rows(
    source: Lined, columns: Columns, expected: int | None, noun: str = "edges"
) -> NumberedRows:
    """All rows in the rest of the file, with ids from 0.

    `expected` is their number in the header.
    """
    all_ids: list[NDArray[np.int64]] = []
    all_weights: list[NDArray[Any]] = []
    total, first = 0, source.line + 1
    skipped = [np.empty(0, np.int64)]
    for block in source.blocks():
        parsed = _parse_block(block.text, columns)
        if parsed is None:
            raise _first_error(source, block, columns)
        (ids, weights), blank = parsed
        skipped.append(blank + (block.first_line - first))
        if expected is not None and total + len(ids) > expected:
            raise source.error(
                Lines(first, np.concatenate(skipped)).of(expected),
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
    lines = Lines(first, np.concatenate(skipped))
    weight = join_weights(all_weights, columns)
    if weight is not None and weight.dtype.kind == "f":
        _check_exact(source, all_weights, lines)
    ids -= columns.base
    return NumberedRows(ids, weight, lines)


def _check_exact(source: Lined, parts: list[NDArray[Any]], lines: Lines) -> None:
    """Refuse integers that lose digits because other blocks hold real numbers."""
    row = 0
    for part in parts:
        if part.dtype.kind == "i":
            with np.errstate(invalid="ignore"):
                lost = np.argwhere(part.astype(np.float64).astype(np.int64) != part)
            if lost.size:
                word = str(part[tuple(lost[0])]).encode()
                reason = f"the weight {shown(word)} {tokens.LOSES_DIGITS}; {ADVICE['number']}"
                raise source.error(lines.of(row + lost[0, 0]), reason)
        row += len(part)


def repeated(ids: NDArray[np.int64]) -> int:
    """The first row whose id occurred before; there must be one. O(n log n)."""
    order = np.argsort(ids, kind="stable")
    return int(order[1:][ids[order[1:]] == ids[order[:-1]]].min())


def join_weights(parts: list[NDArray[Any]], columns: Columns) -> NDArray[Any] | None:
    """The weights of all blocks in one array: int64 if every block holds integers, else float64."""
    if columns.weight is None:
        return None
    if not parts:
        return np.empty((0, columns.values), np.float64 if columns.weight == "real" else np.int64)
    return np.concatenate(parts)


def _parse_block(text: bytes, columns: Columns) -> tuple[Parsed, NDArray[np.int64]] | None:
    """The rows of a block, and which of its lines hold none; None if a line is malformed."""
    text = _cleaned(text, columns)
    if (fast := _plain_numbers(text, columns)) is not None:
        return fast, np.empty(0, np.int64)
    words = tokens.tokenise(text)
    width, count = columns.width, words.start.size
    blank = np.flatnonzero(words.per_line != width)
    if words.per_line[blank].any():
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
    parsed = _numbers(text, words, count, width, columns)
    return None if parsed is None else (parsed, blank)


def _plain_numbers(text: bytes, columns: Columns) -> Parsed | None:
    """The rows of a block by PyArrow; None where it is absent or something is not plain."""
    real = columns.weight is not None and _is_real(text, columns)
    nids, nweights = len(columns.limits), columns.values if columns.weight else 0
    kinds = ["int64"] * nids + ["double" if real else "int64"] * nweights
    found = arrow_columns.read(text, columns.tag, kinds)
    if found is None:
        return None
    rows = sum(piece.size for piece in found[0])
    ids = np.empty((nids, rows), np.int64).T  # a column lies together
    for k in range(nids):
        np.concatenate(found[k], out=ids[:, k])
    weights = np.column_stack([*map(np.concatenate, found[nids:])]) if nweights else None
    if weights is not None and real:
        bound = np.inf if columns.weight == "real" else tokens.EXACT
        if not (np.abs(weights) < bound).all():
            return None
    return (ids, weights) if _within(ids, columns) else None


def _within(ids: NDArray[np.int64], columns: Columns) -> bool:
    return not any(
        column.size and (column.min() < columns.base or column.max() >= columns.base + limit)
        for column, limit in zip(ids.T, columns.limits, strict=True)
    )


def _numbers(
    text: bytes, words: tokens.Tokens, count: int, width: int, columns: Columns
) -> Parsed | None:
    nids = len(columns.limits)
    weights: NDArray[Any] | None = None
    if _is_real(text, columns):
        chosen = np.arange(count) % width >= nids
        id_text, weight_text = words.split(chosen) if nids else (b"", text)
        found = tokens.integers(id_text, count // width * nids)
        parse = tokens.reals if columns.weight == "real" else tokens.numbers
        weights = parse(weight_text, count // width * columns.values)
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
    return (ids, weights) if _within(ids, columns) else None


def _is_real(text: bytes, columns: Columns) -> bool:
    return columns.weight == "real" or (columns.weight == "number" and tokens.looks_real(text))


def _first_error(source: Lined, block: Block, columns: Columns) -> FormatError:
    text = _cleaned(block.text, columns)
    wrong_weight = tokens.wrong_integer
    if _is_real(text, columns):
        wrong_weight = tokens.wrong_real if columns.weight == "real" else tokens.wrong_number
    for number, line in enumerate(text.split(b"\n"), block.first_line):
        if line.strip() and (message := _wrong(line, columns, wrong_weight)):
            if columns.commas and not columns.comment and line.strip()[:1] in (b"#", b"%"):
                message += "; a comment may stand only before the first row"
            return source.error(number, message)
    return source.error(block.first_line, "the lines from here on cannot be read")


def _wrong(
    line: bytes, columns: Columns, wrong_weight: Callable[[bytes], str | None]
) -> str | None:
    """What is wrong with a line, or None."""
    words = line.split()
    if columns.tag and words[0] != columns.tag:
        return f"expected {columns.example}, came {shown(line)}"
    if EMPTY_COLUMN in words:
        return (
            f"expected {columns.example}, came nothing in column {words.index(EMPTY_COLUMN) + 1}; "
            "fill it in, or take the comma away"
        )
    if len(words) != columns.width:
        came = f"{len(words)} column{'s'[: len(words) > 1]}"
        return f"expected {columns.example}, came {came}: {shown(line)}"
    words = words[1:] if columns.tag else words
    for word, limit in zip(words, columns.limits, strict=False):
        if reason := wrong_id(word, columns.base, limit, columns.too_large):
            may_be_name = columns.commas and tokens.wrong_integer(word)
            return f"{reason}; {NAMES}" if may_be_name else reason
    for word in words[len(columns.limits) :]:
        if reason := wrong_weight(word):
            if reason == "is not a whole number" and columns.weight == "number":
                reason = tokens.wrong_real(word) or reason
            return f"the weight {shown(word)} {reason}; {ADVICE[columns.weight or 'number']}"
    return None


def wrong_id(word: bytes, base: int, limit: int, too_large: str) -> str | None:
    """The reason why a word is not a vertex id in `base .. base + limit - 1`; None if it is one."""
    if reason := tokens.wrong_integer(word):
        return f"the vertex id {shown(word)} {reason}; expected one of {base}..{base + limit - 1}"
    value = tokens.whole(word)
    assert value is not None
    if value < base:
        what = "is negative" if value < 0 else f"is too small: ids start at {base} in this format"
        return f"the vertex id {value} {what}; expected one of {base}..{base + limit - 1}"
    if value >= base + limit:
        allowed = f"one of {base}..{base + limit - 1}" if limit else "no edge at all, as n = 0"
        return f"the vertex id {value} is out of range, expected {allowed}; {too_large}"
    return None
