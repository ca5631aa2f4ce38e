"""What is installed: the wheel, what it requires and under which licences."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lagraph_gpu
from lagraph_gpu.backend import ENGINE
from lagraph_gpu.cli import doctor
from tests.test_docs import run_pages

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIRED = {r.name: r for r in map(Requirement, PROJECT["dependencies"])}
INSTALL = ROOT / "docs" / "how-to" / "install.md"

FREE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "MIT", "MIT-0", "Zlib",
    "Apache-2.0 with LLVM's exception",
}  # fmt: skip
"""The licences that what we require may have."""
FAMILIES = {
    "Apache Software License": {"Apache-2.0"},
    "BSD License": {"BSD-2-Clause", "BSD-3-Clause"},
    "MIT License": {"MIT"},
}
"""What classifiers mean: a family of licences, of which a package has one."""


# --- requirements -------------------------------------------------------------------------------


def test_the_cpu_backend_is_not_required_where_it_has_no_wheels() -> None:
    def wanted(python: str) -> set[str]:
        environment = {"python_version": python}
        return {n for n, r in REQUIRED.items() if not r.marker or r.marker.evaluate(environment)}

    assert wanted("3.13") == set(REQUIRED) == wanted("3.11")
    assert wanted("3.14") == {"numpy", "scipy", "click"}
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert classified == ["3.11", "3.12", "3.13"] and PROJECT["requires-python"] == ">=3.11"


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has no CPU backend to install")
def test_python_graphblas_takes_no_suitesparse_10_yet() -> None:
    """SuiteSparse has wheels for Python 3.14 from 10.3 on. Once python-graphblas takes it, move the
    bound and the markers in pyproject.toml, `CPU_INSTALLS`, and the pages that name them."""
    needs = map(Requirement, metadata.requires("python-graphblas") or ())
    bounds = [r.specifier for r in needs if r.name == "suitesparse-graphblas" and not r.extras]
    assert bounds and all("9.4.5.0" in bound and "10.3.1.0" not in bound for bound in bounds)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has no CPU backend to install")
def test_what_the_doctor_installs_is_what_is_required() -> None:
    told = [Requirement(text) for text in re.findall(r"'([^']+)'", ENGINE + doctor.ARRAYS)]
    needed = {n: r.specifier for n, r in REQUIRED.items() if n != "click"}  # without it, no doctor
    assert {r.name: r.specifier for r in told} == needed


WITHOUT = """
import sys
for name in ("graphblas", "suitesparse_graphblas", "numba"):
    sys.modules[name] = None
import lagraph_gpu as lg
import lagraph_gpu.csgraph, lagraph_gpu.io, lagraph_gpu.verify
from lagraph_gpu.gpu.backend import GpuBackend
from tests.simt.device import EmulatedDevice
G = lg.grid(3, 3, backend=GpuBackend(EmulatedDevice()))
print(lg.bfs(G, 0)[0].to_dense().tolist(), lg.triangle_count(G))
try:
    lg.set_backend("cpu")
except lg.errors.BackendUnavailable as error:
    print(error)
