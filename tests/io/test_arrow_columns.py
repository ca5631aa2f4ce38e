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
from lagraph_gpu.io import arrow_columns, read_edges, table

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
