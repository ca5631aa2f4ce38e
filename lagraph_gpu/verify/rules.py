"""A verifier of searches on the device: the five rules of Graph500 as statements over semirings.

A tree of parents p from a source s, with levels or distances d, is correct if and only if

1. it is a tree: every chain of parents ends at the source;
2. its edges fit: d(v) = d(p(v)) + w(p(v), v), with w = 1 for levels;
3. no edge does better: d(v) ≤ d(u) + w(u, v) for every edge (u, v) from a reached vertex;
4. it spans: such an edge ends at a reached vertex;
5. a vertex and its parent are joined by an edge of the graph.

Rules 1, 2 and 5 make every d(v) the length of a path; rules 3 and 4 make it a lower bound for all
paths. Rule 2 of the specification allows any difference up to w in a tree of shortest paths. Here
the difference must be w, rounded once if the weights are floats, so that distances are exact. No
search is repeated: the rules take two products with the matrix of the graph, one intersection with
it, and about log₂(depth) passes over the vertices. Only counts are copied to the host. `Verifier`
checks the same with NumPy.

https://graph500.org/?page_id=12, section Validation.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import expect_exact, path_type, summable
from lagraph_gpu.algorithms._shared.tree_edges import missing_tree_edges, tree_edge_values
from lagraph_gpu.errors import IndexOutOfBound, VerificationError
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings import BINARY, any_second, min_first, min_plus
from semirings.types import INT32

RULES = {
    0: "the source",
    1: "a tree",
    2: "edges of the tree fit",
    3: "no edge does better",
    4: "the tree spans",
    5: "edges of the tree exist",
}

pair, plus = BINARY["pair"], BINARY["plus"]
greater, different = BINARY["gt"], BINARY["ne"]


class Rules:
    """Verifies searches of one graph, on the backend of the graph.

    Parameters
    ----------
    G : Graph
        The graph.

    Notes
    -----
    Two products with the matrix of the graph for each search, and O(n log depth). Only counts are
    copied to the host.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import Rules
    >>> G = lg.kronecker(5, weights="uniform", backend="cpu")
    >>> check = Rules(G)
    >>> check.bfs(3, *lg.bfs(G, 3))
    >>> check.sssp(3, *lg.sssp(G, 3))
    >>> level, parent = lg.bfs(G, 3)
    >>> level[parent.to_coo()[0][-1]] = 9
    >>> check.bfs(3, level, parent)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: bfs from 3, rule 2 (edges of the tree fit): expected ...
    """

    def __init__(self, G: Graph) -> None:
        self.G = G

    def bfs(self, source: int, level: Vector, parent: Vector) -> None:
        """Verify a breadth-first search.

        Parameters
        ----------
        source : int
            The source of the search.
        level : Vector
            The levels.
        parent : Vector
            The parents.

        Raises
        ------
        VerificationError
            The result is wrong. The message names the rule.
        """
        judge = Judge(f"bfs from {source}", self.G, source, level, parent, chains=False)
        try:
            above = any_second(judge.children.selector() @ level).new()
            if above.nvals != judge.reached - 1:
                raise judge.error(1, "parents that are reached", "one that is not")
            judge.rule(2, level, above.apply(plus, right=np.int32(1)).new())
        except (VerificationError, IndexOutOfBound):
            judge.is_tree()
            raise
        del above  # each of these vectors may take a tenth of the memory
        offer = min_first[INT32](level @ self.G.A).new().apply(plus, right=np.int32(1)).new()
        judge.bound(offer)
        judge.exist()

    def sssp(self, source: int, distance: Vector, parent: Vector) -> None:
        """Verify a shortest-path search.

        Parameters
        ----------
        source : int
            The source of the search.
        distance : Vector
            The distances.
        parent : Vector
            The parents.

        Raises
        ------
        VerificationError
            The result is wrong. The message names the rule.
        """
        G = summable(self.G)
        distance = distance.dup(path_type(G))  # where no sum wraps
        if G is not self.G:
            expect_exact(distance.reduce("max").new().value, self.G)
        judge = Judge(f"sssp from {source}", G, source, distance, parent)
        weight = judge.weights()
        above = any_second(judge.children.selector() @ distance).new()
        judge.rule(2, distance, plus(above & weight).new())
        del above, weight
        judge.bound(min_plus(distance @ G.A).new())


class Judge:
    """The verification of one search: its values, and its tree of parents.

    Without `chains`, the chains of parents are left to rule 2: where each level is one more than
    the parent's, they fall, and end at the source.
    """

    def __init__(
        self, search: str, G: Graph, source: int, far: Vector, parent: Vector, chains: bool = True
    ) -> None:  # fmt: skip
        self.search, self.G, self.far, self.parent = search, G, far, parent
        source = self.source = G.vertex(source, "source")
        for v in (far, parent):
            if v.size != G.n:
                raise self.error(0, f"{G.n} positions", f"{v.size}")
        if parent.dtype.kind not in "iu":
            raise self.error(1, "parents as integers", str(parent.dtype))
        if not (far.get(source) == 0 and parent.get(source) == source):
            raise self.error(
                0, f"0 and itself as parent at vertex {source}",
                f"{far.get(source)} and the parent {parent.get(source)}",
            )  # fmt: skip
        self.reached = far.nvals
        if not self.reached == parent.nvals == pair(far & parent).new().nvals:
            raise self.error(1, "a parent for each vertex that is reached and no other", "others")
        if chains:
            self.is_tree()
        self.children = parent.dup()  # a loop at the source is no edge of the tree
        del self.children[source]

    def error(self, rule: int, expected: str, got: str) -> VerificationError:
        """The error for a rule."""
        where = f"{self.search}, rule {rule} ({RULES[rule]})"
        return VerificationError(f"{where}: expected {expected}, got {got}")

    def none_of(self, rule: int, bad: Vector, expected: str) -> None:
        """Raises VerificationError if `bad` (BOOL) is true anywhere."""
        if bad.reduce("lor").new().get(False):
            where = bad.select("==", True).new().to_coo()[0]
            got = f"{where.size} where that fails, the first of them vertex {where[0]}"
            raise self.error(rule, expected, got)

    def is_tree(self) -> None:
        """Rule 1, by pointer jumping: after k rounds each vertex knows its 2^k-th ancestor."""
        ancestor, source = self.parent, self.parent.dtype.type(self.source)
        for _ in range(self.reached.bit_length() + 1):
            astray = ancestor.apply(different, right=source).new()
            if not astray.reduce("lor").new().get(False):
                return
            try:
                ancestor = any_second(ancestor.selector() @ ancestor).new()
            except IndexOutOfBound as outside:
                raise self.error(1, f"parents from 0 to {self.G.n - 1}", "others") from outside
            if ancestor.nvals != self.reached:
                raise self.error(1, "parents that are reached", "one that is not")
        self.none_of(1, astray, "chains of parents that end at the source")

    def rule(self, number: int, value: Vector, wanted: Vector) -> None:
        """Checks that the two vectors are equal at every edge of the tree."""
        wrong = different(value & wanted).new()
        self.none_of(number, wrong, "values that are the parent's and the edge's together")

    def bound(self, offer: Vector) -> None:
        """Rules 3 and 4, from the best value that the edges give each vertex."""
        outside = offer.apply("one").new("BOOL", mask=~self.far.S)
        self.none_of(4, outside, "edges from reached vertices to end at reached ones")
        better = greater(self.far & offer).new()
        self.none_of(3, better, "values that no edge improves")

    def exist(self) -> None:
        """Rule 5."""
        if missing := missing_tree_edges(self.children, self.G.A):
            lacking = f"{missing} that have none"
            raise self.error(5, "an edge from each parent to its child", lacking)

    def weights(self) -> Vector:
        """Rule 5. The result is w(p(v), v)."""
        weight = tree_edge_values(self.children, self.G.A)
        if weight.nvals != self.reached - 1:
            missing = f"{self.reached - 1 - weight.nvals} that have none"
            raise self.error(5, "an edge from each parent to its child", missing)
        return weight