"""


def test_a_gpu_needs_nothing_of_the_cpu_backend() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    answer, refusal = done.stdout.splitlines()
    assert answer == "[0, 1, 2, 1, 2, 3, 2, 3, 4] 0"
    assert refusal.startswith("expected python-graphblas and numba for the CPU backend, but")
    assert ENGINE in refusal


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import lagraph_gpu as lg
lg.set_backend("cpu")
G = lg.grid(3, 3, weights="integer")
print(lg.bfs(G, 0)[0].to_dense().tolist(), lg.connected_components(G).to_dense().tolist())
own = lg.binary.register_anonymous("x * y + 1")
try:
    own(G.A & G.A).new()
except lg.errors.BackendUnavailable as error:
    print(error)
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has no CPU backend to install")
def test_numba_is_needed_for_operators_of_ones_own_alone() -> None:
    words = [sys.executable, "-c", WITHOUT_NUMBA]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    answer, refusal = done.stdout.splitlines()
    assert answer == "[0, 1, 2, 1, 2, 3, 2, 3, 4] [0, 0, 0, 0, 0, 0, 0, 0, 0]"
    assert refusal.startswith(
        "expected numba, which compiles operators that GraphBLAS does not have"
    )


# --- licences -----------------------------------------------------------------------------------


def required_by(names: set[str]) -> set[str]:
    """The distributions that these need, with themselves, as far as they are installed."""
    found: set[str] = set()
    todo = set(names)
    while todo:
        name = canonicalize_name(todo.pop())
        if name in found:
            continue
        found.add(name)
        needs = map(Requirement, metadata.requires(name) or ())
        todo |= {r.name for r in needs if not r.marker or r.marker.evaluate({"extra": ""})}
    return found


def stated(of: Message) -> list[set[str]]:
    """The licences that metadata state; where it is one of several, these together."""
    if expression := of.get("License-Expression"):
        plain = expression.replace(" WITH LLVM-exception", " with LLVM's exception")
        return [{term} for term in re.split(r" AND |\(|\)", plain) if term]
    classifiers = of.get_all("Classifier") or []
    kinds = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: OSI")]
    return [FAMILIES.get(kind, {kind}) for kind in kinds]


def listed() -> dict[str, set[str]]:
    """The licences in the table of the page, by package."""
    rows = re.findall(r"^\| ([a-z][\w-]*) \|[^|]*\|[^|]*\| ([^|]+) \|$", INSTALL.read_text(), re.M)
    return {name: set(licences.split(", ")) for name, licences in rows if name != "package"}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python has no CPU backend to install")
def test_the_licences_of_what_is_required() -> None:
    table = listed()
    assert set(table) == required_by(set(REQUIRED))
    for name, licences in table.items():
        assert licences <= FREE, f"{name}: {licences - FREE}"
        said = stated(metadata.metadata(name))
        assert said, f"{name} does not state a licence"
        for terms in said:
            assert terms & licences, f"{name} states {terms}, the page says {licences}"


def test_the_oldest_versions_on_the_page() -> None:
    rows = re.findall(r"^\| ([\w-]+) \| (\d[\d.]*)(?:, below (\d+))? \|", INSTALL.read_text(), re.M)
    told = {name: {f">={low}", *([f"<{high}"] if high else [])} for name, low, high in rows}
    assert told == {n: {str(s) for s in r.specifier} for n, r in REQUIRED.items()}


@pytest.mark.parametrize(
    ("text", "licences"),
    [
        ("License-Expression: MIT AND (BSD-3-Clause)", [{"MIT"}, {"BSD-3-Clause"}]),
        ("Classifier: License :: OSI Approved :: BSD License", [FAMILIES["BSD License"]]),
        ("Classifier: License :: OSI Approved :: GNU General Public License", [
            {"GNU General Public License"}]),
        ("License: something", []),
    ],
)  # fmt: skip
def test_what_metadata_state(text: str, licences: list[set[str]]) -> None:
    assert stated(Parser().parsestr(text)) == licences


# --- the wheel ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed; the extra 'test' brings it")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.iterdir()
    return made


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = next(n for n in archive.namelist() if n.endswith("METADATA"))
        told = Parser().parsestr(archive.read(about).decode())
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
    files = {
        path.relative_to(ROOT).as_posix()
        for package in ("lagraph_gpu", "semirings")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == files and {"lagraph_gpu/py.typed", "semirings/py.typed"} <= held
    assert sum(name.endswith(".cuh") for name in held) > 50
    assert told["Version"] == lagraph_gpu.__version__
    assert told["Requires-Python"] == PROJECT["requires-python"]
    links = re.findall(r"\]\((?!https?:)[^)]*\)", told.get_payload())
    assert "## An example" in told.get_payload() and not links, "in a package they lead nowhere"


def test_links_of_the_readme_lead_to_the_files_of_the_version() -> None:
    """In a package, and where the repository has an address."""
    hook = ROOT / "docs" / "readme_hook.py"
    shown = runpy.run_path(str(hook))["shown"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", shown(text, "https://example.org/us", "1.2"))
    assert len(links) > 20
    for link in links:
        place = re.fullmatch(r"https://example\.org/us/(?:blob|raw)/v1\.2/([^#]+)(?:#.*)?", link)
        assert place is not None and (ROOT / place[1]).exists(), link


def test_the_example_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Not from the checkout, of which it may need nothing."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (example,) = run_pages.examples(ROOT / "README.md")
    code = f"import lagraph_gpu; print(lagraph_gpu.__file__)\n{example.code}"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    place, _, printed = done.stdout.partition("\n")
    assert done.returncode == 0, done.stderr
    assert Path(place).is_relative_to(tmp_path) and printed == example.expected


# --- what other files say -----------------------------------------------------------------------


def test_the_citation_is_of_this_version() -> None:
    told = dict(re.findall(r"^(\w+): (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert told["version"] == lagraph_gpu.__version__
    assert told["title"] == PROJECT["name"] and told["license"] == PROJECT["license"]
    assert told.get("url") == PROJECT["urls"].get("Documentation")
    assert f"## {lagraph_gpu.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
