"""What an operation on a narrow graph takes: on a device, and by the loops of the host.

In a narrow graph few vertices are at each distance from a start. A device then takes a time for
each level and one for each vertex, because one block has all of a level, and many searches at once
share the levels. The host takes a time for each vertex and each entry, and for each search. The
figures are fitted to an H200 and its host (decision 0312, docs/decisions/host-overhead.md): those
of the device are at the lower end of what narrow graphs of six shapes took, and those of the host
at the upper one.

>>> SEARCH.is_less_on_host(n=131_072, nnz=262_144, levels=65_536)  # a ring
True
>>> SEARCH.is_less_on_host(n=131_072, nnz=262_144, levels=65_536, searches=64)
False
"""

from __future__ import annotations

from typing import NamedTuple


class HostDeviceCost(NamedTuple):
    """The nanoseconds of an operation on a narrow graph."""

    level: float
    """On a device for each level, however many searches there are."""
    vertex: float
    """On the host for each vertex and each search."""
    entry: float
    """On the host for each entry and each search."""
    device_vertex: float = 20
    """On a device for each vertex."""

    def on_host(self, n: int, nnz: int, searches: int = 1) -> float:
        """The nanoseconds on the host.

        Parameters
        ----------
        n, nnz : int
            The numbers of vertices and of entries.
        searches : int, optional
            The number of searches, by default one.

        Returns
        -------
        float
            The estimate.
        """
        return searches * (self.vertex * n + self.entry * nnz)

    def is_less_on_host(self, n: int, nnz: int, levels: int, searches: int = 1) -> bool:
        """Whether the host takes less time.

        Parameters
        ----------
        n, nnz : int
            The numbers of vertices and of entries.
        levels : int
            The number of levels of a search.
        searches : int, optional
            The number of searches, by default one.

        Returns
        -------
        bool
            Whether the estimate of the host is below that of the device.
        """
        device = self.level * levels + self.device_vertex * n
        return self.on_host(n, nnz, searches) < device


SEARCH = HostDeviceCost(level=900, vertex=10, entry=0.8)
"""A breadth-first search, and what consists of one."""
ROWS = HostDeviceCost(level=900, vertex=30, entry=0.8)
"""Searches whose levels and parents are rows of matrices."""
LENGTHS = HostDeviceCost(level=1200, vertex=60, entry=0.8)
"""Shortest paths by weights."""
ROWS_OF_LENGTHS = HostDeviceCost(level=1200, vertex=90, entry=0.8)
"""Shortest paths whose lengths and parents are rows of matrices."""
COMPONENTS = HostDeviceCost(level=900, vertex=15, entry=2)
"""Strong components."""
CORES = HostDeviceCost(level=900, vertex=25, entry=7)
"""Core numbers. What a device takes depends on the peeling, of which levels tell little."""
DEPENDENCIES = HostDeviceCost(level=6000, vertex=15, entry=1.5, device_vertex=100)
"""Dependencies, of which betweenness consists."""
PEELING = HostDeviceCost(level=2000, vertex=25, entry=7)
"""Core numbers of other graphs, with a level for each step of the kernel."""
LONGEST_PATHS = HostDeviceCost(level=3000, vertex=6, entry=2, device_vertex=0)
"""Longest paths in a graph without cycles, with a level for each generation."""
