# ruff: noqa: E501  (mutants of one line)
"""Searches over distributed rows in one launch, in which the devices of processes that take turns
run together, and the kernel broken in the lines that matter.
"""

from __future__ import annotations

from functools import partial

import pytest

from lagraph_gpu.gpu.closure import resident_levels
from tests.simt import test_distributed_level_mutants as levels
from tests.simt.exercises import SEEDS
from tests.simt.mutants import Mutant, suite
from tests.simt.test_distributed_level_mutants import ALWAYS, undirected

searched = partial(levels.searched, transport="peer_windows")
ordered = partial(levels.ordered, "peer_windows")
ordered.__name__ = "ordered"  # type: ignore[attr-defined]


def pushes() -> None:
    """With lists that have room at first, and that need more in the middle."""
    for seed, size, small in zip(SEEDS, (2, 3, 2), (1 << 10, 0, 3), strict=True):
        searched(undirected(seed), [11, 40, 42], size, seed, ALWAYS["push"], small)


def pulls() -> None:
    for seed, size in zip(SEEDS, (2, 3, 2), strict=True):
        searched(undirected(seed), [11, 40, 42], size, seed, ALWAYS["pull"])


def turns() -> None:
    """Pushes after pulls, in launches of few rounds, and over edges of one direction alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resident_levels, "LAUNCH_ROUNDS", 3)
        for threshold in (40, 8):
            G = undirected(1)
            ways = levels.searched(G, [140], 2, 1, threshold)
            assert searched(G, [140], 2, 1, threshold, small=0) == ways
            assert len(set(ways)) == 2
        levels.one_way("peer_windows")


EXERCISES = (pushes, pulls, turns, ordered)

R, P = "closure/level_synchronous/resident_levels.cuh", "core/peers.cuh"
X = "closure/level_synchronous/exchanges.cuh"
U = "closure/level_synchronous/distributed_push.cuh"
D = "closure/level_synchronous/distributed_steps.cuh"
MUTANTS = [
    Mutant(X, "return words + (round % 3) * each();", "return words + (round % 2) * each();", pushes),
    Mutant(X, "most = of[r][which] > most ? of[r][which] : most;", "most = of[0][which];", pushes),
    Mutant(X, "2 * static_cast<Index>((number + 1) & 1)", "0", pushes),
    Mutant(X, "read_count(counts.here + 4 * r + slot + which)", "read_count(counts.here + 4 * r + which)", pulls),
    Mutant(R, "fresh[word] = 0;", "fresh[word] = 1;", pushes),
    Mutant(R, "reached[word] = 0;", "reached[word] = 7;", pushes),
    Mutant(R, "round >= rounds.limit", "round > rounds.limit", turns),
    Mutant(R, "if (needed > windows.room) break;", "", pushes),
    Mutant(R, "own.clear(round + 1);", "", pushes),
    Mutant(R, "windows.bits.there[(cyclic.rank + turn) % parts]", "windows.bits.there[cyclic.rank]", pulls),
    Mutant(R, "            grid.wait();\n            exchanges.meet();\n            join", "            exchanges.meet();\n            join", pulls),
    Mutant(R, "exchanges.meet();\n            join", "join", pulls),
    Mutant(R, "windows.bits.here, reached);\n            grid.wait();", "windows.bits.here, reached);", pulls),
    Mutant(R, "const Byte*>(x.bits),", "const Byte*>(cleared),", pulls),
    Mutant(D, "const Index word = (quad << 2) + i;", "const Index word = quad << 2;", pulls),
    Mutant(D, "four[1], four[2], four[3]};", "four[1], four[2], 0};", pulls),
    Mutant(R, "begin = r * windows.room;", "begin = 0;", pushes),
    Mutant(R, "which == 0 ? read_count(found.counts + r) : 0", "which == 0 ? read_count(found.counts) : 0", pushes),
    Mutant(R, "            receiver.add_to(counts);\n", "", pushes),
    Mutant(R, "        pulled = pulls;\n        grid.wait();", "        pulled = pulls;", pushes),
    Mutant(X, "if (blockIdx.x == 0) tell(parts, flags.there, number);", "if (blockIdx.x == 1) tell(parts, flags.there, number);", pulls),
    Mutant(R, "dated[word] = x.bits[word];", "dated[word] = 0;", pulls),
    Mutant(U, "append_long(mine, k, degree, piece, long_rows)", "append_long(false, k, degree, piece, long_rows)", pushes),
    Mutant(U, "if (edges <= Count(piece)) return;", "return;", pushes),
    Mutant(U, "    grid.wait();\n    const Items", "    const Items", pushes),
    Mutant(U, "degree > longest ? 0 : static_cast<int>(degree));", "0);", pushes),
    Mutant("closure/level_synchronous/frontier.cuh", "static_cast<Offset>(number) * piece;", "0;", pushes),
    Mutant(P, "    __threadfence_system();\n    for", "    for", pulls),
    Mutant(P, "threadIdx.x < unsigned(parts)", "threadIdx.x < unsigned(parts) - 1", pulls),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
