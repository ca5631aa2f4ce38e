"""Malformed files: the error names the file and the first bad line, and says what to do."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import pickle
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import lagraph_gpu as lg
from lagraph_gpu.errors import FormatError, InvalidValue, LagraphError, TooLarge, WrongType
from lagraph_gpu.io import (
    EdgeList,
    read_coordinates,
    read_edges,
    read_movingai,
    stream,
    write_edges,
)

MM = "%%MatrixMarket matrix coordinate "
BIG = 2**31 - 1

# name of the case: file name, content, line, what the message must say (regular expression)
BAD: dict[str, tuple[str, str | bytes, int | None, str]] = {
    # DIMACS
    "gr empty": ("x.gr", "", None, r"the file is empty; expected the problem line 'p sp"),
    "gr only comments": ("x.gr", "c\nc a\n", 2, "ends before its header"),
    "gr no header": ("x.gr", "a 1 2 3\n", 1, r"expected the problem line .*came 'a 1 2 3'"),
    "gr other problem": ("x.gr", "c\np max 3 2\n", 2, r"'p tw VERTICES EDGES' of a PACE"),
    "gr fraction n": ("x.gr", "p sp 2.5 1\n", 1, "number of vertices as a whole number.*'2.5'"),
    "gr negative m": ("x.gr", "p sp 2 -1\n", 1, "number of arcs as a whole number.*'-1'"),
    "gr huge n": ("x.gr", f"p sp {2**31} 0\n", 1, "2,147,483,648; ids are 32 bits.*2,147,483,647"),
    "gr enormous n": ("x.gr", f"p sp {10**25} 0\n", 1, "vertices '10*' does not fit in INT64"),
    "gr no edges": ("x.gr", "p sp 3 2\n", 1, "promises 2 arcs, the file ends after 0"),
    "gr fewer": ("x.gr", "p sp 3 2\na 1 2 1\n", 2, "promises 2 arcs, .*after 1; it was cut short"),
    "gr more": ("x.gr", "p sp 3 1\na 1 2 1\n\na 2 3 1\n", 4, "promises 1 arcs, here comes"),
    "gr id too large": ("x.gr", "p sp 3 1\na 1 4 1\n", 2, r"id 4 is out of range.*1\.\.3; correct"),
    "gr id zero": ("x.gr", "p sp 3 1\na 0 2 1\n", 2, "id 0 is too small: ids start at 1"),
    "gr id negative": ("x.gr", "p sp 3 1\na -1 2 1\n", 2, "id -1 is negative"),
    "gr id fraction": ("x.gr", "p sp 3 1\na 1.5 2 1\n", 2, "id '1.5' is not a whole number"),
    "gr id in float": ("x.gr", "p sp 3 1\na 1.0 2 1.5\n", 2, "id '1.0' is not a whole number"),
    "gr id beyond int64": ("x.gr", f"p sp 3 1\na {2**64} 2 1\n", 2, "does not fit in INT64"),
    "gr id of n = 0": ("x.gr", "p sp 0 1\na 1 1 1\n", 2, "expected no edge at all, as n = 0"),
    "gr weight nan": ("x.gr", "p sp 3 2\na 1 2 1\na 1 2 NaN\n", 3, "weight 'NaN' is NaN"),
    "gr weight inf": ("x.gr", "p sp 3 1\na 1 2 inf\n", 2, "weight 'inf' is infinite; correct it"),
    "gr weight -inf": ("x.gr", "p sp 3 1\na 1 2 -Infinity\n", 2, "is infinite"),
    "gr weight 1e999": ("x.gr", "p sp 3 1\na 1 2 1e999\n", 2, "is infinite"),
    "gr weight word": ("x.gr", "p sp 3 1\na 1 2 long\n", 2, "weight 'long' is not a number"),
    "gr weight hex": ("x.gr", "p sp 3 1\na 1 2 0x10\n", 2, "weight '0x10' is not a number"),
    "gr weight underscore": ("x.gr", "p sp 3 1\na 1 2 1_0\n", 2, "weight '1_0' is not a number"),
    "gr weight sign": ("x.gr", "p sp 3 1\na 1 2 -\n", 2, "weight '-' is not a number"),
    "gr weight beyond": ("x.gr", f"p sp 3 1\na 1 2 {2**63}\n", 2, "does not fit in INT64"),
    "gr weight below": ("x.gr", f"p sp 3 1\na 1 2 -{2**63 + 1}\n", 2, "does not fit in INT64"),
    "gr weight long": ("x.gr", f"p sp 3 1\na 1 2 {'9' * 5000}\n", 2, "does not fit in INT64"),
    "gr weight beyond, with reals": (
        "x.gr", f"p sp 3 2\na 1 2 .5\na 1 2 {10**20 - 1}\n", 3, "does not fit in INT64",
    ),
    "gr weight rounded": (
        "x.gr", f"p sp 3 2\na 1 2 {2**53 + 1}\na 1 2 .5\n", 2, "loses digits as a real.*; corr",
    ),
    "gr no weight": ("x.gr", "p sp 3 1\na 1 2\n", 2, "expected 'a TAIL HEAD LENGTH', came 3 col"),
    "gr five columns": ("x.gr", "p sp 3 1\na 1 2 3 4\n", 2, "came 5 columns: 'a 1 2 3 4'"),
    "gr edge tag": ("x.gr", "p sp 3 1\ne 1 2 3\n", 2, "expected 'a TAIL HEAD LENGTH', came 'e"),
    "gr glued tag": ("x.gr", "p sp 3 1\na1 1 2 3\n", 2, "came 'a1 1 2 3'"),
    "gr first of two": ("x.gr", "p sp 3 2\na 1 9 1\na 1 2 x\n", 2, "id 9 is out of range"),
    "gr nul": ("x.gr", b"p sp 3 1\na 1 2 \x00\x01\n", 2, "is not a number"),
    "gr junk": ("x.gr", bytes(range(256)) * 20, None, "expected the problem line"),
    "gr utf-16": ("x.gr", "p sp 2 0\n".encode("utf-16"), None, "UTF-16 .* convert it, .*iconv"),
    # graphs to be coloured
    "col short header": ("x.col", "p edge 3\n", 1, "expected the problem line 'p edge VERTICES ED"),
    "col other problem": ("x.col", "p max 3 1\na 1 2 3\n", 1, "expected the problem line 'p edge"),
    "col without tag": ("x.col", "p col 3 1\n1 2\n", 2, "expected 'e VERTEX VERTEX'"),
    "col id": ("x.col", "p edge 3 1\ne 1 4\n", 2, "id 4 is out of range"),
    "col fewer": ("x.col", "c\np edge 3 2\ne 1 3\n", 3, "promises 2 edges, the file ends after 1"),
    # PACE
    "pace short header": ("x.gr", "p tw 3\n", 1, "expected the problem line 'p tw VERTICES EDGES'"),
    "pace three columns": ("x.gr", "p tw 3 1\n1 2 3\n", 2, "expected 'VERTEX VERTEX', came 3"),
    "pace with an order": (
        "x.gr", "p ocr 1 1 1 1\n1\n2\n1 2\n", 1,
        "expected the problem line 'p ocr VERTICES VERTICES EDGES', came 'p ocr 1 1 1 1'",
    ),
    "pace sides": ("x.gr", f"p ocr {2**30} {2**30} 0\n", 1, "is 2,147,483,648; ids are 32 bits"),
    "pace hypergraph": ("x.gr", "p hs 2 1\n1 2\n", 1, "came 'p hs 2 1'"),
    "pace id": ("x.gr", "p tw 3 1\n1 4\n", 2, "id 4 is out of range"),
    "pace fewer": ("x.gr", "c\np tw 3 2\n1 3\n", 3, "promises 2 edges, the file ends after 1"),
    # Matrix Market
    "mm empty": ("x.mtx", "", None, "the file is empty; expected '%%MatrixMarket"),
    "mm banner only": ("x.mtx", MM + "real general\n", 1, "before its header; expected a size"),
    "mm complex": ("x.mtx", MM + "complex general\n1 1 0\n", 1, "complex values"),
    "mm field": ("x.mtx", MM + "quaternion general\n", 1, "unknown field 'quaternion'; exp"),
    "mm symmetry": ("x.mtx", MM + "real triangular\n", 1, "unknown symmetry 'triangular'"),
    "mm vector": ("x.mtx", "%%MatrixMarket vector coordinate real general\n", 1, "matrix coord"),
    "mm pattern skew": ("x.mtx", MM + "pattern skew-symmetric\n", 1, "'pattern' has no values"),
    "mm size": ("x.mtx", MM + "real general\n% a\n3 3\n", 3, "size line 'ROWS COLUMNS ENTRIES'"),
    "mm not square": ("x.mtx", MM + "real symmetric\n3 4 0\n", 2, "3 x 4 is not square"),
    "mm rows": ("x.mtx", MM + f"real general\n{2**31} 1 0\n", 2, "the number of rows is 2,147"),
    "mm fewer": ("x.mtx", MM + "real general\n3 3 2\n1 1 1\n", 3, "promises 2 entries"),
    "mm more": ("x.mtx", MM + "pattern general\n3 3 1\n1 1\n2 2\n", 4, "here comes one more"),
    "mm column": ("x.mtx", MM + "pattern general\n3 4 1\n4 1\n", 3, r"id 4 is out.*1\.\.3"),
    "mm real in integer": ("x.mtx", MM + "integer general\n3 3 1\n1 1 2.5\n", 3, "or say 'real'"),
    "mm value missing": ("x.mtx", MM + "real general\n3 3 1\n1 1\n", 3, "expected 'ROW COLUMN VAL"),
    "mm nan": ("x.mtx", MM + "real general\n3 3 1\n1 1 nan\n", 3, "is NaN"),
    "mm skew diagonal": ("x.mtx", MM + "real skew-symmetric\n2 2 1\n1 1 3\n", 3, "has zeros on"),
    "mm skew twice": (
        "x.mtx", MM + "real skew-symmetric\n% a\n2 2 3\n\n1 1 0\n% b\n2 1 1\n2 2 -1\n", 8, "zeros",
    ),
    "mm skew least": (
        "x.mtx", MM + f"integer skew-symmetric\n2 2 1\n2 1 {-(2**63)}\n", 3, "opposite of .*'real'",
    ),
    "mm array short": (
        "x.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 5, "promises 4 values",
    ),
    "mm array pairs": (
        "x.mtx", "%%MatrixMarket matrix array real general\n1 2\n1 2\n", 3, "one value a line",
    ),
    "mm no banner": ("x.mtx", "hello\n", 1, "or without it a size line"),
    "mm headerless": ("x.mtx", "3 3 1\n1 1\n", 2, "expected 'ROW COLUMN VALUE' .real"),
    # edge lists
    "el empty": ("x.el", "", None, r"the file is empty; expected lines 'SOURCE TARGET"),
    "el comments": ("x.el", "# nothing\n\n", 2, "there is no edge in the file"),
    "el one column": ("x.el", "0\n", 1, "came 1 column: '0'"),
    "csv of semicolons": ("x.csv", "source;target\n0;1\n", 1, "by semicolons, but .* commas"),
    "csv of semicolons and blanks": ("x.csv", "0; 1; 2\n", 1, "by semicolons, but .* commas"),
    "csv in quotes": ("x.csv", '"Smith, Ann",Bob,2\n', 1, "4 columns.*--labels. reads names"),
    "el four columns": ("x.txt", "# a\n0 1 2 3\n", 2, "came 4 columns"),
    "el heading": ("x.csv", "who,whom\n0,1\n", 1, "id 'who' is not a whole.*heading.*source="),
    "el heading of three": ("x.csv", "who,whom,km\n0,1,5\n", 1, "a heading.*weight="),
    "el heading of four": ("x.csv", "id,from,to,km\n0,0,1,5\n", 1, "no column is named weight"),
    "el heading of other four": ("x.csv", "id,u,v,km\n0,0,1,5\n", 1, "a heading.*weight="),
    "el with an index": ("x.el", " from to km\n0 5 7 1\n", 2, "1 names 3 .* 4: .*weight='km'"),
    "tsv with an index": ("x.tsv", "\tfrom\tto\tkm\n0\t5\t7\t1\n", 1, "no .* named weight"),
    "csv of fewer": ("x.csv", "source,target,weight\n5,7\n", 2, "3 columns, here are 2: '5,7'$"),
    "csv of a heading": ("x.csv", "source,target,id,weight\n", None, "no edge in the file"),
    "el two headings": ("x.csv", "from,to\nfrom,to\n0,1\n", 2, "id 'from' is not a whole"),
    "el compressed by 7-Zip": ("x.txt.7z", "7z", None, r"\.7z is compressed.*as \.gz, \.bz2 and"),
    "el cut short by bzip2": ("x.txt.bz2", "BZh91AY", None, "the file is cut short"),
    "el change": ("x.txt", "0 1\n\n1 2 5\n", 3, "expected 'SOURCE TARGET', came 3 columns"),
    "el negative": ("x.txt", "0 1\n-3 2\n", 2, r"id -3 is negative"),
    "el fraction": ("x.txt", "0 1\n3.5 2\n", 2, "id '3.5' is not a whole number"),
    "el word": ("x.txt", "0 1\nbob alice\n", 2, "id 'bob' is not a whole number"),
    "el large": ("x.txt", f"0 {BIG}\n", 1, "out of range, .*renumber the vertices"),
    "el weight": ("x.wel", "0 1 2.5\n1 2 nan\n", 2, "weight 'nan' is NaN"),
    "el empty field": ("x.csv", "0,1,2\n1,,2\n", 2, "came nothing in column 2; fill it in"),
    "el last field": ("x.csv", "0,1,2\n1,2,\n", 2, "TARGET WEIGHT', came nothing in column 3"),
    "el first field": ("x.csv", "0,1\n ,1\n", 2, "came nothing in column 1"),
    "el comma too many": ("x.csv", "0,1,\n", 1, "TARGET', came nothing in .* take the comma away"),
    "el trailing comment": ("x.txt", "0 1\n1 2 # b\n", 2, "came 4 columns"),
    "el of networkx": ("x.txt", "0 1 {}\n1 2 {}\n", 1, "came 3 .* braces are .*read_edgelist"),
    "el of networkx, data": ("x.txt", "0 1 {'weight': 3}\n", 1, "came 4 .* braces are data"),
    "el own comment": (
        "x.el", "# lagraph-gpu: nrows=2 ncols=3 directed=false\n0 1\n", 1, "nrows and ncols differ",
    ),
    "el beyond own n": (
        "x.el", "# lagraph-gpu: nrows=2 ncols=2 directed=true\n0 2\n", 2, "correct it, or nrows",
    ),
    # METIS
    "metis empty": ("x.graph", "", None, "the file is empty; expected a first line 'VERTICES"),
    "metis header": ("x.graph", "3\n", 1, "expected a first line 'VERTICES EDGES"),
    "metis format": ("x.graph", "3 2 7\n", 1, "three digits 0 or 1"),
    "metis lines": ("x.graph", "3 1\n2\n1\n", 3, "promises 3 vertices.*ends after 2"),
    "metis more lines": ("x.graph", "% a\n1 0\n\n\n1\n", 5, "here comes one more line"),
    "metis count": ("x.graph", "% a\n3 3\n2\n1\n\n", 2, "promises 3 edges, so 6 neighbours"),
    "metis one side": ("x.graph", "4 2\n2\n% a\n1 3\n4\n\n", 4, "vertex 2 lists 3, but vertex 3"),
    "metis unequal": ("x.graph", "2 1 1\n2 5\n1 6\n", 2, "lists . with weight"),
    "metis id": ("x.graph", "2 1\n2\n% c\n3\n", 4, "vertex 2: the vertex id 3 is out of range"),
    "metis zero": ("x.graph", "2 1\n2\n0\n", 3, "ids start at 1"),
    "metis pairs": ("x.graph", "2 1 1\n2 5\n1\n", 3, "expected pairs 'NEIGHBOUR WEIGHT'"),
    "metis weight": ("x.graph", "2 1 1\n2 nan\n1 nan\n", 2, "edge weight 'nan' is NaN"),
    "metis weight rounded": (
        "x.graph", f"3 2 1\n2 .5\n1 .5 3 {2**53 + 1}\n2 {2**53 + 1}\n", 3, "loses digits as a real",
    ),
    "metis word": ("x.graph", "2 1\n2\nx\n", 3, "id 'x' is not a whole number"),
    "metis lead": ("x.graph", "2 1 10 2\n1 1 2\n1\n", 3, "expected 2 weights and sizes first"),
    # Graphalytics, npz, others
    "v twice": ("x.v", "1\n# a\n2\n3\n2\n1\n", 5, "vertex 2 is named twice"),
    "npz empty": ("x.npz", "", None, "the file is empty"),
    "npy": ("x.npz", b"\x93NUMPY\x01\x00", None, r"starts with b'\\x93NUMPY', not as .npz arch"),
    "npz junk": ("x.npz", "PK\x03\x04 nothing", None, "not a matrix that scipy.sparse.save_npz"),
    "unknown": ("x.dat", "0 1\n", None, "unknown extension '.dat', and no header.*name the format"),
    "no extension": ("x", "0 1\n", None, "unknown extension ''"),
    "map": ("x.map", "type octile\n", None, "read it with read_movingai"),
    "spreadsheet": ("x.xlsx", b"PK\x03\x04", None, "own format: save the table as .csv"),
    "csv in UTF-16": ("x.csv", "0,1\n".encode("utf-16-le"), None, "UTF-16 .* convert it"),
    "mtx in UTF-16": ("x.mtx", "%%M".encode("utf-16-be"), None, "UTF-16 .* convert it"),
    "zip": ("x.csv.zip", b"PK\x03\x04", None, "unpack it first"),
    "npy file": ("x.npy", b"\x93NUMPY\x01\x00", None, "load it with numpy.load"),
    "pickle": ("x.pickle", b"\x80\x04.", None, "if you trust it, and use Graph.from_networkx"),
    "pajek": ("x.net", "*Vertices 1\n", None, "NetworkX reads it, and Graph.from_networkx takes"),
    "json": ("x.json", "{}", None, "write the edges as a table"),
    "co": ("x.co", "p aux sp co 0\n", None, "read it with read_coordinates"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_the_error_names_file_line_and_cause(case: str, tmp_path: Path) -> None:
    name, content, line, message = BAD[case]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (tmp_path / "x.e").write_text("")
    with pytest.raises(FormatError, match=message) as caught:
        read_edges(path)
    assert isinstance(caught.value, LagraphError) and isinstance(caught.value, ValueError)
    assert caught.value.path == str(path)
    if case != "gr junk":
        assert caught.value.line == line
    assert str(path) in str(caught.value) and len(str(caught.value)) < 600


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_lines_are_counted_in_compressed_files_and_across_blocks(
    pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", 64)
    lines = ["c a comment", "p sp 9 500", *["a 1 2 3"] * 321, "a 1 99 3", *["a 1 2 3"] * 100]
    lines += ["", "c b", *["a 1 2 3"] * 78]
    path = tmp_path / "x.gr.z"
    path.write_bytes(pack("\n".join(lines).encode()))  # type: ignore[operator]
    with pytest.raises(FormatError, match="id 99 is out of range") as caught:
        read_edges(path)
    assert caught.value.line == 324
    lines[323] = "a 1 9 3"
    path.write_bytes(pack("\n".join(lines).encode()))  # type: ignore[operator]
    assert read_edges(path).dst[321] == 8
    path.write_bytes(pack("\n".join([*lines, "a 1 2 3"]).encode()))  # type: ignore[operator]
    with pytest.raises(FormatError, match="promises 500 arcs, here comes one more") as caught:
        read_edges(path)
    assert caught.value.line == 505


def test_whole_numbers_keep_their_digits_across_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", 64)
    path = tmp_path / "x.el"
    lines = ["0 1 2"] * 50 + ["", f"1 2 {2**53 + 2}", "1 2 0.5"] + ["0 1 3"] * 50
    path.write_text("\n".join(lines))
    weight = read_edges(path).weight
    assert weight is not None and weight[50:52].tolist() == [2**53 + 2, 0.5]
    for number in (2**53 + 1, -(2**53) - 1, 2**63 - 1):
        for line in (10, 90):
            altered = [*lines]
            altered[line - 1] = f"0 1 {number}"
            path.write_text("\n".join(altered))
            with pytest.raises(FormatError, match=f"'{number}' is .* loses digits") as caught:
                read_edges(path)
            assert caught.value.line == line


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_compressed_streams_that_are_cut_or_damaged(
    suffix: str, pack: object, tmp_path: Path
) -> None:
    text = "p sp 900 5000\n" + "".join(
        f"a {1 + k % 900} {1 + k * k % 900} {k}\n" for k in range(5000)
    )
    whole = pack(text.encode())  # type: ignore[operator]
    path = tmp_path / f"x.gr{suffix}"
    for content, message in (
        (whole[: len(whole) // 2], "cut short; fetch it again"),
        (whole[:12], "cut short; fetch it again|damaged"),
        (whole[:100] + b"\xff\x00\xff\x00" + whole[104:], "damaged|cut short"),
        (whole[:-3], "cut short|damaged"),
        (b"", "no bytes at all: cut short"),
        (text.encode(), "named .*, but its first bytes are b'p sp"),
    ):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=message):
            read_edges(path)
    path.write_bytes(whole)
    assert read_edges(path).nedges == 5000
    assert {p.name for p in tmp_path.iterdir()} == {path.name}  # nothing was unpacked to disk


def test_missing_and_existing_files_are_errors_of_the_system_too(tmp_path: Path) -> None:
    G = lg.grid(1, 3, backend="cpu")
    G.save(tmp_path / "saved")
    missing = [
        lambda: lg.read(tmp_path / "missing.gr", backend="cpu"),
        lambda: lg.open(tmp_path / "missing", backend="cpu"),
        lambda: lg.write(G, tmp_path / "nowhere" / "x.gr"),
        lambda: G.save(tmp_path / "nowhere" / "saved"),
    ]
    existing = [lambda: G.save(tmp_path / "saved")]
    for kind, calls in ((FileNotFoundError, missing), (FileExistsError, existing)):
        for call in calls:
            with pytest.raises(kind) as found:
                call()
            again = pickle.loads(pickle.dumps(found.value))
            for error in (found.value, again):
                assert isinstance(error, FormatError) and error.path == error.filename != ""
                assert error.errno and error.strerror == os.strerror(error.errno)
            assert type(again) is type(found.value) and str(again) == str(found.value)


def test_missing_file_directory_and_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.gr: there is no such file"):
        read_edges(tmp_path / "none.gr")
    with pytest.raises(FormatError, match="this is a directory; expected a graph file"):
        read_edges(tmp_path)
    with pytest.raises(InvalidValue, match="expected the path of a graph file, got an empty one"):
        read_edges("")
    locked = tmp_path / "locked.gr"
    locked.write_text("p sp 0 0\n")
    locked.chmod(0)
    if not os.access(locked, os.R_OK):  # root may read everything
        with pytest.raises(FormatError, match="cannot be opened"):
            read_edges(locked)


def test_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    G = lg.Graph.from_edges([0], [1], backend="cpu")
    for call in (
        lambda: lg.read("x.txt", format=5),
        lambda: lg.write(G, tmp_path / "x.txt", format=5),
    ):
        with pytest.raises(WrongType, match="format as a string, got 5; name the format: dimacs"):
            call()
    with pytest.raises(InvalidValue, match="unknown format 'dot'; name the format: dimacs"):
        read_edges(tmp_path / "x.dot", format="dot")


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (scipy.sparse.coo_array([[1j]]), "values of type complex128"),
        (scipy.sparse.coo_array([[0, np.nan]]), r"entry \(0, 1\) is nan"),
        (scipy.sparse.csr_array([[np.inf]]), r"entry \(0, 0\) is inf"),
    ],
)
def test_npz_values_that_no_graph_can_have(
    matrix: scipy.sparse.sparray, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.npz"
    scipy.sparse.save_npz(path, matrix)
    with pytest.raises(FormatError, match=message):
        read_edges(path)


def archive(**arrays: object) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        archive(a=np.arange(3)),
        archive(format=b"coo", shape=[2, 2], row=[0, 5], col=[0, 1], data=[1, 1]),
        archive(format=b"coo", shape=[2, 2], row=[0, -1], col=[0, 1], data=[1, 1]),
        archive(format=b"coo", shape=[2, 2], row=[0], col=[0, 1], data=[1, 1]),
        archive(format=b"csr", shape=[2, 2], indptr=[0, 9, 2], indices=[0, 1], data=[1, 1]),
        archive(format=b"csr", shape=[2, 2], indptr=[0, 1, 2], indices=[0, 7], data=[1, 1]),
        archive(format=b"coo", shape=[2**40, 2], row=[0], col=[0], data=[1]),
        archive(format=b"coo", shape=[2, 2], row=[0], col=[0], data=np.array([{}], dtype=object)),
        archive(format=b"coo", shape=[2, 2], row=[0], col=[1], data=[1], directed=False),
        archive(format=b"coo", shape=[2, 2], row=[0, 1.5], col=[0, 1], data=[1, 1]),
        archive(format=b"coo", shape=[2, 2], row=[0, 1], col=[True, False], data=[1, 1]),
        archive(format=b"csr", shape=[2, 2], indptr=[0, 1.5, 2], indices=[0, 1], data=[1, 1]),
    ],
)
def test_npz_files_that_are_no_matrix(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    for part in (content, content[:-40], content[:60]):
        path.write_bytes(part)
        with pytest.raises(FormatError) as caught:
            read_edges(path)
        assert str(caught.value).count(str(path)) == 1


def test_npz_files_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    lg.contract(lg.grid(2, 2, backend="cpu")).save(path)
    with pytest.raises(FormatError, match=r"a lagraph-gpu contraction, no .*Contraction\.load"):
        read_edges(path)
    path.write_bytes(lg.Vector.from_coo([0], [1], backend="cpu").serialize())
    with pytest.raises(FormatError, match=r"a lagraph-gpu vector, no graph; .*deserialize"):
        read_edges(path)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("# none\n", None, "the file is empty"),
        ("1 2\n# 1 -2\n1 -2\n", 3, "id -2 is negative"),
        (f"1 2\n\n1 {2**62}\n", 3, "is out of range, .*renumber"),
        (f"1 {10**20}\n", 1, "does not fit in INT64"),
        ("1 2\n1 2.5\n", 2, "id '2.5' is not a whole number"),
        ("1 2\n1 -\n", 2, "id '-' is not a whole number"),
    ],
)
def test_adjacency(text: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.adj"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_edges(path, "adjacency")
    assert caught.value.line == line


def test_graphalytics_partner_and_ends(tmp_path: Path) -> None:
    (tmp_path / "g.v").write_text("4\n9\n")
    with pytest.raises(FormatError, match=r"g\.e: there is no such file"):
        read_edges(tmp_path / "g.v")
    (tmp_path / "h.e").write_text("4 9\n")
    with pytest.raises(FileNotFoundError, match=r"h\.v: there is .* the vertices .* in 'h\.e'$"):
        read_edges(tmp_path / "h.e")
    (tmp_path / "g.e").write_text("# c\n\n4 9\n# d\n4 5\n8 4\n")
    with pytest.raises(FormatError, match=r"g\.e, line 5: .* vertex 5, which g\.v does not"):
        read_edges(tmp_path / "g.v")
    (tmp_path / "g.e").write_text("# c\n4 9 0.5\n")
    assert read_edges(tmp_path / "g.v").weight.tolist() == [0.5]  # type: ignore[union-attr]
    (tmp_path / "g.e").write_text("# none\n")
    assert read_edges(tmp_path / "g.v").nedges == 0
    (tmp_path / "g.e").write_text("4 9\n4\n")
    with pytest.raises(FormatError, match=r"g\.e, line 2: expected 'SOURCE TARGET'"):
        read_edges(tmp_path / "g.e")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "the file is empty"),
        ("p aux sp co\n", 1, "expected the problem line 'p aux sp co VERTICES'"),
        ("p aux sp co 2\nv 1 2 3\n", 2, "promises 2 vertices, the file ends after 1"),
        ("p aux sp co 2\nv 1 2 3\nv 1 2 3\n", 3, "vertex 1 has coordinates already"),
        ("p aux sp co 1\nv 2 2 3\n", 2, "id 2 is out of range"),
        ("p aux sp co 1\nv 1 2 nan\n", 2, "'nan' is NaN"),
    ],
)
def test_coordinates(text: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.co"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_coordinates(path)
    assert caught.value.line == line


def test_coordinates_of_another_graph(tmp_path: Path) -> None:
    (tmp_path / "x.co").write_text("p aux sp co 1\nv 1 2 3\n")
    (tmp_path / "x.gr").write_text("p sp 2 1\na 1 2 3\n")
    with pytest.raises(InvalidValue, match=r"x\.co places 1 vertices, the graph has 2"):
        read_edges(tmp_path / "x.gr", coordinates=tmp_path / "x.co")


MAP = "type octile\nheight 2\nwidth 3\nmap\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "the file is empty"),
        ("type octile\nwidth 3\n", 2, "expected a line 'height'"),
        ("type octile\nheight x\n", 2, "expected the height as a whole number"),
        (MAP + "...\n", 5, "expected 2 rows, the file ends after 1"),
        (MAP + "...\n..\n", 6, "expected 3 cells, came 2"),
        (MAP + "...\n..?\n", 6, r"unknown cell '\?'; expected one of \.GS@OTW"),
        (MAP + "...\n...\n\n...\n", 8, "more than the 2 rows"),
    ],
)
def test_grid_map(text: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.map"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_movingai(path)
    assert caught.value.line == line


@pytest.mark.parametrize("content", [b"PK\x03\x04 and junk", b"no archive at all"])
def test_npz_errors_name_the_file_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(FormatError) as error:
        read_edges(path)
    assert "BytesIO" not in str(error.value) and "x.npz" in str(error.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nope/x.el", "there is no folder '.*nope'"),
        ("file/x.el", "there is no folder '.*file'"),
        ("folder.el", "this is a directory"),
        ("a" * 300 + ".el", "cannot be written: File name too long"),
    ],
)
def test_a_place_that_cannot_be_written(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.el").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(FormatError, match=says) as error:
        write_edges(tmp_path / name, EdgeList([0], [1], None, 2, 2))
    assert error.value.path == str(tmp_path / name) and ".part" not in str(error.value)
    assert sorted(tmp_path.iterdir()) == before


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FormatError, match=r"x\.el: cannot be written: No space left"):
        write_edges(tmp_path / "x.el", EdgeList([0], [1], None, 2, 2))
    assert [*tmp_path.iterdir()] == []


def test_leading_zeros_count_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.gr"
    pad = "0" * 5000
    path.write_text(f"p sp {pad}3 {pad}2\na {pad}1 {pad}3 {pad}7\na 2 3 -{pad}1\n")
    edges = read_edges(path)
    assert (edges.nrows, edges.dst.tolist()) == (3, [2, 2])
    assert edges.weight is not None and edges.weight.tolist() == [7, -1]
    for line, said in (
        (f"a {pad}1 {pad}4 1", "the vertex id 4 is out of range"),
        (f"a {pad}1 2 {pad}{2**63}", "does not fit in INT64"),
        (f"a 2 3 {pad}{2**53 + 1}\na 2 3 .5", "loses digits"),
    ):
        path.write_text(f"p sp 3 {line.count('a')}\n{line}\n")
        with pytest.raises(FormatError, match=said) as refusal:
            read_edges(path)
        assert refusal.value.line == 2


@pytest.mark.parametrize("name", ["/dev/zero", "/proc/self/mem"])
def test_devices_are_refused(name: str) -> None:
    if not os.path.exists(name):
        pytest.skip(f"this system has no {name}")
    for read in (
        lambda: read_edges(name, "edgelist"),
        lambda: read_edges(name, "metis"),
        lambda: read_edges(name, "npz"),
        lambda: read_coordinates(name),
        lambda: read_movingai(name),
        lambda: lg.Contraction.load(name),
    ):
        with pytest.raises(FormatError) as refusal:
            read()
        assert refusal.value.path == name


def test_sockets_are_refused_and_pipes_beside_a_graph_are_left_alone(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "x.el"))
        with pytest.raises(FormatError, match="cannot be opened: No such device") as refusal:
            read_edges(tmp_path / "x.el")
        assert isinstance(refusal.value.__cause__, OSError)
        with pytest.raises(FormatError, match="cannot be written"):
            write_edges(tmp_path / "x.el", EdgeList([0], [1], None, 2, 2))
    (tmp_path / "x.v").write_text("1\n2\n")
    (tmp_path / "x.e").write_text("1 2\n")
    os.mkfifo(tmp_path / "x.properties")  # which nobody writes to
    assert read_edges(tmp_path / "x.v").directed


@pytest.mark.parametrize("read", [read_edges, read_coordinates, read_movingai, lg.Contraction.load])
def test_what_does_not_fit_in_memory_names_the_file(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: stream.Source) -> None:
        raise MemoryError

    for method in ("next_line", "everything"):
        monkeypatch.setattr(stream.Source, method, full)
    path = tmp_path / "x.el"
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(TooLarge, match="does not fit in memory") as refusal:
        read(path)
    assert str(path) in str(refusal.value) and isinstance(refusal.value.__cause__, MemoryError)
