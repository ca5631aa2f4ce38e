"""Extracts of OpenStreetMap, `.osm.pbf` and `.osm`: the roads as a graph, through osmium.

Vertices are the crossings and ends of roads, named by the numbers of their nodes; an edge is the
road between two of them, its weight the length in metres, along all nodes between. Of two roads
between the same crossings the shorter is kept, and a road that comes back to its crossing is left
out. A node that the extract does not hold, as beyond its border, ends a road.

Sources: https://wiki.openstreetmap.org/wiki/Key:highway and Key:oneway; R. W. Sinnott, Virtues of
the haversine, Sky and Telescope 68, 1984.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.errors import InvalidValue, brief, required
from lagraph_gpu.io.stream import Source
from lagraph_gpu.memory import guarded, is_short

RADIUS = 6_371_008.8
"""The mean radius of the Earth in metres (IUGG)."""

MAIN = ("motorway", "trunk", "primary", "secondary", "tertiary")
DRIVEN = {
    *MAIN,
    *(f"{road}_link" for road in MAIN),
    "unclassified",
    "residential",
    "living_street",
    "road",
}
NOT_WALKED = {"motorway", "motorway_link", "construction", "proposed", "raceway", "abandoned"}
CLOSED = {"no", "private"}
FORWARD, BACKWARD = {"yes", "true", "1"}, {"-1", "reverse"}
TRAVEL = ("drive", "walk")


class Road(NamedTuple):
    """A way of the file: its nodes in order, and in which directions it may be followed."""

    nodes: list[int]
    places: list[tuple[float, float]]
    """Longitude and latitude of each node, in degrees."""
    forward: bool
    backward: bool


def claims(head: bytes) -> bool:
    """True if a file that starts with these bytes is an extract of OpenStreetMap."""
    return head[4:15] == b"\x0a\x09OSMHeader" or b"<osm" in head[:400]


def read(source: Source) -> EdgeList:
    """The roads that cars may use."""
    return _read(source, "drive")


@guarded
def read_osm(path: str | os.PathLike[str], travel: Literal["drive", "walk"] = "drive") -> EdgeList:
    """Read the roads of an extract of OpenStreetMap, `.osm.pbf` or `.osm`.

    Parameters
    ----------
    path : str or path
        The file. One that is packed as `.osm.gz` is unpacked.
    travel : {"drive", "walk"}, optional
        Whose roads: those of cars, with their one-way streets, or those of pedestrians, who may go
        both ways.

    Returns
    -------
    EdgeList
        Crossings and ends of roads as vertices, with the numbers of their nodes as `ids` and
        longitude and latitude as `coordinates`; the lengths of the roads between them in metres as
        weights. Directed for "drive", undirected for "walk".

    Raises
    ------
    FormatError
        The file cannot be read, or osmium is not installed.
    InvalidValue
        `travel` is none of the two.

    Notes
    -----
    All of the file and the places of all its nodes are in memory. `lg.read` gives the same for
    "drive". Roads without access for the public are left out, as far as tags say so.

    O(nodes of the roads), after osmium has read the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> road = '<way id="7"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way>'
    >>> nodes = '<node id="1" lat="50.0" lon="8.0"/><node id="2" lat="50.001" lon="8.0"/>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "village.osm")
    ...     _ = path.write_text(f'<osm version="0.6">{nodes}{road}</osm>')
    ...     edges = read_osm(path, "walk")  # doctest: +SKIP
    """
    if not is_one_of(travel, TRAVEL):
        raise InvalidValue(f"expected travel='drive' or 'walk', got {brief(travel)}")
    with Source(path) as source:
        return _read(source, travel)


def _read(source: Source, travel: str) -> EdgeList:
    osmium = required("osmium", "extracts of OpenStreetMap", "osm")
    text = source.everything()
    kind = "pbf" if text[4:6] == b"\x0a\x09" else "osm"
    try:
        file = osmium.io.FileBuffer(text, kind)
        ways = osmium.FileProcessor(file).with_locations()
        ways = ways.with_filter(osmium.filter.EntityFilter(osmium.osm.WAY))
        ways = ways.with_filter(osmium.filter.KeyFilter("highway"))
        return edges_of(_roads(ways, travel), travel == "drive", str(source.path))
    except Exception as problem:  # osmium raises RuntimeError and others for what it cannot parse
        if is_short(problem):
            raise MemoryError("to read the file") from problem
        raise source.error(
            None, f"cannot be read as OpenStreetMap's {kind}: {problem}"
        ) from problem


def _roads(ways: Iterable[Any], travel: str) -> Iterator[Road]:
    """The ways that may be followed, cut where the file does not hold a node."""
    for way in ways:
        tags = {tag.k: tag.v for tag in way.tags}
        directions = followed(tags, travel)
        if not any(directions):
            continue
        nodes: list[int] = []
        places: list[tuple[float, float]] = []
        for node in way.nodes:
            if node.location.valid():
                nodes.append(node.ref)
                places.append((node.lon, node.lat))
                continue
            yield Road(nodes, places, *directions)
            nodes, places = [], []
        yield Road(nodes, places, *directions)


def followed(tags: dict[str, str], travel: str) -> tuple[bool, bool]:
    """Whether a way may be followed along its nodes, and against them.

    >>> followed({"highway": "residential", "oneway": "yes"}, "drive")
    (True, False)
    >>> followed({"highway": "residential", "oneway": "yes"}, "walk")
    (True, True)
    >>> followed({"highway": "footway"}, "drive"), followed({"highway": "motorway"}, "walk")
    ((False, False), (False, False))
    """
    road = tags["highway"]
    mode = ("motor_vehicle", "vehicle") if travel == "drive" else ("foot",)
    access = next((tags[key] for key in (*mode, "access") if key in tags), "yes")
    open_to = road in DRIVEN if travel == "drive" else road not in NOT_WALKED
    if not open_to or access in CLOSED or tags.get("area") == "yes":
        return False, False
    if travel == "walk":
        return True, True
    oneway = tags.get("oneway", "")
    implied = road.startswith("motorway") or tags.get("junction") in ("roundabout", "circular")
    forward_only = oneway in FORWARD or (implied and oneway not in {"no", *BACKWARD})
    return oneway not in BACKWARD, not forward_only


def metres(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The way from each place to the next on a sphere.

    >>> metres(np.array([[8.0, 50.0], [8.0, 51.0]])).round()
    array([111195.])
    """
    longitude, latitude = np.radians(places).T
    step = np.sin(np.diff(latitude) / 2) ** 2
    step += np.cos(latitude[:-1]) * np.cos(latitude[1:]) * np.sin(np.diff(longitude) / 2) ** 2
    return np.asarray(2 * RADIUS * np.arcsin(np.sqrt(np.minimum(step, 1))))


