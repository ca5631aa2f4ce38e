"""Graphs in folders: what is opened is what was saved, in place on the CPU, and all else is refused
with a message that names the file.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import lagraph_gpu as lg
from lagraph_gpu.convert import compressed_rows, mirrored
from lagraph_gpu.errors import FormatError, InvalidValue
from lagraph_gpu.io import saved_folder
from semirings import types
from tests.harness import BOTH, CPU, GPU
from tests.strategies import any_graph, examples


def weighted(dtype: Any, directed: bool = True, backend: Any = CPU) -> lg.Graph:
    """Five vertices, one without edges, and a loop."""
    weight = np.array([1, 0, 1, 1], dtype)
    return lg.Graph.from_edges([0, 2, 2, 1], [1, 0, 3, 1], weight, 5, directed, backend=backend)


def facts(G: lg.Graph) -> tuple[Any, ...]:
    ids = None if G.ids is None else G.ids.to_dense().tolist()
    ends = G.lightest, G.heaviest, type(G.heaviest)
    shape = G.n, G.nedges, G.directed, G.original_n, G.A.dtype, G.A.nvals
    return *shape, *ends, ids, [part.tobytes() for part in G.A.to_csr()]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    weighted(float, directed=False).save(tmp_path / "graph")
    return tmp_path / "graph"


# --- there and back -------------------------------------------------------------------------------


@given(example=any_graph())
@examples(40)
def test_what_is_opened_is_what_was_saved(example: Any, tmp_path_factory: Any) -> None:
    place = tmp_path_factory.mktemp("graphs")
    for made in BOTH:
        G = example.graph(made)
        G.save(place / made.name)
        for verify in (True, False):
            assert facts(lg.open(place / made.name, verify=verify, backend=made)) == facts(G)
    assert names(place / "cpu") == names(place / "gpu")


@pytest.mark.parametrize("dtype", types.ALL, ids=types.name)
@pytest.mark.parametrize("directed", [True, False])
def test_each_type_of_weights(dtype: Any, directed: bool, tmp_path: Path, backend: Any) -> None:
    G = weighted(dtype, directed, backend)
    G.save(tmp_path / "g")
    assert facts(lg.open(tmp_path / "g", backend=backend)) == facts(G)


def test_the_two_zeros_are_one_weight(tmp_path: Path) -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 0], [0.0, -0.0], backend="cpu")
    lg.Graph(A, directed=False).save(tmp_path / "g")
    assert lg.open(tmp_path / "g", backend="cpu").nedges == 1


def test_a_part_keeps_its_earlier_ids(tmp_path: Path, backend: Any) -> None:
    G = weighted(float, backend=backend).relabel().subgraph([2, 0, 1])
    G.save(tmp_path / "g")
    assert facts(lg.open(tmp_path / "g", backend=backend)) == facts(G)


def test_a_graph_is_used_in_place(tmp_path: Path) -> None:
    """What is not mapped is small beside the arrays, and stays so in searches."""
    G = lg.random_graph(2000, 300_000, directed=True, weights="uniform", backend="cpu")
    expected = [lg.bfs(G, 0)[0], lg.sssp(G, 0)[0]]
    G.save(tmp_path / "g")
    on_disk = sum(file.stat().st_size for file in (tmp_path / "g").iterdir())
    tracemalloc.start()
    H = lg.open(tmp_path / "g", verify=False, backend="cpu")
    found = [lg.bfs(H, 0)[0], lg.sssp(H, 0)[0]]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert all(a.isequal(b) for a, b in zip(expected, found, strict=True))
    assert peak < on_disk / 3


def test_what_is_written_to_a_graph_does_not_reach_its_folder(folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    G = lg.open(folder, backend="cpu")
    G.A[0, 0] = 99.0
    G.A._store.arrays()[2][:] = 5
    lg.open(folder, backend="cpu").A._store.arrays()[2][:] = 7
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_statements_of_an_opened_graph(folder: Path) -> None:
    """Every reader of a store, before and after SuiteSparse has its copy."""
    G, H = weighted(float, directed=False), lg.open(folder, backend="cpu")
    for _ in range(2):
        assert H.A.isequal(G.A) and H.A.dup().isequal(G.A) and H.A.T.new().isequal(G.A)
        assert H.A.to_dicts() == G.A.to_dicts() and repr(H.A) == repr(G.A)
        assert lg.pagerank(H).isclose(lg.pagerank(G)) and H.info().rpartition("bytes")[0]
        assert lg.semiring.plus_times(H.A @ H.A).new().isequal(lg.semiring.plus_times(G.A @ G.A))


# --- replacing ------------------------------------------------------------------------------------


def test_a_graph_is_replaced_only_when_asked(folder: Path) -> None:
    G, other = lg.open(folder, backend="cpu"), weighted(np.int32)
    with pytest.raises(FormatError, match=r"exists already; pass overwrite=True"):
        other.save(folder)
    other.save(folder, overwrite=True)
    assert facts(lg.open(folder, backend="cpu")) == facts(other)
    assert facts(G) == facts(weighted(float, directed=False))  # which has the old arrays
    assert len(names(folder)) == 4  # but nobody else can find them


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.npy").write_text("mine")
    for place in (tmp_path, tmp_path / "mine.npy"):
        with pytest.raises(FormatError, match=r"graph\.json: there is no such|npy: this is a file"):
            weighted(float).save(place, overwrite=True)
    assert names(tmp_path) == ["mine.npy"]


def killed_while(step: str, save: Callable[[], None]) -> None:
    """A process that dies when it is about to write the named file."""
    child = os.fork()
    if child == 0:
        held = saved_folder.replacing

        def replacing(path: Path) -> Any:
            if path.name.startswith(step):
                os.kill(os.getpid(), signal.SIGKILL)
            return held(path)

        saved_folder.replacing = replacing  # type: ignore[assignment]
        save()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("step", ["indptr", "values", "graph.json"])
def test_a_killed_writer_leaves_what_was_there(step: str, tmp_path: Path, folder: Path) -> None:
    other, before = weighted(np.int32), facts(lg.open(folder, backend="cpu"))
    killed_while(step, lambda: other.save(folder, overwrite=True))
    assert facts(lg.open(folder, backend="cpu")) == before
    killed_while(step, lambda: other.save(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
    other.save(folder, overwrite=True)
    other.save(tmp_path / "new")
    assert names(tmp_path) == ["graph", "new"] and names(folder) == names(tmp_path / "new")


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(FormatError, match=r"cannot be written: No space left on device"):
        weighted(float).save(tmp_path / "g")
    assert names(tmp_path) == []


def test_no_folder_to_save_in(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"there is no folder .*; make it first"):
        weighted(float).save(tmp_path / "none" / "g")


# --- who can write there --------------------------------------------------------------------------


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_write_to_a_folder(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        weighted(float).save(tmp_path / "g")
    finally:
        os.umask(before)
    assert not (tmp_path / "g").stat().st_mode & 0o022
    assert in_place(tmp_path / "g") == (mask != 0)


def in_place(folder: Path) -> bool:
    array = lg.open(folder, backend="cpu").A._store.arrays()[1]
    return not array.flags.owndata


@pytest.mark.parametrize("writable", ["folder", "file"])
def test_what_others_can_write_to_is_read(writable: str, folder: Path) -> None:
    assert in_place(folder)
    (file,) = folder.glob("indices-*")
    (folder if writable == "folder" else file).chmod(0o777)
    assert not in_place(folder)


# --- what is refused ------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], Any]


def manifest_changed(folder: Path, change: Change) -> None:
    said = json.loads((folder / "graph.json").read_text())
    change(said)
    (folder / "graph.json").write_text(json.dumps(said))


def sealed(folder: Path, name: str, array: Any) -> None:
    """Another array, of which the manifest says the truth."""
    array = np.array(array)

    def change(said: dict[str, Any]) -> None:
        entry = said["arrays"][name] = saved_folder.described(array)
        np.save(folder / saved_folder.file_name(name, entry), array)

    manifest_changed(folder, change)


BAD_MANIFESTS: dict[str, tuple[Change, str]] = {
    "another kind": (lambda m: m.update(kind="x"), "no kind 'lagraph-gpu graph'"),
    "a newer version": (lambda m: m.update(version=11), "of the folder, got 11"),
    "an older version": (lambda m: m.update(version=6), "got 6, packed rows of an earlier form"),
    "a negative n": (lambda m: m.update(n=-1), "integer of at least 0"),
    "very many vertices": (lambda m: m.update(n=2**31), "indptr of size"),
    "a direction in words": (lambda m: m.update(directed="no"), "true or false"),
    "no direction": (lambda m: m.pop("directed"), "KeyError"),
    "an array too few": (lambda m: m["arrays"].pop("values"), "the arrays"),
    "an array too many": (lambda m: m["arrays"].update(x=m["arrays"]["indptr"]), "the arrays"),
    "an unknown type": (lambda m: m["arrays"]["values"].update(type="O"), "KeyError"),
    "wide columns": (lambda m: m["arrays"]["indices"].update(type="INT64"), "of the type INT64"),
    "too few values": (lambda m: m["arrays"]["values"].update(size=2), "values of size 2"),
    "another n": (lambda m: m.update(n=4), "indptr of size 6"),
    "a path as digest": (lambda m: m["arrays"]["indptr"].update(sha256="../../x"), "digest"),
    "a list": (lambda m: m.update(arrays=[]), "AttributeError"),
}


BAD_PIECES: dict[str, tuple[Change, str]] = {
    "small pieces": (lambda m: m["arrays"]["indices"].update(piece=8), "in pieces of 8 bytes"),
    "pieces in words": (lambda m: m["arrays"]["indices"].update(piece="x"), "in pieces of 'x'"),
    "like nothing": (lambda m: m.update(like=5), "like those of version 5"),
    "like packed rows": (lambda m: m.update(like=9), "the arrays"),
    "like earlier ones": (lambda m: m.update(like=4), "got 4, packed rows of an earlier form"),
    "unlike": (lambda m: m.pop("like"), "KeyError"),
}


def test_digests_of_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large arrays have a digest of the digests of their pieces; the manifest says so, whatever
    kind of folder it is, and an altered piece is found."""
    monkeypatch.setattr(saved_folder, "DIGEST_BYTES", 4096)
    n = 3000
    G = lg.Graph.from_edges(np.arange(n - 1), np.arange(1, n), directed=False, backend=GPU)
    for H, like, many in ((G, 1, "indices"), (G.relabel("degree", layout="packed"), 9, "tails")):
        place = tmp_path / f"like {like}"
        H.save(place)
        said = json.loads((place / "graph.json").read_text())
        assert said["version"] == 5 and said["like"] == like
        assert said["arrays"][many]["piece"] == 4096 and "piece" not in said["arrays"]["values"]
        for backend in BOTH:
            assert lg.open(place, backend=backend).digest == H.digest
        (file,) = place.glob(f"{many}-*")
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(content)
        with pytest.raises(FormatError, match="it is altered"):
            lg.open(place, backend=CPU)
    G.save(tmp_path / "bad")
    right = (tmp_path / "bad/graph.json").read_text()
    for change, message in BAD_PIECES.values():
        (tmp_path / "bad/graph.json").write_text(right)
        manifest_changed(tmp_path / "bad", change)
        with pytest.raises(FormatError, match=message):
            lg.open(tmp_path / "bad", backend=CPU)


