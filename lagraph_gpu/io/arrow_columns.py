"""Columns of plain numbers from bytes by PyArrow, where it is installed: several times faster.

Only text of which nothing can be taken for something else is read here: digits, signs, points and
exponents, with one separator between columns. Whatever else comes, or goes wrong, is left to
`tokens`, which know all that a format allows, and the line of an error.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

LARGE = 1 << 20
"""Bytes from which on it pays to load PyArrow."""

DIGITS = b"0123456789\n"


def read(text: bytes, tag: bytes, kinds: list[str]) -> list[NDArray[Any]] | None:
    """The columns after the tag, of the kinds "int64" or "double"; None if others should read them.

    The numbers are what `tokens` would make of them; reals may be infinite. O(bytes).
    """
    if len(text) < LARGE:
        return None
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    separator = b"\t" if b"\t" in text[: text.find(b"\n")] else b" "
    plain = DIGITS + separator + tag + (b"+-.eE" if "double" in kinds else b"-")
    if text.translate(None, plain) or (tag and not _all_begin(text, tag + separator)):
        return None
    try:
        import pyarrow
        from pyarrow import csv
    except ImportError:
        return None
    names = [f"{i}" for i in range(len(kinds))]
    # PyArrow's own handler of Ctrl-C loses about one in fifty; Python's runs when the block is read
    pyarrow.enable_signal_handlers(False)
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(text),
            csv.ReadOptions(use_threads=False, column_names=(["tag"] if tag else []) + names),
            csv.ParseOptions(delimiter=separator.decode(), quote_char=False,
                             ignore_empty_lines=False),
            csv.ConvertOptions(column_types=dict(zip(names, kinds)), include_columns=names,
                               null_values=[]),
        )  # fmt: skip
    except pyarrow.ArrowInvalid:
        return None
    finally:
        pyarrow.enable_signal_handlers(True)  # as it is from the start
    return [column.to_numpy() for column in table.columns]


def _all_begin(text: bytes, tag: bytes) -> bool:
    return text.startswith(tag) and text.count(b"\n" + tag) + 1 == text.count(b"\n")
