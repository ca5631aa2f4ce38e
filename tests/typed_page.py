"""A page of user code. It is never run: mypy and pyright read it, see test_types.py."""

from __future__ import annotations

from typing import Any, assert_type

import lagraph_gpu as lg
from semirings import BinaryOp, Monoid, Semiring, UnaryOp, min_plus

G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2.5, 0.5], dup="min", backend="cpu")
named = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], directed=False)
A = G.A
assert_type(A, lg.Matrix)
assert_type(G.nedges, int)
assert_type(G.out_degree, lg.Vector)
assert_type(G.subgraph([0, 1]).reverse(), lg.Graph)
assert_type(lg.read("roads.gr"), lg.Graph)

assert_type(lg.bfs(G, 0), tuple[lg.Vector, lg.Vector])
assert_type(lg.bfs(G, sources=[0, 1]), tuple[lg.Matrix, lg.Matrix])
assert_type(lg.hits(G), tuple[lg.Vector, lg.Vector])
assert_type(lg.triangle_count(G), int)
distance, parent = lg.sssp(named, "Ann", schedule=lg.Schedule(direction="push"))
assert_type(distance, lg.Vector)
assert_type(lg.path_to(parent, 2), list[int] | None)
rank = lg.pagerank(G)
assert_type(rank, lg.Vector)
assert_type(lg.closure(distance, A, min_plus), lg.Vector)

assert_type(lg.semiring.plus_times, Semiring)
assert_type(lg.monoid.min, Monoid)
assert_type(lg.binary.plus, BinaryOp)
assert_type(lg.unary.abs, UnaryOp)
assert_type(min_plus(A @ A).new(), lg.Matrix)
assert_type(min_plus(A @ rank).new(), lg.Vector)
assert_type(min_plus(rank @ A).new(), lg.Vector)
assert_type(min_plus(A.T @ A.T).new(), lg.Matrix)
assert_type(A.mxm(A, min_plus).new(), lg.Matrix)
assert_type(A.mxv(rank).new(), lg.Vector)
assert_type(rank.ewise_add(rank).new(), lg.Vector)
assert_type(rank.apply("abs").new(), lg.Vector)
assert_type(A.select(">", 1).new(), lg.Matrix)
assert_type(A.reduce_rowwise().new(), lg.Vector)
assert_type(rank.reduce().new(), lg.Scalar)

G.plot(lg.draw.spring_layout(G, seed=1), values=rank, groups=None, path=[0, 1])

q = lg.Vector(bool, G.n)
q[0] = True
q(~distance.S, replace=True) << lg.semiring.any_pair(q @ A)

with lg.trace() as steps, lg.backend("cpu"):
    pass
assert_type(steps[0].frontier, int)

assert_type((rank + rank).new(), lg.Vector)
assert_type((1 - 2 * rank / 3).new(), lg.Vector)
assert_type((-rank > 0.5).new(), lg.Vector)
assert_type(abs(A - A.T).new(), lg.Matrix)
assert_type(((A + 1) * A).new(), lg.Matrix)
assert_type((rank + A).new(), lg.Matrix)
rank += rank
assert_type(rank, lg.Vector)
assert_type(G.degree(), lg.Vector)
assert_type(G.degree(0), int)
assert_type(G.position("Ann"), int)
assert_type(G.label([0, 1]), list[Any])
by_name = named.named(rank)
levels, parents = named.named(lg.bfs(named, "Ann"), values=(False, True))
print(by_name["Ann"], levels["Bob"], parents["Cid"])

assert_type(lg.pagerank(G, progress=True), lg.Vector)
assert_type(lg.bfs(G, 0, progress=lambda done, total: None), tuple[lg.Vector, lg.Vector])
assert_type(lg.read("roads.gr", progress=True), lg.Graph)
lg.louvain(G, progress=False), lg.betweenness_centrality(G, progress=True)

lg.pagerank(G, progress="yes")  # wrong
lg.pagerank(G, dampng=0.9)  # wrong
lg.pagernk(G)  # wrong
G.to_netwrkx()  # wrong
named.named(3)  # wrong
lg.Graph.from_edges([0], [1], dup="minimum")  # wrong
lg.Schedule(direction="sideways")  # wrong
lg.greedy_color(G, "smallest_first")  # wrong
lg.bfs(A, 0)  # wrong
G.plot(layout="circle")  # wrong
lg.path_to(parent, 0) + 1  # wrong
A.nothing  # wrong
