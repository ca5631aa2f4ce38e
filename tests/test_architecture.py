"""The house as the design says: imports run one way, backends never meet, files stay small."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("semirings", "lagraph_gpu")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
LIBRARY = ROOT / "lagraph_gpu" / "__init__.py"
HEADERS = sorted((ROOT / "lagraph_gpu").rglob("*.cuh"))

MODULE_LINES, HEADER_LINES, ALGORITHM_LINES = 450, 250, 130
BUILTIN_TABLES = {"lagraph_gpu/gpu/cuda/core/arithmetic.cuh": 300}
"""Tables of one-liners, which are longer without being harder to read."""

LAYERS = [
    {"errors", "indexing", "table"},
    {"schedule", "trace", "io.tokens", "io.writing", "kept"},
    {"plan", "masked_plan", "picture"},
    {"backend"},
    {"build", "checks", "agreement", "expr", "selector", "update", "infix", "mask",
     "interchange", "sparse_input", "serialize", "contraction", "generators", "io.edgelist",
     "io.stream"},
    {"in_place", "handle", "part", "scalar"},
    {"vector_data", "matrix_data", "matrix_out"},
    {"vector", "matrix"},
    {"composites", "tiles"},
    {"aggregators"},
    {"namespaces"},
    {"edges"},
    {"io"},
    {"graph", "closure", "peeling", "explain", "measure"},
    {"relabel", "iteration", "lengths", "drawn", "entry"},
    {"batches", "sources"},
    {"cpu", "gpu"},
    {"algorithms"},
    {"verify", "csgraph", "networkx_backend"},
    {"cli", "__main__"},
]  # fmt: skip
"""From the ground up: a module may import its own layer and those below."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_typing(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


@cache
def imports(path: Path, when: str = "ever") -> frozenset[str]:
    """Modules that a file imports: "ever", or only at "load" (not in functions).

    Imports for the type checker alone do not count.
    """
    found: set[str] = set()

    def walk(node: ast.AST, package: list[str]) -> None:
        for child in ast.iter_child_nodes(node):
            if is_typing(child):
                continue
            if when == "load" and isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                above = package[: len(package) - child.level + 1] if child.level else []
                base = ".".join([*above, *([child.module] if child.module else [])])
                found.add(base)
                found.update(f"{base}.{alias.name}" for alias in child.names)
            walk(child, package)

    parts = module_name(path).split(".")
    package = parts if path.name == "__init__.py" else parts[:-1]
    walk(ast.parse(path.read_text(encoding="utf-8")), package)
    return frozenset(found)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def importers(package: str) -> set[str]:
    return {module_name(p) for p in MODULES if any(within(i, package) for i in imports(p))}


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 30 and len(HEADERS) > 5
    assert "lagraph_gpu.closure" in importers("semirings.algebra")


def test_semirings_imports_nothing_of_ours() -> None:
    for path in MODULES:
        if module_name(path).startswith("semirings"):
            assert not any(within(i, "lagraph_gpu") for i in imports(path)), path
            load = {i.split(".")[0] for i in imports(path, "load")} - set(sys.stdlib_module_names)
            assert load <= {"numpy", "semirings", ""}, (path, load)


def layer_of(name: str) -> int | None:
    for height, layer in enumerate(LAYERS):
        if any(within(name, f"lagraph_gpu.{member}") for member in layer):
            return height
    return None


LAYERED = [p for p in MODULES if within(module_name(p), "lagraph_gpu") and p != LIBRARY]


@pytest.mark.parametrize("path", LAYERED, ids=module_name)
def test_imports_run_one_way(path: Path) -> None:
    height = layer_of(module_name(path))
    assert height is not None, "a module of no layer: say where it belongs"
    for name in imports(path, "load"):
        other = layer_of(name)
        assert other is None or other <= height, f"{module_name(path)} reaches up to {name}"


def test_backends_never_meet() -> None:
    for path in MODULES:
        for ours, other in (("cpu", "gpu"), ("gpu", "cpu")):
            if within(module_name(path), f"lagraph_gpu.{ours}"):
                assert not any(within(i, f"lagraph_gpu.{other}") for i in imports(path)), path


def test_who_imports_the_engines() -> None:
    assert all(within(m, "lagraph_gpu.cpu") for m in importers("graphblas"))
    assert importers("graphblas")
    assert importers("cupy") == {"lagraph_gpu.gpu.device.cupy_device"}
    assert not importers("tests")


