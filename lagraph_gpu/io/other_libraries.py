"""Formats that other libraries read: Parquet by PyArrow; GraphML, GEXF and GML by NetworkX.

A Parquet file has columns named source and target (or src and dst, from and to), perhaps weight
or one third, or others that are chosen; their ends are ids from 0, or names. The others name
their vertices. The weight is the attribute "weight" of their edges, or the one that is chosen,
where all edges have it. In GraphML and GEXF an edge without an attribute has the default that the
file declares for it, and in GEXF, where no default is declared, a weight of 1. Other attributes
become columns of data. Edges with numbers under other names only are refused, unless one is chosen
or the ends are, which the three formats call source and target: one of them may be the weight.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.errors import (
    FormatError,
    InvalidValue,
    LagraphError,
    UnsupportedOperation,
    brief,
    in_short,
    required,
)
from lagraph_gpu.io.named_writing import as_text, expect_ends
from lagraph_gpu.io.stream import Source
from lagraph_gpu.memory import is_short
from lagraph_gpu.names.attributes import columns_of
from lagraph_gpu.names.frames import (
    ENDS,
    USUAL,
    EdgeColumns,
    command_line,
    expect_column,
    listed_names,
    of_a_zone,
)
from lagraph_gpu.names.labels import numbered, plain_list

KEY = b"lagraph-gpu"
MAGIC = b"PAR1"
OURS = re.compile(rb"([0-9]{1,10}) ([0-9]{1,10}) (directed|undirected)")
"""What the metadata of a table that was written here say: its size and direction."""
NAMED = re.compile(rb"names (directed|undirected)")
"""What they say where the ends are names."""

WHOLE_BITS = {"gml": 32, "gexf": 54}
"""The bits of the whole weights that come back unchanged: NetworkX writes larger ones into GML as
text, and reads the weights of GEXF as floats."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff]")


def read_parquet(source: Source, chosen: EdgeColumns = USUAL, labels: bool = False) -> EdgeList:
    """The graph of a table of edges: directed, unless it was written here and says otherwise.

    With `labels` integers are names, too.
    """
    parquet = required("pyarrow.parquet", "Parquet files", "arrow")

    def make(file: io.BytesIO) -> EdgeList:
        text = file.getbuffer()
        if len(text) < 12 or not text[:4] == MAGIC == text[-4:]:
            raise source.error(
                None, "expected a Parquet file, which begins and ends with PAR1; this is none, or "
                "it is cut short: fetch or write it again",
            )  # fmt: skip
        # not read_table: PyArrow 26 ends one process in twenty that has called it by abort()
        return _of_table(source, parquet.ParquetFile(file), chosen, labels)

    return _made(source, "parquet", make)


def _of_table(source: Source, file: Any, chosen: EdgeColumns, named: bool) -> EdgeList:
    known = file.schema_arrow.names
    found = *chosen.ends(known), chosen.weights(known)
    wanted = [name for name in found if name is not None]
    for name in wanted:
        if known.count(name) > 1:
            raise source.error(
                None, f"expected one column {name!r}, got {known.count(name)}; rename the others"
            )
    table = file.read(columns=[*dict.fromkeys(wanted)])
    columns = [table.column(name) for name in wanted]
    for name, column in zip(wanted, columns):
        if column.null_count:
            row = column.is_null().to_numpy().argmax()
            raise source.error(
                None, f"expected a value in each row of the column {name!r}, but row {row} (from "
                f"0) has none (null); of {column.null_count:,} such rows it is the first; fill "
                "them in, or leave them out",
            )  # fmt: skip
    src, dst, *weights = (
        of_a_zone(column.to_numpy(), column.type, "the ends") for column in columns
    )
    for name, end in zip(wanted, (src, dst)):
        if end.dtype.kind == "f":
            raise source.error(
                None, f"expected whole numbers or names in the column {name!r}, got {end.dtype}; "
                "make them whole numbers, or text",
            )  # fmt: skip
    said = (table.schema.metadata or {}).get(KEY, b"")
    about, names = OURS.fullmatch(said), NAMED.fullmatch(said)
    ids = None
    if named or names or any(end.dtype.kind not in "iu" for end in (src, dst)):
        labels, src, dst = numbered(plain_list(src, "source"), plain_list(dst, "target"), True)
        ids, shape = labels.array, (labels.n, labels.n)
    elif about:
        shape = int(about[1]), int(about[2])
    else:
        n = max((int(end.max()) + 1 for end in (src, dst) if end.size), default=0)
        if n > (most := source.most_vertices):
            raise source.error(None, f"{n:,} vertices; at most {most:,} fit, or name them")
        shape = n, n
    directed = not said.endswith(b" undirected")
    weight = None
    if weights:
        if weights[0].dtype == np.float16:
            raise source.error(
                None, f"expected FP32 or FP64 in the column {wanted[2]!r}, got float16; convert it"
            )
        if weights[0].dtype.kind not in "biuf":
            raise source.error(
                None,
                f"expected finite numbers as weights in the column {wanted[2]!r}, got "
                f"{columns[2].type}; convert it, or if there are no weights, name the ends only: "
                f"{chosen.without_weights(known)}",
            )
        weight = _finite(source, weights[0])
    return EdgeList(src, dst, weight, *shape, directed, str(source.path), ids=ids)


