"""How far a reader has to walk: the files that a warm call runs through on the GPU side.

Half of what they were when the folders were drawn (issue "The house"), and kept there. A new check
or a helper in a file of its own on these paths costs every statement, and every reader.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.closure import fixpoint
from lagraph_gpu.cluster import lowerings as cluster_lowerings
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.closure import closures
from semirings import plus_times
from tests.harness import CPU
from tests.simt.device import EmulatedDevice

ROOT = str(Path(lg.__file__).parent.parent)
PACKAGES = tuple(f"{ROOT}/{package}/" for package in ("lagraph_gpu", "semirings"))


def files_of(call: Callable[[], Any]) -> list[str]:
    """The file of each Python call that is made, in order."""
    found = []

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGES):
            found.append(frame.f_code.co_filename)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def search(G: lg.Graph) -> None:
    lg.bfs(G, 0)


def masked_product(G: lg.Graph) -> int:
    A = G.A
    C = lg.Matrix(A.dtype, 8, 8, backend=A.backend)
    C(A.S) << A.mxm(A, plus_times)
    return C.nvals


def ranks(G: lg.Graph) -> None:
    lg.pagerank(G)


def walk(call: Callable[[lg.Graph], Any]) -> list[str]:
    """The files of a warm call."""
    fresh = GpuBackend(EmulatedDevice(mode="check", block_size=64, max_blocks=4))
    G = lg.Graph.from_edges(  # where no container has had more than 2**31 positions
        [0, 0, 1, 2, 3, 4], [1, 2, 3, 3, 4, 5], weight=[1.0, 2.0, 3.0, 1.0, 2.0, 1.0], n=8,
        directed=False, backend=fresh,
    )  # fmt: skip
    call(G)
    return files_of(lambda: call(G))


@pytest.fixture(scope="module")
def another_process() -> Iterator[ProcessPoolExecutor]:
    """A process that has not used the cluster, which guards all calls from then on."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(
    "call, files, switches, calls",
    [(search, 16, 44, 82), (masked_product, 13, 35, 81), (ranks, 35, 169, 240)],
)
def test_a_warm_call_goes_through_few_files(
    call: Callable[[lg.Graph], Any], files: int, switches: int, calls: int,
    another_process: ProcessPoolExecutor,
) -> None:  # fmt: skip
    walked = another_process.submit(walk, call).result()
    assert len(set(walked)) <= files
    assert sum(a != b for a, b in pairwise(walked)) <= switches
    assert len(walked) <= calls


def test_the_path_to_a_kernel_is_as_contributing_says() -> None:
    text = (Path(ROOT) / "CONTRIBUTING.md").read_text(encoding="utf-8")
    path = text.partition("## From the README to a kernel")[2].partition("\n## ")[0]
    path, _, others = path.partition("Other ways begin one file earlier")
    ours = re.compile(r"`(lagraph_gpu/[\w/]+\.(?:py|cpp))`")
    named, also = ours.findall(path), ours.findall(others)
    headers = ["closure/" + name for name in re.findall(r"`([\w/]+\.cuh)`", path)]
    assert len(named) == 7 and len(also) == 6
    assert all((Path(ROOT) / name).exists() for name in named + also)
    assert "lg.bfs(G, 0)" in (Path(ROOT) / "README.md").read_text(encoding="utf-8")
    launched: list[str] = []
    for make, search in (  # in the order of the text
        (lambda b: lg.kronecker(7, backend=b), lg.bfs),
        (lambda b: lg.grid(30, 30, backend=b), lg.bfs),
        (lambda b: lg.kronecker(10, weights="integer", backend=b), lg.sssp),
    ):
        backend = GpuBackend(EmulatedDevice("check", block_size=64, max_blocks=4))
        search(make(backend), 0)
        kernels = (head for head, *_ in backend.kernels if head.startswith("closure/"))
        launched += (head for head in kernels if not head.endswith("_output.cuh"))
        lowering = backend.lowerings[fixpoint]
        assert inspect.getsourcefile(lowering) in {str(Path(ROOT) / name) for name in named}
    assert list(dict.fromkeys(launched)) == headers
    launchers = "".join((Path(ROOT) / name).read_text(encoding="utf-8") for name in named[-3:])
    assert all(header in launchers for header in headers)
    assert len(re.findall(r"^\d\. ", path, re.MULTILINE)) == 5 and "in five files" in path
    chooses = inspect.getsource(closures)
    assert all(header.removeprefix("closure/") in chooses.split('"""')[1] for header in headers)
    for table in (CPU.lowerings, backend.lowerings, cluster_lowerings.OWN):
        lowering = inspect.getsourcefile(inspect.unwrap(table[levels_and_parents]))
        assert lowering in {str(Path(ROOT) / name) for name in also}
