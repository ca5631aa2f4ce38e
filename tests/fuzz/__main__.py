"""``python -m tests.fuzz``: many inputs, and a record of what came of them.

    python -m tests.fuzz --inputs 1000000 --out benchmarks/results/fuzz.json
    python -m tests.fuzz --seconds 3600 npz matrix          these targets alone
    python -m tests.fuzz --show npz SEED NUMBER             one input, and what comes of it

Exit status 1 if an input went wrong. What is found goes into the table of ``corpus.py`` by hand,
with what was fixed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import secrets
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzz import worker
from tests.fuzz.targets import targets


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="(default: all)")
    parser.add_argument("--inputs", type=int, default=10**9, help="how many, of all targets")
    parser.add_argument("--seconds", type=float, default=10**9, help="for how long")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--out", type=Path, help="a file for the record")
    parser.add_argument("--show", nargs=3, metavar=("TARGET", "SEED", "NUMBER"))
    options = parser.parse_args()
    known = targets()
    if options.show:
        name, seed, number = options.show
        data = worker.drawn(known[name], name, seed, int(number))
        print(data, data.hex(), worker.checked(known[name].run, data), sep="\n")
        return 0
    names = options.targets or list(known)
    print(f"seed {options.seed}", flush=True)
    begun = time.monotonic()
    record = {}
    wrong = []
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        until = time.monotonic() + (begun + options.seconds - time.monotonic()) / left
        share = options.inputs // len(names)
        report = worker.campaign(name, known[name], options.seed, share, until)
        wrong += report.findings
        record[name] = {"seconds": round(report.seconds, 1), **report.outcomes}
        print(name, record[name], *map(str, report.findings[:20]), sep="\n  ", flush=True)
    total: Counter[str] = Counter()
    for counts in record.values():
        total.update({key: value for key, value in counts.items() if key != "seconds"})
    print("all", sum(total.values()), dict(total))
    if options.out:
        options.out.write_text(
            json.dumps(told(options.seed, record, total, begun), indent=1) + "\n"
        )
    return 1 if wrong else 0


TREES = ("lagraph_gpu/io", "lagraph_gpu/convert", "semirings")
"""The folders whose content in git says which code was run, also after a commit was rebased."""


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def told(seed: str, record: object, total: Counter[str], begun: float) -> dict[str, object]:
    return {
        "benchmark": "fuzz",
        "commit": git("describe", "--always", "--dirty", "--abbrev=40"),
        "trees": {name: git("rev-parse", f"HEAD:{name}") for name in TREES},
        "seed": seed,
        "python": platform.python_version(),
        "inputs": sum(total.values()),
        "outcomes": dict(total),
        "seconds": round(time.monotonic() - begun, 1),
        "cpu_seconds": round(sum(os.times()[:4]), 1),
        "limits": {"seconds": worker.SECONDS, "bytes": worker.MEMORY},
        "targets": record,
    }


if __name__ == "__main__":
    sys.exit(main())
