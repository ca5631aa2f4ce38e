"""The type in which path lengths are added up: wide enough for a sum, and narrowed back afterwards.

Integers wrap around, and a length that has wrapped is wrong. A search therefore adds up in INT64
unless n edges of the heaviest weight fit the type of the weights. Its result is narrowed to the
type of the weights, and only if every distance fits.

Where n edges of the heaviest weight do not fit INT64, as with an edge of weight 2**62 that stands
for none, a search for shortest paths adds up in FP64. While the farthest distance is below 2**53,
every sum that counts is a whole number that FP64 holds, and so is each weight along those paths; a
sum that is rounded is not below 2**53. So the distances are exact or there is an error.
"""

from __future__ import annotations

import math
import sys
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.errors import DistanceOverflow, InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings import types

Distances = TypeVar("Distances", Vector, Matrix)


def path_type(G: Graph) -> np.dtype:
    """The type in which weights are added up: INT64 if a path might overflow the type of the
    weights.

    The longest conceivable path has n - 1 edges of the heaviest weight. The bound is n edges,
    because a search adds one edge more before it sees that nothing improves, and that sum must not
    wrap either. (For a graph of more vertices than 32 bits number it is the number of entries and
    one.) Raises DistanceOverflow if even 64 bits might be too few.
    """
    dtype = G.A.dtype
    if dtype.kind == "f" or G.heaviest is None:
        return length_type(dtype)
    heaviest, n = longest_sum(G)
    if dtype.kind in "iu" and heaviest * n <= np.iinfo(dtype).max:
        return dtype
    if heaviest * n > np.iinfo(np.int64).max:
        raise DistanceOverflow(
            f"expected n = {n} times the heaviest weight, {heaviest}, to fit 64-bit integers: "
            "the longest conceivable path has n - 1 edges, and a search adds one more before it "
            "stops; use floating-point weights"
        )
    return types.INT64


def longest_sum(G: Graph) -> tuple[int, int]:
    """The largest magnitude of the integer weights of a graph with edges, and the number of edges
    that a search adds up at most."""
    heaviest = max(abs(int(G.heaviest)), abs(int(G.lightest)))
    return heaviest, max(min(G.n, G.A.nvals + 1) if needs_64_bits(G.n) else G.n, 1)


def summable(G: Graph) -> Graph:
    """G, or the graph with weights of FP64 where sums of its integers might not fit INT64. The
    weights are at least 0."""
    if G.A.dtype.kind == "f" or G.heaviest is None:
        return G
    heaviest, n = longest_sum(G)
    return G if heaviest * n <= np.iinfo(np.int64).max else G.kept(with_floats)


def with_floats(G: Graph) -> Graph:
    return Graph._checked(G.A.dup(types.FP64), G.directed)


def expect_exact(farthest: Any, G: Graph) -> None:
    """Raises DistanceOverflow unless a sum of FP64, the largest, shows that all are exact."""
    if farthest is not None and farthest >= EXACT[types.FP64]:
        heaviest, n = longest_sum(G)
        raise DistanceOverflow(
            f"expected distances below 2**53, got {farthest:.4g}: n = {n} times the heaviest "
            f"weight, {heaviest}, does not fit 64-bit integers, so they are added up as floats, "
            "which are exact up to there; give a cutoff, floating-point weights, or a larger unit "
            "of length"
        )


def whole(distance: Distances, G: Graph) -> Distances:
    """Distances that were added up in FP64, in the type of results for the weights of G. Raises
    DistanceOverflow unless they are exact and fit."""
    expect_exact(distance.reduce("max").new().get(0), G)
    return narrowed(distance.dup(types.INT64), G.A.dtype)


def length_type(weights: np.dtype) -> np.dtype:
    """The type of lengths of paths as results: that of the weights, or INT64 for truth values."""
    return types.INT64 if weights.kind == "b" else weights


def narrowed(distance: Distances, weights: np.dtype) -> Distances:
    """The distances in the type of results for weights of a type. Raises DistanceOverflow if a
    distance does not fit.
    """
    dtype = length_type(weights)
    if distance.dtype == dtype:
        return distance
    farthest = distance.reduce("max").new().get(0)
    nearest = distance.reduce("min").new().get(0)
    limits = np.iinfo(dtype)
    if farthest > limits.max or nearest < limits.min:
        raise DistanceOverflow(
            f"expected distances to fit the weights' type {types.name(dtype)}, got "
            f"{nearest} to {farthest}; give weights of a wider type: weight.astype(numpy.int64)"
        )
    return distance.dup(dtype)


