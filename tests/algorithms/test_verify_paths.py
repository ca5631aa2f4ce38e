"""The verifiers of distances and paths accept what is right and refuse what is mangled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import DistanceOverflow, NegativeCycle, VerificationError
from lagraph_gpu.verify import host
from semirings import min_plus
from tests import graphs
from tests.harness import BOTH, CPU, GPU, reseed
from tests.strategies import examples, random_graphs, seeds, some_graphs

INF = float("inf")
BATTERY = [e for e in (graphs.EMPTY, *graphs.BATTERY) if e.n <= 150]
TYPES = st.sampled_from(["INT64", "UINT8", "FP32", "FP64", "BOOL"])


def refused(match: str, check: Callable[..., None], *args: Any, **named: Any) -> None:
    with pytest.raises(VerificationError, match=match):
        check(*args, **named)


def entries(A: lg.Matrix) -> dict[tuple[int, int], Any]:
    rows, columns, values = A.to_coo()
    return dict(zip(zip(rows.tolist(), columns.tolist()), values.tolist()))


def matrix(held: dict[tuple[int, int], Any], n: int, dtype: Any) -> lg.Matrix:
    rows, columns = zip(*held) if held else ((), ())
    return lg.Matrix.from_coo(
        rows, columns, np.array([*held.values()]), dtype, nrows=n, ncols=n, backend=CPU
    )


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", BATTERY, ids=str)
def test_right_tables_pass(example: graphs.Example) -> None:
    reseed(1)
    some = [0, example.n - 1, example.n // 2, 0] if example.n else []
    for backend in BOTH:
        G = example.graph(backend)
        for weight in ("weight", None):
            for cutoff in (None, 3):
                given = {"cutoff": cutoff, "weight": weight}
                table = lg.distance_matrix(G, some, **given)
                verify.verify_distance_matrix(G, table, some, **given)
                few = lg.distance_matrix(G, some, some[1:], **given)
                verify.verify_distance_matrix(G, few, some, some[1:], **given)
                pairs = lg.paired_distances(G, some, some[::-1], **given)
                verify.verify_paired_distances(G, some, some[::-1], pairs, **given)


@examples(60)
@given(data=st.data(), dtype=TYPES, cutoff=st.none() | st.sampled_from([0, 1, 4.5, 12]))
def test_no_other_distance_passes(data: Any, dtype: str, cutoff: Any) -> None:
    example = data.draw(random_graphs(dtype))
    G, weight = example.graph(CPU), data.draw(st.sampled_from(["weight", None]))
    vertex = st.integers(0, G.n - 1)
    sources, targets = (data.draw(st.lists(vertex, min_size=1, max_size=5)) for _ in range(2))
    given = {"cutoff": cutoff, "weight": weight}
    table = lg.distance_matrix(G, sources, targets, **given)
    verify.verify_distance_matrix(G, table, sources, targets, **given)
    at = data.draw(st.integers(0, table.size - 1))
    other = data.draw(st.integers(0, 40) | st.sampled_from([INF, -INF, -1, float("nan")]))
    assume(other != table.flat[at])
    table.flat[at] = other
    match = "distance matrix, distance: expected"
    refused(match, verify.verify_distance_matrix, G, table, sources, targets, **given)
    pairs = np.repeat(sources, len(targets)), np.tile(targets, len(sources))
    match = "paired distances, distance: expected"
    refused(match, verify.verify_paired_distances, G, *pairs, table.ravel(), **given)


def test_blocks_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are looked at a few at a time; each of them is."""
    G = graphs.NAMED["random 33"].graph(CPU)
    table = lg.distance_matrix(G)
    at = [divmod(k, 33) for k in range(0, 33 * 33, 100)]
    for chunk in (1, 100, 1 << 20):
        monkeypatch.setattr(host, "CHUNK", chunk)
        verify.verify_distance_matrix(G, table)
        for i, j in at:
            wrong = table.copy()
            wrong[i, j] = 99
            refused(f"from {i} to {j}, got", verify.verify_distance_matrix, G, wrong)


