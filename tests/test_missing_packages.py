"""Packages that not all need: where one is missing, one error names it and the extra."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.cli import tables
from lagraph_gpu.errors import NO_EXTRA, MissingPackage
from tests.harness import CPU

ROOT = Path(lg.__file__).parents[1]

FILES = {"x.parquet": b"PAR1    PAR1", "x.graphml": b"<graphml/>", "x.osm": b"<osm/>"}

CALLS: dict[str, tuple[str, str, Callable[[lg.Graph, Path], Any]]] = {
    "G.plot": ("matplotlib.pyplot", "plot", lambda G, _: G.plot()),
    "draw.degrees": ("matplotlib.pyplot", "plot", lambda G, _: lg.draw.degrees(G)),
    "viz.spy": ("matplotlib.pyplot", "plot", lambda G, _: lg.viz.spy(G.A)),
    "G.to_pandas": ("pandas", "pandas", lambda G, _: G.to_pandas()),
    "A.to_pandas": ("pandas", "pandas", lambda G, _: G.A.to_pandas()),
    "v.to_pandas": ("pandas", "pandas", lambda G, _: G.out_degree.to_pandas()),
    "G.to_networkx": ("networkx", "networkx", lambda G, _: G.to_networkx()),
    "read GraphML": ("networkx", "networkx", lambda _, at: lg.read(at / "x.graphml")),
    "write GML": ("networkx", "networkx", lambda G, at: lg.write(G, at / "y.gml")),
    "G.to_igraph": ("igraph", "igraph", lambda G, _: G.to_igraph()),
    "G.to_edge_index": ("torch", "torch", lambda G, _: G.to_edge_index(torch=True)),
    "A.to_torch": ("torch", "torch", lambda G, _: G.A.to_torch()),
    "read Parquet": ("pyarrow.parquet", "arrow", lambda _, at: lg.read(at / "x.parquet")),
    "write Parquet": ("pyarrow.parquet", "arrow", lambda G, at: lg.write(G, at / "y.parquet")),
    "a table": ("pyarrow.parquet", "arrow", lambda _, at: tables._pyarrow()),
    "read OpenStreetMap": ("osmium", "osm", lambda _, at: lg.read(at / "x.osm")),
    "to_awkward": ("awkward", "awkward", lambda G, _: lg.io.to_awkward(G.A)),
    "from_awkward": ("awkward", "awkward", lambda G, _: lg.io.from_awkward(G)),
    "to_pydata": ("sparse", "sparse", lambda G, _: lg.io.to_pydata_sparse(G.A)),
    "from_pydata": ("sparse", "sparse", lambda G, _: lg.io.from_pydata_sparse(G)),
}


@pytest.mark.parametrize("call", CALLS)
def test_the_error_names_the_package_and_the_extra(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, extra, made = CALLS[call]
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text)
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], backend=CPU)
    monkeypatch.setitem(sys.modules, module, None)
    package = module.partition(".")[0]
    wheel = extra if extra in NO_EXTRA else f"'lagraph-gpu[{extra}]'"
    words = rf"package {package} for .*cannot be imported \(.*\); pip install {re.escape(wheel)}"
    with pytest.raises(MissingPackage, match=words) as told:
        made(G, tmp_path)
    assert isinstance(told.value, ImportError) and told.value.name == package
    assert {file.name for file in tmp_path.iterdir()} == FILES.keys()


def test_the_extras_that_errors_name_exist() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = said["project"]["optional-dependencies"]
    assert {extra for _, extra, _ in CALLS.values()} - {*NO_EXTRA} <= extras.keys()
