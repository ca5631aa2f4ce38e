"""`lagraph-gpu doctor`: what works on this machine, and how to fix what does not."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

import click

import lagraph_gpu
import semirings
from lagraph_gpu.algorithms.paths.sssp import sssp
from lagraph_gpu.backend import CPU_INSTALLS, ENGINE, BackendName, named, resolve
from lagraph_gpu.cli.exits import FINE, WRONG
from lagraph_gpu.cli.loading import as_json
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import device_name
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import available_bytes

EPILOG = """\
exit status: 0 if the CPU backend works (a GPU is optional), else 1; on Python 3.14, for which the
CPU backend has no wheels, the GPU backend must work
"""

WORKS, ABSENT, FAILS = "works", "absent", "FAILS"

ARRAYS = "pip install 'numpy>=2.0' 'scipy>=1.16'"
CUPY = "pip install 'lagraph-gpu[cuda13]' (or [cuda12], for a driver older than 580)"
DRIVER = "install NVIDIA's driver, until nvidia-smi lists the GPU"

KERNELS = Path(lagraph_gpu.__file__).parent / "gpu" / "device" / "prebuilt"
"""Where a wheel has its compiled kernels."""


@dataclass(frozen=True)
class Finding:
    """The result of one test: its status, and how to fix it if it does not work."""

    what: str
    status: str
    detail: str
    mend: str = ""
    needed: bool = False

    @property
    def bad(self) -> bool:
        return self.needed and self.status != WORKS


@click.command("doctor", epilog=EPILOG)
@as_json
def main(json: bool) -> int:
    """Show what works on this machine, and how to fix the rest."""
    with progress("looking around"):
        found = list(findings())
    good = not any(f.bad for f in found)
    if json:
        print_json({"works": good, "findings": [asdict(f) for f in found]})
        return FINE if good else WRONG
    for f in found:
        print(f"  {f.status:<8}{f.what:<23}{f.detail}")
        if f.mend and f.status != WORKS:
            print(f"  {'':<8}{'':<23}to fix: {f.mend}")
    if good:
        print(f"\nready; new objects live on the {resolve().name.upper()}")
    else:
        print("\nnot ready: " + ", ".join(f.what for f in found if f.bad))
    return FINE if good else WRONG


def findings() -> Iterator[Finding]:
    """The results of all tests: packages first, then the backends that need them."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("lagraph-gpu", WORKS, f"{lagraph_gpu.__version__}, Python {python}")
    yield namesake()
    for package in ("numpy", "scipy"):
        yield installed(package, ARRAYS, needed=True)
    for package in ("python-graphblas", "suitesparse-graphblas", "cffi", "numba"):
        yield installed(package, ENGINE, needed=CPU_INSTALLS)
    yield searched("cpu", ENGINE, needed=CPU_INSTALLS)
    free = available_bytes()
    if free is not None:
        yield Finding("memory", WORKS, f"{free / 2**30:,.1f} GiB free")
    driver = loads("libcuda.so.1")
    yield Finding("NVIDIA driver", WORKS if driver else ABSENT,
                  "libcuda.so.1" if driver else "no libcuda.so.1", DRIVER)  # fmt: skip
    yield installed(("cupy-cuda13x", "cupy-cuda12x", "cupy"), CUPY)
    yield searched("gpu", CUPY if driver else DRIVER, needed=not CPU_INSTALLS)
    if driver:
        yield compiled_kernels()
    yield installed("matplotlib", "pip install 'lagraph-gpu[plot]', to draw pictures")
    yield installed("networkx", "pip install networkx, to exchange graphs with it")


def installed(packages: str | tuple[str, ...], mend: str, needed: bool = False) -> Finding:
    """The test whether one of these distributions is installed, and in which version."""
    names = (packages,) if isinstance(packages, str) else packages
    for name in names:
        try:
            return Finding(name, WORKS, metadata.version(name), mend, needed)
        except metadata.PackageNotFoundError:
            continue
    return Finding(names[0], ABSENT, "not installed", mend, needed)


def namesake() -> Finding:
    """The test that `semirings` is the package of this project. The package index has another
    project of that name.
    """
    ours = Path(lagraph_gpu.__file__).parents[1]
    right = Path(semirings.__file__).parents[1] == ours and hasattr(semirings, "SEMIRINGS")
    detail = "this project's own" if right else f"another project's, {semirings.__file__}"
    mend = "pip uninstall semirings; pip install --force-reinstall --no-deps lagraph-gpu"
    return Finding("semirings", WORKS if right else FAILS, detail, mend, needed=True)


def compiled_kernels(folder: Path = KERNELS) -> Finding:
    """The test whether the installation holds compiled kernels."""
    held = sorted(folder.glob("sm_*.zip"), key=lambda path: int(path.stem[3:]))
    detail = ", ".join(path.stem for path in held)
    return Finding("kernels of the wheel", WORKS if held else ABSENT, detail or
                   "none; the first call of an algorithm compiles, for seconds",
                   "lagraph-gpu warm --backend gpu, to compile ahead")  # fmt: skip


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def searched(
    name: BackendName,
    mend: str,
    needed: bool = False,
    search: Callable[[BackendName], None] | None = None,
) -> Finding:
    """The test that a backend finds a shortest path."""
    try:
        (search or shortest)(name)
        return Finding(f"backend {name}", WORKS, device_name(named(name)), mend, needed)
    except LagraphError as problem:
        return Finding(f"backend {name}", ABSENT, " ".join(str(problem).split()), mend, needed)
    except Exception as problem:  # an engine may raise any exception; the test reports it
        message = " ".join(f"{type(problem).__name__}: {problem}".split())
        return Finding(f"backend {name}", FAILS, message, mend, needed)


def shortest(name: BackendName) -> None:
    G = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], backend=name)
    distance, _ = sssp(G, 0)
    if distance.to_dense().tolist() != [0.0, 1.0, 3.0]:
        raise ArithmeticError(f"expected the distances 0, 1, 3, got {distance.to_dense()}")
