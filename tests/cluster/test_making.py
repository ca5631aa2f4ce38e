"""Graphs that 2 to 4 processes make in parts: the same as one process makes of everything."""

from __future__ import annotations

import os
import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.cluster import generated, own_rows, placed_rows, shards
from lagraph_gpu.convert import edge_list, mirrored
from lagraph_gpu.errors import DuplicateEdges, FormatError, InvalidValue, LagraphError, TooLarge
from lagraph_gpu.generate import Draw, grids, sorted_edges
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.io import saved, saved_folder
from lagraph_gpu.io.parts import FilePart
from lagraph_gpu.io.saved_folder import FileArray
from lagraph_gpu.io.stream import LOOK_AHEAD_BYTES, MANIFEST, Source
from tests.cluster.test_port import failing
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.strategies import examples

sizes = st.sampled_from([2, 3, 4])


@pytest.fixture(scope="module", autouse=True)
def few_edges_are_sent_at_a_time() -> Iterator[None]:
    """So that graphs of tests go in several ranges, of which processes have more or fewer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_rows, "PIECE", 7)
        yield


def seen(G: lg.Graph) -> Any:
    return G.n, G.directed, G.weighted, G.A.dtype, [array.tolist() for array in G.A.to_coo()]


def graph_or_error(*read: Any, backend: Any) -> Any:
    try:
        return seen(lg.read(*read, backend=backend))
    except LagraphError as problem:
        said = str(problem).partition("the edge")[0]
        return type(problem).__name__, said.replace(f"0..{2**60 - 1}", f"0..{2**31 - 2}")


@st.composite
def edge_lists(draw: Any) -> bytes:
    """An edge list, which may have edges given twice, comments, and one line that is wrong."""
    ids = st.integers(0, draw(st.sampled_from([3, 40])))
    weights = draw(
        st.sampled_from([None, st.integers(-9, 9), st.sampled_from(["2", "0.5", "7e1"])])
    )
    columns = [ids, ids] if weights is None else [ids, ids, weights]
    rows = draw(st.lists(st.tuples(*columns), max_size=30))
    rows += draw(st.sampled_from([[], [row[1::-1] + row[2:] for row in rows]]))
    lines = [" ".join(map(str, row)) for row in rows]
    for more in draw(st.lists(st.sampled_from(["", "# a comment", "% Undirected graph", "1 x"]),
                              max_size=2)):  # fmt: skip
        lines.insert(draw(st.integers(0, len(lines))), more)
    if draw(st.booleans()):
        heading = " ".join(["from", "To", "km"][: len(columns)])
        lines.insert(draw(st.sampled_from([0, 0, 1])), heading)
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (end.join(lines) + draw(st.sampled_from(["", end]))).encode()


@examples(70)
@given(
    text=edge_lists(), size=sizes, directed=st.sampled_from([None, True, False]),
    dup=st.sampled_from(["error", "min", "sum", "first", "last"]),
)  # fmt: skip
def test_an_edge_list_is_read_in_parts(text: bytes, size: int, directed: Any, dup: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "some.el")
        path.write_bytes(text)
        right = graph_or_error(path, directed, dup, backend=CPU)
        found = on_ranks(size, lambda backend: graph_or_error(path, directed, dup, backend=backend))
    assert found == [right] * size


def test_a_table_whose_heading_says_where_the_edges_are(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("Source,Target,Type,Id,Weight\n3,1,Undirected,0,5\n1,0,Undirected,1,6\n")
    found = on_ranks(2, lambda backend: graph_or_error(path, backend=backend))
    assert found == [seen(lg.read(path, backend=CPU))] * 2
    assert found[0][:3] == (4, False, True)


@st.composite
def counted_files(draw: Any) -> tuple[str, bytes]:
    """A DIMACS or Matrix Market file, which may promise another number of edges than it has, or
    have a wrong line; some are not read in pieces."""
    n = draw(st.sampled_from([3, 20]))
    ids = st.integers(1, n)
    form = draw(st.sampled_from(["gr", "mtx", "mtx"]))
    weights = draw(st.sampled_from([st.integers(-9, 9), st.sampled_from(["2", "0.5", "7e1"])]))
    rows = draw(st.lists(st.tuples(ids, ids, weights), max_size=30))
    promised = len(rows) + draw(st.sampled_from([0, 0, 0, 1, -1]))
    if form == "gr":
        lines = [f"p sp {n} {max(0, promised)}", *("a {} {} {}".format(*row) for row in rows)]
    else:
        field, symmetry = draw(
            st.sampled_from(["pattern", "real", "integer"])
        ), draw(st.sampled_from(["general", "symmetric", "skew-symmetric"]))  # fmt: skip
        width = 2 if field == "pattern" else 3
        first = f"%%MatrixMarket matrix coordinate {field} {symmetry}"
        lines = [first, f"{n} {n} {max(0, promised)}"]
        lines += [" ".join(map(str, row[:width])) for row in rows]
    if draw(st.booleans()):
        comment = "c" if form == "gr" else "%"
        lines.insert(draw(st.integers(1, len(lines))), draw(st.sampled_from([comment, "", "x 1"])))
    return form, "\n".join(lines).encode()


@examples(60)
@given(
    file=counted_files(), size=sizes, directed=st.sampled_from([None, True, False]),
    dup=st.sampled_from(["error", "min", "sum", "first", "last"]),
)  # fmt: skip
def test_a_file_with_a_count_is_read_in_parts(
    file: tuple[str, bytes], size: int, directed: Any, dup: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"some.{file[0]}")
        path.write_bytes(file[1])
        right = graph_or_error(path, directed, dup, backend=CPU)
        found = on_ranks(size, lambda backend: graph_or_error(path, directed, dup, backend=backend))
    assert found == [right] * size


@pytest.mark.parametrize("later", ["0 2\n1 2\n2 3\n", "0 1\n2 2\n9 3\n", "0 1\n"])
def test_a_file_that_is_changed_meanwhile_is_refused(
    later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the first time over it and the second."""
    path, rows = tmp_path / "some.el", own_rows.OwnRows.rows

    def then(self: Any, *given: Any) -> Any:
        if self.distribution.rank == 0:
            path.write_text(later)
        return rows(self, *given)

    monkeypatch.setattr(own_rows.OwnRows, "rows", then)

    def work(backend: Any) -> None:
        with pytest.raises((InvalidValue, FormatError), match=r"changed|gone over again|3 columns"):
            lg.read(path, backend=backend)

    path.write_text("0 1\n1 2\n2 3\n")
    on_ranks(2, work)


