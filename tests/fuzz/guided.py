"""``python -m tests.fuzz.guided --seconds 600 npz matrix``: inputs chosen by the lines they reach.

Atheris, which must be installed (`pip install atheris`), watches which branches of our Python an
input takes, and goes on from those that take new ones. Each target has a process of its own, whose
end by anything but the clock leaves the input in a file beside its message. Exit status 1 then.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = ["lagraph_gpu.io", "lagraph_gpu.convert", "lagraph_gpu.algorithms.paths", "semirings"]
MEGABYTES = 4096
"""The memory that a process may take."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="(default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="for all together")
    parser.add_argument("--one", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        guided(options.targets[0], Path(options.one), int(options.seconds))
    from tests.fuzz.targets import targets

    names = options.targets or list(targets())
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for number, seed in enumerate(targets()[name].seeds):
                Path(folder, str(number)).write_bytes(seed)
            share = max(1, int(options.seconds / len(names)))
            command = [sys.executable, "-m", __spec__.name, name]  # type: ignore[name-defined]
            done = subprocess.run(
                [*command, "--seconds", str(share), "--one", folder], capture_output=True, text=True
            )
        said = done.stderr.strip().splitlines()
        print(name, said[-1] if said else "", flush=True)
        if done.returncode:
            print(done.stdout[-2000:], done.stderr[-4000:], sep="\n", flush=True)
            wrong += 1
    return 1 if wrong else 0


def guided(name: str, folder: Path, seconds: int) -> None:
    """Does not return: libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=OURS):
        from tests.fuzz.targets import targets
        from tests.fuzz.worker import checked

        run = targets()[name].run

    def one(data: bytes) -> None:
        came = checked(run, data)
        assert not came.startswith("wrong"), came

    options = [f"-max_total_time={seconds}", f"-rss_limit_mb={MEGABYTES}", "-max_len=4096"]
    atheris.Setup([sys.argv[0], *options, str(folder)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
