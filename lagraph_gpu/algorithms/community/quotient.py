"""The quotient of a graph: its vertices are communities, its edges the sums of those between them.

With P the indicator of the communities, it is Pᵀ ⊕.⊗ A ⊕.⊗ P. These two products are the
definition; between them stands a matrix that may be as large as A, and a backend that adds up
without it must agree. O(entries of A).
"""

from __future__ import annotations

from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from semirings import plus_first, plus_second


@operation
def quotient(A: Matrix, P: Matrix) -> Matrix:
    """Pᵀ ⊕.⊗ A ⊕.⊗ P for a matrix A (n × n) and a selector P (n × k): k × k, of A's type."""
    return plus_first(plus_second(P.T @ A).new() @ P).new()