def test_sizes_and_types_of_tables() -> None:
    G = graphs.NAMED["grid"].graph(CPU)
    table, check = lg.distance_matrix(G, [1, 2], [3, 4, 5]), verify.verify_distance_matrix
    check(G, table, [1, 2], [3, 4, 5])
    refused(r"size: expected an array of \(2, 144\)", check, G, table, [1, 2])
    refused("size", check, G, table.T, [1, 2], [3, 4, 5])
    refused("type: expected floating-point", check, G, table.astype(int), [1, 2], [3, 4, 5])
    refused("distance", check, G, table, [2, 1], [3, 4, 5])
    far = lg.distance_matrix(G, [0], [143])
    refused("distance: expected 22.0", check, G, far, [0], [143], weight=None)
    refused("distance: expected inf", check, G, table, [1, 2], [3, 4, 5], cutoff=2)
    pairs = lg.paired_distances(G, [1, 2], [3, 4])
    check = verify.verify_paired_distances
    refused("size: expected pairs, got 2 sources, 1 targets", check, G, [1, 2], [3], pairs)
    refused(r"size: expected an array of \(1,\)", check, G, [1], [3], pairs)


def test_rounded_tables() -> None:
    """Sums in FP32 are right to the digits that FP32 has, and not to fewer."""
    rng = np.random.default_rng(5)
    i, j = np.divmod(np.unique(rng.integers(0, 3600, 400)), 60)
    weight = rng.random(i.size).astype(np.float32)
    G = lg.Graph.from_edges(i, j, weight, n=60, backend=CPU)
    table, D = lg.distance_matrix(G), lg.floyd_warshall(G)
    verify.verify_distance_matrix(G, table)
    verify.verify_floyd_warshall(G, D)
    u, v = (int(x) for x in np.argwhere(np.isfinite(table) & (table > 0))[7])
    for factor in (1 + 1e-4, 1 - 1e-4):
        wrong, other = table.copy(), D.dup()
        wrong[u, v] *= factor
        other[u, v] = D.get(u, v) * factor
        refused(f"from {u} to {v}", verify.verify_distance_matrix, G, wrong)
        refused("improvement|tight", verify.verify_floyd_warshall, G, other)


# --- all pairs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("example", [e for e in BATTERY if e.name != "INT8 by detour"], ids=str)
def test_right_distances_of_all_pairs_pass(example: graphs.Example) -> None:
    G = example.graph(CPU)
    verify.verify_floyd_warshall(G, lg.floyd_warshall(G))


def test_distances_of_another_backend_pass() -> None:
    reseed(1)
    G = graphs.NAMED["zero-weight cycle"].graph(GPU)
    D = lg.floyd_warshall(G)
    verify.verify_floyd_warshall(G, D)
    verify.verify_min_plus(D, D, min_plus(D @ D).new())


@examples(80)
@given(data=st.data(), dtype=st.sampled_from(["INT64", "FP64", "FP32"]))
def test_no_other_distances_of_all_pairs_pass(data: Any, dtype: str) -> None:
    """With negative weights, and where these make a negative cycle none at all."""
    low = data.draw(st.sampled_from([0, 0, -3]))
    example = data.draw(random_graphs(dtype, st.integers(low, 9)))
    G = example.graph(CPU)
    try:
        D = lg.floyd_warshall(G)
    except NegativeCycle:
        D = lg.Matrix.from_dense(np.zeros((G.n, G.n)), dtype=dtype, backend=CPU)
        refused("floyd_warshall, improvement", verify.verify_floyd_warshall, G, D)
        verify.verify_negative_cycle(G)
        return
    verify.verify_floyd_warshall(G, D)
    refused("negative cycle, cycle: expected a cycle", verify.verify_negative_cycle, G)
    right = entries(D)
    at = data.draw(st.tuples(*[st.integers(0, G.n - 1)] * 2) | st.sampled_from([*right]))
    value = data.draw(st.none() | st.integers(-20, 40))
    wrong = {p: x for p, x in right.items() if p != at} | ({} if value is None else {at: value})
    assume(wrong != right)
    refused("floyd_warshall, ", verify.verify_floyd_warshall, G, matrix(wrong, G.n, dtype))


