"""Registers and spills of every variant of every kernel, as a record.

``python -m tests.kernel_registers now.json`` compiles them from this checkout, by NVRTC for sm_90.
With ``--before earlier.json``, a file that an earlier checkout wrote this way, the record holds the
last figures of that and its own side by side, and what differs is printed. Headers that move
between folders keep their kernels' rows: a row is found by the kernel's name, which holds a digest
of its algebra.

The committed records are in ``benchmarks/kernels``. A row is the name, then for each checkout the
registers of a thread and the bytes of its spills and of its stack frame.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests import kernels, nvrtc_gate

ARCHITECTURE = 90


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kernel_registers", description=__doc__)
    parser.add_argument("record", type=Path, help="the file to write")
    parser.add_argument("--before", type=Path, help="the record of an earlier checkout")
    parser.add_argument("--commit", default="", help="what this checkout is called in the record")
    options = parser.parse_args()
    figures = measured()
    record: dict[str, Any] = {"architecture": f"sm_{ARCHITECTURE}", "columns": list(COLUMNS)}
    if options.before is None:
        record |= {"commits": [options.commit], "kernels": {n: [f] for n, f in figures.items()}}
    else:
        earlier = json.loads(options.before.read_text())
        record["commits"] = [earlier["commits"][-1], options.commit]
        record["kernels"] = beside({n: f[-1] for n, f in earlier["kernels"].items()}, figures)
        print(differences(record["kernels"]))
    options.record.parent.mkdir(parents=True, exist_ok=True)
    options.record.write_text(written(record))
    return 0


COLUMNS = ("registers", "spill_stores", "spill_loads", "stack_frame")
Figures = list[int] | None
"""The columns; None of a kernel that a checkout does not have."""


def measured() -> dict[str, Figures]:
    """The figures of each kernel of this checkout, by its name."""
    units = kernels.units(kernels.everywhere())
    reports = nvrtc_gate.check(units, [ARCHITECTURE], processes=os.cpu_count() or 1, keep=True)
    refused = [fault for report in reports if report.error for fault in report.faults()]
    if refused:
        raise SystemExit("\n".join(refused))
    return {r.name: [getattr(r, column) for column in COLUMNS] for r in reports}


def beside(before: dict[str, Figures], after: dict[str, Figures]) -> dict[str, list[Figures]]:
    """
    >>> beside({"a": [1]}, {"a": [2], "b": [3]})
    {'a': [[1], [2]], 'b': [None, [3]]}
    """
    return {name: [before.get(name), after.get(name)] for name in sorted({*before, *after})}


def differences(rows: dict[str, list[Figures]]) -> str:
    """
    >>> print(differences({"a": [[1], [2]], "b": [[3], [3]]}))
    a: [1] -> [2]
    1 of 2 kernels differ
    """
    changed = [f"{name}: {old} -> {new}" for name, (old, new) in rows.items() if old != new]
    return "\n".join([*changed, f"{len(changed)} of {len(rows)} kernels differ"])


def written(record: dict[str, Any]) -> str:
    """JSON with a line for each kernel."""
    head = json.dumps({key: held for key, held in record.items() if key != "kernels"}, indent=1)
    rows = (f"  {json.dumps(name)}: {json.dumps(held)}" for name, held in record["kernels"].items())
    return f'{head[:-2]},\n "kernels": {{\n' + ",\n".join(rows) + "\n }\n}\n"


if __name__ == "__main__":
    sys.exit(main())
