"""The benchmark of closures by themselves: what its record holds, and judges that say no."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import clock, closures, operations, parts, record
from benchmarks.closures import ClosureProblem
from benchmarks.parts import Found
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.verify import Rules
from tests.harness import CPU


def test_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "COPY_BYTES", {True: 1 << 16, False: 1 << 16})
    arguments = ["--graph", "kron5", "--graph", "grid4", "--samples", "3", "--backend", "cpu"]
    assert operations.main(closures.QUESTION, [*arguments, "--out", str(tmp_path)]) == 0
    found = [json.loads(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert [r["graph"] for r in found] == ["grid4", "kron5"]
    for r in found:
        assert record.faults(r) == [] and r["verified"] is True
        assert len({row["case"] for row in r["measurements"]}) == 17
        assert all(row["verified"] and row["checked"] == 3 for row in r["measurements"])


def test_weights_of_each_kind_on_the_same_edges() -> None:
    problem = ClosureProblem("kron6", CPU)
    by_kind = {kind: problem.graph(kind, "natural").A for kind in ("integer", *closures.WEIGHTS)}
    places = {kind: [a.tolist() for a in A.to_coo()[:2]] for kind, A in by_kind.items()}
    assert all(there == places["integer"] for there in places.values())
    values = {kind: A.to_coo()[2] for kind, A in by_kind.items()}
    assert set(values["equal"]) == {1} and values["integer"].max() > 200
    assert values["uniform"].max() <= 1 <= values["heavy"].min() and values["heavy"].max() > 20


@pytest.mark.parametrize("name", ["distances", "levels", "parents", "widths"])
def test_judges_refuse_what_is_wrong(name: str) -> None:
    G = ClosureProblem("kron6", CPU).graph("integer", "natural")
    where = closures if name == "widths" else parts
    of: Any = getattr(where, name)
    judge: Any = getattr(where, f"judge_{name}")
    root = int(G.A.to_coo()[0][0])
    right: lg.Vector = of(G, root)
    judge(Rules(G), Found(root, right))
    other = next(v for v in right.to_coo()[0].tolist() if v != root)
    wrong = right.dup()
    wrong[other] = wrong[other].get() + 1
    with pytest.raises(VerificationError):
        judge(Rules(G), Found(root, wrong))
