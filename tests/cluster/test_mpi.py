"""The cluster backend over MPI, with the processes that `mpiexec` starts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MPIEXEC = Path(sys.prefix, "bin", "mpiexec")

pytestmark = pytest.mark.skipif(
    not MPIEXEC.exists(), reason="mpich is not installed in this environment; make test does that"
)


def job(size: int, *names: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What so many processes say and return."""
    command = [MPIEXEC, "-n", str(size), sys.executable, "-m", "tests.cluster.job", *names]
    environment = os.environ | {"OMP_NUM_THREADS": "1"} | variables
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_same_answers(size: int) -> None:
    ran = job(size, "programs", "large")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("is done") == size


def test_every_algorithm_while_the_programs_are_compared() -> None:
    ran = job(2, "algorithms", "seeds", LAGRAPH_CLUSTER_CHECK="1")
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "name, said",
    [("uncaught", "RuntimeError: this process alone has failed"), ("killed", "Killed (signal 9)")],
)
def test_the_end_of_one_is_the_end_of_all(name: str, said: str) -> None:
    began = time.monotonic()
    ran = job(3, name)
    assert ran.returncode != 0
    assert said in ran.stdout + ran.stderr
    assert time.monotonic() - began < 30


def test_the_mpiexec_of_another_mpi_is_found_out() -> None:
    """Open MPI's says that there are two processes, but this one, of MPICH, is alone."""
    program = "import lagraph_gpu as lg\nlg.set_backend('cluster')"
    environment = os.environ | {"OMPI_COMM_WORLD_SIZE": "2"}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert "BackendUnavailable: expected 2 processes" in ran.stderr, ran.stderr
    assert "another MPI, MPICH" in ran.stderr
