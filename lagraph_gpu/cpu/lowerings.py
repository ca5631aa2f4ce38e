"""The table of the CPU's lowerings: operations that run as compiled loops (see
``lagraph_gpu.notation.operation``).

The loops are in ``cpu/native``; without a compiled library the operations that need them run as
statements. Everything else runs by statements through SuiteSparse, and so does a search, a closure
or a sum of distances under ``lg.trace`` or ``lg.explain`` that asks for each round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.algorithms._shared.labels import argsort, edges_among, permuted_ids
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.source_batches import degrees_of, start_matrix
from lagraph_gpu.algorithms._shared.vertex_values import (
    at_least,
    divided,
    inverses,
    ratio,
    scaled_sums,
    sum_of_squares,
)
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.centrality.closeness import closeness, closeness_of
from lagraph_gpu.algorithms.centrality.distance_sums import (
    distance_sums,
    source_totals,
    sums_of_lengths,
)
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.label_propagation import propagated_labels
from lagraph_gpu.algorithms.community.leiden import leiden_communities
from lagraph_gpu.algorithms.community.local_moving import local_moving
from lagraph_gpu.algorithms.community.louvain import louvain_communities
from lagraph_gpu.algorithms.community.modularity import community_sums, scaled
from lagraph_gpu.algorithms.paths.eccentricity import bounded, farthest_levels
from lagraph_gpu.algorithms.paths.floyd_warshall import all_lengths
from lagraph_gpu.algorithms.paths.longest_path import longest_path_parents
from lagraph_gpu.algorithms.paths.path import ancestors
from lagraph_gpu.algorithms.paths.path_lengths import contracted_lengths, path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import shortest_path
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents, tight_forest
from lagraph_gpu.algorithms.similarity.similarity import (
    coefficients,
    columns_in_common,
    numbers_in_common,
)
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, largest_matching, sides
from lagraph_gpu.algorithms.structure.clustering import closed_walks, edges_of_neighbours
from lagraph_gpu.algorithms.structure.components import (
    breadth_first_trees,
    component_labels,
    roots,
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
from lagraph_gpu.algorithms.structure.scc import strong_component_labels
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_edges, spanning_forest_edges
from lagraph_gpu.algorithms.structure.triangles import total_triangles, vertex_triangles
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import fixpoint
from lagraph_gpu.cpu.loops import (
    all_pairs,
    array_levels,
    bipartite,
    closures,
    contraction_sweeps,
    distances,
    entries,
    forests,
    greedy,
    l1_distance,
    matching,
    modularity,
    pattern,
    peeling,
    permutation,
    point_to_point,
    random_walks,
    scc,
    similarity,
    single_source,
    source_sums,
    triangles,
    union_find,
    vertex_values,
)
from lagraph_gpu.cpu.loops import depth_first as depth_first_loops
from lagraph_gpu.cpu.loops import label_argmax as label_loops
from lagraph_gpu.cpu.loops import local_moving as local_moving_loops
from lagraph_gpu.cpu.loops import pagerank_rounds as pagerank_loops
from lagraph_gpu.cpu.loops import power_iteration as power_loops
from lagraph_gpu.cpu.loops import truss as truss_loops
from lagraph_gpu.cpu.native import needs_library
from lagraph_gpu.graph.derived import principal_submatrix
from lagraph_gpu.graph.facts import (
    diagonal_entries,
    is_symmetric,
    pattern_without_loops,
    row_lengths,
)
from lagraph_gpu.graph.queries import edge_ends
from lagraph_gpu.notation.aggregators import index_of_extreme
from lagraph_gpu.notation.coordinates import each_once, entries_by_row
from lagraph_gpu.notation.matrix_export import all_values
from lagraph_gpu.notation.operation import Operation

COMPILED: dict[Operation[Any, Any], Callable[..., Any]] = {
    fixpoint: closures.fixpoint,
    breadth_first_trees: single_source.breadth_first_trees,
    levels_and_parents: single_source.levels_and_parents,
    lengths_and_parents: single_source.lengths_and_parents,
    tight_forest: closures.tight_forest,
    shortest_path: point_to_point.shortest_path,
    component_labels: union_find.component_labels,
    weak_component_labels: union_find.weak_component_labels,
    principal_submatrix: pattern.principal_submatrix,
    spanning_edges: union_find.spanning_edges,
    spanning_forest_edges: union_find.spanning_forest_edges,
    strong_component_labels: scc.strong_component_labels,
    has_two_sides: bipartite.has_two_sides,
    sides: bipartite.sides,
    largest_matching: matching.largest_matching,
    is_symmetric: pattern.is_symmetric,
    entries_by_row: entries.entries_by_row,
    each_once: entries.each_once,
    all_values: entries.all_values,
    diagonal_entries: pattern.entries_on_diagonal,
    peel: peeling.peel_levels,
    core_levels: peeling.core_levels,
    truss: truss_loops.truss,
    total_triangles: triangles.total_triangles,
    vertex_triangles: triangles.vertex_triangles,
    multiplicity: pattern.multiplicity,
    closed_walks: triangles.closed_walks,
    edges_of_neighbours: triangles.edges_of_neighbours,
    numbers_in_common: similarity.numbers_in_common,
    coefficients: similarity.coefficients,
    greedy_independent_set: greedy.independent_set,
    greedy_coloring: greedy.coloring,
    greedy_matching: greedy.matching,
    longest_lengths: peeling.longest_lengths,
    longest_path_parents: peeling.longest_path_parents,
    path_lengths: distances.path_lengths,
    all_lengths: all_pairs.all_lengths,
    bfs_queue: distances.bfs_queue,
    dependencies: distances.dependencies,
    distance_sums: source_sums.distance_sums,
    source_totals: source_sums.source_totals,
    sums_of_lengths: source_sums.sums_of_lengths,
    closeness_of: source_sums.closeness_of,
    farthest_levels: source_sums.farthest_levels,
    bounded: source_sums.bounded,
    ancestors: forests.ancestors,
    depth_first: depth_first_loops.orders,
    walks: random_walks.walks,
    contracted_lengths: contraction_sweeps.contracted_lengths,
    pagerank_rounds: pagerank_loops.pagerank_rounds,
    hits_rounds: power_loops.hits_rounds,
    eigenvector_rounds: power_loops.eigenvector_rounds,
    katz_rounds: power_loops.katz_rounds,
    label_argmax: label_loops.best_labels,
    propagated_labels: label_loops.propagated_labels,
    community_sums: modularity.community_sums,
    local_moving: local_moving_loops.local_moving,
    louvain_communities: array_levels.louvain_communities,
    leiden_communities: array_levels.leiden_communities,
}

LOWERINGS: dict[Operation[Any, Any], Callable[..., Any]] = {
    **{operation: needs_library(lowering) for operation, lowering in COMPILED.items()},
    power_iteration.l1_distance: l1_distance.l1_distance,
    pattern_without_loops: pattern.pattern_without_loops,
    edge_ends: pattern.edge_ends,
    edges_among: pattern.edges_among,
    row_lengths: pattern.row_lengths,
    start_matrix: distances.start_matrix,
    degrees_of: pattern.degrees_of,
    scaled_sums: vertex_values.scaled_sums,
    ratio: vertex_values.ratio,
    divided: vertex_values.divided,
    inverses: vertex_values.inverses,
    at_least: vertex_values.at_least,
    sum_of_squares: vertex_values.sum_of_squares,
    index_of_extreme: vertex_values.index_of_extreme,
    scaled: modularity.scaled,
    closeness: source_sums.closeness,
    largest_class: union_find.largest_class,
    roots: union_find.roots,
    columns_in_common: similarity.columns_in_common,
    argsort: permutation.argsort,
    degree_order: permutation.degree_order,
    permuted: permutation.permuted,
    permuted_ids: permutation.permuted_ids,
}
