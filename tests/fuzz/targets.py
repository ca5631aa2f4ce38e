"""The targets of the fuzzers: every reader and every `deserialize`, with rules for both.

A target takes any bytes. It returns "read" or "refused"; the only errors allowed are `FormatError`
for a file, `InvalidValue` for bytes, and `TooLarge`. A file that a reader accepts must be accepted
with every size of blocks, and must be the same after it was written and read again. If SciPy or
NetworkX read the format, they must read the same; exceptions have their reason here.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu.errors import FormatError, InvalidValue, TooLarge, UnsupportedOperation
from lagraph_gpu.io import (
    EdgeList,
    read_coordinates,
    read_edges,
    read_movingai,
    saved_folder,
    stream,
    write_edges,
)
from tests.fuzz import formulas, mutate
from tests.io.test_round_trip import content

BLOCKS = (1, 7, 64)
DEFAULT_BLOCK = stream.BLOCK


@dataclass(frozen=True)
class Target:
    """What takes bytes, and the sound bytes that others are made of."""

    run: Callable[[bytes], str]
    seeds: Sequence[bytes]
    mutate: Callable[[random.Random, Sequence[bytes]], bytes] = mutate.text

    def input(self, rng: random.Random) -> bytes:
        return self.mutate(rng, self.seeds)


@cache
def folder(process: int) -> Path:
    """A folder of this process, in memory where there is one."""
    memory = Path("/dev/shm")
    made = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
    _folders.append(made)
    return Path(made.name)


_folders: list[tempfile.TemporaryDirectory[str]] = []


def place(name: str) -> Path:
    return folder(os.getpid()) / name


def outcome(call: Callable[[], Any], refusal: type[Exception]) -> Any:
    """The result of a call, or the error of the one type that it may raise. Inputs that describe
    more than the memory of a worker are refused as well."""
    try:
        return call()
    except (refusal, TooLarge) as problem:
        said = str(problem)
        assert said.encode() and len(said) < 2000, "a message that nobody can read"
        return problem if isinstance(problem, refusal) else refusal(said)


# --- files of edges ------------------------------------------------------------------------------


def held(edges: EdgeList) -> tuple[Any, ...]:
    """All that an EdgeList says, in which 1 and 1.0 differ. The word -0 is -0.0 in a block with
    reals, and 0 in others."""
    weight = None if edges.weight is None else (edges.weight.dtype, (edges.weight + 0).tobytes())
    ids = None if edges.ids is None else edges.ids.tobytes()
    shape = edges.nrows, edges.ncols, edges.directed
    return (*shape, edges.src.tobytes(), edges.dst.tobytes(), weight, ids)


def reader(form: str, name: str, compare: Callable[[bytes, Any], None] | None = None) -> Any:
    """The target that reads a file of this name as this format."""

    def run(data: bytes) -> str:
        path = place(name)
        path.write_bytes(data)
        edges = in_blocks(lambda: outcome(lambda: read_edges(path, form), FormatError), data)
        if compare is not None:
            compare(with_line_feeds(data), edges)
        if isinstance(edges, FormatError):
            return "refused"
        written_and_read(form, edges)
        return "read"

    return run


def with_line_feeds(data: bytes) -> bytes:
    """Lines that end in carriage returns alone, as other libraries would read them."""
    head = data[: stream.LOOK_AHEAD_BYTES]
    return data.replace(b"\r", b"\n") if b"\r" in head and b"\n" not in head else data


def in_blocks(read: Callable[[], Any], data: bytes) -> Any:
    """The edges that are read, which must not depend on the size of the blocks."""
    whole = read()
    stream.BLOCK = BLOCKS[len(data) % len(BLOCKS)]
    try:
        parts = read()
    finally:
        stream.BLOCK = DEFAULT_BLOCK
    assert isinstance(whole, FormatError) == isinstance(parts, FormatError), (whole, parts)
    if isinstance(whole, EdgeList):
        assert held(whole) == held(parts), "other edges in small blocks"
    return whole


def written_and_read(form: str, edges: EdgeList) -> None:
    """Written edges are read back as the same; also from .npz, which stores everything but ids."""
    weight = edges.weight
    assert weight is None or weight.dtype.kind != "f" or np.isfinite(weight).all()
    for name in dict.fromkeys((form, "npz")):
        path = place("written")
        try:
            write_edges(path, edges, name)
        except UnsupportedOperation:
            continue
        except InvalidValue as problem:  # unsigned integers of .npz alone
            assert "beyond int64" in str(problem)
            continue
        back = read_edges(path, name)
        expected = edges
        if name == "dimacs":
            src, dst, weight = edges.arcs()
            weight = np.ones_like(src) if weight is None else weight
            expected = EdgeList(src, dst, weight, edges.nrows, edges.ncols)
        elif edges.nedges == 0 and name in ("edgelist", "tsv", "csv"):
            expected = EdgeList([], [], None, edges.nrows, edges.ncols, edges.directed)
        ordered = name not in ("npz", "metis")
        assert content(back, ordered) == content(expected, ordered), f"written as {name}"


# --- the same, by SciPy and NetworkX -------------------------------------------------------------


def by_scipy(data: bytes, edges: Any) -> None:
    """Matrix Market, as `scipy.io.mmread` reads it.

    It gets only what we accept: the C++ of SciPy 1.17 reads beyond the end of some malformed files
    and divides by an empty shape. It does not know files without a first line, comments among the
    entries, plus signs, or white space other than blanks and tabs, so these go first.
    """
    if isinstance(edges, FormatError) or not edges.nrows or not edges.ncols:
        return
    theirs = sp.coo_array(scipy.io.mmread(io.BytesIO(for_scipy(data)), spmatrix=False))
    src, dst, weight = edges.arcs()
    weight = np.ones(src.size) if weight is None else weight
    assert theirs.shape == (edges.nrows, edges.ncols)
    ours = nonzero(src, dst, weight)
    assert nonzero(theirs.row, theirs.col, theirs.data) == ours, "SciPy reads other entries"


def for_scipy(data: bytes) -> bytes:
    lines = re.sub(rb"[\t\v\f\r ]+", b" ", data.removeprefix(b"\xef\xbb\xbf")).split(b"\n")
    first = re.sub(rb"(?i)^ ?%%matrixmarket", b"%%MatrixMarket", lines[0].rstrip())
    banner = first.startswith(b"%%MatrixMarket")
    rest = [line.strip() for line in (lines[1:] if banner else lines)]
    rest = [re.sub(rb"(^| )\+", b" ", line).strip() for line in rest]  # nor signs
    rest = [line for line in rest if line and not line.startswith(b"%")]
    if not banner:
        form = b"array" if len(rest[0].split()) == 2 else b"coordinate"
        first = b"%%MatrixMarket matrix " + form + b" real general"
    return b"\n".join([first, *rest, b""])


def nonzero(row: Any, column: Any, value: Any) -> list[tuple[int, int, float]]:
    entries = zip(row.tolist(), column.tolist(), value.tolist(), strict=True)
    return sorted(entry for entry in entries if entry[2])


def by_networkx(data: bytes, edges: Any) -> None:
    """Edge lists, as NetworkX reads them. It does not know commas and comments with %, and passes
    over lines and words that it does not know, so that only what we accept is compared."""
    if isinstance(edges, FormatError):
        return
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b",", b" ")
    lines = [
        line.decode() for line in text.split(b"\n") if not line.strip().startswith((b"%", b"#"))
    ]
    columns = () if edges.weight is None else (("weight", float),)
    kind: Any = nx.MultiDiGraph
    G = nx.parse_edgelist(lines, nodetype=int, data=columns, create_using=kind)
    theirs = sorted((u, v, w) for u, v, w in G.edges(data="weight", default=1))
    weight = np.ones(edges.nedges) if edges.weight is None else edges.weight.astype(float)
    ours = zip(edges.src.tolist(), edges.dst.tolist(), weight.tolist(), strict=True)
    assert theirs == sorted(ours), "NetworkX reads other edges"


def by_neighbours(data: bytes, edges: Any) -> None:
    """Adjacency lists, as NetworkX reads them, which keeps an edge once."""
    if isinstance(edges, FormatError):
        return
    found = (line.strip() for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    lines = [line.decode() for line in found if line and not line.startswith(b"#")]
    kind: Any = nx.DiGraph
    G = nx.parse_adjlist(lines, nodetype=int, create_using=kind)
    assert edges.ids.tolist() == sorted(G), "NetworkX reads other vertices"
    ours = zip(edges.ids[edges.src].tolist(), edges.ids[edges.dst].tolist(), strict=True)
    assert sorted(set(ours)) == sorted(G.edges), "NetworkX reads other edges"


def by_load_npz(data: bytes, edges: Any) -> None:
    """What we accept of `.npz`, `scipy.sparse.load_npz` reads, too."""
    if isinstance(edges, FormatError):
        return
    try:
        members = mutate.members(data)
    except Exception:  # a part that we do not read is damaged
        return
    members.pop("_is_array.npy", None)
    theirs = sp.coo_array(sp.load_npz(io.BytesIO(mutate.zipped(members))))
    src, dst, weight = edges.arcs()
    weight = np.ones(src.size, bool) if weight is None else weight
    assert theirs.shape == (edges.nrows, edges.ncols)
    assert nonzero(theirs.row, theirs.col, theirs.data) == nonzero(src, dst, weight)


# --- inputs other than lists of edges --------------------------------------------------------


def coordinates(data: bytes) -> str:
    path = place("x.co")
    path.write_bytes(data)
    found = in_blocks(lambda: outcome(lambda: read_coordinates(path), FormatError), data)
    if isinstance(found, FormatError):
        return "refused"
    assert found.shape[1:] == (2,) and np.isfinite(found).all()
    return "read"


def grid_map(data: bytes) -> str:
    """Against the obvious: four lines, and then as many of that length as they say."""
    path = place("x.map")
    path.write_bytes(data)
    found = outcome(lambda: read_movingai(path), FormatError)
    if isinstance(found, FormatError):
        return "refused"
    _, height, width, _, *rows = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    n = int(height.split()[1])
    assert found.shape == (n, int(width.split()[1]))
    assert found.tolist() == [[cell in b".GS" for cell in row.strip()] for row in rows[:n]]
    return "read"


BETWEEN = b"\n=====\n"


def graphalytics(data: bytes) -> str:
    """Three files in one: vertices, edges and properties."""
    names = ("x.v", "x.e", "x.properties")
    for name, part in zip(names, [*data.split(BETWEEN), b"", b""], strict=False):
        place(name).write_bytes(part)
    edges = in_blocks(lambda: outcome(lambda: read_edges(place("x.v")), FormatError), data)
    if isinstance(edges, FormatError):
        return "refused"
    written_and_read("npz", edges)
    return "read"


def any_file(data: bytes) -> str:
    """A file whose name says nothing: its first bytes decide."""
    path = place("x.txt")
    path.write_bytes(data)
    return (
        "refused"
        if isinstance(outcome(lambda: read_edges(path), FormatError), Exception)
        else "read"
    )


def door(made: Any) -> Any:
    """The target that makes an object of bytes, which must give equal bytes again."""

    def run(data: bytes) -> str:
        thing = outcome(lambda: type(made).deserialize(data, backend="cpu"), InvalidValue)
        if isinstance(thing, InvalidValue):
            assert thing.__cause__ is not None or "expected" in str(thing)
            return "refused"
        again = type(made).deserialize(thing.serialize(), backend="cpu")
        assert again.shape == thing.shape and again.dtype == thing.dtype
        ours, theirs = again.to_coo(), thing.to_coo()
        assert all(a.tobytes() == b.tobytes() for a, b in zip(ours, theirs, strict=True))
        return "read"

    return run


def contraction(data: bytes) -> str:
    """A contraction is accepted only as it was written."""
    path = place("contraction.npz")
    path.write_bytes(data)
    P = outcome(lambda: lg.Contraction.load(path), FormatError)
    if isinstance(P, FormatError):
        return "refused"
    assert P.digest in {Q.digest for Q in contractions()}
    return "read"


def graph_folder(data: bytes) -> str:
    """A folder of a graph as an archive: arrays have the names of the manifest. The digests are
    corrected if it has a member "sealed". An opened graph is accepted by the constructor that
    checks everything, is the same graph when it is saved again, and can be searched."""
    path, again = place("graph"), place("again")
    for old in (path, again):
        shutil.rmtree(old, ignore_errors=True)
    try:
        parts = mutate.members(data)
    except Exception:  # no archive
        return "refused"
    path.mkdir()
    manifest = parts.pop("graph.json", b"")
    try:
        said = json.loads(manifest)
        columns = ((entry["about"], entry) for entry in said.get("columns", ()))
        for name, entry in (*said["arrays"].items(), *columns):
            content = parts[f"{name}.npy"]
            if "sealed" in parts:
                entry["sha256"] = hashlib.sha256(content[128:]).hexdigest()
            (path / saved_folder.file_name(name, entry)).write_bytes(content)
        manifest = json.dumps(said).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass  # such a manifest names nothing
    (path / saved_folder.MANIFEST).write_bytes(manifest)
    G = outcome(lambda: lg.open(path, backend="cpu"), FormatError)
    if isinstance(G, FormatError):
        return "refused"
    sound = lg.Graph(G.A.dup(), G.directed)
    assert sound.digest == G.digest and (sound.lightest, sound.nedges) == (G.lightest, G.nedges)
    G.save(again)
    assert lg.open(again, backend="cpu").digest == G.digest
    if G.n:
        last = G.label(G.n - 1)
        assert lg.bfs(G, last)[0].isequal(lg.bfs(sound, G.n - 1)[0])
    return "read"


# --- sound inputs --------------------------------------------------------------------------------

MM = b"%%MatrixMarket matrix "


def small(directed: bool = True) -> lg.Graph:
    return lg.Graph.from_edges(
        [0, 2, 2, 1], [1, 0, 3, 1], [5, 7, 9, 2], n=5, directed=directed, backend="cpu"
    )


@cache
def contractions() -> list[Any]:
    return [
        lg.contract(small(directed), core=core) for directed in (True, False) for core in (1, 3)
    ]


def saved(P: Any) -> bytes:
    P.save(place("saved.npz"))
    return place("saved.npz").read_bytes()


def graph_folders() -> list[bytes]:
    found = []
    named = lg.Graph.from_edges(["a", "b"], ["b", "c"], [5, 7], backend="cpu")
    named.vertex_data["place"], named.edge_data["km"] = [(1, 2), None, "x"], [0.5, 1.5]
    for G in (small(), small(False), small().relabel(), lg.grid(2, 3, backend="cpu"), named):
        path = place("seed")
        shutil.rmtree(path, ignore_errors=True)
        G.save(path)
        files = {file.name.partition("-")[0]: file.read_bytes() for file in path.iterdir()}
        manifest = files.pop("graph.json")
        parts = {"graph.json": manifest, **{f"{name}.npy": files[name] for name in sorted(files)}}
        found += [mutate.zipped(parts), mutate.zipped({**parts, "sealed": b""})]
    return found


def archives() -> list[bytes]:
    A = sp.coo_array(([1.5, 2, 3], ([0, 1, 2], [2, 0, 3])), shape=(4, 4))
    found = []
    for form in ("coo", "csr", "csc", "dia", "bsr"):
        out = io.BytesIO()
        sp.save_npz(out, A.asformat(form), compressed=False)
        found.append(out.getvalue())
    for edges in (
        EdgeList([0, 1], [1, 2], None, 3, 3, False),
        EdgeList([0, 1], [1, 1], np.int8([3, 4]), 2, 2),
    ):
        write_edges(place("written"), edges, "npz")
        found.append(place("written").read_bytes())
    return found


def serialized(thing: Any) -> Target:
    iso = type(thing).from_coo(*thing.to_coo()[:-1], 1.5, backend="cpu")
    return Target(door(thing), [thing.serialize(), iso.serialize()], mutate.archive)


EDGES = [
    b"# a comment\n0 1\n2 0\n1 1\n", b"0 1 0.5\n2 3 7\n3 3 -1e-3\n", b"0,1,5\n1,2,-6\n\n2,0,7\n",
    b"# lagraph-gpu: nrows=4 ncols=4 directed=false\n0\t1\n2\t3\n", b"% Undirected graph: x\n5 1\n",
    b"# lagraph-gpu: nrows=2 ncols=9 directed=true\n0 8 1\n1 1 2\n",
]  # fmt: skip
DIMACS = [
    b"c a\np sp 3 2\na 1 2 803\na 3 1 -4\n",
    b"p sp 4 3\na 1 2 .5\n\na 4 4 1\nc b\na 2 1 2e2\n",
]
PACE = [b"c a\np tw 3 2\n1 2\n2 3\n", b"p tw 2 1\n\n2 1"]
COLORING = [b"c a\np edge 3 2\ne 1 2\ne 2 3\n", b"p col 2 1\n\ne 2 1"]
MATRICES = [
    MM + b"coordinate real general\n% a comment\n3 4 3\n1 1 0.5\n3 4 -1e3\n2 2 7\n",
    MM + b"coordinate integer symmetric\n3 3 2\n2 1 5\n3 3 -2\n",
    MM + b"coordinate pattern general\n2 2 2\n1 2\n2 1\n",
    MM + b"coordinate real skew-symmetric\n3 3 2\n2 1 5.5\n3 1 -2\n",
    MM + b"array real general\n2 2\n1\n2\n3.5\n4\n",
    MM + b"array integer symmetric\n2 2\n1\n2\n3\n", b"3 3 1\n1 2 3\n",
]  # fmt: skip
METIS = [
    b"% a\n3 2 1\n2 5\n1 5 3 7\n2 7\n", b"4 2\n2\n1 3\n2\n\n", b"2 1 11 2\n1 1 2 9\n1 4 1 9\n",
    b"3 4 100\n1 2\n1 2\n3\n", b"3 2\n2 3\n\n\n", b"2 1 1\n2 .5\n1 .5\n",
]  # fmt: skip
GRAPHALYTICS = [
    BETWEEN.join(parts)
    for parts in (
        (b"2\n5\n9\n", b"2 5 0.5\n9 2 1\n", b"graph.x.directed = false\n"),
        (b"# a\n1\n2\n", b"1 2\n2 1\n", b"\n\ngraph.x.directed = true\n"),
    )
]
ADJACENCY = [b"# a\n1 2 3\n2 1\n\n3\n", b"10 20 30\n20 10\n40 10\n"]
COORDINATES = [b"c a\np aux sp co 2\nv 2 -73 41\nv 1 .5 7\n", b"p aux sp co 1\nv 1 2 3\n"]
MAPS = [
    b"type octile\nheight 2\nwidth 3\nmap\n.G@\n.ST\n",
    b"type octile\nheight 1\nwidth 1\nmap\nW\n",
]


@cache
def targets() -> dict[str, Target]:
    """All targets by name. Some seeds are made, so this waits until it is called."""
    texts = [*EDGES, *DIMACS, *PACE, *COLORING, *MATRICES]
    return {
        "edgelist": Target(reader("edgelist", "x.el", by_networkx), EDGES),
        "csv": Target(reader("csv", "x.csv", by_networkx), EDGES),
        "tsv": Target(reader("tsv", "x.tsv", by_networkx), EDGES),
        "dimacs": Target(reader("dimacs", "x.gr"), DIMACS),
        "pace": Target(reader("pace", "x.gr"), [*PACE, b"p ocr 2 1 1\n1 3\n"]),
        "coloring": Target(reader("coloring", "x.col"), COLORING),
        "matrixmarket": Target(reader("matrixmarket", "x.mtx", by_scipy), MATRICES),
        "metis": Target(reader("metis", "x.graph"), METIS),
        "graphalytics": Target(graphalytics, GRAPHALYTICS),
        "adjacency": Target(reader("adjacency", "x.adj", by_neighbours), ADJACENCY),
        "npz": Target(reader("npz", "x.npz", by_load_npz), archives(), mutate.archive),
        "coordinates": Target(coordinates, COORDINATES),
        "map": Target(grid_map, MAPS),
        "recognised": Target(any_file, [*texts, *archives()]),
        "gzip": Target(any_file, [gzip.compress(text, mtime=0) for text in texts], mutate.packed),
        "bzip2": Target(any_file, [bz2.compress(text) for text in texts], mutate.packed),
        "xz": Target(any_file, [lzma.compress(text, preset=0) for text in texts], mutate.packed),
        "matrix": serialized(small().A),
        "vector": serialized(lg.Vector.from_coo([0, 3], [2.5, -1], size=5, backend="cpu")),
        "formula": Target(formulas.target, formulas.SEEDS, formulas.formula),
        "graph folder": Target(graph_folder, graph_folders(), mutate.archive),
        "contraction": Target(contraction, [saved(P) for P in contractions()], mutate.archive),
    }
