"""`lagraph-gpu convert IN OUT`: writes a graph file in another format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from lagraph_gpu import io
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import parser_of
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation
from lagraph_gpu.io.formats import FORMATS

EPILOG = f"""\
The names say the formats (.gr .mtx .graph .el .tsv .csv .npz …, also with .gz or .xz), --from and
--to overrule them: {", ".join(form.name for form in FORMATS)}. A file appears whole or not at
all, with --force in the place of one that is there; into a pipe or a device is written.

exit status: 0, or 2 for bad input
"""


def main(arguments: Sequence[str]) -> int:
    parser = parser_of("convert", "Write a graph file in another format.", EPILOG)
    add = parser.add_argument
    add("source", metavar="IN")
    add("target", metavar="OUT", type=Path)
    add("--from", dest="before", metavar="FORMAT", help="the format of IN")
    add("--to", dest="after", metavar="FORMAT", help="the format of OUT")
    add("--force", action="store_true", help="write OUT though it is there")
    add("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    target = options.target
    if target.exists() and not options.force:
        raise InvalidValue(f"expected a new name for OUT, but {target} is there; or say --force")
    with progress(f"reading {options.source}"):
        edges = io.read_edges(options.source, options.before)
    with progress(f"writing {target}"):
        try:
            io.write_edges(target, edges, options.after)
        except (InvalidValue, UnsupportedOperation) as error:
            raise type(error)(f"{error}; --to FORMAT says the format of OUT") from error
    file = target.is_file()
    found = {
        "in": options.source,
        "out": str(target),
        "vertices": edges.nrows,
        "edges": edges.nedges,
        "directed": edges.directed,
        "weighted": edges.weight is not None,
        "bytes": target.stat().st_size if file else None,
    }
    with redirect_stdout(sys.stdout if file else sys.stderr):  # the graph may have gone to stdout
        if options.json:
            print_json(found)
        else:
            kind = "directed" if edges.directed else "undirected"
            size = f", {found['bytes']:,} bytes" if file else ""
            print(f"{target}: {edges.nrows:,} vertices, {edges.nedges:,} {kind} edges{size}")
    return FINE