def test_a_disk_that_is_full_is_told_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not of the file in it, under the name that the folder has until it is complete."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FormatError, match=r"/city: cannot be written: No space left"):
        lg.grid(2, 2, backend="cpu").save(tmp_path / "city")
    assert not [*tmp_path.iterdir()]


def test_files_and_folders_mistaken_for_each_other(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"this is a directory; .*; lg.open opens saved graphs"):
        lg.read(folder, backend="cpu")
    with pytest.raises(FormatError, match="cannot be opened: File name too long"):
        lg.open("x" * 300, backend="cpu")
    (file := tmp_path / "x.el").write_text("0 1\n")
    with pytest.raises(FormatError, match=r"x\.el: this is a file; .*; lg.read reads graph files"):
        lg.open(file, backend="cpu")


@pytest.mark.parametrize("name", BAD_MANIFESTS)
def test_bad_manifests(name: str, folder: Path) -> None:
    change, message = BAD_MANIFESTS[name]
    manifest_changed(folder, change)
    with pytest.raises(FormatError, match=rf"graph\.json: expected .*{message}"):
        lg.open(folder, backend="cpu")


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"[" * 10_000, b"\xff", b" " * 70_000])
def test_no_manifest_at_all(text: bytes, folder: Path) -> None:
    (folder / "graph.json").write_bytes(text)
    with pytest.raises(FormatError, match=r"expected the manifest that G\.save wrote"):
        lg.open(folder, backend="cpu")


