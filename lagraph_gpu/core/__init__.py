"""Names that programs for python-graphblas take from its private modules `graphblas.core`.

`core.matrix`, `core.vector`, `core.scalar`, `core.mask`, `core.operator` and `core.utils` hold the
few that libraries on top of it use, graphblas-algorithms among them: classes for `isinstance`,
`find_opclass`, `output_type` and `ensure_type`. New programs need none of them: `type(x)`,
`op.opclass` and the public names say the same.
"""

from lagraph_gpu.core import mask, matrix, operator, scalar, utils, vector

__all__ = ["mask", "matrix", "operator", "scalar", "utils", "vector"]
