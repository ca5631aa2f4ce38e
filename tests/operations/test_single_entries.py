"""C[i, j] = x and del C[i, j], which a GPU notes down until the matrix is read.

Drawn programs assign, remove, read, copy and compute; what is left is that of the CPU backend.
"""

from __future__ import annotations

import copy
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.gpu import backend as gpu_backend
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.hypersparse import operands, port
from lagraph_gpu.gpu.hypersparse.stores import Hypersparse
from tests.harness import BOTH, CPU, DEVICE, GPU

N = 5


def drawn(rng: random.Random, sizes: tuple[int, int], at: Any) -> str:
    """A statement about the matrices A, B, the list `reads` and the number x."""
    i, j = (at[rng.randrange(N)] for _ in sizes)
    C, D = rng.sample("AB", 2)
    return rng.choice((
        *3 * (f"{C}[{i}, {j}] = x", f"del {C}[{i}, {j}]", f"{C}[[{i}], [{j}]] << x"),
        *2 * (f"reads.append({C}.get({i}, {j}))",),
        f"{C}(accum=binary.plus)[{i}, {j}] << x",
        f"{C}[{i}, [{j}]] << {D}[{j}, [{i}]]",
        f"{C}({D}.S) << x",
        f"{C} << {D}.dup()",
        f"{C} << binary.plus({C} | {D}.T)",
        f"reads.append({C}.nvals)",
        f"{C}.clear()",
        f"{C} = {D}.dup()",
    ))  # fmt: skip


def programs(dtype: str, at: list[int], size: int, seed: int) -> None:
    rng = random.Random(seed)
    start = {(at[rng.randrange(N)], at[rng.randrange(N)]): rng.randrange(1, 9) for _ in range(6)}
    scenes: list[dict[str, Any]] = []
    for backend in BOTH:
        (i, j), x = zip(*start, strict=True), list(start.values())
        A, B = (
            lg.Matrix.from_coo(i, j, x, dtype, nrows=size, ncols=size, backend=backend)
            for _ in range(2)
        )
        scenes.append({"A": A, "B": B, "binary": lg.binary, "reads": []})
    lines = [drawn(rng, (N, N), at) for _ in range(30)]
    for number, line in enumerate(lines):
        for scene in scenes:
            exec(line, scene | {"x": number % 7 + 1}, scene)
    theirs, ours = scenes
    assert ours["reads"] == theirs["reads"], lines
    for name in "AB":
        for one, other in zip(ours[name].to_coo(), theirs[name].to_coo(), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"{lines}")


@pytest.mark.parametrize("dtype", ["FP64", "INT8", "BOOL", "FC64"])
def test_programs(dtype: str) -> None:
    for seed in range(6):
        programs(dtype, list(range(N)), N, seed)


