"""Generated graphs: pinned for ever by digests, and of the shape that was asked for."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lagraph_gpu.errors import DimensionMismatch, InvalidValue, TooLarge
from lagraph_gpu.generate import (
    Draw,
    counters,
    grid,
    grid_from_mask,
    kronecker,
    random_graph,
    sizes,
)
from lagraph_gpu.generate.kronecker_draw import (
    GRAPH500,
    UNIFORM,
    _quarters,
    draw_edges,
    draw_pairs,
)
from lagraph_gpu.io import EdgeList


def digest(edges: EdgeList) -> str:
    """A fingerprint of ids and weights that is the same on every platform."""
    fingerprint = hashlib.sha256(np.array([edges.nrows, edges.directed], "<i8").tobytes())
    for ids in (edges.src, edges.dst):
        fingerprint.update(ids.astype("<i8").tobytes())
    if edges.weight is not None:
        fingerprint.update(edges.weight.astype("<f4").tobytes())
    return fingerprint.hexdigest()[:16]


def pairs(edges: EdgeList) -> list[tuple[int, int]]:
    return list(zip(edges.src.tolist(), edges.dst.tolist(), strict=True))


PINNED: dict[str, tuple[Callable[[], EdgeList], str]] = {
    "kronecker": (lambda: kronecker(10), "9a74245423683ab4"),
    "kronecker seed": (lambda: kronecker(10, seed=2**40), "2336f3b4a63f3e4c"),
    "kronecker integer": (lambda: kronecker(7, 8, 3, "integer"), "4d8ef2db4066d3e7"),
    "kronecker uniform": (lambda: kronecker(7, 8, 3, "uniform"), "79e3f77ac84c9cdf"),
    "kronecker chunks": (lambda: kronecker(13, 8), "0d0b6d1093aca507"),
    "kronecker large": (lambda: kronecker(40, 2**-30, 2, "integer"), "24cd831784622412"),
    "kronecker 31": (lambda: kronecker(31, 2**-20, 3, "uniform"), "cf473dc344ef8db4"),
    "grid": (lambda: grid(30, 40, 0.25), "21d26e1a0a8487dc"),
    "grid integer": (lambda: grid(9, 7, 0.1, 5, "integer"), "c932e17464f20583"),
    "random": (lambda: random_graph(1000, 5000), "34beec7a1e4d0924"),
    "random directed": (lambda: random_graph(999, 5000, 7, True, "uniform"), "4c790719fca24d06"),
    "random large": (
        lambda: random_graph(2**33 + 1, 5000, 4, weights="integer"),
        "092f400463683950",
    ),
    "random dense": (lambda: random_graph(50, 1200, 2), "4b628c266e1a7e65"),
}


@pytest.mark.parametrize("name", PINNED)
def test_the_graph_of_a_seed_never_changes(name: str) -> None:
    make, expected = PINNED[name]
    assert digest(make()) == expected


@pytest.mark.parametrize("name", PINNED)
def test_chunks_do_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, expected = PINNED[name]
    monkeypatch.setattr(sizes, "CHUNK", 1000)
    assert digest(make()) == expected


def check_clean(edges: EdgeList) -> None:
    """Ids in range, no loops, no duplicates, sorted, undirected edges upwards."""
    assert pairs(edges) == sorted(set(pairs(edges)))
    assert (edges.src != edges.dst).all()
    if not edges.directed:
        assert (edges.src < edges.dst).all()


def test_splitmix64_gives_the_published_numbers() -> None:
    # the first outputs of the reference implementation for seed 1234567
    counter = np.arange(1, 4, dtype=np.uint64)
    assert counters.hashes(1234567, counter).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@settings(max_examples=30, deadline=None)
@given(scale=st.integers(0, 8), edgefactor=st.integers(0, 6), seed=st.integers(0, 2**70))
def test_kronecker_is_clean(scale: int, edgefactor: int, seed: int) -> None:
    edges = kronecker(scale, edgefactor, seed, "integer")
    check_clean(edges)
    assert edges.nrows == edges.ncols == 2**scale and not edges.directed
    assert edges.nedges <= edgefactor * 2**scale


def test_kronecker_has_the_skew_of_graph500() -> None:
    scale = 14
    edges = kronecker(scale)
    assert 0.8 < edges.nedges / (16 << scale) < 0.95
    src, dst, _ = edges.arcs()
    degree = np.bincount(src, minlength=edges.nrows)
    assert (np.bincount(dst, minlength=edges.nrows) == degree).all()
    assert degree.max() > 40 * degree.mean()
    assert 0.2 < (degree == 0).mean() < 0.5
    # renumbered: the best connected vertices are spread over all ids
    best = np.argsort(degree)[-200:]
    assert 0.4 < best.mean() / edges.nrows < 0.6


@pytest.mark.parametrize("percent", [GRAPH500, UNIFORM, (0, 60, 10)])
def test_a_quarter_gets_its_share_of_edges(percent: tuple[int, int, int]) -> None:
    counter = np.arange(200_000, dtype=np.uint64)
    u, v = _quarters(counter, Draw(2, percent=percent))
    first, wanted = percent[0] / 100, np.array([*percent, 100 - sum(percent)]) / 100
    for bit in (0, 1):
        quarter = (u >> bit & 1) * 2 + (v >> bit & 1)
        share = np.bincount(quarter, minlength=4) / counter.size
        assert np.allclose(share, wanted, atol=0.005)
    both = np.bincount((u * 4 + v).astype(np.int64), minlength=16) / counter.size
    assert both[0] == pytest.approx(first**2, abs=0.005)  # levels are independent


def test_other_seeds_give_other_graphs() -> None:
    assert len({digest(kronecker(8, seed=seed)) for seed in range(20)}) == 20
    assert len({digest(random_graph(99, 200, seed=seed)) for seed in range(20)}) == 20
    assert len({digest(grid(9, 9, 0.5, seed=seed)) for seed in range(20)}) == 20


def test_weights_belong_to_edges() -> None:
    for weights, low, high in (("integer", 1, 255), ("uniform", 2.0**-24, 1)):
        edges = kronecker(12, weights=weights)
        assert edges.weight is not None and edges.weight.dtype == np.float32
        assert low <= edges.weight.min() and edges.weight.max() <= high
        middle = (low + high) / 2
        assert edges.weight.mean() == pytest.approx(middle, rel=0.02)
    whole = kronecker(12, weights="integer").weight
    assert whole is not None and set(np.unique(whole)) == set(range(1, 256))
    full, thin = grid(20, 20, weights="integer"), grid(20, 20, 0.3, weights="integer")
    weight = dict(zip(pairs(full), full.weight, strict=True))
    assert all(weight[pair] == w for pair, w in zip(pairs(thin), thin.weight, strict=True))


@pytest.mark.parametrize(("rows", "cols"), list(product([0, 1, 2, 3, 7], repeat=2)))
def test_grid_is_the_lattice(rows: int, cols: int) -> None:
    edges = grid(rows, cols)
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    right = {(r * cols + c, r * cols + c + 1) for r, c in cells if c + 1 < cols}
    down = {(r * cols + c, r * cols + c + cols) for r, c in cells if r + 1 < rows}
    check_clean(edges)
    assert set(pairs(edges)) == right | down
    assert edges.nrows == edges.ncols == rows * cols
    assert grid(rows, cols, removed=1.0).nedges == 0
    assert pairs(grid_from_mask(np.ones((rows, cols), bool))) == pairs(edges)


def test_grid_loses_the_fraction_of_edges_that_was_asked_for() -> None:
    whole = grid(200, 200)
    assert whole.nedges == 2 * 200 * 199
    for removed in (0.01, 0.3, 0.9):
        edges = grid(200, 200, removed)
        assert edges.nedges / whole.nedges == pytest.approx(1 - removed, abs=0.01)
        assert set(pairs(edges)) < set(pairs(whole))


@settings(max_examples=50, deadline=None)
@given(
    cells=st.integers(1, 6).flatmap(
        lambda cols: st.lists(st.lists(st.booleans(), min_size=cols, max_size=cols), max_size=6)
    )
)
def test_mask_keeps_edges_between_open_cells(cells: list[list[bool]]) -> None:
    mask = np.array(cells, bool).reshape(len(cells), -1 if cells else 0)
    flat = mask.ravel()
    edges = grid_from_mask(mask, weights="uniform")
    check_clean(edges)
    assert pairs(edges) == [(u, v) for u, v in pairs(grid(*mask.shape)) if flat[u] and flat[v]]


MASKS = hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6))


@settings(max_examples=50, deadline=None)
@given(mask=MASKS)
def test_eight_neighbors_cut_no_corner(mask: np.ndarray) -> None:
    cols = mask.shape[1]
    expected = {}
    for (r, c), (x, y) in product(zip(*np.nonzero(mask)), repeat=2):
        if (r, c) < (x, y) and max(abs(x - r), abs(y - c)) == 1 and mask[r, y] and mask[x, c]:
            expected[r * cols + c, x * cols + y] = np.hypot(x - r, y - c)
    edges = grid_from_mask(mask, weights="length", neighbors=8)
    check_clean(edges)
    assert dict(zip(pairs(edges), edges.weight, strict=True)) == pytest.approx(expected)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 8, 17, 64])
def test_random_graph_has_just_so_many_edges_up_to_all(n: int, directed: bool) -> None:
    possible = n * (n - 1) // (1 if directed else 2)
    for nedges in {0, possible // 3, possible}:
        edges = random_graph(n, nedges, 1, directed)
        check_clean(edges)
        assert (edges.nedges, edges.nrows, edges.directed) == (nedges, n, directed)
    with pytest.raises(InvalidValue, match=f"expected at most {possible:,} "):
        random_graph(n, possible + 1, 1, directed)


def test_random_graph_is_uniform() -> None:
    edges = random_graph(1 << 20, 1 << 17, directed=True)
    for ids in (edges.src, edges.dst):
        share = np.bincount(ids >> 16, minlength=16) / edges.nedges
        assert np.allclose(share, 1 / 16, atol=0.005)
    hits = np.zeros((6, 6))
    for seed in range(600):
        small = random_graph(6, 5, seed)
        hits[small.src, small.dst] += 1
    chosen = hits[np.triu_indices(6, 1)]
    assert np.allclose(chosen, 200, atol=60) and hits.sum() == 3000


def test_largest_random_graph_has_no_overflow() -> None:
    for directed in (False, True):
        edges = random_graph(2**31 - 1, 1000, 1, directed)
        check_clean(edges)
        assert edges.src.max() > 2**30 and edges.dst.max() > 2**30


@pytest.mark.parametrize("scale", [31, 32, 33, 47, 60])
def test_large_kronecker_graphs(scale: int) -> None:
    """A number of a vertex is named by a permutation, and the rest is as for smaller graphs."""
    count = 3000
    draw = Draw(scale, count / 2**scale, 5)
    u, v = draw_pairs(draw, range(count))
    number = _quarters(np.arange(count, dtype=np.uint64), draw)
    for ends, numbers in zip((u, v), number, strict=True):
        assert ends.min() >= 0 and 0.9 * draw.n < ends.max() < draw.n
        assert np.unique(ends).size == np.unique(numbers).size
        bits = (
            numbers >> np.arange(scale)[:, None]
        ) & 1  # a level has the percentages of a quarter
        assert np.allclose(bits.mean(1), 0.24, atol=0.04)
    drawn = {(min(pair), max(pair)) for pair in zip(u.tolist(), v.tolist(), strict=True)}
    edges = kronecker(scale, draw.edgefactor, 5, "integer")
    check_clean(edges)
    assert pairs(edges) == sorted((low, high) for low, high in drawn if low < high)
    assert np.isin(np.arange(1, 256, 16), edges.weight).all()
    part = draw_pairs(draw, range(1000, 1010))
    assert (part[0] == u[1000:1010]).all() and (part[1] == v[1000:1010]).all()


def test_a_fraction_of_an_edge_is_drawn_for_each_vertex() -> None:
    whole = draw_edges(Draw(10, 1))
    assert [Draw(10, f).count for f in (0.0, 0.5, 2**-10, 2**-11, np.float32(0.25))] == [
        0, 512, 1, 0, 256
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # 2^52 is no FP16
        assert Draw(10, np.float16(0.25)).count == 256
    assert (draw_edges(Draw(10, 0.5)) == whole[:512]).all()
    assert Draw(60, 3.0 * 2**-58).count == 12
    same, other = kronecker(6, 2.0), kronecker(6, 2)
    assert (same.src == other.src).all() and (same.dst == other.dst).all()


@pytest.mark.parametrize("scale", [10, 31])
def test_progress_ends_with_all_edges(scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "CHUNK", 30)
    told: list[tuple[int, int]] = []
    kronecker(scale, 1920 / 2**scale - 2**-scale, progress=lambda *now: told.append(now))
    assert told == [(1919, 1919), (1919, 1919)]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [2**31, 2**33 + 5, 2**60])
def test_large_random_graphs(n: int, directed: bool) -> None:
    edges = random_graph(n, 2000, 3, directed, "integer")
    check_clean(edges)
    assert edges.nedges == 2000 and edges.src.max() > 0.9 * n and edges.dst.max() > 0.9 * n
    assert np.isin(np.arange(1, 256, 16), edges.weight).all()
    parts = [random_graph(n, 2000, 3, directed, "integer", part=(k, 3)) for k in range(3)]
    found = [(pair, x) for part in parts for pair, x in zip(pairs(part), part.weight, strict=True)]
    assert sorted(found) == list(zip(pairs(edges), edges.weight, strict=True))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [2, 3, 8, 9, 17])
def test_all_pairs_are_permuted(n: int, directed: bool) -> None:
    u, v = np.divmod(np.arange(n * n), n)
    edge = u != v if directed else u < v
    u, v = u[edge], v[edge]
    found = np.transpose(counters.permuted_pairs(u, v, n, directed, 7)).tolist()
    assert sorted(found) == np.transpose((u, v)).tolist()
    assert u.size < 3 or found != sorted(found)


def test_large_grids() -> None:
    """Of the cells of a large grid only a part is gone over."""
    rows, cols, count = 2**17, 2**16, 2**20
    part = grid(rows, cols, 0.5, 3, "integer", part=(5, count))
    numbers = 2 * rows * cols // count
    cell = np.arange(5 * numbers // 2, 6 * numbers // 2)
    assert part.nrows == 2**33 and np.isin(part.src, cell).all()
    right = part.dst - part.src == 1
    assert (part.dst[~right] - part.src[~right] == cols).all()
    assert (part.src[right] % cols < cols - 1).all()
    assert 0.4 * numbers < part.nedges < 0.6 * numbers and np.unique(part.weight).size > 200


def test_progress_is_told_and_ends_at_the_end() -> None:
    calls: list[tuple[int, int]] = []
    kronecker(14, 300, progress=lambda done, total: calls.append((done, total)))
    assert len(calls) > 2 and calls == sorted(calls)
    assert calls[-1] == (300 << 14, 300 << 14)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: kronecker(-1), InvalidValue, "expected scale of at least 0, got -1"),
        (lambda: kronecker(2.5), InvalidValue, "expected scale as an integer, got 2.5"),  # type: ignore[arg-type]
        (lambda: kronecker(61), TooLarge, "a scale of at most 60, got 61"),
        (lambda: kronecker(31), TooLarge, "a Kronecker graph of 34,359,738,368 edges"),
        (lambda: kronecker(3, "many"), InvalidValue, "edgefactor as a number, got 'many'"),  # type: ignore[arg-type]
        (lambda: kronecker(3, float("nan")), InvalidValue, "edgefactor of at least 0, got nan"),
        (lambda: kronecker(3, float("inf")), InvalidValue, "edgefactor of at least 0, got inf"),
        (lambda: kronecker(3, -0.5), InvalidValue, "edgefactor of at least 0, got -0.5"),
        (lambda: kronecker(3, 1e308), TooLarge, r"2\^62 edges .* got 1e\+308 for each of 8 ve"),
        (lambda: kronecker(3, Fraction(10**400)), TooLarge, r"2\^62 edges .* got Fraction"),
        (lambda: kronecker(3, 2**59), TooLarge, r"2\^62 edges to draw, got 576"),
        (
            lambda: Draw(3, percent=(50, 25, 25)),
            InvalidValue,
            "expected three percent of a sum below",
        ),
        (lambda: Draw(3, percent=(50, 25)), InvalidValue, "expected three percent"),  # type: ignore[arg-type]
        (lambda: kronecker(3, -2), InvalidValue, "edgefactor of at least 0"),
        (lambda: kronecker(3, weights="real"), InvalidValue, "'uniform' or 'integer', got 'real'"),  # type: ignore[arg-type]
        (lambda: kronecker(3, seed=-1), InvalidValue, "seed of at least 0"),
        (lambda: grid(-1, 3), InvalidValue, "rows of at least 0"),
        (lambda: grid(2, 2, 1.5), InvalidValue, "fraction of edges to take out, 0 to 1, got 1.5"),
        (lambda: grid(2, 2, float("nan")), InvalidValue, "got nan"),
        (lambda: grid(2**31, 2**30), TooLarge, "at most 2\\*\\*60"),
        (lambda: grid(2**16, 2**15), TooLarge, "a grid of 4,294,868,992 edges"),
        (
            lambda: grid_from_mask([True]),
            DimensionMismatch,
            "expected a 2-D array of cells, got 1",
        ),
        (lambda: grid_from_mask([[True]], "far"), InvalidValue, "or 'length', got 'far'"),  # type: ignore[arg-type]
        (lambda: grid_from_mask([[True]], neighbors=6), InvalidValue, "4 or 8, got 6"),  # type: ignore[arg-type]
        (lambda: random_graph(2**60 + 1, 1), TooLarge, "at most 2\\*\\*60"),
        (lambda: random_graph(3, -1), InvalidValue, "nedges of at least 0"),
    ],
)
def test_bad_arguments(make: Callable[[], EdgeList], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
