"""A long run of each awkward kind: read or refused by every reader in one pass.

Python's regular expressions and numbers can take a time that grows with the square of a run. Such a
run does not end here before the alarm does.
"""

from __future__ import annotations

import gzip
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io import read_coordinates, read_edges, read_movingai, stream

MEGABYTE = 1 << 20
LONG = 1 << 17
"""Bytes of a run. A time that grows with its square would be a quarter of a minute."""

RUNS = {
    "digits and a letter": b"9" * LONG + b"x",
    "digits, a point and a letter": b"9" * (LONG // 2) + b"." + b"9" * (LONG // 2) + b"x",
    "an exponent": b"1e" + b"9" * LONG + b"x",
    "zeros and a digit": b"0" * LONG + b"1",
    "zeros and a letter": b"0" * LONG + b"x",
    "a long fraction": b"0." + b"3" * LONG,
    "signs": b"-" * LONG,
    "nan": b"nan(" + b"a" * LONG,
    "blank lines": b"\n" * LONG + b"x",
    "lines of the old Macintosh": b"\r" * LONG + b"x",
    "spaces": b" " * LONG + b"x",
    "tabs": b"\t" * LONG + b",",
    "commas": b"," * LONG,
    "commas and spaces": b" ," * (LONG // 2),
    "comments": b"%#" * (LONG // 2),
    "comments of DIMACS": b"c\n" * (LONG // 2) + b"x",
    "a problem line": b"p" + b" " * LONG + b"s",
    "a property": b"graph" + b".directed" * (LONG // 9) + b" " * LONG + b"=",
    "numbers": b"1 " * (LONG // 2),
}

READERS: dict[str, tuple[str, str | None, bytes]] = {
    "dimacs": ("x.gr", None, b"p sp 3 1\na 1 2 "),
    "pace": ("x.gr", None, b"p tw 3 1\n1 "),
    "coloring": ("x.col", None, b"p edge 3 1\ne 1 "),
    "matrixmarket": ("x.mtx", None, b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 "),
    "array": ("x.mtx", None, b"%%MatrixMarket matrix array real general\n1 1\n"),
    "metis": ("x.graph", None, b"3 2 1\n2 "),
    "edgelist": ("x.el", None, b"0 1 0.5\n0 1 "),
    "csv": ("x.csv", None, b"0,1,2\n0,1,"),
    "vertices": ("x.v", None, b"1\n"),
    "edges": ("x.e", None, b"1 1 "),
    "properties": ("x.properties", None, b""),
    "adjacency": ("x.txt", "adjacency", b"1 "),
    "npz": ("x.npz", None, b"PK\x03\x04"),
    "coordinates": ("x.co", None, b"p aux sp co 1\nv 1 2 "),
    "map": ("x.map", None, b"type octile\nheight 1\nwidth 3\nmap\n"),
}
"""The name of a file, its format, and what comes before the line."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Seconds of this process, however busy the machine is."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def reader(name: str, folder: Path) -> Callable[[], Any]:
    path, form, _ = READERS[name]
    if name == "coordinates":
        return lambda: read_coordinates(folder / path)
    if name == "map":
        return lambda: read_movingai(folder / path)
    if name in ("vertices", "edges", "properties"):
        (folder / "x.v").write_text("1\n")
        (folder / "x.e").write_text("1 1\n")
        return lambda: read_edges(folder / "x.v")
    return lambda: read_edges(folder / path, form)


@pytest.mark.parametrize("name", READERS)
def test_awkward_lines_take_one_pass(name: str, tmp_path: Path) -> None:
    read = reader(name, tmp_path)
    file, _, head = READERS[name]
    for run, line in RUNS.items():
        for content in (head + line + b"\n", line + b"\n" + head):
            (tmp_path / file).write_bytes(content)
            try:
                with alarm(5):
                    read()
            except FormatError as refusal:
                assert len(str(refusal)) < 600, run


def test_a_line_without_end_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.el.gz"
    for head in (b"", b"0 1\n"):
        with gzip.open(path, "wb", compresslevel=1) as out:
            out.write(head)
            for _ in range(100):
                out.write(b" " * MEGABYTE)
        tracemalloc.start()
        try:
            with pytest.raises(FormatError, match="the line is longer than 8,388,608 bytes"):
                read_edges(path)
            assert tracemalloc.get_traced_memory()[1] < 40 * MEGABYTE
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("before", [b"", b"0 1\n", b"0 1\n" * 9, b"#\n0 1\n" * 40])
def test_the_bound_is_the_same_wherever_a_line_begins(
    before: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LONGEST_LINE", 64)
    monkeypatch.setattr(stream, "BLOCK", 64)
    path = tmp_path / "x.el"
    for end in (b"\n", b"", b"\n0 1\n"):
        path.write_bytes(before + b"5".rjust(62) + b" 6" + end)
        assert read_edges(path).src.max() == 5
        path.write_bytes(before + b"5".rjust(63) + b" 6" + end)
        with pytest.raises(FormatError, match="longer than 64 bytes") as refusal:
            read_edges(path)
        assert refusal.value.line == before.count(b"\n") + 1


def test_the_neighbours_of_a_vertex_stand_in_a_line_of_any_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LONGEST_LINE", 64)
    monkeypatch.setattr(stream, "BLOCK", 64)
    star = " ".join(map(str, range(2, 102)))
    (tmp_path / "x.graph").write_text(f"101 100\n{star}\n" + "1\n" * 100)
    assert read_edges(tmp_path / "x.graph").nedges == 100
    (tmp_path / "x.txt").write_text(f"1 {star}\n")
    assert read_edges(tmp_path / "x.txt", "adjacency").nedges == 100


@pytest.mark.parametrize("cut", [4, 12])
def test_a_heading_that_a_block_would_cut_names_the_columns(
    cut: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so would the row below it: both are looked at before anything is read."""
    monkeypatch.setattr(stream, "BLOCK", 2 * stream.LOOK_AHEAD_BYTES)
    comments = b"# x\n" * stream.LOOK_AHEAD_BYTES
    text = b"weight source target\n0.5 3 4\n0.25 4 3\n"
    (tmp_path / "x.el").write_bytes(comments[-(stream.BLOCK - cut) // 4 * 4 :] + text)
    made = read_edges(tmp_path / "x.el")
    assert (made.src.tolist(), made.dst.tolist()) == ([3, 4], [4, 3])


def test_lines_before_the_header_are_counted_but_not_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blank ones, comments, and a comment that is longer than what is read ahead."""
    before = b"\n% x\n \t\r\n" * 30_000 + b"%" * (3 * stream.LOOK_AHEAD_BYTES) + b"\n\n% y\n"
    (tmp_path / "x.graph").write_bytes(before + b"two 1\n2\n1\n")
    calls: list[int] = []
    next_line = stream.Source.next_line

    def counted(source: stream.Source) -> bytes | None:
        calls.append(source.line)
        return next_line(source)

    monkeypatch.setattr(stream.Source, "next_line", counted)
    with pytest.raises(FormatError, match="two") as refusal:
        read_edges(tmp_path / "x.graph")
    assert refusal.value.line == before.count(b"\n") + 1
    assert len(calls) < 100
