"""Processes that are started by one which has worked: they work too, or say what to do instead.

Scenes are a program of their own, which sees to it that no child keeps it waiting.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from types import SimpleNamespace

import pytest

from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device.cupy_device import NOT_INITIALIZED, CupyDevice
from tests.forked import SCENES

FORKS = "fork" in multiprocessing.get_all_start_methods()


@pytest.mark.skipif(not FORKS, reason="this system has no fork")
def test_a_used_graph_in_other_processes() -> None:
    """By fork, spawn, forkserver and a pool: all in one program, which takes longest to start."""
    command = [sys.executable, "-m", "tests.forked", *SCENES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    told = {line.split(":")[0] for line in done.stdout.splitlines() if line.endswith(": right")}
    assert told == set(SCENES)


@pytest.mark.parametrize(("status", "forked"), [(NOT_INITIALIZED, True), (100, False)])
def test_a_gpu_that_another_library_used_before_the_fork(
    monkeypatch: pytest.MonkeyPatch, status: int, forked: bool
) -> None:
    """CUDA only says that it is not initialized; the message says what that may mean."""

    class CudaError(RuntimeError):
        def __init__(self) -> None:
            super().__init__("initialization error")
            self.status = status

    def device() -> None:
        raise CudaError

    fake = SimpleNamespace(cuda=SimpleNamespace(Device=device))
    monkeypatch.setitem(sys.modules, "cupy", fake)
    with pytest.raises(BackendUnavailable, match="CUDA says: initialization error") as caught:
        CupyDevice()
    assert ("'spawn'" in str(caught.value)) == forked
    assert "nvidia-smi" in str(caught.value)
