"""`lagraph-gpu convert IN OUT`: writes a graph file in another format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np

from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import (
    as_json,
    columns_in,
    columns_option,
    expect_new,
    force,
    tell_weight,
)
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.tables import expect_table, save
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation
from lagraph_gpu.io import EdgeList
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.io.formats import (
    FORMATS,
    TABLES,
    Format,
    format_to_write,
    read_with_format,
    write_files,
)
from lagraph_gpu.names.frames import EdgeColumns

EPILOG = f"""\
The names say the formats (.gr .mtx .graph .el .tsv .csv .npz …, also with .gz, .bz2 or .xz), --from
and --to overrule them: {", ".join(form.name for form in FORMATS)}. A file appears whole or not at
all, with --force in the place of one that is there, or into a pipe; a device is written without.

exit status: 0, or 2 for bad input
"""


@click.command("convert", epilog=EPILOG)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--from", "before", metavar="FORMAT", help="The format of IN.")
@click.option("--to", "after", metavar="FORMAT", help="The format of OUT.")
@click.option(
    "--labels/--no-labels",
    default=None,
    help="Vertices have the names or numbers that IN gives them; OUT has them too, if its format "
    "can hold names. With --no-labels OUT numbers them.",
)
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a table of the vertices in OUT and their names in IN: .csv, .tsv, .parquet, .npz.",
)
@columns_option
@force
@as_json
def main(**given: Any) -> int:
    """Write a graph file in another format."""
    options = SimpleNamespace(**given)
    target = options.target
    try:
        form = format_to_write(target, options.after)
    except (InvalidValue, UnsupportedOperation) as error:
        raise _with_advice(error) from error
    places = form.places(target)
    for place in places:
        expect_new(place, options.force, "OUT")
    expect_table(options.names, options.force, options.source, "--names")
    with progress(f"reading {options.source}"):
        columns = EdgeColumns(**columns_in(options.columns))
        edges, read_as = read_with_format(
            options.source, options.before, labels=bool(options.labels), columns=columns
        )
        tell_weight(options.source, read_as, columns, edges.weight is not None)
        if options.labels is False:
            edges = replace(edges, ids=None)
    if options.names is not None and edges.ids is None:
        raise InvalidValue("expected --labels beside --names; otherwise vertices have no names")
    with progress(f"writing {target}"):
        try:
            if edges.ids is None and options.labels is None and form.always_named:
                edges = replace(edges, ids=numbers_in(read_as, edges))
            write_files(target, edges, options.after, options.force)
        except CannotHold as error:
            raise UnsupportedOperation(error.advice("--to {}")) from error
    if edges.ids is not None:
        _tell_names(edges.ids, form, options)
    elif options.labels is None:
        _tell_numbers(read_as, form, options)
    _summarize(edges, places, options)
    return FINE


def _summarize(edges: EdgeList, places: Sequence[Path], options: SimpleNamespace) -> None:
    """Print what has been written."""
    file = options.target.is_file()
    size = sum(place.stat().st_size for place in places) if file else None
    with redirect_stdout(sys.stdout if file else sys.stderr):  # the graph may have gone to stdout
        if options.json:
            print_json({
                "in": options.source, "out": str(options.target), "vertices": edges.nrows,
                "edges": edges.nedges, "directed": edges.directed,
                "weighted": edges.weight is not None, "bytes": size,
            })  # fmt: skip
            return
        kind = "directed" if edges.directed else "undirected"
        bytes_ = "" if size is None else f", {size:,} bytes"
        names = ", ".join(map(str, places))
        print(f"{names}: {edges.nrows:,} vertices, {edges.nedges:,} {kind} edges{bytes_}")


def _with_advice(error: InvalidValue | UnsupportedOperation) -> Exception:
    """An error about the format of OUT, which says how to choose another."""
    advice = "" if str(error).endswith("?") else "; --to FORMAT says the format of OUT"
    return type(error)(f"{error}{advice}")


def numbers_in(form: Format, edges: EdgeList) -> np.ndarray | None:
    """The numbers that the vertices have in a file that counts from 1."""
    if form.first == 0 or edges.nrows != edges.ncols:
        return None
    return form.numbers(edges.nrows)


def _tell_numbers(before: Format, after: Format, options: SimpleNamespace) -> None:
    """Say that the vertices have other numbers in OUT than in IN."""
    if before.first == after.first:
        return
    keep = "; --labels keeps the numbers" if after.name in TABLES else ""
    print(
        f"{options.target} counts the vertices from {after.first}, {options.source} from "
        f"{before.first}: vertex {before.first} there is vertex {after.first} here{keep}",
        file=sys.stderr,
    )


def _tell_names(ids: np.ndarray, form: Format, options: SimpleNamespace) -> None:
    """Write the table of names, or say that OUT has none."""
    if options.names is not None:
        names = ids if ids.dtype.kind == "i" else np.array(ids.tolist())
        save(options.names, {"vertex": form.numbers(ids.size), "name": names})
    elif not form.holds(ids) and [*map(str, ids)] != [*map(str, form.numbers(ids.size))]:
        print(
            f"{options.target} numbers the vertices from {form.first} in the order of their names "
            f"in {options.source}; --names FILE writes which is which",
            file=sys.stderr,
        )
