"""Contractions: tables over them are the tables without, on both backends; files; refusals."""

from __future__ import annotations

import inspect
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.algorithms.paths.contraction import ARRAYS, NEVER
from lagraph_gpu.convert import serialize
from lagraph_gpu.cpu.loops import contraction_sweeps as cpu_sweeps
from lagraph_gpu.errors import (
    DistanceOverflow,
    FormatError,
    InvalidValue,
    NegativeWeight,
    TooLarge,
    WrongType,
)
from lagraph_gpu.gpu.multi_source import contraction_sweeps
from tests import graphs
from tests.algorithms.test_distances import expected, on_host, vertices
from tests.harness import BOTH, CPU, GPU, reseed
from tests.strategies import examples, random_graphs, seeds

INF = float("inf")
cores = st.sampled_from([0, 1, 2, 5, 512])


@pytest.fixture(params=BOTH, ids=lambda b: b.name)
def backend(request: Any) -> Any:
    reseed(1)
    return request.param


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "FP64", "UINT8", "BOOL"])
@examples(20)
@given(data=st.data(), cutoff=st.none() | st.sampled_from([0, 1, 3.5, 12, INF]), seed=seeds)
def test_drawn(dtype: str, data: Any, cutoff: Any, seed: int) -> None:
    """Directed and undirected, in parts, with loops and weights of 0; sources and targets twice."""
    example = data.draw(random_graphs(dtype))
    hops = data.draw(st.booleans())
    sources = data.draw(vertices(example.n))
    targets = data.draw(st.none() | vertices(example.n, 9))
    right = expected(example, sources, targets, cutoff, hops)
    weight = None if hops else "weight"
    made = [lg.contract(example.graph(CPU), weight, core=data.draw(cores))]
    reseed(seed)
    if data.draw(st.booleans()):
        made.append(lg.contract(example.graph(GPU), weight, core=made[0].core))
    for backend in BOTH:
        G = example.graph(backend)
        for P in made:
            table = on_host(lg.distance_matrix(G, sources, targets, cutoff, weight, contraction=P))
            np.testing.assert_array_equal(table, right)
            assert table.dtype == lg.distance_matrix(G, [], targets, cutoff, weight).dtype


def cores_of(example: graphs.Example) -> tuple[int, ...]:
    """How many vertices to leave: none, few and many; of a large graph many, because the last
    vertices of one without order are each joined with all others."""
    return (0, 2, 512) if example.n < 1000 else (512,)


