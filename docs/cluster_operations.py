"""Which operations the cluster backend has a lowering for: ``python docs/cluster_operations.py``
renews the table between two marker lines of the page on backends.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

PAGE = Path(__file__).with_name("explanation") / "a-new-backend.md"
FIRST, LAST = "<!-- operations: begin -->", "<!-- operations: end -->"
BACKENDS = "lagraph_gpu.cpu", "lagraph_gpu.gpu", "lagraph_gpu.cluster"
OWN, TOGETHER, EACH = "a lowering of its own", "statements, one agreement", "statements"
PROCESS_0 = f"process 0 where it has room, else {TOGETHER}"


def operations() -> dict[str, object]:
    """Every operation, by the name of its module and its own."""
    import lagraph_gpu
    from lagraph_gpu.notation.operation import Operation

    found: dict[str, object] = {}
    for module in pkgutil.walk_packages(lagraph_gpu.__path__, "lagraph_gpu."):
        if module.name.startswith(BACKENDS) or "__main__" in module.name:
            continue
        for name, thing in vars(importlib.import_module(module.name)).items():
            if isinstance(thing, Operation) and thing.__module__ == module.name:  # type: ignore[attr-defined]
                found[f"{module.name.removeprefix('lagraph_gpu.')}.{name}"] = thing
    return dict(sorted(found.items()))


def way(operation: object) -> str:
    """How the cluster carries out an operation."""
    from lagraph_gpu.cluster import lowerings

    if operation in lowerings.OWN:
        return OWN
    if operation in lowerings.OF_ROOT:
        return PROCESS_0
    return TOGETHER if operation in lowerings.TOGETHER else EACH


def table() -> str:
    """Markdown: a row for each operation, those with a lowering first."""
    ways = {name: way(operation) for name, operation in operations().items()}
    rows = [
        f"| `{name}` | {told} |" for kind in (OWN, PROCESS_0, TOGETHER, EACH)
        for name, told in ways.items() if told == kind
    ]  # fmt: skip
    return "\n".join(["| operation | on a cluster |", "| --- | --- |", *rows])


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    head, begin, rest = text.partition(FIRST)
    _, end, tail = rest.partition(LAST)
    PAGE.write_text(f"{head}{begin}\n{table()}\n{end}{tail}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    sys.exit(main())
