"""The record of a benchmark: what it holds, when it may be written, and where.

Times are milliseconds, one number a root: everything from the call to the result resident on the
device, without a copy to the host. Rates count the input edges of the part that was reached, an
undirected one once, as Graph500 does. A field that does not apply is null. ``verified`` is true
only if an independent check of every sampled result passed.

The record of an operation (``mxv``, ``mxm``, …) has no roots. Its ``measurements`` hold a row for
each way that ran in turns with the others, ours and the peers': ``case``, ``by``, ``operation``,
times (``samples_ms`` by CUDA events where ``timed_by`` says so, ``wall_ms`` the median of calls
until the result was there), ``bytes`` as the data asks for, ``gb_per_s``, and ``of_copy``, their
share of ``copy_gb_per_s``, which counts bytes read and written; on a GPU a record that says more
than can be is refused. The fields above the rows are those of our first.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lagraph_gpu
from lagraph_gpu.cli.timing import harmonic_mean

Record = dict[str, Any]
RESULTS = Path(__file__).parent / "results"

TEXT, NUMBER, LIST = (str,), (int, float), (list,)
FIELDS: dict[str, tuple[type, ...]] = {
    "benchmark": TEXT,
    "graph": TEXT,
    "n": (int,),
    "nedges": (int,),
    "backend": TEXT,
    "device": TEXT,
    "commit": (*TEXT, type(None)),
    "date": TEXT,
    "schedule": (dict, type(None)),
    "layout": (*TEXT, type(None)),
    "roots": (*LIST, type(None)),
    "samples_ms": LIST,
    "median_ms": NUMBER,
    "gteps_harmonic_mean": (*NUMBER, type(None)),
    "prepare_ms": (*NUMBER, type(None)),
    "energy_j": (*NUMBER, type(None)),
    "verified": (bool, type(None)),
    "peers": (dict,),
}
"""What every record has, and of which types."""

OF_A_PEER = (
    *("backend", "device", "schedule", "layout", "roots", "samples_ms", "median_ms"),
    *("gteps_harmonic_mean", "prepare_ms", "energy_j", "verified"),
)
"""What the entry of a peer has, unless it only says ``{"absent": why}``."""

NOT_OF_OPERATIONS: Record = {
    "schedule": None,
    "layout": None,
    "roots": None,
    "gteps_harmonic_mean": None,
    "energy_j": None,
}
"""Fields of searches; the record of an operation has them as null."""

OF_A_MEASUREMENT = (
    *("operation", "samples_ms", "median_ms", "wall_ms", "bytes", "gb_per_s", "of_copy"),
    *("checked", "verified"),
)
"""What a row of ``measurements`` has beside ``case`` and ``by``, unless it says ``absent``."""

CACHE, MOST_OF_COPY = 1 << 25, 1.15
"""On a GPU data of more bytes than this are not held by a cache (an H200's has halves of 25 MiB),
and cannot move faster than so many times a copy of a gigabyte in the same run: reading alone may be
faster than copying, which gets 4.26 TB/s of the 4.8 in NVIDIA's data sheet."""


def samples(roots: Sequence[int], ms: Sequence[float], edges: Sequence[int]) -> Record:
    """The fields that follow from one time and one number of edges for each root.

    >>> samples([7, 9], [1.0, 3.0], [10**6, 10**6])["gteps_harmonic_mean"]
    0.5
    """
    rates = [e / (t * 1e6) for e, t in zip(edges, ms, strict=True)]
    mean = harmonic_mean(rates)
    return {
        "roots": list(roots),
        "samples_ms": [round(t, 5) for t in ms],
        "median_ms": round(statistics.median(ms), 5),
        "gteps_harmonic_mean": mean and float(f"{mean:.5g}"),
    }


def faults(record: Record) -> list[str]:
    """What keeps a record from being one."""
    found = [f"{name} is missing" for name in FIELDS if name not in record]
    for name, allowed in FIELDS.items():
        value = record.get(name)
        if name in record and not isinstance(value, allowed):
            found.append(f"{name} is {value!r}")
    if found:
        return found
    found += _sample_faults(record, "")
    if record["roots"] is None:
        found += _measurement_faults(record)
    elif record["verified"] is True and record.get("checked_roots") != record["roots"]:
        found.append("verified is true, but checked_roots does not name every root")
    for name, peer in record["peers"].items():
        if "absent" in peer:
            continue
        missing = [field for field in OF_A_PEER if field not in peer]
        found += [f"peer {name}: {field} is missing" for field in missing]
        found += [] if missing else _sample_faults(peer, f"peer {name}: ")
    return found


def _sample_faults(record: Record, where: str) -> list[str]:
    times, roots = record["samples_ms"], record["roots"]
    found = []
    if not times or (roots is not None and len(times) != len(roots)):
        found.append(f"{where}{len(times)} samples for {len(roots or [])} roots")
    if not all(isinstance(t, NUMBER) and t > 0 for t in times):
        found.append(f"{where}a sample is no positive number")
    return found


def _measurement_faults(record: Record) -> list[str]:
    """What is wrong with the record of an operation beyond what searches have too."""
    rows = record.get("measurements")
    if not isinstance(rows, list) or not rows:
        return ["roots is null, but there are no measurements"]
    found = []
    for row in rows:
        where = f"measurement {row.get('case')!r} by {row.get('by')!r}"
        if "absent" in row:
            continue
        missing = [field for field in OF_A_MEASUREMENT if field not in row]
        found += [f"{where}: {field} is missing" for field in missing]
        if not missing:
            found += _sample_faults({**row, "roots": None}, f"{where}: ")
            large = record.get("timed_by") == "CUDA events" and (row["bytes"] or 0) > CACHE
            if large and row["of_copy"] > MOST_OF_COPY:
                found.append(
                    f"{where}: {row['bytes']:,} bytes, which no cache holds, at "
                    f"{row['of_copy']:.0%} of the speed of a copy; was it timed before it was done?"
                )
            if row["verified"] is True and row["checked"] != len(row["samples_ms"]):
                found.append(f"{where}: verified is true, but not every sample was checked")
    if record["verified"] is True and record.get("checked") != len(record["samples_ms"]):
        found.append("verified is true, but not every sample was checked")
    return found


def write(record: Record, folder: Path = RESULTS) -> Path:
    """Write a record as one file, whole or not at all; ValueError if it is none."""
    if found := faults(record):
        raise ValueError(f"expected a complete record, but {'; '.join(found)}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(record)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text(record), encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def write_rows(
    benchmark: str, file: str, device: str, rows: list[dict[str, Any]], folder: Path
) -> None:
    """Write rows of figures as a record of their own kind, in a file of this name."""
    record = {"benchmark": benchmark, "device": device, **made_now(), "rows": rows}
    path = folder / f"{file}-{slug(device)}-{record['date']}.json"
    path.write_text(text(record), encoding="utf-8")


def text(record: Record) -> str:
    """JSON with a field a line; a list of numbers is not broken.

    >>> print(text({"a": [1, 2], "b": {}}), end="")
    {
     "a": [1, 2],
     "b": {}
    }
    """
    broken = json.dumps(record, indent=1, allow_nan=False)
    numbers = r'\[\s+([^][{}"]*?)\s+\]'
    return re.sub(numbers, lambda m: f"[{' '.join(m[1].split())}]", broken) + "\n"


def file_name(record: Record) -> str:
    """``<question>-<graph>-<device>-<date>.json``, with the layout after the graph if there is one.

    >>> file_name({"benchmark": "bfs", "graph": "kron20", "device": "NVIDIA H200",
    ...            "date": "2026-11-20"})
    'bfs-kron20-nvidia-h200-2026-11-20.json'
    """
    graph = slug("-".join(filter(None, (record["graph"], record.get("layout")))))
    parts = record["benchmark"], graph, slug(record["device"]), record["date"]
    return "-".join(parts) + ".json"


def slug(name: str) -> str:
    """A name as part of a file name."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-")


def made_now(commit: str | None = None) -> Record:
    """The fields that say which code made a record, and when: the commit as it is given, or what
    git says of it."""
    named, dirty = (commit, None) if commit else revision()
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"commit": named, "dirty": dirty, "date": day, "version": lagraph_gpu.__version__}


def revision() -> tuple[str | None, bool | None]:
    """The commit this code is at, and whether files differ from it; None where git cannot say."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.CalledProcessError):
        return None, None
