"""Undirected, unweighted graphs behind a problem line, as DIMACS and PACE write them.

::

    c a comment
    p KIND 3 2          vertices, edges
    TAG 1 2             each edge once, ids from 1
    TAG 2 3

Some files list all edges in both directions, which is read as each edge once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO

import numpy as np

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.edges import once
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.io.stream import Source, no_header, shown, vertex_count, whole_number
from lagraph_gpu.io.table import Columns, read_rows


@dataclass(frozen=True)
class ProblemFormat:
    """A format with a problem line.

    `kinds` are the words that may stand after `p`; the first is written. Behind those in
    `bipartite` there are two numbers of vertices, one for each side. `tag` is the word before each
    edge, or nothing. `graphs` says what the graphs are, in the plural.
    """

    kinds: tuple[bytes, ...]
    tag: bytes
    graphs: str
    bipartite: tuple[bytes, ...] = ()

    def claims(self, head: bytes) -> bool:
        """True if a file that starts with these bytes is such a graph."""
        line = rb"\A(?:[ \t]*(?:c[^\n]*)?\r?\n)*p[ \t]+(?:%b)\b" % b"|".join(self.kinds)
        return re.search(line, head) is not None

    def read(self, source: Source) -> EdgeList:
        """The graph of a file: undirected, without weights.

        Raises FormatError, which names the first wrong line.
        """
        line = source.header_line(b"c")
        if line is None:
            raise no_header(source, f"the problem line '{self._problem_line(self.kinds[0])}'")
        words = line.split()
        known = words[0] == b"p" and len(words) > 1 and words[1] in self.kinds
        expected = self._problem_line(words[1] if known else self.kinds[0])
        if not known or len(words) != len(expected.split()):
            came = f"expected the problem line '{expected}', came {shown(line)}"
            raise source.error(source.line, came)
        sides = [whole_number(source, side, "the number of vertices") for side in words[2:-1]]
        n = vertex_count(source, b"%d" % sum(sides))
        m = whole_number(source, words[-1], "the number of edges")
        form = f"'{self._before_edge}VERTEX VERTEX'"
        ids = read_rows(source, Columns(form, (n, n), tag=self.tag, comment=b"c"), m).ids
        src, dst = once_each(ids[:, 0], ids[:, 1])
        return EdgeList(src, dst, None, n, n, False, str(source.path))

    def write(self, edges: EdgeList, out: IO[bytes]) -> None:
        """Write an undirected graph without weights, each edge from its lower id, so that two edges
        between the same vertices do not look like the directions of one."""
        if edges.directed or edges.weight is not None:
            raise CannotHold(f"{self.graphs} have neither directions nor weights", "dimacs")
        out.write(f"p {self.kinds[0].decode()} {edges.nrows} {edges.nedges}\n".encode())
        low, high = np.minimum(edges.src, edges.dst), np.maximum(edges.src, edges.dst)
        write_rows(out, self.tag.decode(), low + 1, high + 1)

    def _problem_line(self, kind: bytes) -> str:
        vertices = "VERTICES VERTICES" if kind in self.bipartite else "VERTICES"
        return f"p {kind.decode()} {vertices} EDGES"

    @property
    def _before_edge(self) -> str:
        return f"{self.tag.decode()} " if self.tag else ""


def once_each(src: np.ndarray, dst: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Undirected edges, from the lower to the higher id if all are listed in both directions; else
    as they are. O(m) if the first one is listed in one direction."""
    no_loops = src != dst
    first = int(no_loops.argmax()) if no_loops.any() else -1
    if first < 0 or not ((src == dst[first]) & (dst == src[first])).any():
        return src, dst
    kept, alone = once(src, dst, None)
    return (src[kept], dst[kept]) if alone is None else (src, dst)
