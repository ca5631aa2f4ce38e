"""What does a statement take beside python-graphblas? ``python -m benchmarks.statement_times``.

Each statement is one text, run by both libraries on the same operands: vectors of n positions of
which half have entries, and matrices of n rows with two entries each. A sample is the processor
time of a loop over the statement that takes about a millisecond, with one thread; both libraries
take turns, and the least counts. Statements that took more than ``--above`` times as long as
python-graphblas are listed, the worst first.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import graphblas as gb
import numpy as np

import lagraph_gpu as lg
from benchmarks.statement_texts import TEXTS

SIZES = 10, 300, 20_000
ROUND_S = 1e-3


def drawn(n: int) -> dict[str, Any]:
    """The arrays of which both libraries make their operands."""
    rng = np.random.default_rng(n)
    half = max(1, n // 2)

    def entries() -> tuple[np.ndarray, np.ndarray]:
        return np.sort(rng.choice(n, half, replace=False)), rng.random(half)

    def cells() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        codes = np.unique(rng.integers(0, n * n, 2 * n))
        return codes // n, codes % n, rng.random(codes.size)

    arrays = {name: entries() for name in ("u", "v", "q", "q2")}
    return {**arrays, **{name: cells() for name in ("A", "B", "M", "M2")}, "f": rng.random(n)}


def scope(library: Any, n: int) -> dict[str, Any]:
    """The names that the texts use, in one library."""
    given, L = drawn(n), library
    names = "Vector Matrix Scalar unary binary monoid semiring indexunary select agg op replace"
    held: dict[str, Any] = {name: getattr(L, name) for name in names.split()}

    def vector(name: str, dtype: str = "FP64") -> Any:
        ids, values = given[name]
        values = values if dtype == "FP64" else np.rint(values * 9)
        return L.Vector.from_coo(ids, values.astype(L.dtypes.lookup_dtype(dtype).np_type), size=n)

    def matrix(name: str, dtype: str = "FP64") -> Any:
        rows, columns, values = given[name]
        values = values if dtype == "FP64" else np.rint(values * 9)
        np_type = L.dtypes.lookup_dtype(dtype).np_type
        return L.Matrix.from_coo(rows, columns, values.astype(np_type), nrows=n, ncols=n)

    few = np.array([1, 4, 7, 2])
    held.update(
        n=n, u=vector("u"), v=vector("v"), u2=vector("u"), iu=vector("u", "INT64"),
        q=vector("q", "BOOL"), q2=vector("q2", "BOOL"), q3=vector("q", "BOOL"),
        f=L.Vector.from_dense(given["f"]), f2=L.Vector.from_dense(given["f"]),
        w=vector("v"), wb=L.Vector("BOOL", n), wi=L.Vector("INT64", n),
        A=matrix("A"), B=matrix("B"), A2=matrix("A"), A_int=matrix("A", "INT64"),
        A_bool=matrix("A", "BOOL"), M=matrix("M", "BOOL"), M2=matrix("M2", "BOOL"),
        C=matrix("B"), Cb=L.Matrix("BOOL", n, n), Ci=L.Matrix("INT64", n, n),
        one=L.Vector.from_scalar(2.0, n), J=few, p=L.Vector.from_dense(np.arange(4.0)),
        q_p=L.Vector.from_coo([0, 2], True, size=4), wp=L.Vector(float, 4),
        h=L.Vector.from_dense(np.arange(5.0)), wh=L.Vector(float, 5),
        P=L.Matrix.from_dense(np.arange(16.0).reshape(4, 4)),
        P5=L.Matrix.from_dense(np.arange(25.0).reshape(5, 5)),
        s=L.Scalar.from_value(3.5), s2=L.Scalar.from_value(2.0), x=L.Scalar(float),
        ids=given["u"][0], vals=given["u"][1], list_ids=given["u"][0].tolist(),
        list_vals=given["u"][1].tolist(), dense=given["f"],
        table=dict(zip(given["u"][0].tolist(), given["u"][1].tolist(), strict=True)),
        pairs=list(zip(given["u"][0].tolist(), given["u"][1].tolist(), strict=True)),
        rows=given["A"][0], cols=given["A"][1], mvals=given["A"][2],
        edges=[list(e) for e in zip(*(x.tolist() for x in given["A"]), strict=True)],
        dense2=given["f"][: 10 * (n // 10)].reshape(10, -1),
    )  # fmt: skip
    indptr, columns, values = matrix("A").to_csr()
    held.update(indptr=indptr, csr_cols=columns, csr_vals=values)
    return held


def loop(text: str, names: dict[str, Any]) -> Callable[[int], float]:
    """A function that runs the text so many times and returns the time of the processor."""
    source = f"def work(count):\n global w, wb, f2, C\n for _ in range(count):\n  {text}\n"
    exec(source, names)
    work = names.pop("work")

    def timed(count: int) -> float:
        begin = process_time()
        work(count)
        return process_time() - begin

    return timed


def measured(text: str, ours: dict[str, Any], theirs: dict[str, Any], rounds: int) -> Any:
    """Microseconds of both libraries, or the errors that they raise."""
    both, errors = [loop(text, ours), loop(text, theirs)], ["", ""]
    for k, timed in enumerate(both):
        try:
            timed(3)
        except Exception as error:  # the answer that is compared
            errors[k] = f"{type(error).__name__}: {error}".splitlines()[0][:90]
    if any(errors):
        return errors
    counts = [max(1, min(2000, int(ROUND_S / max(timed(2) / 2, 1e-7)))) for timed in both]
    least = [math.inf, math.inf]
    for _ in range(rounds):
        for k in (0, 1):
            least[k] = min(least[k], both[k](counts[k]) / counts[k])
    return [1e6 * x for x in least]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, nargs="*", default=SIZES)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--only", default="", help="statements that contain this text")
    parser.add_argument("--above", type=float, default=1.2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    gb.ss.config["nthreads"] = 1
    found: dict[str, Any] = {}
    with lg.backend("cpu"):
        for n in options.size:
            ours, theirs = scope(lg, n), scope(gb, n)
            times = {
                text: measured(text, ours, theirs, options.rounds)
                for text in TEXTS.strip().splitlines()
                if options.only in text
            }
            found[str(n)] = times
            report(n, times, options.above)
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def report(n: int, times: dict[str, Any], above: float) -> None:
    """Print the statements above a ratio, the worst first, and the mean of all ratios."""
    failed = {text: x for text, x in times.items() if not all(isinstance(y, float) for y in x)}
    ratios = {text: x[0] / x[1] for text, x in times.items() if text not in failed}
    print(f"\nn = {n}: ours and python-graphblas' in µs, and the ratio")
    for text in sorted(ratios, key=lambda text: -ratios[text]):
        if ratios[text] > above:
            print(f"{times[text][0]:10.1f} {times[text][1]:10.1f} {ratios[text]:6.2f}  {text}")
    mean = math.exp(sum(map(math.log, ratios.values())) / max(1, len(ratios)))
    high = [sum(x > limit for x in ratios.values()) for limit in (1.2, 2)]
    print(
        f"{len(ratios)} statements, geometric mean {mean:.2f}, "
        f"{high[0]} above 1.2, {high[1]} above 2"
    )
    for text, errors in failed.items():
        print("not run:", text, errors)


if __name__ == "__main__":
    sys.exit(main())