def write_parquet(edges: EdgeList, out: IO[bytes]) -> None:
    """Write the columns source, target and weight; the size and direction go beside them. Names
    stand in the columns themselves."""
    parquet = required("pyarrow.parquet", "Parquet files", "arrow", "write .csv")
    pyarrow = required("pyarrow", "Parquet files", "arrow", "write .csv")
    columns: dict[str, Any] = {"source": edges.src, "target": edges.dst}
    size = f"{edges.nrows} {edges.ncols}"
    if edges.ids is not None:
        whole = edges.ids.dtype.kind == "i"
        names = edges.ids if whole else np.array(as_text(edges), object)
        expect_ends(edges, "a table of edges")
        columns = {name: names[end] for name, end in columns.items()}
        size = "names"
    if edges.weight is not None:
        columns["weight"] = edges.weight
    kind = "directed" if edges.directed else "undirected"
    about = {KEY: f"{size} {kind}"}
    parquet.write_table(pyarrow.table(columns).replace_schema_metadata(about), out)


def by_networkx(name: str, chosen: EdgeColumns = USUAL) -> Callable[[Source], EdgeList]:
    """The reader of a format that NetworkX reads with `read_NAME`. The weight is an attribute of
    the edges, by default "weight", if they have that.
    """

    def read(source: Source) -> EdgeList:
        nx = required("networkx", f"{name} files", "networkx")

        def make(file: IO[bytes]) -> EdgeList:
            if name == "gml":
                g = _of_gml(nx, file.read())
            elif name == "gexf":
                g = nx.read_gexf(io.BytesIO(GEXF_1_3.sub(GEXF_1_2, file.read())))
            else:
                g = nx.read_graphml(file)
            return _of_networkx(source, g, chosen, _defaults(g, name))

        return _made(source, name, make)

    return read


def _of_gml(nx: Any, text: bytes) -> Any:
    """NetworkX' graph of a GML file. igraph writes neither labels of nodes nor, where edges are
    given several times, that this is meant."""
    # NetworkX reads the names of characters, and no others than ASCII
    text = text.decode().encode("ascii", "xmlcharrefreplace")
    label = "label"
    while True:
        try:
            return nx.read_gml(io.BytesIO(text), label)
        except nx.NetworkXError as problem:
            if label != "id" and "has no 'label' attribute" in str(problem):
                label = "id"
            elif TWICE.search(str(problem)) and GRAPH.search(text) and not MULTIGRAPH.search(text):
                text = GRAPH.sub(rb"\g<0> multigraph 1", text, count=1)
            else:
                raise


