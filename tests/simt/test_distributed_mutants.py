# ruff: noqa: E501  (mutants of one line)
"""Vectors on their way between processes, and the kernels broken in the lines that matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lagraph_gpu.gpu.storage.exchange import positions
from lagraph_gpu.gpu.vector.distributed import VectorExchange
from semirings import MONOIDS
from semirings.types import INT64
from tests.simt.exercises import SEEDS, gpu
from tests.simt.mutants import Mutant, suite

SIZES = [(3, 333), (2, 75), (40, 170)]


class Alike:
    """Peers of which every one does as this one, in a world of `parts` that are given."""

    def __init__(self, device: Any, rank: int, parts: list[Any]) -> None:
        self.device, self.rank, self.size, self.parts = device, rank, len(parts), parts
        self.sent = 0

    def all_gather(self, array: Any, counts: Sequence[int], to: Any) -> None:
        """Of a list the places or the values of each part's entries, in falling order."""
        each, whole = to.size // self.size, np.zeros(to.size, to.dtype)
        mine = self.device.download(array)[: counts[self.rank]]
        for rank, part in enumerate(self.parts):
            bits, values = (self.device.download(one) for one in (part.bits, part.values))
            places = positions(bits, part.size)[::-1]
            held = {np.dtype(np.uint32): bits, np.dtype(np.int32): places}.get(to.dtype, values)
            if held is values and counts[rank] < part.size:
                held = values[places]
            whole[rank * each :][: counts[rank]] = held[: counts[rank]]
            if rank == self.rank:
                assert sorted(mine.tolist()) == sorted(held[: counts[rank]].tolist())
        self.device.write(to, whole)

    def all_to_all(self, arrays: Any, come: Sequence[int], to: Any) -> None:
        for parts, target in zip(arrays, to, strict=True):
            if parts[self.rank].size:
                self.device.write(
                    target, np.tile(self.device.download(parts[self.rank]), self.size)
                )


