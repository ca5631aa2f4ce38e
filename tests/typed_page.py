"""A page of user code. It is never run: mypy and pyright read it, see test_types.py."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

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

assert_type(rank.sum(), int | float)
assert_type(rank.max(), int | float | None)
assert_type(A.min(), int | float | None)
assert_type(rank.to_pandas(), pd.Series)
assert_type(by_name, pd.Series)
assert_type(G.to_pandas(), pd.DataFrame)
assert_type(A.to_pandas(), pd.DataFrame)
assert_type(G.edges(), tuple[np.ndarray, np.ndarray, np.ndarray])
assert_type(rank.to_coo(), tuple[np.ndarray, np.ndarray])
assert_type(G.to_edge_index(), np.ndarray)
assert_type(G.to_edge_index(weight=True), tuple[np.ndarray, np.ndarray])
assert_type(lg.eccentricity(G), lg.Vector)
assert_type(lg.eccentricity(G, 0), int | float)
assert_type(lg.eccentricity(G, [0, 1]), lg.Vector)
assert_type(lg.diameter(G), int | float)
assert_type(lg.shortest_path_between(named, "Ann", "Cid"), tuple[int | float, list[int]] | None)
assert_type(lg.concat([rank, rank]), lg.Vector)
assert_type(lg.split(A, 2), list[list[lg.Matrix]])
assert_type(G.relabel([2, 0, 1]).prepared("bfs", layout="packed"), lg.Graph)
assert_type(named.union(named.add_edges(["Cid"], ["Dan"], 3)), lg.Graph)
lg.set_backend("gpu")
lg.set_backend(None)
lg.read("roads.gr", format="dimacs", backend="cpu")
print(G.to_scipy().nnz, G.to_networkx().number_of_nodes(), named.to_pandas()["source"].unique())

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

lg.set_backend("gpuu")  # wrong
lg.bfs(G.to("gpuu"), 0)  # wrong
lg.kronecker(4, backend="cuda")  # wrong
G.relabel("degre")  # wrong
G.relabel("degree", layout="pack")  # wrong
G.prepared([0, 1, 2.5])  # wrong
lg.read("roads.gr", format="dimac")  # wrong
lg.sssp(G, 0, schedule=lg.Schedule(order="deltas"))  # wrong
lg.pagerank(G, weight="km")  # wrong
rank.max() + 1  # wrong
G.to_scipy().transpoze()  # wrong
G.edges()[0].sizes  # wrong
lg.largest_component(G) + 1  # wrong
lg.diameter(G).to_dense()  # wrong
lg.concat([rank, rank]).ncols  # wrong
A.to_dicts("column")  # wrong
G.to_undirected(dup="max")  # wrong
