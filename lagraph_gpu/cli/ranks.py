"""`--ranks N`: a command that starts itself again in N processes, for the cluster backend."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.planning.threads import processors

RANK = "PMI_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK"
"""What the launchers of MPI call the number of a process in its environment."""

AS_MANY_AS_ASKED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
}  # fmt: skip
"""What makes the `mpiexec` of Open MPI 4 and 5 start processes as others do: for root, too, more
than there are processors, and none bound to one processor, which all of its threads would share."""


def start(ranks: int, words: Sequence[str], local: str | None = None) -> int:
    """The exit status of `lagraph-gpu WORDS` on so many processes of this machine, whose local
    backend is of this name."""
    beside = Path(sys.prefix, "bin", "mpiexec")  # of the wheel, which mpi4py's wheel fits
    mpiexec = str(beside) if beside.exists() else shutil.which("mpiexec")
    if mpiexec is None:
        raise BackendUnavailable(
            "expected mpiexec for --ranks, but there is none; pip install 'lagraph-gpu[cluster]' "
            "brings one"
        )
    threads = max(1, processors() // ranks)
    command = [mpiexec, "-n", str(ranks), sys.executable, "-m", "lagraph_gpu", *words]
    environment = AS_MANY_AS_ASKED | {"OMP_NUM_THREADS": str(threads)} | os.environ
    if local is not None:
        environment["LAGRAPH_LOCAL_BACKEND"] = local
    return subprocess.run(command, env=environment).returncode


def only_the_first_speaks() -> None:
    """Let the processes of a team print what they all say once: all but the first one are silent.

    Process 0 prints errors, too, since an error of one is the error of all.
    """
    if not is_first():
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (until the process ends)


def is_first() -> bool:
    """True in the first process of a team, and in one that is alone."""
    return all(os.environ.get(name, "0") == "0" for name in RANK)
