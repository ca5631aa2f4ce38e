"""The table of the cluster's lowerings.

Operations of the first part have a lowering of their own. Those of the second part the root
carries out alone, where it has room. Where it has not, and always in the third part, they run by
their statements, all of which together are one collective statement: they end with one agreement of
all processes instead of one for each. All other operations run a statement at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lagraph_gpu.algorithms._shared.labels import argsort, edges_among, edges_by_label, permuted_ids
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.power_iteration import l1_distance
from lagraph_gpu.algorithms._shared.tree_edges import missing_tree_edges, tree_edge_values
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.centrality.distance_sums import distance_sums, source_totals
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds, ranks
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.label_propagation import propagated_labels
from lagraph_gpu.algorithms.community.leiden import leiden_communities
from lagraph_gpu.algorithms.community.local_moving import local_moving
from lagraph_gpu.algorithms.community.louvain import louvain_communities
from lagraph_gpu.algorithms.community.louvain_level import weight_within
from lagraph_gpu.algorithms.community.modularity import community_sums
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.algorithms.paths.eccentricity import bounded, farthest_levels
from lagraph_gpu.algorithms.paths.path_lengths import path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import lengths_towards, shortest_path
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents, tight_forest
from lagraph_gpu.algorithms.similarity.similarity import coefficients, numbers_in_common
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, largest_matching, sides
from lagraph_gpu.algorithms.structure.clustering import closed_walks, edges_of_neighbours
from lagraph_gpu.algorithms.structure.components import (
    breadth_first_trees,
    component_labels,
    weak_component_labels,
)
from lagraph_gpu.algorithms.structure.connected import largest_class
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.k_truss import truss
from lagraph_gpu.algorithms.structure.matching import greedy_matching
from lagraph_gpu.algorithms.structure.relabel import degree_order, permuted
from lagraph_gpu.algorithms.structure.scc import pivots, strong_component_labels
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_edges, spanning_forest_edges
from lagraph_gpu.algorithms.structure.triangles import (
    closed_wedges,
    total_triangles,
    vertex_triangles,
)
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import fixpoint
from lagraph_gpu.cluster import (
    closures,
    components,
    construction,
    generated,
    parents,
    shards,
    single_source,
)
from lagraph_gpu.cluster import pagerank_rounds as pagerank
from lagraph_gpu.cluster import row_lengths as lengths
from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.cluster.root_operations import of_root
from lagraph_gpu.generate.kronecker_edges import drawn_edges
from lagraph_gpu.generate.kronecker_rows import drawn_rows
from lagraph_gpu.graph.facts import pattern_without_loops, row_lengths
from lagraph_gpu.io import saved
from lagraph_gpu.io.load import graph_in, made_in_parts
from lagraph_gpu.notation.coordinates import joined_batches
from lagraph_gpu.notation.operation import Operation, any_size

Table = dict[Operation[Any, Any], Callable[..., Any]]

OWN: Table = {
    fixpoint: closures.fixpoint,
    levels_and_parents: single_source.levels_and_parents,
    lengths_and_parents: single_source.lengths_and_parents,
    component_labels: components.component_labels,
    weak_component_labels: components.weak_component_labels,
    strong_component_labels: components.strong_component_labels,
    breadth_first_trees: components.breadth_first_trees,
    largest_class: components.largest_class,
    tight_forest: parents.tight_forest,
    pagerank_rounds: pagerank.pagerank_rounds,
    ranks: pagerank.ranks,
    row_lengths: lengths.row_lengths,
    graph_in: construction.graph_in,
    made_in_parts: generated.made_in_parts,
    joined_batches: construction.joined_batches,
    drawn_edges: generated.drawn,
    drawn_rows: generated.DistributedRows,
    saved.save: shards.save,
    saved.graph_in: shards.graph_in,
}

OF_ROOT: tuple[Operation[Any, Any], ...] = (
    bounded, closed_walks, closed_wedges, coefficients, community_sums, core_levels,
    degree_order, dependencies, depth_first, distance_sums, edges_among, edges_by_label,
    edges_of_neighbours, eigenvector_rounds, farthest_levels, greedy_coloring,
    greedy_independent_set, greedy_matching, has_two_sides, hits_rounds, katz_rounds,
    largest_matching, lengths_towards, longest_lengths, louvain_communities, missing_tree_edges,
    numbers_in_common, path_lengths, pattern_without_loops, peel, permuted, pivots,
    propagated_labels, leiden_communities, shortest_path, sides, source_totals, spanning_edges,
    spanning_forest_edges, total_triangles, tree_edge_values, truss,
    vertex_triangles, walks, weight_within,
)  # fmt: skip
"""None of them changes an operand that all processes have, but for generators of numbers, of which
the root tells how far they are."""

TOGETHER: tuple[Operation[Any, Any], ...] = (
    argsort, l1_distance, label_argmax, local_moving, permuted_ids, quotient,
)  # fmt: skip


def lowerings(comm: Communicator) -> Table:
    """The lowerings of processes that share a communicator, by operation."""

    def together(operation: Operation[Any, Any]) -> Callable[..., Any]:
        @any_size
        def statements(*operands: Any, **options: Any) -> Any:
            with comm.statement(operation.__name__):  # type: ignore[attr-defined]
                return operation.statements(*operands, **options)

        return statements

    by_root = {operation: of_root(operation) for operation in OF_ROOT}
    return OWN | by_root | {operation: together(operation) for operation in TOGETHER}