def test_only_the_port_knows_the_backends() -> None:
    """`backend.named` makes them; nothing else outside them names one. A subprocess shows it."""
    for package in ("cpu", "gpu"):
        inside = f"lagraph_gpu.{package}"
        outside = {m for m in importers(inside) if not within(m, inside)}
        assert outside <= {"lagraph_gpu.backend"}, outside


def test_import_loads_no_engine() -> None:
    program = (
        "import sys, lagraph_gpu\n"
        "engines = {'cupy', 'graphblas', 'suitesparse_graphblas', 'numba', 'networkx',"
        " 'matplotlib', 'pandas'}\n"
        "print(sorted(engines & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert loaded.stdout.strip() == "[]", loaded.stdout + loaded.stderr


def lines_to_read(text: str, suffix: str) -> int:
    """The lines of a file; those of docstrings, which the reference shows, do not count."""
    lines = len(text.splitlines())
    if suffix != ".py":
        return lines
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, owners)]
    documented = [n.body[0] for n in nodes if ast.get_docstring(n) is not None]
    return lines - sum((d.end_lineno or d.lineno) - d.lineno + 1 for d in documented)


def test_only_docstrings_do_not_count() -> None:
    text = '"""A\n\nmodule."""\n\ndef f():\n    """One line."""\n    return """two\nlines"""\n'
    assert lines_to_read(text, ".py") == 4
    assert lines_to_read(text, ".cuh") == 8


@pytest.mark.parametrize("path", [*MODULES, *HEADERS], ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    lines = lines_to_read(path.read_text(encoding="utf-8"), path.suffix)
    name = str(path.relative_to(ROOT))
    limit = MODULE_LINES if path.suffix == ".py" else BUILTIN_TABLES.get(name, HEADER_LINES)
    if name.startswith("lagraph_gpu/algorithms/"):
        limit = ALGORITHM_LINES
    assert lines <= limit, f"{name} has {lines} lines; split it where the thought splits"


@pytest.mark.parametrize("path", sorted((ROOT / "lagraph_gpu/algorithms").glob("*.py")),
                         ids=lambda p: p.stem)  # fmt: skip
def test_algorithms_are_only_their_mathematics(path: Path) -> None:
    """No backend, no direction, no timer, no print; nothing asks where its data lives."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
    strings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    forbidden = {"gpu", "cpu", "push", "pull", "hybrid", "direction", "balance"}
    assert not forbidden & (words | strings)
    assert not {"print", "perf_counter", "time", "cupy", "graphblas", "device"} & words
    switches = [n for n in ast.walk(tree) if isinstance(n, ast.Match)]
    assert not switches, "an algorithm that switches over types"
    assert not {i.split(".")[0] for i in imports(path)} & {"time", "logging", "graphblas", "cupy"}


@pytest.mark.parametrize("path", HEADERS, ids=lambda p: p.name)
def test_headers_include_only_each_other(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    included = re.findall(r"^\s*#\s*include\s*(\S+)", text, re.MULTILINE)
    own = {f'"{h.name}"' for h in HEADERS}
    assert set(included) <= own, f"{path.name} includes {set(included) - own}"
    assert "#pragma once" in text
    assert "std::" not in re.sub(r"//.*", "", text)


def test_no_kernels_in_python() -> None:
    """C++ in a module is the generated structs of one file, and expressions in semirings."""
    for path in MODULES:
        if "__global__" in path.read_text(encoding="utf-8"):
            raise AssertionError(f"{path.relative_to(ROOT)} holds a kernel as text")


def test_nothing_hashes_to_sort() -> None:
    """Since NumPy 2.3 a plain np.unique hashes, seconds for a million integers: indexing.distinct
    sorts, and so does np.unique where it returns more than the values."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            plain = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.unique"
            assert not plain or node.keywords, f"{path.name}:{node.lineno}"


def test_what_is_compiled_reads_its_own_file_only() -> None:
    """Numba keeps machine code until the file of a function changes; a constant that it took from
    another file would stay what it was."""
    looked = 0
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        elsewhere = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES
            for alias in node.names
        }
        for function in tree.body:
            decorators = getattr(function, "decorator_list", [])
            if "compiled" in map(ast.unparse, decorators):
                looked += 1
                names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
                taken = names & elsewhere - {"compiled"}
                assert not taken, f"{path.name}:{function.lineno} reads {taken}"
    assert looked > 20