def test_what_distances_of_all_pairs_must_be() -> None:
    G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 0], [1, 0, 0, 1], n=5, backend=CPU)
    D, check = lg.floyd_warshall(G), verify.verify_floyd_warshall
    check(G, D)

    def changed(*at: int, value: Any) -> lg.Matrix:
        return matrix(entries(D) | {at: value}, 5, "INT64")

    def without(*at: int) -> lg.Matrix:
        return matrix({p: x for p, x in entries(D).items() if p != at}, 5, "INT64")

    refused(r"size: expected a matrix of \(5, 5\)", check, G, matrix({}, 6, "INT64"))
    refused("type: expected the type INT64, got FP64", check, G, D.dup("FP64"))
    refused("diagonal: expected 0 from vertex 4", check, G, without(4, 4))
    refused("diagonal: expected 0 from vertex 2", check, G, changed(2, 2, value=-1))
    refused("improvement: .* from 3, but 0 → 1 .* offers 2; got 3", check, G,
            changed(3, 1, value=3))  # fmt: skip
    refused("improvement: .* got no entry", check, G, without(3, 2))
    refused("improvement: .* from 4, but 0 → 1 .* got no entry", check, G, changed(4, 0, value=7))
    refused("tight: .* from 3 to 0", check, G,
            matrix(entries(D) | {(3, v): v > 0 for v in (0, 1, 2)}, 5, "INT64"))  # fmt: skip
    both = entries(D) | {(0, 1): 0, (0, 2): 0}  # too short, and each holds the other up
    refused("tight: .* from 0 to 1", check, G, matrix(both, 5, "INT64"))
    both = entries(D) | {(4, 1): 3, (4, 2): 3}  # out of reach
    refused("tight: .* from 4 to 1", check, G, matrix(both, 5, "INT64"))
    F = lg.Graph.from_edges([0], [1], [1.5], backend=CPU)
    for wrong in (INF, float("nan")):
        refused("number: expected a finite number from 0 to 1", check, F,
                matrix({(0, 0): 0, (1, 1): 0, (0, 1): wrong}, 2, "FP64"))  # fmt: skip


def test_a_sample_of_rows() -> None:
    """What is wrong in one row is seen if the row is drawn; a diagonal always."""
    G = graphs.NAMED["grid"].graph(CPU)
    D = lg.floyd_warshall(G)
    drawn = np.random.default_rng(3).choice(144, 5, replace=False)
    D[int(drawn[2]), 1] = D.get(int(drawn[2]), 1) + 1
    refused("improvement|tight", verify.verify_floyd_warshall, G, D, samples=5, seed=3)
    left = int(np.setdiff1d(np.arange(144), drawn)[0])
    D = lg.floyd_warshall(G)
    D[left, left] = 1
    refused("diagonal", verify.verify_floyd_warshall, G, D, samples=5, seed=3)


@examples(60)
@given(data=st.data())
def test_negative_cycles_that_a_source_leads_to(data: Any) -> None:
    G = data.draw(random_graphs("INT64", st.integers(-2, 9))).graph(CPU)
    source = data.draw(st.integers(0, G.n - 1))
    try:
        lg.bellman_ford(G, source)
    except NegativeCycle:
        verify.verify_negative_cycle(G, source)
    else:
        refused("negative cycle, cycle", verify.verify_negative_cycle, G, source)


