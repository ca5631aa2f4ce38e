"""Processes on eight hosts, which are namespaces of this machine: each has a network interface and
a name of its own, so that MPI goes over the network between all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.test_mpi import LIMIT, MPIEXEC, ROOT

HOSTS, BRIDGE = 8, "lg-bridge"

LAUNCH = """#!/bin/bash
while [[ $1 == -* ]]; do shift; done
name=lg-host-${1##*.}; shift
exec ip netns exec $name unshare --uts bash -c "hostname $name; $*"
"""
"""Does what ssh would do, for the launcher of MPI: HOST COMMAND …."""


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)


def removed() -> None:
    for host in range(1, HOSTS + 1):
        subprocess.run(["ip", "netns", "del", f"lg-host-{host}"], capture_output=True)
    subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The beginning of a command that runs a module in a process on each host."""
    launch = tmp_path_factory.mktemp("hosts") / "launch"
    launch.write_text(LAUNCH)
    launch.chmod(0o755)
    try:
        ip(f"link add {BRIDGE} type bridge")
        ip(f"addr add 10.79.0.254/24 dev {BRIDGE}")
        ip(f"link set {BRIDGE} up")
        for host in range(1, HOSTS + 1):
            ip(f"netns add lg-host-{host}")
            ip(f"link add lg-{host} type veth peer name e0 netns lg-host-{host}")
            ip(f"link set lg-{host} master {BRIDGE} up")
            ip(f"-n lg-host-{host} addr add 10.79.0.{host}/24 dev e0")
            ip(f"-n lg-host-{host} link set e0 up")
            ip(f"-n lg-host-{host} link set lo up")
    except (OSError, subprocess.CalledProcessError) as problem:
        removed()
        pytest.skip(f"network namespaces cannot be made here: {problem}")
    names = ",".join(f"10.79.0.{host}" for host in range(1, HOSTS + 1))
    yield [
        str(MPIEXEC), "-launcher", "ssh", "-launcher-exec", str(launch), "-iface", BRIDGE,
        "-hosts", names, "-n", str(HOSTS), sys.executable, "-m",
    ]  # fmt: skip
    removed()


def run(command: list[str], *names: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(ROOT))}
    return subprocess.run(
        [*command, *names], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT
    )


@pytest.mark.exhaustive
@pytest.mark.skipif(not MPIEXEC.exists(), reason="mpich is not installed in this environment")
def test_eight_hosts(hosts: list[str]) -> None:
    ran = run(hosts, "tests.cluster.job", "hosts", "large", "programs")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("is done") == HOSTS


@pytest.mark.exhaustive
@pytest.mark.skipif(not MPIEXEC.exists(), reason="mpich is not installed in this environment")
def test_the_end_of_one_is_the_end_of_all(hosts: list[str]) -> None:
    ran = run(hosts, "tests.cluster.ends", "killed")  # which ends long before its limit
    assert ran.returncode != 0
    assert "EXIT CODE: 9" in ran.stdout + ran.stderr
    assert "RUNNING AT 10.79.0.2" in ran.stdout + ran.stderr, "the host of the process that died"
