"""Names that programs for python-graphblas take from its private modules `graphblas.core`.

`core.matrix`, `core.vector`, `core.scalar`, `core.mask`, `core.operator` and `core.utils` hold the
few that libraries on top of it use, graphblas-algorithms among them: classes for `isinstance`,
`find_opclass`, `output_type` and `ensure_type`. New programs need none of them: `type(x)`,
`op.opclass` and the public names say the same. So each is loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lagraph_gpu.core import mask, matrix, operator, scalar, utils, vector

__all__ = ["mask", "matrix", "operator", "scalar", "utils", "vector"]


def __getattr__(name: str) -> object:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
