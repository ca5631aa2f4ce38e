"""A file as a stream of whole lines, compressed or not.

The first bytes tell the compression (gzip 1f 8b, xz fd 37 7a 58 5a 00), so a file with a wrong name
is read too. Nothing is unpacked to disk: blocks of 8 MiB are decompressed, parsed and dropped.
Every block knows the number of its first line, so that an error can name the place. Lines end with
a line feed, or a carriage return and a line feed; where the first 64 KiB have no line feed, with a
carriage return.
"""

from __future__ import annotations

import io
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from lagraph_gpu.convert.edge_list import MAX_VERTICES
from lagraph_gpu.errors import (
    FormatError,
    InvalidValue,
    LagraphError,
    NoSuchFile,
    TooLarge,
    WrongType,
    brief,
    did_you_mean,
)
from lagraph_gpu.io import tokens
from lagraph_gpu.memory import is_short
from lagraph_gpu.reporting import step

BLOCK = 8 << 20
LONGEST_LINE = 8 << 20
"""The longest line in bytes, but for lines that list all neighbours of a vertex. Less than a block
would not do: a line within a block is not measured."""
LOOK_AHEAD_BYTES = 1 << 16
"""The bytes of a buffer, and of what is looked at to see what a file is."""
COMPRESSED = (".gz", ".bz2", ".xz")
LOOKED_AT = 10_000
"""Among so many files of a folder the one that was meant is looked for."""


@dataclass(frozen=True)
class Block:
    """Some whole lines. `first_line` is the number of the first, counted from 1."""

    text: bytes
    first_line: int


def as_path(path: str | os.PathLike[str], what: str = "a graph file") -> Path:
    """The path of a file; raises WrongType for anything else, and InvalidValue for an
    empty one."""
    if not isinstance(path, (str, os.PathLike)):
        raise WrongType(f"expected the path of {what}, a str or a pathlib.Path, got {brief(path)}")
    if not os.fspath(path):  # which a Path would take for the folder in which the process is
        raise InvalidValue(f"expected the path of {what}, got an empty one")
    return Path(path)


def meant(path: Path) -> str:
    """The end of a message: files beside a missing one whose names are spelt nearly so."""
    try:
        with os.scandir(path.parent) as entries:
            beside = [entry.name for entry in islice(entries, LOOKED_AT)]
    except FileNotFoundError:
        return f", nor a folder {str(path.parent)!r}"
    except OSError:
        return ""
    return did_you_mean(path.name, beside, cutoff=0.7)


MANIFEST = "graph.json"
"""The file of a saved graph that describes it, see `saved_folder`."""


def saved_in(folder: Path) -> str:
    """The end of a message where the folder of a saved graph was given as a graph file."""
    return "; lg.open opens saved graphs" if os.path.isfile(folder / MANIFEST) else ""


