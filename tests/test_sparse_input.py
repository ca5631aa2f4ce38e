"""Sparse arrays that describe no matrix: refused with our errors at every door, before SciPy's C++
follows their offsets. Before they were, some of these inputs corrupted the heap."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import csgraph
from lagraph_gpu.errors import FormatError, InvalidValue, LagraphError, WrongType
from lagraph_gpu.io import read_edges

ARRAYS = {
    "csr": ("indptr", "indices", "data"), "csc": ("indptr", "indices", "data"),
    "bsr": ("indptr", "indices", "data"), "coo": ("row", "col", "data"), "dia": ("offsets", "data"),
}  # fmt: skip
"""What each format keeps."""

EXTREMES = (
    -(2**63),
    -(2**31),
    -(10**7),
    -1,
    0,
    1,
    2,
    3,
    4,
    10**7,
    2**31 - 1,
    2**31,
    2**32,
    2**63 - 1,
)


def of_matrix(A: Any) -> lg.Matrix:
    return lg.Matrix.from_scipy_sparse(A, backend="cpu")


DOORS: dict[str, Callable[[Any], Any]] = {
    "Matrix": of_matrix,
    "Matrix, dup_op": lambda A: lg.Matrix.from_scipy_sparse(A, dup_op="plus", backend="cpu"),
    "Graph": lambda A: lg.Graph.from_scipy(A, backend="cpu"),
    "Graph, both ways": lambda A: lg.Graph.from_scipy(A, directed=False, backend="cpu"),
    "dijkstra": csgraph.dijkstra,
    "floyd_warshall": csgraph.floyd_warshall,
    "connected_components": csgraph.connected_components,
    "breadth_first_order": lambda A: csgraph.breadth_first_order(A, 0),
    "breadth_first_order, both ways": lambda A: csgraph.breadth_first_order(A, 0, directed=False),
    "breadth_first_tree": lambda A: csgraph.breadth_first_tree(A, 0),
    "depth_first_order": lambda A: csgraph.depth_first_order(A, 0),
    "minimum_spanning_tree": csgraph.minimum_spanning_tree,
    "laplacian": csgraph.laplacian,
    "csgraph_to_dense": csgraph.csgraph_to_dense,
    "csgraph_to_masked": csgraph.csgraph_to_masked,
    "reverse_cuthill_mckee": csgraph.reverse_cuthill_mckee,
    "maximum_bipartite_matching": csgraph.maximum_bipartite_matching,
    "structural_rank": csgraph.structural_rank,
    "reconstruct_path": lambda A: csgraph.reconstruct_path(A, np.full(A.shape[0], -9999)),
}


def enter(door: str, A: Any) -> None:
    """Through a door; SciPy's own functions have words of their own for a format they lack."""
    try:
        with lg.backend("cpu"), warnings.catch_warnings():
            warnings.simplefilter("ignore", sp.SparseEfficiencyWarning)
            DOORS[door](A)
    except (TypeError, ValueError) as refusal:
        if not re.search("csr, or csc format|CSR, or COO format|CSC or CSR sparse", str(refusal)):
            raise
        assert A.format in ("bsr", "coo", "dia", "dok", "lil")


def altered(form: str, **parts: Any) -> Any:
    """A sound array of three rows, some of whose own arrays are put in their place as they are."""
    A = sp.csr_array([[0, 1.0, 2], [3, 0, 0], [0, 4, 0]]).asformat(form)
    for name, array in parts.items():
        if name in ("row", "col"):
            A.coords = (array, A.coords[1]) if name == "row" else (A.coords[0], array)
        else:
            setattr(A, name, array)
    return A


def lists(*rows: Any) -> np.ndarray:
    held = np.empty(len(rows), object)
    held[:] = rows
    return held


