"""``lagraph-gpu convert IN OUT``: a graph file in another format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from lagraph_gpu import io
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation
from lagraph_gpu.io.formats import FORMATS

EPILOG = f"""\
The names say the formats (.gr .mtx .graph .el .tsv .csv .npz …, also with .gz or .xz), --from and
--to overrule them: {", ".join(form.name for form in FORMATS)}. OUT appears whole or not at all.

exit status: 0, or 2 for bad input
"""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="lagraph-gpu convert", description="Write a graph file in another format.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("source", metavar="IN")
    add("target", metavar="OUT", type=Path)
    add("--from", dest="before", metavar="FORMAT", help="the format of IN")
    add("--to", dest="after", metavar="FORMAT", help="the format of OUT")
    add("--force", action="store_true", help="put OUT in the place of a file that is there")
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
    found = {
        "in": options.source,
        "out": str(target),
        "vertices": edges.nrows,
        "edges": edges.nedges,
        "directed": edges.directed,
        "weighted": edges.weight is not None,
        "bytes": target.stat().st_size,
    }
    if options.json:
        print_json(found)
    else:
        print(
            f"{target}: {edges.nrows:,} vertices, {edges.nedges:,} "
            f"{'directed' if edges.directed else 'undirected'} edges, {found['bytes']:,} bytes"
        )
    return FINE