@pytest.mark.parametrize(
    "text", ["6 1\n2 3\n6 1\n3 2\n2 3\n", "7 2 1\n7 2 2\n9 3 5\n3 9 2\n", "4 4\n5 5\n4 4\n5 5\n"]
)
def test_the_edge_that_is_given_twice_is_that_of_one_process(text: str, tmp_path: Path) -> None:
    """The first of all, from the lower to the higher vertex."""
    path = tmp_path / "some.el"
    path.write_text(text)

    def said(backend: Any) -> str:
        with pytest.raises(DuplicateEdges) as told:
            lg.read(path, directed=False, backend=backend)
        return str(told.value)

    right = said(CPU)
    for size in (2, 3):
        assert on_ranks(size, said) == [right] * size


def test_large_integers_beside_real_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.el"
    path.write_text("0 1 9007199254740993\n" + "1 2 5\n" * 20 + "2 3 0.5\n")

    def work(backend: Any) -> None:
        with pytest.raises(FormatError, match=r"beyond 2\^53 beside real weights"):
            lg.read(path, dup="first", backend=backend)

    on_ranks(2, work)


@pytest.mark.parametrize("name, given_twice", [("kronecker", 1.3), ("star", 1.0)])
def test_making_takes_little_more_than_the_graph(
    name: str, given_twice: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that two processes hold beside the rows that become the graph. Nearly half of the entries
    of a star lie in one of the rows."""
    monkeypatch.setattr(own_rows, "PIECE", 1 << 9)
    for n in (9, 40_000):
        (tmp_path / f"{n}.el").write_text("".join(f"0 {i} {i % 7}\n" for i in range(1, n)))

    def made(large: bool) -> list[Any]:
        def graph(backend: Any) -> lg.Graph:
            if name == "kronecker":
                return lg.kronecker(11 if large else 4, weights="integer", backend=backend)
            return lg.read(tmp_path / f"{40_000 if large else 9}.el", False, backend=backend)

        return on_ranks(2, lambda backend: graph(backend).A._store.part)

    made(large=False)  # which imports
    tracemalloc.start()
    try:
        parts = made(large=True)
        beside = tracemalloc.get_traced_memory()[1]  # the rows lie in pages of their own
    finally:
        tracemalloc.stop()
    finished = sum(part.backend.matrix_bytes(part._store) for part in parts)
    assert finished > 8 * 45_000
    assert beside < (2.5 - given_twice) * finished


@examples(60)
@given(lines=st.lists(st.sampled_from(["", "a", "bc", "def\r"])), parts=st.integers(1, 9))
def test_parts_have_each_line_once(lines: list[str], parts: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines")
        path.write_bytes("\n".join(["", *lines]).encode())  # one line feed, so that all are
        with Source(path) as source:
            whole = b"".join(block.text for block in source.blocks())
        read = [FilePart(path, part, parts) for part in range(parts)]
        assert b"".join(block.text for part in read for block in part.blocks()) == whole
        counts = [part.line for part in read]
        for number, part in enumerate(read):
            assert not part.line or part.error(1, "").line == 1 + sum(counts[:number])


@pytest.mark.parametrize("name", ["path.gr", "path.el.gz", "path.csv", "returns.csv"])
def test_other_files_are_read_by_all(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    lg.write(lg.grid(3, 3, weights="integer", backend=CPU), path)
    if name == "returns.csv":  # lines end with carriage returns alone
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    right = seen(lg.read(path, backend=CPU))
    assert on_ranks(3, lambda backend: seen(lg.read(path, backend=backend))) == [right] * 3


def test_columns_by_name_are_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    path.write_text("who,whom,km\n0,1,5\n1,2,6\n")
    named = {"source": "who", "target": "whom", "weight": "km"}
    right = seen(lg.read(path, backend=CPU, **named))
    assert on_ranks(2, lambda backend: seen(lg.read(path, backend=backend, **named))) == [right] * 2


def test_a_file_that_differs_is_told(tmp_path: Path) -> None:
    """As where each host has a file of its own under one name."""
    for rank, text in enumerate(["0 1\n", "0 1\n", "0 2\n"]):
        (tmp_path / f"{rank}.el").write_text(text)

    def work(backend: Any) -> None:
        with pytest.raises(InvalidValue, match=r"the same file .* on process 2"):
            lg.read(tmp_path / f"{backend.distribution.rank}.el", backend=backend)
        with pytest.raises(FormatError, match="there is no such file"):
            lg.read(
                tmp_path / ("none.el" if backend.distribution.rank else "0.el"), backend=backend
            )
        assert lg.read(tmp_path / "0.el", backend=backend).nedges == 1

    on_ranks(3, work)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """Each process would get some of its bytes, and wait for the others."""
    os.mkfifo(tmp_path / "some.el")

    def work(backend: Any) -> None:
        with pytest.raises(InvalidValue, match="file that each process can read for itself"):
            lg.read(tmp_path / "some.el", backend=backend)

    on_ranks(2, work)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("weights", [None, "integer", "uniform"])
def test_a_kronecker_graph_is_drawn_in_parts(
    size: int, weights: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_rows, "PIECE", 70)
    right = seen(lg.kronecker(5, weights=weights, backend=CPU))
    degrees = Drawn(Draw(5), CPU).ends.to_coo()[1].tolist()

    def work(backend: Any) -> Any:
        drawn = Drawn(Draw(5), backend)
        assert drawn.ends.to_coo()[1].tolist() == degrees
        G = drawn.graph(weights)
        wrong = G.A.dup()
        wrong[0, 0] << 3
        H = lg.Graph._checked(wrong, False)
        return seen(G), drawn.differences(G), drawn.differences(H)

    assert on_ranks(size, work) == [(right, 0, 1)] * size


MADE = {
    "grid": lambda backend: lg.grid(7, 9, 0.2, weights="integer", backend=backend),
    "line": lambda backend: lg.grid(1, 5, backend=backend),
    "nothing": lambda backend: lg.grid(0, 0, backend=backend),
    "directed": lambda b: lg.random_graph(23, 90, directed=True, weights="uniform", backend=b),
    "undirected": lambda backend: lg.random_graph(40, 200, backend=backend),
}


@pytest.mark.parametrize("name", MADE)
def test_other_graphs_are_made_in_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pieces that processes make are small, and each is made by one, and at most twice."""
    right, made = seen(MADE[name](CPU)), []
    edge_list = sorted_edges.edge_list

    def counted(src: Any, *more: Any) -> Any:
        made.append(src.size)
        return edge_list(src, *more)

    for module in (grids, sorted_edges):
        monkeypatch.setattr(module, "edge_list", counted)
    for size in (2, 3):
        made.clear()
        assert on_ranks(size, lambda backend: seen(MADE[name](backend))) == [right] * size
        edges = len(right[-1][0]) if name == "directed" else len(right[-1][0]) // 2
        assert edges <= sum(made) <= 2 * edges and max(made) <= 2 * own_rows.PIECE


GRAPHS = {
    "directed": lambda: lg.random_graph(23, 60, directed=True, weights="uniform", backend=CPU),
    "undirected": lambda: lg.random_graph(23, 60, backend=CPU),
    "relabelled": lambda: lg.random_graph(23, 60, weights="integer", backend=CPU).relabel(),
    "two vertices": lambda: lg.Graph.from_edges([0], [1], n=2, backend=CPU),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_is_saved_in_parts_and_opened_by_any_number(name: str, tmp_path: Path) -> None:
    G = GRAPHS[name]()
    right = seen(G), None if G.ids is None else G.ids.to_dense().tolist(), G.original_n

    def opened(folder: Path, backend: Any) -> Any:
        H = lg.open(folder, backend=backend)
        return seen(H), None if H.ids is None else H.ids.to_dense().tolist(), H.original_n

    G.save(tmp_path / "1")
    for size in (2, 3, 4):
        folder = tmp_path / str(size)
        for overwrite in (False, True):
            on_ranks(size, lambda b, f=folder, o=overwrite: G.to(b).save(f, overwrite=o))
    for parts in (1, 2, 3, 4):
        folder = tmp_path / str(parts)
        assert opened(folder, CPU) == right
        for size in (2, 3):
            assert on_ranks(size, lambda b, f=folder: opened(f, b)) == [right] * size


@pytest.mark.parametrize("parts, size", [(1, 2), (1, 4), (3, 2), (2, 4)])
def test_parts_of_others_are_read_a_piece_at_a_time(
    parts: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a star as well, which has one long row, and many short ones; and each entry once."""
    star = lg.Graph.from_edges([0] * 299, range(1, 300), directed=False, backend=CPU)
    if parts == 1:
        star.save(tmp_path / "g")
    else:
        on_ranks(parts, lambda backend: star.to(backend).save(tmp_path / "g"))
    read = FileArray.__getitem__
    entries: list[int] = []
    columns: list[int] = []

    def noted(self: FileArray, part: slice) -> Any:
        found = read(self, part)
        entries.append(found.size)
        if self.what == "indices" and self.dtype == np.int32:
            columns.append(found.size)
        return found

    monkeypatch.setattr(FileArray, "__getitem__", noted)
    monkeypatch.setattr(saved_folder, "READ_BYTES", 8)
    monkeypatch.setattr(shards, "READ_ROWS", 4)
    monkeypatch.setattr(shards, "SHARE", own_rows.SHARE)
    monkeypatch.setattr(np, "memmap", None)
    for found in on_ranks(size, lambda backend: seen(lg.open(tmp_path / "g", backend=backend))):
        assert found == seen(star)
    assert max(entries) <= 8 + 2 and len(columns) > 897 // 8
    assert sum(columns) <= 598 + len(columns)  # with the entry before a piece


def test_a_folder_that_is_changed_while_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the lengths of its rows were read, to another graph with as many entries."""
    right = lg.Graph.from_edges([0, 1, 2, 4], [1, 2, 3, 5], directed=False, backend=CPU)
    later = lg.Graph.from_edges([0, 0, 0, 4], [1, 2, 3, 5], directed=False, backend=CPU)
    right.save(tmp_path / "g")
    later.save(tmp_path / "later")
    take_room = placed_rows.PlacedRows.take_room

    def then(self: Any, *given: Any) -> None:
        take_room(self, *given)
        for path in (tmp_path / "g").glob("ind*"):
            (other,) = (tmp_path / "later").glob(path.name.partition("-")[0] + "-*")
            path.write_bytes(other.read_bytes())

    monkeypatch.setattr(placed_rows.PlacedRows, "take_room", then)

    def work(backend: Any) -> None:
        with pytest.raises(InvalidValue, match="gone over again"):
            lg.open(tmp_path / "g", backend=backend)

    on_ranks(2, work)


@examples(300)
@given(
    offsets=st.lists(st.integers(0, 5), min_size=1, max_size=7), count=st.integers(0, 5),
    pieces=st.integers(1, 9), sorts=st.booleans(),
)  # fmt: skip
@example(offsets=[0, 2, 1], count=1, pieces=1, sorts=False)
@example(offsets=[0, 1, 0], count=0, pieces=3, sorts=False)
def test_pieces_of_rows_are_the_rows(
    offsets: list[int], count: int, pieces: int, sorts: bool
) -> None:
    """All of them together, or else one of them is refused."""
    if sorts:
        offsets = sorted([0, *offsets[1:-1], count])
    indptr, indices = np.array(offsets), np.arange(count, dtype=np.int32)
    rows = indptr, indices, np.ones(1, np.int32)
    ends = [(len(offsets) - 1 + count) * k // pieces for k in range(pieces + 1)]

    def by_pieces() -> list[list[int]]:
        cut = [
            shards.between(
                list(rows), both, [shards.rows_ended(indptr, at) for at in both], 5, True
            )[:2]
            for both in pairwise(ends)
        ]
        return [np.concatenate(arrays).tolist() for arrays in zip(*cut)]

    def whole() -> list[list[int]]:
        saved.checked(rows, 5, True)
        return [array.tolist() for array in mirrored.block(rows, 0, count)[:2]]

    def made(make: Any) -> Any:
        try:
            return make()
        except LagraphError:
            return None

    assert made(by_pieces) == made(whole)


@examples(60)
@given(
    data=st.data(), parts=st.sampled_from([1, 2, 3]), size=sizes, directed=st.booleans(),
    weights=st.sampled_from([None, "integer"]),
)  # fmt: skip
def test_altered_arrays_are_refused_as_by_one_process(
    data: Any, parts: int, size: int, directed: bool, weights: Any
) -> None:
    """Where nobody looks at digests."""

    def opened(backend: Any) -> Any:
        try:
            return seen(lg.open(folder, verify=False, backend=backend))
        except FormatError as problem:
            assert "describe no graph" in str(problem)
            return None

    G = lg.random_graph(9, 18, 1, directed, weights, backend=CPU)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "g")
        if parts == 1:
            G.save(folder)
        else:
            on_ranks(parts, lambda backend: G.to(backend).save(folder))
        name = data.draw(st.sampled_from(["indptr", "indices"]))
        path = data.draw(st.sampled_from(sorted(folder.glob(f"{name}-*.npy"))))
        array = np.load(path)
        for _ in range(data.draw(st.integers(0, 2))):
            to = st.integers(-1, array.size) | st.sampled_from([-(2**31), 2**31 - 1])
            array[data.draw(st.integers(0, array.size - 1))] = data.draw(to)
        np.save(path, array)
        right = opened(CPU)
        assert on_ranks(size, opened) == [right] * size


def test_one_damaged_part_is_refused_by_all(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    on_ranks(3, lambda backend: GRAPHS["directed"]().to(backend).save(folder))
    damaged = max(folder.glob("indices-*"))
    damaged.write_bytes(damaged.read_bytes()[:-4] + b"\1\0\0\0")

    def work(backend: Any) -> None:
        with pytest.raises(FormatError, match=r"indices-.*altered"):
            lg.open(folder, backend=backend)
        with pytest.raises(FormatError, match="exists already"):
            lg.grid(2, 2, backend=backend).save(folder)

    on_ranks(2, work)
    with pytest.raises(FormatError, match=r"indices-.*altered"):
        lg.open(folder, backend=CPU)


@pytest.mark.parametrize("packed", [False, True])
def test_manifests_that_differ_are_told(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their last bytes alone, and where each reads a folder of packed rows as a whole."""
    manifest_of = saved_folder.manifest_of
    for rank, end in enumerate(["\n ", " \n"]):
        GRAPHS["directed"]().save(tmp_path / str(rank))
        manifest = tmp_path / str(rank) / MANIFEST
        manifest.write_text(manifest.read_text() + " " * LOOK_AHEAD_BYTES + end)
    if packed:
        monkeypatch.setattr(
            saved_folder, "manifest_of", lambda path: manifest_of(path) | {"parts": [{"stream": 0}]}
        )

    def work(backend: Any) -> None:
        with pytest.raises(InvalidValue, match=r"the same file .*graph.json .* on process 1"):
            lg.open(tmp_path / str(backend.distribution.rank), backend=backend)

    on_ranks(2, work)


def test_columns_that_one_process_cannot_read_are_refused_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = lg.Graph.from_edges(["a"], ["b"], directed=False, backend=CPU)
    G.save(tmp_path / "g")
    keep, alone = saved.keep_columns, {}

    def keep_columns(*given: Any) -> Any:
        if alone.get(threading.get_ident()):
            raise InvalidValue("on this process alone")
        return keep(*given)

    monkeypatch.setattr(saved, "keep_columns", keep_columns)

    def work(backend: Any) -> str:
        alone[threading.get_ident()] = backend.distribution.rank == 1
        with pytest.raises(FormatError, match="on this process alone") as told:
            lg.open(tmp_path / "g", backend=backend)
        return str(told.value)

    assert len(set(on_ranks(3, work))) == 1


@pytest.mark.parametrize("name", ["indptr", "indices", "values"])
def test_an_altered_array_of_one_part_is_refused_by_all(name: str, tmp_path: Path) -> None:
    """One process alone finds it, while the others go on to see whether rows are symmetric."""
    lg.random_graph(9, 14, weights="integer", backend=CPU).save(tmp_path / "g")
    (damaged,) = (tmp_path / "g").glob(f"{name}-*")
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\7")

    def work(backend: Any) -> str:
        with pytest.raises(FormatError, match=rf"{name}-.* is altered") as told:
            lg.open(tmp_path / "g", backend=backend)
        assert lg.grid(2, 2, backend=backend).nedges == 4
        return str(told.value)

    for size in (2, 3):
        assert len(set(on_ranks(size, work))) == 1


def test_a_failed_save_leaves_nothing(tmp_path: Path) -> None:
    def work(backend: Any) -> None:
        G = lg.grid(3, 3, backend=backend)
        if backend.distribution.rank == 1:
            backend.distribution.local = failing(
                backend, "matrix_entries", InvalidValue("a bad row")
            )
        with pytest.raises(InvalidValue, match="a bad row"):
            G.save(tmp_path / "graph")

    on_ranks(2, work)
    assert not list(tmp_path.iterdir())


def test_names_and_data_are_saved_by_all_and_opened_by_any_number(tmp_path: Path) -> None:
    G = lg.Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], [1, 1, 1], directed=False)
    G.vertex_data["age"], G.edge_data["road"] = [30, 40, 50], ["ab", "ac", "bc"]
    G = G.to(CPU)
    known = (["a", "b", "c"], [30, 40, 50], ["ab", "ac", "bc"], True)

    def opened(folder: Path, backend: Any) -> Any:
        H = lg.open(folder, backend=backend)
        told = H.labels, H.vertex_data["age"], H.edge_data["road"]
        return *(column.tolist() for column in told), H.weighted

    on_ranks(2, lambda b: G.to(b).save(tmp_path / "g"))
    assert opened(tmp_path / "g", CPU) == known
    for size in (2, 3):
        assert on_ranks(size, lambda b: opened(tmp_path / "g", b)) == [known] * size


@pytest.mark.parametrize("numbers", [np.int8, np.uint32, np.uint64])
def test_sizes_of_numpy_are_numbers(numbers: Any) -> None:
    """Nothing is computed in the type of a size, which may have no room for it or no sign."""
    for make in (lg.grid, lg.random_graph):
        right = seen(make(100, 100, backend=CPU))
        found = on_ranks(2, lambda B, make=make: seen(make(numbers(100), numbers(100), backend=B)))
        assert found == [right] * 2


def test_what_does_not_fit_is_refused_before_it_is_drawn(monkeypatch: Any) -> None:
    """A graph of which a part alone is larger than the memory."""

    def draw_edges(*_: Any, **__: Any) -> None:
        raise AssertionError("expected no edges to be drawn")

    monkeypatch.setattr(generated, "draw_edges", draw_edges)
    for make in (lambda B: lg.random_graph(2**31 - 1, 10**13, backend=B),
                 lambda B: lg.kronecker(20, 10**7, backend=B)):  # fmt: skip
        with pytest.raises(TooLarge, match="a part of about"):
            on_ranks(2, make)


@pytest.mark.parametrize(
    "name, text",
    [
        ("far.el", "0 9999999\n"),
        ("far.mtx", "%%MatrixMarket matrix coordinate pattern general\n9999999 9999999 0\n"),
    ],
)
def test_rows_without_entries_must_fit(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(text)
    monkeypatch.setattr(edge_list, "MANY_VERTICES", 1 << 40)  # so that there are offsets of all
    monkeypatch.setattr(memory, "of_machine", lambda: iter([2 * 79_000_000]))
    monkeypatch.setattr(memory, "of_groups", lambda: iter(()))

    def work(backend: Any) -> None:
        with pytest.raises(TooLarge, match=r"offsets of .* take together .* renumbered"):
            lg.read(path, backend=backend)

    on_ranks(2, work)


class Host:
    """A machine of so many bytes, of which processes take some for offsets and entries."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.bytes, self.takers = 0, set[Any]()
        host = self

        class Offsets(placed_rows.PlacedRows):
            def hold(self, n: int) -> None:
                host.takers.add(self)
                super().hold(n)

            @property
            def nbytes(self) -> int:
                return self.ends.nbytes

        class Entries(placed_rows.GrowingArray):
            def __init__(self, *given: Any) -> None:
                super().__init__(*given)
                if self.size:
                    host.takers.add(self)

        for home in (own_rows, shards):
            patch.setattr(home, "PlacedRows", Offsets)
        patch.setattr(placed_rows, "GrowingArray", Entries)
        patch.setattr(memory, "of_machine", lambda: iter([self.free]))
        patch.setattr(memory, "of_groups", lambda: iter(()))

    @property
    def free(self) -> int:
        return self.bytes - sum(one.nbytes for one in self.takers)

    def has(self, size: int) -> None:
        """So many bytes, all of them free."""
        self.bytes = size
        self.takers.clear()


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    return Host(monkeypatch)


@pytest.mark.parametrize("form", ["el", "mtx"])
def test_offsets_that_fit_together_are_not_refused(form: str, tmp_path: Path, host: Host) -> None:
    """Neither while they grow, by ids of one process first, nor after others have taken theirs."""
    n, size = 300_000, 3
    lines = [f"{k} {k + 1}\n" for k in (*range(1, 60), *range(90_000, 90_040), 149_999, 77, n - 2)]
    path = tmp_path / f"some.{form}"
    path.write_text("".join(lines))
    if form == "mtx":
        head = f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} {len(lines)}\n"
        path.write_text(head + path.read_text())

    def work(backend: Any) -> tuple[int, int]:
        G = lg.read(path, directed=True, backend=backend)
        return G.n, G.nedges

    def refused(backend: Any) -> str:
        with pytest.raises(TooLarge, match=r"offsets .* take together") as told:
            work(backend)
        return str(told.value)

    host.has(placed_rows.OFFSET_BYTES * (n + 2 * size))  # some have a row more for a while
    assert on_ranks(size, work) == [(n, len(lines))] * size
    host.has(placed_rows.OFFSET_BYTES * (n - 2 * size))
    assert len(set(on_ranks(size, refused))) == 1


def test_entries_of_a_file_must_fit_together(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All processes look before one takes room, as none may judge by what others have left."""
    n, size = 12, 3
    path = tmp_path / "all.el"
    path.write_text("".join(f"{i} {j} 5\n" for i in range(n) for j in range(i)))
    monkeypatch.setattr(memory, "CHECKED_BYTES", 0)
    wanted = size * 8 * (n // size + 2) + n * (n - 1) * (4 + 8)

    def edges(backend: Any) -> int:
        return lg.read(path, directed=False, backend=backend).nedges

    def refused(backend: Any) -> str:
        with pytest.raises(TooLarge, match=r"rows of 44 entries .* take together") as told:
            edges(backend)
        return str(told.value)

    host.has(wanted - 1)
    assert len(set(on_ranks(size, refused))) == 1
    assert {type(one).__name__ for one in host.takers} == {"Offsets"}
    host.has(wanted)
    assert on_ranks(size, edges) == [n * (n - 1) // 2] * size


def test_unequal_parts_of_a_host_must_fit_together(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A star, most of which is one row: the other processes do not take as much as its owner."""
    n, size = 40, 4
    path = tmp_path / "star.el"
    path.write_text("".join(f"0 {i}\n" for i in range(1, n)))
    monkeypatch.setattr(memory, "CHECKED_BYTES", 0)
    wanted = 8 * (n + 2 * size) + 4 * 2 * (n - 1)

    def edges(backend: Any) -> int:
        return lg.read(path, directed=False, dup="first", backend=backend).nedges

    def refused(backend: Any) -> None:
        with pytest.raises(TooLarge, match=r"take together 312 bytes and 311 are free"):
            edges(backend)

    host.has(wanted - 1)
    on_ranks(size, refused)
    host.has(wanted)
    assert on_ranks(size, edges) == [n - 1] * size


def test_all_parts_of_a_host_must_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names of vertices that each process holds, and before one begins to take them."""
    scale, entries = 16, 2 << 16
    each = 24 * 2**scale + 4 * (entries // 3)
    said: list[str] = []

    def free_for(bytes_: int) -> None:
        monkeypatch.setattr(memory, "of_machine", lambda: iter([bytes_]))

    def work(backend: Any) -> None:
        with pytest.raises(TooLarge, match="the processes of this host take together") as told:
            lg.kronecker(scale, 1, backend=backend)
        said.append(str(told.value))

    names = generated.vertex_names
    monkeypatch.setattr(memory, "of_groups", lambda: iter(()))

    def made(draw: Draw) -> Any:
        said.append("made")
        return names(draw)

    monkeypatch.setattr(generated, "vertex_names", made)
    free_for(3 * each - 1)
    on_ranks(3, work)
    assert len(said) == 3 and len(set(said)) == 1
    free_for(3 * each + 2)
    on_ranks(3, lambda backend: generated.drawn(backend, Draw(scale, 1)))
    assert said[3:] == ["made"] * 3