def extension(path: Path) -> str:
    """The last suffix in lower case, without `.gz`, `.bz2` and `.xz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


class Full(io.RawIOBase):
    """A stream that returns as many bytes as are asked for, until it ends.

    A pipe may return fewer bytes at a time, so the bytes that tell the format could come in pieces.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.given = 0
        """The number of bytes that have been returned."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer)
        held = 0
        while held < len(room) and (some := self._stream.readinto(room[held:])):
            held += some
        self.given += held
        return held

    def close(self) -> None:
        self._stream.close()
        super().close()


class Ended(Full):
    """A stream in which each carriage return ends a line."""

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer)
        held = super().readinto(buffer)
        room[:held] = bytes(room[:held]).replace(b"\r", b"\n")
        return held


class Again(io.RawIOBase):
    """A stream of bytes that were read from another, and then of what that has left."""

    def __init__(self, read: bytes, stream: Any) -> None:
        self._read, self._stream = io.BytesIO(read), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._read.readinto(buffer) or self._stream.readinto(buffer)

    def close(self) -> None:
        self._stream.close()
        super().close()


class Source:
    """One file that is open for reading: header lines first, the rest in blocks.

    Use it with `with`.
    """

    def __init__(self, path: str | os.PathLike[str], what: str = "a graph file") -> None:
        self.path = as_path(path, what)
        self.line = 0
        self.most_vertices = MAX_VERTICES
        """So many vertices the graph may have."""
        self._kept = b""
        self._begun = False
        if os.path.isdir(self.path):
            raise self.error(None, f"this is a directory; expected {what}{saved_in(self.path)}")
        try:
            file = open(self.path, "rb", buffering=0)  # noqa: SIM115 (closed by __exit__)
        except FileNotFoundError as problem:
            if str(path) == "-":
                near = "; standard input is /dev/stdin, with --format (format=)"
            elif re.match("[a-z]{2,}:/", os.fsdecode(path)):  # a Path has one of two slashes
                near = "; nothing is read from the network: fetch the file, and name that"
            else:
                near = meant(self.path)
            raise NoSuchFile(f"there is no such file{near}", os.fsdecode(path)) from problem
        except OSError as problem:
            raise self.error(None, f"cannot be opened: {problem.strerror}") from problem
        except ValueError as problem:  # a NUL byte, or what the system's encoding cannot write
            raise self.error(None, f"cannot be the name of a file: {problem}") from problem
        self._whole = Full(file)
        self._size = os.fstat(file.fileno()).st_size  # 0 for a pipe
        self._raw = io.BufferedReader(self._whole, LOOK_AHEAD_BYTES)
        try:
            content = self._decompressed()
            self._as_is = content is self._raw
            self._file = io.BufferedReader(Full(content), LOOK_AHEAD_BYTES)
        except BaseException:
            self._raw.close()
            raise

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._file.close()
        self._raw.close()
        if isinstance(error, MemoryError) and not isinstance(error, LagraphError):
            said = self.error(self.line or None, "its content does not fit in memory")
            raise TooLarge(str(said)) from error

    def error(self, line: int | None, message: str) -> FormatError:
        """The exception to raise for what was found at `line`."""
        return FormatError(message, self.path, line)

    @property
    def extension(self) -> str:
        """The `extension` of the path."""
        return extension(self.path)

    def _decompressed(self) -> IO[bytes]:
        with self._reading():
            magic = self._raw.peek(6)[:6]  # a pipe cannot seek backwards
        if magic[:2] == b"\x1f\x8b":
            import gzip

            return cast(IO[bytes], gzip.GzipFile(fileobj=self._raw, mode="rb"))
        if magic[:3] == b"BZh" and magic[4:] in (b"1A", b"\x17r"):  # of a block, or of the end
            import bz2

            return cast(IO[bytes], bz2.BZ2File(self._raw, "rb"))
        if magic == b"\xfd7zXZ\x00":
            import lzma

            return lzma.LZMAFile(self._raw, "rb")
        last = self.path.suffix.lower()
        if last in COMPRESSED:
            found = f"its first bytes are {magic!r}" if magic else "it has no bytes at all"
            raise self.error(None, f"named {last}, but {found}: cut short, or not compressed")
        return self._raw

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn an error of the stream into an error that names the place."""
        try:
            yield
        except EOFError as problem:
            raise self.error(
                self.line or None,
                "the compressed stream ends too early: the file is cut short; fetch it again",
            ) from problem
        except _damage() as problem:
            if is_short(problem):
                raise MemoryError("to unpack the file") from problem
            raise self._damaged(problem) from problem
        except OSError as problem:
            if problem.errno is None:  # bz2 has no error of its own
                raise self._damaged(problem) from problem
            raise self.error(self.line or None, f"reading failed: {problem}") from problem

    def _damaged(self, problem: Exception) -> FormatError:
        message = f"the compressed stream is damaged ({problem}); fetch it again"
        return self.error(self.line or None, message)

    def head(self) -> bytes:
        """The first bytes, at most `LOOK_AHEAD_BYTES`. They are not consumed."""
        with self._reading():
            return self._file.peek(LOOK_AHEAD_BYTES)

    def top(self, count: int, comment: bytes) -> list[bytes]:
        """The first lines that are neither blank nor start with a byte of `comment`: at most so
        many, and of those that begin in the first `BLOCK` bytes. They are not consumed."""
        self._find_ends()
        head = self.head()
        whole = len(head) < LOOK_AHEAD_BYTES
        rows = _rows_in(head if whole else head[: head.rfind(b"\n") + 1], count, comment)
        if len(rows) == count or whole:
            return rows
        with self._reading():
            head = self._file.read(BLOCK) + self._file.readline(LONGEST_LINE)
        self._file = io.BufferedReader(Full(Again(head, self._file)), LOOK_AHEAD_BYTES)
        return _rows_in(head, count, comment)

    @property
    def plain(self) -> bool:
        """Whether the bytes of the file are its lines: not compressed, and with usual ends."""
        self._find_ends()
        return self._as_is

    def _find_ends(self) -> None:
        """Where lines end with a carriage return alone, let them end as others do. Text of which a
        letter is two bytes or more is refused."""
        if not self._begun:
            self._begun = True
            head = self.head()
            high_bytes = [half for half in (head[:4:2], head[1:4:2]) if half == b"\0\0"]
            if head[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) or len(high_bytes) == 1:
                raise self.error(
                    None, "its text is UTF-16 or UTF-32, and expected is UTF-8; convert it, for "
                    "example with iconv -f utf16 (or utf32) -t utf8",
                )  # fmt: skip
            if b"\r" in head and b"\n" not in head:
                self._file = io.BufferedReader(Ended(self._file), LOOK_AHEAD_BYTES)
                self._as_is = False

    def next_line(self) -> bytes | None:
        """The next line without its end, or None after the last. `line` is its number."""
        self._find_ends()
        text = self._end_of_line(b"")
        if not text:
            return None
        self.line += 1
        if self.line == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        return text.rstrip(b"\r\n")

    def header_line(self, comment: bytes) -> bytes | None:
        """The next line that is not blank and does not start with a byte of `comment`."""
        while (text := self.next_line()) is not None:
            stripped = text.strip()
            if stripped and stripped[0] not in comment:
                return stripped
            self._pass_over(comment)
        return None

    def _pass_over(self, comment: bytes) -> None:
        """Consume blank lines and comments, a buffer at a time: a file may have millions."""
        lines = re.compile(rb"(?:[ \t\r\v\f]*(?:[%s][^\n]*)?\n)*+" % re.escape(comment))
        while (found := lines.match(self.head())) and found.end():
            with self._reading():
                self.line += self._file.read(found.end()).count(b"\n")

    def keep(self, text: bytes) -> None:
        """Put the line that was read last back: the first block will start with it."""
        self._kept = text + b"\n"
        self.line -= 1

    def blocks(self) -> Iterator[Block]:
        """The rest of the file, in blocks."""
        self._find_ends()
        while True:
            with self._reading():
                text = self._kept + self._file.read(BLOCK)
            step(self._whole.given >> 20, (self._size >> 20) or None)
            if not text:
                return
            if not text.endswith(b"\n"):
                text = self._end_of_line(text)
            yield self._block(text)

    def rest(self) -> Block:
        """The rest of the file, in which lines may be as long as they like."""
        self._find_ends()
        return self._block(self._kept + self.everything())

    def everything(self) -> bytes:
        """All bytes that have not been read."""
        with self._reading():
            return self._file.read()

    def _block(self, text: bytes) -> Block:
        self._kept = b""
        if text and not text.endswith(b"\n"):
            text += b"\n"
        block = Block(text, self.line + 1)
        self.line += text.count(b"\n")
        return block

    def _end_of_line(self, text: bytes) -> bytes:
        """The text, and what is missing of its last line."""
        room = LONGEST_LINE - (len(text) - text.rfind(b"\n") - 1)
        with self._reading():
            rest = self._file.readline(room + 1)
        if len(rest) > room and not rest.endswith(b"\n"):
            raise self.error(
                self.line + text.count(b"\n") + 1,
                f"the line is longer than {LONGEST_LINE:,} bytes, but expected are a few columns; "
                "look what the file is, and name its format",
            )
        return text + rest


