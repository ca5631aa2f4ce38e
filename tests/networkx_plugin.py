"""Loaded by pytest into the run of NetworkX' own tests: one thread, the CPU, and a count of calls.

Where this project was installed before it had entry points, NetworkX cannot find its backend;
``environment`` then adds a folder with the metadata that an installation would write.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import os
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
calls: Counter[str] = Counter()


def environment(folder: Path) -> dict[str, str]:
    """Variables under which another Python process finds this checkout and its entry points."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    if not importlib.metadata.entry_points(group="networkx.backends", name="lagraph"):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        written = folder / "lagraph_entry_points-0.dist-info"
        written.mkdir()
        metadata = "Metadata-Version: 2.1\nName: lagraph-entry-points\nVersion: 0\n"
        (written / "METADATA").write_text(metadata, encoding="utf-8")
        lines = []
        for group, points in project["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {where}" for name, where in points.items()), ""]
        (written / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
        paths.append(str(folder))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def pytest_configure(config: Any) -> None:
    import graphblas as gb

    import lagraph_gpu as lg
    from lagraph_gpu.networkx_backend import backend
    from lagraph_gpu.networkx_backend.dispatch import IMPLEMENTED

    gb.ss.config["nthreads"] = 1
    lg.set_backend("cpu")

    def counted(name: str, run: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls[name] += 1
            return run(*args, **kwargs)

        return call

    for name, entry in IMPLEMENTED.items():
        setattr(backend, name, counted(name, entry.run))


def pytest_collection_finish(session: Any) -> None:
    """The tests stay, and graphs of dicts are many objects: garbage is seldom looked for."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def pytest_unconfigure(config: Any) -> None:
    if where := os.environ.get("LAGRAPH_NETWORKX_CALLS"):
        Path(where).write_text(json.dumps(calls), encoding="utf-8")
