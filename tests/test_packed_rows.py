"""Packed rows as users meet them: the same graph and answers, less memory, clear errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, TooLarge, UnsupportedOperation
from lagraph_gpu.gpu.storage import packed_rows
from lagraph_gpu.verify import Rules
from tests.harness import BOTH, CPU, GPU
from tests.strategies import examples, seeds


def drawn(seed: int, n: int, m: int, backend: Any, weights: bool = False) -> lg.Graph:
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, (2, m)) ** 2 // n
    values = rng.integers(1, 9, m) if weights else None
    keep = u != v
    values = values if values is None else values[keep]
    return lg.Graph.from_edges(u[keep], v[keep], values, n, False, "first", backend=backend)


@examples(10)
@given(seed=seeds, n=st.integers(1, 90), m=st.integers(0, 400))
def test_the_same_graph(seed: int, n: int, m: int) -> None:
    G = drawn(seed, n, m, GPU)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    P, source = G.prepared(layout="packed"), seed % n
    for X, Y in ((H, K), (G, P)):
        level, parent = lg.bfs(Y, source)
        assert level.isequal(lg.bfs(X, source)[0])
        Rules(X).bfs(source, level, parent)
    assert K.out_degree.isequal(H.out_degree)
    assert K.A._store.stays_packed
    assert K.digest == H.digest and (K.ids.to_dense() == H.ids.to_dense()).all()


def test_it_takes_less_memory() -> None:
    G = lg.kronecker(11, backend=GPU)
    plain, packed = G.relabel("degree"), G.relabel("degree", layout="packed")
    assert packed.nbytes < 0.5 * plain.nbytes
    held = packed.nbytes
    assert packed.A.to_coo()[0].size == G.A.nvals  # makes compressed rows, which are kept
    assert packed.nbytes > held + plain.nbytes // 2


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_bad_input(backend: Any) -> None:
    G = drawn(1, 20, 40, backend)
    D = lg.Graph.from_edges([0, 1], [1, 2], backend=backend)
    for how in (G.relabel, G.prepared):
        with pytest.raises(
            InvalidValue, match="expected the layout as None or 'packed', got 'csr'"
        ):
            how("degree", layout="csr")
        with pytest.raises(InvalidValue, match="falls, got the order 'bfs'"):
            how("bfs", layout="packed")
        with pytest.raises(InvalidValue, match="falls, got a permutation"):
            how(np.arange(20), layout="packed")
    with pytest.raises(InvalidValue, match="falls, got a directed graph"):
        D.relabel("degree", layout="packed")
    with pytest.raises(InvalidValue, match="expected the layout as 'degree' or 'packed', got 'x'"):
        lg.kronecker(4, layout="x", backend=backend)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="expected no weights beside a layout, got 'integer'"):
        lg.kronecker(4, weights="integer", layout="packed", backend=backend)


def test_weights() -> None:
    """Packed rows hold none; a prepared graph reads them elsewhere."""
    G = drawn(3, 50, 200, GPU, weights=True)
    with pytest.raises(UnsupportedOperation, match="expected a graph without weights for packed"):
        G.relabel("degree", layout="packed")
    P = G.prepared(layout="packed")
    assert lg.sssp(P, 4)[0].isequal(lg.sssp(G, 4)[0])
    level, parent = lg.bfs(P, 4)
    Rules(G).bfs(4, level, parent)
    assert P.A._store.layout.matrix.stays_packed


def test_without_room_for_compressed_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no kernel for packed rows says what it needs, and the graph stays usable."""
    K = drawn(2, 60, 300, GPU).relabel("degree", layout="packed")

    def full(*_: Any) -> None:
        raise TooLarge("expected 9 bytes of free GPU memory, but 1 are free")

    monkeypatch.setattr(packed_rows, "expect_plain_room", full)
    with pytest.raises(TooLarge, match="expected 9 bytes"):
        K.A.to_coo()
    assert lg.bfs(K, 0)[0].nvals > 1 and K.A._store.stays_packed
    monkeypatch.undo()
    assert K.A.to_coo()[0].size == K.A.nvals


def test_kronecker_by_degree() -> None:
    """The ids are those of the graph without a layout, on each backend."""
    G = lg.kronecker(7, backend=CPU)
    for backend in BOTH:
        for layout in ("degree", "packed"):
            K = lg.kronecker(7, layout=layout, backend=backend)  # type: ignore[arg-type]
            ids = K.ids.to_dense()
            rows, columns, _ = K.A.to_coo()
            wanted = G.A.to_coo()
            found = np.lexsort((ids[columns], ids[rows]))
            np.testing.assert_array_equal(ids[rows][found], wanted[0])
            np.testing.assert_array_equal(ids[columns][found], wanted[1])