def test_cycles_of_length_0_are_not_negative() -> None:
    ring = list(range(9)), [*range(1, 9), 0]
    for last, negative in ((-8, False), (-9, True)):
        G = lg.Graph.from_edges(*ring, [*[1] * 8, last], n=10, backend=CPU)
        if negative:
            verify.verify_negative_cycle(G)
            verify.verify_negative_cycle(G, 3)
            refused("cycle", verify.verify_negative_cycle, G, 9)
        else:
            refused("cycle", verify.verify_negative_cycle, G)
    refused("cycle", verify.verify_negative_cycle, graphs.EMPTY.graph(CPU))


@examples(60)
@given(data=st.data(), dtype=st.sampled_from(["INT64", "UINT8", "FP32", "FP64"]))
def test_no_other_product_passes(data: Any, dtype: str) -> None:
    A, B = (data.draw(random_graphs(dtype)).graph(CPU).A for _ in range(2))
    n = min(A.nrows, B.nrows)
    A, B = A[:, :n].new(), B[:n, :].new()
    C = min_plus(A @ B).new()
    check = verify.verify_min_plus
    check(A, B, C)
    right = entries(C)
    at = data.draw(st.tuples(st.integers(0, C.nrows - 1), st.integers(0, C.ncols - 1)))
    value = data.draw(st.none() | st.integers(0, 20))
    wrong = C.dup()
    if value is None:
        del wrong[at]
    else:
        wrong[at] = value
    assume(entries(wrong) != right)
    missing = value is None or at not in right
    refused(f"min-plus product, {'entries' if missing else 'value'}: .*\\({at[0]}, {at[1]}\\)",
            check, A, B, wrong)  # fmt: skip


def test_what_a_product_must_be() -> None:
    A = lg.Matrix.from_dense([[0.0, 0.1], [0.2, float("nan")]], backend=CPU)
    C, check = min_plus(A @ A).new(), verify.verify_min_plus
    check(A, A, C)
    refused("size", check, A, A, lg.Matrix("FP64", 2, 3, backend=CPU))
    refused("type", check, A, A, C.dup("FP32"))
    C[0, 0] = np.nextafter(C.get(0, 0), 1)
    refused(r"value: expected 0.0 at \(0, 0\)", check, A, A, C)
    empty = lg.Matrix("FP64", 0, 0, backend=CPU)
    check(empty, empty, empty)


# --- one path ------------------------------------------------------------------------------------


@examples(80)
@given(data=st.data(), dtype=TYPES, cutoff=st.none() | st.sampled_from([0, 3, 9.5]), seed=seeds)
def test_right_paths_pass_and_no_other_length(
    data: Any, dtype: str, cutoff: Any, seed: int
) -> None:
    example = data.draw(random_graphs(dtype))
    s, t = (data.draw(st.integers(0, example.n - 1)) for _ in range(2))
    check, reached = verify.verify_path_between, None
    reseed(seed)
    for backend in BOTH:
        G = example.graph(backend)
        reached = lg.shortest_path_between(G, s, t, cutoff=cutoff)
        check(G, s, t, reached, cutoff)
    if reached is None:
        refused("ends", check, G, s, t, (0, [s]), cutoff) if s != t else None
        return
    length, path = reached
    refused("sum", check, G, s, t, (length + 1, path), cutoff)
    refused("missing: expected a path of length", check, G, s, t, None, cutoff)
    if len(path) > 1:
        refused("ends", check, G, s, t, (0, path[:1]), cutoff)
        refused("ends", check, G, s, t, (0, path[1:]), cutoff)
    if length > 0:
        refused("cutoff", check, G, s, t, reached, length / 2)


# 0 → 1 → 3 of 1 + 5, 0 → 2 → 3 of 4 + 1, a loop of 0 at 3, 4 apart
FORK = lg.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 3, 3, 3], [1, 4, 5, 1, 0], n=5, backend=CPU)