INT = np.int32
DAMAGED: dict[str, tuple[str, dict[str, Any], str]] = {
    "last offset 0": ("csr", {"indptr": INT([0, 10**7, 10**7, 0])}, "non-decreasing, got 10000000"),
    "last offset negative": ("csr", {"indptr": INT([0, 1, 2, -1])}, "from 0 to 4.*got 0 to -1"),
    "differences that wrap around": (
        "csr", {"indptr": np.array([0, 2**63 - 1, -(2**63), 4])}, "non-decreasing"),
    "columns": ("csc", {"indptr": INT([0, 10**7, 10**7, 0])}, "where each column begins"),
    "an offset too few": ("csr", {"indptr": INT([0, 2, 4])}, "4 offsets, got 3"),
    "beyond the ids": ("csr", {"indptr": INT([0, 2, 3, 10**7])}, "from 0 to 4"),
    "first offset": ("csr", {"indptr": INT([-5, 2, 3, 4])}, "got -5 to 4"),
    "a negative id": ("csr", {"indices": INT([1, -7, 0, 1])}, "column ids from 0 to 2, got -7"),
    "a large id": ("csc", {"indices": INT([1, 2**30, 0, 1])}, "row ids from 0 to 2, got 10737418"),
    "masked ids": (
        "csr", {"indices": np.ma.array(INT([1, 2, 0, 9]), mask=[0, 0, 0, 1])}, "got 9 at"),
    "real ids": ("csr", {"indices": np.array([1.0, 2, 0, 1])}, "int32 or int64.*float64"),
    "few values": ("csr", {"data": np.ones(1)}, "as many values as ids, 4"),
    "blocks": ("bsr", {"indptr": INT([0, 10**7, 10**7, 0])}, "non-decreasing"),
    "blocks of nothing": ("bsr", {"data": np.ones((4, 0, 1))}, "blocks that fill the shape"),
    "rows of entries": ("coo", {"row": INT([0, 0, 1, 10**7])}, "row ids from 0 to 2"),
    "columns of entries": ("coo", {"col": INT([0, 0, -1, 1])}, "column ids from 0 to 2"),
    "ids of unlike number": ("coo", {"row": INT([0])}, "as many values as ids, 1"),
    "a diagonal that wraps around": (
        "dia", {"offsets": np.array([2**32, -1, 1])}, "offsets from -2147483644 to 2147483644"),
    "a diagonal twice": ("dia", {"offsets": INT([1, 1, 2])}, "each diagonal once"),
    "diagonals without values": ("dia", {"offsets": np.arange(100, dtype=INT)}, "as many values"),
    "lists of ids": ("lil", {"rows": lists([1, 10**7], [0], [1])}, "column ids from 0 to 2"),
    "lists of unlike length": ("lil", {"rows": lists([1], [0], [1])}, "values as ids in row 0"),
    "no lists": ("lil", {"rows": lists(None, [0], [1])}, "an array of 3 lists"),
    "keys": ("dok", {"_dict": {(0, 10**7): 1.0}}, "keys inside the shape"),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", DAMAGED)
def test_every_door_refuses(door: str, name: str) -> None:
    form, parts, said = DAMAGED[name]
    with lg.backend("cpu"), pytest.raises(InvalidValue, match=f"(?s)damaged: .*{said}") as refusal:
        DOORS[door](altered(form, **parts))
    assert isinstance(refusal.value.__cause__, LagraphError)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia", "lil", "dok"])
@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_what_is_sound(door: str, form: str) -> None:
    A = sp.csr_array([[0, 1.0, 2], [1, 0, 0], [2, 0, 0]]).asformat(form)
    enter(door, A)


def test_room_behind_the_last_entry_is_allowed() -> None:
    A = sp.csr_array([[0, 1.0], [2, 0]])
    A.indices, A.data = np.append(A.indices, INT(-9)), np.append(A.data, 7.0)
    assert of_matrix(A).to_dicts() == {0: {1: 1.0}, 1: {0: 2.0}}
    assert lg.Graph.from_scipy(A, backend="cpu").nedges == 2


def test_what_makes_scipys_array_is_checked_after() -> None:
    class Other:
        def __init__(self, made: Any) -> None:
            self.made, self.shape = made, (3, 3)

        def tocsr(self) -> Any:
            return self.made

    assert of_matrix(Other(altered("csr"))).nvals == 4
    with pytest.raises(InvalidValue, match="non-decreasing"):
        of_matrix(Other(altered("csr", indptr=INT([0, 10**7, 10**7, 0]))))
    with pytest.raises(WrongType, match="to make SciPy's array, got list"):
        of_matrix(Other([]))


# --- any alteration ------------------------------------------------------------------------------


@st.composite
def alterations(draw: st.DrawFn) -> tuple[str, int, dict[str, np.ndarray]]:
    """A square array as its format keeps it, of which some numbers or lengths were changed."""
    form = draw(st.sampled_from(sorted(ARRAYS)))
    n = draw(st.integers(1, 4))
    cells = draw(st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n))
    A: Any = sp.csr_array(np.reshape(cells, (n, n)).astype(float)).asformat(form)
    held = {name: getattr(A, name).copy() for name in ARRAYS[form]}
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from([name for name in ARRAYS[form] if name != "data"]))
        array = held[name].astype(np.int64)
        at = draw(st.integers(0, max(0, array.size - 1)))
        if draw(st.integers(0, 4)) == 0:
            held[name] = draw(st.sampled_from([array[:at], np.append(array, at)]))
        elif array.size:
            array[at] = draw(st.sampled_from(EXTREMES))
            held[name] = array
    return form, n, held


