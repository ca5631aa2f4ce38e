"""The benchmark of the cluster backend, and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import cluster, cluster_page, record, report
from tests.cluster.turns import on_ranks
from tests.harness import GPU

ROOT = Path(__file__).resolve().parents[1]
ALGORITHMS = ["bfs", "pagerank"]


@pytest.mark.parametrize("local", ["cpu", "gpu"])
def test_rows(local: str) -> None:
    """Those of one process and of two; what all processes say is the same but for times."""

    def work(backend: Any) -> Any:
        with lg.backend(backend):
            return cluster.measure("kron5", ALGORITHMS, backend, count=2)

    given = (GPU,) if local == "gpu" else ()
    for told in on_ranks(2, work, *given):
        assert [(one["case"], one["by"]) for one in told] == [
            *((name, f"one {local}") for name in ALGORITHMS),
            *((name, "cluster of 2") for name in ALGORITHMS),
        ]
        assert [one["verified"] for one in told] == [None, None, True, True]
        assert all(one["bytes_sent"] > 0 and one["exchanges"] > 0 for one in told[2:])


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(G: lg.Graph, root: int) -> lg.Vector:
        level = lg.bfs(G, root)[0]
        if G.backend.name == "cluster" and G.backend.distribution.rank == 1:  # type: ignore[attr-defined]
            level._store.part << level._store.part + 1
        return level

    monkeypatch.setitem(cluster.SEARCHES, "bfs", wrong)
    told = on_ranks(2, lambda backend: cluster.measure("kron5", ["bfs"], backend, count=2))
    assert [one[-1]["verified"] for one in told] == [False, False]


def test_a_record_of_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PMI_SIZE", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    arguments = ["kron5", "--algorithms", "bfs", "--roots", "2", "--out", str(tmp_path)]
    try:
        assert cluster.main(arguments) == 0
    finally:
        lg.set_backend(None)
    (made,) = report.read(tmp_path)
    assert record.faults(made) == []
    assert (made["processes"], made["graph"], made["n"]) == (1, "kron5", 32)
    assert made["threads"] == 3


def test_the_page_shows_the_newest_records() -> None:
    text = (ROOT / cluster_page.PAGE).read_text(encoding="utf-8")
    again = "run python -m benchmarks.cluster_page"
    groups = cluster_page.recorded(), cluster_page.shared(), cluster_page.on_processors()
    made = cluster_page.tables(*groups)
    assert report.replaced(text, made) == text, again


def test_processes_that_share_processors_take_little_longer_than_one() -> None:
    """By the records, at most 1.3 times as long."""
    records = cluster_page.on_processors()
    alone = {r["graph"]: r["measurements"] for r in records if r["processes"] == 1}
    one = {(name, m["case"]): m["median_ms"] for name in alone for m in alone[name]}
    ratios = [
        both["median_ms"] / one[r["graph"], case]
        for r in records if r["processes"] > 1 for case, (_, both) in cluster_page.rows(r).items()
    ]  # fmt: skip
    assert len(ratios) >= 16 and max(ratios) <= 1.3


def test_the_models_predict_what_was_measured() -> None:
    """Within a quarter, where it was not used for the model."""
    records = cluster_page.recorded()
    model = cluster_page.Model(records)
    for r in cluster_page.calls(records):
        if "pagerank" not in cluster_page.rows(r) or r is model.fitted.get(r["processes"]):
            continue
        one, both = cluster_page.rows(r)["pagerank"]
        told = model.predicted(one["median_ms"], r["n"], r["processes"], both["exchanges"])
        assert abs(told / both["median_ms"] - 1) < 0.25
    of_searches = cluster_page.SearchModel(records)
    for r in cluster_page.searches(records):
        if r["processes"] > 1 and r is not of_searches.fitted[r["processes"]]:
            assert abs(of_searches.predicted(r) / r["median_ms"] - 1) < 0.25


def test_weak_scaling_is_a_series_of_constant_work() -> None:
    found = cluster_page.searches(cluster_page.recorded())
    series = cluster_page.constant_work(found)
    assert [r["processes"] for r in series] == [1, 2, 4]
    assert len({r["n"] // r["processes"] for r in series}) == 1
    assert "Weak scaling" in "\n".join(cluster_page.of_constant_work(found))
    assert not cluster_page.of_constant_work(series[1:])