BAD_ARRAYS: dict[str, tuple[str, Any, str]] = {
    "an offset falls": ("indptr", [0, 4, 2, 6, 7, 7], "non-decreasing"),
    "the last offset": ("indptr", [0, 2, 4, 6, 7, 9], "run from 0 to"),
    "a column outside": ("indices", np.int32([1, 2, 0, 1, 0, 5, 2]), "from 0 to 4, got 5"),
    "a negative column": ("indices", np.int32([-1, 2, 0, 1, 0, 3, 2]), "got -1"),
    "columns out of order": ("indices", np.int32([2, 1, 0, 1, 0, 3, 2]), "increasing column ids"),
    "a column twice": ("indices", np.int32([1, 1, 0, 1, 0, 3, 2]), "increasing column ids"),
    "no symmetry": ("indices", np.int32([1, 3, 0, 1, 0, 3, 2]), "symmetric"),
    "no symmetry of values": ("values", [2.0, 0, 1, 1, 0, 1, 1], "symmetric"),
    "NaN": ("values", [np.nan] * 7, "finite"),
    "an infinite weight": ("values", [1, 0, 1, 1, 0, 1, np.inf], "finite"),
    "a truth value of 2": ("values", np.uint8([2, 0, 1, 1, 0, 1, 1]).view(bool), "bytes 0 and 1"),
}


