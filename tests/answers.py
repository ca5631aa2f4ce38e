"""What is fixed of the answer of an operation: all of it as a rule, and where any of several
answers is right, what they have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.closure import Fixpoint, fixpoint
from lagraph_gpu.notation.packed_arrays import matrix_of_packed
from semirings import any_secondi
from semirings.types import FP32, INT32, INT64, UINT32
from tests.operands import Operands, latest


def plain(found: Any) -> Any:
    """An answer as NumPy arrays and numbers."""
    if isinstance(found, (lg.Vector, lg.Matrix)):
        return found.dtype, found.to_dict() if isinstance(found, lg.Vector) else found.to_dicts()
    if isinstance(found, lg.Scalar):
        return pytest.approx(found.value, rel=1e-12)
    if isinstance(found, (tuple, list)):
        return [plain(part) for part in found]
    if hasattr(found, "dtype"):  # an array of the backend's library
        return (found if isinstance(found, np.ndarray) else found.get()).tolist()
    return found


def answer(name: str, function: Callable[..., Any], operands: Operands) -> Any:
    """What a lowering or the statements make of operands, in handles, arrays and numbers."""
    found = function(*operands)
    if found is None:
        return None
    to = operands[0]
    if name == "small_rounds":  # in place
        return found, *operands[:3]
    if name == "drawn_edges":
        n = operands[1].n
        ends = lg.Vector._stored(found.ends(), n, INT64, to)
        return ends, lg.Matrix._stored(found.matrix(None), (n, n), INT32, to)
    if name == "drawn_rows":
        n = operands[1].n
        vectors = (found.ids, INT64), (found.ends, UINT32)
        A = lg.Matrix._stored(found.store, (n, n), INT32, to)
        return A, *(lg.Vector._stored(store, n, kind, to) for store, kind in vectors)
    if name.startswith("joined"):
        return lg.Matrix._stored(*found, to)
    if name == "weighed":
        return found.matrix
    if name == "label_argmax":
        return found.top, found.label
    return list(found) if isinstance(found, Iterator) else found


def same(name: str, found: Any, right: Any, operands: Operands) -> bool:
    """Are both answers right, where several may be? The statements' is."""
    if name in JUDGES:
        return JUDGES[name](found, right, *operands)
    if name == "packed_arrays":  # a backend without packed rows has no arrays
        A = operands[0]
        made = matrix_of_packed.statements(A.backend, found, A.nrows)
        return right is None and made.isequal(A)
    if isinstance(found, Fixpoint):
        return found.x.isequal(right.x, check_dtype=True) and are_like_rounds(found, right)
    judge: Any = verify.verify_bfs if name.startswith("levels") else verify.verify_sssp
    if name.endswith("and_parents"):
        (far, parent), (expected, tree) = found, right
        alike_but_for_the_tree = (
            far.isequal(expected, check_dtype=True) and parent.dtype == tree.dtype
        )
        judge(*operands[:2], *found, operands[2])
        return alike_but_for_the_tree and parent.to_dict().keys() == tree.to_dict().keys()
    if name.endswith("and_parents from each row"):
        (far, parent), (expected, tree) = found, right
        G, start, cutoff = operands
        for i, source, _ in zip(*start.to_coo(), strict=True):
            judge(G, int(source), far[i, :].new(), parent[i, :].new(), cutoff)
        return far.isequal(expected, check_dtype=True) and parent.dtype == tree.dtype
    if name == "missing_tree_edges":
        return bool(found == right)
    if name == "shortest_path":
        verify.verify_path_between(*operands[:3], None if found[0] is None else found)
        return bool(found[0] == right[0])
    if name == "lengths_towards":
        return bool(found.get(operands[2]) == right.get(operands[2]))
    if name in ("community_sums", "sum_of_squares"):
        return bool(np.allclose(found, right, rtol=1e-9))
    sums = "dependencies", "distance_sums", "source_totals", "local_moving", "sums_of_lengths"
    rounds = "pagerank_rounds", "hits_rounds", "eigenvector_rounds", "katz_rounds"
    if name in sums or name in rounds:
        pairs = [(found, right)] if isinstance(found, lg.Vector) else zip(found, right, strict=True)
        rounding = 1e-4  # of FP32; differences of nearly equal sums raise 1e-7 to 3e-5 now and then
        return all(
            a.dtype == b.dtype
            and np.allclose(a.to_dense(0), b.to_dense(0), rounding if a.dtype == FP32 else 1e-9)
            for a, b in pairs
        )
    return bool(plain(found) == plain(right))


def are_like_rounds(found: Fixpoint, right: Fixpoint) -> bool:
    """Are the rounds right, which may be missing, and does it say rightly whether it is done?"""
    right_rounds = found.rounds is None or found.rounds.isequal(right.rounds, check_dtype=True)
    return found.at_rest == right.at_rest and right_rounds


