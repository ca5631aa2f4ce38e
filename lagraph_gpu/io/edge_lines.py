"""Edge lists: one edge a line, as SNAP, GAP and spreadsheets write them.

::

    # a comment (also %)
    source target       a heading, if it has names of `frames.ENDS`
    0 1                 source and target, 0-based; a third column is a weight
    0 7

Columns are separated by spaces, tabs or commas, and all lines have as many as the first. In `.csv`
and `.tsv` files comments stand only before the first row or heading, because a name may begin with
such a sign. Ids are used as they are, and n is the largest id plus one, so isolated vertices at the
end are lost. Files written here state n and the direction in a first comment `# lagraph-gpu:
nrows=...`. With a comment "Undirected graph" (SNAP) the edges are undirected, otherwise they are
directed.

Source: https://snap.stanford.edu/data/; GAP Benchmark Suite (`.el`, `.wel`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import IO

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io import named_writing
from lagraph_gpu.io.stream import Source, shown, vertex_count
from lagraph_gpu.io.table import NAMES, Columns, Head, read_rows
from lagraph_gpu.io.tokens import wrong_integer
from lagraph_gpu.names.frames import command_line, ends_among

COMMENT = b"#%"
SPARSE = "renumber the vertices, or read ids as labels: labels=True (--labels)"
OTHER_HEADING = (
    "; if the line is a heading, say which columns to read: source=, target=, weight= (--columns)"
)
SEMICOLONS = (
    "the columns are separated by semicolons, but expected are commas, blanks or tabs; save the "
    "file with commas, or replace them"
)
NETWORKX_DATA = (
    "the braces are data of edges, as networkx.write_edgelist writes them; read such a file with "
    "lg.Graph.from_networkx(networkx.read_edgelist(path))"
)
QUOTED = re.compile(rb'"[^"]*"')
OURS = re.compile(rb"# lagraph-gpu: nrows=(\S+) ncols=(\S+) directed=(true|false)\s*")


def read(source: Source) -> EdgeList:
    """The graph of an edge list. Weights are int64 if all are integers, else float64, or None.

    Raises FormatError, with the line, for ids that are not integers of at least 0, a change in the
    number of columns, weights that are not finite, and a file without an edge.
    """
    return _read(source, read_head(source))


def read_rows_below(source: Source) -> EdgeList:
    """The graph of a table of edges, as `read`, but with comments only before the first row."""
    return _read(source, read_head_above(source))


def _read(source: Source, head: Head) -> EdgeList:
    ids, weight, _ = read_rows(source, head.columns, None)
    src, dst = ids[:, 0], ids[:, 1]
    shape = head.shape or (int(ids.max()) + 1,) * 2
    path = str(source.path)
    return EdgeList(
        src,
        dst,
        None if weight is None else weight[:, 0],
        *shape,
        directed=head.directed,
        path=path,
    )


def read_head(source: Source, top: bool = False) -> Head:
    """The comments and the heading before the first edge, and the columns of that edge, which is
    read again. With `top` no comments come below it or the heading.
    """
    directed, heading = True, 0
    names: list[str] = []
    shape: tuple[int, int] | None = None
    while (line := source.next_line()) is not None:
        text = line.strip()
        if text and (text[0] not in COMMENT or (top and heading)):
            if heading or not is_heading(text):
                break
            heading, names = source.line, words_of(text)
        if found := OURS.fullmatch(text):
            nrows, ncols, flag = found.groups()
            shape = vertex_count(source, nrows, "nrows"), vertex_count(source, ncols, "ncols")
            directed = flag == b"true"
            if not directed and nrows != ncols:
                raise source.error(source.line, "nrows and ncols differ, but directed=false")
        elif re.match(rb"[#%]+\s*undirected graph", text, re.IGNORECASE):
            directed = False
    if line is None and shape is None:
        what = "the file is empty" if source.line == 0 else "there is no edge in the file"
        raise source.error(source.line or None, f"{what}; expected lines 'SOURCE TARGET [WEIGHT]'")
    if line is not None:
        source.keep(line)
        _expect_columns_of_heading(source, line, heading, names)
    columns = _columns(source, line or b"0 0", shape, heading)
    return Head(replace(columns, comment=b"") if top else columns, shape, directed, source.line + 1)


def read_head_above(source: Source) -> Head:
    """Read the head of a file of edges in which comments stand only above the edges."""
    return read_head(source, top=True)


def is_heading(line: bytes) -> bool:
    """Whether a line names the columns of an edge list: both ends, and perhaps a weight.

    >>> is_heading(b"Source,Target,km"), is_heading(b"3 4")
    (True, False)
    """
    words = words_of(line)
    return len(words) in (2, 3) and ends_among(words) == tuple(words[:2])


def words_of(line: bytes) -> list[str]:
    """What stands between the blanks and commas of a line, without quotes."""
    return [word.strip('"') for word in line.decode(errors="replace").replace(",", " ").split()]


def _expect_columns_of_heading(source: Source, line: bytes, heading: int, names: list[str]) -> None:
    """Raise FormatError if the first edge has another number of columns than the heading, in which
    a column without a name does not show."""
    width = len(QUOTED.sub(b"", line).split(b",") if b"," in line else line.split())
    if names and width != len(names):
        unnamed = ""
        if width > len(names):
            weight = {"weight": names[2]} if len(names) > 2 else {}
            ends = dict(zip(("source", "target"), names[:2])) | weight
            chosen = ", ".join(f"{key}={name!r}" for key, name in ends.items())
            unnamed = (
                "; if one of them has no name, as the index that pandas writes, say which to read: "
                f"{chosen} {command_line(*names)}"
            )
        raise source.error(
            source.line + 1,
            f"the heading in line {heading} names {len(names)} columns, here are {width}: "
            f"{shown(line)}{unnamed}",
        )


def _columns(source: Source, line: bytes, shape: tuple[int, int] | None, heading: int) -> Columns:
    words = line.replace(b",", b" ").split()
    width = len(words)
    semicolons = b";" in line and b"," not in line
    data = width > 2 and words[2].startswith(b"{")
    if width not in (2, 3) or semicolons or data:
        advice = (
            "if this is a heading, say which columns to read: source=, target= and weight= "
            "(--columns)"
        )
        if semicolons:
            advice = SEMICOLONS
        elif data:
            advice = NETWORKX_DATA
        elif b'"' in line:
            advice = f"{NAMES}, also in quotes"
        raise source.error(
            source.line + 1,
            f"expected 'SOURCE TARGET' or 'SOURCE TARGET WEIGHT', came {width} "
            f"column{'s'[: width > 1]}: {shown(line)}; {advice}",
        )
    wrong = wrong_integer(words[0])
    if wrong and wrong_integer(words[1]):
        raise source.error(
            source.line + 1,
            f"the vertex id {shown(words[0])} {wrong}; {NAMES}{'' if heading else OTHER_HEADING}",
        )
    return Columns(
        "'SOURCE TARGET'" if width == 2 else "'SOURCE TARGET WEIGHT'",
        shape or (source.most_vertices,) * 2,
        "number" if width == 3 else None,
        base=0,
        comment=COMMENT,
        commas=True,
        too_large=SPARSE if shape is None else "correct it, or nrows and ncols",
    )


def write(edges: EdgeList, out: IO[bytes], separator: str = " ") -> None:
    """Write each edge as it is listed, after a comment with the shape and the direction; or its
    names, after a heading."""
    if edges.ids is not None:
        return named_writing.write(edges, out, separator)
    flag = "true" if edges.directed else "false"
    out.write(f"# lagraph-gpu: nrows={edges.nrows} ncols={edges.ncols} directed={flag}\n".encode())
    columns = [edges.src, edges.dst] + ([] if edges.weight is None else [edges.weight])
    write_rows(out, "", *columns, separator=separator)


def write_tsv(edges: EdgeList, out: IO[bytes]) -> None:
    """Write an edge list with tabs."""
    write(edges, out, "\t")


def write_csv(edges: EdgeList, out: IO[bytes]) -> None:
    """Write an edge list with commas."""
    write(edges, out, ",")
