"""For each vertex the best of the labels beside it: the choice in a round of moves.

With P the indicator of the labels, B ⊕.⊗ P counts the votes K(v, c) that v's neighbours of label c
have together. Each vertex takes the label of the best score, the smallest of several:

    score(v, c) = K(v, c) a(v) − p(c) − b(v) q(c)

The statements below are the definition. They run on every backend; what a backend does without the
matrix of scores, which may be as large as B, must agree with them. O(entries of B).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms.rows import equal, first_column
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_minus, any_second, any_times, plus_first
from semirings.types import INT64

first, minus, plus = (BINARY[name] for name in ("first", "minus", "plus"))


@dataclass(frozen=True)
class Terms:
    """The full vectors of a score, of B's type: a, p, and b with q, which may be missing."""

    scale: Vector
    price: Vector
    share: Vector | None = None
    more: Vector | None = None


@dataclass(frozen=True)
class Choice:
    """What each vertex would choose; no entry for one without neighbours."""

    top: Vector
    """The best score."""
    own: Vector
    """The votes for its own label, 0 if there are none."""
    label: Vector | None
    score: Matrix | None

    def labels(self, rows: Vector | None = None) -> Vector:
        """The label (INT64) of the best score; only where ``rows`` has entries, if given."""
        if self.label is None:
            assert self.score is not None
            top = self.top if rows is None else self.top.ewise_mult(rows, first).new()
            return first_column(equal(top, self.score))
        if rows is None:
            return self.label
        some = Vector(INT64, self.label.size, backend=self.label.backend)
        some(rows.S) << self.label
        return some


def choice(B: Matrix, P: Matrix, terms: Terms | None = None, rows: Vector | None = None) -> Choice:
    """The choice of each vertex over the rows of B (n × n), with P (n × n) the labels' indicator.

    Without ``terms`` the score is K itself. Only where ``rows`` has entries, if it is given.
    """
    given = (None,) * 4 if terms is None else (terms.scale, terms.price, terms.share, terms.more)
    stores = tuple(None if vector is None else vector._store for vector in given)
    fused = B.backend.choice(B._store, P._store, None if rows is None else rows._store, stores)
    if fused is not None:
        top, label, own = (
            Vector._stored(store, B.nrows, dtype, B.backend)
            for dtype, store in zip((B.dtype, INT64, B.dtype), fused, strict=True)
        )
        return Choice(top, own, label, None)
    K = plus_first((B if rows is None else any_second(rows.diag() @ B).new()) @ P).new()
    inside = K.ewise_mult(P, first).new().reduce_rowwise("plus").new()
    score = K
    if terms is not None:
        score = any_minus(any_times(terms.scale.diag() @ K).new() @ terms.price.diag()).new()
        if terms.share is not None and terms.more is not None:
            share = any_first(terms.share.diag() @ K).new()
            score(minus) << any_times(share @ terms.more.diag())
    top = score.reduce_rowwise("max").new()
    own = Vector(B.dtype, B.nrows, backend=B.backend)
    own(top.S) << 0
    own(plus) << inside
    return Choice(top, own, None, score)