@pytest.mark.parametrize(
    ("match", "found"),
    [
        ("missing: expected a path of length 5.0, got None", None),
        ("form", [0, 2, 3]),
        ("form", (5, "023")),
        ("vertices: expected vertices from 0 to 4, got none", (5, [])),
        ("vertices: .* got 5 among", (5, [0, 5])),
        ("vertices: .* got -1 among", (5, [0, -1])),
        ("vertices: .* got 2.0 among", (5, [0, 2.0, 3])),
        ("edge: expected an edge 0 → 3, got none", (5, [0, 3])),
        ("edge: expected an edge 3 → 4, got none", (5, [0, 2, 3, 4])),
        ("edge: expected an edge 3 → 2, got none", (5, [3, 2, 0])),
        ("ends: expected 0 and 3 as its ends, got 2 and 3", (1, [2, 3])),
        ("ends: .* got 0 and 2", (4, [0, 2])),
        ("sum: .* 5, got 4", (4, [0, 2, 3])),
        ("sum: .* 6, got 5", (5, [0, 1, 3])),
        ("sum: .* got nan", (float("nan"), [0, 2, 3])),
        ("sum: .* got None", (None, [0, 2, 3])),
        ("shortest: expected a length of 5.0, got 6", (6, [0, 1, 3])),
    ],
)
def test_mangled_paths_are_refused(match: str, found: Any) -> None:
    check = verify.verify_path_between
    check(FORK, 0, 3, (5, [0, 2, 3]))
    check(FORK, 0, 3, (5, [0, 2, 3, 3]))  # a loop of 0 costs nothing
    check(FORK, 0, 4, None)
    check(FORK, 0, 3, None, 4.5)
    refused(f"path from 0 to 3, {match}", check, FORK, 0, 3, found)


def test_sums_along_a_path_are_rounded_as_its_type_rounds() -> None:
    weight = np.array([0.1, 0.2, 0.3], np.float32)
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], weight, backend=CPU)
    found, check = lg.shortest_path_between(G, 0, 3), verify.verify_path_between
    assert found is not None
    check(G, 0, 3, found)
    refused("sum", check, G, 0, 3, (0.1 + 0.2 + 0.3, found[1]))
    top = 2**60 + 1  # beyond what FP64 holds exactly
    G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [top - 1, 1, 2**61], backend=CPU)
    check(G, 0, 2, lg.shortest_path_between(G, 0, 2))
    refused("sum", check, G, 0, 2, (top - 1, [0, 1, 2]))
    refused("shortest", check, G, 0, 2, (2**61, [0, 2]))


@pytest.mark.parametrize(
    ("match", "target", "path"),
    [
        ("vertices: .* got none", 3, []),
        ("vertices: .* got 9 among", 3, [9, 3]),
        ("ends: expected the target", 3, [0, 2]),
        ("parent: expected 2 before vertex 3, got 1", 3, [0, 1, 3]),
        ("parent: expected 0 before vertex 2, got 2", 3, [2, 3]),
        ("reached: expected a path, got None", 3, None),
        ("reached: expected None, got", 4, [0, 4]),
    ],
)
def test_paths_of_a_tree(match: str, target: int, path: Any) -> None:
    parent, check = lg.sssp(FORK, 0)[1], verify.verify_path_to
    for v in range(5):
        check(parent, v, lg.path_to(parent, v))
    refused(f"path to {target}, {match}", check, parent, target, path)


def test_a_tree_with_a_gap_holds_no_path() -> None:
    parent = lg.sssp(FORK, 0)[1]
    del parent[2]
    with pytest.raises(VerificationError, match="expected nothing before vertex 2, got 0"):
        verify.verify_path_to(parent, 3, [0, 2, 3])


# --- longest paths -------------------------------------------------------------------------------


@examples(60)
@given(example=some_graphs, seed=seeds)
def test_right_longest_paths_pass(example: graphs.Example, seed: int) -> None:
    reseed(seed)
    for backend in BOTH:
        G = graphs.acyclic(example).graph(backend)
        try:
            distance = lg.dag_longest_distance(G)
        except DistanceOverflow:
            continue
        path, length = lg.dag_longest_path(G), lg.dag_longest_path_length(G)
        verify.verify_longest_path(G, distance, path, length)


