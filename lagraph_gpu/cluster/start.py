"""How a process finds its team when the backend is made: the transport, and whether it fits."""

from __future__ import annotations

import os

from lagraph_gpu.cluster.mpi import MpiTransport, end_together
from lagraph_gpu.cluster.transport import Alone, Transport
from lagraph_gpu.errors import BackendUnavailable

STARTED_BY = {
    "OMPI_COMM_WORLD_SIZE": "Open MPI",
    "PMI_SIZE": "MPICH or Intel MPI",
    "MV2_COMM_WORLD_SIZE": "MVAPICH",
    "PMIX_RANK": "a launcher with PMIx",
}
"""What the launchers of MPI say in the environment of each process; most say how many there are."""

INSTALL = "pip install 'lagraph-gpu[cluster]', which brings mpi4py and an MPI with its mpiexec"


def transport() -> Transport:
    """MPI, or none if this process was started without `mpiexec`."""
    variable = next((name for name in STARTED_BY if name in os.environ), None)
    if variable is None:
        return Alone()
    starter = STARTED_BY[variable]
    try:
        made = MpiTransport()
    except (ImportError, RuntimeError) as missing:  # mpi4py raises RuntimeError without an MPI
        raise BackendUnavailable(
            f"expected mpi4py and an MPI in a process that {starter} has started, but mpi4py "
            f"cannot be imported ({missing}); {INSTALL}"
        ) from missing
    started = os.environ[variable] if variable.endswith("SIZE") else str(made.size)
    if started != str(made.size):
        raise BackendUnavailable(
            f"expected {started} processes, which mpiexec of {starter} has started, but mpi4py "
            f"finds {made.size}, since it uses another MPI, {made.library}; start the program "
            "with the mpiexec of that MPI, or install mpi4py for this one"
        )
    end_together(made.comm)
    return made
