"""NetworkX' own tests, with this package as the backend: not one may fail."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

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


def test_networkx_own_tests(tmp_path: Path) -> None:
    chosen = [ALGORITHMS / name / "tests" for name in FOLDERS]
    chosen += [ALGORITHMS / "tests" / f"test_{name}.py" for name in FILES]
    chosen += [ALGORITHMS / "community" / "tests" / f"test_{name}.py" for name in COMMUNITY]
    chosen = [path for path in chosen if path.exists()]
    if len(chosen) < len(FOLDERS):
        pytest.skip("NetworkX is installed without its tests")
    counts = tmp_path / "calls.json"
    environment = networkx_plugin.environment(tmp_path) | {
        "NETWORKX_TEST_BACKEND": "lagraph",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "LAGRAPH_NETWORKX_CALLS": str(counts),
        "PYTEST_ADDOPTS": "",
    }
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["-p", "tests.networkx_plugin", "-c", str(tmp_path / "pytest.ini")]
    command += ["--rootdir", str(tmp_path), "-k", TOO_LONG, *map(str, chosen)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    calls = json.loads(counts.read_text(encoding="utf-8"))
    print(done.stdout.splitlines()[-1], f"{len(calls)} functions, {sum(calls.values())} calls")
    assert len(calls) > 110 and sum(calls.values()) > 1000, calls
