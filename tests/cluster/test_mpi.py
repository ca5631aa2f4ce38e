"""The cluster backend over MPI, with the processes that `mpiexec` starts.

It runs with the MPI that is installed in this environment; `make mpi` makes one for each other MPI.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lagraph_gpu.cli import ranks
from lagraph_gpu.cluster.backend import stated
from lagraph_gpu.cluster.mpi import library
from lagraph_gpu.errors import BackendUnavailable

ROOT = Path(__file__).resolve().parents[2]
MPIEXEC = Path(sys.prefix, "bin", "mpiexec")

pytestmark = pytest.mark.skipif(
    not MPIEXEC.exists(), reason="no MPI is installed in this environment; make test does that"
)

KILLED = r"(?i)signal:?\s9"
"""How an `mpiexec` tells that a process was killed."""

LIMIT = 1200
"""Seconds after which processes hang, however busy the machine is."""


def job(
    size: int, *names: str, program: str = "job", **variables: str
) -> subprocess.CompletedProcess[str]:
    """What so many processes say and return."""
    python = [sys.executable, "-m", f"tests.cluster.{program}"]
    command = [MPIEXEC, "-n", str(size), *python, *names]
    environment = ranks.AS_MANY_AS_ASKED | os.environ | {"OMP_NUM_THREADS": "1"} | variables
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT
    )


@pytest.mark.parametrize(
    "size", [3, *(pytest.param(size, marks=pytest.mark.exhaustive) for size in (1, 2, 4, 9))]
)
def test_same_answers(size: int) -> None:
    several = ["pickles", "many_rows", "messages", "searches_that_fail", "wrong_arguments"]
    several = [] if size == 1 else [*several, "arguments_that_differ", "small_graphs"]
    ran = job(size, "programs", "large", "one_process", *several)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("is done") == size


@pytest.mark.parametrize(
    "names",
    [
        ("algorithms", "seeds", "wrong_arguments"),
        pytest.param(("communities",), marks=pytest.mark.exhaustive),
    ],
)
def test_every_algorithm_while_the_programs_are_compared(names: tuple[str, ...]) -> None:
    ran = job(2, *names, LAGRAPH_CLUSTER_CHECK="1")
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "name, said",
    [
        ("uncaught", "RuntimeError: this process alone has failed"),
        ("wrong_argument", "IndexOutOfBound"),
        ("ended", "the program of process 1 has ended"),
        ("killed", KILLED),
        ("killed_in_a_search", KILLED),
        ("killed_while_others_wait", KILLED),
    ],
)
def test_the_end_of_one_is_the_end_of_all(name: str, said: str) -> None:
    ran = job(3, name, program="ends")  # which ends long before its limit
    assert ran.returncode != 0
    assert re.search(said, ran.stdout + ran.stderr)


@pytest.mark.parametrize(
    "search",
    [
        "levels",
        *(pytest.param(one, marks=pytest.mark.exhaustive) for one in ("lengths", "components")),
    ],
)
def test_ctrl_c_in_a_loop_ends_all(search: str) -> None:
    """It comes to one of the processes, which wait for each other in shared memory."""
    ran = job(2, "interrupted", program="ends", INTERRUPTED=search)
    told = ran.stdout + ran.stderr
    assert ran.returncode != 0 and "is interrupted" in ran.stdout, told
    assert "KeyboardInterrupt" in ran.stderr and "process 1 of 2 ends all" in ran.stderr, told
    assert "is done" not in ran.stdout, told


@pytest.mark.parametrize(
    "variable, said",
    [
        ("LAGRAPH_CLUSTER_TRANSPORT", "as 'nccl', 'stores', 'ipc' or 'host', got 'tcp'"),
        ("LAGRAPH_LOCAL_BACKEND", "as 'cpu' or 'gpu', got 'tcp'"),
    ],
)
def test_a_wrong_choice_is_told_to_all(variable: str, said: str) -> None:
    """Also of a way between GPUs, where CPUs do the work."""
    ran = job(2, "seeds", **{variable: "tcp"})
    assert ran.returncode != 0
    assert ran.stderr.count(f"BackendUnavailable: expected {variable} {said}") >= 2, ran.stderr
    with pytest.raises(BackendUnavailable, match=rf"same {variable} in all .*\['', 'tcp'\]"):
        stated(lambda mine: ["tcp", ""] if mine == "tcp" else [mine] * 2, {variable: "tcp"})


@pytest.mark.parametrize(
    "started, starter",
    [
        ({"OMPI_COMM_WORLD_SIZE": "2", "PMIX_RANK": "1"}, "Open MPI"),
        ({"PMI_SIZE": "2"}, "MPICH or Intel MPI"),
    ],
)
def test_the_mpiexec_of_another_mpi_is_found_out(started: dict[str, str], starter: str) -> None:
    """It says that there are two processes, but this one would be alone."""
    program = "import lagraph_gpu as lg\nlg.set_backend('cluster')"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env=os.environ | started, capture_output=True, text=True,
    )  # fmt: skip
    mine = library()
    if (starter == "Open MPI") == mine.startswith("Open MPI"):
        assert f"BackendUnavailable: expected 2 processes, which {starter} has" in ran.stderr
        assert f"{mine}, finds this one alone" in ran.stderr
    else:
        assert f"BackendUnavailable: expected the MPI of mpiexec, which is {starter}" in ran.stderr
        assert f"another MPI, {mine}, for which" in ran.stderr


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lagraph_gpu", "run", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip


def test_a_command_starts_its_processes(tmp_path: Path) -> None:
    path = tmp_path / "path.el"
    path.write_text("0 1\n1 2\n2 3\n")
    words = "bfs", str(path), "--ranks", "3", "--source", "0", "--json"
    ran = command(*words, "--out", str(out := tmp_path / "levels.csv"))
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)  # once
    assert told["backend"] == "cluster"
    assert [row["level"] for row in told["results"][0]["top"]] == [3, 2, 1, 0]
    assert out.read_text().splitlines()[:2] == ["vertex,level,parent", "0,0,0"]
    ran = command("bfs", str(tmp_path / "none.el"), "--ranks=2", "--source", "0")
    assert ran.returncode == 2
    assert ran.stderr.count("there is no such file") == 1


@pytest.mark.parametrize("given, threads", [(None, "2"), ("3", "3")])
def test_processes_share_the_processors_that_the_command_may_use(
    given: str | None, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those of the machine, and unless OMP_NUM_THREADS says how many threads each has."""
    started: list[dict[str, str]] = []

    def run(_: list[str], env: dict[str, str]) -> Any:
        started.append(env)
        return SimpleNamespace(returncode=7)

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if given is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", given)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(4)), raising=False)
    monkeypatch.setattr(ranks.subprocess, "run", run)
    assert ranks.start(2, ["bfs"]) == 7
    assert started[0]["OMP_NUM_THREADS"] == threads


@pytest.mark.skipif(find_spec("cupy") is not None, reason="a GPU may work here")
def test_a_backend_beside_ranks_is_that_of_each_process(tmp_path: Path) -> None:
    path = tmp_path / "path.el"
    path.write_text("0 1\n1 2\n2 3\n")
    words = "bfs", str(path), "--ranks", "2", "--source", "0", "--json", "--backend"
    assert json.loads(command(*words, "cpu").stdout)["backend"] == "cluster"
    ran = command(*words, "gpu")
    assert ran.returncode == 2 and "error: expected CuPy for the GPU backend" in ran.stderr, (
        ran.stderr
    )
