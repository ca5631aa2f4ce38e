"""The monoids of GraphBLAS over its types, one row each.

A row gives the operator, the identity and the terminal (numbers, or names of `algebra.VALUES`), and
two facts. Logical monoids fold every type as BOOL. GraphBLAS has bitwise monoids for unsigned types
only.

Reference: GraphBLAS C API 2.1, section 3.5.5; SuiteSparse:GraphBLAS user guide 9.4, section 6.4.
"""

from __future__ import annotations

from typing import Any

from .algebra import Monoid
from .operators import BINARY
from .types import BOOL, COMPLEX, EVERY, NUMBERS, UNSIGNED

MONOIDS: dict[str, Monoid] = {}


def _monoid(name: str, identity: Any, terminal: Any = None, op: str = "", **facts: Any) -> None:
    MONOIDS[name] = Monoid(
        name, BINARY[op or name], identity, terminal, graphblas=f"monoid.{name}", **facts
    )


_selects: dict[str, Any] = {"idempotent": True, "selective": True}
_logical: dict[str, Any] = {"operand_rule": "bool"}
_bitwise: dict[str, Any] = {"domain": UNSIGNED, "operand_rule": "unsigned"}

_monoid("plus", 0, domain=(*NUMBERS, *COMPLEX))
_monoid("times", 1, "exact zero", domain=EVERY)
_monoid("min", "highest", "lowest", **_selects)
_monoid("max", "lowest", "highest", **_selects)
_monoid("any", 0, is_any=True, domain=EVERY, **_selects)
_monoid("land", True, False, **_selects, **_logical)
_monoid("lor", False, True, **_selects, **_logical)
_monoid("lxor", False, **_logical)
_monoid("lxnor", True, **_logical)
_monoid("eq", True, op="lxnor", domain=(BOOL,), **_logical)
_monoid("band", "ones", "zero", idempotent=True, **_bitwise)
_monoid("bor", "zero", "ones", idempotent=True, **_bitwise)
_monoid("bxor", "zero", **_bitwise)
_monoid("bxnor", "ones", **_bitwise)