@pytest.mark.parametrize("name", BAD_ARRAYS)
@pytest.mark.parametrize("block", [1, 2, 1 << 20])
def test_arrays_that_are_no_graph(
    name: str, block: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digests are right, so someone means it."""
    monkeypatch.setattr(compressed_rows, "BLOCK", block)
    monkeypatch.setattr(mirrored, "WORDS", block)
    G = lg.open(folder, backend="cpu")
    assert [part.tolist() for part in G.A.to_csr()] == [
        [0, 2, 4, 6, 7, 7], [1, 2, 0, 1, 0, 3, 2], [1, 0, 1, 1, 0, 1, 1]
    ]  # fmt: skip
    which, array, message = BAD_ARRAYS[name]
    sealed(folder, which, array)
    with pytest.raises(FormatError, match=rf"describe no graph: .*{message}"):
        lg.open(folder, backend="cpu")


@pytest.mark.parametrize("ids", [[0, 1, 2, 3, 3], [0, 1, 2, 3, 5], [0, 1, 2, 3, -1]])
def test_earlier_ids_that_are_none(ids: list[int], folder: Path) -> None:
    sealed(folder, "ids", ids)
    with pytest.raises(FormatError, match="earlier ids"):
        lg.open(folder, backend="cpu")


def test_each_altered_byte_is_found(folder: Path) -> None:
    """Whether it is in a header, where it may mean nothing, or in the numbers."""
    before = facts(lg.open(folder, backend="cpu"))
    for file in folder.glob("*.npy"):
        whole = file.read_bytes()
        for at in range(len(whole)):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            if at >= 128:
                with pytest.raises(FormatError, match="it does not have the digest"):
                    lg.open(folder, backend="cpu")
                continue
            with suppress(FormatError):
                assert facts(lg.open(folder, backend="cpu")) == before
        file.write_bytes(whole)


@pytest.mark.parametrize("name", ["indptr", "indices", "values"])
def test_missing_and_shortened_arrays(name: str, folder: Path) -> None:
    (file,) = folder.glob(f"{name}-*")
    whole = file.read_bytes()
    for end in (0, 7, 100, 128, len(whole) - 1):
        file.write_bytes(whole[:end])
        with pytest.raises(FormatError, match=rf"{file.name}: expected"):
            lg.open(folder, verify=False, backend="cpu")
    file.write_bytes(whole + b"x")
    with pytest.raises(FormatError, match=r"expected [\d,]+ bytes, got"):
        lg.open(folder, verify=False, backend="cpu")
    file.unlink()
    with pytest.raises(FormatError, match="there is no such file"):
        lg.open(folder, backend="cpu")
    os.mkfifo(file)
    with pytest.raises(FormatError, match="this is no plain file"):
        lg.open(folder, backend="cpu")


def test_an_array_of_objects_is_never_loaded(folder: Path) -> None:
    (file,) = folder.glob("values-*")
    np.save(file, np.array([print] * 7), allow_pickle=True)
    with pytest.raises(FormatError, match="expected an array of"):
        lg.open(folder, backend="cpu")


def test_places_that_are_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("none", "", "nul\0"):
        with pytest.raises(FormatError, match=r"graph\.json: (there is no such|cannot be)"):
            lg.open(tmp_path / place, backend="cpu")
    with pytest.raises(FormatError, match=r"file: this is a file; expected the folder of a graph"):
        lg.open(tmp_path / "file", backend="cpu")


def test_what_does_not_fit_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o777)
    monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
    monkeypatch.setattr("lagraph_gpu.memory.available_bytes", lambda *_: 10)
    with pytest.raises(lg.exceptions.TooLarge, match="to which others can write"):
        lg.open(folder, backend="cpu")


# --- names and data -------------------------------------------------------------------------------


def named(backend: Any = CPU) -> lg.Graph:
    G = lg.Graph.from_edges(
        ["Ann", "Bob", "Ann"], ["Bob", "Cid", "Cid"], [1, 1, 1], directed=False, backend=backend
    )
    G.vertex_data["age"] = np.array([30, 40, 50], np.int8)
    G.vertex_data["born"] = np.array(["1990-01-01", "NaT", "2000-02-03"], "datetime64[D]")
    G.vertex_data["place"] = [(1.5, "a"), None, (2, (3, True))]
    G.vertex_data["../../far"] = [10**30, "x", ["y", 1]]
    G.edge_data["how"] = ["bus", "c\ud800ar", None]
    G.edge_data["toll"] = [True, False, True]
    return G


def known(G: lg.Graph) -> tuple[Any, ...]:
    columns = [
        {name: (values.dtype, values.tolist()) for name, values in data.items()}
        for data in (G.vertex_data, G.edge_data)
    ]
    return None if G.labels is None else G.labels.tolist(), *columns


@pytest.mark.parametrize("verify", [True, False])
def test_names_and_data_are_kept(verify: bool, tmp_path: Path, backend: Any) -> None:
    G = named(backend)
    for H in (G, G.relabel([2, 0, 1]), G.subgraph(["Cid", "Ann"])):
        H.save(tmp_path / "g", overwrite=H is not G)
        K = lg.open(tmp_path / "g", verify=verify, backend=backend)
        assert facts(K) == facts(H) and known(K) == known(H) and K.weighted
    assert len(names(tmp_path / "g")) == 5 + 1 + 6  # with the ids before, and nothing old


@pytest.mark.parametrize(
    "labels",
    [
        [10**12, 7, -3],
        [10**30, 7, -3],
        [("a", 1), ("b",), ()],
        ["", "a\n", "\ud800"],
        [0.5, 1.5, 2.0],
        [date(2026, 11, 29), date(1, 1, 1), date(9999, 12, 31)],
        [datetime(2026, 11, 29, 22, 45), datetime.max, datetime(1, 1, 1, tzinfo=UTC)],
    ],
)
def test_labels_of_each_kind(labels: list[Any], tmp_path: Path) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend=CPU)
    G.labels = labels
    G.save(tmp_path / "g")
    H = lg.open(tmp_path / "g", backend=CPU)
    assert H.labels is not None and H.labels.tolist() == labels
    assert H.labels.dtype == G.labels.dtype and H.position(labels[1]) == 1
    assert all(type(a) is type(b) for a, b in zip(H.labels.tolist(), labels, strict=True))


class Zone(tzinfo):
    """A zone of which the text of a time has the offset and not the name."""

    def utcoffset(self, when: datetime | None) -> timedelta:
        return timedelta(hours=1)


MORE_THAN_TEXT = "made", "again", "by a clock"


def test_what_a_folder_cannot_keep_is_named(tmp_path: Path) -> None:
    G = named()
    G.vertex_data["made"] = [1, object(), 2]
    G.vertex_data["again"] = [datetime(2026, 10, 25, 2, 30, fold=1)] * 3
    G.vertex_data["by a clock"] = [datetime(2026, 11, 29, tzinfo=Zone())] * 3
    G.labels = [b"a", b"b", b"c"]
    with pytest.warns(UserWarning) as told:
        G.save(tmp_path / "g")
    assert [str(w.message).split(":")[0] for w in told] == [
        "G.save does not keep the labels",
        *(f"G.save does not keep the column {n!r} of vertex_data" for n in MORE_THAN_TEXT),
    ]
    assert all(w.filename == __file__ for w in told)
    H = lg.open(tmp_path / "g", backend=CPU)
    assert H.labels is None and {*H.vertex_data} == {"age", "born", "place", "../../far"}


@pytest.mark.parametrize("verify", [True, False])
def test_columns_of_equal_bytes_and_other_types(verify: bool, tmp_path: Path) -> None:
    """They are one file, whose header names one of the types; it was refused for the others."""
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend=CPU)
    zeros = {t: np.zeros(3, t) for t in ("int64", "float64", "uint64", "M8[s]", "uint8", "bool")}
    for name, column in zeros.items():
        G.vertex_data[name] = G.edge_data[name] = column
    none = G.remove_edges([0, 1, 2], [1, 2, 0])
    for one in (G, none):
        one.save(tmp_path / "g", overwrite=True)
        H = lg.open(tmp_path / "g", verify=verify, backend=CPU)
        for data, kept in ((one.vertex_data, H.vertex_data), (one.edge_data, H.edge_data)):
            assert [(n, v.dtype, v.tolist()) for n, v in data.items()] == [
                (n, v.dtype, v.tolist()) for n, v in kept.items()
            ]


@pytest.mark.parametrize("verify", [True, False])
def test_an_array_of_another_type_is_refused(verify: bool, tmp_path: Path) -> None:
    """Also one of as many bytes, which was taken for weights without a word."""
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2.5, 3.5], backend=CPU)
    G.vertex_data["age"] = np.array([30, 40, 50])
    for name, other in (("values", np.array([1, 2, 3])), ("vertex", np.array([1.0, 2.0, 3.0]))):
        G.save(tmp_path / "g", overwrite=True)
        (file,) = (tmp_path / "g").glob(f"{name}-*.npy")
        np.save(file, other)
        with pytest.raises(FormatError, match=rf"got another .*{other.dtype} of shape"):
            lg.open(tmp_path / "g", verify=verify, backend=CPU).vertex_data["age"]


def test_a_folder_without_names_is_as_it_was_before(folder: Path) -> None:
    assert "columns" not in json.loads((folder / "graph.json").read_text())
    manifest_changed(folder, lambda said: said.pop("weighted"))  # of an earlier version
    G = lg.open(folder, backend=CPU)
    assert G.weighted and G.labels is None and not G.vertex_data and not G.edge_data


def column_changed(folder: Path, about: str, text: bytes | np.ndarray, **more: Any) -> None:
    array = np.frombuffer(text, np.uint8) if isinstance(text, bytes) else text

    def change(said: dict[str, Any]) -> None:
        entry = next(e for e in said["columns"] if e["about"] == about)
        entry |= {"form": "json", **saved_folder.described(array), **more}
        np.save(folder / saved_folder.file_name(about, entry), array)

    manifest_changed(folder, change)


BAD_COLUMNS: dict[str, Any] = {
    "two labels": ("labels", b'["Ann","Bob"]'),
    "one twice": ("labels", b'["Ann","Bob","Ann"]'),
    "no label": ("labels", b'["Ann","Bob",null]'),
    "no hash": ("labels", b'["Ann","Bob",{"list":[]}]'),
    "no list": ("labels", b'{"tuple":[1,2,3]}'),
    "bare brackets": ("labels", b"[[1],[2],[3]]"),
    "another word": ("vertex", b'[1,2,{"set":[3]}]'),
    "two words": ("vertex", b'[1,2,{"tuple":[3],"list":[]}]'),
    "a word's value": ("vertex", b'[1,2,{"tuple":3}]'),
    "no date": ("vertex", b'[1,2,{"date":"2026-02-30"}]'),
    "a date's value": ("vertex", b'[1,2,{"datetime":3}]'),
    "no text": ("vertex", b"\xff\xfe"),
    "deep": ("vertex", b"[" * 100_000),
    "deep values": ("vertex", b"[1,2," + b'{"list":[' * 5000 + b"]}" * 5000 + b"]"),
    "digits": ("vertex", b"[1,2," + b"9" * 5000 + b"]"),
    "too many": ("edge", b"[1,2,3,4]"),
    "truths": ("edge", np.array([0, 1, 2], np.uint8).view(bool), {"form": ""}),
}


@pytest.mark.parametrize("name", BAD_COLUMNS)
def test_bad_columns(name: str, tmp_path: Path) -> None:
    named().save(tmp_path / "g")
    about, text, *more = BAD_COLUMNS[name]
    column_changed(tmp_path / "g", about, text, **(more[0] if more else {}))
    with pytest.raises(FormatError, match="columns do not describe labels or data"):
        lg.open(tmp_path / "g", backend=CPU)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"about": "x"}, "about 'x'"),
        ({"name": 3}, "a column 3"),
        ({"form": "pickle"}, "in the form 'pickle'"),
        ({"form": "datetime64[x]"}, "in the form"),
        ({"type": "INT8"}, "of the type INT8"),
        ({"sha256": "../x"}, "with the digest"),
        ({"size": -1}, "of size -1"),
    ],
)
def test_bad_entries_of_columns(change: Any, message: str, tmp_path: Path) -> None:
    named().save(tmp_path / "g")
    manifest_changed(tmp_path / "g", lambda said: said["columns"][0].update(change))
    with pytest.raises(FormatError, match=rf"graph\.json: expected .*{message}"):
        lg.open(tmp_path / "g", backend=CPU)


def test_an_altered_column_is_found(tmp_path: Path) -> None:
    named().save(tmp_path / "g")
    (file,) = (tmp_path / "g").glob("labels-*")
    file.write_bytes(file.read_bytes().replace(b"Ann", b"Bnn"))
    with pytest.raises(FormatError, match=r"labels-.* it is altered"):
        lg.open(tmp_path / "g", backend=CPU)


def test_a_manifest_that_would_be_too_long(tmp_path: Path) -> None:
    G = named()
    G.vertex_data["x" * saved_folder.LONGEST_MANIFEST] = [1, 2, 3]
    with pytest.raises(InvalidValue, match="for many columns of data or long names"):
        G.save(tmp_path / "g")
    assert names(tmp_path) == []