def drawn(seed: int, n: int, dense: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.flatnonzero(rng.random(n) < dense), rng.integers(1, 1000, n)


def joins() -> None:
    """With values and without; some positions have an entry, all, and so few that they are lists."""
    sizes = [*SIZES[:2], (5, 333)]
    for seed, (size, n), dense in zip(SEEDS, sizes, (0.5, 2, 0.1), strict=True):
        backend, (index, value) = gpu(seed), drawn(seed, n, dense)
        parts = []
        for rank in range(size):
            own = index[index % size == rank]
            parts.append(backend.build_vector(len(range(rank, n, size)), own // size, value[own]))
        counts = [int((index % size == rank).sum()) for rank in range(size)]
        for rank in (0, size - 1):
            vector_exchange = VectorExchange(backend, Alike(backend.device, rank, parts))
            for reads in (True, False):
                whole: Any = vector_exchange.all_gather(
                    parts[rank], n, reads, lambda _, k=counts: k
                )
                got, held = backend.vector_entries(whole)
                np.testing.assert_array_equal(got, index)
                assert not reads or (held == value[index]).all()
            assert vector_exchange.all_gather(parts[rank], n, True, lambda _: None) is None
            wide = vector_exchange.placed(parts[rank], n)
            own = index[index % size == rank]
            got, held = backend.vector_entries(wide)
            np.testing.assert_array_equal(got, own)
            np.testing.assert_array_equal(held, value[own])


def deals() -> None:
    for seed, (size, n), dense in zip(SEEDS, SIZES, (0.5, 2, 0.1), strict=True):
        backend, (index, value) = gpu(seed), drawn(seed, n, dense)
        found = backend.build_vector(n, index, value[index])
        assert found.dtype == INT64
        for rank in (0, 1, size - 1):
            counts = [int((index % size == r).sum()) for r in range(size)]

            def come(told: Sequence[int], own: int = rank, right: Any = counts) -> Sequence[int]:
                assert list(told) == right
                return [right[own]] * len(right)

            vector_exchange = VectorExchange(backend, Alike(backend.device, rank, [None] * size))
            lists = vector_exchange.all_to_all(found, come, lambda: None)
            own = index[index % size == rank]
            assert len(lists) == size
            for made in lists[:2]:
                assert made.size == len(range(rank, n, size))
                got, held = backend.vector_entries(made)
                np.testing.assert_array_equal(got * size + rank, own)
                np.testing.assert_array_equal(held, value[own])


def takes_news() -> None:
    """Under the minimum, and where what is there stays; with levels and rows, and without."""
    n = 333
    for seed, name in zip(SEEDS, ("min", "any", "min"), strict=True):
        backend, rng = gpu(seed), np.random.default_rng(seed)
        monoid = MONOIDS[name]
        value, offered = rng.integers(0, 9, (2, n))
        has, offers = rng.random((2, n)) < 0.5
        has[:40], offers[32:64] = True, seed == 1
        begins = np.append(0, np.cumsum(rng.integers(0, 5, n)))
        columns = np.concatenate([np.arange(k) for k in np.diff(begins)])
        rows = backend.build_matrix((n, n), (begins, columns, np.ones(columns.size)))
        known = backend.build_vector(n, np.flatnonzero(has), value[has])
        offer = backend.build_vector(n, np.flatnonzero(offers), offered[offers])
        levels = backend.build_vector(n, np.flatnonzero(has), np.zeros(has.sum(), np.int32))
        right = np.where(has, np.minimum(value, offered) if name == "min" else value, offered)
        changed = offers & (~has | (right != value))
        vector_exchange = VectorExchange(backend, Alike(backend.device, 0, [None]))
        tells = seed != 2
        fresh = vector_exchange.fold_changed(
            offer, known, levels if tells else None, 7, monoid, rows if tells else None
        )
        np.testing.assert_array_equal(backend.vector_entries(fresh)[0], np.flatnonzero(changed))
        assert (backend.vector_entries(fresh)[1] == right[changed]).all()
        assert fresh.count == changed.sum()
        index, held = backend.vector_entries(known)
        np.testing.assert_array_equal(index, np.flatnonzero(has | offers))
        np.testing.assert_array_equal(held, np.where(offers, right, value)[has | offers])
        if tells:
            assert fresh.edges == np.diff(begins)[changed].sum()
            index, held = backend.vector_entries(levels)
            np.testing.assert_array_equal(index, np.flatnonzero(has | offers))
            np.testing.assert_array_equal(held, np.where(changed, 7, 0)[has | offers])


EXERCISES = (joins, deals, takes_news)

D, N = "vector/distributed.cuh", "vector/fold_changed.cuh"
MUTANTS = [
    Mutant(D, "i < n && (only < 0 || part == only)", "i < n", joins),
    Mutant(D, "i < n && (only < 0 || part == only)", "only < 0 || part == only", joins),
    Mutant(D, "here = present(part_bits + parts.first_word(part), place);", "here = present(part_bits, place);", joins),
    Mutant(D, "here && part_bits != nullptr", "false", joins),
    Mutant(D, "part_values[parts.begin(part) + place];", "part_values[part + place];", joins),
    Mutant(D, "here && values != nullptr", "here && part_values != values && only >= 0", joins),
    Mutant(D, "        if (lane_id() == 0) bits[word] = entries;", "", joins),
    Mutant(D, "&& part == r);", ");", deals),
    Mutant(D, "bits == nullptr ? inside(word, n) : bits[word];\n            if (entries == 0) continue;\n            const unsigned", "ALL_LANES;\n            const unsigned", deals),
    Mutant(D, "first < unsigned(parts); first += 32", "first < 32 && first < unsigned(parts); first += 32", deals),
    Mutant(D, "unsigned(lane_id()) == r - first", "unsigned(lane_id()) == r", deals),
    Mutant(D, "mine += __popc(some);", "mine = __popc(some);", deals),
    Mutant(D, "atomicAdd(counts + first + lane_id(), mine);", "counts[first + lane_id()] = mine;", deals),
    Mutant(D, "append_lanes(some, ends + r)", "append_lanes(some, ends)", deals),
    Mutant(D, "if (!(some >> lane_id() & 1u)) continue;", "", deals),
    Mutant(D, "places[to] = Index(unsigned(i) / unsigned(parts));", "places[to] = i;", deals),
    Mutant(D, "listed[to] = values[i];", "listed[to] = values[to];", deals),
    Mutant(D, ">= unsigned(counts[part])", "> unsigned(counts[part])", joins),
    Mutant(D, "places[t]) * unsigned(parts) + part", "places[t]) * unsigned(parts)", joins),
    Mutant(D, "values[i] = listed[t];", "values[i] = listed[part];", joins),
    Mutant(D, "        mark(bits, i);\n", "", joins),
    Mutant(N, "inside(word, n) : candidate_bits[word];", "inside(word, n) : ALL_LANES;", takes_news),
    Mutant(N, "z = M::add(old, z);", ";", takes_news),
    Mutant(N, "mine = !(z == old);", ";", takes_news),
    Mutant(N, "if (mine) known[j] = z;", "", takes_news),
    Mutant(N, "if (mine && levels != nullptr) levels[j] = round;", "", takes_news),
    Mutant(N, "edges += indptr[j + 1] - indptr[j];", "edges += 1;", takes_news),
    Mutant(N, "        fresh[word] = changed;\n        if (changed == 0) continue;", "        if (changed == 0) continue;\n        fresh[word] = changed;", takes_news),
    Mutant(N, "count += __popc(changed);", "count += 1;", takes_news),
    Mutant(N, "known_bits[word] = before | changed;", "known_bits[word] = changed;", takes_news),
    Mutant(N, "level_bits[word] |= changed;", ";", takes_news),
    Mutant(N, "    edges = warp_reduce<Sum>(edges);\n", "", takes_news),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
