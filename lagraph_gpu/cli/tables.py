"""Tables in files: CSV, TSV, Parquet or NumPy's npz, as the ending says, with a name on each
column.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import click
import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.cli.loading import expect_new
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.words import did_you_mean
from lagraph_gpu.errors import InvalidValue, required
from lagraph_gpu.files.atomic import CHUNK, expect_place, replacing
from lagraph_gpu.io.stream import extension

Columns = Mapping[str, NDArray[Any]]

out_option = click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE",
    help="Write all of the result as a table: .csv, .tsv, .parquet or .npz.",
)  # fmt: skip


def expect_table(path: Path | None, force: bool, graph: str, option: str = "--out") -> None:
    """Raises an error, before any work is done, for a table that could not be written, or that
    would take the place of the graph's own file. The option names the table.
    """
    if path is None:
        return
    ending = extension(path)
    if ending not in WRITERS:
        raise InvalidValue(
            f"expected a table to end in {', '.join(WRITERS)}, got {path.name!r}"
            f"{did_you_mean(ending, WRITERS)}"
        )
    if ending == ".parquet":
        _pyarrow()
    expect_new(path, force, option)
    if path.exists() and Path(graph).exists() and path.samefile(graph):
        raise InvalidValue(f"expected another file for {option} than that of the graph, got {path}")
    expect_place(path, path.parent, "a table")


def save(path: Path, columns: Columns) -> None:
    """Writes the columns to a file, which appears whole or not at all."""
    with progress(f"writing {path}"), replacing(path) as out:
        WRITERS[extension(path)](columns, out)


def _write_text(separator: str) -> Callable[[Columns, IO[bytes]], None]:
    def write(columns: Columns, out: IO[bytes]) -> None:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="")
        rows = csv.writer(text, delimiter=separator, lineterminator="\n")
        rows.writerow(columns)
        length = min(column.size for column in columns.values())
        for begin in range(0, length, CHUNK):
            part = (column[begin : begin + CHUNK].tolist() for column in columns.values())
            rows.writerows(zip(*part, strict=True))
        text.flush()
        text.detach()

    return write


def _write_parquet(columns: Columns, out: IO[bytes]) -> None:
    pyarrow = _pyarrow()
    pyarrow.parquet.write_table(pyarrow.table(dict(columns)), out)


def _write_npz(columns: Columns, out: IO[bytes]) -> None:
    archive = io.BytesIO()  # zip seeks backwards, which a gzip stream cannot
    np.savez_compressed(archive, allow_pickle=False, **columns)
    out.write(archive.getbuffer())


def _pyarrow() -> Any:
    required("pyarrow.parquet", "Parquet files", "arrow", "write .csv")
    return required("pyarrow", "Parquet files", "arrow", "write .csv")


WRITERS = {
    ".csv": _write_text(","),
    ".tsv": _write_text("\t"),
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}
"""The function that writes a table, by the ending of the name."""