def to_networkx(name: str) -> Callable[[EdgeList, IO[bytes]], None]:
    """The writer of a format that NetworkX writes with `write_NAME`."""

    def write(edges: EdgeList, out: IO[bytes]) -> None:
        nx = required("networkx", f"{name} files", "networkx", "write .csv")
        names = [*range(edges.nrows)] if edges.ids is None else as_text(edges)
        if name != "gml" and (wrong := next(filter(CONTROL.search, map(str, names)), None)):
            raise InvalidValue(
                f"expected names without control characters, which XML does not have, got "
                f"{wrong!r}; write .csv or .gml"
            )
        pairs = np.array([edges.src, edges.dst])
        pairs = pairs if edges.directed else np.sort(pairs, axis=0)
        once = np.unique(pairs, axis=1).shape[1] == edges.nedges
        kinds = (nx.MultiGraph, nx.MultiDiGraph), (nx.Graph, nx.DiGraph)
        g = kinds[once][edges.directed]()
        g.add_nodes_from(names)
        ends = ([names[at] for at in end] for end in (edges.src, edges.dst))
        if edges.weight is None:
            g.add_edges_from(zip(*ends))
        else:
            if name in WHOLE_BITS and _beyond(edges.weight, WHOLE_BITS[name]):
                raise UnsupportedOperation(
                    f"expected whole weights that {WHOLE_BITS[name]} bits hold, as {name.upper()} "
                    "keeps no others; write .graphml, or make them real"
                )
            weights = edges.weight.astype(np.float64 if edges.weight.dtype.kind == "f" else int)
            g.add_weighted_edges_from(zip(*ends, weights.tolist()))
        getattr(nx, f"write_{name}")(g, out)

    return write


def _beyond(weight: NDArray[Any], bits: int) -> bool:
    """Whether some are whole numbers that a signed integer of so many bits does not hold."""
    if not weight.size or weight.dtype.kind not in "iu":
        return False
    most = 2 ** (bits - 1)
    return not -most <= int(weight.min()) <= int(weight.max()) < most


def _defaults(g: Any, name: str) -> dict[str, Any]:
    """What edges have where nothing is written, which NetworkX keeps beside the edges."""
    if name == "gml":
        return {}
    weighted = name == "gexf" and any("weight" in data for _, _, data in g.edges(data=True))
    usual = {"weight": 1.0} if weighted else {}
    return usual | _declared(g, "edge_default")


def _declared(g: Any, which: str) -> dict[str, Any]:
    """What a file declares as the defaults of nodes or edges."""
    declared = g.graph.get(which)
    return declared if isinstance(declared, dict) else {}


def _of_networkx(source: Source, g: Any, chosen: EdgeColumns, defaults: dict[str, Any]) -> EdgeList:
    nodes = list(g)
    whole = all(type(v) is int for v in nodes)
    ids = np.array(nodes if whole else [str(v) for v in nodes], None if whole else object)
    if len({*ids.tolist()}) < len(nodes):  # in GML 1 and "1" are two labels
        twice = next(name for name, times in Counter(ids.tolist()).items() if times > 1)
        raise source.error(
            None, f"expected a different name for each node, got {brief(twice)} as a number and as "
            "a text; rename one of them",
        )  # fmt: skip
    place = {v: k for k, v in enumerate(nodes)}
    src, dst = np.array([(place[u], place[v]) for u, v in g.edges()], np.int64).reshape(-1, 2).T
    name = _weight_of(g, chosen, defaults)
    weights = []
    if name is not None:
        given = g.edges(data=name, default=defaults.get(name))
        weights = [w for _, _, w in given if w is not None]
    if weights and len(weights) < src.size:
        raise source.error(
            None, f"{len(weights):,} of {src.size:,} edges have the attribute {name!r}; give it to "
            "all, or to none",
        )  # fmt: skip
    weight = _finite(source, np.array(weights)) if weights else None
    of_vertices = _declared(g, "node_default")
    vertex_data = columns_of(lambda: (of_vertices | data for _, data in g.nodes(data=True)))
    if vertex_data.get("label", ids).tolist() == ids.tolist():  # as NetworkX writes GEXF
        vertex_data.pop("label", None)
    edge_data = columns_of(lambda: (defaults | data for *_, data in g.edges(data=True)), name)
    edge_data.pop("id", None)  # what the file calls the edge
    n = len(nodes)
    return EdgeList(
        src, dst, weight, n, n, g.is_directed(), str(source.path), None, ids, vertex_data, edge_data
    )


