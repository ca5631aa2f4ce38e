"""How a process finds the others when the backend is made: the transport, and whether it fits."""

from __future__ import annotations

import os

from lagraph_gpu.cluster.mpi import MpiTransport, end_together, library
from lagraph_gpu.errors import BackendUnavailable

OPEN, ANY = "Open MPI", "a launcher with PMIx"

STARTED_BY = {
    "OMPI_COMM_WORLD_SIZE": OPEN,
    "PMI_SIZE": "MPICH or Intel MPI",
    "MV2_COMM_WORLD_SIZE": "MVAPICH",
    "PMIX_RANK": ANY,
}
"""What the launchers of MPI say in the environment of each process."""

INSTALL = "pip install 'lagraph-gpu[cluster]', which brings mpi4py and an MPI with its mpiexec"


def transport() -> MpiTransport | None:
    """MPI, or none if this process is alone or was started without `mpiexec`."""
    variable = next((name for name in STARTED_BY if name in os.environ), None)
    if variable is None:
        return None
    starter = STARTED_BY[variable]
    try:
        has = library()
    except (ImportError, RuntimeError) as missing:  # mpi4py raises RuntimeError without an MPI
        raise BackendUnavailable(
            f"expected mpi4py and an MPI in a process that {starter} has started, but mpi4py "
            f"cannot be imported ({missing}); {INSTALL}"
        ) from missing
    if starter != ANY and (starter == OPEN) != has.startswith(OPEN):
        raise BackendUnavailable(
            f"expected the MPI of mpiexec, which is {starter}, in the processes that it has "
            f"started, but mpi4py uses another MPI, {has}, for which each process would be alone; "
            "start the program with the mpiexec of that MPI (lagraph-gpu run --ranks takes the one "
            "beside this Python), or install mpi4py for this one"
        )
    made = MpiTransport()
    if made.size == 1 and "SIZE" in variable and os.environ[variable] != "1":
        raise BackendUnavailable(
            f"expected {os.environ[variable]} processes, which {starter} has started according to "
            f"{variable}, but the MPI that mpi4py uses, {has}, finds this one alone; start the "
            "program with the mpiexec of that MPI, and let each process have its whole environment"
        )
    end_together(made.comm)
    return made if made.size > 1 else None
