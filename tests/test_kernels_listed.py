"""The list from which the NVRTC gate compiles has what the library launches."""

from __future__ import annotations

from contextlib import suppress

import pytest

import lagraph_gpu as lg
from lagraph_gpu.cli import warm
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.gpu.backend import GpuBackend
from tests import kernels
from tests.simt import test_resident_levels_mutants as resident_levels
from tests.simt.device import EmulatedDevice
from tests.simt.emulator import kernels_launched_by
from tests.simt.test_distributed_level_mutants import ALWAYS


def test_every_kernel_of_the_headers_is_listed() -> None:
    defined = kernels.of_headers()
    assert len(defined) > 200
    assert defined - {kernel.name.partition("<")[0] for kernel in kernels.everywhere()} == set()


USUAL = ("bfs", "connected_components", "louvain", "pagerank", "sssp", "triangle_count")


@pytest.mark.parametrize(
    "names",
    [USUAL, pytest.param((), marks=pytest.mark.exhaustive)],
    ids=["usual", "all"],
)
def test_what_algorithms_launch_is_listed(names: tuple[str, ...]) -> None:
    """On a lattice, with each edge in both directions and in one."""
    backend = GpuBackend(EmulatedDevice("check", block_size=64, max_blocks=4))
    lattice = lg.grid(3, 3, weights="uniform", backend=backend)
    known = warm.algorithms()
    for G in warm.both(lattice.A):
        for function in (known[name] for name in names or known):
            with suppress(LagraphError):  # as of an algorithm for undirected graphs alone
                function(G, **warm.arguments_for(function))
    launched = {name for _, _, name in backend.kernels}
    assert len(launched) > 20 and kernels.unlisted(launched) == set()


def test_searches_on_several_devices_are_listed() -> None:
    given = resident_levels.undirected(0), [11], 2, 0, ALWAYS["pull"]
    launched = kernels_launched_by(lambda: resident_levels.searched(*given))
    assert any(name.startswith("resident_levels<") for name in launched)
    assert kernels.unlisted(launched) == set()


def test_a_kernel_that_is_not_listed_is_found() -> None:
    name = "resident_levels<Semiring, ThreadPerRow, float>"
    assert kernels.unlisted([name, "peel<int>", "peel<int, int>"]) == {name, "peel<int, int>"}
