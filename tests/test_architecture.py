"""The house as the design says: imports run one way, backends never meet, files stay small."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from lagraph_gpu.backend import NAMED, Backend, BackendName
from lagraph_gpu.notation import Vector

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("semirings", "lagraph_gpu")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
LIBRARY = ROOT / "lagraph_gpu" / "__init__.py"
CUDA_DIR = ROOT / "lagraph_gpu" / "gpu" / "cuda"
HEADERS = sorted((ROOT / "lagraph_gpu").rglob("*.cuh"))
CPP = [p for p in (ROOT / "lagraph_gpu").rglob("*") if p.suffix in (".cuh", ".cpp", ".hpp", ".h")]

MODULE_LINES, HEADER_LINES, ALGORITHM_LINES = 450, 250, 130
COLUMNS = 120
BUILTIN_TABLES = {"lagraph_gpu/gpu/cuda/core/arithmetic.cuh": 300}
"""Tables of one-liners, which are longer without being harder to read."""

ALGORITHMS = sorted((ROOT / "lagraph_gpu" / "algorithms").rglob("*.py"))
ONE_ALGORITHM = [p for p in ALGORITHMS if p.parent.name != "_shared"]
NO_ALGORITHM = {"lagraph_gpu/algorithms/paths/contraction.py"}
"""A class of what `contract` prepares, with its file; its limit is that of a module."""
MEMORY = ROOT / "lagraph_gpu/algorithms/_shared/memory_check.py"
"""The one place where algorithms ask what is free."""

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOR_ALL = {"errors"}
"""What every folder may import; the table does not repeat it."""


@dataclass
class Folder:
    """A row of a table: the folders that this one may import, at load and in functions only."""

    name: str
    imports: set[str]
    in_functions: set[str]


def rows(text: str, first_column: str) -> list[Folder]:
    """The rows of the table of CONTRIBUTING.md that has such a first column, from the ground up."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    found: list[Folder] = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        name, _, may = (cell.strip() for cell in line.strip("|").split("|"))
        at_load, _, later = may.partition("in functions")
        found.append(Folder(name.strip("`"), names(at_load, found), names(later, found)))
    return found


def names(cell: str, above: list[Folder]) -> set[str]:
    """The folders that a cell names; with a slash at its end a name stands for all below it that
    the table has so far."""
    folders: set[str] = set()
    for name in re.findall(r"`([^`]+)`", cell):
        below = {row.name for row in above if row.name.startswith(name)}
        folders |= below if name.endswith("/") and below else {name}
    return folders


PYTHON = rows(CONTRIBUTING, "in `lagraph_gpu/`")
CUDA = rows(CONTRIBUTING, "in `gpu/cuda/`")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(p) for p in MODULES}