@pytest.mark.parametrize("example", graphs.BATTERY, ids=str)
def test_battery(example: graphs.Example) -> None:
    """Every graph, from all of its vertices or many, to few vertices of a core and to it alone."""
    if example.smallest < 0:
        pytest.skip("weights below 0 are refused, as test_refused sees")
    G = example.graph(CPU)
    whole = all(w == int(w) for _, _, w in example.edges)
    if not whole:
        with pytest.raises(InvalidValue, match="whole numbers"):
            lg.contract(G)
    many = np.arange(0, G.n, 1 + G.n // 1000)
    for weight in ("weight", None) if whole else (None,):
        right = lg.distance_matrix(G, many, weight=weight)
        for core in cores_of(example):
            P = lg.contract(G, weight, core=core)
            assert P.n == G.n and P.core >= min(core, G.n) * (P.levels == 0)
            np.testing.assert_array_equal(
                lg.distance_matrix(G, many, weight=weight, contraction=P), right
            )
    reseed(2)
    few = [0, many.size // 2, many.size - 1] if example.n else []
    G = example.graph(GPU)
    table = on_host(lg.distance_matrix(G, many[few], weight=None, contraction=P))
    np.testing.assert_array_equal(table, right[few])


def town(backend: Any, side: int = 7, weights: Any = "integer") -> lg.Graph:
    return lg.grid(side, side, removed=0.2, seed=4, weights=weights, backend=backend)


def test_the_same_on_both_backends() -> None:
    """The order is that of the CPU: it hangs on degrees and ids alone."""
    here, there = (lg.contract(town(b), core=3) for b in BOTH)
    assert here.digest == there.digest == town(CPU).digest and repr(here) == repr(there)
    np.testing.assert_array_equal(here.order, there.order)
    for ours, theirs in zip((here.up, here.down), (there.up, there.down), strict=True):
        rows = np.repeat(np.arange(ours.indptr.size - 1), np.diff(ours.indptr))
        by_end = (np.lexsort((f.ends, rows)) for f in (ours, theirs))
        a, b = (f.lengths[at] for f, at in zip((ours, theirs), by_end))
        np.testing.assert_array_equal(ours.indptr, theirs.indptr)
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("count", [1, 16, 17, 31, 32, 33, 64, 65, 129, 300])
def test_batches(backend: Any, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sources, that fill their lanes or do not; and several batches."""
    G = town(backend, 7)
    P, right = lg.contract(town(CPU, 7), core=4), lg.distance_matrix(town(CPU, 7))
    sources = np.random.default_rng(count).integers(0, G.n, count)
    for most in (1024, 70):
        monkeypatch.setattr(GPU.contraction_sweeps, "max_sources", most)
        table = on_host(lg.distance_matrix(G, sources, contraction=P))
        np.testing.assert_array_equal(table, right[sources])
    few = [G.n - 1, 0, 0]
    made = [on_host(b.distances) for b in
            lg.iter_distances(G, sources, few, memory=100_000, contraction=P)]  # fmt: skip
    np.testing.assert_array_equal(np.concatenate(made), right[sources][:, few])


def test_long_paths_take_64_bits(backend: Any) -> None:
    """Beyond 2³⁰: sums in 32 bits would wrap, or be taken for no path."""
    edges = graphs.path(71)
    for heavy, dtype in ((2**30 // 400, "int32"), (2**30 - 1, "int64"), (2**40, "int64")):
        G = lg.Graph.from_edges(*edges, np.full(70, heavy), directed=False, backend=backend)
        P = lg.contract(G, core=0)
        assert P.dtype == dtype and P.farthest >= 70 * heavy and P.never == NEVER[P.dtype]
        for count in (2, 70):
            table = on_host(lg.distance_matrix(G, range(count), contraction=P))
            right = heavy * abs(np.arange(71) - np.arange(count)[:, None])
            np.testing.assert_array_equal(table, right)
        limit = 3 * heavy
        near = on_host(lg.distance_matrix(G, [0], cutoff=limit, contraction=P))
        assert np.isfinite(near).sum() == 4
        assert np.isfinite(on_host(lg.distance_matrix(G, [0], cutoff=1e30, contraction=P))).all()


def test_a_cutoff_is_of_the_weights_type(backend: Any) -> None:
    """As a search has it: FP32 takes 2.99999999 for 3, and 1e300 for no bound."""
    for dtype, hits in ((np.float32, 4), (np.float64, 3), (np.int32, 3)):
        weights = np.array([1, 1, 1, 2, 2], dtype)
        G = lg.Graph.from_edges(range(5), range(1, 6), weights, backend=backend)
        P = lg.contract(G, core=1)
        for cutoff, count in ((2.99999999, hits), (1e300, 6)):
            near = on_host(lg.distance_matrix(G, [0], cutoff=cutoff, contraction=P))
            np.testing.assert_array_equal(near, on_host(lg.distance_matrix(G, [0], cutoff=cutoff)))
            assert np.isfinite(near).sum() == count


def test_edges_of_what_can_be_asked(backend: Any) -> None:
    empty = lg.Graph.from_edges([], [], n=0, backend=backend)
    P = lg.contract(empty)
    assert (P.n, P.levels, P.arcs, P.core) == (0, 0, 0, 0)
    assert on_host(lg.distance_matrix(empty, contraction=P)).shape == (0, 0)
    lonely = lg.Graph.from_edges([0], [0], [3], n=1, backend=backend)
    for core in (0, 1):
        P = lg.contract(lonely, core=core)
        assert on_host(lg.distance_matrix(lonely, [0, 0], contraction=P)).tolist() == [[0], [0]]
        assert on_host(lg.distance_matrix(lonely, [], contraction=P)).shape == (0, 1)
        assert on_host(lg.distance_matrix(lonely, [0], [], contraction=P)).shape == (1, 0)
    blocks = list(lg.iter_distances(lonely, [0, 0], memory=8 + 2 * 8 * 128, contraction=P))
    assert [b.distances.shape for b in blocks] == [(1, 1), (1, 1)]


def test_a_graph_without_weights_counts(backend: Any) -> None:
    """Then weight= says nothing, and either contraction serves both."""
    G, weighted = town(backend, 5, None), town(backend, 5)
    P = lg.contract(G)
    assert P.counted and lg.contract(G, None).digest == P.digest
    table = on_host(lg.distance_matrix(G, [0], weight=None, contraction=P))
    np.testing.assert_array_equal(table, on_host(lg.distance_matrix(G, [0])))
    Q = lg.contract(weighted, None)
    assert Q.counted and Q.digest != P.digest and not lg.contract(weighted).counted


def longest(G: lg.Graph) -> float:
    table = lg.distance_matrix(G)
    return table.max(initial=0, where=np.isfinite(table))


@pytest.mark.parametrize("example", graphs.BATTERY, ids=str)
def test_the_farthest(example: graphs.Example) -> None:
    """A bound of every distance; a good one where every edge leads both ways."""
    G = example.graph(CPU)
    hops = longest_hops(G)
    for core in cores_of(example):
        assert lg.contract(G, None, core=core).farthest >= hops
    if example.smallest >= 0 and all(w == int(w) for _, _, w in example.edges):
        length = longest(G)
        for core in cores_of(example):
            assert lg.contract(G, core=core).farthest >= length


def test_the_farthest_of_a_town() -> None:
    G = town(CPU, 25)
    assert longest(G) <= lg.contract(G, core=50).farthest <= 2 * longest(G)


def longest_hops(G: lg.Graph) -> float:
    return longest(lg.Graph(G.A.apply("one").new("INT64")))


def test_arcs_longer_than_all_distances(backend: Any) -> None:
    """A ring with one heavy edge: shortcuts over that are longer than 32 bits hold, and of no use,
    for no distance is."""
    n, heavy = 40, 2**31 + 5
    ends = np.arange(n)
    weights = np.where(ends == n - 1, heavy, 1)
    G = lg.Graph.from_edges(ends, (ends + 1) % n, weights, directed=False, backend=backend)
    P = lg.contract(G, core=0)
    assert P.dtype == "int32" and P.farthest < 10 * n
    assert max(P.up.lengths) == P.never
    right = np.abs(ends[:, None] - ends)
    np.testing.assert_array_equal(on_host(lg.distance_matrix(G, contraction=P)), right)


# --- what is refused -----------------------------------------------------------------------------


def test_wrong_graph(backend: Any) -> None:
    G = town(backend)
    P, digest = lg.contract(G), G.digest
    other = town(backend, 8)
    one_weight = G.A.dup()
    row, column, value = (x[0] for x in one_weight.to_coo())
    one_weight[row, column] << value + 1
    typed = lg.Graph(G.A.dup("FP64"))
    for wrong in (other, lg.Graph(one_weight), typed):
        with pytest.raises(
            InvalidValue, match=f"digest is {wrong.digest}, got .* {digest}; .*again"
        ):
            lg.distance_matrix(wrong, [0], contraction=P)
        with pytest.raises(InvalidValue, match="again"):
            lg.iter_distances(wrong, [0], contraction=P)
    with pytest.raises(InvalidValue, match=r"weight=None for .*, got one with weight='weight'"):
        lg.distance_matrix(G, [0], weight=None, contraction=P)
    with pytest.raises(InvalidValue, match=r"got one with weight=None; .*contract\(G, weight='we"):
        lg.distance_matrix(G, [0], contraction=lg.contract(G, None))
    with pytest.raises(WrongType, match=r"what lg\.contract"):
        lg.distance_matrix(G, [0], contraction="NY.npz")  # type: ignore[arg-type]
    again = on_host(lg.distance_matrix(G, [3], contraction=P))  # nothing is lost
    np.testing.assert_array_equal(again, on_host(lg.distance_matrix(G, [3])))


def test_refused(backend: Any) -> None:
    def path(*weights: Any) -> lg.Graph:
        ends = np.arange(len(weights))
        return lg.Graph.from_edges(ends, ends + 1, np.array(weights), backend=backend)

    with pytest.raises(NegativeWeight, match="a contraction"):
        lg.contract(path(1, -1))
    assert lg.contract(path(1, -1), None, core=0).arcs == 2
    with pytest.raises(InvalidValue, match=r"whole numbers.*round differently.*FP64 with fr"):
        lg.contract(path(1.0, 0.5))
    with pytest.raises(InvalidValue, match="whole numbers"):
        lg.contract(path(1e300))
    with pytest.raises(InvalidValue, match=r"FP32 holds exactly, up to 16,777,216.*16,777,217"):
        lg.contract(path(np.float32(2**24), np.float32(1)))
    assert lg.contract(path(np.float32(2**24 - 1), np.float32(1))).farthest == 2**24
    with pytest.raises(DistanceOverflow, match="exact number of FP64"):
        lg.contract(path(2**52 + 1, 1))
    with pytest.raises(DistanceOverflow, match=r"shorter than 2\*\*62"):
        lg.contract(path(*np.full(600, 2.0**53)))
    for wrong in (-1, True, 2.5):
        with pytest.raises(InvalidValue, match="expected core as an integer"):
            lg.contract(path(1), core=wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="expected weight"):
        lg.contract(path(1), weight="length")


def test_what_does_not_stay_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dense rest becomes the core, if it is no larger than a core may be, and is refused else."""
    G = lg.random_graph(600, 12_000, seed=2, weights="integer", backend=CPU)
    limits = inspect.unwrap(lg.contract).__globals__
    for limit, value in (("CORE", 100), ("ROUND_SHARE", 256)):
        monkeypatch.setitem(limits, limit, value)
    P = lg.contract(G, core=10)
    assert 256 < P.core < 600
    right = lg.distance_matrix(G, [5, 77])
    np.testing.assert_array_equal(lg.distance_matrix(G, [5, 77], contraction=P), right)
    for limit, value in (("LARGEST_CORE", 300), ("SPARE_ARCS", -90_000)):
        with monkeypatch.context() as patch:
            patch.setitem(limits, limit, value)
            with pytest.raises(
                TooLarge, match=r"of 600 vertices were eliminated, the other .* arcs"
            ):
                lg.contract(G, core=10)


# --- on the disk ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["town.npz", "town", "town.npz.gz"])
def test_round_trip(backend: Any, name: str, tmp_path: Path) -> None:
    for G in (town(backend), directed(backend)):
        P = lg.contract(G, core=6)
        P.save(tmp_path / name)
        Q = lg.Contraction.load(tmp_path / name)
        assert repr(Q) == repr(P) and (Q.digest, Q.dtype, Q.counted) == (P.digest, P.dtype, False)
        assert (Q.up is Q.down) == (P.up is P.down) == (not G.directed)
        table = on_host(lg.distance_matrix(G, contraction=Q))
        np.testing.assert_array_equal(table, on_host(lg.distance_matrix(G)))
        with pytest.raises(ValueError, match="read-only"):
            Q.order[0] = 1


def directed(backend: Any) -> lg.Graph:
    return lg.random_graph(40, 90, seed=3, directed=True, weights="integer", backend=backend)


def test_damaged_files(tmp_path: Path) -> None:
    """Cut off anywhere, or with any byte altered that matters: refused, and the file is named."""
    path, G = tmp_path / "P.npz", directed(CPU)
    lg.contract(G, core=6).save(path)
    whole, right = path.read_bytes(), lg.distance_matrix(G)
    rng = np.random.default_rng(0)
    for end in rng.integers(0, len(whole) - 1, 20):
        path.write_bytes(whole[:end])
        with pytest.raises(FormatError, match=r"P\.npz"):
            lg.Contraction.load(path)
    refused = 0
    for at in rng.integers(0, len(whole), 60):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            P = lg.Contraction.load(path)
        except FormatError as problem:
            assert "P.npz" in str(problem)
            refused += 1
        else:  # in what zip does not read, such as a date
            np.testing.assert_array_equal(lg.distance_matrix(G, contraction=P), right)
    assert refused > 40
    path.write_bytes(G.A.serialize())
    with pytest.raises(
        FormatError, match="expected a serialized contraction, got 'lagraph-gpu mat"
    ):
        lg.Contraction.load(path)
    path.write_text("0 1\n")
    with pytest.raises(FormatError, match=r"P\.npz: expected .* a contraction that.*\(no archive"):
        lg.Contraction.load(path)
    with pytest.raises(FormatError, match="this is a directory; expected a contraction"):
        lg.Contraction.load(tmp_path)
    with pytest.raises(FormatError, match="nowhere"):
        lg.Contraction.load(tmp_path / "nowhere.npz")
    with pytest.raises(FormatError, match="no folder"):
        lg.contract(G).save(tmp_path / "no" / "P.npz")


ALTERATIONS = {
    "a vertex twice": ("order", lambda a: np.r_[a[1], a[1:]]),
    "an order of floats": ("order", lambda a: a.astype(float)),
    "levels that fall": ("begins", lambda a: np.r_[a[0], a[2], a[1], a[3:]]),
    "levels beyond the core": ("begins", lambda a: a + 1),
    "no levels": ("begins", lambda a: a[:0]),
    "too few rows": ("up_indptr", lambda a: a[:-1]),
    "rows that fall": ("down_indptr", lambda a: np.r_[a[0], a[-1], a[2:]]),
    "rows beyond the arcs": ("down_indptr", lambda a: np.r_[a[:-1], a[-1] + 1]),
    "an arc within a level": ("up_ends", lambda a: np.r_[np.int32(1), a[1:]]),
    "an arc to nowhere": ("down_ends", lambda a: np.r_[np.int32(40), a[1:]]),
    "an end too few": ("down_ends", lambda a: a[1:]),
    "a negative length": ("up_lengths", lambda a: np.r_[np.int32(-1), a[1:]]),
    "lengths of another type": ("up_lengths", lambda a: a.astype(np.int64)),
    "lengths of floats": ("down_lengths", lambda a: a.astype(float)),
    "a length beyond all": ("down_lengths", lambda a: np.r_[np.int32(2**30), a[1:]]),
    "a core that is no square": ("core", lambda a: a[1:]),
    "a core of another type": ("core", lambda a: a.astype(float)),
    "a core with ways home": ("core", lambda a: a + 1),
    "a negative way": ("core", lambda a: -a),
    "two answers to one question": ("counted", lambda a: np.r_[a, a]),
}


@pytest.mark.parametrize("what", ALTERATIONS)
def test_altered_arrays(what: str, tmp_path: Path) -> None:
    name, alter = ALTERATIONS[what]
    path = tmp_path / "P.npz"
    lg.contract(directed(CPU), core=6).save(path)
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files}
    assert zipfile.is_zipfile(path) and np.array_equal(arrays["begins"][:1], [0])
    np.savez(path, **arrays)
    lg.Contraction.load(path)  # unaltered
    arrays[name] = alter(arrays[name])
    np.savez(path, **arrays)
    with pytest.raises(FormatError, match="altered arrays: their digest"):
        lg.Contraction.load(path)
    path.write_bytes(serialize.of_contraction(40, {key: arrays[key] for key in ARRAYS}))
    with pytest.raises(FormatError, match="altered arrays"):  # also under a digest of them
        lg.Contraction.load(path)


@pytest.mark.parametrize("name", ["up_lengths", "down_lengths", "core", "digest", "counted"])
def test_arrays_that_could_be_those_of_a_contraction_but_were_altered(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "P.npz"
    lg.contract(directed(CPU), core=6).save(path)
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files}
    if name == "digest":
        arrays[name] = np.array(str(arrays[name])[::-1])
    elif name == "counted":
        arrays[name] = ~arrays[name]
    else:
        at = np.flatnonzero((arrays[name] > 1) & (arrays[name] < 1000))[0]
        arrays[name].flat[at] -= 1
    np.savez(path, **arrays)
    with pytest.raises(FormatError, match=r"P\.npz: .*altered arrays.*lg\.contract\(G\)"):
        lg.Contraction.load(path)


def test_a_file_of_the_version_before(tmp_path: Path) -> None:
    path = tmp_path / "P.npz"
    lg.contract(directed(CPU), core=6).save(path)
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files if key != "seal"}
    np.savez(path, **arrays | {"version": np.array(1)})
    with pytest.raises(FormatError, match=r"version 2 of the format, got 1; .* make it again"):
        lg.Contraction.load(path)


def test_a_schedule_beside_a_contraction_is_refused(backend: Any) -> None:
    G = town(backend)
    with pytest.raises(InvalidValue, match="no schedule beside a contraction"):
        lg.distance_matrix(G, [0], schedule=lg.Schedule(order="delta"), contraction=lg.contract(G))


# --- how it is carried out -----------------------------------------------------------------------


def test_the_way_is_told(backend: Any) -> None:
    G = town(backend)
    P = lg.contract(G, core=5)
    with lg.explain() as told:
        lg.distance_matrix(G, [0, 1, 2], contraction=P)
    (choice,) = told.choices
    assert choice.what == "table of 3 sources" and "two sweeps" in choice.chosen
    assert choice.facts == {"levels": P.levels, "arcs": P.arcs, "core": P.core}
    assert (
        f"{P.arcs:,} arcs in {P.levels} levels, and a core of {P.core} vertices" in choice.because
    )


def test_a_failure_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for the room of one that failed go on."""
    P, G = lg.contract(town(CPU), core=5), town(CPU)

    def fail(*_: Any) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(cpu_sweeps, "threads_for", lambda jobs: 2)
    monkeypatch.setattr(cpu_sweeps, "LANES", 1)
    with monkeypatch.context() as failing, pytest.raises(MemoryError, match="no room"):
        failing.setattr(cpu_sweeps, "upward_sweep", fail)
        lg.distance_matrix(G, contraction=P)
    np.testing.assert_array_equal(
        on_host(lg.distance_matrix(G, contraction=P)), on_host(lg.distance_matrix(G))
    )


def test_progress_is_reported() -> None:
    heard: list[tuple[int, int]] = []
    P = lg.contract(town(CPU), core=5, progress=lambda done, n: heard.append((done, n)))
    assert [done for done, _ in heard] == P.begins[1:].tolist()
    assert {n for _, n in heard} == {P.n}


def test_a_device_without_room_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    G = town(GPU)
    P = lg.contract(town(CPU), core=5)
    right = lg.distance_matrix(town(CPU), [0, 7])
    monkeypatch.setattr(GPU, "launch_resident", lambda *args, **more: False)
    with lg.explain() as told:
        table = on_host(lg.distance_matrix(G, [0, 7], contraction=P))
    np.testing.assert_array_equal(table, right)
    assert not any("sweeps" in choice.chosen for choice in told.choices)


def test_few_targets_need_few_vertices() -> None:
    """The way down visits only what lies above the targets; and both backends mean the same."""
    from lagraph_gpu.cpu.loops.contraction_sweeps import ancestors as compiled

    P = lg.contract(town(CPU, 20), core=10)
    for target in (0, 199, 399):
        at = P.place[[target]]
        above = contraction_sweeps.ancestors(P, at)
        assert above.size < P.n / 4
        np.testing.assert_array_equal(above, compiled(P, at))
