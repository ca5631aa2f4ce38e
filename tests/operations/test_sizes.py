"""Containers of up to 2⁶⁰ positions, of which few hold an entry.

A drawn program is run by python-graphblas over six positions, and by ours with these moved to ids
up to 2⁶⁰ by an increasing map. What is left must be the same under the map. On the emulated GPU the
entries are stored under their ranks among the ids in use.
"""

from __future__ import annotations

import contextlib
import gc
import random
import re
import weakref
from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.backend import resolve
from lagraph_gpu.errors import IndexOutOfBound, LagraphError, TooLarge
from lagraph_gpu.gpu import backend as gpu_backend
from lagraph_gpu.gpu.hypersparse import operands, port
from lagraph_gpu.gpu.hypersparse.stores import Hypersparse
from lagraph_gpu.notation.indexing import Progression
from tests.harness import BOTH, CPU, GPU
from tests.operations.test_drawn_programs import FEW, LENGTH, WHOLE, N, left, scene, statement
from tests.operations.test_same_text import gb

TOP = 2**60
SIZES = (2**31 - 1, 2**31, 2**32, 2**40, TOP)
FILL = re.compile(r"^\w(\[.*\])?(\((?!\w\.S).*)? << -?[\d.]+$")
"""A number at every position, or at all but some, or in a whole row."""


def more(rng: random.Random, among: dict[str, Any]) -> str:
    """A statement that is not in `statement`."""
    out, u, v = (rng.choice(among["vectors"]) for _ in range(3))
    C, A, B = (rng.choice(among["matrices"]) for _ in range(3))
    i, j = sorted(rng.sample(range(N), 2))
    k = rng.randrange(N)
    how = rng.choice(("", "(accum=binary.plus)", f"({u}.S)", f"(~{u}.S, replace)"))
    return rng.choice((
        f"{out}({u}.S) << 2",
        f"{C}({A}.S, replace) << 2",
        f"{out}[{i}:{j}] << {v}[{i}:{j}]",
        f"{C}[{i}:{j}, :] << {A}[{i}:{j}, :]",
        f"{C}[:, {i}:{j}] << {A}[:, {i}:{j}]",
        f"{C}[[{j}, {i}], :] << {A}[[{i}, {k}], :]",
        f"{C}(accum=binary.plus)[[{i}, {j}], [{j}, {k}]] << 2"
        if j != k
        else f"{C}[:, {k}] << {u}",
        f"{out}{how} << {A}[{k}, :]",
        f"{out}{how} << {A}[:, {k}]",
        f"{out}{how} << {A}.reduce_columnwise(monoid.plus)",
        f"{C} << {A}.select('triu')",
        f"{C} << {A}.select('offdiag')",
        f"{C} << {A}.select('rowle', {k})",
        f"{C} << {A}.select('colgt', {k})",
        f"{C} << {u}.diag()",
        f"{out} << {A}.diag()",
        f"{C} << binary.plus({A} | {B}.T)",
        f"{C}({A}.S) << semiring.plus_times({A} @ {B}.T)",
        f"{C}(A.V, binary.plus) << {B}",
    ))  # fmt: skip


def program(seed: int, among: dict[str, Any]) -> list[str]:
    rng = random.Random(seed)
    lines = [rng.choice((statement, more))(rng, among) for _ in range(LENGTH)]
    return [line for line in lines if not FILL.search(line) or re.match(r"\w\[\d", line)]


def placed(line: str) -> str:
    """The statement with positions by their number in `p`."""
    inside = r"\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]"
    line = re.sub(inside, lambda part: re.sub(r"\d+", r"p[\g<0>]", part[0]), line)
    return re.sub(r"(rowle|colgt)', (\d+)", r"\1', p[\2]", line)


