"""The library of compiled loops: what it declares, how it is built, and what happens without it."""

from __future__ import annotations

import importlib
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cpu import native
from lagraph_gpu.cpu.loops import searches
from lagraph_gpu.cpu.loops.distributed_components import shared_components
from lagraph_gpu.cpu.native import Loop, callers, compiler
from lagraph_gpu.cpu.native.structs import CompressedRows, Depth
from tests.harness import CPU
from tests.simt import build

DECLARED = re.findall(r"^int64_t (\w+)\(", (compiler.FOLDER / "loops.h").read_text(), re.M)


C = ".cpp", ".h", ".hpp"


def loops() -> Iterator[Loop]:
    for path in Path(searches.__file__).parent.glob("*.py"):
        module = importlib.import_module(f"lagraph_gpu.cpu.loops.{path.stem}")
        yield from (x for x in vars(module).values() if isinstance(x, Loop))


def test_each_function_has_a_loop() -> None:
    assert {loop.name for loop in loops()} == set(DECLARED) and len(DECLARED) > 25
    for loop in loops():
        assert loop.function is not None and callable(loop.call)


def test_sections_name_the_files_of_their_functions() -> None:
    """A function is declared in `loops.h` below a title that names the file which defines it."""
    function = re.compile(r"^int64_t (\w+)\(", re.M)
    _, *sections = re.split(r"^// --- ", (compiler.FOLDER / "loops.h").read_text(), flags=re.M)
    for section in sections:
        files = re.findall(r"(\w+\.cpp)", section.partition("\n")[0])
        source = "".join((compiler.FOLDER / name).read_text() for name in files)
        assert set(function.findall(section)) == {*function.findall(source)} & {*DECLARED}, files


@pytest.mark.parametrize("name", DECLARED)
def test_numbers_cannot_be_exchanged(name: str) -> None:
    """Two numbers side by side are found by no compiler: they belong in a struct."""
    found = native.library()
    assert found is not None
    kinds = [kind.cname for kind in found.ffi.typeof(getattr(found.functions, name)).args]
    assert ("int64_t", "int64_t") not in pairwise(kinds)


def test_failures_differ_and_are_no_results() -> None:
    numbers = native.failures()
    assert len(set(numbers)) == len(numbers) and max(numbers) < 0


def test_no_compiler_warns() -> None:
    strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    words = [str(compiler.compiler()), *compiler.FLAGS, *strict, *map(str, compiler.sources())]

    def said() -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True).stderr

    version = subprocess.check_output([words[0], "--version"])
    texts = [path.read_bytes() for path in sorted(compiler.FOLDER.iterdir()) if path.suffix in C]
    assert build.kept(said, version, words, *texts) == ""


def test_an_array_of_another_type_is_refused() -> None:
    held, parents = np.zeros(3), np.zeros(3, np.int64)
    with pytest.raises(TypeError, match="expected an array of int32 for inherit, got int64"):
        searches.inherit_values(np.zeros(2, np.int32), parents, held)
    with pytest.raises(TypeError, match="argument"):
        searches.pulls()


def test_another_struct_is_refused() -> None:
    with pytest.raises(TypeError, match="expected Meeting for shared_components, got Depth"):
        rows = CompressedRows(np.zeros(1, np.int64), np.zeros(0, np.int32))
        shared_components(rows, Depth(1, 1), False, np.zeros(0, np.int64), np.zeros(2, np.int64))
    with pytest.raises(TypeError, match="expected an array of int32 in CompressedRows, got int64"):
        wrong = rows._replace(columns=np.zeros(0, np.int64))
        shared_components(wrong, Depth(1, 1), False, wrong.columns, wrong.begins)


def test_elements_that_a_loop_does_not_know_are_refused() -> None:
    rows, watch = (
        CompressedRows(np.array([0, 1, 1]), np.array([1], np.int32)),
        np.zeros(2, np.int64),
    )
    integers = np.full(2, -1)
    with pytest.raises(TypeError, match="no elements of int64 in dijkstra_tree"):
        searches.dijkstra_tree(rows, integers, 1.0, 0, integers, integers, watch)
    with pytest.raises(TypeError, match=r"no elements of int64 in dijkstra$"):
        searches.dijkstra(rows, integers, watch[:1], watch[:0], 1.0, integers, watch)


def test_a_loop_that_finds_no_memory_says_so() -> None:
    """The function that is written out for a loop reads its result."""
    found = native.library()
    assert found is not None
    told: list[Any] = []
    ffi = found.ffi
    full = ffi.callback("int64_t(int, const void *, int64_t)", lambda *_: -7)
    call = callers.caller(ffi, "full", full, {np.dtype(np.float64): 1}, lambda *x: told.append(x))
    assert call(np.zeros(3)) == -7 and told == [(-7, (np.dtype(np.float64),))]


@pytest.fixture
def nothing_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine with an empty cache, on which the package was installed without the library."""
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(compiler, "beside", lambda: tmp_path / "absent.so")
    native.library.cache_clear()
    yield
    native.library.cache_clear()


def answers() -> list[list[float]]:
    G = lg.grid(4, 5, weights="integer", backend=CPU)
    level, parent = lg.bfs(G, 0)
    before = level.to_dense()[parent.to_dense()]  # which neighbour is the parent is left open
    found = level, *lg.sssp(G, 3), lg.pagerank(G), lg.connected_components(G)
    vectors = *found, lg.betweenness_centrality(G)
    return [before.tolist(), *(v.to_dense(-1).tolist() for v in vectors)]


def test_without_a_compiler_statements_run(
    nothing_built: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("CXX", "a-compiler-that-is-not-there")
        assert native.library() is None
        without = answers()
    assert "run as statements: expected a C++ compiler" in caplog.text
    native.library.cache_clear()
    monkeypatch.undo()
    for one, other in zip(without, answers(), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_a_compiler_that_fails(
    nothing_built: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CXX", "false")
    assert native.library() is None
    assert "to compile the loops, but it said" in caplog.text


def test_it_is_compiled_once_where_the_package_has_none(
    nothing_built: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly = tuple("-O0" if flag == "-O3" else flag for flag in compiler.FLAGS)
    few = compiler.sources()[:1]  # a function is looked for when it is first called
    monkeypatch.setattr(compiler, "FLAGS", quickly)
    monkeypatch.setattr(compiler, "sources", lambda: few)
    built: list[Path] = []
    build = compiler.build

    def counted(target: Path) -> None:
        built.append(target)
        build(target)

    monkeypatch.setattr(compiler, "build", counted)
    for _ in range(2):
        native.library.cache_clear()
        assert native.library() is not None
    assert len(built) == 1