def _weight_of(g: Any, chosen: EdgeColumns, defaults: dict[str, Any]) -> str | None:
    """The attribute of the edges that is their weight, or None."""
    for end, usual in zip(chosen, ENDS[0]):
        if end not in (None, usual):
            raise InvalidValue(
                f"expected source='source' and target='target' (--columns source,target) in this "
                f"format, got {brief(end)}"
            )
    held = dict(defaults)
    held |= {key: value for _, _, data in g.edges(data=True) for key, value in data.items()}
    if chosen.weight is not None:
        if held:
            expect_column(chosen.weight, [*held])
        return str(chosen.weight)
    if "weight" in held or None not in (chosen.source, chosen.target):
        return "weight"
    numbers = [key for key, value in held.items() if type(value) in (int, float) and key != "id"]
    if numbers:
        first = numbers[0]
        raise InvalidValue(
            f"no attribute of the edges is named weight, and there are numbers in "
            f"{listed_names(numbers)}; if one is the weight, say so: weight={first!r} "
            f"{command_line('source', 'target', first)}; if there is none, name the ends only: "
            f"source='source', target='target' {command_line('source', 'target')}"
        )
    return None


def _finite(source: Source, weight: NDArray[Any]) -> NDArray[Any]:
    if weight.dtype.kind not in "biuf" or not np.isfinite(weight).all():
        raise source.error(None, f"expected finite numbers as weights, got {weight.dtype} values")
    return weight


GEXF_1_3 = re.compile(rb"""(xmlns(?::\w+)?\s*=\s*["'])http://(?:www\.)?gexf\.net/1\.3(?=["'/])""")
GEXF_1_2 = rb"\1http://www.gexf.net/1.2draft"
"""The names that Gephi has given to version 1.3, and that of a version with the same nodes, edges
and attributes, which all versions of NetworkX know."""

GRAPH = re.compile(rb"(?:^|\s)graph\s*\[")
MULTIGRAPH = re.compile(rb"[\s\[]multigraph\s+[01]\b")
TWICE = re.compile(r"edge #\d+ \(([^)]*)\) is duplicated")
"""Where a GML file says that edges may be given several times, and what NetworkX says if it does
not."""

EXPECTED = {
    "gml": 'GML, as in: graph [ node [ id 0 label "a" ] edge [ source 0 target 0 ] ]',
    "graphml": "GraphML: <graphml> with a <graph> of <node>s and <edge>s",
    "gexf": "GEXF: <gexf> with a <graph> of <nodes> and <edges>",
    "parquet": "Parquet with columns of ends and weights",
}
"""What a file in each format holds."""

PLACE = re.compile(r"(?::? at \((\d+), \d+\)|: line (\d+), column \d+)")
"""Where a library says that it has stopped: NetworkX' reader of GML, and Python's of XML."""

IN_OUR_WORDS = (
    (re.compile("found EOF|no element found|unclosed token"), "the file ends too early"),
    (re.compile("contains no graph|not successfully read|No <graph>"), "no graph is in it"),
    (TWICE, "it lists an edge twice ({}), and does not say 'multigraph 1'"),
    (re.compile(r"edge #(\d+) has undefined (source|target) (.*)"),
     "edge {} has the {} {}, which is no node"),
    (re.compile(r"node id (.*) is duplicated"), "it has two nodes with the id {}"),
    (re.compile("codec can't decode"), "it is not UTF-8; convert it, for example with iconv"),
    (re.compile("Bad GraphML data: no key (.*)"), "no <key> declares the key {} of its data"),
)  # fmt: skip
"""What the libraries say of damaged files, and how it is said here."""


def _made(source: Source, form: str, make: Callable[[io.BytesIO], EdgeList]) -> EdgeList:
    """What is made of the file's bytes. Whatever a library raises is an error of the file."""
    text = source.everything()
    try:
        return make(io.BytesIO(text))
    except FormatError:
        raise
    except Exception as problem:  # the libraries' parsers have no common one
        if is_short(problem):
            raise MemoryError("to read the file") from problem
        if isinstance(problem, LagraphError):
            raise source.error(None, str(problem)) from problem
        line, reason = line_and_reason(str(problem))
        what = reason if text.strip() else "the file is empty"
        raise source.error(line, f"expected {EXPECTED[form]}; but {what}") from problem


def line_and_reason(message: str) -> tuple[int | None, str]:
    """The line and the reason in a message of a library.

    >>> line_and_reason("no element found: line 2, column 7")
    (2, 'the file ends too early')
    """
    place = PLACE.search(message)
    line = int(place[1] or place[2]) if place else None
    for pattern, words in IN_OUR_WORDS:
        if found := pattern.search(message):
            return line, words.format(*found.groups())
    return line, f"it cannot be read: {in_short(PLACE.sub('', message))}"