def specified(
    form: str, n: int, held: dict[str, np.ndarray]
) -> dict[tuple[int, int], float] | None:
    """The entries, those given twice summed; or None where the arrays describe no matrix. By
    Python's integers, which do not wrap around, one by one."""
    data = held["data"]
    found: list[tuple[int, int, float]] = []
    if form == "dia":
        offsets = held["offsets"].tolist()
        if len(set(offsets)) < len(offsets) or len(offsets) != len(data):
            return None
        if any(abs(k) > 2**31 - 1 - n for k in offsets):
            return None
        for k, line in zip(offsets, data.tolist(), strict=True):
            found += [(j - k, j, x) for j, x in enumerate(line[:n]) if 0 <= j - k < n and x]
    elif form == "coo":
        row, col = held["row"].tolist(), held["col"].tolist()
        if not len(row) == len(col) == len(data):
            return None
        found = list(zip(row, col, data.tolist(), strict=True))
    else:
        begins, ids = held["indptr"].tolist(), held["indices"].tolist()
        height = 1 if form != "bsr" else data.shape[1]
        width = 1 if form != "bsr" else data.shape[2]
        lines = n // height
        if len(begins) != lines + 1 or begins[0] != 0 or len(ids) != len(data):
            return None
        if begins[-1] > len(ids) or any(a > b for a, b in pairwise(begins)):
            return None
        for i in range(lines):
            for e in range(begins[i], begins[i + 1]):
                block = np.reshape(data[e], (height, width)).tolist()
                for r, c in np.ndindex(height, width):
                    place = i * height + r, ids[e] * width + c
                    found.append((*(place[::-1] if form == "csc" else place), block[r][c]))
    total: dict[tuple[int, int], float] = {}
    for u, v, x in found:
        if not (0 <= u < n and 0 <= v < n):
            return None
        total[u, v] = total.get((u, v), 0) + x
    return total


def entries(A: lg.Matrix) -> dict[tuple[int, int], float]:
    row, column, value = (part.tolist() for part in A.to_coo())
    return dict(zip(zip(row, column, strict=True), value, strict=True))


