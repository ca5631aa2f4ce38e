"""What PyArrow reads is what the words give: the same edges, or the same error."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io import arrow_columns, named_edges, read_edges, table
from lagraph_gpu.names import labels
from tests.strategies import examples

pytest.importorskip("pyarrow")

HEADS = {".mtx": b"%%MatrixMarket matrix coordinate real general\n9 9 4\n", ".el": b"",
         ".gr": b"p sp 9 4\n"}  # fmt: skip
LINES = ("1 2 3", "4 5 6.5", "7\t8\t1e3", "2 3 -0.", "3 4 +.5", "a 1 2 3", "a 4 5 6", "a 4 5 6.5",
         "", " 1 2 3", "1 2", "1 2 3 4", "12 1 1", "0 1 1", "-1 2 3", "1 2 1e999", "1 2 nan",
         "1 2 0x1F", "007 2 3", "1 2 9007199254740993", "1 2 99999999999999999999", "1.0 2 3",
         "1,2,3", "# note", "1 2 3\r", "1 2 e5", "1 2 1-1")  # fmt: skip


def outcome(path: Path) -> Any:
    try:
        edges = read_edges(path)
    except FormatError as problem:
        return str(problem)
    weight = None if edges.weight is None else (edges.weight.dtype, edges.weight.tolist())
    return edges.src.tolist(), edges.dst.tolist(), weight, edges.nrows


@given(
    ending=st.sampled_from(sorted(HEADS)),
    lines=st.one_of(
        st.lists(st.sampled_from(LINES), min_size=1, max_size=5),
        st.sampled_from(LINES[:9]).flatmap(
            lambda line: st.lists(
                st.sampled_from([line, line, line, *LINES]), min_size=4, max_size=4
            )
        ),
    ),
)
def test_both_ways_give_the_same(
    ending: str, lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"drawn{ending}"
    path.write_bytes(HEADS[ending] + "".join(f"{line}\n" for line in lines).encode())
    by_words = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_columns, "LARGE", 0)
        assert outcome(path) == by_words


@pytest.mark.parametrize("ending", sorted(HEADS))
def test_plain_files_are_read_fast(ending: str, tmp_path: Path, monkeypatch: Any) -> None:
    """And a last line that is not plain is told by its number."""
    path, tag = tmp_path / f"plain{ending}", "a " if ending == ".gr" else ""
    monkeypatch.setattr(arrow_columns, "LARGE", 0)
    rng = random.Random(1)
    lines = [f"{tag}{rng.randint(1, 9)} {rng.randint(1, 9)} {rng.random()}" for _ in range(4)]
    path.write_bytes(HEADS[ending] + "\n".join(lines).encode() + b"\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.tokens, "tokenise", None)
        src, _, weight, _ = outcome(path)
    assert len(src) == 4 and weight[0] == np.float64
    path.write_bytes(path.read_bytes().replace(lines[-1].encode(), b"1 x 2"))
    assert f"line {4 + HEADS[ending].count(10)}" in outcome(path)


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_columns, "LARGE", 0)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (path := tmp_path / "g.el").write_text("0 1 2\n")
    assert outcome(path)[:2] == ([0], [1])


NAMED = (
    "Ann,Bob,2.5", "Ann,Bob,2", "Bob,Cid,-1e3", "7,8,1", "-5,0,+1", '"Smith, D",Ann,1', "Ann,,1",
    '"a ""b""",Ann,1', '"two\nlines",Ann,3', 'x"y,Ann,1', ' "Ann",Bob,1', " Ann , Bob ,\t1",
    "#a,b,1", "% c,d,2", "", ",,", "Ann,Bob", "Ann,Bob,1,2", "Ann,Bob,far", "Ann,Bob,inf",
    "Ann,Bob,1_0", "Ann,Bob,12345678901234567890", "Jos\u00e9,\u00a0Bob,1", "Ann\r,Bob,1",
    "Ann,Bob,1\r", "a\0b,c,1", '"open,Ann,1', "Ann Bob 1", "Ann\tBob\t1", "ann  bob 2", "# note",
    "  # note", "a b", "\x1fa b c", "source,target,weight", "0,1,9007199254740993",
    "1" * 1001 + ",2,3",
)  # fmt: skip
"""Lines of edges with names, and what can be wrong with them or is unusual."""


def named(path: Path, **given: Any) -> Any:
    try:
        edges = read_edges(path, labels=True, **given)
    except FormatError as problem:
        return str(problem)
    weight = None if edges.weight is None else (edges.weight.dtype, edges.weight.tolist())
    ids = None if edges.ids is None else edges.ids.tolist()
    return edges.src.tolist(), edges.dst.tolist(), weight, ids, edges.directed


@given(
    ending=st.sampled_from([".csv", ".tsv", ".el"]),
    lines=st.one_of(
        st.lists(st.sampled_from(NAMED), min_size=1, max_size=5),
        st.sampled_from(NAMED[:9]).flatmap(
            lambda line: st.lists(st.sampled_from([line, line, *NAMED]), min_size=3, max_size=4)
        ),
    ),
    parted=st.sampled_from(["\t", " ", ","]),
    first=st.sampled_from(["", "# undirected graph\n", "\ufeffsource,target,weight\n"]),
    columns=st.sampled_from([{}, {}, {"source": "target", "target": "weight"}]),
)
@examples(200)
def test_names_are_the_same_either_way(
    ending: str, lines: list[str], parted: str, first: str, columns: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    path = tmp_path_factory.getbasetemp() / f"names{ending}"
    text = first + "".join(f"{line}\n" for line in lines)
    path.write_bytes((text if ending == ".csv" else text.replace(",", parted)).encode())
    by_words = named(path, **columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_columns, "LARGE", 0)
        assert named(path, **columns) == by_words


@pytest.mark.parametrize("text", ["a,b,1\n", '"a, b","c\nd",1.5\n', "source,target\n#x,%y\n"])
def test_plain_names_are_read_fast(text: str, tmp_path: Path, monkeypatch: Any) -> None:
    (path := tmp_path / "x.csv").write_text(text * 2 if "source" not in text else text)
    slow = named(path)
    monkeypatch.setattr(arrow_columns, "LARGE", 0)
    monkeypatch.setattr(named_edges, "_parted", None)
    assert named(path) == slow


def test_labels_are_numbered_the_same_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    ends = [[f"n{rng.randint(0, 30)}" for _ in range(200)] for _ in range(2)]
    slow = labels.numbered(*ends, True)
    monkeypatch.setattr(labels, "LABELS_FOR_PYARROW", 0)
    fast = labels.numbered(*ends, True)
    assert slow[0].array.tolist() == fast[0].array.tolist() == sorted({*ends[0], *ends[1]})
    assert all((a == b).all() for a, b in zip(slow[1:], fast[1:]))
    assert [fast[0].array[at] for at in fast[1]] == ends[0]
    half = labels.numbered(["\ud800"], ["b"], True)[0]  # what PyArrow cannot hold
    assert half.array.tolist() == ["b", "\ud800"]