@pytest.mark.parametrize("size", [2**24 + 1, 2**30, 2**60])
def test_programs_over_many_positions(size: int) -> None:
    for seed in range(6):
        programs("FP64", [0, 3, size // 2, size - 2, size - 1], size, seed)


def test_programs_of_which_many_notes_are_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GPU.assignments, "longest", 3)
    monkeypatch.setattr(GPU.assignments, "looked_at", 1)
    for module in (port, operands, gpu_backend):
        monkeypatch.setattr(module, "MANY_ROWS", 2)
    monkeypatch.setattr(port, "SPARSE", 0.5)
    for seed in range(8):
        programs("INT32", list(range(N)), N, seed)


@pytest.fixture
def A() -> lg.Matrix:
    return lg.Matrix.from_coo([0, 1, 3], [1, 2, 0], [1.0, 2, 3], nrows=4, ncols=4, backend=GPU)


def test_assignments_launch_nothing_until_the_matrix_is_read(A: Any) -> None:
    before = DEVICE.launches, DEVICE.waits
    for turn in range(50):
        A[turn % 4, 3] = turn
        del A[0, turn % 4]
        if turn < 30:
            assert A.get(1, 3) == (None if turn == 0 else turn - (turn - 1) % 4)
    assert (DEVICE.launches, DEVICE.waits) == (before[0] + 1, before[1] + 1)  # of what A was before
    assert A.to_dicts() == {0: {3: 48}, 1: {2: 2, 3: 49}, 2: {3: 46}, 3: {0: 3, 3: 47}}


def test_one_merge_for_all(A: Any) -> None:
    launches = DEVICE.launches
    for turn in range(300):
        A[turn % 4, turn % 3] = turn
    assert DEVICE.launches == launches
    assert A.nvals == 12 and A[3, 1].get() == 295
    assert DEVICE.launches - launches < 10


def test_copies_go_on_by_themselves(A: Any) -> None:
    A[0, 0] = 5
    B, C = A.dup(), copy.deepcopy(A)
    B[0, 1] = 6
    A[0, 1] = 7
    del C[0, 1]
    assert (A.get(0, 1), B.get(0, 1), C.get(0, 1)) == (7, 6, None)
    assert A.nvals == B.nvals == 4 and C.nvals == 3
    assert A.to_dicts()[0] == {0: 5, 1: 7} and B.to_dicts()[0] == {0: 5, 1: 6}


def test_everything_that_reads_carries_them_out(A: Any) -> None:
    reads: dict[str, Any] = {
        "a pickle": lambda A: pickle.loads(pickle.dumps(A)).to_dicts(),
        "another backend": lambda A: A.to(CPU).to_dicts(),
        "a product": lambda A: (A @ A).new().to_dicts(),
        "a transpose": lambda A: A.T.new().to_dicts(),
        "a mask": lambda A: A.dup(mask=A.S).to_dicts(),
        "a row": lambda A: A[2, :].new().to_dict(),
        "a sum": lambda A: A.reduce_scalar().new().value,
        "a graph": lambda A: lg.bfs(lg.Graph(A), 0)[0].to_dict(),
        "a larger matrix": lambda A: (A.resize(9, 9), A.to_dicts())[1],
        "arrays": lambda A: [part.tolist() for part in A.to_csr()],
        "equality": lambda A: A.isequal(A.dup()),
        "text": lambda A: "4 ent" in repr(A) or repr(A).count("9"),
    }
    for what, read in reads.items():
        B, C = A.dup(), A.to(CPU)
        for M in (B, C):
            M[2, 2], M[0, 3] = 9, 9
            del M[0, 1]
        assert read(B) == read(C), what


def test_waiting_carries_them_out(A: Any) -> None:
    A[2, 2] = 1
    A.wait()
    launches = DEVICE.launches
    assert A.nvals == 4 and DEVICE.launches == launches


def test_a_backend_that_defers_nothing_notes_nothing() -> None:
    backend = GpuBackend(DEVICE, blocking=True)
    B = lg.Matrix("FP64", 3, 3, backend=backend)
    B[1, 1] = 2
    assert B._store.rows is None and B.nvals == 1


def test_an_empty_matrix_of_many_rows_becomes_one_of_few_entries() -> None:
    """Nothing is allocated for its rows."""
    A = lg.Matrix("INT64", 2**30, 2**30, backend=GPU)
    with DEVICE.room_of(2**16) if hasattr(DEVICE, "room_of") else threading.Lock():
        A[2**29, 5] = 1
        A[7, 2**30 - 1] = 2
        del A[7, 2**30 - 1]
        assert A.to_dicts() == {2**29: {5: 1}}
    assert isinstance(A._store, Hypersparse)


def test_a_matrix_that_gets_many_entries_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stored by the ids in use, though others with so many entries are not."""
    for module in (port, operands, gpu_backend):
        monkeypatch.setattr(module, "MANY_ROWS", 2)
    monkeypatch.setattr(port, "SPARSE", 0.5)
    made = []
    for backend in BOTH:
        A = lg.Matrix("INT64", 4, 4, backend=backend)
        for turn in range(16):
            A[turn // 4, turn % 4] = turn
        u = lg.Vector.from_coo([1, 3], [2, 3], size=4, backend=backend)
        found = [
            *(A.diag(k) for k in range(-3, 4)),
            *(A.select(name, k).new() for name in ("tril", "triu", "diag", "offdiag", "colle")
              for k in (-2, 0, 1)),
            lg.indexunary.colindex(A, 1).new(), lg.semiring.min_secondi(A.T @ A).new(),
            A[2, :].new(), A[::-2, [3, 0]].new(), A.reduce_columnwise().new(), A.kronecker(A).new(),
            A.dup(mask=A.V), lg.binary.plus(A | u.diag()).new(), lg.concat([[A, A]]),
        ]  # fmt: skip
        A(A.V, replace=True)[1:3, ::-1] << 7
        made.append([[part.tolist() for part in one.to_coo()] for one in (*found, A)])
        assert backend is CPU or isinstance(A._store, Hypersparse)
    assert made[0] == made[1]


def test_several_threads_assign_to_copies(A: Any) -> None:
    A[0, 0] = 1
    copies = [A.dup() for _ in range(4)]

    def fill(number: int) -> None:
        for turn in range(100):
            copies[number][turn % 4, turn % 2] = number

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, one in enumerate(copies):
        held = one.to_dicts()
        assert all(held[i][i % 2] == number for i in range(4))
    assert A.to_dicts()[0] == {0: 1, 1: 1}


@pytest.mark.parametrize("dtype", ["FP64", "INT8", "BOOL"])
def test_entries_of_a_vector_are_written_in_place(dtype: str) -> None:
    """One launch for each; copies, and what was computed of the vector, are not written to."""
    rng, made = random.Random(5), []
    at = [(rng.randrange(70), rng.randrange(1, 5)) for _ in range(40)]
    for backend in BOTH:
        v = lg.Vector.from_coo([1, 64, 69], [1, 2, 3], dtype, size=70, backend=backend)
        full = lg.Vector.from_scalar(1, 70, dtype, backend=backend)
        w, late = v.dup(), lg.binary.plus(v | full).new()
        launches = DEVICE.launches
        for number, (i, x) in enumerate(at):
            v[i] = x
            if number == 20:
                del v[i]
            full[i] = x
        if backend is GPU:
            assert DEVICE.launches - launches <= 2 * len(at) + 6
        v[2] << 2.75  # of another type
        made.append([x.to_dict() for x in (v, w, late, full)] + [v.nvals, full.nvals])
    assert made[0] == made[1] and made[1][-1] == 70


@pytest.mark.parametrize("count", [0, 1, 40])
def test_few_entries_of_many_rows(count: int) -> None:
    """Their offsets are found on the device."""
    rng = np.random.default_rng(count)
    i, j = np.divmod(np.sort(rng.choice(1000 * 9, count, replace=False)), 9)
    for values in (np.arange(count) * 0.5, 3.0):
        made = lg.Matrix.from_coo(i, j, values, "FP64", nrows=1000, ncols=9, backend=GPU)
        wanted = lg.Matrix.from_coo(i, j, values, "FP64", nrows=1000, ncols=9, backend=CPU)
        for one, other in zip(made.to_csr(), wanted.to_csr(), strict=True):
            np.testing.assert_array_equal(one, other)
        most = np.bincount(i, minlength=1).max()
        assert made._store.pattern.max_degree == most


@pytest.mark.parametrize("room", [None, 0])
def test_entries_are_read_without_an_offset_for_each_row(
    room: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows are found on the device, if there is room for these."""
    A = lg.Matrix.from_coo([3, 3, 900], [1, 8, 2], [1.0, 2, 3], nrows=1000, ncols=9, backend=GPU)
    sizes, plain = [], GPU.device.download
    monkeypatch.setattr(GPU.device, "download", lambda x: sizes.append(x.size) or plain(x))
    with DEVICE.room_of(room) if hasattr(DEVICE, "room_of") else threading.Lock():
        assert [part.tolist() for part in A.to_coo()] == [[3, 3, 900], [1, 8, 2], [1, 2, 3]]
    if room is None:
        assert max(sizes) == 3