@settings(max_examples=300, deadline=None)
@given(alterations(), st.sampled_from(sorted(DOORS)))
def test_altered_arrays_are_read_right_or_refused(
    given_: tuple[str, int, dict[str, np.ndarray]], door: str
) -> None:
    form, n, held = given_
    A: Any = getattr(sp, f"{form}_array")((n, n))
    if form == "coo":
        A.coords, A.data = (held["row"], held["col"]), held["data"]
    else:
        for name, array in held.items():
            setattr(A, name, array)
    expected = specified(form, n, held)
    if expected is None:
        with lg.backend("cpu"), pytest.raises(InvalidValue, match="damaged"):
            DOORS[door](A)
        return
    assert entries(of_matrix(A)) == expected
    try:
        enter(door, A)
    except InvalidValue as refusal:
        assert "expected a symmetric matrix" in str(refusal) and door == "Graph, both ways"


@settings(max_examples=200, deadline=None)
@given(alterations())
def test_altered_files_are_read_right_or_refused(
    given_: tuple[str, int, dict[str, np.ndarray]],
) -> None:
    form, n, held = given_
    expected = specified(form, n, held)
    if "indptr" in held and held["indptr"].size and held["indptr"][-1] != held["indices"].size:
        expected = None  # in a file ids too many are damage, not room
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.npz")
        np.savez(path, format=np.array(form), shape=np.array([n, n]), **held)  # type: ignore[arg-type]
        if expected is None:
            with pytest.raises(FormatError, match=r"x\.npz.*not a matrix that"):
                read_edges(path)
            return
        assert entries(lg.Graph.from_edgelist(read_edges(path), "sum", backend="cpu").A) == expected


@settings(max_examples=200, deadline=None)
@given(alterations().filter(lambda drawn: drawn[0] in ("csr", "csc")))
def test_altered_rows_are_taken_right_or_refused(
    given_: tuple[str, int, dict[str, np.ndarray]],
) -> None:
    form, n, held = given_
    expected, parts = specified(form, n, held), [held[name] for name in ARRAYS["csr"]]
    begins, ids = held["indptr"].tolist(), held["indices"].tolist()
    if expected is not None and begins[-1] == len(ids):
        rising = all(ids[a:b] == sorted(set(ids[a:b])) for a, b in pairwise(begins))
        expected = expected if rising else None
    else:
        expected = None
    across = {"ncols" if form == "csr" else "nrows": n}
    build = getattr(lg.Matrix, f"from_{form}")
    archive = io.BytesIO()
    head = {"kind": np.array("lagraph-gpu matrix"), "version": np.array(1)}
    held = {"indptr": parts[0], "indices": parts[1], "values": parts[2]}
    np.savez(archive, **head, shape=np.array([n, n]), **held)  # type: ignore[arg-type]
    if expected is None or len(begins) != n + 1:
        with pytest.raises(InvalidValue, match=r"altered|cut off"):
            lg.Matrix.deserialize(archive.getvalue(), backend="cpu")
    across |= {"nrows" if form == "csr" else "ncols": n}
    if expected is None:
        with pytest.raises(LagraphError):
            build(*parts, **across, backend="cpu")
        return
    assert entries(build(*parts, **across, backend="cpu")) == expected


# --- archives ------------------------------------------------------------------------------------


def members(**parts: Any) -> dict[str, bytes]:
    """The files of an archive, as NumPy writes them; bytes as they are."""
    made = {}
    for name, array in parts.items():
        out = io.BytesIO()
        if not isinstance(array, bytes):
            np.save(out, np.asarray(array))
        made[f"{name}.npy"] = array if isinstance(array, bytes) else out.getvalue()
    return made


