"""The quotient graph: its vertices are the communities, and its edges the sums of the edges between
them.

With P the indicator of the communities, it is Pᵀ ⊕.⊗ A ⊕.⊗ P. The definition has two products, and
a matrix between them that may be as large as A. Lowerings add up without it. O(entries of A).
"""

from __future__ import annotations

from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.operation import operation
from semirings import plus_first, plus_second


@operation
def quotient(A: Matrix, P: Matrix) -> Matrix:
    """Pᵀ ⊕.⊗ A ⊕.⊗ P for a matrix A (n × n) and a selector P (n × k). The result is k × k, of the
    type of A.
    """
    return plus_first(plus_second(P.T @ A).new() @ P).new()