def is_typing(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


@dataclass(frozen=True)
class Imports:
    """What a file imports: modules at load (not in functions), modules ever, and each name that is
    taken from a module by its whole name, also for the type checker."""

    load: frozenset[str]
    ever: frozenset[str]
    taken: tuple[tuple[str, str], ...]


@cache
def read_imports(path: Path) -> Imports:
    load: set[str] = set()
    ever: set[str] = set()
    taken: list[tuple[str, str]] = []

    def walk(node: ast.AST, package: list[str], at_load: bool, typing: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue  # imports are statements
            found: set[str] = set()
            if isinstance(child, ast.Import):
                found = {alias.name for alias in child.names}
            elif isinstance(child, ast.ImportFrom):
                above = package[: len(package) - child.level + 1] if child.level else []
                base = ".".join([*above, *([child.module] if child.module else [])])
                named = {f"{base}.{alias.name}" for alias in child.names}
                found = named if named <= NAMES else {base, *named}
                if child.module and not child.level:
                    taken.extend((child.module, alias.name) for alias in child.names)
            types_alone = typing or is_typing(child)
            later = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            if not types_alone:
                ever.update(found)
                if at_load:
                    load.update(found)
            walk(child, package, at_load and not later, types_alone)

    parts = module_name(path).split(".")
    package = parts if path.name == "__init__.py" else parts[:-1]
    walk(ast.parse(path.read_text(encoding="utf-8")), package, True, False)
    return Imports(frozenset(load), frozenset(ever), tuple(taken))


def imports(path: Path, when: str = "ever") -> frozenset[str]:
    """Modules that a file imports: "ever", or only at "load" (not in functions).

    A package counts where something else than a module of ours is taken from it.
    Imports for the type checker alone do not count.
    """
    return read_imports(path).load if when == "load" else read_imports(path).ever


@cache
def face(package: Path) -> dict[str, str]:
    """What the ``__init__.py`` of a folder takes from modules of the folder: name → module."""
    name = module_name(package / "__init__.py")
    return {
        alias.name: node.module
        for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(name + ".")
        for alias in node.names
        if node.module
    }


FACES = {
    module_name(p): face(p.parent)
    for p in MODULES
    if p.name == "__init__.py" and len(p.parents) > len(ROOT.parents) + 2
}


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_what_a_face_exports_is_taken_from_it(path: Path) -> None:
    """The folder stands for its modules where it exports a name of theirs."""
    past = []
    for module, name in read_imports(path).taken:
        for package, exported in FACES.items():
            if within(module, package) and not within(module_name(path), package):
                past += [name] if exported.get(name) == module else []
    assert not past


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def importers(package: str) -> set[str]:
    return {module_name(p) for p in MODULES if any(within(i, package) for i in imports(p))}


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 30 and len(HEADERS) > 5
    assert "lagraph_gpu.closure" in importers("semirings")


def test_semirings_imports_nothing_of_ours() -> None:
    for path in MODULES:
        if module_name(path).startswith("semirings"):
            assert not any(within(i, "lagraph_gpu") for i in imports(path)), path
            load = {i.split(".")[0] for i in imports(path, "load")} - set(sys.stdlib_module_names)
            assert load <= {"numpy", "semirings", ""}, (path, load)


OURS = {module_name(p): p for p in MODULES if within(module_name(p), "lagraph_gpu")}


def folder_of(module: str) -> str:
    """The row of a module: its folder below lagraph_gpu, or itself if it lies in none."""
    if module == "lagraph_gpu":
        return "__init__"
    folder = OURS[module].parent.relative_to(LIBRARY.parent).as_posix()
    return module.split(".")[1] if folder == "." else folder


def imported(module: str, when: str = "ever") -> set[str]:
    """Our modules that a module imports."""
    return {name for name in imports(OURS[module], when) if name in OURS and name != module}


def uses(when: str) -> dict[str, dict[str, str]]:
    """For each folder the other folders that it imports, each with one place where it does."""
    found: dict[str, dict[str, str]] = {}
    for module, path in OURS.items():
        if path.name == "__init__.py" and not imports(path):
            continue  # a folder that holds folders alone has no row
        found.setdefault(folder_of(module), {})
        for name in imported(module, when):
            if folder_of(name) != folder_of(module):
                found[folder_of(module)][folder_of(name)] = f"{module} imports {name}"
    return found


def includes(header: Path) -> list[str]:
    text = header.read_text(encoding="utf-8")
    return re.findall(r"^\s*#\s*include\s*(\S+)", text, re.MULTILINE)


def header_uses() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for header in HEADERS:
        own = header.parent.relative_to(CUDA_DIR).as_posix()
        found.setdefault(own, {})
        for name in includes(header):
            folder = Path(name.strip('"')).parent.as_posix()
            if folder != own:
                found[own][folder] = f"{header.relative_to(CUDA_DIR)} includes {name}"
    return found


def complaints(
    table: list[Folder], used: Mapping[str, Mapping[str, str]],
    allowed: Callable[[Folder], set[str]], for_all: Iterable[str] = (),
) -> list[str]:  # fmt: skip
    """What is imported against the table."""
    known = {row.name: row for row in table}
    said = [f"the table has no row for {name}" for name in sorted(used.keys() - known.keys())]
    for name in sorted(used.keys() & known.keys()):
        may = allowed(known[name]) | set(for_all)
        said += [where for other, where in sorted(used[name].items()) if other not in may]
    return said


def test_folders_import_what_the_table_says() -> None:
    at_load = complaints(PYTHON, uses("load"), lambda row: row.imports, FOR_ALL)
    ever = complaints(PYTHON, uses("ever"), lambda row: row.imports | row.in_functions, FOR_ALL)
    assert not at_load and not ever


def test_headers_include_what_the_table_says() -> None:
    assert not complaints(CUDA, header_uses(), lambda row: row.imports)


@pytest.mark.parametrize("table, found", [(PYTHON, partial(uses, "ever")), (CUDA, header_uses)],
                         ids=["python", "headers"])  # fmt: skip
def test_the_tables_are_true(
    table: list[Folder], found: Callable[[], dict[str, dict[str, str]]]
) -> None:
    """They name the folders that there are, each below those that it imports, and no import that
    no module has."""
    used = found()
    assert {row.name for row in table} == used.keys()
    for place, row in enumerate(table):
        above = {other.name for other in table[:place]}
        assert row.imports <= above, f"{row.name} names what is not above it"
        if not any(name.startswith("algorithms") for name in row.imports):
            vain = row.imports - used[row.name].keys()
            assert not vain, f"{row.name} imports nothing of {vain}"


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of more than one node (Tarjan 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(v: str) -> None:
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in graph[v]:
            if w not in number:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == number[v]:
            start = stack.index(v)
            found.append(set(stack[start:]))
            del stack[start:]

    for v in graph:
        if v not in number:
            visit(v)
    return [component for component in found if len(component) > 1]


def test_only_the_notation_has_a_circle_of_modules() -> None:
    for circle in circles({m: imported(m, "load") for m in OURS}):
        assert all(within(m, "lagraph_gpu.notation") for m in circle), circle


def test_benchmarks_have_no_circle_of_modules() -> None:
    """Nor one that is closed by an import in a function."""
    of = {module_name(p): imports(p) for p in (ROOT / "benchmarks").rglob("*.py")}
    assert len(of) > 30 and not circles({m: of.keys() & of[m] - {m} for m in of})


def test_circles_and_ways_up_are_found() -> None:
    """The checkers say no."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [{"b", "c"}]
    head = "| in x | what | may import |\n| - | - | - |\n"
    text = head + "| `a` | | |\n| `b` | | `a`; in functions `c` |\n"
    table = rows(text, "in x")
    assert [(row.imports, row.in_functions) for row in table] == [(set(), set()), ({"a"}, {"c"})]
    wrong = {"a": {"b": "a.x imports b.y"}, "b": {"a": "b.y imports a.x"}, "d": {}}
    said = complaints(table, wrong, lambda row: row.imports)
    assert said == ["the table has no row for d", "a.x imports b.y"]


def test_backends_never_meet() -> None:
    for path in MODULES:
        for ours, other in permutations(NAMED, 2):
            if within(module_name(path), f"lagraph_gpu.{ours}"):
                assert not any(within(i, f"lagraph_gpu.{other}") for i in imports(path)), path


def test_who_imports_the_engines() -> None:
    assert all(within(m, "lagraph_gpu.cpu") for m in importers("graphblas"))
    assert importers("graphblas")
    device = "lagraph_gpu.gpu.device"
    assert importers("cupy") == {f"{device}.cupy_device", f"{device}.cupy_peers"}
    assert importers("mpi4py") == {"lagraph_gpu.cluster.mpi"}
    assert not importers("tests")


def test_only_the_port_knows_the_backends() -> None:
    """`backend.named` makes them; nothing else outside them names one. A subprocess shows it."""
    for package in NAMED:
        inside = f"lagraph_gpu.{package}"
        outside = {m for m in importers(inside) if not within(m, inside)}
        assert not outside, f"{outside} import {inside}; lagraph_gpu.backend makes it by its name"
        assert within(NAMED[package], inside)


def test_every_backend_has_what_the_port_asks_for() -> None:
    """By name: the type checker compares the signatures. None of them is made for this."""
    assert get_args(BackendName) == tuple(NAMED)
    for name, module in NAMED.items():
        given = names_given(OURS[module].read_text(encoding="utf-8"), f"{name.title()}Backend")
        asked = {*PORT, *(members("DistributedBackend") if name == "cluster" else ())}
        assert given >= asked, f"{module} lacks {asked - given}"
    text = "class B:\n  name = 'b'\n  def __init__(self):\n    self.run = 1\n    other.copy = 2"
    assert names_given(text, "B") & set(PORT) == {"name", "run"}


def names_given(text: str, name: str) -> set[str]:
    """The methods and attributes of a class, also those that its methods give the object."""
    tree = ast.parse(text)
    (port,) = (node for node in tree.body if getattr(node, "name", None) == name)
    found: set[str] = set()
    for node in ast.walk(port):
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found |= {node.attr} if ast.unparse(node.value) == "self" else set()
    return found


def members(protocol: str) -> list[str]:
    """The names of a protocol of the port, in its order."""
    body = ast.parse((ROOT / "lagraph_gpu" / "backend.py").read_text("utf-8")).body
    (found,) = (n for n in body if isinstance(n, ast.ClassDef) and n.name == protocol)
    return [
        node.name if isinstance(node, ast.FunctionDef) else node.target.id  # type: ignore[attr-defined]
        for node in found.body
        if isinstance(node, (ast.FunctionDef, ast.AnnAssign))
    ]


PORT = members("Backend")


def named_in_the_list(page: str) -> list[str]:
    """The names of the port in the list of what to bring, in the order in which they come first."""
    _, _, text = page.partition("## What to bring")
    words = re.findall(r"`(\w+)`", text.partition("The backend lies in")[0])
    return list(dict.fromkeys(word for word in words if word in PORT))


def test_the_page_names_the_port_in_its_order() -> None:
    page = (ROOT / "docs" / "explanation" / "a-new-backend.md").read_text(encoding="utf-8")
    assert len(PORT) > 25 and named_in_the_list(page) == PORT
    assert named_in_the_list("## What to bring\n`run`, `empty` and `run`") == ["run", "empty"]


def test_import_loads_no_engine() -> None:
    program = (
        "import sys, lagraph_gpu\n"
        "engines = {'cupy', 'graphblas', 'suitesparse_graphblas', 'numba', 'networkx',"
        " 'matplotlib', 'mpi4py', 'pandas', 'scipy', 'numpy.random', 'pyarrow', 'click', 'cffi',"
        " 'igraph', 'osmium', 'multiprocessing', 'concurrent.futures', 'subprocess', 'asyncio'}\n"
        "print(sorted(engines & set(sys.modules)))"
    )
    loads_nothing(program)


def test_import_loads_what_every_program_needs() -> None:
    """Modules of Python that only files and errors need, and that take milliseconds, are loaded
    when they are first needed."""
    loads_nothing(
        "import sys, numpy\n"
        "by_numpy = set(sys.modules)\n"
        "import lagraph_gpu\n"
        "late = {'csv', 'difflib', 'gzip', 'hashlib', 'html', 'json', 'lzma', 'random', 'secrets',"
        " 'shutil', 'tempfile', 'zipfile', 'zlib'}\n"
        "print(sorted(late & set(sys.modules) - by_numpy))"
    )


def test_import_loads_few_modules() -> None:
    """Each module of our own costs about 0.4 ms of an import that is to stay below 0.3 s."""
    loads_nothing(
        "import sys, lagraph_gpu\n"
        "own = [m for m in sys.modules if m.split('.')[0] in ('lagraph_gpu', 'semirings')]\n"
        "print(own if len(own) > 270 else [])"
    )


def loads_nothing(program: str) -> None:
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
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    limit = MODULE_LINES if path.suffix == ".py" else BUILTIN_TABLES.get(name, HEADER_LINES)
    if path in ONE_ALGORITHM and name not in NO_ALGORITHM:
        limit = ALGORITHM_LINES
    lines = len(text.splitlines())
    if lines > limit:
        lines = lines_to_read(text, path.suffix)
    assert lines <= limit, f"{name} has {lines} lines; split it where the thought splits"


def test_lines_of_cpp_stay_short() -> None:
    assert len(CPP) > 200
    long = {
        f"{path.relative_to(ROOT)}:{number}"
        for path in CPP
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    }
    assert not long


@pytest.mark.parametrize("path", ONE_ALGORITHM, ids=module_name)
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


INSIDE = {"_store", "_stored", "_wrap"}
"""What a container keeps to itself: the store of its backend, and how a store becomes one."""
OF_A_BACKEND = {name for name in vars(Backend) if not name.startswith("_")} - {
    *dir(Vector),
    *dir(np),
}
"""The port, but for what containers and NumPy have by the same names."""


def reaches_for_backends(text: str) -> list[str]:
    """Where an algorithm reaches for a backend, a store or memory.

    It may hand the backend of its operands on to what it makes (``backend=G.backend``).
    """
    tree, found = ast.parse(text), []
    handed = {
        id(value)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for value in (*call.args, *(keyword.value for keyword in call.keywords))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "lagraph_gpu.backend":
            found.append(f"{node.lineno}: imports the backends")
        if isinstance(node, ast.alias) and node.name == "lowering":
            found.append(f"{node.lineno}: asks which lowerings a backend has")
        if not isinstance(node, ast.Attribute):
            continue
        of_backend = isinstance(node.value, ast.Name) and node.value.id == "backend"
        kept = node.attr == "backend" and id(node) not in handed
        if of_backend or kept or node.attr in INSIDE | OF_A_BACKEND:
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize("path", [p for p in ALGORITHMS if p != MEMORY], ids=module_name)
def test_no_algorithm_reaches_for_a_backend(path: Path) -> None:
    assert not reaches_for_backends(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        "G.A._store", "Vector._stored(store, n, t, b)", "v._wrap(store)", "G.backend.run(update)",
        "backend.name == 'x'", "b = G.backend", "f(G.backend.name)", "of.free_bytes()",
        "A.backend.lowerings.get(f)", "from lagraph_gpu.backend import resolve",
        "from lagraph_gpu.notation.operation import lowering, operation",
    ],
)  # fmt: skip
def test_an_algorithm_that_reaches_for_a_backend_is_found(text: str) -> None:
    """The checker says no."""
    assert reaches_for_backends(text)
    assert not reaches_for_backends("Vector('INT64', n, backend=G.backend)")


def relative(header: Path) -> str:
    return header.relative_to(CUDA_DIR).as_posix()


def test_heads_of_kernels_name_their_page() -> None:
    """The head of a header is what stands before its first line of code."""
    kernels = [h for h in HEADERS if "__global__" in h.read_text(encoding="utf-8")]
    pages = {
        h.name: re.findall(r"docs/decisions/[\w-]+\.md", h.read_text().partition("#pragma")[0])
        for h in kernels
    }
    assert len(pages) > 50 and [name for name, named in pages.items() if not named] == []
    assert all((ROOT / page).exists() for named in pages.values() for page in named)


@pytest.mark.parametrize("path", HEADERS, ids=relative)
def test_headers_include_only_each_other(path: Path) -> None:
    text, own = path.read_text(encoding="utf-8"), {f'"{relative(h)}"' for h in HEADERS}
    assert set(includes(path)) <= own, f"{path.name} includes {set(includes(path)) - own}"
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
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "np.unique" in text else ():
            plain = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.unique"
            assert not plain or node.keywords, f"{path.name}:{node.lineno}"


PROGRAMS = [
    path
    for folder in ("benchmarks", "docs", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if re.search("^if __name__ ==", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def test_every_program_tells_its_use() -> None:
    """By argparse, with ``--help``: by itself, or by a function that several programs share."""
    tells = re.compile(r"ArgumentParser\(|parser_of\(|main\(QUESTION\)|page_program\(")
    silent = [path.name for path in PROGRAMS if not tells.search(path.read_text(encoding="utf-8"))]
    assert len(PROGRAMS) > 40 and silent == []
    assert not tells.search("if __name__ == '__main__':\n    main()")
