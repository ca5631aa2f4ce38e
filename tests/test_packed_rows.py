"""Packed rows as users meet them: the same graph and answers, less memory, clear errors."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.convert.packed_arrays import SEGMENT_ENTRIES
from lagraph_gpu.errors import FormatError, InvalidValue, TooLarge
from lagraph_gpu.gpu.generate import kronecker_rows
from lagraph_gpu.io import saved_folder
from lagraph_gpu.verify import Rules
from tests.graphs import skewed_pairs
from tests.harness import BOTH, CPU, GPU
from tests.strategies import examples, seeds


def drawn(seed: int, n: int, m: int, backend: Any, weights: bool = False) -> lg.Graph:
    rng = np.random.default_rng(seed)
    u, v = skewed_pairs(n, m, rng)
    values = rng.integers(1, 9, m) if weights else None
    keep = u != v
    values = values if values is None else values[keep]
    return lg.Graph.from_edges(u[keep], v[keep], values, n, False, "first", backend=backend)


@examples(10)
@given(seed=seeds, n=st.integers(1, 90), m=st.integers(0, 400))
def test_the_same_graph(seed: int, n: int, m: int) -> None:
    G = drawn(seed, n, m, GPU)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    P, source = G.prepared(layout="packed"), seed % n
    for X, Y in ((H, K), (G, P)):
        level, parent = lg.bfs(Y, source)
        assert level.isequal(lg.bfs(X, source)[0])
        Rules(X).bfs(source, level, parent)
    assert K.out_degree.isequal(H.out_degree)
    assert K.A._store.stays_packed
    assert K.digest == H.digest and (K.ids.to_dense() == H.ids.to_dense()).all()


def test_it_takes_less_memory() -> None:
    G = lg.kronecker(11, backend=GPU)
    plain, packed = G.relabel("degree"), G.relabel("degree", layout="packed")
    assert packed.nbytes < 0.5 * plain.nbytes
    held = packed.nbytes
    assert packed.A.to_coo()[0].size == G.A.nvals  # makes compressed rows, which are kept
    assert packed.nbytes > held + plain.nbytes // 2


@examples(10)
@given(seed=seeds, n=st.integers(1, 90), m=st.integers(0, 400))
def test_components(seed: int, n: int, m: int) -> None:
    G = drawn(seed, n, m // 4, GPU)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    assert lg.connected_components(K).isequal(lg.connected_components(H))
    assert K.A._store.stays_packed


@examples(15)
@given(seed=seeds, n=st.integers(1, 90), m=st.integers(0, 400))
def test_saved_and_opened(seed: int, n: int, m: int, tmp_path_factory: Any) -> None:
    """On the GPU as it was, on the CPU decoded."""
    G, place = drawn(seed, n, m, GPU), tmp_path_factory.mktemp("graphs")
    saves(G, place, seed % 2 == 0)


def test_long_rows_are_saved(tmp_path: Path) -> None:
    """A hub of two segments, rows of more than 32 gaps, and quarters that are not full."""
    rng, n = np.random.default_rng(0), 2 * SEGMENT_ENTRIES
    i = np.repeat(np.arange(40), np.r_[SEGMENT_ENTRIES + 130, np.arange(190, 151, -1)])
    j = np.r_[40 : 170 + SEGMENT_ENTRIES, rng.integers(40, n, i.size - SEGMENT_ENTRIES - 130)]
    G = lg.Graph.from_edges(i, j, n=n, directed=False, dup="first", backend=GPU)
    saves(G, tmp_path, True)
    assert np.load(next((tmp_path / "packed").glob("segments*")))[1] == 2


def saves(G: lg.Graph, place: Path, verify: bool) -> None:
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    K.save(place / "packed")
    for backend in BOTH:
        opened = lg.open(place / "packed", verify=verify, backend=backend)
        assert opened.digest == H.digest and opened.nloops == H.nloops
        np.testing.assert_array_equal(opened.ids.to_dense(), H.ids.to_dense())
        if backend is GPU:  # before anything asked for compressed rows
            again = lg.open(place / "packed", verify=verify, backend=backend)
            assert again.A._store.stays_packed and again.nbytes <= K.nbytes
            assert lg.bfs(again, 0)[0].isequal(lg.bfs(H, 0)[0])
        for mine, theirs in zip(opened.A.to_csr(), H.A.to_csr(), strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert K.A._store.stays_packed


BROKEN: dict[str, tuple[str, int, Any, str]] = {
    "a row that begins elsewhere": ("groups", 0, 7, "begins where the one before ends"),
    "a segment that begins elsewhere": (
        "segment",
        1,
        475 << 48 | 9,
        "begins where the one before ends",
    ),
    "a segment of too many": ("segment", 0, SEGMENT_ENTRIES + 1 << 48, "segments have entries"),
    "segments of no row": ("segments", 1, 5000, "in order of rows"),
    "a gap of too many bits": ("tails", -1, 200 << 8 | 1, "at most 31 bits"),
    "too many gaps": ("tails", -1, 255, "at most 128 gaps"),
    "a column outside": ("first", -1, ~(1 << 20), "first columns are vertices"),
    "a column before the first": ("stream", 0, 0x80000000, "columns"),
    "a lonely column": ("first", -1, 0, "says whether others follow"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(("backend", "verify"), [(CPU, True), (GPU, False)], ids=["cpu", "gpu"])
def test_arrays_that_are_no_packed_rows(
    name: str, backend: Any, verify: bool, tmp_path: Path
) -> None:
    """The digests are right, so someone means it; and nothing outside the arrays is read."""
    rng, n = np.random.default_rng(1), SEGMENT_ENTRIES + 476
    i, j = np.repeat(np.arange(40), 160), rng.integers(40, n, 6400)
    hub = np.arange(1, n)
    G = lg.Graph.from_edges(np.r_[i, 0 * hub], np.r_[j, hub], n=n, directed=False, dup="first",
                            backend=GPU)  # fmt: skip
    G.relabel("degree", layout="packed").save(tmp_path / "packed")
    which, at, to, message = BROKEN[name]
    manifest = json.loads((tmp_path / "packed/graph.json").read_text())
    old = tmp_path / "packed" / saved_folder.file_name(which, manifest["arrays"][which])
    array = np.load(old)
    array[at] = np.array(to).astype(array.dtype)
    manifest["arrays"][which] = saved_folder.described(array)
    np.save(tmp_path / "packed" / saved_folder.file_name(which, manifest["arrays"][which]), array)
    (tmp_path / "packed/graph.json").write_text(json.dumps(manifest))
    with pytest.raises(FormatError, match=f"describe no graph: .*{message}"):
        lg.open(tmp_path / "packed", verify=verify, backend=backend)


def test_a_manifest_of_packed_rows(tmp_path: Path) -> None:
    drawn(2, 60, 300, GPU).relabel("degree", layout="packed").save(tmp_path / "packed")
    text = (tmp_path / "packed/graph.json").read_text()
    said = json.loads(text)
    assert said["version"] == 9
    for change, message in (
        ({"version": 1}, "the arrays"), ({"directed": True}, "expected an undirected graph"),
    ):  # fmt: skip
        (tmp_path / "packed/graph.json").write_text(json.dumps({**said, **change}))
        with pytest.raises(FormatError, match=message):
            lg.open(tmp_path / "packed", backend="cpu")
    (tmp_path / "packed/graph.json").write_text(text)
    (file,) = (tmp_path / "packed").glob("stream-*")
    content = bytearray(file.read_bytes())
    content[-20] ^= 1
    file.write_bytes(content)
    with pytest.raises(FormatError, match="it is altered"):
        lg.open(tmp_path / "packed", backend="cpu")


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_bad_input(backend: Any) -> None:
    G = drawn(1, 20, 40, backend)
    D = lg.Graph.from_edges([0, 1], [1, 2], backend=backend)
    for how in (G.relabel, G.prepared):
        with pytest.raises(
            InvalidValue, match="expected the layout as None or 'packed', got 'csr'"
        ):
            how("degree", layout="csr")
        with pytest.raises(InvalidValue, match="falls, got the order 'bfs'"):
            how("bfs", layout="packed")
        with pytest.raises(InvalidValue, match="falls, got a permutation"):
            how(np.arange(20), layout="packed")
    with pytest.raises(InvalidValue, match="falls, got a directed graph"):
        D.relabel("degree", layout="packed")
    with pytest.raises(InvalidValue, match="expected the layout as 'degree' or 'packed', got 'x'"):
        lg.kronecker(4, layout="x", backend=backend)  # type: ignore[arg-type]
    with pytest.raises(
        InvalidValue, match="expected weights as None, 'uniform' or 'integer', got 'x'"
    ):
        lg.kronecker(4, weights="x", layout="packed", backend=backend)  # type: ignore[arg-type]


def test_weights() -> None:
    """They are stored as narrow as they are, and read so; a prepared graph reads them elsewhere."""
    G = drawn(3, 50, 200, GPU, weights=True)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    rows = K.A._store.packed
    assert rows.weights.values.dtype == np.uint8 and K.nbytes < 0.5 * H.nbytes
    distance, parent = lg.sssp(K, 4)
    assert distance.isequal(lg.sssp(H, 4)[0])
    Rules(H).sssp(4, distance, parent)
    assert K.out_degree.isequal(H.out_degree) and lg.bfs(K, 4)[0].isequal(lg.bfs(H, 4)[0])
    assert K.A._store.stays_packed
    with lg.explain() as told:
        lg.sssp(K, 4)
    assert "by delta over packed rows, in one kernel" in str(told)
    for mine, theirs in zip(K.A.to_csr(), H.A.to_csr(), strict=True):  # makes compressed rows
        np.testing.assert_array_equal(mine, theirs)
    P = G.prepared(layout="packed")
    assert lg.sssp(P, 4)[0].isequal(lg.sssp(G, 4)[0])
    level, parent = lg.bfs(P, 4)
    Rules(G).bfs(4, level, parent)
    assert P.A._store.layout.matrix.stays_packed


NARROW = {
    "of both signs": ([-1, 5], np.int64),
    "too large": ([1, 2**32], np.int64),
    "broken": ([0.5, 3.0], np.float64),
    "whole": ([65535.0, 3.0], np.uint16),
    "of 32 bits": ([2**32 - 1, 3], np.uint32),
    "narrow already": (np.array([3, 200], np.uint8), np.uint8),
}


@pytest.mark.parametrize("name", NARROW)
def test_weights_that_do_not_narrow_stay_as_they_are(name: str) -> None:
    weights, kind = NARROW[name]
    G = lg.Graph.from_edges([0, 1], [1, 2], weights, 3, False, backend=GPU)
    K = G.relabel("degree", layout="packed")
    assert K.A._store.packed.weights.values.dtype == kind
    assert K.A.isequal(G.relabel("degree").A, check_dtype=True)


def test_weights_that_kernels_over_packed_rows_do_not_take(tmp_path: Path) -> None:
    """Lengths below 0 or of no weight, and folders: with compressed rows."""
    G = drawn(4, 40, 100, GPU, weights=True)
    H = G.relabel("degree")

    def packed() -> lg.Graph:
        return G.relabel("degree", layout="packed")

    x = lg.Vector.from_dense(np.arange(40), backend=GPU)
    for product in (lambda A: x @ A, lambda A: A @ x):
        mine, theirs = (lg.semiring.plus_times(product(K.A)).new() for K in (packed(), H))
        assert mine.isequal(theirs)
    assert packed().A.reduce_rowwise("plus").new().isequal(H.A.reduce_rowwise("plus").new())
    assert lg.pagerank(packed()).isclose(lg.pagerank(H))
    schedule = lg.Schedule(order="rounds")
    assert lg.sssp(packed(), 3, schedule=schedule)[0].isequal(lg.sssp(H, 3)[0])
    packed().save(tmp_path / "graph")
    assert lg.open(tmp_path / "graph", backend=GPU).digest == H.digest
    Z = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0.5], directed=False, backend=GPU)
    K = Z.relabel("degree", layout="packed")
    distance, parent = lg.sssp(K, 0)
    Rules(Z.relabel("degree")).sssp(0, distance, parent)


@pytest.mark.skipif(not hasattr(GPU.device, "room_of"), reason="needs a bound on memory")
def test_without_room_for_compressed_rows() -> None:
    """What has no kernel for packed rows says what it needs, and the graph stays usable. Entries
    that the host asks for are decoded there."""
    K = drawn(2, 60, 300, GPU).relabel("degree", layout="packed")
    with GPU.device.room_of(400):
        with pytest.raises(TooLarge, match="expected 488 bytes of free GPU"):
            K.A.select("tril").new()
        decoded = K.A.to_coo()
    assert lg.bfs(K, 0)[0].nvals > 1 and K.A._store.stays_packed
    for mine, right in zip(decoded, K.A.to_coo(), strict=True):
        np.testing.assert_array_equal(mine, right)
    assert decoded[0].size == K.A.nvals and not K.A._store.stays_packed


def test_kronecker_by_degree() -> None:
    """The ids are those of the graph without a layout, on each backend."""
    G = lg.kronecker(7, backend=CPU)
    for backend in BOTH:
        for layout in ("degree", "packed"):
            K = lg.kronecker(7, layout=layout, backend=backend)  # type: ignore[arg-type]
            ids = K.ids.to_dense()
            rows, columns, _ = K.A.to_coo()
            wanted = G.A.to_coo()
            found = np.lexsort((ids[columns], ids[rows]))
            np.testing.assert_array_equal(ids[rows][found], wanted[0])
            np.testing.assert_array_equal(ids[columns][found], wanted[1])


def test_packed_where_plain_rows_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Kronecker graph by degree is packed by itself; what fits neither way is refused."""
    room = [1 << 40]

    def expect_room(_: Any, wanted: int) -> None:
        if wanted > room[0]:
            raise TooLarge(f"expected {wanted} bytes of free GPU memory, but {room[0]} are free")

    monkeypatch.setattr(kronecker_rows, "expect_room", expect_room)
    wanted = lg.kronecker(8, layout="degree", backend=GPU)
    assert not wanted.A._store.stays_packed
    room[0] = 72 << 8
    with lg.explain() as told:
        K = lg.kronecker(8, layout="degree", backend=GPU)
    assert K.A._store.stays_packed and "do not fit, packed ones of" in str(told)
    assert lg.connected_components(K).isequal(lg.connected_components(wanted))
    assert K.digest == wanted.digest
    monkeypatch.setattr(kronecker_rows, "stream_bits", lambda scale: 99.0)
    with pytest.raises(TooLarge, match="bytes of free GPU memory"):
        lg.kronecker(8, layout="degree", backend=GPU)


