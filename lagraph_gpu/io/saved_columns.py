"""Labels and columns of data in the folder of a saved graph (see `saved`).

Columns of numbers, dates and durations are arrays as they are. Other values are written as a list
in JSON, of which the array holds the bytes: strings, numbers, truth values, None, Python's own
dates and times, as `{"date": "2026-11-29"}` and `{"datetime": "2026-11-29T22:45:00"}`, and tuples,
lists and dicts of all these, as `{"tuple": […]}`, `{"list": […]}` and `{"dict": [pairs]}`. Nothing
is written as a pickle, so that a folder holds no code. A column with other values is left out, and
a warning says so.

The key `columns` of the manifest lists what each array is about ("labels", "vertex", "edge", or
"graph", whose values are pairs of a name and a value), the name of the column, and how its values
are written: "" for an array as it is, "json", or the type of dates and durations, such as
"datetime64[ns]".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import brief, warn_caller
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.saved_folder import JSON, TIMES, array_of, write_array
from lagraph_gpu.names.labels import Labels
from semirings import types


class Column(NamedTuple):
    """An array to write: what it is about, its name, and how it holds the values."""

    about: str
    name: str
    form: str
    array: np.ndarray


# --- out ----------------------------------------------------------------------------------------


def columns_of(G: Graph) -> list[Column]:
    """What a folder is to keep of the names and data of a graph. Warns of what it cannot keep."""
    given: list[tuple[str, str, np.ndarray]] = []
    if G.labels is not None:
        given.append(("labels", "", G.labels))
    given += [("vertex", name, values) for name, values in G.vertex_data.items()]
    if G._edge_data:
        given += [("edge", name, values) for name, values in G.edge_data.items()]
    made = [*about_graph(G)]
    for about, name, values in given:
        try:
            made.append(Column(about, name, *written_as(values)))
        except TypeError as problem:
            what = "the labels" if about == "labels" else f"the column {name!r} of {about}_data"
            warn_of(what, problem)
    return made


def about_graph(G: Graph) -> Iterator[Column]:
    """What a folder is to keep of `G.graph_data`, if there is any. Warns of what it cannot keep."""
    kept = []
    for name, value in G.graph_data.items():
        try:
            if not isinstance(name, str):
                raise TypeError(f"the name {brief(name)}")
            kept.append(plain((name, value)))
        except (TypeError, RecursionError) as problem:
            warn_of(f"{name!r} of graph_data", problem)
    if kept:
        yield Column("graph", "", JSON, as_json(kept))


def warn_of(what: str, problem: Exception) -> None:
    """Warn that a folder will not hold something."""
    warn_caller(
        f"G.save does not keep {what}: expected strings, numbers, dates, None, or tuples, lists "
        f"or dicts of these, got {problem}; make strings of them, or keep them beside the folder",
        UserWarning,
    )


def written_as(values: np.ndarray) -> tuple[str, np.ndarray]:
    """How the values of a column are written, and the array that is. Raises TypeError."""
    if TIMES.fullmatch(values.dtype.name):
        return values.dtype.name, np.ascontiguousarray(values).view(np.int64)
    if values.dtype in types.ALL:
        return "", values
    return JSON, as_json([plain(value) for value in values.tolist()])


def as_json(values: list[Any]) -> np.ndarray:
    """Values as JSON has them, as the bytes of a text."""
    import json

    return np.frombuffer(json.dumps(values, separators=(",", ":")).encode(), np.uint8)


def plain(value: Any) -> Any:
    """A value as JSON has it, so that `value_of` gives it back. Raises TypeError."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, np.generic) and type(value.item()) in (str, int, float, bool):
        return value.item()
    if type(value) is date or (type(value) is datetime and says_its_zone(value)):
        return {type(value).__name__: value.isoformat()}
    if type(value) in (tuple, list):
        return {type(value).__name__: [plain(part) for part in value]}
    if type(value) is dict:
        return {"dict": [plain(pair) for pair in value.items()]}
    raise TypeError(f"{brief(value)} of type {type(value).__name__}")


def says_its_zone(time: datetime) -> bool:
    """Whether the text of a time holds all of it. Of other zones it has the offset and no name."""
    return not time.fold and (time.tzinfo is None or type(time.tzinfo) is timezone)


def write_columns(folder: Path, columns: list[Column]) -> list[dict[str, Any]]:
    """Write the arrays, and return the manifest's entries for them."""
    return [
        {"about": one.about, "name": one.name, "form": one.form,
         **write_array(folder, one.about, one.array)}
        for one in columns
    ]  # fmt: skip


# --- in -----------------------------------------------------------------------------------------


def keep_columns(G: Graph, folder: Path, entries: list[dict[str, Any]], verify: bool) -> Graph:
    """The graph with the labels and the data that its folder holds.

    Raises LagraphError, ValueError, TypeError or RecursionError for values that are none, or not as
    many as the vertices or edges.
    """
    for entry in entries:
        about = entry["about"]
        values = values_of(array_of(folder, about, entry, verify), entry["form"])
        if about == "labels":
            labels = Labels.of(values, mixed=True)
            if labels.n != G.n:
                raise ValueError(f"{labels.n} labels of {G.n} vertices")
            G._labels = labels
        elif about == "graph":
            G._graph_data = dict(values)
        else:
            data = G.vertex_data if about == "vertex" else G.edge_data
            data[entry["name"]] = values
    return G


def values_of(array: np.ndarray, form: str) -> Any:
    """The values that an array holds in this form. Raises ValueError for anything else."""
    if form == "":
        if array.dtype == types.BOOL and array.size and array.view(np.uint8).max() > 1:
            raise ValueError("truth values other than 0 and 1")
        return np.array(array)
    if form != JSON:
        return np.array(array).view(form)
    import json

    held = json.loads(bytes(array))
    if not isinstance(held, list):
        raise ValueError("expected a list of values")
    return [*map(value_of, held)]


KINDS: dict[str, Any] = {"tuple": tuple, "list": list, "dict": dict}

TEXTS: dict[str, Callable[[str], date]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def value_of(said: Any) -> Any:
    """What `plain` made `said` of. Raises ValueError for anything else."""
    if isinstance(said, dict):
        ((kind, parts),) = said.items()
        if kind in KINDS and isinstance(parts, list):
            return KINDS[kind](map(value_of, parts))
        if kind in TEXTS and isinstance(parts, str):
            return TEXTS[kind](parts)
    elif not isinstance(said, list):
        return said
    raise ValueError(f"expected a value, got {brief(said)}")