def archived(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def encrypted(content: bytes) -> bytes:
    """With the flag of encryption on every member."""
    held = bytearray(content)
    for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(mark)
        while at >= 0:
            held[at + flag] |= 1
            at = content.find(mark, at + 1)
    return bytes(held)


def damaged_lzma(files: dict[str, bytes]) -> bytes:
    content = bytearray(archived(files, zipfile.ZIP_LZMA))
    first = next(iter(files))
    begin = 30 + len(first)
    content[begin + 4 : begin + 9] = b"\xff" * 5  # the properties of the stream
    return bytes(content)


HEADER = b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': ('<f8', 'fortran_order': (".ljust(0x75) + b"\n"
NESTED = b"\x93NUMPY\x02\x00\x10\x27\x00\x00" + b"(" * 9999 + b"\n"
KINDS = {
    "npz": members(
        format="csr", shape=[2, 2], indptr=[0, 1, 2], indices=INT([1, 0]), data=np.ones(2)
    ),
    "matrix": members(
        kind="lagraph-gpu matrix", version=1, shape=[2, 2], indptr=[0, 1, 2], indices=INT([1, 0]),
        values=np.ones(2),
    ),
}  # fmt: skip
BROKEN: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "a header without end": lambda files: archived(files | {"shape.npy": HEADER}),
    "a header of brackets": lambda files: archived(files | {"indptr.npy": NESTED}),
    "no array": lambda files: archived(files | {"shape.npy": b"no array"}),
    "text as an array": lambda files: archived(files | members(indptr=np.array(["a", "b", "c"]))),
    "a pickle": lambda files: archived(files | pickled()),
    "a part missing": lambda files: archived({k: files[k] for k in files if k != "indices.npy"}),
    "a scalar for an array": lambda files: archived(files | members(indptr=np.array(0))),
    "one shape of three": lambda files: archived(files | members(shape=[2, 2, 2])),
    "encrypted": lambda files: encrypted(archived(files)),
    "LZMA": damaged_lzma,
    "cut off": lambda files: archived(files)[:-30],
    "last offset 0": lambda files: archived(files | members(indptr=[0, 10**7, 0])),
    "last offset negative": lambda files: archived(files | members(indptr=[0, 1, -1])),
    "an id too many": lambda files: archived(files | members(indptr=[0, 1, 1])),
}


class Trap:
    """What would run if a pickle were loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickle was loaded",)


def pickled() -> dict[str, bytes]:
    out = io.BytesIO()
    np.save(out, np.array([Trap()], object), allow_pickle=True)
    return {"indptr.npy": out.getvalue()}


def test_archives_that_are_whole(tmp_path: Path) -> None:
    Path(tmp_path, "x.npz").write_bytes(archived(KINDS["npz"], zipfile.ZIP_LZMA))
    assert read_edges(tmp_path / "x.npz").dst.tolist() == [1, 0]
    whole = archived(KINDS["matrix"], zipfile.ZIP_LZMA)
    assert entries(lg.Matrix.deserialize(whole, backend="cpu")) == {(0, 1): 1.0, (1, 0): 1.0}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_archives_have_one_error_a_door(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(BROKEN[name](KINDS["npz"]))
    with pytest.raises(FormatError, match=r"x\.npz") as refusal:
        read_edges(path)
    three = name == "one shape of three"
    assert three or refusal.value.__cause__ is not None
    with pytest.raises(InvalidValue, match=r"deserialize|serialize\(\)") as refused:
        lg.Matrix.deserialize(BROKEN[name](KINDS["matrix"]), backend="cpu")
    assert refused.value.__cause__ is not None


def test_a_rectangle_is_not_undirected(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    files = KINDS["npz"] | members(shape=[2, 5], directed=False)
    path.write_bytes(archived(files))
    with pytest.raises(FormatError, match="directed=False of a matrix of 2 x 5"):
        read_edges(path)


@pytest.mark.parametrize("name", ["x\0.npz", "\0", "x\udcff\ud800.npz"])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        read_edges(tmp_path / name)
    with pytest.raises(FormatError):
        lg.io.write_edges(tmp_path / f"{name}.npz", read_edges(whole_file(tmp_path)))


def whole_file(folder: Path) -> Path:
    path = folder / "whole.npz"
    path.write_bytes(archived(KINDS["npz"]))
    return path
