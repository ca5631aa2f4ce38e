"""NetworkX' own tests, with this package as the backend: not one may fail."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests import networkx_plugin

FOLDERS = (
    "bipartite", "centrality", "coloring", "components", "link_analysis", "shortest_paths",
    "traversal", "tree",
)  # fmt: skip
FILES = (
    "boundary", "cluster", "core", "dag", "distance_measures", "dominating", "euler", "isolate",
    "link_prediction", "matching", "mis", "reciprocity", "regular", "similarity", "smetric",
    "wiener",
)  # fmt: skip
COMMUNITY = "louvain", "quality"
TOO_LONG = "not test_use_bounds_on_off_consistency and not arborescence_iterator"
"""Hundreds of small graphs, which say nothing new and take minutes."""

spec = importlib.util.find_spec("networkx")
ALGORITHMS = Path(spec.origin).parent / "algorithms" if spec and spec.origin else Path()


def run_theirs(folder: Path, *chosen: Any) -> Counter[str]:
    """Run tests of NetworkX' with this package as the backend. How often each function was ours."""
    counts = folder / "calls.json"
    environment = networkx_plugin.environment(folder) | {
        "NETWORKX_TEST_BACKEND": "lagraph",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "LAGRAPH_NETWORKX_CALLS": str(counts),
        "PYTEST_ADDOPTS": "",
    }
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-p", "tests.networkx_plugin", "-c", str(folder / "pytest.ini")]
    command += ["--rootdir", str(folder), *map(str, chosen)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    calls = Counter(json.loads(counts.read_text(encoding="utf-8")))
    print(done.stdout.splitlines()[-1], f"{len(calls)} functions, {calls.total()} calls")
    return calls


def test_networkx_own_tests(tmp_path: Path) -> None:
    chosen = [ALGORITHMS / name / "tests" for name in FOLDERS]
    chosen += [ALGORITHMS / "tests" / f"test_{name}.py" for name in FILES]
    chosen += [ALGORITHMS / "community" / "tests" / f"test_{name}.py" for name in COMMUNITY]
    chosen = [path for path in chosen if path.exists()]
    if len(chosen) < len(FOLDERS):
        pytest.skip("NetworkX is installed without its tests")
    calls = run_theirs(tmp_path, "-k", TOO_LONG, *chosen)
    assert len(calls) > 110 and calls.total() > 1000, calls


@pytest.mark.exhaustive
def test_all_of_networkx_own_tests(tmp_path: Path) -> None:
    """Some 7,000 tests, which take minutes."""
    if not (ALGORITHMS / "tests").exists():
        pytest.skip("NetworkX is installed without its tests")
    calls = run_theirs(tmp_path, ALGORITHMS.parent)
    assert len(calls) > 120 and calls.total() > 5000, calls
