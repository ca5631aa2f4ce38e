"""The compiled loops access nothing outside their arrays, and do nothing that C++ leaves undefined.

`tests/sanitized.py` has the sanitizers, by which a process ends at the first wrong access.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lagraph_gpu.cpu.native import compiler
from tests import sanitized
from tests.simt import build

ROOT = Path(__file__).parents[1]

EVERY_DAY = "on_the_cpu or asymmetric"
"""The lowerings on drawn operands, and rows that somebody else has changed."""


def run(words: list[str], loops: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = sanitized.environment(loops) | variables
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def test_lowerings_under_sanitizers() -> None:
    files = "test_lowerings", "algorithms/test_compiled_sums", "algorithms/test_spanning_tree"
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", EVERY_DAY]
    words += (f"tests/{name}.py" for name in files)
    done = run(words, sanitized.library(), LAGRAPH_EXAMPLES="0.3")
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout + done.stderr


MERGE = """
v = np.arange(300)
row = np.tile(v.astype(np.int32), 300)
Loop("merge_rows")(
    CompressedRows(np.arange(0, 90_001, 300), row), np.zeros(row.size),
    Members(number=(v % 2).astype(np.int32), k=np.ones(300), rank=v),
    MergedRows(begins=np.zeros(3, np.int64), columns=np.zeros(4, np.int32), values=np.zeros(4),
               within=np.zeros(1), k=np.zeros(2), rank=np.full(2, 299)),
    np.zeros(2, np.int64),
)
"""

FOREST = """
Loop("spanning_forest")(
    CompressedRows(np.array([0, 1, 1]), np.array([1], np.int32)), np.zeros(1, np.bool_),
    np.zeros(2, np.int64),
)
"""

TURNS = """
Loop("turns_of_ranks")(np.arange(5), 3, 7, np.zeros(5, np.uint8))
"""

MUTANTS = [
    ("moves.cpp", "std::exchange(met_by[other], c) != c", "total[other] == 0", MERGE,
     "heap-buffer-overflow", "merge_rows"),
    ("union_find.cpp", "if (back == last || *back != u) return false;", "", FOREST,
     "heap-buffer-overflow", "spanning_forest"),
    ("moves.cpp", "constexpr int64_t MASK = (int64_t{1} << 31)",
     "const int64_t MASK = (int64_t{1} << (width * 10))", TURNS,
     "runtime error: shift exponent 70 is too large", "turns_of_ranks"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "instead", "calls", "report", "function"),
    MUTANTS,
    ids=[function for *_, function in MUTANTS],
)
def test_a_wrong_access_is_reported(
    name: str, text: str, instead: str, calls: str, report: str, function: str, tmp_path: Path
) -> None:
    """By a library of one source, which has only the function that is called."""
    source = (compiler.FOLDER / name).read_text()
    assert source.count(text) == 1
    mutant, loops = tmp_path / name, tmp_path / "mutant.so"
    mutant.write_text(source.replace(text, instead))
    sanitized.compile_loops(loops, mutant)
    opening = "import numpy as np\nfrom lagraph_gpu.cpu.native import Loop\n"
    opening += "from lagraph_gpu.cpu.native.structs import *\n"
    opening += "from tests import sanitized\nsanitized.pytest_configure()\n"
    assert run(["-c", opening + calls], sanitized.library()).returncode == 0
    said = run(["-c", opening + calls], loops)
    assert said.returncode != 0 and report in said.stderr and function in said.stderr, said.stderr


FLAGS_OF_RACES = [flag for flag in compiler.FLAGS if flag not in ("-O3", "-shared")] + [
    "-O1", "-g1", "-fsanitize=thread", "-I."
]  # fmt: skip

AT_ONCE = os.environ | {"TSAN_OPTIONS": "halt_on_error=1"}
"""The first race ends a process: after it threads may wait for one another for ever."""

RACING = "power_iteration.cpp", "pagerank_rounds.cpp"
"""The loops that have threads of their own."""


def races(folder: Path, edit: tuple[str, str, str] | None = None) -> str:
    """What `races.cpp` says under ThreadSanitizer: nothing if all is right. The edit is a file, a
    text in it, and what stands there instead."""
    sources = [ROOT / "tests" / "races.cpp", *(compiler.FOLDER / name for name in RACING)]
    paths = [*sources, *sorted(compiler.FOLDER.glob("*.h*"))]
    texts = {path.name: path.read_text() for path in paths}
    if edit is not None:
        name, before, after = edit
        assert texts[name].count(before) == 1
        texts[name] = texts[name].replace(before, after)
    words = [str(compiler.compiler()), *FLAGS_OF_RACES, *(path.name for path in sources)]

    def said() -> str:
        for name, text in texts.items():
            (folder / name).write_text(text)
        subprocess.run([*words, "-o", "races"], cwd=folder, check=True)
        done = subprocess.run(
            ["./races"], cwd=folder, capture_output=True, text=True, env=AT_ONCE, timeout=300
        )
        return done.stdout + done.stderr

    return build.kept(said, words, AT_ONCE["TSAN_OPTIONS"], *texts.items())


def test_threads_of_rounds_do_not_race(tmp_path: Path) -> None:
    """Nor do their results depend on how many there are."""
    assert races(tmp_path) == ""


ALL_CAME = "      meet();\n      return stopped"
ALL_PRODUCTS = "        meet();\n        const auto [gram, held]"


@pytest.mark.parametrize(
    "edit",
    [("power_iteration.cpp", ALL_CAME, ALL_CAME.replace("meet();", "")),
     ("locally_optimal.hpp", ALL_PRODUCTS, ALL_PRODUCTS.replace("meet();", "")),
     ("pagerank_rounds.cpp", "sums[round & 1]", "sums[0]")],
    ids=["power iteration", "conjugate gradients", "PageRank"],
)  # fmt: skip
def test_threads_that_race_are_seen(edit: tuple[str, str, str], tmp_path: Path) -> None:
    assert "data race" in races(tmp_path, edit)