def spread(seed: int, size: int) -> list[int]:
    """An increasing map of the N positions, and of the end, to ids below the size."""
    rng = random.Random(seed)
    ends = rng.choice(((0, size - 1), (1, size - 2), (size // 2, size // 2 + 2 * N)))
    ids = {*ends, *(rng.randrange(ends[0], ends[1]) for _ in range(2 * N))}
    inner = rng.sample(sorted(ids - {*ends}), N - 2)
    return [*sorted((*ends, *inner)), size]


def moved(names: dict[str, Any], p: list[int], package: Any) -> dict[str, Any]:
    """The same scene with entries at the ids."""
    at, size = np.array(p), p[-1]
    for name in "abxy":
        index, values = names[name].to_coo()
        names[name] = package.Vector.from_coo(at[index], values, size=size)
    for name in "AX":
        row, column, values = names[name].to_coo()
        names[name] = package.Matrix.from_coo(at[row], at[column], values, nrows=size, ncols=size)
    return names


def back(found: dict[str, Any], p: list[int]) -> dict[str, Any]:
    number = {at: i for i, at in enumerate(p)}
    return {
        name: (facts[0], [[number[x] for x in axis] for axis in facts[1]], *facts[2:])
        if name != "s"
        else facts
        for name, facts in found.items()
    }


def agree(seed: int, among: dict[str, Any], p: list[int]) -> None:
    """The program over small sizes by python-graphblas, and over large ones by ours."""
    few = [*range(N), N]
    theirs, ours = scene(gb, seed) | {"p": few}, moved(scene(lg, seed), p, lg) | {"p": p}
    for line in map(placed, program(seed, among)):
        for names in (theirs, ours):
            with np.errstate(all="ignore"):
                exec(line, names)
        assert back(left(ours), p) == left(theirs), f"seed {seed}, ids {p}, after {line}"


@pytest.mark.parametrize("size", SIZES)
def test_programs_on_the_cpu(size: int) -> None:
    with lg.backend(CPU):
        for seed in range(20):
            agree(seed, WHOLE, spread(seed, size))


@pytest.mark.parametrize("size", SIZES)
def test_programs_on_the_emulator(size: int) -> None:
    with lg.backend(GPU):
        for seed in range(3):
            agree(seed + size % 7, FEW, spread(seed, size))
            assert isinstance(lg.Vector("FP64", size)._store, Hypersparse)


@pytest.mark.parametrize("form", ["all", "some"])
def test_small_containers_in_the_form_of_large_ones(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them, or matrices of few entries beside others: these forms may meet in a matrix of
    fewer than 2³¹ rows."""
    if form == "all":
        monkeypatch.setattr(GPU.hypersparse, "limit", 2)
    for module in (port, operands, gpu_backend):
        monkeypatch.setattr(module, "MANY_ROWS", 2)
    monkeypatch.setattr(port, "SPARSE", 0.5)
    monkeypatch.setattr(port, "SLACK", 0)
    with lg.backend(GPU):
        for seed in range(4):
            agree(seed, FEW, [*range(N), N])


def test_algorithms_and_arrays_take_the_ordinary_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of many rows, few of which have entries, becomes one with an offset for each."""
    for module in (port, operands, gpu_backend):
        monkeypatch.setattr(module, "MANY_ROWS", 2)
    monkeypatch.setattr(port, "SPARSE", 0.5)

    def path() -> Any:
        A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 3], [1.0, 2, 4], nrows=9, ncols=9, backend=GPU)
        assert isinstance(A._store, Hypersparse)
        return A

    G = lg.Graph(path())
    assert lg.bfs(G, 0)[0].to_dict() == {0: 0, 1: 1, 2: 2, 3: 3}
    assert lg.sssp(G, 0)[0].to_dict() == {0: 0, 1: 1, 2: 3, 3: 7}
    start = lg.Vector.from_coo([1], [0.0], size=9, backend=GPU)
    assert lg.closure(start, path(), lg.semiring.min_plus).to_dict() == {1: 0, 2: 2, 3: 6}
    assert path().to_csr(device=True)[0].shape == (10,)
    assert path().to_csr()[0].tolist() == [0, 1, 2, 3, 3, 3, 3, 3, 3, 3]


def test_what_is_drawn() -> None:
    assert placed("a[[1, 2]] << b[[2, 1]]") == "a[[p[1], p[2]]] << b[[p[2], p[1]]]"
    assert placed("A[1:3, :] << 2") == "A[p[1]:p[3], :] << 2"
    assert placed("A << A.select('rowle', 3)") == "A << A.select('rowle', p[3])"
    assert len({tuple(spread(seed, TOP)) for seed in range(9)}) == 9
    for line in ("a << -3", "a(~x.S) << 2", "A(a.V, replace) << 0.5", "a(accum=binary.min) << 2"):
        assert FILL.search(line)
    for line in ("a << b", "a(x.S) << 2", "a(x.S, binary.plus, replace) << 2"):
        assert not FILL.search(line)


# --- single operations ---------------------------------------------------------------------------
@pytest.fixture
def A(backend: Any) -> Any:
    """Four entries in three rows and columns of 2⁶⁰."""
    rows, columns = [5, TOP // 2, TOP // 2, TOP - 1], [TOP // 2, 7, TOP // 2, 5]
    return lg.Matrix.from_coo(
        rows, columns, [1, 2, 3, 4], nrows=TOP, ncols=TOP, backend=backend
    )  # fmt: skip


@pytest.fixture
def v(backend: Any) -> Any:
    return lg.Vector.from_coo([5, TOP // 2, TOP - 1], [1.0, 2, 3], size=TOP, backend=backend)


@pytest.mark.parametrize("ring", ["firsti", "firstj1", "secondi", "secondj1"])
@pytest.mark.parametrize("kind", ["mxm", "mxv", "vxm"])
def test_products_that_read_positions(ring: str, kind: str, A: Any, v: Any) -> None:
    """Each product is the position of an edge, exactly, also where operands are floats."""
    semiring = getattr(lg.semiring, f"min_{ring}")
    left, right = {"mxm": (A, A), "mxv": (A, v), "vxm": (v, A)}[kind]
    found = semiring(left @ right).new()
    first, second = (entries_of(x, one) for x, one in ((left, kind == "vxm"), (right, False)))
    expected: dict[Any, int] = {}
    for i, k in first:
        for m, j in second:
            if k == m:
                at = {"firsti": i, "firstj1": k + 1, "secondi": k, "secondj1": j + 1}[ring]
                place = (i, j) if kind == "mxm" else j if kind == "vxm" else i
                expected[place] = min(expected.get(place, at), at)
    *places, values = found.to_coo()
    held = zip(*(p.tolist() for p in places)) if len(places) == 2 else places[0].tolist()
    assert dict(zip(held, values.tolist(), strict=True)) == expected


def entries_of(x: Any, as_row: bool) -> list[tuple[int, int]]:
    if len(x.shape) == 2:
        return list(x)
    return [(0, i) if as_row else (i, 0) for i in x]


def test_positions_as_values(A: Any, v: Any) -> None:
    row, column, _ = (axis.tolist() for axis in A.to_coo())
    assert A.apply(lg.indexunary.rowindex, 1).new().to_coo()[2].tolist() == [i + 1 for i in row]
    assert A.ewise_mult(A, lg.binary.secondj).new().to_coo()[2].tolist() == column
    assert A.ewise_add(A, lg.binary.firsti).new().to_coo()[2].tolist() == row
    w = lg.Vector.from_coo([6, TOP - 1], [1, 1], size=TOP, backend=v.backend)
    made = w.ewise_union(v, lg.binary.firsti1, 0, 0).new()
    assert made.to_dict() == {i: i + 1 for i in sorted({*v, *w})}
    assert w.ewise_add(v, lg.binary.secondi).new().to_dict() == {
        **v.to_dict(),
        6: 1,
        TOP - 1: TOP - 1,
    }
    assert v.apply(lg.indexunary.index).new().to_coo()[1].tolist() == list(v)
    assert A.select("tril", -1).new().to_coo()[2].tolist() == [2, 4]
    assert A.reduce_rowwise(lg.agg.argmax).new().to_coo()[1].tolist() == [TOP // 2, TOP // 2, 5]
    assert v.reduce(lg.agg.argmax).new().value == TOP - 1


@pytest.mark.parametrize("cut", [
    slice(6, None), slice(None, TOP // 2 + 1), slice(1, None, 2), slice(None, None, -1),
    slice(TOP - 1, 4, -TOP // 4 + 1), slice(TOP // 2, TOP // 2 + 3), slice(3, 10**7, 2),
])  # fmt: skip
def test_slices(cut: slice, A: Any, v: Any) -> None:
    chosen = range(*cut.indices(TOP))
    kept = {i: x for i, x in v.to_dict().items() if i in chosen}
    part = v[cut].new()
    assert part.to_dict() == {chosen.index(i): x for i, x in kept.items()}
    rows = A[cut, :].new()
    assert {chosen[i]: row for i, row in rows.to_dicts().items()} == {
        i: row for i, row in A.to_dicts().items() if i in chosen
    }
    assert A.T[:, cut].new().isequal(rows.T.new())
    w = lg.Vector.from_coo([5, 6, TOP // 2, TOP - 1], [7.0, 8, 9, 6], size=TOP, backend=v.backend)
    others = {i: x for i, x in w.to_dict().items() if i not in chosen}
    w[cut] << part
    assert w.to_dict() == others | kept
    C = lg.Matrix.from_coo([6, TOP - 2], [3, 5], 9, nrows=TOP, ncols=TOP, backend=v.backend)
    others_ = {i: row for i, row in C.to_dicts().items() if i not in chosen}
    C[cut, :] << rows
    assert C.to_dicts() == others_ | {i: r for i, r in A.to_dicts().items() if i in chosen}


def test_other_shapes(A: Any, v: Any, backend: Any) -> None:
    B = lg.Matrix.from_coo([3], [2], [1.0], nrows=2**29, ncols=2**29, backend=backend)
    C = lg.Matrix.from_coo([3, 4], [3, 1], [1.0, 2], nrows=2**30, ncols=2**30, backend=backend)
    made = B.kronecker(C).new()
    assert made.shape == (2**59, 2**59)
    assert set(made) == {(3 * 2**30 + 3, 2**31 + 3), (3 * 2**30 + 4, 2**31 + 1)}
    few = lg.Matrix.from_coo([1], [1], [2.0], nrows=2, ncols=2, backend=backend)
    assert set(few.kronecker(B).new()) == {(2**29 + 3, 2**29 + 2)}
    assert v.diag(0).diag(0).isequal(v) and A.diag(7 - TOP // 2).to_dict() == {7: 2}
    assert v.reposition(-6).new().to_dict() == {TOP // 2 - 6: 2, TOP - 7: 3}
    assert v.outer(v).new()[5, TOP - 1].get() == 3
    chosen = lg.Vector.from_coo([3, TOP // 2], [TOP - 1, 5], size=TOP, backend=backend).selector()
    assert lg.semiring.any_second(chosen @ v).new().to_dict() == {3: 3, TOP // 2: 1}
    half = TOP // 2
    parts = lg.split(A, [[half, half], None])
    assert lg.concat([[tile] for (tile,) in parts]).isequal(A)
    assert lg.concat(lg.split(v, [half, half])).isequal(v)
    A.resize(half + 1, 2**31)
    v.resize(6)
    assert A.to_dicts() == {half: {7: 2}} and v.to_dict() == {5: 1}
    A.resize(half + 1, 9)
    assert A.to_dicts() == {half: {7: 2}} and A.shape == (half + 1, 9)


def test_elements(A: Any, v: Any) -> None:
    assert (v[5].get(), v[-1].get(), v.get(6), A[TOP // 2, 7].get(), A.get(1, 1)) == (
        1, 3, None, 2, None,
    )  # fmt: skip
    v[6], A[1, 2] = 9, 8
    del v[5], A[TOP - 1, 5]
    assert v.to_dict() == {6: 9, TOP // 2: 2, TOP - 1: 3} and (TOP - 1, 5) not in A
    with pytest.raises(IndexOutOfBound):
        v[TOP]


@pytest.mark.parametrize("target", [CPU, GPU])
def test_from_one_place_to_another(target: Any, A: Any, v: Any) -> None:
    assert lg.Matrix.deserialize(A.serialize(), backend=target).to_dicts() == A.to_dicts()
    assert lg.Vector.deserialize(v.serialize(), backend=target).to_dict() == v.to_dict()
    assert A.to(target).backend is target and A.to(target).to_dicts() == A.to_dicts()
    assert lg.Matrix.from_graphblas(A.to_graphblas(), backend=target).to_dicts() == A.to_dicts()
    coo = A.to_scipy_sparse("coo")
    assert coo.shape == (TOP, TOP)
    assert lg.Matrix.from_scipy_sparse(coo, backend=target).to_dicts() == A.to_dicts()
    file = BytesIO()
    lg.io.mmwrite(file, A)
    file.seek(0)
    assert lg.io.mmread(file, backend=target).to_dicts() == A.to_dicts()
    again = lg.Matrix.from_dcsr(*A.to_dcsr(), nrows=TOP, ncols=TOP, backend=target)
    assert again.to_dicts() == A.to_dicts()
    assert repr(A.to(target)).splitlines()[0].startswith(f"Matrix: {TOP:,} × {TOP:,}, INT64, 4 ent")


def test_what_kernels_cannot_number_is_read_by_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels number fewer positions than lowerings of other backends."""
    monkeypatch.setattr(GPU.hypersparse, "limit", 50)
    parent = lg.Vector.from_coo([3, 70], [3, 3], size=99, backend=GPU)
    assert isinstance(parent._store, Hypersparse)
    assert lg.path_to(parent, 70) == [3, 70]
    assert np.flatnonzero(parent.to_dense(fill_value=0)).tolist() == [3, 70]


def test_a_closure_over_many_positions(A: Any, backend: Any) -> None:
    """It runs by its statements, which no lowering is asked for."""
    start = lg.Vector.from_coo([5], [0], size=TOP, backend=backend)
    found = lg.closure(start, A, lg.semiring.min_plus)
    assert found.to_dict() == {5: 0, 7: 3, TOP // 2: 1}


REFUSED = {
    "a size": lambda b, A, v: lg.Vector("FP64", TOP + 1, backend=b),
    "all of a vector as an array": lambda b, A, v: v.to_dense(0),
    "all of a matrix as an array": lambda b, A, v: A.to_dense(0),
    "an offset for each row": lambda b, A, v: A.to_csr(),
    "an offset for each column": lambda b, A, v: A.to_csc(),
    "one value at every other position": lambda b, A, v: v(~v.S) << 1,
    "one value at a long slice": lambda b, A, v: v.__setitem__(slice(1, None), 1),
    "a row that is full": lambda b, A, v: A[3, :] << 1,
    "a matrix that is full": lambda b, A, v: lg.Matrix.from_scalar(1, TOP, TOP, backend=b),
    "a graph": lambda b, A, v: lg.Graph(A),
    "a graph of n": lambda b, A, v: lg.Graph.from_edges([0], [1], n=2**31, backend=b),
    "a product": lambda b, A, v: A.kronecker(A),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what: str, backend: Any, A: Any, v: Any) -> None:
    before = A.to_dicts(), v.to_dict()
    with pytest.raises(TooLarge):
        REFUSED[what](backend, A, v)
    assert (A.to_dicts(), v.to_dict()) == before


def test_ids_beyond_a_graph_name_the_way_out(backend: Any) -> None:
    with pytest.raises(LagraphError, match="labels=True"):
        lg.Graph.from_edges([0], [2**40], backend=backend)
    G = lg.Graph.from_edges([0, 2**40], [2**40, 2**59], labels=True, backend=backend)
    assert G.n == 3


# --- memory --------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [2**31 - 2**24 - 1, 2**31 - 1, *SIZES])
def test_one_entry_needs_no_memory_for_the_others(n: int, backend: Any) -> None:
    """Under a limit that the offsets of a thousandth of the rows would exceed."""
    lg.set_memory_limit("4 GiB")
    taken = GPU.device.free_bytes
    try:
        A = lg.Matrix.from_coo([n - 1], [n - 2], [2.0], backend=backend)
        assert A.shape == (n, n - 1) and A.nvals == 1
        B = lg.Matrix.from_coo([n - 2], [n - 1], [3.0], nrows=n - 1, ncols=n, backend=backend)
        C = lg.semiring.plus_times(A @ B).new()
        C(accum=lg.binary.plus) << A.mxm(B)
        assert C.to_dicts() == {n - 1: {n - 1: 12.0}}
        assert C.T.new().select("tril").new().reduce_scalar().new().value == 12
        assert C.nvals == 1 and C.ewise_add(C, "plus").new().sum() == 24
    finally:
        lg.set_memory_limit(None)
    if backend is GPU and taken is not None:
        assert backend.matrix_bytes(C._store) < 1000


HYPERSPARSE: dict[str, Callable[..., Any]] = {
    "union": lambda A, B, M, v: lg.binary.minus(A | B).new(),
    "union with defaults": lambda A, B, M, v: lg.binary.minus(
        A | B, left_default=1, right_default=2
    ).new(),
    "intersection": lambda A, B, M, v: lg.binary.minus(A & B).new(),
    "union within a mask": lambda A, B, M, v: lg.binary.minus(A | B).new(mask=M.V),
    "product": lambda A, B, M, v: (A @ B.T).new(),
    "product within a mask": lambda A, B, M, v: (A @ B).new(mask=M.S),
    "product of transposes within a mask": lambda A, B, M, v: (A.T @ B.T).new(mask=~M.S),
    "replacing assignment": lambda A, B, M, v: into(A, B, mask=M.S, replace=True),
    "assignment off a mask": lambda A, B, M, v: into(A, B, mask=~M.S),
    "one value within a mask": lambda A, B, M, v: into(A, 5, mask=M.S),
    "sum": lambda A, B, M, v: into(A, B.T, accum=lg.binary.plus),
    "apply": lambda A, B, M, v: (A * 2).new(mask=M.S),
    "select": lambda A, B, M, v: into(A, B.select(">", 5), mask=M.V, accum=lg.binary.plus),
    "rows below": lambda A, B, M, v: into(A, B.select("rowle", 2**29), mask=M.S),
    "mxv": lambda A, B, M, v: (A @ v).new(),
    "vxm": lambda A, B, M, v: (v @ A).new(mask=v.S),
    "row sums": lambda A, B, M, v: A.T.reduce_rowwise().new(mask=~v.S),
    "rows": lambda A, B, M, v: A[sorted(v)[::-3], :].new(),
    "columns": lambda A, B, M, v: A[:, [7, *sorted(v)[::5]]].new(),
    "a block": lambda A, B, M, v: A[2**28 :, : 2**29].new(),
    "a row": lambda A, B, M, v: A[min(v), :].new(),
    "to a block": lambda A, B, M, v: into(A, 3, at=(sorted(v)[:9], sorted(v)[3:6])),
    "to rows within a mask": lambda A, B, M, v: into(
        A, B[sorted(v)[:50], :], at=(sorted(v)[:50], slice(None)), mask=M.S
    ),
    "diagonal": lambda A, B, M, v: B.diag(),
    **{
        f"{name} {k}": lambda A, B, M, v, name=name, k=k: A.select(name, k).new(mask=~M.S)
        for name in ("tril", "triu", "diag", "offdiag")
        for k in (-(2**29), -1, 0, 1, 12345, 2**62)
    },
    "row numbers": lambda A, B, M, v: A.apply("rowindex", 1).new(),
    "column numbers": lambda A, B, M, v: A.T.apply("colindex").new("INT32"),
    "the first column": lambda A, B, M, v: lg.semiring.min_firstj(A @ v).new(),
    "the last row from 1": lambda A, B, M, v: lg.semiring.max_secondi1(A @ B.T).new(mask=M.S),
}


def into(A: Any, value: Any, at: Any = ..., **settings: Any) -> Any:
    C = A.dup()
    C(**settings)[at] << value if at is not ... else C(**settings) << value
    return C


@pytest.mark.parametrize("what", HYPERSPARSE)
def test_statements_of_a_hypersparse_matrix_take_room_for_its_entries(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many entries, which the device sorts, among 2³⁰ rows and columns: nothing is allocated for
    rows without entries, nor for each pair of a row and a column in use."""
    monkeypatch.setattr(GPU.coordinates, "least", 0)
    n, m = 2**30, 400
    rng = np.random.default_rng(len(what))
    used = rng.choice(n, 300)
    made = []
    for backend in BOTH:
        drawn = np.random.default_rng(5)
        A, B, M = (
            lg.Matrix.from_coo(
                drawn.choice(used, m), drawn.choice(used, m), drawn.integers(0, 9, m),
                nrows=n, ncols=n, dup_op="plus", backend=backend,
            )
            for _ in range(3)
        )  # fmt: skip
        B[int(used[0]), int(used[0])] = 4
        v = A.reduce_rowwise().new()
        most = 2**20 if backend is GPU and hasattr(GPU.device, "room_of") else None
        with GPU.device.room_of(most) if most else contextlib.nullcontext():
            found = HYPERSPARSE[what](A, B, M, v)
            made.append(found.to_coo())
        if backend is GPU:
            assert isinstance(A._store, Hypersparse) and isinstance(found._store, Hypersparse)
    for ours, theirs in zip(*made, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_statements_of_ordinary_matrices_stay_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An output of many rows is hypersparse before it has entries, and so is nothing else:
    positions are read on the device."""
    for module in (port, operands, gpu_backend):
        monkeypatch.setattr(module, "MANY_ROWS", 2)
    i, j = np.nonzero(np.ones((6, 6)))
    A = lg.Matrix.from_coo(i, j, i - j, nrows=6, ncols=6, backend=GPU)
    assert isinstance(lg.Matrix("INT64", 6, 6, backend=GPU)._store, Hypersparse)
    downloads = []
    plain = GPU.device.download
    monkeypatch.setattr(GPU.device, "download", lambda x: downloads.append(x.size) or plain(x))
    lower, columns = A.select("tril").new(), A.apply("colindex").new()
    both = lg.binary.plus(lower | columns).new(mask=A.S)
    assert downloads and max(downloads) == 1
    assert not any(isinstance(X._store, Hypersparse) for X in (lower, columns, both))
    assert lower.nvals == 21 and both[3, 2].get() == 3


def test_ids_without_entries_are_forgotten() -> None:
    """Sums of many windows of which few entries stay do not grow."""
    total = lg.Vector("INT64", TOP, backend=GPU)
    for window in range(4):
        ids = np.arange(100) * 2**50 + window
        total(accum=lg.binary.plus) << lg.Vector.from_coo(ids, 1, size=TOP, backend=GPU)
        total << total.select("indexle", 5)
    assert total.to_dict() == {0: 1, 1: 1, 2: 1, 3: 1}
    assert total._store.ids[0].size <= 2 * 4 + port.SLACK


def test_lists_of_ids_go_with_the_last_matrix_that_has_them() -> None:
    """Nothing on a device waits for a collection of garbage."""
    A = lg.Matrix.from_coo([1, TOP - 1], [2, 5], [1.0, 2], nrows=TOP, ncols=TOP, backend=GPU)
    B = lg.Matrix.from_coo([1, 7], [2, 9], [1.0, 2], nrows=TOP, ncols=TOP, backend=GPU)
    gc.disable()
    try:
        C = lg.binary.plus(A | B).new()
        lists = [weakref.ref(ids) for ids in C._store.ids]
        del C
        assert [each() for each in lists] == [None, None]
    finally:
        gc.enable()


def test_awaited_scalars_are_not_looked_at() -> None:
    """Whether a statement meets a large container is asked without waiting."""
    large = lg.Vector.from_coo([TOP - 1], [2], size=TOP, backend=GPU)
    v = lg.Vector.from_coo([1], [2], size=5, backend=GPU)
    total = v.reduce("plus").new()
    waits = GPU.device.waits
    v << v.apply("plus", right=total)
    assert GPU.device.waits == waits
    assert (v.to_dict(), large.reduce("plus").new().value) == ({1: 4}, 2)


def test_a_long_slice_is_no_array() -> None:
    long = Progression(3, 2, TOP // 4)
    inside, numbers = long.numbers(np.array([1, 3, 4, 2**40 + 1, TOP]))
    assert inside.tolist() == [False, True, False, True, False]
    assert numbers.tolist() == [0, 2**39 - 1]
    assert np.asarray(Progression(9, -3, 4)).tolist() == [9, 6, 3, 0]
    assert Progression(9, -3, 4).slice == slice(9, None, -3)
    with pytest.raises(TooLarge, match="a slice of"):
        np.asarray(long)


def test_the_largest_size_is_that_of_python_graphblas() -> None:
    assert lg.MAX_SIZE == gb.MAX_SIZE == TOP
    assert resolve("cpu").name == "cpu"


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("dtype", ["INT32", "INT64", "FP32"])
def test_aggregators_find_entries_beyond_32_bits(dtype: str, backend: Any) -> None:
    """Positions of INT32 entries have 32 bits elsewhere, as in python-graphblas."""
    n, far = 2**33, 2**31 + 1
    u = lg.Vector.from_coo([5, far], [1, 2], dtype, size=n, backend=backend)
    A = lg.Matrix.from_coo([0, 0], [5, far], [1, 2], dtype, nrows=n, ncols=n, backend=backend)
    answers = {"first": 1, "last": 2, "argmax": far, "argmin": 5, "last_index": far}
    for name, answer in answers.items():
        found = getattr(lg.agg.ss, name)
        assert u.reduce(found).new().value == answer, name
        assert A.reduce_rowwise(found).new().to_coo()[1].tolist() == [answer], name
        assert A.T.reduce_columnwise(found).new().to_coo()[1].tolist() == [answer], name
    assert A.reduce_scalar(lg.agg.ss.last).new().value == 2
    assert u.reduce(lg.agg.ss.argmax["INT32"]).new().dtype == np.int32


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_one_value_in_a_slice_with_a_step_under_a_mask(backend: Any) -> None:
    """Only the positions of the mask are looked at; all of the slice need not fit into memory."""
    made = {0: 0, 4: 1, 5: 2, TOP - 1: 3}
    chosen = lg.Vector.from_coo([5, 8], [1, 1], size=TOP, backend=backend)
    answers: list[tuple[slice, dict[str, Any], dict[int, int]]] = [
        (slice(None, None, -2), {}, made | {5: 7, TOP - 1: 7}),
        (slice(None, None, 2), {"mask": chosen.S}, made | {8: 7}),
        (slice(None, None, 2), {"mask": chosen.S, "replace": True}, {5: 2, 8: 7}),
        (slice(1, None, 2**40), {"mask": chosen.S, "replace": True}, {5: 2}),
        (slice(None, None, 2), {"accum": "plus"}, made | {0: 7, 4: 8}),
    ]
    for cut, settings, right in answers:
        v = lg.Vector.from_coo([*made], [*made.values()], size=TOP, backend=backend)
        v(**{"mask": v.S} | settings)[cut] << 7
        assert v.to_dict() == right, (cut, settings)
    v = lg.Vector.from_coo([*made], [*made.values()], size=TOP, backend=backend)
    v(v.V)[::2] << 7  # by value: not where there is a 0
    assert v.to_dict() == made | {4: 7}
    A = lg.Matrix.from_coo([0, 2, 2], [1, 2, 5], 1, nrows=TOP, ncols=TOP, backend=backend)
    A(A.S)[::2, ::-2] << 7
    assert A.to_dicts() == {0: {1: 7}, 2: {2: 1, 5: 7}}


@pytest.mark.parametrize("backend", BOTH)
def test_a_part_without_positions_takes_no_time(backend: Any) -> None:
    """However many rows it has; and `replace` removes what it removes elsewhere."""
    at = [1, 2**59]
    A = lg.Matrix.from_coo(at, at, [5, 7], nrows=TOP, ncols=TOP, backend=backend)
    before = A.to_coo()[2].tolist()
    del A[: TOP - 1, 5:5]
    A[5:2, : TOP - 1] << A[5:2, : TOP - 1]
    del A[:, []]
    assert A.to_coo()[2].tolist() == before
    w = lg.Vector.from_coo([0, 1, 3], [1, 2, 3], size=5, backend=backend)
    mask = lg.Vector.from_coo([0, 3], [True, False], size=5, backend=backend)
    w(mask.V, "plus", lg.replace)[2:2] << 9
    assert w.to_dict() == {0: 1}
    w[2:2](lg.Vector(bool, 0, backend=backend).S, lg.replace) << 9
    assert w.to_dict() == {0: 1}
