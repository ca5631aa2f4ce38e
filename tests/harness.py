"""The two backends under test, and the way between the specification's dicts and our handles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.backend import resolve
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device.cupy_device import CupyDevice
from semirings import types
from tests import spec
from tests.simt.device import EmulatedDevice
from tests.spec import Sparse

CPU = resolve("cpu")
DEVICE: Any = (
    CupyDevice()
    if os.environ.get("LAGRAPH_TEST_DEVICE") == "cuda"
    else EmulatedDevice(mode="check", block_size=64, max_blocks=4)
)
"""A GPU if LAGRAPH_TEST_DEVICE is "cuda"; else the emulator, with small blocks and few of them, so
that loops over a grid's stride take more than one turn."""
GPU = GpuBackend(DEVICE)
GPU.products.rearranged.segment = 3  # several segments of eight, in small graphs, too
GPU.tables.in_step = True  # on deep graphs, too
GPU.few_levels.room, GPU.few_levels.edges = 6, 20  # and rounds that are too large for one block
GPU.closures.level_synchronous.least_guessed = 0  # small graphs, too, have parents guessed
GPU.host_loops.least = 0  # small graphs, too, go over the host
GPU.small_graphs.most_for_matching = 0  # but not where a device is to be tried
GPU.small_graphs.most_for_leiden = GPU.small_graphs.most_for_louvain = 0
BOTH = (CPU, GPU)


def reseed(seed: int) -> None:
    """Let the emulator interleave threads as this seed says, from here on."""
    DEVICE.seed, DEVICE.launches = seed, 0


def lowered(operation: Any, *operands: Any, **options: Any) -> Any:
    """What the backend of the first operand makes of an operation by its lowering; None where the
    lowering has nothing for these operands."""
    backend = getattr(operands[0], "backend", operands[0])
    return backend.lowerings[operation](*operands, **options)


@contextmanager
def by_statements(*operations: Any, backend: Any = CPU) -> Iterator[None]:
    """These operations run by their statements; without any, all of them do."""
    with pytest.MonkeyPatch.context() as patch:
        for operation in operations or list(backend.lowerings):
            patch.delitem(backend.lowerings, operation)
        yield