def edges_of(roads: Iterable[Road], directed: bool, path: str = "") -> EdgeList:
    """The graph of roads: their nodes between crossings are left out."""
    kept = [road for road in roads if len(road.nodes) > 1]
    sizes = np.array([len(road.nodes) for road in kept], np.int64)
    node = np.array([n for road in kept for n in road.nodes], np.int64)
    place = np.array([p for road in kept for p in road.places], np.float64).reshape(-1, 2)
    last = np.cumsum(sizes) - 1
    ends = np.zeros(node.size, bool)
    ends[last] = ends[last - sizes + 1] = True
    _, number, times = np.unique(node, return_inverse=True, return_counts=True)
    met = np.zeros(times.size, bool)
    met[number[ends]] = True
    stops = np.flatnonzero((met | (times > 1))[number])  # of all nodes, along the roads
    ids, vertex = np.unique(node[stops], return_inverse=True)
    where = np.zeros((ids.size, 2))
    where[vertex] = place[stops]
    along = np.zeros(node.size)
    if node.size:
        step = metres(place)
        step[last[:-1]] = 0  # from one road to the next
        along[1:] = np.cumsum(step)
    road = np.repeat(np.arange(len(kept)), sizes)[stops]
    same = road[1:] == road[:-1]
    src, dst = vertex[:-1][same], vertex[1:][same]
    length = np.diff(along[stops])[same]
    forward, backward = (
        np.array([getattr(way, name) for way in kept], bool)[road[:-1][same]]
        for name in ("forward", "backward")
    )
    if directed:
        src, dst = (
            np.concatenate([src[forward], dst[backward]]),
            np.concatenate([dst[forward], src[backward]]),
        )
        length = np.concatenate([length[forward], length[backward]])
    else:
        src, dst = np.minimum(src, dst), np.maximum(src, dst)
    order = np.lexsort((length, dst, src))
    src, dst, length = src[order], dst[order], length[order]
    first = np.ones(src.size, bool)
    first[1:] = (src[1:] != src[:-1]) | (dst[1:] != dst[:-1])
    first &= src != dst
    n = ids.size
    return EdgeList(src[first], dst[first], length[first], n, n, directed, path, where, ids)