def finite(distance: Distances, G: Graph, paths: int = 1) -> Distances:
    """Return distances, or sums over `paths` of them, and raise DistanceOverflow if a
    floating-point sum became infinite.

    The weights of a graph are finite. The entries are examined only if n edges of the heaviest
    weight could overflow.
    """
    if distance.dtype.kind != "f" or G.heaviest is None:
        return distance
    heaviest = max(abs(float(G.heaviest)), abs(float(G.lightest)))
    if heaviest * max(G.n, 1) * paths <= float(np.finfo(distance.dtype).max):
        return distance
    ends = [distance.reduce(which).new().get(0) for which in ("max", "min")]
    if not all(map(math.isfinite, ends)):
        raise DistanceOverflow(
            f"expected distances that {types.name(distance.dtype)} can hold, but weights go up to "
            f"{heaviest} and their sums to {max(ends, key=abs)}; scale the weights down"
        )
    return distance


EXACT: dict[np.dtype, int] = {types.FP32: 2**24, types.FP64: 2**53}
"""For each type the bound up to which it holds every integer exactly."""


def table_type(G: Graph, hops: bool, weighted: bool) -> np.dtype:
    """The type of a dense table of distances: floating-point, because the table contains infinity.

    Raises DistanceOverflow if the longest conceivable path, n - 1 edges of the heaviest weight,
    does not fit the type. A longer sum improves nothing and may be inexact.
    """
    dtype, edges = G.A.dtype, max(G.n - 1, 0)
    if weighted and dtype.kind == "f":
        heaviest = float(G.heaviest or 0)
        if hops or heaviest * edges <= float(np.finfo(dtype).max):
            return dtype
        raise DistanceOverflow(
            f"expected the longest conceivable path, n - 1 = {edges} edges of the heaviest weight, "
            f"{heaviest}, to fit {types.name(dtype)}; scale the weights down"
        )
    if hops:  # also of weights that are all 1
        narrow = G.n <= EXACT[types.FP32] and not (weighted and G.weighted)
        return types.FP32 if narrow else types.FP64
    if int(G.heaviest) * edges > EXACT[types.FP64]:
        raise DistanceOverflow(
            f"expected the longest conceivable path, n - 1 = {edges} edges of the heaviest weight, "
            f"{G.heaviest}, to be an exact number of FP64, up to 2**53; use floating-point "
            "weights, or lg.sssp"
        )
    return types.FP64


def whole_lengths(G: Graph, hops: bool) -> Matrix:
    """The weights, or 1 for each edge, in INT64. Sums of integers do not depend on the order in
    which they are added up.

    Raises InvalidValue for floating-point weights that are not whole numbers, and DistanceOverflow
    if two paths of n edges of the heaviest weight might not fit.
    """
    A = G.A.apply("one").new(types.INT64) if hops else G.A
    if A.dtype.kind == "f":
        rounded = A.dup(types.INT64) if (G.heaviest or 0) <= EXACT[types.FP64] else None
        if rounded is None or not rounded.dup(A.dtype).isequal(A):
            raise InvalidValue(
                "expected weights that are whole numbers, for these sums are added up in another "
                "order than a search adds them, and floats would round differently; got "
                f"{types.name(A.dtype)} with fractions, or beyond 2**53; scale and round the "
                "weights to integers, or search without a contraction"
            )
        A = rounded
    heaviest = 1 if hops else int(G.heaviest or 0)
    if 2 * max(G.n, 1) * heaviest >= 2**62:
        raise DistanceOverflow(
            f"expected two paths of n = {G.n} edges of the heaviest weight, {heaviest}, to be "
            "shorter than 2**62; use a smaller unit of length"
        )
    return A.dup(types.INT64)


def check_cutoff(cutoff: Any) -> Any:
    """A cutoff: None, or a number of at least 0. A cutoff beyond all lengths becomes None."""
    number = isinstance(cutoff, Real) and not isinstance(cutoff, bool)
    if cutoff is not None and not (number and cutoff >= 0):
        raise InvalidValue(f"expected a cutoff as a number of at least 0, got {brief(cutoff)}")
    if isinstance(cutoff, np.generic):
        cutoff = cutoff.item()  # beside which a narrow float would be compared in its own type
    return None if cutoff is None or cutoff > sys.float_info.max else cutoff


def within(distance: Distances, cutoff: Any) -> Distances:
    """The distances of at most `cutoff`; with None all distances."""
    if cutoff is None or cutoff >= types.highest(distance.dtype):
        return distance
    limit = cutoff if distance.dtype.kind == "f" else math.floor(cutoff)
    return distance.select("<=", types.cast(limit, distance.dtype)).new()