def statements_run(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An item for each statement that the CPU runs from here on."""
    counted: list[int] = []
    run = CPU.run
    monkeypatch.setattr(type(CPU), "run", lambda _, update: (counted.append(1), run(update))[1])
    return counted


def kernels_launched(
    monkeypatch: pytest.MonkeyPatch, by: str = "launch", bare: bool = False
) -> list[str]:
    """The names of the kernels that the GPU launches from here on by this method: `launch`, or
    `launch_resident` if a grid has to be resident. If they are `bare` without what is in <>."""
    names: list[str] = []
    launch = getattr(GPU, by)

    def listen(header: str, algebra: str, name: str, *given: Any, **more: Any) -> Any:
        names.append(name.partition("<")[0] if bare else name)
        return launch(header, algebra, name, *given, **more)

    monkeypatch.setattr(GPU, by, listen)
    return names


def put(s: Sparse, backend: Any) -> Any:
    """The Vector or Matrix that holds s. A matrix of one value is stored as such (iso)."""
    held = np.array(list(s.entries.values()), s.dtype)
    positions = np.array(list(s.entries), np.int64)
    if len(s.shape) == 1:
        return lg.Vector.from_coo(positions, held, s.dtype, size=s.shape[0], backend=backend)
    rows, columns = positions.reshape(-1, 2).T
    iso = held.size > 1 and bool((held == held[0]).all())
    shape = {"nrows": s.shape[0], "ncols": s.shape[1]}
    return lg.Matrix.from_coo(
        rows, columns, held[0] if iso else held, s.dtype, **shape, backend=backend
    )


def take(handle: Any) -> Sparse:
    """What a Vector or Matrix holds."""
    if len(handle.shape) == 1:
        index, held = handle.to_coo()
        entries = dict(zip(index.tolist(), held, strict=True))
    else:
        rows, columns, held = handle.to_coo()
        entries = dict(zip(zip(rows.tolist(), columns.tolist()), held, strict=True))
    assert held.dtype == handle.dtype
    return Sparse(handle.dtype, handle.shape, entries)


def complaint(found: Sparse, allowed: list[Sparse]) -> str:
    """What is wrong with a result, or nothing."""
    first = allowed[0]
    if (found.dtype, found.shape) != (first.dtype, first.shape):
        return f"{types.name(found.dtype)}{found.shape} for {types.name(first.dtype)}{first.shape}"
    if missing := sorted(first.entries.keys() - found.entries.keys()):
        return f"no entry at {missing[:5]}"
    if extra := sorted(found.entries.keys() - first.entries.keys()):
        return f"entries at {extra[:5]}, where none belongs"
    for p, x in found.entries.items():
        if not any(spec.same(x, right.entries[p]) for right in allowed):
            few = sorted({str(right.entries[p]) for right in allowed})
            return f"{x} at {p}, where {' or '.join(few)} belongs"
    return ""


def index(region: spec.Region) -> Any:
    """What stands between the brackets."""
    axes = tuple(slice(None) if axis is None else axis for axis in region)
    return axes if len(axes) > 1 else axes[0]


@dataclass(repr=False)
class Statement:
    """``out(mask, accum, replace)[region] << expression``, or with ``within``
    ``out[region](mask, accum, replace) << expression``, and what the specification says of it.

    ``build`` makes the expression from handles, one for each operand; ``answers`` is its value. An
    operand, the mask and the output are one handle where they are one Sparse object: that is how
    aliasing is drawn.
    """

    what: str
    operands: tuple[Sparse, ...]
    build: Callable[..., Any]
    answers: list[Sparse]
    out: Sparse
    mask: spec.Mask | None = None
    accum: Any = None
    replace: bool = False
    region: spec.Region | None = None
    within: bool = False
    schedule: Any = None

    def allowed(self) -> list[Sparse]:
        settings = self.mask, self.accum, self.replace
        if self.within:
            assert self.region is not None
            return [spec.write_within(self.out, t, self.region, *settings) for t in self.answers]
        return [spec.write(self.out, t, *settings, self.region) for t in self.answers]

    def carry_out(self, backend: Any) -> Sparse:
        """The output afterwards; also sees to it that no other operand has changed."""
        held: dict[int, Any] = {}
        for s in (*self.operands, self.out, *([self.mask.of] if self.mask else [])):
            if id(s) not in held:
                held[id(s)] = put(s, backend)
        expression = self.build(*(held[id(s)] for s in self.operands))
        out, mask = held[id(self.out)], None
        if self.mask is not None:
            mask = getattr(held[id(self.mask.of)], "S" if self.mask.structure else "V")
            mask = ~mask if self.mask.complement else mask
        settings = {"mask": mask, "accum": self.accum, "replace": mask is not None and self.replace}
        if self.region is None:
            out(**settings, schedule=self.schedule) << expression
        elif self.within:
            out[index(self.region)](**settings) << expression
        else:
            out(**settings)[index(self.region)] << expression
        for s in self.operands:
            if s is not self.out:
                wrong = complaint(take(held[id(s)]), [s])
                assert not wrong, f"an operand changed on {backend.name}: {wrong}\n{self}"
        return take(out)

    def check(self, *backends: Any, seed: int = 0) -> None:
        """Carry out on each backend, and compare."""
        allowed = self.allowed()
        reseed(seed)
        for backend in backends or BOTH:
            wrong = complaint(self.carry_out(backend), allowed)
            assert not wrong, f"{backend.name}: {wrong}\n{self}"

    def __repr__(self) -> str:
        return "\n".join(
            f"  {name} = {value}"
            for name, value in vars(self).items()
            if name not in ("build", "answers") and value is not None
        )