def _rows_in(head: bytes, count: int, comment: bytes) -> list[bytes]:
    """The first lines, at most so many, that are neither blank nor start with such a byte."""
    lines = io.BytesIO(head.removeprefix(b"\xef\xbb\xbf"))
    rows = (line.rstrip(b"\r\n") for line in lines if (line.strip() or comment)[0] not in comment)
    return [*islice(rows, count)]


def shown(text: bytes) -> str:
    """Bytes of a file for a message: printable and short."""
    plain = text.decode("utf-8", "backslashreplace").strip()
    return repr(plain if len(plain) <= 60 else plain[:57] + "...")


def whole_number(source: Source, token: bytes, what: str) -> int:
    """A count in a header line: an integer of at least 0."""
    if not token.isdigit():
        raise source.error(
            source.line, f"expected {what} as a whole number, 0 or more; came {shown(token)}"
        )
    if reason := tokens.wrong_integer(token):
        raise source.error(source.line, f"{what} {shown(token)} {reason}; correct the header")
    return int(token.lstrip(b"0") or b"0")


def vertex_count(source: Source, token: bytes, what: str = "the number of vertices") -> int:
    """A number of vertices in a header line, checked against the largest that there may be."""
    n, most = whole_number(source, token, what), source.most_vertices
    if n > most:
        raise source.error(
            source.line,
            f"{what} is {n:,}; ids are {32 if most == MAX_VERTICES else 60} bits wide, so at most "
            f"{most:,} vertices fit",
        )
    return n


def _damage() -> tuple[type[Exception], ...]:
    """The errors of a compressed stream that is damaged."""
    import gzip
    import lzma
    import zlib

    return gzip.BadGzipFile, zlib.error, lzma.LZMAError


def no_header(source: Source, expected: str) -> FormatError:
    """The error for a file that ends before its header."""
    if source.line == 0:
        return source.error(None, f"the file is empty; expected {expected}")
    return source.error(source.line, f"the file ends before its header; expected {expected}")