def test_a_single_edge() -> None:
    """Its weight is stored once, so that it can be packed."""
    G = lg.Graph.from_edges([0], [1], n=3, directed=False, backend=GPU)
    level, _ = lg.bfs(G.relabel("degree", layout="packed"), 0)
    assert level.to_dict() == {0: 0, 1: 1}


@pytest.mark.parametrize("weight", [None, np.zeros(0, np.int16), np.zeros(0)])
def test_no_edge(weight: Any) -> None:
    """Where there is no entry, what is computed from the value of all entries reads none."""
    G = lg.Graph.from_edges([], [], weight, n=3, directed=False, backend=GPU)
    G = G.relabel("degree", layout="packed")
    assert lg.core_number(G).to_dense().tolist() == [0, 0, 0]
    assert (G.A + 1).new().nvals == 0


@pytest.mark.parametrize("kind", ["whole", "fractions"])
def test_folders_of_packed_rows_with_weights(kind: str, tmp_path: Path) -> None:
    """Weights are written as narrow as they are, opened beside packed rows, and searched there."""
    rng, n = np.random.default_rng(5), 300
    i = np.r_[rng.integers(0, n, 900), np.zeros(n - 1, int)]
    j = np.r_[rng.integers(0, n, 900), np.arange(1, n)]
    weights = rng.integers(1, 200, i.size) if kind == "whole" else rng.random(i.size) + 0.1
    G = lg.Graph.from_edges(i, j, weights, n, False, dup="first", backend=GPU)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    K.save(tmp_path / "packed")
    said = json.loads((tmp_path / "packed/graph.json").read_text())
    assert said["version"] == 10
    assert said["arrays"]["weights"]["type"] == ("UINT8" if kind == "whole" else "FP64")
    for backend, verify in itertools.product(BOTH, (True, False)):
        opened = lg.open(tmp_path / "packed", verify=verify, backend=backend)
        assert opened.A.dtype == H.A.dtype
        distance, parent = lg.sssp(opened, 7)
        assert distance.isequal(lg.sssp(H, 7)[0].to(backend))
        Rules(H).sssp(7, distance.to(GPU), parent.to(GPU))
        if backend is GPU:
            assert opened.A._store.stays_packed
        assert opened.nloops == H.nloops and opened.digest == H.digest
    assert K.A._store.stays_packed
    folder = tmp_path / "packed"
    for change, message in (
        ({"values": np.zeros(1, bool)}, "holds all weights|weights have"),
        ({"weights": np.ones(7, np.uint8)}, "a weight for each entry"),
        ({"weights": np.ones(K.A.nvals, np.int8)}, "their own type or a narrower one"),
    ):
        told = json.loads(json.dumps(said))
        for name, array in change.items():
            told["arrays"][name] = saved_folder.described(array)
            np.save(folder / saved_folder.file_name(name, told["arrays"][name]), array)
        (folder / "graph.json").write_text(json.dumps(told))
        for backend in BOTH:
            with pytest.raises(FormatError, match=message):
                lg.open(folder, backend=backend)


@pytest.mark.parametrize("kind", ["integer", "uniform"])
def test_kronecker_weights_beside_a_layout(kind: Any) -> None:
    """They are those of the same edges without a layout, on each backend."""
    right = lg.kronecker(7, weights=kind, backend=CPU)
    row, column, weight = right.A.to_coo()
    order = np.lexsort((column, row))
    for backend, layout in itertools.product(BOTH, ("degree", "packed")):
        K = lg.kronecker(7, weights=kind, layout=layout, backend=backend)  # type: ignore[arg-type]
        if backend is GPU and layout == "packed":
            assert K.A._store.stays_packed and K.A._store.packed.weights is not None
            distance, parent = lg.sssp(K, 0)
            assert K.A._store.stays_packed
            Rules(K.to(CPU)).sssp(0, distance.to(CPU), parent.to(CPU))
        assert K.A.dtype == right.A.dtype
        ids = K.ids.to_dense()
        i, j, held = K.A.to_coo()
        mine = np.lexsort((ids[j], ids[i]))
        np.testing.assert_array_equal(ids[i][mine], row[order])
        np.testing.assert_array_equal(ids[j][mine], column[order])
        np.testing.assert_array_equal(held[mine], weight[order])
