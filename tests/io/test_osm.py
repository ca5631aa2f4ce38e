"""Extracts of OpenStreetMap: crossings, lengths, one-way streets, and files that are none."""

from __future__ import annotations

import gzip
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import FormatError, InvalidValue, MissingPackage
from lagraph_gpu.io import read_edges, read_osm
from lagraph_gpu.io.osm import Road, edges_of, followed

osmium = pytest.importorskip("osmium")

STEP = 6_371_008.8 * math.radians(0.001)
"""Metres of a thousandth of a degree along a meridian."""

# A street of nodes 1 to 5 northwards, crossed at 3 by a one-way street from 6 to 7, and a footpath
# from 5 to 7. Node 2 is in no other way, so it is no vertex; node 99 is not in the file.
PLACES = {1: (0, 0), 2: (0, 1), 3: (0, 2), 4: (0, 3), 5: (0, 4), 6: (1, 2), 7: (-1, 2)}
WAYS = {
    10: ([1, 2, 3, 4, 5], {"highway": "residential", "name": "Long Street"}),
    11: ([6, 3, 7], {"highway": "primary", "oneway": "yes"}),
    12: ([5, 7], {"highway": "footway"}),
    13: ([6, 99, 7], {"highway": "service"}),
    14: ([1, 7], {"waterway": "river"}),
    15: ([7, 6], {"highway": "residential", "access": "private"}),
}


def written(path: Path) -> Path:
    """The little town as osmium writes it, in the format of the path."""
    with osmium.SimpleWriter(str(path)) as out:
        for number, (x, y) in PLACES.items():
            place = (x / 1000, y / 1000)
            out.add_node(osmium.osm.mutable.Node(id=number, location=place))
        for number, (nodes, tags) in WAYS.items():
            out.add_way(osmium.osm.mutable.Way(id=number, nodes=nodes, tags=tags))
    return path


@pytest.fixture(scope="module", params=["town.osm", "town.osm.pbf"])
def town(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("osm") / request.param)


def arcs(G: lg.Graph) -> dict[tuple[int, int], float]:
    src, dst, weight = G.A.to_coo()
    ends = zip(G.labels[src].tolist(), G.labels[dst].tolist())
    return {pair: round(w / STEP, 6) for pair, w in zip(ends, weight.tolist())}


def test_roads_of_cars(town: Path) -> None:
    G = lg.read(town, backend="cpu")
    assert arcs(G) == {(1, 3): 2, (3, 1): 2, (3, 5): 2, (5, 3): 2, (6, 3): 1, (3, 7): 1}
    assert round(G.named(lg.sssp(G, 6)[0])[1] / STEP, 6) == 3


def test_paths_of_walkers(town: Path) -> None:
    edges = read_osm(town, "walk")
    G = lg.Graph.from_edgelist(edges, backend="cpu")
    assert not G.directed and edges.coordinates is not None and edges.ids is not None
    assert arcs(G)[7, 5] == arcs(G)[5, 7] == pytest.approx(math.sqrt(5), rel=1e-6)
    assert arcs(G)[7, 3] == 1 and (6, 7) not in arcs(G)
    assert edges.coordinates[edges.ids.tolist().index(7)] == pytest.approx([-0.001, 0.002])


def test_the_first_bytes_tell(town: Path, tmp_path: Path) -> None:
    (tmp_path / "unnamed").write_bytes(town.read_bytes())
    (tmp_path / "town.gz").write_bytes(gzip.compress(town.read_bytes()))
    for name in ("unnamed", "town.gz"):
        assert read_edges(tmp_path / name).nedges == read_edges(town).nedges


@pytest.mark.parametrize("kind", ["osm", "osm.pbf"])
def test_files_that_are_none(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path / f"town.{kind}")
    whole = path.read_bytes()
    for bad in (whole[: len(whole) // 2], b"", b"1 2 3\n", b"<osm><way id='x'/></osm>"):
        path.write_bytes(bad)
        with pytest.raises(FormatError, match="town"):
            read_edges(path, format="osm")


def test_an_extract_without_roads(tmp_path: Path) -> None:
    path = tmp_path / "sea.osm"
    path.write_text('<osm version="0.6"><node id="1" lat="1" lon="1"/></osm>')
    assert lg.read(path, backend="cpu").n == 0


def test_arguments(town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidValue, match="'drive' or 'walk', got 'fly'"):
        read_osm(town, "fly")
    monkeypatch.setitem(sys.modules, "osmium", None)
    with pytest.raises(MissingPackage, match=r"pip install 'lagraph-gpu\[osm\]'"):
        read_edges(town)


@pytest.mark.parametrize(
    "tags, drive",
    [
        ({"highway": "motorway"}, (True, False)),
        ({"highway": "motorway", "oneway": "no"}, (True, True)),
        ({"highway": "primary", "oneway": "-1"}, (False, True)),
        ({"highway": "primary", "junction": "roundabout"}, (True, False)),
        ({"highway": "residential", "access": "no"}, (False, False)),
        ({"highway": "residential", "access": "no", "motor_vehicle": "yes"}, (True, True)),
        ({"highway": "cycleway"}, (False, False)),
    ],
)
def test_directions(tags: dict[str, str], drive: tuple[bool, bool]) -> None:
    assert followed(tags, "drive") == drive


def test_roads_between_the_same_crossings_and_loops() -> None:
    """The shorter of two is kept; a loop from a crossing to itself is left out."""

    def road(*nodes: int) -> Road:
        return Road(list(nodes), [(n / 1000, 0.0) for n in nodes], True, True)

    edges = edges_of([road(1, 5), road(1, 9, 5), road(5, 6, 7, 5)], directed=False)
    assert edges.ids is not None and edges.weight is not None
    assert edges.ids.tolist() == [1, 5] and (edges.src.tolist(), edges.dst.tolist()) == ([0], [1])
    assert edges.weight == pytest.approx([4 * STEP])


def test_simplified_lengths_are_those_of_all_segments() -> None:
    """Random roads: a search over crossings gives what a search over all nodes gives."""
    rng = np.random.default_rng(1)
    places = rng.uniform(-0.1, 0.1, (60, 2))
    roads = []
    for _ in range(25):
        nodes = rng.choice(60, rng.integers(2, 9), replace=False).tolist()
        roads.append(Road(nodes, [tuple(places[n]) for n in nodes], True, bool(rng.random() < 0.7)))
    single = []
    for r in roads:
        ends = zip(r.nodes, r.nodes[1:], r.places, r.places[1:])
        single += [Road([u, v], [p, q], r.forward, r.backward) for u, v, p, q in ends]
    few, all_ = (
        lg.Graph.from_edgelist(edges_of(some, True), backend="cpu") for some in (roads, single)
    )
    assert few.n < all_.n
    for source in few.labels[:5].tolist():
        some, every = (g.named(lg.sssp(g, source)[0]) for g in (few, all_))
        for v in few.labels.tolist():
            assert (v in some) == (v in every)
            if v in some:
                assert some[v] == pytest.approx(every[v])
