"""Arrays that processes store into each other's memory, and the kernels broken in the lines that
matter. The processes are threads that take turns, and their devices are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device.peer_windows import FLAG, MOST_PEERS
from lagraph_gpu.gpu.device.store_peers import StorePeers
from tests.cluster.turns import Turns, TurnTransport, in_turns
from tests.simt.exercises import SEEDS, emulated
from tests.simt.mutants import Mutant, suite


class Waits:
    """A device on which all processes have stored before one of them waits for that."""

    def __init__(self, device: Any, host: Any) -> None:
        self._device, self._host = device, host

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def compile(self, source: str, name: str) -> Any:
        kernel = self._device.compile(source, name)

        def launch(*given: Any) -> None:
            if name.startswith("take"):
                self._host.swap(np.zeros((self._host.size, 1), np.uint8))()
            kernel(*given)

        return launch


def made(device: Any, host: TurnTransport, memory: dict[Any, list[Any]]) -> StorePeers:
    """The peers of one process. `memory` is what all of them open, by the number of the call."""
    opened = 0

    def open_memory(count: int, dtype: np.dtype) -> Sequence[Any]:
        nonlocal opened
        opened += 1
        arrays = memory.setdefault(opened, [device.zeros(count, dtype) for _ in range(host.size)])
        host.swap(np.zeros((host.size, 1), np.uint8))()
        return arrays

    def copy(to: Any, source: Any) -> None:
        values = device.download(source).view(np.uint8)
        device.write(to, values.view(to.dtype))

    return StorePeers(Waits(device, host), host, open_memory, copy)


def on_processes(seed: int, size: int, work: Any) -> None:
    """`work(peers, device)` on so many processes."""
    device, memory = emulated(seed).device, {}
    in_turns(
        size, lambda turns, rank: work(made(device, TurnTransport(turns, rank), memory), device)
    )


def gathers() -> None:
    """Of each length that stores differ for, again and again, so that slots are used again; and of
    lengths that differ between processes."""

    def work(peers: StorePeers, device: Any) -> None:
        for turn, (count, dtype) in enumerate(
            [(1, FLAG), (400, np.int32), (7, np.uint8), (64, FLAG), (3, np.int32)]
        ):
            values = [np.arange(count, dtype=dtype) + rank + turn for rank in range(peers.size)]
            to = device.zeros(count * peers.size, dtype)
            peers.all_gather(device.upload(values[peers.rank]), [count] * peers.size, to)
            np.testing.assert_array_equal(device.download(to), np.concatenate(values))
        counts = list(range(peers.size))
        to = device.zeros(peers.size * peers.size, np.int32)
        mine = device.upload(np.full(max(1, peers.rank), 10 + peers.rank, np.int32))[: peers.rank]
        peers.all_gather(mine, counts, to)
        right = np.zeros((peers.size, peers.size), np.int32)
        for rank in counts:
            right[rank, :rank] = 10 + rank
        np.testing.assert_array_equal(device.download(to), right.ravel())
        assert int(device.download(peers._done)[0]) == 0

    for seed, size in zip(SEEDS, (2, 3, 8), strict=True):
        on_processes(seed, size, work)


def exchanges() -> None:
    """Places and values, a number of them from each to each, and more than the slots hold."""

    def work(peers: StorePeers, device: Any) -> None:
        rank, size = peers.rank, peers.size
        for most, scale in ((None, 1), (40, 1), (None, 70_000)):
            counts = [[scale * (a + 2 * b) for b in range(size)] for a in range(size)]
            sends = [
                [device.upload(np.full(max(1, n), dtype.type(9 * rank + to), dtype))[:n]
                 for to, n in enumerate(counts[rank])]
                for dtype in (np.dtype(np.int32), np.dtype(np.int64))
            ]  # fmt: skip
            come = [counts[a][rank] for a in range(size)]
            to = [device.zeros(max(1, sum(come)), np.int32)[: sum(come)],
                  device.zeros(max(1, sum(come)), np.int64)[: sum(come)]]  # fmt: skip
            peers.all_to_all(sends, come, to, most)
            right = np.repeat([9 * a + rank for a in range(size)], come)
            for array in to:
                if sum(come):
                    np.testing.assert_array_equal(device.download(array), right)

    on_processes(0, 2, work)


def test_more_processes_than_a_kernel_takes() -> None:
    host: Any = TurnTransport(Turns(MOST_PEERS + 1), 0)
    with pytest.raises(BackendUnavailable, match="at most 8 processes"):
        StorePeers(emulated(0).device, host, lambda *_: [], lambda *_: None)


EXERCISES = (gathers, exchanges)

S, P = "vector/peer_stores.cuh", "core/peers.cuh"
MUTANTS = [
    Mutant(P, "case 5: return p5;", "case 5: return p6;", gathers),
    Mutant(S, "turn <= parts; ++turn", "turn < parts; ++turn", gathers),
    Mutant(P, "to[i] = from[i];\n    }\n}", "to[i] = from[0];\n    }\n}", gathers),
    Mutant(P, "low % sizeof(uint4) == 0", "low % sizeof(unsigned) == 0", gathers),
    Mutant(P, "} else if (low % sizeof(unsigned) == 0) {", "} else if (true) {", gathers),
    Mutant(S, "gridDim.x - 1) == gridDim.x - 1", "gridDim.x - 1) == gridDim.x", gathers),
    Mutant(S, "atomicInc(done, gridDim.x - 1)", "atomicInc(done, gridDim.x)", gathers),
    Mutant(P, "< exchange) {}", "< exchange + 1) {}", gathers),
    Mutant(S, "+ r * bytes, slots + r * room", "+ r * bytes, slots", gathers),
    Mutant(S, "if (bytes == 0) return;", "if (bytes == 8) return;", gathers),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