def is_search(found: Fixpoint, right: Fixpoint, x0: lg.Vector, A: lg.Matrix, *_: Any) -> bool:
    """Has each vertex the id of a vertex one level before it that has an edge to it?"""
    level, parent, begun = (v.to_dict() for v in (right.rounds, found.x, x0))
    edges = {v: set(row) for v, row in A.to_dicts().items()}
    return (
        are_like_rounds(found, right)
        and found.x.dtype == INT64
        and parent.keys() == level.keys()
        and all(
            parent[v] == begun[v] if level[v] == 0
            else level.get(parent[v]) == level[v] - 1 and v in edges.get(parent[v], ())
            for v in level
        )
    )  # fmt: skip


def are_trees(found: lg.Vector, _: lg.Vector, roots: lg.Vector, A: lg.Matrix) -> bool:
    """Is it the parents of a search that takes all rounds?"""
    search = fixpoint.statements(roots, A, any_secondi, A.nrows)
    return is_search(Fixpoint(found, None, search.at_rest), search, roots, A)


def are_rounds(
    found: Any, _: Any, x: Any, frontier: Any, levels: Any, A: Any, ring: Any, rounds: int,
    most: int,
) -> bool:  # fmt: skip
    """Is all as the loop leaves it after so many rounds, each of which has begun with something?"""
    done, *changed = found
    after = fixpoint.statements(x.dup(mask=levels.select("==", 0).new().S), A, ring, rounds + done)
    expected = after.x, latest(after, rounds + done), after.rounds
    return (
        0 <= done <= max(0, most - rounds)
        and (done == 0 or after.rounds.reduce("max").new().value >= rounds + done - 1)
        and all(a.isequal(b, check_dtype=True) for a, b in zip(changed, expected, strict=True))
    )


def is_forest(
    found: lg.Vector, right: lg.Vector, distance: lg.Vector, roots: lg.Vector, A: lg.Matrix
) -> bool:
    verify.verify_sssp(lg.Graph(A), next(iter(roots)), distance, found)
    return found.dtype == right.dtype


def is_largest(found: lg.Vector, right: lg.Vector, G: lg.Graph, side: lg.Vector) -> bool:
    verify.verify_matching(G, found, maximum=True)
    return found.dtype == right.dtype and found.nvals == right.nvals


def have_pivots(found: lg.Vector, right: lg.Vector, rank: lg.Vector, A: lg.Matrix) -> bool:
    """Has each strong component among the ranked vertices one of its vertices as pivot? One of a
    single vertex may have none."""
    number, ranked = strong_numbers(rank, A)
    for pivot in (found, right):
        at, value = pivot.to_coo()
        if value.dtype != INT64 or not np.isin(np.r_[at, value], ranked).all():
            return False
        missing = np.setdiff1d(ranked, at)
        pairs = np.unique(np.stack([number[at], value]), axis=1)
        if (
            (np.bincount(number)[number[missing]] > 1).any()
            or (number[at] != number[value]).any()
            or pairs.shape[1] != np.unique(number[at]).size
        ):
            return False
    return True


def strong_numbers(rank: lg.Vector, A: lg.Matrix) -> tuple[np.ndarray, np.ndarray]:
    """SciPy's numbers of the strong components among the vertices with a rank, and these."""
    ranked = rank.to_coo()[0]
    i, j, _ = A.to_coo()
    kept = np.isin(i, ranked) & np.isin(j, ranked)
    pattern = coo_array((np.ones(kept.sum()), (i[kept], j[kept])), shape=A.shape)
    return connected_components(pattern, connection="strong")[1], ranked


JUDGES: dict[str, Callable[..., bool]] = {
    "fixpoint of any_secondi": is_search,
    "small_rounds": are_rounds,
    "breadth_first_trees": are_trees,
    "tight_forest": is_forest,
    "largest_matching": is_largest,
    "pivots": have_pivots,
}
"""Whether an answer is right: of it, the statements' answer and the operands."""


def is_of_use(name: str, found: Any) -> bool:
    """Is it an answer in which a fault shows?"""
    if name == "small_rounds":
        return found[0] > 0 and found[1].nvals > 1 and found[2].nvals > 0
    return not isinstance(found, lg.Vector) or found.nvals > 1


def spoiled(found: Any) -> Iterator[Any]:
    """Answers like this one, of which one part is wrong."""
    if isinstance(found, (lg.Vector, lg.Matrix)):
        zero = found.apply("times", 0).new(found.dtype)
        yield from (one for one in (zero,) if not one.isequal(found))
        if found.dtype.kind != "b":
            yield found.apply("plus", 1).new(found.dtype)
        if found.nvals:
            yield type(found)(found.dtype, *found.shape, backend=found.backend)
    elif isinstance(found, (bool, np.bool_)):
        yield not found
    elif isinstance(found, lg.Scalar):
        yield lg.Scalar.from_value(found.value + 1)
    elif isinstance(found, (int, float, np.number)):
        yield found + 7
    elif isinstance(found, (tuple, list)):
        for k, part in enumerate(found):
            for wrong in spoiled(part):
                parts = [*found[:k], wrong, *found[k + 1 :]]
                yield type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
    elif hasattr(found, "dtype") and found.size:
        held = found if isinstance(found, np.ndarray) else found.get()
        yield ~held if held.dtype.kind == "u" else held + held.dtype.type(1)  # ~: not padding alone
