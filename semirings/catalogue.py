"""The semirings of GraphBLAS over its types: all that python-graphblas has.

A row of the table combines monoids and operators over one domain; complex types join it where ⊕ and
⊗ take them. The name of a semiring is `⊕_⊗`.
FACTS adds what is known of the few semirings that graph algorithms use. If a product distributes
over the sum, the value of a path does not depend on the order in which edges are relaxed. `ordered`
is what Dijkstra's algorithm needs: a longer path is never better.

Reference: SuiteSparse:GraphBLAS user guide 9.4, section 6.5; M. Gondran, M. Minoux, Graphs, Dioids
and Semirings (2008), chapter 1.
"""

from __future__ import annotations

from typing import Any

from .algebra import BinaryOp, Monoid, Semiring
from .monoids import MONOIDS
from .operators import BINARY
from .types import ALL, COMPLEX, EVERY, FC64, INTEGERS, NUMBERS

_ORDERS = "min max any"
_NUMERIC = "plus times min max any"
_ARITHMETIC = "plus minus rminus times cdiv rdiv min max iseq isne isgt islt isge isle"
_POSITIONS = "firsti firsti1 firstj firstj1 secondi secondi1 secondj secondj1"
_BITWISE = "bor band bxor bxnor"

# (monoids, operators, domain): every pair of a row is a semiring
ROWS: list[tuple[str, str, tuple[Any, ...]]] = [
    (_NUMERIC, _ARITHMETIC, NUMBERS),
    ("plus times", "first second pair land lor lxor", NUMBERS),
    (_ORDERS, "first second land lor lxor", ALL),
    ("min max", "pair", NUMBERS),
    ("any", "pair", ALL),
    (_NUMERIC, "truediv rtruediv floordiv rfloordiv", ALL),
    ("plus", "pow absfirst abssecond", NUMBERS),
    ("plus", "rpow", ALL),
    ("max", "absfirst abssecond", ALL),
    (_NUMERIC, _POSITIONS, ALL),
    ("lor land lxor eq any", "eq ne gt lt ge le", ALL),
    ("lor land lxor eq", "first second pair", EVERY),
    ("lor land lxor eq", "lor land lxor", ALL),
    ("lxnor", "lor", ALL),
    (_BITWISE, _BITWISE, INTEGERS),
]

# Facts by name. Every other semiring is not known to distribute.
FACTS: dict[str, dict[str, Any]] = {
    "min_plus": {"distributive": True, "ordered": "y >= 0"},
    "max_plus": {"distributive": True, "ordered": "y <= 0"},
    "min_times": {"distributive": True, "ordered": "y >= 1", "carrier": "x >= 0"},
    "max_times": {"distributive": True, "ordered": "y <= 1", "carrier": "x >= 0"},
    "min_max": {"distributive": True, "ordered": "always"},
    "max_min": {"distributive": True, "ordered": "always"},
    "lor_land": {"distributive": True, "ordered": "always"},
    "land_lor": {"distributive": True, "ordered": "always"},
    "bor_band": {"distributive": True, "ordered": "always"},
    "band_bor": {"distributive": True, "ordered": "always"},
    **{f"{m}_first": {"distributive": True, "ordered": "always"} for m in ("lor", "land")},
    **{f"{m}_first": {"distributive": True, "ordered": "always"} for m in _ORDERS.split()},
    **{f"{m}_second": {"distributive": True} for m in ("lor", "land", *_ORDERS.split())},
    **{f"{m}_pair": {"distributive": True} for m in ("lor", "land", "eq", *_ORDERS.split())},
    **{
        name: {"distributive": True}
        for name in (
            *("plus_times", "min_min", "max_max", "lor_lor", "land_land", "lxor_land", "eq_lor"),
            *("lxnor_lor", "bor_bor", "band_band", "bxor_band", "bxnor_bor"),
        )
    },
}


def _facts(name: str, positional: bool) -> dict[str, Any]:
    if positional:
        return {"distributive": None}
    if name.startswith("any_"):  # either product is a valid answer on both sides
        return {"distributive": True} | FACTS.get(name, {})
    return FACTS.get(name, {})


_WITHOUT_COMPLEX = {"iseq", "isne"}
"""GraphBLAS has them for complex numbers, but no semiring of them."""


def _takes_complex(monoid: Monoid, multiply: BinaryOp) -> bool:
    if FC64 not in multiply.domain or multiply.name in _WITHOUT_COMPLEX:
        return False
    return multiply.output(FC64) in monoid.domain


def _build() -> dict[str, Semiring]:
    table = {}
    for monoids, operators, domain in ROWS:
        for monoid in monoids.split():
            for operator in operators.split():
                name, add, multiply = f"{monoid}_{operator}", MONOIDS[monoid], BINARY[operator]
                joined = COMPLEX if domain != EVERY and _takes_complex(add, multiply) else ()
                path = f"semiring.{'ss.' if multiply.positional else ''}{name}"
                facts = _facts(name, multiply.positional)
                table[name] = Semiring(add, multiply, (*domain, *joined), graphblas=path, **facts)
    return table


SEMIRINGS: dict[str, Semiring] = _build()
