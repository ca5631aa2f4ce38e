"""Columns of numbers or names from bytes by PyArrow, where it is installed: several times faster.

Only text of which nothing can be taken for something else is read here: of numbers digits, signs,
points and exponents, with one separator between columns; of names those that Python's `csv` and
PyArrow part alike. Whatever else comes, or goes wrong, is left to the readers in Python, which know
all that a format allows, and the line of an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

LARGE = 1 << 20
"""Bytes from which on it pays to load PyArrow."""

DIGITS = b"0123456789\n"

QUOTED_ROWS = re.compile(rb'(?:(?:"(?:[^"]++|"")*+"|[^",\n]*+)[,\n])*+')
"""Rows of which a quote opens and closes a whole column, or is doubled within one."""


def read(text: bytes, tag: bytes, kinds: list[str]) -> list[list[NDArray[Any]]] | None:
    """The columns after the tag, of the kinds "int64" or "double"; None if others should read them.

    Each is in pieces, which follow each other. The numbers are what `tokens` would make of them;
    reals may be infinite. O(bytes).
    """
    if len(text) < LARGE:
        return None
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    separator = b"\t" if b"\t" in text[: text.find(b"\n")] else b" "
    plain = DIGITS + separator + tag + (b"+-.eE" if "double" in kinds else b"-")
    if text.translate(None, plain) or (tag and not _all_begin(text, tag + separator)):
        return None
    names = [f"{i}" for i in range(len(kinds))]
    table = _parsed(
        text, (["tag"] if tag else []) + names, dict(zip(names, kinds)), separator.decode(), False
    )
    if table is None:
        return None
    return [[piece.to_numpy() for piece in column.chunks] for column in table.columns]


class Coded(NamedTuple):
    """A column of words: all that occur, and which of them each row holds."""

    words: list[str]
    codes: NDArray[Any]


def read_words(
    text: bytes, separator: str | None, width: int, places: Sequence[int]
) -> list[Coded] | None:
    """The columns at these places of rows of `width` columns; None if others should read them.

    Without a separator blanks part the columns. A word may occur more than once in `words`. No
    word is empty. O(bytes).
    """
    if len(text) < LARGE or b"\0" in text:
        return None
    if b"\r" in text:
        text = b"\r" if b'"' in text else text.replace(b"\r\n", b"\n")
        if b"\r" in text:
            return None
    quotes = separator == "," and b'"' in text
    if quotes and not QUOTED_ROWS.fullmatch(text):
        return None
    if not (text.isascii() or _is_utf8(text)):
        return None
    blanks = separator is None
    delimiter = separator or ("\t" if b"\t" in text[: text.find(b"\n")] else " ")
    columns = [f"{i}" for i in range(width)]
    wanted = dict.fromkeys((columns[at] for at in places), "words")
    table = _parsed(text, columns, wanted, delimiter, quotes)
    if table is None:
        return None
    found = {}
    for name in wanted:
        column = table.column(name).unify_dictionaries().combine_chunks()
        words = [word.strip() for word in column.dictionary.to_pylist()]
        if not all(words) or (blanks and any(word.split() != [word] for word in words)):
            return None
        found[name] = Coded(words, column.indices.to_numpy())
    rows = [found[columns[at]] for at in places]
    comments = blanks and any(word[0] in "#%" for word in rows[0].words)
    return None if comments or not rows[0].codes.size else rows


def _parsed(
    text: bytes, columns: list[str], wanted: dict[str, str], delimiter: str, quotes: bool
) -> Any:
    """A table of PyArrow with the `wanted` ones of all columns, by name and kind; None where it is
    not installed or finds something wrong."""
    try:
        import pyarrow
        from pyarrow import csv
    except ImportError:
        return None
    words = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    blank_lines = "words" in wanted.values()
    kinds = {name: words if kind == "words" else kind for name, kind in wanted.items()}
    # PyArrow's own handler of Ctrl-C loses about one in fifty; Python's runs when the block is read
    pyarrow.enable_signal_handlers(False)
    try:
        return csv.read_csv(
            pyarrow.BufferReader(text),
            csv.ReadOptions(column_names=columns),
            csv.ParseOptions(delimiter=delimiter, quote_char='"' if quotes else False,
                             newlines_in_values=quotes, ignore_empty_lines=blank_lines),
            csv.ConvertOptions(column_types=kinds, include_columns=[*wanted], null_values=[]),
        )  # fmt: skip
    except pyarrow.ArrowInvalid:
        return None
    finally:
        pyarrow.enable_signal_handlers(True)  # as it is from the start


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _all_begin(text: bytes, tag: bytes) -> bool:
    return text.startswith(tag) and text.count(b"\n" + tag) + 1 == text.count(b"\n")
