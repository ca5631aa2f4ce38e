"""A part of a file of lines: those that begin within a range of bytes, so that several processes
read one file together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io.stream import BLOCK, LONGEST_LINE, Block


class FilePart:
    """The lines that begin in part number `part` of `parts`, as `table.read_rows` takes them.

    Those before the byte `below` are made blank.
    """

    line = 0
    """The number of the last line that was read, counted from the first one of the part."""

    def __init__(self, path: Path, part: int, parts: int, below: int = 0) -> None:
        size = os.path.getsize(path)
        self.path, self.begin, self.end = path, size * part // parts, size * (part + 1) // parts
        self._below = below

    def blocks(self) -> Iterator[Block]:
        """The lines, in blocks."""
        with open(self.path, "rb") as file:
            if self.begin:  # the line that holds the byte before belongs to the part before
                file.seek(self.begin - 1)
                self._line(file.readline(LONGEST_LINE + 1))
            while (at := file.tell()) < self.end:
                text = file.read(min(BLOCK, self.end - at))
                if not text.endswith(b"\n"):
                    text += self._line(file.readline(LONGEST_LINE + 1))
                if not text.endswith(b"\n"):
                    text += b"\n"
                if at < self._below:
                    above = self._below - at
                    text = re.sub(rb"[^\n]", b"", text[:above]) + text[above:]
                block = Block(text, self.line + 1)
                self.line += text.count(b"\n")
                yield block

    def error(self, line: int | None, message: str) -> FormatError:
        """The exception to raise for what was found at a line of the part."""
        return FormatError(
            message, self.path, None if line is None else line + self._lines_before()
        )

    def _line(self, text: bytes) -> bytes:
        if len(text) > LONGEST_LINE and not text.endswith(b"\n"):
            raise self.error(
                None,
                f"a line is longer than {LONGEST_LINE:,} bytes, but expected are a few columns; "
                "look what the file is, and name its format",
            )
        return text

    def _lines_before(self) -> int:
        """The number of lines before the part, for which the file is read again up to there."""
        lines = 0
        with open(self.path, "rb") as file:
            while (at := file.tell()) < self.begin:
                lines += file.read(min(BLOCK, self.begin - at)).count(b"\n")
            if self.begin:
                file.seek(self.begin - 1)
                lines += file.read(1) != b"\n" and file.readline().endswith(b"\n")
        return lines


def offset_of(path: Path, line: int) -> int:
    """The byte at which the text of a line begins; the first line has number 1."""
    with open(path, "rb") as file:
        for _ in range(line - 1):
            file.readline()
        at, text = file.tell(), file.readline()
    return at + (3 if line == 1 and text.startswith(b"\xef\xbb\xbf") else 0)