@examples(80)
@given(data=st.data(), dtype=st.sampled_from(["INT64", "FP32"]))
def test_no_other_longest_distance_passes(data: Any, dtype: str) -> None:
    """Weights may be negative."""
    example = graphs.acyclic(data.draw(random_graphs(dtype, st.integers(-4, 9))))
    G, check = example.graph(CPU), verify.verify_longest_path
    right = lg.dag_longest_distance(G)
    path, length = lg.dag_longest_path(G), lg.dag_longest_path_length(G)
    check(G, right, path, length)
    v, other = data.draw(st.integers(0, G.n - 1)), data.draw(st.none() | st.integers(-5, 30))
    wrong = right.dup()
    if other is None:
        del wrong[v]
    else:
        wrong[v] = other
    assume(other != right.get(v))
    refused("longest path, (entries|number|longer|tight)", check, G, wrong)
    refused("length", check, G, right, path, length + 1)
    refused("ends|edge|path", check, G, right, path[:-1] or [(path[0] + 1) % max(2, G.n)])
    if length > 0 and right.get(path[1]) != 0:
        refused("ends", check, G, right, path[1:])


CHAIN = lg.Graph.from_edges([0, 0, 1, 3], [1, 2, 2, 4], [2.0, 3.0, 4.0, 6.0], n=5, backend=CPU)


@pytest.mark.parametrize(
    ("match", "path"),
    [
        ("vertices", []),
        ("vertices: .* got 9 among", [0, 9]),
        ("edge: expected an edge 2 → 0", [2, 0]),
        ("path: expected a tight edge, got 0 → 2 of weight 3.0 from 0.0 to 6.0", [0, 2]),
        ("ends: .* length 0 to 2, got one from 3", [3, 4]),  # as long, but not the smallest
        ("ends: .* got one from 1 ", [1, 2]),
        ("ends: .* to 1", [0, 1]),
    ],
)
def test_mangled_longest_paths_are_refused(match: str, path: list[int]) -> None:
    far, check = lg.dag_longest_distance(CHAIN), verify.verify_longest_path
    check(CHAIN, far, [0, 1, 2], 6.0)
    refused(f"longest path, {match}", check, CHAIN, far, path)


def test_what_longest_distances_must_be() -> None:
    far, check = lg.dag_longest_distance(CHAIN), verify.verify_longest_path
    refused("size", check, CHAIN, lg.Vector("FP64", 6, backend=CPU))
    refused("type: expected the type FP64, got FP32", check, CHAIN, far.dup("FP32"))
    for wrong in (float("nan"), INF, -1.0):
        off = far.dup()
        off[3] = wrong
        refused("number: .* at vertex 3", check, CHAIN, off)
    off = far.dup()
    off[2] = 3.0  # the end of a shorter path
    refused("longer: .* 1 → 2 of weight 4.0 offers 6.0; got 3.0", check, CHAIN, off)
    off[2] = 0.0  # the end of none
    refused("longer: .* 0 → 2 of weight 3.0 offers 3.0; got 0.0", check, CHAIN, off)
    off[2] = np.nextafter(6.0, 7.0)
    refused("tight: .* ends at vertex 2", check, CHAIN, off)
    zeros = lg.Vector.from_scalar(0, 3, backend=CPU)
    for loop in ([0, 1, 2], [1, 2, 0]), ([0, 1], [1, 1]):  # lengths of 0 that prove themselves
        G = lg.Graph.from_edges(*loop, 0, n=3, backend=CPU)
        refused("graph: .* without cycles", check, G, zeros)
    G = lg.Graph.from_edges([0], [1], [0], n=3, directed=False, backend=CPU)
    refused("graph: expected a directed graph", check, G, zeros)
    none = lg.Graph.from_edges([], [], n=0, backend=CPU)
    check(none, lg.dag_longest_distance(none), [], 0)
    refused("vertices", check, none, lg.dag_longest_distance(none), [0])
