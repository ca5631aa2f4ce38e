"""The numbers that Graph500 asks for, under the names of its reference code's output.

Quartiles are means of two order statistics where their places lie between two numbers, as in the
reference code. Rates are statistics of the seconds an edge takes, turned over: so their mean is the
harmonic one, and its standard deviation is Norris' (The standard errors of the geometric and
harmonic means, Annals of Mathematical Statistics 11, 1940).

https://graph500.org/?page_id=12, section Computing and Outputting Performance Information.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

Numbers = dict[str, float]

ORDER = ("min", "firstquartile", "median", "thirdquartile", "max")
MARK = "harmonic_mean_TEPS"
"""The reference code marks the line that ranks a submission."""


def five(values: Sequence[float]) -> list[float]:
    """Minimum, quartiles and maximum.

    >>> five([4.0, 1.0, 2.0, 3.0])
    [1.0, 1.5, 2.5, 3.5, 4.0]
    """
    held, last = sorted(values), len(values) - 1
    places = [(0, 0), (last // 4, (last + 1) // 4), (last // 2, (last + 1) // 2)]
    places += [(last - a, last - b) for a, b in (places[1], places[0])]
    return [(held[a] + held[b]) / 2 for a, b in places]


def spread(values: Sequence[float]) -> float:
    """The standard deviation of a sample; 0 for a single value."""
    return statistics.stdev(values) if len(values) > 1 else 0.0


def described(values: Sequence[float], what: str) -> Numbers:
    """The seven statistics of a quantity.

    >>> described([1.0, 3.0], "time")["mean_time"]
    2.0
    """
    found = {f"{name}_{what}": value for name, value in zip(ORDER, five(values), strict=True)}
    return {**found, f"mean_{what}": statistics.fmean(values), f"stddev_{what}": spread(values)}


def rates(seconds: Sequence[float], edges: Sequence[int]) -> Numbers:
    """The seven statistics of traversed edges per second.

    >>> rates([1.0, 1.0], [1, 3])["harmonic_mean_TEPS"]
    1.5
    """
    each = [t / m for t, m in zip(seconds, edges, strict=True)]
    turned = [1 / x for x in reversed(five(each))]
    found = {f"{name}_TEPS": rate for name, rate in zip(ORDER, turned, strict=True)}
    mean = statistics.fmean(each)
    error = spread(each) / (mean * mean * math.sqrt(max(1, len(each) - 1)))
    return {**found, MARK: 1 / mean, "harmonic_stddev_TEPS": error}


def lines(numbers: dict[str, float | int | None]) -> str:
    """One number a line, as the reference code prints them; what is not known is left out.

    >>> print(lines({"SCALE": 20, "bfs  harmonic_mean_TEPS": 2.5e9, "bfs  energy_J": None}))
    SCALE:                          20
    bfs  harmonic_mean_TEPS:     !  2.5e+09
    """
    rows = []
    for name, value in numbers.items():
        if value is not None:
            mark = "!  " if name.endswith(MARK) else ""
            text = str(value) if isinstance(value, int) else f"{value:.6g}"
            rows.append(f"{name + ':':<{32 - len(mark)}}{mark}{text}")
    return "\n".join(rows)
