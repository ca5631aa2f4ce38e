"""Rows behind the device: the program runs, compares levels, and refuses to time the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import behind
from lagraph_gpu.gpu.storage import packed_rows
from tests.harness import CPU, GPU

pytestmark = pytest.mark.skipif(not hasattr(GPU.device, "room_of"), reason="needs a small device")


@contextmanager
def little(_: int) -> Iterator[None]:
    with GPU.device.room_of(40_000):
        yield


def test_each_way_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behind, "limited", little)
    monkeypatch.setattr(behind, "ROOTS", 2)
    monkeypatch.setattr(GPU.packing, "part_words", 200)
    monkeypatch.setattr(packed_rows, "KEPT_SHARE", 40)
    rows = {row["what"]: row for row in behind.rows_of(7, GPU, False)}
    assert len(rows) == 9 and rows["packed, behind: first words"]["host_bytes"] > 0
    timed = [row for row in rows.values() if "median_ms" in row]
    assert len(timed) == 8 and all(row["median_ms"] > 0 for row in timed)


def test_other_levels_and_the_cpu_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.kronecker(5, backend=GPU)
    roots, wanted = [3], [[1, 1, None]]
    with pytest.raises(AssertionError, match="other levels from 3"):
        behind.searched(G, roots, wanted)  # type: ignore[arg-type]
    search: Any = lg.bfs
    monkeypatch.setattr(lg, "bfs", lambda G, root: [v.to(CPU) for v in search(G, root)])
    with pytest.raises(AssertionError, match="it ran on the CPU"):
        behind.searched(G, roots, [])  # type: ignore[arg-type]
