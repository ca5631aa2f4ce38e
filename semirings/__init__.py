"""The algebra of lagraph-gpu: operators, monoids and semirings as data.

Every semiring of the catalogue can be imported by name, and users can define their own:

>>> from semirings import min_plus, binary, monoid, semiring
>>> min_plus.ordered
'y >= 0'
>>> longest = monoid(binary("max(x, y)"), "lowest")
>>> semiring(longest, "x + y")
Semiring('max(x, y)_x + y')
"""

from . import records, types
from .algebra import BinaryOp, IndexUnaryOp, Monoid, SelectOp, Semiring, UnaryOp
from .catalogue import SEMIRINGS
from .custom import binary, indexunary, monoid, semiring, unary
from .errors import DomainError, InvalidValue, LagraphError, WrongType, brief
from .expression import Expression, ExpressionError, parse
from .laws import LawError, check_laws
from .monoids import MONOIDS
from .operators import BINARY, INDEXUNARY, SELECT, UNARY
from .parameterized import Parameterized


def __getattr__(name: str) -> Semiring:
    """A semiring of the catalogue, as an attribute of the module."""
    if name in SEMIRINGS:
        return SEMIRINGS[name]
    raise AttributeError(
        f"expected a name of semirings.__all__, got {brief(name)}; a semiring is called "
        f"monoid_operator, with one of the monoids {', '.join(MONOIDS)}"
    )


__all__ = [
    "BINARY",
    "INDEXUNARY",
    "MONOIDS",
    "SELECT",
    "SEMIRINGS",
    "UNARY",
    "BinaryOp",
    "DomainError",
    "Expression",
    "ExpressionError",
    "IndexUnaryOp",
    "InvalidValue",
    "LagraphError",
    "LawError",
    "Monoid",
    "Parameterized",
    "SelectOp",
    "Semiring",
    "UnaryOp",
    "WrongType",
    "binary",
    "check_laws",
    "indexunary",
    "monoid",
    "parse",
    "records",
    "semiring",
    "types",
    "unary",
]
__all__ += list(SEMIRINGS)
